"""Every output under names that mean harm, on a full disk, through pipes and in other languages."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import polars as pl
import pytest
from show.browser.pages import ATTACKS, hostile_names, make_table

from hostile import children

Record = Callable[[str, object], None]

NAMES = hostile_names(8)
QUICK = ["--no-details"]
RATED = ("table", "json", "csv", "markdown", "latex")

COMMANDS: list[tuple[list[str], tuple[str, ...]]] = [
    (["rate", "TABLE", *QUICK], RATED),
    (["rate", "TABLE", "--pool", *QUICK], RATED),
    (["season", "TABLE"], RATED),
    (["compare", "ONE"], RATED),
    (["compare", "ONE", NAMES[0], NAMES[1]], ("table", "json", "markdown")),
    (["quality", "TABLE", "--pool", "--simulations", "20"], ("table", "json", "csv", "markdown")),
    (["bootstrap", "TABLE", "--pool", "--replicates", "20"], ("table", "json", "csv", "markdown")),
    (["race", "ONE"], ("table", "json", "markdown")),
    (["look", "TABLE"], ("table", "markdown")),
    (["gate", NAMES[0], NAMES[1], "--table", "ONE"], ("table", "json", "markdown")),
    (["sota", "BEST", "--n", "1000", "--classes", "7"], ("table", "json", "markdown")),
    (
        [
            "sota",
            "BEST",
            "--private",
            "OTHER",
            "--n",
            "1000",
            "--private-n",
            "2000",
            "--classes",
            "7",
        ],
        ("table", "json", "markdown"),
    ),
    (["convert", "TABLE"], ("csv", "jsonl")),
]
FILES_READ = {"TABLE": "t.csv", "ONE": "one.csv", "BEST": "best.csv", "OTHER": "other.csv"}
CASES = [[*words, "--format", form] for words, forms in COMMANDS for form in forms]

ENDINGS = {
    "table": "txt",
    "json": "json",
    "csv": "csv",
    "markdown": "md",
    "latex": "tex",
    "jsonl": "jsonl",
}
FILES = [
    *([*words, "-o", f"out.{ENDINGS[form]}"] for words, forms in COMMANDS for form in forms),
    ["convert", "TABLE", "-o", "out.parquet"],
    ["report", "TABLE", *QUICK, "-o", "out.html"],
    *(
        ["plot", "TABLE", "ranking", "--pool", "-o", f"out.{ending}"]
        for ending in ("svg", "png", "pdf", "html", "json", "csv")
    ),
    ["sota", "BEST", "--n", "1000", "--classes", "7", "-o", "out.svg"],
]
"""Commands that write a file: every command, in every format that it has."""


def cases(found: list[list[str]]) -> list[Any]:
    """The commands as parameters; all but the quickest are slow together."""
    quick = ("rate", "look", "convert")
    return [
        pytest.param(
            words,
            id=" ".join(word for word in words if word not in NAMES),
            marks=[] if words[0] in quick and "--pool" not in words else pytest.mark.slow,
        )
        for words in found
    ]


CODES = (0, 1, 2, 3)
"""Done, data, use, and what a gate says when it cannot tell."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int | str
    out: bytes
    err: str

    @property
    def raw(self) -> bool:
        """Whether something came out that is no sentence of ours."""
        return "Traceback" in self.err or "made a mistake" in self.err or self.code not in CODES


class Runner:
    """Runs commands in children of one process, in a folder with the tables."""

    def __init__(self, folder: Path, process: "subprocess.Popen[str]") -> None:
        self.folder = folder
        self._process = process

    def __call__(self, words: list[str], *, limit: int | None = None) -> Ended:
        job = {
            "words": [FILES_READ.get(word, word) for word in words],
            "out": "stdout",
            "limit": limit,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return Ended(answer["code"], (self.folder / "stdout").read_bytes(), answer["err"])


def write_tables(folder: Path) -> None:
    """Scores on two data sets, one of which has a name that means harm, and a contest."""
    table = make_table(8, 6, tournaments=2, seed=1, names=NAMES)
    table = table.with_columns(pl.col("data").replace({"set 0": ATTACKS[9]}))
    table = table.rename({"score": "reward"})
    table.write_csv(folder / "t.csv")
    table.filter(pl.col("data") == "set 1").drop("data").write_csv(folder / "one.csv")
    best = {"player": NAMES, "accuracy": [0.8 + 0.01 * k for k in range(len(NAMES))]}
    pl.DataFrame(best).write_csv(folder / "best.csv")
    other = {**best, "accuracy": [0.8 + 0.01 * (3 * k % 8) for k in range(len(NAMES))]}
    pl.DataFrame(other).write_csv(folder / "other.csv")


@pytest.fixture(scope="module")
def command() -> Iterator[Runner]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder)
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(children.__file__)],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            yield Runner(folder, process)
            assert process.stdin is not None
            process.stdin.close()


# Names --------------------------------------------------------------------------------------------


def names_lost(form: str, out: str) -> list[str]:
    """Names that a program would not find in what was written for programs."""
    if form == "json":
        text = json.dumps(json.loads(out), ensure_ascii=False)
        return [name for name in NAMES if json.dumps(name, ensure_ascii=False)[1:-1] not in text]
    if form in ("csv", "jsonl"):
        lines = out.splitlines()
        if form == "csv":
            found = {cell for row in csv.reader(io.StringIO(out)) for cell in row}
        else:
            found = {str(cell) for line in lines for cell in json.loads(line).values()}
        return [name for name in NAMES if name not in found]
    return []


@pytest.mark.parametrize("words", cases(CASES))
def test_names_that_mean_harm_pass_through_every_output(
    words: list[str], command: Runner, record_property: Record
) -> None:
    ended, form = command(words), words[-1]
    record_property("tried", len(NAMES))
    record_property("raw", int(ended.raw))
    record_property("hangs", int(ended.code == children.HUNG))
    assert not ended.raw, ended.err
    assert ended.code != 2, ended.err
    out = ended.out.decode()
    assert not any(ord(character) < 32 and character not in "\n\t" for character in out)
    everyone = words[0] not in ("compare", "gate", "look", "quality", "sota") and form in (
        "csv",
        "jsonl",
    )
    lost = names_lost(form, out) if everyone or (form == "json" and words[0] == "rate") else []
    record_property("silent", len(lost))
    assert lost == []


@pytest.mark.parametrize("form", ["table", "markdown", "json"])
@pytest.mark.parametrize("more", [[], ["--private", "odd2.csv", "--private-n", "2000"]])
def test_names_of_a_contest_that_command_a_terminal_are_shown(
    more: list[str], form: str, command: Runner, record_property: Record
) -> None:
    """Contests are as others made them, so their names are not refused."""
    names = ["t\x1b[31m0", "t\u202e1", "t\u200b2", *(f"t{k}" for k in range(3, 9))]
    for file, step in (("odd.csv", 1), ("odd2.csv", 4)):
        own = names if step == 1 else [*names[1:], "new\x1b]0;title\x07"]
        rows = [f"{name},{0.9 - 0.01 * (step * k % 9):.2f}" for k, name in enumerate(own)]
        text = "\n".join(["player,accuracy", *rows, ""])
        (command.folder / file).write_text(text, encoding="utf-8")
    words = ["sota", "odd.csv", "--n", "1000", "--classes", "7", *more, "--format", form]
    ended = command(words)
    record_property("raw", int(ended.raw))
    assert ended.code == 0, ended.err
    shown = ended.out.decode() + ended.err
    # JSON keeps names as they are, and writes control characters in its own way.
    harm = "\x1b\x07" if form == "json" else "\x1b\x07\u202e\u200b"
    assert not set(harm) & set(shown)


# Disks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", cases(FILES))
def test_a_full_disk_leaves_the_old_file_and_says_so(
    words: list[str], command: Runner, record_property: Record
) -> None:
    out = command.folder / words[-1]
    out.write_text("old")
    ended = command(words, limit=200)
    left = [path.name for path in command.folder.glob(".winodds-*")]
    torn = out.read_text(encoding="utf-8", errors="replace") != "old" or bool(left)
    record_property("torn", int(torn))
    record_property("raw", int(ended.raw))
    record_property("silent", int(ended.code == 0))
    assert not torn
    assert ended.code == 1, ended.err
    assert ended.err.endswith(f"Error: '{words[-1]}' could not be written: file too large.\n")


@pytest.mark.parametrize("words", cases(CASES))
def test_standard_output_that_takes_a_part_is_told(
    words: list[str], command: Runner, record_property: Record
) -> None:
    ended = command(words, limit=100)
    record_property("raw", int(ended.raw))
    record_property("silent", int(ended.code == 0))
    assert ended.code == 1, ended.err
    assert ended.err.endswith("Error: The output could not be written: file too large.\n")


# Pipes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", cases([words for words, _ in COMMANDS]))
def test_a_pipe_says_what_its_file_says_and_nobody_waits(
    words: list[str], command: Runner, record_property: Record
) -> None:
    read = next(word for word in words if word in FILES_READ)
    plain = command(words)
    pipe = command.folder / "pipe"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    content = (command.folder / FILES_READ[read]).read_bytes()
    writer = Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    ended = command(["pipe" if word == read else word for word in words])
    record_property("hangs", int(ended.code == children.HUNG))
    record_property("raw", int(ended.raw))
    assert ended.code == plain.code, ended.err
    assert ended.out.replace(b"pipe", FILES_READ[read].encode()) == plain.out
    writer.join(5.0)
    assert not writer.is_alive()


# Languages ----------------------------------------------------------------------------------------

SURROUNDINGS = [
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
    {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "ar_EG.UTF-8"},
    {"LANG": "no such locale", "LC_NUMERIC": "de_DE.UTF-8"},
    {"PYTHONIOENCODING": "ascii:strict"},
    {"PYTHONIOENCODING": "utf-16"},
    {"PYTHONOPTIMIZE": "2", "PYTHONHASHSEED": "7"},
    {"TZ": "Pacific/Kiritimati", "TERM": "dumb", "NO_COLOR": "1"},
]


@pytest.mark.parametrize(
    "surroundings",
    [
        pytest.param(one, marks=pytest.mark.slow if k > 1 else [])
        for k, one in enumerate(SURROUNDINGS)
    ],
    ids=lambda one: " ".join(f"{name}={value}" for name, value in one.items()),
)
def test_every_language_of_the_system_prints_the_same(
    surroundings: dict[str, str], command: Runner, record_property: Record
) -> None:
    names = ["İstanbul", "naïve Bayes", "XGBооst", "模型"]
    rows = [
        f"{name},{fold},0.{5 + (k + fold) % 4}" for fold in range(6) for k, name in enumerate(names)
    ]
    file = command.folder / "names.csv"
    file.write_text("\n".join(["model,fold,auc", *rows, ""]), encoding="utf-8")
    words = [sys.executable, "-m", "winodds", "rate", "names.csv", "--no-details", "--quiet"]
    done = subprocess.run(
        words,
        cwd=command.folder,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **surroundings},
    )
    plain = command(words[3:])
    record_property("raw", int(b"Traceback" in done.stderr or b"made a mistake" in done.stderr))
    record_property("silent", int(done.stdout != plain.out))
    assert done.stdout == plain.out
    assert (done.returncode, done.stderr) == (0, plain.err.encode())
