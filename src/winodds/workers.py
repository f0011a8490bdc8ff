"""How many work at once: calls that do not depend on each other, and threads of linear algebra.

The only user of joblib and of threadpoolctl.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any, TypeVar

from winodds.language.checks import check_jobs, check_listener

Result = TypeVar("Result")


def run_calls(
    calls: Sequence[Callable[[], Result]],
    n_jobs: int | None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Result]:
    """Results of the calls, in their order.

    Parameters
    ----------
    n_jobs : how many run at the same time; −1 for one on each core, None for as many as
        `joblib.parallel_config` says, or one.
    progress : called after each with the number of calls done and of all.
    """
    if n_jobs is not None:
        check_jobs("n_jobs", n_jobs)
    if progress is not None:
        check_listener("progress", progress)
    return _report(_run(calls, n_jobs), len(calls), progress)


def _run(calls: Sequence[Callable[[], Result]], n_jobs: int | None) -> Iterator[Result]:
    # joblib takes a fifth of a second to import, which most calls can do without. Whoever
    # configured it has imported it.
    if n_jobs is None:
        n_jobs = _configured() if "joblib" in sys.modules else 1
    if n_jobs == 1:
        yield from (call() for call in calls)
        return
    from joblib import Parallel, delayed

    # More workers than calls have nothing to do, and joblib refuses very many.
    workers = Parallel(
        n_jobs=min(n_jobs, max(len(calls), 1)), prefer="threads", return_as="generator"
    )
    yield from workers(delayed(call)() for call in calls)


def _configured() -> int:
    """How many workers `joblib.parallel_config` asks for; 1 outside of it.

    Asked without a preference: joblib takes that for threads as "one, unless told otherwise here".
    """
    from joblib import Parallel

    return int(Parallel(n_jobs=None).n_jobs)


def _report(
    results: Iterator[Result], total: int, progress: Callable[[int, int], None] | None
) -> Iterator[Result]:
    for done, result in enumerate(results, start=1):
        if progress is not None:
            progress(done, total)
        yield result


# Threads of linear algebra ------------------------------------------------------------------------

SMALL = 500
"""Players up to which products of arrays are too small for several threads.

Threads wait for each other many thousand times, and on a busy machine each time for long.
"""


@contextmanager
def calm_threads(players: int) -> Iterator[None]:
    """Linear algebra in one thread, for as long as the work of so few players takes.

    Their number belongs to the whole process. So the first who comes in sets it and the last who
    goes out gives it back, also where several threads rate boards.
    """
    if players > SMALL:
        yield
        return
    limit = _limit()
    limit.enter()
    try:
        yield
    finally:
        limit.leave()


class _Limit:
    """One thread for all who are inside."""

    def __init__(self, controller: Any) -> None:
        self._controller = controller
        self._lock = Lock()
        self._inside = 0
        self._set: Any = None

    def enter(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._set = self._controller.limit(limits=1, user_api="blas")
            self._inside += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._set.restore_original_limits()


@cache
def _limit() -> _Limit:
    # Looking for the libraries takes a millisecond; they stay the same once SciPy is loaded.
    from threadpoolctl import ThreadpoolController

    return _Limit(ThreadpoolController())
