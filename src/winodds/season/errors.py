"""What several boards cannot give."""

from collections.abc import Sequence

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
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


class NoFamilies(DataError):
    """Boards on which no player has a family."""

    def sentence(self) -> str:
        return (
            f"The players' families are not known. Name the column that holds them with "
            f"{option('family')}, and rate again."
        )


class ScoresNeeded(DataError):
    """A tournament of battles, where rounds are needed."""

    tournament: str

    def sentence(self) -> str:
        return (
            f"Tournament {quote(self.tournament)} has battles and no scores. Players are picked "
            f"on some rounds and judged on others, which needs a table of scores."
        )


class NothingToTune(DataError):
    """No family of which two players, the default among them, took part in one tournament."""

    families: Sequence[str]

    def sentence(self) -> str:
        return (
            f"No family has two players in the same tournament, its default among them, so there "
            f"is nothing to tune: {list_names(self.families)}. A family is an algorithm, its "
            f"players are settings of it."
        )


class UnknownFamily(UseError):
    """A family that nobody is of."""

    family: str
    close: Sequence[str]

    def sentence(self) -> str:
        start = f"No player is of family {quote(self.family)}."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class NotOfFamily(UseError):
    """A default that is no player of its family."""

    player: str
    family: str
    close: Sequence[str]

    def sentence(self) -> str:
        start = f"No player {quote(self.player)} in family {quote(self.family)}."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class NoDefault(UseError):
    """An ending, or a rule (None), that fits no player."""

    ending: str | None

    def sentence(self) -> str:
        start = (
            "The rule that says who is a default fits no player."
            if self.ending is None
            else f"No player's name ends with {quote(self.ending)}."
        )
        return f"{start} Name the defaults family by family, or none for the median of each."


class SeveralDefaults(UseError):
    """More than one default in a family."""

    family: str
    players: Sequence[str]

    def sentence(self) -> str:
        return (
            f"Family {quote(self.family)} has {len(self.players):,} defaults: "
            f"{list_names(self.players)}. Name one of them for each family."
        )
