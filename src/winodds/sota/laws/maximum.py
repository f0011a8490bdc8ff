"""Exact laws of the largest of many accuracies on one test set.

Møllersen and Holsbø, *Accounting for multiplicity in machine learning benchmark performance*,
simulate them. Here the number of successes of one entry, given the number x₀ of easy cases, is the
sum of two binomial numbers, and given x₀ the entries are independent:

    F(x) = Σ P(x₀) · (mean over performances of F(x | x₀, θ))^m     if performances are drawn,
    F(x) = Σ P(x₀) · Π F(x | x₀, θ_j)                               if they are given.

Only the tail that carries mass is computed, in logarithms. The sum over x₀ takes every number of
successes when the law needs it, else evenly spaced ones: for a function as smooth as this, that
trapezoidal rule errs by less than 1e-9.

Examples
--------
A thousand entries that are right in 90% of all cases, on 3,000 cases:

>>> law = maximum_law(identical(0.9, 1000), 3000)
>>> round(law.mean, 4), round(law.sd, 6), round(law.interval()[1], 4)
(0.9173, 0.001817, 0.9213)
>>> law = maximum_law(identical(0.9, 1000), 3000, correlation=0.6)
>>> round(law.mean, 4), round(law.sd, 4)
(0.914, 0.0035)
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, ndtr

from winodds.arrays import Floats, Ints
from winodds.sota.laws.binomials import MARGIN, REACH, add, binomials
from winodds.sota.laws.dependence import chances_given
from winodds.sota.laws.law import MaximumLaw
from winodds.sota.laws.populations import Nodes, Population, identical

__all__ = ["identical", "maximum_law", "normal_maximum"]

CELLS = 150_000
"""Numbers of a block of laws at most: few enough to stay in a processor's cache."""

COMMON_REACH = 7.0
"""Numbers of easy cases: this many standard deviations on either side."""

STRIDE = 0.15
"""Distance of the numbers of easy cases, in conditional standard deviations of a score."""

IMPOSSIBLE = 40.0
"""Where the law begins, in logarithms below 1."""

GAPS = 400
"""Places at most where its beginning is looked for."""

NEVER = 1.0 - 1e-16

NORMAL_STEP = 0.02
"""Distance of the values of a normal law, in standard errors."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """A test set of n cases, and Y₀ with its share of easy ones and its correlation."""

    n: int
    common: float
    correlation: float
    fixed: bool

    def mean(self, theta: float, easy_cases: Ints) -> Floats:
        """Expected successes given the numbers of easy cases."""
        easy, hard = chances_given(np.array(theta), self.common, self.correlation)
        return easy_cases * easy + (self.n - easy_cases) * hard

    def sd(self, theta: Floats) -> Floats:
        """Standard deviation of the number of successes, given a usual number of easy cases."""
        easy, hard = chances_given(theta, self.common, self.correlation)
        share = self.common * easy * (1.0 - easy) + (1.0 - self.common) * hard * (1.0 - hard)
        # A law of single cases is no smoother than they are.
        return np.maximum(np.sqrt(self.n * share), 1.0)

    def width(self, theta: float) -> float:
        """The same as a share of the cases."""
        return float(self.sd(np.array(theta))) / self.n


def maximum_law(
    population: Population,
    n: int,
    *,
    correlation: float = 0.0,
    common: float | None = None,
    fixed: bool = False,
) -> MaximumLaw:
    """The law of the largest share of successes.

    Parameters
    ----------
    population : the performances.
    n : size of the test set.
    correlation : ρ₀, correlation of an entry with the common variable.
    common : share θ₀ of easy cases; by default the best entry's expected performance.
    fixed : whether exactly this share of the test set is easy, instead of each case by chance.
    """
    common = population.best if common is None else common
    if correlation == 0.0 or not 0.0 < common < 1.0:
        # Without a common variable all cases are alike: "easy".
        correlation, common, fixed = 0.0, 1.0, True
    setting = _Setting(n, common, correlation, fixed)
    grid, nodes = _plan(population, setting)
    easy, hard = chances_given(nodes.theta, common, correlation)
    above = np.zeros(grid.total)
    for block in _blocks(grid.easy_cases.size, nodes.theta.size * (grid.size + 4 * MARGIN)):
        survival = _survival(setting, grid, block, easy, hard)
        grid.put(above, block, exceed(survival, nodes, population))
    return grid.finish(above, n, population.best)


def exceed(survival: Floats, nodes: Nodes, population: Population) -> Floats:
    """(r, x) probability that the largest exceeds a value, from (r, k, x) that of one entry."""
    if population.drawn:
        share = np.clip(np.einsum("k,rkx->rx", nodes.weight, survival), 0.0, NEVER)
        logs = population.players * np.log1p(-share)
    else:
        each = np.log1p(-np.minimum(survival, NEVER))
        logs = np.minimum(np.einsum("k,rkx->rx", nodes.weight, each), 0.0)
    return np.asarray(-np.expm1(logs), np.float64)


# What is computed ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Grid:
    """The numbers of successes that matter, for each number of easy cases.

    Attributes
    ----------
    easy_cases, weight : (r,) numbers of easy cases, and their probabilities.
    start, size : (r,) where the stretch of successes begins that matters, and how long it is;
        before it the largest number is surely exceeded, after it it never is.
    """

    easy_cases: Ints
    weight: Floats
    start: Ints
    size: int

    @property
    def first(self) -> int:
        return int(self.start.min())

    @property
    def total(self) -> int:
        return int(self.start.max()) + self.size - self.first

    def put(self, above: Floats, block: slice, exceeding: Floats) -> None:
        """Add what follows for some numbers of easy cases."""
        offset = self.start[block] - self.first
        weight = self.weight[block]
        place = offset[:, None] + np.arange(self.size)
        added = np.bincount(place.ravel(), (weight[:, None] * exceeding).ravel(), above.size)
        begun = np.cumsum(np.bincount(offset, weight, above.size))
        above += added + (weight.sum() - begun)

    def finish(self, above: Floats, n: int, best: float) -> MaximumLaw:
        """The law, from the probability of exceeding each number of successes."""
        successes = self.first + np.arange(above.size)
        inside = (successes >= 0) & (successes <= n)
        above = np.clip(above[inside], 0.0, 1.0)
        with np.errstate(divide="ignore"):
            return MaximumLaw(successes[inside] / n, np.log1p(-above), best)


def _plan(population: Population, setting: _Setting) -> tuple[_Grid, Nodes]:
    n, top = setting.n, population.top
    narrow = float(setting.sd(np.array(top)))
    gap, wide = _begin(population, setting)
    low = top + (gap - REACH * wide - MARGIN) / n
    nodes = population.nodes(max(low, 0.0), setting.width)
    easy_cases, weight = _common_numbers(setting, top, narrow)
    start = np.floor(setting.mean(top, easy_cases) + gap).astype(np.int64)
    size = int(REACH * wide - gap) + MARGIN
    # However many entries there are, the largest number is at most n.
    start = np.clip(start, -1, n - 1)
    return _Grid(easy_cases, weight, start, min(size, n + 2)), nodes


def _begin(population: Population, setting: _Setting) -> tuple[float, float]:
    """How far from the best entry's expectation the law begins, and the widest sd on the way.

    By a normal law, and then a little lower.
    """
    n, top = setting.n, population.top
    sd = float(setting.sd(np.array(top)))
    depth = 2.0 * REACH * sd + MARGIN
    while True:
        low = max(top - depth / n, 0.0)
        nodes = population.nodes(low, setting.width)
        wide = float(setting.sd(np.linspace(low, top, 9)).max())
        step = max(0.25 * sd, depth / GAPS)
        gap = np.arange(-depth, REACH * sd, step)
        ahead = (gap[:, None] + n * (top - nodes.theta)) / setting.sd(nodes.theta)
        if population.drawn:
            share = np.clip(ndtr(-ahead) @ nodes.weight, 0.0, NEVER)
            logs = population.players * np.log1p(-share)
        else:
            logs = log_ndtr(ahead) @ nodes.weight
        never = np.flatnonzero(logs <= -IMPOSSIBLE)
        if never.size:
            return float(gap[never[-1]]) - step - sd, wide
        if low == 0.0:
            return -n - 1.0, wide
        depth *= 2.0


def _common_numbers(setting: _Setting, top: float, sd: float) -> tuple[Ints, Floats]:
    n, common = setting.n, setting.common
    if setting.fixed:
        return np.array([round(n * common)]), np.ones(1)
    law = binomials(np.array([n]), np.array([common]))
    own = np.sqrt(n * common * (1.0 - common))
    easy, hard = chances_given(np.array(top), common, setting.correlation)
    stride = max(1, int(min(own / 4.0, STRIDE * sd / max(float(easy - hard), 1e-9))))
    middle = law.mass.shape[1] // 2
    reach = min(int(COMMON_REACH * own) + MARGIN, middle) // stride * stride
    place = np.arange(middle - reach, middle + reach + 1, stride)
    number, weight = law.first[0] + place, law.mass[0, place]
    kept = weight > 1e-15 * weight.max()
    return number[kept], weight[kept] / weight.sum()


def _survival(setting: _Setting, grid: _Grid, block: slice, easy: Floats, hard: Floats) -> Floats:
    """(r, k, x) probability that an entry exceeds a number of successes."""
    number, start = grid.easy_cases[block], grid.start[block]
    shape = (number.size, easy.size)
    trials = np.repeat(number, easy.size)
    law = add(
        binomials(trials, np.tile(easy, number.size)),
        binomials(setting.n - trials, np.tile(hard, number.size)),
    )
    return law.survival(np.repeat(start, easy.size), grid.size).reshape(*shape, grid.size)


def _blocks(rows: int, width: int) -> Iterator[slice]:
    step = max(1, CELLS // max(width, 1))
    for begin in range(0, rows, step):
        yield slice(begin, begin + step)


# Scores with a normal law -------------------------------------------------------------------------


def normal_maximum(population: Population, se: float, *, correlation: float = 0.0) -> MaximumLaw:
    """The law of the largest of scores that are normal around their performances.

    Parameters
    ----------
    population : the performances.
    se : standard error of a score.
    correlation : correlation ρ₀ of a score with a common one, below 1; any two have ρ₀².
    """
    own = se * np.sqrt(1.0 - correlation**2)
    depth = _normal_depth(population, se)
    nodes = population.nodes(population.top - depth - REACH * se, own)
    shift, weight = np.zeros(1), np.ones(1)
    if correlation > 0.0:
        shift = np.arange(-8.0, 8.0, min(0.1, 0.25 * own / (correlation * se)))
        weight = np.exp(-0.5 * shift**2)
        weight /= weight.sum()
    step = NORMAL_STEP * own
    values = _normal_values(nodes.theta, se, step)
    above = np.zeros(values.size)
    for block in _blocks(shift.size, nodes.theta.size * values.size):
        moved = values - correlation * se * shift[block, None]
        survival = ndtr((nodes.theta[None, :, None] - moved[:, None, :]) / own)
        above += weight[block] @ exceed(survival, nodes, population)
    # What lies between two values is put into their middle.
    with np.errstate(divide="ignore"):
        return MaximumLaw(values - 0.5 * step, np.log1p(-np.clip(above, 0.0, 1.0)), population.best)


def _normal_values(theta: Floats, se: float, step: float) -> Floats:
    """Values within reach of some performance; gaps between them are left out."""
    reached = np.sort(theta)
    apart = np.flatnonzero(np.diff(reached) > 2.0 * REACH * se) + 1
    parts = [
        np.arange(part[0] - REACH * se, part[-1] + REACH * se, step)
        for part in np.split(reached, apart)
    ]
    return np.concatenate(parts)


def _normal_depth(population: Population, se: float) -> float:
    """How far below the best performance the law begins."""
    depth = 2.0 * REACH * se
    while True:
        share = float(population.nodes(population.top - depth, se).weight.sum())
        below = max(1.0 - share, 0.0)
        # So few are below that one of the others is surely there.
        if not population.drawn or below**population.players < 1e-16:
            break
        depth *= 2.0
    return depth + REACH * se
