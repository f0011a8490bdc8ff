"""What the thesis could not say: who is ahead on a task that nobody has seen yet."""

import base64
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import page
import pictures
from counts import flows_on_most_tasks
from page import Colouring, Section
from ratings import Study, table_of
from section_algorithms import many_tasks

import winodds
from winodds.errors import NoFigure

TOP = 12
"""Flows of the table, and opponents in the picture."""


def describe_outlook(study: Study, colours: Colouring) -> Section:
    """The board of all tasks together, the first flow on a new task, algorithms and tuning."""
    together = rate_together(study)
    tasks = {flow: number for flow, _, number in flows_on_most_tasks(study.evaluations, None)}
    parts = _board(together, tasks)
    if not study.several:
        told = "How far tasks differ, and what to expect of one, needs values by fold."
        return Section("outlook", "On a new task", (*parts, page.lack(told)))
    least = many_tasks(len(study.season))
    often = [flow for flow in together.players if tasks[flow] >= least]
    parts += [*_new_task(study, often, least), *_algorithms(study, colours)]
    parts.append(page.say(study.season.odd().text))
    return Section("outlook", "On a new task", tuple(parts))


def rate_together(study: Study) -> winodds.Leaderboard:
    """All tasks on one board, on which each counts once for a pair of flows."""
    if not study.several:
        return next(iter(study.season.values()))
    evaluations = study.evaluations
    return winodds.rate(
        table_of(evaluations),
        player="flow",
        tournament="task",
        round="fold",
        score=evaluations.metric,
        family="algorithm",
        higher_is_better=evaluations.higher_is_better,
        details=False,
    )


def _board(together: winodds.Leaderboard, tasks: Mapping[str, int]) -> list[str]:
    rows = [
        (
            row.rank,
            row.player,
            row.family,
            tasks[row.player],
            page.signed(row.epp),
            _interval(row.low, row.high),
        )
        for row in together.rows[:TOP]
    ]
    level = f"{together.how.interval.level:.0%} interval"
    table = page.tabulate(["Rank", "Flow", "Algorithm", "Tasks", "EPP", level], rows)
    return [
        page.show(table, "All tasks on one board; intervals are for new tasks of this kind."),
        *(page.say(note.text) for note in together.notes),
    ]


def _interval(low: float | None, high: float | None) -> str:
    start = "−∞" if low is None else page.signed(low)
    return f"{start} … {'∞' if high is None else page.signed(high)}"


def _new_task(study: Study, flows: Sequence[str], least: int) -> list[str]:
    """The first of the flows on many tasks against the next of them, and against many others."""
    if len(flows) < 2:
        told = f"No two flows have results on {least:,} of {len(study.season):,} tasks"
        return [page.lack(f"{told}, so that nobody can tell who is ahead on a new one.")]
    leader = flows[0]
    try:
        beside = study.season.compare(*flows[:2]).text
        chart = study.season.plot.new_data_set(player=leader, top=TOP)
    except winodds.DataError as error:
        return [page.lack(str(error))]
    start = f"Of {len(flows):,} flows with results on at least {least:,} tasks, {leader} is first."
    return [
        page.say(f"{start} {beside}"),
        page.show(embed(chart, f"{leader} on a new task"), "What to expect on a new task."),
    ]


def _algorithms(study: Study, colours: Colouring) -> list[str]:
    """The best of each algorithm, judged where it was not picked."""
    families = study.season.families()
    names = [name for name in families.families if name != "unknown"]
    cells = [
        [(0.5, False) if a == b else _pair(families.pair(a, b).p_win) for b in names] for a in names
    ]
    matrix = pictures.draw_matrix(names, cells, colours)
    told = (
        "The best of each algorithm against each other's in a fold of a new task. The best is "
        "picked on other folds than those that count, so that algorithms with many flows gain "
        "nothing by luck: beside Figure 5.11, which asks how good all flows of an algorithm are, "
        "this asks how good it can be made."
    )
    parts = [page.say(families.text), page.show(matrix, told)]
    try:
        chart = study.season.plot.tunability()
    except NoFigure as error:
        return [*parts, page.lack(str(error))]
    parts.append(page.say(study.season.tunability().text))
    shown = page.show(embed(chart, "What tuning gains"), "What the choice of a flow gains.")
    return [*parts, shown]


def _pair(chance: Any) -> tuple[float, bool]:
    return (0.5 if chance.value is None else chance.value, chance.open)


def embed(chart: Any, words: str) -> str:
    """One of the package's own charts, as a picture within the page."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chart.svg"
        chart.save(path)
        packed = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="{page.plain(words)}" src="data:image/svg+xml;base64,{packed}">'
