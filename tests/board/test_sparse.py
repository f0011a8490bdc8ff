"""Boards whose matches say little tell so."""

import numpy as np
import polars as pl
import pytest
from tables import grid, texts, three_by_three

from winodds import Leaderboard, rate, rate_battles
from winodds.board import notes
from winodds.board.sparse import pool_notes
from winodds.language.notes import Note
from winodds.show.report.page import render_report


def _noted(board: Leaderboard, name: str) -> list[Note]:
    return [note for note in board.notes if note.name == name]


# Leaders of few rounds ----------------------------------------------------------------------------


def _guest(rounds: int, played: int) -> Leaderboard:
    """A guest wins the first rounds, and two others share all of them."""
    scores: dict[str, list[float | None]] = {
        "a": [float(k % 2) for k in range(rounds)],
        "b": [float(1 - k % 2) for k in range(rounds)],
        "guest": [2.0 if k < played else None for k in range(rounds)],
    }
    return rate(grid(scores), higher_is_better=True, details=False)


def test_a_leader_of_less_than_a_quarter_of_the_rounds_is_doubted() -> None:
    board = _guest(12, 2)
    assert board.players[0] == "guest"
    (found,) = _noted(board, "leader_of_few_rounds")
    assert (found.kind, found.facts) == (
        "doubt",
        {"player": "guest", "rounds": 2, "of": 12, "half": 12, "alone": True},
    )
    assert str(found) == (
        "The leader 'guest' took part in only 2 of 12 rounds (half of the players in 12 or more): "
        "its rating is rough, and few rounds put a player first by luck more easily than many."
    )
    assert _noted(_guest(12, 3), "leader_of_few_rounds") == []


def test_of_equal_leaders_the_one_of_fewest_rounds_counts() -> None:
    scores: dict[str, list[float | None]] = {
        "a": [float(k % 2) for k in range(10)],
        "b": [float(1 - k % 2) for k in range(10)],
        "c": [0.5, 0.5, *[None] * 8],
    }
    board = rate(grid(scores), higher_is_better=True, details=False)
    assert [row.rank for row in board] == [1, 1, 1]
    assert [note.facts["player"] for note in _noted(board, "leader_of_few_rounds")] == ["c"]


def test_leaders_of_components_have_rounds_of_their_own() -> None:
    others = three_by_three().with_columns(
        pl.col("player").str.to_uppercase(), pl.col("round") + 100
    )
    guest = grid(
        {
            "x": [float(k % 2) for k in range(12)],
            "y": [float(1 - k % 2) for k in range(12)],
            "guest": [2.0, 2.0, *[None] * 10],
        }
    )
    board = rate(
        pl.concat([others, guest]), higher_is_better=True, components="separate", details=False
    )
    assert texts(_noted(board, "leader_of_few_rounds")) == (
        "The leader of a component, 'guest', took part in only 2 of 12 rounds (half of the players "
        "in 12 or more): its rating is rough, and few rounds put a player first by luck more "
        "easily than many.",
    )
    assert _noted(board, "empty_table") == []


# Gaps ---------------------------------------------------------------------------------------------


def test_a_table_that_is_mostly_empty_is_noted() -> None:
    chain: dict[str, list[float | None]] = {}
    for k in range(6):
        chain[f"p{k}"] = [float((r + k) % 2) if r // 2 in (k, k - 1) else None for r in range(10)]
    board = rate(grid(chain), higher_is_better=True, details=False)
    (found,) = _noted(board, "empty_table")
    assert (found.kind, found.facts) == ("scope", {"empty": 40, "cells": 60})
    assert str(found) == (
        "40 of 60 player–round pairs (67%) have no score: players who seldom met are compared "
        "through others, and ratings lean on who took part in which rounds."
    )


def test_a_table_that_is_half_empty_is_not() -> None:
    half: list[float | None] = [1.0, 2.0, None, None]
    board = rate(
        grid({"a": [2, 1, 2, 1], "b": [*half], "c": [None, None, 1, 2], "d": [None] * 4}),
        higher_is_better=True,
        details=False,
    )
    assert board.players == ("a", "b", "c")
    assert _noted(board, "empty_table") == []


# Ties ---------------------------------------------------------------------------------------------


def test_many_ties_are_noted_with_what_they_do() -> None:
    board = rate(
        grid({"a": [1, 1, 0, 1, 1], "b": [1, 0, 1, 1, 1]}), higher_is_better=True, details=False
    )
    (found,) = _noted(board, "many_ties")
    assert (found.kind, found.facts) == ("scope", {"ties": 3, "matches": 5})
    assert str(found) == (
        "3 of 5 matches (60%) are ties. A tie counts as half a win for each, so ratings lie closer "
        "together than the decided matches alone would put them, and odds are those of winning "
        "with ties halved."
    )


@pytest.mark.parametrize(
    ("winners", "noted"),
    [("tab", ()), ("ttab", ()), ("tttab", ("many_ties",)), ("tt", ("no_information",))],
)
def test_ties_of_battles_are_noted_when_they_are_more_than_half(
    winners: str, noted: tuple[str, ...]
) -> None:
    labels = {"t": "tie", "a": "model_a", "b": "model_b"}
    table = pl.DataFrame(
        {
            "model_a": ["x"] * len(winners),
            "model_b": ["y"] * len(winners),
            "winner": [labels[one] for one in winners],
        }
    )
    board = rate_battles(table, details=False)
    names = ("many_ties", "no_information")
    assert tuple(note.name for note in board.notes if note.name in names) == noted


# Pools --------------------------------------------------------------------------------------------


def test_tournaments_of_up_to_three_times_the_weight_need_no_note() -> None:
    third = np.array([0.1 + 0.2, 0.9, 0.5])
    assert pool_notes(third, ["a", "b", "c"]) == []
    assert pool_notes(third, []) == []
    (found,) = pool_notes(np.array([1.0, 3.5, 3.5, 1.0]), ["a", "b", "c", "d"])
    assert (found.kind, found.name) == ("scope", "lopsided_pool")
    assert str(found) == (
        "Tournament 'b' carries 3.5 times the weight of 'a' (39% and 11% of all matches' weight): "
        "a pair of players counts once on each, so one with more players counts for more."
    )


def test_equal_tournaments_are_chosen_by_name_and_not_by_rounding() -> None:
    weight = np.array([0.1 + 0.2, 0.3, 3.0 * 1.1, 3.3])
    expected = notes.lopsided_pool("c", "a", 11.0, 3.3 / 7.2, 0.3 / 7.2)
    assert pool_notes(weight, ["a", "b", "c", "d"]) == [expected]
    assert pool_notes(weight[[1, 0, 3, 2]], ["a", "b", "c", "d"]) == [expected]


# Components that cannot be rated ------------------------------------------------------------------

ONE_BATTLE = (
    "The interval comes from the variation between battles, and there is only one. Add more, or "
    "choose other clusters."
)


def _battles(*pairs: str) -> pl.DataFrame:
    """Winners and losers, a letter for each."""
    return pl.DataFrame({"winner": [pair[0] for pair in pairs], "loser": [p[1] for p in pairs]})


def test_an_island_with_a_single_battle_is_left_out_and_named() -> None:
    table = _battles("ab", "ba", "ab", "xy")
    board = rate_battles(table, winner="winner", loser="loser", components="separate")
    assert board.players == ("a", "b")
    assert board.has_one_scale
    assert (board.how.matches.count, board.how.dropped.players_not_rated) == (3, ["x", "y"])
    (found,) = _noted(board, "components_left_out")
    assert (found.kind, str(found)) == (
        "scope",
        f"1 component of 2 players cannot be rated and is left out: 'x', 'y'. {ONE_BATTLE}",
    )
    alone = rate_battles(_battles("ab", "ba", "ab"), winner="winner", loser="loser")
    assert [(row.epp, row.low) for row in board] == [(row.epp, row.low) for row in alone]
    again = Leaderboard.from_json(board.to_json())
    assert (again.how.dropped, again.notes) == (board.how.dropped, board.notes)


def test_many_left_out_are_counted() -> None:
    table = _battles("ab", "ba", "cd", "ef", "gh", "pq", "qp")
    board = rate_battles(table, winner="winner", loser="loser", components="separate")
    assert sorted(board.players) == ["a", "b", "p", "q"]
    assert len(board.components) == 2
    assert texts(_noted(board, "components_left_out")) == (
        "3 components of 6 players cannot be rated and are left out: 'c', 'd', 'e', 'f', 'g' and 1 "
        f"more. {ONE_BATTLE}",
    )


def test_reasons_of_several_kinds_have_notes_of_their_own() -> None:
    """No maximum-likelihood rating exists where somebody won everything."""
    table = _battles("ab", "ba", "cd", "ef", "ef", "gh", "gh")
    board = rate_battles(
        table, winner="winner", loser="loser", components="separate", estimator="mle"
    )
    assert board.players == ("a", "b")
    assert texts(_noted(board, "components_left_out")) == (
        f"1 component of 2 players cannot be rated and is left out: 'c', 'd'. {ONE_BATTLE}",
        "2 components of 4 players cannot be rated and are left out: 'e', 'f', 'g', 'h'. Of the "
        "first: No maximum-likelihood rating exists: 'e' won every match. Use the bias-reduced "
        "estimator (the default), which is finite and leaves such intervals open, or add rounds.",
    )


def test_rounds_of_those_left_out_go_with_them() -> None:
    pair = pl.DataFrame({"player": ["x", "y"], "round": [0, 0], "score": [1.0, 2.0]})
    both = pl.concat([pair, three_by_three().cast({"round": pl.Int64})])
    board = rate(both, higher_is_better=True, components="separate")
    alone = rate(three_by_three(), higher_is_better=True)
    assert board.players == alone.players
    assert board.schedule is not None
    assert board.schedule.rounds == ("1", "2", "3")
    assert board.how.matches == alone.how.matches
    assert board.how.dropped.players_not_rated == ["x", "y"]
    for row, other in zip(board, alone, strict=True):
        assert (row.epp, row.se, row.rounds, row.mean_score) == (
            other.epp,
            other.se,
            other.rounds,
            other.mean_score,
        )
    assert board.figures.scores().cells == alone.figures.scores().cells


def test_the_page_of_a_board_says_who_was_left_out() -> None:
    pair = pl.DataFrame({"player": ["x", "y"], "round": [0, 0], "score": [1.0, 2.0]})
    both = pl.concat([pair, three_by_three().cast({"round": pl.Int64})])
    board = rate(both, higher_is_better=True, components="separate", details=False)
    page = render_report(board)
    assert "1 component of 2 players cannot be rated and is left out: " in page
    assert "Every player that is rated has a score in every round." in page


def test_tournaments_of_those_left_out_go_with_them() -> None:
    rows = [
        (player, data, fold, float((place + fold) % 3))
        for data, names in (("first", "xy"), ("second", "ab"), ("third", "ab"))
        for fold in range(2)
        for place, player in enumerate(names)
    ]
    table = pl.DataFrame(rows, ["player", "tournament", "round", "score"], orient="row")
    board = rate(table, tournament="tournament", higher_is_better=True, components="separate")
    assert board.schedule is not None
    assert board.schedule.tournaments == ("second", "third")
    assert (board.how.matches.rounds, board.how.dropped.players_not_rated) == (4, ["x", "y"])
