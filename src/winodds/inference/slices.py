"""Whether a player does better in some rounds than in the others.

Rounds of a slice and those of the rest are rated on their own. The two share no round, so a
difference of two ratings has the sum of their variances; where clusters reach into both, what these
do to the two together is taken off. Ratings of the two are brought to one scale by the average of
the same players.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from winodds.arrays import Bools, Floats, Ints
from winodds.fit.newton import Fit
from winodds.inference.contrasts import Contrasts, small_sample, told_apart
from winodds.inference.intervals import Uncertainty, known_around, residuals_by_cluster
from winodds.matches.wins import Wins

POWER = 0.8
"""Chance with which a difference that counts as visible would be told."""


@dataclass(frozen=True, slots=True)
class Part:
    """Ratings from a part of the rounds, of players who share a scale there.

    Attributes
    ----------
    players : (k,) their numbers among all players, ascending.
    wins, fit, uncertainty : of these players in this part.
    cluster : (G,) numbers of the part's clusters among all clusters; None where each battle is a
        cluster of its own.
    """

    players: Ints
    wins: Wins
    fit: Fit
    uncertainty: Uncertainty
    cluster: Ints | None


@dataclass(frozen=True, slots=True)
class Shifts:
    """How much higher players are rated in a slice than in the rest, each (k,).

    Attributes
    ----------
    players : numbers of those who are rated in both.
    inside, outside : their ratings in the slice and in the rest, around the same average.
    se : standard errors of the differences.
    df : degrees of freedom of the robust error.
    low, high : ends of the differences' intervals; infinite where the data leave them open.
    p_value : two-sided, each for itself.
    anchored : whether a player is among those whose average is 0 in both.
    """

    players: Ints
    inside: Floats
    outside: Floats
    se: Floats
    df: Floats
    low: Floats
    high: Floats
    p_value: Floats
    anchored: Bools

    @property
    def value(self) -> Floats:
        """(k,) the differences."""
        return self.inside - self.outside


@dataclass(frozen=True, slots=True)
class _Around:
    """Ratings of one part around the average of some players, each (k,)."""

    value: Floats
    bias: Floats
    model: Floats
    robust: Floats | None
    df: Floats
    units: Ints
    low: Bools
    high: Bools


def compare_parts(slice_: Part, rest: Part) -> Shifts | None:
    """The ratings in a slice minus those in the rest; None if fewer than two are rated in both."""
    players = np.intersect1d(slice_.players, rest.players)
    if players.size < 2:
        return None
    own, other = (np.searchsorted(part.players, players) for part in (slice_, rest))
    anchored = _anchors(slice_, rest, own, other)
    inside, outside = (
        _around(part.uncertainty, chosen, anchored)
        for part, chosen in ((slice_, own), (rest, other))
    )
    shared = _shared_variances(slice_, rest, own, other, anchored)
    found = _contrasts(inside, outside, shared)
    level = slice_.uncertainty.intervals.level
    low, high, p = _judge(found, inside, outside, level)
    return Shifts(
        players=players,
        inside=inside.value,
        outside=outside.value,
        se=found.se,
        df=found.df,
        low=low,
        high=high,
        p_value=p,
        anchored=anchored,
    )


def smallest_visible(shifts: Shifts, tests: int, level: float) -> float:
    """The difference that would be told of a typical player, among so many tests, at 80% power."""
    tail = 1.0 - 0.5 * (1.0 - level) / tests
    with np.errstate(invalid="ignore"):
        need = (stdtrit(shifts.df, tail) + ndtri(POWER)) * shifts.se
    return float(np.median(need))


def _anchors(slice_: Part, rest: Part, own: Ints, other: Ints) -> Bools:
    """(k,) whose average is 0: the most players who reach each other in the slice and in the rest.

    If these are no more than half, all are, as on a board.
    """
    sets = slice_.uncertainty.intervals.structure.part[own]
    others = rest.uncertainty.intervals.structure.part[other]
    both = np.unique(np.stack([sets, others]), axis=1, return_inverse=True)[1].ravel()
    sizes = np.bincount(both)
    largest = int(sizes.argmax())
    if 2 * sizes[largest] <= own.size:
        return np.ones(own.size, np.bool_)
    return np.equal(both, largest)


def _around(found: Uncertainty, chosen: Ints, anchored: Bools) -> _Around:
    """Ratings of the chosen players of a part around the average of the anchored ones."""
    own, information = found.intervals, found.information
    anchors = chosen[anchored]
    weight = np.zeros(own.beta.size)
    weight[anchors] = 1.0 / anchors.size
    along = information.solve(weight)
    model = information.variances() - 2.0 * along + weight @ along
    robust = None
    if own.influence is not None:
        moved = own.influence - weight @ own.influence
        robust = found.clustering.variances(moved)[chosen]
    low, high = (ends[chosen] for ends in known_around(own, anchors))
    return _Around(
        value=(own.beta - weight @ own.beta)[chosen],
        bias=(own.bias - weight @ own.bias)[chosen],
        model=own.model_scale * np.maximum(model[chosen], 0.0),
        robust=robust,
        df=found.clustering.df[chosen],
        units=found.clustering.played[chosen],
        low=low,
        high=high,
    )


def _contrasts(inside: _Around, outside: _Around, shared: Floats | None) -> Contrasts:
    cut = ~(inside.low & inside.high & outside.low & outside.high)
    model = np.sqrt(inside.model + outside.model)
    units = np.minimum(inside.units, outside.units)
    if inside.robust is None or outside.robust is None:
        return Contrasts(inside.value - outside.value, model, None, units, inside.df, cut)
    a, b = inside.robust, outside.robust
    df = np.minimum(inside.df, outside.df)
    variance = a + b
    if shared is None:
        # Welch's degrees of freedom of a sum of two variances.
        with np.errstate(divide="ignore", invalid="ignore"):
            welch = variance**2 / (a**2 / inside.df + b**2 / outside.df)
        df = np.where(variance > 0.0, welch, df)
    else:
        variance = np.maximum(variance - 2.0 * shared, 0.0)
    value = inside.value - outside.value
    return Contrasts(value, model, np.sqrt(variance), units, df, cut)


def _judge(
    found: Contrasts, inside: _Around, outside: _Around, level: float
) -> tuple[Floats, Floats, Floats]:
    """(k,) ends of the intervals and p-values, which agree."""
    half, value, p = found.half_width(level), found.value, found.p_value()
    bias = inside.bias - outside.bias
    low = np.minimum(value - bias - half, value)
    high = np.maximum(value - bias + half, value)
    apart, above = told_apart(p, level), value > 0.0
    low = np.where(apart, np.where(above, np.maximum(low, 0.0), low), np.minimum(low, 0.0))
    high = np.where(apart, np.where(above, high, np.minimum(high, 0.0)), np.maximum(high, 0.0))
    # A difference is open below where the first rating is, or the second one above.
    return (
        np.where(inside.low & outside.high, low, -np.inf),
        np.where(inside.high & outside.low, high, np.inf),
        p,
    )


# Clusters with rounds in both ---------------------------------------------------------------------


def _shared_variances(
    slice_: Part, rest: Part, own: Ints, other: Ints, anchored: Bools
) -> Floats | None:
    """(k,) covariances of a rating in the slice and in the rest; None where no cluster is in both.

    They are what the clusters that have rounds in both do to the two ratings at once.
    """
    if slice_.cluster is None or rest.cluster is None:
        return None
    both, first, second = np.intersect1d(slice_.cluster, rest.cluster, return_indices=True)
    if not both.size or slice_.uncertainty.intervals.influence is None:
        return None
    meat = _scaled_residuals(slice_)[first].T @ _scaled_residuals(rest)[second]
    solved = slice_.fit.information.solve(np.asarray(meat, np.float64))
    covariance = rest.fit.information.solve(solved.T).T[np.ix_(own, other)]
    covariance = covariance - covariance[anchored].mean(axis=0)
    covariance = covariance - covariance[:, anchored].mean(axis=1, keepdims=True)
    return np.asarray(covariance.diagonal(), np.float64)


def _scaled_residuals(part: Part) -> Floats:
    """(G, m) what clusters won beyond expectation, scaled so that squares make a variance."""
    evidence = part.wins.evidence
    factor = small_sample(float(evidence.clusters)) ** evidence.power
    return np.asarray(residuals_by_cluster(part.wins, part.fit) * np.sqrt(factor), np.float64)
