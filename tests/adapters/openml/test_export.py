"""Evaluations of OpenML that were saved as a table."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tables import sentence

import winodds
from adapters.samples import SAMPLES, adapted, ratings, save, texts
from winodds.errors import (
    BadFolds,
    ConflictingDuplicates,
    DirectionUnknown,
    EmptyName,
    NothingLeft,
    WhichMetric,
)

FOLDER = SAMPLES / "openml"
BY_FOLD = [FOLDER / "evaluations_by_fold.csv", FOLDER / "evaluations_by_fold.parquet"]
MEANS = FOLDER / "evaluations.csv"
ORDER = (
    "Folds are numbered as they stand in 'values'. The server of OpenML does not promise their "
    "order; if it differed between runs, folds that are compared were not the same."
)
UNKNOWN = (
    "The algorithm of 1 of 3 flows is not known, and their family is 'unknown': "
    "'103_sklearn.svm(3)'. algorithms takes a table that adds to the built-in one."
)


def load(path: Path = BY_FOLD[0]) -> pl.DataFrame:
    return pl.read_csv(path)


def by_hand() -> pl.DataFrame:
    """A row for every fold."""
    return pl.DataFrame(
        [
            (
                f"{row['flow_id']}_{row['flow_name']}",
                f"{row['task_id']}_{row['data_name']}",
                k,
                value,
            )
            for row in load().iter_rows(named=True)
            for k, value in enumerate(json.loads(row["values"]), 1)
        ],
        ["player", "tournament", "round", "area_under_roc_curve"],
        orient="row",
    )


@pytest.mark.parametrize("path", BY_FOLD, ids=["csv", "parquet"])
def test_values_by_fold_are_rounds(path: Path) -> None:
    source = adapted(path)
    own = winodds.rate_each(source, tournament="tournament")
    hand = winodds.rate_each(by_hand(), tournament="tournament", score="area_under_roc_curve")
    assert list(own) == list(hand) == ["11_diabetes", "31_credit-g", "3_kr-vs-kp"]
    for task in own:
        assert ratings(own[task]) == ratings(hand[task])
    assert source.summary == "3 flows, 3 tasks, area_under_roc_curve"
    assert texts(source) == [ORDER, UNKNOWN]
    assert source.table["direction"].unique().to_list() == ["up"]


def test_without_folds_the_task_is_the_round() -> None:
    source = adapted(MEANS)
    assert "tournament" not in source.knows
    frame = load(MEANS).with_columns(pl.col("task_id").cast(pl.String))
    hand = winodds.rate(
        frame, player="flow_name", round="task_id", score="value", higher_is_better=True
    )
    own = winodds.rate(source)
    assert [row.player.partition("_")[2] for row in own] == list(hand.players)
    assert np.allclose([row.epp for row in own], [row.epp for row in hand])
    assert [(row.wins, row.matches) for row in own] == [(row.wins, row.matches) for row in hand]


def test_several_setups_of_a_flow_are_asked_about(tmp_path: Path) -> None:
    more = load(MEANS).with_columns(pl.col("setup_id", "run_id") + 1000, pl.col("value") * 0.9)
    source = adapted(save(pl.concat([load(MEANS), more]), tmp_path))
    said = sentence(ConflictingDuplicates, lambda: winodds.rate(source))
    assert "They differ in 'run_id', 'setup_id': does that belong to the player" in said
    assert texts(source) == [
        "3 of 3 flows ran with more than one setting of hyperparameters: a flow's rating is that "
        "of the settings that happened to run.",
        UNKNOWN,
    ]
    assert len(winodds.rate(source, duplicates="mean")) == 3
    assert len(winodds.rate(source, player=("player", "setup_id"))) == 6


def test_a_run_with_other_folds_than_most_is_a_failed_one(tmp_path: Path) -> None:
    short = pl.when(pl.col("run_id") == 1001).then(pl.lit("[0.9, 0.8]")).otherwise(pl.col("values"))
    source = adapted(save(load().with_columns(values=short), tmp_path))
    lost = source.table.filter(pl.col("status") != "ok")
    assert lost["round"].to_list() == [str(k) for k in range(1, 11)]
    assert lost["reason"].unique().to_list() == ["2 folds, where others have 10"]
    assert texts(source)[-1] == "10 runs gave no results: '2 folds, where others have 10' 10."
    gone = pl.when(pl.col("run_id") == 1001).then(None).otherwise(pl.col("values"))
    none = adapted(save(load().with_columns(values=gone), tmp_path))
    assert none.table.filter(pl.col("status") != "ok")["reason"][0] == "no values by fold"


def test_a_fold_without_a_value_is_missing(tmp_path: Path) -> None:
    path = save(load().with_columns(pl.col("values").str.replace("0.777863", "nan")), tmp_path)
    lost = adapted(path).table.filter(pl.col("status") != "ok")
    assert lost.select("tournament", "round").rows() == [("3_kr-vs-kp", "1")]


@pytest.mark.parametrize("cell", ["[0.9, 0.8", "0.9", '["a"]', "{}", "[true]", "[[1]]"])
def test_values_that_are_no_list_of_numbers_are_told_with_their_line(
    cell: str, tmp_path: Path
) -> None:
    broken = pl.when(pl.col("run_id") == 1003).then(pl.lit(cell)).otherwise(pl.col("values"))
    path = save(load().with_columns(values=broken), tmp_path)
    assert sentence(BadFolds, lambda: adapted(path)).startswith(
        "The values by fold in line 4 are no list of numbers: '"
    )


def test_functions_are_told_apart(tmp_path: Path) -> None:
    other = load(MEANS).with_columns(function=pl.lit("predictive_accuracy"))
    path = save(pl.concat([load(MEANS), other]), tmp_path)
    with pytest.raises(WhichMetric):
        adapted(path)
    assert adapted(path, metric="predictive_accuracy").rows == 9
    odd = save(load(MEANS).with_columns(function=pl.lit("total_cost")), tmp_path)
    with pytest.raises(DirectionUnknown):
        adapted(odd)
    assert adapted(odd, higher_is_better=False).table["direction"][0] == "down"


def test_a_task_of_one_flow_is_left_out(tmp_path: Path) -> None:
    frame = load().filter((pl.col("task_id") != 3) | (pl.col("flow_id") == 101))
    source = adapted(save(frame, tmp_path))
    assert texts(source)[1] == (
        "1 task left out, because fewer than two flows have scores there: '3_kr-vs-kp'."
    )
    boards = winodds.rate_each(source, tournament="tournament")
    assert list(boards) == ["11_diabetes", "31_credit-g"]
    alone = save(load().filter(pl.col("flow_id") == 101), tmp_path)
    with pytest.raises(NothingLeft):
        adapted(alone)


def test_a_flow_without_a_number_is_told_with_its_line(tmp_path: Path) -> None:
    gone = pl.when(pl.col("run_id") == 1002).then(None).otherwise(pl.col("flow_id"))
    source = adapted(save(load(MEANS).with_columns(flow_id=gone), tmp_path))
    with pytest.raises(EmptyName, match="line 3"):
        winodds.rate(source)
