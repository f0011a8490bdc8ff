"""Short fields of items, such as a topic: columns to slice by, and to name as clusters."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from winodds.language.words import number

LONGEST = 100
"""Characters of a text that may still be the name of something."""


class Fields:
    """What is known of items, each added once.

    A field is kept if it is a short text, a number or a flag wherever it is there, and if it says
    the same of at least two items; one that differs everywhere is neither a slice nor a cluster.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._rows: dict[tuple[str, int], int] = {}
        self._columns: dict[str, dict[int, str]] = {}
        self._long: set[str] = set()

    def add(self, task: str, item: int, fields: object) -> None:
        """Add the fields of an item, which goes by its digest, unless it is known."""
        if (task, item) in self._rows or not isinstance(fields, Mapping):
            return
        row = self._rows[task, item] = len(self._rows)
        for name, value in fields.items():
            if value is None or name in self._long:
                continue
            text = _short(value)
            if text is None:
                self._long.add(name)
                self._columns.pop(name, None)
            else:
                self._columns.setdefault(name, {})[row] = text

    def join(self, rows: pl.DataFrame, task: str, item: str) -> pl.DataFrame:
        """The rows with a column for each field, found by the columns of tasks and digests."""
        kept = {
            name: values
            for name, values in sorted(self._columns.items())
            if len(set(values.values())) < len(values)
        }
        if not kept:
            return rows
        known = pl.DataFrame(
            list(self._rows), {task: pl.String, item: pl.Int64}, orient="row"
        ).with_columns(
            pl.Series(
                f"{self._prefix}.{name}", [values.get(k) for k in range(len(self._rows))], pl.String
            )
            for name, values in kept.items()
        )
        return rows.join(known, on=[task, item], how="left", maintain_order="left")


def _short(value: Any) -> str | None:
    """A value as the text of a cell; None if it is long, or has parts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number(value) if value == value else None
    if isinstance(value, str) and len(value) <= LONGEST and value.isprintable():
        return value.strip() or None
    return None
