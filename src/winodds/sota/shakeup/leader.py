"""What the public board lets one expect of its leader on other cases."""

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from winodds.arrays import Floats
from winodds.sota.answer import Expected
from winodds.sota.field.seen import Noise, look
from winodds.sota.field.weighing import weigh


@dataclass(frozen=True, slots=True)
class Law:
    """A mixture of normal laws: performances, their probabilities, and how scores vary there."""

    places: Floats
    chance: Floats
    spread: Floats

    @property
    def mean(self) -> float:
        return float(self.chance @ self.places)

    def quantile(self, share: float) -> float:
        """The value that is not exceeded with this probability."""
        reach = 12.0 * float(self.spread.max())
        ends = float(self.places[0]) - reach, float(self.places[-1]) + reach
        return float(optimize.brentq(self._excess, *ends, args=(share,), xtol=1e-9))

    def _excess(self, value: float, share: float) -> float:
        return float(self.chance @ special.ndtr((value - self.places) / self.spread)) - share


def expect_leader(scores: Floats, public: Noise, private: Noise, level: float) -> Expected:
    """The private score of the entry with the best public score, with its interval.

    Parameters
    ----------
    scores : (m,) of the public board, of which more is better.
    public, private : how scores vary on both test sets.
    """
    seen = look(scores, public)
    weighed = weigh(seen)
    joint = seen.masses(weighed.fields) * seen.likelihood[:, -1]
    chance = weighed.weight @ (joint / joint.sum(axis=1, keepdims=True))
    spread = np.sqrt(
        public.shared(seen.places) ** 2
        + private.shared(seen.places) ** 2
        + private.own(seen.places) ** 2
    )
    law = Law(seen.places, chance, spread)
    tail = 0.5 * (1.0 - level)
    low, high = law.quantile(tail), law.quantile(1.0 - tail)
    if np.isfinite(public.top):
        low, high = max(low, 0.0), min(high, public.top)
    return Expected(law.mean, low, high)
