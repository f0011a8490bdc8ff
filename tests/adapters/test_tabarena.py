"""Results of TabArena, and tables for bencheval."""

from pathlib import Path

import polars as pl
import pytest
from tables import sentence

import winodds
from adapters.samples import SAMPLES, adapted, ratings, save, texts
from winodds.errors import DirectionContradicts, NothingLeft, NotThisSource, UnknownMetric

FOLDER = SAMPLES / "tabarena"
INPUT = FOLDER / "bencheval.csv"
FRAMES = [FOLDER / "model_results.csv", FOLDER / "model_results.parquet"]


def test_a_table_for_bencheval_gives_the_boards_of_its_errors() -> None:
    frame = pl.read_csv(INPUT).with_columns(pl.col("seed").cast(pl.String))
    hand = winodds.rate_each(
        frame, player="method", tournament="task", round="seed", score="metric_error"
    )
    own = winodds.rate_each(adapted(INPUT), tournament="tournament")
    assert list(own) == list(hand)
    for task in own:
        assert ratings(own[task]) == ratings(hand[task])
    assert adapted(INPUT).summary == "4 methods, 3 data sets, 4 rounds"


def test_tasks_without_seeds_are_rounds(tmp_path: Path) -> None:
    frame = pl.read_csv(INPUT).group_by("method", "task").agg(pl.exclude("seed").mean())
    source = adapted(save(frame, tmp_path))
    assert "tournament" not in source.knows
    hand = winodds.rate(frame, player="method", round="task", score="metric_error")
    assert ratings(winodds.rate(source)) == ratings(hand)


@pytest.mark.parametrize("path", FRAMES, ids=["csv", "parquet"])
def test_imputed_rows_are_no_results(path: Path) -> None:
    frame = pl.read_csv(FRAMES[0]).with_columns(pl.col("fold").cast(pl.String))
    assert frame["imputed"].sum() == 4
    hand = winodds.rate_each(
        frame.filter(~pl.col("imputed")),
        player="framework",
        tournament="dataset",
        round="fold",
        score="metric_error",
    )
    source = adapted(path)
    own = winodds.rate_each(source, tournament="tournament")
    for name in hand:
        assert ratings(own[name]) == ratings(hand[name])
    lost = source.table.filter(pl.col("status") == "imputed")
    assert lost["score"].null_count() == lost.height == 4
    assert lost["reason"].unique().to_list() == ["imputed with RF (default)"]
    assert texts(source) == [
        "1 column left out, because it is of validation data: 'metric_error_val'.",
        "4 runs gave no results: 'imputed with RF (default)' 4.",
    ]
    assert "'TabPFN' has no score in any round and cannot be rated." in map(
        str, own["airfoil"].notes
    )


def test_imputed_rows_are_known_without_times(tmp_path: Path) -> None:
    path = save(pl.read_csv(FRAMES[0]).drop("time_train_s", "time_infer_s"), tmp_path)
    assert (adapted(path).table["status"] == "imputed").sum() == 4


def test_the_error_is_better_when_lower_whatever_the_metric_was() -> None:
    table = adapted(FRAMES[0]).table
    assert table["direction"].unique().to_list() == ["down"]
    assert table["metric"].unique().to_list() == ["metric_error"]
    assert table["task_metric"].unique().sort().to_list() == ["log_loss", "rmse", "roc_auc"]
    assert table["fit_seconds"].null_count() == 0
    with pytest.raises(DirectionContradicts):
        adapted(FRAMES[0], higher_is_better=True)
    with pytest.raises(UnknownMetric):
        adapted(FRAMES[0], metric="roc_auc")


def test_a_word_that_is_neither_true_nor_false_is_refused(tmp_path: Path) -> None:
    path = save(pl.read_csv(FRAMES[0]).with_columns(imputed=pl.lit("maybe")), tmp_path)
    assert sentence(NotThisSource, lambda: adapted(path)) == (
        f"'{path}' cannot be read as results of TabArena or bencheval: 'imputed' is true or false, "
        f"and not 'maybe'."
    )


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    frame = pl.read_csv(FRAMES[0])
    imputed = save(frame.with_columns(imputed=pl.lit(True)), tmp_path)
    with pytest.raises(NothingLeft):
        adapted(imputed)
    nameless = save(frame.drop("framework"), tmp_path, "nameless.csv")
    assert sentence(NotThisSource, lambda: adapted(nameless, source="tabarena")).endswith(
        "it has no column 'framework' or 'method'."
    )
    roundless = save(frame.drop("fold"), tmp_path, "roundless.csv")
    assert sentence(NotThisSource, lambda: adapted(roundless, source="tabarena")).endswith(
        "it has no column 'task', or 'dataset' and 'fold'."
    )
