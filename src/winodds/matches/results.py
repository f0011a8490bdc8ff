"""What was played, as plain numbers: scores by round, or battles one by one."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from winodds.arrays import Bools, Floats, Ints, renumber
from winodds.matches.errors import TooFewClusters

MatchKind: TypeAlias = Literal["within", "across", "battles"]


@dataclass(frozen=True, slots=True)
class Results:
    """Scores as the matches need them: sorted by round, larger is better.

    Attributes
    ----------
    players : number of players m.
    start : (R + 1,) where each round begins in the arrays below.
    player : (S,) players of the round, ascending within a round.
    value : (S,) their scores; −inf is a failed run, which lost to every score of its round.
    weight : (R,) weight of a match in each round.
    cluster : (R,) cluster of each round, 0 … G − 1.
    tournament : (R,) tournament of each round, 0 … T − 1.
    """

    players: int
    start: Ints
    player: Ints
    value: Floats
    weight: Floats
    cluster: Ints
    tournament: Ints

    @property
    def rounds(self) -> int:
        return int(self.start.size - 1)

    @property
    def clusters(self) -> int:
        return int(self.cluster.max()) + 1

    @property
    def round_of(self) -> Ints:
        """(S,) the round of each score."""
        return np.repeat(np.arange(self.rounds), np.diff(self.start))

    def of_players(self, chosen: Ints) -> "Results":
        """The results of players who met none of the others, numbered in the given order."""
        number = numbering(chosen, self.players)
        inside = np.flatnonzero(number[self.player] >= 0)
        round_of, player = self.round_of[inside], number[self.player[inside]]
        order = np.argsort(round_of * chosen.size + player, kind="stable")
        size = np.bincount(round_of, minlength=self.rounds)
        met = size > 0
        return Results(
            players=chosen.size,
            start=np.concatenate([[0], np.cumsum(size[met])]),
            player=player[order],
            value=self.value[inside[order]],
            weight=self.weight[met],
            cluster=renumber(self.cluster[met]),
            tournament=renumber(self.tournament[met]),
        )

    def of_rounds(self, chosen: Bools) -> "Results":
        """The results of some rounds, (R,), with clusters and tournaments numbered anew.

        Players keep their numbers, and some may have no result.
        """
        inside = np.repeat(chosen, np.diff(self.start))
        return replace(
            self,
            start=np.concatenate([[0], np.cumsum(np.diff(self.start)[chosen])]),
            player=self.player[inside],
            value=self.value[inside],
            weight=self.weight[chosen],
            cluster=renumber(self.cluster[chosen]),
            tournament=renumber(self.tournament[chosen]),
        )


@dataclass(frozen=True, slots=True)
class Battles:
    """Matches given one by one.

    Attributes
    ----------
    players : number of players m.
    first, second : (B,) who met.
    outcome : (B,) 1 when the first won, ½ for a tie, 0 when the second won.
    weight : (B,).
    cluster : (B,) cluster of each battle, 0 … G − 1; None when each is its own.
    """

    players: int
    first: Ints
    second: Ints
    outcome: Floats
    weight: Floats
    cluster: Ints | None

    @property
    def clusters(self) -> int:
        return self.first.size if self.cluster is None else int(self.cluster.max()) + 1

    def of_players(self, chosen: Ints) -> "Battles":
        """The battles of some players among themselves, numbered in the given order."""
        number = numbering(chosen, self.players)
        kept = (number[self.first] >= 0) & (number[self.second] >= 0)
        cluster = None
        if self.cluster is not None:
            cluster = renumber(self.cluster[kept])
        return Battles(
            players=chosen.size,
            first=number[self.first[kept]],
            second=number[self.second[kept]],
            outcome=self.outcome[kept],
            weight=self.weight[kept],
            cluster=cluster,
        )

    def take(self, chosen: Bools) -> "Battles":
        """Some battles, (B,), with clusters numbered anew; players keep their numbers."""
        return replace(
            self,
            first=self.first[chosen],
            second=self.second[chosen],
            outcome=self.outcome[chosen],
            weight=self.weight[chosen],
            cluster=None if self.cluster is None else renumber(self.cluster[chosen]),
        )


def numbering(chosen: Ints, players: int) -> Ints:
    """(players,) place of each player among the chosen ones, −1 for the others."""
    number = np.full(players, -1)
    number[chosen] = np.arange(chosen.size)
    return number


def count_clusters(results: Results) -> Ints:
    """(m,) number of clusters in which a player has a score or a failed run."""
    if results.player.size == results.rounds * results.players:
        return np.full(results.players, results.clusters)
    cluster = results.cluster[results.round_of]
    both = np.unique(cluster * results.players + results.player)
    return np.bincount(both % results.players, minlength=results.players)


def check_clusters(clusters: int, unit: str = "cluster") -> None:
    """Raise `TooFewClusters` when there is no variation between clusters to see."""
    if clusters < 2:
        raise TooFewClusters(clusters=clusters, unit=unit)
