"""What cannot be shown."""

from winodds.language.errors import DataError
from winodds.language.words import quote


class NoFigure(DataError):
    """A leaderboard, or a season, that lacks what a figure shows."""

    figure: str
    reason: str

    def sentence(self) -> str:
        return f"There is no figure {quote(self.figure)} here: {self.reason}."


class NoRoomToDraw(DataError):
    """A limit on addresses under which the engine that draws cannot start."""

    limit: int
    needed: int

    def sentence(self) -> str:
        return (
            f"Pictures cannot be drawn under a limit of {self.limit / 2**30:,.1f} GB on addresses "
            f"(ulimit -v): what draws them reserves up to {self.needed / 2**30:,.0f} GB of these, "
            f"though it uses little memory. Lift that limit, or take the numbers as CSV."
        )
