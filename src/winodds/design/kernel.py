"""Sums of σ(βᵢ − βⱼ) over all players without an m × m array.

On the interval that holds all ratings, σ(x − y) and its derivatives are smooth functions of two
numbers, so interpolation on a few dozen Chebyshev points gives them to machine precision:
σ(x − y) = φ(x)ᵀ A φ(y). A sum over all pairs becomes a product of an m × K with a K × K array, and
the Fisher information of a design made of cliques becomes a diagonal plus a matrix of low rank,
which Woodbury's identity inverts.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints

BLOCK = 4096
"""Players handled at a time, so that temporary arrays stay in the processor's cache."""


EXACT = 37.0
"""Natural logarithm of a double's precision, as a number of nats."""

ROUGH = 12.0
"""Nats that are enough for ratings to begin with."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """The logistic function and its relatives at some points, each of the points' shape.

    Attributes
    ----------
    chance : σ(x).
    slope : σ'(x), without cancellation in the tails.
    """

    chance: Floats
    slope: Floats

    @classmethod
    def at(cls, x: Floats) -> "Logistic":
        """All of them from one exponential, which is what they cost."""
        z = np.exp(-np.abs(x))
        larger = 1.0 / (1.0 + z)
        smaller = z * larger
        slope = smaller * larger
        return cls(np.where(x >= 0.0, larger, smaller), slope)

    @property
    def skewed(self) -> Floats:
        """σ'(x)·(½ − σ(x)), the kernel of the bias reduction."""
        return self.slope * (0.5 - self.chance)


def series_length(width: float, nats: float = EXACT) -> int:
    """Points that give σ, σ' and σ'·(½ − σ) to e^−nats on an interval of this width.

    Chebyshev interpolation converges like ρ⁻ᵏ, with the ellipse ρ through the nearest pole; the
    logistic function has its poles at ±iπ, so log ρ = asinh(2π/width).
    """
    return 10 + int(np.ceil(nats / np.arcsinh(2.0 * np.pi / max(width, 1e-3))))


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
    def over(cls, beta: Floats, nats: float = EXACT) -> "Series":
        """The series that reaches from the lowest to the highest rating."""
        low, high = float(beta.min()), float(beta.max())
        half = max(0.5 * (high - low), 1e-3)
        length = series_length(2.0 * half, nats)
        angles = (np.arange(length) + 0.5) * (np.pi / length)
        points = np.cos(angles)
        signs = np.where(np.arange(length) % 2 == 0, 1.0, -1.0)
        middle = 0.5 * (low + high)
        phi = _lagrange((beta - middle) / half, points, signs * np.sin(angles))
        return cls(middle + half * points, phi)

    def kernels(self) -> Logistic:
        """(K, K) matrices A with kernel(x − y) = φ(x)ᵀ A φ(y)."""
        return Logistic.at(self.nodes[:, None] - self.nodes[None, :])


def _lagrange(x: Floats, points: Floats, weights: Floats) -> Floats:
    """(K, m) Lagrange polynomials of the points at x (m,), by the barycentric formula."""
    phi = np.empty((points.size, x.size))
    for start in range(0, x.size, BLOCK):
        block = phi[:, start : start + BLOCK]
        np.subtract(x[None, start : start + BLOCK], points[:, None], out=block)
        with np.errstate(divide="ignore"):
            np.divide(weights[:, None], block, out=block)
        total = block.sum(axis=0)
        at_point = np.isinf(total)
        if at_point.any():
            block[:, at_point] = np.isinf(block[:, at_point])
            total[at_point] = 1.0
        block *= 1.0 / total
    return phi


@dataclass(frozen=True, slots=True)
class KernelInformation:
    """Fisher information of a design of Q cliques at given ratings, as diagonal plus low rank.

    In clique q everyone has a share ``shares[q]`` (0 or 1 for a round, the number of scores for
    matches across rounds), and players i and j met ``Σ_q weights[q]·shares[q, i]·shares[q, j]``
    times. With U = [diag(s₁)φᵀ, …, diag(s_Q)φᵀ, 1] of shape (m, r), r = Q·K + 1, the information
    plus c·11ᵀ is D − U S Uᵀ, and its inverse D⁻¹ + D⁻¹ U core Uᵀ D⁻¹. A single clique of everyone
    needs neither the shares nor the last column, because 1 = φᵀ1: then U = φᵀ and r = K.

    Only diagonals of such products are wanted, φ(x)ᵀ M φ(x) at every rating x. M is core, or core
    times what a kernel made of it, so M(x, y) = φ(x)ᵀ M φ(y) is analytic in x and in y where σ' is.
    Then so is M(x, x), on the same ellipse, and the K points resolve it as they resolve σ':
    φ(x)ᵀ M φ(x) = φ(x)ᵀ diag M.

    Attributes
    ----------
    series : interpolation at the ratings.
    shares : (Q, m).
    weights : (Q,).
    by_clique : (Q, m) expected wins in each clique at weight one.
    skewed : (K, K) kernel of the bias reduction on the nodes.
    skew : (m,) its sum over a player's matches.
    diagonal : (m,) D.
    core : (r, r).
    gram : (r, r) Uᵀ D⁻¹ U.
    shift : what the inverse has too much of in every cell, because of c·11ᵀ.
    """

    series: Series
    shares: Floats
    weights: Floats
    by_clique: Floats
    skewed: Floats
    skew: Floats
    diagonal: Floats
    core: Floats
    gram: Floats
    shift: float

    @classmethod
    def at(
        cls,
        beta: Floats,
        shares: Floats,
        weights: Floats,
        *,
        ridge: float = 0.0,
        nats: float = EXACT,
    ) -> "KernelInformation":
        """Build the information at ratings ``beta`` (m,); ``ridge`` is added to its diagonal."""
        series = Series.over(beta, nats)
        kernels = series.kernels()
        skewed = kernels.skewed
        totals = series.phi @ shares.T
        fields = np.stack([kernels.chance, kernels.slope, skewed]) @ totals
        sums = fields.transpose(0, 2, 1).reshape(-1, series.nodes.size) @ series.phi
        chance, slope, skew = sums.reshape(3, *shares.shape)
        diagonal = weights @ (shares * slope) + ridge
        core, gram, scale = _invert(series, shares, weights, kernels.slope, diagonal)
        players = beta.size
        return cls(
            series=series,
            shares=shares,
            weights=weights,
            by_clique=shares * (chance - 0.5 * shares),
            skewed=skewed,
            skew=weights @ (shares * skew),
            diagonal=diagonal,
            core=core,
            gram=gram,
            shift=1.0 / (players * (ridge + scale * players)),
        )

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
        pairs, singles, constant = self._core_diagonals()
        return self._variance(self._along(pairs, singles), constant) - self.shift

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
        phi, cliques = self.series.phi, self.weights.size
        pairs, singles, constant = self._core_diagonals()
        mixed_pairs, mixed_singles = self._mixed_diagonals()
        rows = self._along(
            np.concatenate([pairs, mixed_pairs]), np.concatenate([singles, mixed_singles])
        )
        variance = self._variance(rows[:cliques], constant)
        mixed = (self.weights @ (self.shares * rows[cliques:])) / self.diagonal
        others = (self.skewed @ (phi @ (self.shares * variance).T)).T @ phi
        score: Floats = variance * self.skew + self.weights @ (self.shares * others) - 2.0 * mixed
        return score

    def bias_score_of(self, influence: Floats) -> Floats:
        """(m,) the same sum for ratings whose covariance is B Bᵀ, with ``influence`` B (m, G).

        Σⱼ Nᵢⱼ kᵢⱼ(Vᵢᵢ + Vⱼⱼ − 2Vᵢⱼ) with kᵢⱼ = σ'(βᵢ − βⱼ)(½ − σ(βᵢ − βⱼ)).
        """
        phi = self.series.phi
        variance = np.einsum("ig,ig->i", influence, influence)
        columns = np.column_stack([variance, -2.0 * influence])
        score: Floats = variance * self.skew
        for weight, share in zip(self.weights, self.shares, strict=True):
            sums = phi.T @ (self.skewed @ (phi @ (share[:, None] * columns)))
            mixed = np.einsum("ig,ig->i", influence, sums[:, 1:])
            score += weight * share * (sums[:, 0] + mixed)
        return score

    def log_determinant(self) -> float:
        """Log of the product of the information's eigenvalues but for the 0, without a ridge.

        det(D − U S Uᵀ) = det D · det(I − S UᵀD⁻¹U), and c·11ᵀ brings in the factor c·m.
        """
        players = self.diagonal.size
        scale = 1.0 / (self.shift * players**2)
        middle = _middle(self.weights, self.series.kernels().slope, scale, plain=self._plain)
        _, inner = np.linalg.slogdet(np.eye(middle.shape[0]) - middle @ self.gram)
        return float(np.log(self.diagonal).sum() + inner - np.log(scale * players))

    def _core_diagonals(self) -> tuple[Floats, Floats, float]:
        """What the quadratic form of core is made of: (Q, Q, K) and (Q, K) for `_along`, and c."""
        cliques, length = self.weights.size, self.series.nodes.size
        size = cliques * length
        blocks = self.core[:size, :size].reshape(cliques, length, cliques, length)
        pairs = np.ascontiguousarray(blocks.diagonal(axis1=1, axis2=3))
        if self._plain:
            return pairs, np.zeros((cliques, length)), 0.0
        edge = self.core[-1]
        return pairs, 2.0 * edge[:-1].reshape(cliques, length), float(edge[-1])

    def _mixed_diagonals(self) -> tuple[Floats, Floats]:
        """The same for core · gram · kernel, with the kernel's clique as the first index."""
        cliques, length = self.weights.size, self.series.nodes.size
        size = cliques * length
        crossed = self.gram[:, :size].reshape(-1, length) @ self.skewed.T
        by_node = np.ascontiguousarray(crossed.reshape(-1, cliques, length).transpose(2, 0, 1))
        core = self.core[:size].reshape(cliques, length, -1).transpose(1, 0, 2)
        pairs = np.ascontiguousarray((core @ by_node).transpose(2, 1, 0))
        if self._plain:
            return pairs, np.zeros((cliques, length))
        return pairs, (self.core[-1] @ by_node).T

    def _along(self, pairs: Floats, singles: Floats) -> Floats:
        """(p, m) φᵀ(Σ_q s_q pairs[p, q] + singles[p]) at every player's rating and shares.

        ``pairs`` is (p, Q, K) and ``singles`` (p, K), zero for a single clique of everyone.
        """
        phi = self.series.phi
        if self._plain:
            return np.asarray(pairs[:, 0] @ phi)
        rows = singles @ phi
        for q, share in enumerate(self.shares):
            rows += share * (pairs[:, q] @ phi)
        return np.asarray(rows)

    def _variance(self, rows: Floats, constant: float) -> Floats:
        """(m,) diagonal of the inverse, c·11ᵀ included; ``rows`` as `_along` gives them."""
        quadratic = np.einsum("qi,qi->i", self.shares, rows) + constant
        variance: Floats = (1.0 + quadratic / self.diagonal) / self.diagonal
        return variance

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
        scaled = u * (1.0 / np.sqrt(diagonal[part]))
        gram += scaled @ scaled.T
    scale = float(diagonal.mean()) / diagonal.size
    middle = _middle(weights, slope, scale, plain=plain)
    core = np.linalg.solve(np.eye(rank) - middle @ gram, middle)
    return 0.5 * (core + core.T), gram, scale


def _middle(weights: Floats, slope: Floats, scale: float, *, plain: bool) -> Floats:
    """(r, r) S: the information plus scale·11ᵀ is D − U S Uᵀ."""
    length = slope.shape[0]
    rank = length if plain else weights.size * length + 1
    middle = np.zeros((rank, rank))
    for q, weight in enumerate(weights):
        block = slice(q * length, (q + 1) * length)
        middle[block, block] = weight * slope
    ones = slice(0, rank) if plain else slice(rank - 1, rank)
    middle[ones, ones] -= scale
    return middle
