"""From a table of battles to a leaderboard."""

from typing import Any

from winodds.api.common import count_matches, label, rate_games, with_known
from winodds.board import notes as note
from winodds.board.circumstances import Circumstances, Entrants
from winodds.board.how import Scheme
from winodds.board.leaderboard import Leaderboard
from winodds.board.rating import count_games
from winodds.language.option import takes
from winodds.language.options import BattleOptions
from winodds.matches.games import Games
from winodds.table import notes as data_note
from winodds.table.battles import (
    NamedBattles,
    count_bad_ties,
    find_both_orders,
    read_battles,
)
from winodds.table.frames import Source, as_source
from winodds.table.vocabulary import VOTE_NAMES, named as named_columns


@takes(BattleOptions)
def rate_battles(table: Any, asked: BattleOptions) -> Leaderboard:
    """Rate the players of a table of battles: matches that were arranged one by one.

    Parameters
    ----------
    table : data frame with a row for every battle.
    options : by keyword, those that `winodds.language.options.BattleOptions` declares.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({
    ...     "winner": ["A", "A", "B", "A", "B", "C"],
    ...     "loser": ["B", "B", "A", "C", "C", "B"],
    ... })
    >>> board = rate_battles(table, winner="winner", loser="loser")
    >>> board.players
    ('A', 'B', 'C')
    """
    frame = as_source(table)
    asked = with_known(asked, frame, together=True)
    return rate_named(frame, read_battles(frame, asked), asked)


def rate_named(frame: Source, named: NamedBattles, asked: BattleOptions) -> Leaderboard:
    unit = label(asked.cluster) or "battle"
    games = Games("battles", named.battles)
    wins = count_games(games, unit)
    read = frame.notes_on([] if asked.weights is None else [asked.weights])
    found = [*read, *([data_note.tidied_names(named.tidied)] if named.tidied else [])]
    found += data_note.look_alikes(named.players, "models")
    if asked.cluster is None and asked.interval == "robust":
        found.append(note.own_clusters(named_columns(frame.columns, VOTE_NAMES)))
        found += find_both_orders(frame, named.battles)
    found += count_bad_ties(frame, asked, named.battles)
    columns = {**asked.sides, "cluster": label(asked.cluster), "weights": asked.weights}
    about = Circumstances(
        matches=count_matches(wins, 0.0, None),
        scheme=Scheme("Battles", None, columns),
        notes=found,
        cluster=unit,
        backend=frame.backend,
        options=asked.given(),
    )
    board = rate_games(games, wins, Entrants(named.players, None, None), asked, about)
    if asked.seat:
        board.notes = (*board.notes, *board.seat().notes)
    return board
