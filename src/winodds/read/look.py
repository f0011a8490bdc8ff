"""What the columns of a table hold, before anybody rates it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from winodds.language.words import list_some, number, shorten

SHOWN, LENGTH = 3, 24
"""Values of a column that are shown, and how many of their signs."""

SCORES = ("score", "a round", "a player")
"""Roles of columns with scores, those of wide tables among them."""


@dataclass(frozen=True, slots=True)
class ColumnSeen:
    """A column.

    Attributes
    ----------
    name : of the column.
    role : what it would be in a rating; empty if it would play no part.
    different : how many different values it has.
    empty : how many cells are empty.
    instance : the first values, or the range of numbers.
    """

    name: str
    role: str
    different: int
    empty: int
    instance: str


def as_cells(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns of a data frame that hold anything, as text."""
    cells = frame.select(pl.all().cast(pl.String, strict=False))
    return cells[[name for name in cells.columns if cells[name].null_count() < cells.height]]


def see_columns(cells: pl.DataFrame, roles: Mapping[str, str]) -> list[ColumnSeen]:
    """Every column of a table of text cells, with the role that it plays.

    >>> [seen] = see_columns(pl.DataFrame({"auc": ["0.9", "0.85", None]}), {"auc": "score"})
    >>> seen.role, seen.different, seen.empty, seen.instance
    ('score', 2, 1, '0.85 to 0.9')
    """
    return [_see(cells[name], roles.get(name, "")) for name in cells.columns]


def _see(column: pl.Series, role: str) -> ColumnSeen:
    filled = column.cast(pl.String).replace("", None).drop_nulls()
    values = filled.unique(maintain_order=True)
    return ColumnSeen(
        column.name, role, values.len(), column.len() - filled.len(), _instance(values, role)
    )


def _instance(values: pl.Series, role: str) -> str:
    """The range of numbers that are scores, or too many to be listed; else the first values."""
    numbers = values.cast(pl.Float64, strict=False)
    ranged = role in SCORES or values.len() > SHOWN
    if ranged and values.len() and numbers.is_finite().fill_null(False).all():
        low, high = np.sort(numbers.to_numpy())[[0, -1]].tolist()
        return f"{number(low)} to {number(high)}"
    return list_some([shorten(value, LENGTH) for value in values.to_list()], shown=SHOWN)
