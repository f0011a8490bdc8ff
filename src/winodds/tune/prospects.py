"""Prospects: may one more setting beat the best so far, and by how much, before anybody pays.

The next setting is drawn like the others, and so it takes each of the n + 1 places in their true
order with the same chance. P(it truly beats the incumbent) is therefore about
(1 + E #{settings truly better than the incumbent}) / (n + 1), and only that expectation needs a
model. It is exact if the incumbent has its place whatever the distances between settings are, as
without noise or with nothing else. In between it is up to a quarter too high, because the wrong one
is chosen where the best are close, and the next one seldom falls between these.
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Bools, Floats, Ints, order_of
from winodds.language.checks import check_positive
from winodds.show import present
from winodds.tune.estimates import (
    Belief,
    as_win_probability,
    believe,
    better_than,
    summarise,
)

ENOUGH = 20
"""Settings from which on a gain is told; with fewer it came out 2.5 times too high."""

DRAWS = 1_000
TAIL = 5
"""How many of the best tell how far a new best exceeds them."""

ROUNDS = 3
"""Few, because a law that follows the settings closely takes too many for nearly the best."""

REFERENCE = 0.2
"""Share of the settings, the best, with whose mean all are compared."""

WORTHWHILE = 0.005
"""Gain, as a chance to win a split, below which going on is advised against."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """What one more setting promises.

    Attributes
    ----------
    settings : how many were tried.
    p_improve : probability that the next one is truly better than the incumbent.
    gain : expected rise of the true mean score by it, 0 where it is not better; None if fewer than
        20 settings were tried.
    win_gain : the same as a chance to win a split against the incumbent, beyond one half.
    seconds : mean seconds that a setting cost; None if nobody measured.
    """

    settings: int
    p_improve: float
    gain: float | None
    win_gain: float | None
    seconds: float | None

    @property
    def gain_per_second(self) -> float | None:
        """Expected rise of the score for each second that is paid on."""
        if self.gain is None or not self.seconds:
            return None
        return self.gain / self.seconds

    @property
    def text(self) -> str:
        """All that in a sentence or two."""
        return present.describe_prospects(self)

    def __str__(self) -> str:
        return self.text

    def promises_less_than(self, win_gain: float = WORTHWHILE) -> bool:
        """Whether one more setting promises less; never with fewer than 20 settings tried."""
        check_positive("win_gain", win_gain, scale="the scale of probabilities")
        return self.win_gain is not None and self.win_gain < win_gain


def foresee(
    scores: Floats, incumbent: int, *, seconds: float | None = None, seed: int = 0
) -> Prospects:
    """What one more setting promises, when so many were tried.

    Parameters
    ----------
    scores : (k, T), NaN where nothing was paid, −inf for fits that failed.
    incumbent : the setting that would be chosen.
    seconds : that all these fits took together.
    seed : of draws, by which gains are computed.
    """
    settings = scores.shape[0]
    sound = ~np.isneginf(scores).any(axis=1) & np.isfinite(scores).any(axis=1)
    rows = _in_order(scores, np.union1d(np.flatnonzero(sound), [incumbent]))
    values, seen = scores[rows], np.isfinite(scores[rows])
    sample = summarise(values, seen, _best_part(seen), fitted=True)
    belief = believe(sample, rounds=ROUNDS, from_normal=True)
    own = int(np.flatnonzero(rows == incumbent)[0])
    better = float(better_than(sample, belief, values, seen, own).sum())
    gain = win_gain = None
    if settings >= ENOUGH:
        gain = expected_gain(belief, own, settings, np.random.default_rng(seed))
        win_gain = as_win_probability(gain, float(np.median(sample.spread)))
    cost = None if seconds is None else seconds / settings
    return Prospects(settings, (1.0 + better) / (settings + 1.0), gain, win_gain, cost)


def _in_order(scores: Floats, rows: Ints) -> Ints:
    """The rows from the worst mean to the best, so that their numbers change no draw."""
    seen = np.isfinite(scores[rows])
    mean = np.where(seen, scores[rows], 0.0).sum(axis=1) / seen.sum(axis=1)
    return rows[order_of(mean / max(float(np.abs(mean).max()), 1e-290))]


def _best_part(seen: Bools) -> Bools:
    """(k,) the best fifth, by mean score, of those with the most splits, who stand last."""
    splits = seen.sum(axis=1)
    enough = np.flatnonzero(splits >= np.median(splits))
    front = np.zeros(splits.size, np.bool_)
    front[enough[-max(1, round(REFERENCE * splits.size)) :]] = True
    return front


def expected_gain(belief: Belief, incumbent: int, settings: int, rng: np.random.Generator) -> float:
    """E max(θ_new − θ_incumbent, 0) for the next of so many settings.

    The next one falls into each gap between the others with the same chance, in its middle. Above
    the best it exceeds it by as much as the best few exceed the one after them, on average, which
    is exact for an exponential tail (Rényi 1953).
    """
    drawn = _draw(belief, rng)
    own, ordered = drawn[:, incumbent], np.sort(drawn, axis=1)
    middles = 0.5 * (ordered[:, 1:] + ordered[:, :-1])
    within = np.maximum(middles - own[:, None], 0.0).sum(axis=1)
    tail = min(TAIL, drawn.shape[1] - 1)
    excess = ordered[:, -tail:].mean(axis=1) - ordered[:, -tail - 1]
    above = ordered[:, -1] + excess - own
    return float((within + above).mean() / (settings + 1.0))


def _draw(belief: Belief, rng: np.random.Generator) -> Floats:
    """(d, k) true means, drawn from what is believed of each."""
    step = belief.grid[1] - belief.grid[0]
    cells = np.empty((DRAWS, belief.posterior.shape[0]))
    for setting, sums in enumerate(np.cumsum(belief.posterior, axis=1)):
        level = rng.random(DRAWS) * sums[-1]
        cells[:, setting] = np.searchsorted(sums, level).clip(0, belief.grid.size - 1)
    return np.asarray(belief.grid[0] + step * (cells + rng.random(cells.shape) - 0.5), np.float64)
