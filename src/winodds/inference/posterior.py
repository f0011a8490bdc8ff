"""Ratings with luck taken out: what the observed ones tell about the true ones.

Ratings vary around the truth (`winodds.inference.moderation`), and true ratings around their
average, with a spread τ. Given the observed ratings, each true one is expected nearer to the
average, the more so the less is known about it. The highest is drawn most, because it is the
highest partly by luck.

Noise is t with the degrees of freedom of its variances. Truth is normal, or t with 3 degrees of
freedom, so that a leader far ahead is not drawn back too far; which of the two, many players tell.
τ is as likely as the ratings make it, under a flat prior. A t law is a normal one whose scale
varies. Scales are drawn player by player, as the player's rating suggests. Given them everything
is normal, and the correlations come in.

On large boards only those are drawn who have a chance to be the best of all or of their family.
What is known of the others is known in closed form (`winodds.inference.crowd`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, gammaincinv

from winodds.arrays import Floats, Ints, at_least, order_of
from winodds.inference.crowd import Crowd, shrink
from winodds.inference.moderation import CERTAIN, Noise

DRAWS = (400, 4_000)
"""Fewest and most draws, for very many players and for others."""

PICKS = (8, 200)
"""Fewest and most values of τ, each with scales, that draws go by."""

SPREADS = 80
"""Values of τ that are looked at, for each law of truth."""

LEVELS = 10
"""Scales that stand for a t law."""

NORMAL = 100.0
"""Degrees of freedom from which on t is taken for normal, with one scale."""

TAILS = {3.0: 0.8, CERTAIN: 0.2}
"""Degrees of freedom of the laws that true ratings may have, and how likely each is beforehand."""

WORK = 4e9
"""Multiplications that factoring may take."""

BLOCK = 2_000_000
"""Numbers looked at together."""

WINDOW = 100_000
"""Densities by which some values of τ are judged before the next ones are."""

REACH = 20.0
"""Log likelihood below the highest from which on a value of τ is left alone."""

EVERYBODY = 200
"""Players up to which everybody is drawn, whatever the chance to be the best."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """True ratings as the observed ones let expect them.

    Attributes
    ----------
    mean : (m,) expectations.
    draws : (d, c) draws from the law of those who are drawn.
    tau : expected spread of true ratings.
    drawn : (c,) who they are, in their order; None for everybody. The others have no chance to be
        the highest, neither of all nor of a group that was asked for.
    """

    mean: Floats
    draws: Floats
    tau: float
    drawn: Ints | None = None

    @property
    def p_best(self) -> Floats:
        """(m,) probability of being truly the highest; ties are shared."""
        chances = np.zeros(self.mean.size)
        chances[slice(None) if self.drawn is None else self.drawn] = chances_of_highest(self.draws)
        return chances

    def columns(self, players: Ints) -> Ints:
        """Where the draws of those of the players stand who are drawn, in the players' order."""
        if self.drawn is None:
            return players
        column = np.full(self.mean.size, -1)
        column[self.drawn] = np.arange(self.drawn.size)
        found = column[players]
        return np.asarray(found[found >= 0], np.int64)

    def average(self, players: Ints) -> Floats:
        """(d,) draws of the mean of some players: all of them are drawn, or all others are."""
        columns = self.columns(players)
        if columns.size == players.size:
            return np.asarray(self.draws[:, columns].mean(axis=1), np.float64)
        # The mean of everybody is 0.
        others = np.delete(np.arange(self.mean.size), players)
        total = self.draws[:, self.columns(others)].sum(axis=1)
        return np.asarray(-total / players.size, np.float64)


def chances_of_highest(draws: Floats) -> Floats:
    """(k,) share of the draws (d, k) in which each is the highest; ties are shared.

    >>> chances_of_highest(np.array([[3.0, 1.0], [2.0, 2.0]])).tolist()
    [0.75, 0.25]
    """
    total = np.zeros(draws.shape[1])
    for part in np.array_split(draws, 1 + draws.size // BLOCK):
        first = at_least(part, part.max(axis=1, keepdims=True))
        total += (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
    return np.asarray(total / draws.shape[0], np.float64)


def draws_for(players: int) -> int:
    """How many draws are made for so many players: fewer where they would not fit."""
    return int(np.clip(10 * BLOCK // players, *DRAWS))


def infer(
    beta: Floats,
    noise: Noise,
    *,
    seed: int,
    draws: int | None = None,
    groups: Sequence[Ints] = (),
    kept: Sequence[int] = (),
    copies: Ints | None = None,
) -> Posterior:
    """The law of true ratings, given centred observed ones.

    Parameters
    ----------
    beta : (m,) ratings.
    noise : how they vary around the true ones.
    seed : of the draws.
    draws : how many; by default as many as fit.
    groups : indices of players among whom the best is asked for, besides everybody; each begins
        with the one who was picked.
    kept : who is drawn in any case.
    copies : (m,) labels; players who share one have one truth, that of the first of them.
    """
    players = beta.size
    if players < 2:
        return Posterior(np.zeros(players), np.zeros((1, players)), 0.0)
    draws = draws_for(players) if draws is None else draws
    rng = np.random.default_rng(seed)
    common = _in_order(noise.common, rng)
    picks = min(int(np.clip(WORK / (players * common.shape[1] ** 2), *PICKS)), draws)
    truth = _Truth(beta, noise)
    chosen, first = truth.pick(picks, rng), _firsts(beta.size, copies)
    if players > EVERYBODY:
        crowd = truth.foresee(chosen, common)
        drawn = crowd.choose([np.arange(players), *groups], kept, first)
        if drawn.size < players:
            return _draw_some(truth, chosen, crowd, drawn, first, draws, rng)
    return _draw_all(truth, chosen, common, first, draws, rng)


def _firsts(players: int, label: Ints | None) -> Ints:
    """(m,) the first of the players who share each player's label."""
    if label is None:
        return np.arange(players)
    _, first, index = np.unique(label, return_index=True, return_inverse=True)
    return np.asarray(first[index], np.int64)


def _draw_all(
    truth: "_Truth",
    chosen: Ints,
    common: Floats,
    first: Ints,
    draws: int,
    rng: np.random.Generator,
) -> Posterior:
    """Everybody's truth; that of ``first`` (m,) for those who have one in common."""
    beta, picks = truth.beta, chosen.size
    levels = _spread_evenly(picks, beta.size, rng)
    mean, found = np.zeros(beta.size), np.empty((draws, beta.size))
    parts = np.array_split(np.arange(draws), picks)
    scales = truth.scales(chosen, levels, np.arange(beta.size))
    for rows, (spread, error) in zip(parts, scales, strict=True):
        law = _Normal(spread, error, common)
        expected = law.expect(beta[:, None])
        mean += expected[:, 0] / picks
        found[rows] = (expected + law.deviate(rng, rows.size)).T
    if (first != np.arange(beta.size)).any():
        mean, found = mean[first], found[:, first]
    found -= found.mean(axis=1, keepdims=True)
    return Posterior(mean - mean.mean(), found, truth.expected_tau(chosen))


def _draw_some(
    truth: "_Truth",
    chosen: Ints,
    crowd: Crowd,
    drawn: Ints,
    first: Ints,
    draws: int,
    rng: np.random.Generator,
) -> Posterior:
    """The truths of those who are drawn, around the average of everybody."""
    levels = _spread_evenly(chosen.size, drawn.size, rng)
    scales = list(truth.scales(chosen, levels, drawn))
    found, total = crowd.draw(drawn, first, chosen, scales, draws, rng)
    found = found[:, np.searchsorted(drawn, first[drawn])]
    found -= ((found.sum(axis=1) + total) / first.size)[:, None]
    mean = crowd.mean[first]
    return Posterior(mean - mean.mean(), found, truth.expected_tau(chosen), drawn)


def _in_order(common: Floats, rng: np.random.Generator) -> Floats:
    """The columns in an order that does not hang on how clusters are numbered."""
    key = rng.standard_normal(common.shape[0]) @ common
    return np.ascontiguousarray(common[:, order_of(key)])


def _spread_evenly(picks: int, players: int, rng: np.random.Generator) -> Floats:
    """(picks, m) numbers between 0 and 1, of every player one in each of as many stretches."""
    places = rng.permuted(np.tile(np.arange(picks)[:, None], players), axis=0)
    return np.asarray((places + rng.random((picks, players))) / picks, np.float64)


# The spread of truth ------------------------------------------------------------------------------


def _scales(df: Floats) -> Floats:
    """(k, L) equally likely scales, by which normal variances become those of t(df)."""
    if df.min() >= NORMAL:
        return np.ones((df.size, 1))
    level = (np.arange(LEVELS) + 0.5) / LEVELS
    # Players often share their degrees of freedom, and inverting takes long.
    known, index = np.unique(df, return_inverse=True)
    half = 0.5 * known[:, None]
    return np.asarray((half / gammaincinv(half, 1.0 - level))[index], np.float64)


class _Truth:
    """Laws of truth, each with a grid of τ, and how likely they are given the ratings.

    Attributes
    ----------
    beta : (m,) the ratings.
    tau : (n,) spread of true ratings under each, all laws one after the other.
    share : (n,) how likely each is.
    """

    __slots__ = ("_error", "_squares", "beta", "share", "tau")

    def __init__(self, beta: Floats, noise: Noise) -> None:
        self.beta = beta
        self._error = noise.variance[:, None] * _scales(noise.df)
        size = float(beta @ beta) / max(beta.size - 1, 1) + float(noise.variance.mean())
        tau = (np.arange(SPREADS) + 0.5) * 4.0 * np.sqrt(size) / SPREADS
        self._squares = [tau[:, None] ** 2 * _scales(np.array([df])) for df in TAILS]
        self.tau = np.sqrt(np.concatenate([own.mean(axis=1) for own in self._squares]))
        laws = zip(self._squares, TAILS.values(), strict=True)
        logs = np.concatenate([self._log_weights(own) + np.log(prior) for own, prior in laws])
        share = np.exp(logs - logs.max())
        self.share = share / share.sum()

    def _densities(self, square: Floats, players: slice | Ints) -> tuple[Floats, Floats]:
        """Densities of ratings for each scale of truth (…, L) and of noise.

        Returns logarithms (…, m), and what they are to be multiplied by for each scale
        (…, m, L, L), so that nothing vanishes.
        """
        whole = square[..., None, :, None] + self._error[players, None, :]
        by_whole = 1.0 / whole
        least = by_whole.min(axis=(-2, -1))
        half = 0.5 * self.beta[players] ** 2
        parts = np.exp(half[:, None, None] * (least[..., None, None] - by_whole))
        return -half * least, np.asarray(parts * np.sqrt(by_whole), np.float64)

    def _log_weights(self, square: Floats) -> Floats:
        """(n,) log likelihoods of the spreads; -inf where they are far below the highest.

        They have one summit. So values are looked at from where ratings vary as much as they do,
        as far on either side as matters. With few players that is everywhere.
        """
        count = square.shape[0]
        step = int(np.clip(WINDOW // (square.shape[1] * self._error.size), 1, count))
        excess = float(self.beta @ self.beta) / (self.beta.size - 1.0) - self._error.mean()
        middle = int(np.searchsorted(square.mean(axis=1), excess))
        low = high = int(np.clip(middle - step // 2, 0, count - step))
        logs = np.full(count, -np.inf)
        while high < count and (high == low or logs[high - 1] > logs.max() - REACH):
            end = min(high + step, count)
            logs[high:end] = self._weigh(square[high:end])
            high = end
        while low > 0 and logs[low] > logs.max() - REACH:
            begin = max(low - step, 0)
            logs[begin:low] = self._weigh(square[begin:low])
            low = begin
        return logs

    def _weigh(self, square: Floats) -> Floats:
        """(n,) log likelihoods, scales of noise and truth averaged; correlations play no part."""
        logs = np.zeros(square.shape[0])
        step = max(1, BLOCK // (square.size * self._error.shape[1]))
        for begin in range(0, self.beta.size, step):
            top, density = self._densities(square, slice(begin, begin + step))
            logs += (top + np.log(density.mean(axis=(2, 3)))).sum(axis=1)
        # Ratings are centred, which takes one of them away.
        whole = square.mean(axis=1) + self._error.mean()
        return np.asarray(logs + 0.5 * np.log(whole), np.float64)

    def pick(self, picks: int, rng: np.random.Generator) -> Ints:
        """(picks,) places in the grid, as many of each as its share calls for."""
        level = (np.arange(picks) + rng.random()) / picks
        found = np.searchsorted(np.cumsum(self.share), level).clip(0, self.tau.size - 1)
        return np.asarray(found, np.int64)

    def expected_tau(self, chosen: Ints) -> float:
        """The mean over places in the grid."""
        return float(self.tau[chosen].mean())

    def _chances(self, place: int, players: slice | Ints) -> tuple[Floats, Floats]:
        """(L,) variances of truth at a place in the grid, and (m, L, L) how likely scales are."""
        square = self._squares[place // SPREADS][place % SPREADS]
        return square, self._densities(square, players)[1]

    def scales(
        self, chosen: Ints, levels: Floats, players: Ints
    ) -> Iterator[tuple[Floats, Floats]]:
        """(c,) variances of truth and of noise of some players for each place in the grid.

        ``levels`` (picks, c) says which of the scales, in the order of their chances.
        """
        before, square, sums = -1, np.empty(0), np.empty(0)
        for place, level in zip(chosen.tolist(), levels, strict=True):
            if place != before:
                square, chances = self._chances(place, players)
                sums = np.cumsum(chances.reshape(players.size, -1), axis=1)
                before = place
            found = (sums < (level * sums[:, -1])[:, None]).sum(axis=1)
            of_truth, of_noise = np.divmod(found, self._error.shape[1])
            yield square[of_truth], self._error[players, of_noise]

    def foresee(self, chosen: Ints, common: Floats) -> Crowd:
        """What is known of everybody in closed form, at the places of the grid that were picked."""
        places, times = np.unique(chosen, return_counts=True)
        alone = 1.0 - np.einsum("ig,ig->i", common, common)
        laws = {
            place: shrink(*self._chances(place, slice(None)), self._error, alone)
            for place in places.tolist()
        }
        return Crowd(self.beta, common, laws, times / chosen.size)


class _Normal:
    """Truth given ratings when all variances are known: T(T + V)⁻¹, by Woodbury's identity.

    T is diagonal, and V has correlations common·commonᵀ, so that no matrix is larger than there are
    clusters.
    """

    __slots__ = ("_common", "_factor", "_own", "_scaled", "_truth", "_whole")

    def __init__(self, truth: Floats, error: Floats, common: Floats) -> None:
        self._truth = truth[:, None]
        self._common = np.sqrt(error)[:, None] * common
        own = error * (1.0 - np.einsum("ig,ig->i", common, common))
        self._own = np.maximum(own, 0.0)[:, None]
        self._whole = self._truth + self._own
        self._scaled = self._common / self._whole
        inner = np.eye(common.shape[1]) + self._common.T @ self._scaled
        self._factor = cho_factor(inner, check_finite=False)

    def expect(self, seen: Floats) -> Floats:
        """(m, k) expected truths, given (m, k) observations."""
        shared = cho_solve(self._factor, self._scaled.T @ seen, check_finite=False)
        return np.asarray(self._truth * (seen / self._whole - self._scaled @ shared), np.float64)

    def deviate(self, rng: np.random.Generator, size: int) -> Floats:
        """(m, size) by how much simulated truths differ from what their observations tell."""
        players, columns = self._common.shape
        truth = np.sqrt(self._truth) * rng.standard_normal((players, size))
        seen = truth + np.sqrt(self._own) * rng.standard_normal((players, size))
        seen += self._common @ rng.standard_normal((columns, size))
        return np.asarray(truth - self.expect(seen), np.float64)


# The best of some ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Best:
    """The first of some players, with its luck taken out.

    Attributes
    ----------
    index : of the player.
    value : its expected true rating.
    sd, low, high : spread and ends of the central interval of its true rating.
    p_win : probability of beating the average player, or the one at 0, in a new round.
    p_best : probability that it is truly the highest of them.
    best : expected highest true rating of them, whoever has it.
    """

    index: int
    value: float
    sd: float
    low: float
    high: float
    p_win: float
    p_best: float
    best: float


def best_of(found: Posterior, members: Ints, level: float, zero: Ints | None = None) -> Best:
    """The first of the members.

    Parameters
    ----------
    found : what is known about the true ratings.
    members : indices, of which the first is the one that was picked.
    level : coverage of the interval.
    zero : indices whose mean rating is 0; by default all. They are drawn, or all others are.
    """
    index = int(members[0])
    drawn = found.draws[:, found.columns(members)]
    shift = 0.0 if zero is None else found.average(zero)
    own, best = drawn[:, 0] - shift, drawn.max(axis=1) - shift
    tail = 0.5 * (1.0 - level)
    low, high = np.quantile(own, [tail, 1.0 - tail]).tolist()
    return Best(
        index=index,
        value=float(found.mean[index] - (0.0 if zero is None else found.mean[zero].mean())),
        sd=float(own.std()),
        low=low,
        high=high,
        p_win=float(expit(own).mean()),
        p_best=float(chances_of_highest(drawn)[0]),
        best=float(best.mean()),
    )
