"""``winodds convert``: whatever results live in → one table with the same columns."""

import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from winodds.cli.boards import find_roles, find_sides, read_file, shape_of, title
from winodds.cli.options import Asked, refuse_typed
from winodds.cli.output import check_output
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption
from winodds.language.options import as_list
from winodds.writing import write_bytes_whole

if TYPE_CHECKING:
    from winodds.adapters.adapted import Adapted
    from winodds.language.notes import Note
    from winodds.language.options import Columns

WRITERS = {".parquet": "parquet", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""Formats that follow from the name of the file they are written to."""


def convert_files(
    files: Sequence[str],
    asked: Asked,
    *,
    format: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Read all files, join them, and write the table; say what was left out."""
    from winodds.adapters.joining import join_results

    refuse_typed(("weights", "members"), "the columns of a converted table have no place for it")
    kind = format or format_of(output)
    check_table(files, output, kind)
    with Progress(sys.stderr, quiet=quiet) as progress:
        tables = [_results_of(file, asked, progress) for file in files]
        joined = join_results(tables)
    if not quiet:
        for table in tables:
            tell_left_out(table)
    write_table(joined, kind, output)


def tell_left_out(table: "Adapted") -> None:
    """Say on standard error what the notes of a table say."""
    for note in table.notes:
        click.echo(f"* {title(table.name)}: {note}", err=True)


def format_of(output: str | None) -> str:
    """The format that a file's name asks for; text where there is none."""
    if output in (None, "-"):
        return "csv"
    found = WRITERS.get(Path(str(output)).suffix.lower())
    if found is None:
        wanted = f"its name ends with one of {', '.join(WRITERS)}"
        raise BadOption(option="output", value=output, wanted=wanted)
    return found


def check_table(files: Sequence[str], output: str | None, kind: str) -> None:
    """Refuse, before anything is read, what could not be written."""
    check_output(output, files, kind)
    if kind == "parquet" and output in (None, "-") and sys.stdout.isatty():
        wanted = "a terminal cannot show it; name a file"
        raise BadOption(option="format", value=kind, wanted=wanted)


def _results_of(file: str, asked: Asked, progress: Progress) -> "Adapted":
    """The results of one file, whatever it is."""
    from winodds.adapters.adapted import Adapted
    from winodds.adapters.plain import adapt_battles, adapt_table
    from winodds.language.options import BattleOptions
    from winodds.read.shapes import Battles, Wide

    table = read_file(file, asked, progress)
    if isinstance(table, Adapted):
        progress.tell(f"{title(table.name)}: {table.tool}; {table.summary}")
        return table
    shape, columns = shape_of(table, asked), [*table.columns]
    if isinstance(shape, Battles):
        sides = find_sides(table, shape, asked, progress)
        notes = _left_behind(columns, sides.values())
        return adapt_battles(table, BattleOptions(**sides), name=file, notes=notes)
    sheet, roles = find_roles(table, shape, asked, progress)
    notes = [] if isinstance(shape, Wide) else _left_behind(columns, roles.columns().values())
    up = asked.options["higher_is_better"]
    return adapt_table(sheet, roles, name=file, higher_is_better=up, notes=notes)


def _left_behind(columns: Sequence[str], roles: "Iterable[Columns | None]") -> "list[Note]":
    """A word on columns that have no place in the converted table."""
    from winodds.adapters.notes import left_out

    used = {column for own in roles for column in as_list(own)}
    names = [name for name in columns if name not in used]
    return [left_out(len(names), "column", "without a role", names)] if names else []


def write_table(table: Any, kind: str, output: str | None) -> None:
    """Write a data frame into a file, whole or not at all, or to standard output."""
    content = io.BytesIO()
    writers = {"csv": table.write_csv, "jsonl": table.write_ndjson, "parquet": table.write_parquet}
    writers[kind](content)
    if output is None or output == "-":
        click.echo(content.getvalue(), nl=False)
    else:
        write_bytes_whole(Path(output), content.getvalue())
