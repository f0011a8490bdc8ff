"""Tiny tables and strategies for the domain's own objects."""

import hashlib
import os
from dataclasses import fields
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import settings, strategies as st
from tables import draw_few

from winodds import rate_each, read_source
from winodds.arrays import Floats
from winodds.demo import rate_results
from winodds.matches.results import Results
from winodds.season.season import Season
from winodds.show.figures.figure import Figure

settings.register_profile("winodds", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("winodds")

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named by their argument and place, never by what they hold.

    Packed bytes hold the second in which they were packed: workers that collect the tests in
    different seconds would name them differently, and then none of the tests would run.
    """
    return argname if isinstance(val, bytes) else None


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """No progress is told in tests, however slow the machine is just now."""
    monkeypatch.setattr("winodds.cli.progress.PATIENCE", 3600.0)


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few replicates and simulated tables, for tests that these are not the subject of."""
    draw_few(monkeypatch)


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Pages in which a figure that any test of this run has drawn is not drawn again.

    A page of the built-in results has 45 drawings, which take most of its time, and many tests
    make that page to look at something else.
    """
    from winodds.show.charts.drawing import draw_figure
    from winodds.show.charts.save import draw_svg
    from winodds.writing import write_bytes_whole

    parallel = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if parallel else base) / "drawings"
    folder.mkdir(exist_ok=True)

    def draw(figure: Figure) -> str:
        whole = [repr(getattr(figure, field.name)) for field in fields(figure)]
        drawn = folder / hashlib.sha256("\n".join(whole).encode()).hexdigest()
        if not drawn.exists():
            write_bytes_whole(drawn, draw_svg(draw_figure(figure)).encode())
        return drawn.read_text(encoding="utf-8")

    monkeypatch.setattr("winodds.show.report.drawings.draw_figure", lambda figure: figure)
    monkeypatch.setattr("winodds.show.report.drawings.draw_svg", draw)


@pytest.fixture(scope="session")
def demo_season() -> Season:
    """The boards of the built-in results, with families, rated once; details may be there."""
    return rate_results(family="family")


@pytest.fixture(scope="session")
def study_season() -> Season:
    """The boards of the experiment of 2019: 44 players, 11 data sets."""
    return rate_each(
        read_source(
            Path(__file__).resolve().parent.parent / "examples" / "study" / "scores.parquet"
        )
    )


def shared_file(name: str) -> Path:
    """A published table or reference file; the test is skipped where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the reference file {name} is not on this machine")
    return path


def make_results(
    scores: Floats,
    *,
    weight: Floats | None = None,
    cluster: Floats | None = None,
    tournament: Floats | None = None,
    across: bool = False,
) -> Results:
    """Results of a table of scores, rounds × players; NaN is no score, −inf a failed run.

    Rounds without a match are left out; for matches across rounds, rounds without a score.
    """
    present = ~np.isnan(scores)
    met = (present.sum(axis=1) > 1) & np.isfinite(scores).any(axis=1)
    if across:
        met = present.any(axis=1)
    scores, present = scores[met], present[met]
    weight, cluster, tournament = (
        None if column is None else column[met] for column in (weight, cluster, tournament)
    )
    rounds, players = scores.shape
    return Results(
        players=players,
        start=np.concatenate([[0], np.cumsum(present.sum(axis=1))]),
        player=np.nonzero(present)[1],
        value=scores[present],
        weight=np.ones(rounds) if weight is None else weight,
        cluster=np.arange(rounds) if cluster is None else cluster.astype(np.int64),
        tournament=(
            np.zeros(rounds, np.int64) if tournament is None else tournament.astype(np.int64)
        ),
    )


def long_table(scores: Floats, *, prefix: str = "p") -> pl.DataFrame:
    """A table of scores, rounds × players, in long form with columns player, round, score."""
    rounds, players = scores.shape
    names = [f"{prefix}{k}" for k in range(players)]
    table = pl.DataFrame(
        {
            "player": names * rounds,
            "round": np.repeat(np.arange(rounds), players),
            "score": scores.ravel(),
        }
    )
    return table.filter(pl.col("score").is_not_nan())


@st.composite
def score_tables(
    draw: st.DrawFn,
    *,
    players: tuple[int, int] = (2, 7),
    rounds: tuple[int, int] = (2, 6),
    levels: int = 8,
    missing: bool = False,
) -> Floats:
    """Tables of scores, rounds × players, with ties and, if asked for, missing scores."""
    m = draw(st.integers(*players))
    r = draw(st.integers(*rounds))
    values = draw(st.lists(st.integers(0, levels), min_size=m * r, max_size=m * r))
    scores = np.array(values, np.float64).reshape(r, m)
    if missing:
        gone = draw(st.lists(st.booleans(), min_size=m * r, max_size=m * r))
        scores[np.array(gone).reshape(r, m) & (scores % 3 == 0)] = np.nan
    return scores


def simulate(seed: int, players: int, rounds: int, *, spread: float = 1.0) -> Floats:
    """Normal scores of players of different strength, rounds × players."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=players) * spread + rng.normal(size=(rounds, players))
