"""Battles → Wins: matches as they were played."""

import numpy as np

from winodds.arrays import Floats, Ints, number_keys, sum_by
from winodds.design.design import Pairs
from winodds.matches.results import Battles, check_clusters
from winodds.matches.wins import BattleEvidence, Reach, Wins, kish, total_matches


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
        tournament_weight=np.array([weight.sum()]),
        design_effect=kish(weight, np.ones(weight.size, dtype=np.int64)),
        reach=_reach_battles(design, won, met),
        worst_rank=None,
    )


def _of_players(design: Pairs, first: Floats | Ints, second: Floats | Ints) -> Floats:
    """(m,) sums over the pairs of what their first and second players have."""
    size = design.players
    return sum_by(design.first, first, size) + sum_by(design.second, second, size)


def _reach_battles(design: Pairs, won: Floats, met: Ints) -> Reach:
    """Who won or tied against whom, from the wins and battles of each pair."""
    ahead, behind = won > 0.0, won < met
    return Reach(
        source=np.concatenate([design.first[ahead], design.second[behind]]),
        target=np.concatenate([design.second[ahead], design.first[behind]]),
        nodes=design.players,
    )
