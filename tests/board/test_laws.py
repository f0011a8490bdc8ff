"""Laws of a leaderboard, through the front door."""

from dataclasses import asdict
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from conftest import long_table, make_results, score_tables, simulate
from hypothesis import assume, given, strategies as st
from threadpoolctl import threadpool_limits

import winodds
from winodds.arrays import Floats
from winodds.board.leaderboard import Leaderboard
from winodds.design.design import Cliques
from winodds.errors import NeverMet, TooFewPlayers, TooFewRounds, WinoddsError
from winodds.matches.within import count_within

NUMBERS = ("epp", "se", "low", "high", "p_average", "wins", "matches", "rounds")


def _rate(table: pl.DataFrame, **options: object) -> Leaderboard:
    usual = {"higher_is_better": True, "details": False}
    return winodds.rate(table, **{**usual, **options})  # type: ignore[arg-type]


def _rate_or_none(table: pl.DataFrame, **options: object) -> Leaderboard | None:
    """The board, or None where the players never met or are too few."""
    try:
        return _rate(table, **options)
    except (NeverMet, TooFewPlayers, TooFewRounds):
        return None


def _numbers(board: Leaderboard) -> dict[str, list[float | None]]:
    return {row.player: [getattr(row, name) for name in NUMBERS] for row in board}


def _assert_same(first: Leaderboard, second: Leaderboard, tolerance: float = 1e-9) -> None:
    one, two = _numbers(first), _numbers(second)
    assert one.keys() == two.keys()
    for player, numbers in one.items():
        for a, b in zip(numbers, two[player], strict=True):
            if a is None or b is None:
                assert a is None
                assert b is None
            else:
                assert a == pytest.approx(b, abs=tolerance, rel=1e-9)


@given(score_tables(missing=True), st.integers(0, 99))
def test_row_order_does_not_matter(scores: Floats, seed: int) -> None:
    table = long_table(scores)
    board = _rate_or_none(table)
    assume(board is not None)
    assert board is not None
    _assert_same(board, _rate(table.sample(fraction=1.0, shuffle=True, seed=seed)))
    assert board.players == _rate(table.reverse()).players


@given(score_tables(missing=True))
def test_names_do_not_matter(scores: Floats) -> None:
    table = long_table(scores)
    board = _rate_or_none(table)
    assume(board is not None)
    assert board is not None
    names = {f"p{k}": f"{(k * 5 + 3) % 11:02d}-{k}" for k in range(scores.shape[1])}
    renamed = _rate(table.with_columns(pl.col("player").replace(names)))
    back = {new: old for old, new in names.items()}
    ours, theirs = _numbers(board), _numbers(renamed)
    for new, numbers in theirs.items():
        for a, b in zip(numbers, ours[back[new]], strict=True):
            assert a == pytest.approx(b, abs=1e-9)


@given(score_tables(missing=True), st.sampled_from(["within", "across"]))
def test_negating_scores_and_direction_changes_nothing(scores: Floats, matches: str) -> None:
    board = _rate_or_none(long_table(scores), matches=matches)
    assume(board is not None)
    assert board is not None
    turned = _rate(long_table(-scores), matches=matches, higher_is_better=False)
    _assert_same(board, turned, tolerance=1e-12)
    assert [row.mean_score for row in board] == [
        None if row.mean_score is None else -row.mean_score for row in turned
    ]


@given(score_tables(missing=True))
def test_monotone_transforms_of_a_round_change_nothing(scores: Floats) -> None:
    board = _rate_or_none(long_table(scores))
    assume(board is not None)
    assert board is not None
    changed = scores.copy()
    for r in range(scores.shape[0]):
        changed[r] = np.exp(scores[r] / (r + 1.0)) * 10.0**r - 3.0
    other = _rate(long_table(changed))
    _assert_same(board, other, tolerance=0.0)


@given(score_tables())
def test_order_of_complete_rounds_is_the_order_of_mean_ranks(scores: Floats) -> None:
    board = _rate(long_table(scores))
    below = (scores[:, :, None] > scores[:, None, :]).sum(axis=2)
    ties = (scores[:, :, None] == scores[:, None, :]).sum(axis=2) - 1
    wins = (below + 0.5 * ties).sum(axis=0)
    ratings = np.array([board.row(f"p{k}").epp for k in range(scores.shape[1])])
    for i in range(wins.size):
        for j in range(wins.size):
            if wins[i] > wins[j]:
                assert ratings[i] > ratings[j]
            elif wins[i] == wins[j]:
                assert ratings[i] == pytest.approx(ratings[j], abs=1e-10)


@given(score_tables(), st.integers(0, 100), st.integers(0, 100), st.integers(1, 9))
def test_raising_a_score_never_lowers_its_player(
    scores: Floats, row: int, column: int, gain: int
) -> None:
    r, k = row % scores.shape[0], column % scores.shape[1]
    better = scores.copy()
    better[r, k] += gain
    before = _rate(long_table(scores)).row(f"p{k}")
    after = _rate(long_table(better)).row(f"p{k}")
    assert after.epp >= before.epp - 1e-10
    assert after.rank <= before.rank


@given(score_tables(players=(2, 5)), st.integers(0, 100))
def test_a_copy_gets_its_originals_rating(scores: Floats, column: int) -> None:
    k = column % scores.shape[1]
    board = _rate(long_table(np.column_stack([scores, scores[:, k]])))
    copy, original = board.row(f"p{scores.shape[1]}"), board.row(f"p{k}")
    assert copy.epp == pytest.approx(original.epp, abs=1e-10)
    assert copy.se == pytest.approx(original.se, abs=1e-9)
    assert copy.rank == original.rank
    assert board.win_probability(copy.player, original.player).value == pytest.approx(0.5)


@given(score_tables(missing=True))
def test_duplicating_every_round_leaves_the_maximum_likelihood_rating(scores: Floats) -> None:
    try:
        board = _rate(long_table(scores), estimator="mle", interval="model")
    except WinoddsError:
        assume(False)
        return
    twice = _rate(long_table(np.vstack([scores, scores])), estimator="mle", interval="model")
    for row in board:
        assert twice.row(row.player).epp == pytest.approx(row.epp, abs=1e-8)
        assert twice.row(row.player).se == pytest.approx(row.se / np.sqrt(2.0), abs=1e-8)


@given(score_tables(missing=True))
def test_chances_of_two_players_add_up_to_one(scores: Floats) -> None:
    board = _rate_or_none(long_table(scores))
    assume(board is not None)
    assert board is not None
    a, b = board.players[0], board.players[-1]
    there, back = board.win_probability(a, b), board.win_probability(b, a)
    assert there.value + back.value == pytest.approx(1.0, abs=1e-12)
    assert there.low is not None
    assert there.high is not None
    assert back.low is not None
    assert back.high is not None
    assert there.low + back.high == pytest.approx(1.0, abs=1e-12)
    assert there.high + back.low == pytest.approx(1.0, abs=1e-12)
    matrix = board.win_matrix()
    np.testing.assert_allclose(matrix + matrix.T, 1.0, atol=1e-12)
    assert matrix[0, -1] == pytest.approx(there.value, abs=1e-12)


@given(score_tables(missing=True), st.integers(0, 100))
def test_the_reference_changes_no_difference(scores: Floats, column: int) -> None:
    board = _rate_or_none(long_table(scores))
    assume(board is not None)
    assert board is not None
    reference = board.players[column % len(board)]
    other = _rate(long_table(scores), reference=reference)
    zero = other.row(reference)
    assert (zero.epp, zero.se, zero.low, zero.high) == (0.0, 0.0, 0.0, 0.0)
    assert other.players == board.players
    for player in board.players:
        assert other.row(player).epp == pytest.approx(
            board.row(player).epp - board.row(reference).epp, abs=1e-12
        )
        ours, theirs = board.difference(player, reference), other.difference(player, reference)
        assert ours == theirs
        row = other.row(player)
        shown, found = (np.array([one.low, one.high], np.float64) for one in (row, theirs))
        np.testing.assert_allclose(found, shown, rtol=1e-12, atol=1e-12)
        assert other.row(player).p_average == board.row(player).p_average


@given(score_tables(missing=True, players=(2, 6)), st.sampled_from(["within", "across"]))
def test_kernel_and_dense_paths_give_the_same_board(scores: Floats, matches: str) -> None:
    boards = []
    for answer in (True, False):
        with patch.object(Cliques, "uses_kernel", lambda _self, _width, answer=answer: answer):
            boards.append(_rate_or_none(long_table(scores), matches=matches))
    kernel, dense = boards
    assume(kernel is not None)
    assert kernel is not None
    assert dense is not None
    _assert_same(kernel, dense, tolerance=1e-6)
    assert kernel.players == dense.players


@pytest.mark.parametrize("players", [20, 300, 3000])
def test_results_do_not_depend_on_the_number_of_threads(players: int) -> None:
    table = long_table(simulate(1, players, 10))
    with threadpool_limits(limits=1):
        one = _rate(table).standings
    with threadpool_limits(limits=2):
        two = _rate(table).standings
    for name in ("epp", "se", "low", "high"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=0, atol=1e-10)


def test_sum_of_wins_is_the_number_of_matches_whatever_is_missing() -> None:
    scores = simulate(2, 30, 12)
    scores[np.random.default_rng(0).random(scores.shape) < 0.3] = np.nan
    board = _rate(long_table(scores))
    assert board.standings.wins.sum() == pytest.approx(board.how.matches.count)
    assert board.standings.matches.sum() == 2 * board.how.matches.count


def test_missing_scores_are_corrected_for_who_met_whom() -> None:
    """Average ranks punish the player who met only strong ones; ratings do not."""
    gone = np.nan
    strong = [[9.0, 8.0, gone, gone, 7.0], [8.0, 9.0, gone, gone, 7.5]] * 4
    weak = [[gone, gone, 2.0, 1.0, 3.0], [9.0, gone, 1.0, 2.0, gone]] * 4
    board = _rate(long_table(np.array(strong + weak)))
    share = {row.player: row.wins / row.matches for row in board}
    assert share["p4"] < 0.5
    assert board.row("p4").epp > board.row("p2").epp + 1.0


def _round_tables() -> dict[str, tuple[pl.DataFrame, dict[str, object]]]:
    whole = simulate(4, 6, 12, spread=1.2)
    gaps = whole.copy()
    gaps[np.random.default_rng(1).random(gaps.shape) < 0.15] = np.nan
    return {
        "complete": (long_table(whole), {}),
        "gaps": (long_table(gaps), {}),
        "across": (long_table(whole), {"matches": "across"}),
        "ridge": (long_table(whole), {"estimator": "ridge"}),
        "mle": (long_table(gaps), {"estimator": "mle"}),
        "splits": (long_table(whole), {"test_fraction": 0.2}),
        "model": (long_table(gaps), {"interval": "model"}),
    }


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("kind", list(_round_tables()))
def test_names_do_not_matter_for_what_is_drawn(kind: str) -> None:
    """Draws go by the places on the board, and not by the alphabet."""
    table, options = _round_tables()[kind]
    other = {f"p{k}": name for k, name in enumerate("cafebd")}
    board = _rate(table, **options)
    renamed = _rate(table.with_columns(pl.col("player").replace_strict(other)), **options)
    assert renamed.players == tuple(other[player] for player in board.players)
    np.testing.assert_allclose(renamed.details().p_best, board.details().p_best, atol=1e-12)
    own, theirs = board.quality(simulations=100), renamed.quality(simulations=100)
    assert (theirs.p_value, theirs.simulations) == (own.p_value, own.simulations)
    assert theirs.expected == pytest.approx(own.expected, rel=1e-9)
    first, second = (asdict(one.sota().leader) for one in (board, renamed))
    assert second.pop("player") == other[first.pop("player")]
    assert (first.pop("family"), second.pop("family")) == (None, None)
    assert second == pytest.approx(first, rel=1e-9)


# Pooled tournaments -------------------------------------------------------------------------------


def _nine_against_one(seed: int, first: str, second: str) -> pl.DataFrame:
    """Ten players on nine data sets, the first always above the second; alone, it always loses."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, int, float]] = []
    for data in range(9):
        for fold in range(5):
            scores = rng.normal(size=10)
            scores[:2] = max(scores[:2]), min(scores[:2])
            names = [first, second, *(f"m{k}" for k in range(8))]
            rows += [(name, f"d{data}", fold, scores[k]) for k, name in enumerate(names)]
    rows += [
        (name, "small", fold, k) for fold in range(5) for k, name in enumerate((first, second))
    ]
    return pl.DataFrame(rows, ["player", "tournament", "round", "score"], orient="row")


@pytest.mark.parametrize("names", [("A", "B"), ("B", "A"), ("z", "a")])
@pytest.mark.parametrize("seed", range(5))
def test_nine_results_outweigh_one_whoever_else_took_part(
    seed: int, names: tuple[str, str]
) -> None:
    board = _rate(_nine_against_one(seed, *names), tournament="tournament")
    above, below = (board.row(name) for name in names)
    assert (above.rank < below.rank, above.epp > below.epp) == (True, True)
    noted = [str(note) for note in board.notes if note.name == "lopsided_pool"]
    assert noted == [
        "Tournament 'd0' carries 45.0 times the weight of 'small' (11% and less than 1% of all "
        "matches' weight): a pair of players counts once on each, so one with more players counts "
        "for more."
    ]


@given(score_tables(missing=True), st.integers(1, 3))
def test_others_who_tie_all_around_change_no_weight_of_a_pair(scores: Floats, more: int) -> None:
    """Players who join one of two tournaments leave the pairs there as they were to each other."""
    rounds, players = scores.shape
    tournament = (np.arange(rounds) % 2).astype(np.float64)
    present = ~np.isnan(scores)
    assume((present.sum(axis=1) > 1).all())
    joined = np.full((rounds, players + more), np.nan)
    joined[:, :players] = scores
    joined[tournament == 1.0, players:] = 0.0
    alone = count_within(make_results(scores, tournament=tournament)).design.met()
    crowd = count_within(make_results(joined, tournament=tournament)).design.met()
    crowd = crowd[:players, :players]
    np.testing.assert_allclose(crowd / crowd.sum(), alone / alone.sum(), atol=1e-12)
