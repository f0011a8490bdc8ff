"""Files of several formats and encodings, opened and refused."""

import gzip
import io
import json
import os
import pickle
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from tables import ROUGH, facts, grid, sentence, texts, three_by_three

import winodds
from winodds import Sheet, rate, read_results
from winodds.errors import (
    BadCells,
    BadJsonItem,
    BadJsonLine,
    BadOption,
    ConflictingDuplicates,
    EmptyFile,
    EmptyName,
    IsFolder,
    MissingColumn,
    MissingKey,
    NamesNotText,
    NoSuchFile,
    RefusedFormat,
    Unreadable,
    UnreadableName,
    WrongEncoding,
)
from winodds.language.spelling import command_line_spelling
from winodds.read.files import REFUSED

CSV = b"model,fold,auc\na,1,.5\nb,1,.6\n"
WRITE = "Write numbers like 0.91 or 9.1e-1; leave the score of a failed run empty."
ARRAY = b'[{"model":"a","fold":1,"auc":0.5},{"model":"b","fold":1,"auc":0.6}]'
JSON = b'{"model":"a","fold":1,"auc":0.5}\n{"model":"b","fold":1,"auc":0.6}\n'


OTHERS = [
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    *((b"RDX%d\nX\n" % version, "an R workspace") for version in (2, 3)),
    *((b"RDA%d\nA\n" % version, "an R workspace") for version in (2, 3)),
    (b"X\n\x00\x00", "an R object"),
    (b"A\n2\n262656\n", "an R object"),
    (b"A\n3\n262656\n", "an R object"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x93NUMPY\x01\x00", "a numpy array"),
    (b"SQLite format 3\x00", "a database"),
    (b"%PDF-1.7", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet"),
    *((b"BZh%d1AY&SY" % level, "a bzip2 archive") for level in range(1, 10)),
    (zlib.compress(CSV), "zlib data (of joblib?)"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"ARROW1\x00\x00", "an Arrow file"),
    *((pickle.dumps({"a": 1}, k), "a Python pickle") for k in range(2, 6)),
    (pickle.dumps({"a": 1}, 0), "a Python pickle"),
]
"""How files begin that are not read, and what they are."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "results.csv"


def read(file: Path, data: bytes | str, **options: Any) -> Sheet:
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_results(file, **options)


def words(sheet: Sheet) -> dict[str, list[str | None]]:
    return {name: sheet.text(name).cast(pl.String).to_list() for name in sheet.columns}


def parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def frame() -> pl.DataFrame:
    return pl.DataFrame({"model": ["a", "b"], "fold": [1, 1], "auc": [0.5, 0.6]})


# Formats ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x", "x.csv", "x.tsv", "x.parquet", "x.jsonl", "x.gz", "x.zip"])
@pytest.mark.parametrize(
    "data",
    [
        CSV,
        CSV.replace(b",", b"\t"),
        CSV.replace(b",", b";"),
        JSON,
        parquet(frame()),
        gzip.compress(CSV),
        ARRAY,
        gzip.compress(JSON),
        gzip.compress(parquet(frame())),
    ],
    ids=[
        *("csv", "tsv", "semicolons", "json", "parquet", "csv.gz", "array", "json.gz"),
        "parquet.gz",
    ],
)
def test_format_follows_from_the_content(data: bytes, name: str, tmp_path: Path) -> None:
    sheet = read(tmp_path / name, data)
    assert (sheet.columns, sheet.rows, sheet.backend) == (["model", "fold", "auc"], 2, "polars")
    assert sheet.name == str(tmp_path / name)
    assert sheet.text("model").cast(pl.String).to_list() == ["a", "b"]
    assert sheet.text("fold").cast(pl.String).to_list() == ["1", "1"]
    assert sheet.numbers("auc").to_list() == [0.5, 0.6]


def test_path_may_be_text(file: Path) -> None:
    file.write_bytes(CSV)
    assert read_results(str(file)).name == str(file)


@pytest.mark.parametrize("data", [CSV, JSON, gzip.compress(CSV)], ids=["csv", "json", "gz"])
def test_hyphen_is_standard_input(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    sheet = read_results("-")
    assert (sheet.name, sheet.columns) == ("-", ["model", "fold", "auc"])
    assert sheet.numbers("auc").to_list() == [0.5, 0.6]


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n \n", gzip.compress(b"")])
def test_empty_file_is_refused(data: bytes, file: Path) -> None:
    assert sentence(EmptyFile, lambda: read(file, data)) == (
        "The file is empty. It needs a line with the columns' names and below it a row for every "
        "score, of at least two players in at least two rounds."
    )


@pytest.mark.parametrize(("magic", "kind"), OTHERS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_other_formats_are_refused_by_their_first_bytes(
    magic: bytes, kind: str, pack: Any, file: Path
) -> None:
    assert sentence(RefusedFormat, lambda: read(file, pack(magic))) == (
        f"'{file}' is {kind}, which is not read. Save the table as CSV, Parquet or JSON lines "
        f"(one object a line)."
    )


def test_all_refused_formats_are_tested() -> None:
    twice = RefusedFormat(path="x", kind=REFUSED[b"\x1f\x8b"]).sentence()
    assert twice.startswith("'x' is a gzip archive in another one, which is not read.")
    begun = [magic for magic in REFUSED if any(data.startswith(magic) for data, _ in OTHERS)]
    assert begun == [magic for magic in REFUSED if magic != b"\x1f\x8b"]


@pytest.mark.parametrize(
    "header", ["model,fold,auc", "(model),fold,auc", "PARAM,x", "A,B", "Area,x", "BZ,h", "PK,x"]
)
def test_header_that_only_begins_like_another_format_is_a_header(header: str, file: Path) -> None:
    row = ",".join("1" for _ in header.split(","))
    assert read(file, f"{header}\n{row}\n").columns == header.split(",")


@pytest.mark.parametrize("header", ["RDA,fold,auc", "RDX_model,fold,auc", "BZh,fold,auc"])
def test_header_of_letters_that_begin_an_archive_is_a_header(header: str, file: Path) -> None:
    assert read(file, f"{header}\n1,2,3\n").columns == header.split(",")


def test_table_from_a_bracket_to_a_point_is_a_table(file: Path) -> None:
    assert read(file, "(model),fold,auc\na,1,2.\n").columns == ["(model)", "fold", "auc"]


def test_table_that_begins_with_a_square_bracket_is_a_table(file: Path) -> None:
    assert read(file, "[model],fold,auc\na,1,2\n").columns == ["[model]", "fold", "auc"]


# Paths --------------------------------------------------------------------------------------------


def test_missing_file_is_told_with_files_of_nearly_its_name(tmp_path: Path) -> None:
    for name in ("results.csv", "result.csv", "other.txt"):
        (tmp_path / name).touch()
    (tmp_path / "results.cvs.d").mkdir()
    path = tmp_path / "results.cvs"
    assert sentence(NoSuchFile, lambda: read_results(path)) == (
        f"There is no file '{path}'. Did you mean '{tmp_path}/results.csv' or "
        f"'{tmp_path}/result.csv'?"
    )


def test_missing_file_without_neighbours_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "x.csv", tmp_path / "no folder" / "x.csv"):
        assert sentence(NoSuchFile, lambda path=path: read_results(path)) == (  # type: ignore[misc]
            f"There is no file '{path}'."
        )


def test_missing_file_of_this_folder_is_told_without_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results.csv").touch()
    monkeypatch.chdir(tmp_path)
    assert sentence(NoSuchFile, lambda: read_results("resluts.csv")) == (
        "There is no file 'resluts.csv'. Did you mean 'results.csv'?"
    )


def test_path_without_a_name_is_no_file() -> None:
    assert sentence(NoSuchFile, lambda: read_results("")) == "There is no file ''."


def test_folder_is_refused(tmp_path: Path) -> None:
    assert sentence(IsFolder, lambda: read_results(tmp_path)) == (
        f"'{tmp_path}' is a folder; name one file with a table of results."
    )


def test_file_in_a_file_cannot_be_read(file: Path) -> None:
    file.touch()
    assert sentence(Unreadable, lambda: read_results(file / "x")) == (
        f"'{file}/x' cannot be read: not a directory."
    )


def test_file_that_we_may_not_read_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, _: str) -> None:
        raise PermissionError(13, os.strerror(13), str(self))

    monkeypatch.setattr(Path, "open", refuse)
    assert sentence(Unreadable, lambda: read_results(file)) == (
        f"'{file}' cannot be read: permission denied."
    )


def test_path_with_a_null_byte_cannot_be_read() -> None:
    assert sentence(Unreadable, lambda: read_results("a\x00b")) == (
        "'a\\x00b' cannot be read: embedded null byte."
    )


@pytest.mark.parametrize("size", [3, 12, 40])
def test_truncated_gzip_data_are_damaged(size: int, file: Path) -> None:
    data = gzip.compress(CSV, mtime=0)[:size]
    assert sentence(Unreadable, lambda: read(file, data)) == (
        f"'{file}' cannot be read: the gzip data are damaged (Compressed file ended before the "
        f"end-of-stream marker was reached)."
    )


def test_gzip_data_with_a_wrong_checksum_are_damaged(file: Path) -> None:
    data = bytearray(gzip.compress(CSV, mtime=0))
    data[-8] ^= 1
    message = sentence(Unreadable, lambda: read(file, bytes(data)))
    assert message.startswith(f"'{file}' cannot be read: the gzip data are damaged (CRC check ")


@pytest.mark.parametrize("size", [4, 40, 200])
def test_truncated_parquet_data_are_damaged(size: int, file: Path) -> None:
    message = sentence(Unreadable, lambda: read(file, parquet(frame())[:size]))
    assert message.startswith(f"'{file}' cannot be read: the Parquet data are damaged (")


# Encodings ----------------------------------------------------------------------------------------

NAMES = ["é", "ß", "x"]
ACCENTS = "model,auc\né,1\nß,2\nx,3\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "UTF8", "utf_8", "latin-1", "iso-8859-1", "cp1252", "utf-16", "utf-32", "utf-8-sig"],
)
def test_encoding_may_be_said(encoding: str, file: Path) -> None:
    sheet = read(file, ACCENTS.encode(encoding), encoding=encoding)
    assert words(sheet) == {"model": NAMES, "auc": ["1", "2", "3"]}
    assert sheet.notes_on([]) == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_mark_of_the_byte_order_is_no_part_of_the_first_name(encoding: str, file: Path) -> None:
    sheet = read(file, ("\ufeff" + ACCENTS).encode(encoding), encoding=encoding)
    assert sheet.columns == ["model", "auc"]


@pytest.mark.parametrize("text", [ACCENTS, "model,auc\na,1\n", JSON.decode()])
def test_mark_of_utf_8_is_accepted(text: str, file: Path) -> None:
    assert words(read(file, text.encode("utf-8-sig"))) == words(read(file, text))


def test_euro_sign_tells_cp1252_from_latin_1(file: Path) -> None:
    data = b"model,auc\n\x80,1\n"
    assert read(file, data, encoding="cp1252").text("model").to_list() == ["€"]
    assert read(file, data, encoding="latin-1").text("model").to_list() == ["\x80"]


@pytest.mark.parametrize(
    ("data", "encoding", "told"),
    [
        (ACCENTS.encode("latin-1"), "utf-8", ("2 is not UTF-8", "0xE9", 1, "latin-1")),
        (b"a,b\n1,2\nx,y\xff", "utf-8", ("3 is not UTF-8", "0xFF", 4, "latin-1")),
        (b"a,b\n1,\xc3", "utf-8", ("2 is not UTF-8", "0xC3", 3, "latin-1")),
        (b"a,b\n1,\xed\xa0\x80\n", "utf-8", ("2 is not UTF-8", "0xED", 3, "latin-1")),
        (b"\xef\xbb\xbfa,\xe9\n1,2\n", "utf-8", ("1 is not UTF-8", "0xE9", 3, "latin-1")),
        (ACCENTS.encode("utf-16"), "utf-8", ("1 is not UTF-8", "0xFF", 1, "utf-16")),
        (
            b"\xfe\xff" + ACCENTS.encode("utf-16-be"),
            "utf-8",
            ("1 is not UTF-8", "0xFE", 1, "utf-16"),
        ),
        (ACCENTS.encode("utf-32"), "utf-8", ("1 is not UTF-8", "0xFF", 1, "utf-32")),
        (b"a,b\n1,\x81\n", "cp1252", ("2 is not CP1252", "0x81", 3, "latin-1")),
        (ACCENTS.encode(), "ascii", ("2 is not ASCII", "0xC3", 1, "latin-1")),
    ],
)
def test_bytes_that_are_no_text_are_told_with_their_place(
    data: bytes, encoding: str, told: tuple[str, str, int, str], file: Path
) -> None:
    start, byte, place, guess = told
    words = f"Line {start}: byte {byte} at position {place}. Save the file as UTF-8, or say what "
    assert sentence(WrongEncoding, lambda: read(file, data, encoding=encoding)) == (
        f'{words}it is, for instance encoding="{guess}".'
    )
    with command_line_spelling():
        assert sentence(WrongEncoding, lambda: read(file, data, encoding=encoding)) == (
            f"{words}it is, for instance --encoding {guess}."
        )


@pytest.mark.parametrize("order", ["le", "be"])
def test_utf_16_without_a_mark_is_told(order: str, file: Path) -> None:
    place = 2 if order == "le" else 1
    assert sentence(WrongEncoding, lambda: read(file, CSV.decode().encode(f"utf-16-{order}"))) == (
        f"Line 1 is not UTF-8: byte 0x00 at position {place}. Save the file as UTF-8, or say what "
        f'it is, for instance encoding="utf-16-{order}".'
    )


@pytest.mark.parametrize("encoding", ["nope", "", "utf-99"])
def test_unknown_encoding_is_refused(encoding: str, file: Path) -> None:
    assert sentence(BadOption, lambda: read(file, CSV, encoding=encoding)) == (
        f'encoding="{encoding}" is not possible; it is the name of an encoding, such as '
        f'"utf-8", "latin-1" or "utf-16".'
    )


@pytest.mark.parametrize("encoding", ["rot13", "hex", "base64", "undefined"])
def test_codec_that_gives_no_text_is_refused(encoding: str, file: Path) -> None:
    assert sentence(BadOption, lambda: read(file, CSV, encoding=encoding)) == (
        f'encoding="{encoding}" is not possible; it is the name of an encoding, such as '
        f'"utf-8", "latin-1" or "utf-16".'
    )


def test_encoding_with_a_null_character_is_refused(file: Path) -> None:
    with pytest.raises(BadOption):
        read(file, CSV, encoding="a\x00b")


def test_decimal_mark_is_a_point_or_a_comma(file: Path) -> None:
    assert sentence(BadOption, lambda: read(file, CSV, decimal=";")) == (
        'decimal=";" is not possible; it is one of ".", ",".'
    )


# JSON lines ---------------------------------------------------------------------------------------


def test_json_lines_hold_numbers_text_and_null(file: Path) -> None:
    rows: list[dict[str, object]] = [
        {"model": "007", "fold": 1, "auc": 0.5},
        {"model": "NA", "fold": 2, "auc": None},
        {"model": None, "fold": 3, "auc": 1},
    ]
    sheet = read(file, "\n".join(map(json.dumps, rows)))
    assert sheet.columns == ["model", "fold", "auc"]
    assert sheet.text("model").to_list() == ["007", "NA", None]
    assert sheet.text("fold").to_list() == ["1", "2", "3"]
    assert sheet.numbers("auc").to_list() == [0.5, None, 1.0]


def test_json_numbers_are_read_to_the_last_bit(file: Path) -> None:
    numbers = [0.1, 1e-300, 5e-324, 1.7976931348623157e308, -0.5, 123456789.123456789]
    sheet = read(file, "".join(json.dumps({"auc": number}) + "\n" for number in numbers))
    assert sheet.numbers("auc").to_list() == numbers


IN_EVERY_LINE = (
    "A column that plays a role must be in every line; write null for the score of a failed run."
)


def test_column_that_plays_a_role_is_in_every_json_line(file: Path) -> None:
    one = read(file, '{"a":1,"b":1}\n\n{"b":2}\n')
    assert one.text("b").to_list() == ["1", "2"]
    for call in (lambda: one.numbers("a"), lambda: one.text("a"), lambda: one.written(["a"])):
        assert sentence(MissingKey, call) == (
            f"1 line has no 'a', which others have: line 3. {IN_EVERY_LINE}"
        )
    two = read(file, '{"b":1}\n{"a":1,"b":2}\n{"b":3}\n')
    assert sentence(MissingKey, lambda: two.numbers("a")) == (
        f"2 lines have no 'a', which others have; the first is line 1. {IN_EVERY_LINE}"
    )


def test_key_with_blanks_that_a_json_line_lacks_is_told(file: Path) -> None:
    sheet = read(file, '{" a ":1,"b":1}\n{"b":2}\n')
    assert sentence(MissingKey, lambda: sheet.numbers("a")) == (
        f"1 line has no 'a', which others have: line 2. {IN_EVERY_LINE}"
    )


def test_json_truth_is_a_name_and_a_number_where_there_are_no_others(file: Path) -> None:
    sheet = read(file, '{"a":true}\n{"a":false}\n{"a":null}\n')
    assert sheet.text("a").to_list() == ["true", "false", None]
    assert sheet.numbers("a").to_list()[:2] == [1.0, 0.0]


def test_truth_is_read_in_any_case_and_no_other_words_for_it(file: Path) -> None:
    sheet = read(file, "a\nTrue\nFALSE \nfailed\n")
    assert str(sheet.numbers("a").to_list()) == "[1.0, 0.0, nan]"
    assert "1 cell of column 'a' had blanks around a number." in texts(sheet.notes_on(["a"]))
    other = read(file, "a\nTrue\nyes\n")
    assert sentence(BadCells, lambda: other.numbers("a")) == (
        f"1 cell of column 'a' is no number: line 3 has 'yes'. {WRITE}"
    )


def test_json_truth_among_numbers_is_no_number(file: Path) -> None:
    sheet = read(file, '{"a":1}\n{"a":true}\n')
    assert sheet.text("a").to_list() == ["1", "true"]
    assert sentence(BadCells, lambda: sheet.numbers("a")) == (
        f"1 cell of column 'a' is no number: line 2 has 'true'. {WRITE}"
    )


@pytest.mark.parametrize("cell", ["NaN", "null"])
def test_json_score_that_is_nan_or_null_is_missing(cell: str, file: Path) -> None:
    sheet = read(file, f'{{"model":"x","a":0.5}}\n{{"model":"y","a":{cell}}}\n')
    values = sheet.numbers("a").fill_null(float("nan")).to_list()
    assert str(values) == "[0.5, nan]"


@pytest.mark.parametrize("cell", ["Infinity", "-Infinity"])
def test_json_score_that_is_infinite_is_refused(cell: str, file: Path) -> None:
    line = f'{{"a":{cell}}}'
    assert sentence(BadJsonLine, lambda: read(file, f'{{"a":0.5}}\n{line}\n')) == (
        f"Line 2 is not a JSON object ({cell} is no JSON number): '{line}'. JSON lines hold one "
        f"object a line."
    )


def test_json_numbers_as_names_keep_their_text(file: Path) -> None:
    sheet = read(file, '{"a":1e5}\n{"a":100000}\n{"a":1.0}\n{"a":1}\n')
    assert sheet.text("a").to_list() == ["1e5", "100000", "1.0", "1"]
    assert sheet.numbers("a").to_list() == [1e5, 1e5, 1.0, 1.0]
    large = read(file, '{"a":123456789012345678901}\n{"a":123456789012345678902}\n')
    assert large.text("a").to_list() == ["123456789012345678901", "123456789012345678902"]


def test_json_column_of_several_types_is_text(file: Path) -> None:
    sheet = read(file, '{"a":1}\n{"a":"x"}\n{"a":null}\n{"a":true}\n{"a":0.25}\n')
    assert sheet.text("a").to_list() == ["1", "x", None, "true", "0.25"]
    assert sentence(BadCells, lambda: sheet.numbers("a")) == (
        "2 cells of column 'a' are no numbers: line 2 has 'x'; line 4 has 'true'. Write numbers "
        "like 0.91 or 9.1e-1; leave the score of a failed run empty."
    )


def test_scores_as_json_text_are_numbers(file: Path) -> None:
    sheet = read(file, '{"a":"0.5"}\n{"a":"NA"}\n{"a":0.7}\n{"a":" 1 "}\n')
    assert str(sheet.numbers("a").to_list()) == "[0.5, nan, 0.7, 1.0]"
    assert texts(sheet.notes_on(["a"])) == ("1 cell of column 'a' had blanks around a number.",)
    assert sheet.notes_on([]) == ()


@pytest.mark.parametrize(("value", "kind"), [('{"b": 1}', "dict"), ("[1]", "list"), ("[]", "list")])
def test_nested_json_is_neither_a_name_nor_a_number(value: str, kind: str, file: Path) -> None:
    sheet = read(file, f'{{"model":"x","a":{value}}}\n')
    assert sheet.text("model").to_list() == ["x"]
    assert sentence(NamesNotText, lambda: sheet.text("a")) == (
        f"Column 'a' holds values of type {kind}, which are no names. Convert it to text."
    )
    assert sentence(BadCells, lambda: sheet.numbers("a")) == (
        f"1 cell of column 'a' is no number: line 1 has '{value}'. {WRITE}"
    )


def test_nested_json_is_no_name_where_objects_lack_keys(file: Path) -> None:
    sheet = read(file, '{"a":{"b":1},"c":1}\n{"a":{"b":2}}\n')
    assert sentence(NamesNotText, lambda: sheet.text("a")) == (
        "Column 'a' holds values of type dict, which are no names. Convert it to text."
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"a":3', "expecting ',' delimiter at column 7"),
        ("{'a':1}", "expecting property name enclosed in double quotes at column 2"),
        ('{"a":007}', "expecting ',' delimiter at column 7"),
        ('{"a":1} x', "extra data at column 9"),
        ('{"a":1}{"a":2}', "extra data at column 8"),
        ("x", "expecting value at column 1"),
        ("5", "a number, word or list"),
        ("null", "a number, word or list"),
        ('"x"', "a number, word or list"),
        ("[1]", "a number, word or list"),
        ('{"a":Infinity}', "Infinity is no JSON number"),
        ('{"a":-Infinity}', "-Infinity is no JSON number"),
    ],
)
@pytest.mark.parametrize(("before", "number"), [('{"a":1}\n', 2), ('\n{"a":1}\n\n \n', 5)])
def test_line_that_is_no_json_object_is_told(
    line: str, reason: str, before: str, number: int, file: Path
) -> None:
    text = f'{before}{line}\n{{"a":3}}\n'
    assert sentence(BadJsonLine, lambda: read(file, text)) == (
        f"Line {number} is not a JSON object ({reason}): '{line}'. JSON lines hold one object a "
        f"line."
    )


def test_json_object_over_several_lines_is_refused(file: Path) -> None:
    assert sentence(BadJsonLine, lambda: read(file, '{\n  "a": 1\n}\n')) == (
        "Line 1 is not a JSON object (expecting property name enclosed in double quotes at column "
        "2): '{'. JSON lines hold one object a line."
    )


def test_json_number_that_is_too_large_is_told_as_it_is_written(file: Path) -> None:
    sheet = read(file, '{"a":1}\n{"a":1e400}\n')
    assert sentence(BadCells, lambda: sheet.numbers("a")) == (
        "1 cell of column 'a' is no number: line 2 has '1e400' (too large for a number). Write "
        "numbers like 0.91 or 9.1e-1; leave the score of a failed run empty."
    )


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('{"a":"x"}\n{"a":"y"}\n', ["line 1", "line 2"]),
        ('{"a":"x"}\r\n{"a":"y"}', ["line 1", "line 2"]),
        ('\n\n{"a":"x"}\n\n \t\n{"a":"y"}\n\n', ["line 3", "line 6"]),
        ('{"a":"x"}\r\n\r\n{"a":"y"}\r\n', ["line 1", "line 3"]),
        ('  \n{"a":"x"}\n{"a":"y"}\n', ["line 2", "line 3"]),
        ('{"a":"x"}\n{"a":"y"}\n\n', ["line 1", "line 2"]),
    ],
)
def test_blank_lines_count_for_the_places_of_json_lines(
    text: str, places: list[str], file: Path
) -> None:
    sheet = read(file, text)
    assert sheet.text("a").to_list() == ["x", "y"]
    assert [sheet.place(row) for row in range(sheet.rows)] == places


def test_key_that_is_twice_in_a_json_object_is_refused(file: Path) -> None:
    assert sentence(BadJsonLine, lambda: read(file, '{"a":1}\n{"a":1,"a":2}\n')) == (
        "Line 2 is not a JSON object (it has 'a' twice): '{\"a\":1,\"a\":2}'. JSON lines hold "
        "one object a line."
    )


def test_names_of_json_columns_are_tidied(file: Path) -> None:
    assert read(file, '{" a ":1,"b\\u00a0c":2}\n').columns == ["a", "b c"]


# Parquet ------------------------------------------------------------------------------------------


def test_parquet_keeps_what_its_columns_are(file: Path) -> None:
    table = pl.DataFrame(
        {
            "name": ["007", "NA", None],
            "kind": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
            "fixed": pl.Series(["u", None, "v"], dtype=pl.Enum(["u", "v"])),
            "fold": pl.Series([1, 2, None], dtype=pl.Int16),
            "auc": [0.1, None, float("nan")],
            "small": pl.Series([0.1, 0.5, None], dtype=pl.Float32),
            "ok": [True, False, None],
        }
    )
    sheet = read(file, parquet(table))
    assert words(sheet) == {
        "name": ["007", "NA", None],
        "kind": ["x", "y", "x"],
        "fixed": ["u", None, "v"],
        "fold": ["1", "2", None],
        "auc": ["0.1", None, None],
        "small": ["0.10000000149011612", "0.5", None],
        "ok": ["true", "false", None],
    }
    assert sheet.numbers("fold").to_list() == [1.0, 2.0, None]
    assert str(sheet.numbers("auc").to_list()) == "[0.1, None, nan]"
    assert str(sheet.numbers("ok").to_list()) == "[1.0, 0.0, nan]"
    assert [sheet.place(row) for row in range(3)] == ["row 1", "row 2", "row 3"]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_parquet_needs_no_encoding(encoding: str, file: Path) -> None:
    assert sentence(BadOption, lambda: read(file, parquet(frame()), encoding=encoding)) == (
        f'encoding="{encoding}" is not possible; a Parquet file says itself how its text is '
        f"encoded."
    )


def test_parquet_text_is_read_as_scores_by_the_grammar(file: Path) -> None:
    table = pl.DataFrame({"auc": pl.Series(["0.5", "0,6"], dtype=pl.Categorical)})
    assert sentence(BadCells, lambda: read(file, parquet(table)).numbers("auc")) == (
        "1 cell of column 'auc' is no number: row 2 has '0,6'. Such numbers are read with "
        'decimal="," (a comma), but then all of them must be written so.'
    )


@pytest.mark.parametrize("data", [parquet(frame()), JSON], ids=["parquet", "json"])
def test_percent_divides_the_numbers_of_any_format(data: bytes, file: Path) -> None:
    sheet = read(file, data, percent=True)
    assert sheet.numbers("auc").to_list() == [0.005, 0.006]
    assert sheet.numbers("fold", role="weight").to_list() == [1.0, 1.0]


# Sheets -------------------------------------------------------------------------------------------


def test_board_of_a_sheet_is_that_of_the_frame(file: Path) -> None:
    table = three_by_three()
    wanted = facts(rate(table, higher_is_better=True))
    lines = "".join(json.dumps(row) + "\n" for row in table.to_dicts())
    for data in (table.write_csv(), table.write_csv(separator=";"), lines, parquet(table)):
        found = facts(rate(read(file, data), higher_is_better=True))
        found["notes"] = [note for note in found["notes"] if note["name"] != "separator"]
        assert found == wanted


def test_sheet_may_be_rated_more_than_once(file: Path) -> None:
    sheet = read(file, three_by_three().with_columns(other=-pl.col("score")).write_csv())
    first = rate(sheet, higher_is_better=True)
    other = rate(sheet, score="other", higher_is_better=False)
    assert [(row.player, row.epp) for row in other] == [(row.player, row.epp) for row in first]
    assert facts(rate(sheet, higher_is_better=True)) == facts(first)


def test_notes_about_other_scores_are_not_on_the_board(file: Path) -> None:
    sheet = read(file, three_by_three().with_columns(other=pl.format(" {}", "score")).write_csv())
    first = rate(sheet, higher_is_better=True)
    rate(sheet, score="other", higher_is_better=True)
    assert rate(sheet, higher_is_better=True).notes == first.notes


def test_battles_of_a_sheet_are_those_of_the_frame(file: Path) -> None:
    rows = [("a", "b", "model_a"), ("b", "c", "tie"), ("c", "a", "model_a"), ("a", "c", "model_a")]
    table = pl.DataFrame(rows * 3, ["model_a", "model_b", "winner"], orient="row")
    wanted = facts(winodds.rate_battles(table))
    assert facts(winodds.rate_battles(read(file, table.write_csv()))) == wanted


def test_notes_of_the_sheet_are_notes_of_the_board(file: Path) -> None:
    text = three_by_three().write_csv(separator="\t").replace("0.9\n", " 0.9 \n")
    board = rate(read(file, text.replace("\n", "\r")), higher_is_better=True)
    assert texts(board.notes) == (
        "Line ends are old Macintosh ones; each was read as the end of a line.",
        "Cells are separated by tabs.",
        "2 cells of column 'score' had blanks around a number.",
        ROUGH,
    )


def test_names_of_a_sheet_stay_different_text(file: Path) -> None:
    names = ["007", "7", "1e5", "100000", "TRUE", "true", "NA", "null", "nan", "2020-01-01"]
    rows = [
        f"{name},{fold},{(k * 3 + fold) % 7}\n" for k, name in enumerate(names) for fold in (1, 2)
    ]
    board = rate(read(file, "player,round,score\n" + "".join(rows)), higher_is_better=True)
    assert sorted(board.players) == sorted(names)


def test_planned_columns_are_cut_out_and_others_are_not(file: Path) -> None:
    sheet = read(file, "a,b,c,d\nx,1,y,2\nx,3,z,4\n")
    sheet.plan(names=["a"], scores=["d"])
    assert sheet._cells().schema == {"a": pl.Categorical(), "d": pl.Float64()}
    assert (sheet.columns, sheet.rows) == (["a", "d"], 2)
    assert sheet.text("a").cast(pl.String).to_list() == ["x", "x"]
    assert sheet.numbers("d").to_list() == [2.0, 4.0]
    assert [sheet.place(row) for row in range(2)] == ["line 2", "line 3"]


def test_column_of_names_that_is_also_one_of_numbers_is_read_as_both(file: Path) -> None:
    sheet = read(file, "a,b\n1,x\n02,y\n")
    sheet.plan(names=["a"], others=["a"])
    assert sheet.text("a").to_list() == ["1", "02"]
    assert sheet.numbers("a").to_list() == [1.0, 2.0]


def test_column_that_was_not_planned_is_gone(file: Path) -> None:
    sheet = read(file, CSV)
    sheet.plan(names=["model"], scores=["auc"])
    assert sentence(MissingColumn, lambda: sheet.text("fold")) == (
        "No column 'fold' in the table; it has 'model', 'auc'."
    )


def test_column_that_the_file_does_not_have_is_named(file: Path) -> None:
    sheet = read(file, CSV)
    for ask in (sheet.text, sheet.numbers):
        assert sentence(MissingColumn, lambda ask=ask: ask("x")) == (  # type: ignore[misc]
            "No column 'x' in the table; it has 'model', 'fold', 'auc'."
        )


def test_places_are_lines_of_the_file(file: Path) -> None:
    sheet = read(file, '\nmodel,auc\n\n"a\nb",1\n\nc,2\n')
    assert [sheet.place(row) for row in range(2)] == ["line 4", "line 7"]
    many = read(file, "a\n" + "x\n" * 2_000)
    assert many.place(1_999) == "line 2,001"


def test_bad_cells_are_told_with_line_column_text_and_option(file: Path) -> None:
    sheet = read(file, "model,auc\n\na,0.5\nb,1_000\n\nc,inf\nd,NA\n")
    assert sentence(BadCells, lambda: sheet.numbers("auc")) == (
        "2 cells of column 'auc' are no numbers: line 4 has '1_000' (underscores); line 6 has "
        "'inf' (infinite). Write numbers like 0.91 or 9.1e-1; leave the score of a failed run "
        "empty."
    )


@pytest.mark.parametrize(
    ("cell", "python", "command"),
    [
        ("91,5%", 'percent=True and decimal="," (a comma)', "--percent and --decimal , (a comma)"),
        ("91%", "percent=True", "--percent"),
        ("91.5 %", "percent=True", "--percent"),
    ],
)
def test_option_that_would_accept_bad_cells_is_named(
    cell: str, python: str, command: str, file: Path
) -> None:
    sheet = read(file, f"model;auc\na;{cell}\n")
    odd = " (a percent sign)" if "%" in cell else ""
    start = f"1 cell of column 'auc' is no number: line 2 has '{cell}'{odd}. If that is how numbers"
    assert sentence(BadCells, lambda: sheet.numbers("auc")) == (
        f"{start} are written here, pass {python}."
    )
    with command_line_spelling():
        assert sentence(BadCells, lambda: sheet.numbers("auc")) == (
            f"{start} are written here, pass {command}."
        )


@pytest.mark.parametrize(
    ("first", "second", "decimal", "told", "option"),
    [
        (
            *("0,91", "91%", "."),
            "2 cells of column 'auc' are no numbers: line 2 has '0,91'; line 3 has '91%' (a "
            "percent sign).",
            'decimal="," (a comma)',
        ),
        (
            *("0.91", "0,92", "."),
            "1 cell of column 'auc' is no number: line 3 has '0,92'.",
            'decimal="," (a comma)',
        ),
        (
            *("0.91", "0,92", ","),
            "1 cell of column 'auc' is no number: line 2 has '0.91'.",
            'decimal="." (a point)',
        ),
    ],
)
def test_option_that_would_refuse_other_cells_is_named_with_that_doubt(
    first: str, second: str, decimal: str, told: str, option: str, file: Path
) -> None:
    sheet = read(file, f"model;auc\na;{first}\nb;{second}\n", decimal=decimal)
    assert sentence(BadCells, lambda: sheet.numbers("auc")) == (
        f"{told} Such numbers are read with {option}, but then all of them must be written so."
    )


def test_advice_is_written_with_the_decimal_mark_that_is_read(file: Path) -> None:
    sheet = read(file, "model;auc\na;x\n", decimal=",")
    assert sentence(BadCells, lambda: sheet.numbers("auc")) == (
        "1 cell of column 'auc' is no number: line 2 has 'x'. Write numbers like 0,91 or 9,1e-1; "
        "leave the score of a failed run empty."
    )


def test_bad_cell_far_down_is_told_and_the_rest_is_counted(file: Path) -> None:
    text = "model,auc\n" + "a,1\n" * 20_000 + "b,x\n" * 1_025
    listed = "; ".join(f"line {line:,} has 'x'" for line in range(20_002, 20_005))
    assert sentence(BadCells, lambda: read(file, text).numbers("auc")) == (
        f"1,025 cells of column 'auc' are no numbers. Write numbers like 0.91 or 9.1e-1; leave the "
        f"score of a failed run empty. The first: {listed}."
    )


def test_percentages_without_the_sign_of_others_are_told(file: Path) -> None:
    sheet = read(file, "model,auc\na,91%\nb,92\nc,NA\n", percent=True)
    assert sentence(BadCells, lambda: sheet.numbers("auc")) == (
        "1 cell of column 'auc' is without the percent sign that others have: line 3 has '92'. "
        "Write all scores with the percent sign, or none."
    )


def test_weights_are_no_percentages_and_never_missing(file: Path) -> None:
    sheet = read(file, "w,v,u\n50,1,90%\n25,,80%\n", percent=True)
    assert sheet.numbers("w", role="weight").to_list() == [50.0, 25.0]
    assert sentence(BadCells, lambda: sheet.numbers("v", role="weight")) == (
        "1 cell of column 'v' is no number: line 3 is empty. Write numbers like 0.91 or 9.1e-1."
    )
    assert sentence(BadCells, lambda: sheet.numbers("u", role="weight")) == (
        "2 cells of column 'u' are no numbers: line 2 has '90%' (a percent sign); line 3 has '80%' "
        "(a percent sign). Write numbers like 0.91 or 9.1e-1."
    )


def test_errors_of_the_table_name_lines_of_the_file(file: Path) -> None:
    text = grid({"a": [1, 2], "b": [2, 1]}).write_csv()
    twice = read(file, f"{text}\n\na,1,7\n")
    assert sentence(ConflictingDuplicates, lambda: rate(twice, higher_is_better=True)) == (
        "1 player–round pair has more than one score; the first is 'a' in '1' with 1 (line 2) and "
        '7 (line 8). Give repeats their own round, or pass duplicates="mean".'
    )
    empty = read(file, f"{text},1,7\n")
    assert sentence(EmptyName, lambda: rate(empty, higher_is_better=True)) == (
        "1 row has no name in column 'player': line 6. Fill the name in or drop the row."
    )
    hidden = read(file, f"{text}a\u200b,1,7\n")
    assert sentence(UnreadableName, lambda: rate(hidden, higher_is_better=True)) == (
        "A name in column 'player' (line 6) holds the invisible character U+200B: 'a\\u200b'. Two "
        "such names can look the same; remove the character."
    )


# JSON arrays --------------------------------------------------------------------------------------

ROWS = '[{"model": "007", "auc": 0.50}, {"model": "7", "auc": null}, {"model": null, "auc": 1}]'
ROW_EACH = "A table as an array is [{…}, {…}], with an object for each row."


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_an_array_is_read_like_json_lines(indent: int | None, ends: str, file: Path) -> None:
    text = json.dumps(json.loads(ROWS), indent=indent).replace("\n", ends)
    sheet = read(file, f"\ufeff {text}\n")
    assert sheet.columns == ["model", "auc"]
    assert sheet.text("model").to_list() == ["007", "7", None]
    assert sheet.numbers("auc").to_list() == [0.5, None, 1.0]
    assert [sheet.place(row) for row in range(3)] == ["item 1", "item 2", "item 3"]


def test_numbers_of_an_array_keep_their_digits(file: Path) -> None:
    sheet = read(file, '[{"a": 1e5}, {"a": 100000}, {"a": 1.0}, {"a": 1}]')
    assert sheet.numbers("a").to_list() == [1e5, 1e5, 1.0, 1.0]
    assert sheet.text("a").to_list() == ["1e5", "100000", "1.0", "1"]
    numbers = [0.1, 1e-300, 5e-324, 1.7976931348623157e308, -0.5, 123456789.123456789]
    assert read(file, json.dumps([{"a": x} for x in numbers])).numbers("a").to_list() == numbers


def test_texts_of_an_array_may_hold_its_marks(file: Path) -> None:
    odd = ["]", "[{", '"', "\\", "},{", "a\nb", '\\"', "é\u2028🙂", "]}"]
    sheet = read(file, json.dumps([{"a": name, "b": 1} for name in odd], ensure_ascii=False))
    assert sheet.text("a").to_list() == odd


@pytest.mark.parametrize(
    ("text", "item", "reason", "shown"),
    [
        ('[{"a":1},{"a":1,"a":2}]', 2, "it has 'a' twice", '{"a":1,"a":2}'),
        ('[{"a":1},{"a":-Infinity}]', 2, "-Infinity is no JSON number", '{"a":-Infinity}'),
        ('[{"a":1},\n{"a":007}]', 2, "expecting ',' delimiter at column 7", '{"a":007}'),
        ('[{"a":1}, 5]', 2, "a number, word or list", "5"),
        ('["a", "b"]', 1, "a number, word or list", '"a"'),
        ("[[1, 2], [3, 4]]", 1, "a number, word or list", "[1, 2]"),
        ('[{"a":1},]', 2, "expecting value at column 1", ""),
        ('[{"a":1} {"a":2}]', 1, "extra data at column 9", '{"a":1} {"a":2}'),
        ('[{"a":1}] {"a":2}', 2, "it stands behind the end of the array", '{"a":2}'),
        ('[{"a":[1}]', 1, "the array does not end, or a text in it; is the file cut off?", None),
        ('[{"a":1},{"a', 2, "the array does not end, or a text in it; is the file cut off?", None),
        ('[{"a":1},', 2, "the array does not end, or a text in it; is the file cut off?", ""),
        (
            '[{"a":"x\ny"}]',
            1,
            "the array does not end, or a text in it; is the file cut off?",
            None,
        ),
    ],
)
def test_item_that_is_no_object_is_told(
    text: str, item: int, reason: str, shown: str | None, file: Path
) -> None:
    said = sentence(BadJsonItem, lambda: read(file, text))
    assert said.startswith(f"Item {item} of the array is not a JSON object ({reason}): '")
    assert said.endswith(f"'. {ROW_EACH}")
    if shown is not None:
        assert f"): '{shown}'. " in said


def test_deep_array_is_told(file: Path) -> None:
    text = f'[{{"a":{"[" * 100_000}{"]" * 100_000}}}]'
    assert sentence(BadJsonItem, lambda: read(file, text)).startswith(
        "Item 1 of the array is not a JSON object (it is nested too deeply): '"
    )


@pytest.mark.parametrize("text", ["[]", " [ \n ]\n", "[{}]", "[{}, {}]"])
def test_an_array_of_nothing_is_an_empty_file(text: str, file: Path) -> None:
    with pytest.raises(EmptyFile):
        read(file, text)


def test_column_that_plays_a_role_is_in_every_item(file: Path) -> None:
    sheet = read(file, '[{"a": 1, "b": 1}, {"b": 2}]')
    assert sheet.text("b").to_list() == ["1", "2"]
    assert sentence(MissingKey, lambda: sheet.numbers("a")) == (
        "1 item has no 'a', which others have: item 2. A column that plays a role must be in every "
        "item; write null for the score of a failed run."
    )


def test_bad_cell_of_an_array_is_told_with_its_item(file: Path) -> None:
    sheet = read(file, '[\n {"a": 1},\n {"a": "x"}\n]')
    assert sentence(BadCells, lambda: sheet.numbers("a")) == (
        f"1 cell of column 'a' is no number: item 2 has 'x'. {WRITE}"
    )


def test_nested_array_is_neither_a_name_nor_a_number(file: Path) -> None:
    sheet = read(file, '[{"model": "x", "a": {"b": [1, {}]}}, {"model": "y", "a": {"b": []}}]')
    assert sheet.text("model").to_list() == ["x", "y"]
    with pytest.raises(NamesNotText):
        sheet.text("a")
    with pytest.raises(BadCells):
        sheet.numbers("a")


def test_what_is_nested_is_kept_only_as_far_as_a_message_shows_it(file: Path) -> None:
    rows = [{"talk": [{"role": "user", "content": "word " * 1_000}] * 50, "folds": [0.125] * 200}]
    sheet = read(file, json.dumps(rows))
    talk, folds = sheet.written(["talk", "folds"]).row(0)
    assert len(talk) < 1_000
    assert talk.endswith(", …]")
    assert json.loads(folds) == [0.125] * 200
