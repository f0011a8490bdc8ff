"""A contest of entries that submitted often → the same as if each had been scored once."""

from dataclasses import replace

import numpy as np

from winodds.language.errors import BadOption
from winodds.language.spelling import option
from winodds.sota.answer import Submitted
from winodds.sota.asked import Contest, Way, refuse_too_few
from winodds.sota.entries import Entries
from winodds.sota.looks.counts import Looked, check_alike
from winodds.sota.looks.luck import as_once, variance_left


def find_looks(
    entries: Entries, alike: float | None, way: Way, *, places: str | None
) -> Looked | None:
    """How many scores each entry's is the best of, if that was said."""
    if entries.looks is None:
        if alike is not None:
            wanted = f"it says how alike submissions are; say how many, {option('submissions')}"
            raise BadOption(option="alike", value=alike, wanted=wanted)
        return None
    if places is not None:
        wanted = f"places are those of the board; leave {option(places)} out"
        raise BadOption(option="submissions", value="COLUMN", wanted=wanted)
    if way.method == "posterior":
        wanted = f"with {option('submissions')} the posterior is that of 'population'"
        raise BadOption(option="method", value=way.method, wanted=wanted)
    return Looked(entries.looks, check_alike(alike))


def scored_once(contest: Contest, correlation: float) -> tuple[Contest, float]:
    """The contest without the luck of the best of many looks, and the correlation ρ₀ to use.

    Scores are lower by what their looks gave them, and vary less: as on a larger test set, with
    more in common.
    """
    looked = contest.looked
    if looked is None:
        return contest, correlation
    alike = looked.correlation(correlation)
    scores = as_once(contest.entries.scores, looked.looks, alike, contest.test.spread)
    above = scores > (-np.inf if contest.test.metric == "other" else contest.floor)
    refuse_too_few(scores[above], contest.entries, contest.floor)
    # Who is far behind says little about how much the scores at the top vary.
    upper = above & (scores >= np.median(scores[above]))
    left = float(variance_left(looked.looks[upper], alike).mean())
    return (
        replace(
            contest,
            entries=replace(contest.entries, scores=scores),
            above=scores[above],
            test=contest.test.larger(1.0 / left),
        ),
        correlation / float(np.sqrt(left)),
    )


def sum_up(contest: Contest, single: Contest, correlation: float) -> Submitted | None:
    """What many submissions gave the board's best."""
    looked, scores = contest.looked, contest.entries.scores
    if looked is None:
        return None
    first = np.flatnonzero(scores == scores.max())
    # Of several with the same score, the one that needed the fewest is worth the most.
    best = int(first[looked.looks[first].argmin()])
    return Submitted(
        total=int(looked.looks.sum()),
        most=int(looked.looks.max()),
        best=float(scores[best]),
        name=contest.entries.winner,
        looks=int(looked.looks[best]),
        worth=float(single.entries.scores[best]),
        alike=looked.correlation(correlation),
        alike_from="assumed" if looked.alike is None else "given",
    )
