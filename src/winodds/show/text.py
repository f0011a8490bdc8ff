"""A leaderboard as plain text, for a terminal or a log."""

from winodds.leaderboard import Leaderboard, Row

ROWS_SHOWN = 20
NAME_WIDTH = 32


def render_text(board: Leaderboard, *, top: int = ROWS_SHOWN) -> str:
    """The first rows, how many more there are, and the notes."""
    rows = board.rows[:top]
    cells = [_cells(row) for row in rows]
    header = ("rank", "player", "EPP", f"{board.how.interval['level']:.0%} interval", "P(>avg)")
    widths = [max(len(line[k]) for line in (header, *cells)) for k in range(len(header))]
    lines = [_line(header, widths), "  ".join("-" * width for width in widths)]
    lines += [_line(line, widths) for line in cells]
    if len(board) > top:
        lines.append(f"… and {len(board) - top:,} more players")
    lines += [f"* {sentence}" for sentence in board.notes]
    return "\n".join(lines)


def _cells(row: Row) -> tuple[str, ...]:
    low = "-∞" if row.low is None else f"{row.low:.2f}"
    high = "∞" if row.high is None else f"{row.high:.2f}"
    name = row.player if len(row.player) <= NAME_WIDTH else row.player[: NAME_WIDTH - 1] + "…"
    return f"{row.rank}", name, f"{row.epp:.2f}", f"{low} … {high}", f"{row.p_average:.0%}"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    rank, name, *numbers = cells
    parts = [rank.rjust(widths[0]), name.ljust(widths[1])]
    parts += [cell.rjust(width) for cell, width in zip(numbers, widths[2:], strict=True)]
    return "  ".join(parts).rstrip()


def describe_duel(board: Leaderboard, a: str, b: str) -> str:
    """How often one player beats another in new rounds, and whether the data can tell."""
    chance = board.win_probability(a, b)
    difference = board.difference(a, b)
    low = 0.0 if chance.low is None else chance.low
    high = 1.0 if chance.high is None else chance.high
    percent = f"{board.how.interval['level']:.0%}"
    sentence = (
        f"{a} beats {b} in {100 * chance.value:.0f} of 100 new rounds "
        f"({percent} interval {100 * low:.0f} to {100 * high:.0f})"
    )
    above = difference.low is not None and difference.low > 0.0
    below = difference.high is not None and difference.high < 0.0
    if above or below:
        return f"{sentence}."
    return f"{sentence}; the data cannot tell them apart."
