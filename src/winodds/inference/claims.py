"""Claims about all players at once: who is told apart, and how many are better or worse.

All pairs together keep the chance of any false claim. From one player's view only the others count,
so that more can be told about who could be the best.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from winodds.arrays import EQUAL, Bools, Floats, Ints
from winodds.inference.contrasts import told_apart
from winodds.inference.intervals import Uncertainty
from winodds.inference.pairwise import holm
from winodds.inference.signs import Flips, can_decide


@dataclass(frozen=True, slots=True)
class Claims:
    """What flips tell of all players.

    Attributes
    ----------
    p : (m, m) p-values of all pairs, adjusted for their number; 1 on the diagonal.
    better, worse : (m,) how many others are better, or worse, than a player for certain. Each
        number alone is too large with a chance of about 1 − level at most. It counts everyone from
        whom all pairs together tell the player apart, so that the two never contradict.
    adjust : how p-values were adjusted: "max-t" by flips, or "holm" where signs cannot decide.
    """

    p: Floats
    better: Ints
    worse: Ints
    adjust: Literal["max-t", "holm"]


def signs_decide(own: Uncertainty) -> bool:
    """Whether the signs of clusters decide about most players."""
    enough = can_decide(np.array(own.clustering.typical), own.intervals.level)
    return own.contributions is not None and bool(enough)


def judge_pairs(own: Uncertainty, seed: int) -> Claims:
    """Who is better than whom, among all pairs and from each player's view.

    By flips of the clusters' signs where these can decide, by Holm's adjustment elsewhere.
    """
    beta, level = own.intervals.beta, own.intervals.level
    # Only the p-values are kept: each of the other square arrays is as large.
    p = own.contrast_matrix().p_value()
    if own.contributions is not None and signs_decide(own):
        return claim_by_flips(Flips(own.contributions, seed), p, level)
    return claim_by_holm(beta[:, None] - beta[None, :], p, level)


# By Holm ------------------------------------------------------------------------------------------


def claim_by_holm(value: Floats, p: Floats, level: float) -> Claims:
    """Claims where signs cannot decide; ``value`` and ``p`` (m, m) are differences and p-values."""
    first, second = np.triu_indices(p.shape[0], 1)
    adjusted = np.ones_like(p)
    adjusted[first, second] = adjusted[second, first] = holm(p[first, second])
    together = told_apart(adjusted, level)
    better, worse = (
        (_claim_by_holm(ahead, p, level) | (together & (ahead > 0.0))).sum(axis=1)
        for ahead in (-value, value)
    )
    return Claims(adjusted, better, worse, "holm")


def _claim_by_holm(ahead: Floats, p: Floats, level: float) -> Bools:
    """(m, m) of which others it is certain that ``ahead`` (m, m) is positive, row by row."""
    claimed = np.zeros(p.shape, np.bool_)
    for player in range(p.shape[0]):
        one_sided = np.where(ahead[player] > 0.0, 0.5 * p[player], 1.0 - 0.5 * p[player])
        others = np.delete(np.arange(p.shape[0]), player)
        claimed[player, others] = told_apart(holm(one_sided[others]), level)
    return claimed & told_apart(p, level)


# By flips -----------------------------------------------------------------------------------------


def claim_by_flips(flips: Flips, p: Floats, level: float) -> Claims:
    """Claims by the law of the largest statistic when clusters change their signs.

    All pairs step down (Westfall and Young 1993): pairs that are clearer than the largest
    statistic of all reaches by chance are set aside, and the others are judged by the largest of
    theirs. From a player's view the same is done with the others who seem better, and with those
    who seem worse: comparisons with the best (Hsu 1981). ``p`` (m, m) are the p-values of single
    pairs; nothing is claimed of a pair that these do not tell apart.
    """
    apart, players = told_apart(p, level), flips.players
    better, worse = (np.zeros((players, players), np.bool_) for _ in range(2))
    observed, largest = np.zeros((players, players)), np.zeros(flips.number)
    for player in range(players):
        changes = flips.against(player)
        observed[player] = changes[:, 0]
        most, least = changes.max(axis=0), changes.min(axis=0)
        np.maximum(largest, np.maximum(most, -least), out=largest)
        # Every flip has a mirror image, in which what was least is most.
        better[player] = _claim(changes, np.append(most, -least), apart[player], level)
        worse[player] = _claim(changes, np.append(-least, most), apart[player], level, sign=-1.0)
    adjusted = _step_down(flips, np.abs(observed), largest, p, level)
    together = told_apart(adjusted, level)
    better |= together & (observed > 0.0)
    worse |= together & (observed < 0.0)
    return Claims(adjusted, better.sum(axis=1), worse.sum(axis=1), "max-t")


def _claim(changes: Floats, most: Floats, apart: Bools, level: float, sign: float = 1.0) -> Bools:
    """(m,) whose first column is beyond what the largest of those left reaches by chance.

    ``most`` (2F,) is the largest of all of them, in every flip and then in its mirror image; with
    a negative sign all is turned round. A single direction is judged, so a flip and its mirror
    image are two: with one of them only, it would matter which cluster comes last.
    """
    observed, left = sign * changes[:, 0], np.ones(changes.shape[0], np.bool_)
    beyond = 1 + int((1.0 - level) * most.size * (1.0 + EQUAL))
    possible = apart & (observed > 0.0)
    limit = float(np.partition(most, -beyond)[-beyond])
    while True:
        fresh = left & possible & (observed > limit + EQUAL * max(limit, 1.0))
        left &= ~fresh
        if not fresh.any() or not (left & possible).any():
            return ~left
        limit = _next_limit(changes, left, most, beyond, sign)


def _next_limit(changes: Floats, left: Bools, most: Floats, beyond: int, sign: float) -> float:
    """Of the largest statistics of the rows that are left, (2F,), the one at place ``beyond``.

    ``most`` (2F,) is at least as large as they are, so that only few flips need to be looked at;
    it is brought nearer to them.
    """
    order, number, flips = np.argsort(-most, kind="stable"), 2 * beyond, changes.shape[1]
    while True:
        chosen = order[:number]
        turned = np.where(chosen < flips, sign, -sign)
        own = (np.take(changes, chosen % flips, axis=1)[left] * turned).max(axis=0)
        most[chosen] = own
        limit = float(np.partition(own, -beyond)[-beyond])
        if number >= most.size or limit >= most[order[number]]:
            return limit
        number *= 2


def _step_down(flips: Flips, observed: Floats, largest: Floats, p: Floats, level: float) -> Floats:
    """(m, m) adjusted p-values; ``largest`` (F,) are the largest statistics of all pairs.

    They are exact up to 1 − level; beyond, they are those of the last step, which is careful.
    """
    adjusted, left, least = p.copy(), ~np.eye(flips.players, dtype=np.bool_), 0.0
    limit = observed - EQUAL * np.maximum(observed, 1.0)
    while True:
        reached = 1.0 - np.searchsorted(np.sort(largest), limit[left]) / largest.size
        adjusted[left] = np.maximum(np.maximum(reached, least), p[left])
        fresh = left & told_apart(adjusted, level)
        if not fresh.any():
            return adjusted
        least = float(adjusted[fresh].max())
        left &= ~fresh
        largest = _largest_of(flips, left)


def _largest_of(flips: Flips, left: Bools) -> Floats:
    """(F,) largest statistic, in either direction, of the pairs that are left, (m, m)."""
    largest = np.zeros(flips.number)
    for player in range(flips.players - 1):
        chosen = player + 1 + np.flatnonzero(left[player + 1 :, player])
        if chosen.size:
            hull = slice(int(chosen[0]), int(chosen[-1]) + 1)
            changes = flips.against(player, hull)
            changes[~left[hull, player]] = 0.0
            np.maximum(largest, np.maximum(changes.max(axis=0), -changes.min(axis=0)), out=largest)
    return largest
