"""Sums of σ(βᵢ − βⱼ) over all players without an m × m array.

On the interval that holds all ratings, σ(x − y) and its derivatives are smooth functions of two
numbers, so interpolation on a few dozen Chebyshev points gives them to machine precision:
σ(x − y) = φ(x)ᵀ A φ(y). A sum over all pairs becomes a product of an m × K with a K × K array, and
the Fisher information of a design made of cliques becomes a diagonal plus a matrix of low rank,
which Woodbury's identity inverts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, Ints

BLOCK = 4096
"""Players handled at a time, so that temporary arrays stay in the processor's cache."""


def sigmoid_slope(x: Floats) -> Floats:
    """Derivative of the logistic function, without cancellation in the tails."""
    z = np.exp(-np.abs(x))
    slope: Floats = z / (1.0 + z) ** 2
    return slope


def skewed_slope(x: Floats) -> Floats:
    """σ'(x)·(½ − σ(x)), the kernel of the bias reduction."""
    return sigmoid_slope(x) * (0.5 - expit(x))


def series_length(width: float) -> int:
    """Points that give σ, σ' and σ'·(½ − σ) to machine precision on an interval of this width.

    Chebyshev interpolation converges like ρ⁻ᵏ, with the ellipse ρ through the nearest pole; the
    logistic function has its poles at ±iπ, so log ρ = asinh(2π/width).
    """
    return 10 + int(np.ceil(37.0 / np.arcsinh(2.0 * np.pi / max(width, 1e-3))))


@dataclass(frozen=True, slots=True)
class Series:
    """Interpolation on Chebyshev points in the interval of the ratings.

    Attributes
    ----------
    nodes : (K,) Chebyshev points of the first kind, on the ratings' scale.
    phi : (K, m) Lagrange polynomials of the nodes at the players' ratings; columns add up to one.
    """

    nodes: Floats
    phi: Floats

    @classmethod
    def over(cls, beta: Floats) -> "Series":
        """The series that reaches from the lowest to the highest rating."""
        low, high = float(beta.min()), float(beta.max())
        half = max(0.5 * (high - low), 1e-3)
        length = series_length(2.0 * half)
        angles = (np.arange(length) + 0.5) * (np.pi / length)
        points = np.cos(angles)
        signs = np.where(np.arange(length) % 2 == 0, 1.0, -1.0)
        middle = 0.5 * (low + high)
        phi = _lagrange((beta - middle) / half, points, signs * np.sin(angles))
        return cls(middle + half * points, phi)

    def values(self, kernel: Callable[[Floats], Floats]) -> Floats:
        """(K, K) matrix A with kernel(x − y) = φ(x)ᵀ A φ(y)."""
        return kernel(self.nodes[:, None] - self.nodes[None, :])


def _lagrange(x: Floats, points: Floats, weights: Floats) -> Floats:
    """(K, m) Lagrange polynomials of the points at x (m,), by the barycentric formula."""
    phi = np.empty((points.size, x.size))
    for start in range(0, x.size, BLOCK):
        block = phi[:, start : start + BLOCK]
        np.subtract(x[None, start : start + BLOCK], points[:, None], out=block)
        block[block == 0.0] = 1e-300
        np.divide(weights[:, None], block, out=block)
        block /= block.sum(axis=0)
    return phi


@dataclass(frozen=True, slots=True)
class KernelInformation:
    """Fisher information of a design of Q cliques at given ratings, as diagonal plus low rank.

    In clique q everyone has a share ``shares[q]`` (0 or 1 for a round, the number of scores for
    matches across rounds), and players i and j met ``Σ_q weights[q]·shares[q, i]·shares[q, j]``
    times. With U = [diag(s₁)φᵀ, …, diag(s_Q)φᵀ, 1] of shape (m, r), r = Q·K + 1, the information
    plus c·11ᵀ is D − U S Uᵀ, and its inverse D⁻¹ + D⁻¹ U core Uᵀ D⁻¹. A single clique of everyone
    needs neither the shares nor the last column, because 1 = φᵀ1: then U = φᵀ and r = K.

    Attributes
    ----------
    series : interpolation at the ratings.
    shares : (Q, m).
    weights : (Q,).
    by_clique : (Q, m) expected wins in each clique at weight one.
    diagonal : (m,) D.
    core : (r, r).
    gram : (r, r) Uᵀ D⁻¹ U.
    shift : what the inverse has too much of in every cell, because of c·11ᵀ.
    """

    series: Series
    shares: Floats
    weights: Floats
    by_clique: Floats
    diagonal: Floats
    core: Floats
    gram: Floats
    shift: float

    @classmethod
    def at(
        cls, beta: Floats, shares: Floats, weights: Floats, *, ridge: float = 0.0
    ) -> "KernelInformation":
        """Build the information at ratings ``beta`` (m,); ``ridge`` is added to its diagonal."""
        series = Series.over(beta)
        totals = series.phi @ shares.T
        sums = (series.values(expit) @ totals).T @ series.phi
        by_clique = shares * (sums - 0.5 * shares)
        slope = series.values(sigmoid_slope)
        met = (slope @ totals).T @ series.phi
        diagonal = weights @ (shares * met) + ridge
        core, gram, scale = _invert(series, shares, weights, slope, diagonal)
        players = beta.size
        shift = 1.0 / (players * (ridge + scale * players))
        return cls(series, shares, weights, by_clique, diagonal, core, gram, shift)

    @property
    def expected(self) -> Floats:
        """(m,) expected wins over the whole design."""
        wins: Floats = self.weights @ self.by_clique
        return wins

    def solve(self, right: Floats) -> Floats:
        """Pseudo-inverse of the information times ``right`` (m,) or (m, k)."""
        columns = right.reshape(right.shape[0], -1)
        scaled = columns / self.diagonal[:, None]
        inner = np.zeros((self.core.shape[0], columns.shape[1]))
        for part, u in self._blocks():
            inner += u @ scaled[part]
        outer = self.core @ inner
        result = scaled
        for part, u in self._blocks():
            result[part] += (u.T @ outer) / self.diagonal[part, None]
        result -= self.shift * columns.sum(axis=0)
        return result.reshape(right.shape)

    def variances(self) -> Floats:
        """(m,) diagonal of the pseudo-inverse: variances of centred ratings."""
        return self._inverse_diagonal() - self.shift

    def covariances(self, first: Ints, second: Ints) -> Floats:
        """Entries (first[k], second[k]) of the pseudo-inverse."""
        left = self._columns(first) / self.diagonal[first]
        right = self._columns(second) / self.diagonal[second]
        inverse: Floats = np.einsum("rk,rk->k", self.core @ left, right)
        inverse = inverse + np.where(first == second, 1.0 / self.diagonal[first], 0.0)
        return inverse - self.shift

    def bias_score(self) -> Floats:
        """(m,) what Firth's bias reduction adds to the score: Σⱼ hᵢⱼ(½ − pᵢⱼ).

        ``hᵢⱼ = Nᵢⱼ pᵢⱼ(1 − pᵢⱼ)(Cᵢᵢ + Cⱼⱼ − 2Cᵢⱼ)`` is the leverage of a pair (Firth 1993).
        """
        phi, length = self.series.phi, self.series.nodes.size
        kernel = self.series.values(skewed_slope)
        crossed = [
            self.gram[:, q * length : (q + 1) * length] @ kernel.T for q in range(self.weights.size)
        ]
        variance, mixed = 1.0 / self.diagonal, np.zeros(self.diagonal.size)
        for part, u in self._blocks():
            spread = self.core @ u
            variance[part] += np.einsum("rk,rk->k", spread, u) / self.diagonal[part] ** 2
            for q, weight in enumerate(self.weights):
                shared = np.einsum("rk,rk->k", spread, crossed[q] @ phi[:, part])
                mixed[part] += weight * self.shares[q, part] * shared / self.diagonal[part]
        own = (kernel @ (phi @ self.shares.T)).T @ phi
        others = (kernel @ (phi @ (self.shares * variance).T)).T @ phi
        score: Floats = self.weights @ (self.shares * (variance * own + others)) - 2.0 * mixed
        return score

    def bias_score_of(self, influence: Floats) -> Floats:
        """(m,) the same sum for ratings whose covariance is B Bᵀ, with ``influence`` B (m, G).

        Σⱼ Nᵢⱼ kᵢⱼ(Vᵢᵢ + Vⱼⱼ − 2Vᵢⱼ) with kᵢⱼ = σ'(βᵢ − βⱼ)(½ − σ(βᵢ − βⱼ)).
        """
        phi = self.series.phi
        kernel = self.series.values(skewed_slope)
        variance = np.einsum("ig,ig->i", influence, influence)
        score = np.zeros(variance.size)
        for weight, share in zip(self.weights, self.shares, strict=True):
            columns = np.column_stack([share, share * variance, share[:, None] * influence])
            sums = phi.T @ (kernel @ (phi @ columns))
            mixed = np.einsum("ig,ig->i", influence, sums[:, 2:])
            score += weight * share * (variance * sums[:, 0] + sums[:, 1] - 2.0 * mixed)
        return score

    def _inverse_diagonal(self) -> Floats:
        result = 1.0 / self.diagonal
        for part, u in self._blocks():
            quadratic = np.einsum("rk,rk->k", self.core @ u, u)
            result[part] += quadratic / self.diagonal[part] ** 2
        return result

    def _columns(self, players: Ints) -> Floats:
        shares = self.shares[:, players]
        return _low_rank(self.series.phi[:, players], shares, plain=self._plain)

    @property
    def _plain(self) -> bool:
        return bool(self.core.shape[0] == self.series.nodes.size)

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        return _blocks(self.series.phi, self.shares, plain=self._plain)


def _low_rank(phi: Floats, shares: Floats, *, plain: bool) -> Floats:
    """(r, b) columns of Uᵀ for b players."""
    if plain:
        return phi
    cliques, players = shares.shape
    length = phi.shape[0]
    u = np.empty((cliques * length + 1, players))
    np.multiply(shares[:, None, :], phi[None, :, :], out=u[:-1].reshape(cliques, length, players))
    u[-1] = 1.0
    return u


def _blocks(phi: Floats, shares: Floats, *, plain: bool) -> Iterator[tuple[slice, Floats]]:
    for start in range(0, phi.shape[1], BLOCK):
        part = slice(start, start + BLOCK)
        yield part, _low_rank(phi[:, part], shares[:, part], plain=plain)


def _invert(
    series: Series, shares: Floats, weights: Floats, slope: Floats, diagonal: Floats
) -> tuple[Floats, Floats, float]:
    """Woodbury: (core, gram, c) with the inverse D⁻¹ + D⁻¹ U core Uᵀ D⁻¹."""
    plain = weights.size == 1 and bool((shares == 1.0).all())
    length = slope.shape[0]
    rank = length if plain else weights.size * length + 1
    gram = np.zeros((rank, rank))
    for part, u in _blocks(series.phi, shares, plain=plain):
        scaled = u / np.sqrt(diagonal[part])
        gram += scaled @ scaled.T
    scale = float(diagonal.mean()) / diagonal.size
    middle = np.zeros((rank, rank))
    for q, weight in enumerate(weights):
        block = slice(q * length, (q + 1) * length)
        middle[block, block] = weight * slope
    ones = slice(0, rank) if plain else slice(rank - 1, rank)
    middle[ones, ones] -= scale
    core = np.linalg.solve(np.eye(rank) - middle @ gram, middle)
    return 0.5 * (core + core.T), gram, scale
