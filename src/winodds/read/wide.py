"""A wide table → a long one: one row per player and one column per round, or the transpose."""

import re
from collections.abc import Sequence

import polars as pl

from winodds.language.checks import check_choice
from winodds.language.words import quote
from winodds.read.shape_errors import (
    AggregateColumns,
    AggregateRow,
    NoColumnsLeft,
    PropertyColumns,
    UnnamedColumns,
)
from winodds.read.sheet import Sheet
from winodds.table.vocabulary import AGGREGATES, SPREADS, plain_name

SUMMARY_WORDS = SPREADS | {
    *("mean", "average", "avg", "median", "overall", "geomean", "rank", "min", "max"),
    *("mittel", "mittelwert", "durchschnitt", "moyenne", "promedio"),
}
"""First words of the names of columns that sum up others: "Mean accuracy"."""

PROPERTIES = frozenset(
    {
        *("year", "date", "param", "params", "parameters", "size", "time", "runtime", "duration"),
        *("seconds", "id", "index", "version", "url", "license", "cost", "price", "unnamed"),
    }
)
"""Last words of the names of columns that tell something else about a model."""

PROPERTY_STARTS = frozenset({"unnamed", "param", "params", "parameters", "index"})
"""First words of such names."""

PLAYER, ROUND, TOURNAMENT, SCORE = "player", "round", "tournament", "score"


def to_long(
    sheet: Sheet,
    *,
    labels: str,
    rows_are: str = PLAYER,
    tournament: str | None = None,
    ignore: Sequence[str] = (),
) -> Sheet:
    """A row for every cell of a wide table.

    Parameters
    ----------
    labels : the column that names the rows.
    rows_are : "player" or "round"; the columns are the other.
    tournament : a column with the data set of each row.
    ignore : columns that play no part.

    Returns
    -------
    Sheet
        With columns "player", "round" and "score", and "tournament" if there is one.
    """
    check_choice("rows_are", rows_are, (PLAYER, ROUND))
    names = [labels, *([tournament] if tournament is not None else [])]
    for column in (*names, *ignore):
        sheet.require(column)
    columns = [name for name in sheet.columns if name not in (*names, *ignore)]
    if not columns:
        raise NoColumnsLeft(columns=names)
    own, other = (PLAYER, ROUND) if rows_are == PLAYER else (ROUND, PLAYER)
    _refuse_summaries(columns, sheet.unnamed, other)
    label = sheet.text(labels).cast(pl.String)
    if own == ROUND:
        _refuse_summary_rows(label, sheet)
    rows = sheet.rows
    long = sheet.written(columns).unpivot(variable_name=other, value_name=SCORE)
    repeated = {own: label}
    if tournament is not None:
        repeated[TOURNAMENT] = sheet.text(tournament).cast(pl.String)
    index = pl.int_range(rows * len(columns), eager=True) % max(rows, 1)

    def place(row: int) -> str:
        return f"{sheet.place(row % rows)}, column {quote(columns[row // rows])}"

    texts = {role: text.gather(index) for role, text in repeated.items()}
    order = [own, other, SCORE, *([TOURNAMENT] if tournament is not None else [])]
    return Sheet(
        long.with_columns(**texts).select(order),
        name=sheet.name,
        decimal=sheet.decimal,
        percent=sheet.percent,
        notes=sheet.notes_on([]),
        place=place,
        wide=True,
    )


def may_be_round(column: str) -> bool:
    """Whether a column's name is neither that of a summary nor of something else about a model."""
    return not _sums_up(column) and not _describes(column)


def _is_summary(column: str) -> bool:
    return plain_name(column) in AGGREGATES


def _sums_up(column: str) -> bool:
    words = re.findall(r"[a-z]+", plain_name(column)) or [""]
    return _is_summary(column) or words[0] in SUMMARY_WORDS or words[-1] in SPREADS


def _describes(column: str) -> bool:
    words = re.findall(r"[a-z]+", column.lower()) or [""]
    return words[-1] in PROPERTIES or words[0] in PROPERTY_STARTS


def _refuse_summaries(columns: Sequence[str], without_name: Sequence[str], unit: str) -> None:
    sums_up = _sums_up if unit == ROUND else _is_summary
    summaries = [column for column in columns if sums_up(column)]
    if summaries:
        raise AggregateColumns(columns=summaries, unit=unit)
    properties = [column for column in columns if _describes(column)]
    if properties:
        raise PropertyColumns(columns=properties, unit=unit)
    unnamed = [column for column in columns if column in without_name]
    if unnamed:
        raise UnnamedColumns(columns=unnamed)


def _refuse_summary_rows(labels: pl.Series, sheet: Sheet) -> None:
    for row, name in enumerate(labels):
        if name is not None and _sums_up(name):
            raise AggregateRow(name=name, where=sheet.place(row))
