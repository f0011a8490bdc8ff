"""What things are called: by the columns of the table, and by the house's words elsewhere."""

import pickle
import re
from typing import Any

import polars as pl
import pytest

import winodds
from winodds import Leaderboard
from winodds.board.notes import many_splits
from winodds.language.nouns import DATA_SETS_PLAY, HOUSE, Noun, name_things, noun_of


@pytest.mark.parametrize(
    ("column", "noun"),
    [
        ("model", "model"),
        ("model_name", "model"),
        ("Model", "model"),
        ("models", "model"),
        ("modelId", "model"),
        ("params.model", "model"),
        ("dataset", "data set"),
        ("data_set", "data set"),
        ("Dataset Name", "data set"),
        ("cv_fold", "fold"),
        ("Queries", "query"),
        ("LLM", "LLM"),
        ("clf", "classifier"),
        ("Modell", "model"),
    ],
)
def test_a_column_names_its_things(column: str, noun: str) -> None:
    assert str(noun_of(column)) == noun


@pytest.mark.parametrize(
    "column",
    [
        *(None, "", "x1", "Unnamed: 0", "col", "name", "match", "rank", "wins", "Série", "模型"),
        *("\x1b[31mmodel\x1b[0m", "model of the second experiment on the old cluster"),
    ],
)
def test_an_odd_column_leaves_the_words_of_the_house(column: str | None) -> None:
    found = name_things({"player": column})
    if column is not None and column.startswith("\x1b"):
        # What is left of an escape sequence is no noun.
        assert "\x1b" not in found.player.one
    else:
        assert found == HOUSE


def test_things_with_one_name_keep_those_of_the_house() -> None:
    found = name_things({"player": "model", "round": "inner_split", "tournament": "outer_split"})
    assert (found.players, found.rounds, found.tournaments) == ("models", "rounds", "tournaments")
    # A column called "round" that holds the players would make two things of one word.
    assert name_things({"player": "round"}) == HOUSE


def test_several_columns_are_a_round_but_still_a_model() -> None:
    found = name_things({"player": "model/depth", "round": "task/fold"})
    assert (found.players, found.rounds) == ("models", "rounds")


@pytest.mark.parametrize(
    ("left", "right", "player"),
    [
        ("model_a", "model_b", "model"),
        ("agent 1", "agent 2", "agent"),
        ("left", "right", "player"),
        ("white", "black", "player"),
    ],
)
def test_both_columns_of_a_battle_name_the_players(left: str, right: str, player: str) -> None:
    assert name_things({"left": left, "right": right}).player.one == player


def test_nouns_count_and_take_an_article() -> None:
    assert Noun("entry", "entries").count(2, "more") == "2 more entries"
    assert [Noun(one, "").a for one in ("item", "user", "LLM", "split")] == [
        "an item",
        "a user",
        "an LLM",
        "a split",
    ]


def table(**renamed: str) -> pl.DataFrame:
    rows = [
        (who, data, fold, 0.1 * ((step * fold + len(data)) % 7))
        for who, step in (("a", 2), ("b", 3), ("c", 5))
        for data in ("iris", "wine", "glass")
        for fold in range(4)
    ]
    names = ["player", "tournament", "round", "score"]
    return pl.DataFrame(rows, names, orient="row").rename(renamed)


def rated(**renamed: str) -> Leaderboard:
    columns: dict[str, Any] = {
        name: renamed.get(name, name) for name in ("player", "tournament", "round")
    }
    return winodds.rate(table(**renamed), **columns, higher_is_better=True, details=True)


def test_a_board_speaks_the_words_of_its_columns_also_when_it_is_read_back() -> None:
    board = rated(player="model", tournament="dataset", round="fold")
    texts = [str(board), board.to_markdown(), board.to_latex(), board._repr_html_()]
    texts += [str(board.compare("a", "b")), str(board.quality())]
    again = Leaderboard.from_json(board.to_json())
    texts += [str(again), str(again.compare("a", "b"))]
    for text in (re.sub(r' title="[^"]*"', "", own) for own in texts):
        assert not any(word in text for word in ("player", "tournament", "round")), text
    assert str(again) == str(board)
    assert str(board).splitlines()[0].split()[:4] == ["rank", "could", "be", "model"]


def test_programs_read_the_same_columns_and_keys_whatever_things_are_called() -> None:
    own, other = rated(), rated(player="model", tournament="dataset", round="fold")
    assert own.frame().columns == other.frame().columns
    mine, theirs = own.to_dict(), other.to_dict()
    assert mine.keys() == theirs.keys()
    assert [note["facts"] for note in mine["notes"]][1:] == [
        note["facts"] for note in theirs["notes"]
    ][1:]


def test_without_a_word_for_them_things_are_players_rounds_and_tournaments() -> None:
    text = str(rated())
    assert "3 tournaments are pooled, and each counts once for a pair of players" in text


def test_data_sets_that_play_are_called_so() -> None:
    board = winodds.rate(
        table(player="x1", tournament="x2", round="x3"),
        player="x1",
        tournament="x2",
        round="x3",
        score="score",
        scheme="data-sets",
        higher_is_better=True,
    )
    assert board.how.nouns == DATA_SETS_PLAY


def test_a_note_is_told_again_in_other_words_and_is_the_same_after_a_journey() -> None:
    note = many_splits(20, 3)
    said = note.said_in(name_things({"round": "split", "tournament": "dataset"}))
    assert str(said).startswith("20 splits, but only 3 data sets: splits of one data set agree")
    assert said.facts == note.facts == {"rounds": 20, "tournaments": 3}
    assert pickle.loads(pickle.dumps(note)) == note
