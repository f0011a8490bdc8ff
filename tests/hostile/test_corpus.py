"""Tables as tools and papers write them: read as they are meant, asked about, or said."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from winodds.cli.main import run

KEYS = {
    "name",
    "run",
    "file",
    "text",
    "want",
    "says",
    "players",
    "rounds",
    "better",
    "unknowable",
}

CORPUS: list[dict[str, Any]] = [
    table
    for name in ("corpus.toml", "more_tables.toml")
    for table in tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))["table"]
]


def words_of(table: dict[str, Any], file: Path) -> list[str]:
    words = table.get("run", "rate TABLE").split()
    quiet = ["--no-details"] if words[0] == "rate" else []
    return [str(file) if word == "TABLE" else word for word in words] + [*quiet, "--format", "json"]


def compare_board(table: dict[str, Any], board: dict[str, Any]) -> list[str]:
    """What is not as it is wanted."""
    wrong = []
    said = " ".join(note["text"] for note in board["notes"])
    wrong += [
        f"no note says {words!r}: {said}" for words in table.get("says", ()) if words not in said
    ]
    if "players" in table:
        found = [row["player"] for row in board["players"]]
        if found[: len(table["players"])] != table["players"]:
            wrong.append(f"players {found}")
    if "rounds" in table and board["matches"]["rounds"] != table["rounds"]:
        wrong.append(f"{board['matches']['rounds']} rounds")
    if "better" in table and board["scheme"]["better"] != table["better"]:
        wrong.append(f"{board['scheme']['better']} is better")
    return wrong


def judge(table: dict[str, Any], code: int, out: str, err: str) -> tuple[str, list[str]]:
    """Which kind of mistake a command made, if it made one, and what is wrong."""
    if "Traceback" in err or "made a mistake" in err or code not in (0, 1, 2):
        return "raw", [err]
    wanted = table.get("want", "board")
    if code != 0:
        error = err[err.find("Error: ") :]
        if wanted == "board":
            return "refused", [error]
        missing = [
            f"no {words!r}: {error}" for words in table.get("says", ()) if words not in error
        ]
        return ("unclear" if missing else ""), missing
    if wanted == "refused":
        return "silent", [out]
    board = json.loads(out)
    wrong = compare_board(table, board) if "players" in board else []
    return ("silent" if wrong else ""), wrong


@pytest.mark.parametrize("table", CORPUS, ids=lambda table: table["name"])
def test_a_table_is_read_as_it_is_meant_or_asked_about(
    table: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    record_property: Callable[[str, object], None],
) -> None:
    assert set(table) <= KEYS
    file = tmp_path / table.get("file", "table.csv")
    text = table["text"]
    file.write_text(text, encoding="utf-8")
    code = run(words_of(table, file))
    out, err = capsys.readouterr()
    kind, wrong = judge(table, code, out, err)
    record_property("raw" if kind == "raw" else "silent", int(kind in ("raw", "silent")))
    if table.get("unknowable"):
        record_property("unknowable", f"{table['name']}: {table['says'][0]}")
    assert (kind, wrong) == ("", [])
