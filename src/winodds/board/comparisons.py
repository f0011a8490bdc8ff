"""Comparisons of players: of two by name, or of all pairs."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints
from winodds.board.errors import NoCompleteRounds
from winodds.board.evidence import Evidence
from winodds.board.needed import Needed, find_needed
from winodds.board.placing import Verdicts, check_size
from winodds.board.record import PairRecord, find_record
from winodds.fit.likelihood import likelihood_ratio
from winodds.inference.claims import signs_decide
from winodds.inference.contrasts import told_apart
from winodds.inference.friedman import Friedman, average_ranks, friedman
from winodds.inference.intervals import Estimates, Uncertainty
from winodds.inference.letters import assign_letters, find_alike
from winodds.inference.pairwise import (
    Test,
    benjamini_hochberg,
    decide_pair,
    holm,
    likelihood_ratio_test,
    wald,
)
from winodds.language.errors import BadOption
from winodds.language.nouns import HOUSE, Nouns, without_nouns
from winodds.language.options import Adjustment, IntervalKind
from winodds.language.spelling import option
from winodds.matches.games import Duel, score_table
from winodds.show import present
from winodds.table.frames import build_frame


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; an end is None when it is open."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Among:
    """What is told of two players among all pairs of the board.

    Attributes
    ----------
    p_adjusted : the p-value of their test, adjusted for all pairs.
    withheld : whether nothing is claimed because the lower one may be the best of all, with a
        chance larger than that of a false claim.
    p_best : that chance: the probability that the lower one is truly the best of all.
    """

    p_adjusted: float
    withheld: bool
    p_best: float


@dataclass(frozen=True, slots=True)
class Comparison(present.Presented):
    """Two players: who is better, by how much, and how sure that is.

    Attributes
    ----------
    a, b : the players.
    difference : rating of a minus rating of b, in log-odds.
    p_win : probability that a beats b in a new round, by their ratings.
    odds : odds of that.
    tested : the test of no difference that decides.
    among : what is told of the two among all pairs of the board; None where these were not looked
        at.
    wald, likelihood_ratio : other tests of the same, for those who expect them.
    test : what the tests rest on: "robust" (clusters) or "model" (independent matches).
    rounds : matches that a won, lost and tied against b.
    record : the share of them that a won, with an interval for the pair itself; None when the two
        never met.
    needed : data that would tell them apart.
    identical : whether the two have the same score in every round.
    ties : whether any players tied, so that a tie counts as half a win.
    level : coverage of the intervals.
    kind : "within", "across" or "battles".
    nouns : what players, rounds and tournaments are called.
    """

    a: str
    b: str
    difference: Estimate
    p_win: Estimate
    odds: Estimate
    tested: Test
    among: Among | None
    wald: Test
    likelihood_ratio: Test
    test: IntervalKind
    rounds: Duel
    record: PairRecord | None
    needed: Needed
    identical: bool
    ties: bool
    level: float
    kind: str
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def told_apart(self) -> bool:
        """Whether the test tells that there is a difference; the interval agrees."""
        return bool(told_apart(np.array(self.tested.p_value), self.level))

    @property
    def told_apart_among_all(self) -> bool | None:
        """The same among all pairs of the board; None where these were not looked at."""
        if self.among is None:
            return None
        apart = bool(told_apart(np.array(self.among.p_adjusted), self.level))
        return apart and not self.among.withheld

    @property
    def text(self) -> str:
        """The outcome in a paragraph that a paper could quote."""
        return present.describe_comparison(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; open ends are None."""
        among = {"told_apart_among_all": self.told_apart_among_all}
        return {
            **without_nouns(asdict(self)),
            "told_apart": self.told_apart,
            **among,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Comparisons(present.Presented):
    """All pairs of players, in the order of the board: first with second, first with third, ….

    Attributes
    ----------
    players : names, best first.
    first, second : (k,) places of the players.
    difference, se, low, high : (k,) differences of ratings with single intervals; open ends are
        infinite.
    p_value : (k,) of the single tests.
    p_adjusted : (k,) adjusted for all pairs.
    withheld : (k,) whether nothing is claimed because the lower one may be the best of all.
    identical : (k,) whether two players have the same score in every round.
    adjust : "holm", "bh", "max-t" or "none".
    test : "robust" or "model".
    level : coverage of the intervals; pairs are told apart when p_adjusted ≤ 1 − level.
    alike : names of players who cannot be told apart, best first.
    letters : (m,) players who share one cannot be told apart.
    """

    players: tuple[str, ...]
    first: Ints
    second: Ints
    difference: Floats
    se: Floats
    low: Floats
    high: Floats
    p_value: Floats
    p_adjusted: Floats
    withheld: Bools
    identical: Bools
    adjust: Adjustment
    test: IntervalKind
    level: float
    alike: tuple[tuple[str, ...], ...]
    letters: tuple[str, ...]

    def __len__(self) -> int:
        return self.first.size

    @property
    def told_apart(self) -> Bools:
        """(k,) whether a pair is told apart."""
        return told_apart(self.p_adjusted, self.level) & ~self.withheld

    def columns(self) -> dict[str, list[Any]]:
        """A row for every pair; open ends are None."""
        with np.errstate(over="ignore"):
            odds, odds_low, odds_high = (np.exp(x) for x in (self.difference, self.low, self.high))
        return {
            "a": [self.players[k] for k in self.first.tolist()],
            "b": [self.players[k] for k in self.second.tolist()],
            "difference": self.difference.tolist(),
            "se": self.se.tolist(),
            "low": or_none(self.low),
            "high": or_none(self.high),
            "p_win": expit(self.difference).tolist(),
            "p_win_low": expit(self.low).tolist(),
            "p_win_high": expit(self.high).tolist(),
            "odds": or_none(odds),
            "odds_low": odds_low.tolist(),
            "odds_high": or_none(odds_high),
            "p_value": self.p_value.tolist(),
            "p_adjusted": self.p_adjusted.tolist(),
            "told_apart": self.told_apart.tolist(),
            "withheld": self.withheld.tolist(),
            "identical": self.identical.tolist(),
        }

    def frame(self, backend: str = "polars") -> Any:
        """The rows as a data frame."""
        return build_frame(self.columns(), PAIR_KINDS, backend=backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        columns = self.columns()
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return {
            "adjust": self.adjust,
            "test": self.test,
            "level": self.level,
            "pairs": [_nested(row) for row in rows],
            "alike": [list(names) for names in self.alike],
            "letters": dict(zip(self.players, self.letters, strict=True)),
        }


PAIR_KINDS: dict[str, type] = {
    **dict.fromkeys(("a", "b"), str),
    **dict.fromkeys(
        [
            "difference",
            "se",
            "low",
            "high",
            "p_win",
            "p_win_low",
            "p_win_high",
            "odds",
            "odds_low",
            "odds_high",
            "p_value",
            "p_adjusted",
        ],
        float,
    ),
    **dict.fromkeys(("told_apart", "withheld", "identical"), bool),
}


def _nested(row: dict[str, Any]) -> dict[str, Any]:
    """A pair as `Comparison.to_dict` has it."""
    return {
        "a": row["a"],
        "b": row["b"],
        "difference": {"value": row["difference"], "low": row["low"], "high": row["high"]},
        "p_win": {"value": row["p_win"], "low": row["p_win_low"], "high": row["p_win_high"]},
        "odds": {"value": row["odds"], "low": row["odds_low"], "high": row["odds_high"]},
        **{name: row[name] for name in ("se", "p_value", "p_adjusted")},
        **{name: row[name] for name in ("told_apart", "withheld", "identical")},
    }


def or_none(values: Floats) -> list[float | None]:
    """The numbers as plain data, None for those that are not finite."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


# Two players --------------------------------------------------------------------------------------


def make_estimates(found: Estimates) -> tuple[Estimate, Estimate, Estimate]:
    """Difference, probability of winning and odds of one pair, (1,), with their intervals.

    An end that is open in log-odds is 0 or 1 as a probability, and 0 or None as odds.
    """
    ends = [float(x[0]) for x in (found.value, found.low, found.high)]
    chances = [float(expit(x)) for x in ends]
    with np.errstate(over="ignore"):
        odds = [float(np.exp(x)) for x in ends]
    return (
        Estimate(ends[0], *or_none(np.array(ends[1:]))),
        Estimate(*chances),
        Estimate(odds[0], odds[1], *or_none(np.array(odds[2:]))),
    )


def compare_two(
    part: Evidence,
    names: tuple[str, str],
    pair: tuple[int, int],
    *,
    test: IntervalKind,
    power: float,
    unit: str,
    ties: bool,
    among: Among | None,
    misfit: bool,
) -> Comparison:
    """Compare two players of a component, given by name and by index.

    ``ties`` says whether any players of the board tied, ``misfit`` whether its ratings are known
    to miss something; ``among`` is as in `Comparison`.
    """
    first, second = (np.array([player]) for player in pair)
    own, level = part.uncertainty_by(test), part.intervals.level
    found = own.contrasts(first, second)
    ratio = likelihood_ratio(part.problem, part.intervals.beta, *pair)
    difference, p_win, odds = make_estimates(own.of_differences(first, second))
    return Comparison(
        a=names[0],
        b=names[1],
        difference=difference,
        p_win=p_win,
        odds=odds,
        tested=decide_pair(found),
        among=among,
        wald=wald(found),
        likelihood_ratio=likelihood_ratio_test(ratio, found, part.intervals.model_scale),
        test=test,
        rounds=part.games.duel(*pair),
        record=find_record(part, pair, misfit=misfit),
        needed=find_needed(part, pair, found, test, power, unit),
        identical=part.games.same_scores(*pair),
        ties=ties,
        level=level,
        kind=part.games.kind,
    )


# All pairs ----------------------------------------------------------------------------------------


def compare_all(
    part: Evidence,
    names: tuple[str, ...],
    *,
    adjust: Adjustment,
    test: IntervalKind,
    verdicts: Verdicts | None,
) -> Comparisons:
    """Compare all players of a component; ``names`` are theirs, best first.

    ``verdicts`` are those of the board's letters, if these are wanted, and else ``adjust`` decides.
    """
    check_size(part.size)
    first, second = np.triu_indices(part.size, 1)
    own, level = part.uncertainty_by(test), part.intervals.level
    found = own.of_differences(first, second)
    if verdicts is None:
        adjusted, withheld = ADJUSTMENTS[adjust](found.p_value), np.zeros(first.size, np.bool_)
    else:
        adjusted, withheld = verdicts.claims.p[first, second], verdicts.withheld[first, second]
    apart = np.zeros((part.size, part.size), np.bool_)
    apart[first, second] = apart[second, first] = told_apart(adjusted, level) & ~withheld
    alike = find_alike(apart)
    copies = part.games.copies()
    return Comparisons(
        players=names,
        first=first,
        second=second,
        difference=found.value,
        se=found.se,
        low=found.low,
        high=found.high,
        p_value=found.p_value,
        p_adjusted=adjusted,
        withheld=withheld,
        identical=copies[first] == copies[second],
        adjust=adjust,
        test=test,
        level=level,
        alike=tuple(tuple(names[k] for k in members) for members in alike),
        letters=tuple(assign_letters(alike, part.size)),
    )


ADJUSTMENTS: Mapping[Adjustment, Callable[[Floats], Floats]] = {
    "none": lambda p: p,
    "holm": holm,
    "bh": benjamini_hochberg,
}


def choose_adjustment(adjust: Adjustment | None, own: Uncertainty) -> Adjustment:
    """How p-values of all pairs are adjusted: by flips where signs can decide, else by Holm."""
    possible = signs_decide(own)
    if adjust is None:
        return "max-t" if possible else "holm"
    if adjust == "max-t" and not possible:
        raise BadOption(option="adjust", value=adjust, wanted=_why_not_by_flips(own))
    return adjust


def _why_not_by_flips(own: Uncertainty) -> str:
    take = f"take {option('adjust', 'holm')}"
    if own.intervals.influence is None:
        return f"it flips the signs of clusters, which {option('test', 'model')} has none of"
    if own.contributions is None:
        return f"it flips the signs of clusters, which are not kept one by one here; {take}"
    worth = f"{1.0 + own.clustering.typical:.1f}".removesuffix(".0")
    few = f"these are worth only {worth} here, which is too few"
    return f"it flips the signs of clusters, and {few}; {take}"


# Mean ranks ---------------------------------------------------------------------------------------


def rank_test(part: Evidence) -> Friedman:
    """Friedman's test on the rounds in which every player of a component took part."""
    results = part.games.results
    table = score_table(results)
    complete = ~np.isnan(table).any(axis=1)
    if complete.sum() < 2:
        raise NoCompleteRounds(rounds=int(complete.sum()))
    return friedman(average_ranks(table[complete], results.cluster[complete]))
