"""Results → Wins within rounds: everyone meets everyone else of the round.

Nothing here is quadratic in the players: within a round the number of wins is a rank, so sorting
is enough. A win counts 1, a tie ½ for each side.
"""

import numpy as np
from scipy import sparse

from winodds.arrays import Bools, Floats, Ints, sum_by
from winodds.design.design import Cliques
from winodds.matches.beaten import count_flags, sort_stretches, standing
from winodds.matches.cliques import CliqueTable
from winodds.matches.results import Results, check_clusters, count_clusters
from winodds.matches.wins import (
    Reach,
    RoundEvidence,
    Wins,
    kish,
    normalise_weights,
    share_weights,
    total_matches,
)


def count_within(results: Results, *, tolerance: float = 0.0) -> Wins:
    """Everyone meets everyone else once in every round where both have a score.

    Scores that differ by ``tolerance`` or less tie. Such ties are not transitive, so they are
    counted for each score by binary search and not through ranks.
    """
    check_clusters(results.clusters)
    failed = np.isneginf(results.value)
    sizes, failures = np.diff(results.start), count_flags(failed, results.start)
    complete = results.player.size == results.rounds * results.players and not failed.any()
    order = sort_stretches(results.value, results.start, equal_sizes=complete)
    beaten, beaten_by = standing(results.value, results.start, order, tolerance)
    opponents = np.repeat(sizes - 1, sizes)
    totals = _sum_rounds if complete else _sum_scores
    if failures.any():
        opponents -= np.where(failed, np.repeat(failures - 1, sizes), 0)
    entry_wins = 0.5 * (opponents + beaten - beaten_by).astype(np.float64)
    round_matches = sizes * (sizes - 1) // 2 - failures * (failures - 1) // 2
    share = share_weights(results.weight, results.tournament)
    weight = normalise_weights(share, round_matches)
    weighted = entry_wins * np.repeat(weight, sizes)
    members, shares = _round_cliques(results, failed, weight, complete=complete)
    cliques = _by_cluster(members, results)
    matches = total_matches(round_matches)
    return Wins(
        kind="within",
        design=Cliques(shares, np.asarray(cliques.sum(axis=0)).ravel()),
        wins=totals(weighted, results),
        raw_wins=totals(entry_wins, results),
        raw_matches=totals(opponents, results).astype(np.int64),
        matches=matches,
        ties=matches - int(beaten.sum()),
        evidence=RoundEvidence(
            wins=_cluster_wins(weighted, results, complete=complete),
            cliques=cliques,
            played=count_clusters(results),
            power=1,
        ),
        match_weight=weight,
        tournament_weight=sum_by(
            results.tournament, weight * round_matches, int(results.tournament.max()) + 1
        ),
        design_effect=kish(weight, round_matches),
        reach=None if complete else chain_reach(results.start, results, order, beaten_by, failed),
        worst_rank=_worst_rank(beaten, results) if complete else None,
    )


def _aggregate(label: Ints, labels: int) -> sparse.csr_array:
    """(labels, n) matrix that adds up what bears the same label."""
    ones = np.ones(label.size)
    return sparse.csr_array((ones, (label, np.arange(label.size))), shape=(labels, label.size))


def _sum_scores(amount: Floats | Ints, results: Results) -> Floats:
    """(m,) sums over each player's scores."""
    return sum_by(results.player, amount, results.players)


def _sum_rounds(amount: Floats | Ints, results: Results) -> Floats:
    """The same for complete rounds, where nobody has to be looked up."""
    total: Floats = amount.reshape(results.rounds, results.players).sum(axis=0, dtype=np.float64)
    return total


def _by_cluster(by_round: sparse.csr_array | Floats, results: Results) -> sparse.csr_array | Floats:
    """(G, k) sums over the rounds of each cluster of what is given by round, (R, k)."""
    if results.clusters == results.rounds and bool(
        (results.cluster == np.arange(results.rounds)).all()
    ):
        return by_round
    total = _aggregate(results.cluster, results.clusters) @ by_round
    return total if isinstance(total, np.ndarray) else sparse.csr_array(total)


def _cluster_wins(
    weighted: Floats, results: Results, *, complete: bool
) -> sparse.csr_array | Floats:
    shape = (results.rounds, results.players)
    if complete:
        return _by_cluster(weighted.reshape(shape), results)
    by_round = sparse.csr_array((weighted, results.player, results.start), shape=shape)
    return _by_cluster(by_round, results)


def _worst_rank(beaten: Ints, results: Results) -> Ints:
    table = beaten.reshape(results.rounds, results.players)
    worst: Ints = results.players - table.min(axis=0)
    return worst


def _round_cliques(
    results: Results, failed: Bools, weight: Floats, *, complete: bool
) -> tuple[sparse.csr_array | Floats, sparse.csr_array]:
    """Cliques of the rounds: (R, Q) their weights and (Q, m) the shares."""
    if complete:
        return weight[:, None], sparse.csr_array(np.ones((1, results.players)))
    table = CliqueTable(results.players)
    for r, (begin, end) in enumerate(
        zip(results.start[:-1].tolist(), results.start[1:].tolist(), strict=True)
    ):
        present = results.player[begin:end]
        table.add(r, present, np.ones(present.size), float(weight[r]))
        missed = present[failed[begin:end]]
        if missed.size > 1:
            table.add(r, missed, np.ones(missed.size), -float(weight[r]))
    return table.matrices(results.rounds)


def chain_reach(
    start: Ints, results: Results, order: Ints, beaten_by: Ints, failed: Bools
) -> Reach:
    """Chains of helpers, one for each stretch of scores that met each other.

    The helper at a sorted position reaches the player there and the helper below; a player
    reaches the helper at the highest position that did not beat it.
    """
    scores = order.size
    helper = results.players + np.arange(scores)
    linked = np.ones(scores, np.bool_)
    linked[start[:-1]] = False
    end = np.repeat(start[1:], np.diff(start))
    highest = results.players + end - 1 - beaten_by
    won = ~failed
    return Reach(
        source=np.concatenate([helper, helper[linked], results.player[won]]),
        target=np.concatenate([results.player[order], helper[linked] - 1, highest[won]]),
        nodes=results.players + scores,
    )
