"""The first section of the page: what the table holds (chapter 4 of the thesis)."""

from html import escape

import counts
import page
import pictures
from counts import Overview
from evaluations import UNKNOWN, Evaluations
from page import Colouring, Section

RULES = {
    "first": "the first that was uploaded",
    "last": "the last that was uploaded",
    "best": "the best of them, which is the best partly by luck",
    "setup": "the first of each setting, so that every setting is a player of its own",
}
"""Which run `winodds openml --run` chose, in words."""

FEW = 40
"""Algorithms up to which each column of a picture has a name."""


def describe_data(evaluations: Evaluations, colours: Colouring) -> Section:
    """Counts, histograms, the tasks, and where there are results."""
    overview = counts.count_all(evaluations)
    return Section(
        "data",
        "The data",
        (
            page.say(_amounts(overview, evaluations)),
            *(page.say(note) for note in evaluations.notes),
            _histograms(evaluations),
            *_lacking(evaluations),
            page.show(_task_table(evaluations), "The tasks.", like="Table 4.2"),
            *_filled(evaluations),
            *_algorithms(evaluations, colours),
            page.show(
                _most_tasks(evaluations), "Flows on the most tasks.", like="Table 4.5"
            ),
        ),
    )  # fmt: skip


def _amounts(overview: Overview, evaluations: Evaluations) -> str:
    cells = f"{overview.cells:,} of {overview.tasks * overview.flows:,} pairs of a flow and a task"
    unit = "fold" if evaluations.by_fold else "task"
    start = f"{cells} have a result: {overview.scores:,} scores, one for each {unit}."
    if overview.rule is None:
        return start
    chosen = RULES.get(overview.rule, overview.rule)
    several = f"of {overview.several:,} pairs with several runs it is {chosen}"
    return f"{start} One run stands for a flow on a task; {several}."


def _histograms(evaluations: Evaluations) -> str:
    """Figures 4.1 to 4.4, as far as the table goes."""
    found = []
    if evaluations.knows("number_classes"):
        classes = counts.classes_per_task(evaluations)
        drawn = pictures.draw_histogram(classes, "classes of the target", "tasks")
        found.append(page.show(drawn, "Classes of the tasks.", like="Figure 4.1"))
    if evaluations.knows("runs"):
        drawn = pictures.draw_histogram(counts.runs_per_task(evaluations), "runs", "tasks")
        told = "Runs of the tasks, those that were not chosen included."
        found.append(page.show(drawn, told, like="Figure 4.2"))
    flows, tasks = counts.flows_per_task(evaluations), counts.tasks_per_flow(evaluations)
    if len(set(flows)) > 1:
        drawn = pictures.draw_histogram(flows, "flows", "tasks")
        found.append(page.show(drawn, "Flows of the tasks.", like="Figure 4.3"))
    if len(set(tasks)) > 1:
        drawn = pictures.draw_histogram(tasks, "tasks", "flows")
        found.append(page.show(drawn, "Tasks of the flows.", like="Figure 4.4"))
    return page.beside(*found, small=True)


def _lacking(evaluations: Evaluations) -> list[str]:
    """A sentence about columns that are not there."""
    columns = {
        "classes, observations and features of the tasks": "number_classes",
        "the number of runs that stand behind each result": "runs",
    }
    gone = [what for what, column in columns.items() if not evaluations.knows(column)]
    if not gone:
        return []
    told = f"The table does not tell {' nor '.join(gone)}; tables of winodds openml do."
    return [page.lack(told)]


def _task_table(evaluations: Evaluations) -> str:
    found = counts.tabulate_tasks(evaluations)
    heads = {
        "task": "Task",
        "number_instances": "Observations",
        "number_features": "Features",
        "number_classes": "Classes",
        "runs": "Runs",
        "flows": "Flows",
        "algorithms": "Algorithms",
    }
    shown = [name for name in heads if name in found.columns]
    rows = found.select(shown).rows()
    return page.tabulate([heads[name] for name in shown], rows, tall=len(rows) > 14)


def _filled(evaluations: Evaluations) -> list[str]:
    """Figures 4.5 and 4.6."""
    found = []
    for by, what, like in (
        ("flow", "flows", "Figure 4.5"),
        ("algorithm", "the best flows of the algorithms", "Figure 4.6"),
    ):
        filled = counts.find_filled(evaluations, by)
        if not filled.names:
            continue
        if filled.there.all():
            found.append(page.say(f"Every task has results of all {len(filled.names):,} {by}s."))
            continue
        drawn = pictures.draw_fill_in(filled, named=len(filled.names) <= FEW)
        told = (
            f"Results of {what}: {filled.share:.1%} of {filled.there.size:,} cells are filled "
            f"(yellow). {len(filled.names):,} {by}s in columns, {len(filled.tasks):,} tasks in "
            f"rows, the fullest first."
        )
        found.append(page.show(drawn, told, like=like))
    return found


def _algorithms(evaluations: Evaluations, colours: Colouring) -> list[str]:
    """Figure 4.7 and the shares of tools."""
    sizes = counts.flows_by_algorithm(evaluations)
    flows = sum(size for _, size in sizes)
    lost = dict(sizes).get(UNKNOWN, 0)
    told = f"Flows of each algorithm; {flows - lost:,} of {flows:,} have one."
    if lost:
        told += (
            " What is unknown is never guessed, and plays no part where algorithms are compared."
        )
    tools = counts.shares_of_tools(evaluations)
    bars = "".join(
        f'<span style="flex:{size};background:{colour}">{escape(tool)} {size / flows:.0%}</span>'
        for (tool, size), colour in zip(tools, _shades(len(tools)), strict=True)
    )
    listed = ", ".join(f"{tool} {size:,}" for tool, size in tools)
    parts = [
        page.show(pictures.draw_algorithms(sizes, colours), told, like="Figure 4.7"),
        page.show(f'<div class="tools">{bars}</div>', f"Flows by tool: {listed}."),
    ]
    if any(tool == "mlr" for tool, _ in tools):
        parts.append(
            page.remark(
                "Names that begin with classif are learners of mlr as well, so that there is one "
                "package of R and not two, and its learners have algorithms, too."
            )
        )
    return parts


def _shades(number: int) -> list[str]:
    colours = ["#440154", "#31688e", "#21918c", "#3b7a46", "#6b6b6b"]
    return [colours[min(k, len(colours) - 1)] for k in range(number)]


def _most_tasks(evaluations: Evaluations) -> str:
    found = counts.flows_on_most_tasks(evaluations)
    rows = [(pictures.number_of(flow), flow, algorithm, tasks) for flow, algorithm, tasks in found]
    return page.tabulate(["Flow", "Name", "Algorithm", "Tasks"], rows)
