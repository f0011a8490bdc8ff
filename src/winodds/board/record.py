"""What two players did against each other, beside what their ratings say."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints
from winodds.board.evidence import Evidence
from winodds.inference.record import judge_record
from winodds.matches.meetings import Pairings


@dataclass(frozen=True, slots=True)
class PairRecord:
    """The record of two players: how often the first beat the second, and should have.

    Attributes
    ----------
    won : share of their matches that the first player won, a tie half, by the matches' weights.
    low, high : interval of the pair's own probability; 0 and 1 where they met in one cluster only.
    matches : number of matches.
    effective : independent matches that would say as much.
    expected : the share that their ratings expect.
    differs : whether the record is more than two standard errors away from that.
    leads : whether the record is what to go by: it differs, or the ratings of the whole board are
        known to miss something (p ≤ 0.05, where the fit was checked).
    """

    won: float
    low: float
    high: float
    matches: int
    effective: float
    expected: float
    differs: bool
    leads: bool


def find_record(part: Evidence, pair: tuple[int, int], *, misfit: bool) -> PairRecord | None:
    """The record of two players of a component; None of two who never met.

    ``misfit`` says whether the board's ratings are known to miss something.
    """
    pairings = Pairings(part.games, part.wins.match_weight, np.array(pair))
    found = judge_record(pairings.of(0, 1), part.intervals.level)
    if found is None:
        return None
    beta = part.intervals.beta
    expected = float(expit(beta[pair[0]] - beta[pair[1]]))
    differs = found.differs(expected)
    return PairRecord(
        won=found.won,
        low=found.low,
        high=found.high,
        matches=found.matches,
        effective=found.effective,
        expected=expected,
        differs=differs,
        leads=differs or misfit,
    )


def find_surprises(part: Evidence, chosen: Ints) -> tuple[Floats, Bools]:
    """(n, n) shares that some players won against each other, and whether ratings disagree.

    Row against column; NaN, and no disagreement, where two never met.
    """
    shape = (chosen.size, chosen.size)
    won, surprising = np.full(shape, np.nan), np.zeros(shape, np.bool_)
    pairings = Pairings(part.games, part.wins.match_weight, chosen)
    beta = part.intervals.beta[chosen]
    expected = expit(beta[:, None] - beta[None, :])
    for i, j in zip(*(x.tolist() for x in np.triu_indices(chosen.size, 1)), strict=True):
        found = judge_record(pairings.of(i, j), part.intervals.level)
        if found is not None:
            won[i, j], won[j, i] = found.won, 1.0 - found.won
            surprising[i, j] = surprising[j, i] = found.differs(float(expected[i, j]))
    return won, surprising
