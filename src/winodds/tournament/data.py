"""Data sets of a spec → numbers, a target, and what keeps rows together."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from winodds.arrays import Ints
from winodds.language.errors import MissingExtra, WinoddsError
from winodds.language.words import count, did_you_mean, list_names, quote
from winodds.read.files import read_results
from winodds.tournament.fitting import describe
from winodds.tournament.imports import NotFound, import_object
from winodds.tournament.seeds import derive_seed
from winodds.tournament.spec import DataSpec

LARGEST_CODE = 1000
"""Different texts up to which a column becomes columns of 0 and 1."""


@dataclass(frozen=True, slots=True)
class Cases:
    """A data set before it is split.

    Attributes
    ----------
    x : (n, p) features; texts have become columns of 0 and 1, and what is missing is NaN.
    y : (n,) target; classes are numbered from 0.
    groups : (n,) which rows stay together; None if nothing says so.
    classes : the names of the classes, in the order of their numbers; none of a number.
    """

    x: Any
    y: Any
    groups: Any
    classes: tuple[str, ...]


def load_cases(spec: DataSpec, folder: Path, seed: int, *, stratified: bool) -> Cases:
    """Load a data set, and keep as many of its rows as it is asked for."""
    loaded = LOADERS[spec.origin](spec, folder)
    if isinstance(loaded, pl.DataFrame):
        found = _from_frame(loaded, spec)
    else:
        _refuse_columns(spec)
        found = loaded
    if spec.positive is not None:
        found = _one_against_rest(found, spec)
    return found if spec.rows is None else _subsample(found, spec, seed, stratified=stratified)


# Where data come from -----------------------------------------------------------------------------


def _load_bundled(spec: DataSpec, folder: Path) -> Cases:  # noqa: ARG001
    """A data set that scikit-learn brings along."""
    from sklearn import datasets

    known = [
        name.removeprefix("load_")
        for name, found in inspect.getmembers(datasets, inspect.isfunction)
        if name.startswith("load_") and "return_X_y" in inspect.signature(found).parameters
    ]
    if spec.what not in known:
        close = [name for name in known if str(spec.what) in name] or known
        reason = f"scikit-learn has no data set {quote(spec.what)}. {did_you_mean(close)}"
        raise spec.section.refuse("sklearn", reason)
    bunch = getattr(datasets, f"load_{spec.what}")()
    y = np.asarray(bunch.target)
    names = getattr(bunch, "target_names", ())
    classes = tuple(str(name) for name in names) if y.dtype.kind in "iu" else ()
    return Cases(np.asarray(bunch.data, np.float64), y, None, classes)


def _load_file(spec: DataSpec, folder: Path) -> pl.DataFrame:
    """A table; a relative path begins at the spec's folder."""
    sheet = read_results(str(folder / str(spec.what)))
    return pl.DataFrame([sheet.values(name).alias(name) for name in sheet.columns])


def _load_openml(spec: DataSpec, folder: Path) -> pl.DataFrame:  # noqa: ARG001
    """A data set of OpenML, through its client, which keeps it."""
    try:
        import openml
    except ImportError as error:
        raise MissingExtra(
            packages=["openml"], purpose="A data set of OpenML", extra="openml"
        ) from error
    try:
        found = openml.datasets.get_dataset(spec.what, download_data=True)
        frame: Any = found.get_data()[0]
    except Exception as error:
        reason = f"data set {spec.what} cannot be had ({describe(error)})"
        raise spec.section.refuse("openml", reason) from error
    target = spec.target or found.default_target_attribute
    if target is None:
        raise spec.section.refuse("openml", "OpenML does not say what its target is; give target")
    if target not in frame.columns and spec.target is None:
        reason = f"OpenML calls {quote(target)} its target, which is no column of it; give target"
        raise spec.section.refuse("openml", reason)
    columns = {str(name): _plain_column(frame[name]) for name in frame.columns}
    return pl.DataFrame(columns).rename({target: TARGET} if spec.target is None else {})


TARGET = "\0target"
"""The target of a source that knows it by itself."""


def _plain_column(column: Any) -> pl.Series:
    """A column of pandas, which may lack pyarrow, as ours."""
    values = [None if value is None or value != value else value for value in column.tolist()]
    return pl.Series(values, strict=False)


def _load_function(spec: DataSpec, folder: Path) -> Cases | pl.DataFrame:
    """What a function of the user's gives: a data frame, or features and target."""
    try:
        found = import_object(str(spec.what), folder)()
    except (NotFound, WinoddsError):
        raise
    except Exception as error:
        reason = f"{quote(spec.what)} did not load ({describe(error)})"
        raise spec.section.refuse("load", reason) from error
    if isinstance(found, tuple) and len(found) in (2, 3):
        x, y, *groups = found
        told = pl.Series("", np.asarray(y))
        _refuse_missing(told, spec, "load")
        codes, classes = _code(told)
        return Cases(np.asarray(x, np.float64), codes, groups[0] if groups else None, classes)
    if not hasattr(found, "columns"):
        reason = "the function gives neither a data frame nor features and target"
        raise spec.section.refuse("load", reason)
    if isinstance(found, pl.DataFrame):
        return found
    return pl.DataFrame({str(name): _plain_column(found[name]) for name in found.columns})


LOADERS: Any = {
    "sklearn": _load_bundled,
    "file": _load_file,
    "openml": _load_openml,
    "load": _load_function,
}


# Frames → numbers ---------------------------------------------------------------------------------


def _refuse_columns(spec: DataSpec) -> None:
    """Refuse what names columns where there are none."""
    for key in ("target", "group", "time", "drop"):
        if getattr(spec, key):
            raise spec.section.refuse(key, "these data have no columns with names")


def _from_frame(frame: pl.DataFrame, spec: DataSpec) -> Cases:
    """Features and target of a table."""
    target = TARGET if TARGET in frame.columns else spec.target
    if target is None:
        raise spec.section.refuse_all("it needs 'target', the column that is to be told")
    named = {"target": target, "group": spec.group, "time": spec.time}
    for key, column in [*named.items(), *(("drop", name) for name in spec.drop)]:
        if column is not None and column not in frame.columns:
            has = list_names(frame.columns, shown=20)
            reason = f"there is no column {quote(column)}; there are {has}"
            raise spec.section.refuse(key, reason)
    _refuse_missing(frame[target], spec, "target" if spec.target else spec.origin)
    if spec.group is not None:
        _refuse_missing(frame[spec.group], spec, "group")
    if spec.time is not None:
        frame = frame.sort(spec.time, maintain_order=True, nulls_last=True)
    y, classes = _code(frame[target])
    groups = None if spec.group is None else frame[spec.group].rank("dense").to_numpy()
    rest = frame.drop(name for name in (*named.values(), *spec.drop) if name is not None)
    return Cases(_features(rest, spec), y, groups, classes)


def _refuse_missing(column: pl.Series, spec: DataSpec, key: str) -> None:
    """Refuse rows that cannot be learnt from, or of which nobody knows where they belong."""
    numbers = column.dtype.is_float()
    missing = column.null_count() + (int(column.is_nan().sum()) if numbers else 0)
    if missing:
        name = "the target" if column.name in (TARGET, "") else quote(column.name)
        verb = "has" if missing == 1 else "have"
        reason = f"{count(missing, 'row')} of {len(column):,} {verb} no value in {name}"
        raise spec.section.refuse(key, reason)


def _code(y: pl.Series) -> tuple[Any, tuple[str, ...]]:
    """A target as numbers; texts and truth values become classes, in the order of their names."""
    if y.dtype.is_numeric():
        values = y.to_numpy()
        whole = values.dtype.kind in "iu" or not (values % 1.0).any()
        return values.astype(np.int64) if whole else values.astype(np.float64), ()
    text = y.cast(pl.String)
    classes = tuple(sorted(text.unique().to_list()))
    code = text.replace_strict(classes, range(len(classes)), return_dtype=pl.Int64)
    return code.to_numpy(), classes


def _features(frame: pl.DataFrame, spec: DataSpec) -> Any:
    """(n, p) columns of numbers, and for texts a column of 0 and 1 for each that occurs."""
    parts: list[Any] = []
    for column in frame.get_columns():
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            parts.append(column.cast(pl.Float64).to_numpy().reshape(-1, 1))
            continue
        text = column.cast(pl.String)
        different = sorted(text.drop_nulls().unique().to_list())
        if len(different) > LARGEST_CODE:
            reason = (
                f"column {quote(column.name)} has {len(different):,} different texts; leave it out "
                f'with drop = ["{column.name}"], or make numbers of it'
            )
            raise spec.section.refuse_all(reason)
        parts.append(np.column_stack([(text == it).fill_null(False) for it in different]))
    if not parts:
        raise spec.section.refuse_all("it has no column besides the target")
    return np.ascontiguousarray(np.hstack(parts), np.float64)


def _one_against_rest(found: Cases, spec: DataSpec) -> Cases:
    """The same with 1 for one class and 0 for all others."""
    names = found.classes or tuple(str(it) for it in np.unique(found.y).tolist())
    if spec.positive not in names:
        reason = f"there is no class {quote(spec.positive)}; there are {list_names(names)}"
        raise spec.section.refuse("positive", reason)
    values: Sequence[Any] = range(len(names)) if found.classes else np.unique(found.y).tolist()
    value = values[names.index(spec.positive)]
    y = (np.asarray(found.y) == value).astype(np.int64)
    return Cases(found.x, y, found.groups, ("other", spec.positive))


def _subsample(found: Cases, spec: DataSpec, seed: int, *, stratified: bool) -> Cases:
    """Some of the rows, in their old order; with the same shares of the classes if stratified."""
    rows, size = len(found.y), spec.rows or 0
    if size >= rows:
        return found
    own = derive_seed(seed, "rows", spec.name)
    if stratified:
        from sklearn.model_selection import train_test_split

        every = np.arange(rows)
        kept, _ = train_test_split(every, train_size=size, stratify=found.y, random_state=own)
    else:
        kept = np.random.default_rng(own).permutation(rows)[:size]
    kept = np.sort(kept)
    groups = None if found.groups is None else _rows_of(found.groups, kept)
    return Cases(_rows_of(found.x, kept), _rows_of(found.y, kept), groups, found.classes)


def _rows_of(values: Any, rows: Ints) -> Any:
    return np.asarray(values)[rows]
