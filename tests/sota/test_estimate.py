"""Shrinking and cropping, the size of the test set, and intervals of single scores."""

import csv

import numpy as np
import pytest
from conftest import shared_file
from scipy import stats

from winodds.arrays import Floats
from winodds.sota.estimate import Estimate, Method, estimate
from winodds.sota.granularity import Granularity, check_size
from winodds.sota.laws.maximum import maximum_law
from winodds.sota.laws.populations import empirical
from winodds.sota.sampling import Accuracy, Normal, clopper_pearson


def read_scores(name: str) -> Floats:
    with shared_file(f"data/kaggle_{name}_private.csv").open(encoding="utf-8") as file:
        return np.array([float(row["score"]) for row in csv.DictReader(file)])


def estimate_board(name: str, n: int, classes: int, *, conservative: bool = False) -> Estimate:
    scores = read_scores(name)
    above = scores[scores > 1 / classes]
    return estimate(above, Accuracy(n, 0.6), floor=1 / classes, conservative=conservative)


# Published boards ---------------------------------------------------------------------------------


def test_obesity_at_face_value_is_expected_to_reach_more_than_it_did() -> None:
    law = estimate_board("obesity", 13_840, 7).face_value.law
    low, high = law.interval()
    # The paper, by simulation: 0.9159 (0.9128, 0.9191).
    assert round(law.mean, 4) == 0.9159
    assert (round(low, 4), round(high, 4)) == (0.9128, 0.9191)


def test_obesity_shrunken_as_published() -> None:
    found = estimate_board("obesity", 13_840, 7).solution
    assert found is not None
    assert round(found.sota, 4) == 0.9071
    assert round(found.law.mean, 5) == 0.91157
    assert tuple(round(end, 4) for end in found.law.interval()) == (0.9084, 0.9148)


def test_obesity_with_caution_as_published() -> None:
    found = estimate_board("obesity", 13_840, 7, conservative=True).solution
    assert found is not None
    assert (round(found.sota, 4), round(found.law.mean, 4)) == (0.9037, 0.9083)


def test_obesity_on_the_test_set_that_its_scores_fit() -> None:
    found = estimate_board("obesity", 11_072, 7).solution
    assert found is not None
    assert round(found.sota, 4) == 0.9064
    assert int((read_scores("obesity") >= found.sota).sum()) == 1088


def test_the_winner_of_cassava_is_not_explained_by_luck() -> None:
    found = estimate_board("cassava", 15_000, 5)
    assert found.solution is None
    # Reference tables have 0.9110; a simulation of 20,000 contests gives 0.91092 ± 0.00003.
    assert round(found.face_value.law.mean, 4) == 0.9109


@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [
        ("obesity", 13_840, Granularity(5, "truncated", 11_072, fits=False)),
        ("obesity", 11_072, Granularity(5, "truncated", 11_072, fits=True)),
        ("cassava", 15_000, Granularity(4, "truncated", 6_618, fits=True)),
    ],
)
def test_decimals_of_published_boards_tell_the_size_of_the_test_set(
    name: str, n: int, expected: Granularity
) -> None:
    assert check_size(read_scores(name), n) == expected


# Estimates ----------------------------------------------------------------------------------------


def lucky_scores(m: int = 300, n: int = 1000, theta: float = 0.8, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).binomial(n, theta, m) / n


@pytest.mark.parametrize("method", ["shrink", "crop"])
@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_the_largest_score_is_what_the_solution_lets_expect(
    method: Method, correlation: float
) -> None:
    scores = lucky_scores()
    found = estimate(scores, Accuracy(1000, correlation), floor=0.5, method=method).solution
    assert found is not None
    assert found.law.mean == pytest.approx(scores.max(), abs=3e-6)
    weight = found.amount
    theta = 0.5 + weight * (scores - 0.5) if method == "shrink" else np.minimum(scores, weight)
    assert found.sota == pytest.approx(theta.max(), abs=1e-12)
    again = maximum_law(empirical(theta), 1000, correlation=correlation, common=theta.max())
    assert again.mean == pytest.approx(found.law.mean, abs=1e-12)


def test_with_caution_the_largest_score_is_the_upper_limit() -> None:
    scores = lucky_scores()
    found = estimate(scores, Accuracy(1000, 0.3), floor=0.5, conservative=True, level=0.9).solution
    assert found is not None
    assert found.law.at_most(scores.max()) == pytest.approx(0.95, abs=1e-4)


def test_caution_lowers_the_estimate_and_the_level_lowers_it_more() -> None:
    scores = lucky_scores()
    sampling = Accuracy(1000, 0.0)
    estimates = [
        estimate(scores, sampling, floor=0.5),
        estimate(scores, sampling, floor=0.5, conservative=True, level=0.8),
        estimate(scores, sampling, floor=0.5, conservative=True, level=0.99),
    ]
    sota = [found.solution.sota for found in estimates if found.solution is not None]
    assert scores.max() > sota[0] > sota[1] > sota[2]


def test_half_of_the_luck_is_taken_out_even_when_all_of_the_spread_is_luck() -> None:
    found = [
        estimate(lucky_scores(seed=seed), Accuracy(1000, 0.0), floor=0.5).solution
        for seed in range(20)
    ]
    sota = np.array([one.sota for one in found if one is not None])
    # Shrinking towards guessing takes the scores' spread for one of performances.
    assert sota.size == 20
    luck = np.mean([lucky_scores(seed=seed).max() for seed in range(20)]) - 0.8
    assert 0.45 * luck < sota.mean() - 0.8 < 0.6 * luck


def test_more_correlation_leaves_less_luck() -> None:
    scores = lucky_scores()
    solutions = [
        estimate(scores, Accuracy(1000, rho), floor=0.5).solution for rho in (0.0, 0.5, 0.9)
    ]
    sota = [one.sota for one in solutions if one is not None]
    assert sota == sorted(sota)
    assert len(set(sota)) == 3


def test_a_winner_who_is_far_ahead_is_not_explained() -> None:
    scores = np.append(lucky_scores(m=100), 0.95)
    found = estimate(scores, Accuracy(1000, 0.0), floor=0.5)
    assert found.solution is None
    # In a contest of 101 drawn players the winner is absent with probability 0.37.
    absent = (1 - 1 / 101) ** 101
    assert found.face_value.law.mean < absent * 0.86 + (1 - absent) * 0.9505


def test_guessing_ends_the_search() -> None:
    # The best of 1,000 coins is expected to reach 0.85 with 20 flips, and none did.
    scores = np.repeat([0.55, 0.6, 0.65], 333)
    found = estimate(scores, Accuracy(20, 0.0), floor=0.5)
    assert found.at_floor
    assert found.solution is not None
    assert (found.solution.sota, found.solution.amount) == (0.5, 0.0)


def test_a_perfect_score_has_no_luck_in_expectation_but_with_caution() -> None:
    scores = np.append(lucky_scores(m=50, n=40, theta=0.9), 1.0)
    careful = estimate(scores, Accuracy(40, 0.0), floor=0.5, conservative=True).solution
    assert estimate(scores, Accuracy(40, 0.0), floor=0.5).solution is None
    assert careful is not None
    assert careful.law.at_least(1.0) == pytest.approx(0.025, abs=1e-4)


def test_entries_too_low_for_the_correlation_take_no_part() -> None:
    scores = np.concatenate([lucky_scores(m=100, theta=0.9), np.full(7, 0.6)])
    found = estimate(scores, Accuracy(1000, 0.6), floor=0.5)
    assert found.players == 100
    assert estimate(scores, Accuracy(1000, 0.0), floor=0.5).players == 107


def test_scores_with_a_normal_law_shrink_like_shares() -> None:
    scores = lucky_scores(n=4000)
    share = estimate(scores, Accuracy(4000, 0.0), floor=0.5).solution
    se = float(np.sqrt(0.8 * 0.2 / 4000))
    normal = estimate(scores, Normal(se, 0.0), floor=0.5).solution
    assert share is not None
    assert normal is not None
    assert normal.sota == pytest.approx(share.sota, abs=5e-4)


# Sizes --------------------------------------------------------------------------------------------


def fits_slowly(scores: Floats, decimals: int, n: int, *, cut_off: bool) -> bool:
    """Whether every score is one of the n + 1 shares as they are printed."""
    unit = 10**decimals
    shares = {k * unit // n if cut_off else (2 * k * unit + n) // (2 * n) for k in range(n + 1)}
    if not cut_off:
        shares |= {-((n - 2 * k * unit) // (2 * n)) for k in range(n + 1)}
    return {round(score * unit) for score in scores.tolist()} <= shares


@pytest.mark.parametrize("cut_off", [True, False])
@pytest.mark.parametrize("n", [7, 31, 97, 230])
def test_the_smallest_size_is_the_first_whose_printed_shares_hold_all_scores(
    n: int, cut_off: bool
) -> None:
    rng = np.random.default_rng(n)
    successes = rng.integers(0, n + 1, 40)
    unit = 1000
    whole = successes * unit // n if cut_off else (2 * successes * unit + n) // (2 * n)
    scores = whole / unit
    found = check_size(scores, n)
    first = next(
        size
        for size in range(1, 1001)
        if any(fits_slowly(scores, 3, size, cut_off=rule) for rule in (True, False))
    )
    assert found.smallest == first
    assert found.fits


def test_a_size_that_cannot_be_right_is_found_out() -> None:
    scores = np.array([0.333, 0.667, 0.5])
    assert check_size(scores, 6) == Granularity(3, "rounded", 6, fits=True)
    assert check_size(scores, 7) == Granularity(3, "rounded", 6, fits=False)
    assert check_size(np.array([0.333, 0.666]), 3) == Granularity(3, "truncated", 3, fits=True)


def test_all_digits_of_a_division_are_read_as_rounded() -> None:
    scores = np.array([1, 5, 17, 22]) / 23
    assert check_size(scores, 23) == Granularity(12, "rounded", 23, fits=True)
    assert check_size(scores, 24).fits is False


@pytest.mark.parametrize(
    ("scores", "decimals"), [([0.5, 0.91157], 5), ([91.157 / 100], 5), ([0.0, 1.0], 0), ([1e-7], 7)]
)
def test_decimals_are_counted_as_people_write_them(scores: list[float], decimals: int) -> None:
    assert check_size(np.array(scores)).decimals == decimals


def test_huge_sizes_do_not_overflow() -> None:
    scores = np.random.default_rng(1).integers(1, 7_000_000, 50) / 7_000_000
    assert check_size(scores, 7_000_000).fits
    assert check_size(scores, 7_000_001).fits is False


def test_scores_in_single_precision_have_seven_digits() -> None:
    scores = (np.array([517, 733, 801, 999]) / 1000).astype(np.float32).astype(np.float64)
    found = check_size(scores, 1000)
    assert (found.decimals, found.fits) == (3, True)
    assert check_size(scores, 77).fits is False


def test_a_score_that_was_shortened_by_hand_is_looked_at_with_its_own_decimals() -> None:
    scores = np.array([10_075, 10_061, 9_999, 10_020]) * 100_000 // 11_072 / 100_000
    assert check_size(np.append(scores, 0.9), 11_072).fits
    assert check_size(np.append(scores, 0.90004), 11_072).fits is False


def test_twelve_decimals_that_were_cut_off_fit_their_size() -> None:
    scores = np.array([1, 5, 17, 22]) * 10**12 // 23 / 10**12
    assert check_size(scores, 23).fits


# One score ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (3, 10), (10, 10), (2700, 3000)])
def test_single_intervals_are_clopper_and_pearsons(successes: int, n: int) -> None:
    exact = stats.binomtest(successes, n).proportion_ci(0.9, method="exact")
    assert clopper_pearson(successes, n, 0.9) == pytest.approx((exact.low, exact.high), abs=1e-12)


def test_a_normal_score_has_a_symmetric_interval() -> None:
    low, high = Normal(2.0, 0.5).interval(10.0, 0.95)
    assert (low + high) / 2 == pytest.approx(10.0)
    assert (high - low) / 2 == pytest.approx(1.959964 * 2, abs=1e-5)
