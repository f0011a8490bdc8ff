"""Charts of players who belong together: who cannot be told apart, and families."""

from typing import Any

import altair as alt

from winodds.show.charts.parts import (
    WIDTH,
    heading,
    names_axis,
    names_width,
    number_axis,
    part_of,
    tooltips,
    zero_line,
)
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure

BAR_STEP, LABEL_STEP, MARGIN = 11, 18, 12
"""Heights of a bar's line, a label's line, and the space above each."""

FAMILY_STEP = 30


# Critical differences -----------------------------------------------------------------------------


def draw_critical_difference(figure: Figure) -> Any:
    """Players as labelled ticks of an axis, and bars over those who cannot be told apart."""
    domain = figure.facts["domain"]
    top = MARGIN + BAR_STEP * figure.facts["bar_rows"]
    height = top + MARGIN + LABEL_STEP * figure.facts["label_rows"]
    players = [
        {**row, "zero": 0, "y": top + LABEL_STEP * row["row"], "edge": _edge(row["side"], domain)}
        for row in part_of(figure, "player")
    ]
    on_bars = [
        {**row, "y": MARGIN + BAR_STEP * (row["row"] - 1)}
        for part in ("bar", "member")
        for row in part_of(figure, part)
    ]
    layers = [*_draw_elbows(figure, players, height), *_draw_bars(figure, on_bars, height)]
    sides = [
        names_width([row["label"] for row in players if row["side"] == side])
        for side in ("left", "right")
    ]
    return alt.layer(*layers).properties(
        width=WIDTH, height=height, **heading(figure, WIDTH + sum(sides))
    )


def _edge(side: str, domain: tuple[float, float]) -> float:
    return domain[0] if side == "left" else domain[1]


def _down(field: str, height: int) -> alt.Y:
    scale = alt.Scale(domain=[0, height], reverse=True, nice=False)
    return alt.Y(field=field, type="quantitative", scale=scale, axis=None)


def _across(field: str, figure: Figure) -> alt.X:
    return number_axis(field, figure.facts["x"], figure.facts["domain"], orient="top", grid=False)


def _draw_elbows(figure: Figure, players: list[dict[str, Any]], height: int) -> list[alt.Chart]:
    """From the axis down to the line of the label, and from there to the label."""
    source = source_of(players)
    rule = alt.Chart(source).mark_rule(color=LIGHT.line)
    layers = [
        rule.encode(x=_across("epp", figure), y=_down("zero", height), y2=alt.Y2(field="y")),
        rule.encode(x=_across("epp", figure), x2=alt.X2(field="edge"), y=_down("y", height)),
    ]
    seen = tooltips(figure, "player", "epp")
    sides: list[tuple[str, Any, int]] = [("left", "right", -4), ("right", "left", 4)]
    for side, align, away in sides:
        if rows := [row for row in players if row["side"] == side]:
            text = alt.Chart(source_of(rows)).mark_text(align=align, dx=away, fontSize=11)
            layers.append(
                text.encode(
                    x=_across("edge", figure),
                    y=_down("y", height),
                    text=alt.Text(field="label", type="nominal"),
                    tooltip=seen,
                )
            )
    return layers


def _draw_bars(figure: Figure, rows: list[dict[str, Any]], height: int) -> list[alt.Chart]:
    """Bars with dots on them; those that go on to players not shown end in an arrow."""
    edge = figure.facts["domain"][0]
    bars = [
        {**row, "start": edge if row["goes_on"] else row["low"]}
        for row in rows
        if row["part"] == "bar"
    ]
    if not bars:
        return []
    x, y = _across("epp", figure), _down("y", height)
    layers = [
        alt.Chart(source_of(bars))
        .mark_rule(strokeWidth=3, color=LIGHT.blue)
        .encode(x=x, x2=alt.X2(field="start"), y=y),
        alt.Chart(source_of([row for row in rows if row["part"] == "member"]))
        .mark_point(size=30, color=LIGHT.blue)
        .encode(x=x, y=y, tooltip=tooltips(figure, "player", "epp")),
    ]
    if onwards := [row for row in bars if row["goes_on"]]:
        arrows = alt.Chart(source_of(onwards)).mark_point(
            shape="triangle-left", size=60, color=LIGHT.blue
        )
        layers.append(arrows.encode(x=_across("start", figure), y=y))
    return layers


# Families -----------------------------------------------------------------------------------------


def draw_families(figure: Figure) -> Any:
    """Boxes with points, one family below the other."""
    title, domain = figure.facts["x"], figure.facts["domain"]
    layers = zero_line(domain)
    if boxes := part_of(figure, "box"):
        layers += _draw_boxes(figure, boxes)
    for outlier, shape in ((False, "circle"), (True, "diamond")):
        rows = [row for row in part_of(figure, "player") if row["outlier"] is outlier]
        if rows:
            points = alt.Chart(source_of(rows)).mark_point(
                shape=shape, size=34, opacity=0.75, color=LIGHT.blue
            )
            layers.append(
                points.encode(
                    x=number_axis("epp", title, domain),
                    y=names_axis(),
                    tooltip=tooltips(figure, "player", "family", "epp"),
                )
            )
    wide = WIDTH + names_width(figure.cells["label"])
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(FAMILY_STEP), **heading(figure, wide)
    )


def _draw_boxes(figure: Figure, boxes: list[dict[str, Any]]) -> list[alt.Chart]:
    source, y = source_of(boxes), names_axis()
    axis = (figure.facts["x"], figure.facts["domain"])
    seen = tooltips(figure, "family", "players", "low", "q1", "median", "q3", "high")
    return [
        alt.Chart(source)
        .mark_rule(color=LIGHT.line)
        .encode(x=number_axis("low", *axis), x2=alt.X2(field="high"), y=y),
        alt.Chart(source)
        .mark_bar(fill=LIGHT.grid, stroke=LIGHT.line, height=16)
        .encode(x=number_axis("q1", *axis), x2=alt.X2(field="q3"), y=y, tooltip=seen),
        alt.Chart(source)
        .mark_tick(color=LIGHT.ink, thickness=2, height=16)
        .encode(x=number_axis("median", *axis), y=y),
    ]
