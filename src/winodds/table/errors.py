"""Tables that cannot be understood as they are."""

from collections.abc import Mapping, Sequence
from math import isinf
from typing import Any

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import on_command_line, option, options
from winodds.language.words import count, did_you_mean, list_names, number, quote, shorten


class MissingColumn(UseError):
    """A role names a column that the table does not have."""

    column: str
    columns: Sequence[str]
    suggestion: str | None = None
    close: Sequence[str] = ()

    def sentence(self) -> str:
        listed = list_names(self.columns, shown=12) or "no columns"
        start = f"No column {quote(self.column)} in the table; it has {listed}."
        if self.suggestion is None and self.close:
            return f"{start} {did_you_mean(self.close)}"
        return f"{start} {self.suggestion}" if self.suggestion else start


class SpreadsAsScores(UseError):
    """Columns or metrics that say how much scores vary."""

    names: Sequence[str]
    metrics: bool = False

    def sentence(self) -> str:
        one = len(self.names) == 1
        words = ("its name", "says", "is no score") if one else ("their names", "say", "are none")
        advice = f"Rename {'it' if one else 'them'} if that is wrong."
        if self.metrics:
            advice = f"Leave the rows of {'it' if one else 'them'} out."
        named = list_names(self.names)
        return f"By {words[0]} {named} {words[1]} how much scores vary, and {words[2]}. {advice}"


class SummariesAmong(DataError):
    """Rounds or data sets that sum up the others."""

    names: Sequence[str]
    unit: str

    def sentence(self) -> str:
        one = len(self.names) == 1
        what = f"it is a {self.unit}" if one else f"they are {self.unit}s"
        looks = "looks like a summary" if one else "look like summaries"
        it = "it" if one else "them"
        return (
            f"{list_names(self.names)} {looks} of the other {self.unit}s. Leave {it} out, or "
            f"rename {it} if {what}."
        )


class SummingPlayer(DataError):
    """A player who is called like a summary and has that of the others' scores."""

    player: str
    what: str

    def sentence(self) -> str:
        return (
            f"{quote(self.player)} looks like a summary of the other players: in every round it "
            f"has the {self.what} of their scores. Leave its rows out, or rename it if it is a "
            f"player."
        )


class TrainingScores(DataError):
    """Rounds that are parts of the data, training data among them."""

    names: Sequence[str]

    def sentence(self) -> str:
        return (
            f"The rounds are {list_names(self.names)}: parts of the data, and not occasions that "
            f"are alike. On training data who learns by heart wins. Keep the rows of one part, and "
            f"name what else tells occasions apart with {option('round')}."
        )


class NotATable(UseError):
    """The first argument is no data frame."""

    kind: str

    def sentence(self) -> str:
        return (
            f"A table is needed, a pandas or polars data frame or an Arrow table, not an object of "
            f"type {self.kind}. Files are read by winodds.read_results(path)."
        )


class DuplicateColumns(UseError):
    """Two columns of the table have the same name."""

    def sentence(self) -> str:
        return "Two columns of the table have the same name. Rename or drop one of them."


class ForkedProcess(UseError):
    """A process that was forked after tables had been read."""

    def sentence(self) -> str:
        return (
            "This process was forked from one that had read tables, and would wait for ever for "
            "threads that a fork does not take along. Start the workers another way: "
            'multiprocessing.get_context("spawn") or "forkserver", or joblib\'s processes.'
        )


class EmptyName(DataError):
    """A player, round or tournament without a name."""

    column: str
    rows: int
    where: str

    def sentence(self) -> str:
        if self.rows == 1:
            return (
                f"1 row has no name in column {quote(self.column)}: {self.where}. Fill the name in "
                f"or drop the row."
            )
        return (
            f"{self.rows:,} rows have no name in column {quote(self.column)}; the first is "
            f"{self.where}. Fill the names in or drop these rows."
        )


class NamesNotText(DataError):
    """A column of names holds something that is none."""

    column: str
    kind: str

    def sentence(self) -> str:
        return (
            f"Column {quote(self.column)} holds values of type {self.kind}, which are no names. "
            f"Convert it to text."
        )


class UnreadableName(DataError):
    """A name with control, bidirectional or zero-width characters."""

    column: str
    name: str
    character: str
    where: str

    def sentence(self) -> str:
        return (
            f"A name in column {quote(self.column)} ({self.where}) holds the invisible character "
            f"U+{ord(self.character):04X}: {shorten(self.name)!a}. Two such names can look the "
            f"same; remove the character."
        )


class JoinedNamesCollide(DataError):
    """Two different combinations of columns would get the same joined name."""

    columns: Sequence[str]
    name: str

    def sentence(self) -> str:
        return (
            f"Columns {list_names(self.columns)} give the same name {quote(self.name)} to "
            f"different combinations of values. Rename the values, or join the columns yourself."
        )


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


class InfiniteScores(DataError):
    """Scores that are infinite."""

    scores: int
    player: str
    round: str
    where: str

    def sentence(self) -> str:
        if self.scores == 1:
            start = "1 score is infinite, that of"
        else:
            start = f"{self.scores:,} scores are infinite; the first is that of"
        return (
            f"{start} {quote(self.player)} in {quote(self.round)} ({self.where}). Give a failed "
            f"run an empty score, and say "
            f"with {option('missing')} whether it counts as a loss."
        )


class ConflictingDuplicates(DataError):
    """A player with several different scores in one round."""

    pairs: int
    player: str
    round: str
    values: Sequence[float]
    where: Sequence[str]
    apart: Sequence[str] = ()

    def sentence(self) -> str:
        verb = "has" if self.pairs == 1 else "have"
        values = " and ".join(
            f"{number(value)} ({place})"
            for value, place in zip(self.values[:2], self.where, strict=False)
        )
        return (
            f"{count(self.pairs, 'player–round pair')} {verb} more than one score; the first is "
            f"{quote(self.player)} in {quote(self.round)} with {values}. {self._remedy()}"
        )

    def _remedy(self) -> str:
        repeats = f"pass {option('duplicates', 'mean')}"
        if not self.apart:
            return f"Give repeats their own round, or {repeats}."
        return (
            f"They differ in {list_names(self.apart)}: does that belong to the player, the round "
            f"or the tournament? If they are repeats, {repeats}."
        )


class ScoreOutOfRange(DataError):
    """A score that its metric cannot have."""

    metric: str
    low: float
    high: float
    value: float
    player: str
    round: str
    where: str

    def sentence(self) -> str:
        percent = ""
        if self.high == 1.0 < self.value <= 100.0:
            remedy = f"pass {option('percent', True)}" if on_command_line() else "divide by 100"
            percent = f" If percent is meant, {remedy}."
        return (
            f"{quote(self.player)} has {number(self.value)} in {quote(self.round)} "
            f"({self.where}), but {quote(self.metric)} {self._range()}. Correct the score, or "
            f"rename the column if it is something else.{percent}"
        )

    def _range(self) -> str:
        if isinf(self.high):
            return f"is never below {number(self.low)}"
        if isinf(self.low):
            return f"is never above {number(self.high)}"
        return f"lies between {number(self.low)} and {number(self.high)}"


class TooFewPlayers(DataError):
    """Fewer than two players."""

    players: Sequence[str]

    def sentence(self) -> str:
        have = f"only {quote(self.players[0])} has a score" if self.players else "no player has one"
        return f"A leaderboard needs scores of at least two players; {have}."


class TooFewRounds(DataError):
    """Fewer than two rounds in which players met."""

    rounds: int
    of_many: bool = False

    def sentence(self) -> str:
        have = "there is one" if self.rounds == 1 else "there is none"
        start = f"A leaderboard needs at least two rounds in which players met; {have}."
        if self.of_many:
            pool = option("pool", True) if on_command_line() else "rate()"
            return f"{start} Pool all tournaments with {pool}, or leave this one out."
        return f"{start} Say which column holds the splits or tasks with {option('round')}."


class DirectionUnknown(UseError):
    """Nothing says whether higher scores are better."""

    metric: str

    def sentence(self) -> str:
        return (
            f"Is a higher or a lower {quote(self.metric)} better? The name does not tell. Pass "
            f"{option('higher_is_better', True)} or {option('higher_is_better', False)}."
        )

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [{"higher_is_better": True}]


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

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [{"higher_is_better": None}]


class DirectionUnreadable(DataError):
    """A cell of the direction column that says neither up nor down."""

    column: str
    value: str

    def sentence(self) -> str:
        return (
            f"Column {quote(self.column)} holds {quote(self.value)}; a direction is written 'up', "
            f"'higher', 'max' or 'true', or 'down', 'lower', 'min' or 'false'."
        )


class DirectionsIncomplete(UseError):
    """A mapping of directions that leaves rounds out."""

    rounds: Sequence[str]

    def sentence(self) -> str:
        return (
            f"higher_is_better says nothing about {count(len(self.rounds), 'round')}: "
            f"{list_names(self.rounds)}. Give each round True or False."
        )


class NotConstant(DataError):
    """A column that must be constant in a round, or for a player, is not."""

    column: str
    role: str
    name: str
    values: Sequence[str]
    unit: str = "round"
    round: Sequence[str] = ()
    alone: bool = False

    def sentence(self) -> str:
        advice = ""
        if self.round:
            parts = options("round", [*self.round, self.column])
            advice = f" Make the {self.role} a part of the {self.unit} with {parts}."
        return (
            f"Column {quote(self.column)} gives {self.unit} {quote(self.name)} more than one "
            f"{self.role}: {list_names(self.values)}. A {self.unit} has one {self.role}.{advice}"
        )

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        if not self.round:
            return []
        # Several metrics of one task hang together.
        cluster = {"cluster": list(self.round)} if self.alone else {}
        return [{"round": [*self.round, self.column], **cluster}]


class InfiniteSetting(DataError):
    """A hyperparameter that is infinite."""

    column: str
    player: str
    where: str

    def sentence(self) -> str:
        return (
            f"Player {quote(self.player)} has an infinite number in column {quote(self.column)} "
            f"({self.where}). Leave the cell empty if nothing is set there, or write a large "
            f"number."
        )


class NoRunSucceeded(DataError):
    """A status column in which no word says that a run succeeded."""

    column: str
    values: Sequence[str]

    def sentence(self) -> str:
        return (
            f"According to column {quote(self.column)} no run succeeded: it holds "
            f"{list_names(self.values)}, and a run that did is marked 'ok', 'success', 'finished' "
            f"or 'completed'. Is this the status of the runs?"
        )


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


class WeightsTooFar(DataError):
    """Weights of which the smallest counts for nothing beside the largest."""

    column: str
    values: Sequence[str]
    where: Sequence[str]

    def sentence(self) -> str:
        light, heavy = zip(self.values, self.where, strict=True)
        return (
            f"The weights in column {quote(self.column)} go from {light[0]} ({light[1]}) to "
            f"{heavy[0]} ({heavy[1]}), more than eight decades; beside the largest, the smallest "
            f"count for nothing. Leave such rows out, or weigh them alike."
        )


class UnknownWinner(DataError):
    """A winner label that names neither side nor a tie."""

    column: str
    label: str
    allowed: Sequence[str]
    where: str

    def sentence(self) -> str:
        return (
            f"{self.where.capitalize()} has {quote(self.label)} in column {quote(self.column)}; a "
            f"winner is written as one of {list_names(self.allowed, shown=12)}."
        )


class AmbiguousWinner(DataError):
    """A winner label that is the name of a player as well, and not of the one whom it means."""

    column: str
    label: str
    side: str | None
    where: str

    def sentence(self) -> str:
        if self.side is None:
            meant = "a tie, and is the name of a player of that battle"
        else:
            meant = f"the player in column {quote(self.side)}, and is the name of the other one"
        return (
            f"{self.where.capitalize()} has {quote(self.label)} in column {quote(self.column)}, "
            f"which means {meant}. Rename players that are called like a side or a tie."
        )


class TieAsWinner(DataError):
    """A tie in a table that names only winners and losers."""

    label: str
    where: str

    def sentence(self) -> str:
        return (
            f"{self.where.capitalize()} has {quote(self.label)} in place of a player. A table of "
            f"winners and losers has no place for ties; give both players columns of their own, "
            f"and name them with {option('left')} and {option('right')}."
        )


class SelfMatch(DataError):
    """A battle of a player with itself."""

    player: str
    where: str
    rows: int

    def sentence(self) -> str:
        return (
            f"{count(self.rows, 'battle')} {'is' if self.rows == 1 else 'are'} of a player with "
            f"itself; the first is in {self.where} ({quote(self.player)}). Drop such rows."
        )


class MembersUnclear(DataError):
    """A cell that should list the members of a team, and can be read in several ways or none."""

    cell: str
    reason: str

    def sentence(self) -> str:
        return (
            f"It is not clear which members {quote(self.cell)} names: {self.reason}. Put one kind "
            f'of separator between names, as in rf + svm, or write a list: ["rf", "svm"].'
        )
