"""Errors, coverage and what is found with clusters of unequal size; `make test-slow` prints it.

Each design is simulated with clusters that differ in size only and with clusters in which players
are better or worse than elsewhere (sd 0.7 of the noise's). No sample is left out.
"""

import numpy as np
import pytest
from simulated import Design, Sizes, Tally, bar, fixed, pareto, simulate

CLUSTERS: dict[str, Sizes] = {
    "10 of 1–40": fixed(1, 1, 2, 3, 5, 8, 13, 20, 30, 40),
    "20, 3 hold 80%": fixed(*[2] * 17, *[45] * 3),
    "60 Pareto": pareto(60),
    "12, Kish .57": fixed(*[2] * 9, *[9] * 3),
    "20, Kish .56": fixed(*[2] * 16, *[10] * 4),
    "20, Kish .86": fixed(*[3] * 10, *[7] * 10),
    "10, Kish .86": fixed(*[3] * 5, *[7] * 5),
    "20, Kish .93": fixed(*[4] * 10, *[7] * 10),
    "10, Kish .93": fixed(*[4] * 5, *[7] * 5),
}
USERS: dict[str, Sizes] = {
    "60 users, Pareto": pareto(60, 5),
    "20 users, Pareto": pareto(20, 10),
    "20 users, 3 hold 80%": fixed(*[10] * 17, *[225] * 3),
}
POOLED: dict[str, tuple[Sizes, float]] = {
    "10 data sets of 1–40": (fixed(1, 1, 2, 3, 5, 8, 13, 20, 30, 40), 0.0),
    "6 data sets of 3–30": (fixed(3, 5, 8, 12, 20, 30), 0.0),
    "4 data sets of 5–20": (fixed(5, 8, 12, 20), 0.0),
    "10 data sets, missing": (fixed(5, 6, 7, 8, 10, 12, 15, 20, 25, 30), 0.3),
}
POPULATIONS = {
    "equal": np.zeros(8),
    "half 1.5": np.repeat([1.5, 0.0], 4),
    "spread": np.linspace(1.0, -1.0, 8),
    "one ahead": np.array([3.0, *[0.0] * 7]),
}
EFFECTS = (0.0, 0.7)

ROUNDS = [
    Design(f"{name}, {who}, {effect}", own, sizes, 1000 if who == "equal" else 200, effect=effect)
    for who, own in POPULATIONS.items()
    for name, sizes in CLUSTERS.items()
    for effect in EFFECTS
]
MISSING = [
    Design(
        f"{name}, {who}, {effect}",
        POPULATIONS[who],
        sizes,
        600 if who == "equal" else 200,
        effect=effect,
        missing=0.3,
    )
    for who in ("equal", "half 1.5", "one ahead")
    for name, sizes in CLUSTERS.items()
    for effect in EFFECTS
]
BATTLES = [
    Design(
        f"{name}, {who}, {effect}",
        POPULATIONS[who],
        sizes,
        800 if who == "equal" else 250,
        effect=effect,
        kind="battles",
    )
    for who in ("equal", "half 1.5", "one ahead")
    for name, sizes in USERS.items()
    for effect in EFFECTS
]
DATA_SETS = [
    Design(
        f"{name}, {who}, {effect}",
        POPULATIONS[who],
        sizes,
        400 if who == "equal" else 200,
        effect=effect,
        missing=missing,
        kind="pooled",
    )
    for who in ("equal", "half 1.5")
    for name, (sizes, missing) in POOLED.items()
    for effect in EFFECTS
]
HEADS = (
    "df",
    "single",
    "max-t",
    "Holm",
    "ranks",
    "low",
    "high",
    "out",
    "found",
    "ratings",
    "worst",
)


def _print(title: str, design: Design, found: Tally, *, first: bool) -> None:
    if first:
        print(
            f"\n\n{title:36} " + " ".join(f"{head:>7}" for head in (*HEADS, "pairs", "worst")),
            end="",
        )
    best = design.strengths == design.strengths.max()
    shares = (
        found.single,
        found.max_t,
        found.holm,
        found.simultaneous,
        found.low.mean(),
        found.high.mean(),
        found.best[best].mean(),
        found.found,
        found.rating.mean(),
        found.rating.min(),
        found.difference.mean(),
        found.difference.min(),
    )
    row = " ".join(f"{share:7.3f}" for share in shares)
    print(f"\n{design.name:36} {found.df:7.1f} {row}", end="")


def _check(design: Design, found: Tally) -> None:
    """Any false claim in 5.5% of samples at most, and intervals as wide as they should be."""
    samples, best = design.samples, design.strengths == design.strengths.max()
    assert max(found.max_t, found.holm, found.simultaneous) <= bar(0.055, samples, 2.0)
    assert max(found.low.mean(), found.high.mean()) <= bar(0.05, samples)
    assert found.best[best].mean() <= bar(0.05, samples)
    assert found.single <= bar(0.055, samples)
    error = bar(0.05, samples) - 0.05
    for coverage in (found.rating, found.difference):
        assert 0.935 - error <= coverage.mean() <= 0.99 + error
        assert coverage.min() >= 0.92 - 3.0 * error


@pytest.mark.slow
@pytest.mark.parametrize("design", ROUNDS, ids=[design.name for design in ROUNDS])
def test_complete_rounds(design: Design) -> None:
    found = simulate(design)
    _print("8 players, complete rounds", design, found, first=design is ROUNDS[0])
    _check(design, found)


@pytest.mark.slow
@pytest.mark.parametrize("design", MISSING, ids=[design.name for design in MISSING])
def test_rounds_with_missing_scores(design: Design) -> None:
    found = simulate(design)
    _print("8 players, 30% missing", design, found, first=design is MISSING[0])
    _check(design, found)


@pytest.mark.slow
@pytest.mark.parametrize("design", BATTLES, ids=[design.name for design in BATTLES])
def test_battles_by_users(design: Design) -> None:
    found = simulate(design)
    _print("8 players, battles", design, found, first=design is BATTLES[0])
    _check(design, found)


@pytest.mark.slow
@pytest.mark.parametrize("design", DATA_SETS, ids=[design.name for design in DATA_SETS])
def test_pooled_data_sets(design: Design) -> None:
    found = simulate(design)
    _print("8 players, pooled", design, found, first=design is DATA_SETS[0])
    _check(design, found)
