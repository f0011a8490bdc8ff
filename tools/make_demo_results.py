"""Make Winodds' built-in demonstration results by training scikit-learn models.

Twenty models (five algorithms, four settings each, one of them scikit-learn's default) are
trained on twenty stratified splits of each of four real data sets that ship with scikit-learn,
and scored by ROC AUC on the held-out third of the rows.  Every model sees the same splits.  The
output is a CSV file of 1,600 rows with the columns ``model,family,dataset,split,auc``.

Models are trained on part of the other rows only (see `DATASETS`), so that the tasks are hard
enough to tell the models apart: with all of them a third of the scores on wine would be 1 and
more than a fifth of its pairs of models would tie, instead of a twentieth.

Nothing is downloaded.  Everything is seeded, so with the same versions of NumPy and scikit-learn
a second run writes the identical file.  A run takes about three minutes on one processor core.

Usage: ``python tools/make_demo_results.py [OUTPUT]``
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_wine,
)
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Settings = dict[str, Any]

SEED = 20240607
N_SPLITS = 20
TEST_SHARE = 1 / 3
COLUMNS = ("model", "family", "dataset", "split", "auc")
DEFAULT_OUTPUT = Path(__file__).resolve().parents[1] / "src" / "winodds" / "demo" / "results.csv"


class Algorithm(NamedTuple):
    """An algorithm and the settings it is tried with, beside scikit-learn's default."""

    build: Callable[..., Any]
    scaled: bool
    seeded: bool
    settings: tuple[Settings, ...]


class Model(NamedTuple):
    """One algorithm with one setting."""

    name: str
    algorithm: str
    settings: Settings


class Dataset(NamedTuple):
    """Where a data set comes from and the share of its rows that models are trained on."""

    load: Callable[[], tuple[FloatArray, IntArray]]
    train_share: float


class Result(NamedTuple):
    """One row of the output: the score of one model on one split of one data set."""

    model: str
    family: str
    dataset: str
    split: int
    auc: float


ALGORITHMS: dict[str, Algorithm] = {
    "hist_gradient_boosting": Algorithm(
        HistGradientBoostingClassifier,
        scaled=False,
        seeded=True,
        settings=({"learning_rate": 0.02}, {"min_samples_leaf": 5}, {"max_features": 0.3}),
    ),
    "knn": Algorithm(
        KNeighborsClassifier,
        scaled=True,
        seeded=False,
        settings=({"n_neighbors": 3}, {"n_neighbors": 15}, {"weights": "distance"}),
    ),
    "logistic_regression": Algorithm(
        LogisticRegression,
        scaled=True,
        seeded=False,
        settings=({"C": 0.01}, {"C": 0.1}, {"C": 10}),
    ),
    "random_forest": Algorithm(
        RandomForestClassifier,
        scaled=False,
        seeded=True,
        settings=({"n_estimators": 30}, {"max_depth": 3}, {"min_samples_leaf": 5}),
    ),
    "svm": Algorithm(
        SVC,
        scaled=True,
        seeded=False,
        settings=({"C": 0.1}, {"C": 10}, {"kernel": "linear"}),
    ),
}


def load_classes(loader: Callable[..., Any]) -> tuple[FloatArray, IntArray]:
    """Load a classification data set.

    Parameters
    ----------
    loader : callable
        The function of `sklearn.datasets` that loads it.

    Returns
    -------
    tuple of ndarray
        The features and the target.
    """
    features, target = loader(return_X_y=True)
    return features, target


def load_progression() -> tuple[FloatArray, IntArray]:
    """Load the diabetes data with the target 'progression above the median'.

    Returns
    -------
    tuple of ndarray
        The features and the target, 1 above the median and 0 otherwise.
    """
    features, progression = load_diabetes(return_X_y=True)
    return features, (progression > np.median(progression)).astype(np.int64)


DATASETS: dict[str, Dataset] = {
    "breast_cancer": Dataset(partial(load_classes, load_breast_cancer), train_share=0.15),
    "diabetes": Dataset(load_progression, train_share=0.5),
    "digits": Dataset(partial(load_classes, load_digits), train_share=0.1),
    "wine": Dataset(partial(load_classes, load_wine), train_share=0.25),
}


def list_models() -> list[Model]:
    """List every model, sorted by name.

    Returns
    -------
    list of Model
        Each algorithm with its default and its other settings, such as ``svm(C=10)``.
    """
    models = []
    for algorithm, (_, _, _, variants) in ALGORITHMS.items():
        for settings in ({}, *variants):
            label = " ".join(f"{key}={value}" for key, value in settings.items()) or "default"
            models.append(Model(f"{algorithm}({label})", algorithm, settings))
    return sorted(models)


def build_estimator(model: Model, seed: int) -> Any:
    """Build the unfitted scikit-learn estimator of a model.

    Parameters
    ----------
    model : Model
        The model.
    seed : int
        The random state of algorithms that draw random numbers.

    Returns
    -------
    object
        A scikit-learn classifier, behind a scaler where the algorithm wants one.
    """
    algorithm = ALGORITHMS[model.algorithm]
    random_state = {"random_state": seed} if algorithm.seeded else {}
    estimator = algorithm.build(**model.settings, **random_state)
    return make_pipeline(StandardScaler(), estimator) if algorithm.scaled else estimator


def class_scores(estimator: Any, features: FloatArray) -> FloatArray:
    """Score rows for each class, higher meaning more likely.

    Parameters
    ----------
    estimator : object
        A fitted scikit-learn classifier.
    features : ndarray
        The rows to score.

    Returns
    -------
    ndarray
        Probabilities, or the decision function of a classifier without them (the support vector
        machine): one column for each class, or one dimension (the scores of the second class) if
        there are two classes.
    """
    if not hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.decision_function(features), dtype=np.float64)
    probabilities = np.asarray(estimator.predict_proba(features), dtype=np.float64)
    return probabilities[:, 1] if probabilities.shape[1] == 2 else probabilities


def auc(target: IntArray, scores: FloatArray) -> float:
    """Compute the ROC AUC, for more than two classes the mean of one class versus the rest.

    Parameters
    ----------
    target : ndarray
        The true classes, 0 to the number of classes less one.
    scores : ndarray
        The scores as `class_scores` returns them.

    Returns
    -------
    float
        The area under the ROC curve.
    """
    if scores.ndim == 1:
        return float(roc_auc_score(target, scores))
    # Decision functions do not sum to one, as roc_auc_score(multi_class="ovr") wants.
    members = np.eye(scores.shape[1], dtype=np.int64)[target]
    return float(roc_auc_score(members, scores, average="macro"))


def evaluate(name: str, models: Sequence[Model]) -> Iterator[Result]:
    """Train and score every model on every split of a data set.

    Parameters
    ----------
    name : str
        The data set, a key of `DATASETS`.
    models : sequence of Model
        The models.

    Yields
    ------
    Result
        The score of one model on one split, splits counted from 1.
    """
    dataset = DATASETS[name]
    features, target = dataset.load()
    splitter = StratifiedShuffleSplit(
        N_SPLITS, test_size=TEST_SHARE, train_size=dataset.train_share, random_state=SEED
    )
    for split, (train, test) in enumerate(splitter.split(features, target), start=1):
        for model in models:
            estimator = build_estimator(model, seed=SEED + split)
            estimator.fit(features[train], target[train])
            score = auc(target[test], class_scores(estimator, features[test]))
            yield Result(model.name, model.algorithm, name, split, score)


def write_results(results: Sequence[Result], output: Path) -> None:
    """Write results as CSV, sorted by data set, model and split.

    Parameters
    ----------
    results : sequence of Result
        The results.
    output : Path
        The file to write; its folder is made if it is missing.
    """
    ordered = sorted(results, key=lambda result: (result.dataset, result.model, result.split))
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((*result[:-1], f"{result.auc:.6f}") for result in ordered)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the results and write them.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line without the program's name; by default that of the process.
    """
    parser = argparse.ArgumentParser(description="Make Winodds' built-in demonstration results.")
    parser.add_argument(
        "output", nargs="?", type=Path, default=DEFAULT_OUTPUT, help="CSV file (%(default)s)"
    )
    output: Path = parser.parse_args(arguments).output
    models = list_models()
    results: list[Result] = []
    # One thread: the data are small, and sums do not depend on the number of processors.
    with threadpool_limits(limits=1):
        for name in DATASETS:
            start = time.perf_counter()
            results.extend(evaluate(name, models))
            print(f"{name}: {time.perf_counter() - start:.0f} seconds")
    write_results(results, output)
    print(f"{len(results)} rows written to {output}")


if __name__ == "__main__":
    main()
