"""The rows of a leaderboard: what its columns are, and the numbers in them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, get_args, get_type_hints, overload

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.board.column import Column, declare, declared_in
from winodds.language.notes import Note

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard

PROBABILITY = {"minimum": 0, "maximum": 1}


@dataclass(frozen=True, slots=True)
class Row:
    """One player of a leaderboard. The columns of every output are declared here and only here."""

    rank: int = declare(
        "rank",
        "Place by EPP, 1 is the best; players with equal ratings share a place.",
        "rank",
        tone="faint",
        bounds={"minimum": 1},
    )
    rank_low: int | None = declare(
        "could be",
        "Best place that the player could truly have. A range begins with 1 for everyone who "
        "could be the best. Each end holds for itself, or all hold at once if that was asked for.",
        "ranks",
        joins="rank_high",
        optional=True,
        detail=True,
        gives_way=4,
        spare=True,
        tone="faint",
        bounds={"minimum": 1},
    )
    rank_high: int | None = declare(
        "could be",
        "Worst place that the player could truly have.",
        "rank",
        detail=True,
        bounds={"minimum": 1},
    )
    player: str = declare(
        "player",
        "Name of the player: a model, with its settings if they vary.",
        "name",
        shortens=((2, 22), (3, 14)),
        tone="name",
        bounds={"minLength": 1},
    )
    family: str | None = declare(
        "family",
        "The player's family, such as its algorithm; empty where none is given.",
        "words",
        optional=True,
        shortens=((1, 10),),
        spare=True,
        tone="kind",
    )
    epp: float = declare(
        "EPP",
        "Elo-based predictive power: the log-odds of beating the average player (or the "
        "reference player) in a new round. Differences of EPP are log-odds of beating each "
        "other. The average is that of the players who can be compared with each other, if they "
        "are more than half, and else of all.",
        "rating",
    )
    se: float = declare(
        "error", "Standard error of the EPP.", "error", usual=False, bounds={"minimum": 0}
    )
    low: float | None = declare(
        "interval",
        "Lower end of the EPP's interval; empty when it is open.",
        "interval",
        joins="high",
        joined_help="How sure the rating is: of many such intervals, so many hold the true "
        "rating. ∞ is an end that the data leave open.",
    )
    high: float | None = declare(
        "interval", "Upper end of the EPP's interval; empty when it is open.", "rating"
    )
    p_average: float = declare(
        "P(>avg)",
        "Probability of beating the average player in a new round.",
        "chance",
        gives_way=2,
        bounds=PROBABILITY,
    )
    p_best: float | None = declare(
        "P(best)",
        "Probability that the player is truly the best, given these results, with the luck of "
        "coming out first taken into account. The players' probabilities add up to 1.",
        "chance",
        optional=True,
        detail=True,
        gives_way=5,
        bounds=PROBABILITY,
    )
    letters: str | None = declare(
        "alike",
        "Letters; players who share one cannot be told apart when all pairs are compared at "
        "once (by sign flips, or by Holm's adjustment where clusters are few), players who share "
        "none are.",
        "letters",
        optional=True,
        detail=True,
        gives_way=1,
    )
    quasi_se: float | None = declare(
        "quasi-error",
        "Quasi-standard error, as papers print it: the model-based error of the difference of "
        "two players is about the root of the sum of their squares. It takes matches as "
        "independent.",
        "score",
        usual=False,
        detail=True,
        bounds={"minimum": 0},
    )
    wins: float = declare(
        "wins",
        "Matches won; a tie counts one half.",
        "number",
        usual=False,
        bounds={"minimum": 0},
    )
    matches: int = declare(
        "matches", "Matches played.", "count", usual=False, bounds={"minimum": 1}
    )
    rounds: int | None = declare(
        "rounds",
        "Rounds in which the player took part; empty for battles.",
        "count",
        usual=False,
        bounds={"minimum": 1},
    )
    mean_score: float | None = declare(
        "mean score",
        "Mean of the player's scores; empty for battles and where rounds differ in direction.",
        "mean",
        usual=False,
        optional=True,
        beside="low",
    )
    notes: tuple[Note, ...] = declare(
        "notes",
        "Doubts about this row.",
        "notes",
        optional=True,
        shortens=((4, 12),),
        tone="doubt",
    )


DECLARED = declared_in(Row)
"""Columns of a leaderboard, in order."""

CELLS: dict[str, Column] = {
    name: own
    for name, own in DECLARED.items()
    if name not in {other.joins for other in DECLARED.values()}
}
"""Those that have a cell of their own where people read them."""


def _in_reading_order(cells: dict[str, Column]) -> dict[str, Column]:
    """Cells with those that stand beside others behind these."""
    names = [name for name, own in cells.items() if own.beside is None]
    for name, own in cells.items():
        if own.beside is not None:
            names.insert(names.index(own.beside) + 1, name)
    return {name: cells[name] for name in names}


SHOWN: dict[str, Column] = _in_reading_order(CELLS)
"""The same in the order in which people read them; files keep the order above."""

COLUMNS: dict[str, str] = {name: own.help for name, own in DECLARED.items()}
"""Columns of a leaderboard with their help texts, in order."""

DETAILS = tuple(name for name, own in DECLARED.items() if own.detail)
"""Columns that take longer, and are there once `Leaderboard.details` was called."""

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
