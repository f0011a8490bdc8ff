"""New players among those of a board that stays as it is.

A new rating solves one equation, among ratings that one Newton step has let make room for it; those
on the board stay, and several new players do not see each other. How far that is from a refit was
measured, and `refit_error` tells it by the board's size.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, Ints, at_least
from winodds.board import notes as note
from winodds.board.comparisons import Estimate
from winodds.board.errors import (
    AlreadyPlaced,
    NoWayToPlace,
    Separated,
    TooFewToPlace,
    UnknownRounds,
)
from winodds.board.evidence import Evidence
from winodds.board.how import How
from winodds.fit.newcomer import make_room, place
from winodds.inference.intervals import Estimates
from winodds.inference.newcomer import Arrival, judge_newcomer
from winodds.language.errors import BadOption
from winodds.language.notes import Note, join_texts
from winodds.language.options import Duplicates, Roles
from winodds.matches.entry import Entry, enter
from winodds.table.frames import as_source, build_frame
from winodds.table.names import close_names
from winodds.table.schedule import Schedule
from winodds.table.table import SEPARATOR, Table, as_columns, read_table

SCHEMA = "winodds/newcomers/1"

ROLES = ("player", "round", "score", "status")
"""Whose columns a table of new players shares with the board's."""

NAME = "new"
"""Of a new player whose scores come without a name."""

REFIT_ERRORS = (
    (20, 10, 0.05),
    (20, 5, 0.1),
    (10, 10, 0.15),
    (10, 3, 0.2),
)
"""From how many players and clusters on 99 of 100 new ratings are within so many standard errors of
a refit, as simulated in tests/board/test_newcomer_rates.py."""

LARGEST_ERROR = 0.5
"""The same on smaller boards, and where all matches between some players went one way."""

FINE = 0.1
"""Standard errors up to which a refit is not worth its while."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A new player, rated among those of a board.

    Attributes
    ----------
    player : its name.
    rank : that it would take.
    of : players, itself included.
    epp, se, low, high : rating on the board's scale with its error and interval, the others'
        ratings being known; an open end is None.
    p_average : probability of beating the average player of the board in a new round.
    wins, matches, rounds : a tie is half a win.
    clusters : in how many clusters it met anybody.
    above, below : players next to it; None where there is nobody.
    moves : by how much a refit of everybody would move another player at most, to first order.
    refit_error : a refit would move the new rating by so many standard errors, or fewer, on 99 of
        100 boards of this size.
    notes : what to know of it.
    """

    player: str
    rank: int
    of: int
    epp: float
    se: float
    low: float | None
    high: float | None
    p_average: Estimate
    wins: float
    matches: int
    rounds: int
    clusters: int
    above: str | None
    below: str | None
    moves: float
    refit_error: float
    notes: tuple[Note, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; open ends are None."""
        values = {name: getattr(self, name) for name in type(self).__slots__}
        average = self.p_average
        return {
            **values,
            "p_average": {"value": average.value, "low": average.low, "high": average.high},
            "notes": [one.to_dict() for one in self.notes],
        }


@dataclass(frozen=True, slots=True)
class Newcomers:
    """Several new players, each rated as if it alone were new.

    Attributes
    ----------
    newcomers : best first.
    level : coverage of the intervals.
    notes : what to know of all of them, and of how their scores were read.
    """

    newcomers: tuple[Newcomer, ...]
    level: float
    notes: tuple[Note, ...]

    def __len__(self) -> int:
        return len(self.newcomers)

    def __getitem__(self, number: int) -> Newcomer:
        return self.newcomers[number]

    def frame(self, backend: str = "polars") -> Any:
        """A row for every new player, as a data frame; open ends are missing."""
        rows = [_row(one) for one in self.newcomers]
        columns = {name: [row[name] for row in rows] for name in KINDS}
        return build_frame(columns, KINDS, backend=backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; open ends are None."""
        return {
            "schema": SCHEMA,
            "newcomers": [one.to_dict() for one in self.newcomers],
            "level": self.level,
            "notes": [one.to_dict() for one in self.notes],
        }


KINDS: dict[str, type] = {
    "player": str,
    **dict.fromkeys(("rank", "of"), int),
    **dict.fromkeys(("epp", "se", "low", "high"), float),
    **dict.fromkeys(("p_average", "p_average_low", "p_average_high", "wins"), float),
    **dict.fromkeys(("matches", "rounds", "clusters"), int),
    **dict.fromkeys(("above", "below"), str),
    **dict.fromkeys(("moves", "refit_error"), float),
    "notes": str,
}


def _row(new: Newcomer) -> dict[str, Any]:
    values = {name: getattr(new, name) for name in type(new).__slots__}
    average = new.p_average
    return {
        **values,
        "p_average": average.value,
        "p_average_low": average.low,
        "p_average_high": average.high,
        "notes": join_texts(new.notes),
    }


def refit_error(players: int, clusters: int, *, separated: bool = False) -> float:
    """Standard errors by which a refit moves 99 of 100 new ratings at most, by the board's size.

    ``separated`` says whether all matches between some players, the new one included, went one way.

    >>> refit_error(20, 10), refit_error(25, 5), refit_error(3, 30)
    (0.05, 0.1, 0.5)
    """
    found = (
        error for enough, many, error in REFIT_ERRORS if players >= enough and clusters >= many
    )
    return LARGEST_ERROR if separated else next(found, LARGEST_ERROR)


# Scores -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewScores:
    """Scores of new players in the rounds of a board.

    Attributes
    ----------
    players : (q,) names.
    values : (R, q) larger is better; NaN where there is none, −inf for a failed run that loses.
    notes : how they were read.
    """

    players: tuple[str, ...]
    values: Floats
    notes: tuple[Note, ...]


def read_one(
    scores: Mapping[Any, Any], name: str, schedule: Schedule | None, how: How
) -> NewScores:
    """The scores of one new player by the names of rounds."""
    for round_name, score in scores.items():
        if score is not None and (isinstance(score, bool) or not isinstance(score, Real)):
            wanted = f"the score in '{round_name}' is a number, or None for a failed run"
            raise BadOption(option="scores", value=score, wanted=wanted)
    if not scores:
        wanted = "it maps names of rounds to scores, or is a table"
        raise BadOption(option="scores", value=scores, wanted=wanted)
    column = str(how.options.get("score", "score"))
    kinds = {"new player": str, "new round": str, column: float}
    cells: list[list[Any]] = [
        [name] * len(scores),
        [str(key) for key in scores],
        [None if score is None else float(score) for score in scores.values()],
    ]
    frame = build_frame(dict(zip(kinds, cells, strict=True)), kinds, backend="polars")
    columns = {"player": "new player", "round": "new round", "score": column}
    return read_several(frame, schedule, how, columns=columns)


def read_several(
    table: Any,
    schedule: Schedule | None,
    how: How,
    *,
    columns: Mapping[str, Any] | None = None,
) -> NewScores:
    """The scores of new players from a table with the columns of the board's.

    ``columns`` are those of the roles, by default as the board was asked for. A table without the
    column of tournaments names rounds that only one tournament has.
    """
    if schedule is None:
        reason = "its matches are battles, which have no rounds that a new player could play"
        raise NoWayToPlace(reason=reason)
    frame = as_source(table)
    asked = how.options if columns is None else columns
    named: dict[str, Any] = {role: asked[role] for role in ROLES if role in asked}
    data_sets = asked.get("tournament")
    if data_sets is not None and set(as_columns(data_sets)) <= set(frame.columns):
        named["tournament"] = data_sets
    up = schedule.higher_is_better
    differ = bool((up != up[0]).any())
    # The best of several scores is asked of one direction, which is all that a role can say here.
    rule: Duplicates = "error" if differ or how.duplicates == "keep" else how.duplicates
    roles = Roles(**named, higher_is_better=differ or bool(up[0]))
    found = read_table(frame, roles, duplicates=rule)
    values = _by_round(found, schedule, loses=how.missing == "lose")
    return NewScores(found.players, values, found.notes)


def _by_round(table: Table, schedule: Schedule, *, loses: bool) -> Floats:
    """(R, q) scores in the rounds of the board, larger is better."""
    place = _find_rounds(table, schedule)[table.cells.round]
    up, value = schedule.higher_is_better[place], table.cells.value
    oriented = np.where(up, value, -value)
    values = np.full((len(schedule.rounds), len(table.players)), np.nan)
    values[place, table.cells.player] = np.where(
        np.isnan(oriented), -np.inf if loses else np.nan, oriented
    )
    return values


def _find_rounds(table: Table, schedule: Schedule) -> Ints:
    """(rounds of the table,) their numbers on the board."""
    number = {name: k for k, name in enumerate(schedule.rounds)}
    short: dict[str, list[int]] = {}
    if schedule.tournaments:
        for name, k in number.items():
            short.setdefault(name.split(SEPARATOR, 1)[-1], []).append(k)
    found = [
        number[name] if name in number else _only(short.get(name, []))
        for name in table.rounds.names
    ]
    unknown = [name for name, k in zip(table.rounds.names, found, strict=True) if k < 0]
    if unknown:
        first = found.index(-1)
        player = int(table.cells.player[(table.cells.round == first).argmax()])
        raise UnknownRounds(
            player=table.players[player],
            rounds=unknown,
            close=close_names(unknown[0], schedule.rounds),
            known=schedule.rounds,
        )
    return np.array(found, np.int64)


def _only(places: Sequence[int]) -> int:
    return places[0] if len(places) == 1 else -1


# Ratings ------------------------------------------------------------------------------------------


def place_newcomers(
    part: Evidence,
    players: Sequence[str],
    scores: NewScores,
    *,
    unit: str,
    reference: int | None,
) -> Newcomers:
    """Rate new players among those of a component, which are named best first.

    ``unit`` says what a cluster is, ``reference`` is the player whose rating is 0, if there is one.
    """
    for name in scores.players:
        if name in players:
            raise AlreadyPlaced(player=name)
    weight = part.wins.match_weight
    entries = [enter(part.games, weight, column) for column in scores.values.T]
    _check_entries(part, scores.players, entries, unit)
    arrivals = _rate(part, entries)
    newcomers = [
        _describe(part, players, name, new, unit=unit, reference=reference)
        for name, new in zip(scores.players, arrivals, strict=True)
    ]
    newcomers.sort(key=lambda new: (new.rank, -new.epp, new.player))
    return Newcomers(tuple(newcomers), part.intervals.level, scores.notes)


def _rate(part: Evidence, entries: Sequence[Entry]) -> list[Arrival]:
    """The ratings of new players: by one equation each, and once more when the others made room."""
    beta, estimator, ridge = part.intervals.beta, part.estimator, part.ridge
    wins, met = np.array([one.wins for one in entries]), np.stack([one.met for one in entries])
    alone = np.broadcast_to(beta, met.shape)
    first = place(wins, met, alone, estimator=estimator, ridge=ridge)
    moves = [
        make_room(
            part.uncertainty.information,
            *(one.won, one.met, beta, float(rating)),
            estimator=estimator,
            ridge=ridge,
        )
        for one, rating in zip(entries, first.rating, strict=True)
    ]
    others = alone + np.stack(moves)
    # Those whose average is 0 on the board keep it.
    base = part.zero()
    shift = np.stack(moves)[:, slice(None) if base is None else base].mean(axis=1)
    found = place(wins, met, others, estimator=estimator, ridge=ridge)
    return [
        Arrival(
            entry=one,
            rating=float(found.rating[k] - shift[k]),
            others=others[k] - shift[k],
            information=float(found.information[k]),
            shrunken=estimator == "ridge",
        )
        for k, one in enumerate(entries)
    ]


def _check_entries(
    part: Evidence, names: Sequence[str], entries: Sequence[Entry], unit: str
) -> None:
    for name, one in zip(names, entries, strict=True):
        if one.clusters < 2:
            raise TooFewToPlace(player=name, clusters=one.clusters, unit=unit)
        if part.estimator == "mle" and one.raw_wins in (0.0, one.raw_matches):
            verb = "won" if one.raw_wins else "lost"
            raise Separated(cuts=f"'{name}' {verb} every match.")


def _describe(
    part: Evidence,
    players: Sequence[str],
    name: str,
    new: Arrival,
    *,
    unit: str,
    reference: int | None,
) -> Newcomer:
    own, overlap, entry = part.intervals, part.overlap, new.entry
    shown = judge_newcomer(new, own, zero=part.zero(reference), overlap=overlap)
    average = judge_newcomer(new, own, zero=part.zero(), overlap=overlap)
    separated = own.structure.separated or not (entry.reaches.any() and entry.reached_by.any())
    error = refit_error(int((entry.met > 0.0).sum()), entry.clusters, separated=separated)
    higher = int((~at_least(new.rating, own.beta)).sum())
    level = int(at_least(own.beta, new.rating).sum())
    low, high = float(shown.low[0]), float(shown.high[0])
    return Newcomer(
        player=name,
        rank=higher + 1,
        of=len(players) + 1,
        epp=float(shown.value[0]),
        se=float(shown.se[0]),
        low=low if np.isfinite(low) else None,
        high=high if np.isfinite(high) else None,
        p_average=_chance(average),
        wins=entry.raw_wins,
        matches=entry.raw_matches,
        rounds=entry.rounds,
        clusters=entry.clusters,
        above=players[higher - 1] if higher else None,
        below=players[level] if level < len(players) else None,
        moves=float(np.abs(new.others - own.beta).max()),
        refit_error=error,
        notes=(
            *note.outcome_notes(entry.raw_wins, entry.raw_matches, low, high),
            *_doubts(entry.clusters, len(players), error, unit),
        ),
    )


def _doubts(clusters: int, players: int, error: float, unit: str) -> list[Note]:
    found = []
    if clusters < note.FEW_OF_ROW:
        found.append(note.few_clusters_of_row(clusters, unit))
    remark = note.refit_advised if error > FINE else note.near_refit
    return [*found, remark(players, clusters, error, unit)]


def _chance(found: Estimates) -> Estimate:
    """The probability that goes with log-odds; an end that is open there is 0 or 1 here."""
    return Estimate(*(float(expit(x[0])) for x in (found.value, found.low, found.high)))
