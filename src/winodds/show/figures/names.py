"""Names of the figures, for those who list them without making any."""

BOARD_FIGURES = (
    "ranking",
    "score_against_rating",
    "scores",
    "win_matrix",
    "calibration",
    "critical_difference",
    "rank_sets",
    "best",
    "families",
    "gaps",
)
"""Figures of one leaderboard: methods of ``board.figures`` and ``board.plot``."""

SEASON_FIGURES = (
    "new_data_set",
    "family_matrix",
    "tunability",
    "boxes",
    "settings",
    "fill_in",
    "matrix",
    "biplot",
)
"""Figures of several leaderboards: methods of ``season.figures`` and ``season.plot``."""

LAW_FIGURES = ("law", "curves")
"""Figures of a law of the best score: methods of ``law.figures`` and ``law.plot``."""

RACE_FIGURES = ("race", "ratings", "spent")
"""Figures of a race: methods of ``figures`` and ``plot`` of a replay, or of a board's race."""
