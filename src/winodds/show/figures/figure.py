"""The table that a picture is drawn from."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from winodds.language.words import count
from winodds.table.frames import build_frame


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a figure's table.

    Attributes
    ----------
    kind : int, float, str or bool.
    help : what the column holds, in a sentence.
    """

    kind: type
    help: str


@dataclass(frozen=True, slots=True, repr=False)
class Figure:
    """One picture as a table, with the words that belong to it.

    Attributes
    ----------
    name : of the figure, such as "ranking".
    title : what is to be seen, in a few words.
    caption : how to read it, in sentences, with what was left out and what to doubt.
    columns : the columns of the table with their help texts, in order.
    cells : the cells of each column; None where there is none, as at an open end.
    facts : single numbers and words that the drawing needs: level, names of axes, and so on.
    left_out : the sentences of the caption about what was left out and what to doubt; they stand in
        every picture, also where the whole caption finds no room.
    """

    name: str
    title: str
    caption: str
    columns: Mapping[str, Column]
    cells: Mapping[str, Sequence[Any]]
    facts: Mapping[str, Any] = field(default_factory=dict)
    left_out: str = ""

    def __repr__(self) -> str:
        """A line, because all cells would fill a notebook."""
        columns = ", ".join(self.columns)
        return f"Figure({self.name!r}, {count(len(self), 'row')}, columns: {columns})"

    def __len__(self) -> int:
        return len(next(iter(self.cells.values())))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The table row by row."""
        cells = (self.cells[name] for name in self.columns)
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*cells, strict=True)]

    def frame(self, backend: str = "polars") -> Any:
        """The table as a data frame of the named library."""
        kinds = {name: column.kind for name, column in self.columns.items()}
        return build_frame({name: self.cells[name] for name in kinds}, kinds, backend=backend)

    def to_csv(self) -> str:
        """The table as CSV with every digit; what does not exist is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*(self.cells[name] for name in self.columns), strict=True))
        return text.getvalue()
