"""EPP against the metric that it was made of, and against a second one (section 5.1)."""

from collections.abc import Mapping

import page
import pictures
from drawing import signed
from page import Colouring, Section
from ratings import (
    Round,
    Study,
    Unstable,
    find_curved,
    find_straight,
    find_unstable,
    follow_flow,
    relate_all,
)

from winodds.board.relation import Relation

FEW = 6
"""Flows that a cell names at most."""

LABELS = {"area_under_roc_curve": "AUC", "auc": "AUC", "predictive_accuracy": "accuracy"}


def label_of(metric: str) -> str:
    """What a metric is called in sentences."""
    return LABELS.get(metric, metric.replace("_", " "))


def describe_metric(study: Study, colours: Colouring) -> Section:
    """Figures 5.1 to 5.3 and Table 5.1."""
    metric = label_of(study.evaluations.metric)
    relations = relate_all(study.season)
    parts = [
        page.say(
            f"The mean {metric} of each flow against its EPP. Dashed and bold are the two "
            f"relations that the thesis saw, a straight line and an S; the bold one describes the "
            f"flows better (by AICc, which charges the S for its two further numbers)."
        ),
        *_shapes(study, relations, colours),
        *_unstable(study, relations, colours),
        page.fold(f"The relation on every {_places(study)}", [_relation_table(relations)]),
    ]
    return Section("metric", f"EPP against {metric}", tuple(parts))


def describe_second(study: Study, second: Study, colours: Colouring) -> Section:
    """Figures 5.4 and 5.5: another metric, and what it changes."""
    first, other = label_of(study.evaluations.metric), label_of(second.evaluations.metric)
    relations = relate_all(second.season)
    parts = [
        page.say(f"The same with EPP that were made of {other}, against the mean {other}."),
        *_shapes(second, relations, colours, like=("Figures 5.4 and 5.5", "")),
        page.say(_changes(study, second, first, other)),
        page.fold(f"The relation on every {_places(second)}", [_relation_table(relations)]),
    ]
    return Section("second", f"EPP against {other}", tuple(parts))


def _places(study: Study) -> str:
    return "task" if study.several else "board"


def _shapes(
    study: Study,
    relations: Mapping[str, Relation],
    colours: Colouring,
    *,
    like: tuple[str, str] = ("Figure 5.1", "Figure 5.2"),
) -> list[str]:
    """The clearest line and the clearest S, side by side."""
    marks: dict[str, str] = {}
    for task, mark in zip((find_straight(relations), find_curved(relations)), like, strict=True):
        if task is not None:
            marks.setdefault(task, mark)
    if not marks:
        return [page.lack("No board has enough flows, or different scores, to tell a relation.")]
    figures = [
        _scatter(study, task, relations[task], colours, mark) for task, mark in marks.items()
    ]
    return [page.beside(*figures), page.say(_tally(relations))]


def _tally(relations: Mapping[str, Relation]) -> str:
    curved = sum(it.shape == "S-shaped" for it in relations.values())
    if len(relations) == 1:
        return next(iter(relations.values())).text
    told = f"An S describes the flows better on {curved:,} of {len(relations):,} tasks"
    if curved < len(relations):
        return f"{told}, a straight line is as good on the others."
    return f"{told}; the first picture is of the task on which it gains least."


def _scatter(
    study: Study,
    task: str,
    relation: Relation,
    colours: Colouring,
    like: str,
    marked: str | None = None,
) -> str:
    metric = label_of(study.evaluations.metric)
    drawn = pictures.draw_scatter(
        study.season[task], relation, colours, metric=metric, marked=marked
    )
    return page.show(drawn, f"{task}: {_equation(relation, metric)}", like=like)


def _equation(relation: Relation, metric: str) -> str:
    it = relation.line
    sign = "+" if it.slope >= 0.0 else "−"
    told = f"{metric} = {it.intercept:.3f} {sign} {abs(it.slope):.3f} EPP, R² {it.r_squared:.3f}"
    if relation.curve is None:
        return f"{told}. With fewer than ten flows nobody can tell an S from a line."
    return (
        f"{told}; the S has {relation.curve.r_squared:.3f}, and the {_better(relation)} is better."
    )


def _better(relation: Relation) -> str:
    return "S" if relation.shape == "S-shaped" else "line"


def _unstable(study: Study, relations: Mapping[str, Relation], colours: Colouring) -> list[str]:
    """Figure 5.3 and Table 5.1: a flow whose mean is low for its EPP."""
    found = find_unstable(relations)
    if found is None:
        told = "No flow has a mean that is far too low for its EPP and scores that vary much."
        return ["<h3>The unstable flow</h3>", page.lack(told)]
    up = relations[found.task].line.slope > 0.0
    rounds = follow_flow(study.evaluations, found.task, found.flow.player, up=up)
    relation = relations[found.task]
    scatter = _scatter(study, found.task, relation, colours, "Figure 5.3", found.flow.player)
    table = page.show(
        _round_table(rounds, study), "Its scores, and those of all others.", like="Table 5.1"
    )
    return [
        "<h3>The unstable flow</h3>",
        page.say(_why(found, rounds, study)),
        page.beside(scatter, table),
    ]


def _why(found: Unstable, rounds: list[Round], study: Study) -> str:
    one, metric = found.flow, label_of(study.evaluations.metric)
    won = sum(it.beaten for it in rounds) / len(rounds)
    worst = min(rounds, key=lambda it: it.beaten)
    return (
        f"{one.player} has a mean {metric} of {one.mean_score:.3f}, where {one.expected:.3f} go "
        f"with its EPP of {signed(one.epp)}. It beats {won:.0%} of the other flows on "
        f"average, but its scores vary {one.spread:.1f} times as much as usual over "
        f"{study.unit}s: on {study.unit} {worst.name} it has {worst.score:.3f} and beats "
        f"{worst.beaten:.0%}. EPP counts duels, and a few bad {study.unit}s cost it little more "
        f"than those; a mean counts by how much."
    )


def _round_table(rounds: list[Round], study: Study) -> str:
    metric = label_of(study.evaluations.metric)
    ordered = rounds if len(rounds) <= 20 else sorted(rounds, key=lambda it: it.beaten)
    rows = [(it.name, it.score, it.middle, f"{it.beaten:.0%}") for it in ordered]
    head = [study.unit.capitalize(), metric, "Middle of others", "Beats"]
    return page.tabulate(head, rows, tall=len(rows) > 14)


def _relation_table(relations: Mapping[str, Relation]) -> str:
    rows = [
        (
            task,
            it.players,
            it.line.intercept,
            it.line.slope,
            it.line.r_squared,
            it.curve.r_squared if it.curve else None,
            it.shape,
            _numbers(it),
        )
        for task, it in relations.items()
    ]
    head = ["Task", "Flows", "Intercept", "Slope", "R² line", "R² S", "Better", "Unstable flows"]
    return page.tabulate(head, rows)


def _numbers(relation: Relation) -> str:
    """The numbers of the flows that are unstable, the first few of them."""
    found = [pictures.number_of(one.player) for one in relation.off if one.unstable]
    more = f" and {len(found) - FEW} more" if len(found) > FEW else ""
    return f"{', '.join(found[:FEW])}{more}"


def _changes(study: Study, second: Study, first: str, other: str) -> str:
    """How far two metrics agree on who is better."""
    shares = []
    for task in study.season:
        if task not in second.season:
            continue
        one, two = ({row.player: row.epp for row in it.season[task]} for it in (study, second))
        shared = sorted(one.keys() & two.keys())
        pairs = [(a, b) for k, a in enumerate(shared) for b in shared[:k]]
        same = sum((one[a] > one[b]) == (two[a] > two[b]) for a, b in pairs)
        if pairs:
            shares.append((same / len(pairs), task))
    if not shares:
        return f"No task has EPP by {first} and by {other}."
    mean = sum(share for share, _ in shares) / len(shares)
    low, worst = min(shares)
    return (
        f"EPP by {first} and by {other} put {mean:.0%} of the pairs of flows in the same order, on "
        f"average over {len(shares):,} boards; least on {worst} ({low:.0%})."
    )
