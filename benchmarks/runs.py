"""What `winodds run` costs beside the fits themselves, against a bare loop of joblib.

The bare loop is what people write: `joblib.Parallel` over players, and `cross_validate` of
scikit-learn in each. It keeps nothing until its end, and ends as a whole when one fit does. It is
timed twice: as a program has it that begins with it, so that both start their workers, and once
joblib's workers run, which it keeps for the next loop. Ours always begin anew. Seconds of
processors, workers included, say the same on a busy machine.
"""

import resource
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from measuring import race
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedShuffleSplit, cross_validate
from sklearn.neighbors import KNeighborsClassifier

import winodds
from winodds.tournament.benchmark import Benchmark
from winodds.tournament.door import make_benchmark
from winodds.tournament.fitting import versions
from winodds.tournament.outcome import Finished, Outcome
from winodds.tournament.output import make_table, write_output
from winodds.tournament.plan import make_plan
from winodds.tournament.run import open_run
from winodds.tournament.spec import Limits
from winodds.tournament.store import open_store

WORKERS = 2


def runs(*, slow: int = 10, quick: int = 100, planned: int = 100_000) -> None:
    """Overhead for slow and for trivial fits, and how long a large plan takes to begin."""
    forests = [
        RandomForestClassifier(n_estimators=30 + k, random_state=0, n_jobs=1) for k in range(slow)
    ]
    dummies = [DummyClassifier(constant=0, strategy="prior", random_state=k) for k in range(quick)]
    print("\nwinodds run, against joblib and cross_validate on the same fits and as many workers")
    _against_joblib("random forests on digits", forests, splits=20)
    _against_joblib("trivial fits", dummies, splits=20)
    print(f"\nA plan of {planned:,} fits")
    with tempfile.TemporaryDirectory() as folder:
        large_plan(Path(folder), planned)


def _against_joblib(title: str, models: list[Any], *, splits: int) -> None:
    x, y = load_digits(return_X_y=True)
    cv = StratifiedShuffleSplit(splits, test_size=1 / 3, random_state=0)
    named = {f"model {k}": model for k, model in enumerate(models)}

    def bare() -> None:
        one = delayed(cross_validate)
        calls = (one(clone(it), x, y, cv=cv, scoring="accuracy") for it in models)
        Parallel(n_jobs=WORKERS)(calls)

    def fresh() -> None:
        get_reusable_executor().shutdown(wait=True)
        bare()

    def own() -> None:
        with tempfile.TemporaryDirectory() as folder:
            winodds.run(
                named, {"digits": (x, y)}, cv=cv, scoring="accuracy", n_jobs=WORKERS, output=folder
            )

    fits = splits * len(models)
    begun, running, seconds = race(fresh, bare, own, times=3)
    print(
        f"{title}, {fits:,} fits of {1000 * WORKERS * running / fits:.1f} ms: "
        f"winodds {seconds:.2f} s"
    )
    for kind, floor in (("that begins", begun), ("whose workers run", running)):
        print(
            f"    joblib {kind} {floor:.2f} s: {seconds / floor - 1:+.0%}, "
            f"{1000 * (seconds - floor) / fits:+.2f} ms a fit"
        )
    get_reusable_executor().shutdown(wait=True)
    theirs, ours = _processor_seconds(bare), _processor_seconds(own)
    print(
        f"    seconds of processors: joblib that begins {theirs:.2f}, winodds {ours:.2f}: "
        f"{ours / theirs - 1:+.0%}, {1000 * (ours - theirs) / fits:+.2f} ms a fit"
    )


def _processor_seconds(call: Callable[[], object]) -> float:
    """What a call takes of all processors, its workers until their end included."""
    before = _spent()
    call()
    get_reusable_executor().shutdown(wait=True)
    return _spent() - before


def _spent() -> float:
    own = (resource.getrusage(it) for it in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(it.ru_utime + it.ru_stime for it in own)


def _large(fits: int) -> Benchmark:
    rng = np.random.default_rng(0)
    data = {f"data {k}": (rng.normal(size=(100, 5)), np.arange(100) % 2) for k in range(20)}
    cv = StratifiedShuffleSplit(20, random_state=0)
    settings = [{"n_neighbors": k + 1} for k in range(fits // 400)]
    models = {"knn": (KNeighborsClassifier(), settings)}
    return make_benchmark(models, data, cv, "accuracy", 0, Limits())


def large_plan(folder: Path, fits: int) -> None:
    """Seconds until fits run, at the beginning and once all but some are finished."""

    class Begun(Exception):
        pass

    def begun(*_: int) -> None:
        raise Begun

    start = time.perf_counter()
    benchmark = _large(fits)
    with open_run(benchmark, folder / "new") as opened:
        planned = time.perf_counter() - start
        with suppress(Begun):
            opened.play(workers=WORKERS, progress=begun)
    print(
        f"planned after {planned:.2f} s, the first fits saved after "
        f"{time.perf_counter() - start:.2f} s"
    )
    _finish(benchmark, folder / "old", keep=1)
    start = time.perf_counter()
    with open_run(_large(fits), folder / "old") as opened:
        resumed = time.perf_counter() - start
        assert len(opened.todo) == 1
        opened.play(workers=WORKERS)
        played = time.perf_counter() - start
        table = make_table(opened.benchmark, opened.finished)
        write_output(opened.benchmark, table, folder / "old", csv=False)
    print(
        f"resumed after {resumed:.2f} s, the last fit saved after {played:.2f} s, and the table of "
        f"{table.height:,} rows written after {time.perf_counter() - start:.2f} s"
    )


def _finish(benchmark: Benchmark, folder: Path, *, keep: int) -> None:
    """A folder in which all but some fits are finished."""
    with open_store(folder) as store:
        for k, fit in enumerate(make_plan(benchmark)[keep:]):
            score = k % 1000 / 1000
            outcome = Outcome("ok", {"accuracy": score}, {}, 0.001, 0.001, versions=versions())
            store.add(Finished(fit.key, *fit.names, fit.seed, outcome))
        store.commit()


if __name__ == "__main__":
    runs()
