"""Standard errors and interval ends against slow twins and by hand."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given
from reference import Match, fit_slow, matches_within, reach, robust_slow, win_matrix
from scipy import stats

from winodds.arrays import Floats, Ints
from winodds.design.dense import DenseInformation
from winodds.design.kernel import KernelInformation
from winodds.fit.newton import Fit, fit
from winodds.inference.intervals import Uncertainty, quantify
from winodds.inference.structure import find_structure
from winodds.matches.across import count_across
from winodds.matches.battles import count_battles
from winodds.matches.results import Battles
from winodds.matches.wins import Wins
from winodds.matches.within import count_within


def _quantify(wins: Wins, found: Fit, **options: object) -> Uncertainty:
    return quantify(wins, found, find_structure(wins), **options)  # type: ignore[arg-type]


def _robust_covariance(uncertainty: Uncertainty) -> Floats:
    influence = uncertainty.intervals.influence
    assert influence is not None
    covariance: Floats = influence @ influence.T
    return covariance


@given(score_tables(missing=True))
def test_robust_covariance_equals_its_slow_twin(scores: Floats) -> None:
    matches = matches_within(scores)
    table = win_matrix(matches, scores.shape[1])
    rounds = {match.round for match in matches}
    if len(rounds) < 2 or not reach(table + table.T).all():
        return
    wins = count_within(make_results(scores))
    found = fit(wins.wins, wins.design)
    slow = fit_slow(table, estimator="bias-reduced")
    exact = robust_slow(matches, slow.beta, slow.covariance, {r: r for r in rounds})
    np.testing.assert_allclose(
        _robust_covariance(_quantify(wins, found)), exact, rtol=1e-6, atol=1e-8
    )


def test_clusters_of_several_rounds_add_up_their_scores() -> None:
    scores = simulate(1, 8, 12)
    cluster = np.repeat(np.arange(4.0), 3)
    wins = count_within(make_results(scores, cluster=cluster))
    found = fit(wins.wins, wins.design)
    slow = fit_slow(win_matrix(matches_within(scores), 8), estimator="bias-reduced")
    exact = robust_slow(
        matches_within(scores), slow.beta, slow.covariance, {r: int(cluster[r]) for r in range(12)}
    )
    uncertainty = _quantify(wins, found)
    np.testing.assert_allclose(_robust_covariance(uncertainty), exact, atol=1e-10)
    assert uncertainty.intervals.clusters == 4
    assert uncertainty.intervals.played.tolist() == [4] * 8


def test_weighted_rounds_weigh_in_the_sandwich() -> None:
    scores, weight = simulate(2, 6, 10), np.linspace(0.5, 1.5, 10)
    wins = count_within(make_results(scores, weight=weight))
    matches = matches_within(scores, weight=weight / weight.mean())
    slow = fit_slow(win_matrix(matches, 6), estimator="bias-reduced")
    exact = robust_slow(matches, slow.beta, slow.covariance, {r: r for r in range(10)})
    found = fit(wins.wins, wins.design)
    np.testing.assert_allclose(_robust_covariance(_quantify(wins, found)), exact, atol=1e-10)


def _battles(scores: Floats, cluster: Ints | None) -> tuple[Battles, list[Match]]:
    matches = matches_within(scores)
    first = np.array([match.first for match in matches])
    second = np.array([match.second for match in matches])
    outcome = np.array([match.outcome for match in matches])
    players = scores.shape[1]
    return Battles(players, first, second, outcome, np.ones(first.size), cluster), matches


def test_battles_clustered_by_round_equal_rounds() -> None:
    scores = simulate(3, 7, 9)
    rounds = np.array([match.round for match in matches_within(scores)])
    battles, _ = _battles(scores, rounds)
    by_battle = count_battles(battles)
    by_round = count_within(make_results(scores))
    first = _quantify(by_battle, fit(by_battle.wins, by_battle.design)).of_ratings()
    second = _quantify(by_round, fit(by_round.wins, by_round.design)).of_ratings()
    for a, b in zip(
        (first.value, first.se, first.low, first.high),
        (second.value, second.se, second.low, second.high),
        strict=True,
    ):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_battles_on_their_own_are_each_a_cluster() -> None:
    scores = simulate(4, 6, 8)
    battles, matches = _battles(scores, None)
    wins = count_battles(battles)
    found = fit(wins.wins, wins.design)
    slow = fit_slow(win_matrix(matches, 6), estimator="bias-reduced")
    alone = [
        Match(match.first, match.second, match.outcome, match.weight, k)
        for k, match in enumerate(matches)
    ]
    exact = robust_slow(alone, slow.beta, slow.covariance, {k: k for k in range(len(alone))})
    np.testing.assert_allclose(_robust_covariance(_quantify(wins, found)), exact, atol=1e-10)


def test_many_clusters_give_the_same_errors_as_few(monkeypatch: pytest.MonkeyPatch) -> None:
    wins = count_within(make_results(simulate(5, 5, 40)))
    found = fit(wins.wins, wins.design)
    few = _quantify(wins, found)
    monkeypatch.setattr("winodds.inference.clusters.FEW_CLUSTERS", 3)
    monkeypatch.setattr("winodds.inference.clusters.FEW_INFLUENCES", 3)
    many = _quantify(wins, found)
    np.testing.assert_allclose(_robust_covariance(many), _robust_covariance(few), atol=1e-12)
    np.testing.assert_allclose(many.of_ratings().low, few.of_ratings().low, atol=1e-10)


def test_error_is_the_larger_of_robust_and_model_based() -> None:
    wins = count_within(make_results(np.tile([3.0, 2.0, 1.0], (8, 1))))
    found = fit(wins.wins, wins.design)
    robust, model = _quantify(wins, found), _quantify(wins, found, kind="model")
    np.testing.assert_array_equal(robust.of_ratings().se, model.of_ratings().se)
    wide = count_within(make_results(simulate(6, 20, 15)))
    found = fit(wide.wins, wide.design)
    uncertainty = _quantify(wide, found)
    robust_error = np.sqrt(_robust_covariance(uncertainty).diagonal())
    model_error = np.sqrt(found.information.variances())
    assert (robust_error > 1.5 * model_error).sum() > 15
    np.testing.assert_allclose(
        uncertainty.of_ratings().se, np.maximum(robust_error, model_error), rtol=1e-12
    )


def test_half_width_is_the_larger_of_t_robust_and_z_model_based() -> None:
    wins = count_within(make_results(simulate(7, 4, 9)))
    found = fit(wins.wins, wins.design)
    uncertainty = _quantify(wins, found)
    robust = np.sqrt(_robust_covariance(uncertainty).diagonal()) * stats.t.ppf(0.975, 8)
    model = np.sqrt(found.information.variances()) * stats.norm.ppf(0.975)
    estimates = uncertainty.of_ratings()
    np.testing.assert_allclose(0.5 * (estimates.high - estimates.low), np.maximum(robust, model))


def test_a_player_of_few_rounds_has_the_quantile_of_these() -> None:
    scores = simulate(16, 6, 12)
    scores[3:, 5] = np.nan
    wins = count_within(make_results(scores))
    assert wins.evidence.played.tolist() == [12, 12, 12, 12, 12, 3]
    found = fit(wins.wins, wins.design)
    uncertainty = _quantify(wins, found)
    ratings = uncertainty.of_ratings()
    influence = uncertainty.intervals.influence
    assert influence is not None
    # Of the rounds that the player missed, none holds a share of its matches.
    lift = np.where(np.arange(12) < 3, 3 / 2, 1.0) / (12 / 11)
    error = np.sqrt((influence[5] ** 2 * lift).sum())
    model = np.sqrt(found.information.variances())[5]
    half = max(stats.t.ppf(0.975, 2) * error, stats.norm.ppf(0.975) * model)
    assert 0.5 * (ratings.high[5] - ratings.low[5]) == pytest.approx(half)
    assert ratings.se[5] == pytest.approx(max(error, model))
    own = np.sqrt((influence[0] ** 2).sum())
    assert ratings.se[0] == pytest.approx(max(own, np.sqrt(found.information.variances())[0]))
    pair = uncertainty.of_differences(np.array([0, 0]), np.array([5, 1]))
    assert (pair.high - pair.low)[0] > 1.5 * (pair.high - pair.low)[1]


def test_an_interval_holds_its_own_estimate() -> None:
    wins = count_within(make_results(simulate(17, 300, 2)))
    ratings = _quantify(wins, fit(wins.wins, wins.design)).of_ratings()
    assert (ratings.low <= ratings.value).all()
    assert (ratings.value <= ratings.high).all()
    assert (ratings.high == ratings.value).any()


def test_model_interval_is_the_papers_wald_interval() -> None:
    wins = count_within(make_results(simulate(8, 6, 12)))
    found = fit(wins.wins, wins.design, estimator="mle")
    estimates = _quantify(wins, found, kind="model", level=0.9).of_ratings()
    half = stats.norm.ppf(0.95) * np.sqrt(found.information.variances())
    np.testing.assert_allclose(estimates.low, found.beta - half)
    np.testing.assert_allclose(estimates.high, found.beta + half)


def test_overlap_widens_errors_but_moves_no_rating() -> None:
    wins = count_within(make_results(simulate(9, 10, 20)))
    found = fit(wins.wins, wins.design)
    plain, wider = _quantify(wins, found), _quantify(wins, found, overlap=3.0)
    np.testing.assert_allclose(wider.of_ratings().se, np.sqrt(3.0) * plain.of_ratings().se)
    np.testing.assert_array_equal(wider.intervals.bias, plain.intervals.bias)


def test_bias_is_zero_for_ridge_and_toward_the_ends_otherwise() -> None:
    wins = count_within(make_results(simulate(10, 40, 20)))
    ridge = fit(wins.wins, wins.design, estimator="ridge", prior_sd=2.0)
    assert not _quantify(wins, ridge, shrunken=True).intervals.bias.any()
    found = fit(wins.wins, wins.design)
    bias = _quantify(wins, found).intervals.bias
    assert bias[found.beta.argmax()] > 0.02
    assert bias[found.beta.argmin()] < -0.02


def test_bias_estimate_equals_its_slow_twin() -> None:
    """The same in the full space of ratings, with the matrix root of the model's covariance."""
    scores = simulate(18, 7, 12)
    scores[2:5, 3] = np.nan
    wins = count_within(make_results(scores))
    found = fit(wins.wins, wins.design)
    uncertainty = _quantify(wins, found)
    assert isinstance(found.information, DenseInformation)
    model, robust = found.information.inverse, _robust_covariance(uncertainty)
    values, vectors = np.linalg.eigh(model)
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    inverse_root = np.linalg.pinv(root, rcond=1e-5, hermitian=True)
    ratio, directions = np.linalg.eigh(inverse_root @ robust @ inverse_root)
    beyond = root @ (directions * np.maximum(ratio - 1.0, 0.0) @ directions.T) @ root
    chance = found.information.chances
    spread = beyond.diagonal()[:, None] + beyond.diagonal()[None, :] - 2.0 * beyond
    skew = found.information.information * (0.5 - chance) * spread
    exact = -model @ skew.sum(axis=1)
    np.testing.assert_allclose(uncertainty.intervals.bias, exact, atol=1e-9)


def test_bias_estimate_predicts_the_bias() -> None:
    strengths = np.linspace(-2.0, 2.0, 20)
    rng = np.random.default_rng(11)
    gumbel = rng.gumbel(size=(400, 12, 20))
    errors, estimates = [], []
    for noise in gumbel:
        wins = count_within(make_results(strengths + noise))
        found = fit(wins.wins, wins.design)
        errors.append(found.beta - strengths)
        estimates.append(_quantify(wins, found).intervals.bias)
    bias, predicted = np.mean(errors, axis=0), np.mean(estimates, axis=0)
    ends = [0, 1, 18, 19]
    simulation_error = np.std(errors, axis=0)[ends] / np.sqrt(400)
    assert (np.abs(bias[ends]) > 3.0 * simulation_error).all()
    assert (np.abs(bias - predicted)[ends] < 0.5 * np.abs(bias[ends])).all()


def test_differences_need_no_square_array_but_agree_with_one() -> None:
    wins = count_within(make_results(simulate(12, 300, 10)))
    found = fit(wins.wins, wins.design)
    assert isinstance(found.information, KernelInformation)
    uncertainty = _quantify(wins, found)
    first, second = np.array([0, 5, 17]), np.array([1, 250, 3])
    robust = _robust_covariance(uncertainty)
    model = found.information.solve(np.eye(300) - 1.0 / 300)
    for k, (i, j) in enumerate(zip(first, second, strict=True)):
        variances = [v[i, i] + v[j, j] - 2.0 * v[i, j] for v in (robust, model)]
        exact = np.sqrt(max(variances))
        assert uncertainty.of_differences(first, second).se[k] == pytest.approx(exact, rel=1e-9)


def test_unbeaten_player_keeps_an_open_interval() -> None:
    scores = np.array([[1.0, 2, 9, 3, 4], [2, 3, 9, 4, 1], [3, 4, 9, 1, 2], [4, 1, 9, 2, 3]])
    wins = count_within(make_results(scores))
    uncertainty = _quantify(wins, fit(wins.wins, wins.design))
    ratings, around_all = uncertainty.of_ratings(), uncertainty.of_ratings("all")
    for found in (ratings, around_all):
        assert np.isinf(found.high).tolist() == [False, False, True, False, False]
    assert np.isfinite(ratings.low).all()
    assert np.isinf(around_all.low).tolist() == [True, True, False, True, True]
    against = uncertainty.of_differences(np.array([2, 0, 0]), np.array([0, 2, 1]))
    assert np.isinf(against.high).tolist() == [True, False, False]
    assert np.isinf(against.low).tolist() == [False, True, False]
    assert (ratings.se > 0.0).all()


def test_a_player_against_itself_differs_by_nothing() -> None:
    wins = count_within(make_results(simulate(14, 4, 6)))
    same = _quantify(wins, fit(wins.wins, wins.design)).of_differences(np.array([1]), np.array([1]))
    assert (same.value[0], same.se[0], same.low[0], same.high[0]) == (0.0, 0.0, 0.0, 0.0)


def test_one_step_jackknife_is_close_to_refitting() -> None:
    scores = simulate(15, 8, 12)
    wins = count_across(make_results(scores))
    found = fit(wins.wins, wins.design)
    one_step = np.sqrt(_robust_covariance(_quantify(wins, found)).diagonal())
    left_out = []
    for r in range(12):
        rest = count_across(make_results(np.delete(scores, r, axis=0)))
        left_out.append(fit(rest.wins, rest.design).beta)
    deviation = np.array(left_out) - np.mean(left_out, axis=0)
    refitted = np.sqrt(11 / 12 * (deviation**2).sum(axis=0))
    np.testing.assert_allclose(one_step, refitted, rtol=0.12)


def test_importing_the_numerics_does_not_load_scipy_stats() -> None:
    code = "import sys, winodds.board.rating; print('scipy.stats' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
