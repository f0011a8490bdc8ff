"""A table for bencheval, and a frame like TabArena's, whose gaps bencheval itself has filled.

The errors are made up; the columns of the second file are those of TabArena, and its imputed rows
come from `BenchmarkEvaluator.fillna_data`. TabArena's own results are too large for a sample.

Usage: ``python tools/samples/make_tabarena.py [FOLDER]``, with bencheval and pyarrow installed
(bencheval 0.1.0 made the stored files).
"""

import sys
from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "samples" / "tabarena"
ERROR = {"TabPFN": 0.10, "CatBoost": 0.13, "RF (default)": 0.18, "KNN": 0.25}
DATA = {
    "anneal": ("multiclass", "log_loss"),
    "churn": ("binary", "roc_auc"),
    "airfoil": ("regression", "rmse"),
}
SPLITS = 4
GAP = ("TabPFN", "airfoil")


def main(folder: Path) -> None:
    """Write the samples."""
    import pandas as pd
    from bencheval.evaluator import BenchmarkEvaluator

    folder.mkdir(parents=True, exist_ok=True)
    random = Random(7)
    rows = [
        (method, task, seed, round(error * random.uniform(0.7, 1.4), 6), 10 * error, error / 10)
        for task in DATA
        for method, error in ERROR.items()
        for seed in range(SPLITS)
    ]
    names = ["method", "task", "seed", "metric_error", "time_train_s", "time_infer_s"]
    data = pd.DataFrame(rows, columns=names)
    data.to_csv(folder / "bencheval.csv", index=False)
    evaluator = BenchmarkEvaluator(seed_column="seed")
    gap = (data["method"] == GAP[0]) & (data["task"] == GAP[1])
    filled = evaluator.fillna_data(data[~gap], fillna_method="RF (default)", imputed_col="imputed")
    frame = filled.rename(columns={"method": "framework", "task": "dataset", "seed": "fold"})
    frame["metric"] = frame["dataset"].map(lambda name: DATA[name][1])
    frame["problem_type"] = frame["dataset"].map(lambda name: DATA[name][0])
    frame["metric_error_val"] = 1.0 - frame["metric_error"]
    frame["impute_method"] = frame["imputed"].map({True: "RF (default)", False: None})
    frame.to_parquet(folder / "model_results.parquet", index=False)
    frame.to_csv(folder / "model_results.csv", index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
