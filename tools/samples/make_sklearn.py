"""Searches of scikit-learn, saved as tables: python tools/samples/make_sklearn.py.

Scores are the same in every run; times are not.
"""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import loguniform
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401 - scikit-learn asks for it
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    HalvingGridSearchCV,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

FOLDER = Path(__file__).parents[2] / "tests" / "samples" / "sklearn"


def search_at_random() -> RandomizedSearchCV:
    """30 candidates of three kinds on 10 splits with three scorers; one cannot be fitted."""
    space = [
        {"model": [LogisticRegression(max_iter=200)], "model__C": loguniform(1e-3, 1e2)},
        {"model": [KNeighborsClassifier()], "model__n_neighbors": [-1, 1, 3, 5, 9, 15, 25]},
        {
            "model": [RandomForestClassifier(n_estimators=5, random_state=0)],
            "model__max_depth": [1, 2, 3, None],
            "model__max_features": ["sqrt", 0.5],
        },
    ]
    return RandomizedSearchCV(
        Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())]),
        space,
        n_iter=30,
        scoring=["accuracy", "roc_auc", "neg_log_loss"],
        refit="roc_auc",
        cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0),
        random_state=2,
    )


def search_by_halving() -> HalvingGridSearchCV:
    """Eight candidates, of which three and then one are left."""
    return HalvingGridSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": [1, 3, 7, 15], "weights": ["uniform", "distance"]},
        cv=StratifiedKFold(6, shuffle=True, random_state=0),
        scoring="balanced_accuracy",
        min_resources=60,
        random_state=0,
    )


def main() -> None:
    """Write the tables."""
    cases, classes = load_breast_cancer(return_X_y=True)
    chosen = np.random.default_rng(0).permutation(len(cases))[:200]
    cases, classes = cases[chosen, :8], classes[chosen]
    for name, search in {"random": search_at_random(), "halving": search_by_halving()}.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FitFailedWarning)
            warnings.filterwarnings("ignore", "One or more of the test scores", UserWarning)
            search.fit(cases, classes)
        table = pd.DataFrame(search.cv_results_)
        table.to_csv(FOLDER / f"{name}.csv", index=False)
        if name == "halving":
            table.to_json(FOLDER / f"{name}.jsonl", orient="records", lines=True)
            table.to_parquet(FOLDER / f"{name}.parquet", index=False)


if __name__ == "__main__":
    main()
