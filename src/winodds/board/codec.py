"""Leaderboards as plain data that JSON can hold, out and in, with nothing lost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from winodds.board.components import Components
from winodds.board.errors import SchemaUnknown
from winodds.board.evidence import Evidence
from winodds.board.how import How
from winodds.board.invariants import check_board, check_evidence
from winodds.board.placing import Placing
from winodds.board.quality import Quality
from winodds.board.row import DETAILS, KINDS, Standings
from winodds.board.schema import own_schema
from winodds.board.strict import check_document, parse_document
from winodds.language.notes import Note
from winodds.table.schedule import Schedule
from winodds.table.settings import Setting, Settings

if TYPE_CHECKING:
    from winodds.board.leaderboard import Leaderboard

SCHEMA = "winodds/leaderboard/2"

Result = TypeVar("Result")


# Out ----------------------------------------------------------------------------------------------


def write_board(board: "Leaderboard") -> dict[str, Any]:
    """The board as plain data; ranking and quality are null unless they were computed."""
    columns = board.columns()
    columns["notes"] = [[note.to_dict() for note in notes] for notes in columns["notes"]]
    return {
        "schema": SCHEMA,
        "tournament": board.tournament,
        "players": [
            dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)
        ],
        **board.how.to_dict(),
        "ranking": _write_ranking(board.details()) if board.detailed else None,
        "quality": board.quality().to_dict() if board.assessed else None,
        "notes": [note.to_dict() for note in board.notes],
        "settings": _write_settings(board.settings),
        "members": _write_members(board.members),
        "backend": board.backend,
        "schedule": None if board.schedule is None else board.schedule.to_dict(),
        "evidence": [part.to_dict() for part in board.components],
    }


def _write_settings(settings: Settings | None) -> dict[str, list[Setting]] | None:
    return None if settings is None else {name: list(own) for name, own in settings.items()}


def _write_members(
    members: Mapping[str, tuple[str, ...]] | None,
) -> dict[str, list[str]] | None:
    return None if members is None else {name: list(own) for name, own in members.items()}


def _write_ranking(placing: Placing) -> dict[str, Any]:
    worst = placing.quasi_worst
    return {
        "ranks": placing.ranks,
        "adjust": placing.adjust,
        "could_be_best": list(placing.could_be_best),
        "alike": [list(names) for names in placing.alike],
        "quasi_worst": None if worst is None else list(worst),
    }


# In -----------------------------------------------------------------------------------------------


def read_board(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `write_board` wrote, as the arguments that make a `Leaderboard`."""
    # Boards that were written before players had these say nothing of them.
    data: dict[str, Any] = {"settings": None, "members": None, "average": None, **given}
    check_document(data, own_schema())
    check_board(data)
    rows = data["players"]
    evidence = [
        Evidence.from_dict(part, f"evidence[{k}]") for k, part in enumerate(data["evidence"])
    ]
    check_evidence(data, evidence)
    return {
        "players": tuple(row["player"] for row in rows),
        "standings": _standings(rows),
        "row_notes": {k: _read_notes(row["notes"]) for k, row in enumerate(rows) if row["notes"]},
        "how": How.from_dict(data),
        "notes": _read_notes(data["notes"]),
        "components": Components(tuple(evidence)),
        "backend": data["backend"],
        "families": _read_families(rows),
        "settings": _read_settings(data["settings"]),
        "members": _read_members(data["members"]),
        "tournament": data["tournament"],
        "schedule": _read_schedule(data["schedule"]),
        "placing": _read_placing(rows, data["ranking"]),
        "quality": None if data["quality"] is None else Quality.from_dict(data["quality"]),
    }


def read_json(text: str, schema: str, build: Callable[[dict[str, Any]], Result]) -> Result:
    """What ``build`` makes of a JSON object that says it has this schema."""
    data = parse_document(text)
    found = data.get("schema") if isinstance(data, dict) else None
    if found != schema:
        raise SchemaUnknown(found=str(found), known=schema)
    return build(data)


def _read_notes(notes: Sequence[Mapping[str, Any]]) -> tuple[Note, ...]:
    return tuple(map(Note.from_dict, notes))


def _read_schedule(data: Mapping[str, Any] | None) -> Schedule | None:
    return None if data is None else Schedule.from_dict(data)


def _read_families(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...] | None:
    families = tuple(row["family"] for row in rows)
    return None if None in families else families


def _read_settings(data: Mapping[str, Sequence[Setting]] | None) -> Settings | None:
    return None if data is None else {name: tuple(own) for name, own in data.items()}


def _read_members(
    data: Mapping[str, Sequence[str]] | None,
) -> dict[str, tuple[str, ...]] | None:
    return None if data is None else {name: tuple(own) for name, own in data.items()}


def _read_placing(
    rows: Sequence[Mapping[str, Any]], ranking: Mapping[str, Any] | None
) -> Placing | None:
    if ranking is None:
        return None
    worst = ranking["quasi_worst"]
    return Placing(
        **{name: _array(rows, name) for name in DETAILS},
        players=tuple(row["player"] for row in rows),
        ranks=ranking["ranks"],
        adjust=ranking["adjust"],
        quasi_worst=None if worst is None else (float(worst[0]), float(worst[1])),
        alike=tuple(map(tuple, ranking["alike"])),
    )


def _standings(rows: Sequence[Mapping[str, Any]]) -> Standings:
    return Standings(**{column.name: _array(rows, column.name) for column in fields(Standings)})


def _array(rows: Sequence[Mapping[str, Any]], name: str) -> Any:
    """A column of plain rows as an array, words as a tuple; None for one without any number."""
    open_end = {"low": -np.inf, "high": np.inf}.get(name)
    cells = [row[name] for row in rows]
    if KINDS[name] is str:
        return tuple(cells)
    if open_end is None and all(cell is None for cell in cells):
        return None
    gone = np.nan if open_end is None else open_end
    array = np.array([gone if cell is None else cell for cell in cells], np.float64)
    return array.astype(np.int64) if KINDS[name] is int else array
