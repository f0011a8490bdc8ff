"""Large boards: everybody in closed form, and draws only of those who may be the best."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from winodds.arrays import Floats, Ints
from winodds.inference.crowd import LEFT_OUT, estimate_chances, have_a_chance, shrink
from winodds.inference.moderation import CERTAIN, Noise
from winodds.inference.posterior import Posterior, best_of, chances_of_highest, infer

POSTERIOR = "winodds.inference.posterior"


@pytest.fixture
def draw_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is left out, as on small boards."""
    monkeypatch.setattr(f"{POSTERIOR}.EVERYBODY", 10**9)


# Averages over scales -----------------------------------------------------------------------------


def test_with_one_scale_the_averages_are_the_textbooks() -> None:
    """t = 3, e = 2, of which half is the player's own: 3/(3 + 1) is kept."""
    found = shrink(np.array([3.0]), np.ones((1, 1, 1)), np.array([[2.0]]), np.array([0.5]))
    assert (found.kept[0], found.kept_square[0], found.left[0]) == (0.75, 0.5625, 0.75)
    assert (found.told[0], found.pulled[0]) == (0.5, pytest.approx(np.sqrt(2.0) / 4.0, rel=1e-12))
    assert found.moved[0] == pytest.approx(0.75 * np.sqrt(2.0), rel=1e-12)


def test_averages_are_those_of_a_loop_over_the_scales() -> None:
    rng = np.random.default_rng(3)
    square, error, alone = rng.uniform(0.1, 2.0, 4), rng.uniform(0.1, 1.0, (5, 3)), rng.random(5)
    chances = rng.random((5, 4, 3))
    found = shrink(square, chances, error, alone)
    for player in range(5):
        sums = np.zeros(6)
        for a, b in product(range(4), range(3)):
            t, e = square[a], error[player, b]
            w = t + e * alone[player]
            terms = [t / w, (t / w) ** 2, t * (w - t) / w, e / w, e**0.5 / w, t * e**0.5 / w]
            sums += chances[player, a, b] / chances[player].sum() * np.array(terms)
        names = ("kept", "kept_square", "left", "told", "pulled", "moved")
        values = [getattr(found, name)[player] for name in names]
        assert values == pytest.approx(sums.tolist(), rel=1e-12)


# Who may be the best ------------------------------------------------------------------------------


def test_of_two_the_chance_is_that_of_their_difference() -> None:
    mean, sd = np.array([0.5, 0.0]), np.array([1.0, 0.7])
    exact = float(stats.norm.cdf(0.5 / np.sqrt(1.0 + 0.49)))
    assert estimate_chances(mean, sd) == pytest.approx([exact, 1.0 - exact], abs=1e-3)


def test_chances_are_those_of_plain_draws() -> None:
    rng = np.random.default_rng(1)
    mean, sd = rng.normal(size=30), rng.uniform(0.1, 1.0, 30)
    draws = mean + sd * rng.normal(size=(50_000, 30))
    seen = np.bincount(draws.argmax(axis=1), minlength=30) / 50_000
    assert estimate_chances(mean, sd) == pytest.approx(seen, abs=0.008)


def test_those_left_out_have_next_to_no_chance_together() -> None:
    rng = np.random.default_rng(2)
    mean, sd = rng.normal(size=2000), np.full(2000, 0.3)
    chances, able = estimate_chances(mean, sd), have_a_chance(mean, sd)
    assert chances[~able].sum() <= LEFT_OUT < chances[~able].sum() + chances[able].min()
    assert 10 < able.sum() < 60


def test_equal_players_are_left_out_together_or_not_at_all() -> None:
    assert have_a_chance(np.zeros(500), np.ones(500)).all()
    mean = np.repeat([3.0, 0.5, 0.5, -2.0], 100)
    able = have_a_chance(mean, np.full(400, 0.4))
    assert able.reshape(4, 100).all(axis=1).tolist() == able.reshape(4, 100).any(axis=1).tolist()


def test_without_doubt_only_the_highest_has_a_chance() -> None:
    assert have_a_chance(np.array([1.0, 0.5]), np.zeros(2)).tolist() == [True, False]


# Draws of some ------------------------------------------------------------------------------------


def _related(variance: Floats, correlation: float) -> Noise:
    """Players are related in pairs."""
    pair = np.arange(variance.size) // 2
    common = np.sqrt(correlation) * (pair[:, None] == np.arange(pair.max() + 1)).astype(np.float64)
    return Noise(variance, np.full(variance.size, CERTAIN), common)


def test_draws_of_some_vary_as_the_textbook_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one τ the law of everybody is normal, and that of some a part of it."""
    monkeypatch.setattr(f"{POSTERIOR}.TAILS", {CERTAIN: 1.0})
    monkeypatch.setattr(f"{POSTERIOR}.SPREADS", 1)
    monkeypatch.setattr(f"{POSTERIOR}.EVERYBODY", 5)
    beta = np.array([8.0, 7.5, -2.0, -4.0, -4.5, -5.0])
    noise = _related(np.array([0.5, 0.7, 0.9, 0.4, 0.6, 0.8]), 0.6)
    found = infer(beta, noise, seed=3, draws=40_000)
    square = 4.0 * (float(beta @ beta) / 5.0 + float(noise.variance.mean()))
    correlation = noise.common @ noise.common.T
    np.fill_diagonal(correlation, 1.0)
    whole = correlation * np.sqrt(np.outer(noise.variance, noise.variance))
    inverse = np.linalg.inv(square * np.eye(6) + whole)
    centre = np.eye(6) - 1.0 / 6.0
    assert found.drawn is not None
    assert found.drawn.tolist() == [0, 1]
    assert found.mean == pytest.approx(centre @ (square * inverse @ beta), rel=1e-9)
    left = centre @ (square * np.eye(6) - square**2 * inverse) @ centre
    assert np.cov(found.draws.T) == pytest.approx(left[:2, :2], abs=0.02)
    assert found.draws.mean(axis=0) == pytest.approx(found.mean[:2], abs=0.02)


def _board(players: int, df: float) -> tuple[Floats, Noise]:
    """Ratings, the highest first, around normal strengths, a third of their noise in common."""
    rng = np.random.default_rng(players)
    variance = 0.09 * np.exp(0.3 * rng.normal(size=players))
    common = rng.normal(size=(players, 6))
    common *= np.sqrt(0.4 / (common**2).sum(axis=1, keepdims=True))
    noise = common @ rng.normal(size=6) + np.sqrt(0.6) * rng.normal(size=players)
    beta = rng.normal(size=players) + np.sqrt(variance) * noise
    order = np.argsort(-beta)
    shown = Noise(variance[order], np.full(players, df), common[order])
    return beta[order] - beta.mean(), shown


def _families(players: int) -> list[Ints]:
    return [np.flatnonzero(np.arange(players) % 3 == k) for k in range(3)]


@pytest.mark.parametrize("df", [CERTAIN, 8.0])
def test_draws_of_some_agree_with_draws_of_everybody(
    df: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    beta, noise = _board(400, df)
    some = infer(beta, noise, seed=5, groups=_families(400), kept=[399])
    monkeypatch.setattr(f"{POSTERIOR}.EVERYBODY", 400)
    whole = infer(beta, noise, seed=5)
    assert some.drawn is not None
    assert whole.drawn is None
    assert 10 < some.drawn.size < 100
    assert some.mean == pytest.approx(whole.mean, abs=0.02)
    assert some.tau == whole.tau
    assert some.p_best == pytest.approx(whole.p_best, abs=0.03)
    assert some.p_best.sum() == pytest.approx(1.0, rel=1e-12)
    # Relative to the last player, and to the average of all but the last.
    for zero in (None, np.array([399]), np.arange(399)):
        for members in (np.arange(400), *_families(400)):
            one, other = best_of(some, members, 0.9, zero), best_of(whole, members, 0.9, zero)
            assert one.index == other.index
            assert (one.value, one.best) == pytest.approx((other.value, other.best), abs=0.03)
            assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.06)
            assert (one.sd, one.p_win) == pytest.approx((other.sd, other.p_win), rel=0.06)
            assert one.p_best == pytest.approx(other.p_best, abs=0.03)


@pytest.mark.usefixtures("draw_everybody")
def test_where_everybody_is_drawn_families_change_nothing() -> None:
    beta, noise = _board(250, 9.0)
    plain = infer(beta, noise, seed=5, draws=100)
    asked = infer(beta, noise, seed=5, draws=100, groups=_families(250), kept=[3])
    np.testing.assert_array_equal(asked.draws, plain.draws)


def test_where_everybody_may_be_best_everybody_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = Noise(np.full(250, 0.5), np.full(250, 9.0), np.zeros((250, 1)))
    equal = infer(np.zeros(250), noise, seed=5, draws=300)
    monkeypatch.setattr(f"{POSTERIOR}.EVERYBODY", 250)
    assert equal.drawn is None
    np.testing.assert_array_equal(equal.draws, infer(np.zeros(250), noise, seed=5, draws=300).draws)


def test_copies_have_one_truth_and_count_as_often_as_they_are_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of the players are copies of the last, who moves the average as much as all others."""
    beta, noise = _board(300, CERTAIN)
    copies = np.where(np.arange(300) < 150, np.arange(300), 150)
    copies[1] = copies[0]
    some = infer(beta, noise, seed=5, copies=copies)
    monkeypatch.setattr(f"{POSTERIOR}.EVERYBODY", 300)
    whole = infer(beta, noise, seed=5, copies=copies)
    assert some.drawn is not None
    assert some.drawn[:2].tolist() == [0, 1]
    np.testing.assert_array_equal(some.draws[:, 0], some.draws[:, 1])
    assert (some.mean[0], some.mean[150]) == (some.mean[1], some.mean[299])
    assert some.p_best[0] == some.p_best[1]
    assert some.mean == pytest.approx(whole.mean, abs=0.01)
    assert some.draws[:, 0].std() == pytest.approx(whole.draws[:, 0].std(), rel=0.04)


def test_only_those_members_are_looked_at_who_are_drawn() -> None:
    draws = np.array([[3.0, 1.0], [1.0, 2.0]])
    found = Posterior(np.array([2.0, -9.0, 1.5, 5.5]), draws, 1.0, np.array([0, 2]))
    assert found.p_best.tolist() == [0.5, 0.0, 0.5, 0.0]
    assert found.columns(np.array([2, 1, 0])).tolist() == [1, 0]
    assert best_of(found, np.array([2, 3]), 0.95).best == 1.5
    # Everybody adds up to 0, so the two who are not drawn have −(3 + 1)/2 and −(1 + 2)/2.
    assert found.average(np.array([1, 3])).tolist() == [-2.0, -1.5]


# The spread of truth ------------------------------------------------------------------------------


@pytest.mark.parametrize("window", [1, 30_000])
@pytest.mark.parametrize("df", [CERTAIN, 8.0])
def test_spreads_far_from_the_likeliest_change_nothing(
    df: float, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether all spreads are looked at, or one after the other as far as they matter."""
    for players in (6, 300):
        beta, noise = _board(players, df)
        monkeypatch.setattr(f"{POSTERIOR}.WINDOW", 10**9)
        whole = infer(beta, noise, seed=5, draws=200)
        monkeypatch.setattr(f"{POSTERIOR}.WINDOW", window)
        np.testing.assert_allclose(infer(beta, noise, seed=5, draws=200).draws, whole.draws)


# What is left out, measured -----------------------------------------------------------------------


def _heavy(rng: np.random.Generator, players: int) -> Floats:
    return np.asarray(rng.standard_t(3.0, size=players), np.float64)


def _normal(rng: np.random.Generator, players: int) -> Floats:
    return rng.normal(size=players)


def _even(rng: np.random.Generator, players: int) -> Floats:
    return rng.uniform(-1.7, 1.7, players)


STRENGTHS = {"normal": _normal, "t(3)": _heavy, "uniform": _even}


@pytest.mark.slow
@pytest.mark.parametrize("df", [CERTAIN, 25.0, 6.0])
@pytest.mark.parametrize("spread", [1.0, 0.5])
@pytest.mark.parametrize("name", STRENGTHS)
def test_chances_of_2000_players_are_those_of_drawing_everybody(
    name: str, spread: float, df: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(7)
    strengths = spread * STRENGTHS[name](rng, 2000)
    variance = 0.09 * np.exp(0.3 * rng.normal(size=2000))
    common = rng.normal(size=(2000, 21))
    common *= np.sqrt(0.3 / (common**2).sum(axis=1, keepdims=True))
    noise = common @ rng.normal(size=21) + np.sqrt(0.7) * rng.standard_t(df, size=2000)
    beta = strengths + np.sqrt(variance) * noise
    order = np.argsort(-beta)
    shown = Noise(variance[order], np.full(2000, df), common[order])
    beta = beta[order] - beta.mean()
    families = [np.flatnonzero(np.arange(2000) % 5 == k) for k in range(5)]
    some = infer(beta, shown, seed=3, groups=families)
    monkeypatch.setattr(f"{POSTERIOR}.EVERYBODY", 2000)
    whole = infer(beta, shown, seed=3)
    picks = [
        (best_of(some, own, 0.95), best_of(whole, own, 0.95))
        for own in (np.arange(2000), *families)
    ]
    drawn = np.arange(2000) if some.drawn is None else some.drawn
    missed = [
        1.0 - chances_of_highest(whole.draws[:, own])[np.isin(own, drawn)].sum()
        for own in (np.arange(2000), *families)
    ]
    chance = max(abs(one.p_best - other.p_best) for one, other in picks)
    spreads = [one.sd / other.sd - 1.0 for one, other in picks]
    print(
        f"\n{name:8} spread {spread:3.1f} noise t({df:5.0f}): {drawn.size:4} drawn, missed "
        f"{max(missed):.4f}, P(best) off by {chance:.3f}, sd by {min(spreads):+.3f} to "
        f"{max(spreads):+.3f}",
        end="",
    )
    assert max(missed) <= 0.004
    # 4,000 draws of each kind: four standard errors of a difference of two shares, and of sds.
    assert chance <= 0.045
    assert np.abs(spreads).max() <= 0.07
    assert some.mean == pytest.approx(whole.mean, abs=0.04)
