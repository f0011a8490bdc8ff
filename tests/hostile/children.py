"""Commands in processes of their own, born by one that has loaded them: many in little time.

The parent reads no table, so that its children may. Jobs are lines of JSON on standard input,
answers lines of JSON on standard output:

    {"words": ["rate", "t.csv"], "out": "out.txt", "limit": 64, "patience": 60}
    {"code": 1, "err": "Error: …"}

``limit`` is how many bytes a file may have: what the disk takes before it is full.
"""

import json
import os
import resource
import signal
import sys
import time
import traceback
from typing import Any

import altair  # noqa: F401
import polars  # noqa: F401
import scipy.optimize
import scipy.stats  # noqa: F401

import winodds.cli.commands
import winodds.show.report.page  # noqa: F401
from winodds.cli.main import main

HUNG = "hung"


def be_born(job: dict[str, Any], errors: int) -> int:
    """The child's number; it runs the command, writes errors into a pipe, and leaves."""
    child = os.fork()
    if child:
        return child
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.dup2(os.open(job["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.dup2(errors, 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if job.get("limit") is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["limit"], job["limit"]))
    code = 1
    try:
        main(job["words"])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def wait_for(child: int, patience: float) -> int | str:
    """How the child ended, or that it had to be ended."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return HUNG


if __name__ == "__main__":
    for line in sys.stdin:
        job = json.loads(line)
        reader, writer = os.pipe()
        child = be_born(job, writer)
        os.close(writer)
        code = wait_for(child, job.get("patience", 60.0))
        with os.fdopen(reader, encoding="utf-8", errors="replace") as errors:
            print(json.dumps({"code": code, "err": errors.read()}), flush=True)
