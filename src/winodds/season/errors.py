"""What several boards cannot give."""

from winodds.language.errors import DataError
from winodds.language.words import quote


class InTournament(DataError):
    """An error in one of several tournaments."""

    tournament: str
    reason: str

    def sentence(self) -> str:
        return f"In tournament {quote(self.tournament)}: {self.reason}"


class NothingToEmbed(DataError):
    """Ratings that cannot be laid out in a plane."""

    reason: str

    def sentence(self) -> str:
        return f"The ratings cannot be laid out in a plane: {self.reason}."
