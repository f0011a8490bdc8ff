"""Which run stands for a flow on a task."""

from collections.abc import Mapping

import polars as pl

from winodds.language.options import RunRule

RUNS = "runs"
"""How many runs a flow, or a setting of it, has on a task."""


def choose_runs(runs: pl.DataFrame, rule: RunRule, *, higher_is_better: bool) -> pl.DataFrame:
    """One run for each flow and task, or for each setting, with the number of those it stands for.

    A run without a mean gives way to one that has a mean. Of equally good runs the first is best.
    Of several evaluations of a run the last counts, as in the client's own lists.

    >>> runs = {"task_id": [3, 3], "flow_id": [7, 7], "run_id": [1, 2], "value": [0.8, 0.9]}
    >>> choose_runs(pl.DataFrame(runs), "best", higher_is_better=True)["run_id"].to_list()
    [2]
    """
    whose = ["task_id", "flow_id", *(["setup_id"] if rule == "setup" else [])]
    order = _order(higher_is_better)[rule]
    return (
        runs.unique("run_id", keep="last", maintain_order=True)
        .sort(pl.col("value").is_null(), *order)
        .group_by(whose, maintain_order=True)
        .agg(pl.all().first(), pl.len().alias(RUNS))
        .select(*runs.columns, RUNS)
        .sort("task_id", "run_id")
    )


def _order(higher_is_better: bool) -> Mapping[RunRule, list[pl.Expr]]:
    number, value = pl.col("run_id"), pl.col("value")
    return {
        "first": [number],
        "last": [-number],
        "best": [-value if higher_is_better else value, number],
        "setup": [number],
    }
