"""Which players are told apart → letters, shared by those who are not.

Two players share a letter exactly when they are not told apart (Piepho 2004, "An algorithm for a
letter-based representation of all-pairwise comparisons"). Errors differ between players, so the
first and the third may be told apart where the first and the fourth are not: players who share a
letter are neighbours for the most part, not always.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from winodds.arrays import Bools, Ints


def find_alike(apart: Bools) -> list[Ints]:
    """Players who share each letter: none of them are told apart, and all such pairs share one.

    Any two players who are not apart share a letter, every player has one, no letter could take in
    a further player, and none can be left out. Fewer letters might do; to find the fewest is not
    feasible.

    Parameters
    ----------
    apart : (m, m) whether two players, ordered from best to worst, are told apart; symmetric.

    Returns
    -------
    Members of each letter in ascending order; letters sorted by their first, then last member.

    Examples
    --------
    >>> apart = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> [members.tolist() for members in find_alike(apart)]
    [[0, 1], [1, 2]]
    """
    rows = _pack(~apart)
    letters = [_grow(range(begin, end), rows) for begin, end in _find_runs(apart)]
    letters += _cover_rest(letters, rows)
    members = [sorted(letter.members) for letter in _drop_redundant(letters, len(rows))]
    members.sort(key=lambda own: (own[0], own[-1], own))
    return [np.array(own, np.int64) for own in members]


@dataclass(frozen=True, slots=True)
class _Letter:
    """Players who share a letter, also as the bits of a number, which makes sets of them quick."""

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


def _grow(seed: Sequence[int], rows: list[int]) -> _Letter:
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
    return _Letter(members, bits)


def _cover_rest(letters: list[_Letter], rows: list[int]) -> list[_Letter]:
    """Further letters for the pairs that these lack, from the best on, the nearest first."""
    cover, further = _cover(letters, len(rows)), []
    for player, row in enumerate(rows):
        while left := row & ~cover[player]:
            letter = _grow([player, (left & -left).bit_length() - 1], rows)
            _extend(cover, letter)
            further.append(letter)
    return further


def _drop_redundant(letters: list[_Letter], players: int) -> list[_Letter]:
    """Letters without those whose pairs all share another one, the smallest first."""
    # Leaving a letter out never makes another one redundant, so only these need a second look.
    kept, doubted = _doubt(letters, players)
    cover = _cover(kept, players)
    doubted.sort(key=lambda letter: len(letter.members), reverse=True)
    while doubted:
        letter = doubted.pop()
        if _adds_to(cover, letter, doubted):
            kept.append(letter)
            _extend(cover, letter)
    return kept


def _cover(letters: list[_Letter], players: int) -> list[int]:
    """(m,) for each player those who share a letter with them, as bits."""
    cover = [0] * players
    for letter in letters:
        _extend(cover, letter)
    return cover


def _extend(cover: list[int], letter: _Letter) -> None:
    for member in letter.members:
        cover[member] |= letter.bits


def _doubt(letters: list[_Letter], players: int) -> tuple[list[_Letter], list[_Letter]]:
    """Letters with a pair that shares no other one, and those without."""
    once, twice = [0] * players, [0] * players
    for letter in letters:
        for member in letter.members:
            twice[member] |= once[member] & letter.bits
            once[member] |= letter.bits
    sure: list[_Letter] = []
    doubted: list[_Letter] = []
    for letter in letters:
        own = any(letter.bits & ~twice[member] for member in letter.members)
        (sure if own else doubted).append(letter)
    return sure, doubted


def _adds_to(cover: list[int], letter: _Letter, others: list[_Letter]) -> bool:
    """Whether the letter has a pair that neither the cover nor any of the others has."""
    for member in letter.members:
        missing = letter.bits & ~cover[member]
        for other in others:
            if not missing:
                break
            if other.bits >> member & 1:
                missing &= ~other.bits
        if missing:
            return True
    return False


def assign_letters(alike: list[Ints], players: int) -> list[str]:
    """(m,) the letters of each player; numbers when the alphabet does not suffice.

    ``alike`` are the players who share each.

    Examples
    --------
    >>> assign_letters([np.array([0, 1]), np.array([1, 2])], 3)
    ['a', 'ab', 'b']
    """
    numbers: list[list[int]] = [[] for _ in range(players)]
    for number, members in enumerate(alike):
        for player in members.tolist():
            numbers[player].append(number)
    if len(alike) <= len(ascii_lowercase):
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
