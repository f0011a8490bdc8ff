"""JSON from strangers → plain data that follows its schema and holds nothing that no reader sees.

A document may come from anywhere, and what is in it goes on to numerics that trust their input. So
it is held to the schema that `Leaderboard.to_json` promises before anything is made of it.
"""

import json
import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from winodds.board.errors import BrokenJson, NotJson
from winodds.language.errors import BadOption
from winodds.language.words import quote
from winodds.table.names import hidden_character

DEPTH = 40
"""How deep lists and objects may lie within each other; those of a season lie 12 deep."""

DIGITS = 40
"""Digits of a whole number: seeds may have 128 bits, and nothing is larger."""

EXACT = 2**53
"""Whole numbers beyond which floats skip some; counts are smaller, and only seeds are not."""

Schema = Mapping[str, Any]
Place = str


def parse_document(text: str) -> Any:
    """What JSON holds: finite numbers, no key twice, not too deep, and no invisible characters."""
    if not isinstance(text, str):
        raise BadOption(option="text", value=type(text).__name__, wanted="it is the text of JSON")
    try:
        data = json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_no_number,
            parse_float=_finite,
            parse_int=_whole,
        )
    except RecursionError:
        raise NotJson(reason="its parts lie too deep within each other") from None
    except ValueError as error:
        raise NotJson(reason=str(error)) from None
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"an object has {quote(key)} twice")
        found[key] = value
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"the number {quote(digits)} is too large")
    return value


def _whole(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError(f"a whole number has {len(digits):,} digits")
    return int(digits)


def check_document(data: Any, schema: Schema) -> None:
    """Raise `BrokenJson` unless the data follow the schema and every text can be shown."""
    for place, text in _texts(data):
        hidden = hidden_character(text)
        # Names of rounds are not shown, so a table may have invisible characters in them.
        if hidden is not None and (unicodedata.category(hidden) == "Cs" or not _unseen(place)):
            raise broken(place, f"holds the invisible character U+{ord(hidden):04X}")
    _Checker(schema).check(data, schema, "")


def broken(place: Place, what: str) -> BrokenJson:
    """The error about a part of a document."""
    return BrokenJson(reason=f"{place or 'the whole'} {what}")


def _texts(data: Any) -> Iterator[tuple[Place, str]]:
    """Every text in the data that is shown, names of keys among them, with its place."""
    waiting: list[tuple[Place, Any, int]] = [("", data, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        if depth > DEPTH:
            raise broken(place.partition(".")[0], "has parts that lie too deep within each other")
        if isinstance(value, str):
            yield place, value
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                yield place, key
                waiting.append((_inside(place, key), inner, depth + 1))
        elif isinstance(value, (list, tuple)):
            waiting.extend((f"{place}[{k}]", inner, depth + 1) for k, inner in enumerate(value))


def _unseen(place: Place) -> bool:
    """Whether nobody reads a part of a board: the names of its rounds."""
    return place.startswith("schedule.rounds")


def _inside(place: Place, key: str) -> Place:
    return f"{place}.{key}" if place else key


class _Checker:
    """Compares data with a JSON Schema; it knows the keywords that ours use, and no others."""

    def __init__(self, schema: Schema) -> None:
        self._definitions = schema.get("$defs", {})

    def check(self, value: Any, schema: Schema, place: Place) -> None:
        for keyword, wanted in schema.items():
            if keyword not in SAID_ONLY:
                KEYWORDS[keyword](self, value, wanted, schema, place)

    def refer(self, value: Any, wanted: str, _: Schema, place: Place) -> None:
        self.check(value, self._definitions[wanted.removeprefix("#/$defs/")], place)

    def any_of(self, value: Any, wanted: Sequence[Schema], _: Schema, place: Place) -> None:
        failure: BrokenJson | None = None
        for one in wanted:
            try:
                return self.check(value, one, place)
            except BrokenJson as error:
                failure = error
        assert failure is not None
        raise failure

    def type(self, value: Any, wanted: str | Sequence[str], _: Schema, place: Place) -> None:
        names = [wanted] if isinstance(wanted, str) else wanted
        if not any(TYPES[name](value) for name in names):
            raise broken(place, f"is {_shown(value)} and not {' or '.join(map(_word, names))}")

    def required(self, value: Any, wanted: Sequence[str], _: Schema, place: Place) -> None:
        if isinstance(value, Mapping):
            for key in wanted:
                if key not in value:
                    raise broken(place, f"has no {quote(key)}")

    def properties(self, value: Any, wanted: Mapping[str, Schema], _: Schema, place: Place) -> None:
        if isinstance(value, Mapping):
            for key, inner in wanted.items():
                if key in value:
                    self.check(value[key], inner, _inside(place, key))

    def others(self, value: Any, wanted: Schema | bool, schema: Schema, place: Place) -> None:
        if not isinstance(value, Mapping):
            return
        for key in value:
            if key in schema.get("properties", {}):
                continue
            if wanted is False:
                raise broken(place, f"has {quote(key)}, which nobody knows")
            if isinstance(wanted, Mapping):
                self.check(value[key], wanted, _inside(place, key))

    def items(self, value: Any, wanted: Schema, _: Schema, place: Place) -> None:
        if isinstance(value, list):
            for number, inner in enumerate(value):
                self.check(inner, wanted, f"{place}[{number}]")

    def long_enough(self, value: Any, wanted: int, _: Schema, place: Place) -> None:
        if isinstance(value, str) and len(value) < wanted:
            raise broken(place, "is empty")

    def one_of_values(self, value: Any, wanted: Sequence[Any], _: Schema, place: Place) -> None:
        if not isinstance(value, str) or value not in wanted:
            raise broken(place, f"is {_shown(value)} and not {' or '.join(map(quote, wanted))}")

    def constant(self, value: Any, wanted: str, _: Schema, place: Place) -> None:
        self.one_of_values(value, [wanted], _, place)


def _bound(
    name: str, holds: Callable[[float, float], bool]
) -> Callable[[_Checker, Any, float, Schema, Place], None]:
    def check(_: _Checker, value: Any, wanted: float, __: Schema, place: Place) -> None:
        if _is_number(value) and not holds(value, wanted):
            raise broken(place, f"is {_shown(value)} and not {name} {wanted:,}")

    return check


def _length(
    name: str, holds: Callable[[int, int], bool]
) -> Callable[[_Checker, Any, int, Schema, Place], None]:
    def check(_: _Checker, value: Any, wanted: int, __: Schema, place: Place) -> None:
        if isinstance(value, list) and not holds(len(value), wanted):
            raise broken(place, f"has {len(value):,} parts and not {name} {wanted:,}")

    return check


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: _is_number(value) and -math.inf < value < math.inf,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
}

SAID_ONLY = frozenset({"$schema", "$defs", "title", "description", "contentEncoding"})
"""Keywords that people read."""

KEYWORDS: dict[str, Callable[[_Checker, Any, Any, Schema, Place], None]] = {
    "$ref": _Checker.refer,
    "anyOf": _Checker.any_of,
    "type": _Checker.type,
    "required": _Checker.required,
    "properties": _Checker.properties,
    "additionalProperties": _Checker.others,
    "items": _Checker.items,
    "enum": _Checker.one_of_values,
    "const": _Checker.constant,
    "minItems": _length("at least", lambda size, least: size >= least),
    "maxItems": _length("at most", lambda size, most: size <= most),
    "minLength": _Checker.long_enough,
    "minimum": _bound("at least", lambda value, least: value >= least),
    "maximum": _bound("at most", lambda value, most: value <= most),
    "exclusiveMinimum": _bound("above", lambda value, least: value > least),
    "exclusiveMaximum": _bound("below", lambda value, most: value < most),
}


def _word(name: str) -> str:
    return {
        "null": "null",
        "object": "an object",
        "array": "a list",
        "integer": "a whole number",
    }.get(name, f"a {name}")


def _shown(value: Any) -> str:
    if isinstance(value, (Mapping, list)):
        return "an object" if isinstance(value, Mapping) else "a list"
    return json.dumps(value) if not isinstance(value, str) else quote(value)
