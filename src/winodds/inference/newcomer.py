"""Entry of a new player → its rating's error and interval, the others' ratings being known.

The rules are those of all intervals (`winodds.inference.intervals`), for one parameter. A cluster's
influence is what the new player won there beyond expectation, over the information. What the
others' errors would add is left out: a round in which they did well moves them all, and the zero
with them.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, Ints
from winodds.inference.clusters import weigh_shares
from winodds.inference.contrasts import Contrasts, small_sample
from winodds.inference.intervals import Estimates, Intervals
from winodds.inference.structure import Structure
from winodds.matches.entry import Entry


@dataclass(frozen=True, slots=True)
class Arrival:
    """A new player's matches and rating.

    Attributes
    ----------
    entry : its matches.
    rating : its own, on the scale of the others' ratings.
    others : (m,) these, moved to make room for it.
    information : about the rating, the others' being known.
    shrunken : whether the rating is biased on purpose (ridge).
    """

    entry: Entry
    rating: float
    others: Floats
    information: float
    shrunken: bool = False


def judge_newcomer(
    new: Arrival, intervals: Intervals, *, zero: Ints | None, overlap: float
) -> Estimates:
    """The rating around those of ``zero``, None for all players, with its interval, (1,) each.

    Parameters
    ----------
    intervals : of the others, as they are.
    zero : the players whose mean rating is 0.
    overlap : factor on variances for splits that share training data.
    """
    model = np.sqrt(intervals.model_scale / new.information)
    robust, df, bias = None, 1.0, 0.0
    if intervals.influence is not None:
        robust, df = _robust_error(new, intervals, overlap)
        excess = robust**2 / overlap - 1.0 / new.information
        bias = 0.0 if new.shrunken else _remaining_bias(new, max(excess, 0.0))
    low_known, high_known = _known_ends(new.entry, intervals.structure, zero)
    found = Contrasts(
        value=np.array([new.rating]),
        model=np.array([model]),
        robust=None if robust is None else np.array([robust]),
        units=np.array([max(new.entry.clusters, 2)]),
        df=np.array([df]),
        cut=np.array([not (low_known and high_known)]),
    )
    half = float(found.half_width(intervals.level)[0])
    middle = float((intervals.beta if zero is None else intervals.beta[zero]).mean())
    value, centre = new.rating - middle, new.rating - middle - bias
    low = min(centre - half, value) if low_known else -np.inf
    high = max(centre + half, value) if high_known else np.inf
    return Estimates(np.array([value]), found.se, np.array([low]), np.array([high]))


def _robust_error(new: Arrival, intervals: Intervals, overlap: float) -> tuple[float, float]:
    """The error from how the player's clusters differ, and its degrees of freedom."""
    entry = new.entry
    matches = entry.cluster_met.sum(axis=1)
    own = np.flatnonzero(matches > 0.0)
    chance = expit(new.rating - new.others)
    residual = entry.cluster_wins[own] - entry.cluster_met[own] @ chance
    influence = (residual / new.information)[None, :]
    held, df, _ = weigh_shares((matches[own] / matches[own].sum())[None, :], influence)
    more = small_sample(float(own.size)) ** (intervals.power - 1)
    variance = float((influence**2 / (1.0 - held)).sum()) * more * overlap
    return float(np.sqrt(variance)), float(df[0])


def _remaining_bias(new: Arrival, excess: float) -> float:
    """First-order bias from what the variance has beyond the model's, ``excess``.

    The score's curvature is −Σ nⱼ pⱼ (1 − pⱼ)(1 − 2pⱼ), and the bias of its root half of that times
    the variance over the information. A rating that is not bias-reduced has that of the model's
    variance as well, which the score that is left shows.
    """
    chance = expit(new.rating - new.others)
    weight = new.entry.met * chance * (1.0 - chance)
    curvature = float(weight @ (1.0 - 2.0 * chance))
    left = new.entry.wins - float(new.entry.met @ chance) + 0.5 * curvature / float(weight.sum())
    return -(0.5 * curvature * excess + left) / new.information


def _known_ends(entry: Entry, structure: Structure, zero: Ints | None) -> tuple[bool, bool]:
    """Whether the data tell the lower and the upper end of the distance from those of ``zero``.

    They do if chains of wins or ties lead to all of them, and from all of them.
    """
    everyone = np.arange(structure.part.size)
    wanted = np.unique(structure.part[everyone if zero is None else zero])
    down, up = np.zeros(structure.parts, np.bool_), np.zeros(structure.parts, np.bool_)
    for part in np.unique(structure.part[entry.reaches]).tolist():
        down |= structure.sets_reached_from(part)
    beaten = np.unique(structure.part[entry.reached_by])
    for part in wanted.tolist():
        up[part] = bool(structure.sets_reached_from(part)[beaten].any())
    return bool(down[wanted].all()), bool(up[wanted].all())
