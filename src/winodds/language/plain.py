"""Dataclasses as plain data that JSON can hold, and the JSON Schema of that data.

Names of fields are names of keys, and every field is there. Whoever declares a dataclass thereby
declares its JSON: nothing else has to be kept in step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from winodds.language.nouns import Nouns

DRAFT = "https://json-schema.org/draft/2020-12/schema"

SIMPLE = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}


def to_plain(value: Any) -> Any:
    """What JSON can hold: dataclasses and mappings as dicts, sequences as lists.

    >>> from winodds.language.notes import Note
    >>> to_plain({"notes": (Note("doubt", "few", "Few rounds."),)})
    {'notes': [{'kind': 'doubt', 'name': 'few', 'text': 'Few rounds.', 'facts': {}}]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_plain(own) for name, own in fields_of(value).items()}
    if isinstance(value, Mapping):
        return {str(key): to_plain(own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(own) for own in value]
    return value


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass as they are: what `json.dumps` needs beside what it knows.

    >>> from winodds.language.notes import Note
    >>> fields_of(Note("doubt", "few", "Few rounds."))["name"]
    'few'
    """
    return {field.name: getattr(value, field.name) for field in fields(value)}


def make_schema(hint: Any) -> dict[str, Any]:
    """The JSON Schema of what `to_plain` makes of values of a type.

    The type may be a dataclass, bool, int, float, str, None, Any, a Literal, a union, a tuple, a
    list or sequence, a mapping from str, or one of these annotated with a dict, whose entries are
    added to the schema. A dataclass becomes a definition under its name.

    >>> make_schema(tuple[int, ...] | None)
    {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    >>> make_schema(Annotated[float, {"minimum": 0}])
    {'type': 'number', 'minimum': 0}
    """
    definitions: dict[str, Any] = {}
    found = _describe(hint, definitions)
    return {"$schema": DRAFT, **found, "$defs": definitions} if definitions else found


def _describe(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of one type; those of dataclasses in it are put under the definitions."""
    if hint is Any:
        return {}
    if isinstance(hint, type) and hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    if is_dataclass(hint):
        return _refer_to(hint, definitions)
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    describe = PARTS.get(get_origin(hint))
    if describe is None:
        raise TypeError(f"{hint!r} has no JSON Schema")
    return describe(get_args(hint), definitions)


def _refer_to(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to a dataclass, which is described once."""
    name = kind.__name__
    if name not in definitions:
        # A dataclass that holds others of its kind finds itself here already.
        own = definitions[name] = {"description": (kind.__doc__ or "").partition("\n")[0]}
        hints = get_type_hints(kind, include_extras=True)
        told = [one.name for one in fields(kind) if hints[one.name] is not Nouns]
        own |= make_object({name: hints[name] for name in told}, definitions)
    return {"$ref": f"#/$defs/{name}"}


def make_object(
    hints: Mapping[str, Any], definitions: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The schema of an object that has just these keys, each with its type.

    >>> make_object({"epp": float})["properties"]
    {'epp': {'type': 'number'}}
    """
    known = {} if definitions is None else definitions
    return {
        "type": "object",
        "properties": {name: _describe(hint, known) for name, hint in hints.items()},
        "required": list(hints),
        "additionalProperties": False,
    }


Parts = tuple[Any, ...]


def _annotated(parts: Parts, definitions: dict[str, Any]) -> dict[str, Any]:
    found = _describe(parts[0], definitions)
    for more in parts[1:]:
        found |= more
    return found


def _union(parts: Parts, definitions: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [_describe(part, definitions) for part in parts]}


def _tuple(parts: Parts, definitions: dict[str, Any]) -> dict[str, Any]:
    if parts[-1] is Ellipsis:
        return _list(parts, definitions)
    cells = [_describe(part, definitions) for part in parts]
    return {"type": "array", "prefixItems": cells, "items": False, "minItems": len(cells)}


def _list(parts: Parts, definitions: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": _describe(parts[0], definitions)}


def _mapping(parts: Parts, definitions: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": _describe(parts[1], definitions)}


PARTS: dict[Any, Callable[[Parts, dict[str, Any]], dict[str, Any]]] = {
    Annotated: _annotated,
    Union: _union,
    UnionType: _union,
    tuple: _tuple,
    list: _list,
    Sequence: _list,
    dict: _mapping,
    Mapping: _mapping,
}
"""How types are described that are made of others, by what makes them."""
