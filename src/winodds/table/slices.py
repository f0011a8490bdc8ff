"""A column of a data frame → Labels: to which slice each round, or battle, belongs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from winodds.arrays import Bools, Ints
from winodds.language.options import Roles
from winodds.table.frames import Source
from winodds.table.names import Index, constant, index_names
from winodds.table.table import index_units, number_rounds

NOTHING = "(empty)"
"""Stands for a cell without a label, which no round may have beside others."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Slices of the rounds, or battles.

    Attributes
    ----------
    column : whose values they are.
    names : of the slices; as numbers in their order if all of them are, else as text.
    code : (R,) or (B,) the slice of each round or battle; −1 for none.
    """

    column: str
    names: tuple[str, ...]
    code: Ints

    def of(self, chosen: Bools) -> "Labels":
        """Those of some rounds or battles; slices without any stay."""
        return replace(self, code=self.code[chosen])


def label_rounds(frame: Source, column: str, roles: Roles) -> Labels:
    """The slice of each round of the table that `read_table` makes of the same frame.

    Raises
    ------
    NotConstant
        Where the rows of a round do not agree.
    """
    labels = label_rows(frame, column)
    tournaments = None if roles.tournament is None else index_units(frame, roles.tournament)
    names, _, round_of = number_rounds(index_units(frame, roles.round), tournaments)
    # An empty cell is a label like any other as long as rounds are looked at.
    index = Index((NOTHING, *labels.names), labels.code + 1, 0)
    return replace(labels, code=constant(index, column, "slice", names, round_of) - 1)


def label_rows(frame: Source, column: str) -> Labels:
    """The slice of each row."""
    frame.require(column, None)
    text = frame.text(column).cast(pl.String)
    filled = (text.fill_null("").str.strip_chars() != "").to_numpy()
    rows = np.flatnonzero(filled)
    index = index_names(
        text.filter(pl.Series(filled)), column=column, place=lambda row: frame.place(int(rows[row]))
    )
    order = _in_order(index.names)
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    code = np.full(text.len(), -1, np.int64)
    code[rows] = number[index.code]
    return Labels(column, tuple(index.names[k] for k in order), code)


def _in_order(names: Sequence[str]) -> list[int]:
    """Places of the names in their order: that of numbers, if they are, or of text."""
    try:
        return sorted(range(len(names)), key=lambda k: float(names[k]))
    except ValueError:
        return list(range(len(names)))


def repeats_within(frame: Source, names: Sequence[str], column: str) -> bool:
    """Whether rows with the same names differ in a column: then it is a part of the names."""
    known = pl.DataFrame({name: frame.text(name).cast(pl.String) for name in [*names, column]})
    return known.n_unique() > known.select(pl.exclude(column)).n_unique()
