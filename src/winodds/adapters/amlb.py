"""Results of the AutoML Benchmark, in the three shapes that they have had since 2019.

A row is a framework on a fold of a task. Files of 2019 do not name the metric: it is the column
that equals the result. Since 2020 they name it, and a result that was turned round is called
``neg_…``.
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
    DIRECTION,
    FAILED,
    FAMILY,
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
from winodds.adapters.errors import NotThisSource, UnknownMetric
from winodds.adapters.metrics import EVERY, choose_metric
from winodds.adapters.notes import joined_names, left_out, measured_by
from winodds.adapters.place import Place
from winodds.language.notes import Note
from winodds.language.words import count, list_names, quote
from winodds.table.vocabulary import known_metric

TITLE = "results of the AutoML Benchmark"
NEEDED = ("framework", "task", "fold", "result")
MARKS = frozenset({*NEEDED, "id", "mode", "utc", "duration", "info"})
"""Columns that all three shapes have, and no other table."""

IMPUTED = ("imp_result", "imp_score", "norm_score")
KEPT = ("type", "constraint", "version", "mode", "tag", "app_version", "utc", "seed")
NEGATIVE = "neg_"
NEAR = 1e-5
"""Results have six digits, so two of them are the same if they are as near as this."""


def recognise(place: Place) -> bool:
    """Whether a table has the columns of the benchmark."""
    return place.kind == "table" and place.columns >= MARKS


def read(place: Place, wanted: Wanted) -> Adapted:
    """Frameworks as players, tasks as tournaments, folds as rounds."""
    require_columns(place, TITLE, NEEDED)
    sheet = place.sheet
    frame = read_texts(sheet, (*NEEDED[:3], "info", "metric", *KEPT)).with_columns(
        read_scores(sheet, "result").alias(SCORE),
        read_times(sheet, "training_duration", "duration").alias(FIT_SECONDS),
        read_times(sheet, "predict_duration").alias(SCORE_SECONDS),
    )
    measured = {
        name: read_scores(sheet, name)
        for name in sheet.columns
        if name not in (*NEEDED, *KEPT) and known_metric(name) is not None
    }
    frame = frame.with_columns(_metrics(frame, measured, place))
    column, frame = _choose(frame, measured, wanted.metric)
    joined, frame = _name_players(frame)
    frame = frame.rename({"task": TOURNAMENT, "fold": ROUND}).with_columns(_outcomes(frame))
    refuse_nothing(frame, place, TITLE)
    notes = [
        *_imputed(sheet.columns),
        *joined,
        *_measures(frame, column),
        *note_failures(frame),
    ]
    return adapt_scores(
        frame.drop(ROW, "info", "framework", strict=False),
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=_summary(frame),
        notes=notes,
        places=places_of(sheet, frame),
    )


# The metric of a task -----------------------------------------------------------------------------


def _metrics(frame: pl.DataFrame, measured: dict[str, pl.Series], place: Place) -> list[pl.Series]:
    """The metric of each row, and its direction where that is told by ``neg_``."""
    told = _told(frame)
    equal = _equal(frame, measured)
    found: dict[str | None, str] = {}
    for task in frame["task"].unique():
        names = equal.get(task, [])
        if task in told:
            _refuse_turned(told[task], names, measured, task, place)
            found[task] = told[task]
        elif names:
            _refuse_doubtful(names, task, place)
            found[task] = names[0]
    own = (
        frame[METRIC]
        if METRIC in frame.columns
        else pl.Series([None] * frame.height, dtype=pl.String)
    )
    metrics = [
        metric or found.get(task) or "result"
        for metric, task in zip(own, frame["task"], strict=True)
    ]
    # Of a task without a single result the direction does not matter.
    idle = set(frame["task"].unique()) - set(frame.drop_nulls(SCORE)["task"])
    ways = [
        "up" if metric.startswith(NEGATIVE) or (metric == "result" and task in idle) else None
        for metric, task in zip(metrics, frame["task"], strict=True)
    ]
    return [pl.Series(METRIC, metrics, pl.String), pl.Series(DIRECTION, ways, pl.String)]


def _told(frame: pl.DataFrame) -> dict[str | None, str]:
    """The metric that the rows of a task name; failed ones may name none."""
    if METRIC not in frame.columns:
        return {}
    return dict(frame.drop_nulls(METRIC).group_by("task").agg(pl.col(METRIC).first()).iter_rows())


def _equal(frame: pl.DataFrame, measured: dict[str, pl.Series]) -> dict[str | None, list[str]]:
    """For each task the metrics that equal its results everywhere, turned round or not."""
    result = frame[SCORE]
    close = NEAR * pl.Series(result.abs())
    tests = {
        f"{sign}{name}": ((values * (-1.0 if sign else 1.0) - result).abs() <= close).fill_null(
            False
        )
        for name, values in measured.items()
        for sign in ("", NEGATIVE)
    }
    rows = pl.DataFrame({"task": frame["task"], **tests}).filter(result.is_not_null())
    fits = rows.group_by("task").agg(pl.col(name).all() for name in tests)
    return {
        row["task"]: [name for name in tests if row[name]] for row in fits.iter_rows(named=True)
    }


def _refuse_turned(
    told: str, equal: Sequence[str], measured: dict[str, pl.Series], task: str | None, place: Place
) -> None:
    """Refuse a result that is turned round although its metric is not, or the other way about."""
    other = told.removeprefix(NEGATIVE) if told.startswith(NEGATIVE) else f"{NEGATIVE}{told}"
    if told.removeprefix(NEGATIVE) in measured and other in equal and told not in equal:
        reason = (
            f"of task {quote(str(task))} it names the metric {quote(told)}, but its results are "
            f"those of {quote(other)}"
        )
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)


def _refuse_doubtful(names: Sequence[str], task: str | None, place: Place) -> None:
    """Refuse results that equal metrics of different directions."""
    ways = {known.higher_is_better for name in names if (known := known_metric(name)) is not None}
    if len(ways) > 1:
        reason = (
            f"it does not name the metric, and the results of task {quote(str(task))} equal "
            f"{list_names(names)}, of which one is better when higher and one when lower"
        )
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)


def _choose(
    frame: pl.DataFrame, measured: dict[str, pl.Series], metric: str | None
) -> tuple[str, pl.DataFrame]:
    """The results, or another metric that was measured, with the name of its column."""
    mains = frame[METRIC].unique(maintain_order=True).to_list()
    if metric in measured and metric not in mains:
        direction = pl.lit(None, dtype=pl.String).alias(DIRECTION)
        frame = frame.with_columns(
            measured[metric].alias(SCORE), direction, pl.lit(metric).alias(METRIC)
        )
        return metric, frame.filter(pl.col(SCORE).is_not_null().any().over("task"))
    if metric is not None and metric not in (*mains, EVERY):
        raise UnknownMetric(metric=metric, metrics=list(dict.fromkeys((*mains, *measured))))
    named = frame.with_columns(pl.col("task").alias(TOURNAMENT), pl.col("fold").alias(ROUND))
    chosen = choose_metric(named, metric)
    return "result", chosen.with_columns(pl.col(TOURNAMENT).alias("task")).drop(TOURNAMENT, ROUND)


# Words --------------------------------------------------------------------------------------------


def _name_players(frame: pl.DataFrame) -> tuple[list[Note], pl.DataFrame]:
    """Frameworks, with their constraint where there are several."""
    several = frame["constraint"].drop_nulls().n_unique() if "constraint" in frame.columns else 0
    if several < 2:
        return [], frame.with_columns(pl.col("framework").alias(PLAYER))
    name = pl.when(pl.col("framework").is_not_null()).then(
        pl.concat_str("framework", "constraint", separator="/", ignore_nulls=True)
    )
    named = frame.with_columns(name.alias(PLAYER), pl.col("framework").alias(FAMILY))
    return [joined_names("constraint", several)], named


def _outcomes(frame: pl.DataFrame) -> list[pl.Expr]:
    """Status and reason of each run."""
    missing = pl.col(SCORE).is_null()
    reason = pl.col("info") if "info" in frame.columns else pl.lit(None, dtype=pl.String)
    return [
        pl.when(missing).then(pl.lit(FAILED)).otherwise(pl.lit(OK)).alias(STATUS),
        pl.when(missing).then(reason).alias(REASON),
    ]


def _imputed(columns: Sequence[str]) -> list[Note]:
    found = [name for name in IMPUTED if name in columns]
    return (
        [left_out(len(found), "column", "because they hold imputed results", found)]
        if found
        else []
    )


def _measures(frame: pl.DataFrame, column: str) -> list[Note]:
    """What the results are, if that differs or had to be found out."""
    units = frame.group_by(METRIC, maintain_order=True).agg(pl.col(TOURNAMENT).n_unique())
    if column != "result":
        return []
    return [measured_by(column, dict(units.iter_rows()), "task")]


def _summary(frame: pl.DataFrame) -> str:
    parts = [(PLAYER, "framework"), (TOURNAMENT, "task"), (ROUND, "fold")]
    return ", ".join(count(frame[name].n_unique(), noun) for name, noun in parts)


ADAPTER = Adapter("amlb", TITLE, recognise, read, table=True)
