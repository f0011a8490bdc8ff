"""Records of Every Eval Ever: read, and made of a board."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import polars as pl
import pytest
from tables import texts, three_by_three

import winodds
from winodds import Adapted
from winodds.errors import (
    BadOption,
    NoSuchFile,
    NotThisSource,
    OneScoreEach,
    Unreadable,
    WhichMetric,
)

SAMPLE = Path(__file__).parents[1] / "samples" / "every_eval_ever"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "records"))


def read(path: Path, **asked: Any) -> Adapted:
    found = winodds.read_source(path, **asked)
    assert isinstance(found, Adapted)
    return found


def change(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document, indent=2))


def find(folder: Path, evaluation: str, model: str) -> Path:
    return next(folder.glob(f"data/{evaluation}/tiny/{model}/*.json"))


def test_records_are_rated_as_a_long_table_made_by_hand() -> None:
    rows = []
    for path in SAMPLE.rglob("*.json"):
        record = json.loads(path.read_text())
        rows += [
            {
                "model": record["model_info"]["id"],
                "task": result["evaluation_name"],
                "accuracy": result["score_details"]["score"],
            }
            for result in record["evaluation_results"]
            if result["metric_config"]["metric_id"] == "accuracy"
        ]
    by_hand = winodds.rate(pl.DataFrame(rows), player="model", round="task", score="accuracy")
    assert winodds.rate_logs(SAMPLE, metric="accuracy").rows[:] == by_hand.rows[:]


def test_directions_are_those_of_the_records() -> None:
    table = read(SAMPLE, metric="all").table
    ways = dict(table.select("metric", "direction").unique().iter_rows())
    assert ways == {
        "accuracy": "up",
        "exact-match": "up",
        "lm-evaluation-harness.acc_norm": "up",
        "lm-evaluation-harness.bits_per_byte": "down",
        "lm-evaluation-harness.word_perplexity": "down",
    }


def test_several_metrics_ask_which() -> None:
    with pytest.raises(WhichMetric):
        read(SAMPLE)


def test_evaluations_of_one_data_set_are_one_cluster() -> None:
    table = read(SAMPLE, metric="exact-match")
    assert table.table.select("round", "cluster").unique().sort("round").rows() == [
        ("echo/flexible", "echo"),
        ("echo/strict", "echo"),
    ]
    assert "cluster" not in read(SAMPLE, metric="accuracy").knows


def test_the_newest_record_counts(records: Path) -> None:
    old = find(records, "colours", "alpha")
    new = old.with_name("new.json")
    shutil.copy(old, new)

    def renew(record: dict[str, Any]) -> None:
        record["evaluation_results"][0]["evaluation_timestamp"] = "1800000000"
        record["evaluation_results"][0]["score_details"]["score"] = 0.125

    change(new, renew)
    table = read(records, metric="accuracy")
    kept = table.table.filter(pl.col("round") == "colours", pl.col("player") == "tiny/alpha")
    assert kept["score"].to_list() == [0.125]
    assert (
        "1 result left out, because a newer one of the same model and evaluation counts."
    ) in texts(table.notes)


def test_results_of_another_source_never_meet(records: Path) -> None:
    path = find(records, "colours", "alpha")
    change(path, lambda record: record["source_metadata"].update(source_name="a page"))
    table = read(records, metric="accuracy")
    names = {"colours [a page]", "colours [lm-evaluation-harness]"}
    assert names <= set(table.table["round"])


def test_sums_and_unknown_levels_are_no_scores(records: Path) -> None:
    for model in ("alpha", "beta", "gamma"):
        path = find(records, "choices", model)
        change(path, lambda it: it["evaluation_results"][0].update(evaluation_name="Average"))
    path = find(records, "colours", "beta")

    def unknown(record: dict[str, Any]) -> None:
        record["evaluation_results"][0]["metric_config"]["has_unknown_level"] = True
        record["evaluation_results"][0]["score_details"]["score"] = -1

    change(path, unknown)
    table = read(records, metric="accuracy")
    assert set(table.table["round"]) == {"capitals", "colours"}
    assert "1 evaluation left out, because it sums up others: 'Average'." in texts(table.notes)
    assert table.table.filter(pl.col("status") != "ok")["reason"].to_list() == [
        "the level is unknown"
    ]


def test_two_results_of_one_metric_in_a_record_are_told_apart(records: Path) -> None:
    def double(record: dict[str, Any]) -> None:
        again = json.loads(json.dumps(record["evaluation_results"][0]))
        again["evaluation_result_id"] = "acc:strict"
        record["evaluation_results"].append(again)

    change(find(records, "colours", "beta"), double)
    metrics = set(read(records, metric="all").table["metric"])
    assert "accuracy [acc:strict]" in metrics


def test_one_evaluation_rates_nothing() -> None:
    with pytest.raises(OneScoreEach):
        read(SAMPLE / "data" / "colours")


@pytest.mark.parametrize(
    "edit",
    [
        lambda record: record.update(model_info=None),
        lambda record: record.update(evaluation_results=3),
        lambda record: record.update(evaluation_results=["x"]),
        lambda record: record["evaluation_results"][0].pop("evaluation_name"),
    ],
)
def test_records_with_missing_parts_are_refused(
    records: Path, edit: Callable[[dict[str, Any]], object]
) -> None:
    change(find(records, "colours", "beta"), edit)
    with pytest.raises(NotThisSource):
        read(records, metric="accuracy")


def test_truncated_records_and_empty_folders_are_refused(records: Path, tmp_path: Path) -> None:
    path = find(records, "colours", "beta")
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(Unreadable, match="000000000007"):
        read(records, metric="accuracy")
    with pytest.raises(NoSuchFile):
        read(tmp_path / "nothing", source="every-eval-ever")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotThisSource):
        read(tmp_path / "empty", source="every-eval-ever")


# A board as records -------------------------------------------------------------------------------

TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": [
        *("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata"),
        *("model_info", "eval_library", "evaluation_results"),
    ],
    "additionalProperties": False,
    "properties": {
        "schema_version": {"const": "0.3.0"},
        "evaluation_id": {"type": "string"},
        "retrieved_timestamp": {"type": "string"},
        "source_metadata": {
            "required": ["source_type", "source_organization_name", "evaluator_relationship"],
            "properties": {"source_type": {"enum": ["documentation", "evaluation_run"]}},
        },
        "eval_library": {"required": ["name", "version"]},
        "model_info": {
            "required": ["name", "id", "additional_details"],
            "properties": {
                "additional_details": {
                    **TEXTS,
                    "required": ["deployment_type", "model_availability"],
                }
            },
        },
        "evaluation_results": {
            "type": "array",
            "items": {
                "required": ["evaluation_name", "source_data", "metric_config", "score_details"],
                "properties": {
                    "source_data": {"required": ["dataset_name", "source_type"]},
                    "metric_config": {
                        "required": ["lower_is_better"],
                        "if": {
                            "required": ["score_type"],
                            "properties": {"score_type": {"const": "continuous"}},
                        },
                        "then": {"required": ["min_score", "max_score"]},
                    },
                    "score_details": {
                        "required": ["score"],
                        "properties": {
                            "score": {"type": "number"},
                            "details": TEXTS,
                            "uncertainty": {
                                "properties": {
                                    "standard_error": {"required": ["value"]},
                                    "confidence_interval": {"required": ["lower", "upper"]},
                                    "num_samples": {"type": "integer"},
                                }
                            },
                        },
                    },
                },
            },
        },
    },
}
"""What the schema 0.3.0 of Every Eval Ever asks for, in short."""


def board() -> winodds.Leaderboard:
    return winodds.rate(three_by_three(), higher_is_better=True)


def test_a_board_makes_records_that_the_schema_allows() -> None:
    records = board().to_every_eval_ever("toy", organization="We", retrieved=1767268800)
    for record in json.loads(json.dumps(records, allow_nan=False)):
        jsonschema.validate(record, SCHEMA)
    for path in SAMPLE.rglob("*.json"):
        genuine = {**SCHEMA, "additionalProperties": True}
        jsonschema.validate(json.loads(path.read_text()), genuine)


def test_records_say_what_the_board_says() -> None:
    found = board()
    record = found.to_every_eval_ever("toy", organization="We", retrieved=1767268800)[0]
    row = found.rows[0]
    assert record["evaluation_id"] == "toy/a/1767268800"
    assert record["model_info"]["id"] == row.player == "a"
    rating, mean = record["evaluation_results"]
    assert rating["metric_config"]["metric_id"] == "winodds.epp"
    assert rating["score_details"]["score"] == row.epp
    assert rating["score_details"]["uncertainty"]["confidence_interval"] == {
        "lower": row.low,
        "upper": row.high,
        "confidence_level": 0.95,
        "method": "robust",
    }
    assert rating["score_details"]["details"]["rank"] == "1"
    assert mean["score_details"]["score"] == row.mean_score
    assert mean["metric_config"]["lower_is_better"] is False


def test_open_intervals_are_left_out() -> None:
    table = pl.DataFrame({"player": ["a", "b"] * 3, "round": [1, 1, 2, 2, 3, 3], "s": [2, 1] * 3})
    found = winodds.rate(table, score="s", higher_is_better=True)
    results = found.to_every_eval_ever("toy", organization="We")[0]["evaluation_results"]
    uncertainty = results[0]["score_details"]["uncertainty"]
    assert ("confidence_interval" in uncertainty) == (found.rows[0].high is not None)


def test_a_relationship_that_the_schema_does_not_know_is_refused() -> None:
    with pytest.raises(BadOption):
        board().to_every_eval_ever("toy", organization="We", relationship="friend")  # type: ignore[arg-type]
