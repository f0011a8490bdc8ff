"""What all doors share: what a source knows, and from wins to a board."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from winodds.board.circumstances import Circumstances, Entrants
from winodds.board.how import MatchCounts
from winodds.board.leaderboard import Leaderboard
from winodds.board.rating import rate_wins
from winodds.language.notes import Note
from winodds.language.option import declarations
from winodds.language.options import Columns, GateOptions, Options
from winodds.matches.games import Games
from winodds.matches.wins import Wins
from winodds.table.frames import Source
from winodds.table.table import SEPARATOR, as_columns, index_columns

WITHIN_TOURNAMENTS = ("cluster", "test_fraction")
"""Options that speak of the rounds of one tournament."""

AskedT = TypeVar("AskedT", bound=Options | GateOptions)


def with_known(asked: AskedT, source: Source, *, together: bool) -> AskedT:
    """The options, with what a source knows itself where nothing else was said.

    Where several tournaments are rated ``together``, each is a cluster, and what a source knows of
    independent units within them says nothing.
    """
    known = declarations(type(asked))
    unsaid = {
        name: value
        for name, value in source.knows.items()
        if name in known and getattr(asked, name) == known[name].default
    }
    if getattr(asked, "metric_column", None) is not None:
        unsaid.pop("direction_column", None)
    tournament = unsaid.get("tournament") or getattr(asked, "tournament", None)
    if getattr(asked, "cluster", None) is not None:
        # Whoever names the independent units says that they are not single splits.
        unsaid.pop("test_fraction", None)
    if together and tournament is not None and len(index_columns(source, tournament).names) > 1:
        source.refuse_together()
        unsaid = {name: it for name, it in unsaid.items() if name not in WITHIN_TOURNAMENTS}
    return replace(asked, **unsaid)


def notes_left(notes: Iterable[Note], test_fraction: float | None) -> list[Note]:
    """What was said of a table, without what is no longer so because it was told.

    >>> from winodds.language.notes import Note
    >>> notes = [Note("scope", "unknown_test_fraction", ""), Note("reading", "other", "")]
    >>> len(notes_left(notes, None)), len(notes_left(notes, 0.1))
    (2, 1)
    """
    told = test_fraction is not None
    return [note for note in notes if not (told and note.name == "unknown_test_fraction")]


def rate_games(
    games: Games, wins: Wins, entrants: Entrants, options: Options, about: Circumstances
) -> Leaderboard:
    """Rate, and compute at once what was asked for at once."""
    board = rate_wins(games, wins, entrants, options, about)
    board.look_closer(details=bool(options.details))
    return board


def count_matches(wins: Wins, tolerance: float, rounds: int | None) -> MatchCounts:
    """How scores, or battles, became matches."""
    return MatchCounts(wins.kind, wins.matches, wins.ties, tolerance, rounds)


def label(columns: Columns | None) -> str | None:
    """The name of a role's columns, joined by a slash."""
    return None if columns is None else SEPARATOR.join(as_columns(columns))
