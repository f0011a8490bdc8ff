"""Drawn tables: exactly like the observed one where they must be, and with the right odds."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given, strategies as st
from reference import matches_across, matches_within
from scipy import stats
from scipy.special import expit

from winodds.arrays import Floats
from winodds.matches.games import Games, score_table
from winodds.matches.results import Battles, MatchKind, Results
from winodds.quality.simulate import plan_draws, tie_chances

BETA = np.array([1.2, 0.4, -0.3, -1.3])


def _draw(games: Games, beta: Floats, tables: int, *, seed: int = 0) -> Floats:
    """(tables, S) scores or (tables, B) outcomes, all under the same ratings."""
    ratings = np.tile(beta, (tables, 1))
    return plan_draws(games, beta)(np.random.default_rng(seed), ratings)


def _tables(results: Results, values: Floats) -> list[Floats]:
    """Drawn scores as tables of rounds × players."""
    return [score_table(replace(results, value=value)) for value in values]


def _check_mean(samples: Floats, expected: float) -> None:
    """Independent samples have this mean, as far as four standard errors tell."""
    error = samples.std(ddof=1) / np.sqrt(samples.size)
    assert abs(samples.mean() - expected) < 4.0 * error


# Odds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["within", "across"])
@pytest.mark.parametrize("gaps", [False, True])
def test_any_two_meet_with_the_odds_of_their_ratings(kind: MatchKind, gaps: bool) -> None:
    scores = simulate(1, 4, 5)
    if gaps:
        scores[0, 1] = scores[2, :2] = scores[4, 3] = np.nan
        scores[1, 0] = scores[1, 2] = -np.inf
    results = make_results(scores)
    tables = np.array(_tables(results, _draw(Games(kind, results), BETA, 3000)))
    for i, j in combinations(range(4), 2):
        met = np.isfinite(scores[:, i])[:, None] & np.isfinite(scores[:, j])[None, :]
        met &= np.eye(5, dtype=bool) if kind == "within" else True
        won = (tables[:, :, i, None] > tables[:, None, :, j]) & met
        _check_mean(won.sum(axis=(1, 2)) / met.sum(), float(expit(BETA[i] - BETA[j])))


def test_whole_orders_of_a_round_follow_plackett_and_luce() -> None:
    results = make_results(np.tile([3.0, 2.0, 1.0], (2, 1)))
    beta = np.array([0.8, 0.0, -0.8])
    drawn = _draw(Games("within", results), beta, 4000).reshape(-1, 3)
    strength, observed, expected = np.exp(beta), [], []
    for order in permutations(range(3)):
        falling = drawn[:, list(order)]
        observed.append(int((np.diff(falling, axis=1) < 0.0).all(axis=1).sum()))
        a, b, c = strength[list(order)]
        expected.append(len(drawn) * a / (a + b + c) * b / (b + c))
    assert sum(observed) == len(drawn)
    assert stats.chisquare(observed, expected).pvalue > 0.001


def test_rounds_are_drawn_independently() -> None:
    results = make_results(np.tile([2.0, 1.0], (2, 1)))
    tables = np.array(_tables(results, _draw(Games("within", results), np.zeros(2), 4000)))
    won = tables[:, :, 0] > tables[:, :, 1]
    counts = np.bincount(2 * won[:, 0] + won[:, 1], minlength=4)
    assert stats.chisquare(counts).pvalue > 0.001


def test_each_table_has_ratings_of_its_own() -> None:
    results = make_results(simulate(2, 3, 4))
    games, rng = Games("within", results), np.random.default_rng(2)
    ratings = np.array([[90.0, 0.0, -90.0], [-90.0, 90.0, 0.0]])
    first, second = _tables(results, plan_draws(games, ratings[0])(rng, ratings))
    assert np.argsort(-first, axis=1).tolist() == [[0, 1, 2]] * 4
    assert np.argsort(-second, axis=1).tolist() == [[1, 2, 0]] * 4


def test_the_same_seed_draws_the_same_tables() -> None:
    games = Games("within", make_results(simulate(3, 5, 6)))
    once, again = _draw(games, np.zeros(5), 3, seed=7), _draw(games, np.zeros(5), 3, seed=7)
    np.testing.assert_array_equal(once, again)
    assert (once != _draw(games, np.zeros(5), 3, seed=8)).any()


# What stays as it was -----------------------------------------------------------------------------


@given(score_tables(missing=True), st.integers(-1, 2), st.sampled_from([0.0, 1.0, 2.5]))
def test_a_round_keeps_its_scores_gaps_failures_and_ties(
    scores: Floats, level: int, tolerance: float
) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    results = make_results(scores)
    if results.rounds == 0:
        return
    games = Games("within", results, tolerance)
    own = score_table(results)
    for table in _tables(results, _draw(games, np.zeros(games.players), 3)):
        np.testing.assert_array_equal(np.isnan(table), np.isnan(own))
        np.testing.assert_array_equal(np.isneginf(table), np.isneginf(own))
        np.testing.assert_array_equal(np.sort(table, axis=1), np.sort(own, axis=1))
        assert _ties(table, tolerance) == _ties(own, tolerance)


def _ties(scores: Floats, tolerance: float) -> list[int]:
    """How many matches of each round are ties."""
    ties = [m.round for m in matches_within(scores, tolerance=tolerance) if m.outcome == 0.5]
    return [ties.count(r) for r in range(len(scores))]


@given(score_tables(rounds=(3, 6), missing=True), st.integers(-1, 2), st.booleans())
def test_a_tournament_keeps_its_scores_gaps_and_failures(
    scores: Floats, level: int, pooled: bool
) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    border = 2 if pooled else 0
    tournament = (np.arange(len(scores)) < border).astype(np.float64)[::-1]
    results = make_results(scores, tournament=tournament, across=True)
    if results.rounds == 0 or np.unique(results.tournament).size <= int(results.tournament.max()):
        return
    own = score_table(results)
    for table in _tables(results, _draw(Games("across", results), np.zeros(results.players), 2)):
        np.testing.assert_array_equal(np.isnan(table), np.isnan(own))
        np.testing.assert_array_equal(np.isneginf(table), np.isneginf(own))
        for number in np.unique(results.tournament):
            inside = results.tournament == number
            np.testing.assert_array_equal(
                np.sort(table[inside].ravel()), np.sort(own[inside].ravel())
            )


def test_scores_across_rounds_change_rounds_and_within_they_do_not() -> None:
    results = make_results(np.array([[1.0, 2.0, 3.0], [11.0, 12.0, 13.0]]))
    within = np.array(_tables(results, _draw(Games("within", results), np.zeros(3), 50)))
    assert (within[:, 0] < 10.0).all()
    across = np.array(_tables(results, _draw(Games("across", results), np.zeros(3), 50)))
    assert (across[:, 0] > 10.0).any(axis=1).mean() > 0.5


def test_ties_across_rounds_may_be_ones_own() -> None:
    """Equal scores dealt to one player are no match, so ties keep their rate and not their number.

    Two of a player's two scores are drawn from 1, 1, 2, 3: a third of the pairs is one player's.
    """
    results = make_results(np.array([[1.0, 1.0], [2.0, 3.0]]))
    tables = _tables(results, _draw(Games("across", results), np.zeros(2), 3000))
    ties = [sum(m.outcome == 0.5 for m in matches_across(table)) for table in tables]
    assert set(ties) == {0, 1}
    _check_mean(np.array(ties, np.float64), 2.0 / 3.0)


# Battles ------------------------------------------------------------------------------------------


def _battles(outcome: Floats) -> Battles:
    """Pairs of four players in turn, each as often as the others."""
    first, second = np.triu_indices(4, 1)
    repeat = outcome.size // first.size
    return Battles(
        players=4,
        first=np.tile(first, repeat),
        second=np.tile(second, repeat),
        outcome=outcome,
        weight=np.ones(outcome.size),
        cluster=None,
    )


@pytest.mark.parametrize("rate", [0.0, 0.25, 0.375])
def test_battles_have_the_odds_of_the_ratings_and_the_rate_of_ties(rate: float) -> None:
    outcome = np.where(np.arange(24) < 24 * rate, 0.5, 1.0)
    battles = _battles(outcome)
    drawn = _draw(Games("battles", battles), BETA, 3000)
    assert set(np.unique(drawn)) == ({0.0, 0.5, 1.0} if rate else {0.0, 1.0})
    for i, j in combinations(range(4), 2):
        own = (battles.first == i) & (battles.second == j)
        _check_mean(drawn[:, own].mean(axis=1), float(expit(BETA[i] - BETA[j])))
    ties = (drawn == 0.5).mean(axis=1)
    if rate:
        _check_mean(ties, rate)


def test_more_ties_than_there_is_room_for_fill_the_room() -> None:
    """All battles were ties, and of unequals 2·min(p, 1 − p) is the most there can be."""
    drawn = _draw(Games("battles", _battles(np.full(24, 0.5))), BETA, 3000)
    chance = expit([BETA[i] - BETA[j] for i, j in combinations(range(4), 2)])
    _check_mean((drawn == 0.5).mean(axis=1), float(2.0 * np.minimum(chance, 1.0 - chance).mean()))
    assert set(np.unique(drawn)) == {0.5, 1.0}


def test_battles_of_equals_tie_as_often_as_they_did() -> None:
    drawn = _draw(Games("battles", _battles(np.full(24, 0.5))), np.zeros(4), 20)
    assert (drawn == 0.5).all()


def test_chances_of_a_tie_by_hand() -> None:
    # 4·scale·p(1 − p), but at most twice the smaller chance.
    found = tie_chances(np.array([0.5, 0.75, 0.1, 1.0]), 0.4)
    np.testing.assert_allclose(found, [0.4, 0.3, 0.144, 0.0], atol=1e-15)
    found = tie_chances(np.array([0.5, 0.75, 0.1, 1.0]), 5.0)
    np.testing.assert_allclose(found, [1.0, 0.5, 0.2, 0.0], atol=1e-15)


def test_battles_drawn_under_other_ratings_follow_these() -> None:
    battles = _battles(np.ones(24))
    draw = plan_draws(Games("battles", battles), np.zeros(4))
    ratings = np.array([[90.0, 0.0, -90.0, -180.0], [-90.0, 0.0, 90.0, 180.0]])
    drawn = draw(np.random.default_rng(0), ratings)
    assert drawn.tolist() == [[1.0] * 24, [0.0] * 24]
