"""The log of a run is a stranger, too: lines that are not sound do not count, and nothing leaks."""

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from hostile.mutants import change
from winodds import WinoddsError, run
from winodds.cli.run import describe_plan
from winodds.tournament.benchmark import Benchmark
from winodds.tournament.door import make_benchmark
from winodds.tournament.output import make_table, tell_failures
from winodds.tournament.run import open_run
from winodds.tournament.spec import Limits

Record = Callable[[str, object], None]

RNG = np.random.default_rng(0)
CASES = {"d": (RNG.normal(size=(40, 3)), (RNG.random(40) < 0.5).astype(int))}
MODELS = {"a": DummyClassifier(), "b": GaussianNB()}


def benchmark(*metrics: str) -> Benchmark:
    return make_benchmark(MODELS, CASES, 3, list(metrics), 0, Limits(None, None))


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of a genuine log, without their checksums."""
    folder = tmp_path_factory.mktemp("run")
    run(MODELS, CASES, cv=3, scoring=["accuracy"], output=folder, n_jobs=1)
    return [line.partition(b" ")[2] for line in (folder / "fits.log").read_bytes().splitlines()]


def write_log(folder: Path, lines: list[bytes]) -> None:
    text = b"".join(b"%08x %b\n" % (crc32(line), line) for line in lines)
    (folder / "fits.log").write_bytes(text)


def open_log(folder: Path, *metrics: str) -> tuple[int, int]:
    """How many fits the log has, and how many of its lines cannot be read."""
    with open_run(benchmark(*metrics), folder) as opened:
        table = make_table(opened.benchmark, opened.finished)
        assert describe_plan(opened, narrowed=False)
        assert isinstance(tell_failures(table), list)
        assert table["score"].drop_nulls().is_finite().all()
        return table.height, opened.store.unreadable


def test_a_log_as_it_was_written_is_read(records: list[bytes], tmp_path: Path) -> None:
    write_log(tmp_path, records)
    assert open_log(tmp_path, "accuracy") == (6, 0)


def test_a_fit_without_a_new_metric_is_not_finished(records: list[bytes], tmp_path: Path) -> None:
    """As when a run that was asked for one more metric is stopped."""
    write_log(tmp_path, records)
    assert open_log(tmp_path, "accuracy", "roc_auc") == (0, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seed":', '"seed":1e999,"x":'),
        ('"seed":', f'"seed":{2**70},"x":'),
        ('"accuracy":', '"accuracy":NaN,"x":'),
        ('"accuracy":', '"accuracy":"1","x":'),
        ('"accuracy":', f'"accuracy":{10**400},"x":'),
        ('"status":"ok"', '"status":"fine"'),
        ('"split 1"', '"split\\u001b[31m 1"'),
        ('"split 1"', '["split 1"]'),
        ('"of":', '"of":[],"x":'),
        ('"scores":', '"scores":[],"x":'),
        ('"fit":"', '"fit":1,"x":"'),
    ],
)
def test_a_line_with_a_sound_checksum_and_unsound_contents_does_not_count(
    records: list[bytes], tmp_path: Path, old: str, new: str
) -> None:
    (place,) = [k for k, it in enumerate(records) if b'["a","d","split 1"]' in it]
    changed = records[place].replace(old.encode(), new.encode())
    assert changed != records[place]
    write_log(tmp_path, [*records[:place], changed, *records[place + 1 :]])
    assert open_log(tmp_path, "accuracy") == (5, 1)


@pytest.mark.parametrize("name", ["fits.log", "run.lock"])
def test_a_pipe_in_place_of_a_log_or_lock_is_refused_and_nobody_waits(
    tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(WinoddsError, match="is no file"):
        open_log(tmp_path, "accuracy")


def try_logs(records: list[bytes], folder: Path, seeds: range) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        lines = [json.loads(line) for line in records]
        change(rng.choice(lines), rng)
        write_log(folder, [json.dumps(line).encode() for line in lines])
        try:
            fits, unreadable = open_log(folder, "accuracy")
            found["damaged" if unreadable or fits < 6 else "worked"] += 1
        except WinoddsError:
            found["refused"] += 1
        except Exception as error:
            raise AssertionError(f"log {seed} leaks") from error
    return found


def test_a_changed_log_is_refused_or_works(
    records: list[bytes], tmp_path: Path, record_property: Record
) -> None:
    found = try_logs(records, tmp_path, range(60))
    record_property("tried", found.total())
    assert min(found[kind] for kind in ("worked", "damaged", "refused")) > 0, found


@pytest.mark.slow
def test_a_thousand_changed_logs_are_refused_or_work(
    records: list[bytes], tmp_path: Path, record_property: Record
) -> None:
    found = try_logs(records, tmp_path, range(1_000, 2_000))
    record_property("tried", found.total())
    assert min(found[kind] for kind in ("worked", "damaged", "refused")) > 20, found
