"""Layouts of the JSON that Winodds writes."""

import json
from importlib.resources import files
from typing import Any

from winodds.board.column import schema_of
from winodds.board.row import Row


def leaderboard_schema() -> dict[str, Any]:
    """The JSON Schema of `Leaderboard.to_json`; that of a row follows from its columns.

    >>> leaderboard_schema()["properties"]["schema"]["const"]
    'winodds/leaderboard/2'
    """
    text = (files(__package__) / "leaderboard.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    row, on_elo_scale = schema_of(Row), schema["$defs"].pop("elo")
    row["properties"] |= on_elo_scale
    schema["$defs"]["row"] = row
    return schema


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
