"""Sums of σ(βᵢ − βⱼ) over all players without an m × m array.

On the interval that holds all ratings, σ(x − y) and its derivatives are smooth functions of two
numbers, so a Chebyshev series of a few dozen terms gives them to machine precision:
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
    """Terms that give σ, σ' and σ'·(½ − σ) to machine precision on an interval of this width."""
    return int(np.ceil(24.0 + 4.2 * width))


@dataclass(frozen=True, slots=True)
class Series:
    """Chebyshev polynomials on the interval of the ratings.

    Attributes
    ----------
    nodes : (K,) Chebyshev points of the first kind, on the ratings' scale.
    transform : (K, K) values at the nodes → coefficients.
    phi : (K, m) the polynomials at the players' ratings; ``phi[0]`` is all ones.
    """

    nodes: Floats
    transform: Floats
    phi: Floats

    @classmethod
    def over(cls, beta: Floats) -> "Series":
        """The series that reaches from the lowest to the highest rating."""
        low, high = float(beta.min()), float(beta.max())
        half = max(0.5 * (high - low), 1e-3)
        length = series_length(2.0 * half)
        angles = (np.arange(length) + 0.5) * np.pi / length
        transform = (2.0 / length) * np.cos(np.outer(np.arange(length), angles))
        transform[0] *= 0.5
        middle = 0.5 * (low + high)
        nodes = middle + half * np.cos(angles)
        return cls(nodes, transform, _polynomials((beta - middle) / half, length))

    def coefficients(self, kernel: Callable[[Floats], Floats]) -> Floats:
        """(K, K) coefficients A with kernel(x − y) = φ(x)ᵀ A φ(y)."""
        values = kernel(self.nodes[:, None] - self.nodes[None, :])
        result: Floats = self.transform @ values @ self.transform.T
        return result


def _polynomials(x: Floats, length: int) -> Floats:
    phi = np.empty((length, x.size))
    phi[0] = 1.0
    phi[1] = x
    twice = 2.0 * x
    for k in range(2, length):
        np.multiply(twice, phi[k - 1], out=phi[k])
        phi[k] -= phi[k - 2]
    return phi


@dataclass(frozen=True, slots=True)
class KernelInformation:
    """Fisher information of a design of Q cliques at given ratings, as diagonal plus low rank.

    In clique q everyone has a share ``shares[q]`` (0 or 1 for a round, the number of scores for
    matches across rounds), and players i and j met ``Σ_q weights[q]·shares[q, i]·shares[q, j]``
    times. With U = [diag(s₁)φᵀ, …, diag(s_Q)φᵀ, 1] of shape (m, r), r = Q·K + 1, the information
    plus c·11ᵀ is D − U S Uᵀ, and its inverse D⁻¹ + D⁻¹ U core Uᵀ D⁻¹.

    Attributes
    ----------
    series : Chebyshev series of the ratings.
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
        sums = (series.coefficients(expit) @ totals).T @ series.phi
        by_clique = shares * (sums - 0.5 * shares)
        slope = series.coefficients(sigmoid_slope)
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
        kernel = self.series.coefficients(skewed_slope)
        variance = self._inverse_diagonal()
        own = (kernel @ (phi @ self.shares.T)).T @ phi
        others = (kernel @ (phi @ (self.shares * variance).T)).T @ phi
        score: Floats = self.weights @ (self.shares * (variance * own + others))
        crossed = [
            kernel @ self.gram[q * length : (q + 1) * length] for q in range(self.weights.size)
        ]
        for part, u in self._blocks():
            spread = self.core @ u
            for q, weight in enumerate(self.weights):
                mixed = np.einsum("rk,rk->k", spread, crossed[q].T @ phi[:, part])
                score[part] -= 2.0 * weight * self.shares[q, part] * mixed / self.diagonal[part]
        return score

    def bias_score_of(self, influence: Floats) -> Floats:
        """(m,) the same sum for ratings whose covariance is B Bᵀ, with ``influence`` B (m, G).

        Σⱼ Nᵢⱼ kᵢⱼ(Vᵢᵢ + Vⱼⱼ − 2Vᵢⱼ) with kᵢⱼ = σ'(βᵢ − βⱼ)(½ − σ(βᵢ − βⱼ)).
        """
        phi = self.series.phi
        kernel = self.series.coefficients(skewed_slope)
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
        return _low_rank(self.series.phi[:, players], self.shares[:, players])

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        return _blocks(self.series.phi, self.shares)


def _low_rank(phi: Floats, shares: Floats) -> Floats:
    """(r, b) columns of Uᵀ for b players."""
    cliques, players = shares.shape
    length = phi.shape[0]
    u = np.empty((cliques * length + 1, players))
    np.multiply(shares[:, None, :], phi[None, :, :], out=u[:-1].reshape(cliques, length, players))
    u[-1] = 1.0
    return u


def _blocks(phi: Floats, shares: Floats) -> Iterator[tuple[slice, Floats]]:
    for start in range(0, phi.shape[1], BLOCK):
        part = slice(start, start + BLOCK)
        yield part, _low_rank(phi[:, part], shares[:, part])


def _invert(
    series: Series, shares: Floats, weights: Floats, slope: Floats, diagonal: Floats
) -> tuple[Floats, Floats, float]:
    """Woodbury: (core, gram, c) with the inverse D⁻¹ + D⁻¹ U core Uᵀ D⁻¹."""
    length, rank = slope.shape[0], weights.size * slope.shape[0] + 1
    gram = np.zeros((rank, rank))
    for part, u in _blocks(series.phi, shares):
        gram += (u / diagonal[part]) @ u.T
    scale = float(diagonal.mean()) / diagonal.size
    middle = np.zeros((rank, rank))
    for q, weight in enumerate(weights):
        block = slice(q * length, (q + 1) * length)
        middle[block, block] = weight * slope
    middle[-1, -1] = -scale
    core = np.linalg.solve(np.eye(rank) - middle @ gram, middle)
    return 0.5 * (core + core.T), gram, scale
