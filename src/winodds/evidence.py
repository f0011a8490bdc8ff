"""What a leaderboard keeps so that any two of its players can be compared later.

In JSON, arrays are base64 of their little-endian bytes: short, and exact to the last bit. The
information matrix is not stored; it follows from the design and the ratings, and is computed anew
when a board that was read from a file is first asked to compare two players.
"""

import base64
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints
from winodds.design import Cliques, Design, Pairs
from winodds.graph import Structure
from winodds.inference import Estimates, Intervals, Uncertainty

FLOAT, INTEGER = "<f8", "<i8"


class Evidence:
    """Ratings of the players of one group, who met directly or through others.

    Attributes
    ----------
    players : (m,) the players' places on the board, in the order of the arrays.
    design : who met whom.
    ridge : what a prior adds to the information's diagonal.
    intervals : everything that intervals need besides the information.
    """

    def __init__(
        self,
        players: Ints,
        design: Design,
        ridge: float,
        intervals: Intervals,
        uncertainty: Uncertainty | None = None,
    ) -> None:
        self.players = players
        self.design = design
        self.ridge = ridge
        self.intervals = intervals
        if uncertainty is not None:
            self.__dict__["uncertainty"] = uncertainty

    @cached_property
    def uncertainty(self) -> Uncertainty:
        information = self.design.information()(self.intervals.beta, self.ridge)
        return Uncertainty(information, self.intervals)

    def compare(self, first: Ints, second: Ints) -> Estimates:
        """Differences of ratings; players by their index in ``players``."""
        return self.uncertainty.of_differences(first, second)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        intervals = self.intervals
        influence = intervals.influence
        return {
            "players": _encode(self.players, INTEGER),
            "ridge": self.ridge,
            "design": _design_to_dict(self.design),
            "structure": _structure_to_dict(intervals.structure),
            "beta": _encode(intervals.beta, FLOAT),
            "bias": _encode(intervals.bias, FLOAT),
            "influence": None if influence is None else _encode(influence, FLOAT),
            "model_scale": intervals.model_scale,
            "level": intervals.level,
            "clusters": intervals.clusters,
            "played": _encode(intervals.played, INTEGER),
            "power": intervals.power,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Evidence":
        """The evidence that `to_dict` wrote."""
        beta = _floats(data["beta"])
        if beta.size == 0:
            raise ValueError("no ratings")
        influence = data["influence"]
        intervals = Intervals(
            beta=beta,
            structure=_structure_from_dict(data["structure"]),
            model_scale=data["model_scale"],
            influence=None if influence is None else _floats(influence).reshape(beta.size, -1),
            bias=_floats(data["bias"]),
            level=data["level"],
            clusters=data["clusters"],
            played=_integers(data["played"]),
            power=data["power"],
        )
        design = _design_from_dict(data["design"], beta.size)
        return cls(_integers(data["players"]), design, data["ridge"], intervals)


def _design_to_dict(design: Design) -> dict[str, Any]:
    if isinstance(design, Pairs):
        return {
            "kind": "pairs",
            "first": _encode(design.first, INTEGER),
            "second": _encode(design.second, INTEGER),
            "weights": _encode(design.weights, FLOAT),
        }
    return {
        "kind": "cliques",
        "shares": _sparse_to_dict(design.shares),
        "weights": _encode(design.weights, FLOAT),
    }


def _design_from_dict(data: Mapping[str, Any], players: int) -> Design:
    weights = _floats(data["weights"])
    if data["kind"] == "pairs":
        return Pairs(_integers(data["first"]), _integers(data["second"]), weights, players)
    return Cliques(_sparse_from_dict(data["shares"]), weights)


def _structure_to_dict(structure: Structure) -> dict[str, Any]:
    return {
        "component": _encode(structure.component, INTEGER),
        "part": _encode(structure.part, INTEGER),
        "parts": structure.parts,
        "chain": structure.chain,
        "node": _encode(structure.node, INTEGER),
        "links": _sparse_to_dict(structure.links),
    }


def _structure_from_dict(data: Mapping[str, Any]) -> Structure:
    return Structure(
        component=_integers(data["component"]),
        part=_integers(data["part"]),
        parts=data["parts"],
        chain=data["chain"],
        node=_integers(data["node"]),
        links=_sparse_from_dict(data["links"]),
    )


def _sparse_to_dict(matrix: sparse.csr_array) -> dict[str, Any]:
    return {
        "shape": list(matrix.shape),
        "start": _encode(matrix.indptr, INTEGER),
        "column": _encode(matrix.indices, INTEGER),
        "value": _encode(matrix.data, FLOAT),
    }


def _sparse_from_dict(data: Mapping[str, Any]) -> sparse.csr_array:
    return sparse.csr_array(
        (_floats(data["value"]), _integers(data["column"]), _integers(data["start"])),
        shape=tuple(data["shape"]),
    )


def _encode(array: Any, dtype: str) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode("ascii")


def _floats(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text), FLOAT).astype(np.float64)


def _integers(text: str) -> Ints:
    return np.frombuffer(base64.b64decode(text), INTEGER).astype(np.int64)
