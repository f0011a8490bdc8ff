"""The leaderboard: rows, how it was obtained, its doubts; frame and JSON, out and in."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar, get_args, get_type_hints, overload

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats, Ints
from winodds.errors import (
    BadOption,
    BrokenJson,
    NoCommonScale,
    NoEvidence,
    NotJson,
    SchemaUnknown,
    UnknownPlayer,
    WinoddsError,
)
from winodds.evidence import Evidence
from winodds.frames import build_frame
from winodds.inference import Estimates
from winodds.names import close_names

SCHEMA = "winodds/leaderboard/1"

Result = TypeVar("Result")


def _column(help_text: str) -> Any:
    return field(metadata={"help": help_text})


@dataclass(frozen=True, slots=True)
class Row:
    """One player of a leaderboard. The columns of every output are declared here and only here."""

    rank: int = _column("Place by EPP, 1 is the best; players with equal ratings share a place.")
    player: str = _column("Name of the player: a model, with its settings if they vary.")
    family: str | None = _column("The player's group, such as its algorithm; empty without groups.")
    epp: float = _column(
        "Elo-based predictive power: the log-odds of beating the average player (or the reference "
        "player) in a new round. Differences of EPP are log-odds of beating each other."
    )
    se: float = _column("Standard error of the EPP.")
    low: float | None = _column("Lower end of the EPP's interval; empty when it is open.")
    high: float | None = _column("Upper end of the EPP's interval; empty when it is open.")
    p_average: float = _column("Probability of beating the average player in a new round.")
    wins: float = _column("Matches won; a tie counts one half.")
    matches: int = _column("Matches played.")
    rounds: int | None = _column("Rounds in which the player took part; empty for battles.")
    mean_score: float | None = _column(
        "Mean of the player's scores; empty for battles and where rounds differ in direction."
    )
    notes: tuple[str, ...] = _column("Doubts about this row.")


COLUMNS: dict[str, str] = {column.name: column.metadata["help"] for column in fields(Row)}
"""Columns of a leaderboard with their help texts, in order."""

KINDS: dict[str, type] = {
    name: next(kind for kind in (int, float, str) if kind in (get_args(hint) or (hint,)))
    for name, hint in get_type_hints(Row).items()
}
"""What the columns of a data frame hold: int, float or str."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; an end is None when it is open."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class How:
    """How a leaderboard was obtained.

    Attributes
    ----------
    estimator : "bias-reduced", "mle" or "ridge".
    prior_sd : standard deviation of the ridge prior, else None.
    interval : kind, level, cluster (what it is) and clusters (how many), test_fraction.
    matches : kind, count, ties, tie_tolerance, rounds (how many, None for battles).
    scheme : roles and the columns that play them.
    dropped : what the table held that plays no part.
    missing, duplicates : the rules for runs without a score and pairs with several.
    reference : the player whose rating is 0, or None for the average.
    iterations : Newton steps of the fit.
    version : of Winodds.
    """

    estimator: str
    prior_sd: float | None
    interval: Mapping[str, Any]
    matches: Mapping[str, Any]
    scheme: Mapping[str, Any]
    dropped: Mapping[str, Any]
    missing: str
    duplicates: str
    reference: str | None
    iterations: int
    version: str


@dataclass(frozen=True, slots=True)
class Standings:
    """Columns of the board as arrays, best player first; open ends are infinite."""

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


class Leaderboard:
    """Players in the order of their ratings, with intervals, doubts and how it was all obtained.

    Attributes
    ----------
    players : names, best first.
    rows : a sequence of `Row`, made when looked at.
    standings : the same numbers as arrays.
    how : how the board was obtained.
    notes : doubts about the board as a whole, in sentences.
    families : names of the players' groups in the same order, or None.
    tournament : name of the tournament, for a board of a season.

    Examples
    --------
    >>> import polars as pl, winodds
    >>> table = pl.DataFrame({
    ...     "player": ["A"] * 4 + ["B"] * 4,
    ...     "round": [1, 2, 3, 4] * 2,
    ...     "score": [0.8, 0.8, 0.8, 0.8, 0.9, 0.78, 0.78, 0.78],
    ... })
    >>> board = winodds.rate(table, higher_is_better=True)
    >>> board.players
    ('A', 'B')
    >>> round(board.win_probability("A", "B").value, 2)
    0.7
    """

    __slots__ = (
        "_evidence",
        "_place",
        "_row_notes",
        "backend",
        "families",
        "how",
        "notes",
        "players",
        "standings",
        "tournament",
    )

    def __init__(
        self,
        *,
        players: tuple[str, ...],
        standings: Standings,
        row_notes: Mapping[int, tuple[str, ...]],
        how: How,
        notes: tuple[str, ...],
        evidence: tuple[Evidence, ...],
        backend: str,
        families: tuple[str, ...] | None = None,
        tournament: str | None = None,
    ) -> None:
        self.players = players
        self.families = families
        self.standings = standings
        self.how = how
        self.notes = notes
        self.backend = backend
        self.tournament = tournament
        self._row_notes = dict(row_notes)
        self._evidence = evidence
        self._place: dict[str, int] = {}

    # Rows -----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @property
    def rows(self) -> "Rows":
        return Rows(self)

    def row(self, player: str) -> Row:
        """The row of one player."""
        return self.rows[self._find(player)]

    def row_notes(self, place: int) -> tuple[str, ...]:
        """Notes of the row at a place, 0 is the first."""
        return self._row_notes.get(place, ())

    # Pairs ----------------------------------------------------------------------------------------

    def difference(self, a: str, b: str) -> Estimate:
        """How much higher ``a`` is rated than ``b``, in log-odds, with its interval."""
        found = self._compare(a, b)
        return Estimate(float(found.value[0]), _end(found.low[0]), _end(found.high[0]))

    def win_probability(self, a: str, b: str) -> Estimate:
        """Probability that ``a`` beats ``b`` in a new round, with its interval.

        An end that is open in log-odds is 0 or 1 here.
        """
        found = self._compare(a, b)
        value, low, high = (float(expit(x[0])) for x in (found.value, found.low, found.high))
        return Estimate(value, low, high)

    def odds(self, a: str, b: str) -> Estimate:
        """Odds that ``a`` beats ``b`` in a new round, with their interval.

        An end that is open in log-odds is 0 below and None above.
        """
        found = self._compare(a, b)
        with np.errstate(over="ignore"):
            value, low, high = (np.exp(x[0]) for x in (found.value, found.low, found.high))
        return Estimate(float(value), float(low), _end(high))

    def differences(self, a: Sequence[str], b: Sequence[str]) -> Estimates:
        """Differences of many pairs at once, ``a[k]`` against ``b[k]``, as arrays."""
        if len(a) != len(b):
            wanted = f"it names as many players as a, {len(a)}"
            raise BadOption(option="b", value=list(b), wanted=wanted)
        first = np.array([self._find(player) for player in a], np.int64)
        second = np.array([self._find(player) for player in b], np.int64)
        group, index = self._groups()
        apart = np.flatnonzero(group[first] != group[second])
        if apart.size:
            raise NoCommonScale(first=a[int(apart[0])], second=b[int(apart[0])])
        result = Estimates(*(np.empty(first.size) for _ in range(4)))
        for number, evidence in enumerate(self._evidence):
            inside = group[first] == number
            found = evidence.compare(index[first[inside]], index[second[inside]])
            for name in ("value", "se", "low", "high"):
                getattr(result, name)[inside] = getattr(found, name)
        return result

    def win_matrix(self) -> Floats:
        """(m, m) probability that the row's player beats the column's, in the order of ``players``.

        NaN between players of groups that never met.
        """
        matrix = np.full((len(self), len(self)), np.nan)
        for group in self._evidence:
            beta = group.intervals.beta
            matrix[np.ix_(group.players, group.players)] = expit(beta[:, None] - beta[None, :])
        return matrix

    def error_matrix(self) -> Floats:
        """(m, m) standard errors of all differences, in the order of ``players``.

        NaN between players of groups that never met.
        """
        matrix = np.full((len(self), len(self)), np.nan)
        for group in self._evidence:
            errors = group.uncertainty.error_matrix()
            matrix[np.ix_(group.players, group.players)] = errors
        return matrix

    def comparable(self, a: str, b: str) -> bool:
        """Whether two players share a scale, as they do unless their groups never met.

        A board that holds only its first rows compares nobody.
        """
        if not self._evidence:
            return False
        group, _ = self._groups()
        return bool(group[self._find(a)] == group[self._find(b)])

    def _compare(self, a: str, b: str) -> Estimates:
        return self.differences([a], [b])

    def _groups(self) -> tuple[Ints, Ints]:
        """(m,) for every place, the number of its group and its index there."""
        if not self._evidence:
            raise NoEvidence()
        group, index = np.empty(len(self), np.int64), np.empty(len(self), np.int64)
        for number, evidence in enumerate(self._evidence):
            group[evidence.players] = number
            index[evidence.players] = np.arange(evidence.players.size)
        return group, index

    def _find(self, player: str) -> int:
        if not self._place:
            self._place.update({name: k for k, name in enumerate(self.players)})
        if player not in self._place:
            raise UnknownPlayer(player=player, close=close_names(player, self.players))
        return self._place[player]

    # Out and in -----------------------------------------------------------------------------------

    def columns(self) -> dict[str, list[Any]]:
        """The columns as lists; open ends and what does not exist are None."""
        cells: dict[str, list[Any]] = {
            column.name: _cells(getattr(self.standings, column.name), len(self))
            for column in fields(Standings)
        }
        cells["player"] = list(self.players)
        cells["family"] = [None] * len(self) if self.families is None else list(self.families)
        cells["notes"] = [self.row_notes(place) for place in range(len(self))]
        return {name: cells[name] for name in COLUMNS}

    def frame(self, backend: str | None = None) -> Any:
        """The rows as a data frame, of the kind the scores came in or of the named library.

        Notes of a row are joined by semicolons.
        """
        columns = self.columns()
        columns["notes"] = ["; ".join(notes) for notes in columns["notes"]]
        return build_frame(columns, KINDS, backend=backend or self.backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold, with nothing lost."""
        columns = self.columns()
        how = asdict(self.how)
        return {
            "schema": SCHEMA,
            "tournament": self.tournament,
            "players": [
                dict(zip(columns, cells, strict=True))
                for cells in zip(*columns.values(), strict=True)
            ],
            **how,
            "notes": list(self.notes),
            "backend": self.backend,
            "evidence": [group.to_dict() for group in self._evidence],
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The board as JSON; `from_json` reads it back without loss.

        The layout is in the package, ``schema/leaderboard.json``.
        """
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Leaderboard":
        """The board that `to_dict` wrote."""
        rows = data["players"]
        how = {column.name: data[column.name] for column in fields(How)}
        return cls(
            players=tuple(row["player"] for row in rows),
            standings=_standings(rows),
            row_notes={k: tuple(row["notes"]) for k, row in enumerate(rows) if row["notes"]},
            how=How(**how),
            notes=tuple(data["notes"]),
            evidence=tuple(Evidence.from_dict(group) for group in data["evidence"]),
            backend=data["backend"],
            families=_read_families(rows),
            tournament=data["tournament"],
        )

    @classmethod
    def from_json(cls, text: str) -> "Leaderboard":
        """The board that `to_json` wrote."""
        return read_json(text, SCHEMA, cls.from_dict)

    # Display --------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        name = f" of '{self.tournament}'" if self.tournament else ""
        return f"<Leaderboard{name}: {len(self)} players, best {self.players[0]!r}>"

    def __str__(self) -> str:
        from winodds.show.text import render_text

        return render_text(self)

    def _repr_html_(self) -> str:
        from winodds.show.notebook import render_html

        return render_html(self)


class Rows(Sequence[Row]):
    """Rows of a leaderboard, each made when it is looked at."""

    __slots__ = ("_board",)

    def __init__(self, board: Leaderboard) -> None:
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
        families = self._board.families
        return Row(
            player=self._board.players[k],
            family=None if families is None else families[k],
            notes=self._board.row_notes(k),
            **numbers,
        )


def read_json(text: str, schema: str, build: Callable[[dict[str, Any]], Result]) -> Result:
    """What ``build`` makes of a JSON object that says it has this schema."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotJson(reason=str(error)) from None
    found = data.get("schema") if isinstance(data, dict) else None
    if found != schema:
        raise SchemaUnknown(found=str(found), known=schema)
    try:
        return build(data)
    except WinoddsError:
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise BrokenJson(reason=f"{type(error).__name__}: {error}") from error


def _read_families(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...] | None:
    families = tuple(row["family"] for row in rows)
    return None if None in families else families


def _end(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _cell(values: Floats | Ints | None, place: int) -> Any:
    """One cell as a plain number; None when it is not finite or the column does not exist."""
    if values is None:
        return None
    value = values[place].item()
    return value if np.isfinite(value) else None


def _cells(values: Floats | Ints | None, size: int) -> list[Any]:
    """The column as plain numbers, with None as in `_cell`."""
    if values is None:
        return [None] * size
    numbers: list[Any] = values.tolist()
    if np.isfinite(values).all():
        return numbers
    return [number if np.isfinite(number) else None for number in numbers]


def _standings(rows: Sequence[Mapping[str, Any]]) -> Standings:
    return Standings(**{column.name: _array(rows, column.name) for column in fields(Standings)})


def _array(rows: Sequence[Mapping[str, Any]], name: str) -> Any:
    """A column of plain rows as an array; None for a column without any number."""
    open_end = {"low": -np.inf, "high": np.inf}.get(name)
    cells = [row[name] for row in rows]
    if open_end is None and all(cell is None for cell in cells):
        return None
    gone = np.nan if open_end is None else open_end
    array = np.array([gone if cell is None else cell for cell in cells], np.float64)
    return array.astype(np.int64) if KINDS[name] is int else array
