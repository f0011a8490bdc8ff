"""Whether the details of a board take no more than some seconds."""

MODERATE = 2_500
"""Players up to which they do."""

MODERATE_SEASON = 1_000
"""Players, over all of several boards, up to which they do."""

MODERATE_COMPARISONS = 120_000_000
"""Comparisons of scores, to look at all pairs of players once, up to which they do."""

MODERATE_DENSE = 200**3
"""Cubes of the players, over all boards with gaps or of battles, up to which they do.

There every replicate is a fit of its own, with arrays of players × players.
"""


def is_quick(players: int, comparisons: int, dense: int, *, crowd: int = 0) -> bool:
    """Whether the details of a board of so many players, and comparisons, are quick.

    Parameters
    ----------
    dense : cubes of the players of components that have gaps.
    crowd : players of all boards of a season together, which are taken to be like this one.
    """
    boards = max(crowd, players) / players
    most = MODERATE_SEASON if boards > 1 else MODERATE
    few = players * boards <= most and dense * boards <= MODERATE_DENSE
    return few and comparisons * boards <= MODERATE_COMPARISONS
