"""Doubts about an estimate of the state of the art, in sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from winodds.arrays import Bools, Floats
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


def collect(facts: Facts) -> tuple[str, ...]:
    """All doubts."""
    return tuple(_doubts(facts))


def _doubts(facts: Facts) -> Iterator[str]:
    if facts.grain is not None and facts.grain.fits is False and facts.n is not None:
        yield _misfit(facts.grain, facts.n)
    if facts.method == "posterior":
        yield from _on_misfit(facts.misfit)
        return
    if facts.found.at_floor:
        yield (
            "Even if nobody were better than where scores are drawn to, the best score would be "
            "expected to be higher than it is; the estimate ends there."
        )
    close = int(((facts.scores >= facts.naive_low) & ~facts.possible).sum())
    if close:
        yield (
            f"{count(close, 'entry', 'entries')} within the best score's own interval cannot have "
            f"this correlation and had to be left out."
        )
    if facts.n is not None:
        upper = facts.scores[facts.scores >= np.median(facts.scores)]
        yield from _on_spread(upper, facts.n, facts.correlation, shrunken=facts.method == "shrink")


def _on_misfit(misfit: float) -> Iterator[str]:
    if misfit > MOST_MISFIT:
        yield (
            f"The model cannot make such a board: where its best score is like this one, its "
            f"median and top tenth are about {misfit:.1f} standard errors from the observed ones. "
            f"The posterior rests on the best score and the prior alone."
        )


def _misfit(grain: Granularity, n: int) -> str:
    start = f"The scores cannot all be shares of {n:,} cases with {grain.decimals} decimals"
    if grain.smallest is None:
        return f"{start}, and of no other number up to a million."
    how = "cut off" if grain.rule == "truncated" else "rounded"
    return f"{start}; the smallest test set that fits them all ({how}) has {grain.smallest:,}."


def _on_spread(upper: Floats, n: int, correlation: float, *, shrunken: bool) -> Iterator[str]:
    """Whether the upper half of the scores varies less than luck makes it, or hardly more.

    The lower half is often made of abandoned entries.
    """
    theta = float(upper.mean())
    luck = HALF_NORMAL * (1.0 - correlation**2) * theta * (1.0 - theta) / n
    if upper.size < FEWEST or luck == 0.0:
        return
    ratio = float(np.var(upper, ddof=1)) / luck
    if ratio < stats.chi2.ppf(UNLIKELY, upper.size - 1) / (upper.size - 1):
        yield (
            f"The scores lie closer together than luck alone would put them at a correlation of "
            f"{correlation:.2g}: entries have more in common than that, and less luck."
        )
    elif ratio < MOSTLY_LUCK and shrunken:
        yield (
            f"Luck alone makes {_share(ratio)} of the variance in the upper half of the scores. "
            f"Shrinking takes it for differences between entries, so part of the luck stays in "
            f"the estimate; cropping leaves less of it."
        )


def _share(ratio: float) -> str:
    return "all" if ratio <= 1.0 else f"about {1.0 / ratio:.0%}"


def on_items_of(items: int | None, n: int | None) -> tuple[str, ...]:
    """That the correlation comes from another number of cases than the scores."""
    if items is None or n is None or items == n:
        return ()
    return (f"The correlation comes from {count(items, 'case')}, the scores from {n:,}.",)


def on_items(
    found: ItemCorrelation,
    dropped: int,
    theirs: Sequence[str] | None,
    names: Sequence[str] | None,
) -> tuple[str, ...]:
    """What was noticed while the correlation was estimated.

    Parameters
    ----------
    found, dropped : the correlation, and cases that were left out.
    theirs, names : the entries it comes from, and those of the contest, where they are known.
    """
    said = []
    if theirs is not None and names is not None and not {*theirs} & {*names}:
        said.append("The correlation comes from other entries than those of the contest.")
    if dropped:
        said.append(
            f"{count(dropped, 'case')} without a result of every entry left out of the correlation."
        )
    if found.pair < 0.0:
        said.append(
            f"Entries are right on different cases (mean correlation {found.pair:.3f}); they are "
            f"taken as independent."
        )
    return tuple(said)
