"""No page asks anybody for anything: a real browser where there is no network, three counts."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import study
from show.browser.conftest import NAMES, NO_BROWSER
from show.browser.pages import ATTACKS, hostile_names, make_table, rate

import winodds
from hostile import alone
from winodds.cli.main import run
from winodds.tune import Rules, replay

DECOY = """<!DOCTYPE html><img src="https://image.invalid/x.png"><script>
new WebSocket("wss://socket.invalid/");
new Worker(URL.createObjectURL(new Blob(["fetch('https://worker.invalid/')"])));
</script><button onclick="fetch('https://click.invalid/')">x</button>"""
"""A page that asks in four ways: who counts nothing here counts nothing at all."""


def make_report(folder: Path) -> None:
    table = make_table(12, 6, seed=5, names=hostile_names(12))
    rate(table, details=False).report(folder / "report.html", details=False)


def make_season(folder: Path) -> None:
    table = make_table(6, 4, tournaments=3, seed=6, names=hostile_names(6))
    table = table.with_columns(data=pl.col("data").replace({"set 0": ATTACKS[1]}))
    roles: dict[str, Any] = {"player": "model", "round": "fold", "score": "score"}
    season = winodds.rate_each(table, tournament="data", higher_is_better=True, **roles)
    season.report(folder / "season.html", details=False)


def make_plot(folder: Path) -> None:
    table = make_table(6, 8, seed=7, names=hostile_names(6))
    rate(table, details=False).plot.ranking().save(folder / "plot.html")


def make_notebook(folder: Path) -> None:
    board: Any = rate(make_table(6, 8, seed=8, names=hostile_names(6)), details=False)
    (folder / "notebook.html").write_text(board._repr_html_(), encoding="utf-8")


def make_contest(folder: Path) -> None:
    names, rng = hostile_names(30), np.random.default_rng(9)
    entries = pl.DataFrame({"player": names, "accuracy": rng.uniform(0.85, 0.9, 30).round(3)})
    entries.write_csv(folder / "entries.csv")
    words = ["sota", str(folder / "entries.csv"), "--n", "1000", "--classes", "7"]
    assert run([*words, "-o", str(folder / "contest.html")]) == 0


def make_race(folder: Path) -> None:
    board = rate(make_table(6, 8, seed=10, names=hostile_names(6)), details=False)
    found = replay(board, Rules(splits="independent"))
    found.plot.race().save(folder / "race.html")


def make_study(folder: Path) -> None:
    rng = np.random.default_rng(7)
    rows = [
        {
            "task": f"{task}_{ATTACKS[0]}",
            "flow": f"{100 + flow}_weka.{'J48' if flow % 2 else 'JRip'}({ATTACKS[flow % 8]}{flow})",
            "fold": fold,
            "score": float(1 / (1 + np.exp(-rng.normal(0.05 * flow, 0.5)))),
        }
        for task in range(2)
        for flow in range(12)
        for fold in range(4)
    ]
    pl.DataFrame(rows).write_csv(folder / "scores.csv")
    page = str(folder / "study.html")
    assert study.main([str(folder / "scores.csv"), "--metric", "auc", "-o", page]) == 0


PAGES: dict[str, Callable[[Path], None]] = {
    "report": make_report,
    "season": make_season,
    "plot": make_plot,
    "notebook": make_notebook,
    "contest": make_contest,
    "race": make_race,
    "study": make_study,
}


def cut_off() -> list[str]:
    """The words that start a command where there is no network; the test skips where none do."""
    words = ["unshare", "--map-root-user", "--net"]
    if shutil.which(words[0]) is None:
        pytest.skip("there is no unshare, which makes a network without interfaces")
    tried = subprocess.run([*words, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"a network without interfaces is not permitted here: {tried.stderr.strip()}")
    return words


def visit(pages: list[Path]) -> dict[str, Any]:
    """What the browser saw of the pages, in a network without interfaces."""
    if why := os.environ.get(NO_BROWSER):
        pytest.skip(f"no browser could be installed: {why}")
    chromium = next(filter(None, map(shutil.which, NAMES)), "")
    words = [*cut_off(), sys.executable, str(alone.__file__), chromium, *map(str, pages)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["interfaces"] == []
    return found


@pytest.mark.usefixtures("drawn_once")
@pytest.mark.parametrize(
    "names", [["plot", "race", "contest"], pytest.param([*PAGES], marks=pytest.mark.slow)]
)
def test_no_page_asks_for_anything_where_there_is_nobody_to_ask(
    names: list[str], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    for name in names:
        PAGES[name](tmp_path)
    files = [tmp_path / f"{name}.html" for name in names]
    found = visit(files)
    asked = {
        Path(name).stem: seen["playwright"] + seen["protocol"]
        for name, seen in found["pages"].items()
    }
    record_property("tried", len(files))
    record_property("requests", sum(map(len, asked.values())) + len(found["log"]))
    assert asked == {name: [] for name in names}
    assert found["log"] == []
    assert [seen["complaints"] for seen in found["pages"].values()] == [[]] * len(files)


def test_what_a_page_asks_for_is_counted_by_all_three(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    decoy = tmp_path / "decoy.html"
    decoy.write_text(DECOY, encoding="utf-8")
    found = visit([decoy])
    (seen,) = found["pages"].values()
    record_property("tried", 1)
    for name in ("image", "click", "worker"):
        assert f"https://{name}.invalid/" in " ".join(seen["playwright"])
    assert "wss://socket.invalid/" in seen["protocol"]
    assert {"image.invalid", "click.invalid", "worker.invalid", "socket.invalid"} <= set(
        found["log"]
    )
