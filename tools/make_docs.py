"""Write what follows from the code: the pages on columns, commands and errors, and examples.

With ``--examples`` the ``text`` blocks of README and docs are written, too, as their commands print
them now; read the prose around what changed.

Usage: ``python tools/make_docs.py [--examples] [FOLDER]``
"""

import argparse
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import shown  # noqa: E402

from winodds import errors  # noqa: E402
from winodds.board.row import DECLARED  # noqa: E402
from winodds.cli.commands import root  # noqa: E402
from winodds.errors import DataError, UseError, WinoddsError  # noqa: E402
from winodds.show.formats.markdown import escape_markdown  # noqa: E402

MADE = "<!-- Made by tools/make_docs.py from the code; change it there. -->"


def columns_page() -> str:
    """What each column of a leaderboard means."""
    rows = [
        f"| `{name}` | {escape_markdown(own.label) if own.usual else ''} | {own.help} |"
        for name, own in DECLARED.items()
    ]
    return "\n".join(
        [
            "# Columns of a leaderboard",
            MADE,
            "",
            "Every output has these columns under these names: `--format csv` and `--format json`, "
            "`board.frame()`, `board.rows`. Nothing is rounded there.",
            "",
            "| column | in tables | meaning |",
            "|---|---|---|",
            *rows,
            "",
            "With `--scale elo`, CSV and JSON have three more: `elo`, `elo_low` and `elo_high`, "
            "which are `epp`, `low` and `high` as 1500 + 400/ln(10)·EPP.",
            "",
            "Tables for people (text, terminal, Markdown, LaTeX, notebooks and the page) show the "
            "columns that have a heading here, rounded, and leave out those that are empty for "
            "all. Columns with the same heading share a cell. The page shows the others when you "
            "choose them. Players, rounds and scores are called there by the table's own columns, "
            "and with `--scale win-rate` the rating and its interval are percentages.",
            "",
        ]
    )


def commands_page() -> str:
    """The help of every command."""
    parts = ["# Commands", MADE, "", *_help(root, "winodds", None)]
    context = click.Context(root, info_name="winodds")
    for name in sorted(root.list_commands(context)):
        command = root.get_command(context, name)
        assert command is not None, name
        parts += [f"## winodds {name}", "", *_help(command, name, context)]
    parts += [
        "## How a command ends",
        "",
        "| exit code | meaning |",
        "|---|---|",
        "| 0 | done; `gate`: the candidate is better, or no worse than the margin |",
        "| 1 | the data cannot give what was asked, or a file cannot be read or written |",
        "| 2 | the command was wrong: an option, a column, a file that does not exist |",
        "| 3 | `gate`: the data cannot tell whether the candidate is worse |",
        "| 4 | `gate`: the candidate is worse |",
        "| 130 | interrupted |",
        "",
        "Errors go to standard error as one sentence after `Error: `. What was found in the table, "
        "and in a terminal how work goes on that takes more than a second, goes there; a pipe or "
        "a file hears of that only from `run` and `openml`, which may take hours. Standard output "
        "holds the result alone.",
        "",
    ]
    return "\n".join(parts)


def _help(command: click.Command, name: str, parent: click.Context | None) -> list[str]:
    settings = {**command.context_settings, "terminal_width": 80, "max_content_width": 80}
    if parent is not None:
        settings["help_option_names"] = ["-h", "--help"]
    context = click.Context(command, info_name=name, parent=parent, **settings)
    return ["```text", command.get_help(context), "```", ""]


def errors_page() -> str:
    """Every error with its meaning and an example, which the tests give."""
    from language.test_errors import SENTENCES

    examples: dict[type[WinoddsError], str] = {}
    for error, sentence in SENTENCES:
        examples.setdefault(type(error), sentence)
    parts = [
        "# Errors",
        MADE,
        "",
        "Every error is a class in `winodds.errors` that keeps its facts as attributes and builds "
        "its sentence from them. `DataError` says that the data cannot give what was asked (the "
        "command line ends with 1), `UseError` that the call was wrong (2). Both are a "
        "`WinoddsError` and a `ValueError`. On the command line the same sentences name options as "
        'they are typed there: `--duplicates mean` for `duplicates="mean"`.',
        "",
    ]
    for kind in (DataError, UseError):
        parts += [f"## {kind.__name__}", ""]
        for found in sorted(_classes(kind), key=lambda found: found.__name__):
            facts = inspect.getdoc(found)
            example = escape_markdown(examples[found])
            parts += [f"### {found.__name__}", "", f"{facts}", "", f"> {example}", ""]
    return "\n".join(parts)


def _classes(kind: type[WinoddsError]) -> Iterator[type[WinoddsError]]:
    for _, found in inspect.getmembers(errors, inspect.isclass):
        if issubclass(found, kind) and found is not kind:
            yield found


PAGES = {"columns.md": columns_page, "commands.md": commands_page, "errors.md": errors_page}


def write_pages(folder: Path) -> None:
    """Write the pages that follow from the code into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


def write_examples() -> None:
    """Write what the examples of README and docs print, and name the pages that changed."""
    published = [shown.AMLB_PAGE] if shown.AMLB_RESULTS.exists() else []
    for page in (*shown.PAGES, *shown.SOURCE_PAGES, *published):
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            text = shown.rewrite(page, list(shown.run_page(page, Path(folder), patch)))
        if text != shown.read_page(page):
            (ROOT / page).write_text(text, encoding="utf-8")
            print(f"{page} was written anew")


def main(arguments: list[str] | None = None) -> None:
    """Write the pages and, if asked, the examples."""
    parser = argparse.ArgumentParser(description="Write the documentation that follows from code.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs", help="for the pages")
    parser.add_argument("--examples", action="store_true", help="write printed examples, too")
    asked = parser.parse_args(arguments)
    write_pages(asked.folder)
    if asked.examples:
        write_examples()


if __name__ == "__main__":
    main()
