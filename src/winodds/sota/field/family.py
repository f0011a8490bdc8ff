"""Populations of true performances that leave room for a few who are ahead of all others.

Most entries follow a normal law whose two sides have spreads of their own: on most boards a short
side leads to the top and a long one down. A few are in a long tail above its mode, half a
Student law with two degrees of freedom. Nothing here looks at scores.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from winodds.arrays import Floats

TAIL = 8.0
"""Scale of the long tail, in those of the upper side and of luck together: nearly flat."""

MOST_IN_TAIL = 0.5
"""Share of the entries in the tail at most."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Populations, p of them.

    Attributes
    ----------
    mode, upper, lower : (p,) the mode and the spreads of both sides.
    tail : (p,) share of the entries in the long tail.
    luck : standard deviation of a score around its performance, for the tail's scale.
    """

    mode: Floats
    upper: Floats
    lower: Floats
    tail: Floats
    luck: float

    def masses(self, edges: Floats) -> Floats:
        """(p, k + 1) probabilities of the cells between edges (k,), and beyond both ends."""
        away = edges - self.mode[:, None]
        tail = np.minimum(self.tail, MOST_IN_TAIL)[:, None]
        below = (1.0 - tail) * self._bulk(away) + tail * self._long(away)
        ends = np.zeros((below.shape[0], 1))
        return np.diff(np.concatenate([ends, below, ends + 1.0], axis=1), axis=1)

    def _bulk(self, away: Floats) -> Floats:
        upper, lower = self.upper[:, None], self.lower[:, None]
        spread = np.where(away < 0.0, lower, upper)
        return (lower + 2.0 * spread * (ndtr(away / spread) - 0.5)) / (upper + lower)

    def _long(self, away: Floats) -> Floats:
        scale = TAIL * np.hypot(self.luck, self.upper)[:, None]
        far = np.maximum(away, 0.0) / scale
        return np.asarray(far / np.sqrt(2.0 + far**2))
