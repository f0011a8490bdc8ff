"""Seasons: one leaderboard for each tournament."""

import json
import pickle
import threading
from collections.abc import Mapping
from typing import Any

import joblib
import jsonschema
import polars as pl
import pytest
from tables import facts, grid, sentence, three_by_three

from winodds import Leaderboard, Season, WinoddsError, leaderboard_schema, rate, rate_each
from winodds.api import scores
from winodds.errors import InTournament, SchemaUnknown


def two_data_sets() -> pl.DataFrame:
    return pl.concat(
        [
            three_by_three().with_columns(data=pl.lit("wine")),
            three_by_three().with_columns(-pl.col("score"), data=pl.lit("iris"))[:6],
        ]
    )


def season(table: pl.DataFrame | None = None, **options: Any) -> Season:
    given = two_data_sets() if table is None else table
    return rate_each(given, **{"tournament": "data", "higher_is_better": True, **options})


def test_season_is_a_mapping_from_tournaments_to_boards() -> None:
    found = season()
    assert isinstance(found, Mapping)
    assert list(found) == ["iris", "wine"]
    assert len(found) == 2
    assert "iris" in found
    assert "adult" not in found
    assert found.get("adult") is None
    assert [board.tournament for board in found.values()] == ["iris", "wine"]
    assert dict(found.items())["wine"] is found["wine"]
    with pytest.raises(KeyError, match="adult"):
        found["adult"]


def test_board_of_a_season_is_the_board_of_its_part() -> None:
    table = two_data_sets()
    for name, board in season(table).items():
        part = table.filter(pl.col("data") == name)
        assert facts(board) == facts(rate(part, tournament="data", higher_is_better=True))


def test_boards_tell_their_tournament() -> None:
    assert repr(season()["iris"]) == "<Leaderboard of 'iris': 3 players, best 'b'>"
    assert repr(season()) == "<Season: 2 leaderboards>"
    assert season()["iris"].how.scheme.name == "Model/CV"


def test_season_of_one_board_is_counted_in_the_singular() -> None:
    assert repr(season(two_data_sets()[:9])) == "<Season: 1 leaderboard>"


def test_several_columns_form_a_tournament() -> None:
    table = two_data_sets().with_columns(target=pl.lit("y"))
    assert list(season(table, tournament=["data", "target"])) == ["iris/y", "wine/y"]


def test_boards_count_only_what_is_theirs() -> None:
    table = pl.concat(
        [
            grid({"a": [1, 2], "b": [2, None], "c": [3, 1]}).with_columns(data=pl.lit("x")),
            grid({"a": [1, 2], "b": [2, 1], "d": [2, 3]}).with_columns(data=pl.lit("y")),
            grid({"a": [1], "b": [2], "d": [2]}).with_columns(data=pl.lit("y")),
        ]
    )
    found = season(table)
    assert sorted(found["x"].players) == ["a", "b", "c"]
    assert sorted(found["y"].players) == ["a", "b", "d"]
    assert found["x"].how.dropped.missing_of == {"b": 1}
    assert found["y"].how.dropped.missing_of == {}
    assert found["x"].how.dropped.duplicate_rows == 0
    assert found["y"].how.dropped.duplicate_rows == 3


def test_normalised_names_are_counted_for_the_whole_table() -> None:
    table = two_data_sets().with_columns(
        pl.when((pl.col("data") == "wine") & (pl.col("player") == "b"))
        .then(pl.lit("b "))
        .otherwise("player")
        .alias("player")
    )
    for board in season(table).values():
        assert sorted(board.players) == ["a", "b", "c"]
        assert str(board.notes[0]) == (
            "1 name in the table was freed of outer blanks or odd characters."
        )


def test_error_names_its_tournament() -> None:
    table = two_data_sets().filter((pl.col("data") == "iris") | (pl.col("round") == 1))
    for jobs in (1, 2):
        options: dict[str, Any] = {"n_jobs": jobs}
        assert sentence(InTournament, lambda: season(table, **options)) == (  # noqa: B023
            "In tournament 'wine': A leaderboard needs at least two rounds in which players met; "
            "there is one. Pool all tournaments with rate(), or leave this one out."
        )


def test_reference_that_one_tournament_lacks_names_it() -> None:
    table = two_data_sets().filter((pl.col("data") == "iris") | (pl.col("player") != "a"))
    with pytest.raises(WinoddsError) as caught:
        season(table, reference="a")
    assert str(caught.value) == "In tournament 'wine': No player 'a' on this leaderboard."


def test_empty_table_is_no_season() -> None:
    with pytest.raises(WinoddsError):
        season(two_data_sets()[:0])


@pytest.mark.parametrize("options", [{}, {"matches": "across"}, {"estimator": "ridge"}])
def test_jobs_at_the_same_time_give_the_same_boards(options: dict[str, Any]) -> None:
    table = pl.concat(
        [
            three_by_three().with_columns((pl.col("score") * k).sin(), data=pl.lit(f"d{k}"))
            for k in range(1, 8)
        ]
    )
    assert season(table, n_jobs=2, **options).to_json() == season(table, **options).to_json()


def test_progress_stays_where_other_processes_rate() -> None:
    heard, lock = [], threading.Lock()

    def hear(done: int, total: int) -> None:
        with lock:
            heard.append((done, total))

    with joblib.parallel_config(backend="loky"):
        season(n_jobs=2, details=False, progress=hear)
    assert heard == [(1, 2), (2, 2)]


def test_frame_stacks_the_boards() -> None:
    found = season()
    frame = found.frame()
    assert frame.columns == ["tournament", *found["iris"].frame().columns]
    for name, board in found.items():
        part = frame.filter(pl.col("tournament") == name).drop("tournament")
        assert part.equals(board.frame(), null_equal=True)


def test_frame_of_another_library_has_the_same_rows() -> None:
    frame = season().frame("pandas")
    assert frame["tournament"].tolist() == ["iris"] * 3 + ["wine"] * 3
    assert frame["epp"].tolist() == season().frame()["epp"].to_list()


def test_json_of_a_season_is_read_back_without_loss() -> None:
    found = season()
    text = found.to_json()
    again = Season.from_json(text)
    assert again.to_json() == text
    assert list(again) == list(found)
    for name, board in found.items():
        assert again[name].difference("a", "c") == board.difference("a", "c")


def test_json_of_a_season_holds_boards_that_follow_the_schema() -> None:
    data = json.loads(season().to_json())
    assert list(data) == ["schema", "together", "tournaments"]
    for board in (data["together"], *data["tournaments"]):
        jsonschema.validate(board, leaderboard_schema())


@pytest.mark.parametrize(
    ("text", "found"), [("{}", "None"), ('{"schema": "winodds/x"}', "winodds/x")]
)
def test_json_that_is_no_season_is_named(text: str, found: str) -> None:
    assert sentence(SchemaUnknown, lambda: Season.from_json(text)) == (
        f"The JSON has schema '{found}'; this version of Winodds reads 'winodds/season/2'."
    )


def test_season_and_leaderboard_are_not_mixed_up() -> None:
    assert sentence(SchemaUnknown, lambda: Leaderboard.from_json(season().to_json())) == (
        "The JSON has schema 'winodds/season/2'; this version of Winodds reads "
        "'winodds/leaderboard/2'."
    )


@pytest.mark.parametrize("text", ["", "nope", "[]", "null", "1", '{"schema": "winodds/season/2"}'])
def test_text_that_is_no_season_is_refused(text: str) -> None:
    with pytest.raises(WinoddsError):
        Season.from_json(text)


def test_season_is_pickled() -> None:
    found = season()
    assert pickle.loads(pickle.dumps(found)).to_json() == found.to_json()


# All together -------------------------------------------------------------------------------------


def test_all_together_are_what_the_whole_table_gives() -> None:
    table = two_data_sets()
    whole = rate(table, tournament="data", higher_is_better=True)
    found = season(table).together
    assert found is not None
    assert facts(found) == facts(whole)
    assert found.to_dict() == whole.to_dict()


def test_columns_found_by_their_names_are_those_of_all_together_too() -> None:
    table = two_data_sets().rename({"data": "dataset", "player": "model"})
    found = rate_each(table, higher_is_better=True)
    assert found.apart == ""
    assert found.together is not None
    assert facts(found.together) == facts(rate(table, higher_is_better=True))


def test_options_of_one_tournament_are_not_those_of_all_together() -> None:
    whole = rate(two_data_sets(), tournament="data", higher_is_better=True, level=0.9)
    found = season(test_fraction=0.1, level=0.9, n_jobs=1, progress=print)
    assert found.together is not None
    assert found.together.to_dict() == whole.to_dict()
    assert found["wine"].how.interval.test_fraction == 0.1


def test_all_together_are_rated_once_and_only_when_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    original = scores.rate_table

    def counted(*args: Any, **options: Any) -> Leaderboard:
        calls.append(options["pooled"])
        return original(*args, **options)

    monkeypatch.setattr(scores, "rate_table", counted)
    found = season()
    assert calls == [False, False]
    assert found.together is found.together
    assert calls == [False, False, True]


def test_details_asked_for_at_once_are_those_of_all_together_too() -> None:
    found = season(details=True)
    assert found.together is not None
    assert found.together.detailed
    assert found.together.assessed


def test_one_tournament_has_nothing_together() -> None:
    found = season(two_data_sets()[:9])
    assert found.together is None
    assert found.apart == ""
    assert "together" not in json.loads(found.to_json())


def test_tournaments_that_cannot_be_rated_together_say_why() -> None:
    table = pl.concat(
        [
            grid({"a": [3, 3, 2], "b": [2, 2, 3]}).with_columns(data=pl.lit("x")),
            grid({"c": [3, 3, 2], "d": [2, 2, 3]}).with_columns(data=pl.lit("y")),
        ]
    )
    found = season(table)
    assert found.together is None
    assert found.apart == (
        "The players form 2 components that never met: 2 with 'a', 'b'; 2 with 'c', 'd'. Their "
        "ratings cannot be compared. Add rounds in which they meet, or pass "
        'components="separate" to rate each component on its own.'
    )


def test_all_together_come_back_from_json() -> None:
    found = season()
    again = Season.from_json(found.to_json())
    assert again.together is not None
    assert found.together is not None
    assert again.together.difference("a", "c") == found.together.difference("a", "c")


def test_json_without_a_board_of_all_is_read_as_before() -> None:
    data = season().to_dict()
    del data["together"]
    again = Season.from_json(json.dumps(data))
    assert list(again) == ["iris", "wine"]
    assert (again.together, again.apart) == (None, "")
