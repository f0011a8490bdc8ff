"""Matches across rounds: every score of a player meets every score of the others.

The published EPP experiments count matches this way: more of them from the same scores. They hang
on two rounds each, so the uncertainty comes from leaving out one cluster of rounds at a time.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from winodds.arrays import Bools, Floats, Ints, sum_by
from winodds.design.design import Cliques
from winodds.matches.beaten import sort_stretches, standing, threshold
from winodds.matches.cliques import CliqueTable
from winodds.matches.errors import ClusterSplitsTournament
from winodds.matches.results import Results, check_clusters, count_clusters
from winodds.matches.wins import Reach, RoundEvidence, Wins, kish, normalise_weights, total_matches
from winodds.matches.within import chain_reach


@dataclass(frozen=True, slots=True)
class _Tally:
    """Matches of each tournament.

    Attributes
    ----------
    scores, failures : (T, m) how many scores, failed ones included, and how many failed ones.
    wins, opponents : (T, m).
    ties : over all tournaments.
    reach : graph of wins and ties.
    """

    scores: Ints
    failures: Ints
    wins: Floats
    opponents: Ints
    ties: int
    reach: Reach

    @property
    def matches(self) -> Ints:
        """(T,) number of matches."""
        matches: Ints = self.opponents.sum(axis=1) // 2
        return matches


def count_across(results: Results, *, tolerance: float = 0.0) -> Wins:
    """Every score of i meets every score of j in the same tournament."""
    check_clusters(results.clusters)
    tally = _tally(results, tolerance)
    matches = tally.matches
    # Two players with a score in each of R rounds have R² matches, which count once together.
    weight = normalise_weights(1.0 / np.bincount(results.tournament) ** 2, matches)
    if matches.size == 1:
        design, evidence = _leave_one_out(results, tally, tolerance)
    else:
        design, evidence = _by_tournament(results, tally, weight)
    return Wins(
        kind="across",
        design=design,
        wins=weight @ tally.wins,
        raw_wins=tally.wins.sum(axis=0),
        raw_matches=tally.opponents.sum(axis=0),
        matches=total_matches(matches),
        ties=tally.ties,
        evidence=evidence,
        match_weight=weight[results.tournament],
        tournament_weight=weight * matches,
        design_effect=kish(weight, matches),
        reach=tally.reach,
        worst_rank=None,
    )


def _tally(results: Results, tolerance: float) -> _Tally:
    failed = np.isneginf(results.value)
    tournament = results.tournament[results.round_of]
    start = np.concatenate([[0], np.cumsum(np.bincount(tournament))])
    order = sort_stretches(results.value, start, equal_sizes=False)
    beaten, beaten_by = standing(results.value, start, order, tolerance)
    cell = tournament * results.players + results.player
    shape = (start.size - 1, results.players)

    def table(amount: Floats | Ints | Bools) -> Floats:
        return sum_by(cell, amount, shape[0] * shape[1]).reshape(shape)

    scores = table(np.ones(cell.size)).astype(np.int64)
    failures = table(failed).astype(np.int64)
    size, fails = scores.sum(axis=1), failures.sum(axis=1)
    met = (size - 1)[tournament] - np.where(failed, (fails - 1)[tournament], 0)
    own = 0.5 * (scores * (scores - 1) - failures * (failures - 1))
    opponents = scores * (size[:, None] - scores) - failures * (fails[:, None] - failures)
    decided = int(beaten.sum()) - _decided_against_oneself(results, cell, tolerance)
    return _Tally(
        scores=scores,
        failures=failures,
        wins=table(0.5 * (met + beaten - beaten_by)) - own,
        opponents=opponents,
        ties=int(opponents.sum()) // 2 - decided,
        reach=chain_reach(start, results, order, beaten_by, failed),
    )


def _decided_against_oneself(results: Results, cell: Ints, tolerance: float) -> int:
    """Pairs of one player's scores that are no tie; they met nobody."""
    by_cell = np.argsort(cell, kind="stable")
    value = results.value[by_cell]
    _, counts = np.unique(cell, return_counts=True)
    start = np.concatenate([[0], np.cumsum(counts)])
    order = sort_stretches(value, start, equal_sizes=False)
    beaten, _ = standing(value, start, order, tolerance)
    return int(beaten.sum())


def _by_tournament(
    results: Results, tally: _Tally, weight: Floats
) -> tuple[Cliques, RoundEvidence]:
    """Pooled tournaments are independent of each other: clusters are made of whole ones."""
    tournaments = weight.size
    cluster = np.empty(tournaments, np.int64)
    cluster[results.tournament] = results.cluster
    if not (cluster[results.tournament] == results.cluster).all():
        raise ClusterSplitsTournament()
    table = CliqueTable(results.players)
    wins = np.zeros((results.clusters, results.players))
    for t in range(tournaments):
        _add_cliques(table, int(cluster[t]), tally.scores[t], tally.failures[t], float(weight[t]))
        wins[cluster[t]] += weight[t] * tally.wins[t]
    cliques, shares = table.matrices(results.clusters)
    total = np.asarray(cliques.sum(axis=0), np.float64).ravel()
    return Cliques(shares, total), RoundEvidence(wins, cliques, count_clusters(results), 1)


def _add_cliques(
    table: CliqueTable, owner: int, scores: Ints, failures: Ints, weight: float
) -> None:
    present = np.flatnonzero(scores)
    table.add(owner, present, scores[present].astype(np.float64), weight)
    missed = np.flatnonzero(failures)
    if missed.size > 1:
        table.add(owner, missed, failures[missed].astype(np.float64), -weight)


def _leave_one_out(
    results: Results, tally: _Tally, tolerance: float
) -> tuple[Cliques, RoundEvidence]:
    """The matches that go when a cluster of rounds goes, for a one-step jackknife.

    Without one of G clusters the information shrinks by about ((G − 1)/G)², so the one-step
    change of a rating is (G/(G − 1))² times the inverse information times what the cluster
    contributed; the jackknife's own factor is (G − 1)/G.
    """
    clusters = results.clusters
    cluster = results.cluster[results.round_of]
    failed = np.isneginf(results.value)
    scores, failures = tally.scores[0], tally.failures[0]
    table = CliqueTable(results.players)
    wins = np.empty((clusters, results.players))
    for c in range(clusters):
        member = cluster == c
        out = _count(results, member)
        out_failed = _count(results, member & failed)
        _add_cliques(table, c, scores, failures, 1.0)
        _add_cliques(table, c, scores - out, failures - out_failed, -1.0)
        wins[c] = _wins_that_hang_on(results, member, tolerance)
        both_failed = failures * out_failed.sum() + out_failed * (failures - out_failed).sum()
        own_failed = failures**2 - (failures - out_failed) ** 2
        wins[c] -= 0.5 * (scores**2 - (scores - out) ** 2 + both_failed - own_failed)
    _add_cliques(table, clusters, scores, failures, 1.0)
    weights, shares = table.matrices(clusters + 1)
    total = weights[[clusters]].toarray().ravel()
    cliques = sparse.csr_array(weights[:clusters])
    return Cliques(shares, total), RoundEvidence(wins, cliques, count_clusters(results), 3)


def _count(results: Results, chosen: Bools) -> Ints:
    return np.bincount(results.player[chosen], minlength=results.players)


def _wins_that_hang_on(results: Results, member: Bools, tolerance: float) -> Floats:
    """(m,) wins, ties ½, over ordered pairs of scores of which one or both are members.

    A score also meets itself and the player's other scores here; the caller takes that off.
    """
    value = results.value
    against_members = _wins_against(value, value[member], tolerance)
    against_all = _wins_against(value[member], value, tolerance)
    amount = against_members.copy()
    amount[member] += against_all - against_members[member]
    return sum_by(results.player, amount, results.players)


def _wins_against(value: Floats, others: Floats, tolerance: float) -> Floats:
    """For each score, how many of ``others`` it beats, ties ½."""
    ordered = np.sort(others)
    beaten = np.searchsorted(ordered, threshold(value, tolerance), side="left")
    not_above = np.searchsorted(threshold(ordered, tolerance), value, side="right")
    return 0.5 * (beaten + not_above).astype(np.float64)
