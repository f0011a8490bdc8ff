"""Small tables, and what tests ask of errors and boards."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from winodds import Leaderboard, WinoddsError
from winodds.board.components import Components
from winodds.board.how import Details, How, Interval, MatchCounts, Scheme
from winodds.board.row import Standings
from winodds.language.notes import Note
from winodds.table.scores import Dropped

INF = float("inf")

ROUGH = "The intervals rest on only 3 rounds; below about 10 they are rough."
ONLY_LUCK = (
    "The ratings vary no more than luck alone would make them; if all players are equal, who is "
    "best means nothing."
)
"""The note that boards of three rounds carry."""

SMALL = (("svm", 1.2345, -0.5, INF), ("random forest", 0.0, -INF, INF), ("rf", -1.2, -INF, 10.25))
"""Rows for `board`, with open ends on either side."""


def grid(scores: Mapping[str, Sequence[float | None]]) -> pl.DataFrame:
    """A long table from each player's scores in rounds 1, 2, …: one row for each of them."""
    rounds = range(max(len(own) for own in scores.values()))
    rows = [(player, k + 1, own[k]) for k in rounds for player, own in scores.items()]
    return pl.DataFrame(rows, ["player", "round", "score"], orient="row").cast(
        {"score": pl.Float64}
    )


def three_by_three() -> pl.DataFrame:
    """Nobody is separated: a wins 4 of its 6 matches, b 3 and c 2."""
    return grid({"a": [0.9, 0.9, 0.5], "b": [0.8, 0.6, 0.6], "c": [0.7, 0.95, 0.4]})


def named(*names: str | None) -> pl.DataFrame:
    """The scores of `three_by_three` under other names."""
    columns = three_by_three()
    return columns.with_columns(pl.Series("player", list(names) * 3, pl.String))


def sentence(error: type[WinoddsError], call: Callable[[], object]) -> str:
    """The sentence of the error that the call raises."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    return str(caught.value)


def outcome(call: Callable[[], Leaderboard]) -> Leaderboard | str:
    """The board, or the sentence of the error, where either would do."""
    try:
        return call()
    except WinoddsError as error:
        return str(error)


def draw_few(patch: pytest.MonkeyPatch) -> None:
    """Let chances rest on 200 draws and the quality of a fit on 20 simulated tables."""
    patch.setattr("winodds.inference.posterior.DRAWS", (200, 200))
    patch.setattr("winodds.board.quality.most_simulations", lambda _comparisons: 20)


def texts(notes: Iterable[Note]) -> tuple[str, ...]:
    """What the notes say."""
    return tuple(map(str, notes))


def facts(board: Leaderboard) -> dict[str, Any]:
    """Everything a board tells, but for what it was asked and the library of the table."""
    left_out = ("backend", "options")
    return {key: value for key, value in board.to_dict().items() if key not in left_out}


def facts_but_weights(board: Leaderboard) -> dict[str, Any]:
    """The same, but for the weights as they were given, which JSON keeps."""
    found = facts(board)
    for part in found["evidence"]:
        del part["games"]["weight"]
    return found


def wins(board: Leaderboard) -> dict[str, tuple[float, int]]:
    """Wins and matches of each player."""
    return {row.player: (row.wins, row.matches) for row in board}


def board(
    *rows: tuple[str, float, float, float],
    notes: tuple[str, ...] = (),
    row_notes: Mapping[int, Sequence[str | Note]] | None = None,
    level: float = 0.95,
) -> Leaderboard:
    """A board with these players, ratings and interval ends."""
    size = len(rows)
    epp, low, high = (np.array([row[k] for row in rows]) for k in (1, 2, 3))
    how = How(
        estimator="bias-reduced",
        prior_sd=None,
        interval=Interval("robust", level, "round", 4, None),
        matches=MatchCounts("within", 4, 0, 0.0, 4),
        scheme=Scheme("Pooled", "higher", {"score": "score"}),
        dropped=Dropped(),
        missing="skip",
        duplicates="error",
        reference=None,
        average=None,
        iterations=1,
        details=Details(
            quick=False,
            convention="pairs",
            ranks="marginal",
            draws=4000,
            simulations=500,
            seed=0,
        ),
        version="0",
        options={},
    )
    return Leaderboard(
        players=tuple(row[0] for row in rows),
        standings=Standings(
            rank=np.arange(1, size + 1),
            epp=epp,
            se=np.ones(size),
            low=low,
            high=high,
            p_average=1 / (1 + np.exp(-epp)),
            wins=np.full(size, 2.5),
            matches=np.full(size, 4),
            rounds=None,
            mean_score=None,
        ),
        row_notes={k: _doubts(own) for k, own in (row_notes or {}).items()},
        how=how,
        notes=_doubts(notes),
        components=Components(()),
        backend="polars",
    )


def _doubts(notes: Sequence[str | Note]) -> tuple[Note, ...]:
    return tuple(Note("doubt", "made_up", one) if isinstance(one, str) else one for one in notes)
