"""Kernel sums against the obvious double sums, and against the dense information."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import expit

from winodds.arrays import Floats
from winodds.design.dense import DenseInformation
from winodds.design.kernel import ROUGH, KernelInformation, Series


def _ratings(players: int, width: float, seed: int = 0) -> Floats:
    beta = np.random.default_rng(seed).normal(size=players)
    beta = (beta - beta.min()) / (beta.max() - beta.min()) * width
    centred: Floats = beta - beta.mean()
    return centred


def _met(shares: Floats, weights: Floats) -> Floats:
    met: Floats = (shares.T * weights) @ shares
    np.fill_diagonal(met, 0.0)
    return met


KERNELS: dict[str, Callable[[Floats], Floats]] = {
    "chance": lambda x: expit(x),
    "slope": lambda x: expit(x) * expit(-x),
    "skewed": lambda x: expit(x) * expit(-x) * (0.5 - expit(x)),
}


@pytest.mark.parametrize("width", [0.0, 1e-6, 3.0, 12.0, 40.0])
@pytest.mark.parametrize("kernel", KERNELS)
def test_series_gives_the_kernel_to_machine_precision(width: float, kernel: str) -> None:
    beta = np.linspace(-width / 2, width / 2, 301)
    series = Series.over(beta)
    found = series.phi.T @ getattr(series.kernels(), kernel) @ series.phi
    exact = KERNELS[kernel](beta[:, None] - beta[None, :])
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-14)


DESIGNS = [
    pytest.param(300, 2.0, 1, 4096, id="narrow"),
    pytest.param(300, 12.0, 1, 4096, id="wide"),
    pytest.param(300, 30.0, 1, 4096, id="very wide"),
    pytest.param(1500, 8.0, 1, 1000, id="more than one block"),
    pytest.param(400, 8.0, 5, 4096, id="five cliques"),
]


@pytest.mark.parametrize(("players", "width", "cliques", "block"), DESIGNS)
def test_kernel_information_equals_the_dense_one(
    players: int, width: float, cliques: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winodds.design.kernel.BLOCK", block)
    rng = np.random.default_rng(1)
    beta = _ratings(players, width)
    shares = np.ones((1, players))
    if cliques > 1:
        shares = (rng.random((cliques, players)) < 0.7).astype(np.float64)
        shares[0] = 1.0
    weights = rng.uniform(1.0, 6.0, cliques)
    kernel = KernelInformation.at(beta, shares, weights)
    dense = DenseInformation.at(beta, _met(shares, weights))
    first, second = rng.integers(0, players, 50), rng.integers(0, players, 50)
    right = rng.normal(size=(players, 3))

    def close(found: Floats, exact: Floats, tolerance: float = 1e-11) -> None:
        scale = float(np.abs(exact).max())
        np.testing.assert_allclose(found / scale, exact / scale, rtol=0, atol=tolerance)

    close(kernel.expected, dense.expected)
    close(kernel.variances(), dense.variances())
    close(kernel.covariances(first, second), dense.covariances(first, second))
    close(kernel.solve(right), dense.solve(right))
    close(kernel.solve(right[:, 0]), dense.solve(right[:, 0]))
    close(kernel.bias_score(), dense.bias_score())
    close(kernel.bias_score_of(right), dense.bias_score_of(right))


def _layouts(width: float) -> dict[str, Floats]:
    """Ratings that fill the interval of this width in different ways."""
    rng = np.random.default_rng(4)
    ends = np.array([-0.5, 0.5]) * width
    return {
        "bell": _ratings(300, width),
        "even": np.linspace(-0.5 * width, 0.5 * width, 300),
        "two clusters": ends[rng.integers(0, 2, 300)] * rng.uniform(0.98, 1.0, 300),
        "five points": np.linspace(-0.5 * width, 0.5 * width, 5)[rng.integers(0, 5, 300)],
        "one apart": np.where(np.arange(300) == 7, width, 0.0),
        "both ends apart": np.concatenate([ends, np.zeros(298)]),
        "two players": ends,
        "equal players": np.zeros(300),
    }


def _exact_diagonals(information: KernelInformation) -> tuple[Floats, Floats]:
    """Variances and bias score from whole m × m products, as the formulas have them."""
    phi, shares, weights = information.series.phi, information.shares, information.weights
    columns = [share * phi for share in shares]
    plain = information.core.shape[0] == phi.shape[0]
    u = phi if plain else np.vstack([*columns, np.ones((1, phi.shape[1]))])
    low_rank = u.T @ information.core @ u
    inverse = low_rank / np.outer(information.diagonal, information.diagonal)
    inverse[np.diag_indices_from(inverse)] += 1.0 / information.diagonal
    variance = inverse.diagonal()
    spread = variance[:, None] + variance[None, :] - 2.0 * inverse
    kernel = ((shares.T * weights) @ shares) * (phi.T @ information.skewed @ phi)
    return variance - information.shift, (kernel * spread).sum(axis=1)


@pytest.mark.parametrize("cliques", [1, 3])
@pytest.mark.parametrize("width", [0.0, 1e-6, 1e-3, 0.1, 1.0, 3.0, 8.0, 12.0])
def test_diagonals_on_the_nodes_are_those_of_the_whole_product(width: float, cliques: int) -> None:
    rng = np.random.default_rng(5)
    for name, beta in _layouts(width).items():
        shares = np.ones((cliques, beta.size))
        shares[1:] = rng.integers(0, 3, (cliques - 1, beta.size))
        weights = rng.uniform(1.0, 6.0, cliques)
        information = KernelInformation.at(beta, shares, weights)
        variance, score = _exact_diagonals(information)
        scale = max(1e-3, float(np.abs(score).max()))
        np.testing.assert_allclose(information.variances(), variance, rtol=1e-10, err_msg=name)
        np.testing.assert_allclose(
            information.bias_score() / scale, score / scale, rtol=0, atol=1e-10, err_msg=name
        )


@pytest.mark.parametrize("width", [20.0, 40.0, 60.0])
@pytest.mark.parametrize("layout", ["bell", "even"])
def test_diagonals_hold_over_very_wide_ratings(width: float, layout: str) -> None:
    beta = _layouts(width)[layout]
    information = KernelInformation.at(beta, np.ones((1, beta.size)), np.array([20.0]))
    dense = DenseInformation.at(beta, 20.0 * (1.0 - np.eye(beta.size)))
    np.testing.assert_allclose(information.variances(), dense.variances(), rtol=1e-11)
    np.testing.assert_allclose(information.bias_score(), dense.bias_score(), atol=1e-11)


def test_a_rough_series_is_short_and_still_near() -> None:
    beta = _ratings(300, 9.0)
    shares, weights = np.ones((1, 300)), np.array([20.0])
    exact = KernelInformation.at(beta, shares, weights)
    rough = KernelInformation.at(beta, shares, weights, nats=ROUGH)
    assert 2 * rough.series.nodes.size < exact.series.nodes.size
    np.testing.assert_allclose(rough.expected, exact.expected, rtol=0, atol=1e-3)
    np.testing.assert_allclose(rough.variances(), exact.variances(), rtol=1e-4)


def test_a_rating_on_a_node_takes_the_value_there() -> None:
    beta = _ratings(200, 4.0)
    nodes = Series.over(beta).nodes
    on_nodes = np.concatenate([[beta.min(), beta.max()], nodes])
    series = Series.over(on_nodes)
    np.testing.assert_allclose(series.phi[:, 2:], np.eye(nodes.size), rtol=0, atol=1e-12)
    np.testing.assert_allclose(series.phi.sum(axis=0), 1.0, rtol=1e-12)


def test_shares_may_count_scores_and_weights_may_take_matches_off() -> None:
    rng = np.random.default_rng(2)
    beta = _ratings(250, 6.0)
    shares = np.vstack([rng.integers(1, 5, 250), rng.integers(0, 2, 250)]).astype(np.float64)
    weights = np.array([2.0, -1.0])
    kernel = KernelInformation.at(beta, shares, weights)
    dense = DenseInformation.at(beta, _met(shares, weights))
    np.testing.assert_allclose(kernel.expected, dense.expected, rtol=1e-12)
    np.testing.assert_allclose(kernel.variances(), dense.variances(), rtol=1e-11)
    np.testing.assert_allclose(kernel.bias_score(), dense.bias_score(), atol=1e-12)


def test_ridge_is_added_to_the_diagonal() -> None:
    beta = _ratings(200, 5.0)
    shares, weights = np.ones((1, 200)), np.array([3.0])
    kernel = KernelInformation.at(beta, shares, weights, ridge=0.7)
    dense = DenseInformation.at(beta, _met(shares, weights), ridge=0.7)
    np.testing.assert_allclose(kernel.variances(), dense.variances(), rtol=1e-12)
    information = np.diag(dense.information.sum(axis=1)) - dense.information + 0.7 * np.eye(200)
    centring = np.eye(200) - 1.0 / 200
    exact = centring @ np.linalg.inv(information) @ centring
    np.testing.assert_allclose(dense.inverse, exact, atol=1e-12)


def test_information_is_the_slope_of_expected_wins() -> None:
    beta = _ratings(6, 3.0)
    met = np.full((6, 6), 4.0)
    np.fill_diagonal(met, 0.0)
    dense = DenseInformation.at(beta, met)
    information = np.diag(dense.information.sum(axis=1)) - dense.information
    step = 1e-6
    slope = np.empty((6, 6))
    for k in range(6):
        up, down = beta.copy(), beta.copy()
        up[k] += step
        down[k] -= step
        difference = DenseInformation.at(up, met).expected - DenseInformation.at(down, met).expected
        slope[:, k] = difference / (2 * step)
    np.testing.assert_allclose(information, slope, atol=1e-8)


def test_bias_score_is_the_slope_of_half_the_log_determinant() -> None:
    beta = _ratings(5, 2.0)
    met = np.arange(25.0).reshape(5, 5) + 1.0
    met = met + met.T
    np.fill_diagonal(met, 0.0)

    def half_log_determinant(ratings: Floats) -> float:
        weights = DenseInformation.at(ratings, met).information
        matrix = np.diag(weights.sum(axis=1)) - weights + 1.0
        return 0.5 * float(np.linalg.slogdet(matrix)[1])

    step = 1e-5
    slope = []
    for k in range(5):
        up, down = beta.copy(), beta.copy()
        up[k] += step
        down[k] -= step
        slope.append((half_log_determinant(up) - half_log_determinant(down)) / (2 * step))
    np.testing.assert_allclose(DenseInformation.at(beta, met).bias_score(), slope, atol=1e-8)


def test_leverages_add_up_to_the_free_parameters() -> None:
    met = np.full((7, 7), 3.0)
    np.fill_diagonal(met, 0.0)
    leverages = DenseInformation.at(_ratings(7, 4.0), met).leverages()
    assert leverages.sum() / 2 == pytest.approx(6.0, abs=1e-10)
