"""JSON lines → cells: one object a line.

Polars reads the objects. Where an object has a key twice or lacks one, or polars gives up, the
standard library reads them one by one and tells the line.
"""

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from winodds.language.options import Decimal
from winodds.read.errors import BadJsonLine, EmptyFile, RefusedFormat
from winodds.table.names import tidy


@dataclass(frozen=True, slots=True)
class JsonLines:
    """Objects as rows.

    Attributes
    ----------
    frame : a column for every key.
    lines : the line of each row, or None when row k is line k + 1.
    absent : for keys that not all objects have, the rows without.
    nested : keys with lists or objects among their values, and which these are.
    """

    frame: pl.DataFrame
    lines: Sequence[int] | None
    absent: dict[str, list[int]]
    nested: Mapping[str, str] = field(default_factory=dict)

    def place(self, row: int) -> str:
        """Where an object stands."""
        return f"line {row + 1 if self.lines is None else self.lines[row]:,}"


def looks_like_json(text: bytes, name: str) -> bool:
    """Whether the text begins with an object; an array is refused."""
    if re.match(rb"\s*\[\s*([\[\]{\"\d-]|true|false|null|$)", text):
        raise RefusedFormat(path=name, kind="a JSON array")
    return re.match(rb"\s*\{\s*[\"}]", text) is not None


def read_json_lines(text: bytes, decimal: Decimal = ".") -> JsonLines:
    """Read the objects; blank lines are skipped.

    Where numbers end up as text, it is with the ``decimal`` mark that texts have.
    """
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    found = _read_fast(text)
    if found is None:
        return read_slowly(text, decimal)
    if not re.search(rb"^\s*\n|\n[ \t\r]*\n", text):
        return JsonLines(found, None, {})
    return JsonLines(found, [number for number, _ in _lines(text)], {})


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
    """The objects read one by one, all cells as text."""
    numbered = _lines(text)
    rows = [_object(line, number) for number, line in numbered]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if not keys:
        raise EmptyFile()
    nested = {
        tidy(key): type(value).__name__
        for row in rows
        for key, value in row.items()
        if isinstance(value, (list, dict))
    }
    columns = {key: [_cell(row.get(key), decimal) for row in rows] for key in keys}
    absent = {key: [k for k, row in enumerate(rows) if key not in row] for key in keys}
    return JsonLines(
        pl.DataFrame(columns, schema=dict.fromkeys(keys, pl.String)),
        [number for number, _ in numbered],
        {tidy(key): missing for key, missing in absent.items() if missing},
        nested,
    )


def _lines(text: bytes) -> list[tuple[int, str]]:
    """Lines that are not blank, with their numbers."""
    lines = text.decode().split("\n")
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(
            line,
            object_pairs_hook=_pairs,
            parse_constant=_constant,
            parse_float=_Number,
            parse_int=_Number,
        )
    except json.JSONDecodeError as error:
        reason = f"{error.msg.lower().removesuffix(' at')} at column {error.colno}"
        raise BadJsonLine(line=number, reason=reason, text=line) from None
    except RecursionError:
        raise BadJsonLine(line=number, reason="it is nested too deeply", text=line) from None
    except ValueError as error:
        raise BadJsonLine(line=number, reason=str(error), text=line) from None
    if not isinstance(found, dict):
        raise BadJsonLine(line=number, reason="a number, word or list", text=line)
    return found


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


def _cell(value: object, decimal: Decimal) -> str | None:
    """A cell as text; a number keeps its digits."""
    if isinstance(value, _Number):
        return value.replace(".", decimal)
    return value if value is None or isinstance(value, str) else _dump(value)


def _dump(value: object) -> str:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_dump, value))}]"
    if isinstance(value, dict):
        return (
            f"{{{', '.join(f'{json.dumps(key)}: {_dump(inner)}' for key, inner in value.items())}}}"
        )
    return json.dumps(value, ensure_ascii=False)
