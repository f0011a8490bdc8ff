"""What several boards cannot give."""

from collections.abc import Sequence

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import count, did_you_mean, list_names, quote


class InTournament(DataError):
    """An error in one of several tournaments."""

    tournament: str
    reason: str

    def sentence(self) -> str:
        return f"In tournament {quote(self.tournament)}: {self.reason}"


class NotASeason(DataError):
    """One leaderboard where several data sets are needed."""

    round: str | None
    tournament: str | None

    def sentence(self) -> str:
        if self.tournament is not None:
            return (
                f"A season needs two or more data sets; there is one, {quote(self.tournament)}. "
                f"'winodds rate' shows its leaderboard."
            )
        if self.round is None:
            return "A season needs the scores of two or more data sets; these are battles."
        return (
            f"This is one leaderboard, whose rounds are {quote(self.round)}, and no season. If "
            f"these are data sets with one score each, it is a Model/Task board: 'winodds rate' "
            f"shows it, with families by {option('family')}. If every data set has several "
            f"splits, name the column of data sets with {option('tournament')}."
        )


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


class NotOfFamily(UseError):
    """A default that is no player of its family."""

    player: str
    family: str
    close: Sequence[str]

    def sentence(self) -> str:
        start = f"No player {quote(self.player)} in family {quote(self.family)}."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class NoDefault(UseError):
    """An ending, or a rule, that fits no player."""

    default: object

    def sentence(self) -> str:
        if not isinstance(self.default, str):
            return "The rule that says who is a default fits no player."
        return (
            f"No player's name ends with {quote(self.default)}. Name the defaults family by "
            f"family, or none for the median of each."
        )


class SeveralDefaults(UseError):
    """More than one default in a family."""

    family: str
    players: Sequence[str]

    def sentence(self) -> str:
        return (
            f"Family {quote(self.family)} has {len(self.players):,} defaults: "
            f"{list_names(self.players)}. Name one of them for each family."
        )


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
