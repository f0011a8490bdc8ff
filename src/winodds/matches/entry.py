"""The matches that a new player's scores would add to the games of a board."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.matches.beaten import threshold
from winodds.matches.games import Encounters, Games


@dataclass(frozen=True, slots=True)
class Entry:
    """What a new player did against the m players of a board.

    Attributes
    ----------
    won : (m,) weighted wins against each player, a tie half.
    met : (m,) weight of the matches with each player.
    cluster_wins : (G,) weighted wins in the matches that hang on each cluster.
    cluster_met : (G, m) weight of these matches.
    raw_wins, raw_matches : each match counted once.
    rounds, clusters : how many of each it took part in and met somebody.
    reaches, reached_by : (m,) whether it won against a player or tied, and lost or tied.
    """

    won: Floats
    met: Floats
    cluster_wins: Floats
    cluster_met: Floats
    raw_wins: float
    raw_matches: int
    rounds: int
    clusters: int
    reaches: Bools
    reached_by: Bools

    @property
    def wins(self) -> float:
        """Weighted wins against all."""
        return float(self.won.sum())


def enter(games: Games, weight: Floats, scores: Floats) -> Entry:
    """Let a new player's scores, (R,), meet those of the others as these met each other.

    Parameters
    ----------
    weight : (R,) weight of a match in each round.
    scores : larger is better; NaN where there is none, −inf for a failed run.
    """
    results, found = games.results, games.encounters()
    players, cluster = results.players, results.cluster
    cluster_wins = np.zeros(results.clusters)
    cluster_met = np.zeros((results.clusters, players))
    won, met = np.zeros(players), np.zeros(players)
    tally = _Tally(players)
    for row in np.flatnonzero(~np.isnan(scores)).tolist():
        others = found.second[found.first == row]
        ahead, behind, there = _outcomes(found, others, float(scores[row]), games.tolerance)
        share = weight[row] * 0.5 * (there * 1.0 + ahead - behind)
        here = weight[row] * there.astype(np.float64)
        won, met = won + share.sum(axis=0), met + here.sum(axis=0)
        # A match across rounds hangs on both of them.
        np.add.at(cluster_wins, cluster[others], share.sum(axis=1))
        np.add.at(cluster_met, cluster[others], here)
        other = cluster[others] != cluster[row]
        cluster_wins[cluster[row]] += share[other].sum()
        cluster_met[cluster[row]] += here[other].sum(axis=0)
        tally.add(int(cluster[row]), ahead, behind, there)
    return Entry(
        won=won,
        met=met,
        cluster_wins=cluster_wins,
        cluster_met=cluster_met,
        raw_wins=tally.wins,
        raw_matches=tally.matches,
        rounds=tally.rounds,
        clusters=len(tally.clusters),
        reaches=tally.reaches,
        reached_by=tally.reached_by,
    )


class _Tally:
    """Matches counted once."""

    def __init__(self, players: int) -> None:
        self.wins, self.matches, self.rounds = 0.0, 0, 0
        self.clusters = set[int]()
        self.reaches, self.reached_by = (np.zeros(players, np.bool_) for _ in range(2))

    def add(self, cluster: int, ahead: Bools, behind: Bools, there: Bools) -> None:
        met = int(there.sum())
        if not met:
            return
        self.wins += 0.5 * (met + int(ahead.sum()) - int(behind.sum()))
        self.matches += met
        self.rounds += 1
        self.clusters.add(cluster)
        self.reaches |= (there & ~behind).any(axis=0)
        self.reached_by |= (there & ~ahead).any(axis=0)


def _outcomes(
    found: Encounters, rows: Ints, score: float, tolerance: float
) -> tuple[Bools, Bools, Bools]:
    """(n, m) whether a score won against, lost to and met those of some rounds."""
    table, limit = found.table[rows], found.limit[rows]
    own = float(threshold(np.array(score), tolerance))
    there = ~np.isnan(table)
    if np.isneginf(score):
        there &= ~np.isneginf(table)
    return there & (table < own), there & (score < limit), there
