"""A race on the report's page: its section and its pictures, with names that try to break them."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import expect

from show.browser.conftest import Watched
from show.browser.pages import ATTACKS, hostile_names, make_table, rate, read_data
from winodds.show.report.data import page_schema
from winodds.tune import Rules, replay

SETTINGS = len(ATTACKS)


@pytest.mark.parametrize("strategy", ["park", "prove"])
def test_a_page_tells_and_draws_its_race(strategy: str, watched: Watched, tmp_path: Path) -> None:
    table = make_table(SETTINGS, 12, names=hostile_names(SETTINGS), spread=2.0)
    found = replay(rate(table), Rules(strategy=strategy))  # type: ignore[arg-type]
    path = found.report(tmp_path / "race.html", title="Settings")
    data = read_data(path.read_text(encoding="utf-8"))
    assert list(Draft202012Validator(page_schema()).iter_errors(data)) == []
    page = watched.page
    page.goto(path.as_uri())
    expect(page.locator("nav a[href='#race']")).to_be_visible()
    race = page.locator("#race")
    expect(race.locator("p.lead")).to_have_text(found.text)
    fates = race.locator("table").nth(1).locator("tbody tr")
    shown = found.in_order()[:20]
    assert fates.count() == len(shown)
    cells = fates.first.locator("th, td").all_text_contents()
    assert cells[:3] == [found.choice, "chosen", str(found.paid[found.choice])]
    words = set(race.locator("table").nth(1).locator("td:nth-child(2)").all_text_contents())
    assert words <= {"chosen", "left", "parked" if strategy == "park" else "dropped"}
    for name in ("race", "ratings", "spent"):
        figure = page.locator(f"#figure-0-{name}")
        expect(figure).to_be_visible()
        figure.locator("summary").click()
        with page.expect_download() as download:
            figure.get_by_role("button", name="JSON").click()
        rows = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        assert len(rows) == len(getattr(found.figures, name)())
    assert page.evaluate("window.broken") is None
    assert watched.complaints == []
    assert all(url == path.as_uri() or url.startswith("blob:") for url in watched.requests)
