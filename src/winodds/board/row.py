"""The rows of a leaderboard: what its columns are, and the numbers in them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, get_args, get_type_hints, overload

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.language.notes import Note

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard

DETAILS = ("rank_low", "rank_high", "p_best", "letters", "quasi_se")
"""Columns that take longer, and are there once `Leaderboard.details` was called."""


def _column(help_text: str) -> Any:
    return field(metadata={"help": help_text})


@dataclass(frozen=True, slots=True)
class Row:
    """One player of a leaderboard. The columns of every output are declared here and only here."""

    rank: int = _column("Place by EPP, 1 is the best; players with equal ratings share a place.")
    rank_low: int | None = _column(
        "Best place that the player could truly have; the ranges of all players hold at once, and "
        "may be wider than the letters suggest."
    )
    rank_high: int | None = _column("Worst place that the player could truly have.")
    player: str = _column("Name of the player: a model, with its settings if they vary.")
    family: str | None = _column(
        "The player's family, such as its algorithm; empty where none is given."
    )
    epp: float = _column(
        "Elo-based predictive power: the log-odds of beating the average player (or the reference "
        "player) in a new round. Differences of EPP are log-odds of beating each other."
    )
    se: float = _column("Standard error of the EPP.")
    low: float | None = _column("Lower end of the EPP's interval; empty when it is open.")
    high: float | None = _column("Upper end of the EPP's interval; empty when it is open.")
    p_average: float = _column("Probability of beating the average player in a new round.")
    p_best: float | None = _column(
        "How often the player is rated highest when rounds (or other clusters) are drawn with "
        "replacement, and spread further where splits share training data: how firm the first "
        "place is."
    )
    letters: str | None = _column(
        "Letters; players who share one cannot be told apart when all pairs are compared at once "
        "(Holm's adjustment), players who share none are."
    )
    quasi_se: float | None = _column(
        "Quasi-standard error, as papers print it: the model-based error of the difference of two "
        "players is about the root of the sum of their squares. It takes matches as independent."
    )
    wins: float = _column("Matches won; a tie counts one half.")
    matches: int = _column("Matches played.")
    rounds: int | None = _column("Rounds in which the player took part; empty for battles.")
    mean_score: float | None = _column(
        "Mean of the player's scores; empty for battles and where rounds differ in direction."
    )
    notes: tuple[Note, ...] = _column("Doubts about this row.")


COLUMNS: dict[str, str] = {column.name: column.metadata["help"] for column in fields(Row)}
"""Columns of a leaderboard with their help texts, in order."""

KINDS: dict[str, type] = {
    name: next((kind for kind in (int, float) if kind in (get_args(hint) or (hint,))), str)
    for name, hint in get_type_hints(Row).items()
}
"""What the columns of a data frame hold: int, float or str."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Columns of the board as arrays, best player first; open ends are infinite.

    Those that take longer are in `Leaderboard.details`.
    """

    rank: Ints
    epp: Floats
    se: Floats
    low: Floats
    high: Floats
    p_average: Floats
    wins: Floats
    matches: Ints
    rounds: Ints | None
    mean_score: Floats | None


class Rows(Sequence[Row]):
    """Rows of a leaderboard, each made when it is looked at."""

    __slots__ = ("_board",)

    def __init__(self, board: "Leaderboard") -> None:
        self._board = board

    def __len__(self) -> int:
        return len(self._board)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(*place.indices(len(self))))
        if not -len(self) <= place < len(self):
            raise IndexError(f"a board of {len(self)} players has no row {place}")
        k = place % len(self)
        standings = self._board.standings
        numbers = {
            column.name: _cell(getattr(standings, column.name), k) for column in fields(Standings)
        }
        placing = self._board.details() if self._board.detailed else None
        details: dict[str, Any] = {
            name: None if placing is None else _cell(getattr(placing, name), k) for name in DETAILS
        }
        families = self._board.families
        return Row(
            player=self._board.players[k],
            family=None if families is None else families[k],
            notes=self._board.row_notes(k),
            **numbers,
            **details,
        )


def _cell(values: Floats | Ints | tuple[str, ...] | None, place: int) -> Any:
    """One cell as plain data; None when it is not finite or the column does not exist."""
    if values is None:
        return None
    if isinstance(values, tuple):
        return values[place]
    value = values[place].item()
    return value if np.isfinite(value) else None


def list_cells(values: Floats | Ints | tuple[str, ...] | None, size: int) -> list[Any]:
    """The column as plain data, with None as in a `Row`."""
    if values is None:
        return [None] * size
    if isinstance(values, tuple):
        return list(values)
    numbers: list[Any] = values.tolist()
    if np.isfinite(values).all():
        return numbers
    return [number if np.isfinite(number) else None for number in numbers]
