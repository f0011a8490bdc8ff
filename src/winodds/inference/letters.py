"""Which players are told apart → sets who are not, and the letters that show them.

Two players share a letter exactly when they are not told apart (Piepho 2004, "An algorithm for a
letter-based representation of all-pairwise comparisons"). Errors differ between players, so the
first and the third may be told apart where the first and the fourth are not: sets are runs of
neighbours for the most part, not always. In the graph that links players who are not told apart
they are cliques.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from winodds.arrays import Bools, Ints


def find_alike(apart: Bools) -> list[Ints]:
    """Sets of players none of whom are told apart, that cover all pairs who are not.

    Any two players who are not apart share a set, every player is in a set, no set could take in a
    further player, and none can be left out. There may be a cover by fewer sets; to find the
    fewest is not feasible.

    Parameters
    ----------
    apart : (m, m) whether two players, ordered from best to worst, are told apart; symmetric.

    Returns
    -------
    Members of each set in ascending order; sets sorted by their first, then last member.

    Examples
    --------
    >>> apart = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> [alike.tolist() for alike in find_alike(apart)]
    [[0, 1], [1, 2]]
    """
    rows = _pack(~apart)
    cliques = [_grow(range(begin, end), rows) for begin, end in _find_runs(apart)]
    cliques += _cover_rest(cliques, rows)
    members = [sorted(clique.members) for clique in _drop_redundant(cliques, len(rows))]
    members.sort(key=lambda own: (own[0], own[-1], own))
    return [np.array(own, np.int64) for own in members]


@dataclass(frozen=True, slots=True)
class _Clique:
    """Players of a clique, also as the bits of a number, which makes sets of them quick."""

    members: list[int]
    bits: int


def _pack(together: Bools) -> list[int]:
    """(m,) for each player those who are not told apart from them, themselves too, as bits."""
    packed = np.packbits(together, axis=1, bitorder="little")
    rows = [int.from_bytes(row.tobytes(), "little") for row in packed]
    return [row | 1 << player for player, row in enumerate(rows)]


def _find_runs(apart: Bools) -> list[tuple[int, int]]:
    """Maximal runs of neighbours none of whom are told apart, as begin and end."""
    later = np.triu(apart, 1)
    stop = np.where(later.any(axis=1), later.argmax(axis=1), apart.shape[0])
    ends = np.minimum.accumulate(stop[::-1])[::-1]
    fresh = np.concatenate([[True], ends[1:] > ends[:-1]])
    return [(int(begin), int(ends[begin])) for begin in np.flatnonzero(fresh)]


def _grow(seed: Sequence[int], rows: list[int]) -> _Clique:
    """The seed and all who fit in: the nearest after its first member, then the nearest before."""
    members, bits, fitting = list(seed), 0, -1
    for member in members:
        bits |= 1 << member
        fitting &= rows[member]
    fitting &= ~bits
    before = (1 << seed[0]) - 1
    while fitting:
        after = fitting & ~before
        nearest = (after & -after if after else fitting).bit_length() - 1
        members.append(nearest)
        bits |= 1 << nearest
        fitting &= rows[nearest] & ~(1 << nearest)
    return _Clique(members, bits)


def _cover_rest(cliques: list[_Clique], rows: list[int]) -> list[_Clique]:
    """Further cliques for the pairs that the cliques lack, from the best on, the nearest first."""
    cover, further = _cover(cliques, len(rows)), []
    for player, row in enumerate(rows):
        while left := row & ~cover[player]:
            clique = _grow([player, (left & -left).bit_length() - 1], rows)
            _extend(cover, clique)
            further.append(clique)
    return further


def _drop_redundant(cliques: list[_Clique], players: int) -> list[_Clique]:
    """Cliques without those whose pairs are all in other cliques, the smallest first."""
    # Leaving a clique out never makes another one redundant, so only these need a second look.
    kept, doubted = _doubt(cliques, players)
    cover = _cover(kept, players)
    doubted.sort(key=lambda clique: len(clique.members), reverse=True)
    while doubted:
        clique = doubted.pop()
        if _adds_to(cover, clique, doubted):
            kept.append(clique)
            _extend(cover, clique)
    return kept


def _cover(cliques: list[_Clique], players: int) -> list[int]:
    """(m,) for each player those who share a clique with them, as bits."""
    cover = [0] * players
    for clique in cliques:
        _extend(cover, clique)
    return cover


def _extend(cover: list[int], clique: _Clique) -> None:
    for member in clique.members:
        cover[member] |= clique.bits


def _doubt(cliques: list[_Clique], players: int) -> tuple[list[_Clique], list[_Clique]]:
    """Cliques with a pair that is in no other clique, and those without."""
    once, twice = [0] * players, [0] * players
    for clique in cliques:
        for member in clique.members:
            twice[member] |= once[member] & clique.bits
            once[member] |= clique.bits
    sure: list[_Clique] = []
    doubted: list[_Clique] = []
    for clique in cliques:
        own = any(clique.bits & ~twice[member] for member in clique.members)
        (sure if own else doubted).append(clique)
    return sure, doubted


def _adds_to(cover: list[int], clique: _Clique, others: list[_Clique]) -> bool:
    """Whether the clique has a pair that neither the cover nor any of the others has."""
    for member in clique.members:
        missing = clique.bits & ~cover[member]
        for other in others:
            if not missing:
                break
            if other.bits >> member & 1:
                missing &= ~other.bits
        if missing:
            return True
    return False


def assign_letters(sets: list[Ints], players: int) -> list[str]:
    """(m,) letters of the sets that each player is in; numbers when letters do not suffice.

    Examples
    --------
    >>> assign_letters([np.array([0, 1]), np.array([1, 2])], 3)
    ['a', 'ab', 'b']
    """
    numbers: list[list[int]] = [[] for _ in range(players)]
    for number, members in enumerate(sets):
        for player in members.tolist():
            numbers[player].append(number)
    if len(sets) <= len(ascii_lowercase):
        return ["".join(ascii_lowercase[number] for number in own) for own in numbers]
    return [_list_ranges(own) for own in numbers]


def _list_ranges(numbers: list[int]) -> str:
    """Ascending numbers counted from 1 instead of 0, as in "1–3,7"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number:
            ranges[-1][1] = number + 1
        else:
            ranges.append([number + 1, number + 1])
    return ",".join(f"{low}" if low == high else f"{low}–{high}" for low, high in ranges)
