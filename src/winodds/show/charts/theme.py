"""One look for all pictures.

Colours are Okabe and Ito's, which people with any kind of colour vision can tell apart, and whose
lightness differs, so that they survive a black-and-white printer. Charts take their colours from
`LIGHT` only; `DARK` has a counterpart for each, and the report's page puts a variable in its place.
Of a scale with two sides, one is deep and the other pale: both survive that printer.
"""

from dataclasses import dataclass
from typing import Any

import altair as alt
from altair.utils.schemapi import debug_mode

from winodds.show.figures.labels import make_visible

FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"
"""Fonts of the same widths: labels fit where they were measured, on any machine."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by their use."""

    ink: str
    muted: str
    line: str
    grid: str
    paper: str
    blue: str
    vermilion: str
    green: str
    purple: str
    orange: str
    sky: str
    deep: str
    pale: str

    @property
    def categories(self) -> list[str]:
        """Colours of families and the like, in the order in which they are given out."""
        return [self.blue, self.orange, self.green, self.purple, self.sky, self.vermilion]


LIGHT = Palette(
    ink="#1f2328",
    muted="#57606a",
    line="#8b949e",
    grid="#e4e7eb",
    paper="#fffffe",
    blue="#0072b2",
    vermilion="#d55e00",
    green="#00835f",
    purple="#a8487f",
    orange="#e69f00",
    sky="#56b4e9",
    deep="#004b7c",
    pale="#f6c66b",
)
DARK = Palette(
    ink="#e6edf3",
    muted="#a0a9b4",
    line="#768390",
    grid="#30363d",
    paper="#0d1117",
    blue="#58a6e0",
    vermilion="#f0834a",
    green="#3dbf98",
    purple="#d98bb8",
    orange="#e8b23f",
    sky="#8accf5",
    deep="#59a7e1",
    pale="#7a5200",
)


def make_config(palette: Palette = LIGHT) -> dict[str, Any]:
    """Vega-Lite's configuration for a palette."""
    return {
        "background": palette.paper,
        "font": FONT,
        "view": {"stroke": None, "continuousWidth": 480, "continuousHeight": 300},
        "title": {
            "anchor": "start",
            "color": palette.ink,
            "fontSize": 15,
            "fontWeight": 600,
            "subtitleColor": palette.muted,
            "subtitleFontSize": 12,
            "offset": 12,
        },
        "axis": {
            "domainColor": palette.line,
            "gridColor": palette.grid,
            "labelColor": palette.muted,
            "labelFontSize": 11,
            "labelLimit": 260,
            "tickColor": palette.line,
            "titleColor": palette.ink,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        "header": {"labelColor": palette.ink, "titleColor": palette.ink},
        "legend": {
            "labelColor": palette.muted,
            "labelLimit": 260,
            "titleColor": palette.ink,
            "titleFontWeight": "normal",
        },
        "text": {"color": palette.ink},
        "rule": {"color": palette.line},
        "point": {"color": palette.blue, "filled": True, "opacity": 1},
        "line": {"color": palette.blue},
        "bar": {"color": palette.blue},
        "tick": {"color": palette.blue},
        "boxplot": {"median": {"color": palette.paper}},
        "range": {"category": palette.categories},
    }


def dress(chart: Any) -> Any:
    """A finished chart in the light theme."""
    return chart.configure(**make_config())


class Rows(alt.Data):
    """Rows that layers share: Altair would copy every cell each time it joins two layers."""

    def __deepcopy__(self, memo: object) -> "Rows":
        return self

    def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"values": self["values"]}


def source_of(rows: list[dict[str, Any]]) -> Rows:
    """Rows as a chart's data, with signs that no drawing can hold made visible."""
    values = [{key: _drawable(cell) for key, cell in row.items()} for row in rows]
    # Altair would look at each of the cells, which takes longer than all the rest.
    with debug_mode(False):
        return Rows(values=values)  # type: ignore[no-untyped-call]


def _drawable(cell: Any) -> Any:
    return make_visible(cell) if isinstance(cell, str) else cell
