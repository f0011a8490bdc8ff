"""Scores and seconds of settings on splits, fitted once and kept in files.

A pool is one data set, one algorithm and one draw of 50 settings, with scores on 120 splits. A
search may pay for 20 of these, and the other 100 say what its choice is worth; so a pool holds
several searches, whose paid splits have none in common. Only what a search may pay for is fitted
for all settings, and on its other splits only what was chosen. What exists is not fitted again, so
the run can be stopped and resumed at any time.
"""

import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from data_sets import DataSet
from numpy.typing import NDArray
from scipy.stats import loguniform, randint, rankdata
from sklearn import config_context
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import ParameterSampler, StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ALGORITHMS = ("svm", "knn", "forest")
CANDIDATES = 50
SPLITS = 20
FRESH = 100
SEARCHES = 5
TEST = 0.25

SPACES: dict[str, dict[str, Any]] = {
    "svm": {"svc__C": loguniform(1e-2, 1e3), "svc__gamma": loguniform(1e-4, 1e1)},
    "knn": {
        "kneighborsclassifier__n_neighbors": randint(1, 40),
        "kneighborsclassifier__weights": ["uniform", "distance"],
        "kneighborsclassifier__p": [1, 2, 3],
    },
    "forest": {
        "randomforestclassifier__n_estimators": randint(3, 13),
        "randomforestclassifier__max_depth": [None, 2, 4, 8],
        "randomforestclassifier__min_samples_leaf": randint(1, 20),
        "randomforestclassifier__max_features": ["sqrt", 0.3, 0.6, 1.0],
    },
}


@dataclass(frozen=True)
class Pool:
    """Scores and seconds of one draw of settings, settings × splits; NaN where there is no fit."""

    data_set: str
    algorithm: str
    draw: int
    scores: Floats
    seconds: Floats

    @property
    def name(self) -> str:
        return f"{self.data_set}-{self.algorithm}-{self.draw}"

    def own(self, search: int) -> Bools:
        """(T,) which splits a search may pay for; the others are fresh to it."""
        return np.asarray(np.arange(self.scores.shape[1]) // SPLITS == search, np.bool_)

    def part(self, search: int) -> tuple[Floats, Floats, Floats]:
        """Of one search: scores and seconds of what it may pay for, and scores on fresh splits."""
        own = self.own(search)
        return self.scores[:, own], self.seconds[:, own], self.scores[:, ~own]


def make_model(algorithm: str) -> Pipeline:
    """The model whose settings vary, columns scaled."""
    forest = RandomForestClassifier(random_state=0)
    models = {"svm": SVC(), "knn": KNeighborsClassifier(), "forest": forest}
    return make_pipeline(StandardScaler(), models[algorithm])


def draw_settings(algorithm: str, draw: int) -> list[dict[str, Any]]:
    """The candidates of a search, as `RandomizedSearchCV` would draw them."""
    return list(ParameterSampler(SPACES[algorithm], CANDIDATES, random_state=draw))


def read_pool(folder: Path, data_set: str, algorithm: str, draw: int) -> Pool:
    """What was fitted of a pool; nothing of one that was not begun."""
    path = folder / f"{data_set}-{algorithm}-{draw}.npz"
    if not path.exists():
        shape = CANDIDATES, SPLITS + FRESH
        return Pool(data_set, algorithm, draw, np.full(shape, np.nan), np.full(shape, np.nan))
    with np.load(path) as held:
        return Pool(data_set, algorithm, draw, held["scores"], held["seconds"])


def read_pools(folder: Path) -> list[Pool]:
    """All pools that were begun."""
    parts = [path.stem.rsplit("-", 2) for path in sorted(folder.glob("*.npz"))]
    return [read_pool(folder, name, algorithm, int(draw)) for name, algorithm, draw in parts]


def complete(pool: Pool, data: DataSet, wanted: Bools, folder: Path) -> None:
    """Fit what is wanted, settings × splits, and is not there yet, and keep it."""
    missing = wanted & np.isnan(pool.scores)
    if not missing.any():
        return
    settings = draw_settings(pool.algorithm, pool.draw)
    splitter = StratifiedShuffleSplit(SPLITS + FRESH, test_size=TEST, random_state=pool.draw)
    splits = list(splitter.split(data.features, data.y))
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for j in np.flatnonzero(missing.any(axis=1)).tolist():
            model = make_model(pool.algorithm).set_params(**settings[j])
            for t in np.flatnonzero(missing[j]).tolist():
                start = time.process_time()
                pool.scores[j, t] = _fit_and_score(model, data, *splits[t])
                pool.seconds[j, t] = time.process_time() - start
    _save(folder / f"{pool.name}.npz", pool)


def _fit_and_score(model: Pipeline, data: DataSet, train: Any, test: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(data.features[train], data.y[train])
        if data.classes > 2:
            return float((model.predict(data.features[test]) == data.y[test]).mean())
        if hasattr(model, "decision_function"):
            return area_under_curve(data.y[test], model.decision_function(data.features[test]))
        return area_under_curve(data.y[test], model.predict_proba(data.features[test])[:, 1])


def area_under_curve(y: NDArray[Any], value: Floats) -> float:
    """Area under the ROC curve, ties half."""
    rank = rankdata(value)
    positive = y == 1
    n = int(positive.sum())
    return float((rank[positive].sum() - n * (n + 1) / 2) / (n * (y.size - n)))


def _save(path: Path, pool: Pool) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, scores=pool.scores, seconds=pool.seconds)
    partial.rename(path)
