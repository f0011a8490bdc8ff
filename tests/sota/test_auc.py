"""The law of the largest empirical AUC: against simulation, exact laws and what must hold."""

import numpy as np
import pytest
from scipy import special

from winodds.arrays import Floats
from winodds.errors import BadOption
from winodds.sota.auc.auc import AucSampling, prepare, single_interval
from winodds.sota.auc.binormal import Model, variance
from winodds.sota.laws.populations import Listed, Uniform, empirical, given, identical


@pytest.fixture(scope="module")
def independent() -> AucSampling:
    return prepare(20, 60)


def simulate_maxima(
    aucs: Floats, positives: int, negatives: int, rho: tuple[float, float], repetitions: int
) -> Floats:
    """Largest AUCs of classifiers, from scores that share a latent score per case."""
    rng = np.random.default_rng(2024)
    mean = np.sqrt(2.0) * special.ndtri(aucs)[:, None]
    noise = np.sqrt(1.0 - np.square(rho))
    found = np.empty(repetitions)
    for k in range(repetitions):
        own = rng.normal(size=(aucs.size, positives)), rng.normal(size=(aucs.size, negatives))
        high = mean + rho[0] * rng.normal(size=positives) + noise[0] * own[0]
        low = rho[1] * rng.normal(size=negatives) + noise[1] * own[1]
        order = np.argsort(np.hstack([high, low]), axis=1)
        ranks = (order < positives) @ np.arange(1, positives + negatives + 1)
        ahead = ranks - positives * (positives + 1) / 2
        found[k] = ahead.max() / (positives * negatives)
    return found


def mann_whitney_counts(positives: int, negatives: int) -> Floats:
    """Number of orders of two samples, by the number of pairs in the right order."""
    size = positives * negatives + 1
    table = np.zeros((negatives + 1, size))
    table[:, 0] = 1.0
    for p in range(1, positives + 1):
        row = np.zeros_like(table)
        row[0, 0] = 1.0
        for q in range(1, negatives + 1):
            # The highest case is a positive, ahead of all q negatives, or it is a negative.
            row[q, q:] = table[q, : size - q]
            row[q] += row[q - 1]
        assert row[negatives].sum() == pytest.approx(special.comb(p + negatives, p))
        table = row
    return np.asarray(table[negatives])


def test_the_published_maximum_of_a_thousand_classifiers() -> None:
    """The paper says 1.7% of 3,000; its figures are those of 52 positives, not of 51."""
    law = prepare(52, 2948).maximum(identical(0.9, 1000))
    assert law.mean == pytest.approx(0.9562, abs=1e-4)
    assert law.sd == pytest.approx(0.004459, abs=5e-5)
    assert law.interval() == pytest.approx((0.9486, 0.9662), abs=4e-4)


def test_51_positives_give_what_a_million_simulated_aucs_give() -> None:
    """1,400,000 simulated AUCs: 0.95662 ± 0.00012 for 1,000 and 0.94624 ± 0.00005 for 100."""
    sampling = prepare(51, 2949)
    assert sampling.maximum(identical(0.9, 1000)).mean == pytest.approx(0.95662, abs=3e-4)
    assert sampling.maximum(identical(0.9, 100)).mean == pytest.approx(0.94624, abs=1.5e-4)


@pytest.mark.parametrize(("positives", "negatives"), [(20, 30), (8, 200), (60, 60)])
def test_far_tails_at_one_half_are_those_of_mann_and_whitney(
    positives: int, negatives: int
) -> None:
    counts = mann_whitney_counts(positives, negatives)
    above = np.cumsum(counts[::-1])[::-1] / counts.sum()
    sampling = prepare(positives, negatives)
    pairs = positives * negatives
    for tail in (0.5, 1e-2, 1e-4, 1e-6):
        place = int(np.searchsorted(-above, -tail))
        found = sampling.survival(0.5, (place - 0.5) / pairs)
        assert found == pytest.approx(above[place], rel=0.02)


@pytest.mark.parametrize(
    "population",
    [identical(0.85, 40), given(np.linspace(0.6, 0.9, 25))],
    ids=["identical", "given"],
)
def test_independent_classifiers_agree_with_simulation(
    independent: AucSampling, population: Listed
) -> None:
    theta = np.resize(population.theta, population.players)
    maxima = simulate_maxima(theta, 20, 60, (0.0, 0.0), 1500)
    error = maxima.std() / np.sqrt(maxima.size)
    law = independent.maximum(population)
    assert law.mean == pytest.approx(maxima.mean(), abs=4 * error)
    assert law.sd == pytest.approx(maxima.std(), abs=4 * error)


@pytest.mark.parametrize("rho", [(0.6, 0.6), (0.9, 0.3), (0.97, 0.97)])
def test_correlated_classifiers_agree_with_simulation(rho: tuple[float, float]) -> None:
    maxima = simulate_maxima(np.full(40, 0.85), 20, 60, rho, 1000)
    error = maxima.std() / np.sqrt(maxima.size)
    law = prepare(20, 60, correlation=rho, latents=64).maximum(identical(0.85, 40))
    assert law.mean == pytest.approx(maxima.mean(), abs=4 * error)
    assert law.sd == pytest.approx(maxima.std(), abs=4 * error)


def standard_error(auc: float, positives: int, negatives: int) -> float:
    model = Model(positives, negatives, 0.0, 0.0)
    return float(np.sqrt(variance(model, special.ndtri(np.array(auc)), 1.0, 1.0)))


@pytest.mark.parametrize("auc", [0.3, 0.5, 0.9, 0.97])
def test_the_maximum_of_one_is_the_single_auc(auc: float) -> None:
    law = prepare(40, 160).maximum(identical(auc, 1))
    assert law.mean == pytest.approx(auc, abs=5e-5)
    assert law.sd == pytest.approx(standard_error(auc, 40, 160), rel=0.01)


def test_the_standard_error_is_that_of_simulated_aucs() -> None:
    aucs = simulate_maxima(np.array([0.8]), 10, 25, (0.0, 0.0), 4000)
    assert aucs.std() == pytest.approx(standard_error(0.8, 10, 25), rel=4 / np.sqrt(8000))


def test_a_uniform_population_is_a_mean_over_its_quantiles(independent: AucSampling) -> None:
    middle = 0.6 + 0.3 * (np.arange(4000) + 0.5) / 4000
    law = independent.maximum(Uniform(0.6, 0.9, 30))
    assert law.mean == pytest.approx(independent.maximum(empirical(middle, 30)).mean, abs=1e-5)


@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_better_classifiers_and_more_of_them_have_a_larger_maximum(correlation: float) -> None:
    sampling = prepare(15, 80, correlation=correlation, latents=16)
    by_auc = [sampling.maximum(identical(auc, 20)).mean for auc in np.linspace(0.2, 0.97, 40)]
    assert np.diff(by_auc).min() > 0.0
    by_players = [sampling.maximum(identical(0.8, m)).mean for m in (1, 2, 5, 20, 100, 1000)]
    assert np.diff(by_players).min() > 0.0


def test_the_bias_fades_from_the_independent_one_to_nothing_as_correlation_grows() -> None:
    population = identical(0.9, 1000)
    alone = prepare(51, 449).maximum(population).bias
    biases = [
        prepare(51, 449, correlation=rho, latents=8).maximum(population).bias
        for rho in (0.01, 0.7, 0.95, 0.999999)
    ]
    assert biases[0] == pytest.approx(alone, rel=1e-3)
    assert np.diff(biases).max() < 0.0
    assert 0.0 < biases[-1] < 0.01 * alone


def test_exchanging_the_classes_changes_nothing() -> None:
    one = prepare(12, 90, correlation=(0.3, 0.6), latents=16).maximum(identical(0.8, 50))
    other = prepare(90, 12, correlation=(0.6, 0.3), latents=16).maximum(identical(0.8, 50))
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.log_cdf, other.log_cdf)


def test_the_opposite_of_a_classifier_has_the_opposite_law() -> None:
    sampling = prepare(25, 40)
    for value in (0.55, 0.7025, 0.8005):
        below = 1.0 - sampling.survival(0.3, 1.0 - value)
        assert sampling.survival(0.7, value) == pytest.approx(below, rel=1e-3)


def test_a_seed_and_its_generator_draw_the_same_latents() -> None:
    one = prepare(200, 300, correlation=0.5, latents=2, seed=3)
    same = prepare(200, 300, correlation=0.5, latents=2, seed=np.random.default_rng(3))
    other = prepare(200, 300, correlation=0.5, latents=2, seed=4)
    np.testing.assert_array_equal(one.table, same.table)
    assert not np.array_equal(one.table, other.table)


def test_the_ends_of_a_single_interval_leave_half_of_the_rest_each() -> None:
    low, high = single_interval(0.949, 51, 2949, 0.9)
    sampling = prepare(51, 2949)
    half = 0.5 / (51 * 2949)
    assert sampling.survival(low, 0.949 - half) == pytest.approx(0.05, abs=1e-8)
    assert sampling.survival(high, 0.949 + half) == pytest.approx(0.95, abs=1e-8)
    assert 0.5 < low < 0.949 < high < 1.0


def assert_orderly(positives: int, negatives: int) -> None:
    """That a table is a law of AUCs, and gives one AUC its error and its interval."""
    sampling = prepare(positives, negatives)
    assert np.diff(sampling.table, axis=1).min() > 0.0
    for auc in (0.7, 0.9, 0.97):
        error = standard_error(auc, positives, negatives)
        alone = sampling.maximum(identical(auc, 1))
        assert alone.mean == pytest.approx(auc, abs=0.25 * error)
        assert alone.sd == pytest.approx(error, rel=0.2)
    low, high = single_interval(0.85, positives, negatives)
    assert low < 0.85 < high


@pytest.mark.parametrize(
    ("positives", "negatives"),
    [(3_000, 7_000), (34, 51), (63_714, 91_303), (475_705, 184_727), (2, 23), (990_000, 10_000)],
)
def test_a_law_of_aucs_rises_on_test_sets_of_any_size(positives: int, negatives: int) -> None:
    """Polynomials through few or noisy points near a perfect AUC turned round."""
    assert_orderly(positives, negatives)


@pytest.mark.slow
def test_500_sizes_of_test_sets_have_orderly_laws() -> None:
    rng = np.random.default_rng(500)
    for _ in range(500):
        n = round(float(np.exp(rng.uniform(np.log(20), np.log(1e6)))))
        positives = min(max(round(n * rng.uniform(0.01, 0.99)), 1), n - 1)
        assert_orderly(positives, n - positives)


def test_a_perfect_auc_has_no_upper_limit_and_a_wrong_one_no_lower(
    independent: AucSampling,
) -> None:
    low, high = single_interval(1.0, 20, 60)
    assert high == 1.0
    assert independent.survival(low, 1.0 - 0.5 / 1200) == pytest.approx(0.025, abs=1e-8)
    assert single_interval(0.0, 20, 60) == (0.0, 1.0 - low)


@pytest.mark.parametrize("correlation", [1.0, -0.1, (0.5, 1.5)])
def test_a_correlation_outside_its_range_is_refused(
    correlation: float | tuple[float, float],
) -> None:
    with pytest.raises(BadOption, match="it is a number from 0 on and below 1"):
        prepare(10, 10, correlation=correlation)
