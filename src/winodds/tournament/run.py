"""A run: what is planned, what is finished, and the way from the one to the other."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from winodds.language.errors import BadOption
from winodds.tournament import memory
from winodds.tournament.benchmark import Benchmark
from winodds.tournament.crew import Crew, Done, Pantry, samples
from winodds.tournament.fitting import Scoring
from winodds.tournament.identity import pack
from winodds.tournament.outcome import Finished
from winodds.tournament.plan import Fit, make_plan, settled, strangers
from winodds.tournament.store import Store, open_store
from winodds.tournament.worker import Orders

Listener: TypeAlias = Callable[[int, int], None]
"""Is told how many of the fits that were to be done are saved, and how many these are."""


class Players(Protocol):
    """Whoever does fits, here or elsewhere."""

    def play(self, fits: Sequence[Fit]) -> Iterator[list[Done]]: ...


@dataclass(frozen=True, slots=True)
class Run:
    """A benchmark in a folder that nobody else works in; made by `open_run`.

    Attributes
    ----------
    benchmark : what is played.
    plan : every fit.
    todo : those that are not finished.
    strangers : finished fits that the benchmark does not ask for.
    store : where fits are kept.
    """

    benchmark: Benchmark
    plan: Sequence[Fit]
    todo: Sequence[Fit]
    strangers: Sequence[Finished]
    store: Store

    @property
    def finished(self) -> list[tuple[Fit, Finished]]:
        """The planned fits that are saved with every metric, in the order of the plan."""
        known, metrics = self.store.finished, set(self.benchmark.metrics)
        saved = [(fit, known[fit.key]) for fit in self.plan if fit.key in known]
        return [(fit, done) for fit, done in saved if metrics <= set(done.outcome.scores)]

    def play(self, *, workers: int, progress: Listener | None = None) -> None:
        """Do what is to do with so many workers on this machine."""
        if self.todo:
            crew = Crew(self.orders(), Pantry(), min(workers, len(self.todo)))
            self._save(crew, progress)

    def play_on_cluster(self, address: str, *, progress: Listener | None = None) -> None:
        """Do what is to do on the workers of a Dask cluster."""
        from winodds.tournament.cluster import Cluster

        if self.todo:
            self._save(Cluster(self.orders(), Pantry(), address), progress)

    def orders(self) -> Orders:
        """What workers are told."""
        of, limits = self.benchmark, self.benchmark.limits
        if limits.megabytes is not None and not memory.POSSIBLE:
            wanted = "there is no limit of memory on this system; leave it out"
            raise BadOption(option="megabytes", value=limits.megabytes, wanted=wanted)
        return Orders(
            scoring=pack(Scoring(of.scorers, limits.megabytes)),
            metrics=of.metrics,
            samples=list(samples(self.todo).values()),
            path=of.path,
            seconds=limits.seconds,
            megabytes=limits.megabytes,
        )

    def _save(self, players: AbstractContextManager[Players], progress: Listener | None) -> None:
        """Put every fit that is done into the store; what is told is on the disk."""
        done = 0
        try:
            with players as crew:
                for batch in crew.play(self.todo):
                    for fit, outcome in batch:
                        self.store.add(Finished(fit.key, *fit.names, fit.seed, outcome))
                    done += len(batch)
                    if self.store.due or done == len(self.todo):
                        self.store.commit()
                        if progress is not None:
                            progress(done, len(self.todo))
        finally:
            self.store.commit()


@contextmanager
def open_run(benchmark: Benchmark, folder: Path, *, retry: bool = False) -> Iterator[Run]:
    """A run in a folder; what was finished there before counts, unless it is to be tried again."""
    plan = make_plan(benchmark)
    with open_store(folder) as store:
        metrics, limits = benchmark.metrics, benchmark.limits
        todo = [
            fit
            for fit in plan
            if not settled(store.finished.get(fit.key), metrics, limits, retry=retry)
        ]
        yield Run(benchmark, plan, todo, strangers(plan, store.finished), store)
