"""Everything the documentation shows is run here, as `shown` says."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
from conftest import shared_file
from shown import (
    AMLB_PAGE,
    PAGES,
    ROOT,
    SOURCE_PAGES,
    Shown,
    read_blocks,
    read_page,
    rewrite,
    run_page,
)
from test_imports import MAY_IMPORT

import winodds
from winodds.arrays import Floats
from winodds.cli.commands import root
from winodds.cli.main import run
from winodds.demo import RESULTS, load_results, rate_results
from winodds.read.files import REFUSED
from winodds.read.numbers import MISSING
from winodds.table import vocabulary as scheme
from winodds.table.battles import LEFT_LABELS, RIGHT_LABELS, TIE_LABELS
from winodds.table.directions import DOWN, UP
from winodds.table.vocabulary import AGGREGATES

MADE_PAGES = ["columns.md", "commands.md", "errors.md"]


@pytest.mark.usefixtures("drawn_once")
@pytest.mark.parametrize("page", [*PAGES, *SOURCE_PAGES])
def test_examples_run_and_print_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for it in run_page(page, tmp_path, monkeypatch):
        if it.said is not None:
            assert it.printed == it.said.text, it.block.text
        else:
            assert not it.printed.startswith("Error: "), it.block.text


def test_printed_examples_are_written_where_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "# Page\n\n```python\nprint(7)\n```\n\n```text\n6\n```\n\nEnd.\n"
    monkeypatch.setattr("shown.read_page", lambda _: page)
    command, said = read_blocks("page.md")
    assert rewrite("page.md", [Shown(command, "7\n", said)]) == page.replace("6", "7")


def test_page_of_the_automl_benchmark_is_what_its_results_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared_file("data/amlb_2019_1h.csv")
    shown = list(run_page(AMLB_PAGE, tmp_path, monkeypatch))
    assert [it.printed for it in shown] == [it.said and it.said.text for it in shown]


def test_readme_begins_with_what_people_need() -> None:
    text = read_page("README.md")
    parts = ("docs/leaderboard.svg", "make demo", "```python", "winodds rate")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_first_python_example_has_five_lines() -> None:
    first = next(block for block in read_blocks("README.md") if block.language == "python")
    assert len(first.text.splitlines()) == 5


def test_readme_shows_the_beginning_of_the_built_in_results() -> None:
    shown = next(block for block in read_blocks("README.md") if block.language == "csv")
    assert RESULTS.read_text(encoding="utf-8").startswith(shown.text)


def test_readme_says_how_the_built_in_results_are_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "winodds-demo"
    folder.mkdir()
    (folder / "results.csv").write_bytes(RESULTS.read_bytes())
    assert run(["rate", "winodds-demo/results.csv", "--player", "model", "--no-details"]) == 0
    understood = capsys.readouterr().err.splitlines()[-1]
    assert f"\n    {understood}\n" in read_page("README.md")


def test_readme_explains_every_column_in_the_words_of_the_code() -> None:
    text = read_page("README.md")
    for column, help_text in winodds.COLUMNS.items():
        assert f"| `{column}` | {help_text} |" in text


def test_commands_of_the_pages_are_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"(?:^|`)make ([a-z-]+)\b", read_page(page), re.MULTILINE):
            assert target in targets, f"{page} names make {target}"


@pytest.mark.parametrize(
    "page", ["README.md", "docs/data.md", "docs/gate.md", "docs/glossary.md", *SOURCE_PAGES]
)
def test_options_of_the_pages_are_options_of_the_commands(page: str) -> None:
    given = [option for command in root.commands.values() for option in command.params]
    known = {name for option in given for name in (*option.opts, *option.secondary_opts)}
    # A workflow may call other programs.
    text = re.sub(r"^```yaml\n.*?^```$", "", read_page(page), flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
    assert named <= {*known, "--help"}


@pytest.mark.parametrize(
    "page",
    [
        *PAGES,
        *SOURCE_PAGES,
        "CONTRIBUTING.md",
        "docs/glossary.md",
        "docs/amlb.md",
        "docs/openml-study.md",
        "examples/README.md",
        "examples/openml_study/README.md",
        "examples/multiplicity/README.md",
    ],
)
def test_links_of_the_pages_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https:)([^)#]+)[^)]*\)", read_page(page)):
        assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"


def test_architecture_has_the_rooms_and_what_they_may_import() -> None:
    rows = re.findall(
        r"^\| `([\w.]+)` \| [^|]+ \| ([^|]*)\|$", read_page("docs/architecture.md"), re.M
    )
    shown = [(room, re.findall(r"`([\w.]+)`", allowed)) for room, allowed in rows]
    assert shown == [(room, allowed.split()) for room, allowed in MAY_IMPORT.items()]


def test_architecture_names_every_room_of_show() -> None:
    page = read_page("docs/architecture.md")
    part = page[page.index("| in `show` |") : page.index("In `sota`")]
    folder = ROOT / "src" / "winodds" / "show"
    rooms = {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    assert set(re.findall(r"^\| `(\w+)` \|", part, re.M)) == {*rooms, "present"}


def test_picture_of_the_readme_shows_the_built_in_results(tmp_path: Path) -> None:
    output = tmp_path / "leaderboard.svg"
    script = str(ROOT / "tools" / "make_picture.py")
    subprocess.run([sys.executable, script, str(output)], check=True, cwd=tmp_path)
    words = re.compile(r"<text[^>]*>([^<]*)</text>")
    drawn = words.findall(output.read_text(encoding="utf-8"))
    kept = words.findall(read_page("docs/leaderboard.svg"))
    assert drawn == kept
    assert "logistic_regression(default)" in kept


@pytest.mark.parametrize("name", MADE_PAGES)
def test_made_pages_follow_from_the_code(name: str) -> None:
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "tools" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert sorted(tool.PAGES) == MADE_PAGES
    kept = ROOT / "docs" / name
    assert kept.exists(), "run make docs"
    assert tool.PAGES[name]() == kept.read_text(encoding="utf-8"), "run make docs"


# Lists --------------------------------------------------------------------------------------------


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


@pytest.mark.parametrize(
    "line",
    [
        f"| player | {_listed(scheme.PLAYER_NAMES)} |",
        f"| round | {_listed(scheme.SPLIT_NAMES)} |",
        f"| round, if nothing else is one | {_listed(scheme.ITEM_NAMES)} |",
        f"| tournament, or round | {_listed(scheme.TASK_NAMES)} |",
        f"| score | {_listed(scheme.SCORE_NAMES)}, or a known metric |",
        f"| metric | {_listed(scheme.METRIC_NAMES)} |",
        f"| direction | {_listed(scheme.DIRECTION_NAMES)} |",
        f"| status | {_listed(scheme.STATUS_NAMES)} |",
        f"| up | {_listed(sorted(UP))} |",
        f"| down | {_listed(sorted(DOWN))} |",
        f"the words {_listed(word for word in MISSING if word)}",
        f"says {_listed(sorted(scheme.DONE))}",
        f"| won by the first | {_listed(LEFT_LABELS)}, or the name of the first column |",
        f"| won by the second | {_listed(RIGHT_LABELS)}, or the name of the second column |",
        f"| tied | {_listed(TIE_LABELS)} |",
        f"prompts are looked for under the names {_listed(scheme.PROMPT_NAMES)}",
        f"A metric may be the last of several words: {_listed(sorted(scheme.LAST_WORDS))}.",
        f"Names whose last word is {_listed(sorted(scheme.SPREADS))} say",
        f"Names that stand for summaries are {_listed(sorted(AGGREGATES))}.",
    ],
)
def test_lists_on_the_data_page_are_those_of_the_code(line: str) -> None:
    assert " ".join(line.split()) in " ".join(read_page("docs/data.md").split())


def test_battles_are_found_by_the_names_on_the_data_page() -> None:
    page = read_page("docs/data.md")
    for names in scheme.BATTLE_NAMES:
        assert f"* {_listed(names)}\n" in page


def test_metrics_on_the_data_page_are_those_of_the_code() -> None:
    kinds: dict[scheme.Metric, list[str]] = {}
    for name, metric in scheme.METRICS.items():
        kinds.setdefault(metric, []).append(name)
    expected = [
        f"| {'higher' if kind.higher_is_better else 'lower'} | {_range(kind)} | {_listed(names)} |"
        for kind, names in kinds.items()
    ]
    found = re.findall(r"^\| (?:higher|lower) \|.*$", read_page("docs/data.md"), re.MULTILINE)
    assert found == expected


def _range(metric: scheme.Metric) -> str:
    if metric.low == -np.inf and metric.high == np.inf:
        return "any"
    if metric.low == -np.inf:
        return f"at most {metric.high:g}"
    return (
        f"{metric.low:g} to {metric.high:g}" if metric.high < np.inf else f"{metric.low:g} or more"
    )


def test_refused_formats_on_the_data_page_are_those_of_the_code() -> None:
    page = " ".join(read_page("docs/data.md").split())
    for kind in {*REFUSED.values(), "a Python pickle"}:
        assert kind in page


# Figures ------------------------------------------------------------------------------------------


def _aucs(dataset: str) -> pl.DataFrame:
    """Scores of the built-in results, rows are splits and columns are models."""
    chosen = load_results().filter(pl.col("dataset") == dataset)
    return chosen.pivot(on="model", index="split", values="auc").sort("split").drop("split")


@pytest.mark.parametrize(
    ("dataset", "first", "second"),
    [
        ("digits", "logistic_regression(default)", "logistic_regression(C=93)"),
        ("heart", "gradient_boosting(learning_rate=0.48)", "knn(n_neighbors=4)"),
        ("digits", "random_forest(default)", "knn(n_neighbors=11)"),
    ],
)
def test_means_of_the_readme_are_those_of_the_built_in_results(
    dataset: str, first: str, second: str
) -> None:
    scores = _aucs(dataset)
    a, b = scores[first].to_numpy(), scores[second].to_numpy()
    assert not (a == b).any()
    chance = rate_results()[dataset].win_probability(first, second)
    assert chance.low is not None
    assert chance.high is not None
    line = (
        f"| {dataset} | `{first}` | {a.mean():.4f} | `{second}` | {b.mean():.4f} "
        f"| {(a > b).sum()} of {a.size} "
        f"| {chance.value:.0%} ({chance.low:.0%} to {chance.high:.0%}) |"
    )
    assert line in read_page("README.md")


def test_places_by_mean_in_the_readme_are_those_of_the_built_in_results() -> None:
    rows = rate_results()["wine"].rows
    by_mean = sorted(rows, key=lambda row: -(row.mean_score or 0.0))
    moved = sum(a.player != b.player for a, b in zip(rows, by_mean, strict=True))
    places = [row.player for row in by_mean]
    assert (rows[4].player, rows[17].player) == (places[9], places[12])
    assert (
        f"On wine, {moved} of {len(rows)} models have another place by mean AUC than by EPP: "
        f"`{places[9]}`, tenth by mean, is fifth, and `{places[12]}`, 13th by mean, is 18th."
    ) in " ".join(read_page("README.md").split())


def _elo_ratings(scores: Floats, *, orders: int, seed: int) -> Floats:
    """Elo ratings after all matches in random orders, orders × players; K = 32, from 1500."""
    first, second = np.triu_indices(scores.shape[1], 1)
    left, right = np.tile(first, len(scores)), np.tile(second, len(scores))
    won = (np.sign(scores[:, first] - scores[:, second]).ravel() + 1.0) / 2.0
    random = Random(seed)
    order = np.array([np.argsort([random.random() for _ in won]) for _ in range(orders)])
    ratings, every = np.full((orders, scores.shape[1]), 1500.0), np.arange(orders)
    for match in order.T:
        a, b = left[match], right[match]
        expected = 1.0 / (1.0 + 10.0 ** ((ratings[every, b] - ratings[every, a]) / 400.0))
        change = 32.0 * (won[match] - expected)
        ratings[every, a] += change
        ratings[every, b] -= change
    return ratings


@pytest.mark.parametrize("dataset", ["breast_cancer", "digits", "heart", "wine"])
def test_elo_ratings_of_the_readme_are_those_of_the_built_in_results(dataset: str) -> None:
    scores = _aucs(dataset)
    top = rate_results()[dataset].players[0]
    ratings = _elo_ratings(scores.to_numpy(), orders=200, seed=1)
    own = ratings[:, scores.columns.index(top)]
    others = int((ratings.max(axis=1) > own).sum())
    line = (
        f"| {dataset} | `{top}` | {own.std(ddof=1):.0f} | {own.min():.0f} to {own.max():.0f} "
        f"| {others} of 200 |"
    )
    assert line in read_page("README.md")
