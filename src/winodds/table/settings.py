"""Hyperparameters of the players, as the table has them."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl

from winodds.arrays import Floats, Ints
from winodds.language.words import number
from winodds.table.errors import InfiniteSetting
from winodds.table.frames import Source
from winodds.table.names import Index, constant, index_names

Setting: TypeAlias = float | str | None
"""A hyperparameter of a player: a number, a category, or None where it is not set."""

Settings: TypeAlias = Mapping[str, tuple[Setting, ...]]
"""By hyperparameter, those of all players in their order."""

NOT_SET = "(not set)"
"""What an empty cell is called beside values."""


def read_settings(frame: Source, columns: Sequence[str], players: Index) -> Settings:
    """The value of each player in every column; rows of a player must agree, empty ones too."""
    return {column: _read_column(frame, column, players) for column in columns}


def take_settings(settings: Settings | None, chosen: Ints) -> Settings | None:
    """Those of some players, in the given order."""
    if settings is None:
        return None
    places = chosen.tolist()
    return {name: tuple(own[k] for k in places) for name, own in settings.items()}


def _read_column(frame: Source, column: str, players: Index) -> tuple[Setting, ...]:
    cells = _without_blanks(frame.values(column))
    rows = cells.is_not_null().arg_true().to_numpy().astype(np.int64)
    filled = cells.drop_nulls()
    found: list[Setting]
    if cells.dtype.is_float():
        value = filled.to_numpy()
        _refuse_infinite(value, rows, column, frame, players)
        levels, code = np.unique(value, return_inverse=True)
        found, names = levels.tolist(), [number(level) for level in levels]
    else:
        index = index_names(filled, column=column, place=lambda k: frame.place(int(rows[k])))
        found, names, code = list(index.names), list(index.names), index.code
    codes = np.full(cells.len(), len(found))
    codes[rows] = code
    every = Index((*names, NOT_SET), codes, 0)
    own = constant(every, column, "value", players.names, players.code, unit="player")
    return tuple([*found, None][k] for k in own.tolist())


def _without_blanks(cells: pl.Series) -> pl.Series:
    """Text that holds nothing is not set, as an empty cell of a file is not."""
    if cells.dtype != pl.String:
        return cells
    return cells.set(cells.str.strip_chars() == "", None)


def _refuse_infinite(value: Floats, rows: Ints, column: str, frame: Source, players: Index) -> None:
    infinite = np.isinf(value)
    if infinite.any():
        row = int(rows[infinite.argmax()])
        player = players.names[players.code[row]]
        raise InfiniteSetting(column=column, player=player, where=frame.place(row))
