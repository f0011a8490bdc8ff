"""The matches of one pair, summed by the clusters that they hang on."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints, number_keys, sum_by
from winodds.matches.beaten import threshold
from winodds.matches.games import Games, score_table
from winodds.matches.results import Battles, Results


@dataclass(frozen=True, slots=True)
class Meetings:
    """What two players did against each other.

    Attributes
    ----------
    won : (G,) weighted wins of the first player, a tie half, in the matches that hang on each
        cluster in which the two met.
    met : (G,) weight of these matches.
    matches : number of matches, each counted once.
    hung : number of clusters that a match hangs on: 2 for matches across the rounds of one
        tournament, of which each hangs on two rounds, else 1.
    """

    won: Floats
    met: Floats
    matches: int
    hung: int

    @property
    def share(self) -> float:
        """Weighted share of the matches that the first player won."""
        return float(self.won.sum() / self.met.sum())


class Pairings:
    """The matches of any two of some players.

    Parameters
    ----------
    games : what was played.
    weight : (R,) or (B,) weight of a match in each round, or of each battle.
    chosen : the players; pairs are named by their places there.
    """

    def __init__(self, games: Games, weight: Floats, chosen: Ints) -> None:
        self._games, self._weight, self._chosen = games, weight, chosen
        battles = isinstance(games.played, Battles)
        self._table = None if battles else score_table(games.results, chosen)

    def of(self, first: int, second: int) -> Meetings:
        """The matches of two of the players."""
        if self._table is None:
            return self._of_battles(int(self._chosen[first]), int(self._chosen[second]))
        own, other = self._table[:, first], self._table[:, second]
        if self._games.kind == "across":
            return self._across(self._games.results, own, other)
        met = ~(np.isnan(own) | np.isnan(other) | (np.isneginf(own) & np.isneginf(other)))
        rows = np.flatnonzero(met)
        won = _outcome(own[rows], other[rows], self._games.tolerance)
        return _summed(won, self._weight[rows], self._games.results.cluster[rows])

    def _of_battles(self, first: int, second: int) -> Meetings:
        battles = self._games.played
        assert isinstance(battles, Battles)
        straight = (battles.first == first) & (battles.second == second)
        rows = np.flatnonzero(straight | ((battles.first == second) & (battles.second == first)))
        won = np.where(straight, battles.outcome, 1.0 - battles.outcome)[rows]
        cluster = rows if battles.cluster is None else battles.cluster[rows]
        return _summed(won, self._weight[rows], cluster)

    def _across(self, results: Results, own: Floats, other: Floats) -> Meetings:
        """Every score of the one meets every score of the other in the same tournament."""
        parts = [
            _met_across(own, other, rows, self._games.tolerance)
            for rows in _stretches(results.tournament)
        ]
        row, won, met = (np.concatenate([part[k] for part in parts]) for k in range(3))
        weight, matches = self._weight[row], round(float(met.sum())) // 2
        number, size = _numbered(results.cluster[row])
        hung = 2 if len(parts) == 1 else 1
        # Where clusters are whole tournaments, both halves of a match are in one of them.
        scale = weight * (0.5 * hung)
        return Meetings(
            sum_by(number, scale * won, size), sum_by(number, scale * met, size), matches, hung
        )


def _outcome(own: Floats, other: Floats, tolerance: float) -> Floats:
    ahead, behind = other < threshold(own, tolerance), own < threshold(other, tolerance)
    return np.asarray(0.5 * (1.0 + ahead - behind), np.float64)


def _summed(won: Floats, weight: Floats, cluster: Ints) -> Meetings:
    number, size = _numbered(cluster)
    return Meetings(sum_by(number, weight * won, size), sum_by(number, weight, size), won.size, 1)


def _numbered(cluster: Ints) -> tuple[Ints, int]:
    keys, number = number_keys(cluster)
    return number, keys.size


def _stretches(tournament: Ints) -> list[Ints]:
    """The rounds of each tournament."""
    order = np.argsort(tournament, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(tournament[order])) + 1)


def _met_across(
    own: Floats, other: Floats, rows: Ints, tolerance: float
) -> tuple[Ints, Floats, Floats]:
    """Rounds of one tournament, wins of the first player that hang on each, and matches.

    A round of both players comes twice: with the score of the one, and with that of the other.
    """
    one, two = (rows[~np.isnan(score[rows])] for score in (own, other))
    mine, theirs = own[one], other[two]
    lead = _leads(mine, theirs, tolerance)
    failed = [np.isneginf(score) for score in (mine, theirs)]
    met_one = two.size - np.where(failed[0], failed[1].sum(), 0)
    met_two = one.size - np.where(failed[1], failed[0].sum(), 0)
    met = np.concatenate([met_one, met_two]).astype(np.float64)
    lead_of_both = np.concatenate([lead, -_leads(theirs, mine, tolerance)])
    hung = np.flatnonzero(met)
    row, won = np.concatenate([one, two]), 0.5 * (met + lead_of_both)
    return row[hung], won[hung], met[hung]


def _leads(mine: Floats, theirs: Floats, tolerance: float) -> Floats:
    """(n,) how many of their scores each of mine beats, minus how many beat it."""
    ahead = np.searchsorted(np.sort(theirs), threshold(mine, tolerance), side="left")
    ordered = np.sort(threshold(theirs, tolerance))
    behind = ordered.size - np.searchsorted(ordered, mine, side="right")
    lead: Floats = (ahead - behind).astype(np.float64)
    return lead
