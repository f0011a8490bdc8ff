"""Can these players be rated? Components that never met, and sets that won every match.

Ratings need a chain of matches between any two players. Finite maximum-likelihood ratings need,
in both directions, a chain of wins or ties (Ford 1957): otherwise there is a cut, with players on
one side who won every match against those on the other, and the data say that the two sides are
far apart but not how far.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from winodds.arrays import Bools, Floats, Ints
from winodds.matches.wins import Wins


@dataclass(frozen=True, slots=True)
class Structure:
    """How far wins and ties tie the players together.

    A player *reaches* another when a chain of wins or ties leads there. Players who reach each
    other form a set; between sets the reaching goes one way or not at all.

    Attributes
    ----------
    component : (m,) number of the component within which all are linked by matches.
    part : (m,) number of the player's set, by falling share of wins.
    parts : number of sets.
    chain : whether each set won every match against those after it, as in complete rounds.
    node : (parts,) the set's node in ``links``.
    links : (nodes, nodes) graph without cycles; a path between two nodes means reaching. Nodes
        beside those of the sets stand for "everyone up to this score of the round".
    """

    component: Ints
    part: Ints
    parts: int
    chain: bool
    node: Ints
    links: sparse.csr_array

    def reordered(self, order: Ints) -> "Structure":
        """The same with the players in another order."""
        return replace(self, component=self.component[order], part=self.part[order])

    @property
    def connected(self) -> bool:
        return int(self.component.max()) == 0

    @property
    def separated(self) -> bool:
        return self.parts > 1

    def reaches_all(self) -> Bools:
        """(m,) whether a player reaches everyone: the lower end of its rating is known.

        Only a set that no other reaches can reach all, and it does when it is the only such set.
        """
        if self.chain:
            return np.equal(self.part, 0)
        return self._in_only_node_without(self.links.sum(axis=0))

    def reached_by_all(self) -> Bools:
        """(m,) whether everyone reaches a player: the upper end of its rating is known."""
        if self.chain:
            return np.equal(self.part, self.parts - 1)
        return self._in_only_node_without(self.links.sum(axis=1))

    def largest_set(self) -> int | None:
        """The set that holds more than half of the players, if there is one."""
        sizes = np.bincount(self.part)
        largest = int(sizes.argmax())
        return largest if 2 * sizes[largest] > self.part.size else None

    def reaches_set(self, part: int) -> Bools:
        """(m,) whether a player reaches a set: the lower end of its distance from it is known."""
        if self.chain:
            return np.less_equal(self.part, part)
        return self._found_from(part, self.links.T.tocsr())[self.part]

    def reached_by_set(self, part: int) -> Bools:
        """(m,) whether a set reaches a player: the upper end of its distance from it is known."""
        if self.chain:
            return np.greater_equal(self.part, part)
        return self.sets_reached_from(part)[self.part]

    def reaches(self, source: Ints, target: Ints) -> Bools:
        """Whether ``source[k]`` reaches ``target[k]``."""
        a, b = self.part[source], self.part[target]
        if self.chain:
            return a <= b
        result = np.empty(a.size, np.bool_)
        for part in np.unique(a):
            chosen = a == part
            result[chosen] = self.sets_reached_from(int(part))[b[chosen]]
        return result

    def reach_matrix(self) -> Bools:
        """(m, m) whether the row's player reaches the column's."""
        if self.chain:
            return np.less_equal(self.part[:, None], self.part[None, :])
        sets = np.stack([self.sets_reached_from(part) for part in range(self.parts)])
        return sets[np.ix_(self.part, self.part)]

    def sets_reached_from(self, part: int) -> Bools:
        """(parts,) whether the set reaches each set; itself it does."""
        return self._found_from(part, self.links)

    def _found_from(self, part: int, links: sparse.csr_array) -> Bools:
        found = np.zeros(links.shape[0], np.bool_)
        start = int(self.node[part])
        found[csgraph.breadth_first_order(links, start, return_predecessors=False)] = True
        sets: Bools = found[self.node]
        return sets

    def _in_only_node_without(self, links: NDArray[Any]) -> Bools:
        ends = np.flatnonzero(np.asarray(links).ravel() == 0)
        if ends.size != 1:
            return np.zeros(self.part.size, np.bool_)
        inside: Bools = self.node[self.part] == ends[0]
        return inside


def find_structure(wins: Wins) -> Structure:
    """Components, sets and cuts of the players."""
    if wins.worst_rank is not None:
        return _of_complete_rounds(wins.wins, wins.worst_rank)
    assert wins.reach is not None
    players, reach = wins.wins.size, wins.reach
    edges = np.ones(reach.source.size, np.int8)
    shape = (reach.nodes, reach.nodes)
    graph = sparse.csr_array((edges, (reach.source, reach.target)), shape=shape)
    _, weak_label = csgraph.connected_components(graph, directed=True, connection="weak")
    nodes, strong_label = csgraph.connected_components(graph, directed=True, connection="strong")
    weak, strong = weak_label.astype(np.int64), strong_label.astype(np.int64)
    source, target = strong[reach.source], strong[reach.target]
    between = source != target
    links = sparse.csr_array(
        (np.ones(int(between.sum())), (source[between], target[between])), shape=(nodes, nodes)
    )
    share = wins.raw_wins / np.maximum(wins.raw_matches, 1)
    node, part = _number_sets(strong[:players], share)
    return Structure(_by_size(weak[:players]), part, node.size, node.size == 1, node, links)


def same_sets(one: Structure, other: Structure) -> bool:
    """Whether two structures have the same sets of players, however these are numbered."""
    both = np.unique(one.part * other.parts + other.part)
    return one.parts == other.parts == both.size and one.chain == other.chain


def _of_complete_rounds(wins: Floats, worst_rank: Ints) -> Structure:
    """In complete rounds the sets are a chain: there is a cut after k players of the order by wins
    when they are the first k, without a tie at the border, in every round. Players with equal wins
    have no cut between them, so their order does not matter.
    """
    players = wins.size
    order = np.argsort(-wins)
    cut_after = np.maximum.accumulate(worst_rank[order]) == np.arange(1, players + 1)
    part = np.empty(players, np.int64)
    part[order] = np.cumsum(cut_after) - cut_after
    parts = int(cut_after.sum())
    above = np.arange(parts - 1)
    links = sparse.csr_array((np.ones(above.size), (above, above + 1)), shape=(parts, parts))
    return Structure(np.zeros(players, np.int64), part, parts, True, np.arange(parts), links)


def _number_sets(label: Ints, share: Floats) -> tuple[Ints, Ints]:
    """(parts,) node of each set by falling mean share of wins, and (m,) each player's set."""
    nodes, index = np.unique(label, return_inverse=True)
    order = np.argsort(-np.bincount(index, weights=share) / np.bincount(index), kind="stable")
    rank = np.empty(nodes.size, np.int64)
    rank[order] = np.arange(nodes.size)
    return nodes[order], rank[index]


def _by_size(label: Ints) -> Ints:
    """The labels as 0, 1, … by falling size, then by first player."""
    _, first, index, sizes = np.unique(
        label, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(sizes.size, np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(sizes.size)
    return rank[index]
