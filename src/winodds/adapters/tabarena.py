"""Results of TabArena, and the tables that its evaluator bencheval takes.

A row is a method on a split of a data set. The error is better when lower, whatever the metric was.
Rows that were imputed are no results.
"""

from collections.abc import Sequence

import polars as pl

from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.cells import (
    ROW,
    note_failures,
    places_of,
    read_scores,
    read_texts,
    read_times,
    refuse_nothing,
    require_columns,
)
from winodds.adapters.columns import (
    FAILED,
    FIT_SECONDS,
    METRIC,
    OK,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    SCORE_SECONDS,
    STATUS,
    TOURNAMENT,
)
from winodds.adapters.errors import NotThisSource
from winodds.adapters.metrics import choose_metric
from winodds.adapters.notes import left_out
from winodds.adapters.place import Place
from winodds.language.notes import Note
from winodds.language.words import count, quote

TITLE = "results of TabArena or bencheval"
ERROR = "metric_error"
VALIDATION = "metric_error_val"
IMPUTED = "imputed"
TASK_METRIC = "task_metric"
PLAYERS = ("framework", "method")
MARKS = frozenset({"time_train_s", "time_infer_s", IMPUTED, VALIDATION})
"""Columns of which a table of errors has at least one if it is TabArena's."""
KEPT = ("problem_type", "method_type", "method_subtype", "config_type", "seed")
YES, NO = frozenset({"true", "1", "1.0"}), frozenset({"false", "0", "0.0"})


def recognise(place: Place) -> bool:
    """Whether a table has errors, methods and more, by the names that TabArena gives."""
    found = place.columns if place.kind == "table" else frozenset()
    return ERROR in found and bool(found & MARKS) and bool(_player(found)) and bool(_rounds(found))


def read(place: Place, wanted: Wanted) -> Adapted:
    """Methods as players, data sets as tournaments, splits or seeds as rounds."""
    require_columns(place, TITLE, [ERROR])
    player, rounds = _roles(place)
    sheet = place.sheet
    names = (player, *rounds, "metric", IMPUTED, "impute_method", *KEPT)
    texts = read_texts(sheet, tuple(dict.fromkeys(names)))
    frame = texts.with_columns(
        read_scores(sheet, ERROR).alias(SCORE),
        read_times(sheet, "time_train_s").alias(FIT_SECONDS),
        read_times(sheet, "time_infer_s").alias(SCORE_SECONDS),
    )
    frame = frame.with_columns(_outcomes(frame, place)).with_columns(
        pl.when(pl.col(STATUS) == OK).then(SCORE).alias(SCORE),
        pl.lit(ERROR).alias(METRIC),
        *([pl.col("metric").alias(TASK_METRIC)] if "metric" in frame.columns else []),
        pl.col(player).alias(PLAYER),
        *_round_columns(rounds),
    )
    frame = choose_metric(frame, wanted.metric)
    refuse_nothing(frame, place, TITLE)
    spent = {player, *rounds, IMPUTED, "impute_method"} - {METRIC}
    return adapt_scores(
        frame.drop(ROW, *spent, strict=False),
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=_summary(frame),
        notes=[*_validation(place), *note_failures(frame)],
        places=places_of(sheet, frame),
    )


def _player(columns: frozenset[str]) -> str | None:
    return next((name for name in PLAYERS if name in columns), None)


def _rounds(columns: frozenset[str]) -> list[str]:
    """The tournament's column, and those that number its rounds; a task alone is a round."""
    if {"dataset", "fold"} <= columns:
        return ["dataset", *(name for name in ("repeat", "fold") if name in columns)]
    return [name for name in ("task", "seed") if name in columns] if "task" in columns else []


def _roles(place: Place) -> tuple[str, list[str]]:
    player, rounds = _player(place.columns), _rounds(place.columns)
    if player is None or not rounds:
        lacks = "'framework' or 'method'" if player is None else "'task', or 'dataset' and 'fold'"
        raise NotThisSource(path=place.path, title=TITLE, reason=f"it has no column {lacks}")
    return player, rounds


def _round_columns(rounds: Sequence[str]) -> list[pl.Expr]:
    if len(rounds) == 1:
        return [pl.col(rounds[0]).alias(ROUND), pl.lit(None, dtype=pl.String).alias(TOURNAMENT)]
    split = pl.concat_str(*rounds[1:], separator="/")
    return [pl.col(rounds[0]).alias(TOURNAMENT), split.alias(ROUND)]


def _outcomes(frame: pl.DataFrame, place: Place) -> list[pl.Expr]:
    """Status and reason of each row."""
    failed = pl.when(pl.col(SCORE).is_null()).then(pl.lit(FAILED)).otherwise(pl.lit(OK))
    if IMPUTED not in frame.columns:
        return [failed.alias(STATUS)]
    words = frame[IMPUTED].fill_null("false").str.to_lowercase()
    for word in words.unique(maintain_order=True):
        if word not in YES | NO:
            reason = f"'{IMPUTED}' is true or false, and not {quote(word)}"
            raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    made_up = pl.lit(words.is_in(list(YES)))
    known = "impute_method" in frame.columns
    method = pl.col("impute_method") if known else pl.lit(None, dtype=pl.String)
    how = pl.concat_str(pl.lit("imputed with "), method)
    return [
        pl.when(made_up).then(pl.lit(IMPUTED)).otherwise(failed).alias(STATUS),
        pl.when(made_up).then(pl.coalesce(how, pl.lit("imputed"))).alias(REASON),
    ]


def _validation(place: Place) -> list[Note]:
    if VALIDATION not in place.columns:
        return []
    return [left_out(1, "column", "because it is of validation data", [VALIDATION])]


def _summary(frame: pl.DataFrame) -> str:
    parts = [(PLAYER, "method"), (TOURNAMENT, "data set"), (ROUND, "round")]
    return ", ".join(
        count(frame[name].n_unique(), noun) for name, noun in parts if frame[name].null_count() == 0
    )


ADAPTER = Adapter("tabarena", TITLE, recognise, read, table=True)
