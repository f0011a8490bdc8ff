"""Data frames in and out: the only user of narwhals.

Whatever library a frame comes from, its columns become polars series here, names become the same
text, and tables that go out are of the kind that came in.
"""

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import cache
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from narwhals.exceptions import DuplicateError

from winodds.arrays import Ints
from winodds.language.errors import BadOption, WinoddsError
from winodds.language.notes import Note
from winodds.table.errors import (
    DuplicateColumns,
    ForkedProcess,
    MissingColumn,
    NamesNotText,
    NotATable,
    ScoresNotNumbers,
    UnreadableName,
)

BACKENDS: dict[str, Any] = {
    "polars": nw.Implementation.POLARS,
    "pandas": nw.Implementation.PANDAS,
    "pyarrow": nw.Implementation.PYARROW,
    "modin": nw.Implementation.MODIN,
    "cudf": nw.Implementation.CUDF,
}
"""Libraries whose data frames can be read and written."""

MISSING_TYPES = frozenset({"NoneType", "NAType", "NaTType"})


class Source(ABC):
    """A table whose columns can be read one by one, as text or as numbers."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """Names of the columns."""

    @property
    @abstractmethod
    def rows(self) -> int:
        """How many rows there are."""

    @property
    @abstractmethod
    def backend(self) -> str:
        """Name of the library that the table belongs to."""

    @property
    def vetted(self) -> bool:
        """Whether somebody has looked already that rounds are no summaries."""
        return False

    @property
    def knows(self) -> Mapping[str, Any]:
        """Options of a rating that follow from where the table comes from, such as its roles."""
        return {}

    def refuse_together(self) -> None:  # noqa: B027
        """Raise if the table's tournaments cannot be rated together."""

    def notes_on(self, columns: Iterable[str]) -> tuple[Note, ...]:  # noqa: ARG002
        """What was normalised while the table, and these columns of it, were read."""
        return ()

    def place(self, row: int) -> str:
        """Where a row stands, in words; the first is row 0 here and "row 1" there."""
        return f"row {row + 1:,}"

    def require(self, column: str, suggestion: str | None = None) -> None:
        """Raise `MissingColumn` unless the table has the column."""
        if column not in self.columns:
            raise MissingColumn(column=column, columns=self.columns, suggestion=suggestion)

    def columns_apart(self, first: int, second: int) -> list[str]:
        """Columns in which two rows differ in their text."""
        found = []
        for column in self.columns:
            try:
                text = self.text(column)
            except WinoddsError:
                continue
            if text[first] != text[second]:
                found.append(column)
        return found

    @abstractmethod
    def text(self, column: str) -> pl.Series:
        """The column as text or as categories; missing values are null."""

    @abstractmethod
    def numbers(self, column: str, *, role: str = "score") -> pl.Series:
        """The column as floats; missing values are null or NaN."""

    @abstractmethod
    def values(self, column: str) -> pl.Series:
        """The column as floats if it holds only numbers, else as text; missing ones are null."""


class Frame(Source):
    """A data frame of any library."""

    def __init__(self, table: object) -> None:
        try:
            self._frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
            self._label = {str(label): label for label in self._frame.columns}
        except TypeError:
            raise NotATable(kind=type(table).__name__) from None
        except DuplicateError:
            raise DuplicateColumns() from None
        if len(self._label) < len(self._frame.columns):
            raise DuplicateColumns()

    @property
    def columns(self) -> list[str]:
        return list(self._label)

    @property
    def rows(self) -> int:
        return len(self._frame)

    @property
    def backend(self) -> str:
        return str(self._frame.implementation.value)

    def text(self, column: str) -> pl.Series:
        self.require(column)
        series, native = self._column(column)
        if isinstance(native, pl.Series):
            if native.dtype in (pl.String, pl.Categorical):
                return native
            if native.dtype == pl.Enum or native.dtype.is_integer():
                return native.cast(pl.String)
            return self._words(column, native.to_list())
        if series.dtype == nw.Object:
            return self._words(column, series.to_list())
        code, different = native.factorize()
        names = self._words(column, list(different), lambda k: int((code == k).argmax()))
        return names.gather(pl.Series(code).replace({-1: None}))

    def numbers(self, column: str, *, role: str = "score") -> pl.Series:
        self.require(column)
        series, native = self._column(column)
        if isinstance(native, pl.Series) and (
            native.dtype.is_numeric() or native.dtype == pl.Boolean
        ):
            return native.cast(pl.Float64)
        if series.dtype.is_integer() or series.dtype.is_float() or series.dtype == nw.Boolean:
            values = series.cast(nw.Float64).to_numpy()
            return pl.Series(column, np.asarray(values, np.float64))
        loose = series.dtype.is_decimal() or series.dtype in (nw.Object, nw.Unknown)
        if loose or series.is_null().all():
            return _number_series(column, series.to_list(), role)
        first = series.drop_nulls().head(1).to_list()
        raise _not_numbers(column, series.dtype, first[0], role)

    def values(self, column: str) -> pl.Series:
        self.require(column)
        series, _ = self._column(column)
        if series.dtype != nw.Boolean:
            with suppress(ScoresNotNumbers):
                return self.numbers(column).fill_nan(None)
        return self.text(column).cast(pl.String)

    def _words(
        self, column: str, values: Sequence[object], row_of: Callable[[int], int] = int
    ) -> pl.Series:
        """The values as text; ``row_of`` tells in which row a value stands first."""
        words = [None if _is_missing(value) else _text_of(value, column) for value in values]
        try:
            return pl.Series(column, words, pl.String)
        except UnicodeEncodeError as error:
            broken = error.object
            where = self.place(row_of(words.index(broken)))
            character = broken[error.start]
            raise UnreadableName(
                column=column, name=broken, character=character, where=where
            ) from None

    def _column(self, column: str) -> tuple[nw.Series[Any], Any]:
        """The column, and what holds it: a polars series, also for Arrow, or the library's own."""
        series = self._frame.get_column(self._label[column])
        native = series.to_native()
        if self._frame.implementation.is_pyarrow():
            native = pl.from_arrow(native)
        return series, native


class Part(Source):
    """Some rows of a table."""

    def __init__(self, whole: Source, rows: Ints) -> None:
        self._whole = whole
        self._rows = rows

    @property
    def columns(self) -> list[str]:
        return self._whole.columns

    @property
    def rows(self) -> int:
        return int(self._rows.size)

    @property
    def backend(self) -> str:
        return self._whole.backend

    @property
    def vetted(self) -> bool:
        return self._whole.vetted

    @property
    def knows(self) -> Mapping[str, Any]:
        return self._whole.knows

    def refuse_together(self) -> None:
        self._whole.refuse_together()

    def notes_on(self, columns: Iterable[str]) -> tuple[Note, ...]:
        return self._whole.notes_on(columns)

    def place(self, row: int) -> str:
        return self._whole.place(int(self._rows[row]))

    def columns_apart(self, first: int, second: int) -> list[str]:
        return self._whole.columns_apart(int(self._rows[first]), int(self._rows[second]))

    def text(self, column: str) -> pl.Series:
        return self._whole.text(column).gather(self._rows)

    def numbers(self, column: str, *, role: str = "score") -> pl.Series:
        return self._whole.numbers(column, role=role).gather(self._rows)

    def values(self, column: str) -> pl.Series:
        return self._whole.values(column).gather(self._rows)


def refuse_forked() -> None:
    """Refuse to read tables in a process that was forked from one that did.

    Polars' threads stay behind in the other process, and whoever waits for them waits for ever.
    """
    if _first_process() != os.getpid():
        raise ForkedProcess()


@cache
def _first_process() -> int:
    """The process in which tables were first read; a fork takes the answer along."""
    return os.getpid()


def as_source(table: Any) -> Source:
    """A table that was read already, or a data frame of any library."""
    refuse_forked()
    return table if isinstance(table, Source) else Frame(table)


def _is_missing(value: object) -> bool:
    if type(value).__name__ in MISSING_TYPES:
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _text_of(value: object, column: str) -> str:
    """The same text for the same value, whatever library held it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (bytes, list, tuple, dict, set, np.ndarray, pl.Series)):
        raise NamesNotText(column=column, kind=type(value).__name__)
    return str(value)


def _number_series(column: str, values: Sequence[object], role: str) -> pl.Series:
    numbers = [None if _is_missing(value) else _number_of(value, column, role) for value in values]
    return pl.Series(column, numbers, pl.Float64)


def _number_of(value: object, column: str, role: str) -> float:
    if not isinstance(value, (int, float, Decimal, np.integer, np.floating, np.bool_)):
        raise _not_numbers(column, type(value).__name__, value, role)
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _not_numbers(column: str, dtype: object, example: object, role: str) -> ScoresNotNumbers:
    kind = "text" if str(dtype) in ("String", "Categorical", "str") else f"{dtype} values"
    return ScoresNotNumbers(column=column, kind=kind, example=str(example), role=role)


def build_frame(
    columns: Mapping[str, Sequence[Any]], kinds: Mapping[str, type], *, backend: str
) -> Any:
    """A data frame of the named library.

    Parameters
    ----------
    columns : the cells of each column; None is a missing one.
    kinds : int, float, str or bool for each column; whole numbers with gaps become floats.
    backend : "polars", "pandas", "pyarrow", "modin" or "cudf".
    """
    if backend not in BACKENDS:
        wanted = "it is one of " + ", ".join(f'"{name}"' for name in BACKENDS)
        raise BadOption(option="backend", value=backend, wanted=wanted)
    types = {int: nw.Int64(), float: nw.Float64(), str: nw.String(), bool: nw.Boolean()}
    schema = {
        name: nw.Float64() if kind is int and None in columns[name] else types[kind]
        for name, kind in kinds.items()
    }
    filled = {
        name: [math.nan if cell is None else cell for cell in cells]
        if backend == "pandas" and schema[name] == nw.Float64()
        else cells
        for name, cells in columns.items()
    }
    return nw.from_dict(filled, schema=schema, backend=BACKENDS[backend]).to_native()
