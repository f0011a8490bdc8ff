"""The best of a field: how good it is, and how likely each entry is the one.

Given a population, true performances are independent, so the best one's distribution function is a
product, and who is the best follows from whose factor grows. What all scores share, such as an easy
test set, moves them all: it does not change who is the best, and blurs how good it is.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from winodds.arrays import Floats, Ints
from winodds.sota.field.seen import Noise, Seen, look
from winodds.sota.field.weighing import Weighed, weigh

DRAWS = 200
"""Populations that means are taken over."""

NOTHING = 1e-300

TAILS = 20
"""Shares below an interval that are tried."""


@dataclass(frozen=True, slots=True)
class Best:
    """The posterior law of the best performance.

    Attributes
    ----------
    places, chance : (k,) performances and their probabilities, on the board's test set.
    shared : (k,) how much all scores moved together, a standard deviation at each place.
    bounded : whether performances lie between 0 and 1.
    scores, p_best : (j,) scores, and how likely an entry with that score is the best of all.
    ess : effective number of populations.
    """

    places: Floats
    chance: Floats
    shared: Floats
    bounded: bool
    scores: Floats
    p_best: Floats
    ess: float

    @property
    def mean(self) -> float:
        return float(self.chance @ self.places)

    @property
    def first(self) -> float:
        """How likely an entry with the best score is the best."""
        return float(self.p_best[-1])

    def at_most(self, value: float) -> float:
        """Probability that the best performance is at most a value."""
        spread = np.maximum(self.shared, 1e-12)
        return float(self.chance @ ndtr((value - self.places) / spread))

    def interval(self, level: float) -> tuple[float, float]:
        """The shortest interval, with the mean: it begins where all would be equally good."""
        tails = (1.0 - level) * (np.arange(TAILS) + 0.5) / TAILS
        ends = self._quantile(0.01 * tails[0]), self._quantile(1.0 - 0.01 * tails[0])
        values = np.linspace(*ends, 50 * TAILS)
        spread = np.maximum(self.shared, 1e-12)
        below = ndtr((values[:, None] - self.places) / spread) @ self.chance
        widths = np.interp(tails + level, below, values) - np.interp(tails, below, values)
        # Of tails that are as good on any machine, the first.
        tail = float(tails[int((widths <= widths.min() + 1e-6 * (ends[1] - ends[0])).argmax())])
        low, high = self._quantile(tail), self._quantile(tail + level)
        return min(low, self.mean), max(high, self.mean)

    def _quantile(self, share: float) -> float:
        reach = 10.0 * float(self.shared.max())
        low, high = float(self.places[0]) - reach, float(self.places[-1]) + reach
        if self.bounded:
            low, high = max(low, 0.0), min(high, 1.0)
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.at_most(middle) < share else (low, middle)
        return high


def find_best(scores: Floats, noise: Noise) -> Best:
    """The best of entries with scores (m,), of which more is better.

    Parameters
    ----------
    scores : (m,) two or more.
    noise : how each varies around its performance, and what all share.
    """
    seen = look(scores, noise)
    weighed = weigh(seen)
    masses = seen.masses(weighed.fields)[_drawn(weighed)]
    chance, p_best = _law(seen, masses)
    return Best(
        places=seen.places,
        chance=chance,
        shared=noise.shared(seen.places),
        bounded=bool(np.isfinite(noise.top)),
        scores=seen.scores,
        p_best=p_best,
        ess=weighed.ess,
    )


def _drawn(weighed: Weighed) -> Ints:
    """(d,) which populations, each as often as its weight says."""
    steps = (np.arange(DRAWS) + 0.5) / DRAWS
    found = np.searchsorted(np.cumsum(weighed.weight), steps)
    return np.asarray(np.minimum(found, weighed.weight.size - 1), np.int64)


def _law(seen: Seen, masses: Floats) -> tuple[Floats, Floats]:
    """(k,) probabilities of the best performance, and (j,) of each entry to have it."""
    chance, p_best = np.zeros(seen.places.size), np.zeros(seen.scores.size)
    for mass in masses:
        each = _log_cdf(mass[:, None] * seen.likelihood)
        total = each @ seen.entries
        if seen.unseen:
            total += seen.unseen * _log_cdf((mass * seen.behind)[:, None])[:, 0]
        step = np.diff(np.exp(total), prepend=0.0)
        grown = np.diff(each, axis=0, prepend=np.log(NOTHING))
        all_grown = np.diff(total, prepend=np.log(NOTHING) * seen.players)
        share = step / np.maximum(all_grown, NOTHING)
        chance += step
        p_best += share @ grown
    return chance / masses.shape[0], p_best / masses.shape[0]


def _log_cdf(weight: Floats) -> Floats:
    """(k, j) logarithm of the distribution function of weights in columns."""
    below = np.cumsum(weight, axis=0)
    return np.asarray(np.log(np.maximum(below / below[-1], NOTHING)))
