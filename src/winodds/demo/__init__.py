"""Built-in results: 20 scikit-learn models on 4 data sets and 20 splits each.

They are a slice of the experiment of 2019 (docs/study.md), which ``tools/make_demo_results.py``
cuts. Four algorithms play, each with its default and four settings. These were drawn at random, and
each is named after one of its hyperparameters; the whole setting is in ``examples/study``. Data
sets are breast_cancer, digits and wine (scikit-learn) and heart (scikit-lego, from UCI).
"""

from importlib.resources import files
from typing import Any

import polars as pl

from winodds.api.scores import rate, rate_each
from winodds.board.leaderboard import Leaderboard
from winodds.season.season import Season

RESULTS = files(__package__) / "results.csv"
"""The file, with columns model, family, dataset, split and auc."""


ROLES: dict[str, Any] = {
    "player": "model",
    "round": "split",
    "score": "auc",
    "tournament": "dataset",
}


def load_results() -> pl.DataFrame:
    """The built-in results, one row for every model, data set and split.

    >>> load_results().columns
    ['model', 'family', 'dataset', 'split', 'auc']
    """
    return pl.read_csv(RESULTS.read_bytes())


def rate_results(*, family: str | None = None) -> Season:
    """A leaderboard for each data set of the built-in results.

    With ``family="family"`` the boards know the models' families.

    >>> list(rate_results())
    ['breast_cancer', 'digits', 'heart', 'wine']
    """
    return rate_each(load_results(), **ROLES, family=family)


def pool_results(*, family: str | None = None) -> Leaderboard:
    """One leaderboard of all data sets of the built-in results together.

    >>> pool_results().players[0]
    'logistic_regression(C=0.96)'
    """
    return rate(load_results(), **ROLES, family=family)
