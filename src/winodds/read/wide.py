"""A wide table → a long one: one row per player and one column per round, or the transpose."""

from collections.abc import Sequence

import polars as pl

from winodds.errors import AggregateColumns, UnnamedColumns, quote
from winodds.read.sheet import Sheet
from winodds.scheme import plain_name

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
    _refuse_summaries(columns, sheet.unnamed)
    cells = {column: sheet.text(column) for column in columns}
    own, other = (PLAYER, ROUND) if rows_are == PLAYER else (ROUND, PLAYER)
    parts = [
        pl.DataFrame(
            {
                own: sheet.text(labels).cast(pl.String),
                other: pl.Series([column] * sheet.rows, dtype=pl.String),
                SCORE: text.cast(pl.String),
                **({TOURNAMENT: sheet.text(tournament).cast(pl.String)} if tournament else {}),
            }
        )
        for column, text in cells.items()
    ]
    rows = sheet.rows

    def place(row: int) -> str:
        return f"{sheet.place(row % rows)}, column {quote(columns[row // rows])}"

    return Sheet(
        pl.concat(parts) if parts else pl.DataFrame({own: [], other: [], SCORE: []}),
        name=sheet.name,
        decimal=sheet.decimal,
        percent=sheet.percent,
        notes=sheet.notes,
        place=place,
    )


def _refuse_summaries(columns: Sequence[str], without_name: Sequence[str]) -> None:
    summaries = [column for column in columns if plain_name(column) in AGGREGATES]
    if summaries:
        raise AggregateColumns(columns=summaries)
    unnamed = [column for column in columns if column in without_name]
    if unnamed:
        raise UnnamedColumns(columns=unnamed)
