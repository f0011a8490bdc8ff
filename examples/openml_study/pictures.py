"""The study's pictures. Each takes numbers and names, and gives SVG or a table of HTML."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from counts import FillIn
from drawing import (
    Scale,
    around,
    axis_below,
    axis_left,
    box,
    curve,
    dot,
    line,
    picture,
    round_up,
    signed,
    text,
)
from ratings import BestOfEach

from winodds import Leaderboard
from winodds.board.relation import Relation

Colours = Callable[[str | None], str]
"""From an algorithm to the class of its colour."""

ROW = 19.0
"""Height of a line with a name."""


# Counts -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often values fall into each of some equal bins.

    Attributes
    ----------
    start, width : where the first bin begins, and how wide each is.
    counts : of the bins.
    """

    start: float
    width: float
    counts: tuple[int, ...]


def count_bins(values: Sequence[int], most: int = 16) -> Histogram:
    """Bins of whole numbers: one for each number where these are few, else round ones from 0 on.

    >>> count_bins([2, 2, 4])
    Histogram(start=2.0, width=1.0, counts=(2, 0, 1))
    >>> count_bins([10, 150, 399])
    Histogram(start=0.0, width=50.0, counts=(1, 0, 0, 1, 0, 0, 0, 1))
    """
    low, high = min(values), max(values)
    if high - low < most:
        return Histogram(float(low), 1.0, tuple(values.count(k) for k in range(low, high + 1)))
    width = max(round_up((high + 1) / most), 1.0)
    bins = [int(value // width) for value in values]
    return Histogram(0.0, width, tuple(bins.count(k) for k in range(max(bins) + 1)))


def draw_histogram(values: Sequence[int], of: str, what: str) -> str:
    """How often each number, or each range of numbers, comes."""
    found = count_bins(values)
    single = found.width == 1.0
    shift = 0.5 if single else 0.0
    end = found.start + found.width * len(found.counts)
    x = Scale(found.start - shift, end - shift, 56, 330)
    y = Scale(0, max(found.counts) * 1.08, 150, 12)
    bars = []
    for k, number in enumerate(found.counts):
        begin = found.start + k * found.width
        name = f"{begin:,.0f}" if single else f"{begin:,.0f} to {begin + found.width - 1:,.0f}"
        left, right = x.at(begin - shift), x.at(begin - shift + found.width)
        top = y.at(number)
        bars.append(box(left + 1, top, right - left - 2, 150 - top, "bar", f"{name}: {number}"))
    whole = Scale(y.low, y.high, y.start, y.stop)
    parts = [_whole_axis(whole, 330, what), axis_below(x, 150, 150, of), *bars]
    return picture(340, 188, parts, f"{what} by {of}")


def _whole_axis(scale: Scale, right: float, title: str) -> str:
    """A vertical axis of counts, without halves."""
    return axis_left(
        scale, 56, right, title, show=lambda value: f"{value:,.0f}" if value == int(value) else ""
    )


def draw_algorithms(sizes: Sequence[tuple[str, int]], colours: Colours) -> str:
    """How many flows each algorithm has, as bars in its colour."""
    x = Scale(0, max(size for _, size in sizes), 190, 560)
    parts = []
    for k, (name, size) in enumerate(sizes):
        y = 4 + ROW * k
        parts += [
            text(184, y + 13, name, "name end"),
            box(190, y + 2, max(x.at(size) - 190, 1), ROW - 5, colours(name)),
            text(x.at(size) + 5, y + 13, f"{size:,}", "tick"),
        ]
    return picture(610, 8 + ROW * len(sizes), parts, "flows by algorithm")


def draw_fill_in(found: FillIn, *, named: bool) -> str:
    """Yellow where there are results, purple where there are none, as in the thesis."""
    left, top = 170.0, 120.0 if named else 6.0
    step = 26.0 if named else 760.0 / len(found.names)
    height = min(ROW, max(5.0, 620.0 / len(found.tasks)))
    wide = step * len(found.names)
    parts = [box(left, top, wide, height * len(found.tasks), "empty")]
    parts.append(f'<path class="full" d="{_runs(found, left, top, step, height)}"/>')
    if height >= 11:
        parts += [
            text(left - 6, top + height * (k + 0.5) + 4, _cut(task, 26), "tick end")
            for k, task in enumerate(found.tasks)
        ]
    if named:
        for k, name in enumerate(found.names):
            x = left + step * (k + 0.5) + 4
            parts.append(text(x, top - 6, _cut(name, 24), "tick", turn=-50))
    more = 90 if named else 10
    words = f"{found.share:.0%} of the cells are filled"
    return picture(left + wide + more, top + height * len(found.tasks) + 6, parts, words)


def _runs(found: FillIn, left: float, top: float, step: float, height: float) -> str:
    """One path for all filled cells; neighbours in a row are drawn at once."""
    steps = []
    for row, cells in enumerate(found.there.tolist()):
        start: int | None = None
        for column, filled in enumerate([*cells, False]):
            if filled and start is None:
                start = column
            elif not filled and start is not None:
                x, wide = left + step * start, step * (column - start)
                y = top + height * row
                steps.append(f"M{x:.2f} {y:.2f}h{wide:.2f}v{height:.2f}h-{wide:.2f}z")
                start = None
    return "".join(steps)


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


# Ratings ------------------------------------------------------------------------------------------


def draw_scatter(
    board: Leaderboard,
    relation: Relation,
    colours: Colours,
    *,
    metric: str,
    marked: str | None = None,
) -> str:
    """Mean score against EPP, with the line and the curve; the better of the two is bold."""
    rows = [row for row in board if row.mean_score is not None]
    means = [row.mean_score for row in rows if row.mean_score is not None]
    x = around([row.epp for row in rows], 60, 500)
    y = around(means, 300, 10)
    parts = [axis_below(x, 300, 10, "EPP"), axis_left(y, 60, 500, f"mean {metric}")]
    for row in sorted(rows, key=lambda row: row.player == marked):
        assert row.mean_score is not None
        said = f"{row.player}: mean {row.mean_score:.4f}, EPP {signed(row.epp)}"
        style = "marked" if row.player == marked else colours(row.family)
        place = (x.at(row.epp), y.at(row.mean_score))
        parts.append(dot(*place, 5 if row.player == marked else 3, style, said))
        if row.player == marked:
            end = place[0] > 400
            parts.append(
                text(place[0] + (-9 if end else 9), place[1] + 4, f"flow {number_of(row.player)}",
                     "name end strong" if end else "name strong")
            )  # fmt: skip
    shapes: list[tuple[str, Any]] = [("straight", relation.line)]
    if relation.curve is not None:
        shapes.append(("S-shaped", relation.curve))
    for shape, fitted in shapes:
        bold = "fit best" if shape == relation.shape else "fit"
        parts += _along(fitted.at, x, y, f"{bold} {shape.lower()}")
    return picture(510, 340, parts, f"mean {metric} against EPP")


def _along(at: Callable[[Any], Any], x: Scale, y: Scale, style: str) -> list[str]:
    """What was fitted, as far as it stays in the picture."""
    steps = [x.low + (x.high - x.low) * k / 80 for k in range(81)]
    places = [(x.at(own), float(at(own))) for own in steps]
    shown = [(across, y.at(up)) for across, up in places if y.low <= up <= y.high]
    return [curve(shown, style)] if len(shown) > 1 else []


def number_of(flow: str) -> str:
    """The number that a flow's name begins with, or else the name.

    >>> number_of("8456_weka.NaiveBayes(1)"), number_of("mine")
    ('8456', 'mine')
    """
    head = flow.partition("_")[0]
    return head if head.isdecimal() else flow


def draw_boxes(
    rows: Sequence[Mapping[str, Any]],
    colours: Colours,
    *,
    axis: str,
    name: Callable[[str], str] = str,
    mean_order: bool = False,
) -> str:
    """Boxes with whiskers and points, from the table of `season.figures.boxes`."""
    boxes = [row for row in rows if row["part"] == "box"]
    if mean_order:
        boxes.sort(key=lambda row: -float(row["median"]))
    place = {row["box"]: k for k, row in enumerate(boxes)}
    ends = [row[end] for row in boxes for end in ("low", "high")]
    points = [row for row in rows if row["part"] == "point"]
    x = around([*ends, *(row["epp"] for row in points), 0.0], 236, 760)
    bottom = 8 + ROW * len(boxes)
    parts = [axis_below(x, bottom, 4, axis), line(x.at(0), bottom, x.at(0), 4, "zero")]
    for row in boxes:
        parts += _box(row, 4 + ROW * place[row["box"]], x, colours(row["family"]), name)
    for row in points:
        y = 4 + ROW * (place[row["box"]] + 0.5)
        said = f"{row['name']}: {signed(row['epp'])}"
        parts.append(dot(x.at(row["epp"]), y, 2, f"{colours(row['family'])} beyond", said))
    return picture(770, bottom + 38, parts, axis)


def _box(
    row: Mapping[str, Any], top: float, x: Scale, style: str, name: Callable[[str], str]
) -> list[str]:
    middle = top + ROW / 2
    low, q1, median, q3, high = (
        x.at(float(row[end])) for end in ("low", "q1", "median", "q3", "high")
    )
    said = f"{row['box']}: median {signed(row['median'])}, {row['players']} values"
    return [
        text(230, middle + 4, name(str(row["box"])), "name end"),
        line(low, middle, high, middle, "whisker"),
        box(q1, top + 3, max(q3 - q1, 1), ROW - 6, f"{style} filled", said),
        line(median, top + 3, median, top + ROW - 3, "median"),
    ]


# Probability matrices -----------------------------------------------------------------------------


def draw_matrix(
    names: Sequence[str], cells: Sequence[Sequence[tuple[float, bool]]], colours: Colours
) -> str:
    """P(row beats column) in percent, as a table; ∞ marks what the data leave open."""
    head = "".join(f'<th scope="col"><span>{escape(_cut(name, 26))}</span></th>' for name in names)
    body = []
    for k, (name, row) in enumerate(zip(names, cells, strict=True)):
        shown = [
            '<td class="self"></td>' if k == column else _cell(*cell)
            for column, cell in enumerate(row)
        ]
        title = f'<i class="{colours(name)}"></i>{escape(name)}'
        body.append(f'<tr><th scope="row">{title}</th>{"".join(shown)}</tr>')
    top = f"<thead><tr><td></td>{head}</tr></thead>"
    return f'<table class="matrix">{top}<tbody>{"".join(body)}</tbody></table>'


def _cell(chance: float, is_open: bool) -> str:
    shown = escape(chance_words(chance, is_open=is_open))
    return f'<td class="p{round(20 * chance)}">{shown}</td>'


def chance_words(chance: float, *, is_open: bool = False) -> str:
    """A chance in percent that never claims to be certain.

    >>> chance_words(0.724), chance_words(0.9999), chance_words(0.97, is_open=True)
    ('72', '>99', '>97∞')
    """
    inside = min(max(round(100 * chance), 1), 99)
    if is_open:
        return f"{'>' if chance > 0.5 else '<'}{inside}∞"
    if chance > 0.995:
        return ">99"
    return "<1" if chance < 0.005 else f"{inside}"


def face_value(best: BestOfEach) -> list[list[tuple[float, bool]]]:
    """The cells of the thesis's matrix."""
    return [[(chance, False) for chance in row] for row in best.p_win]
