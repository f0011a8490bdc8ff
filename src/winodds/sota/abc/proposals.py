"""Proposed populations: in which coordinates, from which law, and with which weight."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from winodds.arrays import Floats
from winodds.sota.abc.observed import Board, usual_gap

PRIOR_MEAN = 3.0
"""Spread of the prior of μ: 95% of it lies between 0.3% and 99.7% of the way from chance to 1."""

PRIOR_SPREAD = 1.0
"""Spread of the prior of τ. At τ = 1, entries fill most of the way from chance to perfection."""

LEAST_PILOT = 50.0
"""Effective draws that a proposal law is made of; weights are flattened until there are as many."""

DEGREES = 4.0
"""Degrees of freedom of the proposal laws."""


@dataclass(frozen=True, slots=True)
class Populations:
    """Proposed populations: mean, spread, and the best entry's z, with the logarithm of the weight
    that makes draws of the proposal law into draws of the prior.
    """

    mean: Floats
    spread: Floats
    top: Floats
    log_weight: Floats


@dataclass(frozen=True, slots=True)
class Frame:
    """Coordinates in which the posterior is smooth, near 0 and of size 1.

    They are log τ; a standard normal number v that says how lucky the population was with its best
    entry; and that entry's z, measured from the best score in standard errors. μ follows.
    """

    top: float
    width: float
    log_spread: float
    entries: int

    def populations(self, place: Floats, log_density: Floats) -> Populations:
        """What (k, 3) coordinates stand for, when they were drawn with a density."""
        log_spread = np.clip(self.log_spread + place[:, 0], -30.0, 30.0)
        spread = np.exp(log_spread)
        top = self.top + self.width * place[:, 2]
        # The best of m normal numbers, from its probability.
        mean = top - spread * special.ndtri_exp(special.log_ndtr(place[:, 1]) / self.entries)
        logs = _log_normal(mean, PRIOR_MEAN) + _log_normal(spread, PRIOR_SPREAD)
        logs += log_spread + _log_normal(place[:, 1], 1.0) - log_density
        return Populations(mean, spread, top, logs)


def _log_normal(x: Floats, sd: float) -> Floats:
    return np.asarray(-0.5 * (x / sd) ** 2)


def frame_of(board: Board) -> Frame:
    z = board.z(board.counts[[0, -1]].astype(np.float64))
    width = float(board.width(z[:1])[0])
    spread = max(float(z[0] - z[1]) / usual_gap(board.entries), 0.7 * width)
    return Frame(float(z[0]), width, float(np.log(spread)), board.entries)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mixture of Student's laws for the coordinates.

    Attributes
    ----------
    centre : (q, 3) centres.
    root : (q, 3, 3) lower triangular roots of the scales.
    share : (q,) how often each is used.
    """

    centre: Floats
    root: Floats
    share: Floats

    def draw(self, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """(size, 3) coordinates, and the logarithms of their densities."""
        part = rng.choice(self.share.size, size, p=self.share)
        normal = rng.standard_normal((size, 3))
        normal *= np.sqrt(DEGREES / rng.chisquare(DEGREES, size))[:, None]
        place = self.centre[part] + np.einsum("kij,kj->ki", self.root[part], normal)
        return place, self.log_density(place)

    def log_density(self, place: Floats) -> Floats:
        """Logarithm of the density, up to a constant."""
        logs = np.empty((self.share.size, place.shape[0]))
        for k, (centre, root, share) in enumerate(
            zip(self.centre, self.root, self.share, strict=True)
        ):
            far = np.linalg.solve(root, (place - centre).T)
            tail = -0.5 * (DEGREES + 3.0) * np.log1p(np.sum(far**2, axis=0) / DEGREES)
            logs[k] = np.log(share) - np.log(np.diag(root)).sum() + tail
        return np.asarray(special.logsumexp(logs, axis=0))


def flatten(weight: Floats) -> Floats:
    """Weights with exponents 1/2, 1/4, … until enough of them count."""
    for _ in range(6):
        if effective_size(weight) >= LEAST_PILOT:
            break
        weight = np.sqrt(weight)
        weight /= weight.sum()
    return weight


def around(place: Floats, weight: Floats, wide: Proposal) -> Proposal:
    """A law somewhat wider than the weighted places, mixed with the wide law to bound weights."""
    centre = weight @ place
    off = place - centre
    scale = (weight[:, None] * off).T @ off + 1e-9 * np.eye(3)
    root = np.linalg.cholesky(1.5 * scale)
    return Proposal(
        np.concatenate([centre[None], wide.centre]),
        np.concatenate([root[None], wide.root]),
        np.array([0.85, 0.15]),
    )


def effective_size(weight: Floats) -> float:
    """(Σw)² / Σw²: how many equal weights would say as much; 0 without weights."""
    squares = float(weight @ weight)
    return float(weight.sum()) ** 2 / squares if squares > 0.0 else 0.0
