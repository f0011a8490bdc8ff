"""Who is better, by the signs of clusters.

If two players are equally good, the sign of what a cluster (round, data set, user) contributes to
their difference is random. A test that flips signs holds its level whatever the contributions are
(Hemerik, Goeman and Finos 2020), and it does not lose its power when one player wins every round,
as Wald's test does (Hauck and Donner 1977). The same flips for all pairs give the law of the
largest statistic, which tells who is better among many.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from winodds.arrays import EQUAL, Bools, Floats, Ints
from winodds.design.design import Cliques
from winodds.inference.clusters import Clustering, dense
from winodds.inference.contrasts import small_sample
from winodds.matches.wins import RoundEvidence, Wins

FEWEST = 5.0
"""Degrees of freedom from which on signs decide: of fewer clusters all may agree by chance."""

FLIPS = ((100, 2000), (300, 1000))
"""How many flips are drawn, up to so many players."""

FEWEST_FLIPS = 500
"""The same for more players than that."""

LISTED = 12
"""Up to this many clusters all flips are listed."""

FINEST = 1e-3
"""Units smaller than this share of the largest contribution are none."""

BLOCK = 1 << 21
"""Signs drawn, or pairs judged, at a time."""

EVERYONE = slice(None)


@dataclass(frozen=True, slots=True)
class Contributions:
    """What clusters contribute to the differences of players.

    That of a cluster is its share of the difference plus its deviation. In complete rounds wins
    are compared, which needs no ratings; otherwise ratings are, with what clusters do to them.

    Attributes
    ----------
    value : (m,) wins or ratings, whose differences are tested.
    deviation : (m, G) what each cluster does to them, so that its squares add up to a variance.
    scale : factor that makes deviations parts of the value.
    clustering : what the clusters carry.
    unit : of which all contributions are whole multiples; 0 where there is none.
    """

    value: Floats
    deviation: Floats
    scale: float
    clustering: Clustering
    unit: float = 0.0

    def statistics(self, first: Ints, second: Ints) -> Floats:
        """(k,) t of differences, one unit nearer to 0."""
        spread = self.clustering.pair_variances(self.deviation, first, second)
        df = np.minimum(self.clustering.df[first], self.clustering.df[second])
        return _studentise(self.value[first] - self.value[second], spread, df, self.unit)

    def statistic_matrix(self) -> Floats:
        """(m, m) the same for all pairs, row minus column."""
        found, df = self.clustering.variance_matrix(self.deviation), self.clustering.df
        step = max(1, BLOCK // self.value.size)
        for begin in range(0, self.value.size, step):
            rows = slice(begin, begin + step)
            difference = self.value[rows, None] - self.value[None, :]
            fewer = np.minimum(df[rows, None], df[None, :])
            found[rows] = _studentise(difference, found[rows], fewer, self.unit)
        return found


def _studentise(difference: Floats, variance: Floats, df: Floats, unit: float) -> Floats:
    """T of differences, of their shape; infinite where all clusters agree and there is no unit.

    Sums whose signs are flipped lie two units apart, and t is the law of numbers without gaps: half
    of the gap is taken off (the correction for continuity). Without it, six wins of seven, of which
    flips say 0.125, would have p = 0.046. Flips leave the sum of squared contributions as it is,
    and its ratio to the squared sum tells t.
    """
    scale = np.maximum(np.abs(difference), 1.0)
    difference = np.where(np.abs(difference) < EQUAL * scale, 0.0, difference)
    # A variance that is nothing but rounding beside the difference is none.
    variance = np.where(variance < (EQUAL * difference) ** 2, 0.0, variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(difference == 0.0, 0.0, difference / np.sqrt(variance))
        if not unit:
            return t
        size = np.abs(difference)
        kept = np.maximum(size - unit, 0.0) / np.where(size > 0.0, size, 1.0)
        square = kept**2 * t**2 / (t**2 + df)
        square = np.where(np.isinf(t), kept**2, square) * (df + 1.0)
        found = np.sign(difference) * np.sqrt(df * square / (df + 1.0 - square))
        return np.asarray(found, np.float64)


def contributions_of(
    wins: Wins, beta: Floats, influence: Floats, clustering: Clustering, overlap: float
) -> Contributions | None:
    """What clusters contribute, or None where they are not kept one by one.

    ``beta`` (m,) and ``influence`` (m, G) are ratings and what clusters do to them; ``overlap`` is
    the factor on variances for splits that share training data.
    """
    if clustering.share is None:
        return None
    evidence, clusters = wins.evidence, clustering.clusters
    factor = small_sample(float(clusters)) ** evidence.power
    complete = isinstance(wins.design, Cliques) and wins.design.complete
    if not complete:
        return Contributions(beta, influence, 1.0 / np.sqrt(factor), clustering)
    assert isinstance(evidence, RoundEvidence)
    won = dense(evidence.wins).T
    deviation = won - clustering.share * won.sum(axis=1, keepdims=True)
    scaled = deviation * np.sqrt(factor * overlap)
    unit = unit_of(np.abs(won[1:] - won[0])) if evidence.power == 1 else 0.0
    return Contributions(wins.wins, scaled, 1.0 / np.sqrt(factor), clustering, unit)


def unit_of(sizes: Floats) -> float:
    """The largest number of which all are whole multiples, by Euclid; 0 where it is tiny."""
    largest = sizes.max(initial=0.0)
    left, unit = sizes[sizes > EQUAL * largest], 0.0
    while left.size:
        unit = float(left.min())
        if unit < FINEST * largest:
            return 0.0
        rest = np.abs(left - unit * np.rint(left / unit))
        rest = rest[rest > np.sqrt(EQUAL) * largest]
        left = np.append(rest, unit) if rest.size else rest
    return unit


def can_decide(df: Floats, level: float) -> Bools:
    """Whether signs of so many clusters can decide at the level, of the shape of ``df``."""
    enough: Bools = (df >= FEWEST - EQUAL) & (0.5**df < 1.0 - level)
    return enough


# Flips of all clusters ----------------------------------------------------------------------------


class Flips:
    """Differences of all pairs when whole clusters change their sign; the first flip changes none.

    What is compared is S/√Q, with S the sum of a pair's contributions and Q that of their squares,
    which flips leave as it is. Studentised anew, it is t: the one grows with the other.

    Attributes
    ----------
    players, number : how many players m and flips F there are.
    """

    def __init__(self, found: Contributions, seed: int) -> None:
        share = found.clustering.share
        assert share is not None
        self._clustering, self._value, self._share = found.clustering, found.value, share
        self._part = found.deviation * found.scale
        # Where all have the same shares in clusters, contributions are differences of two numbers.
        self._common = share.shape[0] == 1
        if self._common:
            self._part = self._part + found.value[:, None] * share
        signs = draw_signs(self._part.shape[1], found.value.size, seed)
        self._sums = np.hstack([self._part @ block for block in signs])
        self._held = share if self._common else np.hstack([share @ block for block in signs])
        self._size = np.einsum("ig,ig->i", self._part, self._part) + np.finfo(np.float64).tiny
        self.players, self.number = self._sums.shape
        self._room = np.empty_like(self._sums)

    def against(self, player: int, others: slice = EVERYONE) -> Floats:
        """(k, F) the statistics of others minus the player in every flip; 0 for copies.

        The array is valid until the next call: making a new one takes longer than filling it.
        """
        part = self._part[others] - self._part[player]
        sums = np.subtract(self._sums[others], self._sums[player], out=self._room[others])
        if not self._common:
            apart, own = self._apart(player, others)
            held, mine = self._share[others], self._share[player]
            part += apart * (own * held + (1.0 - own) * mine)
            held, mine = self._held[others], self._held[player]
            sums += (apart * own) * held
            sums += (apart * (1.0 - own)) * mine
        squares = np.einsum("kg,kg->k", part, part)
        moved = squares > EQUAL**2 * (self._size[others] + self._size[player])
        sums *= np.where(moved, 1.0 / np.sqrt(np.where(moved, squares, 1.0)), 0.0)[:, None]
        return np.asarray(sums, np.float64)

    def _apart(self, player: int, others: slice) -> tuple[Floats, Floats]:
        """(k, 1) differences, and how much the others' clusters count in them."""
        everyone = np.arange(self.players)[others]
        own = self._clustering.weight_of(everyone, np.full(everyone.size, player))
        return (self._value[others] - self._value[player])[:, None], own[:, None]


def draw_signs(clusters: int, players: int, seed: int) -> list[Floats]:
    """(G, F) signs in blocks: all that differ by more than their direction, if these are few."""
    if clusters <= LISTED:
        number = np.arange(1 << (clusters - 1))
        bits = (number[None, :] >> np.arange(clusters)[:, None]) & 1
        return [1.0 - 2.0 * bits.astype(np.float64)]
    total = next((flips for most, flips in FLIPS if players <= most), FEWEST_FLIPS)
    step = max(1, BLOCK // clusters)
    blocks = [
        1.0 - 2.0 * hashed_bits(seed, clusters, np.arange(begin, min(begin + step, total)))
        for begin in range(0, total, step)
    ]
    blocks[0][:, 0] = 1.0
    return blocks


def hashed_bits(seed: int, clusters: int, flips: Ints) -> Floats:
    """(G, k) bits, 0 or 1, of some flips: a hash of the seed, the flip and the cluster.

    The page of a report flips the same signs, so they come from a few lines that both have.
    """
    flip = _mix(flips.astype(np.uint32) + _mix(np.array([seed & 0xFFFFFFFF], np.uint32)))
    cluster = np.arange(clusters, dtype=np.uint32)[:, None] * np.uint32(0x9E3779B9)
    return (_mix(flip[None, :] ^ cluster) & np.uint32(1)).astype(np.float64)


def _mix(bits: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """A hash of 32 bits in which every bit of the input moves every bit of the output."""
    for shift, factor in ((16, 0x21F0AAAD), (15, 0x735A2D97)):
        bits = (bits ^ (bits >> np.uint32(shift))) * np.uint32(factor)
    return bits ^ (bits >> np.uint32(15))
