"""How far luck moves entries between two boards.

If all cases come from one pool and chance decides which of them are public, the two scores of an
entry differ by luck around what all cases together say of it. Given those pooled scores the split
has a law of its own, whatever the true performances are: no estimate of them is needed. What all
entries share moves nobody's place, so only the part of luck that is an entry's own counts.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from winodds.arrays import Floats
from winodds.sota.answer import Expected

SPLITS = 400
"""Simulated splits."""

FEWEST = 20
"""Entries whose differences begin to tell a correlation."""

QUARTILES = 1.3489795
"""Distance of the quartiles of a normal law, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """Entries on both boards together, in increasing order of the pooled score.

    Attributes
    ----------
    score : (m,) pooled.
    public, private : (m,) as seen.
    share : weight of the public score in the pooled one.
    sizes : cases of both test sets, if scores are shares of these, else None.
    """

    score: Floats
    public: Floats
    private: Floats
    share: float
    sizes: tuple[int, int] | None

    @property
    def change(self) -> Floats:
        """(m,) private score minus public score."""
        return self.private - self.public


@dataclass(frozen=True, slots=True)
class Shaken:
    """What happened to the places of entries, seen or in simulated splits.

    Attributes
    ----------
    moved : mean places that entries moved.
    kept : entries among the first places of both boards.
    rank : of the public leader on the private board.
    """

    moved: float
    kept: int
    rank: float


def pool(
    public: Floats, private: Floats, share: float, sizes: tuple[int, int] | None = None
) -> Pooled:
    """Both boards together; equal entries are interchangeable, so the order of rows is not seen."""
    score = share * public + (1.0 - share) * private
    order = np.lexsort((public, score))
    return Pooled(score[order], public[order], private[order], share, sizes)


def shake(public: Floats, private: Floats, places: int) -> Shaken:
    """What became of places between two boards (m,) and (m,)."""
    before, after = rankdata(-public), rankdata(-private)
    # Of entries with equal scores, all have the best of their places here.
    first, second = rankdata(-public, method="min"), rankdata(-private, method="min")
    return Shaken(
        moved=float(np.abs(after - before).mean()),
        kept=int(((first <= places) & (second <= places)).sum()),
        rank=float(second[public == public.max()].mean()),
    )


def split_by_chance(pooled: Pooled, own: Floats, places: int, seed: int) -> list[Shaken]:
    """What becomes of places when chance decides which cases are public.

    Parameters
    ----------
    pooled : both boards together.
    own : (m,) standard deviation of an entry's change by luck of its own.
    places : that are looked at.
    """
    rng = np.random.default_rng(seed)
    draws = (_split(pooled, own * rng.standard_normal(own.size)) for _ in range(SPLITS))
    return [shake(public, private, places) for public, private in draws]


def _split(pooled: Pooled, luck: Floats) -> tuple[Floats, Floats]:
    """Public and private scores with the same pooled one, and these changes between them."""
    change = float(pooled.change.mean()) + luck
    public = pooled.score - (1.0 - pooled.share) * change
    if pooled.sizes is None:
        return public, public + change
    many, more = pooled.sizes
    right = np.round(pooled.public * many) + np.round(pooled.private * more)
    low, high = np.maximum(right - more, 0.0), np.minimum(right, many)
    counted = np.clip(np.round(public * many), low, high)
    return counted / many, (right - counted) / more


def expected(values: list[float], level: float, *, median: bool = False) -> Expected:
    """Mean or median of simulated values, and the interval that holds them."""
    tail = 0.5 * (1.0 - level)
    low, middle, high = np.quantile(values, [tail, 0.5, 1.0 - tail]).tolist()
    return Expected(middle if median else float(np.mean(values)), low, high)


def luck_seen(pooled: Pooled, independent: Floats) -> float | None:
    """ρ₀ with which luck alone puts the scores of entries so far apart.

    Parameters
    ----------
    independent : (m,) standard deviations of changes, without any correlation.

    Notes
    -----
    By quartiles in the better half of the pooled scores, which say nothing about changes: entries
    that changed by more than luck hardly count.
    """
    half = pooled.score >= np.median(pooled.score)
    known = half & (independent > 0.0)
    if known.sum() < FEWEST:
        return None
    low, high = np.quantile(pooled.change[known] / independent[known], [0.25, 0.75])
    rest = ((high - low) / QUARTILES) ** 2
    return None if rest >= 1.0 else float(np.sqrt(1.0 - rest))
