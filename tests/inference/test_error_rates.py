"""Do the tests err as rarely as they promise? Simulated; `make test-slow` prints the tables.

Scores are normal, so the matches of a round depend on each other as they do in benchmarks. No
sample is left out. Beside the error rates stands what is found, because a test that never decides
never errs. Clusters of unequal size have tables of their own (test_unequal.py).
"""

import numpy as np
import pytest
from conftest import make_results
from simulated import Design, bar, even, simulate, spread

from winodds.fit.newton import fit
from winodds.matches.games import Games
from winodds.quality.deviance import chi2_p_value, degrees_of_freedom, survey
from winodds.quality.goodness import (
    Simulated,
    correct_share,
    count_as_bad,
    measure_observed,
    plan_simulations,
)

# All pairs ----------------------------------------------------------------------------------------

EQUAL = [
    Design("2 × 7, equal players", np.zeros(2), even(7)),
    Design("2 × 13, equal players", np.zeros(2), even(13)),
    Design("3 × 7, equal players", np.zeros(3), even(7)),
    Design("5 × 5, equal players", np.zeros(5), even(5)),
    Design("6 × 6, equal players", np.zeros(6), even(6)),
    Design("8 × 10, equal players", np.zeros(8), even(10), 2000),
    Design("10 × 10, equal players", np.zeros(10), even(10)),
    Design("16 × 19, equal players", np.zeros(16), even(19), 2000),
    Design("20 × 20, equal players", np.zeros(20), even(20)),
    Design("30 × 5, equal players", np.zeros(30), even(5), 400),
    Design("30 × 10, equal players", np.zeros(30), even(10)),
    Design("30 × 50, equal players", np.zeros(30), even(50)),
    Design("10 × 10, equal, ties", np.zeros(10), even(10), grid=1.0),
    Design("16 × 19, equal, ties", np.zeros(16), even(19), 2000, grid=1.0),
    Design("8 × 6, equal, 30% missing", np.zeros(8), even(6), missing=0.3),
    Design("8 × 10, equal, 30% missing", np.zeros(8), even(10), missing=0.3),
    Design("16 × 19, equal, 30% missing", np.zeros(16), even(19), missing=0.3),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", EQUAL, ids=[design.name for design in EQUAL])
def test_any_false_claim_about_equal_players_is_rare(design: Design) -> None:
    found = simulate(design)
    rates = (found.max_t, found.holm, found.bh)
    if design is EQUAL[0]:
        heads = ("max-t", "Holm", "BH", "single", "low", "high")
        print(
            f"\n\n{'samples with a false claim':34} " + " ".join(f"{x:>6}" for x in heads), end=""
        )
    shares = (*rates, found.single, found.low.mean(), found.high.mean())
    print(f"\n{design.name:34} " + " ".join(f"{share:6.3f}" for share in shares), end="")
    assert max(rates) <= bar(0.055, design.samples)
    assert found.single <= 0.055
    assert max(found.low.max(), found.high.max()) <= bar(0.05, design.samples, 3.0)


SPREAD = [
    (Design("8 × 10, spread 1", spread(8, 1.0), even(10), 400), 0.05),
    (Design("16 × 19, spread 1", spread(16, 1.0), even(19), 400), 0.25),
    (Design("30 × 50, spread 1", spread(30, 1.0), even(50), 200), 0.55),
    (Design("8 × 10, half 1.5 ahead", np.repeat([1.5, 0.0], 4), even(10), 600), 0.21),
    (Design("16 × 19, half 1.5 ahead", np.repeat([1.5, 0.0], 8), even(19), 600), 0.5),
]
"""With the share of pairs that max-t must find."""


@pytest.mark.slow
@pytest.mark.parametrize(("design", "least"), SPREAD, ids=[own.name for own, _ in SPREAD])
def test_tests_of_all_pairs_find_differences(design: Design, least: float) -> None:
    found = simulate(design)
    if design is SPREAD[0][0]:
        print(f"\n\n{'pairs that are found':34} {'max-t':>6} {'Holm':>6} {'BH':>6}", end="")
    shares = (found.found, found.found_by_holm, found.found_by_bh)
    print(f"\n{design.name:34} " + " ".join(f"{share:6.3f}" for share in shares), end="")
    assert found.found >= least
    assert found.found_by_bh >= found.found_by_holm
    assert found.max_t <= bar(0.055, design.samples, 2.0)


# Ranks --------------------------------------------------------------------------------------------

RANKED = [
    Design("6 × 10, spread", spread(6, 1.0), even(10), 400),
    Design("16 × 19, spread", spread(16, 1.0), even(19), 400),
    Design("16 × 19, best two equal", np.array([2.0, 2.0, *spread(14, 0.7)]), even(19), 400),
    Design(
        "16 × 19, five strengths",
        np.repeat([2.0, 1.0, 0.0, -1.0, -2.0], [3, 3, 4, 3, 3]),
        even(19),
        400,
    ),
    Design("10 × 10, wide (separated)", spread(10, 4.0), even(10), 400),
    Design("12 × 12, two leagues", np.repeat([3.0, -3.0], 6), even(12), 1000),
    Design("8 × 10, one ahead", np.array([3.0, *[0.0] * 7]), even(10), 1000),
    Design("16 × 19, half 1.5 ahead, ties", np.repeat([1.5, 0.0], 8), even(19), 400, grid=1.0),
    Design("16 × 19, 30% missing", spread(16, 1.0), even(19), 400, missing=0.3),
    Design("8 × 10, half 1.5, 30% missing", np.repeat([1.5, 0.0], 4), even(10), 400, missing=0.3),
    Design(
        "8 × 10, one ahead, 30% missing", np.array([3.0, *[0.0] * 7]), even(10), 400, missing=0.3
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", RANKED, ids=[design.name for design in RANKED])
def test_rank_ranges_hold_true_ranks(design: Design) -> None:
    found, best = simulate(design), design.strengths == design.strengths.max()
    if design is RANKED[0]:
        heads = ("all at once", "low end", "worst", "high end", "worst", "best out", "in a range")
        print(
            "\n\n" + f"{'rank ranges that err':32} " + " ".join(f"{x:>11}" for x in heads), end=""
        )
    out = found.best[best].mean()
    ends = (found.low.mean(), found.low.max(), found.high.mean(), found.high.max())
    shares = " ".join(f"{share:11.3f}" for share in (found.simultaneous, *ends, out))
    print(f"\n{design.name:32} {shares} {found.width:11.1f}", end="")
    assert found.simultaneous <= bar(0.055, design.samples, 2.0)
    assert max(ends[0], ends[2], out) <= bar(0.05, design.samples)
    assert max(ends) <= bar(0.05, design.samples, 3.0)


LEADERS = [
    (Design("16 × 19, −1 to 1", np.linspace(1.0, -1.0, 16), even(19), 400), 7.8),
    (Design("10 × 10, one at 4", np.array([4.0, *np.linspace(-1, 1, 10)[:9]]), even(10), 400), 1.3),
    (Design("20 × 20, −2 to 2", np.linspace(2.0, -2.0, 20), even(20), 400), 5.3),
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "most"), LEADERS, ids=[own.name for own, _ in LEADERS])
def test_few_could_be_best(design: Design, most: float) -> None:
    found = simulate(design)
    if design is LEADERS[0][0]:
        print(f"\n\n{'who could be best':34} {'players':>8} {'best out':>8}", end="")
    print(f"\n{design.name:34} {found.could:8.2f} {found.best[0]:8.3f}", end="")
    assert found.could <= most
    assert found.best[0] <= bar(0.05, design.samples)


# Quality ------------------------------------------------------------------------------------------

FITTING = [
    Design("8 × 15", spread(8, 1.0), even(15), 400, gumbel=True),
    Design("16 × 19", spread(16, 1.0), even(19), 400, gumbel=True),
    Design("16 × 19, equal players", np.zeros(16), even(19), 400, gumbel=True),
    Design("16 × 19, wide", spread(16, 2.5), even(19), 400, gumbel=True),
    Design("30 × 10", spread(30, 1.0), even(10), 400, gumbel=True),
    Design("16 × 19, few ties", spread(16, 1.0), even(19), 400, grid=0.5, gumbel=True),
    Design("16 × 19, many ties", spread(16, 1.0), even(19), 400, grid=1.5, gumbel=True),
    Design("16 × 19, 30% missing", spread(16, 1.0), even(19), 300, missing=0.3, gumbel=True),
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
    found = [_p_values(design.draw(rng), k) for k in range(design.samples)]
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
