"""The base of all errors, and those that any room may raise.

Each class keeps its facts as fields and builds its own sentence. `DataError` says that the data
cannot give what was asked; `UseError` that the call was wrong. The sentence is the same in Python,
on the command line and on a page. Errors of a room are in its own module ``errors``, and all of
them under their public name in `winodds.errors`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields
from functools import partial
from typing import Any, ClassVar, dataclass_transform

from winodds.language.spelling import option
from winodds.language.words import quote


@dataclass_transform(eq_default=False, kw_only_default=True)
class WinoddsError(ValueError):
    """Base of all errors that Winodds raises on purpose; makes a dataclass of each of them."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(eq=False, kw_only=True)(cls)

    def sentence(self) -> str:
        raise NotImplementedError

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        """Options, by name, with which the same call may do; the likeliest first.

        Columns are lists that are added to those that were named; None takes an option back.
        """
        return []

    def __str__(self) -> str:
        return self.sentence()

    def __reduce__(self) -> tuple[Any, ...]:
        facts = {fact.name: getattr(self, fact.name) for fact in fields(self)}
        return partial(type(self), **facts), ()


class DataError(WinoddsError):
    """The data cannot give what was asked."""


class UseError(WinoddsError):
    """The call was wrong, whatever the data."""


class BadOption(UseError):
    """An option has a value that it cannot have."""

    option: str
    value: object
    wanted: str

    def sentence(self) -> str:
        return f"{option(self.option, self.value)} is not possible; {self.wanted}."


class NotWritten(DataError):
    """The output could not be written; an old file is untouched."""

    path: str
    reason: str

    def sentence(self) -> str:
        return f"{quote(self.path)} could not be written: {self.reason}."


class MissingExtra(UseError):
    """Packages that come with an extra of Winodds and are not installed."""

    packages: Sequence[str]
    purpose: str
    extra: str = "report"

    def sentence(self) -> str:
        listed = " and ".join(self.packages)
        verb = "which is" if len(self.packages) == 1 else "which are"
        return (
            f"{self.purpose} needs {listed}, {verb} not installed. Install what is missing: "
            f"pip install 'winodds[{self.extra}]'."
        )
