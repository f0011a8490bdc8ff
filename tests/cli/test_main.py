"""The command line: what it prints, where it writes, and how it ends."""

import csv
import gzip
import io
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest

import winodds
from cli.conftest import SMALL
from winodds.adapters.openml import pace
from winodds.cli import progress
from winodds.cli.commands import root
from winodds.cli.group import USES
from winodds.cli.main import run
from winodds.demo import RESULTS

SOURCE = Path(winodds.__file__).resolve().parent.parent

BOARD = """3 models, 3 folds, 9 matches; higher auc is better

rank  could be  model    EPP  95% interval  P(>avg)  P(best)  alike
----  --------  -----  -----  ------------  -------  -------  -----
   1       1–3  A       0.38  -3.89 … 4.41      59%      42%  a
   2       1–3  B       0.00  -3.38 … 3.49      50%      32%  a
   3       1–3  C      -0.38  -2.46 … 1.83      41%      26%  a

By their ratings, A beats B in 59 of 100 new folds (95% interval <1 to >99); the data \
cannot tell them apart.
Nobody can be excluded from being the best at 5%; the likeliest is A (42 of 100).
Fit: no sign that the ratings miss anything (p = 1.00, deviance 0.1 on 1 df).

* The intervals rest on only 3 folds; below about 10 they are rough.
* The ratings vary no more than luck alone would make them; if all models are equal, who \
is best means nothing.
"""

SHORT = """3 models, 3 folds, 9 matches; higher auc is better

rank  model    EPP  95% interval  P(>avg)
----  -----  -----  ------------  -------
   1  A       0.38  -3.89 … 4.41      59%
   2  B       0.00  -3.38 … 3.49      50%
   3  C      -0.38  -2.46 … 1.83      41%

By their ratings, A beats B in 59 of 100 new folds (95% interval <1 to >99); the data \
cannot tell them apart.

* The intervals rest on only 3 folds; below about 10 they are rough.
"""

NOTE = "The intervals rest on only 3 folds; below about 10 they are rough."

LUCK = (
    "The ratings vary no more than luck alone would make them; if all models are equal, who is "
    "best means nothing."
)

ONLY_LUCK = {"kind": "doubt", "name": "only_luck", "text": LUCK, "facts": {}}

FEW_CLUSTERS = {
    "kind": "doubt",
    "name": "few_clusters",
    "text": NOTE,
    "facts": {"clusters": 3, "unit": "round"},
}


@pytest.fixture
def season(folder: Path) -> str:
    """Two data sets."""
    rows = [line.split(",") for line in SMALL.splitlines()[1:]]
    lines = [f"{data},{','.join(row)}" for data in ("iris", "wine") for row in rows]
    (folder / "season.csv").write_text("\n".join(["dataset,model,fold,auc", *lines]))
    return "season.csv"


def command(*words: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "winodds", *words],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(SOURCE), **environment},
        check=False,
    )


# What is printed ----------------------------------------------------------------------------------


def test_file_becomes_a_board_and_the_columns_are_told(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small]) == 0
    out, err = capsys.readouterr()
    assert out == BOARD
    assert err == "small.csv: 9 rows; player = model, round = fold, score = auc\n"


def test_board_without_details_is_shorter(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", small, "-q", "--no-details"]) == 0
    assert capsys.readouterr().out == SHORT


def test_details_are_shown_where_they_are_asked_for(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "-q", "--details"]) == 0
    assert capsys.readouterr().out == BOARD


def test_details_are_wanted_or_not(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", small, "--details", "--no-details"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: --details and --no-details contradict each other."
    )


def test_quiet_says_nothing_about_columns(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", small, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_standard_input_is_a_file() -> None:
    done = command("rate", "-", text=SMALL, COLUMNS="80")
    assert (done.returncode, done.stdout) == (0, BOARD)
    understood = "standard input: 9 rows; player = model, round = fold, score = auc"
    assert done.stderr.splitlines().count(understood) == 1


def test_elo_scale(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", small, "--elo", "--top", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[2:6] == [
        "rank  could be  model   Elo  95% interval  P(>avg)  P(best)  alike",
        "----  --------  -----  ----  ------------  -------  -------  -----",
        "   1       1–3  A      1566    825 … 2266      59%      42%  a",
        "… and 2 more models",
    ]


def test_family_is_shown_beside_the_player(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pl.read_csv(tmp_path / small).with_columns(
        kind=pl.col("model").replace({"A": "tree", "B": "tree", "C": "net"})
    )
    table.write_csv(tmp_path / "kinds.csv")
    assert run(["rate", "kinds.csv", "--group", "kind", "--format", "json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert [row["family"] for row in players] == ["tree", "tree", "net"]
    assert run(["rate", "kinds.csv", "--family", "kind", "--top", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[2:5] == [
        "rank  could be  model  family   EPP  95% interval  P(>avg)  P(best)  alike",
        "----  --------  -----  ------  ----  ------------  -------  -------  -----",
        "   1       1–3  A      tree    0.38  -3.89 … 4.41      59%      42%  a",
    ]


def test_old_name_of_an_option_is_taken_and_not_shown(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pl.read_csv(tmp_path / small).with_columns(kind=pl.lit("tree"))
    table.write_csv(tmp_path / "kinds.csv")
    for words in (["--group", "kind"], ["--group=kind"], ["--family", "kind"]):
        assert run(["rate", "kinds.csv", *words, "--format", "json", "--no-details"]) == 0
        found = capsys.readouterr()
        assert json.loads(found.out)["scheme"]["family"] == "kind"
        assert found.err == (
            "kinds.csv: 9 rows; player = model, family = kind, round = fold, score = auc\n"
        )
    assert run(["rate", "kinds.csv", "--group", "kind", "--family", "kind"]) == 2
    assert capsys.readouterr().err == (
        "Error: --group kind is not possible; it is another name of --family, which is given too.\n"
    )
    assert run(["rate", "--help"]) == 0
    assert "--group" not in capsys.readouterr().out


def test_old_name_is_refused_where_the_new_one_means_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("battles.csv").write_text("winner,loser,kind\na,b,x\nb,a,x\n")
    Path("wide.csv").write_text("model,r1,r2,kind\na,1,2,3\nb,2,1,3\n")
    for name in ("--group", "--family"):
        assert run(["rate", "battles.csv", "-q", name, "kind"]) == 2
        assert capsys.readouterr().err == (
            "Error: --family kind is not possible; these are battles, which have no such thing.\n"
        )
        assert run(["rate", "wide.csv", "--wide", "-q", name, "kind"]) == 2
        assert capsys.readouterr().err == (
            "Error: --family kind is not possible; a wide table has no column for it.\n"
        )


LINES = """Each by itself

A is rated first on every one of 2 data sets.

data set  rated first   beats the next  could be best  P(best)  folds
--------  -----------  ---------------  -------------  -------  -----
iris      A            59% (<1 to >99)         3 of 3      42%      3
wine      A            59% (<1 to >99)         3 of 3      42%      3
"""


def test_season_begins_with_the_board_of_all_and_has_a_line_for_each_tournament(
    season: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", season, "-q", "--pool"]) == 0
    pooled = capsys.readouterr().out
    assert run(["rate", season, "-q"]) == 0
    out = capsys.readouterr().out
    assert out == f"All together: {pooled}\n{LINES}\nOf these:\n* {NOTE}\n"


def test_progress_of_several_boards_says_how_much_is_left(
    season: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    clock = itertools.count(step=20.0)
    monkeypatch.setattr(pace, "monotonic", lambda: next(clock))
    monkeypatch.setattr(progress.Progress, "say", lambda _, message: told.append(message))
    assert run(["rate", season]) == 0
    assert told[-6:] == [
        "Comparing 3 players (all together, 1 of 3) …",
        "Checking the fit with simulated tables (all together, 1 of 3) …",
        "Comparing 3 players (iris, 2 of 3), about 40 seconds left …",
        "Checking the fit with simulated tables (iris, 2 of 3), about 40 seconds left …",
        "Comparing 3 players (wine, 3 of 3), about 20 seconds left …",
        "Checking the fit with simulated tables (wine, 3 of 3), about 20 seconds left …",
    ]
    assert "Rating: 2 of 2 tournaments …" in told
    assert capsys.readouterr().err == (
        "season.csv: 18 rows; player = model, tournament = dataset, round = fold, score = auc\n"
    )


def test_every_board_of_a_season_follows_where_that_is_asked(
    season: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", season, "-q"]) == 0
    start = capsys.readouterr().out.split("\nOf these:")[0]
    assert run(["rate", season, "-q", "--each"]) == 0
    table, sentence = BOARD.split("\n\n* ")[0], f"* {NOTE}\n* {LUCK}"
    out = capsys.readouterr().out
    assert out.endswith(
        f"{LINES}\niris: {table}\n\nwine: {table}\n\nFor all tournaments:\n{sentence}\n"
    )
    assert out.split("\n\n* ")[0] == start.split("\n\n* ")[0]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--pool"], "with --pool there is one board"),
        (["--format", "json"], "json holds every board anyway"),
        (["--output", "boards.csv"], "csv holds every board anyway"),
        (["--by", "topic"], "--by shows every slice anyway"),
    ],
)
def test_every_board_is_not_asked_for_where_that_would_do_nothing(
    words: list[str], why: str, season: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", season, "--each", *words]) == 2
    assert capsys.readouterr().err == f"Error: --each is not possible; {why}.\n"


def test_one_board_is_not_every_board(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", small, "-q", "--each"]) == 2
    assert capsys.readouterr().err == (
        "Error: --each is not possible; there are no tournaments; name their column with "
        "--tournament.\n"
    )


def test_files_for_readers_say_what_the_terminal_says(
    season: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", season, "-q", "--format", "markdown"]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("###")]
    assert heads == ["### All together", "### Each by itself"]
    assert run(["rate", season, "-q", "--format", "markdown", "--each"]) == 0
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("###")]
    assert heads == ["### All together", "### Each by itself", "### iris", "### wine"]


def test_a_table_for_programs_rates_nothing_together(
    season: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(winodds.Season, "together", property(lambda _: pytest.fail("rated")))
    assert run(["rate", season, "-q", "--format", "csv", "--no-details"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["tournament"] for row in rows] == ["iris"] * 3 + ["wine"] * 3


def test_pooled_season_is_one_board(season: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", season, "--pool", "--format", "json"]) == 0
    board = json.loads(capsys.readouterr().out)
    expected = winodds.rate(
        pl.read_csv(season), player="model", round="fold", score="auc", tournament="dataset"
    )
    assert [row["epp"] for row in board["players"]] == [row.epp for row in expected]
    assert board["scheme"]["name"] == "Pooled"


def test_season_as_json_lists_its_tournaments(
    season: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", season, "--format", "json"]) == 0
    text = capsys.readouterr().out
    data = json.loads(text)
    jsonschema.validate(data, winodds.season_schema())
    assert (data["schema"], [board["tournament"] for board in data["tournaments"]]) == (
        "winodds/season/2",
        ["iris", "wine"],
    )
    assert data["together"]["scheme"]["name"] == "Pooled"
    assert data["together"]["players"][0]["p_best"] is not None
    assert list(winodds.Season.from_json(text)) == ["iris", "wine"]


def test_json_follows_its_schema_and_holds_what_python_computes(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "--format", "json", "--elo"]) == 0
    data = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, winodds.leaderboard_schema())
    expected = winodds.rate(
        pl.read_csv(small), player="model", round="fold", score="auc", details=True
    )
    assert [row["epp"] for row in data["players"]] == [row.epp for row in expected]
    assert {key: data["interval"][key] for key in ("kind", "level", "cluster", "clusters")} == {
        "kind": "robust",
        "level": 0.95,
        "cluster": "round",
        "clusters": 3,
    }
    assert {key: data["matches"][key] for key in ("kind", "count", "ties")} == {
        "kind": "within",
        "count": 9,
        "ties": 0,
    }
    assert data["estimator"] == "bias-reduced"
    assert data["scheme"]["better"] == "higher"
    assert data["notes"] == [FEW_CLUSTERS, ONLY_LUCK]
    counts = {"draws": 4000, "simulations": 500}
    how = {"quick": True, "ranks": "marginal", "convention": "pairs", "seed": 0}
    assert data["details"] == {**how, **counts}
    assert data["ranking"]["could_be_best"] == ["A", "B", "C"]
    assert data["ranking"]["alike"] == [["A", "B", "C"]]
    assert data["quality"] == json.loads(expected.to_json())["quality"]


def test_ranks_of_all_players_at_once_are_wider(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten rounds: whoever is certainly better in one row's view may be by chance in another's."""
    scores = np.random.default_rng(0).normal(size=(8, 10)) + 0.8 * np.arange(8)[:, None]
    lines = [f"m{k},{fold},{scores[k, fold]}" for k in range(8) for fold in range(10)]
    (folder / "ten.csv").write_text("\n".join(["model,fold,score", *lines]))
    asked = {}
    for flags in ([], ["--simultaneous"]):
        assert run(["rate", "ten.csv", "-q", "--higher-is-better", "--format", "json", *flags]) == 0
        data = json.loads(capsys.readouterr().out)
        jsonschema.validate(data, winodds.leaderboard_schema())
        ends = [(row["rank_low"], row["rank_high"]) for row in data["players"]]
        asked[data["details"]["ranks"]] = ends
    single, together = asked["marginal"], asked["simultaneous"]
    assert single != together
    for (low, high), (lower, higher) in zip(single, together, strict=True):
        assert lower <= low <= high <= higher


def test_json_without_details_has_none(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--format", "json", "--no-details", "--convention", "paper", "--seed", "7"]
    assert run(["rate", small, *words]) == 0
    data = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, winodds.leaderboard_schema())
    counts = {"draws": 4000, "simulations": 500}
    how = {"quick": True, "ranks": "marginal", "convention": "paper", "seed": 7}
    assert data["details"] == {**how, **counts}
    assert (data["ranking"], data["quality"]) == (None, None)
    names = ("rank_low", "rank_high", "p_best", "letters", "quasi_se")
    assert [[row[name] for name in names] for row in data["players"]] == [[None] * 5] * 3


def test_json_of_the_first_rows_shows_them_and_compares_nobody(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "--format", "json", "--top", "2"]) == 0
    text = capsys.readouterr().out
    jsonschema.validate(json.loads(text), winodds.leaderboard_schema())
    board = winodds.Leaderboard.from_json(text)
    assert board.players == ("A", "B")
    assert [(note.kind, str(note)) for note in board.notes] == [
        ("doubt", NOTE),
        ("doubt", LUCK),
        ("scope", "1 more player not listed here."),
    ]
    with pytest.raises(winodds.DataError) as error:
        board.difference("A", "B")
    assert str(error.value) == (
        "This leaderboard holds only its first rows, and nothing to compare players with. Write it "
        "again without top."
    )


def test_csv_holds_all_rows_and_notes_go_to_standard_error(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "-q", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    expected = winodds.rate(pl.read_csv(small), player="model", round="fold", score="auc")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == list(winodds.COLUMNS)
    assert [(row["player"], float(row["epp"])) for row in rows] == [
        (row.player, row.epp) for row in expected
    ]
    assert err == f"* {NOTE}\n* {LUCK}\n"


@pytest.mark.parametrize("name", ["table", "json", "csv", "markdown", "latex"])
def test_output_goes_to_a_file_as_it_would_be_printed(
    name: str, small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "--format", name]) == 0
    printed = capsys.readouterr().out
    assert run(["rate", small, "--format", name, "--output", "board.out"]) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "board.out").read_bytes().decode() == printed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.out", "small.csv"]


# Files --------------------------------------------------------------------------------------------


def test_file_that_cannot_be_written_is_left_as_it_was(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "board.txt"
    old.write_text("old")

    def full(_: Path, __: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert run(["rate", small, "-q", "-o", "board.txt"]) == 1
    assert capsys.readouterr().err == (
        "Error: 'board.txt' could not be written: no space left on device.\n"
    )
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.txt", "small.csv"]


@pytest.mark.parametrize(
    ("output", "reason"),
    [("missing/board.txt", "there is no folder 'missing'"), (".", "it is a folder")],
)
def test_output_that_is_no_place_for_a_file(
    output: str, reason: str, small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "-q", "-o", output]) == 1
    assert capsys.readouterr().err == f"Error: '{output}' could not be written: {reason}.\n"


def test_file_that_is_written_again_keeps_its_permissions(small: str, tmp_path: Path) -> None:
    old = tmp_path / "board.txt"
    old.write_text("old")
    old.chmod(0o640)
    assert run(["rate", small, "-q", "--no-details", "-o", "board.txt"]) == 0
    assert old.stat().st_mode & 0o777 == 0o640
    assert old.read_text() == SHORT


@pytest.mark.parametrize("suffix", ["csv.gz", "tsv", "jsonl", "ndjson.gz", "parquet", "txt"])
def test_every_format_gives_the_same_board(
    suffix: str, small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pl.read_csv(tmp_path / small)
    file = tmp_path / f"same.{suffix}"
    if "json" in suffix:
        data = table.write_ndjson().encode()
    elif "parquet" in suffix:
        table.write_parquet(file)
        data = file.read_bytes()
    else:
        data = SMALL.replace(",", {"tsv": "\t", "txt": ";"}.get(suffix, ",")).encode()
    file.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    assert run(["rate", file.name, "-q", "--no-details"]) == 0
    notes = {
        "tsv": "* Cells are separated by tabs.\n",
        "txt": "* Cells are separated by semicolons.\n",
    }
    expected = SHORT.replace(f"* {NOTE}", notes.get(suffix, "") + f"* {NOTE}")
    assert capsys.readouterr().out == expected


# Options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [["--round", "task", "--round", "fold"], ["--round", "task,fold"]]
)
def test_several_columns_form_a_round(
    words: list[str], small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.read_csv(tmp_path / small).with_columns(task=pl.lit("t")).write_csv(tmp_path / "tasks.csv")
    assert run(["rate", "tasks.csv", "--no-details", *words]) == 0
    out, err = capsys.readouterr()
    assert out == SHORT.replace("folds", "rounds")
    assert err == "tasks.csv: 9 rows; player = model, round = task, fold, score = auc\n"


def test_options_reach_the_rating(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "--estimator ridge --prior-sd 1.5 --interval model --level 0.9 --reference B "
        "--tie-tolerance 0.05 --missing lose --duplicates mean --format json"
    )
    assert run(["rate", small, *words.split()]) == 0
    data = json.loads(capsys.readouterr().out)
    board = winodds.rate(
        pl.read_csv(small),
        player="model",
        round="fold",
        score="auc",
        estimator="ridge",
        prior_sd=1.5,
        interval="model",
        level=0.9,
        reference="B",
        tie_tolerance=0.05,
        missing="lose",
        duplicates="mean",
        details=True,
    )
    expected = json.loads(board.to_json())
    for entry in ("players", "estimator", "prior_sd", "interval", "matches", "reference"):
        assert data[entry] == expected[entry]
    assert data["missing"] == "lose"
    assert data["duplicates"] == "mean"


@pytest.mark.parametrize(
    ("words", "python"),
    [
        (["--matches", "across"], {"matches": "across"}),
        (["--test-fraction", "0.1"], {"test_fraction": 0.1}),
        (["--cluster", "block"], {"cluster": "block"}),
        (["--weights", "weight"], {"weights": "weight"}),
        (["--components", "separate"], {"components": "separate"}),
    ],
)
def test_option_does_what_it_does_in_python(
    words: list[str],
    python: dict[str, Any],
    small: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fold = pl.col("fold")
    table = pl.read_csv(tmp_path / small).with_columns(block=fold.clip(2), weight=fold * 2)
    table.write_csv(tmp_path / "more.csv")
    assert run(["rate", "more.csv", "--format", "json", *words]) == 0
    data = json.loads(capsys.readouterr().out)
    usual: dict[str, Any] = {"player": "model", "round": "fold", "score": "auc", "details": True}
    expected = json.loads(winodds.rate(table, **usual, **python).to_json())
    plain = json.loads(winodds.rate(table, **usual).to_json())
    assert data["players"] == expected["players"]
    if "components" not in python:
        assert data["players"] != plain["players"]


def test_direction_may_be_a_column(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = pl.read_csv(tmp_path / small).rename({"auc": "number"})
    ways = {"way": pl.lit("down"), "measure_of": pl.lit("rmse")}
    table.with_columns(**ways).write_csv(tmp_path / "ways.csv")
    for option, column in (("--direction-column", "way"), ("--metric-column", "measure_of")):
        words = ["--score", "number", option, column, "--no-details"]
        assert run(["rate", "ways.csv", *words]) == 0
        first = capsys.readouterr().out.splitlines()
        assert first[0] == "3 models, 3 folds, 9 matches; lower number is better"
        assert first[4].split()[1] == "C"


@pytest.mark.parametrize(
    ("word", "read"), [("down", "metric = measure, direction = direction"), ("en-de", "measure")]
)
def test_directions_count_beside_metrics_if_they_are_any(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, read: str
) -> None:
    table = pl.read_csv(tmp_path / small).rename({"auc": "value"})
    ways = {"direction": pl.lit(word), "measure": pl.lit("mystery" if word == "down" else "rmse")}
    table.with_columns(**ways).write_csv(tmp_path / "ways.csv")
    assert run(["rate", "ways.csv", "--no-details"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("3 models, 3 folds, 9 matches; lower value is better\n")
    assert said.err.splitlines()[0].endswith(read)


def test_wide_table_and_its_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wide.csv").write_text("Model;Mean;t1;t2\nA;2;1;3\nB;2;2;2\n")
    assert run(["rate", "wide.csv", "--wide", "--higher-is-better"]) == 2
    assert capsys.readouterr().err == (
        "Error: 'Mean' does not look like the scores of a round: a summary, by its name. Leave it "
        "out with --ignore Mean, or keep it with --keep Mean.\n"
        "Try: winodds rate wide.csv --wide --higher-is-better --ignore Mean\n"
    )
    words = ["--wide", "--ignore", "Mean", "--higher-is-better", "--format", "json"]
    assert run(["rate", "wide.csv", *words]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert [(row["player"], row["wins"]) for row in data["players"]] == [("A", 1.0), ("B", 1.0)]
    assert err == (
        "wide.csv: 2 rows; player = Model, round = 2 columns (t1, t2), score = the cells, "
        "ignored = Mean\n"
    )


def test_battles_are_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["A,B,model_a", "B,A,model_a", "A,B,tie", "B,C,model_b", "C,A,model_b", "C,B,model_a"]
    (tmp_path / "arena.csv").write_text("\n".join(["model_a,model_b,winner", *rows]))
    assert run(["rate", "arena.csv", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert err == "arena.csv: 6 rows; left = model_a, right = model_b, winner = winner\n"
    data = json.loads(out)
    expected = winodds.rate_battles(pl.read_csv(tmp_path / "arena.csv"))
    assert [row["epp"] for row in data["players"]] == [row.epp for row in expected]
    assert run(["rate", "arena.csv", "-q"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "3 models, 6 matches"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["--pool"],
            "--pool is not possible; there are no tournaments; name their column with "
            "--tournament.",
        ),
        (
            ["--level", "95"],
            "--level 95 is not possible; it is a number between 0 and 1, ends excluded.",
        ),
        (
            ["--winner", "model"],
            "No columns have usual names for the two sides and the winner of battles. Say it with "
            "--left COLUMN --right COLUMN --winner COLUMN, or --winner COLUMN --loser COLUMN.",
        ),
        (["--prior-sd", "1"], "--prior-sd 1 is not possible; it belongs to --estimator ridge."),
        (["--reference", "Z"], "No player 'Z' on this leaderboard."),
        (
            ["--lower-is-better"],
            "You say that a lower 'auc' is better, but by its name a higher one is. Drop the "
            "direction, or rename the column if it holds something else.\n"
            "Try: winodds rate small.csv -q",
        ),
        (
            ["--player", "modle"],
            "No column 'modle' in the table; it has 'model', 'fold', 'auc'. Did you mean 'model'?",
        ),
        (
            ["--wide", "--battles"],
            "--wide is not possible; a table of battles is not wide.",
        ),
    ],
)
def test_misuse_is_told_in_the_words_of_the_command_line(
    words: list[str], sentence: str, small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rate", small, "-q", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"Error: {sentence}\n")


@pytest.mark.parametrize(
    "words",
    [
        ["rate"],
        ["rate", "small.csv", "--plyer", "x"],
        ["rate", "small.csv", "--format", "xml"],
        ["rate", "small.csv", "--top", "many"],
        ["rate", "small.csv", "--top", "-1"],
        ["rank", "small.csv"],
        [],
    ],
)
def test_wrong_words_end_with_two_and_a_hint(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Usage: winodds")


# Endings ------------------------------------------------------------------------------------------


def test_data_error_ends_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.csv").write_text(SMALL.replace("0.95", "much"))
    assert run(["rate", "bad.csv", "-q"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "Error: 1 cell of column 'auc' is no number: line 5 has 'much'. Write numbers like 0.91 or "
        "9.1e-1; leave the score of a failed run empty.\n"
    )


def test_debug_shows_the_traceback(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", small, "-q", "--level", "2", "--debug"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.splitlines()[-1].startswith("Error: --level 2 is not possible")


def test_mistake_of_ours_is_no_traceback(
    small: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("winodds.adapters.sources.open_place", broken)
    assert run(["rate", small]) == 1
    assert capsys.readouterr().err == (
        "Error: Winodds made a mistake (RuntimeError: boom). Please report it, with the output of "
        "the same command and --debug.\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="signals work otherwise on Windows")
def test_interrupted_command_ends_with_130(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    # What a shell started in the background ignores interrupts, and so would the command.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [sys.executable, "-m", "winodds", "rate", str(pipe)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    signal.signal(signal.SIGINT, usual)
    # Opening waits until the command reads.
    with pipe.open("w"):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err.strip()) == (130, "Interrupted.")


@pytest.mark.skipif(os.name == "nt", reason="pipes work otherwise on Windows")
def test_reader_who_has_seen_enough_is_no_error(small: str) -> None:
    rate = f"{sys.executable} -m winodds rate {small} --format json"
    script = f"{rate} | head -c 10; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=True,
    )
    assert "Traceback" not in done.stderr
    assert done.stdout.endswith("\n0\n") or done.stdout.endswith("0\n")


def test_pipe_is_utf8_whatever_the_locale() -> None:
    done = command("rate", "-", "-q", text=SMALL, PYTHONIOENCODING="latin-1", COLUMNS="80")
    assert (done.returncode, done.stdout) == (0, BOARD)


# The other commands -------------------------------------------------------------------------------


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"winodds {winodds.__version__}\n"


@pytest.mark.parametrize("words", [["--help"], ["rate", "--help"], ["demo", "-h"]])
def test_help_loads_nothing_slow(words: list[str]) -> None:
    code = (
        "import sys\nfrom winodds.cli.main import run\n"
        f"code = run({words!r})\n"
        "slow = {'numpy', 'polars', 'scipy', 'narwhals', 'joblib', 'rich'} & set(sys.modules)\n"
        "print(code, sorted(slow))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "0 []"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "_WINODDS_COMPLETE" in script
    assert f"{shell}_complete" in script


def test_options_are_completed() -> None:
    done = command(_WINODDS_COMPLETE="bash_complete", COMP_LINE="winodds rate --est")
    assert done.stdout == "plain,--estimator\n"


@pytest.mark.usefixtures("drawn_once")
def test_demo_prints_all_together_and_a_line_for_each_and_writes_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["demo"]) == 0
    out = capsys.readouterr().out
    heads = [line.split(":")[0] for line in out.splitlines() if "matches;" in line]
    assert heads == ["All together"]
    listed = out.split("Each by itself")[1].splitlines()[6:10]
    assert [line.split()[0] for line in listed] == ["breast_cancer", "digits", "heart", "wine"]
    files = "results.csv, leaderboards.json, leaderboards.csv, leaderboards.md"
    assert out.splitlines()[-3:] == [
        f"Written to winodds-demo: {files}.",
        "Now try: winodds rate winodds-demo/results.csv --family family --each",
        "The report is winodds-demo/report.html; open it in a browser.",
    ]
    written = tmp_path / "winodds-demo"
    listed = sorted([*files.split(", "), "report.html"])
    assert sorted(path.name for path in written.iterdir()) == listed
    again = winodds.Season.from_json((written / "leaderboards.json").read_text(encoding="utf-8"))
    assert again["digits"].players[0] == "random_forest(default)"
    assert run(["rate", "winodds-demo/results.csv", "--family", "family", "--each"]) == 0


# The group of commands ----------------------------------------------------------------------------


def test_a_file_in_place_of_a_command_is_rated(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(RESULTS), "--pool", "--no-details", "-q"]) == 0
    short = capsys.readouterr().out
    assert run(["rate", str(RESULTS), "--pool", "--no-details", "-q"]) == 0
    assert capsys.readouterr().out == short
    assert run(["nowhere.csv"]) == 2
    assert capsys.readouterr().err == "Error: There is no file 'nowhere.csv'.\n"


def test_a_command_that_is_misspelt_is_answered_by_one_like_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for word, end in (("raet", " Did you mean 'rate'?"), ("zzz", "")):
        assert run([word]) == 2
        assert capsys.readouterr().err.endswith(f"Error: No such command '{word}'.{end}\n")


def test_help_lists_every_command_once_by_its_use(capsys: pytest.CaptureFixture[str]) -> None:
    listed = [name for names in USES.values() for name in names]
    assert sorted(listed) == sorted(root.commands)
    assert run(["--help"]) == 0
    told = capsys.readouterr().out
    assert told.index("Get a leaderboard:") < told.index("  rate ") < told.index("Share it:")
    assert "  For a paper    winodds rate results.csv --format latex -o board.tex\n" in told
