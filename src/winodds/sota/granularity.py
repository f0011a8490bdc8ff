"""Can the test set have the stated size? A share of n cases, printed with d decimals, is k/n.

A leaderboard cuts its scores off or rounds them. Either way not every number with d decimals is a
share of n, so a few hundred scores leave few sizes that fit them all.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from winodds.arrays import Bools, Floats, Ints

Rule = Literal["rounded", "truncated"]

DIGITS = 12
"""Decimals that are looked at; more would not fit into whole numbers of 64 bits."""

LARGEST = 1_000_000
"""Sizes that are tried."""

FIRST = 12
"""Scores that a size must fit before all others are looked at."""


FEWEST = 10
"""Different scores that show that all were cut off; a few may have few decimals by chance."""


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


def _decimals(scores: Floats) -> Ints:
    """(m,) decimals of each; single precision holds no more than seven."""
    if (scores == scores.astype(np.float32)).all():
        texts = [np.format_float_positional(x, trim="-") for x in scores.astype(np.float32)]
    else:
        rounded = [round(score, DIGITS) for score in scores.tolist()]
        texts = [np.format_float_positional(x, trim="-") for x in rounded]
    return np.array([len(text.partition(".")[2]) for text in texts], np.int64)


def printed_unit(scores: Floats, steps: int | None) -> float:
    """The unit of the last decimal, if that is more than a step and many scores show it; else 0.

    Parameters
    ----------
    steps : between 0 and 1; None for scores without steps, of which nothing tells whether they
        were cut off.

    Examples
    --------
    >>> scores = np.arange(80, 95) / 100
    >>> printed_unit(scores, 5000), printed_unit(scores, 100), printed_unit(scores[:5], 5000)
    (0.01, 0.0, 0.0)
    """
    values = np.unique(scores)
    if steps is None or values.size < FEWEST:
        return 0.0
    unit = 10.0 ** -int(_decimals(values).max())
    return unit if unit * steps > 1.0 + 1e-9 else 0.0


def check_size(scores: Floats, n: int | None = None) -> Granularity:
    """The smallest size of a test set that these shares can come from, and whether n can be it.

    A score with two decimals less than others have may have been shortened by hand, and is looked
    at with its own.

    Parameters
    ----------
    scores : (m,) shares between 0 and 1.
    n : the stated size.
    """
    values = np.unique(scores)
    places = _decimals(values)
    most = int(places.max(initial=0))
    own = np.where(places <= most - 2, places, most)
    own = np.minimum(own, _room(LARGEST if n is None else max(n, LARGEST)))
    batches = [(10**d, _whole(values[own == d], d)) for d in np.unique(own)[::-1].tolist()]
    rules: tuple[Rule, ...] = ("truncated", "rounded")
    found = [(size, rule) for rule in rules if (size := _smallest(batches, rule)) is not None]
    fits = None
    if n is not None:
        fits = any(bool(_fit_all(batches, np.array([n]), rule)[0]) for rule in rules)
    smallest, chosen = min(found) if found else (None, None)
    return Granularity(most, chosen, smallest, fits)


def in_percent(scores: Floats, n: int | None) -> bool:
    """Whether scores are no shares, but hundredths of them are shares of n cases.

    Examples
    --------
    >>> in_percent(np.array([85.5, 90.0]), 200), in_percent(np.array([85.3, 90.0]), 20)
    (True, False)
    """
    if n is None or n < 1 or not (scores.max() > 1.0 and scores.min() >= 0.0):
        return False
    return bool(scores.max() <= 100.0 and check_size(scores / 100.0, n).fits)


def _room(largest: int) -> int:
    """Decimals with which sizes up to the largest stay within whole numbers of 64 bits."""
    return min(DIGITS, int(np.floor(np.log10(4e18 / largest))))


def _whole(scores: Floats, digits: int) -> Ints:
    return np.unique(np.round(scores * 10.0**digits).astype(np.int64))


Batches: TypeAlias = list[tuple[int, Ints]]
"""Scores by their decimals: the unit of the last one, and the scores in it; most decimals first."""


def _fit_all(batches: Batches, sizes: Ints, rule: Rule) -> Bools:
    each = [_fitting(whole, unit, sizes, rule) for unit, whole in batches]
    return np.asarray(np.all(each, axis=0), np.bool_)


def _smallest(batches: Batches, rule: Rule) -> int | None:
    unit, whole = batches[0]
    sizes = np.arange(1, min(unit, LARGEST) + 1)
    some = whole[np.linspace(0, whole.size - 1, FIRST).astype(np.int64)]
    for score in np.unique(some)[::-1]:
        sizes = sizes[_fitting(np.array([score]), unit, sizes, rule)]
    for size in sizes.tolist():
        if _fit_all(batches, np.array([size]), rule)[0]:
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
