"""Cut the built-in results out of the experiment of 2019 (docs/study.md).

Each algorithm's default and four of its ten settings on four of the eleven data sets, over all
twenty splits: 1,600 real fits, with the columns ``model,family,dataset,split,auc``. Settings were
drawn at random, several hyperparameters at a time. Here each is named after the one that says most,
so that a person can read it; the whole setting stays in the experiment's table.

Data sets were chosen for what they show: on heart one model is likely the best, on breast_cancer
two are as likely, and digits puts the models into another order.

Usage: ``python tools/make_demo_results.py [OUTPUT]``
"""

import json
import sys
from pathlib import Path

import polars as pl

ROOT = Path(__file__).resolve().parents[1]
EXPERIMENT = ROOT / "examples" / "study" / "scores.parquet"
OUTPUT = ROOT / "src" / "winodds" / "demo" / "results.csv"

DATASETS = ("breast_cancer", "digits", "heart", "wine")
SETTINGS = {
    "gradient_boosting": ("learning_rate", ("0.019", "0.046", "0.14", "0.48")),
    "knn": ("n_neighbors", ("4", "7", "9", "11")),
    "logistic_regression": ("C", ("0.16", "0.96", "3.7", "93")),
    "random_forest": ("max_depth", ("5", "7", "12", "19")),
}


def name_setting(player: str, family: str, hyperparameters: str) -> str | None:
    """The short name of a setting, or none where it is no part of the built-in results."""
    if player.endswith("(default)"):
        return player
    key, kept = SETTINGS[family]
    value = f"{json.loads(hyperparameters)[key]:.2g}"
    return f"{family}({key}={value})" if value in kept else None


def cut_results() -> pl.DataFrame:
    """The built-in results, sorted by data set, model and split."""
    table = pl.read_parquet(EXPERIMENT)
    rows = table.select("player", "family", "hyperparameters").iter_rows()
    return (
        table.with_columns(model=pl.Series([name_setting(*row) for row in rows]))
        .filter(pl.col("tournament").is_in(DATASETS), pl.col("model").is_not_null())
        .select(
            "model",
            "family",
            dataset="tournament",
            split=pl.col("round").str.strip_prefix("split ").cast(pl.Int64),
            auc="score",
        )
        .sort("dataset", "model", "split")
    )


if __name__ == "__main__":
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    output.write_text(cut_results().write_csv(float_precision=6), encoding="utf-8", newline="")
