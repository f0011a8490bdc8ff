"""The calls of OpenML's client that are used, the same for its versions 0.15 and 0.16."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from json import JSONDecodeError
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import polars as pl

from winodds.adapters.openml.errors import ClientFails, ClientUnknown, ServerRefuses
from winodds.language.errors import MissingExtra, WinoddsError
from winodds.language.words import shorten, visible

if TYPE_CHECKING:
    from winodds.adapters.openml.desk import Desk

T = TypeVar("T")

RUN_COLUMNS: dict[str, type[pl.DataType]] = {
    "run_id": pl.Int64,
    "task_id": pl.Int64,
    "setup_id": pl.Int64,
    "flow_id": pl.Int64,
    "flow_name": pl.String,
    "data_id": pl.Int64,
    "data_name": pl.String,
    "function": pl.String,
    "upload_time": pl.String,
    "uploader": pl.Int64,
    "value": pl.Float64,
}
QUALITIES = {
    "NumberOfClasses": "number_classes",
    "NumberOfInstances": "number_instances",
    "NumberOfFeatures": "number_features",
}
"""What the client calls the sizes of a task's data, and our columns for them."""


LONGEST_REASON = 300


class CutOff(Exception):
    """A list of values by fold that the server cut off."""


def require_client() -> None:
    """Raise `MissingExtra` if the client is not installed."""
    if find_spec("openml") is None:
        purpose = "Fetching evaluations"
        raise MissingExtra(packages=["openml"], purpose=purpose, extra="openml")


def configured_server() -> str:
    """The server that the client asks, by its own configuration."""
    import openml

    return str(openml.config.server)


class Client:
    """OpenML's client, whose requests go through a desk."""

    def __init__(self, desk: "Desk", server: str) -> None:
        import openml

        self._openml = openml
        self._desk = desk
        self._server = server

    def suite(self, suite: int | str) -> tuple[str, list[int], list[int]]:
        """The name of a suite, its tasks and their data sets."""
        get = self._openml.study.get_suite
        found = self._call(lambda: get(suite), f"suite {suite}")
        return str(found.name), list(found.tasks or []), list(found.data or [])

    def describe_tasks(self, tasks: Sequence[int], data: Sequence[int]) -> pl.DataFrame:
        """The sizes of tasks' data: a row for each that the server tells of."""
        known = inspect.signature(self._openml.tasks.list_tasks).parameters
        more = {"output_format": "dataframe"} if "output_format" in known else {}
        # 0.16 has no filter by tasks any more; 0.15 passes on whatever it is given.
        by_task = any(it.kind is inspect.Parameter.VAR_KEYWORD for it in known.values())
        asked: list[dict[str, Any]] = (
            [{"task_id": list(tasks)}] if by_task else [{"data_id": number} for number in data]
        )
        rows = [row for filters in asked for row in self._task_rows({**filters, **more})]
        columns = {"task_id": pl.Int64} | dict.fromkeys(QUALITIES.values(), pl.Int64)
        found = pl.DataFrame(rows, schema=columns, orient="row")
        return found.filter(pl.col("task_id").is_in(list(tasks))).unique("task_id")

    def _task_rows(self, filters: dict[str, Any]) -> list[tuple[int | None, ...]]:
        def rows() -> list[tuple[int | None, ...]]:
            found = self._openml.tasks.list_tasks(**filters)
            return [
                (_whole(row["tid"]), *(_whole(row.get(name)) for name in QUALITIES))
                for row in found.to_dict("records")
            ]

        return self._call(rows, "list of tasks")

    def list_runs(self, function: str, task: int, *, offset: int, size: int) -> pl.DataFrame:
        """One page of the runs of a task, with their means."""
        what = f"list of evaluations of task {task}"

        def table(found: Any) -> pl.DataFrame:
            return pl.DataFrame(
                {name: found[name].to_list() if len(found) else [] for name in RUN_COLUMNS},
                schema=RUN_COLUMNS,
            ).with_columns(pl.col("value").fill_nan(None))

        return self._evaluations(
            table, what, function=function, tasks=[task], offset=offset, size=size
        )

    def list_folds(
        self, function: str, runs: Sequence[int], *, size: int
    ) -> dict[int, list[float | None]]:
        """The values by fold of some runs, where there are any."""
        what = "list of evaluations by fold"

        def by_run(found: Any) -> dict[int, list[float | None]]:
            if not len(found):
                return {}
            pairs = zip(found["run_id"].to_list(), found["values"].to_list(), strict=True)
            return {int(run): _values(own) for run, own in pairs if isinstance(own, list)}

        return self._evaluations(
            by_run, what, function=function, runs=list(runs), size=size, per_fold=True
        )

    def _evaluations(self, take: Callable[[Any], T], what: str, **filters: Any) -> T:
        """What is taken of a list of evaluations."""
        self._desk.listed = 0
        listing = self._openml.evaluations.list_evaluations
        return self._call(lambda: take(listing(**filters, output_format="dataframe")), what)

    def folds_of(self, function: str, run: int) -> list[float]:
        """The values of a run in the order of repeats and folds; empty if it tells none."""
        get = self._openml.runs.get_run
        # The client's own cache of runs is not written whole.

        def values() -> list[float]:
            repeats = (get(run, ignore_cache=True).fold_evaluations or {}).get(function, {})
            return [
                float(value)
                for _, folds in sorted(repeats.items())
                for _, value in sorted(folds.items())
            ]

        return self._call(values, f"run {run}")

    def functions(self) -> list[str]:
        """The names of functions that evaluate."""
        listing = self._openml.evaluations.list_evaluation_measures
        return [str(name) for name in self._call(listing, "list of functions")]

    def _call(self, call: Callable[[], T], what: str) -> T:
        """What a call of the client gives; its errors in our words."""
        failures = self._openml.exceptions
        before = self._desk.answered
        try:
            with self._configured(), self._desk.open():
                found = call()
        except WinoddsError:
            raise
        except JSONDecodeError as error:
            raise CutOff from error
        except failures.OpenMLServerException as error:
            code = getattr(error, "code", None)
            message = visible(shorten(str(error.message).removesuffix(" - None"), LONGEST_REASON))
            raise ServerRefuses(what=what, code=code, message=message) from error
        except (
            failures.PyOpenMLError,
            LookupError,
            TypeError,
            ValueError,
            AssertionError,
            AttributeError,
            OverflowError,
            pl.exceptions.PolarsError,
        ) as error:
            raise ClientFails(what=f"the {what}", reason=_reason(error)) from error
        if before == self._desk.answered:
            raise ClientUnknown(version=str(self._openml.__version__))
        return found

    @contextmanager
    def _configured(self) -> Iterator[None]:
        """The client with our server and without retries of its own, while it works."""
        # A module in 0.15, and an object in 0.16.
        config: Any = self._openml.config
        names = ("server", "connection_n_retries")
        before = {name: getattr(config, name) for name in names}
        try:
            config.server = self._server
            config.connection_n_retries = 1
            yield
        finally:
            for name, value in before.items():
                setattr(config, name, value)


def _whole(value: Any) -> int | None:
    return None if value is None or value != value else int(value)


def _values(given: list[Any]) -> list[float | None]:
    """Values by fold; what is no finite number is none."""
    found = [None if it is None else float(it) for it in given]
    return [it if it is not None and isfinite(it) else None for it in found]


def _reason(error: Exception) -> str:
    text = str(getattr(error, "message", error)).strip()
    first = next(iter(text.splitlines()), "")
    return visible(shorten(f"{type(error).__name__} {first}".strip(), LONGEST_REASON))
