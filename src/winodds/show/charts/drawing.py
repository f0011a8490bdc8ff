"""Which function draws which figure."""

from collections.abc import Callable
from typing import Any

from winodds.show.charts.bars import draw_critical_difference, draw_families
from winodds.show.charts.chances import (
    draw_family_matrix,
    draw_new_data_set,
    draw_tunability,
)
from winodds.show.charts.pairs import draw_calibration, draw_win_matrix
from winodds.show.charts.races import draw_race, draw_ratings, draw_spent
from winodds.show.charts.scores import draw_gaps, draw_score_against_rating, draw_scores
from winodds.show.charts.seasons import (
    draw_biplot,
    draw_boxes,
    draw_fill_in,
    draw_matrix,
    draw_settings,
)
from winodds.show.charts.sota import draw_curves, draw_entries, draw_law
from winodds.show.charts.standing import draw_best, draw_rank_sets, draw_ranking
from winodds.show.charts.theme import dress
from winodds.show.figures.figure import Figure

DRAWINGS: dict[str, Callable[[Figure], Any]] = {
    # of a leaderboard
    "ranking": draw_ranking,
    "score_against_rating": draw_score_against_rating,
    "scores": draw_scores,
    "win_matrix": draw_win_matrix,
    "calibration": draw_calibration,
    "critical_difference": draw_critical_difference,
    "rank_sets": draw_rank_sets,
    "best": draw_best,
    "families": draw_families,
    "gaps": draw_gaps,
    # of a season
    "new_data_set": draw_new_data_set,
    "family_matrix": draw_family_matrix,
    "tunability": draw_tunability,
    "boxes": draw_boxes,
    "settings": draw_settings,
    "fill_in": draw_fill_in,
    "matrix": draw_matrix,
    "biplot": draw_biplot,
    # of the state of the art
    "entries": draw_entries,
    "law": draw_law,
    "curves": draw_curves,
    # of a race
    "race": draw_race,
    "ratings": draw_ratings,
    "spent": draw_spent,
}


def draw_figure(figure: Figure) -> Any:
    """The finished chart of a figure."""
    return dress(DRAWINGS[figure.name](figure))
