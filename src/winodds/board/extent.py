"""How much of a board is shown unasked."""

from winodds.language.options import Options

MODERATE = 2_500
"""Players up to which details are computed unasked: some seconds."""

MODERATE_SEASON = 1_000
"""Players, over all of several boards, up to which they are."""

MODERATE_COMPARISONS = 120_000_000
"""Comparisons of scores, to look at all pairs of players once, up to which they are."""

MODERATE_DENSE = 200**3
"""Cubes of the players, over all boards with gaps or of battles, up to which they are.

There every replicate is a fit of its own, with arrays of players × players.
"""


def shows_details(
    options: Options, players: int, comparisons: int, dense: int, *, seasonal: bool = False
) -> bool:
    """Whether boards of so many players, and comparisons, in all show their details.

    ``dense`` are the cubes of the players of those boards that have gaps; ``seasonal`` says
    whether there are several.
    """
    if options.details is not None:
        return options.details
    most = MODERATE_SEASON if seasonal else MODERATE
    few = players <= most and dense <= MODERATE_DENSE
    return few and comparisons <= MODERATE_COMPARISONS
