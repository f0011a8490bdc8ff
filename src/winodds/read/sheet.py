"""A table that was read from a file: text cells with their places."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from winodds.arrays import Floats, Ints
from winodds.language.notes import Note
from winodds.language.options import Decimal
from winodds.language.words import PLACES_SHOWN
from winodds.read.delimited import Delimited
from winodds.read.errors import BadCell, BadCells, MissingKey
from winodds.read.notes import decimal_commas, grouped_digits, spreads_left_out, trimmed_cells
from winodds.read.numbers import (
    NOTHING,
    SPREAD,
    Numbers,
    advise,
    explain,
    grouped_like_thousands,
    parse_numbers,
)
from winodds.table.errors import NamesNotText
from winodds.table.frames import Frame, Source


class Sheet(Source):
    """A table of a file, read strictly; pass it to `rate` like a data frame.

    Cells are text until a role asks for numbers, so "007" and "7" are different names, and a cell
    that is no number is reported with its line.

    Attributes
    ----------
    name : of the file.
    columns : names of the columns.
    wide : whether it was a wide table.
    """

    def __init__(
        self,
        source: Delimited | pl.DataFrame,
        *,
        name: str,
        decimal: Decimal = ".",
        percent: bool = False,
        notes: Sequence[Note] = (),
        place: Callable[[int], str] | None = None,
        absent: Mapping[str, Sequence[int]] | None = None,
        nested: Mapping[str, str] | None = None,
        unit: str = "line",
        reread: Callable[[], pl.DataFrame] | None = None,
        again: Callable[[], "Sheet"] | None = None,
        wide: bool = False,
        knows: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.decimal: Decimal = decimal
        self.percent = percent
        self.wide = wide
        self._knows = knows or {}
        self._source = source
        self._unnamed = source.unnamed if isinstance(source, Delimited) else ()
        self._columns = list(source.columns)
        self._notes = tuple(notes)
        self._found: dict[str, tuple[Note, ...]] = {}
        self._absent = absent or {}
        self._nested = nested or {}
        self._unit = unit
        self._reread = reread
        self._again = again
        self._place = place or _lines_of(source)

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    @property
    def unnamed(self) -> tuple[str, ...]:
        """Columns without a name in the header; they go by their number."""
        return self._unnamed

    @property
    def vetted(self) -> bool:
        return self.wide

    @property
    def knows(self) -> Mapping[str, Any]:
        return self._knows

    @property
    def nested(self) -> frozenset[str]:
        """Columns with lists or objects, which are neither names nor numbers."""
        frame = self._source if isinstance(self._source, pl.DataFrame) else pl.DataFrame()
        return frozenset(self._nested) | {
            name for name, kind in frame.schema.items() if kind.is_nested()
        }

    @property
    def ragged(self) -> frozenset[str]:
        """Columns that some objects of a JSON file lack."""
        return frozenset(self._absent)

    @property
    def rows(self) -> int:
        source = self._source
        return source.records if isinstance(source, Delimited) else source.height

    @property
    def backend(self) -> str:
        return "polars"

    def notes_on(self, columns: Iterable[str]) -> tuple[Note, ...]:
        asked = dict.fromkeys(columns)
        return (*self._notes, *(note for name in asked for note in self._found.get(name, ())))

    def place(self, row: int) -> str:
        """The line of a row."""
        return self._place(row)

    def plan(
        self, *, names: Sequence[str], scores: Sequence[str] = (), others: Sequence[str] = ()
    ) -> None:
        """Say which columns of a text file will be read, and as what; the others are gone then."""
        if isinstance(self._source, Delimited):
            wanted = {*names, *scores, *others}
            self._columns = [name for name in self._columns if name in wanted]
            kinds: dict[str, type[pl.DataType]] = dict.fromkeys(names, pl.Categorical)
            kinds.update(dict.fromkeys((*scores, *others), pl.String))
            numbers = _parse_numbers(self._source, kinds, scores) if self._plain else None
            self._source = self._source.parse(kinds) if numbers is None else numbers

    @property
    def _plain(self) -> bool:
        """Whether numbers are written as polars expects them."""
        return self.decimal == "." and not self.percent

    def columns_apart(self, first: int, second: int) -> list[str]:
        """Columns of the whole file in which two rows differ."""
        if self._again is not None:
            return self._again().columns_apart(first, second)
        return super().columns_apart(first, second)

    def text(self, column: str) -> pl.Series:
        self.require(column)
        if column in self._nested:
            raise NamesNotText(column=column, kind=self._nested[column])
        self._require_key(column)
        if self._reread is not None and self._cells()[column].dtype.is_float():
            # As names, 1e5 and 100000 are two; what is left of them here is one number.
            self._source, self._reread = self._reread(), None
        return Frame(self._cells().select(column)).text(column)

    def raw(self, column: str) -> pl.Series:
        """A column as the file has it: text of a text file, lists and all of a Parquet file."""
        self.require(column)
        self._require_key(column)
        return self._cells()[column]

    def written(self, columns: Sequence[str]) -> pl.DataFrame:
        """Columns as they would be written in a text file."""
        frame = self._cells()
        texts = []
        for column in columns:
            self._require_key(column)
            series = frame[column]
            if series.dtype in (pl.String, pl.Categorical):
                texts.append(series.cast(pl.String))
                continue
            text = self.text(column).cast(pl.String)
            number = series.dtype.is_numeric()
            texts.append(text.str.replace(".", self.decimal, literal=True) if number else text)
        return pl.DataFrame(texts)

    def numbers(self, column: str, *, role: str = "score") -> pl.Series:
        self.require(column)
        self._require_key(column)
        series = self._cells()[column]
        if series.dtype in (pl.String, pl.Categorical, pl.Boolean):
            return pl.Series(column, self._parse(series.cast(pl.String), column, role))
        found = Frame(self._cells().select(column)).numbers(column, role=role)
        return found / 100.0 if self.percent and role == "score" else found

    def values(self, column: str) -> pl.Series:
        self.require(column)
        if column in self._nested:
            raise NamesNotText(column=column, kind=self._nested[column])
        series = self._cells()[column]
        if series.dtype not in (pl.String, pl.Categorical):
            return Frame(self._cells().select(column)).values(column)
        text = series.cast(pl.String).fill_null("")
        there = ~text.str.strip_chars().str.to_lowercase().is_in(NOTHING)
        found = parse_numbers(text.filter(there), decimal=self.decimal, missing=False)
        if found.bad.size:
            return text.set(text.str.strip_chars() == "", None)
        numbers = np.full(text.len(), np.nan)
        numbers[there.to_numpy()] = found.values
        return pl.Series(column, numbers).fill_nan(None)

    def _require_key(self, column: str) -> None:
        """Refuse a column that objects of a JSON file lack."""
        if column in self._absent:
            rows = self._absent[column]
            where = self.place(rows[0])
            raise MissingKey(key=column, rows=len(rows), where=where, unit=self._unit)

    def _cells(self) -> pl.DataFrame:
        if isinstance(self._source, Delimited):
            self.plan(names=(), others=self.columns)
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
        self._found[column] = tuple(self._notes_of(found, text, column))
        return found.values

    def _notes_of(self, found: Numbers, text: pl.Series, column: str) -> Iterator[Note]:
        """What was done to cells of a column so that they are numbers."""
        shown = None if self.wide else column
        if found.trimmed:
            yield trimmed_cells(found.trimmed, shown)
        if found.spreads:
            yield spreads_left_out(found.spreads, shown, _first(text, SPREAD))
        if found.commas:
            yield decimal_commas(shown, _first(text, ","))
        if self.decimal == "," and (instance := grouped_like_thousands(text)) is not None:
            yield grouped_digits(instance, shown)

    def _bad_cells(
        self, text: pl.Series, bad: Ints, column: str, role: str, *, mixed_percent: bool = False
    ) -> BadCells:
        shown = [(int(row), text[int(row)] or "") for row in bad[:PLACES_SHOWN]]
        score = role == "score"
        advice = advise(shown[0][1], decimal=self.decimal, percent=self.percent or not score)
        return BadCells(
            column=None if self.wide else column,
            cells=[BadCell(self.place(row), cell, explain(cell)) for row, cell in shown],
            total=bad.size,
            advice=advice,
            fits_all=bool(advice) and self._fits(text, advice, score=score),
            role=role,
            mixed_percent=mixed_percent,
            decimal=self.decimal,
        )

    def _fits(self, text: pl.Series, advice: Mapping[str, Any], *, score: bool) -> bool:
        """Whether the options that are advised would read all cells of the column."""
        again = parse_numbers(
            text,
            decimal=advice.get("decimal", self.decimal),
            percent=advice.get("percent", self.percent and score),
            missing=score,
        )
        return not (again.bad.size or again.unsigned.size)


def _first(text: pl.Series, pattern: str) -> str:
    """The first cell with such a text."""
    return str(text.filter(text.str.contains(pattern).fill_null(False))[0])


def _parse_numbers(
    source: Delimited, kinds: Mapping[str, type[pl.DataType]], scores: Sequence[str]
) -> pl.DataFrame | None:
    """The columns with scores as numbers, if these are nothing but finite numbers and gaps.

    Then there is nothing to tell about them, and polars reads numbers faster than their text.
    """
    if not scores or source.has_blanks_before_cells():
        return None
    try:
        frame = source.parse({**kinds, **dict.fromkeys(scores, pl.Float64)})
    except pl.exceptions.PolarsError:
        return None
    plain = all(
        frame[name].dtype == pl.Float64 and bool(frame[name].drop_nulls().is_finite().all())
        for name in scores
    )
    return frame if plain else None


def _lines_of(source: Delimited | pl.DataFrame) -> Callable[[int], str]:
    """What tells the line of a row, without holding on to the text."""
    lines = source.lines if isinstance(source, Delimited) else None
    first = 2 if isinstance(source, Delimited) else 1
    unit = "line" if isinstance(source, Delimited) else "row"
    return lambda row: f"{unit} {row + first if lines is None else int(lines[row]):,}"
