"""The first seat of battles: what is said, shown and refused; and both orders of a pair."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.special import expit
from tables import sentence

import winodds
from winodds import Leaderboard, errors
from winodds.cli.main import run
from winodds.show.formats.text import render_text
from winodds.show.layout.documents import board_document

NAMES = ("ada", "bob", "cyd", "dan")


def make_battles(effect: float = 0.8, *, size: int = 400, often: float = 0.9) -> pl.DataFrame:
    """Battles in which ``ada`` mostly sits first."""
    rng = np.random.default_rng(5)
    left = rng.integers(4, size=size)
    right = (left + rng.integers(1, 4, size=size)) % 4
    swap = (right == 0) & (rng.random(size) < often)
    left, right = np.where(swap, right, left), np.where(swap, left, right)
    beta = np.array([0.3, 0.2, 0.0, -0.5])
    won = rng.random(size) < expit(beta[left] - beta[right] + effect)
    return pl.DataFrame(
        {
            "model_a": [NAMES[k] for k in left],
            "model_b": [NAMES[k] for k in right],
            "winner": np.where(won, "model_a", "model_b"),
            "question_id": np.arange(size),
        }
    )


def test_the_seat_is_said_in_words() -> None:
    found = winodds.rate_battles(make_battles(), seat=True, details=False).seat()
    assert found.text == (
        "The first seat wins 63 of 100 battles between equals (95% interval 56 to 69; 400 "
        "battles). On a neutral seat, the rating that changes most is that of ada, who sat first "
        "in 98% of its battles: 0.56 in EPP instead of 0.94."
    )
    assert found.told
    assert (found.first_won + found.second_won, found.ties) == (400, 0)


def test_a_seat_that_is_not_told_from_half_is_said_so() -> None:
    found = winodds.rate_battles(make_battles(0.0), details=False).seat()
    assert not found.told
    assert "; the data cannot tell that from 50. On a neutral seat" in found.text


def test_a_board_that_was_asked_says_that_it_takes_no_account_of_seats() -> None:
    board = winodds.rate_battles(make_battles(), seat=True, details=False)
    last = board.notes[-1]
    assert (last.kind, last.name) == ("doubt", "seat_matters")
    assert last.text == (
        "The first seat wins 63 of 100 battles between equals, and this board takes no account of "
        "it. On a neutral seat 'ada', who sat first in 98% of its battles, would be rated 0.37 "
        "lower."
    )
    plain = winodds.rate_battles(make_battles(), details=False)
    assert plain.columns() == board.columns()
    assert "seat" not in " ".join(note.text for note in plain.notes)


def test_a_seat_that_hardly_moves_ratings_is_no_doubt() -> None:
    board = winodds.rate_battles(make_battles(0.8, often=0.0), seat=True, details=False)
    assert (board.notes[-1].kind, board.notes[-1].name) == ("scope", "seat_left_out")
    assert " On a neutral seat, the rating that changes most is 0." in board.notes[-1].text


def test_neutral_ratings_are_around_the_average_or_the_reference_of_the_board() -> None:
    board = winodds.rate_battles(make_battles(), details=False)
    rows = board.seat().rows
    assert [row.player for row in rows] == list(board.players)
    assert sum(row.neutral for row in rows) == pytest.approx(0.0, abs=1e-9)
    named = winodds.rate_battles(make_battles(), reference="cyd", details=False).seat().rows
    cyd = next(row for row in named if row.player == "cyd")
    assert (cyd.neutral, cyd.se, cyd.shift) == (0.0, 0.0, 0.0)
    before = {row.player: row.neutral for row in rows}
    for row in named:
        assert row.neutral == pytest.approx(before[row.player] - before["cyd"])


def test_a_player_without_a_loss_keeps_an_open_end() -> None:
    table = make_battles().with_columns(
        pl.when(pl.col("model_a") == "ada")
        .then(pl.lit("model_a"))
        .when(pl.col("model_b") == "ada")
        .then(pl.lit("model_b"))
        .otherwise(pl.col("winner"))
        .alias("winner")
    )
    found = winodds.rate_battles(table, details=False).seat()
    ada = next(row for row in found.rows if row.player == "ada")
    assert (ada.low is not None, ada.high) == (True, None)
    assert found.effect.high is not None


def test_a_board_that_was_read_back_knows_its_seats() -> None:
    board = winodds.rate_battles(make_battles(), seat=True, details=False)
    again = Leaderboard.from_json(board.to_json())
    assert again.seat() == board.seat()
    assert render_text(board_document([again])) == render_text(board_document([board]))


def test_names_and_order_of_rows_do_not_matter() -> None:
    table = make_battles()
    other = table.reverse().with_columns(
        pl.col("model_a", "model_b").replace(NAMES, ("z", "y", "x", "w"))
    )
    one, two = (winodds.rate_battles(own, details=False).seat() for own in (table, other))
    assert two.effect.value == pytest.approx(one.effect.value, abs=1e-10)
    np.testing.assert_allclose(
        [row.neutral for row in two.rows], [row.neutral for row in one.rows], atol=1e-9
    )


# What is refused ----------------------------------------------------------------------------------


def test_winners_and_losers_have_no_seats() -> None:
    table = pl.DataFrame({"winner": ["a", "b", "a", "b"], "loser": ["b", "a", "b", "a"]})
    assert sentence(
        errors.BadOption,
        lambda: winodds.rate_battles(table, winner="winner", loser="loser", seat=True),
    ) == (
        "seat=True is not possible; a table of winners and losers does not say who sat first; name "
        "the two sides with left= and right=."
    )
    board = winodds.rate_battles(table, winner="winner", loser="loser", details=False)
    assert sentence(errors.NoSeats, board.seat) == (
        "This leaderboard cannot tell what the first seat is worth: its table has a winner and a "
        "loser in every row, and does not say who sat first; name the columns of the two sides "
        "instead."
    )


def test_scores_have_no_seats() -> None:
    table = pl.DataFrame(
        {
            "player": ["a", "b"] * 4,
            "round": [1, 1, 2, 2, 3, 3, 4, 4],
            "score": [1, 2, 3, 1, 2, 1, 4, 5],
        }
    )
    board = winodds.rate(table, higher_is_better=True, details=False)
    assert sentence(errors.NoSeats, board.seat) == (
        "This leaderboard cannot tell what the first seat is worth: its matches are no battles."
    )


def test_a_seat_that_ratings_could_make_up_for_is_refused() -> None:
    table = pl.DataFrame(
        {
            "model_a": ["a"] * 6,
            "model_b": ["b"] * 6,
            "winner": ["model_a", "model_b", "model_a", "tie", "model_a", "model_b"],
        }
    )
    assert sentence(errors.NoSeats, lambda: winodds.rate_battles(table, seat=True)) == (
        "This leaderboard cannot tell what the first seat is worth: ratings could make up for any "
        "effect of it, for instance because each player always sat on the same side."
    )


def test_seat_is_yes_or_no() -> None:
    assert (
        sentence(
            errors.BadOption,
            lambda: winodds.rate_battles(make_battles(), seat="left"),  # type: ignore[arg-type]
        )
        == 'seat="left" is not possible; it is True or False.'
    )


# Both orders --------------------------------------------------------------------------------------


def swapped(table: pl.DataFrame) -> pl.DataFrame:
    """The same battles once more with the seats changed."""
    turned = {"model_a": "model_b", "model_b": "model_a"}
    return pl.concat(
        [
            table,
            table.select(
                pl.col("model_b").alias("model_a"),
                pl.col("model_a").alias("model_b"),
                pl.col("winner").replace(turned),
                "question_id",
            ),
        ]
    )


def test_both_orders_on_one_prompt_are_recognised() -> None:
    both = swapped(make_battles(size=120))
    found = {own.name: own for own in winodds.rate_battles(both, details=False).notes}
    assert found["both_orders"].kind == "doubt"
    assert found["both_orders"].text == (
        "120 pairs of models met on the same value of 'question_id' in both orders. Such battles "
        'depend on each other, and the intervals take them as independent; with cluster="'
        'question_id" they are one cluster.'
    )
    named = winodds.rate_battles(both, cluster="question_id", details=False)
    assert "both_orders" not in [own.name for own in named.notes]
    assert named.row("ada").se > winodds.rate_battles(both, details=False).row("ada").se


def test_one_order_is_no_doubt() -> None:
    table = pl.concat([make_battles(size=120)] * 2)
    notes = winodds.rate_battles(table, details=False).notes
    assert "both_orders" not in [own.name for own in notes]
    unnamed = swapped(make_battles(size=120)).rename({"question_id": "number"})
    notes = winodds.rate_battles(unnamed, details=False).notes
    assert "both_orders" not in [own.name for own in notes]


def test_empty_prompts_are_no_prompt() -> None:
    table = swapped(make_battles(size=120)).with_columns(pl.lit("").alias("question_id"))
    notes = winodds.rate_battles(table, details=False).notes
    assert "both_orders" not in [own.name for own in notes]


# Commands -----------------------------------------------------------------------------------------


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    swapped(make_battles(size=200)).write_csv("arena.csv")
    make_battles().write_csv("seats.csv")
    return "arena.csv"


@pytest.mark.usefixtures("arena")
def test_the_command_shows_seats(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", "seats.csv", "--seat", "--no-details"]) == 0
    assert (
        "The first seat wins 63 of 100 battles between equals (95% interval 56 to 69; 400\n"
        "battles). On a neutral seat, the rating that changes most is that of ada, who\n"
        "sat first in 98% of its battles: 0.56 in EPP instead of 0.94.\n"
        "\n"
        "model  sat first    EPP  on a neutral seat   95% interval\n"
    ) in capsys.readouterr().out


@pytest.mark.usefixtures("arena")
def test_csv_and_json_hold_neutral_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    found = winodds.rate_battles(make_battles(), details=False).seat()
    assert run(["rate", "seats.csv", "--seat", "--no-details", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["neutral"]) for row in rows] == [row.neutral for row in found.rows]
    assert run(["rate", "seats.csv", "--seat", "--no-details", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["seat"] == json.loads(json.dumps(found.to_dict()))
    assert set(data) <= set(winodds.leaderboard_schema()["properties"])


def test_the_command_recognises_both_orders(arena: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", arena, "--no-details"]) == 0
    assert "; with --cluster question_id they are one cluster." in capsys.readouterr().out
    assert run(["rate", arena, "--no-details", "--cluster", "question_id"]) == 0
    assert "in both orders" not in capsys.readouterr().out


def test_the_command_refuses_seats_of_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.csv").write_text("model,fold,auc\nA,1,0.9\nB,1,0.8\nA,2,0.7\nB,2,0.8\n")
    assert run(["rate", "small.csv", "--seat"]) != 0
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: --seat is not possible; these are scores, and only battles have seats."
    )
