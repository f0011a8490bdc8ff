"""Results of the lm-evaluation-harness: tasks or items as rounds, and files that are not sound."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import facts, sentence, texts

import winodds
from winodds import Adapted
from winodds.cli.main import run
from winodds.errors import (
    DirectionContradicts,
    DirectionUnknown,
    NothingLeft,
    NotThisSource,
    OneScoreEach,
    UnknownMetric,
    Unreadable,
    WhichMetric,
)

SAMPLE = Path(__file__).parents[1] / "samples" / "lm_eval"
NAMELESS = "q7x2m9aa"
MODELS = ["q7x2m9aa", "tiny/alpha", "tiny/beta", "tiny/gamma"]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "logs"))


def read(path: Path, **asked: Any) -> Adapted:
    found = winodds.read_source(path, **asked)
    assert isinstance(found, Adapted)
    return found


def results_of(folder: Path, model: str) -> Path:
    return next(folder.glob(f"*{model}/results_*.json"))


def change(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document, indent=2))


def items_by_hand(metric: str, filtered: str, tasks: tuple[str, ...]) -> pl.DataFrame:
    """The long table that somebody would make with a few lines of their own."""
    rows = []
    for path in SAMPLE.rglob("samples_*.jsonl"):
        task = path.name.split("_")[1]
        model = path.parent.name.replace("__", "/")
        rows += [
            {"model": model, "task": task, "item": str(row["doc_id"]), "score": row[metric]}
            for row in map(json.loads, path.read_text().splitlines())
            if task in tasks and row["filter"] == filtered
        ]
    return pl.DataFrame(rows)


# What is rated ------------------------------------------------------------------------------------


def test_items_are_rated_as_a_long_table_made_by_hand() -> None:
    own = winodds.rate_each(read(SAMPLE, metric="acc"), tournament="tournament")
    table = items_by_hand("acc", "none", ("capitals", "colours"))
    by_hand = winodds.rate_each(
        table,
        player="model",
        round="item",
        tournament="task",
        score="score",
        higher_is_better=True,
    )
    assert list(own) == list(by_hand) == ["capitals", "colours"]
    for task in own:
        assert own[task].rows[:] == by_hand[task].rows[:]


def test_a_mean_score_is_the_accuracy_that_the_harness_reports() -> None:
    board = winodds.rate_each(read(SAMPLE, metric="acc,none"), tournament="tournament")["capitals"]
    for row in board:
        path = results_of(SAMPLE, row.player.replace("/", "__"))
        reported = json.loads(path.read_text())["results"]["capitals"]["acc,none"]
        assert row.mean_score == pytest.approx(reported, abs=1e-12)


def test_tasks_are_rated_as_a_long_table_made_by_hand() -> None:
    own = winodds.rate(read(SAMPLE, metric="acc", rounds="tasks"))
    rows = []
    for path in SAMPLE.rglob("results_*.json"):
        document = json.loads(path.read_text())
        rows += [
            {"model": document["model_name"], "task": task, "acc": scores["acc,none"]}
            for task, scores in document["results"].items()
            if task in ("capitals", "colours")
        ]
    by_hand = winodds.rate(pl.DataFrame(rows), player="model", round="task", score="acc")
    assert own.rows[:] == by_hand.rows[:]


def test_groups_are_counted_with_their_tasks_and_not_twice() -> None:
    table = read(SAMPLE, metric="acc", rounds="tasks")
    assert table.table["round"].unique().sort().to_list() == ["capitals", "colours"]
    assert "1 group left out, because a group repeats its tasks: 'choices'." in texts(table.notes)


def test_perplexity_goes_down_and_errors_are_no_metrics() -> None:
    table = read(SAMPLE, rounds="tasks", metric="all").table
    ways = dict(table.select("metric", "direction").unique().iter_rows())
    assert ways == {"acc,none": "up"}
    every = read(SAMPLE, rounds="tasks", metric="all")
    assert texts(every.notes)[-1] == (
        "5 metrics left out, because one task has it, and one round rates nothing: "
        "'acc_norm,none', 'exact_match,strict', 'exact_match,flexible', 'word_perplexity,none', "
        "'bits_per_byte,none'."
    )


def test_direction_of_a_perplexity_is_that_of_the_file(logs: Path) -> None:
    for path in logs.rglob("results_*.json"):
        change(path, lambda document: document["results"].pop("echo"))
        change(path, lambda document: document["results"].pop("capitals"))
        change(path, lambda it: it["results"]["colours"].update({"bits_per_byte,none": 0.5}))
        change(path, lambda it: it["higher_is_better"]["colours"].update({"bits_per_byte": False}))
    table = read(logs, rounds="tasks", metric="bits_per_byte").table
    assert table["direction"].unique().to_list() == ["down"]
    assert table["round"].unique().sort().to_list() == ["colours", "prose"]


def test_perplexities_of_items_are_no_scores() -> None:
    table = read(SAMPLE, metric="acc")
    assert (
        "1 task left out, because samples hold no score of single items (a perplexity is of all): "
        "'prose'."
    ) in texts(table.notes)


def test_a_filter_is_part_of_the_metric() -> None:
    assert sentence(WhichMetric, lambda: read(SAMPLE, metric="exact_match")) == (
        "There are several metrics: 'exact_match,strict', 'exact_match,flexible'. Choose one, for "
        'instance metric="exact_match,strict", or metric="all" for a board of each.'
    )
    flexible = read(SAMPLE, metric="exact_match,flexible").table
    assert flexible.group_by("player").len()["len"].to_list() == [4, 4, 4, 4]
    assert flexible["score"].mean() == 0.5
    assert read(SAMPLE, metric="exact_match,strict").table["score"].mean() == 0.0


def test_two_metrics_that_all_tasks_share_ask_which(logs: Path) -> None:
    assert sentence(WhichMetric, lambda: read(SAMPLE)) == (
        "There are several metrics: 'acc,none', 'acc_norm,none', 'exact_match,strict', "
        '\'exact_match,flexible\'. Choose one, for instance metric="acc,none", or metric="all" '
        "for a board of each."
    )
    for path in logs.rglob("*_echo_*"):
        path.unlink()
    for path in logs.rglob("results_*.json"):
        change(path, lambda document: document["results"].pop("echo"))
    shared = read(logs)
    assert "The score is 'acc,none'; the logs also have 'acc_norm,none'." in texts(shared.notes)


def test_an_unknown_metric_is_refused() -> None:
    assert sentence(UnknownMetric, lambda: read(SAMPLE, metric="f1")) == (
        "There is no metric 'f1'; there are 'acc,none', 'acc_norm,none', 'exact_match,strict', "
        "'exact_match,flexible'."
    )


def test_every_metric_has_a_board_for_each_task() -> None:
    boards = winodds.rate_each(read(SAMPLE, metric="all"), tournament="tournament")
    assert list(boards) == [
        "acc,none: capitals",
        "acc,none: colours",
        "acc_norm,none: capitals",
        "exact_match,flexible: echo",
        "exact_match,strict: echo",
    ]


def test_fields_of_documents_that_repeat_are_columns() -> None:
    table = read(SAMPLE, metric="acc").table
    extra = [name for name in table.columns if name.startswith("doc.")]
    assert extra == ["doc.answer", "doc.passage_id", "doc.topic"]
    first = table.filter(pl.col("tournament") == "capitals", pl.col("round") == "7")
    assert first.select(extra).unique().rows() == [("1", "3", "south")]
    board = winodds.rate(read(SAMPLE, metric="acc_norm"), cluster="doc.passage_id")
    assert (board.how.interval.cluster, board.how.interval.clusters) == ("doc.passage_id", 6)


def test_a_model_without_a_name_goes_by_its_folder() -> None:
    table = read(SAMPLE, metric="acc")
    assert table.table["player"].unique().sort().to_list() == MODELS
    assert (
        "Models without a name of their own go by their arguments or folders: 'q7x2m9aa'."
    ) in texts(table.notes)


def test_a_model_without_a_name_goes_by_its_arguments_if_it_has_any(logs: Path) -> None:
    nameless = results_of(logs, NAMELESS)
    change(nameless, lambda document: document["config"].update(model_args="size=3,seed=1"))
    players = read(logs, metric="acc").table["player"].unique().to_list()
    assert "dummy (size=3, seed=1)" in players


def test_one_line_rates_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", str(SAMPLE), "--metric", "acc", "--no-details"]) == 0
    printed = capsys.readouterr()
    assert (
        f"{SAMPLE}: results of the lm-evaluation-harness; 4 models, 2 tasks, 20 items as rounds"
    ) in printed.err
    assert printed.out.startswith("All together: 4 players, 2 tournaments, 20 rounds, 120 matches")
    assert "The scores of all 20 items are 0 or 1: two models tie on an item" in printed.out


def test_logs_are_rated_in_one_line_of_python() -> None:
    board = winodds.rate_logs(SAMPLE, metric="acc", level=0.9)
    pooled = winodds.rate(read(SAMPLE, metric="acc"), level=0.9)
    assert facts(board) == facts(pooled)
    assert board.how.interval.cluster == "tournament"
    one = winodds.rate_logs(SAMPLE, metric="acc_norm")
    assert (one.tournament, one.how.interval.cluster) == ("capitals", "round")
    tasks = winodds.rate_logs(SAMPLE, metric="acc", rounds="tasks")
    assert tasks.how.matches.rounds == 2


def test_a_file_of_results_is_a_source_too() -> None:
    table = read(results_of(SAMPLE, "alpha"), metric="acc")
    assert table.table["player"].unique().to_list() == ["tiny/alpha"]
    assert table.summary == "1 model, 2 tasks, 20 items as rounds"


# What must agree ----------------------------------------------------------------------------------


def test_the_newest_result_of_a_model_and_task_counts(logs: Path) -> None:
    old = results_of(logs, "alpha")
    new = old.with_name("results_2026-02-01T12-00-00.000000.json")
    shutil.copy(old, new)
    change(new, lambda document: document["results"]["colours"].update({"acc,none": 0.125}))
    change(new, lambda document: document["results"].pop("capitals"))
    table = read(logs, metric="acc", rounds="tasks")
    alpha = table.table.filter(pl.col("player") == "tiny/alpha")
    kept = json.loads(old.read_text())["results"]["capitals"]["acc,none"]
    assert dict(alpha.select("round", "score").iter_rows()) == {"capitals": kept, "colours": 0.125}
    said = next(text for text in texts(table.notes) if "a newer one" in text)
    assert said.startswith(
        "3 results left out, because a newer one of the same model and task counts: "
        f"'tiny/alpha on colours in {old.name}'"
    )
    # Its samples belong to the old file, and there are none beside the new one.
    assert read(logs, metric="acc").summary == "4 models, 2 tasks as rounds"


@pytest.mark.parametrize(
    ("edit", "names"),
    [
        (
            lambda document: document["versions"].update(colours=2.0),
            ["colours [version 1.0]", "colours [version 2.0]"],
        ),
        (
            lambda document: document["n-shot"].update(colours=5),
            ["colours [0-shot]", "colours [5-shot]"],
        ),
        (
            lambda document: document["n-samples"]["colours"].update(effective=4),
            ["colours [8 items]", "colours [4 items]"],
        ),
        (
            lambda document: document["task_hashes"].update(colours="other"),
            ["colours [items 1]", "colours [items 2]"],
        ),
    ],
)
def test_tasks_that_were_run_in_another_way_never_meet(
    logs: Path, edit: Callable[[dict[str, Any]], object], names: list[str]
) -> None:
    for model in ("beta", "gamma"):
        change(results_of(logs, model), edit)
    table = read(logs, metric="acc", rounds="tasks")
    rounds = set(table.table["round"])
    assert rounds == {"capitals", *names}
    first = table.table.filter(pl.col("round") == names[0])["player"].to_list()
    assert first == ["q7x2m9aa", "tiny/alpha"]
    assert (
        f"'colours' was not run in the same way by all, and its ways never meet: "
        f"'{names[0]}' (2 runs), '{names[1]}' (2 runs)."
    ) in texts(table.notes)


def test_a_run_that_nobody_else_did_is_left_out_and_named(logs: Path) -> None:
    change(results_of(logs, "beta"), lambda document: document["versions"].update(colours=2.0))
    table = read(logs, metric="acc")
    colours = table.table.filter(pl.col("tournament").str.starts_with("colours"))
    assert colours["player"].unique().sort().to_list() == ["q7x2m9aa", "tiny/alpha", "tiny/gamma"]
    assert (
        "1 result left out, because no other model was run in the same way: "
        "'tiny/beta on colours [version 2.0]'."
    ) in texts(table.notes)


def test_a_run_with_a_limit_meets_others_on_its_items(logs: Path) -> None:
    path = next(logs.glob("*alpha/samples_colours_*"))
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    change(results_of(logs, "alpha"), lambda it: it["n-samples"]["colours"].update(effective=3))
    table = read(logs, metric="acc").table.filter(pl.col("tournament") == "colours")
    assert dict(table.group_by("player").len().iter_rows())["tiny/alpha"] == 3


@pytest.mark.parametrize("key", ["doc_hash", "prompt_hash", "target_hash"])
def test_items_that_are_not_the_same_never_meet(logs: Path, key: str) -> None:
    for model in ("beta", "gamma"):
        path = next(logs.glob(f"*{model}/samples_colours_*"))
        rows = [
            json.loads(line) | {key: f"other {k}"}
            for k, line in enumerate(path.read_text().splitlines())
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = read(logs, metric="acc").table
    names = set(table["tournament"])
    assert names == {"capitals", "colours [items 1]", "colours [items 2]"}


def test_prompts_may_differ_by_the_chat_template_of_a_model(logs: Path) -> None:
    path = next(logs.glob("*beta/samples_colours_*"))
    rows = [
        json.loads(line) | {"prompt_hash": "templated"} for line in path.read_text().splitlines()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    change(results_of(logs, "beta"), lambda document: document.update(chat_template="<|x|>"))
    assert set(read(logs, metric="acc").table["tournament"]) == {"capitals", "colours"}


def test_a_model_with_several_arguments_is_several_players(logs: Path) -> None:
    shutil.copytree(logs / "tiny__alpha", logs / "again")
    arguments = {"pretrained": "tiny/alpha", "revision": "step2", "device": "cpu"}
    change(results_of(logs, "again"), lambda it: it["config"].update(model_args=arguments))
    table = read(logs, metric="acc")
    players = {"tiny/alpha (default)", "tiny/alpha (revision=step2)"}
    assert players <= set(table.table["player"])
    assert any("was run with several settings" in text for text in texts(table.notes))


# What is not sound --------------------------------------------------------------------------------


def test_missing_samples_make_tasks_the_rounds(logs: Path) -> None:
    next(logs.glob("*beta/samples_colours_*")).unlink()
    assert read(logs, metric="acc").summary == "4 models, 2 tasks as rounds"
    items = read(logs, metric="acc", rounds="items")
    assert (
        "1 result left out, because there is no file of samples: 'tiny/beta on colours'."
    ) in texts(items.notes)


def test_one_task_rates_nothing(logs: Path) -> None:
    for path in logs.rglob("samples_*"):
        path.unlink()
    assert sentence(OneScoreEach, lambda: read(logs, metric="acc_norm")) == (
        "The task 'capitals' gives one score for each of 4 players, and one round rates nothing. "
        "Run more tasks, or keep the samples (lm_eval --log_samples) and rate items: "
        'rounds="items".'
    )
    with pytest.raises(NothingLeft):
        read(logs, metric="acc_norm", rounds="items")


def test_truncated_files_are_named(logs: Path) -> None:
    path = next(logs.glob("*beta/samples_colours_*"))
    path.write_bytes(path.read_bytes()[:-200])
    assert sentence(Unreadable, lambda: read(logs, metric="acc")).startswith(
        f"'{path}' cannot be read: line 8 is no whole JSON (Unterminated string"
    )
    results = results_of(logs, "beta")
    results.write_bytes(results.read_bytes()[:1000])
    with pytest.raises(Unreadable, match="results_2026-01-02"):
        read(logs, metric="acc")


@pytest.mark.parametrize("written", [[], {}, {"results": 3, "configs": 1, "versions": 2}])
def test_results_of_another_kind_are_no_results(tmp_path: Path, written: object) -> None:
    (tmp_path / "results_1.json").write_text(json.dumps(written))
    assert sentence(NotThisSource, lambda: read(tmp_path, source="lm-eval")) == (
        f"'{tmp_path}' cannot be read as results of the lm-evaluation-harness: there is no file "
        "results*.json with 'results', 'configs', 'versions' and 'n-shot'."
    )


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotThisSource):
        read(tmp_path, source="lm-eval")


@pytest.mark.parametrize("key", ["results", "versions", "n-shot", "n-samples", "config", "configs"])
@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_parts_of_another_type_end_in_words(logs: Path, key: str, value: object) -> None:
    for path in logs.rglob("results_*.json"):
        change(path, lambda document: document.update({key: value}))
    if key == "results":
        assert "holds no result" in sentence(NothingLeft, lambda: read(logs, metric="acc"))
    else:
        assert len(winodds.rate(read(logs, metric="acc"))) == 4


def test_samples_that_are_no_objects_or_have_no_id_are_refused(logs: Path) -> None:
    path = next(logs.glob("*beta/samples_colours_*"))
    path.write_text("[1]\n")
    assert sentence(Unreadable, lambda: read(logs, metric="acc")).endswith(
        "line 1 is no JSON object."
    )
    path.write_text('{"acc": 1.0, "filter": "none", "metrics": ["acc"]}\n')
    assert "has rows without a 'doc_id'" in sentence(
        NotThisSource, lambda: read(logs, metric="acc")
    )


@pytest.mark.parametrize("score", [None, 10**400, "0.5"])
def test_a_score_that_is_no_number_is_a_failure(logs: Path, score: object) -> None:
    path = next(logs.glob("*beta/samples_colours_*"))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[2]["acc"] = score
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    lost = read(logs, metric="acc").table.filter(pl.col("status") != "ok")
    assert lost.select("player", "round", "score", "reason").rows() == [
        ("tiny/beta", "2", None, "the score is no number")
    ]


def samples_of(folder: Path, model: str, task: str) -> Path:
    return next(folder.glob(f"*{model}/samples_{task}_*.jsonl"))


@pytest.mark.parametrize("model", [NAMELESS, "alpha"])
def test_samples_without_a_row_are_named_whoever_comes_first(logs: Path, model: str) -> None:
    samples_of(logs, model, "capitals").write_text("")
    table = read(logs, metric="acc_norm")
    name = model if model == NAMELESS else "tiny/alpha"
    assert table.table["player"].unique().sort().to_list() == [one for one in MODELS if one != name]
    left = f"1 result left out, because its samples have no such score: '{name} on capitals'."
    assert left in texts(table.notes)


def test_an_item_without_the_score_that_others_have_is_a_failure(logs: Path) -> None:
    path = samples_of(logs, "alpha", "capitals")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    del rows[0]["acc_norm"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    own = read(logs, metric="acc_norm").table.filter(pl.col("player") == "tiny/alpha")
    assert own.height == 12
    failed = own.filter(pl.col("status") == "failed").select("round", "reason").rows()
    assert failed == [(str(rows[0]["doc_id"]), "the score is no number")]


def test_a_metric_that_only_later_models_have_is_offered(logs: Path) -> None:
    path = samples_of(logs, NAMELESS, "capitals")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        del row["acc_norm"]
        row["metrics"] = ["acc"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = read(logs, metric="acc_norm")
    assert table.table["player"].unique().sort().to_list() == MODELS[1:]
    left = f"1 result left out, because its samples have no such score: '{NAMELESS} on capitals'."
    assert left in texts(table.notes)


@pytest.mark.parametrize("written", [None, {}, {"alias": "capitals"}])
def test_a_result_without_a_metric_is_named(logs: Path, written: object) -> None:
    change(results_of(logs, "alpha"), lambda found: found["results"].update(capitals=written))
    table = read(logs, metric="acc_norm")
    assert "1 result left out, without a metric: 'tiny/alpha on capitals'." in texts(table.notes)


def test_a_file_whose_results_are_no_object_holds_none(logs: Path) -> None:
    path = results_of(logs, "alpha")
    change(path, lambda found: found.update(results=[1]))
    left = f"1 file left out, because it holds no results: '{path.name}'."
    assert left in texts(read(logs, metric="acc_norm").notes)


def test_a_file_without_a_key_that_results_have_says_which(logs: Path) -> None:
    path = results_of(logs, "alpha")
    change(path, lambda found: [found.pop(key) for key in ("versions", "n-shot")])
    left = f"1 file left out, because it has no 'n-shot', 'versions': '{path.name}'."
    table = read(logs, metric="acc_norm")
    assert left in texts(table.notes)
    assert path not in table.files


def test_files_are_those_that_were_read(logs: Path) -> None:
    (logs / "notes.txt").write_text("mine")
    named = {path.name.partition("_2026")[0] for path in read(logs, metric="acc").files}
    assert named == {"results"} | {
        f"samples_{task}" for task in ("capitals", "colours", "echo", "prose")
    }
    tasks = read(logs, metric="acc", rounds="tasks").files
    assert {path.name.partition("_2026")[0] for path in tasks} == {"results"}


def test_a_board_of_one_metric_does_not_offer_all(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = (
        "There are several metrics: 'acc,none', 'acc_norm,none', 'exact_match,strict', "
        "'exact_match,flexible'. Choose one, for instance {}."
    )
    one = asked.format('metric="acc,none"')
    assert sentence(WhichMetric, lambda: winodds.rate_logs(logs)) == one
    assert run(["gate", str(logs), str(logs)]) == 2
    of_gate = asked.format("--metric acc,none")
    assert capsys.readouterr().err.splitlines()[-1] == f"Error: {of_gate}"


@pytest.mark.parametrize(
    "odd", [{"metrics": [{"a": 1}, ["acc"]]}, {"filter": {"a": [1]}}, {"doc": {"id": 10**400}}]
)
def test_odd_cells_of_a_sample_touch_that_sample_only(logs: Path, odd: dict[str, Any]) -> None:
    path = samples_of(logs, "alpha", "capitals")
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | odd), *rest]))
    rows = read(logs, metric="acc").table.filter(pl.col("player") == "tiny/alpha")
    assert rows.filter(pl.col("tournament") == "capitals").height == 12 - ("filter" in odd)


def test_directions_are_never_guessed(logs: Path) -> None:
    for path in logs.rglob("results_*.json"):
        change(path, lambda document: document.update(higher_is_better={}))
    for path in logs.rglob("*.json*"):
        path.write_text(path.read_text().replace("acc_norm", "wit"))
    with pytest.raises(DirectionUnknown):
        read(logs, metric="wit")
    assert read(logs, metric="wit", higher_is_better=True).table["direction"][0] == "up"
    with pytest.raises(DirectionContradicts):
        read(SAMPLE, metric="acc_norm", higher_is_better=False)


def test_many_items_are_read(tmp_path: Path) -> None:
    template = json.loads(results_of(SAMPLE, "alpha").read_text())
    for number, model in enumerate(("a", "b")):
        folder = tmp_path / model
        folder.mkdir()
        template["config"]["model_args"] = {"pretrained": model}
        template["model_name"] = model
        template["results"] = {"big": {"acc,none": 0.5, "acc_stderr,none": 0.1}}
        template["higher_is_better"] = {"big": {"acc": True}}
        (folder / "results_1.json").write_text(json.dumps(template))
        with (folder / "samples_big_1.jsonl").open("w") as file:
            file.writelines(
                f'{{"doc_id": {k}, "doc": {{"topic": "t{k % 3}"}}, "filter": "none", '
                f'"metrics": ["acc"], "doc_hash": "{k}", "acc": {float(k % 3 > number)}}}\n'
                for k in range(20_000)
            )
    board = winodds.rate_logs(tmp_path)
    assert board.how.matches.rounds == 20_000
    assert board.players == ("a", "b")
