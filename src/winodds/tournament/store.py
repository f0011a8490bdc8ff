"""Where finished fits are kept: a log that only grows, one line for each fit.

A line is a checksum and a JSON object. A fit counts as finished once its line is on the disk
(`Store.commit` waits for that); then no kill can lose it. Whatever a kill, a full disk or a cut
leaves of the last lines fails the checksum, and these fits run again. A log was preferred to a
database because it needs no memory shared between processes, which the network disks of clusters
lack, because a cut at any byte is harmless, and because anyone can read it.
"""

import json
import math
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args
from zlib import crc32

from winodds.language.words import reason_of
from winodds.table.names import hidden_character
from winodds.tournament.errors import NotALog, NotSaved
from winodds.tournament.lock import FolderLock
from winodds.tournament.outcome import Finished, Outcome, Status

FILE = "fits.log"
HEADER = {"log": "winodds fits", "version": 1}
TIMES = ("fit_seconds", "score_seconds", "limit")
LARGEST = 2**63
"""Beyond all whole numbers that a log has."""

KEPT = tuple(part.name for part in fields(Outcome))

LARGEST_GROUP = 200
LONGEST_WAIT = 0.5
"""Fits, and seconds, after which what is finished goes to the disk together."""


class Store:
    """The finished fits of a folder; made by `open_store`, which locks the folder.

    Attributes
    ----------
    finished : the fits that are on the disk, by their keys.
    unreadable : lines of the log that are damaged; their fits are not finished.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.finished: dict[str, Finished] = {}
        self.unreadable = 0
        self._versions: dict[str, int] = {}
        self._lines: list[bytes] = []
        self._waiting: list[Finished] = []
        self._since = 0.0
        if path.exists() and not path.is_file():
            raise NotALog(path=str(path), reason="it is no file")
        content = path.read_bytes() if path.exists() else b""
        self._length = self._load(content)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            self._begin(empty=self._length == 0)
        except BaseException:
            os.close(self._file)
            raise

    def add(self, done: Finished) -> None:
        """Take a fit that is done; it is finished after the next `commit`."""
        if not self._waiting:
            self._since = time.monotonic()
        versions = done.outcome.versions
        if versions is not None and versions not in self._versions:
            self._versions[versions] = max(self._versions.values(), default=-1) + 1
            self._lines.append(_line({"versions": self._versions[versions], "are": versions}))
        self._lines.append(_line(_pack(done, self._versions)))
        self._waiting.append(done)

    @property
    def due(self) -> bool:
        """Whether it is time to commit."""
        old = time.monotonic() - self._since >= LONGEST_WAIT
        return bool(self._waiting) and (old or len(self._waiting) >= LARGEST_GROUP)

    def commit(self) -> None:
        """Put onto the disk what was added; raises `NotSaved` if there is no room."""
        if not self._lines:
            return
        self._write(b"".join(self._lines))
        self.finished.update((done.fit, done) for done in self._waiting)
        self._lines.clear()
        self._waiting.clear()

    def close(self) -> None:
        os.close(self._file)

    def _begin(self, *, empty: bool) -> None:
        """Cut what a kill left behind the last whole line, and give a new log its first one."""
        os.ftruncate(self._file, self._length)
        os.lseek(self._file, 0, os.SEEK_END)
        if empty:
            self._write(_line(HEADER))
            _sync_folder(self.path.parent)

    def _write(self, content: bytes) -> None:
        """Append, and wait until it is on the disk; or leave the file as it was, and raise."""
        rest = memoryview(content)
        try:
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._length)
                os.lseek(self._file, 0, os.SEEK_END)
            saved, reason = len(self.finished), reason_of(error)
            raise NotSaved(path=str(self.path), reason=reason, saved=saved) from error
        self._length += len(content)

    def _load(self, content: bytes) -> int:
        """Take over all whole lines; how many bytes they have."""
        lines = content.split(b"\n")
        tail = lines.pop()
        if not lines:
            return 0
        header = _parse(lines[0])
        if header is None or header.get("log") != HEADER["log"]:
            raise NotALog(path=str(self.path), reason="its first line is not that of one")
        if header.get("version") != HEADER["version"]:
            raise NotALog(path=str(self.path), reason="another version of Winodds wrote it")
        names: dict[int, str] = {}
        for line in lines[1:]:
            found = _parse(line)
            if found is None:
                self.unreadable += 1
            elif "are" in found:
                self._name_versions(found, names)
            elif (done := _unpack(found, names)) is not None:
                self.finished[done.fit] = done
            else:
                self.unreadable += 1
        self._versions = {text: number for number, text in names.items()}
        return len(content) - len(tail)

    def _name_versions(self, found: Mapping[str, Any], names: dict[int, str]) -> None:
        """Take over what packages a number stands for."""
        number, are = found.get("versions"), found["are"]
        if type(number) is int and 0 <= number < LARGEST and isinstance(are, str):
            names[number] = are
        else:
            self.unreadable += 1


@contextmanager
def open_store(folder: Path) -> Iterator[Store]:
    """The store of a folder, which is made if it is missing; no other run may open it meanwhile."""
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(FolderLock(folder))
            store = Store(folder / FILE)
        except OSError as error:
            raise NotSaved(path=str(folder), reason=reason_of(error), saved=0) from error
        stack.callback(store.close)
        yield store


def _line(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(record, separators=(",", ":"), allow_nan=False).encode()
    return b"%08x %b\n" % (crc32(text), text)


def _parse(line: bytes) -> dict[str, Any] | None:
    """The record of a line; None if the line is damaged."""
    check, _, text = line.partition(b" ")
    if check != b"%08x" % crc32(text):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _pack(done: Finished, versions: Mapping[str, int]) -> dict[str, Any]:
    """A finished fit as JSON holds it, without what is empty."""
    known = {name: getattr(done.outcome, name) for name in KEPT}
    outcome = {name: value for name, value in known.items() if value not in (None, {})}
    if done.outcome.versions is not None:
        outcome["versions"] = versions[done.outcome.versions]
    of = [done.player, done.tournament, done.round]
    return {"fit": done.fit, "of": of, "seed": done.seed, **outcome}


def _unpack(record: Mapping[str, Any], versions: Mapping[int, str]) -> Finished | None:
    """The fit of a record; None if the record is not as `_pack` makes them.

    A checksum finds accidents. Whoever wrote a line by hand has a sound one.
    """
    try:
        player, tournament, split = of = record["of"]
        kept = {name: record[name] for name in KEPT if name in record}
        kept["scores"] = {name: _as_number(it) for name, it in kept["scores"].items()}
        kept |= {name: _as_number(kept.get(name)) for name in TIMES}
        number = kept.get("versions")
        kept["versions"] = None if number is None else versions.get(number)
        texts = [record["fit"], *of, *kept.get("reasons", {}).values(), kept.get("warned", "")]
        sound = all(isinstance(it, str) for it in texts) and kept["status"] in get_args(Status)
        if not sound or any(hidden_character(name) is not None for name in of):
            return None
        if type(record["seed"]) is not int or abs(record["seed"]) >= LARGEST:
            return None
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return None
    return Finished(record["fit"], player, tournament, split, record["seed"], Outcome(**kept))


def _as_number(value: object) -> float | None:
    """A finite number, or None; raises TypeError, ValueError or OverflowError for what is none."""
    if value is None:
        return None
    if type(value) not in (int, float):
        raise TypeError
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise ValueError
    return number


def _sync_folder(folder: Path) -> None:
    """Put the name of a new file onto the disk; where folders cannot be opened, nobody has to."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
