"""Documents as plain text, for a terminal or a log."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from winodds.board.leaderboard import Leaderboard
from winodds.show.layout.document import Block, Document, Points, Said, Section, Table
from winodds.show.layout.fitting import (
    GAP,
    WIDTH,
    column_widths,
    drop_columns,
    fit_names,
    wrap,
)
from winodds.show.layout.grid import Grid, make_grid

ROWS_SHOWN = 20
FOR_ALL = "For all tournaments:"


def render_board(
    board: Leaderboard, *, top: int | None = ROWS_SHOWN, width: int = WIDTH, elo: bool = False
) -> str:
    """A board as ``print`` shows it: the first rows, how many more there are, and the notes."""
    table = render_table(Table(make_grid(board, top=top, elo=elo)), width=width)
    return "\n".join([table, *(f"* {sentence}" for sentence in board.notes)])


def render_text(document: Document, *, width: int = WIDTH) -> str:
    """Everything there is to say; notes that all sections share come once, at the end."""
    shared = document.shared_notes()
    parts = [_section(section, document, width) for section in document.sections]
    if shared:
        parts.append("\n".join([FOR_ALL, *_points(shared, "* ", document, width)]))
    return "\n\n".join([*parts, *filter(None, [document.legend])]) + "\n"


def _section(section: Section, document: Document, width: int) -> str:
    parts = [section.headline] if section.headline else []
    parts += [_block(block, document, width) for block in section.seen_by("text")]
    shared = document.shared_notes()
    own = [note for note in section.notes if note not in shared]
    parts += ["\n".join(_points(own, "* ", document, width))] if own else []
    return "\n\n".join(parts)


def _block(block: Block, document: Document, width: int) -> str:
    match block:
        case Said(lines, wrapped=wrapped):
            return "\n".join(wrap(line, width) if wrapped else line for line in lines)
        case Points(items, title, sign):
            return "\n".join([title, *_points(items, sign, document, width)])
        case Table():
            return render_table(block, width=width)


def _points(items: Iterable[object], sign: str, document: Document, width: int) -> list[str]:
    lines = [f"{sign}{item}" for item in items]
    if not document.wrapped:
        return lines
    return [wrap(line, width, indent=document.hanging) for line in lines]


def render_table(table: Table, *, width: int = WIDTH) -> str:
    """Columns side by side; names are cut in the middle when lines would get too long."""
    grid = drop_columns(table.grid, width)
    rows = fit_names(grid, width)
    widths = column_widths(grid.header, rows)
    header, *body = (_line(cells, widths, grid) for cells in [grid.header, *rows])
    lines = [header, GAP.join("-" * size for size in widths), *body]
    return "\n".join([*lines, *filter(None, [table.rest("text")])])


def _line(cells: Sequence[str], widths: Sequence[int], grid: Grid) -> str:
    """Words to the left, numbers to the right."""
    padded = []
    for head, cell, width in zip(grid.heads, cells, widths, strict=True):
        blanks = " " * (width - cell_len(cell))
        padded.append(blanks + cell if head.numeric else cell + blanks)
    return GAP.join(padded).rstrip()
