"""Spreadsheets (.xlsx) by hand: the smallest archive that a spreadsheet program would open."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

Cell = str | float | None

TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
    '+xml"/><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sheet.main+xml"/></Types>'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def spreadsheet(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """The bytes of a workbook; numbers are numbers in it, text is text."""
    names = list(sheets)
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{k}" r:id="rId{k}"/>'
        for k, name in enumerate(names, 1)
    )
    links = "".join(
        f'<Relationship Id="rId{k}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{k}.xml"/>'
        for k in range(1, len(names) + 1)
    )
    parts = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>',
    }
    for k, rows in enumerate(sheets.values(), 1):
        body = "".join(
            f'<row r="{i}">{"".join(_cell(cell, i, j) for j, cell in enumerate(row))}</row>'
            for i, row in enumerate(rows, 1)
        )
        parts[f"xl/worksheets/sheet{k}.xml"] = (
            f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return target.getvalue()


def _cell(cell: Cell, row: int, column: int) -> str:
    if cell is None:
        return ""
    place = f'r="{chr(65 + column)}{row}"'
    if isinstance(cell, str):
        return f'<c {place} t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    return f"<c {place}><v>{cell!r}</v></c>"
