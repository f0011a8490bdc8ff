"""Runs: every planned fit becomes a row, whatever it does, and nothing finished is lost."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random as Rng
from types import ModuleType
from typing import Any, Self

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, ShuffleSplit, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import winodds
from tournament.estimators import Hostile, Random, Threads, half
from tournament.tiny import FITS, START, X, Y, tiny
from winodds.errors import BadOption, NotSaved, NoWorker, RunInProgress
from winodds.tournament import fitting
from winodds.tournament.crew import Done, Pantry
from winodds.tournament.door import Played, make_benchmark
from winodds.tournament.fitting import seeded
from winodds.tournament.identity import identify
from winodds.tournament.memory import ENDED_BY_WATCH
from winodds.tournament.plan import Fit, make_plan
from winodds.tournament.run import open_run
from winodds.tournament.spec import Limits
from winodds.tournament.store import open_store
from winodds.tournament.worker import Orders

DATA = {"small": (X, Y)}
SCORED = ["player", "tournament", "round", "score", "metric", "status", "seed"]


class Inline:
    """Does fits in the tests' own process, for tests of what a run does besides."""

    def __init__(self, orders: Orders, supply: Pantry, _: int) -> None:
        self._scoring = pickle.loads(orders.scoring)
        self._supply = supply

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def play(self, fits: Sequence[Fit]) -> Iterator[list[Done]]:
        for fit in fits:
            job, table = self._supply.job(fit), self._supply.table(fit)
            yield [(fit, fitting.perform(job, table, self._scoring))]


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """No workers."""
    monkeypatch.setattr("winodds.tournament.run.Crew", Inline)


def run(estimators: Any, data: Any = DATA, **options: Any) -> Played:
    return winodds.run(estimators, data, **{"cv": 2, "scoring": "accuracy", "n_jobs": 1, **options})


def statuses(played: Played) -> dict[str, set[tuple[str, str | None]]]:
    found: dict[str, set[tuple[str, str | None]]] = {}
    for name, status, reason in played.table.select("player", "status", "reason").rows():
        found.setdefault(name, set()).add((status, reason))
    return found


# What fits may do ---------------------------------------------------------------------------------


def test_whatever_fits_do_they_become_rows_with_their_reason_and_the_others_finish() -> None:
    kinds = ("fine", "raises", "exits", "sleeps", "grows", "leaves", "dies", "prints")
    hostile = {kind: Hostile(kind) for kind in kinds}
    played = run(hostile, cv=ShuffleSplit(1), n_jobs=2, seconds=1.5, megabytes=1000)
    twice = "it ended its worker twice, the second time alone"
    assert statuses(played) == {
        "fine": {("ok", None)},
        "raises": {("failed", "RuntimeError: singular")},
        "exits": {("failed", "SystemExit: no more")},
        "sleeps": {("timeout", "it took longer than 1.5 s")},
        "grows": {("oom", "it needed more than 1,000 MB")},
        "leaves": {("crash", f"{twice}: exit code 3")},
        "dies": {("crash", f"{twice}: signal 9 (SIGKILL)")},
        "prints": {("ok", None)},
    }
    assert Counter(played.table["player"]) == dict.fromkeys(kinds, 1)


@pytest.mark.usefixtures("inline")
def test_a_score_that_is_no_number_fails_and_other_metrics_of_the_fit_stay() -> None:
    data = {"odd": (X[:30], np.arange(30) % 2), "even": (X[:32], np.arange(32) % 2)}
    played = run({"fine": Hostile()}, data, scoring={"half": half, "accuracy": "accuracy"})
    found = played.table.select("tournament", "metric", "score", "status", "reason").unique()
    assert sorted(found.filter(pl.col("metric") == "half").rows()) == [
        ("even", "half", 1.0, "ok", None),
        ("odd", "half", None, "failed", "the score is nan"),
    ]
    others = found.filter(pl.col("metric") == "accuracy")
    assert set(others["status"]) == {"ok"}
    assert others["score"].null_count() == 0


@pytest.mark.usefixtures("inline")
def test_a_scorer_that_raises_fails_alone() -> None:
    played = run({"fine": Hostile()}, scoring=["accuracy", "roc_auc"])
    reasons = dict(played.table.select("metric", "reason").rows())
    lacks = "Hostile has none of the following attributes: decision_function, predict_proba."
    assert reasons == {"accuracy": None, "roc_auc": f"AttributeError: {lacks}"}


@pytest.mark.usefixtures("inline")
def test_warnings_are_kept_beside_the_score() -> None:
    played = run({"fine": Hostile(), "warns": Hostile("warns")})
    assert set(played.table.select("player", "warned").rows()) == {
        ("fine", None),
        ("warns", "UserWarning: it did not converge"),
    }


def test_versions_are_those_of_the_estimators_packages_too(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("own_package")
    monkeypatch.setattr(module, "__version__", "1.2.3", raising=False)
    monkeypatch.setitem(sys.modules, "own_package", module)
    own = type("Own", (DecisionTreeClassifier,), {"__module__": "own_package.trees"})
    piped = make_pipeline(StandardScaler(), own())
    assert fitting.versions(piped) == f"{fitting.versions()}, own_package 1.2.3"


def test_libraries_in_workers_have_one_thread() -> None:
    (reason,) = set(run({"threads": Threads()}).table["reason"])
    assert reason == "RuntimeError: True [1] 1"


def test_a_limit_of_memory_is_refused_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.tournament.memory.POSSIBLE", False)
    with pytest.raises(BadOption, match=r"^megabytes=100.0 is not possible; there is no limit of"):
        run([Hostile()], megabytes=100)


def test_a_worker_that_takes_too_much_is_ended_where_the_system_does_not_refuse() -> None:
    code = (
        "import numpy, time; from winodds.tournament.memory import watch;"
        "watch(50, everywhere=True); x = numpy.ones(20_000_000); time.sleep(30)"
    )
    # A shell between, for Linux counts what the tests hold as held by their child.
    command = ["sh", "-c", '"$0" -c "$1"; exit $?', sys.executable, code]
    assert subprocess.run(command, check=False).returncode == ENDED_BY_WATCH


def test_workers_that_cannot_start_end_the_run_with_what_they_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("winodds.tournament.worker.START", "raise SystemExit('no such module')")
    with pytest.raises(NoWorker, match=r"^No worker could be started \(no such module\)\. "):
        run({"fine": Hostile()}, n_jobs=2)


SLOW_TO_LEAVE = """
import os, sys, time
from winodds.tournament.process import receive, send
for _ in range(2):
    receive(sys.stdin.buffer)
send(sys.stdout.buffer, os.getpid())
receive(sys.stdin.buffer)
os.close(1)
time.sleep(0.3)
os._exit(5)
"""


def test_a_worker_that_is_slow_to_end_ends_as_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.tournament.worker.START", SLOW_TO_LEAVE)
    twice = "it ended its worker twice, the second time alone: exit code 5"
    assert statuses(run({"fine": Hostile()}, cv=ShuffleSplit(1))) == {"fine": {("crash", twice)}}


# The same results ---------------------------------------------------------------------------------


def models() -> dict[str, Any]:
    return {
        "random": Random(),
        "tree": (DecisionTreeClassifier(), {"max_features": [1, 2]}),
        "knn": (KNeighborsClassifier(), [{"n_neighbors": 1}, {"n_neighbors": 9}]),
    }


def test_results_are_the_same_for_any_number_of_workers_and_any_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("winodds.tournament.run.Crew", Inline)
    data = {"a": (X, Y), "b": (X[::-1], Y)}
    options = {"cv": ShuffleSplit(4), "scoring": ["accuracy", "neg_log_loss"]}
    one = run(models(), data, **options).table
    monkeypatch.undo()
    turned = dict(reversed(models().items()))
    many = run(turned, dict(reversed(data.items())), n_jobs=3, **options).table
    key = ["tournament", "player", "round", "metric"]
    assert one.height == 2 * 5 * 4 * 2
    assert_frame_equal(one.sort(key).select(SCORED), many.sort(key).select(SCORED))
    drawn = one.filter((pl.col("player") == "random") & (pl.col("metric") == "accuracy"))
    assert drawn["score"].n_unique() > 2


@pytest.mark.usefixtures("inline")
def test_a_seed_changes_splits_and_fits_and_the_same_seed_nothing() -> None:
    options: dict[str, Any] = {"cv": ShuffleSplit(3)}
    runs = [run({"random": Random()}, seed=seed, **options).table for seed in (1, 1, 2)]
    assert_frame_equal(runs[0].select(SCORED), runs[1].select(SCORED))
    assert not set(runs[0]["seed"]) & set(runs[2]["seed"])


@pytest.mark.usefixtures("inline")
def test_a_fit_keeps_its_score_when_players_and_data_come_and_go() -> None:
    alone = run({"random": Random()}, cv=ShuffleSplit(3)).table
    more = run({"knn": KNeighborsClassifier(), "random": Random()}, {"z": (X, Y), **DATA},
               cv=ShuffleSplit(3)).table  # fmt: skip
    same = more.filter((pl.col("player") == "random") & (pl.col("tournament") == "small"))
    assert_frame_equal(alone.select(SCORED), same.select(SCORED))


@pytest.mark.usefixtures("inline")
def test_scores_are_those_of_scikit_learn() -> None:
    from sklearn.model_selection import cross_val_score

    model = LogisticRegression()
    expected = cross_val_score(model, X, Y, cv=StratifiedKFold(4), scoring="neg_log_loss")
    found = run([model], cv=StratifiedKFold(4), scoring="neg_log_loss").table["score"]
    np.testing.assert_array_equal(found.to_numpy(), expected)


def test_random_states_that_are_set_stay_and_those_that_are_not_follow_the_seed() -> None:
    from sklearn.ensemble import BaggingClassifier

    nested = BaggingClassifier(DecisionTreeClassifier(random_state=5))
    params = seeded(nested, 7).get_params()
    assert (params["random_state"], params["estimator__random_state"]) == (7, 5)
    assert nested.random_state is None


def test_groups_stay_together() -> None:
    groups = np.arange(60) % 6
    benchmark = make_benchmark([Hostile()], {"g": (X, Y, groups)}, GroupKFold(3), "accuracy", 0,
                               Limits())  # fmt: skip
    (data,) = benchmark.data
    for part in data.rounds:
        assert not set(groups[part.train]) & set(groups[part.test])


# Going on -----------------------------------------------------------------------------------------


def count_fits(log: Path) -> Counter[str]:
    return Counter(log.read_text().split())


@pytest.mark.usefixtures("inline")
def test_a_second_run_does_only_what_is_new(tmp_path: Path) -> None:
    log, results = tmp_path / "log", tmp_path / "results"
    told: list[tuple[int, int]] = []

    def hostile(*kinds: str) -> dict[str, Any]:
        return {kind: Hostile(kind, log=str(log)) for kind in kinds}

    run(hostile("fine", "warns"), output=results)
    again = run(hostile("fine", "warns"), output=results, progress=lambda *it: told.append(it))
    assert count_fits(log) == {"fine": 2, "warns": 2}
    assert told == []
    more = run(hostile("fine", "warns", "raises"), output=results, scoring="accuracy")
    assert count_fits(log) == {"fine": 2, "warns": 2, "raises": 2}
    assert_frame_equal(more.table[:4], again.table)
    fewer = run(hostile("warns"), output=results)
    assert set(fewer.table["player"]) == {"warns"}
    run(hostile("raises"), output=results)
    assert count_fits(log)["raises"] == 2
    run(hostile("raises"), output=results, retry_failed=True)
    assert count_fits(log)["raises"] == 4


@pytest.mark.usefixtures("inline")
def test_another_metric_or_a_row_that_changed_makes_a_fit_run_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    models = {"fine": Hostile(log=str(log))}
    run(models, output=tmp_path / "results", scoring=["accuracy", "f1"])
    run(models, output=tmp_path / "results", scoring="f1")
    assert count_fits(log) == {"fine": 2}
    run(models, output=tmp_path / "results", scoring="balanced_accuracy")
    assert count_fits(log) == {"fine": 4}
    changed = X.copy()
    changed[0, 0] += 1.0
    run(models, {"small": (changed, Y)}, output=tmp_path / "results")
    assert count_fits(log) == {"fine": 6}


def test_what_a_limit_ended_runs_again_under_another_limit(tmp_path: Path) -> None:
    log, results = tmp_path / "log", tmp_path / "results"
    models = {"sleeps": Hostile("sleeps", log=str(log))}
    for limit in (0.3, 0.3, 0.4):
        run(models, output=results, seconds=limit, cv=ShuffleSplit(1))
    assert count_fits(log) == {"sleeps": 2}


@pytest.mark.usefixtures("inline")
def test_a_finished_run_is_a_source_that_knows_its_roles(tmp_path: Path) -> None:
    played = run(models(), {"a": (X, Y), "b": (X[::-1], Y)}, cv=StratifiedKFold(4),
                 output=tmp_path / "results")  # fmt: skip
    each = winodds.rate_each(played.scores(), tournament="tournament")
    read = winodds.rate_each(winodds.read_source(tmp_path / "results"), tournament="tournament")
    file = winodds.read_source(tmp_path / "results" / "scores.parquet")
    for other in (read, winodds.rate_each(file, tournament="tournament")):
        for name, board in each.items():
            assert other[name].players == board.players
            assert [row.epp for row in other[name]] == [row.epp for row in board]
            assert other[name].how.interval.test_fraction == 0.25
    assert {row.family for row in each["a"]} == {"random", "tree", "knn"}
    assert each["a"].how.interval.test_fraction == 0.25


@pytest.mark.usefixtures("inline")
def test_several_metrics_ask_which(tmp_path: Path) -> None:
    played = run(models(), scoring=["accuracy", "neg_log_loss"], output=tmp_path)
    with pytest.raises(winodds.errors.WhichMetric):
        played.scores()
    assert set(played.scores("accuracy").table["metric"]) == {"accuracy"}
    read = winodds.read_source(tmp_path, metric="neg_log_loss")
    assert isinstance(read, winodds.Adapted)
    assert set(read.table["direction"]) == {"up"}


def test_a_folder_of_a_run_that_was_killed_says_what_to_do(tmp_path: Path) -> None:
    with open_store(tmp_path):
        pass
    with pytest.raises(winodds.errors.NotThisSource, match="winodds run writes it when it ends"):
        winodds.read_source(tmp_path)


# Kills and full disks -----------------------------------------------------------------------------


def start_tiny(folder: Path, more: str = "", **options: Any) -> subprocess.Popen[str]:
    tests = str(Path(__file__).resolve().parent.parent)
    command = [sys.executable, "-c", START.format(tests=tests, more=more), str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            **options)  # fmt: skip


def table_of(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "scores.parquet").select(SCORED)


def times_logged(folder: Path) -> Counter[str]:
    lines = (folder / "fits.log").read_text().splitlines()
    return Counter(line.split('"fit":"')[1][:24] for line in lines if '"fit":"' in line)


def children_of(process: int) -> list[int]:
    """The processes that a process has started; none where only Linux would tell."""
    tasks = Path(f"/proc/{process}/task")
    lists = [(task / "children").read_text() for task in tasks.iterdir()] if tasks.exists() else []
    return [int(it) for it in " ".join(lists).split()]


def all_end(processes: list[int]) -> bool:
    """Whether processes are gone within ten seconds."""
    end = time.monotonic() + 10.0
    while left := [it for it in processes if Path(f"/proc/{it}").exists()]:
        if time.monotonic() > end:
            return not left
        time.sleep(0.05)
    return True


def check_kills(tmp_path: Path, kills: int, seed: int) -> int:
    """Kill runs at random moments, and compare with one that nobody disturbed; how many."""
    tiny(tmp_path / "whole")
    expected, rng, done, attempt = table_of(tmp_path / "whole"), Rng(seed), 0, 0
    assert expected.height == FITS
    while done < kills:
        attempt += 1
        folder, reported = tmp_path / f"run{attempt}", 0
        # Every run is killed several times, until it is through.
        while True:
            process = start_tiny(folder)
            assert process.stdout is not None
            if rng.random() < 0.8:
                # The first word comes once fits are saved.
                process.stdout.readline()
            time.sleep(rng.random() * 0.4 + (1.5 * rng.random() if rng.random() < 0.3 else 0.0))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            if process.returncode == 0:
                break
            done += 1
            finished = len(times_logged(folder)) if (folder / "fits.log").exists() else 0
            assert finished >= reported
            reported = finished
            if rng.random() < 0.3:
                tiny(folder)
                break
        assert_frame_equal(table_of(folder), expected)
        # None is lost, and none that was saved ran again.
        assert set(times_logged(folder).values()) == {1}
        assert len(times_logged(folder)) == FITS
    return done


@pytest.mark.usefixtures("inline")
def test_runs_that_are_killed_again_and_again_lose_and_repeat_nothing(tmp_path: Path) -> None:
    tiny(tmp_path / "whole")
    folder, before = tmp_path / "results", 0
    for _ in range(2):
        process = start_tiny(folder)
        assert process.stdout is not None
        process.stdout.readline()
        children = children_of(process.pid)
        assert len(children) == (2 if sys.platform == "linux" else 0)
        process.kill()
        process.communicate()
        assert len(times_logged(folder)) > before
        assert all_end(children)
        before = len(times_logged(folder))
    tiny(folder)
    assert_frame_equal(table_of(folder), table_of(tmp_path / "whole"))
    assert set(times_logged(folder).values()) == {1}
    assert len(times_logged(folder)) == FITS


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such a fit ends before its worker")
def test_a_run_that_is_killed_takes_along_fits_that_hear_nothing(tmp_path: Path) -> None:
    process = start_tiny(tmp_path / "results", "{'holds': Hostile('holds')}")
    program: list[int] = []
    while not program:
        assert process.poll() is None
        time.sleep(0.05)
        workers = children_of(process.pid)
        program = [it for worker in workers for it in children_of(worker)]
    process.kill()
    process.communicate()
    assert all_end([*workers, *program])


@pytest.mark.slow
def test_two_hundred_kills_lose_and_repeat_nothing(tmp_path: Path) -> None:
    print(f"{check_kills(tmp_path, kills=200, seed=2)} kills")


@pytest.mark.usefixtures("inline")
def test_a_disk_that_is_full_ends_the_run_in_a_sentence_and_room_lets_it_go_on(
    tmp_path: Path,
) -> None:
    resource = pytest.importorskip("resource")
    folder = tmp_path / "results"

    def leave_little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    process = start_tiny(folder, preexec_fn=leave_little_room)
    _, said = process.communicate()
    assert process.returncode == 1
    last = said.strip().splitlines()[-1]
    assert last.startswith(f"{NotSaved.__module__}.NotSaved: '{folder / 'fits.log'}' could not be")
    assert "could not be written: file too large. " in last
    assert last.endswith("saved; once that is mended, the same call goes on from there.")
    saved = len(times_logged(folder))
    assert saved == int(last.split(". ")[1].split()[0])
    tiny(folder)
    assert len(times_logged(folder)) == table_of(folder).height == FITS
    assert set(times_logged(folder).values()) == {1}


@pytest.mark.usefixtures("inline")
def test_an_interrupt_waits_for_no_fit_and_keeps_what_is_done(tmp_path: Path) -> None:
    sleeper = "{'sleeps': Hostile('sleeps')}"
    process = start_tiny(tmp_path / "results", sleeper)
    assert process.stdout is not None
    process.stdout.readline()
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    # A second on a machine that has nothing else to do.
    assert time.monotonic() - start < 10.0
    assert "KeyboardInterrupt" in said
    assert 0 < len(times_logged(tmp_path / "results")) <= FITS
    tiny(tmp_path / "results")
    assert set(times_logged(tmp_path / "results").values()) == {1}


def test_a_second_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    with open_store(tmp_path), pytest.raises(RunInProgress, match=f"process {os.getpid()} on "):
        run([Hostile()], output=tmp_path)


# The plan -----------------------------------------------------------------------------------------


def test_keys_differ_by_all_that_a_score_depends_on_and_by_nothing_else() -> None:
    def keys(estimators: Any, data: Any = DATA, cv: Any = 2, seed: int = 0) -> set[str]:
        benchmark = make_benchmark(estimators, data, cv, "accuracy", seed, Limits())
        return {fit.key for fit in make_plan(benchmark)}

    scaled = StandardScaler().fit_transform(X)
    usual = keys({"knn": KNeighborsClassifier()})
    assert len(usual) == 2
    assert usual == keys({"called otherwise": KNeighborsClassifier(n_neighbors=5)})
    for other in (
        keys({"knn": KNeighborsClassifier(3)}),
        keys({"knn": KNeighborsClassifier()}, {"other": (X, Y)}),
        keys({"knn": KNeighborsClassifier()}, {"small": (scaled, Y)}),
        keys({"knn": KNeighborsClassifier()}, {"small": (X, 1 - Y)}),
        keys({"knn": KNeighborsClassifier()}, cv=StratifiedKFold(2, shuffle=True)),
        keys({"knn": KNeighborsClassifier()}, seed=1),
        keys({"tree": DecisionTreeClassifier()}),
    ):
        assert not usual & other


def test_changed_code_makes_other_fits_with_the_same_seeds() -> None:
    (player,) = make_benchmark([Hostile()], DATA, 2, "accuracy", 0, Limits()).players
    assert player.code is not None
    benchmark = make_benchmark([Hostile()], DATA, 2, "accuracy", 0, Limits())
    plans = [
        make_plan(replace(benchmark, players=[replace(player, code=code)]))
        for code in (player.code, "other", player.code)
    ]
    keys, seeds = ([[getattr(fit, name) for fit in it] for it in plans] for name in ("key", "seed"))
    assert keys[0] == keys[2]
    assert not set(keys[0]) & set(keys[1])
    assert seeds[0] == seeds[1]


def test_functions_that_no_path_leads_to_differ_by_what_they_do() -> None:
    def shift(by: float) -> Any:
        return lambda x: x + by

    values = [
        *(lambda x: x * 2, lambda x: x * 3, shift(1.0), shift(2.0), np.log1p, np.sqrt),
        *(partial(np.add, 1), partial(np.add, 2), np.random.RandomState(1)),
        *(np.random.RandomState(2), np.arange(3), np.arange(4), "a", 1, 1.0, True, None),
    ]
    found = [identify(FunctionTransformer(kw_args={"of": value})) for value in values]
    assert len(set(found)) == len(values)
    again = [identify(FunctionTransformer(kw_args={"of": shift(by)})) for by in (1.0, 1.0)]
    assert len({*again}) == 1


def test_copies_play_once() -> None:
    copies = {"a": KNeighborsClassifier(), "b": KNeighborsClassifier(n_neighbors=5)}
    benchmark = make_benchmark(copies, DATA, 2, "accuracy", 0, Limits())
    assert [player.name for player in benchmark.players] == ["a"]
    assert benchmark.left_out == [("b", "a")]


def test_models_of_a_list_are_called_by_their_classes_and_what_varies() -> None:
    given = [KNeighborsClassifier(1), KNeighborsClassifier(9, p=1), Hostile()]
    benchmark = make_benchmark(given, DATA, 2, "accuracy", 0, Limits())
    assert [(player.name, player.family) for player in benchmark.players] == [
        ("KNeighborsClassifier(n_neighbors=1, p=2)", "KNeighborsClassifier"),
        ("KNeighborsClassifier(n_neighbors=9, p=1)", "KNeighborsClassifier"),
        ("Hostile", "Hostile"),
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"estimators": {}}, "estimators={} is not possible; there is at least one."),
        ({"estimators": {"a": 1}}, "estimators=1 is not possible; an estimator has fit"),
        ({"data": "wine"}, 'data="wine" is not possible; it is a list of names, or a mapping.'),
        ({"data": ["vine"]}, 'data="vine" is not possible; scikit-learn brings no such data'),
        ({"data": {"a": 3}}, "data=\"a\" is not possible; 'a' is (X, y) or (X, y, groups)"),
        ({"scoring": "auc"}, 'scoring="auc" is not possible; '),
        ({"seconds": 0}, "seconds=0 is not possible; it is a number above 0."),
        ({"n_jobs": 0}, "n_jobs=0 is not possible; it is a whole number, 1 or more"),
        (
            {"data": ["wine"], "scoring": "f1"},
            "scoring=\"f1\" is not possible; 'f1' cannot be comp",
        ),
        ({"cv": 50}, "cv=50 is not possible; 'small' cannot be split in this way"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_runs(
    options: dict[str, Any], sentence: str
) -> None:
    given = {"estimators": [Hostile()], "data": DATA, **options}
    with pytest.raises(BadOption) as caught:
        run(given.pop("estimators"), given.pop("data"), **given)
    assert str(caught.value).startswith(sentence)


def test_a_run_is_over_when_nothing_is_to_do(tmp_path: Path) -> None:
    benchmark = make_benchmark([Hostile()], DATA, 2, "accuracy", 0, Limits())
    with open_run(benchmark, tmp_path) as opened:
        assert (len(opened.plan), len(opened.todo)) == (2, 2)
        opened.play(workers=1)
    with open_run(benchmark, tmp_path) as opened:
        assert (len(opened.plan), len(opened.todo)) == (2, 0)
        assert {done.outcome.versions for _, done in opened.finished} == {fitting.versions()}
