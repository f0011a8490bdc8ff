"""What the columns of a table hold, before anybody rates it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from winodds.language.errors import WinoddsError
from winodds.language.words import list_some, number, shorten
from winodds.read.numbers import parse_numbers
from winodds.read.shape_errors import RolesUnclear
from winodds.read.sheet import Sheet
from winodds.table.frames import Source

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


HEAD = 100
"""Rows that are looked at to tell what a column holds."""


def hold_numbers(source: Source) -> list[str]:
    """The columns whose first cells are numbers, or empty."""
    found = []
    for name in source.columns:
        try:
            text = source.raw(name) if isinstance(source, Sheet) else source.values(name)
        except WinoddsError:
            continue
        head = text.head(HEAD)
        if head.dtype in (pl.String, pl.Categorical):
            numbers = parse_numbers(head.cast(pl.String))
            held = not numbers.bad.size and bool(np.isfinite(numbers.values).any())
        else:
            held = head.dtype.is_numeric() and head.drop_nulls().len() > 0
        found += [name] * held
    return found


def look_inside(error: RolesUnclear, source: Source) -> RolesUnclear:
    """The error, with what the columns hold where their names do not tell."""
    named = error.found.get("player") or error.found.get("round") or error.columns[:1]
    numbers, repeated = hold_numbers(source), repeats(source, named)
    apart = telling_apart(source, named, error.free) if repeated else []
    return replace(error, numbers=numbers, alike=repeated, apart=apart)


def telling_apart(source: Source, labels: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The columns of text that tell apart rows of the same label."""
    numbers = hold_numbers(source)
    try:
        named = [source.text(name).cast(pl.String).fill_null("") for name in labels]
        texts = {it: source.text(it).cast(pl.String) for it in columns if it not in numbers}
    except WinoddsError:
        return []
    whole = pl.DataFrame(named)
    told = {name: whole.with_columns(text.alias("")).n_unique() for name, text in texts.items()}
    return [name for name, different in told.items() if different > whole.n_unique()]


def repeats(source: Source, columns: Sequence[str]) -> bool:
    """Whether a row of a column says what another one does."""
    try:
        return any(source.text(name).cast(pl.String).is_duplicated().any() for name in columns)
    except WinoddsError:
        return False


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
