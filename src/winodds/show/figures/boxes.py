"""Numbers → the five numbers of a box, and the points beyond its whiskers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, at_least

REACH = 1.5
"""Whiskers end at the last value within so many interquartile ranges of the box."""

WHISKERS = (
    f"whiskers end at the last value within {REACH:g} interquartile ranges of the box, if any lies "
    f"outside the box"
)
"""How to read them."""

FEW = 5
"""Values below which each of them is shown beside the box."""


@dataclass(frozen=True, slots=True)
class Box:
    """Quartiles, ends of the whiskers, and the places of values that are shown as points.

    Attributes
    ----------
    low, q1, median, q3, high : of the box and its whiskers.
    beyond : places of values beyond the whiskers, or of all when they are few.
    """

    low: float
    q1: float
    median: float
    q3: float
    high: float
    beyond: tuple[int, ...]


def make_box(values: Sequence[float] | Floats) -> Box:
    """The box of some values.

    >>> box = make_box([1.0, 2.0, 3.0, 4.0, 5.0, 20.0])
    >>> box.low, box.q1, box.median, box.q3, box.high, box.beyond
    (1.0, 2.25, 3.5, 4.75, 5.0, (5,))
    """
    array = np.asarray(values, np.float64)
    q1, median, q3 = np.quantile(array, [0.25, 0.5, 0.75]).tolist()
    reach = REACH * (q3 - q1)
    inside = at_least(array, q1 - reach) & at_least(q3 + reach, array)
    shown = ~inside if array.size >= FEW else np.ones(array.size, np.bool_)
    return Box(
        low=min(float(array[inside].min()), q1),
        q1=q1,
        median=median,
        q3=q3,
        high=max(float(array[inside].max()), q3),
        beyond=tuple(np.flatnonzero(shown).tolist()),
    )
