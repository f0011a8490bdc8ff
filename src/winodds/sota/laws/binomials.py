"""Binomial laws and sums of two, for many sizes and chances at once.

Each law is a row: where its window begins, and the probabilities in it. They grow from the mode by
the ratio of neighbours, which keeps about twelve digits for a million trials, where logarithms of
factorials keep nine. Where fewer digits will do, a saddlepoint gives one tail of a sum at a time.
"""

from dataclasses import dataclass

import numpy as np
from scipy import fft, special

from winodds.arrays import Floats, Ints

REACH = 8.5
"""Half of a window in standard deviations; what is left out is below 1e-16."""

MARGIN = 12
"""More values, for laws so small or lopsided that standard deviations say little."""

TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Windows:
    """Laws on whole numbers.

    Attributes
    ----------
    first : (r,) the first number of each window.
    mass : (r, k) probabilities of the numbers from there on.
    """

    first: Ints
    mass: Floats

    def survival(self, start: Ints, size: int) -> Floats:
        """(r, size) probability of more than ``start``, ``start`` + 1, …, for starts (r,)."""
        rows, width = self.mass.shape
        # above[:, k] is the probability of more than first + k − 1.
        above = np.zeros((rows, width + 1))
        above[:, :-1] = np.cumsum(self.mass[:, ::-1], axis=1)[:, ::-1]
        # What convolution leaves beside the truth must not become chances.
        np.clip(above, 0.0, 1.0, out=above)
        above[:, 0] = 1.0
        place = (start - self.first + 1)[:, None] + np.arange(size)
        return np.take_along_axis(above, np.clip(place, 0, width), axis=1)


def binomials(trials: Ints, chance: Floats) -> Windows:
    """Laws of the number of successes, for (r,) trials with (r,) chances each."""
    chance, trials = np.broadcast_arrays(chance, trials)
    sd = np.sqrt(trials * chance * (1.0 - chance))
    half = int(REACH * sd.max(initial=0.0)) + MARGIN
    half = min(half, int(trials.max(initial=0)) + 1)
    mode = np.clip(np.floor((trials + 1) * chance), 0, trials).astype(np.int64)
    odds = np.maximum(chance, TINY) / np.maximum(1.0 - chance, TINY)
    step = np.arange(1, half + 1)
    above = mode[:, None] + step
    up = np.maximum(trials[:, None] - above + 1, 0) / above * odds[:, None]
    below = mode[:, None] - step
    down = np.maximum(below + 1, 0) / (trials[:, None] - below) / odds[:, None]
    mass = np.empty((mode.size, 2 * half + 1))
    mass[:, half] = 1.0
    mass[:, half + 1 :] = np.cumprod(up, axis=1)
    mass[:, :half] = np.cumprod(down, axis=1)[:, ::-1]
    mass /= mass.sum(axis=1, keepdims=True)
    return Windows(mode - half, mass)


def add(a: Windows, b: Windows) -> Windows:
    """Laws of the sums of two independent numbers, row by row."""
    width = a.mass.shape[1] + b.mass.shape[1] - 1
    size = fft.next_fast_len(width, real=True)
    product = fft.rfft(a.mass, size) * fft.rfft(b.mass, size)
    return Windows(a.first + b.first, fft.irfft(product, size)[:, :width])


def at_least(count: Floats, number: Ints, n: int, easy: Floats, hard: Floats) -> Floats:
    """Probability of at least ``count`` successes, ``number`` trials being easy and the rest hard.

    The saddlepoint approximation of Lugannani and Rice for whole numbers, whose equation is
    quadratic for two binomial laws.
    """
    tiny = 1e-12
    easy, hard = np.clip(easy, tiny, 1.0 - tiny), np.clip(hard, tiny, 1.0 - tiny)
    y = np.clip(count, 1, n) - 0.5
    a, b = easy / (1.0 - easy), hard / (1.0 - hard)
    rest = n - number
    middle = y * (a + b) - number * a - rest * b
    root = np.sqrt(middle**2 + 4.0 * a * b * (n - y) * y)
    # The sum without cancellation, for either sign.
    tilt = np.where(
        middle >= 0.0,
        (middle + root) / (2.0 * a * b * (n - y)),
        2.0 * y / np.maximum(root - middle, 1e-300),
    )
    s = np.log(tilt)
    p, q = a * tilt / (1.0 + a * tilt), b * tilt / (1.0 + b * tilt)
    variance = number * p * (1.0 - p) + rest * q * (1.0 - q)
    cumulant = number * np.log1p(easy * (tilt - 1.0)) + rest * np.log1p(hard * (tilt - 1.0))
    w = np.copysign(np.sqrt(2.0 * np.maximum(s * y - cumulant, 0.0)), s)
    u = 2.0 * np.sinh(0.5 * s) * np.sqrt(variance)
    third = number * p * (1.0 - p) * (1.0 - 2.0 * p) + rest * q * (1.0 - q) * (1.0 - 2.0 * q)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = 1.0 / u - 1.0 / w
    change = np.where(np.abs(w) < 1e-3, -third / (6.0 * variance**1.5), change)
    share = special.ndtr(-w) + np.exp(-0.5 * w**2) / np.sqrt(2.0 * np.pi) * change
    share = np.clip(share, 0.0, 1.0)
    return np.where(count <= 0, 1.0, np.where(count > n, 0.0, share))
