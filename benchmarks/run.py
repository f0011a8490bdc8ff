"""Winodds against other packages and a floor, everything measured in one run: ``make bench``.

Times are seconds in process, imports left out, the best of three runs where one takes less than
five seconds. Memory is the peak of the process above what it held before. A peer's time "from
scores" includes turning the scores into the input it wants; "from counts" is its own call alone.
Errors are the largest difference of a rating from the exact maximum-likelihood solution.
"""

import argparse
import os
import platform
import tempfile
import warnings
from pathlib import Path

import boards
import contests
import files
import numpy as np
import polars as pl
import runs
from measuring import Measured, measure
from numpy.typing import NDArray
from peers import PEERS, Peer, win_counts
from scipy.special import expit

import winodds

Floats = NDArray[np.float64]

SIZES = (16, 50, 200, 500, 1000, 2000)
ROUNDS = 20
PATIENCE = 60.0
"""Seconds after which a peer is not tried on larger tables."""


def make_scores(players: int, rounds: int, *, seed: int = 1) -> Floats:
    """Normal scores of players of normal strength, rounds × players."""
    rng = np.random.default_rng(seed)
    scores: Floats = rng.normal(size=players) + rng.normal(size=(rounds, players))
    return scores


def to_frame(scores: Floats) -> pl.DataFrame:
    """The scores in long form, with text for names, as people have them."""
    rounds, players = scores.shape
    return pl.DataFrame(
        {
            "player": np.tile(np.arange(players), rounds),
            "round": np.repeat(np.arange(rounds), players),
            "score": scores.ravel(),
        }
    ).with_columns(player="model_" + pl.col("player").cast(pl.String))


def exact_ratings(scores: Floats) -> Floats:
    """Maximum-likelihood ratings by Newton's method with every pair written out."""
    wins = win_counts(scores)
    met, total = wins + wins.T, wins.sum(axis=1)
    beta = np.zeros(len(wins))
    for _ in range(60):
        chance = expit(beta[:, None] - beta[None, :])
        weight = met * chance * (1.0 - chance)
        information = np.diag(weight.sum(axis=1)) - weight + weight.mean()
        step = np.linalg.solve(information, total - (met * chance).sum(axis=1))
        beta = beta + step * min(1.0, 2.0 / np.abs(step).max())
        beta -= beta.mean()
        if np.abs(step).max() < 1e-13:
            break
    return beta


def rate(frame: pl.DataFrame, **options: str) -> winodds.Leaderboard:
    """Rate with the default, bias-reduced with robust intervals, unless told otherwise."""
    return winodds.rate(frame, higher_is_better=True, **options)  # type: ignore[arg-type]


def _error_of_winodds(frame: pl.DataFrame, exact: Floats) -> float:
    board = rate(frame, estimator="mle")
    place = np.array([int(name.removeprefix("model_")) for name in board.players])
    return float(np.abs(board.standings.epp - exact[place]).max())


def compare_with_peers(sizes: tuple[int, ...], rounds: int) -> None:
    """Complete tables: time, memory and error of every peer that finishes in time."""
    print(f"\nComplete tables, {rounds} rounds; × is a multiple of Winodds' time from scores")
    print(_ROW.format("players", "tool", "from scores", "from counts", "MB", "error"))
    tired: set[str] = set()
    peers = [peer for peer in PEERS if _loads(peer)]
    small = make_scores(8, 4)
    for peer in peers:
        peer.fit(peer.prepare(small))
    rate(to_frame(small))
    for players in sizes:
        scores = make_scores(players, rounds)
        frame, exact = to_frame(scores), exact_ratings(scores)
        _, floor = measure(lambda frame=frame: frame.sort("round", "score"))  # type: ignore[misc]
        _, own = measure(lambda frame=frame: rate(frame))  # type: ignore[misc]
        error = _error_of_winodds(frame, exact)
        _line(players, "floor: polars sorts the scores", floor, None, own, None)
        _line(players, "winodds, robust intervals included", own, None, own, error)
        for peer in peers:
            _measure_peer(peer, scores, exact, own, tired)


def _loads(peer: Peer) -> bool:
    try:
        peer.load()
    except ImportError as problem:
        print(f"left out: {peer.name} ({problem})")
        return False
    return True


def _measure_peer(
    peer: Peer, scores: Floats, exact: Floats, own: Measured, tired: set[str]
) -> None:
    players = scores.shape[1]
    name = f"{peer.name} {peer.variant}"
    if name in tired or (peer.max_players is not None and players > peer.max_players):
        return
    ready, preparing = measure(lambda: peer.prepare(scores))
    ratings, fitting = measure(lambda: peer.fit(ready))
    total = Measured(preparing.seconds + fitting.seconds, fitting.megabytes)
    counts = fitting if peer.wants == "counts" else None
    if total.seconds > PATIENCE:
        tired.add(name)
        return
    _line(
        players, f"{name} ({peer.wants})", total, counts, own, float(np.abs(ratings - exact).max())
    )


def _line(
    players: int,
    tool: str,
    total: Measured,
    counts: Measured | None,
    own: Measured,
    error: float | None,
) -> None:
    ready = "" if counts is None else _ratio(counts, own)
    memory = "" if total.megabytes is None else f"{total.megabytes:.0f}"
    largest = "" if error is None else f"{error:.0e}"
    print(_ROW.format(f"{players:,}", tool, _ratio(total, own), ready, memory, largest), flush=True)


_ROW = "{:>7}  {:46.46} {:>19} {:>19} {:>6} {:>7}"


def _ratio(measured: Measured, own: Measured) -> str:
    return f"{measured.seconds:9.4f} s {measured.seconds / own.seconds:6.1f}×"


def growth() -> None:
    """Ten times the players, and ten times again."""
    print("\nGrowth, complete tables of equal spread, robust intervals included")
    seconds: dict[int, float] = {}
    for players, rounds in ((10_000, 20), (100_000, 20), (1_000_000, 10)):
        frame = to_frame(make_scores(players, rounds))
        _, floor = measure(lambda frame=frame: frame.sort("round", "score"))  # type: ignore[misc]
        _, own = measure(lambda frame=frame: rate(frame))  # type: ignore[misc]
        seconds[players] = own.seconds
        memory = "" if own.megabytes is None else f"{own.megabytes:8,.0f} MB"
        print(
            f"{players:>9,} × {rounds}  {own.seconds:8.2f} s  {memory}  "
            f"{own.seconds / floor.seconds:5.1f}× the time polars needs to sort the scores",
            flush=True,
        )
    print(f"100,000 players cost {seconds[100_000] / seconds[10_000]:.1f}× as much as 10,000")


def missing_scores() -> None:
    """A table in which 30% of the scores are missing."""
    print("\n2,000 players × 20 rounds, 30% of the scores missing")
    scores = make_scores(2000, 20)
    frame = to_frame(scores)
    kept = frame.filter(pl.Series(np.random.default_rng(2).random(frame.height) > 0.3))
    _, full = measure(lambda: rate(frame))
    _, own = measure(lambda: rate(kept))
    print(f"{own.seconds:8.2f} s, {own.seconds / full.seconds:.0f}× the complete table's")


def battles() -> None:
    """A million battles among 200 models."""
    print("\nA million battles among 200 models")
    rng = np.random.default_rng(3)
    strength = rng.normal(size=200)
    first = rng.integers(0, 200, 1_000_000)
    second = (first + rng.integers(1, 200, first.size)) % 200
    won = rng.random(first.size) < expit(strength[first] - strength[second])
    numbers = pl.DataFrame({"model_a": first, "model_b": second, "won": won})
    frame = numbers.select(
        model_a="model " + pl.col("model_a").cast(pl.String),
        model_b="model " + pl.col("model_b").cast(pl.String),
        winner=pl.when("won").then(pl.lit("model_a")).otherwise(pl.lit("model_b")),
    )
    _, floor = measure(lambda: frame.group_by("model_a", "model_b", "winner").len())
    _, own = measure(lambda: winodds.rate_battles(frame))
    print(
        f"{own.seconds:8.2f} s, {own.seconds / floor.seconds:.1f}× the time polars needs to count "
        f"them by pair"
    )


def main() -> None:
    """Measure and print everything, or only small tables with ``--quick``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only tables of 16 and 50 players")
    quick = parser.parse_args().quick
    warnings.simplefilter("ignore")
    print(
        f"Winodds {winodds.__version__}, Python {platform.python_version()}, numpy "
        f"{np.__version__}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    compare_with_peers(SIZES[:2] if quick else SIZES, ROUNDS)
    if not quick:
        growth()
        missing_scores()
        battles()
        boards.details(to_frame(make_scores(2000, ROUNDS)))
        contests.contests()
        with tempfile.TemporaryDirectory() as folder:
            files.season(Path(folder))
            files.battles(Path(folder))
        files.start_up()
        runs.runs()


if __name__ == "__main__":
    main()
