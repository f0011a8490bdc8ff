"""Notes: sentences for results that exist but should be doubted.

Every output shows them. A note of a row is a few words; a note of the board is a sentence.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from winodds.inference.structure import Structure
from winodds.language.spelling import option
from winodds.language.words import count, list_names, quote, rounded, unit_name, unit_names
from winodds.table.names import look_alike

FEW_CLUSTERS = 10
MANY_PLAYERS = 30
MANY_SPLITS = 5
UNEQUAL = 0.5
SETS_SHOWN = 5

WON_ALL = "won every match"
LOST_ALL = "lost every match"
OPEN_ABOVE = "upper end open"
OPEN_BELOW = "lower end open"


def describe_cuts(
    structure: Structure, players: Sequence[str], order: Sequence[int], *, named: bool = True
) -> str:
    """Which sets of players won every match against which, in words.

    ``order`` lists the players from the best down, so that the best of a set are named; unless
    ``named``, only single players are.
    """
    part = structure.part
    members: list[list[str]] = [[] for _ in range(structure.parts)]
    for player in order:
        members[int(part[player])].append(players[player])
    if structure.parts == 2 and bool(structure.sets_reached_from(0)[1]):
        return _two_sets(members, named=named)
    shown = "; ".join(_one_set(names) for names in members[:SETS_SHOWN])
    rest = structure.parts - SETS_SHOWN
    more = f"; and {count(rest, 'more set')}" if rest > 0 else ""
    listed = f": {shown}{more}" if named else ""
    if structure.chain:
        return (
            f"The players fall into {structure.parts:,} sets, and each won every match against "
            f"those after it{listed}."
        )
    return (
        f"The players fall into {structure.parts:,} sets, and between any two of them all matches, "
        f"if there were any, went one way{listed}."
    )


def _two_sets(members: Sequence[Sequence[str]], *, named: bool) -> str:
    top, bottom = members
    if len(top) == 1:
        return f"{quote(top[0])} won every match."
    if len(bottom) == 1:
        return f"{quote(bottom[0])} lost every match."
    who, whom = (f" ({list_names(names)})" if named else "" for names in members)
    return (
        f"{count(len(top), 'player')}{who} won every match against the other {len(bottom):,}{whom}."
    )


def _one_set(names: Sequence[str]) -> str:
    if len(names) == 1:
        return quote(names[0])
    return f"{len(names):,} with {list_names(names, shown=2)}"


def open_ends(cuts: str, *, reference: str | None, suggestion: str | None) -> str:
    """Why interval ends are open, and how to get closed ones."""
    sentence = f"{cuts} How wide such a gap is cannot be known: interval ends across it are open."
    if reference is None and suggestion is not None:
        sentence += (
            f" The average player moves with the gap; with {option('reference', suggestion)} the "
            f"intervals of that player's set are closed."
        )
    return sentence


def missing_scores(total: int, of: Mapping[str, int], *, lose: bool) -> str:
    """How many runs gave no score, whose they were and what became of them."""
    most = ", ".join(f"{quote(player)} {number:,}" for player, number in list(of.items())[:5])
    rest = len(of) - 5
    more = f" and {count(rest, 'more player')}" if rest > 0 else ""
    whom = "it" if total == 1 else "they"
    fate = f"lost to every score that {whom} met" if lose else "played no match"
    verb = "has" if total == 1 else "have"
    return f"{count(total, 'run')} {verb} no score and {fate}: {most}{more}."


def failed_runs(column: str, words: Sequence[tuple[str, int]]) -> str:
    """Which words of a status column make runs count as failed."""
    total = sum(number for _, number in words)
    listed = ", ".join(f"{quote(word)} {number:,}" for word, number in words[:5])
    rest = f" and {count(len(words) - 5, 'more word')}" if len(words) > 5 else ""
    verb = "counts" if total == 1 else "count"
    return f"{count(total, 'run')} {verb} as failed by column {quote(column)}: {listed}{rest}."


def mixed_units(metric: str, first: str, rounds: int) -> str:
    return (
        f"Scores of {quote(metric)} lie on both sides of 1 in {count(rounds, 'round')} (the first "
        f"is {quote(first)}): percentages and fractions mixed?"
    )


def best_of_many(players: int) -> str:
    return (
        f"The first of {players:,} players is first partly by luck: an interval is for a player "
        f"chosen beforehand, not for the best of many."
    )


def no_details() -> str:
    return (
        f"Rank ranges, groups, chances of being best and the quality of the fit are left out, "
        f"because so many scores take long; {option('details', True)} computes them."
    )


def many_splits(rounds: int, tournaments: int) -> str:
    return (
        f"{rounds:,} rounds, but only {tournaments:,} tournaments: rounds of one tournament agree "
        f"with each other, so comparisons rest on the tournaments, and more rounds of these would "
        f"not make them surer."
    )


def absent_runs(pairs: int) -> str:
    return (
        f"{count(pairs, 'player–round pair')} {'has' if pairs == 1 else 'have'} no row at all and "
        f"played no match; only rows with an empty score count as failed runs."
    )


def duplicate_rows(rows: int) -> str:
    verb = "repeats another one" if rows == 1 else "repeat others"
    return f"{count(rows, 'row')} {verb} exactly and {'was' if rows == 1 else 'were'} left out."


def retried_runs(rows: int) -> str:
    verb = "gives" if rows == 1 else "give"
    return (
        f"{count(rows, 'row')} without a score {verb} way to a score of the same player and round."
    )


def merged_rows(rows: int, rule: str) -> str:
    sentence = (
        f"{count(rows, 'row')} gave way where a player has several scores in a round ({rule})."
    )
    if rule == "best":
        sentence += " The best of several tries is partly luck, and more tries are more luck."
    return sentence


def rounds_without_match(rounds: int) -> str:
    verb = "plays" if rounds == 1 else "play"
    return f"{count(rounds, 'round')} in which nobody met anybody {verb} no part."


def players_without_score(players: Sequence[str]) -> str:
    verb = "has" if len(players) == 1 else "have"
    return f"{list_names(players)} {verb} no score in any round and cannot be rated."


def players_without_match(players: Sequence[str]) -> str:
    return f"{list_names(players)} met nobody and cannot be rated."


def tidied_names(names: int) -> str:
    verb = "was" if names == 1 else "were"
    return f"{count(names, 'name')} in the table {verb} freed of outer blanks or odd characters."


def look_alikes(names: Sequence[str], what: str) -> list[str]:
    """A note about names that differ only in case or form, if there are any."""
    text = "".join(names)
    folded = names if text == text.lower() else map(str.lower, names)
    if text.isascii() and len(set(folded)) == len(names):
        return []
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(look_alike(name), []).append(name)
    pairs = [names for names in groups.values() if len(names) > 1]
    if not pairs:
        return []
    shown = "; ".join(list_names(names) for names in pairs[:5])
    rest = f"; and {len(pairs) - 5:,} more" if len(pairs) > 5 else ""
    return [f"Names that differ only in case or form, two {what} or one? {shown}{rest}."]


def few_clusters(clusters: int, unit: str) -> str:
    return (
        f"The intervals rest on only {clusters} {unit_names(unit)}; below about {FEW_CLUSTERS} "
        f"they are rough."
    )


def unequal_clusters(clusters: int, effective: float, unit: str) -> str:
    return (
        f"The {clusters:,} {unit_names(unit)} carry very different weight, as if there were about "
        f"{rounded(effective, '.1f')}: intervals and tests that count all of them are too sure."
    )


def fit_without_clusters(unit: str) -> str:
    return (
        f"The p-value of the fit takes battles as independent; it is too small where those of one "
        f"{unit_name(unit)} agree with each other."
    )


def few_clusters_of_row(clusters: int, unit: str) -> str:
    return f"only {clusters} {unit_names(unit) if clusters != 1 else unit_name(unit)}"


def no_information() -> str:
    return "All matches are ties: the scores do not tell the players apart."


def own_clusters() -> str:
    return (
        f"Each battle counts as independent of the others; if battles share prompts or judges, "
        f"name that column with {option('cluster')}."
    )


def model_based() -> str:
    return (
        "The intervals are model-based: they take all matches as independent, which those of one "
        "round are not, and are too narrow (see docs/method.md)."
    )


def shrunken(prior_sd: float) -> str:
    return (
        f"Ratings are drawn toward 0 by a normal prior with standard deviation {prior_sd:g}, and "
        f"intervals do not undo that."
    )


def pooled(tournaments: int, *, new: bool) -> str:
    """``new``: whether intervals come from the variation between tournaments."""
    aim = "; the intervals are for new tournaments, not for new rounds of these" if new else ""
    return f"{count(tournaments, 'tournament')} are pooled with equal weight{aim}."


def overlapping_splits(fraction: float, factor: float) -> str:
    return (
        f"Variances are multiplied by {rounded(factor, '.3g')}, because splits with test fraction "
        f"{fraction:g} share training data."
    )


def separate_groups(groups: Sequence[Sequence[str]]) -> str:
    shown = "; ".join(_one_set(names) for names in groups[:SETS_SHOWN])
    rest = len(groups) - SETS_SHOWN
    more = f"; and {count(rest, 'more group')}" if rest > 0 else ""
    return (
        f"{len(groups):,} groups that never met are rated each on its own; ratings, ranks and "
        f"averages of different groups cannot be compared: {shown}{more}."
    )


def outcome_notes(wins: float, matches: float, low: float, high: float) -> tuple[str, ...]:
    """The notes of a row."""
    found = []
    if wins == matches:
        found.append(WON_ALL)
    if wins == 0.0:
        found.append(LOST_ALL)
    if np.isinf(high):
        found.append(OPEN_ABOVE)
    if np.isinf(low):
        found.append(OPEN_BELOW)
    return tuple(found)
