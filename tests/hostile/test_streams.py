"""Pipes, full disks, killed writes and packed bombs: read once, and written whole."""

import gzip
import hashlib
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tables import sentence

from winodds import read_results
from winodds.cli import demo
from winodds.errors import NotWritten, TooLarge, Unreadable
from winodds.language.options import LIMIT
from winodds.read.loading import fingerprint_of, limit_in_bytes, load_content, read_once
from winodds.writing import FRESH, write_whole

CSV = "model,fold,auc\n" + "".join(
    f"m{k},{fold},0.{5 + (3 * k + fold) % 4}{k}\n" for k in range(4) for fold in range(6)
)
PATIENCE = 240.0
"""Seconds after which a command hangs, however busy the machine is."""

Record = Callable[[str, object], None]


def run(
    words: list[str], folder: Path, *, limit: int | None = None, **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own, which may write so many bytes into a file."""

    def prepare() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    environment = {**os.environ, **more.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-m", "winodds", *words],
        cwd=folder,
        preexec_fn=prepare,
        restore_signals=False,
        timeout=PATIENCE,
        env=environment,
        check=False,
        stderr=subprocess.PIPE,
        **more,
    )


@contextmanager
def pipe(folder: Path, content: str) -> Iterator[Path]:
    """A named pipe into which the content is written once."""
    path = folder / "pipe"
    os.mkfifo(path)
    writer = Thread(target=path.write_text, args=(content,), daemon=True)
    writer.start()
    yield path
    writer.join(PATIENCE)
    assert not writer.is_alive()


# Input --------------------------------------------------------------------------------------------


def test_a_pipe_is_read_once_and_its_page_tells_what_was_rated(tmp_path: Path) -> None:
    with pipe(tmp_path, CSV) as path:
        done = run(["report", path.name, "-o", "page.html"], tmp_path)
    assert done.returncode == 0, done.stderr
    digest = hashlib.sha256(CSV.encode()).hexdigest()
    assert digest in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_gate_reads_a_pipe_once(tmp_path: Path) -> None:
    with pipe(tmp_path, CSV) as path:
        done = run(["gate", "m0", "m1", "--table", path.name], tmp_path, stdout=subprocess.PIPE)
    assert b"m1 beats m0" in done.stdout, done.stderr


def test_the_fingerprint_is_that_of_the_bytes_that_were_rated(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(CSV)
    with read_once():
        load_content(str(file))
        file.write_text("another table")
        found = fingerprint_of(str(file))
    assert found is not None
    assert found.size == len(CSV)
    assert found.sha256 == hashlib.sha256(CSV.encode()).hexdigest()


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(CSV)
    sheet = read_results(file)
    sheet.text("model")
    file.write_text(CSV.replace("m0", "m9"))
    assert sheet._again is not None
    assert sentence(Unreadable, sheet._again) == (
        f"'{file}' cannot be read: it was changed while it was read."
    )


def test_standard_input_is_never_overwritten_while_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(CSV)
    with file.open("rb") as stream:
        done = run(["rate", "-", "-o", "t.csv"], tmp_path, stdin=stream)
    assert done.returncode == 2
    assert b"it is the file that is read, and would be overwritten" in done.stderr
    assert file.read_text() == CSV


@pytest.mark.parametrize("packed", [False, True])
def test_more_than_the_limit_is_not_read(tmp_path: Path, packed: bool) -> None:
    file = tmp_path / "t.csv"
    content = b"a" * 2_000_000
    file.write_bytes(gzip.compress(content) if packed else content)
    said = sentence(TooLarge, lambda: read_results(file, limit=0.001))
    what = "unpacks to" if packed else "has"
    assert said == (
        f"'{file}' {what} more than 0.001 GB, and no more is read. Say how many gigabytes may be "
        f"with limit=."
    )


def test_a_device_without_an_end_is_refused() -> None:
    assert "'/dev/zero' has more than 0.01 GB" in sentence(
        TooLarge, lambda: read_results("/dev/zero", limit=0.01)
    )


def test_the_usual_limit_is_at_most_half_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}.__getitem__)
    assert limit_in_bytes(LIMIT) == 2_048_000
    assert limit_in_bytes(3.0) == 3_000_000_000


# Standard output ----------------------------------------------------------------------------------


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("form", ["json", "table", "csv"])
def test_a_disk_that_takes_a_part_of_the_output_is_told(
    tmp_path: Path, unbuffered: str, form: str
) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    with (tmp_path / "out").open("wb") as out:
        words = ["rate", "t.csv", "--quiet", "--format", form]
        done = run(words, tmp_path, limit=300, stdout=out, env={"PYTHONUNBUFFERED": unbuffered})
    assert done.returncode == 1
    assert done.stderr == b"Error: The output could not be written: file too large.\n"


# Files --------------------------------------------------------------------------------------------


def test_a_new_name_stands_for_bytes_that_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    did: list[str] = []
    replace, fsync = Path.replace, os.fsync

    def watch_fsync(descriptor: int) -> None:
        did.append("fsync")
        fsync(descriptor)

    def watch_replace(own: Path, other: Path) -> Path:
        did.append("replace")
        return replace(own, other)

    monkeypatch.setattr(os, "fsync", watch_fsync)
    monkeypatch.setattr(Path, "replace", watch_replace)
    write_whole(tmp_path / "out", "text")
    assert did == ["fsync", "replace", "fsync"]


def test_leftovers_of_killed_writes_are_removed_and_those_of_living_ones_stay(
    tmp_path: Path,
) -> None:
    fcntl = pytest.importorskip("fcntl")
    dead, young, alive, other = (
        tmp_path / name
        for name in (".winodds-a.part", ".winodds-b.part", ".winodds-c.part", "mine.part")
    )
    for path in (dead, young, alive, other):
        path.write_text("half")
    for path in (dead, alive, other):
        os.utime(path, (time.time() - 2 * FRESH,) * 2)
    os.mkfifo(tmp_path / ".winodds-d.part")
    with alive.open("rb") as held:
        fcntl.flock(held.fileno(), fcntl.LOCK_EX)
        write_whole(tmp_path / "out", "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".winodds-b.part",
        ".winodds-c.part",
        ".winodds-d.part",
        "mine.part",
        "out",
    ]


KILLED = """
import os, sys
from pathlib import Path
from winodds.writing import write_bytes_whole
print("ready", flush=True)
for k in range(10**6):
    write_bytes_whole(Path(sys.argv[1]), bytes([48 + k % 10]) * 3_000_000)
"""


def kill_writes(folder: Path, times: int) -> int:
    """Kill a writer so often, each time a bit later; how many files were torn."""
    torn, out = 0, folder / "out"
    out.write_bytes(b"0" * 3_000_000)
    for k in range(times):
        writer = subprocess.Popen([sys.executable, "-c", KILLED, str(out)], stdout=subprocess.PIPE)
        with writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.0007 * (k % 40))
            writer.kill()
        content = out.read_bytes()
        torn += len(content) != 3_000_000 or len(set(content)) != 1
    return torn


def test_a_killed_write_tears_no_file(tmp_path: Path, record_property: Record) -> None:
    torn = kill_writes(tmp_path, 5)
    record_property("tried", 5)
    record_property("torn", torn)
    assert torn == 0


@pytest.mark.slow
def test_hundreds_of_killed_writes_tear_no_file_and_leave_nothing(
    tmp_path: Path, record_property: Record
) -> None:
    torn = kill_writes(tmp_path, 220)
    record_property("tried", 220)
    record_property("torn", torn)
    assert torn == 0
    parts = list(tmp_path.glob(".winodds-*.part"))
    print(f"{len(parts)} leftovers of 220 killed writes")
    for part in parts:
        os.utime(part, (time.time() - 2 * FRESH,) * 2)
    write_whole(tmp_path / "out", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


# The demonstration --------------------------------------------------------------------------------

MADE = ("results.csv", "leaderboards.json", "leaderboards.csv", "leaderboards.md", "report.html")


@pytest.mark.parametrize("name", MADE)
def test_the_demonstration_overwrites_no_file_that_it_did_not_make(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes long is left out: the season itself is that of another test."""
    page: Callable[..., str] = lambda *_: "page"  # noqa: E731
    monkeypatch.setattr(demo, "_make_report", page)
    monkeypatch.setattr(demo, "show", lambda _: None)
    monkeypatch.setattr(demo, "render", lambda *_, **more: more["format"])
    (tmp_path / name).write_text("mine")
    said = sentence(NotWritten, lambda: demo.run_demo(tmp_path))
    assert re.search("it is there already, and yours; choose another folder", said)
    assert (tmp_path / name).read_text() == "mine"
