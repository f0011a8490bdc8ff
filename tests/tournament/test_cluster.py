"""Runs on a real Dask cluster: two workers that are processes of this machine."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal
from sklearn.model_selection import ShuffleSplit

from tournament.estimators import Hostile
from tournament.test_run import DATA, SCORED, models, run, statuses
from winodds.errors import NoCluster

# Dask closes some of its own streams late.
pytestmark = pytest.mark.filterwarnings("ignore")

CLUSTER = """
import sys
sys.path.insert(0, {tests!r})
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers={workers}, threads_per_worker=1, dashboard_address=None,
                      worker_dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


def start_cluster(folder: Path, workers: int) -> Iterator[str]:
    tests = str(Path(__file__).resolve().parent.parent)
    script = folder / "cluster.py"
    script.write_text(CLUSTER.format(tests=tests, workers=workers))
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL, cwd=folder,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster with two workers, which come back when they die."""
    yield from start_cluster(tmp_path_factory.mktemp("cluster"), 2)


def test_results_on_a_cluster_are_those_of_this_machine(cluster: str) -> None:
    options: dict[str, Any] = {"cv": ShuffleSplit(5)}
    here = run(models(), n_jobs=2, **options).table
    there = run(models(), dask=cluster, **options).table
    key = ["tournament", "player", "round"]
    assert here.height == 25
    assert_frame_equal(here.sort(key).select(SCORED), there.sort(key).select(SCORED))


def test_limits_and_dead_processes_are_rows_on_a_cluster_too(cluster: str) -> None:
    kinds = ("fine", "raises", "sleeps", "grows", "dies")
    hostile = {kind: Hostile(kind) for kind in kinds}
    played = run(hostile, dask=cluster, seconds=2.5, megabytes=1000, cv=ShuffleSplit(1))
    again = "it ended its worker twice, the second time alone: signal 9 (SIGKILL)"
    assert statuses(played) == {
        "fine": {("ok", None)},
        "raises": {("failed", "RuntimeError: singular")},
        "sleeps": {("timeout", "it took longer than 2.5 s")},
        "grows": {("oom", "it needed more than 1,000 MB")},
        "dies": {("crash", again)},
    }
    assert Counter(played.table["player"]) == dict.fromkeys(kinds, 1)


def test_a_worker_of_the_cluster_that_is_killed_on_the_way_costs_nothing(cluster: str) -> None:
    from distributed import Client

    killed: list[int] = []

    def kill_one(done: int, _: int) -> None:
        connect: Any = Client
        if done and not killed:
            with connect(cluster, set_as_default=False) as client:
                pids = client.run(lambda: __import__("os").getpid())
                address, pid = next(iter(pids.items()))
                killed.append(pid)
                client.run(lambda: __import__("os")._exit(9), workers=[address], on_error="ignore")

    options: dict[str, Any] = {"cv": ShuffleSplit(60)}
    slow = {"pauses": Hostile("pauses"), **models()}
    there = run(slow, dask=cluster, progress=kill_one, **options).table
    assert killed
    assert there.height == 6 * 60
    assert set(there["status"]) == {"ok"}
    assert there.select("player", "round").is_unique().all()


def test_a_fit_that_takes_the_clusters_worker_along_is_one_row_and_others_are_there(
    cluster: str,
) -> None:
    hostile = {"fine": Hostile(), "kills": Hostile("takes_its_parent_along")}
    played = run(hostile, dask=cluster, cv=ShuffleSplit(1))
    lost = "the cluster lost its worker each time, the last time alone"
    assert statuses(played) == {"fine": {("ok", None)}, "kills": {("crash", lost)}}
    assert played.table.height == 2


def test_a_cluster_without_workers_is_refused(tmp_path: Path) -> None:
    start = start_cluster(tmp_path, 0)
    try:
        with pytest.raises(NoCluster, match="cannot be used: it has no workers"):
            run([Hostile()], DATA, dask=next(start))
    finally:
        list(start)


def test_an_address_at_which_nobody_answers_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.tournament.cluster.CONNECTING", 0.5)
    start = time.monotonic()
    with pytest.raises(NoCluster, match=r"nobody answers there \((OSError|TimeoutError)\)"):
        run([Hostile()], DATA, dask="tcp://127.0.0.1:9")
    assert time.monotonic() - start < 30
