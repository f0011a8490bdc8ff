"""Binormal scores: variances of an AUC, with and without a latent score that classifiers share."""

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from winodds.arrays import Floats

SHAPE = 0.5
"""Squared distance to 1, in standard deviations, of the highest true AUC of a table."""


@dataclass(frozen=True, slots=True)
class Model:
    """Cases of the smaller class and of the larger one, and their scores' correlations."""

    few: int
    many: int
    rho_few: float
    rho_many: float

    @property
    def pairs(self) -> int:
        return self.few * self.many

    def deviations(self, z: Floats) -> tuple[Floats, Floats]:
        """Standard deviations of an AUC given the latents, and of its mean given them."""
        shared = variance(self, z, self.rho_few**2, self.rho_many**2)
        total = variance(self, z, 1.0, 1.0)
        return np.sqrt(np.maximum(total - shared, 1e-12 * total)), np.sqrt(np.maximum(shared, 0.0))

    def interaction(self, z: Floats) -> Floats:
        """Variance of what only a pair of cases together has, given the latents."""
        # An AUC and its opposite vary alike, and a small one does without cancellation.
        f, m, z = self.rho_few**2, self.rho_many**2, -np.abs(z)
        both = special.ndtr(z) + _joint(z, 0.5 * (f + m))
        return both - _joint(z, 0.5 * (1.0 + f)) - _joint(z, 0.5 * (1.0 + m))


def _joint(z: Floats, r: float) -> Floats:
    """Probability that two standard normals of correlation r are both at most z."""
    return np.asarray(special.ndtr(z) - 2.0 * special.owens_t(z, np.sqrt((1.0 - r) / (1.0 + r))))


def variance(model: Model, z: Floats, few: float, many: float) -> Floats:
    """Variance of a mean over pairs: a U-statistic of which parts of the scores are shared."""
    z = -np.abs(z)
    square = special.ndtr(z) ** 2
    first = (model.many - 1) * (_joint(z, 0.5 * few) - square)
    second = (model.few - 1) * (_joint(z, 0.5 * many) - square)
    return np.asarray((first + second + _joint(z, 0.5 * (few + many)) - square) / model.pairs)


def easiest(model: Model) -> float:
    """The true AUC, as a normal quantile, that is so high that most AUCs are nearly 1."""

    def excess(z: float) -> float:
        return float(special.ndtr(-z) ** 2 / variance(model, np.array(z), 1.0, 1.0)) - SHAPE

    return float(optimize.brentq(excess, 0.0, 7.0))
