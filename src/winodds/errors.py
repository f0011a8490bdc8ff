"""Every error and note: each class keeps its facts and builds its own sentence.

`DataError` says that the data cannot give what was asked; `UseError` that the call was wrong. The
sentence is the same in Python, on the command line and on a page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

NAMES_SHOWN = 5


def quote(name: object) -> str:
    """A name as it appears in a sentence, with control characters made visible."""
    text = str(name)
    if all(character.isprintable() for character in text):
        return f"'{text}'"
    return repr(text)


def list_names(names: Iterable[object], *, shown: int = NAMES_SHOWN) -> str:
    """At most ``shown`` quoted names, then "and 995 more".

    >>> list_names(["rf", "svm"])
    "'rf', 'svm'"
    >>> list_names(range(1000), shown=2)
    "'0', '1' and 998 more"
    """
    everyone = list(names)
    listed = ", ".join(quote(name) for name in everyone[:shown])
    rest = len(everyone) - shown
    return f"{listed} and {rest:,} more" if rest > 0 else listed


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 player", "2,000 players"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def number(value: float) -> str:
    """A number with all its digits and no more.

    >>> number(0.9), number(2.0), number(1.0000000000000002)
    ('0.9', '2', '1.0000000000000002')
    """
    return repr(float(value)).removesuffix(".0")


UNITS = ("cluster", "round", "tournament", "battle")


def unit_name(unit: str) -> str:
    """What a cluster is: a kind of thing, or a column's value."""
    return unit if unit in UNITS else f"value of {quote(unit)}"


def unit_names(unit: str) -> str:
    """The same in the plural."""
    return f"{unit}s" if unit in UNITS else f"values of {quote(unit)}"


@dataclass(eq=False, kw_only=True)
class WinoddsError(ValueError):
    """Base of all errors that Winodds raises on purpose."""

    def sentence(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.sentence()

    def __reduce__(self) -> tuple[Any, ...]:
        facts = {fact.name: getattr(self, fact.name) for fact in fields(self)}
        return partial(type(self), **facts), ()


@dataclass(eq=False, kw_only=True)
class DataError(WinoddsError):
    """The data cannot give what was asked."""


@dataclass(eq=False, kw_only=True)
class UseError(WinoddsError):
    """The call was wrong, whatever the data."""


# The table ----------------------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class MissingColumn(UseError):
    """A role names a column that the table does not have."""

    column: str
    columns: Sequence[str]
    suggestion: str | None = None

    def sentence(self) -> str:
        listed = list_names(self.columns, shown=12) or "no columns"
        start = f"No column {quote(self.column)} in the table; it has {listed}."
        return f"{start} {self.suggestion}" if self.suggestion else start


@dataclass(eq=False, kw_only=True)
class NotATable(UseError):
    """The first argument is no data frame."""

    kind: str

    def sentence(self) -> str:
        return (
            f"A table is needed, a pandas or polars data frame or an Arrow table, not {self.kind}."
        )


@dataclass(eq=False, kw_only=True)
class DuplicateColumns(UseError):
    """Two columns of the table have the same name."""

    def sentence(self) -> str:
        return "Two columns of the table have the same name. Rename or drop one of them."


@dataclass(eq=False, kw_only=True)
class BadOption(UseError):
    """An option has a value that it cannot have."""

    option: str
    value: object
    wanted: str

    def sentence(self) -> str:
        return f"{self.option}={self.value!r} is not possible; {self.wanted}."


@dataclass(eq=False, kw_only=True)
class EmptyName(DataError):
    """A player, round or tournament without a name."""

    column: str
    rows: int
    first_row: int

    def sentence(self) -> str:
        rows = count(self.rows, "row")
        verb = "has" if self.rows == 1 else "have"
        return (
            f"{rows} {verb} no name in column {quote(self.column)}; the first is row "
            f"{self.first_row:,}. Fill the names in or drop these rows."
        )


@dataclass(eq=False, kw_only=True)
class NamesNotText(DataError):
    """A column of names holds something that is none."""

    column: str
    kind: str

    def sentence(self) -> str:
        return (
            f"Column {quote(self.column)} holds values of type {self.kind}, which are no names. "
            f"Convert it to text."
        )


@dataclass(eq=False, kw_only=True)
class UnreadableName(DataError):
    """A name with control, bidirectional or zero-width characters."""

    column: str
    name: str
    character: str

    def sentence(self) -> str:
        return (
            f"A name in column {quote(self.column)} holds the invisible character "
            f"U+{ord(self.character):04X}: {self.name!a}. Two such names can look the same; "
            f"remove the character."
        )


@dataclass(eq=False, kw_only=True)
class JoinedNamesCollide(DataError):
    """Two different combinations of columns would get the same joined name."""

    columns: Sequence[str]
    name: str

    def sentence(self) -> str:
        return (
            f"Columns {list_names(self.columns)} give the same name {quote(self.name)} to "
            f"different combinations of values. Rename the values, or join the columns yourself."
        )


@dataclass(eq=False, kw_only=True)
class ScoresNotNumbers(DataError):
    """The score column holds something else than numbers."""

    column: str
    kind: str
    example: str
    role: str = "score"

    def sentence(self) -> str:
        ending = ", with missing scores empty" if self.role == "score" else ""
        return (
            f"Column {quote(self.column)} holds {self.kind}, not numbers; the first value is "
            f"{quote(self.example)}. Convert it to numbers{ending}."
        )


@dataclass(eq=False, kw_only=True)
class InfiniteScores(DataError):
    """Scores that are infinite."""

    scores: int
    player: str
    round: str

    def sentence(self) -> str:
        verb = "is" if self.scores == 1 else "are"
        return (
            f"{count(self.scores, 'score')} {verb} infinite; the first is of {quote(self.player)} "
            f"in {quote(self.round)}. Give a failed run an empty score, and say with missing= "
            f"whether it counts as a loss."
        )


@dataclass(eq=False, kw_only=True)
class ConflictingDuplicates(DataError):
    """A player with several different scores in one round."""

    pairs: int
    player: str
    round: str
    values: Sequence[float]

    def sentence(self) -> str:
        verb = "has" if self.pairs == 1 else "have"
        values = " and ".join(number(value) for value in self.values[:2])
        return (
            f"{count(self.pairs, 'player–round pair')} {verb} more than one score; the first is "
            f"{quote(self.player)} in {quote(self.round)} with {values}. Give repeats their own "
            f'round, or pass duplicates="mean".'
        )


@dataclass(eq=False, kw_only=True)
class ScoreOutOfRange(DataError):
    """A score that its metric cannot have."""

    metric: str
    low: float
    high: float
    value: float
    player: str
    round: str

    def sentence(self) -> str:
        return (
            f"{quote(self.player)} has {number(self.value)} in {quote(self.round)}, but "
            f"{quote(self.metric)} lies between {number(self.low)} and {number(self.high)}. "
            f"Correct the score; if percent is meant, divide by 100; if the column is something "
            f"else, rename it."
        )


@dataclass(eq=False, kw_only=True)
class TooFewPlayers(DataError):
    """Fewer than two players."""

    players: Sequence[str]

    def sentence(self) -> str:
        have = f"only {quote(self.players[0])} has a score" if self.players else "no player has one"
        return f"A leaderboard needs scores of at least two players; {have}."


@dataclass(eq=False, kw_only=True)
class TooFewRounds(DataError):
    """Fewer than two rounds in which players met."""

    rounds: int

    def sentence(self) -> str:
        have = "there is one" if self.rounds == 1 else "there is none"
        return (
            f"A leaderboard needs at least two rounds in which players met; {have}. Say which "
            f"column holds the splits or tasks with round=."
        )


@dataclass(eq=False, kw_only=True)
class NoMatches(DataError):
    """Nobody met anybody."""

    def sentence(self) -> str:
        return "No two players met, so there is nothing to rate."


# Directions and options ---------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class DirectionUnknown(UseError):
    """Nothing says whether higher scores are better."""

    metric: str

    def sentence(self) -> str:
        return (
            f"Is a higher or a lower {quote(self.metric)} better? The name does not tell. Pass "
            f"higher_is_better=True or higher_is_better=False."
        )


@dataclass(eq=False, kw_only=True)
class DirectionContradicts(UseError):
    """The given direction is not that of the metric's name."""

    metric: str
    higher_is_better: bool

    def sentence(self) -> str:
        given = "higher" if self.higher_is_better else "lower"
        known = "lower" if self.higher_is_better else "higher"
        return (
            f"You say that a {given} {quote(self.metric)} is better, but by its name a {known} one "
            f"is. Drop the direction, or rename the column if it holds something else."
        )


@dataclass(eq=False, kw_only=True)
class DirectionUnreadable(DataError):
    """A cell of the direction column that says neither up nor down."""

    column: str
    value: str

    def sentence(self) -> str:
        return (
            f"Column {quote(self.column)} holds {quote(self.value)}; a direction is written 'up', "
            f"'higher', 'max' or 'true', or 'down', 'lower', 'min' or 'false'."
        )


@dataclass(eq=False, kw_only=True)
class DirectionsIncomplete(UseError):
    """A mapping of directions that leaves rounds out."""

    rounds: Sequence[str]

    def sentence(self) -> str:
        return (
            f"higher_is_better says nothing about {count(len(self.rounds), 'round')}: "
            f"{list_names(self.rounds)}. Give each round True or False."
        )


@dataclass(eq=False, kw_only=True)
class VariesWithinRound(DataError):
    """A column that must be constant in a round is not."""

    column: str
    role: str
    round: str
    values: Sequence[str]

    def sentence(self) -> str:
        return (
            f"Column {quote(self.column)} gives round {quote(self.round)} more than one "
            f"{self.role}: {list_names(self.values)}. A round has one {self.role}."
        )


@dataclass(eq=False, kw_only=True)
class BadWeights(DataError):
    """Weights that are missing, negative or all zero."""

    column: str
    value: str
    where: str

    def sentence(self) -> str:
        return (
            f"The weight of {self.where} in column {quote(self.column)} is {self.value}; weights "
            f"are positive numbers."
        )


@dataclass(eq=False, kw_only=True)
class UnknownPlayer(UseError):
    """A player that is not on the board."""

    player: str
    close: Sequence[str]

    def sentence(self) -> str:
        start = f"No player {quote(self.player)} on this leaderboard."
        return f"{start} Did you mean {list_names(self.close)}?" if self.close else start


@dataclass(eq=False, kw_only=True)
class UnknownWinner(DataError):
    """A winner label that names neither side nor a tie."""

    column: str
    label: str
    allowed: Sequence[str]
    row: int

    def sentence(self) -> str:
        return (
            f"Row {self.row:,} has {quote(self.label)} in column {quote(self.column)}; a winner is "
            f"written as one of {list_names(self.allowed, shown=12)}."
        )


@dataclass(eq=False, kw_only=True)
class SelfMatch(DataError):
    """A battle of a player with itself."""

    player: str
    row: int
    rows: int

    def sentence(self) -> str:
        return (
            f"{count(self.rows, 'battle')} of a player with itself; the first is row {self.row:,}, "
            f"{quote(self.player)}. Drop such rows."
        )


# Ratings ------------------------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class NeverMet(DataError):
    """Groups of players between which there was no match."""

    groups: Sequence[Sequence[str]]

    def sentence(self) -> str:
        groups = "; ".join(
            f"{len(group):,} with {list_names(group, shown=1 if len(group) == 1 else 2)}"
            for group in self.groups[:NAMES_SHOWN]
        )
        rest = len(self.groups) - NAMES_SHOWN
        more = f"; and {rest:,} more groups" if rest > 0 else ""
        return (
            f"The players form {len(self.groups):,} groups that never met: {groups}{more}. Their "
            f"ratings cannot be compared. Add rounds in which they meet, or pass "
            f'components="separate" to rate each group on its own.'
        )


@dataclass(eq=False, kw_only=True)
class Separated(DataError):
    """Sets of players that won every match against the others, so that no MLE exists."""

    cuts: str

    def sentence(self) -> str:
        return (
            f"No maximum-likelihood rating exists: {self.cuts} Use the bias-reduced estimator "
            f"(the default), which is finite and leaves such intervals open, or add rounds."
        )


@dataclass(eq=False, kw_only=True)
class InGroup(DataError):
    """An error in one of several groups that are rated separately."""

    players: Sequence[str]
    reason: str

    def sentence(self) -> str:
        return f"In the group of {list_names(self.players)}: {self.reason}"


@dataclass(eq=False, kw_only=True)
class NoCommonScale(DataError):
    """Two players of groups that never met."""

    first: str
    second: str

    def sentence(self) -> str:
        return (
            f"{quote(self.first)} and {quote(self.second)} belong to groups that never met; their "
            f"ratings cannot be compared."
        )


@dataclass(eq=False, kw_only=True)
class InTournament(DataError):
    """An error in one of several tournaments."""

    tournament: str
    reason: str

    def sentence(self) -> str:
        return f"In tournament {quote(self.tournament)}: {self.reason}"


@dataclass(eq=False, kw_only=True)
class NotConverged(DataError):
    """The fit did not reach its solution."""

    iterations: int
    step: float

    def sentence(self) -> str:
        return (
            f"The fit did not converge in {self.iterations} iterations (the last step was "
            f"{self.step:.1e}), so there are no ratings to report. Please send us the table, or a "
            f"small part of it that shows this."
        )


@dataclass(eq=False, kw_only=True)
class SingularInformation(DataError):
    """Ratings so far apart that the computer cannot tell the information from zero."""

    players: int

    def sentence(self) -> str:
        return (
            f"The ratings of the {count(self.players, 'player')} are so far apart that their "
            f"uncertainty cannot be computed. Leave out players who lose, or win, nearly every "
            f"match, or add rounds."
        )


@dataclass(eq=False, kw_only=True)
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


@dataclass(eq=False, kw_only=True)
class TooFewClusters(DataError):
    """A single cluster says nothing about the variation between clusters."""

    clusters: int
    unit: str

    def sentence(self) -> str:
        units = unit_names(self.unit)
        return (
            f"The interval comes from the variation between {units}, and there is only "
            f"{self.clusters}. Choose clusters of which there are more, or rate more rounds."
        )


@dataclass(eq=False, kw_only=True)
class ClusterSplitsTournament(UseError):
    """Clusters finer than tournaments, for pooled matches across rounds."""

    def sentence(self) -> str:
        return (
            "Pooled matches across rounds are clustered by whole tournaments, and the cluster "
            'column splits some. Drop it, or count matches="within".'
        )


@dataclass(eq=False, kw_only=True)
class OverlapAcrossTournaments(UseError):
    """The correction for overlapping splits, asked for where clusters are data sets."""

    def sentence(self) -> str:
        return (
            "test_fraction corrects for splits of one data set that share training data; this "
            "board's clusters are whole data sets, which share none. Drop test_fraction."
        )


@dataclass(eq=False, kw_only=True)
class NotJson(DataError):
    """Text that should be JSON and is not."""

    reason: str

    def sentence(self) -> str:
        return f"This is no JSON: {self.reason}."


@dataclass(eq=False, kw_only=True)
class BrokenJson(DataError):
    """JSON with the right schema but without what that promises."""

    reason: str

    def sentence(self) -> str:
        return f"The JSON says what it is but is not complete ({self.reason}). Write it anew."


@dataclass(eq=False, kw_only=True)
class SchemaUnknown(DataError):
    """A JSON file that is no leaderboard of this version."""

    found: str
    known: str

    def sentence(self) -> str:
        return (
            f"The JSON has schema {quote(self.found)}; this version of Winodds reads "
            f"{quote(self.known)}."
        )
