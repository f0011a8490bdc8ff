"""How many more rounds would tell two players apart."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats
from winodds.board.evidence import Evidence
from winodds.inference.clusters import dense
from winodds.inference.contrasts import Contrasts
from winodds.inference.pairwise import clusters_needed, clusters_needed_by_signs
from winodds.language.options import IntervalKind
from winodds.matches.wins import RoundEvidence, Wins


@dataclass(frozen=True, slots=True)
class Needed:
    """How much data would tell two players apart, if the difference is what it seems.

    Attributes
    ----------
    power : chance of seeing it then.
    total : clusters (rounds, tournaments, battles) in all; None when no number would do, or all
        matches between two sets went one way, so that nobody can tell.
    more : how many of them are missing.
    unit : what is counted.
    """

    power: float
    total: int | None
    more: int | None
    unit: str


def find_needed(
    part: Evidence,
    pair: tuple[int, int],
    found: Contrasts,
    test: IntervalKind,
    power: float,
    unit: str,
) -> Needed:
    """How much data would tell two players of a component apart, by the test that decides."""
    value, se, units = float(found.value[0]), float(found.se[0]), int(found.units[0])
    level, overlap, total = part.intervals.level, part.overlap, None
    contributions = _wins_apart(part.wins, pair) if test == "robust" and overlap == 1.0 else None
    if contributions is not None:
        total = clusters_needed_by_signs(contributions, level=level, power=power) or None
    elif not found.cut[0]:
        needed = clusters_needed(value, se, units, level=level, power=power, overlap=overlap)
        total = needed or None
    return Needed(power, total, None if total is None else max(total - units, 0), unit)


def _wins_apart(wins: Wins, pair: tuple[int, int]) -> Floats | None:
    """(G,) wins of the one minus wins of the other by cluster, where all played all rounds."""
    evidence = wins.evidence
    if wins.worst_rank is None or not isinstance(evidence, RoundEvidence):
        return None
    won = dense(evidence.wins[:, list(pair)])
    return np.asarray(won[:, 0] - won[:, 1], np.float64)
