"""Deviances of observed and drawn tables against slow twins, and p-values by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given, settings, strategies as st
from reference import Match, fit_slow, matches_across, matches_within, reach, win_matrix
from scipy.special import expit, xlogy

from winodds.arrays import Floats
from winodds.fit.newton import fit
from winodds.language.options import Estimator
from winodds.matches import pairs as tally
from winodds.matches.games import Games, score_table
from winodds.matches.results import Battles, MatchKind
from winodds.quality import goodness
from winodds.quality.goodness import (
    ENOUGH,
    Simulated,
    correct_share,
    count_as_bad,
    measure_observed,
    most_simulations,
    plan_simulations,
)
from winodds.quality.simulate import plan_draws
from winodds.workers import run_calls

GONE = np.nan


def _deviance(table: Floats, beta: Floats) -> float:
    """2 Σ N [p log(p/p̂) + (1 − p) log((1 − p)/(1 − p̂))], pair after pair."""
    total = 0.0
    for i, j in combinations(range(len(table)), 2):
        met = table[i, j] + table[j, i]
        if met > 0.0:
            share, fitted = table[i, j] / met, float(expit(beta[i] - beta[j]))
            other = float(expit(beta[j] - beta[i]))
            total += met * float(xlogy(share, share / fitted))
            total += met * float(xlogy(1.0 - share, (1.0 - share) / other))
    return 2.0 * total


def _measure(games: Games, *, ridge: float = 0.0) -> float:
    counted = games.count()
    estimator: Estimator = "ridge" if ridge else "bias-reduced"
    prior = ridge**-0.5 if ridge else None
    beta = fit(counted.wins, counted.design, estimator=estimator, prior_sd=prior).beta
    return measure_observed(games, counted, beta, ridge=ridge)


def _slow(table: Floats, *, ridge: float = 0.0) -> float:
    if ridge:
        beta = fit_slow(table, estimator="ridge", prior_sd=ridge**-0.5).beta
    else:
        beta = fit_slow(table, estimator="bias-reduced").beta
    return _deviance(table, beta)


@contextmanager
def _many_blocks() -> Iterator[None]:
    """The way of large boards: block after block, a table at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(goodness, "SMALL_BLOCK", 0)
        patch.setattr(tally, "SMALL_BLOCK", 0)
        patch.setattr(tally, "CELLS", 7)
        yield


@contextmanager
def _without_lookup() -> Iterator[None]:
    with _many_blocks(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(goodness, "LOOKUP_LIMIT", 0)
        yield


# The observed table -------------------------------------------------------------------------------


def test_two_players_by_hand() -> None:
    """Three wins of four: 3/4 against (3 + ½)/(4 + 1) at the bias-reduced estimate."""
    games = Games("within", make_results(np.array([[2.0, 1.0]] * 3 + [[1.0, 2.0]])))
    expected = 2.0 * (3.0 * np.log(0.75 / 0.7) + np.log(0.25 / 0.3))
    assert _measure(games) == pytest.approx(expected, abs=1e-10)


@settings(max_examples=25)
@given(
    score_tables(missing=True),
    st.integers(-1, 2),
    st.sampled_from([0.0, 2.5]),
    st.sampled_from([0.0, 0.5]),
)
def test_the_observed_deviance_is_a_sum_over_pairs(
    scores: Floats, level: int, tolerance: float, ridge: float
) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    kinds: tuple[MatchKind, ...] = ("within", "across")
    for kind in kinds:
        twin = matches_across if kind == "across" else matches_within
        matches = twin(scores, tolerance=tolerance)
        table = win_matrix(matches, scores.shape[1])
        if len({match.round for match in matches}) < 2 or not reach(table + table.T).all():
            continue
        games = Games(kind, make_results(scores, across=kind == "across"), tolerance)
        exact = _slow(table, ridge=ridge)
        assert _measure(games, ridge=ridge) == pytest.approx(exact, abs=1e-7)
        with _many_blocks():
            assert _measure(games, ridge=ridge) == pytest.approx(exact, abs=1e-7)
        with _without_lookup():
            assert _measure(games, ridge=ridge) == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("pooled", [False, True])
def test_the_observed_deviance_of_weighted_rounds(pooled: bool) -> None:
    """Everybody wins some matches against everybody, so no share is 0 or 1."""
    scores = np.array([[4.0, 3, 2, 1], [1, 2, 3, 4], [4, 2, 3, 1], [2, 4, 1, 3], [4, 1, 2, 3]])
    if pooled:
        tournament = np.array([0.0, 0.0, 0.0, 1.0, 1.0])
        games = Games("within", make_results(scores, tournament=tournament))
        weight = np.repeat([5 / 6, 5 / 4], [3, 2])
    else:
        weight = np.array([0.5, 1.5, 0.8, 1.0, 1.2])
        games = Games("within", make_results(scores, weight=weight))
    exact = _slow(win_matrix(matches_within(scores, weight=weight), 4))
    assert _measure(games) == pytest.approx(exact, abs=1e-9)
    with _many_blocks():
        assert _measure(games) == pytest.approx(exact, abs=1e-9)


def _battles(matches: list[Match], players: int, weight: Floats) -> Games:
    rows = [(match.first, match.second, match.outcome) for match in matches]
    first, second, outcome = (np.array(column) for column in zip(*rows, strict=True))
    return Games("battles", Battles(players, first, second, outcome, weight, None))


@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_the_observed_deviance_of_battles(ridge: float) -> None:
    matches = matches_within(np.round(simulate(1, 6, 7)))
    weight = np.random.default_rng(1).choice(np.array([0.5, 1.0, 1.5]), len(matches))
    games = _battles(matches, 6, weight)
    scaled = [
        replace(match, weight=float(w / weight.mean()))
        for match, w in zip(matches, weight, strict=True)
    ]
    exact = _slow(win_matrix(scaled, 6), ridge=ridge)
    assert _measure(games, ridge=ridge) == pytest.approx(exact, abs=1e-8)


def _complete(scores: Floats) -> Floats:
    """(m, m) wins in rounds without missing scores, ties one half."""
    columns = scores.T
    return np.array(
        [
            [(own > other).sum() + 0.5 * (own == other).sum() for other in columns]
            for own in columns
        ],
        np.float64,
    ) - np.diag(np.full(columns.shape[0], 0.5 * len(scores)))


@pytest.mark.parametrize("ties", [False, True])
def test_the_observed_deviance_of_many_players(ties: bool) -> None:
    """More players than are compared all at once, with and without ties."""
    scores = simulate(2, 70, 12)
    scores = np.round(scores, 1) if ties else scores
    games = Games("within", make_results(scores))
    counted = games.count()
    beta = fit(counted.wins, counted.design).beta
    found = measure_observed(games, counted, beta, ridge=0.0)
    assert found == pytest.approx(_deviance(_complete(scores), beta), rel=1e-9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(goodness, "LOOKUP_LIMIT", 0)
        assert measure_observed(games, counted, beta, ridge=0.0) == pytest.approx(found, rel=1e-11)


def test_the_deviance_of_weighted_rounds_with_unbeaten_players_is_a_number() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        scores, weight = np.tile(np.arange(4.0), (7, 1)), rng.exponential(size=7)
        scores[rng.random(scores.shape) < 0.2] = GONE
        matches = matches_within(scores)
        counts = np.bincount([match.round for match in matches], minlength=7)
        share = weight * counts.sum() / (weight @ counts)
        exact = _slow(win_matrix(matches_within(scores, weight=share), 4))
        games = Games("within", make_results(scores, weight=weight))
        assert _measure(games) == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("lookup", [True, False])
def test_the_deviance_across_rounds_with_gaps_is_that_of_whole_matches(lookup: bool) -> None:
    for seed in range(4):
        scores = simulate(seed, 12, 20, spread=3.0)
        scores[np.random.default_rng(seed).random(scores.shape) < 0.5] = GONE
        games = Games("across", make_results(scores, across=True))
        counted = games.count()
        beta = fit(counted.wins, counted.design).beta
        exact = _deviance(win_matrix(matches_across(scores), 12), beta)
        with _many_blocks() if lookup else _without_lookup():
            found = measure_observed(games, counted, beta, ridge=0.0)
        assert found == pytest.approx(exact, rel=1e-8)


# Drawn tables -------------------------------------------------------------------------------------


def _simulated(
    games: Games, *, simulations: int = 12, seed: int = 3, ridge: float = 0.0
) -> Simulated:
    counted = games.count()
    beta = fit(counted.wins, counted.design).beta
    calls = plan_simulations(games, counted, beta, ridge=ridge, simulations=simulations, seed=seed)
    return Simulated.join(list(run_calls(calls, 1)))


def _games(name: str) -> Games:
    scores = np.round(simulate(4, 7, 6), 1)
    if name == "gaps":
        scores[0, :2] = scores[3, 4] = GONE
        scores[5, 1] = scores[5, 2] = -np.inf
    if name == "across":
        return Games("across", make_results(scores), 0.1)
    if name == "weighted":
        return Games("within", make_results(scores, weight=np.arange(1.0, 7.0)))
    if name == "battles":
        matches = matches_within(scores)
        return _battles(matches, 7, np.ones(len(matches)))
    return Games("within", make_results(scores), 0.1)


def _drawn(games: Games, simulations: int, seed: int) -> Floats:
    """The tables that the only call draws first."""
    counted = games.count()
    beta = fit(counted.wins, counted.design).beta
    _, stream = np.random.SeedSequence(seed).spawn(2)
    ratings = np.tile(beta, (simulations, 1))
    return plan_draws(games, beta)(np.random.default_rng(stream), ratings)


def _wins_of(games: Games, value: Floats) -> Floats:
    """(m, m) wins of the games with other scores or outcomes, match by match."""
    if isinstance(games.played, Battles):
        rows = zip(games.played.first.tolist(), games.played.second.tolist(), value, strict=True)
        return win_matrix([Match(a, b, float(won), 1.0, 0) for a, b, won in rows], games.players)
    table = score_table(replace(games.results, value=value))
    if games.kind == "across":
        return win_matrix(matches_across(table, tolerance=games.tolerance), games.players)
    weight = games.count().match_weight
    matches = matches_within(table, tolerance=games.tolerance, weight=weight)
    return win_matrix(matches, games.players)


@pytest.fixture
def unscaled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are drawn under the very ratings."""
    monkeypatch.setattr(goodness, "_find_scale", lambda *_: 1.0)


@pytest.mark.usefixtures("unscaled")
@pytest.mark.parametrize("name", ["complete", "gaps", "across", "weighted", "battles"])
def test_drawn_tables_are_refitted_and_measured(name: str) -> None:
    games = _games(name)
    found = _simulated(games)
    tables = [_wins_of(games, value) for value in _drawn(games, 12, 3)]
    np.testing.assert_allclose(found.deviance, [_slow(table) for table in tables], atol=1e-6)
    if name != "battles":
        assert found.circles.tolist() == [_circles(table) for table in tables]
    assert found.second.shape == (12,)


def _circles(table: Floats) -> int:
    """Triples in which each player won most matches against the next, one by one."""
    ahead = table > table.T + 1e-9
    return sum(
        bool(
            (ahead[a, b] and ahead[b, c] and ahead[c, a])
            or (ahead[b, a] and ahead[c, b] and ahead[a, c])
        )
        for a, b, c in combinations(range(len(table)), 3)
    )


@pytest.mark.parametrize("name", ["complete", "gaps", "across", "weighted"])
def test_few_and_many_players_are_measured_alike(name: str) -> None:
    few = _simulated(_games(name))
    with _many_blocks():
        many = _simulated(_games(name))
    with _without_lookup():
        direct = _simulated(_games(name))
    for other in (many, direct):
        np.testing.assert_allclose(other.deviance, few.deviance, rtol=0, atol=1e-8)
        np.testing.assert_allclose(other.second, few.second, rtol=0, atol=1e-8)
        assert other.circles.size == 0


@pytest.mark.usefixtures("unscaled")
@pytest.mark.parametrize("ridge", [0.5, 2.0])
def test_drawn_tables_of_a_board_with_a_prior_are_refitted_with_it(ridge: float) -> None:
    games = _games("gaps")
    found = _simulated(games, ridge=ridge)
    exact = [_slow(_wins_of(games, value), ridge=ridge) for value in _drawn(games, 12, 3)]
    np.testing.assert_allclose(found.deviance, exact, atol=1e-6)


@pytest.mark.usefixtures("unscaled")
def test_second_tables_are_drawn_under_the_ratings_of_the_first() -> None:
    """With two rounds of two players a table is decided by its wins, 0, 1 or 2.

    After 1 the ratings are equal; after 0 or 2 the chance is (2 + ½)/(2 + 1).
    """
    games = Games("within", make_results(np.array([[2.0, 1.0], [1.0, 2.0]])))
    found = _simulated(games, simulations=4000)
    far = _slow(np.array([[0.0, 2.0], [0.0, 0.0]]))
    first, second = np.isclose(found.deviance, far), np.isclose(found.second, far)
    np.testing.assert_allclose(found.deviance[~first], 0.0, atol=1e-9)
    chance = 2.5 / 3.0
    for chosen, expected in ((first, chance**2 + (1.0 - chance) ** 2), (~first, 0.5)):
        count = int(chosen.sum())
        error = np.sqrt(expected * (1.0 - expected) / count)
        assert abs(second[chosen].mean() - expected) < 4.0 * error
    assert abs(first.mean() - 0.5) < 4.0 * np.sqrt(0.25 / 4000)


@pytest.mark.parametrize(("grid", "more"), [(0.0, False), (3.0, True)])
def test_drawn_tables_spread_as_the_observed_one_does(grid: float, more: bool) -> None:
    """Noise asks for a smaller scale, ties on most scores for a larger one."""
    scores = simulate(5, 20, 12)
    if grid:
        scores = np.round(scores / grid) * grid
    games = Games("within", make_results(scores))
    counted = games.count()
    beta = fit(counted.wins, counted.design).beta
    lab = goodness._Lab(
        plan_draws(games, beta), goodness._measurer(games, counted), counted.design, beta, 0.0
    )
    scale = goodness._find_scale(lab, np.random.default_rng(0))
    assert (scale > 1.0) == more
    _, ratings = lab.run(np.random.default_rng(1), np.tile(scale * beta, (400, 1)))
    spread = (ratings**2).sum(axis=1).mean()
    assert spread == pytest.approx(beta @ beta, rel=0.2 if more else 0.06)


def test_players_who_differ_less_than_noise_are_drawn_as_equals() -> None:
    games = Games("within", make_results(np.array([[2.0, 1.0], [1.0, 2.0]])))
    counted = games.count()
    lab = goodness._Lab(
        plan_draws(games, np.zeros(2)),
        goodness._measurer(games, counted),
        counted.design,
        np.zeros(2),
        0.0,
    )
    assert goodness._find_scale(lab, np.random.default_rng(0)) == 0.0


@pytest.mark.usefixtures("unscaled")
def test_the_share_of_tables_as_bad_as_the_observed_one_is_that_of_the_binomial() -> None:
    """Two players: the deviance depends on the wins alone, and equally bad tables count as bad."""
    rounds, won = 12, 9
    scores = np.array([[2.0, 1.0]] * won + [[1.0, 2.0]] * (rounds - won))
    games = Games("within", make_results(scores))
    observed = _measure(games)
    found = _simulated(games, simulations=4000).deviance
    deviances = [_slow(np.array([[0.0, k], [rounds - k, 0.0]])) for k in range(rounds + 1)]
    chance = (won + 0.5) / (rounds + 1.0)
    law = [comb(rounds, k) * chance**k * (1.0 - chance) ** (rounds - k) for k in range(rounds + 1)]
    expected = sum(p for p, d in zip(law, deviances, strict=True) if d >= observed - 1e-9)
    assert 0.2 < expected < 0.8
    error = np.sqrt(expected * (1.0 - expected) / found.size)
    assert abs((found >= observed).mean() - expected) < 4.0 * error


@pytest.mark.parametrize("name", ["complete", "across", "battles"])
def test_the_number_of_workers_changes_nothing(name: str) -> None:
    games = _games(name)
    counted = games.count()
    beta = fit(counted.wins, counted.design).beta
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(goodness, "CHUNK", (4, 4))
        calls = plan_simulations(games, counted, beta, ridge=0.0, simulations=18, seed=5)
    assert len(calls) == 5
    alone, together = (Simulated.join(list(run_calls(calls, n_jobs))) for n_jobs in (1, 2))
    np.testing.assert_array_equal(alone.deviance, together.deviance)
    np.testing.assert_array_equal(alone.second, together.second)
    np.testing.assert_array_equal(alone.circles, together.circles)
    assert alone.deviance.size == 18
    assert np.unique(alone.deviance).size > 12


# p-values -----------------------------------------------------------------------------------------


def test_few_bad_tables_count_with_the_observed_one() -> None:
    assert count_as_bad(np.array([1.0, 5.0, 2.0, 3.0]), 3.0) == (4, 3 / 5)
    assert count_as_bad(np.array([1.0, 2.0]), 3.0) == (2, 1 / 3)
    assert count_as_bad(np.full(ENOUGH - 1, 3.0), 3.0) == (ENOUGH - 1, 1.0)


def test_drawing_ends_with_enough_bad_tables() -> None:
    """Besag and Clifford: every third table is as bad, so the 50th comes with the 150th."""
    assert ENOUGH == 50
    deviances = np.tile([0.0, 1.0, 2.0], 100)
    assert count_as_bad(deviances, 2.0) == (150, 1 / 3)
    assert count_as_bad(deviances, 1.0) == (75, 2 / 3)
    assert count_as_bad(np.arange(250.0), 0.0) == (50, 1.0)
    assert count_as_bad(np.arange(250.0), 200.0) == (250, 1 / 5)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(1, 5), st.integers(0, 9))
def test_p_values_one_table_after_the_other(
    deviances: list[int], enough: int, observed: int
) -> None:
    bad, expected = 0, None
    for drawn, deviance in enumerate(deviances, start=1):
        bad += deviance >= observed
        if bad == enough:
            expected = (drawn, enough / drawn)
            break
    if expected is None:
        expected = (len(deviances), (bad + 1) / (len(deviances) + 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(goodness, "ENOUGH", enough)
        assert count_as_bad(np.array(deviances, np.float64), float(observed)) == expected


def test_a_share_is_corrected_by_tables_drawn_in_their_turn() -> None:
    """A quarter of the second tables reaches 13; of the first ones 5 of 10 do."""
    first = np.array([1.0, 3.0, 5.0, 7.0, 9.0, 13.0, 15.0, 17.0, 19.0, 21.0])
    second = np.array([1.0, 5.0, 9.0, 13.0, 17.0])
    assert correct_share(0.25, first, second) == 6 / 11
    assert correct_share(1.0, first, second) == 1.0
    assert correct_share(0.0, first, second) == 4 / 11


def test_simulations_are_joined_and_cut_in_their_order() -> None:
    parts = [
        Simulated(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5, 6])),
        Simulated(np.array([7.0]), np.array([8.0]), np.array([9])),
    ]
    whole = Simulated.join(parts)
    assert whole.deviance.tolist() == [1.0, 2.0, 7.0]
    assert whole.second.tolist() == [3.0, 4.0, 8.0]
    assert whole.circles.tolist() == [5, 6, 9]
    cut = whole.first(2)
    assert (cut.deviance.tolist(), cut.second.tolist(), cut.circles.tolist()) == (
        [1.0, 2.0],
        [3.0, 4.0],
        [5, 6],
    )


def test_large_boards_are_simulated_less_often() -> None:
    numbers = [most_simulations(number) for number in (12, 2_000_000, 2_000_001)]
    assert numbers == [500, 500, 100]
