"""What the thesis could not say: who is ahead on a task that nobody has seen yet."""

import base64
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import page
import pictures
from counts import flows_on_most_tasks
from drawing import signed
from evaluations import Evaluations
from page import Colouring, Section
from ratings import Study, rate_tasks, table_of
from section_algorithms import many_tasks

import winodds

FEWEST = 5
"""Flows on many tasks from which on only these are told of."""

TOP = 12
"""Flows of the table, and opponents in the picture."""


def describe_outlook(study: Study, colours: Colouring) -> Section:
    """The board of all tasks together, the first flow on a new task, algorithms and tuning."""
    tasks = {flow: number for flow, _, number in flows_on_most_tasks(study.evaluations, None)}
    if not study.several:
        needed = "several tasks" if study.evaluations.by_fold else "values by fold"
        told = f"How far tasks differ, and what to expect of one, needs {needed}."
        board = next(iter(study.season.values()))
        return Section("outlook", "On a new task", (*_board(board, tasks), page.lack(told)))
    flows, words = _flows_to_tell_of(tasks, len(study.season))
    kept = study.evaluations.of(flows)
    parts = [page.say(words)]
    try:
        together = rate_together(kept)
        parts += [*_board(together, tasks), *_new_task(rate_tasks(kept), together.players)]
    except winodds.DataError as error:
        parts.append(page.lack(str(error)))
    if study.algorithms():
        parts += _algorithms(study, colours)
    parts.append(page.say(study.season.odd().text))
    return Section("outlook", "On a new task", tuple(parts))


def _flows_to_tell_of(tasks: Mapping[str, int], of: int) -> tuple[list[str], str]:
    """The flows with results on many tasks, or all where these are few."""
    least = many_tasks(of)
    often = [flow for flow, number in tasks.items() if number >= least]
    if len(often) < FEWEST:
        told = f"Fewer than {FEWEST} flows have results on {least:,} of {of:,} tasks"
        return list(tasks), f"{told}, so that all flows are rated here, on all tasks together."
    told = f"The {len(often):,} flows with results on at least {least:,} of {of:,} tasks"
    return often, f"{told}, rated among themselves, on all tasks together."


def rate_together(evaluations: Evaluations) -> winodds.Leaderboard:
    """All tasks on one board, on which each counts once for a pair of flows."""
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
            signed(row.epp),
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
    start = "−∞" if low is None else signed(low)
    return f"{start} … {'∞' if high is None else signed(high)}"


def _new_task(season: winodds.Season, flows: Sequence[str]) -> list[str]:
    """The first flow against the next, and against many others, on a task that nobody has seen."""
    first, second = flows[:2]
    try:
        words = season.compare(first, second).text
        chart = season.plot.new_data_set(player=first, top=TOP)
    except winodds.DataError as error:
        return [page.lack(str(error))]
    shown = page.show(embed(chart, f"{first} on a new task"), "What to expect on a new task.")
    return [page.say(words), shown]


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
        parts.append(page.say(study.season.tunability().text))
    except winodds.DataError as error:
        return [*parts, page.lack(str(error))]
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
