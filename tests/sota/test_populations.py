"""Populations: the best of them in closed form, and their nodes against every performance."""

import numpy as np
import pytest
from hypothesis import given as examples, strategies as st
from scipy import special

from winodds.arrays import Floats
from winodds.sota.laws.populations import (
    Nodes,
    Uniform,
    empirical,
    given,
    identical,
    summarise,
)

# Expected performance of the best -----------------------------------------------------------------


def test_best_of_given_performances_is_the_highest() -> None:
    population = given(np.array([0.3, 0.8, 0.5]))
    assert (population.best, population.top, population.players) == (0.8, 0.8, 3)


def test_best_of_identical_players_is_any() -> None:
    population = identical(0.7, 50)
    assert (population.best, population.top, population.players) == (0.7, 0.7, 50)


@pytest.mark.parametrize("players", [1, 2, 5])
def test_best_drawn_from_two_values_is_absent_with_its_chance(players: int) -> None:
    population = empirical(np.array([0.2, 0.9]), players)
    absent = 0.5**players
    assert population.best == pytest.approx(0.2 * absent + 0.9 * (1 - absent))


def test_best_drawn_from_a_list_counts_repeated_values() -> None:
    # Two draws from {0.2, 0.2, 0.2, 0.9}: no 0.9 with 9/16.
    population = empirical(np.array([0.2, 0.9, 0.2, 0.2]), 2)
    assert population.best == pytest.approx((0.2 * 9 + 0.9 * 7) / 16)
    assert empirical(np.array([0.2, 0.9, 0.2, 0.2])).players == 4


@pytest.mark.parametrize("players", [1, 2, 1000])
def test_best_of_uniform_players_is_the_papers(players: int) -> None:
    a, b = 0.6, 0.85
    assert Uniform(a, b, players).best == pytest.approx((players * b + a) / (players + 1))


# Nodes --------------------------------------------------------------------------------------------


def exceeding(theta: Floats, n: int, x: int) -> Floats:
    """P(X > x) for each performance, from its definition."""
    found: Floats = special.betainc(x + 1, n - x, theta)
    return found


@pytest.mark.parametrize("x", [800, 850, 880])
def test_nodes_of_drawn_performances_give_the_mean_over_all(x: int) -> None:
    theta, n = np.random.default_rng(1).uniform(0.7, 0.9, 5000), 1000
    nodes = empirical(theta).nodes(0.0, np.sqrt(0.09 / n))
    assert nodes.theta.size < 500
    exact = exceeding(theta, n, x).mean()
    assert nodes.weight @ exceeding(nodes.theta, n, x) == pytest.approx(exact, rel=1e-10)


@pytest.mark.parametrize("x", [870, 890, 920])
def test_nodes_of_given_performances_give_the_sum_of_logarithms(x: int) -> None:
    theta, n = np.random.default_rng(2).uniform(0.7, 0.9, 5000), 1000
    nodes = given(theta).nodes(0.0, np.sqrt(0.09 / n))
    assert nodes.theta.size < 1000
    exact = np.log1p(-exceeding(theta, n, x)).sum()
    found = nodes.weight @ np.log1p(-exceeding(nodes.theta, n, x))
    assert found == pytest.approx(exact, rel=1e-9)


@examples(st.integers(0, 999), st.integers(2, 400), st.floats(0.001, 0.5))
def test_summary_keeps_polynomials_exactly(seed: int, size: int, width: float) -> None:
    rng = np.random.default_rng(seed)
    theta = np.unique(rng.beta(2.0, 1.0, size))
    count = rng.integers(1, 5, theta.size).astype(np.float64)
    nodes = summarise(theta, count, width, smooth=True)
    for power in range(6):
        assert nodes.weight @ nodes.theta**power == pytest.approx(count @ theta**power, rel=1e-9)


def test_few_performances_are_their_own_nodes() -> None:
    theta, count = np.array([0.2, 0.5, 0.9]), np.array([1.0, 4.0, 2.0])
    nodes = summarise(theta, count, 0.001, smooth=False)
    assert nodes == Nodes(theta, count)


def test_nodes_begin_where_asked_and_weigh_the_share_above() -> None:
    theta = np.array([0.1, 0.4, 0.4, 0.8])
    drawn = empirical(theta, 10).nodes(0.4, 0.01)
    assert drawn.theta.tolist() == [0.4, 0.8]
    assert drawn.weight.tolist() == [0.5, 0.25]
    assert given(theta).nodes(0.4, 0.01).weight.tolist() == [2.0, 1.0]
    uniform = Uniform(0.2, 0.7, 10).nodes(0.6, 0.01)
    assert uniform.weight.sum() == pytest.approx(0.2)
    assert Uniform(0.2, 0.7, 10).nodes(0.7, 0.01).theta.size == 0


def test_uniform_without_a_width_is_one_performance() -> None:
    nodes = Uniform(0.7, 0.7, 10).nodes(0.0, 0.01)
    assert (nodes.theta.tolist(), nodes.weight.tolist()) == ([0.7], [1.0])


@pytest.mark.parametrize("width", [0.002, 0.02, 0.3])
def test_nodes_of_a_uniform_law_integrate_survival(width: float) -> None:
    a, b = 0.3, 0.9
    n = max(int(0.21 / width**2), 2)
    nodes = Uniform(a, b, 5).nodes(0.0, np.sqrt(0.09 / n))
    for x in {int(0.3 * n), int(0.7 * n), n - 1}:
        k = np.arange(x + 1, n + 1)
        above = special.betainc(k + 1, n - k + 1, b) - special.betainc(k + 1, n - k + 1, a)
        exact = above.sum() / (n + 1) / (b - a)
        assert nodes.weight @ exceeding(nodes.theta, n, x) == pytest.approx(exact, rel=1e-9)
