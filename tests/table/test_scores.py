"""What plays on a board, and what does not: failed runs, lonely rounds, too little data."""

from typing import Any

import polars as pl
import pytest
from tables import grid, sentence, texts, three_by_three, wins

from winodds import rate
from winodds.board.how import MatchCounts
from winodds.errors import InComponent, NeverMet, TooFewClusters, TooFewPlayers, TooFewRounds
from winodds.table.scores import Dropped

FAILURES = grid({"a": [0.9, 0.9, 0.5], "b": [0.8, None, 0.6], "c": [None, None, 0.7]})
"""b fails in round 2, c in rounds 1 and 2."""


def test_failed_run_plays_no_match_by_default() -> None:
    board = rate(FAILURES, higher_is_better=True)
    assert wins(board) == {"a": (1.0, 3), "b": (1.0, 3), "c": (2.0, 2)}
    assert {row.player: row.rounds for row in board} == {"a": 2, "b": 2, "c": 1}
    assert board.how.matches.count == 4
    assert board.how.missing == "skip"
    assert texts(board.notes[:2]) == (
        "3 runs have no score and played no match: 'c' 2, 'b' 1.",
        "1 round in which nobody met anybody plays no part.",
    )


def test_failed_run_loses_to_every_score_of_its_round() -> None:
    board = rate(FAILURES, higher_is_better=True, missing="lose")
    assert wins(board) == {"a": (4.0, 6), "b": (2.0, 5), "c": (2.0, 5)}
    assert {row.player: row.rounds for row in board} == {"a": 3, "b": 3, "c": 3}
    assert board.how.matches == MatchCounts("within", count=8, ties=0, tie_tolerance=0.0, rounds=3)
    assert board.how.missing == "lose"
    assert str(board.notes[0]) == (
        "3 runs have no score and lost to every score that they met: 'c' 2, 'b' 1."
    )


def test_failed_run_loses_also_where_lower_is_better() -> None:
    board = rate(FAILURES, higher_is_better=False, missing="lose")
    assert wins(board) == {"a": (5.0, 6), "b": (3.0, 5), "c": (0.0, 5)}


def test_failed_run_loses_also_within_the_tolerance() -> None:
    board = rate(FAILURES, higher_is_better=True, missing="lose", tie_tolerance=10.0)
    assert wins(board) == {"a": (4.5, 6), "b": (2.5, 5), "c": (1.0, 5)}


@pytest.mark.parametrize("gone", [None, float("nan")])
def test_missing_scores_are_counted_and_listed_by_player(gone: float | None) -> None:
    table = grid({"a": [1, 2, 3], "b": [2, gone, 2], "c": [gone, gone, 1]})
    assert rate(table, higher_is_better=True).how.dropped == Dropped(
        missing_scores=3,
        missing_of={"c": 2, "b": 1},
        duplicate_rows=0,
        merged_rows=0,
        retried_runs=0,
        rounds_without_match=1,
        players_without_score=[],
        players_without_match=[],
    )


def test_mean_score_is_that_of_the_runs_with_a_score() -> None:
    board = rate(FAILURES, higher_is_better=True, missing="lose")
    assert {row.player: row.mean_score for row in board} == {
        "a": pytest.approx(2.3 / 3),
        "b": pytest.approx(0.7),
        "c": 0.7,
    }


def test_player_whose_runs_all_failed_is_named_and_left_out() -> None:
    table = grid({"a": [1, 2, 2], "b": [2, 1, 1], "c": [None, None, None]})
    board = rate(table, higher_is_better=True)
    assert board.players == ("a", "b")
    assert texts(board.notes[:2]) == (
        "3 runs have no score and played no match: 'c' 3.",
        "'c' has no score in any round and cannot be rated.",
    )
    assert board.how.dropped.players_without_score == ["c"]


def test_player_whose_runs_all_failed_can_lose_every_match() -> None:
    table = grid({"a": [1, 2, 2], "b": [2, 1, 1], "c": [None, None, None]})
    board = rate(table, higher_is_better=True, missing="lose")
    assert wins(board) == {"a": (5.0, 6), "b": (4.0, 6), "c": (0.0, 6)}
    row = board.row("c")
    assert (row.rank, row.mean_score) == (3, None)
    assert texts(row.notes) == ("lost every match", "lower end open")


def test_absent_row_is_no_failed_run() -> None:
    table = FAILURES.filter(~((pl.col("player") == "c") & (pl.col("round") == 1)))
    board = rate(table, higher_is_better=True, missing="lose")
    assert wins(board) == {"a": (3.0, 5), "b": (1.0, 4), "c": (2.0, 3)}
    assert texts(board.notes[:2]) == (
        "2 runs have no score and lost to every score that they met: 'b' 1, 'c' 1.",
        "1 player–round pair has no row at all and played no match; only rows with an empty score "
        "count as failed runs.",
    )


def test_round_in_which_all_failed_has_no_match() -> None:
    table = grid({"a": [1, 2, None], "b": [2, 1, None], "c": [3, 3, None]})
    board = rate(table, higher_is_better=True, missing="lose")
    assert wins(board) == {"a": (1.0, 4), "b": (1.0, 4), "c": (4.0, 4)}
    assert board.how.dropped.rounds_without_match == 1
    assert "1 round in which nobody met anybody plays no part." in texts(board.notes)


def test_lonely_round_is_counted() -> None:
    extra = pl.DataFrame({"player": ["a", "b"], "round": [4, 5], "score": [0.1, 0.2]})
    board = rate(pl.concat([three_by_three(), extra]), higher_is_better=True)
    assert wins(board) == wins(rate(three_by_three(), higher_is_better=True))
    assert str(board.notes[0]) == "2 rounds in which nobody met anybody play no part."
    assert [row.rounds for row in board] == [3, 3, 3]


def test_scores_of_lonely_rounds_meet_across_rounds() -> None:
    table = grid({"a": [1, 3, None, None], "b": [None, None, 2, 4]})
    board = rate(table, higher_is_better=True, matches="across")
    assert wins(board) == {"a": (1.0, 4), "b": (3.0, 4)}
    assert board.how.dropped.rounds_without_match == 0


def test_failed_run_loses_to_every_score_across_rounds() -> None:
    table = grid({"a": [1, 3, None], "b": [2, None, None], "c": [0, 2, 4]})
    board = rate(table, higher_is_better=True, matches="across", missing="lose")
    assert wins(board) == {
        "a": (5.0 + 3.0, 7 + 9),
        "b": (2.0 + 1.5, 7 + 9),
        "c": (6.0 + 7.5, 9 + 9),
    }
    assert board.how.matches == MatchCounts("across", count=25, ties=1, tie_tolerance=0.0, rounds=3)
    assert "of their round" not in str(board.notes[0])


def test_player_who_met_nobody_is_named() -> None:
    alone = pl.DataFrame({"player": ["hermit"] * 2, "round": [8, 9], "score": [0.9, 0.9]})
    board = rate(pl.concat([three_by_three(), alone]), higher_is_better=True)
    assert board.players == ("a", "b", "c")
    assert board.how.dropped.players_without_match == ["hermit"]
    assert texts(board.notes[:2]) == (
        "2 rounds in which nobody met anybody play no part.",
        "'hermit' met nobody and cannot be rated.",
    )


def test_player_who_failed_where_all_failed_is_not_dropped_in_silence() -> None:
    failed = pl.DataFrame({"player": ["hermit", "a"], "round": [9, 9], "score": [None, None]})
    table = pl.concat([three_by_three(), failed.cast({"score": pl.Float64})])
    board = rate(table, higher_is_better=True, missing="lose")
    assert board.players == ("a", "b", "c")
    assert "'hermit' has no score in any round and cannot be rated." in texts(board.notes)


def test_components_that_never_met_are_refused() -> None:
    others = three_by_three().with_columns(
        pl.col("player").str.to_uppercase(), pl.col("round") + 10
    )
    table = pl.concat([three_by_three(), others])
    assert sentence(NeverMet, lambda: rate(table, higher_is_better=True)) == (
        "The players form 2 components that never met: 3 with 'A', 'B' and 1 more; 3 with 'a', 'b' "
        "and 1 more. Their ratings cannot be compared. Add rounds in which they meet, or pass "
        'components="separate" to rate each component on its own.'
    )


def test_only_when_no_component_can_be_rated_it_is_an_error() -> None:
    pairs = {"player": ["x", "y", "v", "w"], "round": [8, 8, 9, 9], "score": [1.0, 2.0, 1.0, 2.0]}
    message = sentence(
        InComponent,
        lambda: rate(pl.DataFrame(pairs), higher_is_better=True, components="separate"),
    )
    assert message == (
        "None of the 2 components can be rated. In that of 'v', 'w': The interval comes from the "
        "variation between rounds, and there is only one. Add more, or choose other clusters."
    )


# Too little ---------------------------------------------------------------------------------------

ALONE = "A leaderboard needs scores of at least two players; only 'a' has a score."
NOBODY = "A leaderboard needs scores of at least two players; no player has one."


def met_in(rounds: str) -> str:
    return (
        f"A leaderboard needs at least two rounds in which players met; there is {rounds}. Say "
        f"which column holds the splits or tasks with round=."
    )


@pytest.mark.parametrize("missing", ["skip", "lose"])
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({"a": [1, 2, 3]}, ALONE),
        ({"a": [1, 2, 3], "b": [None, None, None]}, ALONE),
        ({"a": [None, None], "b": [None, None]}, NOBODY),
    ],
)
def test_one_player_is_too_few(
    scores: dict[str, list[float | None]], message: str, missing: Any
) -> None:
    table = grid(scores)
    assert message == sentence(
        TooFewPlayers, lambda: rate(table, higher_is_better=True, missing=missing)
    )


@pytest.mark.parametrize("missing", ["skip", "lose"])
@pytest.mark.parametrize("matches", ["within", "across"])
def test_empty_table_has_no_players(missing: Any, matches: Any) -> None:
    table = three_by_three()[:0]
    assert (
        sentence(
            TooFewPlayers,
            lambda: rate(table, higher_is_better=True, missing=missing, matches=matches),
        )
        == NOBODY
    )


@pytest.mark.parametrize(
    ("table", "rounds"),
    [
        (grid({"a": [1], "b": [2]}), "one"),
        (grid({"a": [1, 2, None], "b": [2, None, 1]}), "one"),
        (grid({"a": [1, None], "b": [None, 1]}), "none"),
    ],
)
def test_one_round_is_too_few(table: pl.DataFrame, rounds: str) -> None:
    assert met_in(rounds) == sentence(TooFewRounds, lambda: rate(table, higher_is_better=True))


def test_two_players_and_two_rounds_are_enough() -> None:
    board = rate(grid({"a": [1, 2], "b": [2, 1]}), higher_is_better=True)
    assert [(row.rank, row.player, row.epp, row.wins) for row in board] == [
        (1, "a", 0.0, 1.0),
        (1, "b", 0.0, 1.0),
    ]
    assert texts(board.notes) == (
        "The intervals rest on only 2 rounds; below about 10 they are rough.",
    )


def test_ties_everywhere_are_no_information() -> None:
    board = rate(grid({"a": [1, 2, 3], "b": [1, 2, 3], "c": [1, 2, 3]}), higher_is_better=True)
    assert [(row.rank, row.epp, row.wins) for row in board] == [(1, 0.0, 3.0)] * 3
    assert board.how.matches == MatchCounts("within", count=9, ties=9, tie_tolerance=0.0, rounds=3)
    assert str(board.notes[0]) == "All matches are ties: the scores do not tell the players apart."


def test_ties_of_one_round_are_counted() -> None:
    board = rate(grid({"a": [1, 2], "b": [1, 1], "c": [1, 3]}), higher_is_better=True)
    assert wins(board) == {"a": (2.0, 4), "b": (1.0, 4), "c": (3.0, 4)}
    assert board.how.matches.ties == 3


def test_one_cluster_says_nothing_about_variation() -> None:
    table = three_by_three().with_columns(lab=pl.lit("x"))
    message = sentence(TooFewClusters, lambda: rate(table, cluster="lab", higher_is_better=True))
    assert message.startswith("The interval comes from the variation between ")
    assert "lab" in message
