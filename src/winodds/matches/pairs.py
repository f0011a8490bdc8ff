"""Games → wins of every pair, streamed in blocks of players: the only sums over all pairs.

Ratings need only each player's wins. How well they fit, which pairs they miss and who beats whom
in a circle are questions about pairs, and there are millions of these for thousands of players.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winodds.arrays import Bools, Floats, Ints
from winodds.design.design import Cliques, Pairs
from winodds.matches.games import Encounters, Games
from winodds.matches.wins import BattleEvidence, Wins

CELLS = 1 << 19
"""Pairs of players handled at a time, so that temporary arrays stay small."""

SMALL_BLOCK = 1 << 12
"""Pairs of players, all in all, up to which rounds are compared many at a time."""

NOTHING = 1e-9
"""Weight of a pair's matches, relative to the largest, that is rounding."""

INT8 = 120
"""Rounds that may be added up in 8 bits."""


@dataclass(frozen=True, slots=True)
class Block:
    """Matches of some players (rows) against themselves and all later ones (columns).

    Attributes
    ----------
    rows, columns : the players.
    won : (b, c) weighted wins of the row's player.
    met : (b, c) weight of their matches.
    """

    rows: slice
    columns: slice
    won: Floats
    met: Floats

    def pairs(self) -> Bools:
        """(b, c) pairs that met, each only once."""
        size = self.met.shape
        later = np.arange(size[1])[None, :] > np.arange(size[0])[:, None]
        return later & (self.met > 0.0)


def tally(games: Games, wins: Wins) -> Iterator[Block]:
    """All pairs, block by block."""
    if isinstance(wins.design, Pairs):
        yield _block_of_battles(wins.design, wins.evidence)
        return
    encounters = games.encounters()
    for rows, columns in block_ranges(games.players):
        met = met_block(wins.design, rows, columns)
        lead = lead_block(encounters, wins.match_weight, rows, columns)
        lead = limit_lead(lead, met)
        yield Block(rows, columns, 0.5 * (met + lead), met)


def block_ranges(players: int) -> Iterator[tuple[slice, slice]]:
    """Rows of the upper triangle with the columns from there on."""
    begin = 0
    while begin < players:
        end = min(players, begin + max(1, CELLS // (players - begin)))
        yield slice(begin, end), slice(begin, players)
        begin = end


def met_block(design: Cliques, rows: slice, columns: slice) -> Floats:
    """(b, c) weight of the matches of each pair; a player's own cell means nothing."""
    left = design.shares[:, rows].toarray() * design.weights[:, None]
    right: Floats = design.shares[:, columns].toarray()
    met: Floats = np.matmul(left.T, right)
    # Two failed runs did not meet: what was added and taken off again may not cancel exactly.
    met[met < NOTHING * float(np.abs(design.weights).max())] = 0.0
    return met


def lead_block(encounters: Encounters, weight: Floats, rows: slice, columns: slice) -> Floats:
    """(b, c) weighted wins minus losses of the row's player; ties and missing scores count 0."""
    if encounters.table.shape[1] ** 2 <= SMALL_BLOCK:
        whole = encounters.table[None], encounters.limit[None]
        leads = leads_of_few(*whole, encounters.first, encounters.second, weight)
        return np.asarray(leads[0, rows, columns])
    if (weight == 1.0).all():
        return count_leads(encounters, rows, columns).astype(np.float64)
    lead = 0.0
    for r, ahead, behind in _compare_rows(encounters, rows, columns):
        lead = lead + weight[r] * (ahead - behind())
    return np.asarray(lead)


def limit_lead(lead: Floats, met: Floats) -> Floats:
    """Leads that rounding made larger than the matches, cut to these; none without matches."""
    return np.minimum(np.maximum(lead, -met), met)


def count_leads(
    encounters: Encounters, rows: slice, columns: slice, *, strict: bool = False
) -> NDArray[np.int32]:
    """(b, c) the same where every match weighs one.

    ``strict`` promises that nobody is missing and nothing ties: then who is not ahead is behind,
    and the diagonal means nothing.
    """
    total = np.zeros(1, np.int32)
    short: NDArray[np.int8] | None = None
    for k, (_, ahead, behind) in enumerate(_compare_rows(encounters, rows, columns), start=1):
        short = ahead if short is None else np.add(short, ahead, out=short)
        if not strict:
            short -= behind()
        if k % INT8 == 0 or k == encounters.first.size:
            total = total + short
            short = None
    return 2 * total - np.int32(encounters.first.size) if strict else total


def _compare_rows(
    encounters: Encounters, rows: slice, columns: slice
) -> Iterator[tuple[int, NDArray[np.int8], Callable[[], NDArray[np.int8]]]]:
    """For every two rows of scores that met: the first, (b, c) who is ahead, and who is behind."""
    own, own_limit = encounters.table[:, rows, None], encounters.limit[:, rows, None]
    other, other_limit = encounters.table[:, None, columns], encounters.limit[:, None, columns]
    for r, s in zip(encounters.first.tolist(), encounters.second.tolist(), strict=True):
        yield r, _below(other[s], own_limit[r]), partial(_below, own[r], other_limit[s])


def _below(score: NDArray[Any], limit: NDArray[Any]) -> NDArray[np.int8]:
    """1 where a score is beaten, else 0."""
    beaten: NDArray[np.bool_] = np.less(score, limit)
    return beaten.view(np.int8)


def leads_of_few(
    tables: Floats, limits: Floats, first: Ints, second: Ints, weight: Floats
) -> Floats:
    """(k, m, m) the same for all of few players, in k tables (k, R, m) at once."""
    count, _, players = tables.shape
    leads = np.zeros((count, players, players))
    plain = bool((weight == 1.0).all())
    step = max(1, CELLS // leads.size)
    for begin in range(0, first.size, step):
        r, s = first[begin : begin + step], second[begin : begin + step]
        ahead = np.less(tables[:, s, None, :], limits[:, r, :, None]).view(np.int8)
        behind = np.less(tables[:, r, :, None], limits[:, s, None, :]).view(np.int8)
        ahead -= behind
        if plain:
            leads += ahead.sum(axis=1, dtype=np.int32)
        else:
            leads += np.einsum("r,krij->kij", weight[r], ahead)
    return leads


def _block_of_battles(design: Pairs, evidence: object) -> Block:
    assert isinstance(evidence, BattleEvidence)
    amount = evidence.outcome * evidence.weight
    won = np.bincount(evidence.pair, weights=amount, minlength=design.first.size)
    table = np.zeros((design.players, design.players))
    table[design.first, design.second] = won
    table[design.second, design.first] = design.weights - won
    everyone = slice(0, design.players)
    return Block(everyone, everyone, table, design.met())
