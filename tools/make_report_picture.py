"""Take the README's picture of the report: the built-in results, as a browser shows them.

Usage: ``python tools/make_report_picture.py [OUTPUT]``
"""

import shutil
import sys
import tempfile
from pathlib import Path

from ensure_browser import NAMES
from playwright.sync_api import sync_playwright

from winodds.demo import pool_results, rate_results

DEFAULT_OUTPUT = Path(__file__).resolve().parents[1] / "docs" / "report.png"
VIEW = "#tournament=heart"
WIDTH, HEIGHT = 1180, 1010


def main(output: Path) -> None:
    """Make the report, open it and take the picture."""
    system = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        season, overview = rate_results(family="family"), pool_results(family="family")
        path = Path(folder) / "report.html"
        page = season.report(path, title="Built-in results", overview=overview)
        browser = driver.chromium.launch(executable_path=system, args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        shown.goto(f"{page.as_uri()}{VIEW}")
        shown.wait_for_selector("#duel-found .lead")
        shown.locator("#answer").evaluate("answer => answer.scrollIntoView()")
        shown.screenshot(path=output)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_OUTPUT)
