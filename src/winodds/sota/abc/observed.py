"""The observed board: the places that are compared, and the scale on which they are."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from winodds.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class Board:
    """What is observed, and the scale on which it is compared.

    Attributes
    ----------
    ranks : (r,) places on the board that are compared, the first place among them.
    counts : (r,) successes there.
    noise : (r,) how much such scores vary: the standard errors of a score and of the rank.
    """

    n: int
    entries: int
    correlation: float
    chance: float
    ranks: Ints
    counts: Ints
    noise: Floats

    @property
    def se(self) -> float:
        """Standard error of the best score."""
        share = (self.counts[0] + 0.5) / (self.n + 1.0)
        return float(np.sqrt(share * (1.0 - share) / self.n))

    def z(self, count: Floats) -> Floats:
        """The z whose performance is a score."""
        share = ((count + 0.5) / (self.n + 1.0) - self.chance) / (1.0 - self.chance)
        least = 0.5 / (self.n + 1.0)
        return special.logit(np.clip(share, least, 1.0 - least))

    def theta(self, z: Floats) -> Floats:
        """Performances."""
        return self.chance + (1.0 - self.chance) * special.expit(z)

    def width(self, z: Floats) -> Floats:
        """A score's standard error on the scale of z."""
        theta, share = self.theta(z), special.expit(z)
        slope = (1.0 - self.chance) * share * (1.0 - share)
        return np.sqrt(theta * (1.0 - theta) / self.n) / slope


def observe(scores: Floats, n: int, correlation: float, chance: float) -> Board:
    kept = np.sort(scores[scores > chance])[::-1]
    m = kept.size
    if not m:
        raise ValueError(f"None of the {scores.size} scores is above the chance level {chance:g}.")
    ranks = np.unique([1, m // 10 + 1, m // 2 + 1])
    counts = np.rint(kept[ranks - 1] * n).astype(np.int64)
    share = (counts + 0.5) / (n + 1.0)
    place = special.ndtri((ranks - 0.5) / m)
    spread = (share[0] - share[-1]) / usual_gap(m)
    between = spread * np.sqrt(2.0 * np.pi * (ranks - 0.5) * (m - ranks + 0.5) / m**3)
    noise = np.hypot(np.sqrt(share * (1.0 - share) / n), between * np.exp(0.5 * place**2))
    return Board(n, m, correlation, chance, ranks, counts, noise)


def usual_gap(entries: int) -> float:
    """How far the best of normal numbers usually is from their median, in standard deviations."""
    return max(float(special.ndtri(1.0 - 0.5 / entries)), 0.5)
