"""Notes: what a reader should know of a result that exists.

A note carries its kind, a name and the facts that it rests on, so that no program ever has to
recognise it by its English. Every output shows its sentence.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from typing import Any, Literal, ParamSpec, TypeAlias

from winodds.language.plain import to_plain

NoteKind: TypeAlias = Literal["reading", "scope", "doubt"]

Facts = ParamSpec("Facts")


@dataclass(frozen=True, slots=True)
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

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"kind": self.kind, "name": self.name, "text": self.text, "facts": dict(self.facts)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Note":
        """The note that `to_dict` wrote."""
        return cls(data["kind"], data["name"], data["text"], data["facts"])


def _note(kind: NoteKind, write: Callable[Facts, str]) -> Callable[Facts, Note]:
    """A function that writes a sentence → one that makes the note, with its arguments as facts."""
    arguments = signature(write)

    @wraps(write)
    def make(*args: Facts.args, **options: Facts.kwargs) -> Note:
        facts = arguments.bind(*args, **options).arguments
        return Note(kind, write.__name__, write(*args, **options), to_plain(facts))

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
