"""Runs of MLflow: how its SQLite file and a table of runs hold them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import Any

from winodds.adapters.errors import NotThisSource
from winodds.adapters.place import Place
from winodds.adapters.settings import Plain

TITLE = "runs of MLflow"
PARENT, NAME = "mlflow.parentRunId", "mlflow.runName"
FINISHED = "FINISHED"
BROKEN = ("FAILED", "KILLED")
LARGEST = 1.7976931348623157e308
"""What MLflow writes for an infinite value."""

NEEDED = {
    "experiments": ("experiment_id", "name", "lifecycle_stage"),
    "runs": ("run_uuid", "name", "status", "lifecycle_stage", "experiment_id"),
    "params": ("run_uuid", "key", "value"),
    "tags": ("run_uuid", "key", "value"),
    "metrics": ("run_uuid", "key", "step", "timestamp", "value", "is_nan"),
}
WHOLE = ("step", "timestamp", "experiment_id")
REAL = ("value",)
METRICS, PARAMS, TAGS = "metrics.", "params.", "tags."
WANTED_TAGS = (TAGS + PARENT, TAGS + NAME)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Run:
    """A run that is not deleted.

    Attributes
    ----------
    id, name, status, experiment, parent : as MLflow has them; "" for no parent.
    params : as text.
    values : of each metric, by step; a table of runs has the last value only, at step 0.
    """

    id: str
    name: str
    status: str
    experiment: str
    parent: str
    params: Mapping[str, str]
    values: Mapping[str, Mapping[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Store:
    """All runs.

    Attributes
    ----------
    runs : that are not deleted.
    metrics : names of all metrics, but those of the system.
    deleted : runs that are deleted, or of a deleted experiment.
    again : values that a later one of the same step has replaced.
    history : whether the values of all steps are known.
    """

    runs: Sequence[Run]
    metrics: Sequence[str]
    deleted: int = 0
    again: int = 0
    history: bool = True


def plain_param(text: str) -> Plain:
    """A parameter's value, which MLflow keeps as text.

    >>> [plain_param(text) for text in ("0.10", "5", "None", "True", "rbf", "007")]
    [0.1, 5, None, True, 'rbf', '007']
    """
    words: dict[str, Plain] = {"None": None, "True": True, "False": False}
    if text in words:
        return words[text]
    if not NUMBER.fullmatch(text) or re.match(r"[+-]?0\d", text):
        return text
    return int(text) if re.fullmatch(r"-?\d+", text) else _finite(float(text), text)


def _finite(value: float, text: str) -> Plain:
    return value if abs(value) < inf else text


# SQLite -------------------------------------------------------------------------------------------


def is_store(place: Place) -> bool:
    """Whether a database has the tables of MLflow."""
    tables = place.tables
    return place.kind == "database" and all(
        name in tables and set(columns) <= tables[name] for name, columns in NEEDED.items()
    )


def load_store(place: Place) -> Store:
    """The runs of an SQLite file."""
    for table, columns in NEEDED.items():
        absent = [name for name in columns if name not in place.tables.get(table, ())]
        if absent:
            reason = f"table '{table}' has no column '{absent[0]}'"
            raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    tables = {
        table: place.rows(table, columns, whole=WHOLE, real=REAL if table == "metrics" else ())
        for table, columns in NEEDED.items()
    }
    params, tags = _by_run(tables["params"]), _by_run(tables["tags"])
    values, again = _values(tables["metrics"])
    experiments = {key: str(name) for key, name, stage in tables["experiments"] if stage != GONE}
    kept = [row for row in tables["runs"] if row[3] != GONE and row[4] in experiments]
    runs = [
        Run(
            run,
            tags[run].get(NAME) or str(name or run),
            str(status),
            experiments[experiment],
            tags[run].get(PARENT, ""),
            params[run],
            values[run],
        )
        for run, name, status, _, experiment in kept
    ]
    metrics = list(dict.fromkeys(key for run in runs for key in run.values))
    return Store(runs, _without_system(metrics), len(tables["runs"]) - len(runs), again)


GONE = "deleted"


def _by_run(rows: Sequence[tuple[Any, ...]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for run, key, value in rows:
        found[run][str(key)] = str(value)
    return found


def _values(
    rows: Sequence[tuple[Any, ...]],
) -> tuple[dict[str, dict[str, dict[int, float]]], int]:
    """The last value of every run, metric and step, and how many others there were."""
    found: dict[str, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    again = 0
    # As MLflow itself has it: of two values of a step the later one counts, then the larger.
    for run, key, step, _, value, is_nan in sorted(rows, key=lambda row: (row[3], row[4] or 0.0)):
        own = found[run][str(key)]
        again += step in own
        own[step] = nan if is_nan else _unlimited(value)
    return found, again


def _unlimited(value: float | None) -> float:
    if value is None or isnan(value):
        return nan
    return value if abs(value) < LARGEST else inf if value > 0.0 else -inf


def _without_system(metrics: Sequence[str]) -> list[str]:
    return [name for name in metrics if not name.startswith("system/")]


# A table of runs ----------------------------------------------------------------------------------


def is_runs_table(place: Place) -> bool:
    """Whether a table was made by ``mlflow.search_runs``."""
    columns = place.columns if place.kind == "table" else frozenset()
    return {"run_id", "status", "experiment_id"} <= columns and any(
        name.startswith(METRICS) for name in columns
    )


def load_table(place: Place) -> Store:
    """The runs of a table, with the last value of each metric."""
    sheet = place.sheet
    names = sheet.columns
    absent = [name for name in ("run_id", "status") if name not in names]
    if absent:
        reason = f"it has no column '{absent[0]}'"
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    texts = ["run_id", "status", *(["experiment_id"] if "experiment_id" in names else [])]
    texts += [name for name in names if name.startswith(PARAMS) or name in WANTED_TAGS]
    written = sheet.written(texts)
    metrics = {
        name.removeprefix(METRICS): sheet.numbers(name).to_list()
        for name in names
        if name.startswith(METRICS)
    }
    runs = []
    for k, row in enumerate(written.iter_rows(named=True)):
        own = {key: value for key, value in row.items() if value not in (None, "")}
        values = {name: _unlimited(cells[k]) for name, cells in metrics.items()}
        runs.append(
            Run(
                own.get("run_id", f"row {k + 1}"),
                own.get(TAGS + NAME) or own.get("run_id", f"row {k + 1}"),
                own.get("status", ""),
                own.get("experiment_id", ""),
                own.get(TAGS + PARENT, ""),
                {key.removeprefix(PARAMS): it for key, it in own.items() if key.startswith(PARAMS)},
                {name: {0: value} for name, value in values.items() if value == value},
            )
        )
    return Store(runs, _without_system(list(metrics)), history=False)
