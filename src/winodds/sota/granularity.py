"""Can the test set have the stated size? A share of n cases, printed with d decimals, is k/n.

A leaderboard cuts its scores off or rounds them. Either way not every number with d decimals is a
share of n, so a few hundred scores leave few sizes that fit them all.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from winodds.arrays import Bools, Floats, Ints

Rule = Literal["rounded", "truncated"]

DIGITS = 12
"""Decimals that are looked at; more would not fit into whole numbers of 64 bits."""

LARGEST = 1_000_000
"""Sizes that are tried."""

FIRST = 12
"""Scores that a size must fit before all others are looked at."""


@dataclass(frozen=True, slots=True)
class Granularity:
    """What the decimals of the scores say about the size of the test set.

    Attributes
    ----------
    decimals : how many the scores have.
    rule : how its shares became scores, "truncated" or "rounded"; None without a size.
    smallest : the smallest size that fits all scores; None when none does.
    fits : whether the stated size does; None when none is stated.
    """

    decimals: int
    rule: Rule | None
    smallest: int | None
    fits: bool | None


def count_decimals(scores: Floats) -> int:
    """Decimals of the score that has most, as it is written in the shortest way.

    Examples
    --------
    >>> count_decimals(np.array([0.5, 0.91157]))
    5
    """
    places = 0
    for score in np.unique(scores).tolist():
        text = np.format_float_positional(round(score, DIGITS), trim="-")
        places = max(places, len(text.partition(".")[2]))
    return places


def check_size(scores: Floats, n: int | None = None, decimals: int | None = None) -> Granularity:
    """The smallest size of a test set that these shares can come from, and whether n can be it.

    Parameters
    ----------
    scores : (m,) shares between 0 and 1.
    n : the stated size.
    decimals : with which they were printed; by default the most that any of them has.
    """
    places = count_decimals(scores) if decimals is None else decimals
    digits = min(places, DIGITS)
    unit = 10**digits
    whole = np.unique(np.round(scores * unit).astype(np.int64))
    # Where digits are left out here, they were rounded.
    rules: tuple[Rule, ...] = ("rounded",) if places >= DIGITS else ("truncated", "rounded")
    found = [(size, rule) for rule in rules if (size := _smallest(whole, unit, rule)) is not None]
    best = min(found, default=None)
    fits = None
    if n is not None:
        stated = np.array([n])
        fits = any(bool(_fitting(whole, unit, stated, rule)[0]) for rule in rules)
    smallest, chosen = (None, None) if best is None else best
    return Granularity(places, chosen, smallest, fits)


def _smallest(whole: Ints, unit: int, rule: Rule) -> int | None:
    sizes = np.arange(1, min(unit, LARGEST) + 1)
    some = whole[np.linspace(0, whole.size - 1, FIRST).astype(np.int64)]
    for score in np.unique(some)[::-1]:
        sizes = sizes[_fitting(np.array([score]), unit, sizes, rule)]
    for size in sizes.tolist():
        if _fitting(whole, unit, np.array([size]), rule)[0]:
            return int(size)
    return None


def _fitting(whole: Ints, unit: int, sizes: Ints, rule: Rule) -> Bools:
    """(s,) whether all scores, in units of the last decimal, can be shares of the sizes."""
    share = whole[:, None] * sizes
    if rule == "truncated":
        successes = -(-share // unit)
        fits = successes * unit < share + sizes
    else:
        successes = (2 * share + unit) // (2 * unit)
        fits = np.abs(successes * unit - share) * 2 <= sizes
    return np.asarray((fits & (successes <= sizes)).all(axis=0), np.bool_)
