"""``winodds gate``: what it reads, prints and how it ends."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import pytest

import winodds
from winodds.cli.main import run

pytestmark = pytest.mark.usefixtures("folder")

RIGHT = [1] * 60 + [0] * 40
KEYS = {"verdict", "p_win", "difference", "margin", "rounds_needed", "text"}


def write(name: str, scores: list[int], *, header: str = "item,correct", begin: str = "") -> str:
    lines = [f"{begin}q{k},{score}" for k, score in enumerate(scores)]
    Path(name).write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return name


def flipped(scores: list[int], *places: int) -> list[int]:
    return [1 - score if k in places else score for k, score in enumerate(scores)]


ROLES = ["--round", "item", "--score", "correct", "--higher-is-better"]


@pytest.mark.parametrize(
    ("places", "code", "verdict"),
    [
        (range(60, 70), 0, "better"),
        ([], 0, "no worse"),
        (range(45, 75), 3, "cannot tell"),
        (range(10), 4, "worse"),
    ],
)
def test_command_ends_as_its_verdict_says(
    capsys: pytest.CaptureFixture[str], places: Sequence[int], code: int, verdict: str
) -> None:
    old, new = write("old.csv", RIGHT), write("new.csv", flipped(RIGHT, *places))
    assert run(["gate", old, new, *ROLES, "--format", "json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == verdict
    assert set(found) >= KEYS
    jsonschema.validate(found, winodds.gate_schema())
    assert set(found["p_win"]) == set(found["difference"]) == {"value", "low", "high"}
    assert found["margin"] == 0.05
    assert (found["rounds_needed"] == 0) == (verdict != "cannot tell")
    assert found["text"].lower().startswith(verdict)


def write_board(name: str, shift: float, *options: str) -> str:
    """A board of two players on six folds of each of two data sets; B's scores are moved."""
    lines = [
        f"{player},{data},{fold},{0.5 + 0.05 * ((fold * step) % 5) + shift * (player == 'B'):.3f}"
        for player, step in (("A", 2), ("B", 3))
        for data in ("iris", "wine")
        for fold in range(6)
    ]
    text = "\n".join(["model,dataset,fold,accuracy", *lines, ""])
    Path(f"{name}.csv").write_text(text, encoding="utf-8")
    assert run(["rate", f"{name}.csv", "--no-details", "-o", f"{name}.json", *options]) == 0
    return f"{name}.json"


def test_players_of_two_boards_are_compared_as_in_their_tables(
    capsys: pytest.CaptureFixture[str],
) -> None:
    chosen = ["--baseline", "A", "--candidate", "B"]
    for options in ([], ["--pool"]):
        old = write_board("old", 0.0, *options)
        new = write_board("new", 0.11, *options)
        capsys.readouterr()
        code = run(["gate", "old.csv", "new.csv", *chosen, "--score-margin", "0.01"])
        of_tables = capsys.readouterr().out
        assert run(["gate", old, new, *chosen, "--score-margin", "0.01"]) == code == 0
        assert capsys.readouterr().out == of_tables
    assert run(["gate", old, new, "--baseline", "B", "--candidate", "B", "-q"]) == 0
    assert capsys.readouterr().out.startswith("Better: B (candidate) beats B (baseline) in 100.0")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (
            ["old.json", "new.json"],
            2,
            "'old.json' has 2 players ('A', 'B'), and one is wanted. Say which with --baseline.",
        ),
        (
            ["old.json", "new.csv", "--baseline", "A"],
            2,
            "The two boards cannot be paired: 'new.csv' is no leaderboard. Give the results that "
            "they were made of, or rate these in the same way.",
        ),
        (
            ["old.json", "pooled.json", "--baseline", "A", "--candidate", "A"],
            2,
            "The two boards cannot be paired: one is of one tournament, or of all together, and "
            "the other has one of each. Give the results that they were made of, or rate these in "
            "the same way.",
        ),
        (["old.json", "nope.json"], 2, "There is no file 'nope.json'. Did you mean 'new.json'?"),
        (
            ["old.json", "new.json", "--missing", "lose"],
            2,
            "--missing lose is not possible; this is a leaderboard, which was made of a table "
            "already.",
        ),
    ],
)
def test_boards_that_do_not_pair_are_refused(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, sentence: str
) -> None:
    write_board("old", 0.0)
    write_board("new", 0.11)
    write_board("pooled", 0.0, "--pool")
    capsys.readouterr()
    assert run(["gate", *words]) == code
    assert capsys.readouterr().err.splitlines()[-1] == f"Error: {sentence}"


def test_misuse_and_bad_data_keep_their_codes(capsys: pytest.CaptureFixture[str]) -> None:
    old = write("old.csv", RIGHT)
    other = write("other.csv", RIGHT, begin="x")
    assert run(["gate", old, "nope.csv", *ROLES]) == 2
    assert capsys.readouterr().err.endswith("Error: There is no file 'nope.csv'.\n")
    assert run(["gate", old, other, *ROLES]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: 'old.csv' and 'other.csv' share no round: 100 rounds only of the first, 100 only "
        "of the second. Rounds are paired by their names; give the same round the same name in "
        "both."
    )
    assert run(["gate", old, old, *ROLES, "--margin", "0.1", "--score-margin", "0.1"]) == 2
    assert run(["gate", old, other, *ROLES, "--margin", "0.5"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: --margin 0.5 is not possible; it is 0 or a number below 0.5, such as 0.05 for 45 "
        "wins of 100."
    )
    assert run(["gate", old]) == 2


def test_one_comment_for_a_pull_request(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "a|b <img src=x> @team *x* [y](http://z)"
    rows = [f'"{hostile}",{k},{score}' for k, score in enumerate(flipped(RIGHT, *range(60, 72)))]
    Path("new.csv").write_text("\n".join(["model,fold,accuracy", *rows, ""]), encoding="utf-8")
    rows = [f"main,{k},{score}" for k, score in enumerate(RIGHT)]
    Path("old.csv").write_text("\n".join(["model,fold,accuracy", *rows, ""]), encoding="utf-8")
    assert run(["gate", "old.csv", "new.csv", "-o", "comment.md", "--score-margin", "0.02"]) == 0
    comment = Path("comment.md").read_text(encoding="utf-8")
    name = r"a\|b &lt;img src=x> `@`team \*x\* \[y\](http\://z)"
    assert comment == (
        "### winodds gate: better\n"
        "\n"
        f"Better: {name} scores 0.120 better than main on average (0.720 against 0.600, higher is "
        "better; 95% interval of the difference 0.066 to 0.204).\n"
        "\n"
        f"| {name} | against main |\n"
        "| :--- | :--- |\n"
        "| shared folds | 100 |\n"
        "| won, tied, lost | 12, 88, 0 |\n"
        "| win rate | 56.0% (53.3% to 60.2%) |\n"
        "| mean score | 0.720 against 0.600 (higher is better) |\n"
        "| better by | 0.120 (0.066 to 0.204) |\n"
        "| margin | 0.02 of the score |\n"
        "| further folds | none |\n"
    )
    assert capsys.readouterr().err.endswith("Written to comment.md.\n")


def test_files_with_several_players_need_a_name(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["gate", small, small]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: 'small.csv' has 3 players ('A', 'B', 'C'), and one is wanted. Say which with "
        "--baseline."
    )
    assert run(["gate", small, small, "--baseline", "A", "--candidate", "C"]) == 3
    two = capsys.readouterr().out
    assert run(["gate", "A", "C", "--table", small]) == 3
    assert capsys.readouterr().out == two
    assert run(["gate", "A", "C", "--table", small, "--baseline", "B"]) == 2


def test_boards_and_seasons_and_battles_are_tables_too(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "--format", "json", "-o", "board.json", "--no-details"]) == 0
    assert run(["gate", "A", "C", "--table", small]) == 3
    from_table = capsys.readouterr().out
    assert run(["gate", "A", "C", "--table", "board.json"]) == 3
    assert capsys.readouterr().out == from_table
    assert run(["gate", "A", "C", "--table", "board.json", "--round", "fold"]) == 2
    fights = "winner,loser\n" + "A,B\n" * 12 + "B,C\nC,A\n"
    Path("fights.csv").write_text(fights, encoding="utf-8")
    assert run(["gate", "A", "B", "--table", "fights.csv"]) == 4
    assert capsys.readouterr().out.startswith(
        "Worse: B beats A in 0.0 of 100 new battles (95% interval 0.0 to 27.3)."
    )
    assert run(["gate", "fights.csv", "fights.csv"]) == 2


def test_wide_tables_and_converted_ones_are_read(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["gate", "A", "C", "--table", small, "-q"]) == 3
    # Neither of the other tables tells that its rounds are folds.
    plain = capsys.readouterr().out.replace("folds", "rounds").split()
    wide = "model,1,2,3\nA,0.90,0.95,0.70\nB,0.80,0.70,0.81\nC,0.70,0.80,0.79\n"
    Path("wide.csv").write_text(wide, encoding="utf-8")
    words = ["gate", "A", "C", "--table", "wide.csv", "--wide", "--higher-is-better", "-q"]
    assert run(words) == 3
    assert capsys.readouterr().out.split() == plain
    assert run(["convert", small, "-o", "converted.csv", "-q"]) == 0
    words = ["gate", "converted.csv", small, "--baseline", "A", "--candidate", "C", "-q"]
    assert run(words) == 3
    assert capsys.readouterr().out.split() == plain


def test_margin_in_percentage_points(capsys: pytest.CaptureFixture[str]) -> None:
    for name, shift in (("old", 0.0), ("new", 0.5)):
        rows = [f"{k},{80.0 + k % 7 + shift + 0.1 * (k % 3)}%" for k in range(20)]
        Path(f"{name}.csv").write_text("\n".join(["fold,accuracy", *rows, ""]), encoding="utf-8")
    words = ["gate", "new.csv", "old.csv", "--percent", "--score-margin", "1", "-q"]
    assert run([*words, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["margin"] == 0.01


def test_sides_of_different_shape_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("old.csv").write_text("dataset,fold,auc\na,1,0.5\na,2,0.6\n", encoding="utf-8")
    Path("new.csv").write_text("fold,auc\n1,0.5\n2,0.7\n", encoding="utf-8")
    assert run(["gate", "old.csv", "new.csv", "-q"]) == 1
    assert capsys.readouterr().err == (
        "Error: 'old.csv' has tournaments and 'new.csv' has none, so their rounds cannot be "
        "paired. Give both a column for them, or neither.\n"
    )


# Sides that were not measured in the same way -----------------------------------------------------

LOGS = Path(__file__).parents[1] / "samples" / "lm_eval"


def copy_logs(key: str, value: object) -> None:
    """Two folders with the logs of one model each; something is changed in the second."""
    for name in ("alpha", "beta"):
        shutil.copytree(LOGS / f"tiny__{name}", Path(name) / "logs")
    path = next(Path("beta/logs").glob("results_*.json"))
    document = json.loads(path.read_text())
    document[key]["capitals"] = value
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [("n-shot", 5, "0-shot against 5-shot"), ("versions", 2, "version 1.0 against version 2")],
)
@pytest.mark.parametrize("command", ["gate", "convert"])
def test_logs_of_one_task_that_was_run_in_two_ways_are_not_paired(
    capsys: pytest.CaptureFixture[str], command: str, key: str, value: object, told: str
) -> None:
    copy_logs(key, value)
    assert run([command, "alpha", "beta", "--metric", "acc_norm", "-q"]) == 1
    assert capsys.readouterr().err == (
        f"Error: 'capitals' was not run in the same way in 'alpha' and 'beta' ({told}), so their "
        "rounds are not the same. Run it again in one way, or put the logs into one folder, in "
        "which such runs are told apart.\n"
    )


def test_items_that_are_not_the_same_are_not_paired(capsys: pytest.CaptureFixture[str]) -> None:
    copy_logs("n-shot", 0)
    path = next(Path("beta/logs").glob("samples_capitals_*"))
    path.write_text(path.read_text().replace('"doc_hash": "', '"doc_hash": "other'))
    assert run(["gate", "alpha", "beta", "--metric", "acc_norm", "-q"]) == 1
    assert "(their items, or prompts, differ)" in capsys.readouterr().err


@pytest.mark.parametrize("other", ["auc", "rmse"])
def test_scores_of_different_metrics_are_not_compared(
    capsys: pytest.CaptureFixture[str], other: str
) -> None:
    old = write("old.csv", RIGHT, header="fold,accuracy")
    new = write("new.csv", RIGHT, header=f"fold,{other}")
    assert run(["gate", old, new, "-q"]) == 1
    assert capsys.readouterr().err == (
        f"Error: The scores are 'accuracy' in 'old.csv' and '{other}' in 'new.csv'; scores of "
        "different metrics cannot be compared.\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        ["gate", "alpha", "beta"],
        ["gate", "tiny/alpha", "tiny/beta", "--table", str(LOGS)],
        ["rate", str(LOGS), "--pool"],
    ],
)
def test_rounds_do_not_count_once_for_each_metric(
    capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    copy_logs("n-shot", 0)
    assert run([*command, "--metric", "all", "-q"]) == 2
    assert capsys.readouterr().err == (
        "Error: --metric all is not possible; the same rounds would count once for each metric; "
        "choose one.\n"
    )
