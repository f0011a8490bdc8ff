"""Proved drops: bets that a setting loses against whoever led before the split.

Under "this setting is the best" no bet against it can be expected to grow, because leaders and
stakes for a split follow from the splits before it. By Ville's inequality its purses then ever
reach 1/α with probability α at most, for any number of settings (docs/method.md). Bets against
leaders that are chosen with the split's own results known would break that: they drop the best of
100 equal settings in about half of all races.
"""

from math import ceil, log2

import numpy as np

from winodds.arrays import Bools, Floats, Ints, at_least

PURSES = 2
"""One bets against the best setting so far, one against the best tenth."""

FIRST_STAKE = 0.8
"""What is staked on the first split, on which everybody is everybody's opponent."""

BIAS = (1.5, 1.6)
"""What is added to losses and to squares, so that stakes begin near the whole purse."""


def fewest_splits(alpha: float) -> int:
    """Splits before which nothing can be dropped: a purse at most doubles on each.

    >>> fewest_splits(0.05), fewest_splits(0.1)
    (5, 4)
    """
    return ceil(log2(1.0 / alpha) - 1e-9)


class Bets:
    """Purses of all settings, and against whom they bet on each split.

    Splits are opened in their order, each before any of its results is looked at. Settings play
    them in the same order, some of them later than others.

    Attributes
    ----------
    purse : (2, k) what was made of ½ in each purse.
    dropped : (k,) whether the purses together ever reached 1/α.
    """

    __slots__ = ("_alpha", "_leaders", "dropped", "purse")

    def __init__(self, settings: int, *, alpha: float) -> None:
        self._alpha = alpha
        self._leaders: list[tuple[Ints, ...]] = []
        self.purse: Floats = np.full((PURSES, settings), 1.0 / PURSES)
        self.dropped: Bools = np.zeros(settings, np.bool_)

    @property
    def opened(self) -> int:
        """How many splits were opened."""
        return len(self._leaders)

    def open(self, scores: Floats, running: Ints) -> None:
        """Choose the leaders of the next split among the settings that are about to run it.

        ``scores`` (k, T) are looked at before that split only.
        """
        split = self.opened
        if split == 0:
            self._leaders.append((running,) * PURSES)
            return
        order = running[rank_by_wins(scores[running, :split])]
        several = max(2, round(0.1 * running.size))
        # One more, against whom a leader bets in its own place.
        self._leaders.append((order[:2], order[: several + 1]))

    def settle(self, scores: Floats, split: int, playing: Ints) -> None:
        """Settle the bets of some settings on a split, for which they have their results.

        Not everybody is dropped at once: if nobody would be left, nobody goes.
        """
        for purse, leaders in zip(self.purse, self._leaders[split], strict=True):
            losses = lose_against(scores[:, : split + 1], playing, leaders, all_play=split == 0)
            purse[playing] *= 1.0 + stake(losses[:, :split]) * losses[:, split]
        out = playing[at_least(self.purse[:, playing].sum(axis=0), 1.0 / self._alpha)]
        if (~self.dropped).sum() > (~self.dropped[out]).sum():
            self.dropped[out] = True


def rank_by_wins(scores: Floats) -> Ints:
    """(m,) rows in the order of their wins over each other, ties half; the first of equals first.

    >>> rank_by_wins(np.array([[1.0, 2.0], [3.0, 2.0], [2.0, 5.0]])).tolist()
    [2, 1, 0]
    """
    net = np.zeros(scores.shape[0], np.int64)
    for column in scores.T:
        ordered = np.sort(column)
        net += np.searchsorted(ordered, column, "left") + np.searchsorted(ordered, column, "right")
    return np.argsort(-net, kind="stable")


def lose_against(scores: Floats, playing: Ints, leaders: Ints, *, all_play: bool = False) -> Floats:
    """(p, t) how much each setting loses against the leaders on each split: 1 all, −1 none.

    The last of the leaders plays in the place of one who would play against itself, unless all
    play. A split that a setting has not run yet must be none of them.
    """
    own = scores[playing]
    plays = leaders[None, :] != playing[:, None]
    if not all_play:
        plays[:, -1] &= ~plays[:, :-1].all(axis=1)
    total = np.zeros(own.shape)
    for place, leader in enumerate(leaders.tolist()):
        lost = (scores[leader] > own).astype(np.int8) - (scores[leader] < own).astype(np.int8)
        total += plays[:, place, None] * lost
    return np.asarray(total / np.maximum(plays.sum(axis=1), 1)[:, None], np.float64)


def stake(losses: Floats) -> Floats:
    """(p,) shares of the purses that are staked, given losses (p, t) on the splits before.

    >>> stake(np.array([[1.0, 1.0, 1.0, -1.0]])).round(3).tolist()
    [0.625]
    """
    if losses.shape[1] == 0:
        return np.full(losses.shape[0], FIRST_STAKE)
    up, down = BIAS
    lean = (losses.sum(axis=1) + up) / ((losses**2).sum(axis=1) + down)
    return np.asarray(np.clip(lean, 0.0, 1.0), np.float64)
