"""Tables of the state of the art → Altair charts."""

from collections.abc import Sequence
from math import ceil, log10
from typing import Any

import altair as alt

from winodds.show.charts.parts import heading, names_width, number_axis, part_of, tooltips
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure

WIDTH = 460
LANE = 22
"""Height of a mark's line."""

TALL, DOT = 192, 16
"""Height of a histogram, and of a point in a stack."""

Axis = tuple[str, Sequence[float]]


def _hidden(axis: Axis, field: str) -> alt.X:
    """The horizontal axis of a panel that has another below it."""
    scale = alt.Scale(domain=list(axis[1]), nice=False, zero=False)
    bare = alt.Axis(title=None, labels=False, ticks=False, domain=False)
    return alt.X(field=field, type="quantitative", scale=scale, axis=bare)


def _panel(layers: Sequence[Any], height: float | alt.Step) -> Any:
    return alt.layer(*layers).properties(width=WIDTH, height=height)


def _stack(figure: Figure, panels: Sequence[Any]) -> Any:
    """Panels one below the other, with one axis of scores."""
    labels = [row["label"] for row in part_of(figure, "mark")]
    wide = WIDTH + names_width(labels) + 150
    return alt.vconcat(*panels, spacing=8).properties(**heading(figure, wide))


def _rules(values: Sequence[tuple[float, str, Sequence[int]]]) -> list[Any]:
    """Vertical lines at some values, each with its colour and dashes."""
    return [
        alt.Chart(source_of([{"at": value}]))
        .mark_rule(color=colour, strokeDash=list(dash), strokeWidth=1.4)
        .encode(x=alt.X(field="at", type="quantitative"))
        for value, colour, dash in values
    ]


def _draw_marks(figure: Figure, axis: Axis, rules: Sequence[Any]) -> Any:
    """Marks with their intervals, one below the other, and their numbers beside them."""
    rows = part_of(figure, "mark")
    shown = [{**row, "number": _numbers(row, axis[1])} for row in rows]
    source = source_of(shown)
    scale = alt.Scale(domain=[row["label"] for row in rows])
    names = alt.Axis(title=None, domain=False, ticks=False, labelColor=LIGHT.ink, labelLimit=260)
    y = alt.Y(field="label", type="nominal", sort=None, scale=scale, axis=names)
    seen = tooltips(figure, "label", "value", "low", "high")
    known = source_of([row for row in shown if row["low"] is not None])
    lines = alt.Chart(known).mark_rule(color=LIGHT.sky, strokeWidth=5, strokeCap="round")
    points = alt.Chart(source).mark_point(size=50, color=LIGHT.ink)
    words = alt.Chart(source).mark_text(align="left", fontSize=11)
    layers = [
        *rules,
        lines.encode(x=number_axis("low", *axis), x2=alt.X2(field="high"), y=y, tooltip=seen),
        points.encode(x=number_axis("value", *axis), y=y, tooltip=seen),
        words.encode(x=alt.value(WIDTH + 8), y=y, text=alt.Text(field="number", type="nominal")),
    ]
    return _panel(layers, alt.Step(LANE))


def _numbers(row: dict[str, Any], domain: Sequence[float]) -> str:
    """A score and its interval, with as many decimals as the axis can tell."""
    width = abs(domain[1] - domain[0]) or 1.0
    decimals = min(max(ceil(2.5 - log10(width)), 0), 8)
    value, low, high = (
        "" if row[end] is None else f"{row[end]:z,.{decimals}f}" for end in ("value", "low", "high")
    )
    return f"{value}  ({low} – {high})" if low else value


# Entries ------------------------------------------------------------------------------------------


def draw_entries(figure: Figure) -> Any:
    """Scores as bars or points, and below them the best score and what it is worth."""
    facts = figure.facts
    axis: Axis = (facts["axis"], facts["domain"])
    rules: list[tuple[float, str, Sequence[int]]] = [(facts["observed_max"], LIGHT.ink, (5, 3))]
    if facts["sota"] is not None:
        rules.append((facts["sota"], LIGHT.vermilion, ()))
    entries = part_of(figure, "entry")
    drawn = _draw_points(entries, axis) if entries else _draw_bins(figure, axis)
    tallest = max(row["entries"] for row in entries) if entries else TALL // DOT
    top = _panel([*_rules(rules), *drawn], max(DOT * tallest, 4 * DOT))
    return _stack(figure, [top, _draw_marks(figure, axis, _rules(rules))])


def _draw_bins(figure: Figure, axis: Axis) -> list[Any]:
    """Bars, with a point where one is too low to be seen."""
    rows = part_of(figure, "bin")
    highest = max(row["entries"] for row in rows)
    low = [
        {**row, "middle": 0.5 * (row["low"] + row["high"])}
        for row in rows
        if row["entries"] < 0.01 * highest
    ]
    dots = alt.Chart(source_of(low)).mark_point(size=12, color=LIGHT.blue)
    y = alt.Y(field="entries", type="quantitative", axis=alt.Axis(title="Entries", tickMinStep=1))
    bars = alt.Chart(source_of(rows)).mark_bar(
        color=LIGHT.blue, stroke=LIGHT.paper, strokeWidth=0.5
    )
    return [
        bars.encode(
            x=_hidden(axis, "low"),
            x2=alt.X2(field="high"),
            y=y,
            y2=alt.Y2(datum=0),
            tooltip=tooltips(figure, "low", "high", "entries"),
        ),
        dots.encode(x=_hidden(axis, "middle"), y=y),
    ]


def _draw_points(entries: list[dict[str, Any]], axis: Axis) -> list[Any]:
    """Entries stacked over the middle of their bins."""
    rows = [
        {
            "middle": 0.5 * (row["low"] + row["high"]),
            "place": row["entries"] - 0.5,
            "score": row["value"],
        }
        for row in entries
    ]
    tallest = max(row["entries"] for row in entries)
    scale = alt.Scale(domain=[0, max(tallest, 4)], nice=False)
    y = alt.Y(
        field="place",
        type="quantitative",
        scale=scale,
        axis=alt.Axis(title="Entries", tickMinStep=1, format="d"),
    )
    dots = alt.Chart(source_of(rows)).mark_point(size=34, color=LIGHT.blue)
    seen = [alt.Tooltip(field="score", type="quantitative", format=".6~g")]
    return [dots.encode(x=_hidden(axis, "middle"), y=y, tooltip=seen)]


# Laws ---------------------------------------------------------------------------------------------


def draw_law(figure: Figure) -> Any:
    """Probabilities of one score and of the best, their sums, and marks below."""
    facts = figure.facts
    axis: Axis = (facts["axis"], facts["domain"])
    rules = _rules(
        [
            (facts["theta"], LIGHT.ink, (2, 2)),
            (facts["expected"], LIGHT.blue, ()),
            (facts["upper"], LIGHT.blue, (5, 3)),
        ]
    )
    names = {"one": "one score", "best": f"best of {facts['players']:,}"}
    heights = _lines(figure, axis, "probability", facts["height"])
    sums = _lines(figure, axis, "cdf", ["Probability of", "this score or less"])
    return _stack(
        figure,
        [
            _panel([*rules, *heights, *_write_peaks(figure, names, axis)], 170),
            _panel([*rules, *sums], 110),
            _draw_marks(figure, axis, rules),
        ],
    )


def _lines(figure: Figure, axis: Axis, field: str, title: str | list[str]) -> list[Any]:
    """A dashed line for one score, a solid one for the best."""
    y = alt.Y(field=field, type="quantitative", axis=alt.Axis(title=title, tickCount=4))
    layers = []
    for part, colour, dash in (("one", LIGHT.muted, [5, 3]), ("best", LIGHT.blue, [])):
        line = alt.Chart(source_of(part_of(figure, part))).mark_line(
            color=colour, strokeDash=dash, strokeWidth=2, interpolate="linear"
        )
        seen = tooltips(figure, "value", "probability", "cdf")
        layers.append(line.encode(x=_hidden(axis, "value"), y=y, tooltip=seen))
    return layers


def _write_peaks(figure: Figure, names: dict[str, str], axis: Axis) -> list[Any]:
    """Names of the curves at their highest points."""
    layers = []
    for part, colour in (("one", LIGHT.muted), ("best", LIGHT.blue)):
        peak = max(part_of(figure, part), key=lambda row: float(row["probability"]))
        words = alt.Chart(source_of([{**peak, "name": names[part]}])).mark_text(
            align="right", dx=-8, dy=-4, color=colour, fontSize=12
        )
        y = alt.Y(field="probability", type="quantitative")
        text = alt.Text(field="name", type="nominal")
        layers.append(words.encode(x=_hidden(axis, "value"), y=y, text=text))
    return layers


def draw_curves(figure: Figure) -> Any:
    """Bias and standard deviation side by side, with a point at the law itself."""
    width = 300
    own = [row for row in figure.rows if row["stated"]]
    seen = tooltips(figure, "at", "bias", "sd", "expected")
    panels = []
    for field, title in (("bias", "Bias"), ("sd", "Standard deviation")):
        y = alt.Y(
            field=field,
            type="quantitative",
            # A bias of nothing may come out a hair below 0.
            scale=alt.Scale(domainMin=0, nice=True),
            axis=alt.Axis(title=title, tickCount=6),
        )
        line = alt.Chart(source_of(figure.rows)).mark_line(strokeWidth=2, color=LIGHT.blue)
        dots = alt.Chart(source_of(figure.rows)).mark_point(size=14, color=LIGHT.blue)
        point = alt.Chart(source_of(own)).mark_point(size=80, color=LIGHT.vermilion)
        x = _curve_axis(figure)
        layers = [mark.encode(x=x, y=y, tooltip=seen) for mark in (line, dots, point)]
        panels.append(alt.layer(*layers).properties(width=width, height=220))
    return alt.hconcat(*panels, spacing=30).properties(**heading(figure, 2 * width + 120))


def _curve_axis(figure: Figure) -> alt.X:
    facts, values = figure.facts, figure.cells["at"]
    low, high = min(values), max(values)
    if not facts["log"] or low <= 0.0 or low == high:
        scale = alt.Scale(zero=False, nice=False, padding=8)
        axis = alt.Axis(title=facts["axis"], tickCount=6, labelFlush=False, labelOverlap=True)
        return alt.X(field="at", type="quantitative", scale=scale, axis=axis)
    powers = range(ceil(log10(low) - 1e-9), ceil(log10(high) + 1e-9) + 1)
    ticks = [10.0**power for power in powers if 10.0**power <= high * (1.0 + 1e-9)]
    scale = alt.Scale(type="log", domain=[low, high], nice=False, padding=8)
    axis = alt.Axis(
        title=facts["axis"], values=ticks, format=",", labelFlush=False, labelOverlap=True
    )
    return alt.X(field="at", type="quantitative", scale=scale, axis=axis)
