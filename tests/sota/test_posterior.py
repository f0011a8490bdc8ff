"""The posterior of the best performance: exact twins, laws of the method, and its calibration."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import special, stats

from winodds.arrays import Floats
from winodds.sota.abc import boards, posterior as module, proposals
from winodds.sota.abc.observed import observe
from winodds.sota.abc.posterior import LEAST_ESS, MOST_MISFIT, Posterior, posterior
from winodds.sota.abc.proposals import effective_size
from winodds.sota.laws.binomials import add, at_least, binomials
from winodds.sota.laws.dependence import chances_given, limits


def by_hand(draws: list[float], weight: list[float]) -> Posterior:
    return Posterior(np.array(draws), np.array(weight), 0.01, 10, len(draws), 5, 0.0)


def error_of(result: Posterior) -> float:
    """Simulation error of the posterior mean."""
    return float(np.linalg.norm(result.weight * (result.draws - result.mean)))


def luck(m: int, n: int, theta: float = 0.9, seed: int = 0) -> Floats:
    """Scores of independent entries that are all alike."""
    return np.random.default_rng(seed).binomial(n, theta, m) / n


@pytest.fixture
def few_proposals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough where draws are compared one by one, or differ by much."""
    monkeypatch.setattr(module, "BATCH", 2000)
    monkeypatch.setattr(module, "PILOT", 1000)


# Arithmetic ---------------------------------------------------------------------------------------


def test_summaries_of_weighted_draws_are_those_worked_by_hand() -> None:
    result = by_hand([0.3, 0.1, 0.2], [0.5, 0.2, 0.3])
    assert result.mean == pytest.approx(0.23)
    assert result.sd == pytest.approx(np.sqrt(0.2 * 0.13**2 + 0.3 * 0.03**2 + 0.5 * 0.07**2))
    assert result.ess == pytest.approx(1.0 / 0.38)
    assert [result.quantile(p) for p in (0.0, 0.19, 0.21, 0.49, 0.51, 1.0)] == [
        0.1, 0.1, 0.2, 0.2, 0.3, 0.3,
    ]  # fmt: skip
    assert result.interval(0.5) == (0.2, 0.3)


def test_equal_weights_are_worth_their_number_and_one_heavy_weight_is_worth_one() -> None:
    assert effective_size(np.full(40, 3.0)) == pytest.approx(40.0)
    assert effective_size(np.array([1.0, 1e-12, 1e-12])) == pytest.approx(1.0)
    assert effective_size(np.empty(0)) == 0.0


def test_without_accepted_boards_there_is_no_number() -> None:
    result = by_hand([], [])
    assert result.ess == 0.0
    assert np.isnan([result.mean, result.sd, *result.interval()]).all()


@pytest.mark.parametrize(("n", "error"), [(20, 0.05), (200, 5e-3), (20_000, 1e-4)])
def test_saddlepoints_agree_with_exact_sums_of_two_binomial_numbers(n: int, error: float) -> None:
    number, easy, hard = int(0.9 * n), 0.96, 0.35
    one = np.ones(1)
    law = add(
        binomials(np.array([number]), easy * one), binomials(np.array([n - number]), hard * one)
    )
    exact = law.survival(np.zeros(1, dtype=np.int64), n)[0]
    close = at_least(np.arange(1.0, n + 1), np.array([number]), n, easy * one, hard * one)
    tail = np.minimum(exact, 1.0 - exact)
    seen = tail > 1e-6
    assert np.max(np.abs(close - exact)[seen] / tail[seen]) < error


def test_an_entry_too_weak_for_the_correlation_keeps_its_performance() -> None:
    board = observe(np.array([0.9]), 100, 0.6, 0.0)
    low, _ = limits(0.9, 0.6)
    theta = np.array([0.3, low - 0.1, low + 0.01, 0.85, 0.9])
    easy, hard = boards.chances(board, theta, np.array(0.9))
    np.testing.assert_allclose(0.9 * easy + 0.1 * hard, theta)
    np.testing.assert_allclose(
        [easy[2:], hard[2:]], [x[2:] for x in chances_given(theta, 0.9, 0.6)]
    )
    assert hard[0] == hard[1] == 0.0


# Twins --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exact:
    """A posterior on a grid of the best performance."""

    theta: Floats
    mass: Floats

    def at_most(self, theta: float) -> float:
        # A point stands for the cell around it, half of which is below.
        below = np.cumsum(self.mass) - 0.5 * self.mass
        return float(np.interp(special.logit(theta), special.logit(self.theta), below))


def exact_for_two(first: int, second: int, n: int, correlation: float) -> Exact:
    """Sums over everything: τ, both performances, easy cases, and the lower score."""
    z = np.linspace(-9.0, 11.0, 121)
    theta = special.expit(z)
    density = _density_for_two(z)
    noise = observe(np.array([first, second]) / n, n, correlation, 0.0).noise[1]
    counts = np.arange(first + 1)
    off = (counts - second) / (n * noise * module.SOFT)
    kernel = (1.0 + off**2 / module.TAIL) ** (-0.5 * (module.TAIL + 1.0))
    mass = np.zeros(z.size)
    for k, top in enumerate(theta):
        scores = _law_of_scores(theta[: k + 1], float(top), n, correlation)
        own, other = scores[:, -1:], scores
        one_way = own[:, :, first] * (other[:, :, : first + 1] @ kernel)
        other_way = other[:, :, first] * (own[:, :, :first] @ kernel[:first])
        likelihood = stats.binom.pmf(np.arange(n + 1), n, top) @ (one_way + other_way)
        mass[k] = likelihood @ density[k, : k + 1]
    return Exact(theta, mass / mass.sum())


def _density_for_two(z: Floats) -> Floats:
    """(k, k) prior density of two values of z, τ integrated out by sums and μ by hand."""
    spread = np.linspace(0.0, 5.0, 201)[1:] - 0.0125
    total, half = z[:, None] + z, 0.5 * (z[:, None] - z)
    density = np.zeros(total.shape)
    for tau, weight in zip(
        spread, np.exp(-0.5 * (spread / proposals.PRIOR_SPREAD) ** 2), strict=True
    ):
        # The mean of the two, and half of their difference, are independent.
        middle = proposals.PRIOR_MEAN**2 + 0.5 * tau**2
        lags = np.exp(-((half / tau) ** 2))
        near = lags / lags[z.size // 2].sum()
        density += weight * near * np.exp(-0.5 * (0.5 * total) ** 2 / middle) / np.sqrt(middle)
    # Of equal performances, half of the cell is on the other side.
    return density * (1.0 - 0.5 * np.eye(z.size))


def _law_of_scores(theta: Floats, common: float, n: int, correlation: float) -> Floats:
    """(x₀, k, x) probabilities of x successes when x₀ cases are easy."""
    board = observe(np.array([0.9]), n, correlation, 0.0)
    easy, hard = boards.chances(board, theta, np.array(common))
    count = np.arange(n + 1)
    law = np.zeros((n + 1, theta.size, n + 1))
    for number in range(n + 1):
        right = np.asarray(stats.binom.pmf(count, number, easy[:, None]))
        wrong = np.asarray(stats.binom.pmf(count, n - number, hard[:, None]))
        for x in count:
            law[number, :, x] = np.sum(right[:, : x + 1] * wrong[:, x::-1], axis=1)
    return law


@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_two_entries_and_nine_cases_agree_with_sums_over_everything(correlation: float) -> None:
    exact = exact_for_two(7, 4, 9, correlation)
    result = posterior(
        np.array([7, 4]) / 9, 9, correlation=correlation, draws=8000, epsilon=0.0, seed=1
    )
    assert result.mean == pytest.approx(exact.mass @ exact.theta, abs=4.0 * error_of(result))
    for theta in (0.55, 0.7, 0.85):
        below = result.draws <= theta
        share = float(result.weight @ below)
        error = float(np.linalg.norm(result.weight * (below - share)))
        assert share == pytest.approx(exact.at_most(theta), abs=4.0 * error)


@pytest.mark.parametrize(
    ("n", "mean", "spread"),
    [(40, 1.5, 0.2), (1000, 2.0, 1.1), pytest.param(2000, 1.5, 0.2, marks=pytest.mark.slow)],
)
def test_order_statistics_say_what_boards_simulated_entry_by_entry_say(
    n: int, mean: float, spread: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    scores = rng.binomial(n, special.expit(rng.normal(mean, spread, 66))) / n
    quick = posterior(scores, n, correlation=0.6, draws=400, seed=3)
    monkeypatch.setattr(module, "DIRECT", 66)
    slow = posterior(scores, n, correlation=0.6, draws=400, seed=4)
    both = np.hypot(error_of(quick), error_of(slow))
    assert quick.mean == pytest.approx(slow.mean, abs=4.0 * both)
    assert quick.sd == pytest.approx(slow.sd, rel=0.3)


@pytest.mark.parametrize(("n", "chance"), [(40, 0.0), (1000, 0.5), (100_000, 0.1)])
def test_counts_have_the_probabilities_that_they_were_sought_for(n: int, chance: float) -> None:
    """Also near the ends of the scale, where secants alone go astray."""
    rng = np.random.default_rng(8)
    spread, top = np.exp(rng.uniform(-4.0, 0.5, 300)), rng.uniform(0.0, 6.0, 300)
    board = observe(luck(100, n), n, 0.6, chance)
    common = board.theta(top)
    others = boards._Others(
        board, top - rng.uniform(1.5, 4.0, 300) * spread, spread, top, common,
        rng.binomial(n, common),
    )  # fmt: skip
    level = rng.uniform(0.05, 0.55, 300)
    count = boards._invert(others, level)
    inside = (count > 1.0) & (count < n - 1.0)
    assert np.count_nonzero(inside) > 150
    one = boards._probit(others.at_least(count)) - special.ndtri(level)
    assert np.abs(one[inside]).max() < 0.011


# Laws ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few_proposals")
def test_a_seed_gives_the_same_draws_again_and_another_gives_others() -> None:
    scores = luck(100, 500)
    a, b, c = (
        posterior(scores, 500, correlation=0.3, draws=100, seed=seed)
        for seed in (5, np.random.default_rng(5), 6)
    )
    np.testing.assert_array_equal(a.draws, b.draws)
    np.testing.assert_array_equal(a.weight, b.weight)
    assert a.mean != c.mean


@pytest.mark.usefixtures("few_proposals")
def test_the_order_of_the_scores_does_not_matter() -> None:
    scores = luck(100, 500)
    a, b = (posterior(s, 500, correlation=0.3, draws=100) for s in (scores, scores[::-1]))
    np.testing.assert_array_equal(a.draws, b.draws)


@pytest.mark.usefixtures("few_proposals")
def test_what_lies_below_the_median_does_not_matter() -> None:
    scores = np.sort(luck(300, 500))
    tail = scores.copy()
    tail[:140] = np.linspace(0.3, 0.6, 140)
    a, b = (posterior(s, 500, correlation=0.3, chance=0.25, draws=100) for s in (scores, tail))
    np.testing.assert_array_equal(a.draws, b.draws)


@pytest.mark.usefixtures("few_proposals")
def test_scores_at_or_below_chance_are_left_out() -> None:
    scores = luck(100, 500)
    more = np.concatenate([scores, np.linspace(0.0, 0.25, 30)])
    a, b = (posterior(s, 500, correlation=0.3, chance=0.25, draws=100) for s in (scores, more))
    np.testing.assert_array_equal(a.draws, b.draws)
    assert b.entries == 100


def test_no_score_above_chance_is_refused_in_words() -> None:
    words = r"^None of the 2 scores is above the chance level 0\.2\.$"
    with pytest.raises(ValueError, match=words):
        posterior(np.array([0.1, 0.2]), 50, correlation=0.0, chance=0.2)


def test_the_luckiest_of_many_equal_entries_is_seen_through() -> None:
    scores = luck(1000, 1000)
    result = posterior(scores, 1000, correlation=0.0, draws=1000)
    se = np.sqrt(0.09 / 1000)
    assert result.quantile(0.9) < scores.max() - 0.5 * se
    assert result.mean == pytest.approx(0.9, abs=1.3 * se)
    assert result.misfit < MOST_MISFIT


def test_one_entry_alone_is_believed() -> None:
    result = posterior(np.array([0.9]), 2000, correlation=0.6)
    se = np.sqrt(0.09 / 2000)
    assert result.mean == pytest.approx(0.9, abs=0.15 * se)
    assert result.sd == pytest.approx(se, rel=0.1)


def test_the_better_of_two_is_believed_when_the_other_is_far_behind() -> None:
    result = posterior(np.array([0.9, 0.7]), 20_000, correlation=0.6)
    se = np.sqrt(0.09 / 20_000)
    assert result.mean == pytest.approx(0.9, abs=0.2 * se)
    assert result.sd == pytest.approx(se, rel=0.15)


def test_a_winner_far_ahead_on_a_large_test_set_is_believed_and_the_misfit_told() -> None:
    scores = luck(500, 100_000)
    scores[0] = 0.92
    result = posterior(scores, 100_000, correlation=0.3, draws=1000)
    se = np.sqrt(0.92 * 0.08 / 100_000)
    assert result.mean == pytest.approx(0.92, abs=0.7 * se)
    assert result.ess > LEAST_ESS
    assert result.misfit > MOST_MISFIT


def test_a_winner_near_perfection_and_far_ahead_is_a_misfit() -> None:
    """No population has a median of 90%, an upper decile of 91% and a best entry of 99.5%."""
    scores = luck(500, 1000)
    scores[0] = 0.995
    assert posterior(scores, 1000, correlation=0.6, draws=400).misfit > 1.5 * MOST_MISFIT


def test_when_hardly_a_board_is_accepted_the_effective_sample_says_so() -> None:
    n = 10**8
    result = posterior(np.array([0.9, 0.89, 0.8]), n, correlation=0.3, epsilon=0.0)
    assert result.proposals == module.MOST * module.BATCH
    assert result.accepted < LEAST_ESS
    assert result.ess < LEAST_ESS


@pytest.mark.usefixtures("few_proposals")
def test_entries_that_err_together_have_less_luck_to_take_back() -> None:
    scores = luck(400, 1000)
    means = [posterior(scores, 1000, correlation=r, draws=400).mean for r in (0.0, 0.6, 0.9)]
    assert scores.max() > means[2] > means[1] > means[0]


def test_a_smaller_distance_changes_the_answer_little() -> None:
    scores = luck(200, 1000)
    se = np.sqrt(0.09 / 1000)
    wide, usual, narrow = (
        posterior(scores, 1000, correlation=0.6, epsilon=k * se, draws=500) for k in (0.5, 0.1, 0.0)
    )
    assert wide.accepted / wide.proposals > 3.0 * usual.accepted / usual.proposals
    assert usual.epsilon == 0.1 * se
    for other in (wide, narrow):
        assert other.mean == pytest.approx(usual.mean, abs=0.2 * se)
        assert other.sd == pytest.approx(usual.sd, rel=0.25)


def test_the_distance_is_a_tenth_of_a_standard_error_when_that_suffices() -> None:
    result = posterior(luck(200, 2000), 2000, correlation=0.6, draws=500)
    share = (np.rint(luck(200, 2000).max() * 2000) + 0.5) / 2001
    assert result.epsilon == pytest.approx(0.1 * np.sqrt(share * (1.0 - share) / 2000))
    assert result.accepted == result.draws.size >= 500


# Calibration --------------------------------------------------------------------------------------


def simulated_board(
    m: int, n: int, correlation: float, rng: np.random.Generator
) -> tuple[float, Floats]:
    """A best performance and scores, with μ and τ from a plausible part of the prior."""
    mean = 3.0 * stats.truncnorm.rvs(-0.7, 1.3, random_state=rng)
    spread = stats.truncnorm.rvs(0.0, 2.0, random_state=rng)
    theta = 0.2 + 0.8 * special.expit(rng.normal(mean, spread, m))
    top = float(theta.max())
    number = rng.binomial(n, top)
    # Weak entries as in the model: they keep their performance.
    hard = np.maximum(theta - correlation * np.sqrt(theta * (1 - theta) * top / (1 - top)), 0.0)
    easy = np.clip((theta - (1 - top) * hard) / top, 0.0, 1.0)
    return top, (rng.binomial(number, easy) + rng.binomial(n - number, hard)) / n


@dataclass(frozen=True)
class Calibration:
    """Shares of intervals that hold the truth, and the truth's places among the draws."""

    inside_80: float
    inside_95: float
    places: Floats
    bias: float
    naive: float


def calibrate(m: int, n: int, boards: int, seed: int) -> Calibration:
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(boards):
        top, scores = simulated_board(m, n, 0.6, rng)
        result = posterior(scores, n, correlation=0.6, chance=0.2, draws=400, seed=rng)
        inside = [low <= top <= high for low, high in map(result.interval, (0.8, 0.95))]
        se = np.sqrt(top * (1.0 - top) / n)
        place = float(result.weight @ (result.draws < top))
        rows.append([*inside, place, (result.mean - top) / se, (scores.max() - top) / se])
    table = np.array(rows)
    mean = table.mean(axis=0)
    return Calibration(mean[0], mean[1], table[:, 2], mean[3], mean[4])


def test_intervals_hold_the_truth_on_a_few_small_boards() -> None:
    found = calibrate(6, 200, 20, seed=11)
    # Binomial limits: fewer than 11 of 20 has probability 0.3% if 80% hold the truth.
    assert found.inside_80 >= 11 / 20
    assert found.inside_95 >= 16 / 20
    assert abs(found.places.mean() - 0.5) < 3.0 * np.sqrt(1.0 / 12.0 / 20.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n"), [(2, 100), (5, 200), (20, 200), (60, 1000), (300, 1000), (300, 20_000)]
)
def test_intervals_hold_the_truth_as_often_as_they_say(m: int, n: int) -> None:
    boards = 80
    found = calibrate(m, n, boards, seed=m + n)
    print(
        f"m={m:4d} n={n:6d}  80%: {found.inside_80:.2f}  95%: {found.inside_95:.2f}"
        f"  place: {found.places.mean():.2f} ± {found.places.std():.2f}"
        f"  bias: {found.bias:+.2f} se, of the best score {found.naive:+.2f} se"
    )
    assert abs(found.inside_80 - 0.8) < 3.0 * np.sqrt(0.16 / boards) + 0.02
    assert found.inside_95 > 0.95 - 3.0 * np.sqrt(0.0475 / boards) - 0.01
    assert abs(found.places.mean() - 0.5) < 3.0 * np.sqrt(1.0 / 12.0 / boards)
    assert stats.kstest(found.places, "uniform").pvalue > 1e-3
