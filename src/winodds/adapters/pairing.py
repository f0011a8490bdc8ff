"""The results of two systems, each from a place of its own → one table with both."""

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from winodds.adapters.adapted import Adapted
from winodds.adapters.columns import CLUSTER, METRIC, PLAYER, ROUND, TOURNAMENT
from winodds.adapters.errors import MetricsDiffer, SeveralPlayers, SidesDiffer
from winodds.adapters.joining import check_ways, join_results
from winodds.arrays import Ints
from winodds.language.words import quote
from winodds.table.names import close_names


def pair_results(
    baseline: Adapted, candidate: Adapted, *, names: tuple[str | None, str | None]
) -> tuple[Adapted, tuple[str, str]]:
    """One table with the results of one player of each source, and what they are called there.

    ``names`` are those of the players, where a source has several. Two players of the same name go
    by those of their sources.
    """
    sources = (baseline, candidate)
    chosen = tuple(
        _choose(source, name, role)
        for source, name, role in zip(sources, names, ("baseline", "candidate"), strict=True)
    )
    _check_alike(baseline, candidate)
    called = (chosen[0], chosen[1])
    if chosen[0] == chosen[1]:
        called = (baseline.name, candidate.name)
    rows = [
        np.flatnonzero((source.table[PLAYER] == name).fill_null(value=False).to_numpy())
        for source, name in zip(sources, chosen, strict=True)
    ]
    parts = [
        _part(source, row, name) for source, row, name in zip(sources, rows, called, strict=True)
    ]
    _check_metrics(parts, (baseline.name, candidate.name))
    notes = dict.fromkeys(note for source in sources for note in source.notes)
    options = {name: baseline.knows[name] for name in _further(baseline, candidate)}
    joined = Adapted(
        join_results(parts),
        name=f"{baseline.name}, {candidate.name}",
        tool=baseline.tool,
        notes=list(notes),
        options=options,
        places=_places(sources, rows),
    )
    return joined, called


def _choose(source: Adapted, name: str | None, role: str) -> str:
    """The player that is meant."""
    players = source.table[PLAYER].drop_nulls().unique().sort().to_list()
    if name is None and len(players) == 1:
        return str(players[0])
    if name is None or name not in players:
        close = [] if name is None else close_names(name, players)
        raise SeveralPlayers(path=source.name, players=players, role=role, name=name, close=close)
    return name


def _check_alike(baseline: Adapted, candidate: Adapted) -> None:
    """Refuse two sources of which only one has tournaments, or clusters, or that never meet."""
    check_ways(baseline, candidate)
    for role in (TOURNAMENT, CLUSTER):
        having = [source.name for source in (baseline, candidate) if role in source.knows]
        if len(having) == 1:
            other = candidate.name if having[0] == baseline.name else baseline.name
            raise SidesDiffer(role=role, having=having[0], lacking=other)


def _check_metrics(parts: Sequence[Adapted], paths: tuple[str, str]) -> None:
    """Refuse rounds in which the two sides have scores of different metrics."""
    told = [part.table.select(TOURNAMENT, ROUND, METRIC).drop_nulls(METRIC) for part in parts]
    both = told[0].join(told[1], on=[TOURNAMENT, ROUND], nulls_equal=True)
    other = f"{METRIC}_right"
    differing = both.filter(pl.col(METRIC) != pl.col(other)).select(METRIC, other)
    if differing.height:
        raise MetricsDiffer(paths=paths, metrics=differing.row(0))


def _further(baseline: Adapted, candidate: Adapted) -> list[str]:
    """Options that both sources know alike and that are no roles, such as a share of test cases."""
    roles = {"player", "round", "score", "tournament", "family", "cluster", "status"}
    roles |= {"hyperparameters", "direction_column"}
    return [
        name
        for name, value in baseline.knows.items()
        if name not in roles and candidate.knows.get(name) == value
    ]


def _part(source: Adapted, rows: Ints, name: str) -> Adapted:
    """The rows of one player, under a name that tells it from the other."""
    own = source.table[rows].with_columns(pl.lit(name).alias(PLAYER))
    return Adapted(own, name=source.name, tool=source.tool)


def _places(sources: Sequence[Adapted], rows: Sequence[Ints]) -> Callable[[int], str]:
    where = [(source, int(row)) for source, own in zip(sources, rows, strict=True) for row in own]

    def place(row: int) -> str:
        source, own = where[row]
        return f"{source.place(own)} of {quote(source.name)}"

    return place
