"""Options in sentences: as in Python, or as on the command line, where the sentence is printed."""

import ast
import shlex

import pytest
from hypothesis import given, strategies as st

from winodds.errors import (
    BadCell,
    BadCells,
    BadOption,
    ConflictingDuplicates,
    DirectionUnknown,
    InfiniteScores,
    OverlapAcrossTournaments,
    RolesUnclear,
    ScoreOutOfRange,
    TooManyToCompare,
    WinoddsError,
)
from winodds.language.spelling import command_line_spelling, on_command_line, option, options

OPTIONS: list[tuple[str, object, str, str]] = [
    ("duplicates", "mean", 'duplicates="mean"', "--duplicates mean"),
    ("tie_tolerance", None, "tie_tolerance=None", "--tie-tolerance"),
    ("tie_tolerance", 0.1, "tie_tolerance=0.1", "--tie-tolerance 0.1"),
    ("tie_tolerance", -1, "tie_tolerance=-1", "--tie-tolerance -1"),
    ("top", 0, "top=0", "--top 0"),
    ("level", 1e-20, "level=1e-20", "--level 1e-20"),
    ("percent", True, "percent=True", "--percent"),
    ("details", True, "details=True", "--details"),
    ("details", False, "details=False", "--no-details"),
    ("higher_is_better", True, "higher_is_better=True", "--higher-is-better"),
    ("higher_is_better", False, "higher_is_better=False", "--lower-is-better"),
    ("decimal", ",", 'decimal=","', "--decimal ,"),
    ("decimal", ".", 'decimal="."', "--decimal ."),
    ("player", "", 'player=""', "--player ''"),
    ("player", "my model", 'player="my model"', "--player 'my model'"),
    ("player", "it's", """player="it's\"""", """--player 'it'"'"'s'"""),
    ("player", 'a "b"', """player='a "b"'""", """--player 'a "b"'"""),
    ("player", "a\\b", r"player='a\\b'", r"--player 'a\b'"),
    ("player", "a\nb", r"player='a\nb'", "--player 'a\nb'"),
    ("player", "$(rm)", 'player="$(rm)"', "--player '$(rm)'"),
    ("player", "True", 'player="True"', "--player True"),
]


@pytest.mark.parametrize(("name", "value", "python", "command"), OPTIONS)
def test_option_is_written_as_the_reader_would_type_it(
    name: str, value: object, python: str, command: str
) -> None:
    assert option(name, value) == python
    with command_line_spelling():
        assert option(name, value) == command


def test_option_without_a_value_awaits_one() -> None:
    assert option("tie_tolerance") == "tie_tolerance="
    with command_line_spelling():
        assert option("tie_tolerance") == "--tie-tolerance"


def test_several_values_are_a_list_or_the_option_again() -> None:
    names = ["task", "my fold", 'the "best"']
    assert options("round", names) == """round=["task", "my fold", 'the "best"']"""
    assert options("round", ["task"]) == 'round=["task"]'
    with command_line_spelling():
        assert options("round", names) == """--round task --round 'my fold' --round 'the "best"'"""
        assert options("round", ["task"]) == "--round task"


@given(st.text(st.characters(codec="utf-8")))
def test_python_reads_back_what_was_spelled(value: str) -> None:
    call = ast.parse(f"rate({option('player', value)})", mode="eval").body
    assert isinstance(call, ast.Call)
    assert ast.literal_eval(call.keywords[0].value) == value


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_shell_reads_back_what_was_spelled(value: str) -> None:
    with command_line_spelling():
        assert shlex.split(option("player", value)) == ["--player", value]


# Where the sentence is printed --------------------------------------------------------------------


def test_spelling_is_that_of_python_outside_the_command_line() -> None:
    found = [on_command_line()]
    with command_line_spelling():
        found.append(on_command_line())
        with command_line_spelling():
            found.append(on_command_line())
        found.append(on_command_line())
    found.append(on_command_line())
    assert found == [False, True, True, True, False]


def test_spelling_is_that_of_python_again_after_an_error() -> None:
    with pytest.raises(DirectionUnknown), command_line_spelling():
        raise DirectionUnknown(metric="x")
    assert not on_command_line()


SENTENCES: list[tuple[WinoddsError, str, str]] = [
    (
        DirectionUnknown(metric="x"),
        "Is a higher or a lower 'x' better? The name does not tell. Pass higher_is_better=True or "
        "higher_is_better=False.",
        "Is a higher or a lower 'x' better? The name does not tell. Pass --higher-is-better or "
        "--lower-is-better.",
    ),
    (
        BadOption(option="tie_tolerance", value=-1, wanted="it is small"),
        "tie_tolerance=-1 is not possible; it is small.",
        "--tie-tolerance -1 is not possible; it is small.",
    ),
    (
        BadOption(option="estimator", value="fast", wanted="it is slow"),
        'estimator="fast" is not possible; it is slow.',
        "--estimator fast is not possible; it is slow.",
    ),
    (
        InfiniteScores(scores=1, player="rf", round="1", where="line 2"),
        "1 score is infinite, that of 'rf' in '1' (line 2). Give a failed run an empty score, and "
        "say with missing= whether it counts as a loss.",
        "1 score is infinite, that of 'rf' in '1' (line 2). Give a failed run an empty score, and "
        "say with --missing whether it counts as a loss.",
    ),
    (
        ConflictingDuplicates(
            pairs=1, player="rf", round="1", values=[1.0, 2.0], where=["line 2", "line 3"]
        ),
        "1 player–round pair has more than one score; the first is 'rf' in '1' with 1 (line 2) "
        'and 2 (line 3). Give repeats their own round, or pass duplicates="mean".',
        "1 player–round pair has more than one score; the first is 'rf' in '1' with 1 (line 2) "
        "and 2 (line 3). Give repeats their own round, or pass --duplicates mean.",
    ),
    (
        ScoreOutOfRange(
            metric="auc", low=0.0, high=1.0, value=91.0, player="rf", round="1", where="line 2"
        ),
        "'rf' has 91 in '1' (line 2), but 'auc' lies between 0 and 1. Correct the score, or rename "
        "the column if it is something else. If percent is meant, divide by 100.",
        "'rf' has 91 in '1' (line 2), but 'auc' lies between 0 and 1. Correct the score, or rename "
        "the column if it is something else. If percent is meant, pass --percent.",
    ),
    (
        BadCells(
            column="auc",
            cells=[BadCell("line 2", "91%", None)],
            total=1,
            advice={"percent": True},
        ),
        "1 cell of column 'auc' is no number: line 2 has '91%'. If that is how numbers are "
        "written here, pass percent=True.",
        "1 cell of column 'auc' is no number: line 2 has '91%'. If that is how numbers are "
        "written here, pass --percent.",
    ),
    (
        BadCells(
            column="auc",
            cells=[BadCell("line 2", "0,9", None)],
            total=1,
            advice={"decimal": ","},
        ),
        "1 cell of column 'auc' is no number: line 2 has '0,9'. If that is how numbers are "
        'written here, pass decimal="," (a comma).',
        "1 cell of column 'auc' is no number: line 2 has '0,9'. If that is how numbers are "
        "written here, pass --decimal , (a comma).",
    ),
    (
        RolesUnclear(
            columns=["split", "fold", "auc"],
            missing=["player"],
            several={"round": ("split", "fold")},
            wide=True,
        ),
        "Two columns could be the round: 'split', 'fold'; no column has a usual name for the "
        'player. Say which is which, for instance round="split", player="…" (or round=["split", '
        "\"fold\"] if two together name a round). The columns are 'split', 'fold', 'auc'. If the "
        "other columns are players, write rate(to_long(table)).",
        "Two columns could be the round: 'split', 'fold'; no column has a usual name for the "
        "player. Say which is which, for instance --round split --player COLUMN (or --round split "
        "--round fold if two together name a round). The columns are 'split', 'fold', 'auc'. If "
        "the other columns are players, pass --wide.",
    ),
    (
        TooManyToCompare(players=6000, limit=5000),
        "All pairs of 6,000 players are too many to look at together; the limit is 5,000 players. "
        "Compare two by name, rate fewer, or leave the details out with details=False.",
        "All pairs of 6,000 players are too many to look at together; the limit is 5,000 players. "
        "Compare two by name, rate fewer, or leave the details out with --no-details.",
    ),
    (
        OverlapAcrossTournaments(),
        "test_fraction corrects for splits of one data set that share training data; this board's "
        "clusters are whole data sets, which share none. Leave that option out.",
        "--test-fraction corrects for splits of one data set that share training data; this "
        "board's clusters are whole data sets, which share none. Leave that option out.",
    ),
]


@pytest.mark.parametrize(("error", "python", "command"), SENTENCES)
def test_sentence_is_spelled_where_it_is_printed(
    error: WinoddsError, python: str, command: str
) -> None:
    with pytest.raises(WinoddsError) as inside, command_line_spelling():
        raise error
    assert str(inside.value) == python
    with pytest.raises(WinoddsError) as outside:
        raise error
    with command_line_spelling():
        assert str(outside.value) == command
    assert str(outside.value) == python
