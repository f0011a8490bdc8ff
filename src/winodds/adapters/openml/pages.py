"""Answers of a server, kept in a folder: each is written whole, and asked for once."""

import gzip
import hashlib
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from winodds.adapters.openml.errors import CannotKeep
from winodds.language.errors import NotWritten
from winodds.language.words import reason_of
from winodds.writing import remove_leftovers, write_bytes_whole


@dataclass(frozen=True, slots=True)
class Page:
    """An answer: its status, and the text that came with it."""

    status: int
    body: bytes


class Pages:
    """The answers that are known.

    Attributes
    ----------
    folder : where they are kept; it is made when there is something to keep.
    reused : how many answers of earlier visits were of use so far.
    oldest : when the oldest of these was written, in seconds since 1970; None if there is none.
    """

    def __init__(self, folder: Path, *, refresh: bool = False) -> None:
        self.folder = folder
        self._reused: set[str] = set()
        self.oldest: float | None = None
        self._begin = time.time()
        self._since = self._begin if refresh else 0.0
        # Whoever finds all that it asks for writes nothing, which would remove them, too.
        remove_leftovers(folder)

    def find(self, request: str) -> Page | None:
        """The answer to a request, if it is known; a damaged file is no answer."""
        path = self._path(request)
        try:
            written = path.stat().st_mtime
            if written < self._since:
                return None
            head, body = gzip.decompress(path.read_bytes()).split(b"\n", 1)
            known = json.loads(head)
            if known["request"] != request:
                return None
            page = Page(int(known["status"]), body)
        except (OSError, EOFError, ValueError, LookupError, TypeError):
            return None
        if written < self._begin:
            self._reused.add(request)
            self.oldest = written if self.oldest is None else min(self.oldest, written)
        return page

    @property
    def reused(self) -> int:
        return len(self._reused)

    def keep(self, request: str, page: Page) -> None:
        """Write an answer, whole or not at all."""
        head = json.dumps({"request": request, "status": page.status}).encode()
        content = gzip.compress(head + b"\n" + page.body, compresslevel=6, mtime=0)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes_whole(self._path(request), content)
        except OSError as error:
            raise CannotKeep(folder=str(self.folder), reason=reason_of(error)) from error
        except NotWritten as error:
            raise CannotKeep(folder=str(self.folder), reason=error.reason) from error

    def _path(self, request: str) -> Path:
        return self.folder / f"{hashlib.sha256(request.encode()).hexdigest()[:32]}.page"


def usual_folder() -> Path:
    """Where this user's programs keep what they can fetch again."""
    named = os.environ.get("XDG_CACHE_HOME")
    if named:
        home = Path(named)
    elif sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Caches"
    else:
        home = Path.home() / ".cache"
    return home / "winodds" / "openml"
