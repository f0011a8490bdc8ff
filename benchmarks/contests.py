"""The luck of the best: exact laws against the simulations that they replace."""

import numpy as np
from measuring import measure
from numpy.typing import NDArray

from winodds.sota.estimate import estimate
from winodds.sota.laws.dependence import chances_given
from winodds.sota.laws.maximum import maximum_law
from winodds.sota.laws.populations import Uniform, identical
from winodds.sota.sampling import Accuracy

Floats = NDArray[np.float64]

REPETITIONS = 100_000
POPULATIONS = 1_000
"""The paper draws so many populations, and so many sets of scores from each."""

SPREAD = 0.025


def four_rows(players: int = 1000, n: int = 3000, theta: float = 0.9) -> list[float]:
    """Expectations of the largest score in the four rows of the paper's Table 1, exactly."""
    high = theta + SPREAD / (players + 1)
    laws = [
        maximum_law(population, n, correlation=correlation, common=theta)
        for correlation in (0.0, 0.6)
        for population in (identical(theta, players), Uniform(high - SPREAD, high, players))
    ]
    return [law.mean for law in laws]


def simulate_four_rows(
    repetitions: int, players: int = 1000, n: int = 3000, theta: float = 0.9
) -> list[float]:
    """The same by simulation, all repetitions of a row at once."""
    rng = np.random.default_rng(1)
    high = theta + SPREAD / (players + 1)
    shape = (repetitions, players)
    means = []
    for correlation in (0.0, 0.6):
        for spread in (0.0, SPREAD):
            performances = rng.uniform(high - spread, high, shape) if spread else np.array(theta)
            means.append(_largest(rng, performances, n, theta, correlation, shape).mean() / n)
    return means


def _largest(
    rng: np.random.Generator,
    performances: Floats,
    n: int,
    common: float,
    correlation: float,
    shape: tuple[int, int],
) -> Floats:
    """(repetitions,) largest numbers of successes."""
    if correlation == 0.0:
        return np.asarray(rng.binomial(n, performances, shape).max(axis=1), np.float64)
    easy, hard = chances_given(performances, common, correlation)
    number = rng.binomial(n, common, (shape[0], 1))
    right = rng.binomial(number, easy, shape) + rng.binomial(n - number, hard, shape)
    return np.asarray(right.max(axis=1), np.float64)


def board_like_obesity(entries: int = 3556, n: int = 11_072) -> Floats:
    """Scores shaped like a large leaderboard: most near the top, with a long tail below."""
    rng = np.random.default_rng(2)
    theta = 0.9065 - 0.012 * rng.gamma(0.7, 1.6, entries)
    return np.sort(rng.binomial(n, np.clip(theta, 0.2, 1.0)) / n)[::-1]


def simulate_weight(scores: Floats, n: int, draws: int, correlation: float = 0.6) -> Floats:
    """What the paper does for one trial weight, on fewer draws: every entry's successes."""
    rng = np.random.default_rng(3)
    performances = rng.choice(scores[scores > 0.8], (draws, scores.size))
    common = float(scores.max())
    return _largest(rng, performances, n, common, correlation, (draws, scores.size)) / n


def contests(*, repetitions: int = 200, draws: int = 20, n: int = 11_072) -> None:
    """Table 1 and the estimate of a large board, as ratios to the simulations they replace."""
    exact, own = measure(four_rows)
    drawn, slow = measure(lambda: simulate_four_rows(repetitions), runs=1)
    scaled = slow.seconds * REPETITIONS / repetitions
    apart = max(abs(a - b) for a, b in zip(exact, drawn, strict=True))
    print("\nThe best of 1,000 entries on 3,000 cases, four models (Table 1 of the paper)")
    print(f"  numpy, {REPETITIONS:,} repetitions (from {repetitions:,}): {scaled:,.0f} s")
    print(
        f"  winodds, exact: {own.seconds * 1e3:.1f} ms, {scaled / own.seconds:,.0f} times faster; "
        f"largest difference of a mean {apart:.1e}"
    )
    scores = board_like_obesity(n=n)
    sampling = Accuracy(n, 0.6)
    found, own = measure(lambda: estimate(scores, sampling, floor=1 / 7))
    _, slow = measure(lambda: simulate_weight(scores, n, draws), runs=1)
    scaled = slow.seconds * POPULATIONS * REPETITIONS / draws
    assert found.solution is not None
    memory = "" if own.megabytes is None else f", {own.megabytes:.0f} MB"
    print(f"\nThe best of {scores.size:,} entries on {n:,} cases without luck (correlation 0.6)")
    print(f"  simulation of one trial weight, as in the paper (from {draws:,}): {scaled:,.0f} s")
    print(
        f"  winodds, all weights: {own.seconds:.2f} s{memory}, {scaled / own.seconds:,.0f} times "
        f"faster; {scores.max():.4f} → {found.solution.sota:.4f}"
    )
