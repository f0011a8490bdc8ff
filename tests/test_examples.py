"""The gallery: every example draws what it promises, and every figure has one."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from winodds.demo import load_results
from winodds.show.figures.names import (
    BOARD_FIGURES,
    LAW_FIGURES,
    RACE_FIGURES,
    SEASON_FIGURES,
)

FOLDER = Path(__file__).resolve().parent.parent / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
SVG = "{http://www.w3.org/2000/svg}"
WITHOUT_PLAYERS = {
    *("boxes.svg", "boxes_by_tournament.svg", "boxes_together.svg"),
    *("calibration.svg", "curves.svg", "race-spent.svg"),
    *(
        "curves_of_correlation.svg",
        "family_matrix.svg",
        "family_matrix_of_digits.svg",
        "tunability.svg",
        "entries.svg",
        "families.svg",
        "law.svg",
    ),
}


def load(path: Path) -> ModuleType:
    """An example as a module, which draws nothing by itself."""
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words_of(path: Path) -> set[str]:
    """All words of a picture that is well-formed."""
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    assert root.tag == f"{SVG}svg"
    return {node.text or "" for node in root.iter(f"{SVG}text")}


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_draws_its_pictures(path: Path, tmp_path: Path) -> None:
    drawn = load(path).draw(tmp_path)
    assert sorted(drawn) == sorted(tmp_path.iterdir())
    models = set(load_results()["model"])
    for picture in drawn:
        words = words_of(picture)
        named = bool(words & models)
        assert named is (picture.name not in WITHOUT_PLAYERS), picture.name
        assert not any("undefined" in word or "NaN" in word for word in words)


def test_the_example_of_a_contest_has_a_state_of_the_art(tmp_path: Path) -> None:
    load(FOLDER / "state_of_the_art.py").draw(tmp_path)
    assert "state of the art" in words_of(tmp_path / "entries.svg")


def test_the_example_of_a_ranking_has_letters_and_ranks(tmp_path: Path) -> None:
    load(FOLDER / "ranking.py").draw(tmp_path)
    assert {"letters", "could be"} <= words_of(tmp_path / "ranking.svg")


def test_every_figure_has_an_example() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in EXAMPLES)
    for name in (*BOARD_FIGURES, *SEASON_FIGURES, "entries", *LAW_FIGURES, *RACE_FIGURES):
        assert f".plot.{name}(" in code, name


def test_the_gallery_page_lists_every_example_by_its_first_sentence() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    listed = [line for line in page if line.startswith("| [")]
    expected = []
    for path in EXAMPLES:
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        expected.append(f"| [{path.name}]({path.name}) | {text.splitlines()[0]} |")
    assert listed == expected


def test_an_example_runs_as_a_script_and_says_where_its_pictures_are(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    command = [sys.executable, str(FOLDER / "matrix.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{folder / 'matrix.svg'}\n"
    assert "digits" in words_of(folder / "matrix.svg")
