"""How far ratings from some of the clusters agree with those from all, and with those from others.

A subset is a part of the whole, so that their agreement is too good: with nearly all rounds it is
perfect, whatever the rounds tell. What another table of that size would show is seen by looking at
clusters that the subset does not share. These also judge which pairs are told apart, so that no
pair is looked at because of the very rounds that are to order it: by t of what each of them
contributes to a difference, in which the subset has no part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from winodds.arrays import EQUAL, Bools, Floats, Ints, levels
from winodds.inference.bootstrap import Urn, rate_draws, share_out

MOST_SIZES = 20
"""Sizes of subsets that are looked at."""

DRAWS = (10, 100)
"""Fewest and most subsets of each size, for many and for few players."""

PAIRS = 200_000
"""Pairs of players, over all subsets of a size, that draws are cut down to."""

CHUNK = (10, 100)
"""Fewest and most subsets that are rated together."""

JUDGES = 6
"""Clusters that begin to tell players apart."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two sets of ratings agree, in each of d draws; NaN where that cannot be told.

    Attributes
    ----------
    correlation : (d,) Pearson's, of the ratings.
    tau : (d,) Kendall's τ_b.
    difference : (d,) mean absolute difference of the ratings.
    same_order : (d,) share of all pairs in the same order; a tie counts half.
    """

    correlation: Floats
    tau: Floats
    difference: Floats
    same_order: Floats


@dataclass(frozen=True, slots=True)
class Looked:
    """Subsets of one size.

    Attributes
    ----------
    size : clusters of a subset.
    whole : agreement with the ratings from all clusters.
    others : agreement with ratings from as many others; None where there are not so many.
    clear, agreed : (d,) pairs that the judging clusters tell apart, and how many of them the subset
        has in the same order; None where too few clusters are left to judge.
    """

    size: int
    whole: Agreement
    others: Agreement | None
    clear: Floats | None
    agreed: Floats | None


def choose_sizes(clusters: int) -> list[int]:
    """Sizes from 2 to all clusters: each of them, or some where there are many.

    >>> choose_sizes(5), choose_sizes(1000)[:6]
    ([2, 3, 4, 5], [2, 3, 4, 6, 8, 11])
    """
    if clusters <= MOST_SIZES + 1:
        return list(range(2, clusters + 1))
    spread = np.rint(np.geomspace(2.0, clusters, MOST_SIZES - 1)).astype(np.int64)
    return sorted({*spread.tolist(), clusters - count_judges(clusters)})


def count_judges(clusters: int) -> int:
    """How many of the clusters judge: half of them, if that is enough."""
    return max(JUDGES, clusters - clusters // 2)


def draws_for(players: int) -> int:
    """How many subsets of each size are looked at for so many players."""
    return int(np.clip(PAIRS // players**2, *DRAWS))


Rate: TypeAlias = Callable[[Ints], Floats]
"""Gives (d, m) ratings from the clusters in each row of (d, k)."""

Judge: TypeAlias = Callable[[Ints, Rate], Bools]
"""Gives (m, m), given some clusters (J,): whether they tell that the row beats the column."""


def plan_subsets(
    urn: Urn, beta: Floats, judge: Judge, *, ridge: float, draws: int, seed: int
) -> list[Callable[[], Looked]]:
    """Calls that each look at subsets of one size.

    Parameters
    ----------
    urn : the clusters.
    beta : (m,) ratings from all of them.
    judge : tells by other clusters which pairs are told apart.
    ridge : 1/sd² of a normal prior; 0 stands for the bias-reduced estimate.
    draws : subsets of each size; those of different sizes hold each other.
    seed : of the random numbers.
    """
    clusters = urn.kind.size
    orders = np.tile(np.arange(clusters), (draws, 1))
    orders = np.random.default_rng(seed).permuted(orders, axis=1)
    rate = partial(_rate, urn, beta, ridge)
    return [partial(_look, rate, judge, orders, size, beta) for size in choose_sizes(clusters)]


def _rate(urn: Urn, beta: Floats, ridge: float, chosen: Ints) -> Floats:
    """(d, m) ratings from the clusters of each row of ``chosen`` (d, k)."""
    counts = np.zeros((len(chosen), int(urn.kind.max()) + 1))
    np.add.at(counts, (np.arange(len(chosen))[:, None], urn.kind[chosen]), 1.0)
    sizes = share_out(len(chosen), beta.size, CHUNK)
    parts = np.split(counts, np.cumsum(sizes)[:-1])
    return np.concatenate([rate_draws(urn, part, beta, ridge) for part in parts])


def _look(rate: Rate, judge: Judge, orders: Ints, size: int, beta: Floats) -> Looked:
    clusters = orders.shape[1]
    own, clear, agreed = rate(orders[:, :size]), None, None
    others = rate(orders[:, size : 2 * size]) if 2 * size <= clusters else None
    if size + count_judges(clusters) <= clusters:
        judges = orders[:, clusters - count_judges(clusters) :]
        told = zip(own, judges, strict=True)
        clear, agreed = np.array([_agree(ratings, judge(some, rate)) for ratings, some in told]).T
    return Looked(
        size=size,
        whole=compare_ratings(own, np.broadcast_to(beta, own.shape)),
        others=None if others is None else compare_ratings(own, others),
        clear=clear,
        agreed=agreed,
    )


# Pairs that are told apart ------------------------------------------------------------------------


def judge_by_clusters(parts: Floats, level: float) -> Judge:
    """By t of the parts (m, G) that clusters have in what players are compared by."""

    def judge(chosen: Ints, _: Rate) -> Bools:
        some, count = parts[:, chosen], float(chosen.size)
        products, total = some @ some.T, some.sum(axis=1)
        own, ahead = np.diag(products), total[:, None] - total[None, :]
        square = own[:, None] + own[None, :] - 2.0 * products
        # t² = (J − 1) S²/(J Q − S²), with S the sum of J parts and Q that of their squares.
        limit = float(stdtrit(count - 1.0, 0.5 + 0.5 * level)) ** 2
        left = np.maximum(count * square - ahead**2, 0.0)
        return np.asarray((ahead > EQUAL) & ((count - 1.0) * ahead**2 > limit * left), np.bool_)

    return judge


def judge_by_errors(se: Floats, clusters: int, level: float) -> Judge:
    """By standard errors of differences (m, m) that all clusters give; a few have larger ones."""

    def judge(chosen: Ints, rate: Rate) -> Bools:
        ratings = rate(chosen[None, :])[0]
        wider = np.sqrt(clusters / chosen.size)
        limit = wider * float(stdtrit(chosen.size - 1.0, 0.5 + 0.5 * level)) * se
        with np.errstate(invalid="ignore"):
            return np.asarray(ratings[:, None] - ratings[None, :] > limit, np.bool_)

    return judge


def _agree(own: Floats, clear: Bools) -> tuple[float, float]:
    """How many pairs are told apart, and of how many ratings (m,) have the order; a tie is half.

    Players without a rating are left out.
    """
    there = np.flatnonzero(~np.isnan(own))
    if there.size < 2:
        return 0.0, 0.0
    told = clear[np.ix_(there, there)]
    return float(told.sum()), float(0.5 * (1.0 + _signs(own[there])[told]).sum())


# Two sets of ratings ------------------------------------------------------------------------------


def compare_ratings(one: Floats, other: Floats) -> Agreement:
    """Agreement of two sets of ratings (d, m), row by row; a player without a rating is left out.

    >>> found = compare_ratings(np.array([[2.0, 1.0, 0.0]]), np.array([[2.0, 0.0, 1.0]]))
    >>> float(found.correlation[0]), float(found.same_order[0])
    (0.5, 0.66...)
    """
    rows = [_compare(*two) for two in zip(one, other, strict=True)]
    return Agreement(*np.array(rows).T)


def _compare(one: Floats, other: Floats) -> tuple[float, float, float, float]:
    there = ~(np.isnan(one) | np.isnan(other))
    if there.sum() < 2:
        return np.nan, np.nan, np.nan, np.nan
    a, b = one[there] - one[there].mean(), other[there] - other[there].mean()
    order, against = _signs(a), _signs(b)
    # Of every pair both orders are there, and each player beside itself.
    pairs = a.size * (a.size - 1.0)
    same = float((order * against).sum(dtype=np.int64))
    told = [float(np.count_nonzero(signs)) for signs in (order, against)]
    length = float(np.sqrt((a @ a) * (b @ b)))
    return (
        float(a @ b) / length if length > EQUAL else np.nan,
        same / float(np.sqrt(told[0] * told[1])) if min(told) > 0.0 else np.nan,
        float(np.abs(a - b).mean()),
        0.5 * (1.0 + same / pairs),
    )


def _signs(ratings: Floats) -> NDArray[np.int8]:
    """(m, m) 1 where the row is rated higher than the column, −1 where lower, 0 where equal."""
    level = levels(ratings).astype(np.int32)
    higher = (level[:, None] > level[None, :]).view(np.int8)
    signs: NDArray[np.int8] = higher - higher.T
    return signs
