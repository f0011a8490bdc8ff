"""Columns of a wide table whose values say that they are no scores: numerics on arrays.

Whoever measures a model on a task writes down neither 1, 2, 3, … nor the mean of the other columns.
A rule fires only where luck would hardly do the same: each row of a table adds the evidence that
its digits hold, and scales are compared only where most columns agree on one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from winodds.arrays import Bools, Floats, Ints

Kind: TypeAlias = Literal[
    "numbered", "mean", "sum", "weighted", "ranks", "best", "whole", "scale", "beyond", "unknown"
]

EVIDENCE = 5.0
"""Powers of ten against luck, beyond those for the number of sums that are tried."""

APART = 1.3
"""Powers of ten between a column and the scale on which most others agree."""

BEYOND = 1.5
"""How many times a column of whole numbers goes beyond the others."""

ROWS = 200
"""Rows that are enough to tell a sum."""

MANY = 400
"""Columns up to which stretches of neighbours are tried, too."""

WEIGHING = 3.0
"""Powers of ten more where weights may be anything."""

STEADIEST = 0.1
"""How little a column's distance from the mean of a row is taken to vary at least, in spreads."""

FEW = 60
"""Columns up to which weighted means are tried."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """Why a column holds no scores.

    Attributes
    ----------
    kind : what it is instead; "whole" and "scale" are numbers of another scale.
    of : the columns that it sums up.
    """

    kind: Kind
    of: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Wideness:
    """Numbers of a wide table.

    Attributes
    ----------
    values : (k, m) of k columns in m rows; NaN is none.
    unit : (k,) the last decimal that is written in a column, such as 0.1.
    players : whether columns are players, so that a row is on one scale.
    excused : (k,) columns whose names say on which scale they are, or that are wanted as they are.
    lower : whether lower is better, so that scores may have any size.
    """

    values: Floats
    unit: Floats
    players: bool
    excused: Bools
    lower: bool = False


def find_oddities(table: Wideness) -> dict[int, Oddity]:
    """The columns that hold no scores, with the reason."""
    values = table.values
    found: dict[int, Oddity] = {}
    if values.shape[1] < 3 or values.shape[0] < 2:
        return found
    there: Bools = np.isfinite(values)
    told = there.sum(axis=1)
    usable = told >= 3
    whole = usable & ~((values != np.round(values)) & there).any(axis=1)
    asked = usable & ~table.excused
    for column in _numbered(values, asked, whole):
        found[column] = Oddity("numbered")
    for column in _minus_ones(values, asked):
        found.setdefault(column, Oddity("unknown"))
    alike = usable.copy()
    alike[list(found)] = False
    scales = _of_players if table.players else _of_rounds
    for column, kind in scales(table, alike, asked, whole):
        found.setdefault(column, Oddity(kind))
    while True:
        alike[list(found)] = False
        sums = _sums(table, alike, asked & alike)
        if not sums:
            break
        found |= sums
    if table.players and not table.lower:
        for column in _beyond_fractions(values, alike, asked):
            found.setdefault(column, Oddity("beyond"))
    return found


# Numbers of rows, unknown values ------------------------------------------------------------------


def _numbered(values: Floats, asked: Bools, whole: Bools) -> Iterator[int]:
    """Columns with each of 1 … m, or 0 … m − 1, once, unless many hold small whole numbers."""
    rows = values.shape[1]
    size = np.fmax.reduce(np.abs(values), axis=1, initial=0.0)
    if 2 * (whole & (size <= 3.0 * max(rows, 5))).sum() >= max(values.shape[0], 2):
        return
    small = whole & (size <= rows)
    ordered = np.sort(values[small], axis=1)
    for column, row in zip(np.flatnonzero(small).tolist(), ordered, strict=True):
        if asked[column] and any((row == np.arange(rows) + first).all() for first in (0, 1)):
            yield column


def _minus_ones(values: Floats, asked: Bools) -> Iterator[int]:
    """Columns with −1 among positive numbers, in a table with no other number below 0."""
    minus = values == -1.0
    if not minus.any() or (values[~minus] < 0.0).any():
        return
    for column in np.flatnonzero(minus.any(axis=1) & asked).tolist():
        rest = values[column][~minus[column]]
        rest = rest[np.isfinite(rest)]
        if rest.size and (rest > 0.0).all() and (rest != 1.0).any():
            yield column


# Scales -------------------------------------------------------------------------------------------


def _of_rounds(
    table: Wideness, alike: Bools, asked: Bools, whole: Bools
) -> Iterator[tuple[int, Kind]]:
    """Rounds of quite another scale than the others, where these are fractions or percentages."""
    size = np.abs(table.values)
    low, high = (_reduce(function, size) for function in (np.fmin.reduce, np.fmax.reduce))
    others = alike & ~table.excused & ~whole
    if others.sum() >= 2 and 3 * others.sum() >= 2 * (alike & ~table.excused).sum():
        middle, edge = np.nanmedian(size, axis=1), float(high[others].max())
        if edge <= 100.0:
            for column in np.flatnonzero(alike & asked & whole).tolist():
                if low[column] >= 1.0 and middle[column] > BEYOND * edge:
                    yield column, "whole"
    if table.lower:
        return
    agree = _agreeing(size, alike & ~table.excused)
    if agree is None or high[agree].max() > 100.0:
        return
    top, bottom = float(high[agree].max()), float(low[agree].min())
    for column in np.flatnonzero(alike & asked & ~agree & (high > 0.0)).tolist():
        percent = top <= 1.0 < high[column] <= 100.0 and not whole[column]
        fraction = top > 1.0 and high[column] <= 1.0 and np.nanmedian(size[column]) >= 0.3
        above = low[column] > 0.0 and low[column] >= top * 10.0**APART
        below = high[column] * 10.0**APART <= bottom
        if (above or below) and not (percent or fraction):
            yield column, "scale"


def _of_players(
    table: Wideness, alike: Bools, asked: Bools, whole: Bools
) -> Iterator[tuple[int, Kind]]:
    """Players whose numbers are on another scale than the others' in every row."""
    size = np.abs(table.values)
    broken = alike & ~whole
    if broken.sum() >= 2 and 2 * broken.sum() >= alike.sum():
        low, high = _hull(table.values, broken)
        for column in np.flatnonzero(alike & asked & whole).tolist():
            own = table.values[column]
            there = np.isfinite(own) & np.isfinite(high)
            own, edge = own[there], high[there]
            far = own > BEYOND * np.abs(edge)
            if own.size >= 3 and (own > edge).all() and 2 * far.sum() >= own.size:
                yield column, "whole"
    agree = _agreeing(size, alike)
    if agree is None:
        return
    low, high = _hull(size, agree)
    for column in np.flatnonzero(alike & asked & ~agree).tolist():
        own = size[column]
        there = np.isfinite(own) & np.isfinite(high) & (low > 0.0) & (own > 0.0)
        if there.sum() < 3 or 2 * there.sum() < np.isfinite(own).sum():
            continue
        width = np.maximum(APART, np.log10(high[there] / low[there]))
        above, below = np.log10(own[there] / high[there]), np.log10(low[there] / own[there])
        if (above >= width).all() or (below >= width).all():
            yield column, "scale"


def _beyond_fractions(values: Floats, alike: Bools, asked: Bools) -> Iterator[int]:
    """Columns whose numbers all lie beyond 1, beside at least as many, and two, of fractions."""
    low, high = (_reduce(function, values) for function in (np.fmin.reduce, np.fmax.reduce))
    fractions = alike & (low >= 0.0) & (high <= 1.0)
    if fractions.sum() >= 2 and 2 * fractions.sum() >= alike.sum():
        for column in np.flatnonzero(alike & asked & (low > 1.0)).tolist():
            if np.isfinite(values[column]).sum() >= 3:
                yield column


def _agreeing(size: Floats, alike: Bools) -> Bools | None:
    """The columns of about one size, if these are most of them."""
    if alike.sum() < 3:
        return None
    middle = _typical(size)
    near: Bools = np.abs(middle - np.median(middle[alike])) <= APART
    near &= alike
    return near if near.sum() >= 2 and 3 * near.sum() >= 2 * alike.sum() else None


def _typical(size: Floats) -> Floats:
    """(k,) the size of each column, in powers of ten; what is nothing but 0 has none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        powers = np.where(size > 0.0, np.log10(size), np.nan)
    held = np.isfinite(powers).any(axis=1)
    typical = np.full(size.shape[0], -np.inf)
    typical[held] = np.nanmedian(powers[held], axis=1)
    return typical


def _hull(values: Floats, columns: Bools) -> tuple[Floats, Floats]:
    """(m,) the smallest and the largest value of some columns in each row."""
    part = values[columns]
    return np.fmin.reduce(part, axis=0), np.fmax.reduce(part, axis=0)


def _reduce(function: Callable[..., Floats], size: Floats) -> Floats:
    return np.nan_to_num(function(size, axis=1), nan=0.0)


# Sums of other columns ----------------------------------------------------------------------------


def _sums(table: Wideness, alike: Bools, asked: Bools) -> dict[int, Oddity]:
    """The first column that sums up others: all of them, or a stretch of their neighbours."""
    places = np.flatnonzero(alike)
    if places.size < 3:
        return {}
    values, unit = table.values[places, :ROWS], table.unit[places]
    needed = EVIDENCE + np.log10(4.0 * places.size)
    there = np.isfinite(values)
    total = np.where(there, values, 0.0).sum(axis=0)
    tried = _Sums(values, unit, total, there.sum(axis=0), needed)
    for own in np.flatnonzero(asked[places] & tried.may_be()).tolist():
        kind, of = tried.explain(own, players=table.players)
        if kind is not None:
            return {int(places[own]): Oddity(kind, tuple(places[of].tolist()))}
    return {}


@dataclass(frozen=True, slots=True)
class _Sums:
    """What a column could be the sum of.

    Attributes
    ----------
    values, unit : of the columns that may take part.
    total, number : (m,) sum of the values of a row, and how many there are.
    needed : powers of ten against luck.
    """

    values: Floats
    unit: Floats
    total: Floats
    number: Ints
    needed: float

    def may_be(self) -> Bools:
        """(k,) columns that are worth a closer look: all, unless there are too many of them."""
        if self.values.shape[0] <= MANY:
            return np.ones(self.values.shape[0], np.bool_)
        number = self.number - np.isfinite(self.values)
        total = self.total - np.nan_to_num(self.values)
        slack = self.unit[:, None] / 2.0 + self.unit.max() / 2.0 + 1e-9 * np.abs(self.values)
        gone = np.isnan(self.values)
        gaps = [self.values - total, self.values - total / np.maximum(number, 1)]
        near = [np.abs(gap) <= slack * way for gap, way in zip(gaps, (number, 1), strict=True)]
        may: Bools = np.any([(it | gone).all(axis=1) for it in near], axis=0)
        return may

    def explain(self, own: int, *, players: bool) -> tuple[Kind | None, Ints]:
        """What the column is of which others, or None."""
        value = self.values[own]
        others = np.delete(np.arange(self.values.shape[0]), own)
        error = float(self.unit[others].max()) / 2.0
        number = self.number - np.isfinite(value)
        total = np.where(number > 0, self.total - np.nan_to_num(value), np.nan)
        if self._fits(own, total / np.maximum(number, 1), others, error):
            return "mean", others
        if self._fits(own, np.where(number == others.size, total, np.nan), others, error * 2.0):
            return "sum", others
        if others.size > MANY:
            return None, others[:0]
        part = self.values[others]
        if players and self._is_best(own, part):
            return "best", others
        if not players and self._are_ranks(own, part):
            return "ranks", others
        if others.size <= FEW and self._is_weighted(own, part, error):
            return "weighted", others
        return self._neighbours(own)

    def _neighbours(self, own: int) -> tuple[Kind | None, Ints]:
        """The stretch beside the column whose mean or sum it is."""
        first = int(np.isfinite(self.values[own]).argmax())
        for step in (-1, 1):
            stretch = np.arange(own + step, -1 if step < 0 else self.values.shape[0], step)
            total = np.cumsum(self.values[stretch], axis=0)
            length = np.arange(1.0, stretch.size + 1.0)
            error = np.maximum.accumulate(self.unit[stretch]) / 2.0
            ways: tuple[tuple[Kind, Floats, Floats], ...] = (
                ("mean", total / length[:, None], error),
                ("sum", total, error * 2.0),
            )
            for kind, guess, wrong in ways:
                # What fails in the first row fails, and is quickly seen.
                gap = np.abs(guess[:, first] - self.values[own, first])
                near = gap <= self._slack(own, guess[:, first], wrong)
                for size in np.flatnonzero(near & (length >= 2.0)).tolist():
                    of = stretch[: size + 1]
                    if self._fits(own, guess[size], of, float(wrong[size])):
                        return kind, np.sort(of)
        return None, np.empty(0, np.int64)

    def _slack(self, own: int, guess: Floats, error: float | Floats) -> Floats:
        """How far rounding may take the column from a guess."""
        slack: Floats = self.unit[own] / 2.0 + error + 1e-9 * np.abs(np.nan_to_num(guess))
        return slack

    def _fits(self, own: int, guess: Floats, of: Ints, error: float) -> bool:
        """Whether the guess is right in all rows, and luck would hardly be."""
        there = np.isfinite(self.values[own]) & np.isfinite(guess)
        if there.sum() < 3 or there.sum() < np.isfinite(self.values[own]).sum():
            return False
        slack = self._slack(own, guess, error)
        if (np.abs(self.values[own] - guess)[there] > slack[there]).any():
            return False
        return self._against_luck(_luck(self.values[of][:, there]), slack[there])

    def _against_luck(self, spread: Floats, slack: Floats) -> bool:
        powers = np.log10(np.maximum(1.25 * spread / slack, 1.0))
        return bool(powers.sum() >= self.needed)

    def _is_best(self, own: int, part: Floats) -> bool:
        """Whether a player has the best, or the worst, of all others in every row."""
        value = self.values[own]
        there: Bools = np.isfinite(value)
        held = np.isfinite(part).sum(axis=0) > 0
        if there.sum() < 5 or (there & ~held).any():
            return False
        for edge in (np.fmax.reduce(part, axis=0), np.fmin.reduce(part, axis=0)):
            equal: Bools = part[:, there] == value[there]
            if bool((value[there] == edge[there]).all()) and not equal.all(axis=1).any():
                luck = _luck(part[:, there])
                return self._against_luck(luck, np.full(luck.size, self.unit[own]))
        return False

    def _are_ranks(self, own: int, part: Floats) -> bool:
        """Whether a column has the mean rank that each row has in the others."""
        value = self.values[own]
        if np.isnan(value).any() or np.isnan(part).any() or value.size < 4:
            return False
        if part.shape[0] < 2 or value.min() < 1.0 or value.max() > value.size:
            return False
        if part.max() <= value.size and (part == np.round(part)).all():
            # These are ranks themselves.
            return False
        less = (part[:, :, None] > part[:, None, :]).sum(axis=2)
        same = (part[:, :, None] == part[:, None, :]).sum(axis=2)
        middle = (less + (same + 1) / 2.0).mean(axis=0)
        slack = self.unit[own] / 2.0 + 1e-9
        for guess in (middle, value.size + 1.0 - middle):
            if (np.abs(value - guess) <= slack).all():
                spread = np.full(value.size, np.std(np.arange(value.size)) / np.sqrt(part.shape[0]))
                return self._against_luck(spread, np.full(value.size, slack))
        return False

    def _is_weighted(self, own: int, part: Floats, error: float) -> bool:
        """Whether the column is a mean of all others in which some count more."""
        value = self.values[own]
        rows = np.isfinite(value) & np.isfinite(part).all(axis=0)
        spare = int(rows.sum()) - part.shape[0]
        if spare < 3 or rows.sum() < np.isfinite(value).sum():
            return False
        weights, *_ = np.linalg.lstsq(part[:, rows].T, value[rows], rcond=None)
        if (weights < -0.01).any() or abs(float(weights.sum()) - 1.0) > 0.02 or weights.max() > 0.9:
            return False
        guess = weights @ part[:, rows]
        slack = self._slack(own, guess, error)
        if (np.abs(value[rows] - guess) > slack).any():
            return False
        powers = np.log10(np.maximum(1.25 * _luck(part[:, rows]) / slack, 1.0))
        return bool(powers.mean() * spare >= self.needed + WEIGHING)


def _luck(part: Floats) -> Floats:
    """(m,) how far a column's distance from the mean of a row varies, of those that vary little.

    A column that is always near the mean is near it once more, which tells nothing.
    """
    center, spread = np.nanmean(part, axis=0), np.nanstd(part, axis=0)
    scaled = (part - center) / np.where(spread > 0.0, spread, 1.0)
    usual = np.nanmean(scaled, axis=1, keepdims=True)
    steady = np.sqrt(np.nanmean((scaled - usual) ** 2, axis=1))
    luck: Floats = spread * max(float(np.quantile(steady, 0.25)), STEADIEST)
    return luck
