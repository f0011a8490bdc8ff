"""Slow, obvious twins of the numerics; never shipped.

They enumerate matches, write out the logistic regression's design matrix and use textbook
formulas, so they share no algorithm with the package.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, Floats


@dataclass(frozen=True)
class Match:
    """One comparison: players, outcome of the first, weight, round."""

    first: int
    second: int
    outcome: float
    weight: float
    round: int


def _outcome(a: float, b: float, tolerance: float) -> float | None:
    """1, ½, 0, or None when two failed runs (−inf) do not meet."""
    if np.isneginf(a) and np.isneginf(b):
        return None
    if np.isneginf(a) or np.isneginf(b):
        return 0.0 if np.isneginf(a) else 1.0
    if abs(a - b) <= tolerance + 1e-12:
        return 0.5
    return float(a > b)


def matches_within(
    scores: Floats, *, tolerance: float = 0.0, weight: Floats | None = None
) -> list[Match]:
    """Every match within rounds; scores are rounds × players, NaN no score."""
    found = []
    for r, row in enumerate(scores):
        for i, j in combinations(np.flatnonzero(~np.isnan(row)).tolist(), 2):
            outcome = _outcome(row[i], row[j], tolerance)
            if outcome is not None:
                found.append(Match(i, j, outcome, 1.0 if weight is None else float(weight[r]), r))
    return found


def matches_across(scores: Floats, *, tolerance: float = 0.0) -> list[Match]:
    """Every score of i against every score of j."""
    found = []
    for i, j in combinations(range(scores.shape[1]), 2):
        for r in np.flatnonzero(~np.isnan(scores[:, i])).tolist():
            for s in np.flatnonzero(~np.isnan(scores[:, j])).tolist():
                outcome = _outcome(scores[r, i], scores[s, j], tolerance)
                if outcome is not None:
                    found.append(Match(i, j, outcome, 1.0, r))
    return found


def win_matrix(matches: list[Match], players: int) -> Floats:
    """(m, m) weighted wins of the row's player against the column's."""
    wins = np.zeros((players, players))
    for match in matches:
        wins[match.first, match.second] += match.weight * match.outcome
        wins[match.second, match.first] += match.weight * (1.0 - match.outcome)
    return wins


def reach(wins: Floats) -> Bools:
    """(m, m) who reaches whom through wins or ties, by Warshall's algorithm."""
    reached = (wins > 0.0) | np.eye(len(wins), dtype=bool)
    for k in range(len(wins)):
        reached |= reached[:, [k]] & reached[[k], :]
    return reached


@dataclass(frozen=True)
class SlowFit:
    """Centred ratings, model-based covariance of them, and the matches' design matrix."""

    beta: Floats
    covariance: Floats


def _design(players: int) -> tuple[Floats, list[tuple[int, int]]]:
    pairs = list(combinations(range(players), 2))
    design = np.zeros((len(pairs), players))
    for row, (i, j) in enumerate(pairs):
        design[row, i], design[row, j] = 1.0, -1.0
    return design, pairs


def fit_slow(wins: Floats, *, estimator: str = "mle", prior_sd: float = 2.0) -> SlowFit:
    """Logistic regression with a row for every pair, by weighted least squares."""
    players = len(wins)
    design, pairs = _design(players)
    count = np.array([wins[i, j] + wins[j, i] for i, j in pairs])
    won = np.array([wins[i, j] for i, j in pairs])
    ridge = 1.0 / prior_sd**2 if estimator == "ridge" else 0.0
    beta = np.zeros(players)
    for _ in range(5000):
        chance = expit(design @ beta)
        weight = count * chance * (1.0 - chance)
        information = (design.T * weight) @ design + ridge * np.eye(players)
        inverse = np.linalg.pinv(information, rcond=1e-13, hermitian=True)
        score = design.T @ (won - count * chance) - ridge * beta
        if estimator == "bias-reduced":
            leverage = weight * np.einsum("pi,ij,pj->p", design, inverse, design)
            score += design.T @ (leverage * (0.5 - chance))
        step = inverse @ score
        step *= 0.5 * min(1.0, 1.0 / max(np.abs(step).max(), 1e-300))
        beta = beta + step
        if np.abs(step).max() < 1e-13:
            break
    centring = np.eye(players) - 1.0 / players
    return SlowFit(beta - beta.mean(), centring @ inverse @ centring)


def robust_slow(
    matches: list[Match], beta: Floats, inverse: Floats, cluster: dict[int, int]
) -> Floats:
    """(m, m) cluster-robust covariance, from one score vector for each cluster."""
    clusters = sorted(set(cluster.values()))
    scores = np.zeros((len(clusters), beta.size))
    for match in matches:
        surprise = match.outcome - expit(beta[match.first] - beta[match.second])
        row = clusters.index(cluster[match.round])
        scores[row, match.first] += match.weight * surprise
        scores[row, match.second] -= match.weight * surprise
    size = len(clusters)
    return inverse @ (scores.T @ scores) @ inverse * (size / (size - 1))
