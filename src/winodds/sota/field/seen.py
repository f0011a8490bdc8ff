"""What of a board tells where true performances lie, and the places at which they are looked for.

Only the upper part of a board tells about its top, so of the other entries only their number
counts. Places are dense where a score is, and elsewhere as dense as the field needs.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.sota.field.family import Fields

FEWEST, MOST = 12, 150
"""Scores that are looked at, if there are as many, and at most; between, the upper half."""

SINGLY = 60
"""Best scores that are kept apart; those behind are rounded."""

BIN = 0.25
"""Width to which these are rounded, in standard deviations of luck."""

EVENLY = 160
"""Places from the lowest score to above the best one, evenly spaced."""

LAST_STEPS = 8
"""Places between the last of these and a perfect performance."""

NEAREST = 1.0 / 6.0
"""Least distance of places, in standard deviations of luck."""

BEYOND = 6.0
"""Where places end, in standard deviations of luck above the best score."""


class Noise(Protocol):
    """How scores vary around performances."""

    @property
    def top(self) -> float:
        """Performances are lower; infinite where nothing bounds them."""

    def own(self, theta: Floats) -> Floats:
        """Standard deviations of a score, without what all scores share; never 0."""

    def shared(self, theta: Floats) -> Floats:
        """Standard deviations of what all scores share."""

    def log_likelihood(self, theta: Floats, scores: Floats) -> Floats:
        """(k, j) of performances (k,) for scores (j,), without what all scores share."""

    def below(self, theta: Floats, score: float) -> Floats:
        """(k,) probability of a score below this one."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Scores that count, and what performances make of them.

    Attributes
    ----------
    scores, entries : (j,) different scores in increasing order, and how many have each.
    unseen : entries of which only their number counts, all of them behind.
    places : (k,) performances.
    likelihood : (k, j) of the scores; each column has its maximum at 1.
    behind : (k,) probability to be among the unseen.
    top : performances are lower.
    luck : standard deviation of the best score, without what all share.
    """

    scores: Floats
    entries: Ints
    unseen: int
    places: Floats
    likelihood: Floats
    behind: Floats
    top: float
    luck: float

    def masses(self, fields: Fields) -> Floats:
        """(p, k) how likely performances in each population are at each place."""
        edges = 0.5 * (self.places[1:] + self.places[:-1])
        if not np.isfinite(self.top):
            return fields.masses(edges)
        below = fields.masses(np.append(edges, self.top))[:, :-1]
        return np.asarray(below / np.maximum(below.sum(axis=1, keepdims=True), 1e-300))

    @property
    def players(self) -> int:
        return int(self.entries.sum()) + self.unseen


def look(scores: Floats, noise: Noise) -> Seen:
    """What counts of scores (m,), of which more is better."""
    ordered = np.sort(scores)[::-1]
    luck = float(noise.own(ordered[:1])[0])
    shown, limit = _upper_part(ordered)
    near, far = shown[:SINGLY], shown[SINGLY:]
    # Counted from the top, so that a shift of all scores shifts the answer.
    steps = np.round((ordered[0] - far) / (BIN * luck))
    far = np.maximum(ordered[0] - steps * (BIN * luck), limit)
    values, entries = np.unique(np.concatenate([near, far]), return_counts=True)
    places = _places(values, near, luck, noise.top)
    log_likelihood = noise.log_likelihood(places, values)
    likelihood = np.exp(log_likelihood - log_likelihood.max(axis=0))
    unseen = ordered.size - shown.size
    behind = noise.below(places, limit)
    # Everything farther down is at the first place.
    behind[0] = 1.0
    return Seen(values, entries, unseen, places, likelihood, behind, noise.top, luck)


def _upper_part(ordered: Floats) -> tuple[Floats, float]:
    """The scores that count, and a limit between them and all others, or the lowest."""
    size = min(max(FEWEST, ordered.size // 2), MOST, ordered.size)
    last = ordered[size - 1]
    # Entries with the same score count alike.
    shown = ordered[ordered >= last]
    rest = ordered[ordered < last]
    return shown, float(0.5 * (last + rest[0]) if rest.size else last)


def _places(values: Floats, near: Floats, luck: float, top: float) -> Floats:
    low, high = float(values[0]), float(values[-1])
    even = np.linspace(low - 4.0 * luck, high + BEYOND * luck, EVENLY)
    around = (np.unique(near)[:, None] + luck * np.linspace(-4.0, 5.0, 28)).ravel()
    wanted = np.sort(np.concatenate([even, around]))
    # The first place in every stretch of the least distance.
    stretch = np.floor((wanted - wanted[0]) / (NEAREST * luck) + 1e-6)
    kept = wanted[np.concatenate([[True], np.diff(stretch) > 0.0])]
    kept = kept[kept < top]
    if not np.isfinite(top):
        return np.asarray(kept)
    # The last stretch before a perfect performance, in ever shorter steps.
    return np.append(kept, top - (top - kept[-1]) * 0.5 ** np.arange(1, LAST_STEPS + 1))
