"""``winodds run``: from a spec to a board in two commands."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from winodds.cli.main import run
from winodds.tournament.lock import FolderLock

SPEC = """\
metrics = ["accuracy"]
[splits]
kind = "stratified"
folds = 3
[data.wine]
sklearn = "wine"
[data.iris]
sklearn = "iris"
[algorithms.bayes]
estimator = "sklearn.naive_bayes.GaussianNB"
[algorithms.knn]
estimator = "sklearn.neighbors.KNeighborsClassifier"
grid = { n_neighbors = [1, 5] }
"""
STUDY = Path(__file__).resolve().parents[2] / "examples" / "study"


@pytest.fixture
def spec(folder: Path) -> str:
    (folder / "spec.toml").write_text(SPEC)
    return "spec.toml"


def test_a_run_says_what_it_does_and_its_folder_can_be_rated(
    spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", spec, "--only", "wine", "--jobs", "1", "--csv"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-2:] == [
        "9 fits: 3 players of 2 algorithms, 1 data set with 3 splits.",
        "Written to results. Next: winodds rate results",
    ]
    table = pl.read_parquet(folder / "results" / "scores.parquet")
    assert table.columns[:5] == ["player", "tournament", "round", "score", "metric"]
    assert pl.read_csv(folder / "results" / "scores.csv").height == table.height == 9
    described = json.loads((folder / "results" / "benchmark.json").read_text())
    assert described["player"]["families"]["bayes"] == ["bayes"]
    assert described["tournament"]["data"]["wine"]["rows"] == 178
    assert run(["rate", "results", "--format", "csv", "--no-details"]) == 0
    assert "knn(n_neighbors=1)" in capsys.readouterr().out


def test_a_plan_is_told_and_not_done(
    spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", spec, "-o", "new", "--plan"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "18 fits: 3 players of 2 algorithms, 2 data sets with 6 splits."
    assert not (folder / "new").exists()


def test_a_plan_waits_for_no_run_and_changes_nothing(
    spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = folder / "results"
    assert run(["run", spec, "--only", "bayes", "--jobs", "1"]) == 0
    with (results / "fits.log").open("ab") as log:
        log.write(b"half a line")
    before = {path: path.read_bytes() for path in results.iterdir()}
    with FolderLock(results):
        before[results / "run.lock"] = (results / "run.lock").read_bytes()
        capsys.readouterr()
        assert run(["run", spec, "--plan"]) == 0
        assert capsys.readouterr().err.splitlines()[-1] == "6 of these are finished already."
        assert {path: path.read_bytes() for path in results.iterdir()} == before
    (results / "fits.log").write_text("my notes\n")
    assert run(["run", spec, "--plan"]) == 1
    assert "'results/fits.log' is no log of fits" in capsys.readouterr().err


def test_a_part_of_the_spec_says_that_the_table_is_of_it_alone(
    spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", spec, "--only", "bayes", "--jobs", "1"]) == 0
    capsys.readouterr()
    assert run(["run", spec, "--only", "bayes", "--only", "iris", "--jobs", "1"]) == 0
    assert capsys.readouterr().err.splitlines()[-3:] == [
        "3 of these are finished already.",
        "3 finished fits of the log are of no use for this part; the table is without, and they "
        "are kept for a run of the whole spec.",
        "Written to results. Next: winodds rate results",
    ]
    assert pl.read_parquet(folder / "results" / "scores.parquet").height == 3


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        ('["accuracy"]', "Next: winodds rate 'my results'"),
        ('["accuracy", "f1_macro"]', "Next: winodds rate 'my results' --metric accuracy"),
    ],
)
def test_what_is_said_to_be_next_works(
    metrics: str, said: str, spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / spec).write_text(SPEC.replace('["accuracy"]', metrics))
    assert run(["run", spec, "--only", "iris", "-o", "my results", "--jobs", "1"]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"Written to my results. {said}"
    assert run([*shlex.split(said)[2:], "--no-details"]) == 0


def test_a_run_without_any_score_says_so(
    spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / spec).write_text(SPEC.replace("[1, 5]", "[500, 600]"))
    assert run(["run", spec, "--only", "iris", "--only", "knn", "--jobs", "1"]) == 0
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "Written to results. No fit has a score, so there is nothing to rate."


def test_a_changed_spec_says_what_no_longer_belongs(
    spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = ["run", spec, "--only", "bayes", "--jobs", "1"]
    assert run(quick) == 0
    capsys.readouterr()
    (folder / spec).write_text(SPEC.replace("[algorithms.bayes]", "[algorithms.naive]"))
    assert run(["run", spec, "--plan"]) == 0
    said = capsys.readouterr().err.splitlines()
    # The same estimator under another name is the same fit.
    assert said[-1] == "6 of these are finished already."
    (folder / spec).write_text(SPEC.replace("GaussianNB", "BernoulliNB"))
    assert run(["run", spec, "--plan"]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == (
        "6 finished fits no longer belong to the spec, of 'bayes on wine', 'bayes on iris'; the "
        "table is without. Where names stay, data, splits, hyperparameters, the seed or code are "
        "other ones."
    )


def test_fits_of_changed_code_are_new_and_the_old_ones_are_named(folder: Path) -> None:
    code = "from sklearn.dummy import DummyClassifier\nclass Own(DummyClassifier): pass\n"
    module = folder / "changing_model.py"
    module.write_text(code)
    (folder / "spec.toml").write_text(f'{SPEC}[algorithms.own]\nestimator = "changing_model.Own"\n')
    command = [sys.executable, "-m", "winodds", "run", "spec.toml"]
    subprocess.run([*command, "--only", "own", "--jobs", "1"], check=True, cwd=folder)
    for text, said in (
        (code.replace("pass", "pass  # nothing"), "6 of these are finished already."),
        (
            code.replace("pass", "own = 1"),
            "6 finished fits no longer belong to the spec, of 'own on wine', 'own on iris'; the "
            "table is without. Where names stay, data, splits, hyperparameters, the seed or code "
            "are other ones.",
        ),
    ):
        module.write_text(text)
        plan = subprocess.run([*command, "--plan"], check=True, cwd=folder, capture_output=True)
        assert plan.stderr.decode().splitlines()[-1] == said


def test_failures_are_counted_with_their_commonest_reason(
    spec: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SPEC.replace("[1, 5]", "[1, 500]")
    (folder / spec).write_text(text)
    assert run(["run", spec, "--only", "iris", "--only", "knn", "--jobs", "1"]) == 0
    failed = next(line for line in capsys.readouterr().err.splitlines() if line.startswith("* "))
    assert failed.startswith("* 3 scores missing (failed); 3 times: ")


SLOW = """\
import atexit, time
from sklearn.dummy import DummyClassifier
atexit.register(time.sleep, 60)
class Slow(DummyClassifier):
    def fit(self, x, y):
        time.sleep(3600)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals work otherwise on Windows")
def test_an_interrupt_waits_neither_for_fits_nor_for_libraries_that_are_slow_to_leave(
    folder: Path,
) -> None:
    (folder / "slow_to_leave.py").write_text(SLOW)
    more = '[algorithms.slow]\nestimator = "slow_to_leave.Slow"\n'
    (folder / "spec.toml").write_text(SPEC + more)
    command = [sys.executable, "-m", "winodds", "run", "spec.toml", "--only", "wine", "--jobs", "1"]
    log = folder / "results" / "fits.log"
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        # The header, the versions, and the nine fits that are not slow.
        while process.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") == 11):
            time.sleep(0.05)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    # Measured: 0.2 s on a machine with four times as much to do as it has cores.
    assert time.monotonic() - start < 10.0
    assert process.returncode == 130
    assert said.splitlines()[-3:] == [
        "9 of 12 fits are finished; the same command goes on from there.",
        "",
        "Interrupted.",
    ]
    assert pl.read_parquet(folder / "results" / "scores.parquet").height == 9


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["run", "no.toml"], 2, "Error: There is no file 'no.toml'"),
        (["run", "."], 2, "Error: '.': it is a folder; name a TOML file."),
        (["run", "bad.toml"], 2, "Error: 'bad.toml', line 1: metric: there is no such key;"),
        (["run", "spec.toml", "--only", "vine"], 2, "Error: --only vine is not possible; there is"),
        (["run", "spec.toml", "--jobs", "0"], 2, "Error: --jobs 0 is not possible; it is a"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    words: list[str], code: int, sentence: str, spec: str, folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (folder / "bad.toml").write_text(f"metric = 1\n{SPEC}")
    assert Path(spec).exists()
    assert run(words) == code
    assert capsys.readouterr().err.splitlines()[-1].startswith(sentence)


def test_a_slice_of_the_example_of_a_whole_experiment_runs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(STUDY, folder / "study")
    only = ["--only", "wine", "--only", "knn"]
    assert run(["run", "study/benchmark.toml", *only, "--jobs", "2"]) == 0
    assert "220 fits: 11 players of 1 algorithm" in capsys.readouterr().err
    found = pl.read_parquet(folder / "results" / "scores.parquet")
    stored = pl.read_parquet(STUDY / "scores.parquet").filter(
        (pl.col("tournament") == "wine") & (pl.col("family") == "knn")
    )
    key = ["player", "round"]
    assert found.select(key).equals(stored.select(key))
    # Another processor may round a score in another way.
    assert (found["score"] - stored["score"]).abs().max() < 1e-9  # type: ignore[operator]
