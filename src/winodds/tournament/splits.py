"""Rows of a data set → rounds, by a spec or by a splitter of scikit-learn."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from winodds.adapters.splitters import describe_splitter
from winodds.arrays import Ints
from winodds.tournament.benchmark import Round
from winodds.tournament.data import Cases
from winodds.tournament.seeds import derive_seed
from winodds.tournament.spec import SplitSpec

SPLITTERS = {
    ("stratified", "folds"): "RepeatedStratifiedKFold",
    ("stratified", "number"): "StratifiedShuffleSplit",
    ("plain", "folds"): "RepeatedKFold",
    ("plain", "number"): "ShuffleSplit",
    ("grouped", "folds"): "GroupKFold",
    ("grouped", "number"): "GroupShuffleSplit",
    ("stratified-grouped", "folds"): "StratifiedGroupKFold",
    ("time", "folds"): "TimeSeriesSplit",
}


def split_cases(
    spec: SplitSpec, cases: Cases, name: str, seed: int
) -> tuple[list[Round], float | None]:
    """The rounds of a data set, and the share that each tests, if it is always the same."""
    own = derive_seed(seed, "splits", name)
    parts: list[tuple[Ints, Ints]] = []
    share = None
    repeats = spec.repeats if spec.kind in ("grouped", "stratified-grouped") else 1
    for repeat in range(repeats):
        splitter = _splitter(spec, own if repeat == 0 else derive_seed(own, repeat))
        parts += splitter.split(cases.x, cases.y, cases.groups)
        share = describe_splitter(splitter, len(parts)).share
    names = _names(spec, len(parts))
    return [Round(*it) for it in zip(names, *zip(*parts, strict=True), strict=True)], share


def _splitter(spec: SplitSpec, seed: int) -> Any:
    from sklearn import model_selection

    way = "folds" if spec.number is None else "number"
    make = getattr(model_selection, SPLITTERS[spec.kind, way])
    if spec.number is not None:
        return make(spec.number, test_size=spec.test, train_size=spec.train, random_state=seed)
    if spec.kind == "time":
        return make(spec.folds)
    if spec.kind in ("stratified", "plain"):
        return make(n_splits=spec.folds, n_repeats=spec.repeats, random_state=seed)
    return make(spec.folds, shuffle=True, random_state=seed)


def _names(spec: SplitSpec, splits: int) -> list[str]:
    """Names of rounds that sort as they are counted."""
    if spec.repeats == 1 or spec.folds is None:
        return name_rounds("fold" if spec.number is None else "split", splits)
    outer = name_rounds("repeat", spec.repeats)
    inner = name_rounds("fold", spec.folds)
    return [f"{repeat}, {fold}" for repeat in outer for fold in inner]


def name_rounds(noun: str, number: int) -> list[str]:
    """Numbered names.

    >>> name_rounds("split", 10)[8:]
    ['split 09', 'split 10']
    """
    width = len(str(number))
    return [f"{noun} {k:0{width}d}" for k in range(1, number + 1)]


def apply_splitter(
    cv: Any, cases: Cases, name: str, seed: int, *, classifiers: bool
) -> tuple[list[Round], float | None]:
    """The rounds that scikit-learn makes of ``cv``: a number of folds, a splitter or a list."""
    from sklearn.model_selection import check_cv

    splitter = check_cv(cv, cases.y, classifier=classifiers)
    if getattr(splitter, "random_state", 0) is None and getattr(splitter, "shuffle", True):
        # What would be drawn anew each time is drawn once, so that a run can go on.
        splitter = copy(splitter)
        splitter.random_state = derive_seed(seed, "splits", name)
    parts = [_as_rows(it) for it in splitter.split(cases.x, cases.y, cases.groups)]
    share = None if isinstance(cv, Sequence) else describe_splitter(cv, len(parts)).share
    names = name_rounds("split", len(parts))
    return [Round(it, *part) for it, part in zip(names, parts, strict=True)], share


def _as_rows(part: tuple[Any, Any]) -> tuple[Ints, Ints]:
    train, test = (np.flatnonzero(it) if it.dtype == bool else it for it in map(np.asarray, part))
    return train, test
