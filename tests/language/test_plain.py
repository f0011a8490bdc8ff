"""Dataclasses become plain data, and the schema says what that data is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Optional

import pytest
from jsonschema import Draft202012Validator

from winodds.language.plain import DRAFT, make_object, make_schema, to_plain


@dataclass(frozen=True, slots=True)
class Point:
    """A place.

    More about it.
    """

    x: float
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """Places in a row, and perhaps a way on."""

    kind: Literal["road", "river"]
    points: tuple[Point, ...]
    ends: tuple[str, int]
    lengths: Mapping[str, list[float]]
    onwards: Optional["Path"] = None


POINT = {
    "description": "A place.",
    "type": "object",
    "properties": {
        "x": {"type": "number"},
        "label": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["x", "label"],
    "additionalProperties": False,
}


def test_dataclasses_become_dicts_at_any_depth() -> None:
    path = Path("road", (Point(1.0), Point(2.0, "b")), ("a", 3), {"km": [1.5]})
    assert to_plain(Path("river", (), ("c", 0), {}, path)) == {
        "kind": "river",
        "points": [],
        "ends": ["c", 0],
        "lengths": {},
        "onwards": {
            "kind": "road",
            "points": [{"x": 1.0, "label": None}, {"x": 2.0, "label": "b"}],
            "ends": ["a", 3],
            "lengths": {"km": [1.5]},
            "onwards": None,
        },
    }


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (bool, {"type": "boolean"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (str, {"type": "string"}),
        (Any, {}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (Sequence[str], {"type": "array", "items": {"type": "string"}}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (
            tuple[str, int],
            {
                "type": "array",
                "prefixItems": [{"type": "string"}, {"type": "integer"}],
                "items": False,
                "minItems": 2,
            },
        ),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Mapping[str, Any], {"type": "object", "additionalProperties": {}}),
        (Annotated[int, {"minimum": 1}], {"type": "integer", "minimum": 1}),
        (Point, {"$schema": DRAFT, "$ref": "#/$defs/Point", "$defs": {"Point": POINT}}),
    ],
)
def test_types_have_schemas(hint: Any, schema: dict[str, Any]) -> None:
    assert make_schema(hint) == schema


def test_dataclasses_are_described_once_even_within_themselves() -> None:
    schema = make_schema(Path)
    assert list(schema["$defs"]) == ["Path", "Point"]
    assert schema["$defs"]["Point"] == POINT
    own = schema["$defs"]["Path"]["properties"]
    assert own["points"] == {"type": "array", "items": {"$ref": "#/$defs/Point"}}
    assert own["onwards"] == {"anyOf": [{"$ref": "#/$defs/Path"}, {"type": "null"}]}


def test_what_a_dataclass_becomes_fits_its_schema_and_nothing_else_does() -> None:
    check = Draft202012Validator(make_schema(Path))
    path = Path("road", (Point(1.0),), ("a", 3), {"km": [1.5]}, Path("river", (), ("b", 1), {}))
    plain = to_plain(path)
    assert check.is_valid(plain)
    for key, wrong in (
        ("kind", "rail"),
        ("points", [{"x": 1.0}]),
        ("ends", ["a"]),
        ("ends", ["a", 3, 4]),
        ("lengths", {"km": 1.5}),
        ("more", 1),
    ):
        assert not check.is_valid({**plain, key: wrong}), key


def test_an_object_has_just_the_keys_that_are_named() -> None:
    assert make_object({"a": int, "b": str}) == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }


def test_a_type_without_a_schema_is_refused() -> None:
    with pytest.raises(TypeError) as caught:
        make_schema(complex)
    assert str(caught.value) == "<class 'complex'> has no JSON Schema"
