"""Notes: what a reader should know of a result that exists.

A note carries its kind, a name and the facts that it rests on, so that no program ever has to
recognise it by its English. Every output shows its sentence.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial, wraps
from inspect import signature
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

from winodds.language.nouns import Nouns
from winodds.language.plain import to_plain

NoteKind: TypeAlias = Literal["reading", "scope", "doubt"]

Facts = ParamSpec("Facts")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """One remark on a board, a row or an estimate.

    Attributes
    ----------
    kind : "reading" (how the table was understood), "scope" (what the result speaks about, and
        what it does not) or "doubt" (why it may be wrong).
    name : which remark it is, such as "few_clusters".
    text : the sentence, or a few words for a note of a row.
    facts : what the sentence rests on, by name.
    """

    kind: NoteKind
    name: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        """Whether both say the same; facts are only what that rests on."""
        return isinstance(other, Note) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._said)

    @property
    def _said(self) -> tuple[str, str, str]:
        return self.kind, self.name, self.text

    def said_in(self, nouns: Nouns) -> "Note":  # noqa: ARG002
        """The same note in the words of the caller's table, if it can be told in others."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"kind": self.kind, "name": self.name, "text": self.text, "facts": dict(self.facts)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Note":
        """The note that `to_dict` wrote."""
        return cls(data["kind"], data["name"], data["text"], data["facts"])


class Retold(Note):
    """A note that can be told in other words, until it is stored."""

    __slots__ = ("_again",)

    def __init__(self, note: Note, again: Callable[..., Note]) -> None:
        super().__init__(note.kind, note.name, note.text, note.facts)
        object.__setattr__(self, "_again", again)

    def said_in(self, nouns: Nouns) -> Note:
        again: Callable[..., Note] | None = getattr(self, "_again", None)
        told = self if again is None else again(nouns=nouns)
        return Note(told.kind, told.name, told.text, told.facts)


def _note(kind: NoteKind, write: Callable[Facts, str]) -> Callable[Facts, Note]:
    """A function that writes a sentence → one that makes the note, with its arguments as facts.

    An argument ``nouns`` is no fact: it is the words in which the facts are told.
    """
    arguments = signature(write)
    has_nouns = "nouns" in arguments.parameters

    @wraps(write)
    def make(*args: Facts.args, **options: Facts.kwargs) -> Note:
        facts = dict(arguments.bind(*args, **options).arguments)
        facts.pop("nouns", None)
        note = Note(kind, write.__name__, write(*args, **options), to_plain(facts))
        return Retold(note, partial(make, *args, **options)) if has_nouns else note

    return make


def reading(write: Callable[Facts, str]) -> Callable[Facts, Note]:
    """Make a sentence a note on how the table was understood.

    >>> @reading
    ... def lost_rows(rows: int) -> str:
    ...     return f"{rows} rows were lost."
    >>> note = lost_rows(3)
    >>> note.kind, note.name, str(note), note.facts
    ('reading', 'lost_rows', '3 rows were lost.', {'rows': 3})
    """
    return _note("reading", write)


def scope(write: Callable[Facts, str]) -> Callable[Facts, Note]:
    """Make a sentence a note on what a result speaks about."""
    return _note("scope", write)


def doubt(write: Callable[Facts, str]) -> Callable[Facts, Note]:
    """Make a sentence a note on why a result may be wrong."""
    return _note("doubt", write)


def join_texts(notes: Iterable[Note]) -> str:
    """What the notes of a row say, in one cell."""
    return "; ".join(note.text for note in notes)


def tell_in(nouns: Nouns, found: Found) -> Found:
    """A result, with its notes, in the words of the caller's table."""
    names = {own.name for own in fields(found)}  # type: ignore[arg-type]
    told: dict[str, Any] = {"nouns": nouns} if "nouns" in names else {}
    if "notes" in names:
        told["notes"] = tuple(note.said_in(nouns) for note in found.notes)  # type: ignore[attr-defined]
    return replace(found, **told)  # type: ignore[type-var]
