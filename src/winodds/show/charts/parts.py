"""What charts of leaderboards share: headings, axes of names and ratings, open ends."""

import textwrap
from collections.abc import Callable, Sequence
from math import floor, log10
from typing import Any, Literal, TypeAlias

import altair as alt
from rich.cells import cell_len

from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure

WIDTH = 440
STEP = 18
"""Width of a plot of players, and height of a player's line."""

SIGN = 6.0
"""About the width of a sign."""

LIMIT = 420
"""Width at which an axis cuts names: labels are short, and differ at their ends, too."""

MOST_LINES = 6
"""Lines of a caption up to which all of it is shown in the picture."""


def heading(figure: Figure, width: float) -> dict[str, Any]:
    """Title and caption of a picture of this width, names included.

    Of a long caption, only what was left out and what to doubt stands there, however long it is.
    """
    signs = max(48, int(width / SIGN))
    lines = textwrap.wrap(figure.caption, signs)
    if len(lines) > MOST_LINES:
        lines = textwrap.wrap(figure.left_out, signs)
    subtitle: dict[str, Any] = {"subtitle": lines} if lines else {}
    title = alt.TitleParams(text=figure.title, **subtitle)
    return {"title": title, "description": f"{figure.title}. {figure.caption}"}


def names_width(labels: Sequence[str]) -> float:
    """About the width of the longest name."""
    return SIGN * max(map(cell_len, labels), default=0)


def part_of(figure: Figure, part: str) -> list[dict[str, Any]]:
    """The rows of one part of the drawing."""
    return [row for row in figure.rows if row["part"] == part]


def names_axis(field: str = "label", order: str = "order", **more: Any) -> alt.Y:
    """Names one below the other, in the order of another column."""
    by = alt.EncodingSortField(field=order, op="min", order="ascending")
    axis: dict[str, Any] = {"title": None, "domain": False, "ticks": False, "labelColor": LIGHT.ink}
    axis |= {"labelPadding": 8, "labelLimit": LIMIT, **more}
    return alt.Y(field=field, type="nominal", sort=by, axis=alt.Axis(**axis))


def number_axis(field: str, title: str, domain: Sequence[float], **more: Any) -> alt.X:
    """A horizontal axis with exactly this domain."""
    scale = alt.Scale(domain=list(domain), nice=False, zero=False)
    axis = alt.Axis(**{"title": title, "labelFlush": False, **more})
    return alt.X(field=field, type="quantitative", scale=scale, axis=axis)


def tooltips(figure: Figure, *fields: str) -> list[alt.Tooltip]:
    """What a reader sees who points at a mark."""
    kinds: dict[type, Any] = {
        str: "nominal",
        bool: "nominal",
        int: "quantitative",
        float: "quantitative",
    }
    listed = []
    for field in fields:
        kind = figure.columns[field].kind
        digits: dict[str, Any] = {"format": ".4~g"} if kind is float else {}
        title = field.replace("_", " ")
        listed.append(alt.Tooltip(field=field, type=kinds[kind], title=title, **digits))
    return listed


def draw_bars(
    rows: list[dict[str, Any]], y: Any, axis: tuple[str, Sequence[float]], **style: Any
) -> list[alt.Chart]:
    """Intervals as lines; an open end reaches the edge of the plot and has an arrow there."""
    x = number_axis("start", *axis)
    bars = alt.Chart(source_of(rows)).mark_rule(color=LIGHT.line, **style)
    layers = [bars.encode(x=x, x2=alt.X2(field="stop"), y=y)]
    for end, edge, shape in (("low", "start", "triangle-left"), ("high", "stop", "triangle-right")):
        if opened := [row for row in rows if row[end] is None]:
            arrows = alt.Chart(source_of(opened)).mark_point(
                shape=shape, size=46, color=LIGHT.line, opacity=1
            )
            layers.append(arrows.encode(x=number_axis(edge, *axis), y=y))
    return layers


Paint: TypeAlias = Callable[[str], dict[str, Any]]
"""From a field to the encodings that colour a cell by it."""


def shade(low: float, middle: float, high: float) -> Paint:
    """Cells that are paper in the middle, ever deeper above it, and below it ever more pale.

    The colours are whole, and only how much of the paper shines through differs: so a page that
    puts its own colours in their place gets its own paper in the middle.
    """
    strength = alt.Scale(domain=[low, middle, high], range=[1, 0, 1])

    def paint(field: str) -> dict[str, Any]:
        above = f"datum[{field!r}] > {middle!r}"
        colour = alt.condition(above, alt.value(LIGHT.deep), alt.value(LIGHT.pale))
        return {"color": colour, "fillOpacity": _see_through(field, strength)}

    return paint


def deepen(high: float, colour: str, *, kind: Literal["linear", "sqrt"] = "linear") -> Paint:
    """Cells that are paper at 0 and wholly coloured at ``high``."""
    strength = alt.Scale(type=kind, domain=[0, high], range=[0, 1])
    return lambda field: {
        "color": alt.value(colour),
        "fillOpacity": _see_through(field, strength),
    }


def _see_through(field: str, scale: alt.Scale) -> alt.FillOpacity:
    return alt.FillOpacity(field=field, type="quantitative", scale=scale, legend=None)


def patches(
    title: Sequence[str], steps: Sequence[tuple[float, str]], paint: Paint, right: float
) -> list[alt.Chart]:
    """The legend of such cells, beside the plot: a patch and a word for each of some values.

    Legends of the library know colours or strengths, but not both.
    """
    above = LEGEND_LINE * len(title)
    rows = []
    for k, (value, word) in enumerate(steps):
        top = above + SWATCH * k
        ends = {"top": top, "middle": top + SWATCH / 2, "end": top + SWATCH}
        rows.append({"value": value, "word": word, **ends})
    heads = [{"word": word, "middle": 4 + LEGEND_LINE * k} for k, word in enumerate(title)]
    squares = alt.Chart(source_of(rows)).mark_rect(stroke=LIGHT.line, strokeWidth=0.4)
    words = alt.Chart(source_of(rows)).mark_text(align="left", fontSize=10, color=LIGHT.muted)
    over = alt.Chart(source_of(heads)).mark_text(align="left", fontSize=11, color=LIGHT.ink)
    text = alt.Text(field="word", type="nominal")
    square: dict[str, Any] = {"x": alt.value(right), "x2": alt.value(right + SWATCH)}
    square |= {"y": _pixel("top"), "y2": alt.Y2(field="end")}
    return [
        squares.encode(**square, **paint("value")),
        words.encode(x=alt.value(right + SWATCH + 6), y=_pixel("middle"), text=text),
        over.encode(x=alt.value(right), y=_pixel("middle"), text=text),
    ]


LEGEND_LINE = 14
SWATCH = 16
"""Height of a line of a legend's title, and side of a patch."""


def _pixel(field: str) -> alt.Y:
    """Places down the plot that need no scale."""
    return alt.Y(field=field, type="quantitative", scale=None, axis=None)


def round_between(low: float, high: float) -> list[float]:
    """About three round numbers up to ``high``, none of them 0.

    >>> round_between(3, 90), round_between(20, 20.5), round_between(0.2, 0.9)
    ([20.0, 40.0, 80.0], [20.0], [0.2, 0.4, 0.8])
    """
    unit = 10.0 ** floor(log10(high))
    top = next(size * unit for size in (8, 6, 5, 4, 3, 2, 1) if size * unit <= high)
    return [float(f"{top / part:.6g}") for part in (4, 2, 1) if part == 1 or top / part >= low]


def zero_line(domain: Sequence[float]) -> list[alt.Chart]:
    """A dashed line at zero, if it is on the plot."""
    if not domain[0] < 0.0 < domain[1]:
        return []
    line = alt.Chart(source_of([{"zero": 0.0}])).mark_rule(color=LIGHT.line, strokeDash=[3, 3])
    return [line.encode(x=alt.X(field="zero", type="quantitative"))]
