"""A wide table → a long one: one row per player and one column per round, or the transpose."""

import re
from collections.abc import Sequence

import polars as pl

from winodds.errors import AggregateColumns, AggregateRow, NoColumnsLeft, UnnamedColumns
from winodds.read.sheet import Sheet
from winodds.scheme import plain_name
from winodds.words import quote

SUMMARY_WORDS = frozenset({"mean", "average", "avg", "median", "overall", "geomean"})
"""First words of the names of columns that sum up others: "Mean accuracy"."""

AGGREGATES = frozenset(
    {
        *("mean", "average", "avg", "median", "total", "sum", "overall", "min", "max", "minimum"),
        *("maximum", "std", "sd", "stdev", "stddev", "se", "sem", "var", "variance", "ci", "rank"),
        *("mean_rank", "average_rank", "avg_rank", "mean_score", "average_score", "avg_score"),
        *("rank_mean", "wins", "geomean", "gmean", "iqr", "count", "n"),
    }
)
"""Names of columns that sum up others, and so are no rounds."""

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
    sheet.require(labels)
    names = [labels, *([tournament] if tournament is not None else [])]
    columns = [name for name in sheet.columns if name not in (*names, *ignore)]
    if not columns:
        raise NoColumnsLeft(columns=names)
    own, other = (PLAYER, ROUND) if rows_are == PLAYER else (ROUND, PLAYER)
    _refuse_summaries(columns, sheet.unnamed, other)
    if own == ROUND:
        _refuse_summary_rows(sheet, labels)
    cells = {column: sheet.written(column) for column in columns}
    parts = [
        pl.DataFrame(
            {
                own: sheet.text(labels).cast(pl.String),
                other: pl.Series([column] * sheet.rows, dtype=pl.String),
                SCORE: text,
                **({TOURNAMENT: sheet.text(tournament).cast(pl.String)} if tournament else {}),
            }
        )
        for column, text in cells.items()
    ]
    rows = sheet.rows

    def place(row: int) -> str:
        return f"{sheet.place(row % rows)}, column {quote(columns[row // rows])}"

    return Sheet(
        pl.concat(parts),
        name=sheet.name,
        decimal=sheet.decimal,
        percent=sheet.percent,
        notes=sheet.notes_on([]),
        place=place,
        wide=True,
    )


def _sums_up(column: str) -> bool:
    words = re.findall(r"[a-z]+", plain_name(column))
    return plain_name(column) in AGGREGATES or (bool(words) and words[0] in SUMMARY_WORDS)


def _refuse_summaries(columns: Sequence[str], without_name: Sequence[str], unit: str) -> None:
    summaries = [column for column in columns if _sums_up(column)]
    if summaries:
        raise AggregateColumns(columns=summaries, unit=unit)
    unnamed = [column for column in columns if column in without_name]
    if unnamed:
        raise UnnamedColumns(columns=unnamed)


def _refuse_summary_rows(sheet: Sheet, labels: str) -> None:
    for row, name in enumerate(sheet.text(labels).cast(pl.String)):
        if name is not None and _sums_up(name):
            raise AggregateRow(name=name, where=sheet.place(row))
