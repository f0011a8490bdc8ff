"""Evaluations of OpenML that its Python client listed, saved as a table.

A row is a run: a flow on a task, by one function. With ``per_fold=True`` its ``values`` are a list,
one for each fold; otherwise it has one ``value``, and the task is the round.
"""

import json
import re
from collections.abc import Callable
from typing import Any

import polars as pl

from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.algorithms import read_algorithms
from winodds.adapters.cells import (
    ROW,
    note_failures,
    places_of,
    read_scores,
    read_texts,
    refuse_nothing,
    require_columns,
)
from winodds.adapters.columns import FAILED, METRIC, OK, PLAYER, ROUND, SCORE, STATUS, TOURNAMENT
from winodds.adapters.errors import BadFolds
from winodds.adapters.metrics import choose_metric
from winodds.adapters.notes import fold_order, several_setups
from winodds.adapters.openml.evaluations import (
    TASK,
    TITLE,
    Folds,
    name_of,
    spread_folds,
    summarise,
    with_company,
    with_families,
)
from winodds.adapters.place import Place
from winodds.language.notes import Note

NEEDED = ("task_id", "flow_id", "function", "value")
MARKS = frozenset({*NEEDED, "run_id", "setup_id"})
KEPT = ("run_id", "setup_id", "data_id", "uploader", "upload_time")


def recognise(place: Place) -> bool:
    """Whether a table has the columns of the client's data frame."""
    return place.kind == "table" and place.columns >= MARKS


def read(place: Place, wanted: Wanted) -> Adapted:
    """Flows as players, tasks as tournaments and folds as rounds, or tasks as rounds."""
    require_columns(place, TITLE, NEEDED)
    algorithms = read_algorithms(wanted.algorithms)
    sheet = place.sheet
    frame = read_texts(sheet, (*NEEDED[:3], "flow_name", "data_name", *KEPT)).with_columns(
        _name("flow_id", "flow_name", sheet.columns).alias(PLAYER),
        _name("task_id", "data_name", sheet.columns).alias(TASK),
        pl.col("function").alias(METRIC),
        read_scores(sheet, "value").alias(SCORE),
    )
    lists: list[Folds] = [None] * frame.height
    if "values" in sheet.columns:
        lists = _folds(sheet.raw("values"), places_of(sheet, frame))
    notes: list[Note] = []
    if any(lists):
        frame, notes = spread_folds(frame, lists), [fold_order()]
    else:
        missing = pl.col(SCORE).is_null()
        status = pl.when(missing).then(pl.lit(FAILED)).otherwise(pl.lit(OK))
        frame = frame.with_columns(pl.col(TASK).alias(ROUND), status.alias(STATUS))
        frame = frame.with_columns(pl.lit(None, dtype=pl.String).alias(TOURNAMENT))
    frame = choose_metric(frame, wanted.metric)
    refuse_nothing(frame, place, TITLE)
    frame, lonely = with_company(frame, place.path)
    frame, unknown = with_families(frame, algorithms)
    notes += [*lonely, *_setups(frame), *unknown, *note_failures(frame)]
    return adapt_scores(
        frame.drop(ROW, TASK, *NEEDED[:3], "flow_name", "data_name", strict=False),
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=summarise(frame),
        notes=notes,
        places=places_of(sheet, frame),
    )


def _name(number: str, name: str, columns: list[str]) -> pl.Expr:
    return name_of(number, name) if name in columns else pl.col(number)


# Folds --------------------------------------------------------------------------------------------


def _folds(cells: pl.Series, place: Callable[[int], str]) -> list[Folds]:
    """The values of each run; None where there are none."""
    return [_fold_list(cell, place, row) for row, cell in enumerate(cells.to_list())]


def _fold_list(cell: Any, place: Callable[[int], str], row: int) -> Folds:
    if isinstance(cell, str):
        cell = _parse(cell, place, row)
    if cell is None or (isinstance(cell, float) and cell != cell):
        return None
    numbers = [None if value is None or value != value else value for value in cell]
    if not all(value is None or type(value) in (int, float) for value in numbers):
        raise BadFolds(where=place(row), text=str(cell))
    return [None if value is None else float(value) for value in numbers]


def _parse(text: str, place: Callable[[int], str], row: int) -> list[Any] | None:
    """A list as pandas or JSON wrote it."""
    plain = re.sub(r"\bnan\b", "NaN", re.sub(r"\bNone\b", "null", text.strip()))
    if plain in ("", "null", "NaN"):
        return None
    try:
        found = json.loads(plain)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise BadFolds(where=place(row), text=text)
    return found


# What stays ---------------------------------------------------------------------------------------


def _setups(frame: pl.DataFrame) -> list[Note]:
    """A note about flows that ran with several settings."""
    if "setup_id" not in frame.columns:
        return []
    setups = frame.group_by(PLAYER).agg(pl.col("setup_id").n_unique())
    several = setups.filter(pl.col("setup_id") > 1).height
    return [several_setups(several, setups.height)] if several else []


ADAPTER = Adapter("openml-export", TITLE, recognise, read, table=True, flows=True)
