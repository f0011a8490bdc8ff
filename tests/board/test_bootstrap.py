"""Ratings of resampled tables by name: percentiles by hand, and what does not matter."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from scipy.special import expit
from tables import grid, sentence, three_by_three

import winodds
from winodds.arrays import Floats
from winodds.board.bootstrap import Bootstrap
from winodds.board.leaderboard import Leaderboard
from winodds.errors import BadOption, NoCommonScale, UnknownPlayer


def _rate(scores: Floats, **options: object) -> Leaderboard:
    return winodds.rate(
        long_table(scores),
        higher_is_better=True,
        **options,  # type: ignore[arg-type]
    )


def _separate() -> Leaderboard:
    scores = np.full((12, 5), np.nan)
    scores[:6, :2], scores[6:, 2:] = simulate(1, 2, 6), simulate(2, 3, 6)
    return _rate(scores, components="separate")


def _small() -> Bootstrap:
    """Five replicates of two components, {a, b, c} and {d, e}; c met nobody in the last."""
    ratings = np.array(
        [
            [1.0, 0.0, -1.0, 0.5, -0.5],
            [0.5, 0.5, -1.0, -0.5, 0.5],
            [0.0, 1.0, -1.0, 0.0, 0.0],
            [2.0, -1.0, -1.0, 0.2, -0.2],
            [0.4, -0.4, np.nan, 0.1, -0.1],
        ]
    )
    return Bootstrap(
        players=("a", "b", "c", "d", "e"),
        ratings=ratings,
        observed=np.array([0.9, 0.1, -1.0, 0.3, -0.3]),
        component=np.array([0, 0, 0, 1, 1]),
        level=0.5,
        seed=0,
    )


# Percentiles --------------------------------------------------------------------------------------


def test_rating_has_the_percentiles_of_its_replicates() -> None:
    found = _small()
    one = found.rating("a")
    # In order: 0, 0.4, 0.5, 1, 2; a quarter of the way is the second, three quarters the fourth.
    assert (one.value, one.low, one.high) == (0.9, 0.4, 1.0)
    gone = found.rating("c")
    assert (gone.value, gone.low, gone.high) == (-1.0, -1.0, -1.0)


def test_difference_has_the_percentiles_of_differences() -> None:
    one = _small().difference("a", "b")
    # In order: −1, 0, 0.8, 1, 3.
    assert (one.value, one.low, one.high) == pytest.approx((0.8, 0.0, 1.0))
    other = _small().difference("b", "a")
    assert (other.value, other.low, other.high) == pytest.approx((-0.8, -1.0, 0.0))


def test_rank_is_that_among_players_of_the_component() -> None:
    found = _small()
    # Ranks of b: 2, 1 (shared), 1, 2 (shared) and 2.
    one = found.rank("b")
    assert (one.value, one.low, one.high) == (2.0, 1.0, 2.0)
    # Of e: 2, 1, 1 (shared), 2, 2.
    assert found.rank("e").value == 2.0
    assert (found.rank("e").low, found.rank("e").high) == (1.0, 2.0)
    assert found.rank("c").value == 3.0


def test_shares_of_the_first_place_share_ties_and_add_up_in_each_component() -> None:
    shares = _small().first_in
    np.testing.assert_allclose(shares, [3.5 / 5, 1.5 / 5, 0.0, 3.5 / 5, 1.5 / 5], rtol=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_intervals_are_quantiles_of_the_board_s_level(level: float) -> None:
    board = _rate(simulate(1, 4, 12), level=level)
    found = board.bootstrap(replicates=300, seed=4)
    ends = [0.5 - 0.5 * level, 0.5 + 0.5 * level]
    assert found.level == level
    ranks = np.array([[1 + np.sum(row > own + 1e-9) for own in row] for row in found.ratings])
    for place, player in enumerate(board.players):
        one = found.rating(player)
        assert (one.low, one.high) == pytest.approx(np.quantile(found.ratings[:, place], ends))
        assert one.value == pytest.approx(board.row(player).epp, abs=1e-9)
        rank = found.rank(player)
        assert (rank.low, rank.high) == pytest.approx(np.quantile(ranks[:, place], ends))
        assert rank.value == place + 1
    change = found.ratings[:, 0] - found.ratings[:, 2]
    pair = found.difference(board.players[0], board.players[2])
    assert (pair.low, pair.high) == pytest.approx(np.quantile(change, ends))
    assert pair.value == pytest.approx(board.difference(*board.players[0:3:2]).value, abs=1e-9)


def test_two_players_are_drawn_as_binomial_counts() -> None:
    """A's bias-reduced rating after k wins of n is the log-odds of (k + ½)/(n + 1)."""
    board = winodds.rate(grid({"A": [1.0] * 7 + [0.0] * 3, "B": [0.5] * 10}), higher_is_better=True)
    found = board.bootstrap(replicates=2000, seed=1)
    chance = expit(found.ratings[:, 0] - found.ratings[:, 1])
    wins = chance * 11.0 - 0.5
    np.testing.assert_allclose(wins, np.round(wins), atol=1e-6)
    assert wins.mean() == pytest.approx(7.0, abs=0.15)
    assert wins.std() == pytest.approx(np.sqrt(10 * 0.7 * 0.3), abs=0.1)


def test_replicates_are_centred() -> None:
    ratings = _rate(simulate(1, 5, 12)).bootstrap(replicates=50).ratings
    np.testing.assert_allclose(ratings.mean(axis=1), 0.0, atol=1e-9)


def test_overlapping_splits_vary_more() -> None:
    """With a fifth for testing and 12 splits, variances grow by 1 + 12 · 0.2/0.8 = 4."""
    scores = simulate(1, 5, 12)
    plain, wide = (
        _rate(scores, test_fraction=share).bootstrap(replicates=50) for share in (None, 0.2)
    )
    np.testing.assert_allclose(
        wide.ratings - wide.observed, 2.0 * (plain.ratings - plain.observed), rtol=1e-9, atol=1e-9
    )


def test_maximum_likelihood_ratings_are_resampled_by_the_bias_reduced_estimator() -> None:
    scores = simulate(2, 4, 20, spread=0.5)
    mle, reduced = _rate(scores, estimator="mle"), _rate(scores)
    found, expected = (board.bootstrap(replicates=60) for board in (mle, reduced))
    order = [mle.players.index(player) for player in reduced.players]
    np.testing.assert_allclose(found.observed[order], expected.observed, atol=1e-7)
    np.testing.assert_allclose(found.ratings[:, order], expected.ratings, atol=1e-7)
    assert found.rating("p0").value != mle.row("p0").epp


def test_columns_hold_the_same_for_all_players() -> None:
    found = _small()
    columns = found.columns()
    assert columns["player"] == list(found.players)
    for place, player in enumerate(found.players):
        rating, rank = found.rating(player), found.rank(player)
        own = [columns[name][place] for name in ("rating", "low", "high")]
        assert own == [rating.value, rating.low, rating.high]
        own = [columns[name][place] for name in ("rank", "rank_low", "rank_high")]
        assert own == [rank.value, rank.low, rank.high]
        assert columns["first_in"][place] == found.first_in[place]
    data = found.to_dict()
    assert (data["replicates"], data["seed"], data["level"]) == (5, 0, 0.5)
    assert [row["player"] for row in data["players"]] == list(found.players)


# Seeds and workers --------------------------------------------------------------------------------


def _battles() -> Leaderboard:
    rows = [("A", "B", "model_a"), ("B", "C", "model_a"), ("C", "A", "model_a"), ("A", "B", "tie")]
    return winodds.rate_battles(
        pl.DataFrame(rows * 4, ["model_a", "model_b", "winner"], orient="row")
    )


BOARDS: dict[str, Callable[[], Leaderboard]] = {
    "complete": lambda: _rate(simulate(1, 5, 12)),
    "across": lambda: _rate(simulate(1, 5, 8), matches="across"),
    "battles": _battles,
    "separate": _separate,
}


@pytest.mark.parametrize("name", list(BOARDS))
def test_result_depends_on_the_seed_and_not_on_the_workers(name: str) -> None:
    board = BOARDS[name]()
    first = board.bootstrap(replicates=700, seed=3)
    assert first.ratings.shape == (700, len(board))
    for again in (
        board.bootstrap(replicates=700, seed=3),
        board.bootstrap(replicates=700, seed=3, n_jobs=2),
    ):
        np.testing.assert_array_equal(again.ratings, first.ratings)
    other = board.bootstrap(replicates=700, seed=4)
    assert (other.ratings != first.ratings).any()
    np.testing.assert_array_equal(other.observed, first.observed)


def test_components_that_never_met_are_resampled_each_on_its_own() -> None:
    board = _separate()
    found = board.bootstrap(replicates=100)
    assert sorted(np.bincount(found.component).tolist()) == [2, 3]
    for number in (0, 1):
        members = found.component == number
        np.testing.assert_allclose(found.ratings[:, members].mean(axis=1), 0.0, atol=1e-9)
        assert found.first_in[members].sum() == pytest.approx(1.0, abs=1e-12)
    assert sorted(found.rank(player).value for player in board.players) == [1, 1, 2, 2, 3]


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    _rate(simulate(1, 5, 12)).bootstrap(
        replicates=1200, progress=lambda done, total: told.append((done, total))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


# Misuse -------------------------------------------------------------------------------------------


def test_unknown_player_is_told_with_a_suggestion() -> None:
    found = _rate(simulate(1, 3, 12)).bootstrap(replicates=5)
    message = "No player 'p' on this leaderboard. Did you mean "
    for call in (
        lambda: found.rating("p"),
        lambda: found.difference("p0", "p"),
        lambda: found.rank("p"),
    ):
        assert sentence(UnknownPlayer, call).startswith(message)
    assert sentence(UnknownPlayer, lambda: found.rating("zebra")) == (
        "No player 'zebra' on this leaderboard."
    )


def test_players_without_a_common_scale_have_no_difference() -> None:
    found = _separate().bootstrap(replicates=5)
    assert sentence(NoCommonScale, lambda: found.difference("p0", "p3")) == (
        "'p0' and 'p3' belong to components that never met; their ratings cannot be compared."
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replicates": 0}, "replicates=0 is not possible; it is a whole number, 1 or more."),
        ({"replicates": 2.5}, "replicates=2.5 is not possible; it is a whole number, 1 or more."),
        ({"seed": -1}, "seed=-1 is not possible; it is a whole number, 0 or more."),
        (
            {"n_jobs": 0},
            "n_jobs=0 is not possible; it is a whole number, 1 or more, or −1 for all cores.",
        ),
    ],
)
def test_misuse_is_told(options: dict[str, object], message: str) -> None:
    call: Callable[..., object] = winodds.rate(three_by_three(), higher_is_better=True).bootstrap
    assert sentence(BadOption, lambda: call(**options)) == message
