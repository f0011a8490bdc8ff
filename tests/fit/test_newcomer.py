"""One equation for a new player, against root finding, and the room that others make."""

import numpy as np
import pytest
from conftest import make_results, simulate
from hypothesis import given, strategies as st
from scipy import optimize
from scipy.special import expit

from winodds.arrays import Floats
from winodds.fit.newcomer import make_room, place
from winodds.fit.newton import fit
from winodds.language.options import Estimator
from winodds.matches.games import Games
from winodds.matches.within import count_within

SIZES = st.lists(
    st.tuples(st.integers(1, 6), st.integers(-4, 4), st.booleans()), min_size=1, max_size=6
)


def _penalised(t: float, wins: float, met: Floats, beta: Floats) -> float:
    """The log-likelihood with Jeffreys' prior, whose slope is the bias-reduced score."""
    chance = expit(t - beta)
    information = (met * chance * (1.0 - chance)).sum()
    likelihood = wins * t + (met * np.log1p(-chance)).sum()
    return float(likelihood + 0.5 * np.log(information))


@given(SIZES)
def test_bias_reduced_rating_is_where_the_penalised_likelihood_is_largest(
    opponents: list[tuple[int, int, bool]],
) -> None:
    met = np.array([float(times) for times, _, _ in opponents])
    beta = np.array([0.5 * rating for _, rating, _ in opponents])
    wins = float(sum(times for times, _, won in opponents if won))
    found = place(np.array([wins]), met[None, :], beta[None, :], estimator="bias-reduced")
    best = optimize.minimize_scalar(
        lambda t: -_penalised(t, wins, met, beta),
        bounds=(-12.0, 12.0),
        method="bounded",
        options={"xatol": 1e-10},
    )
    assert float(found.rating[0]) == pytest.approx(best.x, abs=1e-5)
    chance = expit(found.rating[0] - beta)
    assert found.information[0] == pytest.approx((met * chance * (1.0 - chance)).sum())


@pytest.mark.parametrize(("wins", "ridge"), [(3.0, 0.0), (0.5, 0.0), (7.0, 0.25), (0.0, 0.25)])
def test_maximum_likelihood_and_ridge_solve_their_equations(wins: float, ridge: float) -> None:
    met, beta = np.array([2.0, 3.0, 2.0]), np.array([-1.0, 0.2, 0.8])
    estimator: Estimator = "ridge" if ridge else "mle"
    found = place(np.array([wins]), met[None, :], beta[None, :], estimator=estimator, ridge=ridge)
    exact = optimize.brentq(
        lambda t: wins - float(met @ expit(t - beta)) - ridge * t, -60.0, 60.0, xtol=1e-13
    )
    assert found.rating[0] == pytest.approx(exact, abs=1e-9)


def test_several_are_rated_as_each_alone() -> None:
    rng = np.random.default_rng(1)
    met, beta = rng.integers(0, 5, size=(6, 8)).astype(np.float64), rng.normal(size=(6, 8))
    wins = np.round(met.sum(axis=1) * rng.random(6))
    together = place(wins, met, beta, estimator="bias-reduced")
    for k in range(6):
        alone = place(wins[[k]], met[[k]], beta[[k]], estimator="bias-reduced")
        assert together.rating[k] == pytest.approx(alone.rating[0], abs=1e-9)


def test_who_wins_everything_has_a_finite_rating_and_its_mirror_the_opposite() -> None:
    met, beta = np.full((1, 3), 10.0), np.array([[-30.0, 0.0, 2.0]])
    won = place(np.array([30.0]), met, beta, estimator="bias-reduced")
    lost = place(np.array([0.0]), met, -beta, estimator="bias-reduced")
    assert 2.0 < won.rating[0] < 12.0
    assert won.rating[0] == pytest.approx(-lost.rating[0], abs=1e-9)


def test_others_move_as_one_newton_step_of_all_says() -> None:
    """A twin with square arrays: the step of everybody's score when the new player is there."""
    scores = simulate(3, 7, 12, spread=0.3)
    wins = count_within(make_results(scores[:, :6]))
    found = fit(wins.wins, wins.design, estimator="mle")
    won = (scores[:, [6]] > scores[:, :6]).sum(axis=0).astype(np.float64)
    met = np.full(6, 12.0)
    rating = float(
        place(np.array([won.sum()]), met[None, :], found.beta[None, :], estimator="mle").rating[0]
    )
    move = make_room(found.information, won, met, found.beta, rating, estimator="mle")
    everyone = np.append(found.beta, rating)
    table = Games("within", make_results(scores)).count()
    information = table.design.information()(everyone, 0.0)
    step = information.solve(table.wins - information.expected)
    np.testing.assert_allclose(move - move.mean(), step[:6] - step[:6].mean(), atol=1e-9)


def test_nobody_moves_for_a_player_who_does_as_expected() -> None:
    wins = count_within(make_results(simulate(4, 5, 10)))
    found = fit(wins.wins, wins.design)
    met, chance = np.full(5, 10.0), expit(0.3 - found.beta)
    move = make_room(found.information, met * chance, met, found.beta, 0.3, estimator="mle")
    np.testing.assert_allclose(move, 0.0, atol=1e-12)
