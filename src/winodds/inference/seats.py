"""Seat fit → how sure the first seat's effect and the ratings on a neutral seat are."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints
from winodds.fit.seats import SeatedPairs, SeatFit
from winodds.inference.clusters import (
    Clustering,
    dense,
    kept_by_cluster,
    lifts_of_clusters,
    weigh_shares,
    weights_of_clusters,
)
from winodds.inference.contrasts import Contrasts, freedom, small_sample
from winodds.inference.intervals import Estimates, Intervals, known_around, square_root
from winodds.matches.results import Battles
from winodds.matches.wins import Wins


@dataclass(frozen=True, slots=True)
class SeatEstimates:
    """The seat's effect, (1,), with its p-value, and the ratings on a neutral seat, (m,)."""

    effect: Estimates
    p_value: float
    ratings: Estimates


@dataclass(frozen=True, slots=True)
class Seated:
    """What intervals beside a seat rest on.

    Attributes
    ----------
    battles : with the first player on the first seat.
    wins : the same battles, counted without seats.
    pairs, fit : the battles by ordered pair, and what was fitted to them.
    """

    battles: Battles
    wins: Wins
    pairs: SeatedPairs
    fit: SeatFit


def quantify_seats(
    seated: Seated, own: Intervals, clustering: Clustering, zero: Ints, ends: tuple[bool, bool]
) -> SeatEstimates:
    """Errors and intervals, by the rules of the board's.

    Parameters
    ----------
    own, clustering : of the board without seats: its structure, level, bias and clusters.
    zero : the players whose average is 0.
    ends : whether the lower and the upper end of the seat's effect are open.
    """
    influence = None if own.influence is None else _influence(seated)
    effect = _effect(seated, own, influence)
    half, value = effect.half_width(own.level), effect.value
    low = np.where(ends[0], -np.inf, value - half)
    high = np.where(ends[1], np.inf, value + half)
    return SeatEstimates(
        Estimates(value, effect.se, low, high),
        float(effect.p_value()[0]),
        _ratings(seated.fit, own, clustering, influence, zero),
    )


def _influence(seated: Seated) -> Floats:
    """(m + 1, G) what each cluster does to the parameters, or a square root of its square."""
    battles, pairs, fit = seated.battles, seated.pairs, seated.fit
    weight = seated.wins.match_weight
    surprise = weight * (battles.outcome - fit.chance[pairs.pair])
    factor = np.sqrt(small_sample(float(battles.clusters)))
    if battles.cluster is None:
        squares = np.bincount(pairs.pair, weights=surprise**2, minlength=pairs.weight.size)
        meat = pairs.information(squares.astype(np.float64), 0.0)
        return np.asarray(fit.inverse @ square_root(meat) * factor, np.float64)
    seat = np.full(battles.first.size, pairs.players)
    residuals = sparse.csr_array(
        (
            np.concatenate([surprise, -surprise, surprise]),
            (
                np.tile(battles.cluster, 3),
                np.concatenate([battles.first, battles.second, seat]),
            ),
        ),
        shape=(battles.clusters, pairs.players + 1),
    )
    if kept_by_cluster(seated.wins):
        return np.asarray(fit.inverse @ dense(residuals).T * factor)
    scaled = sparse.diags_array(np.sqrt(lifts_of_clusters(seated.wins))) @ residuals
    return np.asarray(fit.inverse @ square_root(dense(scaled.T @ scaled)) * factor)


def _effect(seated: Seated, own: Intervals, influence: Floats | None) -> Contrasts:
    """The seat's effect, (1,), with its errors; every cluster's share of it is that of battles."""
    fit, clusters = seated.fit, seated.battles.clusters
    value = fit.theta[-1:]
    model = np.sqrt(own.model_scale * fit.inverse[-1:, -1])
    units, df = np.array([clusters]), np.array([freedom(float(clusters))])
    no = np.zeros(1, np.bool_)
    if influence is None:
        return Contrasts(value, model, None, units, df, no)
    last = influence[-1:]
    lift = np.ones_like(last)
    if kept_by_cluster(seated.wins):
        held, df, equal = weigh_shares(weights_of_clusters(seated.wins)[None, :], last)
        if not equal.all():
            lift = 1.0 / ((1.0 - held) * small_sample(float(clusters)))
    robust = np.sqrt((last**2 * lift).sum(axis=1))
    return Contrasts(value, model, robust, units, df, no)


def _ratings(
    fit: SeatFit, own: Intervals, clustering: Clustering, influence: Floats | None, zero: Ints
) -> Estimates:
    """(m,) ratings on a neutral seat around the average of some players."""
    players = own.beta.size
    weight = np.zeros(players)
    weight[zero] = 1.0 / zero.size
    inverse = fit.inverse[:-1, :-1]
    along = inverse @ weight
    variance = inverse.diagonal() - 2.0 * along + weight @ along
    model = np.sqrt(own.model_scale * np.maximum(variance, 0.0))
    robust = None
    if influence is not None:
        moved = influence[:-1] - weight @ influence[:-1]
        robust = np.sqrt(np.maximum(clustering.variances(moved), 0.0))
    low, high = known_around(own, zero)
    value, bias = (x - weight @ x for x in (fit.theta[:-1], own.bias))
    found = Contrasts(value, model, robust, clustering.played, clustering.df, ~(low & high))
    half = found.half_width(own.level)
    return Estimates(
        value,
        found.se,
        np.where(low, np.minimum(value - bias - half, value), -np.inf),
        np.where(high, np.maximum(value - bias + half, value), np.inf),
    )
