"""Ratings with luck taken out: the noise, the spread of truth, and what follows for a board."""

import itertools
import json
from dataclasses import fields

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from scipy import integrate, stats
from scipy.special import expit
from tables import grid, sentence, texts, three_by_three

import winodds
from winodds import Leaderboard
from winodds.arrays import Floats
from winodds.board.leader import BoardSota, Pick
from winodds.errors import NoCommonScale
from winodds.inference.shrinkage import (
    Noise,
    Shrunken,
    best_of,
    make_noise,
    shrink,
    spread_of_truth,
    spreads_of_truth,
)


def _covariance(noise: Noise) -> Floats:
    return np.asarray(np.diag(noise.own) + noise.common @ noise.common.T, np.float64)


def _correlations(covariance: Floats) -> Floats:
    sd = np.sqrt(np.diag(covariance))
    return np.asarray(covariance / np.outer(sd, sd), np.float64)


def _without_diagonal(matrix: Floats) -> Floats:
    return matrix[~np.eye(len(matrix), dtype=bool)]


# Noise --------------------------------------------------------------------------------------------


def test_nine_clusters_keep_fifteen_sixteenths_of_a_correlation_of_root_half() -> None:
    """The square is 1/2, and its estimate's variance (1 − 1/2)²/8 = 1/32: a sixteenth of it."""
    influence = np.array([[3.0, 0.0], [1.0, 1.0]])
    found = _covariance(make_noise(np.array([2.0, 5.0]), influence, 9))
    # Of two ratings that are not centred, the variances are twice those of the centred ones.
    shared = 15.0 / 16.0 * np.sqrt(0.5) * 2.0 * (2.0 * 5.0)
    assert found == pytest.approx(np.array([[8.0, shared], [shared, 50.0]]))


def test_two_clusters_keep_half_of_a_correlation_of_root_half() -> None:
    """The variance is (1 − 1/2)²/1 = 1/4, half the square."""
    influence = np.array([[3.0, 0.0], [1.0, 1.0]])
    found = _covariance(make_noise(np.array([2.0, 5.0]), influence, 2))
    shared = 0.5 * np.sqrt(0.5) * 2.0 * (2.0 * 5.0)
    assert found == pytest.approx(np.array([[8.0, shared], [shared, 50.0]]))


def test_two_clusters_cannot_tell_a_correlation_of_a_half() -> None:
    """The square is 1/4, but the variance (1 − 1/4)² = 9/16."""
    influence = np.array([[3.0, 0.0], [1.0, np.sqrt(3.0)]])
    noise = make_noise(np.array([2.0, 5.0]), influence, 2)
    assert _covariance(noise) == pytest.approx(np.diag([8.0, 50.0]))
    assert not noise.common.any()


def test_four_clusters_keep_a_quarter_of_a_correlation_of_a_half() -> None:
    """The variance is 9/16/3 = 3/16, three quarters of the square."""
    influence = np.array([[3.0, 0.0], [1.0, np.sqrt(3.0)]])
    found = _covariance(make_noise(np.array([2.0, 5.0]), influence, 4))
    shared = 0.25 * 0.5 * 2.0 * (2.0 * 5.0)
    assert found == pytest.approx(np.array([[8.0, shared], [shared, 50.0]]))


def test_correlations_of_different_size_are_drawn_by_one_share() -> None:
    """Squares 1/2, 1/2 and 0 add up to 1, and 1/4, 1/4 and 1 to 3/2: with 7 clusters, a quarter."""
    influence = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    found = _covariance(make_noise(np.sqrt([2.0, 2.0, 2.0]), influence, 7))
    # Three ratings: 2·3/2 = 3.
    shared = 3.0 * 0.75 * np.sqrt(0.5)
    wanted = [[3.0, shared, 0.0], [shared, 3.0, shared], [0.0, shared, 3.0]]
    assert found == pytest.approx(np.array(wanted), abs=1e-12)


def test_a_certain_correlation_is_kept_whole() -> None:
    influence = np.array([[1.0, 2.0], [2.0, 4.0]])
    found = _covariance(make_noise(np.array([2.0, 5.0]), influence, 3))
    assert found == pytest.approx(np.array([[8.0, 20.0], [20.0, 50.0]]))


def test_without_influences_ratings_are_independent() -> None:
    found = _covariance(make_noise(np.array([2.0, 5.0]), None, 9))
    assert found == pytest.approx(np.diag([8.0, 50.0]))


@pytest.mark.parametrize("players", [2, 3, 8])
def test_errors_of_centred_ratings_become_those_of_ratings_that_are_not(players: int) -> None:
    variance = 1.7
    centre = np.eye(players) - 1.0 / players
    se = np.sqrt(np.diag(centre @ (variance * np.eye(players)) @ centre))
    assert make_noise(se, None, 1).variance == pytest.approx(np.full(players, variance))


@pytest.mark.parametrize(("players", "clusters"), [(4, 40), (9, 9), (30, 10)])
def test_noise_keeps_variances_and_draws_all_correlations_to_0_alike(
    players: int, clusters: int
) -> None:
    rng = np.random.default_rng(players)
    influence = rng.normal(size=(players, clusters)) + rng.normal(size=clusters)
    se = rng.uniform(0.1, 2.0, players)
    noise = make_noise(se, influence, clusters)
    assert noise.variance == pytest.approx(se**2 * players / (players - 1), rel=1e-12)
    raw = _without_diagonal(_correlations(influence @ influence.T))
    lost = float(((1.0 - raw**2) ** 2).sum()) / (clusters - 1) / float((raw**2).sum())
    assert 0.0 < lost < 1.0
    shrunken = _correlations(_covariance(noise))
    assert _without_diagonal(shrunken) == pytest.approx((1.0 - lost) * raw, abs=1e-12)


def test_correlations_looked_at_in_blocks_are_drawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _covariance(_example(9, 9)[1])
    monkeypatch.setattr("winodds.inference.shrinkage.BLOCK", 2 * 9)
    assert _covariance(_example(9, 9)[1]) == pytest.approx(whole, rel=1e-12)


def test_correlations_no_larger_than_chance_are_dropped() -> None:
    influence = np.eye(3) + 1e-3
    noise = make_noise(np.ones(3), influence, 4)
    assert noise.own == pytest.approx(np.full(3, 1.5), rel=1e-12)
    assert not noise.common.any()


def test_a_rating_that_no_cluster_moves_has_its_variance_on_its_own() -> None:
    influence = np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    found = _covariance(make_noise(np.array([2.0, 2.0, 4.0]), influence, 101))
    # One pair of three has correlation 1 and is certain; two have 0 and a variance of 1/100 each:
    # 2/100 of the sum of squares, 1, are lost. Three ratings: 4·3/2 = 6 and 16·3/2 = 24.
    shared = 0.98 * 6.0
    wanted = [[6.0, shared, 0.0], [shared, 6.0, 0.0], [0.0, 0.0, 24.0]]
    assert found == pytest.approx(np.array(wanted))


# The spread of truth ------------------------------------------------------------------------------


def test_with_equal_variances_the_spread_is_what_the_ratings_vary_beyond_them() -> None:
    beta = np.array([-2.0, -1.0, 0.0, 3.0])
    # Σ β̂²/(m − 1) = 14/3.
    assert spread_of_truth(beta, np.full(4, 1.0)) == pytest.approx(np.sqrt(11.0 / 3.0))
    assert spread_of_truth(beta, np.zeros(4)) == pytest.approx(np.sqrt(14.0 / 3.0))


def test_ratings_vary_no_more_than_luck_from_the_border_on() -> None:
    beta = np.array([-2.0, -1.0, 0.0, 3.0])
    assert spread_of_truth(beta, np.full(4, 14.0 / 3.0 + 1e-9)) == 0.0
    assert spread_of_truth(beta, np.full(4, 14.0 / 3.0 - 1e-3)) == pytest.approx(np.sqrt(1e-3))
    assert spread_of_truth(np.zeros(3), np.ones(3)) == 0.0


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_the_spread_solves_paule_and_mandels_equation_on_any_scale(scale: float) -> None:
    rng = np.random.default_rng(5)
    beta, variance = scale * rng.normal(size=12), (scale * rng.uniform(0.1, 0.9, 12)) ** 2
    tau = spread_of_truth(beta, variance)
    assert tau > 0.0
    assert (beta**2 / (tau**2 + variance)).sum() == pytest.approx(11.0, rel=1e-8)


def test_luck_of_centred_ratings_is_taken_from_their_spread_once() -> None:
    """Two ratings with variance 1 have centred ones with 1/2; 2 = Σ β̂² = τ² + 1."""
    noise = make_noise(np.sqrt([0.5, 0.5]), None, 1)
    assert noise.variance == pytest.approx(np.ones(2))
    assert spread_of_truth(np.array([-1.0, 1.0]), noise.variance) == pytest.approx(1.0)


def test_on_average_the_spreads_square_is_the_true_one() -> None:
    """Eight ratings with τ² = 3 and v = 1, of which all signs stand for the law: ±2 each.

    Σ β̂²/7 is 4 on average. Only where all signs are the same, it is below 1, namely 0, and
    τ² is estimated as 0 instead of −1.
    """
    signs = np.array(list(itertools.product([-2.0, 2.0], repeat=8)))
    variance = make_noise(np.sqrt(np.full(8, 7.0 / 8.0)), None, 1).variance
    squares = [spread_of_truth(beta - beta.mean(), variance) ** 2 for beta in signs]
    assert np.mean(squares) == pytest.approx(3.0 + 2.0 / 256.0, rel=1e-9)


# Shrinking ----------------------------------------------------------------------------------------


def _example(players: int = 5, clusters: int = 12) -> tuple[Floats, Noise]:
    rng = np.random.default_rng(players)
    beta = rng.normal(size=players)
    influence = 0.3 * (rng.normal(size=(players, clusters)) + rng.normal(size=clusters))
    se = rng.uniform(0.2, 0.6, players)
    return beta - beta.mean(), make_noise(se, influence, clusters)


@pytest.mark.parametrize(("players", "clusters"), [(5, 12), (8, 4)])
def test_shrinking_is_the_textbooks_formula(players: int, clusters: int) -> None:
    beta, noise = _example(players, clusters)
    assert noise.common.any()
    found = shrink(beta, noise, seed=1, draws=40_000, spreads=np.array([0.8]))
    square = 0.8**2
    inverse = np.linalg.inv(square * np.eye(players) + _covariance(noise))
    centre = np.eye(players) - 1.0 / players
    mean = centre @ (square * inverse @ beta)
    covariance = centre @ (square * np.eye(players) - square**2 * inverse) @ centre
    assert found.mean == pytest.approx(mean, rel=1e-10)
    variance = np.diag(covariance)
    error = np.sqrt((np.outer(variance, variance) + covariance**2) / 40_000)
    assert (np.abs(np.cov(found.draws.T) - covariance) <= 4.5 * error).all()
    assert (np.abs(found.draws.mean(axis=0) - mean) <= 4.5 * np.sqrt(variance / 40_000)).all()


def test_with_equal_errors_all_ratings_are_drawn_to_the_average_by_one_factor() -> None:
    beta = np.array([-2.0, -1.0, 0.0, 3.0])
    tau = np.array([1.0, 2.0])
    noise = make_noise(np.sqrt(np.full(4, 0.75)), None, 1)
    found = shrink(beta, noise, seed=1, draws=10, spreads=tau)
    # Variances are 0.75·4/3 = 1: 1/2 remain with τ = 1, and 4/5 with τ = 2.
    assert found.mean == pytest.approx(beta * 0.65)
    assert found.tau == 1.5


def test_spreads_are_quantiles_of_their_law() -> None:
    rng = np.random.default_rng(8)
    beta, variance = rng.normal(size=12), rng.uniform(0.1, 0.9, 12)
    beta -= beta.mean()

    def density(tau: float) -> float:
        whole = tau**2 + variance
        return float(np.exp(-0.5 * (11 / 12 * np.log(whole) + beta**2 / whole).sum()))

    total = integrate.quad(density, 0.0, 20.0, limit=200)[0]
    found = spreads_of_truth(beta, variance)
    shares = [integrate.quad(density, 0.0, tau)[0] / total for tau in found.tolist()]
    assert shares == pytest.approx((np.arange(found.size) + 0.5) / found.size, abs=0.01)


def test_equal_ratings_leave_a_small_spread_and_wide_ones_a_large_one() -> None:
    variance = np.full(10, 0.2)
    assert spreads_of_truth(np.zeros(10), variance).max() < 0.5
    wide = spreads_of_truth(10.0 * np.linspace(-1, 1, 10), variance)
    assert 4.0 < wide.min() < wide.max() < 14.0


def test_of_two_equal_ratings_the_less_certain_is_drawn_more() -> None:
    beta = np.array([2.0, 2.0, -2.0, -2.0])
    found = shrink(beta, make_noise(np.array([1.0, 0.1, 1.0, 0.1]), None, 1), seed=1, draws=10)
    assert found.mean[0] < found.mean[1]
    assert found.mean[:2] == pytest.approx(-found.mean[2:])


def test_draws_made_in_blocks_have_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    beta, noise = _example()
    whole = shrink(beta, noise, seed=1, draws=20_000)
    monkeypatch.setattr("winodds.inference.shrinkage.BLOCK", 7 * beta.size * 100 + 3)
    parts = shrink(beta, noise, seed=2, draws=20_000)
    assert parts.mean.tolist() == whole.mean.tolist()
    for k in range(beta.size):
        assert stats.ks_2samp(whole.draws[:, k], parts.draws[:, k]).pvalue > 1e-3


# The best of some ratings -------------------------------------------------------------------------


def test_best_of_hand_made_draws() -> None:
    draws = np.array([[3.0, 1.0, -4.0], [1.0, 2.0, -3.0], [2.0, 2.0, -4.0], [2.0, 1.0, -3.0]])
    found = Shrunken(draws.mean(axis=0), draws, 1.0)
    best = best_of(np.array([5.0, 1.0, -6.0]), found, np.arange(3), 0.5)
    assert (best.index, best.value) == (0, 2.0)
    # First twice, second once, and a tie.
    assert best.p_best == 2.5 / 4
    assert best.best == (3.0 + 2.0 + 2.0 + 2.0) / 4
    assert best.sd == pytest.approx(np.sqrt(0.5))
    assert (best.low, best.high) == (1.75, 2.25)


def test_best_is_taken_among_the_members_only() -> None:
    draws = np.array([[3.0, 1.0, -4.0], [1.0, 2.0, -3.0]])
    found = Shrunken(draws.mean(axis=0), draws, 1.0)
    best = best_of(np.array([5.0, 1.0, -6.0]), found, np.array([2, 1]), 0.95)
    assert (best.index, best.value, best.p_best, best.best) == (1, 1.5, 1.0, 1.5)


def test_relative_to_a_rating_that_is_0_everything_is_a_difference_of_draws() -> None:
    draws = np.array([[3.0, 1.0, -4.0], [1.0, 2.0, -3.0]])
    found = Shrunken(draws.mean(axis=0), draws, 1.0)
    best = best_of(np.array([5.0, 1.0, -6.0]), found, np.arange(3), 1.0, zero=np.array([2]))
    # The first leads by 7 and 4; the best of all by 7 and 5.
    assert (best.value, best.low, best.high, best.sd) == (5.5, 4.0, 7.0, 1.5)
    assert (best.best, best.p_best) == (6.0, 0.5)


def test_a_chance_to_win_is_the_mean_over_draws() -> None:
    draws = np.log([[3.0, 1.0, 1.0 / 3.0], [9.0, 1.0, 1.0 / 9.0]])
    found = Shrunken(draws.mean(axis=0), draws, 1.0)
    beta = np.array([5.0, 1.0, -6.0])
    # Odds of 3 and 9 against the average; of 9 and 81 against the last.
    best = best_of(beta, found, np.arange(3), 0.95)
    assert best.p_win == pytest.approx((3 / 4 + 9 / 10) / 2, rel=1e-12)
    best = best_of(beta, found, np.arange(3), 0.95, zero=np.array([2]))
    assert best.p_win == pytest.approx((9 / 10 + 81 / 82) / 2, rel=1e-12)


def test_where_nothing_is_known_everybody_is_as_likely_the_best() -> None:
    found = Shrunken(np.zeros(4), np.zeros((10, 4)), 0.0)
    best = best_of(np.array([1.0, 0.0, 0.0, -1.0]), found, np.arange(4), 0.95)
    assert (best.p_best, best.p_win) == (0.25, 0.5)


# Boards -------------------------------------------------------------------------------------------

FAMILIES = {"p0": "tree", "p1": "tree", "p2": "net", "p3": "line", "p4": "net", "p5": "tree"}


def _table() -> pl.DataFrame:
    family = pl.col("player").replace_strict(FAMILIES).alias("family")
    return long_table(simulate(3, 6, 12)).with_columns(family)


def _rate(table: pl.DataFrame | None = None, *, reference: str | None = None) -> Leaderboard:
    return winodds.rate(
        _table() if table is None else table,
        higher_is_better=True,
        family="family",
        reference=reference,
    )


def test_a_whole_board_in_words() -> None:
    assert str(_rate().sota()) == (
        "p0 has the highest of 6 ratings, partly by luck. Without luck in any of them,\n"
        "its rating is 1.77 (95% interval 0.80 to 2.78), not 2.05. In new rounds it beats\n"
        "the average player in 84 of 100 (not 89 of 100), p2 in 79 of 100 (not 83 of\n"
        "100), and is truly the best with probability 0.97.\n"
        "\n"
        "best of   player    EPP  without luck  95% interval  P(best)\n"
        "--------  ------  -----  ------------  ------------  -------\n"
        "all (6)   p0       2.05          1.77   0.80 … 2.78      97%\n"
        "tree (3)  p0       2.05          1.77   0.80 … 2.78      99%\n"
        "net (2)   p2       0.43          0.35  -0.42 … 1.17      54%\n"
        "line (1)  p3      -0.52         -0.49  -1.43 … 0.42\n"
    )


def test_a_pick_says_what_luck_adds() -> None:
    board = _rate()
    found, ratings = board.sota(), {row.player: row.epp for row in board}
    assert found.leader.player == board.players[0]
    for pick in (found.leader, *found.families):
        assert pick.epp == ratings[pick.player]
        assert pick.selection_bias == pick.epp - pick.sota
        assert pick.p_average == pytest.approx(expit(pick.epp))
        law = stats.norm(pick.sota, pick.sd)
        assert pick.p_average_sota == pytest.approx(law.expect(expit), abs=0.006)
        assert pick.low < pick.sota < pick.high
    assert 0.0 < found.leader.sota < found.leader.epp
    # Chances over a law are nearer to 1/2 than the chance at its mean.
    assert 0.5 < found.leader.p_average_sota < expit(found.leader.sota) - 0.005


def test_every_family_has_its_best_player_best_first() -> None:
    board, found = _rate(), _rate().sota()
    firsts: dict[str, str] = {}
    for player in board.players:
        firsts.setdefault(FAMILIES[player], player)
    assert {str(pick.family): pick.player for pick in found.families} == firsts
    assert [pick.player for pick in found.families] == list(firsts.values())
    assert {pick.family: pick.of for pick in found.families} == {"tree": 3, "net": 2, "line": 1}


def test_the_only_member_of_a_family_is_its_best() -> None:
    line = next(pick for pick in _rate().sota().families if pick.family == "line")
    assert line.p_best == 1.0
    assert line.best == pytest.approx(line.sota, abs=5.0 * line.sd / np.sqrt(4000))


def test_without_families_there_is_only_the_leader() -> None:
    found = winodds.rate(_table(), higher_is_better=True).sota()
    assert found.families == ()
    assert found.leader == _rate().sota().leader


def test_of_two_players_the_chance_to_be_the_best_follows_from_the_difference() -> None:
    table = grid({"a": [2, 2, 2, 2, 2, 2, 2, 0, 2, 2, 2, 2], "b": [1] * 12})
    leader = winodds.rate(table, higher_is_better=True).sota().leader
    chance = stats.norm.cdf(leader.sota / leader.sd)
    assert 0.9 < chance < 0.999
    assert leader.p_best == pytest.approx(chance, abs=0.02)


def test_a_reference_moves_ratings_and_no_chances_between_players() -> None:
    plain, moved = _rate().sota(), _rate(reference="p3").sota()
    zero = next(pick for pick in plain.families if pick.player == "p3")
    assert moved.leader.sota == pytest.approx(plain.leader.sota - zero.sota)
    assert moved.leader.epp == pytest.approx(plain.leader.epp - zero.epp)
    assert moved.leader.best == pytest.approx(plain.leader.best - zero.best)
    assert moved.leader.p_best == plain.leader.p_best
    assert moved.p_runner_up == pytest.approx(plain.p_runner_up)
    assert moved.p_runner_up_sota == pytest.approx(plain.p_runner_up_sota)
    own = next(pick for pick in moved.families if pick.player == "p3")
    assert (own.epp, own.sota, own.low, own.high) == (0.0,) * 4
    assert (own.p_average, own.p_average_sota) == (0.5, 0.5)
    assert moved.reference == "p3"


def test_a_reference_does_not_move_what_luck_adds() -> None:
    plain, moved = _rate().sota(), _rate(reference="p3").sota()
    bias = {pick.player: pick.selection_bias for pick in (plain.leader, *plain.families)}
    assert bias["p0"] > 0.0 > bias["p3"]
    for pick in (moved.leader, *moved.families):
        assert pick.selection_bias == pytest.approx(bias[pick.player])
        assert pick.epp - pick.sota == pytest.approx(bias[pick.player] - bias["p3"])


def test_with_the_runner_up_as_reference_beating_it_is_beating_the_reference() -> None:
    found = _rate(reference="p2").sota()
    assert found.runner_up == "p2"
    assert found.leader.p_average == pytest.approx(found.p_runner_up)
    assert found.leader.p_average_sota == pytest.approx(found.p_runner_up_sota)
    assert found.p_runner_up_sota == pytest.approx(_rate().sota().p_runner_up_sota)


def _differ(one: BoardSota, other: BoardSota) -> float:
    """The largest difference of two boards with the same players in the same places."""
    gaps = [abs(one.tau - other.tau), abs(one.p_runner_up - other.p_runner_up)]
    for a, b in zip((one.leader, *one.families), (other.leader, *other.families), strict=True):
        assert (a.player, a.family, a.of) == (b.player, b.family, b.of)
        gaps += [abs(a.epp - b.epp), abs(a.sota - b.sota)]
        gaps += [abs(a.selection_bias - b.selection_bias), abs(a.p_average - b.p_average)]
    return max(gaps)


def _drawn(board: BoardSota) -> list[float]:
    """Chances that rest on draws."""
    return [board.p_runner_up_sota, board.leader.p_average_sota, board.leader.p_best]


def test_the_order_of_rows_does_not_matter() -> None:
    mixed = _rate(_table().sample(fraction=1.0, shuffle=True, seed=4)).sota()
    assert _differ(_rate().sota(), mixed) < 1e-9
    assert _drawn(mixed) == pytest.approx(_drawn(_rate().sota()), abs=0.01)


def test_seeds_reproduce_and_move_only_what_is_drawn() -> None:
    board = _rate()
    assert board.sota(seed=7) == board.sota(seed=7)
    one, other = board.sota(seed=7), board.sota(seed=8)
    assert _differ(one, other) == 0.0
    assert one.leader.low != other.leader.low
    assert one.leader.low == pytest.approx(other.leader.low, abs=0.1)
    assert all(a != b for a, b in zip(_drawn(one), _drawn(other), strict=True))
    assert _drawn(one) == pytest.approx(_drawn(other), abs=0.01)
    seeded = winodds.rate(_table(), higher_is_better=True, family="family", seed=7)
    assert seeded.sota() == one


def test_a_board_that_was_written_and_read_says_the_same() -> None:
    board = _rate()
    assert Leaderboard.from_json(board.to_json()).sota() == board.sota()


def test_components_that_never_met_have_no_common_leader() -> None:
    table = grid({"a": [1, 2, 3], "b": [2, 1, 2], "c": [None] * 3, "d": [None] * 3})
    apart = table.with_columns(
        pl.col("round") + 3,
        player=pl.col("player").replace({"a": "c", "b": "d", "c": "a", "d": "b"}),
    )
    both = pl.concat([table, apart]).drop_nulls()
    board = winodds.rate(both, higher_is_better=True, components="separate")
    assert sentence(NoCommonScale, board.sota) == (
        "'a' and 'c' belong to components that never met; their ratings cannot be compared."
    )


def test_plain_data_holds_everything() -> None:
    found = _rate().sota()
    data = found.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False))["schema"] == "winodds/best/2"
    assert set(data) == {"schema", *(field.name for field in fields(BoardSota))}
    assert set(data["leader"]) == {field.name for field in fields(Pick)}
    assert Pick(**data["leader"]) == found.leader
    assert tuple(Pick(**pick) for pick in data["families"]) == found.families


def test_plain_data_survives_json_unchanged() -> None:
    data = _rate().sota().to_dict()
    assert json.loads(json.dumps(data)) == data


def test_an_ordinary_board_leaves_no_doubts() -> None:
    assert _rate().sota().notes == ()


def test_ridge_ratings_are_said_to_be_drawn_twice() -> None:
    board = winodds.rate(_table(), higher_is_better=True, estimator="ridge")
    assert texts(board.sota().notes) == (
        "Ridge ratings are drawn to the average already; this draws them once more.",
    )


def test_model_based_errors_are_said_to_hide_luck() -> None:
    board = winodds.rate(_table(), higher_is_better=True, interval="model")
    assert texts(board.sota().notes) == (
        "The board's intervals take all matches as independent, so luck is underestimated.",
    )


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_few_players_are_said_not_to_tell_the_spread(players: int) -> None:
    table = long_table(simulate(3, players, 12))
    notes = winodds.rate(table, higher_is_better=True).sota().notes
    few = "So few players hardly tell how much true ratings vary."
    assert (few in texts(notes)) == (players < 4)


def test_ratings_that_luck_explains_are_said_to_be() -> None:
    found = winodds.rate(three_by_three(), higher_is_better=True).sota()
    assert str(found.notes[-1]) == "The ratings vary no more than luck alone would make them."
    assert found.leader.selection_bias > 0.5 * found.leader.epp > 0.0


def test_a_leader_far_ahead_is_said_to_be_drawn_too_far() -> None:
    strength = np.array([6.0, *[0.0] * 15])
    scores = strength + np.random.default_rng(4).gumbel(size=(40, 16))
    found = winodds.rate(long_table(scores), higher_is_better=True).sota()
    assert texts(found.notes) == (
        "The leader is farther ahead than a normal spread of strengths allows, so this draws it "
        "back too far.",
    )


def test_a_leader_far_ahead_of_few_does_not_hide_in_a_spread_it_makes() -> None:
    """A leader of seven is never more than 6/√7 = 2.27 of their spreads ahead of the average.

    Under a normal law the highest of seven is as often as 7·0.012 = 0.08 so far ahead; only the
    spread of the others shows that it is rare.
    """
    strength = np.array([4.0, *[0.0] * 6])
    scores = strength + np.random.default_rng(4).gumbel(size=(100, 7))
    board = winodds.rate(long_table(scores), higher_is_better=True)
    assert texts(board.sota().notes) == (
        "The leader is farther ahead than a normal spread of strengths allows, so this draws it "
        "back too far.",
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_leader_of_evenly_spread_players_is_not_said_to_be_far_ahead(seed: int) -> None:
    scores = np.linspace(1.5, -1.5, 7) + np.random.default_rng(seed).gumbel(size=(100, 7))
    assert winodds.rate(long_table(scores), higher_is_better=True).sota().notes == ()


def test_an_interval_has_a_width_even_where_luck_explains_the_ratings() -> None:
    """Three rounds of three players do not tell that all are equal to the last digit."""
    leader = winodds.rate(three_by_three(), higher_is_better=True).sota().leader
    assert leader.low < leader.high


@pytest.mark.parametrize("seed", range(8))
def test_the_leader_is_the_boards_first_player_even_in_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.array([rng.permutation([1.0, 1.0, 0.0, 0.0]) for _ in range(6)])
    scores = np.concatenate([scores, scores[:, [1, 0, 3, 2]]])
    board = winodds.rate(long_table(scores), higher_is_better=True)
    found = board.sota()
    assert (found.leader.player, found.runner_up) == board.players[:2]


def test_a_leader_who_is_the_reference_is_not_compared_with_itself() -> None:
    words = str(_rate(reference="p0").sota()).split("\n\n")[0].replace("\n", " ")
    assert words == (
        "p0 has the highest of 6 ratings, partly by luck. In new rounds it beats p2 in 79 of 100 "
        "(not 83 of 100), and is truly the best with probability 0.97."
    )


def test_a_board_of_battles_speaks_of_battles() -> None:
    battles = pl.DataFrame(
        {
            "left": ["a", "b", "c"] * 20,
            "right": ["b", "c", "a"] * 20,
            "winner": ["a", "b", "a"] * 15 + ["b", "c", "c"] * 5,
        }
    )
    board = winodds.rate_battles(battles, left="left", right="right", winner="winner")
    assert board.sota().leader.player == "a"
    assert "new battles" in str(board.sota()).replace("\n", " ")


def test_a_season_has_a_leader_for_every_tournament() -> None:
    both = pl.concat(
        [
            long_table(simulate(seed, 4, 10)).with_columns(pl.lit(name).alias("data"))
            for name, seed in (("iris", 1), ("wine", 2))
        ]
    )
    season = winodds.rate_each(both, tournament="data", higher_is_better=True)
    found = season.sota(seed=3)
    assert found == {name: season[name].sota(seed=3) for name in ("iris", "wine")}
    assert found["iris"].leader.player == season["iris"].players[0]
