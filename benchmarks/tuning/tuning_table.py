"""What ways to search cost and chose, in tables, with intervals over data sets."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pools import Pool
from scipy import stats

Floats = NDArray[np.float64]

FULL = "full search"
HALVING = "HalvingRandomSearchCV"
OURS = ("park, first 3", "park, first 2")


@dataclass(frozen=True)
class Result:
    """One search: the setting that was chosen, and shares of the full search's fits and seconds."""

    pool: str
    search: int
    way: str
    choice: int
    fits: float | None
    seconds: float


Choices = dict[tuple[str, int], Result]


def print_tables(pools: Sequence[Pool], results: Sequence[Result]) -> None:
    """Costs and choices of every way, then races of ours against each other way."""
    by_way: dict[str, Choices] = defaultdict(dict)
    for one in results:
        by_way[one.way][one.pool, one.search] = one
    held = {pool.name: pool for pool in pools}
    sets = len({pool.data_set for pool in pools})
    print(f"{sets} data sets, {len(pools)} pools; means over data sets, with 95% intervals")
    print(f"{'':26}searches   fits  (most)  seconds   P(beats full's choice)   lost    same")
    for way, own in by_way.items():
        print(_row(way, own, by_way[FULL], held))
    for ours in (way for way in OURS if way in by_way):
        print(f"\n{ours}, head to head on fresh splits")
        for way, own in by_way.items():
            if way not in (ours, FULL):
                versus = _over_sets(by_way[ours], own, held, _beats)
                cost = _over_sets(by_way[ours], own, held, _seconds_ratio)
                print(f"  {way:26}{_spell(versus)}   seconds × {cost.mean():.2f}")


def _row(way: str, own: Choices, full: Choices, held: dict[str, Pool]) -> str:
    beats = _spell(_over_sets(own, full, held, _beats))
    lost = _over_sets(own, full, held, _lost).mean()
    same = np.mean([own[key].choice == full[key].choice for key in own if key in full])
    fits = [one.fits for one in own.values() if one.fits is not None]
    most = _highest(own)
    paid = f"{np.mean(fits):.3f}  {most:5.3f}" if fits else "          –"
    seconds = np.mean([one.seconds for one in own.values()])
    return f"{way:26}{len(own):8}  {paid:>13}   {seconds:.3f}   {beats:24} {lost:7.4f}   {same:.2f}"


def _highest(own: Choices) -> float:
    """The largest mean share of fits of a data set × algorithm."""
    parts: dict[str, list[float]] = defaultdict(list)
    for (pool, _), one in own.items():
        if one.fits is not None:
            parts[pool.rsplit("-", 1)[0]].append(one.fits)
    return max((float(np.mean(values)) for values in parts.values()), default=np.nan)


Measure = Callable[[Floats, Result, Result], float]


def _over_sets(one: Choices, other: Choices, held: dict[str, Pool], measure: Measure) -> Floats:
    """Means by data set of what two ways give on the same searches."""
    parts: dict[str, list[float]] = defaultdict(list)
    for key in one.keys() & other.keys():
        pool = held[key[0]]
        parts[pool.data_set].append(measure(pool.part(key[1])[2], one[key], other[key]))
    return np.array([np.mean(parts[name]) for name in sorted(parts)])


def _beats(fresh: Floats, one: Result, other: Result) -> float:
    """Share of the fresh splits that one choice wins against another, ties half."""
    difference = fresh[one.choice] - fresh[other.choice]
    return float((np.sign(difference).mean() + 1.0) / 2.0)


def _lost(fresh: Floats, one: Result, other: Result) -> float:
    return float((fresh[other.choice] - fresh[one.choice]).mean())


def _seconds_ratio(_: Floats, one: Result, other: Result) -> float:
    return one.seconds / other.seconds


def _spell(values: Floats) -> str:
    """Mean over data sets, with a t interval."""
    if values.size < 2:
        return f"{values.mean():.3f}"
    half = stats.t.ppf(0.975, values.size - 1) * values.std(ddof=1) / np.sqrt(values.size)
    return f"{values.mean():.3f} [{values.mean() - half:.3f}, {values.mean() + half:.3f}]"
