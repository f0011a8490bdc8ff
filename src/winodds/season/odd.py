"""Odd tournaments: those that reverse the order in which the others have the players.

In every round of a tournament, the players' ranks are correlated with the mean relative ranks that
the same players have in the other tournaments. The rounds are the independent units (or clusters of
them, each with the mean of its rounds), so their correlations tell how sure their mean is. Players
are not independent units: however many there are, one tournament is one draw of how they compare.

A tournament reverses the order if the mean correlation is below 0. That is tested on one side, by
the t law of the mean. Few rounds tell the variance of a correlation badly, and few players may
agree by chance in all of them, so variances borrow twice:

* from chance: one degree of freedom of 1/(n − 1), the variance of the correlation of n players
  whose orders are all equally likely;
* from the other tournaments (Smyth 2004), in units of that variance; or in units of it times
  (1 − r²)², because rounds of tournaments that agree well with the others vary less. The larger of
  the two is taken.

The others' order may be luck, too: if they have none, a tournament that has one agrees or disagrees
with whatever the others show, and all of its rounds say the same. So it is asked the other way
round as well: the rounds of the other tournaments are correlated with the mean ranks of this one,
each tournament counts the same, and the larger of the two p-values counts. Two tournaments reverse
each other, or neither does.

Among all tournaments, p-values are adjusted by Holm.

Examples
--------
>>> up = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0], [2.0, 1.0, 3.0, 4.0]])
>>> everyone, rounds = np.arange(4), np.arange(3)
>>> ranked = [rank_rounds(table, everyone, rounds) for table in (up, up, up, -up)]
>>> found = find_reversed(ranked, 4)
>>> found.correlation.round(2).tolist(), found.reversed.tolist()
([0.88, 0.88, 0.88, -0.88], [False, False, False, True])
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from winodds.arrays import EQUAL, Bools, Floats, Ints, sum_by
from winodds.inference.contrasts import freedom
from winodds.inference.moderation import fit_variances
from winodds.inference.pairwise import holm

FEWEST_PLAYERS = 3
"""Players of a round who must be in other tournaments, too: two agree with anything or nothing."""

FEWEST_ROUNDS = 2
"""Rounds or clusters without which nothing is known of how sure a mean is."""

BY_CHANCE = 1.0
"""Degrees of freedom of chance in the variance of a tournament's correlations."""

LEAST = 0.05
"""Least 1 − r² by which variances are compared."""

FEWEST_TO_BORROW = 3
"""Tournaments below which none borrows from the others."""

LEVEL = 0.95
"""Of the intervals; one minus it is the chance of any false claim about a question."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Relative ranks of the players of one tournament in its rounds.

    Attributes
    ----------
    places : (n,) the players' numbers in the season.
    rank : (R, n) between 0 for the worst and 1 for the best, ties in their middle; NaN where there
        is no score.
    cluster : (R,) of the rounds.
    """

    places: Ints
    rank: Floats
    cluster: Ints


@dataclass(frozen=True, slots=True)
class Agreements:
    """How T tournaments agree with the others, each (T,); NaN where that cannot be asked.

    Attributes
    ----------
    correlation : mean over units of the rounds' correlations with the other tournaments.
    low, high : ends of its interval.
    p : one-sided p-values of a mean below 0: by its own rounds or by those of the others, whichever
        is larger.
    adjusted : the same among all tournaments, by Holm.
    units : rounds, or clusters, with a correlation.
    players : who are in other tournaments, too.
    """

    correlation: Floats
    low: Floats
    high: Floats
    p: Floats
    adjusted: Floats
    units: Ints
    players: Ints

    @property
    def reversed(self) -> Bools:
        """(T,) whether a tournament reverses the order."""
        asked = np.where(np.isnan(self.adjusted), 1.0, self.adjusted)
        return np.asarray(asked * (1.0 - EQUAL) <= 1.0 - LEVEL)


def rank_rounds(scores: Floats, places: Ints, cluster: Ints) -> Ranked:
    """The relative ranks of scores (R, n), of which larger ones are better; NaN for none."""
    return Ranked(places, relative_ranks(scores), cluster)


def relative_ranks(scores: Floats) -> Floats:
    """(R, n) (rank − ½)/players within each row, ties in their middle; NaN stays NaN.

    >>> relative_ranks(np.array([[3.0, 1.0, 1.0, np.nan]])).round(3).tolist()
    [[0.833, 0.333, 0.333, nan]]
    """
    order = np.argsort(scores, axis=1, kind="stable")
    ordered = np.take_along_axis(scores, order, axis=1)
    rows, columns = scores.shape
    # Where a run of equal scores begins; every NaN is a run of its own, and goes last.
    fresh = np.ones((rows, columns), np.bool_)
    fresh[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    run = np.cumsum(fresh.ravel()) - 1
    begin = np.flatnonzero(fresh)
    size = np.diff(np.append(begin, fresh.size))
    middle = (begin % max(columns, 1) + 0.5 * size)[run].reshape(rows, columns)
    ranks = np.empty((rows, columns))
    np.put_along_axis(ranks, order, middle, axis=1)
    there = ~np.isnan(scores)
    return np.where(there, ranks / np.maximum(there.sum(axis=1, keepdims=True), 1), np.nan)


def find_reversed(ranked: Sequence[Ranked], players: int) -> Agreements:
    """Ask of every tournament whether it reverses the order of the others.

    Parameters
    ----------
    ranked : the ranks of each tournament, at least one.
    players : how many there are in the season.
    """
    means = np.array([_means_of(own, players) for own in ranked])
    there = ~np.isnan(means)
    total, number = np.where(there, means, 0.0).sum(axis=0), there.sum(axis=0)
    found = [_agree(own, mean, total, number) for own, mean in zip(ranked, means, strict=True)]
    mean, variance, chance = (np.array([one[k] for one in found]) for k in range(3))
    units, shared = (np.array([one[k] for one in found], np.int64) for k in (3, 4))
    low, high, p, adjusted = (np.full(mean.shape, np.nan) for _ in range(4))
    asked = np.flatnonzero(~np.isnan(mean))
    if asked.size:
        own = (units[asked].astype(np.float64), mean[asked], variance[asked], chance[asked])
        low[asked], high[asked], p[asked] = _judge(*own)
        p[asked] = np.maximum(p[asked], _ask_others(ranked, means)[asked])
        adjusted[asked] = holm(p[asked])
    return Agreements(mean, low, high, p, adjusted, units, shared)


def _means_of(own: Ranked, players: int) -> Floats:
    """(m,) mean relative rank of every player of the season; NaN for those who are not there."""
    there = ~np.isnan(own.rank)
    number = there.sum(axis=0)
    mean = np.full(players, np.nan)
    played = number > 0
    mean[own.places[played]] = np.nansum(own.rank, axis=0)[played] / number[played]
    return mean


def _agree(
    own: Ranked, mean: Floats, total: Floats, number: Ints
) -> tuple[float, float, float, int, int]:
    """Mean and variance of the correlations of units, what chance would give, units, players."""
    here = ~np.isnan(mean)
    elsewhere = number - here
    shared = np.flatnonzero(elsewhere[own.places] > 0)
    places = own.places[shared]
    others = (total - np.where(here, mean, 0.0))[places] / elsewhere[places]
    correlation, size = _correlate(own.rank[:, shared], others)
    asked = ~np.isnan(correlation)
    units = np.unique(own.cluster[asked]).size
    if units < FEWEST_ROUNDS or not np.ptp(others) > EQUAL:
        return np.nan, np.nan, np.nan, units, int(shared.size)
    found = _by_unit(own.cluster[asked], correlation[asked], size[asked])
    return *found, units, int(shared.size)


def _by_unit(cluster: Ints, correlation: Floats, size: Ints) -> tuple[float, float, float]:
    """Mean and variance of the correlations of units, and what chance would give."""
    unit, member = np.unique(cluster, return_inverse=True)
    rounds = np.bincount(member)
    by_unit = sum_by(member, correlation, unit.size) / rounds
    chance = sum_by(member, 1.0 / (size - 1.0), unit.size) / rounds
    return float(by_unit.mean()), float(by_unit.var(ddof=1)), float(chance.mean())


def _correlate(ranks: Floats, others: Floats) -> tuple[Floats, Ints]:
    """(R,) correlations of ranks (R, n) with (n,) numbers, and of how many players each is.

    NaN where there are too few; 0 for rounds in which all tie, because these say nothing.
    """
    there = ~np.isnan(ranks)
    size = there.sum(axis=1)
    divisor = np.maximum(size, 1)[:, None]
    own = np.where(there, ranks, 0.0)
    own = np.where(there, own - own.sum(axis=1, keepdims=True) / divisor, 0.0)
    theirs = np.where(there, others, 0.0)
    theirs = np.where(there, theirs - theirs.sum(axis=1, keepdims=True) / divisor, 0.0)
    lengths = np.sqrt((own**2).sum(axis=1) * (theirs**2).sum(axis=1))
    told = lengths > EQUAL
    found = np.divide((own * theirs).sum(axis=1), lengths, out=np.zeros(size.size), where=told)
    return np.where(size >= FEWEST_PLAYERS, found, np.nan), size


# The other way round ------------------------------------------------------------------------------


def _ask_others(ranked: Sequence[Ranked], means: Floats) -> Floats:
    """(T,) p-values of tournaments by the rounds of the others.

    1 where no other tournament shares enough players with it to be asked.

    Parameters
    ----------
    ranked : the ranks of each tournament.
    means : (T, m) mean relative ranks in each of them; NaN for gaps.
    """
    number = len(ranked)
    mean, variance, df = (np.full((number, number), np.nan) for _ in range(3))
    for asked, own in enumerate(ranked):
        correlation, size = _correlate_all(own.rank, means[:, own.places])
        for other in range(number):
            known = size[:, other] >= FEWEST_PLAYERS
            units = np.unique(own.cluster[known]).size
            if other == asked or units < FEWEST_ROUNDS:
                continue
            found = _by_unit(own.cluster[known], correlation[known, other], size[known, other])
            df[other, asked] = freedom(float(units)) + BY_CHANCE
            mean[other, asked] = found[0]
            mixed = freedom(float(units)) * found[1] + BY_CHANCE * found[2]
            variance[other, asked] = mixed / (df[other, asked] * units)
    return np.array(
        [_p_of_mean(*(values[k] for values in (mean, variance, df))) for k in range(number)]
    )


def _p_of_mean(mean: Floats, variance: Floats, df: Floats) -> float:
    """p-value of the mean of several means below 0; 1 of none. Freedom is that of Satterthwaite."""
    known = ~np.isnan(mean)
    if not known.any():
        return 1.0
    total = float(variance[known].sum())
    freely = total**2 / float((variance[known] ** 2 / df[known]).sum())
    return float(stdtr(freely, mean[known].sum() / np.sqrt(total)))


def _correlate_all(ranks: Floats, others: Floats) -> tuple[Floats, Ints]:
    """(R, T) correlations of ranks (R, n) with each of (T, n) numbers, and of how many players.

    0 where either side has no order among the players whom both have.
    """
    here, there = ~np.isnan(ranks), ~np.isnan(others)
    own, theirs = np.where(here, ranks - 0.5, 0.0), np.where(there, others - 0.5, 0.0)
    mask, theirs_mask = here.astype(np.float64), there.T.astype(np.float64)
    size = mask @ theirs_mask
    once = np.maximum(size, 1.0)
    first, second = own @ theirs_mask, mask @ theirs.T
    within = (own**2) @ theirs_mask - first**2 / once
    between = mask @ (theirs.T**2) - second**2 / once
    lengths = np.sqrt(np.maximum(within, 0.0) * np.maximum(between, 0.0))
    told = (within > EQUAL * once) & (between > EQUAL * once)
    shared = own @ theirs.T - first * second / once
    found = np.divide(shared, lengths, out=np.zeros(size.shape), where=told)
    return found, np.rint(size).astype(np.int64)


# How sure -----------------------------------------------------------------------------------------


def _judge(
    units: Floats, mean: Floats, variance: Floats, chance: Floats
) -> tuple[Floats, Floats, Floats]:
    """(k,) ends and p-values of mean correlations, from how they vary between units."""
    own = freedom(units)
    df = own + BY_CHANCE
    mixed = (own * variance + BY_CHANCE * chance) / df
    plain, plain_df = _borrow(mixed, df, chance)
    bent, bent_df = _borrow(mixed, df, chance * np.maximum(1.0 - mean**2, LEAST) ** 2)
    larger = plain >= bent
    df = np.where(larger, plain_df, bent_df)
    error = np.sqrt(np.where(larger, plain, bent) / units)
    half = stdtrit(df, 0.5 + 0.5 * LEVEL) * error
    return np.maximum(mean - half, -1.0), np.minimum(mean + half, 1.0), stdtr(df, mean / error)


def _borrow(variance: Floats, df: Floats, unit: Floats) -> tuple[Floats, Floats]:
    """(k,) variances moderated among themselves, in their units, and their degrees of freedom."""
    if variance.size < FEWEST_TO_BORROW:
        return variance, df
    prior, prior_df = fit_variances(variance / unit, df)
    moderated = (prior_df * prior * unit + df * variance) / (prior_df + df)
    # Variances of other tournaments can tell no more than they hold.
    return moderated, np.minimum(prior_df + df, np.maximum(df.sum() - df.mean(), df))
