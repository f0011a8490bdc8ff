"""A notebook, executed and stored without a network: its boards and charts are all there."""

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altair as alt
import pytest
from playwright.sync_api import BrowserContext

from show import executed
from show.browser.conftest import browser, context, playwright_driver
from winodds.demo import rate_results
from winodds.show.charts.save import spec_of

__all__ = ["browser", "context", "playwright_driver"]

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "first_board.ipynb"
VEGA, SVG, HTML, TEXT = (
    "application/vnd.vegalite.v6+json",
    "image/svg+xml",
    "text/html",
    "text/plain",
)
CUT_OFF = ["unshare", "--map-root-user", "--net"]

NO_SOCKETS = """\
import socket

def refuse(*anywhere):
    raise OSError(f"a notebook asked for {anywhere}")

for name in ("connect", "connect_ex"):
    setattr(socket.socket, name, refuse)
socket.getaddrinfo = refuse
"""
"""What every process of Python does first; the kernel itself is talked to by other means."""


def cut_off() -> list[str]:
    """What starts a command in a network without interfaces, where that is allowed."""
    if shutil.which(CUT_OFF[0]) is None:
        return []
    tried = subprocess.run([*CUT_OFF, "true"], capture_output=True, check=False)
    return CUT_OFF if tried.returncode == 0 else []


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What each cell of the example shows, by format."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "sitecustomize.py").write_text(NO_SOCKETS)
    target = folder / "executed.ipynb"
    words = [*cut_off(), sys.executable, str(executed.__file__), str(NOTEBOOK), str(target)]
    done = subprocess.run(
        words,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    cells = json.loads(target.read_text(encoding="utf-8"))["cells"]
    return [
        {kind: _joined(part) for kind, part in output["data"].items()}
        for cell in cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]


def _joined(part: Any) -> Any:
    return "".join(part) if isinstance(part, list) else part


def holding(outputs: list[dict[str, Any]], words: str) -> dict[str, Any]:
    """The only output with these words in its HTML."""
    [found] = [one for one in outputs if words in one.get(HTML, "")]
    return found


def test_a_season_shows_the_board_of_all_and_a_line_for_each(
    outputs: list[dict[str, Any]],
) -> None:
    html = holding(outputs, "All together: 20 models, 4 data sets")[HTML]
    assert html.count("<table>") == 2
    assert ">breast_cancer</td>" in html
    assert "There is no board" not in html


def test_a_board_shows_its_verdict_its_rank_ranges_and_its_intervals(
    outputs: list[dict[str, Any]],
) -> None:
    html = holding(outputs, "<strong>digits: 20 models")[HTML]
    assert "7 of 20 could truly be the best: random_forest(default)," in html
    assert "<td>1–7</td>" in html
    pictures = [part.partition('"')[0] for part in html.split("base64,")[1:]]
    assert len(pictures) == 20
    assert all(base64.b64decode(own).startswith(b"<svg xmlns=") for own in pictures)


@pytest.mark.parametrize(
    "words",
    [
        "random_forest(default) won 10 of 20 splits against knn(default)",
        "<p>Deviance 250.8 on 171 degrees of freedom",
        "partly by luck",
    ],
)
def test_an_answer_shows_its_sentence(words: str, outputs: list[dict[str, Any]]) -> None:
    assert holding(outputs, words)[HTML].startswith("<p>")


def test_a_chart_is_a_picture_beside_what_draws_it(outputs: list[dict[str, Any]]) -> None:
    charts = [one for one in outputs if VEGA in one]
    assert len(charts) == 2
    for one in charts:
        assert set(one) == {VEGA, SVG, TEXT}
        assert one[SVG].startswith("<svg")
    assert "random_forest(default)" in charts[0][SVG]


def test_nothing_that_is_stored_names_another_place(outputs: list[dict[str, Any]]) -> None:
    for one in outputs:
        shown = one.get(HTML, "") + one.get(SVG, "")
        assert "<script" not in shown
        assert 'src="http' not in shown
        assert "url(http" not in shown


def test_stored_outputs_are_seen_in_a_browser_without_a_network(
    outputs: list[dict[str, Any]], context: BrowserContext, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    parts = [one.get(SVG) or one.get(HTML, "") for one in outputs]
    file.write_text("<!doctype html><meta charset=utf-8>" + "".join(parts), encoding="utf-8")
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    broken = page.evaluate("[...document.images].filter(own => !own.naturalWidth).length")
    assert (page.locator("img").count(), broken) == (40, 0)
    boxes = [one.bounding_box() for one in page.locator("body > svg").all()]
    assert [box is not None and box["width"] > 300 for box in boxes] == [True, True]
    assert [one for one in asked if not one.startswith(("file:", "data:"))] == []


# Without a kernel ---------------------------------------------------------------------------------


@pytest.fixture
def renderer() -> Iterator[Any]:
    yield alt.renderers
    alt.renderers.enable("default")


def test_a_chart_that_was_changed_is_shown_in_the_same_way() -> None:
    chart = rate_results()["digits"].plot.ranking(top=3).properties(title="Other words")
    shown = chart._repr_mimebundle_()
    assert list(shown) == [VEGA, SVG, TEXT]
    assert "Other words" in shown[SVG]
    assert shown[VEGA] == spec_of(chart)


def test_whoever_chooses_a_renderer_of_altair_gets_it(renderer: Any) -> None:
    chart = rate_results()["digits"].plot.ranking(top=3)
    renderer.enable("mimetype")
    shown, _ = chart._repr_mimebundle_()
    assert sorted(kind.partition(".v6")[0] for kind in shown) == [
        "application/vnd.vegalite",
        "text/plain",
    ]
