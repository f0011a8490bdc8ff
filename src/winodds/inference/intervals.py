"""Fit → standard errors and intervals of ratings and differences.

All matches of a player in a round hang on one score, so they are not independent, and the usual
standard error is far too small. The robust one takes clusters (rounds, or whole data sets) as the
independent units. Two repairs make its intervals cover as promised:

* It collapses where a contrast is nearly separated, so an interval is never narrower than the
  model-based one: its half-width is the larger of t robust errors and z model-based ones, and
  across a cut, where the other end is open, t times the larger error. Degrees of freedom are those
  of the player, or of the pair's player with fewer of them (`winodds.inference.clusters`).
* Dependent matches bias ratings away from 0 by more than the bias reduction, which takes matches
  as independent, can know. Interval ends are moved by the estimate of what remains.

Whether two players differ is tested by the signs of clusters (`winodds.inference.signs`). The test
decides on which side of 0 the interval of their difference ends: the two never contradict.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints
from winodds.design.design import Cliques, Information, Pairs
from winodds.fit.newton import Fit
from winodds.inference.clusters import (
    FEW_CLUSTERS,
    Clustering,
    dense,
    kept_by_cluster,
    lifts_of_clusters,
    spread_of,
    weigh_clusters,
)
from winodds.inference.contrasts import Contrasts, small_sample, told_apart
from winodds.inference.signs import Contributions, can_decide, contributions_of
from winodds.inference.structure import Structure
from winodds.language.options import Center, IntervalKind
from winodds.matches.wins import BattleEvidence, RoundEvidence, Wins


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimates with standard errors and interval ends, each (k,); an open end is infinite."""

    value: Floats
    se: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True)
class Differences(Estimates):
    """The same of differences, with the p-values of their tests, with which the ends agree."""

    p_value: Floats


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
    intervals : ratings, and what intervals of them rest on.
    clustering : what the clusters carry.
    contributions : of clusters to differences; None where only intervals decide.
    """

    information: Information
    intervals: Intervals
    clustering: Clustering
    contributions: Contributions | None

    def of_ratings(self, center: Center | None = None) -> Estimates:
        """Centred ratings; ``center`` says on whom, if not as the board has it."""
        own = self.intervals if center is None else replace(self.intervals, center=center)
        robust = None
        if own.influence is not None:
            robust = self.clustering.variances(own.around_average(own.influence))
        variances = _variances(self.information, own.averaged)
        spread = _Spread(variances, robust, self.clustering.played, self.clustering.df)
        value, bias = own.around_average(own.beta), own.around_average(own.bias)
        known = _known_ends(own)
        return self._estimates(self._contrasts(value, spread, known), bias, known)

    def of_differences(self, first: Ints, second: Ints) -> Differences:
        """β[first[k]] − β[second[k]]; the interval agrees with the test."""
        own = self.intervals
        found, known = self._pairs(first, second)
        ends = self._estimates(found, own.bias[first] - own.bias[second], known)
        p = found.p_value()
        apart, above = told_apart(p, own.level), found.value > 0.0
        low = np.where(apart & above, np.maximum(ends.low, 0.0), ends.low)
        high = np.where(apart & ~above, np.minimum(ends.high, 0.0), ends.high)
        return Differences(
            value=ends.value,
            se=ends.se,
            low=np.where(apart, low, np.minimum(low, 0.0)),
            high=np.where(apart, high, np.maximum(high, 0.0)),
            p_value=p,
        )

    def contrasts(self, first: Ints, second: Ints) -> Contrasts:
        """The same differences, (k,), with what a test of them needs."""
        return self._pairs(first, second)[0]

    def contrast_matrix(self) -> Contrasts:
        """All differences, row minus column, (m, m): one of the places that form square arrays."""
        own, players = self.intervals, self.intervals.beta.size
        model = spread_of(self.information.solve(np.eye(players)))
        robust = None
        if own.influence is not None:
            robust = self.clustering.variance_matrix(own.influence)
        units, df = (
            np.minimum(x[:, None], x[None, :]) for x in (self.clustering.played, self.clustering.df)
        )
        difference = own.beta[:, None] - own.beta[None, :]
        reaches = own.structure.reach_matrix()
        found = self.contributions
        signs = None if found is None else found.statistic_matrix()
        spread = _Spread(model, robust, units, df)
        return self._contrasts(difference, spread, _Ends(reaches, reaches.T), signs)

    def _pairs(self, first: Ints, second: Ints) -> tuple[Contrasts, "_Ends"]:
        own, information = self.intervals, self.information
        model = (
            information.covariances(first, first)
            + information.covariances(second, second)
            - 2.0 * information.covariances(first, second)
        )
        model = np.where(first == second, 0.0, model)
        robust = None
        if own.influence is not None:
            robust = self.clustering.pair_variances(own.influence, first, second)
        reaches = own.structure.reaches
        known = _Ends(reaches(first, second), reaches(second, first))
        units, df = (
            np.minimum(x[first], x[second]) for x in (self.clustering.played, self.clustering.df)
        )
        found = self.contributions
        signs = None if found is None else found.statistics(first, second)
        spread = _Spread(model, robust, units, df)
        return self._contrasts(own.beta[first] - own.beta[second], spread, known, signs), known

    def _estimates(self, found: Contrasts, bias: Floats, known: "_Ends") -> Estimates:
        half, value = found.half_width(self.intervals.level), found.value
        low = np.where(known.low, np.minimum(value - bias - half, value), -np.inf)
        high = np.where(known.high, np.maximum(value - bias + half, value), np.inf)
        return Estimates(value, found.se, low, high)

    def _contrasts(
        self, value: Floats, spread: "_Spread", known: "_Ends", signs: Floats | None = None
    ) -> Contrasts:
        model = np.sqrt(self.intervals.model_scale * np.maximum(spread.model, 0.0))
        robust = None if spread.robust is None else np.sqrt(np.maximum(spread.robust, 0.0))
        if signs is not None:
            signs = np.where(can_decide(spread.df, self.intervals.level), signs, np.nan)
        cut = ~(known.low & known.high)
        return Contrasts(value, model, robust, spread.units, spread.df, cut, signs)


@dataclass(frozen=True, slots=True)
class _Spread:
    """Variances, model-based and robust, and on what the robust one rests, (k,)."""

    model: Floats
    robust: Floats | None
    units: Ints
    df: Floats


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


def known_around(own: Intervals, zero: Ints) -> tuple[Bools, Bools]:
    """(m,) whether the data tell the lower and the upper end of ratings around some players."""
    structure = own.structure
    sets = np.unique(structure.part[zero]).tolist()
    low = np.all([structure.reaches_set(one) for one in sets], axis=0)
    high = np.all([structure.reached_by_set(one) for one in sets], axis=0)
    return np.asarray(low, np.bool_), np.asarray(high, np.bool_)


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
    return judge(wins, fit.information, intervals)


def judge(wins: Wins, information: Information, intervals: Intervals) -> Uncertainty:
    """The uncertainty of ratings whose intervals rest on ``intervals``."""
    influence = intervals.influence
    clustering = weigh_clusters(wins, influence)
    contributions = None
    if influence is not None:
        overlap = intervals.model_scale / wins.design_effect
        contributions = contributions_of(wins, intervals.beta, influence, clustering, overlap)
    return Uncertainty(information, intervals, clustering, contributions)


def _remaining_bias(wins: Wins, fit: Fit, residuals: Floats, influence: Floats) -> Floats:
    """(m,) first-order bias of the ratings, given what their variance has beyond the model's.

    The score is linear in the wins and its slope does not depend on them, so the bias of its root
    is −H⁺ Σⱼ Nᵢⱼ kᵢⱼ Var(βᵢ − βⱼ), k the kernel of the bias reduction. The bias-reduced estimator
    has taken off the part with the model's variance H⁺. In the directions in which the robust
    variance exceeds it, by a factor λ > 1, the rest is (λ − 1)/λ of the robust variance; where it
    falls short, as it does across a cut, there is nothing to take off.
    """
    information = fit.information
    if residuals.shape[1] > max(residuals.shape[0], FEW_CLUSTERS):
        # Any root of the same outer product gives the same bias, and of this one a small square.
        residuals = square_root(residuals @ residuals.T)
        influence = information.solve(residuals)
    ratio, directions = np.linalg.eigh(residuals.T @ influence)
    beyond = np.sqrt(1.0 - 1.0 / np.maximum(ratio, 1.0))
    score = information.bias_score_of((influence @ directions) * beyond)
    left = wins.wins - information.expected + information.bias_score()
    return -information.solve(score + left)


def _residuals(wins: Wins, fit: Fit) -> Floats:
    """(m, G) wins minus expected wins by cluster, or a square root of their squares' sum."""
    if isinstance(wins.evidence, BattleEvidence) and wins.evidence.cluster is None:
        assert isinstance(wins.design, Pairs)
        return square_root(_battle_meat(wins.evidence, wins.design, fit.beta))
    residuals = _cluster_residuals(wins, fit)
    if kept_by_cluster(wins):
        return np.ascontiguousarray(dense(residuals).T)
    scaled = sparse.diags_array(np.sqrt(lifts_of_clusters(wins))) @ residuals
    return square_root(dense(scaled.T @ scaled))


def residuals_by_cluster(wins: Wins, fit: Fit) -> Floats:
    """(G, m) wins minus expected wins in each cluster; battles must be in clusters."""
    return dense(_cluster_residuals(wins, fit))


def _cluster_residuals(wins: Wins, fit: Fit) -> Floats | sparse.csr_array:
    if isinstance(wins.evidence, RoundEvidence):
        assert isinstance(wins.design, Cliques)
        return _round_residuals(wins.evidence, wins.design, fit)
    assert isinstance(wins.design, Pairs)
    return _battle_residuals(wins.evidence, wins.design, fit.beta)


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
