"""Comparisons of players in a new tournament: of two by name, or of all pairs.

Examples
--------
>>> import winodds.demo
>>> found = winodds.demo.rate_results().compare("random_forest(default)", "knn(default)")
>>> found.shared, found.p_better > 0.5
(4, True)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from winodds.arrays import Bools, Ints
from winodds.board.comparisons import Estimate, or_none
from winodds.board.errors import SamePlayer, UnknownPlayer
from winodds.language.notes import Note, tell_in
from winodds.language.nouns import HOUSE, Nouns
from winodds.season import notes
from winodds.season.errors import NoSharedPairs, TooFewShared, TooManyPairs
from winodds.season.heterogeneity import (
    LEAST_SHARED,
    Moderation,
    Predictions,
    Ranges,
    join,
    moderate,
    predict,
)
from winodds.season.lineup import Lineup
from winodds.show import present
from winodds.table.frames import build_frame
from winodds.table.names import close_names

TYPICAL = 150
"""Pairs that tell what pairs have in common."""

CANDIDATES = 20_000
"""Pairs among which these are looked for."""

SEED = 15

ALL_PAIRS_LIMIT = 500
"""Players above which all pairs are not looked at together: 125,000, in each tournament anew."""

BLOCK = 20_000
"""Pairs that are looked at together."""


@dataclass(frozen=True, slots=True)
class SeasonComparison(present.Presented):
    """Two players in a new tournament of the season's kind.

    Attributes
    ----------
    a, b : the players.
    p_win_round : probability that a wins one round there, over all such tournaments; its interval
        is for that average.
    p_better : probability that a is truly the better one there.
    p_win_new : a's probability of winning a round there; the interval is the range in which it
        lies on so many new tournaments, and an open end is 0 or 1.
    difference_new_board : the difference in log-odds that a new board of the same size will show.
    mean_difference : the mean of true differences over tournaments, in log-odds; an open end is
        None.
    tau : standard deviation of true differences between tournaments, in log-odds.
    shared : tournaments in which the two can be compared.
    separated : those of them that leave an end of the difference open.
    level : coverage of the intervals.
    notes : what should be doubted.
    nouns : what players, rounds and tournaments are called.
    """

    a: str
    b: str
    p_win_round: Estimate
    p_better: float
    p_win_new: Estimate
    difference_new_board: Estimate
    mean_difference: Estimate
    tau: float
    shared: int
    separated: int
    level: float
    notes: tuple[Note, ...]
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """What the two will do on a new data set, in a paragraph."""
        return present.describe_pair(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; an open end of log-odds is None, and p_better has no interval."""
        return {
            "a": self.a,
            "b": self.b,
            "p_win_round": _plain(self.p_win_round),
            "p_better": {"value": self.p_better, "low": None, "high": None},
            "p_win_new": _plain(self.p_win_new),
            "difference_new_board": _plain(self.difference_new_board),
            "mean_difference": _plain(self.mean_difference),
            "tau": self.tau,
            "shared": self.shared,
            "separated": self.separated,
            "level": self.level,
            "notes": [note.to_dict() for note in self.notes],
        }


def _plain(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


@dataclass(frozen=True, slots=True)
class SeasonComparisons(Sequence[SeasonComparison]):
    """All pairs of players who share enough tournaments, in the season's order.

    Attributes
    ----------
    players : names, by their mean EPP, best first.
    first, second : (k,) places of the players.
    found : what is predicted of the pairs.
    level : coverage of the intervals.
    notes : what is left out, and what should be doubted.
    nouns : what players, rounds and tournaments are called.
    """

    players: tuple[str, ...]
    first: Ints
    second: Ints
    found: Predictions
    level: float
    notes: tuple[Note, ...]
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    def __len__(self) -> int:
        return self.first.size

    @overload
    def __getitem__(self, place: int) -> SeasonComparison: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[SeasonComparison, ...]: ...
    def __getitem__(self, place: int | slice) -> SeasonComparison | tuple[SeasonComparison, ...]:
        chosen = range(len(self))[place]
        if isinstance(chosen, range):
            return tuple(self[number] for number in chosen)
        names = self.players[int(self.first[chosen])], self.players[int(self.second[chosen])]
        found = _make_comparison(names, self.found, chosen, self.level)
        return tell_in(self.nouns, found)

    def __iter__(self) -> Iterator[SeasonComparison]:
        return (self[place] for place in range(len(self)))

    def columns(self) -> dict[str, list[Any]]:
        """A row for every pair; open ends of log-odds are None."""
        found = self.found
        ranges = {
            "p_win_round": found.p_round,
            "p_win_new": found.new.chances(),
            "difference_new_board": found.new_board,
            "mean_difference": found.average,
        }
        columns: dict[str, list[Any]] = {
            "a": [self.players[k] for k in self.first.tolist()],
            "b": [self.players[k] for k in self.second.tolist()],
            "p_better": found.p_better.tolist(),
        }
        for name, own in ranges.items():
            columns[name] = own.value.tolist()
            columns[f"{name}_low"] = or_none(own.low)
            columns[f"{name}_high"] = or_none(own.high)
        columns["tau"] = found.tau.tolist()
        columns["shared"], columns["separated"] = found.shared.tolist(), found.separated.tolist()
        return {name: columns[name] for name in COLUMNS}

    def frame(self, backend: str = "polars") -> Any:
        """The rows as a data frame."""
        return build_frame(self.columns(), COLUMNS, backend=backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "level": self.level,
            "pairs": [pair.to_dict() for pair in self],
            "notes": [note.to_dict() for note in self.notes],
        }


COLUMNS: dict[str, type] = {
    **dict.fromkeys(("a", "b"), str),
    **dict.fromkeys(
        [
            *("p_win_round", "p_win_round_low", "p_win_round_high", "p_better"),
            *("p_win_new", "p_win_new_low", "p_win_new_high"),
            *("difference_new_board", "difference_new_board_low", "difference_new_board_high"),
            *("mean_difference", "mean_difference_low", "mean_difference_high", "tau"),
        ],
        float,
    ),
    **dict.fromkeys(("shared", "separated"), int),
}


# Two players --------------------------------------------------------------------------------------


def compare_two(
    lineup: Lineup, players: Sequence[str], a: str, b: str, *, level: float = 0.95
) -> SeasonComparison:
    """Compare two players by name; ``players`` are all of the lineup, in its order."""
    one, other = _find(a, players), _find(b, players)
    if one == other:
        raise SamePlayer(player=a)
    first, second = np.array([one]), np.array([other])
    shared = int(lineup.shared(first, second)[0])
    if shared < LEAST_SHARED:
        raise TooFewShared(
            first=a, second=b, shared=shared, tournaments=len(lineup), least=LEAST_SHARED
        )
    found = predict(lineup.pairs(first, second), find_moderation(lineup), level=level)
    return _make_comparison((a, b), found, 0, level)


def _find(player: str, players: Sequence[str]) -> int:
    if player not in players:
        raise UnknownPlayer(player=player, close=close_names(player, players), season=True)
    return players.index(player)


def _make_comparison(
    names: tuple[str, str], found: Predictions, place: int, level: float
) -> SeasonComparison:
    return SeasonComparison(
        a=names[0],
        b=names[1],
        p_win_round=_estimate(found.p_round, place),
        p_better=float(found.p_better[place]),
        p_win_new=_estimate(_only(found.new, place).chances(), 0),
        difference_new_board=_estimate(found.new_board, place),
        mean_difference=_estimate(found.average, place),
        tau=float(found.tau[place]),
        shared=int(found.shared[place]),
        separated=int(found.separated[place]),
        level=level,
        notes=_doubts(names, found, place),
    )


def _only(ranges: Ranges, place: int) -> Ranges:
    own = slice(place, place + 1)
    return Ranges(ranges.value[own], ranges.low[own], ranges.high[own])


def _estimate(ranges: Ranges, place: int) -> Estimate:
    low, high = or_none(np.array([ranges.low[place], ranges.high[place]]))
    return Estimate(float(ranges.value[place]), low, high)


def _doubts(names: tuple[str, str], found: Predictions, place: int) -> tuple[Note, ...]:
    doubts = []
    shared = int(found.shared[place])
    if shared < notes.FEW_SHARED:
        doubts.append(notes.few_shared(shared))
    if np.isinf(found.new.high[place]):
        doubts.append(notes.mostly_open(*names, int(found.open_above[place]), shared))
    if np.isinf(found.new.low[place]):
        doubts.append(notes.mostly_open(*names[::-1], int(found.open_below[place]), shared))
    return tuple(doubts)


# All pairs ----------------------------------------------------------------------------------------


def compare_all(
    lineup: Lineup, players: Sequence[str], *, level: float = 0.95
) -> SeasonComparisons:
    """Compare all pairs of players who share enough tournaments."""
    if lineup.players > ALL_PAIRS_LIMIT:
        raise TooManyPairs(players=lineup.players, limit=ALL_PAIRS_LIMIT)
    first, second = np.triu_indices(lineup.players, 1)
    return _compare_pairs(lineup, players, first, second, level)


def compare_with(
    lineup: Lineup, players: Sequence[str], a: str, *, level: float = 0.95
) -> SeasonComparisons:
    """Compare one player with each of the others who shares enough tournaments with it."""
    own = _find(a, players)
    second = np.delete(np.arange(lineup.players), own)
    first = np.full(second.size, own)
    if not (lineup.shared(first, second) >= LEAST_SHARED).any() and _any_share(lineup):
        size = lineup.players
        raise NoSharedPairs(players=size, tournaments=len(lineup), least=LEAST_SHARED, player=a)
    return _compare_pairs(lineup, players, first, second, level)


def _any_share(lineup: Lineup) -> bool:
    """Whether any two players, or any two of many, share enough tournaments."""
    return _typical_pairs(lineup)[0].size > 0


def _compare_pairs(
    lineup: Lineup, players: Sequence[str], first: Ints, second: Ints, level: float
) -> SeasonComparisons:
    """Those of the pairs that share enough tournaments."""
    enough = lineup.shared(first, second) >= LEAST_SHARED
    if not enough.any():
        raise NoSharedPairs(players=lineup.players, tournaments=len(lineup), least=LEAST_SHARED)
    common = find_moderation(lineup)
    own, other = first[enough], second[enough]
    blocks = [slice(k, k + BLOCK) for k in range(0, own.size, BLOCK)]
    found = join([predict(lineup.pairs(own[k], other[k]), common, level=level) for k in blocks])
    return SeasonComparisons(tuple(players), own, other, found, level, _remarks(found, enough))


def _remarks(found: Predictions, enough: Bools) -> tuple[Note, ...]:
    remarks = []
    if not enough.all():
        remarks.append(notes.pairs_left_out(int((~enough).sum()), enough.size, LEAST_SHARED))
    few = int((found.shared < notes.FEW_SHARED).sum())
    if few:
        remarks.append(notes.pairs_of_few(few, found.shared.size))
    return tuple(remarks)


# What pairs have in common ------------------------------------------------------------------------


def find_moderation(lineup: Lineup) -> Moderation:
    """What the pairs of a season have in common, from all of them or from some."""
    first, second = _typical_pairs(lineup)
    players = np.unique(np.concatenate([first, second])).size
    return moderate(lineup.pairs(first, second), min(players - 1, first.size))


def _typical_pairs(lineup: Lineup) -> tuple[Ints, Ints]:
    """Pairs that share enough tournaments: all if these are few, else some, the same every time.

    They are drawn by the players' places in the season, which names have no part in.
    """
    every = lineup.players * (lineup.players - 1) // 2
    drawn = np.arange(every)
    if every > TYPICAL:
        rng = np.random.default_rng(SEED)
        drawn = rng.choice(every, min(every, CANDIDATES), replace=False)
    # Numbered column by column of the upper triangle: (0, 1), (0, 2), (1, 2), (0, 3), ….
    second = ((1.0 + np.sqrt(1.0 + 8.0 * drawn)) / 2.0).astype(np.int64)
    first = drawn - second * (second - 1) // 2
    enough = np.flatnonzero(lineup.shared(first, second) >= LEAST_SHARED)[:TYPICAL]
    return first[enough], second[enough]
