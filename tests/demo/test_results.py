"""The built-in results are a slice of the experiment of 2019."""

import importlib.util
from pathlib import Path

import polars as pl

from winodds.demo import RESULTS, load_results

ROOT = Path(__file__).resolve().parents[2]


def cut() -> pl.DataFrame:
    spec = importlib.util.spec_from_file_location("cut", ROOT / "tools" / "make_demo_results.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    table: pl.DataFrame = tool.cut_results()
    return table


def test_the_file_is_the_slice_that_the_tool_cuts() -> None:
    assert cut().write_csv(float_precision=6) == RESULTS.read_text(encoding="utf-8")


def test_every_model_is_one_player_of_the_experiment() -> None:
    """Of each model the 80 scores are those of one player there, and of another one for each."""
    study = pl.read_parquet(ROOT / "examples" / "study" / "scores.parquet").select(
        "player",
        family="family",
        dataset="tournament",
        split=pl.col("round").str.slice(-2).cast(pl.Int64),
        auc=pl.col("score").round(6),
    )
    shared = load_results().join(study, on=["family", "dataset", "split", "auc"])
    same = shared.group_by("model", "player").len().filter(pl.col("len") == 80)
    assert same["model"].n_unique() == same["player"].n_unique() == len(same) == 20


def test_the_results_have_the_shape_of_a_benchmark() -> None:
    results = load_results()
    assert results.columns == ["model", "family", "dataset", "split", "auc"]
    assert results["split"].unique().sort().to_list() == list(range(1, 21))
    models = results.group_by("family").agg(pl.col("model").n_unique()).sort("family")
    assert models.rows() == [
        ("gradient_boosting", 5),
        ("knn", 5),
        ("logistic_regression", 5),
        ("random_forest", 5),
    ]
    assert len(results) == len(results.unique(("model", "dataset", "split"))) == 20 * 4 * 20
