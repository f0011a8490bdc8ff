"""Every error and note: each class keeps its facts and builds its own sentence.

`DataError` says that the data cannot give what was asked; `UseError` that the call was wrong. The
sentence is the same in Python, on the command line and on a page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import isinf
from typing import Any

from winodds.language.spelling import on_command_line, option, options
from winodds.language.words import (
    NAMES_SHOWN,
    PLACES_SHOWN,
    count,
    did_you_mean,
    list_names,
    list_numbers,
    number,
    numeral,
    quote,
    shorten,
    unit_names,
)


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
    close: Sequence[str] = ()

    def sentence(self) -> str:
        listed = list_names(self.columns, shown=12) or "no columns"
        start = f"No column {quote(self.column)} in the table; it has {listed}."
        if self.suggestion is None and self.close:
            return f"{start} {did_you_mean(self.close)}"
        return f"{start} {self.suggestion}" if self.suggestion else start


@dataclass(eq=False, kw_only=True)
class NotATable(UseError):
    """The first argument is no data frame."""

    kind: str

    def sentence(self) -> str:
        return (
            f"A table is needed, a pandas or polars data frame or an Arrow table, not an object of "
            f"type {self.kind}. Files are read by winodds.read_results(path)."
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
        return f"{option(self.option, self.value)} is not possible; {self.wanted}."


@dataclass(eq=False, kw_only=True)
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
    where: str

    def sentence(self) -> str:
        return (
            f"A name in column {quote(self.column)} ({self.where}) holds the invisible character "
            f"U+{ord(self.character):04X}: {shorten(self.name)!a}. Two such names can look the "
            f"same; remove the character."
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


@dataclass(eq=False, kw_only=True)
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


@dataclass(eq=False, kw_only=True)
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
    of_many: bool = False

    def sentence(self) -> str:
        have = "there is one" if self.rounds == 1 else "there is none"
        start = f"A leaderboard needs at least two rounds in which players met; {have}."
        if self.of_many:
            pool = option("pool", True) if on_command_line() else "rate()"
            return f"{start} Pool all tournaments with {pool}, or leave this one out."
        return f"{start} Say which column holds the splits or tasks with {option('round')}."


@dataclass(eq=False, kw_only=True)
class NoMatches(DataError):
    """Nobody met anybody."""

    def sentence(self) -> str:
        return "No two players met, so there is nothing to rate."


# Files --------------------------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class NoSuchFile(UseError):
    """The path leads nowhere."""

    path: str
    close: Sequence[str]

    def sentence(self) -> str:
        start = f"There is no file {quote(self.path)}."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


@dataclass(eq=False, kw_only=True)
class IsFolder(UseError):
    """The path is a folder."""

    path: str

    def sentence(self) -> str:
        return f"{quote(self.path)} is a folder; name one file with a table of results."


@dataclass(eq=False, kw_only=True)
class Unreadable(DataError):
    """The operating system does not let us read the file, or it is damaged."""

    path: str
    reason: str

    def sentence(self) -> str:
        return f"{quote(self.path)} cannot be read: {self.reason}."


@dataclass(eq=False, kw_only=True)
class NotWritten(DataError):
    """The output could not be written; an old file is untouched."""

    path: str
    reason: str

    def sentence(self) -> str:
        return f"{quote(self.path)} could not be written: {self.reason}."


@dataclass(eq=False, kw_only=True)
class RefusedFormat(DataError):
    """A kind of file that is not read, because it can run code or is no table."""

    path: str
    kind: str

    def sentence(self) -> str:
        return (
            f"{quote(self.path)} is {self.kind}, which is not read. Save the table as CSV, "
            f"Parquet or JSON lines (one object a line)."
        )


@dataclass(eq=False, kw_only=True)
class WrongEncoding(DataError):
    """Bytes that are no text in the expected encoding."""

    encoding: str
    line: int
    column: int
    byte: int
    guess: str

    def sentence(self) -> str:
        return (
            f"Line {self.line:,} is not {self.encoding}: byte 0x{self.byte:02X} at position "
            f"{self.column:,}. {self._remedy()}"
        )

    def _remedy(self) -> str:
        if self.guess.upper() == self.encoding:
            return "Check whether the file is cut off, and save it as UTF-8."
        return (
            f"Save the file as UTF-8, or say what it is, for instance "
            f"{option('encoding', self.guess)}."
        )


@dataclass(eq=False, kw_only=True)
class EmptyFile(DataError):
    """Nothing in the file."""

    def sentence(self) -> str:
        return (
            "The file is empty. It needs a line with the columns' names and below it a row for "
            "every score, of at least two players in at least two rounds."
        )


@dataclass(eq=False, kw_only=True)
class HeaderOnly(DataError):
    """A header without rows."""

    columns: Sequence[str]

    def sentence(self) -> str:
        return (
            f"The file has a header ({list_names(self.columns)}) but no rows. It needs a row for "
            f"every score, of at least two players in at least two rounds."
        )


@dataclass(eq=False, kw_only=True)
class UnreadableHeader(DataError):
    """A column's name with characters that nobody sees."""

    name: str
    character: str

    def sentence(self) -> str:
        return (
            f"A column's name holds the invisible character U+{ord(self.character):04X}: "
            f"{self.name!a}; remove the character."
        )


@dataclass(eq=False, kw_only=True)
class DuplicateHeader(DataError):
    """Two columns of a file have the same name."""

    places: Mapping[str, Sequence[int]]

    def sentence(self) -> str:
        shown = [
            f"{quote(shorten(name))} (columns {list_numbers(found)})"
            for name, found in list(self.places.items())[:NAMES_SHOWN]
        ]
        return (
            f"The header has some names more than once: {', '.join(shown)}. Rename or drop all but "
            f"one of each."
        )


@dataclass(eq=False, kw_only=True)
class RepeatedHeader(DataError):
    """The header again, among the rows."""

    line: int

    def sentence(self) -> str:
        return f"Line {self.line:,} repeats the header, as when files are joined. Remove the line."


@dataclass(eq=False, kw_only=True)
class RaggedLines(DataError):
    """Lines with more or fewer fields than the header."""

    lines: dict[int, int]
    fields: int
    delimiter: str
    truncated: bool
    other: str | None = None
    comment: bool = False

    def sentence(self) -> str:
        shown = [
            f"line {line:,} has {fields:,}"
            for line, fields in list(self.lines.items())[:PLACES_SHOWN]
        ]
        rest = len(self.lines) - PLACES_SHOWN
        more = f", and {count(rest, 'more line')}" if rest > 0 else ""
        return (
            f"The header has {count(self.fields, 'field')}, but {', '.join(shown)}{more}, "
            f"separated by {self.delimiter}. {self._advice()}"
        )

    def _advice(self) -> str:
        if self.comment:
            return "Remove lines with comments."
        if self.other is not None:
            return f"The first has {self.other}; the whole file needs one separator."
        if self.truncated:
            return "It is the last line: the file seems to be cut off; get it again."
        if max(self.lines.values()) < self.fields:
            return "An empty cell needs its separator too."
        return "A cell that holds the separator must be quoted."


@dataclass(eq=False, kw_only=True)
class StrayQuote(DataError):
    """A quotation mark inside a field that is not quoted, or text after a closing one."""

    line: int
    text: str

    def sentence(self) -> str:
        return (
            f"Line {self.line:,} has a quotation mark that neither opens nor closes a field: "
            f"{quote(shorten(self.text))}. Quote the whole field and double the mark inside it."
        )


@dataclass(eq=False, kw_only=True)
class OpenQuote(DataError):
    """A quoted field that never ends."""

    line: int
    text: str

    def sentence(self) -> str:
        return (
            f"The quotation mark in line {self.line:,} is never closed: "
            f"{quote(shorten(self.text))}. Close it, or check whether the file is cut off."
        )


@dataclass(eq=False, kw_only=True)
class BadJsonLine(DataError):
    """A line that is no JSON object."""

    line: int
    reason: str
    text: str

    def sentence(self) -> str:
        return (
            f"Line {self.line:,} is not a JSON object ({self.reason}): "
            f"{quote(shorten(self.text))}. JSON lines hold one object a line."
        )


@dataclass(eq=False, kw_only=True)
class MissingKey(DataError):
    """Objects of a JSON-lines file without a key that others have."""

    key: str
    rows: int
    where: str

    def sentence(self) -> str:
        verb = "has" if self.rows == 1 else "have"
        lines = count(self.rows, "line")
        first = f": {self.where}" if self.rows == 1 else f"; the first is {self.where}"
        return (
            f"{lines} {verb} no {quote(self.key)}, which others have{first}. A column that plays a "
            f"role must be in every line; write null for the score of a failed run."
        )


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell that is no number, with what is odd about it."""

    where: str
    text: str
    oddity: str | None

    def __str__(self) -> str:
        if not self.text:
            return f"{self.where} is empty"
        oddity = f" ({self.oddity})" if self.oddity else ""
        return f"{self.where} has {quote(shorten(self.text))}{oddity}"


@dataclass(eq=False, kw_only=True)
class BadCells(DataError):
    """Cells that should be numbers and are not.

    ``advice`` are the options that would read the first of them; ``fits_all`` says whether they
    would read all other cells too.
    """

    column: str | None
    cells: Sequence[BadCell]
    total: int
    advice: Mapping[str, Any]
    role: str = "score"
    fits_all: bool = True
    mixed_percent: bool = False
    decimal: str = "."

    def sentence(self) -> str:
        shown = "; ".join(map(str, self.cells[:PLACES_SHOWN]))
        rest = self.total - len(self.cells[:PLACES_SHOWN])
        more = f"; and {count(rest, 'more cell')}" if rest > 0 else ""
        fault = "no number" if self.total == 1 else "no numbers"
        if self.mixed_percent:
            fault = "without the percent sign that others have"
        verb = "is" if self.total == 1 else "are"
        what = "the wide table" if self.column is None else f"column {quote(self.column)}"
        return (
            f"{count(self.total, 'cell')} of {what} {verb} {fault}: {shown}{more}. {self._remedy()}"
        )

    def _remedy(self) -> str:
        if self.advice:
            signs = {",": " (a comma)", ".": " (a point)"}
            spelled = " and ".join(
                f"{option(name, value)}{signs.get(value, '')}"
                for name, value in self.advice.items()
            )
            if self.fits_all:
                return f"If that is how numbers are written here, pass {spelled}."
            return f"Such numbers are read with {spelled}, but then all of them must be written so."
        if self.mixed_percent:
            return "Write all scores with the percent sign, or none."
        ending = "; leave the score of a failed run empty" if self.role == "score" else ""
        examples = "0.91 or 9.1e-1".replace(".", self.decimal)
        return f"Write numbers like {examples}{ending}."


@dataclass(eq=False, kw_only=True)
class AggregateColumns(UseError):
    """Columns of a wide table that sum others up."""

    columns: Sequence[str]
    unit: str = "round"

    def sentence(self) -> str:
        names, ignore = list_names(self.columns), options("ignore", list(self.columns))
        if len(self.columns) == 1:
            return (
                f"{names} looks like a summary of other columns, not like a {self.unit}. Leave it "
                f"out with {ignore}, or rename it if it is a {self.unit}."
            )
        return (
            f"{names} look like summaries of other columns, not like {self.unit}s. Leave them out "
            f"with {ignore}, or rename them if they are {self.unit}s."
        )


@dataclass(eq=False, kw_only=True)
class PropertyColumns(UseError):
    """Columns of a wide table that tell something else than scores."""

    columns: Sequence[str]
    unit: str = "round"

    def sentence(self) -> str:
        names, ignore = list_names(self.columns), options("ignore", list(self.columns))
        if len(self.columns) == 1:
            return (
                f"{names} does not look like the scores of a {self.unit}. Leave it out with "
                f"{ignore}, or rename it if it is."
            )
        return (
            f"{names} do not look like the scores of {self.unit}s. Leave them out with {ignore}, "
            f"or rename them if they are."
        )


@dataclass(eq=False, kw_only=True)
class AggregateRow(DataError):
    """A row of a wide table that sums others up."""

    name: str
    where: str

    def sentence(self) -> str:
        return (
            f"{quote(self.name)} ({self.where}) looks like a summary of other rows, not like a "
            f"round. Remove the row, or rename it if it is a round."
        )


@dataclass(eq=False, kw_only=True)
class NoColumnsLeft(UseError):
    """A wide table in which no column is left for the scores."""

    columns: Sequence[str]

    def sentence(self) -> str:
        names = list_names(self.columns) or "no column"
        verb = "names" if len(self.columns) < 2 else "name"
        return (
            f"The wide table has no columns of scores: {names} {verb} its rows, and the others, if "
            f"there are any, are ignored."
        )


@dataclass(eq=False, kw_only=True)
class UnnamedColumns(UseError):
    """Columns of a wide table without a name."""

    columns: Sequence[str]

    def sentence(self) -> str:
        names, ignore = list_names(self.columns), options("ignore", list(self.columns))
        if len(self.columns) == 1:
            return (
                f"{names} of the wide table has no name in the header; is it a row number? Leave "
                f"it out with {ignore}, or name it."
            )
        return (
            f"{names} of the wide table have no names in the header. Leave them out with {ignore}, "
            f"or name them."
        )


@dataclass(eq=False, kw_only=True)
class RolesUnclear(UseError):
    """Columns' names that do not tell which is the player, the round and the score."""

    columns: Sequence[str]
    missing: Sequence[str]
    several: Mapping[str, Sequence[str]]
    headless: bool = False
    wide: bool = False
    joinable: bool = True
    free: Sequence[str] = ()

    def sentence(self) -> str:
        parts = [
            f"{numeral(len(found))} columns could be the {role}: {list_names(found, shown=12)}"
            for role, found in self.several.items()
        ]
        if self.missing:
            *first, last = (f"the {role}" for role in self.missing)
            nothing = f"{', '.join(first)} or {last}" if first else last
            parts.append(f"no column has a usual name for {nothing}")
        start = "; ".join(parts)
        if list(self.missing) == ["round"] and not self.free and not self.several:
            return (
                "There is one score for each player, and no column for rounds. A rating needs "
                "scores of the players in at least two splits, folds or tasks."
            )
        listed = list_names(self.columns, shown=12)
        columns = f"The columns are {listed}." if listed else "There are no columns."
        end = " Is the line with the columns' names missing?" if self.headless else ""
        if len(self.missing) == 3 and not self.headless:
            sides = (option(side) for side in ("left", "right", "winner"))
            end += f" If each row is a battle, name its columns with {', '.join(sides)}."
        if self.wide and not self.headless:
            end += f" If the other columns are rounds, pass {option('wide', True)}."
        return f"{start[0].upper()}{start[1:]}. {self._advice()} {columns}{end}"

    def _advice(self) -> str:
        words = [option(role, found[0]) for role, found in self.several.items()]
        only = self.free[0] if len(self.free) == 1 == len(self.missing) else None
        anything = "COLUMN" if on_command_line() else "…"
        words += [option(role, only or anything) for role in self.missing]
        joined = " ".join(words) if on_command_line() else ", ".join(words)
        together = next((r for r in self.several if r in ("player", "round")), None)
        also = ""
        if together is not None and self.joinable:
            both = options(together, list(self.several[together][:2]))
            also = f" (or {both} if two together name a {together})"
        which = "which is which" if len(words) > 1 else "which it is"
        return f"Say {which}, for instance {joined}{also}."


@dataclass(eq=False, kw_only=True)
class TwoRoles(UseError):
    """A column that is asked to play two roles."""

    column: str
    roles: tuple[str, str]

    def sentence(self) -> str:
        first, second = self.roles
        articles = [role if role.startswith("one ") else f"the {role}" for role in (first, second)]
        return f"Column {quote(self.column)} cannot be both {articles[0]} and {articles[1]}."


@dataclass(eq=False, kw_only=True)
class ShapeUnclear(UseError):
    """A table that could be battles or scores, or a wide one whose rows could be either."""

    question: str
    ways: Sequence[str]

    def sentence(self) -> str:
        return f"{self.question} Say it with {', or '.join(self.ways)}."


# Directions and options ---------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class DirectionUnknown(UseError):
    """Nothing says whether higher scores are better."""

    metric: str

    def sentence(self) -> str:
        return (
            f"Is a higher or a lower {quote(self.metric)} better? The name does not tell. Pass "
            f"{option('higher_is_better', True)} or {option('higher_is_better', False)}."
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
class NotConstant(DataError):
    """A column that must be constant in a round, or for a player, is not."""

    column: str
    role: str
    name: str
    values: Sequence[str]
    unit: str = "round"

    def sentence(self) -> str:
        return (
            f"Column {quote(self.column)} gives {self.unit} {quote(self.name)} more than one "
            f"{self.role}: {list_names(self.values)}. A {self.unit} has one {self.role}."
        )


@dataclass(eq=False, kw_only=True)
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
        return f"{start} {did_you_mean(self.close)}" if self.close else start


@dataclass(eq=False, kw_only=True)
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


@dataclass(eq=False, kw_only=True)
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


@dataclass(eq=False, kw_only=True)
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
            f"{option('components', 'separate')} to rate each group on its own."
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
class NoEvidence(DataError):
    """A board that was cut when it was written keeps nothing to compare players with."""

    def sentence(self) -> str:
        return (
            f"This leaderboard holds only its first rows, and nothing to compare players with. "
            f"Write it again without {option('top').removesuffix('=')}."
        )


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
class SamePlayer(UseError):
    """A player is compared with itself."""

    player: str

    def sentence(self) -> str:
        return f"{quote(self.player)} cannot be compared with itself; name two players."


@dataclass(eq=False, kw_only=True)
class NoCompleteRounds(DataError):
    """Friedman's test has no rounds to work on."""

    rounds: int

    def sentence(self) -> str:
        there = "there are none" if self.rounds == 0 else "there is only one"
        return (
            f"Friedman's test needs two or more rounds in which every player has a score, and "
            f"{there}."
        )


@dataclass(eq=False, kw_only=True)
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
            f"The interval comes from the variation between {units}, and there is only one. Add "
            f"more, or choose other clusters."
        )


@dataclass(eq=False, kw_only=True)
class ClusterSplitsTournament(UseError):
    """Clusters finer than tournaments, for pooled matches across rounds."""

    def sentence(self) -> str:
        return (
            f"Pooled matches across rounds are clustered by whole tournaments, and the cluster "
            f"column splits some. Drop it, or count {option('matches', 'within')}."
        )


@dataclass(eq=False, kw_only=True)
class OverlapAcrossTournaments(UseError):
    """The correction for overlapping splits, asked for where clusters are data sets."""

    def sentence(self) -> str:
        return (
            f"{option('test_fraction').removesuffix('=')} corrects for splits of one data set that "
            f"share training data; this board's clusters are whole data sets, which share none. "
            f"Leave that option out."
        )


# The state of the art -----------------------------------------------------------------------------


@dataclass(eq=False, kw_only=True)
class SizeNeeded(UseError):
    """Nobody said how large the test set is."""

    smallest: int | None
    cut_off: bool
    decimals: int

    def sentence(self) -> str:
        start = f"How many cases the test set has must be said: {option('n')}."
        if self.smallest is None:
            return start
        how = "cut off" if self.cut_off else "rounded"
        return (
            f"{start} The smallest size whose shares, {how} after {self.decimals} decimals, fit "
            f"all scores is {self.smallest:,}; the true one may be larger."
        )


@dataclass(eq=False, kw_only=True)
class ClassesNeeded(UseError):
    """Nobody said how good guessing is."""

    def sentence(self) -> str:
        return (
            f"Scores are shrunken towards guessing, so the number of classes must be said: "
            f"{option('classes')}. Without it, crop them with {option('method', 'crop')}."
        )


@dataclass(eq=False, kw_only=True)
class PositivesNeeded(UseError):
    """Nobody said how many of the cases are positive."""

    def sentence(self) -> str:
        return (
            f"How much an AUC varies depends on the number of positive cases; say it: "
            f"{option('positives')}."
        )


@dataclass(eq=False, kw_only=True)
class NotShares(DataError):
    """Scores that are no shares of a test set."""

    scores: int
    value: float
    where: str

    def sentence(self) -> str:
        many = self.scores != 1
        have = (
            f"{self.scores:,} scores do not lie between 0 and 1; the first is "
            f"{number(self.value)} ({self.where})."
            if many
            else f"The score {number(self.value)} ({self.where}) does not lie between 0 and 1."
        )
        if 1.0 < self.value <= 100.0:
            remedy = f"pass {option('percent', True)}" if on_command_line() else "divide by 100"
            return f"{have} If percent is meant, {remedy}."
        return f"{have} Another metric needs its standard error: {option('se')}."


@dataclass(eq=False, kw_only=True)
class TooFewEntries(DataError):
    """Fewer than two entries, so there is no luck of the best."""

    entries: int
    left_out: int = 0
    floor: float = 0.0

    def sentence(self) -> str:
        have = "one" if self.entries == 1 else "none"
        verb = "is" if self.left_out == 1 else "are"
        others = count(self.left_out, "other") if self.entries else f"{self.left_out:,}"
        out = (
            f", and {others} {verb} no better than guessing ({self.floor:.4g})"
            if self.left_out
            else ""
        )
        return f"The luck of the best of many needs at least two entries; there is {have}{out}."


@dataclass(eq=False, kw_only=True)
class EqualScores(DataError):
    """Entries that all have the same score."""

    entries: int
    score: float

    def sentence(self) -> str:
        return (
            f"All {count(self.entries, 'entry', 'entries')} have the score {number(self.score)}. "
            f"Different entries would differ by luck alone; these are copies of one, and say "
            f"nothing about luck."
        )


@dataclass(eq=False, kw_only=True)
class RepeatedEntries(DataError):
    """A table with several scores of one entry."""

    column: str
    entry: str
    scores: int

    def sentence(self) -> str:
        return (
            f"{quote(self.entry)} has {count(self.scores, 'score')} in column "
            f"{quote(self.column)}. The best of many on one test set needs one score for each "
            f"entry; results of several rounds are for 'winodds rate' and board.sota()."
        )


@dataclass(eq=False, kw_only=True)
class ImpossibleCorrelation(DataError):
    """Performances that are too far apart for the correlation."""

    correlation: float
    common: float
    theta: float
    largest: float

    def sentence(self) -> str:
        return (
            f"Entries with performances {self.theta:.4g} and {self.common:.4g} cannot both have "
            f"correlation {number(self.correlation)} with what makes a case easy; at most "
            f"{self.largest:.3f} is possible. State a lower one: {option('correlation')}."
        )


@dataclass(eq=False, kw_only=True)
class ImpossibleSimilarity(UseError):
    """Entries that agree less often than independent ones would."""

    similarity: float
    theta: float
    least: float

    def sentence(self) -> str:
        return (
            f"Entries that are right in {self.theta:.4g} of all cases agree in at least "
            f"{self.least:.4g} of them by chance alone; {option('similarity', self.similarity)} is "
            f"less."
        )


@dataclass(eq=False, kw_only=True)
class NotRightOrWrong(DataError):
    """Results of single cases that are neither right nor wrong."""

    value: float
    where: str

    def sentence(self) -> str:
        return (
            f"Results of single cases are 1 (right) or 0 (wrong), not {number(self.value)} "
            f"({self.where})."
        )


@dataclass(eq=False, kw_only=True)
class RepeatedResult(DataError):
    """Several results of an entry on a case."""

    entry: str
    case: str

    def sentence(self) -> str:
        return (
            f"{quote(self.entry)} has more than one result on case {quote(self.case)}. Give each "
            f"entry one result on each case."
        )


@dataclass(eq=False, kw_only=True)
class TooFewItems(DataError):
    """Item-level results that cannot tell a correlation."""

    entries: int
    items: int

    def sentence(self) -> str:
        return (
            f"A correlation needs at least two entries that are sometimes right and sometimes "
            f"wrong, on at least two cases that both have; there "
            f"{'is' if self.entries == 1 else 'are'} "
            f"{count(self.entries, 'such entry', 'such entries')} on {count(self.items, 'case')}."
        )


@dataclass(eq=False, kw_only=True)
class PerfectScore(DataError):
    """A best score that no expectation can reach."""

    score: float
    posterior: bool = True

    def sentence(self) -> str:
        more = f", {option('method', 'posterior')} simulates contests" if self.posterior else ""
        return (
            f"The best score is perfect, {number(self.score)}, and no expectation reaches it, so "
            f"this cannot say how much of it is luck. {option('conservative', True)} asks how "
            f"high scores usually get{more}."
        )


@dataclass(eq=False, kw_only=True)
class NoFigure(DataError):
    """A leaderboard, or a season, that lacks what a figure shows."""

    figure: str
    reason: str

    def sentence(self) -> str:
        return f"There is no figure {quote(self.figure)} here: {self.reason}."


@dataclass(eq=False, kw_only=True)
class MissingExtra(UseError):
    """Packages that come with an extra of Winodds and are not installed."""

    packages: Sequence[str]
    purpose: str
    extra: str = "report"

    def sentence(self) -> str:
        listed = " and ".join(self.packages)
        verb = "which is" if len(self.packages) == 1 else "which are"
        return (
            f"{self.purpose} needs {listed}, {verb} not installed. Install what is missing: "
            f"pip install 'winodds[{self.extra}]'."
        )


@dataclass(eq=False, kw_only=True)
class NothingToEmbed(DataError):
    """Ratings that cannot be laid out in a plane."""

    reason: str

    def sentence(self) -> str:
        return f"The ratings cannot be laid out in a plane: {self.reason}."


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
