"""From a file to leaderboards, against the time polars needs to read it; and the start-up time."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from measuring import race
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
    sheet.plan(names=["model", "split", "dataset"], scores=["score"])
    return winodds.rate_each(
        sheet, player="model", round="split", tournament="dataset", higher_is_better=True
    )


def season(folder: Path, *, tournaments: int = 30, players: int = 2000, rounds: int = 20) -> None:
    """A board with robust intervals for every tournament of one file."""
    rows = tournaments * players * rounds
    print(f"\n{tournaments} tournaments × {players:,} players × {rounds} rounds from one CSV file")
    file = season_file(folder, tournaments=tournaments, players=players, rounds=rounds)
    assert sum(map(len, rate_season(file).values())) == tournaments * players
    floor, own = race(
        lambda: pl.read_csv(file).sort("dataset", "split", "score"), lambda: rate_season(file)
    )
    _print(f"{rows:,} rows", own, floor, "read and sort it", file, "rate_season")


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
    sheet.plan(names=["model_a", "model_b", "winner"])
    return winodds.rate_battles(sheet)


def battles(folder: Path, *, number: int = 1_000_000) -> None:
    """A board from a file of battles."""
    print(f"\n{number:,} battles among 200 models from one CSV file")
    file = battle_file(folder, battles=number)
    floor, own = race(lambda: pl.read_csv(file), lambda: rate_arena(file))
    _print(f"{number:,} battles", own, floor, "read it", file, "rate_arena")


def _print(what: str, own: float, floor: float, floor_does: str, file: Path, call: str) -> None:
    size = file.stat().st_size / 2**20
    peak = _peak_of(call, file)
    memory = "" if peak is None else f"; {peak:.0f} MB, {peak / size:.1f}× the file"
    print(
        f"{what}, {size:.0f} MB: {own:.2f} s, {own / floor:.1f}× the {floor:.2f} s polars needs to "
        f"{floor_does}{memory}",
        flush=True,
    )


def _peak_of(call: str, file: Path) -> float | None:
    """Megabytes that a call needs in a process of its own, which has nothing to hand."""
    code = (
        "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import files, measuring, winodds\n"
        "winodds.rate\n"
        f"call = lambda: files.{call}(pathlib.Path(sys.argv[2]))\n"
        "print(measuring.measure(call, runs=1)[1].megabytes)"
    )
    folder = str(Path(__file__).resolve().parent)
    words = [sys.executable, "-c", code, folder, str(file)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return None if done.stdout.strip() == "None" else float(done.stdout)


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
