"""Everything the documentation shows is run here."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import winodds

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ["README.md", "docs/method.md"]


def _blocks(page: str) -> list[tuple[str, str]]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(match[1], match[2]) for match in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", PAGES)
def test_python_examples_run_and_print_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    blocks = _blocks(page)
    for position, (language, code) in enumerate(blocks):
        if language != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"{page}, block {position + 1}", "exec"), namespace)
        following = blocks[position + 1] if position + 1 < len(blocks) else ("", "")
        if following[0] == "text":
            assert printed.getvalue() == following[1]


def test_readme_begins_with_what_people_need() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    places = [text.index(part) for part in ("docs/leaderboard.svg", "make demo", "```python")]
    assert places == sorted(places)
    assert sum(language == "python" for language, _ in _blocks("README.md")) >= 1


def test_readme_explains_every_column_in_the_words_of_the_code() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for column, help_text in winodds.COLUMNS.items():
        assert f"| `{column}` | {help_text} |" in text


def test_commands_of_the_pages_are_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\bmake ([a-z-]+)\b", text):
            assert target in targets, f"{page} names make {target}"


def test_architecture_names_every_module() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    source = Path(winodds.__file__).parent
    for path in source.rglob("*.py"):
        name = path.relative_to(source).with_suffix("").as_posix()
        if path.name not in ("__init__.py", "__main__.py", "_version.py"):
            assert f"`{name}`" in text, f"docs/architecture.md does not name {name}"


def test_picture_of_the_readme_shows_the_built_in_results(tmp_path: Path) -> None:
    output = tmp_path / "leaderboard.svg"
    script = str(ROOT / "tools" / "make_picture.py")
    subprocess.run([sys.executable, script, str(output)], check=True, cwd=tmp_path)
    words = re.compile(r"<text[^>]*>([^<]*)</text>")
    drawn = words.findall(output.read_text(encoding="utf-8"))
    kept = words.findall((ROOT / "docs" / "leaderboard.svg").read_text(encoding="utf-8"))
    assert drawn == kept
    assert "logistic_regression(default)" in kept
