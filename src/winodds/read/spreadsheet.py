"""A spreadsheet (.xlsx) → a table of text cells.

Only what cells show is read: no formula is computed, and nothing in the file is run.
"""

import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import polars as pl

from winodds.language.errors import BadOption, MissingExtra
from winodds.language.words import list_names
from winodds.read.delimited import check_header, stand_in
from winodds.read.errors import EmptyFile, HeaderOnly, TooLarge, Unreadable, WhichSheet
from winodds.table.names import tidy

ZIP = b"PK\x03\x04"
WORKBOOK = "xl/workbook.xml"
EMPTY = ("", None)


def is_spreadsheet(data: bytes) -> bool:
    """Whether the bytes are those of an .xlsx file."""
    if not data.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return WORKBOOK in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def read_spreadsheet(
    data: bytes, name: str, *, sheet: str | None, most: int
) -> tuple[pl.DataFrame, list[int]]:
    """The cells of a sheet as text, and the sheet's row of each row.

    Lines above the table, of which only one cell is filled, are no header.

    Parameters
    ----------
    sheet : its name; not needed where only one has cells.
    most : bytes to which the file may unpack.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(part.file_size for part in archive.infolist()) > most:
            raise TooLarge(path=name, limit=most, packed=True)
    rows = _rows_of(data, name, sheet)
    filled = [sum(cell not in EMPTY for cell in row) for row in rows]
    header = next((k for k, cells in enumerate(filled) if cells > 1), None)
    if header is None:
        raise EmptyFile()
    columns = [k for k in range(len(rows[0])) if any(r[k] not in EMPTY for r in rows[header:])]
    given = [tidy(rows[header][k]) for k in columns]
    names = [it or stand_in(place, given) for place, it in enumerate(given, start=1)]
    check_header(names)
    kept = [k for k in range(header + 1, len(rows)) if filled[k]]
    if not kept:
        raise HeaderOnly(columns=names)
    cells = {
        column: [rows[row][k] for row in kept] for column, k in zip(names, columns, strict=True)
    }
    schema = dict.fromkeys(names, pl.String)
    return pl.DataFrame(cells, schema=schema), [row + 1 for row in kept]


def _rows_of(data: bytes, name: str, sheet: str | None) -> list[list[str]]:
    """The cells of a sheet as text."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise MissingExtra(
            packages=["python-calamine"], purpose="Reading a spreadsheet", extra="excel"
        ) from None
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = book.sheet_names
        if sheet is not None and sheet not in names:
            wanted = f"the sheets are {list_names(names)}"
            raise BadOption(option="sheet", value=sheet, wanted=wanted)
        chosen = {it: book.get_sheet_by_name(it) for it in names if sheet in (None, it)}
        # From the first cell on, so that rows are counted as the spreadsheet does.
        read = {it: found.to_python(skip_empty_area=False) for it, found in chosen.items()}
    except CalamineError as error:
        raise Unreadable(path=name, reason=f"the spreadsheet is damaged ({error})") from error
    tables = {it: rows for it, rows in read.items() if rows}
    if len(tables) > 1:
        raise WhichSheet(sheets=list(tables))
    rows: Sequence[Sequence[Any]] = next(iter(tables.values()), [])
    return [[_text(cell) for cell in row] for row in rows]


def _text(cell: object) -> str:
    """A cell as a text file would have it."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        # Spreadsheets know no whole numbers.
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, (datetime, date, time, timedelta)):
        return str(cell)
    return str(cell)
