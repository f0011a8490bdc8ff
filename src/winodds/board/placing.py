"""Where players could truly stand: rank sets, groups, chances of being best, quasi-errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from winodds.arrays import EQUAL, Floats, Ints
from winodds.board.errors import TooManyToCompare
from winodds.board.evidence import Evidence
from winodds.fit.errors import NotConverged
from winodds.inference.bootstrap import chances_of_best, plan_replicates
from winodds.inference.intervals import Uncertainty
from winodds.inference.letters import cover_by_groups, label_groups
from winodds.inference.pairwise import holm, holm_directions, p_values, rank_sets, told_apart
from winodds.inference.quasi import quasi_variances
from winodds.workers import calm_threads, run_calls

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
    quasi_se : (m,) the root of the sum of squares of two is about the model-based error of their
        difference.
    quasi_worst : smallest and largest relative error of that; None where there is nothing.
    groups : places of the players of each group, in the order of the letters.
    """

    rank_low: Ints
    rank_high: Ints
    p_best: Floats
    group: tuple[str, ...]
    quasi_se: Floats
    quasi_worst: tuple[float, float] | None
    groups: tuple[tuple[int, ...], ...]


def place_players(evidence: Sequence[Evidence], level: float, seed: int) -> Placing:
    """Place the players, each among those of its group that met.

    Claims are adjusted for the pairs of all groups together. They are robust also on a board with
    model-based intervals, which would claim something false nearly always.
    """
    size = sum(group.players.size for group in evidence)
    check_size(max(group.players.size for group in evidence))
    with calm_threads(size):
        return _place(evidence, size, level, seed)


def _place(evidence: Sequence[Evidence], size: int, level: float, seed: int) -> Placing:
    low, high = np.empty(size, np.int64), np.empty(size, np.int64)
    best, quasi = np.empty(size), np.empty(size)
    worst: list[tuple[float, float]] = []
    groups: list[tuple[int, ...]] = []
    found = [group.uncertainty_by("robust").contrast_matrix() for group in evidence]
    p = [p_values(own) for own in found]
    certain, apart = over_pairs(holm_directions, p), over_pairs(holm, p)
    for number, group in enumerate(evidence):
        order = np.argsort(group.players)
        places, pick = group.players[order], np.ix_(order, order)
        low[group.players], high[group.players] = rank_sets(
            found[number].value, certain[number], level
        )
        members = cover_by_groups(told_apart(apart[number][pick], level))
        groups += [tuple(places[own].tolist()) for own in members]
        best[group.players] = chances_of_best(replicate(group, REPLICATES, seed))
        quasi[group.players], ends = _quasi_errors(group.uncertainty_by("model"))
        worst += [] if ends is None else [ends]
    labels = label_groups([np.array(members) for members in groups], size)
    off = (min(ends[0] for ends in worst), max(ends[1] for ends in worst)) if worst else None
    return Placing(low, high, best, tuple(labels), quasi, off, tuple(groups))


def _quasi_errors(model: Uncertainty) -> tuple[Floats, tuple[float, float] | None]:
    """(m,) quasi-standard errors, NaN where there are none, and their worst relative errors.

    They are those of the model-based errors, as other programs print them. Robust errors cannot be
    summed up like this: players of one family vary together, and the worst pair is off by a factor.
    """
    se = model.contrast_matrix().se
    if se.shape[0] < 2:
        return np.full(se.shape[0], np.nan), None
    try:
        found = quasi_variances(se**2)
    except NotConverged:
        return np.full(se.shape[0], np.nan), None
    variances = np.where(found.variances < -EQUAL * se.max() ** 2, np.nan, found.variances)
    return np.sqrt(np.maximum(variances, 0.0)), (found.worst_low, found.worst_high)


def check_size(players: int) -> None:
    """Refuse square arrays that do not fit."""
    if players > PLACING_LIMIT:
        raise TooManyToCompare(players=players, limit=PLACING_LIMIT)


def over_pairs(adjust: Callable[[Floats], Floats], p: Sequence[Floats]) -> list[Floats]:
    """Square arrays of p-values adjusted as those of all pairs, each counted once.

    Of several groups of players the pairs of all are taken together. The diagonals are 1.
    """
    upper = [np.triu_indices(own.shape[0], 1) for own in p]
    pairs = [own[places] for own, places in zip(p, upper, strict=True)]
    ends = np.cumsum([own.size for own in pairs])[:-1]
    adjusted = [np.ones_like(own) for own in p]
    for own, places, values in zip(
        adjusted, upper, np.split(adjust(np.concatenate(pairs)), ends), strict=True
    ):
        own[places] = values
        own.T[places] = values
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
    with calm_threads(beta.size):
        ratings = np.concatenate(list(run_calls(calls, n_jobs, progress)))
    return ratings if group.overlap == 1.0 else beta + np.sqrt(group.overlap) * (ratings - beta)
