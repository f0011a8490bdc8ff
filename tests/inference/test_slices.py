"""A player's rating in some rounds beside that in the others: by hand, by a twin, by simulation."""

from collections.abc import Callable

import numpy as np
import pytest
from conftest import make_results
from hypothesis import given, strategies as st
from scipy import stats
from scipy.special import expit
from simulated import bar

from winodds.arrays import Bools, Floats, Ints
from winodds.inference.pairwise import holm
from winodds.inference.slices import Part, Shifts, compare_parts, smallest_visible
from winodds.language.errors import DataError
from winodds.language.options import ScoreOptions
from winodds.matches.games import Games
from winodds.matches.results import Battles
from winodds.slices.comparison import compare_slices
from winodds.slices.parts import rate_part

PLAIN = ScoreOptions(estimator="mle")
USUAL = ScoreOptions()


def halves(games: Games, inside: Bools, options: ScoreOptions = USUAL) -> tuple[Part, Part]:
    return rate_part(games, inside, options, "round"), rate_part(games, ~inside, options, "round")


def shifts_of(scores: Floats, inside: Bools, options: ScoreOptions = USUAL) -> Shifts:
    found = compare_parts(*halves(Games("within", make_results(scores)), inside, options))
    assert found is not None
    return found


def test_three_wins_of_four_against_one_of_four_is_what_paper_says() -> None:
    """Ratings ±log 3/2 in both parts, each with variance 4/9 by rounds and 1/3 by the model."""
    scores = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1], [0, 1], [1, 0]], np.float64)
    found = shifts_of(scores, np.arange(8) < 4, PLAIN)
    np.testing.assert_allclose(found.inside, [np.log(3) / 2, -np.log(3) / 2])
    np.testing.assert_allclose(found.outside, [-np.log(3) / 2, np.log(3) / 2])
    np.testing.assert_allclose(found.se, np.sqrt(8 / 9))
    np.testing.assert_allclose(found.df, 6.0)
    by_rounds = 2.0 * stats.t.sf(np.log(3) / np.sqrt(8 / 9), 6)
    by_model = 2.0 * stats.norm.sf(np.log(3) / np.sqrt(2 / 3))
    np.testing.assert_allclose(found.p_value, max(by_rounds, by_model))
    half = stats.t.ppf(0.975, 6) * np.sqrt(8 / 9)
    assert found.high[0] - found.low[0] == pytest.approx(2.0 * half)


def test_clusters_in_both_parts_are_taken_off_as_the_obvious_formula_does() -> None:
    """With m players and clusters of equal size, squares of a cluster's whole influence add up."""
    rng = np.random.default_rng(3)
    users, players = np.tile(np.arange(12), 6), 4
    scores = rng.normal(size=(72, players)) + rng.normal(size=(12, players))[users]
    inside = np.arange(72) < 24
    games = Games("within", make_results(scores, cluster=users.astype(float)))
    own, rest = halves(games, inside)
    found = compare_parts(own, rest)
    assert found is not None
    influence = [
        slow_influence(scores[part], users[part], one.fit.beta)
        for part, one in ((inside, own), (~inside, rest))
    ]
    robust = ((influence[0] - influence[1]) ** 2).sum(axis=1) * 12 / 11
    model = [
        slow_variances(scores[part], one.fit.beta) for part, one in ((inside, own), (~inside, rest))
    ]
    np.testing.assert_allclose(found.se, np.sqrt(np.maximum(robust, model[0] + model[1])))
    np.testing.assert_allclose(found.df, 11.0)


def slow_information(scores: Floats, beta: Floats) -> Floats:
    information = np.zeros((beta.size, beta.size))
    for _ in scores:
        for i in range(beta.size):
            for j in range(beta.size):
                if i != j:
                    chance = expit(beta[i] - beta[j])
                    information[i, i] += chance * (1 - chance)
                    information[i, j] -= chance * (1 - chance)
    return np.asarray(np.linalg.pinv(information))


def slow_variances(scores: Floats, beta: Floats) -> Floats:
    return slow_information(scores, beta).diagonal()


def slow_influence(scores: Floats, users: Ints, beta: Floats) -> Floats:
    """(m, G) what each user does to each rating."""
    score = np.zeros((beta.size, int(users.max()) + 1))
    for row, user in zip(scores, users, strict=True):
        for i in range(beta.size):
            for j in range(beta.size):
                if i != j:
                    won = 0.5 * (1.0 + np.sign(row[i] - row[j]))
                    score[i, user] += won - expit(beta[i] - beta[j])
    return np.asarray(slow_information(scores, beta) @ score)


def test_the_other_side_of_a_comparison_has_the_other_sign() -> None:
    scores = np.random.default_rng(1).normal(size=(40, 5))
    inside = np.arange(40) < 15
    one, other = shifts_of(scores, inside), shifts_of(scores, ~inside)
    np.testing.assert_allclose(one.value, -other.value)
    np.testing.assert_allclose(one.p_value, other.p_value)
    np.testing.assert_allclose(one.low, -other.high)


def test_an_unbeaten_player_has_an_open_end_and_leaves_those_of_the_others_closed() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(80, 5))
    scores[:30, 0] += 100.0
    found = shifts_of(scores, np.arange(80) < 30)
    assert found.anchored.tolist() == [False, True, True, True, True]
    assert found.high[0] == np.inf
    assert found.low[0] > 0.0
    assert np.isfinite([found.low[1:], found.high[1:]]).all()
    assert found.inside[1:].sum() == pytest.approx(0.0)
    turned = shifts_of(scores, np.arange(80) >= 30)
    assert turned.low[0] == -np.inf
    assert turned.high[0] < 0.0


def test_where_no_set_is_the_larger_one_all_players_are_averaged() -> None:
    scores = np.array([[1, 0]] * 12 + [[0, 1], [1, 0]] * 10, np.float64)
    found = shifts_of(scores, np.arange(32) < 12)
    assert found.anchored.all()
    assert (found.low[0] > -np.inf, found.high[0]) == (True, np.inf)
    assert (found.low[1], found.high[1] < np.inf) == (-np.inf, True)


def test_players_of_one_part_only_are_not_compared() -> None:
    scores = np.random.default_rng(4).normal(size=(30, 4))
    scores[:10, 3] = np.nan
    found = shifts_of(scores, np.arange(30) < 10)
    assert found.players.tolist() == [0, 1, 2]
    alone = np.full((30, 4), np.nan)
    alone[:10, :2], alone[10:, 2:] = scores[:10, :2], scores[10:, :2]
    assert compare_parts(*halves(Games("within", make_results(alone)), np.arange(30) < 10)) is None


def test_what_would_be_seen_is_a_quantile_of_t_and_one_of_power() -> None:
    found = shifts_of(np.random.default_rng(5).normal(size=(40, 5)), np.arange(40) < 20)
    need = (stats.t.ppf(1 - 0.025 / 10, found.df) + stats.norm.ppf(0.8)) * found.se
    assert smallest_visible(found, 10, 0.95) == pytest.approx(np.median(need))


@given(st.integers(0, 2**32 - 1))
def test_order_of_players_rounds_and_slices_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, label = rng.integers(0, 4, size=(30, 4)).astype(float), rng.integers(0, 3, size=30)
    players, rounds, slices = rng.permutation(4), rng.permutation(30), rng.permutation(3)
    one = adjusted(scores, label)
    other = adjusted(scores[rounds][:, players], slices[label[rounds]])
    for (number, player), p in one.items():
        there = int(slices[number]), int(np.flatnonzero(players == player)[0])
        assert other[there] == pytest.approx(p, abs=1e-9)
    assert len(one) == len(other)


def adjusted(
    scores: Floats, label: Ints, games: Games | None = None
) -> dict[tuple[int, int], float]:
    """Adjusted p-values by slice and player."""
    games = Games("within", make_results(scores)) if games is None else games
    found = compare_slices(games, label, int(label.max()) + 1, USUAL, "round")
    return {
        (number, int(player)): float(p)
        for number, one in enumerate(found.slices)
        if not isinstance(one, str)
        for player, p in zip(one.shifts.players, one.adjusted, strict=True)
    }


def test_all_slices_and_players_are_adjusted_together() -> None:
    scores = np.random.default_rng(6).normal(size=(60, 4))
    label = np.arange(60) % 3
    found = [shifts_of(scores, label == number).p_value for number in range(3)]
    expected = holm(np.concatenate(found))
    np.testing.assert_allclose(list(adjusted(scores, label).values()), expected)


def test_two_slices_are_one_comparison_for_each_player() -> None:
    scores = np.random.default_rng(7).normal(size=(60, 4))
    label = np.arange(60) % 2
    expected = holm(shifts_of(scores, label == 0).p_value)
    np.testing.assert_allclose(list(adjusted(scores, label).values()), [*expected, *expected])
    games = Games("within", make_results(scores))
    assert compare_slices(games, label, 2, USUAL, "round").tests == 4


# Simulations --------------------------------------------------------------------------------------

Draw = Callable[[np.random.Generator, float, float], tuple[Floats, Ints]]

SIZES = (20, 20, 20, 40, 40, 60, 80, 100, 150, 200)
SAMPLES = 300


def draw_items(rng: np.random.Generator, spread: float, bump: float) -> tuple[Floats, Ints]:
    """Right or wrong answers of 8 models to items; one model is better in the last slice."""
    label = np.repeat(np.arange(len(SIZES)), SIZES)
    skill = np.tile(np.linspace(spread, -spread, 8), (label.size, 1))
    skill[label == len(SIZES) - 1, 2] += bump
    difficulty = rng.normal(-1.0, 1.5, size=(label.size, 1))
    return (rng.random(skill.shape) < expit(skill - difficulty)).astype(np.float64), label


def draw_scores(rng: np.random.Generator, spread: float, bump: float) -> tuple[Floats, Ints]:
    label = np.repeat(np.arange(len(SIZES)), SIZES)
    skill = np.tile(np.linspace(spread, -spread, 8), (label.size, 1))
    skill[label == len(SIZES) - 1, 2] += bump
    return 0.7 * skill + rng.normal(size=skill.shape), label


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.8, 2.0])
@pytest.mark.parametrize("draw", [draw_items, draw_scores])
def test_no_slice_is_said_to_differ_when_none_does(draw: Draw, spread: float) -> None:
    """10 slices of 20–200 rounds, 8 players: any false claim in at most 5% of the tables."""
    rng = np.random.default_rng(16)
    false = sum(min(adjusted(*draw(rng, spread, 0.0)).values()) <= 0.05 for _ in range(SAMPLES))
    name = getattr(draw, "__name__", "")
    print(f"\n{name}, spread {spread}: any false claim {false / SAMPLES:.3f}")
    assert false / SAMPLES <= bar(0.05, SAMPLES, 2.0)


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "least"), [(draw_items, 0.6), (draw_scores, 0.9)])
def test_a_player_who_is_better_in_one_slice_is_found(draw: Draw, least: float) -> None:
    """+1 in the log-odds of an item, or 0.7 sd of a score, in a slice of 200 rounds."""
    rng, found, false = np.random.default_rng(17), 0, 0
    for _ in range(100):
        p = adjusted(*draw(rng, 0.8, 1.0))
        found += p[len(SIZES) - 1, 2] <= 0.05
        false += min(own for (number, who), own in p.items() if who != 2) <= 0.05
    name = getattr(draw, "__name__", "")
    print(f"\n{name}: found {found / 100:.2f}, others named {false / 100:.2f}")
    assert found / 100 >= least


@pytest.mark.slow
def test_judges_who_vote_in_several_slices_make_no_false_claims() -> None:
    """40 judges with tastes of their own vote in 4 languages; the judge is the cluster."""
    rng, false, samples = np.random.default_rng(18), 0, 300
    for _ in range(samples):
        size = 1600
        judge, label = rng.integers(40, size=size), rng.integers(4, size=size)
        first = rng.integers(6, size=size)
        second = (first + rng.integers(1, 6, size=size)) % 6
        taste = np.linspace(0.8, -0.8, 6) + rng.normal(scale=0.7, size=(40, 6))
        chance = expit(taste[judge, first] - taste[judge, second])
        outcome = (rng.random(size) < chance).astype(np.float64)
        battles = Battles(6, first, second, outcome, np.ones(size), judge)
        found = adjusted(np.empty(0), label, Games("battles", battles))
        false += min(found.values()) <= 0.05
    print(f"\njudges: any false claim {false / samples:.3f}")
    assert false / samples <= bar(0.05, samples, 2.0)


def test_too_few_rounds_are_refused_with_what_a_cluster_is() -> None:
    games = Games("within", make_results(np.random.default_rng(8).normal(size=(9, 3))))
    with pytest.raises(DataError, match="variation between rounds, and there is only one"):
        rate_part(games, np.arange(9) < 1, USUAL, "round")
