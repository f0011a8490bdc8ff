"""Ratings of players in many tournaments by few factors, each rating weighted by its error.

In tournament t the true rating of player i is aᵢ + cₜ + Lᵢ·zₜ + uᵢₜ: the player's average, a shift
without meaning, what the tournament's factors zₜ ~ N(0, I) do to the player, and a rest of variance
ψ. It was measured with the error variance Vᵢₜ. Gaps are allowed. Given a, L and ψ, everything about
a tournament is known in closed form; given that, so are a and L, player by player. The two are
taken in turns (EM), and the log-likelihood rises until it rises no more. In every step, mean and
covariance of the factors are set free and then taken back into a and L, which changes nothing but
the number of steps (PX-EM; Liu, Rubin and Wu 1998).

The shift is a factor, too, on which all players have the loading 1, and it may be anything: the
log-likelihood is that of the differences within tournaments.

Examples
--------
Two kinds of tournament, in which one half of the players or the other does well:

>>> kind, half = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0]), np.array([1.0, 1.0, -1.0, -1.0])
>>> value = np.outer(half, kind) + np.array([0.3, 0.1, 0.2, 0.0])[:, None]
>>> found = fit_factors(value, np.full((4, 6), 0.01), factors=1)
>>> np.sign(found.scores[:, 0]).tolist()
[1.0, 1.0, 1.0, -1.0, -1.0, -1.0]
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import EQUAL, Bools, Floats, at_least
from winodds.season.embedding import settle_directions

MOST_STEPS = 500
"""Steps of EM at most."""

GAIN = 0.01
"""Rise of the log-likelihood in a step, below which it has settled; far below what data tell."""

NEGLIGIBLE = 1e-4
"""Rise of the log-likelihood in a step, in the price of a factor, that ends the steps as well."""

MOST_FACTORS = 5
"""Factors that are looked for at most."""

TOURNAMENTS_EACH = 3
"""Tournaments for each number that is estimated of a player, when factors are looked for."""

LEAST = 1e-6
"""The least rest ψ, in the variance of all ratings; and the least factor, in the largest."""

REFINED = 5
"""Steps by which ψ is refined while everything else stands still."""


@dataclass(frozen=True, slots=True)
class Factors:
    """Players and tournaments along k factors.

    The axes are orthogonal and ordered by how much they move the players; along each, players with
    high averages are on the positive side on the whole.

    Attributes
    ----------
    mean : (m,) averages of the players, centred.
    loadings : (m, k) of the players, each column centred.
    rest : the variance ψ that factors leave.
    scores : (T, k) expected factors of the tournaments.
    errors : (T, k, k) their covariances.
    log_likelihood : of the differences of ratings within tournaments.
    rises : the log-likelihood after each step.
    """

    mean: Floats
    loadings: Floats
    rest: float
    scores: Floats
    errors: Floats
    log_likelihood: float
    rises: tuple[float, ...]

    @property
    def number(self) -> int:
        """How many factors there are."""
        return int(self.loadings.shape[1])

    @property
    def fitted(self) -> Floats:
        """(m, T) what the factors say of every player in every tournament."""
        return np.asarray(self.mean[:, None] + self.loadings @ self.scores.T, np.float64)

    @property
    def shares(self) -> Floats:
        """(k,) share of each factor in the variance of true ratings around players' averages."""
        strength = (self.loadings**2).mean(axis=0)
        return np.asarray(strength / (strength.sum() + self.rest), np.float64)

    def of_players(self, chosen: Bools) -> "State":
        """Where to start when only some players take part."""
        return State(self.mean[chosen], self.loadings[chosen], self.rest)


@dataclass(frozen=True, slots=True)
class State:
    """Averages (n,), loadings (n, k) and rest ψ: all that the model says of players."""

    mean: Floats
    loadings: Floats
    rest: float


def choose_factors(value: Floats, variance: Floats) -> Factors:
    """The factors that the ratings call for.

    One more is taken as long as the log-likelihood rises by more than ½(m + T) ln min(m, T), what
    Bai and Ng (2002) charge for a factor of m players and T tournaments. There are at most 5, at
    most m − 2, and at least three tournaments for each number that is estimated of a player, its
    average included: with fewer, a factor fits whatever it is shown.

    Parameters
    ----------
    value : (m, T) ratings, NaN for gaps; every row and column holds something.
    variance : (m, T) of their errors.
    """
    players, tournaments = value.shape
    price = 0.5 * (players + tournaments) * np.log(min(players, tournaments))
    most = max(0, min(MOST_FACTORS, tournaments // TOURNAMENTS_EACH - 1, players - 2))
    gain = max(GAIN, NEGLIGIBLE * price)
    best = fit_factors(value, variance, factors=0, gain=gain)
    for number in range(1, most + 1):
        more = fit_factors(value, variance, factors=number, gain=gain)
        if not more.log_likelihood > best.log_likelihood + price:
            break
        best = more
    return best


def fit_factors(
    value: Floats,
    variance: Floats,
    *,
    factors: int,
    start: State | None = None,
    gain: float = GAIN,
    steps: int = MOST_STEPS,
) -> Factors:
    """The most likely averages, loadings and rest.

    Parameters
    ----------
    value : (m, T) ratings, NaN for gaps; every row and column holds something.
    variance : (m, T) of their errors.
    factors : how many.
    start : where to set out, with as many factors; by default at principal components.
    gain : rise of the log-likelihood in a step, below which the steps end.
    steps : how many at most.
    """
    cells = _Cells(value, variance)
    state = cells.begin(factors) if start is None else start
    seen, rises = cells.look(state), list[float]()
    for _ in range(steps):
        rises.append(seen.log_likelihood)
        state = cells.improve(state, seen)
        seen = cells.look(state)
        if seen.log_likelihood - rises[-1] < gain:
            break
    return _settle(state, seen, (*rises, seen.log_likelihood))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a state of the model says of the tournaments; q = 1 + k, the shift first.

    Attributes
    ----------
    weight : (m, T) 1/(ψ + V), 0 for gaps.
    latent : (T, q) expected shifts and factors.
    spread : (T, q, q) their covariances.
    log_likelihood : of the state.
    """

    weight: Floats
    latent: Floats
    spread: Floats
    log_likelihood: float


class _Cells:
    """The ratings, and the steps of EM on them."""

    __slots__ = ("_least", "_shape", "_there", "_value", "_variance")

    def __init__(self, value: Floats, variance: Floats) -> None:
        self._there: Bools = ~np.isnan(value)
        self._value = np.where(self._there, value, 0.0)
        self._variance = np.where(self._there, variance, 1.0)
        self._shape = value.shape
        self._least = max(LEAST * float(value[self._there].var()), LEAST**2)

    def begin(self, factors: int) -> State:
        """Principal components of what is there, as if gaps were average."""
        there = self._there
        centred = np.where(there, self._value - self._value.sum(axis=0) / there.sum(axis=0), 0.0)
        mean = centred.sum(axis=1) / there.sum(axis=1)
        around = np.where(there, centred - mean[:, None], 0.0)
        left, size, _ = np.linalg.svd(around, full_matrices=False)
        loadings = left[:, :factors] * size[:factors] / np.sqrt(self._shape[1])
        rest = float((size[factors:] ** 2).sum() / there.sum())
        return State(mean, loadings, max(rest, self._least))

    def look(self, state: State) -> _Seen:
        """Shifts and factors of the tournaments, given all else."""
        (players, tournaments), size = self._shape, state.loadings.shape[1] + 1
        weight = self._there / (self._variance + state.rest)
        basis = with_ones(state.loadings)
        around = weight * (self._value - state.mean[:, None])
        precision = weight.T @ _squares(basis).reshape(players, -1)
        precision = precision.reshape(tournaments, size, size) + _prior(size)
        spread = np.asarray(np.linalg.inv(precision), np.float64)
        pull = around.T @ basis
        latent = np.matmul(spread, pull[:, :, None])[:, :, 0]
        squares = float((around * (self._value - state.mean[:, None])).sum())
        log_likelihood = 0.5 * (
            float(np.log(weight[self._there]).sum())
            - float(np.linalg.slogdet(precision)[1].sum())
            - squares
            + float((pull * latent).sum())
            - float(self._there.sum() - tournaments) * np.log(2.0 * np.pi)
        )
        return _Seen(weight, latent, spread, log_likelihood)

    def improve(self, state: State, seen: _Seen) -> State:
        """Averages, loadings and rest, given shifts and factors with their errors."""
        (players, tournaments), size = self._shape, seen.latent.shape[1]
        shift, weight = seen.latent[:, 0], seen.weight
        known = with_ones(seen.latent[:, 1:])
        square = _squares(known)
        square[:, 1:, 1:] += seen.spread[:, 1:, 1:]
        along = np.zeros_like(known)
        along[:, 1:] = seen.spread[:, 1:, 0]
        normal = (weight @ square.reshape(tournaments, -1)).reshape(players, size, size)
        right = (weight * (self._value - shift)) @ known - weight @ along
        found = np.asarray(np.linalg.solve(normal, right[:, :, None])[:, :, 0], np.float64)
        mean, loadings = found[:, 0], found[:, 1:]
        rest = self._refine(state.rest, mean, loadings, seen)
        # Mean and covariance of the factors, taken back into averages and loadings.
        middle = seen.latent[:, 1:].mean(axis=0)
        free = square[:, 1:, 1:].mean(axis=0) - np.outer(middle, middle)
        root = np.asarray(np.linalg.cholesky(free), np.float64)
        return State(mean + loadings @ middle, loadings @ root, rest)

    def _refine(self, rest: float, mean: Floats, loadings: Floats, seen: _Seen) -> float:
        """The rest by the expected squares of what is left; each time it can only get better."""
        (players, tournaments), basis = self._shape, with_ones(loadings)
        left = (self._value - mean[:, None] - basis @ seen.latent.T) ** 2
        left += _squares(basis).reshape(players, -1) @ seen.spread.reshape(tournaments, -1).T
        left, error = left[self._there], self._variance[self._there]
        for _ in range(REFINED):
            share = rest / (rest + error)
            rest = max(float((share * (share * left + error)).mean()), self._least)
        return rest


def with_ones(columns: Floats) -> Floats:
    """(n, 1 + k) a column of ones before the others."""
    return np.concatenate([np.ones((columns.shape[0], 1)), columns], axis=1)


def _squares(rows: Floats) -> Floats:
    """(n, q, q) each row times itself."""
    return np.asarray(rows[:, :, None] * rows[:, None, :], np.float64)


def _prior(size: int) -> Floats:
    """(q, q) what is known of shift and factors beforehand: nothing, and a variance of 1."""
    return np.diag([0.0] + [1.0] * (size - 1))


# Axes ---------------------------------------------------------------------------------------------


def _settle(state: State, seen: _Seen, rises: tuple[float, ...]) -> Factors:
    """The factors along axes that do not hang on rounding."""
    turn = _axes(state)
    mean = state.mean - state.mean.mean()
    loadings = (state.loadings - state.loadings.mean(axis=0)) @ turn
    errors = turn.T @ seen.spread[:, 1:, 1:] @ turn
    return Factors(
        mean=mean,
        loadings=loadings,
        rest=state.rest,
        scores=seen.latent[:, 1:] @ turn,
        errors=errors,
        log_likelihood=rises[-1],
        rises=rises,
    )


def _axes(state: State) -> Floats:
    """(k, j) the turn to j ≤ k orthogonal axes, the strongest first; none where nothing moves."""
    centred = state.loadings - state.loadings.mean(axis=0)
    if not centred.size:
        return np.empty((centred.shape[1], 0))
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    kept = int((size > LEAST * max(size[0], np.sqrt(state.rest))).sum())
    if not kept:
        return np.empty((centred.shape[1], 0))
    directions = settle_directions(left.T, size)[:kept]
    directions *= _sides(directions, state.mean - state.mean.mean())[:, None]
    return np.asarray(centred.T @ directions.T / size[:kept], np.float64)


def _sides(directions: Floats, mean: Floats) -> Floats:
    """(k,) ±1, so that players with high averages are on the positive side."""
    told = directions @ mean
    strength = np.abs(directions)
    first = at_least(strength, strength.max(axis=1, keepdims=True)).argmax(axis=1)
    largest = np.take_along_axis(directions, first[:, None], axis=1)[:, 0]
    return np.where(np.where(np.abs(told) > EQUAL, told, largest) < 0.0, -1.0, 1.0)
