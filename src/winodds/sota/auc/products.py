"""Matrix products in pieces that linear-algebra libraries do not spread over threads.

Waiting for threads costs more than these products do: on a busy machine five times as much.
"""

import numpy as np

from winodds.arrays import Floats

ALONE = 1 << 18
"""Multiplications up to which OpenBLAS uses one thread."""


def multiply(a: Floats, b: Floats) -> Floats:
    """The product of (r, k) and (k, c) matrices, some rows at a time.

    >>> a, b = np.arange(6.0).reshape(3, 2), np.array([[1.0], [10.0]])
    >>> multiply(a, b).ravel().tolist()
    [10.0, 32.0, 54.0]
    """
    rows = max(1, ALONE // max(b.size, 1))
    if a.shape[0] <= rows:
        return np.asarray(a @ b)
    whole = a.shape[0] - a.shape[0] % rows
    product = np.empty((a.shape[0], b.shape[1]))
    np.matmul(
        a[:whole].reshape(-1, rows, a.shape[1]),
        b,
        out=product[:whole].reshape(-1, rows, b.shape[1]),
    )
    np.matmul(a[whole:], b, out=product[whole:])
    return product
