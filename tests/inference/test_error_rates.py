"""Do the tests err as rarely as they promise? Simulated; `make test-slow` prints the tables.

Scores are normal, so the matches of a round depend on each other as they do in benchmarks. No
sample is left out. Beside the error rates stands what is found, because a test that never decides
never errs.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from conftest import make_results
from scipy import stats

from winodds.arrays import Bools, Floats
from winodds.board.placing import over_pairs
from winodds.fit.newton import fit
from winodds.inference.contrasts import freedom
from winodds.inference.intervals import Uncertainty, quantify
from winodds.inference.pairwise import (
    adjust_by_largest,
    benjamini_hochberg,
    holm,
    holm_directions,
    largest_statistics,
    rank_sets,
)
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.quality.deviance import chi2_p_value, degrees_of_freedom, survey
from winodds.quality.goodness import (
    Simulated,
    correct_share,
    count_as_bad,
    measure_observed,
    plan_simulations,
)

LEVEL = 0.95
ADJUSTMENTS = ("holm", "bh", "max-t")


@dataclass(frozen=True)
class Design:
    """Players of given strengths, and how their scores come about."""

    name: str
    strengths: Floats
    rounds: int
    samples: int = 1000
    missing: float = 0.0
    grid: float = 0.0

    def draw(self, rng: np.random.Generator, *, gumbel: bool = False) -> Games:
        shape = (self.rounds, self.strengths.size)
        noise = rng.gumbel(size=shape) if gumbel else rng.normal(size=shape)
        scores = self.strengths + noise
        if self.grid:
            scores = np.round(scores / self.grid) * self.grid
        scores[rng.random(shape) < self.missing] = np.nan
        return Games("within", make_results(scores))


def _spread(players: int, sd: float) -> Floats:
    quantiles: Floats = stats.norm.ppf((np.arange(players) + 0.5) / players)[::-1] * sd
    return quantiles


def _assess(games: Games) -> Uncertainty:
    wins = games.count()
    return quantify(wins, fit(wins.wins, wins.design), find_structure(wins))


def _adjusted(found: Uncertainty, adjust: str, rng: np.random.Generator) -> Floats:
    """(k,) p-values of all pairs, first with second, first with third, …."""
    players = found.intervals.beta.size
    first, second = np.triu_indices(players, 1)
    p = found.contrasts(first, second).p_value()
    if adjust == "holm":
        return holm(p)
    if adjust == "bh":
        return benjamini_hochberg(p)
    influence = found.intervals.influence
    assert influence is not None
    largest = largest_statistics(found.intervals.beta, influence, rng, 500)
    return adjust_by_largest(p, largest, freedom(float(influence.shape[1])))


# All pairs ----------------------------------------------------------------------------------------

EQUAL = [
    Design("5 × 5, equal players", np.zeros(5), 5, samples=3000),
    Design("10 × 10, equal players", np.zeros(10), 10, samples=3000),
    Design("16 × 19, equal players", np.zeros(16), 19, samples=3000),
    Design("30 × 50, equal players", np.zeros(30), 50, samples=1500),
    Design("30 × 5, equal players", np.zeros(30), 5, samples=1500),
    Design("16 × 19, equal, 30% missing", np.zeros(16), 19, samples=1500, missing=0.3),
    Design("16 × 19, equal, ties", np.zeros(16), 19, samples=1500, grid=1.0),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", EQUAL, ids=[design.name for design in EQUAL])
def test_any_false_claim_about_equal_players_is_rare(design: Design) -> None:
    rng, flips = np.random.default_rng(4), np.random.default_rng(5)
    wrong = dict.fromkeys(ADJUSTMENTS, 0)
    for _ in range(design.samples):
        found = _assess(design.draw(rng))
        for adjust in ADJUSTMENTS:
            wrong[adjust] += bool((_adjusted(found, adjust, flips) <= 1.0 - LEVEL).any())
    rates = {adjust: count / design.samples for adjust, count in wrong.items()}
    if design is EQUAL[0]:
        print(f"\n\n{'samples with a false claim':34} {'Holm':>6} {'BH':>6} {'max-t':>6}", end="")
    print(f"\n{design.name:34} " + " ".join(f"{rate:6.3f}" for rate in rates.values()), end="")
    assert max(rates.values()) <= 0.055


SPREAD = [
    Design("8 × 10, spread 1", _spread(8, 1.0), 10, samples=400),
    Design("16 × 19, spread 1", _spread(16, 1.0), 19, samples=400),
    Design("30 × 50, spread 1", _spread(30, 1.0), 50, samples=200),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", SPREAD, ids=[design.name for design in SPREAD])
def test_tests_of_all_pairs_find_differences(design: Design) -> None:
    rng, flips = np.random.default_rng(4), np.random.default_rng(5)
    found_share = dict.fromkeys(ADJUSTMENTS, 0.0)
    first, second = np.triu_indices(design.strengths.size, 1)
    far = design.strengths[first] - design.strengths[second] >= 1.5
    for _ in range(design.samples):
        found = _assess(design.draw(rng))
        for adjust in ADJUSTMENTS:
            apart = _adjusted(found, adjust, flips) <= 1.0 - LEVEL
            found_share[adjust] += float(apart[far].mean()) / design.samples
    if design is SPREAD[0]:
        print(
            f"\n\n{'pairs 1.5 sd apart that are found':34} {'Holm':>6} {'BH':>6} {'max-t':>6}",
            end="",
        )
    print(f"\n{design.name:34} " + " ".join(f"{x:6.3f}" for x in found_share.values()), end="")
    assert found_share["holm"] >= {10: 0.1, 19: 0.5, 50: 0.95}[design.rounds]
    assert found_share["bh"] >= found_share["holm"]


# Ranks --------------------------------------------------------------------------------------------

RANKED = [
    Design("5 × 5, equal", np.zeros(5), 5),
    Design("10 × 10, equal", np.zeros(10), 10),
    Design("16 × 19, equal", np.zeros(16), 19),
    Design("6 × 10, spread", _spread(6, 1.0), 10),
    Design("16 × 19, spread", _spread(16, 1.0), 19),
    Design("30 × 50, spread", _spread(30, 1.0), 50, samples=400),
    Design("16 × 19, best two equal", np.array([2.0, 2.0, *_spread(14, 0.7)]), 19),
    Design("16 × 19, five strengths", np.repeat([2.0, 1.0, 0.0, -1.0, -2.0], [3, 3, 4, 3, 3]), 19),
    Design("10 × 10, wide (separated)", _spread(10, 4.0), 10),
    Design("12 × 12, two leagues", np.repeat([3.0, -3.0], 6), 12),
    Design("16 × 19, 30% missing", _spread(16, 1.0), 19, missing=0.3),
]


def _better(strengths: Floats) -> Bools:
    """(m, m) whether the row's player is truly better than the column's."""
    better: Bools = strengths[:, None] > strengths[None, :]
    return better


@pytest.mark.slow
@pytest.mark.parametrize("design", RANKED, ids=[design.name for design in RANKED])
def test_rank_sets_hold_all_true_ranks(design: Design) -> None:
    rng, players = np.random.default_rng(6), design.strengths.size
    better = _better(design.strengths)
    lowest, highest = 1 + better.sum(axis=0), players - better.sum(axis=1)
    best = lowest == 1
    all_held, best_held, width, candidates, separated = 0, 0, 0.0, 0.0, 0
    for _ in range(design.samples):
        found = _assess(design.draw(rng))
        pairs = found.contrast_matrix()
        low, high = rank_sets(pairs.value, over_pairs(holm_directions, [pairs.p_value()])[0], LEVEL)
        all_held += bool(((low <= lowest) & (high >= highest)).all())
        best_held += bool((low[best] == 1).all())
        width += float((high - low + 1).mean()) / design.samples
        candidates += float((low == 1).sum()) / design.samples
        separated += found.intervals.structure.separated
    held, first = all_held / design.samples, best_held / design.samples
    if design is RANKED[0]:
        heads = (
            "samples separated",
            "all ranks held",
            "the best held",
            "ranks in a set",
            "could be best",
        )
        print("\n\n" + f"{'rank sets':28} " + " ".join(f"{head:>17}" for head in heads), end="")
    print(
        f"\n{design.name:28} {separated / design.samples:17.1%} {held:17.3f} {first:17.3f} "
        f"{width:17.1f} {candidates:17.1f}",
        end="",
    )
    assert min(held, first) >= 0.94
    if design.strengths.std() >= 0.9:
        assert width <= 0.9 * players


# Quality ------------------------------------------------------------------------------------------

FITTING = [
    Design("8 × 15", _spread(8, 1.0), 15, samples=400),
    Design("16 × 19", _spread(16, 1.0), 19, samples=400),
    Design("16 × 19, equal players", np.zeros(16), 19, samples=400),
    Design("16 × 19, wide", _spread(16, 2.5), 19, samples=400),
    Design("30 × 10", _spread(30, 1.0), 10, samples=400),
    Design("16 × 19, few ties", _spread(16, 1.0), 19, samples=400, grid=0.5),
    Design("16 × 19, many ties", _spread(16, 1.0), 19, samples=400, grid=1.5),
    Design("16 × 19, 30% missing", _spread(16, 1.0), 19, samples=300, missing=0.3),
]
TABLES = 199


def _p_values(games: Games, seed: int) -> tuple[float, float]:
    """The calibrated p-value, and that of the χ² law."""
    wins = games.count()
    beta = fit(wins.wins, wins.design).beta
    observed = measure_observed(games, wins, beta, ridge=0.0)
    calls = plan_simulations(games, wins, beta, ridge=0.0, simulations=TABLES, seed=seed)
    drawn = Simulated.join([call() for call in calls])
    needed, share = count_as_bad(drawn.deviance, observed)
    found = drawn.first(needed)
    pairs = survey(games, wins, beta).pairs
    df = degrees_of_freedom(pairs, games.players, 1, "pairs")
    return correct_share(share, found.deviance, found.second), chi2_p_value(observed, df)


@pytest.mark.slow
@pytest.mark.parametrize("design", FITTING, ids=[design.name for design in FITTING])
def test_calibrated_p_values_are_uniform_when_the_ratings_are_right(design: Design) -> None:
    rng = np.random.default_rng(8)
    found = [_p_values(design.draw(rng, gumbel=True), k) for k in range(design.samples)]
    calibrated, chi2 = (np.array(column) for column in zip(*found, strict=True))
    levels = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
    if design is FITTING[0]:
        print(
            "\n\n" + f"{'share of p-values up to':30} " + " ".join(f"{x:5}" for x in levels), end=""
        )
    for name, p in ((design.name, calibrated), ("    χ² law", chi2)):
        shares = " ".join(f"{(p <= level).mean():5.3f}" for level in levels)
        print(f"\n{name:30} {shares}", end="")
    error = np.sqrt(0.25 / design.samples)
    assert 0.01 <= (calibrated <= 0.05).mean() <= 0.05 + 4.0 * np.sqrt(0.0475 / design.samples)
    for level in (0.25, 0.5, 0.75):
        assert abs((calibrated <= level).mean() - level) <= 0.06 + 2.0 * error
    assert (chi2 <= 0.5).mean() <= 0.25


@pytest.mark.slow
def test_calibrated_p_values_find_circles() -> None:
    """Three families, each best in a third of the rounds, in turn: A over B over C over A."""
    rng, samples, found = np.random.default_rng(9), 100, 0
    family = np.repeat([0, 1, 2], 4)
    for k in range(samples):
        scores = rng.gumbel(size=(18, 12))
        for r in range(18):
            scores[r] += np.array([8.0, 4.0, 0.0])[(family + r) % 3]
        found += _p_values(Games("within", make_results(scores)), k)[0] <= 0.05
    print(
        f"\n\nShare of tables with three families in a circle that are found: {found / samples:.2f}"
    )
    assert found >= 0.9 * samples
