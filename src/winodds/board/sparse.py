"""Notes on boards whose matches say little: leaders of few rounds, gaps, ties, lopsided pools."""

from collections.abc import Sequence

import numpy as np

from winodds.arrays import Floats, Ints, at_least, order_of
from winodds.board import notes as note
from winodds.language.notes import Note
from winodds.matches.games import Games
from winodds.matches.results import Battles
from winodds.matches.wins import Wins

FEW_ROUNDS = 0.25
"""Share of the rounds below which a player's error is over twice that of one who played all."""

EMPTY = 0.5
"""Share of player–round pairs without a score above which a table is called sparse."""

TIED = 0.5
"""Share of ties above which most matches decide nothing; items scored 0 or 1 mostly lie there."""

LOPSIDED = 3.0
"""How many times the weight of another tournament may be, without a note."""


def leader_notes(
    games: Games, order: Ints, rank: Ints, names: Sequence[str], *, alone: bool
) -> list[Note]:
    """A note on a leader of few rounds.

    ``order`` (m,) lists the players from the best down, ``rank`` (m,) are the ranks in that order;
    ``alone``: whether there is no other component.
    """
    if isinstance(games.played, Battles):
        return []
    results = games.results
    played = np.bincount(results.player, minlength=results.players)
    leaders = order[rank == 1]
    leader = int(leaders[played[leaders].argmin()])
    if played[leader] >= FEW_ROUNDS * results.rounds:
        return []
    half = int(np.sort(played)[results.players // 2])
    return [
        note.leader_of_few_rounds(
            names[leader], int(played[leader]), results.rounds, half, alone=alone
        )
    ]


def gap_notes(parts: Sequence[Games]) -> list[Note]:
    """A note on a table that is mostly empty; players of different components could not meet."""
    tables = [games.played for games in parts if not isinstance(games.played, Battles)]
    cells = sum(table.players * table.rounds for table in tables)
    empty = cells - sum(table.player.size for table in tables)
    return [note.empty_table(empty, cells)] if empty > EMPTY * cells else []


def tie_notes(parts: Sequence[Wins]) -> list[Note]:
    """A note on many ties, or on nothing but ties."""
    ties, matches = sum(wins.ties for wins in parts), sum(wins.matches for wins in parts)
    if ties == matches:
        return [note.no_information()]
    return [note.many_ties(ties, matches)] if ties > TIED * matches else []


def pool_notes(weight: Floats, names: Sequence[str]) -> list[Note]:
    """A note on pooled tournaments (T,) of which one carries far more weight than another."""
    # Tournaments have no names where there is but one.
    if len(names) < 2:
        return []
    share = weight / weight.sum()
    order = order_of(share / share.max())
    light, heavy = int(order[0]), int(order_of(-share / share.max())[0])
    times = float(share[heavy] / share[light])
    if at_least(LOPSIDED, times):
        return []
    return [
        note.lopsided_pool(
            names[heavy], names[light], times, float(share[heavy]), float(share[light])
        )
    ]
