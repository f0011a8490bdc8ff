"""A table that was read from a file: text cells with their places."""

from collections.abc import Callable, Sequence

import polars as pl

from winodds.arrays import Floats, Ints
from winodds.errors import PLACES_SHOWN, BadCell, BadCells, count, quote
from winodds.frames import Frame, Source
from winodds.read.delimited import Delimited
from winodds.read.numbers import Decimal, advise, explain, parse_numbers


class Sheet(Source):
    """A table of a file, read strictly; pass it to `rate` like a data frame.

    Cells are text until a role asks for numbers, so "007" and "7" are different names, and a cell
    that is no number is reported with its line.

    Attributes
    ----------
    name : of the file.
    columns : names of the columns.
    notes : what was normalised while reading.
    """

    def __init__(
        self,
        source: Delimited | pl.DataFrame,
        *,
        name: str,
        decimal: Decimal = ".",
        percent: bool = False,
        notes: Sequence[str] = (),
        place: Callable[[int], str] | None = None,
    ) -> None:
        self.name = name
        self.decimal: Decimal = decimal
        self.percent = percent
        self._source = source
        self._unnamed = source.unnamed if isinstance(source, Delimited) else ()
        self._columns = list(source.columns)
        self._notes = list(notes)
        self._place = place or _lines_of(source)

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    @property
    def unnamed(self) -> tuple[str, ...]:
        """Columns without a name in the header; they go by their number."""
        return self._unnamed

    @property
    def rows(self) -> int:
        source = self._source
        return source.records if isinstance(source, Delimited) else source.height

    @property
    def backend(self) -> str:
        return "polars"

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._notes))

    def place(self, row: int) -> str:
        """The line of a row."""
        return self._place(row)

    def plan(self, *, names: Sequence[str], numbers: Sequence[str]) -> None:
        """Say which columns will be read, and as what; the others are gone from then on."""
        if isinstance(self._source, Delimited):
            self._columns = [name for name in self._columns if name in (*names, *numbers)]
            kinds: dict[str, type[pl.DataType]] = dict.fromkeys(names, pl.Categorical)
            kinds.update(dict.fromkeys(numbers, pl.String))
            self._source = self._source.parse(kinds)

    def text(self, column: str) -> pl.Series:
        self.require(column)
        return Frame(self._cells().select(column)).text(column)

    def numbers(self, column: str, *, role: str = "score") -> pl.Series:
        self.require(column)
        series = self._cells()[column]
        if series.dtype not in (pl.String, pl.Categorical):
            return Frame(self._cells().select(column)).numbers(column, role=role)
        return pl.Series(column, self._parse(series.cast(pl.String), column, role))

    def _cells(self) -> pl.DataFrame:
        if isinstance(self._source, Delimited):
            self.plan(names=(), numbers=self.columns)
        assert isinstance(self._source, pl.DataFrame)
        return self._source

    def _parse(self, text: pl.Series, column: str, role: str) -> Floats:
        score = role == "score"
        found = parse_numbers(
            text, decimal=self.decimal, percent=self.percent and score, missing=score
        )
        if found.bad.size:
            raise self._bad_cells(text, found.bad, column, role)
        if found.unsigned.size:
            raise self._bad_cells(text, found.unsigned, column, role, mixed_percent=True)
        if found.trimmed:
            cells = count(found.trimmed, "cell")
            self._notes.append(f"{cells} of column {quote(column)} had blanks around a number.")
        return found.values

    def _bad_cells(
        self, text: pl.Series, bad: Ints, column: str, role: str, *, mixed_percent: bool = False
    ) -> BadCells:
        shown = [(int(row), text[int(row)] or "") for row in bad[:PLACES_SHOWN]]
        settled = self.percent or role != "score"
        advices = {advise(cell, decimal=self.decimal, percent=settled) for _, cell in shown}
        return BadCells(
            column=column,
            cells=[BadCell(self.place(row), cell, explain(cell)) for row, cell in shown],
            total=bad.size,
            advice=advices.pop() if len(advices) == 1 else None,
            role=role,
            mixed_percent=mixed_percent,
        )


def _lines_of(source: Delimited | pl.DataFrame) -> Callable[[int], str]:
    """What tells the line of a row, without holding on to the text."""
    lines = source.lines if isinstance(source, Delimited) else None
    first = 2 if isinstance(source, Delimited) else 1
    unit = "line" if isinstance(source, Delimited) else "row"
    return lambda row: f"{unit} {row + first if lines is None else int(lines[row]):,}"
