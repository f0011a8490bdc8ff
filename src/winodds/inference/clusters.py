"""How much each cluster carries: what its size does to errors and to their degrees of freedom.

A cluster (round, data set, user) that holds a large share of a player's matches pulls the rating
towards itself, so that it deviates too little from it. Its squared influence is divided by one
minus that share (CR2; Bell and McCaffrey 2002), and the sum of such squares has fewer degrees of
freedom than there are clusters: those of the χ² law with its mean and variance (Satterthwaite).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from winodds.arrays import EQUAL, Bools, Floats, Ints, at_least, sum_by
from winodds.design.design import Cliques, Pairs
from winodds.inference.contrasts import freedom, small_sample
from winodds.matches.wins import BattleEvidence, RoundEvidence, Wins

FEW_CLUSTERS = 500
"""Up to this many clusters, or as many as players, influences are kept one by one …"""

FEW_INFLUENCES = 2_000_000
"""… and so they are as long as there are no more of them than this."""

ABOUT_EQUAL = 0.9
"""Shares are taken as equal if equal ones of at least so many clusters would carry as much."""

MOST = 0.5
"""Largest share that a cluster is taken to hold: of one cluster alone no error can be told."""


@dataclass(frozen=True, slots=True)
class Clustering:
    """What the clusters carry of each player's matches.

    Attributes
    ----------
    clusters : number of clusters G.
    played : (m,) number of clusters in which a player took part.
    amount : (m,) weight of a player's matches.
    share : (m, G) share of them in each cluster, (1, G) where it is the same for all; None where
        clusters are not kept one by one.
    lift : of the same shape: 1/(1 − share) by which squared influences are multiplied, relative to
        equal clusters; None where nothing is lifted.
    factor : (m,) the same for all clusters of a player, where these are not kept one by one.
    df : (m,) degrees of freedom of the ratings' errors.
    """

    clusters: int
    played: Ints
    amount: Floats
    share: Floats | None
    lift: Floats | None
    factor: Floats
    df: Floats

    @property
    def typical(self) -> float:
        """Degrees of freedom that half of the players reach."""
        return float(np.median(self.df))

    def lifted(self, influence: Floats) -> Floats:
        """(m, G) influences whose squares add up to the robust variances of ratings."""
        lift = self.factor[:, None] if self.lift is None else self.lift
        return np.asarray(influence * np.sqrt(lift), np.float64)

    def variances(self, influence: Floats) -> Floats:
        """(m,) robust variances of ratings from influences (m, G)."""
        if self.lift is None:
            return np.asarray(np.einsum("ig,ig->i", influence, influence) * self.factor)
        return np.asarray((influence**2 * self.lift).sum(axis=1), np.float64)

    def pair_variances(self, influence: Floats, first: Ints, second: Ints) -> Floats:
        """(k,) robust variances of differences."""
        change = influence[first] - influence[second]
        if self.lift is None:
            factor = np.maximum(self.factor[first], self.factor[second])
            return np.asarray(np.einsum("kg,kg->k", change, change) * factor)
        if self.lift.shape[0] == 1:
            return np.asarray((change**2 * self.lift).sum(axis=1), np.float64)
        own = self.weight_of(first, second)[:, None]
        lift = own * self.lift[first] + (1.0 - own) * self.lift[second]
        return np.asarray((change**2 * lift).sum(axis=1), np.float64)

    def variance_matrix(self, influence: Floats) -> Floats:
        """(m, m) robust variances of all differences."""
        if self.lift is None or self.lift.shape[0] == 1:
            scaled = influence if self.lift is None else influence * np.sqrt(self.lift)
            simple = spread_of(scaled @ scaled.T)
            factor = np.maximum(self.factor[:, None], self.factor[None, :])
            return np.asarray(simple * factor, np.float64)
        own = self.amount[None, :] / (self.amount[:, None] + self.amount[None, :])
        lifted = influence * self.lift
        squares = np.einsum("ig,ig->i", influence, lifted)
        part = squares[:, None] - 2.0 * lifted @ influence.T + self.lift @ (influence**2).T
        spread: Floats = own * part + own.T * part.T
        np.fill_diagonal(spread, 0.0)
        return np.asarray(np.maximum(spread, 0.0), np.float64)

    def weight_of(self, first: Ints, second: Ints) -> Floats:
        """(k,) how much the first player's clusters count in a difference, the second's the rest.

        The variance of a rating goes with the inverse of its matches.
        """
        weight: Floats = self.amount[second] / (self.amount[first] + self.amount[second])
        return weight


def dense(matrix: Any) -> Floats:
    """A matrix, sparse or not, as an array."""
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray(), np.float64)


def spread_of(covariance: Floats) -> Floats:
    """(m, m) variances of all differences."""
    variance = covariance.diagonal()
    spread: Floats = variance[:, None] + variance[None, :] - 2.0 * covariance
    np.fill_diagonal(spread, 0.0)
    return np.maximum(spread, 0.0)


def weigh_clusters(wins: Wins, influence: Floats | None) -> Clustering:
    """What the clusters carry; ``influence`` (m, G) tells how unequally they vary, if it is kept.

    Players whose clusters are about equal have one degree of freedom less than clusters.
    """
    evidence, players = wins.evidence, wins.wins.size
    if influence is None or not kept_by_cluster(wins):
        return _without_clusters(wins)
    share = shares_by_cluster(wins)
    held, df, equal = weigh_shares(share, influence)
    even = bool(equal.all() and (share > 0.0).all())
    lift = 1.0 / ((1.0 - held) * small_sample(float(evidence.clusters)))
    return Clustering(
        clusters=evidence.clusters,
        played=np.maximum(evidence.played, 2),
        amount=wins.design.weight_of_matches(),
        share=share,
        lift=None if even else lift,
        factor=np.ones(players),
        df=np.broadcast_to(df, (players,)).copy(),
    )


def weigh_shares(share: Floats, influence: Floats) -> tuple[Floats, Floats, Bools]:
    """What clusters with these shares, (m, G) or (1, G), carry; ``influence`` is (m, G).

    The share that each is taken to hold, and for every player the degrees of freedom and whether
    its clusters are about equal.
    """
    there = share > 0.0
    number = np.maximum(there.sum(axis=1).astype(np.float64), 2.0)
    equal = _are_about_equal(share, number)
    typical = np.where(there, 1.0 / number[:, None], 0.0)
    held = np.minimum(np.where(equal[:, None], typical, share), MOST)
    variation = _variation(influence, held)
    df = np.where(equal, freedom(number), _satterthwaite(held, np.where(there, variation, 0.0)))
    return held, np.maximum(df, 1.0), equal


def shares_by_cluster(wins: Wins) -> Floats:
    """(m, G) which share of a player's matches each cluster holds; (1, G) if equal for all."""
    matches = np.maximum(_matches_by_cluster(wins), 0.0)
    share: Floats = matches / matches.sum(axis=1, keepdims=True)
    same = np.ptp(share, axis=0).max(initial=0.0) < EQUAL
    return share[:1] if same else share


def _matches_by_cluster(wins: Wins) -> Floats:
    """(m, G) weight of each player's matches in each cluster."""
    evidence, design = wins.evidence, wins.design
    if isinstance(evidence, RoundEvidence):
        assert isinstance(design, Cliques)
        return np.ascontiguousarray(dense(evidence.cliques @ design.matches_by_clique()).T)
    assert isinstance(design, Pairs)
    assert evidence.cluster is not None
    ends = np.concatenate([design.first[evidence.pair], design.second[evidence.pair]])
    place = ends * evidence.clusters + np.tile(evidence.cluster, 2)
    size = design.players * evidence.clusters
    return sum_by(place, np.tile(evidence.weight, 2), size).reshape(design.players, -1)


def _wins_by_cluster(wins: Wins) -> Floats:
    """(m, G) weight of each player's wins in each cluster."""
    evidence, design = wins.evidence, wins.design
    if isinstance(evidence, RoundEvidence):
        return np.ascontiguousarray(dense(evidence.wins).T)
    assert isinstance(design, Pairs)
    assert evidence.cluster is not None
    ends = np.concatenate([design.first[evidence.pair], design.second[evidence.pair]])
    outcome = np.concatenate([evidence.outcome, 1.0 - evidence.outcome])
    place = ends * evidence.clusters + np.tile(evidence.cluster, 2)
    won = np.tile(evidence.weight, 2) * outcome
    return sum_by(place, won, design.players * evidence.clusters).reshape(design.players, -1)


def count_outcomes(wins: Wins) -> tuple[Ints, Ints] | None:
    """(m,) in how many clusters each player lost anything, and won anything; a tie is both.

    None where clusters are not kept one by one.
    """
    evidence, design = wins.evidence, wins.design
    if isinstance(evidence, BattleEvidence) and evidence.cluster is None:
        assert isinstance(design, Pairs)
        ends = design.first[evidence.pair], design.second[evidence.pair]
        more, less = (evidence.outcome > 0.0, evidence.outcome < 1.0)
        lost, won = (
            np.bincount(ends[0][one], minlength=design.players)
            + np.bincount(ends[1][two], minlength=design.players)
            for one, two in ((less, more), (more, less))
        )
        return lost, won
    if not kept_by_cluster(wins):
        return None
    matches, gained = _matches_by_cluster(wins), _wins_by_cluster(wins)
    least = EQUAL * matches.max(initial=0.0)
    return (matches - gained > least).sum(axis=1), (gained > least).sum(axis=1)


def _are_about_equal(share: Floats, number: Floats) -> Bools:
    """(m,) or (1,) whether a player's clusters carry about as much each; by Kish's number."""
    equal: Bools = at_least(1.0 / (share**2).sum(axis=1), ABOUT_EQUAL * number)
    return equal


def _variation(influence: Floats, held: Floats) -> Floats:
    """(G,) how much clusters vary, relative to each other, from the influences on all players."""
    squares = (influence / (1.0 - held)) ** 2
    total = np.einsum("ig,ig->i", influence, influence)[:, None]
    moved = total[:, 0] > 0.0
    if not moved.any():
        return np.ones(influence.shape[1])
    return np.asarray((squares[moved] / total[moved]).mean(axis=0), np.float64)


def _satterthwaite(held: Floats, variation: Floats) -> Floats:
    """(m,) degrees of freedom of Σ x²/(1 − w), where x = y − w Σ y and Var(y) = ``variation``.

    They are tr(Ω)²/tr(Ω²), Ω the covariance of x/√(1 − w), which is a diagonal matrix plus one of
    rank two, so that no G × G array is needed. ``held`` are the w, (m, G).
    """
    total = variation.sum(axis=1, keepdims=True)
    scale = 1.0 / (1.0 - held)
    root = np.sqrt(scale)
    a, b, diagonal = root * held, root * variation, scale * variation

    def dot(x: Floats, y: Floats) -> Floats:
        return np.asarray((x * y).sum(axis=1), np.float64)

    t, aa, bb, ab = total[:, 0], dot(a, a), dot(b, b), dot(a, b)
    trace = dot(scale, variation - 2.0 * held * variation + held**2 * total)
    square = dot(diagonal, diagonal) + 2.0 * (aa * bb + ab**2) + (t * aa) ** 2
    square += 2.0 * t * dot(diagonal, a * a) - 4.0 * (dot(diagonal, a * b) + t * aa * ab)
    return np.where(square > 0.0, trace**2 / np.where(square > 0.0, square, 1.0), 1.0)


# Clusters that are not kept one by one ------------------------------------------------------------


def kept_by_cluster(wins: Wins) -> bool:
    """Whether the columns of influences are clusters, and not a root of their covariance."""
    evidence, players = wins.evidence, wins.wins.size
    if isinstance(evidence, BattleEvidence) and evidence.cluster is None:
        return False
    few = evidence.clusters <= max(players, FEW_CLUSTERS)
    return few or evidence.clusters * players <= FEW_INFLUENCES


def weights_of_clusters(wins: Wins) -> Floats:
    """(G,) share of all matches that each cluster holds; battles may be clusters of their own."""
    evidence = wins.evidence
    if isinstance(evidence, BattleEvidence):
        cluster = evidence.cluster
        weight = evidence.weight if cluster is None else np.bincount(cluster, evidence.weight)
    else:
        weight = np.asarray(evidence.wins.sum(axis=1), np.float64).ravel()
    return np.asarray(weight / weight.sum(), np.float64)


def lifts_of_clusters(wins: Wins) -> Floats:
    """(G,) by how much squared residuals are multiplied, relative to equal clusters."""
    held = np.minimum(weights_of_clusters(wins), MOST)
    return 1.0 / ((1.0 - held) * small_sample(float(held.size)))


def effective_clusters(wins: Wins) -> float:
    """Clusters of equal weight that would carry as much: 1/Σ w², w their shares (Kish)."""
    weight = weights_of_clusters(wins)
    return 1.0 / float(weight @ weight)


def _without_clusters(wins: Wins) -> Clustering:
    """Where only the sum of the clusters' squares is known, or none at all.

    Unequal clusters are then taken to vary as a whole, which leaves the fewest degrees of freedom.
    """
    evidence, played = wins.evidence, np.maximum(wins.evidence.played, 2)
    units = played.astype(np.float64)
    df, weight = freedom(units), weights_of_clusters(wins)
    alone = isinstance(evidence, BattleEvidence) and evidence.cluster is None
    if not alone and not at_least(effective_clusters(wins), ABOUT_EQUAL * weight.size):
        held = np.minimum(weight, MOST)[None, :]
        df = np.minimum(df, np.maximum(_satterthwaite(held, held**2), 1.0))
    return Clustering(
        clusters=evidence.clusters,
        played=played,
        amount=wins.design.weight_of_matches(),
        share=None,
        lift=None,
        factor=small_sample(units) / small_sample(float(evidence.clusters)),
        df=df,
    )
