"""The log of fits: what is in it survives cuts, full disks and other runs."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from winodds.tournament import store as module
from winodds.tournament.errors import NotALog, NotSaved, RunInProgress
from winodds.tournament.outcome import Finished, Outcome, without_scores
from winodds.tournament.store import open_store

ENDED = [
    Outcome("ok", {"auc": 0.1 + 0.2, "log_loss": 1e-300}, {}, 0.25, 0.5, "UserWarning: é\n", "a 1"),
    Outcome("failed", {"auc": None, "log_loss": 2.0}, {"auc": "it is NaN"}, 1.0, 2.0, None, "b 2"),
    without_scores("timeout", ("auc",), "it took longer than 5 s", limit=5.0),
    Outcome("ok", {"auc": 0.0}, versions="a 1"),
]


def fits(number: int, *, first: int = 0) -> list[Finished]:
    return [
        Finished(f"key{k}", f"player {k}", "wine", "split 1", k, ENDED[k % len(ENDED)])
        for k in range(first, first + number)
    ]


def save(folder: Path, done: list[Finished]) -> None:
    with open_store(folder) as store:
        for fit in done:
            store.add(fit)
        store.commit()


def load(folder: Path) -> list[Finished]:
    with open_store(folder) as store:
        return list(store.finished.values())


def test_what_was_committed_is_there_when_the_log_is_opened_again(tmp_path: Path) -> None:
    save(tmp_path / "new" / "results", fits(9))
    assert load(tmp_path / "new" / "results") == fits(9)


def test_a_fit_is_finished_only_once_it_is_committed(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        store.add(fits(1)[0])
        assert store.finished == {}
    assert load(tmp_path) == []


def test_a_log_that_is_cut_at_any_byte_of_its_last_record_keeps_all_others(tmp_path: Path) -> None:
    save(tmp_path, fits(4))
    path = tmp_path / "fits.log"
    whole = path.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for length in range(start, len(whole)):
        path.write_bytes(whole[:length])
        assert load(tmp_path) == fits(3), length
        save(tmp_path, fits(1, first=3))
        assert path.read_bytes() == whole


def test_a_log_whose_first_line_was_cut_is_begun_anew(tmp_path: Path) -> None:
    save(tmp_path, [])
    path = tmp_path / "fits.log"
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert load(tmp_path) == []
        assert path.read_bytes() == whole


def test_a_damaged_line_costs_its_own_fit_only_and_is_counted(tmp_path: Path) -> None:
    save(tmp_path, fits(5))
    path = tmp_path / "fits.log"
    lines = path.read_bytes().split(b"\n")
    place = next(k for k, line in enumerate(lines) if b'"key2"' in line)
    lines[place] = lines[place].replace(b"wine", b"vine")
    path.write_bytes(b"\n".join(lines))
    with open_store(tmp_path) as store:
        assert store.unreadable == 1
        assert list(store.finished.values()) == [*fits(2), *fits(2, first=3)]


def test_versions_whose_line_is_lost_are_unknown_and_never_those_of_others(tmp_path: Path) -> None:
    save(tmp_path, fits(2))
    path = tmp_path / "fits.log"
    lines = [line for line in path.read_bytes().split(b"\n") if b'"are":"a 1"' not in line]
    path.write_bytes(b"\n".join(lines))
    other = Finished("x", "p", "t", "r", 0, Outcome("ok", {"auc": 0.5}, versions="c 3"))
    save(tmp_path, [other])
    found = {fit.fit: fit.outcome.versions for fit in load(tmp_path)}
    assert found == {"key0": None, "key1": "b 2", "x": "c 3"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"model,auc\nA,1\n", "its first line is not that of one"),
        (module._line({"log": "winodds fits", "version": 99}), "another version of Winodds wrote"),
    ],
)
def test_another_file_in_the_place_of_the_log_is_left_alone(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "fits.log").write_bytes(content)
    with pytest.raises(NotALog, match=reason):
        load(tmp_path)
    assert (tmp_path / "fits.log").read_bytes() == content


def test_a_group_is_due_when_it_is_large_or_has_waited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with open_store(tmp_path) as store:
        assert not store.due
        for fit in fits(199):
            store.add(fit)
        assert not store.due
        now[0] = 100.49
        assert not store.due
        now[0] = 100.5
        assert store.due
        now[0] = 100.0
        store.add(fits(1, first=199)[0])
        assert store.due
        store.commit()
        assert not store.due


def test_nothing_counts_before_the_disk_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    sync, write = os.fsync, os.write

    def tell_sync(file: int) -> None:
        order.append("sync")
        sync(file)

    def tell_write(file: int, content: bytes) -> int:
        order.append("write")
        return write(file, content[:7])

    with open_store(tmp_path) as store:
        monkeypatch.setattr(os, "fsync", tell_sync)
        monkeypatch.setattr(os, "write", tell_write)
        store.add(fits(1)[0])
        store.commit()
        assert order.pop() == "sync"
        assert set(order) == {"write"}
        assert len(order) > 1
    monkeypatch.undo()
    assert load(tmp_path) == fits(1)


def test_a_write_that_fails_half_way_leaves_the_log_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path, fits(2))
    whole = (tmp_path / "fits.log").read_bytes()
    write = os.write

    def fill_up(file: int, content: bytes) -> int:
        if len(content) < 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, content[:10])

    with open_store(tmp_path) as store:
        store.add(fits(1, first=2)[0])
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", fill_up)
            with pytest.raises(NotSaved, match=r"no space left on device. 2 fits are saved; once"):
                store.commit()
        assert (tmp_path / "fits.log").read_bytes() == whole
        store.commit()
    assert load(tmp_path) == fits(3)


def test_a_folder_that_cannot_be_made_is_called_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotSaved, match=r"file/results' could not be written: not a directory"):
        load(tmp_path / "file" / "results")


HOLD = """
import sys, time
from pathlib import Path
from winodds.tournament.store import open_store
with open_store(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process with the folder in its hands."""
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_two_runs_exclude_each_other_and_a_kill_frees_the_folder(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    since = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d"
    with pytest.raises(RunInProgress, match=rf"process {holder.pid} on \S+, since {since}\. Wait"):
        load(tmp_path)
    holder.kill()
    holder.wait()
    assert load(tmp_path) == []


def test_two_stores_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    with (
        open_store(tmp_path),
        pytest.raises(RunInProgress, match=f"process {os.getpid()} on "),
        open_store(tmp_path),
    ):
        pass


def test_a_disk_without_locks_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("winodds.tournament.lock._lock", refuse)
    with pytest.raises(NotSaved, match="could not be written: no locks available"):
        load(tmp_path)


def test_a_lock_that_has_just_been_taken_names_nobody(tmp_path: Path) -> None:
    with open_store(tmp_path):
        (tmp_path / "run.lock").write_bytes(b"")
        with pytest.raises(RunInProgress, match="a process that has just begun"):
            load(tmp_path)
