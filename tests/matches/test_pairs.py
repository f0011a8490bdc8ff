"""Wins of every pair against matches written out one by one, in one block and in many."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given, strategies as st
from reference import Match, matches_across, matches_within, reach, win_matrix

from winodds.arrays import Floats, Ints
from winodds.inference.structure import find_structure
from winodds.matches import pairs as tally
from winodds.matches.games import Games
from winodds.matches.pairs import block_ranges, lead_block, leads_of_few
from winodds.matches.results import Battles
from winodds.matches.wins import Wins

GONE = np.nan


@contextmanager
def _many_blocks() -> Iterator[None]:
    """Blocks of a few pairs, rounds compared one by one and added up three at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "CELLS", 7)
        patch.setattr(tally, "SMALL_BLOCK", 0)
        patch.setattr(tally, "INT8", 3)
        yield


def pair_matrix(games: Games, wins: Wins) -> tuple[Floats, Floats]:
    """(m, m) weighted wins of the row's player and weight of the matches, 0 on the diagonal."""
    players = games.players
    won, met = np.zeros((players, players)), np.zeros((players, players))
    for block in tally.tally(games, wins):
        pairs = block.pairs()
        won[block.rows, block.columns] += np.where(pairs, block.won, 0.0)
        met[block.rows, block.columns] += np.where(pairs, block.met, 0.0)
        won[block.columns, block.rows] += np.where(pairs, block.met - block.won, 0.0).T
        met[block.columns, block.rows] += np.where(pairs, block.met, 0.0).T
    return won, met


def _fail(scores: Floats, level: int) -> Floats:
    """The table with all scores of one level failed."""
    return np.where(scores == level, -np.inf, scores)


def _check(games: Games, matches: list[Match]) -> None:
    """The wins of every pair, whatever the blocks, and what must follow from them."""
    counted, exact = games.count(), win_matrix(matches, games.players)
    _check_pairs(games, counted, exact)
    with _many_blocks():
        _check_pairs(games, counted, exact)


def _check_pairs(games: Games, counted: Wins, exact: Floats) -> None:
    won, met = pair_matrix(games, counted)
    np.testing.assert_allclose(won, exact, rtol=0, atol=1e-12)
    np.testing.assert_allclose(met, exact + exact.T, rtol=0, atol=1e-12)
    np.testing.assert_allclose(won.sum(axis=1), counted.wins, rtol=0, atol=1e-11)
    np.testing.assert_allclose(
        met.sum(axis=1), counted.design.weight_of_matches(), rtol=0, atol=1e-11
    )


@given(score_tables(missing=True), st.integers(-1, 2), st.sampled_from([0.0, 1.0, 2.5]))
def test_pairs_within_rounds(scores: Floats, level: int, tolerance: float) -> None:
    scores = _fail(scores, level)
    matches = matches_within(scores, tolerance=tolerance)
    if len({match.round for match in matches}) > 1:
        _check(Games("within", make_results(scores), tolerance), matches)


@given(score_tables(missing=True), st.integers(-1, 2), st.sampled_from([0.0, 1.0, 2.5]))
def test_pairs_across_rounds(scores: Floats, level: int, tolerance: float) -> None:
    scores = _fail(scores, level)
    matches = matches_across(scores, tolerance=tolerance)
    if matches and (~np.isnan(scores)).any(axis=1).sum() > 1:
        _check(Games("across", make_results(scores, across=True), tolerance), matches)


def _weighted(matches: list[Match], weight: Floats) -> list[Match]:
    """The matches with the weights of their rounds."""
    return [
        Match(one.first, one.second, one.outcome, float(weight[one.round]), one.round)
        for one in matches
    ]


def _normalised(
    matches: list[Match], tournament: Floats, weight: Floats, *, power: int = 1
) -> list[Match]:
    """A pair that has all matches of a tournament counts once there; the mean weight is one."""
    total = [weight[tournament == label].sum() ** power for label in tournament]
    shared = _weighted(matches, weight / np.array(total))
    mean = sum(one.weight for one in shared) / len(shared)
    return [replace(one, weight=one.weight / mean) for one in shared]


def _pool(seed: int) -> tuple[Floats, Floats]:
    """Scores with gaps, ties and failed runs, and the tournament of each round."""
    rng = np.random.default_rng(seed)
    scores = np.round(simulate(seed, 9, 8))
    scores[rng.random(scores.shape) < 0.2] = GONE
    scores[rng.random(scores.shape) < 0.1] = -np.inf
    return scores, np.array([0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pooled", [False, True])
def test_pairs_of_weighted_rounds(seed: int, pooled: bool) -> None:
    scores, tournament = _pool(seed)
    tournament = tournament if pooled else np.zeros(8)
    weight = np.random.default_rng(seed).exponential(size=8)
    results = make_results(scores, weight=weight, tournament=tournament)
    assert results.rounds == 8
    matches = matches_within(scores, tolerance=1.0)
    _check(Games("within", results, 1.0), _normalised(matches, tournament, weight))


@pytest.mark.parametrize("seed", range(4))
def test_pairs_of_pooled_tournaments_across_rounds(seed: int) -> None:
    scores, tournament = _pool(seed)
    results = make_results(scores, tournament=tournament, cluster=tournament, across=True)
    matches = []
    for begin, end in ((0, 3), (3, 5), (5, 8)):
        for one in matches_across(scores[begin:end], tolerance=0.5):
            matches.append(Match(one.first, one.second, one.outcome, 1.0, one.round + begin))
    matches = _normalised(matches, tournament, np.ones(8), power=2)
    _check(Games("across", results, 0.5), matches)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 5),
            st.integers(0, 5),
            st.sampled_from([0.0, 0.5, 1.0]),
            st.sampled_from([0.25, 1.0, 3.0]),
        ).filter(lambda battle: battle[0] != battle[1]),
        min_size=2,
        max_size=20,
    )
)
def test_pairs_of_battles(battles: list[tuple[int, int, float, float]]) -> None:
    first, second, outcome, weight = (np.array(column) for column in zip(*battles, strict=True))
    games = Games("battles", Battles(6, first, second, outcome, weight, None))
    mean = float(weight.mean())
    matches = [Match(a, b, won, w / mean, 0) for a, b, won, w in battles]
    _check(games, matches)


def test_a_table_of_wins_by_hand() -> None:
    scores = np.array([[3.0, 2.0, 1.0], [1.0, 1.0, GONE], [1.0, -np.inf, -np.inf]])
    won, met = pair_matrix(games := Games("within", make_results(scores)), games.count())
    assert won.tolist() == [[0.0, 2.5, 2.0], [0.5, 0.0, 1.0], [0.0, 0.0, 0.0]]
    assert met.tolist() == [[0.0, 3.0, 2.0], [3.0, 0.0, 1.0], [2.0, 1.0, 0.0]]


@pytest.mark.parametrize("players", [3, 70])
@pytest.mark.parametrize("rounds", [119, 120, 121, 300])
def test_more_rounds_than_8_bits_can_count(players: int, rounds: int) -> None:
    scores = np.tile(np.arange(players)[::-1].astype(np.float64), (rounds, 1))
    scores[0, :2] = [-1.0, 1.0]
    won, met = pair_matrix(games := Games("within", make_results(scores)), games.count())
    assert (won[0, 1], won[1, 0], won[0, 2]) == (rounds - 1, 1.0, rounds - 1)
    assert (met[0, 1], met[1, 2], met[2, 2]) == (rounds, rounds, 0.0)


def test_many_players_have_the_same_wins_as_few() -> None:
    """More than 64 players are compared round by round; the first 60 of them all at once."""
    scores = np.round(simulate(1, 80, 12), 1)
    scores[np.random.default_rng(1).random(scores.shape) < 0.1] = GONE
    many = Games("within", make_results(scores), 0.1)
    few = Games("within", make_results(scores[:, :60]), 0.1)
    won, met = pair_matrix(many, many.count())
    own_won, own_met = pair_matrix(few, few.count())
    np.testing.assert_array_equal(won[:60, :60], own_won)
    np.testing.assert_array_equal(met[:60, :60], own_met)


# Blocks -------------------------------------------------------------------------------------------


def test_blocks_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "CELLS", 8)
    assert list(block_ranges(6)) == [
        (slice(0, 1), slice(0, 6)),
        (slice(1, 2), slice(1, 6)),
        (slice(2, 4), slice(2, 6)),
        (slice(4, 6), slice(4, 6)),
    ]


@given(st.integers(1, 40), st.integers(1, 500))
def test_blocks_hold_every_pair_once(players: int, cells: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "CELLS", cells)
        seen = np.zeros((players, players), np.int64)
        for rows, columns in block_ranges(players):
            inside = np.zeros((players, players), np.int64)
            inside[rows, columns] = 1
            assert inside.sum() <= max(cells, players)
            seen += np.triu(inside)
    assert (seen == np.triu(np.ones((players, players)))).all()


def test_a_block_counts_pairs_once_and_only_those_that_met() -> None:
    scores = np.full((4, 4), GONE)
    scores[:2, :3], scores[2:, 2:] = simulate(2, 3, 2), simulate(3, 2, 2)
    games = Games("within", make_results(scores))
    (block,) = tally.tally(games, games.count())
    assert np.argwhere(block.pairs()).tolist() == [[0, 1], [0, 2], [1, 2], [2, 3]]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("across", [False, True])
def test_leads_of_few_tables_at_once_are_those_of_each(weighted: bool, across: bool) -> None:
    rng = np.random.default_rng(4)
    weight = rng.exponential(size=5) if weighted else np.ones(5)
    tables = rng.integers(0, 4, (3, 5, 6)).astype(np.float64)
    tables[0, 1, 2], tables[1, :, 3] = GONE, -np.inf
    tables[2, 0, :2] = [-np.inf, GONE]
    first, second = (np.repeat(np.arange(5), 5), np.tile(np.arange(5), 5))
    if not across:
        first = second = np.arange(5)
    exact = np.array([_leads(table, weight, first, second) for table in tables])
    found = leads_of_few(tables, tables, first, second, weight)
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-12)
    with _many_blocks():
        few_at_a_time = leads_of_few(tables, tables, first, second, weight)
        np.testing.assert_allclose(few_at_a_time, exact, rtol=0, atol=1e-12)


def _leads(table: Floats, weight: Floats, first: Ints, second: Ints) -> list[list[float]]:
    """Wins minus losses of the row's player, one match after the other."""
    players = range(table.shape[1])
    met = [
        (float(weight[r]), table[r].tolist(), table[s].tolist()) for r, s in _rows(first, second)
    ]
    return [
        [sum(w * ((a[i] > b[j]) - (a[i] < b[j])) for w, a, b in met) for j in players]
        for i in players
    ]


def _rows(first: Ints, second: Ints) -> Iterator[tuple[int, int]]:
    return zip(first.tolist(), second.tolist(), strict=True)


def test_a_block_of_leads_is_a_part_of_all() -> None:
    scores = np.round(simulate(5, 8, 6))
    games = Games("within", make_results(scores))
    weight = np.linspace(0.5, 1.5, 6)
    exact = np.array(_leads(scores, weight, *games.rows_that_met()))
    rows, columns = slice(2, 5), slice(2, 8)
    for blocks in (False, True):
        with _many_blocks() if blocks else pytest.MonkeyPatch.context():
            found = lead_block(games.encounters(), weight, rows, columns)
        np.testing.assert_allclose(found, exact[rows, columns], rtol=0, atol=1e-12)


# Pairs that met only in failed runs ---------------------------------------------------------------


def _never_met(weight: Floats) -> Games:
    """Two players whose runs fail in every round, and others that fail now and then."""
    scores = simulate(0, 6, 5)
    scores[:, :2] = scores[3, 2] = scores[1, 4] = -np.inf
    scores[4, 5] = GONE
    return Games("within", make_results(scores, weight=weight))


def test_players_who_fail_together_never_met() -> None:
    games = _never_met(np.ones(5))
    _, met = pair_matrix(games, games.count())
    assert met[0, 1] == 0.0
    assert np.count_nonzero(np.triu(met)) == 14


def test_players_who_fail_together_never_met_whatever_the_weights() -> None:
    for seed in range(5):
        games = _never_met(np.random.default_rng(seed).exponential(size=5))
        pairs = sum(int(block.pairs().sum()) for block in tally.tally(games, games.count()))
        assert pairs == 14


def test_nobody_wins_more_than_all_matches() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        scores = np.tile(np.arange(4.0), (7, 1))
        scores[rng.random(scores.shape) < 0.25] = GONE
        games = Games("within", make_results(scores, weight=rng.exponential(size=7)))
        won, _ = pair_matrix(games, games.count())
        assert (won >= 0.0).all()


def test_numbers_of_matches_across_rounds_are_whole() -> None:
    scores = simulate(0, 12, 20)
    scores[np.random.default_rng(0).random(scores.shape) < 0.5] = GONE
    present = (~np.isnan(scores)).sum(axis=0)
    games = Games("across", make_results(scores, across=True))
    _, met = pair_matrix(games, games.count())
    exact = np.outer(present, present)
    np.fill_diagonal(exact, 0)
    np.testing.assert_array_equal(met, exact)


# Who reaches whom ---------------------------------------------------------------------------------


@given(score_tables(levels=30, missing=True), st.integers(-1, 3), st.sampled_from([0.0, 4.0]))
def test_reach_of_every_pair(scores: Floats, level: int, tolerance: float) -> None:
    scores = _fail(scores, level)
    for across in (False, True):
        twin = matches_across if across else matches_within
        matches = twin(scores, tolerance=tolerance)
        if len({match.round for match in matches}) > 1:
            played = make_results(scores, across=across)
            counted = Games("across" if across else "within", played, tolerance).count()
            exact = reach(win_matrix(matches, scores.shape[1]))
            np.testing.assert_array_equal(find_structure(counted).reach_matrix(), exact)


@given(score_tables(levels=30, rounds=(2, 3)))
def test_reach_of_every_pair_in_complete_rounds(scores: Floats) -> None:
    found = find_structure(Games("within", make_results(scores)).count())
    assert found.chain
    exact = reach(win_matrix(matches_within(scores), scores.shape[1]))
    np.testing.assert_array_equal(found.reach_matrix(), exact)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_reach_of_every_pair_in_battles(battles: list[tuple[int, int]]) -> None:
    pairs = np.array([pair for pair in battles if pair[0] != pair[1]])
    if len(pairs) > 1:
        ones = np.ones(len(pairs))
        games = Games("battles", Battles(6, pairs[:, 0], pairs[:, 1], ones, ones, None))
        table = np.zeros((6, 6))
        np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1.0)
        np.testing.assert_array_equal(find_structure(games.count()).reach_matrix(), reach(table))
