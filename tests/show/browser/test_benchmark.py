"""The benchmark of the report measures what it says."""

import sys
from pathlib import Path

from playwright.sync_api import BrowserContext, expect

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import pages


def test_a_page_is_made_opened_and_refitted(context: BrowserContext, tmp_path: Path) -> None:
    page = context.new_page()
    found = pages.measure_page(page, 6, 4, tmp_path)
    assert found.megabytes == (tmp_path / "6x4.html").stat().st_size / 1e6
    assert len(found.refits) == 3
    expect(page.locator("tr.off")).to_have_count(3)
