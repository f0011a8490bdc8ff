"""Which way is better: told, read or known, and never guessed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest
from tables import outcome, sentence, three_by_three, wins

from winodds import WinoddsError, rate
from winodds.errors import (
    BadOption,
    DirectionContradicts,
    DirectionsIncomplete,
    DirectionUnknown,
    DirectionUnreadable,
    EmptyName,
    NotConstant,
    ScoreOutOfRange,
)

UP = {"a": (4.0, 6), "b": (3.0, 6), "c": (2.0, 6)}
DOWN = {"a": (2.0, 6), "b": (3.0, 6), "c": (4.0, 6)}
UP_DOWN_UP = {"a": (4.0, 6), "b": (5.0, 6), "c": (0.0, 6)}
"""Wins when lower is better in round 2: 2 + 1 + 1, 1 + 2 + 2 and 0 + 0 + 0."""


def scores(name: str = "score", **columns: object) -> pl.DataFrame:
    """Three rounds of three players, with columns that have one value for each round."""
    table = three_by_three().rename({"score": name})
    return table.with_columns(
        pl.Series(column, np.repeat(np.array(values, object), 3).tolist())
        for column, values in columns.items()
    )


def test_caller_says_which_way_is_better() -> None:
    assert wins(rate(scores(), higher_is_better=True)) == UP
    assert wins(rate(scores(), higher_is_better=False)) == DOWN


def test_lower_is_better_is_the_board_of_the_negated_scores() -> None:
    negated = scores().with_columns(-pl.col("score"))
    low, high = rate(scores(), higher_is_better=False), rate(negated, higher_is_better=True)
    assert [(row.player, row.epp, row.low, row.high) for row in low] == [
        (row.player, row.epp, row.low, row.high) for row in high
    ]


@pytest.mark.parametrize("truth", [np.True_, np.False_, np.bool(1)])
def test_truth_of_numpy_is_truth(truth: Any) -> None:
    assert wins(rate(scores(), higher_is_better=truth)) == (UP if truth else DOWN)


@pytest.mark.parametrize("direction", [1, 0, "up", "lower", [True], 0.5])
def test_direction_that_is_neither_true_nor_false_is_refused(direction: Any) -> None:
    with pytest.raises(WinoddsError, match="higher_is_better"):
        rate(scores(), higher_is_better=direction)


def test_direction_as_a_word_is_not_taken_for_a_list_of_rounds() -> None:
    with pytest.raises(WinoddsError) as caught:
        rate(scores(), higher_is_better="lower")  # type: ignore[arg-type]
    assert not isinstance(caught.value, DirectionsIncomplete)


def test_without_any_direction_the_caller_is_asked() -> None:
    assert sentence(DirectionUnknown, lambda: rate(scores())) == (
        "Is a higher or a lower 'score' better? The name does not tell. Pass "
        "higher_is_better=True or higher_is_better=False."
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [("auc", UP), ("Accuracy", UP), ("R2", UP), ("rmse", DOWN), ("Log Loss", DOWN)],
)
def test_direction_follows_from_the_metric(name: str, expected: object) -> None:
    assert wins(rate(scores(name), score=name)) == expected


def test_negated_metric_points_the_other_way() -> None:
    table = scores("neg_log_loss").with_columns(-pl.col("neg_log_loss"))
    assert wins(rate(table, score="neg_log_loss")) == DOWN


def test_direction_may_repeat_what_the_metric_says() -> None:
    assert wins(rate(scores("auc"), score="auc", higher_is_better=True)) == UP
    assert wins(rate(scores("rmse"), score="rmse", higher_is_better=False)) == DOWN


def test_direction_against_the_metric_is_refused() -> None:
    assert sentence(
        DirectionContradicts, lambda: rate(scores("auc"), score="auc", higher_is_better=False)
    ) == (
        "You say that a lower 'auc' is better, but by its name a higher one is. Drop the "
        "direction, or rename the column if it holds something else."
    )
    assert sentence(
        DirectionContradicts, lambda: rate(scores("RMSE"), score="RMSE", higher_is_better=True)
    ) == (
        "You say that a higher 'RMSE' is better, but by its name a lower one is. Drop the "
        "direction, or rename the column if it holds something else."
    )


# By round -----------------------------------------------------------------------------------------


def test_mapping_gives_each_round_its_direction() -> None:
    directions = {"1": True, "2": False, "3": True}
    board = rate(scores(), higher_is_better=directions)
    assert wins(board) == UP_DOWN_UP
    assert [row.mean_score for row in board] == [None, None, None]


def test_mapping_that_leaves_rounds_out_is_refused() -> None:
    assert sentence(DirectionsIncomplete, lambda: rate(scores(), higher_is_better={"2": True})) == (
        "higher_is_better says nothing about 2 rounds: '1', '3'. Give each round True or False."
    )


@pytest.mark.parametrize("value", ["False", "down", 0, None, float("nan")])
def test_mapping_to_neither_true_nor_false_is_refused(value: Any) -> None:
    with pytest.raises(WinoddsError):
        rate(scores(), higher_is_better={"1": value, "2": True, "3": True})


def test_mapping_with_an_unknown_round_is_refused() -> None:
    directions = {"1": True, "2": True, "3": True, "4": False}
    with pytest.raises(WinoddsError, match="'4'"):
        rate(scores(), higher_is_better=directions)


def test_mapping_by_numbers_of_rounds_says_that_names_are_text_or_takes_them() -> None:
    directions: Mapping[Any, bool] = {1: True, 2: False, 3: True}
    found = outcome(lambda: rate(scores(), higher_is_better=directions))
    assert "text" in found if isinstance(found, str) else wins(found) == UP_DOWN_UP


def test_mapping_against_the_metric_is_refused() -> None:
    directions = {"1": True, "2": False, "3": True}
    with pytest.raises(DirectionContradicts):
        rate(scores("auc"), score="auc", higher_is_better=directions)


def test_metric_column_gives_each_round_its_direction() -> None:
    table = scores(metric=["auc", "Log Loss", "f1"])
    assert wins(rate(table, metric_column="metric")) == UP_DOWN_UP


def test_metric_of_a_round_that_nobody_knows_is_asked_for() -> None:
    table = scores(metric=["auc", "foo", "accuracy"])
    assert sentence(DirectionUnknown, lambda: rate(table, metric_column="metric")) == (
        "Is a higher or a lower 'foo' better? The name does not tell. Pass "
        "higher_is_better=True or higher_is_better=False."
    )
    assert wins(rate(table, metric_column="metric", higher_is_better=True)) == UP


def test_mapping_beside_a_metric_column_is_refused() -> None:
    table = scores(metric=["auc", "rmse", "foo"])
    directions = {"1": True, "2": False, "3": True}
    assert sentence(
        BadOption, lambda: rate(table, metric_column="metric", higher_is_better=directions)
    ) == (
        'metric_column="metric" is not possible; the metric column tells the rounds\' directions; '
        "drop the mapping."
    )


def test_direction_against_the_metric_column_is_refused() -> None:
    table = scores(metric=["auc", "rmse", "auc"])
    assert sentence(
        DirectionContradicts, lambda: rate(table, metric_column="metric", higher_is_better=True)
    ) == (
        "You say that a higher 'rmse' is better, but by its name a lower one is. Drop the "
        "direction, or rename the column if it holds something else."
    )


def test_direction_column_against_the_metric_is_refused() -> None:
    table = scores("auc", better=["up", "down", "up"])
    with pytest.raises(DirectionContradicts):
        rate(table, score="auc", direction_column="better")


def test_direction_column_says_it_all() -> None:
    table = scores(better=["up", "down", "up"])
    options: dict[str, Any] = {"direction_column": "better", "higher_is_better": True}
    assert sentence(BadOption, lambda: rate(table, **options)) == (
        'direction_column="better" is not possible; that column says it all; drop the other '
        "sources of the direction."
    )


def test_directions_tell_of_metrics_whose_names_do_not() -> None:
    table = scores(better=["up", "down", "up"], metric=["auc", "mystery", "auc"])
    options: dict[str, Any] = {"direction_column": "better", "metric_column": "metric"}
    assert wins(rate(table, **options)) == UP_DOWN_UP
    with pytest.raises(ScoreOutOfRange):
        rate(table.with_columns(pl.col("score") * 100.0), **options)


def test_direction_against_the_name_of_its_metric_is_refused() -> None:
    table = scores(better=["up", "down", "down"], metric=["auc", "mystery", "auc"])
    options: dict[str, Any] = {"direction_column": "better", "metric_column": "metric"}
    assert sentence(DirectionContradicts, lambda: rate(table, **options)) == (
        "You say that a lower 'auc' is better, but by its name a higher one is. Drop the "
        "direction, or rename the column if it holds something else."
    )


@pytest.mark.parametrize(
    "words",
    [
        ["up", "down", "up"],
        ["Higher", "LOWER", "high"],
        ["max", "minimise", "maximise"],
        ["maximize", "minimize", "MAX"],
        ["true", "False", "TRUE"],
        [True, False, True],
        [1, 0, 1],
        [1.0, 0.0, 1.0],
    ],
)
def test_direction_column_is_read(words: list[object]) -> None:
    assert wins(rate(scores(better=words), direction_column="better")) == UP_DOWN_UP
    pandas = scores(better=words).to_pandas()
    assert wins(rate(pandas, direction_column="better")) == UP_DOWN_UP


def test_word_that_is_no_direction_is_refused() -> None:
    table = scores(better=["up", "sideways", "up"])
    assert sentence(DirectionUnreadable, lambda: rate(table, direction_column="better")) == (
        "Column 'better' holds 'sideways'; a direction is written 'up', 'higher', 'max' or "
        "'true', or 'down', 'lower', 'min' or 'false'."
    )


@pytest.mark.parametrize("column", ["metric_column", "direction_column"])
def test_round_without_metric_or_direction_is_refused(column: str) -> None:
    words = scores(how=["auc", None, "auc"])
    options: dict[str, Any] = {column: "how"}
    assert sentence(EmptyName, lambda: rate(words, **options)) == (
        "3 rows have no name in column 'how'; the first is row 4. Fill the names in or drop these "
        "rows."
    )


MADE_A_PART = ' Make the metric a part of the round with round=["round", "how"].'


@pytest.mark.parametrize(
    ("option", "role", "words"),
    [
        ("metric_column", "metric", ["auc", "rmse"]),
        ("direction_column", "direction", ["down", "up"]),
    ],
)
def test_round_with_two_metrics_or_directions_is_refused(
    option: str, role: str, words: list[str]
) -> None:
    table = three_by_three().with_columns(pl.Series("how", [words[0], words[1], words[0]] * 3))
    options: dict[str, Any] = {option: "how"}
    assert sentence(NotConstant, lambda: rate(table, **options)) == (
        f"Column 'how' gives round '1' more than one {role}: '{words[0]}', '{words[1]}'. A round "
        f"has one {role}.{MADE_A_PART if role == 'metric' else ''}"
    )


# Ranges -------------------------------------------------------------------------------------------

PERCENT = " If percent is meant, divide by 100."


@pytest.mark.parametrize(
    ("name", "value", "shown", "fault", "hint"),
    [
        ("auc", 1.2, "1.2", "lies between 0 and 1", PERCENT),
        ("AUC", -0.1, "-0.1", "lies between 0 and 1", ""),
        ("f1", 91.0, "91", "lies between 0 and 1", PERCENT),
        ("f1", 100.5, "100.5", "lies between 0 and 1", ""),
        ("accuracy", 100.5, "100.5", "lies between 0 and 100", ""),
        ("rmse", -1.0, "-1", "is never below 0", ""),
        ("r2", 1.5, "1.5", "is never above 1", PERCENT),
        ("kappa", -1.5, "-1.5", "lies between -1 and 1", ""),
        ("neg_log_loss", 0.3, "0.3", "is never above 0", ""),
    ],
)
def test_score_that_a_metric_cannot_have_is_refused(
    name: str, value: float, shown: str, fault: str, hint: str
) -> None:
    sign = -1.0 if name.startswith("neg_") else 1.0
    table = scores(name).with_columns(
        pl.when((pl.col("player") == "b") & (pl.col("round") == 2))
        .then(value)
        .otherwise(sign * pl.col(name))
        .alias(name)
    )
    assert sentence(ScoreOutOfRange, lambda: rate(table, score=name)) == (
        f"'b' has {shown} in '2' (row 5), but '{name}' {fault}. Correct the score, or rename the "
        f"column if it is something else.{hint}"
    )


def test_range_is_that_of_the_round_s_own_metric() -> None:
    table = scores(metric=["rmse", "auc", "rmse"]).with_columns(pl.col("score") * 1.1)
    assert sentence(ScoreOutOfRange, lambda: rate(table, metric_column="metric")) == (
        "'c' has 1.045 in '2' (row 6), but 'auc' lies between 0 and 1. Correct the score, or "
        "rename the column if it is something else. If percent is meant, divide by 100."
    )


@pytest.mark.parametrize("value", [1.0000000000000002, 1.0000001])
def test_score_just_outside_its_range_is_accepted_or_shown_in_full(value: float) -> None:
    table = scores("auc").with_columns(
        pl.when(pl.col("auc") > 0.94).then(value).otherwise(pl.col("auc")).alias("auc")
    )
    found = outcome(lambda: rate(table, score="auc"))
    assert f"'c' has {value} in" in found if isinstance(found, str) else wins(found) == UP


def test_ends_of_the_range_are_inside() -> None:
    table = scores("auc").with_columns((pl.col("auc") > 0.65).cast(pl.Float64))
    assert wins(rate(table, score="auc")) == {"a": (3.5, 6), "b": (2.0, 6), "c": (3.5, 6)}
