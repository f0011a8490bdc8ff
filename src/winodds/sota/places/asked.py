"""What was asked about the places of a contest → the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winodds.language.checks import check_count
from winodds.sota.asked import Contest, Correlation, Way
from winodds.sota.field.best import Best
from winodds.sota.granularity import printed_unit
from winodds.sota.places.answer import Places
from winodds.sota.places.pairs import Modelled
from winodds.sota.places.places import Ordered, find_places

PRIZES = 3
"""Places that bring a prize, if nobody says how many."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How many places bring a prize, and whether all entries are to be told apart."""

    prizes: int
    zones: bool


def check_prizes(prizes: int | None, *, zones: bool) -> int | None:
    """How many places bring a prize; None if nobody asked about places."""
    if prizes is None:
        return PRIZES if zones else None
    check_count("prizes", prizes)
    return prizes


def places_of(
    contest: Contest,
    related: Correlation,
    way: Way,
    others: Sequence[float],
    asked: Asked,
    best: Best | None,
) -> Places:
    """Which places of a contest luck could have swapped."""
    kept = np.isin(contest.entries.scores, contest.above)
    ordered = Ordered.of(contest.entries, kept)
    test = contest.test
    top = float(contest.above.max())
    unit = printed_unit(contest.entries.scores, test.steps)

    def modelled(correlation: float) -> Modelled:
        n = test.n if test.metric == "accuracy" else None
        return Modelled(ordered.scores, test.noise(correlation, top), n, unit)

    counted = ordered.items(related.table, test.n)
    tried = [value for value in others if counted is None and value != related.value]
    return find_places(
        ordered,
        counted or modelled(related.value),
        [(value, modelled(value)) for value in tried],
        prizes=asked.prizes,
        zones=asked.zones,
        level=way.level,
        correlation=related.value,
        best=best,
    )
