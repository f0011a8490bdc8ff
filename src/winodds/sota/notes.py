"""Doubts about an estimate of the state of the art, in sentences."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from winodds.arrays import Bools, Floats
from winodds.sota.dependence import ItemCorrelation
from winodds.sota.estimate import Estimate
from winodds.sota.granularity import Granularity
from winodds.sota.posterior import MOST_MISFIT
from winodds.words import count

UNLIKELY = 0.01
"""Chance of scores that lie so close together."""

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
    misfit : of a posterior, which tells luck from differences between entries; else None.
    n : size of the test set, for accuracies.
    grain : what the decimals say about it.
    """

    found: Estimate
    scores: Floats
    possible: Bools
    naive_low: float
    correlation: float
    misfit: float | None
    n: int | None
    grain: Granularity | None


def collect(facts: Facts) -> tuple[str, ...]:
    """All doubts."""
    return tuple(_doubts(facts))


def _doubts(facts: Facts) -> Iterator[str]:
    if facts.grain is not None and facts.grain.fits is False and facts.n is not None:
        yield _misfit(facts.grain, facts.n)
    if facts.found.at_floor:
        yield (
            "Even entries that only guess would be expected to reach more than the largest score; "
            "the estimate is guessing itself."
        )
    if facts.misfit is not None and facts.misfit > MOST_MISFIT:
        yield (
            f"The model cannot make such a board: where its best score is like this one, its "
            f"median and top tenth are about {facts.misfit:.1f} standard errors from the observed "
            f"ones. The posterior rests on the best score and the prior alone."
        )
    close = int(((facts.scores >= facts.naive_low) & ~facts.possible).sum())
    if close:
        yield (
            f"{count(close, 'entry', 'entries')} within the best score's own interval cannot have "
            f"this correlation and had to be left out; with a lower one the estimate would be "
            f"lower."
        )
    if facts.n is not None:
        yield from _on_spread(
            facts.scores[facts.possible],
            facts.n,
            facts.correlation,
            separated=facts.misfit is not None,
        )


def _misfit(grain: Granularity, n: int) -> str:
    start = f"The scores cannot be shares of {n:,} cases printed with {grain.decimals} decimals"
    if grain.smallest is None:
        return f"{start}, and of no other number up to a million."
    how = "cut off" if grain.rule == "truncated" else "rounded"
    return f"{start}; the smallest test set that fits them all ({how}) has {grain.smallest:,}."


def _on_spread(scores: Floats, n: int, correlation: float, *, separated: bool) -> Iterator[str]:
    """Whether the scores vary less than luck makes them, or hardly more."""
    luck = (1.0 - correlation**2) * float((scores * (1.0 - scores)).mean()) / n
    if scores.size < 3 or luck == 0.0:
        return
    ratio = float(np.var(scores, ddof=1)) / luck
    if ratio < stats.chi2.ppf(UNLIKELY, scores.size - 1) / (scores.size - 1):
        yield (
            f"The scores lie closer together than luck alone would put them at a correlation of "
            f"{correlation:.2g}: entries have more in common than that, and less luck."
        )
    elif ratio < MOSTLY_LUCK and not separated:
        yield (
            f"Luck alone makes {min(1.0 / ratio, 1.0):.0%} of the scores' variance. Shrinking and "
            f"cropping take it for differences between entries, so part of the luck stays in the "
            f"estimate; a posterior tells the two apart."
        )


def on_items(found: ItemCorrelation, dropped: int) -> tuple[str, ...]:
    """What was noticed while the correlation was estimated."""
    said = []
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
