"""Scores as the table gives them: player–round pairs."""

from dataclasses import dataclass

from winodds.arrays import Bools, Floats, Ints


@dataclass(frozen=True, slots=True)
class Cells:
    """Player–round pairs, sorted by round and then by player: (S,) arrays.

    ``value`` is the score as it was given; NaN in a pair whose run failed.
    """

    round: Ints
    player: Ints
    value: Floats

    def take(self, chosen: Bools | Ints | slice) -> "Cells":
        """Some of the pairs."""
        return Cells(self.round[chosen], self.player[chosen], self.value[chosen])

    def keep(self, wanted: Bools) -> "Cells":
        """The pairs that are wanted; no copy when all are."""
        return self if wanted.all() else self.take(wanted)
