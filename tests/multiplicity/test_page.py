"""The page of the paper: numbers are computed, differences have reasons, it needs nothing else."""

import re
import shlex
from pathlib import Path

import drawn
import numpy as np
import paper
import published
import pytest
from conftest import shared_file
from shown import read_blocks

import winodds

OBESITY, CASSAVA = "data/kaggle_obesity_private.csv", "data/kaggle_cassava_private.csv"


@pytest.fixture(scope="module")
def made() -> tuple[str, list[published.Results]]:
    """The page without boards."""
    return paper.make_page({})


def check_reasons(results: list[published.Results]) -> None:
    for row in [row for found in results for row in found.rows]:
        assert row.same or row.why, row.what


def test_the_numbers_of_tables_1_and_3_come_out() -> None:
    rows = [*published.dependence().rows, *published.sizes().rows]
    far = {row.what: round(row.here - row.published, 4) for row in rows if not row.same}
    assert len(rows) == 27
    assert far == {
        "independent, non-identical: expected best score": 0.0001,
        "dependent, non-identical: standard deviation": 0.0001,
    }


def test_a_difference_has_a_reason_that_stands_on_the_page(
    made: tuple[str, list[published.Results]],
) -> None:
    page, results = made
    check_reasons(results)
    rows = [row for found in results for row in found.rows]
    assert f"<b>{len(rows)}</b><span>numbers of the paper" in page
    assert f"<b>{sum(row.same for row in rows)}</b><span>come out" in page
    for row in rows:
        assert f"{row.published:,.{row.digits}f}</td><td" in page
    assert page.count('class="why"') == 3


def test_the_page_needs_nothing_else(made: tuple[str, list[published.Results]]) -> None:
    page, _ = made
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", page)
    assert "<script" not in page
    assert page.count("<figure>") == 11
    for name in paper.BOARDS:
        assert f"No file was given: --{name} FILE" in page


def test_curves_are_those_of_classifiers_of_this_auc() -> None:
    found = drawn.draw_classifiers(0.9, 51, 2949, 200, seed=1)
    assert found.areas.mean() == pytest.approx(0.9, abs=0.005)
    # The area under each drawn curve is its AUC, up to the steps between its points.
    under = np.trapezoid(found.hits, found.alarms, axis=1)
    assert under == pytest.approx(found.areas, abs=0.01)
    assert (np.diff(found.hits, axis=1) >= 0.0).all()


def test_an_imagined_contest_has_the_law_of_the_library() -> None:
    theta = np.full(300, 0.85)
    best = [drawn.imagine(theta, 1000, 0.6, seed=k).max() for k in range(200)]
    law = winodds.law_of_maximum(300, theta=0.85, n=1000, correlation=0.6)
    assert np.mean(best) == pytest.approx(law.mean, abs=4.0 * law.sd / np.sqrt(200))


def test_boards_that_are_given_are_compared(tmp_path: Path) -> None:
    """Any board makes a page; the paper's numbers stand beside those of this one."""
    scores = np.random.default_rng(1).binomial(2000, 0.85, 60) / 2000
    board = tmp_path / "board.csv"
    board.write_text("rank,score\n" + "".join(f"{k},{x}\n" for k, x in enumerate(scores)))
    page = tmp_path / "page.html"
    assert paper.main(["--cassava", str(board), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert f"best score {scores.max():.4f}" in text
    assert "What Winodds says." in text
    assert "No file was given: --cassava" not in text


def test_the_published_boards_come_out() -> None:
    boards = {"obesity": shared_file(OBESITY), "cassava": shared_file(CASSAVA)}
    page, results = paper.make_page(boards)
    check_reasons(results)
    rows = {row.what: row for found in results for row in found.rows}
    assert rows["Θ' = Θ̂: expected best score"].same
    assert rows["shrinking: lower end"].same
    assert rows["shrinking: upper end"].same
    assert round(rows["shrinking: state of the art"].here, 4) == 0.9071
    assert round(rows["n = 11,072, shrinking: state of the art"].here, 4) == 0.9064
    assert round(rows["cropping: state of the art"].here, 4) == 0.9049
    assert "scored 0.9132, ahead of what luck explains" in page


@pytest.mark.parametrize("page", ["docs/sota.md", "examples/multiplicity/README.md"])
def test_the_commands_on_the_pages_are_those_of_the_script(page: str) -> None:
    blocks = [block for block in read_blocks(page) if block.language == "sh"]
    lines = [line for block in blocks for line in block.text.splitlines()]
    asked = []
    for line in lines:
        if line.startswith("python"):
            _, script, *words = shlex.split(line)
            assert script == "examples/multiplicity/paper.py"
            asked.append(paper.parse(words))
    assert all(one.output.suffix == ".html" for one in asked)
    assert bool(asked[-1].melanoma) is page.startswith("docs")


def test_a_file_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.main(["--obesity", "nowhere.csv", "-o", str(tmp_path / "page.html")]) == 1
    assert "nowhere.csv" in capsys.readouterr().err
