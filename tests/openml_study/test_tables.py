"""Pages of the study of other tables: without folds, odd ones, and those that will not do."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import study
from conftest import shared_file
from counts import find_filled, flows_on_most_tasks, shares_of_tools
from evaluations import read_evaluations
from openml_server import Server, large_world, serving, small_world
from page import Colouring
from ratings import rate_study
from section_data import describe_data

import winodds
from openml_study.pages import SCRIPT, read_page, stay_away_from_home
from winodds.language.options import RunRule

PLAIN: dict[str, list[object]] = {
    "task": [task for task in range(12) for _ in range(4)],
    "model": ["1_weka.J48(1)", "2_weka.IBk(1)", "3_my.Thing", "4_weka.SMO"] * 12,
    "score": [0.5 + 0.01 * ((7 * k) % 31) for k in range(48)],
}


def plain_table(folder: Path, columns: dict[str, list[object]] | None = None) -> Path:
    path = folder / "plain.csv"
    pl.DataFrame(columns or PLAIN).write_csv(path)
    return path


def test_a_table_without_folds_says_what_it_lacks(tmp_path: Path) -> None:
    path = plain_table(tmp_path)
    page = tmp_path / "study.html"
    words = [sys.executable, str(SCRIPT), str(path), "--metric", "auc", "-o", str(page)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == f"Written to {page}.\n"
    found = read_page(page, large_world(1, 1, filled=1.0))
    for sentence in (
        "The table does not tell classes, observations and features of the tasks nor the number "
        "of runs that stand behind each result; tables of winodds openml do.",
        "Every task has results of all 4 flows.",
        "With fewer than ten flows nobody can tell an S from a line.",
        "No flow has a mean that is far too low for its EPP and scores that vary much.",
        "Without values by fold there is one board, and so no boxes by task or over tasks.",
        "How far tasks differ, and what to expect of one, needs values by fold.",
    ):
        assert sentence in found.text
    assert "Figure 4.1" not in found.text
    assert "Figure 4.3" not in found.text
    assert found.html.count("<svg") == 3


def test_a_reference_may_be_absent_from_tasks(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = [
        {"task": f"t{task}", "flow": f"{k}_weka.J48({k})", "fold": fold, "score": rng.random()}
        for task in range(4)
        for fold in range(5)
        for k in range(5)
        if (task, k) != (2, 3)
    ]
    path = tmp_path / "gap.csv"
    pl.DataFrame(rows).write_csv(path)
    page = str(tmp_path / "x.html")
    assert study.main([str(path), "--metric", "auc", "--reference", "3", "-o", page]) == 0
    text = read_page(Path(page), large_world(1, 1, filled=1.0)).text
    assert "It has no result on 1 of 4 tasks, which are left out of these boxes." in text
    kept = rate_study(read_evaluations(path, metric="auc"))
    assert kept.left_out == ()
    assert kept.reference != "3_weka.J48(3)"


def odd_table(
    tasks: int, names: Sequence[str], folds: int, *, apart: int = 1, separated: bool = False
) -> pl.DataFrame:
    """Flows on tasks; those whose numbers differ by no multiple of ``apart`` never meet."""
    rng = np.random.default_rng(3)
    rows = [
        {
            "task": f"t{task}",
            "flow": f"{k}_{name}",
            "fold": fold,
            "score": 0.1 * k + 0.001 * fold if separated else rng.random(),
        }
        for task in range(tasks)
        for k, name in enumerate(names)
        for fold in range(folds)
        if (task - k) % apart == 0
    ]
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("table", "sentences"),
    [
        (
            odd_table(1, ["weka.J48", "weka.IBk", "weka.SMO"], 4),
            ["There is one task, and so no boxes by task or over tasks.", "needs several tasks."],
        ),
        (
            odd_table(3, [f"my.<b>{k}</b>" for k in range(6)], 4),
            [
                "No task has flows of two algorithms that are known, so there is nothing to "
                "compare.",
                "No flow has an algorithm that is known, so there are no boxes by algorithm.",
            ],
        ),
        (
            odd_table(4, ["weka.J48", "weka.IBk", "weka.SMO", "weka.JRip"], 5, separated=True),
            ["No family has two players in the same tournament"],
        ),
        (
            odd_table(
                4, [f"weka.{name}" for name in ("J48", "IBk", "SMO", "JRip") * 2], 4, apart=2
            ),
            ["The players form 2 components that never met"],
        ),
    ],
)
def test_odd_tables_become_pages_that_say_what_they_lack(
    table: pl.DataFrame, sentences: list[str], tmp_path: Path
) -> None:
    path, page = tmp_path / "odd.csv", tmp_path / "odd.html"
    table.write_csv(path)
    assert study.main([str(path), "--metric", "auc", "-o", str(page)]) == 0
    found = read_page(page, large_world(1, 1, filled=1.0))
    for sentence in sentences:
        assert sentence in found.text
    assert not re.search(r"\b(nan|None|inf)\b", found.text)
    assert ("∞</td>" in found.html) is (sentences[0].startswith("No family has two"))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("best", "it is the best of them, which is the best partly by luck"),
        ("last", "it is the last that was uploaded"),
    ],
)
def test_the_page_says_which_run_stands_for_a_flow(
    rule: RunRule, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay_away_from_home(monkeypatch, tmp_path)
    path = tmp_path / "scores.csv"
    with serving(Server(small_world())) as server:
        where: dict[str, Any] = {"server": server.url, "cache": str(tmp_path / "pages")}
        winodds.fetch_openml(99, run=rule, pause=0.0, **where).table.write_csv(path)
    found = describe_data(read_evaluations(path), Colouring([]))
    assert words in "".join(found.parts)
    assert ("chosen by the scores that are rated" in "".join(found.parts)) is (rule == "best")


def test_settings_that_are_players_keep_the_tools_of_their_flows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stay_away_from_home(monkeypatch, tmp_path)
    path = tmp_path / "scores.parquet"
    with serving(Server(small_world())) as server:
        where: dict[str, Any] = {"server": server.url, "cache": str(tmp_path / "pages")}
        winodds.fetch_openml(99, run="setup", pause=0.0, **where).table.write_parquet(path)
    tools = dict(shares_of_tools(read_evaluations(path)))
    assert tools == {"weka": 3, "sklearn": 2, "mlr": 1, "my": 2}


@pytest.mark.parametrize(
    ("columns", "words", "said"),
    [
        (None, [], "Say what the scores of plain.csv are: --metric auc."),
        ({"a": [1]}, ["--metric", "auc"], "plain.csv has no column that could be the flow: player"),
        (None, ["--metric", "auc", "--reference", "9"], "No flow is called 9, nor has this number"),
        (None, ["--metric", "my"], "Is a higher or a lower 'my' better? The name does not tell."),
    ],
)
def test_a_table_that_will_not_do_is_refused_in_a_sentence(
    columns: dict[str, list[object]] | None,
    words: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = plain_table(tmp_path, columns)
    assert study.main([str(path), *words, "-o", str(tmp_path / "x.html")]) == 1
    assert capsys.readouterr().err.startswith(f"Error: {said}")
    assert not (tmp_path / "x.html").exists()


def by_two_metrics(folder: Path, *, apart: bool) -> Path:
    """Scores by two metrics, of the same tasks or of different ones."""
    table = odd_table(2, ["weka.J48", "weka.IBk", "weka.SMO"], 4)
    names = {"flow": "player", "task": "tournament", "fold": "round"}
    both = [
        table.rename(names).with_columns(
            pl.format(f"{metric if apart else ''}{{}}", "tournament").alias("tournament"),
            metric=pl.lit(metric),
            direction=pl.lit(way),
            status=pl.lit("ok"),
            source=pl.lit("x"),
            hyperparameters=pl.lit(None, pl.String),
        )
        for metric, way in (("auc", "up"), ("logloss", "down"))
    ]
    pl.concat(both).write_csv(folder / "two.csv")
    return folder / "two.csv"


@pytest.mark.parametrize(
    ("apart", "words", "said"),
    [
        (False, [], "There are several metrics: 'auc', 'logloss'. Choose one, for instance "),
        (False, ["--metric", "acc"], "There is no metric 'acc'; there are 'auc', 'logloss'."),
        (True, [], "two.csv has scores by auc, logloss; choose one: --metric NAME."),
    ],
)
def test_of_several_metrics_one_is_chosen(
    apart: bool, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = by_two_metrics(tmp_path, apart=apart)
    assert study.main([str(path), *words, "-o", str(tmp_path / "x.html")]) == 1
    assert capsys.readouterr().err.startswith(f"Error: {said}")
    found = read_evaluations(path, metric="logloss")
    assert (found.metric, found.higher_is_better, found.rows.height) == ("logloss", False, 24)


def test_a_page_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "no" / "x.html"
    assert study.main([str(plain_table(tmp_path)), "--metric", "auc", "-o", str(page)]) == 1
    told = f"Error: {page} could not be written: No such file or directory.\n"
    assert capsys.readouterr().err == told


def test_the_published_studies_become_pages_as_far_as_they_go(tmp_path: Path) -> None:
    said = {
        ("openml_study_14_accuracy.csv", "accuracy"): (
            "662 of 700 pairs of a flow and a task have a result",
            "Results of flows: 94.6% of 700 cells are filled (yellow)",
            "With fewer than ten flows nobody can tell an S from a line.",
        ),
        ("openml_study_34_auc.csv", "auc"): (
            "3,150 of 3,150 pairs of a flow and a task have a result",
            "Flows of each algorithm; 30 of 30 have one.",
            "8990_weka.MultilayerPerceptron has a mean AUC of 0.817, where 0.861 go with its EPP",
            "on task 10045 it has 0.499 and beats 0%",
        ),
    }
    for (name, metric), sentences in said.items():
        path, page = shared_file(f"data/{name}"), tmp_path / "study.html"
        assert study.main([str(path), "--metric", metric, "-o", str(page)]) == 0
        text = read_page(page, large_world(1, 1, filled=1.0)).text
        for sentence in sentences:
            assert sentence in text


def test_what_is_counted_before_rating_is_what_the_season_has(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    names = [f"weka.{name}" for name in ("J48", "IBk", "SMO", "JRip", "J48", "IBk")]
    gaps = [("t0", "1"), ("t0", "2"), ("t3", "1"), ("t3", "5"), ("t4", "0"), ("t5", "3")]
    left = [pl.col("task").eq(task) & pl.col("flow").str.starts_with(flow) for task, flow in gaps]
    odd_table(6, names, 4).filter(~pl.any_horizontal(left)).write_csv(path)
    found = read_evaluations(path, metric="auc")
    presence = rate_study(found).season.presence()
    assert 0.5 < presence.filled < 1.0
    assert find_filled(found).share == pytest.approx(presence.filled)
    assert find_filled(found, "algorithm").share == pytest.approx(presence.filled_by_family or 0.0)
    most = {flow: number for flow, _, number in flows_on_most_tasks(found, None)}
    assert most == dict(presence.most())


def test_runs_that_failed_have_no_score_and_lower_may_be_better(tmp_path: Path) -> None:
    status: list[object] = ["ok", "Success", "failed", ""] * 12
    path = plain_table(tmp_path, {**PLAIN, "status": status})
    found = read_evaluations(path, metric="my", higher_is_better=False)
    assert (found.rows.height, found.scored.height, found.by_fold) == (48, 36, False)
    assert "3_my.Thing" not in set(found.scored["flow"])
    board = rate_study(found).season["All tasks"]
    means = [row.mean_score for row in board]
    assert len(means) == 3
    page = str(tmp_path / "x.html")
    assert study.main([str(path), "--metric", "my", "--lower-is-better", "-o", page]) == 0
