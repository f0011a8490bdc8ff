"""Which players are told apart → groups that are not, and the letters that show them.

Two players share a letter exactly when they are not told apart (Piepho 2004, "An algorithm for a
letter-based representation of all-pairwise comparisons"). Errors differ between players, so the
first and the third may be told apart where the first and the fourth are not: groups are runs of
neighbours for the most part, not always.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from winodds.arrays import Bools, Ints


def find_alike(apart: Bools) -> list[Ints]:
    """Groups of players none of whom are told apart, that cover all pairs who are not.

    Any two players who are not apart share a group, every player is in a group, no group could
    take in a further player, and none can be left out. There may be a cover by fewer groups; to
    find the fewest is not feasible.

    Parameters
    ----------
    apart : (m, m) whether two players, ordered from best to worst, are told apart; symmetric.

    Returns
    -------
    Members of each group in ascending order; groups sorted by their first, then last member.

    Examples
    --------
    >>> apart = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> [group.tolist() for group in find_alike(apart)]
    [[0, 1], [1, 2]]
    """
    rows = _pack(~apart)
    groups = [_grow(range(begin, end), rows) for begin, end in _find_runs(apart)]
    groups += _cover_rest(groups, rows)
    members = [sorted(group.members) for group in _drop_redundant(groups, len(rows))]
    members.sort(key=lambda own: (own[0], own[-1], own))
    return [np.array(own, np.int64) for own in members]


@dataclass(frozen=True, slots=True)
class _Group:
    """Players of a group, also as the bits of a number, which makes sets of them quick."""

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


def _grow(seed: Sequence[int], rows: list[int]) -> _Group:
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
    return _Group(members, bits)


def _cover_rest(groups: list[_Group], rows: list[int]) -> list[_Group]:
    """Further groups for the pairs that the groups lack, from the best on, the nearest first."""
    cover, further = _cover(groups, len(rows)), []
    for player, row in enumerate(rows):
        while left := row & ~cover[player]:
            group = _grow([player, (left & -left).bit_length() - 1], rows)
            _extend(cover, group)
            further.append(group)
    return further


def _drop_redundant(groups: list[_Group], players: int) -> list[_Group]:
    """Groups without those whose pairs are all in other groups, the smallest first."""
    # Leaving a group out never makes another one redundant, so only these need a second look.
    kept, doubted = _doubt(groups, players)
    cover = _cover(kept, players)
    doubted.sort(key=lambda group: len(group.members), reverse=True)
    while doubted:
        group = doubted.pop()
        if _adds_to(cover, group, doubted):
            kept.append(group)
            _extend(cover, group)
    return kept


def _cover(groups: list[_Group], players: int) -> list[int]:
    """(m,) for each player those who share a group with them, as bits."""
    cover = [0] * players
    for group in groups:
        _extend(cover, group)
    return cover


def _extend(cover: list[int], group: _Group) -> None:
    for member in group.members:
        cover[member] |= group.bits


def _doubt(groups: list[_Group], players: int) -> tuple[list[_Group], list[_Group]]:
    """Groups with a pair that is in no other group, and those without."""
    once, twice = [0] * players, [0] * players
    for group in groups:
        for member in group.members:
            twice[member] |= once[member] & group.bits
            once[member] |= group.bits
    sure: list[_Group] = []
    doubted: list[_Group] = []
    for group in groups:
        own = any(group.bits & ~twice[member] for member in group.members)
        (sure if own else doubted).append(group)
    return sure, doubted


def _adds_to(cover: list[int], group: _Group, others: list[_Group]) -> bool:
    """Whether the group has a pair that neither the cover nor any of the others has."""
    for member in group.members:
        missing = group.bits & ~cover[member]
        for other in others:
            if not missing:
                break
            if other.bits >> member & 1:
                missing &= ~other.bits
        if missing:
            return True
    return False


def assign_letters(groups: list[Ints], players: int) -> list[str]:
    """(m,) letters of the groups that each player is in; numbers when letters do not suffice.

    Examples
    --------
    >>> assign_letters([np.array([0, 1]), np.array([1, 2])], 3)
    ['a', 'ab', 'b']
    """
    numbers: list[list[int]] = [[] for _ in range(players)]
    for number, group in enumerate(groups):
        for player in group.tolist():
            numbers[player].append(number)
    if len(groups) <= len(ascii_lowercase):
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
