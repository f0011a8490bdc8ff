"""Notes about sources: what they were taken for, and what was left out."""

from collections.abc import Mapping, Sequence

from winodds.language.notes import doubt, reading, scope
from winodds.language.spelling import option
from winodds.language.words import count, list_names, number, quote, rounded, shorten


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
        f"{splitter} tests on {rounded(share, '.3g')} of the data in each split; that is taken as "
        f"{option('test_fraction').removesuffix('=')} unless something else is said."
    )


@scope
def unknown_test_fraction(splitter: str | None) -> str:
    how = "how the data were split" if splitter is None else f"how much {splitter} tests on"
    return (
        f"It is not known {how}, so intervals are for new splits of this data set; with "
        f"{option('test_fraction')} they are for a new data set."
    )


@reading
def infinite_scores(scores: int) -> str:
    verb = "is" if scores == 1 else "are"
    return f"{count(scores, 'score')} {verb} infinite and count{'s' * (scores == 1)} as failed."


# scikit-learn -------------------------------------------------------------------------------------


@reading
def chosen_by_refit(metric: str, others: Sequence[str]) -> str:
    return (
        f"The score is {quote(metric)}, for which the search refits; others are "
        f"{list_names(others, shown=20)}."
    )


@reading
def higher_by_convention(scorers: Sequence[str]) -> str:
    verb = "is" if len(scorers) == 1 else "are"
    return f"A higher {list_names(scorers)} {verb} taken as better, as scikit-learn's scorers are."


@reading
def repeated_candidates(rows: int) -> str:
    return (
        f"{count(rows, 'candidate')} with the parameters and the scores of an earlier one left out."
    )


@reading
def one_iteration(iteration: int, candidates: int, resources: float | None, last: int) -> str:
    given = "" if resources is None else f" with {resources:,.15g} resources each"
    why = "" if iteration == last else ", the last with more than one"
    return (
        f"Of this halving search iteration {iteration} is rated{why}: "
        f"{count(candidates, 'candidate')}{given}. {option('rounds', 'all')} rates all iterations."
    )


@scope
def all_iterations(iterations: int) -> str:
    return (
        f"All {iterations:,} iterations of the halving search are rated, and early ones had less "
        f"data or other resources. A split is one cluster, whatever the iteration, and intervals "
        f"are for new splits of this data set."
    )


@doubt
def failures_as_scores(value: float, scores: int) -> str:
    those = f"{count(scores, 'score')} {'is' if scores == 1 else 'are'}"
    return (
        f"The search gives fits that failed the score {number(value)}, and {those} that: what "
        f"failed cannot be told from a result. Search with error_score=np.nan."
    )


@doubt
def pairing_on_trust() -> str:
    return (
        "That all models were tested on the same splits is taken on trust; cross_validate proves "
        "it with return_indices=True."
    )


# Optuna -------------------------------------------------------------------------------------------


@scope
def steps_are_rounds() -> str:
    return (
        "A step is a round, as you said. That is right if every step is the score of a fold, and "
        "wrong if steps are epochs of one training."
    )


@reading
def studies_without_steps(studies: Sequence[str]) -> str:
    named = list_names(studies)
    return f"{count(len(studies), 'study', 'studies')} without steps left out: {named}."


@reading
def studies_without_metric(studies: Sequence[str]) -> str:
    named = list_names(studies)
    return f"{count(len(studies), 'study', 'studies')} without this objective left out: {named}."


@doubt
def steps_run_on(studies: Sequence[str]) -> str:
    return (
        f"In {list_names(studies)} the value of every trial is that of its last step. So steps "
        f"look like epochs or like means so far, and not like folds; then they are no rounds."
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
def several_setups(flows: int, of: int) -> str:
    return (
        f"{flows:,} of {count(of, 'flow')} ran with more than one setting of hyperparameters: a "
        f"flow's rating is that of the settings that happened to run."
    )


@reading
def unknown_algorithms(flows: int, of: int, names: Sequence[str]) -> str:
    return (
        f"The algorithm of {flows:,} of {count(of, 'flow')} is not known, and their family is "
        f"'unknown': {list_names(names)}. {option('algorithms').removesuffix('=')} takes a table "
        f"that adds to the built-in one."
    )


@doubt
def chosen_as_best() -> str:
    return (
        "Results are the best of several runs, chosen by the scores that are rated. The best of "
        "many is best partly by luck, and players with more runs have more of it."
    )


# MLflow -------------------------------------------------------------------------------------------


@reading
def players_by_run_name(why: str) -> str:
    return f"Players are named after their runs, because {why}."


@reading
def logged_again(values: int) -> str:
    one = values == 1
    return (
        f"{count(values, 'value')} {'was' if one else 'were'} logged again for the same step; the "
        f"last one counts."
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
