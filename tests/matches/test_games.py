"""What was played, against matches written out one by one."""

from itertools import product

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given, strategies as st
from reference import Match, matches_across, matches_within, win_matrix

from winodds.arrays import Floats, Ints
from winodds.matches.games import Duel, Games, score_table
from winodds.matches.results import Battles, MatchKind

GONE = np.nan


def _duel(matches: list[Match], a: int, b: int) -> Duel:
    """Wins, losses and ties of ``a`` against ``b``, counted one by one."""
    seen = [match.outcome for match in matches if (match.first, match.second) == (a, b)]
    seen += [1.0 - match.outcome for match in matches if (match.first, match.second) == (b, a)]
    return Duel(seen.count(1.0), seen.count(0.0), seen.count(0.5))


def _check_duels(games: Games, matches: list[Match]) -> None:
    for a, b in product(range(games.players), repeat=2):
        if a != b:
            assert games.duel(a, b) == _duel(matches, a, b)


def _fail(scores: Floats, level: int) -> Floats:
    """The table with all scores of one level failed."""
    return np.where(scores == level, -np.inf, scores)


@given(score_tables(missing=True), st.integers(-1, 2), st.sampled_from([0.0, 1.0, 2.5]))
def test_duels_within_rounds_are_counted_matches(
    scores: Floats, level: int, tolerance: float
) -> None:
    scores = _fail(scores, level)
    games = Games("within", make_results(scores), tolerance)
    _check_duels(games, matches_within(scores, tolerance=tolerance))


@given(score_tables(missing=True), st.integers(-1, 2), st.sampled_from([0.0, 1.0, 2.5]))
def test_duels_across_rounds_are_counted_matches(
    scores: Floats, level: int, tolerance: float
) -> None:
    scores = _fail(scores, level)
    games = Games("across", make_results(scores, across=True), tolerance)
    _check_duels(games, matches_across(scores, tolerance=tolerance))


@given(score_tables(rounds=(4, 6), missing=True), st.integers(1, 3))
def test_scores_of_different_tournaments_do_not_meet(scores: Floats, border: int) -> None:
    tournament = (np.arange(len(scores)) >= border).astype(np.float64)
    games = Games("across", make_results(scores, tournament=tournament, across=True))
    _check_duels(games, matches_across(scores[:border]) + matches_across(scores[border:]))


def test_a_duel_by_hand() -> None:
    scores = np.array([[0.80, 0.79], [0.5, 0.5], [0.2, -np.inf], [GONE, 1.0], [0.1, 0.3]])
    assert Games("within", make_results(scores)).duel(0, 1) == Duel(won=2, lost=1, tied=1)
    near = Games("within", make_results(scores), 0.01)
    assert near.duel(0, 1) == Duel(won=1, lost=1, tied=2)
    assert near.duel(1, 0) == Duel(won=1, lost=1, tied=2)
    # Across: the scores .8, .5, .2 and .1 meet .79, .5, a failed run, 1 and .3, one by one.
    across = Games("across", make_results(scores, across=True))
    assert across.duel(0, 1) == Duel(won=4 + 2 + 1 + 1, lost=1 + 2 + 4 + 4, tied=1)


def test_a_duel_of_two_failed_runs_is_no_match() -> None:
    scores = np.array([[-np.inf, -np.inf, 1.0], [-np.inf, 2.0, 1.0]])
    assert Games("within", make_results(scores)).duel(0, 1) == Duel(0, 1, 0)
    assert Games("across", make_results(scores, across=True)).duel(0, 1) == Duel(0, 2, 0)


def _battles() -> Battles:
    return Battles(
        players=4,
        first=np.array([0, 1, 1, 0, 2, 0]),
        second=np.array([1, 0, 0, 1, 1, 2]),
        outcome=np.array([1.0, 1.0, 0.5, 1.0, 0.0, 0.5]),
        weight=np.array([1.0, 9.0, 1.0, 2.0, 1.0, 1.0]),
        cluster=np.array([0, 0, 1, 2, 2, 3]),
    )


def test_duels_of_battles_are_counted_from_both_sides_and_without_weights() -> None:
    games = Games("battles", _battles())
    assert games.duel(0, 1) == Duel(won=2, lost=1, tied=1)
    assert games.duel(1, 0) == Duel(won=1, lost=2, tied=1)
    assert games.duel(2, 1) == Duel(won=0, lost=1, tied=0)
    assert games.duel(3, 0) == Duel(won=0, lost=0, tied=0)
    assert (games.players, games.clusters) == (4, 4)


@pytest.mark.parametrize("kind", ["within", "across"])
def test_counting_uses_the_kind_and_the_tolerance(kind: MatchKind) -> None:
    scores = np.round(simulate(1, 5, 6), 1)
    counted = Games(kind, make_results(scores), 0.3).count()
    twin = matches_within if kind == "within" else matches_across
    matches = twin(scores, tolerance=0.3)
    assert counted.kind == kind
    assert counted.ties == sum(match.outcome == 0.5 for match in matches)
    np.testing.assert_allclose(counted.wins, win_matrix(matches, 5).sum(axis=1), atol=1e-12)


def test_battles_are_counted_as_battles() -> None:
    counted = Games("battles", _battles()).count()
    # Weights 1, 9, 1, 2, 1, 1 have the mean 15/6.
    assert counted.wins.tolist() == pytest.approx(
        [(1 + 0.5 + 2 + 0.5) * 0.4, (9 + 0.5 + 1) * 0.4, 0.5 * 0.4, 0.0]
    )


# Copies -------------------------------------------------------------------------------------------


def _copies_by_hand(scores: Floats) -> list[list[bool]]:
    """Whether two players have the same scores in the same rounds."""
    columns = scores.T.tolist()
    return [[_same(a, b) for b in columns] for a in columns]


def _same(a: list[float], b: list[float]) -> bool:
    return all(x == y or (x != x and y != y) for x, y in zip(a, b, strict=True))


def _shared(number: Ints) -> list[list[bool]]:
    shared: list[list[bool]] = (number[:, None] == number[None, :]).tolist()
    return shared


def test_copies_share_a_number() -> None:
    scores = np.array([[1.0, 2.0, 1.0, 1.0, 2.0], [0.0, 3.0, -0.0, 1.0, 3.0]])
    number = Games("within", make_results(scores)).copies()
    assert number[0] == number[2]
    assert number[1] == number[4]
    assert np.unique(number).size == 3
    assert number.shape == (5,)


@given(score_tables(levels=1, rounds=(2, 3)), st.booleans())
def test_copies_are_found_among_all_players(scores: Floats, across: bool) -> None:
    games = Games("across" if across else "within", make_results(scores, across=across))
    assert _shared(games.copies()) == _copies_by_hand(scores)


def test_failed_runs_are_equal_scores_of_copies() -> None:
    scores = np.array([[-np.inf, -np.inf, 1.0], [1.0, 1.0, 2.0]])
    assert _shared(Games("within", make_results(scores)).copies()) == _copies_by_hand(scores)


def test_a_missing_score_is_no_score_of_a_copy() -> None:
    scores = np.array([[1.0, 1.0, 2.0], [1.0, GONE, 2.0]])
    assert np.unique(Games("within", make_results(scores)).copies()).size == 3


@given(score_tables(levels=1, rounds=(2, 3), missing=True))
def test_copies_may_lack_scores_in_the_same_rounds(scores: Floats) -> None:
    kept = (~np.isnan(scores)).any(axis=1)
    games = Games("across", make_results(scores, across=True))
    if kept.any():
        assert _shared(games.copies()) == _copies_by_hand(scores[kept])


def test_players_of_battles_are_nobodys_copies() -> None:
    assert Games("battles", _battles()).copies().tolist() == [0, 1, 2, 3]


# Encounters ---------------------------------------------------------------------------------------


def test_a_round_meets_itself_and_across_every_round_of_its_tournament() -> None:
    scores = simulate(2, 3, 4)
    results = make_results(scores, tournament=np.array([0.0, 0.0, 1.0, 1.0]))
    first, second = Games("within", results).rows_that_met()
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(k, k) for k in range(4)]
    first, second = Games("across", results).rows_that_met()
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [
        *product((0, 1), repeat=2),
        *product((2, 3), repeat=2),
    ]


def test_encounters_hold_the_scores_of_the_chosen_players_in_their_order() -> None:
    scores = np.array([[1.0, GONE, 3.0], [-np.inf, 5.0, 6.0]])
    found = Games("within", make_results(scores), 0.5).encounters(np.array([2, 0]))
    np.testing.assert_array_equal(found.table, [[3.0, 1.0], [6.0, -np.inf]])
    np.testing.assert_allclose(found.limit, [[2.5, 0.5], [5.5, -np.inf]])
    whole = Games("within", make_results(scores)).encounters()
    np.testing.assert_array_equal(whole.table, scores)
    np.testing.assert_array_equal(whole.limit, scores)


@given(score_tables(missing=True), st.booleans())
def test_the_table_of_scores_is_the_one_that_was_read(scores: Floats, some: bool) -> None:
    kept = (~np.isnan(scores)).any(axis=1)
    if kept.any():
        results = make_results(scores, across=True)
        chosen = np.arange(scores.shape[1])[::-2] if some else None
        expected = scores[kept] if chosen is None else scores[kept][:, chosen]
        np.testing.assert_array_equal(score_table(results, chosen), expected)


def test_games_of_some_players_are_those_they_played() -> None:
    scores = np.full((6, 5), GONE)
    own = np.array([0, 2, 3])
    scores[::2, own] = np.round(simulate(3, 3, 3), 1)
    scores[1::2, [1, 4]] = simulate(4, 2, 3)
    part = Games("within", make_results(scores), 0.2).of_players(own)
    assert (part.kind, part.tolerance, part.players, part.clusters) == ("within", 0.2, 3, 3)
    _check_duels(part, matches_within(scores[:, own], tolerance=0.2))
    battles = Games("battles", _battles()).of_players(np.array([1, 2]))
    assert battles.duel(0, 1) == Duel(1, 0, 0)
