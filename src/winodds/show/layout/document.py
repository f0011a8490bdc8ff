"""What is said of a result, in sections, before any format decides how it looks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from winodds.language.notes import Note
from winodds.language.words import count, plural
from winodds.show.layout.grid import Grid

Medium: TypeAlias = Literal["text", "markdown", "latex", "notebook"]
"""Who reads it; a terminal and the report's page show what text says."""

EVERYWHERE: tuple[Medium, ...] = ("text", "markdown", "latex", "notebook")
TEXT: tuple[Medium, ...] = ("text",)
SCREENS: tuple[Medium, ...] = ("text", "notebook")
PAPERS: tuple[Medium, ...] = ("markdown", "latex")


@dataclass(frozen=True, slots=True)
class Said:
    """Sentences, each line of which stands alone; text wraps only paragraphs."""

    lines: tuple[str, ...]
    where: tuple[Medium, ...] = EVERYWHERE
    wrapped: bool = False


def paragraph(text: str, where: tuple[Medium, ...] = EVERYWHERE) -> Said:
    """Sentences that belong together."""
    return Said((text,), where, wrapped=True)


@dataclass(frozen=True, slots=True)
class Points:
    """A list.

    Attributes
    ----------
    items : its points.
    title : what text says above it.
    sign : with which text begins a point.
    """

    items: tuple[str, ...]
    title: str
    sign: str = "* "
    where: tuple[Medium, ...] = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Table:
    """A small table.

    Attributes
    ----------
    grid : its cells.
    left : what there are more of than are shown.
    counted : who is told how many these are.
    spans : low end, value and high end of each row, which a terminal draws; open ends are None.
    ends : the lowest and the highest number of these, in words.
    """

    grid: Grid
    left: str = "player"
    counted: tuple[Medium, ...] = EVERYWHERE
    spans: tuple[tuple[float | None, float, float | None], ...] = ()
    ends: tuple[str, str] = ("", "")
    where: tuple[Medium, ...] = EVERYWHERE

    def rest(self, medium: Medium) -> str:
        """How many are not shown, if any are, and if this medium is told."""
        return self.more if medium in self.counted else ""

    @property
    def more(self) -> str:
        """How many are not shown, if any are."""
        if not self.grid.left_out:
            return ""
        several = f"more {plural(self.left)}"
        return f"… and {count(self.grid.left_out, f'more {self.left}', several)}"


Block: TypeAlias = Said | Points | Table


@dataclass(frozen=True, slots=True)
class Section:
    """What is said of one board, or of several together.

    Attributes
    ----------
    blocks : in their order.
    title : the tournament's name, for formats with headings.
    headline : what was rated, for those without.
    notes : what to know of it.
    aside : whether it is not one of the boards whose notes are shared.
    """

    blocks: tuple[Block, ...]
    title: str | None = None
    headline: str = ""
    notes: tuple[Note, ...] = ()
    aside: bool = False

    def seen_by(self, medium: Medium) -> Iterator[Block]:
        """The blocks that this medium shows."""
        return (block for block in self.blocks if medium in block.where)


@dataclass(frozen=True, slots=True)
class Document:
    """What is said of a result.

    Attributes
    ----------
    sections : one for each board, and perhaps more.
    wrapped : whether text breaks the lines of notes.
    hanging : how far lines of a list are indented after the first.
    running : whether LaTeX sets it as running text, not as tables to be cut out.
    legend : what text explains at the end.
    """

    sections: tuple[Section, ...]
    wrapped: bool = True
    hanging: int = 0
    running: bool = True
    legend: str = ""

    def shared_notes(self) -> list[Note]:
        """Notes that all of several sections have."""
        boards = [section.notes for section in self.sections if not section.aside]
        if len(boards) < 2:
            return []
        first, *others = boards
        return [note for note in first if all(note in other for other in others)]
