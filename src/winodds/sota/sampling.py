"""How scores vary around performances: the laws that an estimate can rest on."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import stats

from winodds.arrays import Bools, Floats
from winodds.sota.auc.auc import AucSampling, prepare, single_interval
from winodds.sota.laws.dependence import possible
from winodds.sota.laws.law import MaximumLaw
from winodds.sota.laws.maximum import maximum_law, normal_maximum
from winodds.sota.laws.populations import Population


class Sampling(Protocol):
    """A law of scores, given performances."""

    def possible(self, theta: Floats) -> Bools:
        """Which performances the law can have."""

    def maximum(self, population: Population) -> MaximumLaw:
        """The law of the largest score."""

    def exact(self, score: float) -> float:
        """The score that was printed with fewer decimals."""

    def interval(self, score: float, level: float) -> tuple[float, float]:
        """The interval of one score, as if it were not the best of many."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Shares of n cases, with correlation ρ₀ to a common variable whose share is the best's."""

    n: int
    correlation: float

    def possible(self, theta: Floats) -> Bools:
        # A perfect best entry leaves nothing to be correlated with; half a mistake does.
        common = min(float(theta.max()), 1.0 - 0.5 / self.n)
        kept: Bools = possible(theta, common, self.correlation) | (theta == theta.max())
        return kept

    def maximum(self, population: Population) -> MaximumLaw:
        common = population.top
        return maximum_law(population, self.n, correlation=self.correlation, common=common)

    def exact(self, score: float) -> float:
        return round(score * self.n) / self.n

    def interval(self, score: float, level: float) -> tuple[float, float]:
        """Clopper and Pearson's interval."""
        return clopper_pearson(round(score * self.n), self.n, level)


@dataclass(frozen=True, slots=True)
class Normal:
    """Scores of any metric with a known standard error."""

    se: float
    correlation: float

    def possible(self, theta: Floats) -> Bools:
        return np.ones(theta.size, np.bool_)

    def maximum(self, population: Population) -> MaximumLaw:
        return normal_maximum(population, self.se, correlation=self.correlation)

    def exact(self, score: float) -> float:
        return score

    def interval(self, score: float, level: float) -> tuple[float, float]:
        reach = float(stats.norm.isf(0.5 * (1.0 - level))) * self.se
        return score - reach, score + reach


@dataclass(frozen=True, slots=True)
class Auc:
    """Areas under ROC curves of binormal scores."""

    law: AucSampling
    positives: int
    negatives: int

    @classmethod
    def plan(cls, positives: int, negatives: int, correlation: float, seed: int) -> "Auc":
        law = prepare(positives, negatives, correlation=correlation, seed=seed)
        return cls(law, positives, negatives)

    def possible(self, theta: Floats) -> Bools:
        return np.ones(theta.size, np.bool_)

    def maximum(self, population: Population) -> MaximumLaw:
        return self.law.maximum(population)

    def exact(self, score: float) -> float:
        return score

    def interval(self, score: float, level: float) -> tuple[float, float]:
        return single_interval(score, self.positives, self.negatives, level)


def clopper_pearson(successes: int, n: int, level: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share.

    Examples
    --------
    >>> low, high = clopper_pearson(2700, 3000, 0.95)
    >>> round(low, 4), round(high, 4)
    (0.8887, 0.9105)
    """
    tail = 0.5 * (1.0 - level)
    low = stats.beta.ppf(tail, successes, n - successes + 1) if successes else 0.0
    high = stats.beta.isf(tail, successes + 1, n - successes) if successes < n else 1.0
    return float(low), float(high)
