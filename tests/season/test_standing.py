"""How players did over all tournaments."""

import numpy as np
import polars as pl
import pytest
from scipy.special import expit
from tables import grid

from winodds import rate_each

SCORES = {
    "x": {"a": [3.0, 1.0, 2.0, 5.0], "b": [2.0, 2.0, 1.0, 4.0], "c": [1.0, 3.0, 3.0, 3.0]},
    "y": {"a": [5.0, 6.0, 7.0], "d": [4.0, 8.0, 6.0]},
    "z": {"a": [1.0, 1.0], "b": [1.0, 1.0]},
}


def test_rows_count_tournaments_and_first_places() -> None:
    table = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in SCORES.items()])
    season = rate_each(table, tournament="data", higher_is_better=True)
    rows = {row.player: row for row in season.standing()}
    assert [row.player for row in season.standing()] == list(season.matrix().players)
    assert {name: row.tournaments for name, row in rows.items()} == {"a": 3, "b": 2, "c": 1, "d": 1}
    # Ties share the first place: a and b are level on z.
    first = {
        name: sum(b.row(name).rank == 1 for b in season.values() if name in b.players)
        for name in rows
    }
    assert {name: row.first for name, row in rows.items()} == first
    assert first["b"] == 1
    own = np.array([season[name].row("a").epp for name in "xyz"])
    assert rows["a"].mean_epp == pytest.approx(own.mean())
    assert rows["a"].mean_p_average == pytest.approx(expit(own).mean())
    assert (rows["a"].best, rows["a"].worst) == ("xyz"[own.argmax()], "z")
    assert rows["b"].family is None
