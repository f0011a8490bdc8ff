"""Documents in a terminal, with colour and bars."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from winodds.board.column import Tone
from winodds.language.words import settle
from winodds.show.formats.text import FOR_ALL, render_table
from winodds.show.layout.document import Block, Document, Points, Said, Table
from winodds.show.layout.fitting import (
    GAP,
    READABLE,
    column_widths,
    drop_columns,
    fit_names,
    line_width,
)
from winodds.show.layout.grid import Grid

BAR_WIDTH, LEAST_BAR = 24, 12
"""Columns of the picture of an interval, where there is room for it, and where there is little."""

Signs = tuple[str, str, str, str]

DRAWN: Signs = ("─", "●", "◂", "▸")
TYPED: Signs = ("-", "o", "<", ">")
"""A line, a rating and arrows at open ends; the second for terminals that know only ASCII."""

PLAIN = str.maketrans(
    {
        "…": "...",
        "–": "-",
        "−": "-",
        "∞": "inf",
        "→": "->",
        "×": "x",
        "±": "+-",
        "τ": "tau",
        "χ": "chi",
        "²": "2",
        "·": "*",
    }
)
"""Signs of ours as those terminals show them; signs in names are left to the stream."""

STYLES: dict[Tone, str] = {
    "plain": "",
    "faint": "dim",
    "name": "bold",
    "kind": "bright_blue",
    "doubt": "magenta",
}
"""Colours that are seen on black and on white alike; yellow and cyan are not, on white."""


def print_document(document: Document, console: Console, *, typed: bool = False) -> None:
    """Print everything there is to say.

    Parameters
    ----------
    document : what is said.
    console : where.
    typed : whether with signs of a typewriter only; so it is where the console knows no others.
    """
    _Printer(console, typed or console.options.ascii_only).print(document)


class _Printer:
    """Prints the parts of a document, with the signs that a terminal knows."""

    def __init__(self, console: Console, typed: bool) -> None:
        self._console = console
        self._signs = TYPED if typed else DRAWN
        self._typed = typed

    def print(self, document: Document) -> None:
        shared = document.shared_notes()
        for section in document.sections:
            if section.headline:
                self._say(section.headline, "bold")
            for block in section.seen_by("text"):
                self._print_block(block)
            self._print_points(note for note in section.notes if note not in shared)
            self._console.print()
        if shared:
            self._say(FOR_ALL, "bold")
            self._print_points(shared)
        if document.legend:
            self._say(document.legend, "dim")

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(self._known(text), style=style))

    def _known(self, text: str) -> str:
        return text.translate(PLAIN) if self._typed else text

    def _print_block(self, block: Block) -> None:
        match block:
            case Said(lines):
                for line in lines:
                    self._say(line)
            case Points(items, title):
                self._say(title)
                self._print_points(items)
            case Table(grid):
                rows = [tuple(map(self._known, row)) for row in grid.rows]
                self._print_table(replace(block, grid=replace(grid, rows=rows)))

    def _print_points(self, points: Iterable[object]) -> None:
        for point in points:
            self._console.print(Text.assemble(("* ", "magenta"), self._known(f"{point}")))

    def _print_table(self, table: Table) -> None:
        width = self._console.width
        grid, bar = make_room(table, width)
        rows = fit_names(grid, width - bar - len(GAP) * (bar > 0))
        used = line_width(column_widths(grid.header, rows)) + bar + len(GAP) * (bar > 0)
        if used > width:
            text = render_table(replace(table, grid=grid), width=width)
            self._console.print(Text(self._cut(text)), soft_wrap=True)
            return
        drawn = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for head in grid.heads:
            drawn.add_column(head.label, justify="right" if head.numeric else "left", no_wrap=True)
        bars = draw_bars(table.spans, bar, self._signs) if bar else []
        if bar:
            drawn.add_column(self._cut(axis_of(table, bar)), no_wrap=True)
        ranked = grid.heads[0].format == "rank"
        for place, row in enumerate(rows):
            best = ranked and place == 0
            cells = [
                Text(self._cut(cell), style=_style(head.tone, best=best))
                for head, cell in zip(grid.heads, row, strict=True)
            ]
            drawn.add_row(*cells, *bars[place : place + 1])
        if rest := table.rest("text"):
            drawn.caption, drawn.caption_justify = self._known(rest), "left"
        self._console.print(drawn)

    def _cut(self, name: str) -> str:
        """What was cut, with a sign as wide as that which stands for the rest."""
        return name.replace("…", "~") if self._typed else name


def make_room(table: Table, width: int) -> tuple[Grid, int]:
    """The columns that fit into a line, and how wide intervals are drawn beside them; 0 is not.

    Where there is no room for an interval and its picture, the picture stays, on whose scale it can
    be read off, unless other columns had to leave for it.
    """
    whole = drop_columns(table.grid, width)
    if not table.spans:
        return whole, 0
    if _room(whole, width) >= BAR_WIDTH:
        return whole, BAR_WIDTH
    written = [k for k, head in enumerate(table.grid.heads) if head.format == "interval"]
    narrow = table.grid
    for column in reversed(written):
        narrow = narrow.without(column)
    narrow = drop_columns(narrow, width - LEAST_BAR - len(GAP))
    bar = min(_room(narrow, width), BAR_WIDTH)
    lost = [head for head in whole.heads if head not in narrow.heads]
    enough = bar >= LEAST_BAR and all(head.format == "interval" for head in lost)
    return (narrow, bar) if enough else (whole, 0)


def _room(grid: Grid, width: int) -> int:
    """What a line has left beside columns whose names are readable."""
    sizes = [
        min(size, READABLE) if head.shortens else size
        for head, size in zip(grid.heads, column_widths(grid.header, grid.rows), strict=True)
    ]
    return width - line_width(sizes) - len(GAP)


def axis_of(table: Table, width: int) -> str:
    """The ends of the scale on which intervals are drawn, at the ends of a line of this width."""
    low, high = table.ends
    return f"{low}{high.rjust(width - cell_len(low))}" if low else ""


def _style(tone: Tone, *, best: bool) -> str:
    return "bold green" if tone == "name" and best else STYLES[tone]


def draw_bars(
    spans: Sequence[tuple[float | None, float, float | None]],
    width: int = BAR_WIDTH,
    signs: Signs = DRAWN,
) -> list[Text]:
    """Each interval as a line with its rating as a dot; an open end is an arrow at the edge."""
    ends = [end for span in spans for end in span if end is not None]
    lowest, length = min(ends), max(max(ends) - min(ends), 1e-9)
    line, dot, left, right = signs

    def column(value: float) -> int:
        return 1 + round(settle((value - lowest) / length * (width - 3)))

    bars = []
    for low, value, high in spans:
        begin = 0 if low is None else column(low)
        end = width - 1 if high is None else column(high)
        drawn = [" "] * begin + [line] * (end - begin + 1)
        if low is None:
            drawn[0] = left
        if high is None:
            drawn[-1] = right
        drawn[column(value)] = dot
        bars.append(Text("".join(drawn), style="bright_blue"))
    return bars
