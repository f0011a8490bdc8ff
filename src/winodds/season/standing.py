"""How players did over a whole season, one row for each.

Examples
--------
>>> import winodds.demo
>>> found = winodds.demo.rate_results().standing()
>>> found[0].player, found[0].tournaments, found[0].first
('logistic_regression(C=0.96)', 4, 0)
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints, at_least
from winodds.season.matrix import EppMatrix


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One player over all tournaments.

    Attributes
    ----------
    player, family : their names; the family is None where none are known.
    tournaments : in how many it has a result.
    first : on how many boards it is rated first, alone or with others.
    mean_epp : mean of its ratings, each around its board's average.
    mean_p_average : mean of its probabilities of beating the average player in a new round.
    best, worst : tournaments in which that probability is highest and lowest.
    """

    player: str
    family: str | None
    tournaments: int
    first: int
    mean_epp: float
    mean_p_average: float
    best: str
    worst: str


def make_standing(table: EppMatrix, first: Ints) -> tuple[SeasonRow, ...]:
    """Rows in the season's order; ``first`` (m,) counts boards on which a player is first."""
    chance, there = table.p_average, ~np.isnan(table.epp)
    number = there.sum(axis=1)
    families = table.families or (None,) * len(table.players)
    best, worst = (_first_of(side) for side in (chance, -chance))
    return tuple(
        SeasonRow(
            player=player,
            family=families[k],
            tournaments=int(number[k]),
            first=int(first[k]),
            mean_epp=float(np.nanmean(table.epp[k])),
            mean_p_average=float(np.nanmean(chance[k])),
            best=table.tournaments[int(best[k])],
            worst=table.tournaments[int(worst[k])],
        )
        for k, player in enumerate(table.players)
    )


def _first_of(values: Floats) -> Ints:
    """(m,) the first column of each row that has its largest value, rounding aside."""
    top = np.nanmax(values, axis=1, keepdims=True)
    return np.asarray(at_least(values, top).argmax(axis=1), np.int64)
