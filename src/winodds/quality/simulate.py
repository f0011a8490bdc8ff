"""Ratings → games: what would have been played if the ratings were the truth.

Whole rounds are drawn, because the matches of a round share scores. A player's strength in a round
is its rating plus Gumbel noise, so that any two meet with exactly the odds of their ratings
(Plackett–Luce). The scores of the round are then dealt out anew in the order of the strengths:
ties, tolerances and missing scores stay as they were observed. Failed runs stay failed. Across
rounds, the scores of a whole tournament are dealt, so there are as many equal scores, of which some
may fall to one player.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats
from winodds.matches.beaten import sort_stretches
from winodds.matches.games import Games
from winodds.matches.results import Battles, Results

Draw: TypeAlias = Callable[[np.random.Generator, Floats], Floats]
"""Gives (k, S) scores, or (k, B) outcomes of battles: a table under each of the ratings (k, m)."""


def plan_draws(games: Games, beta: Floats) -> Draw:
    """A function that draws tables like these games, whose ratings are ``beta`` (m,)."""
    if isinstance(games.played, Battles):
        return _plan_battles(games.played, beta)
    return _plan_rounds(games.played, across=games.kind == "across")


def _plan_rounds(results: Results, *, across: bool) -> Draw:
    scored = np.flatnonzero(~np.isneginf(results.value))
    # Rounds of a tournament lie together, so a stretch is a run of scores in either case.
    stretch = results.tournament[results.round_of] if across else results.round_of
    sizes = np.bincount(stretch[scored], minlength=int(stretch.max()) + 1)
    even = bool((sizes == sizes[0]).all())
    player, value = results.player[scored], results.value[scored]
    start = np.concatenate([[0], np.cumsum(sizes)])
    dealt = value[sort_stretches(value, start, equal_sizes=even)]

    def draw(rng: np.random.Generator, ratings: Floats) -> Floats:
        tables = len(ratings)
        drawn = ratings[:, player] + rng.gumbel(size=(tables, player.size))
        starts = np.concatenate([[0], np.cumsum(np.tile(sizes, tables))])
        order = sort_stretches(drawn.ravel(), starts, equal_sizes=even)
        new = np.empty(drawn.size)
        new[order] = np.tile(dealt, tables)
        values = np.tile(results.value, (tables, 1))
        values[:, scored] = new.reshape(drawn.shape)
        return values

    return draw


def _plan_battles(battles: Battles, beta: Floats) -> Draw:
    """Each battle on its own: a tie with a chance that gives as many ties as there were."""
    first, second = battles.first, battles.second
    rate = float((battles.outcome == 0.5).mean())
    scale = _tie_scale(expit(beta[first] - beta[second]), rate)

    def draw(rng: np.random.Generator, ratings: Floats) -> Floats:
        chance = expit(ratings[:, first] - ratings[:, second])
        tie = tie_chances(chance, scale)
        level, won = rng.random(chance.shape), chance - 0.5 * tie
        return np.where(level < won, 1.0, np.where(level < won + tie, 0.5, 0.0))

    return draw


def tie_chances(chance: Floats, scale: float) -> Floats:
    """Chances of a tie, for chances to win that count a tie as one half.

    Ties are likelier between equals, as p(1 − p), and a tie takes from wins and losses alike, so
    it has at most twice the smaller of the two.
    """
    ties: Floats = np.minimum(
        4.0 * scale * chance * (1.0 - chance), 2.0 * np.minimum(chance, 1.0 - chance)
    )
    return ties


def _tie_scale(chance: Floats, rate: float) -> float:
    """The scale at which ties have ``rate`` as their mean chance, as far as there is room."""
    low, high = 0.0, 1.0
    while tie_chances(chance, high).mean() < rate and high < 1e6:
        high *= 2.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if tie_chances(chance, middle).mean() < rate else (low, middle)
    return high
