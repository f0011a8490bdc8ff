"""What cannot be shown."""

from winodds.language.errors import DataError
from winodds.language.words import quote


class NoFigure(DataError):
    """A leaderboard, or a season, that lacks what a figure shows."""

    figure: str
    reason: str

    def sentence(self) -> str:
        return f"There is no figure {quote(self.figure)} here: {self.reason}."
