"""Who took part where, and whom all tournaments have in common.

Examples
--------
>>> import winodds.demo
>>> found = winodds.demo.rate_results().presence()
>>> found.filled, len(found.everywhere)
(1.0, 20)
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from winodds.arrays import Bools, Floats, order_of
from winodds.language.nouns import HOUSE, Nouns
from winodds.season.lineup import Lineup
from winodds.season.matrix import EppMatrix
from winodds.show import present


@dataclass(frozen=True, slots=True)
class Presence:
    """Which players have a result in which tournaments.

    Attributes
    ----------
    players : (m,) in the season's order.
    tournaments : (t,) in the season's order.
    there : (m, t) whether the player has a result.
    families : (f,) names, in their order; None where none are known.
    family_there : (f, t) whether any player of the family has a result; None likewise.
    nouns : what players, rounds and tournaments are called.
    """

    players: tuple[str, ...]
    tournaments: tuple[str, ...]
    there: Bools
    families: tuple[str, ...] | None
    family_there: Bools | None
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def filled(self) -> float:
        """Share of the pairs of a player and a tournament that have a result."""
        return float(self.there.mean())

    @property
    def filled_by_family(self) -> float | None:
        """The same of families, which have a result where any of their players has."""
        return None if self.family_there is None else float(self.family_there.mean())

    @property
    def everywhere(self) -> tuple[str, ...]:
        """Players with a result in every tournament."""
        full = self.there.sum(axis=1) == len(self.tournaments)
        return tuple(self.players[k] for k in np.flatnonzero(full).tolist())

    def most(self, top: int | None = None) -> list[tuple[str, int]]:
        """Players with the number of their tournaments, the most first."""
        number = self.there.sum(axis=1)
        order = np.argsort(-number, kind="stable")[:top]
        return [(self.players[k], int(number[k])) for k in order.tolist()]

    @property
    def text(self) -> str:
        """How full the table is, in words."""
        return present.describe_presence(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "filled": self.filled,
            "filled_by_family": self.filled_by_family,
            "everywhere": list(self.everywhere),
            "tournaments_of": dict(self.most()),
        }


def find_presence(table: EppMatrix) -> Presence:
    """Who has a result where."""
    there = ~np.isnan(table.epp)
    if table.families is None:
        return Presence(table.players, table.tournaments, there, None, None)
    names = tuple(sorted(set(table.families)))
    family = np.array(table.families, object)
    of_family = np.array([there[family == name].any(axis=0) for name in names])
    return Presence(table.players, table.tournaments, there, names, of_family)


@dataclass(frozen=True, slots=True)
class Rescaled:
    """Ratings of all tournaments on one scale, on which one player is at 0 everywhere.

    Attributes
    ----------
    reference : the player at 0.
    found : whether it was chosen here, and not by the caller.
    matrix : ratings and errors of the others against it.
    left_out : tournaments in which it has no result, or meets nobody.
    """

    reference: str
    found: bool
    matrix: EppMatrix
    left_out: tuple[str, ...]


def choose_reference(table: EppMatrix) -> int:
    """The player with the most tournaments; of several, the one nearest to the average.

    Ratings against a player far from all others are known badly.
    """
    number = (~np.isnan(table.epp)).sum(axis=1)
    candidates = np.flatnonzero(number == number.max())
    away = np.nanmean(np.abs(table.epp[candidates]), axis=1)
    return int(candidates[order_of(away)[0]])


def rescale(table: EppMatrix, lineup: Lineup, reference: str | None) -> Rescaled:
    """The matrix with one player at 0 in every tournament that has it.

    Parameters
    ----------
    table : ratings, each tournament around its own average.
    lineup : the same tournaments.
    reference : the player at 0; by default one is chosen.
    """
    zero = choose_reference(table) if reference is None else table.players.index(reference)
    everyone = np.arange(len(table.players))
    found = lineup.pairs(everyone, np.full(everyone.size, zero))
    kept = (~np.isnan(found.value)).sum(axis=1) > 1
    names = np.array(table.tournaments, object)
    epp, se = (_turned(values, kept) for values in (found.value, np.sqrt(found.variance)))
    return Rescaled(
        reference=table.players[zero],
        found=reference is None,
        matrix=EppMatrix(table.players, table.families, tuple(names[kept].tolist()), epp, se),
        left_out=tuple(names[~kept].tolist()),
    )


def _turned(values: Floats, kept: Bools) -> Floats:
    """(m, t) of (T, m): the tournaments that are kept, as columns."""
    return np.ascontiguousarray(values[kept].T)
