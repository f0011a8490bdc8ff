"""Runs of flows on tasks, with values by fold or without → rows of scores."""

from collections import Counter
from typing import TypeAlias

import polars as pl

from winodds.adapters.algorithms import UNKNOWN, AlgorithmTable, extract_algorithm
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
from winodds.adapters.errors import NothingLeft
from winodds.adapters.notes import left_out, unknown_algorithms
from winodds.language.notes import Note
from winodds.language.words import count

TITLE = "evaluations of OpenML"
TASK = "\0task"
FOLDS = "\0folds"

Folds: TypeAlias = list[float | None] | None
"""The values of a run; nothing if there are none by fold."""


def name_of(number: str, name: str) -> pl.Expr:
    """An id and a name as one name; without an id there is none."""
    joined = pl.concat_str(number, name, separator="_", ignore_nulls=True)
    return pl.when(pl.col(number).is_not_null()).then(joined)


def spread_folds(frame: pl.DataFrame, lists: list[Folds]) -> pl.DataFrame:
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
    return found.drop(FOLDS)


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


def with_company(frame: pl.DataFrame, path: str) -> tuple[pl.DataFrame, list[Note]]:
    """The tasks on which at least two flows have scores; others rate nothing."""
    scored = pl.when(pl.col(SCORE).is_not_null()).then(PLAYER)
    alone = scored.drop_nulls().n_unique().over(TASK) < 2
    lonely = frame.filter(alone)[TASK].unique(maintain_order=True).to_list()
    if not lonely:
        return frame, []
    kept = frame.filter(~alone)
    if not kept.height:
        told = "no task has scores of two flows"
        raise NothingLeft(path=path, title=TITLE, left_out=told)
    why = "because fewer than two flows have scores there"
    return kept, [left_out(len(lonely), "task", why, [str(task) for task in lonely])]


def with_families(frame: pl.DataFrame, table: AlgorithmTable) -> tuple[pl.DataFrame, list[Note]]:
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


def summarise(frame: pl.DataFrame, player: str = "flow") -> str:
    """How many flows and tasks there are, and by which functions."""
    parts = [(PLAYER, player), (TASK, "task")]
    words = [count(frame[name].n_unique(), noun) for name, noun in parts]
    functions = frame[METRIC].drop_nulls().unique(maintain_order=True).to_list()
    return ", ".join([*words, *functions])
