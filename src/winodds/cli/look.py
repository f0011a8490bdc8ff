"""``winodds look``: what a file holds, what would be made of it, and what would be left out."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from winodds.cli.boards import boards_of, rate_table, read_file, shape_of, title
from winodds.cli.options import Asked
from winodds.cli.progress import Progress
from winodds.cli.remedies import find_command
from winodds.language.errors import WinoddsError
from winodds.language.options import as_list
from winodds.language.spelling import option
from winodds.language.words import count, list_some, visible

if TYPE_CHECKING:
    from winodds.adapters.adapted import Adapted
    from winodds.read.look import ColumnSeen
    from winodds.read.shapes import Shape
    from winodds.read.sheet import Sheet
    from winodds.show.layout.document import Block, Document
    from winodds.show.layout.grid import Grid


BOARDS_SHOWN = 5


def look_at(file: str, asked: Asked) -> "Document":
    """What there is to say of a file before it is rated."""
    from winodds.adapters.adapted import Adapted
    from winodds.show.layout.document import Document, Section, Table

    with Progress(sys.stderr, quiet=True) as progress:
        table = read_file(file, asked, progress)
        roles, command = ({}, []) if isinstance(table, Adapted) else _roles(table, asked)
        seen = _see(table, roles)
        told = list(_try(table, file, asked, progress))
    parts: list[Block] = [Table(_grid(seen), "column"), *told]
    if command:
        parts += [*_left_out(seen), *_said(file, [*command, *_typed(asked)])]
    size = f"{count(table.rows, 'row')}, {count(len(seen), 'column')}"
    what = f"{table.tool}; {table.summary}" if isinstance(table, Adapted) else size
    return Document((Section(tuple(parts), headline=f"{title(file)}: {what}"),))


def _see(table: "Adapted | Sheet", roles: dict[str, str]) -> "list[ColumnSeen]":
    from winodds.adapters.adapted import Adapted
    from winodds.read.look import as_cells, see_columns

    if isinstance(table, Adapted):
        known = {
            column: role.removesuffix("_column")
            for role, columns in table.knows.items()
            if isinstance(columns, (str, tuple, list))
            for column in as_list(columns)
        }
        cells = as_cells(table.table)
        named = {name: role for name, role in known.items() if name in cells.columns}
        return see_columns(cells, named)
    plain = [name for name in table.columns if name not in table.nested | table.ragged]
    return see_columns(table.written(plain), roles)


def _roles(table: "Sheet", asked: Asked) -> tuple[dict[str, str], list[str]]:
    """The role of each column, and the words of a command that say it; none if it is unclear."""
    try:
        return _of_shape(shape_of(table, asked), table.columns, asked)
    except WinoddsError:
        return {}, []


def _of_shape(
    shape: "Shape", columns: Sequence[str], asked: Asked
) -> tuple[dict[str, str], list[str]]:
    from winodds.read.shapes import Battles, Long

    if isinstance(shape, Battles):
        sides = {role: column for role, column in asdict(shape).items() if column is not None}
        words = [option(role, column) for role, column in sides.items()]
        return {column: role for role, column in sides.items()}, words
    if isinstance(shape, Long):
        played = [(role, it) for role, own in shape.roles.columns().items() for it in as_list(own)]
        roles = {column: role.removesuffix("_column") for role, column in played}
        return roles, [option(role, column) for role, column in played]
    rest = "round" if shape.rows_are == "player" else "player"
    roles = dict.fromkeys((it for it in columns if it not in asked.file.ignore), f"a {rest}")
    roles |= dict.fromkeys(shape.labels, shape.rows_are)
    told = {"tournament": shape.tournament, "round": shape.repeat}
    roles |= {column: role for role, column in told.items() if column is not None}
    words = [option("wide", True), *(option(shape.rows_are, name) for name in shape.labels)]
    return roles, [*words, *(option(role, it) for role, it in told.items() if it is not None)]


def _try(
    table: "Adapted | Sheet", file: str, asked: Asked, progress: Progress
) -> "Iterator[Block]":
    """What rating the table gives, or why it is refused."""
    from winodds.show.layout.document import Points, Said, paragraph
    from winodds.show.words.board import headline

    try:
        boards = boards_of(rate_table(table, asked.but(details=False), progress))
    except WinoddsError as error:
        yield paragraph(f"It cannot be rated like this. {error}")
        if typed := find_command(error, file, asked, command="rate"):
            first, *rest = typed.splitlines()
            yield Said(("What would do:", first.removeprefix("Try: "), *map(str.strip, rest)))
        return
    if len(boards) == 1:
        yield paragraph(f"It would be rated: {headline(boards[0])}.")
    else:
        left = len(boards) - BOARDS_SHOWN
        more = [f"{count(left, 'more leaderboard')}"] if left > 0 else []
        listed = (*map(headline, boards[:BOARDS_SHOWN]), *more)
        yield Points(listed, f"It would be rated, with {count(len(boards), 'leaderboard')}:")
    # Of many boards only what is true of the table; each has much to say of itself.
    told = [it for board in boards for it in board.notes if it.kind == "reading" or len(boards) < 2]
    notes = list(dict.fromkeys(map(str, told)))
    if notes:
        yield Points(tuple(notes), "What to know:")


def _typed(asked: Asked) -> "Iterator[str]":
    """What no column tells, as it was typed."""
    yield from (option("ignore", column) for column in asked.file.ignore)
    if asked.options["higher_is_better"] is not None:
        yield option("higher_is_better", asked.options["higher_is_better"])


def _left_out(seen: "Sequence[ColumnSeen]") -> "Iterator[Block]":
    from winodds.show.layout.document import paragraph

    idle = [visible(column.name) for column in seen if not column.role]
    if idle:
        yield paragraph(f"No part is played by {list_some(idle, shown=12)}.")


def _said(file: str, words: Sequence[str]) -> "Iterator[Block]":
    from winodds.show.layout.document import Said

    command = f"winodds rate {shlex.quote(file)} {' '.join(words)}"
    yield Said(("The same, said in full:", command))


def _grid(seen: "Sequence[ColumnSeen]") -> "Grid":
    from winodds.show.layout.grid import make_table, numbers, words

    empty = [(numbers("empty"), [f"{it.empty:,}" if it.empty else "" for it in seen])]
    return make_table(
        [
            (words("column"), [visible(it.name) for it in seen]),
            (words("role"), [it.role for it in seen]),
            (numbers("different"), [f"{it.different:,}" for it in seen]),
            *(empty if any(it.empty for it in seen) else []),
            (words("for instance"), [visible(it.instance) for it in seen]),
        ]
    )
