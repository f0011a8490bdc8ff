"""Leaderboards → text in a format → a file or the terminal."""

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from winodds.errors import NotWritten
from winodds.words import quote

if TYPE_CHECKING:
    from winodds.leaderboard import Leaderboard
    from winodds.season import Season

FORMATS = ("table", "json", "csv", "markdown", "latex")
SUFFIXES = {
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
}
"""Formats that follow from the name of the file they are written to."""


def show(
    found: "Leaderboard | Season",
    *,
    format: str | None = None,
    output: str | None = None,
    top: int | None = None,
    elo: bool = False,
) -> None:
    """Print the boards, or write them to a file."""
    from winodds.leaderboard import Leaderboard

    kind = format or SUFFIXES.get(Path(output or "").suffix.lower(), "table")
    boards = [found] if isinstance(found, Leaderboard) else list(found.values())
    if kind == "table" and output is None and sys.stdout.isatty():
        _print_in_colour(boards, top=_rows(top, kind, boards), elo=elo)
        return
    text = render(found, format=kind, top=top, elo=elo)
    if output is None or output == "-":
        click.echo(text, nl=False)
    else:
        write_whole(Path(output), text)
    if kind == "csv":
        for note in dict.fromkeys(note for board in boards for note in board.notes):
            click.echo(f"* {note}", err=True)


def render(
    found: "Leaderboard | Season", *, format: str, top: int | None = None, elo: bool = False
) -> str:
    """The boards in one of the formats, with a line break at the end."""
    from winodds.leaderboard import Leaderboard
    from winodds.show import export, text

    boards = [found] if isinstance(found, Leaderboard) else list(found.values())
    rows = _rows(top, format, boards)
    if format == "json":
        return export.render_json(found, top=rows, elo=elo)
    if format == "csv":
        return export.render_csv(boards, top=rows, elo=elo)
    if format == "markdown":
        return export.render_markdown(boards, top=rows, elo=elo)
    if format == "latex":
        return export.render_latex(boards, top=rows, elo=elo)
    width = shutil.get_terminal_size((text.WIDTH, 24)).columns
    return text.render_boards(boards, top=rows, width=width, elo=elo)


def write_whole(path: Path, text: str) -> None:
    """Write a file completely or not at all; an old one stays until the new one is there."""
    part: Path | None = None
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        prefix = f".{path.name}."
        descriptor, name = tempfile.mkstemp(prefix=prefix, suffix=".part", dir=path.parent)
        part = Path(name)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        part.chmod(_mode(path))
        part.replace(path)
    except FileNotFoundError as error:
        reason = f"there is no folder {quote(path.parent)}"
        raise NotWritten(path=str(path), reason=reason) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NotWritten(path=str(path), reason=reason) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _mode(path: Path) -> int:
    """Permissions of the old file, or those of any new one."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _rows(top: int | None, format: str, boards: Sequence["Leaderboard"]) -> int | None:
    """How many rows of each board; all in formats for machines, unless the user says otherwise."""
    from winodds.show.text import ROWS_OF_EACH, ROWS_SHOWN

    if top is not None:
        return top or None
    if format != "table":
        return None
    return ROWS_SHOWN if len(boards) == 1 else ROWS_OF_EACH


def _print_in_colour(boards: Sequence["Leaderboard"], *, top: int | None, elo: bool) -> None:
    from rich.console import Console

    from winodds.show.terminal import print_boards

    print_boards(boards, Console(highlight=False), top=top, elo=elo)
