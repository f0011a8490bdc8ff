"""``winodds openml``: evaluations of OpenML → a table with the columns of ``winodds convert``."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from winodds.cli.convert import check_table, format_of, tell_left_out, write_table
from winodds.cli.progress import Progress


def fetch_table(
    suite: str | None,
    tasks: Sequence[int],
    asked: Mapping[str, Any],
    *,
    format: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Fetch what was asked for, and write the table; say what was left out."""
    from winodds.adapters.openml.errors import RESUMES
    from winodds.adapters.openml.fetch import fetch_openml

    if (suite is None) == (not tasks):
        raise click.UsageError("Name a suite (--suite 99) or tasks (--task 3 --task 11).")
    kind = format or format_of(output)
    check_table([], output, kind)
    wanted: Any = [*tasks] if suite is None else int(suite) if suite.isdecimal() else suite
    with Progress(sys.stderr, quiet=quiet, logged=True) as progress:
        try:
            table = fetch_openml(wanted, progress=progress.say, **asked)
        except KeyboardInterrupt:
            progress.tell(RESUMES)
            raise
        progress.tell(f"{table.name}: {table.summary}")
    if not quiet:
        tell_left_out(table)
    write_table(table.table, kind, output)
