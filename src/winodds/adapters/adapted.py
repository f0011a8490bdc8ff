"""A foreign source as a table that knows its roles; `rate` needs no further word about it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from winodds.adapters.columns import (
    CLUSTER,
    DIRECTION,
    FAILED,
    FAMILY,
    HYPERPARAMETERS,
    LEFT,
    METRIC,
    OK,
    PLAYER,
    RIGHT,
    ROUND,
    SCORE,
    STATUS,
    TOURNAMENT,
    WINNER,
    complete_scores,
    spread_settings,
)
from winodds.adapters.errors import NothingLeft
from winodds.adapters.metrics import refuse_every_metric
from winodds.adapters.ways import Way
from winodds.language.notes import Note
from winodds.table.frames import Frame
from winodds.table.vocabulary import known_metric


class Adapted(Frame):
    """Results of another tool, as `winodds.read_source` gives them; pass it to `rate` as it is.

    Attributes
    ----------
    table : data frame with the columns of `winodds.adapters.columns`, which `winodds convert`
        writes.
    name : of the file, the folder or the object.
    tool : what wrote the results, in words.
    summary : what was found, in a few words: "30 trials, 5 steps".
    notes : what was left out, and why; they stand on every board.
    knows : options of `rate` that follow from the source: roles, and perhaps more.
    files : those of a folder that were read.
    ways : how tasks were run, where a source tells; runs of two sources meet if these agree.
    battles : whether a row is a battle.
    """

    def __init__(
        self,
        table: pl.DataFrame,
        *,
        name: str,
        tool: str,
        summary: str = "",
        notes: Sequence[Note] = (),
        options: Mapping[str, Any] | None = None,
        files: Sequence[Path] = (),
        places: Callable[[int], str] | None = None,
        ways: Sequence[Way] = (),
    ) -> None:
        self.battles = WINNER in table.columns
        spread, settings = (table, ()) if self.battles else spread_settings(table)
        score = SCORE if self.battles else _name_score(spread)
        super().__init__(spread.rename({SCORE: score}, strict=False))
        self.table = table
        self.name = name
        self.tool = tool
        self.summary = summary
        self.notes = tuple(notes)
        self.files = tuple(files)
        self.ways = tuple(ways)
        self._places = places
        self._knows = {**_roles(table, settings, score), **(options or {})}

    @property
    def knows(self) -> Mapping[str, Any]:
        return self._knows

    def notes_on(self, columns: Iterable[str]) -> tuple[Note, ...]:  # noqa: ARG002
        return self.notes

    def refuse_together(self) -> None:
        if not self.battles:
            refuse_every_metric(self.table)

    def place(self, row: int) -> str:
        return super().place(row) if self._places is None else self._places(row)


def adapt_scores(
    rows: pl.DataFrame,
    *,
    name: str,
    tool: str,
    higher_is_better: bool | None = None,
    summary: str = "",
    notes: Sequence[Note] = (),
    options: Mapping[str, Any] | None = None,
    files: Sequence[Path] = (),
    places: Callable[[int], str] | None = None,
    ways: Sequence[Way] = (),
) -> Adapted:
    """Rows of scores → a table that knows its roles; arguments as in `complete_scores`."""
    table = complete_scores(rows, source=tool, higher_is_better=higher_is_better)
    if table.height and not (table[STATUS] == OK).any():
        failed = f"all {table.height:,} scores are missing or of runs that failed"
        raise NothingLeft(path=name, title=tool, left_out=failed)
    return Adapted(
        table,
        name=name,
        tool=tool,
        summary=summary,
        notes=notes,
        options=options,
        files=files,
        places=places,
        ways=ways,
    )


def _name_score(table: pl.DataFrame) -> str:
    """What boards call the scores: their metric, if it is one for all and no other column.

    A metric that is turned round, against its name, lends it to nobody.
    """
    told = table.select(METRIC, DIRECTION).unique()
    metric, way = told.row(0) if told.height == 1 else (None, None)
    if metric is None or metric in table.columns:
        return SCORE
    known = known_metric(metric)
    return SCORE if known is not None and known.higher_is_better != (way == "up") else str(metric)


def _roles(table: pl.DataFrame, settings: tuple[str, ...], score: str) -> dict[str, Any]:
    """The roles that the columns play; those that hold nothing play none."""
    if WINNER in table.columns:
        sides: dict[str, Any] = {"left": LEFT, "right": RIGHT, "winner": WINNER}
        return sides | ({"cluster": CLUSTER} if _filled(table, CLUSTER) else {})
    roles: dict[str, Any] = {"player": PLAYER, "round": ROUND, "score": score}
    roles |= {name: name for name in (TOURNAMENT, FAMILY, CLUSTER) if _filled(table, name)}
    if _tells_more(table):
        roles["status"] = STATUS
    if settings:
        roles[HYPERPARAMETERS] = settings
    return roles | {"direction_column": DIRECTION}


def _tells_more(table: pl.DataFrame) -> bool:
    """Whether the status says more of failed runs than that their scores are missing."""
    bad = table.filter(pl.col(STATUS) != OK)
    return bool(((bad[STATUS] != FAILED) | bad[SCORE].is_not_null()).any())


def _filled(table: pl.DataFrame, name: str) -> bool:
    """Whether every row says something in a column."""
    return name in table.columns and table.height > 0 and table[name].null_count() == 0
