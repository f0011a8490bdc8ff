"""Doubts about an estimate of the state of the art, in sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from winodds.arrays import Bools, Floats
from winodds.language.notes import Note, doubt, reading, scope
from winodds.language.words import count
from winodds.sota.abc.posterior import MOST_MISFIT
from winodds.sota.estimate import Estimate
from winodds.sota.granularity import Granularity
from winodds.sota.laws.dependence import ItemCorrelation

UNLIKELY = 0.01
"""Chance of scores that lie so close together."""

HALF_NORMAL = 1.0 - 2.0 / np.pi
"""Variance of the upper half of a normal law with variance 1."""

FEWEST = 5
"""Scores whose spread begins to tell anything."""

MOSTLY_LUCK = 2.0
"""Variance of scores, in that of luck, below which most of it is luck."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What doubts follow from.

    Attributes
    ----------
    found : the estimate.
    scores, possible : (m,) scores above guessing, and which can have the correlation.
    naive_low : lower end of the best score's own interval.
    correlation : ρ₀.
    method : "shrink", "crop" or "posterior".
    misfit : of a posterior, else 0.
    n : size of the test set, for accuracies.
    grain : what the decimals say about it.
    """

    found: Estimate
    scores: Floats
    possible: Bools
    naive_low: float
    correlation: float
    method: str
    misfit: float
    n: int | None
    grain: Granularity | None


def collect(facts: Facts) -> tuple[Note, ...]:
    """All doubts."""
    return tuple(_doubts(facts))


def _doubts(facts: Facts) -> Iterator[Note]:
    if facts.grain is not None and facts.grain.fits is False and facts.n is not None:
        grain = facts.grain
        yield odd_decimals(facts.n, grain.decimals, grain.smallest, grain.rule)
    if facts.method == "posterior":
        if facts.misfit > MOST_MISFIT:
            yield impossible_board(facts.misfit)
        return
    if facts.found.at_floor:
        yield at_floor()
    close = int(((facts.scores >= facts.naive_low) & ~facts.possible).sum())
    if close:
        yield left_out(close)
    if facts.n is not None:
        upper = facts.scores[facts.scores >= np.median(facts.scores)]
        yield from _on_spread(upper, facts.n, facts.correlation, shrunken=facts.method == "shrink")


def _on_spread(upper: Floats, n: int, correlation: float, *, shrunken: bool) -> Iterator[Note]:
    """Whether the upper half of the scores varies less than luck makes it, or hardly more.

    The lower half is often made of abandoned entries.
    """
    theta = float(upper.mean())
    luck = HALF_NORMAL * (1.0 - correlation**2) * theta * (1.0 - theta) / n
    if upper.size < FEWEST or luck == 0.0:
        return
    ratio = float(np.var(upper, ddof=1)) / luck
    if ratio < stats.chi2.ppf(UNLIKELY, upper.size - 1) / (upper.size - 1):
        yield too_close(correlation)
    elif ratio < MOSTLY_LUCK and shrunken:
        yield mostly_luck(ratio)


def on_items_of(items: int | None, n: int | None) -> tuple[Note, ...]:
    """That the correlation comes from another number of cases than the scores."""
    if items is None or n is None or items == n:
        return ()
    return (other_cases(items, n),)


def on_items(
    found: ItemCorrelation,
    dropped: int,
    theirs: Sequence[str] | None,
    names: Sequence[str] | None,
) -> tuple[Note, ...]:
    """What was noticed while the correlation was estimated.

    Parameters
    ----------
    found, dropped : the correlation, and cases that were left out.
    theirs, names : the entries it comes from, and those of the contest, where they are known.
    """
    said = []
    if theirs is not None and names is not None and not {*theirs} & {*names}:
        said.append(other_entries())
    if dropped:
        said.append(incomplete_cases(dropped))
    if found.pair < 0.0:
        said.append(opposed_entries(found.pair))
    return tuple(said)


# Sentences ----------------------------------------------------------------------------------------


@doubt
def odd_decimals(n: int, decimals: int, smallest: int | None, rule: str | None) -> str:
    start = f"The scores cannot all be shares of {n:,} cases with {decimals} decimals"
    if smallest is None:
        return f"{start}, and of no other number up to a million."
    how = "cut off" if rule == "truncated" else "rounded"
    return f"{start}; the smallest test set that fits them all ({how}) has {smallest:,}."


@doubt
def impossible_board(misfit: float) -> str:
    return (
        f"The model cannot make such a board: where its best score is like this one, its median "
        f"and top tenth are about {misfit:.1f} standard errors from the observed ones. The "
        f"posterior rests on the best score and the prior alone."
    )


@doubt
def at_floor() -> str:
    return (
        "Even if nobody were better than where scores are drawn to, the best score would be "
        "expected to be higher than it is; the estimate ends there."
    )


@doubt
def left_out(entries: int) -> str:
    return (
        f"{count(entries, 'entry', 'entries')} within the best score's own interval cannot have "
        f"this correlation and had to be left out."
    )


@doubt
def too_close(correlation: float) -> str:
    return (
        f"The scores lie closer together than luck alone would put them at a correlation of "
        f"{correlation:.2g}: entries have more in common than that, and less luck."
    )


@doubt
def mostly_luck(ratio: float) -> str:
    share = "all" if ratio <= 1.0 else f"about {1.0 / ratio:.0%}"
    return (
        f"Luck alone makes {share} of the variance in the upper half of the scores. Shrinking "
        f"takes it for differences between entries, so part of the luck stays in the estimate; "
        f"cropping leaves less of it."
    )


@scope
def from_similarity(theta: float) -> str:
    return f"The similarity is taken at accuracy {theta:.4g}, the mean of the upper half."


@scope
def other_cases(items: int, n: int) -> str:
    return f"The correlation comes from {count(items, 'case')}, the scores from {n:,}."


@doubt
def other_entries() -> str:
    return "The correlation comes from other entries than those of the contest."


@reading
def incomplete_cases(cases: int) -> str:
    return f"{count(cases, 'case')} without a result of every entry left out of the correlation."


@doubt
def opposed_entries(pair: float) -> str:
    return (
        f"Entries are right on different cases (mean correlation {pair:.3f}); they are taken as "
        f"independent."
    )
