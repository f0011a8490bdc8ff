"""Fits on the workers of a Dask cluster.

A task of Dask is one fit. Beside every worker of the cluster, processes of our own do the fits, as
on one machine, so that limits are kept and a fit that ends its process costs the cluster nothing.
What Dask itself loses, with a worker that dies, is asked for again.
"""

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from winodds.language.errors import MissingExtra, WinoddsError
from winodds.tournament.crew import LONGEST_BATCH, PAUSE, Done, Supply
from winodds.tournament.errors import NoCluster, NoWorker
from winodds.tournament.fitting import Job, Table
from winodds.tournament.outcome import Outcome, without_scores
from winodds.tournament.plan import Fit
from winodds.tournament.worker import Died, Orders

AHEAD = 3
"""Fits that wait at the cluster for each of its threads, so that none is idle."""

TRIES = 3
"""How often a fit is given out that the cluster loses, before it goes alone, for the last time."""

CONNECTING = 10.0
LOOKING = 1.0
PATIENCE = 60.0
"""Seconds to wait for an answer; between two looks at how large the cluster is; and for workers to
come back when all are gone."""


class Cluster:
    """A context with a connection to a Dask cluster."""

    def __init__(self, orders: Orders, supply: Supply, address: str) -> None:
        self._orders = orders
        self._supply = supply
        self._address = address
        self._name = f"winodds-{os.getpid()}-{time.monotonic_ns()}"
        self._client: Any = None
        self._tables: dict[str, Any] = {}
        self._flying: dict[str, Any] = {}
        self._tries: Counter[str] = Counter()
        self._suspects: list[Fit] = []
        self._alone: set[str] = set()
        self._answers: SimpleQueue[tuple[Fit, Any]] = SimpleQueue()
        self._places = 0
        self._looked = self._seen = float("-inf")

    def __enter__(self) -> "Cluster":
        try:
            from distributed import Client

            from winodds.tournament.beside import Beside
        except ImportError as error:
            raise MissingExtra(
                packages=["distributed"], purpose="A run on Dask", extra="dask"
            ) from error
        try:
            connect: Any = Client
            self._client = connect(self._address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise self._refuse(f"nobody answers there ({type(error).__name__})") from error
        try:
            if not self._look():
                raise self._refuse("it has no workers")
            self._client.register_plugin(Beside(self._orders), name=self._name)
        except WinoddsError:
            self._client.close()
            raise
        except Exception as error:
            self._client.close()
            said = f"its workers cannot import what they need ({type(error).__name__}: {error})"
            raise self._refuse(said) from error
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):
            self._client.cancel(list(self._flying.values()), force=True)
        with suppress(Exception):
            self._client.unregister_worker_plugin(self._name)
        self._client.close()

    def play(self, fits: Sequence[Fit]) -> Iterator[list[Done]]:
        """Batches of what is done, in the order in which it gets done; some may be empty."""
        queue, left = iter(fits), len(fits)
        while left:
            while len(self._flying) < self._look() * AHEAD and (fit := next(queue, None)):
                self._submit(fit)
            # Whoever may have ended a worker goes alone, when nothing else is under way.
            if not self._flying and self._suspects and self._look():
                self._submit(self._suspects.pop())
            batch = [
                (fit, it) for fit, future in self._gather() if (it := self._judge(fit, future))
            ]
            left -= len(batch)
            yield batch

    def _look(self) -> int:
        """The threads of the cluster, counted anew every now and then."""
        now = time.monotonic()
        if now - self._looked > LOOKING:
            self._places, self._looked = sum(self._client.nthreads().values()), now
            if self._places:
                self._seen = now
            elif PATIENCE < now - self._seen < float("inf"):
                raise self._refuse("all its workers are gone")
        return self._places

    def _refuse(self, reason: str) -> NoCluster:
        return NoCluster(address=self._address, reason=reason)

    def _submit(self, fit: Fit) -> None:
        self._tries[fit.key] += 1
        future = self._client.submit(
            fit_beside,
            self._name,
            self._supply.job(fit),
            self._table(fit),
            key=f"{self._name}-{fit.key}-{self._tries[fit.key]}",
            pure=False,
        )
        # Dask forgets a task whose future nobody holds.
        self._flying[fit.key] = future
        future.add_done_callback(lambda done: self._answers.put((fit, done)))

    def _table(self, fit: Fit) -> Any:
        """The data of a fit, which are sent to the cluster once, or again if it has lost them."""
        known = self._tables.get(fit.data.name)
        if known is None or known.status != "finished":
            known = self._client.scatter(self._supply.table(fit), broadcast=True, hash=False)
            self._tables[fit.data.name] = known
        return known

    def _gather(self) -> list[tuple[Fit, Any]]:
        """Tasks that ended, or nothing after a while."""
        found: list[tuple[Fit, Any]] = []
        with suppress(Empty):
            while len(found) < LONGEST_BATCH:
                found.append(self._answers.get(timeout=0.0 if found else PAUSE))
        return found

    def _judge(self, fit: Fit, future: Any) -> Outcome | None:
        """The outcome, or None if the fit is asked for again."""
        del self._flying[fit.key]
        found = _result_of(future)
        if isinstance(found, Outcome):
            return found
        if isinstance(found, Unusable):
            raise self._refuse(str(found))
        if fit.key in self._alone:
            return without_scores("crash", self._orders.metrics, _reason(found))
        # Dask itself has tried several times when it says that a worker was killed.
        killed = isinstance(found, Died) or type(found).__name__ == "KilledWorker"
        if killed or self._tries[fit.key] >= TRIES:
            self._alone.add(fit.key)
            self._suspects.append(fit)
        else:
            self._submit(fit)
        return None


def _reason(found: BaseException) -> str:
    if isinstance(found, Died):
        return f"it ended its worker twice, the second time alone: {found}"
    return "the cluster lost its worker each time, the last time alone"


def _result_of(future: Any) -> Any:
    """What a task gave, or the error that ended it."""
    try:
        return future.result(timeout=CONNECTING)
    except Exception as error:
        return error


# At the cluster -----------------------------------------------------------------------------------


class Unusable(Exception):
    """A worker of the cluster on which no fit can be done."""


def fit_beside(name: str, job: Job, table: Table) -> Outcome:
    """The task that Dask's workers get."""
    from distributed import get_worker

    beside: Any = get_worker().plugins[name]
    try:
        found: Outcome = beside.fit(job, table)
    except NoWorker as error:
        raise Unusable(str(error)) from error
    return found
