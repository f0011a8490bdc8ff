"""What several boards cannot give."""

from collections.abc import Sequence

from winodds.language.errors import DataError, UseError
from winodds.language.words import did_you_mean, list_names, quote


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


class TooFewTournaments(DataError):
    """A question about many tournaments, asked of few."""

    tournaments: int
    needed: int
    purpose: str

    def sentence(self) -> str:
        have = "is" if self.tournaments == 1 else "are"
        return (
            f"{self.purpose} needs at least {self.needed} tournaments; there {have} "
            f"{self.tournaments:,}."
        )


class TooFewTried(DataError):
    """A new data set on which fewer than two players were tried."""

    players: Sequence[str]

    def sentence(self) -> str:
        have = f"only {quote(self.players[0])} has one" if self.players else "no player has one"
        return (
            f"Placing a new data set needs scores of at least two players there; {have}. Only "
            f"differences between players tell what kind of data set it is. Try another player."
        )


class TooFewRoundsTried(DataError):
    """A new data set with fewer than two rounds in which players met."""

    rounds: int

    def sentence(self) -> str:
        have = "there is one" if self.rounds == 1 else "there is none"
        return (
            f"Placing a new data set needs at least two rounds in which players met there; {have}. "
            f"One round alone does not tell how much of it is luck. Add a round."
        )


class NotInSeason(UseError):
    """Players tried on a new data set who are in none of the known ones."""

    players: Sequence[str]
    close: Sequence[str] = ()

    def sentence(self) -> str:
        verb = "is" if len(self.players) == 1 else "are"
        start = f"{list_names(self.players)} {verb} in no tournament of this season"
        if self.close:
            return f"{start}. {did_you_mean(self.close)}"
        return f"{start}, which can say nothing of them. Leave them out."


class TriedNeverMet(DataError):
    """Players tried on a new data set between whom there was no match."""

    components: Sequence[Sequence[str]]

    def sentence(self) -> str:
        listed = "; ".join(list_names(names, shown=2) for names in self.components)
        return (
            f"The players tried form {len(self.components):,} components that have no round in "
            f"common: {listed}. Add a round in which they meet."
        )
