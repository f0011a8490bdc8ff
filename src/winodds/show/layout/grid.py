"""A leaderboard as a small table of words: what text, Markdown and LaTeX show."""

from dataclasses import dataclass

from winodds.board.leaderboard import Leaderboard
from winodds.board.notes import OPEN_ENDS
from winodds.board.row import Row
from winodds.language.notes import join_texts
from winodds.language.words import level_words, rounded, settle
from winodds.show.words.elo import to_elo

OPTIONAL = ("could be", "family", "P(best)", "letters", "notes")
"""Columns that are shown only where there is something in them."""

WORDS = ("player", "family", "letters", "notes")

LONGEST = 12
"""Letters that fit into a column."""


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

    def without(self, name: str) -> "Grid":
        """The grid without one column."""
        kept = [k for k, column in enumerate(self.header) if column != name]
        return Grid(
            header=tuple(self.header[k] for k in kept),
            rows=[tuple(row[k] for k in kept) for row in self.rows],
            words=frozenset(new for new, k in enumerate(kept) if k in self.words),
            left_out=self.left_out,
        )


def make_grid(board: Leaderboard, *, top: int | None = None, elo: bool = False) -> Grid:
    """The first rows of a board; what is empty for all is no column."""
    shown = board.rows[:top]
    columns: dict[str, list[str]] = {
        "rank": [f"{row.rank}" for row in shown],
        "could be": [_range(row) for row in shown],
        "player": [row.player for row in shown],
        "family": [row.family or "" for row in shown],
        "Elo" if elo else "EPP": [_rating(row.epp, elo=elo) for row in shown],
        f"{level_of(board)} interval": [_interval(row, elo=elo) for row in shown],
        "P(>avg)": [percent(row.p_average) for row in shown],
        "P(best)": ["" if row.p_best is None else percent(row.p_best) for row in shown],
        "letters": [_letters(row) for row in shown],
        "notes": [_doubts(row) for row in shown],
    }
    used = {name: cells for name, cells in columns.items() if name not in OPTIONAL or any(cells)}
    words = frozenset(k for k, name in enumerate(used) if name in WORDS)
    rows = list(zip(*used.values(), strict=True))
    return Grid(tuple(used), rows, words, len(board) - len(shown))


def _range(row: Row) -> str:
    if row.rank_low is None or row.rank_high is None:
        return ""
    return rank_range(row.rank_low, row.rank_high)


def rank_range(low: int, high: int) -> str:
    """Ranks from one to another, in a few signs.

    >>> rank_range(1, 3), rank_range(2, 2)
    ('1–3', '2')
    """
    return f"{low}" if low == high else f"{low}–{high}"


def _letters(row: Row) -> str:
    letters = row.letters or ""
    return letters if len(letters) <= LONGEST else f"{letters[: LONGEST - 1]}…"


def percent(chance: float) -> str:
    """A chance in percent, never rounded to certainty.

    >>> percent(0.123), percent(0.999), percent(0.0001)
    ('12%', '>99%', '<1%')
    """
    chance = settle(chance)
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else rounded(chance, ".0%")


def level_of(board: Leaderboard) -> str:
    """Coverage of the board's intervals: "95%"."""
    return level_words(board.how.interval.level)


def _rating(epp: float, *, elo: bool) -> str:
    return rounded(to_elo(epp), ".0f") if elo else rounded(epp, ".2f")


def _interval(row: Row, *, elo: bool) -> str:
    low = "-∞" if row.low is None else _rating(row.low, elo=elo)
    high = "∞" if row.high is None else _rating(row.high, elo=elo)
    return f"{low} … {high}"


def _doubts(row: Row) -> str:
    """The notes of a row, but for open ends, which the interval shows."""
    return join_texts(note for note in row.notes if note.name not in OPEN_ENDS)
