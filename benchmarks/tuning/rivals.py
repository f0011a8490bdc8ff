"""Ways to search, on the same scores of the same settings on the same splits.

Each gives its choice and which fits it paid for. Optuna's pruner and scikit-learn's halving are run
themselves; the others, which have no implementation that could be called, are written out.
"""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import optuna
from data_sets import DataSet
from numpy.typing import NDArray
from optuna.pruners import _wilcoxon
from pools import CANDIDATES, SPACES, SPLITS, TEST, draw_settings, make_model
from scipy import stats
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    HalvingRandomSearchCV,
    StratifiedKFold,
    StratifiedShuffleSplit,
    _validation,
    cross_validate,
)

from winodds.tune.race import Race
from winodds.tune.rules import Rules

MOST_SIGNS = 13
"""Differences up to which scipy goes through all signs."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

optuna.logging.set_verbosity(optuna.logging.ERROR)


@dataclass(frozen=True)
class Outcome:
    """What a way to search chose, and which settings × splits it paid for."""

    choice: int
    paid: Bools


wilcoxon: Callable[..., Any] = stats.wilcoxon

Way = Callable[[Floats], Outcome]


def full(scores: Floats) -> Outcome:
    """Everything is paid for, and the highest mean chosen."""
    return Outcome(int(scores.mean(axis=1).argmax()), np.ones(scores.shape, np.bool_))


def race(rules: Rules) -> Way:
    """A race of ours."""

    def search(scores: Floats) -> Outcome:
        found = Race(scores.shape[0], scores.shape[1], rules)
        while found.wanted:
            for setting, split in found.wanted:
                found.tell(setting, split, float(scores[setting, split]))
        return Outcome(found.choice, _prefixes(found.paid, scores))

    return search


def _prefixes(paid: NDArray[np.int64], scores: Floats) -> Bools:
    return np.asarray(np.arange(scores.shape[1]) < paid[:, None], np.bool_)


def halving_over_splits(scores: Floats, factor: int = 3) -> Outcome:
    """The best third by mean score gets three times the splits, up to all."""
    settings, splits = scores.shape
    rungs = [splits]
    while settings / factor ** len(rungs) >= 1 and rungs[0] // factor >= 1:
        rungs.insert(0, rungs[0] // factor)
    running, paid = np.arange(settings), np.zeros(settings, np.int64)
    for place, rung in enumerate(rungs):
        paid[running] = rung
        order = running[np.argsort(-scores[running, :rung].mean(axis=1), kind="stable")]
        last = place == len(rungs) - 1
        running = order[:1] if last else np.sort(order[: -(-running.size // factor)])
    return Outcome(int(running[0]), _prefixes(paid, scores))


def friedman(scores: Floats, alpha: float = 0.05, first: int = 5) -> Outcome:
    """irace's rule: Friedman's test, then Conover's comparison with the best, after each split."""
    settings, splits = scores.shape
    running, paid = np.arange(settings), np.full(settings, first)
    for split in range(first, splits + 1):
        paid[running] = split
        if running.size > 1:
            running = running[_kept(scores[running, :split], alpha)]
    return Outcome(int(running[scores[running].mean(axis=1).argmax()]), _prefixes(paid, scores))


def _kept(scores: Floats, alpha: float) -> Bools:
    """(k,) whom irace's test does not tell apart from the best."""
    settings, splits = scores.shape
    everybody = np.ones(settings, np.bool_)
    if settings == 2:
        difference = np.asarray(scores[0] - scores[1], np.float64)
        if not difference.any():
            return everybody
        p = float(stats.wilcoxon(difference, method="asymptotic").pvalue)  # type: ignore[call-overload]
        worse = int(np.median(difference) > 0.0)
        return everybody if p >= alpha else np.arange(2) != worse
    rank = stats.rankdata(-scores, axis=0)
    total, square = rank.sum(axis=1), float((rank**2).sum())
    middle = splits * settings * (settings + 1) ** 2 / 4.0
    if square <= middle:
        return everybody
    apart = float(((total - splits * (settings + 1) / 2.0) ** 2).sum())
    statistic = (settings - 1) * apart / (square - middle)
    if stats.chi2.sf(statistic, settings - 1) >= alpha:
        return everybody
    df = (splits - 1) * (settings - 1)
    within = 2.0 * (splits * square - float((total**2).sum())) / df
    limit = stats.t.ppf(1.0 - alpha / 2.0, df) * np.sqrt(max(within, 0.0))
    return np.asarray(total - total.min() <= limit, np.bool_)


def wilcoxon_pruner(scores: Floats) -> Outcome:
    """Optuna's own WilcoxonPruner, defaults; pruned trials give their mean, as its pages advise."""
    paid = np.zeros(scores.shape, np.bool_)

    def objective(trial: optuna.Trial) -> float:
        for split, score in enumerate(scores[trial.number].tolist()):
            paid[trial.number, split] = True
            trial.report(score, split)
            if trial.should_prune():
                return float(scores[trial.number, : split + 1].mean())
        return float(scores[trial.number].mean())

    quick = SimpleNamespace(wilcoxon=quick_wilcoxon)
    with warnings.catch_warnings(), patch.object(_wilcoxon, "ss", quick):
        warnings.simplefilter("ignore")
        pruner = optuna.pruners.WilcoxonPruner()
        sampler = optuna.samplers.RandomSampler(seed=0)
        study = optuna.create_study(direction="maximize", pruner=pruner, sampler=sampler)
        study.optimize(objective, n_trials=scores.shape[0])
    return Outcome(study.best_trial.number, paid)


def quick_wilcoxon(differences: Floats, *, alternative: str, zero_method: str) -> Any:
    """What `scipy.stats.wilcoxon` gives to the pruner, in a hundredth of the time.

    With ties or zeros among few differences scipy goes through all signs one by one, which takes
    about half a minute of each search.
    """
    size = np.abs(differences)
    tied = np.unique(size).size < size.size or not size.all()
    if not tied or size.size > MOST_SIGNS or zero_method != "zsplit":
        return wilcoxon(differences, alternative=alternative, zero_method=zero_method)
    rank = stats.rankdata(size) * (size > 0.0)
    signs = np.arange(2**size.size)[:, None] >> np.arange(size.size) & 1
    found, law = float(rank @ (differences > 0.0)), signs @ rank
    extreme = law <= found if alternative == "less" else law >= found
    return SimpleNamespace(pvalue=float(extreme.mean()))


def halving_over_samples(
    data: DataSet, algorithm: str, draw: int, search: int
) -> tuple[int, float]:
    """HalvingRandomSearchCV itself, on the same candidates: its choice, and its share of seconds.

    Its fits are timed by its own ``cv_results_``, and those of a full search by a hundred of them
    right after it, both in time of the processor, so that a busy machine harms neither.
    """
    halving = HalvingRandomSearchCV(
        make_model(algorithm),
        SPACES[algorithm],
        n_candidates=CANDIDATES,
        factor=3,
        min_resources="exhaust",
        cv=StratifiedKFold(5, shuffle=True, random_state=search),
        scoring="roc_auc" if data.classes == 2 else "accuracy",
        refit=False,
        random_state=draw,
    )
    settings = draw_settings(algorithm, draw)
    clock = SimpleNamespace(time=time.process_time)
    with warnings.catch_warnings(), patch.object(_validation, "time", clock):
        warnings.simplefilter("ignore")
        halving.fit(data.features, data.y)
        whole = seconds_of_full(data, algorithm, settings, search)
    found = halving.cv_results_
    spent = 5.0 * float((found["mean_fit_time"] + found["mean_score_time"]).sum())
    return settings.index(halving.best_params_), spent / whole


def seconds_of_full(
    data: DataSet, algorithm: str, settings: list[dict[str, Any]], search: int
) -> float:
    """Seconds of a full search, from every setting on two of its splits."""
    splitter = StratifiedShuffleSplit(2, test_size=TEST, random_state=search)
    total = 0.0
    for setting in settings:
        model = make_model(algorithm).set_params(**setting)
        scoring = "roc_auc" if data.classes == 2 else "accuracy"
        found = cross_validate(model, data.features, data.y, cv=splitter, scoring=scoring)
        total += float(found["fit_time"].sum() + found["score_time"].sum())
    return total * SPLITS / 2.0


WAYS: dict[str, Way] = {
    "full search": full,
    "prove": race(Rules(strategy="prove")),
    "prove, stop below .002": race(Rules(strategy="prove", stop=0.002)),
    "park, first 3": race(Rules()),
    "park, first 2": race(Rules(first=2)),
    "halving over splits": halving_over_splits,
    "irace's Friedman rule": friedman,
    "WilcoxonPruner": wilcoxon_pruner,
}
