"""Several scores of a player in a round → one."""

from collections.abc import Collection, Sequence

import numpy as np
import polars as pl

from winodds.arrays import Bools, Floats, Ints, round_digits, sum_by
from winodds.language.options import Duplicates
from winodds.table.cells import Cells
from winodds.table.errors import ConflictingDuplicates
from winodds.table.frames import Source

MEAN_DIGITS = 12
"""Significant digits of means: what lies beyond is the rounding of sums."""


def one_row_per_pair(
    rows: Cells,
    players: Sequence[str],
    rounds: Sequence[str],
    *,
    rule: Duplicates,
    higher_is_better: Bools,
    frame: Source,
    own: Collection[str],
) -> tuple[Cells, Ints]:
    """Sorted cells without duplicates, and (3, R) how many rows were repeated, merged, retried."""
    unsorted = rows
    key = rows.round * len(players) + rows.player
    if (key[1:] <= key[:-1]).any():
        order = np.argsort(key, kind="stable")
        rows, key = rows.take(order), key[order]
    same = key[1:] == key[:-1]
    if not same.any():
        return rows, np.zeros((3, len(rounds)), np.int64)
    table = pl.DataFrame({"round": rows.round, "player": rows.player, "value": rows.value})
    pairs = table.group_by("round", "player", maintain_order=True).agg(
        pl.col("value").fill_nan(None).drop_nulls().alias("scores"), pl.len().alias("rows")
    )
    different = pairs["scores"].list.unique().list.len().to_numpy().astype(np.int64)
    if rule == "error" and (different > 1).any():
        raise _conflict(
            pairs.filter(pl.Series(different > 1)), players, rounds, unsorted, frame, own
        )
    value = _merge(pairs, rule, higher_is_better)
    cells = Cells(pairs["round"].to_numpy(), pairs["player"].to_numpy(), value)
    if rule == "mean":
        # Means that are equal on paper must tie, with each other and with single scores.
        averaged = np.isin(cells.round, cells.round[different > 1])
        value[averaged] = round_digits(value[averaged], MEAN_DIGITS)
    scored = pairs["scores"].list.len().to_numpy().astype(np.int64)
    total = pairs["rows"].to_numpy().astype(np.int64)
    repeated = np.where(scored > 0, scored - different, total - 1)
    merged = np.maximum(different - 1, 0)
    # Where a pair has different scores, a rule takes all of them, and equal ones too, as runs.
    several = different > 1
    repeated, merged = np.where(several, 0, repeated), np.where(several, scored - 1, merged)
    spare = (repeated, merged, np.where(scored > 0, total - scored, 0))
    by_round = [sum_by(cells.round, rows_of, len(rounds)) for rows_of in spare]
    return cells, np.array(by_round).astype(np.int64)


def _conflict(
    pairs: pl.DataFrame,
    players: Sequence[str],
    rounds: Sequence[str],
    rows: Cells,
    frame: Source,
    own: Collection[str],
) -> ConflictingDuplicates:
    first = pairs.row(0, named=True)
    mine = np.flatnonzero((rows.player == first["player"]) & (rows.round == first["round"]))
    row_of: dict[float, int] = {}
    for row in mine.tolist():
        row_of.setdefault(float(rows.value[row]), row)
    values = list(dict.fromkeys(first["scores"]))
    return ConflictingDuplicates(
        pairs=pairs.height,
        player=players[first["player"]],
        round=rounds[first["round"]],
        values=values,
        where=[frame.place(row_of[value]) for value in values[:2]],
        apart=[
            column
            for column in frame.columns_apart(row_of[values[0]], row_of[values[1]])
            if column not in own
        ],
    )


def _merge(pairs: pl.DataFrame, rule: Duplicates, higher_is_better: Bools) -> Floats:
    """(S,) the one score of each pair; NaN when all its runs failed."""
    scores = pairs["scores"].list
    if rule == "mean":
        value = scores.mean()
    elif rule == "last":
        value = scores.last()
    elif rule == "best":
        up = higher_is_better[pairs["round"].to_numpy()]
        value = pl.Series(np.where(up, scores.max().to_numpy(), scores.min().to_numpy()))
    else:
        value = scores.first()
    return value.cast(pl.Float64).fill_null(float("nan")).to_numpy().copy()
