"""Ratings or differences with their errors, and the laws by which these are judged.

Degrees of freedom belong to a contrast. Everything that needs a quantile or a p-value asks the
contrast for it, so that how many degrees of freedom there are is decided in one place.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from winodds.arrays import EQUAL, Bools, Floats, Ints

Number = TypeVar("Number", float, Floats)


def freedom(clusters: Number) -> Number:
    """Degrees of freedom of an error that rests on so many clusters, one number or many."""
    return clusters - 1.0


def small_sample(clusters: Number) -> Number:
    """G/(G − 1): what makes a variance of the squared influences of G clusters."""
    return clusters / (clusters - 1.0)


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Ratings or differences with their standard errors, all of one shape.

    Attributes
    ----------
    value : the estimates.
    model : model-based standard errors.
    robust : cluster-robust standard errors, or None where only model-based ones are wanted.
    units : number of clusters that the robust error rests on, at least 2.
    df : degrees of freedom of the robust error.
    cut : whether an end of the interval is open.
    signs : t of the clusters' signs where these decide, NaN elsewhere; None where they never do.
    """

    value: Floats
    model: Floats
    robust: Floats | None
    units: Ints
    df: Floats
    cut: Bools
    signs: Floats | None = None

    @property
    def se(self) -> Floats:
        """The larger of the two errors."""
        return self.model if self.robust is None else np.maximum(self.model, self.robust)

    @property
    def by_clusters(self) -> Floats | None:
        """The error that goes with t: the robust one, and across a cut the larger of the two."""
        return None if self.robust is None else np.where(self.cut, self.se, self.robust)

    def quantile(self, tail: float) -> Floats:
        """Quantiles of t, for each of few different degrees of freedom."""
        if not self.df.size:
            return np.empty(self.df.shape)
        few, many = float(self.df.min()), float(self.df.max())
        if few == many:
            return np.full(self.df.shape, stdtrit(few, tail))
        different, index = np.unique(self.df, return_inverse=True)
        quantiles = np.asarray(stdtrit(different, tail), np.float64)
        return quantiles[index.reshape(self.df.shape)]

    def half_width(self, level: float) -> Floats:
        """Half of an interval: the larger of the robust and the model-based one."""
        tail = 0.5 + 0.5 * level
        half: Floats = ndtri(tail) * self.model
        error = self.by_clusters
        if error is None:
            return half
        robust = self.quantile(tail) * error
        return np.where(self.cut, robust, np.maximum(half, robust))

    def p_value(self) -> Floats:
        """Two-sided p-values; 1 where there is no difference.

        Where the signs of clusters decide, they are those of t, but never below 2^−df, the least
        that so many signs can give. Elsewhere they are those of the interval.
        """
        p = self.p_of_interval()
        if self.signs is None:
            return p
        by_signs = np.maximum(2.0 * stdtr(self.df, -np.abs(self.signs)), 0.5**self.df)
        by_signs = np.where(self.signs == 0.0, 1.0, by_signs)
        return np.where(np.isnan(self.signs), p, by_signs)

    def p_of_interval(self) -> Floats:
        """Two-sided p-values by the rule of intervals, whether or not signs decide."""
        size, error = np.abs(self.value), self.by_clusters
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2.0 * ndtr(-size / self.model)
            if error is not None:
                robust = 2.0 * stdtr(self.df, -size / error)
                p = np.where(self.cut, robust, np.maximum(p, robust))
        return np.where(size < EQUAL, 1.0, p)


def told_apart(p: Floats, level: float) -> Bools:
    """Where p-values tell that there is a difference, of their shape."""
    apart: Bools = p * (1.0 - EQUAL) <= 1.0 - level
    return apart
