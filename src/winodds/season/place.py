"""A new tournament from a few scores: what the known ones let expect of all players there.

The players tried there have ratings, with large errors. Given these, shift and factors of the new
tournament are known in closed form (`winodds.season.factor`), and so is the law of all true ratings
there: a common part along the factors, and a part of each player's own.

That law takes averages, loadings and rest as known, and is too sure. How much, the known
tournaments tell, each left out in turn: from as many of its players, with errors as large as those
of the new ratings, its other players are predicted, and the mean square of what is missed is
divided by what the law expects. Variances are scaled by the mean of these ratios, if it is above 1,
and the law is t with one degree of freedom less than there are tournaments.

Examples
--------
Two kinds of tournament. In a new one, players 0 and 2 are tried:

>>> kind, half = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0]), np.array([1.0, 1.0, -1.0, -1.0])
>>> value, variance = np.outer(half, kind), np.full((4, 6), 0.01)
>>> found = fit_factors(value, variance, factors=1)
>>> tried = Tried(np.array([0, 2]), np.array([1.0, -1.0]), np.full(2, 0.1))
>>> placed = place(value, variance, found, tried, seed=0)
>>> placed.mean.round(1).tolist()
[1.0, 1.0, -1.0, -1.0]
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, stdtrit

from winodds.arrays import Bools, Floats, Ints
from winodds.inference.contrasts import freedom
from winodds.inference.posterior import chances_of_highest, draws_for
from winodds.season.factor import Factors, State, fit_factors, with_ones

MOST_CHECKED = 300
"""Players at most who take part when tournaments are left out, for the time that takes."""

STEPS = 10
"""Steps of EM, from the factors of all tournaments, when one is left out; more change little."""

FEWEST_SHARED = 3
"""Players of a known tournament without whom it has no distance from the new one."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The ratings of n players in the new tournament.

    Attributes
    ----------
    places : (n,) the players' numbers in the season.
    value : (n,) ratings, around any average.
    variance : (n,) of their errors.
    """

    places: Ints
    value: Floats
    variance: Floats


@dataclass(frozen=True, slots=True)
class Placed:
    """What is expected of m players in the new tournament, around the average of all of them.

    Attributes
    ----------
    mean : (m,) expected true ratings.
    low, high : (m,) ends of their intervals.
    p_win : (m,) probability of beating the average player in a new round.
    p_best : (m,) probability of being truly the best.
    gain : (m,) by how much the player is expected to be better than the best of those tried, not
        counted where it is worse; 0 for those tried.
    distance : (T,) expected squared distance from the known tournaments; NaN where one shares too
        few players.
    ratios : (T,) what was missed of the known tournaments, left out in turn, in what was expected;
        NaN where one cannot be left out.
    scale : factor on the variances.
    """

    mean: Floats
    low: Floats
    high: Floats
    p_win: Floats
    p_best: Floats
    gain: Floats
    distance: Floats
    ratios: Floats
    scale: float


def place(
    value: Floats,
    variance: Floats,
    factors: Factors,
    tried: Tried,
    *,
    seed: int,
    level: float = 0.95,
) -> Placed:
    """What is expected of all players in a new tournament.

    Parameters
    ----------
    value, variance : (m, T) ratings in the known tournaments and their variances; NaN for gaps.
    factors : of these ratings.
    tried : the ratings in the new one.
    seed : of the draws that chances rest on.
    level : coverage of the intervals.
    """
    law = condition(State(factors.mean, factors.loadings, factors.rest), tried)
    ratios = leave_out(value, variance, factors, tried)
    known = ratios[~np.isnan(ratios)]
    scale = max(1.0, float(known.mean())) if known.size else 1.0
    df = freedom(float(value.shape[1]))
    mean, spread = law.around_average()
    half = float(stdtrit(df, 0.5 + 0.5 * level)) * np.sqrt(scale * spread)
    draws = law.draw(np.random.default_rng(seed), scale, df)
    best = draws[:, tried.places].max(axis=1)
    gain = np.maximum(draws - best[:, None], 0.0).mean(axis=0)
    return Placed(
        mean=mean,
        low=mean - half,
        high=mean + half,
        p_win=expit(draws - draws.mean(axis=1, keepdims=True)).mean(axis=0),
        p_best=chances_of_highest(draws),
        gain=gain,
        distance=_distances(value, variance, mean, scale * spread),
        ratios=ratios,
        scale=scale,
    )


@dataclass(frozen=True, slots=True)
class Law:
    """True ratings of m players: mean + basis·x + e, with x ~ N(0, spread), e ~ N(0, own) alone.

    Attributes
    ----------
    mean : (m,).
    basis : (m, q) by how much what is common moves each player.
    spread : (q, q) covariance of what is common.
    own : (m,) variances of what is each player's own.
    gain : (m, n) by how much a change of each rating tried changes each mean.
    """

    mean: Floats
    basis: Floats
    spread: Floats
    own: Floats
    gain: Floats

    def around_average(self) -> tuple[Floats, Floats]:
        """(m,) means around their average, and the variances of that."""
        players = self.mean.size
        basis = self.basis - self.basis.mean(axis=0)
        common = np.einsum("ip,pq,iq->i", basis, self.spread, basis)
        own = self.own * (1.0 - 2.0 / players) + float(self.own.sum()) / players**2
        return self.mean - self.mean.mean(), np.asarray(common + own, np.float64)

    def draw(self, rng: np.random.Generator, scale: float, df: float) -> Floats:
        """(d, m) draws of the law with scaled variances and the tails of t."""
        size = (draws_for(self.mean.size), self.mean.size)
        root = np.linalg.cholesky(self.spread)
        moved = rng.standard_normal((size[0], root.shape[0])) @ (self.basis @ root).T
        moved += np.sqrt(self.own) * rng.standard_normal(size)
        moved *= np.sqrt(scale * df / rng.chisquare(df, size[0]))[:, None]
        return np.asarray(self.mean + moved, np.float64)


def condition(state: State, tried: Tried) -> Law:
    """The law of true ratings, given those of the players tried; the shift may be anything."""
    basis, seen = with_ones(state.loadings), tried.places
    weight = 1.0 / (state.rest + tried.variance)
    known = basis[seen] * weight[:, None]
    prior = np.diag([0.0] + [1.0] * state.loadings.shape[1])
    spread = np.asarray(np.linalg.inv(known.T @ basis[seen] + prior), np.float64)
    common = spread @ known.T
    expected = state.mean + basis @ (common @ (tried.value - state.mean[seen]))
    # What the common part leaves of a rating tried is partly the player's own, partly error.
    share = np.zeros(state.mean.size)
    share[seen] = state.rest * weight
    own = np.full(state.mean.size, state.rest)
    own[seen] *= tried.variance * weight
    gain = (1.0 - share)[:, None] * (basis @ common)
    gain[seen, np.arange(seen.size)] += share[seen]
    mean = (1.0 - share) * expected
    mean[seen] += share[seen] * tried.value
    return Law(mean, (1.0 - share)[:, None] * basis, spread, own, gain)


def _distances(value: Floats, variance: Floats, mean: Floats, spread: Floats) -> Floats:
    """(T,) expected squared distances from the known tournaments, over the players they have."""
    there = ~np.isnan(value)
    found = np.full(value.shape[1], np.nan)
    for number in np.flatnonzero(there.sum(axis=0) >= FEWEST_SHARED).tolist():
        own = there[:, number]
        noise = float(variance[own, number].mean())
        apart = float((mean[own] - value[own, number]).var())
        found[number] = apart - noise + float(spread[own].mean())
    return found


# Leaving one out ----------------------------------------------------------------------------------


def leave_out(value: Floats, variance: Floats, factors: Factors, tried: Tried) -> Floats:
    """(T,) squares missed in tournaments that were left out, in those that the law expects.

    Parameters
    ----------
    value, variance : (m, T) ratings in the known tournaments and their variances; NaN for gaps.
    factors : of these ratings.
    tried : who was tried in the new tournament, and with what errors.
    """
    part = _take_part(value.shape[0], tried.places)
    number = np.cumsum(part) - 1
    value, variance = value[part], variance[part]
    start = factors.of_players(part)
    asked = Tried(number[tried.places], tried.value, tried.variance)
    return np.array([_miss(value, variance, start, asked, t) for t in range(value.shape[1])])


def _take_part(players: int, tried: Ints) -> Bools:
    """(m,) who takes part: those tried, and of the others as many as time allows, evenly spread."""
    part = np.zeros(players, np.bool_)
    part[np.linspace(0, players - 1, min(players, MOST_CHECKED)).round().astype(np.int64)] = True
    part[tried] = True
    return part


def _miss(value: Floats, variance: Floats, start: State, tried: Tried, left_out: int) -> float:
    """The ratio of one tournament; NaN where it has too few players to ask."""
    others = np.arange(value.shape[1]) != left_out
    known = ~np.isnan(value[:, others]).all(axis=1)
    usable = known & ~np.isnan(value[:, left_out])
    seen, rest = _split(usable, tried.places)
    if seen.size < 2 or rest.size < 2:
        return float("nan")
    number = np.cumsum(known) - 1
    found = fit_factors(
        value[np.ix_(known, others)],
        variance[np.ix_(known, others)],
        factors=start.loadings.shape[1],
        start=State(start.mean[known], start.loadings[known], start.rest),
        steps=STEPS,
    )
    error = np.maximum(_errors(tried, seen), variance[seen, left_out])
    again = Tried(number[seen], value[seen, left_out], error)
    law = condition(State(found.mean, found.loadings, found.rest), again)
    there = number[rest]
    # Ratings of the whole tournament err less than those of a few rounds: the gain says by how
    # much larger errors would have moved what is predicted.
    missed = float((value[rest, left_out] - law.mean[there]).var(ddof=1))
    missed += float(law.gain[there].var(axis=0, ddof=1) @ (error - variance[seen, left_out]))
    missed -= float(variance[rest, left_out].mean())
    basis = law.basis[there] - law.basis[there].mean(axis=0)
    expected = float(np.einsum("ip,pq,iq->", basis, law.spread, basis)) / (there.size - 1)
    return max(missed, 0.0) / (expected + float(law.own[there].mean()))


def _split(usable: Bools, tried: Ints) -> tuple[Ints, Ints]:
    """Who is taken as tried in a known tournament, as many as were, and who is predicted.

    Who was tried in the new one comes first; others are added, evenly spread.
    """
    seen = tried[usable[tried]]
    others = np.setdiff1d(np.flatnonzero(usable), seen)
    more = min(tried.size - seen.size, others.size - 2)
    if more > 0:
        added = others[np.linspace(0, others.size - 1, more + 2)[1:-1].round().astype(np.int64)]
        seen, others = np.append(seen, added), np.setdiff1d(others, added)
    return seen, others


def _errors(tried: Tried, seen: Ints) -> Floats:
    """(n,) error variances in the new tournament; for others than were tried, the mean of them."""
    error = np.full(seen.size, float(tried.variance.mean()))
    for number, player in enumerate(tried.places.tolist()):
        error[seen == player] = tried.variance[number]
    return error
