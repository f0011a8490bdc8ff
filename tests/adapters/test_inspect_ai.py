"""Logs of inspect-ai: samples as rounds, items as clusters, and logs that are not finished.

inspect-ai takes minutes to install, so ``.eval`` files are read here through a stand-in for its one
function that is called; the log that it gives is the JSON twin of the genuine ``.eval`` file.
tools/samples/make_inspect.py wrote both.
"""

import json
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest
from tables import facts, sentence, texts

import winodds
from winodds import Adapted
from winodds.adapters.inspect_ai import to_number
from winodds.cli.main import run
from winodds.errors import (
    DirectionUnknown,
    MissingExtra,
    NothingLeft,
    NotThisSource,
    Unreadable,
    WhichMetric,
)

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE = SAMPLES / "inspect"
PACKED = SAMPLES / "inspect_eval" / "alpha_sums.eval"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "logs"))


def read(path: Path, **asked: Any) -> Adapted:
    found = winodds.read_source(path, **asked)
    assert isinstance(found, Adapted)
    return found


def change(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document, indent=2))


def by_hand(task: str, scorer: str) -> pl.DataFrame:
    """The long table that somebody would make with a few lines of their own."""
    points = {"C": 1.0, "I": 0.0}
    rows = []
    for model in ("alpha", "beta", "gamma"):
        log = json.loads((SAMPLE / f"{model}_{task}.json").read_text())
        rows += [
            {
                "model": log["eval"]["model"],
                "sample": f"{it['id']}/{it['epoch']}" if task == "sums" else str(it["id"]),
                "item": str(it["id"]),
                "score": None if it.get("error") else points[it["scores"][scorer]["value"]],
            }
            for it in log["samples"]
        ]
    return pl.DataFrame(rows)


# What is rated ------------------------------------------------------------------------------------


def test_samples_are_rated_as_a_long_table_made_by_hand() -> None:
    roles: dict[str, Any] = {"player": "model", "round": "sample", "score": "score"}
    own = winodds.rate_logs(SAMPLE, metric="match")
    table = by_hand("sums", "match")
    hand = winodds.rate(table, **roles, cluster="item", higher_is_better=True)
    assert own.rows[:] == hand.rows[:]
    assert (own.how.interval.cluster, own.how.interval.clusters) == ("cluster", 12)
    own = winodds.rate_logs(SAMPLE, metric="includes")
    hand = winodds.rate(by_hand("riddles", "includes"), **roles, higher_is_better=True)
    assert own.rows[:] == hand.rows[:]


def test_a_mean_score_is_the_accuracy_that_inspect_reports() -> None:
    for row in winodds.rate_logs(SAMPLE, metric="match"):
        path = SAMPLE / f"{row.player.removeprefix('mockllm/')}_sums.json"
        scores = json.loads(path.read_text())["results"]["scores"]
        assert row.mean_score == pytest.approx(scores[0]["metrics"]["accuracy"]["value"])


def test_several_scorers_ask_which() -> None:
    assert sentence(WhichMetric, lambda: read(SAMPLE)) == (
        "There are several scorers: 'includes', 'words.f1', 'words.length', 'match'. Choose one, "
        'for instance metric="includes", or metric="all" for a board of each.'
    )


def test_the_scorer_that_the_task_calls_its_main_one_is_taken(logs: Path) -> None:
    main = {"scorer": "includes", "score": "includes", "metric": "accuracy"}
    for path in logs.glob("*_riddles*.json"):
        change(path, lambda document: document["eval"].update(headline_metric=main))
    table = read(logs)
    assert set(table.table["metric"]) == {"includes", "match"}
    assert (
        "The scores are 'includes', 'match', by the task; the logs also have 'words.f1', "
        "'words.length'."
    ) in texts(table.notes)


def test_numbers_need_a_direction_unless_their_name_tells_it() -> None:
    assert read(SAMPLE, metric="words.f1").table["direction"].unique().to_list() == ["up"]
    with pytest.raises(DirectionUnknown):
        read(SAMPLE, metric="words.length")
    down = read(SAMPLE, metric="words.length", higher_is_better=False).table
    assert down["direction"].unique().to_list() == ["down"]


def test_letters_count_as_inspect_counts_them() -> None:
    values = ["C", "I", "P", "N", True, 0.25, "0.5", "yes", "No", "B", [1], None, float("nan")]
    numbers = [1.0, 0.0, 0.5, 0.0, 1.0, 0.25, 0.5, 1.0, 0.0, None, None, None, None]
    assert [to_number(value) for value in values] == numbers


def test_the_fullest_log_counts_and_unfinished_ones_are_named() -> None:
    table = read(SAMPLE, metric="includes")
    assert table.summary == "3 logs of 3 models, 1 task, 8 samples as rounds"
    assert table.table.height == 8 + 8 + 6
    said = texts(table.notes)
    assert (
        "1 log left out, because a fuller or newer one of the same model and task counts: "
        "'beta_riddles_limited.json'."
    ) in said
    assert (
        "The log 'gamma_riddles.json' is not finished (cancelled); it has 6 of 8 samples."
    ) in said


def test_a_sample_with_an_error_is_a_failure_with_its_reason() -> None:
    table = read(SAMPLE, metric="includes").table.filter(pl.col("status") != "ok")
    assert table.select("player", "round", "score", "reason").rows() == [
        ("mockllm/gamma", "7", None, "ValueError('the answer is no word')")
    ]


def test_metadata_that_repeat_are_columns() -> None:
    table = read(SAMPLE, metric="match").table
    assert table.columns[-1] == "metadata.topic"
    assert table.filter(pl.col("round") == "sum-4/2")["metadata.topic"].to_list() == ["minus"] * 3


def test_one_line_rates_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", str(SAMPLE), "--metric", "match", "--no-details"]) == 0
    printed = capsys.readouterr()
    assert f"{SAMPLE}: logs of inspect-ai; 3 logs of 3 models, 1 task, 24 samples as rounds" in (
        printed.err
    )
    assert "sums: 3 players, 12 clusters, 24 rounds, 72 matches" in printed.out


# What must agree ----------------------------------------------------------------------------------


def test_versions_and_arguments_of_a_task_must_agree(logs: Path) -> None:
    change(logs / "gamma_sums.json", lambda it: it["eval"].update(task_version=2))
    table = read(logs, metric="match")
    assert set(table.table["player"]) == {"mockllm/alpha", "mockllm/beta"}
    assert (
        "'sums' was not run in the same way by all, and its ways never meet: 'sums [version 1]' "
        "(2 runs), 'sums [version 2]' (1 run)."
    ) in texts(table.notes)
    change(logs / "beta_sums.json", lambda it: it["eval"].update(task_args={"hard": True}))
    left = sentence(NothingLeft, lambda: read(logs, metric="match"))
    assert "'mockllm/beta on sums [version 1, hard=true]'" in left


def test_items_of_one_id_that_ask_something_else_never_meet(logs: Path) -> None:
    for model in ("beta", "gamma"):
        change(logs / f"{model}_sums.json", lambda it: it["samples"][3].update(input="else?"))
    table = read(logs, metric="match")
    assert set(table.table["player"]) == {"mockllm/beta", "mockllm/gamma"}
    assert set(table.table["tournament"]) == {"sums [items 2]"}


def test_settings_of_a_model_make_players(logs: Path) -> None:
    shutil.copy(logs / "alpha_sums.json", logs / "hot.json")
    config = {"temperature": 1.0, "max_retries": 3}

    def heat(document: dict[str, Any]) -> None:
        document["eval"].update(model_generate_config=config, eval_id="hot")

    change(logs / "hot.json", heat)
    players = set(read(logs, metric="match").table["player"])
    assert {"mockllm/alpha (default)", "mockllm/alpha (temperature=1)"} <= players


def test_how_a_task_generates_makes_no_other_player(logs: Path) -> None:
    for path in logs.glob("*_sums.json"):
        change(path, lambda it: it["eval"].update(model_generate_config={"temperature": 0.0}))
    assert read(logs, metric="all", higher_is_better=True).table["player"].n_unique() == 3


def test_logs_of_one_run_without_ids_of_their_own_all_count(logs: Path) -> None:
    plain = read(logs, metric="includes").table
    for path in logs.glob("*.json"):
        change(path, lambda log: log["eval"].update(eval_id=None, run_id="one run"))
    shutil.copy(logs / "alpha_sums.json", logs / "alpha_sums_again.json")
    assert read(logs, metric="includes").table.equals(plain)


def test_a_log_that_is_there_twice_counts_once(logs: Path) -> None:
    shutil.copy(logs / "beta_sums.json", logs / "copy.json")
    table = read(logs, metric="match")
    assert table.table.height == 72
    assert "1 log left out, because another file holds the same: 'copy.json'." in texts(table.notes)


# Packed logs --------------------------------------------------------------------------------------


def stand_in(monkeypatch: pytest.MonkeyPatch, give: Callable[[str], Any]) -> None:
    """A module that has inspect's function to read a log."""

    class Given:
        def __init__(self, path: str) -> None:
            self.path = path

        def model_dump(self, *, mode: str) -> Any:
            assert mode == "json"
            return give(self.path)

    def read_eval_log(path: str, *, exclude_fields: set[str]) -> Given:
        assert "scores" not in exclude_fields
        return Given(path)

    package, module = ModuleType("inspect_ai"), ModuleType("inspect_ai.log")
    vars(module)["read_eval_log"] = read_eval_log
    monkeypatch.setitem(sys.modules, "inspect_ai", package)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", module)
    monkeypatch.setattr("winodds.adapters.inspect_ai.find_spec", lambda _name: object())


def test_packed_logs_are_read_by_inspect(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    twin = SAMPLE / "alpha_sums.json"
    stand_in(monkeypatch, lambda _path: json.loads(twin.read_text()))
    for path in SAMPLE.glob("*_sums.json"):
        shutil.copy(path, tmp_path)
    plain = winodds.rate_logs(tmp_path)
    (tmp_path / "alpha_sums.json").unlink()
    shutil.copy(PACKED, tmp_path)
    assert facts(winodds.rate_logs(tmp_path)) == facts(plain)
    shutil.copy(twin, tmp_path)
    assert facts(winodds.rate_logs(tmp_path)) == facts(plain)


def test_packed_logs_need_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.adapters.inspect_ai.find_spec", lambda _name: None)
    assert sentence(MissingExtra, lambda: read(PACKED)) == (
        "Reading .eval files needs inspect-ai, which is not installed. Install what is missing: "
        "pip install 'winodds[inspect]'."
    )


def test_packed_logs_that_inspect_cannot_read_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: str) -> None:
        raise KeyError("samples")

    stand_in(monkeypatch, fail)
    assert sentence(Unreadable, lambda: read(PACKED)) == (
        f"'{PACKED}' cannot be read: inspect cannot read it ('samples')."
    )


# What is not sound --------------------------------------------------------------------------------


def test_other_files_of_a_folder_are_named(logs: Path) -> None:
    (logs / "logs.json").write_text('{"a": 1}')
    change(logs / "gamma_sums.json", lambda it: it.update(samples=None, status="started"))
    said = texts(read(logs, metric="match").notes)
    assert "1 file left out, because it is no log: 'logs.json'." in said
    assert "1 log left out, because it has no samples: 'gamma_sums.json (started)'." in said


def test_a_truncated_log_is_named(logs: Path) -> None:
    path = logs / "beta_sums.json"
    path.write_bytes(path.read_bytes()[:5000])
    assert sentence(Unreadable, lambda: read(logs, metric="match")).startswith(
        f"'{path}' cannot be read: it is no whole JSON ("
    )


@pytest.mark.parametrize("edit", [{"model": None}, {"model": ""}, {"task": 3}])
def test_a_log_without_a_model_or_task_is_refused(logs: Path, edit: dict[str, Any]) -> None:
    change(logs / "beta_sums.json", lambda document: document["eval"].update(edit))
    assert sentence(NotThisSource, lambda: read(logs, metric="match")) == (
        f"'{logs / 'beta_sums.json'}' cannot be read as logs of inspect-ai: its 'eval' names no "
        "model, or no task."
    )


@pytest.mark.parametrize("value", [None, 3, "x", [1], {"a": 1}])
@pytest.mark.parametrize("key", ["results", "plan", "stats", "status", "samples"])
def test_parts_of_another_type_end_in_words(logs: Path, key: str, value: object) -> None:
    for path in logs.glob("*_sums.json"):
        change(path, lambda document: document.update({key: value}))
    try:
        found = winodds.rate_logs(logs, metric="match")
    except winodds.WinoddsError:
        assert key == "samples"
    else:
        assert len(found) == 3


def test_a_value_that_is_no_score_is_a_failure_and_not_0(logs: Path) -> None:
    sample = logs / "beta_sums.json"
    change(sample, lambda it: it["samples"][0]["scores"]["match"].update(value="B"))
    lost = read(logs, metric="match").table.filter(pl.col("status") != "ok")
    assert lost.select("player", "round", "reason").rows() == [
        ("mockllm/beta", "sum-0/1", "the score is B")
    ]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert sentence(NotThisSource, lambda: read(tmp_path, source="inspect")) == (
        f"'{tmp_path}' cannot be read as logs of inspect-ai: there are no logs."
    )


def _update(log: dict[str, Any], **own: Any) -> None:
    log["eval"] |= own


def test_long_settings_are_short_in_names_and_still_tell_players_apart(logs: Path) -> None:
    long = "Think step by step.\n" * 50
    for k, name in enumerate(("alpha", "beta")):
        settings = {"system": f"{long}{k}", "device": f"cuda:{k}", "custom_outputs": [name] * 99}
        change(
            logs / f"{name}_sums.json",
            partial(_update, model="m", model_args=settings),
        )
    names = read(logs, metric="match").table["player"].unique(maintain_order=True).to_list()
    assert names[2] == "mockllm/gamma"
    assert [name[:35] for name in names[:2]] == ['m (system="Think step by step.\\nThi'] * 2
    assert len(set(names)) == 3
    assert max(map(len, names)) < 60


def test_long_arguments_of_tasks_are_short_in_their_names(logs: Path) -> None:
    for name in ("alpha", "beta"):
        prompt = {"prompt": "Answer.\n" * 40}
        change(logs / f"{name}_sums.json", partial(_update, task_args=prompt))
    (said,) = (it for it in read(logs, metric="match").notes if it.name == "run_differently")
    named = next(iter(said.facts["runs"]))
    assert named.startswith('sums [prompt="Answer.\\nAnswer.\\n')
    assert len(named) < 80


@pytest.mark.parametrize("seconds", [10**400, 1e400, "1", None])
def test_odd_times_are_no_times(logs: Path, seconds: object) -> None:
    change(logs / "alpha_sums.json", lambda log: log["samples"][0].update(total_time=seconds))
    table = read(logs, metric="match").table
    assert table.height == 72
    assert table["score_seconds"].null_count() == 1
