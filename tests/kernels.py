"""Prints boards and all that is said about them as JSON: a process of `test_kernels`.

Tables are small, with ties, copies, gaps and clean sweeps, where most numbers tie on paper.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
from shown import read_blocks, run_block
from threadpoolctl import threadpool_info

import winodds.demo
from winodds import Leaderboard, Season, rate, rate_battles, rate_each
from winodds.errors import WinoddsError
from winodds.show.figures.boards import figures_for
from winodds.show.formats.latex import render_latex
from winodds.show.formats.markdown import render_markdown
from winodds.show.formats.text import render_text
from winodds.show.layout.documents import (
    board_document,
    bootstrap_document,
    comparison_document,
    quality_document,
)

DIGITS = 6
"""That floats of figures and of JSON are compared with; more than any output shows."""


def _steady(value: Any) -> Any:
    """Plain data whose floats have so many digits, and 0 for what is only rounding."""
    if isinstance(value, dict):
        return {name: _steady(own) for name, own in value.items() if name != "evidence"}
    if isinstance(value, (list, tuple)):
        return [_steady(own) for own in value]
    if isinstance(value, float):
        return f"{round(value, 8):z.{DIGITS}g}"
    return value


def _compare(board: Leaderboard, *players: str) -> str:
    if len(players) == 2:
        return render_text(comparison_document([(board, board.compare(*players))]))
    return render_text(comparison_document([(board, board.compare(adjust="max-t"))]))


def _findings(season: Season) -> str:
    return str(season.findings())


def _figure(figures: Any, name: str) -> Any:
    return _steady(getattr(figures, name)().rows)


def _outputs(board: Leaderboard) -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "text", lambda: render_text(board_document([board]))
    yield "markdown", lambda: render_markdown(board_document([board]))
    yield "latex", lambda: render_latex(board_document([board]))
    yield "json", lambda: _steady(board.to_dict())
    yield "quality", lambda: render_text(quality_document([(board, board.quality())]))
    drawn = partial(board.bootstrap, replicates=80)
    yield "bootstrap", lambda: render_text(bootstrap_document([(board, drawn())], top=9))
    yield "luck", lambda: str(board.sota())
    yield "max-t", lambda: _compare(board)
    for other in board.players[1:3]:
        yield f"against {other}", partial(_compare, board, board.players[0], other)
    for name in figures_for(board):
        yield name, partial(_figure, board.figures, name)


def _table(rng: np.random.Generator, players: int, rounds: int, decimals: int) -> pl.DataFrame:
    scores = np.round(rng.normal(size=(rounds, players)) + 0.5 * np.arange(players), decimals)
    scores[:, 1] = scores[:, 0]
    return pl.DataFrame(
        {
            "player": [f"p{k}" for k in range(players)] * rounds,
            "family": [f"f{k % 2}" for k in range(players)] * rounds,
            "round": np.repeat(np.arange(rounds), players),
            "weight": np.repeat(0.1 + 0.3 * (np.arange(rounds) % 3), players),
            "score": scores.ravel(),
        }
    )


def _boards() -> Iterator[tuple[str, Callable[[], Leaderboard]]]:
    rng = np.random.default_rng(5)
    asked: dict[str, Any] = {"higher_is_better": True, "family": "family", "details": True}
    ties, weights = _table(rng, 3, 4, 0), _table(rng, 5, 6, 0)
    gaps = _table(rng, 5, 6, 0).filter(pl.Series(rng.random(30) < 0.75))
    clean = _table(rng, 3, 3, 6).with_columns(score=pl.col("player").str.slice(1).cast(float))
    pooled = pl.concat([_table(rng, 4, 2, 0).with_columns(data=pl.lit(name)) for name in "uvwx"])
    two = pl.DataFrame(
        {"player": ["a", "b"] * 3, "round": [1, 1, 2, 2, 3, 3], "score": [2.0, 1, 2, 1, 1, 2]}
    )
    first, second = rng.integers(0, 4, 30), rng.integers(1, 4, 30)
    battles = pl.DataFrame(
        {
            "model_a": [f"p{k}" for k in first],
            "model_b": [f"p{k}" for k in (first + second) % 4],
            "winner": rng.choice(["model_a", "model_b", "tie"], 30),
        }
    )
    yield "ties", lambda: rate(ties, **asked)
    yield "weights", lambda: rate(weights, weights="weight", **asked)
    yield "gaps", lambda: rate(gaps, **asked)
    yield "clean", lambda: rate(clean, **asked)
    yield "across", lambda: rate(ties, matches="across", **asked)
    yield "pooled", lambda: rate(pooled, tournament="data", **asked)
    yield "two", lambda: rate(two, higher_is_better=True, details=True)
    yield "battles", lambda: rate_battles(battles, details=True)
    yield "digits", lambda: winodds.demo.rate_results(family="family")["digits"]


def _season() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Players and tournaments of such symmetry that two axes are equally long."""
    rng = np.random.default_rng(7)
    order = pl.concat([_table(rng, 4, 3, 0).with_columns(data=pl.lit(name)) for name in "uvw"])
    ring = pl.DataFrame(
        [(f"p{(k + t) % 3}", r, f"t{t}", float(k)) for t, r, k in np.ndindex(3, 3, 3)],
        schema=["player", "round", "data", "score"],
        orient="row",
    )
    for name, table in (("season", order), ("ring", ring)):
        season = rate_each(table, tournament="data", higher_is_better=True)
        found = [(board, board.quality()) for board in season.values()]
        yield f"{name}: quality", partial(render_text, quality_document(found))
        yield f"{name}: findings", partial(_findings, season)
        for figure in ("biplot", "boxes", "matrix"):
            yield f"{name}: {figure}", partial(_figure, season.figures, figure)


def _pages() -> Iterator[tuple[str, str]]:
    """What the examples of the documentation print."""
    os.environ["COLUMNS"] = "80"
    for page in ("docs/method.md", "docs/season.md", "docs/data.md"):
        with TemporaryDirectory() as folder, chdir(folder):
            namespace: dict[str, object] = {}
            for number, block in enumerate(read_blocks(page)):
                yield f"{page}, block {number}", run_block(block, namespace) or ""


def _say(make: Callable[[], Any]) -> str:
    try:
        made = make()
    except WinoddsError as error:
        return f"{type(error).__name__}: {error}"
    return made if isinstance(made, str) else json.dumps(made, indent=0, ensure_ascii=False)


def main() -> None:
    """Print everything, and the kernels that were in use."""
    printed: dict[str, str] = {}
    for name, make in _boards():
        board = make()
        printed |= {f"{name}: {what}": _say(say) for what, say in _outputs(board)}
    printed |= {name: _say(say) for name, say in _season()}
    printed |= dict(_pages())
    kernels = {str(library.get("architecture")) for library in threadpool_info()}
    print(json.dumps({**printed, "kernels": " ".join(sorted(kernels))}))


if __name__ == "__main__":
    main()
