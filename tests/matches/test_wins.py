"""Wins by sorting against matches counted one by one."""

import numpy as np
import pytest
from conftest import make_results, score_tables
from hypothesis import given, strategies as st
from reference import Match, matches_across, matches_within, win_matrix

from winodds.arrays import Floats
from winodds.errors import ClusterSplitsTournament, NoMatches, TooFewClusters
from winodds.matches.across import count_across
from winodds.matches.battles import count_battles
from winodds.matches.results import Battles
from winodds.matches.wins import RoundEvidence, Wins
from winodds.matches.within import count_within


def _check(wins: Wins, matches: list[Match], players: int) -> None:
    table = win_matrix(matches, players)
    np.testing.assert_allclose(wins.wins, table.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(wins.design.met(), table + table.T, atol=1e-12)
    np.testing.assert_allclose(
        wins.design.weight_of_matches(), (table + table.T).sum(axis=1), atol=1e-12
    )
    assert wins.matches == len(matches)
    assert wins.ties == sum(match.outcome == 0.5 for match in matches)
    count = np.zeros(players)
    for match in matches:
        count[[match.first, match.second]] += 1
    np.testing.assert_array_equal(wins.raw_matches, count)


@given(score_tables(missing=True), st.sampled_from([0.0, 1.0, 2.5]))
def test_wins_within_rounds_equal_counted_matches(scores: Floats, tolerance: float) -> None:
    matches = matches_within(scores, tolerance=tolerance)
    if len({match.round for match in matches}) > 1:
        wins = count_within(make_results(scores), tolerance=tolerance)
        _check(wins, matches, scores.shape[1])


@given(score_tables(missing=True), st.sampled_from([0.0, 1.0, 2.5]))
def test_wins_across_rounds_equal_counted_matches(scores: Floats, tolerance: float) -> None:
    matches = matches_across(scores, tolerance=tolerance)
    if matches and (~np.isnan(scores)).any(axis=1).sum() > 1:
        wins = count_across(make_results(scores, across=True), tolerance=tolerance)
        _check(wins, matches, scores.shape[1])


@given(score_tables(missing=True), st.integers(0, 2))
def test_failed_runs_lose_to_every_score_and_do_not_meet(scores: Floats, level: int) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    within, across = matches_within(scores), matches_across(scores)
    if len({match.round for match in within}) > 1:
        _check(count_within(make_results(scores)), within, scores.shape[1])
    if across and (~np.isnan(scores)).any(axis=1).sum() > 1:
        _check(count_across(make_results(scores, across=True)), across, scores.shape[1])


@given(score_tables(missing=True), st.integers(0, 2))
def test_wins_by_cluster_are_those_that_go_with_it(scores: Floats, level: int) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    if not matches_across(scores) or (~np.isnan(scores)).any(axis=1).sum() < 2:
        return
    wins = count_across(make_results(scores, across=True))
    scores = scores[(~np.isnan(scores)).any(axis=1)]
    for r in range(scores.shape[0]):
        rest = scores.copy()
        rest[r] = np.nan
        gone = win_matrix(matches_across(scores), scores.shape[1]) - win_matrix(
            matches_across(rest), scores.shape[1]
        )
        assert isinstance(wins.evidence, RoundEvidence)
        assert isinstance(wins.evidence.wins, np.ndarray)
        np.testing.assert_allclose(wins.evidence.wins[r], gone.sum(axis=1), atol=1e-12)


def test_tolerance_ties_are_not_transitive() -> None:
    scores = np.array([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]])
    wins = count_within(make_results(scores), tolerance=1.0)
    assert wins.wins.tolist() == [1.0, 2.0, 3.0]
    assert wins.ties == 4


def test_tolerance_means_decimal_differences() -> None:
    scores = np.array([[0.80, 0.79], [0.80, 0.79]])
    assert count_within(make_results(scores), tolerance=0.01).ties == 2
    assert count_within(make_results(scores), tolerance=0.0099).ties == 0


def test_weights_are_normalised_to_mean_one() -> None:
    scores = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 3.0, 2.0]])
    wins = count_within(make_results(scores, weight=np.array([1.0, 2.0, 3.0])))
    assert wins.wins.tolist() == pytest.approx([2.0, 4.5, 2.5])
    assert wins.wins.sum() == pytest.approx(9.0)
    assert wins.raw_wins.tolist() == [2.0, 4.0, 3.0]
    assert wins.design_effect == pytest.approx(14 / 12)


def test_pooled_tournaments_weigh_the_same() -> None:
    scores = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [2.0, 1.0]])
    tournament = np.array([0.0, 0.0, 0.0, 1.0])
    within = count_within(make_results(scores, tournament=tournament, cluster=tournament))
    assert within.wins.tolist() == pytest.approx([2.0, 2.0])
    assert within.tournament_weight.tolist() == pytest.approx([2.0, 2.0])
    across = count_across(make_results(scores, tournament=tournament, cluster=tournament))
    assert across.wins.tolist() == pytest.approx([5.0, 5.0])
    assert across.matches == 10
    assert across.tournament_weight.tolist() == pytest.approx([5.0, 5.0])


def test_a_pair_counts_once_on_each_tournament_whoever_else_took_part() -> None:
    """Three rounds of three players and two of the first two: 9/1 + 2/1 matches weigh 3 + 1."""
    gone = np.nan
    scores = np.array([[3, 2, 1], [3, 2, 1], [3, 2, 1], [1, 2, gone], [1, 2, gone]], np.float64)
    results = make_results(scores, tournament=np.array([0.0, 0.0, 0.0, 1.0, 1.0]))
    wins = count_within(results)
    assert wins.match_weight.tolist() == pytest.approx([11 / 12] * 3 + [11 / 8] * 2)
    assert wins.design.met()[0].tolist() == pytest.approx([0.0, 2 * 11 / 4, 11 / 4])
    assert wins.wins.tolist() == pytest.approx([2 * 11 / 4, 2 * 11 / 4, 0.0])
    assert wins.tournament_weight.tolist() == pytest.approx([3 * 11 / 4, 11 / 4])


def test_a_pair_with_gaps_counts_less_on_that_tournament() -> None:
    """b missed one of three rounds, so it counts 2/3 of what the others do."""
    scores = np.array([[3, 2, 1], [3, np.nan, 1], [3, 2, 1], [1, 2, 3]], np.float64)
    tournament = np.array([0.0, 0.0, 0.0, 1.0])
    within = count_within(make_results(scores, tournament=tournament)).design.met()
    assert (within[0, 1], within[1, 2]) == pytest.approx((within[0, 2] * 5 / 6,) * 2)
    results = make_results(scores, tournament=tournament, cluster=tournament, across=True)
    across = count_across(results).design.met()
    assert (across[0, 1], across[1, 2]) == pytest.approx((across[0, 2] * 5 / 6,) * 2)


def test_weights_of_rounds_are_shared_out_within_their_tournament() -> None:
    scores = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])
    tournament = np.array([0.0, 0.0, 1.0])
    for scale in (1.0, 1e300):
        weight = np.array([1.0, 3.0, 5.0]) * scale
        wins = count_within(make_results(scores, weight=weight, tournament=tournament))
        assert wins.match_weight.tolist() == pytest.approx([3 / 8, 9 / 8, 3 / 2])


def _of_equal_totals(wins: Wins, tournament: Floats, round_matches: Floats) -> Floats:
    """(R,) weights that give every tournament the same total, with a mean of one."""
    total = np.array([round_matches[tournament == label].sum() for label in tournament])
    return wins.matches / np.unique(tournament).size / total


@given(score_tables(), st.data())
def test_tournaments_in_which_everyone_plays_everywhere_have_equal_totals(
    scores: Floats, data: st.DataObject
) -> None:
    rounds, players = scores.shape
    border = data.draw(st.integers(1, rounds - 1))
    tournament = (np.arange(rounds) >= border).astype(np.float64)
    pairs = players * (players - 1) / 2
    results = make_results(scores, tournament=tournament, cluster=tournament)
    within, across = count_within(results), count_across(results)
    for wins, by_round in (
        (within, np.full(rounds, pairs)),
        (
            across,
            pairs * np.bincount(tournament.astype(np.int64))[tournament.astype(np.int64)],
        ),
    ):
        expected = _of_equal_totals(wins, tournament, by_round)
        np.testing.assert_allclose(wins.match_weight, expected, rtol=1e-12)
        np.testing.assert_allclose(wins.tournament_weight, wins.matches / 2, rtol=1e-12)


def test_clusters_of_pooled_matches_across_rounds_are_whole_tournaments() -> None:
    scores = np.array([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]])
    results = make_results(
        scores, tournament=np.array([0.0, 0.0, 1.0]), cluster=np.array([0.0, 1.0, 2.0])
    )
    with pytest.raises(ClusterSplitsTournament):
        count_across(results)


def test_one_cluster_is_too_few() -> None:
    results = make_results(np.array([[1.0, 2.0], [2.0, 1.0]]), cluster=np.zeros(2))
    with pytest.raises(TooFewClusters):
        count_within(results)


def test_battles_add_up_by_pair() -> None:
    battles = Battles(
        players=3,
        first=np.array([0, 1, 2, 0]),
        second=np.array([1, 0, 1, 2]),
        outcome=np.array([1.0, 0.5, 0.0, 1.0]),
        weight=np.array([1.0, 1.0, 1.0, 1.0]),
        cluster=None,
    )
    wins = count_battles(battles)
    assert wins.wins.tolist() == [2.5, 1.5, 0.0]
    assert wins.design.met().tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    assert (wins.matches, wins.ties) == (4, 1)
    assert wins.raw_matches.tolist() == [3, 3, 2]


def test_rounds_without_opponents_are_no_matches() -> None:
    scores = np.array([[1.0, np.nan], [np.nan, 1.0]])
    with pytest.raises(NoMatches):
        count_within(make_results(scores, across=True))


def test_results_of_some_players_keep_their_rounds() -> None:
    gone = np.nan
    scores = np.array([[1.0, 2.0, gone, gone], [gone, gone, 3.0, 1.0], [2.0, 1.0, gone, gone]])
    part = make_results(scores).of_players(np.array([0, 1]))
    assert part.rounds == 2
    assert part.player.tolist() == [0, 1, 0, 1]
    assert part.value.tolist() == [1.0, 2.0, 2.0, 1.0]
    assert part.cluster.tolist() == [0, 1]
