"""Files that are written whole or not at all, and are on the disk once they have their names."""

import contextlib
import errno
import os
import tempfile
import time
from pathlib import Path

from winodds.language.errors import NotWritten
from winodds.language.words import quote, reason_of

try:
    import fcntl
except ImportError:  # Windows has no such locks, and what a killed write leaves stays there.
    fcntl = None  # type: ignore[assignment]

PREFIX, SUFFIX = ".winodds-", ".part"
"""How files are called that are being written."""

FRESH = 60.0
"""Seconds after which a file that is being written has long been locked by its writer."""


def write_whole(given: Path, text: str) -> None:
    """Write a text in UTF-8 as `write_bytes_whole` does; what is no text becomes "?"."""
    write_bytes_whole(given, text.encode(errors="replace"))


def write_bytes_whole(given: Path, content: bytes) -> None:
    """Write a file completely or not at all; an old one stays until the new one is there.

    A link is followed, and what is no ordinary file, such as a pipe, is written to as it is. What
    a write left that was killed is removed from the folder.
    """
    part: Path | None = None
    try:
        path = given.resolve()
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        _remove_leftovers(path.parent)
        descriptor, name = tempfile.mkstemp(prefix=PREFIX, suffix=SUFFIX, dir=path.parent)
        part = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            _lock(descriptor)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
            part.chmod(_mode(path))
            part.replace(path)
        _settle(path.parent)
    except FileNotFoundError as error:
        reason = f"there is no folder {quote(given.parent)}"
        raise NotWritten(path=str(given), reason=reason) from error
    except (OSError, RuntimeError) as error:
        # A loop of links is a RuntimeError before Python 3.13.
        raise NotWritten(path=str(given), reason=reason_of(error)) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _lock(descriptor: int) -> bool:
    """Mark a file as being written by a living process; whether nobody else does."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_leftovers(folder: Path) -> None:
    """Remove files of writes that were killed: old ones that no process holds any more."""
    if fcntl is None:
        return
    for part in folder.glob(f"{PREFIX}*{SUFFIX}"):
        if not part.is_file():
            # Opening a pipe would wait for whoever writes into it.
            continue
        with contextlib.suppress(OSError), part.open("rb") as file:
            age = time.time() - os.fstat(file.fileno()).st_mtime
            if age > FRESH and _lock(file.fileno()):
                part.unlink()


def _settle(folder: Path) -> None:
    """Bring a folder's new name onto the disk, where folders can be opened for that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _mode(path: Path) -> int:
    """Permissions of the old file, or those of any new one."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
