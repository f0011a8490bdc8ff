"""What is being done, on standard error, when it takes longer than a second."""

import contextlib
import os
import threading
from types import TracebackType
from typing import TextIO

from winodds.language.words import visible

PATIENCE = 1.0
"""Seconds before anything is said."""

PAUSE_IN_TERMINAL = 0.2
PAUSE_IN_LOG = 10.0
"""Seconds between two messages, where each overwrites the last and where each is a line."""

CELLS = 20
"""Characters of a bar."""


class Progress:
    """A context in which `say` tells what is going on; short work goes by in silence."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self._stream = stream
        self._quiet = quiet
        self.terminal = stream.isatty()
        self._message = self._told = self._shown = ""
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def say(self, message: str) -> None:
        """What is being done from now on."""
        self._message = visible(message)

    def tell(self, line: str) -> None:
        """A line that stays, whether the work is long or not."""
        if not self._quiet:
            with self._lock:
                self._clear()
                self._write(f"{visible(line)}\n")

    def __enter__(self) -> "Progress":
        if not self._quiet:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if not self._quiet:
            self._thread.join()
        self._clear()

    def _clear(self) -> None:
        if self._shown and self.terminal:
            self._write("\r\x1b[K")
        self._shown = ""

    def _run(self) -> None:
        pause = PATIENCE
        while not self._done.wait(pause):
            pause = PAUSE_IN_TERMINAL
            with self._lock:
                if self._message and self._message != self._told:
                    pause = PAUSE_IN_TERMINAL if self.terminal else PAUSE_IN_LOG
                    self._shown = self._told = self._message
                    self._write(
                        f"\r\x1b[K{self._shown[: self._room()]}"
                        if self.terminal
                        else f"{self._shown}\n"
                    )

    def _room(self) -> int | None:
        """The characters of a line of the terminal; what goes on in the next cannot be wiped."""
        with contextlib.suppress(OSError, ValueError):
            return os.get_terminal_size(self._stream.fileno()).columns - 1 or None
        return None

    def draw_bar(self, share: float) -> str:
        """A bar that is filled so far, and a space; nothing where no terminal draws it."""
        if not self.terminal:
            return ""
        full, empty = "█░" if "utf" in (self._stream.encoding or "").lower() else "#."
        done = int(share * CELLS)
        return f"{full * done}{empty * (CELLS - done)} "

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()
