"""What a contest's best entry is worth: by the method asked for, or by one that has an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winodds.sota.abc.posterior import LEAST_ESS, posterior
from winodds.sota.answer import Contender, PosteriorSummary, Sensitivity, Verdict
from winodds.sota.asked import Contest, Way
from winodds.sota.entries import Entries
from winodds.sota.errors import ImpossibleCorrelation
from winodds.sota.estimate import Estimate, at_face_value, estimate
from winodds.sota.field.best import Best, find_best
from winodds.sota.laws.dependence import largest_correlation
from winodds.sota.looks.taken import scored_once
from winodds.sota.sampling import Sampling

MENTIONED, LEAST_CHANCE = 5, 0.01
"""Contenders at most, and the chance to be the best from which one is named."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The estimate and how it came about.

    Attributes
    ----------
    estimate : what shrinking or cropping found; for other methods, scores at face value.
    drawn : the simulated posterior, if it was asked for.
    best : the field's best, if it gave the estimate.
    sota, low, high : the estimate and its interval, if it has one.
    explained : whether multiplicity explains the best score.
    """

    estimate: Estimate
    drawn: PosteriorSummary | None
    best: Best | None
    sota: float
    low: float | None
    high: float | None
    explained: bool

    @property
    def p_best(self) -> float | None:
        """How likely an entry with the best score is truly the best."""
        return None if self.best is None else self.best.first

    def verdict(self, top: float, *, bounded: bool) -> Verdict:
        """What became of the best score."""
        if bounded and top == 1.0:
            return "perfect"
        if not self.explained:
            return "ahead"
        return "even" if self.sota >= top else "luck"

    def contenders(self, entries: Entries) -> tuple[Contender, ...]:
        """Who may truly be the best."""
        if self.best is None:
            return ()
        likely = np.flatnonzero(self.best.p_best >= LEAST_CHANCE)[::-1][:MENTIONED]
        found = ((float(self.best.scores[k]), float(self.best.p_best[k])) for k in likely)
        return tuple(_contender(entries, *one) for one in found)


def _contender(entries: Entries, score: float, p_best: float) -> Contender:
    same = np.flatnonzero(entries.scores == score)
    alone = entries.names is not None and same.size == 1
    name = (entries.names or ())[same[0]] or None if alone else None
    return Contender(name, score, max(int(same.size), 1), p_best)


def reckon(contest: Contest, correlation: float, way: Way) -> Reckoning:
    """The best entry's performance under a correlation.

    Where the method asked for has no estimate, because luck does not explain the best score, the
    field's best is estimated, which may be truly ahead.
    """
    scores = contest.above
    sampling = contest.test.sampling(correlation, way.seed, float(scores.max()))
    if way.method == "population":
        found = at_face_value(scores, sampling)
        return _by_field(contest, sampling, way, found, None, explained=found.p_second is None)
    found = shrink(contest, sampling, way)
    if way.method == "posterior":
        drawn = draw(contest, correlation, way)
        if drawn.useful and drawn.mean is not None:
            return Reckoning(found, drawn, None, drawn.mean, drawn.low, drawn.high, explained=True)
        return _by_field(contest, sampling, way, found, drawn, explained=False)
    _refuse_impossible(found, contest, correlation)
    if found.solution is None:
        return _by_field(contest, sampling, way, found, None, explained=False)
    return Reckoning(found, None, None, found.solution.sota, None, None, explained=True)


def _by_field(
    contest: Contest,
    sampling: Sampling,
    way: Way,
    found: Estimate,
    drawn: PosteriorSummary | None,
    *,
    explained: bool,
) -> Reckoning:
    best = find_best(contest.above, sampling)
    low, high = best.interval(way.level)
    return Reckoning(found, drawn, best, best.mean, low, high, explained)


def under_others(
    contest: Contest, way: Way, others: Sequence[float], own: Sensitivity
) -> tuple[Sensitivity, ...]:
    """The estimate under other correlations, and its own among them."""
    if not others:
        return ()
    rest = [value for value in others if not np.isclose(value, own.correlation)]
    found = [own, *(_under(contest, value, way) for value in rest)]
    return tuple(sorted(found, key=lambda one: one.correlation))


def _under(contest: Contest, stated: float, way: Way) -> Sensitivity:
    contest, correlation = scored_once(contest, stated)
    if way.method == "posterior":
        drawn = draw(contest, correlation, way)
        return Sensitivity(stated, drawn.mean if drawn.useful else None)
    sampling = contest.test.sampling(correlation, way.seed, float(contest.above.max()))
    if way.method == "population":
        best = find_best(contest.above, sampling)
        low, high = best.interval(way.level)
        return Sensitivity(stated, best.mean, low=low, high=high, p_best=best.first)
    found = shrink(contest, sampling, way)
    if found.players < 2:
        return Sensitivity(stated, None, possible=False)
    return Sensitivity(stated, None if found.solution is None else found.solution.sota)


def shrink(contest: Contest, sampling: Sampling, way: Way) -> Estimate:
    """By shrinking or cropping; a posterior stands beside what shrinking says at face value."""
    return estimate(
        contest.above,
        sampling,
        floor=contest.floor,
        method="crop" if way.method == "crop" else "shrink",
        conservative=way.conservative,
        level=way.level,
    )


def draw(contest: Contest, correlation: float, way: Way) -> PosteriorSummary:
    """A posterior by simulated contests."""
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


def _refuse_impossible(found: Estimate, contest: Contest, correlation: float) -> None:
    """Refuse a correlation that only the best entry can have."""
    if found.players >= 2:
        return
    theta = np.unique(contest.above)[-2:].tolist()
    largest = largest_correlation(theta[0], theta[1])
    raise ImpossibleCorrelation(
        correlation=correlation, common=theta[1], theta=theta[0], largest=largest
    )
