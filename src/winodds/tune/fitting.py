"""One setting on one split: a fit, its score, what they took, or why there is none."""

import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_validate

from winodds.arrays import Ints

TEST = "test_"


@dataclass(frozen=True, slots=True)
class Task:
    """What all fits of a search have in common.

    Attributes
    ----------
    estimator : whose parameters vary.
    X, y : the data.
    scorer : of one metric or several.
    params : what estimator and scorer want besides, by name.
    raises : whether a fit that fails ends the search.
    """

    estimator: Any
    X: Any
    y: Any
    scorer: Any
    params: Mapping[str, Any]
    raises: bool


@dataclass(frozen=True, slots=True)
class Fitted:
    """What came of a fit.

    Attributes
    ----------
    scores : by metric; empty if the fit failed.
    fit_time, score_time : seconds.
    reason : why a fit failed, in a line.
    trace : and where.
    """

    scores: Mapping[str, float]
    fit_time: float
    score_time: float
    reason: str | None = None
    trace: str = ""

    @property
    def seconds(self) -> float:
        return self.fit_time + self.score_time


def fit_once(task: Task, setting: Mapping[str, Any], train: Ints, test: Ints) -> Fitted:
    """Fit a setting on a split and score it."""
    model = clone(task.estimator).set_params(**clone(dict(setting), safe=False))
    try:
        found = cross_validate(
            model,
            task.X,
            task.y,
            cv=[(train, test)],
            scoring=task.scorer,
            params=dict(task.params) or None,
            error_score="raise",
        )
    except Exception as error:
        if task.raises:
            raise
        said = [type(error).__name__, *str(error).strip().splitlines()[:1]]
        return Fitted({}, np.nan, np.nan, ": ".join(said), traceback.format_exc())
    scores = {
        name.removeprefix(TEST): float(own[0])
        for name, own in found.items()
        if name.startswith(TEST)
    }
    return Fitted(scores, float(found["fit_time"][0]), float(found["score_time"][0]))


def raise_own_error(
    task: Task, setting: Mapping[str, Any], splits: Iterable[tuple[Ints, Ints]]
) -> None:
    """Raise what is wrong with scoring, if nothing was scored although models could be fitted.

    That is the scorer's mistake, or the data's, and its own error tells more than that nothing was
    scored. Searches of scikit-learn, which fit one such setting on all data, end with it, too.
    """
    for train, test in splits:
        if fit_once(replace(task, scorer=_like_any, raises=False), setting, train, test).scores:
            fit_once(replace(task, raises=True), setting, train, test)


def _like_any(*_: Any) -> float:
    return 0.0
