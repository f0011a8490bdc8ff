"""The tables of a race → Altair charts."""

from typing import Any

import altair as alt

from winodds.show.charts.parts import (
    WIDTH,
    heading,
    names_axis,
    names_width,
    number_axis,
    tooltips,
)
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure

STEP = 18
HEIGHT = 260
PAINT = {"left": LIGHT.deep, "parked": LIGHT.pale, "dropped": LIGHT.vermilion}
KINDS = {
    "paid": ("paid for", LIGHT.deep),
    "parked": ("saved: parked", LIGHT.pale),
    "dropped": ("saved: dropped", LIGHT.vermilion),
    "stopped": ("saved: the race ended", LIGHT.grid),
}
"""Of fits: how they are called, and their colour, from the bottom up."""

SAID = 260
"""About the width of a state with its reason."""


def draw_race(figure: Figure) -> Any:
    """A bar for each setting, as long as its splits, with what became of it and why at its end."""
    rows = [
        {**row, "said": f"{row['word']}: {row['why']}" if row["why"] else row["word"]}
        for row in figure.rows
    ]
    source = source_of(rows)
    colour = alt.Color(
        field="state",
        type="nominal",
        scale=alt.Scale(domain=list(PAINT), range=list(PAINT.values())),
        legend=None,
    )
    x = number_axis("paid", "splits paid for", (0, figure.facts["splits"]))
    seen = tooltips(figure, "label", "paid", "word", "why", "chance", "back")
    bars = alt.Chart(source).mark_bar(size=STEP - 6)
    text = alt.Chart(source).mark_text(align="left", dx=5, fontSize=11)
    layers = [
        bars.encode(x=x, y=names_axis(), color=colour, tooltip=seen),
        text.encode(x=x, y=names_axis(), text=alt.Text(field="said", type="nominal")),
    ]
    wide = WIDTH + names_width([row["label"] for row in rows]) + SAID
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(STEP), **heading(figure, wide)
    )


def draw_ratings(figure: Figure) -> Any:
    """A line for each setting, over the interval of the choice."""
    rows = figure.rows
    first, last = figure.facts["first"], figure.facts["last"]
    x = number_axis("split", "splits", (first, max(last, first + 1)), tickMinStep=1, format="d")
    y = alt.Y(field="epp", type="quantitative", axis=alt.Axis(title="EPP"), scale=_around(rows))
    own = [row for row in rows if row["order"] == 0]
    band = [row for row in own if row["low"] is not None and row["high"] is not None]
    layers = []
    if band:
        area = alt.Chart(source_of(band)).mark_area(color=LIGHT.sky, opacity=0.25)
        low = alt.Y(field="low", type="quantitative", scale=_around(rows), title="EPP")
        layers.append(area.encode(x=x, y=low, y2=alt.Y2(field="high")))
    colour = alt.Color(
        field="label",
        type="nominal",
        sort=alt.EncodingSortField(field="order", op="min", order="ascending"),
        scale=alt.Scale(range=_colours(len({row["label"] for row in rows}))),
        legend=alt.Legend(title=["settings, first", "the choice"], symbolType="stroke"),
    )
    drawn = alt.Chart(source_of(rows)).encode(x=x, y=y, color=colour)
    seen = tooltips(figure, "label", "split", "epp", "low", "high", "p_best", "state")
    ends = alt.Chart(source_of([row for row in rows if row["last"]])).mark_point(size=46)
    layers += [
        drawn.mark_line(strokeWidth=1.8),
        drawn.mark_point(size=14).encode(tooltip=seen),
        ends.encode(x=x, y=y, color=colour, tooltip=seen),
    ]
    wide = WIDTH + names_width([row["label"] for row in rows])
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, **heading(figure, wide))


def _around(rows: list[dict[str, Any]]) -> alt.Scale:
    """A scale of all ratings, and of the interval of the choice as far as it is near."""
    values = [row["epp"] for row in rows]
    low, high = min(values), max(values)
    room = max(0.5 * (high - low), 0.2)
    ends = [
        end
        for row in rows
        if row["order"] == 0
        for end in (row["low"], row["high"])
        if end is not None
    ]
    low = max(min([low, *ends]), low - 2.0 * room)
    high = min(max([high, *ends]), high + 2.0 * room)
    return alt.Scale(domain=[low, high], zero=False, nice=True, clamp=True)


def _colours(lines: int) -> list[str]:
    """The choice in the deepest colour, then the others of the palette, then again."""
    palette = [LIGHT.deep, *LIGHT.categories[1:], LIGHT.muted, LIGHT.pale]
    return [palette[k % len(palette)] for k in range(lines)]


def draw_spent(figure: Figure) -> Any:
    """A bar for each split: fits that were paid for, below those that were saved."""
    kinds = {kind: told for kind, told in KINDS.items() if any(figure.cells[kind])}
    rows = [
        {"split": row["split"], "fits": row[kind], "kind": told[0], "order": order}
        for row in figure.rows
        for order, (kind, told) in enumerate(kinds.items())
    ]
    colour = alt.Color(
        field="kind",
        type="nominal",
        sort=None,
        scale=alt.Scale(
            domain=[word for word, _ in kinds.values()],
            range=[paint for _, paint in kinds.values()],
        ),
        legend=alt.Legend(title="fits"),
    )
    x = alt.X(field="split", type="ordinal", axis=alt.Axis(title="split", labelAngle=0))
    y = alt.Y(
        field="fits",
        type="quantitative",
        axis=alt.Axis(title="settings"),
        scale=alt.Scale(domain=[0, figure.facts["settings"]], nice=False),
    )
    bars = alt.Chart(source_of(rows)).mark_bar()
    drawn = bars.encode(
        x=x,
        y=y,
        color=colour,
        order=alt.Order(field="order", type="quantitative"),
        tooltip=[
            alt.Tooltip(field="split", type="ordinal"),
            alt.Tooltip(field="kind", type="nominal", title="fits"),
            alt.Tooltip(field="fits", type="quantitative", title="number"),
        ],
    )
    return drawn.properties(width=WIDTH, height=HEIGHT, **heading(figure, WIDTH + 120))
