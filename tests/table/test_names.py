"""Names stay as they are, apart from what no reader could see."""

import polars as pl
import pytest
from tables import ROUGH, named, sentence, texts

from winodds import rate
from winodds.errors import ConflictingDuplicates, EmptyName, UnreadableName
from winodds.table.names import Index, index_names, look_alike, tidy


def place(row: int) -> str:
    return f"row {row + 1:,}"


def index(*names: str) -> Index:
    return index_names(pl.Series(names, dtype=pl.String), column="player", place=place)


def test_names_are_numbered_in_their_sorted_order() -> None:
    found = index("svm", "rf", "svm", "Rf")
    assert found.names == ("Rf", "rf", "svm")
    assert found.code.tolist() == [2, 1, 2, 0]
    assert found.tidied == 0


@pytest.mark.parametrize(
    "names",
    [
        ("NA", "null", "nan", "None", "N/A", "-", "?"),
        ("007", "7", "7.0", "+7", "0x7"),
        ("1e5", "100000", "1E5", "1e05"),
        ("TRUE", "True", "true", "1"),
        ("2024-05-01", "2024-5-1"),
        ("0,91", "0.91"),
        ("a b", "a  b", "a_b"),
        ("=HYPERLINK(1)", "<b>", "../../x", '"; DROP', "%s", "{0}", "\\n"),
    ],
)
def test_names_that_differ_stay_different(names: tuple[str, ...]) -> None:
    found = index(*names)
    assert found.names == tuple(sorted(names))
    assert [found.names[k] for k in found.code] == list(names)
    assert found.tidied == 0


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("rf ", "rf"),
        ("\trf\r\n", "rf"),
        ("\u3000rf", "rf"),
        ("deep\u00a0forest", "deep forest"),
        ("cafe\u0301", "café"),
        ("\u212b", "Å"),
    ],
)
def test_what_no_reader_can_see_is_normalised(written: str, read: str) -> None:
    found = index(written, "b", written)
    assert found.names[found.code[0]] == read
    assert found.code[0] == found.code[2]
    assert found.tidied == 1
    assert tidy(written) == read


def test_normalised_names_meet_their_plain_form() -> None:
    found = index("rf", "rf ", " rf", "svm")
    assert found.names == ("rf", "svm")
    assert found.code.tolist() == [0, 0, 0, 1]
    assert found.tidied == 2


def test_normalised_names_are_noted_on_the_board() -> None:
    board = rate(named("a ", "b", "cafe\u0301"), higher_is_better=True)
    assert board.players == ("a", "b", "café")
    assert texts(board.notes) == (
        "2 names in the table were freed of outer blanks or odd characters.",
        ROUGH,
    )


def test_names_that_become_one_conflict() -> None:
    table = named("rf", "rf ", "svm")
    assert sentence(ConflictingDuplicates, lambda: rate(table, higher_is_better=True)) == (
        "3 player–round pairs have more than one score; the first is 'rf' in '1' with 0.9 (row 1) "
        'and 0.8 (row 2). Give repeats their own round, or pass duplicates="mean".'
    )


@pytest.mark.parametrize("empty", ["", " ", "\t", "\n", "\u00a0", "\u3000", " \u00a0 "])
def test_empty_name_is_refused(empty: str) -> None:
    assert sentence(EmptyName, lambda: index("a", empty, "b", empty)) == (
        "2 rows have no name in column 'player'; the first is row 2. Fill the names in or drop "
        "these rows."
    )


def test_one_missing_name_is_counted_in_the_singular() -> None:
    names = pl.Series(["a"] * 1499 + [None])
    assert sentence(
        EmptyName, lambda: index_names(names, column="fold", place=lambda row: f"row {row + 1:,}")
    ) == ("1 row has no name in column 'fold': row 1,500. Fill the name in or drop the row.")


@pytest.mark.parametrize(
    ("name", "code", "shown"),
    [
        ("a\nb", "000A", r"'a\nb'"),
        ("a\tb", "0009", r"'a\tb'"),
        ("a\x00b", "0000", r"'a\x00b'"),
        ("\x1b[31mrf\x1b[0m", "001B", r"'\x1b[31mrf\x1b[0m'"),
        ("a\x85b", "0085", r"'a\x85b'"),
        ("a\u200bb", "200B", r"'a\u200bb'"),
        ("\u200b", "200B", r"'\u200b'"),
        ("rf\u2060", "2060", r"'rf\u2060'"),
        ("\ufeffrf", "FEFF", r"'\ufeffrf'"),
        ("a\u202eb", "202E", r"'a\u202eb'"),
        ("a\u2066b", "2066", r"'a\u2066b'"),
        ("a\u00adb", "00AD", r"'a\xadb'"),
        ("a\u2028b", "2028", r"'a\u2028b'"),
        ("a\ue000", "E000", r"'a\ue000'"),
        ("é\U000e0041", "E0041", r"'\xe9\U000e0041'"),
    ],
)
def test_invisible_character_is_refused(name: str, code: str, shown: str) -> None:
    assert sentence(UnreadableName, lambda: index("a", name)) == (
        f"A name in column 'player' (row 2) holds the invisible character U+{code}: {shown}. Two "
        f"such names can look the same; remove the character."
    )


@pytest.mark.parametrize("separator", ["\x1c", "\x1d", "\x1e", "\x1f"])
@pytest.mark.parametrize("pattern", ["{}", "rf{}", "{}rf"])
def test_control_character_at_the_end_is_no_blank(separator: str, pattern: str) -> None:
    with pytest.raises((EmptyName, UnreadableName)):
        index("a", pattern.format(separator))


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u115f", "rf\u034f", "\uffff"])
def test_name_that_prints_as_nothing_is_refused(name: str) -> None:
    with pytest.raises(UnreadableName):
        index("rf", name)


def test_joiners_inside_a_word_or_an_emoji_are_kept() -> None:
    names = ("می\u200cخواهم", "👩\u200d🔬")
    assert index(*names).names == tuple(sorted(names))


def test_names_that_differ_by_a_joiner_alone_are_noted() -> None:
    board = rate(named("rf", "svm", "rf\u200d"), higher_is_better=True)
    assert texts(board.notes) == (
        "Names that differ only in case or form, two models or one? 'rf', 'rf\\u200d'.",
        ROUGH,
    )


@pytest.mark.parametrize(
    "names", [("RF", "rf"), ("ｒｆ", "rf"), ("straße", "STRASSE"), ("x²", "x2"), ("ﬁt", "fit")]
)
def test_look_alikes_differ_only_in_case_or_form(names: tuple[str, str]) -> None:
    assert look_alike(names[0]) == look_alike(names[1])


@pytest.mark.parametrize("names", [("rf", "rf2"), ("a b", "ab"), ("é", "e"), ("7", "007")])
def test_names_that_differ_in_letters_are_no_look_alikes(names: tuple[str, str]) -> None:
    assert look_alike(names[0]) != look_alike(names[1])


def test_look_alikes_are_noted_and_kept_apart() -> None:
    board = rate(named("RF", "rf", "svm"), higher_is_better=True)
    assert board.players == ("RF", "rf", "svm")
    assert texts(board.notes) == (
        "Names that differ only in case or form, two models or one? 'RF', 'rf'.",
        ROUGH,
    )
