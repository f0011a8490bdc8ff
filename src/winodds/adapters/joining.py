"""Results of several sources → one table."""

from collections.abc import Sequence
from itertools import combinations, product

import polars as pl

from winodds.adapters.adapted import Adapted
from winodds.adapters.columns import CONDITIONS, ROUND, TOURNAMENT
from winodds.adapters.errors import RunDifferently, ScoresAndBattles
from winodds.adapters.ways import find_conflict


def join_results(sources: Sequence[Adapted]) -> pl.DataFrame:
    """The rows of all sources, one below the other; a column that a source lacks is empty there."""
    battles = [source for source in sources if source.battles]
    if battles and len(battles) < len(sources):
        scores = next(source for source in sources if not source.battles)
        raise ScoresAndBattles(scores=scores.name, battles=battles[0].name)
    for one, other in combinations(sources, 2):
        check_ways(one, other)
    return pl.concat([_with_conditions(source) for source in sources], how="diagonal_relaxed")


def _with_conditions(source: Adapted) -> pl.DataFrame:
    """The rows of a source; where it tells how tasks were run, a column has that."""
    told = {way.name: ", ".join(way.settings.values()) for way in source.ways if way.settings}
    if not told or CONDITIONS in source.table.columns:
        return source.table
    named = [
        pl.col(column).replace_strict(told, default=None, return_dtype=pl.String)
        for column in (TOURNAMENT, ROUND)
    ]
    return source.table.with_columns(pl.coalesce(named).alias(CONDITIONS))


def check_ways(one: Adapted, other: Adapted) -> None:
    """Refuse two sources with the same task, run in two ways: their rounds are not the same."""
    for first, second in product(one.ways, other.ways):
        reason = find_conflict(first, second)
        if reason is not None:
            paths = (one.name, other.name)
            raise RunDifferently(task=first.task, paths=paths, reason=reason)
