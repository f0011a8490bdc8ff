"""Between algorithms and flows, against a reference (section 5.2)."""

from collections.abc import Mapping, Sequence

import page
import pictures
from page import Colouring, Section
from ratings import BestOfEach, Study, extremes, spread_of

from winodds.errors import NoFigure

STAYERS = (25, 31)
"""On how many of how many tasks a flow of Figure 5.12 has results; elsewhere in proportion."""

NO_ALGORITHMS = (
    "No task has flows of two algorithms that are known, so there is nothing to compare."
)

NARROW = 11
"""Algorithms up to which two matrices find room side by side."""

MOST_FLOWS = 60
"""Flows of that figure at most."""


def describe_reference(study: Study) -> list[str]:
    """Which flow is at 0, and where it is not."""
    found = [
        page.say(
            f"From here on EPP are rescaled: {study.reference} is at 0, so that a flow above 0 "
            f"beats it in more than half of the {study.unit}s."
        )
    ]
    if study.left_out:
        gone = f"{len(study.left_out):,} of {len(study.season):,} tasks"
        found.append(page.lack(f"It has no result on {gone}, which are left out of these boxes."))
    return found


def describe_matrices(study: Study, best: Mapping[str, BestOfEach], colours: Colouring) -> Section:
    """Figures 5.6 and 5.7, beside the numbers without luck."""
    title = "Who beats whom on a task" if study.several else "Who beats whom"
    decided = {task: it.decided for task, it in best.items() if len(it.algorithms) > 1}
    if not decided:
        return Section("matrices", title, (page.lack(NO_ALGORITHMS),))
    parts = [
        page.say(
            "Each algorithm is represented by its flow with the highest EPP. A cell is the "
            "probability, in percent, that the row's flow beats the column's on a new "
            f"{study.unit}; algorithms come by their best."
        ),
        page.remark(
            "The best of many flows is best partly by luck, and algorithms with more flows have "
            "more of it. The second matrix takes that luck out; ∞ marks pairs of which one won "
            "everything, so that nobody knows how far apart they are, and no cell says 0 or 100."
        ),
    ]
    shown = extremes(decided)
    likes = ["Figure 5.6", "Figure 5.7"]
    for task, like in zip(shown, likes, strict=False):
        parts += _two_matrices(task, best[task], colours, like, alone=len(shown) == 1)
    return Section("matrices", title, tuple(parts))


def _two_matrices(
    task: str, best: BestOfEach, colours: Colouring, like: str, *, alone: bool
) -> list[str]:
    which = {"Figure 5.6": "the task on which the algorithms are closest"}
    title = "" if alone else f": {which.get(like, 'the task on which they are farthest apart')}"
    face = pictures.draw_matrix(best.algorithms, pictures.face_value(best), colours)
    honest = pictures.draw_matrix(best.algorithms, best.honest, colours)
    flows = ", ".join(
        f"{name} {pictures.number_of(flow)}"
        for name, flow in zip(best.algorithms, best.flows, strict=True)
    )
    both = (
        page.show(face, "At face value, as in the thesis.", like=like),
        page.show(honest, "Without the luck of having been picked as the best."),
    )
    return [
        f"<h3>{page.plain(task)}{title}</h3>",
        page.beside(*both) if len(best.algorithms) <= NARROW else "".join(both),
        page.say(f"The flows: {flows}."),
    ]


def describe_boxes(study: Study, colours: Colouring) -> Section:
    """Figures 5.8 to 5.12."""
    if not study.algorithms():
        told = "No flow has an algorithm that is known, so there are no boxes by algorithm."
        return Section("boxes", "EPP by algorithm", (page.lack(told),))
    parts = describe_reference(study)
    spreads = {task: spread_of(board) for task, board in study.scaled.items()}
    shown = extremes(spreads)
    words = ["the smallest spread", "the largest spread"]
    for task, like, word in zip(shown, ["Figure 5.8", "Figure 5.9"], words, strict=False):
        told = f"EPP by algorithm on {task}, which has {word} of all tasks."
        if not study.several:
            told = "EPP by algorithm."
        parts.append(page.show(draw_boxes_of(study, task, colours), told, like=like))
    if not study.several:
        why = (
            "There is one task"
            if study.evaluations.by_fold
            else "Without values by fold there is one board"
        )
        told = f"{why}, and so no boxes by task or over tasks."
        return Section("boxes", "EPP by algorithm", (*parts, page.lack(told)))
    parts += [*_by_task(study, colours), *_over_tasks(study, colours), *_stayers(study, colours)]
    return Section("boxes", "EPP by algorithm, task and flow", tuple(parts))


def draw_boxes_of(study: Study, task: str, colours: Colouring) -> str:
    """EPP by algorithm on one task."""
    figure = study.scaled.figures.boxes(tournament=task, top=None)
    return pictures.draw_boxes(known(figure.rows), colours, axis=_axis(study))


def known(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """The rows of algorithms that are known."""
    return [row for row in rows if row["box"] != "unknown"]


def _axis(study: Study) -> str:
    return f"EPP against flow {pictures.number_of(study.reference)}"


def _by_task(study: Study, colours: Colouring) -> list[str]:
    figure = study.scaled.figures.boxes(by="tournament", best=True, top=None)
    drawn = pictures.draw_boxes(figure.rows, colours, axis=_axis(study), mean_order=True)
    told = (
        "The best flow of each algorithm, a box for each task: long boxes are tasks on which the "
        "choice of an algorithm matters."
    )
    return [page.show(drawn, told, like="Figure 5.10")]


def _over_tasks(study: Study, colours: Colouring) -> list[str]:
    figure = study.scaled.figures.boxes(together=True, top=None)
    drawn = pictures.draw_boxes(known(figure.rows), colours, axis=_axis(study))
    told = "All flows of each algorithm on all tasks, algorithms by their median."
    return [page.show(drawn, told, like="Figure 5.11")]


def many_tasks(tasks: int) -> int:
    """On how many of so many tasks a flow has results that is on many.

    >>> many_tasks(31), many_tasks(4)
    (25, 4)
    """
    return -(-tasks * STAYERS[0] // STAYERS[1])


def _stayers(study: Study, colours: Colouring) -> list[str]:
    least = many_tasks(len(study.scaled))
    try:
        figure = study.scaled.figures.boxes(by="player", at_least=least, top=MOST_FLOWS)
    except NoFigure:
        return [page.lack(f"No flow has results on {least:,} of {len(study.scaled):,} tasks.")]
    family = {row["box"]: row["family"] for row in figure.rows}

    def name(flow: str) -> str:
        return f"{pictures.number_of(flow)} {family[flow]}"

    drawn = pictures.draw_boxes(figure.rows, colours, axis=_axis(study), name=name)
    told = f"Flows over their tasks, by their median. {figure.left_out}"
    return [page.show(drawn, told, like="Figure 5.12")]
