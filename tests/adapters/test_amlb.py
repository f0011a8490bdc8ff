"""Results of the AutoML Benchmark."""

from pathlib import Path

import polars as pl
import pytest
from conftest import shared_file
from tables import sentence

import winodds
from adapters.samples import SAMPLES, adapted, ratings, save, texts
from winodds.cli.main import run
from winodds.errors import (
    BadCells,
    ConflictingDuplicates,
    DirectionUnknown,
    NothingLeft,
    NotThisSource,
    UnknownMetric,
)

FOLDER = SAMPLES / "amlb"
RAW, TABLE, NEW = (FOLDER / f"amlb_{name}.csv" for name in ("2019_raw", "2019_table", "2020"))


def load(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, infer_schema_length=None)


def by_hand(path: Path) -> winodds.Season:
    """Boards of a long table that somebody made, with log loss turned round."""
    frame = load(path)
    down = pl.col("task").is_in(["car"]) if "metric" not in frame.columns else pl.lit(False)
    score = pl.when(down).then(-pl.col("result")).otherwise("result")
    long = frame.select(
        player="framework", tournament="task", round=pl.col("fold").cast(pl.String), score=score
    )
    return winodds.rate_each(long, tournament="tournament", higher_is_better=True)


@pytest.mark.parametrize("path", [RAW, TABLE, NEW], ids=["raw", "table", "new"])
def test_every_shape_gives_the_boards_of_a_table_made_by_hand(path: Path) -> None:
    own = winodds.rate_each(adapted(path), tournament="tournament")
    other = by_hand(path)
    assert list(own) == list(other)
    for task in own:
        assert ratings(own[task]) == ratings(other[task])


def test_results_of_2019_have_the_metric_whose_column_equals_them() -> None:
    table = adapted(RAW).table
    told = table.select("tournament", "metric", "direction").unique().sort("tournament").rows()
    assert told == [("adult", "auc", "up"), ("car", "logloss", "down")]
    assert texts(adapted(RAW))[0] == "The score is 'result': 'auc' in 1 task, 'logloss' in 1 task."


def test_results_since_2020_name_their_metric_and_may_be_turned_round() -> None:
    table = adapted(NEW).table
    told = table.select("tournament", "metric", "direction").unique().sort("tournament").rows()
    assert told == [
        ("adult", "auc", "up"),
        ("boston", "neg_rmse", "up"),
        ("car", "neg_logloss", "up"),
    ]
    assert table["fit_seconds"].unique().sort().to_list() == [9.0, 10.0, 11.0, 12.0, 13.0]
    assert table["score_seconds"].unique().to_list() == [0.5]


def test_failed_runs_have_their_reason_and_imputed_columns_are_never_read() -> None:
    source = adapted(TABLE)
    failed = source.table.filter(pl.col("status") == "failed")
    assert failed.select("player", "tournament", "round", "score", "reason").rows() == [
        ("h2oautoml", "adult", "4", None, "TimeoutError: 1h."),
        ("autosklearn", "car", "2", None, "Missing predictions."),
    ]
    assert texts(source) == [
        "3 columns left out, because they hold imputed results: 'imp_result', 'imp_score', "
        "'norm_score'.",
        "The score is 'result': 'auc' in 1 task, 'logloss' in 1 task.",
        "2 runs gave no results: 'Missing predictions.' 1, 'TimeoutError: 1h.' 1.",
    ]


def test_one_line_rates_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", str(NEW), "--pool", "--no-details"]) == 0
    out, err = capsys.readouterr()
    assert "results of the AutoML Benchmark; 4 frameworks, 3 tasks, 5 folds" in err
    assert out.startswith("4 players, 3 tournaments, 15 rounds, 84 matches; higher score is better")


def test_another_metric_that_was_measured_can_be_asked_for() -> None:
    source = adapted(NEW, metric="acc")
    assert source.table["tournament"].unique().sort().to_list() == ["adult", "car"]
    assert source.table["metric"].unique().to_list() == ["acc"]
    lower = adapted(NEW, metric="logloss")
    assert lower.table["direction"].unique().to_list() == ["down"]
    main = adapted(NEW, metric="neg_rmse")
    assert main.table["tournament"].unique().to_list() == ["boston"]
    assert sentence(UnknownMetric, lambda: adapted(NEW, metric="f1")) == (
        "There is no metric 'f1'; there are 'auc', 'neg_logloss', 'neg_rmse', 'acc', 'balacc', "
        "'logloss', 'mae', 'r2', 'rmse'."
    )


def test_several_constraints_make_players_of_their_own(tmp_path: Path) -> None:
    frame = load(NEW)
    longer = frame.with_columns(constraint=pl.lit("4h8c"), result=pl.col("result") + 0.001)
    source = adapted(save(pl.concat([frame, longer]), tmp_path))
    assert source.table["player"].n_unique() == 8
    assert source.table["player"][0] == "h2oautoml/1h8c"
    assert source.table["family"].unique().sort().to_list() == [
        *("autosklearn", "constantpredictor", "h2oautoml", "randomforest"),
    ]
    assert texts(source)[0] == (
        "There are 2 values of 'constraint'; each makes a player of its own."
    )
    assert len(winodds.rate_each(source, tournament="tournament")["adult"]) == 8


def test_two_versions_of_a_framework_are_asked_about(tmp_path: Path) -> None:
    frame = load(RAW)
    newer = frame.with_columns(
        version=pl.lit("2.0"), result=pl.col("result") + 0.0, utc=pl.lit("x")
    )
    newer = newer.with_columns(pl.col("result", "auc", "logloss") * 0.99)
    source = adapted(save(pl.concat([frame.cast({"version": pl.String}), newer]), tmp_path))
    said = sentence(ConflictingDuplicates, lambda: winodds.rate(source))
    assert "They differ in 'fit_seconds', " not in said
    assert "'version'" in said
    assert winodds.rate(source, player=("player", "version")).players[0].startswith("h2oautoml/")
    words = ["--from", "amlb", "--player", "player,version", "--pool", "--no-details", "--quiet"]
    assert run(["rate", source.name, *words]) == 0
    twice = adapted(save(pl.concat([frame, frame]), tmp_path))
    assert ratings(winodds.rate(twice)) == ratings(winodds.rate(adapted(RAW)))


def test_a_result_that_no_metric_equals_asks_for_its_direction(tmp_path: Path) -> None:
    path = save(load(RAW).with_columns(pl.col("result") + 3.0), tmp_path)
    with pytest.raises(DirectionUnknown):
        adapted(path)
    assert adapted(path, higher_is_better=True).table["metric"].unique().to_list() == ["result"]


def test_a_result_that_contradicts_its_metric_is_refused(tmp_path: Path) -> None:
    frame = load(NEW).with_columns(pl.col("metric").str.strip_prefix("neg_"))
    path = save(frame, tmp_path)
    assert sentence(NotThisSource, lambda: adapted(path)).startswith(
        f"'{path}' cannot be read as results of the AutoML Benchmark: of task "
    )


def test_a_result_that_equals_metrics_of_both_directions_is_refused(tmp_path: Path) -> None:
    frame = load(RAW).with_columns(logloss=pl.col("result"), auc=pl.col("result"))
    path = save(frame, tmp_path)
    assert "'auc', 'logloss', of which one is better when higher and one when lower." in sentence(
        NotThisSource, lambda: adapted(path)
    )


def test_a_task_that_everybody_failed_needs_no_metric(tmp_path: Path) -> None:
    gone = pl.when(pl.col("task") == "car").then(None).otherwise(pl.col("result"))
    source = adapted(save(load(RAW).with_columns(result=gone), tmp_path))
    told = source.table.filter(pl.col("tournament") == "car")
    assert told["status"].unique().to_list() == ["failed"]
    assert told["metric"].unique().to_list() == ["result"]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    frame = load(RAW)
    short = save(frame.drop("fold", "result"), tmp_path, "short.csv")
    assert sentence(NotThisSource, lambda: adapted(short, source="amlb")) == (
        f"'{short}' cannot be read as results of the AutoML Benchmark: it has no column 'fold', "
        f"'result'."
    )
    failed = save(frame.with_columns(result=pl.lit(None)), tmp_path, "failed.csv")
    assert sentence(NothingLeft, lambda: adapted(failed)) == (
        f"'{failed}', results of the AutoML Benchmark, holds no result to rate: all 40 runs failed."
    )
    wrong = save(frame.with_columns(result=pl.lit("0.9?")), tmp_path, "wrong.csv")
    with pytest.raises(BadCells):
        adapted(wrong)


def test_genuine_results_of_2019() -> None:
    """The pooled board is that of the table's own column of scores, better when higher."""
    path = shared_file("data/amlb_2019_1h.csv")
    frame = load(path).with_columns(pl.col("fold").cast(pl.String))
    hand = winodds.rate(
        frame, player="framework", tournament="task", round="fold", score="score",
        higher_is_better=True,
    )  # fmt: skip
    source = adapted(path)
    assert ratings(winodds.rate(source)) == ratings(hand)
    assert texts(source)[1] == "The score is 'result': 'auc' in 20 tasks, 'logloss' in 15 tasks."
    assert (source.table["status"] == "failed").sum() == 34
