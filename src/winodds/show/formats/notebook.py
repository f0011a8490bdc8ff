"""Leaderboards and other documents as HTML, for notebooks."""

from collections.abc import Iterator
from html import escape

from winodds.board.leaderboard import Leaderboard
from winodds.show.layout.document import Document, Section, Table
from winodds.show.layout.documents import board_document
from winodds.show.layout.grid import Grid
from winodds.show.layout.slice_document import slice_document
from winodds.slices.slices import Slices

ROWS_SHOWN = 30
ROWS_OF_EACH = 5
"""Rows of a board when there are several."""


def render_html(board: Leaderboard) -> str:
    """The first rows of a board as a notebook shows them, and its notes."""
    return render_notebook(board_document([board], top=ROWS_SHOWN))


def render_slices_html(found: Slices) -> str:
    """Slices as a notebook shows them: the tables, and the notes."""
    return render_notebook(slice_document(found, top=ROWS_OF_EACH))


def render_notebook(document: Document) -> str:
    """The tables with help texts on their heads, and the notes; all names escaped."""
    return "".join(part for section in document.sections for part in _parts(section))


def _parts(section: Section) -> Iterator[str]:
    for block in section.seen_by("notebook"):
        if isinstance(block, Table):
            yield _table(block.grid)
            rest = block.rest("notebook")
            yield f"<p>{rest}</p>" if rest else ""
    if section.notes:
        yield f"<ul>{''.join(f'<li>{escape(note.text)}</li>' for note in section.notes)}</ul>"


def _table(grid: Grid) -> str:
    heads = "".join(
        f'<th scope="col" title="{escape(head.joined_help or head.help)}">{escape(head.label)}</th>'
        for head in grid.heads
    )
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in grid.rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
