"""Doubts about an estimate of the state of the art, in sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from winodds.arrays import Bools, Floats
from winodds.language.notes import Note, doubt, reading, scope
from winodds.language.words import count, list_names, quote
from winodds.sota.abc.posterior import MOST_MISFIT
from winodds.sota.entries import Entries
from winodds.sota.estimate import Estimate
from winodds.sota.granularity import Granularity
from winodds.sota.laws.closeness import closeness
from winodds.sota.laws.dependence import ItemCorrelation

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
    method : "population", "shrink", "crop" or "posterior".
    misfit : of a posterior, else 0.
    n : size of the test set, for accuracies.
    grain : what the decimals say about it.
    perfect : entries with a perfect score.
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
    perfect: int


def collect(facts: Facts) -> tuple[Note, ...]:
    """All doubts."""
    return tuple(_doubts(facts))


def _doubts(facts: Facts) -> Iterator[Note]:
    if facts.grain is not None and facts.grain.fits is False and facts.n is not None:
        grain = facts.grain
        yield odd_decimals(facts.n, grain.decimals, grain.smallest, grain.rule)
    if facts.perfect > 1:
        yield perfect_scores(facts.perfect)
    if facts.method == "posterior":
        if facts.misfit > MOST_MISFIT:
            yield impossible_board(facts.misfit)
        return
    if facts.found.at_floor:
        yield at_floor()
    weak = ~facts.possible
    near = int(((facts.scores >= facts.naive_low) & weak).sum())
    if facts.method == "population" and weak.any():
        yield less_correlated(int(weak.sum()))
    elif near and facts.method != "population":
        yield left_out(near)
    if facts.n is None:
        return
    close = closeness(facts.scores, facts.n, facts.correlation)
    if close is not None and close.too_close:
        yield too_close(facts.correlation)
    elif close is not None and close.ratio < MOSTLY_LUCK and facts.method == "shrink":
        yield mostly_luck(close.ratio)


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


def on_reading(entries: Entries, *, percent: bool) -> tuple[Note, ...]:
    """What was noticed while the board was read."""
    said = []
    repeated, ignored = entries.repeated, entries.ignored
    if ignored.entries:
        said.append(left_out_as_asked(ignored.entries, ignored.names))
    if percent:
        said.append(read_as_percent())
    if repeated:
        said.append(repeated_names(sum(repeated.values()), next(iter(repeated)), len(repeated)))
    return tuple(said)


# Sentences ----------------------------------------------------------------------------------------


@reading
def left_out_as_asked(entries: int, names: Sequence[str]) -> str:
    return f"Left out as asked: {count(entries, 'entry', 'entries')}, {list_names(names)}."


@reading
def read_as_percent() -> str:
    return "Scores are read as percent: divided by 100 they are shares of a test set of this size."


@reading
def repeated_names(entries: int, first: str, names: int) -> str:
    others = "" if names == 1 else f" and {count(names - 1, 'other name', 'other names')}"
    return (
        f"{count(entries, 'entry', 'entries')} share the name {quote(first)}{others}; each counts "
        f"as an entry of its own."
    )


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


@scope
def less_correlated(entries: int) -> str:
    verb, they = ("is", "it has") if entries == 1 else ("are", "they have")
    return (
        f"{count(entries, 'entry', 'entries')} {verb} too far behind the best to have this "
        f"correlation; {they} as much of it as is possible."
    )


@doubt
def perfect_scores(entries: int) -> str:
    return (
        f"{count(entries, 'entry', 'entries')} scored perfectly. Either the test set cannot tell "
        f"good entries apart, or its answers leaked: see what the perfect entries have in common."
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
