"""A plain table whose roles are known → the columns that every source is brought to."""

from collections.abc import Sequence

import polars as pl

from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.columns import (
    CLUSTER,
    DIRECTION,
    FAMILY,
    HYPERPARAMETERS,
    LEFT,
    METRIC,
    OK,
    PLAYER,
    RIGHT,
    ROUND,
    SCORE,
    SOURCE,
    STATUS,
    TOURNAMENT,
    WINNER,
    write_settings,
)
from winodds.language.notes import Note
from winodds.language.options import BattleOptions, Columns, Roles
from winodds.language.words import count
from winodds.table.battles import read_battles
from winodds.table.frames import Source
from winodds.table.table import as_columns, index_columns
from winodds.table.vocabulary import DONE, likely_metric

TITLE = "a table"
WRITTEN = "\0written"


def adapt_table(
    source: Source,
    roles: Roles,
    *,
    name: str,
    higher_is_better: bool | None = None,
    alone: str | None = None,
    notes: Sequence[Note] = (),
) -> Adapted:
    """The rows of a table of scores; columns that play no part are left behind.

    ``alone`` is the only player of a table that has no column for players, and ``notes`` are what
    is known of the table.
    """
    rows = {
        PLAYER: _names(source, roles.player)
        if alone is None
        else pl.repeat(alone, source.rows, eager=True),
        ROUND: _names(source, roles.round),
        SCORE: source.numbers(roles.score),
    }
    further = {TOURNAMENT: roles.tournament, FAMILY: roles.family, CLUSTER: roles.cluster}
    rows |= {role: _names(source, columns) for role, columns in further.items() if columns}
    if roles.metric_column is not None:
        rows[METRIC] = _names(source, roles.metric_column)
    elif likely_metric(roles.score) is not None and not roles.misnamed:
        rows[METRIC] = pl.repeat(roles.score, source.rows, eager=True)
    if roles.direction_column is not None:
        rows[DIRECTION] = _names(source, roles.direction_column)
    if roles.status is not None:
        rows[STATUS] = _status(source.text(roles.status).cast(pl.String))
    if roles.hyperparameters is not None:
        rows[HYPERPARAMETERS] = _settings(source, as_columns(roles.hyperparameters))
    return adapt_scores(
        pl.DataFrame(rows),
        name=name,
        tool=TITLE,
        higher_is_better=higher_is_better,
        summary=count(source.rows, "row"),
        notes=notes,
        places=source.place,
    )


def adapt_battles(
    source: Source, asked: BattleOptions, *, name: str, notes: Sequence[Note] = ()
) -> Adapted:
    """The rows of a table of battles, each with the side that won."""
    named = read_battles(source, asked)
    fought, players = named.battles, pl.Series(named.players, dtype=pl.String)
    words = {1.0: LEFT, 0.0: RIGHT, 0.5: "tie"}
    rows = {
        LEFT: players.gather(fought.first),
        RIGHT: players.gather(fought.second),
        WINNER: pl.Series([words[float(won)] for won in fought.outcome], dtype=pl.String),
        CLUSTER: pl.repeat(None, source.rows, dtype=pl.String, eager=True)
        if asked.cluster is None
        else _names(source, asked.cluster, shown=False),
        SOURCE: pl.repeat(TITLE, source.rows, eager=True),
    }
    summary = count(source.rows, "battle")
    return Adapted(pl.DataFrame(rows), name=name, tool=TITLE, summary=summary, notes=notes)


def _names(source: Source, columns: Columns, *, shown: bool = True) -> pl.Series:
    index = index_columns(source, columns, shown=shown)
    return pl.Series(index.names, dtype=pl.String).gather(index.code)


def _status(words: pl.Series) -> pl.Series:
    """The words, with one and the same for all that say that a run succeeded."""
    plain = words.str.strip_chars().str.to_lowercase()
    return words.set(plain.is_in(list(DONE)), OK)


def _settings(source: Source, columns: Sequence[str]) -> pl.Series:
    """Hyperparameters as JSON objects; each combination is written once."""
    values = pl.DataFrame([source.values(column).alias(column) for column in columns])
    different = values.unique(maintain_order=True)
    written = [write_settings(row) for row in different.iter_rows(named=True)]
    return values.join(
        different.with_columns(pl.Series(WRITTEN, written, pl.String)),
        on=list(columns),
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )[WRITTEN]
