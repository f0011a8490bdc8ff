"""Calls that do not depend on each other, several at a time: the only user of joblib."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from winodds.language.checks import check_jobs

Result = TypeVar("Result")


def run_calls(
    calls: Sequence[Callable[[], Result]],
    n_jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Result]:
    """Results of the calls, in their order.

    Parameters
    ----------
    n_jobs : how many run at the same time; −1 for one on each core.
    progress : called after each with the number of calls done and of all.
    """
    check_jobs("n_jobs", n_jobs)
    return _report(_run(calls, n_jobs), len(calls), progress)


def _run(calls: Sequence[Callable[[], Result]], n_jobs: int) -> Iterator[Result]:
    if n_jobs == 1:
        yield from (call() for call in calls)
        return
    # joblib takes a fifth of a second to import, which most calls can do without.
    from joblib import Parallel, delayed

    workers = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    yield from workers(delayed(call)() for call in calls)


def _report(
    results: Iterator[Result], total: int, progress: Callable[[int, int], None] | None
) -> Iterator[Result]:
    for done, result in enumerate(results, start=1):
        if progress is not None:
            progress(done, total)
        yield result
