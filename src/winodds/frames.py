"""Data frames in and out: the only user of narwhals.

Whatever library a frame comes from, its columns become polars series here, and tables that go out
are of the kind that came in.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from winodds.errors import BadOption, MissingColumn, NotATable, ScoresNotNumbers

BACKENDS: dict[str, Any] = {
    "polars": nw.Implementation.POLARS,
    "pandas": nw.Implementation.PANDAS,
    "pyarrow": nw.Implementation.PYARROW,
    "modin": nw.Implementation.MODIN,
    "cudf": nw.Implementation.CUDF,
}
"""Libraries whose data frames can be read and written."""


class Frame:
    """A table of any library, read column by column."""

    def __init__(self, table: object) -> None:
        try:
            self._frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
        except TypeError:
            raise NotATable(kind=f"a {type(table).__name__}") from None

    @property
    def columns(self) -> list[str]:
        return [str(column) for column in self._frame.columns]

    @property
    def rows(self) -> int:
        return len(self._frame)

    @property
    def backend(self) -> str:
        """Name of the library that the table belongs to."""
        return str(self._frame.implementation.value)

    def require(self, column: str, suggestion: str | None = None) -> None:
        """Raise `MissingColumn` unless the table has the column."""
        if column not in self.columns:
            raise MissingColumn(column=column, columns=self.columns, suggestion=suggestion)

    def text(self, column: str) -> pl.Series:
        """The column as text; missing values are null."""
        self.require(column)
        series = self._frame[column]
        native = series.to_native()
        if isinstance(native, pl.Series):
            return _text_of_polars(native)
        if series.dtype == nw.Object:
            values = series.to_list()
            return pl.Series(column, [_text_of_object(value) for value in values], pl.String)
        missing = series.is_null().to_list()
        words = series.cast(nw.String).to_list()
        cells = [None if gone else word for word, gone in zip(words, missing, strict=True)]
        return pl.Series(column, cells, pl.String)

    def numbers(self, column: str) -> pl.Series:
        """The column as floats; missing values are null or NaN."""
        self.require(column)
        series = self._frame[column]
        if series.dtype == nw.Object:
            return _numbers_of_objects(column, series.to_list())
        if not (series.dtype.is_numeric() or series.dtype in (nw.Boolean, nw.Unknown)):
            raise _not_numbers(column, str(series.dtype), series.drop_nulls().head(1).to_list())
        native = series.to_native()
        if isinstance(native, pl.Series):
            return native.cast(pl.Float64)
        values = series.cast(nw.Float64).to_numpy()
        return pl.Series(column, np.asarray(values, np.float64))


def _text_of_polars(series: pl.Series) -> pl.Series:
    if series.dtype in (pl.Float32, pl.Float64):
        series = series.fill_nan(None)
    return series.cast(pl.String)


def _text_of_object(value: object) -> str | None:
    missing = value is None or (isinstance(value, float) and np.isnan(value))
    return None if missing else str(value)


def _numbers_of_objects(column: str, values: Sequence[object]) -> pl.Series:
    for value in values:
        if value is not None and not isinstance(value, (int, float, np.number)):
            raise _not_numbers(column, "text or objects", [value])
    floats = [None if value is None else float(value) for value in values]  # type: ignore[arg-type]
    return pl.Series(column, floats, pl.Float64)


def _not_numbers(column: str, dtype: str, example: Sequence[object]) -> ScoresNotNumbers:
    kind = "text" if dtype in ("String", "Categorical", "text or objects") else dtype
    first = str(example[0]) if example else ""
    return ScoresNotNumbers(column=column, kind=kind, example=first)


def build_frame(columns: Mapping[str, Sequence[Any] | np.ndarray], *, backend: str) -> Any:
    """A data frame of the named library: "polars", "pandas" or "pyarrow"."""
    if backend not in BACKENDS:
        wanted = "it is one of " + ", ".join(f'"{name}"' for name in BACKENDS)
        raise BadOption(option="backend", value=backend, wanted=wanted)
    return nw.from_dict(dict(columns), backend=BACKENDS[backend]).to_native()
