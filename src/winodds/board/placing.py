"""Where players could truly stand: rank ranges, letters, chances of being best, quasi-errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from winodds.arrays import EQUAL, Bools, Floats, Ints
from winodds.board.components import Components
from winodds.board.errors import TooManyToCompare
from winodds.board.evidence import Evidence
from winodds.fit.errors import NotConverged
from winodds.inference.bootstrap import plan_replicates
from winodds.inference.claims import Claims, judge_pairs
from winodds.inference.contrasts import told_apart
from winodds.inference.intervals import Uncertainty
from winodds.inference.letters import assign_letters, find_alike
from winodds.inference.quasi import quasi_variances
from winodds.language.options import RankKind
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
    rank_low, rank_high : (m,) ranks that a player could truly have.
    ranks : whether each end holds alone ("marginal") or all at once ("simultaneous").
    p_best : (m,) probability of being truly the best of the component.
    letters : (m,) players who share one cannot be told apart.
    quasi_se : (m,) the root of the sum of squares of two is about the model-based error of their
        difference.
    quasi_worst : smallest and largest relative error of that; None where there is nothing.
    alike : names of the players who share each letter, in the order of the letters.
    adjust : how claims about all pairs are adjusted, in the largest component.
    """

    players: tuple[str, ...]
    rank_low: Ints
    rank_high: Ints
    ranks: RankKind
    p_best: Floats
    letters: tuple[str, ...]
    quasi_se: Floats
    quasi_worst: tuple[float, float] | None
    alike: tuple[tuple[str, ...], ...]
    adjust: Literal["max-t", "holm"]

    @property
    def could_be_best(self) -> tuple[str, ...]:
        """Players whose rank range begins with 1."""
        return tuple(self.players[k] for k in np.flatnonzero(self.rank_low == 1).tolist())


def place_players(
    components: Components,
    players: tuple[str, ...],
    level: float,
    seed: int,
    ranks: RankKind,
    families: Sequence[str] | None = None,
    reference: int | None = None,
) -> Placing:
    """Place the players, each among those of its component.

    Claims are robust also on a board with model-based intervals, which would claim something false
    nearly always. A rank range begins with 1 for everyone who could be the best: whom no test
    excludes, or whose chance of being best is larger than that of a false claim.
    """
    p_best = find_chances(components, seed, families, reference)
    found = judge_components(components, p_best, level, seed)
    alike = [
        start + members
        for own, start in zip(found, components.starts, strict=False)
        for members in find_alike(own.apart)
    ]
    ends = [_rank_ends(part, own, ranks) for part, own in zip(components, found, strict=True)]
    quasi = [_quasi_errors(part.uncertainty_by("model")) for part in components]
    worst = [ends for _, ends in quasi if ends is not None]
    return Placing(
        players=players,
        rank_low=np.concatenate([first for first, _ in ends]),
        rank_high=np.concatenate([last for _, last in ends]),
        ranks=ranks,
        p_best=p_best,
        letters=tuple(assign_letters(alike, len(players))),
        quasi_se=np.concatenate([errors for errors, _ in quasi]),
        quasi_worst=(min(worst)[0], max(end for _, end in worst)) if worst else None,
        alike=tuple(tuple(players[k] for k in members.tolist()) for members in alike),
        adjust=found[0].claims.adjust,
    )


def find_chances(
    components: Components,
    seed: int,
    families: Sequence[str] | None = None,
    reference: int | None = None,
) -> Floats:
    """(m,) probability of being truly the best of the component.

    Families and the reference are those of a board on one scale: they say who is drawn there, so
    that these chances and the leader without luck rest on the same draws.
    """
    check_size(max(part.size for part in components))
    if len(components) == 1:
        return components[0].posterior(seed, families, reference).p_best
    return components.scatter(lambda part: part.posterior(seed).p_best)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Claims about the players of a component, and which of them are withheld.

    Attributes
    ----------
    claims : what tests tell, adjusted for the pairs of all components.
    p_best : (m,) probability of being truly the best.
    may_be_best : (m,) whether that is larger than the chance of a false claim.
    withheld : (m, m) pairs of which nothing is claimed because the lower one may be the best: its
        chance of that is larger than a false claim's.
    apart : (m, m) pairs that are told apart.
    """

    claims: Claims
    p_best: Floats
    may_be_best: Bools
    withheld: Bools
    apart: Bools


def judge_components(
    components: Components, p_best: Floats, level: float, seed: int
) -> list[Verdicts]:
    """Claims about the players of each component, of which any is false with 1 − level at most.

    Each component has its share of that chance, by the number of its pairs. Tests and chances
    answer the same question, so a player who is the best with a chance, ``p_best`` (m,), larger
    than that of a false claim is not told apart from those above.
    """
    pairs = [part.size * (part.size - 1) / 2.0 for part in components]
    found = []
    for part, own, start in zip(components, pairs, components.starts, strict=False):
        claims = judge_pairs(part.uncertainty_by("robust"), seed)
        share = sum(pairs) / own if own else 1.0
        chance = p_best[start : start + part.size]
        may_be_best = chance > 1.0 - level
        lower = np.maximum.outer(np.arange(part.size), np.arange(part.size))
        p, withheld = np.minimum(share * claims.p, 1.0), may_be_best[lower]
        apart = told_apart(p, level) & ~withheld
        found.append(Verdicts(replace(claims, p=p), chance, may_be_best, withheld, apart))
    return found


def _rank_ends(part: Evidence, found: Verdicts, ranks: RankKind) -> tuple[Ints, Ints]:
    """(m,) best and worst rank that each player could truly have.

    Everyone who may be the best begins with 1, and nobody ends there while another could be.
    """
    low, high = _claimed_ends(part, found, ranks)
    low = np.where(found.may_be_best, 1, low)
    return low, np.maximum(high, 2) if (low == 1).sum() > 1 else high


def _claimed_ends(part: Evidence, found: Verdicts, ranks: RankKind) -> tuple[Ints, Ints]:
    """(m,) the same by tests alone.

    Marginal ones hold for each end alone, simultaneous ones for all players at once.
    """
    if ranks == "marginal":
        return 1 + found.claims.better, part.size - found.claims.worse
    apart = found.apart
    ahead = part.intervals.beta[:, None] < part.intervals.beta[None, :]
    return 1 + (apart & ahead).sum(axis=1), part.size - (apart & ~ahead).sum(axis=1)


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
