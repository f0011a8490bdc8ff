"""Chances of picked players in one tournament and over all, each told in three ways.

*Plug-in* takes the board's ratings at their word, and with them the luck of the pick. *Shrunken*
takes luck out by empirical Bayes (`winodds.inference.posterior`), as ``board.sota()`` does: the
closest in one tournament. *Held-out* lets picks play in rounds that they were not picked on
(`winodds.season.picks`): noisy in one tournament, and right on average, so that means over
tournaments rest on it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints
from winodds.board.evidence import Evidence
from winodds.inference.posterior import Posterior
from winodds.season.picks import HeldOut, Means, Picks, Played, mean_over, play, play_all

NUMBERS = 400_000
"""Draws of true ratings, of all players together, that chances against all of them rest on."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of winning a new round, of n pairs or in T tournaments: arrays of one shape.

    All are NaN, or 0 rounds, where there is nobody to win or to win against.

    Attributes
    ----------
    plug_in : by the ratings.
    shrunken, low, high : expectation and interval without the luck of picks.
    held_out : share of matches won in rounds left out, ties ½.
    rounds : in how many rounds there was such a match.
    variance : of the held-out share.
    open_below, open_above : whether the first won no match, or all, directly and through others,
        so that the data do not tell how far apart the two are.
    """

    plug_in: Floats
    shrunken: Floats
    low: Floats
    high: Floats
    held_out: Floats
    rounds: Ints
    variance: Floats
    open_below: Bools
    open_above: Bools

    @property
    def separated(self) -> Bools:
        """Where the data leave the distance open on either side."""
        return self.open_below | self.open_above

    def turned(self) -> "Chances":
        """The chances of the others."""
        return Chances(
            plug_in=1.0 - self.plug_in,
            shrunken=1.0 - self.shrunken,
            low=1.0 - self.high,
            high=1.0 - self.low,
            held_out=1.0 - self.held_out,
            rounds=self.rounds,
            variance=self.variance,
            open_below=self.open_above,
            open_above=self.open_below,
        )

    def placed(self, place: tuple[Ints, ...], shape: tuple[int, ...]) -> "Chances":
        """The same at places of a larger array that holds nothing else."""
        found = nothing(shape)
        for column in fields(Chances):
            getattr(found, column.name)[place] = getattr(self, column.name)
        return found

    def at(self, index: Any) -> "Chances":
        """A part of them, or the same in another order, by NumPy's indexing."""
        return Chances(*(getattr(self, column.name)[index] for column in fields(Chances)))

    def mean(self, level: float) -> Means:
        """Held-out means over the first axis, the tournaments, with intervals."""
        return mean_over(Played(self.held_out, self.rounds, self.variance), level)


def nothing(shape: tuple[int, ...]) -> Chances:
    """Chances of nobody."""
    return Chances(
        plug_in=np.full(shape, np.nan),
        shrunken=np.full(shape, np.nan),
        low=np.full(shape, np.nan),
        high=np.full(shape, np.nan),
        held_out=np.full(shape, np.nan),
        rounds=np.zeros(shape, np.int64),
        variance=np.full(shape, np.nan),
        open_below=np.zeros(shape, np.bool_),
        open_above=np.zeros(shape, np.bool_),
    )


def stack(chances: Sequence[Chances]) -> Chances:
    """(T, …) the chances of T tournaments."""
    return Chances(
        *(np.stack([getattr(one, column.name) for one in chances]) for column in fields(Chances))
    )


def square(pairs: Chances, first: Ints, second: Ints, size: int) -> Chances:
    """(size, size) chances of the row against the column; nothing on the diagonal."""
    one, other = pairs.placed((first, second), (size, size)), pairs.turned()
    for column in fields(Chances):
        getattr(one, column.name)[second, first] = getattr(other, column.name)
    return one


@dataclass(frozen=True, slots=True)
class Contest:
    """One tournament, and what its picks are judged by.

    Attributes
    ----------
    evidence : games and ratings of all players, who share a scale.
    rounds : its rounds, with standings in the others.
    seed : of the draws of true ratings.
    level : coverage of intervals.
    """

    evidence: Evidence
    rounds: HeldOut
    seed: int
    level: float

    def meet(self, picks: Picks, first: Ints, second: Ints, chosen: Ints) -> Chances:
        """(K,) picks of set ``first[k]`` against those of set ``second[k]``.

        Parameters
        ----------
        picks : of F sets, for rounds left out.
        first, second : (K,) sets.
        chosen : (F,) whom the whole board picks from each set.
        """
        one, other, structure = chosen[first], chosen[second], self.evidence.intervals.structure
        beta, found = self.evidence.intervals.beta, self._posterior(chosen)
        draws = found.draws[:, found.columns(chosen)]
        drawn = (
            expit(draws[:, a] - draws[:, b])
            for a, b in zip(first.tolist(), second.tolist(), strict=True)
        )
        return self._join(
            expit(beta[one] - beta[other]),
            drawn,
            play(self.rounds, picks, first, second),
            open_below=~structure.reaches(one, other),
            open_above=~structure.reaches(other, one),
        )

    def meet_all(self, picks: Picks, chosen: Ints) -> Chances:
        """(F,) picks of every set against another player of the tournament, drawn at random."""
        intervals, found = self.evidence.intervals, self._posterior(chosen)
        # That the others' ratings are not known exactly hardly matters: over all it cancels.
        some = found.draws[:: max(1, found.draws.shape[0] * found.mean.size // NUMBERS)]
        own = some[:, found.columns(chosen)].T
        return self._join(
            np.array([_against(intervals.beta[[one]], intervals.beta, one)[0] for one in chosen]),
            (_against(drawn, found.mean, one) for drawn, one in zip(own, chosen, strict=True)),
            play_all(self.rounds, picks),
            open_below=~intervals.structure.reaches_all()[chosen],
            open_above=~intervals.structure.reached_by_all()[chosen],
        )

    def without_luck(self, chosen: Ints) -> Floats:
        """(F,) expected true ratings of players."""
        return self._posterior(chosen).mean[chosen]

    def _posterior(self, chosen: Ints) -> Posterior:
        """What is known of true ratings, with draws of these players."""
        return self.evidence.posterior(self.seed, kept=np.unique(chosen).tolist())

    def _join(
        self,
        plug_in: Floats,
        drawn: Iterable[Floats],
        played: Played,
        *,
        open_below: Bools,
        open_above: Bools,
    ) -> Chances:
        """(K,) chances; ``drawn`` has (d,) draws of each."""
        shrunken, low, high = np.empty((3, plug_in.size))
        tail = 0.5 * (1.0 - self.level)
        for k, own in enumerate(drawn):
            shrunken[k] = own.mean()
            low[k], high[k] = np.quantile(own, [tail, 1.0 - tail])
        return Chances(
            plug_in=plug_in,
            shrunken=shrunken,
            low=low,
            high=high,
            held_out=played.value,
            rounds=played.rounds,
            variance=played.variance,
            open_below=open_below,
            open_above=open_above,
        )


def _against(own: Floats, everyone: Floats, player: int) -> Floats:
    """(d,) mean chance of a player, whose rating is one of (d,), against the others of (m,)."""
    others = np.delete(everyone, player)
    return np.asarray(expit(own[:, None] - others).mean(axis=1), np.float64)


# With names ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance of winning a new round, in one tournament.

    Attributes
    ----------
    plug_in : by the ratings, with the luck of the pick.
    shrunken, low, high : without it, with an interval: the one to tell of one tournament.
    held_out : share of matches that picks won in rounds they were not picked on; None without any.
    rounds : in how many rounds there was such a match.
    separated : whether the data leave open how far apart the two are.
    """

    plug_in: float
    shrunken: float
    low: float
    high: float
    held_out: float | None
    rounds: int
    separated: bool


@dataclass(frozen=True, slots=True)
class MeanChance:
    """A chance of winning a round of a new tournament: the mean of held-out picks.

    Attributes
    ----------
    value : the chance; None without a tournament. It is never 0 or 1.
    low, high : ends of its interval; None without two tournaments.
    tournaments : over how many.
    open : whether every such round was won, or every one lost.
    """

    value: float | None
    low: float | None
    high: float | None
    tournaments: int
    open: bool


def name_chance(chances: Chances, place: tuple[int, ...]) -> Chance:
    """One of the chances."""
    held_out = float(chances.held_out[place])
    return Chance(
        plug_in=float(chances.plug_in[place]),
        shrunken=float(chances.shrunken[place]),
        low=float(chances.low[place]),
        high=float(chances.high[place]),
        held_out=None if np.isnan(held_out) else held_out,
        rounds=int(chances.rounds[place]),
        separated=bool(chances.separated[place]),
    )


def name_mean(means: Means, place: tuple[int, ...]) -> MeanChance:
    """One of the means."""
    value, low, high = (
        None if np.isnan(column[place]) else float(column[place])
        for column in (means.value, means.low, means.high)
    )
    return MeanChance(
        value=value,
        low=low,
        high=high,
        tournaments=int(means.tournaments[place]),
        open=bool(means.open_below[place] | means.open_above[place]),
    )
