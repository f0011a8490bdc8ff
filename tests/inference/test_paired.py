"""Mean differences of paired rounds: intervals, flips and rounds that would decide."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.special import gammaln

from winodds.arrays import Floats, Ints
from winodds.inference.decided import clusters_to_decide
from winodds.inference.paired import (
    GAP,
    Differences,
    flip_p,
    judge_mean,
    null_error,
    tango,
    worth_of,
)
from winodds.inference.record import wilson

Z = 1.959964


def rounds_of(
    difference: object, *, cluster: Ints | None = None, largest: float | None = None
) -> Differences:
    """Rounds of equal weight, each its own cluster unless these are given."""
    own: Floats = np.asarray(difference, np.float64)
    size = float(np.abs(own).max(initial=0.0)) if largest is None else largest
    clusters = np.arange(own.size) if cluster is None else cluster
    return Differences(own, np.ones(own.size), clusters, size)


def ends_of(found: Differences, level: float = 0.95) -> tuple[float, float]:
    interval = judge_mean(found, level)
    return round(interval.low, 4), round(interval.high, 4)


def test_interval_is_that_of_published_tables() -> None:
    # Bentur et al. (2009) and Cavo et al. (2012), as in Fagerland, Lydersen and Laake (2017).
    assert np.round(tango(1 / 21, 7 / 21, 21.0, Z), 4).tolist() == [-0.5172, -0.026]
    assert np.round(tango(6 / 161, 16 / 161, 161.0, Z), 3).tolist() == [-0.124, -0.005]


def test_without_ties_the_interval_is_wilsons() -> None:
    low, high = wilson(0.75, 20.0, 1.96)
    assert tango(0.75, 0.25, 20.0, 1.96) == pytest.approx((2.0 * low - 1.0, 2.0 * high - 1.0))


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (0, 4), (0, 0), (7, 7)])
@pytest.mark.parametrize("difference", [-0.4, -0.1, 0.0, 0.3])
def test_null_error_is_that_of_the_likeliest_shares(won: int, lost: int, difference: float) -> None:
    share = np.linspace(max(-difference, 0.0), 0.5 - 0.5 * difference, 400_001)[1:-1]
    likelihood = lost * np.log(share) + (20 - won - lost) * np.log(1.0 - 2.0 * share - difference)
    with np.errstate(divide="ignore"):
        likelihood += won * np.log(share + difference)
    best = share[likelihood.argmax()]
    expected = np.sqrt(2.0 * best + difference - difference**2)
    assert float(null_error(won / 20, lost / 20, difference)) == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(
    ("contributions", "p"),
    [
        ([1.0] * 5, 0.0625),
        ([1.0] * 6, 0.03125),
        ([1.0] * 8 + [-1.0] + [0.0] * 50, 20 / 512),
        ([1.0, 2.0, 4.0], 0.25),
        ([0.0, 0.0], 1.0),
        ([2.0, -2.0], 1.0),
    ],
)
def test_flips_are_counted_exactly(contributions: list[float], p: float) -> None:
    assert flip_p(np.array(contributions)) == pytest.approx(p)


def test_five_wins_of_five_prove_nothing_and_six_of_six_do() -> None:
    assert ends_of(rounds_of([1] * 5)) == (0.0, 1.0)
    assert ends_of(rounds_of([1] * 6)) == (0.1225, 1.0)


def test_rounds_that_all_tie_do_not_prove_that_all_would() -> None:
    assert ends_of(rounds_of(np.zeros(36), largest=1.0)) == (-0.1201, 0.1201)
    assert ends_of(rounds_of(np.zeros(36), largest=0.0)) == (-np.inf, np.inf)


def test_scores_without_ties_have_the_interval_of_t() -> None:
    # mean 2, standard deviation 1, t(4) = 2.776
    assert ends_of(rounds_of([1.0, 1.5, 2.0, 2.5, 3.0])) == (1.0184, 2.9816)


def test_epochs_of_an_item_count_as_one_where_they_agree() -> None:
    items = np.array([1.0, 0.0, -1.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    once = judge_mean(rounds_of(items), 0.95)
    thrice = judge_mean(rounds_of(np.repeat(items, 3), cluster=np.repeat(np.arange(8), 3)), 0.95)
    assert thrice.value == once.value
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high), abs=0.06)
    alone = judge_mean(rounds_of(np.repeat(items, 3)), 0.95)
    assert alone.high - alone.low < 0.7 * (thrice.high - thrice.low)


def test_single_cluster_is_worth_one_round() -> None:
    found = rounds_of([1.0, 1.0, -1.0, 1.0], cluster=np.zeros(4, np.int64))
    assert worth_of(found).taken(1.0, 0.95) == pytest.approx(1.0)
    assert ends_of(rounds_of([0.1, 0.2, 0.4], cluster=np.zeros(3, np.int64))) == (-np.inf, np.inf)


def test_splits_that_share_training_data_are_worth_less() -> None:
    plain = rounds_of([1.0, 1.5, 2.0, 2.5, 3.0])
    shared = Differences(plain.difference, plain.weight, plain.cluster, 3.0, lasting=1.0 / 9.0)
    width = 2.776445 * np.sqrt(0.625 / 5 * (1.0 + 5.0 / 9.0))
    assert ends_of(shared) == (round(2.0 - width, 4), round(2.0 + width, 4))


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=2, max_size=40))
def test_interval_turns_with_the_differences_and_knows_no_order(difference: list[float]) -> None:
    found = judge_mean(rounds_of(difference, largest=1.0), 0.95)
    turned = judge_mean(rounds_of(np.negative(difference), largest=1.0), 0.95)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-9)
    mixed = judge_mean(rounds_of(sorted(difference), largest=1.0), 0.95)
    assert (mixed.low, mixed.high) == pytest.approx((found.low, found.high), abs=1e-9)
    assert found.low <= found.value <= found.high


@given(st.lists(st.integers(-3, 3), min_size=3, max_size=20), st.floats(0.01, 100.0))
def test_interval_is_in_the_units_of_the_differences(sizes: list[int], unit: float) -> None:
    own = judge_mean(rounds_of(sizes, largest=4.0), 0.95)
    other = judge_mean(rounds_of(np.multiply(sizes, unit), largest=4.0 * unit), 0.95)
    scaled = (unit * own.value, unit * own.low, unit * own.high)
    assert (other.value, other.low, other.high) == pytest.approx(scaled, rel=1e-6, abs=1e-9 * unit)


def test_nobody_waits_for_equal_players_without_a_margin() -> None:
    found = rounds_of([1.0, -1.0] * 5)
    assert clusters_to_decide(found, 0.0, level=0.95, power=0.8) == 0
    assert clusters_to_decide(found, 0.2, level=0.95, power=0.8) > 100


def test_a_sure_thing_needs_as_many_rounds_as_the_interval_says() -> None:
    found = rounds_of(np.zeros(10), largest=1.0)
    needed = clusters_to_decide(found, 0.1, level=0.95, power=0.8)
    before, after = (
        judge_mean(rounds_of(np.zeros(number), largest=1.0), 0.95).low
        for number in (needed - 1, needed)
    )
    assert before <= -0.1 < after


def test_normal_differences_need_what_textbooks_say() -> None:
    difference = np.random.default_rng(3).normal(0.0, 1.0, 200)
    difference = (difference - difference.mean()) / difference.std(ddof=1)
    needed = clusters_to_decide(rounds_of(difference), 0.2, level=0.95, power=0.8)
    # "Worse" comes in 2.5% anyway, and 77.5% are left: (1.96 + 0.755)²/0.2² = 184; t adds a few.
    assert 184 <= needed <= 190


@pytest.mark.parametrize("rounds", [5, 8, 10, 15, 20, 40])
def test_ends_miss_in_five_percent_at_most_whatever_ties(rounds: int) -> None:
    won, lost = (cells.ravel() for cells in np.indices((rounds + 1, rounds + 1)))
    won, lost = won[won + lost <= rounds], lost[won + lost <= rounds]
    ways = gammaln(rounds + 1) - gammaln(won + 1) - gammaln(lost + 1)
    ways -= gammaln(rounds - won - lost + 1)
    worst = 0.0
    for margin in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        error = Z * null_error(won / rounds, lost / rounds, -margin) / np.sqrt(rounds)
        missed = (won - lost - GAP) / rounds + margin > error
        for differ in np.linspace(margin, 1.0, 30)[1:-1]:
            law = 0.5 * (differ - margin), 0.5 * (differ + margin), 1.0 - differ
            chance = ways + won * np.log(law[0]) + lost * np.log(law[1])
            chance += (rounds - won - lost) * np.log(law[2])
            worst = max(worst, float(np.exp(chance[missed]).sum()))
    assert worst <= 0.0505
