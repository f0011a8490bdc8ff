"""``winodds season``."""

import csv
import io
import json
from pathlib import Path

import pytest
from conftest import shared_file

from winodds.cli.main import run
from winodds.demo import RESULTS

DEMO = ["--player", "model", "--no-details", "--quiet"]


@pytest.fixture
def results(tmp_path: Path) -> str:
    file = tmp_path / "results.csv"
    file.write_bytes(RESULTS.read_bytes())
    return str(file)


def test_season_is_told_in_words_first(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["season", results, *DEMO]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "4 data sets: 20 models, 20 splits each",
        "",
        "Of 4 data sets, random_forest(default) is rated first on 2,",
    ]
    assert "On a new data set" in lines
    assert "Data sets" in lines
    assert "Tuning" not in lines


def test_families_and_defaults_bring_their_parts(
    results: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["season", results, *DEMO, "--family", "family", "--default", "(default)"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [part for part in ("The best of each family", "Tuning") if part in lines] == [
        "The best of each family",
        "Tuning",
    ]


def test_two_players_are_compared_on_a_new_data_set(
    results: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(["season", results, *DEMO, "--compare", "random_forest(default)", "knn(default)"]) == 0
    )
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith(
        "On a new data set, random_forest(default) beats knn(default) in 64 of 100 splits"
    )
    assert text.endswith(
        "* The two can be compared in only 4 data sets; below about 5, what is said of a new one "
        "rests mostly on how other pairs vary."
    )


def test_two_players_as_a_row(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--compare", "random_forest(default)", "knn(default)", "--format"]
    assert run(["season", results, *DEMO, *words, "csv"]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert run(["season", results, *DEMO, *words, "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (row["a"], row["b"]) == (data["a"], data["b"])
    assert float(row["tau"]) == data["tau"]
    assert float(row["p_win_new_low"]) == data["p_win_new"]["low"]


def test_formats_hold_the_same(
    results: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["season", results, *DEMO, "-o", str(tmp_path / "season.json")]) == 0
    data = json.loads((tmp_path / "season.json").read_text(encoding="utf-8"))
    assert run(["season", results, *DEMO, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["player"] for row in rows] == data["players"]
    assert [float(row["mean_epp"]) for row in rows] == [row["mean_epp"] for row in data["standing"]]
    assert run(["season", results, *DEMO, "--format", "markdown"]) == 0
    text = capsys.readouterr().out
    assert "### On a new data set" in text
    assert "| logistic\\_regression(default) |" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--compare", "random_forest(default)", "nobody"],
            "Error: No player 'nobody' in this season.",
        ),
        (
            ["--compare", "random_forest(default)", "random_forest(default)"],
            "Error: 'random_forest(default)' cannot be compared with itself; name two players.",
        ),
    ],
)
def test_players_that_cannot_be_compared(
    results: str, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["season", results, *DEMO, *words]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--pool"],
            "Error: --pool is not possible; a season keeps its data sets apart; 'winodds rate' "
            "pools them.",
        ),
        (
            ["--scheme", "data-sets"],
            "Error: --scheme data-sets is not possible; data sets that play are one leaderboard, "
            "which 'winodds rate' shows.",
        ),
        (
            ["--family", "family", "--default", "(none)"],
            "Error: No player's name ends with '(none)'. Without --default, the median setting of "
            "each family is it.",
        ),
        (
            ["--family", "family", "--default", ")"],
            "Error: Family 'gradient_boosting' has 5 defaults: 'gradient_boosting(default)', "
            "'gradient_boosting(learning_rate=0.019)', 'gradient_boosting(learning_rate=0.046)', "
            "'gradient_boosting(learning_rate=0.14)', 'gradient_boosting(learning_rate=0.48)'. "
            "Give an ending that one player of each family has.",
        ),
    ],
)
def test_options_that_mean_nothing_here_are_refused(
    results: str, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["season", results, *DEMO, *words]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == message


def test_defaults_without_families_are_refused(
    results: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["season", results, *DEMO, "--default", "(default)"]) == 1
    assert capsys.readouterr().err == (
        "Error: The players' families are not known. Name the column that holds them with "
        "--family, and rate again.\n"
    )


def test_level_holds_for_a_new_data_set_too(
    results: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--level", "0.8", "--compare", "random_forest(default)", "knn(default)"]
    assert run(["season", results, *DEMO, *words]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "splits (80% interval" in text
    assert "on 80% of new ones" in text
    assert run(["season", results, *DEMO, *words[:2]]) == 0
    assert "P(win) there, 80%" in capsys.readouterr().out


def test_one_board_is_refused_before_anything_is_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("winodds.board.leaderboard.Leaderboard.quality", never)
    file = tmp_path / "one.csv"
    rows = [f"{model},{k},0.{k}{own}" for k in (1, 2, 3) for own, model in enumerate("ab")]
    file.write_text("\n".join(["model,fold,auc", *rows]))
    assert run(["season", str(file), "--details"]) == 1
    assert "This is one leaderboard" in capsys.readouterr().err


def test_one_data_set_is_no_season(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.csv"
    file.write_text(
        "model,dataset,fold,auc\n"
        + "".join(
            f"{model},wine,{fold},0.{fold}{k}\n"
            for fold in (1, 2, 3)
            for k, model in enumerate("ab")
        )
    )
    assert run(["season", str(file), "--quiet"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: A season needs two or more data sets; there is one, 'wine'. 'winodds rate' shows "
        "its leaderboard."
    )


def test_data_sets_with_one_score_each_are_one_board(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(shared_file("data/openml_study_34_auc.csv"))
    words = ["--higher-is-better", "--quiet", "--no-details"]
    assert run(["season", file, *words]) == 1
    assert "it is a Model/Task board" in capsys.readouterr().err
    assert run(["season", file, *words, "--tournament", "task", "--round", "repetition"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: Each of the 105 tournaments has a single round, so this is no season but one "
        "Model/Task board, whose rounds are the tournaments. Rate it with --round task, and "
        "without --tournament; families go with --family."
    )


def test_published_benchmark_reads_as_its_maintainer_would_write(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = str(shared_file("data/amlb_2019_1h.csv"))
    roles = ["--player", "framework", "--tournament", "task", "--round", "fold"]
    words = ["--score", "score", "--higher-is-better", "--quiet", "--no-details"]
    assert run(["season", file, *roles, *words]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for sentence in (
        "Of 35 tasks, h2oautoml is rated first on 24, autosklearn on 5, tpot on 4 and "
        "tunedrandomforest on 2.",
        "All tasks together put h2oautoml first, with an EPP of 2.26 (95% interval 1.84 to "
        "2.62). That interval is for the mean over tasks of this kind, not for any one of them.",
        "On a new task, h2oautoml beats autosklearn in 73 of 100 folds (95% interval 62 to "
        "82), and the chance that it is truly the better one there is 79 of 100. Tasks differ: "
        "on 95% of new ones its true share of folds won lies between 7 and >99 of 100 (true "
        "differences vary with a standard deviation τ of 2.10)",
        "So h2oautoml is better on average, but which of the two is better on the next task "
        "stays open.",
        "No task reverses the order in which the others have the frameworks; robert agrees least "
        "with them (mean correlation of its folds 0.35).",
    ):
        assert sentence in text
