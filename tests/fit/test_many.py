"""Many fits at once against one fit for each."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given, strategies as st
from scipy import sparse

from winodds.arrays import Floats, sum_by
from winodds.design.design import Cliques, Design, Pairs
from winodds.errors import SingularInformation
from winodds.fit import many as batch
from winodds.fit.many import fit_many
from winodds.fit.newton import Fit, fit
from winodds.matches.wins import RoundEvidence, Wins
from winodds.matches.within import count_within


def _fit_each(
    wins: Floats, design: Design, weights: Floats | None = None, ridge: float = 0.0
) -> Floats:
    """(B, m) the same by one fit for each row, with nothing to start from."""
    if weights is None:
        weights = np.tile(design.weights, (wins.shape[0], 1))
    found = [
        _fit_one(row, replace(design, weights=weight), ridge)
        for row, weight in zip(wins, weights, strict=True)
    ]
    return np.array([each.beta for each in found]).reshape(wins.shape)


def _fit_one(wins: Floats, design: Design, ridge: float) -> Fit:
    if ridge:
        return fit(wins, design, estimator="ridge", prior_sd=ridge**-0.5)
    return fit(wins, design)


def _replicates(wins: Wins, counts: Floats) -> tuple[Floats, Floats]:
    """(B, m) wins and (B, Q) weights when the clusters are counted so often, (B, G)."""
    evidence = wins.evidence
    assert isinstance(evidence, RoundEvidence)
    return np.asarray(counts @ evidence.wins), np.asarray(counts @ evidence.cliques)


def _draw(wins: Wins, size: int, *, seed: int = 0) -> Floats:
    """(size, G) how often a bootstrap draws each cluster."""
    clusters = wins.evidence.clusters
    rng = np.random.default_rng(seed)
    return rng.multinomial(clusters, np.full(clusters, 1.0 / clusters), size).astype(np.float64)


def _weigh(wins: Wins, size: int, *, seed: int = 0) -> Floats:
    """(size, G) weights of the clusters, none of them zero."""
    return np.random.default_rng(seed).exponential(size=(size, wins.evidence.clusters)) + 0.1


def _check(wins: Wins, counts: Floats, *, ridge: float = 0.0) -> None:
    """Assert that the replicates of a table get the ratings that single fits give them."""
    rows, weights = _replicates(wins, counts)
    start = _fit_one(wins.wins, wins.design, ridge).beta
    found = fit_many(rows, wins.design, start=start, weights=weights, ridge=ridge)
    expected = _fit_each(rows, wins.design, weights, ridge)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=2e-8)
    np.testing.assert_allclose(found.mean(axis=1), 0.0, atol=1e-10)


def _forbid_single_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> Fit:
        raise AssertionError("a replicate was fitted on its own")

    monkeypatch.setattr(batch, "fit", refuse)


@pytest.mark.parametrize("ridge", [0.0, 0.25, 400.0])
@pytest.mark.parametrize("players", [2, 3, 16, 60, 300])
def test_bootstrap_of_a_complete_table(
    players: int, ridge: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    wins = count_within(make_results(simulate(players, players, 12)))
    _forbid_single_fits(monkeypatch)
    _check(wins, _draw(wins, 6), ridge=ridge)


@pytest.mark.parametrize("players", [20, 250])
def test_ties_and_unequal_weights_of_rounds(players: int) -> None:
    scores = np.round(simulate(1, players, 9))
    weight = np.random.default_rng(1).exponential(size=9)
    wins = count_within(make_results(scores, weight=weight))
    _check(wins, _weigh(wins, 4))


@pytest.mark.parametrize("players", [10, 200])
def test_replicates_of_different_total_weight(players: int) -> None:
    cluster = np.array([0, 0, 0, 0, 0, 1, 1, 2, 3, 4])
    wins = count_within(make_results(simulate(2, players, 10), cluster=cluster))
    counts = np.array([[5.0, 0, 0, 0, 0], [0, 1, 1, 2, 1], [1, 1, 1, 1, 1]])
    _check(wins, counts)


def test_players_all_alike() -> None:
    wins = count_within(make_results(np.zeros((5, 150))))
    _check(wins, _draw(wins, 2))


@pytest.mark.parametrize("gap", [5.0, 20.0])
def test_players_of_two_leagues(gap: float, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = simulate(3, 400, 20, spread=0.3) + np.where(np.arange(400) < 150, gap, 0.0)
    wins = count_within(make_results(scores))
    _forbid_single_fits(monkeypatch)
    _check(wins, _draw(wins, 2))


@pytest.mark.parametrize("players", [6, 40, 150])
def test_players_who_won_or_lost_everything(players: int) -> None:
    scores = simulate(4, players, 8)
    scores[:, 0], scores[:, 1] = 9.0, -9.0
    wins = count_within(make_results(scores))
    _check(wins, _draw(wins, 4))


@pytest.mark.parametrize("players", [5, 30, 140])
def test_replicates_in_which_the_order_never_changes(players: int) -> None:
    wins = count_within(make_results(simulate(5, players, 3)))
    _check(wins, np.array([[3.0, 0.0, 0.0], [0.0, 0.0, 3.0], [3.0, 0.0, 0.0], [1.0, 1.0, 1.0]]))


@pytest.mark.parametrize("players", [12, 140])
@pytest.mark.parametrize("ridge", [0.0, 1.0])
def test_missing_scores_and_failed_runs(players: int, ridge: float) -> None:
    scores = simulate(6, players, 8)
    rng = np.random.default_rng(6)
    scores[rng.random(scores.shape) < 0.2] = np.nan
    scores[rng.random(scores.shape) < 0.1] = -np.inf
    wins = count_within(make_results(scores))
    _check(wins, _weigh(wins, 3), ridge=ridge)


@pytest.mark.parametrize("players", [7, 135])
def test_battles(players: int) -> None:
    rng = np.random.default_rng(7)
    first, second = np.triu_indices(players, 1)
    chosen = (second - first == 1) | (rng.random(first.size) < 0.5)
    first, second = first[chosen], second[chosen]
    weights = rng.integers(1, 9, (4, first.size)).astype(np.float64)
    won = np.floor(weights * rng.random(weights.shape) * 2.0) * 0.5
    lost = weights - won
    rows = np.stack(
        [
            sum_by(first, for_first, players) + sum_by(second, for_second, players)
            for for_first, for_second in zip(won, lost, strict=True)
        ]
    )
    design = Pairs(first, second, weights[0], players)
    start = fit(rows[0], design).beta
    found = fit_many(rows, design, start=start, weights=weights)
    np.testing.assert_allclose(found, _fit_each(rows, design, weights), rtol=0.0, atol=1e-8)


@pytest.mark.parametrize("players", [10, 200])
def test_other_wins_in_the_same_design(players: int) -> None:
    wins = count_within(make_results(simulate(8, players, 9)))
    rows = np.stack([count_within(make_results(simulate(s, players, 9))).wins for s in (8, 9, 10)])
    rows.setflags(write=False)
    found = fit_many(rows, wins.design, start=fit(wins.wins, wins.design).beta)
    np.testing.assert_allclose(found, _fit_each(rows, wins.design), rtol=0.0, atol=1e-8)


@pytest.mark.parametrize("players", [8, 160])
def test_shares_other_than_one(players: int) -> None:
    wins = count_within(make_results(simulate(11, players, 18)))
    design = Cliques(sparse.csr_array(np.full((1, players), 3.0)), np.array([2.0]))
    found = fit_many(wins.wins[None], design, start=np.zeros(players))
    np.testing.assert_allclose(found[0], fit(wins.wins, wins.design).beta, rtol=0.0, atol=1e-8)


@pytest.mark.parametrize("spread", [8.0, 40.0])
def test_ratings_far_apart(spread: float) -> None:
    wins = count_within(make_results(simulate(12, 200, 10, spread=spread)))
    _check(wins, _draw(wins, 2))


@pytest.mark.parametrize("players", [9, 150])
def test_no_replicates_have_no_ratings(players: int) -> None:
    wins = count_within(make_results(simulate(13, players, 5)))
    none = np.empty((0, players))
    assert fit_many(none, wins.design, start=np.zeros(players)).shape == (0, players)
    weights = np.empty((0, 1))
    found = fit_many(none, wins.design, start=np.zeros(players), weights=weights)
    assert found.shape == (0, players)


@pytest.mark.parametrize("players", [9, 150])
def test_a_row_does_not_depend_on_its_neighbours(players: int) -> None:
    scores = simulate(14, players, 10)
    scores[:5, 0] = 9.0
    wins = count_within(make_results(scores))
    counts = _draw(wins, 40)
    counts[0] = [2.0] * 5 + [0.0] * 5
    rows, weights = _replicates(wins, counts)
    start = fit(wins.wins, wins.design).beta
    together = fit_many(rows, wins.design, start=start, weights=weights)
    for k in (0, 1, 17, 39):
        alone = fit_many(rows[k : k + 1], wins.design, start=start, weights=weights[k : k + 1])
        np.testing.assert_allclose(alone[0], together[k], rtol=0.0, atol=5e-9)


@pytest.mark.parametrize("players", [9, 150])
def test_replicates_that_do_not_converge_together_are_fitted_alone(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MAX_ITERATIONS", 1)
    wins = count_within(make_results(simulate(15, players, 10)))
    _check(wins, _draw(wins, 3))


def test_a_replicate_that_cannot_be_rated_says_so() -> None:
    scores = simulate(16, 6, 4)
    scores[1:, 0] = np.nan
    wins = count_within(make_results(scores))
    rows, weights = _replicates(wins, np.array([[1.0, 1, 1, 1], [0, 2, 1, 1]]))
    with pytest.raises(SingularInformation):
        fit_many(rows, wins.design, start=fit(wins.wins, wins.design).beta, weights=weights)


@given(score_tables(rounds=(2, 5)), st.sampled_from([0.0, 0.5]), st.integers(0, 99))
def test_small_tables(scores: Floats, ridge: float, seed: int) -> None:
    wins = count_within(make_results(scores))
    _check(wins, _draw(wins, 3, seed=seed), ridge=ridge)


@given(score_tables(rounds=(3, 6), missing=True), st.integers(0, 99))
def test_small_tables_with_missing_scores(scores: Floats, seed: int) -> None:
    scores[0] = np.where(np.isnan(scores[0]), 4.0, scores[0])
    scores[1, 0], scores[1, 1] = 1.0, 2.0
    wins = count_within(make_results(scores))
    _check(wins, _weigh(wins, 2, seed=seed))
