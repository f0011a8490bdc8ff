"""What the rounds of a board are called, for those who show or choose them."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from winodds.arrays import Bools, Ints


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rounds in the order of the games.

    Attributes
    ----------
    rounds : (R,) names; ``tournament/round`` where there are tournaments.
    tournaments : (T,) names, as the games number them; empty where there are none.
    higher_is_better : (R,) of the scores as they were given.
    """

    rounds: tuple[str, ...]
    tournaments: tuple[str, ...]
    higher_is_better: Bools

    def take(self, rounds: Bools, tournaments: Ints) -> "Schedule":
        """Some of the rounds (R,), and the numbers of their tournaments."""
        return Schedule(
            rounds=tuple(compress(self.rounds, rounds.tolist())),
            tournaments=tuple(self.tournaments[k] for k in tournaments.tolist())
            if self.tournaments
            else (),
            higher_is_better=self.higher_is_better[rounds],
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "rounds": list(self.rounds),
            "tournaments": list(self.tournaments),
            "lower_is_better": np.flatnonzero(~self.higher_is_better).tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Schedule":
        """The schedule that `to_dict` wrote."""
        rounds = tuple(data["rounds"])
        up = np.ones(len(rounds), np.bool_)
        up[data["lower_is_better"]] = False
        return cls(rounds, tuple(data["tournaments"]), up)
