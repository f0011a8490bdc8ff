"""Tests of pairs by the signs of clusters: by hand, against other software and slow twins."""

from itertools import product

import numpy as np
import pytest
from conftest import make_results
from scipy import stats
from simulated import assess

from winodds.arrays import Floats, Ints
from winodds.inference import signs as signs_module
from winodds.inference.intervals import Uncertainty
from winodds.inference.pairwise import Test as Outcome, decide_pair
from winodds.inference.signs import Contributions, Flips, can_decide, draw_signs, hashed_bits
from winodds.matches.games import Games

SIZES = (1, 2, 2, 3, 3, 4, 4, 5)


def _board(
    scores: Floats, cluster: Ints | None = None, weight: Floats | None = None
) -> Uncertainty:
    own = None if cluster is None else cluster.astype(np.float64)
    return assess(Games("within", make_results(scores, cluster=own, weight=weight)))


def _scores(rounds: int, players: int, seed: int = 5, missing: float = 0.0) -> Floats:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(rounds, players)) + np.linspace(0.5, 0.0, players)
    scores[rng.random(scores.shape) < missing] = np.nan
    return scores


def _tested(found: Uncertainty, first: int = 0, second: int = 1) -> Outcome:
    return decide_pair(found.contrasts(np.array([first]), np.array([second])))


def _known(found: Uncertainty) -> Contributions:
    assert found.contributions is not None
    return found.contributions


def _against(flips: Flips, player: int) -> Floats:
    """(m, F) statistics of all others minus the player, in an array of their own."""
    return flips.against(player).copy()


def _wins_by_round(scores: Floats) -> Floats:
    """(R, m) how many others each player beat, ties counted half."""
    above = scores[:, :, None] > scores[:, None, :]
    same = scores[:, :, None] == scores[:, None, :]
    return np.asarray(above.sum(axis=2) + 0.5 * (same.sum(axis=2) - 1.0), np.float64)


# One pair -----------------------------------------------------------------------------------------


def test_ten_wins_of_ten_are_told_apart() -> None:
    """Of 2¹⁰ signs two are as clear: none flipped, or all."""
    found = _tested(_board(np.tile([1.0, 0.0], (10, 1))))
    # One unit less, 9 of 10: u² = 81/10, t = u √(9/(10 − u²)).
    assert found.statistic == pytest.approx(np.sqrt(8.1 * 9.0 / 1.9), rel=1e-9)
    assert (found.df, found.p_value, found.law, found.by) == (9.0, 2.0**-9, "t", "signs")


@pytest.mark.parametrize(("won", "rounds"), [(6, 7), (7, 8), (10, 13), (9, 10), (12, 16), (20, 30)])
def test_wins_of_two_players_are_judged_about_as_by_the_binomial_test(
    won: int, rounds: int
) -> None:
    """T alone would give 6 of 7 a p-value of 0.046, and 10 of 13 one of 0.047."""
    scores = np.zeros((rounds, 2))
    scores[:won, 0] = scores[won:, 1] = 1.0
    exact = stats.binomtest(won, rounds).pvalue
    found = _tested(_board(scores)).p_value
    assert found == pytest.approx(exact, rel=0.25)
    assert (found <= 0.05) == (exact <= 0.05)


def test_one_who_wins_every_round_is_told_apart_from_each_of_many() -> None:
    scores = _scores(10, 10)
    scores[:, 0] = 9.0
    found = _board(scores)
    others = np.arange(1, 10)
    p = found.contrasts(np.zeros(9, np.int64), others).p_value()
    np.testing.assert_array_less(p, 0.01)


def test_players_with_equal_wins_have_the_p_value_one() -> None:
    found = _board(np.array([[1.0, 0.0], [0.0, 1.0]] * 5))
    assert _tested(found) == Outcome(0.0, 9.0, 1.0, "t", "signs")
    copies = _board(np.column_stack([_scores(8, 2), _scores(8, 2)[:, 0]]))
    assert _tested(copies, 0, 2) == Outcome(0.0, 7.0, 1.0, "t", "signs")


def _slow_t(contributions: Floats, unit: float) -> float:
    """T of numbers with the same squares whose sum is one unit nearer to 0."""
    number, total = contributions.size, float(contributions.sum())
    nearer = np.sign(total) * (abs(total) - unit)
    squares = float(contributions @ contributions)
    return float(nearer * np.sqrt((number - 1.0) / (number * squares - nearer**2)))


def test_without_a_unit_t_is_that_of_scipy() -> None:
    contributions = np.array([0.3, -0.1, 1.7, 0.4, 2.2])
    expected = stats.ttest_1samp(contributions, 0.0).statistic
    assert _slow_t(contributions, 0.0) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("grid", "unit"), [(0.0, 1.0), (0.5, 0.5)])
def test_complete_rounds_have_the_t_test_of_differences_in_wins(grid: float, unit: float) -> None:
    scores = _scores(12, 5)
    if grid:
        scores = np.round(scores / grid)
    wins = _wins_by_round(scores)
    expected = _slow_t(wins[:, 0] - wins[:, 3], unit)
    found = _tested(_board(scores), 0, 3)
    assert found.statistic == pytest.approx(expected, rel=1e-9)
    p = max(2.0 * stats.t.sf(abs(expected), 11), 2.0**-11)
    assert found.p_value == pytest.approx(p, rel=1e-9)


def test_equal_clusters_have_the_t_test_of_their_sums() -> None:
    scores, cluster = _scores(24, 4), np.repeat(np.arange(8), 3)
    wins = _wins_by_round(scores).reshape(8, 3, 4).sum(axis=1)
    expected = _slow_t(wins[:, 1] - wins[:, 2], 1.0)
    found = _tested(_board(scores, cluster), 1, 2)
    assert found.statistic == pytest.approx(expected, rel=1e-9)
    assert found.df == 7.0


def test_unequal_clusters_deviate_from_their_share_of_the_difference() -> None:
    sizes = np.array([*SIZES, *SIZES])
    scores, cluster = _scores(48, 4), np.repeat(np.arange(16), sizes)
    wins, share = _wins_by_round(scores), sizes / 48.0
    sums = np.array([(wins[cluster == c, 1] - wins[cluster == c, 2]).sum() for c in range(16)])
    error = np.sqrt((((sums - share * sums.sum()) ** 2) / (1.0 - share)).sum())
    found = _tested(_board(scores, cluster), 1, 2)
    assert found.by == "signs"
    assert found.df is not None
    # As many equal contributions as there are degrees of freedom, and one.
    t, number = sums.sum() / error, found.df + 1.0
    u = np.sqrt(number * t**2 / (found.df + t**2)) * (abs(sums.sum()) - 1.0) / abs(sums.sum())
    expected = np.sign(t) * u * np.sqrt(found.df / (number - u**2))
    assert found.statistic == pytest.approx(expected, rel=1e-9)


# The unit of contributions ------------------------------------------------------------------------


def test_wins_are_whole_or_half() -> None:
    scores = _scores(9, 4)
    assert _known(_board(scores)).unit == pytest.approx(1.0)
    scores[0, 1] = scores[0, 0]
    assert _known(_board(scores)).unit == pytest.approx(0.5)
    # A tie of two players leaves a difference of 0, so that their unit stays 1.
    assert _known(_board(scores[:, :2])).unit == pytest.approx(1.0)


def test_weights_without_a_common_measure_have_no_unit() -> None:
    weight = 1.0 + np.sqrt(np.arange(9.0))
    assert _known(_board(_scores(9, 4), weight=weight)).unit == 0.0
    weight = np.array([1.0, 3.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0, 3.0])
    assert _known(_board(_scores(9, 4), weight=weight)).unit == pytest.approx(9.0 / 15.0)


def test_ratings_have_no_unit() -> None:
    assert _known(_board(_scores(12, 5, missing=0.3))).unit == 0.0


def test_few_clusters_leave_the_test_to_the_interval() -> None:
    """Of five clusters all agree by chance in one of 16 boards."""
    found = _tested(_board(np.tile([1.0, 0.0], (5, 1))))
    assert found.by == "wald"
    assert found.p_value > 0.05
    decided = can_decide(np.array([4.0, 4.9, 5.0, 9.0]), 0.95)
    assert decided.tolist() == [False, False, True, True]
    assert not can_decide(np.array([5.0]), 0.99)[0]


def test_interval_and_test_agree() -> None:
    """Ten wins of ten: the interval alone would reach beyond 0."""
    found = _board(np.tile([1.0, 0.0], (10, 1)))
    estimate = found.of_differences(np.array([0, 1]), np.array([1, 0]))
    assert (estimate.low[0], estimate.high[1]) == (0.0, 0.0)


# Laws ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("sizes", [(1,) * 10, SIZES])
def test_statistics_do_not_depend_on_order_direction_or_weights(
    missing: float, sizes: tuple[int, ...]
) -> None:
    scores = _scores(sum(sizes), 5, missing=missing)
    cluster, order = np.repeat(np.arange(len(sizes)), sizes), np.array([3, 1, 4, 0, 2])
    matrix = _known(_board(scores, cluster)).statistic_matrix()
    doubled = _board(scores, cluster, np.full(scores.shape[0], 2.0))
    np.testing.assert_allclose(_known(doubled).statistic_matrix(), matrix, atol=1e-7)
    swapped = _known(_board(-scores, cluster)).statistic_matrix()
    np.testing.assert_allclose(swapped, -matrix, atol=1e-7)
    ordered = _known(_board(scores[:, order], cluster)).statistic_matrix()
    np.testing.assert_allclose(ordered, matrix[np.ix_(order, order)], atol=1e-7)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_single_statistics_are_those_of_the_matrix(missing: float) -> None:
    found = _known(_board(_scores(12, 5, missing=missing), np.repeat(np.arange(6), 2)))
    first, second = (x.ravel() for x in np.indices((5, 5)))
    np.testing.assert_allclose(
        found.statistics(first, second), found.statistic_matrix().ravel(), rtol=1e-9, atol=1e-12
    )


# Flips --------------------------------------------------------------------------------------------


def test_all_flips_of_few_clusters_are_listed_once() -> None:
    [listed] = draw_signs(6, 4, 0)
    assert listed.shape == (6, 32)
    assert (listed[:, 0] == 1.0).all()
    seen = {tuple(column) for column in listed.T} | {tuple(-column) for column in listed.T}
    assert seen == set(product([-1.0, 1.0], repeat=6))


def test_listed_flips_are_those_of_all_signs() -> None:
    """|S|/√Q over all 2⁶ signs, each of which has a twin in the other direction."""
    scores = _scores(6, 4)
    contributions = _wins_by_round(scores)[:, 2] - _wins_by_round(scores)[:, 0]
    expected = [
        abs(np.array(signs) @ contributions) / np.linalg.norm(contributions)
        for signs in product([-1.0, 1.0], repeat=6)
    ]
    found = _against(Flips(_known(_board(scores)), 0), 0)[2]
    np.testing.assert_allclose(
        np.sort(np.tile(np.abs(found), 2)), np.sort(expected), rtol=1e-9, atol=1e-12
    )


def _slow_contributions(found: Contributions, other: int, player: int) -> Floats:
    """(G,) a cluster's share of the difference, by both players' shares, plus its deviation."""
    own, share = found.clustering, found.clustering.share
    assert share is not None
    share = np.broadcast_to(share, found.deviation.shape)
    inverse = 1.0 / own.amount[[other, player]]
    held = (inverse[0] * share[other] + inverse[1] * share[player]) / inverse.sum()
    deviation = (found.deviation[other] - found.deviation[player]) * found.scale
    return np.asarray((found.value[other] - found.value[player]) * held + deviation)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_flipped_statistics_against_a_slow_twin(missing: float) -> None:
    scores, cluster = _scores(24, 4, missing=missing), np.repeat(np.arange(8), SIZES)
    known = _known(_board(scores, cluster))
    [signs] = draw_signs(8, 4, 0)
    flips = Flips(known, 0)
    for player in range(4):
        found = _against(flips, player)
        for other in range(4):
            parts = _slow_contributions(known, other, player)
            size = np.linalg.norm(parts)
            expected = signs.T @ parts / size if other != player else np.zeros(128)
            np.testing.assert_allclose(found[other], expected, rtol=1e-8, atol=1e-9)


def test_contributions_add_up_to_the_difference() -> None:
    known = _known(_board(_scores(24, 4), np.repeat(np.arange(8), SIZES)))
    total = _slow_contributions(known, 1, 3).sum()
    assert total == pytest.approx(known.value[1] - known.value[3], rel=1e-9)


def test_largest_flip_is_the_one_that_changes_no_sign_for_a_sweep() -> None:
    changes = _against(Flips(_known(_board(np.tile([1.0, 0.0], (8, 1)))), 0), 1)[0]
    assert changes[0] == pytest.approx(np.sqrt(8.0))
    assert (changes[1:] < changes[0] - 0.5).all()


def test_copies_are_no_pair() -> None:
    scores = np.column_stack([_scores(9, 3), _scores(9, 3)[:, 1]])
    np.testing.assert_array_equal(_against(Flips(_known(_board(scores)), 0), 1)[3], np.zeros(256))


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = _known(_board(_scores(15, 4)))
    whole = _against(Flips(known, 3), 2)
    monkeypatch.setattr(signs_module, "BLOCK", 100)
    np.testing.assert_allclose(_against(Flips(known, 3), 2), whole, rtol=1e-12, atol=1e-12)


# Signs that the page draws as well ----------------------------------------------------------------


def _slow_mix(bits: int) -> int:
    for shift, factor in ((16, 0x21F0AAAD), (15, 0x735A2D97)):
        bits = ((bits ^ (bits >> shift)) * factor) & 0xFFFFFFFF
    return bits ^ (bits >> 15)


def test_hashed_bits_are_those_of_whole_numbers() -> None:
    found = hashed_bits(42, 5, np.arange(3, 9))
    for cluster, flip in product(range(5), range(6)):
        inner = _slow_mix((3 + flip + _slow_mix(42)) & 0xFFFFFFFF)
        word = _slow_mix(inner ^ ((cluster * 0x9E3779B9) & 0xFFFFFFFF))
        assert found[cluster, flip] == word & 1


def test_hashed_bits_never_change() -> None:
    """The page of a report, and boards of older versions, flip these."""
    found = hashed_bits(0, 3, np.arange(1, 17)).astype(int)
    assert ["".join(map(str, row)) for row in found.tolist()] == HASHED


HASHED = ["1100010110000001", "1011010110101011", "0110000101100100"]


def test_hashed_signs_are_fair_and_independent() -> None:
    """40 clusters × 2,000 flips: means and products of two are within four errors of 0."""
    signs = np.hstack(draw_signs(40, 50, 7))
    assert signs.shape == (40, 2000)
    product_of_two = signs @ signs.T / 2000.0
    assert np.abs(signs.mean(axis=1)).max() < 4.0 / np.sqrt(2000.0)
    assert np.abs(product_of_two - np.eye(40)).max() < 4.5 / np.sqrt(2000.0)
    assert not np.array_equal(signs, np.hstack(draw_signs(40, 50, 8)))
