"""Columns that the caller did not name are found by their names, as on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import sentence, texts, three_by_three

import winodds
from winodds import gate, rate, rate_each, rate_slices
from winodds.cli.main import run
from winodds.demo import RESULTS, load_results
from winodds.errors import BadOption, MissingColumn, RolesUnclear, ShapeUnclear

FOUND = (
    "Columns play these roles by their names: player = model, tournament = dataset, round = split, "
    "score = auc."
)


def renamed(**names: str) -> pl.DataFrame:
    return three_by_three().rename(names)


def test_a_table_with_usual_names_is_rated_without_a_word() -> None:
    table = load_results()
    named = {"player": "model", "round": "split", "score": "auc", "tournament": "dataset"}
    board, said = rate(table), rate(table, **named)  # type: ignore[arg-type]
    assert [row.epp for row in board] == [row.epp for row in said]
    assert texts(board.notes) == (FOUND, *texts(said.notes))
    assert board.how.options == said.how.options
    season = rate_each(table)
    assert list(season) == ["breast_cancer", "digits", "heart", "wine"]
    assert all(FOUND in texts(one.notes) for one in season.values())


def test_the_command_finds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", str(RESULTS), "--pool", "--no-details"]) == 0
    told = capsys.readouterr().err.splitlines()[0].partition("; ")[2]
    assert f"Columns play these roles by their names: {told}." == FOUND


def test_roles_have_the_names_that_people_use(capsys: pytest.CaptureFixture[str]) -> None:
    table = load_results()
    words = {"method": "model", "fold": "split", "dataset": "dataset", "score": "auc"}
    board = rate(table, **words)  # type: ignore[arg-type]
    assert board.how.scheme.columns["tournament"] == "dataset"
    assert board.players == rate(table).players
    assert list(rate_each(table, model="model", task="dataset")) == list(rate_each(table))  # type: ignore[call-arg]
    said = [part for name, column in words.items() for part in (f"--{name}", column)]
    assert run(["rate", str(RESULTS), *said, "--pool", "--no-details"]) == 0
    assert FOUND.partition(": ")[2][:-1] in capsys.readouterr().err


def test_one_role_is_not_named_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert sentence(BadOption, lambda: rate(load_results(), model="x", player="y")) == (  # type: ignore[call-arg]
        'model="x" is not possible; it is another name of player=, which is given too.'
    )
    assert run(["rate", str(RESULTS), "--dataset", "x", "--task", "y"]) == 2
    assert capsys.readouterr().err.endswith(
        "Error: --task y is not possible; it is another name of --dataset, which is given too.\n"
    )


def test_usual_names_of_the_roles_themselves_say_nothing() -> None:
    board = rate(three_by_three(), higher_is_better=True)
    assert not any("by their names" in text for text in texts(board.notes))
    mixed = rate(renamed(player="model"), higher_is_better=True)
    assert mixed.players == board.players
    assert "player = model, round = round, score = score." in texts(mixed.notes)[0]


def test_what_is_said_stays() -> None:
    table = load_results().with_columns(method=pl.lit("x"), model2=pl.col("model"))
    board = rate(table, player="model2", higher_is_better=True)
    assert board.how.scheme.columns["player"] == "model2"
    both = {"1": True, "2": True, "3": True}
    by_round = rate(renamed(player="model"), higher_is_better=both)
    assert by_round.how.scheme.better == "higher"


def test_files_that_were_read_are_tables_like_others(tmp_path: Path) -> None:
    load_results().write_csv(tmp_path / "results.csv")
    assert texts(rate(winodds.read_results(tmp_path / "results.csv")).notes)[0] == FOUND


def test_status_and_directions_are_found_where_they_are_some() -> None:
    table = renamed(player="model").with_columns(
        status=pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("failed")).otherwise(pl.lit("ok")),
        direction=pl.lit("down"),
    )
    board = rate(table)
    assert (board.how.scheme.better, board.how.dropped.missing_scores) == ("lower", 1)
    other = rate(table.with_columns(status=pl.lit("new"), direction=pl.lit("up")))
    assert (other.how.scheme.better, other.how.dropped.missing_scores) == ("higher", 0)


def test_slices_and_gates_find_their_columns_too() -> None:
    table = load_results().filter(pl.col("dataset") == "wine").drop("dataset")
    cut = rate_slices(table.with_columns(half=pl.col("split") % 2), by="half")
    assert list(cut) == ["0", "1"]
    first, second = table["model"].unique(maintain_order=True)[:2]
    found = gate(table, baseline=first, candidate=second)
    assert any("player = model" in str(note) for note in found.notes)


@pytest.mark.parametrize(
    ("table", "call", "words"),
    [
        (
            renamed(player="who"),
            rate,
            'No column has a usual name for the player. Say which it is, for instance player="who".'
            " The columns are 'who', 'round', 'score'.",
        ),
        (
            renamed(player="model").with_columns(method=pl.lit("x")),
            rate,
            "Two columns could be the player: 'model', 'method'. Say which it is, for instance "
            'player="model" (or player=["model", "method"] if two together name a player). The '
            "columns are 'model', 'round', 'score', 'method'.",
        ),
        (
            renamed(player="model", score="auc"),
            rate_each,
            "No column has a usual name for the tournament. Say which it is, for instance "
            "tournament=\"…\". The columns are 'model', 'round', 'auc'.",
        ),
        (
            pl.DataFrame({"x\x1b": ["a"], "y": ["b"], "z": [1.0]}),
            rate,
            "No column has a usual name for the player, the round or the score. Say which is which,"
            ' for instance player="…", round="…", score="…". The columns are '
            "'x\\x1b', 'y', 'z'. If each row is a battle, name its columns with left=, right=, "
            "winner=.",
        ),
    ],
)
def test_what_names_do_not_tell_is_asked(
    table: pl.DataFrame, call: Callable[..., Any], words: str
) -> None:
    assert sentence(RolesUnclear, lambda: call(table)) == words


def test_battles_are_no_scores() -> None:
    table = pl.DataFrame({"model_a": ["a"], "model_b": ["b"], "winner": ["model_a"]})
    assert sentence(ShapeUnclear, lambda: rate(table)) == (
        "The columns are those of battles, not of scores. Say it with rate_battles(table)."
    )


def test_a_column_that_is_misspelt_is_answered_by_one_like_it() -> None:
    assert sentence(MissingColumn, lambda: rate(load_results(), player="modle")) == (
        "No column 'modle' in the table; it has 'model', 'family', 'dataset', 'split', 'auc'. Did "
        "you mean 'model'?"
    )
