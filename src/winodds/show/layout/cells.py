"""Numbers as people read them: the only place in Python where a column is rounded."""

from collections.abc import Callable
from typing import Any

from winodds.board.column import Format
from winodds.board.notes import OPEN_ENDS
from winodds.board.row import DECLARED, Row
from winodds.language.notes import Note, join_texts
from winodds.language.words import rounded, settle
from winodds.show.words.elo import ELO_PER_LOGIT, to_elo

LONGEST = 12
"""Letters that fit into a column."""


def write_cell(row: Row, name: str, *, elo: bool = False) -> str:
    """A cell of a column, with that of the column that it joins; nothing is an empty cell."""
    column, value = DECLARED[name], getattr(row, name)
    if column.format == "interval":
        return interval(value, getattr(row, str(column.joins)), elo=elo)
    if value is None:
        return ""
    if column.format == "ranks":
        return rank_range(value, getattr(row, str(column.joins)))
    if elo and column.format in ON_ELO_SCALE:
        return ON_ELO_SCALE[column.format](value)
    return PLAIN[column.format](value)


def rank_range(low: int, high: int) -> str:
    """Ranks from one to another, in a few signs.

    >>> rank_range(1, 3), rank_range(2, 2)
    ('1–3', '2')
    """
    return f"{low}" if low == high else f"{low}–{high}"


def percent(chance: float) -> str:
    """A chance in percent, never rounded to certainty.

    >>> percent(0.123), percent(0.999), percent(0.0001)
    ('12%', '>99%', '<1%')
    """
    chance = settle(chance)
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else rounded(chance, ".0%")


def rating(epp: float, *, elo: bool = False) -> str:
    """A rating without a minus before a zero.

    >>> rating(-0.001), rating(0.0, elo=True)
    ('0.00', '1500')
    """
    return rounded(to_elo(epp), ".0f") if elo else rounded(epp, ".2f")


def interval(low: float | None, high: float | None, *, elo: bool = False) -> str:
    """An interval of a rating, whose ends are None where they are open.

    >>> interval(None, 0.25), interval(-0.5, None)
    ('-∞ … 0.25', '-0.50 … ∞')
    """
    begin = "-∞" if low is None else rating(low, elo=elo)
    end = "∞" if high is None else rating(high, elo=elo)
    return f"{begin} … {end}"


def _letters(letters: str) -> str:
    return letters if len(letters) <= LONGEST else f"{letters[: LONGEST - 1]}…"


def _doubts(notes: tuple[Note, ...]) -> str:
    """The notes of a row, but for open ends, which the interval shows."""
    return join_texts(note for note in notes if note.name not in OPEN_ENDS)


PLAIN: dict[Format, Callable[[Any], str]] = {
    "rank": str,
    "name": str,
    "words": str,
    "rating": rating,
    "error": lambda se: rounded(se, ".3f"),
    "chance": percent,
    "letters": _letters,
    "number": "{:,.10g}".format,
    "count": "{:,}".format,
    "score": lambda score: rounded(score, "#.5g"),
    "notes": _doubts,
}
"""How a value becomes a cell, by the format of its column."""

ON_ELO_SCALE: dict[Format, Callable[[float], str]] = {
    "rating": lambda epp: rating(epp, elo=True),
    "error": lambda se: rounded(ELO_PER_LOGIT * se, ".1f"),
}
