"""The layout of the JSON of a season."""

from typing import Any

from winodds.board.schema import leaderboard_schema


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
