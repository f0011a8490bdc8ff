"""Charts of where players stand: ranking, rank sets and chances of being best."""

from typing import Any

import altair as alt

from winodds.show.charts.parts import (
    STEP,
    WIDTH,
    draw_bars,
    heading,
    names_axis,
    names_width,
    number_axis,
    tooltips,
    zero_line,
)
from winodds.show.charts.theme import LIGHT, source_of
from winodds.show.figures.figure import Figure


def draw_ranking(figure: Figure) -> Any:
    """Points with intervals, letters and rank ranges beside them."""
    rows, domain, title = figure.rows, figure.facts["domain"], figure.facts["x"]
    points = alt.Chart(source_of(rows)).mark_point(size=46)
    layers = [
        *zero_line(domain),
        *draw_bars(rows, names_axis(), (title, domain), strokeWidth=1.6),
        points.encode(
            x=number_axis("epp", title, domain),
            y=names_axis(),
            tooltip=tooltips(figure, "player", "rank", "epp", "low", "high", "letters", "could_be"),
        ),
    ]
    wide = WIDTH + names_width(figure.cells["label"])
    beside = WIDTH + 14
    if figure.facts["lettered"]:
        layers += _write_column(rows, "letters", "letters", beside)
        beside += max(SPACE, 7 * max(map(len, figure.cells["letters"])) + 14)
    if figure.facts["placed"]:
        layers += _write_column(rows, "could_be", "could be", beside)
        wide += beside + SPACE - WIDTH
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(STEP), **heading(figure, wide)
    )


SPACE = 50
"""Least width of a column of words."""


def _write_column(rows: list[dict[str, Any]], field: str, head: str, x: int) -> list[alt.Chart]:
    """Words beside the plot, under a heading."""
    words = alt.Chart(source_of(rows)).mark_text(align="left", fontSize=11, color=LIGHT.ink)
    top = alt.Chart(source_of([{"head": head}])).mark_text(
        align="left", fontSize=11, color=LIGHT.muted
    )
    return [
        words.encode(x=alt.value(x), y=names_axis(), text=alt.Text(field=field, type="nominal")),
        top.encode(x=alt.value(x), y=alt.value(-8), text=alt.Text(field="head", type="nominal")),
    ]


def draw_rank_sets(figure: Figure) -> Any:
    """Bars over the ranks that players could have, with points at their ranks."""
    low, high = figure.facts["domain"]
    domain = (low - 0.5, high + 0.5)
    source, title = source_of(figure.rows), "Rank (1 is the best)"
    seen = tooltips(figure, "player", "rank", "rank_low", "rank_high")
    steps = {"values": rank_ticks(low, high), "format": "d"}
    bars = alt.Chart(source).mark_rule(strokeWidth=5, strokeCap="round", color=LIGHT.sky)
    points = alt.Chart(source).mark_point(size=40, color=LIGHT.ink)
    chart = alt.layer(
        bars.encode(
            x=number_axis("rank_low", title, domain, **steps),
            x2=alt.X2(field="rank_high"),
            y=names_axis(),
            tooltip=seen,
        ),
        points.encode(x=number_axis("rank", title, domain, **steps), y=names_axis(), tooltip=seen),
    )
    wide = WIDTH + names_width(figure.cells["label"])
    return chart.properties(width=WIDTH, height=alt.Step(STEP), **heading(figure, wide))


def rank_ticks(low: int, high: int) -> list[int]:
    """All of a few ranks; of more, every second, fifth, tenth and so on, counted from 1.

    >>> rank_ticks(1, 8), rank_ticks(1, 20), rank_ticks(41, 90)
    ([1, 2, 3, 4, 5, 6, 7, 8], [1, 6, 11, 16], [41, 51, 61, 71, 81])
    """
    if high - low < ALL_RANKS:
        return list(range(low, high + 1))
    step = next(
        size
        for k in range(9)
        for size in (10**k, 2 * 10**k, 5 * 10**k)
        if (high - low) / size <= MOST_STEPS
    )
    return [tick for tick in range(1, high + 1, step) if tick >= low]


ALL_RANKS, MOST_STEPS = 10, 6
"""Ranks up to which each has a tick, and steps between those of more."""


def draw_best(figure: Figure) -> Any:
    """Bars, filled for players who could truly be the best, whose names have a dot."""
    x = alt.X(
        field="p_best",
        type="quantitative",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(title="Probability of being truly the best", format="%", labelFlush=False),
    )
    y = names_axis(labelPadding=18)
    seen = tooltips(figure, "player", "p_best", "could_be_best")
    layers = []
    for could, fill in ((True, LIGHT.blue), (False, LIGHT.paper)):
        if rows := [row for row in figure.rows if row["could_be_best"] is could]:
            bars = alt.Chart(source_of(rows)).mark_bar(
                fill=fill, stroke=LIGHT.blue, strokeWidth=1, height={"band": 0.7}
            )
            layers.append(bars.encode(x=x, y=y, tooltip=seen))
            # A bar of nothing cannot be filled: the dot can be seen.
            dots = alt.Chart(source_of(rows if could else [])).mark_point(size=34, color=LIGHT.blue)
            layers.append(dots.encode(x=alt.value(-9), y=y))
    numbers = alt.Chart(source_of(figure.rows)).mark_text(align="left", dx=5, fontSize=11)
    layers.append(numbers.encode(x=x, y=y, text=alt.Text(field="text", type="nominal")))
    wide = WIDTH + names_width(figure.cells["label"])
    return alt.layer(*layers).properties(
        width=WIDTH, height=alt.Step(STEP + 2), **heading(figure, wide)
    )
