"""Hyperparameters of the players: how a table's columns of them are read."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tables import sentence, three_by_three

from winodds import Leaderboard, rate, read_results
from winodds.errors import InfiniteSetting, MissingColumn, NamesNotText, NotConstant
from winodds.table.settings import Setting, Settings

COLUMNS: dict[str, dict[str, Any]] = {
    "eta": {"a": 0.1, "b": 0.3, "c": None},
    "depth": {"a": 6, "b": 6, "c": 8},
    "booster": {"a": "tree", "b": "linear", "c": None},
    "code": {"a": "1", "b": "2", "c": "3"},
    "log": {"a": True, "b": False, "c": True},
}
VALUES: dict[str, dict[str, Setting]] = {
    **COLUMNS,
    "log": {"a": "true", "b": "false", "c": "true"},
}


def table(**more: dict[str, Any]) -> pl.DataFrame:
    """Three players in three rounds, with columns of hyperparameters."""
    return three_by_three().with_columns(
        pl.Series(name, [own[player] for player in "abc"] * 3, strict=False)
        for name, own in (COLUMNS | more).items()
    )


def settings(data: Any, *columns: str) -> Settings:
    """What the board says of its players, best first: a, b, c."""
    board = rate(data, higher_is_better=True, hyperparameters=columns or tuple(COLUMNS))
    assert board.players == ("a", "b", "c")
    assert board.settings is not None
    return board.settings


def expected(*columns: str) -> Settings:
    return {name: tuple(VALUES[name][player] for player in "abc") for name in columns or VALUES}


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_numbers_stay_numbers_and_text_stays_text(library: str) -> None:
    data = table()
    frames = {"polars": data, "pandas": data.to_pandas(), "pyarrow": data.to_arrow()}
    found = settings(frames[library])
    assert found == expected()
    assert [type(value) for value in found["depth"]] == [float] * 3


def test_one_column_is_named_like_several() -> None:
    board = rate(table(), higher_is_better=True, hyperparameters="eta")
    assert board.settings == {"eta": (0.1, 0.3, None)}
    assert board.how.scheme.column("hyperparameters") == "eta"
    assert rate(table(), higher_is_better=True).settings is None


def test_values_of_a_frame_without_a_type_are_looked_at() -> None:
    rows: list[Any] = [1, None, 2.5] * 3
    data = three_by_three().to_pandas().assign(x=pd.Series(rows, dtype=object))
    assert settings(data, "x") == {"x": (1.0, None, 2.5)}
    mixed: list[Any] = [1, "auto", None] * 3
    data = three_by_three().to_pandas().assign(x=pd.Series(mixed, dtype=object))
    assert settings(data, "x") == {"x": ("1", "auto", None)}
    exact = table().with_columns(x=pl.Series([Decimal("0.1"), None, Decimal("0.3")] * 3))
    assert settings(exact, "x") == {"x": (0.1, None, 0.3)}


def test_file_holds_numbers_where_all_cells_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    lines = ["player,round,score,eta,booster,penalty,depth,code"]
    cells = {
        "a": "0.10,tree,none,NA,1",
        "b": "3e-1,,l2,6,x2",
        "c": " ,linear,l1,8,",
    }
    scores = three_by_three().iter_rows()
    lines += [f"{player},{round_},{score},{cells[player]}" for player, round_, score in scores]
    path.write_text("\n".join(lines) + "\n")
    found = settings(read_results(path), "eta", "booster", "penalty", "depth", "code")
    assert found == {
        "eta": (0.1, 0.3, None),
        "booster": ("tree", None, "linear"),
        "penalty": ("none", "l2", "l1"),
        "depth": (None, 6.0, 8.0),
        "code": ("1", "x2", None),
    }


def test_file_with_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    lines = ["player;round;score;eta"]
    eta = {"a": "0,1", "b": "", "c": "2"}
    scores = three_by_three().iter_rows()
    lines += [f"{who};{r};{str(score).replace('.', ',')};{eta[who]}" for who, r, score in scores]
    path.write_text("\n".join(lines) + "\n")
    assert settings(read_results(path, decimal=","), "eta") == {"eta": (0.1, None, 2.0)}


def test_key_that_objects_lack_is_not_set_there(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    more = {"a": ', "degree": 3, "kernel": "poly"', "b": ', "kernel": "rbf"', "c": ', "kernel": ""'}
    rows = [
        f'{{"player": "{who}", "round": {r}, "score": {score}{more[who]}}}'
        for who, r, score in three_by_three().iter_rows()
    ]
    path.write_text("\n".join(rows) + "\n")
    found = settings(read_results(path), "degree", "kernel")
    assert found == {"degree": (3.0, None, None), "kernel": ("poly", "rbf", None)}


def test_table_of_typed_columns_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    table().write_parquet(path)
    # Text in a file may be numbers, as it is in every text file.
    assert settings(read_results(path)) == {**expected(), "code": (1.0, 2.0, 3.0)}


def test_players_of_several_columns_may_have_these_as_hyperparameters() -> None:
    data = three_by_three().with_columns(
        eta=pl.col("player").replace_strict({"a": 0.1, "b": 0.1, "c": 0.2}),
        depth=pl.col("player").replace_strict({"a": 1, "b": 2, "c": 2}),
    )
    columns = ["eta", "depth"]
    board = rate(data, player=columns, hyperparameters=columns, higher_is_better=True)
    assert board.players == ("0.1/1", "0.1/2", "0.2/2")
    assert board.settings == {"eta": (0.1, 0.1, 0.2), "depth": (1.0, 2.0, 2.0)}


def test_blank_text_is_not_set() -> None:
    kernel = pl.col("player").replace_strict({"a": "rbf", "b": "", "c": " "})
    board = rate(
        three_by_three().with_columns(k=kernel), higher_is_better=True, hyperparameters="k"
    )
    assert dict(zip(board.players, (board.settings or {})["k"], strict=True)) == {
        "a": "rbf",
        "b": None,
        "c": None,
    }


def test_player_with_two_values_is_refused_by_name() -> None:
    def asked(cells: list[Any]) -> Leaderboard:
        data = three_by_three().with_columns(pl.Series("eta", cells))
        return rate(data, higher_is_better=True, hyperparameters="eta")

    start = "Column 'eta' gives player 'b' more than one value: "
    end = ". A player has one value."
    numbers = sentence(NotConstant, lambda: asked([0.1, 0.2, 0.3, 0.1, 0.25, 0.3, 0.1, 0.2, 0.3]))
    assert numbers == f"{start}'0.2', '0.25'{end}"
    words = sentence(NotConstant, lambda: asked(list("xyzxyzxqz")))
    assert words == f"{start}'q', 'y'{end}"
    gone = sentence(NotConstant, lambda: asked([0.1, 0.2, 0.3, 0.1, None, 0.3, 0.1, 0.2, 0.3]))
    assert gone == f"{start}'0.2', '(not set)'{end}"


def test_infinite_number_is_refused() -> None:
    data = table(depth={"a": 1.0, "b": float("inf"), "c": 2.0})
    assert sentence(InfiniteSetting, lambda: settings(data, "depth")) == (
        "Player 'b' has an infinite number in column 'depth' (row 2). Leave the cell empty if "
        "nothing is set there, or write a large number."
    )


def test_column_that_is_not_there_or_holds_lists_is_refused() -> None:
    assert sentence(MissingColumn, lambda: settings(three_by_three(), "eta")) == (
        "No column 'eta' in the table; it has 'player', 'round', 'score'."
    )
    data = three_by_three().with_columns(x=pl.Series([[1], [2], [3]] * 3))
    assert sentence(NamesNotText, lambda: settings(data, "x")) == (
        "Column 'x' holds values of type list, which are no names. Convert it to text."
    )
