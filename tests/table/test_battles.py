"""Battles: matches that were arranged one by one."""

from functools import partial
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import ROUGH, facts, facts_but_weights, sentence, texts, wins

from winodds import Leaderboard, WinoddsError, rate_battles
from winodds.board.how import MatchCounts, Scheme
from winodds.errors import (
    BadOption,
    BadWeights,
    EmptyName,
    MissingColumn,
    NoMatches,
    ScoresNotNumbers,
    SelfMatch,
    TieAsWinner,
    TooFewClusters,
    UnknownPlayer,
    UnknownWinner,
)

BAD = "1 of 2 ties is between two bad answers; it counts like any tie."
OWN = (
    "Each battle counts as independent of the others; if battles share prompts or judges, name "
    "that column with cluster=."
)
ARENA = pl.DataFrame(
    {
        "model_a": ["x", "y", "x", "z", "y", "x"],
        "model_b": ["y", "z", "z", "x", "x", "z"],
        "winner": ["model_a", "model_b", "tie", "tie (bothbad)", "model_a", "model_a"],
    }
)
"""x beats y, z beats y, x and z tie twice, y beats x, x beats z."""

EXPECTED = {"x": (3.0, 5), "y": (1.0, 3), "z": (2.0, 4)}


def test_battles_are_counted() -> None:
    board = rate_battles(ARENA)
    assert wins(board) == EXPECTED
    assert board.how.matches == MatchCounts(
        "battles", count=6, ties=2, tie_tolerance=0.0, rounds=None
    )
    assert board.how.scheme == Scheme(
        name="Battles",
        better=None,
        columns={
            "left": "model_a",
            "right": "model_b",
            "winner": "winner",
            "cluster": None,
            "weights": None,
        },
    )
    assert [(row.rounds, row.mean_score) for row in board] == [(None, None)] * 3
    assert texts(board.notes) == (
        OWN,
        BAD,
        "The intervals rest on only 6 battles; below about 10 they are rough.",
    )


@pytest.mark.parametrize("build", [pl.DataFrame, pd.DataFrame, pa.table])
def test_battles_of_every_library_give_the_same_board(build: Any) -> None:
    table = build(ARENA.to_dict(as_series=False))
    assert facts(rate_battles(table)) == facts(rate_battles(ARENA))


def test_sides_may_be_called_left_and_right() -> None:
    words = {"model_a": "left", "model_b": "right"}
    table = ARENA.rename(words).with_columns(pl.col("winner").replace(words))
    assert wins(rate_battles(table, left="left", right="right")) == EXPECTED


def test_sides_may_be_called_like_their_columns() -> None:
    words = {"model_a": "white", "model_b": "black"}
    table = ARENA.rename(words).with_columns(pl.col("winner").replace(words))
    assert wins(rate_battles(table, left="white", right="black")) == EXPECTED
    assert wins(rate_battles(ARENA.rename(words), left="white", right="black")) == EXPECTED


@pytest.mark.parametrize("words", [("model_a", "model_b"), ("left", "right")])
def test_swapping_the_two_columns_changes_nobody_s_wins(words: tuple[str, str]) -> None:
    new = dict(zip(("model_a", "model_b"), words, strict=True))
    table = ARENA.rename(new).with_columns(pl.col("winner").replace(new))
    assert wins(rate_battles(table, left=words[1], right=words[0])) == EXPECTED


def test_winner_and_loser_may_have_a_column_each() -> None:
    table = pl.DataFrame({"won": ["x", "y", "x", "z"], "lost": ["y", "z", "z", "y"]})
    board = rate_battles(table, winner="won", loser="lost")
    assert wins(board) == {"x": (2.0, 2), "z": (1.0, 3), "y": (1.0, 3)}
    assert board.how.scheme == Scheme(
        name="Battles",
        better=None,
        columns={"winner": "won", "loser": "lost", "cluster": None, "weights": None},
    )


def test_table_of_winners_and_losers_is_recognised_in_the_message() -> None:
    table = pl.DataFrame({"winner": ["x", "y"], "loser": ["y", "x"]})
    message = sentence(MissingColumn, lambda: rate_battles(table))
    assert message.startswith("No column 'model_a' in the table; it has 'winner', 'loser'.")
    assert "loser=" in message


def test_missing_column_of_battles_is_named() -> None:
    assert sentence(MissingColumn, lambda: rate_battles(ARENA, left="white")) == (
        "No column 'white' in the table; it has 'model_a', 'model_b', 'winner'. Say which is "
        "which: rate_battles(table, left=…, right=…, winner=…)."
    )


@pytest.mark.parametrize("label", ["Tie", "both", "c", "1"])
def test_unknown_label_is_never_a_tie(label: str) -> None:
    table = ARENA.with_columns(winner=pl.Series([*ARENA["winner"][:4], label, "tie"]))
    assert sentence(UnknownWinner, lambda: rate_battles(table)) == (
        f"Row 5 has '{label}' in column 'winner'; a winner is written as one of 'model_a', "
        f"'model_b', 'left', 'right', 'tie', 'tie (bothbad)', 'both_bad', 'a', 'b', 'draw'. Say "
        f'what it means with outcome={{"{label}": "left"}} (or "right", or "tie").'
    )


def test_labels_of_own_columns_are_listed() -> None:
    table = ARENA.rename({"model_a": "white", "model_b": "black"})
    table = table.with_columns(winner=pl.lit("?"))
    assert sentence(UnknownWinner, lambda: rate_battles(table, left="white", right="black")) == (
        "Row 1 has '?' in column 'winner'; a winner is written as one of 'white', 'black', "
        "'model_a', 'left', 'model_b', 'right', 'tie', 'tie (bothbad)', 'both_bad', "
        "'a', 'b', 'draw'. Say what it means with outcome={\"?\": \"left\"} (or \"right\", or "
        '"tie").'
    )


def test_winner_may_be_given_by_name() -> None:
    by_side = rate_battles(ARENA)
    sides = {"model_a": ARENA["model_a"], "model_b": ARENA["model_b"]}
    names = [sides[side][k] if side in sides else side for k, side in enumerate(ARENA["winner"])]
    by_name = rate_battles(ARENA.with_columns(winner=pl.Series(names)))
    assert [(row.player, row.epp) for row in by_name] == [(row.player, row.epp) for row in by_side]


def test_name_of_another_player_is_no_winner() -> None:
    table = ARENA.with_columns(winner=pl.Series(["z", *ARENA["winner"][1:]]))
    assert sentence(UnknownWinner, lambda: rate_battles(table)) == (
        "Row 1 has 'z' in column 'winner'; a winner is written as one of 'model_a', 'model_b', "
        "'left', 'right', 'tie', 'tie (bothbad)', 'both_bad', 'a', 'b', 'draw'. Say what it means "
        'with outcome={"z": "left"} (or "right", or "tie").'
    )


@pytest.mark.parametrize(
    ("labels", "more"),
    [
        (["a", "b", "draw", "a", "b", "tie"], {}),
        (["A", "B", "Draw", "A", "B", "tie"], {}),
        (["1", "2", "tie", "1", "2", "tie"], {}),
        (["1", "0", "-1", "1", "0", "-1"], {"outcome": {"1": "left", "0": "right", "-1": "tie"}}),
        (["w", "l", "tie", "w", "l", "tie"], {"outcome": ["w=left", "l=right"]}),
    ],
)
def test_usual_words_and_those_that_are_told_are_winners(
    labels: list[str], more: dict[str, Any]
) -> None:
    plain = ["model_a", "model_b", "tie", "model_a", "model_b", "tie"]
    boards = [
        rate_battles(ARENA.with_columns(winner=pl.Series(words)), **options)
        for words, options in ((plain, {}), (labels, more))
    ]
    told = [[(row.player, row.wins, row.epp) for row in board] for board in boards]
    assert told[0] == told[1]


def test_a_player_who_is_called_like_a_word_keeps_the_name() -> None:
    table = pl.DataFrame(
        {"model_a": ["a", "b", "c"], "model_b": ["b", "c", "a"], "winner": ["b", "b", "c"]}
    )
    wins = {row.player: row.wins for row in rate_battles(table)}
    assert wins == {"a": 0.0, "b": 2.0, "c": 1.0}


def test_a_one_beside_a_zero_may_be_anything() -> None:
    table = ARENA.with_columns(winner=pl.Series(["1", "0", "1", "2", "0", "1"]))
    assert sentence(UnknownWinner, lambda: rate_battles(table)).startswith("Row 1 has '1'")


def test_an_outcome_is_left_right_or_tie() -> None:
    wrong: list[Any] = [{"x": "first"}, ["x"], "x=left"]
    for outcome in wrong:
        told = sentence(BadOption, partial(rate_battles, ARENA, outcome=outcome))
        assert told.endswith("it is written WORD=left, WORD=right or WORD=tie.")


@pytest.mark.parametrize("label", ["tie", "tie (bothbad)", "both_bad", "draw"])
def test_tie_among_winners_and_losers_is_no_player(label: str) -> None:
    table = pl.DataFrame({"winner": ["A", "B", label], "loser": ["B", "A", "A"]})
    assert sentence(TieAsWinner, lambda: rate_battles(table, winner="winner", loser="loser")) == (
        f"Row 3 has '{label}' in place of a player. A table of winners and losers has no place for "
        f"ties; "
        f"give both players columns of their own, and name them with left= and right=."
    )


def test_cluster_may_hold_line_breaks() -> None:
    prompts = [f"line\nbreak {k}" for k in range(ARENA.height)]
    board = rate_battles(ARENA.with_columns(prompt=pl.Series(prompts)), cluster="prompt")
    assert board.how.interval.clusters == ARENA.height


def test_missing_label_is_refused() -> None:
    table = ARENA.with_columns(winner=pl.Series([*ARENA["winner"][:4], None, ""]))
    assert sentence(UnknownWinner, lambda: rate_battles(table)) == (
        "Row 5 has '(empty)' in column 'winner'; a winner is written as one of 'model_a', "
        "'model_b', 'left', 'right', 'tie', 'tie (bothbad)', 'both_bad', 'a', 'b', 'draw'."
    )


def test_missing_player_is_refused() -> None:
    table = ARENA.with_columns(model_b=pl.Series(["y", None, "z", "x", "x", "z"]))
    assert sentence(EmptyName, lambda: rate_battles(table)) == (
        "1 row has no name in column 'model_b': row 2. Fill the name in or drop the row."
    )


def test_player_does_not_meet_itself() -> None:
    table = ARENA.with_columns(model_b=pl.Series(["y", "y", "z", "z ", "x", "z"]))
    assert sentence(SelfMatch, lambda: rate_battles(table)) == (
        "2 battles are of a player with itself; the first is in row 2 ('y'). Drop such rows."
    )


def test_names_are_normalised_on_both_sides() -> None:
    table = ARENA.with_columns(model_b=pl.col("model_b").replace({"z": "z "}))
    board = rate_battles(table)
    assert wins(board) == EXPECTED
    assert str(board.notes[0]) == "1 name in the table was freed of outer blanks or odd characters."


def test_look_alikes_in_different_columns_are_noted() -> None:
    table = ARENA.with_columns(model_b=pl.col("model_b").replace({"z": "X"}))
    table = table.with_columns(winner=pl.lit("tie"))
    assert str(rate_battles(table).notes[0]) == (
        "Names that differ only in case or form, two models or one? 'X', 'x'."
    )


def test_nothing_to_rate_without_battles() -> None:
    assert sentence(NoMatches, lambda: rate_battles(ARENA[:0])) == (
        "No two players met, so there is nothing to rate."
    )


def test_one_battle_is_too_few() -> None:
    message = sentence(TooFewClusters, lambda: rate_battles(ARENA[:1]))
    assert message.startswith("The interval comes from the variation between battles, and there")


def test_weights_of_battles_are_those_of_repeated_rows() -> None:
    table = ARENA.with_columns(w=pl.Series([2, 1, 1, 1, 3, 1]))
    repeated = pl.concat([ARENA, ARENA[:1], ARENA[4:5], ARENA[4:5]])
    weighted = rate_battles(table, weights="w", estimator="mle")
    assert wins(weighted) == EXPECTED
    assert {row.player: row.epp for row in weighted} == pytest.approx(
        {row.player: row.epp for row in rate_battles(repeated, estimator="mle")}
    )


def test_large_weights_of_battles_are_weights() -> None:
    weights = [2.0, 1.0, 1.0, 1.0, 3.0, 1.0]
    plain = ARENA.with_columns(w=pl.Series(weights))
    large = ARENA.with_columns(w=pl.Series([weight * 2.0**1021 for weight in weights]))
    found, expected = (rate_battles(table, weights="w") for table in (large, plain))
    assert facts_but_weights(found) == facts_but_weights(expected)


@pytest.mark.parametrize("role", ["left", "right", "winner", "loser", "weights", "cluster"])
@pytest.mark.parametrize("value", [["model_a", 3], 3])
def test_role_of_battles_that_is_no_column_is_refused(role: str, value: object) -> None:
    options: dict[str, Any] = {role: value}
    with pytest.raises(WinoddsError):
        rate_battles(ARENA, **options)


@pytest.mark.parametrize(("value", "shown"), [(0.0, "0"), (-2.0, "-2"), (None, "nan")])
def test_weight_of_a_battle_is_positive(value: float | None, shown: str) -> None:
    table = ARENA.with_columns(w=pl.Series([1.0, 1.0, value, 1.0, 1.0, 1.0]))
    assert sentence(BadWeights, lambda: rate_battles(table, weights="w")) == (
        f"The weight of row 3 in column 'w' is {shown}; weights are positive numbers."
    )


def test_weights_of_battles_are_numbers() -> None:
    with pytest.raises(ScoresNotNumbers):
        rate_battles(ARENA.with_columns(w=pl.lit("x")), weights="w")


def test_battles_of_one_cluster_belong_together() -> None:
    table = ARENA.with_columns(judge=pl.Series(["k", "l", "m", "k", "l", "m"]))
    board = rate_battles(table, cluster="judge")
    assert board.how.interval.cluster == "judge"
    assert board.how.interval.clusters == 3
    new = (
        "Battles of one value of 'judge' may agree with each other; the intervals are for battles "
        "of new values, not for more of these."
    )
    rough = ROUGH.replace("rounds", "values of 'judge'")
    assert texts(board.notes) == (BAD, new, rough)
    for _ in range(2):
        board.quality()
        assert texts(Leaderboard.from_json(board.to_json()).notes) == (
            BAD,
            new,
            rough,
            "The p-value of the fit takes battles as independent; it is too small where those of "
            "one value of 'judge' agree with each other.",
        )


def test_reference_that_nobody_knows_is_answered_by_a_name_like_it() -> None:
    table = ARENA.with_columns(pl.col("model_a", "model_b").replace({"x": "xgboost"}))
    assert sentence(UnknownPlayer, lambda: rate_battles(table, reference="xgbost")) == (
        "No player 'xgbost' on this leaderboard. Did you mean 'xgboost'?"
    )


def test_winner_column_is_needed() -> None:
    with pytest.raises((BadOption, MissingColumn)):
        rate_battles(ARENA, winner=None)  # type: ignore[arg-type]
