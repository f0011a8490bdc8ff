"""What a rating needs to know of the matches: who met whom, and who won."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints
from winodds.design.design import Cliques, Design
from winodds.matches.errors import NoMatches
from winodds.matches.results import MatchKind


@dataclass(frozen=True, slots=True)
class Reach:
    """A graph in which i reaches j when a chain of wins or ties leads from i to j.

    The first m nodes are players; the others stand for "everyone up to this score of the round",
    so that there are as few edges as scores.

    Attributes
    ----------
    source, target : (E,) edges.
    nodes : number of nodes.
    """

    source: Ints
    target: Ints
    nodes: int


@dataclass(frozen=True, slots=True)
class RoundEvidence:
    """What each cluster of rounds contributed, for the robust variance.

    Attributes
    ----------
    wins : (G, m) weighted wins in the matches that hang on the cluster.
    cliques : (G, Q) weights of the design's cliques in those matches.
    played : (m,) number of clusters in which a player took part.
    power : the variance is (G/(G − 1))^power times the sum of squared influences.
    """

    wins: sparse.csr_array | Floats
    cliques: sparse.csr_array | Floats
    played: Ints
    power: int

    @property
    def clusters(self) -> int:
        return int(self.wins.shape[0])


@dataclass(frozen=True, slots=True)
class BattleEvidence:
    """The single battles, for the robust variance.

    Attributes
    ----------
    pair : (B,) index into the design's pairs.
    outcome : (B,) of the pair's first player.
    weight : (B,).
    cluster : (B,), or None when each battle is its own cluster.
    played : (m,) number of clusters in which a player took part.
    """

    pair: Ints
    outcome: Floats
    weight: Floats
    cluster: Ints | None
    played: Ints

    @property
    def clusters(self) -> int:
        return self.pair.size if self.cluster is None else int(self.cluster.max()) + 1

    @property
    def power(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class Wins:
    """What a rating needs to know of the matches.

    Attributes
    ----------
    kind : how scores became matches.
    design : who met whom.
    wins : (m,) weighted wins.
    raw_wins, raw_matches : (m,) the same, each match counted once.
    matches, ties : how many matches there were, and how many of them were ties.
    evidence : contributions of the clusters.
    match_weight : (R,) or (B,) weight of a match in each round, or of each battle.
    tournament_weight : (T,) total weight of the matches of each tournament; battles have one.
    design_effect : what unequal weights do to a model-based variance (Kish's factor).
    reach : the graph of wins and ties, unless ``worst_rank`` says it all.
    worst_rank : (m,) for complete rounds: how many players, oneself included, a player failed to
        beat in the round where these were most.
    """

    kind: MatchKind
    design: Design
    wins: Floats
    raw_wins: Floats
    raw_matches: Ints
    matches: int
    ties: int
    evidence: RoundEvidence | BattleEvidence
    match_weight: Floats
    tournament_weight: Floats
    design_effect: float
    reach: Reach | None
    worst_rank: Ints | None

    def without_clusters(self) -> tuple[Floats, Floats]:
        """(G, m) weighted wins, and matches, without those that hang on each cluster of rounds."""
        design, evidence = self.design, self.evidence
        assert isinstance(design, Cliques)
        assert isinstance(evidence, RoundEvidence)
        matches = design.matches_by_clique()
        wins = self.wins - _dense(evidence.wins)
        return wins, np.asarray((design.weights - _dense(evidence.cliques)) @ matches, np.float64)


def _dense(array: sparse.csr_array | Floats) -> Floats:
    return array if isinstance(array, np.ndarray) else np.asarray(array.toarray(), np.float64)


def total_matches(round_matches: Ints) -> int:
    matches = int(round_matches.sum())
    if matches == 0:
        raise NoMatches()
    return matches


def share_weights(weight: Floats, tournament: Ints) -> Floats:
    """(R,) weights of rounds, those of one tournament divided by their sum.

    So a pair that met in all rounds of a tournament counts once there, whoever else took part.
    """
    largest = np.zeros(int(tournament.max()) + 1)
    np.maximum.at(largest, tournament, weight)
    # Very large weights must not add up to infinity.
    scaled = weight / largest[tournament]
    share: Floats = scaled / np.bincount(tournament, weights=scaled)[tournament]
    return share


def normalise_weights(weight: Floats, round_matches: Ints) -> Floats:
    """A mean weight of one for a match."""
    if (weight == weight[0]).all():
        return np.ones_like(weight)
    normalised: Floats = weight * (round_matches.sum() / (weight @ round_matches))
    return normalised


def kish(weight: Floats, round_matches: Ints) -> float:
    """Kish's design effect: how much unequal weights inflate a variance."""
    return float((weight**2 @ round_matches) / (weight @ round_matches))
