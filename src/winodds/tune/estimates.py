"""How good settings truly are, estimated from the splits that were paid for.

The mean difference of a setting's scores to those of the front runners has an error of its own. Few
splits tell little of it, so that variances borrow from each other (Smyth 2004). True means follow a
law that is fitted to all of them (Kiefer & Wolfowitz 1956), on a grid. None of this is proved for a
race; how far it holds was simulated.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from winodds.arrays import EQUAL, Bools, Floats, Ints
from winodds.inference.moderation import fit_variances

PRIOR_DF = 4.0
"""Degrees of freedom that the common variance is worth in a race, which is careful with few splits.

Heavy tails keep settings running. Chances that are added up over all settings would add up to too
much with them, and so the degrees of freedom are fitted there (`winodds.tune.prospects`).
"""

TELLING = 0.01
"""Of the median variance, below which no variance counts when degrees of freedom are fitted."""

GRID = 100
ROUNDS = 60
REACH = 15.0
"""Errors below the best from which on a mean is taken for just that bad."""

ANYTHING = 0.02
"""Share of the law that stays spread evenly, for settings unlike all others."""

FEWEST_NEAR = 5
POINTS = 200
"""Points on either side of a maximum's expectation."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the splits say of each setting.

    Attributes
    ----------
    mean : (k,) mean difference to the front runners.
    spread : (k,) moderated standard deviation of a split's difference.
    splits : (k,) over how many.
    level : mean score of the front runners, to which differences are added.
    least : differences up to this are rounding.
    prior_df : degrees of freedom that the common variance is worth.
    """

    mean: Floats
    spread: Floats
    splits: Ints
    level: float
    least: float
    prior_df: float = PRIOR_DF

    @property
    def error(self) -> Floats:
        """(k,) moderated standard errors of the means."""
        return np.asarray(self.spread / np.sqrt(self.splits), np.float64)

    @property
    def df(self) -> Floats:
        """(k,) degrees of freedom of these errors."""
        return np.asarray(self.prior_df + self.splits - 1.0, np.float64)


@dataclass(frozen=True, slots=True)
class Belief:
    """What to expect of the settings' true means.

    Attributes
    ----------
    grid : (g,) true means that are considered, as differences to the front runners.
    prior : (g,) the law that all settings follow.
    posterior : (k, g) the law of each, given its splits.
    """

    grid: Floats
    prior: Floats
    posterior: Floats

    @property
    def mean(self) -> Floats:
        """(k,) expectations."""
        return np.asarray(self.posterior @ self.grid, np.float64)

    @property
    def variance(self) -> Floats:
        """(k,) variances around them."""
        own = self.grid[None, :] - self.mean[:, None]
        return np.asarray((self.posterior * own**2).sum(axis=1), np.float64)

    def ends(self, level: float) -> tuple[Floats, Floats]:
        """(k,) ends of intervals that hold the true mean with probability ``level``."""
        sums = np.cumsum(self.posterior, axis=1)
        tail = 0.5 * (1.0 - level)
        low, high = ((sums < share - EQUAL).sum(axis=1) for share in (tail, 1.0 - tail))
        last = self.grid.size - 1
        return self.grid[np.minimum(low, last)], self.grid[np.minimum(high, last)]

    def of(self, settings: Ints) -> "Belief":
        """The same for some settings."""
        return Belief(self.grid, self.prior, self.posterior[settings])

    def p_best(self) -> Floats:
        """(k,) probability that each is truly the best; they add up to 1."""
        below = np.cumsum(self.posterior, axis=1) - 0.5 * self.posterior
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(below, 1e-300))
        others = logs.sum(axis=0) - logs
        chance = (self.posterior * np.exp(others)).sum(axis=1)
        return np.asarray(chance / chance.sum(), np.float64)


def summarise(scores: Floats, seen: Bools, front: Bools, *, fitted: bool = False) -> Sample:
    """Differences to the mean of the front runners, with moderated variances.

    Parameters
    ----------
    scores : (k, T), anything where there is none.
    seen : (k, T) where there is one; every setting has at least one.
    front : (k,) who the front runners are. Splits that none of them has do not count.
    fitted : whether the data say how much variances have in common.
    """
    held = np.where(seen, scores, 0.0)
    runs = seen[front].sum(axis=0)
    middle = held[front].sum(axis=0) / np.maximum(runs, 1)
    seen = seen & (runs > 0)
    splits = seen.sum(axis=1)
    difference = np.where(seen, held - middle, 0.0)
    mean = difference.sum(axis=1) / np.maximum(splits, 1)
    raw = _variance(difference, seen, mean, splits)
    common, prior_df = _common_variance(raw, mean, splits, fitted=fitted)
    level = float(middle[runs > 0].mean())
    least = EQUAL * max(float(np.abs(difference).max()), abs(level), 1e-140)
    spread = np.sqrt(_moderate(raw, splits, max(common, least**2), prior_df))
    return Sample(mean, spread, splits, level, least, prior_df)


def _common_variance(
    raw: Floats, mean: Floats, splits: Ints, *, fitted: bool
) -> tuple[float, float]:
    """What variances have in common, and its degrees of freedom."""
    several = splits > 1
    upper = several & (mean >= np.median(mean))
    if not upper.any():
        return float(mean.var()), PRIOR_DF
    middle = float(np.median(raw[several]))
    if not fitted or several.sum() < 3 or middle == 0.0:
        return float(np.median(raw[upper])), PRIOR_DF
    own: Floats = np.maximum(raw[several], TELLING * middle)
    return fit_variances(own, np.asarray(splits[several] - 1.0, np.float64))


def _variance(difference: Floats, seen: Bools, mean: Floats, splits: Ints) -> Floats:
    square = np.where(seen, (difference - mean[:, None]) ** 2, 0.0).sum(axis=1)
    return np.asarray(square / np.maximum(splits - 1, 1), np.float64)


def _moderate(raw: Floats, splits: Ints, common: float, prior_df: float) -> Floats:
    own = np.maximum(splits - 1, 0)
    return np.asarray((prior_df * common + own * raw) / (prior_df + own), np.float64)


def believe(sample: Sample, *, rounds: int = ROUNDS, from_normal: bool = False) -> Belief:
    """Fit the law of true means, and that of each setting.

    It begins as even, or as normal, and each round takes it nearer to the likeliest.
    """
    error = float(np.median(sample.error))
    high = float(sample.mean.max())
    low = max(float(sample.mean.min()), high - REACH * error)
    grid = np.linspace(low - 2.0 * error, high + 2.0 * error, GRID)
    likely = _likelihood(sample, sample.error, grid, low)
    prior = _normal_law(sample, grid, low) if from_normal else np.full(GRID, 1.0 / GRID)
    for _ in range(rounds):
        joint = likely * prior
        posterior = joint / joint.sum(axis=1, keepdims=True)
        prior = (1.0 - ANYTHING) * posterior.mean(axis=0) + ANYTHING / GRID
    return Belief(grid, prior, posterior)


def _normal_law(sample: Sample, grid: Floats, low: float) -> Floats:
    """(g,) a normal law with the mean and the spread that true means have."""
    mean = np.maximum(sample.mean, low)
    spread = float(mean.var())
    spread = max(spread - float((sample.error**2).mean()), 0.05 * spread, sample.least**2)
    law = np.exp(-0.5 * (grid - mean.mean()) ** 2 / spread)
    total = float(law.sum())
    law = law / total if total > 0.0 else np.full(GRID, 1.0 / GRID)
    return np.asarray((1.0 - ANYTHING) * law + ANYTHING / GRID, np.float64)


def _likelihood(sample: Sample, error: Floats, grid: Floats, low: float) -> Floats:
    """(k, g) t densities of the means around each true one, but for a factor of each row."""
    apart = (np.maximum(sample.mean, low)[:, None] - grid) / error[:, None]
    df = sample.df[:, None]
    logs = -0.5 * (df + 1.0) * np.log1p(apart**2 / df)
    return np.asarray(np.exp(logs - logs.max(axis=1, keepdims=True)), np.float64)


def better_than(sample: Sample, belief: Belief, scores: Floats, seen: Bools, leader: int) -> Floats:
    """(k,) probability that each setting is truly better than the leader; 0 for the leader.

    Noise that settings share with the leader cancels: errors are those of paired differences.
    """
    error = _paired_error(sample, scores, seen, leader)
    low = float(belief.grid[0])
    own = _likelihood(sample, error, belief.grid, low) * belief.prior
    own /= own.sum(axis=1, keepdims=True)
    same = replace(sample, mean=np.full_like(sample.mean, sample.mean[leader]))
    its = _likelihood(same, error, belief.grid, low) * belief.prior
    its /= its.sum(axis=1, keepdims=True)
    chance = 1.0 - ((np.cumsum(own, axis=1) - 0.5 * own) * its).sum(axis=1)
    chance[leader] = 0.0
    return np.asarray(np.clip(chance, 0.0, 1.0), np.float64)


def _paired_error(sample: Sample, scores: Floats, seen: Bools, leader: int) -> Floats:
    """(k,) errors of the difference to the leader over shared splits, each one's half of it."""
    both = seen & seen[leader]
    shared = both.sum(axis=1)
    difference = np.where(
        both, np.where(both, scores, 0.0) - np.where(both, scores[leader], 0.0), 0
    )
    mean = difference.sum(axis=1) / np.maximum(shared, 1)
    raw = _variance(difference, both, mean, shared)
    near = np.argsort(-mean, kind="stable")[: max(FEWEST_NEAR, mean.size // 5) + 1]
    near = near[(near != leader) & (shared[near] > 1)]
    common = float(np.median(raw[near])) if near.size else float(np.median(sample.spread**2))
    least = EQUAL**2 * float(np.median(sample.spread**2))
    variance = _moderate(raw, shared, max(common, least, 1e-300), sample.prior_df)
    return np.asarray(np.sqrt(0.5 * variance / np.maximum(shared, 1)), np.float64)


def worth_of_paying_on(sample: Sample, belief: Belief, running: Ints, splits: int) -> float:
    """How much more often a round would be won, if all remaining splits were paid for.

    The choice is whoever then has the highest expectation. What that is expected to gain on today's
    choice is turned into a probability to beat it on one split, beyond one half.
    """
    left = np.maximum(splits - sample.splits[running], 0)
    before = belief.variance[running]
    with np.errstate(divide="ignore"):
        after = 1.0 / (1.0 / before + left / sample.spread[running] ** 2)
    moves = np.sqrt(np.maximum(before - after, 0.0))
    mean = belief.mean[running]
    gain = expected_maximum(mean, moves) - float(mean.max())
    if gain <= sample.least:
        return 0.0
    return as_win_probability(gain, float(np.median(sample.spread[running])))


def as_win_probability(gain: float, spread: float) -> float:
    """The probability, beyond one half, to win a split with so much lead.

    >>> round(as_win_probability(0.01, 0.01), 3)
    0.26
    """
    return float(ndtr(max(gain, 0.0) / (np.sqrt(2.0) * spread))) - 0.5


def expected_maximum(mean: Floats, spread: Floats) -> float:
    """Expectation of the largest of independent normal numbers; a spread may be 0.

    >>> round(expected_maximum(np.zeros(2), np.ones(2)), 4)
    0.5642
    """
    top = float(mean.max())
    width = 8.0 * float(spread.max())
    if width == 0.0:
        return top
    # The middles of cells, because a spread of 0 makes a step, at the top or below.
    step = width / POINTS
    offset = np.asarray((np.arange(POINTS) + 0.5) * step, np.float64)
    above, below = (_all_below(top + sign * offset, mean, spread) for sign in (1, -1))
    return top + step * float((1.0 - above).sum() - below.sum())


def _all_below(point: Floats, mean: Floats, spread: Floats) -> Floats:
    """(p,) probability that all numbers are below each point."""
    apart = point[:, None] - mean[None, :]
    with np.errstate(over="ignore"):
        return np.asarray(ndtr(apart / np.maximum(spread, 1e-300)).prod(axis=1), np.float64)
