"""Seconds and memory of a call."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

RACES = 9
"""How often two calls are run in turns."""


@dataclass(frozen=True)
class Measured:
    """Seconds and peak megabytes of one call."""

    seconds: float
    megabytes: float | None


def measure(call: Callable[[], Result], *, runs: int = 3) -> tuple[Result, Measured]:
    """Run a call, several times if it is quick, and measure it."""
    before = _reset_peak()
    result, best = _timed(call)
    peak = _peak()
    for _ in range(runs - 1 if best < 5.0 else 0):
        result, seconds = _timed(call)
        best = min(best, seconds)
    grown = None if before is None or peak is None else max(peak - before, 0.0)
    return result, Measured(best, grown)


def race(*calls: Callable[[], object], times: int = RACES) -> list[float]:
    """Best seconds of calls, run in turns so that a busy moment harms all."""
    best = [float("inf")] * len(calls)
    for _ in range(times):
        for k, call in enumerate(calls):
            best[k] = min(best[k], _timed(call)[1])
    return best


def _timed(call: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def _status(name: str) -> float | None:
    """Megabytes of a field of the process's status, where the platform has it."""
    path = Path("/proc/self/status")
    if not path.exists():
        return None
    line = next(line for line in path.read_text().splitlines() if line.startswith(f"{name}:"))
    return float(line.split()[1]) / 1024.0


def _reset_peak() -> float | None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return None
    return _status("VmRSS")


def _peak() -> float | None:
    return _status("VmHWM")
