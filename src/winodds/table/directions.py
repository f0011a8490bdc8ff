"""Which way is better, for every round; never guessed.

It comes from one source: the caller, a column with the direction of each round, one with its
metric, or the name of the score column. A direction that contradicts a metric's name is an error.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from winodds.arrays import Bools
from winodds.language.errors import BadOption
from winodds.language.options import Direction
from winodds.language.words import list_names
from winodds.table.errors import (
    DirectionContradicts,
    DirectionsIncomplete,
    DirectionUnknown,
    DirectionUnreadable,
)
from winodds.table.vocabulary import arrow_of, known_metric, likely_metric

UP = frozenset({"up", "higher", "high", "max", "maximize", "maximise", "true", "1", "1.0"})
DOWN = frozenset({"down", "lower", "low", "min", "minimize", "minimise", "false", "0", "0.0"})


def as_direction(given: object) -> Direction:
    """What the caller said, or `BadOption`."""
    if given is None or isinstance(given, (bool, Mapping)):
        return given
    if isinstance(given, np.bool_):
        return bool(given)
    wanted = "it is True, False, or a mapping from rounds to these"
    raise BadOption(option="higher_is_better", value=given, wanted=wanted)


def check_one_source(given: Direction, *, metric: str | None, direction: str | None) -> None:
    """Refuse several sources of the direction; True or False may stand in for unknown metrics.

    A column of directions may stand beside one of metrics, whose names are then compared with it.
    """
    if direction is not None and given is not None:
        wanted = "that column says it all; drop the other sources of the direction"
        raise BadOption(option="direction_column", value=direction, wanted=wanted)
    if metric is not None and given is not None and not isinstance(given, bool):
        wanted = "the metric column tells the rounds' directions; drop the mapping"
        raise BadOption(option="metric_column", value=metric, wanted=wanted)


def check_against_name(up: Bools, name: str) -> Bools:
    """The directions, refused when the name of the score or metric contradicts one of them."""
    metric = known_metric(name)
    if metric is not None and (up != metric.higher_is_better).any():
        raise DirectionContradicts(metric=name, higher_is_better=not metric.higher_is_better)
    return up


def metric_directions(metrics: Sequence[str], *, higher_is_better: Direction) -> Bools:
    """Whether higher is better, for each of several metrics' names."""
    given = higher_is_better if isinstance(higher_is_better, bool) else None
    # A direction that stands in for metrics of unknown names says nothing about the others.
    serves = given is not None and bool(unsure(metrics))
    return np.array([_direction_of(name, given, strict=not serves) for name in metrics], np.bool_)


def unsure(metrics: Sequence[str]) -> list[str]:
    """The metrics whose names do not settle what is better."""
    return [name for name in metrics if known_metric(name) is None]


def _direction_of(name: str, given: bool | None, *, strict: bool) -> bool:
    metric, arrow = known_metric(name), arrow_of(name)
    if metric is not None and arrow is not None and arrow != metric.higher_is_better:
        raise DirectionContradicts(metric=name, higher_is_better=arrow)
    if metric is None and given is not None:
        return given
    metric = metric or likely_metric(name)
    if metric is None:
        raise DirectionUnknown(metric=name)
    if strict and given is not None and given != metric.higher_is_better:
        raise DirectionContradicts(metric=name, higher_is_better=given)
    return metric.higher_is_better


def read_directions(words: Sequence[str], *, column: str) -> Bools:
    """Whether higher is better, from the words of a direction column."""
    result = np.empty(len(words), np.bool_)
    for k, word in enumerate(words):
        plain = word.strip().casefold()
        if plain not in UP | DOWN:
            raise DirectionUnreadable(column=column, value=word)
        result[k] = plain in UP
    return result


def round_directions(rounds: Sequence[str], given: Mapping[str, bool]) -> Bools:
    """Whether higher is better, for each round of a mapping; its keys are taken as text."""
    named = {str(name): up for name, up in given.items()}
    left_out = [name for name in rounds if name not in named]
    if left_out:
        raise DirectionsIncomplete(rounds=left_out)
    unknown = [name for name in named if name not in set(rounds)]
    if unknown:
        wanted = f"the table has no round {list_names(unknown)}"
        raise BadOption(option="higher_is_better", value=dict(given), wanted=wanted)
    for name, up in named.items():
        if not isinstance(up, (bool, np.bool_)):
            wanted = f"round '{name}' is True or False"
            raise BadOption(option="higher_is_better", value=up, wanted=wanted)
    return np.array([named[name] for name in rounds], np.bool_)
