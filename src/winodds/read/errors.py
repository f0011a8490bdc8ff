"""Files that cannot be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import (
    NAMES_SHOWN,
    PLACES_SHOWN,
    count,
    did_you_mean,
    list_names,
    list_numbers,
    quote,
    shorten,
)


class NoSuchFile(UseError):
    """The path leads nowhere."""

    path: str
    close: Sequence[str]

    def sentence(self) -> str:
        start = f"There is no file {quote(self.path)}."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class IsFolder(UseError):
    """The path is a folder."""

    path: str

    def sentence(self) -> str:
        return f"{quote(self.path)} is a folder; name one file with a table of results."


class Unreadable(DataError):
    """The operating system does not let us read the file, or it is damaged."""

    path: str
    reason: str

    def sentence(self) -> str:
        return f"{quote(self.path)} cannot be read: {self.reason}."


class TooLarge(DataError):
    """A file with more bytes than are taken, or one that unpacks to more."""

    path: str
    limit: int
    packed: bool

    def sentence(self) -> str:
        what = "unpacks to" if self.packed else "has"
        return (
            f"{quote(self.path)} {what} more than {self.limit / 1e9:,.3g} GB, and no more is read. "
            f"Say how many gigabytes may be with {option('limit')}."
        )


class EndlessLine(DataError):
    """A file whose first line does not end where every header does."""

    size: int
    limit: int
    text: str

    def sentence(self) -> str:
        return (
            f"The first {self.limit / 1e6:,.0f} of {self.size / 1e6:,.0f} MB have no line end, so "
            f"this is no table with a header; they begin with {quote(self.text)}."
        )


class RefusedFormat(DataError):
    """A kind of file that is not read, because it can run code or is no table."""

    path: str
    kind: str

    def sentence(self) -> str:
        return (
            f"{quote(self.path)} is {self.kind}, which is not read. Save the table as CSV, "
            f"Parquet or JSON lines (one object a line)."
        )


class WhichSheet(UseError):
    """A spreadsheet with several sheets that hold cells."""

    sheets: Sequence[str]

    def sentence(self) -> str:
        return (
            f"The spreadsheet has several sheets: {list_names(self.sheets)}. Say which, for "
            f"instance {option('sheet', self.sheets[0])}."
        )

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [{"sheet": name} for name in self.sheets]


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

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [] if self.guess.upper() == self.encoding else [{"encoding": self.guess}]

    def _remedy(self) -> str:
        if self.guess.upper() == self.encoding:
            return "Check whether the file is cut off, and save it as UTF-8."
        return (
            f"Save the file as UTF-8, or say what it is, for instance "
            f"{option('encoding', self.guess)}."
        )


class EmptyFile(DataError):
    """Nothing in the file."""

    def sentence(self) -> str:
        return (
            "The file is empty. It needs a line with the columns' names and below it a row for "
            "every score, of at least two players in at least two rounds."
        )


class HeaderOnly(DataError):
    """A header without rows."""

    columns: Sequence[str]

    def sentence(self) -> str:
        return (
            f"The file has a header ({list_names(self.columns)}) but no rows. It needs a row for "
            f"every score, of at least two players in at least two rounds."
        )


class UnreadableHeader(DataError):
    """A column's name with characters that nobody sees."""

    name: str
    character: str

    def sentence(self) -> str:
        return (
            f"A column's name holds the invisible character U+{ord(self.character):04X}: "
            f"{self.name!a}; remove the character."
        )


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


class RepeatedHeader(DataError):
    """The header again, among the rows."""

    line: int

    def sentence(self) -> str:
        return f"Line {self.line:,} repeats the header, as when files are joined. Remove the line."


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


class CommentOrName(DataError):
    """Lines that begin as comments do, and have as many fields as the others."""

    lines: Sequence[int]
    text: str

    def sentence(self) -> str:
        one = len(self.lines) == 1
        begin = "begins" if one else "begin"
        return (
            f"{count(len(self.lines), 'line')} {begin} with '#', as comments do; line "
            f"{self.lines[0]:,} is {quote(shorten(self.text))}. Remove "
            f"{'it if it is a comment' if one else 'them if they are comments'}, or put the first "
            f"cell in quotation marks if it is a name."
        )


class StrayQuote(DataError):
    """A quotation mark inside a field that is not quoted, or text after a closing one."""

    line: int
    text: str

    def sentence(self) -> str:
        return (
            f"Line {self.line:,} has a quotation mark that neither opens nor closes a field: "
            f"{quote(shorten(self.text))}. Quote the whole field and double the mark inside it."
        )


class OpenQuote(DataError):
    """A quoted field that never ends."""

    line: int
    text: str

    def sentence(self) -> str:
        return (
            f"The quotation mark in line {self.line:,} is never closed: "
            f"{quote(shorten(self.text))}. Close it, or check whether the file is cut off."
        )


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


class BadJsonItem(DataError):
    """An item of a JSON array that is no object."""

    item: int
    reason: str
    text: str

    def sentence(self) -> str:
        return (
            f"Item {self.item:,} of the array is not a JSON object ({self.reason}): "
            f"{quote(shorten(self.text))}. A table as an array is [{{…}}, {{…}}], with an object "
            f"for each row."
        )


class MissingKey(DataError):
    """Objects of a JSON file without a key that others have."""

    key: str
    rows: int
    where: str
    unit: str = "line"

    def sentence(self) -> str:
        verb = "has" if self.rows == 1 else "have"
        lines = count(self.rows, self.unit)
        first = f": {self.where}" if self.rows == 1 else f"; the first is {self.where}"
        return (
            f"{lines} {verb} no {quote(self.key)}, which others have{first}. A column that plays a "
            f"role must be in every {self.unit}; write null for the score of a failed run."
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
        fault = "no number" if self.total == 1 else "no numbers"
        if self.mixed_percent:
            fault = "without the percent sign that others have"
        verb = "is" if self.total == 1 else "are"
        what = "the wide table" if self.column is None else f"column {quote(self.column)}"
        start = f"{count(self.total, 'cell')} of {what} {verb} {fault}"
        if self.total > PLACES_SHOWN:
            return f"{start}. {self._remedy()} The first: {shown}."
        return f"{start}: {shown}. {self._remedy()}"

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [self.advice] if self.advice and self.fits_all else []

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
