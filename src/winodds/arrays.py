"""Names for the arrays that travel between the numerical modules, and sums by label."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


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
