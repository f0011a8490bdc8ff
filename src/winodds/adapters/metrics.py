"""Which of a source's metrics is rated."""

import polars as pl

from winodds.adapters.columns import METRIC, ROUND, TOURNAMENT
from winodds.adapters.errors import UnknownMetric, WhichMetric

EVERY = "all"
"""What asks for every metric in turn."""


def choose_metric(frame: pl.DataFrame, metric: str | None) -> pl.DataFrame:
    """The rows of one metric, or of all, each of them in tournaments of its own.

    Rounds may differ in their metric; one round with several asks which.
    """
    metrics = frame[METRIC].drop_nulls().unique(maintain_order=True).to_list()
    if metric is not None and metric not in (*metrics, EVERY):
        raise UnknownMetric(metric=metric, metrics=metrics)
    if metric in metrics:
        return frame.filter(pl.col(METRIC) == metric)
    if metric == EVERY and len(metrics) > 1:
        name = pl.concat_str(METRIC, TOURNAMENT, separator=": ", ignore_nulls=True)
        return frame.with_columns(name.alias(TOURNAMENT))
    per_round = frame.group_by(TOURNAMENT, ROUND).agg(pl.col(METRIC).n_unique())
    if metric is None and (per_round[METRIC] > 1).any():
        raise WhichMetric(metrics=metrics)
    return frame
