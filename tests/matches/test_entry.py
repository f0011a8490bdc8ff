"""The matches of a new player are those it would have on the board."""

import numpy as np
import pytest
from conftest import make_results, score_tables
from hypothesis import given, strategies as st
from reference import Match, matches_across, matches_within

from winodds.arrays import Floats
from winodds.matches.entry import Entry, enter
from winodds.matches.games import Games


def _check(entry: Entry, matches: list[Match], players: int) -> None:
    """Against all matches of the table with the new player in its last column."""
    own = [match for match in matches if match.second == players]
    won, met = np.zeros(players), np.zeros(players)
    for match in own:
        won[match.first] += 1.0 - match.outcome
        met[match.first] += 1.0
    np.testing.assert_allclose(entry.won, won)
    np.testing.assert_allclose(entry.met, met)
    assert (entry.raw_wins, entry.raw_matches) == (won.sum(), met.sum())
    np.testing.assert_array_equal(entry.reaches, won > 0.0)
    np.testing.assert_array_equal(entry.reached_by, won < met)


@given(score_tables(missing=True, rounds=(3, 6)), st.integers(-1, 3), st.sampled_from([0.0, 2.0]))
def test_within_rounds(scores: Floats, level: int, tolerance: float) -> None:
    scores = np.where(scores == level, -np.inf, scores)
    players = scores.shape[1] - 1
    others = scores[:, :players]
    met = ((~np.isnan(others)).sum(axis=1) > 1) & np.isfinite(others).any(axis=1)
    if met.sum() < 2:
        return
    games = Games("within", make_results(others), tolerance)
    entry = enter(games, np.ones(int(met.sum())), scores[met, players])
    matches = matches_within(scores[met], tolerance=tolerance)
    _check(entry, matches, players)
    rounds = {match.round for match in matches if match.second == players}
    assert entry.rounds == entry.clusters == len(rounds)
    by_round = [
        sum(1.0 - match.outcome for match in matches if (match.second, match.round) == (players, r))
        for r in range(int(met.sum()))
    ]
    np.testing.assert_allclose(entry.cluster_wins, by_round)


@given(score_tables(missing=True, rounds=(3, 5), players=(3, 6)), st.sampled_from([0.0, 2.0]))
def test_across_rounds(scores: Floats, tolerance: float) -> None:
    players = scores.shape[1] - 1
    met = (~np.isnan(scores[:, :players])).any(axis=1)
    if met.sum() < 2:
        return
    scores = scores[met]
    games = Games("across", make_results(scores[:, :players], across=True), tolerance)
    entry = enter(games, np.ones(len(scores)), scores[:, players])
    _check(entry, matches_across(scores, tolerance=tolerance), players)
    without = scores.copy()
    without[0] = np.nan
    left = [one for one in matches_across(without, tolerance=tolerance) if one.second == players]
    assert entry.cluster_wins[0] == pytest.approx(
        entry.wins - sum(1.0 - match.outcome for match in left)
    )


def test_weights_and_clusters_are_those_of_rounds() -> None:
    scores = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 0.0], [1.0, 2.0, 1.5]])
    results = make_results(scores[:, :2], cluster=np.array([0.0, 1.0, 1.0]))
    entry = enter(Games("within", results), np.array([1.0, 2.0, 3.0]), scores[:, 2])
    assert entry.won.tolist() == [1.0 + 3.0, 1.0]
    assert entry.cluster_wins.tolist() == [2.0, 3.0]
    assert entry.cluster_met.tolist() == [[1.0, 1.0], [5.0, 5.0]]
    assert (entry.raw_wins, entry.raw_matches, entry.rounds, entry.clusters) == (3.0, 6, 3, 2)
