"""Path → Sheet: what a file is, and the table in it."""

import codecs
import io
import os
import pickletools
import re
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, get_args

import polars as pl

from winodds.language.checks import check_choice
from winodds.language.errors import BadOption
from winodds.language.options import LIMIT, Cells, Decimal
from winodds.language.words import reason_of
from winodds.read.delimited import check_header, read_delimited, stand_in
from winodds.read.errors import RefusedFormat, Unreadable, WrongEncoding
from winodds.read.json_lines import (
    JsonLines,
    looks_like_array,
    looks_like_json,
    read_json_array,
    read_json_lines,
    read_slowly,
    reread_array,
)
from winodds.read.loading import STANDARD_INPUT, is_stream, limit_in_bytes, load_content
from winodds.read.sheet import Sheet
from winodds.read.spreadsheet import is_spreadsheet, read_spreadsheet
from winodds.table.frames import refuse_forked
from winodds.table.names import tidy

PARQUET = b"PAR1"
REFUSED = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    **{b"RD%c%d\n" % (kind, version): "an R workspace" for kind in b"XA" for version in (2, 3)},
    b"X\n\x00": "an R object",
    b"A\n2\n": "an R object",
    b"A\n3\n": "an R object",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a numpy array",
    b"SQLite format 3\x00": "a database",
    b"%PDF-": "a PDF document",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet",
    **{b"BZh%d1AY&SY" % level: "a bzip2 archive" for level in range(1, 10)},
    b"\xfd7zXZ\x00": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"ARROW1\x00": "an Arrow file",
    b"\x1f\x8b": "a gzip archive in another one",
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
    limit: float = LIMIT,
    sheet: str | None = None,
) -> Sheet:
    r"""Read a file of results strictly: CSV, TSV, ``;``-CSV, JSON, Parquet or Excel, also ``.gz``.

    What the file is follows from its content. All cells of a text file stay text until a role
    asks for numbers; whatever is not well-formed is refused with its line.

    Parameters
    ----------
    path : the file; "-" is standard input.
    decimal : the decimal mark in numbers, "." or ",".
    percent : whether scores are percentages, such as 91.5 or 91.5%; they are divided by 100.
    encoding : of text files, as Python calls it.
    limit : gigabytes that the file may have, unpacked; never more than half of the memory, unless
        it is said.
    sheet : of a spreadsheet, if it has several.

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
    cells = Cells(decimal=decimal, percent=percent, encoding=encoding, limit=limit, sheet=sheet)
    return read_content(load_content(name, limit=cells.limit), name, cells)


def read_content(data: bytes, name: str, cells: Cells, *, flat: bool = False) -> Sheet:
    """The table of a file of this name, of which the content is at hand.

    With ``flat``, columns of lists and objects are left out of a Parquet file.
    """
    refuse_forked()
    decimal, percent, encoding = cells.decimal, cells.percent, cells.encoding
    if is_spreadsheet(data):
        return _read_sheet(data, name, cells)
    if cells.sheet is not None:
        raise BadOption(option="sheet", value=cells.sheet, wanted="only spreadsheets have sheets")
    _refuse_formats(data, name)
    if data.startswith(PARQUET):
        if _encoding(encoding) != "utf-8":
            wanted = "a Parquet file says itself how its text is encoded"
            raise BadOption(option="encoding", value=encoding, wanted=wanted)
        chosen = _flat_columns(parquet_schema(data, name)) if flat else None
        frame = tidy_columns(_read_parquet(data, name, chosen))
        return Sheet(frame, name=name, decimal=decimal, percent=percent)
    text = _decode(data, encoding, name)
    if looks_like_json(text):
        lines = read_json_lines(text, decimal)
        return _objects(lines, name, cells, lambda: read_slowly(text, decimal))
    if looks_like_array(text):
        items = read_json_array(text, decimal)
        return _objects(items, name, cells, lambda: reread_array(text, decimal))
    source = read_delimited(text)
    again = None
    if name != STANDARD_INPUT and not is_stream(name):
        again = partial(_read_text, name, cells, hash(data))
    return Sheet(
        source, name=name, decimal=decimal, percent=percent, notes=source.notes, again=again
    )


def _read_sheet(data: bytes, name: str, cells: Cells) -> Sheet:
    """The table in a spreadsheet."""
    most = limit_in_bytes(cells.limit)
    frame, rows = read_spreadsheet(data, name, sheet=cells.sheet, most=most)
    decimal, percent = cells.decimal, cells.percent
    return Sheet(
        frame, name=name, decimal=decimal, percent=percent, place=lambda row: f"row {rows[row]:,}"
    )


def _objects(found: JsonLines, name: str, cells: Cells, again: Callable[[], JsonLines]) -> Sheet:
    """The table of JSON objects; ``again`` reads them once more, all cells as text."""
    return Sheet(
        tidy_columns(found.frame),
        name=name,
        decimal=cells.decimal,
        percent=cells.percent,
        place=found.place,
        absent=found.absent,
        nested=found.nested,
        unit=found.unit,
        reread=lambda: tidy_columns(again().frame),
    )


def _read_text(name: str, cells: Cells, before: int) -> Sheet:
    """A delimited file once more, when all of its columns are wanted; it must be the same."""
    data = load_content(name, limit=cells.limit)
    if hash(data) != before:
        raise Unreadable(path=name, reason="it was changed while it was read")
    return Sheet(read_delimited(_decode(data, cells.encoding, name)), name=name)


def load_text(name: str) -> str:
    """All of a text file in UTF-8, unpacked."""
    return _decode(load_content(name), "utf-8", name).decode()


def find_files(name: str, pattern: str) -> list[Path]:
    """The files below a folder whose names fit, sorted; a single file fits or not."""
    path = Path(name)
    if path.is_dir():
        try:
            return sorted(found for found in path.rglob(pattern) if found.is_file())
        except OSError as error:
            raise Unreadable(path=str(path), reason=reason_of(error)) from error
    return [path] if path.is_file() and path.match(pattern) else []


def open_database(name: str) -> sqlite3.Connection:
    """An SQLite database, only to be read."""
    try:
        address = f"{Path(name).resolve().as_uri()}?mode=ro"
        return sqlite3.connect(address, uri=True, timeout=5.0)
    except sqlite3.Error as error:
        raise Unreadable(path=name, reason=f"it is no sound database ({error})") from error


def query_database(name: str, query: str) -> list[tuple[Any, ...]]:
    """The rows that a query of an SQLite database gives."""
    try:
        with closing(open_database(name)) as database:
            return database.execute(query).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise Unreadable(path=name, reason=f"it is no sound database ({error})") from error


def _refuse_formats(data: bytes, name: str) -> None:
    """Refuse what can run code when it is opened, and what is no table."""
    for magic, kind in REFUSED.items():
        if data.startswith(magic):
            raise RefusedFormat(path=name, kind=kind)
    if _is_pickle(data):
        raise RefusedFormat(path=name, kind="a Python pickle")
    if _is_zlib(data):
        raise RefusedFormat(path=name, kind="zlib data (of joblib?)")


def _is_pickle(data: bytes) -> bool:
    """Whether the bytes are those of a pickle, by reading its operations without running them."""
    if data.startswith(PICKLES):
        return True
    if not data.endswith(b"."):
        return False
    try:
        return any(code.name == "STOP" for code, _, _ in pickletools.genops(data))
    except Exception:
        # The module raises whatever its helpers raise on bytes that are no operation.
        return False


def _is_zlib(data: bytes) -> bool:
    if data[:1] != b"x" or data[1:2] not in (b"\x01", b"\x5e", b"\x9c", b"\xda"):
        return False
    try:
        return bool(zlib.decompressobj().decompress(data[:1024]))
    except zlib.error:
        return False


def _decode(data: bytes, encoding: str, name: str) -> bytes:
    """The text as UTF-8 without a byte-order mark."""
    wanted = _encoding(encoding)
    if wanted == "utf-8":
        data = data.removeprefix(codecs.BOM_UTF8)
        _refuse_wide_characters(data)
        if data.isascii():
            return data
    try:
        text = data.decode(wanted)
        return data if wanted == "utf-8" else text.removeprefix("\ufeff").encode()
    except UnicodeDecodeError as error:
        raise _wrong_encoding(data, error.start, wanted) from None
    except (UnicodeError, ValueError) as error:
        raise Unreadable(path=name, reason=f"it is no text in {encoding} ({error})") from error


def _encoding(encoding: str) -> str:
    try:
        "a".encode(encoding)
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        wanted = 'it is the name of an encoding, such as "utf-8", "latin-1" or "utf-16"'
        raise BadOption(option="encoding", value=encoding, wanted=wanted) from None


def _refuse_wide_characters(data: bytes) -> None:
    """Refuse UTF-16 without a mark at its beginning: every other byte of a header is zero."""
    begin = data[:64]
    if len(begin) >= 8 and not any(begin[1::2]) and all(begin[::2]):
        raise _wrong_encoding(data, 1, "utf-8", guess="utf-16-le")
    if len(begin) >= 8 and not any(begin[::2]) and all(begin[1::2]):
        raise _wrong_encoding(data, 0, "utf-8", guess="utf-16-be")


def _wrong_encoding(
    data: bytes, place: int, encoding: str, *, guess: str | None = None
) -> WrongEncoding:
    ends = [found.end() for found in re.finditer(rb"\r\n|\r|\n", data[:place])]
    marked = next((name for mark, name in WIDE_ENCODINGS.items() if data.startswith(mark)), None)
    return WrongEncoding(
        encoding=encoding.upper(),
        line=1 + len(ends),
        column=place - (ends[-1] if ends else 0) + 1,
        byte=data[place],
        guess=guess or marked or "latin-1",
    )


def _refuse_joined(data: bytes, name: str) -> None:
    """Refuse Parquet files behind each other: whoever reads them sees only one."""
    for found in re.finditer(re.escape(PARQUET + PARQUET), data):
        # Before the mark at the end of a file stands how long its footer is.
        footer = int.from_bytes(data[max(found.start() - 4, 0) : found.start()], "little")
        if 0 < footer < found.start() - 4:
            reason = (
                "it is several Parquet files joined into one; name one of them, or convert them"
            )
            raise Unreadable(path=name, reason=reason)


def _read_parquet(data: bytes, name: str, columns: list[str] | None = None) -> pl.DataFrame:
    _refuse_joined(data, name)
    try:
        return pl.read_parquet(io.BytesIO(data), columns=columns)
    except (Exception, pl.exceptions.PanicException) as error:
        # Damaged files make polars raise errors of many kinds, and panic.
        raise Unreadable(path=name, reason=f"the Parquet data are damaged ({error})") from error


def parquet_schema(data: bytes, name: str) -> dict[str, pl.DataType]:
    """The columns of a Parquet file, without reading them."""
    try:
        return dict(pl.read_parquet_schema(io.BytesIO(data)))
    except (Exception, pl.exceptions.PanicException) as error:
        raise Unreadable(path=name, reason=f"the Parquet data are damaged ({error})") from error


def _flat_columns(schema: Mapping[str, pl.DataType]) -> list[str]:
    return [name for name, kind in schema.items() if not kind.is_nested()]


def tidy_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with names of columns freed of outer blanks; those that nobody can read raise."""
    given = [tidy(name) for name in frame.columns]
    names = [name or stand_in(place, given) for place, name in enumerate(given, start=1)]
    check_header(names)
    return frame.rename(dict(zip(frame.columns, names, strict=True)))
