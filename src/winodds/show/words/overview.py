"""What there is to say of several boards at once, besides the board of all together."""

from collections.abc import Iterator, Mapping, Sequence

from winodds.language.notes import Note
from winodds.language.words import list_some

TOGETHER_TITLE = "All together"
LINES_TITLE = "Each by itself"
NOTES_TITLE = "Of these:"


def describe_apart(reason: str) -> str:
    """That there is no such board, and why."""
    return f"There is no board of all tournaments together. {reason}"


def gather_notes(notes: Mapping[str, Sequence[Note]]) -> tuple[str, ...]:
    """Notes of many boards, each sentence once; of notes of one kind only the first is told whole.

    Parameters
    ----------
    notes : those of each board, by its name.
    """
    return tuple(_gather(notes))


def _gather(notes: Mapping[str, Sequence[Note]]) -> Iterator[str]:
    names = dict.fromkeys(own.name for several in notes.values() for own in several)
    for name in names:
        having = {
            where: own for where, several in notes.items() for own in several if own.name == name
        }
        told = next(iter(having.values()))
        alike = [where for where, own in having.items() if own == told]
        others = [where for where in having if where not in alike]
        start = "" if len(alike) == len(notes) else f"{list_some(alike)}: "
        like = f" The like, with other figures, is noted of {list_some(others)}." if others else ""
        yield f"{start}{told}{like}"
