"""Evaluations of OpenML that its Python client listed, saved as a table.

A row is a run: a flow on a task, by one function. With ``per_fold=True`` its ``values`` are a list,
one for each fold; otherwise it has one ``value``, and the task is the round.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import polars as pl

from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.algorithms import UNKNOWN, AlgorithmTable, extract_algorithm, read_algorithms
from winodds.adapters.cells import (
    ROW,
    note_failures,
    places_of,
    read_scores,
    read_texts,
    refuse_nothing,
    require_columns,
)
from winodds.adapters.columns import (
    FAILED,
    FAMILY,
    METRIC,
    OK,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    STATUS,
    TOURNAMENT,
)
from winodds.adapters.errors import BadFolds, NothingLeft
from winodds.adapters.metrics import choose_metric
from winodds.adapters.notes import fold_order, left_out, several_setups, unknown_algorithms
from winodds.adapters.place import Place
from winodds.language.notes import Note
from winodds.language.words import count

TITLE = "evaluations of OpenML"
NEEDED = ("task_id", "flow_id", "function", "value")
MARKS = frozenset({*NEEDED, "run_id", "setup_id"})
KEPT = ("run_id", "setup_id", "data_id", "uploader", "upload_time")
Folds: TypeAlias = list[float | None] | None
"""The values of a run; nothing if there are none by fold."""

FOLDS = "\0folds"
TASK = "\0task"


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
        frame, notes = _by_fold(frame, lists)
    else:
        missing = pl.col(SCORE).is_null()
        status = pl.when(missing).then(pl.lit(FAILED)).otherwise(pl.lit(OK))
        frame = frame.with_columns(pl.col(TASK).alias(ROUND), status.alias(STATUS))
        frame = frame.with_columns(pl.lit(None, dtype=pl.String).alias(TOURNAMENT))
    frame = choose_metric(frame, wanted.metric)
    refuse_nothing(frame, place, TITLE)
    frame, lonely = _with_company(frame, place)
    frame, unknown = _families(frame, algorithms)
    notes += [*lonely, *_setups(frame), *unknown, *note_failures(frame)]
    return adapt_scores(
        frame.drop(ROW, TASK, *NEEDED[:3], "flow_name", "data_name", strict=False),
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=_summary(frame),
        notes=notes,
        places=places_of(sheet, frame),
    )


def _name(number: str, name: str, columns: list[str]) -> pl.Expr:
    """An id and a name as one name; without an id there is none."""
    if name not in columns:
        return pl.col(number)
    joined = pl.concat_str(number, name, separator="_", ignore_nulls=True)
    return pl.when(pl.col(number).is_not_null()).then(joined)


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


def _by_fold(frame: pl.DataFrame, lists: list[Folds]) -> tuple[pl.DataFrame, list[Note]]:
    """A row for every fold of every run; runs that have other folds than most are failed ones."""
    lengths = [len(values) if values else 0 for values in lists]
    usual = _usual_lengths(frame[TASK].to_list(), lengths)
    rows = []
    for task, values, length in zip(frame[TASK].to_list(), lists, lengths, strict=True):
        folds = usual.get(task, 0)
        whole = values if values and length == folds else [None] * max(folds, 1)
        reason = f"{length} folds, where others have {folds}" if length else "no values by fold"
        rows.append((whole, None if whole is values else reason))
    found = frame.with_columns(
        pl.Series(FOLDS, [[*range(1, len(values) + 1)] for values, _ in rows]),
        pl.Series(SCORE, [values for values, _ in rows], pl.List(pl.Float64)),
        pl.Series(REASON, [reason for _, reason in rows], pl.String),
    ).explode(FOLDS, SCORE)
    missing = pl.col(SCORE).is_null()
    found = found.with_columns(
        pl.col(TASK).alias(TOURNAMENT),
        pl.col(FOLDS).cast(pl.String).alias(ROUND),
        pl.when(missing).then(pl.lit(FAILED)).otherwise(pl.lit(OK)).alias(STATUS),
    )
    return found.drop(FOLDS), [fold_order()]


def _usual_lengths(tasks: list[str | None], lengths: list[int]) -> dict[str | None, int]:
    """How many folds most runs of a task have; of two equally frequent numbers the larger."""
    counts: dict[str | None, Counter[int]] = {}
    for task, length in zip(tasks, lengths, strict=True):
        if length:
            counts.setdefault(task, Counter())[length] += 1
    return {
        task: max(found, key=lambda length: (found[length], length))
        for task, found in counts.items()
    }


# What stays ---------------------------------------------------------------------------------------


def _with_company(frame: pl.DataFrame, place: Place) -> tuple[pl.DataFrame, list[Note]]:
    """The tasks on which at least two flows have scores; others rate nothing."""
    scored = pl.when(pl.col(SCORE).is_not_null()).then(PLAYER)
    alone = scored.drop_nulls().n_unique().over(TASK) < 2
    lonely = frame.filter(alone)[TASK].unique(maintain_order=True).to_list()
    if not lonely:
        return frame, []
    kept = frame.filter(~alone)
    if not kept.height:
        told = "no task has scores of two flows"
        raise NothingLeft(path=place.path, title=TITLE, left_out=told)
    why = "because fewer than two flows have scores there"
    return kept, [left_out(len(lonely), "task", why, [str(task) for task in lonely])]


def _setups(frame: pl.DataFrame) -> list[Note]:
    """A note about flows that ran with several settings."""
    if "setup_id" not in frame.columns:
        return []
    setups = frame.group_by(PLAYER).agg(pl.col("setup_id").n_unique())
    several = setups.filter(pl.col("setup_id") > 1).height
    return [several_setups(several, setups.height)] if several else []


def _families(frame: pl.DataFrame, table: AlgorithmTable) -> tuple[pl.DataFrame, list[Note]]:
    """The frame with the algorithms of flows as families, if any is known."""
    if "flow_name" not in frame.columns:
        return frame, []
    flows = frame.select(PLAYER, "flow_name").unique(maintain_order=True).drop_nulls()
    names = flows["flow_name"].unique(maintain_order=True).to_list()
    found = {name: extract_algorithm(name, table=table).algorithm for name in names}
    if not any(found.values()):
        return frame, []
    words = {name: algorithm or UNKNOWN for name, algorithm in found.items()}
    family = pl.col("flow_name").replace_strict(words, default=UNKNOWN, return_dtype=pl.String)
    lost = flows.filter(pl.col("flow_name").is_in([name for name in names if not found[name]]))
    told = [unknown_algorithms(lost.height, flows.height, lost[PLAYER].to_list())]
    return frame.with_columns(family.alias(FAMILY)), told if lost.height else []


def _summary(frame: pl.DataFrame) -> str:
    parts = [(PLAYER, "flow"), (TASK, "task")]
    words = [count(frame[name].n_unique(), noun) for name, noun in parts]
    functions = frame[METRIC].drop_nulls().unique(maintain_order=True).to_list()
    return ", ".join([*words, *functions])


ADAPTER = Adapter("openml-export", TITLE, recognise, read, table=True, flows=True)
