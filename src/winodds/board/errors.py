"""What a leaderboard cannot be, or cannot answer."""

from collections.abc import Sequence

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import (
    NAMES_SHOWN,
    count,
    did_you_mean,
    list_names,
    of_family,
    percent,
    quote,
    unit_names,
)


class UnknownPlayer(UseError):
    """A player that is not on the board, or on no board of the season."""

    player: str
    close: Sequence[str]
    season: bool = False

    def sentence(self) -> str:
        where = "in this season" if self.season else "on this leaderboard"
        start = f"No player {quote(self.player)} {where}."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class NotInTable(UseError):
    """A player that the table does not have."""

    player: str
    close: Sequence[str]

    def sentence(self) -> str:
        start = f"No player {quote(self.player)} in the table."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class NoSharedRounds(DataError):
    """Two players who have no round in which both have a score."""

    baseline: str
    candidate: str
    only_baseline: int
    only_candidate: int
    failed: int = 0

    def sentence(self) -> str:
        failed = f"; in {count(self.failed, 'round')} a run failed" if self.failed else ""
        return (
            f"{quote(self.baseline)} and {quote(self.candidate)} share no round: "
            f"{count(self.only_baseline, 'round')} only of the first, {self.only_candidate:,} only "
            f"of the second{failed}. Rounds are paired by their names; give the same round the "
            f"same name in both."
        )


class NeverShared(DataError):
    """Two players of a board, or of battles, who never met."""

    baseline: str
    candidate: str

    def sentence(self) -> str:
        return (
            f"{quote(self.baseline)} and {quote(self.candidate)} never met, so nothing can be said "
            f"of the one against the other."
        )


class UnknownFamily(UseError):
    """A family that no player belongs to."""

    family: str
    close: Sequence[str]
    known: bool = True

    def sentence(self) -> str:
        if not self.known:
            return (
                f"No family {quote(self.family)} here: the players have no families; name their "
                f"column with {option('family')}."
            )
        start = f"No family {quote(self.family)} here."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class NeverMet(DataError):
    """Components: players between whom there was no match."""

    components: Sequence[Sequence[str]]

    def sentence(self) -> str:
        listed = "; ".join(
            f"{len(names):,} with {list_names(names, shown=1 if len(names) == 1 else 2)}"
            for names in self.components[:NAMES_SHOWN]
        )
        rest = len(self.components) - NAMES_SHOWN
        more = f"; and {rest:,} more components" if rest > 0 else ""
        return (
            f"The players form {len(self.components):,} components that never met: {listed}{more}. "
            f"Their ratings cannot be compared. Add rounds in which they meet, or pass "
            f"{option('components', 'separate')} to rate each component on its own."
        )


class Separated(DataError):
    """Sets of players that won every match against the others, so that no MLE exists."""

    cuts: str

    def sentence(self) -> str:
        return (
            f"No maximum-likelihood rating exists: {self.cuts} Use the bias-reduced estimator "
            f"(the default), which is finite and leaves such intervals open, or add rounds."
        )


class InComponent(DataError):
    """None of several components that are rated separately can be rated; why not the first."""

    components: int
    players: Sequence[str]
    reason: str

    def sentence(self) -> str:
        return (
            f"None of the {self.components:,} components can be rated. In that of "
            f"{list_names(self.players)}: {self.reason}"
        )


class NoHyperparameters(UseError):
    """Boards that know no hyperparameters of their players."""

    def sentence(self) -> str:
        return (
            f"No hyperparameters of these players are known. Name their columns with "
            f"{option('hyperparameters')}."
        )


class NothingVaries(DataError):
    """Settings that do not differ in any hyperparameter."""

    family: str | None
    settings: int
    hyperparameters: Sequence[str]

    def sentence(self) -> str:
        alike = f" ({list_names(self.hyperparameters)})" if self.hyperparameters else ""
        return (
            f"No hyperparameter{alike} differs between the {count(self.settings, 'setting')}"
            f"{of_family(self.family)}, so none can make a difference."
        )


class TooFewSettings(DataError):
    """Fewer settings than shares of their hyperparameters need."""

    family: str | None
    settings: int
    needed: int
    hyperparameters: int
    widest: str | None
    kinds: int

    def sentence(self) -> str:
        wide = ""
        if self.widest is not None:
            wide = f"; {quote(self.widest)} alone has {count(self.kinds, 'category', 'categories')}"
        return (
            f"Shares of {count(self.hyperparameters, 'hyperparameter')}{of_family(self.family)} "
            f"need at least {count(self.needed, 'setting')}, and there are {self.settings:,}. Add "
            f"settings, or name fewer hyperparameters{wide}."
        )


class Confounded(DataError):
    """Hyperparameters of which one follows from the others."""

    family: str | None
    hyperparameters: Sequence[str]

    def sentence(self) -> str:
        return (
            f"In the settings{of_family(self.family)}, the hyperparameters "
            f"{list_names(self.hyperparameters)} follow from each other, so nobody can tell which "
            f"of them matters. Leave one of them out, or name the hyperparameter that decides "
            f"which of them are set."
        )


class OnlyNoise(DataError):
    """Ratings of settings that differ by hardly more than their errors."""

    family: str | None
    settings: int
    noise: float

    def sentence(self) -> str:
        return (
            f"The ratings of the {count(self.settings, 'setting')}{of_family(self.family)} differ "
            f"by hardly more than their errors ({percent(min(self.noise, 1.0))} noise), so there "
            f"is nothing that hyperparameters could explain. Add rounds."
        )


class NoEvidence(DataError):
    """A board that was cut when it was written keeps nothing to compare players with."""

    def sentence(self) -> str:
        return (
            f"This leaderboard holds only its first rows, and nothing to compare players with. "
            f"Write it again without {option('top').removesuffix('=')}."
        )


class NoCommonScale(DataError):
    """Two players of components that never met."""

    first: str
    second: str

    def sentence(self) -> str:
        return (
            f"{quote(self.first)} and {quote(self.second)} belong to components that never met; "
            f"their ratings cannot be compared."
        )


class SamePlayer(UseError):
    """A player is compared with itself."""

    player: str

    def sentence(self) -> str:
        return f"{quote(self.player)} cannot be compared with itself; name two players."


class NoCompleteRounds(DataError):
    """Friedman's test has no rounds to work on."""

    rounds: int

    def sentence(self) -> str:
        there = "there are none" if self.rounds == 0 else "there is only one"
        return (
            f"Friedman's test needs two or more rounds in which every player has a score, and "
            f"{there}."
        )


class NoSeats(DataError):
    """Battles whose seats tell nothing, or no battles; the reason is a sentence's end."""

    reason: str

    def sentence(self) -> str:
        return f"This leaderboard cannot tell what the first seat is worth: {self.reason}."


class NoRelation(DataError):
    """Ratings and mean scores that cannot be laid beside each other."""

    reason: str

    def sentence(self) -> str:
        return f"Mean scores cannot be compared with ratings: {self.reason}."


class TooManyToCompare(DataError):
    """All pairs of so many players do not fit into memory together."""

    players: int
    limit: int

    def sentence(self) -> str:
        return (
            f"All pairs of {self.players:,} players are too many to look at together; the limit "
            f"is {self.limit:,} players. Compare two by name, rate fewer, or leave the details out "
            f"with {option('details', False)}."
        )


class OverlapAcrossTournaments(UseError):
    """The correction for overlapping splits, asked for where clusters are data sets."""

    def sentence(self) -> str:
        return (
            f"{option('test_fraction').removesuffix('=')} corrects for splits of one data set that "
            f"share training data; this board's clusters are whole data sets, which share none. "
            f"Leave that option out."
        )


class BoardsNotPaired(UseError):
    """Two boards whose rounds cannot be laid beside each other; the reason ends a sentence."""

    reason: str

    def sentence(self) -> str:
        return (
            f"The two boards cannot be paired: {self.reason}. Give the results that they were made "
            f"of, or rate these in the same way."
        )


class TeamAsMember(UseError):
    """A team among the members of a team: of another one, or of itself."""

    team: str
    member: str

    def sentence(self) -> str:
        if self.team == self.member:
            return f"Team {quote(self.team)} is among its own members. Name its other members only."
        return (
            f"{quote(self.member)} is a team itself and cannot be a member of team "
            f"{quote(self.team)}. Name its members instead."
        )


class RepeatedMember(UseError):
    """A member that a team has twice."""

    team: str
    member: str

    def sentence(self) -> str:
        return f"Team {quote(self.team)} names its member {quote(self.member)} more than once."


class AlreadyPlaced(UseError):
    """A new player with the name of one that is on the board."""

    player: str

    def sentence(self) -> str:
        return (
            f"{quote(self.player)} is on this leaderboard already, and would meet itself. Give the "
            f"new player another name, or rate all scores anew."
        )


class UnknownRounds(UseError):
    """Scores in rounds that the board does not have."""

    player: str
    rounds: Sequence[str]
    close: Sequence[str]
    known: Sequence[str]

    def sentence(self) -> str:
        what = "a round" if len(self.rounds) == 1 else f"{len(self.rounds):,} rounds"
        start = (
            f"{quote(self.player)} has scores in {what} that this leaderboard does not have: "
            f"{list_names(self.rounds)}."
        )
        if self.close:
            return f"{start} {did_you_mean(self.close)}"
        return f"{start} It has {list_names(self.known)}."


class TooFewToPlace(DataError):
    """A new player that took part in too few clusters to tell how sure its rating is."""

    player: str
    clusters: int
    unit: str

    def sentence(self) -> str:
        units = unit_names(self.unit)
        met = {0: f"in none of its {units}", 1: f"in one of its {units} only"}
        return (
            f"{quote(self.player)} met players of this leaderboard {met[self.clusters]}. A rating "
            f"needs two or more, because its interval comes from how they differ."
        )


class NoWayToPlace(DataError):
    """A board on which a new player cannot be placed; the reason is a sentence's middle."""

    reason: str

    def sentence(self) -> str:
        return (
            f"No new player can be placed on this leaderboard: {self.reason}. Rate all of them "
            f"together instead."
        )


class NotJson(DataError):
    """Text that should be JSON and is not."""

    reason: str

    def sentence(self) -> str:
        return f"This is no JSON: {self.reason}."


class BrokenJson(DataError):
    """JSON with the right schema but without what that promises."""

    reason: str

    def sentence(self) -> str:
        return f"The JSON says what it is but is not complete ({self.reason}). Write it anew."


class SchemaUnknown(DataError):
    """A JSON file that is no leaderboard of this version."""

    found: str
    known: str

    def sentence(self) -> str:
        return (
            f"The JSON has schema {quote(self.found)}; this version of Winodds reads "
            f"{quote(self.known)}."
        )
