"""Results → Wins: who met whom, and who won.

Nothing here is quadratic in the players: within a round the number of wins is a rank, so sorting
is enough. A win counts 1, a tie ½ for each side.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from scipy import sparse

from winodds.arrays import Bools, Floats, Ints, number_keys, renumber, sum_by
from winodds.design.design import Cliques, Design, Pairs
from winodds.matches.beaten import count_flags, sort_stretches, standing
from winodds.matches.errors import NoMatches, TooFewClusters

MatchKind: TypeAlias = Literal["within", "across", "battles"]


@dataclass(frozen=True, slots=True)
class Results:
    """Scores as the matches need them: sorted by round, larger is better.

    Attributes
    ----------
    players : number of players m.
    start : (R + 1,) where each round begins in the arrays below.
    player : (S,) players of the round, ascending within a round.
    value : (S,) their scores; −inf is a failed run, which lost to every score of its round.
    weight : (R,) weight of a match in each round.
    cluster : (R,) cluster of each round, 0 … G − 1.
    tournament : (R,) tournament of each round, 0 … T − 1.
    """

    players: int
    start: Ints
    player: Ints
    value: Floats
    weight: Floats
    cluster: Ints
    tournament: Ints

    @property
    def rounds(self) -> int:
        return int(self.start.size - 1)

    @property
    def clusters(self) -> int:
        return int(self.cluster.max()) + 1

    @property
    def round_of(self) -> Ints:
        """(S,) the round of each score."""
        return np.repeat(np.arange(self.rounds), np.diff(self.start))

    def of_players(self, chosen: Ints) -> "Results":
        """The results of a group of players who met none of the others."""
        number = numbering(chosen, self.players)
        inside = number[self.player] >= 0
        size = np.bincount(self.round_of[inside], minlength=self.rounds)
        met = size > 0
        return Results(
            players=chosen.size,
            start=np.concatenate([[0], np.cumsum(size[met])]),
            player=number[self.player[inside]],
            value=self.value[inside],
            weight=self.weight[met],
            cluster=renumber(self.cluster[met]),
            tournament=renumber(self.tournament[met]),
        )


@dataclass(frozen=True, slots=True)
class Battles:
    """Matches given one by one.

    Attributes
    ----------
    players : number of players m.
    first, second : (B,) who met.
    outcome : (B,) 1 when the first won, ½ for a tie, 0 when the second won.
    weight : (B,).
    cluster : (B,) cluster of each battle, 0 … G − 1; None when each is its own.
    """

    players: int
    first: Ints
    second: Ints
    outcome: Floats
    weight: Floats
    cluster: Ints | None

    @property
    def clusters(self) -> int:
        return self.first.size if self.cluster is None else int(self.cluster.max()) + 1

    def of_players(self, chosen: Ints) -> "Battles":
        """The battles of some players among themselves."""
        number = numbering(chosen, self.players)
        kept = (number[self.first] >= 0) & (number[self.second] >= 0)
        cluster = None
        if self.cluster is not None:
            cluster = renumber(self.cluster[kept])
        return Battles(
            players=chosen.size,
            first=number[self.first[kept]],
            second=number[self.second[kept]],
            outcome=self.outcome[kept],
            weight=self.weight[kept],
            cluster=cluster,
        )


@dataclass(frozen=True, slots=True)
class Reach:
    """A graph in which i reaches j when a chain of wins or ties leads from i to j.

    The first m nodes are players; the others stand for "everyone up to this score of the round",
    so that there are as few edges as scores.

    Attributes
    ----------
    source, target : (E,) edges.
    nodes : number of nodes.
    """

    source: Ints
    target: Ints
    nodes: int


@dataclass(frozen=True, slots=True)
class RoundEvidence:
    """What each cluster of rounds contributed, for the robust variance.

    Attributes
    ----------
    wins : (G, m) weighted wins in the matches that hang on the cluster.
    cliques : (G, Q) weights of the design's cliques in those matches.
    played : (m,) number of clusters in which a player took part.
    power : the variance is (G/(G − 1))^power times the sum of squared influences.
    """

    wins: sparse.csr_array | Floats
    cliques: sparse.csr_array | Floats
    played: Ints
    power: int

    @property
    def clusters(self) -> int:
        return int(self.wins.shape[0])


@dataclass(frozen=True, slots=True)
class BattleEvidence:
    """The single battles, for the robust variance.

    Attributes
    ----------
    pair : (B,) index into the design's pairs.
    outcome : (B,) of the pair's first player.
    weight : (B,).
    cluster : (B,), or None when each battle is its own cluster.
    played : (m,) number of clusters in which a player took part.
    """

    pair: Ints
    outcome: Floats
    weight: Floats
    cluster: Ints | None
    played: Ints

    @property
    def clusters(self) -> int:
        return self.pair.size if self.cluster is None else int(self.cluster.max()) + 1

    @property
    def power(self) -> int:
        return 1


@dataclass(frozen=True, slots=True)
class Wins:
    """What a rating needs to know of the matches.

    Attributes
    ----------
    kind : how scores became matches.
    design : who met whom.
    wins : (m,) weighted wins.
    raw_wins, raw_matches : (m,) the same, each match counted once.
    matches, ties : how many matches there were, and how many of them were ties.
    evidence : contributions of the clusters.
    match_weight : (R,) or (B,) weight of a match in each round, or of each battle.
    design_effect : what unequal weights do to a model-based variance (Kish's factor).
    reach : the graph of wins and ties, unless ``worst_rank`` says it all.
    worst_rank : (m,) for complete rounds: how many players, oneself included, a player failed to
        beat in the round where these were most.
    """

    kind: MatchKind
    design: Design
    wins: Floats
    raw_wins: Floats
    raw_matches: Ints
    matches: int
    ties: int
    evidence: RoundEvidence | BattleEvidence
    match_weight: Floats
    design_effect: float
    reach: Reach | None
    worst_rank: Ints | None


def count_within(results: Results, *, tolerance: float = 0.0) -> Wins:
    """Everyone meets everyone else once in every round where both have a score.

    Scores that differ by ``tolerance`` or less tie. Such ties are not transitive, so they are
    counted for each score by binary search and not through ranks.
    """
    check_clusters(results.clusters)
    failed = np.isneginf(results.value)
    sizes, failures = np.diff(results.start), count_flags(failed, results.start)
    complete = results.player.size == results.rounds * results.players and not failed.any()
    order = sort_stretches(results.value, results.start, equal_sizes=complete)
    beaten, beaten_by = standing(results.value, results.start, order, tolerance)
    opponents = np.repeat(sizes - 1, sizes)
    totals = _sum_rounds if complete else _sum_scores
    if failures.any():
        opponents -= np.where(failed, np.repeat(failures - 1, sizes), 0)
    entry_wins = 0.5 * (opponents + beaten - beaten_by).astype(np.float64)
    round_matches = sizes * (sizes - 1) // 2 - failures * (failures - 1) // 2
    weight = normalise_weights(results.weight, round_matches, results.tournament)
    weighted = entry_wins * np.repeat(weight, sizes)
    members, shares = _round_cliques(results, failed, weight, complete=complete)
    cliques = _by_cluster(members, results)
    matches = total_matches(round_matches)
    return Wins(
        kind="within",
        design=Cliques(shares, np.asarray(cliques.sum(axis=0)).ravel()),
        wins=totals(weighted, results),
        raw_wins=totals(entry_wins, results),
        raw_matches=totals(opponents, results).astype(np.int64),
        matches=matches,
        ties=matches - int(beaten.sum()),
        evidence=RoundEvidence(
            wins=_cluster_wins(weighted, results, complete=complete),
            cliques=cliques,
            played=count_clusters(results),
            power=1,
        ),
        match_weight=weight,
        design_effect=kish(weight, round_matches),
        reach=None if complete else chain_reach(results.start, results, order, beaten_by, failed),
        worst_rank=_worst_rank(beaten, results) if complete else None,
    )


def count_battles(battles: Battles) -> Wins:
    """Matches as they were played."""
    players, first, second = battles.players, battles.first, battles.second
    total_matches(np.array([first.size]))
    weight = battles.weight / battles.weight.max()
    weight *= weight.size / weight.sum()
    swap = first > second
    low, high = np.where(swap, second, first), np.where(swap, first, second)
    outcome = np.where(swap, 1.0 - battles.outcome, battles.outcome)
    keys, pair = number_keys(low * players + high)
    weights = sum_by(pair, weight, keys.size)
    design = Pairs(first=keys // players, second=keys % players, weights=weights, players=players)
    met = np.bincount(pair, minlength=keys.size)
    won, weighted = (sum_by(pair, amount, keys.size) for amount in (outcome, outcome * weight))
    raw_matches = _of_players(design, met, met).astype(np.int64)
    played = raw_matches
    if battles.cluster is not None:
        ends = np.concatenate([low, high])
        both = np.unique(np.tile(battles.cluster, 2) * players + ends)
        played = np.bincount(both % players, minlength=players)
    evidence = BattleEvidence(pair, outcome, weight, battles.cluster, played)
    check_clusters(evidence.clusters)
    return Wins(
        kind="battles",
        design=design,
        wins=_of_players(design, weighted, weights - weighted),
        raw_wins=_of_players(design, won, met - won),
        raw_matches=raw_matches,
        matches=int(first.size),
        ties=int((outcome == 0.5).sum()),
        evidence=evidence,
        match_weight=weight,
        design_effect=kish(weight, np.ones(weight.size, dtype=np.int64)),
        reach=_reach_battles(design, won, met),
        worst_rank=None,
    )


def _of_players(design: Pairs, first: Floats | Ints, second: Floats | Ints) -> Floats:
    """(m,) sums over the pairs of what their first and second players have."""
    size = design.players
    return sum_by(design.first, first, size) + sum_by(design.second, second, size)


def count_clusters(results: Results) -> Ints:
    """(m,) number of clusters in which a player has a score or a failed run."""
    if results.player.size == results.rounds * results.players:
        return np.full(results.players, results.clusters)
    cluster = results.cluster[results.round_of]
    both = np.unique(cluster * results.players + results.player)
    return np.bincount(both % results.players, minlength=results.players)


def numbering(chosen: Ints, players: int) -> Ints:
    """(players,) place of each player among the chosen ones, −1 for the others."""
    number = np.full(players, -1)
    number[chosen] = np.arange(chosen.size)
    return number


def check_clusters(clusters: int, unit: str = "cluster") -> None:
    """Raise `TooFewClusters` when there is no variation between clusters to see."""
    if clusters < 2:
        raise TooFewClusters(clusters=clusters, unit=unit)


def total_matches(round_matches: Ints) -> int:
    matches = int(round_matches.sum())
    if matches == 0:
        raise NoMatches()
    return matches


def normalise_weights(weight: Floats, round_matches: Ints, tournament: Ints) -> Floats:
    """Equal total weight for every tournament, and a mean weight of one for a match."""
    largest = np.zeros(int(tournament.max()) + 1)
    np.maximum.at(largest, tournament, weight)
    weight = weight / largest[tournament] if largest.size > 1 else weight / largest
    if largest.size > 1:
        total = np.bincount(tournament, weights=weight * round_matches)
        weight = weight / total[tournament]
    if (weight == weight[0]).all():
        return np.ones_like(weight)
    normalised: Floats = weight * (round_matches.sum() / (weight @ round_matches))
    return normalised


def kish(weight: Floats, round_matches: Ints) -> float:
    """Kish's design effect: how much unequal weights inflate a variance."""
    return float((weight**2 @ round_matches) / (weight @ round_matches))


def _aggregate(label: Ints, labels: int) -> sparse.csr_array:
    """(labels, n) matrix that adds up what bears the same label."""
    ones = np.ones(label.size)
    return sparse.csr_array((ones, (label, np.arange(label.size))), shape=(labels, label.size))


def _sum_scores(amount: Floats | Ints, results: Results) -> Floats:
    """(m,) sums over each player's scores."""
    return sum_by(results.player, amount, results.players)


def _sum_rounds(amount: Floats | Ints, results: Results) -> Floats:
    """The same for complete rounds, where nobody has to be looked up."""
    total: Floats = amount.reshape(results.rounds, results.players).sum(axis=0, dtype=np.float64)
    return total


def _by_cluster(by_round: sparse.csr_array | Floats, results: Results) -> sparse.csr_array | Floats:
    """(G, k) sums over the rounds of each cluster of what is given by round, (R, k)."""
    if results.clusters == results.rounds and bool(
        (results.cluster == np.arange(results.rounds)).all()
    ):
        return by_round
    total = _aggregate(results.cluster, results.clusters) @ by_round
    return total if isinstance(total, np.ndarray) else sparse.csr_array(total)


def _cluster_wins(
    weighted: Floats, results: Results, *, complete: bool
) -> sparse.csr_array | Floats:
    shape = (results.rounds, results.players)
    if complete:
        return _by_cluster(weighted.reshape(shape), results)
    by_round = sparse.csr_array((weighted, results.player, results.start), shape=shape)
    return _by_cluster(by_round, results)


def _worst_rank(beaten: Ints, results: Results) -> Ints:
    table = beaten.reshape(results.rounds, results.players)
    worst: Ints = results.players - table.min(axis=0)
    return worst


def _round_cliques(
    results: Results, failed: Bools, weight: Floats, *, complete: bool
) -> tuple[sparse.csr_array | Floats, sparse.csr_array]:
    """Cliques of the rounds: (R, Q) their weights and (Q, m) the shares."""
    if complete:
        return weight[:, None], sparse.csr_array(np.ones((1, results.players)))
    table = CliqueTable(results.players)
    for r, (begin, end) in enumerate(
        zip(results.start[:-1].tolist(), results.start[1:].tolist(), strict=True)
    ):
        present = results.player[begin:end]
        table.add(r, present, np.ones(present.size), float(weight[r]))
        missed = present[failed[begin:end]]
        if missed.size > 1:
            table.add(r, missed, np.ones(missed.size), -float(weight[r]))
    return table.matrices(results.rounds)


class CliqueTable:
    """Collects cliques and gives equal ones, up to a factor, the same number."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._known: dict[bytes, int] = {}
        self._cliques: list[tuple[Ints, Floats]] = []
        self._entries: list[tuple[int, int, float]] = []

    def add(self, owner: int, players: Ints, shares: Floats, weight: float) -> None:
        """Note that ``owner`` holds the clique with this weight."""
        factor = float(np.gcd.reduce(shares.astype(np.int64)))
        unit = shares / factor
        key = players.tobytes() + unit.tobytes()
        number = self._known.setdefault(key, len(self._cliques))
        if number == len(self._cliques):
            self._cliques.append((players, unit))
        self._entries.append((owner, number, weight * factor**2))

    def matrices(self, owners: int) -> tuple[sparse.csr_array, sparse.csr_array]:
        """(owners, Q) weights and (Q, m) shares."""
        owner, number, weight = (np.array(column) for column in zip(*self._entries, strict=True))
        count = len(self._cliques)
        weights = sparse.csr_array((weight, (owner, number)), shape=(owners, count))
        sizes = np.array([players.size for players, _ in self._cliques])
        shares = sparse.csr_array(
            (
                np.concatenate([shares for _, shares in self._cliques]),
                np.concatenate([players for players, _ in self._cliques]),
                np.concatenate([[0], np.cumsum(sizes)]),
            ),
            shape=(count, self._players),
        )
        return weights, shares


def chain_reach(
    start: Ints, results: Results, order: Ints, beaten_by: Ints, failed: Bools
) -> Reach:
    """Chains of helpers, one for each stretch of scores that met each other.

    The helper at a sorted position reaches the player there and the helper below; a player
    reaches the helper at the highest position that did not beat it.
    """
    scores = order.size
    helper = results.players + np.arange(scores)
    linked = np.ones(scores, np.bool_)
    linked[start[:-1]] = False
    end = np.repeat(start[1:], np.diff(start))
    highest = results.players + end - 1 - beaten_by
    won = ~failed
    return Reach(
        source=np.concatenate([helper, helper[linked], results.player[won]]),
        target=np.concatenate([results.player[order], helper[linked] - 1, highest[won]]),
        nodes=results.players + scores,
    )


def _reach_battles(design: Pairs, won: Floats, met: Ints) -> Reach:
    """Who won or tied against whom, from the wins and battles of each pair."""
    ahead, behind = won > 0.0, won < met
    return Reach(
        source=np.concatenate([design.first[ahead], design.second[behind]]),
        target=np.concatenate([design.second[ahead], design.first[behind]]),
        nodes=design.players,
    )
