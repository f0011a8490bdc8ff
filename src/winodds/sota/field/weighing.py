"""Which populations suit the scores: a weighted sample of their posterior.

The places of a low-discrepancy sequence take the part of random numbers, so the same board has the
same answer everywhere and needs no seed. Each round proposes around the points of the round
before, a mixture of Student laws, and weights by posterior over proposal (Cappé and others,
*Population Monte Carlo*, 2004). Until the last round weights are tempered, so that no single point
takes over.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special
from scipy.stats import chi2, qmc

from winodds.arrays import Floats
from winodds.sota.field.family import Fields
from winodds.sota.field.seen import Seen

NARROWEST = 0.01
"""Least spread of a population's side, in standard deviations of luck."""

FEWEST_AHEAD, MOST_AHEAD, SHARE_AHEAD = 0.005, 3.0, 0.02
"""Entries in the long tail: from, to, or to this share of all entries if that is more."""

START = (16, 9, 7, 4)
"""Points of the first grid: mode, spreads above and below, and tail."""

ROUNDS, POINTS = 4, 1024
FREEDOM = 5.0

STEADY = 100.0
"""Effective number of points that tempering keeps."""

DIMENSIONS = 4


@dataclass(frozen=True, slots=True)
class Weighed:
    """Populations and their weights.

    Attributes
    ----------
    fields : p populations.
    weight : (p,) adding up to 1.
    ess : effective number of them.
    """

    fields: Fields
    weight: Floats
    ess: float


@dataclass(frozen=True, slots=True)
class _Prior:
    """Uniform between limits: the mode, and logarithms of spreads and of entries in the tail."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, seen: Seen) -> "_Prior":
        low, high = float(seen.scores[0]), float(seen.scores[-1])
        narrow = np.log(NARROWEST * seen.luck)
        wide = np.log(4.0 * max(high - low, seen.luck))
        most = max(MOST_AHEAD, SHARE_AHEAD * seen.players)
        return cls(
            np.array([low - 3.0 * seen.luck, narrow, narrow, np.log(FEWEST_AHEAD)]),
            np.array([high + seen.luck, wide, wide, np.log(most)]),
        )

    def grid(self) -> Floats:
        ends = zip(self.low.tolist(), self.high.tolist(), START, strict=True)
        axes = np.meshgrid(*(np.linspace(a, b, size) for a, b, size in ends), indexing="ij")
        return np.stack([axis.ravel() for axis in axes], axis=1)

    def allows(self, points: Floats) -> Floats:
        inside = ((points >= self.low) & (points <= self.high)).all(axis=1)
        return np.where(inside, 0.0, -np.inf)

    @property
    def steps(self) -> Floats:
        return (self.high - self.low) / (np.array(START) - 1.0)


def weigh(seen: Seen) -> Weighed:
    """The populations that suit what was seen."""
    prior = _Prior.of(seen)
    points = prior.grid()
    weight = _normalised(log_posterior(seen, prior, points), STEADY)
    cover = np.diag((0.6 * prior.steps) ** 2)
    sequence = qmc.Sobol(DIMENSIONS + 2, scramble=False).random(2 * ROUNDS * POINTS)[1:]
    for k in range(ROUNDS):
        uniform = sequence[k * POINTS : (k + 1) * POINTS]
        proposed, log_density = _propose(points, weight, cover, uniform)
        log_ratio = log_posterior(seen, prior, proposed) - log_density
        points = proposed
        weight = _normalised(log_ratio, STEADY if k < ROUNDS - 1 else 0.0)
        cover = _kernel(points, weight, prior.steps)
    return Weighed(_fields(points, seen), weight, 1.0 / float(weight @ weight))


def log_posterior(seen: Seen, prior: _Prior, points: Floats) -> Floats:
    """(p,) logarithm of the likelihood of all scores, or −∞ outside the prior."""
    masses = seen.masses(_fields(points, seen))
    found = np.log(np.maximum(masses @ seen.likelihood, 1e-300)) @ seen.entries
    if seen.unseen:
        found += seen.unseen * np.log(np.maximum(masses @ seen.behind, 1e-300))
    return np.asarray(found + prior.allows(points))


def _fields(points: Floats, seen: Seen) -> Fields:
    mode, upper, lower, ahead = points.T
    return Fields(mode, np.exp(upper), np.exp(lower), np.exp(ahead) / seen.players, seen.luck)


def _normalised(log_weight: Floats, least: float) -> Floats:
    """Weights that add up to 1, tempered so that they are worth at least so many points."""
    relative = log_weight - log_weight.max()
    low, high, power = 0.0, 1.0, 1.0
    for _ in range(25):
        weight = np.exp(power * relative)
        weight /= weight.sum()
        worth = 1.0 / float(weight @ weight)
        if power == 1.0 and worth >= least:
            break
        low, high = (low, power) if worth < least else (power, high)
        power = 0.5 * (low + high)
    return np.asarray(weight)


def _propose(
    points: Floats, weight: Floats, cover: Floats, uniform: Floats
) -> tuple[Floats, Floats]:
    """New points around weighted ones, and the logarithm of the density they come from."""
    root = np.linalg.cholesky(cover)
    parent = np.minimum(np.searchsorted(np.cumsum(weight), uniform[:, 0]), weight.size - 1)
    scale = np.sqrt(chi2.ppf(uniform[:, 1], FREEDOM) / FREEDOM)[:, None]
    moved = points[parent] + (special.ndtri(uniform[:, 2:]) / scale) @ root.T
    likely = np.flatnonzero(weight > 1e-6 * weight.max())
    back = np.linalg.inv(root)
    here, there = moved @ back.T, points[likely] @ back.T
    far = (here**2).sum(axis=1)[:, None] + (there**2).sum(axis=1) - 2.0 * here @ there.T
    height = (1.0 + np.maximum(far, 0.0) / FREEDOM) ** (-0.5 * (FREEDOM + DIMENSIONS))
    return moved, np.log(height @ weight[likely])


def _kernel(points: Floats, weight: Floats, steps: Floats) -> Floats:
    """The covariance with which points are spread: narrower where there are more of them."""
    away = points - weight @ points
    covariance = (away * weight[:, None]).T @ away + 1e-4 * np.diag(steps**2)
    worth = min(1.0 / float(weight @ weight), 300.0)
    # Silverman's rule.
    return np.asarray(covariance * (4.0 / ((DIMENSIONS + 2.0) * worth)) ** (2.0 / (DIMENSIONS + 4)))
