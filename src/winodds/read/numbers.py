"""Text → numbers, by one grammar.

A number is ``[+-]?(digits[.digits] | .digits)[e[+-]digits]``, nothing else. What polars reads as
a finite number is exactly that; everything it refuses is looked at here.
"""

import re
from dataclasses import dataclass, replace
from math import isinf
from typing import Any

import numpy as np
import polars as pl

from winodds.arrays import Floats, Ints
from winodds.language.options import Decimal
from winodds.table.vocabulary import FAILURES

NOTHING = ("", "na", "n/a", "#n/a", "nan", "null", "none", "-")
"""Words, in any case, that stand among numbers for one that is not there."""

MISSING = (*NOTHING, *FAILURES)
"""A score that is one of these words, in any case, is that of a failed run."""

TRUTH = {"true": 1.0, "false": 0.0}
"""What these words are worth as scores, in a column that has no numbers."""

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)

_ANY = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
_BLANK = r"[ \t\u00a0\u2009]*"
_PLUS_MINUS = r"(?:±|\+/-|\+-|\\pm)"
_RANGE = rf"{_ANY}{_BLANK}%?{_BLANK}(?:[-\u2013;,]|to){_BLANK}{_ANY}{_BLANK}%?"
_SPREADS = (
    rf"{_BLANK}{_PLUS_MINUS}{_BLANK}{_ANY}",
    rf"{_BLANK}\({_BLANK}{_PLUS_MINUS}?{_BLANK}{_ANY}{_BLANK}%?{_BLANK}\)",
    rf"{_BLANK}(?:\({_RANGE}\)|\[{_RANGE}\])",
    rf"_\{{{_BLANK}{_PLUS_MINUS}?{_BLANK}{_ANY}{_BLANK}\}}",
)
SPREAD = rf"^{_BLANK}\$?({_ANY})(?:({_BLANK}%)?(?:{'|'.join(_SPREADS)})({_BLANK}%)?)\$?{_BLANK}$"
"""A number and, behind ± or in brackets, how much it varies: "85.9 ± 0.5", "85.9 (0.5)"."""

SPREAD_SIGNS = r"[±(\[_]|\+/?-|\\pm"

COMMA = rf"^{_BLANK}[+-]?(?:[0-9]+|[0-9]*,[0-9]+)(?:[eE][+-]?[0-9]+)?{_BLANK}%?{_BLANK}$"
"""A number that may have a decimal comma."""

MAYBE_THOUSANDS = rf"^{_BLANK}[+-]?[1-9][0-9]{{0,2}},[0-9]{{3}}{_BLANK}%?{_BLANK}$"
"""A number whose comma may as well be a mark of thousands."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers of a column.

    Attributes
    ----------
    values : (rows,) NaN where a word says that there is none, and in bad cells.
    bad : rows whose text is neither a number nor such a word.
    unsigned : rows without a percent sign, when others have one.
    trimmed : cells with blanks around a number.
    spreads : cells with a number and how much it varies, which is left out.
    commas : whether decimal commas were found, where nobody had told of them.
    """

    values: Floats
    bad: Ints
    unsigned: Ints
    trimmed: int
    spreads: int = 0
    commas: bool = False


def parse_numbers(
    text: pl.Series, *, decimal: Decimal = ".", percent: bool = False, missing: bool = True
) -> Numbers:
    """Read a column of text.

    Parameters
    ----------
    text : null is an empty cell.
    decimal : the mark before the decimals.
    percent : whether the numbers are percentages; all of them carry the sign or none does.
    missing : whether the words of `MISSING` may stand for a number, and how much it varies may
        stand behind one, as with scores.

    Decimal commas need not be told where every cell agrees and one comma can be nothing else.
    """
    found = _parse(text, decimal, percent=percent, missing=missing)
    if not found.bad.size:
        return found
    text, spreads = _without_spreads(text) if missing else (text, 0)
    commas = decimal == "." and _agree_on_commas(text, missing=missing)
    if not (spreads or commas):
        return found
    again = _parse(text, "," if commas else decimal, percent=percent, missing=missing)
    if again.bad.size and not spreads:
        return found
    return replace(again, spreads=spreads, commas=commas)


def _parse(text: pl.Series, decimal: Decimal, *, percent: bool, missing: bool) -> Numbers:
    """Numbers of cells that hold nothing else."""
    plain = _plain(text, decimal, percent=percent)
    value = plain.cast(pl.Float64, strict=False)
    good = value.is_finite().fill_null(False)
    trimmed = 0
    bad = unsigned = np.empty(0, np.int64)
    if not good.all():
        rest = np.flatnonzero(~good.to_numpy())
        value, bad, trimmed = _second_look(plain, value, rest, missing=missing)
    numbers = value.fill_null(float("nan")).to_numpy()
    if percent:
        numbers = numbers / 100.0
        unsigned = _unsigned(text, numbers)
    return Numbers(numbers, bad, unsigned, trimmed)


def _without_spreads(text: pl.Series) -> tuple[pl.Series, int]:
    """The cells without how much their numbers vary, and how many told that."""
    if not text.str.contains(SPREAD_SIGNS).any():
        return text, 0
    told = text.str.contains(SPREAD).fill_null(False)
    percent = pl.when(text.str.contains("%", literal=True)).then(pl.lit("%")).otherwise(pl.lit(""))
    number = text.str.extract(SPREAD)
    shown = pl.select(pl.concat_str(pl.lit(number), percent)).to_series()
    return shown.zip_with(told, text), int(told.sum())


def _agree_on_commas(text: pl.Series, *, missing: bool) -> bool:
    """Whether all numbers may have decimal commas, and one has a comma that is nothing else."""
    if not text.str.contains(",", literal=True).any():
        return False
    cells = text.drop_nulls()
    words = cells.str.strip_chars(" \t\u00a0").str.to_lowercase()
    cells = cells.filter(~words.is_in(MISSING if missing else NOTHING))
    certain = cells.str.contains(",", literal=True) & ~cells.str.contains(MAYBE_THOUSANDS)
    return bool(cells.str.contains(COMMA).all()) and bool(certain.any())


def _plain(text: pl.Series, decimal: Decimal, *, percent: bool) -> pl.Series:
    """The text as it would be written with a point and without a percent sign."""
    if percent:
        text = text.str.replace(r"([\d.,])[ \u00a0]*%([ \t\u00a0]*)$", "${1}${2}")
    if decimal == ",":
        foreign = text.str.contains(".", literal=True)
        swapped = text.str.replace(",", ".", literal=True)
        # A cell with a point stays, and gets a mark that makes it no number.
        text = swapped.zip_with(~foreign.fill_null(False), text + "?")
    return text


def _second_look(
    text: pl.Series, value: pl.Series, rest: Ints, *, missing: bool
) -> tuple[pl.Series, Ints, int]:
    """Values with blanks taken off, the rows that are no numbers, and how many had blanks."""
    cells = text.gather(rest).fill_null("")
    stripped = cells.str.strip_chars(" \t\u00a0")
    lower = stripped.str.to_lowercase()
    again = stripped.cast(pl.Float64, strict=False)
    if missing and not (value.is_finite().any() or again.is_finite().any()):
        again = lower.replace_strict(TRUTH, default=None, return_dtype=pl.Float64)
    good = again.is_finite().fill_null(False)
    gone = lower.is_in(MISSING) & missing
    blanks = cells.str.len_chars() != stripped.str.len_chars()
    value = value.scatter(rest, again.zip_with(good, pl.Series([None], dtype=pl.Float64)))
    return value, rest[(~(good | gone)).to_numpy()], int((good & blanks).sum())


def _unsigned(text: pl.Series, numbers: Floats) -> Ints:
    """Rows without a percent sign, when others have one."""
    signed = text.str.contains("%", literal=True).fill_null(False).to_numpy()
    plain = ~signed & ~np.isnan(numbers)
    return np.flatnonzero(plain) if signed.any() else np.empty(0, np.int64)


THOUSANDS = "marks of thousands"


def advise(text: str, *, decimal: Decimal, percent: bool) -> dict[str, Any]:
    """The options that would accept a cell, if there are any; other cells may object.

    >>> advise("0,91", decimal=".", percent=False)
    {'decimal': ','}
    >>> advise("91,5%", decimal=".", percent=False)
    {'percent': True, 'decimal': ','}
    >>> advise("1_000", decimal=".", percent=False)
    {}

    A mark of thousands is no decimal mark: read as one, 1,234 would be less than 999.

    >>> advise("1,234", decimal=".", percent=False)
    {}
    """
    cell = text.strip(" \t\u00a0")
    if explain(cell) == THOUSANDS:
        return {}
    advice: dict[str, Any] = {}
    if cell.endswith("%"):
        cell = cell[:-1].rstrip(" \u00a0")
        advice |= {} if percent else {"percent": True}
    if decimal == "." and cell.count(",") == 1:
        cell = cell.replace(",", ".")
        advice["decimal"] = ","
    elif decimal == "," and "." in cell:
        advice["decimal"] = "."
    elif decimal == ",":
        cell = cell.replace(",", ".", 1)
    return advice if NUMBER.fullmatch(cell) else {}


GROUPED = r"^[ \t]*[+-]?[1-9]\d{0,2},\d{3}[ \t]*$"
"""A number whose comma stands before three digits and behind one to three."""


def grouped_like_thousands(text: pl.Series) -> str | None:
    """The first cell with a comma, if all of these look like thousands.

    >>> grouped_like_thousands(pl.Series(["1,234", "999"]))
    '1,234'
    >>> grouped_like_thousands(pl.Series(["1,234", "0,912"])) is None
    True
    """
    marked = text.filter(text.str.contains(",", literal=True).fill_null(False))
    if marked.len() and bool(marked.str.contains(GROUPED).all()):
        return str(marked[0]).strip()
    return None


def explain(text: str) -> str | None:
    """What is odd about a cell that is no number, in a few words."""
    cell = text.strip()
    if NUMBER.fullmatch(cell) and isinf(float(cell)):
        return "too large for a number"
    odd = [
        (r"[+-]?inf(inity)?", "infinite"),
        (r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", THOUSANDS),
        (r"[+-]?[1-9]\d{0,2}(\.\d{3})+,\d*", THOUSANDS),
        (r"[+-]?[\d.,]+\s*%", "a percent sign"),
        (r"[+-]?[\d.,]+\s*(±|\+/-|\\pm).*", "a number and its error"),
        (r"[*_`]+[+-]?[\d.,]+%?[*_`]+", "marks of bold or italic type"),
        (r"[+-]?\d+(_\d+)+(\.\d*)?", "underscores"),
        (r"[+-]?0[xX][0-9a-fA-F]+", "hexadecimal"),
        (r"[\u2212\u2013\u2014\ufe63\uff0d][\d.,]+.*", "a minus sign that is none on the keyboard"),
        (r"[+-]?\d+/\d+", "a fraction"),
    ]
    for pattern, words in odd:
        if re.fullmatch(pattern, cell, re.ASCII | re.IGNORECASE):
            return words
    if any(character.isdigit() and not character.isascii() for character in cell):
        return "digits of another script"
    return None
