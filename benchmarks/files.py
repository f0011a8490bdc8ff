"""From a file to leaderboards, against the time polars needs to read it; and the start-up time."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from measuring import Measured, measure
from scipy.special import expit

import winodds
from winodds.read.files import read_results

STARTS = 7
"""How often a command is started; the median counts."""


def season_file(folder: Path, *, tournaments: int, players: int, rounds: int) -> Path:
    """A long table of normal scores as CSV."""
    rng = np.random.default_rng(4)
    strength = rng.normal(size=(tournaments, 1, players))
    scores = strength + rng.normal(size=(tournaments, rounds, players))
    numbers = pl.DataFrame(
        {
            "dataset": np.repeat(np.arange(tournaments), players * rounds),
            "split": np.tile(np.repeat(np.arange(rounds), players), tournaments),
            "model": np.tile(np.arange(players), rounds * tournaments),
            "score": scores.ravel(),
        }
    )
    file = folder / "season.csv"
    numbers.with_columns(
        dataset="data_" + pl.col("dataset").cast(pl.String),
        model="model_" + pl.col("model").cast(pl.String),
    ).write_csv(file)
    return file


def rate_season(file: Path) -> winodds.Season:
    """What ``winodds rate FILE --higher-is-better`` computes."""
    sheet = read_results(file)
    sheet.plan(names=["model", "split", "dataset"], numbers=["score"])
    return winodds.rate_each(
        sheet, player="model", round="split", tournament="dataset", higher_is_better=True
    )


def season(folder: Path, *, tournaments: int = 30, players: int = 2000, rounds: int = 20) -> None:
    """A board with robust intervals for every tournament of one file."""
    rows = tournaments * players * rounds
    print(f"\n{tournaments} tournaments × {players:,} players × {rounds} rounds from one CSV file")
    file = season_file(folder, tournaments=tournaments, players=players, rounds=rounds)
    _, floor = measure(lambda: pl.read_csv(file).sort("dataset", "split", "score"), runs=5)
    found, own = measure(lambda: rate_season(file), runs=5)
    assert sum(map(len, found.values())) == tournaments * players
    _print(f"{rows:,} rows", own, floor, "read and sort it", file)


def battle_file(folder: Path, *, battles: int, players: int = 200) -> Path:
    """Battles of models of normal strength as CSV."""
    rng = np.random.default_rng(3)
    strength = rng.normal(size=players)
    first = rng.integers(0, players, battles)
    second = (first + rng.integers(1, players, battles)) % players
    won = rng.random(battles) < expit(strength[first] - strength[second])
    file = folder / "battles.csv"
    pl.DataFrame({"model_a": first, "model_b": second, "won": won}).select(
        model_a="model " + pl.col("model_a").cast(pl.String),
        model_b="model " + pl.col("model_b").cast(pl.String),
        winner=pl.when("won").then(pl.lit("model_a")).otherwise(pl.lit("model_b")),
    ).write_csv(file)
    return file


def rate_arena(file: Path) -> winodds.Leaderboard:
    """What ``winodds rate FILE --battles`` computes."""
    sheet = read_results(file)
    sheet.plan(names=["model_a", "model_b", "winner"], numbers=[])
    return winodds.rate_battles(sheet)


def battles(folder: Path, *, number: int = 1_000_000) -> None:
    """A board from a file of battles."""
    print(f"\n{number:,} battles among 200 models from one CSV file")
    file = battle_file(folder, battles=number)
    _, floor = measure(lambda: pl.read_csv(file), runs=5)
    _, own = measure(lambda: rate_arena(file), runs=5)
    _print(f"{number:,} battles", own, floor, "read it", file)


def _print(what: str, own: Measured, floor: Measured, floor_does: str, file: Path) -> None:
    size = file.stat().st_size / 2**20
    memory = ""
    if own.megabytes is not None:
        memory = f"; {own.megabytes:.0f} MB, {own.megabytes / size:.1f}× the file"
    print(
        f"{what}, {size:.0f} MB: {own.seconds:.2f} s, {own.seconds / floor.seconds:.1f}× the "
        f"{floor.seconds:.2f} s polars needs to {floor_does}{memory}",
        flush=True,
    )


def start_up() -> None:
    """How long help takes, beside the interpreter and numpy."""
    print("\nStarting")
    empty = _median(lambda: _start("-c", "pass"))
    numpy = _median(lambda: _start("-c", "import numpy"))
    own = _median(lambda: _start("-m", "winodds", "--help"))
    package = _median(lambda: _start("-c", "import winodds; winodds.rate"))
    print(f"python {empty:.2f} s, with numpy {numpy:.2f} s, winodds --help {own:.2f} s")
    print(f"import winodds and its rate {package:.2f} s")


def _start(*words: str) -> None:
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)


def _median(call: Callable[[], None]) -> float:
    seconds = []
    for _ in range(STARTS):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)
