"""Fits against a slow twin, hand cases and the equations they solve."""

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given
from reference import fit_slow, matches_within, reach, win_matrix
from scipy import sparse

from winodds.arrays import Floats
from winodds.design.design import Cliques, Pairs
from winodds.design.kernel import KernelInformation
from winodds.errors import BadOption, NotConverged, TooManyPlayers
from winodds.fit import newton as fit_module
from winodds.fit.newton import fit
from winodds.language.options import Estimator
from winodds.matches.within import count_within


def _complete(players: int, rounds: float = 1.0) -> Cliques:
    return Cliques(sparse.csr_array(np.ones((1, players))), np.array([rounds]))


def test_four_fold_example_of_the_paper() -> None:
    scores = np.array([[0.8, 0.9], [0.8, 0.78], [0.8, 0.78], [0.8, 0.78]])
    wins = count_within(make_results(scores))
    found = fit(wins.wins, wins.design, estimator="mle").beta
    assert found[0] - found[1] == pytest.approx(np.log(3.0), abs=1e-12)


def test_bias_reduction_of_two_players_adds_half_a_win_to_each() -> None:
    for won in range(11):
        wins = np.array([won, 10.0 - won])
        found = fit(wins, _complete(2, 10.0)).beta
        exact = np.log((won + 0.5) / (10.5 - won))
        assert found[0] - found[1] == pytest.approx(exact, abs=1e-10)


def test_ridge_of_two_players_solves_its_equation() -> None:
    found = fit(np.array([8.0, 2.0]), _complete(2, 10.0), estimator="ridge", prior_sd=0.5).beta
    chance = 1.0 / (1.0 + np.exp(found[1] - found[0]))
    assert 8.0 - 10.0 * chance == pytest.approx(found[0] / 0.25, abs=1e-9)
    assert found.sum() == pytest.approx(0.0, abs=1e-14)


ESTIMATORS: list[Estimator] = ["bias-reduced", "mle", "ridge"]


@given(score_tables(missing=True))
def test_fits_equal_their_slow_twins(scores: Floats) -> None:
    matches = matches_within(scores)
    table = win_matrix(matches, scores.shape[1])
    linked = reach(table + table.T)
    if len({match.round for match in matches}) < 2 or not linked.all():
        return
    wins = count_within(make_results(scores))
    for estimator in ESTIMATORS:
        if estimator == "mle" and not reach(table).all():
            continue
        slow = fit_slow(table, estimator=estimator)
        found = fit(wins.wins, wins.design, estimator=estimator, prior_sd=2.0)
        np.testing.assert_allclose(found.beta, slow.beta, atol=1e-8)
        np.testing.assert_allclose(
            found.information.variances(), slow.covariance.diagonal(), rtol=1e-7, atol=1e-10
        )


@pytest.mark.parametrize("spread", [0.0, 1.0, 4.0])
@pytest.mark.parametrize("estimator", ["bias-reduced", "ridge"])
def test_kernel_and_dense_fits_agree(
    spread: float, estimator: Estimator, monkeypatch: pytest.MonkeyPatch
) -> None:
    wins = count_within(make_results(simulate(3, 300, 12, spread=spread)))
    monkeypatch.setattr(Cliques, "uses_kernel", lambda _self, _width: True)
    kernel = fit(wins.wins, wins.design, estimator=estimator, prior_sd=2.0)
    assert isinstance(kernel.information, KernelInformation)
    monkeypatch.setattr(Cliques, "uses_kernel", lambda _self, _width: False)
    dense = fit(wins.wins, wins.design, estimator=estimator, prior_sd=2.0)
    np.testing.assert_allclose(kernel.beta, dense.beta, atol=1e-10)
    np.testing.assert_allclose(
        kernel.information.variances(), dense.information.variances(), rtol=1e-9
    )


def test_kernel_and_dense_fits_agree_with_missing_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = simulate(4, 400, 3)
    scores[np.random.default_rng(0).random(scores.shape) < 0.2] = np.nan
    scores[0] = simulate(5, 400, 1)[0]
    wins = count_within(make_results(scores))
    assert isinstance(wins.design, Cliques)
    monkeypatch.setattr(Cliques, "uses_kernel", lambda _self, _width: True)
    kernel = fit(wins.wins, wins.design)
    monkeypatch.setattr(Cliques, "uses_kernel", lambda _self, _width: False)
    dense = fit(wins.wins, wins.design)
    np.testing.assert_allclose(kernel.beta, dense.beta, atol=1e-9)
    np.testing.assert_allclose(
        kernel.information.variances(), dense.information.variances(), rtol=1e-8
    )


def test_coarse_start_leads_to_the_same_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    wins = count_within(make_results(simulate(6, 6000, 8)))
    quick = fit(wins.wins, wins.design)
    monkeypatch.setattr(fit_module, "COARSE_FROM", 10**9)
    plain = fit(wins.wins, wins.design)
    assert quick.iterations < plain.iterations
    np.testing.assert_allclose(quick.beta, plain.beta, atol=1e-10)


def test_pairs_and_cliques_of_the_same_matches_agree() -> None:
    scores = simulate(7, 12, 6)
    wins = count_within(make_results(scores))
    first, second = np.triu_indices(12, 1)
    pairs = Pairs(first, second, np.full(first.size, 6.0), 12)
    np.testing.assert_allclose(
        fit(wins.wins, pairs).beta, fit(wins.wins, wins.design).beta, atol=1e-12
    )


def test_every_pair_meeting_once_in_a_chain_converges() -> None:
    players = 30
    first = np.arange(players - 1)
    pairs = Pairs(first, first + 1, np.ones(players - 1), players)
    wins = np.ones(players)
    wins[-1] = 0.0
    found = fit(wins, pairs).beta
    np.testing.assert_allclose(-np.diff(found), np.log(3.0), atol=1e-9)


@pytest.mark.parametrize("rounds", [2, 3, 20])
def test_players_in_the_same_order_every_round_are_rated(rounds: int) -> None:
    scores = np.tile(np.arange(200.0), (rounds, 1))
    wins = count_within(make_results(scores))
    found = fit(wins.wins, wins.design)
    bias = found.information.bias_score()
    np.testing.assert_allclose(wins.wins - found.information.expected + bias, 0.0, atol=1e-7)
    assert (np.diff(found.beta) > 0.0).all()


@pytest.mark.parametrize(("players", "rounds"), [(500, 20), (700, 2)])
def test_many_players_in_the_same_order_converge(players: int, rounds: int) -> None:
    wins = count_within(make_results(np.tile(np.arange(float(players)), (rounds, 1))))
    found = fit(wins.wins, wins.design)
    bias = found.information.bias_score()
    np.testing.assert_allclose(wins.wins - found.information.expected + bias, 0.0, atol=1e-6)


def test_newcomers_who_met_one_champion_each_are_rated() -> None:
    rng = np.random.default_rng(0)
    scores = np.full((885, 900), np.nan)
    scores[:5, :20] = rng.normal(size=(5, 20))
    for k in range(880):
        scores[5 + k, [k % 20, 20 + k]] = rng.normal(size=2) + np.array([1.0, 0.0])
    wins = count_within(make_results(scores))
    found = fit(wins.wins, wins.design)
    bias = found.information.bias_score()
    np.testing.assert_allclose(wins.wins - found.information.expected + bias, 0.0, atol=1e-9)


def test_the_first_step_is_no_proof_of_convergence() -> None:
    found = fit(np.array([57.0, 55.0, 41.0]), _complete(3, 51.0), estimator="mle")
    np.testing.assert_allclose(found.information.expected, [57.0, 55.0, 41.0], atol=1e-12)


def test_ridge_needs_its_prior() -> None:
    with pytest.raises(BadOption):
        fit(np.array([8.0, 2.0]), _complete(2, 10.0), estimator="ridge")


def test_a_fit_that_does_not_converge_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_module, "MAX_ITERATIONS", 2)
    with pytest.raises(NotConverged) as caught:
        fit(np.array([27.0, 20.0, 9.0, 4.0]), _complete(4, 10.0))
    assert str(caught.value).startswith("The fit did not converge in 2 iterations (the last step")


def test_steps_that_are_only_rounding_end_the_fit() -> None:
    # The same order in all of 20 rounds: ratings lie 1,850 apart, and no step gets below 1e-9.
    players, rounds = 500, 20.0
    order = np.random.default_rng(0).permutation(players)
    found = fit(rounds * order.astype(np.float64), _complete(players, rounds))
    assert found.iterations < 100
    gaps = np.diff(found.beta[np.argsort(order)])
    np.testing.assert_allclose(gaps, gaps[::-1], atol=1e-6)
    assert gaps.min() > 3.7


def test_a_fit_that_creeps_is_not_taken_for_one_that_has_arrived(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wins, design = np.array([27.0, 20.0, 9.0, 4.0]), _complete(4, 10.0)
    wanted = fit(wins, design).beta
    monkeypatch.setattr(fit_module, "MAX_STEP", 1e-3)
    np.testing.assert_allclose(fit(wins, design, start=np.zeros(4)).beta, wanted, atol=1e-9)


def test_incomplete_designs_too_large_for_memory_are_refused() -> None:
    players = 10_001
    first = np.arange(players - 1)
    pairs = Pairs(first, first + 1, np.ones(players - 1), players)
    with pytest.raises(TooManyPlayers) as caught:
        fit(np.ones(players), pairs)
    assert str(caught.value).startswith("10,001 players with many different patterns")
