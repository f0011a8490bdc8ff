"""Tables that cannot be cut into slices."""

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import count, quote


class OneSlice(DataError):
    """A column with fewer than two values."""

    column: str
    slices: int
    unit: str

    def sentence(self) -> str:
        has = "no value" if self.slices == 0 else "only one value"
        return (
            f"Column {quote(self.column)} has {has} in the {self.unit}s that play, so there is "
            f"nothing to compare. Name a column with two or more values."
        )


class TooManySlices(DataError):
    """A column with nearly as many values as rounds."""

    column: str
    slices: int
    limit: int

    def sentence(self) -> str:
        return (
            f"Column {quote(self.column)} has {self.slices:,} values, and slices are at most "
            f"{self.limit:,}. Name a column with fewer values, such as a topic."
        )


class NoSliceRated(DataError):
    """None of the slices can be rated; why not the first."""

    column: str
    slices: int
    first: str
    reason: str

    def sentence(self) -> str:
        return (
            f"None of the {count(self.slices, 'slice')} by {quote(self.column)} can be rated. Of "
            f"the first, {quote(self.first)}: {self.reason}"
        )


class SlicesOfOneBoard(UseError):
    """Slices of several tournaments that are not pooled, which only commands can ask for."""

    column: str
    tournament: str

    def sentence(self) -> str:
        return (
            f"Slices by {quote(self.column)} are of one leaderboard, and each value of "
            f"{quote(self.tournament)} has its own. Put them together with {option('pool', True)}."
        )


class UnknownSlice(UseError):
    """A slice that is not there."""

    name: str
    column: str
    known: str

    def sentence(self) -> str:
        return f"No slice {quote(self.name)} by {quote(self.column)}; there are {self.known}."
