"""Battles with seats → ratings and the effect of the first seat, fitted together.

logit P(left beats right) = β_left − β_right + δ. Equal players on a neutral seat win half; on the
first seat they win σ(δ) of their battles.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints, number_keys, sum_by
from winodds.fit.errors import NotConverged
from winodds.fit.newton import MAX_ITERATIONS, MAX_STEP
from winodds.language.options import Estimator

TOLERANCE = 1e-10
"""Largest change that one more iteration would make."""


@dataclass(frozen=True, slots=True)
class SeatedPairs:
    """Battles added up by who sat first and who second.

    Attributes
    ----------
    left, right : (E,) players of each ordered pair.
    weight, won : (E,) total weight of their battles, and of those that the left player won.
    players : number of players m.
    pair : (B,) the ordered pair of each battle.
    """

    left: Ints
    right: Ints
    weight: Floats
    won: Floats
    players: int
    pair: Ints

    @classmethod
    def of(
        cls, left: Ints, right: Ints, outcome: Floats, weight: Floats, players: int
    ) -> "SeatedPairs":
        """From single battles, (B,), with the outcome of the left player."""
        keys, pair = number_keys(left * players + right)
        total, won = (sum_by(pair, x, keys.size) for x in (weight, weight * outcome))
        return cls(keys // players, keys % players, total, won, players, pair)

    def differences(self, theta: Floats) -> Floats:
        """(E,) or (E, k) what (m + 1,) or (m + 1, k) parameters make of each ordered pair."""
        found: Floats = theta[self.left] - theta[self.right] + theta[-1]
        return found

    def spread(self, amount: Floats) -> Floats:
        """(m + 1,) the transpose: what amounts of the ordered pairs, (E,), do to parameters."""
        own = sum_by(self.left, amount, self.players) - sum_by(self.right, amount, self.players)
        return np.append(own, amount.sum())

    def information(self, weight: Floats, ridge: float) -> Floats:
        """(m + 1, m + 1) Σ w x xᵀ over the ordered pairs, plus the ridge on ratings."""
        m = self.players
        matrix = np.zeros((m + 1, m + 1))
        np.add.at(matrix, (self.left, self.left), weight)
        np.add.at(matrix, (self.right, self.right), weight)
        np.add.at(matrix, (self.left, self.right), -weight)
        np.add.at(matrix, (self.right, self.left), -weight)
        matrix[:m, m] = matrix[m, :m] = self.spread(weight)[:m]
        matrix[m, m] = weight.sum()
        matrix[np.arange(m), np.arange(m)] += ridge
        return matrix


@dataclass(frozen=True, slots=True)
class SeatFit:
    """Ratings and the seat's effect.

    Attributes
    ----------
    theta : (m + 1,) ratings, centred to mean 0, and the effect of the first seat.
    inverse : (m + 1, m + 1) model-based covariance of these.
    chance : (E,) P(left wins) of each ordered pair.
    """

    theta: Floats
    inverse: Floats
    chance: Floats


def fit_seats(pairs: SeatedPairs, *, estimator: Estimator, ridge: float = 0.0) -> SeatFit:
    """Solve for ratings and the first seat's effect.

    The ridge is on ratings only. *Bias-reduced* is Firth's score with the seat among the
    parameters.

    Raises
    ------
    NotConverged
        When the parameters still change after 200 iterations.
    """
    theta = np.zeros(pairs.players + 1)
    change, promised = np.zeros_like(theta), 0.0
    for _ in range(MAX_ITERATIONS):
        chance = expit(pairs.differences(theta))
        slope = chance * (1.0 - chance)
        inverse = _invert(pairs.information(pairs.weight * slope, ridge), ridge)
        score = seat_score(pairs, theta, inverse, estimator=estimator, ridge=ridge)
        gained = float(score @ change)
        if gained < -0.5 * promised:
            shorter = max(0.1, promised / (promised - gained))
            theta = theta - (1.0 - shorter) * change
            change, promised = shorter * change, shorter * promised
            continue
        # With the leverages fixed, the bias-reduced equations are those of so many more battles.
        more = _leverages(pairs, inverse, slope) if estimator == "bias-reduced" else 0.0
        step = _invert(pairs.information((pairs.weight + more) * slope, ridge), ridge) @ score
        largest = float(np.abs(step).max())
        if largest < TOLERANCE * max(1.0, float(np.abs(theta).max())):
            return SeatFit(theta, inverse, chance)
        change = step * (MAX_STEP / max(MAX_STEP, largest))
        promised = float(score @ change)
        theta = theta + change
        theta[:-1] -= theta[:-1].mean()
    raise NotConverged(iterations=MAX_ITERATIONS, step=float(np.abs(change).max()))


def seat_score(
    pairs: SeatedPairs, theta: Floats, inverse: Floats, *, estimator: Estimator, ridge: float
) -> Floats:
    """(m + 1,) the score that is 0 at the solution; ``inverse`` is that of the information."""
    chance = expit(pairs.differences(theta))
    surplus = pairs.won - pairs.weight * chance
    if estimator == "bias-reduced":
        leverages = _leverages(pairs, inverse, chance * (1.0 - chance))
        surplus = surplus + leverages * (0.5 - chance)
    score = pairs.spread(surplus)
    score[:-1] -= ridge * theta[:-1]
    return score


def _leverages(pairs: SeatedPairs, inverse: Floats, slope: Floats) -> Floats:
    """(E,) w p(1 − p) xᵀ I⁻ x; they add up to m."""
    left, right, seat = pairs.left, pairs.right, pairs.players
    own = inverse.diagonal()
    variance = own[left] + own[right] + own[seat] - 2.0 * inverse[left, right]
    variance = variance + 2.0 * (inverse[left, seat] - inverse[right, seat])
    found: Floats = pairs.weight * slope * variance
    return found


def _invert(matrix: Floats, ridge: float) -> Floats:
    """Pseudo-inverse of an information that does not tell the ratings' mean."""
    players = matrix.shape[0] - 1
    scale = float(matrix.diagonal()[:-1].mean()) / players
    regular = matrix.copy()
    regular[:-1, :-1] += scale
    inverse = np.linalg.inv(regular)
    inverse[:-1, :-1] -= 1.0 / (players * (ridge + scale * players))
    return np.asarray(inverse, np.float64)


def seat_is_open(left: Ints, right: Ints, outcome: Floats, players: int) -> tuple[bool, bool]:
    """Whether the data leave the lower, and the upper, end of the seat's effect open.

    The upper one is open when no battle gets less likely as the effect grows and ratings make up
    for it: bₗ − bᵣ ≥ −1 where the left one won something, and ≤ −1 where the right one did. Such b
    exist unless a circle of these conditions contradicts itself.
    """
    some, all_ = outcome > 0.0, outcome < 1.0
    return (
        _can_hold(left, right, some, all_, players, -1.0),
        _can_hold(left, right, some, all_, players, 1.0),
    )


def _can_hold(left: Ints, right: Ints, won: Bools, lost: Bools, players: int, seat: float) -> bool:
    """Whether b with bₗ − bᵣ + seat ≥ 0 for battles won and ≤ 0 for battles lost exist."""
    source = np.concatenate([left[won], right[lost]])
    target = np.concatenate([right[won], left[lost]])
    # b at the target is at most b at the source plus a length.
    length = np.concatenate([np.full(int(won.sum()), seat), np.full(int(lost.sum()), -seat)])
    shortest = np.zeros(players)
    for _ in range(players + 1):
        reached = shortest.copy()
        np.minimum.at(reached, target, shortest[source] + length)
        if (reached == shortest).all():
            return True
        shortest = reached
    return False
