"""How entries depend on each other: by hand, by enumeration, and from simulated cases."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from winodds.arrays import Bools, Floats
from winodds.sota.laws.dependence import (
    chances_given,
    correlation_from_items,
    correlation_from_similarity,
    limits,
    possible,
)

COMMONS = st.floats(0.02, 0.98)
CORRELATIONS = st.floats(0.01, 0.99)


def moments(theta: float, common: float, correlation: float) -> tuple[float, float]:
    """Performance and correlation with Y₀, from the four outcomes of a case."""
    easy, hard = chances_given(np.array(theta), common, correlation)
    chance = {(1, 1): common * easy, (1, 0): common * (1 - easy)}
    chance |= {(0, 1): (1 - common) * hard, (0, 0): (1 - common) * (1 - hard)}
    mean = sum(p * y for (_, y), p in chance.items())
    covariance = sum(p * (y0 - common) * (y - mean) for (y0, y), p in chance.items())
    spread = np.sqrt(common * (1 - common) * mean * (1 - mean))
    return float(mean), float(covariance / spread)


@given(COMMONS, CORRELATIONS, st.floats(0.0, 1.0))
def test_a_case_has_the_performance_and_the_correlation_asked_for(
    common: float, correlation: float, place: float
) -> None:
    low, high = limits(common, correlation)
    theta = low + place * (high - low)
    found = moments(theta, common, correlation)
    np.testing.assert_allclose(found, (theta, correlation), rtol=1e-9)


@given(COMMONS, CORRELATIONS)
def test_at_the_limits_a_chance_is_0_or_1(common: float, correlation: float) -> None:
    low, high = limits(common, correlation)
    odds = common / (1 - common)
    never = low - correlation * np.sqrt(low * (1 - low) * odds)
    always = high + correlation * np.sqrt(high * (1 - high) / odds)
    assert never == pytest.approx(0.0, abs=1e-12)
    assert always == pytest.approx(1.0, abs=1e-12)


def test_limits_of_the_paper_by_hand() -> None:
    # θ₀ = 0.8, ρ₀ = 0.5: odds 4, ρ₀² · 4 = 1, so from 1/2 to 4/4.25.
    assert limits(0.8, 0.5) == pytest.approx((0.5, 16 / 17))
    inside = possible(np.array([0.49, 0.5, 0.9, 16 / 17, 0.95]), 0.8, 0.5)
    assert inside.tolist() == [False, True, True, True, False]


@pytest.mark.parametrize(("common", "correlation"), [(0.7, 0.0), (0.0, 0.6), (1.0, 0.6)])
def test_without_a_common_variable_everything_is_possible(
    common: float, correlation: float
) -> None:
    assert limits(common, correlation) == (0.0, 1.0)
    assert possible(np.array([0.0, 0.3, 1.0]), common, correlation).all()


def test_chances_by_hand_and_as_far_apart_as_can_be() -> None:
    # θ₀ = 0.8, ρ₀ = 0.5, θ = 0.5: 0.5 + 0.25 / 2 on easy cases, 0.5 − 0.25 · 2 on hard ones;
    # 0.2 is right on easy cases only, and 0.99 on all of them.
    theta = np.array([0.5, 0.2, 0.99])
    easy, hard = chances_given(theta, 0.8, 0.5)
    np.testing.assert_allclose(easy, [0.625, 0.25, 1.0])
    np.testing.assert_allclose(hard, [0.0, 0.0, 0.95])


def test_two_entries_have_the_square_of_the_correlation() -> None:
    common, correlation, thetas = 0.8, 0.5, np.array([0.6, 0.9])
    easy, hard = chances_given(thetas, common, correlation)
    both = common * easy.prod() + (1 - common) * hard.prod()
    pair = (both - thetas.prod()) / np.sqrt((thetas * (1 - thetas)).prod())
    assert pair == pytest.approx(correlation**2)


def test_similarity_of_imagenet_models() -> None:
    pair, common = correlation_from_similarity(0.85, 0.756)
    assert (round(pair, 3), round(common, 3)) == (0.593, 0.770)


@given(st.floats(0.05, 0.95), st.floats(0.0, 1.0))
def test_similarity_of_correlated_entries_gives_their_correlation_back(
    theta: float, pair: float
) -> None:
    # P(both right) + P(both wrong), each the independent one and a covariance.
    similarity = theta**2 + (1 - theta) ** 2 + 2 * pair * theta * (1 - theta)
    found, common = correlation_from_similarity(similarity, theta)
    assert found == pytest.approx(pair, abs=1e-12)
    assert common**2 == pytest.approx(max(found, 0.0), abs=1e-12) or found < 0.0


def test_entries_that_agree_less_than_by_chance_have_no_common_correlation() -> None:
    pair, common = correlation_from_similarity(0.4, 0.5)
    assert pair == pytest.approx(-0.2)
    assert np.isnan(common)


# From what each entry got right -------------------------------------------------------------------


def simulated(seed: int, thetas: Floats, cases: int, *, common: float, correlation: float) -> Bools:
    """(m, n) who is right on which case, case by case as Boland, Proschan and Tong have it."""
    rng = np.random.default_rng(seed)
    easy_case = rng.random(cases) < common
    easy, hard = chances_given(thetas, common, correlation)
    right: Bools = rng.random((thetas.size, cases)) < np.where(
        easy_case, easy[:, None], hard[:, None]
    )
    return right


def mean_of_pairs(right: Bools) -> float:
    """Mean correlation, pair by pair."""
    table = np.atleast_2d(np.corrcoef(right.astype(np.float64)))
    pairs = itertools.combinations(range(right.shape[0]), 2)
    return float(np.mean([table[i, j] for i, j in pairs]))


@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(5, 60))
def test_correlation_from_items_is_the_mean_over_all_pairs(seed: int, m: int, n: int) -> None:
    right = simulated(seed, np.linspace(0.5, 0.8, m), n, common=0.7, correlation=0.5)
    share = right.mean(axis=1)
    varied = right[(share > 0) & (share < 1)]
    found = correlation_from_items(right)
    assert (found.entries, found.items) == (varied.shape[0], n)
    if varied.shape[0] > 1:
        assert found.pair == pytest.approx(mean_of_pairs(varied), abs=1e-12)
        assert found.common == pytest.approx(np.sqrt(max(found.pair, 0.0)))


def test_entries_always_right_or_always_wrong_are_left_out() -> None:
    right = simulated(1, np.linspace(0.6, 0.8, 4), 200, common=0.7, correlation=0.6)
    more = np.vstack([np.ones((2, 200), bool), right, np.zeros((1, 200), bool)])
    assert correlation_from_items(more) == correlation_from_items(right)
    assert correlation_from_items(more).entries == 4


def test_fewer_than_two_varied_entries_have_no_correlation() -> None:
    found = correlation_from_items(np.array([[True, False, True], [True, True, True]]))
    assert (found.entries, found.items) == (1, 3)
    assert np.isnan([found.pair, found.common, found.se]).all()


def test_correlation_of_two_entries_by_hand() -> None:
    # Shares 1/2 and 1/2, both right once and both wrong once more often than they differ.
    right = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0]], bool)
    found = correlation_from_items(right)
    assert found.pair == pytest.approx(1 / 3)
    assert found.common == pytest.approx(np.sqrt(1 / 3))


def test_opposite_entries_have_a_negative_correlation_and_no_common_one() -> None:
    found = correlation_from_items(np.array([[1, 1, 0, 0], [0, 0, 1, 1]], bool))
    assert found.pair == pytest.approx(-1.0)
    assert found.common == 0.0
    assert np.isnan(found.se)


def test_standard_error_equals_the_jackknife() -> None:
    right = simulated(7, np.linspace(0.6, 0.85, 6), 800, common=0.75, correlation=0.6)
    n = right.shape[1]
    left_out = [np.sqrt(mean_of_pairs(np.delete(right, k, axis=1))) for k in range(n)]
    jackknife = np.sqrt((n - 1) * np.var(left_out))
    assert correlation_from_items(right).se == pytest.approx(jackknife, rel=0.01)


def test_cases_of_the_model_give_its_correlation_back_with_an_honest_standard_error() -> None:
    thetas = np.linspace(0.6, 0.8, 12)
    found = [
        correlation_from_items(simulated(seed, thetas, 500, common=0.7, correlation=0.6))
        for seed in range(400)
    ]
    common = np.array([f.common for f in found])
    spread = common.std(ddof=1)
    # Half a hundredth is more than the bias of a root, and four standard errors of the mean.
    assert common.mean() == pytest.approx(0.6, abs=0.005)
    assert np.mean([f.se for f in found]) == pytest.approx(spread, rel=4 / np.sqrt(2 * 400))


def test_chances_of_many_performances_are_those_of_each() -> None:
    thetas = np.array([0.65, 0.7, 0.88])
    together = chances_given(thetas, 0.7, 0.5)
    for k, theta in enumerate(thetas):
        alone = chances_given(np.array([theta]), 0.7, 0.5)
        assert (together[0][k], together[1][k]) == (alone[0][0], alone[1][0])
