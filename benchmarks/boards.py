"""Bootstrap, ranks and quality of a large board, measured in fits and megabytes."""

import numpy as np
import polars as pl
from measuring import measure, race

import winodds
from winodds.fit.newton import fit
from winodds.matches.wins import RoundEvidence


def details(frame: pl.DataFrame, *, replicates: int = 1000) -> None:
    """What the parts of a board cost that are computed when they are first asked for."""
    board = winodds.rate(frame, higher_is_better=True)
    rounds = board.how.matches.rounds
    print(f"\nDetails of a board of {len(board):,} players × {rounds} rounds")
    wins = board.components[0].wins
    single, many = race(
        lambda: fit(wins.wins, wins.design), lambda: board.bootstrap(replicates=replicates), times=3
    )
    found = board.bootstrap(replicates=replicates)
    print(
        f"{replicates:,} bootstrap replicates: {many:.2f} s, {many / single:.0f} fits of "
        f"{1000 * single:.1f} ms; largest difference from single fits "
        f"{_difference(board, found):.0e}"
    )
    _, quality = measure(lambda: winodds.rate(frame, higher_is_better=True).quality(), runs=1)
    memory = "" if quality.megabytes is None else f", {quality.megabytes:.0f} MB"
    print(f"quality, simulated p-value included: {quality.seconds:.1f} s{memory}")
    _, ranks = measure(lambda: winodds.rate(frame, higher_is_better=True).details(), runs=1)
    memory = "" if ranks.megabytes is None else f", {ranks.megabytes:.0f} MB"
    print(f"rank ranges, letters, chances of being best: {ranks.seconds:.1f} s{memory}")


def _difference(
    board: winodds.Leaderboard, found: winodds.Bootstrap, *, checked: int = 20
) -> float:
    """Of the first replicates, drawn again as tables of their own."""
    evidence = board.components[0]
    rounds = evidence.wins.evidence
    assert isinstance(rounds, RoundEvidence)
    wins, clusters = rounds.wins, evidence.games.clusters
    first = np.random.SeedSequence(found.seed).spawn(1)[0]
    rng = np.random.default_rng(first)
    counts = rng.multinomial(clusters, np.full(clusters, 1.0 / clusters), size=checked)
    largest = 0.0
    for row, count in zip(found.ratings[:checked], counts, strict=True):
        rating = fit(np.asarray(count @ wins), evidence.wins.design).beta
        largest = max(largest, float(np.abs(row - rating).max()))
    return largest
