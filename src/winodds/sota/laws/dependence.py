"""How entries depend on each other: a common variable Y₀ that each case is easy or hard.

Boland, Proschan and Tong (1989): whether entry j is right on a case has correlation ρ₀ with Y₀, and
entries are independent given Y₀. So any two entries have correlation ρ₀² with each other.
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Bools, Floats


def chances_given(theta: Floats, common: float, correlation: float) -> tuple[Floats, Floats]:
    """Chances to be right on a case that is easy (Y₀ = 1), and on one that is hard.

    Parameters
    ----------
    theta : performances.
    common : share of easy cases, θ₀.
    correlation : ρ₀.

    Notes
    -----
    Where `possible` says no, they are as far apart as can be: an entry keeps its performance, and
    has as much correlation as it can have.
    """
    # A share of 0 or 1 leaves nothing to be correlated with.
    odds = common / (1.0 - common) if 0.0 < common < 1.0 else 1.0
    root = np.sqrt(odds)
    spread = correlation * np.sqrt(theta * (1.0 - theta))
    spread = np.minimum(spread, np.minimum(theta / root, (1.0 - theta) * root))
    return np.clip(theta + spread / root, 0.0, 1.0), np.clip(theta - spread * root, 0.0, 1.0)


def limits(common: float, correlation: float) -> tuple[float, float]:
    """Least and greatest performance that can have this correlation with Y₀.

    Examples
    --------
    >>> low, high = limits(0.9, 0.6)
    >>> round(low, 4), round(high, 4)
    (0.7642, 0.9615)
    """
    if not 0.0 < common < 1.0 or correlation == 0.0:
        return 0.0, 1.0
    odds = common / (1.0 - common)
    square = correlation**2
    return square * odds / (1.0 + square * odds), odds / (odds + square)


def possible(theta: Floats, common: float, correlation: float) -> Bools:
    """Which performances can have this correlation with Y₀."""
    low, high = limits(common, correlation)
    slack = 1e-12
    inside: Bools = (theta >= low - slack) & (theta <= high + slack)
    return inside


def largest_correlation(theta: float, common: float) -> float:
    """The largest correlation that a performance can have with Y₀ of this share.

    Examples
    --------
    >>> round(largest_correlation(0.8, 0.9), 3), largest_correlation(0.9, 0.9)
    (0.667, 1.0)
    """
    if theta == common:
        return 1.0
    if not 0.0 < theta < 1.0 or not 0.0 < common < 1.0:
        return 0.0
    low, high = sorted((theta / (1.0 - theta), common / (1.0 - common)))
    return float(np.sqrt(low / high))


def correlations(theta: Floats, common: float, correlation: float) -> Floats:
    """ρ₀ of each performance, or as much as it can have with Y₀ of this share.

    Examples
    --------
    >>> correlations(np.array([0.2, 0.8, 0.9]), 0.9, 0.7).round(3).tolist()
    [0.167, 0.667, 0.7]
    """
    if not 0.0 < common < 1.0:
        return np.full(theta.shape, correlation)
    odds, own = common / (1.0 - common), theta / (1.0 - theta)
    largest = np.sqrt(np.minimum(odds, own) / np.maximum(odds, own))
    return np.asarray(np.minimum(correlation, largest))


def correlation_from_similarity(similarity: float, theta: float) -> tuple[float, float]:
    """Correlation of two entries, and ρ₀, from how often both are right or both wrong.

    Parameters
    ----------
    similarity : share of cases on which two entries are both right or both wrong.
    theta : their performance.

    Returns
    -------
    The first is negative, and the second NaN, when independent entries would agree more often.

    Examples
    --------
    >>> pair, common = correlation_from_similarity(0.85, 0.756)
    >>> round(pair, 3), round(common, 3)
    (0.593, 0.77)
    """
    pair = (similarity - theta**2 - (1.0 - theta) ** 2) / (2.0 * theta * (1.0 - theta))
    return pair, float(np.sqrt(pair)) if pair >= 0.0 else float("nan")


@dataclass(frozen=True, slots=True)
class ItemCorrelation:
    """Correlation between entries, estimated from what each got right.

    Attributes
    ----------
    pair : mean correlation of two entries.
    common : ρ₀, its root; 0 when the mean is negative.
    se : standard error of ρ₀, from how much cases disagree; NaN when ρ₀ is 0.
    entries, items : how many took part; entries that are always right, or always wrong, do not.
    """

    pair: float
    common: float
    se: float
    entries: int
    items: int


def correlation_from_items(right: Bools) -> ItemCorrelation:
    """ρ₀ from a table of right and wrong.

    Parameters
    ----------
    right : (m, n) whether an entry was right on a case.
    """
    n = right.shape[1]
    share = right.sum(axis=1) / max(n, 1)
    varied = (share > 0.0) & (share < 1.0)
    m = int(varied.sum())
    if m < 2:
        return ItemCorrelation(float("nan"), float("nan"), float("nan"), m, n)
    centred = right[varied] - share[varied, None]
    z = centred / np.sqrt(share[varied] * (1.0 - share[varied]))[:, None]
    total, squares = z.sum(axis=0), z**2
    pairs = m * (m - 1)
    # Sum of an entry's correlations with the others, without a table of all pairs.
    with_others = z @ total / n - 1.0
    pair = float(with_others.sum() / pairs)
    influence = (total**2 - squares.sum(axis=0) - with_others @ squares) / pairs
    common = float(np.sqrt(max(pair, 0.0)))
    se_pair = float(np.sqrt((influence @ influence) / n / (n - 1))) if n > 1 else float("nan")
    return ItemCorrelation(pair, common, se_pair / (2.0 * common) if common else np.nan, m, n)
