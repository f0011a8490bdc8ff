"""The page of the study: it needs nothing else, and comes from the commands on the pages."""

import re
import shlex
from pathlib import Path

import pytest
import study
from openml_server import Server, large_world, serving
from shown import read_blocks

from openml_study.pages import (
    SCRIPT,
    UNKNOWN,
    Found,
    as_recall,
    read_page,
    stay_away_from_home,
)
from winodds.cli.main import run


def test_the_page_needs_nothing_else_and_escapes_names(small: Found) -> None:
    assert all(link.startswith(("#", "data:image/svg+xml;base64,")) for link in small.asked)
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", small.html)
    assert "<script" not in small.html
    assert "<T>" not in small.html
    assert any(UNKNOWN in name for name in small.world.flows.values())


def test_algorithms_have_one_colour_in_all_pictures(small: Found) -> None:
    keys = re.findall(r'<li><i class="(a\d+)"></i>(.*?)</li>', small.html)
    colours = {name: colour for colour, name in keys}
    assert len(set(colours.values())) == len(colours)
    boxes = re.findall(r'class="(a\d+) filled"><title>(\w+): median', small.html)
    assert {name for _, name in boxes} <= colours.keys()
    assert {(colour, name) for colour, name in boxes} <= {(c, n) for n, c in colours.items()}
    rules = dict(re.findall(r"^\.(a\d+)\{fill:(#\w+)", small.html, re.MULTILINE))
    assert len({rules[colour] for colour in colours.values()}) == len(colours)


def test_every_task_has_its_pictures(small: Found) -> None:
    part = small.html.partition('<section id="tasks">')[2]
    for number, task in small.world.tasks.items():
        own = part.partition(f"<summary>{number}_{task.name}: ")[2].partition("</details>")[0]
        assert own.count("<svg") == 2
        assert own.count('<table class="matrix">') == 1


@pytest.mark.parametrize("page", ["docs/openml-study.md", "examples/openml_study/README.md"])
def test_the_commands_on_the_pages_give_a_page(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line of the pages is run, against servers on this machine."""
    stay_away_from_home(monkeypatch, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("winodds.adapters.openml.desk.sleep", lambda _: None)
    world = large_world(6, 40, filled=0.4, folds=5)
    made = []
    with serving(Server(world)) as one, serving(Server(as_recall(world))) as other:
        for block in read_blocks(page):
            if block.language == "csv":
                Path(block.file).write_text(block.text, encoding="utf-8")
            for line in block.text.splitlines() if block.language == "sh" else []:
                first, *words = shlex.split(line)
                server = other if "recall" in words else one
                monkeypatch.setattr("openml.config.server", server.url)
                if first == "winodds":
                    assert run([*words, "-q"]) == 0
                else:
                    assert (first, words[0]) == ("python", "examples/openml_study/study.py")
                    assert study.main(words[1:]) == 0
                    made.append(read_page(Path(words[-1]), world))
    assert len(made) == (3 if page.startswith("docs") else 1)
    assert all("EPP against AUC" in found.text for found in made)
    binary = sum(task.classes == 2 for task in world.tasks.values())
    assert f"<b>{binary}</b><span>tasks" in made[0].html


def test_the_page_of_the_example_lists_its_modules() -> None:
    folder = SCRIPT.parent
    listed = re.findall(r"\[([a-z_]+\.(?:py|css))\]", (folder / "README.md").read_text("utf-8"))
    files = {path.name for path in folder.iterdir() if path.suffix in (".py", ".css")}
    assert sorted(listed) == sorted(files)
