"""What several boards cannot give."""

from winodds.language.errors import DataError
from winodds.language.words import count, quote


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


class TooFewShared(DataError):
    """Two players who share too few tournaments to say anything about a new one."""

    first: str
    second: str
    shared: int
    tournaments: int
    least: int

    def sentence(self) -> str:
        return (
            f"{quote(self.first)} and {quote(self.second)} can be compared in {self.shared:,} of "
            f"{count(self.tournaments, 'tournament')}; what they will do in a new one can be told "
            f"from {self.least} or more. Add tournaments in which both take part, or compare them "
            f"on the board of one."
        )


class NoSharedPairs(DataError):
    """No two players of a season share enough tournaments."""

    players: int
    tournaments: int
    least: int

    def sentence(self) -> str:
        return (
            f"No two of {count(self.players, 'player')} can be compared in {self.least} or more "
            f"tournaments, of {self.tournaments:,}; fewer tell nothing about a new one. Add "
            f"tournaments, or compare players on the board of one."
        )


class TooManyPairs(DataError):
    """All pairs of so many players of a season do not fit into memory together."""

    players: int
    limit: int

    def sentence(self) -> str:
        return (
            f"All pairs of {self.players:,} players are too many to look at together; the limit is "
            f"{self.limit:,} players. Compare two by name, or rate fewer."
        )
