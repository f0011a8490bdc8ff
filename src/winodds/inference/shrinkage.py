"""Ratings with luck taken out: normal–normal empirical Bayes.

Ratings vary around the truth with a covariance V, and true ratings around their average with a
spread τ. Given the observed ratings, the expected true ones are τ²(τ²I + V)⁻¹β̂: each is drawn
towards the average, the more the less is known about it. The highest rating is drawn most, because
it is the highest partly by luck.

V has the board's variances. Its correlations come from few clusters (rounds, data sets), so they
are drawn towards 0, as Schäfer and Strimmer (2005) do: as they stand, they would call thousands of
directions known without error. τ is not known either: expectations and draws are over the values
that the ratings suggest.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit

from winodds.arrays import EQUAL, Floats, Ints, at_least
from winodds.inference.contrasts import freedom
from winodds.inference.intervals import square_root

DRAWS = 4_000
SPREADS = 20
"""Values of τ that stand for its law."""

GRID = 400
"""Places where that law is looked at."""

BLOCK = 2_000_000
"""Numbers drawn at a time."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The covariance of ratings, diag(own) + common·commonᵀ.

    Attributes
    ----------
    own : (m,) variances that ratings have on their own.
    common : (m, G) what clusters do to several ratings at once.
    """

    own: Floats
    common: Floats

    @property
    def variance(self) -> Floats:
        """(m,) the whole variances."""
        return np.asarray(self.own + (self.common**2).sum(axis=1), np.float64)


def make_noise(se: Floats, influence: Floats | None, clusters: int) -> Noise:
    """A covariance with given standard errors and correlations that few clusters can tell.

    Parameters
    ----------
    se : (m,) standard errors of centred ratings; those of ratings that are not, which the model
        is about, are larger by √(m/(m − 1)).
    influence : (m, G) whose rows have the correlations, or None for independent ratings.
    clusters : how many the correlations rest on.
    """
    se = se * np.sqrt(se.size / max(se.size - 1.0, 1.0))
    if influence is None:
        return Noise(se**2, np.zeros((se.size, 1)))
    length = np.sqrt(np.einsum("ig,ig->i", influence, influence))
    # Where all matches went one way, robust errors are nothing but rounding, and tell nothing.
    moved = length > EQUAL * se
    unit = np.where(moved[:, None], influence, 0.0) / np.where(moved, length, 1.0)[:, None]
    if unit.shape[1] > se.size:
        # Only the products of its rows matter.
        unit = square_root(unit @ unit.T, least=EQUAL)
    common = np.sqrt(1.0 - _share_of_chance(unit, clusters)) * se[:, None] * unit
    own = se**2 - np.einsum("ig,ig->i", common, common)
    return Noise(np.where(own > EQUAL * se**2, own, 0.0), common)


def _share_of_chance(unit: Floats, clusters: int) -> float:
    """How far correlations are drawn to 0: the variance of their estimates, in their squares."""
    squares = chance = 0.0
    step = max(1, BLOCK // unit.shape[0])
    for begin in range(0, unit.shape[0], step):
        square = (unit[begin : begin + step] @ unit.T) ** 2
        squares += float(square.sum())
        chance += float(((1.0 - np.minimum(square, 1.0)) ** 2).sum())
    # A rating's correlation with itself, 1 (or 0 where no cluster moves it), is none of them.
    itself = float((np.einsum("ig,ig->i", unit, unit) ** 2).sum())
    squares -= itself
    chance -= unit.shape[0] - itself
    return min(1.0, chance / max(freedom(float(clusters)), 1.0) / squares) if squares > 0.0 else 1.0


def spread_of_truth(beta: Floats, variance: Floats) -> float:
    """Paule and Mandel's (1982) estimate of τ; 0 when the ratings vary less than luck makes them.

    Σ β̂²/(τ² + variance) has then its expectation, m − 1.

    Examples
    --------
    >>> round(spread_of_truth(np.array([-1.0, 1.0]), np.array([0.5, 0.5])), 6)
    1.224745
    >>> spread_of_truth(np.array([-1.0, 1.0]), np.array([5.0, 5.0]))
    0.0
    """
    wanted = beta.size - 1.0

    def excess(square: float) -> float:
        return float((beta**2 / (square + variance)).sum()) - wanted

    tiny = 1e-12 * float(variance.max(initial=0.0)) + 1e-300
    if excess(tiny) <= 0.0:
        return 0.0
    # At Σ β̂²/(m − 1) the sum is below what is wanted. (scipy.optimize would take a sixth of a
    # second to import, for every command.)
    low, high = tiny, max(float(beta @ beta) / wanted, 2.0 * tiny)
    while high - low > 1e-13 * high:
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
    return float(np.sqrt(high))


def spreads_of_truth(beta: Floats, variance: Floats) -> Floats:
    """(k,) values of τ that are equally likely, given the ratings, under a flat prior.

    Correlations play no part here. Values above four times the ratings' own spread are left out,
    which matters for two or three players only.
    """
    highest = 4.0 * float(np.sqrt(beta @ beta / max(beta.size - 1, 1) + variance.mean()))
    tau = (np.arange(GRID) + 0.5) * highest / GRID
    whole = tau[:, None] ** 2 + variance
    # Ratings are centred, which takes one of them away.
    weight = (beta.size - 1.0) / beta.size
    logs = -0.5 * (weight * np.log(whole) + beta**2 / whole).sum(axis=1)
    share = np.exp(logs - logs.max())
    level = (np.arange(SPREADS) + 0.5) / SPREADS
    return np.interp(level, np.cumsum(share) / share.sum(), tau)


@dataclass(frozen=True, slots=True)
class Shrunken:
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


def shrink(
    beta: Floats, noise: Noise, *, seed: int, draws: int = DRAWS, spreads: Floats | None = None
) -> Shrunken:
    """The law of true ratings, given centred observed ones.

    Parameters
    ----------
    beta : (m,) ratings.
    noise : how they vary around the true ones.
    seed, draws : of the draws, and how many.
    spreads : (k,) equally likely values of τ; by default those that the ratings suggest.

    Notes
    -----
    A draw is the expectation plus what a simulated truth deviates from its own expectation.
    """
    tau = spreads_of_truth(beta, noise.variance) if spreads is None else spreads
    rng = np.random.default_rng(seed)
    mean, found = np.zeros_like(beta), np.empty((draws, beta.size))
    for rows, one in zip(np.array_split(np.arange(draws), tau.size), tau, strict=True):
        kept = _Keeper(noise, one)
        expected = kept.expect(beta[:, None])
        mean += expected[:, 0] / tau.size
        for part in np.array_split(rows, 1 + rows.size * beta.size // BLOCK):
            found[part] = (expected + kept.deviate(rng, part.size)).T
    found -= found.mean(axis=1, keepdims=True)
    return Shrunken(mean - mean.mean(), found, float(tau.mean()))


class _Keeper:
    """τ²(τ²I + V)⁻¹, through a matrix no larger than there are clusters (Woodbury)."""

    __slots__ = ("_factor", "_noise", "_scaled", "_square", "_whole")

    def __init__(self, noise: Noise, tau: float) -> None:
        self._noise = noise
        self._square = tau**2
        self._whole = (tau**2 + noise.own)[:, None]
        self._scaled = noise.common / self._whole
        inner = np.eye(noise.common.shape[1]) + noise.common.T @ self._scaled
        self._factor = cho_factor(inner)

    def expect(self, seen: Floats) -> Floats:
        """(m, k) expected truths, given (m, k) observations."""
        common = self._scaled @ cho_solve(self._factor, self._scaled.T @ seen)
        return np.asarray(self._square * (seen / self._whole - common), np.float64)

    def deviate(self, rng: np.random.Generator, size: int) -> Floats:
        """(m, size) by how much simulated truths differ from what their observations tell."""
        own, common = self._noise.own, self._noise.common
        truth = np.sqrt(self._square) * rng.standard_normal((own.size, size))
        seen = truth + np.sqrt(own)[:, None] * rng.standard_normal((own.size, size))
        seen += common @ rng.standard_normal((common.shape[1], size))
        return np.asarray(truth - self.expect(seen), np.float64)


@dataclass(frozen=True, slots=True)
class Best:
    """The highest of some ratings, with its luck taken out.

    Attributes
    ----------
    index : of the highest observed rating.
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


def best_of(
    standing: Floats, found: Shrunken, members: Ints, level: float, zero: Ints | None = None
) -> Best:
    """The highest of the members' ratings.

    Parameters
    ----------
    standing : (m,) what the best is picked by: observed ratings, or anything in their order.
    found : what is known about the true ones.
    members : indices among which the highest is taken.
    level : coverage of the interval.
    zero : the ratings whose mean is 0 by definition; by default all.
    """
    index = int(members[standing[members].argmax()])
    shift = 0.0 if zero is None else found.draws[:, zero].mean(axis=1)
    highest = found.draws[:, members].max(axis=1)
    own, best = found.draws[:, index] - shift, highest - shift
    tail = 0.5 * (1.0 - level)
    low, high = np.quantile(own, [tail, 1.0 - tail]).tolist()
    # Ties, as when nothing is known about anybody, are shared.
    top = at_least(found.draws[:, members], highest[:, None])
    mine = top[:, int(np.flatnonzero(members == index)[0])] / top.sum(axis=1)
    value = float(found.mean[index] - (0.0 if zero is None else found.mean[zero].mean()))
    return Best(
        index=index,
        value=value,
        sd=float(own.std()),
        low=low,
        high=high,
        p_win=float(expit(own).mean()),
        p_best=float(mine.mean()),
        best=float(best.mean()),
    )
