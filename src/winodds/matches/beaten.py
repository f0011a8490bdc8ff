"""Where each score stands among the scores it met, by sorting.

A stretch is a run of scores that met each other: a round, or a whole tournament for matches across
rounds. Stretches lie one after the other; ``start`` (K + 1,) says where each begins.
"""

import numpy as np

from winodds.arrays import Bools, Floats, Ints


def sort_stretches(value: Floats, start: Ints, *, equal_sizes: bool) -> Ints:
    """(S,) order that sorts the scores inside each stretch ``start[k]:start[k + 1]``."""
    stretches = start.size - 1
    if equal_sizes:
        order = np.argsort(value.reshape(stretches, -1), axis=1)
        order += start[:-1, None]
        return order.ravel()
    return np.lexsort((value, np.repeat(np.arange(stretches), np.diff(start))))


def standing(value: Floats, start: Ints, order: Ints, tolerance: float) -> tuple[Ints, Ints]:
    """(S,) how many scores of its stretch each score beats, and how many beat it."""
    ordered = value[order]
    sizes = np.diff(start)
    beaten, beaten_by = np.empty(value.size, np.int64), np.empty(value.size, np.int64)
    if tolerance > 0.0:
        below, above = _tolerant_standing(ordered, start, tolerance)
    else:
        below, above = _strict_standing(ordered, start)
    begin, end = np.repeat(start[:-1], sizes), np.repeat(start[1:], sizes)
    beaten[order] = below - begin
    beaten_by[order] = end - above
    return beaten, beaten_by


def _strict_standing(ordered: Floats, start: Ints) -> tuple[Ints, Ints]:
    """For sorted scores: where those equal to each begin and where they end."""
    position = np.arange(ordered.size)
    fresh = np.empty(ordered.size, np.bool_)
    fresh[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    fresh[start[:-1]] = True
    if fresh.all():
        return position, position + 1
    firsts = np.flatnonzero(fresh)
    run = np.cumsum(fresh) - 1
    lasts = np.append(firsts[1:], ordered.size)
    return firsts[run], lasts[run]


def _tolerant_standing(ordered: Floats, start: Ints, tolerance: float) -> tuple[Ints, Ints]:
    """The same when scores up to ``tolerance`` apart are equal, for each score on its own."""
    below, above = np.empty(ordered.size, np.int64), np.empty(ordered.size, np.int64)
    limit = threshold(ordered, tolerance)
    for begin, end in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
        part = slice(begin, end)
        below[part] = begin + np.searchsorted(ordered[part], limit[part], side="left")
        above[part] = begin + np.searchsorted(limit[part], ordered[part], side="right")
    return below, above


def threshold(value: Floats, tolerance: float) -> Floats:
    """What a score must exceed another by: scores below the threshold are beaten.

    There is room for the rounding of decimal scores, of which 0.80 − 0.79 is not quite 0.01.
    """
    with np.errstate(over="ignore"):
        limit: Floats = value - tolerance
    if tolerance > 0.0:
        scale = np.where(np.isfinite(value), np.abs(value), 0.0)
        limit -= 4.0 * np.finfo(np.float64).eps * scale
    return limit


def count_flags(flags: Bools, start: Ints) -> Ints:
    """How many flags are set in each stretch."""
    running = np.concatenate([[0], np.cumsum(flags)])
    total: Ints = running[start[1:]] - running[start[:-1]]
    return total
