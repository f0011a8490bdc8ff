"""The mean difference of two players in rounds that both played, with its interval.

Wins minus losses and differences of scores are both such means. Where all differences have one
size, as wins have and right or wrong answers, rounds are won, lost or tied, and the interval is
Tango's (1998) by the score test: ties narrow it, and it keeps its width where nearly all rounds tie
or go one way. Otherwise it is that of t by clusters, and where some rounds tie it also holds the
one that takes every difference for a part of the largest. Both take as many rounds as the variation
between clusters says they are worth (Korn & Graubard 1998). An end that lies beyond 0 although
flips of the clusters' signs do not exclude equal players is drawn back to 0.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import bdtr, ndtri, stdtr, stdtrit

from winodds.arrays import EQUAL, Floats, Ints, at_least, sum_by
from winodds.inference.clusters import weigh_shares
from winodds.inference.contrasts import freedom, small_sample
from winodds.inference.record import equal_clusters
from winodds.inference.signs import FEWEST, LISTED, draw_signs, unit_of

STEPS, POINTS = 7, 65
"""How often the range of an end is narrowed, and of how many differences each time."""

GAP = 0.5
"""Part of a round that is taken off differences: without it, 6% of the ends miss in 10 rounds."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the ends of its interval, which are infinite where they are open."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Differences:
    """Differences of two players in the rounds that both played.

    Attributes
    ----------
    difference : (R,) positive where the candidate is better.
    weight : (R,) of the rounds.
    cluster : (R,) cluster of each round, 0 … G − 1, all of which occur.
    largest : size of the largest difference that is taken to be possible; 0 if nobody knows.
    lasting : variance of the mean that new splits do not take away, because they share training
        data, in units of that of one split (Nadeau & Bengio 2003).
    """

    difference: Floats
    weight: Floats
    cluster: Ints
    largest: float
    lasting: float = 0.0

    @property
    def overlap(self) -> float:
        """Factor on variances for splits that share training data."""
        return 1.0 + self.clusters * self.lasting

    @property
    def rounds(self) -> int:
        return self.difference.size

    @cached_property
    def held(self) -> Floats:
        """(G,) weight of each cluster."""
        return sum_by(self.cluster, self.weight, int(self.cluster.max()) + 1)

    @property
    def clusters(self) -> int:
        return self.held.size

    @cached_property
    def contributions(self) -> Floats:
        """(G,) weighted sum of the differences of each cluster."""
        return sum_by(self.cluster, self.weight * self.difference, self.clusters)

    @cached_property
    def mean(self) -> float:
        value = float(self.contributions.sum() / self.held.sum())
        return 0.0 if abs(value) < EQUAL * self.largest else value

    @cached_property
    def tied(self) -> bool:
        """Whether any rounds tie."""
        return bool((np.abs(self.difference) <= EQUAL * self.largest).any())

    @cached_property
    def one_size(self) -> bool:
        """Whether rounds that do not tie all have the largest difference, and that is known."""
        size = np.abs(self.difference)
        whole = (size <= EQUAL * self.largest) | at_least(size, self.largest)
        return self.largest > 0.0 and bool(whole.all())

    @cached_property
    def variance(self) -> float:
        """Of the mean, by clusters of perhaps unequal weight (CR2); NaN of a single one."""
        return self._spread[0]

    @cached_property
    def df(self) -> float:
        """Degrees of freedom of the variance."""
        return self._spread[1]

    @cached_property
    def _spread(self) -> tuple[float, float]:
        if self.clusters < 2:
            return float("nan"), 1.0
        total = self.held.sum()
        influence = (self.contributions - self.mean * self.held) / total
        held, df, _ = weigh_shares((self.held / total)[None, :], influence[None, :])
        return float((influence**2 / (1.0 - held[0])).sum()), float(df[0])

    @property
    def varies(self) -> bool:
        """Whether clusters differ, so that their variance tells anything."""
        size = float(np.abs(self.difference).max(initial=0.0))
        return self.clusters > 1 and self.variance > (EQUAL * size) ** 2

    @cached_property
    def skew(self) -> float:
        """Skewness of the mean, which the interval of t knows nothing of; 0 where it is not t's."""
        if self.one_size or not self.varies:
            return 0.0
        off = (self.contributions - self.mean * self.held) / self.held.sum()
        return float((off**3).sum() / (off**2).sum() ** 1.5)

    @cached_property
    def shares(self) -> tuple[float, float]:
        """Shares of rounds won and lost, each difference as a part of the largest, by weight."""
        if self.largest == 0.0:
            return 0.0, 0.0
        part = self.weight * self.difference / (self.largest * self.weight.sum())
        return float(part[part > 0.0].sum()), float(-part[part < 0.0].sum())


# The interval -------------------------------------------------------------------------------------


def judge_mean(found: Differences, level: float) -> Interval:
    """The mean difference with its interval."""
    low, high = -np.inf, np.inf
    if found.one_size:
        low, high = _by_score_test(found, level)
    elif found.varies:
        half = float(stdtrit(found.df, 0.5 + 0.5 * level)) * np.sqrt(found.variance * found.overlap)
        low, high = found.mean - half, found.mean + half
        if found.tied:
            ends = _by_score_test(found, level)
            low, high = min(low, ends[0]), max(high, ends[1])
    if flips_count(found) and not at_least(1.0 - level, flip_p(found.contributions)):
        low, high = min(low, 0.0), max(high, 0.0)
    return Interval(found.mean, float(low), float(high))


def _by_score_test(found: Differences, level: float) -> tuple[float, float]:
    """Ends of Tango's interval, in units of the differences."""
    if found.largest == 0.0:
        return -np.inf, np.inf
    rounds = worth_of(found).taken(float(found.clusters), level)
    quantile = float(ndtri(0.5 + 0.5 * level))
    low, high = tango(*found.shares, rounds, quantile, apart=GAP / rounds)
    return low * found.largest, high * found.largest


def tango(
    won: float, lost: float, rounds: float, quantile: float, *, apart: float = 0.0
) -> tuple[float, float]:
    """Ends of Tango's interval of the share won minus the share lost, of so many rounds.

    ``apart`` is taken off the differences, a correction for continuity.

    >>> low, high = tango(1 / 21, 7 / 21, 21.0, 1.95996)  # Bentur et al. (2009)
    >>> round(low, 4), round(high, 4)
    (-0.5172, -0.026)
    """
    middle, ends = won - lost, []
    for far in (-1.0, 1.0):
        near = middle
        for _ in range(STEPS):
            tried = np.linspace(near, far, POINTS)
            error = quantile * null_error(won, lost, tried) / np.sqrt(rounds)
            outside = np.flatnonzero(np.abs(middle - tried) - apart > error)
            if not outside.size:
                near = far
                break
            near, far = float(tried[outside[0] - 1]), float(tried[outside[0]])
        ends.append(near)
    return ends[0], ends[1]


def null_error(won: Floats | float, lost: Floats | float, difference: Floats | float) -> Floats:
    """Standard deviation of one round if shares won and lost truly differ by ``difference``.

    Of the shares with that difference it takes those under which the observed ones are likeliest
    (Tango 1998).
    """
    middle = -np.asarray(won) - lost + (2.0 - won + lost) * difference
    last = -np.asarray(lost) * difference * (1.0 - difference)
    share = 0.25 * (np.sqrt(np.maximum(middle**2 - 8.0 * last, 0.0)) - middle)
    variance = 2.0 * share + difference * (1.0 - difference)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)), np.float64)


@dataclass(frozen=True, slots=True)
class Worth:
    """How many independent rounds clusters are worth.

    Attributes
    ----------
    rounds : rounds of a cluster.
    seen : rounds of clusters that say as much as one independent one.
    most : the same if all rounds of a cluster agree.
    known : rounds by which that is known, in a cluster: those of the rarer outcomes.
    lasting : as in `Differences`.
    """

    rounds: float
    seen: float
    most: float
    known: float
    lasting: float

    def truly(self, clusters: float) -> float:
        """Independent rounds that so many clusters are worth, as they vary."""
        return clusters * self.rounds / (self.seen * (1.0 + clusters * self.lasting))

    def taken(self, clusters: float, level: float) -> float:
        """Those that they are taken for.

        How many is known only as far as clusters vary: it is drawn towards the fewest, as if by
        one more round. Few clusters have fewer degrees of freedom than their rounds.
        """
        known, tail = clusters * self.known, 0.5 + 0.5 * level
        each = (known + 1.0) / (known * self.seen + self.most)
        alone = stdtrit(max(freedom(clusters * self.rounds), 1.0), tail)
        factor = float(alone / stdtrit(max(freedom(clusters), 1.0), tail)) ** 2
        each = max(each * factor, 1.0 / self.most)
        return clusters * self.rounds * each / (1.0 + clusters * self.lasting)


def worth_of(found: Differences) -> Worth:
    """What the clusters are worth, as in the record of a pair, with ties."""
    won, lost = found.shares
    rounds, clusters = float(found.rounds), float(found.clusters)
    most = max(rounds / equal_clusters(found.held), 1.0)
    rare = 1.0 - max(won, lost, 1.0 - won - lost)
    if rare < EQUAL or clusters == 1.0:
        return Worth(rounds / clusters, most, most, 0.0, found.lasting)
    alone = (won + lost - (won - lost) ** 2) / freedom(rounds)
    by_round = found.weight * (found.difference - found.mean) / found.weight.sum()
    variance = max(found.variance, small_sample(rounds) * float(by_round @ by_round))
    seen = variance / (alone * found.largest**2)
    return Worth(rounds / clusters, seen, most, rounds * rare / (seen * clusters), found.lasting)


# Flips --------------------------------------------------------------------------------------------


def flips_count(found: Differences) -> bool:
    """Whether flips of clusters have to exclude equal players, too.

    Fewer than six clusters of different sizes cannot, and t alone decides; splits that share
    training data are not independent.
    """
    few = not found.one_size and freedom(float(found.clusters)) < FEWEST - EQUAL
    return found.lasting == 0.0 and not few


def flip_p(contributions: Floats) -> float:
    """Two-sided p-value of equal players, under whom the signs of contributions, (G,), are random.

    Exact where all contributions have one size (the sign test) or are few; else by t, with half of
    the gap between sums taken off.

    >>> flip_p(np.array([1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]))
    0.03125
    """
    size = np.abs(contributions)
    left = contributions[size > EQUAL * size.max(initial=0.0)]
    if not left.size:
        return 1.0
    if np.ptp(np.abs(left)) <= EQUAL * size.max():
        fewer = min(int((left > 0.0).sum()), int((left < 0.0).sum()))
        return float(min(2.0 * bdtr(fewer, left.size, 0.5), 1.0))
    if left.size <= LISTED:
        sums = np.abs(left @ np.hstack(draw_signs(left.size, 2, 0)))
        return float(at_least(sums, sums[0]).mean())
    total = max(abs(float(left.sum())) - unit_of(np.abs(left)), 0.0)
    square, df = total**2 / float(left @ left), freedom(float(left.size))
    return float(2.0 * stdtr(df, -np.sqrt(square * df / max(df + 1.0 - square, EQUAL))))
