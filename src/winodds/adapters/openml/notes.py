"""Notes about evaluations that were fetched."""

from collections.abc import Sequence

from winodds.language.notes import doubt, reading, scope
from winodds.language.spelling import option
from winodds.language.words import count, list_names, rounded


@scope
def one_run_each(rule: str, flows: int, several: int, runs: int) -> str:
    which = {"first": "earliest", "last": "latest"}[rule]
    return (
        f"{several:,} of {count(flows, 'cell')} (a flow on a task) have more than one run, up to "
        f"{runs:,}; the {which} stands for them, with the setting of hyperparameters that it "
        f"happened to have."
    )


@doubt
def best_run_each(runs: int) -> str:
    return (
        f"Each flow is represented on a task by the best of its runs there, up to {runs:,} of "
        f"them, chosen by the scores that are rated. The best of many is best partly by luck, and "
        f"flows with more runs have more of it."
    )


@scope
def settings_are_players(flows: int, settings: int) -> str:
    return (
        f"Each of {count(settings, 'setting')} of {count(flows, 'flow')} is a player of its own, "
        f"with its first run on a task."
    )


@reading
def pages_reused(pages: int, day: str) -> str:
    verb = "was" if pages == 1 else "were"
    return (
        f"{count(pages, 'answer')} of the server {verb} known from {day} on; "
        f"{option('refresh', True)} asks for all of them anew."
    )


@reading
def folds_cut_off(runs: Sequence[int]) -> str:
    named = list_names([str(run) for run in runs])
    gave = "gives no result" if len(runs) == 1 else "give no results"
    return (
        f"The server cut the list of folds of {count(len(runs), 'run')} off, which {gave}: {named}."
    )


@reading
def several_engines(evaluations: int) -> str:
    return (
        f"{count(evaluations, 'evaluation')} left out, because another engine evaluated the same "
        f"run: the client keeps the last."
    )


@reading
def folds_in_order(runs: int, of: int) -> str:
    which = "All" if runs == of else f"{runs:,} of"
    return (
        f"{which} {count(of, 'run')} were asked for the order of their folds, and all of these are "
        f"in order."
    )


@doubt
def folds_out_of_order(
    checked: int, of: int, shuffled: Sequence[int], different: Sequence[int]
) -> str:
    parts = []
    if shuffled:
        named = list_names([str(run) for run in shuffled])
        parts.append(f"{len(shuffled):,} had them in another order, which is mended ({named})")
    if different:
        named = list_names([str(run) for run in different])
        parts.append(f"{len(different):,} had other values, which are left as listed ({named})")
    share = rounded(100 * (len(shuffled) + len(different)) / checked, ".2g")
    rest = "" if checked == of else f" The same may hold for about {share}% of the others."
    return (
        f"Of {count(of, 'run')}, {checked:,} were asked for the order of their folds: "
        f"{' and '.join(parts)}.{rest}"
    )
