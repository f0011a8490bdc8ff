"""Hostile files through the command line: each is refused with its place, or read as it is meant.

Every test compares the whole outcome: exit code and error, or the players and the notes.
"""

import bz2
import csv
import gzip
import io
import json
import pickle
import re
import shlex
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl
import pytest
from tables import ROUGH as ROUGH_ROUNDS

from winodds import rate as rate_frame
from winodds.adapters.sources import adapters
from winodds.cli.main import run
from winodds.language.spelling import command_line_spelling, option

TABLE = "model,fold,auc\nA,1,.9\nB,1,.8\nC,1,.7\nA,2,.8\nB,2,.9\nC,2,.5\nA,3,.6\nB,3,.5\nC,3,.7\n"
ROUGH = ROUGH_ROUNDS.replace("rounds", "folds")
CELL = "A,2,.8"
"""Line 5 of the table, which tests replace."""

PLAIN = [("A", 0.378, 4.0, 6), ("B", 0.0, 3.0, 6), ("C", -0.378, 2.0, 6)]
"""The players of the table: name, rating, wins and matches."""

WITHOUT_CELL = [("A", 0.538, 3.0, 4), ("B", -0.269, 2.0, 5), ("C", -0.269, 2.0, 5)]
"""The same when the cell in line 5 holds no score."""

WRITE_NUMBERS = "Write numbers like 0.91 or 9.1e-1; leave the score of a failed run empty."
QUOTE_CELLS = "A cell that holds the separator must be quoted."
SAVE_AS = "Save the table as CSV, Parquet or JSON lines (one object a line)."
MINIMUM = "of at least two players in at least two rounds."
OPEN_GAP = "How wide such a gap is cannot be known: interval ends across it are open."
INDEPENDENT = (
    "Each battle counts as independent of the others; if battles share prompts or judges, name "
    "that column with --cluster."
)

Players = list[tuple[str, float, float, int]]


class Outcome(NamedTuple):
    """What a command left behind.

    Attributes
    ----------
    code : the exit code.
    error : what standard error says after "Error: ", the folder's path left out.
    board : what standard output holds.
    """

    code: int
    error: str
    board: dict[str, Any] | None

    @property
    def players(self) -> Players:
        return players_of(self.board)

    @property
    def notes(self) -> list[str]:
        assert self.board is not None, self.error
        return [note["text"] for note in self.board["notes"]]


class Rate(Protocol):
    """Rates the bytes of a file with options."""

    def __call__(
        self, content: str | bytes | None, *options: str, name: str = "results.csv"
    ) -> Outcome: ...


def players_of(board: dict[str, Any] | None) -> Players:
    assert board is not None
    return [
        (row["player"], round(row["epp"], 3) + 0.0, row["wins"], row["matches"])
        for row in board["players"]
    ]


@pytest.fixture
def rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Rate:
    def rate(content: str | bytes | None, *options: str, name: str = "results.csv") -> Outcome:
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        words = ["--quiet", "--no-details", "--format", "json", *options]
        code = run(["rate", str(path), *words])
        printed = capsys.readouterr()
        said = printed.err.replace(f"{tmp_path}/", "")
        if code == 0:
            assert said == ""
            return Outcome(code, "", json.loads(printed.out))
        assert printed.out == ""
        assert said.startswith("Error: ")
        assert said.endswith("\n")
        # The command that would do is tried in tests/cli/test_remedies.py.
        sentence = said.partition("\nTry: ")[0].removesuffix("\n")
        return Outcome(code, sentence.removeprefix("Error: "), None)

    return rate


def parquet(frame: pl.DataFrame) -> bytes:
    target = io.BytesIO()
    frame.write_parquet(target)
    return target.getvalue()


def frame_of(text: str = TABLE) -> pl.DataFrame:
    return pl.read_csv(io.StringIO(text), schema_overrides={"model": pl.String})


def json_lines(text: str = TABLE) -> str:
    return frame_of(text).write_ndjson()


def with_names(*names: str) -> str:
    """The table with other names, quoted."""
    text = TABLE
    for old, new in zip("ABC", names, strict=False):
        quoted = '"' + new.replace('"', '""') + '"'
        text = text.replace(f"\n{old},", f"\n{quoted},")
    return text


def with_column(name: str, *cells: str, text: str = TABLE) -> str:
    """The table with one more column."""
    header, *lines = text.splitlines()
    rows = [f"{line},{cell}\n" for line, cell in zip(lines, cells, strict=True)]
    return f"{header},{name}\n{''.join(rows)}"


def refused(error: str, *, code: int = 1) -> Outcome:
    return Outcome(code, error, None)


def bad_cell(text: str, oddity: str = "", remedy: str = WRITE_NUMBERS, line: int = 5) -> Outcome:
    odd = f" ({oddity})" if oddity else ""
    return refused(f"1 cell of column 'auc' is no number: line {line} has '{text}'{odd}. {remedy}")


# The table itself ---------------------------------------------------------------------------------


def test_the_plain_table_is_rated(rate: Rate) -> None:
    found = rate(TABLE)
    assert (found.code, found.players, found.notes) == (0, PLAIN, [ROUGH])


def test_the_columns_found_are_said_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results.csv"
    path.write_text(TABLE)
    assert run(["rate", str(path), "--format", "json"]) == 0
    said = capsys.readouterr().err
    assert said == f"{path}: 9 rows; player = model, round = fold, score = auc\n"


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ("NA", "null", "nan"),
        ("None", "n/a", "-"),
        ("007", "7", "7.0"),
        ("1e5", "100000", "1E05"),
        ("2024-01-01", "2024-1-1", "01/01/2024"),
        ("inf", "-inf", "1e400"),
        ("0x10", "16", "1_6"),
        ("fail", "timeout", "0"),
    ],
)
def test_names_that_look_like_something_else_are_kept_apart(
    rate: Rate, names: tuple[str, ...]
) -> None:
    found = rate(with_names(*names))
    wanted = [(new, *row[1:]) for new, row in zip(names, PLAIN, strict=True)]
    assert (found.players, found.notes) == (wanted, [ROUGH])


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (("true", "TRUE", "x"), "'TRUE', 'true'"),
        (("RF", "rf", "ｒｆ"), "'RF', 'rf', 'ｒｆ'"),
        (("straße", "STRASSE", "x"), "'STRASSE', 'straße'"),
        (("ﬁt", "fit", "x"), "'fit', 'ﬁt'"),
        (("a\u200db", "ab", "x"), "'ab', 'a\\u200db'"),
    ],
)
def test_names_that_look_alike_are_kept_apart_with_a_note(
    rate: Rate, names: tuple[str, ...], listed: str
) -> None:
    found = rate(with_names(*names))
    note = f"Names that differ only in case or form, two models or one? {listed}."
    wanted = [(new, *row[1:]) for new, row in zip(names, PLAIN, strict=True)]
    assert (found.players, found.notes) == (wanted, [note, ROUGH])


SEASON = "model,dataset,fold,auc\n" + "".join(
    f"{model},{data},{fold},{score}\n"
    for data in ("adult", "Adult")
    for fold in (1, 2, 3)
    for model, score in (("A", 0.9 - fold / 10), ("B", 0.42 + fold / 10))
)


def test_tournaments_that_look_alike_are_kept_apart_with_a_note(rate: Rate) -> None:
    found = rate(SEASON)
    assert found.board is not None
    note = "Names that differ only in case or form, two tournaments or one? 'Adult', 'adult'."
    boards = found.board["tournaments"]
    assert [[said["text"] for said in board["notes"]] for board in boards] == [[note, ROUGH]] * 2


def test_rounds_of_different_tournaments_do_not_look_alike(rate: Rate) -> None:
    rounds = (("a/b", "c"), ("a", "b/c"), ("a", "c"), ("a/b", "d"))
    text = "model,dataset,fold,auc\n" + "".join(
        f"A,{data},{fold},.9\nB,{data},{fold},.8\n" for data, fold in rounds
    )
    assert rate(text, "--pool").notes == [
        "2 data sets are pooled, and each counts once for a pair of models; the intervals are for "
        "new data sets, not for new folds of these.",
        f"'A' won every match. {OPEN_GAP}",
        "The intervals rest on only 2 data sets; below about 10 they are rough.",
    ]


TIDIED = "1 name in the table was freed of outer blanks or odd characters."


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("A ", "A"),
        ("  A", "A"),
        ("A\u00a0", "A"),
        ("\tA\t", "A"),
        ("\u3000A\u2009", "A"),
        ("a\u00a0b", "a b"),
        ("e\u0301", "é"),
        ("A\u030a", "Å"),
    ],
)
def test_outer_blanks_and_decomposed_accents_are_normalised(
    rate: Rate, given: str, wanted: str
) -> None:
    found = rate(with_names(given))
    assert found.players == [(wanted, *PLAIN[0][1:]), *PLAIN[1:]]
    assert found.notes == [TIDIED, ROUGH]


@pytest.mark.parametrize(
    ("names", "name"), [(("A ", "A"), "A"), (("e\u0301", "é"), "é"), (("A\u00a0", "A"), "A")]
)
def test_names_that_become_one_are_one_player(
    rate: Rate, names: tuple[str, str], name: str
) -> None:
    assert rate(with_names(*names)) == refused(
        f"3 player–round pairs have more than one score; the first is '{name}' in '1' with 0.9 "
        f"(line 2) and 0.8 (line 3). Give repeats their own round, or pass --duplicates mean."
    )


@pytest.mark.parametrize(
    "character",
    [
        *("\x00", "\x07", "\x1b", "\x7f", "\x85", "\t", "\n"),
        *("\u202e", "\u2066", "\u061c", "\u200e"),
        *("\u200b", "\u2060", "\ufeff", "\u00ad", "\u2028", "\u3164", "\u2800"),
        *("\ue000", "\U000e0041", "\ufffe"),
    ],
)
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_characters_that_nobody_sees_are_refused(rate: Rate, character: str, form: str) -> None:
    name = f"B{character}[31mB"
    frame = frame_of().with_columns(pl.col("model").replace("B", name))
    content: str | bytes
    if form == "csv":
        content, place = with_names("A", name), "line 3"
    elif form == "jsonl":
        content, place = frame.write_ndjson(), "line 2"
    else:
        content, place = parquet(frame), "row 2"
    assert rate(content) == refused(
        f"A name in column 'model' ({place}) holds the invisible character "
        f"U+{ord(character):04X}: {name!a}. Two such names can look the same; remove the character."
    )


@pytest.mark.parametrize("name", ["", " ", "\u00a0", "\u3000", "\t"])
def test_empty_names_are_refused(rate: Rate, name: str) -> None:
    assert rate(with_names("A", name)) == refused(
        "3 rows have no name in column 'model'; the first is line 3. Fill the names in or drop "
        "these rows."
    )
    assert rate(TABLE.replace(CELL, f'A,"{name}",.8')) == refused(
        "1 row has no name in column 'fold': line 5. Fill the name in or drop the row."
    )


# Names in every output ----------------------------------------------------------------------------

HOSTILE = {
    '=HYPERLINK("http://x","y")': (
        '=HYPERLINK("http\\://x","y")',
        r"=HYPERLINK(\char34{}http://x\char34{},\char34{}y\char34{})",
    ),
    "<img src=x onerror=alert(1)>": (
        "&lt;img src=x onerror=alert(1)>",
        r"\textless{}img src=x onerror=alert(1)\textgreater{}",
    ),
    "../../x": ("../../x", "../../x"),
    '"; DROP TABLE x;--': ('"; DROP TABLE x;--', r"\char34{}; DROP TABLE x;-{}-"),
    "%s %d {0}": (r"%s %d \{0\}", r"\%s \%d \{0\}"),
    "a|b": (r"a\|b", r"a\textbar{}b"),
    "$x_1$ & #~^\\": (
        r"\$x\_1\$ &amp; \#\~^\\",
        r"\$x\_1\$ \& \#\textasciitilde{}\textasciicircum{}\textbackslash{}",
    ),
    "*b*`c`": (r"\*b\*\`c\`", r"*b*\`{}c\`{}"),
    "[bold](http://x)@me": (r"\[bold\](http\://x)`@`me", "[bold](http://x)@me"),
    "\\input{x}": (r"\\input\{x\}", r"\textbackslash{}input\{x\}"),
    "+1-2": ("+1-2", "+1-2"),
    "名前 🤖": ("名前 🤖", "名前 🤖"),
}
"""Names, and how Markdown and LaTeX write them."""


@pytest.fixture
def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str, str], str]:
    def printed(name: str, form: str) -> str:
        path = tmp_path / "results.csv"
        path.write_text(with_names(name), encoding="utf-8")
        assert run(["rate", str(path), "--quiet", "--no-details", "--format", form]) == 0
        return capsys.readouterr().out

    return printed


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_arrive_whole_in_formats_for_machines(
    printed: Callable[[str, str], str], name: str
) -> None:
    board = json.loads(printed(name, "json"))
    assert [row["player"] for row in board["players"]] == [name, "B", "C"]
    rows = list(csv.DictReader(io.StringIO(printed(name, "csv"), newline=""), strict=True))
    assert [(row["rank"], row["player"], row["wins"]) for row in rows] == [
        ("1", name, "4.0"),
        ("2", "B", "3.0"),
        ("3", "C", "2.0"),
    ]


@pytest.mark.parametrize(("name", "markdown", "latex"), [(k, *v) for k, v in HOSTILE.items()])
def test_hostile_names_are_escaped_in_formats_for_people(
    printed: Callable[[str, str], str], name: str, markdown: str, latex: str
) -> None:
    rating, low, high = "0.38", "-1.83", "2.46"
    assert printed(name, "markdown").splitlines()[6] == (
        f"| 1 | {markdown} | {rating} | {low} … {high} | 59% |"
    )
    assert printed(name, "latex").splitlines()[8] == (
        rf"$1$ & {latex} & ${rating}$ & ${low} \ldots {high}$ & $59\%$ \\"
    )
    lines = printed(name, "table").splitlines()
    assert re.sub(" {2,}", "  ", lines[4].strip()) == f"1  {name}  {rating}  {low} … {high}  59%"
    assert lines[8] == (
        f"By their ratings, {name} beats B in 59 of 100 new folds (95% interval 3 to 99); the "
        f"data cannot tell them apart."
    )


# Numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "oddity"),
    [
        ("1,234.5", "marks of thousands"),
        ("0.91±0.02±", "a number and its error"),
        ("0.91 +/- x", "a number and its error"),
        ("**0.91**", "marks of bold or italic type"),
        ("1_000", "underscores"),
        ("٠.٩١", "digits of another script"),
        ("０.９", "digits of another script"),
        ("0x1F", "hexadecimal"),
        ("−0.5", "a minus sign that is none on the keyboard"),
        ("inf", "infinite"),
        ("-inf", "infinite"),
        ("+Infinity", "infinite"),
        ("1e400", "too large for a number"),
        ("1/2", "a fraction"),
        ("TRUE", ""),
        ("--", ""),
        ("%", ""),
        ("0.9.1", ""),
        ("1e", ""),
        (".", ""),
        ("0.9 0.8", ""),
    ],
)
def test_cells_that_are_no_numbers_are_refused_with_their_place(
    rate: Rate, cell: str, oddity: str
) -> None:
    assert rate(TABLE.replace(CELL, f'A,2,"{cell}"')) == bad_cell(cell, oddity)


def test_decimal_commas_are_read_and_told(rate: Rate) -> None:
    found, usual = rate(TABLE.replace(",", ";").replace(";.", ";0,")), rate(TABLE)
    notes = ["Cells are separated by semicolons.", "Column 'auc' has decimal commas, as in '0,9'."]
    assert (found.players, found.notes) == (usual.players, [*notes, *usual.notes])


def test_how_much_scores_vary_is_left_out_and_told(rate: Rate) -> None:
    found, usual = rate(re.sub(r"(\.\d)$", r"\1 ± 0.02", TABLE, flags=re.M)), rate(TABLE)
    note = (
        "9 cells of column 'auc' have a second number beside the score, as in '.9 ± 0.02'; only "
        "the first is read."
    )
    assert (found.players, found.notes) == (usual.players, [note, *usual.notes])


def test_one_decimal_comma_among_points_is_not_helped_by_the_option(rate: Rate) -> None:
    remedy = "Such numbers are read with --decimal , (a comma), but then all of them must be "
    assert rate(TABLE.replace(CELL, 'A,2,"0,91"')) == bad_cell(
        "0,91", remedy=f"{remedy}written so."
    )


def test_a_percent_sign_is_refused_with_the_option_that_would_accept_it(rate: Rate) -> None:
    cells = "; ".join(f"line {k + 2} has '{x}%' (a percent sign)" for k, x in enumerate("987"))
    found = rate(re.sub(r"\.(\d)", r"\1%", TABLE))
    assert found == refused(
        f"9 cells of column 'auc' are no numbers. If that is how numbers are written here, pass "
        f"--percent. The first: {cells}."
    )


def test_one_percent_sign_among_plain_numbers_is_not_helped_by_the_option(rate: Rate) -> None:
    remedy = "Such numbers are read with --percent, but then all of them must be written so."
    assert rate(TABLE.replace(CELL, "A,2,91%")) == bad_cell("91%", "a percent sign", remedy)


def test_options_accept_decimal_commas_and_percent_signs(rate: Rate) -> None:
    text = TABLE.replace(",", ";").replace(";.", ";0,")
    found = rate(text, "--decimal", ",")
    semicolons = "Cells are separated by semicolons."
    assert (found.players, found.notes) == (PLAIN, [semicolons, ROUGH])
    found = rate(re.sub(r"\.(\d)", r"\g<1>0 %", TABLE), "--percent")
    assert (found.players, found.notes) == (PLAIN, [ROUGH])
    found = rate(re.sub(r"\.(\d)", r"\g<1>0", TABLE), "--percent")
    assert (found.players, found.notes) == (PLAIN, [ROUGH])
    assert found.board is not None
    assert found.board["players"][0]["mean_score"] == pytest.approx(2.3 / 3)


def test_percent_signs_on_some_cells_only_are_refused(rate: Rate) -> None:
    text = re.sub(r"\.(\d)", r"\g<1>0%", TABLE).replace("A,2,80%", "A,2,80")
    assert rate(text, "--percent") == refused(
        "1 cell of column 'auc' is without the percent sign that others have: line 5 has '80'. "
        "Write all scores with the percent sign, or none."
    )


def test_a_percent_sign_alone_is_no_missing_score(rate: Rate) -> None:
    text = re.sub(r"\.(\d)", r"\g<1>0%", TABLE).replace("A,2,80%", "A,2,%")
    assert rate(text, "--percent") == bad_cell("%")


def test_with_a_decimal_comma_the_remedy_shows_one(rate: Rate) -> None:
    text = TABLE.replace(",", ";").replace(";.", ";0,").replace("A;2;0,8", "A;2;1.234,5")
    remedy = "Write numbers like 0,91 or 9,1e-1; leave the score of a failed run empty."
    assert rate(text, "--decimal", ",") == bad_cell("1.234,5", "marks of thousands", remedy)


def test_blanks_around_numbers_are_normalised(rate: Rate) -> None:
    found = rate(TABLE.replace(CELL, "A,2,\u00a0.8 "))
    blanks = "1 cell of column 'auc' had blanks around a number."
    assert (found.players, found.notes) == (PLAIN, [blanks, ROUGH])


@pytest.mark.parametrize("cell", [".8", "+.8", "0.80", "8e-1", "8E-01", "80.e-2", "0000.8"])
def test_one_number_may_be_written_in_several_ways(rate: Rate, cell: str) -> None:
    found = rate(TABLE.replace(CELL, f"A,2,{cell}"))
    assert (found.players, found.notes) == (PLAIN, [ROUGH])


OUT_OF_RANGE = "Correct the score, or pass --misnamed if it is something else."


def test_a_score_outside_its_metric_is_refused(rate: Rate) -> None:
    assert rate(TABLE.replace(CELL, "A,2,1.2")) == refused(
        f"'A' has 1.2 in '2' (line 5), but 'auc' lies between 0 and 1. {OUT_OF_RANGE} If "
        f"percent is meant, pass --percent."
    )
    assert rate(TABLE.replace(CELL, "A,2,-0.1")) == refused(
        f"'A' has -0.1 in '2' (line 5), but 'auc' lies between 0 and 1. {OUT_OF_RANGE}"
    )
    assert rate(TABLE.replace("auc", "accuracy").replace(CELL, "A,2,100.5")) == refused(
        f"'A' has 100.5 in '2' (line 5), but 'accuracy' lies between 0 and 100. {OUT_OF_RANGE}"
    )


def test_a_range_with_one_end_is_said_in_words(rate: Rate) -> None:
    assert rate(TABLE.replace("auc", "r2").replace(CELL, "A,2,1.2")) == refused(
        f"'A' has 1.2 in '2' (line 5), but 'r2' is never above 1. {OUT_OF_RANGE} If percent is "
        f"meant, pass --percent."
    )


# Missing scores -----------------------------------------------------------------------------------

MISSING = [
    *("", "NA", "NaN", "nan", "null", "None", "-", "n/a"),
    *("N/A", "#N/A", "NULL", "none", "fail", "Failed", "timeout", " NA ", "\u00a0"),
]


@pytest.mark.parametrize("word", MISSING)
def test_a_missing_score_is_counted_and_plays_no_match(rate: Rate, word: str) -> None:
    found = rate(TABLE.replace(CELL, f"A,2,{word}"))
    note = "1 run has no score and played no match: 'A' 1."
    assert (found.players, found.notes) == (WITHOUT_CELL, [note, ROUGH])


@pytest.mark.parametrize("word", MISSING)
def test_a_missing_score_may_lose_to_everyone_who_has_one(rate: Rate, word: str) -> None:
    found = rate(TABLE.replace(CELL, f"A,2,{word}"), "--missing", "lose")
    even = [("A", 0.0, 3.0, 6), ("B", 0.0, 3.0, 6), ("C", 0.0, 3.0, 6)]
    note = "1 run has no score and lost to every score that it met: 'A' 1."
    assert (found.players, found.notes) == (even, [note, ROUGH])


def test_a_missing_score_loses_where_lower_is_better_too(rate: Rate) -> None:
    text = TABLE.replace("auc", "rmse").replace(CELL, "A,2,fail")
    found = rate(text, "--missing", "lose")
    wanted = [("B", 0.413, 4.0, 6), ("C", 0.413, 4.0, 6), ("A", -0.827, 1.0, 6)]
    note = "1 run has no score and lost to every score that it met: 'A' 1."
    assert (found.players, found.notes) == (wanted, [note, ROUGH])


def test_two_failed_runs_play_no_match_against_each_other(rate: Rate) -> None:
    text = TABLE.replace(CELL, "A,2,fail").replace("B,2,.9", "B,2,NaN")
    found = rate(text, "--missing", "lose")
    wanted = [("C", 0.393, 4.0, 6), ("A", 0.301, 3.0, 5), ("B", -0.694, 1.0, 5)]
    note = "2 runs have no score and lost to every score that they met: 'A' 1, 'B' 1."
    assert (found.players, found.notes) == (wanted, [note, ROUGH])
    assert found.board is not None
    assert found.board["matches"]["ties"] == 0


def test_a_round_of_failed_runs_only_plays_no_part(rate: Rate) -> None:
    text = re.sub(r",2,\.\d", ",2,timeout", TABLE)
    found = rate(text, "--missing", "lose")
    assert found.players == [("A", 0.54, 3.0, 4), ("C", 0.0, 2.0, 4), ("B", -0.54, 1.0, 4)]
    assert found.notes == [
        "3 runs have no score and lost to every score that they met: 'A' 1, 'B' 1, 'C' 1.",
        "1 fold in which nobody met anybody plays no part.",
        "The intervals rest on only 2 folds; below about 10 they are rough.",
    ]


def test_a_player_without_any_score_is_never_on_top(rate: Rate) -> None:
    text = re.sub(r"A,(\d),\.\d", r"A,\1,fail", TABLE)
    found = rate(text)
    assert found.players == [("B", 0.255, 2.0, 3), ("C", -0.255, 1.0, 3)]
    assert found.notes == [
        "3 runs have no score and played no match: 'A' 3.",
        "'A' has no score in any fold and cannot be rated.",
        ROUGH,
    ]
    found = rate(text, "--missing", "lose")
    assert found.players == [("B", 0.25, 5.0, 6), ("C", -0.25, 4.0, 6), ("A", -2.487, 0.0, 6)]
    assert found.notes == [
        "3 runs have no score and lost to every score that they met: 'A' 3.",
        f"'A' lost every match. {OPEN_GAP}",
        "0 is the average of the largest set of models without such a gap between them (2 of 3); "
        "'A' lost every match and is not in it.",
        ROUGH,
    ]


def test_a_row_that_is_not_there_is_no_failed_run(rate: Rate) -> None:
    found = rate(TABLE.replace(f"{CELL}\n", ""), "--missing", "lose")
    note = (
        "1 player–round pair has no row at all and played no match; only rows with an empty score "
        "count as failed runs."
    )
    assert (found.players, found.notes) == (WITHOUT_CELL, [note, ROUGH])


@pytest.mark.parametrize("rule", ["skip", "lose"])
def test_a_table_of_failed_runs_is_refused(rate: Rate, rule: str) -> None:
    assert rate(re.sub(r"\.\d", "fail", TABLE), "--missing", rule) == refused(
        "A leaderboard needs scores of at least two players; no player has one."
    )


# Fields, quotes and headers -----------------------------------------------------------------------


def ragged(line: int, fields: int, advice: str = QUOTE_CELLS, by: str = "commas") -> Outcome:
    return refused(
        f"The header has 3 fields, but line {line} has {fields}, separated by {by}. {advice}"
    )


def test_an_extra_field_is_refused(rate: Rate) -> None:
    assert rate(TABLE.replace(CELL, "A,2,.8,x")) == ragged(5, 4)
    assert rate(TABLE.replace(CELL, "A,2,.8,")) == ragged(5, 4)
    assert rate(TABLE.replace(CELL, "A,2,0,8")) == ragged(5, 4)


@pytest.mark.parametrize(("line", "fields"), [("A,2", 2), ("A", 1)])
def test_a_missing_field_is_refused(rate: Rate, line: str, fields: int) -> None:
    advice = "An empty cell needs its separator too."
    assert rate(TABLE.replace(CELL, line)) == ragged(5, fields, advice)


def test_many_lines_of_other_lengths_are_listed_and_counted(rate: Rate) -> None:
    text = "model,fold,auc\n" + "A,1,.9,x\n" * 1025
    listed = ", ".join(f"line {line} has 4" for line in range(2, 5))
    assert rate(text) == refused(
        f"The header has 3 fields, but {listed}, and 1,022 more lines, separated by commas. "
        f"{QUOTE_CELLS}"
    )


def test_an_open_quote_is_refused(rate: Rate) -> None:
    close = "Close it, or check whether the file is cut off."
    assert rate(TABLE.replace(CELL, f'"{CELL}')) == refused(
        f"The quotation mark in line 5 is never closed: '\"A,2,.8'. {close}"
    )
    assert rate(TABLE.replace(CELL, 'A,2,"')) == refused(
        f"The quotation mark in line 5 is never closed: 'A,2,\"'. {close}"
    )


@pytest.mark.parametrize("line", ['A"A,2,.8', '"A"A,2,.8', '"A" ,2,.8', ' "A",2,.8', 'A,2",.8"'])
def test_a_stray_quote_is_refused(rate: Rate, line: str) -> None:
    assert rate(TABLE.replace(CELL, line)) == refused(
        f"Line 5 has a quotation mark that neither opens nor closes a field: '{line}'. Quote the "
        f"whole field and double the mark inside it."
    )


def test_quoted_cells_may_hold_separators_and_marks(rate: Rate) -> None:
    name = 'a,b;c "d"'
    found = rate(with_names(name))
    assert (found.players, found.notes) == ([(name, *PLAIN[0][1:]), *PLAIN[1:]], [ROUGH])


def test_a_duplicate_header_is_refused(rate: Rate) -> None:
    assert rate(TABLE.replace("auc", "model")) == refused(
        "The header has some names more than once: 'model' (columns 1 and 3). Rename or drop "
        "all but one of each."
    )
    assert rate(TABLE.replace("auc", " model ")) == refused(
        "The header has some names more than once: 'model' (columns 1 and 3). Rename or drop "
        "all but one of each."
    )


@pytest.mark.parametrize("line", ["model,fold,auc", "model,fold,auc\n" + CELL])
def test_a_repeated_header_is_refused(rate: Rate, line: str) -> None:
    assert rate(TABLE.replace(CELL, line)) == refused(
        "Line 5 repeats the header, as when files are joined. Remove the line."
    )
    assert rate(TABLE + "model,fold,auc") == refused(
        "Line 11 repeats the header, as when files are joined. Remove the line."
    )


def test_a_header_that_is_written_otherwise_is_no_number(rate: Rate) -> None:
    assert rate(TABLE.replace(CELL, '"model",fold,auc')) == bad_cell("auc")


def test_a_first_line_that_tells_excel_the_separator_is_skipped(rate: Rate) -> None:
    text = "sep=;\r\n" + TABLE.replace(",", ";").replace("\n", "\r\n")
    found = rate(text)
    assert (found.players, found.notes) == (PLAIN, ["Cells are separated by semicolons.", ROUGH])
    assert rate(text.replace("A;2;.8", "A;2;x")) == bad_cell("x", line=6)


def test_lines_with_comments_are_refused_with_advice(rate: Rate) -> None:
    advice = "Remove lines with comments."
    assert rate(TABLE.replace(CELL, f"# rerun\n{CELL}")) == ragged(5, 1, advice)
    listed = ", ".join(f"line {line} has 3" for line in range(2, 5))
    assert rate(f"# made by hand\n{TABLE}") == refused(
        f"The header has 1 field, but {listed}, and 7 more lines, separated by commas. {advice}"
    )


def test_a_missing_header_is_asked_for(rate: Rate) -> None:
    assert rate(TABLE.removeprefix("model,fold,auc\n")) == refused(
        "No column has a usual name for the player, the round or the score. Say which is which, "
        "for instance --player COLUMN --round COLUMN --score COLUMN. The columns are 'A', '1', "
        "'.9'. Is the line with the columns' names missing?",
        code=2,
    )


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\u200b", "\u202e"])
def test_a_header_with_characters_that_nobody_sees_is_refused(rate: Rate, character: str) -> None:
    name = f"au{character}c"
    assert rate(TABLE.replace("auc", name)) == refused(
        f"A column's name holds the invisible character U+{ord(character):04X}: {name!a}; remove "
        f"the character."
    )


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_other_files_hold_no_columns_with_such_names_either(rate: Rate, form: str) -> None:
    name = "mo\x1b[31mdel"
    frame = frame_of().rename({"model": name})
    content = frame.write_ndjson() if form == "jsonl" else parquet(frame)
    found = rate(content, "--player", name)
    assert found == refused(
        f"A column's name holds the invisible character U+001B: {name!a}; remove the character."
    )


# Encodings and line ends --------------------------------------------------------------------------


def no_text(line: int, position: int, byte: int, guess: str, encoding: str = "UTF-8") -> Outcome:
    return refused(
        f"Line {line} is not {encoding}: byte 0x{byte:02X} at position {position}. Save the file "
        f"as UTF-8, or say what it is, for instance --encoding {guess}."
    )


def test_other_encodings_are_refused_and_read_when_named(rate: Rate) -> None:
    text = TABLE.replace("B", "é")
    wanted = [PLAIN[0], ("é", *PLAIN[1][1:]), PLAIN[2]]
    for content, encoding, error in [
        (text.encode("latin-1"), "latin-1", no_text(3, 1, 0xE9, "latin-1")),
        (text.encode("utf-16"), "utf-16", no_text(1, 1, 0xFF, "utf-16")),
        (text.encode("utf-32"), "utf-32", no_text(1, 1, 0xFF, "utf-32")),
    ]:
        assert rate(content) == error
        found = rate(content, "--encoding", encoding)
        assert (found.players, found.notes) == (wanted, [ROUGH])


def test_text_in_another_encoding_than_was_said_is_refused(rate: Rate) -> None:
    assert rate(TABLE.replace("B", "é"), "--encoding", "ascii") == no_text(
        3, 1, 0xC3, "latin-1", "ASCII"
    )
    assert rate(TABLE, "--encoding", "klingon") == refused(
        '--encoding klingon is not possible; it is the name of an encoding, such as "utf-8", '
        '"latin-1" or "utf-16".',
        code=2,
    )


@pytest.mark.parametrize("encoding", ["hex", "base64", "rot13", "zlib", "undefined"])
def test_codecs_that_are_no_encodings_are_refused(rate: Rate, encoding: str) -> None:
    assert rate(TABLE, "--encoding", encoding) == refused(
        f'--encoding {encoding} is not possible; it is the name of an encoding, such as "utf-8", '
        '"latin-1" or "utf-16".',
        code=2,
    )


@pytest.mark.parametrize(
    ("encoding", "name"), [("utf-7", "+2AA-"), ("unicode_escape", "\\ud800"), ("punycode", "A")]
)
def test_encodings_that_give_no_text_are_no_mistake_of_ours(
    rate: Rate, encoding: str, name: str
) -> None:
    found = rate(TABLE.replace("A", name), "--encoding", encoding)
    assert "made a mistake" not in found.error
    assert found.code in (1, 2)


def test_utf_16_without_a_mark_is_recognised(rate: Rate) -> None:
    assert rate(TABLE.encode("utf-16-le")) == no_text(1, 2, 0x00, "utf-16-le")


def test_a_byte_order_mark_is_no_part_of_the_header(rate: Rate) -> None:
    for encoding in ("utf-8", "utf-8-sig"):
        found = rate("\ufeff" + TABLE, "--encoding", encoding)
        assert (found.players, found.notes) == (PLAIN, [ROUGH])


def test_invalid_bytes_far_down_are_found(rate: Rate) -> None:
    content = TABLE.encode() + b"D,4,.5\n" * 100_000 + b"D,\xff,.5\n"
    assert rate(content) == refused(
        "Line 100,011 is not UTF-8: byte 0xFF at position 3. Save the file as UTF-8, or say what "
        "it is, for instance --encoding latin-1."
    )


def test_old_and_mixed_line_ends_are_normalised(rate: Rate) -> None:
    old = "Line ends are old Macintosh ones; each was read as the end of a line."
    mixed = "Line ends are mixed ones; each was read as the end of a line."
    for text, notes in [
        (TABLE.replace("\n", "\r\n"), []),
        (TABLE.replace("\n", "\r"), [old]),
        (TABLE.replace(f"{CELL}\n", f"{CELL}\r\n"), [mixed]),
        (TABLE.replace(f"{CELL}\n", f"{CELL}\r"), [mixed]),
        (TABLE.replace("\n", "\r\n").replace(f"{CELL}\r\n", f"{CELL}\n"), [mixed]),
        (TABLE.removesuffix("\n"), []),
        (TABLE.replace("\n", "\r\n").removesuffix("\r\n"), []),
        (TABLE.replace("\n", "\r").removesuffix("\r"), [old]),
        (TABLE.replace("\n", "\n\n"), []),
        ("\n\n" + TABLE + "\n\n", []),
    ]:
        found = rate(text)
        assert (found.players, found.notes) == (PLAIN, [*notes, ROUGH])


@pytest.mark.parametrize(
    ("end", "line"), [("\n", 5), ("\r\n", 5), ("\r", 5), ("\n\n", 9), ("\r\r", 9)]
)
def test_places_are_right_for_all_line_ends(rate: Rate, end: str, line: int) -> None:
    text = TABLE.replace(CELL, "A,2,x").replace("\n", end)
    assert rate(text) == bad_cell("x", line=line)


def test_invalid_bytes_between_old_line_ends_are_found(rate: Rate) -> None:
    content = TABLE.replace("B", "é").replace("\n", "\r").encode("latin-1")
    assert rate(content) == no_text(3, 1, 0xE9, "latin-1")


def test_line_breaks_in_quotes_count_as_lines(rate: Rate) -> None:
    text = "info,model,fold,auc\n" + '"two\nlines",A,1,.9\n' * 2 + "one,B,1,x\n"
    assert rate(text) == bad_cell("x", line=6)


@pytest.mark.parametrize(
    ("mark", "word"), [(";", "semicolons"), ("\t", "tabs")], ids=["semicolon", "tab"]
)
def test_other_separators_are_normalised_when_all_rows_agree(
    rate: Rate, mark: str, word: str
) -> None:
    found = rate(TABLE.replace(",", mark))
    note = f"Cells are separated by {word}."
    assert (found.players, found.notes) == (PLAIN, [note, ROUGH])
    assert rate(
        TABLE.replace(",", mark).replace(f"A{mark}2{mark}.8", f"A{mark}2{mark}.8{mark}")
    ) == (ragged(5, 4, by=word))


@pytest.mark.parametrize(
    ("mark", "word"), [(";", "semicolons"), ("\t", "tabs")], ids=["semicolon", "tab"]
)
def test_a_row_with_another_separator_is_refused(rate: Rate, mark: str, word: str) -> None:
    text = TABLE.replace(",", mark).replace(f"A{mark}2{mark}.8", CELL)
    advice = "The first has 2 commas; the whole file needs one separator."
    assert rate(text) == ragged(5, 1, advice, by=word)


# Truncated and damaged files ----------------------------------------------------------------------


def test_a_file_that_is_cut_off_is_refused(rate: Rate) -> None:
    cut = "It is the last line: the file seems to be cut off; get it again."
    assert rate(TABLE[:-4]) == ragged(10, 2, cut)
    assert rate(TABLE[:-5] + "\n") == ragged(10, 2, cut)
    assert rate(TABLE[:-6]) == ragged(10, 1, cut)


def test_a_last_line_of_blanks_is_a_blank_line(rate: Rate) -> None:
    found = rate(TABLE + "  \n")
    assert (found.code, found.notes) == (0, [ROUGH])


@pytest.mark.parametrize("left", [3, 12, 40, -9, -4, -1])
def test_a_compressed_file_that_is_cut_off_is_refused(rate: Rate, left: int) -> None:
    reason = "Compressed file ended before the end-of-stream marker was reached"
    found = rate(gzip.compress(TABLE.encode())[:left], name="results.csv.gz")
    assert found == refused(
        f"'results.csv.gz' cannot be read: the gzip data are damaged ({reason})."
    )


def test_a_compressed_file_that_was_changed_is_refused(rate: Rate) -> None:
    data = gzip.compress(TABLE.encode())
    assert rate(data[:-8] + b"\0\0\0\0" + data[-4:]).error.startswith(
        "'results.csv' cannot be read: the gzip data are damaged (CRC check failed"
    )
    assert rate(data + b"garbage") == refused(
        "'results.csv' cannot be read: the gzip data are damaged (Not a gzipped file (b'ga'))."
    )


def test_compressed_files_are_read(rate: Rate) -> None:
    halves = gzip.compress(TABLE[:40].encode()) + gzip.compress(TABLE[40:].encode())
    for content in (
        gzip.compress(TABLE.encode()),
        halves,
        gzip.compress(json_lines().encode()),
        gzip.compress(parquet(frame_of())),
    ):
        found = rate(content)
        assert (found.players, found.notes) == (PLAIN, [ROUGH])


def test_a_file_that_was_compressed_twice_is_refused(rate: Rate) -> None:
    assert rate(gzip.compress(gzip.compress(TABLE.encode()))) == refused(
        f"'results.csv' is a gzip archive in another one, which is not read. {SAVE_AS}"
    )


@pytest.mark.parametrize(
    ("begin", "end", "reason"),
    [
        (0, 4, "A Parquet file must contain a header and footer with at least 12 bytes"),
        (0, 200, "The file must end with PAR1 or PARE"),
        (0, -1, "The file must end with PAR1 or PARE"),
    ],
)
def test_a_parquet_file_that_is_cut_off_is_refused(
    rate: Rate, begin: int, end: int, reason: str
) -> None:
    found = rate(parquet(frame_of())[begin:end], name="results.parquet")
    assert found == refused(
        f"'results.parquet' cannot be read: the Parquet data are damaged (parquet: File out of "
        f"specification: {reason})."
    )


def test_json_lines_that_are_cut_off_are_refused(rate: Rate) -> None:
    same = "JSON lines hold one object a line."
    found = rate(json_lines()[:-5])
    assert found == refused(
        f"Line 9 is not a JSON object (expecting value at column 29): "
        f'\'{{"model":"C","fold":3,"auc":\'. {same}'
    )


# JSON lines and Parquet ---------------------------------------------------------------------------


def test_json_lines_and_parquet_give_the_same_board(rate: Rate) -> None:
    for content in (
        json_lines(),
        json_lines().replace("\n", "\r\n"),
        json_lines().replace("\n", "\n\n"),
        "\ufeff" + json_lines(),
        re.sub(r'"auc":([\d.]+)', r'"auc":"\1"', json_lines()),
        parquet(frame_of()),
        parquet(frame_of().with_columns(pl.col("auc").cast(pl.String))),
        parquet(frame_of().with_columns(pl.col("model").cast(pl.Categorical))),
        parquet(frame_of().with_columns(pl.col("auc").cast(pl.Decimal(10, 3)))),
    ):
        found = rate(content)
        assert (found.players, found.notes) == (PLAIN, [ROUGH])


@pytest.mark.parametrize("cell", ["null", "NaN", '"NaN"', '""', '"timeout"'])
def test_missing_scores_of_json_lines_are_counted(rate: Rate, cell: str) -> None:
    text = json_lines().splitlines()
    text[3] = f'{{"model":"A","fold":2,"auc":{cell}}}'
    found = rate("\n".join(text))
    note = "1 run has no score and played no match: 'A' 1."
    assert (found.players, found.notes) == (WITHOUT_CELL, [note, ROUGH])


@pytest.mark.parametrize(
    ("cell", "text", "oddity"),
    [
        ('"0.9±x"', "0.9±x", "a number and its error"),
        ("true", "true", ""),
        ("[0.8]", "[0.8]", ""),
        ('{"mean": 0.8}', '{"mean": 0.8}', ""),
        ("1e400", "1e400", "too large for a number"),
    ],
)
def test_bad_cells_of_json_lines_are_refused(rate: Rate, cell: str, text: str, oddity: str) -> None:
    lines = json_lines().splitlines()
    lines[3] = f'{{"model":"A","fold":2,"auc":{cell}}}'
    assert rate("\n".join(lines)) == bad_cell(text, oddity, line=4)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("3", "a number, word or list"),
        ("[1]", "a number, word or list"),
        ("null", "a number, word or list"),
        ("hello", "expecting value at column 1"),
        ('{"auc":-Infinity}', "-Infinity is no JSON number"),
        ('{"auc":.8}', "expecting value at column 8"),
        ("{'auc':1}", "expecting property name enclosed in double quotes at column 2"),
    ],
)
def test_lines_that_are_no_objects_are_refused(rate: Rate, line: str, reason: str) -> None:
    lines = json_lines().splitlines()
    lines[3] = line
    assert rate("\n".join(lines)) == refused(
        f"Line 4 is not a JSON object ({reason}): '{line}'. JSON lines hold one object a line."
    )


@pytest.mark.parametrize("indent", [None, 2])
def test_json_that_is_one_array_is_read(rate: Rate, indent: int | None) -> None:
    found = rate(json.dumps(frame_of().to_dicts(), indent=indent), name="results.json")
    assert (found.players, found.notes) == (PLAIN, [ROUGH])


def test_an_object_with_one_key_twice_is_refused(rate: Rate) -> None:
    lines = json_lines().splitlines()
    lines[3] = '{"model":"A","fold":2,"auc":0.8,"auc":0.1}'
    assert rate("\n".join(lines)) == refused(
        f"Line 4 is not a JSON object (it has 'auc' twice): '{lines[3]}'. JSON lines hold "
        f"one object a line."
    )


def test_an_object_without_a_key_is_refused(rate: Rate) -> None:
    lines = json_lines().splitlines()
    lines[3] = '{"model":"A","fold":2}'
    end = "must be in every line; write null for the score of a failed run."
    assert rate("\n".join(lines)) == refused(
        f"1 line has no 'auc', which others have: line 4. A column that plays a role {end}"
    )
    lines[3] = '{"fold":2,"auc":0.8}'
    assert rate("\n".join(lines)) == refused(
        f"1 line has no 'model', which others have: line 4. A column that plays a role {end}"
    )


def test_an_object_may_lack_a_key_that_plays_no_role(rate: Rate) -> None:
    lines = json_lines().splitlines()
    lines[3] = '{"model":"A","fold":2,"auc":0.8,"comment":{"by":["x"]}}'
    found = rate("\n".join(lines))
    assert (found.players, found.notes) == (PLAIN, [ROUGH])


def test_truth_may_be_a_name_and_a_score_of_one_in_json_lines(rate: Rate) -> None:
    found = rate(json_lines().replace('"A"', "true").replace('"B"', "false"))
    assert [row[0] for row in found.players] == ["true", "false", "C"]
    text = re.sub(r'"auc":[\d.]+', '"auc":true', json_lines())
    assert [row[1] for row in rate(text).players] == [0.0, 0.0, 0.0]
    some = json_lines().replace('"auc":', '"auc":true,"x":', 1)
    assert rate(some) == refused(
        f"1 cell of column 'auc' is no number: line 1 has 'true'. {WRITE_NUMBERS}"
    )


def test_encoding_of_a_parquet_file_is_refused(rate: Rate) -> None:
    assert rate(parquet(frame_of()), "--encoding", "latin-1") == refused(
        "--encoding latin-1 is not possible; a Parquet file says itself how its text is encoded.",
        code=2,
    )


@pytest.mark.parametrize("text", ['{"a":' * 100_000, '{"a":' + "[" * 100_000])
def test_deep_json_is_refused(rate: Rate, text: str) -> None:
    assert rate(text) == refused("'results.csv' cannot be read: its JSON is nested too deeply.")
    assert rate(f"{text}\n{text}") == refused(
        f"Line 1 is not a JSON object (it is nested too deeply): '{text[:59]}…'. JSON lines hold "
        f"one object a line."
    )


def test_numbers_as_names_are_kept_apart_in_json_lines(rate: Rate) -> None:
    text = json_lines().replace('"A"', "1e5").replace('"B"', "100000").replace('"C"', '"1E5"')
    found = rate(text)
    assert [row[0] for row in found.players] == ["1e5", "100000", "1E5"]


def test_infinite_scores_of_parquet_files_are_refused(rate: Rate) -> None:
    frame = frame_of().with_columns(pl.col("auc").replace(0.5, -np.inf))
    assert rate(parquet(frame)) == refused(
        "2 scores are infinite; the first is that of 'C' in '2' (row 6). Give a failed run an "
        "empty score, and say with --missing whether it counts as a loss."
    )


def test_columns_of_other_types_are_refused(rate: Rate) -> None:
    lists = frame_of().with_columns(pl.concat_list("auc"))
    assert rate(parquet(lists)) == refused(
        "Column 'auc' holds List(Float64) values, not numbers; the first value is '[0.9]'. Convert "
        "it to numbers, with missing scores empty."
    )
    binary = frame_of().with_columns(pl.col("model").cast(pl.Binary))
    assert rate(parquet(binary)) == refused(
        "Column 'model' holds values of type bytes, which are no names. Convert it to text."
    )


# Many rows ----------------------------------------------------------------------------------------


def many_rows(bad: dict[int, str], rows: int = 30_000) -> str:
    cells = [f"m{k % 3},{k // 3},{(k * 7 % 10) / 10}" for k in range(rows)]
    for row, cell in bad.items():
        cells[row - 1] = f"m{(row - 1) % 3},{(row - 1) // 3},{cell}"
    return "model,fold,auc\n" + "\n".join(cells) + "\n"


def test_a_bad_cell_far_down_is_found(rate: Rate) -> None:
    assert rate(many_rows({20_001: "oops"})) == refused(
        f"1 cell of column 'auc' is no number: line 20,002 has 'oops'. {WRITE_NUMBERS}"
    )


def test_many_bad_cells_are_listed_and_counted(rate: Rate) -> None:
    bad = dict.fromkeys(range(20_001, 21_234), "oops")
    listed = "; ".join(f"line {row + 1:,} has 'oops'" for row in range(20_001, 20_004))
    assert rate(many_rows(bad)) == refused(
        f"1,233 cells of column 'auc' are no numbers. {WRITE_NUMBERS} The first: {listed}."
    )


def test_other_faults_far_down_are_found(rate: Rate) -> None:
    assert rate(many_rows({20_001: "0.5,x"})) == refused(
        f"The header has 3 fields, but line 20,002 has 4, separated by commas. {QUOTE_CELLS}"
    )
    assert rate(many_rows({20_001: '"0.5'})) == refused(
        "The quotation mark in line 20,002 is never closed: 'm2,6666,\"0.5'. Close it, or check "
        "whether the file is cut off."
    )
    assert rate(many_rows({}).replace("m2,6666,", "m2\u200b,6666,")) == refused(
        "A name in column 'model' (line 20,002) holds the invisible character U+200B: "
        "'m2\\u200b'. Two such names can look the same; remove the character."
    )


def test_many_rows_give_the_board_of_the_same_data_frame(rate: Rate) -> None:
    rng = np.random.default_rng(0)
    rows = 200_000
    frame = pl.DataFrame(
        {
            "model": [f"m{k % 20}" for k in range(rows)],
            "fold": [k // 20 for k in range(rows)],
            "auc": rng.uniform(0.0, 0.5, rows) + 0.02 * (np.arange(rows) % 20),
        }
    )
    found = rate(frame.write_csv())
    board = rate_frame(frame, player="model", round="fold", score="auc", details=False)
    assert found.board == json.loads(board.to_json())
    assert found.notes == []


# Duplicates ---------------------------------------------------------------------------------------


def test_exact_duplicates_are_counted(rate: Rate) -> None:
    found = rate(TABLE + "A,1,.9\nA,1,0.90\n")
    note = "2 rows repeat others exactly and were left out."
    assert (found.players, found.notes) == (PLAIN, [note, ROUGH])


def test_conflicting_duplicates_are_refused(rate: Rate) -> None:
    assert rate(TABLE + "A,1,.75\nB,3,.55\n") == refused(
        "2 player–round pairs have more than one score; the first is 'A' in '1' with 0.9 (line 2) "
        "and 0.75 (line 11). Give repeats their own round, or pass --duplicates mean."
    )


def test_columns_in_which_conflicting_rows_differ_are_named(rate: Rate) -> None:
    start = (
        "1 player–round pair has more than one score; the first is 'A' in '1' with 0.9 (line 2) "
        "and 0.75 (line 11)."
    )
    end = "does that belong to the player, the round or the tournament? If they are repeats, pass "
    one = with_column("lab", *"xxxxxxxxx") + "A,1,.75,y\n"
    assert rate(one) == refused(f"{start} They differ in 'lab': {end}--duplicates mean.")
    two = with_column("depth", *"333333333", text=with_column("lab", *"xxxxxxxxx"))
    assert rate(two + "A,1,.75,y,4\n") == refused(
        f"{start} They differ in 'lab', 'depth': {end}--duplicates mean."
    )
    lines = pl.read_csv(io.StringIO(one)).write_ndjson()
    assert rate(lines) == refused(
        f"{start} They differ in 'lab': {end}--duplicates mean.".replace(
            "line 2", "line 1"
        ).replace("line 11", "line 10")
    )


def test_equal_scores_beside_different_ones_are_merged_not_repeated(rate: Rate) -> None:
    found = rate(TABLE + "A,1,.9\nA,1,.75\nB,1,.8\n", "--duplicates", "mean")
    repeated = "1 row repeats another one exactly and was left out."
    merged = "2 rows gave way where a model has several scores in a fold (mean)."
    assert (found.players, found.notes) == (PLAIN, [repeated, merged, ROUGH])


BEHIND = [("B", 0.378, 4.0, 6), ("A", 0.0, 3.0, 6), ("C", -0.378, 2.0, 6)]
LUCK = " The best of several tries is partly luck, and more tries are more luck."


@pytest.mark.parametrize(
    ("rule", "players", "luck"),
    [("mean", PLAIN, ""), ("first", PLAIN, ""), ("last", BEHIND, ""), ("best", PLAIN, LUCK)],
)
def test_conflicting_duplicates_follow_the_rule(
    rate: Rate, rule: str, players: Players, luck: str
) -> None:
    found = rate(TABLE + "A,1,.75\n", "--duplicates", rule)
    note = f"1 row gave way where a model has several scores in a fold ({rule}).{luck}"
    assert (found.players, found.notes) == (players, [note, ROUGH])


def test_the_best_is_the_lowest_where_lower_is_better(rate: Rate) -> None:
    found = rate(TABLE.replace("auc", "rmse") + "A,1,.65\n", "--duplicates", "best")
    best = [("A", 0.378, 4.0, 6), ("C", 0.0, 3.0, 6), ("B", -0.378, 2.0, 6)]
    note = f"1 row gave way where a model has several scores in a fold (best).{LUCK}"
    assert (found.players, found.notes) == (best, [note, ROUGH])


@pytest.mark.parametrize("rule", ["error", "mean", "first", "last", "best"])
def test_a_failed_run_gives_way_to_a_score(rate: Rate, rule: str) -> None:
    for options in (("--missing", "skip"), ("--missing", "lose")):
        found = rate(TABLE + "A,1,fail\n", "--duplicates", rule, *options)
        note = "1 row without a score gives way to a score of the same model and fold."
        assert (found.players, found.notes) == (PLAIN, [note, ROUGH])


# Too little, or nothing ---------------------------------------------------------------------------


def test_equal_scores_are_ties(rate: Rate) -> None:
    found = rate(re.sub(r",1,\.\d", ",1,.5", TABLE))
    even = [("A", 0.0, 3.0, 6), ("B", 0.0, 3.0, 6), ("C", 0.0, 3.0, 6)]
    assert (found.players, found.notes) == (even, [ROUGH])
    assert found.board is not None
    assert found.board["matches"]["ties"] == 3
    found = rate(re.sub(r"\.\d", ".5", TABLE))
    note = "All matches are ties: the scores do not tell the models apart."
    assert (found.players, found.notes) == (even, [note, ROUGH])
    assert found.board is not None
    assert found.board["matches"]["ties"] == 9


EMPTY = (
    "The file is empty. It needs a line with the columns' names and below it a row for every "
    f"score, {MINIMUM}"
)


@pytest.mark.parametrize("content", [b"", b"\n\r\n", b"  \n", b"\xef\xbb\xbf", gzip.compress(b"")])
def test_an_empty_file_is_refused(rate: Rate, content: bytes) -> None:
    assert rate(content) == refused(EMPTY)


def test_a_header_alone_is_refused(rate: Rate) -> None:
    for text in ("model,fold,auc", "model,fold,auc\n", "model;fold;auc\r\n\r\n"):
        assert rate(text) == refused(
            f"The file has a header ('model', 'fold', 'auc') but no rows. It needs a row for every "
            f"score, {MINIMUM}"
        )
    assert rate(parquet(frame_of().head(0))) == refused(
        "A leaderboard needs scores of at least two players; no player has one."
    )


def test_a_header_of_one_long_cell_is_refused(rate: Rate) -> None:
    found = rate("a" * 200_000 + "\n1\n")
    assert found.code == 2
    assert found.error.startswith("No column has a usual name for the player")
    assert len(found.error) < 1_000


def test_a_header_of_many_equal_cells_is_refused_in_short(rate: Rate) -> None:
    found = rate("a,b" + ",a" * 1_000 + "\n" + ",".join("1" * 1_002) + "\n")
    assert found.code == 1
    assert found.error.startswith("The header has some names more than once: 'a' (columns 1, 3,")
    assert len(found.error) < 500


def test_one_player_is_refused(rate: Rate) -> None:
    assert rate("model,fold,auc\nA,1,.9\nA,2,.8\n") == refused(
        "A leaderboard needs scores of at least two players; only 'A' has a score."
    )


def test_one_round_is_refused(rate: Rate) -> None:
    need = "A leaderboard needs at least two rounds in which players met;"
    column = "Say which column holds the splits or tasks with --round."
    assert rate("model,fold,auc\nA,1,.9\nB,1,.8\n") == refused(f"{need} there is one. {column}")
    assert rate("model,fold,auc\nA,1,.9\nB,2,.8\n") == refused(f"{need} there is none. {column}")
    assert rate("model,dataset,fold,auc\nA,x,1,.9\nB,x,1,.8\n") == refused(
        f"In tournament 'x': {need} there is one. {column}"
    )


def test_a_folder_is_refused(rate: Rate, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    assert rate(None, name="runs") == refused(
        f"'runs' is a folder, and nothing in it is known: name one file with a table of results, "
        f"or say what it is with --from ({', '.join(adapters())}).",
        code=2,
    )


def test_a_file_that_is_not_there_is_refused(rate: Rate) -> None:
    assert rate(None, name="results.csv") == refused("There is no file 'results.csv'.", code=2)
    rate(TABLE)
    assert rate(None, name="result.csv") == refused(
        "There is no file 'result.csv'. Did you mean 'results.csv'?", code=2
    )


def test_a_file_that_may_not_be_read_is_refused(
    rate: Rate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, _: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    rate(TABLE)
    monkeypatch.setattr(Path, "open", refuse)
    assert rate(None) == refused("'results.csv' cannot be read: permission denied.")


# Refused formats ----------------------------------------------------------------------------------


class Trap:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return exec, ("raise SystemExit(99)",)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_pickles_are_refused(rate: Rate, protocol: int) -> None:
    for thing in (Trap(), frame_of().to_dicts(), np.zeros(3)):
        found = rate(pickle.dumps(thing, protocol=protocol), name="results.pkl")
        assert found == refused(f"'results.pkl' is a Python pickle, which is not read. {SAVE_AS}")


@pytest.mark.parametrize("protocol", [0, 1])
def test_old_pickles_are_refused(rate: Rate, protocol: int) -> None:
    for thing in (Trap(), {"a": [1]}, np.zeros(3)):
        found = rate(pickle.dumps(thing, protocol=protocol), name="results.pkl")
        assert found == refused(f"'results.pkl' is a Python pickle, which is not read. {SAVE_AS}")


@pytest.mark.parametrize("protocol", [0, 1])
def test_old_pickles_are_never_run(rate: Rate, protocol: int) -> None:
    found = rate(pickle.dumps(Trap(), protocol=protocol), name="results.pkl")
    assert found.code in (1, 2)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"PK\x05\x06" + b"\0" * 18, "an empty zip archive"),
        (b"RDX3\nX\n\x00\x00", "an R workspace"),
        (b"RDX2\nX\n\x00\x00", "an R workspace"),
        (b"RDA3\nA\n3\n", "an R workspace"),
        (gzip.compress(b"RDX3\nX\n\x00\x00"), "an R workspace"),
        (b"X\n\x00\x00\x00\x03", "an R object"),
        (bz2.compress(b"RDX3\nX\n"), "a bzip2 archive"),
        (b"\xfd7zXZ\x00", "an xz archive"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"\x93NUMPY\x01\x00", "a numpy array"),
        (b"ARROW1\x00\x00", "an Arrow file"),
        (gzip.compress(pickle.dumps([1])), "a Python pickle"),
    ],
)
def test_other_formats_are_refused(rate: Rate, content: bytes, kind: str) -> None:
    assert rate(content, name="data") == refused(f"'data' is {kind}, which is not read. {SAVE_AS}")


def test_a_database_of_one_line_is_refused(rate: Rate) -> None:
    assert rate(b"SQLite format 3\x00", name="data") == refused(
        "'data' cannot be read: it is no sound database (file is not a database)."
    )


def test_what_no_adapter_knows_is_refused(rate: Rate) -> None:
    assert rate(b"PK\x03\x04\x14\x00", name="data") == refused(
        "'data' is an archive, and nothing in it is known: name one file with a table of results, "
        f"or say what it is with --from ({', '.join(adapters())}).",
        code=2,
    )


@pytest.mark.parametrize("level", [1, 3, 9])
def test_compressed_joblib_files_are_refused(rate: Rate, level: int) -> None:
    content = zlib.compress(pickle.dumps(list(range(100))), level)
    assert rate(content, name="data.joblib") == refused(
        f"'data.joblib' is zlib data (of joblib?), which is not read. {SAVE_AS}"
    )


# Tables that are hard to rate ---------------------------------------------------------------------

APART = "model,fold,auc\n" + "A,1,.9\nB,1,.8\nA,2,.9\nB,2,.95\nC,3,.1\nD,3,.2\nC,4,.3\nD,4,.2\n"


def test_components_that_never_met_are_refused_or_rated_apart(rate: Rate) -> None:
    assert rate(APART) == refused(
        "The players form 2 components that never met: 2 with 'A', 'B'; 2 with 'C', 'D'. Their "
        "ratings cannot be compared. Add rounds in which they meet, or pass --components separate "
        "to rate each component on its own."
    )
    found = rate(APART, "--components", "separate")
    assert found.players == [(name, 0.0, 1.0, 2) for name in "ABCD"]
    assert found.notes == [
        "2 components that never met are rated each on its own; ratings, ranks and averages of "
        "different components cannot be compared: 2 with 'A', 'B'; 2 with 'C', 'D'.",
        "The intervals rest on only 2 folds; below about 10 they are rough.",
    ]


def test_players_in_a_circle_are_equal(rate: Rate) -> None:
    text = "model,fold,auc\nA,1,.9\nB,1,.8\nB,2,.9\nC,2,.8\nC,3,.9\nA,3,.8\n"
    for estimator in ("bias-reduced", "mle", "ridge"):
        found = rate(text, "--estimator", estimator)
        assert found.players == [(name, 0.0, 1.0, 2) for name in "ABC"]


def test_copies_of_a_player_have_its_rating(rate: Rate) -> None:
    rows = [
        ("A", 1, 0.9),
        ("B", 1, 0.8),
        ("A", 2, 0.7),
        ("B", 2, 0.8),
        ("A", 3, 0.9),
        ("B", 3, 0.6),
    ]
    text = "model,fold,auc\n" + "".join(
        f"{name},{fold},{score}\n"
        for model, fold, score in rows
        for name in ((model, f"{model} copy") if model == "A" else (model,))
    )
    found = rate(text)
    assert [(row[0], row[2:]) for row in found.players] == [
        ("A", (3.5, 6)),
        ("A copy", (3.5, 6)),
        ("B", (2.0, 6)),
    ]
    assert found.players[0][1] == found.players[1][1]
    assert found.notes == [ROUGH]


def test_a_thousand_players_in_three_rounds(rate: Rate) -> None:
    text = "model,fold,auc\n" + "".join(
        f"m{k:04},{fold},{(k * 37 + fold * 101) % 1000 / 1000}\n"
        for fold in (1, 2, 3)
        for k in range(1000)
    )
    found = rate(text)
    scores = [[(k * 37 + fold * 101) % 1000 for k in range(1000)] for fold in (1, 2, 3)]
    wins = {f"m{k:04}": float(sum(own[k] for own in scores)) for k in range(1000)}
    assert {row[0]: row[2:] for row in found.players} == {
        name: (number, 2997) for name, number in wins.items()
    }
    assert found.notes == [
        ROUGH,
        "The first of 1,000 models is first partly by luck: an interval is for a model chosen "
        "beforehand, not for the best of many.",
    ]


def test_two_players_in_two_rounds(rate: Rate) -> None:
    rough = "The intervals rest on only 2 folds; below about 10 they are rough."
    found = rate("model,fold,auc\nA,1,.9\nB,1,.8\nA,2,.8\nB,2,.9\n")
    assert found.players == [("A", 0.0, 1.0, 2), ("B", 0.0, 1.0, 2)]
    assert found.notes == [rough]
    won = "model,fold,auc\nA,1,.9\nB,1,.8\nA,2,.9\nB,2,.8\n"
    found = rate(won)
    assert found.players == [("A", 0.805, 2.0, 2), ("B", -0.805, 0.0, 2)]
    assert found.notes == [f"'A' won every match. {OPEN_GAP}", rough]
    assert rate(won, "--estimator", "mle") == refused(
        "No maximum-likelihood rating exists: 'A' won every match. Use the bias-reduced estimator "
        "(the default), which is finite and leaves such intervals open, or add rounds."
    )


# Wide tables --------------------------------------------------------------------------------------

WIDE = "model,x,y,z\nA,.9,.8,.6\nB,.8,.9,.5\nC,.7,.5,.7\n"
UP = ("--wide", "--higher-is-better")


def test_a_wide_table_gives_the_same_board(rate: Rate) -> None:
    transposed = "fold,A,B,C\nx,.9,.8,.7\ny,.8,.9,.5\nz,.6,.5,.7\n"
    for table in (WIDE, transposed):
        found = rate(table, *UP)
        assert (found.players, found.notes) == (PLAIN, [ROUGH_ROUNDS])


def in_doubt(*names: str, why: str = "a summary, by its name") -> Outcome:
    options = " ".join(f"--ignore {shlex.quote(name)}" for name in names)
    if len(names) == 1:
        [name] = names
        keep = f"--keep {shlex.quote(name)}"
        return refused(
            f"'{name}' does not look like the scores of a round: {why}. Leave it out with "
            f"{options}, or keep it with {keep}.",
            code=2,
        )
    listed = ", ".join(f"'{name}' ({why})" for name in names)
    return refused(
        f"Two columns do not look like the scores of rounds: {listed}. Leave them out with "
        f"{options}, or keep one with --keep COLUMN.",
        code=2,
    )


def test_summaries_in_a_wide_table_are_refused(rate: Rate) -> None:
    text = WIDE.replace("z", "z,Mean").replace(".6\n", ".6,1\n").replace(".5\nC", ".5,2\nC")
    text = text.replace(".7\n", ".7,3\n")
    assert rate(text, *UP) == in_doubt("Mean")
    found = rate(text, *UP, "--ignore", "Mean")
    assert (found.players, found.notes) == (PLAIN, [ROUGH_ROUNDS])
    assert rate(WIDE.replace("y", "AVERAGE").replace("z", "std"), *UP) == in_doubt("AVERAGE", "std")


@pytest.mark.parametrize("name", ["Avg.", "Average ⬆️", "Mean Accuracy", "mean_acc"])
def test_summaries_by_longer_names_are_refused(rate: Rate, name: str) -> None:
    found = rate(WIDE.replace("z", name), *UP)
    assert found.code == 2
    assert found.error.startswith(f"'{name}' does not look like the scores of a round: a summary")


def test_bad_cells_of_a_wide_table_are_refused(rate: Rate) -> None:
    assert rate(WIDE.replace(".5\nC", "x\nC"), *UP) == refused(
        f"1 cell of the wide table is no number: line 3, column 'z' has 'x'. {WRITE_NUMBERS}"
    )


def test_missing_cells_of_a_wide_table_are_counted(rate: Rate) -> None:
    found = rate(WIDE.replace("A,.9,.8", "A,.9,"), *UP)
    note = "1 run has no score and played no match: 'A' 1."
    assert (found.players, found.notes) == (WITHOUT_CELL, [note, ROUGH_ROUNDS])


def test_a_player_with_two_rows_is_refused(rate: Rate) -> None:
    assert rate(WIDE.replace("\nC", "\nA"), *UP) == refused(
        "3 player–round pairs have more than one score; the first is 'A' in 'x' with 0.9 (line 2, "
        "column 'x') and 0.7 (line 4, column 'x'). Give repeats their own round, or pass "
        "--duplicates mean."
    )


def test_properties_in_a_wide_table_are_refused(rate: Rate) -> None:
    assert rate(WIDE.replace("y,z", "Year,Unnamed: 0"), *UP) == in_doubt(
        "Year", "Unnamed: 0", why="something else than scores, by its name"
    )


def test_columns_of_a_wide_table_that_play_a_role_are_refused(rate: Rate) -> None:
    assert rate(WIDE.replace("z", "state"), *UP) == refused(
        "'state' would be a round of the wide table, but by its name it holds the status of runs. "
        "Say it with --ignore state, or without --wide.",
        code=2,
    )
    assert rate(WIDE.replace("x,y", "task,dataset"), *UP) == refused(
        "Two columns could be the tournament: 'task', 'dataset'. Say which it is, for instance "
        "--tournament task. The columns are 'model', 'task', 'dataset', 'z'.",
        code=2,
    )


def test_a_task_beside_the_rounds_of_a_wide_table_is_the_tournament(rate: Rate) -> None:
    text = "fold,task,A,B\n1,x,.9,.8\n2,x,.8,.9\n1,y,.9,.8\n2,y,.7,.6\n"
    found = rate(text, *UP, "--round", "fold")
    assert found.board is not None
    assert [board["tournament"] for board in found.board["tournaments"]] == ["x", "y"]


def test_a_direction_serves_the_unknown_metrics_of_a_wide_table(rate: Rate) -> None:
    text = WIDE.replace("x,y,z", "auc,novelty,rmse")
    won = [("B", 0.25, 5.0, 6), ("A", -0.25, 4.0, 6), ("C", -2.487, 0.0, 6)]
    assert rate(text, *UP).players == won
    down = rate(text, "--wide", "--lower-is-better")
    assert [(row[0], row[2]) for row in down.players] == [("A", 4.0), ("B", 3.0), ("C", 2.0)]
    assert rate(text, "--wide") == refused(
        "Is a higher or a lower 'novelty' better? The name does not tell. Pass --higher-is-better "
        "or --lower-is-better.",
        code=2,
    )


def test_a_direction_contradicts_where_all_metrics_are_known(rate: Rate) -> None:
    assert rate(WIDE.replace("x,y,z", "auc,acc,rmse"), *UP) == refused(
        "You say that a higher 'rmse' is better, but by its name a lower one is. Drop the "
        "direction, or rename the column if it holds something else.",
        code=2,
    )


def test_an_unnamed_column_of_a_wide_table_is_refused(rate: Rate) -> None:
    why = "no name in the header, as row numbers have none"
    assert rate(WIDE.replace("z", ""), *UP) == in_doubt("column 4", why=why)
    assert rate(WIDE.replace("y,z", ","), *UP) == in_doubt("column 3", "column 4", why=why)


def test_a_round_may_be_called_column_7(rate: Rate) -> None:
    found = rate(WIDE.replace("z", "column 7"), *UP)
    assert (found.code, found.error) == (0, "")


def test_rounds_may_be_called_r1_r2_r3(rate: Rate) -> None:
    text = WIDE.replace("x,y,z", "r1,r2,r3")
    found = rate(text, "--wide", "--lower-is-better")
    assert (found.code, found.error) == (0, "")


def test_a_wide_table_without_rounds_is_refused(rate: Rate) -> None:
    assert rate("model,dataset\nA,x\nB,x\n", *UP) == refused(
        "The wide table has no columns of scores: 'model', 'dataset' name its rows, and the "
        "others, if there are any, are ignored.",
        code=2,
    )


# Battles ------------------------------------------------------------------------------------------

BATTLES = (
    "model_a,model_b,winner\n"
    "A,B,model_a\nB,C,model_b\nC,A,tie\nA,B,tie (bothbad)\nC,B,model_b\nA,C,model_a\n"
)
FOUGHT = [("A", 0.529, 3.0, 4), ("B", -0.265, 1.5, 4), ("C", -0.265, 1.5, 4)]
BAD = "1 of 2 ties is between two bad answers; it counts like any tie."
SIX = "The intervals rest on only 6 battles; below about 10 they are rough."


def test_battles_are_rated(rate: Rate) -> None:
    for text in (
        BATTLES,
        BATTLES.replace("model_a", "left").replace("model_b", "right"),
        pl.read_csv(io.StringIO(BATTLES)).write_ndjson(),
    ):
        found = rate(text)
        assert (found.players, found.notes) == (FOUGHT, [INDEPENDENT, BAD, SIX])
        assert found.board is not None
        assert [(row["rounds"], row["mean_score"]) for row in found.board["players"]] == [
            (None, None)
        ] * 3


@pytest.mark.parametrize(
    "label", ["Tie", "TIE", "both bad", "tie (both bad)", "B", "model_c", "1", "0.5"]
)
def test_an_unknown_winner_is_never_a_tie(rate: Rate, label: str) -> None:
    with command_line_spelling():
        way = option("outcome", f"{label}=left")
    assert rate(BATTLES.replace("C,A,tie", f"C,A,{label}")) == refused(
        f"Line 4 has '{label}' in column 'winner'; a winner is written as one of 'model_a', "
        f"'model_b', 'left', 'right', 'tie', 'tie (bothbad)', 'both_bad', 'a', 'b', 'draw'. Say "
        f"what it means with {way} (or =right, or =tie)."
    )


def test_a_battle_without_a_winner_is_refused(rate: Rate) -> None:
    assert rate(BATTLES.replace("C,A,tie", "C,A,")) == refused(
        "Line 4 has '(empty)' in column 'winner'; a winner is written as one of 'model_a', "
        "'model_b', 'left', 'right', 'tie', 'tie (bothbad)', 'both_bad', 'a', 'b', 'draw'."
    )


def test_a_battle_with_oneself_is_refused(rate: Rate) -> None:
    assert rate(BATTLES.replace("C,A,tie", "C,C,tie")) == refused(
        "1 battle is of a player with itself; the first is in line 4 ('C'). Drop such rows."
    )


def test_a_winner_may_be_called_by_name(rate: Rate) -> None:
    found = rate(BATTLES.replace("A,B,model_a", "A,B,A").replace("C,B,model_b", "C,B,B"))
    assert (found.players, found.notes) == (FOUGHT, [INDEPENDENT, BAD, SIX])


@pytest.mark.parametrize("label", ["tie", "tie (bothbad)", "both_bad", "draw"])
def test_a_tie_is_no_player_of_winners_and_losers(rate: Rate, label: str) -> None:
    assert rate(f"winner,loser\nA,B\n{label},C\n") == refused(
        f"Line 3 has '{label}' in place of a player. A table of winners and losers has no place "
        f"for ties; "
        f"give both players columns of their own, and name them with --left and --right."
    )


def test_battles_with_two_columns_of_one_plain_name_are_refused(rate: Rate) -> None:
    assert rate("model_a,Model A,model_b,winner\nA,B,C,model_a\n") == refused(
        "Two columns could be the left: 'model_a', 'Model A'. Say which it is, for instance --left "
        "model_a. The columns are 'model_a', 'Model A', 'model_b', 'winner'.",
        code=2,
    )


def test_clusters_may_hold_any_text(rate: Rate) -> None:
    prompts = ['"Say\nhi"', "\u200b", "\u202ex", '"a\tb"', "p", "q"]
    lines = [f"{line},{p}\n" for line, p in zip(BATTLES.split("\n")[1:], prompts, strict=False)]
    found = rate(f"model_a,model_b,winner,prompt\n{''.join(lines)}", "--cluster", "prompt")
    assert found.players == FOUGHT
    assert found.notes == [
        BAD,
        "Battles of one value of 'prompt' may agree with each other; the intervals are for battles "
        "of new values, not for more of these.",
        "The intervals rest on only 6 values of 'prompt'; below about 10 they are rough.",
    ]


def test_winners_and_losers_are_rated(rate: Rate) -> None:
    found = rate("winner,loser\nA,B\nB,A\nA,B\nC,A\nB,C\n")
    assert found.players == [("A", 0.0, 2.0, 4), ("B", 0.0, 2.0, 4), ("C", 0.0, 1.0, 2)]
    assert found.notes == [
        INDEPENDENT,
        "The intervals rest on only 5 battles; below about 10 they are rough.",
    ]
    assert rate("winner,loser\nA,B\nwinner,loser\nB,A\n") == refused(
        "Line 3 repeats the header, as when files are joined. Remove the line."
    )


# Names of metrics, directions and status ----------------------------------------------------------

DOWN = [("C", 0.378, 4.0, 6), ("B", 0.0, 3.0, 6), ("A", -0.378, 2.0, 6)]


@pytest.mark.parametrize(
    ("name", "players"),
    [
        *((name, PLAIN) for name in ("val/acc", "metrics/auc", "valid_f1", "bleu", "ndcg", "mrr")),
        *((name, DOWN) for name in ("holdout_rmse", "validation-loss", "nll", "wer", "fid")),
    ],
)
def test_metrics_are_known_by_their_names(rate: Rate, name: str, players: Players) -> None:
    found = rate(TABLE.replace("auc", name))
    assert (found.players, found.notes) == (players, [ROUGH])


def test_a_scorer_of_scikit_learn_is_known_by_its_name(rate: Rate) -> None:
    found = rate(TABLE.replace("auc", "test_neg_log_loss").replace(",.", ",-."))
    assert (found.players, found.notes) == (DOWN, [ROUGH])
    assert rate(TABLE.replace("auc", "test_neg_log_loss")) == refused(
        "'A' has 0.9 in '1' (line 2), but 'test_neg_log_loss' is never above 0. Correct the score, "
        "or pass --misnamed if it is something else."
    )


def test_a_score_with_a_prefix_is_found_but_tells_no_direction(rate: Rate) -> None:
    text = TABLE.replace("auc", "test_score")
    assert rate(text) == refused(
        "Is a higher or a lower 'test_score' better? The name does not tell. Pass "
        "--higher-is-better or --lower-is-better.",
        code=2,
    )
    assert rate(text, "--higher-is-better").players == PLAIN


def test_a_metric_column_is_not_used_beside_a_known_metric(rate: Rate) -> None:
    found = rate(with_column("metric", *["rmse", "f1", "x"] * 3))
    assert (found.players, found.notes) == (PLAIN, [ROUGH])


def test_a_direction_column_is_used_beside_a_known_metric(rate: Rate) -> None:
    assert rate(with_column("direction", *["up"] * 9)).players == PLAIN
    assert rate(with_column("direction", *["down"] * 9)) == refused(
        "You say that a lower 'auc' is better, but by its name a higher one is. Drop the "
        "direction, or rename the column if it holds something else.",
        code=2,
    )


def test_two_columns_of_status_are_refused(rate: Rate) -> None:
    text = with_column("state", *["ok"] * 9, text=with_column("status", *["ok"] * 9))
    assert rate(text) == refused(
        "Two columns could be the status: 'status', 'state'. Say which it is, for instance "
        "--status status. The columns are 'model', 'fold', 'auc', 'status', 'state'.",
        code=2,
    )
    assert rate(text, "--status", "state").players == PLAIN


@pytest.mark.parametrize("name", ["status", "Run Status", "state", "run_state"])
@pytest.mark.parametrize("word", ["failed", "OOM", "error", "Crash", "killed", "cancelled"])
def test_a_status_that_only_marks_failures_is_used(rate: Rate, name: str, word: str) -> None:
    found = rate(with_column(name, "", "", "", word, "", "", "", "", ""))
    assert (found.players, found.notes) == (
        WITHOUT_CELL,
        [
            f"1 run counts as failed by column '{name}': '{word}' 1.",
            "1 run has no score and played no match: 'A' 1.",
            ROUGH,
        ],
    )


def test_a_status_that_says_nothing_about_runs_is_not_used(rate: Rate) -> None:
    found = rate(with_column("state", *["TX", "", "NY"] * 3))
    assert (found.players, found.notes) == (PLAIN, [ROUGH])
    assert rate(with_column("state", *["TX", "", "NY"] * 3), "--status", "state") == refused(
        "According to column 'state' no run succeeded: it holds '', 'NY', 'TX', and a run that did "
        "is marked 'ok', 'success', 'finished' or 'completed'. Is this the status of the runs?"
    )


def test_percentages_and_fractions_in_one_round_get_a_note(rate: Rate) -> None:
    text = TABLE.replace("auc", "accuracy")
    mixed = "percentages and fractions mixed?"
    assert rate(text.replace(CELL, "A,2,80")).notes == [
        f"Scores of 'accuracy' lie on both sides of 1 in 1 fold (the first is '2'): {mixed}",
        ROUGH,
    ]
    assert rate(re.sub(r"\nA,(\d),\.", r"\nA,\1,5", text)).notes[0] == (
        f"Scores of 'accuracy' lie on both sides of 1 in 3 folds (the first is '1'): {mixed}"
    )
    percentages = re.sub(r",\.(\d)", r",\g<1>0", text)
    assert rate(percentages).notes == [ROUGH]
    assert rate(percentages.replace("C,2,50", "C,2,0")).notes == [ROUGH]


@pytest.mark.parametrize("players", [29, 30])
def test_a_board_of_many_players_tells_that_the_first_is_lucky(rate: Rate, players: int) -> None:
    text = "model,fold,auc\n" + "".join(
        f"m{k},{fold},{(k * 7 + fold * 11) % players / players}\n"
        for fold in (1, 2, 3)
        for k in range(players)
    )
    luck = (
        "The first of 30 models is first partly by luck: an interval is for a model chosen "
        "beforehand, not for the best of many."
    )
    assert rate(text).notes == ([ROUGH, luck] if players == 30 else [ROUGH])


# Options ------------------------------------------------------------------------------------------


def test_columns_may_be_named_in_any_case(rate: Rate) -> None:
    text = TABLE.replace("model", "Model")
    found = rate(text, "--player", "MODEL", "--round", "FOLD", "--score", "AUC")
    assert (found.players, found.notes) == (PLAIN, [ROUGH])
    assert (
        rate(
            WIDE.replace("z", "z,Mean").replace("\n", ",1\n").replace("n,1", "n"),
            *UP,
            "--ignore",
            "mean",
        ).players
        == PLAIN
    )


def test_case_matters_where_two_columns_differ_in_it_alone(rate: Rate) -> None:
    text = with_column("AUC", *["x"] * 9)
    assert rate(text, "--score", "auc").players == PLAIN
    assert rate(text, "--score", "Auc") == refused(
        "No column 'Auc' in the table; it has 'model', 'fold', 'auc', 'AUC'. Did you mean 'auc'?",
        code=2,
    )


def test_the_tie_tolerance_of_percentages_is_in_percent(rate: Rate) -> None:
    percentages = re.sub(r",\.(\d)", r",\g<1>0", TABLE)
    found = rate(percentages, "--percent", "--tie-tolerance", "15")
    plain = rate(TABLE, "--tie-tolerance", "0.15")
    assert found == plain
    assert found.board is not None
    assert (found.board["matches"]["ties"], found.board["matches"]["tie_tolerance"]) == (5, 0.15)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--score", "auc", "--score", "auc"], "--score is given more than once."),
        (["--level=.9", "--level=.8"], "--level is given more than once."),
        (["--wide", "--wide"], "--wide is given more than once."),
        (
            ["--higher-is-better", "--lower-is-better"],
            "--higher-is-better and --lower-is-better contradict each other.",
        ),
    ],
)
def test_an_option_is_given_once(
    options: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results.csv").write_text(TABLE)
    assert run(["rate", str(tmp_path / "results.csv"), *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        f"Usage: winodds rate [OPTIONS] FILE\nTry 'winodds rate --help' for help.\n\nError: "
        f"{sentence}\n"
    )


def test_several_columns_may_be_given(rate: Rate) -> None:
    text = with_column("seed", *"121212121")
    found = rate(text, "--round", "fold", "--ignore", "seed")
    assert found.players == PLAIN


def output(path: Path, *options: str, file: Path) -> int:
    return run(["rate", str(file), "--quiet", "-o", str(path), *options])


def test_the_input_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, link = tmp_path / "results.csv", tmp_path / "link.csv"
    file.write_text(TABLE)
    link.symlink_to(file)
    for path in (file, link, tmp_path / "." / "results.csv"):
        assert output(path, file=file) == 2
        assert capsys.readouterr() == (
            "",
            f"Error: --output {path} is not possible; it is the file that is read, and would be "
            f"overwritten.\n",
        )
    assert file.read_text() == TABLE


def test_the_name_of_the_output_tells_the_format_or_the_option_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, path = tmp_path / "results.csv", tmp_path / "board.xlsx"
    file.write_text(TABLE)
    assert output(path, file=file) == 2
    assert capsys.readouterr() == (
        "",
        f"Error: --output {path} is not possible; its name does not tell the format; say it with "
        f"--format.\n",
    )
    assert not path.exists()
    assert output(path, "--format", "json", file=file) == 0
    assert players_of(json.loads(path.read_text())) == PLAIN
