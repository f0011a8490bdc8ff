"""The map of a season's data sets, with names: what is odd, how far apart, along which factors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from winodds.arrays import Bools, Floats, Ints, order_of
from winodds.language.notes import Note
from winodds.language.nouns import HOUSE, Nouns
from winodds.language.plain import to_plain
from winodds.matches.games import score_table
from winodds.season import notes as note
from winodds.season.distance import Distances, measure
from winodds.season.embedding import are_linked
from winodds.season.errors import NothingToEmbed, TooFewTournaments
from winodds.season.factor import choose_factors, fit_factors
from winodds.season.lineup import Entries, Lineup
from winodds.season.odd import (
    FEWEST_PLAYERS,
    FEWEST_ROUNDS,
    LEVEL,
    Agreements,
    Ranked,
    find_reversed,
    rank_rounds,
)
from winodds.season.rated import RatingTable, rate_tournaments, tabulate
from winodds.show import present

FEWEST = 3
"""Tournaments without which nothing can be said of how they differ."""

Why: TypeAlias = Literal["few players", "few rounds", "no order"]


@dataclass(frozen=True, slots=True)
class Names:
    """Names of a season's players and tournaments, and families or None, in its order."""

    players: Sequence[str]
    tournaments: Sequence[str]
    families: Sequence[str] | None


def note_components(lineup: Lineup, tournaments: Sequence[str]) -> tuple[Note, ...]:
    """A note about tournaments of which some players take no part."""
    several = [
        name
        for name, entries in zip(tournaments, lineup.tournaments, strict=True)
        if len(entries.components) > 1
    ]
    return (note.left_behind(several),) if several else ()


# What is odd --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OddAnswer:
    """Whether one tournament reverses the order of the others.

    Attributes
    ----------
    tournament : its name.
    reversed : whether it does.
    correlation, low, high : mean correlation of its rounds with the others, and the interval.
    p : one-sided p-value of a correlation below 0, by its own rounds or by those of the others,
        whichever is larger.
    p_adjusted : the same among all tournaments of the question (Holm); it decides.
    p_season : the same among all questions, too (Bonferroni).
    rounds : rounds, or clusters of them, that it rests on.
    players : players that other tournaments have, too.
    """

    tournament: str
    reversed: bool
    correlation: float
    low: float
    high: float
    p: float
    p_adjusted: float
    p_season: float
    rounds: int
    players: int


@dataclass(frozen=True, slots=True)
class NotAsked:
    """A tournament that cannot be asked.

    Attributes
    ----------
    tournament : its name.
    why : "few players" (fewer than three are in other tournaments), "few rounds" (fewer than two
        in which three of these have a score) or "no order" (the others have none).
    rounds, players : as in `OddAnswer`.
    """

    tournament: str
    why: Why
    rounds: int
    players: int


@dataclass(frozen=True, slots=True)
class OddQuestion:
    """One question, asked of all tournaments.

    Attributes
    ----------
    family : whose order it is about; None for that of all players.
    players : how many there are.
    answers : of the tournaments that can be asked, the lowest correlation first.
    not_asked : the others.
    """

    family: str | None
    players: int
    answers: tuple[OddAnswer, ...]
    not_asked: tuple[NotAsked, ...]


@dataclass(frozen=True, slots=True)
class OddTournaments:
    """Which tournaments reverse the order of the others, over all players and in every family.

    In each question, the chance of any false claim is at most 5%. With q questions, any of them
    errs in at most q × 5% of seasons; ``p_season`` is for who wants 5% over all of them.

    Attributes
    ----------
    questions : that about all players, and those about families of three and more.
    not_asked : families with fewer players.
    level : of the intervals; one minus it is the chance of any false claim in a question.
    notes : what else to know.
    nouns : what players, rounds and tournaments are called.
    """

    questions: tuple[OddQuestion, ...]
    not_asked: tuple[str, ...]
    level: float
    notes: tuple[Note, ...]
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def reversed(self) -> tuple[tuple[str | None, OddAnswer], ...]:
        """The family, or None for all players, and the answer, for all that are reversed."""
        return tuple(
            (question.family, answer)
            for question in self.questions
            for answer in question.answers
            if answer.reversed
        )

    @property
    def text(self) -> str:
        """Which tournaments reverse the order of the others, in words."""
        return present.describe_odd(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        found = [{"family": family, **to_plain(answer)} for family, answer in self.reversed]
        plain: dict[str, Any] = to_plain(self)
        return {"reversed": found, **plain}


def find_odd(lineup: Lineup, names: Names) -> OddTournaments:
    """Ask all tournaments whether they reverse the order of the others."""
    if len(lineup) < 2:
        purpose = "Asking whether a tournament reverses the order of the others"
        raise TooFewTournaments(tournaments=len(lineup), needed=2, purpose=purpose)
    scores = [_scores_of(entries) for entries in lineup.tournaments]
    asked, small = list[tuple[str | None, Bools]](), list[str]()
    asked.append((None, np.ones(lineup.players, np.bool_)))
    for family, members in _families(names):
        if members.sum() < FEWEST_PLAYERS:
            small.append(family)
        elif not members.all():
            asked.append((family, members))
    questions = tuple(
        _answer(family, members, scores, names.tournaments, len(asked)) for family, members in asked
    )
    return OddTournaments(
        questions, tuple(small), LEVEL, note_components(lineup, names.tournaments)
    )


@dataclass(frozen=True, slots=True)
class _Scores:
    """Scores (R, n) of one tournament, its players' numbers, and the rounds' clusters."""

    places: Ints
    table: Floats
    cluster: Ints

    def among(self, members: Bools) -> Ranked:
        """The ranks of the members among themselves."""
        own = members[self.places]
        table = self.table if own.all() else self.table[:, own]
        return rank_rounds(table, self.places[own], self.cluster)


def _scores_of(entries: Entries) -> _Scores:
    """Of battles there are no rounds."""
    places, part = entries.largest()
    if part.games.kind == "battles":
        return _Scores(places, np.empty((0, places.size)), np.empty(0, np.int64))
    return _Scores(places, score_table(part.games.results), part.games.results.cluster)


def _families(names: Names) -> Iterator[tuple[str, Bools]]:
    """Families in the order of their names, with their members, (m,)."""
    own = np.array(names.families or (), np.str_)
    for family in sorted(set(own.tolist()) - {""}):
        yield family, own == family


def _answer(
    family: str | None,
    members: Bools,
    scores: Sequence[_Scores],
    tournaments: Sequence[str],
    questions: int,
) -> OddQuestion:
    found = find_reversed([own.among(members) for own in scores], members.size)
    asked = ~np.isnan(found.p)
    there = np.flatnonzero(asked)
    order = there[order_of(found.correlation[there])].tolist()
    return OddQuestion(
        family=family,
        players=int(members.sum()),
        answers=tuple(_describe(found, k, tournaments[k], questions) for k in order),
        not_asked=tuple(_refuse(found, k, tournaments[k]) for k in np.flatnonzero(~asked).tolist()),
    )


def _describe(found: Agreements, number: int, tournament: str, questions: int) -> OddAnswer:
    return OddAnswer(
        tournament=tournament,
        reversed=bool(found.reversed[number]),
        correlation=float(found.correlation[number]),
        low=float(found.low[number]),
        high=float(found.high[number]),
        p=float(found.p[number]),
        p_adjusted=float(found.adjusted[number]),
        p_season=min(1.0, questions * float(found.adjusted[number])),
        rounds=int(found.units[number]),
        players=int(found.players[number]),
    )


def _refuse(found: Agreements, number: int, tournament: str) -> NotAsked:
    rounds, players = int(found.units[number]), int(found.players[number])
    why: Why = "no order"
    if players < FEWEST_PLAYERS:
        why = "few players"
    elif rounds < FEWEST_ROUNDS:
        why = "few rounds"
    return NotAsked(tournament, why, rounds, players)


# How far apart ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gap:
    """The squared distance of two tournaments.

    Attributes
    ----------
    first, second : their names.
    square : with the noise taken out, in squared log-odds; it may be negative where they hardly
        differ.
    low, high : ends of its interval, never below 0.
    shared : players that both have.
    """

    first: str
    second: str
    square: float
    low: float
    high: float
    shared: int


@dataclass(frozen=True, slots=True)
class TournamentDistances:
    """How far apart tournaments are.

    Attributes
    ----------
    tournaments : (T,) names.
    found : squared distances, with intervals and how many players are shared, each (T, T); NaN
        where two share fewer than three.
    notes : what else to know.
    nouns : what players, rounds and tournaments are called.
    """

    tournaments: tuple[str, ...]
    found: Distances
    notes: tuple[Note, ...]
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    def gap(self, first: int, second: int) -> Gap:
        """The distance of two tournaments by their numbers."""
        found = self.found
        return Gap(
            first=self.tournaments[first],
            second=self.tournaments[second],
            square=float(found.square[first, second]),
            low=float(found.low[first, second]),
            high=float(found.high[first, second]),
            shared=int(found.shared[first, second]),
        )

    def nearest(self, tournament: str, *, most: int = 3) -> tuple[Gap, ...]:
        """The tournaments nearest to one, the nearest first."""
        number = self.tournaments.index(tournament)
        return tuple(self.gap(number, k) for k in self.found.nearest(number)[:most].tolist())

    def unknown(self) -> tuple[tuple[str, str], ...]:
        """Pairs that share too few players."""
        first, second = np.nonzero(np.triu(np.isnan(self.found.square), 1))
        names = self.tournaments
        return tuple(
            (names[i], names[k]) for i, k in zip(first.tolist(), second.tolist(), strict=True)
        )

    @property
    def text(self) -> str:
        """Which tournaments are most alike, in words; empty for two."""
        return present.describe_alike(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: every pair once, and those that share too few players."""
        first, second = np.nonzero(np.triu(~np.isnan(self.found.square), 1))
        return {
            "tournaments": list(self.tournaments),
            "pairs": [
                to_plain(self.gap(i, k))
                for i, k in zip(first.tolist(), second.tolist(), strict=True)
            ],
            "unknown": [list(pair) for pair in self.unknown()],
            "notes": to_plain(self.notes),
        }


def measure_distances(lineup: Lineup, names: Names) -> TournamentDistances:
    """Squared distances of all tournaments, with the noise taken out."""
    if len(lineup) < 2:
        purpose = "A distance between tournaments"
        raise TooFewTournaments(tournaments=len(lineup), needed=2, purpose=purpose)
    return TournamentDistances(
        tournaments=tuple(names.tournaments),
        found=measure(rate_tournaments(lineup)),
        notes=note_components(lineup, names.tournaments),
    )


# Along which factors ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TournamentMap:
    """Tournaments and players along the factors by which tournaments differ.

    The rating of a player in a tournament is about its average plus the product of their places.

    Attributes
    ----------
    tournaments : (T,) names.
    players : (m,) names of those with a rating.
    places : (T, k) of the tournaments; the average tournament is at 0.
    errors : (T, k) standard errors of the places.
    averages : (m,) of the players, over tournaments.
    directions : (m, k) of the players.
    shares : (k,) share of each factor in how true ratings vary around the players' averages.
    rest : variance of true ratings that the factors leave.
    notes : what else to know.
    """

    tournaments: tuple[str, ...]
    players: tuple[str, ...]
    places: Floats
    errors: Floats
    averages: Floats
    directions: Floats
    shares: Floats
    rest: float
    notes: tuple[Note, ...]

    @property
    def factors(self) -> int:
        """How many factors there are."""
        return int(self.places.shape[1])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        places = zip(self.tournaments, self.places, self.errors, strict=True)
        directions = zip(self.players, self.averages, self.directions, strict=True)
        return {
            "factors": self.factors,
            "shares": self.shares.tolist(),
            "rest": self.rest,
            "tournaments": [
                {"name": name, "place": place.tolist(), "se": error.tolist()}
                for name, place, error in places
            ],
            "players": [
                {"name": name, "average": float(average), "direction": direction.tolist()}
                for name, average, direction in directions
            ],
            "notes": to_plain(self.notes),
        }


def known_ratings(lineup: Lineup, purpose: str) -> RatingTable:
    """The ratings of all tournaments, if these are enough and share players."""
    if len(lineup) < FEWEST:
        raise TooFewTournaments(tournaments=len(lineup), needed=FEWEST, purpose=purpose)
    table = tabulate(rate_tournaments(lineup))
    if not are_linked(~np.isnan(table.value)):
        reason = "some tournaments share no player with the others, directly or through others"
        raise NothingToEmbed(reason=reason)
    return table


def draw_map(lineup: Lineup, names: Names, *, factors: int | None = None) -> TournamentMap:
    """Tournaments and players along factors, as many as the ratings call for if not given."""
    table = known_ratings(lineup, "A map of tournaments")
    if factors is None:
        found = choose_factors(table.value, table.variance)
    else:
        found = fit_factors(table.value, table.variance, factors=factors)
    return TournamentMap(
        tournaments=tuple(names.tournaments),
        players=tuple(names.players[k] for k in table.players.tolist()),
        places=found.scores,
        errors=np.sqrt(np.einsum("tkk->tk", found.errors)),
        averages=found.mean,
        directions=found.loadings,
        shares=found.shares,
        rest=found.rest,
        notes=note_components(lineup, names.tournaments),
    )
