"""The door of the adapters: what a place holds, and a table that knows its roles."""

from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest
from tables import sentence

import winodds
from adapters.samples import SAMPLES
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.columns import COLUMNS, spread_settings
from winodds.adapters.sources import adapters
from winodds.cli.main import run
from winodds.errors import (
    BadOption,
    DirectionContradicts,
    DirectionUnknown,
    NoSuchFile,
    UnknownMetric,
    UnknownSource,
    WhichMetric,
)
from winodds.language.options import Tool

SCORES = {"svm": (0.9, 0.8, 0.7, 0.9), "rf": (0.8, 0.9, 0.6, 0.8), "knn": (0.7, 0.6, 0.8, 0.5)}


def rows(metric: str = "auc", **more: object) -> list[dict[str, object]]:
    return [
        {"player": player, "round": str(k), "score": score, "metric": metric, **more}
        for player, own in SCORES.items()
        for k, score in enumerate(own)
    ]


def adapt(table: list[dict[str, object]], *, higher_is_better: bool | None = None) -> Adapted:
    return adapt_scores(
        pl.DataFrame(table), name="runs", tool="a tool", higher_is_better=higher_is_better
    )


def written(table: list[dict[str, object]], folder: Path, name: str = "scores.csv") -> Path:
    path = folder / name
    adapt(table).table.write_csv(path)
    return path


def test_names_of_the_adapters_are_those_that_commands_take() -> None:
    assert {"table", *adapters()} == set(get_args(Tool))


def test_a_table_that_knows_its_roles_is_rated_like_one_whose_roles_are_named() -> None:
    own = winodds.rate(adapt(rows()))
    plain = winodds.rate(pl.DataFrame(rows()), score="score", higher_is_better=True)
    assert [(row.player, row.epp, row.low) for row in own] == [
        (row.player, row.epp, row.low) for row in plain
    ]


def test_every_source_has_the_same_columns_and_its_own_behind_them() -> None:
    table = adapt(rows(topic="law")).table
    assert table.columns == [*COLUMNS, "topic"]
    assert table["direction"].unique().to_list() == ["up"]
    assert table["status"].unique().to_list() == ["ok"]


def test_a_direction_that_nobody_tells_is_asked_for() -> None:
    with pytest.raises(DirectionUnknown):
        adapt(rows("outcome"))
    assert adapt(rows("outcome"), higher_is_better=False).table["direction"][0] == "down"


def test_a_direction_against_what_is_known_is_refused() -> None:
    with pytest.raises(DirectionContradicts):
        adapt(rows("auc"), higher_is_better=False)
    with pytest.raises(BadOption):
        winodds.rate(adapt(rows()), higher_is_better=False)


def test_hyperparameters_that_vary_become_columns() -> None:
    table = adapt(
        [
            *rows(hyperparameters='{"C": 1, "kernel": "rbf", "score": 1, "seed": 0}')[:4],
            *rows(hyperparameters='{"C": 2.5, "kernel": null, "score": 2, "seed": 0}')[4:],
        ]
    ).table
    spread, names = spread_settings(table)
    assert names == ("C", "kernel", "hyperparameters.score")
    assert spread["C"].unique().sort().to_list() == [1.0, 2.5]
    assert spread["kernel"].unique().sort().to_list() == [None, "rbf"]


def test_what_is_known_of_rounds_says_nothing_where_tournaments_are_rated_together() -> None:
    table = [*rows(tournament="a", cluster="x"), *rows(tournament="b", cluster="y")]
    table = [{**row, "cluster": f"{row['tournament']}{row['round']}"} for row in table]
    source = adapt(table)
    assert source.knows["cluster"] == "cluster"
    assert winodds.rate(source).how.interval.cluster == "tournament"
    each = winodds.rate_each(source, tournament="tournament")
    assert each["a"].how.interval.cluster == "cluster"


def test_a_converted_table_knows_its_roles(tmp_path: Path) -> None:
    read = winodds.read_source(written(rows(tournament="iris"), tmp_path))
    assert isinstance(read, Adapted)
    assert read.knows["tournament"] == "tournament"
    assert winodds.rate(read).players == winodds.rate(adapt(rows())).players


def test_a_converted_table_with_two_metrics_asks_which(tmp_path: Path) -> None:
    path = written([*rows("auc"), *rows("accuracy")], tmp_path)
    assert sentence(WhichMetric, lambda: winodds.read_source(path)) == (
        "There are several metrics: 'auc', 'accuracy'. Choose one, for instance metric=\"auc\", or "
        'metric="all" for a board of each.'
    )
    assert sentence(UnknownMetric, lambda: winodds.read_source(path, metric="f1")) == (
        "There is no metric 'f1'; there are 'auc', 'accuracy'."
    )
    one = winodds.read_source(path, metric="accuracy")
    assert isinstance(one, Adapted)
    assert one.rows == 12
    every = winodds.read_source(path, metric="all")
    assert list(winodds.rate_each(every, tournament="tournament")) == ["accuracy", "auc"]
    refused = 'metric="all" is not possible; the same rounds would count once for each metric; '
    assert sentence(BadOption, lambda: winodds.rate(every)) == f"{refused}choose one."
    assert (
        sentence(BadOption, lambda: winodds.gate(every, baseline="svm", candidate="rf"))
        == f"{refused}choose one."
    )


def test_a_bad_row_of_a_chosen_metric_is_named_by_its_own_line(tmp_path: Path) -> None:
    table = [*rows("auc"), *rows("accuracy")]
    read = winodds.read_source(written(table, tmp_path), metric="accuracy")
    assert read.place(0) == "line 14"


def test_roles_that_are_named_make_a_plain_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(written(rows(), tmp_path))
    assert run(["rate", path, "--no-details"]) == 0
    assert "a table of winodds convert; 12 rows from a tool" in capsys.readouterr().err
    assert run(["rate", path, "--no-details", "--player", "player"]) == 0
    assert "12 rows; player = player, " in capsys.readouterr().err


def test_a_folder_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    known = ", ".join(adapters())
    assert sentence(UnknownSource, lambda: winodds.read_source(tmp_path)) == (
        f"'{tmp_path}' is a folder, and nothing in it is known: name one file with a table of "
        f"results, or say what it is with source= ({known})."
    )


def test_a_metric_of_a_plain_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("model,fold,auc\na,1,.9\nb,1,.8\na,2,.9\nb,2,.7\n")
    assert sentence(BadOption, lambda: winodds.read_source(path, metric="auc")) == (
        'metric="auc" is not possible; it is for logs of other tools, and this is a plain table; '
        "name its columns."
    )


@pytest.mark.parametrize(
    ("source", "option", "wanted"),
    [
        ("mlflow/folds.db", {"decimal": ","}, "runs of MLflow"),
        ("lm_eval", {"percent": True}, "results of the lm-evaluation-harness"),
        ("optuna/journal.log", {"encoding": "latin-1"}, "an Optuna study"),
    ],
)
def test_options_about_cells_are_refused_where_there_are_none(
    source: str, option: dict[str, Any], wanted: str
) -> None:
    with pytest.raises(BadOption) as caught:
        winodds.read_source(SAMPLES / source, **option)
    assert caught.value.wanted == (
        f"it says how cells of a table are read, and there are none in {wanted}"
    )


def test_cells_of_a_table_that_another_tool_wrote_are_read_as_asked(tmp_path: Path) -> None:
    text = (SAMPLES / "mlflow" / "runs.csv").read_text(encoding="utf-8")
    path = tmp_path / "runs.csv"
    path.write_bytes(text.encode("utf-16"))
    there = winodds.read_source(path, encoding="utf-16", metric="auc")
    plain = winodds.read_source(SAMPLES / "mlflow" / "runs.csv", metric="auc")
    assert isinstance(there, Adapted)
    assert isinstance(plain, Adapted)
    assert there.table.equals(plain.table)


def test_logs_that_are_not_there_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "logs"
    said = sentence(NoSuchFile, lambda: winodds.rate_logs(path))
    assert said == f"There is no file '{path}'."
