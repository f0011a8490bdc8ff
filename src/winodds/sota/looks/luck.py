"""The luck of the best of several submissions of one entry.

An entry that shows the best of k scores is lucky before it is compared with others. Its submissions
are taken as equally good; what they have in common moves them all, and of what is left the best is
picked. With r the correlation of two submissions of one entry, σ² the variance of a score and e(k),
v(k) expectation and variance of the largest of k standard normals, the best of k scores is

    θ + e(k) √(1 − r) σ   on average, with variance   (r + (1 − r) v(k)) σ².

The first is taken off. The second is less than that of one score, as if the test set were larger
and entries more alike: a contest that all that follows can look at as at any other.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr

from winodds.arrays import Floats, Ints

STEPS = 4001
REACH = 9.0
"""Ends of the integrals over the largest of k standard normals."""

ROUNDS = 40
"""Steps towards the performance that is expected to score as was seen."""


@dataclass(frozen=True, slots=True)
class Largest:
    """Expectation and variance of the largest of k standard normals.

    >>> found = largest_of(np.array([1, 2, 3]))
    >>> found.mean.round(4).tolist(), found.variance.round(4).tolist()
    ([0.0, 0.5642, 0.8463], [1.0, 0.6817, 0.5595])
    """

    mean: Floats
    variance: Floats


def largest_of(looks: Ints) -> Largest:
    """Moments for numbers of looks (m,), each at least 1."""
    different, place = np.unique(looks, return_inverse=True)
    x = np.linspace(-REACH, REACH, STEPS)
    middle = 0.5 * (x[1:] + x[:-1])
    mass = np.diff(np.exp(different[:, None] * log_ndtr(x)), axis=1)
    mean = mass @ middle
    variance = mass @ middle**2 - mean**2
    # What one look has is known, and the steps are not to be seen in it.
    mean, variance = np.where(different == 1, 0.0, mean), np.where(different == 1, 1.0, variance)
    return Largest(mean[place], variance[place])


def as_once(
    scores: Floats, looks: Ints, alike: float, spread: Callable[[Floats], Floats]
) -> Floats:
    """Scores (m,) without the luck of having been the best of so many looks.

    Parameters
    ----------
    scores : more is better.
    looks : (m,) how many scores each is the best of.
    alike : correlation of two submissions of one entry.
    spread : the standard deviation of one score of performances.
    """
    ahead = largest_of(looks).mean * np.sqrt(1.0 - alike)
    theta = scores
    for _ in range(ROUNDS):
        theta = scores - ahead * spread(theta)
    return np.where(looks == 1, scores, theta)


def variance_left(looks: Ints, alike: float) -> Floats:
    """(m,) variance of the best of so many looks, in that of one score."""
    return np.asarray(alike + (1.0 - alike) * largest_of(looks).variance)
