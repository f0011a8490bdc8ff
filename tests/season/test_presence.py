"""Who took part where, and ratings against one player."""

import numpy as np
import polars as pl
import pytest
from tables import grid, sentence

from winodds import Season, rate_each
from winodds.errors import UnknownPlayer

SCORES = {
    "x": {"a": [3.0, 1.0, 2.0, 5.0], "b": [2.0, 2.0, 1.0, 4.0], "c": [1.0, 3.0, 3.0, 3.0]},
    "y": {"a": [5.0, 6.0, 7.0], "d": [4.0, 8.0, 6.0], "c": [6.0, 1.0, 1.0]},
    "z": {"b": [5.0, 6.0, 7.0], "d": [4.0, 8.0, 6.0]},
}
FAMILY = {"a": "tree", "b": "tree", "c": "net", "d": "net"}


def made(*, families: bool = False) -> Season:
    table = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in SCORES.items()])
    table = table.with_columns(kind=pl.col("player").replace_strict(FAMILY))
    return rate_each(
        table,
        tournament="data",
        higher_is_better=True,
        family="kind" if families else None,
    )


def test_presence_counts_results_of_players_and_of_families() -> None:
    found = made(families=True).presence()
    assert found.filled == pytest.approx(8 / 12)
    assert found.families == ("net", "tree")
    assert found.family_there is not None
    assert found.family_there.all()
    assert found.filled_by_family == 1.0
    assert found.everywhere == ()
    assert sorted(found.most()) == [("a", 2), ("b", 2), ("c", 2), ("d", 2)]
    assert [number for _, number in found.most(1)] == [2]
    assert found.to_dict()["everywhere"] == []


def test_families_that_nobody_named_are_not_counted() -> None:
    found = made().presence()
    assert found.families is None
    assert found.filled_by_family is None


def test_one_player_at_zero_leaves_out_tournaments_without_it() -> None:
    season = made()
    found = season.rescaled("a")
    assert found.reference == "a"
    assert not found.found
    assert found.left_out == ("z",)
    assert found.matrix.tournaments == ("x", "y")
    a = found.matrix.players.index("a")
    np.testing.assert_array_equal(found.matrix.epp[a], [0.0, 0.0])
    for column, name in enumerate(found.matrix.tournaments):
        board = season[name]
        for player in board.players:
            row = found.matrix.players.index(player)
            if player != "a":
                wanted = board.difference(player, "a").value
                assert found.matrix.epp[row, column] == pytest.approx(wanted)


def test_probabilities_do_not_depend_on_who_is_at_zero() -> None:
    season = made()
    by_a, by_c = season.rescaled("a").matrix, season.rescaled("c").matrix
    np.testing.assert_allclose(
        np.diff(by_a.epp[[0, 1]], axis=0), np.diff(by_c.epp[[0, 1]], axis=0), atol=1e-12
    )


def test_reference_is_the_player_with_the_most_tournaments_nearest_to_the_average() -> None:
    table = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in SCORES.items()])
    more = pl.DataFrame({"player": ["c"] * 3, "round": [1, 2, 3], "score": [4.5, 7.0, 6.5]})
    season = rate_each(
        pl.concat([table, more.with_columns(data=pl.lit("z"))], how="vertical_relaxed"),
        tournament="data",
        higher_is_better=True,
    )
    found = season.rescaled()
    assert (found.reference, found.found, found.left_out) == ("c", True, ())
    assert season.presence().everywhere == ("c",)


def test_unknown_reference_is_refused() -> None:
    assert sentence(UnknownPlayer, lambda: made().rescaled("e")) == (
        "No player 'e' in this season."
    )
