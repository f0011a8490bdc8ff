"""Leaderboards → text in a format → a file or the terminal."""

import os
import shutil
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from winodds.language.errors import BadOption, NotWritten
from winodds.language.spelling import option
from winodds.language.words import count, list_names, quote
from winodds.writing import write_whole

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard
    from winodds.cli.options import Asked
    from winodds.language.notes import Note
    from winodds.season.season import Season
    from winodds.show.layout.document import Document
    from winodds.slices.slices import Slices

FORMATS = ("table", "json", "csv", "markdown", "latex")
MACHINES = ("json", "csv")
"""Formats that leave nothing out."""

SUFFIXES = {
    "": "table",
    ".txt": "table",
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
    each: bool = False,
) -> None:
    """Print the board, or all boards together with a line for each, or write that to a file.

    ``each`` has all boards follow. Formats for machines have them anyway.
    """
    from winodds.board.leaderboard import Leaderboard

    kind = format or format_of(output)
    if kind == "table" and output is None and sys.stdout.isatty():
        _print_document(_document(found, kind, top=top, elo=elo, each=each))
        return
    text = render(found, format=kind, top=top, elo=elo, each=each)
    deliver(text, output)
    if kind == "csv":
        tell_notes([found] if isinstance(found, Leaderboard) else list(found.values()), top)


def show_slices(
    found: "Slices",
    *,
    format: str | None = None,
    output: str | None = None,
    top: int | None = None,
    elo: bool = False,
) -> None:
    """Print slices, or write them to a file."""
    from winodds.show.formats.csv import slices_csv
    from winodds.show.formats.json import slices_json
    from winodds.show.layout.overview import ROWS_OF_EACH
    from winodds.show.layout.slice_document import slice_document

    kind = format or format_of(output)
    rows = ROWS_OF_EACH if top is None and kind == "table" else top or None
    if kind == "json":
        deliver(slices_json(found, top=rows, elo=elo), output)
    elif kind == "csv":
        deliver(slices_csv(found, top=rows, elo=elo), output)
        tell_points([*found.notes, *(own for one in found.values() for own in one.notes)])
    else:
        document = slice_document(found, top=rows, elo=elo)
        if kind == "table" and output is None and sys.stdout.isatty():
            _print_document(document)
        else:
            deliver(render_document(document, kind), output)


def deliver(text: str, output: str | None) -> None:
    """Print a text, or write it to a file."""
    if output is None or output == "-":
        click.echo(text, nl=False)
    else:
        write_whole(Path(output), text)


def tell_points(notes: Iterable["Note"]) -> None:
    """Say on standard error what a CSV file has no place for."""
    for note in dict.fromkeys(notes):
        click.echo(f"* {note}", err=True)


def tell_notes(boards: Sequence["Leaderboard"], top: int | None) -> None:
    """Say on standard error what a CSV file has no place for."""
    for note in dict.fromkeys(note for board in boards for note in board.notes):
        whose = [str(board.tournament) for board in boards if note in board.notes]
        start = "" if len(whose) == len(boards) else f"{list_names(whose)}: "
        click.echo(f"* {start}{note}", err=True)
    left = sum(max(len(board) - top, 0) for board in boards) if top else 0
    if left:
        click.echo(f"… and {count(left, 'more player')}", err=True)


def format_of(output: str | None) -> str:
    """The format that a file's name asks for."""
    suffix = Path(output or "").suffix.lower()
    if suffix not in SUFFIXES:
        wanted = f"its name does not tell the format; say it with {option('format')}"
        raise BadOption(option="output", value=output, wanted=wanted)
    return SUFFIXES[suffix]


def refuse_each(asked: "Asked", kind: str) -> None:
    """Refuse to show every board where there is one, or where all are there anyway."""
    reasons = {
        f"with {option('pool')} there is one board": asked.file.pool,
        f"{option('by')} shows every slice anyway": "by" in asked.columns,
        f"{kind} holds every board anyway": kind in MACHINES,
    }
    for wanted, given in reasons.items():
        if given:
            raise BadOption(option="each", value=True, wanted=wanted)


def check_output(
    output: str | None, files: Sequence[str], format: str | None, formats: Sequence[str] = FORMATS
) -> None:
    """Refuse, before anything is computed, what could not be written or would harm the input."""
    if output is None or output == "-":
        return
    if format is None and format_of(output) not in formats:
        wanted = f"there is no {format_of(output)} of this; take {', '.join(formats[1:])}"
        raise BadOption(option="output", value=output, wanted=wanted)
    if Path(output).is_dir():
        raise NotWritten(path=output, reason="it is a folder")
    if not Path(output).parent.is_dir():
        reason = f"there is no folder {quote(Path(output).parent)}"
        raise NotWritten(path=output, reason=reason)
    if any(_is_read(output, file) for file in files):
        wanted = "it is the file that is read, and would be overwritten"
        raise BadOption(option="output", value=output, wanted=wanted)


def _is_read(output: str, file: str) -> bool:
    """Whether the output is the file that is read, perhaps as what a shell sends into "-"."""
    try:
        there = os.fstat(sys.stdin.fileno()) if file == "-" else Path(file).stat()
        return stat.S_ISREG(there.st_mode) and os.path.samestat(Path(output).stat(), there)
    except (AttributeError, OSError, ValueError):
        # There is no such file yet, or standard input is none.
        return False


def render(
    found: "Leaderboard | Season",
    *,
    format: str,
    top: int | None = None,
    elo: bool = False,
    each: bool = False,
) -> str:
    """The boards in one of the formats, with a line break at the end."""
    from winodds.board.leaderboard import Leaderboard
    from winodds.show.formats.csv import render_csv
    from winodds.show.formats.json import render_json

    if format == "json":
        return render_json(found, top=top or None, elo=elo)
    if format == "csv":
        boards = [found] if isinstance(found, Leaderboard) else list(found.values())
        return render_csv(boards, top=top or None, elo=elo)
    return render_document(_document(found, format, top=top, elo=elo, each=each), format)


def _document(
    found: "Leaderboard | Season", format: str, *, top: int | None, elo: bool, each: bool
) -> "Document":
    """What there is to say of the boards; tables for a terminal have so many rows, others all."""
    from winodds.board.leaderboard import Leaderboard
    from winodds.show.formats.text import ROWS_SHOWN
    from winodds.show.layout.documents import board_document
    from winodds.show.layout.overview import ROWS_OF_EACH, overview_document

    given, usual = top or None, top is None and format == "table"
    rows = ROWS_SHOWN if usual else given
    if isinstance(found, Leaderboard):
        return board_document([found], top=rows, elo=elo)
    of_each = ROWS_OF_EACH if usual else given
    return overview_document(found, top=rows, elo=elo, each=each, of_each=of_each)


def render_document(document: "Document", format: str) -> str:
    """What there is to say, in one of the formats for people."""
    from winodds.show.formats.latex import render_latex
    from winodds.show.formats.markdown import render_markdown
    from winodds.show.formats.text import render_text

    if format == "markdown":
        return render_markdown(document)
    return (
        render_latex(document)
        if format == "latex"
        else render_text(document, width=terminal_width())
    )


def terminal_width() -> int:
    """Columns of the terminal, or of a page."""
    from winodds.show.layout.fitting import WIDTH

    return shutil.get_terminal_size((WIDTH, 24)).columns


def _print_document(document: "Document") -> None:
    from rich.console import Console

    from winodds.show.formats.terminal import print_document

    print_document(document, Console(highlight=False), typed=wants_ascii(os.environ))


def wants_ascii(environment: Mapping[str, str]) -> bool:
    """Whether the language says that a terminal knows no more than ASCII.

    Python itself writes UTF-8 then.

    >>> wants_ascii({"LANG": "C"}), wants_ascii({"LANG": "C", "LC_ALL": "de_DE.UTF-8"})
    (True, False)
    >>> wants_ascii({})
    False
    """
    return (environment.get("LC_ALL") or environment.get("LANG")) in ("C", "POSIX")
