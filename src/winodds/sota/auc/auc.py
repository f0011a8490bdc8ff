"""The law of the largest of many empirical AUCs on one test set.

Scores are binormal: N(μ, 1) for positives and N(0, 1) for negatives, so the true AUC is Φ(μ/√2).
Correlated classifiers share a latent score per case; given the latent scores they are independent.
The law of one AUC given them (`winodds.sota.auc.saddlepoint`) is computed once, as a table; the
maximum of any population then is a matter of reading it.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import interpolate, optimize, special

from winodds.arrays import Floats
from winodds.language.errors import BadOption
from winodds.sota.auc.binormal import Model, easiest
from winodds.sota.auc.latents import draw_latents
from winodds.sota.auc.saddlepoint import conditional
from winodds.sota.laws.law import MaximumLaw
from winodds.sota.laws.populations import Population

Seed = int | np.random.Generator

LOWEST = -3.0
"""Lowest true AUC of a table, as a normal quantile."""

PERFORMANCES = 24
"""True AUCs of a table; between them it is interpolated."""

LATENTS = 128
"""Latent test sets; being stratified, they leave an error of 2e-5 in the mean of a maximum."""

COLUMN = 0.4
"""Step of a table's columns, in standard deviations given the latents."""

VALUES = 600
"""Values of a law of the maximum, unless there are fewer possible ones."""

POINTS = 96
"""Values at which it is computed; between them it is interpolated."""

CELLS = 1 << 16
"""Probabilities computed at a time: few enough to stay in a processor's cache."""

NOTHING = 1e-12
"""Probability below which a value is left out."""

TINY, LARGEST = 1e-18, 1.0 - 2.0**-53

SMOOTH = 1.8
"""Scale of a cdf's change with the true AUC, in standard deviations given the latents."""

MOST = 120.0
"""Most scales that the nodes of a population are spread over."""

END = 7.0
"""Normal quantile of the highest true AUC that is tried as a limit."""


@dataclass(frozen=True, slots=True)
class AucSampling:
    """The sampling law of an empirical AUC on one test set, as a table.

    Attributes
    ----------
    positives, negatives : cases of each class.
    quantile : (g,) true AUCs, as normal quantiles.
    step : (g,) distance between columns of the table, in log odds of the empirical AUC.
    offset : (c,) the columns: how many steps their log odds are above those of the true AUC.
    table : (g, c, r) normal quantile of the cdf, by true AUC, column and latent test set.
    """

    positives: int
    negatives: int
    quantile: Floats
    step: Floats
    offset: Floats
    table: Floats

    def maximum(self, population: Population) -> MaximumLaw:
        """The law of the largest empirical AUC of a population of classifiers."""
        pairs = self.positives * self.negatives
        low, high = self._window(population)
        first, last = np.floor(special.expit(low) * pairs), np.ceil(special.expit(high) * pairs)
        stride = max(1.0, (min(last, pairs) - first) / VALUES)
        counts = np.append(np.arange(first, min(last, pairs) - 0.5 * stride, stride), last)
        # A value stands for all up to halfway to the next one, so that means are not biased.
        above = special.logit((counts[:-1] + 0.5 * stride) / pairs)
        log_cdf = np.maximum.accumulate(self._smooth(population, above))
        return MaximumLaw(counts / pairs, np.append(log_cdf, 0.0), population.best)

    def survival(self, auc: float, value: float) -> float:
        """Probability that the empirical AUC of one classifier is above a value."""
        if not 0.0 < value < 1.0:
            return float(value <= 0.0)
        rows = _Rows(self, np.array([auc]))
        quantile = rows.quantiles(slice(0, 1), special.logit(np.array([value])))
        return float(special.ndtr(-quantile).mean())

    def _smooth(self, population: Population, log_odds: Floats) -> Floats:
        """Logarithm of the cdf of the largest AUC, by interpolation where there is much to do."""
        if log_odds.size <= POINTS:
            return _log_cdf(self, population, log_odds)
        at = np.linspace(log_odds[0], log_odds[-1], POINTS)
        depth = np.log(np.maximum(-_log_cdf(self, population, at), TINY))
        return -np.exp(interpolate.PchipInterpolator(at, depth)(log_odds))

    def _window(self, population: Population) -> tuple[float, float]:
        """Log odds between which the largest AUC lies, by the most and the least lucky latents."""
        latents = self.table.shape[2]
        extreme = np.unique(np.r_[:3, latents - 3 : latents].clip(0, latents - 1))
        few = replace(self, table=self.table[:, :, extreme])
        edge = float(special.logit(0.5 / (self.positives * self.negatives)))
        low, high = edge, -edge
        for _ in range(4):
            at = np.linspace(low, high, 24)
            log_cdf = _log_cdf(few, population, at)
            below, above = log_cdf < np.log(NOTHING), log_cdf > -NOTHING
            low, high = max(at[below], default=low), min(at[above], default=high)
        return low, high


class _Rows:
    """Rows of a table for some true AUCs, to be read at any empirical AUC."""

    def __init__(self, sampling: AucSampling, auc: Floats) -> None:
        grid = sampling.quantile
        at = np.clip(special.ndtri(auc), grid[0], grid[-1])
        # Beyond the table the law of log odds only moves.
        self._centre = special.logit(np.clip(auc, TINY, LARGEST))
        self._blend = interpolate.CubicSpline(grid, np.eye(grid.size))(at)
        self._step = np.exp(self._blend @ np.log(sampling.step))
        self._offset = sampling.offset
        self._columns = sampling.table.transpose(1, 0, 2)

    def quantiles(self, some: slice, log_odds: Floats) -> Floats:
        """(k, x, r) normal quantiles of the cdf of some AUCs, for each latent test set."""
        # Column by column (c, k, r): such small products do not wait for threads.
        row = self._blend[some] @ self._columns
        place = (log_odds - self._centre[some, None]) / self._step[some, None]
        inside = np.clip(place, self._offset[0], self._offset[-1])
        left = np.clip(
            np.floor(inside - self._offset[0]).astype(np.int64), 1, self._offset.size - 3
        )
        which = np.arange(row.shape[1])[:, None]
        weight = _lagrange(inside - self._offset[left])
        found = weight[0][:, :, None] * row[left - 1, which]
        for j in range(1, 4):
            found += weight[j][:, :, None] * row[left + j - 1, which]
        _continue(found, row, place - inside)
        return np.asarray(found)


def _continue(found: Floats, row: Floats, beyond: Floats) -> None:
    """Let rows go on straight where their places (k, x) are so many columns beyond their ends."""
    which, where = np.nonzero(beyond)
    far = beyond[which, where]
    last, first = row[-1] - row[-2], row[1] - row[0]
    slope = np.where(far[:, None] > 0.0, last[which], first[which])
    found[which, where] += slope * far[:, None]


def _lagrange(part: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Weights of the values at −1, 0, 1 and 2 for the one at ``part``."""
    p = part
    return (
        -p * (p - 1) * (p - 2) / 6,
        (p + 1) * (p - 1) * (p - 2) / 2,
        -(p + 1) * p * (p - 2) / 2,
        (p + 1) * p * (p - 1) / 6,
    )


def _log_cdf(sampling: AucSampling, population: Population, log_odds: Floats) -> Floats:
    """Logarithm of the cdf of the largest AUC, at increasing log odds, a mean over the latents."""
    nodes = population.nodes(*_scale(sampling, population.top, float(log_odds[0])))
    rows = _Rows(sampling, nodes.theta)
    total = np.zeros((log_odds.size, sampling.table.shape[2]))
    block = max(1, CELLS // total.size)
    for begin in range(0, nodes.weight.size, block):
        some = slice(begin, begin + block)
        quantile = rows.quantiles(some, log_odds)
        each = special.ndtr(-quantile) if population.drawn else special.log_ndtr(quantile)
        total += np.einsum("k,kxr->xr", nodes.weight[some], each)
    if population.drawn:
        total = population.players * np.log1p(-np.clip(total, 0.0, LARGEST))
    log_mean = special.logsumexp(np.minimum(total, 0.0), axis=1) - np.log(total.shape[1])
    return np.asarray(np.minimum(log_mean, 0.0))


def _scale(sampling: AucSampling, top: float, log_odds: float) -> tuple[float, float]:
    """The lowest true AUC that can matter above some log odds, and the scale of nodes there."""
    auc = special.ndtr(sampling.quantile)
    spread = SMOOTH / COLUMN * sampling.step
    reach = np.maximum.accumulate(special.logit(auc) - sampling.offset[0] * sampling.step)
    low = float(np.interp(log_odds, reach, auc, left=0.0))
    width = float(np.interp(top, auc, spread * auc * (1.0 - auc)))
    return low, max(width, (top - low) / MOST)


def prepare(
    positives: int,
    negatives: int,
    *,
    correlation: float | tuple[float, float] = 0.0,
    latents: int = LATENTS,
    seed: Seed = 0,
) -> AucSampling:
    """The sampling law of empirical AUCs on a test set, ready for the maximum of any population.

    Parameters
    ----------
    positives, negatives : cases of each class.
    correlation : of a classifier's scores with the latent ones, within a class; two numbers for the
        positives and the negatives. Two classifiers' scores correlate with its square.
    latents : latent test sets that means are taken over; without correlation there is only one.
    seed : of the latent test sets.
    """
    cases = sorted(zip((positives, negatives), _pair(correlation), strict=True))
    (few, rho_few), (many, rho_many) = cases
    # Exchanging the classes mirrors the scores: one order, and the law cannot depend on it.
    model = Model(few, many, rho_few, rho_many)
    sets = draw_latents(model, latents, np.random.default_rng(seed))
    top = easiest(model)
    quantile = np.linspace(max(LOWEST, -top), top, PERFORMANCES)
    within, shared = model.deviations(quantile)
    odds = special.ndtr(quantile) * special.ndtr(-quantile)
    step = COLUMN * np.maximum(within, 0.1 * shared) / odds
    ratio = float((shared * COLUMN / (odds * step)).max())
    offset = np.arange(
        -np.ceil(8.0 / COLUMN + 6.0 * ratio / COLUMN), 1 + np.ceil((14.0 + 6.0 * ratio) / COLUMN)
    )
    columns = special.logit(special.ndtr(quantile))[:, None] + step[:, None] * offset
    rows = [conditional(model, sets, z, row).T for z, row in zip(quantile, columns, strict=True)]
    return AucSampling(positives, negatives, quantile, step, offset, np.stack(rows))


def _pair(correlation: float | tuple[float, float]) -> tuple[float, float]:
    pair = correlation if isinstance(correlation, tuple) else (correlation, correlation)
    for rho in pair:
        if not 0.0 <= rho < 1.0:
            wanted = "it is a number from 0 on and below 1, or one for each class"
            raise BadOption(option="correlation", value=rho, wanted=wanted)
    return pair


def single_interval(
    auc: float, positives: int, negatives: int, level: float = 0.95
) -> tuple[float, float]:
    """The interval that one classifier's empirical AUC would be reported with.

    It holds the true AUCs under which neither so large an AUC nor so small a one has a probability
    of less than half of 1 − ``level``.
    """
    if auc < 0.5:
        low, high = single_interval(1.0 - auc, positives, negatives, level)
        return 1.0 - high, 1.0 - low
    sampling = prepare(positives, negatives)
    half = 0.5 / (positives * negatives)
    share = 0.5 * (1.0 - level)

    def at_least(z: float) -> float:
        return sampling.survival(float(special.ndtr(z)), auc - half) - share

    def at_most(z: float) -> float:
        return 1.0 - sampling.survival(float(special.ndtr(z)), auc + half) - share

    low = optimize.brentq(at_least, -END, END, xtol=1e-10) if at_least(-END) < 0.0 else -np.inf
    high = optimize.brentq(at_most, -END, END, xtol=1e-10) if at_most(END) < 0.0 else np.inf
    return float(special.ndtr(low)), float(special.ndtr(high))
