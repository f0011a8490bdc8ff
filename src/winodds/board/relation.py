"""How mean scores go with ratings: along a line, or along an S.

A rating counts who beats whom, and a mean score counts by how much. On most boards the one goes
with the other along a straight line or a logistic curve. Players far off it are those for whom the
two measures say different things: most often their scores vary much from round to round, so that a
few bad rounds spoil the mean of a player who wins most of its matches.

Examples
--------
>>> import winodds.demo
>>> found = winodds.demo.rate_results()["heart"].relation()
>>> found.shape, found.line.r_squared < found.curve.r_squared
('S-shaped', True)
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.special import expit

from winodds.arrays import EQUAL, Floats, at_least
from winodds.board.errors import NoRelation
from winodds.language.nouns import HOUSE, Nouns, without_nouns
from winodds.matches.games import score_table
from winodds.matches.results import Results
from winodds.show import present

Shape: TypeAlias = Literal["straight", "S-shaped"]

DIFFERENT_WAYS = "what is better differs by round, so that means of scores have no sense"
NO_SCORES = "battles have no scores"
"""Why a board has no mean scores."""

FEWEST = 10
"""Players from which on a shape can be told, and who is far from it."""

BETTER = 2.0
"""By how much AICc must fall for the curve to be preferred."""

FAR = 3.5
"""Distance from the relation, in robust standard deviations, of players that are named (Iglewicz
and Hoaglin 1993)."""

NORMAL = 1.4826
"""Standard deviation of a normal law in median absolute deviations."""

UNSTABLE = 2.0
"""Spread over rounds, in that of the middle player, from which on scores are called unstable."""

STEEPEST = 20.0
"""Steepness of a curve at most, for ratings in units of their range."""

STEPS = (1.0, 3.0, 8.0), (0.1, 0.3, 0.5, 0.7, 0.9)
"""Steepness and middle of the curves from which the best is sought."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line: score = intercept + slope · EPP.

    Attributes
    ----------
    slope, intercept : by least squares.
    correlation : Pearson's r; None where all scores are equal.
    """

    slope: float
    intercept: float
    correlation: float | None

    @property
    def r_squared(self) -> float:
        """Share of the scores' variance along the line."""
        return 0.0 if self.correlation is None else self.correlation**2

    def at(self, epp: Floats) -> Floats:
        """(k,) scores on the line."""
        return self.intercept + self.slope * epp


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve: score = start + height · σ(steepness · (EPP − middle)).

    Attributes
    ----------
    start, height, steepness, middle : by least squares; height is negative where lower is better.
    r_squared : share of the scores' variance along the curve.
    """

    start: float
    height: float
    steepness: float
    middle: float
    r_squared: float

    def at(self, epp: Floats) -> Floats:
        """(k,) scores on the curve."""
        return np.asarray(
            self.start + self.height * expit(self.steepness * (epp - self.middle)), np.float64
        )


@dataclass(frozen=True, slots=True)
class OffTheLine:
    """A player whose mean score is far from what its rating lets expect.

    Attributes
    ----------
    player : its name.
    epp, mean_score : its rating and mean score.
    expected : the score that goes with the rating.
    off : how far it is from that, in robust standard deviations.
    spread : how much its scores vary over rounds, in what the middle player's do.
    """

    player: str
    epp: float
    mean_score: float
    expected: float
    off: float
    spread: float

    @property
    def unstable(self) -> bool:
        """Whether scores vary so much that this explains the difference."""
        return bool(at_least(self.spread, UNSTABLE))


@dataclass(frozen=True, slots=True)
class Relation:
    """How the mean scores of a board go with its ratings.

    Attributes
    ----------
    players : how many have both.
    line : the straight line.
    curve : the logistic curve; None with fewer than 10 players.
    shape : which of the two describes the players better, by AICc.
    off : players far from it, the farthest first; none with fewer than 10 players.
    nouns : what players, rounds and tournaments are called.
    """

    players: int
    line: Line
    curve: Curve | None
    shape: Shape
    off: tuple[OffTheLine, ...]
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """How mean scores go with ratings, in words."""
        return present.describe_relation(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = without_nouns(asdict(self))
        data["line"]["r_squared"] = self.line.r_squared
        data["off"] = [{**asdict(one), "unstable": one.unstable} for one in self.off]
        return data


def fit_line(x: Floats, y: Floats) -> Line | None:
    """The line; None where all ``x`` are equal.

    >>> fit_line(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]))
    Line(slope=2.0, intercept=1.0, correlation=1.0)
    """
    across, up = x - x.mean(), y - y.mean()
    square, rounding = float(across @ across), EQUAL * float(np.abs(y).max(initial=0.0))
    if np.ptp(x) <= EQUAL:
        return None
    slope, r = float(across @ up) / square, None
    if np.ptp(y) > rounding:
        r = float(np.clip(across @ up / np.sqrt(square * float(up @ up)), -1.0, 1.0))
    if abs(slope) * np.ptp(x) <= rounding:
        slope = 0.0
    intercept = float(y.mean() - slope * x.mean())
    return Line(slope, intercept if abs(intercept) > rounding else 0.0, r)


def fit_curve(x: Floats, y: Floats) -> Curve:
    """The logistic curve through points, by least squares; ``x`` and ``y`` each differ somewhere.

    Start and height follow from the other two, so that only these are sought.

    >>> x = np.linspace(-3.0, 3.0, 21)
    >>> found = fit_curve(x, 0.5 + 0.4 * expit(1.5 * (x - 1.0)))
    >>> round(found.steepness, 4), round(found.middle, 4), round(found.start + found.height, 4)
    (1.5, 1.0, 0.9)
    """
    # It takes long to import, and most boards are never asked.
    from scipy.optimize import least_squares

    low, reach = float(x.min()), float(np.ptp(x))
    place, score = (x - low) / reach, (y - y.mean()) / y.std()

    def off(shape: Floats) -> Floats:
        """How far the scores are from the best curve of a steepness and a middle."""
        rise = expit(shape[0] * (place - shape[1]))
        rise = rise - rise.mean()
        return np.asarray(score - rise * (rise @ score) / (rise @ rise), np.float64)

    starts = [np.array([steep, middle]) for steep in STEPS[0] for middle in STEPS[1]]
    best = min(starts, key=lambda start: float((off(start) ** 2).sum()))
    bounds = [0.1, -0.5], [STEEPEST, 1.5]
    steep, middle = least_squares(off, best, bounds=bounds, xtol=1e-12, ftol=1e-12).x.tolist()
    rise = expit(steep * (place - middle))
    along = fit_line(rise, y)
    assert along is not None
    return Curve(
        start=along.intercept,
        height=along.slope,
        steepness=steep / reach,
        middle=low + middle * reach,
        r_squared=along.r_squared,
    )


def _choose(line: Line, curve: Curve, players: int) -> Shape:
    """The curve if it is better by more than its two further numbers would be by chance."""

    def misfit(r_squared: float, numbers: int) -> float:
        left = max(1.0 - r_squared, EQUAL)
        correction = 2.0 * numbers * players / (players - numbers - 1.0)
        return players * float(np.log(left)) + correction

    better = misfit(curve.r_squared, 5) < misfit(line.r_squared, 3) - BETTER
    return "S-shaped" if better else "straight"


def relate(players: Sequence[str], epp: Floats, mean_score: Floats, results: Results) -> Relation:
    """How mean scores go with ratings.

    Parameters
    ----------
    players : (m,) names.
    epp, mean_score : (m,) ratings, and mean scores as they were measured; NaN where there are none.
    results : the scores themselves, of the same players.
    """
    kept = np.flatnonzero(np.isfinite(mean_score))
    x, y = epp[kept], mean_score[kept]
    line = fit_line(x, y) if kept.size else None
    if line is None or line.correlation is None:
        raise NoRelation(reason=f"all {'ratings' if line is None else 'mean scores'} are equal")
    if kept.size < FEWEST:
        return Relation(kept.size, line, None, "straight", ())
    curve = fit_curve(x, y)
    shape = _choose(line, curve, kept.size)
    expected = curve.at(x) if shape == "S-shaped" else line.at(x)
    off, spread = _standardised(y - expected), _spreads(results)[kept]
    far = [k for k in np.argsort(-np.abs(off), kind="stable").tolist() if abs(off[k]) > FAR]
    found = (
        OffTheLine(
            player=players[kept[k]],
            epp=float(x[k]),
            mean_score=float(y[k]),
            expected=float(expected[k]),
            off=float(off[k]),
            spread=float(spread[k]),
        )
        for k in far
    )
    return Relation(kept.size, line, curve, shape, tuple(found))


def _standardised(off: Floats) -> Floats:
    """(k,) distances in robust standard deviations; 0 where more than half have none."""
    centred = off - np.median(off)
    scale = NORMAL * float(np.median(np.abs(centred)))
    return np.zeros_like(off) if scale <= EQUAL * np.abs(off).max() else centred / scale


def _spreads(results: Results) -> Floats:
    """(m,) how much scores vary over rounds, the round's middle taken off, in what is usual."""
    table = score_table(results)
    table = np.where(np.isfinite(table), table, np.nan)
    table = table[np.isfinite(table).any(axis=1)]
    around = table - np.nanmedian(table, axis=1, keepdims=True)
    there = np.isfinite(around)
    number = np.maximum(there.sum(axis=0), 2)
    total = np.where(there, around, 0.0).sum(axis=0) / number
    squares = np.where(there, around - total, 0.0) ** 2
    spread = np.sqrt(squares.sum(axis=0) / (number - 1))
    usual = float(np.median(spread))
    return spread / usual if usual > 0.0 else np.where(spread > 0.0, np.inf, 1.0)
