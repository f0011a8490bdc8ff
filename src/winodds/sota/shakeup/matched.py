"""Entries of two boards, matched by their names."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats
from winodds.sota.entries import Entries
from winodds.sota.errors import NamesNeeded, TooFewMatched

FEWEST = 3
"""Entries on both boards, at least; of fewer, places tell nothing."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Entries that are on both boards.

    Attributes
    ----------
    names : (m,) theirs.
    public, private : (m,) their scores; more is better.
    only_public, only_private : names on one board only, in its order.
    ambiguous : names that several entries of a board share, or none has.
    """

    names: tuple[str, ...]
    public: Floats
    private: Floats
    only_public: tuple[str, ...]
    only_private: tuple[str, ...]
    ambiguous: tuple[str, ...]


def match(public: Entries, private: Entries) -> Matched:
    """Who is on both boards; names that several entries share are nobody's."""
    for which, entries in (("public", public), ("private", private)):
        if entries.names is None:
            raise NamesNeeded(board=which)
    first, second = _scores(public), _scores(private)
    shared = _shared(public) | _shared(private)
    both = [name for name in first if name in second and name not in shared]
    if len(both) < FEWEST:
        raise TooFewMatched(
            matched=len(both),
            public=len(first),
            private=len(second),
            example=next(iter(first), ""),
            other=next(iter(second), ""),
        )
    return Matched(
        names=tuple(both),
        public=np.array([first[name] for name in both]),
        private=np.array([second[name] for name in both]),
        only_public=tuple(name for name in first if name not in second),
        only_private=tuple(name for name in second if name not in first),
        ambiguous=tuple(sorted(shared)),
    )


def _scores(entries: Entries) -> dict[str, float]:
    named = zip(entries.names or (), entries.scores.tolist(), strict=True)
    return {name: score for name, score in named if name}


def _shared(entries: Entries) -> set[str]:
    counted = Counter(name for name in entries.names or () if name)
    return {name for name, often in counted.items() if often > 1}
