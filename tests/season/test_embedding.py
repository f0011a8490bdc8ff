"""Principal components of matrices with gaps."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from winodds.arrays import Floats
from winodds.errors import NothingToEmbed
from winodds.season.embedding import are_linked, embed, find_core


def low_rank(seed: int, rows: int = 40, columns: int = 8, *, noise: float = 0.0) -> Floats:
    """A matrix of two directions and column means, with noise."""
    rng = np.random.default_rng(seed)
    plane = rng.normal(size=(rows, 2)) * [3.0, 1.5] @ rng.normal(size=(2, columns))
    return plane + rng.normal(size=columns) + noise * rng.normal(size=(rows, columns))


def with_gaps(matrix: Floats, share: float, seed: int = 0) -> Floats:
    gone = np.random.default_rng(seed).random(matrix.shape) < share
    return np.where(gone, np.nan, matrix)


def test_three_points_on_a_line_worked_by_hand() -> None:
    """Centred, the rows are −5, 0 and 5 along (0.6, 0.8)."""
    found = embed(np.array([[-3.0, 6.0], [0.0, 10.0], [3.0, 14.0]]))
    assert found.rows[:, 0] == pytest.approx([-5.0, 0.0, 5.0])
    assert found.columns[:, 0] == pytest.approx([0.6, 0.8])
    assert found.centre == pytest.approx([0.0, 10.0])
    assert found.shares == pytest.approx([1.0])
    assert found.steps == 0


def test_a_complete_matrix_has_its_singular_value_decomposition() -> None:
    matrix = low_rank(1, noise=1.0)
    found = embed(matrix, components=3)
    left, size, right = np.linalg.svd(matrix - matrix.mean(axis=0), full_matrices=False)
    assert np.abs(found.rows) == pytest.approx(np.abs(left[:, :3] * size[:3]))
    assert np.abs(found.columns) == pytest.approx(np.abs(right[:3].T))
    assert found.shares == pytest.approx(size[:3] ** 2 / (size**2).sum())


@settings(max_examples=15)
@given(seed=st.integers(0, 50), share=st.sampled_from([0.0, 0.15]))
def test_axes_are_orthogonal_and_point_to_the_positive_side(seed: int, share: float) -> None:
    found = embed(with_gaps(low_rank(seed, 20, 6, noise=0.5), share, seed))
    assert found.columns.T @ found.columns == pytest.approx(np.eye(2), abs=1e-9)
    square = found.rows.T @ found.rows
    assert square[0, 1] == pytest.approx(0.0, abs=1e-6 * square[0, 0])
    assert (found.columns.sum(axis=0) >= 0.0).all()
    assert found.rows.mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-9)


def test_all_components_together_give_the_matrix_back() -> None:
    matrix = low_rank(2, 9, 5, noise=1.0)
    found = embed(matrix, components=5)
    assert found.centre + found.rows @ found.columns.T == pytest.approx(matrix)
    assert found.shares is not None
    assert found.shares.sum() == pytest.approx(1.0)


def test_a_plane_is_recovered_although_a_fifth_is_missing() -> None:
    matrix = low_rank(3)
    gapped = with_gaps(matrix, 0.2, 3)
    found = embed(gapped)
    assert found.filled == pytest.approx(matrix, abs=1e-4)
    whole = embed(matrix)
    assert found.rows == pytest.approx(whole.rows, abs=1e-4)
    assert found.columns == pytest.approx(whole.columns, abs=1e-4)


def test_filled_cells_are_what_the_components_say_without_noise_and_observed_ones_stay() -> None:
    """The fixed point, spelt out: singular values lose the noise that the others show."""
    gapped = with_gaps(low_rank(4, noise=0.5), 0.2, 4)
    found = embed(gapped)
    gap = np.isnan(gapped)
    (n, p), k = gapped.shape, 2
    left, size, right = np.linalg.svd(found.filled - found.centre, full_matrices=False)
    eigenvalues = size**2 / n
    noise = n * p / min(p, n - 1) * eigenvalues[k:].sum() / ((n - 1) * (p - k) - p * k + k**2)
    noise = min(noise, eigenvalues[k])
    shrunken = size[:k] * (1.0 - noise / eigenvalues[:k])
    seen = found.centre + left[:, :k] * shrunken @ right[:k]
    assert found.filled[gap] == pytest.approx(seen[gap], abs=1e-5)
    assert (found.filled[~gap] == gapped[~gap]).all()


def test_gaps_of_noisy_matrices_are_filled_better_than_by_means() -> None:
    """And they do not run away: no filled cell is far outside what was observed."""
    own = means = 0.0
    for seed in range(30):
        whole = low_rank(seed, 12, 5, noise=1.0)
        gapped = with_gaps(whole, 0.2, seed)
        found, gap = embed(gapped), np.isnan(gapped)
        own += ((found.filled - whole)[gap] ** 2).sum()
        means += ((np.nanmean(gapped, axis=0) - whole)[gap] ** 2).sum()
        assert np.abs(found.filled).max() < 1.5 * np.nanmax(np.abs(gapped))
    assert own < 0.5 * means


def test_the_order_of_rows_and_columns_plays_no_part() -> None:
    gapped = with_gaps(low_rank(6, 30, 7, noise=0.5), 0.1, 6)
    rng = np.random.default_rng(6)
    rows, columns = rng.permutation(30), rng.permutation(7)
    found, mixed = embed(gapped), embed(gapped[np.ix_(rows, columns)])
    assert mixed.rows == pytest.approx(found.rows[rows], abs=1e-6)
    assert mixed.columns == pytest.approx(found.columns[columns], abs=1e-6)


def test_what_all_rows_have_in_common_plays_no_part() -> None:
    matrix = low_rank(7, noise=0.5)
    moved = matrix + np.arange(8.0)
    assert embed(moved).rows == pytest.approx(embed(matrix).rows)


def test_a_wide_matrix_is_filled_as_its_tall_transpose_would_be_projected() -> None:
    matrix = low_rank(8, 6, 40)
    gapped = with_gaps(matrix, 0.1, 8)
    assert embed(gapped).filled == pytest.approx(matrix, abs=2e-4)


# Gaps that are hard to fill -----------------------------------------------------------------------


@pytest.mark.parametrize("tall", [True, False])
@pytest.mark.parametrize("rank", [1, 2])
def test_a_matrix_of_few_directions_with_gaps_is_filled_exactly(rank: int, tall: bool) -> None:
    """Nothing is left that would tell the noise."""
    matrix = np.outer(np.arange(9.0), [1.0, 2.0, 0.5, -1.0, 3.0, 1.0])
    if rank == 2:
        matrix += np.outer(np.arange(9.0) % 3.0, [2.0, -1.0, 1.0, 1.0, 0.0, 1.0])
    matrix = (matrix if tall else matrix.T) + 7.0
    gapped = matrix.copy()
    gapped[1, 2] = gapped[4, 0] = np.nan
    assert embed(gapped, components=rank).filled == pytest.approx(matrix, abs=1e-3)
    # More directions than there are fill gaps with anything, and still hold what was observed.
    more = embed(gapped, components=rank + 1)
    gap = np.isnan(gapped)
    assert (more.centre + more.rows @ more.columns.T)[~gap] == pytest.approx(matrix[~gap], abs=1e-3)


def test_constant_columns_keep_their_constant() -> None:
    """As tournaments in which all are tied: seven rows, one column of five with differences."""
    matrix = np.tile([0.0, 3.0, 0.0, -2.0, 0.0], (7, 1))
    matrix[:, 0] = [3.0, 1.0, 0.0, -1.0, 2.0, -2.0, -3.0]
    gapped = matrix.copy()
    gapped[2, 1] = gapped[6, 0] = np.nan
    found = embed(gapped)
    assert found.filled[2, 1] == pytest.approx(3.0)
    assert found.filled[6, 0] == pytest.approx(matrix[:6, 0].mean(), abs=0.6)
    assert found.columns[:, 0] == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0])


def test_exact_copies_of_a_column_fill_its_gaps() -> None:
    column = np.array([3.0, 1.0, 0.0, -1.0, 2.0, -2.0, -3.0])
    matrix = np.column_stack([column] * 4)
    matrix[3, 1] = matrix[5, 2] = np.nan
    found = embed(matrix, components=1)
    assert found.filled == pytest.approx(np.column_stack([column] * 4), abs=1e-4)
    assert found.columns[:, 0] == pytest.approx([0.5] * 4, abs=1e-4)
    gap, plane = np.isnan(matrix), embed(matrix)
    seen = plane.centre + plane.rows @ plane.columns.T
    assert seen[~gap] == pytest.approx(matrix[~gap], abs=1e-4)


def test_rows_that_are_the_same_but_for_gaps_are_refused() -> None:
    matrix = np.ones((5, 4))
    matrix[1, 1] = matrix[2, 3] = np.nan
    with pytest.raises(NothingToEmbed, match=r"all rows are the same\.$"):
        embed(matrix)


@pytest.mark.parametrize(("limit", "value"), [("MOST_STEPS", 3), ("MOST_WORK", 3.5 * 20 * 8 * 8)])
def test_gaps_that_do_not_settle_are_refused(
    monkeypatch: pytest.MonkeyPatch, limit: str, value: float
) -> None:
    gapped = with_gaps(low_rank(4, 20, noise=0.5), 0.25, 4)
    monkeypatch.setattr(f"winodds.season.embedding.{limit}", value)
    with pytest.raises(NothingToEmbed) as caught:
        embed(gapped)
    share = np.isnan(gapped).mean()
    assert str(caught.value) == (
        f"The ratings cannot be laid out in a plane: {share:.0%} of the cells are missing, and "
        f"filling them did not settle in 3 steps; leave out what has few results."
    )


def test_work_is_bounded_for_large_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of a matrix of 2,000 × 500 takes a seventh of a second."""
    monkeypatch.setattr("winodds.season.embedding._project", lambda filled, _: filled + 1.0)
    with pytest.raises(NothingToEmbed, match="did not settle in 100 steps"):
        embed(with_gaps(np.random.default_rng(1).normal(size=(2000, 500)), 0.2))


def test_shares_of_the_variance_are_told_for_complete_matrices_only() -> None:
    """Of pure noise, the filled matrix would have half as much again in the plane."""
    claimed, true = [], []
    for seed in range(10):
        matrix = np.random.default_rng(seed).normal(size=(20, 8))
        found, whole = embed(with_gaps(matrix, 0.35, seed)), embed(matrix)
        assert found.shares is None
        assert whole.shares is not None
        again = embed(found.filled).shares
        assert again is not None
        claimed.append(again.sum())
        true.append(whole.shares.sum())
    assert np.mean(claimed) > 1.4 * np.mean(true)


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        (np.ones((1, 3)), "there are 1 rows and 3 columns, and 2 are needed"),
        (np.ones((3, 2)), "all rows are the same"),
        (np.array([[1.0, np.nan], [2.0, np.nan]]), "a row or a column is empty"),
    ],
)
def test_nothing_to_decompose_is_refused(matrix: Floats, reason: str) -> None:
    with pytest.raises(NothingToEmbed) as caught:
        embed(matrix)
    assert str(caught.value) == f"The ratings cannot be laid out in a plane: {reason}."


# What can be embedded -----------------------------------------------------------------------------


@given(seed=st.integers(0, 200))
def test_the_core_is_the_largest_part_in_which_all_have_enough(seed: int) -> None:
    present = np.random.default_rng(seed).random((9, 5)) < 0.5
    rows, columns = find_core(present, in_row=2, in_column=3)
    inside = present[np.ix_(rows, columns)]
    assert (inside.sum(axis=1) >= 2).all()
    assert (inside.sum(axis=0) >= 3).all()
    best = 0
    for some in range(2**5):
        chosen = np.array([some >> k & 1 for k in range(5)], bool)
        kept = present[:, chosen].sum(axis=1) >= 2
        if (present[np.ix_(kept, chosen)].sum(axis=0) >= 3).all():
            best = max(best, int(chosen.sum()))
    assert columns.sum() == best


def test_links_go_through_shared_rows() -> None:
    chain = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], bool)
    assert are_linked(chain)
    assert not are_linked(np.delete(chain, 1, axis=0))
