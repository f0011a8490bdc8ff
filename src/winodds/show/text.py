"""A leaderboard as plain text, for a terminal or a log."""

import unicodedata

from winodds.errors import count
from winodds.leaderboard import Leaderboard, Row
from winodds.notes import OPEN_ABOVE, OPEN_BELOW

ROWS_SHOWN = 20
NAME_WIDTH = 32


def render_text(board: Leaderboard, *, top: int = ROWS_SHOWN) -> str:
    """The first rows, how many more there are, and the notes."""
    cells = [_cells(row) for row in board.rows[:top]]
    table: list[tuple[str, ...]] = [
        ("rank", "player", "EPP", f"{_level(board)} interval", "P(>avg)", "notes"),
        *cells,
    ]
    if not any(line[-1] for line in cells):
        table = [line[:-1] for line in table]
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    header, *body = (_line(line, widths) for line in table)
    lines = [header, "  ".join("-" * width for width in widths), *body]
    if len(board) > top:
        lines.append(f"… and {count(len(board) - top, 'more player')}")
    lines += [f"* {sentence}" for sentence in board.notes]
    return "\n".join(lines)


def describe_duel(board: Leaderboard, a: str, b: str) -> str:
    """How often one player beats another in new rounds, and whether the data can tell."""
    chance = board.win_probability(a, b)
    low, high = (100.0 * (end or 0.0) for end in (chance.low, chance.high))
    sentence = (
        f"{a} beats {b} in {100 * chance.value:.0f} of 100 new rounds "
        f"({_level(board)} interval {low:.0f} to {high:.0f})"
    )
    if low > 50.0 or high < 50.0:
        return f"{sentence}."
    return f"{sentence}; the data cannot tell them apart."


def _cells(row: Row) -> tuple[str, ...]:
    low = "-∞" if row.low is None else f"{row.low:z.2f}"
    high = "∞" if row.high is None else f"{row.high:z.2f}"
    doubts = "; ".join(note for note in row.notes if note not in (OPEN_ABOVE, OPEN_BELOW))
    name, epp, chance = _shorten(row.player), f"{row.epp:z.2f}", _percent(row.p_average)
    return f"{row.rank}", name, epp, f"{low} … {high}", chance, doubts


def _shorten(name: str) -> str:
    if _width(name) <= NAME_WIDTH:
        return name
    kept = name[:NAME_WIDTH]
    while _width(kept) >= NAME_WIDTH:
        kept = kept[:-1]
    return f"{kept}…"


def _percent(chance: float) -> str:
    """A chance in percent, never rounded to certainty."""
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def _level(board: Leaderboard) -> str:
    return f"{100 * board.how.interval['level']:g}%"


def _width(text: str) -> int:
    """Columns of a terminal that the text takes."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    """Names and notes to the left, numbers to the right."""
    padded = []
    for k, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (width - _width(cell))
        padded.append(cell + blanks if k in (1, 5) else blanks + cell)
    return "  ".join(padded).rstrip()
