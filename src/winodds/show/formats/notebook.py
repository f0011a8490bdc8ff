"""Documents as HTML, for notebooks."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape

from winodds.language.words import settle
from winodds.show.layout.document import Block, Document, Points, Said, Section, Table
from winodds.show.layout.grid import Grid

WIDTH, HEIGHT, EDGE = 160, 14, 8
"""Of the picture of an interval, in pixels, and what an open end's arrow takes of it."""

INK = "#2b83ba"
"""A blue that is seen on white and on black; a picture in a cell cannot ask for the theme."""


def render_notebook(document: Document) -> str:
    """Sentences, tables with help texts on their heads, and notes; all names escaped."""
    return "".join(part for section in document.sections for part in _parts(section))


def _parts(section: Section) -> Iterator[str]:
    if section.headline:
        yield f"<p><strong>{escape(section.headline)}</strong></p>"
    for block in section.seen_by("notebook"):
        yield from _block(block)
    yield _list(map(str, section.notes)) if section.notes else ""


def _block(block: Block) -> Iterator[str]:
    match block:
        case Said(lines):
            yield from (f"<p>{escape(line)}</p>" for line in lines)
        case Points(items, title):
            yield f"<p>{escape(title)}</p>{_list(items)}"
        case Table(grid, spans=spans):
            yield _table(grid, draw_intervals(spans) if spans else [])
            rest = block.rest("notebook")
            yield f"<p>{rest}</p>" if rest else ""


def _list(items: "Iterator[str] | Sequence[str]") -> str:
    return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"


def _table(grid: Grid, pictures: Sequence[str]) -> str:
    sides = ["" if head.numeric else ' style="text-align:left"' for head in grid.heads]
    heads = "".join(
        f'<th scope="col"{side} title="{escape(head.joined_help or head.help)}">'
        f"{escape(head.label)}</th>"
        for head, side in zip(grid.heads, sides, strict=True)
    )
    rows = [
        "".join(f"<td{side}>{escape(cell)}</td>" for side, cell in zip(sides, row, strict=True))
        for row in grid.rows
    ]
    if pictures:
        heads += '<th aria-hidden="true"></th>'
        drawn = zip(rows, pictures, strict=True)
        rows = [f'{row}<td aria-hidden="true">{picture}</td>' for row, picture in drawn]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def draw_intervals(spans: Sequence[tuple[float | None, float, float | None]]) -> list[str]:
    """Each interval as a line with its rating as a dot; an open end is an arrow at the edge.

    They are images that hold themselves: what draws inside of a cell's HTML is taken out of
    notebooks that somebody else made.
    """
    ends = [end for span in spans for end in span if end is not None]
    lowest, length = min(ends), max(max(ends) - min(ends), 1e-9)

    def across(value: float) -> str:
        return f"{settle(EDGE + (value - lowest) / length * (WIDTH - 2 * EDGE)):.0f}"

    middle = HEIGHT // 2
    pictures = []
    for low, value, high in spans:
        begin = "1" if low is None else across(low)
        end = f"{WIDTH - 1}" if high is None else across(high)
        arrows = (f"M5 3L1 {middle}L5 {HEIGHT - 3}" if low is None else "") + (
            f"M{WIDTH - 5} 3L{WIDTH - 1} {middle}L{WIDTH - 5} {HEIGHT - 3}" if high is None else ""
        )
        drawn = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
            f'<path d="M{begin} {middle}H{end}{arrows}" fill="none" stroke="{INK}"/>'
            f'<circle cx="{across(value)}" cy="{middle}" r="3.5" fill="{INK}"/></svg>'
        )
        address = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
        pictures.append(f'<img alt="" width="{WIDTH}" height="{HEIGHT}" src="{address}">')
    return pictures
