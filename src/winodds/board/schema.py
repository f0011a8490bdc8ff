"""The layout of the JSON of a leaderboard, to which every document that is read is held."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin, get_type_hints

from winodds.board.column import schema_of
from winodds.board.how import Details, How, Interval, MatchCounts
from winodds.board.placing import Placing
from winodds.board.row import Row
from winodds.inference.intervals import Intervals
from winodds.language.notes import Note

FILE = "leaderboard.json"

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
    "center": (Intervals, "center"),
}
"""Definitions to which the file refers: the values that a field can have."""


def leaderboard_schema() -> dict[str, Any]:
    """The JSON Schema of `Leaderboard.to_json`; rows and choices in it follow from their types.

    >>> leaderboard_schema()["properties"]["schema"]["const"]
    'winodds/leaderboard/2'
    """
    text = (files(__package__) / FILE).read_text(encoding="utf-8")
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


@cache
def own_schema() -> dict[str, Any]:
    """The same, made once, for those who only look at it."""
    return leaderboard_schema()
