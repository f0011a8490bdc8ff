"""What a shell completes: columns of the file that was named, and names of its players."""

import contextlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem

from winodds.language.options import FileOptions, as_list

if TYPE_CHECKING:
    from winodds.table.frames import Source

LARGEST = 64 * 2**20
"""Bytes of a file up to which it is read while somebody waits for a word."""

MANY = 2_000
"""Names at most; nobody looks through more."""


def complete_column(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Columns that begin so."""
    del parameter
    table = _table_of(context.params)
    return _items([] if table is None else table.columns, incomplete)


def complete_player(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Names of players that begin so; files where no table was named."""
    table = _table_of(context.params)
    if table is None:
        return [CompletionItem(incomplete, type="file")] if parameter.name == "pair" else []
    # A half-typed command may be wrong in any way, and a shell has no place for a reason.
    with contextlib.suppress(Exception):
        return _items(_players_of(table, context.params), incomplete)
    return []


def _items(names: Sequence[str], incomplete: str) -> list[CompletionItem]:
    chosen = [name for name in names if name.startswith(incomplete) and name.isprintable()]
    return [CompletionItem(name) for name in chosen[:MANY]]


def _table_of(params: Mapping[str, Any]) -> "Source | None":
    """The table of the file that was named, if it is there and not too large."""
    file = params.get("table") if "pair" in params else params.get("file")
    with contextlib.suppress(Exception):
        from winodds.adapters.adapter import Wanted
        from winodds.adapters.place import Place
        from winodds.adapters.sources import open_place
        from winodds.language.options import Cells

        if isinstance(file, str) and file != "-" and Path(file).stat().st_size <= LARGEST:
            wanted = Wanted(params.get("metric"), None, True, None)
            return open_place(Place(file, Cells()), params.get("source"), wanted)
    return None


def _players_of(table: "Source", params: Mapping[str, Any]) -> Sequence[str]:
    """Names of the players of a table, in the order of the alphabet."""
    from winodds.read.shapes import Battles, Given, Long, find_shape
    from winodds.table.table import index_columns

    said = {"player": tuple(as_list(params.get("player") or ()))} if params.get("player") else {}
    known = said.get("player") or table.knows.get("player")
    if known is not None:
        return index_columns(table, known).names
    shaping = FileOptions(wide=bool(params.get("wide")), battles=bool(params.get("battles")))
    shape = find_shape(table.columns, Given(said, shaping, higher_is_better=True))
    if isinstance(shape, Long):
        return index_columns(table, shape.roles.player).names
    if isinstance(shape, Battles):
        sides = [side for side in (shape.left, shape.right, shape.loser) if side is not None]
        return sorted({name for side in sides for name in index_columns(table, side).names})
    if shape.rows_are == "player":
        return index_columns(table, shape.labels).names
    return [column for column in table.columns if column not in shape.labels]


# Bash ---------------------------------------------------------------------------------------------

SCRIPT = """\
%(complete_func)s() {
    local line=$COMP_LINE response type value
    (( COMP_POINT < ${#COMP_LINE} )) && line=${COMP_LINE:0:COMP_POINT}
    response=$(env COMP_LINE="$line" %(complete_var)s=bash_complete "$1")
    COMPREPLY=()
    while IFS=',' read -r type value; do
        case $type in
            dir) COMPREPLY=(); compopt -o dirnames ;;
            file) COMPREPLY=(); compopt -o default ;;
            plain) COMPREPLY+=("$value"); compopt -o filenames ;;
        esac
    done <<< "$response"
    return 0
}

%(complete_func)s_setup() {
    complete -o nosort -F %(complete_func)s %(prog_name)s
}

%(complete_func)s_setup;
"""
"""Names of models have brackets and blanks, which bash quotes where it takes words for files."""

BREAKS = "=:"
"""Signs in a word after which bash begins to complete anew."""


class Bash(BashComplete):
    """Completion in bash, of words with any signs in them."""

    source_template = SCRIPT
    _kept = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, self._kept = split_line(os.environ.get("COMP_LINE", ""))
        return words[1:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value.removeprefix(self._kept)}"


TOKEN = re.compile(r"\\(.)|'([^']*)('|$)|\"((?:\\.|[^\"\\])*)(\"|\\?$)|(\s+)|(.)", re.DOTALL)


def split_line(line: str) -> tuple[list[str], str]:
    r"""The words of a line, the last as far as it was typed, and what bash keeps of the last.

    >>> split_line("winodds compare r.csv knn\\(n=")
    (['winodds', 'compare', 'r.csv', 'knn(n='], 'knn(n=')
    >>> split_line("winodds rate 'my results.csv' --player ")
    (['winodds', 'rate', 'my results.csv', '--player', ''], '')
    >>> split_line('winodds compare r.csv "knn(n=')
    (['winodds', 'compare', 'r.csv', 'knn(n='], '')
    """
    words, kept = [""], ""
    begun = False
    for found in TOKEN.finditer(line):
        escaped, single, _, double, _, blank, plain = found.groups()
        if blank is not None:
            words, kept, begun = [*words, ""] if begun else words, "", False
            continue
        begun = True
        quoted = single if single is not None else double and re.sub(r'\\(["\\$`])', r"\1", double)
        words[-1] += escaped or quoted or plain or ""
        if plain is not None and plain in BREAKS:
            kept = words[-1]
    return words, kept
