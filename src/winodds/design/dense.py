"""Fisher information with an m × m array, for designs that are not a few large cliques.

The obvious formulas, for battles and for tables with many patterns of missing scores; also the
faster way for small complete tables.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from winodds.arrays import Floats, Ints
from winodds.design.errors import SingularInformation
from winodds.design.kernel import Logistic

NEGLIGIBLE = 0.02
"""Share of a pair's matches up to which its leverage does not slow the fit down."""


@dataclass(frozen=True, slots=True)
class DenseInformation:
    """Fisher information of any design at given ratings.

    Attributes
    ----------
    expected : (m,) expected wins.
    chances : (m, m) P(row beats column).
    information : (m, m) off the diagonal, Nᵢⱼ pᵢⱼ(1 − pᵢⱼ).
    inverse : (m, m) pseudo-inverse of the information (ridge included).
    """

    expected: Floats
    chances: Floats
    information: Floats
    inverse: Floats

    @classmethod
    def at(cls, beta: Floats, met: Floats, *, ridge: float = 0.0) -> "DenseInformation":
        """Build the information at ratings ``beta`` (m,); ``met`` (m, m) counts the matches."""
        logistic = Logistic.at(beta[:, None] - beta[None, :])
        information = met * logistic.slope
        expected = np.einsum("ij,ij->i", met, logistic.chance)
        return cls(expected, logistic.chance, information, _pseudo_inverse(information, ridge))

    def solve(self, right: Floats) -> Floats:
        """Pseudo-inverse of the information times ``right`` (m,) or (m, k)."""
        result: Floats = self.inverse @ right
        return result

    def variances(self) -> Floats:
        """(m,) diagonal of the pseudo-inverse: variances of centred ratings."""
        return self.inverse.diagonal().copy()

    def covariances(self, first: Ints, second: Ints) -> Floats:
        """Entries (first[k], second[k]) of the pseudo-inverse."""
        return self.inverse[first, second]

    def leverages(self) -> Floats:
        """(m, m) leverage of each pair's matches; they add up to m − 1."""
        variance = self.inverse.diagonal()
        return self.information * (variance[:, None] + variance[None, :] - 2.0 * self.inverse)

    def bias_score(self) -> Floats:
        """(m,) what Firth's bias reduction adds to the score: Σⱼ hᵢⱼ(½ − pᵢⱼ)."""
        score: Floats = np.einsum("ij,ij->i", self.leverages(), 0.5 - self.chances)
        return score

    def bias_score_of(self, influence: Floats) -> Floats:
        """(m,) the same sum for ratings whose covariance is B Bᵀ, with ``influence`` B (m, G)."""
        covariance = influence @ influence.T
        variance = covariance.diagonal()
        spread = variance[:, None] + variance[None, :] - 2.0 * covariance
        score: Floats = np.einsum("ij,ij,ij->i", self.information, 0.5 - self.chances, spread)
        return score

    def log_determinant(self) -> float:
        """Log of the product of the information's eigenvalues but for the 0, without a ridge."""
        factor, scale = _factorise(self.information, 0.0)
        logs = np.log(factor.diagonal())
        return 2.0 * float(logs.sum()) - float(np.log(scale * logs.size))

    def step_with_leverages(self, score: Floats) -> tuple[Floats, Floats]:
        """(m,) bias-reduced score, and the Newton step to its root with the leverages fixed."""
        leverages = self.leverages()
        adjusted = score + np.einsum("ij,ij->i", leverages, 0.5 - self.chances)
        slope = self.chances * self.chances.T
        extra = leverages * slope
        if (extra <= NEGLIGIBLE * self.information).all():
            return adjusted, self.inverse @ adjusted
        return adjusted, _solve_laplacian(self.information + extra, adjusted)


def _factorise(weights: Floats, ridge: float) -> tuple[Floats, float]:
    """Cholesky factor of Laplacian + ridge·I + c·11ᵀ, and c."""
    players = weights.shape[0]
    degree = weights.sum(axis=1) + ridge
    scale = float(degree.mean()) / players
    matrix = scale - weights
    matrix[np.diag_indices(players)] += degree
    factor, failed = lapack.dpotrf(matrix.T, lower=1, clean=0, overwrite_a=1)
    if failed:
        raise SingularInformation(players=players)
    return factor, scale


def _pseudo_inverse(weights: Floats, ridge: float) -> Floats:
    """Pseudo-inverse of the Laplacian of ``weights`` plus ``ridge`` on the diagonal."""
    players = weights.shape[0]
    factor, scale = _factorise(weights, ridge)
    inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    upper = np.triu_indices(players, 1)
    inverse[upper] = inverse.T[upper]
    inverse -= 1.0 / (players * (ridge + scale * players))
    result: Floats = inverse
    return result


def _solve_laplacian(weights: Floats, right: Floats) -> Floats:
    """Pseudo-inverse of the Laplacian of ``weights`` times ``right`` (m,), which adds up to 0."""
    factor, _ = _factorise(weights, 0.0)
    solution, _ = lapack.dpotrs(factor, right, lower=1)
    centred: Floats = solution - solution.mean()
    return centred
