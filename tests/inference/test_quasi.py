"""Quasi-variances against R's qvcalc and a general least-squares solver."""

import numpy as np
import polars as pl
import pytest
from conftest import shared_file
from hypothesis import given, strategies as st
from scipy import optimize

import winodds
from winodds.arrays import Floats
from winodds.errors import NotConverged
from winodds.inference.quasi import quasi_variances


def _spread(covariance: Floats) -> Floats:
    variance = covariance.diagonal()
    spread: Floats = variance[:, None] + variance[None, :] - 2.0 * covariance
    return spread


@st.composite
def _spreads(draw: st.DrawFn, *, players: tuple[int, int] = (3, 9)) -> Floats:
    """Variances of differences of estimates that share something."""
    m = draw(st.integers(*players))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    scale = draw(st.sampled_from([1e-6, 1.0, 1e4]))
    common = 0.7 * rng.normal(size=(m, 2))
    own = np.diag(np.exp(draw(st.sampled_from([0.3, 2.0])) * rng.normal(size=m)))
    return _spread(scale * (own + common @ common.T))


def _slow_quasi_variances(spread: Floats) -> Floats:
    """The same by a general solver, on a scale on which all sums are positive."""
    first, second = np.triu_indices(spread.shape[0], 1)
    goal = np.log(spread[first, second])
    unit = np.exp(goal.mean())

    def misfit(q: Floats) -> Floats:
        return np.asarray(np.log(np.maximum(q[first] + q[second], 1e-300)) + np.log(unit) - goal)

    start = np.full(spread.shape[0], 0.5)
    found = optimize.least_squares(misfit, start, x_scale="jac", xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return np.asarray(found.x * unit)


def _vtab_spread(**options: str) -> tuple[list[str], Floats]:
    wide = pl.read_csv(shared_file("data/vtab_leaderboard.csv"), separator=";").drop("Mean")
    board = winodds.rate(
        wide.unpivot(index="Model", variable_name="task", value_name="score"),
        player="Model",
        round="task",
        higher_is_better=True,
        estimator="mle",
        **options,  # type: ignore[arg-type]
    )
    return list(board.players), board.error_matrix() ** 2


def test_vtab_agrees_with_qvcalc() -> None:
    """To its tolerance: the file's figures leave a gradient that these do not."""
    players, spread = _vtab_spread(interval="model")
    reference = pl.read_csv(shared_file("reference/vtab_within.csv"))
    error = dict(zip(reference["player"], reference["quasi_se"], strict=True))
    expected = np.array([error[player] for player in players])
    found = quasi_variances(spread)
    np.testing.assert_allclose(np.sqrt(found.variances), expected, rtol=0, atol=5e-7)
    assert found.worst_low == pytest.approx(-0.0929, abs=5e-5)
    assert found.worst_high == pytest.approx(0.2860, abs=5e-5)


def test_robust_errors_of_vtab_are_poorly_served() -> None:
    found = quasi_variances(_vtab_spread()[1])
    assert found.worst_high > 1.0


@given(_spreads())
def test_agrees_with_a_general_solver(spread: Floats) -> None:
    slow = _slow_quasi_variances(spread)
    found = quasi_variances(spread).variances
    np.testing.assert_allclose(found[:, None] + found, slow[:, None] + slow, rtol=1e-5)


@given(_spreads(players=(4, 9)))
def test_sum_of_squares_is_stationary(spread: Floats) -> None:
    q = quasi_variances(spread).variances
    sums = q[:, None] + q
    off = ~np.eye(q.size, dtype=np.bool_)
    slope = np.log(sums, where=off, out=np.zeros_like(sums))
    slope -= np.log(spread, where=off, out=np.zeros_like(sums))
    gradient = (slope / np.where(off, sums, 1.0)).sum(axis=1)
    np.testing.assert_allclose(gradient * spread.max(), 0.0, atol=1e-6)


@given(st.integers(2, 12), st.integers(0, 1000))
def test_independent_estimates_keep_their_variances(players: int, seed: int) -> None:
    variance = np.exp(2.0 * np.random.default_rng(seed).normal(size=players))
    if players == 2:
        variance[:] = variance.mean()
    found = quasi_variances(variance[:, None] + variance)
    np.testing.assert_allclose(found.variances, variance, rtol=1e-9)
    assert (found.worst_low, found.worst_high) == pytest.approx((0.0, 0.0), abs=1e-12)


def test_two_players_share_the_variance_of_their_difference() -> None:
    found = quasi_variances(np.array([[0.0, 0.3], [0.3, 0.0]]))
    np.testing.assert_allclose(found.variances, [0.15, 0.15], rtol=1e-15)
    assert (found.worst_low, found.worst_high) == pytest.approx((0.0, 0.0), abs=1e-15)


def test_three_players_are_fitted_exactly_even_by_a_negative_variance() -> None:
    """The variances 1, 1 and 4 are those of −1, 2 and 2."""
    found = quasi_variances(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 4.0], [1.0, 4.0, 0.0]]))
    np.testing.assert_allclose(found.variances, [-1.0, 2.0, 2.0], rtol=1e-9)
    assert (found.worst_low, found.worst_high) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_worst_errors_are_those_of_standard_errors() -> None:
    """Two pairs of near copies: within a pair 1, between pairs 4."""
    spread = np.array([[0, 1, 4, 4], [1, 0, 4, 4], [4, 4, 0, 1], [4, 4, 1, 0]], np.float64)
    found = quasi_variances(spread)
    middle = 4.0 ** (2 / 3)
    np.testing.assert_allclose(found.variances, np.full(4, 0.5 * middle), rtol=1e-9)
    assert found.worst_low == pytest.approx(np.sqrt(middle / 4.0) - 1.0, rel=1e-9)
    assert found.worst_high == pytest.approx(np.sqrt(middle) - 1.0, rel=1e-9)


@given(_spreads())
def test_scale_and_order_of_players_carry_over(spread: Floats) -> None:
    order = np.roll(np.arange(spread.shape[0])[::-1], 1)
    found = quasi_variances(spread)
    other = quasi_variances(25.0 * spread[np.ix_(order, order)])
    sums = found.variances[:, None] + found.variances
    swapped = other.variances[:, None] + other.variances
    np.testing.assert_allclose(swapped, 25.0 * sums[np.ix_(order, order)], rtol=1e-7)
    assert other.worst_low == pytest.approx(found.worst_low, abs=1e-8)
    assert other.worst_high == pytest.approx(found.worst_high, abs=1e-8)


def test_blocks_with_little_variance_inside_have_no_good_fit() -> None:
    """Equal quasi-variances are a saddle then; leaving one block exact is better."""
    block = np.repeat([1.0, 0.0], 10)
    spread = _spread(np.diag([0.01] * 10 + [0.011] * 10) + 1e4 * np.outer(block, block))
    found = quasi_variances(spread)
    first, second = np.triu_indices(20, 1)
    goal = np.log(spread[first, second])
    misfit = np.log(found.variances[first] + found.variances[second]) - goal
    assert misfit @ misfit < 0.9 * np.square(goal - goal.mean()).sum()
    assert misfit.mean() == pytest.approx(0.0, abs=1e-8)
    assert found.worst_low == pytest.approx(np.expm1(0.5 * misfit.min()), rel=1e-12)
    assert found.worst_high == pytest.approx(np.expm1(0.5 * misfit.max()), rel=1e-12)


def _near_copies(variance: float) -> Floats:
    spread = _spread(np.diag([1.0, 1.5, 1.2, 0.7, 2.0, 1.0]))
    spread[0, 1] = spread[1, 0] = variance
    return spread


@pytest.mark.parametrize("variance", [1e-2, 1e-4, 1e-6])
def test_near_copies_keep_their_small_variance(variance: float) -> None:
    q = quasi_variances(_near_copies(variance)).variances
    assert q[0] + q[1] == pytest.approx(variance, rel=0.1)
    assert q[0] < 0.0 < q[1]


def test_copies_but_for_rounding_have_no_quasi_variances() -> None:
    with pytest.raises(NotConverged):
        quasi_variances(_near_copies(1e-14))


def test_input_is_not_changed() -> None:
    spread = _spread(np.diag([1.0, 2.0, 3.0]))
    before = spread.copy()
    quasi_variances(spread)
    np.testing.assert_array_equal(spread, before)
