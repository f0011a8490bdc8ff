"""Picks that are made on some rounds and judged on others."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from winodds import rate
from winodds.arrays import Floats, Ints
from winodds.season.picks import (
    HeldOut,
    Picks,
    Played,
    always,
    choose_best,
    choose_median,
    gather,
    hold_out,
    mean_over,
    play,
    play_all,
)

GAP, FAILED = np.nan, -np.inf


def make_rounds(
    scores: Sequence[Sequence[float]] | Floats,
    *,
    cluster: Sequence[int] | None = None,
    weight: Sequence[float] | None = None,
    **options: Any,
) -> tuple[HeldOut, Ints]:
    """Rounds of a table, rounds × players, and the place of each player on its board."""
    table = np.asarray(scores, np.float64)
    rounds, players = table.shape
    rows = pl.DataFrame(
        {
            "player": [f"p{k}" for k in range(players)] * rounds,
            "round": np.repeat(np.arange(rounds), players),
            "score": [None if cell == FAILED else cell for cell in table.ravel().tolist()],
            "cluster": np.repeat(np.arange(rounds) if cluster is None else cluster, players),
            "weight": np.repeat(np.ones(rounds) if weight is None else weight, players),
        }
    )
    board = rate(
        rows.filter(pl.col("score").is_nan().fill_null(value=False).not_()),
        higher_is_better=True,
        missing="lose",
        cluster=None if cluster is None else "cluster",
        weights=None if weight is None else "weight",
        **options,
    )
    order = np.array([int(player[1:]) for player in board.players])
    return hold_out(board.components[0]), np.argsort(order)


def best_of(rounds: HeldOut, sets: Sequence[Ints]) -> Picks:
    chosen = [(own, choose_best(rounds.standing[:, own])) for own in sets]
    return gather(chosen, rounds.standing.shape[0])


def meet(
    scores: Sequence[Sequence[float]] | Floats,
    first: Sequence[int],
    second: Sequence[int],
    **options: Any,
) -> tuple[float, int]:
    """Best of the first players against the best of the others, and the number of rounds."""
    rounds, place = make_rounds(scores, **options)
    picks = best_of(rounds, [place[list(first)], place[list(second)]])
    found = play(rounds, picks, np.array([0]), np.array([1]))
    return float(found.value[0]), int(found.rounds[0])


# By hand ------------------------------------------------------------------------------------------

SCORES = [[3.0, 1.0, 2.0], [1.0, 3.0, 2.0], [3.0, 2.0, 1.0], [3.0, 1.0, 2.0]]
"""Points of p0, p1, p2 by round: 2 0 1, 0 2 1, 2 1 0, 2 0 1."""


def test_pick_is_made_on_the_other_rounds() -> None:
    # p0 has more points than p1 without any of the rounds, and beats p2 in all but the second.
    assert meet(SCORES, [0, 1], [2]) == (0.75, 4)


def test_luck_of_single_rounds_is_left_behind() -> None:
    # Each of three wins one round; p3 is second in all. Points: 3 0 1 2, 1 3 0 2, 0 1 3 2.
    scores = [[4.0, 1.0, 2.0, 3.0], [2.0, 4.0, 1.0, 3.0], [1.0, 2.0, 4.0, 3.0]]
    # Without round 1 p1 has most, with 4 points; it is last there. The same in the others.
    assert meet(scores, [0, 1, 2], [3]) == (0.0, 3)


def test_equal_picks_share_a_round() -> None:
    # Without round 1, p0 and p1 have 2 points each: one beats p2 there, the other does not.
    # Without round 2 p0 leads by 4 to 1, and without round 3 as well.
    scores = [[3.0, 1.0, 2.0], [3.0, 1.0, 2.0], [1.0, 3.0, 2.0]]
    rounds, place = make_rounds(scores)
    picks = best_of(rounds, [place[[0, 1]], place[[2]]])
    counts = np.diff(picks.start).tolist()
    assert counts == [2, 2, 1, 1, 1, 1]
    assert picks.share.tolist() == [0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0]
    # Rounds 1 and 2: half a point each; in round 3 p0 is picked and loses.
    assert_allclose(meet(scores, [0, 1], [2]), [1 / 3, 3])


def test_player_wins_half_against_itself() -> None:
    assert meet(SCORES, [0], [0]) == (0.5, 4)
    assert meet(SCORES, [0, 1], [0]) == (0.5, 4)
    assert meet(SCORES, [0], [0], matches="across") == (0.5, 4)


def test_scores_within_the_tolerance_tie() -> None:
    scores = [[3.0, 2.0], [3.0, 1.0], [0.0, 1.0]]
    assert_allclose(meet(scores, [0], [1]), [2 / 3, 3])
    assert_allclose(meet(scores, [0], [1], tie_tolerance=1.0), [2 / 3, 3])
    assert_allclose(
        meet([[3.0, 2.0], [3.0, 2.5], [0.0, 5.0]], [0], [1], tie_tolerance=1.0), [1 / 3, 3]
    )


def test_weights_count_in_the_pick_and_in_the_mean() -> None:
    assert_allclose(meet(SCORES, [0], [2], weight=[1.0, 5.0, 1.0, 1.0]), [3 / 8, 4])
    # With weight 5 on the second round p1 is picked for the others, and loses two of them.
    assert_allclose(meet(SCORES, [0, 1], [2], weight=[1.0, 5.0, 1.0, 1.0]), [1 / 8, 4])


def test_pick_without_a_score_does_not_play_the_round() -> None:
    scores = [[3.0, 1.0, 2.0], [3.0, 1.0, 2.0], [3.0, 1.0, 2.0], [GAP, 3.0, 2.0]]
    assert meet(scores, [0, 1], [2]) == (1.0, 3)


def test_one_lucky_round_does_not_make_a_pick() -> None:
    # p1 won all matches of its only round. There p0 lost one, the only one of ten rounds.
    scores = [[3.0, GAP, 1.0, 2.0]] * 9 + [[3.0, 4.0, 1.0, 2.0]]
    rounds, place = make_rounds(scores)
    own = place[[0, 1]]
    assert choose_best(rounds.standing[:, own]).tolist() == [[True, False]] * 10
    # Without the first round, 18 of 19 and 3 of 3; a tenth of 19 is added to both, half of it won.
    assert_allclose(rounds.standing[0, own], [(18 + 0.95) / (19 + 1.9), (3 + 0.95) / (3 + 1.9)])


def test_player_who_played_nowhere_else_is_not_picked() -> None:
    rounds, place = make_rounds([[3.0, 1.0, 2.0], [1.0, GAP, 2.0], [3.0, GAP, 2.0]])
    assert np.isneginf(rounds.standing[:, place[1]]).tolist() == [True, False, False]
    picks = best_of(rounds, [place[[1]]])
    assert np.diff(picks.start).tolist() == [0, 1, 1]
    # It is picked only for rounds in which it has no score.
    found = play_all(rounds, picks)
    assert np.isnan(found.value[0])
    assert np.isnan(found.variance[0])
    assert found.rounds.tolist() == [0]


def test_failed_run_loses_and_two_of_them_do_not_meet() -> None:
    scores = [[FAILED, 1.0, 2.0], [3.0, 1.0, 2.0], [FAILED, 3.0, FAILED], [3.0, 1.0, 2.0]]
    assert_allclose(meet(scores, [0], [2]), [2 / 3, 3])


def test_whole_clusters_are_left_out() -> None:
    # In the first cluster p0 wins both rounds, in the others p1 does.
    scores = [[3.0, 1.0, 2.0]] * 2 + [[1.0, 3.0, 2.0]] * 2 + [[1.0, 3.0, 2.0]]
    rounds, place = make_rounds(scores, cluster=[0, 0, 1, 1, 2])
    assert rounds.standing.shape == (3, 3)
    # Without cluster 1, p0 has 4 points and p1 2; without cluster 2 both have 4.
    picks = best_of(rounds, [place[[0, 1]]])
    names = np.argsort(place)[picks.player].tolist()
    assert np.diff(picks.start).tolist() == [1, 1, 2]
    assert names[:2] == [1, 0]
    assert sorted(names[2:]) == [0, 1]
    assert_allclose(meet(scores, [0, 1], [2], cluster=[0, 0, 1, 1, 2]), [0.1, 5])


def test_median_is_the_lower_of_two_in_the_middle() -> None:
    standing = np.array([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, -np.inf], [-np.inf] * 4])
    assert choose_median(standing).tolist() == [
        [False, True, False, False],
        [False, True, False, False],
        [False] * 4,
    ]
    assert choose_median(np.array([[0.2, 0.2, 0.2, 0.5]])).tolist() == [[True, True, True, False]]
    assert choose_best(standing).tolist() == [
        [False, False, False, True],
        [True, False, False, False],
        [False] * 4,
    ]


def test_variance_is_that_of_independent_clusters() -> None:
    rounds, place = make_rounds(SCORES)
    picks = gather([always(int(place[0])), always(int(place[2]))], 4)
    found = play(rounds, picks, np.array([0, 1]), np.array([1, 0]))
    # Points 1, 0, 1, 1 around ¾, divided by four.
    assert_allclose(found.variance, [0.75 / 16] * 2)
    rounds, place = make_rounds(SCORES, cluster=[0, 0, 1, 1])
    picks = gather([always(int(place[0])), always(int(place[2]))], 2)
    found = play(rounds, picks, np.array([0]), np.array([1]))
    # Together −½ in the one cluster and ½ in the other.
    assert_allclose(found.variance, [0.5 / 16])


def test_picks_play_all_others() -> None:
    rounds, place = make_rounds(SCORES)
    found = play_all(rounds, best_of(rounds, [place[[0, 1]], place[[2]]]))
    # p0 has 6 of 8 points, p2 3 of 8.
    assert_allclose(found.value, [6 / 8, 3 / 8])
    assert found.rounds.tolist() == [4, 4]


# The slow twin ------------------------------------------------------------------------------------


Picker = Callable[[int], list[int]]
"""Who is picked when a cluster is left out."""


class Twin:
    """The same with loops over all matches."""

    def __init__(
        self, scores: Floats, *, cluster: Ints, weight: Floats, tolerance: float, across: bool
    ) -> None:
        self.scores, self.cluster, self.tolerance = scores, cluster.tolist(), tolerance
        rounds = range(scores.shape[0])
        self.met = [(r, s) for r in rounds for s in rounds if across or r == s]
        self.weight = np.ones(len(rounds)) if across else weight
        self.players = range(scores.shape[1])
        counts = {out: [self.count(k, out) for k in self.players] for out in set(self.cluster)}
        par = max(played for own in counts.values() for _, played in own) / len(rounds)
        self.standing = {
            out: [(won + par / 2) / (played + par) if played else -np.inf for won, played in own]
            for out, own in counts.items()
        }

    def points(self, r: int, one: int, s: int, other: int) -> float | None:
        x, y = self.scores[r, one], self.scores[s, other]
        if np.isnan(x) or np.isnan(y) or (x == y == FAILED):
            return None
        if one == other or x == y or abs(x - y) <= self.tolerance:
            return 0.5
        return float(x > y)

    def count(self, player: int, out: int) -> tuple[float, float]:
        won = played = 0.0
        for r, s in self.met:
            if out in (self.cluster[r], self.cluster[s]):
                continue
            for other in self.players:
                points = None if other == player else self.points(r, player, s, other)
                if points is not None:
                    won += self.weight[r] * points
                    played += self.weight[r]
        return won, played

    def best(self, members: Sequence[int], out: int) -> list[int]:
        top = max(self.standing[out][k] for k in members)
        if top == -np.inf:
            return []
        return [k for k in members if self.standing[out][k] > top - 1e-9]

    def median(self, members: Sequence[int], out: int) -> list[int]:
        known = sorted(own for k in members if (own := self.standing[out][k]) > -np.inf)
        if not known:
            return []
        middle = known[(len(known) - 1) // 2]
        return [k for k in members if abs(self.standing[out][k] - middle) < 1e-9]

    def play(self, one: Picker, other: Picker) -> tuple[float, int]:
        total, weight, rounds = 0.0, 0.0, set()
        for r, s in self.met:
            mine, theirs = one(self.cluster[r]), other(self.cluster[s])
            for a in mine:
                for b in theirs:
                    points = self.points(r, a, s, b)
                    if points is not None:
                        part = self.weight[r] / (len(mine) * len(theirs))
                        total, weight = total + part * points, weight + part
                        rounds.add(r)
        return total / weight if weight else np.nan, len(rounds)

    def play_all(self, members: Sequence[int]) -> float:
        total = weight = 0.0
        for r, s in self.met:
            mine = self.best(members, self.cluster[r])
            for a in mine:
                for b in self.players:
                    points = None if a == b else self.points(r, a, s, b)
                    if points is not None:
                        total += self.weight[r] / len(mine) * points
                        weight += self.weight[r] / len(mine)
        return total / weight if weight else np.nan


def draw_scores(rng: np.random.Generator, rounds: int, players: int, *, gaps: bool) -> Floats:
    """Whole numbers, so that there are ties; every player has a score in the first two rounds."""
    scores = np.round(2.0 * rng.normal(size=(rounds, players)) + rng.normal(size=players))
    if gaps:
        chance = rng.random((rounds, players))
        chance[:2] = 1.0
        scores[chance < 0.25] = GAP
        scores[(chance >= 0.25) & (chance < 0.4)] = FAILED
    return scores + 0.0


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("tolerance", [0.0, 1.0])
@pytest.mark.parametrize("cluster", [None, [0, 0, 1, 2, 2, 2, 3]])
def test_picks_agree_with_the_slow_twin(
    across: bool, gaps: bool, tolerance: float, cluster: list[int] | None
) -> None:
    rng = np.random.default_rng(7)
    scores = draw_scores(rng, 7, 6, gaps=gaps)
    weight = None if across else rng.uniform(0.5, 2.0, 7)
    rounds, place = make_rounds(
        scores,
        cluster=cluster,
        weight=None if weight is None else weight.tolist(),
        tie_tolerance=tolerance,
        matches="across" if across else "within",
    )
    twin = Twin(
        scores,
        cluster=np.arange(7) if cluster is None else np.array(cluster),
        weight=np.ones(7) if weight is None else weight,
        tolerance=tolerance,
        across=across,
    )
    standing, first, second = rounds.standing, [0, 1, 2], [3, 4, 5]
    for out, own in twin.standing.items():
        assert_allclose(standing[out, place], own, rtol=1e-9)
    sets = [place[first], place[second]]
    best = [(own, choose_best(standing[:, own])) for own in sets]
    median = sets[1], choose_median(standing[:, sets[1]])
    picks = gather([*best, median, always(int(place[4]))], standing.shape[0])
    found = play(rounds, picks, np.array([0, 0, 0]), np.array([1, 2, 3]))
    others: list[Picker] = [partial(twin.best, second), partial(twin.median, second), four]
    for k, other in enumerate(others):
        wanted, number = twin.play(partial(twin.best, first), other)
        assert_allclose(found.value[k], wanted, rtol=1e-9)
        assert found.rounds[k] == number
    against_all = play_all(rounds, best_of(rounds, sets)).value
    assert_allclose(against_all, [twin.play_all(own) for own in (first, second)], rtol=1e-9)


def four(_out: int) -> list[int]:
    """A default."""
    return [4]


# Laws ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("matches", ["within", "across"])
def test_chances_of_two_sets_add_up_to_one(matches: str) -> None:
    rng = np.random.default_rng(3)
    rounds, place = make_rounds(draw_scores(rng, 6, 7, gaps=True), matches=matches)
    picks = best_of(rounds, [place[[0, 1, 2]], place[[3, 4]], place[[5, 6]]])
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    one, other = play(rounds, picks, first, second), play(rounds, picks, second, first)
    assert_allclose(one.value + other.value, 1.0, rtol=1e-12)
    assert_allclose(one.variance, other.variance, rtol=1e-9)


@pytest.mark.parametrize("gaps", [False, True])
def test_order_of_players_and_rounds_and_the_scale_of_scores_do_not_matter(gaps: bool) -> None:
    rng = np.random.default_rng(4)
    scores = draw_scores(rng, 6, 7, gaps=gaps)
    wanted = meet(scores, [0, 1, 2], [3, 4, 5])
    player, row = rng.permutation(7), rng.permutation(6)
    place = np.argsort(player)
    shuffled = scores[row][:, player]
    found = meet(shuffled, place[:3].tolist(), place[3:6].tolist())
    assert_allclose(found, wanted, rtol=1e-12)
    stretched = np.where(np.isfinite(scores), np.exp(scores / 3.0), scores)
    assert meet(stretched, [0, 1, 2], [3, 4, 5]) == wanted


def test_scores_of_a_cluster_have_no_say_in_its_pick() -> None:
    rng = np.random.default_rng(5)
    scores, cluster = rng.normal(size=(6, 5)), [0, 0, 1, 1, 2, 2]
    for matches in ("within", "across"):
        before, place = make_rounds(scores, cluster=cluster, matches=matches)
        changed = scores.copy()
        changed[2:4] = rng.normal(size=(2, 5))
        after, new_place = make_rounds(changed, cluster=cluster, matches=matches)
        assert_allclose(before.standing[1, place], after.standing[1, new_place], rtol=1e-12)


# The mean over tournaments ------------------------------------------------------------------------


def over(values: Sequence[float], *, rounds: int = 10, variance: float = 0.0) -> tuple[float, ...]:
    chances = np.array(values)
    found = mean_over(
        Played(chances, np.full(chances.size, rounds), np.full(chances.size, variance)), 0.95
    )
    return float(found.low), float(found.value), float(found.high)


def test_interval_of_the_mean_is_made_on_the_logit() -> None:
    # sd .1, error .1/√3, t(2) is 4.3027, and the logit's slope at .7 is 1/.21.
    reach = 4.302652729749462 * 0.1 / np.sqrt(3.0) / 0.21
    middle = np.log(0.7 / 0.3)
    wanted = [1.0 / (1.0 + np.exp(-(middle + side * reach))) for side in (-1.0, 0.0, 1.0)]
    assert_allclose(over([0.6, 0.7, 0.8]), wanted, rtol=1e-9)


def test_equal_chances_are_no_surer_than_their_rounds() -> None:
    # The variance of the mean of two is half of .025.
    reach = 12.706204736174694 * np.sqrt(0.0125) / 0.25
    wanted = [1.0 / (1.0 + np.exp(-side * reach)) for side in (-1.0, 0.0, 1.0)]
    assert_allclose(over([0.5, 0.5], variance=0.025), wanted, rtol=1e-9)
    assert over([0.5, 0.5]) == (0.5, 0.5, 0.5)


def test_chances_that_are_always_one_stay_below_it() -> None:
    # Half a round of 30 is taken off, and one more; three of three are compatible with ∛.025.
    assert_allclose(over([1.0, 1.0, 1.0]), [0.025 ** (1 / 3), 1.0 - 0.5 / 31.0, 1.0])
    assert_allclose(over([0.0, 0.0, 0.0]), [0.0, 0.5 / 31.0, 1.0 - 0.025 ** (1 / 3)])
    found = mean_over(Played(np.ones((3, 1)), np.full((3, 1), 10), np.zeros((3, 1))), 0.95)
    assert found.open_above.tolist() == [True]
    assert found.open_below.tolist() == [False]


def test_one_tournament_has_no_interval_and_none_has_no_mean() -> None:
    chances = np.array([[0.4, np.nan], [np.nan, np.nan]])
    found = mean_over(Played(chances, np.array([[10, 0], [0, 0]]), 0.0 * chances), 0.95)
    assert_array_equal(found.value, [0.4, np.nan])
    assert_array_equal(found.low, [np.nan, np.nan])
    assert_array_equal(found.high, [np.nan, np.nan])
    assert found.tournaments.tolist() == [1, 0]
    assert found.open_above.tolist() == [False, False]


def test_mean_of_the_others_chances_mirrors_it() -> None:
    low, value, high = over([0.6, 0.9, 0.75], variance=0.01)
    assert_allclose(
        over([0.4, 0.1, 0.25], variance=0.01), [1.0 - high, 1.0 - value, 1.0 - low], rtol=1e-9
    )
