"""Tables of a season's figures → Altair charts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from winodds.show.charts.panels import COLUMNS, arrange, names_in, panel_width
from winodds.show.charts.parts import (
    STEP,
    deepen,
    draw_bars,
    heading,
    names_width,
    number_axis,
    part_of,
    patches,
    round_between,
    shade,
    tooltips,
    zero_line,
)
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure
from winodds.show.figures.labels import label_names

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""Shapes of families; of more of them, none has its own."""

PANEL_LABEL = 28
"""Signs of a panel's name."""

COLUMN_LABEL = 22
"""Signs of a name below a column."""

MOST_NUMBERS = (20, 12)
"""Rows and columns up to which cells have numbers."""


def _labelled(figure: Figure, field: str) -> list[dict[str, Any]]:
    """Rows with the label of a name."""
    return [{**row, "label": figure.facts["labels"][row[field]]} for row in figure.rows]


def _ordered(rows: Iterable[dict[str, Any]], field: str) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: int(row[field]))


def _panels_of(figure: Figure) -> tuple[list[str], list[str]]:
    """Names of the panels, and what is written above them: nothing where there is only one."""
    names = list(dict.fromkeys(row["panel"] for row in _ordered(figure.rows, "panel_order")))
    return names, names if names == [""] else label_names(names, PANEL_LABEL)


def _axis_title(title: str, panels: int) -> str:
    """The title of an axis, without its explanation where panels are narrow."""
    return title if panels == 1 else title.partition(" (")[0]


# Boxes and bars -----------------------------------------------------------------------------------


def draw_boxes(figure: Figure) -> Any:
    """Boxes with whiskers and points, in a panel for each tournament."""
    rows = _ordered(_labelled(figure, "box"), "box_order")
    labels = list(dict.fromkeys(row["label"] for row in rows))
    names, titles = _panels_of(figure)
    facts = figure.facts
    axis = (_axis_title(facts["axis"], len(names)), facts["domain"])
    width = panel_width(len(names))

    def draw(number: int, first: bool) -> Any:
        own = [row for row in rows if row["panel"] == names[number]]
        layers = _box_layers(figure, own, names_in(labels, shown=first), axis)
        return alt.layer(*zero_line(axis[1]), *layers).properties(
            width=width, height=alt.Step(STEP)
        )

    return _finish(figure, arrange(titles, draw), labels, len(names))


def _box_layers(
    figure: Figure, rows: list[dict[str, Any]], y: alt.Y, axis: tuple[str, tuple[float, float]]
) -> list[Any]:
    boxes = [row for row in rows if row["part"] == "box"]
    points = [row for row in rows if row["part"] == "point"]
    source = source_of(boxes)
    seen = tooltips(figure, "box", "players", "low", "q1", "median", "q3", "high")
    whiskers = alt.Chart(source).mark_rule(color=LIGHT.line)
    bars = alt.Chart(source).mark_bar(
        height={"band": 0.6}, fill=LIGHT.grid, stroke=LIGHT.blue, strokeWidth=1.2
    )
    median = alt.Chart(source).mark_tick(color=LIGHT.ink, thickness=2, height={"band": 0.6})
    dots = alt.Chart(source_of(points)).mark_point(size=14, color=LIGHT.ink, opacity=0.75)
    return [
        whiskers.encode(x=number_axis("low", *axis), x2=alt.X2(field="high"), y=y),
        bars.encode(x=number_axis("q1", *axis), x2=alt.X2(field="q3"), y=y, tooltip=seen),
        median.encode(x=number_axis("median", *axis), y=y),
        dots.encode(x=number_axis("epp", *axis), y=y, tooltip=tooltips(figure, "name", "epp")),
    ]


def draw_settings(figure: Figure) -> Any:
    """Bars from 0 with intervals, in a panel for each tournament."""
    rows = _labelled(figure, "player")
    there = set(figure.cells["player"])
    of = figure.facts["labels"]
    labels = [of[name] for name in figure.facts["players"] if name in there]
    names, titles = _panels_of(figure)
    axis = (_axis_title(figure.facts["axis"], len(names)), figure.facts["domain"])
    width = panel_width(len(names))

    def draw(number: int, first: bool) -> Any:
        own = [row for row in rows if row["panel"] == names[number]]
        y = names_in(labels, shown=first)
        bars = alt.Chart(source_of(own)).mark_bar(
            height={"band": 0.7}, fill=LIGHT.grid, stroke=LIGHT.blue, strokeWidth=1.2
        )
        seen = tooltips(figure, "player", "epp", "low", "high")
        layers = [
            bars.encode(x=number_axis("epp", *axis), x2=alt.X2(datum=0), y=y, tooltip=seen),
            *draw_bars(own, y, axis, strokeWidth=1.2),
            *zero_line(axis[1]),
        ]
        return alt.layer(*layers).properties(width=width, height=alt.Step(STEP))

    return _finish(figure, arrange(titles, draw), labels, len(names))


def _finish(figure: Figure, chart: Any, labels: list[str], panels: int) -> Any:
    wide = names_width(labels) + panel_width(panels) * min(panels, COLUMNS)
    return chart.properties(**heading(figure, wide))


# Cells --------------------------------------------------------------------------------------------


def draw_fill_in(figure: Figure) -> Any:
    """Rows by tournaments, dark where there are results."""
    facts = figure.facts
    paint = deepen(1.0, LIGHT.blue)
    legend = (["Share with", "a result"], [(share, f"{share:.0%}") for share in (1.0, 0.5, 0.0)])
    seen = tooltips(figure, "row", "tournament", "results", "pairs")
    row_title, column_title = (f"{many}, the most results first" for many in facts["titles"])
    titles = (
        row_title if facts["rows_joined"] else None,
        column_title if facts["tournaments_joined"] else None,
    )
    table = _Table.of(figure, "row")
    layers = [table.draw(figure.rows, seen, paint("share"), titles)]
    if facts["rows_joined"] or facts["tournaments_joined"]:
        layers += patches(*legend, paint, table.width + 18)
    return table.finish(figure, layers)


def draw_matrix(figure: Figure) -> Any:
    """Players by tournaments, deep blue above 0, pale orange below, nothing without a result."""
    reach = figure.facts["reach"] or 1.0
    paint = shade(-reach, 0.0, reach)
    there = [row for row in figure.rows if row["epp"] is not None]
    table = _Table.of(figure, "player", numbers=True)
    layers = [
        table.draw(there, tooltips(figure, "player", "tournament", "epp"), paint("epp")),
        *patches(["EPP"], _epp_steps(reach), paint, table.width + 18),
    ]
    if table.numbered:
        layers += _write_numbers(table.name_cells(there), *table.axes(), reach)
    return table.finish(figure, layers)


def _epp_steps(reach: float) -> list[tuple[float, str]]:
    """Round ratings of a legend, with 0 in the middle.

    >>> _epp_steps(2.7)
    [(2.0, '2'), (1.0, '1'), (0.0, '0'), (-1.0, '−1'), (-2.0, '−2')]
    """
    top = round_between(reach, reach)[-1]
    values = (top, top / 2, 0.0, -top / 2, -top)
    return [(value, f"{value:z.3g}".replace("-", "−")) for value in values]


@dataclass(frozen=True, slots=True)
class _Table:
    """Cells with names at both sides.

    Attributes
    ----------
    side : the column of the figure that names the rows.
    rows, columns : labels by the names of rows and of tournaments, in their order, also of those
        without a cell.
    step : width and height of a cell.
    numbered : whether cells have room for numbers.
    """

    side: str
    rows: Mapping[str, str]
    columns: Mapping[str, str]
    step: tuple[float, float]
    numbered: bool

    @classmethod
    def of(cls, figure: Figure, side: str, *, numbers: bool = False) -> "_Table":
        names = dict.fromkeys(row[side] for row in _ordered(figure.rows, f"{side}_order"))
        rows = {name: figure.facts["labels"][name] for name in names}
        across = _ordered(figure.rows, "tournament_order")
        tournaments = list(dict.fromkeys(row["tournament"] for row in across))
        labels = label_names(tournaments, COLUMN_LABEL)
        columns = dict(zip(tournaments, labels, strict=True))
        few = len(rows) <= MOST_NUMBERS[0] and len(columns) <= MOST_NUMBERS[1]
        step = (46.0, 20.0) if numbers and few else (_step(len(columns)), _step(len(rows)))
        return cls(side, rows, columns, step, numbers and few)

    @property
    def width(self) -> float:
        return self.step[0] * len(self.columns)

    def axes(self, titles: tuple[str | None, str | None] = (None, None)) -> tuple[alt.X, alt.Y]:
        x = _columns_axis(list(self.columns.values()), titles[1])
        return x, names_in(list(self.rows.values()), title=titles[0])

    def name_cells(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Rows with the labels of both sides."""
        return [
            {
                **row,
                "label": self.rows[row[self.side]],
                "column_label": self.columns[row["tournament"]],
            }
            for row in rows
        ]

    def draw(
        self,
        rows: list[dict[str, Any]],
        seen: list[alt.Tooltip],
        colours: dict[str, Any],
        titles: tuple[str | None, str | None] = (None, None),
    ) -> Any:
        """The cells; their outline tells a rating near 0 from a gap."""
        cells = alt.Chart(source_of(self.name_cells(rows)))
        x, y = self.axes(titles)
        mark = cells.mark_rect(stroke=LIGHT.line, strokeWidth=0.4)
        return mark.encode(x=x, y=y, tooltip=seen, **colours)

    def finish(self, figure: Figure, layers: list[Any]) -> Any:
        wide = max(self.width + names_width(list(self.rows.values())) + 90, 460)
        size = {"width": self.width, "height": self.step[1] * len(self.rows)}
        return alt.layer(*layers).properties(**size, **heading(figure, wide))


def _step(cells: int) -> float:
    """Side of a cell of so many."""
    return min(24.0, max(11.0, 640.0 / cells))


def _columns_axis(labels: list[str], title: str | None) -> alt.X:
    axis = alt.Axis(
        title=title,
        domain=False,
        ticks=False,
        labelColor=LIGHT.ink,
        labelAngle=-60,
        labelAlign="right",
        labelLimit=150,
    )
    scale = alt.Scale(domain=labels)
    return alt.X(field="column_label", type="nominal", sort=None, scale=scale, axis=axis)


def _write_numbers(rows: list[dict[str, Any]], x: alt.X, y: alt.Y, reach: float) -> list[Any]:
    """Numbers in cells, light on dark ones."""
    text = alt.Text(field="epp", type="quantitative", format=".1f")
    layers = []
    for dark, colour in ((False, LIGHT.ink), (True, LIGHT.paper)):
        if own := [row for row in rows if (row["epp"] > 0.66 * reach) is dark]:
            mark = alt.Chart(source_of(own)).mark_text(fontSize=10, color=colour)
            layers.append(mark.encode(x=x, y=y, text=text))
    return layers


# Biplot -------------------------------------------------------------------------------------------


def draw_biplot(figure: Figure) -> Any:
    """Points and arrows in a plane, with names where there is room."""
    (left, right), (below, above) = figure.facts["view"]
    axes = figure.facts["axes"]

    def place(kind: Any, field: str, title: str, ends: list[float]) -> Any:
        scale = alt.Scale(domain=ends, nice=False, zero=False)
        axis = alt.Axis(title=title, labelFlush=False)
        return kind(field=field, type="quantitative", scale=scale, axis=axis)

    x = place(alt.X, "x", axes[0], [left, right])
    y = place(alt.Y, "y", axes[1], [below, above])
    points, arrows = part_of(figure, "point"), part_of(figure, "arrow")
    layers = [
        _draw_points(figure, points, x, y),
        *_draw_arrows(figure, arrows, x, y),
        *_write_names(points, x, y, LIGHT.muted),
        *_write_names(arrows, x, y, LIGHT.vermilion),
    ]
    width, height = figure.facts["size"]
    sizes = {"width": width, "height": height}
    return alt.layer(*layers).properties(**sizes, **heading(figure, width + 60))


def _draw_points(figure: Figure, points: list[dict[str, Any]], x: Any, y: Any) -> Any:
    many = len(points) > 300
    mark = alt.Chart(source_of(points)).mark_point(
        size=12 if many else 46, opacity=0.4 if many else 0.9, filled=True
    )
    families = sorted({row["family"] for row in points if row["family"]})
    coded: dict[str, Any] = {}
    if 1 < len(families) <= len(SHAPES):
        of = dict(zip(families, label_names(families), strict=True))
        mark = mark.properties(
            data=source_of([{**row, "family_label": of.get(row["family"], "")} for row in points])
        )
        domain = list(of.values())
        legend = alt.Legend(title="Family")
        colours, shapes = LIGHT.categories[: len(domain)], list(SHAPES[: len(domain)])
        for name, kind, values in (("color", alt.Color, colours), ("shape", alt.Shape, shapes)):
            scale = alt.Scale(domain=domain, range=values)
            coded[name] = kind(field="family_label", type="nominal", scale=scale, legend=legend)
    seen = tooltips(figure, "name", "family", "x", "y", "results")
    return mark.encode(x=x, y=y, tooltip=seen, **coded)


def _draw_arrows(figure: Figure, arrows: list[dict[str, Any]], x: Any, y: Any) -> list[Any]:
    """Lines from the origin with heads; both axes have the same unit, so angles are true."""
    turned = [
        {**row, "angle": 90.0 - float(np.degrees(np.arctan2(row["y"], row["x"])))} for row in arrows
    ]
    source = source_of(turned)
    faint = 0.4 if len(arrows) > 60 else 1.0
    lines = alt.Chart(source).mark_rule(color=LIGHT.vermilion, strokeWidth=1.4, opacity=faint)
    heads = alt.Chart(source).mark_point(
        shape="triangle", size=46, color=LIGHT.vermilion, filled=True, opacity=faint
    )
    angle = alt.Angle(field="angle", type="quantitative", scale=None)
    seen = tooltips(figure, "name", "x", "y", "results")
    return [
        lines.encode(x=x, y=y, x2=alt.X2(datum=0), y2=alt.Y2(datum=0), tooltip=seen),
        heads.encode(x=x, y=y, angle=angle, tooltip=seen),
    ]


def _write_names(rows: list[dict[str, Any]], x: Any, y: Any, colour: str) -> list[Any]:
    layers = []
    named = [row for row in rows if row["label"] is not None]
    for over, align in sorted({(row["over"], row["align"]) for row in named}):
        own = [row for row in named if (row["over"], row["align"]) == (over, align)]
        place: dict[str, Any] = {"align": align, "baseline": "middle", "fontSize": 10}
        # A halo keeps names readable where they cross an arrow.
        halo = {"stroke": LIGHT.paper, "strokeWidth": 4, "strokeJoin": "round"}
        for style in (halo, {"color": colour}):
            text = alt.Chart(source_of(own)).mark_text(**place, dy=-13 if over else 13, **style)
            layers.append(text.encode(x=x, y=y, text=alt.Text(field="label", type="nominal")))
    return layers
