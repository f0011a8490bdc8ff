"""Studies of Optuna with their trials, and how an SQLite file holds them."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, nan
from typing import Any

from winodds.adapters.errors import NotThisSource
from winodds.adapters.place import Place
from winodds.adapters.settings import Plain, plain_setting

TITLE = "an Optuna study"
COMPLETE, PRUNED, FAIL = "COMPLETE", "PRUNED", "FAIL"
WAYS = {"MINIMIZE": "down", "MAXIMIZE": "up"}
METRIC_NAMES = "study:metric_names"
SINGLE = "value"
"""The only objective of a study that does not name it."""

NEEDED = {
    "studies": ("study_id", "study_name"),
    "study_directions": ("study_id", "objective", "direction"),
    "trials": ("trial_id", "number", "study_id", "state"),
    "trial_params": ("trial_id", "param_name", "param_value", "distribution_json"),
    "trial_values": ("trial_id", "objective", "value", "value_type"),
    "trial_intermediate_values": (
        *("trial_id", "step", "intermediate_value", "intermediate_value_type"),
    ),
    "study_system_attributes": ("study_id", "key", "value_json"),
}
"""Tables and columns of a storage (schema 12, since Optuna 3)."""

WHOLE = ("study_id", "trial_id", "number", "objective", "step")
REAL = ("value", "intermediate_value", "param_value")

SPECIAL = {"INF_POS": inf, "INF_NEG": -inf, "NAN": nan}


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial: its number, its state, its parameters, its values and those of its steps."""

    number: int
    state: str
    params: Mapping[str, Plain]
    values: Sequence[float]
    steps: Mapping[int, float]


@dataclass(frozen=True)
class Study:
    """A study: its name, the directions and perhaps names of its objectives, and its trials."""

    name: str
    directions: tuple[str, ...]
    names: tuple[str, ...]
    trials: tuple[Trial, ...]

    @property
    def objectives(self) -> tuple[str, ...]:
        """The objectives' names; numbers if they have none and are several."""
        several = len(self.directions) > 1
        usual = tuple(map(str, range(len(self.directions)))) if several else (SINGLE,)
        return self.names if len(self.names) == len(usual) else usual

    def direction(self, objective: int) -> str | None:
        return WAYS.get(self.directions[objective]) if self.directions else None

    def of(self, *states: str) -> list[Trial]:
        """The trials in one of these states."""
        return [trial for trial in self.trials if trial.state in states]

    @cached_property
    def steps(self) -> list[int]:
        """The steps of all completed trials."""
        return sorted({step for trial in self.of(COMPLETE) for step in trial.steps})

    @property
    def ends_with_last_step(self) -> bool:
        """Whether every trial's value is that of its last step, which it is not for folds."""
        trials = [trial for trial in self.of(COMPLETE) if len(trial.steps) > 1]
        return bool(trials) and all(
            len(trial.values) == 1 and trial.steps[max(trial.steps)] == trial.values[0]
            for trial in trials
        )


# SQLite -------------------------------------------------------------------------------------------


def is_storage(place: Place) -> bool:
    """Whether a database has the tables of a storage."""
    return place.kind == "database" and {"studies", "study_directions", "trials"} <= set(
        place.tables
    )


def load_studies(place: Place) -> list[Study]:
    """The studies of an SQLite file."""
    for table, columns in NEEDED.items():
        absent = [name for name in columns if name not in place.tables.get(table, ())]
        if absent:
            reason = (
                f"table '{table}' has no column '{absent[0]}'; if Optuna before version 3 wrote "
                f"it, 'optuna storage upgrade' brings it up to date"
            )
            raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    tables = {
        table: place.rows(table, columns, whole=WHOLE, real=REAL)
        for table, columns in NEEDED.items()
    }
    directions: dict[int, dict[int, str]] = defaultdict(dict)
    for study, objective, direction in tables["study_directions"]:
        directions[study][objective] = direction
    names = {
        study: read_names(value)
        for study, key, value in tables["study_system_attributes"]
        if key == METRIC_NAMES
    }
    trials = _load_trials(tables, place.path)
    return [
        Study(
            str(name),
            tuple(own for _, own in sorted(directions[study].items())),
            names.get(study, ()),
            tuple(sorted(trials[study], key=lambda trial: trial.number)),
        )
        for study, name in tables["studies"]
    ]


def _load_trials(
    tables: Mapping[str, Sequence[tuple[Any, ...]]], path: str
) -> dict[int, list[Trial]]:
    """The trials of each study."""
    params: dict[int, dict[str, Plain]] = defaultdict(dict)
    for trial, name, value, distribution in tables["trial_params"]:
        params[trial][str(name)] = decode(value, distribution, path)
    values: dict[int, dict[int, float]] = defaultdict(dict)
    for trial, objective, value, kind in tables["trial_values"]:
        values[trial][objective] = SPECIAL.get(kind, value)
    steps: dict[int, dict[int, float]] = defaultdict(dict)
    for trial, step, value, kind in tables["trial_intermediate_values"]:
        steps[trial][step] = SPECIAL.get(kind, value)
    found: dict[int, list[Trial]] = defaultdict(list)
    for trial, number, study, state in tables["trials"]:
        own = tuple(value for _, value in sorted(values[trial].items()))
        found[study].append(Trial(number, str(state), params[trial], own, steps[trial]))
    return found


def decode(value: Any, distribution: Any, path: str) -> Plain:
    """A parameter's value: categories are stored as numbers of their choices."""
    try:
        known = json.loads(distribution) if isinstance(distribution, str) else distribution
        kind, attributes = known["name"], known["attributes"]
        if kind == "CategoricalDistribution":
            return plain_setting(attributes["choices"][int(value)])
        return int(value) if kind.startswith("Int") else plain_setting(float(value))
    except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        reason = f"the distribution of a parameter cannot be read ({error!r})"
        raise NotThisSource(path=path, title=TITLE, reason=reason) from None


def read_names(value: Any) -> tuple[str, ...]:
    """The objectives' names."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        found = None
    return tuple(map(str, found)) if isinstance(found, list) else ()
