"""A wide table → a long one: one row per player and one column per round, or the transpose."""

from collections.abc import Sequence

import polars as pl

from winodds.language.checks import check_choice
from winodds.language.words import quote
from winodds.read.doubts import doubts_by_name, doubts_by_value, matching, sums_up
from winodds.read.shape_errors import AggregateRow, ColumnsInDoubt, NoColumnsLeft
from winodds.read.sheet import Sheet

PLAYER, ROUND, TOURNAMENT, SCORE = "player", "round", "tournament", "score"


def to_long(
    sheet: Sheet,
    *,
    labels: str,
    rows_are: str = PLAYER,
    tournament: str | None = None,
    ignore: Sequence[str] = (),
    keep: Sequence[str] = (),
    higher_is_better: bool | None = None,
) -> Sheet:
    """A row for every cell of a wide table.

    Parameters
    ----------
    labels : the column that names the rows.
    rows_are : "player" or "round"; the columns are the other.
    tournament : a column with the data set of each row.
    ignore : columns that play no part; "mean_*" stands for all whose names fit.
    keep : columns of scores that do not look like that by their names or values.
    higher_is_better : False if scores are losses, which may be of any size in other rounds.

    Returns
    -------
    Sheet
        With columns "player", "round" and "score", and "tournament" if there is one.
    """
    check_choice("rows_are", rows_are, (PLAYER, ROUND))
    names = [labels, *([tournament] if tournament is not None else [])]
    ignore, keep = matching(ignore, sheet.columns), matching(keep, sheet.columns)
    for column in (*names, *ignore, *keep):
        sheet.require(column)
    columns = [name for name in sheet.columns if name not in (*names, *ignore)]
    if not columns:
        raise NoColumnsLeft(columns=names)
    own, other = (PLAYER, ROUND) if rows_are == PLAYER else (ROUND, PLAYER)
    by_name = doubts_by_name(columns, sheet.unnamed, players=other == PLAYER)
    doubts = {name: why for name, why in by_name.items() if name not in keep}
    label = sheet.text(labels).cast(pl.String)
    if own == ROUND:
        _refuse_summary_rows(label, sheet)
    rows = sheet.rows
    sound = [name for name in columns if name not in doubts]
    ragged = [name for name in sound if name in sheet.ragged]
    if sound and not (doubts and ragged):
        cells = sheet.written(sound).unpivot(variable_name=other, value_name=SCORE)
        doubts |= doubts_by_value(
            cells[SCORE],
            sound,
            decimal=sheet.decimal,
            percent=sheet.percent,
            players=other == PLAYER,
            wanted=keep,
            lower=higher_is_better is False,
        )
    if doubts:
        order = [name for name in columns if name in doubts]
        raise ColumnsInDoubt(doubts={name: doubts[name] for name in order}, unit=other)
    long = cells
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


def _refuse_summary_rows(labels: pl.Series, sheet: Sheet) -> None:
    for row, name in enumerate(labels):
        if name is not None and sums_up(name):
            raise AggregateRow(name=name, where=sheet.place(row))
