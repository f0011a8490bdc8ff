"""How ratings vary around the true ones, told by few clusters.

With four clusters a robust variance is mostly noise, and the largest rating is often one whose
variance came out small. Variances of all players therefore borrow strength from each other, along
a trend in the model-based variance (Smyth 2004).

Of correlations only what exceeds that of independent ratings is kept, and nothing that stretches
all ratings at once: a round in which the strong families do well moves the ratings along
themselves. Whoever knows the spread of the others would take that for luck of the leader, and on
large boards draw it back far too much.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import digamma, polygamma

from winodds.arrays import EQUAL, Bools, Floats
from winodds.inference.contrasts import freedom
from winodds.inference.intervals import square_root

CERTAIN = 1e4
"""Degrees of freedom from which on a variance counts as known."""

TELLING = 0.01
"""Robust variance, in the model-based one, below which it tells nothing: all went one way."""

LEAST = 0.75
"""Of the model-based variance, below which no variance falls.

With the whole of it, chances of being best are understated with few rounds. Without any, they are
overstated where a league wins all its matches against another.
"""


@dataclass(frozen=True, slots=True)
class Noise:
    """The law of ratings around the true ones.

    Attributes
    ----------
    variance : (m,) of ratings that are not centred; the centred ones' is smaller by 1 − 1/m.
    df : (m,) degrees of freedom of these variances.
    common : (m, k) what ratings have in common: the correlation of two is the product of their
        rows, which are no longer than 1.
    """

    variance: Floats
    df: Floats
    common: Floats


def make_noise(
    beta: Floats,
    model: Floats,
    influence: Floats | None,
    df: Floats,
    clusters: int,
    *,
    correlated: bool = True,
) -> Noise:
    """The noise of centred ratings.

    Parameters
    ----------
    beta : (m,) ratings.
    model : (m,) their model-based variances.
    influence : (m, G) what each cluster does to each rating, so that the squares of a row add up
        to the robust variance; None where matches are taken as independent.
    df : (m,) degrees of freedom of the robust variances.
    clusters : how many clusters there are.
    correlated : whether clusters tell what ratings have in common.
    """
    players = beta.size
    up = players / max(players - 1.0, 1.0)
    alone = np.zeros((players, 1))
    if influence is None:
        return Noise(up * model, np.full(players, CERTAIN), alone)
    robust = np.einsum("ig,ig->i", influence, influence)
    told = robust > TELLING * model
    variance, df = _moderate_along(model, robust, df, told)
    least = LEAST * model
    # A variance that the model bounds from below is known the better, the farther it would fall.
    df = np.minimum(df * np.maximum(least / variance, 1.0) ** 2, CERTAIN)
    if correlated:
        alone = _common_part(take_stretch_out(beta, influence * told[:, None]), clusters)
    return Noise(up * np.maximum(variance, least), df, alone)


def take_stretch_out(beta: Floats, influence: Floats) -> Floats:
    """Influences (m, G) without what stretches all ratings.

    Along the ratings themselves they become as large as they are in the other directions on
    average, if they are larger and as far as the ratings are not luck themselves. Of two players
    there is no other direction.
    """
    length = float(beta @ beta)
    if beta.size < 3 or length < EQUAL:
        return influence
    along = influence.T @ beta / length
    square = float(along @ along) * length
    total = float(np.einsum("ig,ig->", influence, influence))
    usual = max(total - square, 0.0) / (beta.size - 2.0)
    if square <= usual:
        return influence
    merit = max(0.0, 1.0 - total / length)
    taken = 1.0 - np.sqrt(1.0 - merit * (1.0 - usual / square))
    return np.asarray(influence - taken * np.outer(beta, along), np.float64)


def _moderate_along(
    model: Floats, robust: Floats, df: Floats, told: Bools
) -> tuple[Floats, Floats]:
    """(m,) robust variances moderated along the model-based ones, and their degrees of freedom.

    Players whose robust variance tells nothing have what the others suggest.
    """
    if told.sum() < 3:
        return np.where(told, robust, model), np.where(told, df, CERTAIN)
    x = np.log(model)
    x = x - x[told].mean()
    y = np.log(robust[told])
    slope = float(x[told] @ (y - y.mean())) / max(float(x[told] @ x[told]), EQUAL)
    base = np.exp(np.clip(slope, 0.0, 1.0) * x)
    prior, prior_df = fit_variances(robust[told] / base[told], df[told])
    own = np.where(told, df, 0.0)
    variance = base * (prior_df * prior + own * robust / base) / (prior_df + own)
    most = float(df[told].sum()) - float(df[told].mean())
    return variance, np.minimum(prior_df + own, np.maximum(most, own))


def fit_variances(variance: Floats, df: Floats) -> tuple[float, float]:
    """What variances have in common, and how many degrees of freedom that is worth.

    A variance is φ χ²(df)/df, and 1/φ is χ²(d₀)/(d₀ s₀) over players; mean and variance of the
    logarithms give s₀ and d₀ (Smyth 2004).

    >>> fit_variances(np.array([2.0, 2.0, 2.0]), np.array([1e4, 1e4, 1e4]))
    (2.000..., 10000.0)
    """
    logs = np.log(variance) - digamma(0.5 * df) + np.log(0.5 * df)
    mean = float(logs.mean())
    extra = float(logs.var(ddof=1)) - float(polygamma(1, 0.5 * df).mean())
    if extra <= _trigamma(0.5 * CERTAIN):
        return float(np.exp(mean)), CERTAIN
    half = _invert_trigamma(extra)
    return float(np.exp(mean + digamma(half) - np.log(half))), 2.0 * half


def _trigamma(value: float) -> float:
    return float(polygamma(1, value))


def _invert_trigamma(value: float) -> float:
    """The x at which the trigamma function is ``value``: Newton's method on its inverse."""
    x = 0.5 + 1.0 / value
    for _ in range(50):
        at = _trigamma(x)
        step = at * (1.0 - at / value) / float(polygamma(2, x))
        x += step
        if abs(step) < 1e-12 * x:
            break
    return x


def _common_part(influence: Floats, clusters: int) -> Floats:
    """(m, k) rows whose products are the correlations, as far as they exceed chance."""
    players = influence.shape[0]
    length = np.sqrt(np.einsum("ig,ig->i", influence, influence))
    unit = influence / np.where(length > 0.0, length, 1.0)[:, None]
    # Centring makes independent ratings vary against each other. A constant undoes that.
    shared = np.where(length > 0.0, 1.0 / np.sqrt(players), 0.0)
    unit = np.column_stack([np.sqrt(1.0 - 1.0 / players) * unit, shared])
    kept = _share_beyond_chance(unit, clusters)
    if kept == 0.0:
        return np.zeros((players, 1))
    if unit.shape[1] > players:
        # Only the products of its rows matter.
        unit = square_root(unit @ unit.T, least=EQUAL)
    return np.asarray(np.sqrt(kept) * unit, np.float64)


def _share_beyond_chance(unit: Floats, clusters: int) -> float:
    """The part of the mean squared correlation that 1/(G − 1), that of independent ones, lacks."""
    players = unit.shape[0]
    # Products of all rows and of all columns have the same sum of squares.
    products = unit @ unit.T if players < unit.shape[1] else unit.T @ unit
    # A rating's correlation with itself is none of them.
    total = float((products**2).sum())
    total -= float((np.einsum("ig,ig->i", unit, unit) ** 2).sum())
    square = total / max(players * (players - 1.0), 1.0)
    chance = 1.0 / max(freedom(float(clusters)), 1.0)
    if square <= chance + EQUAL or clusters < 3:
        return 0.0
    return float((square - chance) / ((1.0 - chance) * square))
