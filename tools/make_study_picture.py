"""Take the picture of docs/openml-study.md: a made-up server's study, as a browser shows it.

Usage: ``python tools/make_study_picture.py [OUTPUT]``
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "examples" / "openml_study")]

import study  # noqa: E402
from ensure_browser import NAMES  # noqa: E402
from openml_server import Server, large_world, serving  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from winodds.cli.main import run  # noqa: E402

DEFAULT_OUTPUT = ROOT / "docs" / "openml-study.png"
WIDTH, HEIGHT, MARGIN = 1180, 1000, 16


def make_page(folder: Path) -> Path:
    """The study of a server on this machine, which is asked for everything that there is."""
    for name in ("OPENML_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(folder / "home")
    table, page = folder / "scores.parquet", folder / "study.html"
    with serving(Server(large_world(31, 1000, filled=0.22))) as server:
        where = ["--server", server.url, "--cache", str(folder / "pages"), "--pause", "0", "-q"]
        assert run(["openml", "--suite", "99", *where, "-o", str(table)]) == 0
    assert study.main([str(table), "-o", str(page)]) == 0
    return page


def main(output: Path) -> None:
    """Make the page, and take a picture of its section on EPP and the metric."""
    system = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = make_page(Path(folder))
        browser = driver.chromium.launch(executable_path=system, args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        shown.goto(page.as_uri())
        top, bottom = (shown.locator(it).bounding_box() for it in ("#metric", "#metric details"))
        assert top is not None
        assert bottom is not None
        begin, end = top["y"] - MARGIN, bottom["y"] - MARGIN
        whole = {"x": 0, "y": begin, "width": WIDTH, "height": end - begin}
        shown.screenshot(path=output, full_page=True, clip=whole)  # type: ignore[arg-type]
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_OUTPUT)
