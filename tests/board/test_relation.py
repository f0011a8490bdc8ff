"""How mean scores go with ratings."""

import json

import numpy as np
import polars as pl
import pytest
from scipy.optimize import curve_fit
from scipy.special import expit
from tables import grid, sentence

from winodds import Leaderboard, Season, rate, rate_battles
from winodds.arrays import Floats
from winodds.board.relation import fit_curve, fit_line
from winodds.errors import NoRelation
from winodds.show.words.relation import describe_off, describe_shape


def board(scores: Floats, *, higher: bool = True) -> Leaderboard:
    """A board of (players, rounds) scores, the players called p0, p1, …"""
    table = grid({f"p{k}": own for k, own in enumerate(scores.tolist())})
    return rate(table, higher_is_better=higher)


def noisy(players: int, rounds: int, seed: int = 3) -> Floats:
    rng = np.random.default_rng(seed)
    return np.linspace(0.0, 3.0, players)[:, None] + rng.normal(size=(players, rounds))


def with_bad_rounds() -> Floats:
    """Steady players, one of which has two rounds that spoil its mean and not its record."""
    scores = 0.9 + 0.01 * noisy(20, 12, seed=4)
    scores[15, :2] -= 0.2
    return scores


def test_curve_is_that_of_a_general_optimiser() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    y = 0.6 + 0.3 * expit(2.0 * (x + 0.4)) + 0.01 * rng.normal(size=60)
    found = fit_curve(x, y)

    def curve(at: Floats, start: float, height: float, steep: float, middle: float) -> Floats:
        return np.asarray(start + height * expit(steep * (at - middle)))

    wanted, _ = curve_fit(curve, x, y, p0=[0.5, 0.5, 1.0, 0.0])
    mine = [found.start, found.height, found.steepness, found.middle]
    np.testing.assert_allclose(mine, wanted, rtol=1e-4)
    assert found.r_squared == pytest.approx(np.corrcoef(found.at(x), y)[0, 1] ** 2)


def test_curve_falls_where_lower_is_better() -> None:
    x = np.linspace(-2.0, 2.0, 30)
    found = fit_curve(x, 5.0 - 3.0 * expit(3.0 * x))
    mine = [found.start, found.height, found.steepness, found.middle]
    np.testing.assert_allclose(mine, [5.0, -3.0, 3.0, 0.0], atol=1e-5)


def test_scores_that_go_with_log_odds_are_straight_and_shares_are_not() -> None:
    scores = noisy(20, 30)
    assert board(scores).relation().shape == "straight"
    assert board(expit(4.0 * (scores - 1.5))).relation().shape == "S-shaped"


def test_line_is_that_of_the_ratings_and_the_mean_scores() -> None:
    found = board(noisy(12, 9))
    mean = found.standings.mean_score
    assert mean is not None
    assert found.relation().line == fit_line(found.standings.epp, mean)
    assert found.relation().players == 12


def test_player_whose_bad_rounds_spoil_the_mean_is_named() -> None:
    relation = board(with_bad_rounds()).relation()
    assert [one.player for one in relation.off] == ["p15"]
    off = relation.off[0]
    assert off.unstable
    assert off.off < -3.5
    assert off.mean_score == pytest.approx(with_bad_rounds()[15].mean())
    spread = np.std(with_bad_rounds() - np.median(with_bad_rounds(), axis=0), axis=1, ddof=1)
    assert off.spread == pytest.approx(spread[15] / np.median(spread))
    assert describe_off(relation) == (
        "Far from it: p15 (mean score 0.8897, below the 0.9166 that go with its rating; its scores "
        "vary over rounds 7.8 times as much as usual)."
    )


def test_order_and_direction_of_scores_play_no_part() -> None:
    scores = with_bad_rounds()
    turned = board(-scores, higher=False).relation()
    straight = board(scores).relation()
    assert [one.player for one in turned.off] == [one.player for one in straight.off]
    assert turned.off[0].off == pytest.approx(-straight.off[0].off)
    assert turned.line.slope == pytest.approx(-straight.line.slope)
    mixed = board(scores[:, ::-1]).relation()
    assert mixed.off[0].spread == pytest.approx(straight.off[0].spread)


def test_few_players_have_a_line_only() -> None:
    relation = board(noisy(9, 9)).relation()
    assert (relation.curve, relation.shape, relation.off) == (None, "straight", ())
    assert describe_shape(relation) == describe_off(relation) == ""


def test_shape_in_words(demo_season: Season) -> None:
    assert describe_shape(demo_season["heart"].relation()) == (
        "A logistic curve describes them better than the line (R² 0.994 against 0.978)."
    )
    assert describe_shape(demo_season["digits"].relation()) == (
        "A logistic curve describes them no better than the line (R² 0.964 against 0.963)."
    )


def test_json_holds_all_of_it() -> None:
    data = json.loads(json.dumps(board(with_bad_rounds()).relation().to_dict()))
    assert data["off"][0]["player"] == "p15"
    assert data["off"][0]["unstable"] is True
    assert data["line"]["r_squared"] == pytest.approx(data["line"]["correlation"] ** 2)
    assert set(data["curve"]) == {"start", "height", "steepness", "middle", "r_squared"}


def test_what_has_no_mean_scores_has_no_relation() -> None:
    start = "Mean scores cannot be compared with ratings: "
    battles = pl.DataFrame({"winner": ["a", "b", "a", "c"], "loser": ["b", "a", "c", "a"]})
    found = rate_battles(battles, winner="winner", loser="loser")
    assert sentence(NoRelation, found.relation) == f"{start}battles have no scores."
    equal = rate(grid({"a": [1, 2], "b": [1, 2]}), higher_is_better=True)
    assert sentence(NoRelation, equal.relation) == f"{start}all ratings are equal."
    mixed = rate(
        grid({"a": [1, 2], "b": [2, 3], "c": [3, 1]}), higher_is_better={"1": True, "2": False}
    )
    assert sentence(NoRelation, mixed.relation) == (
        f"{start}what is better differs by round, so that means of scores have no sense."
    )
