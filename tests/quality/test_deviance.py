"""Deviance, calibration, worst pairs and circles: by hand, by brute force, and from R."""

import tracemalloc
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from conftest import make_results, score_tables, shared_file, simulate
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from reference import Match, matches_across, matches_within, reach, win_matrix
from scipy import stats
from scipy.special import expit, xlogy

from winodds.arrays import Bools, Floats
from winodds.fit.newton import fit
from winodds.language.options import Estimator
from winodds.matches import pairs as tally
from winodds.matches.games import Games
from winodds.matches.results import Battles, MatchKind
from winodds.quality import deviance as quality
from winodds.quality.deviance import (
    Calibration,
    Misfit,
    Survey,
    chi2_p_value,
    count_circles,
    degrees_of_freedom,
    find_circles,
    join_calibrations,
    lead_matrix,
    survey,
)

GONE = np.nan


def _survey(games: Games, estimator: Estimator = "bias-reduced") -> Survey:
    counted = games.count()
    return survey(games, counted, fit(counted.wins, counted.design, estimator=estimator).beta)


# Numbers from R -----------------------------------------------------------------------------------


def _vtab() -> Games:
    table = pl.read_csv(shared_file("data/vtab_leaderboard.csv"), separator=";")
    scores = table.drop("Model", "Mean").cast(pl.Float64).to_numpy().T
    assert scores.shape == (19, 16)
    return Games("within", make_results(scores))


def test_vtab_deviance() -> None:
    found = _survey(_vtab(), "mle")
    assert found.deviance == pytest.approx(64.6926136880079, abs=1e-8)
    assert degrees_of_freedom(found.pairs, 16, 1, "pairs") == 105
    assert 2.0 * found.deviance == pytest.approx(129.385227, abs=1e-6)
    assert degrees_of_freedom(found.pairs, 16, 1, "paper") == 224


def test_vtab_deviance_at_the_bias_reduced_estimate() -> None:
    assert _survey(_vtab()).deviance == pytest.approx(64.80, abs=0.005)


def test_eloml_deviance_across_splits() -> None:
    table = pl.read_csv(shared_file("data/eloml_auc_scores.csv"))
    wide = table.pivot("model", index="split", values="auc").drop("split")
    games = Games("across", make_results(wide.to_numpy()))
    found = _survey(games, "mle")
    assert found.deviance == pytest.approx(7880.72985907168, abs=1e-6)
    assert degrees_of_freedom(found.pairs, 80, 1, "pairs") == 3081
    assert games.count().ties == 6233


# Deviance -----------------------------------------------------------------------------------------


def _deviance(table: Floats, beta: Floats) -> float:
    """2 Σ N [p log(p/p̂) + (1 − p) log((1 − p)/(1 − p̂))], pair after pair."""
    total = 0.0
    for i, j in _met(table):
        met = table[i, j] + table[j, i]
        share, fitted = table[i, j] / met, float(expit(beta[i] - beta[j]))
        other = float(expit(beta[j] - beta[i]))
        total += met * float(xlogy(share, share / fitted))
        total += met * float(xlogy(1.0 - share, (1.0 - share) / other))
    return 2.0 * total


def _met(table: Floats) -> list[tuple[int, int]]:
    pairs = combinations(range(len(table)), 2)
    return [(i, j) for i, j in pairs if table[i, j] + table[j, i] > 0.0]


def test_a_deviance_by_hand() -> None:
    """Two players, two wins of three, rated equal."""
    games = Games("within", make_results(np.array([[2.0, 1.0], [2.0, 1.0], [1.0, 2.0]])))
    found = survey(games, games.count(), np.zeros(2))
    expected = 2.0 * 3.0 * (2 / 3 * np.log(4 / 3) + 1 / 3 * np.log(2 / 3))
    assert found.deviance == pytest.approx(expected, abs=1e-12)
    assert found.pairs == 1


@given(score_tables(missing=True), st.integers(-1, 2), st.sampled_from([0.0, 2.5]), st.booleans())
def test_the_survey_is_a_sum_over_pairs(
    scores: Floats, level: int, tolerance: float, across: bool
) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    twin = matches_across if across else matches_within
    matches = twin(scores, tolerance=tolerance)
    if len({match.round for match in matches}) < 2:
        return
    table = win_matrix(matches, scores.shape[1])
    kind: MatchKind = "across" if across else "within"
    games = Games(kind, make_results(scores, across=across), tolerance)
    beta = np.random.default_rng(0).normal(size=len(table))
    found = survey(games, games.count(), beta)
    assert found.pairs == len(_met(table))
    assert found.deviance == pytest.approx(_deviance(table, beta), rel=1e-10, abs=1e-10)
    _check_worst(found, table, beta)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "CELLS", 7)
        patch.setattr(tally, "SMALL_BLOCK", 0)
        parts = survey(games, games.count(), beta)
    assert parts.deviance == pytest.approx(found.deviance, rel=1e-12, abs=1e-12)
    assert parts.pairs == found.pairs
    _check_worst(parts, table, beta)
    for name in Calibration.__slots__:
        np.testing.assert_allclose(
            getattr(parts.calibration, name), getattr(found.calibration, name), rtol=1e-12
        )


def test_the_survey_of_battles_is_a_sum_over_pairs() -> None:
    matches = matches_within(np.round(simulate(1, 6, 5)))[::2]
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(matches))
    first, second, outcome = (
        np.array(column)
        for column in zip(*((m.first, m.second, m.outcome) for m in matches), strict=True)
    )
    games = Games("battles", Battles(6, first, second, outcome, weight, None))
    scaled = [
        Match(m.first, m.second, m.outcome, float(w / weight.mean()), 0)
        for m, w in zip(matches, weight, strict=True)
    ]
    table, beta = win_matrix(scaled, 6), np.linspace(1.0, -1.0, 6)
    found = survey(games, games.count(), beta)
    assert found.deviance == pytest.approx(_deviance(table, beta), abs=1e-10)
    assert found.pairs == len(_met(table))
    _check_worst(found, table, beta)


def test_a_deviance_of_ratings_far_apart_is_a_number() -> None:
    """1 − p̂ is 0 in floating point here; one lost match costs twice the difference."""
    games = Games("within", make_results(np.array([[2.0, 1.0], [1.0, 2.0]])))
    found = survey(games, games.count(), np.array([400.0, -400.0]))
    assert found.deviance == pytest.approx(2.0 * (800.0 + 2.0 * np.log(0.5)), rel=1e-12)


def test_the_deviance_of_weighted_rounds_is_a_sum_over_pairs() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        scores, weight = simulate(seed, 5, 7, spread=3.0), rng.exponential(size=7)
        scores[rng.random(scores.shape) < 0.2] = GONE
        matches = matches_within(scores)
        counts = np.bincount([match.round for match in matches], minlength=7)
        scaled = weight * counts.sum() / (weight @ counts)
        games = Games("within", make_results(scores, weight=weight))
        beta = np.linspace(1.0, -1.0, 5)
        exact = _deviance(win_matrix(matches_within(scores, weight=scaled), 5), beta)
        assert survey(games, games.count(), beta).deviance == pytest.approx(exact, rel=1e-9)


def test_the_deviance_across_rounds_with_gaps_is_a_sum_over_pairs() -> None:
    for seed in range(5):
        scores = simulate(seed, 12, 20, spread=5.0)
        scores[np.random.default_rng(seed).random(scores.shape) < 0.5] = GONE
        games = Games("across", make_results(scores, across=True))
        beta = np.linspace(1.0, -1.0, 12)
        exact = _deviance(win_matrix(matches_across(scores), 12), beta)
        assert survey(games, games.count(), beta).deviance == pytest.approx(exact, rel=1e-9)


def test_the_maximum_likelihood_has_the_smallest_deviance() -> None:
    scores = simulate(2, 6, 12, spread=0.5)
    assert reach(win_matrix(matches_within(scores), 6)).all()
    games = Games("within", make_results(scores))
    counted = games.count()
    beta = fit(counted.wins, counted.design, estimator="mle").beta
    smallest = survey(games, counted, beta).deviance
    rng = np.random.default_rng(2)
    for _ in range(10):
        moved = beta + 0.02 * rng.normal(size=6)
        assert survey(games, counted, moved).deviance > smallest


def test_degrees_of_freedom_by_hand() -> None:
    # Complete: (m − 1)(m − 2)/2, and m(m − 2) in the paper.
    assert degrees_of_freedom(10, 5, 1, "pairs") == 6
    assert degrees_of_freedom(10, 5, 1, "paper") == 15
    # Two components that never met, of three players each, and a chain, where every table fits.
    assert degrees_of_freedom(6, 6, 2, "pairs") == 2
    assert degrees_of_freedom(4, 5, 1, "pairs") == 0


@given(st.floats(0.0, 200.0), st.integers(1, 150))
def test_chi_square_tails(deviance: float, df: int) -> None:
    assert chi2_p_value(deviance, df) == pytest.approx(stats.chi2.sf(deviance, df), rel=1e-9)


def test_without_degrees_of_freedom_every_table_fits() -> None:
    assert chi2_p_value(0.0, 0) == 1.0


# Calibration --------------------------------------------------------------------------------------


def _logit(chance: float) -> float:
    return float(np.log(chance / (1.0 - chance)))


def test_calibration_by_hand() -> None:
    """Chances of 0.62 (0 against 1), 0.83 (1 against 2) and, by their odds, 0.888 (0 against 2)."""
    scores = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [1.0, 2.0, 3.0]])
    games = Games("within", make_results(scores))
    beta = np.array([_logit(0.62) + _logit(0.83), _logit(0.83), 0.0])
    odds = 0.62 / 0.38 * 0.83 / 0.17
    found = survey(games, games.count(), beta).calibration
    np.testing.assert_allclose(found.low, [0.6, 0.8, 0.85])
    np.testing.assert_allclose(found.high, [0.65, 0.85, 0.9])
    assert found.pairs.tolist() == [1, 1, 1]
    assert found.matches.tolist() == [4.0, 4.0, 4.0]
    np.testing.assert_allclose(found.fitted, [0.62, 0.83, odds / (1.0 + odds)], rtol=1e-12)
    np.testing.assert_allclose(found.observed, [0.75, 0.5, 0.75])


def test_calibration_takes_the_favourites_side_and_weighs_by_matches() -> None:
    scores = np.array([[1.0, 2.0, GONE], [1.0, 2.0, GONE], [2.0, 1.0, GONE], [1.0, GONE, 2.0]])
    games = Games("within", make_results(scores))
    beta = np.array([0.0, _logit(0.72), _logit(0.74)])
    found = survey(games, games.count(), beta).calibration
    np.testing.assert_allclose(found.low, [0.7])
    assert found.pairs.tolist() == [2]
    assert found.matches.tolist() == [4.0]
    np.testing.assert_allclose(found.fitted, [(3 * 0.72 + 0.74) / 4])
    np.testing.assert_allclose(found.observed, [(2 + 1) / 4])


def test_equals_and_certainties_fall_in_the_first_and_last_bin() -> None:
    games = Games("within", make_results(np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]])))
    found = survey(games, games.count(), np.array([60.0, 60.0, -60.0])).calibration
    np.testing.assert_allclose(found.low, [0.5, 0.95])
    np.testing.assert_allclose(found.high, [0.55, 1.0])
    assert found.pairs.tolist() == [1, 2]
    np.testing.assert_allclose(found.observed, [0.5, 1.0])
    np.testing.assert_allclose(found.fitted, [0.5, 1.0])


def test_calibrations_of_components_are_joined_by_bin() -> None:
    one = Calibration(
        low=np.array([0.5, 0.9]),
        high=np.array([0.55, 0.95]),
        pairs=np.array([2, 1]),
        matches=np.array([10.0, 5.0]),
        fitted=np.array([0.52, 0.91]),
        observed=np.array([0.6, 1.0]),
    )
    two = Calibration(
        low=np.array([0.5]),
        high=np.array([0.55]),
        pairs=np.array([3]),
        matches=np.array([30.0]),
        fitted=np.array([0.54]),
        observed=np.array([0.5]),
    )
    found = join_calibrations([one, two])
    np.testing.assert_allclose(found.low, [0.5, 0.9])
    assert found.pairs.tolist() == [5, 1]
    assert found.matches.tolist() == [40.0, 5.0]
    np.testing.assert_allclose(found.fitted, [0.535, 0.91])
    np.testing.assert_allclose(found.observed, [0.525, 1.0])


@pytest.mark.parametrize("place", range(10))
def test_every_bin_joins_its_own(place: int) -> None:
    """The ends of bins are not exact decimals; a bin is found again by its own lower end."""
    low = quality.BINS[place : place + 1]
    own = Calibration(low, low + 0.05, np.array([1]), np.array([2.0]), low + 0.01, low + 0.02)
    np.testing.assert_array_equal(join_calibrations([own]).low, low)


# Worst pairs --------------------------------------------------------------------------------------


def _check_worst(found: Survey, table: Floats, beta: Floats) -> None:
    """The largest residuals, in falling order, with the numbers of their pairs."""
    exact = {}
    for i, j in _met(table):
        met, chance = table[i, j] + table[j, i], float(expit(beta[i] - beta[j]))
        deviation = np.sqrt(met * chance * (1.0 - chance))
        exact[i, j] = Misfit(
            i, j, table[i, j], met, met * chance, float((table[i, j] - met * chance) / deviation)
        )
    falling = sorted((abs(pair.residual) for pair in exact.values()), reverse=True)[:5]
    sizes = [abs(pair.residual) for pair in found.worst]
    np.testing.assert_allclose(sizes, falling, rtol=1e-9, atol=1e-9)
    assert len({(pair.first, pair.second) for pair in found.worst}) == len(found.worst)
    for pair in found.worst:
        twin = exact[pair.first, pair.second]
        for name in ("won", "met", "expected", "residual"):
            assert getattr(pair, name) == pytest.approx(getattr(twin, name), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("players", [12, 70])
def test_worst_pairs_among_many(players: int) -> None:
    scores = simulate(3, players, 9)
    columns = scores.T
    table = np.array([[(own > other).sum() for other in columns] for own in columns], np.float64)
    games = Games("within", make_results(scores))
    beta = np.random.default_rng(3).normal(size=players)
    _check_worst(survey(games, games.count(), beta), table, beta)


def test_a_worst_pair_by_hand() -> None:
    games = Games("within", make_results(np.array([[1.0, 2.0]] * 4)))
    (pair,) = survey(games, games.count(), np.array([_logit(0.8), 0.0])).worst
    assert (pair.first, pair.second, pair.won, pair.met) == (0, 1, 0.0, 4.0)
    assert pair.expected == pytest.approx(3.2)
    assert pair.residual == pytest.approx(-3.2 / np.sqrt(4 * 0.8 * 0.2))


# Circles ------------------------------------------------------------------------------------------


def _circles(lead: list[list[Fraction]]) -> dict[frozenset[int], Fraction]:
    """Every triple that goes round, with its smallest majority."""
    found = {}
    for a, b, c in combinations(range(len(lead)), 3):
        for order in ((a, b, c), (a, c, b)):
            steps = [lead[order[k]][order[(k + 1) % 3]] for k in range(3)]
            if min(steps) > 0:
                found[frozenset(order)] = min(steps)
    return found


def _fractions(table: Floats) -> list[list[Fraction]]:
    """Wins minus losses by match, exactly; wins are halves."""
    twice = np.round(2.0 * table).astype(np.int64).tolist()
    players = range(len(table))
    return [
        [Fraction(twice[i][j] - twice[j][i], max(1, twice[i][j] + twice[j][i])) for j in players]
        for i in players
    ]


majorities = hnp.arrays(
    np.int64, st.integers(3, 8).map(lambda m: (m, m)), elements=st.integers(-4, 4)
)


@given(majorities)
def test_circles_are_all_triples_that_go_round(drawn: Floats) -> None:
    lead = np.triu(drawn, 1) - np.triu(drawn, 1).T
    exact = _circles([[Fraction(int(x)) for x in row] for row in lead])
    found = find_circles(lead.astype(np.float64))
    players = len(lead)
    assert found.count == len(exact)
    assert found.triples == players * (players - 1) * (players - 2) // 6
    strongest = [frozenset(row) for row in found.strongest.tolist()]
    best = max(exact.values(), default=Fraction(0))
    clearest = [circle for circle, smallest in exact.items() if smallest == best]
    assert len(set(strongest)) == len(strongest) == min(5, len(clearest))
    assert set(strongest) <= set(clearest)
    for a, b, c in found.strongest.tolist():
        assert min(lead[a, b], lead[b, c], lead[c, a]) == best


@pytest.mark.parametrize("rows", [2, 512])
def test_circles_of_many_players_are_counted_in_parts(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quality, "ROWS", rows)
    ahead: Bools = np.triu(np.random.default_rng(4).random((25, 25)) < 0.5, 1)
    ahead |= np.tril(~ahead.T, -1)
    exact = _circles([[Fraction(int(x)) for x in row] for row in ahead])
    assert count_circles(ahead) == len(exact)


def test_a_regular_tournament_has_the_most_circles() -> None:
    """Everybody beats the next (m − 1)/2 round a table: m(m² − 1)/24 circles (Kendall 1940)."""
    players = 601
    step = (np.arange(players)[None, :] - np.arange(players)[:, None]) % players
    ahead: Bools = (step > 0) & (step <= players // 2)
    assert count_circles(ahead) == players * (players**2 - 1) // 24


def test_scissors_cut_paper() -> None:
    scores = np.array([[3.0, 2.0, 1.0, 0.0], [1.0, 3.0, 2.0, 0.0], [2.0, 1.0, 3.0, 0.0]])
    games = Games("within", make_results(scores))
    found = find_circles(lead_matrix(games, games.count()))
    assert (found.count, found.triples) == (1, 4)
    assert found.strongest.tolist() == [[0, 1, 2]]


def test_no_circles_have_no_strongest() -> None:
    found = find_circles(np.array([[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, -1.0, 0.0]]))
    assert (found.count, found.triples, found.strongest.shape) == (0, 1, (0, 3))


def test_majorities_by_hand() -> None:
    scores = np.array([[2.0, 1.0, GONE, GONE], [2.0, 1.0, 1.0, GONE], [1.0, 2.0, GONE, 2.0]])
    games = Games("within", make_results(scores))
    lead = lead_matrix(games, games.count())
    third = pytest.approx(1 / 3)
    assert lead[0].tolist() == [0.0, third, 1.0, -1.0]
    assert lead[1].tolist() == [pytest.approx(-1 / 3), 0.0, 0.0, 0.0]
    assert np.isnan([lead[2, 3], lead[3, 2]]).all()
    assert find_circles(lead).triples == 2


@given(score_tables(missing=True, levels=4), st.booleans())
def test_majorities_are_wins_minus_losses_by_match(scores: Floats, across: bool) -> None:
    matches = matches_across(scores) if across else matches_within(scores)
    if len({match.round for match in matches}) < 2:
        return
    kind: MatchKind = "across" if across else "within"
    games = Games(kind, make_results(scores, across=across))
    exact = _fractions(win_matrix(matches, scores.shape[1]))
    lead = lead_matrix(games, games.count())
    known = np.eye(scores.shape[1], dtype=bool)
    for match in matches:
        known[match.first, match.second] = known[match.second, match.first] = True
    wanted = np.where(known, [[float(x) for x in row] for row in exact], np.nan)
    np.testing.assert_allclose(lead, wanted, atol=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "CELLS", 7)
        patch.setattr(tally, "SMALL_BLOCK", 0)
        np.testing.assert_array_equal(lead_matrix(games, games.count()), lead)
    found = find_circles(lead)
    assert found.count == len(_circles(exact))
    triples = combinations(range(scores.shape[1]), 3)
    assert found.triples == sum(known[a, b] and known[b, c] and known[a, c] for a, b, c in triples)


def test_equal_majorities_are_equally_strong() -> None:
    """Two circles whose smallest majority is 2 : 1, of the lower number and of the higher."""
    steps = [(0, 1, 2), (1, 2, 3), (2, 0, 3), (3, 4, 3), (4, 5, 3), (5, 3, 2)]
    rows = [(a, b, float(k < won)) for a, b, won in steps for k in range(3)]
    first, second, outcome = (np.array(column) for column in zip(*rows, strict=True))
    games = Games("battles", Battles(6, first, second, outcome, np.ones(outcome.size), None))
    found = find_circles(lead_matrix(games, games.count()))
    assert found.count == 2
    assert found.strongest.tolist() == [[0, 1, 2], [3, 4, 5]]


# Memory -------------------------------------------------------------------------------------------


def test_two_million_pairs_fit_in_little_memory() -> None:
    games = Games("within", make_results(simulate(5, 2000, 20)))
    counted = games.count()
    beta = fit(counted.wins, counted.design).beta
    tracemalloc.start()
    try:
        found = survey(games, counted, beta)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.pairs == 1_999_000
    assert peak < 200e6
