"""Shares of variance: how much of the ratings' differences each hyperparameter explains.

A functional analysis of variance by least squares (Sobol' 1993; Hoos, Hutter and Leyton-Brown
2014). A column of numbers enters by its ranks, through polynomials; one of categories through
contrasts; two columns through products of theirs. The share of a term is the variance of its part
of the fit, in that of the true ratings. Both are freed of noise: ratings are estimates, and what
rounds do to them (the influences of clusters) is sent through the same least squares. So errors
count that settings have in common, too, such as those of neighbours that solve the same tasks; what
the terms do not explain is taken as one more error of each setting alone.

Examples
--------
Two hyperparameters on a grid of 5 × 5, with variances 2 and 8:

>>> one, two = (each.ravel() for each in np.mgrid[0.0:5.0, 0.0:5.0])
>>> terms = expand([Column(one, ordered=True), Column(two, ordered=True)])
>>> terms.columns
((0,), (1,), (0, 1))
>>> rating, certain = (one + 2.0 * two)[:, None], np.zeros((25, 1, 1))
>>> found = decompose(terms, rating, certain, np.arange(25) % BLOCKS, "none")
>>> find_shares(found, np.ones(1)).value[:2].round(3).tolist()
[0.2, 0.8]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from numpy.polynomial.legendre import legvander
from scipy.special import stdtrit

from winodds.arrays import EQUAL, Floats, Ints, renumber
from winodds.inference.contrasts import freedom, small_sample

DEGREE = 4
"""Of the polynomials of a column of numbers, at most."""

IN_PAIRS = 2
"""Columns of the design by which a column of numbers takes part in pairs."""

ENOUGH = 3
"""Settings for each column of the design."""

BLOCKS = 10
"""Of settings that are left out in turn."""

HALF = 0.5
"""Share of noise in the ratings' variance above which a tournament counts for less."""

ALIKE = 1e-6
"""Share of a column's length below which nothing of it is left."""

PairFit: TypeAlias = Literal["together", "one by one", "none"]
"""Whether pairs are fitted all at once, each alone beside the single columns, or not at all."""


# Columns → terms ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A hyperparameter of n settings.

    Attributes
    ----------
    value : (n,) numbers, or codes of categories; NaN where it is not set.
    ordered : whether these are numbers, of which only the order counts.
    """

    value: Floats
    ordered: bool

    @property
    def varies(self) -> bool:
        """Whether it has two values, not to be set among them."""
        there = ~np.isnan(self.value)
        return np.unique(self.value[there]).size + int(not there.all()) > 1


@dataclass(frozen=True, slots=True)
class Terms:
    """What explains the ratings of n settings: k terms in p columns.

    Attributes
    ----------
    design : (n, p) their columns, one term after the other.
    columns : (k,) the hyperparameter of each term, or the two of a pair; pairs come last.
    width : (k,) columns of each term in the design, at least one.
    flagged : hyperparameters to which it counts whether they are set.
    """

    design: Floats
    columns: tuple[tuple[int, ...], ...]
    width: Ints
    flagged: tuple[int, ...]

    @property
    def singles(self) -> int:
        """How many terms are single hyperparameters."""
        return sum(len(own) == 1 for own in self.columns)

    @property
    def stop(self) -> Ints:
        """(k,) the column after the last one of each term."""
        return np.cumsum(self.width)

    def take(self, chosen: Ints) -> "Terms":
        """The same of some settings."""
        return replace(self, design=self.design[chosen])

    def needed(self, pairs: PairFit) -> int:
        """Settings that a fit needs."""
        singles = int(self.width[: self.singles].sum())
        others = self.width[self.singles :]
        more = {"together": others.sum(), "one by one": others.max(initial=0), "none": 0}[pairs]
        return ENOUGH * (singles + int(more))


def expand(columns: Sequence[Column]) -> Terms:
    """The terms of hyperparameters, all of which vary, and of their pairs.

    A column of numbers with L different values has polynomials of degree 4 at most, and L − 1 at
    most; if it is not always set, they are at most a third of the settings in which it is. Where a
    hyperparameter is not set, its columns are 0, and one more tells these settings from the others,
    unless that follows from other hyperparameters (a degree is set for polynomial kernels only). A
    term without columns is left out, and so is what of a pair cannot be told from single
    hyperparameters. Pairs are made where settings are enough for single ones.
    """
    plain = [_code(column) for column in columns]
    flagged = [k for k, column in enumerate(columns) if not _is_decided(k, column, plain)]
    blocks = [
        np.column_stack([_is_set(columns[k]), own]) if k in flagged else own
        for k, own in enumerate(plain)
    ]
    parts: dict[tuple[int, ...], Floats] = {
        (k,): own for k, own in enumerate(blocks) if own.shape[1]
    }
    singles = np.concatenate(list(parts.values()), axis=1)
    if singles.shape[0] >= ENOUGH * singles.shape[1]:
        for (one,), (two,) in combinations(list(parts), 2):
            product = _new_part(_product(columns, blocks, one, two), singles)
            if product.shape[1]:
                parts[one, two] = product
    width = np.array([part.shape[1] for part in parts.values()], np.int64)
    design = np.concatenate(list(parts.values()), axis=1)
    return Terms(design, tuple(parts), width, tuple(flagged))


def find_confounded(terms: Terms) -> list[int]:
    """Hyperparameters of which one follows from others, so that nobody can tell them apart."""
    size, direction = _directions(terms, terms.singles)
    weight = (direction[:, size < ALIKE] ** 2).sum(axis=1)
    width = terms.width[: terms.singles]
    held = np.add.reduceat(weight, np.cumsum(width) - width)
    return [terms.columns[k][0] for k in np.flatnonzero(held > ALIKE).tolist()]


def choose_pairs(terms: Terms) -> PairFit:
    """How pairs can be fitted: together where settings are enough and tell all pairs apart."""
    settings = terms.design.shape[0]
    if terms.singles == len(terms.columns):
        return "none"
    if settings >= terms.needed("together"):
        size, _ = _directions(terms, len(terms.columns))
        if size[0] > ALIKE:
            return "together"
    return "one by one" if settings >= terms.needed("one by one") else "none"


def _directions(terms: Terms, first: int) -> tuple[Floats, Floats]:
    """Eigenvalues, increasing, and eigenvectors of the correlations among the first terms."""
    design = terms.design[:, : terms.stop[first - 1]]
    design = design - design.mean(axis=0)
    length = np.linalg.norm(design, axis=0)
    design = design / np.where(length > 0.0, length, 1.0)
    size, direction = np.linalg.eigh(design.T @ design)
    return np.asarray(size, np.float64), np.asarray(direction, np.float64)


def _code(column: Column) -> Floats:
    """(n, w) polynomials or contrasts, centred and orthogonal where the column is set, else 0."""
    there = ~np.isnan(column.value)
    levels, code, size = np.unique(column.value[there], return_inverse=True, return_counts=True)
    if column.ordered:
        middle = (np.cumsum(size) - 0.5 * size)[code] / code.size
        few = DEGREE if there.all() else code.size // ENOUGH
        degree = min(DEGREE, levels.size - 1, few)
        own = np.asarray(legvander(2.0 * middle - 1.0, max(degree, 0))[:, 1:], np.float64)
    else:
        own = (code[:, None] == np.arange(1, levels.size)).astype(np.float64)
    found = np.zeros((column.value.size, own.shape[1]))
    found[there] = _orthogonal(own)
    return found


def _orthogonal(block: Floats) -> Floats:
    """The columns without their means and without what is in those before; of mean square 1."""
    direction, size = np.linalg.qr(block - block.mean(axis=0))
    signs = np.where(size.diagonal() < 0.0, -1.0, 1.0)
    return np.asarray(direction * (signs * np.sqrt(block.shape[0])), np.float64)


def _is_set(column: Column) -> Floats:
    """(n, 1) whether the column is set, centred, of mean square 1."""
    there = ~np.isnan(column.value[:, None])
    return _orthogonal(np.asarray(there, np.float64))


def _is_decided(place: int, column: Column, plain: Sequence[Floats]) -> bool:
    """Whether the other hyperparameters tell where this one is set."""
    if not np.isnan(column.value).any():
        return True
    others = [own for k, own in enumerate(plain) if k != place]
    flag = _is_set(column)
    if not others or sum(own.shape[1] for own in others) >= flag.size:
        return False
    left = _leftover(flag, np.concatenate(others, axis=1))
    return bool(np.linalg.norm(left) < ALIKE * np.linalg.norm(flag))


def _leftover(block: Floats, others: Floats) -> Floats:
    """The columns without their means and without what is in others."""
    centred, known = block - block.mean(axis=0), others - others.mean(axis=0)
    return np.asarray(centred - known @ np.linalg.lstsq(known, centred, rcond=None)[0])


def _product(columns: Sequence[Column], blocks: Sequence[Floats], one: int, two: int) -> Floats:
    """(n, w) products of the columns by which two hyperparameters take part in pairs."""
    first, second = (blocks[k][:, : IN_PAIRS if columns[k].ordered else None] for k in (one, two))
    return (first[:, :, None] * second[:, None, :]).reshape(first.shape[0], -1)


def _new_part(product: Floats, singles: Floats) -> Floats:
    """What of the columns of a pair is new beside those of single hyperparameters."""
    left = _leftover(product, singles)
    size, direction = np.linalg.eigh(left.T @ left)
    new = size > ALIKE * product.shape[0]
    return product if new.all() else product @ direction[:, new]


# Terms and ratings → variances --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Variances of ratings in T tournaments, freed of noise, and what they rest on.

    The first axis of most is R: all settings first, then all but each block of them.

    Attributes
    ----------
    value : (R, k, T) of each term; NaN for a pair that was not looked at.
    total : (R, T) of true ratings.
    seen : (R, T) of ratings, noise included.
    rest : (R, T) of what the terms do not explain.
    together : (T,) what single hyperparameters explain together beyond the sum of each.
    slope : (k, T, G) what each cluster of rounds adds to ``value``.
    slope_total : (T, G) and to ``total``.
    """

    value: Floats
    total: Floats
    seen: Floats
    rest: Floats
    together: Floats
    slope: Floats
    slope_total: Floats

    def take(self, chosen: Ints) -> "Decomposition":
        """That of some tournaments, in the given order."""
        return Decomposition(
            value=self.value[:, :, chosen],
            total=self.total[:, chosen],
            seen=self.seen[:, chosen],
            rest=self.rest[:, chosen],
            together=self.together[chosen],
            slope=self.slope[:, chosen],
            slope_total=self.slope_total[chosen],
        )


def join(parts: Sequence[Decomposition]) -> Decomposition:
    """Those of all tournaments, one after the other, from those of some each."""
    clusters = max(part.slope_total.shape[1] for part in parts)

    def widened(slope: Floats) -> Floats:
        missing = clusters - slope.shape[-1]
        return np.pad(slope, [(0, 0)] * (slope.ndim - 1) + [(0, missing)])

    return Decomposition(
        value=np.concatenate([part.value for part in parts], axis=2),
        total=np.concatenate([part.total for part in parts], axis=1),
        seen=np.concatenate([part.seen for part in parts], axis=1),
        rest=np.concatenate([part.rest for part in parts], axis=1),
        together=np.concatenate([part.together for part in parts]),
        slope=np.concatenate([widened(part.slope) for part in parts], axis=1),
        slope_total=np.concatenate([widened(part.slope_total) for part in parts]),
    )


def share_of_noise(rating: Floats, influence: Floats) -> float:
    """Share of noise in the variance of ratings (n,), from influences (n, G) of clusters."""
    around, noise = (own - own.mean(axis=0) for own in (rating, influence))
    return float((noise**2).sum() / (around**2).sum())


def decompose(
    terms: Terms, rating: Floats, influence: Floats, block: Ints, pairs: PairFit
) -> Decomposition:
    """Split the variance of ratings among terms.

    Parameters
    ----------
    terms : of n settings.
    rating : (n, T) in each tournament; they differ.
    influence : (n, T, G) what clusters of rounds do to them: its products over clusters are the
        covariance of the ratings in a tournament.
    block : (n,) the block to which each setting belongs, 0 … `BLOCKS` − 1; a block may be empty.
    pairs : how pairs are fitted.
    """
    moments = _add_up(terms.design, rating, influence, block)
    singles, everything = np.arange(terms.singles), np.arange(len(terms.columns))
    fitted = _fit(moments, terms, everything if pairs == "together" else singles)
    shape = (BLOCKS + 1, everything.size, *rating.shape[1:])
    value, rest = np.full(shape, np.nan), fitted.rest
    slope = np.full((*shape[1:], influence.shape[2]), np.nan)
    value[:, : fitted.value.shape[1]] = fitted.value
    slope[: fitted.slope.shape[0]] = fitted.slope
    if pairs == "one by one":
        for pair in everything[terms.singles :].tolist():
            beside = _fit(moments, terms, np.append(singles, pair))
            value[:, pair], slope[pair] = beside.value[:, -1], beside.slope[-1]
            rest = rest - beside.value[:, -1]
    return Decomposition(
        value=value,
        total=moments.total - moments.noise,
        seen=moments.total,
        rest=rest,
        together=fitted.together,
        slope=slope,
        slope_total=moments.slope,
    )


@dataclass(frozen=True, slots=True)
class _Moments:
    """Sums of products around the means, for all settings and for all but each block of them.

    Attributes
    ----------
    free : (R,) settings less one.
    gram : (R, p, p) of columns of the design.
    rating, influence : (R, p, T), (R, p, T, G) of these with ratings and influences.
    total, noise : (R, T) variances of ratings and of their noise.
    slope : (T, G) what each cluster adds to the variance of ratings.
    """

    free: Floats
    gram: Floats
    rating: Floats
    influence: Floats
    total: Floats
    noise: Floats
    slope: Floats


def _add_up(design: Floats, rating: Floats, influence: Floats, block: Ints) -> _Moments:
    settings, tournaments, clusters = influence.shape
    width = design.shape[1]
    other = np.concatenate([rating - rating.mean(axis=0), influence.reshape(settings, -1)], axis=1)
    both = np.concatenate([design, other], axis=1)
    blocks = [block == k for k in range(BLOCKS)]
    size = _leave_out([np.array(float(own.sum())) for own in blocks])
    sums = _leave_out([both[own].sum(axis=0) for own in blocks])
    product = _leave_out([design[own].T @ both[own] for own in blocks])
    product -= sums[:, :width, None] * (sums / size[:, None])[:, None, :]
    squares = _leave_out([(other[own] ** 2).sum(axis=0) for own in blocks])
    squares -= sums[:, width:] ** 2 / size[:, None]
    free = size - 1.0
    noise = squares[:, tournaments:].reshape(-1, tournaments, clusters).sum(axis=2)
    around = other - other.mean(axis=0)
    ratings, influences = around[:, :tournaments], around[:, tournaments:]
    each = influences.reshape(influence.shape)
    return _Moments(
        free=free,
        gram=product[:, :, :width],
        rating=product[:, :, width : width + tournaments],
        influence=product[:, :, width + tournaments :].reshape(-1, width, tournaments, clusters),
        total=squares[:, :tournaments] / free[:, None],
        noise=noise / free[:, None],
        slope=2.0 * np.einsum("nt,ntg->tg", ratings, each) / free[0],
    )


def _leave_out(of_blocks: Sequence[Floats]) -> Floats:
    """(R, …) the sum over all blocks, then over all but each."""
    each = np.array(of_blocks)
    whole = each.sum(axis=0, keepdims=True)
    return np.concatenate([whole, whole - each])


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What `Decomposition` has, of the terms that are fitted."""

    value: Floats
    rest: Floats
    together: Floats
    slope: Floats


def _fit(moments: _Moments, terms: Terms, chosen: Ints) -> _Fitted:
    """Least squares of ratings on some terms, and the same of influences to know the noise."""
    owner = np.repeat(np.arange(len(terms.columns)), terms.width)
    places = np.flatnonzero(np.isin(owner, chosen))
    term = renumber(owner[places])
    starts = np.searchsorted(term, np.arange(chosen.size))
    gram = moments.gram[:, places[:, None], places]
    own = gram * (term[:, None] == term)
    # Without a block of settings, a column can be 0.
    inverse = np.linalg.inv(gram + EQUAL * moments.free[:, None, None] * np.eye(places.size))
    rating, influence = moments.rating[:, places], moments.influence[:, places]
    flat = influence.reshape(*influence.shape[:2], -1)
    effect, luck = inverse @ rating, inverse @ flat
    pull, push = own @ effect, (own @ luck * luck).reshape(influence.shape).sum(axis=3)
    free = moments.free[:, None]
    known = (effect * rating).sum(axis=1) / free
    known_noise = (luck * flat).reshape(influence.shape).sum(axis=(1, 3)) / free
    scale = free / (free - places.size)
    rest = scale * ((moments.total - known) - (moments.noise - known_noise))

    def by_term(columns: Floats, axis: int) -> Floats:
        return np.asarray(np.add.reduceat(columns, starts, axis=axis), np.float64)

    load = by_term((inverse * own).sum(axis=2), 1)
    value = by_term(effect * pull - push, 1) / free[:, :, None]
    value -= load[:, :, None] * (rest / free)[:, None, :]
    explained = (known - known_noise)[0] - rest[0] * places.size / free[0]
    each = luck[0].reshape(influence.shape[1:])
    return _Fitted(
        value=value,
        rest=rest,
        together=explained - value[0].sum(axis=0),
        slope=by_term(2.0 * pull[0][:, :, None] * each, 0) / free[0, 0],
    )


# Variances → shares -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of k terms in the variance of true ratings, and what their errors rest on.

    Attributes
    ----------
    value : (k,) unbiased, so that noise can make one negative; NaN for a pair not looked at.
    rest : share that the terms do not explain.
    together : share that single hyperparameters explain together beyond the sum of each.
    by_unit : (k, U) what each tournament, or each cluster of one tournament, adds to a share; the
        sum of squares is its variance.
    by_block : (k, `BLOCKS`) the same for blocks of settings that are left out.
    units_df, blocks_df : (k,) degrees of freedom of the two.
    """

    value: Floats
    rest: float
    together: float
    by_unit: Floats
    by_block: Floats
    units_df: Floats
    blocks_df: Floats

    def half_widths(self, level: float) -> Floats:
        """(k,) half of each interval: the larger of the two kinds of errors decides."""
        kinds = ((self.by_unit, self.units_df), (self.by_block, self.blocks_df))
        by_unit, by_block = (
            stdtrit(df, 0.5 + 0.5 * level) * np.linalg.norm(own, axis=1) for own, df in kinds
        )
        return np.asarray(np.maximum(by_unit, by_block), np.float64)

    def half_widths_of_differences(self, first: int, level: float) -> Floats:
        """(first, first) the same of differences among the first shares."""
        half = np.zeros((first, first))
        for kind, df in ((self.by_unit, self.units_df), (self.by_block, self.blocks_df)):
            product = kind[:first] @ kind[:first].T
            square = product.diagonal()
            error = np.sqrt(np.maximum(square[:, None] + square - 2.0 * product, 0.0))
            half = np.maximum(half, stdtrit(df[:first].min(), 0.5 + 0.5 * level) * error)
        return half


def find_shares(found: Decomposition, clusters_df: Floats) -> Shares:
    """Shares over all tournaments, or in the only one.

    Over tournaments it is the mean of the shares in each. A tournament in which more than half of
    the variance is noise counts for less, by Σ Nₜ/cₜ / Σ Dₜ/cₜ with c = max(D, V/2), N the variance
    of a term, D that of true ratings and V that of ratings: the mean of N/D where there is less
    noise than that, and a ratio of sums where all tournaments are noise for the most part.

    Parameters
    ----------
    found : variances in T tournaments.
    clusters_df : (T,) degrees of freedom of clusters, for one tournament.
    """
    scale = np.maximum(found.total, HALF * found.seen)
    known = ~np.isnan(found.value[0])
    number = known.sum(axis=1).astype(np.float64)
    value = np.where(known, found.value, 0.0) / scale[:, None, :]
    weight = np.where(known, (found.total / scale)[:, None, :], 0.0)
    tournaments = found.total.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = value.sum(axis=2) / weight.sum(axis=2)
        if tournaments > 1:
            share[:, number < 2] = np.nan
            apart = value[0] - share[0][:, None] * weight[0]
            factor = np.sqrt(small_sample(number))
            by_unit = apart * (factor / weight[0].sum(axis=1))[:, None]
        else:
            by_unit = found.slope[:, 0] - share[0][:, None] * found.slope_total[0]
            by_unit /= found.total[0, 0]
    apart = share[1:] - share[1:].mean(axis=0)
    blocks_df, units_df = freedom(np.full(number.size, float(BLOCKS))), freedom(number)
    if tournaments > 1:
        blocks_df = np.minimum(blocks_df, units_df)
    else:
        units_df = np.full(number.size, clusters_df[0])
    each = float((found.total[0] / scale[0]).sum())
    return Shares(
        value=share[0],
        rest=float((found.rest[0] / scale[0]).sum()) / each,
        together=float((found.together / scale[0]).sum()) / each,
        by_unit=by_unit,
        by_block=apart.T * np.sqrt((BLOCKS - 1.0) / BLOCKS),
        units_df=units_df,
        blocks_df=blocks_df,
    )


def rank_shares(shares: Shares, singles: int, level: float) -> tuple[Ints, Ints]:
    """First and last rank of each of the first terms: how many are surely above and below.

    Two shares are told apart by the interval of their difference.
    """
    value = shares.value[:singles]
    half = shares.half_widths_of_differences(singles, level)
    above = value[:, None] - value > half + EQUAL
    return 1 + above.sum(axis=0), singles - above.sum(axis=1)
