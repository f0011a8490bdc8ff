"""Matches of one pair, by the clusters that they hang on."""

from dataclasses import replace

import numpy as np
import pytest

from winodds.arrays import Floats
from winodds.matches.games import Games, score_table
from winodds.matches.meetings import Meetings, Pairings
from winodds.matches.results import Battles, Results


def _results(seed: int, tournaments: int) -> Results:
    """Six players in twelve rounds, rounded so that there are ties, with gaps and failed runs."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(12, 6)).round(1)
    table[rng.random(table.shape) < 0.1] = -np.inf
    kept = rng.random(table.shape) < 0.8
    tournament = np.arange(12) % tournaments
    return Results(
        players=6,
        start=np.concatenate([[0], np.cumsum(kept.sum(axis=1))]),
        player=np.nonzero(kept)[1],
        value=table[kept],
        weight=np.ones(12),
        cluster=tournament if tournaments > 1 else np.arange(12) // 2,
        tournament=tournament,
    )


def _slow(games: Games, weight: Floats, a: int, b: int) -> Meetings:
    """Every match on its own, added to the clusters of its rounds."""
    results = games.results
    table = score_table(results)
    several = results.tournament.max() > 0
    won: dict[int, float] = {}
    met: dict[int, float] = {}
    matches = 0
    for r in range(12):
        for s in range(12):
            same = (
                r == s if games.kind == "within" else results.tournament[r] == results.tournament[s]
            )
            own, other = table[r, a], table[s, b]
            if not same or np.isnan(own) or np.isnan(other) or own == other == -np.inf:
                continue
            gap = 0.0 if own == other else own - other
            outcome = 0.5 if abs(gap) <= games.tolerance + 1e-12 else float(gap > 0)
            matches += 1
            hung = [results.cluster[r]]
            if games.kind == "across" and not several:
                hung.append(results.cluster[s])
            for cluster in hung:
                won[cluster] = won.get(cluster, 0.0) + weight[r] * outcome
                met[cluster] = met.get(cluster, 0.0) + weight[r]
    keys = sorted(met)
    twice = 2 if games.kind == "across" and not several else 1
    return Meetings(
        np.array([won[k] for k in keys]), np.array([met[k] for k in keys]), matches, twice
    )


@pytest.mark.parametrize("kind", ["within", "across"])
@pytest.mark.parametrize("tournaments", [1, 3])
@pytest.mark.parametrize("tolerance", [0.0, 0.3])
def test_meetings_are_those_of_the_slow_twin(kind: str, tournaments: int, tolerance: float) -> None:
    for seed in range(4):
        results = _results(seed, tournaments)
        games = Games("across" if kind == "across" else "within", results, tolerance)
        weight = np.linspace(1.0, 2.0, 3)[results.tournament % 3]
        pairings = Pairings(games, weight, np.array([4, 0, 2]))
        for i, j in ((0, 1), (1, 2), (2, 0)):
            found = pairings.of(i, j)
            wanted = _slow(games, weight, (4, 0, 2)[i], (4, 0, 2)[j])
            assert (found.matches, found.hung) == (wanted.matches, wanted.hung)
            np.testing.assert_allclose(found.won, wanted.won, rtol=1e-12)
            np.testing.assert_allclose(found.met, wanted.met, rtol=1e-12)
            duel = games.duel((4, 0, 2)[i], (4, 0, 2)[j])
            assert found.matches == duel.won + duel.lost + duel.tied


def test_battles_count_in_both_orders_with_their_weights() -> None:
    battles = Battles(
        players=3,
        first=np.array([0, 1, 0, 2, 1]),
        second=np.array([1, 0, 2, 1, 0]),
        outcome=np.array([1.0, 1.0, 0.0, 0.5, 0.5]),
        weight=np.array([1.0, 2.0, 4.0, 8.0, 16.0]),
        cluster=np.array([0, 0, 0, 1, 1]),
    )
    found = Pairings(Games("battles", battles), battles.weight, np.arange(3)).of(0, 1)
    assert (found.matches, found.hung) == (3, 1)
    assert (found.won.tolist(), found.met.tolist()) == ([1.0, 8.0], [3.0, 16.0])
    alone = Games("battles", replace(battles, cluster=None))
    found = Pairings(alone, battles.weight, np.arange(3)).of(1, 0)
    assert (found.won.tolist(), found.met.tolist()) == ([0.0, 2.0, 8.0], [1.0, 2.0, 16.0])
