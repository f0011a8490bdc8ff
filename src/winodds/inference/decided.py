"""How many clusters would decide whether a candidate is better, worse, or no worse than a margin.

Nothing is decided as long as the interval of the mean difference holds both 0 and the margin below
it. How likely that is follows from the differences that there are: as if the truth were what is
estimated.
"""

import numpy as np
from scipy.special import bdtr, chdtri, ndtr, ndtri, stdtrit

from winodds.arrays import Bools, Floats, Ints, at_least
from winodds.inference.contrasts import freedom
from winodds.inference.paired import GAP, Differences, flips_count, null_error, worth_of
from winodds.inference.pairwise import smallest
from winodds.inference.signs import unit_of

DRAWS = 2000
"""Tables of wins, losses and ties that are drawn to see how many of them are decided."""

NODES = 64
"""Errors, evenly spread over their law, over which a chance is averaged."""

SEED = 16
FEWEST = 2


def clusters_to_decide(found: Differences, margin: float, *, level: float, power: float) -> int:
    """Clusters with which a verdict would be reached with a chance of ``power``; 0 for never.

    ``margin`` is how far below 0 the mean may be, in units of the differences.
    """
    if margin == 0.0 and found.mean == 0.0:
        return 0
    if found.one_size:
        shares = Shares(found, margin, level)
        return smallest(lambda clusters: shares.decided(clusters) >= power, FEWEST)
    if not found.varies or (found.tied and found.largest == 0.0):
        return 0
    means = Means(found, margin, level)
    return smallest(lambda clusters: means.decided(clusters) >= power, FEWEST)


class Shares:
    """Chances of a verdict where rounds are won, lost or tied: tables of such are drawn."""

    def __init__(self, found: Differences, margin: float, level: float) -> None:
        won, lost = found.shares
        self._law = np.array([won, lost, max(1.0 - won - lost, 0.0)])
        self._margin, self._level = margin / found.largest, level
        self._worth, self._flips = worth_of(found), flips_count(found)
        self._alone = found.clusters == found.rounds and bool(np.ptp(found.weight) == 0.0)
        self._unit = unit_of(np.abs(found.contributions)) / (found.largest * found.held.mean())

    def decided(self, clusters: int) -> float:
        """The chance that so many clusters give a verdict."""
        trials = max(round(self._worth.truly(clusters)), 1)
        law = self._law / self._law.sum()
        drawn = np.random.default_rng(SEED).multinomial(trials, law, DRAWS)
        won, lost = drawn[:, 0] / trials, drawn[:, 1] / trials
        rounds = self._worth.taken(float(clusters), self._level)
        apart = self._apart(drawn, clusters)
        scale, gap = float(ndtri(0.5 + 0.5 * self._level)) / np.sqrt(rounds), GAP / rounds
        above = won - lost + self._margin - gap > scale * null_error(won, lost, -self._margin)
        if self._margin == 0.0:
            above &= apart
        below = (lost - won - gap > scale * null_error(won, lost, 0.0)) & apart
        return float((above | below).mean())

    def _apart(self, drawn: Ints, clusters: int) -> Bools:
        """(DRAWS,) whether flips tell the two apart."""
        if not self._flips:
            return np.ones(len(drawn), np.bool_)
        won, lost = drawn[:, 0], drawn[:, 1]
        if self._alone:
            p = 2.0 * bdtr(np.minimum(won, lost), np.maximum(won + lost, 1), 0.5)
            return np.asarray(at_least(1.0 - self._level, p), np.bool_)
        trials = drawn.sum(axis=1)
        gap = self._unit * trials / clusters
        limit = float(ndtri(0.5 + 0.5 * self._level)) * np.sqrt(won + lost)
        return np.asarray(np.abs(won - lost) - gap > limit, np.bool_)


class Means:
    """The same for differences of many sizes, whose mean is about normal."""

    def __init__(self, found: Differences, margin: float, level: float) -> None:
        self._mean, self._margin, self._level = found.mean, margin, level
        self._variance, self._lasting = found.variance * found.clusters, found.lasting
        self._equal = (found.df + 1.0) / found.clusters
        self._worth = worth_of(found) if found.tied else None
        self._gap, self._wide = GAP * found.largest, list[float]()
        if found.tied:
            scale = found.largest * float(ndtri(0.5 + 0.5 * level))
            ends = (null_error(*found.shares, end / found.largest) for end in (-margin, 0.0))
            self._wide = [scale * float(end) for end in ends]
        unit = unit_of(np.abs(found.contributions)) / found.held.mean()
        self._unit = unit if flips_count(found) else 0.0

    def decided(self, clusters: int) -> float:
        """The chance that so many clusters give a verdict."""
        error = np.sqrt(self._variance * (1.0 / clusters + self._lasting))
        df = max(freedom(self._equal * clusters), 1.0)
        spread = np.sqrt(chdtri(df, (np.arange(NODES) + 0.5) / NODES) / df)
        half = float(stdtrit(df, 0.5 + 0.5 * self._level)) * error * spread
        above, below = self._at_least(half, 0, clusters), self._at_least(half, 1, clusters)
        gap = self._unit / clusters
        if self._margin == 0.0:
            above = above + gap
        upper = (above - self._margin - self._mean) / error
        lower = (-below - gap - self._mean) / error
        return 1.0 - float(np.maximum(ndtr(upper) - ndtr(lower), 0.0).mean())

    def _at_least(self, half: Floats, end: int, clusters: int) -> Floats:
        """(NODES,) halves of intervals, where rounds tie as wide as the score test makes them."""
        if self._worth is None:
            return half
        rounds = self._worth.taken(float(clusters), self._level)
        wide = self._wide[end] / np.sqrt(rounds) + self._gap / rounds
        return np.asarray(np.maximum(half, wide), np.float64)
