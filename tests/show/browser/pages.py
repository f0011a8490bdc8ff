"""Boards whose reports the browser is shown, and the names that try to break them."""

import base64
import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tables import draw_few

import winodds
from winodds import Leaderboard, Season
from winodds.demo import load_results, rate_results
from winodds.show.report.page import render_report

ATTACKS = (
    "<script>window.broken = 1</script>",
    "</script><script>window.broken = 2</script>",
    "<img src=x onerror='window.broken = 3'>",
    '"><svg onload=window.broken=4>',
    "'; window.broken = 5; '",
    "${window.broken = 6}",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "<!-- ",
    "-->",
    "]]>",
    "&lt;b&gt;",
    "javascript:window.broken=7",
    '=HYPERLINK("x")',
    "@SUM(A1)",
    "+1",
    "-1",
    "|a|b|",
    "*bold* _it_ `code`",
    "[a](b)",
    "$x$ \\input{y} %",
    "\\\\ & # ~ ^",
    "\u05d0\u05d1\u05d2",
    "🧪🏳️‍🌈",
    "null",
    "undefined",
    "NaN",
    "__proto__",
    "constructor",
    "toString",
    "datum.player",
    "#duel",
    "a" * 300,
    "a,b;c",
    '"quoted"',
    "'single'",
    "http://example.org",
    "e@mail.org",
)


def hostile_names(number: int = 200) -> list[str]:
    """So many names that are all different."""
    return [
        f"{ATTACKS[k % len(ATTACKS)]}{'' if k < len(ATTACKS) else f' {k}'}" for k in range(number)
    ]


def make_table(
    players: int = 6,
    rounds: int = 12,
    *,
    seed: int = 0,
    missing: float = 0.0,
    decimals: int | None = None,
    tournaments: int = 1,
    spread: float = 1.0,
    names: list[str] | None = None,
) -> pl.DataFrame:
    """Scores of players in the rounds of tournaments."""
    rng = np.random.default_rng(seed)
    strength = spread * np.linspace(1.0, -1.0, players)
    rows: list[dict[str, Any]] = []
    for t in range(tournaments):
        taste = 0.5 * rng.normal(size=players) if tournaments > 1 else np.zeros(players)
        score = strength + taste + rng.normal(size=(rounds, players))
        score = score if decimals is None else score.round(decimals)
        for r in range(rounds):
            rows += [
                {
                    "model": names[k] if names else f"model {k}",
                    "data": f"set {t}",
                    "fold": r,
                    "score": score[r, k],
                }
                for k in range(players)
                if rng.random() >= missing
            ]
    return pl.DataFrame(rows)


def rate(table: pl.DataFrame, **options: Any) -> Leaderboard:
    """The board of such a table, with details unless they are not wanted."""
    roles = {"player": "model", "round": "fold", "score": "score", "higher_is_better": True}
    return winodds.rate(table, **{**roles, "details": True, **options})


TABLES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "complete": ({"players": 12, "rounds": 15}, {}),
    "missing": ({"players": 10, "rounds": 14, "missing": 0.3, "seed": 1}, {}),
    "ties": ({"players": 8, "rounds": 12, "decimals": 0, "seed": 2}, {}),
    "separated": ({"players": 6, "rounds": 6, "spread": 6.0, "seed": 3}, {}),
    "pooled": (
        {"players": 7, "rounds": 5, "tournaments": 5, "seed": 4},
        {"tournament": "data"},
    ),
}
"""Tables that are refitted, and the options with which they are rated."""


@cache
def make_board(name: str) -> Leaderboard | Season:
    """One of the boards by its name, with few draws."""
    with pytest.MonkeyPatch.context() as patch:
        draw_few(patch)
        return _make_board(name)


def _make_board(name: str) -> Leaderboard | Season:
    if name in TABLES:
        shape, options = TABLES[name]
        return rate(make_table(**shape), **options)
    if name == "demo":
        season = rate_results(family="family")
        season.look_closer()
        return season
    if name == "referred":
        table = load_results().filter(pl.col("dataset") == "digits")
        asked: dict[str, Any] = {"reference": "random_forest(default)", "details": True}
        return winodds.rate(table, player="model", round="split", score="auc", **asked)
    if name == "hostile":
        return rate(make_table(200, 6, seed=5, names=hostile_names()), details=False)
    if name == "hostile season":
        return _hostile_season()
    if name == "large":
        return rate(make_table(2000, 20, seed=6), details=False)
    if name == "components":
        return rate(make_components(), components="separate")
    sides: dict[str, Any] = {"left": "a", "right": "b", "winner": "who"}
    if name == "arena":
        return winodds.rate_battles(_battles(310, 4000), **sides, details=False)
    assert name == "battles", name
    return winodds.rate_battles(_battles(5, 400), **sides, details=True)


def _hostile_season() -> Season:
    """Players, families and tournaments whose names try to break the page."""
    attacks = hostile_names(14)
    table = make_table(len(attacks), 5, tournaments=len(attacks), seed=8, names=attacks)
    number = pl.col("data").str.strip_prefix("set ").cast(pl.Int64)
    renamed = table.with_columns(
        data=number.replace_strict(dict(enumerate(attacks))),
        kind=pl.col("model").replace_strict(
            {name: attacks[k // 4] for k, name in enumerate(attacks)}
        ),
    )
    roles: Any = {"player": "model", "round": "fold", "score": "score", "higher_is_better": True}
    return winodds.rate_each(renamed, tournament="data", family="kind", details=False, **roles)


def make_components() -> pl.DataFrame:
    """Scores of three and of four players who never met."""
    first = make_table(3, 6, seed=1)
    second = make_table(4, 6, seed=2, names=["w", "x", "y", "z"])
    return pl.concat([first, second.with_columns(pl.col("fold") + 10)])


def _battles(players: int, size: int) -> pl.DataFrame:
    rng = np.random.default_rng(7)
    first, second = rng.integers(0, players, (2, size))
    other = (first + 1 + second % (players - 1)) % players
    won = rng.random(size) < 1 / (1 + np.exp(2.5 / players * (first - other)))
    return pl.DataFrame(
        {
            "a": [f"bot {k}" for k in first],
            "b": [f"bot {k}" for k in other],
            "who": np.where(won, "left", "right"),
        }
    )


@cache
def page_text(name: str) -> str:
    """The report of one of the boards."""
    return render_report(make_board(name), title=f"Report: {name}")


def read_data(text: str) -> Any:
    """The data in a page, compressed or not."""
    found = re.search(r'<script type="application/(\w+)" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    if found[1] == "json":
        return json.loads(found[2])
    assert found[1] == "gzip"
    return json.loads(gzip.decompress(base64.b64decode(found[2])))


def write_page(name: str, folder: Path) -> Path:
    """Write that report into a folder."""
    path = folder / f"{name}.html"
    path.write_text(page_text(name), encoding="utf-8")
    return path
