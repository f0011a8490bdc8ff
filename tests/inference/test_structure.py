"""Components, sets and cuts against a transitive closure."""

import numpy as np
import pytest
from conftest import make_results, score_tables
from hypothesis import given, strategies as st
from reference import matches_across, matches_within, reach, win_matrix

from winodds.arrays import Bools, Floats
from winodds.inference.structure import Structure, find_structure
from winodds.matches.across import count_across
from winodds.matches.battles import count_battles
from winodds.matches.results import Battles
from winodds.matches.within import count_within


def _check(structure: Structure, wins: Floats) -> None:
    exact = reach(wins)
    players = len(wins)
    first, second = (index.ravel() for index in np.indices((players, players)))
    found = structure.reaches(first, second).reshape(players, players)
    np.testing.assert_array_equal(found, exact)
    np.testing.assert_array_equal(structure.reaches_all(), exact.all(axis=1))
    np.testing.assert_array_equal(structure.reached_by_all(), exact.all(axis=0))
    mutual: Bools = exact & exact.T
    for part in range(structure.parts):
        inside = structure.part == part
        np.testing.assert_array_equal(structure.reaches_set(part), exact[:, inside].all(axis=1))
        np.testing.assert_array_equal(structure.reached_by_set(part), exact[inside].all(axis=0))
    sizes = mutual.sum(axis=1)
    largest = structure.largest_set()
    assert (largest is None) == (2 * sizes.max() <= players)
    assert largest is None or 2 * (structure.part == largest).sum() > players
    assert structure.parts == len(np.unique(mutual, axis=0))
    assert structure.connected == bool(reach(wins + wins.T).all())


@given(score_tables(levels=30), st.sampled_from([0.0, 4.0]))
def test_sets_of_complete_rounds(scores: Floats, tolerance: float) -> None:
    wins = win_matrix(matches_within(scores, tolerance=tolerance), scores.shape[1])
    found = find_structure(count_within(make_results(scores), tolerance=tolerance))
    assert found.chain
    _check(found, wins)


@given(score_tables(missing=True, levels=20), st.integers(-1, 3), st.sampled_from([0.0, 4.0]))
def test_sets_of_incomplete_rounds(scores: Floats, level: int, tolerance: float) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    matches = matches_within(scores, tolerance=tolerance)
    if len({match.round for match in matches}) > 1:
        found = find_structure(count_within(make_results(scores), tolerance=tolerance))
        _check(found, win_matrix(matches, scores.shape[1]))


@given(score_tables(missing=True, levels=20), st.sampled_from([0.0, 4.0]))
def test_sets_of_matches_across_rounds(scores: Floats, tolerance: float) -> None:
    matches = matches_across(scores, tolerance=tolerance)
    if matches and (~np.isnan(scores)).any(axis=1).sum() > 1:
        found = find_structure(count_across(make_results(scores, across=True), tolerance=tolerance))
        _check(found, win_matrix(matches, scores.shape[1]))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_sets_of_battles(battles: list[tuple[int, int]]) -> None:
    pairs = np.array([pair for pair in battles if pair[0] != pair[1]])
    if len(pairs) < 2:
        return
    table = np.zeros((6, 6))
    np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1.0)
    ones = np.ones(len(pairs))
    found = find_structure(count_battles(Battles(6, pairs[:, 0], pairs[:, 1], ones, ones, None)))
    _check(found, table)


def test_a_set_that_beats_the_rest_is_a_cut() -> None:
    scores = np.array([[5.0, 4.0, 2.0, 1.0], [4.0, 5.0, 1.0, 2.0]])
    found = find_structure(count_within(make_results(scores)))
    assert found.parts == 2
    assert found.part.tolist() == [0, 0, 1, 1]
    assert found.reaches_all().tolist() == [True, True, False, False]
    assert found.reached_by_all().tolist() == [False, False, True, True]


def test_a_tie_across_the_border_is_no_cut() -> None:
    scores = np.array([[5.0, 4.0, 4.0, 1.0], [4.0, 5.0, 1.0, 2.0]])
    found = find_structure(count_within(make_results(scores)))
    assert found.part.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("players", [3, 500])
def test_perfect_agreement_separates_everyone(players: int) -> None:
    scores = np.tile(np.arange(float(players)), (3, 1))
    found = find_structure(count_within(make_results(scores)))
    assert found.parts == players
    assert found.part.tolist() == list(range(players - 1, -1, -1))
