"""How far apart the better scores are, compared with how far luck alone puts them."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from winodds.arrays import Floats

UNLIKELY = 0.01
"""Chance of scores that lie so close together."""

HALF_NORMAL = 1.0 - 2.0 / np.pi
"""Variance of the upper half of a normal law with variance 1."""

FEWEST = 5
"""Scores whose spread begins to tell anything."""


@dataclass(frozen=True, slots=True)
class Closeness:
    """Variance of the upper half of the scores, in that of luck, and whether luck makes more."""

    ratio: float
    too_close: bool


def closeness(scores: Floats, n: int, correlation: float) -> Closeness | None:
    """Whether scores (m,) on n cases are closer than luck, or None where nothing tells.

    The lower half is often made of abandoned entries.
    """
    upper = scores[scores >= np.median(scores)]
    theta = float(upper.mean())
    luck = HALF_NORMAL * (1.0 - correlation**2) * theta * (1.0 - theta) / n
    if upper.size < FEWEST or luck == 0.0:
        return None
    ratio = float(np.var(upper, ddof=1)) / luck
    limit = float(stats.chi2.ppf(UNLIKELY, upper.size - 1)) / (upper.size - 1)
    return Closeness(ratio, ratio < limit)
