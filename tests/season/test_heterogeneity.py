"""What differences in some tournaments tell about a new one."""

from dataclasses import fields, replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import integrate, optimize, stats
from scipy.special import expit, polygamma, psi

from winodds.arrays import Floats
from winodds.season.heterogeneity import (
    Moderation,
    Predictions,
    Ranges,
    join,
    moderate,
    predict,
)
from winodds.season.lineup import PairTable

ALONE = Moderation(ratio=1.0, df=0.0, spread=5.0 / 12.0)


def made(value: Floats, variance: Floats | float = 0.5, bias: Floats | float = 0.0) -> PairTable:
    """Differences (T, k), none of them open; NaN where two do not share a scale."""
    there = ~np.isnan(value)
    nowhere = np.zeros(value.shape, np.bool_)
    own, shift = (
        np.where(there, np.broadcast_to(x, value.shape), np.nan) for x in (variance, bias)
    )
    return PairTable(value, own, shift, nowhere, nowhere)


def drawn(seed: int, tournaments: int = 6, pairs: int = 8, *, gaps: bool = True) -> PairTable:
    """Differences that vary more than their errors, with gaps, biases and open ends."""
    rng = np.random.default_rng(seed)
    shape = (tournaments, pairs)
    value = rng.normal(size=pairs) + rng.normal(size=shape)
    if gaps:
        value[np.argsort(rng.random(shape), axis=0) < rng.integers(0, 3, pairs)] = np.nan
    table = made(value, rng.uniform(0.2, 0.8, shape), 0.1 * value)
    return replace(table, open_below=value < -1.0, open_above=value > 1.0)


def flat(found: Predictions) -> dict[str, Floats]:
    """All arrays by name."""
    arrays: dict[str, Floats] = {}
    for own in fields(found):
        part = getattr(found, own.name)
        if isinstance(part, Ranges):
            arrays |= {f"{own.name}.{end}": getattr(part, end) for end in ("value", "low", "high")}
        else:
            arrays[own.name] = part
    return arrays


# By hand ------------------------------------------------------------------------------------------


def by_hand() -> Predictions:
    """3, 0, 1, 2: mean 3/2, variance 5/3, of which the rounds make 1/2; each is biased by 0.1."""
    return predict(made(np.array([[3.0], [0.0], [1.0], [2.0]]), 0.5, 0.1), ALONE)


T3 = 3.182446305284263
"""The 97.5% quantile of t with three degrees of freedom."""


def test_true_difference_varies_by_what_the_rounds_leave() -> None:
    found = by_hand()
    assert found.shared.tolist() == [4]
    assert found.mean == pytest.approx([1.5])
    assert found.variance == pytest.approx([5 / 3])
    assert found.tau**2 == pytest.approx([5 / 3 - 1 / 2])
    assert found.df.tolist() == found.df_shown.tolist() == [3.0]
    half = T3 * np.sqrt(7 / 6 + 5 / 12)
    assert found.new.low == pytest.approx([1.5 - half])
    assert found.new.high == pytest.approx([1.5 + half])
    chances = found.new.chances()
    assert chances.value == pytest.approx([1.0 / (1.0 + np.exp(-1.5))])
    assert chances.high == pytest.approx([1.0 / (1.0 + np.exp(-1.5 - half))])


def test_new_board_varies_as_the_boards_do() -> None:
    found = by_hand().new_board
    half = T3 * np.sqrt(5 / 3 * 5 / 4)
    assert found.value == pytest.approx([1.5])
    assert found.low == pytest.approx([1.5 - half])
    assert found.high == pytest.approx([1.5 + half])


def test_boards_that_look_alike_because_all_went_one_way_know_no_more_than_their_rounds() -> None:
    """Four boards show 2.4 each time, as they do after as many wins of as many rounds."""
    table = made(np.full((4, 1), 2.4), 2.0)
    one_sided = replace(table, open_above=np.ones((4, 1), np.bool_))
    alike = Moderation(ratio=0.01, df=6.0, spread=5.0)
    found, plain = predict(one_sided, alike), predict(table, alike)
    t, w = stats.t.ppf(0.975, 9.0), 5.0 / 5.5
    assert found.average.low == pytest.approx([2.4 - t * np.sqrt(2.0 / 4)])
    assert found.new.low == pytest.approx([2.4 - stats.t.ppf(0.975, 3.0) * np.sqrt(2.0 / 4)])
    assert found.p_better == pytest.approx([stats.t.cdf(w * 2.4 / np.sqrt(w * 0.5), 3.0)])
    assert found.p_round.low[0] < 0.86 < 0.95 < plain.p_round.low[0]
    # What boards show is what they show.
    assert found.variance == pytest.approx(plain.variance)
    assert found.new_board.low == pytest.approx(plain.new_board.low)


def test_mean_difference_is_without_bias() -> None:
    found = by_hand().average
    half = T3 * np.sqrt(5 / 12)
    assert found.value == pytest.approx([1.4])
    assert found.low == pytest.approx([1.4 - half])
    assert found.high == pytest.approx([1.4 + half])


def test_better_one_is_told_from_a_mean_of_which_half_is_luck() -> None:
    """Means vary by 5/12 in truth, and by 5/12 in error: half of 3/2 is kept."""
    wanted = stats.t.cdf(0.75 / np.sqrt(7 / 6 + 5 / 24), 3)
    assert by_hand().p_better == pytest.approx([wanted])


def test_degrees_of_freedom_are_fewer_for_the_truth_than_for_boards() -> None:
    """Prior worth 17: s² = (17·2·½ + 3·5/3)/20 = 1.1, of which 0.6 is τ²; ρ = 6/11."""
    own = Moderation(ratio=2.0, df=17.0, spread=1.0)
    found = predict(made(np.array([[3.0], [0.0], [1.0], [2.0]])), own)
    assert found.variance == pytest.approx([1.1])
    assert found.tau == pytest.approx([np.sqrt(0.6)])
    assert found.df_shown.tolist() == [20.0]
    assert found.df == pytest.approx([20.0 * ((6 / 11 + 0.25) / 1.25) ** 2])


def test_one_round_is_a_mean_of_chances() -> None:
    """Without errors chances are 3/4 and 1/4 on turns: ½, and exactly ½ after drawing."""
    odds = np.log(3.0)
    table = made(np.array([[odds], [-odds], [odds], [-odds]]), 0.0)
    found = predict(table, Moderation(1.0, 0.0, 1.0)).p_round
    assert found.value == pytest.approx([0.5])
    assert found.low + found.high == pytest.approx([1.0])


def test_one_round_allows_for_luck_in_the_chances() -> None:
    """P(win) bends: with error variance v, σ(d + (σ(d) − ½)v) is right to first order.

    Noise of sd 0.5 around 1 gives a mean of σ that is too small, and one of this that is not.
    """
    nodes = stats.norm.ppf((np.arange(2000) + 0.5) / 2000)
    table = made((1.0 + 0.5 * nodes)[:, None], 0.25)
    found = predict(table, Moderation(1.0, 0.0, 1e9)).p_round
    truth, naive = expit(1.0), expit(1.0 + 0.5 * nodes).mean()
    assert naive < truth - 0.01
    assert found.value == pytest.approx([truth], abs=0.002)


# Open ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "is_open"), [(1, False), (2, False), (3, True), (4, True)])
def test_end_is_open_when_more_than_half_of_the_tournaments_leave_it_open(
    number: int, is_open: bool
) -> None:
    table = made(np.array([[3.0], [0.0], [1.0], [2.0], [np.nan]]))
    opened = np.array([[True]] * number + [[False]] * (4 - number) + [[True]])
    found = predict(replace(table, open_above=opened), ALONE)
    assert found.open_above.tolist() == found.separated.tolist() == [number]
    for ranges in (found.new, found.average):
        assert np.isinf(ranges.high).tolist() == [is_open]
        assert np.isfinite(ranges.low).all()
    assert found.new.chances().high.tolist() == [1.0] or not is_open
    # What a board shows is a number, whatever the truth.
    assert np.isfinite(found.new_board.high).all()


# What pairs have in common ------------------------------------------------------------------------


def twin_moderation(table: PairTable, independent: int) -> Moderation:
    """Smyth's moments, pair by pair, with trigamma turned round by bisection."""
    e, spread, lost, df, rows = [], [], [], [], []
    for k in range(table.value.shape[1]):
        d, v = (x[:, k][~np.isnan(x[:, k])] for x in (table.value, table.variance))
        if d.size < 3:
            continue
        half = (d.size - 1) / 2
        e.append(np.log(d.var(ddof=1) / v.mean()) - psi(half) + np.log(half))
        lost.append(float(polygamma(1, half)))
        df.append(d.size - 1)
        rows.append((d, v))
    extra = np.var(e, ddof=1) - np.mean(lost)
    x = 5e3
    if extra > polygamma(1, x):
        x = optimize.brentq(lambda x: float(polygamma(1, x)) - extra, 1e-3, 1e4, xtol=1e-14)
        ratio = np.exp(np.mean(e) + psi(x) - np.log(x))
    else:
        ratio = np.exp(np.mean(e))
    d0 = min(2.0 * x, float(np.mean(df)) * independent / 2.0)
    for d, v in rows:
        own = (d0 * ratio * v.mean() + (d.size - 1) * d.var(ddof=1)) / (d0 + d.size - 1)
        spread.append(d.mean() ** 2 - own / d.size)
    return Moderation(float(ratio), float(d0), max(0.0, float(np.mean(spread))))


@pytest.mark.parametrize("seed", range(6))
def test_moderation_agrees_with_its_twin(seed: int) -> None:
    table = drawn(seed)
    found, wanted = moderate(table, 7), twin_moderation(table, 7)
    assert (found.ratio, found.df, found.spread) == pytest.approx(
        (wanted.ratio, wanted.df, wanted.spread), rel=1e-8
    )


def test_pairs_are_not_worth_more_than_so_many_independent_ones() -> None:
    """Equal ratios: no end to what they have in common, but for the pairs' dependence."""
    table = made(np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0, 5.0], [4.0, 5.0, 6.0]]))
    assert moderate(table, 2).df == 3.0
    assert moderate(table, 1_000_000).df == 10_000.0


def test_too_few_pairs_have_nothing_in_common() -> None:
    table = made(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 5.0]]))
    found = moderate(table, 1)
    assert (found.ratio, found.df) == (1.0, 0.0)
    assert found.spread == pytest.approx(
        (4.0 - 1.0 / 3.0 + (11 / 3) ** 2 - np.var([2, 4, 5], ddof=1) / 3) / 2
    )
    assert moderate(made(np.full((3, 2), np.nan)), 1) == Moderation(1.0, 0.0, 0.0)


def test_pair_on_its_own_varies_no_less_than_its_rounds() -> None:
    """Three boards that show the same by luck do not promise that a fourth will."""
    found = predict(made(np.full((3, 1), 2.0)), Moderation(1.0, 0.0, 1.0))
    assert found.variance.tolist() == [0.5]
    assert found.tau.tolist() == [0.0]
    assert found.new_board.high == pytest.approx([2.0 + stats.t.ppf(0.975, 2) * np.sqrt(2 / 3)])


def test_copies_are_equal_and_are_not_asked_what_pairs_have_in_common() -> None:
    table = drawn(3, gaps=False)
    value, variance, bias = (x.copy() for x in (table.value, table.variance, table.bias))
    for x in (value, variance, bias):
        x[:, 0] = 0.0
    copies = PairTable(value, variance, bias, *([np.zeros(value.shape, np.bool_)] * 2))
    rest = made(value[:, 1:], variance[:, 1:], bias[:, 1:])
    common = moderate(copies, 7)
    assert (common.ratio, common.df) == (moderate(rest, 7).ratio, moderate(rest, 7).df)
    found = predict(copies, common)
    assert (found.p_better[0], found.p_round.value[0], found.tau[0]) == (0.5, 0.5, 0.0)
    assert found.new.low[0] == found.new.high[0] == 0.0
    assert (found.p_round.low[0], found.p_round.high[0]) == pytest.approx((0.5, 0.5))


# The twin -----------------------------------------------------------------------------------------


def twin(
    d: Floats, v: Floats, b: Floats, own: Moderation, level: float
) -> dict[str, tuple[float, ...]]:
    """The formulas of one pair, one after the other; integrals by quadrature."""
    n = d.size
    s2 = (own.df * own.ratio * v.mean() + (n - 1) * d.var(ddof=1)) / (own.df + n - 1)
    nu0 = own.df + n - 1
    tau2 = max(0.0, s2 - v.mean())
    nu = max(min(n - 1, nu0), nu0 * ((tau2 / s2 + 1 / n) / (1 + 1 / n)) ** 2)
    q, q0 = (stats.t.ppf((1 + level) / 2, df) for df in (nu, nu0))
    w = own.spread / (own.spread + s2 / n)
    a, board, mean = q * np.sqrt(tau2 + s2 / n), q0 * np.sqrt(s2 * (1 + 1 / n)), (d - b).mean()
    c = q0 * np.sqrt(s2 / n)
    p = np.mean([expit(x + (expit(x) - 0.5) * e) for x, e in zip(d - b, v, strict=True)])

    def moment(power: int) -> float:
        def integrand(z: float) -> float:
            return float(expit(mean + np.sqrt(s2) * z) ** power * stats.norm.pdf(z))

        return float(integrate.quad(integrand, -10, 10)[0])

    first = moment(1)
    se = np.sqrt((moment(2) - first**2) / n) / (first * (1 - first))
    odds = np.log(p / (1 - p))
    ends = min(odds - q0 * se, w * odds), max(odds + q0 * se, w * odds)
    return {
        "tau": (np.sqrt(tau2),),
        "new": (d.mean(), d.mean() - a, d.mean() + a),
        "new_board": (d.mean(), d.mean() - board, d.mean() + board),
        "average": (mean, mean - c, mean + c),
        "p_round": tuple(expit(x) for x in (w * odds, *ends)),
        "p_better": (float(stats.t.cdf(w * d.mean() / np.sqrt(tau2 + w * s2 / n), nu)),),
    }


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_predictions_agree_with_their_twin(level: float) -> None:
    table = drawn(5)
    closed = replace(
        table,
        open_below=np.zeros_like(table.open_below),
        open_above=np.zeros_like(table.open_above),
    )
    own = moderate(table, 7)
    found = predict(closed, own, level=level)
    for k in range(table.value.shape[1]):
        there = ~np.isnan(table.value[:, k])
        d, v, b = (x[there, k] for x in (table.value, table.variance, table.bias))
        wanted = twin(d, v, b, own, level)
        for name, numbers in wanted.items():
            part = getattr(found, name)
            ends = (part.value, part.low, part.high) if isinstance(part, Ranges) else (part,)
            assert [end[k] for end in ends] == pytest.approx(numbers, rel=1e-6), name


# Laws ---------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.floats(0.5, 0.99))
def test_pair_turned_round_has_the_same_answers_turned_round(seed: int, level: float) -> None:
    table = drawn(seed)
    turned = PairTable(
        -table.value, table.variance, -table.bias, table.open_above, table.open_below
    )
    assert moderate(turned, 7) == moderate(table, 7)
    own = moderate(table, 7)
    one, other = (predict(x, own, level=level) for x in (table, turned))
    for name in ("shared", "separated", "tau", "variance", "df", "df_shown"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(one.open_below, other.open_above)
    np.testing.assert_allclose(one.p_better + other.p_better, 1.0, rtol=1e-12)
    for name in ("new", "new_board", "average"):
        here, there = getattr(one, name), getattr(other, name)
        np.testing.assert_array_equal(here.value, -there.value)
        np.testing.assert_array_equal(here.low, -there.high)
    for end, opposite in (("value", "value"), ("low", "high")):
        total = getattr(one.p_round, end) + getattr(other.p_round, opposite)
        np.testing.assert_allclose(total, 1.0, rtol=1e-12)


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_order_of_tournaments_and_of_pairs_changes_nothing(seed: int, mixer: Random) -> None:
    table = drawn(seed)
    rows, columns = list(range(6)), list(range(8))
    mixer.shuffle(rows)
    mixer.shuffle(columns)
    mixed = PairTable(*(getattr(table, own.name)[rows][:, columns] for own in fields(table)))
    own, other = moderate(table, 7), moderate(mixed, 7)
    assert (own.ratio, own.df, own.spread) == pytest.approx(
        (other.ratio, other.df, other.spread), rel=1e-9
    )
    one, two = flat(predict(table, own)), flat(predict(mixed, own))
    for name, values in one.items():
        np.testing.assert_allclose(values[columns], two[name], rtol=1e-9, atol=1e-12, err_msg=name)


def test_lots_of_pairs_one_after_the_other_are_as_all_at_once() -> None:
    table, own = drawn(8), Moderation(2.0, 5.0, 1.0)
    lots = [
        PairTable(*(getattr(table, part.name)[:, lot] for part in fields(table)))
        for lot in (slice(0, 3), slice(3, 8))
    ]
    joined, whole = (flat(x) for x in (join([predict(x, own) for x in lots]), predict(table, own)))
    for name, values in whole.items():
        np.testing.assert_allclose(joined[name], values, rtol=1e-12, err_msg=name)


def test_value_of_one_round_lies_in_its_interval_also_when_it_is_drawn_to_one_half() -> None:
    table = made(np.full((30, 1), 1.0) + np.linspace(-0.1, 0.1, 30)[:, None], 0.01)
    found = predict(table, Moderation(1.0, 0.0, 0.0)).p_round
    assert found.value.tolist() == found.low.tolist() == [0.5]
    assert found.high[0] > 0.73


def test_chances_near_one_keep_their_digits() -> None:
    table = made(np.array([[40.0], [41.0], [42.0]]), 0.5)
    found = predict(table, Moderation(1.0, 0.0, 1e9)).p_round
    turned = predict(replace(table, value=-table.value), Moderation(1.0, 0.0, 1e9)).p_round
    assert 0.0 < turned.low[0] < turned.value[0] < turned.high[0] < 1e-14
    assert found.low[0] == pytest.approx(1.0 - turned.high[0], rel=1e-12)
