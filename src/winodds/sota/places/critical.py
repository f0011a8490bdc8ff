"""How far apart scores must be, when many pairs are looked at.

Of m equally good entries some k deserve the first places, and luck decides which scores they get.
A claim against one of them is wrong, and none is made as long as the best score is at most c
standard deviations above the lowest score of the k. With k = 1 this is the constant of Dunnett
(and of Hsu's comparisons with the best), with k = m the studentised range of Tukey.
"""

import numpy as np
from scipy import optimize, special, stats

NODES = np.linspace(-10.0, 10.0, 2001)
"""Where the lowest score of the k may lie, in standard deviations."""


def critical_range(players: int, places: int, level: float) -> float:
    """How much better than one of the k best the best score is at most, in standard deviations.

    Parameters
    ----------
    players : m, two or more.
    places : k, from 1 to m.
    level : probability that it is at most so much better.

    Examples
    --------
    >>> round(critical_range(2, 1, 0.95), 3), round(critical_range(10, 10, 0.95), 3)
    (2.326, 4.474)
    """
    density = stats.norm.pdf(NODES) * places * (NODES[1] - NODES[0])

    def excess(limit: float) -> float:
        between = special.ndtr(-NODES) - special.ndtr(-NODES - limit)
        between = np.log(np.maximum(between, 1e-300))
        others = (players - places) * special.log_ndtr(NODES + limit)
        return float(density @ np.exp((places - 1) * between + others)) - level

    return float(optimize.brentq(excess, 1e-6, 40.0, xtol=1e-10))
