"""Rounds as cliques of players who all met each other."""

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints


class CliqueTable:
    """Collects cliques and gives equal ones, up to a factor, the same number."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._known: dict[bytes, int] = {}
        self._cliques: list[tuple[Ints, Floats]] = []
        self._entries: list[tuple[int, int, float]] = []

    def add(self, owner: int, players: Ints, shares: Floats, weight: float) -> None:
        """Note that ``owner`` holds the clique with this weight."""
        factor = float(np.gcd.reduce(shares.astype(np.int64)))
        unit = shares / factor
        key = players.tobytes() + unit.tobytes()
        number = self._known.setdefault(key, len(self._cliques))
        if number == len(self._cliques):
            self._cliques.append((players, unit))
        self._entries.append((owner, number, weight * factor**2))

    def matrices(self, owners: int) -> tuple[sparse.csr_array, sparse.csr_array]:
        """(owners, Q) weights and (Q, m) shares."""
        owner, number, weight = (np.array(column) for column in zip(*self._entries, strict=True))
        count = len(self._cliques)
        weights = sparse.csr_array((weight, (owner, number)), shape=(owners, count))
        sizes = np.array([players.size for players, _ in self._cliques])
        shares = sparse.csr_array(
            (
                np.concatenate([shares for _, shares in self._cliques]),
                np.concatenate([players for players, _ in self._cliques]),
                np.concatenate([[0], np.cumsum(sizes)]),
            ),
            shape=(count, self._players),
        )
        return weights, shares
