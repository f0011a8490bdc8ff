"""A leaderboard as plain text, for a terminal or a log."""

from winodds.leaderboard import Leaderboard, Row

ROWS_SHOWN = 20
NAME_WIDTH = 32


def render_text(board: Leaderboard, *, top: int = ROWS_SHOWN) -> str:
    """The first rows, how many more there are, and the notes."""
    rows = board.rows[:top]
    cells = [_cells(row) for row in rows]
    header = ("rank", "player", "EPP", f"{_level(board)} interval", "P(>avg)")
    widths = [max(len(line[k]) for line in (header, *cells)) for k in range(len(header))]
    lines = [_line(header, widths), "  ".join("-" * width for width in widths)]
    lines += [_line(line, widths) for line in cells]
    if len(board) > top:
        lines.append(f"… and {len(board) - top:,} more players")
    lines += [f"* {sentence}" for sentence in board.notes]
    return "\n".join(lines)


def _cells(row: Row) -> tuple[str, ...]:
    low = "-∞" if row.low is None else f"{row.low:z.2f}"
    high = "∞" if row.high is None else f"{row.high:z.2f}"
    name = row.player if len(row.player) <= NAME_WIDTH else row.player[: NAME_WIDTH - 1] + "…"
    return f"{row.rank}", name, f"{row.epp:z.2f}", f"{low} … {high}", _percent(row.p_average)


def _percent(chance: float) -> str:
    """A chance in percent, never rounded to certainty."""
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def _level(board: Leaderboard) -> str:
    return f"{100 * board.how.interval['level']:g}%"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    rank, name, *numbers = cells
    parts = [rank.rjust(widths[0]), name.ljust(widths[1])]
    parts += [cell.rjust(width) for cell, width in zip(numbers, widths[2:], strict=True)]
    return "  ".join(parts).rstrip()


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
