"""Files that say two things at once: one of them would be read, and the other lost."""

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import grid, sentence, texts, three_by_three

from winodds import rate, rate_battles, read_results, read_source
from winodds.adapters.place import Place, read_objects
from winodds.errors import (
    AmbiguousWinner,
    BadCells,
    CommentOrName,
    ConflictingDuplicates,
    Unreadable,
    UnreadableHeader,
)


def parquet(table: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.write_parquet(stream)
    return stream.getvalue()


def test_parquet_files_behind_each_other_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    file.write_bytes(parquet(three_by_three()) + parquet(grid({"d": [1.0, 2.0]})))
    assert sentence(Unreadable, lambda: read_results(file)) == (
        f"'{file}' cannot be read: it is several Parquet files joined into one; name one of them, "
        "or convert them."
    )


def test_a_parquet_file_may_hold_the_mark_of_parquet_files(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    table = three_by_three().with_columns(pl.col("player") + "PAR1PAR1")
    file.write_bytes(parquet(table))
    assert sorted(read_results(file).text("player").unique()) == [
        f"{name}PAR1PAR1" for name in "abc"
    ]


def test_a_key_that_an_object_has_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_text('{\n"results": {"a": 1, "a": 2}}')
    wanted = f"'{file}' cannot be read: it is no whole JSON (an object has 'a' twice)."
    assert sentence(Unreadable, lambda: Place(str(file)).document) == wanted
    file.write_text(json.dumps({"a": 1}) + '\n{"b": 1, "b": 2}\n')
    assert sentence(Unreadable, lambda: list(read_objects(file))) == (
        f"'{file}' cannot be read: line 2 is no whole JSON (an object has 'b' twice)."
    )


def test_a_key_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_text('{"model": "a", "fold": 1, "auc": 0.5, "no\\ud800te": 1}\n')
    assert sentence(UnreadableHeader, lambda: read_results(file)) == (
        "A column's name holds the invisible character U+D800: 'no\\ud800te'; remove the character."
    )


def test_marks_of_thousands_are_not_advised_to_be_read_as_decimal_marks(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text('model,fold,votes\na,1,"1,234"\nb,1,999\na,2,"1,235"\nb,2,998\n')
    said = sentence(
        BadCells,
        lambda: read_source(file).numbers("votes", role="score"),
    )
    assert "marks of thousands" in said
    assert "decimal" not in said


def test_commas_before_three_digits_are_doubted_where_they_are_read_as_decimal_marks(
    tmp_path: Path,
) -> None:
    file = tmp_path / "t.csv"
    for cell, doubts in (("1,235", 1), ("0,912", 0), ("1,2", 0)):
        file.write_text(f'model,fold,votes\na,1,"1,234"\nb,1,999\na,2,"{cell}"\nb,2,998\n')
        found = rate(read_results(file, decimal=","), score="votes", higher_is_better=True)
        assert [str(note) for note in found.notes if note.name == "grouped_digits"] == doubts * [
            "Every comma of column 'votes' stands before three digits, as marks of thousands do: "
            "'1,234' was read as 1.234. If that is wrong, write the numbers without such marks."
        ]


# Comments and names -------------------------------------------------------------------------------

LINES = ["model,fold,auc", "A,1,.9", "B,1,.8", "A,2,.8", "B,2,.9"]


def test_a_line_that_begins_as_a_comment_is_no_player(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("\n".join([*LINES[:3], "#A,2,.92", *LINES[3:]]))
    assert sentence(CommentOrName, lambda: rate(read_results(file))) == (
        "1 line begins with '#', as comments do; line 4 is '#A,2,.92'. Remove it if it is a "
        "comment, or put the first cell in quotation marks if it is a name."
    )


def test_names_that_begin_with_a_hash_are_names_in_quotes_or_if_all_do(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    quoted = [*LINES, '"#A",1,.7', '"#A",2,.7']
    every = [LINES[0], *(f"#{line}" for line in LINES[1:])]
    for lines, players in ((quoted, ["#A", "A", "B"]), (every, ["#A", "#B"])):
        file.write_text("\n".join(lines))
        assert sorted(rate(read_results(file)).players) == players


# Numbers as names ---------------------------------------------------------------------------------


def folds(*names: str, column: str = "fold") -> pl.DataFrame:
    """Scores of a and b, b in rounds of its own spelling."""
    half = len(names) // 2
    return pl.DataFrame(
        {
            "model": ["a"] * half + ["b"] * (len(names) - half),
            column: names,
            "auc": [0.5 + 0.01 * k for k in range(len(names))],
        }
    )


def test_a_whole_number_is_one_fold_however_it_is_written() -> None:
    board = rate(folds("1", "2", "3", "1.0", " 02 ", "3e0"))
    assert board.how.matches.rounds == 3
    assert texts(board.notes)[1:3] == (
        "All rounds are whole numbers, and the same number is the same one however it is written: "
        "'02' as '2', '1.0' as '1', '3e0' as '3'.",
        "1 name in the table was freed of outer blanks or odd characters.",
    )


def test_a_data_set_and_a_round_of_two_columns_are_one_number_too() -> None:
    table = folds("1", "2", "3", "1.0", "2.0", "3.0").with_columns(dataset=pl.lit("x"), seed=1)
    for chosen in ({"round": ["dataset", "fold"]}, {"tournament": "fold", "round": "seed"}):
        assert rate(table, **chosen).how.matches.rounds == 3


def test_the_same_fold_written_twice_for_one_player_is_a_repeated_row() -> None:
    said = sentence(ConflictingDuplicates, lambda: rate(folds("3", "3.0", "1", "3")))
    assert said.startswith("1 player–round pair has more than one score")


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (("1.1", "1.10", "1.1", "1.10"), "'1.1', '1.10'"),
        (("3", "last", "3.0", "3", "last"), "'3', '3.0'"),
    ],
)
def test_versions_and_words_stay_apart_and_are_asked_about(
    names: tuple[str, ...], listed: str
) -> None:
    board = rate(folds(*names))
    assert f"Names that are the same number, two rounds or one? {listed}." in texts(board.notes)


def test_numbers_that_no_float_tells_apart_are_different_folds() -> None:
    board = rate(
        folds("12345678901234567890", "12345678901234567891").vstack(
            folds("12345678901234567891", "12345678901234567890").reverse()
        ),
        duplicates="mean",
    )
    assert board.how.matches.rounds == 2


# Battles ------------------------------------------------------------------------------------------


SIDES: Any = {"left": "left", "right": "right"}


def battle(left: str, right: str, winner: str) -> pl.DataFrame:
    others = [("x", "y", "left"), ("y", "x", "left"), ("x", "y", "tie")]
    return pl.DataFrame([*others, (left, right, winner)], ["left", "right", "winner"], orient="row")


@pytest.mark.parametrize(
    ("left", "right", "winner", "means"),
    [
        (
            "model_b",
            "model_a",
            "model_a",
            "the player in column 'left', and is the name of the other one",
        ),
        ("x", "left", "left", "the player in column 'left', and is the name of the other one"),
        (
            "model_b",
            "x",
            "model_b",
            "the player in column 'right', and is the name of the other one",
        ),
        ("tie", "x", "tie", "a tie, and is the name of a player of that battle"),
    ],
)
def test_a_label_that_names_the_other_player_is_asked_about(
    left: str, right: str, winner: str, means: str
) -> None:
    said = sentence(AmbiguousWinner, lambda: rate_battles(battle(left, right, winner), **SIDES))
    assert said == (
        f"Row 4 has '{winner}' in column 'winner', which means {means}. Rename players that are "
        f"called like a side or a tie."
    )


def test_a_label_that_names_the_player_whom_it_means_is_clear() -> None:
    board = rate_battles(battle("model_a", "x", "model_a"), **SIDES)
    assert board.row("model_a").wins == 1.0


# Names that look alike ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("XGBoost", "XGBооst"),
        ("Alpha", "Αlpha"),
        ("Mixtral 8x7B", "Mixtral 8×7B"),
        ("GPT-4", "GPT\u20114"),
        ("random forest", "random  forest"),
        ("rf", "ｒｆ"),
    ],
)
def test_names_that_look_alike_stay_apart_with_a_doubt(names: tuple[str, str]) -> None:
    table = three_by_three().with_columns(
        player=pl.col("player").replace_strict({"a": names[0], "b": names[1], "c": "other"})
    )
    board = rate(table, higher_is_better=True)
    assert {*names, "other"} == set(board.players)
    (doubt,) = [note for note in board.notes if note.name == "look_alike_names"]
    assert [sorted(alike) for alike in doubt.facts["names"]] == [sorted(names)]
    assert doubt.kind == "doubt"


def test_composed_and_decomposed_accents_are_one_name_with_a_note() -> None:
    table = three_by_three().with_columns(
        player=pl.Series(["é", "b", "c", "e\u0301", "b", "c", "é", "b", "c"])
    )
    board = rate(table, higher_is_better=True)
    assert len(board.players) == 3
    assert texts(board.notes)[0] == (
        "1 name in the table was freed of outer blanks or odd characters."
    )
