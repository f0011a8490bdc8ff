"""Numbers as people read them: the only place in Python where a column is rounded."""

from collections.abc import Callable
from typing import Any

from scipy.special import expit

from winodds.board.column import Format
from winodds.board.notes import OPEN_ENDS
from winodds.board.row import DECLARED, Row
from winodds.language.notes import Note, join_texts
from winodds.language.options import Scale
from winodds.language.words import rounded, settle
from winodds.show.words.elo import ELO_PER_LOGIT, to_elo
from winodds.show.words.verdicts import end_of_hundred

LONGEST = 12
"""Letters that fit into a column."""


def write_cell(row: Row, name: str, *, scale: Scale) -> str:
    """A cell of a column, with that of the column that it joins; nothing is an empty cell."""
    column, value = DECLARED[name], getattr(row, name)
    if column.format == "interval":
        return interval(value, getattr(row, str(column.joins)), scale=scale)
    if value is None:
        return ""
    if column.format == "ranks":
        return rank_range(value, getattr(row, str(column.joins)))
    if column.format == "rating":
        return rating(value, scale=scale)
    if scale == "elo" and column.format == "error":
        return rounded(ELO_PER_LOGIT * value, ".1f")
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


def rating(epp: float, *, scale: Scale = "epp") -> str:
    """A rating without a minus before a zero.

    >>> rating(-0.001), rating(0.0, scale="elo"), rating(1.1, scale="win-rate")
    ('0.00', '1500', '75%')
    """
    if scale == "win-rate":
        return percent(float(expit(epp)))
    return rounded(to_elo(epp), ".0f") if scale == "elo" else rounded(epp, ".2f")


def interval(low: float | None, high: float | None, *, scale: Scale = "epp") -> str:
    """An interval of a rating, whose ends are None where they are open.

    >>> interval(None, 0.25), interval(-0.5, None)
    ('-∞ … 0.25', '-0.50 … ∞')
    >>> interval(None, 0.25, scale="win-rate"), interval(-9.0, 9.0, scale="win-rate")
    ('0–56%', '<1–>99%')
    """
    if scale == "win-rate":
        begin = "0" if low is None else end_of_hundred(float(expit(low)), inside=True)
        end = "100" if high is None else end_of_hundred(float(expit(high)), inside=True)
        return f"{begin}–{end}%"
    begin = "-∞" if low is None else rating(low, scale=scale)
    end = "∞" if high is None else rating(high, scale=scale)
    return f"{begin} … {end}"


def draw_on(
    scale: Scale, low: float | None, epp: float, high: float | None
) -> tuple[float | None, float, float | None]:
    """Ends and middle of a drawn interval: shares of wins, or log-odds (Elo looks the same)."""
    if scale != "win-rate":
        return low, epp, high
    ends = (None if end is None else float(expit(end)) for end in (low, high))
    begin, end = ends
    return begin, float(expit(epp)), end


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
    "mean": lambda score: rounded(score, "#.5g"),
    "notes": _doubts,
}
"""How a value becomes a cell, by the format of its column."""
