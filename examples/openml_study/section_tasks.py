"""Every task on its own: the three pictures that the thesis drew for each and showed of two."""

from collections.abc import Mapping

import page
import pictures
from page import Colouring, Section
from ratings import BestOfEach, Study, relate_all
from section_algorithms import draw_boxes_of
from section_metric import label_of


def describe_tasks(study: Study, best: Mapping[str, BestOfEach], colours: Colouring) -> Section:
    """Something to open for each task."""
    relations = relate_all(study.season)
    metric = label_of(study.evaluations.metric)
    parts = [page.legend(study.algorithms(), colours)]
    for task, board in study.season.items():
        found = []
        if task in relations:
            drawn = pictures.draw_scatter(board, relations[task], colours, metric=metric)
            found.append(page.show(drawn, relations[task].text))
        if task in study.scaled:
            drawn = draw_boxes_of(study, task, colours)
            found.append(page.show(drawn, f"EPP by algorithm, {study.reference} at 0."))
        if task in best:
            matrix = pictures.draw_matrix(best[task].algorithms, best[task].honest, colours)
            told = "The best of each algorithm against each other's, without the luck of the pick."
            found.append(page.show(matrix, told))
        first = board.rows[0]
        title = f"{task}: {len(board):,} flows, first {first.player} ({first.family})"
        parts.append(page.fold(title, found))
    return Section("tasks", "Every task", tuple(parts))
