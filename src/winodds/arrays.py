"""Names for the arrays that travel between the numerical modules, sums by label, and equality.

Numbers that are equal on paper differ by rounding when they are computed, each time in another way
on another processor. Wherever such numbers may tie, they are compared and sorted here, so that the
same input gives the same board everywhere.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

EQUAL = 1e-9
"""Computed numbers closer than this (by this share of them, if larger than 1) are equal."""


TENS: Floats = np.array([float(f"1e{power}") for power in range(300)])
"""Powers of ten; those that processors compute differ in the last bit."""


def at_least(value: Any, limit: Any) -> Any:
    """Whether ``value`` is ``limit`` or more, rounding aside; numbers or arrays.

    >>> at_least(np.array([0.3, 0.2999]), 0.1 + 0.2).tolist()
    [True, False]
    """
    return value >= limit - EQUAL * np.maximum(np.abs(limit), 1.0)


def levels(values: Floats) -> Ints:
    """(n,) 0 for the smallest numbers, 1 for the next, and so on; equal ones share a level.

    >>> levels(np.array([0.5, 0.1 + 0.2, 0.3])).tolist()
    [1, 0, 0]
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    fresh = np.diff(ordered) > EQUAL * np.maximum(np.abs(ordered[1:]), 1.0)
    found = np.zeros(values.size, np.int64)
    found[order[1:]] = np.cumsum(fresh)
    return found


def order_of(values: Floats | Sequence[float]) -> Ints:
    """(n,) places of the numbers from the smallest on; equal ones stay in their order.

    >>> order_of([0.5, 0.1 + 0.2, 0.3]).tolist()
    [1, 2, 0]
    """
    return np.argsort(levels(np.asarray(values, np.float64)), kind="stable")


def round_digits(values: Floats, digits: int) -> Floats:
    """Numbers with so many significant digits, so that equal ones are equal in all bits.

    >>> round_digits(np.array([(0.81 + 0.84 + 0.95) / 3, -0.1 - 0.2, 0.0]), 3).tolist()
    [0.867, -0.3, 0.0]
    """
    size = np.abs(values)
    usual = (size > 1e-280) & (size < 1e280)
    power = digits - 1 - np.floor(np.log10(size[usual])).astype(np.int64)
    up, down = TENS[np.maximum(power, 0)], TENS[np.maximum(-power, 0)]
    rounded = values.copy()
    rounded[usual] = np.rint(values[usual] * up / down) / up * down
    return rounded


def sum_by(label: NDArray[np.integer], amount: NDArray[Any], size: int) -> Floats:
    """(size,) sum of the amounts that bear each label."""
    return np.bincount(label, weights=amount, minlength=size).astype(np.float64, copy=False)


def number_keys(key: Ints) -> tuple[Ints, Ints]:
    """The keys that occur, none of them negative, in order, and the number of each row's key."""
    if int(key.max(initial=0)) > 4 * key.size:
        return np.unique(key, return_inverse=True)
    return np.flatnonzero(np.bincount(key)), renumber(key)


def renumber(label: NDArray[np.integer]) -> Ints:
    """The labels that occur, none of them negative, as 0, 1, … in their order."""
    numbers: Ints = (np.cumsum(np.bincount(label) > 0) - 1)[label]
    return numbers
