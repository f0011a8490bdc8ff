"""How often entries were scored: what was said of it → a number for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.language.checks import check_count, check_number
from winodds.language.errors import BadOption
from winodds.sota.errors import NotACount

Submissions: TypeAlias = str | int | Sequence[int] | Ints
"""A column, a number for all entries, or one for each."""


@dataclass(frozen=True, slots=True)
class Looked:
    """How many scores each entry's is the best of, and how alike those of one entry are.

    Attributes
    ----------
    looks : (m,) at least 1.
    alike : correlation of two submissions of one entry; None if they are as alike as any two.
    """

    looks: Ints
    alike: float | None

    def correlation(self, common: float) -> float:
        """Of two submissions of one entry: never less than that of any two entries."""
        return max(self.alike or 0.0, common**2)


def check_alike(value: float | None) -> float | None:
    """A correlation of submissions, if one was stated."""
    if value is None:
        return None
    check_number("alike", value)
    if not 0.0 <= value < 1.0:
        wanted = "it is at least 0 and below 1 (at 1 all submissions of an entry are the same)"
        raise BadOption(option="alike", value=value, wanted=wanted)
    return float(value)


def count_looks(values: Floats) -> Ints:
    """Whole numbers from 1 on, one for each entry."""
    bad = np.flatnonzero(~((values >= 1.0) & (values == np.round(values)) & (values < 1e9)))
    if bad.size:
        raise NotACount(value=float(values[bad[0]]), row=int(bad[0]) + 1, others=bad.size - 1)
    return values.astype(np.int64)


def same_looks(number: int, entries: int) -> Ints:
    """The same number for all entries."""
    check_count("submissions", number)
    return np.full(entries, int(number))
