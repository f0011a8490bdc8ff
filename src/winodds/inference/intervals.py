"""Fit → standard errors and intervals of ratings and differences.

All matches of a player in a round hang on one score, so they are not independent, and the usual
standard error is far too small. The robust one takes clusters (rounds, or whole data sets) as the
independent units. Two repairs make its intervals cover as promised:

* It collapses where a contrast is nearly separated, so an interval is never narrower than the
  model-based one: its half-width is the larger of t(G − 1) robust errors and z model-based ones,
  and across a cut, where the other end is open, t(G − 1) times the larger error. G is the number
  of clusters in which the player, or the pair's less frequent player, took part.
* Dependent matches bias ratings away from 0 by more than the bias reduction, which takes matches
  as independent, can know. Interval ends are moved by the estimate of what remains.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints
from winodds.design.design import Cliques, Information, Pairs
from winodds.fit.newton import Fit
from winodds.inference.contrasts import Contrasts, freedom, small_sample
from winodds.inference.structure import Structure
from winodds.language.options import Center, IntervalKind
from winodds.matches.wins import BattleEvidence, RoundEvidence, Wins

FEW_CLUSTERS = 500
"""Up to this many clusters, or as many as players, influences are kept one by one."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimates with standard errors and interval ends, each (k,); an open end is infinite."""

    value: Floats
    se: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True)
class Intervals:
    """What intervals need besides the information.

    Attributes
    ----------
    beta : (m,) ratings, centred on all players.
    structure : who reaches whom, and so which ends are open.
    model_scale : design effect of the weights times the factor for overlapping splits.
    influence : (m, G) what each cluster does to each rating, scaled so that B Bᵀ is the robust
        covariance (some other square root of it when clusters are very many); None for
        model-based intervals.
    bias : (m,) estimate of the bias that the estimator leaves.
    level : coverage of the intervals.
    clusters : number of clusters G.
    played : (m,) number of clusters in which a player took part.
    power : the robust covariance has the factor (G/(G − 1))^power.
    center : whose average the ratings are shown around.
    """

    beta: Floats
    structure: Structure
    model_scale: float
    influence: Floats | None
    bias: Floats
    level: float
    clusters: int
    played: Ints
    power: int
    center: Center = "all"

    @property
    def average_set(self) -> int | None:
        """Number of the set whose average is 0; None for the average of all players."""
        if self.center == "all" or not self.structure.separated:
            return None
        return self.structure.largest_set()

    @property
    def averaged(self) -> Bools | None:
        """(m,) whose average is 0; None for that of all players."""
        part = self.average_set
        return None if part is None else np.equal(self.structure.part, part)

    def around_average(self, values: Floats) -> Floats:
        """(m, …) what is centred on all players, centred on those whose average is 0."""
        averaged = self.averaged
        return values if averaged is None else values - values[averaged].mean(axis=0)

    def reordered(self, order: Ints) -> "Intervals":
        """The same with the players in another order."""
        return replace(
            self,
            beta=self.beta[order],
            structure=self.structure.reordered(order),
            influence=None if self.influence is None else self.influence[order],
            bias=self.bias[order],
            played=self.played[order],
        )


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Intervals of centred ratings and of differences; no m × m array unless asked for.

    Attributes
    ----------
    information : its inverse is the model-based covariance.
    intervals : the rest.
    """

    information: Information
    intervals: Intervals

    def of_ratings(self, center: Center | None = None) -> Estimates:
        """Centred ratings; ``center`` says on whom, if not as the board has it."""
        own = self.intervals if center is None else replace(self.intervals, center=center)
        robust = None
        if own.influence is not None:
            influence = own.around_average(own.influence)
            robust = np.einsum("ig,ig->i", influence, influence)
        spread = _Spread(_variances(self.information, own.averaged), robust, own.played)
        value, bias = own.around_average(own.beta), own.around_average(own.bias)
        return self._estimates(value, bias, spread, _known_ends(own))

    def of_differences(self, first: Ints, second: Ints) -> Estimates:
        """β[first[k]] − β[second[k]]."""
        own = self.intervals
        spread, known = self._spread_of_pairs(first, second)
        difference, bias = own.beta[first] - own.beta[second], own.bias[first] - own.bias[second]
        return self._estimates(difference, bias, spread, known)

    def contrasts(self, first: Ints, second: Ints) -> Contrasts:
        """The same differences, (k,), with what a test of them needs."""
        spread, known = self._spread_of_pairs(first, second)
        difference = self.intervals.beta[first] - self.intervals.beta[second]
        return self._contrasts(difference, spread, known)

    def contrast_matrix(self) -> Contrasts:
        """All differences, row minus column, (m, m): one of the places that form square arrays."""
        own, players = self.intervals, self.intervals.beta.size
        model = _spread_of(self.information.solve(np.eye(players)))
        robust = None if own.influence is None else _spread_of(own.influence @ own.influence.T)
        played = np.minimum(own.played[:, None], own.played[None, :])
        difference = own.beta[:, None] - own.beta[None, :]
        reaches = own.structure.reach_matrix()
        known = _Ends(reaches, reaches.T)
        return self._contrasts(difference, _Spread(model, robust, played), known)

    def _spread_of_pairs(self, first: Ints, second: Ints) -> tuple["_Spread", "_Ends"]:
        own, information = self.intervals, self.information
        model = (
            information.covariances(first, first)
            + information.covariances(second, second)
            - 2.0 * information.covariances(first, second)
        )
        model = np.where(first == second, 0.0, model)
        robust = None
        if own.influence is not None:
            change = own.influence[first] - own.influence[second]
            robust = np.einsum("kg,kg->k", change, change)
        reaches = own.structure.reaches
        known = _Ends(reaches(first, second), reaches(second, first))
        played = np.minimum(own.played[first], own.played[second])
        return _Spread(model, robust, played), known

    def _estimates(
        self, value: Floats, bias: Floats, spread: "_Spread", known: "_Ends"
    ) -> Estimates:
        found = self._contrasts(value, spread, known)
        half, middle = found.half_width(self.intervals.level), value - bias
        low = np.where(known.low, np.minimum(middle - half, value), -np.inf)
        high = np.where(known.high, np.maximum(middle + half, value), np.inf)
        return Estimates(value, found.se, low, high)

    def _contrasts(self, value: Floats, spread: "_Spread", known: "_Ends") -> Contrasts:
        own = self.intervals
        model = np.sqrt(own.model_scale * np.maximum(spread.model, 0.0))
        units, robust = np.maximum(spread.played, 2), None
        if spread.robust is not None:
            fewer = small_sample(units.astype(np.float64)) / small_sample(float(own.clusters))
            robust = np.sqrt(spread.robust * fewer**own.power)
        df = freedom(units.astype(np.float64))
        return Contrasts(value, model, robust, units, df, ~(known.low & known.high))


def _spread_of(covariance: Floats) -> Floats:
    """(m, m) variances of all differences."""
    variance = covariance.diagonal()
    spread: Floats = variance[:, None] + variance[None, :] - 2.0 * covariance
    np.fill_diagonal(spread, 0.0)
    return np.maximum(spread, 0.0)


@dataclass(frozen=True, slots=True)
class _Spread:
    """Model-based and robust variances, and the clusters that the robust one rests on, (k,)."""

    model: Floats
    robust: Floats | None
    played: Ints


@dataclass(frozen=True, slots=True)
class _Ends:
    """Whether the data tell the lower and the upper end, (k,)."""

    low: Bools
    high: Bools


def _variances(information: Information, averaged: Bools | None) -> Floats:
    """(m,) model-based variances of ratings around an average c: Hᵢᵢ − 2(Hc)ᵢ + cᵀHc."""
    variances = information.variances()
    if averaged is None:
        return variances
    weight = averaged / averaged.sum()
    along = information.solve(weight)
    around: Floats = variances - 2.0 * along + weight @ along
    return around


def _known_ends(own: Intervals) -> _Ends:
    """Which ends of centred ratings are known: those toward whom the average is taken over."""
    structure, part = own.structure, own.average_set
    if part is None:
        return _Ends(structure.reaches_all(), structure.reached_by_all())
    return _Ends(structure.reaches_set(part), structure.reached_by_set(part))


def quantify(
    wins: Wins,
    fit: Fit,
    structure: Structure,
    *,
    kind: IntervalKind = "robust",
    level: float = 0.95,
    overlap: float = 1.0,
    shrunken: bool = False,
    center: Center = "comparable",
) -> Uncertainty:
    """Uncertainty of the ratings of a fit.

    Parameters
    ----------
    kind : "robust" (by cluster) or "model" (every match on its own, as the papers have it).
    level : coverage of the intervals.
    overlap : factor on variances for splits that share training data (Nadeau & Bengio 2003).
    shrunken : whether the ratings are biased on purpose (ridge); no bias is estimated then.
    center : whose average is 0.
    """
    evidence = wins.evidence
    influence, bias = None, np.zeros_like(fit.beta)
    if kind == "robust":
        factor = small_sample(float(evidence.clusters)) ** evidence.power
        residuals = _residuals(wins, fit) * np.sqrt(factor)
        influence = fit.information.solve(residuals)
        if not shrunken:
            bias = _remaining_bias(wins, fit, residuals, influence)
        influence *= np.sqrt(overlap)
    intervals = Intervals(
        beta=fit.beta,
        structure=structure,
        model_scale=wins.design_effect * overlap,
        influence=influence,
        bias=bias,
        level=level,
        clusters=evidence.clusters,
        played=evidence.played,
        power=evidence.power,
        center=center,
    )
    return Uncertainty(fit.information, intervals)


def _remaining_bias(wins: Wins, fit: Fit, residuals: Floats, influence: Floats) -> Floats:
    """(m,) first-order bias of the ratings, given what their variance has beyond the model's.

    The score is linear in the wins and its slope does not depend on them, so the bias of its root
    is −H⁺ Σⱼ Nᵢⱼ kᵢⱼ Var(βᵢ − βⱼ), k the kernel of the bias reduction. The bias-reduced estimator
    has taken off the part with the model's variance H⁺. In the directions in which the robust
    variance exceeds it, by a factor λ > 1, the rest is (λ − 1)/λ of the robust variance; where it
    falls short, as it does across a cut, there is nothing to take off.
    """
    information = fit.information
    ratio, directions = np.linalg.eigh(residuals.T @ influence)
    beyond = np.sqrt(1.0 - 1.0 / np.maximum(ratio, 1.0))
    score = information.bias_score_of((influence @ directions) * beyond)
    left = wins.wins - information.expected + information.bias_score()
    return -information.solve(score + left)


def _residuals(wins: Wins, fit: Fit) -> Floats:
    """(m, G) wins minus expected wins by cluster, or a square root of their squares' sum."""
    if isinstance(wins.evidence, RoundEvidence):
        assert isinstance(wins.design, Cliques)
        residuals: Floats | sparse.csr_array = _round_residuals(wins.evidence, wins.design, fit)
    else:
        assert isinstance(wins.design, Pairs)
        if wins.evidence.cluster is None:
            return square_root(_battle_meat(wins.evidence, wins.design, fit.beta))
        residuals = _battle_residuals(wins.evidence, wins.design, fit.beta)
    if kept_by_cluster(wins):
        return np.ascontiguousarray(_to_array(residuals).T)
    return square_root(_to_array(residuals.T @ residuals))


def effective_clusters(wins: Wins) -> float:
    """Clusters of equal weight that would carry as much: (Σ n)²/Σ n², n their matches' weights."""
    evidence = wins.evidence
    if isinstance(evidence, BattleEvidence):
        cluster = evidence.cluster
        weight = evidence.weight if cluster is None else np.bincount(cluster, evidence.weight)
    else:
        weight = np.asarray(evidence.wins.sum(axis=1), np.float64).ravel()
    return float(weight.sum() ** 2 / (weight @ weight))


def kept_by_cluster(wins: Wins) -> bool:
    """Whether the columns of influences are clusters, and not a root of their covariance."""
    evidence = wins.evidence
    if isinstance(evidence, BattleEvidence) and evidence.cluster is None:
        return False
    return evidence.clusters <= max(wins.wins.size, FEW_CLUSTERS)


def _to_array(matrix: Any) -> Floats:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray(), np.float64)


def square_root(meat: Floats, *, least: float = 0.0) -> Floats:
    """(m, m) B with B Bᵀ = meat: the symmetric one, which no choice of eigenvectors changes.

    Eigenvalues up to ``least`` are taken as 0.
    """
    values, vectors = np.linalg.eigh(meat)
    root: Floats = (vectors * np.sqrt(np.where(values > least, values, 0.0))) @ vectors.T
    return root


def _round_residuals(evidence: RoundEvidence, design: Cliques, fit: Fit) -> Floats:
    """(G, m) wins minus expected wins in the matches that hang on each cluster."""
    expected = evidence.cliques @ design.expected_by_clique(fit.information)
    return np.asarray(evidence.wins - expected)


def _battle_residuals(evidence: BattleEvidence, design: Pairs, beta: Floats) -> sparse.csr_array:
    """(G, m) the same for battles."""
    assert evidence.cluster is not None
    residual = _surprise(evidence, design, beta)
    ends = np.concatenate([design.first[evidence.pair], design.second[evidence.pair]])
    return sparse.csr_array(
        (np.concatenate([residual, -residual]), (np.tile(evidence.cluster, 2), ends)),
        shape=(evidence.clusters, design.players),
    )


def _battle_meat(evidence: BattleEvidence, design: Pairs, beta: Floats) -> Floats:
    """(m, m) sum of squared scores when each battle is its own cluster."""
    squares = np.bincount(evidence.pair, weights=_surprise(evidence, design, beta) ** 2)
    meat = np.zeros((design.players, design.players))
    meat[design.first, design.second] = -squares
    meat[design.second, design.first] = -squares
    meat[np.diag_indices(design.players)] = -meat.sum(axis=1)
    return meat


def _surprise(evidence: BattleEvidence, design: Pairs, beta: Floats) -> Floats:
    """(B,) weighted outcome minus expected outcome of each battle."""
    chance = expit(beta[design.first] - beta[design.second])
    return evidence.weight * (evidence.outcome - chance[evidence.pair])
