"""Evaluations that OpenML's own client fetches from a server on this machine."""

import inspect
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import openml
import polars as pl
import pytest
import requests
from openml_server import FAULTS, FUNCTION, PASSING, Fault, Server, World, large_world, serving
from tables import sentence

import winodds
from adapters.openml import killed
from adapters.samples import texts
from winodds import Adapted
from winodds.adapters.openml.answers import Fault as Failure, judge
from winodds.adapters.openml.choice import choose_runs
from winodds.adapters.openml.desk import request_name
from winodds.adapters.openml.pages import Page, Pages
from winodds.cli.main import run
from winodds.errors import (
    BadOption,
    CannotKeep,
    DirectionContradicts,
    DirectionUnknown,
    MissingExtra,
    NoEvaluations,
    NoTasks,
    NotWritten,
    ServerMoved,
    ServerRefuses,
    ServerSilent,
    ServerTooBusy,
)

Fetch = Callable[..., Adapted]


def expected(world: World, *, runs: Sequence[int] | None = None) -> list[tuple[object, ...]]:
    """The rows that should come out: the first run of every flow, or the runs that are named."""
    if runs is None:
        cells: dict[tuple[int, int], int] = {}
        for number, one in sorted(world.runs.items()):
            cells.setdefault((one.task, one.flow), number)
        runs = list(cells.values())
    return sorted(
        (
            f"{one.flow}_{world.flows[one.flow]}",
            f"{one.task}_{world.tasks[one.task].name}",
            str(fold),
            value,
        )
        for one in (world.runs[number] for number in runs)
        for fold, value in enumerate(one.values, 1)
    )


def rows(source: Adapted) -> list[tuple[object, ...]]:
    return sorted(source.table.select("player", "tournament", "round", "score").rows())


def pages_of(server: Server) -> Counter[str]:
    """How often each page was asked for, whatever the order of ids."""
    return Counter(request_name(path) for path in server.asked)


def test_a_suite_becomes_a_table_that_rates_itself(fetch: Fetch, server: Server) -> None:
    source = fetch(99)
    assert rows(source) == expected(server.world)
    assert (source.name, source.summary) == ("OpenML-CC18", f"5 flows, 4 tasks, {FUNCTION}")
    families = dict(source.table.select("player", "family").unique().rows())
    assert families == {
        "101_weka.J48(1)": "DecisionTreeClassifier",
        "102_weka.RandomForest(2)": "RandomForestClassifier",
        "103_sklearn.svm.classes.SVC(3)": "SVMClassifier",
        "104_mlr.classif.ranger(4)": "RandomForestClassifier",
        "105_my.Own<T>&Net(5)": "unknown",
    }
    sizes = source.table.select("task_id", "number_classes", "number_instances", "number_features")
    assert sorted(sizes.unique().rows()) == [
        (3, 2, 3196, 37),
        (11, 3, 625, 5),
        (31, 2, 1000, 21),
        (37, 2, 768, 9),
    ]
    boards = winodds.rate_each(source, tournament="tournament")
    hand = pl.DataFrame(
        expected(server.world), ["player", "tournament", "round", "auc"], orient="row"
    )
    by_hand = winodds.rate_each(hand, tournament="tournament", score="auc")
    assert {task: [(row.player, row.epp) for row in board] for task, board in boards.items()} == {
        task: [(row.player, row.epp) for row in board] for task, board in by_hand.items()
    }


def test_what_a_killed_write_left_among_the_pages_is_removed(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    old, young = (tmp_path / f".winodds-{name}.part" for name in ("old", "young"))
    for part in (old, young):
        part.write_bytes(b"half")
    os.utime(old, (time.time() - 1000,) * 2)
    Pages(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [young.name]


def test_a_suite_has_a_name_and_tasks_have_numbers(fetch: Fetch, server: Server) -> None:
    assert rows(fetch("OpenML-CC18")) == expected(server.world)
    source = fetch([3, 31, 3])
    assert set(source.table["tournament"]) == {"3_kr-vs-kp", "31_credit-g"}
    assert source.name == "2 tasks of OpenML"


def test_all_pages_are_read_within_the_limits_of_the_server(fetch: Fetch, server: Server) -> None:
    server.page_limit = server.fold_limit = 3
    server.world.doubled = frozenset([1000, 1004])
    source = fetch(99, page_size=3)
    assert rows(source) == expected(server.world)
    assert "2 evaluations left out, because another engine evaluated the same run: the client " in (
        " ".join(texts(source))
    )
    assert max(pages_of(server).values()) == 1


def test_too_large_a_page_is_the_servers_error(fetch: Fetch, server: Server) -> None:
    server.page_limit = 3
    assert sentence(ServerRefuses, fetch) == (
        "The server has no list of evaluations of task 3 (code 546): Illegal limit."
    )


def chosen(source: Adapted) -> list[int]:
    return sorted(source.table["run_id"].unique().to_list())


def test_rules_choose_the_run_of_a_flow(fetch: Fetch, server: Server) -> None:
    cells: dict[tuple[int, int], list[int]] = {}
    for number, one in sorted(server.world.runs.items()):
        cells.setdefault((one.task, one.flow), []).append(number)
    means = {number: one.mean for number, one in server.world.runs.items()}
    assert chosen(fetch(run="first")) == sorted(numbers[0] for numbers in cells.values())
    assert chosen(fetch(run="last")) == sorted(numbers[-1] for numbers in cells.values())
    best = sorted(max(numbers, key=lambda it: means[it]) for numbers in cells.values())
    assert chosen(fetch(run="best")) == best
    every = fetch(run="setup")
    assert chosen(every) == sorted(server.world.runs)
    assert "101_weka.J48(1)/1011" in set(every.table["player"])
    assert texts(every)[0] == (
        "Each of 8 settings of 5 flows is a player of its own, with its first run on a task."
    )


def test_the_best_run_is_doubted_on_every_board(fetch: Fetch, tmp_path: Path) -> None:
    source = fetch(run="best")
    assert texts(source)[0] == (
        "Each flow is represented on a task by the best of its runs there, up to 2 of them, chosen "
        "by the scores that are rated. The best of many is best partly by luck, and flows with "
        "more runs have more of it."
    )
    source.table.write_csv(tmp_path / "best.csv")
    again = winodds.read_source(tmp_path / "best.csv")
    assert [note.name for note in again.notes if note.kind == "doubt"] == ["chosen_as_best"]  # type: ignore[union-attr]
    fetch(run="first").table.write_csv(tmp_path / "first.csv")
    assert winodds.read_source(tmp_path / "first.csv").notes == ()  # type: ignore[union-attr]


def test_tasks_with_two_classes_on_request(fetch: Fetch, server: Server) -> None:
    source = fetch(binary=True)
    assert set(source.table["task_id"]) == {3, 31, 37}
    assert not any("/task/11" in path for path in server.asked)
    assert (
        sentence(NoTasks, partial(fetch, [11], binary=True))
        == "1 task of OpenML has 1 task, none of them with two classes; leave out binary=True."
    )


def test_folds_out_of_order_are_found_and_mended(fetch: Fetch, server: Server) -> None:
    server.world.shuffled = frozenset([1003])
    trusting = fetch()
    assert rows(trusting) != expected(server.world)
    assert texts(trusting)[1].startswith("Folds are numbered as they stand in 'values'.")
    asked = fetch(verify_folds=100)
    assert rows(asked) == expected(server.world)
    assert texts(asked)[1] == (
        "Of 19 runs, 19 were asked for the order of their folds: 1 had them in another order, "
        "which is mended ('1003')."
    )
    server.world.shuffled = frozenset()
    some = fetch(verify_folds=4, refresh=True)
    assert texts(some)[1] == (
        "4 of 19 runs were asked for the order of their folds, and all of these are in order."
    )


def test_a_list_that_was_cut_off_fails_its_run_only(fetch: Fetch, server: Server) -> None:
    server.world.cut = frozenset([1006])
    source = fetch()
    lost = source.table.filter(pl.col("status") != "ok")
    assert lost["run_id"].unique().to_list() == [1006]
    assert lost.height == 10
    left = [number for number in chosen(source) if number != 1006]
    kept = source.table.filter(pl.col("status") == "ok")
    assert sorted(kept.select("player", "tournament", "round", "score").rows()) == expected(
        server.world, runs=left
    )
    assert "The server cut the list of folds of 1 run off, which gives no result: '1006'." in (
        texts(source)
    )


# Failures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", PASSING)
def test_a_failure_that_passes_does_no_harm(fault: Fault, fetch: Fetch, server: Server) -> None:
    server.fail = lambda number: fault if number % 2 == 0 else None
    assert rows(fetch()) == expected(server.world)
    assert set(pages_of(server).values()) == {2}, "every page fails once, and is asked for again"


def test_every_third_request_may_fail(fetch: Fetch, server: Server) -> None:
    random = Random(3)
    server.fail = lambda number: random.choice(PASSING) if number % 3 == 2 else None
    server.page_limit = server.fold_limit = 3
    assert rows(fetch(page_size=3)) == expected(server.world)
    counts = pages_of(server)
    failed = len(server.asked) // 3
    assert len(server.asked) - failed == len(counts), "no page that came was asked for again"


def test_a_silent_server_ends_in_an_error(fetch: Fetch, server: Server) -> None:
    server.fail = lambda number: "silence" if number >= 4 else None
    assert sentence(ServerSilent, partial(fetch, timeout=0.2, retries=1)) == (
        f"{server.url}user/list/user_id/1,2,3 was asked 2 times, in vain; at last, no answer "
        "within 0.2 s. What was fetched is kept: the same command goes on from there."
    )
    assert len(server.asked) == 6
    server.fail = lambda _: None
    assert rows(fetch()) == expected(server.world)
    assert max(Counter(server.asked[:5] + server.asked[6:]).values()) == 2


def test_a_broken_server_is_left_after_the_last_try(fetch: Fetch, server: Server) -> None:
    server.fail = lambda _: "xhtml"
    assert sentence(ServerSilent, partial(fetch, retries=2)) == (
        f"{server.url}study/99 was asked 3 times, in vain; at last, it sent a page that begins "
        "with <html> (status 502). What was fetched is kept: the same command goes on from there."
    )


def test_the_server_says_how_long_to_wait(fetch: Fetch, server: Server) -> None:
    server.fail = lambda number: "429" if number == 0 else None
    server.retry_after = "1"
    began = time.monotonic()
    assert rows(fetch()) == expected(server.world)
    assert time.monotonic() - began >= 1.0
    server.fail = lambda _: "429"
    server.retry_after = "7200"
    assert sentence(ServerTooBusy, partial(fetch, refresh=True)) == (
        f"{server.url}study/99: the server asks to come back in 120 minutes. What was fetched is "
        "kept: the same command goes on from there."
    )


@pytest.mark.parametrize("date", ["Wed, 21 Oct 2035 07:28:00 GMT", "Wed, 21 Oct 2035 07:28:00"])
def test_a_server_may_name_a_date(date: str) -> None:
    with pytest.raises(Failure) as failure:
        judge(429, b"", retry_after=date)
    assert failure.value.wait > 86400


def test_requests_keep_their_distance(fetch: Fetch, server: Server) -> None:
    began = time.monotonic()
    fetch([3, 31], pause=0.05)
    assert time.monotonic() - began >= 0.05 * (len(server.asked) - 1)


def test_errors_of_the_server_are_told(fetch: Fetch) -> None:
    assert (
        sentence(ServerRefuses, partial(fetch, 100))
        == "The server has no suite 100 (code 601): Unknown study."
    )


def test_a_function_without_evaluations_has_neighbours(fetch: Fetch) -> None:
    call = partial(fetch, metric="area_under_roc_curves", higher_is_better=True)
    assert sentence(NoEvaluations, call) == (
        "There is no evaluation by 'area_under_roc_curves' on any of the 4 tasks. Functions like "
        "it are 'area_under_roc_curve', 'area_under_prc'."
    )


def test_a_function_that_is_known_has_no_neighbours(fetch: Fetch) -> None:
    call = partial(fetch, [999])
    assert sentence(NoEvaluations, call) == (
        "There is no evaluation by 'area_under_roc_curve' on the task."
    )


def test_directions_are_settled_before_anything_is_fetched(fetch: Fetch, server: Server) -> None:
    with pytest.raises(DirectionUnknown):
        fetch(metric="build_cpu")
    with pytest.raises(DirectionContradicts):
        fetch(higher_is_better=False)
    assert server.asked == []


# Options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tasks", "options", "words"),
    [
        ([], {}, "it is a suite's number or name, or a list of tasks' numbers"),
        ([3, "x"], {}, "it is a suite's number or name, or a list of tasks' numbers"),
        (None, {}, "it is a suite's number or name, or a list of tasks' numbers"),
        (99, {"server": "openml.org"}, "it is the address of an interface, such as"),
        (99, {"server": None, "pause": 0.5}, "a server that others use is asked once a second"),
        (99, {"run": "any"}, 'it is one of "first", "last", "best", "setup"'),
        (99, {"timeout": 0.0}, "it is a number between 0 and 86400"),
        (99, {"page_size": 0}, "it is a whole number, 1 or more"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(
    tasks: Any, options: dict[str, Any], words: str, fetch: Fetch, server: Server
) -> None:
    with pytest.raises(BadOption, match=words):
        fetch(tasks, **options)
    assert server.asked == []


def test_the_client_is_an_extra(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.adapters.openml.client.find_spec", lambda _: None)
    assert sentence(MissingExtra, fetch) == (
        "Fetching evaluations needs openml, which is not installed. Install what is missing: "
        "pip install 'winodds[openml]'."
    )


def test_calls_that_a_newer_client_keeps_suffice(
    fetch: Fetch, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.16 lists tasks without a filter by tasks, and always as a data frame."""
    old = openml.tasks.list_tasks

    def list_tasks(
        task_type: Any = None,
        offset: int | None = None,
        size: int | None = None,
        tag: str | None = None,
        data_tag: str | None = None,
        data_id: int | None = None,
        number_classes: int | None = None,
    ) -> Any:
        given: dict[str, Any] = {"tag": tag, "data_tag": data_tag, "data_id": data_id}
        return old(
            task_type,
            offset,
            size,
            number_classes=number_classes,
            output_format="dataframe",
            **given,
        )

    before = fetch().table
    monkeypatch.setattr(openml.tasks, "list_tasks", list_tasks)
    assert fetch().table.equals(before)
    assert sum("/task/list/" in path and "data_id" in path for path in server.asked) == 4
    assert not inspect.signature(old).parameters.keys() >= {"data_id"}


def test_progress_says_how_far_it_is_and_how_long_the_rest_takes(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = count(0, 60)
    monkeypatch.setattr("winodds.adapters.openml.pace.monotonic", lambda: next(minutes))
    said: list[str] = []
    fetch(progress=said.append, page_size=9, verify_folds=2)
    assert said == [
        "Asking for tasks …",
        "Task 1 of 4: 0 runs so far; 3 requests …",
        "Task 2 of 4: 0 runs so far; 5 requests, about 3 minutes left …",
        "Task 3 of 4: 0 runs so far; 6 requests, about 2 minutes left …",
        "Task 4 of 4: 0 runs so far; 7 requests, about 60 seconds left …",
        "Folds of run 1 of 19; 8 requests …",
        "Folds of run 10 of 19; 9 requests, about 2 minutes left …",
        "Folds of run 19 of 19; 10 requests, about 60 seconds left …",
        "Order of folds of run 1 of 2; 12 requests …",
        "Order of folds of run 2 of 2; 13 requests, about 60 seconds left …",
    ]


def test_the_client_is_left_as_it_was(fetch: Fetch, server: Server) -> None:
    before = (openml.config.server, openml.config.connection_n_retries)
    usual = requests.sessions.HTTPAdapter
    fetch()
    server.fail = lambda _: "html"
    with pytest.raises(ServerSilent):
        fetch(refresh=True, retries=0)
    assert (openml.config.server, openml.config.connection_n_retries) == before
    assert requests.sessions.HTTPAdapter is usual


def test_a_key_goes_to_the_server_and_nowhere_else(
    fetch: Fetch, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openml.config, "apikey", "secret-key")
    fetch()
    kept = [Page(200, path.read_bytes()) for path in (tmp_path / "pages").iterdir()]
    assert kept
    assert not any(b"secret-key" in page.body for page in kept)
    server.fail = lambda _: "html"
    with pytest.raises(ServerSilent) as error:
        fetch(refresh=True, retries=0)
    assert "secret-key" not in str(error.value)


def test_the_client_is_asked_which_server_to_ask(
    fetch: Fetch, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openml.config, "server", server.url.removesuffix("/"))
    assert rows(fetch(server=None)) == expected(server.world)


def test_a_server_that_moved_is_named(fetch: Fetch, server: Server) -> None:
    with serving(Server(server.world)) as other, pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "openml_server.Handler.do_GET",
            lambda self: (
                self.send_response(301),
                self.send_header("Location", other.url),
                self.end_headers(),
            ),
        )
        assert sentence(ServerMoved, partial(fetch, retries=0)) == (
            f"{server.url}study/99 sends to '{other.url}'; say where the interface is now with "
            'server="URL".'
        )


# Pages that are kept ------------------------------------------------------------------------------


def test_nothing_is_asked_twice_and_all_anew_on_request(fetch: Fetch, server: Server) -> None:
    first = fetch()
    number = len(server.asked)
    again = fetch()
    assert len(server.asked) == number
    assert again.table.equals(first.table)
    assert texts(again)[-1].startswith(f"{number} answers of the server were known from 20")
    fetch(refresh=True)
    assert len(server.asked) == 2 * number


def test_damaged_pages_are_fetched_again(fetch: Fetch, server: Server, tmp_path: Path) -> None:
    first = fetch()
    damages = [b"", b"\x1f\x8b", b"no archive"]
    for place, path in enumerate(sorted((tmp_path / "pages").iterdir())):
        path.write_bytes((path.read_bytes()[:40], *damages)[place % 4])
    number = len(server.asked)
    assert fetch().table.equals(first.table)
    assert len(server.asked) == 2 * number


def test_a_folder_that_keeps_nothing_is_named(
    fetch: Fetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    for folder, reason in ((taken, "file exists"), (taken / "pages", "not a directory")):
        assert sentence(CannotKeep, partial(fetch, cache=str(folder))) == (
            f"Answers of the server cannot be kept in '{folder}': {reason}. Name another folder "
            'with cache="FOLDER", or make room.'
        )

    def full(path: Path, content: bytes) -> None:  # noqa: ARG001
        raise NotWritten(path=str(path), reason="no space left on device")

    monkeypatch.setattr("winodds.adapters.openml.pages.write_bytes_whole", full)
    with pytest.raises(CannotKeep, match="no space left on device"):
        fetch()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are born by fork")
def test_two_commands_may_share_a_folder(server: Server, tmp_path: Path) -> None:
    server.delay = 0.01
    small = ["--page-size", "3", "-q"]
    given = [words(server, tmp_path, f"{name}.csv", *small) for name in ("one", "two")]
    told = [sys.executable, killed.__file__, "together", json.dumps(given)]
    subprocess.run(told, check=True)
    one, two = ((tmp_path / f"{name}.csv").read_bytes() for name in ("one", "two"))
    assert one == two
    assert sorted({path.suffix for path in (tmp_path / "pages").iterdir()}) == [".page"]
    assert run(words(server, tmp_path, "three.csv", *small)) == 0
    assert (tmp_path / "three.csv").read_bytes() == one


def test_a_page_of_another_request_is_not_taken(tmp_path: Path) -> None:
    pages = Pages(tmp_path)
    pages.keep("one", Page(200, b"body"))
    (path,) = tmp_path.iterdir()
    pages.keep("two", Page(200, b"other"))
    other = next(it for it in tmp_path.iterdir() if it != path)
    path.write_bytes(other.read_bytes())
    assert pages.find("one") is None
    assert pages.find("two") == Page(200, b"other")


# The command --------------------------------------------------------------------------------------


def words(server: Server, folder: Path, output: str, *more: str) -> list[str]:
    """The words of the command."""
    where: list[str] = ["--server", server.url, "--cache", str(folder / "pages"), "--pause", "0"]
    return ["openml", "--suite", "99", *where, "-o", str(folder / output), *more]


def test_the_command_writes_what_other_commands_read(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words(server, tmp_path, "scores.parquet")) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"OpenML-CC18: 5 flows, 4 tasks, {FUNCTION}"
    assert [line[:15] for line in told[1:4]] == ["* OpenML-CC18: "] * 3
    assert told[-1] == f"Written to {tmp_path / 'scores.parquet'}."
    assert run(["rate", str(tmp_path / "scores.parquet"), "--pool", "--no-details", "-q"]) == 0
    assert "5 players, 4 tournaments, 40 rounds, 360 matches" in capsys.readouterr().out


def test_a_command_that_is_interrupted_says_that_it_goes_on(
    server: Server,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(seconds: float) -> None:  # noqa: ARG001
        if len(server.asked) == 5:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("winodds.adapters.openml.desk.sleep", stop)
        assert run(words(server, tmp_path, "scores.csv")) == 130
    assert capsys.readouterr().err.split("\n")[-4:] == [
        "What was fetched is kept: the same command goes on from there.",
        "",
        "Interrupted.",
        "",
    ]
    assert not (tmp_path / "scores.csv").exists()
    assert run(words(server, tmp_path, "scores.csv", "-q")) == 0
    assert max(pages_of(server).values()) == 1


def test_the_command_wants_a_suite_or_tasks(capsys: pytest.CaptureFixture[str]) -> None:
    for given in ([], ["--suite", "99", "--task", "3"]):
        assert run(["openml", *given, "-o", "x.csv"]) == 2
        assert "Name a suite (--suite 99) or tasks (--task 3 --task 11)." in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are born by fork")
@pytest.mark.parametrize("times", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_a_command_that_is_killed_goes_on(times: int, server: Server, tmp_path: Path) -> None:
    check_kills(server, tmp_path, times=times)


def check_kills(server: Server, folder: Path, *, times: int) -> None:
    """The command, killed at random moments, gives what an undisturbed one gives."""
    small = ["--page-size", "3", "-q"]
    (folder / "calm").mkdir()
    assert run(words(server, folder / "calm", "scores.csv", *small)) == 0
    pages = pages_of(server)
    assert max(pages.values()) == 1
    server.asked.clear()
    server.delay = 0.01
    (folder / "killed").mkdir()
    done = subprocess.run(
        [
            *(sys.executable, killed.__file__, str(times), "22", "1.5"),
            *words(server, folder / "killed", "scores.csv", *small),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    calm, stormy = ((folder / name / "scores.csv").read_bytes() for name in ("calm", "killed"))
    assert stormy == calm
    assert int(done.stdout) >= 1
    assert set(pages_of(server)) == set(pages)
    assert len(server.asked) <= len(pages) + int(done.stdout), "only what was under way comes twice"


@pytest.mark.slow
def test_a_study_of_the_size_of_the_thesis_is_fetched_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """31 tasks, 1,000 flows, three quarters of the cells empty; one request in three fails."""
    random = Random(31)
    world = large_world(31, 1000, filled=0.24)
    server = Server(world, page_limit=100, fold_limit=200)
    server.fail = lambda number: random.choice(FAULTS) if number % 3 == 2 else None
    with serving(server):
        began = time.monotonic()
        small = ("--page-size", "100", "--timeout", "1")
        assert run(words(server, tmp_path, "scores.parquet", *small)) == 0
        seconds = time.monotonic() - began
    table = pl.read_parquet(tmp_path / "scores.parquet")
    found = sorted(table.select("player", "tournament", "round", "score").rows())
    assert found == expected(world)
    with capsys.disabled():
        print(f"\n{table.height:,} scores by {len(server.asked):,} requests in {seconds:.0f} s")


def test_a_run_without_a_mean_gives_way() -> None:
    runs = pl.DataFrame(
        {
            "task_id": [3, 3, 3],
            "flow_id": [7, 7, 8],
            "run_id": [1, 2, 3],
            "value": [None, 0.9, None],
        }
    )
    for rule in ("first", "last", "best"):
        found = choose_runs(runs, rule, higher_is_better=True)
        assert found.select("run_id", "runs").rows() == [(2, 2), (3, 1)]


def test_the_smallest_error_is_best() -> None:
    runs = pl.DataFrame(
        {"task_id": [3] * 3, "flow_id": [7] * 3, "run_id": [1, 2, 3], "value": [0.3, 0.1, 0.1]}
    )
    assert choose_runs(runs, "best", higher_is_better=False)["run_id"].to_list() == [2]


def test_names_that_the_server_does_not_escape_are_kept() -> None:
    name = "<oml:flow_name>x<T>&y</oml:flow_name>"
    page = judge(200, f'<oml:a xmlns:oml="http://openml.org/openml">{name}</oml:a>'.encode())
    assert b"<oml:flow_name>x&lt;T&gt;&amp;y</oml:flow_name>" in page.body
