"""What charts of leaderboards share: headings, axes of names and ratings, open ends."""

import textwrap
from collections.abc import Sequence
from typing import Any

import altair as alt

from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure
from winodds.show.text import cell_width

WIDTH = 440
STEP = 18
"""Width of a plot of players, and height of a player's line."""

SIGN = 6.0
"""About the width of a sign."""

LIMIT = 420
"""Width at which an axis cuts names: labels are short, and differ at their ends, too."""

MOST_LINES = 4
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
    return SIGN * max(map(cell_width, labels), default=0)


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
    return alt.X(field=field, type="quantitative", scale=scale, axis=alt.Axis(title=title, **more))


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


def zero_line(domain: Sequence[float]) -> list[alt.Chart]:
    """A dashed line at zero, if it is on the plot."""
    if not domain[0] < 0.0 < domain[1]:
        return []
    line = alt.Chart(source_of([{"zero": 0.0}])).mark_rule(color=LIGHT.line, strokeDash=[3, 3])
    return [line.encode(x=alt.X(field="zero", type="quantitative"))]
