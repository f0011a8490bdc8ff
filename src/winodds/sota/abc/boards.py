"""Simulated boards: entry by entry, or only the places that are compared.

Given the best performance, the other entries are independent, and so are all scores given the
number of easy cases. So on large boards no entry is simulated that is not looked at: the uniform
numbers behind the order statistics are drawn, and turned into scores.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import special

from winodds.arrays import Floats, Ints
from winodds.sota.abc.observed import Board
from winodds.sota.abc.proposals import Populations
from winodds.sota.laws.binomials import at_least

SECANTS, PATIENCE = 40, 5
"""Steps from a probability to a count at most, and those before brackets are halved in turn."""

CLOSE = 0.01
"""Error of a count, in standard errors of a score, that is small beside the kernel's width."""

CELLS = 150_000
"""Numbers of a block at most: few enough to stay in a processor's cache."""

NODES, REACH = 24, 6.5
"""Nodes of the integral over performances, and half of its window in standard errors."""


def chances(board: Board, theta: Floats, common: Floats) -> tuple[Floats, Floats]:
    """Chances to be right on an easy case and on a hard one.

    An entry too weak for the correlation has chance 0 on hard cases, and keeps its performance.
    """
    spread = board.correlation * np.sqrt(theta * (1.0 - theta) * common * (1.0 - common))
    hard = np.maximum(theta - spread / (1.0 - common), 0.0)
    easy = (theta - (1.0 - common) * hard) / common
    return np.clip(easy, 0.0, 1.0), np.clip(hard, 0.0, 1.0)


def simulate_all(
    board: Board, populations: Populations, slack: int, rng: np.random.Generator
) -> tuple[Ints, Floats]:
    """Which boards are accepted, and (k, r − 1) their counts at the ranks; entry by entry."""
    mean, spread, top = populations.mean, populations.spread, populations.top
    limit = special.log_ndtr((top - mean) / spread)
    below = np.log1p(-rng.random((top.size, board.entries - 1)))
    z = np.column_stack(
        [top, mean[:, None] + spread[:, None] * special.ndtri_exp(below + limit[:, None])]
    )
    common = _common(board, top)
    easy, hard = chances(board, board.theta(z), common[:, None])
    number = rng.binomial(board.n, common)[:, None]
    count = rng.binomial(number, easy) + rng.binomial(board.n - number, hard)
    count = np.sort(count, axis=1)[:, ::-1]
    kept = np.flatnonzero(np.abs(count[:, 0] - board.counts[0]) <= slack)
    return kept, count[np.ix_(kept, board.ranks[1:] - 1)].astype(np.float64)


def _common(board: Board, top: Floats) -> Floats:
    """Shares of easy cases: the best entry's performance, but never all cases."""
    return np.minimum(board.theta(top), 1.0 - 1e-12)


def simulate_ranks(
    board: Board, populations: Populations, slack: int, rng: np.random.Generator
) -> tuple[Ints, Floats]:
    """As `simulate_all`, by the order statistics of the entries behind the best one."""
    common = _common(board, populations.top)
    number = rng.binomial(board.n, common)
    easy, hard = chances(board, common, common)
    own = rng.binomial(number, easy) + rng.binomial(board.n - number, hard)
    # The best entry is taken to be above the ranks compared: one place of seven, or less, if not.
    ranks = np.concatenate([[1], board.ranks[1:] - 1])
    level = _levels(ranks, board.entries - 1, common.size, rng)
    others = _Others(board, populations.mean, populations.spread, populations.top, common, number)
    kept = _accept(others, level[:, 0], own, slack)
    near = others.some(kept)
    return kept, np.column_stack([_invert(near, level[kept, k]) for k in range(1, ranks.size)])


def _levels(ranks: Ints, size: int, rows: int, rng: np.random.Generator) -> Floats:
    """(rows, r) order statistics of ``size`` uniform numbers, counted from the smallest."""
    steps = np.diff(ranks, prepend=0, append=size + 1)
    sums = np.cumsum(rng.standard_gamma(steps, (rows, steps.size)), axis=1)
    return np.asarray(sums[:, :-1] / sums[:, -1:])


@dataclass(frozen=True, slots=True)
class _Others:
    """The entries behind the best one, of k boards, given the number of easy cases."""

    board: Board
    mean: Floats
    spread: Floats
    top: Floats
    common: Floats
    number: Ints

    def some(self, rows: Ints) -> "_Others":
        """These entries of some boards."""
        return _Others(
            self.board,
            self.mean[rows],
            self.spread[rows],
            self.top[rows],
            self.common[rows],
            self.number[rows],
        )

    def at_least(self, count: Floats) -> Floats:
        """(k,) probability that one entry has at least (k,) counts."""
        share = np.empty(count.size)
        for begin in range(0, count.size, CELLS // NODES):
            rows = np.arange(begin, min(begin + CELLS // NODES, count.size))
            share[rows] = _share_above(self.some(rows), count[rows])
        return share


def _accept(others: _Others, level: Floats, own: Ints, slack: int) -> Ints:
    """The boards whose maximum is near enough, without computing it: two probabilities tell."""
    low, high = others.board.counts[0] - slack, others.board.counts[0] + slack
    kept = np.flatnonzero(own <= high)
    kept = kept[others.some(kept).at_least(np.full(kept.size, high + 1.0)) < level[kept]]
    reached = others.some(kept).at_least(np.full(kept.size, float(low))) >= level[kept]
    near: Ints = kept[reached | (own[kept] >= low)]
    return near


def _invert(others: _Others, level: Floats) -> Floats:
    """Counts, not whole, that one entry reaches with these probabilities.

    The probit of the probability is nearly linear in the log odds of the count, but not near the
    ends of the scale, nor when many entries are nearly as good as the best.
    """
    board, wanted = others.board, special.ndtri(level)
    edge = float(np.log(2.0 * board.n + 1.0))
    width = board.width(np.clip(others.mean, -edge, edge))
    size = np.hypot(others.spread, width)
    share = board.theta(np.minimum(others.mean - wanted * size, others.top))

    def excess(rows: Ints, log_odds: Floats) -> Floats:
        reached = others.some(rows).at_least(_count(board, log_odds))
        return _probit(reached) - wanted[rows]

    start = np.clip(special.logit(share), -edge, edge)
    # No score's standard error is smaller, in log odds, than that of 1/2.
    narrow = 2.0 * CLOSE / np.sqrt(board.n)
    return _count(board, _zeros(excess, start, edge, -1.0 / size, CLOSE * width / size, narrow))


def _zeros(
    function: Callable[[Ints, Floats], Floats],
    start: Floats,
    edge: float,
    slope: Floats,
    close: Floats,
    narrow: float,
) -> Floats:
    """Zeros of decreasing functions between −edge and edge, by secants that stay in a bracket.

    The function takes rows and places there. Its ``slope`` is what to expect; a value of ``close``
    or a bracket that is ``narrow`` is enough.
    """
    place, before, old = start.copy(), np.zeros(start.size), np.zeros(start.size)
    low, high = np.full(start.size, -edge), np.full(start.size, edge)
    rows = np.arange(start.size)
    for step in range(SECANTS):
        here = place[rows]
        value = function(rows, here)
        low[rows] = np.where(value > 0.0, here, low[rows])
        high[rows] = np.where(value < 0.0, here, high[rows])
        moved = np.where(here == before[rows], np.inf, here - before[rows])
        secant = (value - old[rows]) / moved if step else slope[rows]
        guess = here - value / np.minimum(secant, 0.05 * slope[rows])
        outside = (guess < low[rows]) | (guess > high[rows])
        slow = step > PATIENCE and step % 2 == 0
        guess = np.where(outside | slow, 0.5 * (low[rows] + high[rows]), guess)
        before[rows], old[rows] = here, value
        # Where the function jumps over zero, a narrow bracket is all there is.
        far = (np.abs(value) > close[rows]) & (high[rows] - low[rows] > narrow)
        rows = rows[far]
        place[rows] = guess[far]
        if not rows.size:
            break
    return place


def _count(board: Board, log_odds: Floats) -> Floats:
    return np.asarray((board.n + 1.0) * special.expit(log_odds) - 0.5)


def _probit(share: Floats) -> Floats:
    return np.asarray(special.ndtri(np.clip(share, 1e-15, 1.0 - 1e-15)))


@cache
def _gauss() -> tuple[Floats, Floats]:
    node, weight = np.polynomial.legendre.leggauss(NODES)
    return node, weight


def _share_above(others: _Others, count: Floats) -> Floats:
    """Probability of at least a count: an integral over the performances where it is in doubt."""
    board, mean, spread, top = others.board, others.mean, others.spread, others.top
    limit = special.log_ndtr((top - mean) / spread)
    least = mean + spread * special.ndtri_exp(limit - 28.0)
    centre = board.z(count)
    half = REACH * board.width(centre)
    low, high = np.clip(centre - half, least, top), np.clip(centre + half, least, top)
    node, weight = _gauss()
    z = 0.5 * (low + high)[:, None] + 0.5 * (high - low)[:, None] * node
    t = (z - mean[:, None]) / spread[:, None]
    density = np.exp(-0.5 * t**2 - limit[:, None]) / (np.sqrt(2.0 * np.pi) * spread[:, None])
    easy, hard = chances(board, board.theta(z), others.common[:, None])
    chance = at_least(count[:, None], others.number[:, None], board.n, easy, hard)
    sure = -np.expm1(np.minimum(special.log_ndtr((high - mean) / spread) - limit, 0.0))
    return np.asarray(sure + 0.5 * (high - low) * ((density * chance) @ weight))
