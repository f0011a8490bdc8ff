"""The inside of a worker: a process that gets jobs from its standard input until that ends.

What comes in and goes out are frames: eight bytes with the length, then a pickle. A process is
started by `winodds.tournament.worker`, which also says which pickles these are.
"""

import os
import pickle
import signal
import struct
import sys
import threading
from queue import SimpleQueue
from typing import Any, BinaryIO

from winodds.tournament.fitting import Job, Scoring, Table, perform
from winodds.tournament.memory import limited, watch

if sys.platform == "linux":
    import fcntl

LENGTH = struct.Struct("<Q")


def send(stream: BinaryIO, message: Any) -> None:
    """Write one frame."""
    content = pickle.dumps(message, protocol=5)
    stream.write(LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one frame; raises `EOFError` if there is no whole one."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return pickle.loads(content)


def main(lifeline: int) -> None:
    """Do one job after the other; the process ends with whoever gives them.

    The lifeline is a pipe that only they hold open.
    """
    _end_with(lifeline)
    jobs, answers = _own_streams()
    orders: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(jobs, orders), daemon=True).start()
    scoring = pickle.loads(orders.get())
    assert isinstance(scoring, Scoring)
    for sample in orders.get():
        pickle.loads(sample)
    watch(scoring.megabytes)
    _calm()
    send(answers, os.getpid())
    _be_silent()
    tables: dict[str, Table] = {}
    while True:
        order = orders.get()
        if isinstance(order, Job):
            with limited(scoring.megabytes):
                outcome = perform(order, tables[order.data], scoring)
            send(answers, outcome)
        else:
            name, table, forget = order
            for old in forget:
                tables.pop(old, None)
            tables[name] = table


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The two streams of frames, out of reach of whatever prints."""
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return jobs, answers


def _be_silent() -> None:
    """From now on errors are outcomes, and what libraries print is lost."""
    sys.stderr.flush()
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    os.close(nothing)


def _listen(jobs: BinaryIO, orders: "SimpleQueue[Any]") -> None:
    """Take orders until there are none any more; then nobody waits for the job at hand either."""
    try:
        while True:
            orders.put(receive(jobs))
    except (EOFError, OSError):
        _end_group()


def _end_with(lifeline: int) -> None:
    """Let the system end this process and its children when the pipe's other end is closed.

    Nobody else can while a fit keeps Python's lock; elsewhere than on Linux it goes on till then.
    """
    if sys.platform == "linux":
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)


def _end_group() -> None:
    """End at once, together with what a fit has started."""
    if os.name == "posix":
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _calm() -> None:
    """One thread for linear algebra, also in libraries that read no environment variable."""
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)
