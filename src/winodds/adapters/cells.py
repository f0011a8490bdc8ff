"""Columns of tables that other tools wrote, as adapters want them."""

from collections.abc import Callable, Sequence

import polars as pl

from winodds.adapters.columns import OK, REASON, SCORE, STATUS
from winodds.adapters.errors import NothingLeft, NotThisSource
from winodds.adapters.notes import runs_failed
from winodds.adapters.place import Place
from winodds.language.notes import Note
from winodds.language.words import count, list_names
from winodds.read.sheet import Sheet

ROW = "\0row"
"""A column that keeps the number of each row of the file, until it has served."""


def require_columns(place: Place, title: str, names: Sequence[str]) -> None:
    """Refuse a table that lacks columns which such a source has."""
    absent = [name for name in names if name not in place.columns]
    if absent:
        reason = f"it has no column {list_names(absent)}"
        raise NotThisSource(path=place.path, title=title, reason=reason)


def read_texts(sheet: Sheet, names: Sequence[str]) -> pl.DataFrame:
    """Those of these columns that the table has, as text without outer blanks; empty is null."""
    found = [name for name in names if name in sheet.columns]
    frame = sheet.written(found).with_columns(pl.all().str.strip_chars())
    return frame.with_columns(pl.all().replace("", None)).with_row_index(ROW)


def read_scores(sheet: Sheet, name: str) -> pl.Series:
    """A column of scores; missing ones are null."""
    return sheet.numbers(name).cast(pl.Float64).fill_nan(None).alias(name)


def read_times(sheet: Sheet, *names: str) -> pl.Series:
    """The first of these columns that the table has, if it holds numbers; else nothing."""
    for name in names:
        if name in sheet.columns and (found := sheet.values(name)).dtype.is_numeric():
            return found.cast(pl.Float64)
    return pl.Series([None] * sheet.rows, dtype=pl.Float64)


def places_of(sheet: Sheet, frame: pl.DataFrame) -> Callable[[int], str]:
    """Where the rows of a frame stand in their file."""
    rows = frame[ROW].to_list()
    return lambda row: sheet.place(rows[row])


def note_failures(frame: pl.DataFrame) -> list[Note]:
    """A note about runs without a result, with what the source says of them."""
    lost = frame.filter(pl.col(STATUS) != OK) if STATUS in frame.columns else frame.clear()
    if not lost.height or REASON not in lost.columns:
        return []
    reasons = (
        lost[REASON]
        .drop_nulls()
        .value_counts(sort=True)
        .sort("count", REASON, descending=[True, False])
    )
    return [runs_failed(lost.height, dict(reasons.iter_rows()))] if reasons.height else []


def refuse_nothing(frame: pl.DataFrame, place: Place, title: str, what: str = "run") -> None:
    """Refuse a source without a single score."""
    if frame[SCORE].null_count() == frame.height:
        told = f"all {count(frame.height, what)} failed" if frame.height else "it is empty"
        raise NothingLeft(path=place.path, title=title, left_out=told)
