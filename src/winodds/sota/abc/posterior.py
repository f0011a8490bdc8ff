"""The posterior law of the best entry's performance, by approximate Bayesian computation.

Møllersen and Holsbø, *Accounting for multiplicity in machine learning benchmark performance*,
section 5.3.2, propose it: draw a population of performances, simulate a board, and keep the best
performance when the simulated maximum is within ε of the observed one.

The performances are θ = c + (1 − c) · logistic(z), with the chance level c and normal z of mean μ
and spread τ. The priors are vague: μ is normal around 0 with spread `PRIOR_MEAN`, τ half normal
with spread `PRIOR_SPREAD`. Given the best performance θ₀, the other entries are independent, and so
are all scores given the number of easy cases. So on large boards no entry is simulated that is not
looked at: the uniform numbers behind the order statistics are drawn, and turned into scores.

A maximum alone does not tell spread from luck. So a kernel also compares, softly, the median and
an upper quantile of the board; nothing below the median is looked at.
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats
from winodds.sota.abc.boards import simulate_all, simulate_ranks
from winodds.sota.abc.observed import Board, observe
from winodds.sota.abc.proposals import (
    LEAST_PILOT,
    Proposal,
    around,
    effective_size,
    flatten,
    frame_of,
)

__all__ = ["LEAST_ESS", "MOST_MISFIT", "Posterior", "posterior"]

LEAST_ESS = 100.0
"""With a smaller effective sample, no interval should be shown: the model cannot make such a board,
or hardly."""

MOST_MISFIT = 2.0
"""With a larger misfit, the answer leans on the best score alone, and should be doubted."""

EPSILONS = (0.1, 0.25, 0.5)
"""Distances of the maximum, in standard errors of a score; a larger one only if it is needed."""

SOFT = 0.5
"""Width of the kernel for the other scores, in units of their noise."""

TAIL = 4.0
"""Degrees of freedom of that kernel: a board of another shape is odd, but not impossible."""

DIRECT = 64
"""Boards up to this size are simulated entry by entry."""

BATCH = 10_000
"""Proposals at a time."""

PILOT = 3_000
"""Proposals of a pilot round."""

MOST = 40
"""Batches at most, per distance."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """Weighted draws of the best entry's performance.

    Attributes
    ----------
    draws : (k,) performances of the best entry on the accepted boards.
    weight : (k,) their weights, which add up to 1.
    epsilon : the simulated maximum was within this distance of the observed one.
    proposals, accepted : boards simulated, and those within that distance.
    entries : scores above chance; the others were left out.
    misfit : how far the accepted boards' median and upper decile are from the observed ones, in
        standard errors (root of the weighted mean square). About 0.4 is usual. Above `MOST_MISFIT`
        the board has another shape than any of the model's (a winner far ahead of all, say): what
        is said about the best entry then rests on its score and the prior, and should be doubted
        even if the effective sample is large.
    """

    draws: Floats
    weight: Floats
    epsilon: float
    proposals: int
    accepted: int
    entries: int
    misfit: float

    @property
    def ess(self) -> float:
        """Effective sample size; see `LEAST_ESS`."""
        return effective_size(self.weight)

    @property
    def mean(self) -> float:
        """Expectation."""
        return float(self.weight @ self.draws) if self.accepted else float("nan")

    @property
    def sd(self) -> float:
        """Standard deviation."""
        if not self.accepted:
            return float("nan")
        return float(np.sqrt(self.weight @ (self.draws - self.mean) ** 2))

    def quantile(self, p: float) -> float:
        """The smallest draw with at least the share ``p`` of the weight at or below it."""
        if not self.accepted:
            return float("nan")
        order = np.argsort(self.draws)
        reached = np.cumsum(self.weight[order])
        place = int(np.searchsorted(reached, p * reached[-1]))
        return float(self.draws[order[place]])

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The central interval."""
        return self.quantile(0.5 * (1.0 - level)), self.quantile(0.5 * (1.0 + level))


def posterior(
    scores: Floats,
    n: int,
    *,
    correlation: float,
    chance: float = 0.0,
    draws: int = 4000,
    epsilon: float | None = None,
    seed: int | np.random.Generator = 0,
) -> Posterior:
    """The posterior law of the best entry's performance.

    Parameters
    ----------
    scores : (m,) accuracies; those at or below chance are left out.
    n : size of the test set.
    correlation : ρ₀, correlation of an entry with the common variable. An entry too weak to have
        it stays on the board with as much correlation as it can have.
    chance : accuracy of a guess, 1 / classes.
    draws : accepted boards wanted.
    epsilon : largest distance of a simulated maximum from the observed one; by default a tenth of a
        score's standard error, and up to half of one if fewer than `LEAST_ESS` effective draws
        would come of it.
    seed : a number, or a generator.

    Notes
    -----
    When the effective sample is smaller than `LEAST_ESS`, there is no answer: look at ``ess``, and
    at ``misfit`` for whether the board has the model's shape.

    Examples
    --------
    Three hundred scores between 88% and 92%, whose spread is what luck alone would make:

    >>> from scipy.special import ndtri
    >>> scores = np.rint(1000 * ndtri((np.arange(300) + 0.5) / 300) * 0.0095) / 1000 + 0.9
    >>> result = posterior(scores, 1000, correlation=0.0, draws=500)
    >>> bool(result.mean < scores.max() - 0.01), bool(result.ess > LEAST_ESS)
    (True, True)
    """
    rng = np.random.default_rng(seed)
    board = observe(np.asarray(scores, dtype=np.float64), n, correlation, chance)
    law = _pilot(board, rng)
    options = [k * board.se for k in EPSILONS] if epsilon is None else [epsilon]
    for distance in options:
        result = _collect(board, law, distance, draws, rng)
        if result.ess >= LEAST_ESS:
            break
    return result


def _pilot(board: Board, rng: np.random.Generator) -> Proposal:
    """A proposal law from rounds with distances that shrink from the board's spread to the end."""
    wide = Proposal(np.array([[-0.5, 0.0, -1.0]]), np.diag([1.0, 1.0, 1.5])[None], np.ones(1))
    law = wide
    spread = float(board.counts[0] - board.counts[-1]) / board.n / board.noise.min()
    for halving in range(int(np.log2(4.0 + spread)), -1, -1):
        wider = 2.0**halving
        place, run = _run(board, law, 0.5 * wider * board.se, wider, PILOT, rng)
        weight = flatten(run.weight)
        if effective_size(weight) >= LEAST_PILOT:
            law = around(place, weight, wide)
    return law


@dataclass(frozen=True, slots=True)
class _Run:
    """Accepted boards: best performance, log weight, and distances of the other scores."""

    best: Floats
    log_weight: Floats
    off: Floats

    @property
    def weight(self) -> Floats:
        if not self.log_weight.size:
            return np.empty(0)
        weight = np.exp(self.log_weight - self.log_weight.max())
        return np.asarray(weight / weight.sum())


def _collect(
    board: Board, law: Proposal, epsilon: float, draws: int, rng: np.random.Generator
) -> Posterior:
    runs: list[_Run] = []
    accepted = proposals = 0
    while accepted < draws and proposals < MOST * BATCH:
        runs.append(_run(board, law, epsilon, 1.0, BATCH, rng)[1])
        proposals += BATCH
        accepted += runs[-1].best.size
    best, logs, off = (np.concatenate([getattr(r, k) for r in runs]) for k in _Run.__slots__)
    weight = _Run(best, logs, off).weight
    misfit = float(np.sqrt(weight @ np.mean(off**2, axis=1))) if off.size else 0.0
    return Posterior(best, weight, epsilon, proposals, accepted, board.entries, misfit)


def _run(
    board: Board, law: Proposal, epsilon: float, wider: float, size: int, rng: np.random.Generator
) -> tuple[Floats, _Run]:
    """Coordinates of the accepted boards, and the boards."""
    place, log_density = law.draw(size, rng)
    populations = frame_of(board).populations(place, log_density)
    slack = int(np.floor(epsilon * board.n + 1e-9))
    simulate = simulate_all if board.entries <= DIRECT else simulate_ranks
    kept, counts = simulate(board, populations, slack, rng)
    off = (counts - board.counts[1:]) / (board.n * board.noise[1:])
    kernel = -0.5 * (TAIL + 1.0) * np.log1p((off / (SOFT * wider)) ** 2 / TAIL)
    log_weight = populations.log_weight[kept] + kernel.sum(axis=1)
    best = board.theta(populations.top[kept])
    return place[kept], _Run(best, log_weight, off)
