"""Notes about sources: what they were taken for, and what was left out."""

from collections.abc import Mapping, Sequence

from winodds.language.notes import doubt, reading, scope
from winodds.language.words import count, list_names, quote, shorten


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


@reading
def runs_failed(runs: int, reasons: Mapping[str, int]) -> str:
    told = sum(reasons.values())
    listed = ", ".join(f"{quote(shorten(why))} {n:,}" for why, n in list(reasons.items())[:3])
    rest = f" and {count(len(reasons) - 3, 'more reason')}" if len(reasons) > 3 else ""
    silent = f"; {runs - told:,} without a reason" if told < runs else ""
    gave = "gave no result" if runs == 1 else "gave no results"
    return f"{count(runs, 'run')} {gave}: {listed}{rest}{silent}."


@reading
def measured_by(column: str, units: Mapping[str, int], noun: str) -> str:
    """What the score is, where it is something else in other tasks."""
    listed = ", ".join(f"{quote(metric)} in {count(n, noun)}" for metric, n in units.items())
    return f"The score is {quote(column)}: {listed}."


@reading
def joined_names(column: str, values: int) -> str:
    return f"There are {values:,} values of {quote(column)}; each makes a player of its own."


@reading
def battles_left_out(battles: int, why: str) -> str:
    return f"{count(battles, 'battle')} left out, {why}."


@doubt
def fold_order() -> str:
    return (
        "Folds are numbered as they stand in 'values'. The server of OpenML does not promise their "
        "order; if it differed between runs, folds that are compared were not the same."
    )


@doubt
def several_setups(flows: int, of: int) -> str:
    return (
        f"{flows:,} of {count(of, 'flow')} ran with more than one setting of hyperparameters: a "
        f"flow's rating is that of the settings that happened to run."
    )
