"""Variances of all differences → one variance for each player that gives them back, nearly.

A rating's own standard error hangs on where the zero is put, and two of them do not tell the error
of a difference. Quasi-variances do, as if ratings were independent: the variance of βᵢ − βⱼ is
about qᵢ + qⱼ. How badly that can fail is part of the result.

Firth & de Menezes (2004), "Quasi-variances", Biometrika 91, 65–80; computed as in R's qvcalc.
"""

from dataclasses import dataclass
from math import inf

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from winodds.arrays import Floats
from winodds.fit.errors import NotConverged

ITERATIONS = 500
"""Newton steps before the search is given up; ten are plenty unless the fit is very poor."""

TOLERANCE = 1e-10
"""A step that changes no sum of two quasi-variances by more than this share is the last."""

LEAST_CURVATURE = 0.05
"""Floor of a pair's share of the curvature, which turns negative where the fit is poor."""

HALVINGS = 60
"""How often a step is halved at most."""

ROUNDING = 1e-12
"""By what share rounding may seem to raise the sum of squares."""


@dataclass(frozen=True, slots=True)
class Quasi:
    """Quasi-variances, and how well they stand for the variances of differences.

    Relative errors are those of standard errors: −0.1 says that the quasi-variances give an error
    a tenth too small.

    Attributes
    ----------
    variances : (m,) quasi-variances; one of them may be negative, sums of two are positive.
    worst_low : most negative relative error of a difference of two players.
    worst_high : most positive one.
    """

    variances: Floats
    worst_low: float
    worst_high: float


def quasi_variances(spread: Floats) -> Quasi:
    """Quasi-variances q that minimise Σ (log(qᵢ + qⱼ) − log vᵢⱼ)² over pairs of players.

    Where the worst errors are beyond about 60%, there may be several minima; one of them is found.
    A pair with less than about 1e-7 of the variance of the others has quasi-variances that cancel
    in all their digits; `NotConverged` is raised then.

    Parameters
    ----------
    spread : (m, m) variance vᵢⱼ of each difference of m ≥ 2 ratings, positive off the diagonal.

    Examples
    --------
    >>> independent = np.array([0.1, 0.2, 0.4])
    >>> quasi_variances(independent[:, None] + independent).variances.round(6).tolist()
    [0.1, 0.2, 0.4]
    """
    positive = spread.copy()
    np.fill_diagonal(positive, 1.0)
    log_spread = np.log(positive, out=positive)
    variances = _start(log_spread)
    if variances.size > 2:
        variances = _minimise(variances, log_spread)
    error = np.expm1(0.5 * _misfit(variances, log_spread))
    np.fill_diagonal(error, np.nan)
    return Quasi(variances, float(np.nanmin(error)), float(np.nanmax(error)))


def _start(log_spread: Floats) -> Floats:
    """(m,) half of the geometric mean of the variances that each player takes part in."""
    players = log_spread.shape[0]
    start: Floats = 0.5 * np.exp(log_spread.sum(axis=1) / (players - 1))
    return start


def _minimise(variances: Floats, log_spread: Floats) -> Floats:
    """The minimum by Newton's method, with shorter steps where whole ones do not descend."""
    misfit, largest = _misfit(variances, log_spread), inf
    for iteration in range(ITERATIONS):
        try:
            step = _newton_step(variances, misfit)
        except LinAlgError:
            raise NotConverged(iterations=iteration, step=largest) from None
        largest = _largest_change(step, variances)
        if largest <= TOLERANCE:
            return variances + step
        variances, misfit = _descend(variances, step, misfit, log_spread)
    raise NotConverged(iterations=ITERATIONS, step=largest)


def _largest_change(step: Floats, variances: Floats) -> float:
    """Largest share by which the step changes a sum of two quasi-variances.

    A negative one counts by its size: of nearly equal numbers with different signs, the sum is
    only known to the rounding of each.
    """
    change = np.abs(_sums(step)) / _sums(np.abs(variances))
    np.fill_diagonal(change, 0.0)
    return float(change.max())


def _sums(variances: Floats) -> Floats:
    """(m, m) sums of two quasi-variances; 1 on the diagonal, where there is no pair."""
    sums = variances[:, None] + variances[None, :]
    np.fill_diagonal(sums, 1.0)
    return sums


def _misfit(variances: Floats, log_spread: Floats) -> Floats:
    """(m, m) log(qᵢ + qⱼ) − log vᵢⱼ; 0 on the diagonal."""
    misfit = _sums(variances)
    np.log(misfit, out=misfit)
    misfit -= log_spread
    return misfit


def _newton_step(variances: Floats, misfit: Floats) -> Floats:
    """(m,) the step to the minimum of the quadratic that the sum of squares looks like from here.

    A pair's curvature is (1 − misfit)/(qᵢ + qⱼ)²; kept positive, it makes every step a descent.
    """
    inverse = 1.0 / _sums(variances)
    gradient = np.einsum("ij,ij->i", misfit, inverse)
    curvature = np.maximum(1.0 - misfit, LEAST_CURVATURE)
    curvature *= inverse
    curvature *= inverse
    np.fill_diagonal(curvature, 0.0)
    np.fill_diagonal(curvature, curvature.sum(axis=1))
    factor = cho_factor(curvature, overwrite_a=True, check_finite=False)
    return -np.asarray(cho_solve(factor, gradient, check_finite=False))


def _descend(
    variances: Floats, step: Floats, misfit: Floats, log_spread: Floats
) -> tuple[Floats, Floats]:
    """Go as much of the step as keeps all sums positive and does not raise the sum of squares."""
    limit = np.vdot(misfit, misfit) * (1.0 + ROUNDING)
    for halving in range(HALVINGS):
        tried = variances + 0.5**halving * step
        if np.partition(tried, 1)[:2].sum() > 0.0:
            there = _misfit(tried, log_spread)
            if np.vdot(there, there) <= limit:
                return tried, there
    return variances, misfit
