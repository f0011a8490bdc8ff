"""Combinations of ratings against slow twins, and against differences, which they generalise."""

from itertools import product

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given, strategies as st
from reference import fit_slow, matches_within, reach, robust_slow, win_matrix
from simulated import Design, assess, even, fixed, spread

from winodds.arrays import Bools, Floats
from winodds.fit.newton import fit
from winodds.inference.combinations import combine, known_ends
from winodds.inference.intervals import Uncertainty, quantify
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.matches.within import count_within


def _rows(seed: int, rows: int, players: int) -> Floats:
    drawn = np.random.default_rng(seed).normal(size=(rows, players))
    return np.asarray(drawn - drawn.mean(axis=1, keepdims=True), np.float64)


def _assess(scores: Floats, **options: object) -> Uncertainty:
    wins = count_within(make_results(scores))
    found = fit(wins.wins, wins.design)
    return quantify(wins, found, find_structure(wins), **options)  # type: ignore[arg-type]


def test_errors_are_those_of_the_slow_covariances() -> None:
    scores, rows = simulate(1, 6, 12), _rows(1, 4, 6)
    matches = matches_within(scores)
    slow = fit_slow(win_matrix(matches, 6), estimator="bias-reduced")
    robust = robust_slow(matches, slow.beta, slow.covariance, {r: r for r in range(12)})
    variance = [max(row @ robust @ row, row @ slow.covariance @ row) for row in rows]
    found = combine(_assess(scores), rows)
    np.testing.assert_allclose(found.value, rows @ slow.beta, atol=1e-9)
    np.testing.assert_allclose(found.se, np.sqrt(variance), rtol=1e-7)


def test_model_based_errors_are_those_of_the_slow_covariance() -> None:
    scores, rows = simulate(2, 5, 10), _rows(2, 3, 5)
    slow = fit_slow(win_matrix(matches_within(scores), 5), estimator="bias-reduced")
    found = combine(_assess(scores, kind="model"), rows)
    np.testing.assert_allclose(
        found.se, np.sqrt(np.einsum("ki,ij,kj->k", rows, slow.covariance, rows)), rtol=1e-7
    )
    np.testing.assert_allclose(found.high - found.low, 2.0 * 1.959963985 * found.se, rtol=1e-8)


DESIGNS = {
    "complete": Design("", spread(6, 1.0), even(12)),
    "missing": Design("", spread(6, 1.0), even(12), missing=0.3),
    "unequal": Design("", spread(6, 1.0), fixed(1, 2, 3, 5, 9, 14), missing=0.2),
    "pooled": Design("", spread(6, 1.0), fixed(3, 4, 5, 6), kind="pooled"),
    "battles": Design("", spread(6, 1.0), fixed(*[20] * 8), kind="battles"),
    "far apart": Design("", spread(6, 4.0), even(8)),
    "far apart, missing": Design("", spread(6, 4.0), even(8), missing=0.3),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_a_difference_is_a_combination_with_the_same_interval(name: str) -> None:
    found = assess(DESIGNS[name].draw(np.random.default_rng(3)))
    first, second = np.triu_indices(6, 1)
    rows = np.zeros((first.size, 6))
    rows[np.arange(first.size), first] = 1.0
    rows[np.arange(first.size), second] = -1.0
    exact, combined = found.of_differences(first, second), combine(found, rows)
    for column in ("value", "se", "low", "high"):
        np.testing.assert_allclose(getattr(combined, column), getattr(exact, column), atol=1e-10)


@pytest.mark.parametrize("name", ["complete", "far apart"])
def test_a_rating_is_a_combination_with_the_same_interval(name: str) -> None:
    found = assess(DESIGNS[name].draw(np.random.default_rng(4)))
    exact, combined = found.of_ratings("all"), combine(found, np.eye(6) - 1.0 / 6.0)
    for column in ("value", "se", "low", "high"):
        np.testing.assert_allclose(getattr(combined, column), getattr(exact, column), atol=1e-10)


@pytest.mark.parametrize("name", DESIGNS)
def test_half_a_combination_has_half_the_interval_and_its_opposite_the_opposite(name: str) -> None:
    found = assess(DESIGNS[name].draw(np.random.default_rng(5)))
    rows = _rows(5, 4, 6)
    whole, half, opposite = (combine(found, factor * rows) for factor in (1.0, 0.5, -1.0))
    for column in ("value", "se", "low", "high"):
        np.testing.assert_allclose(getattr(half, column), 0.5 * getattr(whole, column), rtol=1e-9)
    np.testing.assert_allclose(opposite.low, -whole.high, rtol=1e-9)
    np.testing.assert_allclose(opposite.high, -whole.low, rtol=1e-9)


def test_who_has_no_part_does_not_count() -> None:
    """The last player took part in three rounds only, and matters to no other combination."""
    scores = simulate(6, 5, 12, spread=0.1)
    scores[3:, 4] = np.nan
    found = _assess(scores)
    rows = np.array([[1.0, -0.5, -0.5, 0.0, 0.0], [1.0, -0.5, -0.5, 1e-17, -1e-17]])
    with_all = np.array([[1.0, -0.5, -0.25, 0.0, -0.25]])
    one, two = (combine(found, chosen) for chosen in (rows, with_all))
    assert one.low[0] == one.low[1]
    assert (one.high[0] - one.low[0]) / one.se[0] < 5.0 < (two.high[0] - two.low[0]) / two.se[0]


# Open ends ----------------------------------------------------------------------------------------


def _slow_ends(reached: Bools, row: Floats) -> tuple[bool, bool]:
    """Whether no upper set has a negative sum, and none a positive one, by looking at all."""
    sums = [0.0]
    for chosen in product([False, True], repeat=len(row)):
        inside = np.array(chosen)
        if not (reached[:, inside].any(axis=1) & ~inside).any():
            sums.append(float(row[inside].sum()))
    return min(sums) > -1e-6, max(sums) < 1e-6


COEFFICIENTS = st.lists(st.integers(-2, 2), min_size=6, max_size=6)


@given(score_tables(missing=True, players=(3, 6), levels=40), COEFFICIENTS)
def test_an_end_is_open_where_an_upper_set_lets_it_run_away(
    scores: Floats, coefficients: list[int]
) -> None:
    players = scores.shape[1]
    matches = matches_within(scores)
    wins = win_matrix(matches, players)
    if len({match.round for match in matches}) < 2 or not reach(wins + wins.T).all():
        return
    row = np.array(coefficients[:players], np.float64)
    row[-1] -= row.sum()
    found = known_ends(find_structure(count_within(make_results(scores))), row[None, :])
    assert (bool(found[0][0]), bool(found[1][0])) == _slow_ends(reach(wins), row)


def test_a_team_between_its_members_may_be_anywhere() -> None:
    """B wins every round, the team beats only A: nobody knows how far the two members are off."""
    scores = np.array([[0.0, 3.0, 2.0], [0.0, 3.0, 2.0], [1.0, 3.0, 2.0]])
    found = combine(_assess(scores), np.array([[-0.5, -0.5, 1.0], [-1.0, 0.0, 1.0]]))
    assert found.low.tolist() == [-np.inf, pytest.approx(found.low[1])]
    assert found.high.tolist() == [np.inf, np.inf]
    assert np.isfinite(found.low[1])


def test_a_team_above_all_its_members_is_open_above_only() -> None:
    scores = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0], [1.0, 0.0, 2.0]])
    found = combine(assess(Games("within", make_results(scores))), np.array([[-0.5, -0.5, 1.0]]))
    assert np.isfinite(found.low[0])
    assert found.high[0] == np.inf
