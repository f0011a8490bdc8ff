"""``winodds report`` and ``board.report``: the file they write, and what they refuse."""

import hashlib
import json
import re
import shutil
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest

import winodds
from winodds import Leaderboard, Season
from winodds.cli.main import run
from winodds.demo import RESULTS, ROLES, load_results, pool_results, rate_results
from winodds.errors import BadOption, MissingExtra, NoEvidence, NotWritten
from winodds.language.options import Components, Estimator
from winodds.show.formats.json import render_json
from winodds.show.report.contents import fingerprint

LOGS = Path(__file__).parents[1] / "samples" / "inspect"

pytestmark = pytest.mark.usefixtures("few_draws", "drawn_once")


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The built-in results as a user's file, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "results.csv"
    path.write_bytes(RESULTS.read_bytes())
    return path


@pytest.fixture(scope="module")
def wine() -> Leaderboard:
    return rate_results()["wine"]


def data_of(page: Path | str) -> dict[str, Any]:
    """The data inside a page."""
    text = page if isinstance(page, str) else page.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def facts_of(data: dict[str, Any]) -> dict[str, str]:
    return dict(data["boards"][0]["how"]["facts"])


def test_a_report_says_where_it_is_and_how_to_make_it_again(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", str(results), "--pool", "--no-details"]
    assert run(words) == 0
    assert capsys.readouterr().err.endswith("Written to report.html.\n")
    data = data_of(Path("report.html"))
    assert data["title"] == "results"
    (commands,) = data["boards"][0]["how"]["commands"]
    assert commands == [
        "A command that makes this page again",
        "winodds report results.csv --pool --no-details",
    ]
    facts = facts_of(data)
    assert facts["Input"] == f"results.csv, {results.stat().st_size:,} bytes"
    assert facts["SHA-256 of the input"] == hashlib.sha256(results.read_bytes()).hexdigest()
    assert facts["Columns"] == "player = model, round = split, score = auc, tournament = dataset"


def test_a_report_of_logs_is_of_the_files_that_were_read_and_shows_the_accuracy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(LOGS, "logs")
    words = ["report", "logs", "--metric", "match", "--no-details", "-o", "logs/page.html"]
    assert run(words) == 0
    first = Path("logs/page.html").read_bytes()
    Path("logs/notes.txt").write_text("mine")
    assert run(words) == 0
    assert Path("logs/page.html").read_bytes() == first
    data = data_of(Path("logs/page.html"))
    usual = {column["key"]: column["usual"] for column in data["column_list"]}
    assert (usual["mean_score"], usual["se"]) == (True, False)


def test_the_command_in_the_page_makes_the_same_page(results: Path) -> None:
    words = ["report", str(results), "--pool", "--no-details", "-o", str(results.parent / "a.html")]
    assert run(words) == 0
    first = Path("a.html").read_bytes()
    command = data_of(Path("a.html"))["boards"][0]["how"]["commands"][0][1]
    assert command == "winodds report results.csv --pool --no-details -o a.html"
    assert run(command.split()[1:]) == 0
    assert Path("a.html").read_bytes() == first


def test_a_page_holds_no_folder_of_its_makers(results: Path) -> None:
    assert (
        run(["report", str(results), "--no-details", "-q", f"--output={results.parent}/a.html"])
        == 0
    )
    assert str(results.parent) not in Path("a.html").read_text(encoding="utf-8")


def test_a_title_is_the_users(results: Path) -> None:
    assert run(["report", str(results), "--pool", "--no-details", "--title", "<b>Mine</b>"]) == 0
    text = Path("report.html").read_text(encoding="utf-8")
    assert '<h1 id="title">&lt;b&gt;Mine&lt;/b&gt;</h1>' in text
    assert data_of(text)["title"] == "<b>Mine</b>"


def test_a_page_goes_to_standard_output_on_request(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(results), "--pool", "--no-details", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["report"], 2, "Error: Missing argument 'FILE'; standard input is '-'.\n"),
        (
            ["report", "results.csv", "-o", "page.pdf"],
            2,
            "Error: --output page.pdf is not possible; a report is a page, and its name ends with "
            ".html.\n",
        ),
        (
            ["report", "results.csv", "-o", "nowhere/page.html"],
            1,
            "Error: 'nowhere/page.html' could not be written: there is no folder 'nowhere'.\n",
        ),
    ],
)
def test_what_cannot_be_a_report_is_refused(
    results: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    message: str,
) -> None:
    assert results.exists()
    assert run(words) == code
    assert capsys.readouterr().err.endswith(message)
    assert not Path("page.pdf").exists()


def test_without_the_extra_the_report_says_what_to_install(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> ModuleSpec | None:
        return None if name in ("altair", "jinja2") else find_spec(name)

    monkeypatch.setattr("winodds.show.extra.find_spec", find)
    sentence = (
        "A report needs altair and jinja2, which are not installed. Install what is missing: "
        "pip install 'winodds[report]'."
    )
    assert run(["report", str(results)]) == 2
    assert capsys.readouterr().err == f"Error: {sentence}\n"
    with pytest.raises(MissingExtra) as caught:
        rate_results()["wine"].report("page.html")
    assert str(caught.value) == sentence
    assert not Path("page.html").exists()


def test_a_board_and_a_season_write_their_reports(tmp_path: Path, wine: Leaderboard) -> None:
    page = wine.report(tmp_path / "wine.html", title="Wine")
    data = data_of(page)
    assert data["title"] == "Wine"
    assert [board["name"] for board in data["boards"]] == ["wine"]
    columns = data["boards"][0]["columns"]
    named = {**columns, "player": [data["names"][place] for place in columns["player"]]}
    assert named == json.loads(json.dumps(wine.columns()))
    season = Season({"wine": wine})
    assert [board["name"] for board in data_of(season.report(tmp_path / "s.html"))["boards"]] == [
        "wine"
    ]


def test_several_tournaments_begin_with_all_of_them_together(
    results: Path,
) -> None:
    assert run(["report", str(results), "--no-details", "-q"]) == 0
    boards = data_of(Path("report.html"))["boards"]
    labels = [board["label"] for board in boards]
    assert labels == ["All data sets together", "breast_cancer", "digits", "heart", "wine"]
    together = pool_results()
    assert boards[0]["name"] is None
    assert boards[0]["columns"]["epp"] == together.columns()["epp"]
    assert "boxes" in data_of(Path("report.html"))["season"]["tables"]
    command = dict(boards[0]["how"]["commands"])["A command that makes this page again"]
    assert command == "winodds report results.csv --no-details -q"


def test_defaults_are_what_tuning_is_measured_from(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", results.name, "--no-details", "--quiet"]
    assert run([*words, "--family", "family", "--default", "(default)"]) == 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "the chance that its best setting beats its default holds one half" in page
    assert run([*words, "--pool", "--default", "(default)"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: --default '(default)' is not possible; one leaderboard tells nothing about tuning; "
        "several data sets are needed."
    )


def test_one_tournament_is_a_board_and_no_season(results: Path) -> None:
    rows = [
        line for line in results.read_text().splitlines() if "dataset" in line or "wine" in line
    ]
    Path("one.csv").write_text("\n".join(rows))
    assert run(["report", "one.csv", "--no-details", "-q"]) == 0
    data = data_of(Path("report.html"))
    assert [board["label"] for board in data["boards"]] == ["wine"]
    assert data["season"] == {"tables": {}, "hint": ""}


def test_splits_that_overlap_leave_the_board_of_all_tournaments_as_it_is(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(results), "--no-details", "-q", "--test-fraction", "0.1"]) == 0
    assert capsys.readouterr().err == ""
    boards = data_of(Path("report.html"))["boards"]
    labels = [board["label"] for board in boards]
    assert labels == ["All data sets together", "breast_cancer", "digits", "heart", "wine"]
    together = pool_results()
    assert boards[0]["columns"]["low"] == together.columns()["low"]
    assert ["Overlapping splits" in dict(board["how"]["facts"]) for board in boards] == [
        False,
        *[True] * 4,
    ]


def test_tournaments_without_common_players_have_no_board_together_and_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{model}{data},{data},{fold},{0.1 * ((fold * k) % 5)}"
        for data in "xy"
        for fold in range(4)
        for k, model in enumerate("abc", 1)
    ]
    Path("apart.csv").write_text("\n".join(["model,dataset,fold,auc", *rows]))
    assert run(["report", "apart.csv", "-q"]) == 0
    boards = data_of(Path("report.html"))["boards"]
    assert [board["label"] for board in boards] == ["x", "y"]
    assert capsys.readouterr().err == (
        "* There is no board of all tournaments together. The players form 2 components that "
        "never met: 3 with 'ax', 'bx' and 1 more; 3 with 'ay', 'by' and 1 more. Their ratings "
        "cannot be compared. Add rounds in which they meet, or pass --components separate to rate "
        "each component on its own.\n"
    )


def test_a_season_takes_the_board_that_it_begins_with(tmp_path: Path) -> None:
    table = load_results().filter(pl.col("dataset").is_in(["digits", "wine"]))
    season = winodds.rate_each(table, **ROLES, details=False)
    together = winodds.rate(table, **ROLES, details=False)
    page = season.report(tmp_path / "season.html", overview=together)
    labels = [board["label"] for board in data_of(page)["boards"]]
    assert labels == ["All data sets together", *season]
    table = table.with_columns(pl.col("dataset").replace("wine", "All data sets together"))
    named = winodds.rate_each(table, **ROLES, details=False)
    page = named.report(tmp_path / "named.html", overview=together)
    labels = [board["label"] for board in data_of(page)["boards"]]
    assert labels == ["All data sets together (pooled)", *named]


def test_a_page_that_nobody_would_open_as_one_is_refused(tmp_path: Path, wine: Leaderboard) -> None:
    with pytest.raises(BadOption, match="a report is a page, and its name ends with"):
        wine.report(tmp_path / "report.txt")


def test_the_quality_of_the_fit_has_its_numbers_too(tmp_path: Path, wine: Leaderboard) -> None:
    (board,) = data_of(wine.report(tmp_path / "wine.html"))["boards"]
    table = board["quality"]["calibration"]
    assert table["exact"]["header"] == ["low", "high", "pairs", "expected", "observed"]
    for row, shown, wanted in zip(
        table["exact"]["rows"], table["rows"], wine.quality().calibration, strict=True
    ):
        assert row == [wanted.low, wanted.high, wanted.pairs, wanted.fitted, wanted.observed]
        assert shown[2:] == [f"{wanted.fitted:.1%}", f"{wanted.observed:.1%}"]


def test_a_board_that_was_read_back_has_the_same_report(tmp_path: Path, wine: Leaderboard) -> None:
    again = Leaderboard.from_json(wine.to_json())
    assert (
        again.report(tmp_path / "a.html").read_bytes()
        == wine.report(tmp_path / "b.html").read_bytes()
    )


def test_a_board_that_was_cut_has_no_report(tmp_path: Path, wine: Leaderboard) -> None:
    cut = Leaderboard.from_json(render_json(wine, top=3))
    with pytest.raises(NoEvidence):
        cut.report(tmp_path / "cut.html")


def test_a_report_that_cannot_be_written_says_so(tmp_path: Path, wine: Leaderboard) -> None:
    with pytest.raises(NotWritten):
        wine.report(tmp_path / "nowhere" / "page.html")


def test_the_fingerprint_knows_the_results_and_not_their_order() -> None:
    table = pl.DataFrame(
        {
            "player": ["a", "b", "c"] * 4,
            "round": np.repeat([1, 2, 3, 4], 3),
            "score": np.random.default_rng(0).random(12),
        }
    )
    first = winodds.rate(table, higher_is_better=True)
    shuffled = winodds.rate(table.sample(fraction=1.0, shuffle=True, seed=1), higher_is_better=True)
    other = winodds.rate(table.with_columns(pl.col("score") * 2), higher_is_better=True)
    assert fingerprint(first) == fingerprint(shuffled)
    assert fingerprint(first) != fingerprint(other)


@pytest.mark.parametrize("components", ["error", "separate"])
def test_the_fingerprint_does_not_depend_on_the_ratings(components: Components) -> None:
    """Estimators order these players, and the components, differently."""
    rng = np.random.default_rng(52)
    table = pl.DataFrame(
        {"player": list("abcde") * 4, "round": np.repeat(range(4), 5), "score": rng.random(20)}
    ).filter(pl.Series(rng.random(20) < 0.8))
    if components == "separate":
        apart = table.with_columns(pl.col("player") + "2", pl.col("round") + 10)
        table = pl.concat([table, apart.with_columns(-pl.col("score"))])
    boards = [
        winodds.rate(table, higher_is_better=True, estimator=estimator, components=components)
        for estimator in get_args(Estimator)
    ]
    assert len({board.players for board in boards}) > 1
    assert len({fingerprint(board) for board in boards}) == 1


def test_the_fingerprint_of_battles_does_not_depend_on_the_ratings() -> None:
    rng = np.random.default_rng(15)
    pairs = [rng.choice(list("abcde"), 2, replace=False).tolist() for _ in range(40)]
    table = pl.DataFrame(
        {
            "model_a": [first for first, _ in pairs],
            "model_b": [second for _, second in pairs],
            "winner": rng.choice(["model_a", "model_b", "tie"], 40),
        }
    )
    boards = [winodds.rate_battles(table, estimator=estimator) for estimator in get_args(Estimator)]
    assert len({board.players for board in boards}) > 1
    assert len({fingerprint(board) for board in boards}) == 1
    other = winodds.rate_battles(table.with_columns(winner=pl.lit("tie")))
    assert fingerprint(other) != fingerprint(boards[0])


def test_the_call_in_the_page_is_the_one_that_was_made(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "model": ["a", "b", "c"] * 6,
            "kind": ["x", "y", "y"] * 6,
            "task": np.repeat(range(6), 3),
            "loss": np.random.default_rng(1).random(18),
        }
    )
    options: dict[str, Any] = {"player": ["model", "kind"], "round": "task", "score": "loss"}
    board = winodds.rate(table, **options, estimator="ridge", level=0.9, matches="across")
    data = data_of(board.report(tmp_path / "a.html", details=False))["boards"][0]
    again = eval(data["how"]["commands"][0][1], {"winodds": winodds, "table": table})
    assert again.to_dict() == board.to_dict()


def test_gaps_name_players_who_were_left_out(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "player": ["a", "b", "c"] * 4,
            "round": np.repeat([1, 2, 3, 4], 3),
            "score": [0.1, 0.2, None, 0.4, 0.3, None, 0.5, 0.6, None, 0.8, 0.7, None],
        }
    )
    board = winodds.rate(table, higher_is_better=True)
    gaps = data_of(board.report(tmp_path / "a.html", details=False))["boards"][0]["gaps"]
    assert gaps == {
        "sentences": [
            "1 player without a score that could be compared was left out: 'c'.",
            "Every player that is rated has a score in every round.",
        ],
        "tables": [],
    }


def test_a_large_board_gives_the_command_to_leave_rows_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "player": np.tile([f"m{k}" for k in range(301)], 3),
            "round": np.repeat([1, 2, 3], 301),
            "score": rng.normal(size=903),
        }
    )
    board = winodds.rate(table, higher_is_better=True, details=False)
    data = data_of(board.report(tmp_path / "a.html", details=False))["boards"][0]
    assert data["shipped"]["why_not_refit"] is not None
    assert data["refit_command"].startswith(
        "# Leave the rows out of the table, then:\nwinodds.rate(\n    table,\n"
    )


@pytest.mark.parametrize(
    ("players", "rounds", "limit"), [(100, 50, 1_500_000), (1000, 20, 3_000_000)]
)
def test_pages_stay_small(tmp_path: Path, players: int, rounds: int, limit: int) -> None:
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "player": np.tile([f"a model with settings {k}" for k in range(players)], rounds),
            "round": np.repeat(np.arange(rounds), players),
            "score": rng.normal(size=players * rounds),
        }
    )
    board = winodds.rate(table, higher_is_better=True, details=players <= 100)
    assert board.report(tmp_path / "page.html").stat().st_size <= limit
