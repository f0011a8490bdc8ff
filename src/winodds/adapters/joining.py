"""Results of several sources → one table."""

from collections.abc import Sequence

import polars as pl

from winodds.adapters.adapted import Adapted
from winodds.adapters.errors import ScoresAndBattles


def join_results(sources: Sequence[Adapted]) -> pl.DataFrame:
    """The rows of all sources, one below the other; a column that a source lacks is empty there."""
    battles = [source for source in sources if source.battles]
    if battles and len(battles) < len(sources):
        scores = next(source for source in sources if not source.battles)
        raise ScoresAndBattles(scores=scores.name, battles=battles[0].name)
    return pl.concat([source.table for source in sources], how="diagonal_relaxed")
