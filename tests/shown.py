"""What the documentation shows: its fenced blocks, and what they print when they are run.

A ``csv`` or ``toml`` block with a file's name after the language is written into an empty folder.
Python blocks and the ``winodds`` lines of ``sh`` blocks are run there, in order. A ``text`` block
right after one of these is what it prints, or the error that ends it. Pages about sources find all
samples in their folder, the page of the study its table, that of the AutoML benchmark its results.
"""

import contextlib
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from openml_server import Server, serving, small_world

from winodds.cli.gate import CANNOT_TELL, WORSE
from winodds.cli.main import run

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    "README.md",
    "docs/method.md",
    "docs/season.md",
    "docs/data.md",
    "docs/slices.md",
    "docs/gate.md",
    "docs/tuning.md",
    "docs/run.md",
    "docs/study.md",
    "docs/sota.md",
    "docs/architecture.md",
]
SOURCE_PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "sources").glob("*.md")
)
SAMPLES = ROOT / "tests" / "samples"
FETCHING_PAGE = "docs/sources/openml.md"
AMLB_PAGE = "docs/amlb.md"
AMLB_RESULTS = ROOT.parent / "shared" / "data" / "amlb_2019_1h.csv"
"""Published results, from which the page of the AutoML benchmark is computed where they are."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, the file's name beside it, what it holds, and where."""

    language: str
    file: str
    text: str
    start: int = 0
    stop: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A block that was run, what it printed, and the ``text`` block that says so, if one does."""

    block: Block
    printed: str
    said: Block | None


def read_page(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def read_blocks(page: str) -> list[Block]:
    found = BLOCK.finditer(read_page(page))
    return [Block(it[1], it[2] or "", it[3], it.start(3), it.end(3)) for it in found]


def run_page(page: str, folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Shown]:
    """Every block of a page that is run, one after the other, in an empty folder."""
    with _prepared(page, folder, patch):
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        namespace: dict[str, object] = {}
        for block, following in pairwise([*read_blocks(page), Block("", "", "")]):
            printed = run_block(block, namespace)
            if printed is not None:
                yield Shown(block, printed, following if following.language == "text" else None)


@contextlib.contextmanager
def _prepared(page: str, folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    if page == "docs/study.md":
        shutil.copytree(ROOT / "examples" / "study", folder, dirs_exist_ok=True)
    if page == AMLB_PAGE:
        shutil.copy(AMLB_RESULTS, folder)
    if page in SOURCE_PAGES:
        shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    if page != FETCHING_PAGE:
        yield
        return
    # OpenML's client is set to a small server on this machine, which nobody has to spare.
    for name in ("OPENML_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        patch.setenv(name, str(folder / "home"))
    patch.setenv("no_proxy", "*")
    patch.setattr("winodds.adapters.openml.desk.sleep", lambda _: None)
    with serving(Server(small_world())) as server:
        patch.setattr("openml.config.server", server.url)
        yield


def run_block(block: Block, namespace: dict[str, object]) -> str | None:
    """What a block prints, or the error that ends it; None if it is not run."""
    if block.language in ("csv", "toml") and block.file:
        Path(block.file).write_text(block.text, encoding="utf-8")
    if block.language == "python":
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, "example", "exec"), namespace)
        return printed.getvalue()
    lines = block.text.splitlines() if block.language == "sh" else []
    commands = [line for line in lines if line.startswith("winodds ")]
    return [run_command(line) for line in commands][-1] if commands else None


def run_command(line: str) -> str:
    """Standard output of a command, verdicts included, or the error that ends it."""
    printed, complaint = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaint):
        code = run(shlex.split(line, comments=True)[1:])
    told = code in (0, CANNOT_TELL, WORSE)
    _, mark, error = complaint.getvalue().rpartition("Error: ")
    return printed.getvalue() if told else mark + error


def rewrite(page: str, shown: list[Shown]) -> str:
    """The page with each ``text`` block replaced by what was printed now."""
    text = read_page(page)
    for it in reversed(shown):
        if it.said is not None:
            text = text[: it.said.start] + it.printed + text[it.said.stop :]
    return text
