"""Notes about sources: what they were taken for, and what was left out."""

from collections.abc import Sequence

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
