"""A worker as seen from outside: started when it is needed, killed when it takes too long."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from winodds.tournament.errors import NoWorker
from winodds.tournament.fitting import Job, Table, beyond_memory
from winodds.tournament.memory import ENDED_BY_WATCH
from winodds.tournament.outcome import Outcome, without_scores
from winodds.tournament.process import receive, send

KEPT = 2
"""Data sets that a worker holds at the same time."""

SINGLE = dict.fromkeys(
    (
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"),
        *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS"),
        *("RAYON_NUM_THREADS", "POLARS_MAX_THREADS"),
    ),
    "1",
)
"""Libraries read these when they are loaded, so they are set before."""

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from winodds.tournament.process import main; main(int(sys.argv[2]))"
)
TOLD = 2000
"""Bytes of what a worker said before it died that are kept."""

LEAVING = 1.0
"""Seconds that a process gets to end by itself once it answers no more, so that it can say how."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What every worker of a run is told when it starts.

    Attributes
    ----------
    scoring : a pickled `Scoring`.
    metrics : its metrics.
    samples : pickled estimators, so that their modules are imported before any clock runs.
    path : where modules are found.
    seconds, megabytes : limits of a fit.
    """

    scoring: bytes
    metrics: tuple[str, ...]
    samples: Sequence[bytes]
    path: Sequence[str]
    seconds: float | None
    megabytes: float | None


class Died(Exception):
    """The worker ended in the middle of a fit, and nobody knows why; the text says how."""


class Worker:
    """A process that fits one model after the other; one thread at a time may call it."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._lifeline: int | None = None
        self._tables: list[str] = []
        self._lock = threading.Lock()
        self._deadline: float | None = None
        self._late = False
        self._stopped = False

    def fit(self, job: Job, table: Table) -> Outcome:
        """The outcome of a fit; raises `Died` if the worker did not survive it."""
        process = self._ready()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            self._give(process, job.data, table)
            send(process.stdin, job)  # type: ignore[arg-type]
            with self._lock:
                if self._orders.seconds is not None:
                    self._deadline = time.monotonic() + self._orders.seconds
            outcome = receive(process.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError):
            with self._lock:
                self._deadline = None
            return self._ended(process)
        with self._lock:
            self._deadline = None
            killed = self._late
        # It may have answered in the moment in which it was killed.
        if killed or outcome.status == "oom":
            self.kill()
        return outcome  # type: ignore[no-any-return]

    @property
    def stopped(self) -> bool:
        return self._stopped

    def check(self, now: float) -> None:
        """Kill the process if its fit has taken too long; any thread may call this."""
        with self._lock:
            if self._deadline is not None and now > self._deadline:
                self._deadline, self._late = None, True
                self._kill_group()

    def stop(self) -> None:
        """End the process at once, and start no other; any thread may call this."""
        with self._lock:
            self._stopped = True
            self._kill_group()

    def kill(self) -> None:
        """End the process and wait for that; the next fit gets a new one."""
        with self._lock:
            self._kill_group()
        self._forget()

    def _ready(self) -> "subprocess.Popen[bytes]":
        """The process, started if there is none."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._forget()
        with self._lock:
            if self._stopped:
                raise Died("it was stopped")
            process = self._start()
        try:
            send(process.stdin, self._orders.scoring)  # type: ignore[arg-type]
            send(process.stdin, list(self._orders.samples))  # type: ignore[arg-type]
            receive(process.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError) as error:
            if self._stopped:
                raise Died("it was stopped") from error
            raise NoWorker(reason=self._said(process)) from error
        return process

    def _start(self) -> "subprocess.Popen[bytes]":
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process is gone
        path = list(dict.fromkeys([*self._orders.path, *sys.path]))
        theirs, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", START, json.dumps(path), str(theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, **SINGLE},
                start_new_session=True,
                pass_fds=() if os.name == "nt" else (theirs,),
            )
        finally:
            os.close(theirs)
        self._tables = []
        self._late = False
        return self._process

    def _give(self, process: "subprocess.Popen[bytes]", name: str, table: Table) -> None:
        """Send a data set that the process does not hold."""
        if name in self._tables:
            return
        keep = self._tables[len(self._tables) - KEPT + 1 :]
        forget = [old for old in self._tables if old not in keep]
        send(process.stdin, (name, table, forget))  # type: ignore[arg-type]
        self._tables = [*keep, name]

    def _ended(self, process: "subprocess.Popen[bytes]") -> Outcome:
        """What it means that the process is gone."""
        _let_leave(process)
        with self._lock:
            self._kill_group()
        code = process.wait()
        late = self._late
        self._forget()
        metrics, seconds, megabytes = (
            self._orders.metrics,
            self._orders.seconds,
            self._orders.megabytes,
        )
        if late and seconds is not None:
            reason = f"it took longer than {seconds:,.10g} s"
            return without_scores("timeout", metrics, reason, limit=seconds)
        if code == ENDED_BY_WATCH and megabytes is not None:
            return without_scores("oom", metrics, beyond_memory(megabytes), limit=megabytes)
        raise Died(describe_end(code))

    def _said(self, process: "subprocess.Popen[bytes]") -> str:
        """The last that a process said which did not come to work."""
        process.kill()
        code = process.wait()
        assert self._errors is not None
        self._errors.seek(0)
        text = self._errors.read()[-TOLD:].decode(errors="replace").strip()
        self._forget()
        return text.splitlines()[-1] if text else describe_end(code)

    def _kill_group(self) -> None:
        """Kill the process and its children; the caller holds the lock."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()

    def _forget(self) -> None:
        """Close what belongs to a process that has ended."""
        process, self._process = self._process, None
        if process is not None:
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
        if self._errors is not None:
            self._errors.close()
            self._errors = None
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None


class Watchdog:
    """A context in which fits of workers that take too long are ended from outside."""

    PAUSE = 0.02

    def __init__(self, workers: Sequence[Worker]) -> None:
        self._workers = workers
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Watchdog":
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._done.wait(self.PAUSE):
            now = time.monotonic()
            for worker in self._workers:
                worker.check(now)


def _let_leave(process: "subprocess.Popen[bytes]") -> None:
    """Wait a moment for a process to end, where that can be seen without forgetting its group."""
    end = time.monotonic() + LEAVING
    with suppress(ChildProcessError):
        while hasattr(os, "waitid") and time.monotonic() < end:
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return
            time.sleep(0.01)


def describe_end(code: int) -> str:
    """How a process ended.

    >>> describe_end(-9), describe_end(3)
    ('signal 9 (SIGKILL)', 'exit code 3')
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"
