"""Who is a member of which team → the combinations of ratings that tell what teams add.

Two questions. *Synergy*: how much higher is a team rated than its members are on average? *Worth
as a member*: how much higher is a team rated with this member in the place of an average one? The
second is the regression of the teams' ratings on membership, with an intercept. Only differences
between members count, because in teams of one size the sum of all worths is the intercept's. Both
are linear in the ratings, so `winodds.inference.combinations` gives their errors.
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.inference.combinations import Rows

TOLD = 1e-8
"""How far a question may be from what the teams answer and still be answered, by rounding."""


@dataclass(frozen=True, slots=True)
class Worths:
    """What teams tell about their members.

    Attributes
    ----------
    rows : (S, K) the worth of each member around the mean of all, as a combination of the teams'
        ratings; the shortest one where the teams do not tell it.
    told : (S,) whether the teams tell it.
    rank : differences between members that the teams tell, S − 1 if all are told.
    """

    rows: Rows
    told: Bools
    rank: int


def synergy_rows(membership: Bools, team: Ints, member: Ints, players: int) -> Rows:
    """(K, m) each team's rating minus the mean of its members'.

    Parameters
    ----------
    membership : (K, S) whether a member belongs to a team.
    team, member : (K,), (S,) their numbers among the m players.
    """
    rows = np.zeros((team.size, players))
    rows[:, member] = -1.0 * membership / membership.sum(axis=1, keepdims=True)
    rows[np.arange(team.size), team] += 1.0
    return rows


def worth_rows(membership: Bools) -> Worths:
    """The worth of members, (S,), from the ratings of teams with this membership, (K, S).

    >>> found = worth_rows(np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], np.bool_))
    >>> found.told.all(), found.rank
    (np.True_, 2)
    >>> np.round(found.rows, 3).tolist()
    [[0.333, 0.333, -0.667], [0.333, -0.667, 0.333], [-0.667, 0.333, 0.333]]
    """
    teams, members = membership.shape
    columns = np.concatenate([np.ones((teams, 1)), membership], axis=1)
    solved = np.linalg.pinv(columns)
    asked = np.concatenate([np.zeros((members, 1)), np.eye(members) - 1.0 / members], axis=1)
    missed = asked @ (np.eye(members + 1) - solved @ columns)
    told = np.linalg.norm(missed, axis=1) < TOLD
    rank = _rank(columns) + members - 1 - _rank(np.concatenate([columns, asked]))
    return Worths(asked @ solved, told & (members > 1), rank)


def _rank(matrix: Floats) -> int:
    return int(np.linalg.matrix_rank(matrix, tol=TOLD))
