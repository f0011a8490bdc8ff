"""What a design of matches cannot give."""

from winodds.language.errors import DataError
from winodds.language.words import count


class SingularInformation(DataError):
    """Ratings so far apart that the computer cannot tell the information from zero."""

    players: int

    def sentence(self) -> str:
        return (
            f"The ratings of the {count(self.players, 'player')} are so far apart that their "
            f"uncertainty cannot be computed. Leave out players who lose, or win, nearly every "
            f"match, or add rounds."
        )


class TooManyPlayers(DataError):
    """A design too large for the algorithms here."""

    players: int
    limit: int
    width: float

    def sentence(self) -> str:
        if self.width > 100.0:
            return (
                f"The {self.players:,} players stand in nearly the same order in every round, so "
                f"that their ratings spread over {self.width:,.0f} log-odds; that is rated for up "
                f"to {self.limit:,} players. Rate fewer players, or add rounds."
            )
        return (
            f"{self.players:,} players with many different patterns of missing scores, or in "
            f"battles, need an array of {self.players:,} × {self.players:,}; the limit is "
            f"{self.limit:,}. Complete tables have no such limit: rate the rounds that all players "
            f"have, or fewer players."
        )
