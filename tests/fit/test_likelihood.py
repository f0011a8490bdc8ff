"""Log-likelihoods by hand, and likelihood ratios against a general optimiser."""

from collections.abc import Callable

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given, strategies as st
from reference import Match, matches_across, matches_within, reach, win_matrix
from scipy import optimize, sparse
from scipy.special import expit

from winodds.arrays import Floats
from winodds.design.dense import DenseInformation
from winodds.design.design import Cliques, Pairs
from winodds.design.kernel import KernelInformation
from winodds.errors import NotConverged
from winodds.fit.likelihood import Problem, likelihood_ratio, log_likelihood, log_likelihoods
from winodds.fit.newton import fit
from winodds.inference.intervals import quantify
from winodds.inference.structure import find_structure
from winodds.language.options import Estimator, IntervalKind
from winodds.matches.across import count_across
from winodds.matches.battles import count_battles
from winodds.matches.results import Battles
from winodds.matches.wins import Wins
from winodds.matches.within import count_within

ESTIMATORS: list[Estimator] = ["bias-reduced", "mle", "ridge"]
PRIOR_SD = 1.5


def _by_hand(beta: Floats, table: Floats) -> float:
    """Σ w log p over ordered pairs, from (m, m) wins."""
    return -float((table * np.logaddexp(0.0, beta[None, :] - beta[:, None])).sum())


def _wins_of_many(scores: Floats) -> Floats:
    """(m, m) wins in complete rounds without ties."""
    assert np.unique(scores).size == scores.size
    return np.array([(scores > column[:, None]).sum(axis=0) for column in scores.T], np.float64).T


def _battles(matches: list[Match], players: int) -> Wins:
    """The matches, as battles."""
    rows = [(match.first, match.second, match.outcome) for match in matches]
    first, second, outcome = (np.array(column) for column in zip(*rows, strict=True))
    return count_battles(Battles(players, first, second, outcome, np.ones(outcome.size), None))


def test_three_wins_and_a_loss() -> None:
    beta = np.array([0.5, -0.5]) * np.log(3.0)
    expected = 3.0 * np.log(0.75) + np.log(0.25)
    cliques = Cliques(sparse.csr_array(np.ones((1, 2))), np.array([4.0]))
    pairs = Pairs(np.array([0]), np.array([1]), np.array([4.0]), 2)
    for design in (cliques, pairs):
        assert log_likelihood(beta, np.array([3.0, 1.0]), design) == pytest.approx(expected)


@given(
    score_tables(missing=True), st.integers(-1, 2), st.sampled_from([0.1, 3.0, 40.0]), st.booleans()
)
def test_log_likelihood_is_a_sum_over_matches(
    scores: Floats, level: int, spread: float, across: bool
) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    matches = matches_across(scores) if across else matches_within(scores)
    if len({match.round for match in matches}) < 2:
        return
    table = win_matrix(matches, scores.shape[1])
    count = count_across if across else count_within
    counted = count(make_results(scores, across=across))
    beta = np.random.default_rng(0).normal(size=(3, table.shape[0])) * spread
    expected = [_by_hand(row, table) for row in beta]
    found = [log_likelihood(row, counted.wins, counted.design) for row in beta]
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-10)
    wins = np.tile(counted.wins, (3, 1))
    together = log_likelihoods(beta, wins, counted.design)
    np.testing.assert_allclose(together, expected, rtol=1e-11, atol=1e-10)


def test_log_likelihood_of_weighted_rounds_and_of_battles() -> None:
    scores, weight = np.round(simulate(1, 6, 8)), np.linspace(0.2, 1.8, 8)
    beta = np.random.default_rng(1).normal(size=6)
    matches = matches_within(scores, weight=weight / weight.mean())
    counted = count_within(make_results(scores, weight=weight))
    found = log_likelihood(beta, counted.wins, counted.design)
    assert found == pytest.approx(_by_hand(beta, win_matrix(matches, 6)), abs=1e-11)
    matches = matches_within(scores)
    battles = _battles(matches, 6)
    found = log_likelihood(beta, battles.wins, battles.design)
    assert found == pytest.approx(_by_hand(beta, win_matrix(matches, 6)), abs=1e-11)


@pytest.mark.parametrize("spread", [0.0, 2.0, 12.0])
def test_log_likelihoods_of_many_players(spread: float) -> None:
    """More players than are looked at together, and other wins in each row."""
    rows = [count_within(make_results(simulate(seed, 150, 6))) for seed in (2, 3)]
    beta = np.random.default_rng(2).normal(size=(2, 150)) * spread
    wins = np.stack([row.wins for row in rows])
    found = log_likelihoods(beta, wins, rows[0].design)
    for k, seed in enumerate((2, 3)):
        exact = _by_hand(beta[k], _wins_of_many(simulate(seed, 150, 6)))
        assert found[k] == pytest.approx(exact, rel=1e-12)


def test_log_likelihoods_of_battles() -> None:
    matches = matches_within(np.round(simulate(4, 5, 4)))[::2]
    counted = _battles(matches, 5)
    beta = np.random.default_rng(4).normal(size=(3, 5)) * [[0.1], [1.0], [30.0]]
    exact = [_by_hand(row, win_matrix(matches, 5)) for row in beta]
    found = log_likelihoods(beta, np.tile(counted.wins, (3, 1)), counted.design)
    np.testing.assert_allclose(found, exact, rtol=1e-12)


# Determinants -------------------------------------------------------------------------------------


def _log_pseudo_determinant(beta: Floats, met: Floats) -> float:
    """Sum of the logs of all eigenvalues of the information but the smallest, which is 0."""
    chance = expit(beta[:, None] - beta[None, :])
    weights = met * chance * chance.T
    values = np.linalg.eigvalsh(np.diag(weights.sum(axis=1)) - weights)
    return float(np.log(values[1:]).sum())


@pytest.mark.parametrize("players", [2, 3, 40])
def test_dense_determinant_is_the_product_of_eigenvalues(players: int) -> None:
    rng = np.random.default_rng(3)
    met = rng.integers(0, 4, (players, players)).astype(np.float64)
    met = met + met.T + np.eye(players, k=1) + np.eye(players, k=-1)
    np.fill_diagonal(met, 0.0)
    beta = rng.normal(size=players)
    found = DenseInformation.at(beta, met).log_determinant()
    assert found == pytest.approx(_log_pseudo_determinant(beta, met), abs=1e-10)


@pytest.mark.parametrize("spread", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("cliques", ["complete", "shares", "failed"])
def test_kernel_determinant_is_the_product_of_eigenvalues(spread: float, cliques: str) -> None:
    rng = np.random.default_rng(4)
    beta = rng.normal(size=200) * spread
    shares, weights = np.ones((1, 200)), np.array([7.0])
    if cliques == "shares":
        shares = np.vstack([np.ones(200), rng.integers(0, 4, (2, 200))])
        weights = np.array([2.5, 1.0, 0.3])
    if cliques == "failed":
        shares = np.vstack([np.ones(200), rng.integers(0, 2, 200)]).astype(np.float64)
        weights = np.array([3.0, -1.0])
    met = (shares.T * weights) @ shares
    np.fill_diagonal(met, 0.0)
    exact = _log_pseudo_determinant(beta, met)
    found = KernelInformation.at(beta, shares, weights).log_determinant()
    assert found == pytest.approx(exact, rel=1e-11)
    assert DenseInformation.at(beta, met).log_determinant() == pytest.approx(exact, rel=1e-11)


def test_determinants_by_hand() -> None:
    """Two players: the information is N/4·[[1, −1], [−1, 1]], with the eigenvalue N/2."""
    met = np.array([[0.0, 6.0], [6.0, 0.0]])
    assert DenseInformation.at(np.zeros(2), met).log_determinant() == pytest.approx(np.log(3.0))
    kernel = KernelInformation.at(np.zeros(2), np.ones((1, 2)), np.array([6.0]))
    assert kernel.log_determinant() == pytest.approx(np.log(3.0))


# What estimators maximise -------------------------------------------------------------------------


def _problem(counted: Wins, estimator: Estimator) -> Problem:
    ridge = PRIOR_SD**-2 if estimator == "ridge" else 0.0
    return Problem(counted.wins, counted.design, estimator, ridge)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("players", [6, 140])
def test_the_score_is_the_slope_of_the_value(estimator: Estimator, players: int) -> None:
    problem = _problem(count_within(make_results(simulate(5, players, 5))), estimator)
    information_at = problem.design.information()
    beta = np.random.default_rng(5).normal(size=players)
    beta -= beta.mean()

    def value(ratings: Floats) -> float:
        return problem.value(ratings, information_at(ratings, problem.ridge))

    score, step = problem.score(beta, information_at(beta, problem.ridge)), 1e-4
    for k in range(0, players, max(1, players // 5)):
        move = np.where(np.arange(players) == k, step, 0.0)
        slope = (value(beta + move) - value(beta - move)) / (2.0 * step)
        assert score[k] == pytest.approx(slope, abs=1e-5)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_value_is_likelihood_times_prior(estimator: Estimator) -> None:
    scores = simulate(6, 5, 4)
    problem, table = (
        _problem(count_within(make_results(scores)), estimator),
        win_matrix(matches_within(scores), 5),
    )
    beta = np.array([0.4, 0.1, 0.0, -0.2, -0.3])
    information = problem.design.information()(beta, problem.ridge)
    found = problem.value(beta, information)
    assert found == pytest.approx(_value(beta, table, estimator), abs=1e-11)


# Likelihood ratios --------------------------------------------------------------------------------


def _value(beta: Floats, table: Floats, estimator: Estimator) -> float:
    """The penalised log-likelihood from m × m arrays of wins."""
    value = _by_hand(beta, table)
    if estimator == "ridge":
        value -= 0.5 * float(beta @ beta) / PRIOR_SD**2
    if estimator == "bias-reduced":
        chance = expit(beta[:, None] - beta[None, :])
        weights = (table + table.T) * chance * chance.T
        laplacian = np.diag(weights.sum(axis=1)) - weights
        value += 0.5 * float(np.linalg.slogdet(laplacian[1:, 1:])[1] + np.log(len(table)))
    return value


def _slope(beta: Floats, table: Floats, estimator: Estimator) -> Floats:
    """Its gradient. It only guides the optimiser: what is compared are values at the top."""
    met, chance = table + table.T, expit(beta[:, None] - beta[None, :])
    slope: Floats = (table - met * chance).sum(axis=1)
    if estimator == "ridge":
        slope = slope - beta / PRIOR_SD**2
    if estimator == "bias-reduced":
        weights = met * chance * chance.T
        inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights, hermitian=True)
        variance = inverse.diagonal()
        spread = variance[:, None] + variance[None, :] - 2.0 * inverse
        slope = slope + (weights * spread * (0.5 - chance)).sum(axis=1)
    return slope


def _ratio(table: Floats, estimator: Estimator, first: int, second: int) -> float:
    """Twice the difference of two maxima that a general optimiser found."""
    players = len(table)
    merged = np.eye(players)
    merged[:, first] += merged[:, second]
    merged = np.delete(merged, second, axis=1)
    free, bound = (_top(table, estimator, basis) for basis in (np.eye(players), merged))
    return 2.0 * (free - bound)


def _top(table: Floats, estimator: Estimator, basis: Floats) -> float:
    """The largest value among ratings basis·θ, centred; the first θ is 0."""
    centred = (basis - basis.mean(axis=0))[:, 1:]

    def loss(theta: Floats) -> tuple[float, Floats]:
        beta = centred @ theta
        slope = centred.T @ _slope(beta, table, estimator)
        return -_value(beta, table, estimator), -slope

    def curvature(theta: Floats) -> Floats:
        beta = centred @ theta
        chance = expit(beta[:, None] - beta[None, :])
        weights = (table + table.T) * chance * chance.T
        matrix: Floats = centred.T @ (np.diag(weights.sum(axis=1)) - weights) @ centred
        return matrix

    start = np.zeros(centred.shape[1])
    found = optimize.minimize(
        loss, start, jac=True, hess=curvature, method="trust-exact", options={"gtol": 1e-8}
    )
    assert np.abs(found.jac).max(initial=0.0) < 1e-4
    return -float(found.fun)


def _found(counted: Wins, estimator: Estimator, first: int, second: int) -> float:
    problem = _problem(counted, estimator)
    prior = PRIOR_SD if estimator == "ridge" else None
    beta = fit(counted.wins, counted.design, estimator=estimator, prior_sd=prior).beta
    return likelihood_ratio(problem, beta, first, second)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("kind", ["within", "gaps", "across", "battles"])
def test_likelihood_ratios_are_differences_of_two_maxima(estimator: Estimator, kind: str) -> None:
    scores = np.round(simulate(7, 6, 9, spread=0.7), 1)
    if kind == "gaps":
        scores[::2, 0] = scores[1::3, 4] = np.nan
        scores[4, 1:3] = -np.inf
    across = kind == "across"
    table = win_matrix(matches_across(scores) if across else matches_within(scores), 6)
    assert reach(table).all()
    if kind == "battles":
        counted = _battles(matches_within(scores), 6)
    else:
        counted = (count_across if across else count_within)(make_results(scores))
    order = np.argsort(table.sum(axis=1))
    for first, second in ((0, 1), (4, 2), (int(order[0]), int(order[-1]))):
        found = _found(counted, estimator, first, second)
        exact = _ratio(table, estimator, first, second)
        assert found == pytest.approx(exact, rel=1e-7, abs=1e-7)
        assert found == pytest.approx(_found(counted, estimator, second, first), rel=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_likelihood_ratios_of_many_players(estimator: Estimator) -> None:
    scores = simulate(8, 140, 12, spread=0.5)
    table = _wins_of_many(scores)
    counted = count_within(make_results(scores))
    assert isinstance(counted.design, Cliques)
    assert counted.design.uses_kernel(3.0)
    order = np.argsort(table.sum(axis=1))
    first, second = int(order[10]), int(order[100])
    exact = _ratio(table, estimator, first, second)
    assert exact > 1.0
    assert _found(counted, estimator, first, second) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("rounds", [1, 5, 40])
def test_likelihood_ratio_of_an_unbeaten_player(rounds: int) -> None:
    """Two players: both maxima of the penalised likelihood are known.

    That of n wins in n is pⁿ·√(p(1 − p)) but for a factor, largest at p = (n + ½)/(n + 1).
    """
    design = Cliques(sparse.csr_array(np.ones((1, 2))), np.array([float(rounds)]))
    wins = np.array([float(rounds), 0.0])
    chance = (rounds + 0.5) / (rounds + 1.0)
    best = rounds * np.log(chance) + 0.5 * np.log(chance * (1.0 - chance))
    exact = 2.0 * (best - (rounds * np.log(0.5) + 0.5 * np.log(0.25)))
    beta = fit(wins, design).beta
    found = likelihood_ratio(Problem(wins, design, "bias-reduced", 0.0), beta, 0, 1)
    assert found == pytest.approx(exact, rel=1e-9)


@given(score_tables(players=(3, 5), levels=30, missing=True), st.sampled_from(["ridge", "firth"]))
def test_likelihood_ratios_of_separated_tables(scores: Floats, method: str) -> None:
    estimator: Estimator = "ridge" if method == "ridge" else "bias-reduced"
    matches = matches_within(scores)
    table = win_matrix(matches, scores.shape[1])
    if len({match.round for match in matches}) > 1 and reach(table + table.T).all():
        found = _found(count_within(make_results(scores)), estimator, 0, 1)
        assert found == pytest.approx(_ratio(table, estimator, 0, 1), rel=1e-5, abs=1e-6)


def test_likelihood_ratios_of_players_far_apart() -> None:
    for seed in range(8):
        scores = simulate(seed, 8, 20, spread=6.0)
        counted, table = count_within(make_results(scores)), _wins_of_many(scores)
        order = np.argsort(counted.wins)
        first, last = int(order[0]), int(order[-1])
        exact = _ratio(table, "bias-reduced", first, last)
        assert _found(counted, "bias-reduced", first, last) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_equal_players_lose_nothing(estimator: Estimator) -> None:
    scores = simulate(9, 5, 8)
    scores[:, 1] = scores[:, 0]
    assert _found(count_within(make_results(scores)), estimator, 0, 1) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("players", [5, 150])
def test_near_equals_have_the_square_of_walds_statistic(estimator: Estimator, players: int) -> None:
    """Ratings that are solved exactly by the wins they imply, two of them ever closer."""
    design = Cliques(sparse.csr_array(np.ones((1, players))), np.array([400.0]))
    base = np.random.default_rng(10).normal(size=players) * 0.7
    gaps = []
    for difference in (0.2, 0.02):
        base[1] = base[0] + difference
        beta = base - base.mean()
        wins = 400.0 * (expit(beta[:, None] - beta[None, :]).sum(axis=1) - 0.5)
        ridge = PRIOR_SD**-2 if estimator == "ridge" else 0.0
        prior = PRIOR_SD if estimator == "ridge" else None
        found = fit(wins, design, estimator=estimator, prior_sd=prior)
        d = found.beta[1] - found.beta[0]
        variance = found.information.covariances(np.array([0, 1, 0]), np.array([0, 1, 1]))
        wald = d**2 / float(variance[0] + variance[1] - 2.0 * variance[2])
        ratio = likelihood_ratio(Problem(wins, design, estimator, ridge), found.beta, 0, 1)
        gaps.append(abs(ratio / wald - 1.0))
    assert gaps[0] < 0.03
    assert gaps[1] < 0.003


def test_a_ratio_that_does_not_settle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.fit.likelihood.MAX_ITERATIONS", 1)
    with pytest.raises(NotConverged):
        _found(count_within(make_results(simulate(11, 5, 8))), "bias-reduced", 0, 1)


# Contrasts ----------------------------------------------------------------------------------------


def _tables() -> dict[str, Callable[[], Wins]]:
    gaps = simulate(12, 9, 10)
    gaps[:4, 0] = gaps[5:, 3] = gaps[2, :5] = np.nan
    cut = simulate(13, 8, 7)
    cut[:, :3] += 20.0
    return {
        "complete": lambda: count_within(make_results(simulate(15, 7, 9))),
        "gaps": lambda: count_within(make_results(gaps, weight=np.linspace(0.4, 1.6, 10))),
        "cut": lambda: count_within(make_results(cut)),
        "across": lambda: count_across(make_results(simulate(16, 6, 8))),
        "battles": lambda: _battles(matches_within(simulate(14, 6, 9)), 6),
        "kernel": lambda: count_within(make_results(simulate(17, 160, 12))),
    }


@pytest.mark.parametrize("name", list(_tables()))
@pytest.mark.parametrize("kind", ["robust", "model"])
def test_contrasts_of_all_pairs_are_those_of_each(name: str, kind: IntervalKind) -> None:
    counted = _tables()[name]()
    found, structure = fit(counted.wins, counted.design), find_structure(counted)
    uncertainty = quantify(counted, found, structure, kind=kind, overlap=1.3)
    players = counted.wins.size
    first, second = (index.ravel() for index in np.indices((players, players)))
    differences = uncertainty.of_differences(first, second)
    few, all_pairs = uncertainty.contrasts(first, second), uncertainty.contrast_matrix()
    open_end = np.isinf(differences.low) | np.isinf(differences.high)
    for contrasts in (few, all_pairs):
        np.testing.assert_allclose(contrasts.value.ravel(), differences.value, atol=1e-12)
        np.testing.assert_allclose(contrasts.se.ravel(), differences.se, rtol=1e-7, atol=2e-7)
        np.testing.assert_array_equal(contrasts.cut.ravel(), open_end)
        assert (contrasts.robust is None) == (kind == "model")
    assert all_pairs.value.shape == (players, players)
    assert (all_pairs.se.diagonal() == 0.0).all()
    np.testing.assert_array_equal(all_pairs.units.ravel(), few.units)
    np.testing.assert_allclose(all_pairs.model.ravel(), few.model, rtol=1e-7, atol=2e-7)
    played = counted.evidence.played
    np.testing.assert_array_equal(few.units, np.minimum(played[first], played[second]))
    if few.robust is not None and all_pairs.robust is not None:
        np.testing.assert_allclose(all_pairs.robust.ravel(), few.robust, rtol=1e-6, atol=2e-7)


def test_contrasts_rest_on_two_clusters_at_least() -> None:
    scores = simulate(18, 4, 6)
    scores[1:, 0] = np.nan
    counted = count_within(make_results(scores))
    uncertainty = quantify(counted, fit(counted.wins, counted.design), find_structure(counted))
    found = uncertainty.contrast_matrix()
    assert found.units[0].tolist() == [2, 2, 2, 2]
    assert found.units[1].tolist() == [2, 6, 6, 6]
    robust = found.robust
    assert robust is not None
    influence = uncertainty.intervals.influence
    assert influence is not None
    # G/(G − 1) of six clusters is taken off again. The first player's only cluster has that of two
    # in its place, and the others have none; the second's have that of six. Both count by matches.
    first, second = np.where(np.arange(6) == 0, 2.0, 1.0) / (6.0 / 5.0), np.ones(6)
    own, other = uncertainty.clustering.amount[[0, 1]]
    lift = (other * first + own * second) / (own + other)
    square = float(((influence[0] - influence[1]) ** 2 * lift).sum())
    assert robust[0, 1] == pytest.approx(np.sqrt(square), rel=1e-9)
    assert found.df[0].tolist() == [1.0] * 4
