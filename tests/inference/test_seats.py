"""How sure the first seat's effect is: a twin of its error, and simulated coverage."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from winodds.arrays import Floats
from winodds.fit.newton import fit
from winodds.fit.seats import SeatedPairs, fit_seats
from winodds.inference.intervals import quantify
from winodds.inference.seats import Seated, SeatEstimates, quantify_seats
from winodds.inference.structure import find_structure
from winodds.language.options import IntervalKind
from winodds.matches.battles import count_battles
from winodds.matches.results import Battles

LEVEL = 0.95


def assess(battles: Battles, kind: IntervalKind = "robust") -> tuple[Seated, SeatEstimates]:
    wins = count_battles(battles)
    own = quantify(wins, fit(wins.wins, wins.design), find_structure(wins), kind=kind)
    pairs = SeatedPairs.of(
        battles.first, battles.second, battles.outcome, wins.match_weight, battles.players
    )
    seated = Seated(battles, wins, pairs, fit_seats(pairs, estimator="bias-reduced"))
    everyone = np.arange(battles.players)
    ends = False, False
    return seated, quantify_seats(seated, own.intervals, own.clustering, everyone, ends)


def draw(
    rng: np.random.Generator,
    *,
    size: int = 400,
    judges: int | None = None,
    effect: float = 0.3,
    taste: float = 0.0,
    players: int = 6,
) -> Battles:
    """Battles; judges have tastes of their own, about players and about the first seat."""
    left = rng.integers(players, size=size)
    right = (left + rng.integers(1, players, size=size)) % players
    beta = np.linspace(1.0, -1.0, players)
    judge = rng.integers(judges, size=size) if judges else np.arange(size)
    extra = rng.normal(scale=taste, size=int(judge.max()) + 1)[judge] if taste else 0.0
    chance = expit(beta[left] - beta[right] + effect + extra)
    outcome = (rng.random(size) < chance).astype(np.float64)
    cluster = np.unique(judge, return_inverse=True)[1] if judges else None
    return Battles(players, left, right, outcome, np.ones(size), cluster)


@pytest.mark.parametrize("judges", [None, 40])
def test_the_error_is_that_of_the_obvious_sandwich(judges: int | None) -> None:
    battles = draw(np.random.default_rng(1), judges=judges)
    seated, found = assess(battles)
    x = np.zeros((400, 7))
    x[np.arange(400), battles.first], x[np.arange(400), battles.second], x[:, 6] = 1.0, -1.0, 1.0
    p = expit(x @ seated.fit.theta)
    bread = np.asarray(np.linalg.pinv((x * (p * (1 - p))[:, None]).T @ x), np.float64)
    cluster = np.arange(400) if battles.cluster is None else battles.cluster
    meat, clusters = np.zeros((7, 7)), int(cluster.max()) + 1
    for number in range(clusters):
        score = (x * (battles.outcome - p)[:, None])[cluster == number].sum(axis=0)
        meat += np.outer(score, score)
    robust = (bread @ meat @ bread * clusters / (clusters - 1)).diagonal()
    error = np.sqrt(max(robust[-1], bread[-1, -1]))
    assert found.effect.se[0] == pytest.approx(error, rel=1e-6)
    half = max(
        stats.t.ppf(0.975, clusters - 1) * np.sqrt(robust[-1]),
        stats.norm.ppf(0.975) * np.sqrt(bread[-1, -1]),
    )
    assert found.effect.high[0] - found.effect.low[0] == pytest.approx(2.0 * half, rel=1e-6)
    if judges is None:
        np.testing.assert_allclose(found.ratings.se, errors_of(robust, bread, battles), rtol=1e-6)


def errors_of(robust: Floats, bread: Floats, battles: Battles) -> Floats:
    """(m,) the larger error, whose robust one rests on the player's own battles."""
    played = np.bincount(battles.first) + np.bincount(battles.second)
    factor = played / (played - 1) * 399 / 400
    larger = np.maximum(robust[:-1] * factor, bread.diagonal()[:-1])
    return np.asarray(np.sqrt(larger), np.float64)


def test_model_based_intervals_are_those_of_the_information() -> None:
    seated, found = assess(draw(np.random.default_rng(2)), "model")
    error = np.sqrt(seated.fit.inverse[-1, -1])
    assert found.effect.se[0] == pytest.approx(error)
    assert found.effect.high[0] == pytest.approx(found.effect.value[0] + 1.959964 * error, rel=1e-6)


def test_on_balanced_seats_ratings_do_not_move_without_an_effect() -> None:
    """Every battle is played in both orders with the same winner: the seat explains nothing."""
    one = draw(np.random.default_rng(3), effect=0.0)
    both = Battles(
        6,
        np.concatenate([one.first, one.second]),
        np.concatenate([one.second, one.first]),
        np.concatenate([one.outcome, 1.0 - one.outcome]),
        np.ones(800),
        None,
    )
    wins = count_battles(both)
    _, found = assess(both)
    assert found.effect.value[0] == pytest.approx(0.0, abs=1e-9)
    assert found.p_value == 1.0
    plain = fit(wins.wins, wins.design).beta
    np.testing.assert_allclose(found.ratings.value, plain, atol=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "judges", "taste"),
    [(60, None, 0.0), (400, None, 0.0), (400, 20, 0.0), (400, 20, 0.7), (1000, 60, 0.7)],
)
@pytest.mark.parametrize("effect", [0.0, 0.5])
def test_the_effect_of_the_seat_is_covered(
    size: int, judges: int | None, taste: float, effect: float
) -> None:
    """The target is the effect that infinitely many battles of new judges would give."""
    samples, rng = 400, np.random.default_rng(21)
    target = effect if not taste else _pooled_effect(effect, taste)
    hits, told = np.zeros(samples, np.bool_), 0
    for k in range(samples):
        battles = draw(rng, size=size, judges=judges, effect=effect, taste=taste)
        found = assess(battles)[1]
        hits[k] = found.effect.low[0] <= target <= found.effect.high[0]
        told += found.p_value <= 1.0 - LEVEL
    print(
        f"\n{size} battles, {judges} judges, taste {taste}, δ {effect}: "
        f"covered {hits.mean():.3f}, told {told / samples:.3f}"
    )
    assert hits.mean() >= LEVEL - 0.03


def _pooled_effect(effect: float, taste: float) -> float:
    """What one large sample of very many judges gives."""
    battles = draw(np.random.default_rng(5), size=400_000, effect=effect)
    rng = np.random.default_rng(6)
    beta = np.linspace(1.0, -1.0, 6)
    difference = beta[battles.first] - beta[battles.second] + effect
    chance = expit(difference + rng.normal(scale=taste, size=difference.size))
    pairs = SeatedPairs.of(battles.first, battles.second, chance, np.ones(difference.size), 6)
    return float(fit_seats(pairs, estimator="mle").theta[-1])
