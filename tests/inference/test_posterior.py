"""True ratings given the observed ones, and the best of some."""

import numpy as np
import pytest
from scipy import integrate, stats

from winodds.arrays import Floats
from winodds.inference.moderation import CERTAIN, Noise
from winodds.inference.posterior import (
    DRAWS,
    Posterior,
    best_of,
    chances_of_highest,
    draws_for,
    infer,
)


def _alone(variance: Floats, df: float = CERTAIN) -> Noise:
    return Noise(variance, np.full(variance.size, df), np.zeros((variance.size, 1)))


def _normal_truth(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("winodds.inference.posterior.TAILS", {CERTAIN: 1.0})


# The law of true ratings --------------------------------------------------------------------------


def test_normal_truth_and_noise_are_the_textbooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """E β = E[τ²/(τ² + v)] β̂, over the law of τ by quadrature."""
    _normal_truth(monkeypatch)
    beta, v = np.array([-2.0, -1.0, 0.5, 2.5]), 0.8
    found = infer(beta, _alone(np.full(4, v)), seed=3)

    def density(tau: float) -> float:
        whole = tau**2 + v
        return float(whole**-1.5 * np.exp(-0.5 * float(beta @ beta) / whole))

    top = 4.0 * np.sqrt(float(beta @ beta) / 3.0 + v)
    total = integrate.quad(density, 0.0, top)[0]
    kept = integrate.quad(lambda tau: density(tau) * tau**2 / (tau**2 + v), 0.0, top)[0] / total
    spread = integrate.quad(lambda tau: density(tau) * tau, 0.0, top)[0] / total
    assert found.mean == pytest.approx(kept * beta, abs=0.01)
    assert found.tau == pytest.approx(spread, rel=0.02)


def test_correlated_noise_is_the_textbooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one τ, E β = τ²(τ²I + V)⁻¹β̂, and draws vary by what is left of τ²I."""
    _normal_truth(monkeypatch)
    monkeypatch.setattr("winodds.inference.posterior.SPREADS", 1)
    beta = np.array([1.5, 0.5, -0.5, -1.5])
    common = np.sqrt(0.6) * np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    variance = np.array([0.5, 0.7, 0.9, 0.4])
    found = infer(beta, Noise(variance, np.full(4, CERTAIN), common), seed=3, draws=40_000)
    # The only τ is the middle of 0 and 4·√(Σ β̂²/3 + mean variance).
    square = 4.0 * (5.0 / 3.0 + 0.625)
    correlation = common @ common.T
    np.fill_diagonal(correlation, 1.0)
    noise = correlation * np.sqrt(np.outer(variance, variance))
    inverse = np.linalg.inv(square * np.eye(4) + noise)
    centre = np.eye(4) - 0.25
    assert found.mean == pytest.approx(centre @ (square * inverse @ beta), rel=1e-9)
    left = centre @ (square * np.eye(4) - square**2 * inverse) @ centre
    assert np.cov(found.draws.T) == pytest.approx(left, abs=0.02)
    assert found.draws.mean(axis=0) == pytest.approx(found.mean, abs=0.02)


def test_a_plain_simulation_of_truth_and_ratings_agrees() -> None:
    """Truth is drawn from the prior and kept with the weight of its ratings, players apart.

    The law of truth is t(3) or normal with a scale from a grid, noise is t(6).
    """
    beta, variance = np.array([1.4, 0.2, -1.6]), np.array([0.5, 0.3, 0.6])
    found = infer(beta, _alone(variance, 6.0), seed=1)
    rng, draws = np.random.default_rng(7), 400_000
    top = 4.0 * np.sqrt(float(beta @ beta) / 2.0 + variance.mean())
    tau = rng.uniform(0.0, top, draws)
    heavy = rng.random(draws) < 0.8
    scale = np.where(heavy[:, None], 3.0 / rng.chisquare(3.0, (draws, 3)), 1.0)
    truth = tau[:, None] * np.sqrt(scale) * rng.normal(size=(draws, 3))
    weight = stats.t.pdf((beta - truth) / np.sqrt(variance), 6.0).prod(axis=1)
    # Ratings are centred, which takes one of them away.
    weight *= np.sqrt(tau**2 * np.where(heavy, 2.2, 1.0) + variance.mean())
    mean = (weight[:, None] * (truth - truth.mean(axis=1, keepdims=True))).sum(axis=0)
    assert found.mean == pytest.approx(mean / weight.sum(), abs=0.05)
    best = truth.argmax(axis=1)
    chances = np.bincount(best, weight, minlength=3) / weight.sum()
    assert found.p_best == pytest.approx(chances, abs=0.02)


def test_all_is_drawn_to_the_average_the_less_certain_more() -> None:
    beta = np.array([2.0, 2.0, -2.0, -2.0])
    found = infer(beta, _alone(np.array([1.0, 0.01, 1.0, 0.01])), seed=1)
    assert 0.0 < found.mean[0] < found.mean[1] < 2.0
    assert found.mean[:2] == pytest.approx(-found.mean[2:], abs=0.05)
    assert found.draws.sum(axis=1) == pytest.approx(np.zeros(4000), abs=1e-9)


def test_a_leader_far_ahead_is_hardly_drawn_back() -> None:
    beta = np.array([8.0, *np.linspace(0.5, -0.5, 20)])
    beta = beta - beta.mean()
    found = infer(beta, _alone(np.full(21, 0.2)), seed=1)
    # A normal law of truth, whose spread the others tell, would take off more than half.
    assert beta[0] - found.mean[0] < 0.5
    assert found.p_best[0] == 1.0


def test_the_numbering_of_clusters_changes_nothing() -> None:
    rng = np.random.default_rng(2)
    common = 0.3 * rng.normal(size=(5, 6))
    beta, variance = rng.normal(size=5), np.full(5, 0.4)
    one = infer(beta, Noise(variance, np.full(5, 8.0), common), seed=4)
    other = infer(beta, Noise(variance, np.full(5, 8.0), common[:, ::-1]), seed=4)
    np.testing.assert_allclose(other.draws, one.draws, atol=1e-9)


@pytest.mark.parametrize("block", [7, 1000])
def test_ratings_looked_at_in_blocks_have_the_same_law(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    beta, noise = rng.normal(size=6), _alone(np.full(6, 0.4), 5.0)
    whole = infer(beta, noise, seed=4, draws=500)
    monkeypatch.setattr("winodds.inference.posterior.BLOCK", block)
    parts = infer(beta, noise, seed=4, draws=500)
    np.testing.assert_allclose(parts.draws, whole.draws, atol=1e-9)
    np.testing.assert_allclose(parts.p_best, whole.p_best, atol=1e-12)


def test_thousands_of_players_have_fewer_draws() -> None:
    assert draws_for(20) == draws_for(5_000) == DRAWS[1]
    assert draws_for(10_000) == 2_000
    assert draws_for(10**6) == DRAWS[0]


def test_one_player_is_the_best() -> None:
    found = infer(np.zeros(1), _alone(np.zeros(1)), seed=0)
    assert (found.mean.tolist(), found.p_best.tolist(), found.tau) == ([0.0], [1.0], 0.0)


# The best of some ratings -------------------------------------------------------------------------


def test_ties_share_the_first_place() -> None:
    draws = np.array([[3.0, 1.0, -4.0], [1.0, 2.0, -3.0], [2.0, 2.0, -4.0], [2.0, 1.0, -3.0]])
    assert chances_of_highest(draws).tolist() == [2.5 / 4, 1.5 / 4, 0.0]


def test_best_of_hand_made_draws() -> None:
    draws = np.array([[3.0, 1.0, -4.0], [1.0, 2.0, -3.0], [2.0, 2.0, -4.0], [2.0, 1.0, -3.0]])
    found = Posterior(draws.mean(axis=0), draws, 1.0)
    best = best_of(found, np.arange(3), 0.5)
    assert (best.index, best.value) == (0, 2.0)
    # First twice, second once, and a tie.
    assert best.p_best == found.p_best[0] == 2.5 / 4
    assert best.best == (3.0 + 2.0 + 2.0 + 2.0) / 4
    assert best.sd == pytest.approx(np.sqrt(0.5))
    assert (best.low, best.high) == (1.75, 2.25)


def test_best_is_taken_among_the_members_only() -> None:
    draws = np.array([[3.0, 1.0, -4.0], [1.0, 2.0, -3.0]])
    found = Posterior(draws.mean(axis=0), draws, 1.0)
    best = best_of(found, np.array([1, 2]), 0.95)
    assert (best.index, best.value, best.p_best, best.best) == (1, 1.5, 1.0, 1.5)


def test_relative_to_a_rating_that_is_0_everything_is_a_difference_of_draws() -> None:
    draws = np.array([[3.0, 1.0, -4.0], [1.0, 2.0, -3.0]])
    found = Posterior(draws.mean(axis=0), draws, 1.0)
    best = best_of(found, np.arange(3), 1.0, zero=np.array([2]))
    # The first leads by 7 and 4; the best of all by 7 and 5.
    assert (best.value, best.low, best.high, best.sd) == (5.5, 4.0, 7.0, 1.5)
    assert (best.best, best.p_best) == (6.0, 0.5)


def test_a_chance_to_win_is_the_mean_over_draws() -> None:
    draws = np.log([[3.0, 1.0, 1.0 / 3.0], [9.0, 1.0, 1.0 / 9.0]])
    found = Posterior(draws.mean(axis=0), draws, 1.0)
    # Odds of 3 and 9 against the average; of 9 and 81 against the last.
    best = best_of(found, np.arange(3), 0.95)
    assert best.p_win == pytest.approx((3 / 4 + 9 / 10) / 2, rel=1e-12)
    best = best_of(found, np.arange(3), 0.95, zero=np.array([2]))
    assert best.p_win == pytest.approx((9 / 10 + 81 / 82) / 2, rel=1e-12)


def test_where_nothing_is_known_everybody_is_as_likely_the_best() -> None:
    best = best_of(Posterior(np.zeros(4), np.zeros((10, 4)), 0.0), np.arange(4), 0.95)
    assert (best.p_best, best.p_win) == (0.25, 0.5)
