"""Scores of many entries on one test set → the performance of the best, without its luck."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from winodds.language.options import Columns
from winodds.sota import notes
from winodds.sota.answer import Expected, Metric, Sensitivity, Sota
from winodds.sota.asked import (
    Contest,
    Correlation,
    Method,
    Way,
    adapt,
    ask_for_all,
    check_way,
    find_correlation,
    find_direction,
    find_floor,
    find_metric,
    refuse_perfect,
    refuse_too_few,
    state_test,
)
from winodds.sota.columns import refuse_nowhere
from winodds.sota.entries import check_finite, check_shares, read_entries
from winodds.sota.estimate import Copy
from winodds.sota.granularity import check_size, in_percent
from winodds.sota.looks.counts import Submissions
from winodds.sota.looks.taken import find_looks, scored_once, sum_up
from winodds.sota.places.asked import Asked, check_prizes, places_of
from winodds.sota.reckoning import reckon, under_others

OTHERS = (0.0, 0.3, 0.6, 0.77)
"""Correlations under which the estimate is shown as well."""


def estimate_sota(
    scores: Any,
    *,
    score: str | None = None,
    player: Columns | None = None,
    ignore: Columns = (),
    n: int | None = None,
    classes: int | None = None,
    metric: Metric | None = None,
    positives: int | None = None,
    se: float | None = None,
    higher_is_better: bool | None = None,
    correlation: float | None = None,
    similarity: float | None = None,
    items: Any = None,
    submissions: Submissions | None = None,
    alike: float | None = None,
    method: Method = "population",
    conservative: bool = False,
    level: float = 0.95,
    prizes: int | None = None,
    zones: bool = False,
    sensitivity: bool = True,
    seed: int = 0,
) -> Sota:
    """The performance of the best entry of a contest on one test set.

    The best of many scores is best partly by luck. This takes the luck out, says how sure that is,
    and how likely the winner is truly the best. Where luck does not explain the best score, it says
    so, and the estimate lets entries be truly ahead.

    Parameters
    ----------
    scores : one score for each entry: a list, a mapping of names to scores, or a table.
    score, player : columns of a table; found by their names where that is clear. Several columns
        can name a player together.
    ignore : columns and entries to leave out, by name; "sample_*" stands for all such.
    n : size of the test set.
    classes : number of classes; guessing is right in one of so many cases. Entries that are no
        better are left out. Shrinking leads towards it, and needs it.
    metric : "accuracy", "auc", or "other" for one with a known standard error; by default what
        ``positives``, ``se`` or the name of the score's column tell, else "accuracy".
    positives : for "auc", how many of the cases are positive.
    se : for "other", the standard error of a score; the law of scores is taken as normal.
    higher_is_better : the direction, for "other", if the name of the column does not tell it.
    correlation : ρ₀, correlation of each entry with what makes a case easy; any two entries have
        ρ₀². By default 0.6, an assumption, or what comes closest and suits the scores.
    similarity : share of cases on which two entries are both right or both wrong, from which ρ₀
        follows.
    items : right (1) and wrong (0), entries × cases, from which ρ₀ is estimated.
    submissions : how many scores each entry's is the best of: a column of numbers, one number for
        all, or a number for each. If it is the column with the names, each row is a submission, and
        those of one name are one entry. The luck of so many is taken out first.
    alike : correlation of two submissions of one entry; by default they are no more alike than any
        two entries, so that their luck is the most there can be.
    method : "population" finds where true performances lie, a few perhaps far ahead. "shrink"
        (scores towards guessing) and "crop" (the highest) look for performances from which the
        largest score is to be expected, and "posterior" is approximate Bayesian computation.
    conservative : when shrinking or cropping, the largest score is taken for as high as it usually
        gets, not for its expectation.
    level : of the intervals.
    prizes : so many places bring a prize; asks who could belong to them.
    zones : also which of all entries are told apart.
    sensitivity : also under other correlations.
    seed : of simulations (for "auc" and "posterior").

    Examples
    --------
    >>> import numpy as np, winodds
    >>> scores = np.random.default_rng(0).binomial(2000, 0.8, size=200) / 2000
    >>> found = winodds.estimate_sota(scores, n=2000, classes=2, correlation=0)
    >>> float(scores.max()), round(found.sota, 3)
    (0.827, 0.809)
    """
    entries = read_entries(
        scores, score=score, player=player, ignore=ignore, submissions=submissions
    )
    refuse_nowhere((entries.ignored, entries.names))
    prizes = check_prizes(prizes, zones=zones)
    metric = find_metric(metric, entries.column, positives, se)
    way = check_way(method, metric, conservative=conservative, level=level, seed=seed)
    up = find_direction(metric, entries.column, given=higher_is_better)
    check_finite(entries)
    entries = (entries if up else entries.turned()).best_of_each()
    places = None if prizes is None else "zones" if zones else "prizes"
    looked = find_looks(entries, alike, way, places=places)
    ask_for_all(
        way,
        metric,
        entries.scores,
        n=n,
        classes=classes,
        positives=positives,
        items=items is not None,
    )
    percent = metric == "accuracy" and in_percent(entries.scores, n)
    entries = entries.as_shares() if percent else entries
    if metric != "other":
        check_shares(entries)
    floor = find_floor(metric, classes, method, entries.scores)
    above = entries.scores if metric == "other" else entries.scores[entries.scores > floor]
    refuse_too_few(above, entries, floor)
    refuse_perfect(metric, float(above.max()), way)
    related = find_correlation(metric, above, entries.names, correlation, similarity, items)
    test = state_test(metric, n, classes, positives, se, related, entries.scores)
    related = adapt(related, above, test, looked=looked is not None)
    said = notes.on_reading(entries, percent=percent)
    related = replace(related, notes=(*said, *related.notes))
    contest = Contest(entries, above, floor, test, looked)
    asked = None if prizes is None else Asked(prizes, zones)
    found = _answer(contest, related, way, OTHERS if sensitivity else (), asked)
    return found if up else found.turned()


# The answer ---------------------------------------------------------------------------------------


def _answer(
    contest: Contest,
    related: Correlation,
    way: Way,
    others: Sequence[float],
    asked: Asked | None,
) -> Sota:
    test, board = contest.test, contest.entries
    single, correlation = scored_once(contest, related.value)
    scores, entries = single.above, single.entries
    sampling = single.test.sampling(correlation, way.seed)
    reckoned = reckon(single, correlation, way)
    found, drawn, sota = reckoned.estimate, reckoned.drawn, reckoned.sota
    solved = found.solution is not None and drawn is None
    best = found.solution or found.face_value
    alone = sampling if contest.looked is None else test.sampling(related.value, way.seed)
    naive_low, naive_high = alone.interval(float(scores.max()), way.level)
    inside = (entries.scores >= naive_low) & (entries.scores <= naive_high)
    grain = check_size(board.scores, test.n) if test.metric == "accuracy" else None
    own = Sensitivity(
        related.value,
        None if reckoned.best is not None and way.method != "population" else sota,
        low=reckoned.low if way.method == "population" else None,
        high=reckoned.high if way.method == "population" else None,
        p_best=reckoned.p_best if way.method == "population" else None,
    )
    places = None
    if asked is not None:
        places = places_of(contest, related, way, others, asked, reckoned.best)
    doubts = notes.Facts(
        found=found,
        scores=scores,
        possible=sampling.possible(scores),
        naive_low=naive_low,
        correlation=correlation,
        method=way.method,
        misfit=0.0 if drawn is None else drawn.misfit or 0.0,
        n=single.test.n if test.metric == "accuracy" else None,
        grain=grain,
        perfect=int((board.scores == 1.0).sum()) if test.metric != "other" else 0,
    )
    return Sota(
        sota=sota,
        low=reckoned.low,
        high=reckoned.high,
        p_best=reckoned.p_best,
        contenders=reckoned.contenders(entries),
        verdict=reckoned.verdict(float(scores.max()), bounded=test.metric != "other"),
        estimated_by=way.method if reckoned.best is None else "population",
        observed_max=float(scores.max()),
        expected=_expected(best, way.level) if solved else None,
        face_value=_expected(found.face_value, way.level),
        weight=best.amount if way.method == "shrink" and solved else None,
        cut=best.amount if way.method == "crop" and solved else None,
        floor=contest.floor if way.method == "shrink" else None,
        correlation=related.value,
        correlation_from=related.source,
        correlation_se=related.se,
        sensitivity=under_others(contest, way, others, own),
        entries=entries.scores.size + entries.missing,
        excluded={
            "missing": entries.missing,
            "at_or_below_chance": entries.scores.size - scores.size,
            # Other methods keep them, with as much correlation as they can have.
            "too_low_for_correlation": scores.size - found.players if drawn is None else 0,
        },
        at_or_above=int((entries.scores >= sota).sum()),
        naive_low=naive_low,
        naive_high=naive_high,
        in_naive_interval=int(inside.sum()),
        method=way.method,
        conservative=way.conservative,
        level=way.level,
        model=_model(test.metric, related.value),
        metric=test.metric,
        n=test.n,
        classes=test.classes,
        positives=test.positives,
        se=test.se,
        explained=reckoned.explained,
        at_floor=found.at_floor and drawn is None,
        p_second=None if reckoned.explained else found.p_second,
        compatible_n=None if grain is None else grain.smallest,
        n_fits=None if grain is None else grain.fits,
        posterior=drawn,
        winner=entries.winner,
        places=places,
        submitted=sum_up(contest, single, related.value),
        higher_is_better=True,
        notes=(*related.notes, *notes.on_items_of(related.items, test.n), *notes.collect(doubts)),
        scores=entries.scores,
    )


def _expected(copy: Copy, level: float) -> Expected:
    return Expected(copy.law.mean, *copy.law.interval(level))


def _model(metric: Metric, correlation: float) -> str:
    kind = {"accuracy": "binomial", "auc": "binormal", "other": "normal"}[metric]
    return f"{'dependent' if correlation > 0.0 else 'independent'} {kind}"
