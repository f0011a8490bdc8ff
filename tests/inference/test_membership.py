"""Which combinations tell what teams add, and which the teams do not tell."""

import numpy as np
from hypothesis import given, strategies as st

from winodds.arrays import Bools
from winodds.inference.membership import synergy_rows, worth_rows


def _belongs(*teams: str, members: str = "abcd") -> Bools:
    return np.array([[member in team for member in members] for team in teams], np.bool_)


def test_synergy_is_the_team_minus_the_mean_of_its_members() -> None:
    rows = synergy_rows(_belongs("ab", "abd"), np.array([4, 0]), np.array([1, 2, 3, 5]), 6)
    third = -1.0 / 3.0
    expected = [[0.0, -0.5, -0.5, 0.0, 1.0, 0.0], [1.0, third, third, 0.0, 0.0, third]]
    np.testing.assert_allclose(rows, expected)


def test_worth_in_a_round_robin_of_pairs_by_hand() -> None:
    """Of three members, each pair a team: ratings 3, 2 and 1 make worths of 1, 0 and −1."""
    found = worth_rows(_belongs("ab", "ac", "bc", members="abc"))
    np.testing.assert_allclose(found.rows @ [3.0, 2.0, 1.0], [1.0, 0.0, -1.0], atol=1e-12)
    assert found.told.all()
    assert found.rank == 2


def test_worth_recovers_what_ratings_were_made_of() -> None:
    belongs = _belongs("ab", "abc", "cd", "acd", "bd", "d")
    worth = np.array([0.5, -0.2, 0.1, 0.9])
    found = worth_rows(belongs)
    np.testing.assert_allclose(found.rows @ (2.0 + belongs @ worth), worth - worth.mean())
    np.testing.assert_allclose(found.rows.sum(axis=1), 0.0, atol=1e-12)


def test_members_who_always_play_together_are_not_told_apart() -> None:
    found = worth_rows(_belongs("abc", "abd", "cd", "c"))
    assert found.told.tolist() == [False, False, True, True]
    assert found.rank == 2


def test_a_member_of_every_team_is_not_told_nor_is_the_mean_of_all() -> None:
    found = worth_rows(_belongs("ab", "ac", "abc"))
    assert not found.told[0]
    found = worth_rows(_belongs("ab", "ac", "ad"))
    assert found.told.tolist() == [False] * 4
    assert found.rank == 2


def test_a_single_member_has_no_worth() -> None:
    found = worth_rows(_belongs("a", "a", members="a"))
    assert found.told.tolist() == [False]
    assert found.rank == 0


TEAMS = st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=7)


@given(TEAMS)
def test_worth_is_told_where_no_other_worths_explain_the_same_teams(
    teams: list[list[bool]],
) -> None:
    """A twin: directions that change no team's rating, from the null space."""
    belongs = np.array(teams, np.bool_)
    columns = np.concatenate([np.ones((len(teams), 1)), belongs], axis=1)
    _, sizes, right = np.linalg.svd(columns)
    hidden = right[(sizes > 1e-9).sum() :, 1:]
    centred = hidden - hidden.mean(axis=1, keepdims=True)
    found = worth_rows(belongs)
    assert found.told.tolist() == (np.abs(centred) < 1e-9).all(axis=0).tolist()
    assert found.told.all() == (found.rank == 3)
    untold = np.linalg.matrix_rank(centred, tol=1e-9) if hidden.size else 0
    assert found.rank <= 3 - untold
