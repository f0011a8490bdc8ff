"""Where players could truly stand: rank sets, groups, chances of being best, quasi-errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.bootstrap import chances_of_best, plan_replicates
from winodds.comparisons import holm, holm_directions, p_values, rank_sets
from winodds.errors import NotConverged, TooManyToCompare
from winodds.evidence import Evidence
from winodds.inference import Contrasts
from winodds.letters import cover_by_groups, label_groups
from winodds.quasi import quasi_variances
from winodds.workers import run_calls

REPLICATES = 1000

PLACING_LIMIT = 5_000
"""Players above which all pairs are not looked at together: ten such square arrays are 2 GB."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Columns of the board, in its order.

    Attributes
    ----------
    rank_low, rank_high : (m,) ranks that a player could truly have, for all players at once.
    p_best : (m,) share of bootstrap replicates in which a player is rated highest.
    group : (m,) letters; players who share one cannot be told apart.
    quasi_se : (m,) the root of the sum of squares of two is about the error of their difference.
    quasi_worst : smallest and largest relative error of that.
    groups : places of the players of each group, in the order of the letters.
    """

    rank_low: Ints
    rank_high: Ints
    p_best: Floats
    group: tuple[str, ...]
    quasi_se: Floats
    quasi_worst: tuple[float, float]
    groups: tuple[tuple[int, ...], ...]


def place_players(evidence: Sequence[Evidence], level: float, seed: int) -> Placing:
    """Place the players of all groups that met, each group on its own."""
    size = sum(group.players.size for group in evidence)
    check_size(max(group.players.size for group in evidence))
    low, high = np.empty(size, np.int64), np.empty(size, np.int64)
    best, quasi = np.empty(size), np.empty(size)
    worst, groups = [], []
    for group in evidence:
        order = np.argsort(group.players)
        places, found = group.players[order], reorder(group.uncertainty.contrast_matrix(), order)
        p = p_values(found)
        low[places], high[places] = rank_sets(found.value, over_pairs(holm_directions, p), level)
        apart = over_pairs(holm, p) <= 1.0 - level
        groups += [tuple(places[member].tolist()) for member in cover_by_groups(apart)]
        best[places] = chances_of_best(replicate(group, REPLICATES, seed))[order]
        quasi[places], ends = _quasi_errors(found.se)
        worst.append(ends)
    labels = label_groups([np.array(members) for members in groups], size)
    least, most = (
        pick(column) for pick, column in zip((min, max), zip(*worst, strict=True), strict=True)
    )
    return Placing(low, high, best, tuple(labels), quasi, (least, most), tuple(groups))


def _quasi_errors(se: Floats) -> tuple[Floats, tuple[float, float]]:
    """(m,) quasi-standard errors, NaN where there are none, and their worst relative errors."""
    if se.shape[0] < 2:
        return np.full(se.shape[0], np.nan), (0.0, 0.0)
    try:
        found = quasi_variances(se**2)
    except NotConverged:
        return np.full(se.shape[0], np.nan), (0.0, 0.0)
    with np.errstate(invalid="ignore"):
        return np.sqrt(found.variances), (found.worst_low, found.worst_high)


def check_size(players: int) -> None:
    """Refuse square arrays that do not fit."""
    if players > PLACING_LIMIT:
        raise TooManyToCompare(players=players, limit=PLACING_LIMIT)


def reorder(found: Contrasts, order: Ints) -> Contrasts:
    """The same square arrays with the players in another order."""
    pick = np.ix_(order, order)
    robust = None if found.robust is None else found.robust[pick]
    return Contrasts(
        found.value[pick], found.model[pick], robust, found.units[pick], found.cut[pick]
    )


def over_pairs(adjust: Callable[[Floats], Floats], p: Floats) -> Floats:
    """(m, m) p-values adjusted as those of all pairs, each counted once; 1 on the diagonal."""
    upper = np.triu_indices(p.shape[0], 1)
    adjusted = np.ones_like(p)
    adjusted[upper] = adjust(p[upper])
    adjusted.T[upper] = adjusted[upper]
    return adjusted


def replicate(
    group: Evidence,
    replicates: int,
    seed: int,
    *,
    n_jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """(replicates, m) ratings from resampled clusters, in the order of the group's arrays.

    Splits that share training data vary less than new data would; deviations are widened as the
    variances of intervals are.
    """
    beta = group.lasting
    calls = plan_replicates(
        group.games, group.wins, beta, ridge=group.ridge, replicates=replicates, seed=seed
    )
    ratings = np.concatenate(list(run_calls(calls, n_jobs, progress)))
    return ratings if group.overlap == 1.0 else beta + np.sqrt(group.overlap) * (ratings - beta)
