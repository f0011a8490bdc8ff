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
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, gammaincinv

from winodds.arrays import Floats, Ints, at_least, order_of
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


@dataclass(frozen=True, slots=True)
class Posterior:
    """True ratings as the observed ones let expect them.

    Attributes
    ----------
    mean : (m,) expectations.
    draws : (d, m) draws from their law.
    tau : expected spread of true ratings.
    """

    mean: Floats
    draws: Floats
    tau: float

    @property
    def p_best(self) -> Floats:
        """(m,) probability of being truly the highest; ties are shared."""
        return chances_of_highest(self.draws)


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


def infer(beta: Floats, noise: Noise, *, seed: int, draws: int | None = None) -> Posterior:
    """The law of true ratings, given centred observed ones.

    Parameters
    ----------
    beta : (m,) ratings.
    noise : how they vary around the true ones.
    seed : of the draws.
    draws : how many; by default as many as fit.
    """
    players = beta.size
    if players < 2:
        return Posterior(np.zeros(players), np.zeros((1, players)), 0.0)
    draws = draws_for(players) if draws is None else draws
    rng = np.random.default_rng(seed)
    common = _in_order(noise.common, rng)
    picks = min(int(np.clip(WORK / (players * common.shape[1] ** 2), *PICKS)), draws)
    truth = _Truth(beta, noise)
    chosen, levels = truth.pick(picks, rng), _spread_evenly(picks, players, rng)
    mean, found = np.zeros(players), np.empty((draws, players))
    parts = np.array_split(np.arange(draws), picks)
    for rows, (spread, error) in zip(parts, truth.scales(chosen, levels), strict=True):
        law = _Normal(spread, error, common)
        expected = law.expect(beta[:, None])
        mean += expected[:, 0] / picks
        found[rows] = (expected + law.deviate(rng, rows.size)).T
    found -= found.mean(axis=1, keepdims=True)
    return Posterior(mean - mean.mean(), found, float(truth.tau[chosen].mean()))


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
    half = 0.5 * df[:, None]
    return np.asarray(half / gammaincinv(half, 1.0 - level), np.float64)


class _Truth:
    """Laws of truth, each with a grid of τ, and how likely they are given the ratings.

    Attributes
    ----------
    tau : (n,) spread of true ratings under each, all laws one after the other.
    share : (n,) how likely each is.
    """

    __slots__ = ("_beta", "_error", "_squares", "share", "tau")

    def __init__(self, beta: Floats, noise: Noise) -> None:
        self._beta = beta
        self._error = noise.variance[:, None] * _scales(noise.df)
        size = float(beta @ beta) / max(beta.size - 1, 1) + float(noise.variance.mean())
        tau = (np.arange(SPREADS) + 0.5) * 4.0 * np.sqrt(size) / SPREADS
        self._squares = [tau[:, None] ** 2 * _scales(np.array([df])) for df in TAILS]
        self.tau = np.sqrt(np.concatenate([own.mean(axis=1) for own in self._squares]))
        laws = zip(self._squares, TAILS.values(), strict=True)
        logs = np.concatenate([self._log_weights(own) + np.log(prior) for own, prior in laws])
        share = np.exp(logs - logs.max())
        self.share = share / share.sum()

    def _densities(self, square: Floats, players: slice) -> Floats:
        """(…, m, L, L) log densities of ratings for each scale of truth (…, L) and of noise."""
        whole = square[..., None, :, None] + self._error[players, None, :]
        return np.asarray(
            -0.5 * (np.log(whole) + self._beta[players, None, None] ** 2 / whole), np.float64
        )

    def _log_weights(self, square: Floats) -> Floats:
        """(n,) log likelihoods, scales of noise and truth averaged; correlations play no part."""
        logs = np.zeros(square.shape[0])
        step = max(1, BLOCK // (square.size * self._error.shape[1]))
        for begin in range(0, self._beta.size, step):
            density = self._densities(square, slice(begin, begin + step))
            top = density.max(axis=(2, 3))
            means = np.exp(density - top[..., None, None]).mean(axis=(2, 3))
            logs += (top + np.log(means)).sum(axis=1)
        # Ratings are centred, which takes one of them away.
        whole = square.mean(axis=1) + self._error.mean()
        return np.asarray(logs + 0.5 * np.log(whole), np.float64)

    def pick(self, picks: int, rng: np.random.Generator) -> Ints:
        """(picks,) places in the grid, as many of each as its share calls for."""
        level = (np.arange(picks) + rng.random()) / picks
        found = np.searchsorted(np.cumsum(self.share), level).clip(0, self.tau.size - 1)
        return np.asarray(found, np.int64)

    def scales(self, chosen: Ints, levels: Floats) -> Iterator[tuple[Floats, Floats]]:
        """(m,) variances of truth and of noise for each place in the grid.

        ``levels`` (picks, m) says which of the scales, in the order of their chances.
        """
        before, square, sums = -1, np.empty(0), np.empty(0)
        players = np.arange(self._beta.size)
        for place, level in zip(chosen.tolist(), levels, strict=True):
            if place != before:
                square = self._squares[place // SPREADS][place % SPREADS]
                density = self._densities(square, slice(None))
                density -= density.max(axis=(1, 2), keepdims=True)
                sums = np.cumsum(np.exp(density).reshape(players.size, -1), axis=1)
                before = place
            found = (sums < (level * sums[:, -1])[:, None]).sum(axis=1)
            of_truth, of_noise = np.divmod(found, self._error.shape[1])
            yield square[of_truth], self._error[players, of_noise]


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
    zero : indices whose mean rating is 0; by default all.
    """
    index = int(members[0])
    drawn = found.draws[:, members]
    shift = 0.0 if zero is None else found.draws[:, zero].mean(axis=1)
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
