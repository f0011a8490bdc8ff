"""Claims about all players at once: by hand, against slow twins, and laws."""

import numpy as np
import pytest
from conftest import make_results
from simulated import assess

from winodds.arrays import Bools, Floats, Ints
from winodds.inference.claims import Claims, claim_by_holm, judge_pairs, signs_decide
from winodds.inference.contrasts import told_apart
from winodds.inference.intervals import Uncertainty
from winodds.inference.pairwise import holm
from winodds.inference.signs import Flips
from winodds.matches.games import Games

LEVEL = 0.95
SIZES = (2, 2, 3, 3, 3, 4, 4, 5, 5, 6)


def _board(
    strengths: Floats, rounds: int, seed: int, missing: float = 0.0, cluster: Ints | None = None
) -> Uncertainty:
    rng = np.random.default_rng(seed)
    scores = strengths + rng.normal(size=(rounds, strengths.size))
    scores[rng.random(scores.shape) < missing] = np.nan
    own = None if cluster is None else cluster.astype(np.float64)
    return assess(Games("within", make_results(scores, cluster=own)))


LISTED = {
    "listed flips": (np.linspace(2.0, -2.0, 6), 9, 1),
    "two groups": (np.repeat([1.5, 0.0], 4), 12, 3),
    "one ahead": (np.array([4.0, 0.0, 0.0, 0.2, 0.4]), 8, 4),
}
BOARDS = {
    **{name: _board(*told) for name, told in LISTED.items()},
    "drawn flips": _board(np.linspace(1.5, -1.5, 7), 16, 2),
    "missing": _board(np.linspace(2.0, -2.0, 6), 14, 5, missing=0.2),
    "clusters": _board(
        np.linspace(1.0, -1.0, 6), 37, 6, cluster=np.repeat(np.arange(len(SIZES)), SIZES)
    ),
}


@pytest.fixture(params=list(BOARDS))
def board(request: pytest.FixtureRequest) -> Uncertainty:
    return BOARDS[request.param]


def _statistics(board: Uncertainty) -> Floats:
    """(m, m, F) flipped statistics, row minus column."""
    assert board.contributions is not None
    flips = Flips(board.contributions, 0)
    return np.stack([flips.against(player).copy() for player in range(flips.players)], axis=1)


def _reached(statistics: Floats, limit: float) -> float:
    """Share of flips, (k, F), in which the largest of the statistics reaches the limit."""
    largest = statistics.max(axis=0)
    return float((largest >= limit - 1e-9 * max(limit, 1.0)).mean())


# All pairs ----------------------------------------------------------------------------------------


def _slow_westfall_young(board: Uncertainty) -> Floats:
    """(m, m) step-down p-values, one pair after the other, the clearest first."""
    table, p = np.abs(_statistics(board)), board.contrast_matrix().p_value()
    first, second = np.triu_indices(p.shape[0], 1)
    rows, alone = table[first, second], p[first, second]
    order = np.argsort(-rows[:, 0], kind="stable")
    adjusted, least = np.ones_like(p), 0.0
    for place, pair in enumerate(order):
        least = max(least, _reached(rows[order[place:]], float(rows[pair, 0])), alone[pair])
        adjusted[first[pair], second[pair]] = adjusted[second[pair], first[pair]] = least
    return adjusted


def test_pairs_are_told_apart_as_westfall_and_young_do(board: Uncertainty) -> None:
    found, slow = judge_pairs(board, 0), _slow_westfall_young(board)
    assert found.adjust == "max-t"
    np.testing.assert_array_equal(told_apart(found.p, LEVEL), told_apart(slow, LEVEL))
    assert (found.p >= slow - 1e-9).all()


def _slow_steps(board: Uncertainty) -> Floats:
    """(m, m) the same in steps: all that the largest of those left tells apart go at once."""
    table, p = np.abs(_statistics(board)), board.contrast_matrix().p_value()
    pairs = [(i, j) for i in range(p.shape[0]) for j in range(i)]
    adjusted, least, left = np.ones_like(p), 0.0, set(pairs)
    while left:
        rows = np.stack([table[pair] for pair in sorted(left)])
        for i, j in left:
            value = max(_reached(rows, float(table[i, j, 0])), least, float(p[i, j]))
            adjusted[i, j] = adjusted[j, i] = value
        fresh = {pair for pair in left if told_apart(adjusted[pair], LEVEL)}
        if not fresh:
            break
        least, left = max(float(adjusted[pair]) for pair in fresh), left - fresh
    return adjusted


def test_adjusted_p_values_against_a_slow_twin(board: Uncertainty) -> None:
    np.testing.assert_allclose(judge_pairs(board, 0).p, _slow_steps(board), rtol=1e-9)


def test_adjusted_p_values_are_never_below_single_ones(board: Uncertainty) -> None:
    found = judge_pairs(board, 0).p
    assert (found >= board.contrast_matrix().p_value()).all()
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_array_equal(found.diagonal(), np.ones(found.shape[0]))


# From one player's view ---------------------------------------------------------------------------


def _slow_claims(statistics: Floats, apart: Bools) -> set[int]:
    """Who of the others, (k, F), is above for certain; flips in both directions."""
    statistics = np.hstack([statistics, -statistics])
    left, gone = list(range(statistics.shape[0])), set[int]()
    while left:
        rows = statistics[left]
        fresh = [
            k
            for k in left
            if apart[k]
            and statistics[k, 0] > 0.0
            and told_apart(np.array(_reached(rows, float(statistics[k, 0]))), LEVEL)
        ]
        if not fresh:
            break
        left, gone = [k for k in left if k not in fresh], gone | {*fresh}
    return gone


def test_numbers_of_better_and_worse_against_a_slow_twin(board: Uncertainty) -> None:
    found, table = judge_pairs(board, 0), _statistics(board)
    apart = told_apart(board.contrast_matrix().p_value(), LEVEL)
    together = told_apart(_slow_steps(board), LEVEL)
    for player in range(table.shape[0]):
        # The player itself is among the others with a statistic of 0, as in the fast one.
        own = table[:, player]
        for counts, sign in ((found.better, 1.0), (found.worse, -1.0)):
            among_all = np.flatnonzero(together[:, player] & (sign * own[:, 0] > 0.0)).tolist()
            claimed = _slow_claims(sign * own, apart[:, player]) | {*among_all}
            assert counts[player] == len(claimed)


@pytest.mark.parametrize("name", ["listed flips", "two groups", "one ahead"])
def test_listed_flips_do_not_depend_on_how_rounds_are_numbered(name: str) -> None:
    """Of listed flips the last cluster never changes its sign."""
    strengths, rounds, seed = LISTED[name]
    scores = strengths + np.random.default_rng(seed).normal(size=(rounds, strengths.size))
    claims = [
        judge_pairs(assess(Games("within", make_results(np.roll(scores, shift, axis=0)))), 0)
        for shift in range(rounds)
    ]
    for other in claims[1:]:
        _same(claims[0], other, np.arange(strengths.size))


def test_who_is_told_apart_among_all_is_told_apart_from_each_view() -> None:
    """Among all pairs those that are clear are set aside; from a view, those below stay in."""
    rng = np.random.default_rng(1)
    surer = 0
    for seed in range(60):
        strengths = np.append(np.arange(7.0), 6.0 + rng.uniform(0.1, 0.6))
        found = _board(strengths, 50, seed)
        claims, beta = judge_pairs(found, seed), found.intervals.beta
        apart, ahead = told_apart(claims.p, LEVEL), beta[:, None] < beta[None, :]
        assert (claims.better >= (apart & ahead).sum(axis=1)).all()
        assert (claims.worse >= (apart & ~ahead).sum(axis=1)).all()
        surer += int((apart & ahead)[-2:].any())
    assert surer > 10


def test_who_is_told_apart_by_holm_is_told_apart_from_each_view() -> None:
    """The first two differ at .04 and everyone else at .001: five pairs by .006, then one by .04.

    From the second player's view the one-sided .02 is one of three, and would be .06.
    """
    value = np.subtract.outer([3.0, 2.0, 0.0, -5.0], [3.0, 2.0, 0.0, -5.0])
    p = np.full((4, 4), 0.001)
    np.fill_diagonal(p, 1.0)
    p[0, 1] = p[1, 0] = 0.04
    found = claim_by_holm(value, p, LEVEL)
    assert found.p[0, 1] == pytest.approx(0.04)
    assert found.better.tolist() == [0, 1, 2, 3]
    assert found.worse.tolist() == [3, 2, 1, 0]


def test_nobody_is_better_than_one_who_wins_every_round_and_all_are_worse() -> None:
    scores = np.random.default_rng(1).normal(size=(10, 10))
    scores[:, 3] = 9.0
    found = judge_pairs(assess(Games("within", make_results(scores))), 0)
    assert (found.better[3], found.worse[3]) == (0, 9)
    assert (np.delete(found.better, 3) >= 1).all()


def test_two_players_ten_wins_of_ten() -> None:
    found = judge_pairs(assess(Games("within", make_results(np.tile([1.0, 0.0], (10, 1))))), 0)
    np.testing.assert_allclose(found.p, [[1.0, 2.0**-9], [2.0**-9, 1.0]], rtol=1e-12)
    assert (found.better.tolist(), found.worse.tolist()) == ([0, 1], [1, 0])


def test_players_who_tie_are_never_told_apart() -> None:
    found = judge_pairs(assess(Games("within", make_results(np.zeros((10, 4))))), 0)
    np.testing.assert_array_equal(found.p, np.ones((4, 4)))
    assert not found.better.any()
    assert not found.worse.any()


# By Holm ------------------------------------------------------------------------------------------


def test_few_clusters_are_left_to_holm() -> None:
    board = _board(np.linspace(6.0, -6.0, 4), 5, 1)
    assert not signs_decide(board)
    found, p = judge_pairs(board, 0), board.contrast_matrix().p_value()
    first, second = np.triu_indices(4, 1)
    assert found.adjust == "holm"
    np.testing.assert_array_equal(found.p[first, second], holm(p[first, second]))


def test_numbers_by_holm_by_hand() -> None:
    """The last has one-sided p-values of .01, .02 and .3: .03 and .04 after Holm, then .3."""
    value = np.array(
        [
            [0.0, 0.5, 1.0, 3.0],
            [-0.5, 0.0, 0.5, 2.0],
            [-1.0, -0.5, 0.0, 1.0],
            [-3.0, -2.0, -1.0, 0.0],
        ]
    )
    p = np.ones((4, 4))
    p[3] = p[:, 3] = [0.02, 0.04, 0.6, 1.0]
    found = claim_by_holm(value, p, LEVEL)
    assert found.better.tolist() == [0, 0, 0, 2]
    # One-sided .01 · 3 = .03, and .02 · 3 = .06 from the second player's view.
    assert found.worse.tolist() == [1, 0, 0, 0]
    np.testing.assert_allclose(found.p[3], [0.12, 0.2, 1.0, 1.0], rtol=1e-12)


# Laws ---------------------------------------------------------------------------------------------


def _same(found: Claims, other: Claims, order: Ints) -> None:
    np.testing.assert_allclose(other.p, found.p[np.ix_(order, order)], rtol=1e-6)
    np.testing.assert_array_equal(other.better, found.better[order])
    np.testing.assert_array_equal(other.worse, found.worse[order])


@pytest.mark.parametrize("rounds", [10, 17])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_order_weights_and_direction_do_not_matter(rounds: int, missing: float) -> None:
    rng = np.random.default_rng(rounds)
    scores = np.linspace(1.5, -1.5, 6) + rng.normal(size=(rounds, 6))
    scores[rng.random(scores.shape) < missing] = np.nan
    order, everyone = np.array([4, 2, 0, 5, 1, 3]), np.arange(6)

    def judged(table: Floats, weight: float = 1.0) -> Claims:
        results = make_results(table, weight=np.full(rounds, weight))
        return judge_pairs(assess(Games("within", results)), 0)

    found = judged(scores)
    _same(found, judged(scores[:, order]), order)
    _same(found, judged(scores, 2.0), everyone)
    turned = judged(-scores)
    _same(found, Claims(turned.p, turned.worse, turned.better, turned.adjust), everyone)
