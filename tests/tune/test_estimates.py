"""What is estimated of settings: by hand, by obvious twins and by plain simulation."""

import numpy as np
import pytest

from winodds.arrays import Floats
from winodds.tune.estimates import (
    GRID,
    PRIOR_DF,
    Belief,
    Sample,
    as_win_probability,
    believe,
    better_than,
    expected_maximum,
    summarise,
    worth_of_paying_on,
)


def _all_seen(scores: Floats) -> Sample:
    return summarise(scores, np.ones(scores.shape, bool), np.ones(len(scores), bool))


def test_means_and_moderated_spreads_by_hand() -> None:
    scores = np.array([[3.0, 5.0], [1.0, 1.0], [2.0, 0.0]])
    front = np.array([True, True, False])
    found = summarise(scores, np.ones((3, 2), bool), front)
    # The front runners' means are 2 and 3; differences 1, 2 and −1, −2 and 0, −3.
    assert found.mean.tolist() == [1.5, -1.5, -1.5]
    assert found.level == 2.5
    # All are in the upper half or on its edge: variances 0.5, 0.5 and 4.5, of which 0.5 is common.
    expected = [(PRIOR_DF * 0.5 + own) / (PRIOR_DF + 1) for own in (0.5, 0.5, 4.5)]
    assert (found.spread**2).tolist() == pytest.approx(expected)
    assert (found.error**2 * 2).tolist() == pytest.approx(expected)


def test_splits_that_a_setting_lacks_play_no_part() -> None:
    rng = np.random.default_rng(0)
    scores, front = rng.standard_normal((4, 6)), np.array([True, True, False, False])
    seen = np.ones((4, 6), bool)
    seen[2:, 3:] = False
    found = summarise(np.where(seen, scores, 1e9), seen, front)
    middle = scores[:2].mean(axis=0)
    assert found.mean[2] == pytest.approx((scores[2, :3] - middle[:3]).mean())
    assert found.mean[0] == pytest.approx((scores[0] - middle).mean())
    assert found.splits.tolist() == [6, 6, 3, 3]


def test_a_posterior_is_prior_times_likelihood() -> None:
    rng = np.random.default_rng(1)
    sample = _all_seen(rng.standard_normal((30, 5)) + rng.standard_normal(30)[:, None])
    belief = believe(sample)
    j = 7
    apart = (sample.mean[j] - belief.grid) / sample.error[j]
    likely = (1 + apart**2 / sample.df[j]) ** (-(sample.df[j] + 1) / 2)
    # One round more: the prior is fitted to 1 part in some hundred.
    expected = likely * belief.prior
    assert belief.posterior[j] @ belief.grid == pytest.approx(
        expected @ belief.grid / expected.sum(), abs=0.02
    )


def test_true_means_are_drawn_to_each_other_as_normal_theory_has_it() -> None:
    rng = np.random.default_rng(2)
    truth = rng.standard_normal(2000)
    scores = truth[:, None] + 2.0 * rng.standard_normal((2000, 4))
    sample = _all_seen(scores)
    found = believe(sample).mean
    assert np.polyfit(sample.mean, found, 1)[0] == pytest.approx(0.5, abs=0.05)
    # Spread and errors are 1, so that half of the distance is luck and the variance left is ½.
    assert ((found - (truth - truth.mean())) ** 2).mean() == pytest.approx(0.5, abs=0.04)


def test_chances_to_be_best_are_those_of_draws() -> None:
    rng = np.random.default_rng(3)
    sample = _all_seen(rng.standard_normal((8, 4)) + 0.5 * rng.standard_normal(8)[:, None])
    belief = believe(sample)
    sums = belief.posterior.cumsum(axis=1)
    cells = (rng.random((40_000, 8, 1)) > sums).sum(axis=2) + rng.random((40_000, 8))
    drawn = np.bincount(cells.argmax(axis=1), minlength=8) / 40_000
    np.testing.assert_allclose(belief.p_best(), drawn, atol=0.012)
    assert belief.p_best().sum() == pytest.approx(1.0)


def test_copies_share_all_chances() -> None:
    scores = np.tile(np.random.default_rng(4).standard_normal(6), (5, 1))
    sample = _all_seen(scores)
    belief, seen = believe(sample), np.ones((5, 6), bool)
    assert belief.p_best().tolist() == pytest.approx([0.2] * 5)
    better = better_than(sample, belief, scores, seen, 0)
    assert better.tolist() == pytest.approx([0.0, 0.5, 0.5, 0.5, 0.5])


def test_noise_shared_with_the_leader_cancels() -> None:
    rng = np.random.default_rng(5)
    common = rng.standard_normal(8)
    truth = np.concatenate([[0.0, -0.3], rng.normal(-1, 1, 18)])
    scores = truth[:, None] + rng.standard_normal((20, 8))
    scores[:2] = truth[:2, None] + common + 0.01 * rng.standard_normal((2, 8))
    seen = np.ones(scores.shape, bool)
    sample = _all_seen(scores)
    alone = better_than(sample, believe(sample), scores, seen, 0)[1]
    scores[1] = -0.3 + rng.permutation(common)
    sample = _all_seen(scores)
    apart = better_than(sample, believe(sample), scores, seen, 0)[1]
    assert alone < apart


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
def test_units_of_scores_do_not_matter(scale: float) -> None:
    scores = np.random.default_rng(6).standard_normal((6, 5))
    one, other = _all_seen(scores), _all_seen(scale * scores)
    np.testing.assert_allclose(other.mean, scale * one.mean, rtol=1e-6)
    np.testing.assert_allclose(believe(other).p_best(), believe(one).p_best(), rtol=1e-6)
    seen = np.ones(scores.shape, bool)
    np.testing.assert_allclose(
        better_than(other, believe(other), scale * scores, seen, 2),
        better_than(one, believe(one), scores, seen, 2),
        rtol=1e-6,
    )


def test_the_expected_maximum_is_that_of_draws() -> None:
    mean, spread = np.array([0.3, 0.0, -0.5, 0.35]), np.array([0.2, 1.0, 2.0, 0.0])
    rng = np.random.default_rng(7)
    drawn = (mean + spread * rng.standard_normal((400_000, 4))).max(axis=1)
    found = expected_maximum(mean, spread)
    assert found == pytest.approx(drawn.mean(), abs=4 * drawn.std() / np.sqrt(400_000))
    assert expected_maximum(mean, np.zeros(4)) == 0.35
    # Of three standard normal numbers it is 3 / (2 √π).
    assert expected_maximum(np.zeros(3), np.ones(3)) == pytest.approx(1.5 / np.sqrt(np.pi), 1e-4)


def test_a_lead_as_a_chance_to_win() -> None:
    assert as_win_probability(0.0, 1.0) == 0.0
    # A lead of √2 spreads is one standard deviation of the difference of two splits.
    assert as_win_probability(np.sqrt(2.0), 1.0) == pytest.approx(0.3413, abs=1e-4)


def test_paying_on_is_worth_nothing_once_all_is_paid_or_known() -> None:
    sample = _all_seen(np.random.default_rng(8).standard_normal((6, 5)))
    belief = believe(sample)
    assert worth_of_paying_on(sample, belief, np.arange(6), 5) == pytest.approx(0.0, abs=1e-12)
    few, many = (worth_of_paying_on(sample, belief, np.arange(6), t) for t in (8, 40))
    assert 0.0 < few < many


def test_ends_hold_what_they_say() -> None:
    posterior = np.zeros((1, GRID))
    posterior[0, :20] = 0.05
    belief = Belief(np.arange(GRID, dtype=float), np.full(GRID, 1 / GRID), posterior)
    low, high = belief.ends(0.8)
    assert (low.tolist(), high.tolist()) == ([1.0], [17.0])
