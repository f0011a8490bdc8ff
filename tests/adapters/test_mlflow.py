"""Runs of MLflow: files that it wrote, and what can be wrong with them."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import sentence

import winodds
from winodds.adapters.adapted import Adapted
from winodds.cli.main import run
from winodds.errors import (
    BadOption,
    ConflictingDuplicates,
    DirectionUnknown,
    NothingLeft,
    NotThisSource,
    OneScoreEach,
    UnknownMetric,
    Unreadable,
    WhichMetric,
)

SAMPLES = Path(__file__).resolve().parent.parent / "samples" / "mlflow"
FOLDS, NESTED, STEPS = (SAMPLES / f"{name}.db" for name in ("folds", "nested", "steps"))
TABLE = SAMPLES / "runs.csv"


def query(path: Path, text: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute(text).fetchall()
    connection.close()
    return found


def changed(path: Path, folder: Path, *commands: str) -> Path:
    copy = folder / "mlflow.db"
    shutil.copy(path, copy)
    connection = sqlite3.connect(copy)
    for command in commands:
        connection.execute(command)
    connection.commit()
    connection.close()
    return copy


def read(path: Path, **options: Any) -> Adapted:
    found = winodds.read_source(path, **options)
    assert isinstance(found, Adapted)
    return found


def numbers(board: winodds.Leaderboard) -> list[tuple[object, ...]]:
    return [(row.player, row.epp, row.low, row.high, row.mean_score) for row in board]


def texts(source: Adapted) -> list[str]:
    return [str(note) for note in source.notes]


# One line gives the board of a hand-made table ----------------------------------------------------


def folds_by_hand(metric: str) -> pl.DataFrame:
    found = query(
        FOLDS,
        f"""SELECT m.value, p.value, c.value, f.value, d.value FROM metrics AS m
        JOIN runs AS r USING (run_uuid)
        JOIN params AS p ON p.run_uuid = m.run_uuid AND p.key = 'model'
        JOIN params AS c ON c.run_uuid = m.run_uuid AND c.key = 'C'
        JOIN params AS f ON f.run_uuid = m.run_uuid AND f.key = 'fold'
        JOIN params AS d ON d.run_uuid = m.run_uuid AND d.key = 'dataset'
        WHERE m.key = '{metric}' AND r.lifecycle_stage = 'active'""",
    )
    return pl.DataFrame(
        [
            {
                "player": f"{model}, C={size.removesuffix('.0')}",
                "round": fold,
                "score": score,
                "dataset": dataset,
            }
            for score, model, size, fold, dataset in found
        ]
    )


@pytest.mark.parametrize("path", [FOLDS, TABLE])
@pytest.mark.parametrize(("metric", "up"), [("auc", True), ("log_loss", False)])
def test_folds_in_params_are_rounds_and_data_sets_tournaments(
    path: Path, metric: str, up: bool
) -> None:
    source = read(path, metric=metric)
    assert source.knows["tournament"] == "tournament"
    each = winodds.rate_each(source, tournament="tournament")
    table = folds_by_hand(metric)
    hand = winodds.rate_each(table, tournament="dataset", higher_is_better=up)
    assert list(each) == ["iris", "wine"]
    for name in each:
        assert numbers(each[name]) == numbers(hand[name])
    assert each["iris"].row("svm, C=10").family == "svm"
    assert "hyperparameters" in source.knows


def test_failed_running_and_deleted_runs_are_visible() -> None:
    source = read(FOLDS, metric="auc")
    failed = source.table.filter(pl.col("status") != "ok")
    assert failed.select("player", "round", "score", "reason").rows() == [
        ("ridge, C=10", "0", None, "the run was failed"),
        ("ridge, C=10", "1", None, "the run was killed"),
    ]
    assert texts(source) == [
        "1 run left out, with status RUNNING.",
        "Other metrics of the source: 'log_loss'.",
        "1 deleted run left out, as MLflow does.",
    ]
    assert source.rows == 32


def test_runs_below_a_parent_are_its_rounds() -> None:
    found = query(
        NESTED,
        """SELECT above.name, run.name, m.value FROM metrics AS m JOIN runs AS run USING (run_uuid)
        JOIN tags AS t ON t.run_uuid = m.run_uuid AND t.key = 'mlflow.parentRunId'
        JOIN runs AS above ON above.run_uuid = t.value""",
    )
    table = pl.DataFrame(found, ["player", "round", "score"], orient="row")
    hand = winodds.rate(table, higher_is_better=True)
    source = read(NESTED, rounds="runs")
    assert source.rows == len(found) == 25
    assert numbers(winodds.rate(source)) == numbers(hand)
    assert texts(source) == [
        "5 runs left out, summing up others or without a round: 'svm 0.1', 'svm 1.0', 'svm 10.0', "
        "'ridge 0.1', 'ridge 1.0'."
    ]


def test_steps_are_rounds_if_somebody_says_so() -> None:
    found = query(
        STEPS,
        """SELECT r.name, m.step, m.value, m.is_nan FROM metrics AS m
        JOIN runs AS r USING (run_uuid) ORDER BY m.timestamp, m.value""",
    )
    last = {(name, step): None if lost else value for name, step, value, lost in found}
    rows = [
        {"player": name.replace("-", ", C=").removesuffix(".0"), "round": step, "score": score}
        for (name, step), score in last.items()
    ]
    hand = winodds.rate(pl.DataFrame(rows), higher_is_better=False)
    source = read(STEPS, rounds="steps")
    assert numbers(winodds.rate(source)) == numbers(hand)
    assert source.rows == 30
    assert source.table.filter(pl.col("status") == "failed").select("player", "round").rows() == [
        ("svm, C=0.1", "2")
    ]
    assert "1 value was logged again for the same step; the last one counts." in texts(source)


def test_a_store_is_known_by_its_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", str(FOLDS), "--metric", "auc", "--no-details"]) == 0
    found = capsys.readouterr()
    assert "runs of MLflow; 6 players, rounds by 'fold'" in found.err
    assert "higher auc is better" in found.out


# What has to be said ------------------------------------------------------------------------------


def test_what_a_round_is_must_be_said_where_nothing_tells_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rate", str(NESTED)]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: The metric 'accuracy' gives one score for each of 25 players, and one round rates "
        "nothing. Log a param such as 'fold' with each run, or say what a round is: --rounds runs "
        "if runs below a parent are its folds."
    )
    assert sentence(OneScoreEach, lambda: winodds.read_source(STEPS)) == (
        "The metric 'rmse' gives one score for each of 5 players, and one round rates nothing. Log "
        "a param such as 'fold' with each run, or say what a round is: rounds=\"steps\" if steps "
        "are folds."
    )


def test_of_several_metrics_one_is_chosen_or_all() -> None:
    with pytest.raises(WhichMetric):
        winodds.read_source(FOLDS)
    with pytest.raises(UnknownMetric):
        winodds.read_source(FOLDS, metric="f1")
    each = winodds.rate_each(read(FOLDS, metric="all"), tournament="tournament", details=False)
    assert sorted(each) == ["auc: iris", "auc: wine", "log_loss: iris", "log_loss: wine"]
    assert each["auc: iris"].players == each["log_loss: iris"].players
    assert each.together is None
    assert each.apart == (
        'metric="all" is not possible; the same rounds would count once for each metric; choose '
        "one."
    )


def test_a_direction_that_the_name_does_not_tell_is_asked_for(tmp_path: Path) -> None:
    path = changed(NESTED, tmp_path, "UPDATE metrics SET key = 'outcome'")
    with pytest.raises(DirectionUnknown):
        winodds.read_source(path, rounds="runs")
    down = winodds.rate(read(path, rounds="runs", higher_is_better=False))
    assert down.players == tuple(reversed(winodds.rate(read(NESTED, rounds="runs")).players))


def test_a_table_of_runs_has_no_steps() -> None:
    wanted = lambda: winodds.read_source(TABLE, metric="auc", rounds="steps")  # noqa: E731
    assert sentence(BadOption, wanted) == (
        'rounds="steps" is not possible; a table of runs has the last value of each metric only; '
        "give the file mlflow.db."
    )


# Who plays ----------------------------------------------------------------------------------------


def runs_table(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(["run_id,experiment_id,status,metrics.auc," + lines[0], *lines[1:]]))
    return path


def test_players_are_named_after_runs_where_params_do_not_tell_them(tmp_path: Path) -> None:
    lines = ["params.fold,tags.mlflow.runName"]
    lines += [f"r{k},1,FINISHED,0.{k + 5},{k % 2},{'ab'[k // 2]}" for k in range(4)]
    source = read(runs_table(tmp_path / "runs.csv", lines))
    assert sorted(source.table["player"].unique()) == ["a", "b"]
    assert texts(source)[0] == (
        "Players are named after their runs, because no other param varies."
    )


def test_params_that_are_new_in_every_run_name_nobody(tmp_path: Path) -> None:
    lines = ["params.fold,params.when,tags.mlflow.runName"]
    lines += [f"r{k},1,FINISHED,0.{k + 5},{k % 2},{k}:00,{'ab'[k // 2]}" for k in range(4)]
    source = read(runs_table(tmp_path / "runs.csv", lines))
    assert sorted(source.table["player"].unique()) == ["a", "b"]
    assert texts(source)[0] == (
        "Players are named after their runs, because no two runs have the same other params."
    )
    assert winodds.rate(source).players == ("b", "a")


def test_folds_below_parents_inherit_their_params(tmp_path: Path) -> None:
    lines = ["params.C,params.fold,tags.mlflow.parentRunId,tags.mlflow.runName"]
    lines += ["p1,1,FINISHED,,1,,,first", "p2,1,FINISHED,,2,,,second"]
    lines += [f"r{k},1,FINISHED,0.{k + 5},,{k % 2},p{k // 2 + 1},x" for k in range(4)]
    source = read(runs_table(tmp_path / "runs.csv", lines))
    assert winodds.rate(source).players == ("C=2", "C=1")
    assert source.rows == 4


def test_an_empty_cell_of_a_table_is_no_value_and_not_an_infinite_one(tmp_path: Path) -> None:
    lines = ["params.fold,params.model"]
    lines += [f"r{k},1,FINISHED,0.{k + 5},{k % 2},{'ab'[k // 2]}" for k in range(4)]
    lines += ["x,1,FINISHED,,0,c", "y,1,FAILED,,1,c"]
    source = read(runs_table(tmp_path / "runs.csv", lines))
    assert source.table.filter(pl.col("status") != "ok").select(
        "player", "round", "status"
    ).rows() == [("c", "1", "failed")]
    assert texts(source) == ["1 run left out, without a value of 'auc'."]


def test_a_run_that_was_done_twice_is_not_counted_twice(tmp_path: Path) -> None:
    text = TABLE.read_text().splitlines()
    done = next(line for line in text if ",FINISHED," in line)
    path = tmp_path / "runs.csv"
    cells = done.split(",")
    cells[text[0].split(",").index("metrics.auc")] = "0.5"
    path.write_text("\n".join([*text, ",".join(cells), ""]))
    source = read(path, metric="auc")
    with pytest.raises(winodds.WinoddsError, match="more than one score"):
        winodds.rate_each(source, tournament="tournament")
    path.write_text("\n".join([*text, done, ""]))
    board = winodds.rate_each(read(path, metric="auc"), tournament="tournament")["iris"]
    same = winodds.rate_each(read(TABLE, metric="auc"), tournament="tournament")["iris"]
    assert numbers(board) == numbers(same)


def test_experiments_are_tournaments(tmp_path: Path) -> None:
    lines = ["params.fold,params.model"]
    lines += [
        f"r{k},{k // 4},FINISHED,0.{10 + k * 7 % 13},{k % 2},{'ab'[k // 2 % 2]}" for k in range(8)
    ]
    each = winodds.rate_each(
        read(runs_table(tmp_path / "runs.csv", lines)), tournament="tournament"
    )
    assert list(each) == ["0", "1"]


# Hostile ------------------------------------------------------------------------------------------


def test_infinite_values_and_nan_count_as_failed(tmp_path: Path) -> None:
    path = changed(
        STEPS,
        tmp_path,
        "UPDATE metrics SET value = 1.7976931348623157e308 WHERE step = 3 AND run_uuid = "
        "(SELECT run_uuid FROM runs WHERE name = 'svm-1.0')",
    )
    failed = read(path, rounds="steps").table.filter(pl.col("status") == "failed")
    assert failed.select("player", "round", "score", "reason").rows() == [
        ("svm, C=0.1", "2", None, None),
        ("svm, C=1", "3", None, "infinite score"),
    ]


def test_runs_of_a_deleted_experiment_are_out(tmp_path: Path) -> None:
    path = changed(NESTED, tmp_path, "UPDATE experiments SET lifecycle_stage = 'deleted'")
    assert sentence(NothingLeft, lambda: winodds.read_source(path, rounds="runs")) == (
        f"'{path}', runs of MLflow, holds no result to rate: no run has a metric."
    )


def test_runs_that_never_ended_rate_nothing(tmp_path: Path) -> None:
    path = changed(NESTED, tmp_path, "UPDATE runs SET status = 'RUNNING'")
    with pytest.raises(NothingLeft, match="no run that ended has a value of 'accuracy'"):
        winodds.read_source(path, rounds="runs")


def test_runs_below_parents_with_nothing_in_common_are_refused(tmp_path: Path) -> None:
    path = changed(
        NESTED,
        tmp_path,
        "DELETE FROM tags WHERE key = 'mlflow.runName'",
        "UPDATE runs SET name = run_uuid",
    )
    with pytest.raises(NotThisSource, match="have no names in common"):
        winodds.read_source(path, rounds="runs")
    with pytest.raises(NotThisSource, match="no run is below another one"):
        winodds.read_source(STEPS, rounds="runs")
    with pytest.raises(NotThisSource, match="no param that varies is called like a round"):
        winodds.read_source(STEPS, rounds="params")


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE metrics SET step = 'last'",
        "UPDATE metrics SET value = 'high'",
        "UPDATE metrics SET timestamp = 'now'",
    ],
)
def test_cells_of_wrong_types_are_refused(tmp_path: Path, command: str) -> None:
    path = changed(STEPS, tmp_path, command)
    with pytest.raises(Unreadable, match="holds something else than numbers"):
        winodds.read_source(path, rounds="steps")


def test_missing_tables_and_cut_files_are_refused(tmp_path: Path) -> None:
    path = changed(FOLDS, tmp_path, "DROP TABLE tags")
    with pytest.raises(winodds.WinoddsError):
        winodds.read_source(path)
    with pytest.raises(NotThisSource, match="table 'tags' has no column 'run_uuid'"):
        winodds.read_source(path, source="mlflow", metric="auc")
    path.write_bytes(FOLDS.read_bytes()[:30_000])
    with pytest.raises(Unreadable):
        winodds.read_source(path, metric="auc")
    plain = tmp_path / "plain.csv"
    plain.write_text("model,fold,auc\na,1,.9\n")
    with pytest.raises(NotThisSource, match="it has no column 'run_id'"):
        winodds.read_source(plain, source="mlflow")


def test_equal_runs_are_told_apart(tmp_path: Path) -> None:
    path = changed(
        STEPS,
        tmp_path,
        "UPDATE params SET value = '1.0' WHERE key = 'C'",
        "UPDATE params SET value = 'svm' WHERE key = 'model'",
        "UPDATE tags SET value = 'same' WHERE key = 'mlflow.runName'",
    )
    players = read(path, rounds="steps").table["player"].unique()
    assert len(players) == 5
    assert all(name.startswith("same (") for name in players)


def test_a_hundred_thousand_values_are_read(tmp_path: Path) -> None:
    path = changed(
        STEPS,
        tmp_path,
        "DELETE FROM metrics",
        """INSERT INTO metrics (key, value, timestamp, run_uuid, step, is_nan)
        WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 19999)
        SELECT 'rmse', (k * 7919 % 1000) / 1000.0, k, run_uuid, k, 0 FROM n, runs""",
    )
    assert read(path, rounds="steps").rows == 100_000


def test_two_scores_of_one_player_in_one_round_are_refused(tmp_path: Path) -> None:
    lines = ["params.fold,params.model", "a,1,FINISHED,0.5,0,x", "b,1,FINISHED,0.6,0,x"]
    lines += ["c,1,FINISHED,0.58,0,y", "d,1,FINISHED,0.6,1,x", "e,1,FINISHED,0.7,1,y"]
    source = read(runs_table(tmp_path / "runs.csv", lines))
    with pytest.raises(ConflictingDuplicates):
        winodds.rate(source)
    assert winodds.rate(source, duplicates="mean").players == ("y", "x")
