"""The limit of memory, inside of a worker."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POSSIBLE = sys.platform != "win32"
"""Whether there is a limit of memory on this system."""

ENDED_BY_WATCH = 86
"""How a worker ends that has watched itself take too much."""

MEGABYTE = 1_000_000
PAUSE = 0.05


@contextmanager
def limited(megabytes: float | None) -> Iterator[None]:
    """Within, the process gets at most so much more memory than it has; only on Linux."""
    if megabytes is None or not sys.platform.startswith("linux"):
        yield
        return
    import resource

    old, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + int(megabytes * MEGABYTE)
    resource.setrlimit(resource.RLIMIT_AS, (_smaller(wanted, most), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (old, most))


def _smaller(wanted: int, most: int) -> int:
    """The limit, but not above one that is set already; −1 is none."""
    return wanted if most < 0 else min(wanted, most)


def _address_space() -> int:
    """Bytes of addresses that the process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def watch(megabytes: float | None, *, everywhere: bool = False) -> None:
    """Let a thread end the process when it has taken so much more than now; not on Linux.

    There the limit is the operating system's, which refuses, so that the worker can say so.
    """
    if megabytes is None or (sys.platform.startswith("linux") and not everywhere):
        return
    threading.Thread(target=_watch, args=(most_used(), megabytes), daemon=True).start()


def _watch(before: float, megabytes: float) -> None:
    while most_used() - before <= megabytes:
        time.sleep(PAUSE)
    os._exit(ENDED_BY_WATCH)


def most_used() -> float:
    """Megabytes that the process has held at most."""
    assert sys.platform != "win32"
    import resource

    unit = 1.0 if sys.platform == "darwin" else 1024.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MEGABYTE
