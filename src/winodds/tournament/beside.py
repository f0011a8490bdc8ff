"""What a worker of a Dask cluster has beside it. Only where Dask is installed."""

from queue import SimpleQueue
from typing import Any

from distributed import WorkerPlugin

from winodds.tournament.fitting import Job, Table
from winodds.tournament.outcome import Outcome
from winodds.tournament.worker import Orders, Watchdog, Worker


class Beside(WorkerPlugin):
    """Workers of our own, one for each thread of Dask's, that go down with it.

    Dask makes one of these of every worker, also of those that come later.
    """

    def __init__(self, orders: Orders) -> None:
        self._orders = orders

    def setup(self, worker: Any) -> None:
        self._workers = [Worker(self._orders) for _ in range(worker.state.nthreads)]
        self._free: SimpleQueue[Worker] = SimpleQueue()
        for own in self._workers:
            self._free.put(own)
        self._watchdog = Watchdog(self._workers)
        self._watchdog.__enter__()

    def teardown(self, worker: Any) -> None:  # noqa: ARG002
        for own in self._workers:
            own.stop()
        self._watchdog.__exit__()

    def fit(self, job: Job, table: Table) -> Outcome:
        """Do a fit in the first of our workers that is free."""
        worker = self._free.get()
        try:
            return worker.fit(job, table)
        finally:
            self._free.put(worker)
