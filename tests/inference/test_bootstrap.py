"""Replicates against one slow fit for each resampled table, and their summaries by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat

import numpy as np
import pytest
from conftest import make_results, simulate
from reference import Match, fit_slow, matches_across, matches_within, reach, win_matrix

from winodds.arrays import Bools, Floats, Ints
from winodds.fit.newton import fit
from winodds.inference import bootstrap
from winodds.inference.bootstrap import (
    percentile_interval,
    plan_replicates,
    ranks_of,
    share_out,
    shares_of_first,
)
from winodds.language.options import Estimator
from winodds.matches.games import Games
from winodds.matches.results import Battles
from winodds.workers import run_calls

GONE = np.nan
REPLICATES = 8


@contextmanager
def _counts_of() -> Iterator[list[Floats]]:
    """How often the clusters were drawn, one array for each call."""
    seen: list[Floats] = []
    draw = bootstrap._draw_counts

    def note(multiplicity: Floats, rng: np.random.Generator, size: int) -> Floats:
        seen.append(draw(multiplicity, rng, size))
        return seen[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "_draw_counts", note)
        yield seen


def _replicates(
    games: Games, *, ridge: float = 0.0, replicates: int = REPLICATES, seed: int = 1
) -> tuple[Floats, Floats]:
    """(B, m) ratings of the replicates, and (B, G) how often each cluster was drawn."""
    counted = games.count()
    prior = ridge**-0.5 if ridge else None
    estimator: Estimator = "ridge" if ridge else "bias-reduced"
    beta = fit(counted.wins, counted.design, estimator=estimator, prior_sd=prior).beta
    with _counts_of() as seen:
        calls = plan_replicates(games, counted, beta, ridge=ridge, replicates=replicates, seed=seed)
        ratings = np.concatenate(list(run_calls(calls, 1)))
    return ratings, np.concatenate(seen)


def _rate(table: Floats, *, ridge: float = 0.0) -> Floats:
    """(m,) ratings of (m, m) wins; NaN outside the largest component, if there is one."""
    met: Bools = reach(table + table.T)
    sizes = met.sum(axis=1)
    largest = np.flatnonzero(met[int(sizes.argmax())])
    assert (sizes == largest.size).sum() == largest.size or largest.size == 1
    ratings = np.full(len(table), np.nan)
    if largest.size > 1:
        part = table[np.ix_(largest, largest)]
        prior = ridge**-0.5 if ridge else 2.0
        estimator = "ridge" if ridge else "bias-reduced"
        ratings[largest] = fit_slow(part, estimator=estimator, prior_sd=prior).beta
    return ratings


def _resampled(matches: list[Match], times: Floats, players: int) -> Floats:
    """(m, m) wins when the matches of round r are played times[r] times."""
    again = [match for match in matches for _ in repeat(None, round(float(times[match.round])))]
    return win_matrix(again, players)


def _repeat_rounds(scores: Floats, times: Floats) -> Floats:
    return np.repeat(scores, np.round(times).astype(np.int64), axis=0)


def _check(ratings: Floats, tables: list[Floats], *, ridge: float = 0.0) -> None:
    exact = [_rate(table, ridge=ridge) for table in tables]
    np.testing.assert_allclose(ratings, exact, rtol=0, atol=1e-6)


# Rounds -------------------------------------------------------------------------------------------


def _scores(*, gaps: bool = False, seed: int = 2) -> Floats:
    scores = np.round(simulate(seed, 6, 9), 1)
    if gaps:
        scores[0, 1:3] = scores[4, 5] = scores[7, 0] = GONE
        scores[2, 3] = scores[2, 4] = scores[5, 0] = -np.inf
    return scores


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_replicates_of_rounds(gaps: bool, ridge: float) -> None:
    scores = _scores(gaps=gaps)
    ratings, counts = _replicates(Games("within", make_results(scores), 0.1), ridge=ridge)
    assert (counts.sum(axis=1) == 9).all()
    matches = matches_within(scores, tolerance=0.1)
    _check(ratings, [_resampled(matches, row, 6) for row in counts], ridge=ridge)


def test_a_replicate_is_the_plain_fit_of_a_table_of_repeated_rounds() -> None:
    scores = simulate(3, 7, 10)
    ratings, counts = _replicates(Games("within", make_results(scores)))
    for row, times in zip(ratings, counts, strict=True):
        again = _repeat_rounds(scores, times)
        counted = Games("within", make_results(again)).count()
        np.testing.assert_allclose(row, fit(counted.wins, counted.design).beta, atol=1e-6)


def test_replicates_of_clusters_of_rounds() -> None:
    scores, cluster = _scores(gaps=True), np.array([0, 0, 0, 1, 2, 2, 3, 4, 4])
    games = Games("within", make_results(scores, cluster=cluster.astype(np.float64)))
    ratings, counts = _replicates(games)
    assert counts.shape == (REPLICATES, 5)
    assert (counts.sum(axis=1) == 5).all()
    matches = matches_within(scores)
    _check(ratings, [_resampled(matches, row[cluster], 6) for row in counts])


def test_replicates_of_pooled_tournaments_keep_the_weights() -> None:
    """Every tournament weighs the same in the table itself: 9/3 rounds, by its number of them."""
    scores, tournament = _scores(), np.array([0, 0, 0, 0, 0, 1, 1, 2, 2])
    pooled = tournament.astype(np.float64)
    games = Games("within", make_results(scores, tournament=pooled, cluster=pooled))
    ratings, counts = _replicates(games)
    weight = np.repeat([3 / 5, 3 / 2, 3 / 2], [5, 2, 2])
    matches = matches_within(scores, weight=weight)
    _check(ratings, [_resampled(matches, row[tournament], 6) for row in counts])


def test_replicates_of_weighted_rounds() -> None:
    scores, weight = _scores(), np.linspace(0.2, 1.8, 9)
    ratings, counts = _replicates(Games("within", make_results(scores, weight=weight)))
    matches = matches_within(scores, weight=weight)
    _check(ratings, [_resampled(matches, row, 6) for row in counts])


def test_replicates_of_many_players() -> None:
    scores = simulate(4, 140, 12)
    ratings, counts = _replicates(Games("within", make_results(scores)), replicates=3)
    for row, times in zip(ratings, counts, strict=True):
        again = _repeat_rounds(scores, times)
        counted = Games("within", make_results(again)).count()
        np.testing.assert_allclose(row, fit(counted.wins, counted.design).beta, atol=1e-6)


# Across rounds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("tolerance", [0.0, 0.3])
def test_replicates_across_rounds(gaps: bool, tolerance: float) -> None:
    """Copies of a round meet each other, and every score but the player's own."""
    scores = _scores(gaps=gaps)
    games = Games("across", make_results(scores, across=True), tolerance)
    ratings, counts = _replicates(games, replicates=5)
    tables = [
        win_matrix(matches_across(_repeat_rounds(scores, row), tolerance=tolerance), 6)
        for row in counts
    ]
    _check(ratings, tables)


def test_replicates_across_rounds_of_clusters() -> None:
    scores, cluster = _scores(gaps=True), np.array([0, 0, 1, 1, 2, 2, 3, 3, 3])
    games = Games("across", make_results(scores, cluster=cluster.astype(np.float64), across=True))
    ratings, counts = _replicates(games, replicates=5, ridge=0.3)
    assert counts.shape == (5, 4)
    tables = [win_matrix(matches_across(_repeat_rounds(scores, row[cluster])), 6) for row in counts]
    _check(ratings, tables, ridge=0.3)


def test_replicates_of_pooled_tournaments_across_rounds() -> None:
    """A tournament drawn twice counts twice; its copies do not meet.

    With R rounds a match weighs 1/R², and the mean weight is one.
    """
    scores, tournament = _scores(gaps=True), np.array([0, 0, 0, 1, 1, 1, 1, 2, 2])
    pooled = tournament.astype(np.float64)
    games = Games("across", make_results(scores, tournament=pooled, cluster=pooled, across=True))
    ratings, counts = _replicates(games)
    own = [matches_across(scores[tournament == number]) for number in range(3)]
    weight = np.array([1 / 9, 1 / 16, 1 / 4])
    weight *= sum(map(len, own)) / (weight @ [len(matches) for matches in own])
    parts = [win_matrix(matches, 6) * one for matches, one in zip(own, weight, strict=True)]
    _check(ratings, list(np.tensordot(counts, np.stack(parts), axes=1)))


# Battles ------------------------------------------------------------------------------------------


def _battles(cluster: Ints | None, weight: Floats | None = None) -> tuple[Games, list[Match]]:
    matches = matches_within(np.round(simulate(5, 5, 6)))
    first, second, outcome = (
        np.array(column)
        for column in zip(*((m.first, m.second, m.outcome) for m in matches), strict=True)
    )
    # Some battles are told from the other side.
    swap = np.arange(first.size) % 3 == 0
    played = Battles(
        players=5,
        first=np.where(swap, second, first),
        second=np.where(swap, first, second),
        outcome=np.where(swap, 1.0 - outcome, outcome),
        weight=np.ones(first.size) if weight is None else weight,
        cluster=cluster,
    )
    return Games("battles", played), matches


def test_replicates_of_battles_in_clusters() -> None:
    cluster = np.array([m.round for m in _battles(None)[1]])
    weight = np.random.default_rng(5).uniform(0.5, 2.0, cluster.size)
    games, matches = _battles(cluster, weight)
    ratings, counts = _replicates(games)
    assert counts.shape == (REPLICATES, 6)
    weighted = [
        Match(m.first, m.second, m.outcome, float(w / weight.mean()), m.round)
        for m, w in zip(matches, weight, strict=True)
    ]
    _check(ratings, [_resampled(weighted, row, 5) for row in counts])


@pytest.mark.parametrize("weights", [[1.0], [0.5, 2.0]])
def test_replicates_of_single_battles(weights: list[float]) -> None:
    """Equal battles are drawn together: sorted by pair, then outcome, then weight."""
    size = len(_battles(None)[1])
    weight = np.resize(np.array(weights), size)
    games, matches = _battles(None, weight)
    ratings, counts = _replicates(games)
    assert (counts.sum(axis=1) == size).all()
    scaled = (weight / weight.mean()).tolist()
    kinds = [(m.first, m.second, m.outcome, w) for m, w in zip(matches, scaled, strict=True)]
    different = sorted(set(kinds))
    assert counts.shape == (REPLICATES, len(different))
    assert len(different) < size
    sources = [Match(*kind, k) for k, kind in enumerate(different)]
    _check(ratings, [_resampled(sources, row, 5) for row in counts])


def test_equal_battles_are_drawn_as_often_as_single_ones() -> None:
    """Three wins of four: the wins of a replicate are binomial with four draws of 3/4."""
    battles = Battles(
        players=2,
        first=np.zeros(4, np.int64),
        second=np.ones(4, np.int64),
        outcome=np.array([1.0, 0.0, 1.0, 1.0]),
        weight=np.ones(4),
        cluster=None,
    )
    ratings, counts = _replicates(Games("battles", battles), replicates=4000)
    wins = counts[:, 1]
    expected = np.log((wins + 0.5) / (4.0 - wins + 0.5)) / 2.0
    np.testing.assert_allclose(ratings, np.stack([expected, -expected], axis=1), atol=1e-8)
    assert abs(wins.mean() - 3.0) < 4.0 * np.sqrt(4 * 0.75 * 0.25 / 4000)
    assert abs(wins.var() - 0.75) < 0.1


# Players who are missing --------------------------------------------------------------------------


def _check_missing(games: Games, matches: list[Match], *, replicates: int = 40) -> Floats:
    ratings, counts = _replicates(games, replicates=replicates)
    _check(ratings, [_resampled(matches, row, games.players) for row in counts])
    rated = ~np.isnan(ratings).all(axis=1)
    np.testing.assert_allclose(np.nanmean(ratings[rated], axis=1), 0.0, atol=1e-9)
    return ratings


def test_a_player_of_one_round_is_missing_without_it() -> None:
    scores = simulate(6, 5, 6)
    scores[1:, 0] = GONE
    ratings = _check_missing(Games("within", make_results(scores)), matches_within(scores))
    missing = np.isnan(ratings)
    assert not missing[:, 1:].any()
    # (5/6)⁶ of the replicates lack one given round of six.
    assert 0 < missing[:, 0].sum() < 40
    assert abs(missing[:, 0].mean() - (5 / 6) ** 6) < 4.0 * np.sqrt(0.25 / 40)


def test_players_who_fall_apart_leave_the_larger_part() -> None:
    """Rounds 0–2 are of players 0 to 2, rounds 3–5 of players 3 and 4, and round 6 links them."""
    scores = np.full((7, 5), GONE)
    scores[:3, :3], scores[3:6, 3:] = simulate(7, 3, 3), simulate(8, 2, 3)
    scores[6] = np.arange(5.0)
    games, matches = Games("within", make_results(scores)), matches_within(scores)
    ratings, counts = _replicates(games, replicates=60)
    for row, times in zip(ratings, counts, strict=True):
        left, right = times[:3].sum() > 0.0, times[3:6].sum() > 0.0
        if times[6] > 0.0:
            seen = [0, 1, 2, 3, 4]
        elif left:
            seen = [0, 1, 2]
        else:
            assert right
            seen = [3, 4]
        assert np.flatnonzero(~np.isnan(row)).tolist() == seen
        part = _resampled(matches, times, 5)[np.ix_(seen, seen)]
        exact = fit_slow(part, estimator="bias-reduced").beta
        np.testing.assert_allclose(row[seen], exact, atol=1e-6)
    assert np.isnan(ratings).any(axis=1).sum() > 5


def test_players_missing_across_rounds() -> None:
    scores = _scores()
    scores[1:, 0] = GONE
    games = Games("across", make_results(scores, across=True))
    ratings, counts = _replicates(games, replicates=10)
    tables = [win_matrix(matches_across(_repeat_rounds(scores, row)), 6) for row in counts]
    _check(ratings, tables)
    assert 0 < np.isnan(ratings[:, 0]).sum() < 10


def test_players_missing_in_battles() -> None:
    """A chain of three players: without the middle pair's battles the last one is missing."""
    first, second = np.array([0, 0, 0, 1]), np.array([1, 1, 1, 2])
    outcome = np.array([1.0, 0.0, 1.0, 1.0])
    cluster = np.arange(4)
    games = Games("battles", Battles(3, first, second, outcome, np.ones(4), cluster))
    matches = [
        Match(int(a), int(b), float(won), 1.0, k)
        for k, (a, b, won) in enumerate(zip(first, second, outcome, strict=True))
    ]
    ratings, counts = _replicates(games, replicates=30)
    for row, times in zip(ratings, counts, strict=True):
        table = _resampled(matches, times, 3)
        if times[3] == 0.0:
            assert np.isnan(row).tolist() == [False, False, True]
        if times[3] == 4.0:
            assert np.isnan(row).tolist() == [True, False, False]
        np.testing.assert_allclose(row, _rate(table), atol=1e-6)
    assert np.isnan(ratings[:, 2]).any()


def test_failed_runs_are_missing_where_nobody_scored() -> None:
    """Player 0 only ever failed, in rounds 0 and 1; what links it are the scores of player 2."""
    scores = np.array([[0.0, 0.0, 3.0], [0.0, 2.0, 1.0], [GONE, 1.0, 2.0], [GONE, 3.0, 2.0]])
    scores[0, :2] = scores[1, 0] = -np.inf
    ratings = _check_missing(Games("within", make_results(scores)), matches_within(scores))
    assert 0 < np.isnan(ratings[:, 0]).sum() < 40
    assert not np.isnan(ratings[:, 1:]).any()


# Calls --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["within", "across", "battles"])
def test_seeds_decide_and_workers_do_not(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "CHUNK", (7, 7))
    monkeypatch.setattr(bootstrap, "CHUNK_OF_PAIRS", (7, 7))
    scores = _scores(gaps=True)
    games = _battles(None)[0]
    if kind == "within":
        games = Games("within", make_results(scores))
    elif kind == "across":
        games = Games("across", make_results(scores, across=True))
    counted = games.count()
    beta = fit(counted.wins, counted.design).beta

    def run(seed: int, n_jobs: int) -> Floats:
        calls = plan_replicates(games, counted, beta, ridge=0.0, replicates=24, seed=seed)
        assert len(calls) == 4
        return np.concatenate(list(run_calls(calls, n_jobs)))

    alone = run(1, 1)
    assert alone.shape == (24, games.players)
    np.testing.assert_array_equal(alone, run(1, 1))
    np.testing.assert_array_equal(alone, run(1, 2))
    assert not np.array_equal(alone, run(2, 1), equal_nan=True)
    # The calls have streams of their own: no two of them draw the same tables.
    assert np.unique(alone[[0, 7, 14, 21]], axis=0).shape[0] == 4


def test_replicates_are_shared_out_by_the_number_of_players() -> None:
    assert share_out(1000, 10, (200, 500)) == [500, 500]
    assert share_out(450, 10_000, (200, 500)) == [200, 200, 50]
    assert share_out(600, 30, (20, 500)) == [291, 291, 18]
    assert share_out(3, 10, (20, 500)) == [3]


# Summaries ----------------------------------------------------------------------------------------


def test_shares_of_first_by_hand() -> None:
    ratings = np.array(
        [
            [1.0, 0.0, -1.0],
            [0.5, 0.5, -1.0],
            [GONE, -0.5, 0.5],
            [1.0 / 3.0, 1.0 / 3.0 + 1e-12, 1.0 / 3.0],
        ]
    )
    found = shares_of_first(ratings)
    thirds = 1.0 / 3.0
    np.testing.assert_allclose(
        found, [(1 + 0.5 + 0 + thirds) / 4, (0.5 + thirds) / 4, (1 + thirds) / 4]
    )
    assert found.sum() == pytest.approx(1.0)


def test_chances_leave_out_replicates_without_a_match() -> None:
    ratings = np.array([[GONE, GONE], [1.0, -1.0], [GONE, GONE]])
    assert shares_of_first(ratings).tolist() == [1.0, 0.0]
    assert np.isnan(shares_of_first(ratings[:1])).all()


def test_ranks_by_hand() -> None:
    ratings = np.array(
        [[0.1, 0.9, -1.0, 0.9], [GONE, 2.0, -2.0, 0.0], [1.0, 1.0 + 1e-12, 1.0 - 1e-12, -3.0]]
    )
    np.testing.assert_array_equal(
        ranks_of(ratings), [[3.0, 1.0, 4.0, 1.0], [GONE, 1.0, 3.0, 2.0], [1.0, 1.0, 1.0, 4.0]]
    )


def test_percentile_intervals_by_hand() -> None:
    values = np.arange(101.0)
    low, high = percentile_interval(values, 0.9)
    assert (float(low), float(high)) == pytest.approx((5.0, 95.0))
    table = np.stack([values, 2.0 * values[::-1]], axis=1)
    table = np.vstack([table, [[GONE, GONE]]])
    low, high = percentile_interval(table, 0.8)
    np.testing.assert_allclose([low, high], [[10.0, 20.0], [90.0, 180.0]])
