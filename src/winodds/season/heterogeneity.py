"""What differences between players in some tournaments tell about a new one.

A difference varies from tournament to tournament, by chance (the rounds) and in truth. Of few
tournaments its variance is mostly noise, so variances of all pairs borrow strength from each other,
as multiples of what the rounds alone would give (Smyth 2004). What exceeds the rounds' part is the
variance of true differences, τ². Tournaments count equally: the error of a difference grows with
it, and weights by the error would pull the mean to 0.

Nothing here is drawn at random, and a pair turned round has the same answers turned round.

Examples
--------
Two pairs in four tournaments; the differences of the second vary no more than its errors:

>>> value = np.array([[3.0, 0.4], [0.0, -0.6], [1.0, 0.5], [2.0, 0.1]])
>>> nowhere = np.zeros((4, 2), np.bool_)
>>> table = PairTable(value, np.full((4, 2), 0.5), np.zeros((4, 2)), nowhere, nowhere)
>>> found = predict(table, Moderation(ratio=1.0, df=0.0, spread=1.0))
>>> np.round(found.tau, 2).tolist(), np.round(found.p_better, 2).tolist()
([1.08, 0.0], [0.78, 0.6])
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import expit, stdtr, stdtrit

from winodds.arrays import EQUAL, Bools, Floats, Ints
from winodds.inference.contrasts import freedom
from winodds.inference.moderation import fit_variances
from winodds.season.lineup import PairTable

LEAST_SHARED = 3
"""Tournaments that two players share, below which nothing is said of a new one."""

LEAST_PAIRS = 3
"""Pairs from which on they tell what variances have in common."""

NODES = 31
"""Points over which a normal law is averaged."""


@dataclass(frozen=True, slots=True)
class Moderation:
    """What the pairs of a season have in common.

    Attributes
    ----------
    ratio : variance of differences between tournaments, in the one that rounds alone would give.
    df : degrees of freedom that this is worth beside a pair's own; 0 where each pair is on its own.
    spread : variance of true mean differences around 0.
    """

    ratio: float
    df: float
    spread: float


@dataclass(frozen=True, slots=True)
class Ranges:
    """Numbers and the ends of their intervals, each (k,); an open end of log-odds is infinite."""

    value: Floats
    low: Floats
    high: Floats

    def chances(self) -> "Ranges":
        """Log-odds as probabilities; open ends are 0 and 1."""
        return Ranges(expit(self.value), expit(self.low), expit(self.high))


@dataclass(frozen=True, slots=True)
class Predictions:
    """What k pairs of players will do in a new tournament.

    Attributes
    ----------
    shared : (k,) tournaments in which the two share a scale.
    separated : (k,) those of them that leave an end of the difference open.
    open_below, open_above : (k,) those that leave this end open.
    mean : (k,) mean difference, as the boards show it.
    tau : (k,) standard deviation of true differences between tournaments.
    variance : (k,) of differences between tournaments, as boards show them, moderated.
    df : (k,) degrees of freedom of a true difference's range.
    df_shown : (k,) those of ``variance``.
    new : the true difference in a new tournament.
    new_board : the difference that a new board of the same size will show; never open.
    average : the mean of true differences over tournaments.
    p_round : probability that the first wins one round of a new tournament.
    p_better : (k,) probability that the first is truly the better one there.
    """

    shared: Ints
    separated: Ints
    open_below: Ints
    open_above: Ints
    mean: Floats
    tau: Floats
    variance: Floats
    df: Floats
    df_shown: Floats
    new: Ranges
    new_board: Ranges
    average: Ranges
    p_round: Ranges
    p_better: Floats


def join(parts: Sequence[Predictions]) -> Predictions:
    """What is predicted of several lots of pairs, one lot after the other."""
    joined: Predictions = _join(parts)
    return joined


def _join(parts: Sequence[Any]) -> Any:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    names = [own.name for own in fields(parts[0])]
    return type(parts[0])(*(_join([getattr(part, name) for part in parts]) for name in names))


# What the boards show -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shown:
    """Differences of k pairs as their boards show them.

    Attributes
    ----------
    shared : (k,) number of tournaments.
    mean, variance : (k,) of the differences.
    error : (k,) mean of their squared errors.
    """

    shared: Ints
    mean: Floats
    variance: Floats
    error: Floats

    @property
    def df(self) -> Floats:
        return freedom(self.shared.astype(np.float64))

    @property
    def told(self) -> Bools:
        """(k,) where the ratio of the two variances exists and is not 0."""
        found: Bools = (self.variance > EQUAL**2) & (self.error > EQUAL**2)
        return found


def _summarise(table: PairTable) -> _Shown:
    shared = table.shared.sum(axis=0)
    mean, variance = _moments(table.value, table.shared)
    return _Shown(shared, mean, variance, _mean(table.variance, table.shared))


def _mean(values: Floats, there: Bools) -> Floats:
    """(k,) means of the columns, NaN of none."""
    counted = there.sum(axis=0)
    total = np.where(there, values, 0.0).sum(axis=0)
    return np.asarray(total / np.where(counted > 0, counted, np.nan), np.float64)


def _moments(values: Floats, there: Bools) -> tuple[Floats, Floats]:
    """(k,) means and variances of the columns; NaN of too few."""
    mean, counted = _mean(values, there), there.sum(axis=0)
    squares = np.where(there, (values - mean) ** 2, 0.0).sum(axis=0)
    return mean, np.asarray(squares / np.where(counted > 1, counted - 1.0, np.nan), np.float64)


# What pairs have in common ------------------------------------------------------------------------


def moderate(table: PairTable, independent: int) -> Moderation:
    """What pairs have in common, from those that share enough tournaments.

    Parameters
    ----------
    table : the pairs.
    independent : how many of them are independent of each other, or about so many: of all pairs of
        m players, m − 1.
    """
    shown = _summarise(_columns(table, table.shared.sum(axis=0) >= LEAST_SHARED))
    told = shown.told
    if told.sum() < LEAST_PAIRS:
        ratio, df = 1.0, 0.0
    else:
        ratio, df = fit_variances(shown.variance[told] / shown.error[told], shown.df[told])
        df = min(df, 0.5 * independent * float(shown.df.mean()))
    if not shown.shared.size:
        return Moderation(ratio, df, 0.0)
    noise = _moderated(shown, ratio, df)[0] / shown.shared
    return Moderation(ratio, df, max(0.0, float((shown.mean**2 - noise).mean())))


def _columns(table: PairTable, chosen: Bools) -> PairTable:
    return PairTable(
        table.value[:, chosen],
        table.variance[:, chosen],
        table.bias[:, chosen],
        table.open_below[:, chosen],
        table.open_above[:, chosen],
    )


def _moderated(shown: _Shown, ratio: float, df: float) -> tuple[Floats, Floats]:
    """(k,) variances between tournaments that borrow strength, and their degrees of freedom.

    A pair is on its own if its boards tell no error, or if nothing is known of others. Its variance
    is no less then than what rounds alone give: three boards may agree by luck.
    """
    prior = np.where(shown.error > EQUAL**2, df, 0.0)
    total = prior + shown.df
    variance = (prior * ratio * shown.error + shown.df * shown.variance) / total
    return np.where(prior > 0.0, variance, np.maximum(variance, shown.error)), total


# A new tournament ---------------------------------------------------------------------------------


def predict(table: PairTable, moderation: Moderation, *, level: float = 0.95) -> Predictions:
    """What pairs will do in a new tournament, each given that it shares enough of them.

    An end of a true difference is open when more than half of the tournaments leave it open. Where
    any of them does, the mean is no surer than what rounds alone give: such boards show the same
    difference again and again, whatever the true one is.
    """
    shown, there, tail = _summarise(table), table.shared, 0.5 + 0.5 * level
    variance, df_shown = _moderated(shown, moderation.ratio, moderation.df)
    tau2 = np.maximum(variance - shown.error, 0.0)
    df = _freedom_of_truth(shown, tau2, variance, df_shown)
    below, above = ((there & side).sum(axis=0) for side in (table.open_below, table.open_above))
    open_ends = 2 * below > shown.shared, 2 * above > shown.shared
    # Boards on which all matches went one way look alike, and know less than they seem to.
    truly = np.where(below + above > 0, np.maximum(variance, shown.error), variance)
    noise, part = truly / shown.shared, 1.0 + 1.0 / shown.shared
    kept = _kept(noise, moderation.spread)
    unbiased = _mean(table.value - table.bias, there)
    return Predictions(
        shared=shown.shared,
        separated=(there & (table.open_below | table.open_above)).sum(axis=0),
        open_below=below,
        open_above=above,
        mean=shown.mean,
        tau=np.sqrt(tau2),
        variance=variance,
        df=df,
        df_shown=df_shown,
        new=_around(shown.mean, _quantile(df, tail) * np.sqrt(tau2 + noise), open_ends),
        new_board=_around(shown.mean, _quantile(df_shown, tail) * np.sqrt(variance * part)),
        average=_around(unbiased, _quantile(df_shown, tail) * np.sqrt(noise), open_ends),
        p_round=_one_round(table, unbiased, truly, kept, _quantile(df_shown, tail)),
        p_better=_better(shown.mean, kept, tau2, noise, df),
    )


def _freedom_of_truth(shown: _Shown, tau2: Floats, variance: Floats, df: Floats) -> Floats:
    """(k,) degrees of freedom of τ² + s²/T: taking the rounds' part off costs some (Satterthwaite).

    They are no fewer than a pair has of its own.
    """
    share = tau2 / np.where(variance > 0.0, variance, 1.0)
    part = 1.0 / shown.shared
    return np.maximum(np.minimum(shown.df, df), df * ((share + part) / (1.0 + part)) ** 2)


def _quantile(df: Floats, tail: float) -> Floats:
    return np.asarray(stdtrit(df, tail), np.float64)


def _around(value: Floats, half: Floats, open_ends: tuple[Bools, Bools] | None = None) -> Ranges:
    low, high = value - half, value + half
    if open_ends is not None:
        low = np.where(open_ends[0], -np.inf, low)
        high = np.where(open_ends[1], np.inf, high)
    return Ranges(value, low, high)


def _one_round(table: PairTable, mean: Floats, variance: Floats, kept: Floats, t: Floats) -> Ranges:
    """P(win a round), averaged over tournaments, and drawn to ½ as far as the mean is noise.

    The interval is around the average that is not drawn. The few values of a pair hardly tell how
    they vary, and least so near 0 or 1. So their variance is that of P(win) when differences are
    normal with this mean and variance, (k,).
    """
    won, lost = (_mean(_unbiased_chance(table, sign), table.shared) for sign in (1.0, -1.0))
    value = np.log(won) - np.log(lost)
    half = t * _spread_of_odds(mean, variance) / np.sqrt(table.shared.sum(axis=0))
    drawn = kept * value
    low, high = np.minimum(value - half, drawn), np.maximum(value + half, drawn)
    return Ranges(drawn, low, high).chances()


def _spread_of_odds(mean: Floats, variance: Floats) -> Floats:
    """(k,) sd of P(win) over p(1 − p) of its mean p, when differences are normal."""
    nodes, weights = hermegauss(NODES)
    weights = weights / weights.sum()
    # On the side of the smaller chance, which has more digits.
    odds = np.sqrt(variance)[:, None] * nodes - np.abs(mean)[:, None]
    chance = expit(odds)
    p = chance @ weights
    spread = np.sqrt((chance - p[:, None]) ** 2 @ weights)
    return np.asarray(spread / (p * (expit(-odds) @ weights)), np.float64)


def _unbiased_chance(table: PairTable, sign: float) -> Floats:
    """(T, k) chances that the first (sign 1) or second (−1) wins, without their first-order bias.

    Few rounds bias differences outward, and the curve of the chance bends noise inward.
    """
    odds = sign * (table.value - table.bias)
    return np.asarray(expit(odds + (expit(odds) - 0.5) * table.variance), np.float64)


def _kept(noise: Floats, spread: float) -> Floats:
    """(k,) share of mean differences that is not noise."""
    total = spread + noise
    return np.where(total > 0.0, spread / np.where(total > 0.0, total, 1.0), 1.0)


def _better(mean: Floats, kept: Floats, tau2: Floats, noise: Floats, df: Floats) -> Floats:
    """(k,) P(true difference > 0), the mean drawn to 0; ½ where there is no difference at all."""
    scale = np.sqrt(tau2 + kept * noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = kept * mean / scale
    return np.asarray(stdtr(df, np.where(kept * np.abs(mean) < EQUAL, 0.0, t)), np.float64)
