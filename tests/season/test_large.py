"""What a season of many models costs, beside rating it. `make test-slow` prints the table."""

import time
from collections.abc import Callable

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


@pytest.mark.slow
@pytest.mark.parametrize("unequal", [False, True])
def test_the_best_of_every_family_take_little_longer_than_rating(*, unequal: bool) -> None:
    table = _table(_scores(np.random.default_rng(1), unequal=unequal))

    def rate() -> Season:
        return rate_each(
            table,
            player="model",
            round="split",
            score="score",
            tournament="data",
            family="family",
            higher_is_better=True,
        )

    season = rate()
    rating = min(_seconds(rate) for _ in range(2))
    picking = _seconds(season.sota)
    print(
        f"\n{TOURNAMENTS} × {PLAYERS:,} × {ROUNDS}, noise {'unequal' if unequal else 'alike':7}: "
        f"rating {rating:.2f} CPU s, bests without luck {picking:.2f} ({picking / rating:.1f} ×)",
        end="",
    )
    # Together with rating at most 4 times its time; what else is asked of a season fits beside it.
    assert picking <= 3.0 * rating
