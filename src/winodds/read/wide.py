"""A wide table → a long one: one row per player and one column per round, or the transpose."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from winodds.arrays import Bools
from winodds.language.checks import check_choice, check_role
from winodds.language.notes import Note
from winodds.language.options import Columns, Shaping
from winodds.language.words import quote
from winodds.read.doubts import doubts_by_name, doubts_by_value, matching, sums_up
from winodds.read.look import telling_apart
from winodds.read.notes import repeated_rows
from winodds.read.shape_errors import AggregateRow, ColumnsInDoubt, NoColumnsLeft
from winodds.read.shapes import Given, Wide, find_shape
from winodds.read.sheet import Sheet
from winodds.table.errors import MissingColumn
from winodds.table.frames import as_source
from winodds.table.names import close_names
from winodds.table.table import as_columns, index_columns
from winodds.table.vocabulary import name_metrics

PLAYER, ROUND, TOURNAMENT, SCORE = "player", "round", "tournament", "score"


def to_long(
    table: Any,
    *,
    labels: Columns | None = None,
    rows_are: str | None = None,
    tournament: str | None = None,
    repeat: str | None = None,
    ignore: Sequence[str] = (),
    keep: Sequence[str] = (),
    higher_is_better: bool | None = None,
) -> Sheet:
    """A row for every cell of a wide table.

    Rows of the same player are repetitions, if all players have as many of them: each column is a
    tournament then, and its rounds are the rows' numbers.

    Parameters
    ----------
    table : what `read_results` read, or a data frame.
    labels : the column that names the rows, or several; found by its name if that is usual.
    rows_are : "player" (unless the column's name tells) or "round"; the columns are the other.
    tournament : a column with the data set of each row.
    repeat : a column that numbers the rows of a player, such as folds.
    ignore : columns, or rows, that play no part; "mean_*" stands for all whose names fit.
    keep : columns of scores that do not look like that by their names or values.
    higher_is_better : False if scores are losses, which may be of any size in other rounds.

    Returns
    -------
    Sheet
        With columns "player", "round" and "score", and "tournament" if there is one.

    Examples
    --------
    >>> import polars as pl, winodds
    >>> table = pl.DataFrame({"model": ["svm", "rf"], "iris": [0.9, 0.8], "wine": [0.7, 0.6]})
    >>> winodds.rate(to_long(table), higher_is_better=True).players
    ('svm', 'rf')
    """
    sheet = as_sheet(table)
    ignore, keep = matching(ignore, sheet.columns), matching(keep, sheet.columns)
    shape = _shape(sheet, labels, rows_are, tournament, repeat, ignore)
    names = [*shape.labels, *filter(None, (shape.tournament, shape.repeat))]
    for column in (*names, *keep):
        sheet.require(column)
    columns = [name for name in sheet.columns if name not in (*names, *ignore)]
    if not columns:
        raise NoColumnsLeft(columns=names)
    label, rows = _labels(sheet, shape, ignore)
    try:
        cells = _cells(sheet, columns, shape, keep, lower=higher_is_better is False)
    except ColumnsInDoubt as error:
        if shape.rows_are == PLAYER and label.is_duplicated().any():
            apart = telling_apart(sheet, shape.labels, list(error.doubts))
            raise replace(error, labels=shape.labels, apart=apart) from None
        raise
    return _lengthen(sheet, cells, columns, label, shape, rows)


def as_sheet(table: Any) -> Sheet:
    """A table that was read from a file, or a data frame as if it had been."""
    source = as_source(table)
    if isinstance(source, Sheet):
        return source
    columns = {name: source.values(name) for name in source.columns}
    return Sheet(pl.DataFrame(columns), name="the table")


def _shape(
    sheet: Sheet,
    labels: Columns | None,
    rows_are: str | None,
    tournament: str | None,
    repeat: str | None,
    ignore: Sequence[str],
) -> Wide:
    """What was said of the table, or else what the columns' names tell."""
    rows_are = check_choice("rows_are", rows_are or PLAYER, (PLAYER, ROUND)) if labels else rows_are
    if labels is not None:
        named = as_columns(check_role("labels", labels, several=True))
        return Wide(named, rows_are or PLAYER, tournament, repeat)
    said = {"tournament": (tournament,)} if tournament is not None else {}
    shape = find_shape(
        sheet.columns, Given(columns=said, shaping=Shaping(wide=True, ignore=tuple(ignore)))
    )
    assert isinstance(shape, Wide)
    return Wide(shape.labels, rows_are or shape.rows_are, shape.tournament, repeat or shape.repeat)


# Rows ---------------------------------------------------------------------------------------------


def _labels(sheet: Sheet, shape: Wide, ignore: Sequence[str]) -> tuple[pl.Series, Bools]:
    """(rows,) the names of the rows, and which of them are wanted."""
    if len(shape.labels) == 1:
        label = sheet.text(shape.labels[0]).cast(pl.String)
    else:
        index = index_columns(sheet, shape.labels)
        label = pl.Series(index.names, dtype=pl.String).gather(index.code)
    there = [str(name) for name in label.drop_nulls().unique().to_list()]
    # A pattern that fits columns is not for players, who may be called "mean_teacher".
    of_rows = matching([it for it in ignore if it not in sheet.columns], there)
    gone = [*of_rows, *(it for it in ignore if it in sheet.columns)]
    for name in of_rows:
        if name not in (*there, *sheet.columns):
            close = close_names(name, [*sheet.columns, *there])
            raise MissingColumn(column=name, columns=sheet.columns, close=close)
    wanted: Bools = ~label.is_in(gone).fill_null(False).to_numpy()
    if shape.rows_are == ROUND:
        for row, name in enumerate(label):
            if name is not None and wanted[row] and sums_up(name):
                raise AggregateRow(name=name, where=sheet.place(row))
    return label, wanted


def _repetitions(sheet: Sheet, label: pl.Series, shape: Wide, columns: Sequence[str]) -> bool:
    """Whether the rows of one name are repetitions: all have several, and players as many."""
    if shape.repeat is not None or shape.tournament is not None:
        return False
    sizes = label.drop_nulls().value_counts()["count"]
    if not sizes.len() or sizes.min() == 1:
        return False
    if shape.rows_are == PLAYER and sizes.n_unique() > 1:
        return False
    # A file that was joined to itself repeats nothing.
    return not sheet.written(columns).with_columns(label.alias("")).is_duplicated().all()


# Cells --------------------------------------------------------------------------------------------


def _cells(
    sheet: Sheet, columns: Sequence[str], shape: Wide, keep: Sequence[str], *, lower: bool
) -> pl.DataFrame:
    """The cells, one column after the other; columns that hold no scores are refused."""
    other = ROUND if shape.rows_are == PLAYER else PLAYER
    by_name = doubts_by_name(columns, sheet.unnamed, players=other == PLAYER)
    doubts = {name: why for name, why in by_name.items() if name not in keep}
    sound = [name for name in columns if name not in doubts]
    ragged = [name for name in sound if name in sheet.ragged]
    cells = pl.DataFrame()
    if sound and not (doubts and ragged):
        cells = sheet.written(sound).unpivot(variable_name=other, value_name=SCORE)
        doubts |= doubts_by_value(
            cells[SCORE],
            sound,
            decimal=sheet.decimal,
            percent=sheet.percent,
            players=other == PLAYER,
            wanted=keep,
            lower=lower,
        )
    if doubts:
        order = [name for name in columns if name in doubts]
        raise ColumnsInDoubt(doubts={name: doubts[name] for name in order}, unit=other)
    return cells


def _lengthen(
    sheet: Sheet,
    cells: pl.DataFrame,
    columns: Sequence[str],
    label: pl.Series,
    shape: Wide,
    wanted: Bools,
) -> Sheet:
    """The cells with the names of their rows."""
    own, other = (PLAYER, ROUND) if shape.rows_are == PLAYER else (ROUND, PLAYER)
    rows, notes = sheet.rows, list[Note]()
    index = np.arange(rows * len(columns)) % max(rows, 1)
    kept = np.flatnonzero(np.tile(wanted, len(columns)))
    texts = {own: label, **_of_rows(sheet, shape)}
    repeat = texts.pop("repeat", None)
    if repeat is None and _repetitions(sheet, label, shape, columns):
        named = pl.DataFrame({"row": label})
        numbers = named.select(pl.int_range(pl.len()).over("row") + 1).to_series()
        repeat = numbers.cast(pl.String)
        notes.append(repeated_rows(own, int(numbers.to_numpy().max())))
    long = cells.with_columns(**{role: text.gather(index) for role, text in texts.items()})
    if repeat is not None:
        # What would be the round is one of data, and repetitions are its rounds.
        long = long.with_columns(pl.col(ROUND).alias(TOURNAMENT), repeat.gather(index).alias(ROUND))
    metrics = TOURNAMENT if repeat is not None else ROUND
    known: dict[str, Any] = {"tournament": TOURNAMENT} if TOURNAMENT in long.columns else {}
    if name_metrics(long[metrics].drop_nulls().unique().to_list()):
        known["metric_column"] = metrics
    order = [own, other, SCORE, *([TOURNAMENT] if TOURNAMENT in long.columns else [])]

    def place(row: int) -> str:
        cell = int(kept[row])
        return f"{sheet.place(cell % rows)}, column {quote(columns[cell // rows])}"

    return Sheet(
        long.select(order)[kept],
        name=sheet.name,
        decimal=sheet.decimal,
        percent=sheet.percent,
        notes=[*sheet.notes_on([]), *notes],
        place=place,
        wide=True,
        knows=known,
    )


def _of_rows(sheet: Sheet, shape: Wide) -> dict[str, pl.Series]:
    """What else is known of each row."""
    told = {TOURNAMENT: shape.tournament, "repeat": shape.repeat}
    return {role: sheet.text(name).cast(pl.String) for role, name in told.items() if name}
