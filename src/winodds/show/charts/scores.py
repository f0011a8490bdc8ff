"""Charts of scores: against ratings, by round, and where they are missing."""

from typing import Any

import altair as alt

from winodds.show.charts.parts import (
    LIMIT,
    WIDTH,
    deepen,
    draw_bars,
    heading,
    names_axis,
    names_width,
    number_axis,
    part_of,
    patches,
    round_between,
    tooltips,
)
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure

PLAYER_STEP = 54
"""Height of a player's scores."""


# Scores and ratings -------------------------------------------------------------------------------


def draw_score_against_rating(figure: Figure) -> Any:
    """Points with intervals, a line, a curve if that is better, and names where there is room."""
    facts, players = figure.facts, part_of(figure, "player")
    x = number_axis("epp", facts["x"], facts["domain"])
    y = _score_axis("mean_score", figure)
    layers = _draw_bins(figure) if part_of(figure, "bin") else []
    for part, dashes in (("line", [6, 3]), ("curve", [1, 0])):
        if rows := part_of(figure, part):
            drawn = alt.Chart(source_of(rows)).mark_line(
                color=LIGHT.vermilion, strokeWidth=1.4, strokeDash=dashes
            )
            layers.append(drawn.encode(x=x, y=y))
    layers += draw_bars(players, y, (facts["x"], facts["domain"]), strokeWidth=0.8, opacity=0.7)
    points = alt.Chart(source_of(players)).mark_point(size=30)
    seen = tooltips(figure, "player", "epp", "low", "high", "mean_score")
    layers.append(points.encode(x=x, y=y, tooltip=seen))
    layers += _write_names(players, x, y)
    width, height = facts["size"]
    return alt.layer(*layers).properties(width=width, height=height, **heading(figure, width + 60))


def _score_axis(field: str, figure: Figure) -> alt.Y:
    scale = alt.Scale(domain=list(figure.facts["scores"]), nice=False, zero=False)
    axis = alt.Axis(title=figure.facts["y"])
    return alt.Y(field=field, type="quantitative", scale=scale, axis=axis)


def _draw_bins(figure: Figure) -> list[alt.Chart]:
    """Cells by how many players they hold, and their legend."""
    bins = part_of(figure, "bin")
    most = max(row["players"] for row in bins)
    paint = deepen(most, LIGHT.blue, kind="sqrt")
    steps = [(number, f"{number:g}") for number in reversed(round_between(1, most))]
    cells = alt.Chart(source_of(bins)).mark_rect()
    drawn = cells.encode(
        x=number_axis("epp", figure.facts["x"], figure.facts["domain"]),
        x2=alt.X2(field="epp_end"),
        y=_score_axis("mean_score", figure),
        y2=alt.Y2(field="score_end"),
        tooltip=tooltips(figure, "players"),
        **paint("players"),
    )
    whole = [step for step in steps if step[0] == int(step[0])]
    return [drawn, *patches([figure.facts["counted"]], whole, paint, figure.facts["size"][0] + 18)]


def _write_names(players: list[dict[str, Any]], x: Any, y: Any) -> list[alt.Chart]:
    layers = []
    spots = sorted({(row["over"], row["align"]) for row in players if row["label"] is not None})
    for over, align in spots:
        rows = [row for row in players if (row["over"], row["align"]) == (over, align)]
        place: dict[str, Any] = {"align": align, "baseline": "middle", "fontSize": 10}
        place["dy"] = -13 if over else 13
        # A halo keeps names readable where they cross a bar or the line.
        halo: dict[str, Any] = {"stroke": LIGHT.paper, "strokeWidth": 5, "strokeJoin": "round"}
        for style in (halo, {}):
            text = alt.Chart(source_of(rows)).mark_text(**place, **style)
            layers.append(text.encode(x=x, y=y, text=alt.Text(field="label", type="nominal")))
    return layers


# Scores by round ----------------------------------------------------------------------------------


def draw_scores(figure: Figure) -> Any:
    """A line for each round, over boxes, with diamonds at the means."""
    runs, boxes = part_of(figure, "run"), part_of(figure, "box")
    title = figure.facts["y"]
    reverse = figure.facts["values"] == "rank"
    y = names_axis()
    few = figure.facts["rounds"] <= 30
    lines = alt.Chart(source_of(runs)).mark_line(
        color=LIGHT.line, strokeWidth=0.7, opacity=0.7 if few else 0.35
    )
    points = alt.Chart(source_of(runs)).mark_point(opacity=0.7 if few else 0.45, color=LIGHT.blue)
    means = alt.Chart(source_of(boxes)).mark_point(
        shape="diamond", size=110, color=LIGHT.vermilion, stroke=LIGHT.paper, strokeWidth=1
    )
    x = _value_axis("value", title, reverse=reverse)
    order = alt.Order(field="order", type="quantitative")
    detail = alt.Detail(field="number", type="nominal")
    layers = [
        *_draw_quartiles(boxes, y, title, reverse=reverse),
        lines.encode(x=x, y=y, detail=detail, order=order),
        points.encode(
            x=x,
            y=y,
            size=_by_number(18 if few else 10),
            tooltip=tooltips(figure, "player", "round", "value", "equal"),
        ),
        means.encode(
            x=_value_axis("mean", title, reverse=reverse),
            y=y,
            tooltip=tooltips(figure, "player", "mean", "median", "rounds"),
        ),
    ]
    wide = WIDTH + names_width(figure.cells["label"])
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(PLAYER_STEP), **heading(figure, wide)
    )


def _by_number(single: int) -> alt.Size:
    """Areas in proportion to how many scores a point stands for, up to those of many."""
    scale = alt.Scale(domain=[1, MOST_EQUAL], range=[single, single * MOST_EQUAL], clamp=True)
    return alt.Size(field="equal", type="quantitative", scale=scale, legend=None)


MOST_EQUAL = 12
"""Equal scores from which a point does not grow any more."""


def _value_axis(field: str, title: str, *, reverse: bool) -> alt.X:
    scale = alt.Scale(zero=False, nice=False, padding=10, reverse=reverse)
    axis = alt.Axis(title=title, labelFlush=False, labelOverlap=True, tickCount=7)
    return alt.X(field=field, type="quantitative", scale=scale, axis=axis)


def _draw_quartiles(
    boxes: list[dict[str, Any]], y: Any, title: str, *, reverse: bool
) -> list[alt.Chart]:
    source = source_of(boxes)
    return [
        alt.Chart(source)
        .mark_bar(fill=LIGHT.grid, stroke=LIGHT.line, height=30)
        .encode(x=_value_axis("q1", title, reverse=reverse), x2=alt.X2(field="q3"), y=y),
        alt.Chart(source)
        .mark_tick(color=LIGHT.ink, thickness=2, height=30)
        .encode(x=_value_axis("median", title, reverse=reverse), y=y),
    ]


# Gaps ---------------------------------------------------------------------------------------------


def draw_gaps(figure: Figure) -> Any:
    """Players by rounds: what is there, what failed and what is absent."""
    widths = [min(20.0, max(5.0, 560 / figure.facts[side])) for side in SIDES]
    source = source_of(figure.rows)
    x, y = _gap_side("column", alt.X, figure.facts["x"]), _gap_side("row", alt.Y, None)
    seen = tooltips(figure, "row_label", "column_label", "present", "failed", "absent")
    cells = alt.Chart(source).mark_rect(stroke=LIGHT.grid, strokeWidth=0.5)
    width, height = (step * figure.facts[side] for step, side in zip(widths, SIDES, strict=True))
    joined = figure.facts["joined"]
    paint = deepen(1.0, LIGHT.ink)
    colours = paint("missing") if joined else {"color": _gap_colour(figure)}
    layers = [cells.encode(x=x, y=y, tooltip=seen, **colours)]
    if joined:
        steps = [(share, f"{share:.0%}") for share in (1.0, 0.5, 0.0)]
        layers += patches(["Missing"], steps, paint, width + 18)
    if not joined and "failed" in figure.cells["state"]:
        failed = [row for row in figure.rows if row["state"] == "failed"]
        crosses = alt.Chart(source_of(failed)).mark_text(text="×", fontSize=14, color=LIGHT.ink)
        layers.append(crosses.encode(x=x, y=y))
    wide = width + names_width(figure.cells["row_label"]) + 100
    return alt.layer(*layers).properties(width=width, height=height, **heading(figure, wide))


SIDES = ("columns", "rows")


def _gap_side(which: str, kind: Any, title: str | None) -> Any:
    by = alt.EncodingSortField(field=which, op="min", order="ascending")
    axis: dict[str, Any] = {"domain": False, "ticks": False, "labelOverlap": "greedy"}
    axis["labelLimit"] = LIMIT
    axis["title"] = title
    if which == "column":
        axis |= {"labelAngle": -60, "labelAlign": "right"}
    return kind(field=f"{which}_label", type="nominal", sort=by, axis=alt.Axis(**axis))


def _gap_colour(figure: Figure) -> alt.Color:
    states = {"present": LIGHT.grid, "failed": LIGHT.orange, "absent": LIGHT.ink}
    used = [state for state in states if state in figure.cells["state"]]
    scale = alt.Scale(domain=used, range=[states[state] for state in used])
    return alt.Color(field="state", type="nominal", scale=scale, legend=alt.Legend(title="Score"))
