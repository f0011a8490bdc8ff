"""All tournaments of a season as numbers."""

import numpy as np
import polars as pl
from tables import board, grid, sentence

from winodds import Season, rate_each
from winodds.errors import NoEvidence

SCORES = {
    "x": {"a": [3.0, 1.0, 2.0, 5.0], "b": [2.0, 2.0, 1.0, 4.0], "c": [1.0, 3.0, 3.0, 3.0]},
    "y": {"a": [5.0, 6.0, 7.0], "d": [4.0, 8.0, 6.0], "c": [1.0, 1.0, 1.0]},
}


def made() -> Season:
    table = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in SCORES.items()])
    return rate_each(table, tournament="data", higher_is_better=True)


def test_ratings_errors_and_biases_are_those_of_the_boards() -> None:
    season = made()
    table, lineup = season.matrix(), season.lineup
    np.testing.assert_allclose(lineup.ratings(), table.epp, atol=1e-12)
    np.testing.assert_allclose(lineup.errors(), table.se, atol=1e-12)
    assert np.isnan(table.se).sum() == 2
    for number, own_board in enumerate(season.values()):
        own = [table.players.index(player) for player in own_board.players]
        found = own_board.components[0].uncertainty.of_ratings("all")
        np.testing.assert_allclose(table.epp[own, number], found.value, atol=1e-12)
        np.testing.assert_allclose(table.se[own, number], found.se, atol=1e-12)
        bias = own_board.components[0].intervals.bias
        np.testing.assert_array_equal(lineup.biases()[own, number], bias)


def test_average_is_that_of_all_players_of_a_tournament() -> None:
    table = made().matrix()
    np.testing.assert_allclose(np.nansum(table.epp, axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(
        table.p_average[:, 0], 1.0 / (1.0 + np.exp(-table.epp[:, 0])), rtol=1e-12
    )


def test_pairs_are_compared_where_both_took_part() -> None:
    season = made()
    players = season.matrix().players
    a, c, d = (players.index(player) for player in "acd")
    found = season.lineup.pairs(np.array([a, c, d]), np.array([c, a, a]))
    assert found.shared.tolist() == [[True, True, False], [True, True, True]]
    for number, own_board in enumerate(season.values()):
        wanted = own_board.difference("a", "c")
        np.testing.assert_allclose(found.value[number, 0], wanted.value, atol=1e-12)
        np.testing.assert_allclose(found.value[number, 1], -wanted.value, atol=1e-12)
        np.testing.assert_allclose(found.bias[number, 0], -found.bias[number, 1], atol=1e-12)
        np.testing.assert_allclose(found.variance[number, 0], found.variance[number, 1])
    # In y, c lost every match: how far below a it is, nobody can tell.
    assert found.open_above.tolist() == [[False] * 3, [True, False, False]]
    assert found.open_below.tolist() == [[False] * 3, [False, True, False]]


def test_shared_tournaments_are_those_with_a_common_scale() -> None:
    """In z, a and b never met c and d, and their components are rated each on its own."""
    apart = grid(
        {
            "a": [2.0, 1.0, None, None],
            "b": [1.0, 2.0, None, None],
            "c": [None, None, 2.0, 1.0],
            "d": [None, None, 1.0, 2.0],
        }
    )
    tables = [grid(own).with_columns(data=pl.lit(name)) for name, own in SCORES.items()]
    table = pl.concat([*tables, apart.with_columns(data=pl.lit("z"))])
    season = rate_each(table, tournament="data", higher_is_better=True, components="separate")
    players, lineup = season.matrix().players, season.lineup
    pairs = [("a", "b"), ("a", "c"), ("c", "d"), ("b", "d"), ("c", "a")]
    first, second = (np.array([players.index(pair[k]) for pair in pairs]) for k in (0, 1))
    assert lineup.shared(first, second).tolist() == [2, 2, 2, 0, 2]
    assert lineup.pairs(first, second).shared.sum(axis=0).tolist() == [2, 2, 2, 0, 2]


def test_error_of_a_pair_is_by_cluster_and_across_a_cut_the_larger_one() -> None:
    season = made()
    players = season.matrix().players
    a, c = players.index("a"), players.index("c")
    found = season.lineup.pairs(np.array([a]), np.array([c]))
    for number, cut in enumerate([False, True]):
        part = season[("x", "y")[number]].components[0]
        order = season[("x", "y")[number]].players
        pair = part.uncertainty.contrasts(
            np.array([order.index("a")]), np.array([order.index("c")])
        )
        assert pair.robust is not None
        wanted = pair.se if cut else pair.robust
        np.testing.assert_allclose(found.variance[number], wanted**2, rtol=1e-12)
    assert bool(pair.cut[0])


def test_boards_that_were_cut_have_no_games_to_look_at() -> None:
    cut = Season({"x": board(("a", 0.5, -1.0, 2.0), ("b", -0.5, -2.0, 1.0))})
    assert sentence(NoEvidence, lambda: cut.lineup) == (
        "This leaderboard holds only its first rows, and nothing to compare players with. "
        "Write it again without top."
    )
