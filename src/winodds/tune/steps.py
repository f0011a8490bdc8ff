"""What a race knew and decided after each of its steps."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.tune.rules import Claim

State: TypeAlias = Literal["left", "parked", "dropped"]
Act: TypeAlias = Literal["dropped", "parked", "back"]
Reason: TypeAlias = Literal["refuted", "unlikely", "crowded", "failed", "possible"]
End: TypeAlias = Literal["paid", "alone", "little", "interrupted"]

LEFT, PARKED, DROPPED = 0, 1, 2
"""States of a setting: still running; not paid for at present; refuted as the best."""

STATES: tuple[State, ...] = ("left", "parked", "dropped")
"""Their words."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one setting.

    Attributes
    ----------
    setting : which.
    act : "dropped" (for good), "parked" (not paid for at present) or "back" from parking.
    reason : of a drop "refuted"; of parking "unlikely" to be better than the leader, "crowded" out
        by likelier ones, or "failed" to fit; of coming back "possible" again.
    paid : splits that were paid for it.
    value : what the purses have grown to, or the chance to be truly better than the leader.
    """

    setting: int
    act: Act
    reason: Reason
    paid: int
    value: float


@dataclass(frozen=True, slots=True)
class Step:
    """A race after some splits.

    Attributes
    ----------
    split : how many splits the first settings have.
    paid : (k,) splits that each setting has.
    state : (k,) `LEFT`, `PARKED` or `DROPPED`.
    leader : who has the highest expectation, and would be chosen now unless wins decide.
    mean : (k,) expected mean score, as if all had run the splits of the front runners; NaN for
        settings that are out of the estimate because fits of theirs failed.
    low, high : (k,) ends of 95% intervals of true means.
    better : (k,) estimated probability to be truly better than the leader.
    p_best : (k,) estimated probability to be truly the best of those not dropped.
    worth : how much more often a split would be won if all remaining splits were paid for.
    decisions : what was decided.
    end : why the race ended here: everything "paid", one setting "alone" left, paying on worth
        "little", or "interrupted"; None if it goes on.
    claim : what is claimed of drops.
    """

    split: int
    paid: Ints
    state: Ints
    leader: int
    mean: Floats
    low: Floats
    high: Floats
    better: Floats
    p_best: Floats
    worth: float
    decisions: tuple[Decision, ...]
    end: End | None
    claim: Claim

    @property
    def left(self) -> Ints:
        """Settings that are still running."""
        return np.flatnonzero(self.state == LEFT)

    @property
    def parked(self) -> Ints:
        """Settings that are not paid for at present."""
        return np.flatnonzero(self.state == PARKED)

    @property
    def dropped(self) -> Ints:
        """Settings that were refuted as the best."""
        return np.flatnonzero(self.state == DROPPED)

    @property
    def plateau(self) -> bool:
        """Whether so many are about equally good that chances to be best say too much."""
        near = self.better >= 0.5 - PLATEAU_WITHIN
        near[self.leader] = True
        return int(((self.p_best >= PLATEAU_CHANCE) & near).sum()) >= PLATEAU_SIZE


PLATEAU_SIZE = 5
PLATEAU_CHANCE = 0.02
PLATEAU_WITHIN = 0.34
"""A setting one standard error behind is truly better with probability 0.16."""
