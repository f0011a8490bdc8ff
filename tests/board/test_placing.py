"""Rank ranges, letters, chances of being best and quasi-errors of boards of every kind."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from conftest import long_table, shared_file, simulate
from tables import grid, sentence, three_by_three

import winodds
from winodds.arrays import Floats
from winodds.board import placing
from winodds.board.comparisons import Comparisons
from winodds.board.leaderboard import Leaderboard
from winodds.board.placing import Placing
from winodds.errors import NoCommonScale, TooManyToCompare
from winodds.inference.quasi import quasi_variances

SEPARATE = grid(
    {
        "A": [2, 2, 1, None, None, None],
        "B": [1, 1, 3, None, None, None],
        "C": [None, None, None, 5, 4, 6],
        "D": [None, None, None, 4, 5, 7],
        "E": [None, None, None, 6, 1, 8],
    }
)
"""A and B never met C, D and E."""


def _holes(scores: Floats, share: float) -> Floats:
    gone = np.random.default_rng(0).random(scores.shape) < share
    return np.where(gone, np.nan, scores)


def _battles(players: int = 4, battles: int = 60) -> pl.DataFrame:
    """Battles between players whose strength falls with their number, four to a prompt."""
    rng = np.random.default_rng(2)
    pairs = [rng.choice(players, size=2, replace=False).tolist() for _ in range(battles)]
    chance = [1.0 / (1.0 + np.exp(0.8 * (first - second))) for first, second in pairs]
    winner = np.where(rng.random(battles) < chance, "model_a", "model_b")
    winner[::7] = "tie"
    return pl.DataFrame(
        {
            "model_a": [f"p{first}" for first, _ in pairs],
            "model_b": [f"p{second}" for _, second in pairs],
            "winner": winner,
            "prompt": np.arange(battles) // 4,
        }
    )


def _tournaments() -> pl.DataFrame:
    """Six data sets of four splits."""
    tables = [long_table(simulate(1, 4, 4, spread=2.0) + k % 2) for k in range(6)]
    noise = [long_table(simulate(10 + k, 4, 4, spread=0.5))["score"] for k in range(6)]
    return pl.concat(
        [
            table.with_columns(data=pl.lit(f"d{k}"), score=pl.col("score") + noise[k])
            for k, table in enumerate(tables)
        ]
    )


def _rate(scores: Floats, **options: object) -> Leaderboard:
    return winodds.rate(
        long_table(scores),
        higher_is_better=True,
        **options,  # type: ignore[arg-type]
    )


BOARDS: dict[str, Callable[[], Leaderboard]] = {
    "complete": lambda: _rate(simulate(1, 6, 15, spread=1.5)),
    "missing scores": lambda: _rate(_holes(simulate(1, 6, 15, spread=1.5), 0.1)),
    "across": lambda: _rate(simulate(4, 5, 8), matches="across"),
    "across, missing scores": lambda: _rate(_holes(simulate(4, 5, 10), 0.1), matches="across"),
    "battles": lambda: winodds.rate_battles(_battles()),
    "battles by prompt": lambda: winodds.rate_battles(_battles(), cluster="prompt"),
    "pooled": lambda: winodds.rate(_tournaments(), tournament="data", higher_is_better=True),
    "model": lambda: _rate(simulate(1, 6, 15), interval="model"),
    "mle": lambda: _rate(simulate(2, 5, 20), estimator="mle"),
    "ridge": lambda: _rate(simulate(2, 5, 12), estimator="ridge"),
    "overlapping splits": lambda: _rate(simulate(2, 5, 12), test_fraction=0.2),
    "separated": lambda: _rate(simulate(3, 5, 12, spread=3.0)),
    "level 0.8": lambda: _rate(simulate(5, 6, 12), level=0.8),
    "two players": lambda: _rate(simulate(5, 2, 9)),
    "copies": lambda: _rate(simulate(1, 4, 9)[:, [0, 1, 2, 0, 3]]),
    "separate": lambda: winodds.rate(SEPARATE, higher_is_better=True, components="separate"),
}

JOINED = [name for name in BOARDS if name != "separate"]
"""Boards whose players have all met, directly or through others."""


pytestmark = pytest.mark.usefixtures("few_draws")


@cache
def _board(name: str) -> Leaderboard:
    board = BOARDS[name]()
    board.details()
    return board


def _shares_letter(letters: tuple[str, ...], first: int, second: int) -> bool:
    return bool(set(letters[first]) & set(letters[second]))


# Ranks --------------------------------------------------------------------------------------------


def _ranges_of_all_pairs(board: Leaderboard) -> list[tuple[int, int]]:
    """From all pairs at once: who is better for certain."""
    found, known = board.compare(test="robust"), [[1, len(board)] for _ in board]
    for a, b, apart in zip(found.first, found.second, found.told_apart, strict=True):
        known[a][1] -= int(apart)
        known[b][0] += int(apart)
    return [(low, high) for low, high in known]


@pytest.mark.parametrize("name", JOINED)
def test_simultaneous_ranges_follow_from_all_pairs(name: str) -> None:
    board = _board(name)
    table = Leaderboard.from_dict(board.to_dict() | {"ranking": None})
    table.how = replace(table.how, details=replace(table.how.details, ranks="simultaneous"))
    details = table.details()
    assert details.ranks == "simultaneous"
    ranges = list(zip(details.rank_low.tolist(), details.rank_high.tolist(), strict=True))
    assert ranges == _ranges_of_all_pairs(board)
    assert (details.rank_low <= board.details().rank_low).all()
    assert (details.rank_high >= board.details().rank_high).all()


@pytest.mark.parametrize("name", list(BOARDS))
def test_rank_lies_in_its_range_and_rows_show_it(name: str) -> None:
    board = _board(name)
    for place, row in enumerate(board):
        assert row.rank_low is not None
        assert row.rank_high is not None
        assert 1 <= row.rank_low <= row.rank <= row.rank_high <= len(board)
        assert row.rank_low == board.details().rank_low[place]
        assert row.rank_high == board.details().rank_high[place]
        assert row.p_best == board.details().p_best[place]
        assert row.letters == board.details().letters[place]


@pytest.mark.parametrize("name", list(BOARDS))
def test_players_who_could_be_best_are_those_whose_range_begins_with_one(name: str) -> None:
    board = _board(name)
    assert board.details().could_be_best == tuple(row.player for row in board if row.rank_low == 1)
    assert board.players[0] in board.details().could_be_best


def test_nothing_is_known_of_equal_players() -> None:
    """Each of three players is first, second and third once."""
    board = winodds.rate(
        grid({"a": [3, 1, 2], "b": [2, 3, 1], "c": [1, 2, 3]}), higher_is_better=True
    )
    assert board.details().rank_low.tolist() == [1, 1, 1]
    assert board.details().rank_high.tolist() == [3, 3, 3]
    assert board.details().alike == (("a", "b", "c"),)
    assert board.details().could_be_best == ("a", "b", "c")
    np.testing.assert_allclose(board.details().p_best, [1 / 3, 1 / 3, 1 / 3], atol=0.05)


def test_clear_order_is_known() -> None:
    scores = np.arange(4.0) + 0.3 * simulate(0, 4, 60, spread=0.0)
    board = _rate(scores)
    assert board.players == ("p3", "p2", "p1", "p0")
    assert board.details().rank_low.tolist() == board.details().rank_high.tolist() == [1, 2, 3, 4]
    assert board.details().letters == ("a", "b", "c", "d")
    assert board.details().p_best.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_copies_share_everything() -> None:
    board = _board("copies")
    first, second = (board.row(player) for player in ("p0", "p3"))
    assert (first.rank, first.letters) == (second.rank, second.letters)
    assert (first.rank_low, first.rank_high) == (second.rank_low, second.rank_high)
    assert first.p_best == pytest.approx(second.p_best, rel=1e-9)
    assert first.quasi_se == pytest.approx(second.quasi_se, rel=1e-6)


# Letters ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", JOINED)
def test_players_share_a_letter_exactly_when_not_told_apart(name: str) -> None:
    board = _board(name)
    found = board.compare(test="robust")
    letters = board.details().letters
    assert letters == found.letters
    assert board.details().alike == found.alike
    shared = [
        _shares_letter(letters, *pair) for pair in zip(found.first, found.second, strict=True)
    ]
    assert shared == (~found.told_apart).tolist()


def test_some_but_not_all_pairs_are_told_apart_in_these_boards() -> None:
    """Without this, the tests of letters would say little."""
    telling = [name for name in JOINED if 0 < _board(name).compare().told_apart.mean() < 1]
    assert {"complete", "missing scores", "battles", "model", "separated"} <= {*telling}


# Components that never met ------------------------------------------------------------------------


def test_components_that_never_met_are_placed_each_on_its_own() -> None:
    board = _board("separate")
    assert board.players == ("E", "D", "C", "A", "B")
    assert board.details().rank_low.tolist() == [1, 1, 1, 1, 1]
    assert board.details().rank_high.tolist() == [3, 3, 3, 2, 2]
    assert board.details().letters == ("a", "a", "a", "b", "b")
    assert board.details().alike == (("E", "D", "C"), ("A", "B"))
    assert board.details().could_be_best == ("E", "D", "C", "A", "B")
    alone = winodds.rate(SEPARATE.filter(pl.col("player").is_in(["A", "B"])), higher_is_better=True)
    np.testing.assert_array_equal(board.details().p_best[3:], alone.details().p_best)
    np.testing.assert_allclose(board.details().quasi_se[3:], alone.details().quasi_se, rtol=1e-9)
    assert board.details().p_best[:3].sum() == pytest.approx(1.0, abs=1e-12)


def test_components_that_never_met_are_not_compared() -> None:
    board = _board("separate")
    assert sentence(NoCommonScale, lambda: board.compare("A", "C")) == (
        "'A' and 'C' belong to components that never met; their ratings cannot be compared."
    )
    assert sentence(NoCommonScale, board.compare) == (
        "'E' and 'A' belong to components that never met; their ratings cannot be compared."
    )
    alone = winodds.rate(SEPARATE.filter(pl.col("player").is_in(["A", "B"])), higher_is_better=True)
    assert board.compare("A", "B").text == alone.compare("A", "B").text


# Chances of being best ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(BOARDS))
def test_chances_of_being_best_add_up_in_each_component(name: str) -> None:
    board = _board(name)
    chances, number = board.details().p_best, board.components.number()
    assert np.bincount(number, chances) == pytest.approx(np.ones(len(board.components)), abs=1e-12)


@pytest.mark.parametrize("name", JOINED)
def test_the_leader_without_luck_has_the_chance_of_its_row(name: str) -> None:
    """Both come from the same draws; so does the bootstrap's share not."""
    board = _board(name)
    assert board.sota().leader.p_best == board.rows[0].p_best


def test_of_two_players_the_winner_of_most_rounds_is_the_likelier_best() -> None:
    """Two wins of three tell little; replicates would put the winner first in 20 of 27."""
    board = winodds.rate(grid({"A": [2, 2, 2], "B": [1, 1, 3]}), higher_is_better=True)
    chances = board.details().p_best
    assert 0.5 < chances[0] < 20 / 27
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)


def test_details_draw_no_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(placing, "plan_replicates", refuse)
    assert _rate(simulate(1, 6, 15)).details().p_best.sum() == pytest.approx(1.0)


def test_seed_of_the_board_changes_the_chances_reproducibly() -> None:
    scores = simulate(1, 6, 15, spread=1.5)
    chances = [_rate(scores, seed=seed).details().p_best for seed in (0, 7, 7)]
    np.testing.assert_array_equal(chances[1], chances[2])
    assert (chances[0] != chances[1]).any()
    np.testing.assert_array_equal(chances[0], _board("complete").details().p_best)


# Quasi-errors -------------------------------------------------------------------------------------


def test_quasi_errors_of_vtab_agree_with_qvcalc() -> None:
    wide = pl.read_csv(shared_file("data/vtab_leaderboard.csv"), separator=";").drop("Mean")
    board = winodds.rate(
        wide.unpivot(index="Model", variable_name="task", value_name="score"),
        player="Model",
        round="task",
        higher_is_better=True,
        estimator="mle",
        interval="model",
    )
    reference = pl.read_csv(shared_file("reference/vtab_within.csv"))
    expected = dict(zip(reference["player"], reference["quasi_se"], strict=True))
    assert len(expected) == len(board)
    board.details()
    for row in board:
        assert row.quasi_se == pytest.approx(expected[row.player], abs=1e-5)
    worst = board.details().quasi_worst
    assert worst == pytest.approx((-0.0929, 0.2860), abs=5e-5)


def _model_errors(board: Leaderboard) -> Floats:
    """(m, m) model-based errors of all differences, whatever the board shows."""
    return board.components[0].uncertainty_by("model").contrast_matrix().se


def test_two_players_share_the_error_of_their_difference() -> None:
    board = _board("two players")
    error = _model_errors(board)[0, 1]
    np.testing.assert_allclose(
        board.details().quasi_se, np.full(2, error / np.sqrt(2.0)), rtol=1e-12
    )
    assert board.details().quasi_worst == pytest.approx((0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("name", ["complete", "across", "battles", "model"])
def test_quasi_errors_give_errors_of_differences_up_to_their_worst(name: str) -> None:
    board = _board(name)
    quasi, errors = board.details().quasi_se, _model_errors(board)
    upper = np.triu_indices(len(board), 1)
    relative = np.sqrt(quasi[:, None] ** 2 + quasi**2)[upper] / errors[upper] - 1.0
    assert (relative.min(), relative.max()) == pytest.approx(board.details().quasi_worst, abs=1e-9)


def test_negative_quasi_variance_is_an_empty_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second's is: its differences have smaller errors than that of the two others."""
    found = quasi_variances(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]))
    assert found.variances[1] < 0.0
    monkeypatch.setattr(placing, "quasi_variances", lambda _: found)
    board = winodds.rate(three_by_three(), higher_is_better=True)
    assert np.isnan(board.details().quasi_se[1])
    assert board.rows[1].quasi_se is None


# What does not matter, and what is too much -------------------------------------------------------


def _pairs_of(found: Comparisons) -> list[Floats]:
    return [found.difference, found.se, found.low, found.high, found.p_value, found.p_adjusted]


def test_reference_player_changes_no_comparison() -> None:
    board, other = _board("complete"), _rate(simulate(1, 6, 15, spread=1.5), reference="p2")
    assert other.row("p2").epp == 0.0
    assert other.compare("p0", "p2").to_dict() == board.compare("p0", "p2").to_dict()
    for own, theirs in zip(_pairs_of(other.compare()), _pairs_of(board.compare()), strict=True):
        np.testing.assert_array_equal(own, theirs)
    _same_placing(other.details(), board.details())
    assert other.quality() == board.quality()


def test_too_many_players_are_not_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placing, "PLACING_LIMIT", 4)
    monkeypatch.setattr("winodds.board.field.FEW", 4)
    board = BOARDS["complete"]()
    message = (
        "All pairs of 6 players are too many to look at together; the limit is 4 players. Compare "
        "two by name, rate fewer, or leave the details out with details=False."
    )
    assert sentence(TooManyToCompare, lambda: board.details()) == message
    assert sentence(TooManyToCompare, board.compare) == message
    assert board.compare("p0", "p1").rounds.won == _board("complete").compare("p0", "p1").rounds.won


def test_board_without_details_has_them_when_asked() -> None:
    board = _rate(simulate(1, 6, 15, spread=1.5))
    row = board.rows[0]
    assert (row.rank_low, row.rank_high, row.p_best, row.letters, row.quasi_se) == (None,) * 5
    _same_placing(board.details(), _board("complete").details())


# Out and in ---------------------------------------------------------------------------------------


def _same_placing(own: Placing, other: Placing) -> None:
    for column in fields(Placing):
        one, two = getattr(own, column.name), getattr(other, column.name)
        if isinstance(one, tuple):
            assert one == two
        else:
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("name", list(BOARDS))
def test_board_from_json_ranks_and_fits_as_the_one_that_was_written(name: str) -> None:
    board = _board(name)
    board.look_closer()
    again = Leaderboard.from_json(board.to_json())
    assert (again.detailed, again.assessed) == (True, True)
    _same_placing(again.details(), board.details())
    assert again.quality() == board.quality()
    assert again.details().could_be_best == board.details().could_be_best


@pytest.mark.parametrize("name", list(BOARDS))
def test_board_from_json_computes_what_the_one_that_was_written_computes(name: str) -> None:
    board = _board(name)
    plain = {**board.to_dict(), "ranking": None, "quality": None}
    again = Leaderboard.from_dict(plain)
    _same_placing(again.details(), board.details())
    assert again.quality(simulations=60, seed=3) == board.quality(simulations=60, seed=3)
    if board.assessed:
        again.quality()
    own, theirs = (one.bootstrap(replicates=40, seed=2) for one in (board, again))
    np.testing.assert_array_equal(own.ratings, theirs.ratings)
    np.testing.assert_array_equal(own.observed, theirs.observed)
    for a, b in combinations(board.players, 2):
        if board.comparable(a, b):
            assert again.compare(a, b).to_dict() == board.compare(a, b).to_dict()
            model = again.compare(a, b, test="model").to_dict()
            assert model == board.compare(a, b, test="model").to_dict()
    if name in JOINED:
        for one, other in zip(_pairs_of(board.compare()), _pairs_of(again.compare()), strict=True):
            np.testing.assert_array_equal(one, other)


# Known faults -------------------------------------------------------------------------------------


def test_replicate_that_is_hard_to_fit_ends_nothing() -> None:
    scores = simulate(3, 8, 6)
    scores[np.random.default_rng(3).random(scores.shape) < 0.15] = np.nan
    shares = _rate(scores).bootstrap(replicates=1000).first_in
    assert shares.sum() == pytest.approx(1.0, abs=1e-12)


def test_bars_reach_from_the_last_to_the_first_who_share_a_letter() -> None:
    board = _board("complete")
    epp = {row.player: row.epp for row in board}
    bars = board.bars_of(board.details().alike)
    assert [bar.players for bar in bars] == list(board.details().alike)
    for bar in bars:
        ratings = [epp[player] for player in bar.players]
        assert (bar.low, bar.high) == (min(ratings), max(ratings))


def test_notes_on_details_come_with_them_once() -> None:
    """Ranges that hold at once say so; so do chances that all players may be equal."""
    table = grid({"a": [1.0, 2.0, 3.0, 1.0], "b": [2.0, 3.0, 1.0, 2.0], "c": [3.0, 1.0, 2.0, 3.0]})
    board = winodds.rate(
        table,
        player="player",
        round="round",
        score="score",
        higher_is_better=True,
        ranks="simultaneous",
    )
    before = board.notes
    assert board.details() is board.details()
    assert [str(note) for note in board.notes[len(before) :]] == [
        "The rank ranges hold for all players at once (95%).",
        "The ratings vary no more than luck alone would make them; if all players are equal, who "
        "is best means nothing.",
    ]
    assert winodds.Leaderboard.from_json(board.to_json()).notes == board.notes
