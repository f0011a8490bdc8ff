"""The quality of a leaderboard: how far its ratings can be trusted as a whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np

from winodds.board.components import Components
from winodds.board.evidence import Evidence
from winodds.language.nouns import HOUSE, Nouns, without_nouns
from winodds.language.options import Convention
from winodds.matches.results import Battles, MatchKind
from winodds.quality.deviance import (
    CIRCLES_LIMIT,
    WORST,
    Calibration,
    Misfit,
    chi2_p_value,
    degrees_of_freedom,
    find_circles,
    join_calibrations,
    lead_matrix,
    survey,
    worst_first,
)
from winodds.quality.goodness import (
    Simulated,
    correct_share,
    count_as_bad,
    measure_observed,
    most_simulations,
    plan_simulations,
)
from winodds.show import present
from winodds.workers import run_calls


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs whose favourite has a fitted share of wins between ``low`` and ``high``.

    ``fitted`` and ``observed`` are the favourites' shares, over all matches of these pairs.
    """

    low: float
    high: float
    pairs: int
    matches: float
    fitted: float
    observed: float


@dataclass(frozen=True, slots=True)
class WorstPair:
    """A pair whose matches the ratings explain badly.

    ``won`` of ``matches`` went to the first player, where the ratings expect ``expected``;
    ``residual`` is the difference in standard deviations of independent matches. All of them are
    sums of weights when the matches are ``weighted``, and not numbers of matches.
    """

    first: str
    second: str
    won: float
    matches: float
    expected: float
    residual: float
    weighted: bool = False


@dataclass(frozen=True, slots=True)
class Triples:
    """Intransitive triples: the first won most matches against the second, that one against the
    third, and the third against the first.

    Attributes
    ----------
    count : how many there are.
    of : how many triples there are of players who all met each other.
    expected : their mean number in tables drawn under the ratings; None for very many players.
    strongest : the clearest ones.
    """

    count: int
    of: int
    expected: float | None
    strongest: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Quality(present.Presented):
    """How well the ratings explain who beat whom.

    Attributes
    ----------
    deviance, df : over pairs that met, at the estimate named by ``estimate``.
    standardised : (deviance − df)/√(2·df); None without degrees of freedom.
    dispersion : deviance/df; None without degrees of freedom.
    p_value : share of tables drawn under the ratings that fit at least as badly, corrected for the
        ratings' being fitted.
    p_value_chi2 : from the χ² law, which takes all matches as independent; they are not.
    convention : "pairs" counts each pair once, "paper" in both orders, with m(m − 2) degrees of
        freedom.
    estimate : "bias-reduced", "mle" or "ridge".
    expected : mean deviance of the drawn tables.
    simulations : how many were drawn.
    players, components, pairs : players, components of them that never met, and pairs that met.
    kind : what the matches are: "within" rounds, "across" them, or "battles".
    tournaments : over how many one rating for each player is to hold.
    calibration : observed against fitted shares of wins.
    worst_pairs : pairs that the ratings explain worst.
    triples : intransitive triples; None for battles of very many players.
    nouns : what players, rounds and tournaments are called.
    """

    deviance: float
    df: int
    standardised: float | None
    dispersion: float | None
    p_value: float
    p_value_chi2: float
    convention: Convention
    estimate: str
    expected: float
    simulations: int
    players: int
    components: int
    pairs: int
    kind: MatchKind
    tournaments: int
    calibration: tuple[Bin, ...]
    worst_pairs: tuple[WorstPair, ...]
    triples: Triples | None
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The verdict in words."""
        return present.describe_quality(self)

    def by_convention(self, convention: Convention) -> "Quality":
        """The same in another way of counting."""
        if convention == self.convention:
            return self
        factor = 2.0 if convention == "paper" else 0.5
        df = degrees_of_freedom(self.pairs, self.players, self.components, convention)
        deviance = factor * self.deviance
        return replace(
            self,
            **_measures(deviance, df),
            expected=factor * self.expected,
            convention=convention,
        )

    def versus(self, other: "Quality") -> "QualityDifference":
        """The fit of this board against that of another, of the same players or of others."""
        own, theirs = (quality.by_convention("pairs").standardised for quality in (self, other))
        return QualityDifference(own, theirs)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**without_nouns(asdict(self)), "text": self.text}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Quality":
        """The quality that `to_dict` wrote."""
        facts = {name: data[name] for name in cls.__slots__ if name != "nouns"}
        facts["calibration"] = tuple(Bin(**one) for one in data["calibration"])
        facts["worst_pairs"] = tuple(WorstPair(**one) for one in data["worst_pairs"])
        if data["triples"] is not None:
            strongest = tuple(tuple(names) for names in data["triples"]["strongest"])
            facts["triples"] = Triples(**{**data["triples"], "strongest": strongest})
        return cls(**facts)


@dataclass(frozen=True, slots=True)
class QualityDifference:
    """Standardised deviances of two boards; the smaller one fits better."""

    first: float | None
    second: float | None

    @property
    def difference(self) -> float | None:
        """First minus second: negative when the first fits better."""
        if self.first is None or self.second is None:
            return None
        return self.first - self.second

    @property
    def text(self) -> str:
        """The verdict in words."""
        return present.describe_quality_difference(self)


def assess(
    components: Components,
    players: Sequence[str],
    *,
    convention: Convention,
    seed: int,
    simulations: int | None = None,
    n_jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Quality:
    """Assess a board; ``players`` are its players' names, in its order."""
    surveys = [survey(part.games, part.wins, part.intervals.beta) for part in components]
    names = components.split(players)
    observed = [
        measure_observed(part.games, part.wins, part.lasting, ridge=part.ridge)
        for part in components
    ]
    most = simulations
    if most is None:
        most = most_simulations(max(part.games.comparisons for part in components))
    # Components are drawn independently of each other.
    seeds: list[int | tuple[int, int]] = [seed]
    seeds += [(seed, number) for number in range(1, len(components))]
    calls = [_plan(part, most, own) for part, own in zip(components, seeds, strict=True)]
    if len(components) == 1:
        drawn = [_draw(calls[0], observed[0], n_jobs, progress)]
    else:
        drawn = [Simulated.join(list(run_calls(own, n_jobs, progress))) for own in calls]
    drawn = [one.first(min(other.deviance.size for other in drawn)) for one in drawn]
    deviances = np.sum([one.deviance for one in drawn], axis=0)
    second = np.sum([one.second for one in drawn], axis=0)
    needed, share = count_as_bad(deviances, sum(observed))
    p_value = correct_share(share, deviances[:needed], second[:needed])
    pairs = sum(one.pairs for one in surveys)
    df = degrees_of_freedom(pairs, len(players), len(components), "pairs")
    if df == 0:
        p_value = 1.0
    worst = [
        pair
        for one, own, part in zip(surveys, names, components, strict=True)
        for pair in _worst_pairs(one.worst, own, part)
    ]
    found = Quality(
        **_measures(sum(one.deviance for one in surveys), df),
        p_value=p_value,
        convention="pairs",
        estimate=components[0].estimator,
        expected=float(deviances[:needed].mean()),
        simulations=needed,
        players=len(players),
        components=len(components),
        pairs=pairs,
        kind=components[0].games.kind,
        tournaments=max(_tournaments(part) for part in components),
        calibration=_bins(join_calibrations([one.calibration for one in surveys])),
        worst_pairs=tuple(worst_first(worst)),
        triples=_triples(components, names, [one.first(needed) for one in drawn]),
    )
    return found.by_convention(convention)


def _worst_pairs(
    found: Sequence[Misfit], names: Sequence[str], part: Evidence
) -> Iterator[WorstPair]:
    weighted = bool((part.wins.match_weight != 1.0).any())
    for pair in found:
        numbers = (pair.won, pair.met, pair.expected, pair.residual)
        yield WorstPair(names[pair.first], names[pair.second], *numbers, weighted)


def _tournaments(part: Evidence) -> int:
    if isinstance(part.games.played, Battles):
        return 1
    return int(np.unique(part.games.results.tournament).size)


def _measures(deviance: float, df: int) -> dict[str, Any]:
    return {
        "deviance": deviance,
        "df": df,
        "standardised": (deviance - df) / sqrt(2.0 * df) if df > 0 else None,
        "dispersion": deviance / df if df > 0 else None,
        "p_value_chi2": chi2_p_value(deviance, df),
    }


def _plan(
    part: Evidence, simulations: int, seed: int | tuple[int, int]
) -> list[Callable[[], Simulated]]:
    return plan_simulations(
        part.games,
        part.wins,
        part.lasting,
        ridge=part.ridge,
        simulations=simulations,
        seed=seed,
    )


def _draw(
    calls: Sequence[Callable[[], Simulated]],
    observed: float,
    n_jobs: int,
    progress: Callable[[int, int], None] | None,
) -> Simulated:
    """Tables until enough of them fit as badly as the observed one; the rest is not drawn."""
    found: list[Simulated] = []
    for one in run_calls(calls, n_jobs, progress):
        found.append(one)
        drawn = Simulated.join(found)
        if n_jobs == 1 and count_as_bad(drawn.deviance, observed)[0] < drawn.deviance.size:
            break
    return Simulated.join(found)


def _bins(table: Calibration) -> tuple[Bin, ...]:
    columns = (
        table.low,
        table.high,
        table.pairs,
        table.matches,
        table.fitted,
        table.observed,
    )
    return tuple(Bin(*row) for row in zip(*(column.tolist() for column in columns), strict=True))


def _triples(
    components: Components, names: Sequence[Sequence[str]], drawn: Sequence[Simulated]
) -> Triples | None:
    if max(part.size for part in components) > CIRCLES_LIMIT:
        return None
    found = [find_circles(lead_matrix(part.games, part.wins)) for part in components]
    strongest = [
        tuple(own[player] for player in circle)
        for one, own in zip(found, names, strict=True)
        for circle in one.strongest.tolist()
    ]
    counted = all(one.circles.size for one in drawn)
    return Triples(
        count=sum(one.count for one in found),
        of=sum(one.triples for one in found),
        expected=float(sum(one.circles.mean() for one in drawn)) if counted else None,
        strongest=tuple((a, b, c) for a, b, c in strongest[:WORST]),
    )
