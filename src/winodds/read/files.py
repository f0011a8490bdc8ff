"""Path → Sheet: the only place that opens input files."""

import codecs
import difflib
import gzip
import io
import json
import os
import re
import sys
import zlib
from pathlib import Path
from typing import get_args

import polars as pl

from winodds.errors import (
    BadJsonLine,
    BadOption,
    EmptyFile,
    IsFolder,
    NoSuchFile,
    RefusedFormat,
    Unreadable,
    WrongEncoding,
)
from winodds.options import check_choice
from winodds.read.delimited import read_delimited
from winodds.read.numbers import Decimal
from winodds.read.sheet import Sheet

STANDARD_INPUT = "-"

PARQUET = b"PAR1"
REFUSED = {
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"PK\x05\x06": "an empty zip archive",
    b"RDX": "an R workspace",
    b"RDA": "an R workspace",
    b"X\n\x00": "an R object",
    b"A\n": "an R object",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a numpy array",
    b"SQLite format 3": "a database",
    b"%PDF": "a PDF document",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"ARROW1": "an Arrow file",
}
PICKLES = tuple(bytes([0x80, protocol]) for protocol in range(6))
WIDE_ENCODINGS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read_results(
    path: str | os.PathLike[str],
    *,
    decimal: Decimal = ".",
    percent: bool = False,
    encoding: str = "utf-8",
) -> Sheet:
    r"""Read a file of results strictly: CSV, TSV, ``;``-CSV, JSON lines or Parquet, also ``.gz``.

    What the file is follows from its content. All cells of a text file stay text until a role
    asks for numbers; whatever is not well-formed is refused with its line.

    Parameters
    ----------
    path : the file; "-" is standard input.
    decimal : the decimal mark in numbers, "." or ",".
    percent : whether scores are percentages, such as 91.5 or 91.5%; they are divided by 100.
    encoding : of text files, as Python calls it.

    Returns
    -------
    Sheet
        A table that `rate`, `rate_each` and `rate_battles` take like a data frame.

    Examples
    --------
    >>> import tempfile, pathlib, winodds
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "results.csv"
    >>> _ = file.write_text("model,fold,auc\nA,1,.9\nB,1,.8\nA,2,.9\nB,2,.7\n")
    >>> sheet = winodds.read_results(file)
    >>> sheet.columns
    ['model', 'fold', 'auc']
    >>> winodds.rate(sheet, player="model", round="fold", score="auc").players
    ('A', 'B')
    """
    check_choice("decimal", decimal, get_args(Decimal))
    name = os.fspath(path)
    data = _unpack(_load(name), name)
    _refuse_formats(data, name)
    if data.startswith(PARQUET):
        return Sheet(_read_parquet(data, name), name=name, decimal=decimal, percent=percent)
    text = _decode(data, encoding)
    if text.lstrip()[:1] in (b"{", b"["):
        frame, lines = _read_json_lines(text, name)

        def place(row: int) -> str:
            return f"line {lines[row] if lines else row + 1:,}"

        return Sheet(frame, name=name, decimal=decimal, percent=percent, place=place)
    source = read_delimited(text)
    return Sheet(source, name=name, decimal=decimal, percent=percent, notes=source.notes)


def _load(name: str) -> bytes:
    try:
        if name == STANDARD_INPUT:
            return sys.stdin.buffer.read()
        if not name:
            raise FileNotFoundError
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise NoSuchFile(path=name, close=_neighbours(Path(name))) from None
    except IsADirectoryError:
        raise IsFolder(path=name) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Unreadable(path=name, reason=reason.lower()) from error


def _neighbours(path: Path) -> list[str]:
    """Files beside a missing one with nearly its name."""
    try:
        names = [entry.name for entry in os.scandir(path.parent) if entry.is_file()]
    except OSError:
        return []
    return [str(path.parent / name) for name in difflib.get_close_matches(path.name, names)]


def _unpack(data: bytes, name: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise Unreadable(path=name, reason=f"the gzip data are damaged ({error})") from error


def _refuse_formats(data: bytes, name: str) -> None:
    """Refuse what can run code when it is opened, and what is no text."""
    for magic, kind in REFUSED.items():
        if data.startswith(magic):
            raise RefusedFormat(path=name, kind=kind)
    if data.startswith(PICKLES) or (data[:1] == b"(" and data.rstrip()[-1:] == b"."):
        raise RefusedFormat(path=name, kind="a Python pickle")


def _decode(data: bytes, encoding: str) -> bytes:
    """The text as UTF-8 without a byte-order mark."""
    wanted = _encoding(encoding)
    if wanted == "utf-8":
        data = data.removeprefix(codecs.BOM_UTF8)
        if data.isascii():
            return data
    try:
        text = data.decode(wanted)
    except UnicodeDecodeError as error:
        raise _wrong_encoding(data, error, wanted) from None
    return data if wanted == "utf-8" else text.removeprefix("\ufeff").encode()


def _encoding(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        wanted = 'it is the name of an encoding, such as "utf-8", "latin-1" or "utf-16"'
        raise BadOption(option="encoding", value=encoding, wanted=wanted) from None


def _wrong_encoding(data: bytes, error: UnicodeDecodeError, encoding: str) -> WrongEncoding:
    place = error.start
    begin = data.rfind(b"\n", 0, place) + 1
    guess = next((name for mark, name in WIDE_ENCODINGS.items() if data.startswith(mark)), None)
    return WrongEncoding(
        encoding=encoding.upper(),
        line=1 + data.count(b"\n", 0, place),
        column=place - begin + 1,
        byte=data[place],
        guess=guess or "latin-1",
    )


def _read_parquet(data: bytes, name: str) -> pl.DataFrame:
    try:
        return pl.read_parquet(io.BytesIO(data))
    except (Exception, pl.exceptions.PanicException) as error:
        # Damaged files make polars raise errors of many kinds, and panic.
        raise Unreadable(path=name, reason=f"the Parquet data are damaged ({error})") from error


def _read_json_lines(data: bytes, name: str) -> tuple[pl.DataFrame, list[int] | None]:
    """The objects as rows, and the line of each when there are blank lines."""
    if data.lstrip().startswith(b"["):
        raise RefusedFormat(path=name, kind="a JSON array")
    blank = re.search(rb"^\s*\n|\n[ \t\r]*\n", data) is not None
    try:
        frame = pl.read_ndjson(io.BytesIO(data), infer_schema_length=None)
    except (Exception, pl.exceptions.PanicException):
        # polars tells neither the line nor the fault; the standard library does.
        lines = enumerate(data.split(b"\n"), start=1)
        rows = [_json_object(line, number) for number, line in lines if line.strip()]
        frame = pl.DataFrame(rows, infer_schema_length=None)
    if not frame.width:
        raise EmptyFile()
    if not blank:
        return frame, None
    return frame, [k for k, line in enumerate(data.split(b"\n"), start=1) if line.strip()]


def _json_object(line: bytes, number: int) -> dict[str, object]:
    text = line.decode()
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        reason = f"{error.msg.lower().removesuffix(' at')} at column {error.colno}"
        raise BadJsonLine(line=number, reason=reason, text=text) from None
    except ValueError as error:
        raise BadJsonLine(line=number, reason=str(error), text=text) from None
    if not isinstance(found, dict):
        raise BadJsonLine(line=number, reason="a number, word or list", text=text)
    return {key: _plain(value) for key, value in found.items()}


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no JSON number; write null")


def _plain(value: object) -> str | None:
    """A cell as text; numbers keep their digits."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)
