"""Searches of scikit-learn: ``cv_results_`` as an object has it, as a dict or as a saved table.

A candidate is a player and a split is a round. Nothing of scikit-learn is imported: an object is
known by what it has.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import polars as pl

from winodds.adapters import notes as note
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.columns import (
    CLUSTER,
    DIRECTION,
    FAMILY,
    HYPERPARAMETERS,
    METRIC,
    PLAYER,
    ROUND,
    SCORE,
    TOURNAMENT,
    fail_infinite,
    write_settings,
)
from winodds.adapters.cross_validated import are_cross_validated, read_cross_validated
from winodds.adapters.errors import NotASearch, UnknownMetric, WhichMetric
from winodds.adapters.metrics import EVERY
from winodds.adapters.place import Place
from winodds.adapters.scorers import direct_scorer, name_scorer, note_conventions
from winodds.adapters.search_results import (
    HALVING,
    PAID,
    PARAMETER,
    SPLIT,
    TIMES,
    TITLE,
    Results,
    read_columns,
)
from winodds.adapters.splitters import describe_splitter
from winodds.arrays import Ints
from winodds.language.checks import check_choice
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.words import count
from winodds.table.errors import NamesNotText

SINGLE = "score"
"""The scorer of a search that has only one."""

LAST, ALL = "last", "all"


def read_search(
    search: Any,
    *,
    metric: str | None = None,
    rounds: str | None = None,
    higher_is_better: bool | None = None,
) -> Adapted:
    """The results of a search of scikit-learn as a table that knows its roles.

    A player is a candidate, named by the parameters that vary, and a round is a split.

    Parameters
    ----------
    search : a fitted search such as GridSearchCV, its ``cv_results_`` as a dict or a data frame,
        or results of ``cross_validate`` by the names of their models.
    metric : which scorer; "all" makes each a tournament. By default the only one, or the one that
        ``refit`` names.
    rounds : of a halving search, "last" for its last iteration with at least two candidates, the
        default, or "all".
    higher_is_better : the direction of a scorer whose name does not tell it. Scorers are taken as
        better when higher, as scikit-learn has it, unless they are called like errors.

    Returns
    -------
    Adapted
        For `rate`, or for `rate_each` with ``tournament="tournament"``.

    Examples
    --------
    >>> import winodds
    >>> tried = {"params": [{"C": 1.0}, {"C": 10.0}], "split0_test_score": [0.9, 0.8]}
    >>> tried |= {"split1_test_score": [0.7, 0.9], "split2_test_score": [0.9, 0.6]}
    >>> winodds.rate(winodds.read_search(tried)).players
    ('C=1', 'C=10')
    """
    if rounds is not None:
        check_choice("rounds", rounds, ADAPTER.rounds)
    wanted = Wanted(metric, rounds, higher_is_better)
    name = type(search).__name__
    if are_cross_validated(search):
        return read_cross_validated(search, wanted)
    if hasattr(search, "cv_results_"):
        return _adapt(read_columns(search.cv_results_, name), wanted, name=name, search=search)
    return _adapt(read_columns(_as_mapping(search), name), wanted, name=name)


def _as_mapping(search: Any) -> Mapping[str, Any]:
    """The columns of a dict or a data frame."""
    if isinstance(search, Mapping):
        return search
    if not hasattr(search, "columns") or not hasattr(search, "__getitem__"):
        fitted = hasattr(search, "fit") and hasattr(search, "get_params")
        raise NotASearch(kind=type(search).__name__, unfitted=fitted)
    return {str(name): list(search[name]) for name in search.columns}


# Saved tables -------------------------------------------------------------------------------------


def recognise(place: Place) -> bool:
    """Whether a table has scores of splits beside parameters."""
    columns = place.columns if place.kind == "table" else frozenset()
    parameters = any(name == "params" or name.startswith(PARAMETER) for name in columns)
    return parameters and any(SPLIT.fullmatch(name) for name in columns)


def read(place: Place, wanted: Wanted) -> Adapted:
    """The table that a data frame of ``cv_results_`` was saved as."""
    sheet = place.sheet
    numbers = [
        name for name in sheet.columns if SPLIT.fullmatch(name) or name in (*TIMES, *HALVING, PAID)
    ]
    columns: dict[str, Any] = {name: sheet.numbers(name).to_numpy() for name in numbers}
    for name in sheet.columns:
        if name.startswith(PARAMETER):
            columns[name] = sheet.values(name).to_list()
    if "params" in sheet.columns:
        # Parquet keeps them as one record with all keys; the single columns say the same.
        with suppress(NamesNotText):
            columns["params"] = sheet.written(["params"])["params"].to_list()
    return _adapt(read_columns(columns, place.path), wanted, name=place.path, places=sheet.place)


# Results → rows -----------------------------------------------------------------------------------


def _adapt(
    results: Results,
    wanted: Wanted,
    *,
    name: str,
    search: Any = None,
    places: Callable[[int], str] | None = None,
) -> Adapted:
    again = results.find_repeats()
    single = np.setdiff1d(np.arange(len(results.settings)), again)
    results = results.take(single)
    labels, notes = _choose_scorers(results, wanted.metric, search)
    notes += [note.repeated_candidates(len(again))] if again else []
    rows, told = _choose_rows(results, wanted.rounds)
    every = wanted.rounds == ALL
    frames = [
        _rows(results, scorer, rows, every=every).with_columns(
            pl.lit(label).alias(METRIC),
            pl.lit(direct_scorer(label, wanted.higher_is_better)).alias(DIRECTION),
            pl.lit(label if len(labels) > 1 else None, pl.String).alias(TOURNAMENT),
        )
        for scorer, label in labels.items()
    ]
    frame, infinite = fail_infinite(pl.concat(frames))
    options, splitting = _test_fraction(search, results.splits, every=every)
    notes += [*told, *splitting, *infinite, *_hidden_failures(results, labels, search)]
    if wanted.higher_is_better is None:
        notes += note_conventions(labels.values())
    ran = [single[rows[results.ran(split, rows)]] for split in range(results.splits)]
    line = np.tile(np.concatenate(ran), len(labels)).tolist()
    return adapt_scores(
        frame,
        name=name,
        tool=TITLE,
        summary=f"{count(rows.size, 'candidate')}, {count(results.splits, 'split')}",
        notes=notes,
        options=options,
        places=None if places is None else lambda row: places(line[row]),
    )


def _choose_scorers(
    results: Results, metric: str | None, search: Any
) -> tuple[dict[str, str], list[Note]]:
    """The scorers that are rated, with the names of what they measure."""
    scorers = list(results.scores)
    if scorers == [SINGLE]:
        label = name_scorer(getattr(search, "scoring", None)) or SINGLE
        if metric not in (None, label, SINGLE, EVERY):
            raise UnknownMetric(metric=str(metric), metrics=[label])
        return {SINGLE: label}, []
    refit = getattr(search, "refit", None)
    if metric is None and len(scorers) > 1:
        if refit not in scorers:
            raise WhichMetric(metrics=scorers, what="scorers")
        others = [scorer for scorer in scorers if scorer != refit]
        return {refit: refit}, [note.chosen_by_refit(refit, others)]
    if metric is not None and metric not in (*scorers, EVERY):
        raise UnknownMetric(metric=metric, metrics=scorers)
    if metric in scorers:
        others = [scorer for scorer in scorers if scorer != metric]
        return {metric: metric}, [note.other_metrics(others)] if others else []
    return {scorer: scorer for scorer in scorers}, []


def _choose_rows(results: Results, rounds: str | None) -> tuple[Ints, list[Note]]:
    """The candidates that are rated: of a halving search, those of an iteration, or all."""
    everyone = np.arange(len(results.settings))
    if results.iteration is None:
        if rounds is not None:
            wanted = "it is for halving searches, and this search has no iterations"
            raise BadOption(option="rounds", value=rounds, wanted=wanted)
        return everyone, []
    iterations, players = np.unique(results.iteration, return_counts=True)
    if rounds == ALL:
        return everyone, [note.all_iterations(len(iterations))]
    several = iterations[players > 1]
    last = several[-1] if several.size else iterations[-1]
    rows = everyone[results.iteration == last]
    resources = None if results.resources is None else float(results.resources[rows[0]])
    given = note.one_iteration(int(last), rows.size, resources, int(iterations[-1]))
    return rows, [given]


def _rows(results: Results, scorer: str, rows: Ints, *, every: bool) -> pl.DataFrame:
    """The scores of a scorer, split by split."""
    players = results.name_candidates()
    own: dict[str, Any] = {
        PLAYER: [players[k] for k in rows],
        FAMILY: [results.families[k] for k in rows],
        HYPERPARAMETERS: [write_settings(results.settings[k]) for k in rows],
        **{name: seconds[rows] for name, seconds in results.seconds.items()},
    }
    frame = pl.DataFrame(own, schema_overrides={FAMILY: pl.String, HYPERPARAMETERS: pl.String})
    return pl.concat(
        frame.with_columns(
            pl.Series(ROUND, [_round(results, split, k, every=every) for k in rows]),
            pl.lit(f"split{split}" if every else None, pl.String).alias(CLUSTER),
            pl.Series(SCORE, scores[rows]),
        ).filter(pl.Series(results.ran(split, rows)))
        for split, scores in enumerate(results.scores[scorer])
    )


def _round(results: Results, split: int, row: int, *, every: bool) -> str:
    if results.iteration is None or not every:
        return f"split{split}"
    return f"iter{results.iteration[row]:.0f}/split{split}"


def _test_fraction(search: Any, splits: int, *, every: bool) -> tuple[dict[str, Any], list[Note]]:
    """What follows from how a search splits the data, and a word about it."""
    if every:
        return {}, []
    if search is None or not hasattr(search, "cv"):
        return {}, [note.unknown_test_fraction(None)]
    splitter = describe_splitter(getattr(search, "splitter_", search.cv), splits)
    if splitter.share is None:
        return {}, [note.unknown_test_fraction(splitter.name)]
    return (
        {"test_fraction": splitter.share},
        [note.known_test_fraction(splitter.name, splitter.share)],
    )


def _hidden_failures(results: Results, scorers: Iterable[str], search: Any) -> list[Note]:
    """A doubt if fits that failed have a number for a score, and some score is that number."""
    value = getattr(search, "error_score", None)
    if not isinstance(value, (int, float)) or value != value:
        return []
    times = sum(int((results.scores[scorer] == value).sum()) for scorer in scorers)
    return [note.failures_as_scores(float(value), times)] if times else []


ADAPTER = Adapter("sklearn", TITLE, recognise, read, rounds=(LAST, ALL), table=True)
