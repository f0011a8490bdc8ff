"""Which of a source's metrics is rated."""

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from winodds.adapters.columns import METRIC, ROUND, TOURNAMENT
from winodds.adapters.errors import UnknownMetric, WhichMetric
from winodds.language.errors import BadOption

EVERY = "all"
"""What asks for every metric in turn."""

BEFORE = ": "
"""Between a metric and its tournament's name, where every metric has tournaments of its own."""


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
        name = pl.concat_str(METRIC, TOURNAMENT, separator=BEFORE, ignore_nulls=True)
        return frame.with_columns(name.alias(TOURNAMENT))
    per_round = frame.group_by(TOURNAMENT, ROUND).agg(pl.col(METRIC).n_unique())
    if metric is None and (per_round[METRIC] > 1).any():
        raise WhichMetric(metrics=metrics)
    return frame


def settle_metrics(
    offered: Mapping[str, Sequence[str]],
    metric: str | None,
    *,
    short: Callable[[str], str] = str,
    what: str = "metrics",
) -> dict[str, tuple[str, ...]]:
    """Which metrics of each task are rated.

    Without a word: the only metric of each task, else the only one that all tasks have.

    Parameters
    ----------
    offered : the metrics of each task.
    metric : what was asked for; a task without it has none in the answer.
    short : a metric's name without what may be left out when it is asked for.
    what : how the source calls its metrics.

    >>> settle_metrics({"arc": ["acc", "acc_norm"], "boolq": ["acc"]}, None)
    {'arc': ('acc',), 'boolq': ('acc',)}
    """
    names = list(dict.fromkeys(name for own in offered.values() for name in own))
    if metric == EVERY:
        return {task: tuple(own) for task, own in offered.items()}
    if metric is None:
        if all(len(own) == 1 for own in offered.values()):
            return {task: tuple(own) for task, own in offered.items()}
        shared = [name for name in names if all(name in own for own in offered.values())]
        if len(shared) != 1:
            raise WhichMetric(metrics=names, what=what)
        return dict.fromkeys(offered, (shared[0],))
    exact = metric in names
    found = {
        task: tuple(name for name in own if metric == (name if exact else short(name)))
        for task, own in offered.items()
    }
    several = next((own for own in found.values() if len(own) > 1), None)
    if several is not None:
        raise WhichMetric(metrics=several, what=what)
    if not any(found.values()):
        raise UnknownMetric(metric=metric, metrics=names)
    return found


def refuse_every_metric(table: pl.DataFrame) -> None:
    """Refuse tournaments that are the same rounds, once for each metric."""
    if table[METRIC].n_unique() < 2 or table[TOURNAMENT].null_count():
        return
    named, metric = pl.col(TOURNAMENT), pl.col(METRIC)
    own = (named == metric) | named.str.starts_with(metric + BEFORE)
    if table.select(own.all()).item():
        wanted = "the same rounds would count once for each metric; choose one"
        raise BadOption(option="metric", value=EVERY, wanted=wanted)
