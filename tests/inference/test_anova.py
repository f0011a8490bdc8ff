"""Shares of variance: cases by hand, a slow twin, laws, and noise that leaves no trace."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy import stats

from winodds.arrays import Floats
from winodds.inference.anova import (
    BLOCKS,
    Column,
    Decomposition,
    PairFit,
    Shares,
    Terms,
    choose_pairs,
    decompose,
    expand,
    find_confounded,
    find_shares,
    join,
    rank_shares,
    share_of_noise,
)

NAN = float("nan")


def numbers(*values: float) -> Column:
    return Column(np.array(values), ordered=True)


def kinds(*values: float) -> Column:
    return Column(np.array(values), ordered=False)


def grid(*levels: int, times: int = 1) -> list[Column]:
    """Columns of numbers on a full grid, each setting so many times."""
    cells = np.indices(levels).reshape(len(levels), -1).astype(np.float64)
    return [Column(np.tile(own, times), ordered=True) for own in cells]


def without_noise(terms: Terms, rating: Floats, pairs: PairFit = "together") -> Shares:
    """Shares of ratings that are known exactly."""
    settings = rating.size
    block = np.arange(settings) % BLOCKS
    found = decompose(terms, rating[:, None], np.zeros((settings, 1, 1)), block, pairs)
    return find_shares(found, np.ones(1))


# By hand ------------------------------------------------------------------------------------------


def test_shares_of_a_sum_are_those_of_its_variances() -> None:
    one, two = grid(5, 5)
    terms = expand([one, two])
    assert terms.columns == ((0,), (1,), (0, 1))
    assert terms.width.tolist() == [4, 4, 4]
    found = without_noise(terms, one.value + 2.0 * two.value)
    np.testing.assert_allclose(found.value, [0.2, 0.8, 0.0], atol=1e-8)
    assert abs(found.rest) < 1e-8
    assert abs(found.together) < 1e-8


def test_share_of_a_pure_product_belongs_to_the_pair() -> None:
    columns = grid(3, 3, 2, times=2)
    one, two, _ = (column.value - column.value.mean() for column in columns)
    terms = expand(columns)
    found = without_noise(terms, one * two)
    wanted = [1.0 if own == (0, 1) else 0.0 for own in terms.columns]
    np.testing.assert_allclose(found.value, wanted, atol=1e-8)


def test_shares_of_a_sum_with_a_product() -> None:
    # On ±1, x + y + 3xy has variances 1, 1 and 9.
    columns = grid(2, 2, times=3)
    x, y = (2.0 * column.value - 1.0 for column in columns)
    found = without_noise(expand(columns), x + y + 3.0 * x * y)
    np.testing.assert_allclose(found.value, [1 / 11, 1 / 11, 9 / 11], atol=1e-8)


def test_categories_have_no_order_and_numbers_do() -> None:
    value = np.tile(np.arange(12.0), 6)
    rating = np.where(value % 2.0 == 1.0, 1.0, 0.0)
    other = Column(np.repeat([0.0, 1.0], 36), ordered=True)
    as_kinds = without_noise(expand([Column(value, ordered=False), other]), rating)
    np.testing.assert_allclose(as_kinds.value[0], 1.0, atol=1e-8)
    as_numbers = without_noise(expand([Column(value, ordered=True), other]), rating)
    assert as_numbers.value[0] < 0.1
    assert as_numbers.rest > 0.9


def test_polynomials_are_as_many_as_the_values_allow() -> None:
    other = numbers(*range(30))
    for levels, width in ((2, 1), (3, 2), (4, 3), (5, 4), (30, 4)):
        column = Column(np.arange(30.0) % levels, ordered=True)
        assert expand([column, other]).width[0] == width
    some = np.where(np.arange(30) < 6, np.arange(30.0), NAN)
    # Two polynomials of six numbers, and whether it is set.
    assert expand([Column(some, ordered=True), other]).width[0] == 3


def test_columns_of_numbers_are_orthogonal_and_pairs_are_products() -> None:
    rng = np.random.default_rng(1)
    one, two = (Column(rng.normal(size=40), ordered=True) for _ in range(2))
    terms = expand([one, two])
    first = terms.design[:, :4]
    np.testing.assert_allclose(first.T @ first, 40.0 * np.eye(4), atol=1e-9)
    np.testing.assert_allclose(first.sum(axis=0), 0.0, atol=1e-9)
    z = 2.0 * (stats.rankdata(one.value) - 0.5) / 40.0 - 1.0
    assert np.corrcoef(first[:, 0], z)[0, 1] == pytest.approx(1.0)
    assert np.corrcoef(first[:, 1], z**2)[0, 1] == pytest.approx(1.0)
    np.testing.assert_allclose(terms.design[:, 8], first[:, 0] * terms.design[:, 4], atol=1e-9)
    assert terms.design.shape == (40, 12)


# Hyperparameters that are not always set ----------------------------------------------------------


def conditional() -> tuple[Column, Column, Column]:
    """A kernel of three kinds, a degree for one of them only, and a cost; 60 settings."""
    kernel = np.repeat([0.0, 1.0, 2.0], 20)
    degree = np.where(kernel == 2.0, np.tile([2.0, 3.0, 4.0, 5.0], 15), NAN)
    cost = np.tile(np.arange(10.0), 6)
    return Column(kernel, ordered=False), Column(degree, ordered=True), Column(cost, ordered=True)


def test_what_is_set_for_one_kind_only_counts_where_it_is_set() -> None:
    kernel, degree, cost = conditional()
    terms = expand([kernel, degree, cost])
    assert terms.flagged == ()
    # The kernel decides where there is a degree: as a pair they say nothing new.
    assert terms.columns == ((0,), (1,), (2,), (0, 2), (1, 2))
    rating = np.where(kernel.value == 2.0, 1.0 + (degree.value - 3.5), 0.0)
    found = without_noise(terms, rating, "none")
    # Between kernels 2/9, among degrees 5/4 in a third of the settings.
    total = 2 / 9 + 5 / 12
    np.testing.assert_allclose(found.value[:3] * total, [2 / 9, 5 / 12, 0.0], atol=1e-8)


def test_to_be_set_counts_for_what_nothing_else_decides() -> None:
    _, degree, cost = conditional()
    terms = expand([degree, cost])
    assert terms.flagged == (0,)
    assert terms.width[0] == 4
    rating = np.where(np.isnan(degree.value), 0.0, 1.0)
    np.testing.assert_allclose(without_noise(terms, rating, "none").value[:2], [1, 0], atol=1e-8)


def test_a_switch_that_is_set_or_not_is_a_hyperparameter() -> None:
    switch = numbers(*[1.0, NAN] * 15)
    assert switch.varies
    terms = expand([switch, numbers(*range(30))])
    assert terms.width[0] == 1
    assert without_noise(terms, np.tile([1.0, 0.0], 15), "none").value[0] == pytest.approx(1.0)


def test_part_of_a_pair_that_is_new_is_kept() -> None:
    # Gamma is set for two of three kernels: which of the two it is changes what gamma does.
    kernel = np.repeat([0.0, 1.0, 2.0], 20)
    gamma = np.where(kernel < 2.0, np.tile(np.arange(10.0), 6), NAN)
    columns = [Column(kernel, ordered=False), Column(gamma, ordered=True)]
    terms = expand(columns)
    assert terms.columns == ((0,), (1,), (0, 1))
    assert terms.width.tolist() == [2, 4, 2]
    rating = np.select([kernel == 0.0, kernel == 1.0], [gamma - 4.5, 4.5 - gamma], 0.0)
    np.testing.assert_allclose(without_noise(terms, rating).value, [0.0, 0.0, 1.0], atol=1e-8)


def test_a_column_varies_if_it_has_two_values_or_is_not_always_set() -> None:
    assert not numbers(1.0, 1.0).varies
    assert not kinds(2.0, 2.0).varies
    assert numbers(1.0, 2.0).varies
    assert kinds(1.0, NAN).varies
    assert not numbers(NAN, NAN).varies


# What cannot be told ------------------------------------------------------------------------------


def test_hyperparameters_that_follow_from_each_other_are_found() -> None:
    rng = np.random.default_rng(2)
    free, one = (rng.random(40) for _ in range(2))
    columns = [Column(own, ordered=True) for own in (one, free, np.exp(one))]
    assert find_confounded(expand(columns)) == [0, 2]
    assert find_confounded(expand(columns[:2])) == []
    kind = np.floor(3.0 * free)
    assert find_confounded(expand([Column(kind, ordered=False), Column(kind, ordered=True)])) == [
        0,
        1,
    ]


def test_hyperparameters_that_are_set_together_for_no_known_reason_are_confounded() -> None:
    rng = np.random.default_rng(3)
    there = np.arange(60) < 30
    one, two = (np.where(there, rng.random(60), NAN) for _ in range(2))
    columns = [Column(own, ordered=True) for own in (one, two, rng.random(60))]
    assert find_confounded(expand(columns)) == [0, 1]
    decided = [*columns, Column(there.astype(np.float64), ordered=False)]
    assert find_confounded(expand(decided)) == []


def test_pairs_are_fitted_as_settings_allow() -> None:
    rng = np.random.default_rng(4)
    columns = [Column(rng.random(400), ordered=True) for _ in range(3)]
    terms = expand(columns)
    assert terms.needed("none") == 36
    assert terms.needed("one by one") == 48
    assert terms.needed("together") == 72
    found = [choose_pairs(terms.take(np.arange(n))) for n in (47, 48, 71, 72, 400)]
    assert found == ["none", "one by one", "one by one", "together", "together"]
    assert choose_pairs(expand(columns[:1])) == "none"


def test_pairs_are_not_fitted_together_where_settings_confound_them() -> None:
    # Half of a grid of 2⁴: the product of two hyperparameters is that of the other two.
    half = [Column(np.tile(own, 12), ordered=True) for own in _half_of_a_grid()]
    terms = expand(half)
    assert terms.design.shape[0] >= terms.needed("together")
    assert choose_pairs(terms) == "one by one"


def _half_of_a_grid() -> Floats:
    cells = np.indices((2, 2, 2)).reshape(3, -1)
    return np.vstack([cells, cells.sum(axis=0) % 2]).astype(np.float64)


def test_pairs_are_made_only_where_single_hyperparameters_have_settings_enough() -> None:
    rng = np.random.default_rng(5)
    columns = [Column(rng.random(20), ordered=True) for _ in range(2)]
    assert expand(columns).columns == ((0,), (1,))
    assert expand([kinds(*range(20)), columns[0]]).width.tolist() == [19, 4]


# The slow twin ------------------------------------------------------------------------------------


def drawn(
    seed: int, settings: int = 90, tournaments: int = 3
) -> tuple[list[Column], Floats, Floats]:
    """Three numbers and a kind; ratings and influences of seven clusters."""
    rng = np.random.default_rng(seed)
    columns = [Column(rng.random(settings), ordered=True) for _ in range(3)]
    columns.append(Column(rng.integers(3, size=settings).astype(np.float64), ordered=False))
    rating = rng.normal(size=(settings, tournaments)) + 3.0 * columns[0].value[:, None]
    influence = 0.2 * rng.normal(size=(settings, tournaments, 7))
    return columns, rating, influence


def by_hand(blocks: list[Floats], rating: Floats, influence: Floats) -> tuple[list[float], float]:
    """Variances of the blocks' parts, and of the rest, freed of noise: one tournament."""
    settings = rating.size
    design = np.column_stack([np.ones(settings), *blocks])
    stop = 1 + np.cumsum([0] + [block.shape[1] for block in blocks])
    hat = np.linalg.pinv(design)
    free = settings - design.shape[1]

    def left(values: Floats) -> float:
        return float(((values - design @ (hat @ values)) ** 2).sum() / free)

    rest = left(rating) - sum(left(own) for own in influence.T)
    found = []
    for begin, end in pairwise(stop.tolist()):
        part = design[:, begin:end] @ hat[begin:end]
        part = part - part.mean(axis=0)
        noise = sum(float(((part @ own) ** 2).sum()) for own in influence.T)
        square = float(((part @ rating) ** 2).sum()) - noise - rest * float((part**2).sum())
        found.append(square / (settings - 1))
    return found, rest


@pytest.mark.parametrize("pairs", ["together", "one by one", "none"])
def test_variances_agree_with_the_slow_twin(pairs: PairFit) -> None:
    columns, rating, influence = drawn(6)
    terms = expand(columns)
    block = np.arange(90) % BLOCKS
    found = decompose(terms, rating, influence, block, pairs)
    parts = np.split(terms.design, terms.stop[:-1], axis=1)
    singles, others = parts[: terms.singles], parts[terms.singles :]
    for replicate, kept in enumerate([block >= 0, *(block != k for k in range(BLOCKS))]):
        for t in range(3):
            y, noise = rating[kept, t], influence[kept, t]
            together = singles + others if pairs == "together" else singles
            value, rest = by_hand([own[kept] for own in together], y, noise)
            if pairs == "one by one":
                for pair in others:
                    beside, _ = by_hand([own[kept] for own in (*singles, pair)], y, noise)
                    value.append(beside[-1])
                    rest -= beside[-1]
            value += [NAN] * (len(parts) - len(value))
            np.testing.assert_allclose(found.value[replicate, :, t], value, atol=1e-7)
            np.testing.assert_allclose(found.rest[replicate, t], rest, atol=1e-7)
            centred = noise - noise.mean(axis=0)
            total = y.var(ddof=1) - (centred**2).sum() / (y.size - 1)
            np.testing.assert_allclose(found.total[replicate, t], total, atol=1e-9)
            np.testing.assert_allclose(found.seen[replicate, t], y.var(ddof=1), atol=1e-9)


def test_errors_of_one_tournament_are_what_clusters_and_blocks_change() -> None:
    columns, rating, influence = drawn(7, tournaments=1)
    terms, block = expand(columns), np.arange(90) % BLOCKS
    found = decompose(terms, rating, influence, block, "together")
    shares = find_shares(found, np.array([6.0]))
    step, design = 1e-5, np.column_stack([np.ones(90), terms.design])
    hat, stop = np.linalg.pinv(design), 1 + np.cumsum([0, *terms.width.tolist()])

    def raw(y: Floats) -> Floats:
        """Variances of the parts, noise and all, and of the ratings."""
        fits = [design[:, a:b] @ hat[a:b] @ y for a, b in pairwise(stop.tolist())]
        return np.array([*(fit.var(ddof=1) for fit in fits), y.var(ddof=1)])

    for cluster in range(7):
        change = step * influence[:, 0, cluster]
        slope = (raw(rating[:, 0] + change) - raw(rating[:, 0] - change)) / (2.0 * step)
        moved = (slope[:-1] - shares.value * slope[-1]) / found.total[0, 0]
        np.testing.assert_allclose(shares.by_unit[:, cluster], moved, atol=1e-6)
    each = found.value[1:, :, 0] / found.total[1:, :1]
    wanted = np.sqrt(0.9 * ((each - each.mean(axis=0)) ** 2).sum(axis=0))
    np.testing.assert_allclose(np.linalg.norm(shares.by_block, axis=1), wanted, rtol=1e-9)
    by_unit = stats.t.ppf(0.975, 6) * np.linalg.norm(shares.by_unit, axis=1)
    by_block = stats.t.ppf(0.975, 9) * wanted
    np.testing.assert_allclose(shares.half_widths(0.95), np.maximum(by_unit, by_block), rtol=1e-9)


# Laws ---------------------------------------------------------------------------------------------


def everything(found: Decomposition) -> list[Floats]:
    return [found.value, found.total, found.seen, found.rest, found.together, found.slope]


def same(one: Decomposition, two: Decomposition, factor: float = 1.0) -> None:
    for left, right in zip(everything(one), everything(two), strict=True):
        np.testing.assert_allclose(factor * left, right, atol=1e-8, rtol=1e-7)


def test_monotone_transformation_of_numbers_changes_nothing() -> None:
    columns, rating, influence = drawn(8)
    block = np.arange(90) % BLOCKS
    other = [replace(column, value=np.exp(5.0 * column.value)) for column in columns[:3]]
    one = decompose(expand(columns), rating, influence, block, "together")
    two = decompose(expand([*other, columns[3]]), rating, influence, block, "together")
    same(one, two)


def test_names_of_categories_and_the_direction_of_numbers_change_nothing() -> None:
    columns, rating, influence = drawn(9)
    block = np.arange(90) % BLOCKS
    renamed = Column((columns[3].value + 1.0) % 3.0, ordered=False)
    turned = replace(columns[1], value=-columns[1].value)
    one = decompose(expand(columns), rating, influence, block, "together")
    two = decompose(
        expand([columns[0], turned, columns[2], renamed]), rating, influence, block, "together"
    )
    same(one, two)


def test_order_of_settings_changes_nothing() -> None:
    columns, rating, influence = drawn(10)
    block, order = np.arange(90) % BLOCKS, np.random.default_rng(0).permutation(90)
    moved = [replace(column, value=column.value[order]) for column in columns]
    one = decompose(expand(columns), rating, influence, block, "one by one")
    two = decompose(expand(moved), rating[order], influence[order], block[order], "one by one")
    same(one, two)


def test_scale_and_zero_of_ratings_change_no_share() -> None:
    columns, rating, influence = drawn(11)
    terms, block = expand(columns), np.arange(90) % BLOCKS
    one = find_shares(decompose(terms, rating, influence, block, "together"), np.ones(3))
    two = find_shares(
        decompose(terms, 5.0 - 2.0 * rating, 2.0 * influence, block, "together"), np.ones(3)
    )
    np.testing.assert_allclose(one.value, two.value, atol=1e-8)
    np.testing.assert_allclose(one.half_widths(0.9), two.half_widths(0.9), atol=1e-8)


def test_tournaments_may_be_looked_at_one_by_one() -> None:
    columns, rating, influence = drawn(12)
    terms, block = expand(columns), np.arange(90) % BLOCKS
    whole = decompose(terms, rating, influence, block, "together")
    alone = [
        decompose(terms, rating[:, [t]], influence[:, [t], : 7 - t], block, "together")
        for t in range(3)
    ]
    cut = influence.copy()
    for t in range(3):
        cut[:, t, 7 - t :] = 0.0
    same(join(alone), decompose(terms, rating, cut, block, "together"))
    same(whole.take(np.array([2, 0])).take(np.array([1])), whole.take(np.array([0])))


@pytest.mark.parametrize("shared", [0.0, 0.8])
@pytest.mark.parametrize("pairs", ["together", "one by one"])
def test_noise_leaves_shares_unbiased(pairs: PairFit, shared: float) -> None:
    """Errors that neighbours share leave no trace either."""
    rng, settings, draws, rounds = np.random.default_rng(13), 100, 500, 6
    columns = [Column(rng.random(settings), ordered=True) for _ in range(3)]
    x = np.column_stack([column.value for column in columns])
    truth = 2.0 * (x[:, 0] - 0.5) ** 2 + 0.5 * x[:, 1] + (x[:, 0] - 0.5) * (x[:, 1] - 0.5)
    wave = np.cos(np.pi * x)
    noise = np.sqrt(1.0 - shared) * rng.normal(size=(settings, draws, rounds))
    noise += np.sqrt(shared) * np.einsum("nw,wtr->ntr", wave, rng.normal(size=(3, draws, rounds)))
    noise *= 0.3
    rating = truth[:, None] + noise.mean(axis=2)
    influence = (noise - noise.mean(axis=2, keepdims=True)) / np.sqrt(rounds * (rounds - 1.0))
    terms, block = expand(columns), np.arange(settings) % BLOCKS
    found = decompose(terms, rating, influence, block, pairs)
    assert 0.15 < 1.0 - found.total[0].mean() / found.seen[0].mean() < 0.5
    exact = decompose(terms, truth[:, None], np.zeros((settings, 1, 1)), block, pairs)
    for noisy, true in ((found.value[0], exact.value[0, :, 0]), (found.total[:1], exact.total[0])):
        error = noisy.std(axis=1) / np.sqrt(draws)
        assert (np.abs(noisy.mean(axis=1) - true) < 4.0 * error).all()


# Over tournaments ---------------------------------------------------------------------------------


def made(value: list[list[float]], total: list[float], seen: list[float]) -> Decomposition:
    """Variances of terms in tournaments, the same without any block of settings."""
    terms, tournaments = np.array(value).shape
    repeated = [np.repeat(np.array(own)[None], BLOCKS + 1, axis=0) for own in (value, total, seen)]
    return Decomposition(
        value=repeated[0],
        total=repeated[1],
        seen=repeated[2],
        rest=0.0 * repeated[1],
        together=np.zeros(tournaments),
        slope=np.zeros((terms, tournaments, 1)),
        slope_total=np.zeros((tournaments, 1)),
    )


def test_share_over_tournaments_is_the_mean_of_shares() -> None:
    found = find_shares(made([[1.0, 4.0], [0.5, 2.0]], [2.0, 5.0], [3.0, 6.0]), np.ones(2))
    np.testing.assert_allclose(found.value, [(1 / 2 + 4 / 5) / 2, (1 / 4 + 2 / 5) / 2])
    shares = np.array([[1 / 2, 4 / 5], [1 / 4, 2 / 5]])
    error = shares.std(axis=1, ddof=1) / np.sqrt(2.0)
    np.testing.assert_allclose(found.half_widths(0.95), stats.t.ppf(0.975, 1) * error)
    apart = (shares[0] - shares[1]).std(ddof=1) / np.sqrt(2.0)
    wanted = stats.t.ppf(0.975, 1) * apart
    assert found.half_widths_of_differences(2, 0.95)[0, 1] == pytest.approx(wanted)


def test_tournament_of_noise_counts_for_less() -> None:
    # Of the second, 80% is noise: its numbers are halves of its variance, 5, and no more.
    found = find_shares(made([[1.0, 1.5]], [2.0, 2.0], [3.0, 10.0]), np.ones(2))
    np.testing.assert_allclose(found.value, [(1.0 / 2.0 + 1.5 / 5.0) / (1.0 + 2.0 / 5.0)])
    # Where noise is all there is, ratings say nothing, but spoil nothing either.
    found = find_shares(made([[1.0, 0.3]], [2.0, 0.0], [3.0, 10.0]), np.ones(2))
    np.testing.assert_allclose(found.value, [(0.5 + 0.06) / 1.0])


def test_pair_is_averaged_over_the_tournaments_that_looked_at_it() -> None:
    value = [[1.0, 1.0, 1.0], [0.5, NAN, 0.3], [NAN, NAN, 0.3]]
    found = find_shares(made(value, [2.0] * 3, [2.0] * 3), np.ones(3))
    np.testing.assert_allclose(found.value, [0.5, 0.2, NAN])
    # 0.25 and 0.15, with one degree of freedom.
    assert found.half_widths(0.95)[1] == pytest.approx(stats.t.ppf(0.975, 1) * 0.05)


def test_ranks_are_shared_by_what_cannot_be_told_apart() -> None:
    value = np.array([0.5, 0.45, 0.05, 0.2])
    unit = np.array([[0.02, 0.0], [0.0, 0.02], [0.001, 0.0], [0.0, 0.0]])
    df = np.full(4, 19.0)
    shares = Shares(value, 0.0, 0.0, unit, np.zeros((4, BLOCKS)), df, df)
    first, last = rank_shares(shares, 3, 0.95)
    assert first.tolist() == [1, 1, 3]
    assert last.tolist() == [2, 2, 3]
    # What two have in common does not keep them from being told apart.
    common = replace(shares, by_unit=np.array([[0.02], [0.0199], [0.0], [0.0]]))
    assert rank_shares(common, 3, 0.95)[0].tolist() == [1, 2, 3]


def test_share_of_noise_is_that_of_the_differences() -> None:
    rating = np.array([1.0, 3.0, 5.0])
    influence = np.array([[1.0, 0.5], [1.0, 0.0], [1.0, -0.5]])
    assert share_of_noise(rating, influence) == pytest.approx(0.5 / 8.0)


def test_hyperparameters_that_vary_together_have_a_share_together() -> None:
    rng = np.random.default_rng(14)
    one = rng.random(300)
    two = 0.5 * one + 0.5 * rng.random(300)
    found = without_noise(expand([Column(own, ordered=True) for own in (one, two)]), one + two)
    assert found.together > 0.25
    assert found.value.sum() + found.together + found.rest == pytest.approx(1.0, abs=0.01)


def test_every_pair_is_a_term() -> None:
    columns, _, _ = drawn(15)
    terms = expand(columns)
    assert list(terms.columns) == [*((k,) for k in range(4)), *combinations(range(4), 2)]
    assert terms.width.tolist() == [4, 4, 4, 2, 4, 4, 4, 4, 4, 4]
