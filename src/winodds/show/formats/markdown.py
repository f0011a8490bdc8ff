"""Documents as Markdown, for READMEs and issues."""

import re
from collections.abc import Iterator

from winodds.show.layout.document import Document, Points, Said, Section, Table
from winodds.show.layout.grid import Grid

MARKUP = re.compile(r"@+|[&<\\`*_{}\[\]#~|$]|:(?=//)|(?<=www)\.", re.IGNORECASE)
"""What GitHub's Markdown could take for markup, a link or mathematics inside a line."""

ENTITIES = {"&": "&amp;", "<": "&lt;"}
"""Some dialects know no backslash before these, and would let HTML pass."""

BLOCK = re.compile(r"^(\d*)([-+.)>])")
"""A start that would make a list or a quotation of a line."""


def render_markdown(document: Document) -> str:
    """Paragraphs, GitHub tables and lists, under a heading for each tournament.

    Names stand as they are, whatever signs they hold. What GitHub makes of text that on its own is
    already a page, such as ``:tada:`` or, in issues, ``#1``, is left.
    """
    parts = [part for section in document.sections for part in _parts(section)]
    return "\n\n".join(parts) + "\n"


def _parts(section: Section) -> Iterator[str]:
    if section.title:
        yield f"### {escape_markdown(section.title)}"
    points: list[str] = []
    for block in section.seen_by("markdown"):
        match block:
            case Said(lines):
                yield from map(markdown_line, lines)
            case Table(grid):
                yield from filter(None, (markdown_table(grid), block.rest("markdown")))
            case Points(items):
                points += items
    points += map(str, section.notes)
    if points:
        yield "\n".join(f"- {markdown_line(point)}" for point in points)


def markdown_line(text: str) -> str:
    """A line that no sign at its beginning turns into a list or a quotation."""
    return BLOCK.sub(r"\1\\\2", escape_markdown(text))


def markdown_table(grid: Grid) -> str:
    """A table as GitHub knows it."""
    table = (grid.header, *grid.rows)
    heads, *rows = ([escape_markdown(cell) for cell in line] for line in table)
    rule = ["---:" if head.numeric else ":---" for head in grid.heads]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *rows))


def escape_markdown(text: str) -> str:
    r"""Text for the inside of a line or of a table's cell, where GitHub shows it as it is.

    An address with "@" becomes a link however the sign is escaped, except inside code.

    Examples
    --------
    >>> print(escape_markdown("a|b <i> *c* https://d e@f.org"))
    a\|b &lt;i> \*c\* https\://d e`@`f.org
    """
    return MARKUP.sub(_escaped, text)


def _escaped(markup: re.Match[str]) -> str:
    text = markup[0]
    return f"`{text}`" if text[0] == "@" else ENTITIES.get(text, f"\\{text}")
