"""A table of evaluations → flows on tasks, and everything that can be counted before rating."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

import winodds
from winodds.errors import BadOption

UNKNOWN = "unknown"

ROLES = {
    "flow": ("player", "model", "flow_name", "flow"),
    "task": ("tournament", "task", "task_id", "dataset"),
    "fold": ("round", "fold", "repetition", "repeat"),
    "score": ("score", "value"),
}
"""What each column of ours may be called in a table; the first name that is there counts."""

DONE = ("ok", "success", "finished", "complete", "")
"""What a status says of a run that gave its score."""

NUMBERS = ("runs", "number_classes", "number_instances", "number_features")
"""Columns of `winodds openml` that count something."""


class NoSuchTable(Exception):
    """A table that the study cannot be made of; the message says why."""


@dataclass(frozen=True, slots=True)
class Evaluations:
    """Scores of flows on tasks.

    Attributes
    ----------
    rows : a row for each score: flow, task, fold, score (null where there is none), algorithm,
        tool, and whatever else the table knows.
    metric : what the scores are.
    higher_is_better : whether larger scores are better; None leaves it to the metric's name.
    notes : what the reader of the table has to say.
    """

    rows: pl.DataFrame
    metric: str
    higher_is_better: bool | None
    notes: tuple[str, ...]

    @property
    def by_fold(self) -> bool:
        """Whether any task has several folds, so that each task can have a board."""
        return bool(self.rows.group_by("task").agg(pl.col("fold").n_unique())["fold"].max() != 1)

    @property
    def scored(self) -> pl.DataFrame:
        """The rows that have a score."""
        return self.rows.drop_nulls("score")

    def knows(self, *columns: str) -> bool:
        """Whether the table has these columns, with something in them."""
        return all(name in self.rows.columns and self.rows[name].count() for name in columns)

    def on(self, tasks: list[str]) -> "Evaluations":
        """The rows of some tasks."""
        kept = self.rows.filter(pl.col("task").is_in(tasks))
        return Evaluations(kept, self.metric, self.higher_is_better, self.notes)

    def of(self, flows: list[str]) -> "Evaluations":
        """The rows of some flows, on tasks where at least two of them have scores."""
        kept = self.rows.filter(pl.col("flow").is_in(flows))
        scored = pl.when(pl.col("score").is_not_null()).then("flow")
        company = kept.filter(scored.drop_nulls().n_unique().over("task") > 1)
        return Evaluations(company, self.metric, self.higher_is_better, self.notes)

    def algorithm_of(self) -> dict[str, str]:
        """The algorithm of every flow."""
        return dict(self.rows.select("flow", "algorithm").unique().rows())


def read_evaluations(
    path: Path, *, metric: str | None = None, higher_is_better: bool | None = None
) -> Evaluations:
    """Read what `winodds openml` or `winodds convert` wrote, saved evaluations, or a plain table.

    A plain table needs columns for flows, tasks and scores, and the name of its metric, which may
    leave the direction open.
    """
    source = _read(path, metric)
    if isinstance(source, winodds.Adapted):
        notes = tuple(str(note) for note in source.notes)
        frame, metric = _of_one_metric(source.table, metric, path.name)
        way: bool | None = frame["direction"][0] == "up"
    else:
        frame, notes, way = _read_plain(path), (), higher_is_better
        if metric is None:
            raise NoSuchTable(f"Say what the scores of {path.name} are: --metric auc.")
    rows = _complete(_with_roles(frame, path.name))
    return Evaluations(rows, metric, way, notes)


def _read(path: Path, metric: str | None) -> object:
    """What Winodds makes of a file; a plain table has no metrics to choose from."""
    try:
        return winodds.read_source(path, metric=metric)
    except BadOption:
        return winodds.read_source(path)


def _of_one_metric(frame: pl.DataFrame, metric: str | None, name: str) -> tuple[pl.DataFrame, str]:
    """The rows by one metric, which is to be named where there are several."""
    known = frame["metric"].drop_nulls().unique(maintain_order=True).to_list()
    if len(known) == 1:
        return frame, str(known[0])
    if metric not in known:
        raise NoSuchTable(f"{name} has scores by {', '.join(known)}; choose one: --metric NAME.")
    return frame.filter(pl.col("metric") == metric), str(metric)


def _read_plain(path: Path) -> pl.DataFrame:
    if path.suffix == ".parquet":
        return pl.read_parquet(path)
    return pl.read_csv(path, infer_schema_length=None)


def _with_roles(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The table with our names for its columns; without tournaments or folds, rounds are tasks."""
    used = [column for column in frame.columns if frame[column].count()]
    found = {
        role: next((own for own in names if own in used), None) for role, names in ROLES.items()
    }
    if found["task"] is None:
        found |= {"task": found["fold"], "fold": None}
    missing = [role for role in ("flow", "task", "score") if found[role] is None]
    if missing:
        wanted = "; ".join(f"{role}: {' or '.join(ROLES[role])}" for role in missing)
        raise NoSuchTable(f"{name} has no column that could be the {wanted}.")
    own = [pl.col(column).alias(role) for role, column in found.items() if column is not None]
    fold = [] if found["fold"] else [pl.lit("1").alias("fold")]
    return frame.with_columns(*own, *fold)


def _complete(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with algorithms and tools; failed runs have no score."""
    if "status" in frame.columns:
        word = pl.col("status").cast(pl.String).str.to_lowercase().fill_null("ok")
        frame = frame.with_columns(pl.when(word.is_in(DONE)).then("score").alias("score"))
    counts = [pl.col(name).cast(pl.Int64) for name in NUMBERS if name in frame.columns]
    frame = frame.with_columns(pl.col("flow", "task", "fold").cast(pl.String), *counts)
    # A setting of a flow is called by the flow and a number, which is no part of the flow's name.
    name = "flow_name" if "flow_name" in frame.columns else "flow"
    known = {it: winodds.extract_algorithm(it) for it in frame[name].drop_nulls().unique()}
    told = {it: found.algorithm for it, found in known.items()}
    tool = {it: found.tool for it, found in known.items()}
    algorithm = pl.col(name).replace_strict(told, default=None, return_dtype=pl.String)
    if "family" in frame.columns and frame["family"].count():
        algorithm = pl.col("family")
    return frame.with_columns(
        algorithm.fill_null(UNKNOWN).alias("algorithm"),
        pl.col(name)
        .replace_strict(tool, default=None, return_dtype=pl.String)
        .fill_null("other")
        .alias("tool"),
    )
