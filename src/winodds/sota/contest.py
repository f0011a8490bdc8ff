"""Scores of many entries on one test set → the performance of the best, without its luck."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from winodds.sota import notes
from winodds.sota.abc.posterior import LEAST_ESS, posterior
from winodds.sota.answer import Expected, PosteriorSummary, Sensitivity, Sota
from winodds.sota.asked import (
    Contest,
    Correlation,
    Method,
    Metric,
    Way,
    check_way,
    find_correlation,
    find_direction,
    find_floor,
    find_metric,
    refuse_perfect,
    refuse_too_few,
    state_test,
)
from winodds.sota.entries import check_finite, check_shares, read_entries
from winodds.sota.errors import ImpossibleCorrelation
from winodds.sota.estimate import Copy, Estimate, estimate
from winodds.sota.granularity import check_size
from winodds.sota.laws.dependence import largest_correlation
from winodds.sota.sampling import Sampling

OTHERS = (0.0, 0.3, 0.6, 0.77)
"""Correlations under which the estimate is shown as well."""


def estimate_sota(
    scores: Any,
    *,
    score: str | None = None,
    player: str | None = None,
    n: int | None = None,
    classes: int | None = None,
    metric: Metric | None = None,
    positives: int | None = None,
    se: float | None = None,
    higher_is_better: bool | None = None,
    correlation: float | None = None,
    similarity: float | None = None,
    items: Any = None,
    method: Method = "shrink",
    conservative: bool = False,
    level: float = 0.95,
    sensitivity: bool = True,
    seed: int = 0,
) -> Sota:
    """The performance of the best entry of a contest on one test set.

    The best of many scores is best partly by luck. This takes the luck out: it looks for
    performances from which the largest score is to be expected, and returns the best of them.

    Parameters
    ----------
    scores : one score for each entry: a list, a mapping of names to scores, or a table.
    score, player : columns of a table; found by their names where that is clear.
    n : size of the test set.
    classes : number of classes; guessing is right in one of so many cases. Entries that are no
        better are left out, and scores are shrunken towards it.
    metric : "accuracy", "auc", or "other" for one with a known standard error; by default what
        ``positives``, ``se`` or the name of the score's column tell, else "accuracy".
    positives : for "auc", how many of the cases are positive.
    se : for "other", the standard error of a score; the law of scores is taken as normal.
    higher_is_better : the direction, for "other", if the name of the column does not tell it.
    correlation : ρ₀, correlation of each entry with what makes a case easy; any two entries have
        ρ₀². By default 0.6, an assumption.
    similarity : share of cases on which two entries are both right or both wrong, from which ρ₀
        follows.
    items : right (1) and wrong (0), entries × cases, from which ρ₀ is estimated.
    method : "shrink" scores towards guessing, "crop" the highest, or "posterior" for approximate
        Bayesian computation.
    conservative : the largest score is taken for as high as it usually gets, not for its
        expectation.
    level : of the intervals.
    sensitivity : also under other correlations.
    seed : of simulations (for "auc" and "posterior").

    Examples
    --------
    >>> import numpy as np, winodds
    >>> scores = np.random.default_rng(0).binomial(2000, 0.8, size=200) / 2000
    >>> found = winodds.estimate_sota(scores, n=2000, classes=2, correlation=0)
    >>> float(scores.max()), round(found.sota, 3)
    (0.827, 0.817)
    """
    entries = read_entries(scores, score=score, player=player)
    metric = find_metric(metric, entries.column, positives, se)
    way = check_way(method, metric, conservative=conservative, level=level, seed=seed)
    up = find_direction(metric, entries.column, given=higher_is_better)
    check_finite(entries)
    entries = entries if up else entries.turned()
    if metric != "other":
        check_shares(entries)
    floor = find_floor(metric, classes, method, entries.scores)
    above = entries.scores if metric == "other" else entries.scores[entries.scores > floor]
    refuse_too_few(above, entries, floor)
    refuse_perfect(metric, float(above.max()), way)
    related = find_correlation(metric, above, entries.names, correlation, similarity, items)
    test = state_test(metric, n, classes, positives, se, related, entries.scores)
    contest = Contest(entries, above, floor, test)
    found = _answer(contest, related, way, OTHERS if sensitivity else ())
    return found if up else found.turned()


# The answer ---------------------------------------------------------------------------------------


def _answer(contest: Contest, related: Correlation, way: Way, others: Sequence[float]) -> Sota:
    scores, test = contest.above, contest.test
    sampling = test.sampling(related.value, way.seed)
    found = _estimate(contest, sampling, way)
    best = found.solution or found.face_value
    drawn = _draw(contest, related.value, way) if way.method == "posterior" else None
    if drawn is None:
        _refuse_impossible(found, contest, related.value)
    sota = _value(found, drawn)
    low, high = sampling.interval(float(scores.max()), way.level)
    inside = (contest.entries.scores >= low) & (contest.entries.scores <= high)
    grain = check_size(contest.entries.scores, test.n) if test.metric == "accuracy" else None
    doubts = notes.Facts(
        found=found,
        scores=scores,
        possible=sampling.possible(scores),
        naive_low=low,
        correlation=related.value,
        method=way.method,
        misfit=0.0 if drawn is None else drawn.misfit or 0.0,
        n=test.n if test.metric == "accuracy" else None,
        grain=grain,
    )
    return Sota(
        sota=sota,
        observed_max=float(scores.max()),
        expected=_expected(best, way.level) if drawn is None else None,
        face_value=_expected(found.face_value, way.level),
        weight=best.amount if way.method == "shrink" and found.solution is not None else None,
        cut=best.amount if way.method == "crop" and found.solution is not None else None,
        floor=contest.floor if way.method == "shrink" else None,
        correlation=related.value,
        correlation_from=related.source,
        correlation_se=related.se,
        sensitivity=_sensitivity(contest, way, others, Sensitivity(related.value, sota)),
        entries=contest.entries.scores.size + contest.entries.missing,
        excluded={
            "missing": contest.entries.missing,
            "at_or_below_chance": contest.entries.scores.size - scores.size,
            # Simulated contests keep them, with as much correlation as they can have.
            "too_low_for_correlation": scores.size - found.players if drawn is None else 0,
        },
        at_or_above=None if sota is None else int((contest.entries.scores >= sota).sum()),
        naive_low=low,
        naive_high=high,
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
        explained=sota is not None,
        at_floor=found.at_floor and drawn is None,
        p_second=found.p_second if drawn is None else None,
        compatible_n=None if grain is None else grain.smallest,
        n_fits=None if grain is None else grain.fits,
        posterior=drawn,
        winner=contest.entries.winner,
        higher_is_better=True,
        notes=(*related.notes, *notes.on_items_of(related.items, test.n), *notes.collect(doubts)),
        scores=contest.entries.scores,
    )


def _estimate(contest: Contest, sampling: Sampling, way: Way) -> Estimate:
    return estimate(
        contest.above,
        sampling,
        floor=contest.floor,
        # A posterior stands beside what shrinking says about the scores at face value.
        method="crop" if way.method == "crop" else "shrink",
        conservative=way.conservative,
        level=way.level,
    )


def _value(found: Estimate, drawn: PosteriorSummary | None) -> float | None:
    if drawn is not None:
        return drawn.mean if drawn.useful else None
    return None if found.solution is None else found.solution.sota


def _sensitivity(
    contest: Contest, way: Way, others: Sequence[float], own: Sensitivity
) -> tuple[Sensitivity, ...]:
    """The estimate under other correlations, and its own among them."""
    if not others:
        return ()
    rest = [value for value in others if not np.isclose(value, own.correlation)]
    found = [own, *(_under(contest, value, way) for value in rest)]
    return tuple(sorted(found, key=lambda one: one.correlation))


def _under(contest: Contest, correlation: float, way: Way) -> Sensitivity:
    """The estimate under another correlation."""
    if way.method == "posterior":
        drawn = _draw(contest, correlation, way)
        return Sensitivity(correlation, drawn.mean if drawn.useful else None)
    found = _estimate(contest, contest.test.sampling(correlation, way.seed), way)
    if found.players < 2:
        return Sensitivity(correlation, None, possible=False)
    return Sensitivity(correlation, None if found.solution is None else found.solution.sota)


def _draw(contest: Contest, correlation: float, way: Way) -> PosteriorSummary:
    assert contest.test.n is not None
    law = posterior(
        contest.above,
        contest.test.n,
        correlation=correlation,
        chance=contest.floor,
        seed=way.seed,
    )
    low, high = law.interval(way.level)
    return PosteriorSummary(
        mean=_or_none(law.mean),
        sd=_or_none(law.sd),
        low=_or_none(low),
        high=_or_none(high),
        ess=law.ess,
        epsilon=law.epsilon,
        accepted=law.accepted,
        proposals=law.proposals,
        misfit=_or_none(law.misfit),
        useful=law.ess >= LEAST_ESS,
    )


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value


def _expected(copy: Copy, level: float) -> Expected:
    return Expected(copy.law.mean, *copy.law.interval(level))


def _model(metric: Metric, correlation: float) -> str:
    kind = {"accuracy": "binomial", "auc": "binormal", "other": "normal"}[metric]
    return f"{'dependent' if correlation > 0.0 else 'independent'} {kind}"


def _refuse_impossible(found: Estimate, contest: Contest, correlation: float) -> None:
    """Refuse a correlation that only the best entry can have."""
    if found.players >= 2:
        return
    theta = np.unique(contest.above)[-2:].tolist()
    largest = largest_correlation(theta[0], theta[1])
    raise ImpossibleCorrelation(
        correlation=correlation, common=theta[1], theta=theta[0], largest=largest
    )
