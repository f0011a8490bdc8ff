"""Runs of MLflow, in its SQLite file and as a table: python tools/samples/make_mlflow.py.

Needs mlflow-skinny with sqlalchemy, alembic and pandas. Values are the same in every run; times and
ids are not. Tables that have nothing to do with runs are dropped, for they take 900 KB.
"""

import sqlite3
import tempfile
from pathlib import Path
from random import Random

import mlflow
from mlflow.tracking import MlflowClient

FOLDER = Path(__file__).parents[2] / "tests" / "samples" / "mlflow"
KEPT = ("alembic_version", "experiments", "runs", "metrics", "params", "tags")
SETTINGS = [("svm", 0.1), ("svm", 1.0), ("svm", 10.0), ("ridge", 0.1), ("ridge", 1.0)]


def score(model: str, size: float, fold: int) -> float:
    """A score that hangs on nothing but its arguments."""
    random = Random(f"{model} {size} {fold}")
    return round(0.7 + 0.1 * (model == "svm") + size / 200 + random.gauss(0.0, 0.03), 6)


def log_folds() -> None:
    """A run for every fold, with what it is in its params; some failed, one was deleted."""
    mlflow.set_experiment("folds")
    for dataset in ("iris", "wine"):
        for model, size in SETTINGS:
            for fold in range(3):
                with mlflow.start_run(run_name=f"{model}-{size}"):
                    params = {"model": model, "C": size, "fold": fold, "dataset": dataset}
                    mlflow.log_params({**params, "seed": 7})
                    mlflow.log_metric("auc", score(model + dataset, size, fold))
                    mlflow.log_metric("log_loss", 1.0 - score(model + dataset, size, fold))
    client = MlflowClient()
    experiment = client.get_experiment_by_name("folds").experiment_id
    states = {"FAILED": 0, "KILLED": 1, "RUNNING": 2}
    for status, fold in states.items():
        run = client.create_run(experiment, run_name="ridge-10")
        for name, value in {"model": "ridge", "C": 10.0, "fold": fold, "dataset": "iris"}.items():
            client.log_param(run.info.run_id, name, value)
        if status != "RUNNING":
            client.set_terminated(run.info.run_id, status)
    run = client.create_run(experiment, run_name="mistake")
    client.log_metric(run.info.run_id, "auc", 0.99)
    client.set_terminated(run.info.run_id)
    client.delete_run(run.info.run_id)


def log_nested() -> None:
    """A parent for every setting, which also has the mean, and a run below it for every fold."""
    mlflow.set_experiment("nested")
    for model, size in SETTINGS:
        with mlflow.start_run(run_name=f"{model} {size}"):
            scores = [score(model, size, fold) for fold in range(5)]
            mlflow.log_metric("accuracy", sum(scores) / 5)
            for fold, own in enumerate(scores):
                with mlflow.start_run(run_name=f"fold {fold}", nested=True):
                    mlflow.log_metric("accuracy", own)


def log_steps() -> None:
    """A run for every setting, with a fold at each step; one value is NaN, one was logged twice."""
    mlflow.set_experiment("steps")
    for model, size in SETTINGS:
        with mlflow.start_run(run_name=f"{model}-{size}"):
            mlflow.log_params({"model": model, "C": size})
            for fold in range(6):
                lost = (model, size, fold) == ("svm", 0.1, 2)
                own = float("nan") if lost else 1.0 - score(model, size, fold)
                mlflow.log_metric("rmse", own, step=fold)
            if size == 10.0:
                mlflow.log_metric("rmse", 0.5, step=0)


def main() -> None:
    """Write a file for each way to log, and a table of the first."""
    for name, log in {"folds": log_folds, "nested": log_nested, "steps": log_steps}.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mlflow.db"
            mlflow.set_tracking_uri(f"sqlite:///{path}")
            mlflow.create_experiment(name, artifact_location="file:///artifacts")
            log()
            if name == "folds":
                table = mlflow.search_runs(experiment_names=[name])
                private = [key for key in table if key in PRIVATE]
                table.drop(columns=private).to_csv(FOLDER / "runs.csv", index=False)
            _shrink(path, FOLDER / f"{name}.db")


PRIVATE = ("artifact_uri", "tags.mlflow.user", "tags.mlflow.source.name")


def _shrink(path: Path, target: Path) -> None:
    """A copy with tables about runs only, and without names of people and paths."""
    target.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in found:
        if table not in KEPT and not table.startswith("sqlite_"):
            connection.execute(f'DROP TABLE "{table}"')
    named = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    for (index,) in connection.execute(named).fetchall():
        connection.execute(f'DROP INDEX "{index}"')
    connection.execute("DELETE FROM tags WHERE key LIKE 'mlflow.source%' OR key = 'mlflow.user'")
    connection.execute("UPDATE runs SET user_id = '', source_name = '', artifact_uri = ''")
    connection.execute("UPDATE experiments SET artifact_location = ''")
    connection.execute("DELETE FROM experiments WHERE name = 'Default'")
    connection.commit()
    connection.execute("PRAGMA page_size = 1024")
    connection.execute("VACUUM")
    connection.execute(f"VACUUM INTO '{target}'")
    connection.close()


if __name__ == "__main__":
    main()
