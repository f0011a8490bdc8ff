"""One leaderboard cut into slices: a board for each, and what differs from the rest."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, order_of
from winodds.board.leaderboard import Leaderboard
from winodds.board.row import COLUMNS, KINDS
from winodds.inference.contrasts import told_apart
from winodds.language.errors import DataError
from winodds.language.notes import Note, join_texts
from winodds.language.options import Options
from winodds.language.words import count, list_names
from winodds.matches.games import Games
from winodds.show import present
from winodds.slices import notes as note
from winodds.slices.comparison import Compared, Comparison, compare_slices, shared_clusters
from winodds.slices.errors import NoSliceRated, OneSlice, TooManySlices, UnknownSlice
from winodds.slices.leaders import Leader, find_leaders
from winodds.table.errors import TooFewRounds
from winodds.table.frames import build_frame
from winodds.table.slices import Labels

SCHEMA = "winodds/slices/1"

MOST_SLICES = 200
"""Slices beyond which a column is no topic but a name."""

OPEN = float("inf")

TINY = 1e-300
"""Smaller p-values than this are equal."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One player in one slice and elsewhere.

    Attributes
    ----------
    slice, player : their names.
    inside, outside : ratings in the slice and in the rest, around the average of the same players.
    difference, se : how much higher the player is rated in the slice, and its standard error.
    low, high : interval of that, for itself; None where the data leave an end open.
    p_inside, p_outside : chances to beat that average player, by these ratings.
    p_value, p_adjusted : two-sided, alone and among all slices and players (Holm).
    told : whether the difference is told from 0 among all of them.
    """

    slice: str
    player: str
    inside: float
    outside: float
    difference: float
    se: float
    low: float | None
    high: float | None
    p_inside: float
    p_outside: float
    p_value: float
    p_adjusted: float
    told: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """The rounds, or battles, with one value of the column.

    Attributes
    ----------
    name : the value.
    rounds : how many rounds, or battles, there are.
    clusters : how many independent units.
    board : their leaderboard; None where there can be none.
    differences : each player there and elsewhere, in the order of the whole board.
    averaged : over how many players the average is taken that ratings are compared around.
    visible : what a typical player would have to win of 100 matches with the average player,
        instead of 50, to be told apart with 80% power; None where nothing is compared.
    notes : what to know of it.
    """

    name: str
    rounds: int
    clusters: int
    board: Leaderboard | None
    differences: tuple[Difference, ...]
    averaged: int
    visible: float | None
    notes: tuple[Note, ...]

    @property
    def too_small(self) -> bool:
        """Whether the slice is too small to say how it differs, and nothing in it is told."""
        faint = self.visible is None or self.visible > note.FAINT
        return faint and not any(one.told for one in self.differences)


class Slices(present.Presented, Mapping[str, Slice]):
    """A board for each value of a column, and what differs from the rest.

    Attributes
    ----------
    by : the column.
    whole : the board of all rounds, or battles.
    level : 1 minus the chance of any false claim about a difference.
    tests : how many differences were tested.
    notes : what to know of all slices.

    Examples
    --------
    >>> import polars as pl, winodds
    >>> rows = [
    ...     (model, item, "law" if item % 4 else "art", (item * step) % 11 + skill * (item % 4 > 0))
    ...     for model, step, skill in (("a", 3, 9), ("b", 5, 0), ("c", 7, 0))
    ...     for item in range(120)
    ... ]
    >>> table = pl.DataFrame(rows, ["model", "item", "topic", "score"], orient="row")
    >>> found = winodds.rate_slices(
    ...     table, by="topic", player="model", round="item", higher_is_better=True
    ... )
    >>> list(found), found["law"].rounds, [(one.slice, one.player) for one in found.told()]
    (['art', 'law'], 90, [('art', 'a'), ('law', 'a')])
    """

    def __init__(
        self,
        *,
        by: str,
        whole: Leaderboard,
        slices: Sequence[Slice],
        tests: int,
        notes: Iterable[Note],
    ) -> None:
        self.by = by
        self.whole = whole
        self.tests = tests
        self.notes = tuple(notes)
        self._slices = {one.name: one for one in slices}
        self._leaders: tuple[Leader, ...] | None = None

    @property
    def level(self) -> float:
        """1 minus the chance of any false claim about a difference."""
        return self.whole.how.interval.level

    def __getitem__(self, name: str) -> Slice:
        if name not in self._slices:
            raise UnknownSlice(name=name, column=self.by, known=list_names(self._slices))
        return self._slices[name]

    def __contains__(self, name: object) -> bool:
        return name in self._slices

    def __iter__(self) -> Iterator[str]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)

    def told(self) -> tuple[Difference, ...]:
        """The differences that are told from 0 among all slices and players, clearest first."""
        found = [one for own in self.values() for one in own.differences if one.told]
        # In two slices the same p-value is computed twice, and may differ by rounding.
        clear = np.log([max(one.p_value, TINY) for one in found])
        return tuple(found[k] for k in order_of(clear).tolist())

    def leaders(self) -> tuple[Leader, ...]:
        """Who leads each slice that has a board, and who else could be the best there.

        Computed when this is first called, kept, and shown from then on. The chance that anywhere
        a truly best player is excluded is at most 1 − level.
        """
        if self._leaders is None:
            boards = [(own.name, own.board) for own in self.values() if own.board is not None]
            self._leaders = find_leaders(boards, self.whole.how.details.seed)
        return self._leaders

    @property
    def led(self) -> bool:
        """Whether the leaders were asked for."""
        return self._leaders is not None

    # Out ------------------------------------------------------------------------------------------

    def columns(self) -> dict[str, list[Any]]:
        """A row for every slice and player: the columns of the board, and the difference."""
        rows = [row for own in self.values() for row in _rows(own)]
        return {name: [row[name] for row in rows] for name in FRAME}

    def frame(self, backend: str | None = None) -> Any:
        """The same as a data frame, of the kind the scores came in or of the named library."""
        columns = self.columns()
        columns["notes"] = [join_texts(notes) for notes in columns["notes"]]
        return build_frame(columns, FRAME, backend=backend or self.whole.backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; each board is one that `Leaderboard.from_dict` reads."""
        return {
            "schema": SCHEMA,
            "by": self.by,
            "level": self.level,
            "tests": self.tests,
            "whole": self.whole.to_dict(),
            "slices": [_slice_to_dict(own) for own in self.values()],
            "leaders": None
            if self._leaders is None
            else [{**asdict(own), "told": own.told} for own in self._leaders],
            "notes": [own.to_dict() for own in self.notes],
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def __repr__(self) -> str:
        return f"<Slices by {self.by!r}: {count(len(self), 'slice')}>"


FRAME: dict[str, type] = {
    "slice": str,
    **KINDS,
    "elsewhere": float,
    "difference": float,
    "difference_low": float,
    "difference_high": float,
    "p_value": float,
    "p_adjusted": float,
    "differs": bool,
}
"""Columns of `Slices.frame`, with their types."""


def _rows(own: Slice) -> Iterator[dict[str, Any]]:
    """The rows of a slice that has a board."""
    if own.board is None:
        return
    columns, known = own.board.columns(), {one.player: one for one in own.differences}
    for cells in zip(*(columns[name] for name in COLUMNS), strict=True):
        row = dict(zip(COLUMNS, cells, strict=True))
        found = known.get(row["player"])
        yield {
            "slice": own.name,
            **row,
            "elsewhere": found and found.outside,
            "difference": found and found.difference,
            "difference_low": found and found.low,
            "difference_high": found and found.high,
            "p_value": found and found.p_value,
            "p_adjusted": found and found.p_adjusted,
            "differs": found is not None and found.told,
        }


def _slice_to_dict(own: Slice) -> dict[str, Any]:
    return {
        "name": own.name,
        "rounds": own.rounds,
        "clusters": own.clusters,
        "averaged": own.averaged,
        "visible": own.visible,
        "too_small": own.too_small,
        "board": None if own.board is None else own.board.to_dict(),
        "differences": [asdict(one) for one in own.differences],
        "notes": [one.to_dict() for one in own.notes],
    }


# Making them --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sliced:
    """A table, or battles, with the slices of its rounds.

    Attributes
    ----------
    games : of the whole board, the players numbered by their names.
    players : their names.
    labels : the slice of each round, or battle, of the games.
    rate : makes the board of some of them, (R,) or (B,).
    unit : what a cluster is.
    """

    games: Games
    players: tuple[str, ...]
    labels: Labels
    rate: Callable[[Bools], Leaderboard]
    unit: str


def cut_slices(whole: Leaderboard, cut: Sliced, options: Options) -> Slices:
    """Rate every slice, and compare each with the rest."""
    labels = _present(cut)
    compared = compare_slices(cut.games, labels.code, len(labels.names), options, cut.unit)
    slices = [
        _make_slice(name, number, labels, whole, cut, compared)
        for number, name in enumerate(labels.names)
    ]
    if all(own.board is None for own in slices):
        reason = str(slices[0].notes[0].facts["reason"])
        raise NoSliceRated(
            column=labels.column, slices=len(slices), first=slices[0].name, reason=reason
        )
    told = sum(one.told for own in slices for one in own.differences)
    notes = _notes(labels, cut, compared.tests, told, options.level)
    return Slices(by=labels.column, whole=whole, slices=slices, tests=compared.tests, notes=notes)


def _kind(games: Games) -> str:
    return "battle" if games.kind == "battles" else "round"


def _present(cut: Sliced) -> Labels:
    """The slices that have rounds, or battles, which are neither one nor very many."""
    labels = cut.labels
    sizes = np.bincount(labels.code[labels.code >= 0], minlength=len(labels.names))
    kept = np.flatnonzero(sizes)
    if kept.size < 2:
        raise OneSlice(column=labels.column, slices=kept.size, unit=_kind(cut.games))
    if kept.size > MOST_SLICES:
        raise TooManySlices(column=labels.column, slices=kept.size, limit=MOST_SLICES)
    number = np.full(len(labels.names) + 1, -1)
    number[kept] = np.arange(kept.size)
    names = tuple(labels.names[k] for k in kept.tolist())
    return Labels(labels.column, names, number[labels.code])


def _notes(labels: Labels, cut: Sliced, tests: int, told: int, level: float) -> Iterator[Note]:
    missing = int((labels.code < 0).sum())
    if missing:
        yield note.without_value(missing, labels.code.size, labels.column, _kind(cut.games))
    if tests:
        yield note.each_against_rest(tests, level, _kind(cut.games))
    if told > 1:
        yield note.one_moves_others()
    both = shared_clusters(cut.games, labels.code)
    if both:
        yield note.clusters_in_both(both, cut.games.clusters, cut.unit)


def _make_slice(
    name: str, number: int, labels: Labels, whole: Leaderboard, cut: Sliced, compared: Comparison
) -> Slice:
    inside, found = labels.code == number, compared.slices[number]
    board, notes = None, list[Note]()
    try:
        board = cut.rate(inside)
    except TooFewRounds as few:
        notes.append(note.not_rated(name, note.few_rounds(few.rounds)))
    except DataError as error:
        notes.append(note.not_rated(name, str(error)))
    clusters = _clusters(cut.games, inside)
    if isinstance(found, str):
        notes += [] if board is None else [note.not_compared(name, found)]
        return Slice(name, int(inside.sum()), clusters, board, (), 0, None, tuple(notes))
    differences = tuple(_differences(name, found, whole, cut.players))
    visible = float(expit(found.visible))
    if visible > note.FAINT and not any(one.told for one in differences):
        notes.append(note.too_small(name, clusters, cut.unit, visible))
    if abs(found.ties[0] - found.ties[1]) >= note.TIES_APART:
        notes.append(note.ties_differ(name, *found.ties))
    compared_players = {one.player for one in differences}
    left = [] if board is None else [who for who in board.players if who not in compared_players]
    if left:
        notes.append(note.players_left_out(name, left))
    averaged = int(found.shifts.anchored.sum())
    return Slice(
        name, int(inside.sum()), clusters, board, differences, averaged, visible, tuple(notes)
    )


def _clusters(games: Games, inside: Bools) -> int:
    cluster = games.played.cluster
    return int(inside.sum()) if cluster is None else np.unique(cluster[inside]).size


def _differences(
    name: str, found: Compared, whole: Leaderboard, players: Sequence[str]
) -> Iterator[Difference]:
    """The players of a slice in the order of the whole board."""
    shifts, place = found.shifts, {who: k for k, who in enumerate(whole.players)}
    told = told_apart(found.adjusted, whole.how.interval.level)
    names = [players[k] for k in shifts.players.tolist()]
    for k in sorted(range(len(names)), key=lambda k: place.get(names[k], len(place))):
        inside, outside = float(shifts.inside[k]), float(shifts.outside[k])
        low, high = float(shifts.low[k]), float(shifts.high[k])
        yield Difference(
            slice=name,
            player=names[k],
            inside=inside,
            outside=outside,
            difference=inside - outside,
            se=float(shifts.se[k]),
            low=None if low == -OPEN else low,
            high=None if high == OPEN else high,
            p_inside=float(expit(inside)),
            p_outside=float(expit(outside)),
            p_value=float(shifts.p_value[k]),
            p_adjusted=float(found.adjusted[k]),
            told=bool(told[k]),
        )
