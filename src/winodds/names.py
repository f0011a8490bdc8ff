"""Names as data: text is kept as it is, apart from what no reader could see."""

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from winodds.arrays import Ints
from winodds.errors import EmptyName, UnreadableName

PLAIN = re.compile(r"[!-~]([ -~]*[!-~])?")
"""Printable ASCII without blanks at the ends: nothing to normalise."""

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that print as nothing although their category says otherwise."""

JOINERS = frozenset("\u200c\u200d")
"""Invisible, but needed to write some languages and emoji."""

OUTER_BLANKS = " \t\n\r\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"


@dataclass(frozen=True, slots=True)
class Index:
    """Names and, for every row, the number of its name.

    Attributes
    ----------
    names : sorted.
    code : (rows,) index into ``names``.
    tidied : how many different names were changed by trimming blanks or composing accents.
    """

    names: tuple[str, ...]
    code: Ints
    tidied: int


def index_names(text: pl.Series, *, column: str) -> Index:
    """Number the names of a column.

    Blanks at the ends, no-break spaces and decomposed accents are normalised; names that are
    empty or hold invisible characters are refused.
    """
    code, first = _codes(text)
    different = text.gather(first).to_list()
    if any(name is None or not name.strip() for name in different):
        _refuse_empty(text, column)
    tidied = 0
    if not all(map(PLAIN.fullmatch, different)):
        before = different
        different = [tidy(name) for name in before]
        for name in different:
            _refuse_invisible(name, column)
        tidied = sum(old != new for old, new in zip(before, different, strict=True))
    names = sorted(set(different))
    number = {name: k for k, name in enumerate(names)}
    place = np.array([number[name] for name in different], np.int64)
    return Index(tuple(names), place[code], tidied)


def _codes(text: pl.Series) -> tuple[Ints, Ints]:
    """(rows,) a number for each different text, and the first row of each."""
    filled = text.fill_null("")
    code = filled.cast(pl.Categorical).to_physical().to_numpy().astype(np.int64)
    seen = np.flatnonzero(np.bincount(code)) if code.size else code
    dense = np.zeros(int(code.max(initial=0)) + 1, np.int64)
    dense[seen] = np.arange(seen.size)
    code = dense[code]
    first = np.empty(seen.size, np.int64)
    first[code[::-1]] = np.arange(code.size)[::-1]
    return code, first


def tidy(name: str) -> str:
    r"""A name without blanks at the ends, with plain spaces and composed accents.

    >>> tidy(" deep\u00a0forest ")
    'deep forest'
    """
    plain = unicodedata.normalize("NFC", name).replace("\u00a0", " ")
    return re.sub(rf"^[{OUTER_BLANKS}]+|[{OUTER_BLANKS}]+$", "", plain)


def look_alike(name: str) -> str:
    """What remains of a name when case, compatibility forms and joiners are ignored."""
    plain = "".join(c for c in name if c not in JOINERS and not "\ufe00" <= c <= "\ufe0f")
    return unicodedata.normalize("NFKC", plain).casefold()


def close_names(name: object, names: Sequence[str]) -> list[str]:
    """Up to three names that a misspelt one may have meant.

    >>> close_names("xgbost", ["lightgbm", "xgboost", "svm"])
    ['xgboost']
    """
    plain: dict[str, str] = {}
    for candidate in names[:10_000]:
        plain.setdefault(candidate.casefold(), candidate)
    close = difflib.get_close_matches(str(name).casefold(), plain, n=3)
    return [plain[found] for found in close]


def _refuse_empty(text: pl.Series, column: str) -> None:
    empty = text.is_null() | (text.str.strip_chars() == "")
    if empty.any():
        rows, first = int(empty.sum()), int(empty.arg_max() or 0)
        raise EmptyName(column=column, rows=rows, first_row=first + 1)


def _refuse_invisible(name: str, column: str) -> None:
    for character in name:
        code = ord(character)
        hidden = (
            unicodedata.category(character) in INVISIBLE
            or character in BLANK
            or code & 0xFFFE == 0xFFFE
            or 0xFDD0 <= code <= 0xFDEF
        )
        if hidden and character not in JOINERS:
            raise UnreadableName(column=column, name=name, character=character)
