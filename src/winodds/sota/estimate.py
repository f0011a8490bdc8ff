"""Performance of the best entry, from scores of which the best is best partly by luck.

The performances are taken for a less spread copy of the scores: shrunken towards a point (such as
guessing), or cropped. How much, follows from the largest score: with the right amount, it is what
the largest of so many scores is expected to be (or, with ``conservative``, as large as it can
usually get). The best entry's performance is then the largest of the copy.

Møllersen and Holsbø draw the performances of each imagined contest from the copy, with
replacement; so does this. It matters: the winner may be absent from a contest, and so the largest
score can be too large to be explained.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import brentq

from winodds.arrays import Floats
from winodds.sota.laws.law import MaximumLaw
from winodds.sota.laws.populations import empirical
from winodds.sota.sampling import Sampling

Method = Literal["shrink", "crop"]

TOLERANCE = 1e-6
"""Of the best performance."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Performances that are less spread than the scores.

    Attributes
    ----------
    sota : the best performance.
    amount : the weight of the scores, or where they are cropped.
    law : of the largest score under these performances.
    """

    sota: float
    amount: float
    law: MaximumLaw


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the scores say about the best entry.

    Attributes
    ----------
    players : entries that can have the law's correlation; the others play no part.
    face_value : the scores taken for the performances themselves.
    solution : the copy that explains the largest score; None when there is none.
    at_floor : whether even the least spread copy is expected to reach more than was observed.
    p_second : without a solution, how likely so large a score is if the best entry is only as good
        as the second score; else None.
    """

    players: int
    face_value: Copy
    solution: Copy | None
    at_floor: bool = False
    p_second: float | None = None


def estimate(
    scores: Floats,
    sampling: Sampling,
    *,
    floor: float,
    method: Method = "shrink",
    conservative: bool = False,
    level: float = 0.95,
) -> Estimate:
    """The best entry's performance, by shrinking or cropping.

    Parameters
    ----------
    scores : (m,) two or more, not all equal, above the floor.
    sampling : how scores vary around performances.
    floor : where shrinking leads to, such as guessing; cropping does not go below.
    method : "shrink" or "crop".
    conservative : the largest score is taken for the upper limit of the interval, not for the
        expectation.
    level : of that interval.
    """
    top = float(scores.max())
    kept = scores[sampling.possible(scores)]

    def copy(sota: float) -> Copy:
        weight = (sota - floor) / (top - floor)
        shrunken = floor + weight * (kept - floor)
        theta, amount = (shrunken, weight) if method == "shrink" else (np.minimum(kept, sota), sota)
        return Copy(sota, amount, sampling.maximum(empirical(theta)))

    face_value, exact = copy(top), sampling.exact(top)
    perfect = face_value.law.at_most(exact) > 1.0 - 1e-12
    # No expectation exceeds a perfect score, whether luck explains it or not.
    if face_value.law.mean < top and not (perfect and conservative):
        second = _luck_of_second(kept, sampling, exact)
        return Estimate(kept.size, face_value, None, p_second=second)
    tail = 0.5 * (1.0 - level) if conservative else None
    beyond = _beyond(exact if conservative else top, tail, perfect=perfect)
    found, at_floor = _solve(copy, beyond, face_value, floor, below=conservative)
    return Estimate(kept.size, face_value, found, at_floor)


def at_face_value(scores: Floats, sampling: Sampling) -> Estimate:
    """What is to be expected if the scores are the performances; never with a solution.

    Entries too weak for the law's correlation take part, with as much of it as they can have.
    """
    top = float(scores.max())
    law = sampling.maximum(empirical(scores))
    second = _luck_of_second(scores, sampling, sampling.exact(top)) if law.mean < top else None
    return Estimate(scores.size, Copy(top, 1.0, law), None, p_second=second)


def _luck_of_second(scores: Floats, sampling: Sampling, largest: float) -> float:
    """How likely the largest score is if nobody is better than the second score."""
    second = float(np.sort(scores)[-2]) if scores.size > 1 else largest
    law = sampling.maximum(empirical(np.minimum(scores, second)))
    return law.at_least(largest)


def _beyond(top: float, tail: float | None, *, perfect: bool) -> Callable[[MaximumLaw], float]:
    """By how much a law lies above the largest score: its mean, or in terms of a tail."""
    if tail is None:
        return lambda law: law.mean - top
    if perfect:
        # More than everything cannot be reached, so reaching it is what has the tail's chance.
        return lambda law: law.at_least(top) - tail
    return lambda law: 1.0 - tail - law.at_most(top)


def _solve(
    copy: Callable[[float], Copy],
    beyond: Callable[[MaximumLaw], float],
    face_value: Copy,
    floor: float,
    *,
    below: bool,
) -> tuple[Copy, bool]:
    """The copy whose law lies neither above nor below, and whether the floor ended the search.

    With ``below`` it may lie below by a hair, but not above.
    """
    high, excess = face_value.sota, max(face_value.law.bias, 0.0)
    known = {high: face_value}

    def distance(sota: float) -> float:
        if sota not in known:
            known[sota] = copy(sota)
        return beyond(known[sota].law)

    step = max(2.0 * excess, 4.0 * face_value.law.sd, TOLERANCE)
    low = max(high - step, floor)
    while distance(low) > 0.0:
        if low == floor:
            return known[floor], True
        high, step = low, 2.0 * step
        low = max(low - step, floor)
    # At face value a quantile may already be low enough.
    if distance(high) <= 0.0:
        return known[high], False
    root = float(brentq(distance, low, high, xtol=TOLERANCE))
    while below and distance(root) > 0.0:
        root = max(root - TOLERANCE, low)
    distance(root)
    return known[root], False
