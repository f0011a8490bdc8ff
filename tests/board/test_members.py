"""Members of ensembles, from a column of the table to the words about them."""

from pathlib import Path

import polars as pl
import pytest
from tables import grid, sentence

from winodds import Leaderboard, rate
from winodds.cli.main import run
from winodds.errors import BadOption, MembersUnclear
from winodds.show.words.teams import describe_teams

SCORES = {
    "rf": [3.0, 1.0, 2.0, 3.0, 1.0, 4.0, 2.0],
    "svm": [1.0, 2.0, 1.0, 2.0, 3.0, 1.0, 3.0],
    "knn": [2.0, 3.0, 3.0, 1.0, 2.0, 2.0, 1.0],
    "both": [4.0, 4.0, 4.0, 4.0, 0.0, 3.0, 4.0],
}


def table(cell: str = "rf + svm") -> pl.DataFrame:
    members = pl.when(pl.col("player") == "both").then(pl.lit(cell)).otherwise(None)
    return grid(SCORES).with_columns(members=members)


def board(cell: str = "rf + svm") -> Leaderboard:
    return rate(table(cell), members="members", higher_is_better=True)


def test_column_says_who_is_in_a_team() -> None:
    found = board()
    assert found.members == {"both": ("rf", "svm")}
    plain = rate(grid(SCORES), higher_is_better=True)
    assert plain.members is None
    assert found.teams().to_dict() == plain.teams({"both": ["rf", "svm"]}).to_dict()
    assert Leaderboard.from_json(found.to_json()).members == found.members


def test_board_without_members_has_no_teams() -> None:
    plain = rate(grid(SCORES), higher_is_better=True)
    assert sentence(BadOption, plain.teams) == (
        "members={} is not possible; it maps the name of every team to the names of its members."
    )


def test_cell_that_can_be_read_in_two_ways_is_refused() -> None:
    with pytest.raises(MembersUnclear):
        board("rf + svm, knn")


def test_teams_in_words() -> None:
    found = board().teams()
    mean = found.mean_synergy
    assert mean is not None
    assert mean.low is not None
    assert describe_teams(found).startswith(
        f"1 team is rated {mean.value:.2f} higher in EPP than its members on average (95% interval "
        f"{mean.low:.2f} to "
    )


def test_command_shows_teams_below_the_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "teams.csv"
    table().write_csv(file)
    words = ["--members", "members", "--higher-is-better", "--no-details", "--quiet"]
    assert run(["rate", str(file), *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("team "))
    assert lines[start].split() == [
        *("team", "members", "EPP", "alone", "synergy", "95%", "interval", "beats", "its", "best"),
    ]
    assert lines[start + 2].startswith("both  rf, svm ")
