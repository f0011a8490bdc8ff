"""Any linear function of the ratings of one fit: its value, error and interval.

A combination C β with rows that add up to 0, such as a team's rating minus the mean of its members'
ratings, does not depend on where 0 is. Its variance is C V Cᵀ, robust through the influences of the
clusters and model-based through the inverse information. Intervals follow the rules of
differences (`winodds.inference.intervals`), of which they are the general form: the larger of both
half-widths, degrees of freedom of the player with fewest of them, ends moved by the remaining bias.

An end is open where the data let the combination run away. Ratings may move along a direction d
without making the wins less likely when d is nowhere smaller for a winner than for whom it beat:
along sums of indicators of *upper sets*, which hold with a player everyone who reaches it. So the
upper end is known if no upper set has a positive sum of coefficients, and the lower end if none has
a negative one. For two players this is the rule of differences, and for a player against the
average of all that of ratings.
"""

from typing import TypeAlias, TypeVar

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from winodds.arrays import EQUAL, Bools, Floats, Ints
from winodds.inference.clusters import Clustering
from winodds.inference.contrasts import Contrasts
from winodds.inference.intervals import Estimates, Uncertainty
from winodds.inference.structure import Structure

Number = TypeVar("Number", Floats, Ints)

Rows: TypeAlias = Floats
"""(k, m) coefficients; every row adds up to 0."""

NOTHING = 1e-5
"""Share of a row's coefficients up to which a sum of some of them is taken for 0."""

UNITS = 10**8
"""Parts into which a row's coefficients are divided where they have to be whole numbers."""


def combine(uncertainty: Uncertainty, rows: Rows) -> Estimates:
    """Combinations of ratings, (k,), with their errors and intervals.

    Where a combination is the difference of two players, its interval is the one that agrees with
    their test.

    Examples
    --------
    >>> import winodds.demo
    >>> part = winodds.demo.rate_results()["digits"].components[0]
    >>> rows = np.zeros((1, 20))
    >>> rows[0, :3] = 1.0, -0.5, -0.5
    >>> found = combine(part.uncertainty, rows)
    >>> bool(np.isclose(found.value[0], rows[0] @ part.intervals.beta))
    True
    """
    own = uncertainty.intervals
    size = np.abs(rows).sum(axis=1, keepdims=True)
    # Coefficients that are 0 on paper must not count as players who have a part.
    rows = np.where(np.abs(rows) <= EQUAL * size, 0.0, rows)
    contrasts, (low_known, high_known) = _contrasts(uncertainty, rows)
    half, value, bias = contrasts.half_width(own.level), contrasts.value, rows @ own.bias
    low = np.where(low_known, np.minimum(value - bias - half, value), -np.inf)
    high = np.where(high_known, np.maximum(value - bias + half, value), np.inf)
    found = Estimates(value, contrasts.se, low, high)
    return _agree_with_tests(uncertainty, rows, found)


def _contrasts(uncertainty: Uncertainty, rows: Rows) -> tuple[Contrasts, tuple[Bools, Bools]]:
    own, clustering = uncertainty.intervals, uncertainty.clustering
    spread = np.einsum("km,mk->k", rows, uncertainty.information.solve(rows.T))
    model = np.sqrt(own.model_scale * np.maximum(spread, 0.0))
    robust = None
    if own.influence is not None:
        robust = np.sqrt(_robust_variances(clustering, own.influence, rows))
    part = rows != 0.0
    known = known_ends(own.structure, rows)
    contrasts = Contrasts(
        value=rows @ own.beta,
        model=model,
        robust=robust,
        units=_least(clustering.played, part),
        df=_least(clustering.df, part),
        cut=~(known[0] & known[1]),
    )
    return contrasts, known


def _least(amount: Number, part: Bools) -> Number:
    """(k,) the smallest amount of those who have a part in each combination."""
    least: Number = np.where(part, amount, amount.max()).min(axis=1)
    return least


def _robust_variances(clustering: Clustering, influence: Floats, rows: Rows) -> Floats:
    """(k,) robust variances; clusters count by the lifts of those who have a part in them.

    The variance of a rating goes with the inverse of its matches, and with the square of its
    coefficient.
    """
    change = rows @ influence
    if clustering.lift is None:
        factor = np.where(rows != 0.0, clustering.factor, 0.0).max(axis=1)
        return np.asarray(np.einsum("kg,kg->k", change, change) * factor, np.float64)
    weight = rows**2 / clustering.amount
    weight /= np.maximum(weight.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    shared = clustering.lift.shape[0] == 1
    lift = clustering.lift if shared else weight @ clustering.lift
    return np.asarray((change**2 * lift).sum(axis=1), np.float64)


def _agree_with_tests(uncertainty: Uncertainty, rows: Rows, found: Estimates) -> Estimates:
    """The same, with the intervals of differences where combinations are differences."""
    of_two = ((rows == 1.0).sum(axis=1) == 1) & ((rows == -1.0).sum(axis=1) == 1)
    of_two &= (rows != 0.0).sum(axis=1) == 2
    if not of_two.any():
        return found
    pairs = rows[of_two]
    exact = uncertainty.of_differences(pairs.argmax(axis=1), pairs.argmin(axis=1))
    low, high = found.low.copy(), found.high.copy()
    low[of_two], high[of_two] = exact.low, exact.high
    return Estimates(found.value, found.se, low, high)


# Open ends ----------------------------------------------------------------------------------------


def known_ends(structure: Structure, rows: Rows) -> tuple[Bools, Bools]:
    """(k,) whether the data tell the lower and the upper end of each combination."""
    known = np.ones(rows.shape[0], np.bool_)
    if not structure.separated:
        return known, known
    of_sets = _by_set(structure, rows)
    if structure.chain:
        sums = np.cumsum(of_sets, axis=1)
        return sums.min(axis=1) >= -NOTHING, sums.max(axis=1) <= NOTHING
    lowest, highest = (
        np.array([_largest_sum(structure, own) for own in amounts])
        for amounts in (-of_sets, of_sets)
    )
    return lowest <= NOTHING, highest <= NOTHING


def _by_set(structure: Structure, rows: Rows) -> Floats:
    """(k, parts) what the sets of players who reach each other hold of a row's coefficients."""
    players = np.arange(structure.part.size)
    belongs = sparse.csr_array(
        (np.ones(players.size), (players, structure.part)),
        shape=(players.size, structure.parts),
    )
    size = np.maximum(np.abs(rows).sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return np.asarray((rows / size) @ belongs, np.float64)


def _largest_sum(structure: Structure, amounts: Floats) -> float:
    """Largest sum of the sets' amounts, (parts,), over an upper set: a smallest cut.

    Who is in pulls in who reaches it, through edges that no cut can afford (Picard 1976).
    """
    size = structure.links.shape[0]
    source, sink = size, size + 1
    links = structure.links.tocoo()
    gain = np.rint(amounts * UNITS).astype(np.int64)
    up, down = np.flatnonzero(gain > 0), np.flatnonzero(gain < 0)
    tails = [np.full(up.size, source), structure.node[down], links.col]
    heads = [structure.node[up], np.full(down.size, sink), links.row]
    endless = np.full(links.data.size, 1 + np.abs(gain).sum())
    capacities = [gain[up], -gain[down], endless]
    graph = sparse.csr_array(
        (
            np.concatenate(capacities).astype(np.int32),
            (np.concatenate(tails), np.concatenate(heads)),
        ),
        shape=(size + 2, size + 2),
    )
    flow = csgraph.maximum_flow(graph, source, sink).flow_value
    return float(gain[up].sum() - flow) / UNITS
