"""Fits on this machine, several at a time, each in a worker of its own."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Protocol, TypeAlias

from winodds.tournament.errors import NoWorker
from winodds.tournament.fitting import Job, Table
from winodds.tournament.identity import pack
from winodds.tournament.outcome import Outcome, without_scores
from winodds.tournament.plan import Fit
from winodds.tournament.worker import Died, Orders, Watchdog, Worker

PAUSE = 0.1
"""Seconds after which a batch is given, though nothing is done."""

LONGEST_BATCH = 50
"""Fits of a batch, so that whoever gets it can save and tell often."""

Done: TypeAlias = tuple[Fit, Outcome]
Answer: TypeAlias = tuple[Fit, Outcome | Died] | NoWorker


class Supply(Protocol):
    """Where workers get what a fit needs."""

    def job(self, fit: Fit) -> Job: ...

    def table(self, fit: Fit) -> Table: ...


class Crew:
    """A context with workers on this machine, which are gone when it is left."""

    def __init__(self, orders: Orders, supply: Supply, workers: int) -> None:
        self._supply = supply
        self._metrics = orders.metrics
        self._workers = [Worker(orders) for _ in range(workers)]
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.kill()

    def play(self, fits: Sequence[Fit]) -> Iterator[list[Done]]:
        """Batches of what is done, in the order in which it gets done; some may be empty.

        Whoever kills its worker is tried once more when all others are through, alone, for a
        machine that runs out of memory may have taken an innocent one.
        """
        suspects: list[Fit] = []
        with Watchdog(self._workers):
            for batch in self._together(fits):
                suspects += [fit for fit, found in batch if isinstance(found, Died)]
                yield [(fit, found) for fit, found in batch if isinstance(found, Outcome)]
            for fit in suspects:
                yield [(fit, self._alone(fit))]

    def _together(self, fits: Sequence[Fit]) -> Iterator[list[tuple[Fit, Outcome | Died]]]:
        answers: SimpleQueue[Answer] = SimpleQueue()
        queue, lock = iter(fits), threading.Lock()
        for worker in self._workers[: len(fits)]:
            thread = threading.Thread(target=self._serve, args=(worker, queue, lock, answers))
            thread.start()
            self._threads.append(thread)
        left = len(fits)
        while left:
            batch = _gather(answers)
            left -= len(batch)
            yield batch

    def _serve(
        self,
        worker: Worker,
        queue: Iterator[Fit],
        lock: threading.Lock,
        answers: "SimpleQueue[Answer]",
    ) -> None:
        """Fit one after the other until none is left or the worker is stopped."""
        while not worker.stopped:
            with lock:
                fit = next(queue, None)
            if fit is None:
                return
            try:
                answers.put((fit, self._fit(worker, fit)))
            except NoWorker as error:
                answers.put(error)
                return

    def _fit(self, worker: Worker, fit: Fit) -> Outcome | Died:
        try:
            return worker.fit(self._supply.job(fit), self._supply.table(fit))
        except Died as how:
            return how

    def _alone(self, fit: Fit) -> Outcome:
        found = self._fit(self._workers[0], fit)
        if isinstance(found, Outcome):
            return found
        reason = f"it ended its worker twice, the second time alone: {found}"
        return without_scores("crash", self._metrics, reason)


def _gather(answers: "SimpleQueue[Answer]") -> list[tuple[Fit, Outcome | Died]]:
    """What has been answered, or nothing after a while."""
    batch: list[tuple[Fit, Outcome | Died]] = []
    with suppress(Empty):
        while len(batch) < LONGEST_BATCH:
            answer = answers.get(timeout=0.0 if batch else PAUSE)
            if isinstance(answer, NoWorker):
                raise answer
            batch.append(answer)
    return batch


class Pantry:
    """Jobs and tables of a plan's fits; estimators are pickled once for each player."""

    def __init__(self) -> None:
        self._estimators: dict[str, bytes] = {}
        self._tables: dict[str, Table] = {}
        self._lock = threading.Lock()

    def job(self, fit: Fit) -> Job:
        with self._lock:
            known = self._estimators.get(fit.player.identity)
            if known is None:
                known = self._estimators[fit.player.identity] = pack(fit.player.estimator)
        return Job(fit.data.name, fit.round, known, fit.seed)

    def table(self, fit: Fit) -> Table:
        with self._lock:
            known = self._tables.get(fit.data.name)
            if known is None:
                rounds = [(it.train, it.test) for it in fit.data.rounds]
                known = self._tables[fit.data.name] = Table(fit.data.x, fit.data.y, rounds)
        return known


def samples(fits: Sequence[Fit]) -> dict[str, bytes]:
    """One pickled estimator of each family, by its name."""
    first: Mapping[str, Fit] = {fit.player.family: fit for fit in reversed(fits)}
    return {family: pack(fit.player.estimator) for family, fit in first.items()}
