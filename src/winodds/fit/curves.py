"""Ratings as a smooth function of wins, for many complete tables at once.

In a complete design a rating depends on the player's wins only. Each table is solved for that
function at a few dozen Chebyshev points, and the players' ratings are looked up on it.
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints, sum_by
from winodds.design.kernel import Series

TOLERANCE = 1e-10
"""Largest change of a rating that one more iteration would make."""

MAX_ITERATIONS = 80
"""Steps after which a replicate is left to `fit`."""

SPACING = 1.0 / 256.0
"""Of the grid on which ratings are looked up; the error goes with its fourth power."""

BLOCK = 512
"""Points of this grid handled at a time."""

MESH = 8
"""Angles of the mesh for each point of a series."""

TERMS = 5
"""Of the Taylor series at each of these angles."""

NOISE = 1e-10
"""Last coefficients of a series that is long enough."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Wins per round that a rating stands for among the original players, on a fine grid.

    Its inverse turns wins into numbers that are nearly ratings already. No derivative of σ is
    larger than the first, so a Taylor series serves everywhere, however flat the curve, and so
    does its reversion.

    Attributes
    ----------
    low : first rating of the grid.
    values : (4, P) the curve and three derivatives at the ratings low, low + SPACING, …
    """

    low: float
    values: Floats

    @classmethod
    def of(cls, start: Floats, ridge: float) -> "Curve":
        """The curve among players at ``start`` (m,); ``ridge`` is what one round has to bear."""
        series, reach = Series.over(start), float(np.log(2.0 * start.size))
        weight = series.phi.sum(axis=1)
        low, high = float(start.min()) - reach, float(start.max()) + reach
        x = low + SPACING * np.arange(int((high - low) / SPACING) + 2)
        values = np.empty((4, x.size))
        for begin in range(0, x.size, BLOCK):
            part = slice(begin, begin + BLOCK)
            own, others = np.exp(x[part, None]), np.exp(series.nodes)
            per_odds = 1.0 / (own + others)
            win, loss = own * per_odds, others * per_odds
            slope = win * loss
            values[0, part] = win @ weight - 0.5 + ridge * x[part]
            values[1, part] = slope @ weight + ridge
            values[2, part] = (slope * (loss - win)) @ weight
            values[3, part] = (slope * (1.0 - 6.0 * slope)) @ weight
        return cls(low, values)

    def inverse(self, wins: Floats) -> Floats:
        """The ratings at which the curve has these values, quicker when they are sorted."""
        nearest = np.rint(np.interp(wins, self.values[0], np.arange(self.values.shape[1])))
        value, first, second, third = self._beside(nearest)
        d, a = (wins - value) / first, 0.5 * second / first
        d *= 1.0 - d * (a - d * (2.0 * a * a - third / (6.0 * first)))
        result: Floats = d + (self.low + SPACING * nearest)
        return result

    def at(self, x: Floats) -> Floats:
        """The curve at these ratings."""
        nearest = np.rint((x - self.low) / SPACING)
        value, first, second, third = self._beside(nearest)
        d = x - self.low - SPACING * nearest
        result: Floats = value + d * (first + d * (0.5 * second + d * third / 6.0))
        return result

    def _beside(self, nearest: Floats) -> Floats:
        return self.values.take(nearest.astype(np.int64), axis=1, mode="clip")


def fit_series(
    wins: Floats, rounds: Floats, curve: Curve, chebyshev: "Chebyshev", ridge: float
) -> Floats:
    """(b, m) ratings by a series of this length; NaN for rows for which it is too short."""
    order = np.argsort(wins, axis=1)
    place = curve.inverse(np.take_along_axis(wins, order, axis=1) / rounds[:, None])
    low, high = place[:, :1], place[:, -1:]
    middle, half = 0.5 * (low + high), np.maximum(0.5 * (high - low), 1e-3)
    mesh = Mesh.of((place - middle) / half, chebyshev)
    field = Field(curve, rounds, ridge, middle, half, mesh.moments())
    series = field.ratings(chebyshev) @ chebyshev.nodes.series
    series[~(np.abs(series[:, -4:]).max(axis=1) < NOISE)] = np.nan
    rating = mesh.evaluate(series)
    found = np.empty_like(rating)
    np.put_along_axis(found, order, rating - rating.mean(axis=1, keepdims=True), axis=1)
    return found


@dataclass(frozen=True, slots=True)
class Nodes:
    """Chebyshev points and the series through them.

    Attributes
    ----------
    points : (K,) on [−1, 1].
    series : (K, K) what turns values at the points (b, K) into coefficients (b, K).
    """

    points: Floats
    series: Floats

    @classmethod
    def of(cls, length: int) -> "Nodes":
        """``length`` points of the first kind."""
        angles = (np.arange(length) + 0.5) * (np.pi / length)
        series = np.cos(angles[:, None] * np.arange(length)) * (2.0 / length)
        series[:, 0] *= 0.5
        return cls(np.cos(angles), series)


@dataclass(frozen=True, slots=True)
class Chebyshev:
    """Chebyshev polynomials T₀ … T_{K−1} on [−1, 1], where T_k(cos θ) = cos kθ.

    Attributes
    ----------
    nodes, coarse : K points, and half as many.
    refine : (K/2, K) what turns values at the coarse points into values at the others.
    taylor : (TERMS, P, K) Taylor coefficients of cos kθ at P angles from 0 to π.
    """

    nodes: Nodes
    coarse: Nodes
    refine: Floats
    taylor: Floats

    @classmethod
    def of(cls, length: int) -> "Chebyshev":
        """The first ``length`` polynomials."""
        nodes, coarse = Nodes.of(length), Nodes.of(length // 2)
        polynomials = np.cos(np.arange(length // 2)[:, None] * np.arccos(nodes.points))
        mesh, degree = np.linspace(0.0, np.pi, MESH * length + 1), np.arange(length)
        taylor, factor = np.empty((TERMS, mesh.size, length)), np.ones(length)
        for r in range(TERMS):
            taylor[r] = factor * np.cos(degree * mesh[:, None] + 0.5 * np.pi * r)
            factor *= degree / (r + 1.0)
        return cls(nodes, coarse, coarse.series @ polynomials, taylor)


@dataclass(frozen=True, slots=True)
class Mesh:
    """Angles θ of some numbers cos θ, each by the nearest one of a regular mesh.

    Attributes
    ----------
    taylor : (TERMS, P, K) Taylor coefficients of cos kθ at the mesh.
    nearest : (b, m) number of the nearest angle, P·row added.
    offset : (b, m) distance from it.
    """

    taylor: Floats
    nearest: Ints
    offset: Floats

    @classmethod
    def of(cls, x: Floats, chebyshev: Chebyshev) -> "Mesh":
        """The angles of x (b, m)."""
        size = chebyshev.taylor.shape[1]
        spacing = np.pi / (size - 1)
        # NaN gets an angle too: its row is lost anyway, but not the others.
        angle = np.arccos(np.fmax(np.fmin(x, 1.0), -1.0))
        nearest = np.rint(angle / spacing)
        first = size * np.arange(x.shape[0])[:, None]
        return cls(chebyshev.taylor, nearest.astype(np.int64) + first, angle - spacing * nearest)

    def moments(self) -> Floats:
        """(b, K) sums of cos kθ."""
        terms, size, length = self.taylor.shape
        rows = self.nearest.shape[0]
        sums, power = np.empty((rows, terms, size)), np.ones(self.offset.size)
        for r in range(terms):
            sums[:, r] = sum_by(self.nearest.ravel(), power, rows * size).reshape(rows, size)
            power *= self.offset.ravel()
        return sums.reshape(rows, -1) @ self.taylor.reshape(-1, length)

    def evaluate(self, series: Floats) -> Floats:
        """(b, m) sums of cos kθ times the coefficients (b, K)."""
        result = np.zeros_like(self.offset)
        for taylor in self.taylor[::-1]:
            result *= self.offset
            result += (series @ taylor.T).ravel().take(self.nearest)
        return result


@dataclass(frozen=True, slots=True)
class Field:
    """The players of some replicates, as far as sums of smooth functions over them go.

    Attributes
    ----------
    curve : wins per round of a rating among the original players.
    rounds : (b,).
    ridge : precision of the prior.
    middle, half : (b, 1) of the interval that holds everyone's place on the curve.
    moments : (b, K) sums of the Chebyshev polynomials over the places.
    """

    curve: Curve
    rounds: Floats
    ridge: float
    middle: Floats
    half: Floats
    moments: Floats

    def ratings(self, chebyshev: Chebyshev) -> Floats:
        """(b, K) at the Chebyshev points; NaN for rows that did not converge."""
        place, wins, counts = self._at(chebyshev.nodes)
        found = np.full(place.shape, np.nan)
        row, before = np.arange(place.shape[0]), np.full(place.shape[0], TOLERANCE)
        beta = place + self._first_guess(chebyshev)
        for _ in range(MAX_ITERATIONS):
            step = _series_step(wins[row], beta, counts[row], self.rounds[row], self.ridge)
            beta, largest = beta + _capped(step), np.abs(step).max(axis=1)
            done = largest * np.minimum(1.0, largest / before) < TOLERANCE
            found[row[done]] = beta[done]
            if done.all():
                break
            row, beta, before = row[~done], beta[~done], largest[~done]
        return found

    def _at(self, nodes: Nodes) -> tuple[Floats, Floats, Floats]:
        """(b, K) places of the nodes, wins there, and how many players each stands for.

        Some of these numbers are negative: they are weights of a quadrature.
        """
        place = self.middle + self.half * nodes.points
        counts = self.moments[:, : nodes.points.size] @ nodes.series.T
        return place, self.curve.at(place) * self.rounds[:, None], counts

    def _first_guess(self, chebyshev: Chebyshev) -> Floats:
        """(b, K) how far ratings are from places, after two steps at the coarse points."""
        place, wins, counts = self._at(chebyshev.coarse)
        beta = place
        for _ in range(2):
            beta = beta + _capped(_series_step(wins, beta, counts, self.rounds, self.ridge))
        shift: Floats = (beta - place) @ chebyshev.refine
        shift[~(np.abs(shift).max(axis=1) < 1.0)] = 0.0
        return shift


def _capped(step: Floats) -> Floats:
    """(b, K) steps, none of which moves a rating by more than one."""
    result: Floats = step / np.maximum(1.0, np.abs(step).max(axis=1, keepdims=True))
    return result


def _series_step(
    wins: Floats, beta: Floats, counts: Floats, rounds: Floats, ridge: float
) -> Floats:
    """(b, K) Newton steps for players at the nodes, with their covariances C = D⁻¹ + R.

    The information plus c·11ᵀ is D − A with a smooth A, so R solves
    (D − A·diag(counts)) R = A D⁻¹, and a score s leads to the step D⁻¹ s + R·diag(counts) s.
    """
    players = counts.sum(axis=1)
    chance, slope = chances(beta)
    information = slope * rounds[:, None, None]
    diagonal = times(information, counts) + ridge
    score = wins - rounds[:, None] * (times(chance, counts) - 0.5) - ridge * beta
    smooth = information - (diagonal.mean(axis=1) / players)[:, None, None]
    matrix = smooth * -counts[:, None, :]
    np.einsum("bkk->bk", matrix)[...] += diagonal
    rest = np.linalg.solve(matrix, smooth / diagonal[:, None, :])
    curvature = diagonal
    if not ridge:
        leverages = spread_of(rest, 1.0 / diagonal + np.einsum("bkk->bk", rest))
        leverages *= information
        score += 0.5 * times(leverages, counts) - times(leverages * chance, counts)
        curvature = diagonal + times(leverages * slope, counts)
    step: Floats = (score + diagonal * times(rest, counts * score)) / curvature
    step -= (np.einsum("bk,bk->b", step, counts) / players)[:, None]
    return step


def chances(beta: Floats) -> tuple[Floats, Floats]:
    """(b, m, m) σ(βᵢ − βⱼ) and σ'(βᵢ − βⱼ), with one exponential for each player."""
    odds = np.exp(beta)
    chance = odds[:, :, None] / (odds[:, :, None] + odds[:, None, :])
    return chance, chance * chance.transpose(0, 2, 1)


def spread_of(covariance: Floats, variance: Floats) -> Floats:
    """(b, m, m) variances of the differences of two ratings."""
    spread = variance[:, :, None] + variance[:, None, :]
    spread -= 2.0 * covariance
    return spread


def times(matrix: Floats, vector: Floats) -> Floats:
    """(b, m) products of (b, m, m) and (b, m)."""
    product: Floats = np.matmul(matrix, vector[:, :, None])[:, :, 0]
    return product
