"""Components that cannot be rated: a board without them, which names them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from winodds.arrays import Ints
from winodds.board import notes as note
from winodds.board.circumstances import Circumstances
from winodds.board.errors import InComponent
from winodds.language.errors import DataError
from winodds.language.notes import Note
from winodds.matches.games import Games
from winodds.matches.results import Results
from winodds.matches.wins import Wins


@dataclass(frozen=True, slots=True)
class Failed:
    """Players who met and cannot be rated, and why."""

    players: list[str]
    error: DataError


def none_rated(failed: Sequence[Failed]) -> InComponent:
    """The error where no component can be rated."""
    first = failed[0]
    return InComponent(components=len(failed), players=first.players, reason=str(first.error))


def leave_out(
    failed: Sequence[Failed],
    circumstances: Circumstances,
    *,
    games: Games,
    kept: Ints,
    counted: Sequence[Wins],
) -> Circumstances:
    """What a board tells about itself without the failed components.

    ``games`` are those of everyone, ``kept`` the players who are rated, and ``counted`` the matches
    of their components.
    """
    gone = sorted(name for one in failed for name in one.players)
    about = replace(
        circumstances,
        matches=replace(
            circumstances.matches,
            count=sum(wins.matches for wins in counted),
            ties=sum(wins.ties for wins in counted),
        ),
        notes=[*circumstances.notes, *_notes(failed)],
        dropped=replace(circumstances.dropped, players_not_rated=gone),
    )
    if isinstance(games.played, Results):
        return _without_rounds(about, games.played, kept)
    return about


def _without_rounds(about: Circumstances, results: Results, kept: Ints) -> Circumstances:
    """The same without the rounds that none of the rated players took part in."""
    met = np.zeros(results.rounds, np.bool_)
    met[results.round_of[np.isin(results.player, kept)]] = True
    schedule = about.schedule
    if schedule is not None:
        schedule = schedule.take(met, np.unique(results.tournament[met]))
    rounds = int(met.sum())
    return replace(about, matches=replace(about.matches, rounds=rounds), schedule=schedule)


def _notes(failed: Sequence[Failed]) -> list[Note]:
    """One note for each kind of reason."""
    found = []
    for kind in dict.fromkeys(type(one.error) for one in failed):
        alike = [one for one in failed if type(one.error) is kind]
        reasons = [str(one.error) for one in alike]
        found.append(
            note.components_left_out(
                [one.players for one in alike], reasons[0], same_reason=len({*reasons}) == 1
            )
        )
    return found
