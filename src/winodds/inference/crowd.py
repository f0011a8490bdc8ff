"""Large boards: everybody's true rating in closed form, and who has a chance to be the best.

Given the spread of truth, a rating is drawn to the average by a share that hangs on the player's
own scales. Averages over the scales are sums of a few terms, and what thousands of players have in
common hangs on them only through averages. So the many who have no chance to be the best need not
be drawn: what they tell the others about what all have in common, and what they add up to, are a
few numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import ndtr

from winodds.arrays import EQUAL, Bools, Floats, Ints, at_least

LEFT_OUT = 1e-4
"""Chance to be the best that all who are not drawn have together, as far as laws are normal."""

EDGES = 60
"""Values between which the highest may lie."""

BLOCK = 500_000
"""Numbers looked at together."""

NEARLY, FAR = 4.5, 8.0
"""Standard deviations from the mean beyond which hardly anybody is, and nobody."""


# Everybody in closed form -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shrinkage:
    """What becomes of ratings under one spread of truth, averaged over the scales; (m,) each.

    A truth has the variance t, its rating the noise e, of which the part o is the player's own.

    Attributes
    ----------
    kept, kept_square : t/(t + o) and its square: the share of a rating that is kept.
    left : t·o/(t + o), the variance of truth that is left.
    told : e/(t + o), what the rating tells of what ratings have in common.
    pulled : √e/(t + o), which times the rating is where it pulls that.
    moved : t√e/(t + o), how far that in turn moves the truth.
    """

    kept: Floats
    kept_square: Floats
    left: Floats
    told: Floats
    pulled: Floats
    moved: Floats


def shrink(square: Floats, chances: Floats, error: Floats, alone: Floats) -> Shrinkage:
    """Averages over scales.

    Parameters
    ----------
    square : (L,) variances of truth.
    chances : (m, L, K) how likely pairs of scales are, up to a factor for each player.
    error : (m, K) variances of noise.
    alone : (m,) the part of noise that is the player's own.
    """
    weight = chances / chances.sum(axis=(1, 2), keepdims=True)
    own = np.maximum(error * alone[:, None], 0.0)
    whole = square[:, None] + own[:, None, :]
    by_whole = weight / whole
    kept = by_whole * square[:, None]
    by_noise, of_noise = by_whole.sum(axis=1), kept.sum(axis=1)
    root = np.sqrt(error)
    return Shrinkage(
        kept=of_noise.sum(axis=1),
        kept_square=(kept / whole * square[:, None]).sum(axis=(1, 2)),
        left=(own * of_noise).sum(axis=1),
        told=(error * by_noise).sum(axis=1),
        pulled=(root * by_noise).sum(axis=1),
        moved=(root * of_noise).sum(axis=1),
    )


@dataclass(frozen=True, slots=True)
class Rest:
    """Those who are not drawn, under each of several spreads of truth (p,).

    Attributes
    ----------
    information : (p, k, k) what they tell of what ratings have in common.
    pull : (p, k) where their ratings pull that.
    total : (p,) what their truths are expected to add up to, if ratings had nothing in common.
    slope : (p, k) by how much what they have in common takes away from that.
    spread : (p,) the standard deviation of what is left.
    """

    information: Floats
    pull: Floats
    total: Floats
    slope: Floats
    spread: Floats

    def at(self, places: Ints) -> "Rest":
        """Some of the spreads, in any order."""
        return Rest(*(getattr(self, field.name)[places] for field in fields(self)))


class Crowd:
    """All players of a large board.

    Attributes
    ----------
    mean : (m,) expected true ratings.
    sd : (m,) their standard deviations.
    """

    __slots__ = ("_beta", "_common", "_laws", "mean", "sd")

    def __init__(
        self, beta: Floats, common: Floats, laws: Mapping[int, Shrinkage], shares: Floats
    ) -> None:
        self._beta, self._common, self._laws = beta, common, laws
        self.mean, square = np.zeros(beta.size), np.zeros(beta.size)
        for share, law in zip(shares.tolist(), laws.values(), strict=True):
            mean, variance = self._moments(law)
            self.mean += share * mean
            square += share * (variance + mean**2)
        self.sd = np.sqrt(np.maximum(square - self.mean**2, 0.0))

    def _moments(self, law: Shrinkage) -> tuple[Floats, Floats]:
        """(m,) means and variances under one spread of truth."""
        beta, common = self._beta, self._common
        inner = np.eye(common.shape[1]) + common.T @ (law.told[:, None] * common)
        factor = cho_factor(inner, check_finite=False)
        shared = cho_solve(factor, common.T @ (law.pulled * beta), check_finite=False)
        doubt = np.einsum("ig,gi->i", common, cho_solve(factor, common.T, check_finite=False))
        scales = beta**2 * (law.kept_square - law.kept**2)
        mean = law.kept * beta - law.moved * (common @ shared)
        return mean, law.left + scales + law.moved**2 * doubt

    def choose(self, groups: Sequence[Ints], kept: Sequence[int], first: Ints) -> Ints:
        """Who is drawn, in order: whoever has a chance to be the best of a group, and copies.

        Parameters
        ----------
        groups : indices, each beginning with the one who was picked, who is drawn in any case.
        kept : who else is drawn in any case.
        first : (m,) the first of the players who share a truth with each.
        """
        drawn = np.zeros(self.mean.size, np.bool_)
        drawn[list(kept)] = True
        for members in groups:
            drawn[members] |= have_a_chance(self.mean[members], self.sd[members])
            drawn[members[0]] = True
        return np.flatnonzero(np.isin(first, first[drawn]))

    def draw(
        self,
        drawn: Ints,
        first: Ints,
        chosen: Ints,
        scales: Sequence[tuple[Floats, Floats]],
        draws: int,
        rng: np.random.Generator,
    ) -> tuple[Floats, Floats]:
        """(d, c) true ratings of those who are drawn, and (d,) what the others add up to.

        Parameters
        ----------
        drawn : (c,) who is drawn.
        first : (m,) the first of the players who share a truth with each.
        chosen : (picks,) the laws that draws go by, by their names.
        scales : for each of them (c,) variances of truth and of noise.
        draws : how many in all.
        rng : source of the random numbers.
        """
        names = list(self._laws)
        rest = self._without(drawn, first).at(np.searchsorted(names, chosen))
        beta, common = self._beta[drawn], self._common[drawn]
        parts = np.array_split(np.arange(draws), chosen.size)
        step = max(1, BLOCK // (drawn.size * (common.shape[1] + parts[0].size)))
        found, total = np.empty((draws, drawn.size)), np.empty(draws)
        for begin in range(0, chosen.size, step):
            some = np.arange(begin, min(begin + step, chosen.size))
            spread, error = (
                np.array(side) for side in zip(*(scales[k] for k in some), strict=True)
            )
            law = _Common(spread, error, common, rest.at(some))
            own, others = law.draw(beta, rng, parts[begin].size)
            for pick in some.tolist():
                found[parts[pick]] = own[pick - begin, :, : parts[pick].size].T
                total[parts[pick]] = others[pick - begin, : parts[pick].size]
        return found, total

    def _without(self, drawn: Ints, first: Ints) -> Rest:
        """Those who are not drawn.

        Of those who share a truth the first counts as often as they are many.
        """
        others = np.delete(np.arange(self.mean.size), drawn)
        times = np.bincount(first, minlength=self.mean.size)[others].astype(np.float64)
        beta, common = self._beta[others], self._common[others]
        laws = list(self._laws.values())
        told, pulled, kept, moved, left = (
            np.array([getattr(law, name)[others] for law in laws])
            for name in ("told", "pulled", "kept", "moved", "left")
        )
        return Rest(
            information=np.array([common.T @ (own[:, None] * common) for own in told]),
            pull=(pulled * beta) @ common,
            total=kept @ (times * beta),
            slope=(times * moved) @ common,
            spread=np.sqrt(left @ times**2),
        )


class _Common:
    """Truths given ratings, through what these have in common, for several picks at once.

    What all have in common is normal given the ratings, with the inverse of an information; given
    that, players do not depend on each other.
    """

    __slots__ = ("_inner", "_kept", "_left", "_moved", "_pulled", "_rest")

    def __init__(self, truth: Floats, error: Floats, common: Floats, rest: Rest) -> None:
        alone = np.maximum(1.0 - np.einsum("ig,ig->i", common, common), 0.0)
        own, root = error * alone, np.sqrt(error)[:, :, None] * common
        self._rest = rest
        self._kept = truth / (truth + own)
        self._left = np.sqrt(self._kept * own)
        self._moved = self._kept[:, :, None] * root
        self._pulled = (root / (truth + own)[:, :, None]).transpose(0, 2, 1)
        self._inner = np.eye(common.shape[1]) + self._pulled @ root + rest.information

    def draw(self, beta: Floats, rng: np.random.Generator, size: int) -> tuple[Floats, Floats]:
        """(p, c, size) truths, and (p, size) what those of the others add up to."""
        rest, (picks, players) = self._rest, self._kept.shape
        told = self._pulled @ beta + rest.pull
        shared = np.linalg.solve(self._inner, told[:, :, None])
        # Cholesky's factor L of the information gives L⁻ᵀ, by which normal numbers vary as they do.
        factor = np.linalg.cholesky(self._inner).transpose(0, 2, 1)
        shared = shared + np.linalg.solve(factor, rng.standard_normal((*told.shape, size)))
        own = self._left[:, :, None] * rng.standard_normal((picks, players, size))
        own += (self._kept * beta)[:, :, None] - self._moved @ shared
        others = rest.spread[:, None] * rng.standard_normal((picks, size)) + rest.total[:, None]
        return own, others - (rest.slope[:, None, :] @ shared)[:, 0]


# Who has a chance ---------------------------------------------------------------------------------


def have_a_chance(mean: Floats, sd: Floats) -> Bools:
    """(k,) whether players may be the best: all but those with the smallest chances.

    These have no more than `LEFT_OUT` together.

    >>> have_a_chance(np.array([2.0, 1.9, -3.0]), np.array([0.5, 0.5, 0.5])).tolist()
    [True, True, False]
    """
    chances = estimate_chances(mean, sd)
    ordered = np.sort(chances)
    least = ordered[np.searchsorted(np.cumsum(ordered), LEFT_OUT)]
    return np.asarray(at_least(chances, least), np.bool_)


def estimate_chances(mean: Floats, sd: Floats) -> Floats:
    """(k,) how likely each of independent normal numbers is the highest.

    It lies between two of some values; how likely the others are below it is taken as the mean of
    what it is at the two.

    >>> estimate_chances(np.array([0.0, 0.0]), np.array([1.0, 3.0])).round(3).tolist()
    [0.5, 0.5]
    """
    # A law without spread has all of it in one place.
    sd = np.maximum(sd, EQUAL)
    # The highest lies nowhere below what one of them is nearly sure to reach.
    low, high = float((mean - NEARLY * sd).max()), float((mean + NEARLY * sd).max())
    able = mean + FAR * sd > low
    edges = np.linspace(low, high, EDGES)[:, None]
    below = ndtr((edges - mean[able]) / sd[able])
    below = np.concatenate([below, np.ones((1, below.shape[1]))])
    logs = np.log(np.maximum(below, np.finfo(np.float64).tiny))
    others = np.exp(logs.sum(axis=1, keepdims=True) - logs)
    chances = np.zeros(mean.size)
    chances[able] = 0.5 * (np.diff(below, axis=0) * (others[1:] + others[:-1])).sum(axis=0)
    return chances
