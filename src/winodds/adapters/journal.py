"""Journals of Optuna: a log of operations, one JSON object a line, replayed here."""

import json
from typing import Any

from winodds.adapters.errors import NotThisSource
from winodds.adapters.place import Place, refuse_line
from winodds.adapters.settings import Plain
from winodds.adapters.studies import METRIC_NAMES, TITLE, Study, Trial, decode, read_names

STATES = ("RUNNING", "COMPLETE", "PRUNED", "FAIL", "WAITING")
DIRECTIONS = ("NOT_SET", "MINIMIZE", "MAXIMIZE")
OPEN = ("RUNNING", "WAITING")
"""States in which a trial can still be changed."""

CREATE_STUDY, DELETE_STUDY, STUDY_ATTRIBUTE = 0, 1, 3
CREATE_TRIAL, PARAMETER, STATE, STEP = 4, 5, 6, 7


def is_journal(place: Place) -> bool:
    """Whether the first line of a file is an operation of a journal."""
    if place.kind not in ("table", "json"):
        return False
    try:
        first = json.loads(place.head.split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and {"op_code", "worker_id"} <= set(first)


def replay_journal(place: Place) -> list[Study]:
    """The studies that a journal's operations lead to."""
    replay = _Replay(place.path)
    lines = place.lines()
    for number, line in lines:
        try:
            operation = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == lines[-1][0]:
                # Somebody is writing it just now, or was stopped.
                break
            raise refuse_line(number, str(error), line) from None
        try:
            replay.apply(operation)
        except (LookupError, TypeError, ValueError, OverflowError, AttributeError) as error:
            reason = f"line {number:,} is no operation that is known ({error!r})"
            raise NotThisSource(path=place.path, title=TITLE, reason=reason) from None
    return replay.studies()


class _Replay:
    """What the operations so far lead to; those on what is gone or finished do nothing."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._names: dict[int, str] = {}
        self._directions: dict[int, tuple[str, ...]] = {}
        self._metrics: dict[int, tuple[str, ...]] = {}
        self._created = 0
        self._trials: list[dict[str, Any]] = []

    def apply(self, operation: dict[str, Any]) -> None:
        code = operation["op_code"]
        if code == CREATE_STUDY:
            self._create_study(operation)
        elif code == DELETE_STUDY:
            self._names.pop(operation["study_id"], None)
        elif code == STUDY_ATTRIBUTE and METRIC_NAMES in operation["system_attr"]:
            names = operation["system_attr"][METRIC_NAMES]
            self._metrics[operation["study_id"]] = read_names(names)
        elif code == CREATE_TRIAL and operation["study_id"] in self._names:
            self._create_trial(operation)
        elif code in (PARAMETER, STATE, STEP):
            self._change_trial(code, operation)

    def _create_study(self, operation: dict[str, Any]) -> None:
        name = str(operation["study_name"])
        if name in self._names.values():
            return
        self._names[self._created] = name
        self._directions[self._created] = tuple(DIRECTIONS[it] for it in operation["directions"])
        self._created += 1

    def _create_trial(self, operation: dict[str, Any]) -> None:
        distributions = operation.get("distributions") or {}
        params: dict[str, Plain] = {
            name: decode(value, distributions[name], self._path)
            for name, value in (operation.get("params") or {}).items()
        }
        value, values = operation.get("value"), operation.get("values")
        steps = operation.get("intermediate_values") or {}
        self._trials.append(
            {
                "study": operation["study_id"],
                "state": STATES[operation.get("state", 0)],
                "params": params,
                "values": values if values is not None else [] if value is None else [value],
                "steps": {int(step): float(own) for step, own in steps.items()},
            }
        )

    def _change_trial(self, code: int, operation: dict[str, Any]) -> None:
        number = operation["trial_id"]
        if not 0 <= number < len(self._trials) or self._trials[number]["state"] not in OPEN:
            return
        trial = self._trials[number]
        if code == PARAMETER:
            value, distribution = operation["param_value_internal"], operation["distribution"]
            trial["params"][str(operation["param_name"])] = decode(value, distribution, self._path)
        elif code == STEP:
            trial["steps"][int(operation["step"])] = float(operation["intermediate_value"])
        else:
            trial["state"] = STATES[operation["state"]]
            if operation["values"] is not None:
                trial["values"] = [float(value) for value in operation["values"]]

    def studies(self) -> list[Study]:
        """The studies that are left, with their trials in the order of their numbers."""
        found = []
        for study, name in self._names.items():
            own = [trial for trial in self._trials if trial["study"] == study]
            trials = tuple(
                Trial(k, it["state"], it["params"], tuple(it["values"]), it["steps"])
                for k, it in enumerate(own)
            )
            found.append(Study(name, self._directions[study], self._metrics.get(study, ()), trials))
        return found
