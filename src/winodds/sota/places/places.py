"""Which places of a board luck could have swapped: prizes, zones, and ranges of places."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.language.errors import BadOption
from winodds.sota.entries import Entries, Items
from winodds.sota.field.best import Best
from winodds.sota.places.answer import Placed, Places, Prize, Under, Zone
from winodds.sota.places.pairs import Beaten, Counted, Modelled, Pairs, first_break


@dataclass(frozen=True, slots=True)
class Ordered:
    """Entries that count, in decreasing order of scores; names where they are known."""

    scores: Floats
    names: tuple[str, ...] | None

    @classmethod
    def of(cls, entries: Entries, kept: Bools) -> "Ordered":
        scores = entries.scores[kept]
        order = np.argsort(-scores, kind="stable")
        if entries.names is None:
            return cls(scores[order], None)
        names = np.array(entries.names, object)[kept][order]
        return cls(scores[order], tuple(names.tolist()))

    def items(self, table: Items | None, n: int | None) -> Counted | None:
        """Who was right on which case, if that is known of all entries and all their cases."""
        if table is None or table.names is None or self.names is None or table.dropped:
            return None
        row = {name: k for k, name in enumerate(table.names)}
        known = all(name in row for name in self.names)
        unique = len({*self.names}) == len(self.names) and len(row) == len(table.names)
        if not known or not unique or table.right.shape[1] != n:
            return None
        return Counted(table.right[[row[name] for name in self.names]])


def find_places(
    ordered: Ordered,
    pairs: Pairs,
    others: Sequence[tuple[float, Modelled]],
    *,
    prizes: int,
    zones: bool,
    level: float,
    correlation: float,
    best: Best | None,
) -> Places:
    """Whose the first places could be, and with ``zones`` which of all entries are told apart.

    Parameters
    ----------
    ordered : two or more entries.
    pairs : who is better than whom.
    others : the same under other correlations.
    prizes : how many places matter.
    level : probability that no claim is wrong.
    best : how likely each is the best; nobody is denied a first place that may well be theirs.
    """
    size = ordered.scores.size
    if prizes >= size:
        wanted = f"it is less than the number of entries, {size:,}"
        raise BadOption(option="prizes", value=prizes, wanted=wanted)
    claimed = size if zones else prizes
    beaten = pairs.beaten(claimed, level)
    by = _never_denied(beaten.by, ordered.scores, best, level)
    return Places(
        level=level,
        items=isinstance(pairs, Counted),
        correlation=correlation,
        entries=size,
        prizes=tuple(_prize(ordered, by, k + 1) for k in range(prizes)),
        zones=_zones(ordered.scores, beaten) if zones else None,
        ranges=_ranges(ordered, by, beaten) if zones else None,
        pairs=size * (size - 1) // 2,
        apart=int(beaten.of.sum()) if zones else None,
        under=_under([(correlation, by), *_of_others(others, claimed, level)], prizes),
    )


def _of_others(
    others: Sequence[tuple[float, Modelled]], claimed: int, level: float
) -> list[tuple[float, Ints]]:
    return [(value, pairs.beaten(claimed, level).by) for value, pairs in others]


def _under(found: Sequence[tuple[float, Ints]], prizes: int) -> tuple[Under, ...]:
    """How many could have a prize, by correlation; nothing to compare with only one."""
    if len(found) < 2:
        return ()
    sizes = [Under(value, int((by < 1).sum()), int((by < prizes).sum())) for value, by in found]
    return tuple(sorted(sizes, key=lambda one: one.correlation))


def _never_denied(by: Ints, scores: Floats, best: Best | None, level: float) -> Ints:
    """How many are better, but none for those who together may be the best with the level."""
    if best is None:
        return by
    chance = np.interp(scores, best.scores, best.p_best)
    before = np.cumsum(chance) - chance
    likely = before < level
    # Entries with equal scores have equal rights.
    likely |= scores >= scores[likely].min()
    return np.where(likely, 0, by)


def _prize(ordered: Ordered, by: Ints, places: int) -> Prize:
    could = np.flatnonzero(by < places)
    names = None if ordered.names is None else tuple(ordered.names[k] for k in could)
    return Prize(places, int(could.size), float(ordered.scores[could].min()), names)


def _zones(scores: Floats, beaten: Beaten) -> tuple[Zone, ...]:
    end = first_break(beaten.first)
    longest = np.diff(end, prepend=-1) > 0
    return tuple(
        Zone(k + 1, int(end[k]), float(scores[k]), float(scores[end[k] - 1]))
        for k in np.flatnonzero(longest).tolist()
    )


def _ranges(ordered: Ordered, by: Ints, beaten: Beaten) -> tuple[Placed, ...]:
    scores, size = ordered.scores, ordered.scores.size
    rank = np.searchsorted(-scores, -scores, side="left") + 1
    return tuple(
        Placed(
            None if ordered.names is None else ordered.names[k] or None,
            float(scores[k]),
            int(rank[k]),
            int(by[k]) + 1,
            size - int(beaten.of[k]),
        )
        for k in range(size)
    )
