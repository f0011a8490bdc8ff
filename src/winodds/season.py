"""Many leaderboards, one for each tournament."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from winodds.frames import build_frame
from winodds.leaderboard import KINDS, Leaderboard, read_json
from winodds.sota.leader import BoardSota
from winodds.words import count

SCHEMA = "winodds/season/1"


class Season(Mapping[str, Leaderboard]):
    """Leaderboards by the name of their tournament.

    Examples
    --------
    >>> import polars as pl, winodds
    >>> table = pl.DataFrame({
    ...     "model": ["A", "A", "A", "B", "B", "B"] * 2,
    ...     "data": ["iris"] * 6 + ["wine"] * 6,
    ...     "fold": [1, 2, 3] * 4,
    ...     "auc": [0.9, 0.8, 0.7, 0.8, 0.9, 0.6, 0.5, 0.6, 0.7, 0.8, 0.9, 0.6],
    ... })
    >>> season = winodds.rate_each(
    ...     table, player="model", round="fold", score="auc", tournament="data"
    ... )
    >>> list(season), season["wine"].players
    (['iris', 'wine'], ('B', 'A'))
    """

    __slots__ = ("_boards",)

    def __init__(self, boards: Mapping[str, Leaderboard]) -> None:
        self._boards = dict(boards)

    def __getitem__(self, tournament: str) -> Leaderboard:
        return self._boards[tournament]

    def __iter__(self) -> Iterator[str]:
        return iter(self._boards)

    def __len__(self) -> int:
        return len(self._boards)

    def __repr__(self) -> str:
        return f"<Season: {count(len(self), 'leaderboard')}>"

    def sota(self, *, seed: int | None = None) -> dict[str, BoardSota]:
        """The leader of every tournament with its luck taken out, and that of each family.

        A best that is picked in each of many tournaments is picked by luck as often; see
        `Leaderboard.sota`.
        """
        return {name: board.sota(seed=seed) for name, board in self.items()}

    def frame(self, backend: str | None = None) -> Any:
        """All rows in one data frame, with the tournament as first column."""
        tables = {name: board.columns() for name, board in self.items()}
        first = next(iter(self.values()))
        stacked: dict[str, list[Any]] = {
            "tournament": [name for name, board in self.items() for _ in range(len(board))]
        }
        for column in first.columns():
            stacked[column] = [cell for table in tables.values() for cell in table[column]]
        stacked["notes"] = ["; ".join(notes) for notes in stacked["notes"]]
        kinds = {"tournament": str, **KINDS}
        return build_frame(stacked, kinds, backend=backend or first.backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with nothing lost."""
        return {"schema": SCHEMA, "tournaments": [board.to_dict() for board in self.values()]}

    def to_json(self, *, indent: int | None = None) -> str:
        """The boards as JSON; `from_json` reads them back without loss."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "Season":
        """The season that `to_json` wrote."""
        return read_json(text, SCHEMA, cls._from_dict)

    @classmethod
    def _from_dict(cls, data: Mapping[str, Any]) -> "Season":
        boards = [Leaderboard.from_dict(board) for board in data["tournaments"]]
        return cls({str(board.tournament): board for board in boards})
