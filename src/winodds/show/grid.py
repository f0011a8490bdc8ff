"""A leaderboard as a small table of words: what text, Markdown and LaTeX show."""

from dataclasses import dataclass

from winodds.leaderboard import Leaderboard, Row
from winodds.notes import OPEN_ABOVE, OPEN_BELOW
from winodds.show.elo import to_elo


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells as they are read, numbers rounded.

    Attributes
    ----------
    header : names of the columns.
    rows : a tuple of cells for each player shown.
    words : numbers of the columns that hold words; the others hold numbers.
    left_out : how many players are not shown.
    """

    header: tuple[str, ...]
    rows: list[tuple[str, ...]]
    words: frozenset[int]
    left_out: int


def make_grid(board: Leaderboard, *, top: int | None = None, elo: bool = False) -> Grid:
    """The first rows of a board; groups and notes are columns only where there are some."""
    shown = board.rows[:top]
    columns: dict[str, list[str]] = {
        "rank": [f"{row.rank}" for row in shown],
        "player": [row.player for row in shown],
        "group": [row.family or "" for row in shown],
        "Elo" if elo else "EPP": [_rating(row.epp, elo=elo) for row in shown],
        f"{level_of(board)} interval": [_interval(row, elo=elo) for row in shown],
        "P(>avg)": [percent(row.p_average) for row in shown],
        "notes": [_doubts(row) for row in shown],
    }
    used = {
        name: cells
        for name, cells in columns.items()
        if name not in ("group", "notes") or any(cells)
    }
    words = frozenset(k for k, name in enumerate(used) if name in ("player", "group", "notes"))
    rows = list(zip(*used.values(), strict=True))
    return Grid(tuple(used), rows, words, len(board) - len(shown))


def percent(chance: float) -> str:
    """A chance in percent, never rounded to certainty.

    >>> percent(0.123), percent(0.999), percent(0.0001)
    ('12%', '>99%', '<1%')
    """
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def level_of(board: Leaderboard) -> str:
    """Coverage of the board's intervals: "95%"."""
    return f"{100 * board.how.interval['level']:g}%"


def _rating(epp: float, *, elo: bool) -> str:
    return f"{to_elo(epp):z.0f}" if elo else f"{epp:z.2f}"


def _interval(row: Row, *, elo: bool) -> str:
    low = "-∞" if row.low is None else _rating(row.low, elo=elo)
    high = "∞" if row.high is None else _rating(row.high, elo=elo)
    return f"{low} … {high}"


def _doubts(row: Row) -> str:
    """The notes of a row, but for open ends, which the interval shows."""
    return "; ".join(note for note in row.notes if note not in (OPEN_ABOVE, OPEN_BELOW))
