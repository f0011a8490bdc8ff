"""Two players in a new tournament, by name, and all pairs."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import long_table
from tables import grid, sentence, texts

from winodds import Season, rate_each
from winodds.errors import (
    BadOption,
    NoSharedPairs,
    SamePlayer,
    TooFewShared,
    TooManyPairs,
    UnknownPlayer,
)
from winodds.season import comparisons
from winodds.season.comparisons import SeasonComparison, compare_all, compare_with, find_moderation
from winodds.season.heterogeneity import moderate, predict

SCORES: dict[str, dict[str, list[float]]] = {
    "t": {"a": [3.0, 1.0, 2.0, 5.0], "b": [2.0, 2.0, 1.0, 4.0], "c": [1.0, 3.0, 3.0, 3.0]},
    "u": {"a": [5.0, 6.0, 7.0], "b": [4.0, 8.0, 6.0], "c": [1.0, 1.0, 1.0]},
    "v": {"a": [1.0, 2.0, 2.0], "b": [2.0, 1.0, 3.0], "c": [0.0, 0.0, 0.0], "d": [1.5, 1.5, 1.0]},
    "w": {"a": [4.0, 5.0, 3.0], "b": [5.0, 4.0, 2.0], "c": [1.0, 2.0, 1.0], "d": [2.0, 6.0, 1.5]},
}


def made(scores: dict[str, dict[str, list[float]]] = SCORES) -> Season:
    table = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in scores.items()])
    return rate_each(table, tournament="data", higher_is_better=True)


def many(seed: int = 1, players: int = 20, tournaments: int = 5, *, prefix: str = "p") -> Season:
    """Players of different strength, who are better in some tournaments than in others."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=players)
    tables = []
    for number in range(tournaments):
        truth = strength + 0.5 * rng.normal(size=players)
        scores = truth + rng.normal(size=(6, players))
        tables.append(long_table(scores, prefix=prefix).with_columns(data=pl.lit(f"d{number}")))
    return rate_each(pl.concat(tables), tournament="data", higher_is_better=True)


# Two players --------------------------------------------------------------------------------------


def test_comparison_is_what_the_numbers_predict() -> None:
    season = made()
    lineup, players = season.lineup, season.matrix().players
    table = lineup.pairs(np.array([players.index("a")]), np.array([players.index("b")]))
    wanted = predict(table, find_moderation(lineup), level=0.9)
    found = season.compare("a", "b", level=0.9)
    assert (found.a, found.b, found.level) == ("a", "b", 0.9)
    assert (found.shared, found.separated) == (4, 0)
    assert found.tau == wanted.tau[0]
    assert found.p_better == wanted.p_better[0]
    for estimate, ranges in (
        (found.p_win_round, wanted.p_round),
        (found.p_win_new, wanted.new.chances()),
        (found.difference_new_board, wanted.new_board),
        (found.mean_difference, wanted.average),
    ):
        ends = estimate.value, estimate.low, estimate.high
        assert ends == (ranges.value[0], ranges.low[0], ranges.high[0])


def test_pair_turned_round_is_the_same_pair() -> None:
    season = made()
    one, other = season.compare("a", "c"), season.compare("c", "a")
    assert one.p_better + other.p_better == pytest.approx(1.0)
    assert one.p_win_round.value + other.p_win_round.value == pytest.approx(1.0)
    assert one.p_win_new.low is not None
    assert other.p_win_new.high is not None
    assert one.p_win_new.low + other.p_win_new.high == pytest.approx(1.0)
    assert (one.tau, one.shared, one.separated) == (other.tau, other.shared, other.separated)


def test_json_has_what_is_promised_and_open_ends_are_null_or_a_certain_chance() -> None:
    """In u, v and w, c lost every match: in three of four, nobody knows how far it is behind."""
    found = made().compare("a", "c")
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert list(data) == [
        *("a", "b", "p_win_round", "p_better", "p_win_new", "difference_new_board"),
        *("mean_difference", "tau", "shared", "separated", "level", "notes"),
    ]
    for name in ("p_win_round", "p_better", "p_win_new", "difference_new_board"):
        assert list(data[name]) == ["value", "low", "high"]
    assert data["p_better"] == {"value": found.p_better, "low": None, "high": None}
    assert data["p_win_new"]["high"] == 1.0
    assert data["mean_difference"]["high"] is None
    assert data["difference_new_board"]["high"] == found.difference_new_board.high is not None
    assert (data["shared"], data["separated"]) == (4, 3)


def test_notes_tell_few_tournaments_and_open_ends() -> None:
    season = made()
    few = (
        "The two can be compared in only 4 data sets; below about 5, what is said of a new one "
        "rests mostly on how other pairs vary."
    )
    gap = (
        "In 3 of 4 data sets nobody can tell how far 'a' is ahead of 'c', because all matches "
        "went one way: that end of the true difference is open."
    )
    assert texts(season.compare("a", "b").notes) == (few,)
    assert texts(season.compare("a", "c").notes) == (few, gap)
    assert texts(season.compare("c", "a").notes) == (few, gap)
    assert [note.kind for note in season.compare("c", "a").notes] == ["doubt", "doubt"]
    assert texts(many().compare("p0", "p1").notes) == ()


def test_few_shared_tournaments_are_refused() -> None:
    assert sentence(TooFewShared, lambda: made().compare("d", "a")) == (
        "'d' and 'a' can be compared in 2 of 4 tournaments; what they will do in a new one can be "
        "told from 3 or more. Add tournaments in which both take part, or compare them on the "
        "board of one."
    )


def test_wrong_names_are_refused() -> None:
    season = made()
    assert sentence(UnknownPlayer, lambda: season.compare("a", "e")) == (
        "No player 'e' in this season."
    )
    assert sentence(SamePlayer, lambda: season.compare("a", "a")) == (
        "'a' cannot be compared with itself; name two players."
    )
    assert sentence(BadOption, lambda: season.compare("a")) == (  # type: ignore[call-overload]
        "b=None is not possible; name two players, or none for all pairs."
    )
    assert sentence(BadOption, lambda: season.compare("a", "b", level=1.0)) == (
        "level=1.0 is not possible; it is a number between 0 and 1, ends excluded."
    )


# All pairs ----------------------------------------------------------------------------------------


def test_all_pairs_are_those_that_share_enough_and_the_rest_is_counted() -> None:
    found = made().compare()
    assert len(found) == 3
    assert {(pair.a, pair.b) for pair in found} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert texts(found.notes) == (
        "3 of 6 pairs are left out: the two can be compared in fewer than 3 data sets.",
        "3 of 3 pairs rest on fewer than 5 data sets; what is said of a new one rests there "
        "mostly on how other pairs vary.",
    )
    assert [note.kind for note in found.notes] == ["scope", "doubt"]


def test_each_of_all_pairs_is_as_when_asked_alone() -> None:
    season = many()
    found = season.compare(level=0.9)
    assert len(found) == 190
    assert found.notes == ()
    assert isinstance(found[3], SeasonComparison)
    for pair in (found[3], found[-1], *found[7:9]):
        alone = season.compare(pair.a, pair.b, level=0.9)
        assert pair.p_win_round.value == pytest.approx(alone.p_win_round.value, rel=1e-12)
        assert pair.p_win_new.low == pytest.approx(alone.p_win_new.low, rel=1e-12)
        assert pair.p_better == pytest.approx(alone.p_better, rel=1e-12)
    with pytest.raises(IndexError):
        found[190]


def test_table_has_a_row_for_each_pair() -> None:
    found = made().compare()
    table = found.frame()
    assert table.columns == [
        *("a", "b", "p_win_round", "p_win_round_low", "p_win_round_high", "p_better"),
        *("p_win_new", "p_win_new_low", "p_win_new_high"),
        *("difference_new_board", "difference_new_board_low", "difference_new_board_high"),
        *("mean_difference", "mean_difference_low", "mean_difference_high"),
        *("tau", "shared", "separated"),
    ]
    row = next(row for row in table.to_dicts() if (row["a"], row["b"]) == ("a", "c"))
    alone = made().compare("a", "c")
    assert row["p_win_new_high"] == alone.p_win_new.high == 1.0
    assert row["mean_difference_high"] is None
    assert row["difference_new_board_low"] == pytest.approx(alone.difference_new_board.low)
    assert (row["shared"], row["separated"]) == (4, 3)
    assert isinstance(found.frame("pandas"), pd.DataFrame)
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert list(data) == ["level", "pairs", "notes"]
    assert data["pairs"] == [pair.to_dict() for pair in found]


def test_pairs_in_several_lots_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    season = many()
    whole = season.compare().columns()
    monkeypatch.setattr(comparisons, "BLOCK", 50)
    for name, cells in season.compare().columns().items():
        wanted = whole[name]
        assert cells == (wanted if isinstance(wanted[0], str | int) else pytest.approx(wanted))


def test_too_many_players_for_all_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "ALL_PAIRS_LIMIT", 3)
    assert sentence(TooManyPairs, lambda: made().compare()) == (
        "All pairs of 4 players are too many to look at together; the limit is 3 players. Compare "
        "two by name, or rate fewer."
    )
    assert made().compare("a", "b").shared == 4


def test_season_of_two_tournaments_tells_nothing_of_a_new_one() -> None:
    season = made({name: SCORES[name] for name in ("t", "u")})
    assert sentence(NoSharedPairs, lambda: season.compare()) == (
        "No two of 3 players can be compared in 3 or more tournaments, of 2; fewer tell nothing "
        "about a new one. Add tournaments, or compare players on the board of one."
    )


def test_player_of_too_few_tournaments_is_named_where_others_can_be_compared() -> None:
    scores = {"a": [3.0, 2.0, 3.0], "b": [2.0, 1.0, 2.0], "c": [1.0, 3.0, 1.0]}
    without = {name: own for name, own in scores.items() if name != "a"}
    season = made({"t": scores, "u": scores, "v": without})
    players = season.matrix().players
    assert sentence(NoSharedPairs, lambda: compare_with(season.lineup, players, "a")) == (
        "'a' can be compared with none of the others in 3 or more of 3 tournaments; fewer tell "
        "nothing about a new one. Add tournaments in which it takes part, or compare others by "
        "name."
    )
    assert len(season.compare()) == 1


# What pairs have in common ------------------------------------------------------------------------


def test_few_pairs_are_all_asked_what_they_have_in_common() -> None:
    lineup = many(players=10).lineup
    table = lineup.pairs(*np.triu_indices(10, 1))
    found, wanted = find_moderation(lineup), moderate(table, 9)
    assert (found.ratio, found.df, found.spread) == pytest.approx(
        (wanted.ratio, wanted.df, wanted.spread), rel=1e-12
    )


def test_of_many_pairs_some_are_asked_and_always_the_same() -> None:
    lineup = many(players=30).lineup
    first, second = comparisons._typical_pairs(lineup)
    assert first.size == 150
    assert (first < second).all()
    assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == 150
    again = comparisons._typical_pairs(lineup)
    np.testing.assert_array_equal(again, (first, second))


def test_pairs_are_numbered_without_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "TYPICAL", 10**6)
    first, second = comparisons._typical_pairs(many(players=30).lineup)
    found = set(zip(first.tolist(), second.tolist(), strict=True))
    assert found == {(i, j) for j in range(30) for i in range(j)}


def test_names_of_players_change_no_number() -> None:
    one, other = many(players=25, prefix="p"), many(players=25, prefix="zz")
    here, there = one.compare(), other.compare()
    assert [name.replace("p", "zz") for name in here.players] == list(there.players)
    for name, cells in here.columns().items():
        if name not in ("a", "b"):
            assert cells == pytest.approx(there.columns()[name], rel=1e-9)


def test_order_of_tournaments_changes_no_number() -> None:
    season = many(players=25)
    turned = Season({name: season[name] for name in reversed(list(season))})
    here, there = season.compare().columns(), turned.compare().columns()
    for name, cells in here.items():
        wanted = there[name]
        assert cells == (wanted if name in ("a", "b") else pytest.approx(wanted, rel=1e-9))


def test_two_players_are_compared_without_others() -> None:
    """One pair has nothing in common with others; it rests on its own three tournaments."""
    scores = {
        name: {player: own[player] for player in ("a", "b")}
        for name, own in SCORES.items()
        if name != "t"
    }
    season = made(scores)
    found = compare_all(season.lineup, season.matrix().players)
    assert len(found) == 1
    assert found.found.df_shown.tolist() == [2.0]
