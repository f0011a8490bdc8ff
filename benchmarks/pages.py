"""The report's page in a browser: its size, the first view, and a refit.

Usage: ``python benchmarks/pages.py [[TOURNAMENTS×]PLAYERS×ROUNDS …]``
"""

import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from playwright.sync_api import Page, sync_playwright

import winodds

SHAPES: tuple[tuple[int, ...], ...] = ((100, 50), (300, 200), (2000, 20), (34, 2000, 20))
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass(frozen=True)
class Shown:
    """Megabytes of a page, and seconds; no refit where the page offers none.

    Attributes
    ----------
    made : until the page was written, details included.
    first_view : from opening the file to the finished leaderboard.
    refits : from switching a player off to the new ratings, the first time and again.
    """

    megabytes: float
    made: float
    first_view: float
    refits: tuple[float, ...]


def main(shapes: tuple[tuple[int, ...], ...] = SHAPES) -> None:
    """Print a line for each shape."""
    print("Report: (tournaments ×) players × rounds, MB, seconds to make, first view, refits")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        system = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = driver.chromium.launch(executable_path=system, args=["--no-sandbox"])
        for shape in shapes:
            found = measure_page(browser.new_page(), shape, Path(folder))
            refits = ", ".join(f"{seconds:.2f}" for seconds in found.refits) or "none"
            numbers = f"{found.megabytes:.2f} MB, {found.made:.1f}, {found.first_view:.2f}"
            print(f"{' × '.join(map(str, shape))}: {numbers}, {refits}")
        browser.close()


def measure_page(page: Page, shape: tuple[int, ...], folder: Path) -> Shown:
    """Make the report of random scores, open it and switch players off."""
    start = time.perf_counter()
    path = rate_shape(shape).report(folder / f"{'x'.join(map(str, shape))}.html")
    made = time.perf_counter() - start
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready=true][data-busy=false]")
    first_view = time.perf_counter() - start
    boxes = page.locator("#board-table input[type=checkbox]").count()
    refits = tuple(time_refit(page, place) for place in range(3)) if boxes else ()
    return Shown(path.stat().st_size / 1e6, made, first_view, refits)


def time_refit(page: Page, place: int) -> float:
    """Seconds from a click to the new ratings."""
    start = time.perf_counter()
    page.evaluate("place => document.querySelector(`[data-focus='rate-${place}']`).click()", place)
    page.wait_for_selector("body[data-busy=false]")
    return time.perf_counter() - start


def rate_shape(shape: tuple[int, ...]) -> winodds.Leaderboard | winodds.Season:
    """The board of (players, rounds), or a season of (tournaments, players, rounds)."""
    *several, players, rounds = shape
    if not several:
        return winodds.rate(make_table(players, rounds), higher_is_better=True)
    tables = (
        make_table(players, rounds, seed=t).with_columns(
            tournament=pl.lit(f"data {t}"), family=pl.col("player").str.tail(1)
        )
        for t in range(several[0])
    )
    options: Any = {"tournament": "tournament", "family": "family", "higher_is_better": True}
    return winodds.rate_each(pl.concat(tables), **options)


def make_table(players: int, rounds: int, *, seed: int = 0) -> pl.DataFrame:
    """Normal scores of players whose strengths spread as far as the scores."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=players) + rng.normal(size=(rounds, players))
    return pl.DataFrame(
        {
            "player": np.tile([f"model {k}" for k in range(players)], rounds),
            "round": np.repeat(np.arange(rounds), players),
            "score": score.ravel(),
        }
    )


if __name__ == "__main__":
    asked = [word.replace("×", "x").split("x") for word in sys.argv[1:]]
    main(tuple(tuple(map(int, shape)) for shape in asked) or SHAPES)
