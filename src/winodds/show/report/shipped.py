"""Board → plain data with which a page refits it, or compares its players, by itself.

Everything is in the order of the board. Scores are not shipped, only where each stands among those
it could meet: that is enough to count wins among any of the players, and it is small.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from winodds.arrays import Bools, Floats, Ints
from winodds.board import notes as note
from winodds.board.evidence import Evidence
from winodds.board.leaderboard import Leaderboard
from winodds.design.design import Cliques, Pairs
from winodds.inference.clusters import dense
from winodds.inference.structure import Structure
from winodds.language.nouns import Nouns
from winodds.language.words import count
from winodds.matches.beaten import threshold
from winodds.matches.games import Games
from winodds.matches.results import Battles, Results
from winodds.matches.wins import RoundEvidence, Wins
from winodds.show.report.engine_data import (
    BattlesData,
    Bits,
    CliquesData,
    ClustersData,
    ComponentData,
    FewNotes,
    FittedData,
    NoteData,
    Number,
    Packed,
    PairsData,
    RefitNotes,
    ScoresData,
    Shipped,
)

MOST_PLAYERS = 300
MOST_ROUNDS = {"within": 1_000, "across": 200}
MOST_ENTRIES = 60_000
"""Limits up to which a browser refits in about a second; entries are scores or battles."""

MOST_TO_COMPARE = 5_000
"""Players up to which a browser compares one with all the others in seconds."""

MOST_SETS = 1_000
"""Sets of players up to which who reaches whom is shipped as a table."""

MOST_BYTES = 500_000
"""Size of the influences of clusters, or of the list of pairs, up to which players are compared.

Where they are shipped, what the clusters carry comes on top of that: at most about as much again.
"""

MOST_TO_DERIVE = 200_000_000
"""Pairs of players times clusters up to which a browser finds the influences itself, in seconds."""

MOST_RECORDS = 200_000
"""Scores, or different outcomes of pairs, up to which a board that is not refitted has them."""

FAILED, LOWEST = 1, 2
"""Codes of a failed run and of the lowest score; 0 stands for no run at all."""


def ship(board: Leaderboard) -> Shipped:
    """Everything that a page needs to refit the board, or else to compare its players."""
    if not board.whole:
        reason = "This leaderboard holds only its first rows, and nothing to compare players with."
        return Shipped(reason, reason, ())
    named = board.components.named(board.players)
    components = tuple(_ship_component(board, part, names) for part, names in named)
    if board.has_one_scale:
        return Shipped(components[0].why_not_refit, components[0].why_not_compare, components)
    players = board.how.nouns.players
    reason = f"The {players} form components that never met, each with a scale of its own, so"
    return Shipped(
        why_not_refit=f"{reason} this page does not rate them anew.",
        why_not_compare=f"{reason} only two of one component can be compared.",
        components=components,
    )


def _ship_component(board: Leaderboard, own: Evidence, names: Sequence[str]) -> ComponentData:
    """What a page needs of players who met; they are numbered among themselves."""
    entries = _battle_entries(own) if isinstance(own.games.played, Battles) else None
    large = _too_large(own.games, entries)
    hindrance = None if large is None else _too_large_to_compare(own)
    most = None if large is None else MOST_RECORDS
    games = None if hindrance else _games(own, entries, most=most)
    interval = board.how.interval
    pooled = interval.cluster == "tournament" and board.how.scheme.column("cluster") is None
    return ComponentData(
        why_not_refit=large,
        why_not_compare=hindrance,
        by_name=_by_name(names) if large is None else None,
        kind=own.games.kind,
        estimator=own.estimator,
        ridge=own.ridge,
        interval=interval.kind,
        level=interval.level,
        center=own.intervals.center,
        test_fraction=interval.test_fraction,
        nouns=board.how.nouns.to_dict(),
        units=board.how.nouns.unit(interval.cluster).many,
        pooled=pooled,
        seed=board.how.details.seed & 0xFFFFFFFF,
        ranks=board.how.details.ranks,
        notes=_refit_notes(interval.cluster, board.how.nouns, pooled=pooled)
        if large is None
        else None,
        games=games,
        fitted=None if large is None or hindrance else _fitted(own, games),
    )


def _by_name(names: Sequence[str]) -> Packed:
    return pack(np.array(sorted(range(len(names)), key=names.__getitem__)))


def _refit_notes(unit: str, nouns: Nouns, *, pooled: bool) -> RefitNotes:
    return RefitNotes(
        won_all=NoteData.of(note.won_all()),
        lost_all=NoteData.of(note.lost_all()),
        rare_share=note.RARE_SHARE,
        no_information=NoteData.of(note.no_information(nouns=nouns)),
        few_clusters=_few_notes(unit, nouns),
        few_rounds=_few_notes("round", nouns) if pooled else None,
    )


def _few_notes(unit: str, nouns: Nouns) -> FewNotes:
    board = (note.few_clusters(number, unit, nouns=nouns) for number in range(note.FEW_CLUSTERS))
    row = (note.few_clusters_of_row(number, unit, nouns=nouns) for number in range(note.FEW_OF_ROW))
    lost = (note.seldom_lost(number, unit, nouns=nouns) for number in range(note.RARE + 1))
    won = (note.seldom_won(number, unit, nouns=nouns) for number in range(note.RARE + 1))
    return FewNotes(*(tuple(map(NoteData.of, notes)) for notes in (board, row, lost, won)))


def pack(array: NDArray[Any], kind: Number | None = None) -> Packed:
    """An array as base64 of little-endian numbers; natural numbers in the shortest type."""
    chosen = kind or _shortest(int(array.max(initial=0)))
    if chosen in get_args(Bits):
        raw = _join_bits(array, int(chosen[1:]))
    else:
        raw = np.ascontiguousarray(array, f"<{chosen}").tobytes()
    return Packed(chosen, base64.b64encode(raw).decode("ascii"))


def _shortest(largest: int) -> Number:
    return next(name for name, most in UNSIGNED.items() if largest <= most)


UNSIGNED: dict[Number, int] = {
    "u1": 0xFF,
    **{own: 2 ** int(own[1:]) - 1 for own in get_args(Bits)},
    "u2": 0xFFFF,
    "u4": 0xFFFF_FFFF,
}


def _join_bits(array: NDArray[Any], width: int) -> bytes:
    """Natural numbers of so many bits each, one after the other, lowest bits first."""
    pairs = np.ascontiguousarray(array, "<u2").reshape(-1, 1).view(np.uint8)
    bits = np.unpackbits(pairs, axis=1, bitorder="little")[:, :width]
    return np.packbits(bits, bitorder="little").tobytes()


def _pack_flags(flags: Bools) -> Packed:
    """Flags as single bits, the first of each byte lowest."""
    return pack(np.packbits(flags.ravel(), bitorder="little"), "u1")


# What was played ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entries:
    """Battles added up, and how many different ones there are."""

    battles: BattlesData
    size: int


def _too_large(games: Games, entries: Entries | None) -> str | None:
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
    if games.players <= MOST_PLAYERS and entries.size <= MOST_ENTRIES:
        return None
    have = f"{count(games.players, 'player')} and {entries.size:,} different outcomes of pairs"
    return f"{start} {have}; {limit} and {MOST_ENTRIES:,} outcomes."


def _games(
    evidence: Evidence, entries: Entries | None, *, most: int | None
) -> ScoresData | BattlesData | None:
    """Who won what, unless that is more than so many cells or entries."""
    if entries is not None:
        return entries.battles if most is None or entries.size <= most else None
    results = evidence.games.results
    few = most is None or results.rounds * results.players <= most
    return _scores(evidence) if few else None


def _scores(evidence: Evidence) -> ScoresData:
    """Rounds by players: where every score stands among those that it could meet."""
    results = evidence.games.results
    tolerance = evidence.games.tolerance
    across = evidence.games.kind == "across"
    stretch = (results.tournament if across else np.arange(results.rounds))[results.round_of]
    code, limit = _codes(results.value, stretch, tolerance)
    cell = (results.round_of, results.player)
    weighted = bool((results.weight != results.weight[0]).any())
    return ScoresData(
        rounds=results.rounds,
        code=_grid(results, cell, code),
        limit=_grid(results, cell, limit) if tolerance > 0.0 else None,
        weight=pack(results.weight, "f8") if weighted else None,
        cluster=pack(results.cluster),
        tournament=pack(results.tournament),
    )


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


def _grid(results: Results, cell: tuple[Ints, Ints], number: Ints) -> Packed:
    table = np.zeros((results.rounds, results.players), np.int64)
    table[cell] = number
    return pack(table)


def _battle_entries(evidence: Evidence) -> Entries:
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
    added_up = BattlesData(
        first=pack(low[at]),
        second=pack(high[at]),
        outcome=pack(outcome[at]),
        count=pack(times),
        weight=pack(np.bincount(entry, weight), "f8") if weighted else None,
        square=pack(np.bincount(entry, weight**2), "f8") if weighted else None,
        cluster=None if battles.cluster is None else pack(own[at]),
    )
    return Entries(added_up, int(at.size))


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


def _fitted(evidence: Evidence, games: ScoresData | BattlesData | None) -> FittedData:
    """What differences of ratings need: variances, influences, who met whom and won.

    What clusters do follows from scores that are shipped, if matches are within rounds.
    """
    own, structure = evidence.intervals, evidence.intervals.structure
    influence = own.influence
    derived = _is_derived(evidence, games)
    return FittedData(
        bias=pack(own.bias, "f4"),
        variances=pack(evidence.uncertainty.information.variances(), "f4"),
        influence=None if influence is None or derived else pack(influence, "f4"),
        clusters=None if influence is None else _clusters(evidence, derived=derived),
        model_scale=own.model_scale,
        part=pack(structure.part),
        parts=structure.parts,
        sets=None if structure.chain else _sets(structure),
        design=_design(evidence.wins.design),
        match_weight=_match_weight(evidence.wins),
    )


def _is_derived(evidence: Evidence, games: ScoresData | BattlesData | None) -> bool:
    """Whether the browser finds by itself what clusters do to ratings."""
    own = evidence.games
    few = own.players**2 * evidence.intervals.clusters <= MOST_TO_DERIVE
    return own.kind == "within" and games is not None and few


def _match_weight(wins: Wins) -> Packed | None:
    """(R,) weight of a match in each round; battles have theirs, and None are all alike."""
    weight = wins.match_weight
    if wins.kind == "battles" or bool((weight == weight[0]).all()):
        return None
    return pack(weight, "f8")


def _clusters(evidence: Evidence, *, derived: bool) -> ClustersData:
    """What the clusters carry, and the wins in them where these are what is compared."""
    own, found = evidence.uncertainty.clustering, evidence.uncertainty.contributions
    wins = evidence.wins
    by_wins = not derived and found is not None and found.value is wins.wins
    widen = 1.0 if found is None else float(np.sqrt(evidence.overlap)) / found.scale
    return ClustersData(
        kept=found is not None,
        df=pack(own.df, "f8"),
        amount=pack(own.amount, "f8"),
        factor=pack(own.factor, "f8"),
        lift=None if own.lift is None or derived else pack(own.lift, "f4"),
        share=pack(own.share, "f8") if by_wins and own.share is not None else None,
        wins=pack(wins.wins, "f8") if by_wins else None,
        won=_twice_won(wins) if by_wins else None,
        widen=widen,
        unit=0.0 if found is None else found.unit,
    )


def _twice_won(wins: Wins) -> Packed:
    """(m, G) twice the weighted wins in each cluster: whole numbers unless there are weights."""
    assert isinstance(wins.evidence, RoundEvidence)
    twice = 2.0 * dense(wins.evidence.wins).T
    return pack(twice, None if bool((twice == np.rint(twice)).all()) else "f8")


def _sets(structure: Structure) -> Packed:
    """(parts, parts) which set reaches which."""
    parts = range(structure.parts)
    return _pack_flags(np.stack([structure.sets_reached_from(part) for part in parts]))


def _design(design: Cliques | Pairs) -> PairsData | CliquesData:
    """Who met whom how often: pairs, or cliques with the number of each player's scores."""
    if isinstance(design, Pairs):
        weight = pack(design.weights, "f4")
        return PairsData(pack(design.first), pack(design.second), weight)
    own, weights = _kept_cliques(design)
    several, everybody = own.max() > 1.0, own.min() == 1.0
    return CliquesData(
        weight=pack(weights, "f8"),
        shares=pack(own) if several else None,
        bits=None if several or everybody else _pack_flags(own > 0.0),
    )


def _kept_cliques(design: Cliques) -> tuple[Floats, Floats]:
    """(Q, m) shares and (Q,) weights without cliques that count nothing."""
    kept = np.flatnonzero(design.weights)
    shares: Floats = sparse.csr_array(design.shares[kept]).toarray()
    return shares, design.weights[kept]
