"""Path → bytes: the only place that opens input files, and reads each of them once.

What can be read only once, such as a pipe, is read whole; its beginning is then that of the bytes
at hand. However small a packed file is, what comes out of it has a limit.
"""

import difflib
import gzip
import hashlib
import io
import os
import signal
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from winodds.language.options import LIMIT
from winodds.language.words import reason_of
from winodds.read.errors import IsFolder, NoSuchFile, TooLarge, Unreadable

STANDARD_INPUT = "-"

HEAD = 1 << 16
"""Bytes that are enough to tell what a file is."""

BLOCK = 1 << 20

GIGABYTE = 10**9

PACKED = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Of the bytes that were read: how many there are, and their SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a command has read: fingerprints of files, and what cannot be read a second time."""

    seen: dict[str, Fingerprint] = field(default_factory=dict)
    streams: dict[str, bytes] = field(default_factory=dict)


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Meanwhile, fingerprints are those of the bytes that were read, and streams are kept."""
    token = _reading.set(Reading())
    try:
        yield
    finally:
        _reading.reset(token)


def fingerprint_of(name: str) -> Fingerprint | None:
    """That of the bytes that this command read from a file; None of one that it did not read."""
    reading = _reading.get()
    return None if reading is None else reading.seen.get(name)


def load_content(name: str, *, limit: float = LIMIT) -> bytes:
    """All bytes of a file, unpacked, but no more gigabytes than the limit; "-" is standard input.

    The limit that nobody asked for is at most half of the memory.
    """
    most = limit_in_bytes(limit)
    reading = _reading.get()
    if reading is None:
        return _unpack(_load(name, most), name, most)
    data = reading.streams.get(name)
    if data is None:
        data = _load(name, most)
        reading.seen[name] = Fingerprint(len(data), hashlib.sha256(data).hexdigest())
        if name == STANDARD_INPUT or is_stream(name):
            reading.streams[name] = data
    return _unpack(data, name, most)


def limit_in_bytes(limit: float) -> int:
    """The limit in bytes; the usual one is lower where there is little memory."""
    most = int(limit * GIGABYTE)
    if limit != LIMIT:
        return most
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return most
    return min(most, memory // 2)


def is_stream(name: str) -> bool:
    """Whether what is there can be read only once: a pipe, a device or a socket."""
    try:
        mode = Path(name).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def read_head(name: str, size: int = HEAD) -> bytes:
    """The first bytes of a file, unpacked; nothing where there is no file that can be read."""
    try:
        with Path(name).open("rb") as file:
            packed = file.read(2) == PACKED
            file.seek(0)
            if not packed:
                return file.read(size)
            with gzip.GzipFile(fileobj=file) as unpacked:
                return unpacked.read(size)
    except (EOFError, OSError, ValueError, zlib.error):
        # Whoever reads all of it finds out what is wrong.
        return b""


def read_lines(name: str) -> Iterator[bytes]:
    """The lines of a file, unpacked, one after the other; for files of which little is kept."""
    try:
        with Path(name).open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            yield from gzip.GzipFile(fileobj=file) if packed else file
    except (EOFError, OSError, ValueError, zlib.error) as error:
        raise Unreadable(path=name, reason=reason_of(error)) from error


def _load(name: str, most: int) -> bytes:
    if name == STANDARD_INPUT and sys.stdin is None:
        raise Unreadable(path=name, reason="standard input is closed")
    try:
        if name == STANDARD_INPUT:
            return _take(sys.stdin.buffer, name, most)
        if not name:
            raise FileNotFoundError
        with Path(name).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise TooLarge(path=name, limit=most, packed=False)
            return _take(file, name, most)
    except FileNotFoundError:
        raise NoSuchFile(path=name, close=_neighbours(Path(name))) from None
    except IsADirectoryError:
        raise IsFolder(path=name) from None
    except TooLarge:
        raise
    except (OSError, ValueError, RuntimeError) as error:
        # A loop of links is a RuntimeError before Python 3.13.
        raise Unreadable(path=name, reason=reason_of(error)) from error


def _take(file: IO[bytes], name: str, most: int) -> bytes:
    """All that comes, if it is not more than the limit."""
    if hasattr(signal, "siginterrupt"):
        # Once polars is loaded, a wait for input would go on after Ctrl-C.
        signal.siginterrupt(signal.SIGINT, True)
    data = file.read(most + 1) if most < sys.maxsize else file.read()
    if len(data) > most:
        raise TooLarge(path=name, limit=most, packed=False)
    return data


def _unpack(data: bytes, name: str, most: int) -> bytes:
    if not data.startswith(PACKED):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
            found = unpacked.read(most + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise Unreadable(path=name, reason=f"the gzip data are damaged ({error})") from error
    if len(found) > most:
        raise TooLarge(path=name, limit=most, packed=True)
    return found


def _neighbours(path: Path) -> list[str]:
    """Files beside a missing one with nearly its name."""
    try:
        names = [entry.name for entry in os.scandir(path.parent) if entry.is_file()]
    except OSError:
        return []
    return [
        str(path.parent / name) for name in difflib.get_close_matches(path.name, names, cutoff=0.75)
    ]
