"""Charts of a leaderboard's figures, through their specification and the drawing itself."""

import inspect
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from tables import SMALL, board, grid, sentence

from winodds import Leaderboard, rate, rate_each
from winodds.demo import load_results
from winodds.errors import MissingExtra
from winodds.show.charts.drawing import DRAWINGS, draw_figure
from winodds.show.charts.save import Theme, render_picture, spec_of
from winodds.show.charts.standing import rank_ticks
from winodds.show.charts.theme import DARK, LIGHT
from winodds.show.figures.names import (
    BOARD_FIGURES,
    LAW_FIGURES,
    RACE_FIGURES,
    SEASON_FIGURES,
)

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    *("</script><script>alert(1)</script>", '"quoted"', "datum.x", "a.b[0]", "=1+1", "null"),
    *("x\u2028y", "🦊 fox", "#0072b2", "a\x01b", "a\x02b", "مرحبا", "<b>&amp;", "%{x}", "true"),
)


@pytest.fixture(scope="module")
def digits() -> Leaderboard:
    """A board of 20 players in 4 families, with two gaps."""
    table = load_results().filter(pl.col("dataset") == "digits")
    return rate(table[2:], player="model", round="split", score="auc", family="family")


def svg_of(chart: Any, theme: Theme = "light") -> str:
    return render_picture(chart, "svg", theme=theme).decode()


def texts(svg: str) -> list[str]:
    """Everything that is written in a drawing."""
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter(f"{SVG}text")]


def colours(spec: Any, *, names: bool = False) -> set[str]:
    """Colours in a specification, without its data."""
    if isinstance(spec, dict):
        kept = [below for key, below in spec.items() if names or key not in ("data", "datasets")]
        return set().union(*(colours(below, names=names) for below in kept)) if kept else set()
    if isinstance(spec, list):
        return set().union(*(colours(below, names=names) for below in spec)) if spec else set()
    return {spec} if isinstance(spec, str) and re.fullmatch("#[0-9a-f]{6}", spec) else set()


# All charts ---------------------------------------------------------------------------------------


def test_every_figure_has_a_drawing() -> None:
    others = ("entries", *LAW_FIGURES, *RACE_FIGURES)
    assert tuple(DRAWINGS) == (*BOARD_FIGURES, *SEASON_FIGURES, *others)


def test_a_picture_takes_the_options_of_its_table_and_explains_them(digits: Leaderboard) -> None:
    assert set(dir(digits.plot)) >= set(BOARD_FIGURES)
    for name in BOARD_FIGURES:
        ours, theirs = getattr(digits.plot, name), getattr(digits.figures, name)
        assert inspect.signature(ours) == inspect.signature(theirs), name
        assert ours.__doc__ == theirs.__doc__


def test_a_picture_that_does_not_exist_is_no_attribute(digits: Leaderboard) -> None:
    with pytest.raises(AttributeError, match="no attribute 'raking'"):
        _ = digits.plot.raking
    assert not hasattr(digits.plot, "_repr_html_")
    with pytest.raises(TypeError, match="unexpected keyword argument 'topp'"):
        digits.plot.ranking(topp=3)


@pytest.mark.parametrize("name", BOARD_FIGURES)
def test_drawing_is_well_formed_and_says_what_it_is(digits: Leaderboard, name: str) -> None:
    figure = getattr(digits.figures, name)()
    chart = getattr(digits.plot, name)()
    # Altair checks the specification against the schema of Vega-Lite here.
    spec = chart.to_dict()
    assert spec["description"] == f"{figure.title}. {figure.caption}"
    assert colours(spec) <= set(asdict(LIGHT).values())
    svg = svg_of(chart)
    written = texts(svg)
    assert figure.title in written
    axis = [figure.facts[key] for key in ("x", "y") if key in figure.facts]
    assert set(axis) <= set(written)
    if "label" in figure.columns:
        assert {label for label in figure.cells["label"] if label is not None} <= set(written)
    if name in ("win_matrix", "gaps"):
        assert set(figure.cells["row_label"]) <= set(written)


@pytest.mark.parametrize("name", BOARD_FIGURES)
def test_dark_theme_swaps_colours_and_nothing_else(digits: Leaderboard, name: str) -> None:
    chart = getattr(digits.plot, name)()
    light, dark = spec_of(chart), spec_of(chart, "dark")
    assert not colours(dark) & set(asdict(LIGHT).values())
    assert colours(dark) <= set(asdict(DARK).values())
    text = json.dumps(light)
    for ours, theirs in zip(asdict(LIGHT).values(), asdict(DARK).values(), strict=True):
        text = text.replace(ours, theirs)
    assert json.loads(text) == dark


def test_pictures_are_the_same_each_time(digits: Leaderboard) -> None:
    figure = digits.figures.best()
    one, other = (render_picture(draw_figure(figure), "svg") for _ in range(2))
    assert one == other


def test_every_format_begins_as_it_should(digits: Leaderboard) -> None:
    chart = digits.plot.best()
    assert render_picture(chart, "png").startswith(b"\x89PNG")
    assert render_picture(chart, "pdf").startswith(b"%PDF")
    assert render_picture(chart, "svg").startswith(b"<svg")
    page = render_picture(chart, "html").decode()
    assert page.startswith("<!DOCTYPE html>")
    assert "https://cdn" not in page
    assert json.loads(render_picture(chart, "json")) == spec_of(chart)


def test_page_of_another_kind_is_refused_and_not_written(
    digits: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vl_convert.vegalite_to_html", lambda *_, **__: "<html>const x</html>")
    with pytest.raises(RuntimeError, match="writes its pages in a way that is not known here"):
        render_picture(digits.plot.best(), "html")


# Names --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile() -> Leaderboard:
    """A board whose names look like code."""
    found = rate(long_table(simulate(1, len(HOSTILE), 8)), higher_is_better=True)
    # Some of them could not come from a table, nor from JSON.
    found.players = tuple(HOSTILE[int(name[1:])] for name in found.players)
    return found


@pytest.mark.parametrize(
    "name", [name for name in BOARD_FIGURES if name not in ("families", "gaps", "calibration")]
)
def test_names_are_text_whatever_they_hold(hostile: Leaderboard, name: str) -> None:
    figure = getattr(hostile.figures, name)()
    column = "row_label" if name == "win_matrix" else "label"
    labels = {label for label in figure.cells[column] if label is not None}
    svg = svg_of(getattr(hostile.plot, name)())
    assert labels <= set(texts(svg))
    assert "<script" not in svg


def test_names_cannot_leave_the_script_of_a_page(hostile: Leaderboard) -> None:
    page = render_picture(hostile.plot.ranking(), "html").decode()
    assert "<script>alert" not in page
    assert "\u2028" not in page.rpartition("const spec")[2]
    script = page.rpartition("const spec = ")[2].partition(";\n    const opts")[0]
    assert json.loads(script) == spec_of(hostile.plot.ranking())


def test_name_that_looks_like_a_colour_keeps_it_in_the_dark(hostile: Leaderboard) -> None:
    chart = hostile.plot.ranking()
    assert "#0072b2" in texts(svg_of(chart, "dark"))
    assert "#0072b2" in colours(spec_of(chart, "dark"), names=True)


# Marks --------------------------------------------------------------------------------------------


def arrows(chart: Any, shape: str) -> list[str]:
    """Labels of the rows that a chart draws with a shape."""
    spec = chart.to_dict()
    return [
        row["label"]
        for layer in spec["layer"]
        if isinstance(layer["mark"], dict) and layer["mark"].get("shape") == shape
        for row in rows_of(spec, layer["data"])
    ]


def test_open_ends_are_arrows_at_the_edge_of_the_plot() -> None:
    found = board(*SMALL)
    chart = found.plot.ranking()
    assert arrows(chart, "triangle-left") == ["random forest", "rf"]
    assert arrows(chart, "triangle-right") == ["svm", "random forest"]
    closed = board(("a", 1.0, 0.0, 2.0), ("b", -1.0, -2.0, 0.0)).plot.ranking()
    assert arrows(closed, "triangle-left") == arrows(closed, "triangle-right") == []


def test_bars_that_go_on_end_in_an_arrow() -> None:
    found = rate(long_table(simulate(5, 25, 20)), higher_is_better=True)
    assert len(arrows(found.plot.critical_difference(top=10), "triangle-left")) > 0
    assert arrows(found.plot.critical_difference(), "triangle-left") == []


def test_failed_runs_are_crossed_and_not_only_coloured() -> None:
    table = grid({"a": [9, None, 5], "b": [2, 1, None], "c": [4, 3, 2]})
    chart = rate(table, higher_is_better=True, missing="lose").plot.gaps()
    assert texts(svg_of(chart)).count("×") == 2


def test_numbers_stand_in_the_cells_of_a_small_matrix(digits: Leaderboard) -> None:
    small = texts(svg_of(digits.plot.win_matrix(top=3)))
    chance = digits.win_matrix()[0, 1]
    assert f"{100 * chance:.0f}" in small


def grey(colour: str) -> float:
    """How light a black-and-white printer makes a colour, from 0 to 1."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_both_sides_of_a_heat_map_differ_in_grey(digits: Leaderboard) -> None:
    """The light side stays near the paper; the dark side goes on for three times as far."""
    colour = digits.plot.win_matrix().to_dict()["layer"][0]["encoding"]["color"]
    low, middle, high = map(grey, (colour["value"], LIGHT.paper, colour["condition"]["value"]))
    assert 0.1 < middle - low < (middle - high) / 3
    # In the dark, writing is light, except on the strongest cells.
    assert abs(grey(DARK.ink) - grey(DARK.pale)) > 0.5


@pytest.mark.parametrize("seasonal", [False, True])
def test_heat_maps_have_only_colours_that_a_page_can_replace(
    digits: Leaderboard, seasonal: bool
) -> None:
    """Strength is opacity: in the middle the paper shines through, whichever it is."""
    if seasonal:
        table = load_results()
        roles: dict[str, Any] = {"player": "model", "round": "split", "score": "auc"}
        svg = svg_of(rate_each(table, **roles, tournament="dataset", details=False).plot.matrix())
    else:
        svg = svg_of(digits.plot.win_matrix())
    assert set(re.findall(r'"(#[0-9a-f]{6})"', svg)) <= set(asdict(LIGHT).values())
    assert "rgb(" not in svg
    strengths = [float(found) for found in re.findall(r'fill-opacity="([\d.]+)"', svg)]
    assert len(strengths) > 50
    assert 0.0 <= min(strengths) < 0.05
    assert max(strengths) <= 1.0


def test_cells_of_a_matrix_are_square(digits: Leaderboard) -> None:
    spec = digits.plot.win_matrix().to_dict()
    assert spec["width"] == spec["height"] == pytest.approx(20 * 24.0)


def test_names_of_fifty_players_can_be_read() -> None:
    found = rate(long_table(simulate(1, 60, 6)), higher_is_better=True, details=False)
    for top in (21, 50, 60):
        axis = found.plot.win_matrix(top=top).to_dict()["layer"][0]["encoding"]["y"]["axis"]
        assert axis["labelFontSize"] >= 8.0


def test_a_unit_of_calibration_is_as_long_on_both_axes(digits: Leaderboard) -> None:
    spec = digits.plot.calibration().to_dict()
    lengths = []
    for channel, side in (("x", "width"), ("y", "height")):
        low, high = spec["layer"][0]["encoding"][channel]["scale"]["domain"]
        lengths.append(spec[side] / (high - low))
    assert lengths[0] == pytest.approx(lengths[1])


def rows_of(spec: dict[str, Any], data: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a layer, which may be none, wherever the specification keeps them."""
    rows: list[dict[str, Any]] = (
        data["values"] if "values" in data else spec["datasets"][data["name"]]
    )
    return rows


def test_players_who_could_be_best_have_a_dot_at_their_name(digits: Leaderboard) -> None:
    chart = digits.plot.best()
    spec = chart.to_dict()
    dots = [
        row["player"]
        for layer in spec["layer"]
        if layer["encoding"]["x"] == {"value": -9}
        for row in rows_of(spec, layer["data"])
    ]
    shown = digits.figures.best().cells["player"]
    assert dots == [player for player in shown if player in digits.details().could_be_best]


def test_large_figures_stay_small() -> None:
    found = rate(long_table(simulate(1, 400, 6)), higher_is_better=True, details=False)
    assert len(svg_of(found.plot.win_matrix())) < 600_000
    assert len(svg_of(found.plot.score_against_rating())) < 300_000
    assert len(svg_of(found.plot.ranking())) < 100_000


def test_ticks_of_ranks_begin_with_the_first() -> None:
    assert rank_ticks(1, 1) == [1]
    assert rank_ticks(1, 6) == [1, 2, 3, 4, 5, 6]
    assert rank_ticks(1, 10) == list(range(1, 11))
    assert rank_ticks(1, 11) == [1, 3, 5, 7, 9, 11]
    assert rank_ticks(1, 2000) == [1, 501, 1001, 1501]
    assert rank_ticks(43, 95) == [51, 61, 71, 81, 91]


def test_what_is_left_out_is_drawn_however_long_the_caption_is(digits: Leaderboard) -> None:
    figure = digits.figures.best()
    doubts = "Some of it is missing, and one should know. " * 12
    long = replace(figure, caption="word " * 300 + doubts, left_out=doubts)
    chart = draw_figure(long)
    assert " ".join(chart.to_dict()["title"]["subtitle"]) == doubts.strip()
    written = " ".join(texts(svg_of(chart)))
    assert written.count("should know.") == 12
    assert "word" not in written


def test_caption_too_long_for_a_picture_is_only_its_description(digits: Leaderboard) -> None:
    figure = digits.figures.best()
    title = draw_figure(figure).to_dict()["title"]
    assert " ".join(title["subtitle"]) == figure.caption
    long = replace(figure, caption="word " * 300, left_out="")
    spec = draw_figure(long).to_dict()
    assert "subtitle" not in spec["title"]
    assert spec["description"].count("word") == 300


# Without the extra --------------------------------------------------------------------------------


def test_drawing_says_what_is_not_installed(
    digits: Leaderboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = ("altair", "jinja2")
    monkeypatch.setattr("winodds.show.extra.find_spec", lambda name: name not in gone or None)
    assert sentence(MissingExtra, lambda: digits.plot) == (
        "Drawing needs altair and jinja2, which are not installed. Install what is missing: pip "
        "install 'winodds[report]'."
    )
    assert len(digits.figures.ranking()) == 20


INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "length"]


@pytest.mark.parametrize("name", [*BOARD_FIGURES, *SEASON_FIGURES])
def test_names_that_every_javascript_object_has_are_drawn(name: str) -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"model": model, "data": data, "fold": fold, "score": rng.normal()}
        for model in INHERITED
        for data in INHERITED[:4]
        for fold in range(6)
        if rng.random() > 0.1 and (model, data) != ("length", "toString")
    ]
    table = pl.DataFrame(rows).with_columns(kind=pl.col("model"))
    if name == "tunability":
        twins = table.with_columns(model=pl.col("model") + " 2", score=-pl.col("score"))
        table = pl.concat([table, twins])
    roles: dict[str, Any] = {"player": "model", "round": "fold", "score": "score", "group": "kind"}
    roles |= {"tournament": "data", "higher_is_better": True}
    seasonal = name in SEASON_FIGURES
    found = rate_each(table, **roles) if seasonal else rate(table, **roles)
    shown = "".join(ET.fromstring(svg_of(getattr(found.plot, name)())).itertext())
    assert "constructor" in shown or name in ("calibration", "scores", "gaps")
    assert len(shown) > 50
