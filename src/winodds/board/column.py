"""How a column of a leaderboard is declared, and what JSON Schema follows from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import NoneType
from typing import Any, Literal, ParamSpec, TypeAlias, get_args, get_type_hints

Format: TypeAlias = Literal[
    "rank",
    "ranks",
    "name",
    "tournament",
    "words",
    "rating",
    "interval",
    "error",
    "chance",
    "letters",
    "number",
    "count",
    "score",
    "mean",
    "notes",
]
"""How a cell is written. The rounding itself is `winodds.show.layout.cells`, on a page words.js."""

Tone: TypeAlias = Literal["plain", "faint", "name", "kind", "doubt"]

Told = ParamSpec("Told")

WORDS: tuple[Format, ...] = ("name", "tournament", "words", "letters", "notes")
"""Formats of words, which stand to the left; the others are numbers."""


@dataclass(frozen=True, slots=True)
class Column:
    """All that outputs know of a column: tables, pages, JSON Schema and docs follow from it.

    Attributes
    ----------
    label : its heading where people read it.
    help : what it means, in sentences.
    format : how its cells are written.
    usual : whether tables show it unasked; else only files have it, and a page on request.
    optional : whether it is left out where nobody has anything in it.
    detail : whether it takes longer and is there only once `Leaderboard.details` was called.
    joins : the column with which it shares a cell, such as the other end of an interval.
    joined_help : what that cell means, if not what the column does.
    gives_way : its turn when columns leave a line that is too narrow; 0 stays.
    beside : the column that it stands behind where people read it, if not in its own place.
    shortens : pairs of a turn, and of how much its words keep at least when they are cut then.
    spare : whether it leaves on a narrow screen.
    tone : how it stands out in a terminal.
    bounds : what JSON Schema says of its values, besides their type.
    """

    label: str
    help: str
    format: Format
    usual: bool = True
    optional: bool = False
    detail: bool = False
    joins: str | None = None
    joined_help: str = ""
    gives_way: int = 0
    beside: str | None = None
    shortens: tuple[tuple[int, int], ...] = ()
    spare: bool = False
    tone: Tone = "plain"
    bounds: Mapping[str, Any] = field(default_factory=dict)

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers, which stand to the right."""
        return self.format not in WORDS


def _as_field(make: Callable[Told, Column]) -> Callable[Told, Any]:
    def declare(*args: Told.args, **options: Told.kwargs) -> Any:
        return field(metadata={"column": make(*args, **options)})

    return declare


declare = _as_field(Column)
"""A field of a dataclass that is a column, declared as `Column` has it."""


def declared_in(rows: type) -> dict[str, Column]:
    """The columns that a dataclass declares, in order."""
    return {own.name: own.metadata["column"] for own in fields(rows)}


def schema_of(rows: type) -> dict[str, Any]:
    """The JSON Schema of a row, in which notes refer to ``#/$defs/note``."""
    hints, declared = get_type_hints(rows), declared_in(rows)
    return {
        "type": "object",
        "required": list(declared),
        "additionalProperties": False,
        "properties": {
            name: {**_schema_of_values(hints[name]), **own.bounds, "description": own.help}
            for name, own in declared.items()
        },
    }


def _schema_of_values(hint: Any) -> dict[str, Any]:
    names = {int: "integer", float: "number", str: "string", NoneType: "null"}
    known = [names[kind] for kind in (get_args(hint) or (hint,)) if kind in names]
    if not known:
        return {"type": "array", "items": {"$ref": "#/$defs/note"}}
    return {"type": known if len(known) > 1 else known[0]}
