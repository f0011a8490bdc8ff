"""The record of one pair: the share of its matches that a player won, with its interval.

The difference of two ratings says how often one of them beats the other as far as one number for
each player can tell. A model that is good on some rounds and bad on others has pairs of its own
kind, and for these only their own matches speak. The interval is Wilson's (1927), with a quantile
of t in the place of z, and with as many matches as the variation between clusters says they are
worth (Korn & Graubard 1998).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from winodds.arrays import EQUAL, Floats
from winodds.inference.contrasts import freedom, small_sample
from winodds.matches.meetings import Meetings

SURPRISE = 2.0
"""Standard errors between record and ratings from which on they disagree."""


@dataclass(frozen=True, slots=True)
class Record:
    """How often one player beat another.

    Attributes
    ----------
    won : share of the matches that the first player won, a tie half, by weight.
    low, high : ends of its interval; 0 and 1 where all matches are of one cluster.
    matches : number of matches.
    effective : independent matches that would say as much; never more than there are.
    """

    won: float
    low: float
    high: float
    matches: int
    effective: float

    def differs(self, expected: float) -> bool:
        """Whether the share is further than chance goes from what ratings expect."""
        error = np.sqrt(expected * (1.0 - expected) / self.effective)
        return bool(abs(self.won - expected) > SURPRISE * error + EQUAL)


def judge_record(found: Meetings, level: float) -> Record | None:
    """The record of a pair, or None of two who never met."""
    if found.matches == 0:
        return None
    won, alike = found.share, equal_clusters(found.met)
    effective = effective_matches(found)
    if found.met.size == 1:
        return Record(won, 0.0, 1.0, found.matches, effective)
    df = max(freedom(alike), 1.0)
    low, high = wilson(won, effective, float(stdtrit(df, 0.5 + 0.5 * level)))
    return Record(won, low, high, found.matches, effective)


def wilson(share: float, matches: float, quantile: float) -> tuple[float, float]:
    """Ends of Wilson's interval of a share of so many matches.

    >>> low, high = wilson(0.75, 20.0, 2.093)
    >>> round(low, 3), round(high, 3)
    (0.516, 0.894)
    """
    more = quantile**2 / matches
    middle = (share + 0.5 * more) / (1.0 + more)
    half = np.sqrt(more * share * (1.0 - share) + 0.25 * more**2) / (1.0 + more)
    return float(max(middle - half, 0.0)), float(min(middle + half, 1.0))


def equal_clusters(met: Floats) -> float:
    """Clusters of equal weight that would carry as much as these, (G,)."""
    return float(met.sum() ** 2 / (met @ met))


def effective_matches(found: Meetings) -> float:
    """Independent matches that would say as much as a pair's.

    The share's variance between clusters, over that of as many independent matches, is the design
    effect. Where nearly all matches went one way the clusters hardly vary, and say little about
    it. It is then drawn towards its largest value, that of clusters whose matches all agree, as if
    by one more match that was won, or lost.
    """
    share, matches, clusters = found.share, found.matches, float(found.met.size)
    largest = max(matches / equal_clusters(found.met), 1.0)
    rare = min(share, 1.0 - share)
    if rare < EQUAL or clusters == 1.0:
        return matches / largest
    change = (found.won - share * found.met) / (found.met.sum() / found.hung)
    variance = small_sample(clusters) * float(change @ change)
    seen = max(variance * freedom(float(matches)) / (share * (1.0 - share)), 1.0)
    known = matches * rare / seen
    return matches * (known + 1.0) / (known * seen + largest)
