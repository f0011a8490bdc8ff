"""Fits on the workers of a Dask cluster.

A task of Dask is one fit. Beside every worker of the cluster, processes of our own do the fits, as
on one machine, so that limits are kept and a fit that ends its process costs the cluster nothing.
What Dask itself loses, with a worker that dies, is asked for again.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from winodds.language.errors import MissingExtra
from winodds.tournament.crew import LONGEST_BATCH, PAUSE, Done, Supply
from winodds.tournament.errors import NoCluster
from winodds.tournament.fitting import Job, Table
from winodds.tournament.outcome import Outcome, without_scores
from winodds.tournament.plan import Fit
from winodds.tournament.worker import Died, Orders, Watchdog, Worker

AHEAD = 3
"""Fits that wait at the cluster for each of its threads, so that none is idle."""

TRIES = 3
"""How often a fit is given out that is lost with a worker of the cluster; the last time alone."""

CONNECTING = 10.0
LOOKING = 2.0
"""Seconds to wait for the scheduler; and between two looks at how large the cluster is."""


class Cluster:
    """A context with a connection to a Dask cluster."""

    def __init__(self, orders: Orders, supply: Supply, address: str) -> None:
        self._orders = orders
        self._supply = supply
        self._address = address
        self._name = f"winodds-{os.getpid()}-{time.monotonic_ns()}"
        self._client: Any = None
        self._tables: dict[str, Any] = {}
        self._tries: dict[str, int] = {}
        self._answers: SimpleQueue[tuple[Fit, Any]] = SimpleQueue()
        self._places = 0
        self._looked = 0.0

    def __enter__(self) -> "Cluster":
        try:
            from distributed import Client
        except ImportError as error:
            raise MissingExtra(
                packages=["distributed"], purpose="A run on Dask", extra="dask"
            ) from error
        try:
            self._client = Client(self._address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            reason = f"nobody answers there ({type(error).__name__})"
            raise NoCluster(address=self._address, reason=reason) from error
        try:
            if self._look() == 0:
                raise NoCluster(address=self._address, reason="it has no workers")
            self._client.register_plugin(Beside(self._orders), name=self._name)
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):
            self._client.unregister_worker_plugin(self._name)
        self._client.close()

    def play(self, fits: Sequence[Fit]) -> Iterator[list[Done]]:
        """Batches of what is done, in the order in which it gets done; some may be empty."""
        queue, flying, lost = iter(fits), 0, list[Fit]()
        left = len(fits)
        while left:
            while flying < self._look() * AHEAD and (fit := next(queue, None)) is not None:
                self._submit(fit)
                flying += 1
            # Fits that were lost twice go alone, when nothing else is under way.
            if not flying and lost:
                self._submit(lost.pop())
                flying += 1
            batch: list[Done] = []
            for fit, found in self._gather():
                flying -= 1
                outcome = self._judge(fit, found, lost)
                if outcome is not None:
                    batch.append((fit, outcome))
                elif fit not in lost:
                    self._submit(fit)
                    flying += 1
            left -= len(batch)
            yield batch

    def _look(self) -> int:
        """The threads of the cluster, counted anew every now and then."""
        now = time.monotonic()
        if now - self._looked > LOOKING or not self._places:
            self._places = sum(self._client.nthreads().values())
            self._looked = time.monotonic()
        return self._places

    def _submit(self, fit: Fit) -> None:
        self._tries[fit.key] = self._tries.get(fit.key, 0) + 1
        future = self._client.submit(
            fit_beside,
            self._name,
            self._supply.job(fit),
            self._table(fit),
            key=f"{self._name}-{fit.key}-{self._tries[fit.key]}",
            pure=False,
        )
        future.add_done_callback(lambda done: self._answers.put((fit, done)))

    def _table(self, fit: Fit) -> Any:
        """The data of a fit, which are sent to the cluster once."""
        known = self._tables.get(fit.data.name)
        if known is None or known.status != "finished":
            known = self._client.scatter(self._supply.table(fit), broadcast=True, hash=False)
            self._tables[fit.data.name] = known
        return known

    def _gather(self) -> list[tuple[Fit, Any]]:
        """Answers, or nothing after a while."""
        found = []
        with suppress(Empty):
            while len(found) < LONGEST_BATCH:
                found.append(self._answers.get(timeout=0.0 if found else PAUSE))
        return found

    def _judge(self, fit: Fit, future: Any, lost: list[Fit]) -> Outcome | None:
        """The outcome, or None if the fit has to be asked for again."""
        if future.status == "finished":
            try:
                found = future.result(timeout=CONNECTING)
            except Exception as error:
                found = error
        else:
            found = _error_of(future)
        if isinstance(found, Outcome):
            return found
        if isinstance(found, Unusable):
            raise NoCluster(address=self._address, reason=str(found))
        if isinstance(found, Died) or self._tries[fit.key] >= TRIES:
            return self._second(fit, found, lost)
        if self._tries[fit.key] == TRIES - 1:
            lost.append(fit)
        return None

    def _second(self, fit: Fit, found: BaseException, lost: list[Fit]) -> Outcome | None:
        """A fit that ended its own process: tried once more alone, and then given up."""
        if self._tries[fit.key] < TRIES:
            self._tries[fit.key] = TRIES - 1
            lost.append(fit)
            return None
        return without_scores("crash", self._orders.metrics, _reason(found))


def _reason(found: BaseException) -> str:
    if isinstance(found, Died):
        return f"it ended its worker twice, the second time alone: {found}"
    return f"the cluster lost its worker {TRIES} times, the last time alone: {type(found).__name__}"


def _error_of(future: Any) -> BaseException:
    """Why a task has no result."""
    try:
        error = future.exception(timeout=CONNECTING)
    except Exception as problem:
        return problem
    return error if isinstance(error, BaseException) else RuntimeError(future.status)


# At the cluster -----------------------------------------------------------------------------------


class Unusable(Exception):
    """A worker of the cluster on which no fit can be done."""


class Beside:
    """What a worker of the cluster has beside it: our workers, one for each of its threads.

    Dask makes one of every worker, and takes it down with it.
    """

    def __init__(self, orders: Orders) -> None:
        self._orders = orders

    def setup(self, worker: Any) -> None:
        number = worker.state.nthreads
        self._workers = [Worker(self._orders) for _ in range(number)]
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


def fit_beside(name: str, job: Job, table: Table) -> Outcome:
    """The task that Dask's workers get."""
    from distributed import get_worker

    from winodds.tournament.errors import NoWorker

    try:
        found: Outcome = get_worker().plugins[name].fit(job, table)
    except NoWorker as error:
        raise Unusable(str(error)) from error
    return found
