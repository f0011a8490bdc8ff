"""Runs of one task that were not done in the same way are told apart, and never meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from winodds.adapters import notes as note
from winodds.language.notes import Note

Digests = Mapping[str, object]
"""What must agree wherever two runs both have it: a key, and something that can be compared."""


@dataclass(slots=True)
class Way:
    """One way in which a task was run.

    Attributes
    ----------
    task : the task's own name.
    settings : such as {"version": "version 1"}; the same for all runs.
    digests : of everything that its runs had.
    players : whose runs these are.
    name : the task, and what is special about this way if there are several.
    """

    task: str
    settings: Mapping[str, str]
    digests: dict[str, object]
    players: list[str] = field(default_factory=list)
    name: str = ""


class Ways:
    """The ways in which tasks were run."""

    def __init__(self) -> None:
        self._of_task: dict[str, list[Way]] = {}

    def place(self, player: str, task: str, settings: Mapping[str, str], digests: Digests) -> Way:
        """The way in which a run was done: one that is known, or a new one."""
        known = self._of_task.setdefault(task, [])
        fitting = (
            way for way in known if way.settings == settings and _agree(way.digests, digests)
        )
        way = next(fitting, None)
        if way is None:
            way = Way(task, settings, {})
            known.append(way)
        way.digests.update(digests)
        way.players.append(player)
        return way

    def settle(self) -> tuple[list[Way], list[Note]]:
        """All ways with their names, and what is to be said of them."""
        said = []
        for task, ways in self._of_task.items():
            for way, name in zip(ways, _names(task, ways), strict=True):
                way.name = name
            if len(ways) > 1:
                counts = {way.name: len(way.players) for way in ways}
                said.append(note.run_differently(task, counts))
        return [way for ways in self._of_task.values() for way in ways], said


def find_conflict(one: Way, other: Way) -> str | None:
    """What two ways of one name differ in, in words; None if their runs may meet."""
    if one.name != other.name:
        return None
    keys = dict.fromkeys((*one.settings, *other.settings))
    differing = [key for key in keys if one.settings.get(key) != other.settings.get(key)]
    if differing:
        sides = [
            ", ".join(way.settings.get(key, f"no {key}") for key in differing)
            for way in (one, other)
        ]
        return f"{sides[0]} against {sides[1]}"
    return None if _agree(one.digests, other.digests) else "their items, or prompts, differ"


def _agree(known: Digests, new: Digests) -> bool:
    fewer, more = (known, new) if len(known) < len(new) else (new, known)
    return all(more.get(key, value) == value for key, value in fewer.items())


def _names(task: str, ways: list[Way]) -> list[str]:
    """The task's name for its only way, else with what differs."""
    if len(ways) == 1:
        return [task]
    keys = dict.fromkeys(key for way in ways for key in way.settings)
    differing = [key for key in keys if len({way.settings.get(key) for way in ways}) > 1]
    labels = [
        ", ".join(way.settings[key] for key in differing if key in way.settings) for way in ways
    ]
    names = []
    for k, label in enumerate(labels):
        same = [number for number, other in enumerate(labels) if other == label]
        parts = [label] if label else []
        parts += [f"items {same.index(k) + 1}"] if len(same) > 1 else []
        names.append(f"{task} [{', '.join(parts)}]" if parts else task)
    return names
