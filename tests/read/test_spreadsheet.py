"""Spreadsheets: which cells are the table, and what is refused."""

import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from spreadsheets import spreadsheet
from tables import sentence

from winodds import rate, read_results
from winodds.errors import (
    BadCells,
    BadOption,
    DuplicateHeader,
    EmptyFile,
    HeaderOnly,
    MissingExtra,
    RefusedFormat,
    TooLarge,
    Unreadable,
    WhichSheet,
)

TABLE: list[list[Any]] = [
    ["model", "fold", "auc"],
    ["a", 1.0, 0.9],
    ["b", 1.0, 0.85],
    ["a", 2.0, 0.7],
    ["b", 2.0, 1.0],
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "results.xlsx"


def write(file: Path, **sheets: Any) -> str:
    file.write_bytes(spreadsheet(sheets))
    return str(file)


def test_numbers_and_text_are_what_cells_show(file: Path) -> None:
    sheet = read_results(write(file, one=TABLE))
    assert sheet.columns == ["model", "fold", "auc"]
    assert sheet.text("fold").to_list() == ["1", "1", "2", "2"]
    assert sheet.numbers("auc").to_list() == [0.9, 0.85, 0.7, 1.0]
    board = rate(sheet)
    assert [(row.player, row.wins) for row in board] == [("a", 1.0), ("b", 1.0)]


def test_lines_above_the_header_and_empty_ones_are_no_part_of_the_table(file: Path) -> None:
    rows = [["Results of 2026"], [], *[[None, *row] for row in TABLE[:3]], [], [None, "a", 2, "x"]]
    sheet = read_results(write(file, one=rows))
    assert sheet.columns == ["model", "fold", "auc"]
    assert sheet.text("model").to_list() == ["a", "b", "a"]
    told = sentence(BadCells, lambda: sheet.numbers("auc"))
    assert told.startswith("1 cell of column 'auc' is no number: row 7 has 'x'.")


def test_the_only_sheet_with_cells_is_read_and_of_several_one_is_named(file: Path) -> None:
    assert read_results(write(file, empty=[], full=TABLE)).rows == 4
    path = write(file, first=TABLE, second=TABLE[:3])
    assert sentence(WhichSheet, lambda: read_results(path)) == (
        "The spreadsheet has several sheets: 'first', 'second'. Say which, for instance "
        'sheet="first".'
    )
    assert read_results(path, sheet="second").rows == 2
    assert sentence(BadOption, lambda: read_results(path, sheet="third")) == (
        "sheet=\"third\" is not possible; the sheets are 'first', 'second'."
    )


def test_what_is_no_table_is_refused(file: Path) -> None:
    assert sentence(EmptyFile, lambda: read_results(write(file, one=[])))
    assert sentence(EmptyFile, lambda: read_results(write(file, one=[["only a title"]])))
    assert sentence(HeaderOnly, lambda: read_results(write(file, one=TABLE[:1])))
    twice = [["model", "auc", "auc"], ["a", 1, 2]]
    assert sentence(DuplicateHeader, lambda: read_results(write(file, one=twice)))


def test_an_archive_that_is_no_spreadsheet_stays_refused(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.csv", "model,fold,auc\n")
    assert sentence(RefusedFormat, lambda: read_results(file)).startswith(
        f"'{file}' is a zip archive, which is not read."
    )


def test_damaged_and_huge_spreadsheets_are_refused(file: Path) -> None:
    whole = spreadsheet({"one": TABLE})
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook")
    assert "the spreadsheet is damaged" in sentence(Unreadable, lambda: read_results(file))
    file.write_bytes(whole)
    assert sentence(TooLarge, lambda: read_results(file, limit=1e-6))
    for cut in range(0, len(whole), 97):
        file.write_bytes(whole[:cut])
        with pytest.raises((EmptyFile, RefusedFormat, Unreadable)):
            read_results(file)


def test_other_files_have_no_sheets(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("model,fold,auc\na,1,1\n")
    assert sentence(BadOption, lambda: read_results(path, sheet="x")) == (
        'sheet="x" is not possible; only spreadsheets have sheets.'
    )


def test_the_package_that_reads_them_is_an_extra(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(file, one=TABLE)
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    assert sentence(MissingExtra, lambda: read_results(path)) == (
        "Reading a spreadsheet needs python-calamine, which is not installed. Install what is "
        "missing: pip install 'winodds[excel]'."
    )
