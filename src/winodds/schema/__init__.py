"""Layouts of the JSON that Winodds writes."""

import json
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin, get_type_hints

from winodds.board.column import schema_of
from winodds.board.gate import SCHEMA as GATE, Gate
from winodds.board.how import Details, How, Interval, MatchCounts
from winodds.board.placing import Placing
from winodds.board.row import Row
from winodds.language.notes import Note
from winodds.language.plain import DRAFT, make_object
from winodds.slices.leaders import Leader
from winodds.slices.slices import SCHEMA as SLICES, Slice

CHOICES = {
    "estimator": (How, "estimator"),
    "interval_kind": (Interval, "kind"),
    "match_kind": (MatchCounts, "kind"),
    "missing": (How, "missing"),
    "duplicates": (How, "duplicates"),
    "convention": (Details, "convention"),
    "ranks": (Details, "ranks"),
    "adjust": (Placing, "adjust"),
    "note_kind": (Note, "kind"),
}
"""Definitions to which leaderboard.json refers: the values that a field can have."""


def leaderboard_schema() -> dict[str, Any]:
    """The JSON Schema of `Leaderboard.to_json`; rows and choices in it follow from their types.

    >>> leaderboard_schema()["properties"]["schema"]["const"]
    'winodds/leaderboard/2'
    """
    text = (files(__package__) / "leaderboard.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    row, on_elo_scale = schema_of(Row), schema["$defs"].pop("elo")
    row["properties"] |= on_elo_scale
    schema["$defs"]["row"] = row
    for name, (kind, field) in CHOICES.items():
        schema["$defs"][name] = {"enum": _values(get_type_hints(kind)[field])}
    return schema


def _values(hint: Any) -> list[str]:
    """The values of a Literal, or of several in a union."""
    parts = get_args(hint)
    return list(parts) if get_origin(hint) is Literal else [v for p in parts for v in _values(p)]


def season_schema() -> dict[str, Any]:
    """The JSON Schema of `Season.to_json`: leaderboards, each with its tournament.

    >>> season_schema()["properties"]["schema"]["const"]
    'winodds/season/2'
    """
    board = leaderboard_schema()
    draft, definitions = board.pop("$schema"), board.pop("$defs")
    boards = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/leaderboard"}}
    return {
        "$schema": draft,
        "title": "Winodds season",
        "description": "A leaderboard for each tournament.",
        "type": "object",
        "required": ["schema", "tournaments"],
        "additionalProperties": False,
        "properties": {"schema": {"const": "winodds/season/2"}, "tournaments": boards},
        "$defs": {**definitions, "leaderboard": board},
    }


def gate_schema() -> dict[str, Any]:
    """The JSON Schema of what `winodds gate` writes; it follows from `Gate`.

    >>> gate_schema()["properties"]["verdict"]
    {'enum': ['better', 'no worse', 'worse', 'cannot tell']}
    """
    definitions: dict[str, Any] = {}
    hints = get_type_hints(Gate) | {"passed": bool, "text": str}
    found = _describe(hints, definitions, schema={"const": GATE})
    words = {"title": "Winodds gate", "description": "The verdict on a candidate."}
    return {"$schema": DRAFT, **words, **found, "$defs": definitions}


def slices_schema() -> dict[str, Any]:
    """The JSON Schema of `Slices.to_json`; a leaderboard in it is that of `leaderboard_schema`.

    ``text`` is there where a command wrote it.

    >>> slices_schema()["properties"]["schema"]["const"]
    'winodds/slices/1'
    """
    board = leaderboard_schema()
    draft, definitions = board.pop("$schema"), {**board.pop("$defs"), "leaderboard": board}
    whole, nothing = {"$ref": "#/$defs/leaderboard"}, {"type": "null"}
    hints = get_type_hints(Slice) | {"too_small": bool}
    own = _describe(hints, definitions, board={"anyOf": [whole, nothing]})
    leader = _describe(get_type_hints(Leader) | {"told": bool}, definitions)
    found = _describe(
        {"by": str, "level": float, "tests": int, "notes": list[Note]},
        definitions,
        schema={"const": SLICES},
        whole=whole,
        slices={"type": "array", "items": own},
        leaders={"anyOf": [{"type": "array", "items": leader}, nothing]},
    )
    found["properties"]["text"] = {"type": "array", "items": {"type": "string"}}
    words = {"title": "Winodds slices", "description": "A leaderboard for each value of a column."}
    return {"$schema": draft, **words, **found, "$defs": definitions}


def _describe(
    hints: dict[str, Any], definitions: dict[str, Any], **parts: dict[str, Any]
) -> dict[str, Any]:
    """The schema of an object whose keys have types, or are described already."""
    found = make_object({**hints, **dict.fromkeys(parts, Any)}, definitions)
    found["properties"] |= parts
    return found
