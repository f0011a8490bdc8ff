"""Results of scikit-learn's ``cross_validate``, by the names of the models."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from winodds.adapters import notes as note
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Wanted
from winodds.adapters.columns import (
    DIRECTION,
    FIT_SECONDS,
    METRIC,
    PLAYER,
    ROUND,
    SCORE,
    SCORE_SECONDS,
    TOURNAMENT,
    fail_infinite,
)
from winodds.adapters.errors import NotPaired, NotThisSource, UnknownMetric, WhichMetric
from winodds.adapters.metrics import EVERY
from winodds.adapters.scorers import direct_scorer, note_conventions
from winodds.arrays import Floats
from winodds.language.errors import BadOption
from winodds.language.words import count, list_names

NAME = "cross_validate"
TITLE = "results of cross_validate"
TEST = "test_"
TIMES = {"fit_time": FIT_SECONDS, "score_time": SCORE_SECONDS}


def are_cross_validated(results: Any) -> bool:
    """Whether this is a mapping from names to what ``cross_validate`` returned."""
    return (
        isinstance(results, Mapping)
        and len(results) > 0
        and all(
            isinstance(own, Mapping) and any(str(key).startswith(TEST) for key in own)
            for own in results.values()
        )
    )


def read_cross_validated(results: Mapping[Any, Mapping[str, Any]], wanted: Wanted) -> Adapted:
    """A table in which a split is a round, if all models were tested on the same splits."""
    if wanted.rounds is not None:
        raise BadOption(
            option="rounds", value=wanted.rounds, wanted="it is for halving searches only"
        )
    named = {str(name): own for name, own in results.items()}
    splits = _count_splits(named)
    paired = _check_pairing(named, splits)
    metrics, others = _choose(named, wanted.metric)
    frames = [
        _rows(name, own, metric).with_columns(
            pl.lit(direct_scorer(metric, wanted.higher_is_better)).alias(DIRECTION),
            pl.lit(metric if len(metrics) > 1 else None, pl.String).alias(TOURNAMENT),
        )
        for metric in metrics
        for name, own in named.items()
    ]
    frame, notes = fail_infinite(pl.concat(frames, how="diagonal"))
    notes += [] if paired else [note.pairing_on_trust()]
    notes += [note.other_metrics(others)] if others else []
    notes += [note.unknown_test_fraction(None)]
    notes += note_conventions(metrics) if wanted.higher_is_better is None else []
    return adapt_scores(
        frame,
        name=NAME,
        tool=TITLE,
        summary=f"{count(len(named), 'model')}, {count(splits, 'split')}",
        notes=notes,
    )


def _rows(name: str, own: Mapping[str, Any], metric: str) -> pl.DataFrame:
    scores = _floats(name, own, TEST + metric)
    times = {
        column: _floats(name, own, key)
        for key, column in TIMES.items()
        if key in own and np.shape(own[key]) == scores.shape
    }
    return pl.DataFrame(
        {
            PLAYER: [name] * scores.size,
            ROUND: [f"split{k}" for k in range(scores.size)],
            SCORE: scores,
            METRIC: [metric] * scores.size,
            **times,
        }
    )


def _floats(name: str, own: Mapping[str, Any], key: str) -> Floats:
    try:
        values = np.asarray(own[key], np.float64)
    except (TypeError, ValueError):
        values = np.empty((0, 0))
    if values.ndim != 1:
        reason = f"'{key}' of '{name}' is no list of numbers"
        raise NotThisSource(path=NAME, title=TITLE, reason=reason)
    return values


def _count_splits(named: Mapping[str, Mapping[str, Any]]) -> int:
    """How many splits all models have."""
    splits: dict[int, str] = {}
    for name, own in named.items():
        for key in own:
            if str(key).startswith(TEST):
                splits.setdefault(_floats(name, own, key).size, name)
    if len(splits) > 1:
        (few, one), (many, other), *_ = sorted(splits.items())
        reason = f"{one!r} has {count(few, 'split')} and {other!r} {many}"
        raise NotPaired(reason=reason)
    return next(iter(splits))


def _check_pairing(named: Mapping[str, Mapping[str, Any]], splits: int) -> bool:
    """Whether it is proven that all were tested on the same cases; refuses that they were not."""
    tested = {name: _tested(own.get("indices"), splits) for name, own in named.items()}
    known = {name: cases for name, cases in tested.items() if cases is not None}
    for (one, first), (other, second) in pairwise(known.items()):
        for split, (here, there) in enumerate(zip(first, second, strict=True)):
            if not np.array_equal(here, there):
                reason = f"the cases of split {split} of {one!r} are not those of {other!r}"
                raise NotPaired(reason=reason)
    return len(known) == len(named)


def _tested(indices: Any, splits: int) -> list[Any] | None:
    """The cases on which every split was tested, sorted; None where that is not told."""
    cases = indices.get("test") if isinstance(indices, Mapping) else None
    if not isinstance(cases, (list, tuple, np.ndarray)) or len(cases) != splits:
        return None
    if any(np.ndim(own) != 1 for own in cases):
        return None
    return [np.sort(own) for own in cases]


def _choose(
    named: Mapping[str, Mapping[str, Any]], metric: str | None
) -> tuple[list[str], Sequence[str]]:
    """The metrics that are rated, and the others."""
    own = [
        [str(key)[len(TEST) :] for key in it if str(key).startswith(TEST)] for it in named.values()
    ]
    known = list(dict.fromkeys(key for keys in own for key in keys))
    if metric is None and len(known) > 1:
        raise WhichMetric(metrics=known, what="scorers")
    if metric is not None and metric not in (*known, EVERY):
        raise UnknownMetric(metric=metric, metrics=known)
    chosen = [metric] if metric is not None and metric in known else known
    for name, keys in zip(named, own, strict=True):
        absent = [key for key in chosen if key not in keys]
        if absent:
            reason = f"'{name}' has no {list_names(TEST + key for key in absent)}"
            raise NotThisSource(path=NAME, title=TITLE, reason=reason)
    return chosen, [key for key in known if key not in chosen]
