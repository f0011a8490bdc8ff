"""How far luck moves entries between two boards.

If all cases come from one pool and chance decides which of them are public, the two scores of an
entry differ by luck around what all cases together say of it. Given those pooled scores the split
has a law of its own, whatever the true performances are: no estimate of them is needed. What all
entries share moves nobody's place, so only the part of luck that is an entry's own counts.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from winodds.arrays import Floats, Ints
from winodds.sota.answer import Expected

SPLITS = 400
"""Simulated splits."""

AT_ONCE = 2_000_000
"""Scores of splits that are ranked at once."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """Entries on both boards together, in increasing order of the pooled score.

    Attributes
    ----------
    score : (m,) pooled.
    public, private : (m,) as seen.
    share : weight of the public score in the pooled one.
    sizes : cases of both test sets, if scores are shares of these, else None.
    units : of the last decimals of both boards, if scores were cut off; 0 for scores as they are.
    """

    score: Floats
    public: Floats
    private: Floats
    share: float
    sizes: tuple[int, int] | None
    units: tuple[float, float] = (0.0, 0.0)

    @property
    def change(self) -> Floats:
        """(m,) private score minus public score."""
        return self.private - self.public


@dataclass(frozen=True, slots=True)
class Shaken:
    """What happened to the places of entries in d splits.

    Attributes
    ----------
    moved : (d,) mean places that entries moved.
    kept : (d,) entries among the first places of both boards.
    rank : (d,) of the public leader on the private board, a mean where several lead.
    """

    moved: Floats
    kept: Ints
    rank: Floats


def pool(
    public: Floats,
    private: Floats,
    share: float,
    sizes: tuple[int, int] | None = None,
    units: tuple[float, float] = (0.0, 0.0),
) -> Pooled:
    """Both boards together; equal entries are interchangeable, so the order of rows is not seen."""
    score = share * public + (1.0 - share) * private
    order = np.lexsort((public, score))
    return Pooled(score[order], public[order], private[order], share, sizes, units)


def shake(public: Floats, private: Floats, places: int) -> Shaken:
    """What became of places between public scores (d, m) and private ones."""
    before, after = rankdata(-public, axis=1), rankdata(-private, axis=1)
    # Of entries with equal scores, all have the best of their places here.
    first = rankdata(-public, method="min", axis=1)
    second = rankdata(-private, method="min", axis=1)
    leads = first == 1.0
    return Shaken(
        moved=np.abs(after - before).mean(axis=1),
        kept=((first <= places) & (second <= places)).sum(axis=1),
        rank=(leads * second).sum(axis=1) / leads.sum(axis=1),
    )


def split_by_chance(pooled: Pooled, own: Floats, places: int, seed: int) -> Shaken:
    """What becomes of places when chance decides which cases are public.

    Parameters
    ----------
    pooled : both boards together.
    own : (m,) standard deviation of an entry's change by luck of its own.
    places : that are looked at.
    """
    rng = np.random.default_rng(seed)
    rows = max(AT_ONCE // own.size, 1)
    found = []
    for start in range(0, SPLITS, rows):
        luck = own * rng.standard_normal((min(rows, SPLITS - start), own.size))
        public, private = _split(pooled, luck)
        here, there = pooled.units
        found.append(shake(_printed(public, here), _printed(private, there), places))
    return Shaken(
        moved=np.concatenate([one.moved for one in found]),
        kept=np.concatenate([one.kept for one in found]),
        rank=np.concatenate([one.rank for one in found]),
    )


def _split(pooled: Pooled, luck: Floats) -> tuple[Floats, Floats]:
    """Public and private scores (d, m) with the same pooled ones, and changes by this luck."""
    change = float(pooled.change.mean()) + luck
    public = pooled.score - (1.0 - pooled.share) * change
    if pooled.sizes is None:
        return public, public + change
    many, more = pooled.sizes
    right = np.round(pooled.public * many) + np.round(pooled.private * more)
    low, high = np.maximum(right - more, 0.0), np.minimum(right, many)
    counted = np.clip(np.round(public * many), low, high)
    return counted / many, (right - counted) / more


def _printed(scores: Floats, unit: float) -> Floats:
    """Scores with as few decimals as the board had, so that as many are equal."""
    return np.floor(scores / unit + 1e-9) * unit if unit else scores


def expected(values: Floats, level: float, *, median: bool = False) -> Expected:
    """Mean or median of simulated values, and the interval that holds them."""
    tail = 0.5 * (1.0 - level)
    low, middle, high = np.quantile(values, [tail, 0.5, 1.0 - tail]).tolist()
    return Expected(middle if median else float(np.mean(values)), low, high)
