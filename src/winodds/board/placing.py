"""Where players could truly stand: rank sets, letters, chances of being best, quasi-errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from winodds.arrays import EQUAL, Floats, Ints
from winodds.board.components import Components
from winodds.board.errors import TooManyToCompare
from winodds.board.evidence import Evidence
from winodds.fit.errors import NotConverged
from winodds.inference.bootstrap import plan_replicates
from winodds.inference.intervals import Uncertainty
from winodds.inference.letters import assign_letters, find_alike
from winodds.inference.pairwise import holm, holm_directions, rank_sets, told_apart
from winodds.inference.quasi import quasi_variances
from winodds.workers import run_calls

REPLICATES = 1000

PLACING_LIMIT = 5_000
"""Players above which all pairs are not looked at together: ten such square arrays are 2 GB."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Columns of the board that take longer, in its order.

    Attributes
    ----------
    players : (m,) names.
    rank_low, rank_high : (m,) ranks that a player could truly have, for all players at once.
    p_best : (m,) probability of being truly the best of the component.
    letters : (m,) players who share one cannot be told apart.
    quasi_se : (m,) the root of the sum of squares of two is about the model-based error of their
        difference.
    quasi_worst : smallest and largest relative error of that; None where there is nothing.
    alike : names of the players who share each letter, in the order of the letters.
    """

    players: tuple[str, ...]
    rank_low: Ints
    rank_high: Ints
    p_best: Floats
    letters: tuple[str, ...]
    quasi_se: Floats
    quasi_worst: tuple[float, float] | None
    alike: tuple[tuple[str, ...], ...]

    @property
    def could_be_best(self) -> tuple[str, ...]:
        """Players whose rank range begins with 1."""
        return tuple(self.players[k] for k in np.flatnonzero(self.rank_low == 1).tolist())


def place_players(
    components: Components, players: tuple[str, ...], level: float, seed: int
) -> Placing:
    """Place the players, each among those of its component.

    Claims are adjusted for the pairs of all components together. They are robust also on a board
    with model-based intervals, which would claim something false nearly always.
    """
    check_size(max(part.size for part in components))
    found = [part.uncertainty_by("robust").contrast_matrix() for part in components]
    p = [own.p_value() for own in found]
    certain, apart = over_pairs(holm_directions, p), over_pairs(holm, p)
    ranks = [rank_sets(own.value, sure, level) for own, sure in zip(found, certain, strict=True)]
    alike = [
        start + members
        for own, start in zip(apart, components.starts, strict=False)
        for members in find_alike(told_apart(own, level))
    ]
    quasi = [_quasi_errors(part.uncertainty_by("model")) for part in components]
    worst = [ends for _, ends in quasi if ends is not None]
    return Placing(
        players=players,
        rank_low=np.concatenate([low for low, _ in ranks]),
        rank_high=np.concatenate([high for _, high in ranks]),
        p_best=components.scatter(lambda part: part.posterior(seed).p_best),
        letters=tuple(assign_letters(alike, len(players))),
        quasi_se=np.concatenate([errors for errors, _ in quasi]),
        quasi_worst=(min(worst)[0], max(end for _, end in worst)) if worst else None,
        alike=tuple(tuple(players[k] for k in members.tolist()) for members in alike),
    )


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

    Of several components the pairs of all are taken together. The diagonals are 1.
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
    part: Evidence,
    replicates: int,
    seed: int,
    *,
    n_jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Floats:
    """(replicates, m) ratings from resampled clusters.

    Splits that share training data vary less than new data would; deviations are widened as the
    variances of intervals are.
    """
    beta = part.lasting
    calls = plan_replicates(
        part.games, part.wins, beta, ridge=part.ridge, replicates=replicates, seed=seed
    )
    ratings = np.concatenate(list(run_calls(calls, n_jobs, progress)))
    return ratings if part.overlap == 1.0 else beta + np.sqrt(part.overlap) * (ratings - beta)
