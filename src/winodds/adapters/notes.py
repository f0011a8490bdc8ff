"""Notes about sources: what they were taken for, and what was left out."""

from collections.abc import Mapping, Sequence

from winodds.language.notes import doubt, reading, scope
from winodds.language.words import count, list_names, quote


@reading
def taken_as(tool: str, metric: str | None) -> str:
    measured = "" if metric is None else f" The score is {quote(metric)}."
    return f"The results were written by {tool}.{measured}"


@reading
def left_out(things: int, noun: str, why: str, names: Sequence[str]) -> str:
    listed = f": {list_names(names)}" if names else ""
    return f"{count(things, noun)} left out, {why}{listed}."


@reading
def other_metrics(metrics: Sequence[str]) -> str:
    return f"Other metrics of the source: {list_names(metrics, shown=20)}."


@scope
def known_test_fraction(splitter: str, share: float) -> str:
    return (
        f"{splitter} tests on {share:.0%} of the data in each split; intervals allow for training "
        f"data that splits share, and are for a new data set of this kind."
    )


@doubt
def pruned_early(trials: int) -> str:
    one = trials == 1
    return (
        f"{count(trials, 'trial')} {'was' if one else 'were'} stopped early because "
        f"{'it was' if one else 'they were'} bad; what {'it' if one else 'they'} did before is not "
        f"rated."
    )


# Logs of evaluations ------------------------------------------------------------------------------


@doubt
def run_differently(task: str, runs: Mapping[str, int]) -> str:
    listed = ", ".join(f"{quote(name)} ({count(number, 'run')})" for name, number in runs.items())
    return f"{quote(task)} was not run in the same way by all, and its ways never meet: {listed}."


@reading
def renamed_models(models: Sequence[str]) -> str:
    return (
        f"Models without a name of their own go by their arguments or folders: "
        f"{list_names(models)}."
    )


@reading
def told_apart(model: str, names: Sequence[str]) -> str:
    return f"{quote(model)} was run with several settings, which are players: {list_names(names)}."


@reading
def chosen_metric(metrics: Sequence[str], others: Sequence[str]) -> str:
    one = list_names(metrics, shown=20)
    begin = f"The score is {one}" if len(metrics) == 1 else f"The scores are {one}, by the task"
    rest = f"; the logs also have {list_names(others, shown=20)}" if others else ""
    return f"{begin}{rest}."


@scope
def right_or_wrong(items: int) -> str:
    return (
        f"The scores of all {count(items, 'item')} are 0 or 1: two models tie on an item that both "
        f"solve, or both miss. The mean score is the share of items that are right."
    )


@doubt
def unfinished(log: str, status: str, samples: int, planned: int | None) -> str:
    of = "" if planned is None else f" of {planned:,}"
    return f"The log {quote(log)} is not finished ({status}); it has {samples:,}{of} samples."


@scope
def sums_unknown() -> str:
    return (
        "The records do not say which evaluations sum up others, such as a group and its tasks; "
        "each counts as a round."
    )
