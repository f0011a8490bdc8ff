"""Tests of pairs: is one player really better than another, alone and among all pairs.

The signs of clusters decide (`winodds.inference.signs`). Where these are too few, a test goes by
the rule of the intervals: the larger p-value of the robust and the model-based error, because the
robust one collapses where rounds happen to agree. Among all pairs, p-values are adjusted by Holm,
by Benjamini and Hochberg, or by flips (`winodds.inference.claims`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy.special import chdtrc, fdtrc, nctdtr, ndtr, stdtrit

from winodds.arrays import EQUAL, Floats
from winodds.inference.contrasts import Contrasts, freedom, small_sample
from winodds.inference.signs import unit_of

Law: TypeAlias = Literal["t", "normal", "F", "chi2"]
TestKind: TypeAlias = Literal["signs", "wald", "likelihood-ratio"]

MANY = 100_000_000
"""Clusters beyond which nobody will wait for two players to separate."""


@dataclass(frozen=True, slots=True)
class Test:
    """A test of one difference.

    Attributes
    ----------
    statistic : t, z, F or χ², as ``law`` says; t and z have the sign of the difference. None where
        all clusters agree, so that t is infinite.
    df : degrees of freedom; those of the denominator for F, whose numerator has 1; None for z.
    p_value : two-sided.
    law : the distribution that the statistic is compared with.
    by : what was tested: "signs" of clusters, "wald" (the interval) or "likelihood-ratio".
    """

    statistic: float | None
    df: float | None
    p_value: float
    law: Law
    by: TestKind = "wald"


# One pair -----------------------------------------------------------------------------------------


def decide_pair(found: Contrasts) -> Test:
    """The test of a single contrast, (1,), with the statistic that decided."""
    if found.signs is None or np.isnan(found.signs[0]):
        return wald(found)
    t, p = float(found.signs[0]), float(found.p_value()[0])
    return Test(t if np.isfinite(t) else None, float(found.df[0]), p, "t", "signs")


def wald(found: Contrasts) -> Test:
    """Wald's test of a single contrast, (1,): the one that goes with its interval."""
    p = float(found.p_of_interval()[0])
    value, model = float(found.value[0]), float(found.model[0])
    differ = abs(value) >= EQUAL
    z = value / model if differ else 0.0
    if found.by_clusters is None:
        return Test(z, None, p, "normal")
    if differ and not found.cut[0] and p == 2.0 * ndtr(-abs(z)):
        return Test(z, None, p, "normal")
    error = float(found.by_clusters[0])
    return Test(value / error if differ else 0.0, float(found.df[0]), p, "t")


def likelihood_ratio_test(ratio: float, found: Contrasts, model_scale: float) -> Test:
    """The test of a single contrast, (1,), from twice the log-likelihood that equality costs.

    Matches are not independent, so their likelihood is a composite one, and the ratio is scaled by
    how much the model understates the contrast's variance. ``model_scale`` is the factor on
    model-based variances that ``found`` has and the likelihood has not.
    """
    by_model = ratio / model_scale if abs(found.value[0]) >= EQUAL else 0.0
    p_model = float(chdtrc(1.0, by_model))
    if found.by_clusters is None:
        return Test(by_model, 1.0, p_model, "chi2", "likelihood-ratio")
    model, error, df = (float(x[0]) for x in (found.model, found.by_clusters, found.df))
    scaled = 0.0
    if by_model:
        scaled = by_model * (model / error) ** 2 if error else float("inf")
    p = float(fdtrc(1.0, df, scaled))
    if p_model > p and not found.cut[0]:
        return Test(by_model, 1.0, p_model, "chi2", "likelihood-ratio")
    return Test(scaled, df, p, "F", "likelihood-ratio")


def clusters_needed(
    value: float,
    se: float,
    clusters: int,
    *,
    level: float,
    power: float,
    overlap: float = 1.0,
) -> int:
    """Clusters with which the difference would be seen at ``level`` with ``power``; 0 for never.

    Takes the difference as it is estimated, and the error as falling with the square root of the
    number of clusters. ``se`` is the error with as many ``clusters`` as there are. ``overlap`` is
    the factor on its square for splits that share training data; what that adds does not fall.
    """
    if value == 0.0:
        return 0
    size = abs(value) * np.sqrt(overlap / clusters) / se
    lasting = (overlap - 1.0) / clusters

    def enough(number: int) -> bool:
        df = freedom(float(number))
        limit = float(stdtrit(df, 0.5 + 0.5 * level))
        away = size / np.sqrt(1.0 / number + lasting)
        if number > 1000:
            return bool(ndtr(away - limit) + ndtr(-away - limit) >= power)
        missed = nctdtr(df, away, limit) - nctdtr(df, away, -limit)
        return bool(1.0 - missed >= power)

    return smallest(enough, 2)


def clusters_needed_by_signs(contributions: Floats, *, level: float, power: float) -> int:
    """Clusters with which a sign test of a pair sees the difference with ``power``; 0 for never.

    ``contributions`` (G,) are what each cluster says of the difference, such as wins of the one
    minus wins of the other. If the difference is what it seems, n new clusters like these have
    u = ΣD/√ΣD² about √n ρ, with an error τ that follows from the contributions' skewness and
    kurtosis: wins are bounded, and where one player mostly wins they are far from normal. The
    variance comes from G clusters, so the normal law becomes a noncentral t. Its degrees of
    freedom are those of a variance with this kurtosis when the mean is known; of two players, wins
    and losses are all there is, and the mean tells the variance.
    """
    clusters = float(contributions.size)
    spread = float(contributions.std()) * np.sqrt(small_sample(clusters))
    mean = abs(float(contributions.mean()))
    fewest = _fewest_for_signs(level)
    if mean < EQUAL * max(spread, 1.0):
        return 0
    if spread < EQUAL * mean:
        return fewest
    size = mean / np.hypot(mean, spread)
    error, df = _error_of_size(contributions, size)
    # The test takes one unit of the contributions off their sum.
    gap = unit_of(np.abs(contributions)) / float(np.sqrt((contributions**2).mean()))

    def enough(number: int) -> bool:
        limit = _limit_of_signs(float(number), level) + gap / np.sqrt(number)
        if df > 1000.0:
            return bool(ndtr((np.sqrt(number) * size - limit) / error) >= power)
        return bool(nctdtr(df, limit / error, np.sqrt(number) * size / error) >= power)

    return smallest(enough, fewest)


def _fewest_for_signs(level: float) -> int:
    """Clusters whose signs can decide at all: 2^−(n − 1) is at most 1 − level."""
    return int(np.ceil(1.0 - np.log2(1.0 - level) - EQUAL))


def _limit_of_signs(number: float, level: float) -> float:
    """The u = ΣD/√ΣD² of so many clusters from which on t tells a pair apart."""
    df = freedom(number)
    t = float(stdtrit(df, 0.5 + 0.5 * level))
    return t * float(np.sqrt(number / (df + t**2)))


def _error_of_size(contributions: Floats, size: float) -> tuple[float, float]:
    """Standard error of √n u/√n = mean/root mean square, and what its variance's df are."""
    scaled = contributions / np.sqrt((contributions**2).mean())
    z = (contributions - contributions.mean()) / contributions.std()
    skewness, kurtosis = float((z**3).mean()), float((z**4).mean())
    beyond = max(kurtosis - 1.0 - skewness**2, EQUAL)
    df = freedom(float(contributions.size))
    error = float((np.sign(scaled.mean()) * scaled - 0.5 * size * scaled**2).std())
    return max(error, EQUAL), df * max(2.0 / beyond, 1.0)


def smallest(enough: Callable[[int], bool], low: int) -> int:
    """The smallest number that is enough, looked for from ``low`` on; 0 where none is."""
    low, high = low - 1, low
    while not enough(high):
        low, high = high, 2 * high
        if high > MANY:
            return 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


# All pairs ----------------------------------------------------------------------------------------


def holm(p: Floats) -> Floats:
    """(k,) Holm's adjusted p-values: the chance of any false claim stays below the level."""
    return _step_down(p, np.arange(p.size, 0.0, -1.0))


def benjamini_hochberg(p: Floats) -> Floats:
    """(k,) adjusted p-values: the expected share of false claims stays below the level."""
    order = np.argsort(p, kind="stable")
    steps = np.minimum(p[order] * p.size / np.arange(1, p.size + 1), 1.0)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum.accumulate(steps[::-1])[::-1]
    return adjusted


def _step_down(p: Floats, factors: Floats) -> Floats:
    """(k,) p-values times their factors, the smallest first, and never below one before them."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(np.minimum(p[order] * factors, 1.0))
    return adjusted
