"""The benchmark of the report measures what it says."""

import sys
from pathlib import Path

from playwright.sync_api import BrowserContext, expect

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import pages


def test_a_page_is_made_opened_and_refitted(context: BrowserContext, tmp_path: Path) -> None:
    page = context.new_page()
    found = pages.measure_page(page, (6, 4), tmp_path)
    assert found.megabytes == (tmp_path / "6x4.html").stat().st_size / 1e6
    assert len(found.refits) == 3
    expect(page.locator("tr.off")).to_have_count(3)


def test_a_page_of_a_season_is_measured_too(context: BrowserContext, tmp_path: Path) -> None:
    found = pages.measure_page(context.new_page(), (3, 5, 6), tmp_path)
    assert found.megabytes == (tmp_path / "3x5x6.html").stat().st_size / 1e6
    assert len(found.refits) == 3
