"""Small results of the AutoML Benchmark, in its three shapes.

The benchmark itself runs for hours and cannot be installed from PyPI, so this is no output of the
tool: frameworks, scores and failures are made up, and only the columns, their order and the six
digits are those that it writes. A test reads a genuine file where one is at hand.

Usage: ``python tools/samples/make_amlb.py [FOLDER]``
"""

import csv
import sys
from pathlib import Path
from random import Random
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "samples" / "amlb"
SKILL = {"h2oautoml": 0.9, "autosklearn": 0.8, "randomforest": 0.6, "constantpredictor": 0.0}
TASKS = {
    "adult": ("binary", "auc"),
    "car": ("multiclass", "logloss"),
    "boston": ("regression", "rmse"),
}
FOLDS = 5
FAILED = {
    ("autosklearn", "car", 2): "Missing predictions.",
    ("h2oautoml", "adult", 4): "TimeoutError: 1h.",
}
RAW = (
    "id task framework fold result mode version params tag utc duration models seed info acc auc "
    "logloss"
)
TABLE = f"{RAW} type score imp_result imp_score norm_score"
NEW = (
    "id task framework constraint fold type result metric mode version params app_version utc "
    "duration training_duration predict_duration models_count seed info acc auc balacc logloss mae "
    "r2 rmse"
)


def measure(random: Random, kind: str, skill: float) -> dict[str, float]:
    """Metrics of one run, six digits each."""
    luck = skill + random.gauss(0.0, 0.15)
    if kind == "regression":
        rmse = 5.0 - 2.0 * luck
        found = {"rmse": rmse, "mae": 0.7 * rmse, "r2": 1.0 - rmse**2 / 30.0}
    elif kind == "binary":
        auc = min(0.5 + 0.4 * max(luck, 0.0), 0.999)
        found = {"auc": auc, "acc": 0.95 * auc, "balacc": 0.9 * auc, "logloss": 1.1 - auc}
    else:
        loss = 1.4 - 0.9 * luck
        found = {"acc": 0.9 - 0.3 * loss, "balacc": 0.85 - 0.3 * loss, "logloss": loss}
    return {name: float(f"{value:.6g}") for name, value in found.items()}


def runs() -> list[dict[str, Any]]:
    """Every run with all that any of the shapes shows of it."""
    random, rows = Random(2019), []
    for number, (task, (kind, metric)) in enumerate(TASKS.items(), 1):
        for framework, skill in SKILL.items():
            for fold in range(FOLDS):
                found = measure(random, kind, skill)
                info = FAILED.get((framework, task, fold))
                common = {
                    "id": f"openml.org/t/{number}", "task": task, "framework": framework,
                    "fold": fold, "type": kind, "mode": "docker", "version": "1.0", "params": "{}",
                    "tag": "stable", "app_version": "2.0", "utc": "2020-01-01T00:00:00",
                    "duration": 10.0 + fold, "training_duration": 9.0 + fold,
                    "predict_duration": 0.5, "models": 3, "models_count": 3,
                    "seed": random.randrange(10**9), "info": info, "main": metric,
                }  # fmt: skip
                rows.append({**common, **({} if info else found)})
    return rows


def shape_2019(row: dict[str, Any]) -> dict[str, Any]:
    """Log loss as it is, and imputed columns that are never empty."""
    result = row.get(row["main"])
    score = None if result is None else -result if row["main"] == "logloss" else result
    filled = 0.5 if result is None else result
    made_up = {"imp_result": filled, "imp_score": filled, "norm_score": 0.5}
    return {**row, "result": result, "score": score, **made_up}


def shape_2020(row: dict[str, Any], constraint: str = "1h8c") -> dict[str, Any]:
    """What is better when lower is turned round and called so."""
    turned = row["main"] != "auc"
    result = row.get(row["main"])
    result = None if result is None else -result if turned else result
    metric = f"neg_{row['main']}" if turned else row["main"]
    return {**row, "constraint": constraint, "result": result, "metric": metric}


def write(path: Path, columns: str, rows: list[dict[str, Any]]) -> None:
    """A CSV file with these columns."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns.split(), extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(folder: Path) -> None:
    """Write the samples."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = runs()
    old = [shape_2019(row) for row in rows if row["type"] != "regression"]
    write(folder / "amlb_2019_raw.csv", RAW, old)
    write(folder / "amlb_2019_table.csv", TABLE, old)
    write(folder / "amlb_2020.csv", NEW, [shape_2020(row) for row in rows])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
