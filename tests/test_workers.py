"""Calls, one after the other or side by side: the same results in the same order."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from threading import Barrier, get_ident

import joblib
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from winodds.errors import BadOption
from winodds.workers import SMALL, calm_threads, run_calls


def _squares(numbers: range) -> list[Callable[[], int]]:
    return [partial(pow, number, 2) for number in numbers]


@pytest.mark.parametrize("n_jobs", [1, 2, 3, -1])
def test_results_come_in_the_order_of_the_calls(n_jobs: int) -> None:
    assert list(run_calls(_squares(range(20)), n_jobs)) == [k * k for k in range(20)]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_no_calls_have_no_results(n_jobs: int) -> None:
    assert list(run_calls([], n_jobs)) == []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_is_told_after_each_call(n_jobs: int) -> None:
    told: list[tuple[int, int]] = []
    results = run_calls(_squares(range(4)), n_jobs, lambda done, total: told.append((done, total)))
    assert told == []
    assert list(results) == [0, 1, 4, 9]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_one_worker_calls_only_what_is_asked_for() -> None:
    made: list[int] = []

    def call(number: int) -> int:
        made.append(number)
        return number

    results = run_calls([partial(call, number) for number in range(5)], 1)
    assert made == []
    assert (next(results), next(results)) == (0, 1)
    assert made == [0, 1]


def test_two_workers_work_at_the_same_time() -> None:
    """Each call waits for the other, so neither could end alone."""
    both = Barrier(2, timeout=30.0)

    def meet() -> int:
        both.wait()
        return get_ident()

    first, second = run_calls([meet, meet], 2)
    assert first != second


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_error_of_a_call_is_the_callers(n_jobs: int) -> None:
    def fail() -> int:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        list(run_calls([*_squares(range(3)), fail], n_jobs))


@pytest.mark.parametrize(
    ("n_jobs", "shown"),
    [(0, "n_jobs=0"), (2.5, "n_jobs=2.5"), ("2", 'n_jobs="2"')],
)
def test_impossible_numbers_of_workers(n_jobs: object, shown: str) -> None:
    with pytest.raises(BadOption) as caught:
        run_calls(_squares(range(3)), n_jobs)  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"{shown} is not possible; it is a whole number, 1 or more, or −1 for all cores."
    )


# Workers that are configured ----------------------------------------------------------------------


def test_without_a_number_calls_are_made_one_after_the_other_by_the_caller() -> None:
    assert list(run_calls([get_ident] * 3, None)) == [get_ident()] * 3


def test_without_a_number_as_many_work_as_joblib_is_told() -> None:
    """Threads, where no backend is named. Each call waits for the other."""
    both = Barrier(2, timeout=30.0)

    def meet() -> tuple[int, int]:
        both.wait()
        return os.getpid(), get_ident()

    with joblib.parallel_config(n_jobs=2):
        (here, first), (there, second) = run_calls([meet, meet], None)
    assert here == there == os.getpid()
    assert first != second


def test_a_number_counts_more_than_what_joblib_is_told() -> None:
    with joblib.parallel_config(n_jobs=2):
        assert list(run_calls([get_ident] * 3, 1)) == [get_ident()] * 3


def test_without_a_number_the_workers_are_those_that_joblib_is_told() -> None:
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert os.getpid() not in run_calls([os.getpid] * 2, None)


# Threads of linear algebra ------------------------------------------------------------------------


@pytest.fixture
def two_threads() -> Iterator[None]:
    with threadpool_limits(limits=2, user_api="blas"):
        yield


def _threads() -> set[int]:
    # Other pools, such as that of scikit-learn, are not ours.
    found = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return {int(library["num_threads"]) for library in found}


@pytest.mark.usefixtures("two_threads")
def test_few_players_are_rated_in_one_thread_which_is_given_back() -> None:
    before = _threads()
    with calm_threads(SMALL):
        assert _threads() == {1}
    assert _threads() == before


@pytest.mark.usefixtures("two_threads")
def test_many_players_keep_their_threads() -> None:
    before = _threads()
    with calm_threads(SMALL + 1):
        assert _threads() == before


@pytest.mark.usefixtures("two_threads")
def test_threads_come_back_only_when_the_last_board_is_done() -> None:
    before = _threads()
    first, second = calm_threads(10), calm_threads(10)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert _threads() == {1}
    second.__exit__(None, None, None)
    assert _threads() == before


@pytest.mark.usefixtures("two_threads")
def test_threads_come_back_after_an_error() -> None:
    before = _threads()
    with pytest.raises(BadOption), calm_threads(10):
        raise BadOption(option="n_jobs", value=0, wanted="it is a number")
    assert _threads() == before
