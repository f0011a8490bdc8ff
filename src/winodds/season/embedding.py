"""Principal components of a matrix with gaps: rows and columns as points and arrows of a plane.

The gaps are filled by the components themselves, again and again until nothing changes: the EM
algorithm of principal components. What they say is drawn towards the columns' means by as much as
the rest of the matrix calls for, or a few gaps would run away with the picture (Josse and Husson
2012, regularised iterative PCA). A complete matrix needs none of this: its components are those of
the singular value decomposition. Columns are centred, so that what all rows have in common plays no
part.

Examples
--------
A matrix of one direction, in which a cell is missing:

>>> matrix = np.array([[1.0, 2.0], [2.0, np.nan], [3.0, 6.0], [5.0, 10.0]])
>>> found = embed(matrix, components=1)
>>> round(float(found.filled[1, 1]), 4), found.shares
(4.0, None)
"""

from dataclasses import dataclass

import numpy as np

from winodds.arrays import EQUAL, Bools, Floats, at_least, levels
from winodds.season.errors import NothingToEmbed

MOST_STEPS = 5000
"""Rounds of filling gaps at most."""

MOST_WORK = 5e10
"""Multiplications of filling gaps at most, for some seconds."""

SETTLED = 1e-6
"""Change of a filled cell, in standard deviations of the matrix, that ends the filling."""

LEAST = 1e-12
"""Share of the largest singular value, or of its square, below which there is nothing."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """Rows and columns of an (n, p) matrix along its k principal components.

    Attributes
    ----------
    rows : (n, k) the rows' places; their columns are orthogonal.
    columns : (p, k) the columns' directions; orthonormal.
    centre : (p,) the columns' means, which were taken off.
    shares : (k,) share of the variance along each component; None where there were gaps. The
        components have filled those, so that they would explain too much: of pure noise of 20 × 8
        with 35% of the cells missing, two hold 49% if it is complete, 76% of it filled, and 70% of
        what was observed.
    filled : (n, p) the matrix with its gaps filled.
    steps : how often the gaps were filled; 0 for a complete matrix.
    """

    rows: Floats
    columns: Floats
    centre: Floats
    shares: Floats | None
    filled: Floats
    steps: int


def embed(matrix: Floats, *, components: int = 2) -> Embedding:
    """The principal components of a matrix whose columns are centred.

    Parameters
    ----------
    matrix : (n, p), NaN where there is nothing; every row and column holds something.
    components : how many; no more than n − 1 and p are there.

    Raises
    ------
    NothingToEmbed : without differences, or where filling the gaps comes to no end.
    """
    gap = np.isnan(matrix)
    _refuse(matrix, gap)
    wanted = min(components, matrix.shape[0] - 1, matrix.shape[1])
    filled, steps = _fill(matrix, gap, wanted)
    centre = filled.mean(axis=0)
    _, size, right = np.linalg.svd(filled - centre, full_matrices=False)
    kept = min(wanted, int((size > LEAST * size[0]).sum()))
    directions = settle_directions(right, size)[:kept]
    directions *= _signs(directions)[:, None]
    return Embedding(
        rows=(filled - centre) @ directions.T,
        columns=directions.T.copy(),
        centre=centre,
        shares=None if gap.any() else size[:kept] ** 2 / (size @ size),
        filled=filled,
        steps=steps,
    )


def _refuse(matrix: Floats, gap: Bools) -> None:
    """Refuse a matrix without two rows and columns, with an empty one, or without differences."""
    if min(matrix.shape) < 2:
        rows, columns = matrix.shape
        raise NothingToEmbed(
            reason=f"there are {rows} rows and {columns} columns, and 2 are needed"
        )
    if gap.all(axis=0).any() or gap.all(axis=1).any():
        raise NothingToEmbed(reason="a row or a column is empty")
    if not (np.nanmax(matrix, axis=0) > np.nanmin(matrix, axis=0)).any():
        raise NothingToEmbed(reason="all rows are the same")


def _fill(matrix: Floats, gap: Bools, components: int) -> tuple[Floats, int]:
    """The matrix with its gaps filled, and how often that was done until it settled."""
    filled = np.where(gap, np.nanmean(matrix, axis=0), matrix)
    if not gap.any():
        return filled, 0
    scale = float(np.nanstd(matrix))
    steps = min(MOST_STEPS, int(MOST_WORK / (matrix.size * min(matrix.shape))))
    for step in range(1, steps + 1):
        guess = _project(filled, components)[gap]
        change = float(np.abs(guess - filled[gap]).max())
        filled[gap] = guess
        if change <= SETTLED * scale:
            return filled, step
    reason = (
        f"{gap.mean():.0%} of the cells are missing, and filling them did not settle in "
        f"{steps:,} steps; leave out what has few results"
    )
    raise NothingToEmbed(reason=reason)


def _project(matrix: Floats, components: int) -> Floats:
    """The matrix seen through its first components only, each without its share of noise."""
    centre = matrix.mean(axis=0)
    centred = matrix - centre
    tall = matrix.shape[0] >= matrix.shape[1]
    square = centred.T @ centred if tall else centred @ centred.T
    # Eigenvalues come in increasing order.
    strength, direction = np.linalg.eigh(square)
    strength, plane = np.maximum(strength[::-1], 0.0), direction[:, : -components - 1 : -1]
    strong, noise = strength[:components], _noise(strength, matrix.shape, components)
    there = strong > LEAST * strength[0]
    kept = np.divide(strong - noise, strong, out=np.zeros_like(strong), where=there)
    if tall:
        return np.asarray(centre + (centred @ plane * kept) @ plane.T, np.float64)
    return np.asarray(centre + plane * kept @ (plane.T @ centred), np.float64)


def _noise(strength: Floats, shape: tuple[int, ...], components: int) -> float:
    """What noise adds to the squared singular value of a component, from the other components."""
    n, p = shape
    free = (n - 1 - components) * (p - components)
    if free <= 0 or strength[components - 1] <= 0.0:
        return 0.0
    noise = n * p / min(p, n - 1) * float(strength[components:].sum()) / free
    return min(noise, float(strength[components]))


def settle_directions(directions: Floats, size: Floats) -> Floats:
    """The directions (k, p), with those of equal singular values turned to where they belong.

    Any turn of these among themselves is as good, and rounding picks one. The first of them is
    laid along the column that they hold most of, the next likewise in what is left.
    """
    settled, level = directions.copy(), levels(-size / size[0])
    for number in np.flatnonzero(np.bincount(level) > 1).tolist():
        plane = directions[level == number]
        for place in np.flatnonzero(level == number).tolist():
            held = np.linalg.norm(plane, axis=0)
            column = int(at_least(held, held.max()).argmax())
            settled[place] = plane[:, column] @ plane / held[column]
            plane = plane - np.outer(plane @ settled[place], settled[place])
    return settled


def _signs(directions: Floats) -> Floats:
    """(k,) ±1, so that columns point to the positive side on average."""
    total = directions.sum(axis=1)
    strength = np.abs(directions)
    first = at_least(strength, strength.max(axis=1, keepdims=True)).argmax(axis=1)
    largest = np.take_along_axis(directions, first[:, None], axis=1)[:, 0]
    told = np.where(np.abs(total) > EQUAL, total, largest)
    return np.where(told < 0.0, -1.0, 1.0)


# What can be embedded -----------------------------------------------------------------------------


def find_core(present: Bools, *, in_row: int, in_column: int) -> tuple[Bools, Bools]:
    """The rows and columns that remain when those with too few cells are left out.

    Leaving one out can leave another with too few, so this goes on until all have enough.

    Parameters
    ----------
    present : (n, p) where there is a cell.
    in_row, in_column : cells that a row and a column need.

    Examples
    --------
    >>> present = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 1]], bool)
    >>> rows, columns = find_core(present, in_row=2, in_column=2)
    >>> rows.tolist(), columns.tolist()
    ([True, True, False], [True, True, False])
    """
    rows = np.ones(present.shape[0], np.bool_)
    columns = np.ones(present.shape[1], np.bool_)
    while True:
        fewer = rows & (present[:, columns].sum(axis=1) >= in_row)
        narrower = columns & (present[fewer].sum(axis=0) >= in_column)
        if (fewer == rows).all() and (narrower == columns).all():
            return rows, columns
        rows, columns = fewer, narrower


def are_linked(present: Bools) -> bool:
    """Whether one comes from every column to every other through rows that both have.

    >>> are_linked(np.array([[1, 1, 0], [0, 1, 1]], bool))
    True
    >>> are_linked(np.array([[1, 0], [0, 1]], bool))
    False
    """
    reached = np.arange(present.shape[1]) == 0
    while True:
        further = present[present[:, reached].any(axis=1)].any(axis=0) | reached
        if (further == reached).all():
            return bool(reached.all())
        reached = further
