"""Whether runs list their folds in order: the runs themselves say it, one request each."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from winodds.adapters.openml.notes import folds_in_order, folds_out_of_order
from winodds.language.notes import Note

CLOSE = 1e-6
"""How far two printed forms of a value may differ, as a part of it."""


@dataclass(frozen=True, slots=True)
class FoldCheck:
    """What asking some runs gave.

    Attributes
    ----------
    mended : the values of runs that had them in another order, in order.
    different : runs whose own values are not those of the list.
    checked : how many runs told their folds.
    """

    mended: dict[int, list[float | None]]
    different: list[int]
    checked: int

    def notes(self, runs: int) -> list[Note]:
        """What readers of all the runs should know."""
        if not self.checked:
            return []
        if not self.mended and not self.different:
            return [folds_in_order(self.checked, runs)]
        return [folds_out_of_order(self.checked, runs, [*self.mended], self.different)]


def check_folds(
    listed: Mapping[int, Sequence[float | None]], asked: int, ask: Callable[[int], Sequence[float]]
) -> FoldCheck:
    """Ask some of the runs, evenly spread, for their folds.

    Parameters
    ----------
    listed : the values of each run as they were listed.
    asked : how many runs are asked at most.
    ask : the values of a run in the order of its folds; none if it does not tell.

    >>> check_folds({7: [0.1, 0.2]}, 1, lambda run: [0.2, 0.1]).mended
    {7: [0.2, 0.1]}
    """
    mended: dict[int, list[float | None]] = {}
    different, checked = [], 0
    for run in spread_evenly(sorted(listed), asked):
        own, values = ask(run), [math.nan if it is None else it for it in listed[run]]
        if not own:
            continue
        checked += 1
        if _same(own, values):
            continue
        if _same(sorted(own), sorted(values)):
            mended[run] = [*own]
        else:
            different.append(run)
    return FoldCheck(mended, different, checked)


def spread_evenly(runs: Sequence[int], number: int) -> list[int]:
    """Some of the runs, evenly spread.

    >>> spread_evenly([1, 2, 3, 4, 5, 6], 3)
    [1, 3, 5]
    """
    chosen = min(number, len(runs))
    return [runs[place * len(runs) // chosen] for place in range(chosen)]


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(
        math.isclose(left, right, rel_tol=CLOSE, abs_tol=1e-12)
        for left, right in zip(one, other, strict=True)
    )
