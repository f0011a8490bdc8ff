"""All tournaments of a season as numbers: who took part where, and what is known of them there.

Players are numbered in the season's order, tournaments in theirs. A board lists its players in an
order of its own; here is the only place where the two are brought together.

Examples
--------
>>> import winodds.demo
>>> lineup = winodds.demo.rate_results().lineup
>>> found = lineup.pairs(np.array([0]), np.array([19]))
>>> found.value.shape, bool((found.value > 0.0).all())
((4, 1), True)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.board.components import Components
from winodds.board.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Entries:
    """The players of one tournament.

    Attributes
    ----------
    places : (m_t,) their numbers in the season, in the order of the board.
    components : their games and ratings, in the same order.
    """

    places: Ints
    components: Components

    def parts(self) -> Iterator[tuple[Ints, Evidence]]:
        """Players who share a scale: their numbers in the season, and their evidence."""
        return (
            (np.asarray(places, np.int64), part)
            for part, places in zip(
                self.components, self.components.split(self.places.tolist()), strict=True
            )
        )

    def largest(self) -> tuple[Ints, Evidence]:
        """The most players who share a scale; of equally many, those whom the board has first."""
        return max(self.parts(), key=lambda part: part[0].size)


@dataclass(frozen=True, slots=True)
class PairTable:
    """Differences of k pairs of players in T tournaments, each (T, k).

    All but the last two are NaN where the two do not share a scale.

    Attributes
    ----------
    value : how much higher the first is rated.
    variance : of that difference, robust by cluster, or the larger of robust and model-based
        across a cut; model-based where the boards' intervals are.
    bias : estimate of the bias that the ratings leave.
    open_below, open_above : whether the data leave an end of the difference open.
    """

    value: Floats
    variance: Floats
    bias: Floats
    open_below: Bools
    open_above: Bools

    @property
    def shared(self) -> Bools:
        """(T, k) where the two share a scale."""
        return ~np.isnan(self.value)


@dataclass(frozen=True, slots=True)
class Lineup:
    """The tournaments of a season.

    Attributes
    ----------
    players : how many players there are in all.
    tournaments : who took part in each.
    """

    players: int
    tournaments: tuple[Entries, ...]

    def __len__(self) -> int:
        return len(self.tournaments)

    def ratings(self) -> Floats:
        """(m, T) ratings around the average of all players of a tournament; NaN for gaps."""
        return self._table(lambda part: part.intervals.beta)

    def biases(self) -> Floats:
        """(m, T) estimates of the bias that those ratings leave; NaN for gaps."""
        return self._table(lambda part: part.intervals.bias)

    def errors(self) -> Floats:
        """(m, T) standard errors of those ratings; NaN for gaps."""
        return self._table(lambda part: part.uncertainty.of_ratings("all").se)

    def shared(self, first: Ints, second: Ints) -> Ints:
        """(k,) number of tournaments in which two players share a scale."""
        found = np.zeros(first.size, np.int64)
        for entries in self.tournaments:
            scale = np.full(self.players, -1)
            for number, (places, _) in enumerate(entries.parts()):
                scale[places] = number
            found += (scale[first] >= 0) & (scale[first] == scale[second])
        return found

    def pairs(self, first: Ints, second: Ints) -> PairTable:
        """Differences of players, ``first[k]`` minus ``second[k]``, in every tournament."""
        shape = (len(self), first.size)
        value, variance, bias = (np.full(shape, np.nan) for _ in range(3))
        below, above = (np.zeros(shape, np.bool_) for _ in range(2))
        for number, entries in enumerate(self.tournaments):
            for places, part in entries.parts():
                place = np.full(self.players, -1)
                place[places] = np.arange(places.size)
                met = np.flatnonzero((place[first] >= 0) & (place[second] >= 0))
                one, other = place[first[met]], place[second[met]]
                found, own = part.uncertainty.contrasts(one, other), part.intervals
                error = found.model if found.by_clusters is None else found.by_clusters
                value[number, met] = found.value
                variance[number, met] = error**2
                bias[number, met] = own.bias[one] - own.bias[other]
                below[number, met] = ~own.structure.reaches(one, other)
                above[number, met] = ~own.structure.reaches(other, one)
        return PairTable(value, variance, bias, below, above)

    def _table(self, values: Callable[[Evidence], Floats]) -> Floats:
        table = np.full((self.players, len(self)), np.nan)
        for number, entries in enumerate(self.tournaments):
            for places, part in entries.parts():
                table[places, number] = values(part)
        return table
