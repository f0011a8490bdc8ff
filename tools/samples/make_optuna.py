"""Studies of Optuna, in an SQLite file and a journal: python tools/samples/make_optuna.py.

Needs optuna (4 or 5). Values are the same in every run; times and ids are not.
"""

import re
import sqlite3
import warnings
from functools import partial
from pathlib import Path
from random import Random

import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend

FOLDER = Path(__file__).parents[2] / "tests" / "samples" / "optuna"
FOLDS = 6
GOOD = {"svm": 0.85, "forest": 0.9, "bayes": 0.8}


def tune(trial: optuna.Trial) -> float:
    """A study with folds as steps, whose trials end in every way that there is."""
    random = Random(trial.number)
    kind = trial.suggest_categorical("classifier", list(GOOD))
    rate = trial.suggest_float("rate", 1e-3, 1.0, log=True)
    size = trial.suggest_int("size", 1, 50)
    scores = []
    for fold in range(FOLDS):
        score = GOOD[kind] - abs(rate - 0.1) / 10 + size / 2000 + random.gauss(0.0, 0.01)
        if trial.number == 4 and fold == 2:
            score = float("nan")
        trial.report(score, fold)
        scores.append(score)
        if trial.number == 7 and fold == 3:
            raise ValueError("out of memory")
        if trial.number >= 8 and trial.should_prune():
            raise optuna.TrialPruned
    known = [score for score in scores if score == score]
    return float("nan") if trial.number == 5 else sum(known) / len(known)


def weigh(trial: optuna.Trial, easy: float) -> tuple[float, float]:
    """A study with two objectives."""
    depth = trial.suggest_int("depth", 1, 4)
    random = Random(f"{depth} {easy}")
    return easy + depth / 20 + random.gauss(0.0, 0.03), 0.1 * depth + random.random() / 100


def make(storage: optuna.storages.BaseStorage) -> None:
    """A study of folds, and three over the same grid."""
    study = optuna.create_study(
        storage=storage,
        study_name="folds",
        direction="maximize",
        sampler=optuna.samplers.RandomSampler(seed=0),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=4, n_warmup_steps=1),
    )
    study.optimize(tune, n_trials=14, catch=(ValueError,))
    study.enqueue_trial({"classifier": "svm", "rate": 0.1, "size": 9})
    study.ask()
    study.enqueue_trial({"classifier": "svm", "rate": 0.2, "size": 9})
    for name, easy in {"iris": 0.7, "wine": 0.5, "digits": 0.6}.items():
        grid = optuna.samplers.GridSampler({"depth": [1, 2, 3, 4]}, seed=0)
        other = optuna.create_study(
            storage=storage, study_name=name, directions=["maximize", "minimize"], sampler=grid
        )
        other.set_metric_names(["accuracy", "seconds"])
        other.optimize(partial(weigh, easy=easy), n_trials=4)


def main() -> None:
    """Write both files."""
    optuna.logging.set_verbosity(optuna.logging.CRITICAL)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    database, journal = FOLDER / "study.db", FOLDER / "journal.log"
    for path in (database, journal):
        path.unlink(missing_ok=True)
    make(optuna.storages.RDBStorage(f"sqlite:///{database}"))
    make(JournalStorage(JournalFileBackend(str(journal))))
    text = re.sub(r'"worker_id":"[^"]*"', '"worker_id":"worker"', journal.read_text())
    journal.write_text(text)
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA page_size = 1024")
    connection.execute("VACUUM")
    connection.close()


if __name__ == "__main__":
    main()
