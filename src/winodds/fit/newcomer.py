"""Ratings of new players among players who are rated: one equation for each.

The wins W of a new player against players rated βⱼ, of which it met each nⱼ times, have a root t of

    W − Σⱼ nⱼ pⱼ + Σⱼ hⱼ (½ − pⱼ) = 0,    pⱼ = σ(t − βⱼ),    hⱼ = nⱼ pⱼ (1 − pⱼ) / I,

where I = Σⱼ nⱼ pⱼ (1 − pⱼ). The last sum reduces the bias (Firth 1993): leverages hⱼ of the one
parameter, which add up to 1, count as matches half won. Without it this is maximum likelihood,
with −λt in its place it is ridge.

The new matches tell something about the others as well, and in a refit these would move.
`make_room` says where to, by one Newton step of all ratings together.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_expit, softmax

from winodds.arrays import Bools, Floats
from winodds.design.design import Information
from winodds.fit.errors import NotConverged
from winodds.language.options import Estimator

TOLERANCE = 1e-11
"""Largest change of a rating that one more step would make."""

MAX_STEPS = 200

ROOM_TOLERANCE = 1e-16
"""Of what moves the others, squared, that may be left."""


@dataclass(frozen=True, slots=True)
class Placed:
    """New players among others.

    Attributes
    ----------
    rating : (q,) on the scale of the others' ratings.
    information : (q,) Fisher information about each, the others' ratings being known.
    """

    rating: Floats
    information: Floats


def place(
    wins: Floats, met: Floats, beta: Floats, *, estimator: Estimator, ridge: float = 0.0
) -> Placed:
    """Rate new players, each for itself.

    A maximum-likelihood rating exists only for who won some matches and lost some.

    Parameters
    ----------
    wins : (q,) weighted wins, a tie half.
    met : (q, m) weight of the matches with each player.
    beta : (q, m) the players' ratings, for each new player.
    ridge : what a prior adds to the information, for ridge.

    Examples
    --------
    Three wins in four rounds against one player, with half a win and half a loss more:

    >>> wins, met, beta = np.array([3.0]), np.array([[4.0]]), np.array([[0.0]])
    >>> found = place(wins, met, beta, estimator="bias-reduced")
    >>> bool(np.isclose(found.rating[0], np.log(3.5 / 1.5)))
    True
    """
    low, high = _bracket(wins, met, beta, estimator, ridge)
    rating, last = 0.5 * (low + high), high - low
    for _ in range(MAX_STEPS):
        score, slope = _score(rating, wins, met, beta, estimator, ridge)
        low, high = np.where(score > 0.0, rating, low), np.where(score > 0.0, high, rating)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = -score / slope
        if (np.abs(step) < TOLERANCE * np.maximum(np.abs(rating), 1.0)).all():
            return Placed(rating, _information(rating, met, beta) + ridge)
        moved = rating + step
        good: Bools = (low < moved) & (moved < high) & (np.abs(step) < 0.5 * np.abs(last))
        moved = np.where(good, moved, 0.5 * (low + high))
        rating, last = moved, moved - rating
    raise NotConverged(iterations=MAX_STEPS, step=float(np.abs(last).max()))


def make_room(
    information: Information,
    won: Floats,
    met: Floats,
    beta: Floats,
    rating: float,
    *,
    estimator: Estimator,
    ridge: float = 0.0,
) -> Floats:
    """(m,) how far others would move in a refit, to first order, once a new player is among them.

    With w = n p (1 − p), H the information about the others and r what they won beyond expectation
    against the new player, whose own equation holds, that is (H + diag w − w wᵀ/Σw) δ = r. It is
    solved by conjugate gradients, preconditioned by H, which needs a few of H's solutions and no
    square array.

    Parameters
    ----------
    information : about the others at their ratings.
    won, met : (m,) weighted wins of the new player against each, and weight of their matches.
    beta, rating : ratings of the others and of the new player.
    """
    chance = expit(rating - beta)
    weight = met * chance * (1.0 - chance)
    total = float(weight.sum()) + ridge
    left = met * chance - won
    if estimator == "bias-reduced":
        left -= weight / total * (0.5 - chance)
    if not ridge:
        left -= left.mean()

    def add(step: Floats) -> Floats:
        more: Floats = weight * step - weight * (float(weight @ step) / total)
        return more

    move, solved = np.zeros_like(beta), information.solve(left)
    direction, along, size = left, solved, float(left @ solved)
    enough = ROOM_TOLERANCE * size
    for _ in range(MAX_STEPS):
        if size <= enough:
            break
        image = direction + add(along)
        length = size / float(image @ along)
        move = move + length * along
        left = left - length * image
        solved, before = information.solve(left), size
        size = float(left @ solved)
        direction, along = (
            new + (size / before) * old for new, old in ((left, direction), (solved, along))
        )
    return move


def _bracket(
    wins: Floats, met: Floats, beta: Floats, estimator: Estimator, ridge: float
) -> tuple[Floats, Floats]:
    """(q,) ratings between which the root lies."""
    total = met.sum(axis=1)
    if estimator == "ridge":
        far = 1.0 + total / ridge
        return -far, far
    if estimator == "mle":
        beyond = np.log(total / np.minimum(wins, total - wins))
    else:
        beyond = np.log(2.0 * total + 2.0)
    return beta.min(axis=1) - beyond - 1.0, beta.max(axis=1) + beyond + 1.0


def _score(
    rating: Floats,
    wins: Floats,
    met: Floats,
    beta: Floats,
    estimator: Estimator,
    ridge: float,
) -> tuple[Floats, Floats]:
    """(q,) the left side of the equation, and its slope."""
    ahead = rating[:, None] - beta
    chance = expit(ahead)
    score = wins - (met * chance).sum(axis=1) - ridge * rating
    slope = -_information(rating, met, beta) - ridge
    if estimator != "bias-reduced":
        return score, slope
    with np.errstate(divide="ignore"):
        leverage = softmax(np.log(met) + log_expit(ahead) + log_expit(-ahead), axis=1)
    tilt = 1.0 - 2.0 * chance
    mean = (leverage * tilt).sum(axis=1)
    spread = (leverage * tilt**2).sum(axis=1) - mean**2
    return score + 0.5 * mean, slope + 0.5 * spread - (leverage * 0.25 * (1.0 - tilt**2)).sum(
        axis=1
    )


def _information(rating: Floats, met: Floats, beta: Floats) -> Floats:
    chance = expit(rating[:, None] - beta)
    information: Floats = (met * chance * (1.0 - chance)).sum(axis=1)
    return information
