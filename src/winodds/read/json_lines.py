"""JSON lines, or an array of objects → cells: an object is a row.

Polars reads the objects. Where an object has a key twice or lacks one, or polars gives up, the
standard library reads them one by one and tells the line, or the item of the array.
"""

import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import polars as pl

from winodds.language.errors import DataError
from winodds.language.options import Decimal
from winodds.read.errors import BadJsonItem, BadJsonLine, EmptyFile, UnreadableHeader
from winodds.table.names import tidy

LINE, ITEM = "line", "item"
"""What an object is a part of: a file of lines, or an array."""

NESTED_SHOWN, TEXT_SHOWN = 5, 100
"""How many parts of a list or an object in a cell are kept, and how many characters of their texts:
it is no name and no number, and perhaps a whole conversation."""

Refuse: TypeAlias = Callable[[int, str, str], DataError]
"""The error about a part: its number, what is wrong, and its text."""


@dataclass(frozen=True, slots=True)
class JsonLines:
    """Objects as rows.

    Attributes
    ----------
    frame : a column for every key.
    lines : the line (or item) of each row, or None when row k is line k + 1.
    absent : for keys that not all objects have, the rows without.
    nested : keys with lists or objects among their values, and which these are.
    unit : "line" or "item".
    """

    frame: pl.DataFrame
    lines: Sequence[int] | None
    absent: dict[str, list[int]]
    nested: Mapping[str, str] = field(default_factory=dict)
    unit: str = LINE

    def place(self, row: int) -> str:
        """Where an object stands."""
        return f"{self.unit} {row + 1 if self.lines is None else self.lines[row]:,}"


def looks_like_json(text: bytes) -> bool:
    """Whether the text begins with an object."""
    return re.match(rb"\s*\{\s*[\"}]", text) is not None


def looks_like_array(text: bytes) -> bool:
    """Whether the text begins like a JSON array."""
    return re.match(rb"\s*\[\s*([\[\]{\"\d-]|true|false|null|$)", text) is not None


def read_json_lines(text: bytes, decimal: Decimal = ".") -> JsonLines:
    """Read the objects; blank lines are skipped.

    Where numbers end up as text, it is with the ``decimal`` mark that texts have.
    """
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    found = None if _is_nested(text) else _read_fast(text)
    if found is None:
        return read_slowly(text, decimal)
    if not re.search(rb"^\s*\n|\n[ \t\r]*\n", text):
        return JsonLines(found, None, {})
    return JsonLines(found, [number for number, _ in _lines(text)], {})


def _is_nested(text: bytes) -> bool:
    """Whether the first object seems to hold others, which polars would read in vain."""
    return re.search(rb"[:,]\s*[\[{]", text[: text.find(b"\n") + 1]) is not None


def _read_fast(text: bytes) -> pl.DataFrame | None:
    """What polars reads, if every object has every key once, and texts are not mixed with numbers.

    Polars would turn the numbers into texts, but not into those that were written.
    """
    try:
        frame = pl.read_ndjson(io.BytesIO(text), infer_schema_length=None)
    except (Exception, pl.exceptions.PanicException):
        # Whatever the fault is, the slow way finds its line.
        return None
    for name in frame.columns:
        key = json.dumps(name, ensure_ascii=False).encode()
        if text.count(key + b":") + text.count(key + b" :") != frame.height:
            return None
        series = frame[name]
        nulls = text.count(key + b":null") + text.count(key + b": null")
        texts = text.count(key + b':"') + text.count(key + b': "')
        mixed = series.dtype == pl.String and texts + nulls != frame.height
        if mixed or nulls != series.null_count() or series.dtype.is_nested():
            return None
    return frame if frame.width else None


def read_slowly(text: bytes, decimal: Decimal = ".") -> JsonLines:
    """The objects of lines read one by one, all cells as text."""
    return _read_parts(_lines(text), decimal, LINE)


def _read_parts(parts: Iterable[tuple[int, str]], decimal: Decimal, unit: str) -> JsonLines:
    """Numbered texts of objects as rows; what is nested in them is not kept but for its begin."""
    refuse = _refuse_line if unit == LINE else _refuse_item
    rows: list[dict[str, str | None]] = []
    numbers: list[int] = []
    nested: dict[str, str] = {}
    for number, part in parts:
        found = _object(part, number, refuse)
        numbers.append(number)
        rows.append({sys.intern(key): _cell(value, decimal) for key, value in found.items()})
        for key, value in found.items():
            if isinstance(value, (list, dict)):
                nested[tidy(key)] = type(value).__name__
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if not keys:
        raise EmptyFile()
    for key in keys:
        if half := re.search("[\ud800-\udfff]", key):
            raise UnreadableHeader(name=key, character=half[0])
    absent = {key: [k for k, row in enumerate(rows) if key not in row] for key in keys}
    return JsonLines(
        pl.DataFrame(
            {key: [row.get(key) for row in rows] for key in keys},
            schema=dict.fromkeys(keys, pl.String),
        ),
        numbers,
        {tidy(key): missing for key, missing in absent.items() if missing},
        nested,
        unit,
    )


def _lines(text: bytes) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, with their numbers."""
    for number, line in enumerate(text.split(b"\n"), start=1):
        decoded = line.decode()
        if decoded.strip():
            yield number, decoded


def _object(part: str, number: int, refuse: Refuse) -> dict[str, Any]:
    try:
        found = DECODER.decode(part)
    except json.JSONDecodeError as error:
        reason = f"{error.msg.lower().removesuffix(' at')} at column {error.colno}"
        raise refuse(number, reason, part) from None
    except RecursionError:
        raise refuse(number, "it is nested too deeply", part) from None
    except ValueError as error:
        raise refuse(number, str(error), part) from None
    if not isinstance(found, dict):
        raise refuse(number, "a number, word or list", part)
    return found


def _refuse_line(number: int, reason: str, text: str) -> DataError:
    return BadJsonLine(line=number, reason=reason, text=text)


def _refuse_item(number: int, reason: str, text: str) -> DataError:
    return BadJsonItem(item=number, reason=reason, text=text)


# Arrays -------------------------------------------------------------------------------------------

TEXT = rb'"(?:[^"\\\x00-\x1f]++|\\.)*+"'
OTHERS = rb'[^{}\[\]"]++|' + TEXT
DEPTH = 5


def _whole(depth: int) -> bytes:
    """The pattern of an object or a list in which others stand up to so many levels deep."""
    inside = OTHERS if depth == 0 else OTHERS + b"|" + _whole(depth - 1)
    return rb"\{(?:" + inside + rb")*+\}|\[(?:" + inside + rb")*+\]"


ITEMS = re.compile(rb"\{(?:" + OTHERS + b"|" + _whole(DEPTH) + rb")*+\}|" + TEXT + rb'|[\[\]{}",]')
"""What divides an array into items: a whole object, a text, or a mark."""


def read_json_array(text: bytes, decimal: Decimal = ".") -> JsonLines:
    """Read the objects of an array as strictly as those of lines; items count from 1."""
    items, flat = _split(text)
    if flat:
        found = _read_fast(b"\n".join(items))
        if found is not None:
            return JsonLines(found, None, {}, unit=ITEM)
    return _read_items(items, decimal)


def reread_array(text: bytes, decimal: Decimal) -> JsonLines:
    """The objects of an array read one by one, all cells as text."""
    return _read_items(_split(text)[0], decimal)


def _read_items(items: Sequence[bytes], decimal: Decimal) -> JsonLines:
    parts = ((number, item.decode()) for number, item in enumerate(items, start=1))
    return _read_parts(parts, decimal, ITEM)


def _split(text: bytes) -> tuple[list[bytes], bool]:
    """The items of an array, each on one line, and whether surely no object has others inside.

    No text of JSON holds a line break as it is, so what is one stands between the parts.
    """
    items: list[bytes] = []
    begin = text.index(b"[") + 1
    depth, flat = 0, True
    for found in ITEMS.finditer(text):
        mark = found.group()
        flat = flat and b"[" not in mark[1:] and b"{" not in mark[1:]
        if mark in (b"[", b"{"):
            flat = flat and depth == 0
            depth += 1
        elif mark in (b"]", b"}", b",") and depth == 1:
            items.append(_one_line(text[begin : found.start()]))
            begin = found.end()
            depth -= mark != b","
            if depth == 0:
                break
        elif mark in (b"]", b"}"):
            depth -= 1
        elif mark == b'"':
            break
    _refuse_rest(text, begin, depth, len(items))
    if len(items) == 1 and not items[0]:
        raise EmptyFile()
    return items, flat and all(item.startswith(b"{") for item in items)


def _one_line(item: bytes) -> bytes:
    return item.translate(BLANKS).strip()


BLANKS = bytes.maketrans(b"\n\r", b"  ")


def _refuse_rest(text: bytes, begin: int, depth: int, items: int) -> None:
    """Refuse an array that does not end, or what comes behind its end."""
    rest = text[begin : begin + 200].decode(errors="replace").strip()
    if depth:
        reason = "the array does not end, or a text in it; is the file cut off?"
        raise _refuse_item(items + 1, reason, rest)
    if rest:
        raise _refuse_item(items + 1, "it stands behind the end of the array", rest)


class _Number(str):
    """The digits of a number, as they were written."""

    __slots__ = ()


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"it has '{twice}' twice")
    return found


def _constant(word: str) -> None:
    """Nothing for NaN, which Python writes; infinite numbers are refused."""
    if word != "NaN":
        raise ValueError(f"{word} is no JSON number")


DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_Number, parse_int=_Number
)


def _cell(value: object, decimal: Decimal) -> str | None:
    """A cell as text; a number keeps its digits."""
    if isinstance(value, _Number):
        return value.replace(".", decimal)
    return value if value is None or isinstance(value, str) else _dump(value)


def _dump(value: object, depth: int = 0) -> str:
    """What is no name and no number, as far as a message shows it; lists of numbers are whole."""
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, list):
        plain = all(part is None or isinstance(part, _Number) for part in value)
        parts = [_dump(part, depth + 1) for part in (value if plain else value[:NESTED_SHOWN])]
        return f"[{_join(parts, len(value), depth)}]"
    if isinstance(value, dict):
        shown = list(value.items())[:NESTED_SHOWN]
        parts = [f"{ENCODER.encode(key)}: {_dump(inner, depth + 1)}" for key, inner in shown]
        return f"{{{_join(parts, len(value), depth)}}}"
    return ENCODER.encode(value[:TEXT_SHOWN] if isinstance(value, str) else value)


def _join(parts: list[str], total: int, depth: int) -> str:
    if depth > DEPTH:
        return "…"
    return ", ".join([*parts, *(["…"] if len(parts) < total else [])])


ENCODER = json.JSONEncoder(ensure_ascii=False)
