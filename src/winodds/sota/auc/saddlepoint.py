"""The law of one empirical AUC given the latent scores, by a saddlepoint approximation.

It is not a simulation: the largest of 100,000 needs tails of 1e-6 to a relative accuracy.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import special

from winodds.arrays import Bools, Floats
from winodds.sota.auc.binormal import Model
from winodds.sota.auc.latents import HIGHEST, Latents, matched, mean_aucs
from winodds.sota.auc.products import multiply
from winodds.sota.auc.tilting import EDGE, generate

TILTS = 14
"""Tilts at which the generating function is found."""

DEGREE = 9
"""Degree of the polynomial through them."""

DEGREES = (DEGREE, 7, 5, 3, 1)
"""Degrees that are tried until the polynomial rises."""

ABSURD = 10.0
"""Slope of a cdf's normal quantile, or its inverse, in that of a normal law."""

UPPER, LOWER = 6.8, 4.0
"""Normal quantiles up to which the tails are computed; farther out they go on straight."""

COUPLING = 1.0
"""Largest variance, on the scale of the tilt, of what pairs of cases add."""

STEEPEST = 120.0
"""Largest tilt of one case: the grid of scores does not resolve more."""

OUTLIER = 7.0
"""Largest tilt towards the rarer outcome: more, and a single outlier makes the whole mean."""

LARGEST = 1.0 - 2.0**-53


@dataclass(frozen=True, slots=True)
class _Curve:
    """Normal quantiles of the cdf given each latent test set, as polynomials in the log odds.

    Attributes
    ----------
    low, high : (r,) log odds between which a polynomial holds.
    coefficients : (r, d) of Chebyshev polynomials.
    beyond : (r,) slope above the upper end, for the next unit of half their distance.
    """

    low: Floats
    high: Floats
    coefficients: Floats
    beyond: Floats

    def at(self, log_odds: Floats) -> Floats:
        """(r, c) normal quantiles at log odds (r, c); beyond the ends they go on straight."""
        half = 0.5 * (self.high - self.low)[:, None]
        place = (log_odds - self.low[:, None]) / half - 1.0
        inside = np.clip(place, -1.0, 1.0)
        low = np.full_like(half, -1.0)
        below = (self.value(low + 0.2) - self.value(low)) / 0.2
        slope = np.where(place > 0.0, self.beyond[:, None], below)
        return self.value(inside) + (place - inside) * slope

    def value(self, place: Floats) -> Floats:
        """(r, c) the polynomials, at places between −1 and 1."""
        coefficients = self.coefficients.T[:, :, None]
        return np.asarray(np.polynomial.chebyshev.chebval(place, coefficients, tensor=False))


class _Line(NamedTuple):
    """Log odds as if they were normal: (r,) means, and a standard deviation."""

    centre: Floats
    spread: float


def _line(model: Model, latents: Latents, z: float) -> _Line:
    spread = float(model.deviations(np.array(z))[0] / (special.ndtr(z) * special.ndtr(-z)))
    return _Line(special.logit(mean_aucs(model, latents, z)), spread)


def conditional(model: Model, latents: Latents, z: float, log_odds: Floats) -> Floats:
    """(r, c) normal quantiles of the cdf of an AUC given each latent test set, at log odds (c,)."""
    capped = replace(
        model, rho_few=min(model.rho_few, HIGHEST), rho_many=min(model.rho_many, HIGHEST)
    )
    narrower = capped.deviations(np.array(z))[0] / model.deviations(np.array(z))[0]
    centre, spread = _line(capped, latents, z)
    middle = matched(mean_aucs(model, latents, z), z)
    distance = (log_odds - middle[:, None]) * narrower / spread
    # A law narrower than the table's columns keeps its place only if both tails are as steep.
    inside = np.clip(distance, -8.0, 8.0) if narrower > 1.0 else distance
    curve = _saddlepoint(capped, latents, z)
    return curve.at(centre[:, None] + spread * inside) + (distance - inside)


def _saddlepoint(model: Model, latents: Latents, z: float) -> _Curve:
    """The law of an AUC given latents, by Barndorff-Nielsen's form of the saddlepoint tail."""
    tilt, slope, differentiate = _tilts(model, z)
    cumulant, mean, pair = generate(model, latents, z, tilt)
    t, dt = tilt[:, None], slope[:, None]
    # Pairs of cases add the variance that the laws of single cases do not have.
    scale = float(
        model.interaction(np.array(z))
        / replace(model, rho_few=0.0, rho_many=0.0).interaction(np.array(z))
    )
    extra = 0.5 * scale * t**2 / model.pairs * pair
    auc = mean + differentiate @ extra / dt
    variance = differentiate @ auc / dt
    square = 2.0 * (t * auc - cumulant - extra)
    possible = np.abs(auc - 0.5) < 0.5 - 1.2 / (model.pairs + 3.0)
    usable = (square > 1e-3) & (variance > 0.0) & possible
    root = np.sign(t) * np.sqrt(np.where(usable, square, 1.0))
    ratio = np.where(usable, t * np.sqrt(np.where(usable, variance, 1.0)) / root, 1.0)
    quantile = root + np.log(ratio) / root
    log_odds = special.logit(np.where(usable, auc, 0.5))
    curve = _fit(log_odds.T, quantile.T, usable.T, _line(model, latents, z))
    return _lead(curve, model.pairs, _perfect(model, latents, z))


def _lead(curve: _Curve, pairs: int, perfect: Floats) -> _Curve:
    """The curve with a slope beyond its upper end towards the exact chance of a perfect AUC."""
    end = np.ones((curve.low.size, 1))
    top = curve.value(end)[:, 0]
    slope = (top - curve.value(0.8 * end)[:, 0]) / 0.2
    place = 2.0 * (special.logit(1.0 - 0.5 / pairs) - curve.low) / (curve.high - curve.low) - 1.0
    rise = -special.ndtri(np.clip(perfect, 1e-290, LARGEST)) - top
    led = (place > 1.02) & (rise > 0.0) & (perfect > 1e-280)
    return replace(curve, beyond=np.where(led, rise / np.where(led, place - 1.0, 1.0), slope))


def _perfect(model: Model, latents: Latents, z: float) -> Floats:
    """(r,) probability that the lowest score of one class is above the highest of the other."""
    mean = np.sqrt(2.0) * z
    grid = np.linspace(min(mean, 0.0) - EDGE, max(mean, 0.0) + EDGE, 500)
    sd = np.sqrt(1.0 - np.square([model.rho_few, model.rho_many]))
    few = special.log_ndtr((mean + model.rho_few * latents.few[:, None] - grid) / sd[0])
    many = special.log_ndtr((grid - model.rho_many * latents.many[:, None]) / sd[1])
    lowest = np.exp(model.few * multiply(latents.few_share, few))
    highest = np.exp(model.many * multiply(latents.many_share, many))
    middle = 0.5 * (lowest[:, 1:] + lowest[:, :-1])
    return np.asarray((middle * np.diff(highest, axis=1)).sum(axis=1))


def _fit(log_odds: Floats, quantile: Floats, usable: Bools, line: _Line) -> _Curve:
    """Polynomials through the usable points (r, t), near a line where there are too few.

    Near a perfect AUC the points are few or noisy, and a polynomial through them can turn round.
    A cdf cannot, so there the degree is lowered until the curve rises.
    """
    usable = usable & (usable.sum(axis=1, keepdims=True) > DEGREE - 2)
    low = np.where(usable, log_odds, np.inf).min(axis=1)
    high = np.where(usable, log_odds, -np.inf).max(axis=1)
    low = np.where(np.isfinite(low), low, line.centre - line.spread)
    high = np.where(np.isfinite(high), high, line.centre + line.spread)
    half = 0.5 * (high - low)
    place = np.where(usable, (log_odds - low[:, None]) / half[:, None] - 1.0, 0.0)
    prior = np.zeros((low.size, DEGREE + 1))
    prior[:, 0] = (0.5 * (high + low) - line.centre) / line.spread
    prior[:, 1] = half / line.spread
    found = prior.copy()
    turning = np.ones(low.size, np.bool_)
    for degree in DEGREES:
        some = np.flatnonzero(turning)
        tried = _regress(place[some], quantile[some], usable[some], prior[some], degree)
        rises = _rising(tried, half[some] / line.spread)
        found[some[rises]] = tried[rises]
        turning[some[rises]] = False
        if not turning.any():
            break
    return _Curve(low, high, found, np.zeros_like(low))


def _regress(place: Floats, quantile: Floats, usable: Bools, prior: Floats, degree: int) -> Floats:
    """(r, d) coefficients up to a degree, by least squares around the prior ones."""
    basis = np.polynomial.chebyshev.chebvander(place, DEGREE) * usable[:, :, None]
    miss = np.where(usable, quantile, 0.0)[:, :, None] - basis @ prior[:, :, None]
    basis = basis[:, :, : degree + 1]
    gram = basis.transpose(0, 2, 1) @ basis + 1e-8 * np.eye(degree + 1)
    change = np.linalg.solve(gram, basis.transpose(0, 2, 1) @ miss)[:, :, 0]
    found = prior.copy()
    found[:, : degree + 1] += change
    return found


def _rising(coefficients: Floats, usual: Floats) -> Bools:
    """(r,) whether polynomials rise from −1 to 1, nowhere absurdly slowly or steeply."""
    place = np.linspace(-1.0, 1.0, 33)
    values = np.polynomial.chebyshev.chebval(place, coefficients.T)
    slope = np.diff(values, axis=1) / ((place[1] - place[0]) * usual[:, None])
    return np.asarray(((slope > 1.0 / ABSURD) & (slope < ABSURD)).all(axis=1))


def _tilts(model: Model, z: float) -> tuple[Floats, Floats, Floats]:
    """Tilts that reach the tails, their derivative, and a matrix that differentiates.

    They are what would move the mean of a beta law to given log odds; derivatives are by these.
    """
    auc = float(special.ndtr(z))
    size = auc * (1.0 - auc) / float(model.deviations(np.array(z))[0]) ** 2
    low, high = _reach(model, z, size)
    node = np.cos(np.pi * (np.arange(TILTS) + 0.5) / TILTS)
    x = special.expit(0.5 * (high + low) + 0.5 * (high - low) * node)
    slope = size * ((x - auc) ** 2 + auc * (1.0 - auc)) / (x * (1.0 - x))
    chebyshev = np.polynomial.chebyshev
    values = chebyshev.chebvander(node, TILTS - 1)
    slopes = chebyshev.chebvander(node, TILTS - 2) @ chebyshev.chebder(np.eye(TILTS))
    differentiate = slopes @ np.linalg.inv(values) * (2.0 / (high - low))
    return _beta_tilt(x, auc, size), slope, differentiate


def _beta_tilt(x: Floats, auc: float, size: float) -> Floats:
    return size * (x - auc) / (x * (1.0 - x))


def _reach(model: Model, z: float, size: float) -> tuple[float, float]:
    """Log odds from one tail to the other, as far as the saddlepoint can be trusted."""
    auc = float(special.ndtr(z))
    odds = auc / (1.0 - auc)
    edge = float(special.logit(1.0 - 0.4 / model.pairs))
    far = 50.0 / np.sqrt(size * auc * (1.0 - auc))
    centre = np.log(odds)
    log_odds = np.linspace(max(centre - far, -edge), min(centre + far, edge), 5001)
    x = special.expit(log_odds)
    tilt = _beta_tilt(x, auc, size)
    depth = size * (special.rel_entr(auc, x) + special.rel_entr(1.0 - auc, 1.0 - x))
    pair = float(model.interaction(np.array(z))) * x * (1.0 - x) / (auc * (1.0 - auc))
    trusted = np.where(tilt > 0.0, depth < 0.5 * UPPER**2, depth < 0.5 * LOWER**2)
    trusted &= tilt**2 * pair < COUPLING * model.pairs
    # A tilt towards the rarer outcome must not let a single outlier make the whole mean.
    up, down = (min(STEEPEST, OUTLIER * max(1.0, 4.0 * o) ** 2) for o in (odds, 1.0 / odds))
    trusted &= (tilt < up * model.few) & (tilt > -down * model.few)
    return float(log_odds[trusted].min()), float(log_odds[trusted].max())
