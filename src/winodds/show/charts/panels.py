"""Small panels side by side, with one axis of names for each row of them."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from winodds.show.charts.theme import LIGHT

COLUMNS = 4
"""Panels in a row at most."""

ROOM = 640
"""Width of all panels of a row."""

NARROWEST = 130


def panel_width(panels: int) -> int:
    """Width of one of so many panels."""
    return max(NARROWEST, ROOM // min(panels, COLUMNS) - 16) if panels > 1 else 440


def names_in(labels: Sequence[str], *, shown: bool = True, title: str | None = None) -> alt.Y:
    """An axis of exactly these names, from the top; without them where a neighbour has them."""
    axis = alt.Axis(
        title=title,
        domain=False,
        ticks=False,
        labels=shown,
        labelColor=LIGHT.ink,
        labelLimit=260,
        labelPadding=10,
    )
    scale = alt.Scale(domain=list(labels))
    return alt.Y(field="label", type="nominal", sort=None, scale=scale, axis=axis)


def arrange(panels: Sequence[str], draw: Callable[[int, bool], Any]) -> Any:
    """Panels under their names; ``draw`` gets a panel's number and whether it stands first."""
    drawn = []
    for number, name in enumerate(panels):
        chart = draw(number, number % COLUMNS == 0)
        heading = alt.TitleParams(
            text=name, fontSize=12, fontWeight="normal", anchor="middle", offset=6, limit=220
        )
        drawn.append(chart.properties(title=heading) if name else chart)
    if len(drawn) == 1 and not panels[0]:
        return drawn[0]
    return alt.concat(*drawn, columns=COLUMNS, spacing=20)
