"""Names as data: text is kept as it is, apart from what no reader could see."""

import difflib
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from winodds.arrays import Ints
from winodds.table.errors import EmptyName, NotConstant, UnreadableName

PLAIN = re.compile(r"[!-~]([ -~]*[!-~])?")
"""Printable ASCII without blanks at the ends: nothing to normalise."""

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that print as nothing although their category says otherwise."""

JOINERS = frozenset("\u200c\u200d")
"""Invisible, but needed to write some languages and emoji."""

TWINS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαοριν×‐‑‒–—―−’‘",
    "ABESIJKMHOPCTYXaeopcyxsijhdqwABEZHIKMNOPTYXaopivx-------''",
)
"""Letters of Cyrillic and Greek, and marks, that look like one on every keyboard."""

NUMERAL = re.compile(r"[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,2})?", re.ASCII)

OUTER_BLANKS_TEXT = " \t\n\r"

OUTER_BLANKS = " \t\n\r\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"


@dataclass(frozen=True, slots=True)
class Index:
    """Names and, for every row, the number of its name.

    Attributes
    ----------
    names : sorted.
    code : (rows,) index into ``names``.
    tidied : how many different names were changed by trimming blanks or composing accents.
    respelt : names that became another one, because both are the same whole number.
    equal : names that are the same number, and stay apart.
    """

    names: tuple[str, ...]
    code: Ints
    tidied: int
    respelt: Mapping[str, str] = field(default_factory=dict)
    equal: tuple[tuple[str, ...], ...] = ()


def index_names(
    text: pl.Series, *, column: str, place: Callable[[int], str], shown: bool = True
) -> Index:
    """Number the names of a column.

    Blanks at the ends, no-break spaces and decomposed accents are normalised; names that are
    empty or, unless they are never ``shown``, hold invisible characters are refused, with the
    ``place`` of the first row.
    """
    code, number_of, first = _codes(text)
    different = text.gather(first).cast(pl.String).to_list()
    if any(name is None or not name.strip() for name in different):
        _refuse_empty(text.cast(pl.String), column, place)
    tidied = 0
    if not all(map(PLAIN.fullmatch, different)):
        before = different
        different = [tidy(name) for name in before]
        for row, name in sorted(zip(first.tolist(), different, strict=True)):
            hidden = hidden_character(name) if shown else None
            if hidden is not None:
                raise UnreadableName(column=column, name=name, character=hidden, where=place(row))
        tidied = sum(old != new for old, new in zip(before, different, strict=True))
    names = sorted(set(different))
    number = {name: k for k, name in enumerate(names)}
    rank = np.array([number[name] for name in different], np.int64)
    return Index(tuple(names), rank[number_of][code], tidied)


BREAK = "\u21b5"
"""Stands in the name of a round where a line ends, as in a prompt."""


def one_line(text: pl.Series) -> pl.Series:
    """Names with a sign where a line ends, and a blank for a tab."""
    words = text.cast(pl.String)
    if not words.str.contains(r"[\n\r\t]").any():
        return text
    inner = words.str.strip_chars(OUTER_BLANKS_TEXT)
    return inner.str.replace_all(r"\r\n|\n|\r", BREAK).str.replace_all("\t", " ")


def join_numerals(index: Index) -> Index:
    """One name for each whole number, if all names are whole numbers.

    A fold that is 3 in one file and 3.0 in another is one fold. Of other numbers nobody knows: 1.1
    and 1.10 may be versions, and "3.0" beside "final" is a word.
    """
    spelt: dict[Decimal, list[str]] = {}
    for name in index.names:
        if NUMERAL.fullmatch(name):
            spelt.setdefault(Decimal(name), []).append(name)
    several = [sorted(names, key=lambda name: (len(name), name)) for names in spelt.values()]
    several = [names for names in several if len(names) > 1]
    if not several:
        return index
    known = sum(map(len, spelt.values())) == len(index.names)
    if not known or any(value % 1 for value in spelt):
        return replace(index, equal=tuple(map(tuple, several)))
    respelt = {name: names[0] for names in several for name in names[1:]}
    names = tuple(name for name in index.names if name not in respelt)
    number = {name: k for k, name in enumerate(names)}
    code = np.array([number[respelt.get(name, name)] for name in index.names], np.int64)
    return replace(index, names=names, code=code[index.code], respelt=respelt)


def constant(
    index: Index,
    column: str,
    role: str,
    names: Sequence[str],
    number: Ints,
    *,
    unit: str = "round",
) -> Ints:
    """The code that all rows of a round, or of a player, share, for each of them."""
    first = np.empty(len(names), np.int64)
    first[number[::-1]] = index.code[::-1]
    differs = index.code != first[number]
    if differs.any():
        chosen = int(number[differs.argmax()])
        values = np.unique(index.code[number == chosen])
        raise NotConstant(
            column=column,
            role=role,
            name=names[chosen],
            values=[index.names[value] for value in values],
            unit=unit,
        )
    return first


def _codes(text: pl.Series) -> tuple[NDArray[np.integer], Ints, Ints]:
    """Polars' code of each row, what number a code has among those that occur, and their rows.

    Codes are those of all categories of the process, so most may be of other columns. The row of
    each is the first in which it occurs.
    """
    if text.null_count():
        text = text.cast(pl.String).fill_null("")
    code = text.cast(pl.Categorical).to_physical().to_numpy()
    seen = np.flatnonzero(np.bincount(code)) if code.size else np.empty(0, np.int64)
    number_of = np.zeros(int(seen.max(initial=-1)) + 1, np.int64)
    number_of[seen] = np.arange(seen.size)
    row = np.empty(number_of.size, np.int64)
    row[code[::-1]] = np.arange(code.size - 1, -1, -1)
    return code, number_of, row[seen]


def tidy(name: str) -> str:
    r"""A name without blanks at the ends, with plain spaces and composed accents.

    >>> tidy(" deep\u00a0forest ")
    'deep forest'
    """
    plain = unicodedata.normalize("NFC", name).replace("\u00a0", " ")
    return re.sub(rf"^[{OUTER_BLANKS}]+|[{OUTER_BLANKS}]+$", "", plain)


def look_alike(name: str) -> str:
    """What remains of a name when case, form, joiners, twins and further blanks are ignored."""
    plain = "".join(c for c in name if c not in JOINERS and not "\ufe00" <= c <= "\ufe0f")
    plain = unicodedata.normalize("NFKC", plain).translate(TWINS).casefold()
    return " ".join(plain.split())


def close_names(name: object, names: Sequence[str]) -> list[str]:
    """Up to three names that a misspelt or shortened one may have meant.

    >>> close_names("xgbost", ["lightgbm", "xgboost", "svm"])
    ['xgboost']
    >>> close_names("svm", ["lightgbm(depth=6)", "svm(C=1)", "svm(C=10)"])
    ['svm(C=1)', 'svm(C=10)']
    """
    plain: dict[str, str] = {}
    for candidate in names[:10_000]:
        plain.setdefault(candidate.casefold(), candidate)
    wanted = str(name).casefold()
    close = difflib.get_close_matches(wanted, plain, n=3)
    longer = [candidate for candidate in plain if len(wanted) > 1 and wanted in candidate]
    return [plain[found] for found in dict.fromkeys([*close, *longer])][:3]


def _refuse_empty(text: pl.Series, column: str, place: Callable[[int], str]) -> None:
    empty = text.is_null() | (text.str.strip_chars() == "")
    if empty.any():
        rows, first = int(empty.sum()), int(empty.arg_max() or 0)
        raise EmptyName(column=column, rows=rows, where=place(first))


def hidden_character(name: str) -> str | None:
    """The first character of a name that nobody sees, if it has one."""
    for character in name:
        code = ord(character)
        hidden = (
            unicodedata.category(character) in INVISIBLE
            or character in BLANK
            or code & 0xFFFE == 0xFFFE
            or 0xFDD0 <= code <= 0xFDEF
        )
        if hidden and character not in JOINERS:
            return character
    return None
