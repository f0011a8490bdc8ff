"""The front door in Python: estimators and data sets → a table of scores."""

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from winodds.adapters.adapted import Adapted
from winodds.adapters.columns import TEST_FRACTION
from winodds.adapters.converted import test_share
from winodds.adapters.metrics import choose_metric
from winodds.adapters.notes import known_test_fraction
from winodds.adapters.scorers import direct_scorer, name_scorer
from winodds.language.checks import (
    check_count,
    check_flag,
    check_jobs,
    check_listener,
    check_number,
    check_seed,
)
from winodds.language.errors import BadOption
from winodds.language.words import count
from winodds.tournament.benchmark import Benchmark, DataSet, Player
from winodds.tournament.data import Cases
from winodds.tournament.output import TOOL, make_table, write_output
from winodds.tournament.players import drop_copies, name_family, repeated_name
from winodds.tournament.prepare import find_hopeless, make_data_set, require_scikit_learn
from winodds.tournament.run import Run, open_run
from winodds.tournament.spec import Limits
from winodds.tournament.splits import apply_splitter

Estimators: TypeAlias = Mapping[str, Any] | Sequence[Any]
Data: TypeAlias = Mapping[str, Any] | Sequence[str]


@dataclass(frozen=True, slots=True)
class Played:
    """What a run gave.

    Attributes
    ----------
    table : data frame with a row for each metric of each fit, and the columns of `winodds convert`.
    folder : where it is kept; None if nobody asked for that.
    """

    table: pl.DataFrame
    folder: Path | None

    def scores(self, metric: str | None = None) -> Adapted:
        """The scores of one metric, as `rate` and `rate_each` take them; "all" for each in turn."""
        chosen = choose_metric(self.table, metric)
        share = test_share(chosen)
        return Adapted(
            chosen,
            name="run" if self.folder is None else str(self.folder),
            tool=TOOL,
            summary=count(chosen.height, "score"),
            notes=[] if share is None else [known_test_fraction("The benchmark", share)],
            options={} if share is None else {TEST_FRACTION: share},
        )


def run(
    estimators: Estimators,
    data: Data,
    *,
    scoring: Any,
    cv: Any = 5,
    output: str | os.PathLike[str] | None = None,
    seed: int = 0,
    n_jobs: int = -1,
    seconds: float | None = None,
    megabytes: float | None = None,
    retry_failed: bool = False,
    dask: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Played:
    """Train and score every estimator on every split of every data set.

    Each fit runs in a process beside this one, so that one that crashes, hangs or takes all memory
    costs its own score only, and is a row that says so.

    Parameters
    ----------
    estimators : by name; or a list, whose classes are their names. Beside an estimator may stand
        settings, as a grid (a mapping to lists) or as mappings: ``{"knn": (KNeighborsClassifier(),
        {"n_neighbors": [1, 5]})}``.
    data : by name, ``(X, y)`` or ``(X, y, groups)``, or an object with ``data`` and ``target``; or
        a list of names of data sets that scikit-learn brings along.
    scoring : a scorer of scikit-learn by its name, or several in a list; or scorers by name.
    cv : the splits, the same for every estimator: a number of folds, or a splitter of
        scikit-learn. One that draws anew each time gets a seed.
    output : folder in which every finished fit is kept at once. The same call goes on there.
    seed : that all random numbers follow from, each fit's by the names of what it is about.
    n_jobs : workers on this machine; −1 for one on each core.
    seconds, megabytes : limits of one fit; megabytes are those that it takes beyond what its
        worker has.
    retry_failed : try fits again that have no score.
    dask : address of a Dask cluster whose workers do the fits.
    progress : called with the number of fits that are saved and of all that were to be done.

    Returns
    -------
    Played
        Its ``scores()`` are what `rate` and `rate_each` take.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> models = [GaussianNB(), DummyClassifier()]
    >>> played = run(models, ["wine"], cv=3, scoring="accuracy", n_jobs=1)
    >>> played.table.select("player", "round", "status").rows()[0]
    ('GaussianNB', 'split 1', 'ok')
    """
    require_scikit_learn()
    if progress is not None:
        check_listener("progress", progress)
    check_flag("retry_failed", retry_failed)
    workers = count_workers(n_jobs)
    limits = Limits(_limit("seconds", seconds), _limit("megabytes", megabytes))
    benchmark = make_benchmark(estimators, data, cv, scoring, check_seed(seed), limits)
    with ExitStack() as stack:
        folder = output if output is not None else stack.enter_context(_passing_folder())
        opened = stack.enter_context(open_run(benchmark, Path(folder), retry=retry_failed))
        play(opened, workers=workers, dask=dask, progress=progress)
        table = make_table(benchmark, opened.finished)
        if output is None:
            return Played(table, None)
        write_output(benchmark, table, Path(folder), csv=False)
        return Played(table, Path(folder))


def play(
    opened: Run,
    *,
    workers: int,
    dask: str | None,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Do what is to do, here or on a cluster."""
    if dask is None:
        opened.play(workers=workers, progress=progress)
    else:
        opened.play_on_cluster(dask, progress=progress)


def count_workers(n_jobs: int) -> int:
    """How many workers are meant."""
    if check_jobs("n_jobs", n_jobs) != -1:
        return n_jobs
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores or 1


def _passing_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="winodds-")


def _limit(name: str, value: float | None) -> float | None:
    if value is None:
        return None
    check_number(name, value)
    if not 0.0 < value < float("inf"):
        raise BadOption(option=name, value=value, wanted="it is a number above 0")
    return float(value)


def make_benchmark(
    estimators: Estimators, data: Data, cv: Any, scoring: Any, seed: int, limits: Limits
) -> Benchmark:
    """What is to be played, from objects."""
    players, left_out = drop_copies(_players(estimators))
    same = repeated_name(players)
    if same is not None:
        wanted = f"two of them would be called '{same}'; give them names, in a mapping"
        raise BadOption(option="estimators", value=same, wanted=wanted)
    scorers = _scorers(scoring)
    classifiers = all(_is_classifier(player.estimator) for player in players)
    sets = [_data_set(name, cases, cv, seed, classifiers) for name, cases in _cases(data).items()]
    known = {name: own for name, own in scorers.items() if name in _names_of_scorers()}
    hopeless = find_hopeless(players, sets, known)
    if hopeless is not None:
        raise BadOption(option="scoring", value=hopeless[0], wanted=hopeless[1])
    directions = {name: direct_scorer(name, True) for name in scorers}
    return Benchmark(players, sets, scorers, directions, seed, limits, (), left_out)


# Estimators ---------------------------------------------------------------------------------------


def _players(estimators: Estimators) -> list[Player]:
    if not isinstance(estimators, Mapping):
        return _unnamed_players(estimators)
    if not estimators:
        raise BadOption(option="estimators", value={}, wanted="there is at least one")
    found = []
    for name, given in estimators.items():
        estimator, settings = given if isinstance(given, tuple) else (given, [{}])
        _check_estimator(estimator)
        found += name_family(str(name), *_apply(estimator, _as_settings(settings)))
    return found


def _unnamed_players(estimators: Iterable[Any]) -> list[Player]:
    """Players called by their classes, and by what varies among those of one class."""
    classes: dict[str, list[Any]] = {}
    for estimator in estimators:
        _check_estimator(estimator)
        last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
        classes.setdefault(type(last).__name__, []).append(estimator)
    if not classes:
        raise BadOption(option="estimators", value=[], wanted="there is at least one")
    found = []
    for name, own in classes.items():
        found += name_family(name, own, [it.get_params() for it in own] if len(own) > 1 else [{}])
    return found


def _check_estimator(estimator: Any) -> None:
    if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        wanted = "an estimator has fit and get_params, as those of scikit-learn"
        raise BadOption(option="estimators", value=estimator, wanted=wanted)


def _as_settings(given: Any) -> list[dict[str, Any]]:
    """A grid, or mappings one by one."""
    from sklearn.model_selection import ParameterGrid

    return [dict(own) for own in (ParameterGrid(given) if isinstance(given, Mapping) else given)]


def _apply(
    estimator: Any, settings: Sequence[Mapping[str, Any]]
) -> tuple[list[Any], Sequence[Mapping[str, Any]]]:
    from sklearn.base import clone

    found = []
    for own in settings:
        try:
            found.append(clone(estimator).set_params(**own))
        except ValueError as error:
            raise BadOption(option="estimators", value=dict(own), wanted=str(error)) from error
    return found, settings


def _is_classifier(estimator: Any) -> bool:
    from sklearn.base import is_classifier

    return bool(is_classifier(estimator))


# Scoring and data ---------------------------------------------------------------------------------


def _scorers(scoring: Any) -> dict[str, Any]:
    """Scorers by their names."""
    from sklearn.metrics import get_scorer

    if isinstance(scoring, Mapping):
        named: dict[Any, Any] = dict(scoring)
    else:
        every = scoring if isinstance(scoring, (list, tuple, set)) else [scoring]
        named = {name_scorer(own): own for own in every}
    if not named or None in named:
        wanted = "it is the name of a scorer, a list of names, or a mapping from names to scorers"
        raise BadOption(option="scoring", value=scoring, wanted=wanted)
    try:
        return {str(name): get_scorer(own) for name, own in named.items()}
    except ValueError as error:
        raise BadOption(option="scoring", value=scoring, wanted=str(error)) from error


def _names_of_scorers() -> list[str]:
    from sklearn.metrics import get_scorer_names

    return list(get_scorer_names())


def _cases(data: Data) -> dict[str, Cases]:
    if isinstance(data, Mapping):
        found = {str(name): _as_cases(str(name), given) for name, given in data.items()}
    elif isinstance(data, str):
        raise BadOption(option="data", value=data, wanted="it is a list of names, or a mapping")
    else:
        found = {name: _bundled(name) for name in data}
    if not found:
        raise BadOption(option="data", value=data, wanted="there is at least one data set")
    return found


def _as_cases(name: str, given: Any) -> Cases:
    if hasattr(given, "data") and hasattr(given, "target") and not isinstance(given, tuple):
        given = (given.data, given.target)
    if not (isinstance(given, tuple) and len(given) in (2, 3)):
        wanted = f"{name!r} is (X, y) or (X, y, groups), or has data and target"
        raise BadOption(option="data", value=name, wanted=wanted)
    x, y, *groups = given
    check_count("data", len(y))
    return Cases(x, np.asarray(y), groups[0] if groups else None, ())


def _bundled(name: object) -> Cases:
    from sklearn import datasets

    load = getattr(datasets, f"load_{name}", None)
    if load is None:
        wanted = "scikit-learn brings no such data set along; give (X, y) in a mapping"
        raise BadOption(option="data", value=name, wanted=wanted)
    x, y = load(return_X_y=True)
    return Cases(x, y, None, ())


def _data_set(name: str, cases: Cases, cv: Any, seed: int, classifiers: bool) -> DataSet:
    try:
        rounds, share = apply_splitter(cv, cases, name, seed, classifiers=classifiers)
    except ValueError as error:
        wanted = f"{name!r} cannot be split in this way ({error})"
        raise BadOption(option="cv", value=cv, wanted=wanted) from error
    return make_data_set(name, cases, rounds, share)
