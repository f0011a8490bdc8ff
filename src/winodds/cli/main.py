"""``winodds``: runs a command, and what an error does to it."""

import io
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TextIO

import click

from winodds.cli.commands import root
from winodds.language.errors import UseError, WinoddsError
from winodds.language.spelling import command_line_spelling
from winodds.language.words import reason_of, visible
from winodds.read.loading import read_once

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its code, or 1 (data), 2 (use) or 130 (interrupted)."""
    # A stream that was closed before the start is None, and nobody would read it.
    nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    sys.stdout = _buffered(sys.stdout)
    _prepare(sys.stdout)
    _prepare(sys.stderr)
    code = run(list(sys.argv[1:] if arguments is None else arguments))
    if code == INTERRUPTED:
        _leave_at_once()
    sys.exit(code)


def _leave_at_once() -> NoReturn:
    """End the process; taking down all that was loaded may take longer than people wait."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(INTERRUPTED)


def _buffered(stream: TextIO) -> TextIO:
    """The stream with a buffer, which writes all of a text or raises.

    Without one, as under PYTHONUNBUFFERED, a disk that is nearly full takes a part of a text, and
    Python does not tell.
    """
    if isinstance(stream, io.TextIOWrapper) and isinstance(stream.buffer, io.RawIOBase):
        raw = stream.detach()
        return io.TextIOWrapper(io.BufferedWriter(raw), line_buffering=raw.isatty())
    return stream


def _prepare(stream: TextIO) -> None:
    """Write UTF-8 into pipes and files, and only what it can show into a terminal."""
    if isinstance(stream, io.TextIOWrapper):
        if stream.isatty():
            stream.reconfigure(errors="replace")
        else:
            # An argument may hold bytes that are no text, and a sentence may quote it.
            stream.reconfigure(encoding="utf-8", errors="replace")


def run(words: list[str]) -> int:
    """Run a command; its exit code."""
    debug = "--debug" in words
    try:
        with command_line_spelling(), read_once():
            code = root.main(words, prog_name="winodds", standalone_mode=False, obj=words)
            sys.stdout.flush()
            # Most commands return nothing; a verdict is how its command ends.
            return code if isinstance(code, int) else 0
    except WinoddsError as error:
        with command_line_spelling():
            misuse = isinstance(error, UseError) or isinstance(error.__cause__, UseError)
            told = "\n".join([str(error), *getattr(error, "__notes__", [])])
            return _fail(told, 2 if misuse else 1, debug=debug)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _silence_output()
    except OSError as error:
        _silence_output()
        return _fail(f"The output could not be written: {reason_of(error)}.", 1, debug=debug)
    except MemoryError:
        return _fail("The table does not fit into memory.", 1, debug=debug)
    except Exception as error:
        unexpected = f"{type(error).__name__}: {error}"
        return _fail(
            f"Winodds made a mistake ({unexpected}). Please report it, with the output of the same "
            f"command and --debug.",
            1,
            debug=debug,
        )
    return 0


def _silence_output() -> None:
    """Keep Python from complaining, while it leaves, about output that nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str, code: int, *, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    click.echo(f"Error: {visible(sentence)}", err=True)
    return code
