"""Ratings and the first seat's effect: by hand, by a twin, by an optimiser, by the gradient."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from winodds.arrays import Floats, Ints
from winodds.fit.seats import SeatedPairs, SeatFit, fit_seats, seat_is_open, seat_score


def draw(seed: int, size: int = 200, players: int = 5) -> tuple[Ints, Ints, Floats, Floats]:
    """Battles with ties and weights, in which the first seat helps."""
    rng = np.random.default_rng(seed)
    left = rng.integers(players, size=size)
    right = (left + rng.integers(1, players, size=size)) % players
    beta = np.linspace(1.0, -1.0, players)
    outcome = (rng.random(size) < expit(beta[left] - beta[right] + 0.4)).astype(np.float64)
    outcome[rng.random(size) < 0.1] = 0.5
    return left, right, outcome, rng.uniform(0.5, 1.5, size=size)


def rows_of(left: Ints, right: Ints, players: int) -> Floats:
    """(B, m) the design without the last player, whose rating is 0, and with the seat."""
    rows = np.zeros((left.size, players + 1))
    rows[np.arange(left.size), left] += 1.0
    rows[np.arange(left.size), right] -= 1.0
    rows[:, -1] = 1.0
    return np.delete(rows, players - 1, axis=1)


def slow_fit(x: Floats, y: Floats, w: Floats, *, reduced: bool) -> Floats:
    """Logistic regression, battle by battle, with Firth's hat values."""
    theta = np.zeros(x.shape[1])
    for _ in range(400):
        p = expit(x @ theta)
        information = (x * (w * p * (1 - p))[:, None]).T @ x
        inverse = np.linalg.inv(information)
        hat = w * p * (1 - p) * np.einsum("bi,ij,bj->b", x, inverse, x)
        step = inverse @ (x.T @ (w * (y - p) + reduced * hat * (0.5 - p)))
        theta = theta + 0.5 * step
        if np.abs(step).max() < 1e-13:
            break
    return theta


def fit(
    left: Ints, right: Ints, outcome: Floats, weight: Floats, *, estimator: str, players: int = 5
) -> SeatFit:
    pairs = SeatedPairs.of(left, right, outcome, weight, players)
    ridge = 0.25 if estimator == "ridge" else 0.0
    return fit_seats(pairs, estimator=estimator, ridge=ridge)  # type: ignore[arg-type]


def test_two_players_who_change_seats_are_what_paper_says() -> None:
    """A on the first seat wins 3 of 4, B on the first seat wins 2 of 4: δ = log(3)/2, not log 3."""
    left = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    outcome = np.array([1, 1, 1, 0, 1, 1, 0, 0], np.float64)
    found = fit(left, 1 - left, outcome, np.ones(8), estimator="mle", players=2)
    np.testing.assert_allclose(found.theta, [np.log(3) / 4, -np.log(3) / 4, np.log(3) / 2])
    # The two log-odds have variances 4/3 and 1, and δ is half their sum.
    assert found.inverse[-1, -1] == pytest.approx((4 / 3 + 1) / 4)


@pytest.mark.parametrize("estimator", ["mle", "bias-reduced"])
def test_the_slow_twin_finds_the_same(estimator: str) -> None:
    left, right, outcome, weight = draw(1)
    found = fit(left, right, outcome, weight, estimator=estimator)
    x = rows_of(left, right, 5)
    slow = slow_fit(x, outcome, weight, reduced=estimator == "bias-reduced")
    np.testing.assert_allclose(found.theta[:4] - found.theta[4], slow[:4], atol=1e-8)
    assert found.theta[-1] == pytest.approx(slow[-1], abs=1e-8)
    p = expit(x @ slow)
    inverse = np.linalg.inv((x * (weight * p * (1 - p))[:, None]).T @ x)
    assert found.inverse[-1, -1] == pytest.approx(inverse[-1, -1], rel=1e-6)
    variance = found.inverse[0, 0] + found.inverse[4, 4] - 2.0 * found.inverse[0, 4]
    assert variance == pytest.approx(inverse[0, 0], rel=1e-6)


@pytest.mark.parametrize("ridge", [0.0, 0.25])
def test_an_optimiser_finds_the_same(ridge: float) -> None:
    left, right, outcome, weight = draw(2)

    def minus(theta: Floats) -> float:
        difference = theta[left] - theta[right] + theta[-1]
        value = weight @ (outcome * log_expit(difference) + (1 - outcome) * log_expit(-difference))
        return float(0.5 * ridge * theta[:-1] @ theta[:-1] - value)

    best = minimize(minus, np.zeros(6), method="BFGS", options={"gtol": 1e-9}).x
    found = fit(left, right, outcome, weight, estimator="ridge" if ridge else "mle")
    np.testing.assert_allclose(found.theta[-1], best[-1], atol=1e-5)
    np.testing.assert_allclose(found.theta[:-1], best[:-1] - best[:-1].mean(), atol=1e-5)


def test_the_score_is_the_gradient_of_the_penalised_likelihood() -> None:
    left, right, outcome, weight = draw(3, size=60)
    pairs = SeatedPairs.of(left, right, outcome, weight, 5)
    x = rows_of(left, right, 5)
    theta = np.array([0.5, 0.1, -0.3, 0.2, -0.5, 0.3])

    def value(theta: Floats) -> float:
        difference = theta[left] - theta[right] + theta[-1]
        p = expit(difference)
        information = (x * (weight * p * (1 - p))[:, None]).T @ x
        likelihood = weight @ (
            outcome * log_expit(difference) + (1 - outcome) * log_expit(-difference)
        )
        return float(likelihood + 0.5 * np.linalg.slogdet(information)[1])

    slope = expit(pairs.differences(theta))
    information = pairs.information(pairs.weight * slope * (1 - slope), 0.0)
    inverse = np.asarray(np.linalg.pinv(information), np.float64)
    score = seat_score(pairs, theta, inverse, estimator="bias-reduced", ridge=0.0)
    steps = 1e-5 * np.eye(6)
    gradient = [(value(theta + step) - value(theta - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(score, gradient, atol=1e-6)


@given(st.integers(0, 2**32 - 1))
def test_changing_all_seats_turns_the_effect_round_and_leaves_ratings(seed: int) -> None:
    left, right, outcome, weight = draw(seed, size=60)
    one = fit(left, right, outcome, weight, estimator="bias-reduced").theta
    other = fit(right, left, 1.0 - outcome, weight, estimator="bias-reduced").theta
    np.testing.assert_allclose(other[:-1], one[:-1], atol=1e-8)
    assert other[-1] == pytest.approx(-one[-1], abs=1e-8)


# Open ends ----------------------------------------------------------------------------------------


def test_a_seat_that_always_wins_has_an_open_upper_end() -> None:
    left, right = np.array([0, 1, 2, 1, 2, 0]), np.array([1, 2, 0, 0, 1, 2])
    assert seat_is_open(left, right, np.ones(6), 3) == (False, True)
    assert seat_is_open(left, right, np.zeros(6), 3) == (True, False)
    assert np.isfinite(
        fit(left, right, np.ones(6), np.ones(6), estimator="bias-reduced", players=3).theta
    ).all()


def test_a_seat_that_is_the_player_cannot_be_told() -> None:
    left, right = np.zeros(4, np.int64), np.ones(4, np.int64)
    assert seat_is_open(left, right, np.array([1.0, 0.0, 1.0, 0.5]), 2) == (True, True)


def test_open_ends_are_those_that_a_linear_programme_finds() -> None:
    from scipy.optimize import linprog

    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(60):
        size = int(rng.integers(3, 9))
        left = rng.integers(3, size=size)
        right = (left + rng.integers(1, 3, size=size)) % 3
        outcome = rng.choice([0.0, 0.5, 1.0], p=[0.4, 0.1, 0.5], size=size)
        rows = np.zeros((size, 3))
        rows[np.arange(size), left], rows[np.arange(size), right] = 1.0, -1.0
        found = seat_is_open(left, right, outcome, 3)
        for seat, is_open in zip((-1.0, 1.0), found, strict=True):
            upper = np.vstack([-rows[outcome > 0.0], rows[outcome < 1.0]])
            bound = np.concatenate(
                [np.full((outcome > 0.0).sum(), seat), np.full((outcome < 1.0).sum(), -seat)]
            )
            possible = linprog(np.zeros(3), A_ub=upper, b_ub=bound, bounds=(None, None)).success
            assert is_open == possible
            seen.add(is_open)
    assert seen == {True, False}
