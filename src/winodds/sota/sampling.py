"""How scores vary around performances: the laws that an estimate can rest on."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import special, stats

from winodds.arrays import Bools, Floats
from winodds.sota.auc.auc import AucSampling, prepare, single_interval
from winodds.sota.auc.binormal import Model
from winodds.sota.field.seen import Noise
from winodds.sota.laws.dependence import correlations, possible
from winodds.sota.laws.law import MaximumLaw
from winodds.sota.laws.maximum import maximum_law, normal_maximum
from winodds.sota.laws.populations import Population


class Sampling(Noise, Protocol):
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
    best: float = 1.0

    @property
    def top(self) -> float:
        return 1.0

    def own(self, theta: Floats) -> Floats:
        inside = self._inside(theta)
        rest = 1.0 - self._correlations(inside) ** 2
        return np.asarray(np.sqrt(rest * inside * (1.0 - inside) / self.n))

    def shared(self, theta: Floats) -> Floats:
        inside = self._inside(theta)
        return np.asarray(
            self._correlations(inside) * np.sqrt(inside * (1.0 - inside) / self.n), np.float64
        )

    def log_likelihood(self, theta: Floats, scores: Floats) -> Floats:
        """As if more cases were drawn one by one: so many as give the standard deviation."""
        inside = np.clip(theta, 1e-12, 1.0 - 1e-12)[:, None]
        cases = self.n / (1.0 - self._correlations(theta)[:, None] ** 2)
        # Relative to a performance as good as the score, which any number of cases leaves alone.
        short = special.rel_entr(scores, inside) + special.rel_entr(1.0 - scores, 1.0 - inside)
        return np.asarray(0.5 * np.log(cases) - cases * short)

    def below(self, theta: Floats, score: float) -> Floats:
        return np.asarray(special.ndtr((score - theta) / self.own(theta)))

    def _inside(self, theta: Floats) -> Floats:
        """Performances that leave at least half a mistake, and half a success."""
        return np.clip(theta, 0.5 / self.n, 1.0 - 0.5 / self.n)

    def _correlations(self, theta: Floats) -> Floats:
        return correlations(
            self._inside(theta), min(self.best, 1.0 - 0.5 / self.n), self.correlation
        )

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

    @property
    def top(self) -> float:
        return np.inf

    def own(self, theta: Floats) -> Floats:
        return np.full(theta.size, self.se * np.sqrt(1.0 - self.correlation**2))

    def shared(self, theta: Floats) -> Floats:
        return np.full(theta.size, self.se * self.correlation)

    def log_likelihood(self, theta: Floats, scores: Floats) -> Floats:
        return _normal_log_likelihood(theta, scores, self.own(theta))

    def below(self, theta: Floats, score: float) -> Floats:
        return np.asarray(special.ndtr((score - theta) / self.own(theta)))

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
class AucNoise:
    """How areas under ROC curves of binormal scores vary."""

    positives: int
    negatives: int
    correlation: float

    @property
    def top(self) -> float:
        return 1.0

    def own(self, theta: Floats) -> Floats:
        return self._deviations(theta)[0]

    def shared(self, theta: Floats) -> Floats:
        return self._deviations(theta)[1]

    def log_likelihood(self, theta: Floats, scores: Floats) -> Floats:
        return _normal_log_likelihood(theta, scores, self.own(theta))

    def below(self, theta: Floats, score: float) -> Floats:
        return np.asarray(special.ndtr((score - theta) / self.own(theta)))

    def _deviations(self, theta: Floats) -> tuple[Floats, Floats]:
        few, many = sorted((self.positives, self.negatives))
        model = Model(few, many, self.correlation, self.correlation)
        # Half a pair in the wrong order is the least that can be told from none.
        edge = 0.5 / model.pairs
        return model.deviations(special.ndtri(np.clip(theta, edge, 1.0 - edge)))


@dataclass(frozen=True, slots=True)
class Auc(AucNoise):
    """Areas under ROC curves of binormal scores."""

    law: AucSampling

    @classmethod
    def plan(cls, positives: int, negatives: int, correlation: float, seed: int) -> "Auc":
        law = prepare(positives, negatives, correlation=correlation, seed=seed)
        return cls(positives, negatives, correlation, law)

    def possible(self, theta: Floats) -> Bools:
        return np.ones(theta.size, np.bool_)

    def maximum(self, population: Population) -> MaximumLaw:
        return self.law.maximum(population)

    def exact(self, score: float) -> float:
        return score

    def interval(self, score: float, level: float) -> tuple[float, float]:
        return single_interval(score, self.positives, self.negatives, level)


def _normal_log_likelihood(theta: Floats, scores: Floats, own: Floats) -> Floats:
    away = (scores - theta[:, None]) / own[:, None]
    return np.asarray(-0.5 * away**2 - np.log(own)[:, None])


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
