"""Charts of pairs of players: who beats whom, and how well the ratings foretell it."""

from typing import Any

import altair as alt

from winodds.show.charts.parts import LIMIT, heading, names_width, tooltips
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
    colour = alt.Color(
        field="probability",
        type="quantitative",
        scale=alt.Scale(
            domain=[0, 0.5, 1],
            range=[LIGHT.pale, LIGHT.paper, LIGHT.deep],
            interpolate="rgb",
        ),
        legend=alt.Legend(
            title=["P(row beats", "column)"], format="%", values=[0, 0.25, 0.5, 0.75, 1]
        ),
    )
    seen = tooltips(figure, *_named(figure), "probability")
    layers = [alt.Chart(source).mark_rect().encode(x=x, y=y, color=colour, tooltip=seen)]
    if empty := [row for row in figure.rows if row["probability"] is None]:
        layers.append(alt.Chart(source_of(empty)).mark_rect(fill=LIGHT.grid).encode(x=x, y=y))
    if figure.facts["numbered"]:
        layers += _write_numbers(known, x, y)
    wide = step * figure.facts["size"] + names_width(figure.cells["row_label"]) + 110
    return alt.layer(*layers).properties(
        width=alt.Step(step), height=alt.Step(step), **heading(figure, wide)
    )


def _named(figure: Figure) -> tuple[str, str]:
    return ("row_label", "column_label") if figure.facts["joined"] else ("player", "opponent")


def cell_step(figure: Figure) -> float:
    """Width and height of a cell."""
    return min(30.0, max(6.0, SIDE / float(figure.facts["size"])))


def _side(which: str, channel: str, figure: Figure) -> Any:
    """Names along a side, as many as are readable."""
    kind = alt.X if channel == "x" else alt.Y
    by = alt.EncodingSortField(field=which, op="min", order="ascending")
    step = cell_step(figure)
    axis: dict[str, Any] = {"domain": False, "ticks": False, "labelColor": LIGHT.ink, "title": None}
    axis |= {
        "labelLimit": LIMIT,
        "labelOverlap": False,
        "labelFontSize": max(5.0, min(10.0, step - 1.0)),
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


def draw_calibration(figure: Figure) -> Any:
    """Points around the diagonal; larger ones rest on more matches."""
    x = _share("fitted", alt.X, "Share of wins that the ratings foretell", (0.5, 1.0))
    y = _share("observed", alt.Y, "Observed share of wins", (0.0, 1.0))
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
    return chart.properties(width=420, height=320, **heading(figure, 560))


def _by_matches(figure: Figure) -> Any:
    """Areas in proportion to matches; without a legend where all are equal."""
    matches = figure.cells["matches"]
    if not figure.facts["weighty"]:
        return alt.value(46 if figure.facts["single"] else 120)
    scale = alt.Scale(domain=[0, max(matches)], range=[4, 160 if figure.facts["single"] else 400])
    legend = alt.Legend(title="Matches", symbolFillColor=LIGHT.blue, symbolStrokeColor=LIGHT.blue)
    return alt.Size(field="matches", type="quantitative", scale=scale, legend=legend)


def _share(field: str, kind: Any, title: str, domain: tuple[float, float]) -> Any:
    scale = alt.Scale(domain=list(domain), nice=False)
    axis = alt.Axis(title=title, format="%", labelFlush=False)
    return kind(field=field, type="quantitative", scale=scale, axis=axis)
