"""Sets of players who are not told apart, and their letters."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from winodds.arrays import Bools, Ints
from winodds.inference.letters import assign_letters, find_alike


def _apart(players: int, *pairs: tuple[int, int]) -> Bools:
    apart = np.zeros((players, players), np.bool_)
    for first, second in pairs:
        apart[first, second] = apart[second, first] = True
    return apart


@st.composite
def _apart_tables(draw: st.DrawFn, *, most: int = 12) -> Bools:
    """Any symmetric pattern, dense or thin."""
    players = draw(st.integers(1, most))
    chance = draw(st.sampled_from([0.1, 0.3, 0.5, 0.8]))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    upper = np.triu(rng.random((players, players)) < chance, 1)
    apart: Bools = upper | upper.T
    return apart


def _as_lists(apart: Bools) -> list[list[int]]:
    return [alike.tolist() for alike in find_alike(apart)]


def _count_pairs(sets: list[Ints], players: int) -> Ints:
    """(m, m) in how many sets two players are together; a player alone on the diagonal."""
    shared = np.zeros((players, players), np.int64)
    for alike in sets:
        shared[np.ix_(alike, alike)] += 1
    return shared


def _maximal_cliques(apart: Bools) -> set[tuple[int, ...]]:
    """All sets of players none of whom are apart that take in no further player."""
    players = range(apart.shape[0])
    sets = [
        chosen
        for size in range(1, len(players) + 1)
        for chosen in combinations(players, size)
        if not apart[np.ix_(chosen, chosen)].any()
    ]
    return {one for one in sets if not any(set(one) < set(other) for other in sets)}


def test_overlapping_runs() -> None:
    apart = _apart(5, (0, 2), (0, 3), (0, 4), (1, 4), (2, 4))
    assert _as_lists(apart) == [[0, 1], [1, 2, 3], [3, 4]]
    assert assign_letters(find_alike(apart), 5) == ["a", "ab", "b", "bc", "c"]


def test_an_uncertain_player_shares_letters_beyond_those_told_apart() -> None:
    """The first and the third are told apart, the first and the uncertain fourth are not."""
    apart = _apart(4, (0, 2))
    assert _as_lists(apart) == [[0, 1, 3], [1, 2, 3]]
    assert assign_letters(find_alike(apart), 4) == ["a", "ab", "b", "ab"]


def test_pair_without_a_run_gets_its_own_set() -> None:
    apart = _apart(4, (0, 1), (0, 2), (1, 3), (2, 3))
    assert _as_lists(apart) == [[0, 3], [1, 2]]


def test_set_whose_pairs_others_cover_is_left_out() -> None:
    """The run 0–1–2 is in no other set, but each of its pairs has a friend outside it."""
    friends = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (2, 5)]
    pairs = [pair for pair in combinations(range(6), 2) if pair not in friends]
    assert _as_lists(_apart(6, *pairs)) == [[0, 1, 3], [0, 2, 5], [1, 2, 4]]


def test_all_apart_have_a_letter_each() -> None:
    apart = ~np.eye(5, dtype=np.bool_)
    assert _as_lists(apart) == [[0], [1], [2], [3], [4]]
    assert assign_letters(find_alike(apart), 5) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("players", [1, 2, 9])
def test_none_apart_share_one_letter(players: int) -> None:
    sets = find_alike(_apart(players))
    assert [alike.tolist() for alike in sets] == [list(range(players))]
    assert assign_letters(sets, players) == ["a"] * players


def test_beyond_the_alphabet_sets_are_numbered() -> None:
    assert assign_letters([np.array([k]) for k in range(26)], 26)[-1] == "z"
    assert assign_letters([np.array([k]) for k in range(27)], 27)[-1] == "27"
    members = {0: [0, 1, 2], 1: [0, 1, 2, 6], 2: [3, 5, 25, 26], 3: [4]}
    sets = [
        np.array([player for player, own in members.items() if number in own])
        for number in range(27)
    ]
    assert assign_letters(sets, 4) == ["1–3", "1–3,7", "4,6,26–27", "5"]


@given(_apart_tables())
def test_sets_cover_exactly_the_pairs_not_told_apart(apart: Bools) -> None:
    shared = _count_pairs(find_alike(apart), apart.shape[0])
    np.testing.assert_array_equal(shared > 0, ~apart)


@given(_apart_tables())
def test_no_set_takes_in_a_further_player(apart: Bools) -> None:
    for alike in find_alike(apart):
        fits = ~apart[alike].any(axis=0)
        assert np.flatnonzero(fits).tolist() == alike.tolist()


@given(_apart_tables())
def test_no_set_can_be_left_out(apart: Bools) -> None:
    sets = find_alike(apart)
    shared = _count_pairs(sets, apart.shape[0])
    for alike in sets:
        assert (shared[np.ix_(alike, alike)] == 1).any()


@given(_apart_tables())
def test_sets_come_in_order_of_their_ends(apart: Bools) -> None:
    ends = [(int(alike[0]), int(alike[-1])) for alike in find_alike(apart)]
    assert ends == sorted(ends)
    assert ends[0][0] == 0


@given(_apart_tables(most=6))
def test_each_set_is_a_maximal_clique(apart: Bools) -> None:
    assert {tuple(alike) for alike in _as_lists(apart)} <= _maximal_cliques(apart)


@given(_apart_tables(most=7))
def test_players_share_a_letter_exactly_when_not_told_apart(apart: Bools) -> None:
    sets = find_alike(apart)
    labels = assign_letters(sets, apart.shape[0])
    shared = np.array([[bool(set(one) & set(other)) for other in labels] for one in labels])
    np.testing.assert_array_equal(shared, ~apart)


def test_equal_errors_give_runs_only() -> None:
    rating = np.sort(np.random.default_rng(3).normal(size=60))[::-1]
    sets = find_alike(np.abs(rating[:, None] - rating) > 0.5)
    for alike in sets:
        np.testing.assert_array_equal(np.diff(alike), 1)
    ends = [alike[-1] for alike in sets]
    assert ends == sorted(set(ends))


def test_many_players_with_unequal_errors() -> None:
    rng = np.random.default_rng(0)
    rating = np.sort(1.5 * rng.normal(size=400))[::-1]
    error = 0.1 * np.exp(0.5 * rng.normal(size=400))
    between = np.sqrt(error[:, None] ** 2 + error**2)
    apart = np.abs(rating[:, None] - rating) > 3.5 * between
    sets = find_alike(apart)
    shared = _count_pairs(sets, 400)
    np.testing.assert_array_equal(shared > 0, ~apart)
    assert all((shared[np.ix_(alike, alike)] == 1).any() for alike in sets)
