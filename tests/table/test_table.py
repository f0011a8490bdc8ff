"""Columns of a table found, checked and indexed."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from tables import ROUGH, facts, facts_but_weights, grid, sentence, texts, three_by_three, wins

from winodds import WinoddsError, rate, rate_each
from winodds.errors import (
    BadWeights,
    ConflictingDuplicates,
    DirectionUnknown,
    EmptyName,
    InfiniteScores,
    JoinedNamesCollide,
    MissingColumn,
    NoRunSucceeded,
    NotConstant,
    ScoreOutOfRange,
    ScoresNotNumbers,
)
from winodds.language.options import Roles
from winodds.table.frames import Frame
from winodds.table.table import read_table

ASK = "Say which is which: rate(table, player=…, round=…, score=…)."


def renamed(**names: str) -> pl.DataFrame:
    return three_by_three().rename(names)


# Roles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "column"), [("player", "x"), ("round", "y"), ("score", "z")])
def test_column_that_is_not_there_is_named(role: str, column: str) -> None:
    table = renamed(player="p", round="r", score="s")
    roles = {"player": "p", "round": "r", "score": "s"} | {role: column}
    options: dict[str, Any] = roles | {"higher_is_better": True}
    assert sentence(MissingColumn, lambda: rate(table, **options)) == (
        f"No column '{column}' in the table; it has 'p', 'r', 's'. {ASK}"
    )


def test_of_many_columns_twelve_are_listed() -> None:
    table = pl.DataFrame({f"c{k}": [1] for k in range(20)})
    assert sentence(MissingColumn, lambda: rate(table, player="p", round="r", score="s")) == (
        "No column 'p' in the table; it has 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', "
        f"'c8', 'c9', 'c10', 'c11' and 8 more. {ASK}"
    )


@pytest.mark.parametrize(
    "role", ["tournament", "cluster", "weights", "metric_column", "direction_column"]
)
def test_missing_optional_column_is_named_by_its_role(role: str) -> None:
    options: dict[str, Any] = {role: "x", "higher_is_better": True}
    message = sentence(MissingColumn, lambda: rate(three_by_three(), **options))
    assert message.startswith("No column 'x' in the table; it has 'player', 'round', 'score'.")
    assert 'player="player"' not in message


@pytest.mark.parametrize(
    ("role", "value"),
    [
        ("player", None),
        ("player", []),
        ("player", 3),
        ("round", ()),
        ("score", None),
        ("tournament", []),
        ("cluster", []),
        ("weights", 0),
    ],
)
def test_role_that_is_no_column_is_refused(role: str, value: object) -> None:
    options: dict[str, Any] = {role: value, "higher_is_better": True}
    with pytest.raises(WinoddsError, match=role):
        rate(three_by_three(), **options)


def test_season_without_a_tournament_column_is_refused() -> None:
    with pytest.raises(WinoddsError, match="tournament"):
        rate_each(three_by_three(), tournament=None, higher_is_better=True)  # type: ignore[arg-type]


# Several columns ----------------------------------------------------------------------------------


def test_several_columns_form_a_player_and_a_round() -> None:
    table = pl.DataFrame(
        {
            "framework": ["h2o", "h2o", "tpot"] * 4,
            "constraint": ["1h", "4h", "1h"] * 4,
            "task": ["x"] * 6 + ["y"] * 6,
            "fold": [0, 0, 0, 1, 1, 1] * 2,
            "auc": [0.5, 0.6, 0.7, 0.5, 0.7, 0.6, 0.8, 0.7, 0.6, 0.5, 0.6, 0.7],
        }
    )
    board = rate(table, player=("framework", "constraint"), round=["task", "fold"], score="auc")
    assert wins(board) == {"tpot/1h": (5.0, 8), "h2o/4h": (5.0, 8), "h2o/1h": (2.0, 8)}
    assert [row.rounds for row in board] == [4, 4, 4]
    assert board.how.scheme.column("player") == "framework/constraint"
    assert board.how.scheme.column("round") == "task/fold"


def test_one_column_in_a_list_is_that_column() -> None:
    plain = rate(three_by_three(), higher_is_better=True)
    listed = rate(three_by_three(), player=["player"], round=("round",), higher_is_better=True)
    assert facts(listed) == facts(plain)


def test_joined_names_that_collide_are_refused() -> None:
    table = pl.DataFrame(
        {
            "name": ["a", "a/b", "c"] * 2,
            "depth": ["b/3", "3", "1"] * 2,
            "round": [1, 1, 1, 2, 2, 2],
            "score": [1.0, 2.0, 3.0, 3.0, 2.0, 1.0],
        }
    )
    assert sentence(
        JoinedNamesCollide, lambda: rate(table, player=["name", "depth"], higher_is_better=True)
    ) == (
        "Columns 'name', 'depth' give the same name 'a/b/3' to different combinations of values. "
        "Rename the values, or join the columns yourself."
    )


def test_empty_part_of_a_joined_name_is_refused() -> None:
    table = three_by_three().with_columns(depth=pl.Series(["1", None, "3"] * 3))
    assert sentence(
        EmptyName, lambda: rate(table, player=["player", "depth"], higher_is_better=True)
    ) == (
        "3 rows have no name in column 'depth'; the first is row 2. Fill the names in or drop "
        "these rows."
    )


def test_normalised_parts_of_a_name_are_counted_once() -> None:
    table = three_by_three().with_columns(depth=pl.lit("1 "))
    board = rate(table, player=["player", "depth"], higher_is_better=True)
    assert board.players == ("a/1", "b/1", "c/1")
    assert str(board.notes[0]) == "1 name in the table was freed of outer blanks or odd characters."


def test_rounds_of_different_tournaments_stay_apart_though_their_names_meet() -> None:
    table = pl.DataFrame(
        {
            "player": ["a", "b"] * 4,
            "data": ["x", "x", "x", "x", "x/y", "x/y", "x/y", "x/y"],
            "round": ["y/1", "y/1", "2", "2", "1", "1", "2", "2"],
            "score": [1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 1.0, 2.0],
        }
    )
    board = rate(table, tournament="data", higher_is_better=True)
    assert wins(board) == {"a": (1.0, 4), "b": (3.0, 4)}
    assert [row.rounds for row in board] == [4, 4]


def test_table_is_indexed_by_sorted_names() -> None:
    table = pl.DataFrame(
        {
            "player": ["b", "a", "b", "a", "c"],
            "data": ["y", "y", "x", "x", "x"],
            "fold": [1, 1, 2, 2, 2],
            "auc": [0.5, 0.6, 0.7, None, 0.9],
        }
    )
    found = read_table(Frame(table), Roles(round="fold", score="auc", tournament="data"))
    assert found.players == ("a", "b", "c")
    assert found.tournaments == ("x", "y")
    assert found.rounds.names == ("x/2", "y/1")
    assert found.rounds.tournament.tolist() == [0, 1]
    assert found.cells.round.tolist() == [0, 0, 0, 1, 1]
    assert found.cells.player.tolist() == [0, 1, 2, 0, 1]
    assert [str(value) for value in found.cells.value] == ["nan", "0.7", "0.9", "0.6", "0.5"]
    part = found.of_tournament(1)
    assert (part.tournaments, part.rounds.names) == (("y",), ("y/1",))
    assert part.cells.round.tolist() == [0, 0]
    assert part.cells.value.tolist() == [0.6, 0.5]


def test_order_of_the_rows_does_not_matter() -> None:
    table = grid({"a": [3, 1, 2, None], "b": [1, 2, 2, 4], "c": [2, 3, None, 1], "d": [0, 3, 5, 1]})
    options: dict[str, Any] = {"higher_is_better": False, "missing": "lose"}
    board = facts(rate(table, **options))
    for seed in range(5):
        assert facts(rate(table.sample(fraction=1, shuffle=True, seed=seed), **options)) == board


# Scores -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [float("inf"), float("-inf")])
def test_infinite_score_is_refused(value: float) -> None:
    table = grid({"a": [1, 2, 3], "b": [2, value, 4], "c": [3, 4, value]})
    assert sentence(InfiniteScores, lambda: rate(table, higher_is_better=True)) == (
        "2 scores are infinite; the first is that of 'b' in '2' (row 5). Give a failed run an "
        "empty score, and say with missing= whether it counts as a loss."
    )


def test_one_infinite_score_is_counted_in_the_singular() -> None:
    table = grid({"a": [1, 2], "b": [2, float("inf")]}).with_columns(data=pl.lit("iris"))
    assert sentence(
        InfiniteScores, lambda: rate(table, tournament="data", higher_is_better=True)
    ) == (
        "1 score is infinite, that of 'b' in 'iris/2' (row 4). Give a failed run an empty score, "
        "and say with missing= whether it counts as a loss."
    )


# Duplicates ---------------------------------------------------------------------------------------

AGAIN = pl.DataFrame(
    {
        "player": ["a", "b", "a", "a", "b", "a", "b"],
        "round": [1, 1, 1, 2, 2, 3, 3],
        "score": [0.9, 0.5, 0.1, 0.6, 0.5, 0.4, 0.5],
    }
)
"""a has 0.9 and then 0.1 in round 1, where b has 0.5, beats b in round 2 and loses in round 3."""


def test_conflicting_scores_are_refused() -> None:
    assert sentence(ConflictingDuplicates, lambda: rate(AGAIN, higher_is_better=True)) == (
        "1 player–round pair has more than one score; the first is 'a' in '1' with 0.9 (row 1) and "
        '0.1 (row 3). Give repeats their own round, or pass duplicates="mean".'
    )


def test_conflicting_pairs_are_counted_and_the_first_is_named() -> None:
    table = pl.concat([AGAIN, AGAIN.with_columns(pl.col("score") + 0.01)])
    assert sentence(ConflictingDuplicates, lambda: rate(table, higher_is_better=True)) == (
        "6 player–round pairs have more than one score; the first is 'a' in '1' with 0.9 (row 1) "
        'and 0.1 (row 3). Give repeats their own round, or pass duplicates="mean".'
    )


def test_scores_that_nearly_agree_are_shown_with_all_their_digits() -> None:
    table = grid({"a": [0.9, 0.8], "b": [0.8, 0.9]})
    again = pl.DataFrame({"player": ["a"], "round": [1], "score": [0.9000000001]})
    assert sentence(
        ConflictingDuplicates, lambda: rate(pl.concat([table, again]), higher_is_better=True)
    ) == (
        "1 player–round pair has more than one score; the first is 'a' in '1' with 0.9 (row 1) and "
        '0.9000000001 (row 5). Give repeats their own round, or pass duplicates="mean".'
    )


def test_columns_in_which_conflicting_rows_differ_are_named() -> None:
    table = AGAIN.with_columns(
        data=pl.Series(["x", "x", "y", "x", "x", "x", "x"]),
        lab=pl.lit("l"),
        seed=pl.Series(range(7)),
    )
    start = (
        "1 player–round pair has more than one score; the first is 'a' in '1' with 0.9 (row 1) and "
        "0.1 (row 3)."
    )
    end = "does that belong to the player, the round or the tournament? If they are repeats, pass "
    assert sentence(ConflictingDuplicates, lambda: rate(table, higher_is_better=True)) == (
        f"{start} They differ in 'data', 'seed': {end}duplicates=\"mean\"."
    )
    given = table.drop("seed").rename({"data": "weight"})
    roles: dict[str, Any] = {"group": "lab", "higher_is_better": True}
    assert sentence(ConflictingDuplicates, lambda: rate(given, **roles)) == (
        f"{start} They differ in 'weight': {end}duplicates=\"mean\"."
    )


@pytest.mark.parametrize(
    ("rule", "higher_is_better", "won", "mean_score"),
    [
        ("mean", True, 1.5, 1.5 / 3),
        ("first", True, 2.0, 1.9 / 3),
        ("last", True, 1.0, 1.1 / 3),
        ("best", True, 2.0, 1.9 / 3),
        ("mean", False, 1.5, 1.5 / 3),
        ("first", False, 1.0, 1.9 / 3),
        ("last", False, 2.0, 1.1 / 3),
        ("best", False, 2.0, 1.1 / 3),
    ],
)
def test_conflicting_scores_are_merged_by_rule(
    rule: Any, higher_is_better: bool, won: float, mean_score: float
) -> None:
    board = rate(AGAIN, higher_is_better=higher_is_better, duplicates=rule)
    assert wins(board) == {"a": (won, 3), "b": (3 - won, 3)}
    assert board.row("a").mean_score == pytest.approx(mean_score, rel=1e-15)
    luck = " The best of several tries is partly luck, and more tries are more luck."
    assert str(board.notes[0]) == (
        f"1 row gave way where a player has several scores in a round ({rule})."
        f"{luck if rule == 'best' else ''}"
    )
    assert (board.how.dropped.merged_rows, board.how.dropped.duplicate_rows) == (1, 0)
    assert board.how.duplicates == rule


def test_means_that_are_equal_on_paper_tie() -> None:
    """0.81, 0.84, 0.95 and 0.84, 0.86, 0.90 have the mean 13/15, and one player wrote it down."""
    runs = {"a": [0.81, 0.84, 0.95], "b": [0.84, 0.86, 0.90], "c": [0.866666666666666667]}
    rows = [
        (player, fold, score) for fold in (1, 2) for player, own in runs.items() for score in own
    ]
    assert sum(runs["a"]) / 3 != sum(runs["b"]) / 3
    table = pl.DataFrame(rows, ["player", "round", "score"], orient="row")
    board = rate(table, higher_is_better=True, duplicates="mean")
    assert (board.how.matches.count, board.how.matches.ties) == (6, 6)
    assert board.row("a").mean_score == 0.866666666667


def test_scores_of_rounds_without_repeats_keep_all_digits() -> None:
    close = [1.0, 1.0 + 1e-13]
    rows = [("a", 1, close[0]), ("b", 1, close[1]), ("a", 2, 1.0), ("a", 2, 2.0), ("b", 2, 1.5)]
    table = pl.DataFrame(rows, ["player", "round", "score"], orient="row")
    board = rate(table, higher_is_better=True, duplicates="mean")
    assert (board.how.matches.count, board.how.matches.ties) == (2, 1)
    assert board.row("b").wins == 1.5


@pytest.mark.parametrize("rule", ["error", "mean", "first", "last", "best"])
def test_exact_repeats_are_left_out_and_counted(rule: Any) -> None:
    table = three_by_three()
    board = rate(pl.concat([table, table[:2]]), higher_is_better=True, duplicates=rule)
    assert wins(board) == wins(rate(table, higher_is_better=True))
    assert texts(board.notes) == ("2 rows repeat others exactly and were left out.", ROUGH)
    assert (board.how.dropped.merged_rows, board.how.dropped.duplicate_rows) == (0, 2)


def test_repeated_failure_is_one_failure() -> None:
    table = grid({"a": [0.9, 0.9], "b": [0.8, None], "c": [None, 0.7]})
    board = rate(pl.concat([table, table]), higher_is_better=True, missing="lose")
    assert wins(board) == wins(rate(table, higher_is_better=True, missing="lose"))
    assert board.how.dropped.missing_of == {"b": 1, "c": 1}
    assert board.how.dropped.duplicate_rows == 6


FAILED_ONCE = pl.concat(
    [three_by_three(), pl.DataFrame({"player": ["a"], "round": [1], "score": [None]})],
    how="vertical_relaxed",
)


@pytest.mark.parametrize("rule", ["error", "mean", "first", "last", "best"])
@pytest.mark.parametrize("missing", ["skip", "lose"])
def test_failure_gives_way_to_a_score_and_is_counted(rule: Any, missing: Any) -> None:
    board = rate(FAILED_ONCE, higher_is_better=True, duplicates=rule, missing=missing)
    assert wins(board) == wins(rate(three_by_three(), higher_is_better=True))
    assert texts(board.notes) == (
        "1 row without a score gives way to a score of the same player and round.",
        ROUGH,
    )
    kinds = ("missing_scores", "duplicate_rows", "merged_rows", "retried_runs")
    assert [getattr(board.how.dropped, kind) for kind in kinds] == [0, 0, 0, 1]


@pytest.mark.parametrize("rule", ["mean", "first", "last", "best"])
def test_repeats_conflicts_and_failures_are_counted_apart(rule: Any) -> None:
    rows = [("a", 1, 0.9), ("a", 1, 0.8), ("a", 1, None), ("b", 1, 0.8), ("c", 2, None)]
    extra = pl.DataFrame(rows, three_by_three().schema, orient="row")
    board = rate(pl.concat([three_by_three(), extra]), higher_is_better=True, duplicates=rule)
    kinds = ("missing_scores", "duplicate_rows", "merged_rows", "retried_runs")
    assert [getattr(board.how.dropped, kind) for kind in kinds] == [0, 1, 2, 2]


# Status -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["Failed", "OOM", "cancelled", "crash"])
@pytest.mark.parametrize("others", ["", None, "ok", " Finished "])
def test_status_tells_which_runs_failed(word: str, others: str | None) -> None:
    table = three_by_three().with_columns(state=pl.Series([word, *[others] * 8]))
    board = rate(table, status="state", higher_is_better=True)
    assert board.how.dropped.missing_of == {"a": 1}
    assert texts(board.notes) == (
        f"1 run counts as failed by column 'state': '{word}' 1.",
        "1 run has no score and played no match: 'a' 1.",
        ROUGH,
    )


def test_empty_status_beside_success_is_a_failure() -> None:
    table = three_by_three().with_columns(state=pl.Series([None, "failed", *["ok"] * 7]))
    board = rate(table, status="state", higher_is_better=True)
    assert str(board.notes[0]) == "2 runs count as failed by column 'state': '' 1, 'failed' 1."
    assert board.how.dropped.missing_of == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("words", "listed"), [(["", "x"], "'x', ''"), (["failed", "oom"], "'failed', 'oom'")]
)
def test_status_by_which_no_run_succeeded_is_refused(words: list[str], listed: str) -> None:
    first, second = words
    state = pl.Series([first] * 4 + [second] * 5 if first == "" else [first] * 5 + [second] * 4)
    table = three_by_three().with_columns(state=state)
    assert sentence(NoRunSucceeded, lambda: rate(table, status="state", higher_is_better=True)) == (
        f"According to column 'state' no run succeeded: it holds {listed}, and a run that did is "
        f"marked 'ok', 'success', 'finished' or 'completed'. Is this the status of the runs?"
    )


# Units --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", ["accuracy", "test_acc", "BLEU"])
def test_percentages_and_fractions_in_a_round_are_noted(score: str) -> None:
    table = grid({"a": [0.9, 90.0, 0.5], "b": [0.8, 0.6, 60.0], "c": [0.7, 0.95, 0.4]})
    board = rate(table.rename({"score": score}), score=score)
    assert str(board.notes[0]) == (
        f"Scores of '{score}' lie on both sides of 1 in 2 rounds (the first is '2'): percentages "
        f"and fractions mixed?"
    )


def test_rounds_in_different_units_are_not_noted() -> None:
    table = grid({"a": [0.9, 90.0, 0.5], "b": [0.8, 60.0, 0.6], "c": [0.7, 95.0, 0.4]})
    assert texts(rate(table.rename({"score": "accuracy"}), score="accuracy").notes) == (ROUGH,)
    mixed = grid({"a": [0.9, 90.0, 0.5], "b": [0.8, 0.6, 0.6], "c": [0.7, 0.95, 0.4]})
    assert texts(rate(mixed, higher_is_better=True).notes) == (ROUGH,)


# Weights and clusters -----------------------------------------------------------------------------


def with_column(name: str, values: Sequence[object]) -> pl.DataFrame:
    return three_by_three().with_columns(pl.Series(name, values, strict=False))


def test_weight_counts_a_round_more() -> None:
    table = with_column("w", [1, 1, 1, 4, 4, 4, 1, 1, 1])
    board = rate(table, weights="w", higher_is_better=True)
    assert board.players[0] == "c"
    assert wins(board) == wins(rate(three_by_three(), higher_is_better=True))
    assert board.how.scheme.column("weights") == "w"


def test_equal_weights_change_nothing_but_the_scheme() -> None:
    plain = facts_but_weights(rate(three_by_three(), higher_is_better=True))
    equal = rate(with_column("w", [0.3] * 9), weights="w", higher_is_better=True)
    weighted = facts_but_weights(equal)
    assert weighted.pop("scheme") == plain.pop("scheme") | {"weights": "w"}
    assert weighted == plain


@pytest.mark.parametrize("scale", [2.0**1000, 2.0**-1000])
def test_only_the_ratio_of_weights_matters(scale: float) -> None:
    weights = [1.0, 1.0, 1.0, 4.0, 4.0, 4.0, 2.0, 2.0, 2.0]
    board = rate(with_column("w", weights), weights="w", higher_is_better=True)
    scaled = with_column("w", [scale * weight for weight in weights])
    found = rate(scaled, weights="w", higher_is_better=True)
    assert facts_but_weights(found) == facts_but_weights(board)


def test_weights_are_compared_within_each_tournament_alone() -> None:
    both = pl.concat(
        [
            with_column("w", [1.0] * 3 + [4.0] * 6).with_columns(data=pl.lit("x")),
            with_column("w", [3.0] * 6 + [1.0] * 3).with_columns(data=pl.lit("y")),
        ]
    )
    scale = pl.when(pl.col("data") == "x").then(2.0**-900).otherwise(2.0**900)
    options: dict[str, Any] = {"weights": "w", "tournament": "data", "higher_is_better": True}
    scaled = rate(both.with_columns(pl.col("w") * scale), **options)
    plain = rate(both, **options)
    assert scaled.players == plain.players
    assert scaled.standings.epp.tolist() == pytest.approx(plain.standings.epp.tolist(), abs=1e-9)
    assert scaled.standings.low.tolist() == pytest.approx(plain.standings.low.tolist(), abs=1e-9)


def test_weights_at_the_end_of_the_scale_are_weights() -> None:
    large = with_column("w", [1.7e308] * 3 + [1.7e308 / 2] * 6)
    plain = with_column("w", [2.0] * 3 + [1.0] * 6)
    assert [row.epp for row in rate(large, weights="w", higher_is_better=True)] == pytest.approx(
        [row.epp for row in rate(plain, weights="w", higher_is_better=True)]
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (-1.5, "-1.5"), (float("inf"), "inf"), (float("nan"), "nan"), (None, "nan")],
)
def test_weight_that_is_not_positive_is_refused(value: object, shown: str) -> None:
    table = with_column("w", [1.0, 1.0, 1.0, value, value, value, 1.0, 1.0, 1.0])
    assert (
        sentence(BadWeights, lambda: rate(table, weights="w", higher_is_better=True))
        == f"The weight of round '2' (row 4) in column 'w' is {shown}; weights are positive "
        f"numbers."
    )


def test_weights_as_text_are_called_weights() -> None:
    table = with_column("w", ["heavy"] * 9)
    message = sentence(ScoresNotNumbers, lambda: rate(table, weights="w", higher_is_better=True))
    assert message.startswith("Column 'w' holds text, not numbers; the first value is 'heavy'.")
    assert "scores" not in message


def test_weights_that_vary_within_a_round_are_refused() -> None:
    table = with_column("w", [1, 1, 1, 1, 2, 1, 1, 1, 1])
    assert sentence(NotConstant, lambda: rate(table, weights="w", higher_is_better=True)) == (
        "Column 'w' gives round '2' more than one weight: '1', '2'. A round has one weight."
    )


def test_weights_that_nearly_agree_are_shown_with_all_their_digits() -> None:
    table = with_column("w", [1.0, 1.0000000001, 1.0] * 3)
    message = sentence(NotConstant, lambda: rate(table, weights="w", higher_is_better=True))
    assert "1.0000000001" in message


def test_cluster_that_varies_within_a_round_is_refused() -> None:
    table = with_column("batch", ["x", "x", "x", "x", "y", "z", "y", "y", "y"])
    assert sentence(NotConstant, lambda: rate(table, cluster="batch", higher_is_better=True)) == (
        "Column 'batch' gives round '2' more than one cluster: 'x', 'y', 'z'. A round has one "
        "cluster."
    )


def test_round_itself_may_be_the_cluster() -> None:
    plain = rate(three_by_three(), higher_is_better=True)
    clustered = rate(three_by_three(), cluster="round", higher_is_better=True)
    assert [row.low for row in clustered] == [row.low for row in plain]
    assert clustered.how.interval == plain.how.interval


def test_clusters_are_counted_and_named() -> None:
    table = grid({"a": [1, 2, 3, 1], "b": [2, 1, 2, 3], "c": [3, 3, 1, 2]})
    table = table.with_columns(batch=pl.col("round") % 2, lab=pl.lit("x"))
    board = rate(table, cluster=["batch", "lab"], higher_is_better=True)
    assert board.how.interval.cluster == "batch/lab"
    assert board.how.interval.clusters == 2


# Scores that are called like a metric, and are none; prompts -------------------------------------


def test_scores_that_are_misnamed_have_neither_range_nor_direction() -> None:
    table = three_by_three().rename({"score": "auc"}).with_columns(pl.col("auc") + 1.0)
    with pytest.raises(ScoreOutOfRange, match="pass misnamed=True if it is something else"):
        rate(table, score="auc")
    with pytest.raises(DirectionUnknown):
        rate(table, score="auc", misnamed=True)
    up, down = (
        rate(table, score="auc", misnamed=True, higher_is_better=it) for it in (True, False)
    )
    assert up.players == down.players[::-1]
    found = rate(table.rename({"round": "fold"}), misnamed=True, higher_is_better=False)
    assert found.players == down.players


def test_line_breaks_in_names_of_rounds_are_written() -> None:
    prompts = {"1": "write\na poem", "2": "write\r\na\tsong", "3": "plain"}
    table = three_by_three().with_columns(pl.col("round").cast(pl.String).replace(prompts))
    board = rate(table, higher_is_better=True)
    assert board.schedule is not None
    assert board.schedule.rounds == ("plain", "write\u21b5a poem", "write\u21b5a song")
    assert "2 rounds have line breaks in the name; each is written \u21b5 here." in [
        note.text for note in board.notes
    ]
