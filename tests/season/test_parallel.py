"""Tournaments that are rated at the same time, in threads, in processes and on a cluster."""

import os
import pickle
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import polars as pl
import pytest
from distributed import Client, LocalCluster

from winodds import Season, rate_each
from winodds.api import scores as door
from winodds.workers import run_calls

TOURNAMENTS, ROUNDS, PLAYERS = 8, 6, 5


def _table() -> pl.DataFrame:
    shape = TOURNAMENTS, ROUNDS, PLAYERS
    columns = dict(zip(("data", "round", "player"), np.indices(shape), strict=True))
    table = pl.DataFrame({name: own.ravel() for name, own in columns.items()}).cast(pl.String)
    return table.with_columns(score=np.random.default_rng(4).normal(size=TOURNAMENTS * 30))


def _rate(**options: Any) -> Season:
    return rate_each(_table(), tournament="data", higher_is_better=True, **options)


# What a worker gets -------------------------------------------------------------------------------


def test_a_call_holds_only_the_rows_of_its_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []

    def send(
        calls: list[Callable[[], object]], n_jobs: int | None, progress: None
    ) -> Iterator[object]:
        assert (n_jobs, progress) == (None, None)
        sent.extend(pickle.dumps(call) for call in calls)
        return (pickle.loads(one)() for one in sent)

    serial = _rate().to_json()
    monkeypatch.setattr(door, "run_calls", send)
    assert _rate().to_json() == serial
    for number, one in enumerate(sent):
        own = pickle.loads(one).args[0]
        assert own.tournaments == (str(number),)
        assert own.cells.value.size == ROUNDS * PLAYERS
        assert len(own.rounds.names) == ROUNDS
    # Scores of other tournaments would be there as they are.
    scores = _table()["score"].to_numpy()
    first, second = scores[:30].tobytes(), scores[30:60].tobytes()
    assert (first in sent[0], second in sent[0], second in sent[1]) == (True, False, True)


def test_threads_that_joblib_is_told_give_the_same_boards() -> None:
    with joblib.parallel_config(n_jobs=3):
        assert _rate().to_json() == _rate(n_jobs=1).to_json()


# A cluster ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[Client]:
    """Two worker processes on this machine, without a page."""
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,
            silence_logs=100,
        ) as workers,
        Client(workers) as client,  # type: ignore[no-untyped-call]
    ):
        yield client


def _die_once(mark: Path) -> int:
    """The process that makes the call; the first one is killed on the way."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def test_a_dask_cluster_gives_the_same_bytes_also_when_a_worker_is_killed(
    cluster: Client, tmp_path: Path
) -> None:
    serial = _rate().to_json()
    workers = set(cluster.run(os.getpid).values())
    assert len(workers) == 2
    assert os.getpid() not in workers
    told: list[tuple[int, int]] = []

    def kill(done: int, total: int) -> None:
        """Once a board is there, while others are made or wait to be made."""
        told.append((done, total))
        if done == 1:
            list(run_calls([partial(_die_once, tmp_path / "mark")], None))

    with joblib.parallel_config(backend="dask"):
        assert _rate(progress=kill).to_json() == serial
    assert told == [(k + 1, TOURNAMENTS) for k in range(TOURNAMENTS)]
    # One of the two is no more, or another process stands in for it.
    assert len(set(cluster.run(os.getpid).values()) & workers) == 1
