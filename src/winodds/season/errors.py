"""What several boards cannot give."""

from collections.abc import Sequence

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import on_command_line, option
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


class SingleRounds(DataError):
    """Tournaments that all have one round, and so no leaderboards of their own."""

    tournaments: int
    column: str

    def sentence(self) -> str:
        without = option("tournament").removesuffix("=")
        return (
            f"Each of the {self.tournaments:,} tournaments has a single round, so this is no "
            f"season but one Model/Task board, whose rounds are the tournaments. Rate it with "
            f"{option('round', self.column)}, and without {without}; families go with "
            f"{option('family')}."
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
    """An ending, or a rule (None), that fits no player."""

    ending: str | None

    def sentence(self) -> str:
        start = (
            "The rule that says who is a default fits no player."
            if self.ending is None
            else f"No player's name ends with {quote(self.ending)}."
        )
        if on_command_line():
            return f"{start} Without {option('default')}, the median setting of each family is it."
        return f"{start} Name the defaults family by family, or none for the median of each."


class SeveralDefaults(UseError):
    """More than one default in a family."""

    family: str
    players: Sequence[str]

    def sentence(self) -> str:
        wanted = "Name one of them for each family."
        if on_command_line():
            wanted = "Give an ending that one player of each family has."
        return (
            f"Family {quote(self.family)} has {len(self.players):,} defaults: "
            f"{list_names(self.players)}. {wanted}"
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
    """No two players of a season, or one of them with nobody, share enough tournaments."""

    players: int
    tournaments: int
    least: int
    player: str | None = None

    def sentence(self) -> str:
        if self.player is not None:
            return (
                f"{quote(self.player)} can be compared with none of the others in {self.least} or "
                f"more of {count(self.tournaments, 'tournament')}; fewer tell nothing about a new "
                f"one. Add tournaments in which it takes part, or compare others by name."
            )
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
