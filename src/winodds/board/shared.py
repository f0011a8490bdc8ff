"""The rounds that two players share, and what only one of them has."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np

from winodds.arrays import Bools, Floats, Ints, number_keys, renumber, sum_by
from winodds.board.evidence import Evidence
from winodds.language.options import Missing
from winodds.matches.beaten import threshold
from winodds.matches.games import score_table
from winodds.matches.results import Battles
from winodds.table.table import Table

ENOUGH = 6
"""Tournaments from which on they are the clusters: the signs of fewer cannot decide."""


@dataclass(frozen=True, slots=True)
class Unshared:
    """Rounds that do not count, because one of two players lacks a score there.

    Attributes
    ----------
    only_baseline, only_candidate : rounds that only this one has.
    failed_baseline, failed_candidate : rounds that both have, in which the run of this one failed.
    both_failed : of these, rounds in which both did.
    """

    only_baseline: int = 0
    only_candidate: int = 0
    failed_baseline: int = 0
    failed_candidate: int = 0
    both_failed: int = 0


@dataclass(frozen=True, slots=True)
class Shared:
    """What a baseline and a candidate did in the rounds, or battles, that they share.

    Attributes
    ----------
    outcome : (R,) 1 where the candidate won, ½ for a tie, 0 where the baseline won.
    scores : (R, 2) of baseline and candidate as they were given, NaN of a failed run; None where
        there are none.
    higher_is_better : (R,) direction of the scores.
    weight : (R,) of the rounds.
    cluster, tournament : (R,) of each round, 0, 1, …
    unshared : what does not count.
    lost : failed runs that count as lost.
    """

    outcome: Floats
    scores: Floats | None
    higher_is_better: Bools
    weight: Floats
    cluster: Ints
    tournament: Ints
    unshared: Unshared = Unshared()
    lost: int = 0

    @property
    def rounds(self) -> int:
        return self.outcome.size

    @property
    def tournaments(self) -> int:
        return int(self.tournament.max(initial=0)) + 1

    @property
    def one_way(self) -> bool:
        """Whether all scores have the same direction."""
        return bool((self.higher_is_better == self.higher_is_better[0]).all())

    def each_tournament_once(self) -> "Shared":
        """The same with weights by which every tournament counts as much."""
        total = sum_by(self.tournament, self.weight, self.tournaments)
        mean = self.rounds / self.tournaments
        weight = mean * self.weight / total[self.tournament]
        return replace(self, weight=weight)


def share_table(
    table: Table, baseline: int, candidate: int, *, missing: Missing, tolerance: float
) -> Shared:
    """The rounds of a table that two of its players share, given by their index."""
    cells, size = table.cells, len(table.rounds.names)
    scores, there = np.full((size, 2), np.nan), np.zeros((size, 2), np.bool_)
    for column, player in enumerate((baseline, candidate)):
        own = cells.take(cells.player == player)
        scores[own.round, column], there[own.round, column] = own.value, True
    rounds = table.rounds
    about = rounds.higher_is_better, rounds.weight, rounds.cluster, rounds.tournament
    return share_scores(scores, there, about, missing=missing, tolerance=tolerance)


def share_board(part: Evidence, pair: tuple[int, int], higher_is_better: Bools) -> Shared:
    """The rounds, or battles, of a component that two of its players share.

    ``higher_is_better`` (R,) is the direction of the rounds of this component. A run that failed
    is known to have done so only if it lost by that.
    """
    games = part.games
    if isinstance(games.played, Battles):
        return _share_battles(games.played, *pair)
    results = games.results
    table = score_table(results, np.array(pair))
    failed = np.isneginf(table)
    scores = np.where(higher_is_better[:, None], table, -table)
    about = higher_is_better, results.weight, results.cluster, results.tournament
    return share_scores(
        np.where(failed, np.nan, scores),
        ~np.isnan(table),
        about,
        missing="lose",
        tolerance=games.tolerance,
    )


def share_scores(
    scores: Floats,
    there: Bools,
    about: Sequence[Bools | Floats | Ints],
    *,
    missing: Missing,
    tolerance: float,
) -> Shared:
    """The rounds in which both have a score, or of which one lost because its run failed.

    Parameters
    ----------
    scores : (R, 2) of baseline and candidate as they were given, NaN where there is none.
    there : (R, 2) whether they took part.
    about : direction, weight, cluster and tournament of each round, (R,) each.
    """
    scored = ~np.isnan(scores)
    both, failed = there.all(axis=1), there & ~scored
    met = scored.all(axis=1)
    if missing == "lose":
        met = both & scored.any(axis=1)
    unshared = _count_unshared(there, failed & np.asarray(both & ~met)[:, None])
    up, weight, cluster, tournament = (part[met] for part in about)
    oriented = np.where(up[:, None], scores[met], -scores[met])
    oriented = np.where(np.isnan(oriented), -np.inf, oriented)
    own, other = oriented[:, 1], oriented[:, 0]
    ahead, behind = other < threshold(own, tolerance), own < threshold(other, tolerance)
    return Shared(
        outcome=np.asarray(0.5 * (1.0 + ahead - behind), np.float64),
        scores=scores[met],
        higher_is_better=up.astype(np.bool_),
        weight=weight.astype(np.float64),
        cluster=_numbered(cluster),
        tournament=_numbered(tournament),
        unshared=unshared,
        lost=int(failed[met].sum()),
    )


def _count_unshared(there: Bools, gone: Bools) -> Unshared:
    """Of rounds in which somebody was, (R, 2), those that do not count because a run failed."""
    alone = there & ~there.all(axis=1, keepdims=True)
    return Unshared(
        only_baseline=int(alone[:, 0].sum()),
        only_candidate=int(alone[:, 1].sum()),
        failed_baseline=int(gone[:, 0].sum()),
        failed_candidate=int(gone[:, 1].sum()),
        both_failed=int(gone.all(axis=1).sum()),
    )


def _numbered(label: Ints | Floats | Bools) -> Ints:
    return renumber(label.astype(np.int64)) if label.size else label.astype(np.int64)


def _share_battles(battles: Battles, baseline: int, candidate: int) -> Shared:
    straight = (battles.first == candidate) & (battles.second == baseline)
    swapped = (battles.first == baseline) & (battles.second == candidate)
    rows = np.flatnonzero(straight | swapped)
    outcome = np.where(straight, battles.outcome, 1.0 - battles.outcome)[rows]
    cluster = rows if battles.cluster is None else battles.cluster[rows]
    number = number_keys(cluster)[1] if rows.size else rows
    return Shared(
        outcome=outcome,
        scores=None,
        higher_is_better=np.ones(rows.size, np.bool_),
        weight=battles.weight[rows],
        cluster=number,
        tournament=np.zeros(rows.size, np.int64),
    )


def join_shared(parts: Sequence[Shared], only_baseline: int, only_candidate: int) -> Shared:
    """Rounds of several boards, each a tournament of its own; clusters are of their board.

    ``only_baseline`` and ``only_candidate`` count the rounds of tournaments that only one has.
    """
    clusters = np.cumsum([0, *(int(part.cluster.max(initial=-1)) + 1 for part in parts)])
    scores = [part.scores for part in parts if part.scores is not None]
    alone = Unshared(only_baseline=only_baseline, only_candidate=only_candidate)
    unshared = [alone, *(part.unshared for part in parts)]
    facts = zip(*map(astuple, unshared), strict=True)
    return Shared(
        outcome=np.concatenate([part.outcome for part in parts]),
        scores=np.concatenate(scores) if len(scores) == len(parts) else None,
        higher_is_better=np.concatenate([part.higher_is_better for part in parts]),
        weight=np.concatenate([part.weight for part in parts]),
        cluster=np.concatenate(
            [part.cluster + start for part, start in zip(parts, clusters[:-1], strict=True)]
        ),
        tournament=renumber(np.repeat(np.arange(len(parts)), [part.rounds for part in parts])),
        unshared=Unshared(*map(sum, facts)),
        lost=sum(part.lost for part in parts),
    )
