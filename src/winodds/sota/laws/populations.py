"""Who takes part: the true performances of the entries, or the law that they are drawn from.

Whatever is asked of a population is a mean, or a sum, over performances of a function that is
smooth on the scale of a score's standard error. So a population gives nodes and weights for such
means, and thousands of entries cost no more than a few dozen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol, TypeAlias

import numpy as np

from winodds.arrays import Floats

PANEL = 12.0
"""Longest stretch that one polynomial covers, in standard errors."""


def _points(length: float, *, smooth: bool) -> int:
    """Chebyshev points for a stretch of so many standard errors.

    Survival functions are entire, and these many leave less than 1e-10; their logarithms have
    branch points nearby.
    """
    return int(np.ceil(14.0 + 2.8 * length if smooth else 20.0 + 6.0 * length))


@dataclass(frozen=True, slots=True)
class Nodes:
    """Performances and weights.

    Attributes
    ----------
    theta : (k,) performances.
    weight : (k,) weights; those of a sum over players add up to their number, those of a mean to
        the share of players above the lower limit.
    """

    theta: Floats
    weight: Floats


Width: TypeAlias = float | Callable[[float], float]
"""A standard error, or what tells it for a performance."""


class Population(Protocol):
    """The performances of the entries of a contest."""

    @property
    def players(self) -> int:
        """How many take part."""

    @property
    def drawn(self) -> bool:
        """Whether each player's performance is drawn anew; else they are what they are."""

    @property
    def top(self) -> float:
        """The highest performance that there can be."""

    @property
    def best(self) -> float:
        """The expected performance of the best player."""

    def nodes(self, low: float, width: Width) -> Nodes:
        """Nodes for the performances from ``low`` on, for functions smooth on a scale ``width``."""


@dataclass(frozen=True)
class Listed:
    """Performances that are known one by one.

    With ``drawn``, each of the ``players`` has one of them at random (so the best of them may be
    absent); otherwise there is one player for each of them.
    """

    theta: Floats
    players: int
    drawn: bool

    @cached_property
    def _counted(self) -> tuple[Floats, Floats]:
        values, counts = np.unique(self.theta, return_counts=True)
        return values, counts.astype(np.float64)

    @property
    def top(self) -> float:
        return float(self._counted[0][-1])

    @property
    def best(self) -> float:
        if not self.drawn:
            return self.top
        values, counts = self._counted
        reached = (np.cumsum(counts) / counts.sum()) ** self.players
        return float(np.diff(reached, prepend=0.0) @ values)

    def nodes(self, low: float, width: Width) -> Nodes:
        values, counts = self._counted
        inside = values >= low
        nodes = summarise(values[inside], counts[inside], width, smooth=self.drawn)
        return Nodes(nodes.theta, nodes.weight / self.theta.size) if self.drawn else nodes


def identical(theta: float, players: int) -> Listed:
    """Players who are all equally good."""
    return Listed(np.array([theta]), players, drawn=True)


def given(theta: Floats) -> Listed:
    """One player for each performance."""
    return Listed(theta, theta.size, drawn=False)


def empirical(theta: Floats, players: int | None = None) -> Listed:
    """Players who draw their performance from a list, by default as many as it is long."""
    return Listed(theta, theta.size if players is None else players, drawn=True)


def summarise(theta: Floats, count: Floats, width: Width, *, smooth: bool) -> Nodes:
    """Fewer nodes for the same sums, by interpolation between Chebyshev points.

    A sum over players of an interpolated function is a sum over nodes, with the interpolation's
    coefficients as weights (they may be negative).
    """
    if theta.size <= _points(0.0, smooth=smooth):
        return Nodes(theta, count)
    apart = 1 + int(np.diff(theta).argmax())
    # A wide gap needs no panels.
    if theta[apart] - theta[apart - 1] > PANEL * _width_at(width, float(theta[apart])):
        low = summarise(theta[:apart], count[:apart], width, smooth=smooth)
        return _join([low, summarise(theta[apart:], count[apart:], width, smooth=smooth)])
    edges, length = _panels(float(theta[0]), float(theta[-1]), width)
    panel = np.clip(np.searchsorted(edges, theta, side="right") - 1, 0, edges.size - 2)
    parts = []
    for k in range(edges.size - 1):
        few = Nodes(theta[panel == k], count[panel == k])
        size = _points(length[k], smooth=smooth)
        many = few.theta.size > size
        parts.append(_interpolate(few, edges[k], edges[k + 1], size) if many else few)
    return _join(parts)


def _width_at(width: Width, theta: float) -> float:
    return width(theta) if callable(width) else width


def _panels(low: float, high: float, width: Width) -> tuple[Floats, Floats]:
    """Edges between which a polynomial will do, and the lengths of panels in standard errors."""
    at = partial(_width_at, width)
    edges = [high]
    while edges[-1] > low:
        here = edges[-1]
        step = PANEL * at(here)
        # Standard errors shrink towards either end of the scale.
        step = min(step, PANEL * at(max(here - step, low)))
        edges.append(max(here - step, low))
    if len(edges) == 1:
        edges.append(low)
    bounds = np.array(edges[::-1])
    narrowest = np.minimum([at(end) for end in bounds[1:]], [at(end) for end in bounds[:-1]])
    return bounds, np.diff(bounds) / narrowest


def _join(parts: Sequence[Nodes]) -> Nodes:
    return Nodes(*(np.concatenate([getattr(p, name) for p in parts]) for name in Nodes.__slots__))


def _interpolate(points: Nodes, low: float, high: float, size: int) -> Nodes:
    angle = np.pi * (np.arange(size) + 0.5) / size
    centre, half = 0.5 * (low + high), 0.5 * (high - low)
    at = centre + half * np.cos(angle)
    # Coefficients of Lagrange's polynomials through discrete cosines: no division by differences.
    degree = np.arange(size)
    position = np.clip((points.theta - centre) / half, -1.0, 1.0)
    moments = points.weight @ np.cos(np.outer(np.arccos(position), degree))
    scale = np.where(degree == 0, 1.0, 2.0) / size
    return Nodes(at, np.cos(np.outer(angle, degree)) @ (scale * moments))


@dataclass(frozen=True, slots=True)
class Uniform:
    """Players whose performance is uniform between two ends."""

    low: float
    high: float
    players: int
    drawn: bool = True

    @property
    def top(self) -> float:
        return self.high

    @property
    def best(self) -> float:
        return (self.players * self.high + self.low) / (self.players + 1)

    def nodes(self, low: float, width: Width) -> Nodes:
        begin = max(low, self.low)
        if self.high == self.low:
            return Nodes(np.array([self.high]), np.ones(1))
        if begin >= self.high:
            return Nodes(np.empty(0), np.empty(0))
        edges, length = _panels(begin, self.high, width)
        parts = [
            Nodes(*_gauss(edges[k : k + 2], 8 + int(1.4 * length[k]))) for k in range(length.size)
        ]
        nodes = _join(parts)
        return Nodes(nodes.theta, nodes.weight / (self.high - self.low))


def _gauss(edges: Floats, size: int) -> tuple[Floats, Floats]:
    """Gauss–Legendre nodes and weights, so many between any two edges."""
    node, weight = np.polynomial.legendre.leggauss(size)
    half = 0.5 * np.diff(edges)[:, None]
    centre = 0.5 * (edges[1:] + edges[:-1])[:, None]
    return (centre + half * node).ravel(), (half * weight).ravel()
