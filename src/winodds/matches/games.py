"""What was played, kept so that it can be counted again: by pair, resampled or simulated."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winodds.arrays import Bools, Floats, Ints
from winodds.matches.across import count_across
from winodds.matches.battles import count_battles
from winodds.matches.beaten import threshold
from winodds.matches.results import Battles, MatchKind, Results, numbering
from winodds.matches.wins import Wins
from winodds.matches.within import count_within


@dataclass(frozen=True, slots=True)
class Duel:
    """Matches of one pair: how many the first player won, lost and tied."""

    won: int
    lost: int
    tied: int


@dataclass(frozen=True, slots=True)
class Encounters:
    """Rows of a table of scores that met: every score of one with every score of the other.

    Attributes
    ----------
    table : (R, m) scores or ranks, larger is better; NaN where there is none, −inf for a failed
        run.
    limit : (R, m) scores below it are beaten.
    first, second : (P,) rows of the table that met.
    """

    table: NDArray[Any]
    limit: NDArray[Any]
    first: Ints
    second: Ints


@dataclass(frozen=True, slots=True)
class Games:
    """Scores or battles, and how they become matches.

    Attributes
    ----------
    kind : "within" rounds, "across" rounds or "battles".
    played : the scores or battles.
    tolerance : scores this close, or closer, tie.
    """

    kind: MatchKind
    played: Results | Battles
    tolerance: float = 0.0

    @property
    def players(self) -> int:
        return self.played.players

    @property
    def clusters(self) -> int:
        return self.played.clusters

    @property
    def comparisons(self) -> int:
        """How many scores are compared to look at all pairs of players once."""
        if isinstance(self.played, Battles):
            return self.played.first.size
        rounds = self.played.rounds
        if self.kind == "across":
            rounds = int((np.bincount(self.played.tournament) ** 2).sum())
        return self.players**2 * rounds

    @property
    def results(self) -> Results:
        """The scores; there are none of battles."""
        assert isinstance(self.played, Results)
        return self.played

    def of_players(self, chosen: Ints) -> "Games":
        """The games of players who met none of the others, numbered in the given order."""
        return replace(self, played=self.played.of_players(chosen))

    def part(self, chosen: Bools) -> "Games":
        """The games of some rounds, (R,), or battles, (B,); players keep their numbers."""
        played = self.played
        own = played.take(chosen) if isinstance(played, Battles) else played.of_rounds(chosen)
        return replace(self, played=own)

    def present(self) -> Ints:
        """Numbers of the players who took part, ascending."""
        played = self.played
        if isinstance(played, Battles):
            return np.union1d(played.first, played.second)
        return np.flatnonzero(np.bincount(played.player, minlength=played.players))

    def count(self) -> Wins:
        """Who met whom, and who won."""
        if isinstance(self.played, Battles):
            return count_battles(self.played)
        counter = count_across if self.kind == "across" else count_within
        return counter(self.played, tolerance=self.tolerance)

    def duel(self, first: int, second: int) -> Duel:
        """The matches of two players."""
        if isinstance(self.played, Battles):
            return _duel_of_battles(self.played, first, second)
        pair = self.encounters(np.array([first, second]))
        own, other = pair.table[pair.first, 0], pair.table[pair.second, 1]
        ahead = other < pair.limit[pair.first, 0]
        behind = own < pair.limit[pair.second, 1]
        met = ~(np.isnan(own) | np.isnan(other) | (np.isneginf(own) & np.isneginf(other)))
        won, lost = int(ahead.sum()), int(behind.sum())
        return Duel(won, lost, int(met.sum()) - won - lost)

    def same_scores(self, first: int, second: int) -> bool:
        """Whether two players have the same scores in the same rounds; battles have no scores."""
        if isinstance(self.played, Battles):
            return False
        table = score_table(self.played, np.array([first, second]))
        return bool(np.array_equal(table[:, 0], table[:, 1], equal_nan=True))

    def encounters(self, chosen: Ints | None = None) -> Encounters:
        """The scores of all players, or of some, as a table, and which of its rows met."""
        table = score_table(self.results, chosen)
        return Encounters(table, threshold(table, self.tolerance), *self.rows_that_met())

    def rows_that_met(self) -> tuple[Ints, Ints]:
        """(P,) pairs of rounds whose scores met."""
        results = self.results
        if self.kind == "across":
            same = np.nonzero(results.tournament[:, None] == results.tournament[None, :])
            return same[0].astype(np.int64), same[1].astype(np.int64)
        return np.arange(results.rounds), np.arange(results.rounds)

    def copies(self) -> Ints:
        """(m,) a number for each player; those with the same scores in the same rounds share it."""
        if isinstance(self.played, Battles):
            return np.arange(self.players)
        # Adding 0 makes −0 the same as 0; gaps are the same NaN everywhere.
        rows = np.ascontiguousarray(score_table(self.played).T + 0.0)
        whole = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize)))[:, 0]
        return np.asarray(np.unique(whole, return_inverse=True)[1], np.int64)


def score_table(results: Results, chosen: Ints | None = None) -> Floats:
    """(R, m) scores by round and player, NaN where there is none; of some players if asked for."""
    if chosen is None and results.player.size == results.rounds * results.players:
        return results.value.reshape(results.rounds, results.players)
    everyone = np.arange(results.players) if chosen is None else chosen
    column = numbering(everyone, results.players)
    kept = column[results.player] >= 0
    table = np.full((results.rounds, everyone.size), np.nan)
    table[results.round_of[kept], column[results.player[kept]]] = results.value[kept]
    return table


def _duel_of_battles(battles: Battles, first: int, second: int) -> Duel:
    straight = (battles.first == first) & (battles.second == second)
    swapped = (battles.first == second) & (battles.second == first)
    outcome = np.concatenate([battles.outcome[straight], 1.0 - battles.outcome[swapped]])
    won, lost = int((outcome == 1.0).sum()), int((outcome == 0.0).sum())
    return Duel(won, lost, outcome.size - won - lost)
