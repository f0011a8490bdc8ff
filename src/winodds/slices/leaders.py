"""Who leads each slice, and whether that is told apart, with all slices taken together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from winodds.board.components import Components
from winodds.board.evidence import Evidence
from winodds.board.leaderboard import Leaderboard
from winodds.board.placing import PLACING_LIMIT, find_chances
from winodds.inference.claims import judge_pairs


@dataclass(frozen=True, slots=True)
class Leader:
    """The first player of a slice.

    Attributes
    ----------
    slice : its name.
    player : who is rated first there; of several components, in the largest.
    could_be_best : everyone who cannot be excluded from being the best there, first the leader's
        own order on the board.
    of : how many players there are on the leader's scale.
    """

    slice: str
    player: str
    could_be_best: tuple[str, ...]
    of: int

    @property
    def told(self) -> bool:
        """Whether the leader is told apart from everyone else."""
        return self.could_be_best == (self.player,)


def find_leaders(boards: Sequence[tuple[str, Leaderboard]], seed: int) -> tuple[Leader, ...]:
    """The leader of each slice; the chance that any who is truly the best is excluded is 1 − level.

    Every slice has an equal share of that chance. Boards with too many players are left out.
    """
    few = [(name, board) for name, board in boards if len(board) <= PLACING_LIMIT]
    return tuple(_find(name, board, len(few), seed) for name, board in few)


def _find(name: str, board: Leaderboard, slices: int, seed: int) -> Leader:
    part, players = board.components[0], board.components.split(board.players)[0]
    level = 1.0 - (1.0 - board.how.interval.level) / slices
    # Claims are made at the level of the intervals.
    stricter = Evidence(
        part.games, part.estimator, part.ridge, replace(part.intervals, level=level)
    )
    claims = judge_pairs(stricter.uncertainty_by("robust"), seed)
    chances = find_chances(Components((stricter,)), seed)
    best = np.equal(claims.better, 0) | (chances > 1.0 - level)
    named = tuple(players[k] for k in np.flatnonzero(best).tolist())
    return Leader(name, players[0], named, len(players))
