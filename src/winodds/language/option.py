"""What an option is: it is declared once, and checks, signatures, help and commands follow.

A declaration is a field of a dataclass, in `winodds.language.options`: its name, type and default
are those of the option, and `declare` or `column` knows the rest. The dataclass is what travels to
those who use the values; `takes` makes its fields the keywords of a public function.
"""

import re
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache, wraps
from inspect import Parameter, Signature, get_annotations, signature
from types import NoneType
from typing import (
    Any,
    ClassVar,
    Concatenate,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from winodds.language.checks import check_choice, check_count, check_number, check_role
from winodds.language.errors import BadOption
from winodds.language.spelling import option as spell

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

Shape: TypeAlias = Literal["long", "wide", "battles"]
Shapes: TypeAlias = tuple[Shape, ...]
Check: TypeAlias = Callable[[str, Any], float | str | Callable[..., object]]
"""Takes an option's name and value, and gives the value to be kept, which is never None."""

SCORES: Shapes = ("long", "wide")
LONG: Shapes = ("long",)
BATTLES: Shapes = ("battles",)
NOT_WIDE: Shapes = ("long", "battles")
WIDTH = 96


@dataclass(frozen=True, slots=True)
class Option:
    """What is known of an option besides its name, type and default.

    Attributes
    ----------
    help : what commands say of it.
    more : what Python's help says of it, if that is more.
    section : heading under which commands list it; that of its class if empty.
    shapes : of tables for which it means something; those of its class if empty.
    metavar : what stands for its value in the help of commands.
    least : the smallest whole number that it may be.
    check : refuses what the type allows and the option does not, and gives the value to be kept.
    also : other names that are taken, and shown.
    alias : an old name that is still taken, and not shown.
    opposite : the flag that says no, of an option that is yes, no or neither.
    flag : the last of its choices, if commands have a flag for it instead of the option.
    extra : whether only those commands have it that name it.
    """

    help: str
    more: str = ""
    section: str = ""
    shapes: Shapes = ()
    metavar: str | None = None
    least: int | None = None
    check: Check | None = None
    alias: str | None = None
    opposite: str | None = None
    extra: bool = False
    flag: str | None = None
    also: tuple[str, ...] = ()

    @property
    def other_names(self) -> tuple[str, ...]:
        """All names that are taken besides its own."""
        return (*self.also, *([] if self.alias is None else [self.alias]))


class Role(Option):
    """An option whose value is a column, or several if its type has sequences."""


def declare(
    default: T,
    help: str,
    more: str = "",
    *,
    section: str = "",
    shapes: Shapes = (),
    metavar: str | None = None,
    least: int | None = None,
    check: Check | None = None,
    opposite: str | None = None,
    extra: bool = False,
    flag: str | None = None,
) -> T:
    """Declare an option, as the default of a field; the rest is as in `Option`."""
    option = Option(help, more, section, shapes, metavar, least, check, None, opposite, extra, flag)
    return field(default=default, metadata={"option": option})


def column(
    default: T,
    help: str,
    more: str = "",
    *,
    section: str = "",
    shapes: Shapes = (),
    alias: str | None = None,
    also: tuple[str, ...] = (),
    extra: bool = False,
) -> T:
    """Declare an option whose value is a column, or several."""
    role = Role(help, more, section, shapes, "COLUMN", alias=alias, also=also, extra=extra)
    return field(default=default, metadata={"option": role})


@dataclass(frozen=True, slots=True)
class Declared:
    """An option with its name, type and default (`MISSING` if it must be given)."""

    name: str
    type: Any
    default: Any
    option: Option

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a `Literal`, or of one that may be left out; none of other types."""
        return next((get_args(kind) for kind in self.kinds if get_origin(kind) is Literal), ())

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The type, and those that it is a union of."""
        return (self.type, *get_args(self.type))

    @property
    def several(self) -> bool:
        """Whether the value may be a sequence."""
        return any(get_origin(kind) in (Sequence, tuple) for kind in self.kinds)

    @property
    def documentation(self) -> str:
        """What Python's help says."""
        others = ", ".join(map(spell, self.option.also))
        also = f" Also {others}." if others else ""
        if self.option.more:
            return f"{self.option.more}{also}"
        text = self.option.help[0].lower() + self.option.help[1:]
        listed = ", ".join(f'"{choice}"' for choice in self.choices)
        return f"{text.removesuffix('.')}: {listed}.{also}" if listed else f"{text}{also}"

    def check(self, value: object) -> Any:
        """The value to be kept; raises `BadOption` unless it is possible."""
        if value is self.default or (value is None and NoneType in get_args(self.type)):
            return value
        if self.option.check is not None:
            return self.option.check(self.name, value)
        if isinstance(self.option, Role):
            return check_role(self.name, value, several=self.several)
        if self.choices:
            return check_choice(self.name, value, self.choices)
        if float in self.kinds:
            return check_number(self.name, value)
        return (
            check_count(self.name, value, least=self.option.least) if int in self.kinds else value
        )


class Checked:
    """Base of the dataclasses whose fields declare options; checks each value."""

    section: ClassVar[str]
    shapes: ClassVar[Shapes] = get_args(Shape)

    def __post_init__(self) -> None:
        for name, declared in declarations(type(self)).items():
            object.__setattr__(self, name, declared.check(getattr(self, name)))

    def given(self) -> dict[str, Any]:
        """The values that are not the usual ones, as plain data that JSON can hold."""
        return {
            name: _plain(value)
            for name, declared in declarations(type(self)).items()
            if (value := getattr(self, name)) != declared.default
        }

    def columns(self) -> dict[str, str | Sequence[str]]:
        """The roles that are played, with their columns."""
        return {
            name: column
            for name, declared in declarations(type(self)).items()
            if isinstance(declared.option, Role) and (column := getattr(self, name)) is not None
        }


def declarations(kind: type) -> Mapping[str, Declared]:
    """The options that a dataclass declares, itself or in its bases, by their names."""
    return _declarations(kind)


@cache
def _declarations(kind: type) -> Mapping[str, Declared]:
    types = get_type_hints(kind)
    known = {
        name: replace(
            option, section=option.section or base.section, shapes=option.shapes or base.shapes
        )
        for base in reversed(kind.__mro__)
        if issubclass(base, Checked)
        for name, part in vars(base).get("__dataclass_fields__", {}).items()
        if name in get_annotations(base) and (option := part.metadata.get("option"))
    }
    return {
        part.name: Declared(part.name, types[part.name], part.default, known[part.name])
        for part in fields(kind)
        if part.init and part.name in known
    }


def declared_in(*kinds: type) -> dict[str, Declared]:
    """The options of several dataclasses, in their order."""
    return {name: found for kind in kinds for name, found in declarations(kind).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value.item() if hasattr(value, "item") else value


# Functions that take them -------------------------------------------------------------------------


def takes(
    kind: Callable[P, T],
) -> Callable[[Callable[[Any, T], R]], Callable[Concatenate[Any, P], R]]:
    """Make the fields of a dataclass of options the keywords of a function.

    The function is written with two parameters, the data and the options. It is called with the
    data and, by keyword, any of the options. A line ``options : …`` of its docstring gives way to
    the list of them.
    """
    make, known = cast("Callable[..., T]", kind), declarations(cast("type", kind))
    aliases = {other: name for name, it in known.items() for other in it.option.other_names}

    def decorate(function: Callable[[Any, T], R]) -> Callable[Concatenate[Any, P], R]:
        called = _signature(function, cast("type", kind))
        first = next(iter(called.parameters))

        @wraps(function)
        def call(*data: Any, **given: Any) -> R:
            for alias, name in aliases.items():
                _rename(given, alias, name)
            try:
                bound = called.bind(*data, **given)
            except TypeError as error:
                advice = _advice(given, called.parameters)
                raise TypeError(f"{function.__name__}() {error}{advice}") from None
            return function(bound.arguments.pop(first), make(**bound.arguments))

        call.__doc__ = _with_options(function.__doc__, known)
        call.__dict__["__signature__"] = called
        return cast("Callable[Concatenate[Any, P], R]", call)

    return decorate


def _rename(given: dict[str, Any], alias: str, name: str) -> None:
    """Take another name for an option's own, but not beside it."""
    if alias in given:
        if name in given:
            raise BadOption(option=alias, value=given[alias], wanted=same_option(name))
        given[name] = given.pop(alias)


def same_option(name: str) -> str:
    """Why another name is refused beside an option's own."""
    return f"it is another name of {spell(name)}, which is given too"


def _advice(given: Collection[str], known: Collection[str]) -> str:
    """The option that was perhaps meant by one that does not exist."""
    wrong = next((name for name in given if name not in known), "")
    close = get_close_matches(wrong, known, n=1)
    return f". Did you mean '{close[0]}'?" if close else ""


def _signature(function: Callable[..., Any], kind: type) -> Signature:
    """The data, and the fields of the dataclass as keywords."""
    types = get_type_hints(kind)
    name = next(iter(signature(function).parameters))
    data = Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
    options = [
        Parameter(
            part.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if part.default is MISSING else part.default,
            annotation=types[part.name],
        )
        for part in fields(kind)
        if part.init
    ]
    return Signature([data, *options], return_annotation=get_type_hints(function)["return"])


def _with_options(text: str | None, known: Mapping[str, Declared]) -> str:
    """A docstring whose line about options lists them."""
    indent, hanging = " " * 4, " " * 8
    listed = [
        textwrap.fill(f"{name} : {found.documentation}", WIDTH, subsequent_indent=hanging)
        for name, found in known.items()
    ]
    lines = f"\n{indent}".join(listed)
    return re.sub(r"(?m)^    options : .*$", lambda _: indent + lines, text or "")
