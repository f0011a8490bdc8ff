"""How far apart tournaments are: squared distances of their ratings, with the noise taken out.

Two tournaments are as far apart as the mean square, over the players that both have, of the
difference of their ratings, each centred on these players. Noise makes every two ratings differ,
so that the plain distance is too large. Clusters tell the noise: with A the influences of the
clusters of both on the n shared players, centred, it is ‖A‖²/n on average. What is left has the
variance (4‖A d‖² + 2‖A Aᵀ‖²)/n², d the difference, and its interval is that of t with the fewer
degrees of freedom of the two.

Where two tournaments do not differ, what is left may be negative: it is right on average.

Examples
--------
Two tournaments of three players, with clusters that say nothing else than their means:

>>> still = np.zeros((3, 4))
>>> ratings = [np.array([1.0, 0.0, -1.0]), np.array([-1.0, 0.0, 1.0])]
>>> rated = [Rated(np.arange(3), own, np.zeros(3), still, 3.0) for own in ratings]
>>> float(measure(rated).square[0, 1].round(4))
2.6667
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from winodds.arrays import Bools, Floats, Ints, order_of
from winodds.season.rated import Rated

FEWEST_PLAYERS = 3
"""Players whom two tournaments must share to have a distance."""

LEVEL = 0.95
"""Of the intervals."""


@dataclass(frozen=True, slots=True)
class Distances:
    """Squared distances of T tournaments, each (T, T); NaN where they share too few players.

    Attributes
    ----------
    square : squared distances with the noise taken out, in squared log-odds; 0 on the diagonal.
        They may be negative where tournaments hardly differ.
    low, high : ends of their intervals, never below 0.
    noise : what was taken out.
    shared : players that both have.
    """

    square: Floats
    low: Floats
    high: Floats
    noise: Floats
    shared: Ints

    def nearest(self, tournament: int) -> Ints:
        """The tournaments at a known distance from one, the nearest first."""
        own = self.square[tournament].copy()
        own[tournament] = np.nan
        known = np.flatnonzero(~np.isnan(own))
        return known[order_of(own[known])]


def measure(rated: Sequence[Rated]) -> Distances:
    """The squared distances of all tournaments from each other."""
    shape = (len(rated), len(rated))
    square, low, high, noise = (np.full(shape, np.nan) for _ in range(4))
    shared = np.zeros(shape, np.int64)
    for matrix in (square, low, high, noise):
        np.fill_diagonal(matrix, 0.0)
    sides = [_Side.of(own) for own in rated]
    for one, first in enumerate(sides):
        shared[one, one] = first.places.size
        for other, second in enumerate(sides[:one]):
            own = np.isin(first.places, second.places, assume_unique=True)
            shared[one, other] = shared[other, one] = own.sum()
            if shared[one, other] < FEWEST_PLAYERS:
                continue
            theirs = np.isin(second.places, first.places, assume_unique=True)
            found = _compare(first.among(own), second.among(theirs))
            for matrix, cell in zip((square, low, high, noise), found, strict=True):
                matrix[one, other] = matrix[other, one] = cell
    return Distances(square, low, high, noise, shared)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two tournaments: its players in the season's order, centred on themselves.

    Attributes
    ----------
    places : (n,) the players' numbers, ascending.
    value : (n,) ratings.
    influence : (n, G) of the clusters.
    products : (G, G) of the clusters' influences.
    df : degrees of freedom.
    """

    places: Ints
    value: Floats
    influence: Floats
    products: Floats
    df: float

    @classmethod
    def of(cls, rated: Rated) -> "_Side":
        order = np.argsort(rated.places)
        value, influence = rated.value[order], rated.influence[order]
        return cls._centre(rated.places[order], value, influence, rated.df)

    @classmethod
    def _centre(cls, places: Ints, value: Floats, influence: Floats, df: float) -> "_Side":
        influence = influence - influence.mean(axis=0)
        return cls(places, value - value.mean(), influence, influence.T @ influence, df)

    def among(self, chosen: Bools) -> "_Side":
        """The same of some of the players only."""
        if chosen.all():
            return self
        return self._centre(
            self.places[chosen], self.value[chosen], self.influence[chosen], self.df
        )


def _compare(first: _Side, second: _Side) -> tuple[float, float, float, float]:
    """Squared distance, ends of its interval, and the noise that was taken out."""
    difference, size = first.value - second.value, first.value.size
    noise = float(np.trace(first.products) + np.trace(second.products)) / size
    square = float(difference @ difference) / size - noise
    along = sum(float(((difference @ own.influence) ** 2).sum()) for own in (first, second))
    between = first.influence.T @ second.influence
    products = sum(float((own.products**2).sum()) for own in (first, second))
    products += 2.0 * float((between**2).sum())
    error = float(np.sqrt(4.0 * along + 2.0 * products)) / size
    half = float(stdtrit(min(first.df, second.df), 0.5 + 0.5 * LEVEL)) * error
    return square, max(square - half, 0.0), max(square + half, 0.0), noise
