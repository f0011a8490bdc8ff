"""Layouts of the JSON that Winodds writes."""

import json
from importlib.resources import files
from typing import Any


def leaderboard_schema() -> dict[str, Any]:
    """The JSON Schema of `Leaderboard.to_json`.

    >>> leaderboard_schema()["properties"]["schema"]["const"]
    'winodds/leaderboard/1'
    """
    text = (files(__package__) / "leaderboard.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
