"""The best of some players, picked on some rounds and judged on others.

Whoever has the highest rating has it partly by luck, and the luck of a pick grows with the number
among whom it is made. Luck does not last: so each cluster of rounds is left out in turn, the best
are picked on the others, and the pick plays in the cluster that was left out. The mean over
clusters is free of luck, whatever the law of the scores; it speaks of picks that rest on one
cluster less.

The best has the largest share of matches won in the other clusters. In complete rounds that is the
best mean rank. One round at par is added to everybody's, so that nobody is picked for a single
lucky round; where all played equally often that changes no order. Where several are best, each of
them counts the same part. A pick without a score in a round that was left out does not play it, and
two failed runs do not meet, as everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit, stdtrit

from winodds.arrays import EQUAL, Bools, Floats, Ints, at_least, sum_by
from winodds.board.evidence import Evidence

BLOCK = 2_000_000
"""Numbers looked at together."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The rounds of a tournament, each with where the players stand without its cluster.

    Attributes
    ----------
    table : (R, m) scores, larger is better; NaN where there is none, −inf for a failed run.
    limit : (R, m) scores below it are beaten.
    first, second : (P,) rows of the table that met.
    weight : (R,) of a match in each round.
    cluster : (R,) cluster of each round, 0 … G − 1.
    standing : (G, m) share of matches won in the other clusters, with a round at par; −inf for
        players who had none there.
    """

    table: Floats
    limit: Floats
    first: Ints
    second: Ints
    weight: Floats
    cluster: Ints
    standing: Floats


@dataclass(frozen=True, slots=True)
class Picks:
    """Who was picked from each of F sets of players for each of G clusters.

    Attributes
    ----------
    start : (F·G + 1,) where the picks of a set for a cluster begin, set by set.
    player : (E,) who was picked.
    share : (E,) part of a pick that the player stands for: 1, or less where several are best.
    clusters : G.
    """

    start: Ints
    player: Ints
    share: Floats
    clusters: int

    @property
    def sets(self) -> int:
        return (self.start.size - 1) // self.clusters


@dataclass(frozen=True, slots=True)
class Played:
    """What picks won in rounds that were left out.

    Attributes
    ----------
    value : (K,) weighted share of matches won, ties ½; NaN where there was no match.
    rounds : (K,) in how many rounds there was one.
    variance : (K,) of the value, if its clusters are independent; NaN likewise.
    """

    value: Floats
    rounds: Ints
    variance: Floats


def hold_out(evidence: Evidence) -> HeldOut:
    """The rounds of a tournament, ready for picks; battles have none."""
    met, wins = evidence.games.encounters(), evidence.wins
    return HeldOut(
        table=met.table,
        limit=met.limit,
        first=met.first,
        second=met.second,
        weight=wins.match_weight,
        cluster=evidence.games.results.cluster,
        standing=_stand(evidence, met.table.shape[0]),
    )


def _stand(evidence: Evidence, rounds: int) -> Floats:
    """(G, m) shares of wins without the matches that hang on each cluster."""
    won, played = evidence.wins.without_clusters()
    par = float(played.max()) / rounds
    share = (won + 0.5 * par) / (played + par)
    return np.where(played > EQUAL * par, share, -np.inf)


# Who is picked ------------------------------------------------------------------------------------


def choose_best(standing: Floats) -> Bools:
    """(G, k) who has the best standing in each row of (G, k); nobody where nobody has one.

    >>> choose_best(np.array([[0.1 + 0.2, 0.3, 0.2], [0.5, 0.6, -np.inf]])).tolist()
    [[True, True, False], [False, True, False]]
    """
    top = standing.max(axis=1, keepdims=True)
    known = np.isfinite(standing)
    return np.asarray(known & at_least(standing, np.where(np.isfinite(top), top, 0.0)), np.bool_)


def choose_median(standing: Floats) -> Bools:
    """(G, k) who has the median standing; of an even number the lower of the two in the middle.

    >>> choose_median(np.array([[0.4, 0.1, 0.2, 0.3], [0.4, -np.inf, 0.3, 0.2]])).tolist()
    [[False, False, True, False], [False, False, True, False]]
    """
    known = np.isfinite(standing)
    there = known.sum(axis=1)
    place = standing.shape[1] - there + np.maximum(there - 1, 0) // 2
    place = np.minimum(place, standing.shape[1] - 1)
    middle = np.take_along_axis(np.sort(standing, axis=1), place[:, None], axis=1)
    middle = np.where(np.isfinite(middle), middle, 0.0)
    finite = np.where(known, standing, 0.0)
    return np.asarray(known & at_least(finite, middle) & at_least(middle, finite), np.bool_)


def gather(chosen: Sequence[tuple[Ints, Bools]], clusters: int) -> Picks:
    """The picks of several sets.

    Parameters
    ----------
    chosen : of each set its (k,) players, and (G, k) who of them are picked; or (1, k) if these are
        the same for every cluster.
    clusters : G.
    """
    count, player = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for members, picked in chosen:
        row, column = np.nonzero(np.broadcast_to(picked, (clusters, members.size)))
        count.append(np.bincount(row, minlength=clusters))
        player.append(members[column])
    counts = np.concatenate(count)
    share = 1.0 / np.repeat(np.maximum(counts, 1), counts)
    start = np.concatenate([[0], np.cumsum(counts)])
    return Picks(start, np.concatenate(player), share, clusters)


def always(player: int) -> tuple[Ints, Bools]:
    """One player, picked for every cluster."""
    return np.array([player]), np.ones((1, 1), np.bool_)


# What they win ------------------------------------------------------------------------------------


def play(rounds: HeldOut, picks: Picks, first: Ints, second: Ints) -> Played:
    """Picks of set ``first[k]`` against those of set ``second[k]``, in the clusters left out.

    Where both picks are the same player, it wins half a match against itself.
    """
    pairs, met = first.size, rounds.first.size
    pair, number = np.repeat(np.arange(pairs), met), np.tile(np.arange(met), pairs)
    group = first[pair] * picks.clusters + rounds.cluster[rounds.first[number]]
    other = second[pair] * picks.clusters + rounds.cluster[rounds.second[number]]
    match, own, theirs = _join(picks.start, group, other)
    pair, number = pair[match], number[match]
    row, row_of_other = rounds.first[number], rounds.second[number]
    one, another = picks.player[own], picks.player[theirs]
    points = _points(
        rounds.table[row, one],
        rounds.limit[row, one],
        rounds.table[row_of_other, another],
        rounds.limit[row_of_other, another],
    )
    points[(one == another) & ~np.isnan(points)] = 0.5
    weight = rounds.weight[row] * picks.share[own] * picks.share[theirs]
    return _add_up(_Matches(pair, row, row_of_other, points, weight), rounds, pairs)


def play_all(rounds: HeldOut, picks: Picks) -> Played:
    """Picks of every set against all other players, in the clusters left out."""
    players, sets, met = rounds.table.shape[1], picks.sets, rounds.first.size
    group, number = np.repeat(np.arange(sets), met), np.tile(np.arange(met), sets)
    entry = group * picks.clusters + rounds.cluster[rounds.first[number]]
    count = np.diff(picks.start)[entry]
    number, group = np.repeat(number, count), np.repeat(group, count)
    own = np.repeat(picks.start[entry], count) + _within(count)
    points, matches = np.empty(own.size), np.empty(own.size)
    for part in np.array_split(np.arange(own.size), 1 + own.size * players // BLOCK):
        row, row_of_others = rounds.first[number[part]], rounds.second[number[part]]
        one = picks.player[own[part]]
        found = _points(
            rounds.table[row, one][:, None],
            rounds.limit[row, one][:, None],
            rounds.table[row_of_others],
            rounds.limit[row_of_others],
        )
        found[np.arange(part.size), one] = np.nan
        matches[part] = (~np.isnan(found)).sum(axis=1)
        points[part] = np.nansum(found, axis=1)
    row = rounds.first[number]
    weight = rounds.weight[row] * picks.share[own] * matches
    mean = np.divide(points, matches, out=np.full(own.size, np.nan), where=matches > 0)
    return _add_up(_Matches(group, row, rounds.second[number], mean, weight), rounds, sets)


def _points(own: Floats, own_limit: Floats, theirs: Floats, their_limit: Floats) -> Floats:
    """1 for a win over the other score, ½ for a tie, 0 for a loss, NaN where they did not meet."""
    points = 0.5 * (1.0 + (theirs < own_limit) - (own < their_limit).astype(np.float64))
    points[np.isnan(own) | np.isnan(theirs) | (np.isneginf(own) & np.isneginf(theirs))] = np.nan
    return np.asarray(points, np.float64)


@dataclass(frozen=True, slots=True)
class _Matches:
    """Matches of several kinds, each array (n,).

    Attributes
    ----------
    label : what they are matches of, 0 … K − 1.
    row, row_of_other : rounds of the two scores.
    points : of the first; NaN for matches that did not take place.
    weight : of the match.
    """

    label: Ints
    row: Ints
    row_of_other: Ints
    points: Floats
    weight: Floats


def _add_up(matches: _Matches, rounds: HeldOut, size: int) -> Played:
    """Weighted means of the points by label."""
    number, clusters = rounds.table.shape[0], rounds.standing.shape[0]
    met = np.flatnonzero(~np.isnan(matches.points))
    label, row, points = matches.label[met], matches.row[met], matches.points[met]
    total = sum_by(label, matches.weight[met], size)
    empty = np.where(total > 0.0, total, np.nan)
    part = matches.weight[met] / empty[label]
    value = np.where(total > 0.0, sum_by(label, part * points, size), np.nan)
    rest = part * (points - value[label])
    own, other = rounds.cluster[row], rounds.cluster[matches.row_of_other[met]]
    # A match across rounds hangs on two clusters.
    by_cluster = sum_by(label * clusters + own, rest, size * clusters)
    by_cluster += sum_by(
        label * clusters + other, np.where(own != other, rest, 0.0), size * clusters
    )
    variance = (by_cluster.reshape(size, clusters) ** 2).sum(axis=1)
    return Played(
        value=value,
        rounds=np.bincount(np.unique(label * number + row) // number, minlength=size),
        variance=np.where(total > 0.0, variance, np.nan),
    )


def _join(start: Ints, group: Ints, other: Ints) -> tuple[Ints, Ints, Ints]:
    """All pairs of an entry of ``group[k]`` and one of ``other[k]``: k and the two entries."""
    left, right = np.diff(start)[group], np.diff(start)[other]
    size = left * right
    match, place = np.repeat(np.arange(size.size), size), _within(size)
    wide = right[match]
    return match, start[group[match]] + place // wide, start[other[match]] + place % wide


def _within(count: Ints) -> Ints:
    """0, 1, … for each of the counts, one after the other."""
    return np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)


# The mean over tournaments ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Means:
    """Chances of winning a round of a new tournament, each array of the same shape.

    Attributes
    ----------
    value : mean over tournaments, all counted the same; NaN without any. Never 0 or 1: of chances
        that are 1 in all tournaments, half a round is taken off.
    low, high : ends of its interval; NaN without two tournaments.
    tournaments : how many there are.
    open_below, open_above : whether every round was lost, or won: that end is 0 or 1.
    """

    value: Floats
    low: Floats
    high: Floats
    tournaments: Ints
    open_below: Bools
    open_above: Bools


def mean_over(played: Played, level: float) -> Means:
    """Means over the first axis, with t intervals on the logit of the mean.

    Parameters
    ----------
    played : of T tournaments, its arrays (T, …); a tournament whose value is NaN plays no part.
    level : coverage.

    The error is that of T chances around their mean, or that which the rounds leave if it is
    larger: two or three chances may be equal by luck. Where all chances are 1 (or 0), the interval
    ends there. Its other end is the smallest share of such tournaments that T of T are compatible
    with: no chance is negative, so the mean is no smaller than that share.

    >>> chances = np.array([0.6, 0.7, 0.8])
    >>> found = mean_over(Played(chances, np.full(3, 10), chances * (1.0 - chances) / 10.0), 0.95)
    >>> round(float(found.low), 3), round(float(found.value), 3), round(float(found.high), 3)
    (0.302, 0.7, 0.926)
    """
    there = ~np.isnan(played.value)
    number = there.sum(axis=0)
    once, df = np.maximum(number, 1), np.maximum(number - 1, 1)
    mean = np.where(number > 0, np.where(there, played.value, 0.0).sum(axis=0) / once, np.nan)
    apart = np.where(there, played.value - mean, 0.0)
    between = (apart**2).sum(axis=0) / (df * once)
    within = np.where(there, played.variance, 0.0).sum(axis=0) / once**2
    error = np.sqrt(np.maximum(between, within))
    below, above = at_least(0.0, mean), at_least(mean, 1.0)
    edge = 0.5 / (np.where(there, played.rounds, 0).sum(axis=0) + 1.0)
    mean = np.where(below, edge, np.where(above, 1.0 - edge, mean))
    tail = 0.5 * (1.0 - level)
    reach = stdtrit(df, 1.0 - tail) * error / (mean * (1.0 - mean))
    last = tail ** (1.0 / once)
    low = np.where(below, 0.0, np.where(above, last, expit(logit(mean) - reach)))
    high = np.where(above, 1.0, np.where(below, 1.0 - last, expit(logit(mean) + reach)))
    return Means(
        value=mean,
        low=np.where(number > 1, low, np.nan),
        high=np.where(number > 1, high, np.nan),
        tournaments=np.asarray(number, np.int64),
        open_below=np.asarray(below, np.bool_),
        open_above=np.asarray(above, np.bool_),
    )
