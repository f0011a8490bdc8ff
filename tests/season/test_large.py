"""What a season of many models costs, beside rating it. `make test-slow` prints the table."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from winodds import Season, rate_each
from winodds.arrays import Floats

TOURNAMENTS, PLAYERS, ROUNDS = 34, 2_000, 20


def _scores(rng: np.random.Generator, *, unequal: bool) -> Floats:
    """(T, R, m) scores of five families; noise is alike for all players, or differs much."""
    family = np.arange(PLAYERS) % 5
    shape = TOURNAMENTS, 1, PLAYERS
    strengths = 0.15 * family + 0.5 * rng.normal(size=PLAYERS) + 0.7 * rng.normal(size=shape)
    noise = np.exp(0.6 * rng.normal(size=shape)) if unequal else np.ones(shape)
    return np.asarray(strengths + noise * rng.normal(size=(TOURNAMENTS, ROUNDS, PLAYERS)))


def _table(scores: Floats) -> pl.DataFrame:
    tournament, split, model = (part.ravel() for part in np.indices(scores.shape))
    family = (pl.col("model") % 5).alias("family")
    table = pl.DataFrame({"data": tournament, "split": split, "model": model}).with_columns(family)
    return table.cast(pl.String).with_columns(score=scores.ravel())


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def _rate(table: pl.DataFrame) -> Season:
    return rate_each(
        table,
        player="model",
        round="split",
        score="score",
        tournament="data",
        family="family",
        higher_is_better=True,
    )


@pytest.mark.slow
def test_the_page_of_a_large_season_is_small(tmp_path: Path) -> None:
    table = _table(_scores(np.random.default_rng(1), unequal=True)).with_columns(
        model="gradient_boosting(max_depth=" + pl.col("model") + ")"
    )
    season = _rate(table)
    start = time.process_time()
    size = season.report(tmp_path / "page.html").stat().st_size
    print(
        f"\n{TOURNAMENTS} × {PLAYERS:,} × {ROUNDS}: page {size / 1e6:.2f} MB, "
        f"{time.process_time() - start:.1f} CPU s",
        end="",
    )
    assert size < 10_000_000


@pytest.mark.slow
@pytest.mark.parametrize("unequal", [False, True])
def test_the_best_of_every_family_take_little_longer_than_rating(*, unequal: bool) -> None:
    table = _table(_scores(np.random.default_rng(1), unequal=unequal))

    season = _rate(table)
    rating = min(_seconds(lambda: _rate(table)) for _ in range(2))
    picking = _seconds(season.sota)
    print(
        f"\n{TOURNAMENTS} × {PLAYERS:,} × {ROUNDS}, noise {'unequal' if unequal else 'alike':7}: "
        f"rating {rating:.2f} CPU s, bests without luck {picking:.2f} ({picking / rating:.1f} ×)",
        end="",
    )
    # Together with rating at most 4 times its time; what else is asked of a season fits beside it.
    assert picking <= 3.0 * rating
