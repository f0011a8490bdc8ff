"""Text read as numbers, by one grammar."""

import math
import re
import struct
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings, strategies as st

from winodds.language.options import Decimal
from winodds.read.numbers import MISSING, Numbers, advise, explain, parse_numbers

GRAMMAR = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
"""The grammar of the documentation, digits spelled out."""

BLANKS = " \t\u00a0"


def read(
    *cells: str | None, decimal: Decimal = ".", percent: bool = False, missing: bool = True
) -> Numbers:
    text = pl.Series("score", list(cells), pl.String)
    return parse_numbers(text, decimal=decimal, percent=percent, missing=missing)


def values(*cells: str | None, decimal: Decimal = ".", percent: bool = False) -> list[float | None]:
    """The numbers, None where there is none; all cells must be readable."""
    found = read(*cells, decimal=decimal, percent=percent)
    assert (found.bad.tolist(), found.unsigned.tolist()) == ([], [])
    return as_list(found)


def bad(
    *cells: str | None, decimal: Decimal = ".", percent: bool = False, missing: bool = True
) -> list[int]:
    """The rows that are no numbers."""
    found = read(*cells, decimal=decimal, percent=percent, missing=missing)
    return [int(row) for row in found.bad]


def as_list(found: Numbers) -> list[float | None]:
    return [None if math.isnan(value) else value for value in found.values.tolist()]


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


# Grammar ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0", 0.0),
        ("7", 7.0),
        ("007", 7.0),
        ("+7", 7.0),
        ("-7", -7.0),
        ("-0", -0.0),
        ("0.91", 0.91),
        (".91", 0.91),
        ("-.5", -0.5),
        ("+.5", 0.5),
        ("1.", 1.0),
        ("9.1e-1", 0.91),
        ("9.1E-1", 0.91),
        ("1e5", 1e5),
        ("1e+05", 1e5),
        ("1.e1", 10.0),
        (".1e1", 1.0),
        ("0.1000000000000000055511151231257827", 0.1),
        ("123456789012345678901234567890", 123456789012345678901234567890.0),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ("5e-324", 5e-324),
        ("1e-400", 0.0),
        ("0e999999999", 0.0),
    ],
)
def test_number_is_read_to_the_last_bit(cell: str, value: float) -> None:
    found = read(cell)
    assert (found.bad.tolist(), found.trimmed) == ([], 0)
    assert bits(float(found.values[0])) == bits(value)


@pytest.mark.parametrize(
    "cell",
    [
        *("0,91", "1,234.5", "1,234", "91%", "0.91±x", "0.91 ± 0.02 ±", "**0.91**", "1_000"),
        *("٠٫٩", "١", "１", "0x10", "0b1", "0o7", "1f", "1d", "1j", "\u22121", "–1", "--1", "+-1"),
        *("inf", "-inf", "+inf", "Inf", "INF", "infinity", "-Infinity", "∞", "1e400", "-1e400"),
        *("1.8e308", "1" * 400, "+nan", "-nan", "nan(1)", "NaNs", "n a", "--", "—", "?", "*", "x"),
        *(".", "+", "-.", "e1", ".e1", "1e", "1e+", "1e1.5", "1.2.3", "1 2", "1. 5", "- 1"),
        *("1/2", "'1", '"1"', "$1", "1€", "true", "True", "TRUE", "2020-01-01", "12:30", "(1)"),
        *("1\n", "\n1", "1\r", "\u20091", "1\u3000", "\ufeff1", "1\x00", "\x001", "na na", "0.9a"),
        *("none.", "nil", "missing", "undefined", "ok", "n/a/", "#N/A!", "#VALUE!"),
    ],
)
def test_anything_else_is_no_number(cell: str) -> None:
    assert bad("0.5", cell, "0.7") == [1]


@pytest.mark.parametrize("blanks", [" ", "  ", "\t", "\u00a0", " \u00a0\t"])
def test_blanks_around_a_number_are_taken_off_and_counted(blanks: str) -> None:
    found = read("1", f"{blanks}2", f"3{blanks}", f"{blanks}-4e0{blanks}")
    assert found.values.tolist() == [1.0, 2.0, 3.0, -4.0]
    assert (found.bad.tolist(), found.trimmed) == ([], 3)


def test_blanks_around_words_and_bad_cells_are_not_counted() -> None:
    found = read(" NA ", "   ", " x ", "1")
    assert (found.bad.tolist(), found.trimmed) == ([2], 0)


def test_bad_cells_are_told_by_their_rows() -> None:
    cells = ["1", "x", None, "2", "1_0", "", "inf", "3 "]
    found = read(*cells)
    assert found.bad.tolist() == [1, 4, 6]
    assert np.isnan(found.values).tolist() == [c not in ("1", "2", "3 ") for c in cells]


def test_column_without_rows_has_no_numbers() -> None:
    found = read()
    assert (found.values.tolist(), found.bad.tolist(), found.trimmed) == ([], [], 0)


# Missing scores -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word",
    [
        *("", "NA", "NaN", "nan", "null", "None", "-", "n/a", "fail", "timeout"),
        *("OOM", "error", "crash", "crashed", "killed", "failure"),
    ],
)
def test_words_of_the_documentation_are_missing_scores(word: str) -> None:
    assert values("1", word, "2") == [1.0, None, 2.0]


@pytest.mark.parametrize("word", MISSING)
@pytest.mark.parametrize("change", [str.lower, str.upper, str.capitalize])
@pytest.mark.parametrize("blanks", ["", " ", "\u00a0\t"])
def test_missing_words_have_any_case_and_blanks_around(
    word: str, change: Callable[[str], str], blanks: str
) -> None:
    assert values("1", f"{blanks}{change(word)}{blanks}") == [1.0, None]


def test_empty_cell_is_a_missing_score() -> None:
    assert values(None, "1", None) == [None, 1.0, None]
    assert values(None, None) == [None, None]


@pytest.mark.parametrize("word", [None, *MISSING])
def test_missing_words_are_bad_where_nothing_may_be_missing(word: str | None) -> None:
    assert bad("1", word, "2", missing=False) == [1]


# Decimal comma ------------------------------------------------------------------------------------


def test_decimal_comma_is_read_when_it_is_asked_for() -> None:
    assert values("0,91", "-,5", "1,", "3", "9,1e-1", " 0,5 ", "NA", None, decimal=",") == [
        *(0.91, -0.5, 1.0, 3.0, 0.91, 0.5),
        *(None, None),
    ]


@pytest.mark.parametrize(
    "cell", ["0.91", "1.234,5", "1,234,5", "1,234.5", ".5", "1.", ",", "x,y", "1.5e3", "0,5.", "."]
)
def test_point_and_second_comma_are_bad_beside_a_decimal_comma(cell: str) -> None:
    assert bad("0,5", cell, decimal=",") == [1]


@pytest.mark.parametrize("cell", ["inf", "1e400", "1_000", "0,91%", "0,9±", "1,5?"])
def test_what_is_no_number_with_a_point_is_none_with_a_comma(cell: str) -> None:
    assert bad("0,5", cell, decimal=",") == [1]


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (["0,91", "0,5"], [0.91, 0.5]),
        (["85,9", "1,234", "NA", "7", None], [85.9, 1.234, None, 7.0, None]),
        (["0,912", "-,5", "1,5e3"], [0.912, -0.5, 1500.0]),
        (["0,9 ± 0,1", "1,5 (0,2)"], [0.9, 1.5]),
    ],
)
def test_decimal_commas_are_found_where_all_cells_agree(
    cells: list[str | None], wanted: list[float | None]
) -> None:
    found = read(*cells)
    assert (as_list(found), found.bad.size, found.commas) == (wanted, 0, True)


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        (["0,91", "0.5"], [0]),
        (["1,234", "2,500", "12"], [0, 1]),
        (["1,234", "2.5"], [0]),
        (["0,91", "1,234,567"], [0, 1]),
        (["0,91", "x"], [0, 1]),
    ],
)
def test_commas_that_may_be_something_else_are_no_decimal_marks(
    cells: list[str], wrong: list[int]
) -> None:
    found = read(*cells)
    assert (found.bad.tolist(), found.commas) == (wrong, False)


# Spreads ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell",
    [
        *(
            "85.9 ± 0.5",
            "85.9±.5",
            "85.9 +/- 0.5",
            "85.9 (0.5)",
            "85.9(5)",
            "85.9 (±0.5)",
            "85.9+-1",
        ),
        *("$85.9_{0.5}$", "$85.9 \\pm 0.5$", "85.9_{\\pm 0.5}", "85.9 [85.4, 86.4]"),
        *("85.9 (85.4–86.4)", "85.9 (85.4-86.4)", " 85.9 ± 0.5 ", "85.9 ± 5e-1"),
    ],
)
def test_how_much_a_score_varies_is_left_out(cell: str) -> None:
    found = read("1", cell, "NA", None)
    assert (as_list(found), found.bad.size, found.spreads) == ([1.0, 85.9, None, None], 0, 1)


def test_percentages_keep_their_sign_when_a_spread_is_left_out() -> None:
    assert values("91.5% ± 0.5%", "7 ± 1%", percent=True) == [0.915, 0.07]
    assert bad("91.5% ± 0.5%", "7 ± 1%") == [0, 1]


def test_weights_and_hyperparameters_have_no_spreads() -> None:
    found = parse_numbers(pl.Series(["1 (2)", "3"], dtype=pl.String), missing=False)
    assert (found.bad.tolist(), found.spreads) == ([0], 0)


# Percent ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["%", " %", "\u00a0%", "% ", " % "])
def test_percentages_with_a_sign_are_divided_by_a_hundred(sign: str) -> None:
    assert values(f"91.5{sign}", f"7{sign}", f"-1e1{sign}", percent=True) == [0.915, 0.07, -0.1]


def test_percentages_without_a_sign_are_divided_by_a_hundred() -> None:
    assert values("91.5", "7", "NA", None, percent=True) == [0.915, 0.07, None, None]


def test_missing_scores_need_no_percent_sign() -> None:
    assert values("91%", "NA", "", None, "fail", percent=True) == [0.91, None, None, None, None]


def test_percentages_may_have_a_decimal_comma() -> None:
    assert values("91,5%", "7 %", decimal=",", percent=True) == [0.915, 0.07]


def test_numbers_without_a_sign_among_percentages_are_told_apart() -> None:
    found = read("91%", "0.92", "93%", "94", "NA", "x", percent=True)
    assert (found.unsigned.tolist(), found.bad.tolist()) == ([1, 3], [5])


def test_nothing_is_without_a_sign_where_nothing_has_one() -> None:
    assert read("91", "92", percent=True).unsigned.tolist() == []
    assert read("91%", "92%", None, percent=True).unsigned.tolist() == []
    assert read("91", "92%").unsigned.tolist() == []


@pytest.mark.parametrize("cell", ["9%1", "%91", "91%%", "91% %", "91‰", "91 percent"])
def test_sign_in_another_place_is_bad(cell: str) -> None:
    assert bad("91%", cell, percent=True) == [1]


@pytest.mark.parametrize("cell", ["%", " %", "NA%", "-%", "fail %"])
def test_sign_without_a_number_is_bad(cell: str) -> None:
    assert bad("91%", cell, percent=True) == [1]


def test_sign_is_bad_unless_percentages_are_asked_for() -> None:
    assert bad("0.9", "91%") == [1]


# Twin ---------------------------------------------------------------------------------------------


def expected(cell: str) -> float | str | None:
    """What the documentation says of a cell: its number, None if it is missing, or "bad"."""
    stripped = cell.strip(BLANKS)
    if re.fullmatch(GRAMMAR, stripped) and math.isfinite(float(stripped)):
        return float(stripped)
    return None if stripped.lower() in MISSING else "bad"


def check_against_twin(cells: list[str]) -> None:
    found = read(*cells)
    wanted = [expected(cell) for cell in cells]
    assert found.bad.tolist() == [k for k, value in enumerate(wanted) if value == "bad"]
    for value, want in zip(found.values.tolist(), wanted, strict=True):
        if isinstance(want, float):
            assert bits(value) == bits(want)
        else:
            assert math.isnan(value)
    padded = [
        cell
        for cell, want in zip(cells, wanted, strict=True)
        if isinstance(want, float) and cell != cell.strip(BLANKS)
    ]
    assert found.trimmed == len(padded)


near_numbers = st.text("0123456789+-.eE,_%infa xX\u00a0\t", max_size=12)
well_formed = st.from_regex(GRAMMAR, fullmatch=True)
floats = st.floats(allow_nan=False, allow_infinity=False).map(repr)
anything = st.text(max_size=8)


@settings(max_examples=150)
@given(st.lists(st.one_of(near_numbers, well_formed, floats, anything), min_size=1, max_size=30))
@example(["1e308", "1e309", "2.4703282292062327e-324", "2.4703282292062328e-324", "-0.0"])
@example(["İ", "ﬁ", "NaN", "ＮＡ", "nan ", "null\u2003"])
def test_cell_is_a_number_exactly_by_the_grammar(cells: list[str]) -> None:
    check_against_twin(cells)


def test_random_texts_near_numbers_are_read_by_the_grammar() -> None:
    rng = np.random.default_rng(0)
    letters = np.array(list("0123456789+-.eE,_%infa xX"))
    cells = letters[rng.integers(0, letters.size, size=(20_000, 9))].tolist()
    sizes = rng.integers(0, 10, size=20_000).tolist()
    check_against_twin(["".join(c[:size]) for c, size in zip(cells, sizes, strict=True)])


def test_random_long_numbers_are_read_to_the_last_bit() -> None:
    rng = np.random.default_rng(1)

    def digits() -> str:
        return "".join(map(str, rng.integers(0, 10, size=int(rng.integers(1, 25))).tolist()))

    check_against_twin([f"{digits()}.{digits()}e{rng.integers(-345, 310)}" for _ in range(5_000)])


@given(st.lists(near_numbers, min_size=1, max_size=20))
def test_decimal_comma_reads_what_a_point_reads_in_its_place(cells: list[str]) -> None:
    swapped = [cell.translate(str.maketrans(",.", ".,")) for cell in cells]
    point, comma = read(*cells), read(*swapped, decimal=",")
    assert comma.bad.tolist() == point.bad.tolist()
    assert comma.values.tobytes() == point.values.tobytes()
    assert comma.trimmed == point.trimmed


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False).map(repr), min_size=1))
def test_percent_sign_on_all_cells_or_on_none_is_the_same(cells: list[str]) -> None:
    plain = values(*cells, percent=True)
    assert plain == [float(cell) / 100.0 for cell in cells]
    assert values(*(f"{cell}%" for cell in cells), percent=True) == plain
    assert values(*(f"{cell} %" for cell in cells), percent=True) == plain


# Advice -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "option"),
    [
        ("0,91", {"decimal": ","}),
        (" 0,91\u00a0", {"decimal": ","}),
        ("-,5e3", {"decimal": ","}),
        ("91%", {"percent": True}),
        ("91.5 %", {"percent": True}),
        (" 91\u00a0% ", {"percent": True}),
        ("1,234.5", {}),
        ("1,234,567", {}),
        ("0,91%", {"percent": True, "decimal": ","}),
        ("91%%", {}),
        ("%", {}),
        ("1_000", {}),
        ("0.91±0.02", {}),
        ("**0.91**", {}),
        ("٠٫٩١", {}),
        ("0x1F", {}),
        ("−1", {}),
        ("inf", {}),
        ("x", {}),
        ("", {}),
    ],
)
def test_option_that_would_accept_a_cell_is_advised(cell: str, option: dict[str, object]) -> None:
    assert advise(cell, decimal=".", percent=False) == option


@pytest.mark.parametrize(
    ("cell", "decimal", "percent", "option"),
    [
        ("0.91", ",", False, {"decimal": "."}),
        ("0,9,1", ",", False, {}),
        ("1.234,5", ",", False, {}),
        ("91%", ",", False, {"percent": True}),
        ("91%", ".", True, {}),
        ("0,91", ".", True, {"decimal": ","}),
    ],
)
def test_option_that_is_set_already_is_not_advised(
    cell: str, decimal: Decimal, percent: bool, option: dict[str, object]
) -> None:
    assert advise(cell, decimal=decimal, percent=percent) == option


@given(near_numbers)
def test_advised_option_accepts_the_cell(cell: str) -> None:
    advice = advise(cell, decimal=".", percent=False)
    if advice:
        assert read(cell).bad.tolist() == [0]
        assert read(cell, **advice).bad.tolist() == []


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("inf", "infinite"),
        ("-Infinity", "infinite"),
        ("1e400", "too large for a number"),
        ("-1.5E+999", "too large for a number"),
        ("1,234,567", "marks of thousands"),
        ("1,234.5", "marks of thousands"),
        ("-12,345.", "marks of thousands"),
        ("0.91±0.02", "a number and its error"),
        ("0.91 ± 0.02", "a number and its error"),
        ("0.91+/-0.02", "a number and its error"),
        ("0.91 \\pm 0.02", "a number and its error"),
        ("**0.91**", "marks of bold or italic type"),
        ("*91%*", "marks of bold or italic type"),
        ("`0.91`", "marks of bold or italic type"),
        ("_0.91_", "marks of bold or italic type"),
        ("1_000", "underscores"),
        ("1_000_000.5", "underscores"),
        ("0x1F", "hexadecimal"),
        ("-0XfF", "hexadecimal"),
        ("\u22120.5", "a minus sign that is none on the keyboard"),
        ("–0.5", "a minus sign that is none on the keyboard"),
        ("—0.5", "a minus sign that is none on the keyboard"),
        ("－0.5", "a minus sign that is none on the keyboard"),
        ("1/2", "a fraction"),
        ("١", "digits of another script"),
        ("０.９", "digits of another script"),
        (" 1_000 ", "underscores"),
        ("0,91", None),
        ("1.234,5", "marks of thousands"),
        ("1.234.567,", "marks of thousands"),
        ("91%", "a percent sign"),
        ("-91.5 %", "a percent sign"),
        ("0,91%", "a percent sign"),
        ("%", None),
        ("x%", None),
        ("1e-3", None),
        ("1" * 400, "too large for a number"),
        ("x", None),
        ("", None),
        ("good", None),
    ],
)
def test_what_is_odd_about_a_cell_is_told(cell: str, words: str | None) -> None:
    assert explain(cell) == words


@pytest.mark.parametrize("cell", ["0,912", "-0,912", "00,912"])
def test_thousands_do_not_begin_with_a_zero(cell: str) -> None:
    assert explain(cell) is None


def test_number_that_another_option_refuses_is_not_called_odd() -> None:
    assert bad("9.1e-1", decimal=",") == [0]
    assert explain("9.1e-1") is None
