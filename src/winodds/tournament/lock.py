"""One run at a time in a folder, by a lock of the operating system that dies with its process."""

import errno
import json
import os
import socket
import sys
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from winodds.tournament.errors import RunInProgress

FILE = "run.lock"

HELD = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}
"""How systems say that somebody else has a lock."""


class FolderLock:
    """A context in which no other run may work in a folder; raises `RunInProgress` if one does.

    The file stays behind, for whoever removed it could take it from under another run.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: BinaryIO | None = None

    def __enter__(self) -> "FolderLock":
        path = self._folder / FILE
        if path.exists() and not path.is_file():
            # Opening a pipe would wait for whoever writes into it.
            raise OSError(errno.EINVAL, f"its {FILE} is no file")
        file = path.open("a+b")
        try:
            _lock(file)
        except OSError as error:
            if error.errno not in HELD:
                # Such as a network disk without locks.
                file.close()
                raise
            file.seek(0)
            holder = _describe(file.read())
            file.close()
            raise RunInProgress(folder=str(self._folder), holder=holder) from error
        file.truncate(0)
        file.write(json.dumps(_own_name()).encode())
        file.flush()
        self._file = file
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _own_name() -> dict[str, object]:
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def _describe(content: bytes) -> str:
    """Who holds the lock, as far as it has been written."""
    try:
        found = json.loads(content)
        return f"process {found['pid']} on {found['host']}, since {found['since']}"
    except (ValueError, KeyError, TypeError):
        return "a process that has just begun"


if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30
    """Windows locks bytes, and others could not read those that say who it is."""

    def _lock(file: BinaryIO) -> None:
        file.seek(FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
