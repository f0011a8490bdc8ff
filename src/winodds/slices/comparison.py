"""Each slice against the rest of the rounds, adjusted for all slices and players."""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.inference.pairwise import holm
from winodds.inference.slices import Part, Shifts, compare_parts, smallest_visible
from winodds.language.errors import DataError
from winodds.language.options import Options
from winodds.matches.games import Games
from winodds.slices.notes import TOO_FEW
from winodds.slices.parts import rate_part


@dataclass(frozen=True, slots=True)
class Compared:
    """One slice against the rest.

    Attributes
    ----------
    shifts : how much higher players are rated there.
    ties : shares of ties in the slice and in the rest.
    adjusted : (k,) p-values, adjusted for all slices and players.
    visible : the difference that would be told of a typical player; infinite where none would.
    """

    shifts: Shifts
    ties: tuple[float, float]
    adjusted: Floats
    visible: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """All slices against their rests.

    Attributes
    ----------
    slices : of each slice what was found, or why there is nothing.
    tests : how many comparisons there are.
    """

    slices: tuple[Compared | str, ...]
    tests: int


def compare_slices(
    games: Games, label: Ints, slices: int, options: Options, unit: str
) -> Comparison:
    """Each slice against the rest.

    Parameters
    ----------
    games : of the whole board.
    label : (R,) or (B,) the slice of each round, or battle; −1 for none.
    slices : how many there are.
    options : how ratings are estimated, and the level.
    unit : what a cluster is.
    """
    found = [_compare(games, label, number, options, unit) for number in range(slices)]
    # Of two slices, each is the other's rest: their differences are the same but for the sign.
    counted = found[:1] if slices == 2 else found
    p = [one[0].p_value for one in counted if not isinstance(one, str)]
    tests = sum(own.size for own in p)
    adjusted = holm(np.concatenate(p)) if p else np.empty(0)
    begin, judged = 0, list[Compared | str]()
    for one in found:
        if isinstance(one, str):
            judged.append(one)
            continue
        shifts, ties = one
        end = begin + shifts.players.size
        visible = smallest_visible(shifts, tests, options.level)
        judged.append(Compared(shifts, ties, adjusted[begin:end], visible))
        begin = 0 if slices == 2 else end
    return Comparison(tuple(judged), tests)


def _compare(
    games: Games, label: Ints, number: int, options: Options, unit: str
) -> tuple[Shifts, tuple[float, float]] | str:
    """The shifts of one slice and the shares of ties there and elsewhere; or why there are none."""
    inside = label == number
    try:
        own = rate_part(games, inside, options, unit)
        rest = rate_part(games, ~inside & (label >= 0), options, unit)
    except DataError as error:
        return str(error)
    shifts = compare_parts(own, rest)
    return TOO_FEW if shifts is None else (shifts, (_ties(own), _ties(rest)))


def _ties(part: Part) -> float:
    return part.wins.ties / part.wins.matches


def shared_clusters(games: Games, label: Ints) -> int:
    """How many clusters have rounds, or battles, in more than one slice."""
    cluster = games.played.cluster
    if cluster is None:
        return 0
    known = label >= 0
    pairs = np.unique(np.stack([cluster[known], label[known]]), axis=1)
    return int((np.bincount(pairs[0]) > 1).sum())
