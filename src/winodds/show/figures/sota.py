"""The state of the art → the tables of its figures: entries, and laws of the best score.

Examples
--------
>>> from winodds import law_of_maximum
>>> law = law_of_maximum(1000, theta=0.9, n=3000)
>>> figure = law.figures.curves(over="players", values=[100, 1000])
>>> [round(row["bias"], 4) for row in figure.rows]
[0.0135, 0.0173]
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from winodds.arrays import Floats
from winodds.language.checks import check_between, check_count, check_number
from winodds.language.errors import BadOption
from winodds.language.words import count, level_words
from winodds.show.errors import NoFigure
from winodds.show.figures.curves import Over, make_curves
from winodds.show.figures.extent import join_words
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.pages import span
from winodds.show.words.sota import PERFORMANCE, describe_sota
from winodds.sota.answer import Expected, Sota

if TYPE_CHECKING:
    from winodds.sota.laws.law import MaximumLaw
    from winodds.sota.what_if import StatedLaw

AROUND = 2.0
"""The view begins so many times the width of all marks below the lowest of them."""

FEW_ENTRIES = 150
TALLEST = 20
"""Up to so many entries, and so many in one bin, each entry is a point."""

MOST_VALUES = 400
"""Values of a curve at most; more are averaged with their neighbours."""

NEVER = 1e-6
"""Probability of the tails that are not drawn."""


class SotaFigures:
    """The figures of an estimate of the state of the art, each a table.

    Methods
    -------
    entries : the scores of all entries, the best score, and what it is worth without luck.
    """

    __slots__ = ("_found",)

    def __init__(self, found: Sota) -> None:
        self._found = found

    def entries(self, *, worst: float | None = None, bins: int = 60) -> Figure:
        """The scores of the entries, the best score, the state of the art and intervals.

        Parameters
        ----------
        worst : the worst score that is shown; by default the view ends some way behind all marks.
        bins : of the scores, at most.
        """
        return make_entries(self._found, worst=worst, bins=bins)


class LawFigures:
    """The figures of a law of the best score, each a table.

    Methods
    -------
    law : probabilities of the best score and of one entry's score.
    curves : bias and standard deviation when one of the parameters changes.
    """

    __slots__ = ("_law",)

    def __init__(self, law: "StatedLaw") -> None:
        self._law = law

    def law(self, *, level: float = 0.95) -> Figure:
        """Probabilities of the best score, beside those of one entry of the best performance.

        Parameters
        ----------
        level : of the intervals.
        """
        return make_law(self._law, level=level)

    def curves(
        self,
        *,
        over: Over = "players",
        values: Sequence[float] | None = None,
        points: int | None = None,
    ) -> Figure:
        """Bias and standard deviation of the best score when one parameter changes.

        Parameters
        ----------
        over : "players", "n", "theta", "spread" or "correlation"; the others are as in the law.
        values : of this parameter; by default a range around that of the law.
        points : how many, without values; by default 25, or 10 for AUC, which takes longer.
        """
        return make_curves(self._law, over=over, values=values, points=points)


# Entries ------------------------------------------------------------------------------------------

ENTRIES = {
    "part": Column(str, 'What the row is: a "bin" of scores, an "entry", or a "mark".'),
    "label": Column(str, "What a mark is."),
    "value": Column(float, "The score of an entry or a mark."),
    "low": Column(float, "Lower end of a bin, or of a mark's interval."),
    "high": Column(float, "Upper end of a bin, or of a mark's interval."),
    "entries": Column(int, "Entries in a bin; of an entry, its place in the stack of its bin."),
}


def make_entries(found: Sota, *, worst: float | None = None, bins: int = 60) -> Figure:
    """The entries' scores and what the best is worth; see `SotaFigures.entries`."""
    check_count("bins", bins)
    if not found.scores.size:
        raise NoFigure(figure="entries", reason="the scores of the entries were not kept")
    marks = _marks(found)
    side = 1.0 if found.higher_is_better else -1.0
    begin = _begin(found, marks, side) if worst is None else _check_worst(found, worst, side)
    shown = np.sort(found.scores[side * found.scores >= side * begin])
    step, start = _steps(found, shown, bins)
    rows = [*_score_rows(shown, step, start), *marks]
    hidden = found.scores.size - shown.size
    doubts = [
        _within_words(found),
        _how_to_read_entries(found),
        _hidden_words(found, hidden, begin),
    ]
    return Figure(
        name="entries",
        title=_entries_title(found),
        caption=join_words([describe_sota(found), *doubts]),
        left_out=join_words(doubts),
        columns=ENTRIES,
        cells={name: [row.get(name) for row in rows] for name in ENTRIES},
        facts={
            "axis": _score_title(found.metric, found.n),
            "level": found.level,
            "observed_max": found.observed_max,
            "sota": found.sota,
            "explained": found.explained,
            "hidden": hidden,
            "begin": begin,
            "domain": _domain(rows),
        },
    )


def _domain(rows: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Both ends of the axis of scores."""
    ends = [row.get(end) for row in rows for end in ("value", "low", "high")]
    return span(np.array([end for end in ends if end is not None]))


def _entries_title(found: Sota) -> str:
    if found.verdict != "ahead":
        return "The best score and the state of the art"
    side = "higher" if found.higher_is_better else "lower"
    return f"The best score is {side} than luck leads one to expect"


def _within_words(found: Sota) -> str:
    """Said of a best score that is refused, and yet is not beyond what luck can do."""
    usual = found.face_value
    if found.verdict != "ahead" or not usual.low <= found.observed_max <= usual.high:
        return ""
    side = "higher" if found.higher_is_better else "lower"
    level = level_words(found.level)
    return f"The best score is {side} than expected, though within its {level} interval."


def _hidden_words(found: Sota, hidden: int, begin: float) -> str:
    where = "below" if found.higher_is_better else "above"
    return f"{count(hidden, 'entry', 'entries')} {where} {begin:.4g} not shown." if hidden else ""


def _how_to_read_entries(found: Sota) -> str:
    """What the lines and the rows below the scores are; it stands in the picture, too."""
    level = level_words(found.level)
    then = (
        '; "best score to expect then", if performances are as estimated'
        if found.expected is not None
        else ""
    )
    return (
        f"The dashed line is the best score, the solid one the state of the art; below are {level} "
        f"intervals. "
        f'"Best score at face value" is what the best is expected to score if performances are the '
        f"scores{then}."
    )


def _marks(found: Sota) -> list[dict[str, Any]]:
    """The best score, the state of the art and what to expect, with their intervals."""
    alone = (found.observed_max, found.naive_low, found.naive_high)
    rows = [_mark("best score, taken alone", *alone)]
    rows.append(_mark("state of the art", found.sota, found.low, found.high))
    if found.expected is not None:
        rows.append(_expected("best score to expect then", found.expected))
    return [*rows, _expected("best score at face value", found.face_value)]


def _expected(label: str, ends: Expected) -> dict[str, Any]:
    return _mark(label, ends.value, ends.low, ends.high)


def _mark(
    label: str, value: float, low: float | None = None, high: float | None = None
) -> dict[str, Any]:
    return {"part": "mark", "label": label, "value": value, "low": low, "high": high}


def _begin(found: Sota, marks: list[dict[str, Any]], side: float) -> float:
    """The worst score that is shown: some way behind all marks, or that of the last entry."""
    ends = [row[end] for row in marks for end in ("value", "low", "high") if row[end] is not None]
    placed = side * np.array(ends)
    begin = float(placed.min() - AROUND * np.ptp(placed))
    last = float((side * found.scores).min())
    # A short tail is better shown than left out.
    if begin - last < 0.25 * (float(placed.max()) - begin):
        begin = last
    return side * begin


def _check_worst(found: Sota, worst: float, side: float) -> float:
    check_number("worst", worst)
    if side * worst > side * found.observed_max:
        wanted = f"the best score is {found.observed_max:g}"
        raise BadOption(option="worst", value=worst, wanted=wanted)
    return worst


def _steps(found: Sota, scores: Floats, bins: int) -> tuple[float, float]:
    """Width of the bins, and where the first begins; no bin is narrower than scores are apart."""
    least = float(np.ptp(scores)) / bins
    if found.metric == "accuracy" and found.n is not None:
        step = max(int(np.ceil(least * found.n - 1e-9)), 1) / found.n
        return step, (round(float(scores[0]) * found.n) - 0.5) / found.n
    different = np.unique(scores)
    grain = float(np.diff(different).min(initial=np.inf)) if different.size <= bins else least
    step = _round_up(max(least, min(grain, np.ptp(scores) or 1.0), 1e-12))
    return step, float(np.floor(scores[0] / step + 1e-9) * step)


def _round_up(step: float) -> float:
    """The next of 1, 2, 5, 10, ….

    >>> _round_up(0.0013), _round_up(0.005)
    (0.002, 0.005)
    """
    unit = 10.0 ** np.floor(np.log10(step))
    factor = next(size for size in (1, 2, 5, 10) if size * unit >= step * (1.0 - 1e-9))
    return float(f"{factor * unit:.6g}")


def _score_rows(scores: Floats, step: float, start: float) -> Iterator[dict[str, Any]]:
    """Entries one by one where they are few, else bins."""
    number = np.floor((scores - start) / step + 1e-9).astype(np.int64)
    heights = np.bincount(number)
    if scores.size <= FEW_ENTRIES and heights.max() <= TALLEST:
        seen = np.zeros(heights.size, np.int64)
        for score, k in zip(scores.tolist(), number.tolist(), strict=True):
            seen[k] += 1
            ends = {"low": start + k * step, "high": start + (k + 1) * step}
            yield {"part": "entry", "value": score, **ends, "entries": int(seen[k])}
        return
    for k in np.flatnonzero(heights).tolist():
        ends = {"low": start + k * step, "high": start + (k + 1) * step}
        yield {"part": "bin", **ends, "entries": int(heights[k])}


def _score_title(metric: str, n: int | None) -> str:
    kind = {"accuracy": "Accuracy", "auc": "AUC", "other": "Score"}[metric]
    return kind if n is None else f"{kind} on {count(n, 'test case')}"


# The law of the best score ------------------------------------------------------------------------

LAW = {
    "part": Column(str, 'What the row is: of the "best" score, of "one" score, or a "mark".'),
    "label": Column(str, "What a mark is."),
    "value": Column(float, "The score."),
    "probability": Column(
        float, "Probability of this score; its density for scores that are not counts."
    ),
    "cdf": Column(float, "Probability of this score or less."),
    "low": Column(float, "Lower end of a mark's interval."),
    "high": Column(float, "Upper end of a mark's interval."),
}


def make_law(law: "StatedLaw", *, level: float = 0.95) -> Figure:
    """Probabilities of the best score and of one score; see `LawFigures.law`."""
    check_between("level", level, 0.0, 1.0)
    stated = law.stated
    one = replace(stated, players=1, spread=0.0, correlation=0.0, fixed=False).law()
    counted = stated.metric == "accuracy"
    rows = [
        *_curve_rows("one", one, counted=counted),
        *_curve_rows("best", law, counted=counted),
        _mark("performance of the best, θ", law.best),
        _mark("one score of the best", one.mean, *one.interval(level)),
        _mark("best score of all", law.mean, *law.interval(level)),
    ]
    kind = PERFORMANCE[stated.metric]
    high = law.interval(level)[1]
    words = (
        f"The best score of {count(stated.players, 'entry', 'entries')}, of which the best has "
        f"{kind} {law.best:g}, beside one score of that entry alone. The best score is expected at "
        f"{law.mean:.4f}, {law.bias:.4f} too high, with standard deviation {law.sd:.2g}; its "
        f"{level_words(level)} interval ends at {high:.4f}. {_population_words(law)}"
    )
    lines = (
        "Curves: dashed is one score, solid the best of all. Upright lines: dotted is θ, solid the "
        "expected best score, dashed the upper end of its interval."
    )
    return Figure(
        name="law",
        title=f"The best of {stated.players:,} scores",
        caption=join_words([words, lines]),
        left_out=lines,
        columns=LAW,
        cells={name: [row.get(name) for row in rows] for name in LAW},
        facts={
            "axis": _score_title(stated.metric, stated.n),
            "height": "Probability" if counted else "Density",
            "level": level,
            "theta": law.best,
            "expected": law.mean,
            "upper": high,
            "players": stated.players,
            "domain": _domain(rows),
        },
    )


def _population_words(law: "StatedLaw") -> str:
    stated = law.stated
    spread = (
        f"Performances are uniform over a stretch of {stated.spread:g}"
        if stated.spread
        else "All entries are equally good"
    )
    related = (
        f"each has correlation {stated.correlation:g} with a common variable"
        if stated.correlation
        else "they are independent"
    )
    held = "The common variable is held fixed: exactly a share θ of the cases is easy."
    return join_words([f"{spread}; {related}.", held if stated.fixed else ""])


def _curve_rows(part: str, law: "MaximumLaw", *, counted: bool) -> Iterator[dict[str, Any]]:
    """The law's values, at most so many, without tails that nobody would see."""
    cdf, height, values = law.cdf, law.pmf, law.values
    if not counted:
        height = height / np.gradient(values)
    seen = np.flatnonzero((cdf > NEVER) & (np.concatenate([[0.0], cdf[:-1]]) < 1.0 - NEVER))
    place = np.arange(seen[0], seen[-1] + 1)
    edges = np.unique(np.linspace(0, place.size, min(place.size, MOST_VALUES) + 1).astype(int))
    for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        near = place[begin:end]
        yield {
            "part": part,
            "value": float(values[near].mean()),
            "probability": float(height[near].mean()),
            "cdf": float(cdf[near[-1]]),
        }
