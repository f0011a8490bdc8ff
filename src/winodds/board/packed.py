"""The evidence of a board as plain data, and back: arrays are base64 of little-endian bytes.

Whatever is read is a stranger's. Sizes, ranges and orders are checked here, because compiled code
that meets an index from outside its arrays reads and writes whatever lies there.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, Ints
from winodds.board.errors import BrokenJson
from winodds.board.strict import broken
from winodds.inference.intervals import Intervals
from winodds.inference.structure import Structure
from winodds.matches.games import Games
from winodds.matches.results import Battles, Results

FLOAT, INTEGER = "<f8", "<i8"

STEEPEST = 1e6
"""Log-odds beyond which no rating lies, however many players stand between two."""

ROUND_ARRAYS = {
    "start": INTEGER,
    "player": INTEGER,
    "value": FLOAT,
    "weight": FLOAT,
    "cluster": INTEGER,
    "tournament": INTEGER,
}
BATTLE_ARRAYS = {
    "first": INTEGER,
    "second": INTEGER,
    "outcome": FLOAT,
    "weight": FLOAT,
    "cluster": INTEGER,
}


# Out ----------------------------------------------------------------------------------------------


def games_to_dict(games: Games) -> dict[str, Any]:
    """Plain data for JSON."""
    played = games.played
    arrays = BATTLE_ARRAYS if isinstance(played, Battles) else ROUND_ARRAYS
    columns = {name: getattr(played, name) for name in arrays}
    return {
        "kind": games.kind,
        "tolerance": games.tolerance,
        **{
            name: None if column is None else pack(column, arrays[name])
            for name, column in columns.items()
        },
    }


def intervals_to_dict(intervals: Intervals) -> dict[str, Any]:
    """Plain data for JSON."""
    influence = intervals.influence
    return {
        "structure": _structure_to_dict(intervals.structure),
        "beta": pack(intervals.beta, FLOAT),
        "bias": pack(intervals.bias, FLOAT),
        "influence": None if influence is None else pack(influence, FLOAT),
        "model_scale": intervals.model_scale,
        "level": intervals.level,
        "clusters": intervals.clusters,
        "played": pack(intervals.played, INTEGER),
        "power": intervals.power,
        "center": intervals.center,
    }


def _structure_to_dict(structure: Structure) -> dict[str, Any]:
    links = structure.links
    return {
        "component": pack(structure.component, INTEGER),
        "part": pack(structure.part, INTEGER),
        "parts": structure.parts,
        "chain": structure.chain,
        "node": pack(structure.node, INTEGER),
        "links": {
            "shape": list(links.shape),
            "start": pack(links.indptr, INTEGER),
            "column": pack(links.indices, INTEGER),
            "value": pack(links.data, FLOAT),
        },
    }


def pack(array: Any, dtype: str) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode("ascii")


# In -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Packed:
    """An object of packed arrays, and where in the document it stands."""

    data: Mapping[str, Any]
    place: str

    def inside(self, name: str) -> "Packed":
        return Packed(self.data[name], self.where(name))

    def where(self, name: str) -> str:
        return f"{self.place}.{name}"

    def wrong(self, name: str, what: str) -> BrokenJson:
        return broken(self.where(name), what)

    def integers(self, name: str, below: int, *, least: int = 0, size: int | None = None) -> Ints:
        """Whole numbers from ``least`` up to, but not including, ``below``."""
        array = self._unpack(name, INTEGER, size).astype(np.int64)
        if array.size and not (least <= array.min() and array.max() < below):
            raise self.wrong(name, f"holds numbers that are not from {least} to {below - 1:,}")
        return array

    def floats(self, name: str, *, size: int | None = None, largest: float = np.inf) -> Floats:
        """Finite numbers, none of which is larger in size than ``largest``."""
        array = self.any_floats(name, size=size)
        if not (np.isfinite(array) & (np.abs(array) <= largest)).all():
            raise self.wrong(name, "holds numbers that are not finite, or far too large")
        return array

    def any_floats(self, name: str, *, size: int | None = None) -> Floats:
        return self._unpack(name, FLOAT, size).astype(np.float64)

    def positive(self, name: str, *, size: int) -> Floats:
        array = self.floats(name, size=size)
        if not (array > 0.0).all():
            raise self.wrong(name, "holds numbers that are not positive")
        return array

    def groups(self, name: str, *, size: int) -> Ints:
        """Numbers of groups, of which none is empty."""
        array = self.integers(name, max(size, 1), size=size)
        if array.size and np.unique(array).size != int(array.max()) + 1:
            raise self.wrong(name, "numbers groups with gaps")
        return array

    def ends(self, name: str) -> Ints:
        """(k + 1,) where each of some stretches begins, and where the last one ends."""
        array = self._unpack(name, INTEGER, None).astype(np.int64)
        if array.size < 2 or array[0] != 0 or (array[1:] < array[:-1]).any():
            raise self.wrong(name, "holds no places that begin with 0 and rise")
        return array

    def _unpack(self, name: str, kind: str, size: int | None) -> Floats | Ints:
        try:
            content = base64.b64decode(self.data[name], validate=True)
        except (binascii.Error, ValueError):
            raise self.wrong(name, "is no base64") from None
        if len(content) % 8 or (size is not None and len(content) != 8 * size):
            wanted = "whole numbers of 8 bytes" if size is None else f"{8 * size:,} bytes"
            raise self.wrong(name, f"has {len(content):,} bytes and not {wanted}")
        return np.frombuffer(content, kind)


def read_games(data: Packed, players: int) -> Games:
    """The games of so many players, each of whom played."""
    kind = data.data["kind"]
    played = _read_battles(data, players) if kind == "battles" else _read_rounds(data, players)
    games = Games(kind, played, data.data["tolerance"])
    if games.present().size != players:
        raise broken(data.place, f"has games of {games.present().size:,} of {players:,} players")
    return games


def _read_rounds(data: Packed, players: int) -> Results:
    start = data.ends("start")
    rounds, size = start.size - 1, int(start[-1])
    player = data.integers("player", players, size=size)
    follows = np.diff(player) > 0
    follows[start[1:-1][(start[1:-1] > 0) & (start[1:-1] < size)] - 1] = True
    if not follows.all():
        raise data.wrong("player", "does not list the players of a round once each, in order")
    value = data.any_floats("value", size=size)
    if not (np.isfinite(value) | np.isneginf(value)).all():
        raise data.wrong("value", "holds what is no score")
    return Results(
        players=players,
        start=start,
        player=player,
        value=value,
        weight=data.positive("weight", size=rounds),
        cluster=data.groups("cluster", size=rounds),
        tournament=data.groups("tournament", size=rounds),
    )


def _read_battles(data: Packed, players: int) -> Battles:
    first = data.integers("first", players)
    second = data.integers("second", players, size=first.size)
    if (first == second).any():
        raise data.wrong("second", "lets a player meet itself")
    outcome = data.floats("outcome", size=first.size)
    if not np.isin(outcome, (0.0, 0.5, 1.0)).all():
        raise data.wrong("outcome", "holds what is not 0, ½ or 1")
    cluster = data.data["cluster"]
    return Battles(
        players=players,
        first=first,
        second=second,
        outcome=outcome,
        weight=data.positive("weight", size=first.size),
        cluster=None if cluster is None else data.groups("cluster", size=first.size),
    )


def read_intervals(data: Packed, games: Games) -> Intervals:
    """What intervals of these games rest on."""
    beta = data.floats("beta", size=games.players, largest=STEEPEST)
    clusters = games.clusters
    if data.data["clusters"] != clusters:
        raise data.wrong("clusters", f"is not {clusters:,}, the number of clusters of the games")
    influence = None if data.data["influence"] is None else _read_influence(data, games)
    return Intervals(
        beta=beta,
        structure=_read_structure(data.inside("structure"), games.players),
        model_scale=float(data.data["model_scale"]),
        influence=influence,
        bias=data.floats("bias", size=beta.size, largest=STEEPEST),
        level=float(data.data["level"]),
        clusters=clusters,
        played=data.integers("played", clusters + 1, least=1, size=beta.size),
        power=data.data["power"],
        # Boards that were written without it are centred on all players.
        center=data.data.get("center", "all"),
    )


def _read_influence(data: Packed, games: Games) -> Floats:
    """(m, G), or (m, up to m) where clusters are too many to be kept."""
    array = data.floats("influence", largest=STEEPEST)
    columns, rest = divmod(array.size, games.players)
    if rest or not 1 <= columns <= max(games.clusters, games.players):
        raise data.wrong("influence", f"has {array.size:,} numbers for {games.players:,} players")
    return array.reshape(games.players, columns)


def _read_structure(data: Packed, players: int) -> Structure:
    part = data.groups("part", size=players)
    parts = int(part.max()) + 1
    if data.data["parts"] != parts:
        raise data.wrong("parts", f"is not {parts:,}, the number of sets of players")
    links = _read_links(data.inside("links"))
    nodes = links.shape[0]
    if data.data["chain"] and nodes != parts:
        raise data.wrong("chain", "is true, although there are nodes beside those of the sets")
    node = data.integers("node", nodes, size=parts)
    if np.unique(node).size != parts:
        raise data.wrong("node", "gives two sets of players one node")
    return Structure(
        component=data.integers("component", 1, size=players),
        part=part,
        parts=parts,
        chain=data.data["chain"],
        node=node,
        links=links,
    )


def _read_links(data: Packed) -> sparse.csr_array:
    start = data.ends("start")
    nodes, size = start.size - 1, int(start[-1])
    if data.data["shape"] != [nodes, nodes]:
        raise data.wrong("shape", f"is not {nodes:,} by {nodes:,}, as the links are")
    column = data.integers("column", nodes, size=size)
    return sparse.csr_array((data.positive("value", size=size), column, start), (nodes, nodes))
