"""How alike entries are, seen from how far their scores moved between two boards.

What entries have in common moves all of them, so the less their changes differ, the more they have
in common. Entries that changed by more than luck, made for the public cases or mended since, must
not count much: changes beyond 1.5 standard deviations count as such (Huber's second proposal).
"""

from collections.abc import Callable

import numpy as np
from scipy import optimize, stats

from winodds.arrays import Bools, Floats
from winodds.sota.answer import Expected
from winodds.sota.shakeup.splits import Pooled

FEWEST = 20
"""Entries whose changes begin to tell a correlation."""

CLIP = 1.5
"""Standard deviations beyond which a change counts as if it were no larger."""

LARGEST = 0.999
"""Correlation that is looked at, at most."""


def find_alike(pooled: Pooled, own: Callable[[float], Floats], level: float) -> Expected | None:
    """ρ₀ with which luck alone puts the changes of scores so far apart, with its interval.

    Parameters
    ----------
    pooled : both boards together.
    own : correlation → (m,) standard deviations of changes by luck of an entry's own.
    level : of the interval.

    Returns
    -------
    None where too few entries tell it, or where changes differ by more than independent luck. The
    interval is for entries whose own luck is independent.

    Notes
    -----
    By the better half of the pooled scores, which say nothing about changes.
    """
    alone = own(0.0)
    told = (pooled.score >= np.median(pooled.score)) & (alone > 0.0)
    if told.sum() < FEWEST:
        return None
    share = clipped_variance(pooled.change[told] / alone[told])
    freedom = worth() * (int(told.sum()) - 1)
    tail = 0.5 * (1.0 - level)
    least = share * freedom / float(stats.chi2.isf(tail, freedom))
    most = share * freedom / float(stats.chi2.ppf(tail, freedom))
    if least >= 1.0:
        return None
    low, value, high = (_correlation(own, alone, told, one) for one in (most, share, least))
    return Expected(value, low, high)


def _correlation(own: Callable[[float], Floats], alone: Floats, told: Bools, share: float) -> float:
    """ρ₀ that leaves each entry this share of the variance of its luck, on average."""

    def excess(correlation: float) -> float:
        return float(np.mean((own(correlation)[told] / alone[told]) ** 2)) - share

    if excess(0.0) <= 0.0:
        return 0.0
    return LARGEST if excess(LARGEST) >= 0.0 else float(optimize.brentq(excess, 0.0, LARGEST))


def clipped_variance(values: Floats) -> float:
    """Variance of a normal law around (m,) values, of which the farthest count less.

    Examples
    --------
    >>> values = np.random.default_rng(0).normal(5.0, 2.0, 10_000)
    >>> round(clipped_variance(values), 1), round(clipped_variance(np.append(values, 1e6)), 1)
    (4.0, 4.0)
    """
    usual = _mean_clipped()
    centre, variance = float(np.median(values)), float(np.var(values))
    for _ in range(200):
        reach = CLIP * np.sqrt(variance)
        inside = np.clip(values - centre, -reach, reach)
        step = float(inside.mean())
        found = float((inside**2).mean()) / usual
        # Where most values are equal, nothing is left to be clipped.
        if found <= 0.0 or abs(found - variance) <= 1e-12 * variance:
            return found
        centre, variance = centre + step, found
    return variance


def _mean_clipped() -> float:
    """Mean of min(z², CLIP²) for a standard normal z."""
    inside = 2.0 * stats.norm.cdf(CLIP) - 1.0 - 2.0 * CLIP * stats.norm.pdf(CLIP)
    return float(inside + 2.0 * CLIP**2 * stats.norm.sf(CLIP))


def worth() -> float:
    """How many values of a plain variance one of a clipped variance is worth.

    Examples
    --------
    >>> round(worth(), 2)
    0.73
    """
    inside = float(2.0 * stats.norm.cdf(CLIP) - 1.0 - 2.0 * CLIP * stats.norm.pdf(CLIP))
    fourth = 3.0 * inside - 2.0 * CLIP**3 * float(stats.norm.pdf(CLIP))
    square = fourth + 2.0 * CLIP**4 * float(stats.norm.sf(CLIP))
    # Of the logarithm of the variance, by the slope of the mean in it; 2 for a plain one.
    return 2.0 / ((square - _mean_clipped() ** 2) / inside**2)
