"""Charts of chances over a season: on a new data set, between families, and of tuning."""

from typing import Any

import altair as alt

from winodds.show.charts.panels import names_in
from winodds.show.charts.parts import (
    STEP,
    WIDTH,
    heading,
    names_width,
    number_axis,
    patches,
    shade,
    tooltips,
)
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure
from winodds.show.figures.labels import label_names

CELL = (52.0, 24.0)
"""Width and height of a cell of a matrix."""

COLUMN_LABEL = 22
"""Signs of a name above a column."""

STRONG = 0.33
"""Cells so far above one half are dark."""

TELLINGS = {
    "held_out": (None, "circle", LIGHT.blue),
    "shrunken": ("shrunken", "square", LIGHT.green),
    "plug_in": ("at face value", "diamond", LIGHT.vermilion),
}
"""The ways in which a gain is told, with shape and colour; words of the first are the figure's."""


def _labelled(figure: Figure, field: str) -> list[dict[str, Any]]:
    return [{**row, "label": figure.facts["labels"][row[field]]} for row in figure.rows]


def _chance(field: str, title: str) -> alt.X:
    return number_axis(field, title, (0.0, 1.0), format="%", tickCount=5)


def _half() -> Any:
    """A dashed line where both win equally often."""
    line = alt.Chart(source_of([{"half": 0.5}])).mark_rule(color=LIGHT.line, strokeDash=[3, 3])
    return line.encode(x=alt.X(field="half", type="quantitative"))


# On a new data set --------------------------------------------------------------------------------


def draw_new_data_set(figure: Figure) -> Any:
    """Points with two lines: the interval, thick, and the range over new data sets, thin."""
    rows = _labelled(figure, "player")
    labels = [row["label"] for row in rows]
    title, y, source = figure.facts["axis"], names_in(labels), source_of(rows)
    seen = tooltips(
        figure,
        *("player", "p_win_round", "low", "high", "new_low", "new_high", "p_better", "tau"),
        *("shared", "separated"),
    )
    lines = alt.Chart(source)
    text = lines.mark_text(align="left", fontSize=11, color=LIGHT.ink)
    heads = [{"word": "truly better"}]
    over = alt.Chart(source_of(heads)).mark_text(align="left", fontSize=11, color=LIGHT.muted)
    word = alt.Text(field="word", type="nominal")
    layers = [
        _half(),
        lines.mark_rule(color=LIGHT.line, strokeWidth=1).encode(
            x=_chance("new_low", title), x2=alt.X2(field="new_high"), y=y
        ),
        lines.mark_rule(color=LIGHT.blue, strokeWidth=4, opacity=0.55).encode(
            x=_chance("start", title), x2=alt.X2(field="stop"), y=y
        ),
        lines.mark_point(size=46, color=LIGHT.blue, filled=True, opacity=1).encode(
            x=_chance("p_win_round", title), y=y, tooltip=seen
        ),
        text.encode(x=alt.value(WIDTH + 14), y=y, text=alt.Text(field="text", type="nominal")),
        over.encode(x=alt.value(WIDTH + 14), y=alt.value(-8), text=word),
    ]
    wide = WIDTH + names_width(labels) + 80
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(STEP), **heading(figure, wide)
    )


# Between families ---------------------------------------------------------------------------------


def draw_family_matrix(figure: Figure) -> Any:
    """Cells coloured by chance, with their numbers."""
    of = figure.facts["labels"]
    names = list(of)
    columns = dict(zip(names, label_names(names, COLUMN_LABEL), strict=True))
    rows = [
        {**row, "label": of[row["family"]], "column_label": columns[row["opponent"]]}
        for row in figure.rows
    ]
    known = [row for row in rows if row["probability"] is not None]
    x, y = _columns_axis(list(columns.values())), names_in(list(of.values()))
    paint = shade(0.0, 0.5, 1.0)
    cells = alt.Chart(source_of(known)).mark_rect(stroke=LIGHT.line, strokeWidth=0.4)
    seen = tooltips(figure, "family", "opponent", "probability", "low", "high")
    empty = [row for row in rows if row["probability"] is None]
    layers = [
        alt.Chart(source_of(empty)).mark_rect(fill=LIGHT.grid).encode(x=x, y=y),
        cells.encode(x=x, y=y, tooltip=seen, **paint("probability")),
        *_write_chances(known, x, y),
    ]
    width, height = CELL[0] * len(names), CELL[1] * len(names)
    steps = [(share, f"{share:.0%}") for share in (1.0, 0.75, 0.5, 0.25, 0.0)]
    layers += patches(["P(row beats", "column)"], steps, paint, width + 18)
    wide = max(width + names_width(list(of.values())) + 110, 460)
    return alt.layer(*layers).properties(width=width, height=height, **heading(figure, wide))


def _columns_axis(labels: list[str]) -> alt.X:
    axis = alt.Axis(
        title=None,
        orient="top",
        domain=False,
        ticks=False,
        labelColor=LIGHT.ink,
        labelAngle=-40,
        labelAlign="left",
        labelLimit=170,
        labelOverlap=False,
    )
    scale = alt.Scale(domain=labels)
    return alt.X(field="column_label", type="nominal", sort=None, scale=scale, axis=axis)


def _write_chances(rows: list[dict[str, Any]], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Numbers in cells, light on dark ones."""
    layers = []
    for dark, colour in ((True, LIGHT.paper), (False, LIGHT.ink)):
        if own := [row for row in rows if (row["probability"] - 0.5 > STRONG) is dark]:
            text = alt.Chart(source_of(own)).mark_text(fontSize=11, color=colour)
            layers.append(text.encode(x=x, y=y, text=alt.Text(field="text", type="nominal")))
    return layers


# Tuning -------------------------------------------------------------------------------------------


def draw_tunability(figure: Figure) -> Any:
    """Three tellings of each family's gain, and the interval of the one to go by."""
    rows = _labelled(figure, "family")
    labels = [row["label"] for row in rows]
    title, y = figure.facts["axis"], names_in(labels)
    told = [
        {**row, "chance": row[name], "telling": TELLINGS[name][0] or figure.facts["picked"]}
        for name in reversed(TELLINGS)
        for row in rows
        if row[name] is not None
    ]
    bounded = [row for row in rows if row["low"] is not None and row["high"] is not None]
    lines = alt.Chart(source_of(bounded)).mark_rule(color=LIGHT.blue, strokeWidth=2, opacity=0.55)
    words, shapes, colours = (list(own) for own in zip(*TELLINGS.values(), strict=True))
    words = [word or figure.facts["picked"] for word in words]
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal")
    seen = tooltips(figure, "family", "held_out", "low", "high", "shrunken", "plug_in", "settings")
    points = alt.Chart(source_of(told)).mark_point(size=60, filled=True, opacity=1)
    layers = [
        _half(),
        lines.encode(x=_chance("low", title), x2=alt.X2(field="high"), y=y),
        points.encode(
            x=_chance("chance", title),
            y=y,
            tooltip=seen,
            **{
                name: kind(
                    field="telling",
                    type="nominal",
                    scale=alt.Scale(domain=words, range=values),
                    legend=legend,
                )
                for name, kind, values in (
                    ("color", alt.Color, colours),
                    ("shape", alt.Shape, shapes),
                )
            },
        ),
    ]
    wide = WIDTH + names_width(labels)
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(STEP + 6), **heading(figure, wide)
    )
