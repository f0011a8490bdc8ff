"""The scale of chess ratings, for readers who know it better than log-odds."""

import math

ELO_ZERO = 1500.0
"""The Elo rating of an EPP of 0."""

ELO_PER_LOGIT = 400.0 / math.log(10.0)
"""Elo points of one unit of EPP: 400 points are odds of ten to one."""

ELO_COLUMNS = {"elo": "epp", "elo_low": "low", "elo_high": "high"}
"""Columns on the Elo scale, and the columns that they come from."""


def to_elo(epp: float) -> float:
    """An EPP on the Elo scale; the average player (or the reference player) has 1500.

    Examples
    --------
    >>> to_elo(0.0), round(to_elo(math.log(10.0)))
    (1500.0, 1900)
    """
    return ELO_ZERO + ELO_PER_LOGIT * epp
