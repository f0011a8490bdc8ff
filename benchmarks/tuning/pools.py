"""Scores and seconds of settings on splits, fitted once and kept in files.

A pool is one data set, one algorithm and one draw of 50 settings, with scores on 120 splits. A
search may pay for 20 of these, and the other 100 say what its choice is worth; so a pool holds
several searches, whose paid splits have none in common. What exists is not fitted again, so the run
can be stopped and resumed at any time.
"""

import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from data_sets import NAMES, DataSet, load
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
    """Scores and seconds of one draw of settings, settings × splits."""

    data_set: str
    algorithm: str
    draw: int
    scores: Floats
    seconds: Floats

    @property
    def name(self) -> str:
        return f"{self.data_set}-{self.algorithm}-{self.draw}"

    def part(self, search: int) -> tuple[Floats, Floats, Floats]:
        """Of one search: scores and seconds of what it may pay for, and scores on fresh splits."""
        own = np.arange(self.scores.shape[1]) // SPLITS == search
        return self.scores[:, own], self.seconds[:, own], self.scores[:, ~own]


def make_model(algorithm: str) -> Pipeline:
    """The model whose settings vary, columns scaled."""
    forest = RandomForestClassifier(random_state=0)
    models = {"svm": SVC(), "knn": KNeighborsClassifier(), "forest": forest}
    return make_pipeline(StandardScaler(), models[algorithm])


def draw_settings(algorithm: str, draw: int) -> list[dict[str, Any]]:
    """The candidates of a search, as `RandomizedSearchCV` would draw them."""
    return list(ParameterSampler(SPACES[algorithm], CANDIDATES, random_state=draw))


def fill(folder: Path, wheel: Path, *, draws: int, log: bool = True) -> None:
    """Fit what is missing, one draw after the other, so that each adds a whole table."""
    folder.mkdir(parents=True, exist_ok=True)
    for draw in range(draws):
        for name in NAMES:
            data = load(name, wheel)
            for algorithm in ALGORITHMS:
                path = _path(folder, name, algorithm, draw)
                if path.exists():
                    continue
                start = time.perf_counter()
                _save(path, fit_pool(data, algorithm, draw))
                if log:
                    print(f"{path.stem}: {time.perf_counter() - start:.0f} s", flush=True)


def read_pools(folder: Path) -> list[Pool]:
    """All pools that have been fitted."""
    pools = []
    for path in sorted(folder.glob("*.npz")):
        name, algorithm, draw = path.stem.rsplit("-", 2)
        with np.load(path) as held:
            pools.append(Pool(name, algorithm, int(draw), held["scores"], held["seconds"]))
    return pools


def fit_pool(data: DataSet, algorithm: str, draw: int) -> Pool:
    """Fit and score every setting on every split."""
    settings = draw_settings(algorithm, draw)
    splitter = StratifiedShuffleSplit(SPLITS + FRESH, test_size=TEST, random_state=draw)
    splits = list(splitter.split(data.features, data.y))
    scores, seconds = np.empty((2, len(settings), len(splits)))
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for j, setting in enumerate(settings):
            model = make_model(algorithm).set_params(**setting)
            for t, (train, test) in enumerate(splits):
                start = time.process_time()
                scores[j, t] = _fit_and_score(model, data, train, test)
                seconds[j, t] = time.process_time() - start
    return Pool(data.name, algorithm, draw, scores, seconds)


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


def _path(folder: Path, name: str, algorithm: str, draw: int) -> Path:
    return folder / f"{name}-{algorithm}-{draw}.npz"


def _save(path: Path, pool: Pool) -> None:
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, scores=pool.scores, seconds=pool.seconds)
    partial.rename(path)
