"""Slices of a table: their boards, what differs, what is said and refused."""

import json
from dataclasses import replace

import jsonschema
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from tables import sentence

import winodds
from winodds import Leaderboard, Slices, errors
from winodds.show.words.slices import describe_leaders, describe_slices

NAMES = ("ada", "bob", "cyd", "dan")


def make_table(
    seed: int = 1, *, bump: float = 2.0, sizes: tuple[int, ...] = (30, 40, 50)
) -> pl.DataFrame:
    """Scores of four models; 'bob' is better in 'law' by the bump."""
    rng = np.random.default_rng(seed)
    topics = np.repeat(("art", "law", "sea")[: len(sizes)], sizes)
    rows = [
        (name, item, topic, skill + bump * (name == "bob" and topic == "law") + noise)
        for item, topic in enumerate(topics.tolist())
        for name, skill, noise in zip(NAMES, (0.6, 0.2, 0.0, -0.4), rng.normal(size=4), strict=True)
    ]
    return pl.DataFrame(rows, ["player", "round", "topic", "score"], orient="row")


def cut(table: pl.DataFrame, **options: object) -> Slices:
    return winodds.rate_slices(table, **{"by": "topic", "higher_is_better": True, **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def found() -> Slices:
    return cut(make_table())


def test_slices_are_the_rounds_of_the_whole_and_none_twice(found: Slices) -> None:
    assert list(found) == ["art", "law", "sea"]
    assert [own.rounds for own in found.values()] == [30, 40, 50]
    named = [
        own.board.schedule.rounds for own in found.values() if own.board and own.board.schedule
    ]
    assert found.whole.schedule is not None
    assert sorted(sum(named, ())) == sorted(found.whole.schedule.rounds)


def test_the_board_of_a_slice_is_that_of_its_rows(found: Slices) -> None:
    law = make_table().filter(pl.col("topic") == "law")
    alone = winodds.rate(law, higher_is_better=True, details=False)
    board = found["law"].board
    assert board is not None
    assert board.columns() == alone.columns()
    assert (
        found.whole.columns()["epp"]
        == winodds.rate(make_table(), higher_is_better=True).columns()["epp"]
    )


def test_differences_are_those_of_the_boards_of_a_slice_and_of_the_rest(found: Slices) -> None:
    rest = winodds.rate(
        make_table().filter(pl.col("topic") != "law"), higher_is_better=True, details=False
    )
    board = found["law"].board
    assert board is not None
    for one in found["law"].differences:
        assert one.inside == pytest.approx(board.row(one.player).epp)
        assert one.outside == pytest.approx(rest.row(one.player).epp)
        assert one.difference == one.inside - one.outside


def test_who_is_better_in_a_slice_is_said(found: Slices) -> None:
    assert (found.told()[0].slice, found.told()[0].player) == ("law", "bob")
    assert describe_slices(found)[:2] == [
        "What differs from the rest (1 of 12 comparisons):",
        "In 'law', bob does better than elsewhere: it wins 86 of 100 rounds against the average "
        "player instead of 58 (1.52 higher in EPP, 0.91 to 2.10; adjusted p < 0.001).",
    ]


def test_one_who_rises_lowers_the_others_and_that_is_said() -> None:
    found = cut(make_table(bump=3.0))
    assert describe_slices(found)[2] == (
        "In 'law', cyd does worse than elsewhere: it wins 23 of 100 rounds against the average "
        "player instead of 42 (0.91 lower in EPP, 0.42 to 1.38; adjusted p = 0.003)."
    )
    assert found.notes[1].text == (
        "Ratings are around an average, and elsewhere are all other slices: one player's large "
        "difference in one slice shows, smaller and with the other sign, at the other players "
        "there and in the other slices."
    )


def test_nothing_is_said_to_differ_where_nothing_does() -> None:
    same = cut(make_table(bump=0.0))
    assert describe_slices(same) == [
        "Nobody is seen to do better or worse in a slice than elsewhere (12 comparisons of slices "
        "and players)."
    ]


def test_leaders_are_told_with_all_slices_taken_together() -> None:
    found = cut(make_table())
    assert not found.led
    leaders = {own.slice: own for own in found.leaders()}
    assert found.led
    assert leaders["law"].told
    assert (leaders["law"].player, leaders["law"].could_be_best) == ("bob", ("bob",))
    assert not leaders["art"].told
    assert describe_leaders(found) == (
        "The leader is told apart from everyone else in 1 of 3 slices: law (bob) (chance of any "
        "false claim over all slices: 5%)."
    )


def test_a_leader_is_told_apart_only_at_the_share_of_its_slice() -> None:
    """A leader whom one board alone tells apart at 5% is not, as one of many slices."""
    table = make_table(bump=1.25)
    one = winodds.rate(table.filter(pl.col("topic") == "law"), higher_is_better=True)
    assert one.details().could_be_best == ("bob",)
    law = next(own for own in cut(table).leaders() if own.slice == "law")
    assert law.player == "bob"
    assert not law.told


def test_rounds_without_a_value_are_counted_and_belong_to_no_slice() -> None:
    table = make_table().with_columns(
        pl.when(pl.col("round") % 10 == 0).then(None).otherwise(pl.col("topic")).alias("topic")
    )
    found = cut(table)
    assert [own.rounds for own in found.values()] == [27, 36, 45]
    assert found.whole.how.matches.rounds == 120
    assert found.notes[0].text == (
        "12 of 120 rounds have no value in 'topic'; they count for the whole board, and for no "
        "slice."
    )
    rest = winodds.rate(
        table.filter(pl.col("topic").is_in(["art", "sea"])), higher_is_better=True, details=False
    )
    one = found["law"].differences[0]
    assert one.outside == pytest.approx(rest.row(one.player).epp)


def test_a_small_slice_is_doubted() -> None:
    found = cut(make_table(sizes=(4, 40, 50)))
    assert found["art"].too_small
    assert [own.text for own in found["art"].notes] == [
        "'art' is too small to say how it differs: with 4 rounds, not even 99 wins of 100 instead "
        "of 50 of a typical player would be seen."
    ]
    assert not found["law"].too_small


def test_a_slice_in_which_something_is_told_is_not_too_small() -> None:
    """A typical player may have few battles, and one of many all the same."""
    found = cut(make_table(sizes=(4, 40, 50)))
    faint = found["art"]
    clear = replace(faint, differences=(replace(faint.differences[0], told=True),))
    assert (faint.too_small, clear.too_small) == (True, False)


def test_a_slice_of_one_round_has_no_board_and_says_why() -> None:
    found = cut(make_table(sizes=(1, 40, 50)))
    assert found["art"].board is None
    assert found["art"].differences == ()
    assert found["art"].too_small
    assert [own.name for own in found["art"].notes] == ["not_rated"]
    assert {one.slice for own in found.values() for one in own.differences} == {"law", "sea"}
    assert "'art' has no board: " in str(found)


def test_different_shares_of_ties_are_said() -> None:
    table = make_table(bump=0.0).with_columns(
        pl.when(pl.col("topic") == "sea").then(pl.col("score").round(0)).otherwise(pl.col("score"))
    )
    names = [own.name for own in cut(table)["sea"].notes]
    assert names == ["ties_differ"]


def test_an_unbeaten_player_in_a_slice_keeps_an_open_end() -> None:
    found = cut(make_table(bump=50.0))
    one = next(own for own in found["law"].differences if own.player == "bob")
    assert (one.high, one.told) == (None, True)
    assert found["law"].averaged == 3
    sentence = describe_slices(found)[1]
    assert sentence.startswith(
        "In 'law', bob does better than elsewhere: it wins more than 99 of 100 rounds against the "
        "average of 3 comparable players instead of 61 (5.15 higher in EPP, 2.32 to ∞; adjusted "
    )
    elsewhere = next(own for own in found["art"].differences if own.player == "bob")
    assert elsewhere.low is not None


def test_players_who_never_met_in_a_slice_are_rated_apart_there() -> None:
    table = make_table()
    odd = pl.col("round") % 2 == 1
    art = pl.col("topic") == "art"
    pair = pl.col("player").is_in(["ada", "bob"])
    found = cut(table.filter(~art | (odd == pair)))
    board = found["art"].board
    assert board is not None
    assert len(board.components) == 2
    assert [own.name for own in found["art"].notes if own.name == "players_left_out"]


def test_slices_that_are_numbers_stand_in_their_order() -> None:
    table = make_table().with_columns((pl.col("round") // 12 + 1).alias("level"))
    assert list(cut(table, by="level")) == [str(k) for k in range(1, 11)]


def test_pooled_tournaments_are_the_clusters_of_slices() -> None:
    table = make_table().with_columns((pl.col("round") % 12).alias("data"))
    found = cut(table, tournament="data")
    assert found.whole.how.interval.cluster == "tournament"
    assert found["law"].clusters == 12
    assert found.notes[-1].text == (
        "12 of 12 tournaments reach into more than one slice; the errors of differences take that "
        "into account."
    )


def test_battles_are_sliced_too() -> None:
    rng = np.random.default_rng(4)
    first = rng.integers(4, size=600)
    second = (first + rng.integers(1, 4, size=600)) % 4
    language = np.where(np.arange(600) % 3 == 0, "fr", "en")
    skill = np.array([0.5, 0.2, 0.0, -0.7])[first] - np.array([0.5, 0.2, 0.0, -0.7])[second]
    skill += 1.5 * (language == "fr") * ((first == 1).astype(float) - (second == 1))
    won = np.where(rng.random(600) < 1 / (1 + np.exp(-skill)), "model_a", "model_b")
    table = pl.DataFrame(
        {
            "model_a": [NAMES[k] for k in first],
            "model_b": [NAMES[k] for k in second],
            "winner": won,
            "language": language,
        }
    )
    found = winodds.rate_battle_slices(table, by="language")
    assert [own.rounds for own in found.values()] == [400, 200]
    assert found.tests == 4
    assert ("fr", "bob") in [(one.slice, one.player) for one in found.told()]
    fr = found["fr"].board
    alone = winodds.rate_battles(table.filter(pl.col("language") == "fr"), details=False)
    assert fr is not None
    assert fr.columns() == alone.columns()
    assert "matches against the average model instead of" in describe_slices(found)[1]


@settings(max_examples=8)
@given(st.permutations(range(480)), st.permutations(["w", "x", "y", "z"]))
def test_neither_rows_nor_names_change_a_number(order: list[int], names: list[str]) -> None:
    table = make_table()
    other = cut(table[order].with_columns(pl.col("player").replace(NAMES, names)))
    new = dict(zip(NAMES, names, strict=True))
    expected = {
        (one.slice, new[one.player]): one.p_adjusted
        for own in cut(table).values()
        for one in own.differences
    }
    assert {
        (one.slice, one.player): pytest.approx(one.p_adjusted, abs=1e-12)
        for own in other.values()
        for one in own.differences
    } == expected


def test_frame_has_a_row_for_every_slice_and_player(found: Slices) -> None:
    frame = found.frame("polars")
    assert frame.shape[0] == 12
    row = frame.filter((pl.col("slice") == "law") & (pl.col("player") == "bob")).row(0, named=True)
    one = next(own for own in found["law"].differences if own.player == "bob")
    assert (row["difference"], row["elsewhere"], row["differs"]) == (
        one.difference,
        one.outside,
        True,
    )


def test_notebooks_escape_the_names_of_slices() -> None:
    table = make_table().with_columns(pl.col("topic").replace("law", "<law>"))
    html = cut(table)._repr_html_()
    assert ">&lt;law&gt;</td>" in html
    assert "<law>" not in html


def test_what_two_slices_share_is_listed_in_their_order() -> None:
    found = cut(make_table(sizes=(40, 40)))
    assert [(one.slice, one.player) for one in found.told()] == [("art", "bob"), ("law", "bob")]


def test_json_holds_boards_that_are_read_back(found: Slices) -> None:
    data = json.loads(found.to_json())
    assert data["schema"] == "winodds/slices/1"
    law = next(own for own in data["slices"] if own["name"] == "law")
    board = Leaderboard.from_dict(law["board"])
    assert board.players[0] == "bob"
    assert law["differences"][0].keys() >= {"slice", "player", "difference", "p_adjusted", "told"}


def test_json_follows_its_schema(found: Slices) -> None:
    schema = jsonschema.Draft202012Validator(winodds.slices_schema())
    schema.check_schema(winodds.slices_schema())
    lonely = cut(make_table(sizes=(30, 40, 1)))
    assert any(own.board is None for own in lonely.values())
    for slices in (found, lonely):
        schema.validate(json.loads(slices.to_json()))
        slices.leaders()
        schema.validate(json.loads(slices.to_json()))
    data = json.loads(found.to_json())
    del data["slices"][0]["differences"][0]["se"]
    assert not schema.is_valid(data)


# What is refused ----------------------------------------------------------------------------------


def test_a_round_with_two_values_is_refused() -> None:
    table = make_table().with_columns(
        pl.when((pl.col("round") == 7) & (pl.col("player") == "ada"))
        .then(None)
        .otherwise(pl.col("topic"))
        .alias("topic")
    )
    assert sentence(errors.NotConstant, lambda: cut(table)) == (
        "Column 'topic' gives round '7' more than one slice: '(empty)', 'art'. A round has one "
        "slice."
    )


def test_one_value_is_no_slice() -> None:
    table = make_table().with_columns(pl.lit("x").alias("topic"))
    assert sentence(errors.OneSlice, lambda: cut(table)) == (
        "Column 'topic' has only one value in the rounds that play, so there is nothing to "
        "compare. Name a column with two or more values."
    )


def test_names_are_no_slices() -> None:
    table = make_table(sizes=(100, 100, 100))
    assert sentence(errors.TooManySlices, lambda: cut(table, by="round")) == (
        "Column 'round' has 300 values, and slices are at most 200. Name a column with fewer "
        "values, such as a topic."
    )


def test_slices_none_of_which_can_be_rated_are_refused_with_a_reason() -> None:
    table = make_table(sizes=(1, 1))
    assert sentence(errors.NoSliceRated, lambda: cut(table)) == (
        "None of the 2 slices by 'topic' can be rated. Of the first, 'art': it has 1 round "
        "in which players met, and a board needs two."
    )


def test_tournaments_are_no_slices() -> None:
    assert sentence(errors.BadOption, lambda: cut(make_table(), tournament="topic")) == (
        'by="topic" is not possible; each of its values is a tournament, and has a board of its '
        "own in a season."
    )


def test_overlapping_splits_are_not_sliced() -> None:
    assert sentence(errors.BadOption, lambda: cut(make_table(), test_fraction=0.1)) == (
        "test_fraction=0.1 is not possible; with by= the splits of two slices share training data, "
        "too; leave it out."
    )


def test_an_unknown_slice_is_named_with_those_there_are(found: Slices) -> None:
    assert sentence(errors.UnknownSlice, lambda: found["lawn"]) == (
        "No slice 'lawn' by 'topic'; there are 'art', 'law', 'sea'."
    )
