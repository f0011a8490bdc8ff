"""``winodds convert``: the same columns, whatever the results live in."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from adapters.samples import SAMPLES

import winodds
from winodds.adapters.columns import BATTLE_COLUMNS, COLUMNS
from winodds.cli.main import run
from winodds.demo import RESULTS

TABLE = "model,data,fold,auc,status\n" + "".join(
    f"{model},{data},{fold},{score if fold else ''},{'ok' if fold else 'timeout'}\n"
    for data in "xy"
    for model, score in (("svm", 0.9), ("rf", 0.8))
    for fold in range(3)
)
BATTLES = "left,right,winner,user\na,b,left,u\nb,a,tie,v\na,b,right,u\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(TABLE)
    Path("battles.csv").write_text(BATTLES)
    Path("wide.csv").write_text("model,t1,t2\nsvm,0.9,0.7\nrf,0.8,0.75\n")


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.jsonl"])
def test_a_converted_table_gives_the_boards_of_the_table_itself(name: str) -> None:
    assert run(["convert", str(RESULTS), "-o", name, "-q"]) == 0
    own = winodds.rate_each(winodds.read_source(name), tournament="tournament")
    plain = winodds.rate_each(
        winodds.read_results(str(RESULTS)),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
    )
    assert {key: list(board) for key, board in own.items()} == {
        key: list(board) for key, board in plain.items()
    }


def test_a_converted_table_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "scores.csv"]) == 0
    shown = capsys.readouterr()
    rows = shown.out.splitlines()
    assert rows[0] == ",".join(COLUMNS)
    assert rows[1] == "svm,x,0,,auc,up,timeout,,,,,,,a table"
    assert rows[2] == "svm,x,1,0.9,auc,up,ok,,,,,,,a table"
    assert "player = model" in shown.err


def test_columns_without_a_role_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("items.csv").write_text("model,item,topic,who,auc\na,1,x,u,0.5\nb,1,x,v,0.6\n")
    assert run(["convert", "items.csv", "--round", "item"]) == 0
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == "* items.csv: 2 columns left out, without a role: 'topic', 'who'."
    assert run(["convert", "battles.csv"]) == 0
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == "* battles.csv: 1 column left out, without a role: 'user'."
    for words in (["scores.csv"], ["wide.csv", "--wide", "--higher-is-better"]):
        assert run(["convert", *words]) == 0
        assert "left out" not in capsys.readouterr().err


def shots(folder: str, number: int) -> None:
    """Logs of one harness, in which all tasks were run with so many examples."""
    shutil.copytree(SAMPLES / "lm_eval", folder)
    for path in Path(folder).rglob("results*.json"):
        document = json.loads(path.read_text())
        document["n-shot"] = dict.fromkeys(document["n-shot"], number)
        path.write_text(json.dumps(document))


@pytest.mark.parametrize("rounds", ["items", "tasks"])
def test_converted_tables_remember_how_tasks_were_run(
    capsys: pytest.CaptureFixture[str], rounds: str
) -> None:
    shots("none", 0)
    shots("five", 5)
    for name in ("none", "five"):
        words = ["--metric", "acc", "--rounds", rounds, "-o", f"{name}.csv", "-q"]
        assert run(["convert", name, *words]) == 0
    said = pl.read_csv("five.csv")["conditions"].unique().sort().to_list()
    items = ["", ""] if rounds == "items" else [", 12 items", ", 8 items"]
    assert said == list(dict.fromkeys(f"version 1.0, 5-shot{number}" for number in items))
    capsys.readouterr()
    assert run(["convert", "none.csv", "five.csv", "-o", "both.csv"]) == 1
    assert "'none.csv' and 'five.csv' (version 1.0, 0-shot" in capsys.readouterr().err
    text = Path("five.csv").read_text().partition("\n")[2]
    Path("both.csv").write_text(Path("none.csv").read_text() + text)
    assert run(["rate", "both.csv"]) == 1
    assert "was run in two ways, version 1.0, 0-shot" in capsys.readouterr().err
    shutil.copy("none.csv", "again.csv")
    assert run(["rate", "again.csv", "--no-details", "-q"]) == 0


def test_boards_of_a_converted_table_name_its_metric(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "scores.csv", "-o", "out.csv", "-q"]) == 0
    assert run(["rate", "out.csv", "--no-details"]) == 0
    head = "All together: 2 players, 2 tournaments, 4 rounds, 4 matches; higher auc is better"
    assert head in capsys.readouterr().out


def test_wide_tables_and_hyperparameters_are_converted() -> None:
    wide = ["convert", "wide.csv", "--wide", "--higher-is-better", "-o", "wide.parquet"]
    assert run(wide) == 0
    assert pl.read_parquet("wide.parquet")["round"].to_list() == ["t1", "t1", "t2", "t2"]
    Path("set.csv").write_text("model,fold,auc,C\na,1,.9,1\nb,1,.8,2\na,2,.9,1\nb,2,.7,2\n")
    assert run(["convert", "set.csv", "--hyperparameters", "C", "-o", "set.csv.jsonl"]) == 0
    source = winodds.read_source("set.csv.jsonl")
    assert source.knows["hyperparameters"] == ("C",)


def test_battles_keep_their_sides_and_clusters() -> None:
    assert run(["convert", "battles.csv", "--cluster", "user", "-o", "out.csv", "-q"]) == 0
    table = pl.read_csv("out.csv")
    assert tuple(table.columns) == BATTLE_COLUMNS
    assert table["winner"].to_list() == ["model_a", "tie", "model_b"]
    board = winodds.rate_battles(winodds.read_source("out.csv"))
    assert board.how.interval.cluster == "cluster"
    assert run(["rate", "out.csv", "--no-details", "-q"]) == 0


def test_sources_are_joined() -> None:
    Path("more.csv").write_text(TABLE.replace("svm", "knn").replace("rf,", "nb,"))
    assert run(["convert", "scores.csv", "more.csv", "-o", "out.parquet", "-q"]) == 0
    board = winodds.rate(winodds.read_source("out.parquet"))
    assert sorted(board.players) == ["knn", "nb", "rf", "svm"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["scores.csv", "battles.csv"],
            "'battles.csv' holds battles and 'scores.csv' scores; they do not fit into one table. "
            "Convert them one by one.",
        ),
        (
            ["scores.csv", "-o", "out.xlsx"],
            "--output out.xlsx is not possible; its name ends with one of .parquet, .csv, .jsonl, "
            ".ndjson.",
        ),
        (
            ["scores.csv", "-o", "scores.csv"],
            "--output scores.csv is not possible; it is the file that is read, and would be "
            "overwritten.",
        ),
        (
            ["scores.csv", "--weights", "fold"],
            "--weights fold is not possible; the columns of a converted table have no place for "
            "it.",
        ),
        (
            ["scores.csv", "--rounds", "steps"],
            "--rounds steps is not possible; it is for logs of other tools, and this is a plain "
            "table; name its columns.",
        ),
    ],
)
def test_what_cannot_be_converted_is_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", *words, "-q"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"Error: {said}"
