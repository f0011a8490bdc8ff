"""Games and a seed → replicates: the ratings had other clusters of the same kind been drawn.

Clusters (rounds, data sets, battles) are drawn with replacement. A replicate gives every cluster
another weight, so its wins are a product of these weights with the wins by cluster, and
thousands of fits share their work (`winodds.fit.many`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from winodds.arrays import EQUAL, Bools, Floats, Ints, at_least, number_keys
from winodds.design.design import Cliques, Design, Pairs
from winodds.fit.many import fit_many
from winodds.matches.beaten import threshold
from winodds.matches.games import Games, score_table
from winodds.matches.results import Results, numbering
from winodds.matches.wins import BattleEvidence, RoundEvidence, Wins

CHUNK = (200, 500)
"""Fewest and most replicates of a call, for many and for few players."""

CHUNK_OF_PAIRS = (20, 500)
"""The same where each pair has a weight of its own in every replicate."""

CELLS = 1 << 18
"""Pairs of players, over all tables, that a call looks at together."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Wins and designs of some replicates.

    Attributes
    ----------
    wins : (B, m).
    weights : (B, Q) or (B, E) weights of the design's cliques or pairs.
    """

    wins: Floats
    weights: Floats


@dataclass(frozen=True, slots=True)
class Urn:
    """What replicates are drawn from.

    Attributes
    ----------
    design : who met whom in all replicates, but for the weights.
    kind : (G,) a number for each cluster; those that are the same in every way share it.
    take : gives a replicate for each row of (B, K): how many clusters of each kind are drawn.
    """

    design: Design
    kind: Ints
    take: Callable[[Floats], Draw]


def plan_replicates(
    games: Games, wins: Wins, beta: Floats, *, ridge: float, replicates: int, seed: int
) -> list[Callable[[], Floats]]:
    """Calls that each give (k, m) ratings, NaN for a player who met nobody in a replicate.

    So is a whole replicate whose few matches cannot be solved for, which is rare.

    ``beta`` (m,) are the ratings of the games themselves. Replicates are bias-reduced, or have the
    ridge if there is one: the maximum-likelihood estimate often does not exist in a replicate.
    """
    urn = fill_urn(games, wins)
    sizes = share_out(
        replicates, games.players, CHUNK_OF_PAIRS if isinstance(urn.design, Pairs) else CHUNK
    )
    streams = np.random.SeedSequence(seed).spawn(len(sizes))
    return [
        partial(_replicate, urn, beta, ridge, size, stream)
        for size, stream in zip(sizes, streams, strict=True)
    ]


def share_out(total: int, players: int, limits: tuple[int, int]) -> list[int]:
    """How many tables each call draws.

    The number of players decides, never that of the workers, so that these change no result.
    """
    size = int(np.clip(CELLS // players**2, *limits))
    return [min(size, total - begin) for begin in range(0, total, size)]


def _replicate(
    urn: Urn, beta: Floats, ridge: float, size: int, stream: np.random.SeedSequence
) -> Floats:
    multiplicity = np.bincount(urn.kind).astype(np.float64)
    return rate_draws(
        urn, _draw_counts(multiplicity, np.random.default_rng(stream), size), beta, ridge
    )


def rate_draws(urn: Urn, counts: Floats, beta: Floats, ridge: float) -> Floats:
    """(B, m) ratings of the replicates for which clusters are drawn as ``counts`` (B, K) says.

    NaN for a player who met nobody, or not those whom most met; see `plan_replicates`.
    """
    drawn = urn.take(counts)
    wins, weights = drawn.wins, drawn.weights
    ratings = np.full((len(counts), beta.size), np.nan)
    whole = _connected(urn.design, weights)
    ratings[whole] = fit_many(
        wins[whole],
        urn.design,
        start=beta,
        weights=weights[whole],
        ridge=ridge,
        strict=False,
    )
    for k in np.flatnonzero(~whole).tolist():
        design = _with_weights(urn.design, weights[k])
        chosen = _largest_component(design)
        if chosen.size > 1:
            part, start = _of_players(design, chosen), beta[chosen] - beta[chosen].mean()
            ratings[k, chosen] = fit_many(
                wins[None, k, chosen], part, start=start, ridge=ridge, strict=False
            )
    return ratings


# Draws --------------------------------------------------------------------------------------------


def fill_urn(games: Games, wins: Wins) -> Urn:
    """The clusters of the games."""
    evidence = wins.evidence
    if isinstance(evidence, BattleEvidence):
        assert isinstance(wins.design, Pairs)
        return _urn_of_battles(evidence, wins.design)
    if games.kind == "across" and evidence.power > 1:
        return _urn_across(games)
    return Urn(wins.design, np.arange(evidence.clusters), partial(_take_rounds, evidence))


def _take_rounds(evidence: RoundEvidence, counts: Floats) -> Draw:
    return Draw(np.asarray(counts @ evidence.wins), np.asarray(counts @ evidence.cliques))


def _draw_counts(multiplicity: Floats, rng: np.random.Generator, size: int) -> Floats:
    """(size, G) how often each cluster is drawn; equal ones may be drawn together."""
    total = multiplicity.sum()
    return rng.multinomial(int(total), multiplicity / total, size=size).astype(np.float64)


def _urn_of_battles(evidence: BattleEvidence, design: Pairs) -> Urn:
    pairs, battles = design.first.size, evidence.pair.size
    unit, kind = evidence.cluster, np.arange(evidence.clusters)
    scale = np.ones(battles)
    if unit is None:
        unit, multiplicity = _equal_battles(evidence)
        scale, kind = 1.0 / multiplicity[unit], unit
    place = (unit, evidence.pair)
    shape = (int(kind.max()) + 1, pairs)
    weight = sparse.csr_array((evidence.weight * scale, place), shape=shape)
    won = sparse.csr_array((evidence.outcome * evidence.weight * scale, place), shape=shape)
    ends = np.arange(pairs)
    first = sparse.csr_array((np.ones(pairs), (ends, design.first)), shape=(pairs, design.players))
    second = sparse.csr_array(
        (np.ones(pairs), (ends, design.second)), shape=(pairs, design.players)
    )

    def take(counts: Floats) -> Draw:
        weights, wins = np.asarray(counts @ weight), np.asarray(counts @ won)
        return Draw(np.asarray(wins @ first + (weights - wins) @ second), weights)

    return Urn(design, kind, take)


def _equal_battles(evidence: BattleEvidence) -> tuple[Ints, Floats]:
    """(B,) a number for each kind of battle (pair, outcome, weight), and how many of each."""
    _, weight = np.unique(evidence.weight, return_inverse=True)
    outcome = np.round(2.0 * evidence.outcome).astype(np.int64)
    keys, unit = number_keys((evidence.pair * 3 + outcome) * (int(weight.max()) + 1) + weight)
    return unit, np.bincount(unit, minlength=keys.size).astype(np.float64)


def _urn_across(games: Games) -> Urn:
    """Every score of a drawn round meets every score of a drawn round, its own copies included."""
    results = games.results
    against = _wins_between_rounds(results, games.tolerance)
    table = score_table(results)
    played, failed = (~np.isnan(table)).astype(np.float64), np.isneginf(table).astype(np.float64)
    complete = bool(np.isfinite(table).all())
    first, second = np.triu_indices(results.players, 1)
    everyone = Cliques(sparse.csr_array(np.ones((1, results.players))), np.ones(1))

    def take(drawn: Floats) -> Draw:
        counts = drawn[:, results.cluster]
        wins = np.einsum("br,rsi,bs->bi", counts, against, counts, optimize=True)
        if complete:
            return Draw(wins, counts.sum(axis=1, keepdims=True) ** 2)
        scores, failures = counts @ played, counts @ failed
        met = scores[:, first] * scores[:, second] - failures[:, first] * failures[:, second]
        return Draw(wins, met)

    pairs = Pairs(first, second, np.ones(first.size), results.players)
    return Urn(everyone if complete else pairs, np.arange(results.clusters), take)


def _wins_between_rounds(results: Results, tolerance: float) -> Floats:
    """(R, R, m) wins of a player's score in one round over the others' scores in another."""
    table = score_table(results)
    limit = threshold(table, tolerance)
    rounds, players = table.shape
    wins = np.zeros((rounds, rounds, players))
    for s in range(rounds):
        scores, limits = np.sort(table[s]), np.sort(limit[s])
        there = int((~np.isnan(scores)).sum())
        beaten = np.searchsorted(scores[:there], limit, side="left")
        not_above = np.searchsorted(limits[:there], table, side="right")
        own = np.where(table[s] < limit, 1.0, np.where(table < limit[s], 0.0, 0.5))
        amount = 0.5 * (beaten + not_above) - np.where(np.isnan(table[s]), 0.0, own)
        wins[:, s] = np.where(np.isnan(table) | np.isneginf(table), 0.0, amount)
    return wins


# Replicates that are not connected ----------------------------------------------------------------


def _connected(design: Design, weights: Floats) -> Bools:
    """(B,) whether all players are linked by matches in a replicate."""
    if isinstance(design, Cliques):
        sizes = np.diff(design.shares.indptr)
        simple = ((weights > 0.0) & (sizes == design.players)).any(axis=1)
    else:
        simple = (weights > 0.0).all(axis=1)
    result: Bools = simple.copy()
    for k in np.flatnonzero(~simple):
        result[k] = int(_components(_with_weights(design, weights[k]))[0]) == 1
    return result


def _with_weights(design: Design, weights: Floats) -> Design:
    """The design of one replicate, without what was not drawn."""
    drawn = np.flatnonzero(weights != 0.0)
    if isinstance(design, Cliques):
        return Cliques(design.shares[drawn], weights[drawn])
    return Pairs(design.first[drawn], design.second[drawn], weights[drawn], design.players)


def _components(design: Design) -> tuple[int, Ints]:
    """How many components there are, and (m,) the number of each player's."""
    players = design.players
    first: NDArray[np.integer]
    if isinstance(design, Cliques):
        member = design.shares
        clique = players + np.repeat(np.arange(member.shape[0]), np.diff(member.indptr))
        first, second, nodes = member.indices, clique, players + member.shape[0]
    else:
        first, second, nodes = design.first, design.second, players
    edges = np.ones(first.size), (first, second)
    graph = sparse.csr_array(edges, shape=(nodes, nodes))
    _, label = csgraph.connected_components(graph, directed=False)
    own = label[:players].astype(np.int64)
    return np.unique(own).size, own


def _largest_component(design: Design) -> Ints:
    _, label = _components(design)
    return np.flatnonzero(label == np.bincount(label).argmax())


def _of_players(design: Design, chosen: Ints) -> Design:
    """The design of players who met none of the others."""
    if isinstance(design, Cliques):
        shares = design.shares[:, chosen]
        inside = np.flatnonzero(np.diff(shares.indptr) > 0)
        return Cliques(sparse.csr_array(shares[inside]), design.weights[inside])
    number = numbering(chosen, design.players)
    kept = number[design.first] >= 0
    first, second = number[design.first[kept]], number[design.second[kept]]
    return Pairs(first, second, design.weights[kept], chosen.size)


# Summaries ----------------------------------------------------------------------------------------


def shares_of_first(ratings: Floats) -> Floats:
    """(m,) share of the replicates (B, m) in which a player is rated highest; ties are shared.

    NaN when in no replicate anybody met.
    """
    rated = ratings[~np.isnan(ratings).all(axis=1)]
    if not len(rated):
        return np.full(ratings.shape[1], np.nan)
    first = at_least(rated, np.nanmax(rated, axis=1, keepdims=True))
    share: Floats = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    return share


def ranks_of(ratings: Floats) -> Floats:
    """(B, m) ranks in each replicate, 1 is the best, equal ratings share a place; NaN stays."""
    ranks = np.full(ratings.shape, np.nan)
    for k, row in enumerate(ratings):
        there = np.flatnonzero(~np.isnan(row))
        falling = np.sort(-row[there])
        ranks[k, there] = 1.0 + np.searchsorted(falling, -row[there] - EQUAL, side="left")
    return ranks


def percentile_interval(values: Floats, level: float) -> tuple[Floats, Floats]:
    """Ends of the central interval of replicates along the first axis; NaN are left out."""
    ends = np.full((2, *values.shape[1:]), np.nan)
    there = ~np.isnan(values).all(axis=0)
    tails = [0.5 - 0.5 * level, 0.5 + 0.5 * level]
    ends[:, there] = np.nanquantile(values[:, there], tails, axis=0)
    return ends[0], ends[1]
