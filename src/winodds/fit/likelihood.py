"""The log-likelihood of ratings, and ratings under the condition that two of them are equal."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats
from winodds.design.design import Cliques, Design, Information
from winodds.design.kernel import Series
from winodds.fit.errors import NotConverged
from winodds.fit.newton import MAX_ITERATIONS, MAX_STEP
from winodds.language.options import Estimator

SMALL = 64
"""Players up to which all pairs of many ratings are looked at together."""

TOLERANCE = 1e-11
"""What one more step would gain, relative to the log-likelihood."""


def log_cosh(x: Floats) -> Floats:
    """log(eˣᐟ² + e⁻ˣᐟ²), the even part of log(1 + eˣ), without overflow."""
    size = np.abs(x)
    value: Floats = 0.5 * size + np.log1p(np.exp(-size))
    return value


def log_likelihood(beta: Floats, wins: Floats, design: Design) -> float:
    """Σ wᵢⱼ log pᵢⱼ over ordered pairs, for ratings and wins (m,).

    With log(eᵃ + eᵇ) = (a + b)/2 + log_cosh(a − b) only an even function of differences is left
    to sum over pairs. It is as smooth as σ itself, so the same few points carry its sums.
    """
    linear = float((wins - 0.5 * design.weight_of_matches()) @ beta)
    if not isinstance(design, Cliques):
        return linear - float(design.weights @ log_cosh(beta[design.first] - beta[design.second]))
    series = Series.over(beta)
    kernel = log_cosh(series.nodes[:, None] - series.nodes[None, :])
    shares = np.asarray(design.shares @ series.phi.T)
    own = np.log(2.0) * np.asarray(design.shares.power(2).sum(axis=1)).ravel()
    pairs = np.einsum("qk,qk->q", shares @ kernel, shares) - own
    return linear - 0.5 * float(design.weights @ pairs)


def log_likelihoods(beta: Floats, wins: Floats, design: Design) -> Floats:
    """(k,) the same for many ratings and wins, (k, m)."""
    if not isinstance(design, Cliques) or design.players > SMALL:
        return np.array([log_likelihood(*pair, design) for pair in zip(beta, wins, strict=True)])
    linear = np.einsum("ki,ki->k", wins - 0.5 * design.weight_of_matches(), beta)
    first, second = np.triu_indices(design.players, 1)
    return np.asarray(
        linear - log_cosh(beta[:, first] - beta[:, second]) @ design.met()[first, second]
    )


@dataclass(frozen=True, slots=True)
class Problem:
    """What an estimator maximises: the likelihood, with Jeffreys' or a normal prior or without.

    Attributes
    ----------
    wins : (m,).
    design : who met whom.
    estimator : "bias-reduced", "mle" or "ridge".
    ridge : 1/sd² of the normal prior, 0 without.
    """

    wins: Floats
    design: Design
    estimator: Estimator
    ridge: float

    def value(self, beta: Floats, information: Information) -> float:
        """The penalised log-likelihood; ``information`` is that at ``beta``."""
        value = log_likelihood(beta, self.wins, self.design)
        if self.estimator == "bias-reduced":
            value += 0.5 * information.log_determinant()
        return value - 0.5 * self.ridge * float(beta @ beta)

    def score(self, beta: Floats, information: Information) -> Floats:
        """(m,) its gradient."""
        score: Floats = self.wins - information.expected - self.ridge * beta
        return score + information.bias_score() if self.estimator == "bias-reduced" else score


def likelihood_ratio(problem: Problem, beta: Floats, first: int, second: int) -> float:
    """Twice what the (penalised) log-likelihood loses when two players are rated equal.

    ``beta`` (m,) are the ratings that maximise it.
    """
    information_at = problem.design.information()
    information = information_at(beta, problem.ridge)
    best = problem.value(beta, information)
    contrast = np.zeros_like(beta)
    contrast[first], contrast[second] = 1.0, -1.0
    overshoot = 1.0
    if problem.estimator == "bias-reduced":
        overshoot += (beta.size - 1) / (0.5 * problem.design.weight_of_matches().sum())
    beta = beta.copy()
    beta[[first, second]] = 0.5 * (beta[first] + beta[second])
    change, promised = np.zeros_like(beta), 0.0
    for _ in range(MAX_ITERATIONS):
        information = information_at(beta, problem.ridge)
        score = problem.score(beta, information)
        gained = float(score @ change)
        if gained < -0.5 * promised:
            shorter = max(0.1, promised / (promised - gained))
            beta = beta - (1.0 - shorter) * change
            change, promised = shorter * change, shorter * promised
            continue
        step, direction = information.solve(score) / overshoot, information.solve(contrast)
        step -= direction * (contrast @ step) / (contrast @ direction)
        if float(score @ step) < TOLERANCE * max(1.0, abs(best)):
            return max(0.0, 2.0 * (best - problem.value(beta, information)))
        change = step * (MAX_STEP / max(MAX_STEP, float(np.abs(step).max())))
        promised = float(score @ change)
        beta = beta + change
    raise NotConverged(iterations=MAX_ITERATIONS, step=float(np.abs(change).max()))
