"""May a candidate take the place of a baseline? A verdict for pull requests.

One interval decides, that of the win rate or of the mean difference of scores: the candidate is
better if it lies above equality, no worse if it lies above the margin, worse if it lies below
equality, and else nobody can tell. A certain loss within the margin is no worse if somebody chose
the margin, and worse if nobody did.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from winodds.arrays import EQUAL, Floats, at_least, renumber
from winodds.board import notes as note
from winodds.board.comparisons import Estimate, or_none
from winodds.board.errors import NeverShared, NoSharedRounds
from winodds.board.shared import ENOUGH, Shared, Unshared
from winodds.inference.decided import clusters_to_decide
from winodds.inference.paired import Differences, Interval, judge_mean
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.nouns import HOUSE, Nouns, without_nouns
from winodds.language.options import DEFAULT_MARGIN, Judging
from winodds.language.spelling import option
from winodds.matches.games import Duel
from winodds.show import present

Verdict: TypeAlias = Literal["better", "no worse", "worse", "cannot tell"]
Scale: TypeAlias = Literal["win rate", "score"]

SCHEMA = "winodds/gate/1"

DIFFERENT = 5
"""Rounds that must differ so that the largest difference among them says how large one can be."""

NO_SCORES = "These are battles, which have no scores"
DIFFERENT_WAYS = "Higher is better in some rounds and lower in others"
A_FAILED_RUN = "A failed run that loses has no score"
NO_ROUND = "No round has two scores"
NOT_COMPUTED = "Differences of scores are too small or too large to compute with"

SKEWED = 0.3
"""Skewness of the mean difference above which its interval is doubted: of 15 differences it is
larger in 3 of 100 tables if they are normal, in 52 if they are exponential, and in 67 if they are
log-normal."""

SMALLEST = 1e-100
"""Size of a difference whose square still is a number with all its digits."""


@dataclass(frozen=True, slots=True)
class Gate(present.Presented):
    """The verdict on a candidate.

    Attributes
    ----------
    baseline, candidate : the players.
    verdict : "better", "no worse" (than the margin), "worse" or "cannot tell".
    p_win : probability that the candidate beats the baseline in a new round, a tie half.
    difference : how much better the candidate's mean score is, in units of the score; positive is
        better, whichever direction the score has. An end is None when it is open. None where
        there are no scores, or directions differ.
    margin : how much below one half ``p_win`` may be, or below 0 the difference.
    margin_on : which of the two: "win rate" or "score".
    margin_given : whether somebody chose the margin. A certain loss within it is then no worse.
    rounds_needed : further rounds with which a verdict would be reached with a chance of
        ``power``, if the truth is what is estimated; 0 if there is one, None if no number would do.
    power : that chance.
    level : coverage of the intervals.
    rounds : shared rounds that the candidate won, lost and tied.
    unshared : rounds that do not count.
    mean_baseline, mean_candidate : mean scores in the shared rounds, as they were given.
    better_is : "higher" or "lower" scores; None where there are none, or it differs.
    unit, units : what is independent, and how many of these there are.
    notes : what to know of the verdict.
    nouns : what players, rounds and tournaments are called.
    """

    baseline: str
    candidate: str
    verdict: Verdict
    p_win: Estimate
    difference: Estimate | None
    margin: float
    margin_on: Scale
    margin_given: bool
    rounds_needed: int | None
    power: float
    level: float
    rounds: Duel
    unshared: Unshared
    mean_baseline: float | None
    mean_candidate: float | None
    better_is: Literal["higher", "lower"] | None
    unit: str
    units: int
    notes: tuple[Note, ...]
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def passed(self) -> bool:
        """Whether the candidate is better, or no worse than the margin."""
        return self.verdict in ("better", "no worse")

    @property
    def certainly_below(self) -> bool:
        """Whether the interval that decides lies below equality."""
        high = self.deciding.high
        return high is not None and not at_least(high, self.equality)

    @property
    def deciding(self) -> Estimate:
        """The number with the interval that decides."""
        if self.margin_on == "win rate":
            return self.p_win
        assert self.difference is not None
        return self.difference

    @property
    def equality(self) -> float:
        """What it is between equal players."""
        return 0.5 if self.margin_on == "win rate" else 0.0

    @property
    def text(self) -> str:
        """The verdict in a paragraph."""
        return present.describe_gate(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; open ends are None."""
        notes = [one.to_dict() for one in self.notes]
        return {
            **without_nouns(asdict(self)),
            "passed": self.passed,
            "notes": notes,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """Differences on one scale, and what is said of their mean."""

    differences: Differences
    interval: Interval

    @property
    def word(self) -> Verdict:
        """What it says without a margin."""
        return reach_verdict(self.interval, 0.0, given=False)


def name_sides(baseline: str, candidate: str) -> tuple[str, str]:
    """What the two are called; those of one name, which are on two boards, by their parts.

    >>> name_sides("main", "branch"), name_sides("ours", "ours")
    (('main', 'branch'), ('ours (baseline)', 'ours (candidate)'))
    """
    if baseline != candidate:
        return baseline, candidate
    return f"{baseline} (baseline)", f"{candidate} (candidate)"


def judge_candidate(
    found: Shared,
    names: tuple[str, str],
    asked: Judging,
    *,
    unit: str,
    chosen: bool = False,
    notes: tuple[Note, ...] = (),
) -> Gate:
    """The verdict on the second of two players.

    ``unit`` is what clusters are: "round", "tournament", "battle" or a column's name, and
    ``chosen`` says whether somebody wants these. ``notes`` are about how the table was read.
    """
    if not found.rounds:
        raise _nothing_shared(found, names)
    found, unit, scope = _choose_clusters(found, unit, chosen=chosen)
    by_wins = _judge(2.0 * found.outcome - 1.0, 1.0, found, asked)
    by_score, why = _judge_scores(found, asked)
    margin, given = asked.margin, asked.margin is not None
    deciding, size = by_wins, 2.0
    if asked.score_margin is not None:
        if by_score is None or found.lost:
            wanted = f"{(why or A_FAILED_RUN).lower()}; give {option('margin')}"
            raise BadOption(option="score_margin", value=asked.score_margin, wanted=wanted)
        margin, given, deciding, size = asked.score_margin, True, by_score, 1.0
    margin = DEFAULT_MARGIN if margin is None else margin
    verdict = reach_verdict(deciding.interval, size * margin, given=given)
    means = _means(found)
    return Gate(
        baseline=names[0],
        candidate=names[1],
        verdict=verdict,
        p_win=_chance(by_wins.interval),
        difference=None if by_score is None else _estimate(by_score.interval),
        margin=margin,
        margin_on="win rate" if asked.score_margin is None else "score",
        margin_given=given,
        rounds_needed=_more_rounds(deciding.differences, size * margin, verdict, asked),
        power=asked.power,
        level=asked.level,
        rounds=_count(found),
        unshared=found.unshared,
        mean_baseline=None if means is None else means[0],
        mean_candidate=None if means is None else means[1],
        better_is=None if means is None else _direction(found),
        unit=unit,
        units=by_wins.differences.clusters,
        notes=(
            *notes,
            *_reading_notes(found, names),
            *scope,
            *([note.no_scores(why)] if why else []),
            *_notes_on(by_wins, by_score, unit, margin if deciding is by_wins else None),
            *_overlap_note(by_wins.differences, asked),
        ),
    )


def reach_verdict(found: Interval, margin: float, *, given: bool) -> Verdict:
    """The verdict that an interval of a mean difference gives; ``margin`` in its units.

    >>> reach_verdict(Interval(-0.02, -0.03, -0.01), 0.05, given=True)
    'no worse'
    >>> reach_verdict(Interval(-0.02, -0.03, -0.01), 0.05, given=False)
    'worse'
    """
    ends = (abs(end) for end in (found.low, found.high) if np.isfinite(end))
    scale = EQUAL * max(margin, *ends, 0.0)
    below, within = found.high < -scale, found.low > -margin + scale
    if found.low > scale:
        return "better"
    if within and (given or not below):
        return "no worse"
    return "worse" if below else "cannot tell"


def _nothing_shared(found: Shared, names: tuple[str, str]) -> NoSharedRounds | NeverShared:
    if found.scores is None:
        return NeverShared(baseline=names[0], candidate=names[1])
    lone = found.unshared
    return NoSharedRounds(
        baseline=names[0],
        candidate=names[1],
        only_baseline=lone.only_baseline,
        only_candidate=lone.only_candidate,
        failed=lone.failed_baseline + lone.failed_candidate - lone.both_failed,
    )


def _choose_clusters(found: Shared, unit: str, *, chosen: bool) -> tuple[Shared, str, list[Note]]:
    """Whole tournaments as clusters, where there are enough, and what the verdict is about."""
    if found.tournaments == 1:
        return found, unit, []
    number, each = found.tournaments, found.each_tournament_once()
    if chosen:
        return each, unit, []
    if number >= ENOUGH:
        whole = replace(each, cluster=found.tournament)
        return whole, "tournament", [note.new_tournaments(number, found.rounds)]
    scope = [note.these_tournaments(number, ENOUGH)]
    if unit != "tournament":
        return each, unit, scope
    return replace(each, cluster=np.arange(found.rounds)), "round", scope


# The two scales -----------------------------------------------------------------------------------


def _judge(difference: Floats, largest: float, found: Shared, asked: Judging) -> Judged:
    fraction = asked.test_fraction
    lasting = 0.0 if fraction is None else fraction / (1.0 - fraction)
    own = Differences(difference, found.weight, found.cluster, largest, lasting)
    return Judged(own, judge_mean(own, asked.level))


def _judge_scores(found: Shared, asked: Judging) -> tuple[Judged | None, str]:
    """What scores say, or None and why they say nothing."""
    if found.scores is None:
        return None, NO_SCORES
    up = found.higher_is_better
    if not found.one_way:
        return None, DIFFERENT_WAYS
    scored = ~np.isnan(found.scores).any(axis=1)
    if not scored.any():
        return None, NO_ROUND
    largest = largest_difference(found.scores[scored])
    with np.errstate(over="ignore", under="ignore"):
        if not np.isfinite(largest) or (largest > 0.0 and not SMALLEST < largest < 1.0 / SMALLEST):
            return None, NOT_COMPUTED
    part = replace(found, weight=found.weight[scored], cluster=renumber(found.cluster[scored]))
    difference = (found.scores[:, 1] - found.scores[:, 0])[scored] * (1.0 if up[0] else -1.0)
    return _judge(difference, largest, part, asked), ""


def largest_difference(scores: Floats) -> float:
    """The largest difference of two players that is taken to be possible, from (R, 2) scores.

    Right and wrong answers differ by 1. Else it is the largest that was seen, or, where hardly any
    rounds differ, how far scores are apart; of a few rounds nobody knows, and it is 0.
    """
    if np.isin(np.abs(scores), (0.0, 1.0)).all() and np.ptp(scores) <= 1.0:
        return 1.0
    size = np.abs(scores[:, 1] - scores[:, 0])
    if (size > EQUAL * size.max()).sum() >= DIFFERENT:
        return float(size.max())
    return float(np.ptp(scores)) if len(scores) >= DIFFERENT else 0.0


def _more_rounds(found: Differences, margin: float, verdict: Verdict, asked: Judging) -> int | None:
    """Further rounds that would decide; None where no number would."""
    if verdict != "cannot tell":
        return 0
    needed = clusters_to_decide(found, margin, level=asked.level, power=asked.power)
    if not needed:
        return None
    more = max(needed - found.clusters, 1)
    return int(np.ceil(more * found.rounds / found.clusters - EQUAL))


def _chance(found: Interval) -> Estimate:
    """The win rate that a share of wins minus one of losses gives."""
    low, high = max(found.low, -1.0), min(found.high, 1.0)
    return Estimate(0.5 + 0.5 * found.value, 0.5 + 0.5 * low, 0.5 + 0.5 * high)


def _estimate(found: Interval) -> Estimate:
    return Estimate(found.value, *or_none(np.array([found.low, found.high])))


def _count(found: Shared) -> Duel:
    won, lost = int((found.outcome == 1.0).sum()), int((found.outcome == 0.0).sum())
    return Duel(won, lost, found.rounds - won - lost)


def _means(found: Shared) -> tuple[float, float] | None:
    """Mean scores of baseline and candidate, where these have one direction."""
    if found.scores is None or not found.one_way:
        return None
    scored = ~np.isnan(found.scores).any(axis=1)
    if not scored.any():
        return None
    mean = np.average(found.scores[scored], axis=0, weights=found.weight[scored])
    return float(mean[0]), float(mean[1])


def _direction(found: Shared) -> Literal["higher", "lower"]:
    return "higher" if found.higher_is_better[0] else "lower"


# Notes --------------------------------------------------------------------------------------------


def _reading_notes(found: Shared, names: tuple[str, str]) -> list[Note]:
    """What does not count, and what failed."""
    lone, made = found.unshared, list[Note]()
    if lone.only_baseline or lone.only_candidate:
        made.append(note.unshared_rounds(*names, lone.only_baseline, lone.only_candidate))
    if lone.failed_baseline or lone.failed_candidate:
        made.append(note.failed_pairs(*names, lone.failed_baseline, lone.failed_candidate))
    return [*made, *([note.lost_by_failure(found.lost)] if found.lost else [])]


def _notes_on(
    by_wins: Judged, by_score: Judged | None, unit: str, margin: float | None
) -> list[Note]:
    """What else to know; ``margin`` is that of the win rate, if this decides."""
    made, wins = list[Note](), by_wins.differences
    if by_score is not None:
        scores = by_score.differences
        if not scores.difference.any():
            made.append(note.same_scores(scores.rounds))
        elif margin and scores.one_size and _same_ties(wins, scores):
            made.append(note.margin_as_score(margin, 2.0 * margin * scores.largest))
        if {by_wins.word, by_score.word} == {"better", "worse"}:
            made.append(note.scales_disagree(by_wins.word, by_score.word))
    if wins.clusters < note.FEW_CLUSTERS:
        made.append(note.few_pairs(wins.clusters, unit))
    elif by_score is not None and abs(by_score.differences.skew) > SKEWED:
        made.append(note.skewed_differences(by_score.differences.skew > 0.0))
    return made


def _overlap_note(wins: Differences, asked: Judging) -> list[Note]:
    if asked.test_fraction is None:
        return []
    return [note.overlapping_splits(asked.test_fraction, wins.overlap)]


def _same_ties(wins: Differences, scores: Differences) -> bool:
    """Whether the same rounds tie by wins and by scores."""
    same = np.array_equal(wins.difference == 0.0, scores.difference == 0.0)
    return bool(same)
