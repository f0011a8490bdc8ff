"""Small tables, and what tests ask of errors and boards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from winodds import Leaderboard, WinoddsError

ROUGH = "The intervals rest on only 3 rounds; below about 10 they are rough."
"""The note that boards of three rounds carry."""


def grid(scores: Mapping[str, Sequence[float | None]]) -> pl.DataFrame:
    """A long table from each player's scores in rounds 1, 2, …: one row for each of them."""
    rounds = range(max(len(own) for own in scores.values()))
    rows = [(player, k + 1, own[k]) for k in rounds for player, own in scores.items()]
    return pl.DataFrame(rows, ["player", "round", "score"], orient="row").cast(
        {"score": pl.Float64}
    )


def three_by_three() -> pl.DataFrame:
    """Nobody is separated: a wins 4 of its 6 matches, b 3 and c 2."""
    return grid({"a": [0.9, 0.9, 0.5], "b": [0.8, 0.6, 0.6], "c": [0.7, 0.95, 0.4]})


def named(*names: str | None) -> pl.DataFrame:
    """The scores of `three_by_three` under other names."""
    columns = three_by_three()
    return columns.with_columns(pl.Series("player", list(names) * 3, pl.String))


def sentence(error: type[WinoddsError], call: Callable[[], object]) -> str:
    """The sentence of the error that the call raises."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    return str(caught.value)


def outcome(call: Callable[[], Leaderboard]) -> Leaderboard | str:
    """The board, or the sentence of the error, where either would do."""
    try:
        return call()
    except WinoddsError as error:
        return str(error)


def facts(board: Leaderboard) -> dict[str, Any]:
    """Everything a board tells, but for the library that the table came from."""
    return {key: value for key, value in board.to_dict().items() if key != "backend"}


def wins(board: Leaderboard) -> dict[str, tuple[float, int]]:
    """Wins and matches of each player."""
    return {row.player: (row.wins, row.matches) for row in board}
