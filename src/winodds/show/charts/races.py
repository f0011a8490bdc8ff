"""The table of a race → an Altair chart."""

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
PAINT = {"left": LIGHT.deep, "parked": LIGHT.pale, "dropped": LIGHT.vermilion}


def draw_race(figure: Figure) -> Any:
    """A bar for each setting, as long as its splits, with a word at its end."""
    source = source_of(figure.rows)
    colour = alt.Color(
        field="state",
        type="nominal",
        scale=alt.Scale(domain=list(PAINT), range=list(PAINT.values())),
        legend=None,
    )
    x = number_axis("paid", "splits paid for", (0, figure.facts["splits"]))
    seen = tooltips(figure, "label", "paid", "word", "back")
    bars = alt.Chart(source).mark_bar(size=STEP - 6)
    text = alt.Chart(source).mark_text(align="left", dx=5, fontSize=11)
    layers = [
        bars.encode(x=x, y=names_axis(), color=colour, tooltip=seen),
        text.encode(x=x, y=names_axis(), text=alt.Text(field="word", type="nominal")),
    ]
    wide = WIDTH + names_width([row["label"] for row in figure.rows]) + 60
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(STEP), **heading(figure, wide)
    )
