"""Many fits of nearly the same data at once: bootstrap replicates, simulated rounds.

Small designs take Newton steps side by side. In a large complete design a rating is a smooth
function of the player's wins, so each replicate needs only that function, at a few dozen points.
A row that neither way resolves is left NaN and goes to `fit`: every row that is returned converged.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.design.dense import NEGLIGIBLE
from winodds.design.design import SMALL, Cliques, Design
from winodds.design.errors import SingularInformation
from winodds.design.kernel import series_length
from winodds.fit.curves import (
    MAX_ITERATIONS,
    TOLERANCE,
    Chebyshev,
    Curve,
    chances,
    fit_series,
    spread_of,
    times,
)
from winodds.fit.errors import NotConverged
from winodds.fit.newton import MAX_STEP, fit

DENSE_CELLS = 2**14
"""Of a temporary array with m × m cells for each row; a handful of them stay in the cache."""

SERIES_CELLS = 2**15
"""Of a temporary array of the series."""

FEW = 48
"""Players from which on a series is shorter than what it replaces."""

NATS = 18.0
"""Precision of the first series tried, as a number of nats."""

LONGEST = 256
"""Most points of a series."""


def fit_many(
    wins: Floats,
    design: Design,
    *,
    start: Floats,
    weights: Floats | None = None,
    ridge: float = 0.0,
    strict: bool = True,
) -> Floats:
    """(B, m) ratings of each replicate, rows centred to mean 0, as `fit` would give them.

    Parameters
    ----------
    wins : (B, m) weighted wins in each replicate.
    design : who met whom in the original data.
    start : (m,) ratings of the original data.
    weights : (B, Q) weights of the cliques, or (B, E) of the pairs, in each replicate; by default
        those of the design.
    ridge : 1/sd² of a normal prior; 0 stands for the bias-reduced estimate.
    strict : whether a replicate that cannot be rated raises; otherwise its row is NaN.

    Raises
    ------
    NotConverged, SingularInformation
        As `fit` does, when a replicate cannot be rated.
    """
    if weights is None:
        weights = np.broadcast_to(design.weights, (wins.shape[0], design.weights.size))
    found = np.full(wins.shape, np.nan)
    # Rows that go astray are left to the next way, and the last one raises.
    with np.errstate(all="ignore"):
        if isinstance(design, Cliques) and design.complete and design.players >= FEW:
            _fit_complete(found, wins, design, start, weights, ridge)
        if design.players <= SMALL:
            _fit_small(found, wins, design, start, weights, ridge)
    _fit_rest(found, wins, design, start, weights, ridge, strict=strict)
    return found


def _fit_rest(
    found: Floats,
    wins: Floats,
    design: Design,
    start: Floats,
    weights: Floats,
    ridge: float,
    *,
    strict: bool,
) -> None:
    """Fill in the rows of ``found`` (B, m) that are missing, one by one."""
    # A few clusters give few different replicates, and those of one cluster are the slowest.
    known: dict[tuple[bytes, bytes], Floats] = {}
    for row in np.flatnonzero(np.isnan(found[:, 0])):
        key = wins[row].tobytes(), weights[row].tobytes()
        if key not in known:
            try:
                known[key] = fit(
                    wins[row],
                    replace(design, weights=weights[row]),
                    estimator="ridge" if ridge else "bias-reduced",
                    prior_sd=ridge**-0.5 if ridge else None,
                    start=start,
                    tolerance=TOLERANCE,
                ).beta
            except (NotConverged, SingularInformation):
                if strict:
                    raise
                known[key] = np.full(start.size, np.nan)
        found[row] = known[key]


def _chunks(rows: Ints, size: int) -> Iterator[Ints]:
    """The rows, so many at a time, but at least one."""
    size = max(1, size)
    for begin in range(0, rows.size, size):
        yield rows[begin : begin + size]


def _fit_small(
    found: Floats, wins: Floats, design: Design, start: Floats, weights: Floats, ridge: float
) -> None:
    """Fill in the rows of ``found`` (B, m) that are missing, by steps with (m, m) arrays."""
    missing = np.flatnonzero(np.isnan(found[:, 0]))
    cells = design.players * max(design.players, design.weights.size)
    for rows in _chunks(missing, DENSE_CELLS // cells):
        met = _met(design, weights[rows])
        with suppress(np.linalg.LinAlgError):
            found[rows] = _newton(wins[rows], met, start, ridge)


def _met(design: Design, weights: Floats) -> Floats:
    """(b, m, m) how often each pair met, for the weights (b, Q) or (b, E) of each replicate."""
    players = design.players
    if isinstance(design, Cliques):
        shares = design.shares.toarray()
        met: Floats = np.matmul(shares.T, weights[:, :, None] * shares)
        met[:, np.arange(players), np.arange(players)] = 0.0
        return met
    met = np.zeros((weights.shape[0], players, players))
    met[:, design.first, design.second] = weights
    met[:, design.second, design.first] = weights
    return met


def _newton(wins: Floats, met: Floats, start: Floats, ridge: float) -> Floats:
    """(b, m) ratings; NaN for rows that did not converge.

    The steps are those of `fit`, with ``met`` (b, m, m): a step that went too far is shortened, and
    the longest step allowed doubles with every one that did not.
    """
    found = np.full(wins.shape, np.nan)
    row, beta = np.arange(wins.shape[0]), np.tile(start, (wins.shape[0], 1))
    change, promised = np.zeros_like(beta), np.zeros(row.size)
    before, cap = np.full(row.size, TOLERANCE), np.full(row.size, MAX_STEP)
    for _ in range(MAX_ITERATIONS):
        score, step = _step(wins[row], met, beta, ridge)
        gained = np.einsum("bi,bi->b", score, change)
        too_far = ~(gained >= -0.5 * promised)
        share = np.where(too_far, np.maximum(0.1, promised / (promised - gained)), 0.0)
        largest = np.abs(step).max(axis=1)
        step *= (cap / np.maximum(largest, cap))[:, None]
        move = np.where(too_far[:, None], (share - 1.0)[:, None] * change, step)
        change = np.where(too_far[:, None], share[:, None] * change, step)
        promised = np.where(too_far, share * promised, np.einsum("bi,bi->b", score, step))
        beta = beta + move
        beta -= beta.mean(axis=1, keepdims=True)
        done = ~too_far & (largest * np.minimum(1.0, largest / before) < TOLERANCE)
        found[row[done]] = beta[done]
        before = np.where(too_far, before, largest)
        cap = np.where(too_far, MAX_STEP, 2.0 * cap)
        going = ~done & np.isfinite(beta).all(axis=1)
        if not going.any():
            break
        if not going.all():
            row, beta, met, change = row[going], beta[going], met[going], change[going]
            promised, before, cap = promised[going], before[going], cap[going]
    return found


def _step(wins: Floats, met: Floats, beta: Floats, ridge: float) -> tuple[Floats, Floats]:
    """(b, m) scores, bias-reduced without a ridge, and Newton steps with the leverages fixed."""
    chance, slope = chances(beta)
    information = met * slope
    score = wins - np.einsum("bij,bij->bi", met, chance) - ridge * beta
    matrix = _regular(information, ridge)
    if ridge:
        return score, np.linalg.solve(matrix, score[:, :, None])[:, :, 0]
    inverse = np.linalg.inv(matrix).astype(np.float64, copy=False)
    leverages = spread_of(inverse, np.einsum("bii->bi", inverse))
    leverages *= information
    score += 0.5 * leverages.sum(axis=2) - np.einsum("bij,bij->bi", leverages, chance)
    leverages *= slope
    if (leverages <= NEGLIGIBLE * information).all():
        return score, times(inverse, score)
    matrix = _regular(information + leverages, 0.0)
    return score, np.linalg.solve(matrix, score[:, :, None])[:, :, 0]


def _regular(weights: Floats, ridge: float) -> Floats:
    """(b, m, m) Laplacians of ``weights``, plus ridge·I and what makes them invertible, c·11ᵀ."""
    players = weights.shape[1]
    degree = weights.sum(axis=2) + ridge
    matrix: Floats = (degree.mean(axis=1) / players)[:, None, None] - weights
    np.einsum("bii->bi", matrix)[...] += degree
    return matrix


def _fit_complete(
    found: Floats, wins: Floats, design: Cliques, start: Floats, weights: Floats, ridge: float
) -> None:
    """Fill in the rows of ``found`` (B, m) that a series resolves.

    Rows for which it was too short try a longer one. When these are the majority of a chunk, so
    do all rows that are left.
    """
    left, longest = np.arange(wins.shape[0]), min(LONGEST, start.size)
    length = series_length(float(np.ptp(start)), NATS)
    if length > longest or not left.size:
        return
    scale = float(design.shares.data[0]) ** 2
    rounds = scale * weights[:, 0]
    curve = Curve.of(start, ridge / (scale * float(design.weights[0])))
    while left.size and length <= longest:
        chebyshev = Chebyshev.of(length)
        for rows in _chunks(left, SERIES_CELLS // max(length**2, start.size)):
            with suppress(np.linalg.LinAlgError):
                found[rows] = fit_series(wins[rows], rounds[rows], curve, chebyshev, ridge)
            if 2 * np.isnan(found[rows, 0]).sum() > rows.size:
                break
        left = left[np.isnan(found[left, 0])]
        length += length // 3
