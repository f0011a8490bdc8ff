"""``winodds plot``: a file becomes a picture."""

import csv
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import winodds
import winodds.demo
from cli.conftest import SMALL
from cli.test_main import SOURCE
from winodds.cli.main import run
from winodds.cli.plot import ARGUMENTS, FIGURES
from winodds.demo import RESULTS, load_results
from winodds.show.charts.theme import DARK, LIGHT
from winodds.show.figures import names
from winodds.show.figures.boards import BoardFigures
from winodds.show.figures.names import BOARD_FIGURES, SEASON_FIGURES
from winodds.show.figures.seasons import SeasonFigures

FOUND = "small.csv: 9 rows; player = model, round = fold, score = auc\n"
NOTE = (
    "* The intervals rest on only 3 folds; below about 10 they are rough.\n"
    "* The ratings vary no more than luck alone would make them; if all models are equal, who is "
    "best means nothing.\n"
)


@pytest.fixture
def season(folder: Path) -> str:
    """The built-in results: four data sets."""
    (folder / "season.csv").write_text(RESULTS.read_text(encoding="utf-8"), encoding="utf-8")
    return "season.csv"


def fail(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The message of a command that was wrong, and that wrote nothing."""
    before = sorted(Path.cwd().iterdir())
    assert run(["plot", *words]) == 2
    assert sorted(Path.cwd().iterdir()) == before
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()[-1]


def cells(path: str, column: str) -> list[str]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return [row[column] for row in csv.DictReader(file)]


# What is written ----------------------------------------------------------------------------------


def test_picture_is_written_and_the_notes_are_told(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plot", small, "ranking", "-o", "out.svg"]) == 0
    out, err = capsys.readouterr()
    caption = (
        "* Points are ratings, bars their 95% intervals. Models who share a letter cannot be told "
        "apart (pairs, all compared at once by Holm's adjustment, two-sided, 95%). On the right "
        "are the ranks that a model could truly have; each end holds for itself (95%)."
    )
    assert (out, err) == ("", f"{FOUND}{caption}\n{NOTE}Written to out.svg.\n")
    drawn = ET.parse("out.svg").getroot()
    written = {"".join(node.itertext()) for node in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"A", "B", "C", "Ratings with 95% intervals", "a", "1–3"} <= written


def test_quiet_tells_only_the_notes(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plot", small, "best", "-o", "out.svg", "-q"]) == 0
    assert capsys.readouterr().err == NOTE


def test_quiet_tells_what_a_table_leaves_out(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plot", small, "ranking", "--top", "2", "-q", "-o", "out.csv"]) == 0
    assert capsys.readouterr().err == f"* The first 2 of 3 models by EPP.\n{NOTE}"


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "html", "json", "csv"])
def test_caption_is_told_whatever_the_format(
    season: str, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    words = ["settings", "--top", "3", "-o", f"out.{suffix}"]
    assert run(["plot", season, *words]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("* EPP")]
    assert len(told) == 1
    assert told[0].endswith("The first 3 of 20 models by mean EPP.")


@pytest.mark.parametrize(
    ("suffix", "start"),
    [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>"), ("SVG", b"<svg")],
)
def test_name_of_the_output_decides_the_format(small: str, suffix: str, start: bytes) -> None:
    assert run(["plot", small, "best", "-o", f"out.{suffix}"]) == 0
    assert Path(f"out.{suffix}").read_bytes().startswith(start)


def test_json_is_the_specification(small: str) -> None:
    assert run(["plot", small, "best", "-o", "out.json"]) == 0
    spec = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")


def test_csv_is_the_table_and_its_caption_is_told(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plot", small, "ranking", "--top", "2", "-o", "out.csv"]) == 0
    board = winodds.rate(winodds.read_results(small), player="model", round="fold", score="auc")
    board.details()
    figure = board.figures.ranking(top=2)
    assert Path("out.csv").read_text(encoding="utf-8") == figure.to_csv()
    assert capsys.readouterr().err == (f"{FOUND}* {figure.caption}\n{NOTE}Written to out.csv.\n")


def test_theme_changes_the_colours(small: str) -> None:
    for theme, palette in (("light", LIGHT), ("dark", DARK)):
        assert run(["plot", small, "best", "--theme", theme, "-o", "out.json"]) == 0
        spec = json.loads(Path("out.json").read_text(encoding="utf-8"))
        assert spec["config"]["background"] == palette.paper


# Options of figures -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        (["ranking", "--top", "3", "--first", "2"], {"top": 3, "first": 2}),
        (["ranking", "--top", "0"], {"top": None}),
        (["score-against-rating", "--labels", "2"], {"labels": 2}),
        (["scores", "--players", "knn(default)"], {"players": ["knn(default)"]}),
        (["scores", "--values", "rank"], {"values": "rank"}),
        (["families", "--top", "2"], {"top": 2}),
    ],
)
def test_options_reach_the_figure(season: str, words: list[str], arguments: Any) -> None:
    common = ["--only", "wine", "--family", "family", "-o", "out.csv"]
    assert run(["plot", season, *words, *common]) == 0
    roles: dict[str, Any] = {"player": "model", "round": "split", "score": "auc"}
    boards = winodds.rate_each(
        load_results(),
        **roles,
        tournament="dataset",
        family="family",
    )
    if words[0] == "ranking":
        boards["wine"].details()
    figure = getattr(boards["wine"].figures, words[0].replace("-", "_"))(**arguments)
    assert Path("out.csv").read_text(encoding="utf-8") == figure.to_csv()


def test_every_option_of_a_figure_belongs_to_one() -> None:
    methods = [getattr(BoardFigures, name) for name in BOARD_FIGURES]
    methods += [getattr(SeasonFigures, name) for name in SEASON_FIGURES]
    taken = {name for method in methods for name in method.__annotations__}
    assert set(ARGUMENTS.values()) <= taken


def test_option_that_a_figure_does_not_take_is_refused(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail(capsys, small, "best", "--first", "2", "-o", "out.svg") == (
        "Error: --first 2 is not possible; the figure 'best' has no such option."
    )
    assert fail(capsys, small, "win-matrix", "--players", "A", "-o", "out.svg") == (
        "Error: --players A is not possible; the figure 'win-matrix' has no such option."
    )
    assert fail(capsys, small, "ranking", "--theme", "dark", "-o", "out.csv") == (
        "Error: --theme dark is not possible; a table of numbers has no colours."
    )


# Which board --------------------------------------------------------------------------------------


def test_tournament_is_chosen_by_name(season: str) -> None:
    assert run(["plot", season, "ranking", "--only", "wine", "-o", "out.csv"]) == 0
    one = cells("out.csv", "player")
    assert run(["plot", season, "ranking", "--pool", "-o", "out.csv"]) == 0
    pooled = cells("out.csv", "player")
    assert sorted(one) == sorted(pooled)
    assert one != pooled


def test_several_tournaments_need_a_choice(season: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert fail(capsys, season, "ranking", "-o", "out.svg") == (
        "Error: The figure 'ranking' shows one leaderboard, and there are 4 tournaments: "
        "'breast_cancer', 'digits', 'heart', 'wine'. Choose one with --only NAME, or rate them "
        "together with --pool."
    )
    assert fail(capsys, season, "ranking", "--only", "vine", "-o", "out.svg") == (
        "Error: --only vine is not possible; the tournaments are 'breast_cancer', 'digits', "
        "'heart', 'wine'."
    )


def test_only_needs_tournaments(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert fail(capsys, small, "ranking", "--only", "wine", "-o", "out.svg") == (
        "Error: --only wine is not possible; there is only one leaderboard."
    )


def test_single_tournament_needs_no_choice(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"iris,{line}" for line in SMALL.splitlines()[1:]]
    Path("one.csv").write_text("\n".join(["dataset,model,fold,auc", *lines]))
    assert run(["plot", "one.csv", "ranking", "-o", "out.csv"]) == 0
    assert cells("out.csv", "player") == ["A", "B", "C"]


def test_figure_of_a_season_shows_all_tournaments(season: str) -> None:
    words = ["--family", "family", "--by", "tournament", "-o", "out.csv"]
    assert run(["plot", season, "boxes", *words]) == 0
    assert {*cells("out.csv", "box")} == {"breast_cancer", "digits", "heart", "wine"}
    assert run(["plot", season, "boxes", "-o", "out.svg"]) == 0
    assert ET.parse("out.svg").getroot().tag.endswith("svg")


def test_boxes_may_be_of_one_tournament_of_all_or_of_the_best(season: str) -> None:
    for words, players in (
        (["--only", "wine"], {"5"}),
        (["--together"], {"20"}),
        (["--by", "tournament", "--best"], {"4"}),
        (["--by", "player", "--at-least", "4", "--top", "0"], {"4"}),
    ):
        assert run(["plot", season, "boxes", "--family", "family", *words, "-o", "out.csv"]) == 0
        assert {*cells("out.csv", "players")} == players


@pytest.mark.parametrize(
    "words",
    [
        ["--family", "family", "--of-family", "knn"],
        ["--group", "family", "--of-family", "knn"],
        ["--group", "family", "--family", "knn"],
        ["--group=family", "--family=knn"],
    ],
)
def test_family_chooses_settings_by_its_old_name_too(season: str, words: list[str]) -> None:
    assert run(["plot", season, "settings", *words, "-o", "out.csv"]) == 0
    assert {name.split("(")[0] for name in cells("out.csv", "player")} == {"knn"}


def test_family_of_a_figure_without_families_is_refused(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail(capsys, small, "ranking", "--of-family", "knn", "-o", "out.csv") == (
        "Error: --of-family knn is not possible; the figure 'ranking' has no such option."
    )


def test_figures_of_a_season_are_of_one_player_tournament_or_default(season: str) -> None:
    families = ["--family", "family", "--quiet"]
    rated = winodds.demo.rate_results(family="family")
    made = rated.figures.new_data_set(player="random_forest(default)")
    assert (
        run(["plot", season, "new-data-set", "--players", "random_forest(default)", "-o", "a.csv"])
        == 0
    )
    assert cells("a.csv", "text") == [row["text"] for row in made.rows]
    made = rated.figures.family_matrix(tournament="wine")
    words = [*families, "--only", "wine"]
    assert run(["plot", season, "family-matrix", *words, "-o", "b.csv"]) == 0
    assert cells("b.csv", "text") == [row["text"] or "" for row in made.rows]
    made = rated.figures.tunability(default="(default)")
    words = [*families, "--default", "(default)"]
    assert run(["plot", season, "tunability", *words, "-o", "c.csv"]) == 0
    assert cells("c.csv", "family") == [row["family"] for row in made.rows]


def test_figure_about_one_player_takes_one(season: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--players", "random_forest(default)", "--players", "knn(default)", "-o", "a.csv"]
    assert fail(capsys, season, "new-data-set", *words) == (
        "Error: --players 'knn(default)' is not possible; this figure is about one player; name "
        "one."
    )


def test_figure_of_a_season_needs_several_boards(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail(capsys, small, "boxes", "-o", "out.svg") == (
        "Error: The figure 'boxes' shows the leaderboards of several tournaments, and here is only "
        "one; name their column with --tournament."
    )
    assert fail(capsys, small, "fill-in", "--pool", "-o", "out.svg") == (
        "Error: --pool is not possible; the figure 'fill-in' shows several leaderboards."
    )
    assert fail(capsys, small, "matrix", "--only", "x", "-o", "out.svg") == (
        "Error: --only x is not possible; the figure 'matrix' shows several leaderboards."
    )


# Errors -------------------------------------------------------------------------------------------


def test_output_must_tell_a_format(small: str, capsys: pytest.CaptureFixture[str]) -> None:
    endings = "let it end with .svg, .png, .pdf, .html, .json or .csv"
    for output in ("-", "out", "out.gif"):
        assert fail(capsys, small, "ranking", "-o", output) == (
            f"Error: --output {output} is not possible; its name tells the format; {endings}."
        )
    assert fail(capsys, small, "ranking") == "Error: Missing option '--output' / '-o'."
    assert fail(capsys, small, "ranking", "-o", small) == (
        f"Error: --output {small} is not possible; it is the file that is read, and would be "
        f"overwritten."
    )


def test_board_that_lacks_what_a_figure_shows_writes_nothing(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out.svg").write_text("old")
    assert run(["plot", small, "families", "-q", "-o", "out.svg"]) == 1
    assert capsys.readouterr().err == (
        "Error: There is no figure 'families' here: its models have no families; name their "
        "column with --family.\n"
    )
    assert Path("out.svg").read_text() == "old"


def test_missing_packages_are_named_before_anything_is_computed(
    small: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winodds.show.extra.find_spec", lambda name: name != "altair" or None)
    assert fail(capsys, small, "ranking", "-o", "out.svg") == (
        "Error: Drawing needs altair, which is not installed. Install what is missing: pip install "
        "'winodds[report]'."
    )
    assert run(["plot", small, "ranking", "-o", "out.csv"]) == 0
    assert cells("out.csv", "player") == ["A", "B", "C"]


def test_names_are_those_of_the_figures() -> None:
    assert tuple(name.replace("_", "-") for name in (*BOARD_FIGURES, *SEASON_FIGURES)) == FIGURES
    assert names.SEASON_FIGURES == SEASON_FIGURES


def test_help_names_every_figure_and_loads_nothing_slow() -> None:
    code = (
        "import sys\nfrom winodds.cli.main import run\nrun(['plot', '--help'])\n"
        "print(sorted({'altair', 'numpy', 'polars', 'vl_convert'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert [name for name in FIGURES if name not in done.stdout] == []
