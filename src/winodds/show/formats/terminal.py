"""Documents in a terminal, with colour and bars."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from winodds.board.column import Tone
from winodds.language.words import settle
from winodds.show.formats.text import FOR_ALL, render_table
from winodds.show.layout.document import Block, Document, Points, Said, Table
from winodds.show.layout.fitting import GAP, column_widths, drop_columns, fit_names, line_width

BAR_WIDTH = 24
"""Columns of the picture of an interval, where the terminal has room for it."""

STYLES: dict[Tone, str] = {
    "plain": "",
    "faint": "dim",
    "name": "bold",
    "kind": "cyan",
    "doubt": "yellow",
}


def print_document(document: Document, console: Console) -> None:
    """Print everything there is to say."""
    shared = document.shared_notes()
    for section in document.sections:
        if section.headline:
            console.print(Text(section.headline, style="bold"))
        for block in section.seen_by("text"):
            _print_block(block, console)
        _print_points([note for note in section.notes if note not in shared], console)
        console.print()
    if shared:
        console.print(Text(FOR_ALL, style="bold"))
        _print_points(shared, console)
    if document.legend:
        console.print(Text(document.legend, style="dim"))


def _print_block(block: Block, console: Console) -> None:
    match block:
        case Said(lines):
            for line in lines:
                console.print(Text(line))
        case Points(items, title):
            console.print(Text(title))
            _print_points(items, console)
        case Table(grid):
            _print_table(replace(block, grid=drop_columns(grid, console.width)), console)


def _print_points(points: Iterable[object], console: Console) -> None:
    for point in points:
        console.print(Text(f"* {point}", style="yellow"))


def _print_table(table: Table, console: Console) -> None:
    drawn, needed = _draw_table(table, console.width)
    if needed <= console.width:
        console.print(drawn)
    else:
        console.print(Text(render_table(table, width=console.width)), soft_wrap=True)


def _draw_table(table: Table, width: int) -> tuple[RichTable, int]:
    """The table, and the columns of a terminal that it takes."""
    heads, rows = table.grid.heads, fit_names(table.grid, width)
    used = line_width(column_widths(table.grid.header, rows))
    with_bars = used + len(GAP) + BAR_WIDTH
    bars = draw_bars(table.spans) if table.spans and with_bars <= width else None
    drawn = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        drawn.add_column(head.label, justify="right" if head.numeric else "left", no_wrap=True)
    if bars is not None:
        drawn.add_column("", no_wrap=True)
    for place, row in enumerate(rows):
        cells = [
            Text(cell, style=_style(head.tone, place))
            for head, cell in zip(heads, row, strict=True)
        ]
        drawn.add_row(*cells, *([] if bars is None else [bars[place]]))
    if rest := table.rest("text"):
        drawn.caption, drawn.caption_justify = rest, "left"
    return drawn, used if bars is None else with_bars


def _style(tone: Tone, place: int) -> str:
    return "bold green" if tone == "name" and place == 0 else STYLES[tone]


def draw_bars(spans: Sequence[tuple[float | None, float, float | None]]) -> list[Text]:
    """Each interval as a line with its rating as a dot; an open end is an arrow at the edge."""
    ends = [end for span in spans for end in span if end is not None]
    lowest, length = min(ends), max(max(ends) - min(ends), 1e-9)

    def column(value: float) -> int:
        return 1 + round(settle((value - lowest) / length * (BAR_WIDTH - 3)))

    bars = []
    for low, value, high in spans:
        begin = 0 if low is None else column(low)
        end = BAR_WIDTH - 1 if high is None else column(high)
        signs = [" "] * begin + ["─"] * (end - begin + 1)
        if low is None:
            signs[0] = "◂"
        if high is None:
            signs[-1] = "▸"
        signs[column(value)] = "●"
        bars.append(Text("".join(signs), style="blue"))
    return bars
