"""Layouts of the JSON that Winodds writes; that of a leaderboard lives beside its reader."""

from typing import Any, get_type_hints

from winodds.board.gate import SCHEMA as GATE, Gate
from winodds.board.schema import leaderboard_schema
from winodds.language.notes import Note
from winodds.language.plain import DRAFT, make_object
from winodds.slices.leaders import Leader
from winodds.slices.slices import SCHEMA as SLICES, Slice


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
        "description": "A leaderboard for each tournament, and perhaps one of all together.",
        "type": "object",
        "required": ["schema", "tournaments"],
        "additionalProperties": False,
        "properties": {
            "schema": {"const": "winodds/season/2"},
            "together": {"$ref": "#/$defs/leaderboard"},
            "tournaments": boards,
        },
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
