"""The components of a board: players who met, directly or through others, and share a scale."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from winodds.arrays import Floats, Ints
from winodds.board.evidence import Evidence
from winodds.inference.intervals import Differences

Name = TypeVar("Name")


@dataclass(frozen=True, slots=True)
class Components:
    """The evidence of every component, in the order of the board.

    A board lists the players of one component after those of another, each best first. So a
    component is a stretch of places, and its arrays put end to end are those of the board.

    Attributes
    ----------
    parts : the evidence of each; none on a board that keeps only its first rows.
    """

    parts: tuple[Evidence, ...]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self.parts)

    def __getitem__(self, number: int) -> Evidence:
        return self.parts[number]

    @property
    def starts(self) -> list[int]:
        """(c + 1,) the place at which each component begins, and how many players there are."""
        return [0, *np.cumsum([part.size for part in self.parts]).tolist()]

    def number(self) -> Ints:
        """(m,) the component of every place."""
        return np.repeat(np.arange(len(self.parts)), [part.size for part in self.parts])

    def place(self, player: int) -> tuple[Evidence, int]:
        """The component of a place on the board, and the player's index there."""
        component = int(np.searchsorted(self.starts, player, side="right")) - 1
        return self.parts[component], player - self.starts[component]

    def pair(self, first: int, second: int) -> tuple[Evidence, tuple[int, int]] | None:
        """The component of two places, and the players' indices; None where they never met."""
        part, own = self.place(first)
        other, theirs = self.place(second)
        return (part, (own, theirs)) if part is other else None

    def split(self, names: Sequence[Name]) -> list[Sequence[Name]]:
        """What is listed in the board's order, by component."""
        starts = self.starts
        return [names[starts[k] : starts[k + 1]] for k in range(len(self.parts))]

    def named(self, players: Sequence[str]) -> Iterator[tuple[Evidence, Sequence[str]]]:
        """Each component with the names of its players; all are listed in the board's order."""
        return zip(self.parts, self.split(players), strict=True)

    def scatter(self, values: Callable[[Evidence], Floats]) -> Floats:
        """(…, m) what every component has for its players, in the order of the board."""
        return np.concatenate([values(part) for part in self.parts], axis=-1)

    def scatter_square(self, values: Callable[[Evidence], Floats]) -> Floats:
        """(m, m) the same for pairs of players; NaN for those who never met."""
        starts = self.starts
        square = np.full((starts[-1], starts[-1]), np.nan)
        for number, part in enumerate(self.parts):
            own = slice(starts[number], starts[number + 1])
            square[own, own] = values(part)
        return square

    def differences(self, first: Ints, second: Ints) -> Differences:
        """Differences of ratings of pairs of places, each within a component."""
        result = Differences(*(np.empty(first.size) for _ in range(5)))
        component, starts = self.number()[first], self.starts
        for number, part in enumerate(self.parts):
            inside = component == number
            found = part.compare(first[inside] - starts[number], second[inside] - starts[number])
            for name in ("value", "se", "low", "high", "p_value"):
                getattr(result, name)[inside] = getattr(found, name)
        return result
