"""Components: stretches of places, whose arrays put end to end are those of the board."""

from math import log

import numpy as np
import pytest
from tables import grid

from winodds import Leaderboard, rate
from winodds.board.components import Components

NAN = float("nan")
GAP = log(3.5 / 1.5)
"""B beats A in 3 of 4 rounds; half a win more for each keeps the rating finite."""


@pytest.fixture(scope="module")
def board() -> Leaderboard:
    """C, D and E are equal, B beats A in 3 of 4 rounds, and these never met those."""
    none3, none4 = [None] * 3, [None] * 4
    table = grid(
        {
            "A": [1, 1, 1, 5, *none3],
            "B": [2, 2, 2, 4, *none3],
            "C": [*none4, 3, 2, 1],
            "D": [*none4, 1, 3, 2],
            "E": [*none4, 2, 1, 3],
        }
    )
    found = rate(table, higher_is_better=True, components="separate")
    assert found.players == ("C", "D", "E", "B", "A")
    return found


def test_components_are_stretches_of_places(board: Leaderboard) -> None:
    found = board.components
    assert (len(found), [part.size for part in found]) == (2, [3, 2])
    assert found.starts == [0, 3, 5]
    assert found.number().tolist() == [0, 0, 0, 1, 1]
    assert found.split(board.players) == [("C", "D", "E"), ("B", "A")]
    assert [*found] == [found[0], found[1]]
    assert [*found.named(board.players)] == [(found[0], ("C", "D", "E")), (found[1], ("B", "A"))]


def test_every_place_is_found_in_its_component(board: Leaderboard) -> None:
    large, small = board.components
    places = [(large, 0), (large, 1), (large, 2), (small, 0), (small, 1)]
    assert [board.components.place(k) for k in range(5)] == places


def test_two_places_share_a_component_or_never_met(board: Leaderboard) -> None:
    large, small = board.components
    assert board.components.pair(2, 0) == (large, (2, 0))
    assert board.components.pair(3, 4) == (small, (0, 1))
    assert board.components.pair(3, 3) == (small, (0, 0))
    assert board.components.pair(2, 3) is None
    assert board.components.pair(4, 0) is None


def test_values_are_scattered_over_the_board(board: Leaderboard) -> None:
    ratings = board.components.scatter(lambda part: part.intervals.beta)
    np.testing.assert_allclose(ratings, [0, 0, 0, GAP / 2, -GAP / 2], atol=1e-12)
    both = board.components.scatter(lambda part: np.stack([part.intervals.beta, part.wins.wins]))
    np.testing.assert_array_equal(both, [ratings, [3, 3, 3, 3, 1]])


def test_squares_have_nothing_between_players_who_never_met(board: Leaderboard) -> None:
    found = board.components.scatter_square(
        lambda part: np.arange(part.size**2, dtype=np.float64).reshape(part.size, part.size)
    )
    expected = [
        [0, 1, 2, NAN, NAN],
        [3, 4, 5, NAN, NAN],
        [6, 7, 8, NAN, NAN],
        [NAN, NAN, NAN, 0, 1],
        [NAN, NAN, NAN, 2, 3],
    ]
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(board.win_matrix()[3:, 3:], [[0.5, 0.7], [0.3, 0.5]], rtol=1e-12)


def test_differences_of_pairs_of_several_components(board: Leaderboard) -> None:
    first, second = np.array([4, 0, 3, 2]), np.array([3, 1, 4, 2])
    found = board.components.differences(first, second)
    np.testing.assert_allclose(found.value, [-GAP, 0.0, GAP, 0.0], atol=1e-12)
    assert (found.se[0], found.low[0], found.high[0]) == pytest.approx(
        (found.se[2], -found.high[2], -found.low[2]), rel=1e-12
    )
    assert (found.se[3], found.low[3], found.high[3]) == (0.0, 0.0, 0.0)
    apart = board.components[0].compare(np.array([0]), np.array([1]))
    assert (found.se[1], found.low[1]) == (apart.se[0], apart.low[0])


def test_board_that_was_cut_has_no_components() -> None:
    none = Components(())
    assert (len(none), none.starts, none.number().tolist(), none.split(())) == (0, [0], [], [])
