"""Layouts of the JSON that Winodds writes."""

import json
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin, get_type_hints

from winodds.board.column import schema_of
from winodds.board.how import Details, How, Interval, MatchCounts
from winodds.board.placing import Placing
from winodds.board.row import Row
from winodds.language.notes import Note

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
