"""Delimited text: its delimiter, header, records and lines."""

import csv
import io
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from tables import sentence, texts

from winodds.errors import (
    DuplicateHeader,
    EmptyFile,
    HeaderOnly,
    OpenQuote,
    RaggedLines,
    RepeatedHeader,
    StrayQuote,
    UnreadableHeader,
    WinoddsError,
)
from winodds.read import delimited
from winodds.read.delimited import Delimited, read_delimited

SEMICOLONS = "Cells are separated by semicolons."
TABS = "Cells are separated by tabs."
MACINTOSH = "Line ends are old Macintosh ones; each was read as the end of a line."
MIXED = "Line ends are mixed ones; each was read as the end of a line."


def read(text: str) -> Delimited:
    return read_delimited(text.encode())


def cells(source: Delimited, *columns: str) -> list[tuple[str | None, ...]]:
    chosen = columns or source.columns
    return source.parse(dict.fromkeys(chosen, pl.String)).rows()


def slow_cells(source: Delimited, *columns: str) -> list[tuple[str | None, ...]]:
    places = [source.columns.index(name) for name in columns or source.columns]
    return source._parse_slowly(dict.fromkeys(source.columns, pl.String), places).rows()


def lines(source: Delimited) -> list[int]:
    """The line of each record."""
    if source.lines is None:
        return list(range(2, source.records + 2))
    return [int(line) for line in source.lines]


def facts(text: str) -> tuple[object, ...] | str:
    """All that is found in a text, or the sentence of the error."""
    try:
        source = read(text)
    except WinoddsError as error:
        return str(error)
    return (
        source.data,
        source.delimiter,
        source.columns,
        source.records,
        source.quoted,
        source.lines is None,
        lines(source),
        texts(source.notes),
        cells(source),
    )


# Delimiter ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "notes"),
    [(",", ()), (";", (SEMICOLONS,)), ("\t", (TABS,))],
    ids=["comma", "semi", "tab"],
)
def test_delimiter_is_found_and_told_unless_it_is_a_comma(
    mark: str, notes: tuple[str, ...]
) -> None:
    source = read("model,fold,auc\na,1,.5\nb,1,.6\n".replace(",", mark))
    assert texts(source.notes) == notes
    assert source == Delimited(
        data="model,fold,auc\na,1,.5\nb,1,.6\n".replace(",", mark).encode(),
        delimiter=mark.encode(),
        columns=("model", "fold", "auc"),
        unnamed=(),
        records=2,
        quoted=False,
        lines=None,
        notes=source.notes,
    )
    assert cells(source) == [("a", "1", ".5"), ("b", "1", ".6")]


@pytest.mark.parametrize(
    ("mark", "notes"),
    [(",", ()), (";", (SEMICOLONS,)), ("\t", (TABS,))],
    ids=["comma", "semi", "tab"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_that_tells_excel_the_separator_is_skipped(
    mark: str, notes: tuple[str, ...], end: str
) -> None:
    text = end.join([f"sep={mark}", f"a{mark}b", f"1{mark}2", f"3{mark}4", ""])
    source = read(text)
    assert (source.columns, cells(source)) == (("a", "b"), [("1", "2"), ("3", "4")])
    assert (lines(source), texts(source.notes)) == ([3, 4], notes)


def test_column_may_be_called_sep() -> None:
    assert read("sep=;,b\n1,2\n").columns == ("sep=;", "b")
    with pytest.raises(EmptyFile):
        read("sep=;\n")


def test_other_marks_in_the_rows_are_part_of_cells() -> None:
    source = read("model;auc\na,b;0,5\nc\td;0,6\n")
    assert (source.delimiter, cells(source)) == (b";", [("a,b", "0,5"), ("c\td", "0,6")])


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a;b,c\n1;2\n3;4\n", ("a", "b,c")),
        ("a;b,c\n1,2\n3,4\n", ("a;b", "c")),
        ("a;b,c\n1;2\n3,4;5\n", ("a", "b,c")),
        ("a\tb,c;d\n1\t2\n", ("a", "b,c;d")),
        ("a,b;c,d\n1;2\n", ("a,b", "c,d")),
        ("a,b;c,d\n1,2,3\n", ("a", "b;c", "d")),
        ("a;b;c,d\n1;2;3\n", ("a", "b", "c,d")),
    ],
)
def test_of_several_marks_in_the_header_that_of_all_rows_is_taken(
    text: str, columns: tuple[str, ...]
) -> None:
    assert read(text).columns == columns


def test_of_marks_on_which_all_rows_agree_the_commonest_is_taken() -> None:
    assert read("a;b;c,d\n1;2;3,4\n").columns == ("a", "b", "c,d")
    assert read("a;b,c,d\n1;2,3,4\n").columns == ("a;b", "c", "d")
    assert read("a;b,c\n1;2,3\n").columns == ("a;b", "c")


def test_rows_that_do_not_agree_are_refused_for_the_commonest_mark() -> None:
    assert sentence(RaggedLines, lambda: read("a;b;c,d\n1;2;3\n4,5\n6;7;8\n")) == (
        "The header has 3 fields, but line 3 has 1, separated by semicolons. An empty cell needs "
        "its separator too."
    )


def test_marks_inside_quotes_separate_nothing() -> None:
    source = read('"a,b,c";d\n1;"2,;\t3"\n')
    assert (source.delimiter, source.columns) == (b";", ("a,b,c", "d"))
    assert cells(source) == [("1", "2,;\t3")]
    assert read('"a;b;c",d\n1,2\n').columns == ("a;b;c", "d")


def test_text_without_marks_has_one_column() -> None:
    source = read("model\na\nb|c\n")
    assert (source.delimiter, source.columns) == (b",", ("model",))
    assert cells(source) == [("a",), ("b|c",)]


# Quotes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "meaning"),
    [
        ('"x"', "x"),
        ('"x,y"', "x,y"),
        ('"x""y"', 'x"y'),
        ('""""', '"'),
        ('"""x"""', '"x"'),
        ('""""""', '""'),
        ('"x\ny"', "x\ny"),
        ('"\n\n"', "\n\n"),
        ('" x "', " x "),
        ("' x'", "' x'"),
        ("x\\y", "x\\y"),
        ('"#x"', "#x"),
        (" x ", " x "),
        ('"é,ü"', "é,ü"),
    ],
)
def test_quoted_cell_is_what_is_between_the_quotes(cell: str, meaning: str) -> None:
    source = read(f"a,b,c\n{cell},{cell},{cell}\n1,{cell},2\n")
    wanted = [(meaning, meaning, meaning), ("1", meaning, "2")]
    assert cells(source) == wanted
    assert slow_cells(source) == wanted


def test_empty_cells_are_null() -> None:
    assert cells(read("a,b,c\n,,\n1,,3\n")) == [(None, None, None), ("1", None, "3")]


def test_empty_cells_in_quotes_are_null() -> None:
    source = read('a,b\n"",1\n2,""\n')
    assert slow_cells(source) == [(None, "1"), ("2", None)]
    assert cells(source) == [(None, "1"), ("2", None)]


@pytest.mark.parametrize(
    "line", ['1,x"y', '1,"x"y', '1, "x"', '1,""x""', 'x"",1', '1,"x" ', '"x" ,1', '1,"x""y"z"']
)
def test_stray_quote_is_refused_with_its_line(line: str) -> None:
    assert sentence(StrayQuote, lambda: read(f'\na,b\n"p\nq",1\n\n{line}\n3,4\n')) == (
        f"Line 6 has a quotation mark that neither opens nor closes a field: '{line}'. Quote the "
        f"whole field and double the mark inside it."
    )


def test_stray_quote_in_the_header_is_refused() -> None:
    assert sentence(StrayQuote, lambda: read('a"b,c\n1,2\n')) == (
        "Line 1 has a quotation mark that neither opens nor closes a field: 'a\"b,c'. Quote the "
        "whole field and double the mark inside it."
    )


def test_of_stray_quotes_the_first_is_told() -> None:
    text = 'a,b\n1,"x"y\n2,z"\n'
    assert sentence(StrayQuote, lambda: read(text)).startswith("Line 2 has")
    text = 'a,b\n1,z""\n2,"x"y\n'
    assert sentence(StrayQuote, lambda: read(text)).startswith("Line 2 has")


def test_long_line_with_a_stray_quote_is_cut() -> None:
    assert sentence(StrayQuote, lambda: read(f'a,b\n{"x" * 100}"",1\n')) == (
        f"Line 2 has a quotation mark that neither opens nor closes a field: '{'x' * 59}…'. Quote "
        f"the whole field and double the mark inside it."
    )


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        ('a,b\n1,"x\n2,3\n', 2, '1,"x'),
        ('a,b\n1,2\n3,"', 3, '3,"'),
        ('a,b\n1,"""\n', 2, '1,"""'),
        ('a,b\n1,"x""\n2,3\n4,5', 2, '1,"x""'),
        ('a,b\n"1","2"\n\n"3\n4","5', 5, '4","5'),
        ('\n\n"a,b\n1,2\n', 3, '"a,b'),
        ('"', 1, '"'),
    ],
)
def test_open_quote_is_refused_with_the_line_that_opens_it(
    text: str, line: int, shown: str
) -> None:
    assert sentence(OpenQuote, lambda: read(text)) == (
        f"The quotation mark in line {line} is never closed: '{shown}'. Close it, or check whether "
        f"the file is cut off."
    )


# Lines --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a,b\n1,2\n3,4\n", [2, 3]),
        ("a,b\n1,2\n3,4", [2, 3]),
        ("a,b\n1,2\n3,4\n\n\n", [2, 3]),
        ("\n\n\na,b\n1,2\n3,4\n", [5, 6]),
        ("a,b\n\n1,2\n\n\n3,4\n", [3, 6]),
        ("\na,b\n\n1,2\n3,4\n\n", [4, 5]),
        ('a,b\n1,"x\ny\nz"\n3,4\n', [2, 5]),
        ('a,b\n1,2\n3,"x\ny"\n', [2, 3]),
        ('a,b\n1,"x\n\n\ny"\n\n3,4\n', [2, 7]),
        ("a,b\r\n\r\n1,2\r\n3,4\r\n", [3, 4]),
        ("a,b\r\r1,2\r3,4\r", [3, 4]),
        ("\r\n\ra,b\n1,2\r3,4\r\n", [4, 5]),
        ('a,b\r\n1,"x\r\ny"\r\n3,4\r\n', [2, 4]),
    ],
)
def test_records_know_their_lines(text: str, wanted: list[int]) -> None:
    source = read(text)
    assert lines(source) == wanted
    assert source.records == len(cells(source)) == 2


def test_blank_lines_inside_quotes_are_kept_and_others_are_not() -> None:
    source = read('\na,b\n\n1,"x\n\ny"\n\n3,4\n\n')
    assert source.data == b'a,b\n1,"x\n\ny"\n3,4\n'
    assert cells(source) == [("1", "x\n\ny"), ("3", "4")]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("a,b\n1,2\n", ()),
        ("a,b\r\n1,2\r\n", ()),
        ("a,b\r\n1,2", ()),
        ("a,b\r1,2\r", (MACINTOSH,)),
        ("a,b\r\n1,2\n", (MIXED,)),
        ("a,b\n1,2\r", (MIXED,)),
        ("a,b\r\n1,2\r", (MIXED,)),
        ("a,b\r\r\n1,2\r\n", (MIXED,)),
        ("a;b\r1;2\r", (MACINTOSH, SEMICOLONS)),
    ],
)
def test_line_ends_are_normalised_with_a_note_unless_they_are_usual(
    text: str, notes: tuple[str, ...]
) -> None:
    source = read(text)
    assert texts(source.notes) == notes
    assert source.data.replace(b";", b",") == b"a,b\n1,2\n"


# Header -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n", "\n\n\r\n", " ", "\t \n  "])
def test_text_without_words_is_an_empty_file(text: str) -> None:
    assert sentence(EmptyFile, lambda: read(text)) == (
        "The file is empty. It needs a line with the columns' names and below it a row for every "
        "score, of at least two players in at least two rounds."
    )


@pytest.mark.parametrize("text", ["a,b", "a,b\n", "\na,b\n\n\n", "a,b\r\n", '"a","b"\n'])
def test_header_without_rows_is_refused(text: str) -> None:
    assert sentence(HeaderOnly, lambda: read(text)) == (
        "The file has a header ('a', 'b') but no rows. It needs a row for every score, of at least "
        "two players in at least two rounds."
    )


def test_names_of_columns_are_tidied() -> None:
    source = read(' a ,"b c",d\u00a0e,e\u0301,"f,""g"""\n1,2,3,4,5\n')
    assert source.columns == ("a", "b c", "d e", "é", 'f,"g"')
    assert cells(source, "é", "a") == [("1", "4")]


def test_columns_without_a_name_are_called_by_their_place() -> None:
    source = read(',b, ,""\n1,2,3,4\n')
    assert source.columns == ("column 1", "b", "column 3", "column 4")
    assert source.unnamed == ("column 1", "column 3", "column 4")


def test_name_for_a_nameless_column_is_not_taken_twice() -> None:
    source = read("column 2,,column 3\n1,2,3\n")
    assert source.columns == ("column 2", "column 2 (without a name)", "column 3")
    assert source.unnamed == ("column 2 (without a name)",)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("a,b,a", "'a' (columns 1 and 3)"),
        ("a, a ,b", "'a' (columns 1 and 2)"),
        ("a,b,a,a", "'a' (columns 1, 3 and 4)"),
        ("b,a,b,a", "'b' (columns 1 and 3), 'a' (columns 2 and 4)"),
        ('"a",a', "'a' (columns 1 and 2)"),
        ("é,e\u0301", "'é' (columns 1 and 2)"),
    ],
)
def test_names_that_are_twice_in_the_header_are_refused(header: str, told: str) -> None:
    row = ",".join("1" for _ in header.split(","))
    assert sentence(DuplicateHeader, lambda: read(f"{header}\n{row}\n")) == (
        f"The header has some names more than once: {told}. Rename or drop all but one of each."
    )


def test_names_that_differ_in_case_are_different() -> None:
    assert read("a,A\n1,2\n").columns == ("a", "A")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a\u200bb", "U+200B: 'a\\u200bb'"),
        ("\u202ea", "U+202E: '\\u202ea'"),
        ("a\x00", "U+0000: 'a\\x00'"),
        ("\x1b[1m", "U+001B: '\\x1b[1m'"),
        ('"a\nb"', "U+000A: 'a\\nb'"),
        ("\ufeffa", "U+FEFF: '\\ufeffa'"),
    ],
)
def test_invisible_characters_in_the_header_are_refused(name: str, told: str) -> None:
    assert sentence(UnreadableHeader, lambda: read(f"\n\nx,{name}\n1,2\n")) == (
        f"A column's name holds the invisible character {told}; remove the character."
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b\na,b\n1,2\n", 2),
        ("a,b\n1,2\na,b\n3,4\n", 3),
        ("a,b\n1,2\na,b", 3),
        ("\na,b\n\n1,2\n\na,b\n", 6),
        ('a,b\n1,"x\ny"\na,b\n', 4),
        ("a;b\n1;2\na;b\n", 3),
    ],
)
def test_header_among_the_rows_is_refused_with_its_line(text: str, line: int) -> None:
    assert sentence(RepeatedHeader, lambda: read(text)) == (
        f"Line {line} repeats the header, as when files are joined. Remove the line."
    )


def test_header_inside_a_quoted_cell_is_no_repeated_one() -> None:
    source = read('a,b\n1,"\na,b\n"\n2,"x\na,b"\n')
    assert cells(source) == [("1", "\na,b\n"), ("2", "x\na,b")]


def test_row_that_begins_or_ends_like_the_header_is_a_row() -> None:
    assert cells(read("a,b\na,bc\nxa,b\n")) == [("a", "bc"), ("xa", "b")]


# Ragged lines -------------------------------------------------------------------------------------

EMPTY = "An empty cell needs its separator too."
QUOTE_IT = "A cell that holds the separator must be quoted."
CUT_OFF = "It is the last line: the file seems to be cut off; get it again."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b,c\n1,2,3\n1,2,3,4\n1,2,3\n", f"line 3 has 4, separated by commas. {QUOTE_IT}"),
        ("a,b,c\n1,2\n1,2,3\n", f"line 2 has 2, separated by commas. {EMPTY}"),
        ("a,b,c\n1,2,3\n1,2\n", f"line 3 has 2, separated by commas. {CUT_OFF}"),
        ("a,b,c\n1,2,3\n1", f"line 3 has 1, separated by commas. {CUT_OFF}"),
        ("a,b,c\n1,2,3\n1,2,3,", f"line 3 has 4, separated by commas. {QUOTE_IT}"),
        (
            "a,b,c\n1,2,3,4\n1,2,3\n1,2\n",
            f"line 2 has 4, line 4 has 2, separated by commas. {QUOTE_IT}",
        ),
        (
            "\n\na;b;c\n\n1;2;3;4;5\n\n1;2;3\n1\n",
            f"line 5 has 5, line 8 has 1, separated by semicolons. {QUOTE_IT}",
        ),
        (
            'a,b,c\n1,"x\n,\n,y",3\n1,"2,3"\n1,2,3\n',
            f"line 5 has 2, separated by commas. {EMPTY}",
        ),
        ('a,b,c\n1,"x,y\nz",3\n"1\n2",3\n', f"line 4 has 2, separated by commas. {CUT_OFF}"),
    ],
)
def test_lines_with_more_or_fewer_fields_are_refused(text: str, told: str) -> None:
    assert sentence(RaggedLines, lambda: read(text)) == f"The header has 3 fields, but {told}"


@pytest.mark.parametrize(
    ("text", "told", "marks"),
    [
        ("a,b\n1;2\n3;4\n", "2 fields, but line 2 has 1, line 3 has 1", "1 semicolon"),
        ("a,b,c\n1,2,3\n4\t5\t6\n", "3 fields, but line 3 has 1", "2 tabs"),
    ],
)
def test_lines_with_another_separator_are_told_so(text: str, told: str, marks: str) -> None:
    assert sentence(RaggedLines, lambda: read(text)) == (
        f"The header has {told}, separated by commas. The first has {marks}; the whole file needs "
        f"one separator."
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# made by hand\na,b\n1,2\n", "1 field, but line 2 has 2, line 3 has 2"),
        ("a,b\n1,2\n# rerun\n3,4\n", "2 fields, but line 3 has 1"),
        ("a,b\n1,2\n# x, y, z\n3,4\n", "2 fields, but line 3 has 3"),
        ("a,b\n1,2\n# the end\n", "2 fields, but line 3 has 1"),
    ],
)
def test_lines_with_comments_are_told_so(text: str, told: str) -> None:
    assert sentence(RaggedLines, lambda: read(text)) == (
        f"The header has {told}, separated by commas. Remove lines with comments."
    )


def test_line_of_blanks_and_tabs_is_a_blank_line() -> None:
    assert cells(read("a,b\n1,2\n \t\n3,4\n")) == [("1", "2"), ("3", "4")]


def test_of_many_ragged_lines_three_are_listed() -> None:
    listed = ", ".join(f"line {line} has 3" for line in range(3, 6))
    text = "a,b\n1,2\n" + "1,2,3\n" * 1025
    assert sentence(RaggedLines, lambda: read(text)) == (
        f"The header has 2 fields, but {listed}, and 1,022 more lines, separated by commas. "
        f"{QUOTE_IT}"
    )


def test_ragged_line_far_down_is_told_with_its_line() -> None:
    text = "a,b\n" + "1,2\n" * 20_000 + "1,2,3\n" + "1,2\n"
    assert sentence(RaggedLines, lambda: read(text)) == (
        f"The header has 2 fields, but line 20,002 has 3, separated by commas. {QUOTE_IT}"
    )


def test_line_of_blanks_is_a_blank_line() -> None:
    source = read("a,b\n1,2\n  \n3,4\n \n")
    assert (cells(source), lines(source)) == ([("1", "2"), ("3", "4")], [2, 4])


# Columns ------------------------------------------------------------------------------------------


def test_only_the_wanted_columns_are_cut_out_as_what_is_wanted() -> None:
    source = read("a,b,c,d\nx,1,y,2\nx,3,z,4\n")
    frame = source.parse({"d": pl.String, "a": pl.Categorical})
    assert frame.schema == {"a": pl.Categorical(), "d": pl.String()}
    assert frame.rows() == [("x", "2"), ("x", "4")]
    slow = source._parse_slowly({"a": pl.Categorical, "b": pl.String, "c": pl.String}, [0, 2])
    assert slow.schema == {"a": pl.Categorical(), "c": pl.String()}
    assert slow.rows() == [("x", "y"), ("x", "z")]


def test_records_that_polars_sees_otherwise_are_read_by_the_standard_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = read('a,b\n1,"x\ny"\n2,\n')
    monkeypatch.setattr(pl, "read_csv", lambda *_, **__: pl.DataFrame({"a": ["1"], "b": ["x"]}))
    assert cells(source) == [("1", "x\ny"), ("2", None)]


def test_cells_stay_text() -> None:
    odd = ["007", "7", "1e5", "100000", "TRUE", "true", "NA", "null", "nan", "2020-01-01", "=1+1"]
    source = read("a,b\n" + "".join(f"{cell},{cell}\n" for cell in odd))
    assert cells(source) == [(cell, cell) for cell in odd]


# Chunks -------------------------------------------------------------------------------------------

TEXTS = [
    "a,b\n1,2\n3,4\n",
    "a,b\n1,2\n3,4",
    "\n\na,b\n\n1,2\n\n\n3,4\n\n",
    "model;fold;auc\nlong name;1;0,5\nx;2;0,6\n",
    "a;b,c\n1;2\n3;4\n",
    "a;b,c\n1;2\n3,4\n",
    'a,b\n1,"x\n\n,y"\n"p""q",4\n\n"",""\n',
    'a,b\n"1\n2\n3\n4\n5\n6\n7\n8\n9",2\n"",1\n',
    'a,b\n1,"x\n2,3\n',
    'a,b\n1,"x"y\n2,3\n',
    'a,b\n1,""""""\n""",""",2\n',
    "a,b\n1,2,3\n4\n5,6\n7\n",
    'a,b\n1,"2,3"\n4,5,6\n"\n\n",7,8\n9\n',
    "a,b\n1,2\na,b\n3,4\n",
    'a,b\n1,"x\na,b\n"\na,b\n',
    "a\n1\n2\n\n3\n",
    'a\n"1,2"\n"3\n4"\n',
    "a,b,c,d,e,f\n" + "1,2,3,4,5,6\n" * 9,
    "é,ü\nß,日本語\n日本語,x\n",
    "a\tb\r\n1\t2\r\n\r\n3\t4\r\n",
    "a,b\r1,2\r\r3,4",
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("text", TEXTS)
def test_borders_of_chunks_change_nothing(
    text: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = facts(text)
    monkeypatch.setattr(delimited, "CHUNK", size)
    assert facts(text) == wanted


structure = st.text('ab1,,;"\n\n', max_size=40)


@settings(max_examples=300)
@given(structure, st.sampled_from([1, 2, 3, 7, 16]))
def test_borders_of_chunks_change_nothing_in_any_text(text: str, size: int) -> None:
    text = f"a,b\n{text}"
    wanted = facts(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "CHUNK", size)
        assert facts(text) == wanted


# Twin ---------------------------------------------------------------------------------------------

field = st.text("ab1 .é\\#',;\t\"\n日\x0b\x0c\x85\u2028\ufeff", max_size=6)


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    width = draw(st.integers(2, 4))
    return draw(st.lists(st.lists(field, min_size=width, max_size=width), min_size=1, max_size=6))


def written(rows: Sequence[Sequence[str]], *, mark: str, end: str, always: bool) -> str:
    """A table as the standard library writes it; names that look like comments are quoted."""
    text = io.StringIO(newline="")
    always |= any(row[0].startswith("#") for row in rows)
    everything = [[f"column_{k}" for k in range(len(rows[0]))], *rows]
    if always:
        writer = csv.writer(text, delimiter=mark, lineterminator=end, quoting=csv.QUOTE_ALL)
    else:
        writer = csv.writer(text, delimiter=mark, lineterminator=end)
    writer.writerows(everything)
    return text.getvalue()


@given(tables(), st.sampled_from(",;\t"), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_what_the_standard_library_writes_is_read_back(
    rows: list[list[str]], mark: str, end: str, always: bool
) -> None:
    source = read(written(rows, mark=mark, end=end, always=always))
    wanted = [tuple(cell or None for cell in row) for row in rows]
    assert source.delimiter == mark.encode()
    assert [tuple(cell or None for cell in row) for row in cells(source)] == wanted
    assert slow_cells(source) == wanted


@given(tables())
def test_lines_of_records_are_those_of_the_standard_library(rows: list[list[str]]) -> None:
    text = written(rows, mark=",", end="\n", always=False)
    reader = csv.reader(io.StringIO(text, newline=""))
    ends = [reader.line_num for _ in reader]
    assert lines(read(text)) == [end + 1 for end in ends[:-1]]


@settings(max_examples=300)
@given(structure)
def test_text_is_accepted_only_as_the_strict_standard_library_reads_it(text: str) -> None:
    try:
        source = read(f"p,q\n{text}")
    except WinoddsError:
        return
    reader = csv.reader(io.StringIO(f"p,q\n{text}", newline=""), strict=True)
    rows = [tuple(cell or None for cell in row) for row in reader if row]
    assert [tuple(cell or None for cell in row) for row in cells(source)] == rows[1:]
