"""The largest of many accuracies: the paper's figures, slow twins, simulation, and laws."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given as examples, settings, strategies as st
from scipy import integrate, special, stats

from winodds.arrays import Floats, Ints
from winodds.sota.laws.binomials import Windows, add, binomials
from winodds.sota.laws.law import MaximumLaw
from winodds.sota.laws.maximum import maximum_law, normal_maximum
from winodds.sota.laws.populations import (
    Listed,
    Nodes,
    Population,
    Uniform,
    empirical,
    given,
    identical,
)

UPPER = 0.9 + 0.025 / 1001
"""Upper end of the paper's U(b − 0.025, b), of which the best of 1,000 is expected at 0.9."""

PAPER = Uniform(UPPER - 0.025, UPPER, 1000)


# Published figures --------------------------------------------------------------------------------


def test_a_coin_is_foretold_by_one_of_a_thousand() -> None:
    assert round(maximum_law(identical(0.5, 1), 20).at_least(0.9), 5) == 0.00020
    assert round(maximum_law(identical(0.5, 1000), 20).at_least(0.9), 2) == 0.18


@pytest.mark.parametrize(
    ("m", "n", "theta", "mean", "sd"),
    [
        (1000, 3000, 0.90, 0.9173, 0.001817),
        (100, 3000, 0.90, 0.9135, 0.002250),
        (5000, 3000, 0.90, 0.9196, 0.001623),
        (1000, 1000, 0.90, 0.9294, 0.003007),
        (1000, 10000, 0.90, 0.9096, 0.001022),
        (1000, 3000, 0.85, 0.8707, 0.002197),
        (1000, 3000, 0.95, 0.9624, 0.001277),
    ],
)
def test_table_3_of_the_paper(m: int, n: int, theta: float, mean: float, sd: float) -> None:
    law = maximum_law(identical(theta, m), n)
    assert (round(law.mean, 4), round(law.sd, 6)) == (mean, sd)


@pytest.mark.parametrize(
    ("population", "correlation", "upper", "mean", "sd"),
    [
        pytest.param(identical(0.9, 1000), 0.0, 0.9213, 0.9173, 0.0018, id="independent"),
        # The paper, by simulation: 0.9129.
        pytest.param(PAPER, 0.0, 0.9177, 0.9130, 0.0021, id="non-identical"),
        pytest.param(identical(0.9, 1000), 0.6, 0.9207, 0.9140, 0.0035, id="dependent"),
        # The paper, by simulation: 0.0036.
        pytest.param(PAPER, 0.6, 0.9173, 0.9101, 0.0037, id="both"),
    ],
)
def test_table_1_of_the_paper(
    population: Population, correlation: float, upper: float, mean: float, sd: float
) -> None:
    law = maximum_law(population, 3000, correlation=correlation, common=0.9)
    found = law.interval()[1], law.mean, law.sd
    assert tuple(round(figure, 4) for figure in found) == (upper, mean, sd)
    assert law.bias == pytest.approx(law.mean - 0.9)


def test_with_easy_cases_fixed_the_paper_has_a_smaller_deviation_and_the_same_mean() -> None:
    law = maximum_law(identical(0.9, 1000), 3000, correlation=0.6, fixed=True)
    assert (round(law.mean, 4), round(law.sd, 4)) == (0.9140, 0.0015)


def test_a_better_classifier_beats_a_thousand_worse_ones_in_one_of_ten_cases() -> None:
    expected = maximum_law(identical(0.9, 1000), 3000).mean
    better = float(stats.binomtest(2700, 3000).proportion_ci(0.95, "exact").high)
    single = maximum_law(identical(better, 1), 3000)
    assert round(single.at_least(expected), 2) == 0.10


# A slow twin --------------------------------------------------------------------------------------


def entry_cdf(n: int, easy_cases: int, easy: float, hard: float) -> Floats:
    """P(X ≤ x) for x = 0…n, by convolution of two whole binomial laws."""
    from_easy = stats.binom.pmf(np.arange(easy_cases + 1), easy_cases, easy)
    from_hard = stats.binom.pmf(np.arange(n - easy_cases + 1), n - easy_cases, hard)
    return np.minimum(np.cumsum(np.convolve(from_easy, from_hard)), 1.0)


def chances(theta: float, common: float, correlation: float) -> tuple[float, float]:
    """Equations 6 and 7 of the paper; where they are no chances, as much as can be."""
    product = correlation * np.sqrt(theta * (1 - theta) * common * (1 - common))
    product = min(product, common * (1 - theta), theta * (1 - common))
    easy = (product + theta * common) / common
    hard = (-product + theta * (1 - common)) / (1 - common)
    return min(max(easy, 0.0), 1.0), min(max(hard, 0.0), 1.0)


def slow_cdf(
    thetas: Sequence[float],
    n: int,
    *,
    drawn: int = 0,
    weights: Sequence[float] | None = None,
    correlation: float = 0.0,
    common: float | None = None,
    fixed: bool = False,
) -> Floats:
    """(n + 1,) cdf of the largest number of successes, entry by entry and for every x₀.

    With ``drawn``, that many entries draw from the performances, with the weights as chances.
    """
    common = max(thetas) if common is None else common
    if not 0.0 < common < 1.0:
        correlation, common = 0.0, 0.5
    numbers = [round(n * common)] if fixed else range(n + 1)
    total = np.zeros(n + 1)
    for easy_cases in numbers:
        chance = 1.0 if fixed else stats.binom.pmf(easy_cases, n, common)
        entries = [entry_cdf(n, easy_cases, *chances(t, common, correlation)) for t in thetas]
        if drawn:
            total += chance * np.average(entries, axis=0, weights=weights) ** drawn
        else:
            total += chance * np.prod(entries, axis=0)
    return total


def whole_cdf(law: MaximumLaw, n: int) -> Floats:
    return np.array([law.at_most(x / n) for x in range(n + 1)])


def assert_follows(law: MaximumLaw, cdf: Floats, tolerance: float = 1e-10) -> None:
    """The law has this cdf on 0/n … n/n, and its mean and variance."""
    n = cdf.size - 1
    np.testing.assert_allclose(whole_cdf(law, n), cdf, rtol=0, atol=tolerance)
    values, mass = np.arange(n + 1) / n, np.diff(cdf, prepend=0.0)
    mean = mass @ values
    assert law.mean == pytest.approx(mean, abs=tolerance)
    assert law.sd**2 == pytest.approx(mass @ (values - mean) ** 2, abs=tolerance)


LISTS = [
    [0.7],
    [0.9, 0.9, 0.9],
    [0.62, 0.7, 0.71, 0.8],
    [0.05, 0.5, 0.95],
    [0.995, 0.999, 0.9999],
    [0.0, 0.5, 1.0],
    [0.0, 0.0],
    [1.0, 1.0],
]


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.6, 0.95])
@pytest.mark.parametrize("thetas", LISTS, ids=str)
def test_given_performances_against_every_entry_and_every_number_of_easy_cases(
    thetas: list[float], correlation: float, fixed: bool
) -> None:
    n = 60
    law = maximum_law(given(np.array(thetas)), n, correlation=correlation, fixed=fixed)
    assert_follows(law, slow_cdf(thetas, n, correlation=correlation, fixed=fixed))
    assert law.best == max(thetas)


def assert_equals_twin(
    thetas: list[float],
    n: int,
    drawn: int,
    correlation: float,
    common: float,
    *,
    fixed: bool = False,
) -> None:
    """Compare the law with its slow twin; 0 drawn: each performance is there once."""
    array = np.array(thetas)
    population = empirical(array, drawn) if drawn else given(array)
    law = maximum_law(population, n, correlation=correlation, common=common, fixed=fixed)
    cdf = slow_cdf(thetas, n, drawn=drawn, correlation=correlation, common=common, fixed=fixed)
    assert_follows(law, cdf)


@pytest.mark.parametrize("common", [0.5, 0.93])
@pytest.mark.parametrize("drawn", [1, 2, 300])
@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("thetas", LISTS, ids=str)
def test_drawn_performances_against_every_number_of_easy_cases(
    thetas: list[float], correlation: float, drawn: int, common: float
) -> None:
    assert_equals_twin(thetas, 40, drawn, correlation, common)


@pytest.mark.parametrize(
    ("thetas", "drawn", "correlation", "common"),
    [
        ([0.001, 0.004], 0, 0.6, 0.004),
        ([0.001, 0.004], 2, 0.95, 0.5),
        ([0.02], 3, 0.8, 0.02),
        ([0.05, 0.5, 0.95], 1, 0.95, 0.93),
    ],
)
def test_few_dependent_entries_may_all_be_wrong_however_many_cases_are_easy(
    thetas: list[float], drawn: int, correlation: float, common: float
) -> None:
    assert_equals_twin(thetas, 40, drawn, correlation, common)


@pytest.mark.parametrize(
    ("thetas", "drawn", "correlation", "common"),
    [
        ([0.7], 1000, 0.6, 0.7),
        ([0.5, 0.6, 0.7], 0, 0.4, 0.6),
        ([0.55, 0.7], 50, 0.5, 0.7),
        ([0.7642, 0.9, 0.9615], 2000, 0.6, 0.9),
    ],
)
def test_a_test_set_of_300_against_every_number_of_easy_cases(
    thetas: list[float], drawn: int, correlation: float, common: float
) -> None:
    assert_equals_twin(thetas, 300, drawn, correlation, common)


@settings(max_examples=30)
@examples(
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=4),
    st.integers(1, 12),
    st.integers(0, 6),
    st.floats(0.0, 0.95),
    st.floats(0.05, 0.95),
    st.booleans(),
)
def test_any_small_contest_equals_its_slow_twin(
    thetas: list[float], n: int, drawn: int, correlation: float, common: float, fixed: bool
) -> None:
    assert_equals_twin(thetas, n, drawn, correlation, common, fixed=fixed)


def test_uniform_dependent_players_against_a_mixture() -> None:
    low, high, n = 0.6, 0.75, 60
    node, weight = special.roots_legendre(40)
    thetas = 0.5 * (low + high) + 0.5 * (high - low) * node
    law = maximum_law(Uniform(low, high, 30), n, correlation=0.5, common=0.7)
    cdf = slow_cdf(list(thetas), n, drawn=30, weights=list(weight), correlation=0.5, common=0.7)
    assert_follows(law, cdf)


# Simulation ---------------------------------------------------------------------------------------


def assert_simulated(law: MaximumLaw, largest: Floats) -> None:
    """Mean and variance within four standard errors."""
    squares = (largest - largest.mean()) ** 2
    root = np.sqrt(largest.size)
    assert abs(law.mean - largest.mean()) < 4 * largest.std() / root
    assert abs(law.sd**2 - squares.mean()) < 4 * squares.std() / root


def simulate_largest(
    rng: np.random.Generator, thetas: Floats, correlation: float, fixed: bool = False
) -> Floats:
    """(r,) largest accuracy on 3,000 cases for (r, m) performances, with θ₀ = 0.9."""
    n, common = 3000, 0.9
    product = correlation * np.sqrt(thetas * (1 - thetas) * common * (1 - common))
    rows = thetas.shape[0]
    easy_cases: Ints = np.full(rows, 2700)
    if not fixed:
        easy_cases = np.asarray(rng.binomial(n, common, rows))
    right = rng.binomial(easy_cases[:, None], thetas + product / common)
    right += rng.binomial(n - easy_cases[:, None], thetas - product / (1 - common))
    largest: Floats = right.max(axis=1) / n
    return largest


@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_identical_entries_of_table_1_against_simulation(correlation: float) -> None:
    rng = np.random.default_rng(11)
    law = maximum_law(identical(0.9, 1000), 3000, correlation=correlation)
    assert_simulated(law, simulate_largest(rng, np.full((1000, 1000), 0.9), correlation))


@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_non_identical_entries_of_table_1_against_simulation(correlation: float) -> None:
    rng = np.random.default_rng(12)
    thetas = rng.uniform(PAPER.low, PAPER.high, (1000, 1000))
    law = maximum_law(PAPER, 3000, correlation=correlation, common=0.9)
    assert_simulated(law, simulate_largest(rng, thetas, correlation))


@pytest.mark.parametrize("fixed", [False, True])
def test_given_dependent_entries_against_simulation(fixed: bool) -> None:
    rng = np.random.default_rng(13)
    thetas = rng.uniform(0.87, 0.9, 300)
    law = maximum_law(given(thetas), 3000, correlation=0.6, common=0.9, fixed=fixed)
    assert_simulated(law, simulate_largest(rng, np.tile(thetas, (3000, 1)), 0.6, fixed))


def test_cases_drawn_one_by_one_have_the_law() -> None:
    rng, n, common, correlation = np.random.default_rng(14), 50, 0.8, 0.5
    thetas = np.array([0.6, 0.7, 0.8, 0.85])
    chance = np.array([chances(t, common, correlation) for t in thetas])
    is_easy = rng.random((20_000, 1, n)) < common
    right = rng.random((20_000, 4, n)) < np.where(is_easy, chance[:, :1], chance[:, 1:])
    law = maximum_law(given(thetas), n, correlation=correlation, common=common)
    assert_simulated(law, right.mean(axis=2).max(axis=1))


# Closed forms -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 20, 300])
def test_one_player_uniform_on_everything_has_any_number_of_successes_alike(n: int) -> None:
    law = maximum_law(Uniform(0.0, 1.0, 1), n)
    np.testing.assert_allclose(whole_cdf(law, n), np.arange(1, n + 2) / (n + 1), atol=1e-12)


@pytest.mark.parametrize(
    ("low", "high", "players"),
    [(0.2, 0.9, 1), (0.2, 0.9, 500), (0.895, 0.9, 40), (0.0, 1.0, 5), (0.4, 1.0, 60)],
)
def test_uniform_players_against_the_integral_in_closed_form(
    low: float, high: float, players: int
) -> None:
    n = 200
    k = np.arange(n + 1)
    share = special.betainc(k + 1, n - k + 1, high) - special.betainc(k + 1, n - k + 1, low)
    cdf = (np.cumsum(share) / (n + 1) / (high - low)) ** players
    assert_follows(maximum_law(Uniform(low, high, players), n), cdf, 1e-11)


def precise_survival(n: int, theta: Decimal, reach: int) -> dict[int, Decimal]:
    """P(X > x) with 40 digits, from ratios of neighbours to ``reach`` on either side."""
    with localcontext() as context:
        context.prec = 40
        mode = int(n * theta)
        odds = theta / (1 - theta)
        mass = {mode: Decimal(1)}
        for k in range(mode + 1, min(mode + reach, n) + 1):
            mass[k] = mass[k - 1] * (n - k + 1) / k * odds
        for k in range(mode - 1, mode - reach - 1, -1):
            mass[k] = mass[k + 1] * (k + 1) / (n - k) / odds
        total, above, found = sum(mass.values()), Decimal(0), {}
        for k in sorted(mass, reverse=True):
            found[k] = above / total
            above += mass[k]
    return found


def test_a_million_cases_and_a_hundred_thousand_entries_to_nine_digits() -> None:
    n, m = 10**6, 10**5
    survival = precise_survival(n, Decimal("0.9"), 5000)
    law = maximum_law(identical(0.9, m), n)
    successes = np.rint(law.values * n).astype(np.int64)
    exact = np.array([float((1 - survival[int(x)]).ln() * m) for x in successes])
    np.testing.assert_allclose(law.cdf, np.exp(exact), rtol=0, atol=1e-10)
    mean = (successes[0] - np.expm1(exact[:-1]).sum()) / n
    assert law.mean == pytest.approx(mean, abs=1e-12)


# Shortcuts ----------------------------------------------------------------------------------------


def assert_same_law(a: MaximumLaw, b: MaximumLaw, tolerance: float) -> None:
    values = np.union1d(a.values, b.values)
    for value in values[:: max(values.size // 400, 1)]:
        assert a.at_most(value) == pytest.approx(b.at_most(value), abs=tolerance)
    assert a.mean == pytest.approx(b.mean, abs=tolerance)
    assert a.sd == pytest.approx(b.sd, abs=tolerance)


DEPENDENT = [
    pytest.param(identical(0.9, 1000), 0.3, None, id="identical"),
    pytest.param(identical(0.9, 100_000), 0.9, None, id="many"),
    pytest.param(PAPER, 0.6, 0.9, id="uniform"),
    pytest.param(empirical(np.linspace(0.77, 0.96, 9), 50), 0.6, 0.9, id="between limits"),
]


@pytest.mark.parametrize(("population", "correlation", "common"), DEPENDENT)
def test_evenly_spaced_numbers_of_easy_cases_do_for_all_of_them(
    monkeypatch: pytest.MonkeyPatch,
    population: Population,
    correlation: float,
    common: float | None,
) -> None:
    n = 6000
    quick = maximum_law(population, n, correlation=correlation, common=common)
    monkeypatch.setattr("winodds.sota.laws.maximum.STRIDE", 1e-9)
    assert_same_law(quick, maximum_law(population, n, correlation=correlation, common=common), 1e-9)


@pytest.mark.parametrize(("population", "correlation", "common"), DEPENDENT)
def test_wider_windows_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
    population: Population,
    correlation: float,
    common: float | None,
) -> None:
    n = 6000
    narrow = maximum_law(population, n, correlation=correlation, common=common)
    for module in ("binomials", "maximum"):
        monkeypatch.setattr(f"winodds.sota.laws.{module}.REACH", 12.0)
        monkeypatch.setattr(f"winodds.sota.laws.{module}.MARGIN", 40)
    monkeypatch.setattr("winodds.sota.laws.maximum.COMMON_REACH", 9.0)
    monkeypatch.setattr("winodds.sota.laws.maximum.IMPOSSIBLE", 100.0)
    wide = maximum_law(population, n, correlation=correlation, common=common)
    assert wide.values[0] < narrow.values[0]
    assert_same_law(narrow, wide, 1e-10)


def every_performance(theta: Floats, count: Floats, *_: object, **__: object) -> Nodes:
    return Nodes(theta, count)


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize(
    ("size", "correlation", "low"), [(3000, 0.0, 0.5), (3000, 0.0, 0.88), (250, 0.6, 0.88)]
)
def test_thousands_of_performances_are_summed_up_by_a_few(
    monkeypatch: pytest.MonkeyPatch, size: int, correlation: float, low: float, drawn: bool
) -> None:
    theta = np.random.default_rng(5).uniform(low, 0.9, size)
    population = Listed(theta, size, drawn)
    quick = maximum_law(population, 2000, correlation=correlation)
    monkeypatch.setattr("winodds.sota.laws.populations.summarise", every_performance)
    assert_same_law(quick, maximum_law(population, 2000, correlation=correlation), 1e-9)


def test_thousands_of_independent_performances_against_each_one() -> None:
    theta, n = np.random.default_rng(6).beta(80, 12, 2000), 1000
    law = maximum_law(given(theta), n)
    x = np.arange(n + 1)
    cdf = np.prod([stats.binom.cdf(x, n, t) for t in theta], axis=0)
    assert_follows(law, cdf, 1e-9)


# Laws ---------------------------------------------------------------------------------------------

LAWS = settings(max_examples=25)
CONTESTS = st.tuples(
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6).map(np.array),
    st.integers(1, 150),
    st.floats(0.0, 0.95),
    st.floats(0.05, 0.95),
)


@LAWS
@examples(CONTESTS, st.integers(0, 50))
def test_the_cdf_never_falls_and_ends_at_one(
    contest: tuple[Floats, int, float, float], drawn: int
) -> None:
    theta, n, correlation, common = contest
    population = empirical(theta, drawn) if drawn else given(theta)
    law = maximum_law(population, n, correlation=correlation, common=common)
    assert (np.diff(law.cdf) >= -1e-13).all()
    assert law.cdf[-1] == pytest.approx(1.0, abs=1e-12)
    assert law.cdf.min() >= 0.0
    assert law.values[-1] <= 1.0
    assert law.values[0] >= 0.0


@LAWS
@examples(CONTESTS, st.integers(1, 50))
def test_one_more_player_never_lowers_the_mean(
    contest: tuple[Floats, int, float, float], players: int
) -> None:
    theta, n, correlation, common = contest
    few, more = (
        maximum_law(empirical(theta, m), n, correlation=correlation, common=common)
        for m in (players, players + 1)
    )
    assert more.mean >= few.mean - 1e-12
    longer = maximum_law(given(np.append(theta, 0.5)), n, correlation=correlation, common=common)
    shorter = maximum_law(given(theta), n, correlation=correlation, common=common)
    assert longer.mean >= shorter.mean - 1e-12


@LAWS
@examples(CONTESTS, st.floats(0.0, 1.0))
def test_a_better_player_never_lowers_the_mean(
    contest: tuple[Floats, int, float, float], share: float
) -> None:
    theta, n, _, _ = contest
    better = theta.copy()
    better[0] += share * (1 - better[0])
    assert maximum_law(given(better), n).mean >= maximum_law(given(theta), n).mean - 1e-12


@LAWS
@examples(CONTESTS)
def test_the_largest_score_of_given_players_is_never_expected_below_the_best(
    contest: tuple[Floats, int, float, float],
) -> None:
    theta, n, _, _ = contest
    assert maximum_law(given(theta), n).bias >= -1e-12
    # Also with a correlation that all of them can have.
    middle = 0.4 + 0.2 * theta
    assert maximum_law(given(middle), n, correlation=0.5, common=0.5).bias >= -1e-12


@LAWS
@examples(CONTESTS, st.integers(0, 99))
def test_the_order_of_players_does_not_matter(
    contest: tuple[Floats, int, float, float], seed: int
) -> None:
    theta, n, correlation, common = contest
    order = np.random.default_rng(seed).permutation(theta.size)
    a = maximum_law(given(theta), n, correlation=correlation, common=common)
    b = maximum_law(given(theta[order]), n, correlation=correlation, common=common)
    np.testing.assert_array_equal(a.log_cdf, b.log_cdf)


@pytest.mark.parametrize("n", [1, 30, 500])
@pytest.mark.parametrize("common", [0.3, 0.7, 0.9])
def test_without_correlation_the_share_of_easy_cases_does_not_matter(n: int, common: float) -> None:
    population = given(np.array([0.6, 0.65, 0.7]))
    a = maximum_law(population, n)
    b = maximum_law(population, n, correlation=0.0, common=common)
    np.testing.assert_array_equal(a.log_cdf, b.log_cdf)
    # Nor does a correlation that is next to nothing.
    c = maximum_law(population, n, correlation=1e-9, common=common)
    assert_same_law(a, c, 1e-8)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_equal_performances_are_one_however_they_are_written(correlation: float) -> None:
    laws = [
        maximum_law(population, 400, correlation=correlation)
        for population in (
            identical(0.8, 25),
            given(np.full(25, 0.8)),
            empirical(np.full(25, 0.8)),
            empirical(np.full(3, 0.8), 25),
            Uniform(0.8, 0.8, 25),
        )
    ]
    for law in laws[1:]:
        assert_same_law(laws[0], law, 1e-12)


@pytest.mark.parametrize(
    ("theta", "common", "correlation"),
    [
        *((0.8, 0.8, rho) for rho in (0.0, 0.2, 0.6, 0.95, 1.0)),
        *((0.3, 0.3, rho) for rho in (0.5, 0.9)),
        *((0.8, 0.75, rho) for rho in (0.2, 0.85)),
    ],
)
@pytest.mark.parametrize("n", [80, 1000])
def test_one_entry_is_binomial_whatever_it_depends_on(
    n: int, theta: float, common: float, correlation: float
) -> None:
    law = maximum_law(identical(theta, 1), n, correlation=correlation, common=common)
    found = np.zeros(n + 1)
    found[np.rint(law.values * n).astype(np.int64)] = law.pmf
    np.testing.assert_allclose(found, stats.binom.pmf(np.arange(n + 1), n, theta), atol=1e-11)
    assert law.mean == pytest.approx(theta, abs=1e-11)
    assert law.sd == pytest.approx(np.sqrt(theta * (1 - theta) / n), abs=1e-9)


def test_the_bias_goes_as_entries_become_one() -> None:
    biases = [
        maximum_law(identical(0.9, 1000), 1000, correlation=rho).bias
        for rho in (0.0, 0.5, 0.9, 0.99, 0.9999, 1.0)
    ]
    assert biases == sorted(biases, reverse=True)
    assert biases[-2] < 0.05 * biases[0]
    assert biases[-1] == pytest.approx(0.0, abs=1e-12)


def test_fixed_easy_cases_and_random_ones_are_one_law_on_a_single_case_that_is_easy() -> None:
    # θ₀ = 0.9 of a single case rounds to one easy case.
    law = maximum_law(identical(0.9, 3), 1, correlation=0.5, fixed=True)
    right = 0.9 + 0.5 * 0.1
    assert law.at_least(1.0) == pytest.approx(1 - (1 - right) ** 3)


# Edges --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("correlation", [0.0, 0.6])
@pytest.mark.parametrize("theta", [0.0, 1.0])
def test_players_who_are_never_or_always_right_have_no_bias(
    theta: float, correlation: float
) -> None:
    law = maximum_law(identical(theta, 1000), 50, correlation=correlation)
    assert law.mean == pytest.approx(theta, abs=1e-12)
    assert law.sd == pytest.approx(0.0, abs=1e-6)


def test_a_share_of_easy_cases_of_one_leaves_nothing_to_depend_on() -> None:
    theta = np.array([0.7, 0.8])
    a = maximum_law(given(theta), 100, correlation=0.6, common=1.0)
    np.testing.assert_array_equal(a.log_cdf, maximum_law(given(theta), 100).log_cdf)


def test_two_players_with_two_performances_far_apart_by_hand() -> None:
    # One case, and each player at random surely right or right with 0.2: nobody is right only if
    # both have 0.2, with a quarter, and both are wrong.
    law = maximum_law(empirical(np.array([0.2, 1.0]), 2), 1)
    assert law.at_most(0.0) == pytest.approx(0.25 * 0.8**2)
    assert law.best == pytest.approx(0.25 * 0.2 + 0.75 * 1.0)


def test_a_best_player_who_is_absent_leaves_a_second_hump() -> None:
    law = maximum_law(empirical(np.array([0.2, 0.9]), 2), 2000)
    assert law.at_most(0.5) == pytest.approx(0.25, abs=1e-12)
    assert law.at_most(0.1) == pytest.approx(0.0, abs=1e-12)
    # Two from 0.2 in a quarter, one from 0.9 in half, two from 0.9 in a quarter.
    n = np.arange(2001)
    one = {t: stats.binom.cdf(n, 2000, t) for t in (0.2, 0.9)}
    assert_follows(law, 0.25 * one[0.2] ** 2 + 0.5 * one[0.2] * one[0.9] + 0.25 * one[0.9] ** 2)


# What a law answers -------------------------------------------------------------------------------

HAND = MaximumLaw(np.array([0.5, 0.6, 0.8]), np.log([0.2, 0.7, 1.0]), best=0.55)


def test_moments_of_three_values_by_hand() -> None:
    np.testing.assert_allclose(HAND.pmf, [0.2, 0.5, 0.3])
    assert HAND.mean == pytest.approx(0.64)
    assert HAND.sd == pytest.approx(np.sqrt(0.2 * 0.14**2 + 0.5 * 0.04**2 + 0.3 * 0.16**2))
    assert HAND.bias == pytest.approx(0.09)


def test_quantiles_of_three_values_by_hand() -> None:
    shares = [0.0, 0.1, 0.3, 0.69, 0.71, 1.0]
    assert [HAND.quantile(share) for share in shares] == [0.5, 0.5, 0.6, 0.6, 0.8, 0.8]
    assert HAND.interval(0.5) == (0.6, 0.8)
    assert HAND.interval() == (0.5, 0.8)


def test_chances_of_three_values_by_hand() -> None:
    values = [0.4, 0.5, 0.55, 0.6, 0.8, 0.9]
    at_most = [0.0, 0.2, 0.2, 0.7, 1.0, 1.0]
    at_least = [1.0, 1.0, 0.8, 0.8, 0.3, 0.0]
    assert [HAND.at_most(v) for v in values] == pytest.approx(at_most)
    assert [HAND.at_least(v) for v in values] == pytest.approx(at_least)


# Binomial laws ------------------------------------------------------------------------------------


def row(windows: Windows, size: int, k: int = 0) -> Floats:
    """(size,) probabilities of 0, 1, … of one law."""
    found = np.zeros(size)
    for j, mass in enumerate(windows.mass[k]):
        place = int(windows.first[k]) + j
        if 0 <= place < size:
            found[place] = mass
        else:
            assert mass == pytest.approx(0.0, abs=1e-16)
    return found


def test_binomial_laws_equal_exact_fractions() -> None:
    trials, chance = np.array([0, 1, 7, 30]), np.array([0.25, 0.5, 0.875, 0.125])
    windows = binomials(trials, chance)
    for k, (n, p) in enumerate(zip(trials.tolist(), chance.tolist(), strict=True)):
        exact = [
            float(comb(n, x) * Fraction(p) ** x * (1 - Fraction(p)) ** (n - x))
            for x in range(n + 1)
        ]
        np.testing.assert_allclose(row(windows, n + 1, k), exact, rtol=1e-13, atol=1e-18)


def test_laws_without_chance_stay_where_they_are() -> None:
    windows = binomials(np.array([5, 5, 0]), np.array([0.0, 1.0, 0.3]))
    np.testing.assert_allclose(row(windows, 6, 0), [1, 0, 0, 0, 0, 0], atol=1e-250)
    np.testing.assert_allclose(row(windows, 6, 1), [0, 0, 0, 0, 0, 1], atol=1e-250)
    np.testing.assert_allclose(row(windows, 6, 2), [1, 0, 0, 0, 0, 0], atol=1e-250)


def test_a_million_trials_keep_twelve_digits() -> None:
    n, theta = 10**6, Decimal("0.3")
    survival = precise_survival(n, theta, 9000)
    windows = binomials(np.array([n]), np.array([0.3]))
    start: Ints = np.array([300_000])
    found = windows.survival(start, 3000)[0]
    exact = np.array([float(survival[300_000 + k]) for k in range(3000)])
    deep = exact > 1e-12
    np.testing.assert_allclose(found[deep], exact[deep], rtol=2e-12, atol=1e-16)


def test_sums_of_two_laws_equal_convolution() -> None:
    trials, chance = np.array([12, 40]), np.array([0.3, 0.9])
    a, b = binomials(trials, chance), binomials(trials[::-1], chance)
    total = add(a, b)
    for k in range(2):
        exact = np.convolve(
            stats.binom.pmf(np.arange(trials[k] + 1), trials[k], chance[k]),
            stats.binom.pmf(np.arange(trials[1 - k] + 1), trials[1 - k], chance[k]),
        )
        np.testing.assert_allclose(row(total, 53, k), exact, atol=1e-15)


def test_survival_before_and_after_a_window_is_one_and_nothing() -> None:
    windows = Windows(np.array([3, 5]), np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]]))
    found = windows.survival(np.array([1, 6]), 6)
    np.testing.assert_allclose(found, [[1, 1, 0.8, 0.3, 0, 0], [0.8, 0, 0, 0, 0, 0]], atol=1e-15)


# Scores with a normal law -------------------------------------------------------------------------


def integrated_mean(thetas: Sequence[float], se: float, correlation: float) -> float:
    """E max by integration over the value and over the common score."""
    own = se * np.sqrt(1 - correlation**2)
    value, step = np.linspace(min(thetas) - 12 * se, max(thetas) + 12 * se, 6001, retstep=True)

    def given_common(z: float) -> float:
        cdf = np.prod(
            [special.ndtr((value - t - correlation * se * z) / own) for t in thetas], axis=0
        )
        return float(value[0] + np.sum(1 - cdf) * step - 0.5 * step)

    if correlation == 0.0:
        return given_common(0.0)
    found, _ = integrate.quad(
        lambda z: given_common(z) * stats.norm.pdf(z), -8, 8, epsabs=1e-9, limit=200
    )
    return float(found)


@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_one_normal_score_is_expected_at_its_performance(correlation: float) -> None:
    law = normal_maximum(identical(0.7, 1), 0.02, correlation=correlation)
    assert law.mean == pytest.approx(0.7, abs=1e-9)


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.6, 0.95])
def test_larger_of_two_equal_normal_scores_in_closed_form(correlation: float) -> None:
    # The larger is the mean and half the difference, which has variance 2 se² (1 − ρ₀²).
    law = normal_maximum(identical(0.7, 2), 0.02, correlation=correlation)
    assert law.mean - 0.7 == pytest.approx(0.02 * np.sqrt((1 - correlation**2) / np.pi), abs=1e-8)


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.6, 0.95])
def test_deviation_of_the_larger_of_two_equal_normal_scores_in_closed_form(
    correlation: float,
) -> None:
    law = normal_maximum(identical(0.7, 2), 0.02, correlation=correlation)
    exact = 0.02 * np.sqrt(1 - (1 - correlation**2) / np.pi)
    # Values in steps of 0.02 se add a twelfth of the step's square to the variance.
    assert law.sd == pytest.approx(exact, rel=3e-5)


@pytest.mark.parametrize("correlation", [0.0, 0.5])
@pytest.mark.parametrize("thetas", [[0.7, 0.72, 0.75], [0.6] * 30, [0.2, 0.9]])
def test_normal_scores_against_integration(thetas: list[float], correlation: float) -> None:
    law = normal_maximum(given(np.array(thetas)), 0.02, correlation=correlation)
    assert law.mean == pytest.approx(integrated_mean(thetas, 0.02, correlation), abs=1e-7)


def test_normal_and_binomial_scores_agree_on_many_cases() -> None:
    n, theta = 200_000, np.linspace(0.69, 0.7, 80)
    exact = maximum_law(given(theta), n)
    law = normal_maximum(given(theta), np.sqrt(0.21 / n))
    assert law.mean == pytest.approx(exact.mean, abs=3e-5)
    assert law.sd == pytest.approx(exact.sd, rel=0.01)


def test_an_absent_best_player_counts_with_normal_scores_too() -> None:
    law = normal_maximum(empirical(np.array([0.1, 0.9]), 2), 0.01)
    assert law.mean == pytest.approx(0.25 * 0.1 + 0.75 * 0.9, abs=0.01)
    assert law.bias == pytest.approx(0.5 * 0.01 / np.sqrt(np.pi), abs=3e-4)
