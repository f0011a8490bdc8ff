"""The record of one pair: its share of wins and the interval of that."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from winodds.arrays import Floats
from winodds.fit.newton import fit
from winodds.inference.intervals import quantify
from winodds.inference.record import effective_matches, judge_record, wilson
from winodds.inference.structure import find_structure
from winodds.matches.games import Games
from winodds.matches.meetings import Meetings, Pairings
from winodds.matches.results import Results


def _meetings(won: list[float], met: list[float], hung: int = 1) -> Meetings:
    return Meetings(np.array(won), np.array(met), round(sum(met)) // hung, hung)


def _single(won: int, lost: int, tied: int = 0) -> Meetings:
    outcome = [1.0] * won + [0.0] * lost + [0.5] * tied
    return _meetings(outcome, [1.0] * len(outcome))


# Cases by hand ------------------------------------------------------------------------------------


def test_fifteen_of_twenty_are_52_to_89_of_100() -> None:
    """t(19) = 2.0930, t²/20 = 0.21904: middle 0.8595/1.2190, half-width √0.05306/1.2190."""
    found = judge_record(_single(15, 5), 0.95)
    assert found is not None
    assert (found.won, found.matches, found.effective) == (0.75, 20, 20.0)
    assert found.low == pytest.approx(0.5161, abs=1e-4)
    assert found.high == pytest.approx(0.8940, abs=1e-4)
    assert found.differs(0.52)
    assert not found.differs(0.61)


def test_ties_count_half_and_never_make_more_matches_than_there_are() -> None:
    found = judge_record(_single(6, 4, 10), 0.95)
    assert found is not None
    assert (found.won, found.matches) == (0.55, 20)
    assert found.effective == pytest.approx(20.0, rel=1e-12)


def test_clusters_that_agree_count_once() -> None:
    """Ten data sets of five rounds, seven won altogether and three lost: worth ten matches or so.

    The variance of the ten shares is 0.21 · 10/9 over 10, and that of 50 matches 0.21/49: the
    design effect is 5.444, and the 15 rounds that were lost are worth 15/5.444 = 2.755. Drawn to
    5 by one more, it is (2.755 · 5.444 + 5)/3.755 = 5.326, and 50/5.326 = 9.388.
    """
    found = _meetings([5.0] * 7 + [0.0] * 3, [5.0] * 10)
    assert effective_matches(found) == pytest.approx(9.388, abs=1e-3)
    sure = judge_record(found, 0.95)
    assert sure is not None
    wanted = wilson(0.7, effective_matches(found), stats.t.ppf(0.975, 9))
    assert (sure.low, sure.high) == pytest.approx(wanted, rel=1e-12)


def test_a_sweep_is_worth_as_many_matches_as_clusters() -> None:
    """All 50 rounds of ten data sets: (10, t(9) = 2.2622) goes down to 10/(10 + 5.1174)."""
    found = judge_record(_meetings([5.0] * 10, [5.0] * 10), 0.95)
    assert found is not None
    assert found.effective == pytest.approx(10.0, rel=1e-12)
    assert (found.low, found.high) == pytest.approx((10.0 / 15.1174, 1.0), abs=1e-5)


def test_one_lost_round_does_not_make_a_sweep_surer() -> None:
    sweep = judge_record(_meetings([5.0] * 10, [5.0] * 10), 0.95)
    nearly = judge_record(_meetings([5.0] * 9 + [4.0], [5.0] * 10), 0.95)
    assert sweep is not None
    assert nearly is not None
    assert sweep.low < nearly.won
    assert nearly.effective < 20.0


def test_matches_of_one_cluster_tell_nothing_of_new_ones() -> None:
    found = judge_record(_meetings([4.0], [5.0]), 0.95)
    assert found is not None
    assert (found.won, found.low, found.high, found.effective) == (0.8, 0.0, 1.0, 1.0)


def test_two_who_never_met_have_no_record() -> None:
    assert judge_record(Meetings(np.empty(0), np.empty(0), 0, 1), 0.95) is None


def test_matches_across_rounds_have_the_variance_of_delong() -> None:
    """Two players with twelve rounds each: the variance of the area under an ROC curve."""
    rng = np.random.default_rng(5)
    table = rng.normal(size=(12, 2)) + np.array([0.6, 0.0])
    games = _games(table, kind="across")
    met = Pairings(games, np.ones(12), np.array([0, 1])).of(0, 1)
    beats = (table[:, [0]] > table[:, 1]).astype(float)
    share = beats.mean()
    parts = beats.mean(axis=1) + beats.mean(axis=0)
    delong = parts.var(ddof=1) / 12
    assert (met.matches, met.hung) == (144, 2)
    assert met.share == pytest.approx(share, rel=1e-12)
    seen = max(delong * 143 / (share * (1.0 - share)), 1.0)
    known = 144 * min(share, 1.0 - share) / seen
    wanted = 144 * (known + 1.0) / (known * seen + 12.0)
    assert effective_matches(met) == pytest.approx(wanted, rel=1e-12)


# Laws ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_the_record_of_the_other_is_the_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    met = rng.integers(1, 6, size=8).astype(float)
    won = rng.binomial(met.astype(int), 0.6).astype(float)
    one, other = (
        judge_record(Meetings(own, met, int(met.sum()), 1), 0.9) for own in (won, met - won)
    )
    assert one is not None
    assert other is not None
    ends = (1.0 - other.won, 1.0 - other.high, 1.0 - other.low, other.effective)
    assert (one.won, one.low, one.high, one.effective) == pytest.approx(ends, rel=1e-12)
    assert 0.0 <= one.low <= one.won <= one.high <= 1.0
    assert one.effective <= one.matches


def test_the_scale_of_weights_does_not_matter() -> None:
    won, met = np.array([1.0, 0.0, 2.5]), np.array([2.0, 1.0, 3.0])
    one, other = (judge_record(Meetings(k * won, k * met, 6, 1), 0.95) for k in (1.0, 0.01))
    assert one is not None
    assert other is not None
    assert one.low == pytest.approx(other.low, rel=1e-12)
    assert one.effective == pytest.approx(other.effective, rel=1e-12)


# Does the interval cover? -------------------------------------------------------------------------


def _games(table: Floats, kind: str = "within") -> Games:
    rounds, players = table.shape
    results = Results(
        players=players,
        start=np.arange(rounds + 1) * players,
        player=np.tile(np.arange(players), rounds),
        value=table.ravel(),
        weight=np.ones(rounds),
        cluster=np.arange(rounds),
        tournament=np.zeros(rounds, np.int64),
    )
    return Games("across" if kind == "across" else "within", results)


TYPES = 4
"""Kinds of rounds; an erratic model is good on some and bad on others, and steady or not."""


def _draw(rng: np.random.Generator, shift: Floats, noise: Floats, rounds: int) -> Floats:
    """(rounds, m) scores: each round is of one type, with shifts and noise (types, m)."""
    kind = rng.integers(TYPES, size=rounds)
    return np.asarray(shift[kind] + noise[kind] * rng.normal(size=(rounds, shift.shape[1])))


def _own_chances(shift: Floats, noise: Floats) -> Floats:
    """(m, m) the pair's own probability, over all types of rounds."""
    gap = shift[:, :, None] - shift[:, None, :]
    spread = np.hypot(noise[:, :, None], noise[:, None, :])
    return np.asarray(stats.norm.cdf(gap / spread).mean(axis=0))


def _erratic(rng: np.random.Generator, players: int, strength: float) -> tuple[Floats, Floats]:
    shift = strength * np.linspace(1.0, -1.0, players) + 0.8 * rng.normal(size=(TYPES, players))
    return shift, np.exp(rng.normal(size=(TYPES, players)))


def _boards(rounds: int, players: int, strength: float, boards: int) -> Floats:
    """(pairs, 4) covered by the record; whether it leads, and covers there; covered by ratings."""
    rng = np.random.default_rng([rounds, players])
    first, second = np.triu_indices(players, 1)
    found = []
    for _ in range(boards):
        shift, noise = _erratic(rng, players, strength)
        truth = _own_chances(shift, noise)
        games = _games(_draw(rng, shift, noise, rounds))
        wins = games.count()
        sure = quantify(wins, fit(wins.wins, wins.design), find_structure(wins))
        rated = sure.of_differences(first, second)
        low, high, expected = (expit(x) for x in (rated.low, rated.high, rated.value))
        pairings = Pairings(games, wins.match_weight, np.arange(players))
        for k, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            own = judge_record(pairings.of(i, j), 0.95)
            assert own is not None
            inside, leads = own.low <= truth[i, j] <= own.high, own.differs(float(expected[k]))
            found.append((inside, leads, inside and leads, low[k] <= truth[i, j] <= high[k]))
    return np.array(found, float)


@pytest.mark.slow
def test_the_record_covers_the_pairs_own_probability_with_erratic_models() -> None:
    print("\nrounds  players  spread  covered  by ratings  first in the sentence  covered there")
    for rounds in (20, 200):
        for players, strength, boards in ((6, 0.5, 120), (10, 1.5, 60), (20, 1.0, 20)):
            found = _boards(rounds, players, strength, boards)
            covered, leads, both, rated = found.mean(axis=0)
            print(
                f"{rounds:6}  {players:7}  {strength:6}  {covered:7.1%}  {rated:10.1%}  "
                f"{leads:21.1%}  "
                f"{both / leads:13.1%}"
            )
            assert 0.93 <= covered <= 0.98


CLUSTERED = ((4, 5), (10, 5), (20, 5), (40, 10))
"""Clusters, and matches in each."""


@pytest.mark.slow
def test_the_record_covers_with_clusters_that_hang_together() -> None:
    print("\nclusters  matches  chance  correlation  covered  worth")
    rng = np.random.default_rng(3)
    for clusters, matches in CLUSTERED:
        for chance in (0.5, 0.8, 0.95):
            for alike in (0.0, 0.3, 0.7):
                inside, worth = [], []
                for _ in range(1000):
                    own = np.full(clusters, chance)
                    if alike:
                        a = chance * (1.0 - alike) / alike
                        own = rng.beta(a, a * (1.0 - chance) / chance, clusters)
                    won = rng.binomial(matches, own).astype(float)
                    met = np.full(clusters, float(matches))
                    found = judge_record(Meetings(won, met, clusters * matches, 1), 0.95)
                    assert found is not None
                    inside.append(found.low <= chance <= found.high)
                    worth.append(found.effective)
                covered = np.mean(inside)
                print(
                    f"{clusters:8}  {matches:7}  {chance:6}  {alike:11}  {covered:7.1%}  "
                    f"{np.mean(worth):5.1f}"
                )
                assert covered >= 0.935
