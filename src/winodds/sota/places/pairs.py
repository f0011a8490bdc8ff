"""Is one entry better than another? By a law of scores, or by the cases on which they differ."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import stats

from winodds.arrays import Bools, Floats, Ints
from winodds.sota.field.seen import Noise
from winodds.sota.places.critical import critical_range


class Pairs(Protocol):
    """Scores in decreasing order, and who is better than whom."""

    def beaten(self, places: int, level: float) -> "Beaten":
        """Who is told apart when claims against the k best may be wrong with 1 - level."""


@dataclass(frozen=True, slots=True)
class Beaten:
    """What is told apart, of entries in decreasing order of scores.

    Attributes
    ----------
    by : (m,) how many entries each is worse than.
    of : (m,) how many entries each is better than.
    first : (m,) place, from 0, of the first entry that each is better than; m without one.
    """

    by: Ints
    of: Ints
    first: Ints


@dataclass(frozen=True, slots=True)
class Modelled:
    """Pairs of which only the scores are known.

    Two entries that are equally good differ by luck alone, of which they share a part. For
    accuracies so many cases are a plus or a minus for the first, and the difference has the tail
    of a sum of these (a saddlepoint approximation); other differences are normal.

    Attributes
    ----------
    scores : (m,) in decreasing order.
    noise : how scores vary.
    n : size of the test set for accuracies, else None.
    unit : of the last decimal, if scores were cut off or rounded; 0 for scores as they are. So
        much less may lie between two of them.
    """

    scores: Floats
    noise: Noise
    n: int | None
    unit: float = 0.0

    def beaten(self, places: int, level: float) -> Beaten:
        size = self.scores.size
        limit = critical_range(size, places, level) / np.sqrt(2.0)
        values, start = np.unique(-self.scores, return_index=True)
        values = -values
        # How many of the different scores are not below each by more than luck: by halving.
        low = np.arange(values.size)
        high = np.full(values.size, values.size)
        while (high - low > 1).any():
            middle = np.minimum((low + high) // 2, values.size - 1)
            apart = self.away(values, values[middle]) > limit
            step = high - low > 1
            high = np.where(step & apart, middle, high)
            low = np.where(step & ~apart, middle, low)
        ends = np.append(start, size)[high]
        first = np.repeat(ends, np.diff(np.append(start, size)))
        by = np.searchsorted(first, np.arange(size), side="right")
        return Beaten(by.astype(np.int64), size - first, first)

    def away(self, better: Floats, worse: Floats) -> Floats:
        """How unlikely differences are between equally good entries, as a normal quantile."""
        own = self.noise.own(0.5 * (better + worse))
        apart = np.maximum(better - worse - self.unit, 0.0)
        if self.n is None:
            return np.asarray(apart / (np.sqrt(2.0) * own))
        # Between scores that were cut off lies any number of cases from the least on.
        steps = np.ceil(apart * self.n - 1e-6) if self.unit else np.round(apart * self.n)
        return np.where(steps > 0.0, _of_steps(np.maximum(steps, 1.0), self.n, own**2 * self.n), 0)


def _of_steps(steps: Floats, n: int, chance: Floats) -> Floats:
    """P(sum ≥ steps) as a normal quantile, of n cases that are 1 or -1, each with this chance.

    Lugannani and Rice's approximation for lattices, in Barndorff-Nielsen's form.
    """
    mean = (steps - 0.5) / n
    still = 1.0 - 2.0 * chance
    root = np.sqrt((mean * still) ** 2 + 4.0 * chance**2 * (1.0 - mean**2))
    tilt = np.log((mean * still + root) / (2.0 * chance * (1.0 - mean)))
    total = still + 2.0 * chance * np.cosh(tilt)
    curve = n * (2.0 * chance * np.cosh(tilt) / total - mean**2)
    signed = np.sqrt(2.0 * n * np.maximum(tilt * mean - np.log(total), 0.0))
    other = 2.0 * np.sinh(0.5 * tilt) * np.sqrt(curve)
    return np.asarray(signed + np.log(other / signed) / signed)


@dataclass(frozen=True, slots=True)
class Counted:
    """Pairs of which it is known who was right on which case.

    Two equally good entries are right alone equally often (McNemar's test, exact), whatever else
    they have in common. The chance of error is divided by the number of claims that can be wrong.

    Attributes
    ----------
    right : (m, n) whether an entry was right, in decreasing order of scores.
    """

    right: Bools

    def beaten(self, places: int, level: float) -> Beaten:
        size = self.right.shape[0]
        claims = places * (size - places) + places * (places - 1) // 2
        better = self._away() <= (1.0 - level) / claims
        first = np.where(better.any(axis=1), better.argmax(axis=1), size)
        return Beaten(better.sum(axis=0), better.sum(axis=1), first)

    def _away(self) -> Floats:
        """(m, m) probability that an entry is right alone so often, if both are equally good."""
        right = self.right.astype(np.float32)
        both = np.asarray(right @ right.T, np.float64)
        alone = np.diag(both)[:, None] - both
        return np.asarray(stats.binom.sf(alone - 1.0, alone + alone.T, 0.5))


def first_break(first: Ints) -> Ints:
    """(m,) end of the longest stretch from each place on in which nobody is told apart."""
    return np.minimum.accumulate(first[::-1])[::-1]
