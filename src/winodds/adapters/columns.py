"""The columns that every source is brought to, so that sources can be joined.

A row is a score. Names are those that `winodds.rate` looks for by itself. A source may have more
columns behind these, to slice by or to name as clusters.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import polars as pl

from winodds.adapters.notes import infinite_scores
from winodds.language.notes import Note
from winodds.language.words import number
from winodds.table.directions import UP
from winodds.table.errors import DirectionContradicts, DirectionUnknown
from winodds.table.vocabulary import known_metric

PLAYER = "player"
TOURNAMENT = "tournament"
ROUND = "round"
SCORE = "score"
METRIC = "metric"
DIRECTION = "direction"
STATUS = "status"
REASON = "reason"
FAMILY = "family"
HYPERPARAMETERS = "hyperparameters"
CLUSTER = "cluster"
FIT_SECONDS = "fit_seconds"
SCORE_SECONDS = "score_seconds"
SOURCE = "source"

COLUMNS: dict[str, type[pl.DataType]] = {
    PLAYER: pl.String,
    TOURNAMENT: pl.String,
    ROUND: pl.String,
    SCORE: pl.Float64,
    METRIC: pl.String,
    DIRECTION: pl.String,
    STATUS: pl.String,
    REASON: pl.String,
    FAMILY: pl.String,
    HYPERPARAMETERS: pl.String,
    CLUSTER: pl.String,
    FIT_SECONDS: pl.Float64,
    SCORE_SECONDS: pl.Float64,
    SOURCE: pl.String,
}
"""The columns in their order. Hyperparameters are a JSON object; a cell that nothing is known of is
empty; a direction is "up" or "down"; a status is "ok", or a word for what happened instead."""

CONDITIONS = "conditions"
"""A column of sources that tell how tasks were run, such as "version 1, 5-shot": rounds of a task
that was run in two ways are not the same."""

CHOSEN_BY = "chosen_by"
"""A column of tables whose results were chosen from several of the same player and round: how."""

TEST_FRACTION = "test_fraction"
"""A column of tables that know which share of the data was tested in each round."""

OK = "ok"
FAILED = "failed"

LEFT, RIGHT, WINNER = "model_a", "model_b", "winner"
BATTLE_COLUMNS = (LEFT, RIGHT, WINNER, CLUSTER, SOURCE)
"""The columns of battles, in which a row is a match."""


def complete_scores(
    rows: pl.DataFrame, *, source: str, higher_is_better: bool | None = None
) -> pl.DataFrame:
    """The rows with all columns, in their order, with the direction of every score.

    Parameters
    ----------
    rows : at least players, rounds and scores; further columns stay behind the known ones.
    source : the tool's name.
    higher_is_better : the direction of metrics that neither the source nor their names tell.
    """
    missing = [
        pl.lit(None, dtype=kind).alias(name)
        for name, kind in COLUMNS.items()
        if name not in rows.columns
    ]
    frame = rows.with_columns(*missing).with_columns(
        pl.col(name).cast(kind) for name, kind in COLUMNS.items()
    )
    score = pl.col(SCORE).fill_nan(None)
    frame = frame.with_columns(
        score,
        pl.lit(source).alias(SOURCE),
        pl.coalesce(STATUS, pl.when(score.is_null()).then(pl.lit(FAILED)).otherwise(pl.lit(OK))),
    )
    frame = frame.with_columns(_directions(frame, higher_is_better))
    return frame.select(*COLUMNS, *(name for name in frame.columns if name not in COLUMNS))


def as_score(value: object) -> float | None:
    """A finite number of a log, such as a score or a time; None of anything else.

    >>> as_score(True), as_score(10**400), as_score(float("nan")), as_score("1")
    (1.0, None, None, None)
    """
    if not isinstance(value, (int, float)):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def fail_infinite(rows: pl.DataFrame) -> tuple[pl.DataFrame, list[Note]]:
    """The rows with infinite scores as failures, and a note if there are any."""
    infinite = pl.col(SCORE).is_infinite().fill_null(False)
    cells = {STATUS: FAILED, REASON: "infinite score", SCORE: None}
    found = int(rows.select(infinite.sum()).item())
    if not found:
        return rows, []
    old = [pl.lit(None, pl.String).alias(it) for it in (STATUS, REASON) if it not in rows.columns]
    frame = rows.with_columns(old).with_columns(
        pl.when(infinite).then(pl.lit(cell)).otherwise(pl.col(name)).alias(name)
        for name, cell in cells.items()
    )
    return frame, [infinite_scores(found)]


def _directions(frame: pl.DataFrame, given: bool | None) -> pl.Series:
    """The direction of every row, "up" or "down"; never guessed."""
    pairs = frame.select(METRIC, DIRECTION)
    known = pairs.unique(maintain_order=True)
    ways = [_direction(metric, word, given) for metric, word in known.iter_rows()]
    told = [
        way
        for way, (metric, word) in zip(ways, known.iter_rows(), strict=True)
        if word or _by_name(metric)
    ]
    if given is not None and len(told) == len(ways) and set(ways) == {_word(not given)}:
        raise DirectionContradicts(metric=str(known[METRIC][0]), higher_is_better=given)
    found = known.with_columns(pl.Series("way", ways, pl.String))
    joined = pairs.join(
        found, on=[METRIC, DIRECTION], how="left", nulls_equal=True, maintain_order="left"
    )
    return joined["way"].alias(DIRECTION)


def metric_direction(metric: str, higher_is_better: bool | None) -> str:
    """Which way is better, "up" or "down", by a metric's name or as the caller says."""
    by_name = _by_name(metric)
    if by_name is not None and higher_is_better is not None and by_name != _word(higher_is_better):
        raise DirectionContradicts(metric=metric, higher_is_better=higher_is_better)
    return _direction(metric, None, higher_is_better)


def _direction(metric: str | None, word: str | None, given: bool | None) -> str:
    if word is not None:
        return _word(word in UP)
    by_name = _by_name(metric)
    if by_name is not None:
        return by_name
    if given is None:
        raise DirectionUnknown(metric=metric or SCORE)
    return _word(given)


def _by_name(metric: str | None) -> str | None:
    known = known_metric(metric) if metric else None
    return None if known is None else _word(known.higher_is_better)


def _word(up: bool) -> str:
    return "up" if up else "down"


# Hyperparameters ----------------------------------------------------------------------------------


def write_settings(settings: Mapping[str, Any]) -> str | None:
    """Hyperparameters as the JSON object of a cell, keys sorted; None if there are none.

    What JSON has no word for is written as its text.

    >>> write_settings({"C": 1.0, "kernel": "rbf", "gamma": None})
    '{"C": 1.0, "gamma": null, "kernel": "rbf"}'
    """
    if not settings:
        return None
    plain = {str(name): _plain(value) for name, value in settings.items()}
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else value
    if isinstance(value, float) and value - value != 0.0:
        return repr(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def spread_settings(frame: pl.DataFrame) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The frame with a column for every hyperparameter that varies, and their names.

    One whose name is that of another column gets "hyperparameters." before it.
    """
    cells = frame[HYPERPARAMETERS]
    if cells.null_count() == cells.len():
        return frame, ()
    different = cells.unique(maintain_order=True)
    parsed = [json.loads(cell) if cell else {} for cell in different]
    code = cells.replace_strict(different, range(len(different)), return_dtype=pl.Int64)
    columns = []
    for name in dict.fromkeys(key for settings in parsed for key in settings):
        values = _one_kind([settings.get(name) for settings in parsed])
        if values.n_unique() > 1:
            taken = name in frame.columns
            columns.append(
                values.gather(code).alias(f"{HYPERPARAMETERS}.{name}" if taken else name)
            )
    return frame.with_columns(columns), tuple(column.name for column in columns)


def _one_kind(values: list[Any]) -> pl.Series:
    """Numbers, if all are that or missing; else texts."""
    if all(
        value is None or (type(value) in (int, float) and as_score(value) is not None)
        for value in values
    ):
        return pl.Series(
            [None if value is None else float(value) for value in values], dtype=pl.Float64
        )
    return pl.Series([None if value is None else _text(value) for value in values], dtype=pl.String)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return number(value) if isinstance(value, (int, float)) else str(value)


def name_settings(settings: Mapping[str, Any]) -> str:
    """A name made of hyperparameters, such as "C=1, kernel=rbf".

    >>> name_settings({"C": 1.0, "kernel": "rbf", "shuffle": True})
    'C=1, kernel=rbf, shuffle=true'
    """
    return ", ".join(
        f"{name}={'none' if value is None else _text(_plain(value))}"
        for name, value in settings.items()
    )
