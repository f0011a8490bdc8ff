"""Pages of single pictures: they draw, and run or send nothing else."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from tables import named

from show.browser.conftest import Watched
from winodds import rate
from winodds.show.charts.save import render_picture

HOSTILE = "</script><script>document.title = 'run'</script>"


@pytest.mark.parametrize("figure", ["ranking", "win_matrix"])
def test_a_picture_draws_itself_under_its_policy_and_has_no_menu(
    figure: str, tmp_path: Path, watched: Watched
) -> None:
    board = rate(named(HOSTILE, "b", "c"), higher_is_better=True)
    file = tmp_path / "picture.html"
    file.write_bytes(render_picture(getattr(board.plot, figure)(), "html"))
    page = watched.page
    page.goto(file.as_uri())
    expect(page.locator("#vega-chart svg.marks")).to_be_visible()
    assert page.title() == "Chart"
    assert page.locator("details, a, .vega-actions").count() == 0
    policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert str(policy).startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in str(policy)
    assert watched.complaints == []
    assert watched.requests == [file.as_uri()]
