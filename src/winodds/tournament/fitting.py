"""One fit: train, score, and say what happened. This is what workers do."""

import pickle
import random
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from platform import python_version
from typing import Any

import numpy as np

from winodds.arrays import Ints
from winodds.language.words import number, shorten
from winodds.tournament.code import parts_of
from winodds.tournament.outcome import Outcome, Status, without_scores

LONGEST = 300
"""Characters that are kept of an error or a warning."""

PACKAGES = ("winodds", "scikit-learn", "numpy", "scipy")
KNOWN = {"winodds", "sklearn", "numpy", "scipy"}
"""What every score is computed with, and the modules of these; an estimator may add others."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker has to know of a fit besides the data.

    Attributes
    ----------
    data : the data set's identity.
    round : the split's number.
    estimator : pickled.
    seed : for all random numbers.
    """

    data: str
    round: int
    estimator: bytes
    seed: int


@dataclass(frozen=True, slots=True)
class Table:
    """A data set as workers have it: features, target, and the rows of every split."""

    x: Any
    y: Any
    rounds: Sequence[tuple[Ints, Ints]]


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a worker scores, and under which conditions.

    Attributes
    ----------
    scorers : by the metrics' names.
    megabytes : that a fit may take, for the words about it; None without a limit.
    """

    scorers: Mapping[str, Any]
    megabytes: float | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.scorers)


def perform(job: Job, table: Table, scoring: Scoring) -> Outcome:
    """Do a fit; an error becomes an outcome with its reason."""
    random.seed(job.seed)
    np.random.seed(job.seed)
    estimator = None
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            estimator = seeded(pickle.loads(job.estimator), job.seed)
            found = _fit_and_score(estimator, table, job.round, scoring)
        except MemoryError as error:
            found = _out_of_memory(scoring, error)
        # A script's way to end would end the worker.
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            found = without_scores("failed", scoring.metrics, describe(error))
    warned = describe(heard[0].message) if heard else None
    return replace(found, warned=warned, versions=versions(estimator))


def _fit_and_score(estimator: Any, table: Table, split: int, scoring: Scoring) -> Outcome:
    train, test = table.rounds[split]
    x, y, cases = rows_of(table.x, train), rows_of(table.y, train), rows_of(table.x, test)
    start = time.perf_counter()
    estimator.fit(x, y)
    fitted = time.perf_counter()
    scores, reasons, status = _score(estimator, cases, rows_of(table.y, test), scoring)
    scored = time.perf_counter()
    return Outcome(status, scores, reasons, fitted - start, scored - fitted)


def _score(
    estimator: Any, x: Any, y: Any, scoring: Scoring
) -> tuple[dict[str, float | None], dict[str, str], Status]:
    """Scores by metric, why some are missing, and the status; one may fail and others not."""
    scores: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, value in _values(estimator, x, y, scoring).items():
        scores[name], reason = _as_number(value)
        if reason is not None:
            reasons[name] = reason
    if any("MemoryError" in reason for reason in reasons.values()):
        raise MemoryError
    return scores, reasons, "failed" if reasons else "ok"


def _values(estimator: Any, x: Any, y: Any, scoring: Scoring) -> dict[str, Any]:
    """What the scorers say, or the errors of those that fail."""
    from sklearn.metrics import check_scoring

    def ask(scorers: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = check_scoring(estimator, scorers, raise_exc=False)(estimator, x, y)
        return found

    try:
        return ask(dict(scoring.scorers))
    except Exception as error:
        if len(scoring.scorers) == 1:
            return {name: describe(error) for name in scoring.scorers}
    # Together they share predictions, but a method that the estimator lacks fails all of them.
    return {
        name: value
        for metric, scorer in scoring.scorers.items()
        for name, value in _values(
            estimator, x, y, Scoring({metric: scorer}, scoring.megabytes)
        ).items()
    }


def _as_number(value: Any) -> tuple[float | None, str | None]:
    """A score, or None and why there is none; scorers that fail give a traceback as text."""
    if isinstance(value, str):
        return None, shorten(value.strip().splitlines()[-1], LONGEST)
    found = float(value)
    return (found, None) if np.isfinite(found) else (None, f"the score is {number(found)}")


def _out_of_memory(scoring: Scoring, error: BaseException) -> Outcome:
    limit = scoring.megabytes
    if limit is None:
        return without_scores("oom", scoring.metrics, f"out of memory ({describe(error)})")
    reason = beyond_memory(limit)
    return without_scores("oom", scoring.metrics, reason, limit=limit)


def beyond_memory(megabytes: float) -> str:
    """Why a fit was ended by the limit of memory."""
    return f"it needed more than {megabytes:,.10g} MB"


def seeded(estimator: Any, seed: int) -> Any:
    """A fresh copy whose random states follow from the seed, unless they are set already."""
    from sklearn.base import clone

    fresh = clone(estimator)
    states = {
        name: seed
        for name, value in fresh.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    }
    return fresh.set_params(**states) if states else fresh


def rows_of(values: Any, rows: Ints) -> Any:
    """Some rows of an array, a data frame or a list."""
    if isinstance(values, np.ndarray):
        return values[rows]
    from sklearn.utils import _safe_indexing

    return _safe_indexing(values, rows)


def describe(error: BaseException | Warning | str) -> str:
    """An error's class and the first line of what it says."""
    text = str(error).strip()
    first = text.splitlines()[0].strip() if text else ""
    return shorten(f"{type(error).__name__}: {first}" if first else type(error).__name__, LONGEST)


def versions(estimator: Any = None) -> str:
    """What the scores are computed with: "python 3.11.7, winodds 0.4.0, …, xgboost 3.0.2"."""
    modules = {part.__module__.partition(".")[0] for part in parts_of(estimator)}
    others = (
        f"{name} {sys.modules[name].__version__}"
        for name in sorted(modules - KNOWN)
        if isinstance(getattr(sys.modules.get(name), "__version__", None), str)
    )
    return ", ".join([_usual_versions(), *others])


@cache
def _usual_versions() -> str:
    known = [f"python {python_version()}"]
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            known.append(f"{name} {metadata.version(name)}")
    return ", ".join(known)
