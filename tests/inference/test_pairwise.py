"""Tests of pairs: p-values and adjustments for many pairs, against other software."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from winodds.arrays import Floats
from winodds.inference import contrasts
from winodds.inference.contrasts import Contrasts, freedom, small_sample
from winodds.inference.pairwise import (
    Test as Outcome,
    benjamini_hochberg,
    clusters_needed,
    clusters_needed_by_signs,
    decide_pair,
    holm,
    likelihood_ratio_test,
)

p_lists = st.lists(
    st.one_of(st.floats(0.0, 1.0), st.sampled_from([0.0, 0.01, 0.05, 0.5, 1.0])),
    min_size=1,
    max_size=6,
).map(np.array)
"""P-values, often tied."""


def _contrasts(
    value: float,
    model: float,
    robust: float | None = None,
    *,
    units: int = 10,
    cut: bool = False,
) -> Contrasts:
    """A single contrast."""
    return Contrasts(
        value=np.array([value]),
        model=np.array([model]),
        robust=None if robust is None else np.array([robust]),
        units=np.array([units]),
        df=freedom(np.array([float(units)])),
        cut=np.array([cut]),
    )


def _p(found: Contrasts) -> float:
    return float(found.p_value()[0])


def _agree(test: Outcome, expected: Outcome) -> None:
    """Two tests are the same but for rounding."""
    assert (test.law, test.df) == (expected.law, expected.df)
    assert test.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert test.p_value == pytest.approx(expected.p_value, rel=1e-12)


# One pair -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [-9.0, -0.3, 1e-3, 1.96, 30.0])
def test_model_based_p_value_is_that_of_the_normal_law(value: float) -> None:
    expected = 2.0 * stats.norm.sf(abs(value) / 0.8)
    assert _p(_contrasts(value, 0.8)) == pytest.approx(expected, rel=1e-12)


@given(st.floats(0.001, 20.0), st.floats(0.01, 5.0), st.floats(0.01, 5.0), st.integers(2, 40))
def test_robust_p_value_is_the_larger_of_the_two(
    value: float, model: float, robust: float, units: int
) -> None:
    by_rounds = 2.0 * stats.t.sf(value / robust, units - 1)
    by_matches = 2.0 * stats.norm.sf(value / model)
    found = _p(_contrasts(value, model, robust, units=units))
    assert found == pytest.approx(max(by_rounds, by_matches), rel=1e-9)


@pytest.mark.parametrize(("model", "robust"), [(1.5, 0.2), (0.2, 1.5)])
def test_across_a_cut_t_goes_with_the_larger_error(model: float, robust: float) -> None:
    expected = 2.0 * stats.t.sf(3.0 / 1.5, 6)
    found = _contrasts(-3.0, model, robust, units=7, cut=True)
    assert _p(found) == pytest.approx(expected, rel=1e-12)
    _agree(decide_pair(found), Outcome(-2.0, 6, expected, "t"))


def test_no_difference_has_the_p_value_one_even_without_an_error() -> None:
    assert _p(_contrasts(0.0, 0.5, 0.4)) == 1.0
    assert _p(_contrasts(0.0, 0.0, 0.0)) == 1.0
    assert _p(_contrasts(0.0, 0.0)) == 1.0
    assert decide_pair(_contrasts(0.0, 0.5, 0.4, units=5)) == Outcome(0.0, 4, 1.0, "t")
    assert decide_pair(_contrasts(0.0, 0.5)) == Outcome(0.0, None, 1.0, "normal")


def test_difference_without_robust_error_is_left_to_the_model() -> None:
    """All rounds agree, so that the robust error is 0, yet nobody is separated."""
    found = _contrasts(1.0, 0.5, 0.0)
    assert _p(found) == pytest.approx(2.0 * stats.norm.sf(2.0), rel=1e-12)
    assert decide_pair(found) == Outcome(2.0, None, _p(found), "normal")


def test_p_values_have_the_shape_of_the_contrasts() -> None:
    value = np.array([[0.0, 1.0], [-1.0, 0.0]])
    error = np.array([[0.0, 0.5], [0.5, 0.0]])
    units = np.full((2, 2), 9)
    df, cut = freedom(units.astype(np.float64)), np.zeros((2, 2), np.bool_)
    found = Contrasts(value, error, 2.0 * error, units, df, cut).p_value()
    other = 2.0 * stats.t.sf(1.0, 8)
    np.testing.assert_allclose(found, [[1.0, other], [other, 1.0]], rtol=1e-12)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (_contrasts(-1.2, 0.6), Outcome(-2.0, None, 2.0 * stats.norm.sf(2.0), "normal")),
        (_contrasts(-1.2, 0.1, 0.6, units=19), Outcome(-2.0, 18, 2.0 * stats.t.sf(2.0, 18), "t")),
        (_contrasts(1.2, 0.6, 0.1), Outcome(2.0, None, 2.0 * stats.norm.sf(2.0), "normal")),
    ],
)
def test_the_test_shows_the_statistic_that_decided(found: Contrasts, expected: Outcome) -> None:
    _agree(decide_pair(found), expected)


def test_likelihood_ratio_by_the_model_is_chi_square() -> None:
    test = likelihood_ratio_test(6.0, _contrasts(1.0, 0.5), 1.5)
    _agree(test, Outcome(4.0, 1, stats.chi2.sf(4.0, 1), "chi2"))


def test_likelihood_ratio_by_clusters_is_scaled_to_their_variance() -> None:
    """The model understates the variance by a factor of 4, so the ratio is a quarter."""
    test = likelihood_ratio_test(6.0, _contrasts(1.0, 0.3, 0.6, units=12), 1.5)
    _agree(test, Outcome(1.0, 11, stats.f.sf(1.0, 1, 11), "F"))


def test_likelihood_ratio_keeps_the_larger_p_value() -> None:
    test = likelihood_ratio_test(4.0, _contrasts(1.0, 0.5, 0.1), 1.0)
    _agree(test, Outcome(4.0, 1, stats.chi2.sf(4.0, 1), "chi2"))


def test_likelihood_ratio_across_a_cut_keeps_f_with_the_larger_error() -> None:
    test = likelihood_ratio_test(9.0, _contrasts(4.0, 2.0, 0.1, units=8, cut=True), 1.0)
    _agree(test, Outcome(9.0, 7, stats.f.sf(9.0, 1, 7), "F"))


def test_no_loss_of_likelihood_has_the_p_value_one() -> None:
    assert likelihood_ratio_test(0.0, _contrasts(0.0, 0.0, 0.0, units=6), 1.0) == Outcome(
        0.0, 5, 1.0, "F", "likelihood-ratio"
    )
    assert likelihood_ratio_test(0.0, _contrasts(0.0, 1.0), 1.0) == Outcome(
        0.0, 1, 1.0, "chi2", "likelihood-ratio"
    )


def test_likelihood_ratio_without_robust_error_is_left_to_the_model() -> None:
    test = likelihood_ratio_test(4.0, _contrasts(1.0, 0.5, 0.0), 1.0)
    _agree(test, Outcome(4.0, 1, stats.chi2.sf(4.0, 1), "chi2"))


# Clusters that are needed -------------------------------------------------------------------------


def _slow_needed(size: float, level: float, power: float) -> int:
    """The first number of clusters whose t-test has the power, one after the other."""
    for number in range(2, 1000):
        limit = stats.t.ppf(0.5 + 0.5 * level, number - 1)
        law = stats.nct(number - 1, size * np.sqrt(number))
        if law.sf(limit) + law.cdf(-limit) >= power:
            return number
    raise AssertionError("too many")


@pytest.mark.parametrize("size", [3.0, 0.9, 0.4, 0.2])
@pytest.mark.parametrize(("level", "power"), [(0.95, 0.8), (0.95, 0.5), (0.9, 0.95)])
def test_needed_clusters_are_the_fewest_with_the_power(
    size: float, level: float, power: float
) -> None:
    """The effect is the difference over the spread of one cluster: se · √clusters."""
    clusters, spread = 16, 2.5
    found = clusters_needed(
        -size * spread, spread / np.sqrt(clusters), clusters, level=level, power=power
    )
    assert found == _slow_needed(size, level, power)


def test_needed_clusters_have_the_power_when_drawn() -> None:
    number = clusters_needed(0.5, 0.25, 16, level=0.95, power=0.8)
    drawn = np.random.default_rng(0).normal(0.5, 1.0, size=(40_000, number))
    t = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(number))
    seen = np.abs(t) > stats.t.ppf(0.975, number - 1)
    assert seen.mean() == pytest.approx(0.8, abs=0.015)


def test_small_differences_need_clusters_as_the_normal_law_says() -> None:
    """(1.959964 + 0.841621)² · spread²/difference², for very many."""
    found = clusters_needed(0.01, 0.1, 100, level=0.95, power=0.8)
    assert found == pytest.approx((1.959964 + 0.841621) ** 2 * 100.0**2, rel=1e-3)


def test_no_difference_is_never_seen() -> None:
    assert clusters_needed(0.0, 0.5, 10, level=0.95, power=0.8) == 0
    assert clusters_needed(1e-9, 0.5, 10, level=0.95, power=0.8) == 0


def test_rounds_needed_by_signs_of_wins_and_losses() -> None:
    """15 of 20 won: ρ = ½ · √(19/20) …, and n rounds see it when √n ρ − u(n) − 1/√n is 0.84 τ.

    Of wins and losses only, ΣD² is n: ρ̂ = 0.5, with one degree of freedom taken off 0.4903, and
    τ = √(1 − 0.25) = 0.8660. With n = 33, t(32) = 2.0369, u = t √(33/(32 + t²)) = 1.9461, and
    (√33 · 0.4903 − 1.9461 − 0.1741)/0.8660 = 0.804; with n = 34 the same is 0.856 ≥ 0.8416.
    """
    apart = np.repeat([1.0, -1.0], [15, 5])
    size = 0.5 / np.hypot(0.5, np.sqrt(0.75 * 20 / 19))
    for number, enough in ((33, False), (34, True)):
        t = stats.t.ppf(0.975, number - 1)
        u = t * np.sqrt(number / (number - 1 + t**2))
        away = np.sqrt(number) * size - u - 1.0 / np.sqrt(number)
        assert (away / np.sqrt(0.75) >= stats.norm.ppf(0.8)) == enough
    assert clusters_needed_by_signs(apart, level=0.95, power=0.8) == 34
    assert clusters_needed_by_signs(-apart, level=0.95, power=0.8) == 34


def test_rounds_needed_by_signs_are_never_fewer_than_signs_can_decide_with() -> None:
    """2^−(n − 1) is 6.25% with 5 rounds and 3.1% with 6; 1.6% with 7 and 0.8% with 8."""
    sweep = np.ones(20)
    assert clusters_needed_by_signs(sweep, level=0.95, power=0.8) == 6
    assert clusters_needed_by_signs(sweep, level=0.99, power=0.8) == 8
    assert clusters_needed_by_signs(sweep, level=0.5, power=0.8) == 2
    assert clusters_needed_by_signs(np.array([1.0, -1.0, 0.0]), level=0.95, power=0.8) == 0


def test_rounds_needed_by_signs_are_those_of_noncentral_t_for_normal_contributions() -> None:
    """Many contributions that are normal: the error of the plug-in vanishes, skewness too."""
    for size in (0.6, 0.3, 0.15):
        apart = size + stats.norm.ppf((np.arange(100_000) + 0.5) / 100_000)
        found = clusters_needed_by_signs(apart, level=0.95, power=0.8)
        assert found == pytest.approx(_slow_needed(size, 0.95, 0.8), abs=1.0)


POPULATIONS = ((2, 0.8), (2, 1.2), (5, 0.8), (5, 1.2), (16, 0.6), (16, 0.8), (16, 1.2), (16, 2.0))
"""Players, from −1 to 1 but for two, and how far these two are apart; noise of sd 1."""


def _wins_apart(
    rng: np.random.Generator, rounds: tuple[int, ...], players: int, gap: float
) -> Floats:
    """Wins of the first player minus those of the last, by round."""
    strength = np.linspace(-1.0, 1.0, players)
    strength[0], strength[-1] = 0.5 * gap, -0.5 * gap
    score = strength + rng.normal(size=(*rounds, players))
    ends = score[..., [0]], score[..., [-1]]
    return np.asarray((score < ends[0]).sum(axis=-1) - (score < ends[1]).sum(axis=-1), np.float64)


def _seen_by_signs(apart: Floats) -> float:
    """Share of boards, (boards, rounds), whose t of D has p ≤ 5%, with the floor of the signs."""
    rounds = apart.shape[1]
    root = (apart**2).sum(axis=1)
    u2 = np.minimum(apart.sum(axis=1) ** 2 / np.maximum(root, 1e-12), rounds * (1.0 - 1e-12))
    p = 2.0 * stats.t.sf(np.sqrt(u2 * (rounds - 1) / (rounds - u2)), rounds - 1)
    return float((np.maximum(p, 2.0 ** -(rounds - 1)) <= 0.05).mean())


@pytest.mark.slow
def test_rounds_needed_are_enough_when_the_difference_is_what_it_seems() -> None:
    """First boards whose mean is within 6% of the truth promise 80%; new boards keep it.

    Two players have ten, twenty or forty matches in all, so that what they promise jumps.
    """
    rng = np.random.default_rng(14)
    print("\nplayers  apart  first boards of  median needed  seen by new boards")
    shares = []
    for players, gap in POPULATIONS:
        truth = _wins_apart(rng, (200_000,), players, gap).mean()
        seen: dict[int, float] = {}
        for rounds in (10, 20, 40):
            first = _wins_apart(rng, (4000, rounds), players, gap)
            kept = first[np.abs(first.mean(axis=1) / truth - 1.0) < 0.06][:300]
            needed = [clusters_needed_by_signs(own, level=0.95, power=0.8) for own in kept]
            for number in set(needed) - set(seen):
                seen[number] = _seen_by_signs(_wins_apart(rng, (1500, number), players, gap))
            if needed:
                share, middle = np.mean([seen[number] for number in needed]), np.median(needed)
                print(f"{players:7}  {gap:5}  {rounds:15}  {middle:13.0f}  {share:18.1%}")
                shares.append(share)
    assert min(shares) > 0.74
    assert np.mean(shares) == pytest.approx(0.83, abs=0.05)


# All pairs ----------------------------------------------------------------------------------------


def test_adjustments_agree_with_r() -> None:
    """p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm") and "BH"."""
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.05])
    np.testing.assert_allclose(holm(p), [0.05, 0.08, 0.09, 0.09, 0.09], rtol=1e-12)
    np.testing.assert_allclose(benjamini_hochberg(p), np.full(5, 0.05), rtol=1e-12)


def test_adjustments_by_hand_in_any_order() -> None:
    p = np.array([0.4, 0.01, 0.3])
    np.testing.assert_allclose(holm(p), [0.6, 0.03, 0.6], rtol=1e-12)
    np.testing.assert_allclose(benjamini_hochberg(p), [0.4, 0.03, 0.4], rtol=1e-12)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_one_pair_needs_no_adjustment_and_none_gives_none(
    adjust: Callable[[Floats], Floats],
) -> None:
    np.testing.assert_array_equal(adjust(np.array([0.3])), [0.3])
    assert adjust(np.empty(0)).size == 0


def _slow_holm(p: Floats) -> Floats:
    """Closed testing: a claim stands if Bonferroni rejects every set of pairs that holds it."""
    adjusted = np.zeros(p.size)
    for size in range(1, p.size + 1):
        for chosen in combinations(range(p.size), size):
            together = min(1.0, size * float(p[list(chosen)].min()))
            adjusted[list(chosen)] = np.maximum(adjusted[list(chosen)], together)
    return adjusted


@given(p_lists)
def test_holm_is_closed_testing_with_bonferroni(p: Floats) -> None:
    np.testing.assert_allclose(holm(p), _slow_holm(p), rtol=1e-12)


@given(p_lists)
def test_benjamini_hochberg_agrees_with_scipy(p: Floats) -> None:
    np.testing.assert_allclose(
        benjamini_hochberg(p), stats.false_discovery_control(p, method="bh"), rtol=1e-12
    )


@given(p_lists)
def test_equal_p_values_stay_equal_and_order_does_not_matter(p: Floats) -> None:
    order = np.roll(np.arange(p.size)[::-1], 1)
    for adjust in (holm, benjamini_hochberg):
        found = adjust(p)
        np.testing.assert_array_equal(adjust(p[order]), found[order])
        for first, second in combinations(range(p.size), 2):
            assert p[first] != p[second] or found[first] == found[second]


# Degrees of freedom -------------------------------------------------------------------------------


def _free(df: Floats) -> Contrasts:
    """Contrasts of which only the degrees of freedom matter."""
    return Contrasts(
        value=np.zeros(df.shape),
        model=np.ones(df.shape),
        robust=np.ones(df.shape),
        units=df.astype(np.int64) + 1,
        df=df,
        cut=np.zeros(df.shape, np.bool_),
    )


@pytest.mark.parametrize("level", [0.01, 0.5, 0.8, 0.95, 0.99, 0.999999])
def test_quantiles_are_those_of_scipy_stats_for_any_degrees_of_freedom(level: float) -> None:
    tail = 0.5 + 0.5 * level
    for df in (np.array([1.0, 2.0, 3.5, 19.0, 1e3, 1e5, 2.0, 1.0]), np.full((2, 3), 6.25)):
        np.testing.assert_allclose(_free(df).quantile(tail), stats.t.ppf(tail, df), rtol=1e-12)


def test_quantiles_by_hand() -> None:
    # With one degree of freedom t is Cauchy's distribution, with two it has a closed form.
    tail = 0.975
    cauchy = np.tan(np.pi * (tail - 0.5))
    two = (2.0 * tail - 1.0) / np.sqrt(2.0 * tail * (1.0 - tail))
    found = _free(np.array([1.0, 2.0])).quantile(tail)
    np.testing.assert_allclose(found, [cauchy, two], rtol=1e-12)


def test_the_factor_of_few_clusters_does_not_hang_on_degrees_of_freedom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contrasts, "freedom", lambda clusters: clusters / 2.0)
    assert small_sample(4.0) == 4.0 / 3.0
    np.testing.assert_array_equal(small_sample(np.array([2.0, 5.0, 11.0])), [2.0, 1.25, 1.1])


def test_each_contrast_is_judged_by_its_own_degrees_of_freedom() -> None:
    found = Contrasts(
        value=np.array([2.0, 2.0]),
        model=np.array([0.1, 0.1]),
        robust=np.array([1.0, 1.0]),
        units=np.array([10, 10]),
        df=np.array([9.0, 2.5]),
        cut=np.array([False, False]),
    )
    np.testing.assert_allclose(found.p_value(), 2.0 * stats.t.sf(2.0, [9.0, 2.5]), rtol=1e-12)
    np.testing.assert_allclose(found.half_width(0.9), stats.t.ppf(0.95, [9.0, 2.5]), rtol=1e-12)
