"""The ratings of every tournament as the map of data sets needs them, with what they are made of.

Of a board with several components, the one with the most players is taken: the others have scales
of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.season.lineup import Lineup


@dataclass(frozen=True, slots=True)
class Rated:
    """The ratings of n players of one tournament, around their average.

    Attributes
    ----------
    places : (n,) their numbers in the season.
    value : (n,) ratings, with the estimated bias taken off.
    variance : (n,) of the ratings: the larger of robust and model-based.
    influence : (n, G) what each cluster does to each rating; its squares add up to the robust
        variance.
    df : degrees of freedom of the robust variance, those that half of the players reach.
    """

    places: Ints
    value: Floats
    variance: Floats
    influence: Floats
    df: float


def rate_tournaments(lineup: Lineup) -> list[Rated]:
    """The ratings of every tournament, robust by cluster whatever intervals the boards show."""
    found = []
    for entries in lineup.tournaments:
        places, part = entries.largest()
        sure = part.uncertainty_by("robust")
        own = sure.intervals
        assert own.influence is not None
        found.append(
            Rated(
                places=places,
                value=own.beta - own.bias,
                variance=sure.of_ratings("all").se ** 2,
                influence=sure.clustering.lifted(own.influence),
                df=sure.clustering.typical,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Ratings of all tournaments side by side.

    Attributes
    ----------
    players : (n,) numbers, in the season, of those who have a rating.
    value, variance : (n, T) ratings and their variances; NaN for gaps.
    """

    players: Ints
    value: Floats
    variance: Floats


def tabulate(rated: Sequence[Rated]) -> RatingTable:
    """The ratings of all tournaments side by side."""
    players = np.unique(np.concatenate([own.places for own in rated]))
    value, variance = (np.full((players.size, len(rated)), np.nan) for _ in range(2))
    for number, own in enumerate(rated):
        rows = np.searchsorted(players, own.places)
        value[rows, number], variance[rows, number] = own.value, own.variance
    return RatingTable(players, value, variance)
