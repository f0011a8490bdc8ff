"""Leaderboards in a terminal, with colour and bars."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from winodds.board.leaderboard import Leaderboard
from winodds.language.notes import Note
from winodds.language.words import count, settle
from winodds.show.formats.text import (
    ELO_LEGEND,
    describe_board,
    drop_columns,
    fit_names,
    headline,
    render_table,
    shared_notes,
)
from winodds.show.layout.grid import Grid, make_grid

BAR_WIDTH = 24
"""Columns of the picture of an interval, where the terminal has room for it."""


def print_boards(
    boards: Sequence[Leaderboard],
    console: Console,
    *,
    top: int | None = None,
    elo: bool = False,
) -> None:
    """Print one board, or those of a season, with all there is to say about them."""
    shared = shared_notes(boards)
    for board in boards:
        console.print(Text(headline(board), style="bold"))
        grid = drop_columns(make_grid(board, top=top, elo=elo), console.width)
        table, needed = _table(board, grid, console.width)
        if needed <= console.width:
            console.print(table)
        else:
            console.print(Text(render_table(grid, width=console.width)), soft_wrap=True)
        for sentence in describe_board(board):
            console.print(Text(sentence))
        _print_notes([note for note in board.notes if note not in shared], console)
        console.print()
    if shared:
        console.print(Text("For all tournaments:", style="bold"))
        _print_notes(shared, console)
    if elo:
        console.print(Text(ELO_LEGEND, style="dim"))


def _table(board: Leaderboard, grid: Grid, width: int) -> tuple[Table, int]:
    """The table, and the columns of a terminal that it takes."""
    rows = fit_names(grid, width)
    columns = zip(grid.header, *rows, strict=True)
    used = sum(max(map(cell_len, column)) + 2 for column in columns) - 2
    bars = _bars(board, len(rows)) if used + 2 + BAR_WIDTH <= width else None
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for k, name in enumerate(grid.header):
        table.add_column(name, justify="left" if k in grid.words else "right", no_wrap=True)
    if bars is not None:
        table.add_column("", no_wrap=True)
    for place, row in enumerate(rows):
        cells = [Text(cell, style=_style(grid.header[k], place)) for k, cell in enumerate(row)]
        table.add_row(*cells, *([] if bars is None else [bars[place]]))
    if grid.left_out:
        table.caption = f"… and {count(grid.left_out, 'more player')}"
        table.caption_justify = "left"
    return table, used if bars is None else used + 2 + BAR_WIDTH


def _style(column: str, place: int) -> str:
    if column == "player":
        return "bold green" if place == 0 else "bold"
    return {"rank": "dim", "notes": "yellow", "family": "cyan", "could be": "dim"}.get(column, "")


def _bars(board: Leaderboard, size: int) -> list[Text]:
    """Each interval as a line with its rating as a dot; an open end is an arrow at the edge."""
    rows = board.rows[:size]
    ends = [end for row in rows for end in (row.epp, row.low, row.high) if end is not None]
    low, span = min(ends), max(max(ends) - min(ends), 1e-9)

    def column(value: float) -> int:
        return 1 + round(settle((value - low) / span * (BAR_WIDTH - 3)))

    bars = []
    for row in rows:
        begin = 0 if row.low is None else column(row.low)
        end = BAR_WIDTH - 1 if row.high is None else column(row.high)
        signs = [" "] * begin + ["─"] * (end - begin + 1)
        if row.low is None:
            signs[0] = "◂"
        if row.high is None:
            signs[-1] = "▸"
        signs[column(row.epp)] = "●"
        bars.append(Text("".join(signs), style="blue"))
    return bars


def _print_notes(notes: Sequence[Note], console: Console) -> None:
    for note in notes:
        console.print(Text(f"* {note}", style="yellow"))
