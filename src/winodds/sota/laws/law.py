"""The law of the largest of many scores: its cdf, and what follows from it."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats

SLACK = 1e-12
"""Values that differ by no more are the same."""


@dataclass(frozen=True, slots=True)
class MaximumLaw:
    """The law of the largest score, on the values that carry its mass.

    Attributes
    ----------
    values : (k,) scores in increasing order.
    log_cdf : (k,) logarithm of the probability that the largest score is at most the value; below
        the first value it is nothing, at the last one everything, up to about 1e-11.
    best : expected performance of the best entry, which the largest score is taken for.
    """

    values: Floats
    log_cdf: Floats
    best: float

    @property
    def cdf(self) -> Floats:
        """(k,) probability that the largest score is at most the value."""
        return np.exp(self.log_cdf)

    @property
    def pmf(self) -> Floats:
        """(k,) probability that it is the value itself."""
        return np.diff(self.cdf, prepend=0.0)

    @property
    def mean(self) -> float:
        """Expectation of the largest score."""
        above = -np.expm1(self.log_cdf[:-1])
        return float(self.values[0] + above @ np.diff(self.values))

    @property
    def sd(self) -> float:
        """Standard deviation of the largest score."""
        square = float(self.pmf @ (self.values - self.mean) ** 2)
        return float(np.sqrt(max(square, 0.0)))

    @property
    def bias(self) -> float:
        """By how much the largest score, on average, is more than the best entry's performance."""
        return self.mean - self.best

    def quantile(self, share: float) -> float:
        """The smallest value that the largest score exceeds with at most 1 − ``share``."""
        place = int(np.searchsorted(self.cdf, share))
        return float(self.values[min(place, self.values.size - 1)])

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The central interval."""
        return self.quantile(0.5 * (1.0 - level)), self.quantile(0.5 * (1.0 + level))

    def at_most(self, value: float) -> float:
        """Probability that the largest score is at most the value."""
        place = int(np.searchsorted(self.values, value + SLACK, side="right"))
        return float(np.exp(self.log_cdf[place - 1])) if place else 0.0

    def at_least(self, value: float) -> float:
        """Probability that the largest score is at least the value."""
        place = int(np.searchsorted(self.values, value - SLACK))
        return float(-np.expm1(self.log_cdf[place - 1])) if place else 1.0
