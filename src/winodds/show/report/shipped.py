"""Board → plain data with which a page refits it, or compares its players, by itself.

Everything is in the order of the board. Scores are not shipped, only where each stands among those
it could meet: that is enough to count wins among any of the players, and it is small.
"""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from winodds.arrays import Bools, Floats, Ints
from winodds.board.evidence import Evidence
from winodds.board.leaderboard import Leaderboard
from winodds.design.design import Cliques, Pairs
from winodds.inference.structure import Structure
from winodds.language.words import count, unit_names
from winodds.matches.beaten import threshold
from winodds.matches.games import Games
from winodds.matches.results import Battles, Results

MOST_PLAYERS = 300
MOST_ROUNDS = {"within": 1_000, "across": 200}
MOST_ENTRIES = 60_000
"""Limits up to which a browser refits in about a second; entries are scores or battles."""

MOST_TO_COMPARE = 5_000
"""Players up to which a browser compares one with all the others in seconds."""

MOST_SETS = 1_000
"""Sets of players up to which who reaches whom is shipped as a table."""

MOST_BYTES = 500_000
"""Size up to which the influences of clusters, or the list of pairs, is shipped."""

MOST_RECORDS = 200_000
"""Scores, or different outcomes of pairs, up to which a board that is not refitted has them."""

FAILED, LOWEST = 1, 2
"""Codes of a failed run and of the lowest score; 0 stands for no run at all."""


def ship(board: Leaderboard) -> dict[str, Any]:
    """Everything that a page needs to refit the board, or else to compare its players.

    Where ``refit`` or ``compare`` is false, ``whyNotRefit`` or ``whyNotCompare`` says why.
    Components that never met are shipped one by one in ``components``, each as a board of its own.
    """
    if not board.whole:
        reason = "This leaderboard holds only its first rows, and nothing to compare players with."
        return _plan(no_refit=reason, no_compare=reason)
    if board.has_one_scale:
        return _ship_part(board, board.components[0], board.players)
    reason = "The players form components that never met, each with a scale of its own, so"
    plan = _plan(
        no_refit=f"{reason} this page does not rate them anew.",
        no_compare=f"{reason} only two of one component can be compared.",
    )
    parts = zip(board.components, board.components.split(board.players), strict=True)
    return plan | {"components": [_ship_part(board, part, names) for part, names in parts]}


def _ship_part(board: Leaderboard, own: Evidence, names: Sequence[str]) -> dict[str, Any]:
    """What a page needs of players who met; they are numbered among themselves."""
    about = _about(board, own, names) | {"players": list(names)}
    entries = _battle_entries(own) if isinstance(own.games.played, Battles) else None
    reason = _too_large(own.games, entries)
    if reason is None:
        return about | _plan(games=_scores(own) if entries is None else entries)
    hindrance = _too_large_to_compare(own)
    if hindrance is not None:
        return about | _plan(no_refit=reason, no_compare=hindrance)
    return about | _plan(games=_records(own, entries), fitted=_fitted(own), no_refit=reason)


def _plan(
    *,
    games: dict[str, Any] | None = None,
    fitted: dict[str, Any] | None = None,
    no_refit: str | None = None,
    no_compare: str | None = None,
) -> dict[str, Any]:
    return {
        "refit": no_refit is None,
        "whyNotRefit": no_refit,
        "compare": no_compare is None,
        "whyNotCompare": no_compare,
        "games": games,
        "fitted": fitted,
        "components": None,
    }


def _about(board: Leaderboard, evidence: Evidence, names: Sequence[str]) -> dict[str, Any]:
    """What was asked for, in a word each."""
    interval = board.how.interval
    unit = interval.cluster
    pooled = unit == "tournament" and board.how.scheme.column("cluster") is None
    return {
        "byName": pack(np.array(sorted(range(len(names)), key=names.__getitem__))),
        "kind": evidence.games.kind,
        "estimator": evidence.estimator,
        "ridge": evidence.ridge,
        "interval": interval.kind,
        "level": interval.level,
        "testFraction": interval.test_fraction,
        "tolerance": evidence.games.tolerance,
        "cluster": unit,
        "units": unit_names(unit),
        "pooled": pooled,
    }


def pack(array: NDArray[Any], kind: str | None = None) -> dict[str, str]:
    """An array as base64 of little-endian numbers; natural numbers in the shortest type."""
    if kind is None:
        largest = int(array.max(initial=0))
        kind = next(name for name, most in UNSIGNED.items() if largest <= most)
    raw = np.ascontiguousarray(array, f"<{kind}").tobytes()
    return {"type": kind, "data": base64.b64encode(raw).decode("ascii")}


UNSIGNED = {"u1": 0xFF, "u2": 0xFFFF, "u4": 0xFFFF_FFFF}


def _pack_flags(flags: Bools) -> dict[str, str]:
    """Flags as single bits, the first of each byte lowest."""
    return pack(np.packbits(flags.ravel(), bitorder="little"), "u1")


# What a refit needs -------------------------------------------------------------------------------


def _too_large(games: Games, entries: dict[str, Any] | None) -> str | None:
    """Why a browser should not refit, or None."""
    start = "This board is too large to be rated anew in a browser: it has"
    limit = f"the limit is {MOST_PLAYERS} players"
    if entries is None:
        rounds, scores = games.results.rounds, games.results.value.size
        most = MOST_ROUNDS[games.kind]
        if games.players <= MOST_PLAYERS and rounds <= most and scores <= MOST_ENTRIES:
            return None
        have = (
            f"{count(games.players, 'player')}, {count(rounds, 'round')} and "
            f"{count(scores, 'score')}"
        )
        return f"{start} {have}; {limit}, {most:,} rounds and {MOST_ENTRIES:,} scores."
    size = entries["size"]
    if games.players <= MOST_PLAYERS and size <= MOST_ENTRIES:
        return None
    have = f"{count(games.players, 'player')} and {size:,} different outcomes of pairs"
    return f"{start} {have}; {limit} and {MOST_ENTRIES:,} outcomes."


def _scores(evidence: Evidence) -> dict[str, Any]:
    """Rounds by players: where every score stands among those that it could meet."""
    results = evidence.games.results
    tolerance = evidence.games.tolerance
    across = evidence.games.kind == "across"
    stretch = (results.tournament if across else np.arange(results.rounds))[results.round_of]
    code, limit = _codes(results.value, stretch, tolerance)
    cell = (results.round_of, results.player)
    weighted = bool((results.weight != results.weight[0]).any())
    return {
        "rounds": results.rounds,
        "code": _grid(results, cell, code),
        "limit": _grid(results, cell, limit) if tolerance > 0.0 else None,
        "weight": pack(results.weight, "f8") if weighted else None,
        "cluster": pack(results.cluster),
        "tournament": pack(results.tournament),
    }


def _codes(value: Floats, stretch: Ints, tolerance: float) -> tuple[Ints, Ints]:
    """(S,) numbers in the order of the scores of a stretch, and those that a score falls short of.

    A score beats another when the other's code is below its limit.
    """
    failed = np.isneginf(value)
    ahead = threshold(value, tolerance)
    code, limit = np.full(value.size, FAILED), np.full(value.size, FAILED)
    for number in range(int(stretch.max()) + 1):
        own = np.flatnonzero((stretch == number) & ~failed)
        different, rank = np.unique(value[own], return_inverse=True)
        code[own] = LOWEST + rank
        limit[own] = LOWEST + np.searchsorted(different, ahead[own], side="left")
        limit[own[np.isneginf(ahead[own])]] = FAILED
    return code, limit


def _grid(results: Results, cell: tuple[Ints, Ints], number: Ints) -> dict[str, str]:
    table = np.zeros((results.rounds, results.players), np.int64)
    table[cell] = number
    return pack(table)


def _battle_entries(evidence: Evidence) -> dict[str, Any]:
    """Battles with the same players, outcome and cluster, added up; sorted by cluster."""
    battles = evidence.games.played
    assert isinstance(battles, Battles)
    first, second = battles.first, battles.second
    swap = first > second
    low, high = np.where(swap, second, first), np.where(swap, first, second)
    outcome = np.rint(2.0 * np.where(swap, 1.0 - battles.outcome, battles.outcome))
    own = np.zeros(low.size, np.int64) if battles.cluster is None else battles.cluster
    key = ((own * battles.players + low) * battles.players + high) * 3 + outcome.astype(np.int64)
    _, at, entry, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    weight = battles.weight / battles.weight.max()
    weighted = bool((weight != weight[0]).any())
    return {
        "size": int(at.size),
        "first": pack(low[at]),
        "second": pack(high[at]),
        "outcome": pack(outcome[at]),
        "count": pack(times),
        "weight": pack(np.bincount(entry, weight), "f8") if weighted else None,
        "square": pack(np.bincount(entry, weight**2), "f8") if weighted else None,
        "cluster": None if battles.cluster is None else pack(own[at]),
    }


def _records(evidence: Evidence, entries: dict[str, Any] | None) -> dict[str, Any] | None:
    """Who won what, for the matches of two players of a large board, if that is not too much."""
    if entries is not None:
        return entries if entries["size"] <= MOST_RECORDS else None
    results = evidence.games.results
    return _scores(evidence) if results.rounds * results.players <= MOST_RECORDS else None


# What comparisons need ----------------------------------------------------------------------------


def _too_large_to_compare(evidence: Evidence) -> str | None:
    """Why a browser should not compare the players of a large board, or None."""
    players, structure = evidence.games.players, evidence.intervals.structure
    start = "This board is too large to compare its players in a browser:"
    if players > MOST_TO_COMPARE:
        return f"{start} it has {players:,} players, and the limit is {MOST_TO_COMPARE:,}."
    if not structure.chain and structure.parts > MOST_SETS:
        return f"{start} its players fall into {structure.parts:,} sets that won every match."
    influence = evidence.intervals.influence
    size = 0 if influence is None else 4 * influence.size
    if size + _design_bytes(evidence.wins.design) > MOST_BYTES:
        return f"{start} what the intervals rest on is more than a page should hold."
    return None


def _design_bytes(design: Cliques | Pairs) -> int:
    if isinstance(design, Pairs):
        return 8 * int(design.first.size)
    size = int(np.count_nonzero(design.weights)) * design.players
    return size // 8 if design.shares.max() <= 1.0 else size


def _fitted(evidence: Evidence) -> dict[str, Any]:
    """Ratings and what their differences need: variances, influences, who met whom and won."""
    own = evidence.intervals
    influence = own.influence
    return {
        "beta": pack(own.beta, "f8"),
        "bias": pack(own.bias, "f4"),
        "variances": pack(evidence.uncertainty.information.variances(), "f8"),
        "influence": None if influence is None else pack(influence, "f4"),
        "columns": 0 if influence is None else influence.shape[1],
        "modelScale": own.model_scale,
        "clusters": own.clusters,
        "power": own.power,
        "played": pack(own.played),
        **_sets(own.structure),
        **_design(evidence.wins.design),
    }


def _sets(structure: Structure) -> dict[str, Any]:
    """Each player's set, and (parts, parts) which set reaches which unless they are a chain."""
    sets = None
    if not structure.chain:
        parts = range(structure.parts)
        sets = _pack_flags(np.stack([structure.sets_reached_from(part) for part in parts]))
    return {"part": pack(structure.part), "parts": structure.parts, "sets": sets}


def _design(design: Cliques | Pairs) -> dict[str, Any]:
    """Who met whom how often: pairs, or cliques with the number of each player's scores."""
    if isinstance(design, Pairs):
        return {
            "first": pack(design.first),
            "second": pack(design.second),
            "weight": pack(design.weights, "f4"),
        }
    own, weights = _kept_cliques(design)
    packed: dict[str, Any] = {"weight": pack(weights, "f8")}
    if own.min() == 1.0 and own.max() == 1.0:
        return packed
    return packed | (
        {"bits": _pack_flags(own > 0.0)} if own.max() <= 1.0 else {"shares": pack(own)}
    )


def _kept_cliques(design: Cliques) -> tuple[Floats, Floats]:
    """(Q, m) shares and (Q,) weights without cliques that count nothing."""
    kept = np.flatnonzero(design.weights)
    shares: Floats = sparse.csr_array(design.shares[kept]).toarray()
    return shares, design.weights[kept]
