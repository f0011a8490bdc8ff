"""Charts of pairs of players: who beats whom, and how well the ratings foretell it."""

from typing import Any

import altair as alt

from winodds.show.charts.parts import (
    LIMIT,
    heading,
    names_width,
    patches,
    round_between,
    shade,
    tooltips,
)
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure

SIDE = 480
"""Width and height that a matrix takes, unless its cells would be too large or too small."""

STRONG = 0.33
"""Cells so far above one half are dark; those below are light."""


def draw_win_matrix(figure: Figure) -> Any:
    """Cells coloured by probability, with numbers in them where there is room."""
    step = cell_step(figure)
    known = [row for row in figure.rows if row["probability"] is not None]
    source = source_of(known)
    x, y = _side("column", "x", figure), _side("row", "y", figure)
    paint = shade(0.0, 0.5, 1.0)
    more = [] if figure.facts["joined"] else ["record"]
    seen = tooltips(figure, *_named(figure), "probability", *more)
    cells = alt.Chart(source).mark_rect()
    layers = [cells.encode(x=x, y=y, tooltip=seen, **paint("probability"))]
    if empty := [row for row in figure.rows if row["probability"] is None]:
        layers.append(alt.Chart(source_of(empty)).mark_rect(fill=LIGHT.grid).encode(x=x, y=y))
    if figure.facts["numbered"]:
        layers += _write_numbers(known, x, y)
    layers += _mark_surprises(known, x, y, step)
    steps = [(share, f"{share:.0%}") for share in (1.0, 0.75, 0.5, 0.25, 0.0)]
    side = step * figure.facts["size"]
    layers += patches(["P(row beats", "column)"], steps, paint, side + 18)
    wide = side + names_width(figure.cells["row_label"]) + 110
    return alt.layer(*layers).properties(width=side, height=side, **heading(figure, wide))


def _named(figure: Figure) -> tuple[str, str]:
    return ("row_label", "column_label") if figure.facts["joined"] else ("player", "opponent")


def cell_step(figure: Figure) -> float:
    """Width and height of a cell, in which a name of 8 units can be read."""
    return min(30.0, max(9.0, SIDE / float(figure.facts["size"])))


def _side(which: str, channel: str, figure: Figure) -> Any:
    """Names along a side, as many as are readable."""
    kind = alt.X if channel == "x" else alt.Y
    by = alt.EncodingSortField(field=which, op="min", order="ascending")
    step = cell_step(figure)
    axis: dict[str, Any] = {"domain": False, "ticks": False, "labelColor": LIGHT.ink, "title": None}
    axis |= {
        "labelLimit": LIMIT,
        "labelOverlap": False,
        "labelFontSize": min(10.0, step - 1.0),
    }
    if figure.facts["joined"]:
        axis["title"] = "Places by EPP"
    if channel == "x":
        axis |= {"orient": "top", "labelAngle": -60 if step > 13.0 else -90, "labelAlign": "left"}
    return kind(field=f"{which}_label", type="nominal", sort=by, axis=alt.Axis(**axis))


def _write_numbers(rows: list[dict[str, Any]], x: Any, y: Any) -> list[alt.Chart]:
    layers = []
    for dark, colour in ((True, LIGHT.paper), (False, LIGHT.ink)):
        own = [row for row in rows if (row["probability"] - 0.5 > STRONG) is dark]
        if own:
            text = alt.Chart(source_of(own)).mark_text(fontSize=10, color=colour)
            layers.append(text.encode(x=x, y=y, text=alt.Text(field="text", type="nominal")))
    return layers


def _mark_surprises(rows: list[dict[str, Any]], x: Any, y: Any, step: float) -> list[alt.Chart]:
    """A corner in the cells of pairs whose record is not what their ratings say."""
    layers = []
    for dark, colour in ((True, LIGHT.paper), (False, LIGHT.ink)):
        own = [r for r in rows if r["differs"] and (r["probability"] - 0.5 > STRONG) is dark]
        if own:
            size, inset = 0.28 * step, 0.5 * step
            path = f"M {inset - size} {-inset} L {inset} {-inset} L {inset} {size - inset} Z"
            mark = alt.Chart(source_of(own)).mark_point(
                shape=path, size=4.0, filled=True, opacity=1.0, color=colour
            )
            layers.append(mark.encode(x=x, y=y))
    return layers


def draw_calibration(figure: Figure) -> Any:
    """Points around the diagonal; larger ones rest on more matches."""
    lowest = figure.facts["lowest"]
    x = _share("fitted", alt.X, "Share of wins that the ratings foretell", (0.5, 1.0))
    y = _share("observed", alt.Y, "Observed share of wins", (lowest, 1.0))
    seen = ["fitted", "observed", "matches"]
    seen = ["first", "second", *seen] if figure.facts["single"] else [*seen, "pairs"]
    ends = [{"fitted": share, "observed": share} for share in (0.5, 1.0)]
    diagonal = alt.Chart(source_of(ends)).mark_line(
        color=LIGHT.line, strokeDash=[4, 3], strokeWidth=1.2
    )
    opacity = 0.5 if figure.facts["single"] else 0.9
    points = alt.Chart(source_of(figure.rows)).mark_point(opacity=opacity, color=LIGHT.blue)
    chart = alt.layer(
        diagonal.encode(x=x, y=y),
        points.encode(x=x, y=y, size=_by_matches(figure), tooltip=tooltips(figure, *seen)),
    )
    unit = min(WIDEST / 0.5, TALLEST / (1.0 - lowest))
    size = {"width": 0.5 * unit, "height": (1.0 - lowest) * unit}
    return chart.properties(**size, **heading(figure, 560))


WIDEST, TALLEST = 340.0, 460.0
"""Of the plot of calibration, at most; one unit is equally long on both of its axes."""


def _by_matches(figure: Figure) -> Any:
    """Areas in proportion to matches; without a legend where all are equal."""
    matches = figure.cells["matches"]
    if not figure.facts["weighty"]:
        return alt.value(46 if figure.facts["single"] else 120)
    scale = alt.Scale(domain=[0, max(matches)], range=[4, 160 if figure.facts["single"] else 400])
    values = round_between(min(matches), max(matches))
    legend = alt.Legend(
        title="Matches", values=values, symbolFillColor=LIGHT.blue, symbolStrokeColor=LIGHT.blue
    )
    return alt.Size(field="matches", type="quantitative", scale=scale, legend=legend)


def _share(field: str, kind: Any, title: str, domain: tuple[float, float]) -> Any:
    scale = alt.Scale(domain=list(domain), nice=False)
    axis = alt.Axis(title=title, format="%", labelFlush=False, tickCount=6)
    return kind(field=field, type="quantitative", scale=scale, axis=axis)
