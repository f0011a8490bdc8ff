"""New players on boards of several kinds, beside a board with everybody."""

import json
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from scipy.special import expit
from tables import grid, sentence, texts

import winodds
import winodds.demo
from winodds.arrays import Floats
from winodds.board.leaderboard import Leaderboard
from winodds.board.newcomer import refit_error
from winodds.errors import (
    AlreadyPlaced,
    BadOption,
    InfiniteScores,
    MissingColumn,
    NoWayToPlace,
    Separated,
    TooFewToPlace,
    UnknownRounds,
)


def _rate(scores: Floats, **options: object) -> Leaderboard:
    asked = {"higher_is_better": True, **options}
    return winodds.rate(long_table(scores), **asked)  # type: ignore[arg-type]


def _last(scores: Floats) -> dict[int, float]:
    """The last player's scores by round."""
    return {k: float(x) for k, x in enumerate(scores[:, -1]) if not np.isnan(x)}


def _refitted(scores: Floats, **options: object) -> tuple[float, float]:
    """The last player's rating around the mean of the others when all are rated, and its error."""
    board = _rate(scores, center="all", **options)
    name = f"p{scores.shape[1] - 1}"
    epp = board.row(name).epp
    others = np.mean([row.epp for row in board if row.player != name])
    return epp - float(others), board.row(name).se


BOARDS: dict[str, dict[str, object]] = {
    "usual": {},
    "across": {"matches": "across"},
    "model": {"interval": "model"},
    "mle": {"estimator": "mle"},
    "ridge": {"estimator": "ridge"},
    "tolerance": {"tie_tolerance": 0.3},
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_new_rating_and_its_error_are_near_a_refit(name: str) -> None:
    options = BOARDS[name]
    scores = simulate(11, 25, 12)
    scores[3:6, -1] = np.nan
    new = _rate(scores[:, :-1], center="all", **options).place(_last(scores))
    rating, error = _refitted(scores, **options)
    assert abs(new.epp - rating) < 0.05 * error
    assert new.se == pytest.approx(error, rel=0.1)
    assert (new.of, new.rounds, new.clusters) == (25, 9, 9)


def test_every_player_of_a_real_board_is_placed_where_it_stands() -> None:
    season = winodds.demo.rate_results()
    board = season["digits"]
    table = pl.read_csv(str(winodds.demo.RESULTS)).filter(pl.col("dataset") == "digits")
    for row in (board.rows[0], board.rows[7], board.rows[15], board.rows[19]):
        rest = winodds.rate(
            table.filter(pl.col("model") != row.player),
            player="model",
            round="split",
            score="auc",
            center="all",
        )
        own = table.filter(pl.col("model") == row.player)
        found = rest.place(own)
        assert len(found) == 1
        others = np.mean([one.epp for one in board if one.player != row.player])
        assert abs(found[0].epp - (row.epp - others)) < 0.1 * row.se
        assert abs(found[0].rank - row.rank) <= 1


def test_a_rating_by_hand() -> None:
    """Two equal players; the new one wins 3 of 4 rounds against each of them."""
    board = winodds.rate(
        grid({"a": [1.0, 2.0, 1.0, 2.0], "b": [2.0, 1.0, 2.0, 1.0]}), higher_is_better=True
    )
    new = board.place({1: 3.0, 2: 3.0, 3: 3.0, 4: 0.0})
    assert new.epp == pytest.approx(np.log(6.5 / 2.5), abs=1e-9)
    assert new.p_average.value == pytest.approx(6.5 / 9.0)
    assert (new.player, new.rank, new.above, new.below) == ("new", 1, None, "a")
    assert (new.wins, new.matches, new.rounds) == (6.0, 8, 4)
    assert texts(new.notes) == (
        "only 4 rounds",
        "rated without fitting the others anew, which with 2 players and 4 rounds is within 0.5 "
        "standard errors of a refit in 99 of 100 cases; rate all together",
    )


def test_the_zero_is_that_of_the_board() -> None:
    scores = simulate(12, 8, 12)
    usual, around = _rate(scores[:, :-1]), _rate(scores[:, :-1], reference="p3")
    one, two = usual.place(_last(scores)), around.place(_last(scores))
    assert one.p_average.value == pytest.approx(expit(one.epp))
    assert two.p_average == one.p_average
    assert two.rank == one.rank
    assert two.epp == pytest.approx(one.epp - usual.row("p3").epp)
    assert two.high is not None
    assert two.low is not None
    assert two.high - two.low == pytest.approx((one.high or 0.0) - (one.low or 0.0))


def test_rank_and_neighbours_follow_from_the_ratings_shown() -> None:
    scores = simulate(13, 9, 10)
    board = _rate(scores[:, :-1])
    new = board.place(_last(scores), name="mine")
    higher = [row.player for row in board if row.epp > new.epp]
    assert new.rank == len(higher) + 1
    assert (new.above, new.below) == (higher[-1], board.players[len(higher)])
    assert new.player == "mine"


def test_several_are_placed_as_each_alone() -> None:
    scores = simulate(14, 12, 10)
    board = _rate(scores[:, :10])
    table = long_table(scores).filter(pl.col("player").is_in(["p10", "p11"]))
    found = board.place(table)
    for column, name in ((10, "p10"), (11, "p11")):
        new = next(one for one in found.newcomers if one.player == name)
        alone = board.place({k: float(x) for k, x in enumerate(scores[:, column])}, name=name)
        assert new.epp == pytest.approx(alone.epp, abs=1e-9)
        assert new.notes == alone.notes
    assert found.newcomers[0].epp >= found.newcomers[1].epp
    plain = json.loads(json.dumps(found.to_dict()))
    frame = found.frame()
    assert plain["schema"] == "winodds/newcomers/1"
    assert frame["epp"].to_list() == [one["epp"] for one in plain["newcomers"]]
    assert frame["p_average_low"].to_list() == [
        one["p_average"]["low"] for one in plain["newcomers"]
    ]
    assert frame.columns[0] == "player"


def test_a_board_that_was_written_and_read_places_the_same() -> None:
    scores = simulate(15, 7, 9)
    board = _rate(scores[:, :-1])
    again = Leaderboard.from_json(board.to_json())
    assert again.place(_last(scores)) == board.place(_last(scores))


# Open ends ----------------------------------------------------------------------------------------


def test_who_wins_everything_is_open_above() -> None:
    new = _rate(simulate(16, 6, 8)).place(dict.fromkeys(range(8), 99.0))
    assert (new.high, new.p_average.high, new.rank) == (None, 1.0, 1)
    assert new.low is not None
    assert texts(new.notes)[:2] == ("won every match", "upper end open")


def test_whom_only_the_last_ones_lose_to_is_open_below() -> None:
    """a and b beat c always; the new one beats c once and loses to a and b: nobody knows."""
    board = winodds.rate(
        grid({"a": [3.0, 2.0, 3.0], "b": [2.0, 3.0, 2.0], "c": [0.0, 0.0, 0.0]}),
        higher_is_better=True,
    )
    new = board.place({1: 1.0, 2: -1.0, 3: 1.0})
    assert (new.low, new.p_average.low) == (None, 0.0)
    assert new.high is not None


# How scores are read ------------------------------------------------------------------------------


def test_lower_is_better_where_it_is_on_the_board() -> None:
    scores = simulate(17, 6, 8)
    up = _rate(scores[:, :-1]).place(_last(scores))
    down = _rate(-scores[:, :-1], higher_is_better=False).place(_last(-scores))
    mixed = {str(k): k % 2 == 0 for k in range(8)}
    sign = np.array([1.0 if k % 2 == 0 else -1.0 for k in range(8)])[:, None]
    both = _rate(sign * scores[:, :-1], higher_is_better=mixed).place(_last(sign * scores))
    assert up == down == both


def test_rounds_are_named_with_their_tournament_or_without() -> None:
    tables = [
        long_table(simulate(k, 5, 4)).with_columns(
            data=pl.lit(f"d{k}"), round=pl.lit(f"{k}-") + pl.col("round").cast(pl.String)
        )
        for k in range(4)
    ]
    table = pl.concat(tables)
    rest = table.filter(pl.col("player") != "p4")
    board = winodds.rate(rest, tournament="data", higher_is_better=True)
    own = table.filter(pl.col("player") == "p4")
    new = board.place(own)[0]
    assert board.place(own.drop("data"))[0] == new
    names = [f"{data}/{name}" for data, name in own.select("data", "round").rows()]
    assert board.place(dict(zip(names, own["score"].to_list(), strict=True)), name="p4") == new
    assert (new.clusters, new.rounds) == (4, 16)


def test_failed_runs_count_as_on_the_board() -> None:
    scores = simulate(18, 5, 8)
    own: dict[int, float | None] = {**_last(scores), 0: None}
    skipped = _rate(scores[:, :-1]).place(own)
    lost = _rate(scores[:, :-1], missing="lose").place(own)
    assert (skipped.rounds, skipped.matches) == (7, 28)
    assert (lost.rounds, lost.matches) == (8, 32)
    assert lost.wins == skipped.wins


def _board() -> Leaderboard:
    return _rate(simulate(19, 5, 6))


REFUSALS: dict[str, tuple[type[winodds.WinoddsError], Callable[[], object], str]] = {
    "unknown round": (
        UnknownRounds,
        lambda: _board().place({0: 1.0, "seven": 2.0}),
        "'new' has scores in a round that this leaderboard does not have: 'seven'. It has '0', "
        "'1', '2', '3', '4' and 1 more.",
    ),
    "on the board": (
        AlreadyPlaced,
        lambda: _board().place({0: 1.0, 1: 2.0}, name="p1"),
        "'p1' is on this leaderboard already, and would meet itself. Give the new player another "
        "name, or rate all scores anew.",
    ),
    "one round": (
        TooFewToPlace,
        lambda: _board().place({0: 1.0}),
        "'new' met players of this leaderboard in one of its rounds only. A rating needs two or "
        "more, because its interval comes from how they differ.",
    ),
    "no score": (
        TooFewToPlace,
        lambda: _board().place({0: None, 1: None}),
        "'new' met players of this leaderboard in none of its rounds. A rating needs two or more, "
        "because its interval comes from how they differ.",
    ),
    "text": (
        BadOption,
        lambda: _board().place({0: "0.9"}),
        "scores=\"0.9\" is not possible; the score in '0' is a number, or None for a failed run.",
    ),
    "nothing": (
        BadOption,
        lambda: _board().place({}),
        "scores={} is not possible; it maps names of rounds to scores, or is a table.",
    ),
    "infinite": (
        InfiniteScores,
        lambda: _board().place({0: 1.0, 1: float("inf")}),
        "1 score is infinite, that of 'new' in '1' (row 2). Give a failed run an empty score, and "
        "say with missing= whether it counts as a loss.",
    ),
    "columns": (
        MissingColumn,
        lambda: _board().place(pl.DataFrame({"player": ["x"], "score": [1.0]})),
        "No column 'round' in the table; it has 'player', 'score'. Say which is which: rate(table, "
        "player=…, round=…, score=…).",
    ),
    "no maximum": (
        Separated,
        lambda: _rate(simulate(19, 4, 9, spread=0.3), estimator="mle").place({0: 9.0, 1: 9.0}),
        "No maximum-likelihood rating exists: 'new' won every match. Use the bias-reduced "
        "estimator (the default), which is finite and leaves such intervals open, or add rounds.",
    ),
    "battles": (
        NoWayToPlace,
        lambda: winodds.rate_battles(
            pl.DataFrame(
                [("a", "b", "model_a"), ("b", "a", "model_a")],
                ["model_a", "model_b", "winner"],
                orient="row",
            )
        ).place({0: 1.0, 1: 2.0}),
        "No new player can be placed on this leaderboard: its matches are battles, which have no "
        "rounds that a new player could play. Rate all of them together instead.",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_be_placed_is_refused_with_its_reason(name: str) -> None:
    error, call, said = REFUSALS[name]
    assert sentence(error, call) == said


def test_the_error_that_is_said_never_grows_with_the_board() -> None:
    sizes, rounds = (2, 5, 10, 20, 50, 100, 1000), (2, 3, 5, 10, 30)
    said = np.array([[refit_error(m, r) for r in rounds] for m in sizes])
    assert (np.diff(said, axis=0) <= 0.0).all()
    assert (np.diff(said, axis=1) <= 0.0).all()
    assert refit_error(20, 10) == 0.05
    assert refit_error(20, 5) == 0.1
    assert refit_error(20, 10, separated=True) == 0.5
