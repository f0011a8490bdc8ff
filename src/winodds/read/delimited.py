"""Delimited text → cells: CSV and its relatives, checked as strictly as RFC 4180 reads.

Every record must have as many fields as the header, and every quote must open or close a field.
The check runs over the bytes with numpy; the cells are then cut out by polars, all as text.
"""

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from winodds.arrays import Bools, Ints
from winodds.language.notes import Note
from winodds.language.words import shorten
from winodds.read.errors import (
    CommentOrName,
    DuplicateHeader,
    EmptyFile,
    EndlessLine,
    HeaderOnly,
    OpenQuote,
    RaggedLines,
    RepeatedHeader,
    StrayQuote,
    UnreadableHeader,
)
from winodds.read.notes import line_ends, separator
from winodds.table.names import hidden_character, tidy

Bytes = npt.NDArray[np.uint8]

DELIMITERS = (b",", b";", b"\t")
DELIMITER_NAMES = {b",": "commas", b";": "semicolons", b"\t": "tabs"}

NEWLINE, QUOTE = ord("\n"), ord('"')

CHUNK = 1 << 20
"""Bytes that are looked at together, so that temporary arrays stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Delimited:
    """Checked text of a table.

    Attributes
    ----------
    data : the text as UTF-8, lines ended by a newline, without blank lines.
    delimiter : one byte.
    columns : names in the header, tidied.
    unnamed : which of them stand for columns without a name, such as "column 3".
    records : rows below the header.
    quoted : whether any field is quoted.
    lines : (records,) the line in which each record begins, or None when record k begins in line
        k + 2.
    notes : what was normalised.
    """

    data: bytes = field(repr=False)
    delimiter: bytes
    columns: tuple[str, ...]
    unnamed: tuple[str, ...]
    records: int
    quoted: bool
    lines: Ints | None = field(repr=False)
    notes: tuple[Note, ...]

    def parse(self, kinds: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
        """Some columns, as text, categories or numbers; empty cells are null.

        Raises a polars error when a cell of a column of numbers is none.
        """
        places = [k for k, name in enumerate(self.columns) if name in kinds]
        schema = {name: kinds.get(name, pl.String) for name in self.columns}
        frame = pl.read_csv(
            self.data,
            has_header=False,
            skip_rows=1,
            schema=schema,
            columns=places,
            separator=self.delimiter.decode(),
            quote_char='"' if self.quoted else None,
        )
        if frame.height != self.records:
            return self._parse_slowly(schema, places)
        return _empty_to_null(frame) if self.quoted else frame

    def has_blanks_before_cells(self) -> bool:
        """Whether a cell may begin with a blank, which polars overlooks before a number."""
        marks = (self.delimiter, b"\n", *([b'"'] if self.quoted else []))
        blanks = [blank for blank in (b" ", b"\t") if blank in self.data]
        return any(mark + blank in self.data for mark in marks for blank in blanks)

    def _parse_slowly(
        self, schema: dict[str, type[pl.DataType]], places: Sequence[int]
    ) -> pl.DataFrame:
        """The same by the standard library, should polars see other records than we counted."""
        text = io.StringIO(self.data.decode(), newline="")
        rows = list(csv.reader(text, delimiter=self.delimiter.decode(), strict=True))[1:]
        names = list(schema)
        return pl.DataFrame(
            {names[k]: pl.Series([row[k] or None for row in rows], dtype=pl.String) for k in places}
        ).cast({names[k]: schema[names[k]] for k in places if schema[names[k]] != pl.Float64})


def _empty_to_null(frame: pl.DataFrame) -> pl.DataFrame:
    """An empty cell in quotes is an empty cell."""
    return frame.with_columns(
        pl.when(pl.col(name).cast(pl.String) == "").then(None).otherwise(pl.col(name)).alias(name)
        for name, kind in frame.schema.items()
        if kind != pl.Float64 and (frame[name].cast(pl.String) == "").any()
    )


def read_delimited(data: bytes) -> Delimited:
    """Check UTF-8 text and find its delimiter, header and records."""
    _refuse_endless_line(data)
    everything, notes = _plain_line_ends(data)
    before = re.match(rb"(?:[ \t]*\n)*(?:sep=[,;\t]\n)?", everything)
    data = everything[before.end() :] if before and before.end() else everything
    if not data or data.isspace():
        raise EmptyFile()
    first = 1 + everything.count(b"\n", 0, len(everything) - len(data))
    quoted = b'"' in data
    header_end = _header_end(data, quoted=quoted)
    delimiter = _find_delimiter(data, header_end, quoted=quoted)
    if delimiter != b",":
        notes.append(separator(DELIMITER_NAMES[delimiter]))
    if quoted:
        _check_quotes(data, delimiter, first)
    columns, unnamed = _header(data[:header_end], delimiter)
    records = 0 if quoted else _count_regular(data, delimiter, len(columns))
    lines = None
    repeated = data.find(b"\n" + data[: header_end + 1], header_end) >= 0
    marked = data.find(b"\n#", header_end) >= 0
    if not records or first > 1 or repeated or marked:
        layout = _scan(data, delimiter, len(columns), quoted=quoted)
        lines = layout.lines + first
        _refuse_ragged(data, layout, lines, delimiter, len(columns))
        _refuse_repeated_header(data, header_end, layout.starts, lines)
        if marked:
            _refuse_comments(data, layout.starts, lines)
        if layout.blank.size:
            data = np.delete(np.frombuffer(data, np.uint8), layout.blank).tobytes()
        records = lines.size
        lines = None if int(lines[-1]) == records else lines[1:]
    if records == 1:
        raise HeaderOnly(columns=columns)
    return Delimited(
        data=data,
        delimiter=delimiter,
        columns=columns,
        unnamed=unnamed,
        records=records - 1,
        quoted=quoted,
        lines=lines,
        notes=tuple(notes),
    )


LONGEST_LINE = 1 << 26
"""Bytes of a line: 100,000 columns with names of 600 letters. What is longer is no header."""


def _refuse_endless_line(data: bytes) -> None:
    """Refuse what has no line end where every table has one."""
    begin = data[: LONGEST_LINE + 1]
    if len(begin) > LONGEST_LINE and b"\n" not in begin and b"\r" not in begin:
        raise EndlessLine(
            size=len(data), limit=LONGEST_LINE, text=shorten(_line_at(begin[:200], 0))
        )


# Lines and header ---------------------------------------------------------------------------------


def _plain_line_ends(data: bytes) -> tuple[bytes, list[Note]]:
    """The text with newlines only, and a note unless they were all of one usual kind."""
    notes = []
    if b"\r" in data:
        returns, both, newlines = (data.count(end) for end in (b"\r", b"\r\n", b"\n"))
        if not both == returns == newlines:
            kind = "old Macintosh" if newlines == 0 else "mixed"
            notes.append(line_ends(kind))
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if data and not data.endswith(b"\n"):
        data += b"\n"
    return data, notes


def _header_end(data: bytes, *, quoted: bool) -> int:
    """The newline that ends the first record."""
    end = data.index(b"\n")
    while quoted and data.count(b'"', 0, end) % 2:
        following = data.find(b"\n", end + 1)
        if following < 0:
            break
        end = following
    return end


def _find_delimiter(data: bytes, header_end: int, *, quoted: bool) -> bytes:
    """The delimiter on which header and rows agree; the commonest in the header if none does."""
    header = data[:header_end]
    counts = {mark: _outside_quotes(header, mark) for mark in DELIMITERS}
    present = sorted((mark for mark in DELIMITERS if counts[mark]), key=lambda mark: -counts[mark])
    if len(present) < 2 or (quoted and data.count(b'"') % 2):
        return present[0] if present else b","
    for mark in present:
        if not _scan(data, mark, counts[mark] + 1, quoted=quoted).ragged:
            return mark
    return present[0]


def _outside_quotes(text: bytes, mark: bytes) -> int:
    return sum(part.count(mark) for part in text.split(b'"')[::2])


def _header(text: bytes, delimiter: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the columns, and which of these were made up for columns without one."""
    given = [tidy(cell) for cell in _fields(text.decode(), delimiter.decode())]
    known = frozenset(given)
    names = [name or stand_in(place, known) for place, name in enumerate(given, start=1)]
    check_header(names)
    return tuple(names), tuple(name for name in names if name not in known)


def _fields(record: str, delimiter: str) -> list[str]:
    """Fields of a record whose quotes are known to be right."""
    fields, parts = [], iter(record.split(delimiter))
    for part in parts:
        pieces = [part]
        quotes = part.count('"')
        while quotes % 2:
            pieces.append(next(parts))
            quotes += pieces[-1].count('"')
        text = delimiter.join(pieces)
        fields.append(text[1:-1].replace('""', '"') if text.startswith('"') else text)
    return fields


def check_header(names: Sequence[str]) -> None:
    """Refuse names of columns that nobody can read, or that are there twice."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names, start=1):
        hidden = hidden_character(name)
        if hidden is not None:
            raise UnreadableHeader(name=name, character=hidden)
        places.setdefault(name, []).append(place)
    repeated = {name: found for name, found in places.items() if len(found) > 1}
    if repeated:
        raise DuplicateHeader(places=repeated)


def stand_in(place: int, given: Collection[str]) -> str:
    """What a column without a name is called."""
    name = f"column {place}"
    return name if name not in given else f"{name} (without a name)"


def _refuse_repeated_header(data: bytes, header_end: int, starts: Ints, lines: Ints) -> None:
    header = b"\n" + data[: header_end + 1]
    place = data.find(header, header_end)
    while place >= 0:
        record = int(np.searchsorted(starts, place + 1))
        if record < starts.size and starts[record] == place + 1:
            raise RepeatedHeader(line=int(lines[record]))
        place = data.find(header, place + 1)


def _refuse_comments(data: bytes, starts: Ints, lines: Ints) -> None:
    """Refuse records that begin with a hash where others do not; in quotes it is part of a name."""
    records = np.frombuffer(data, np.uint8)[starts[1:]] == ord("#")
    if records.any() and not records.all():
        found = np.flatnonzero(records) + 1
        text = _line_at(data, int(starts[found[0]]))
        raise CommentOrName(lines=lines[found].tolist(), text=text)


def _refuse_ragged(
    data: bytes, layout: "_Layout", lines: Ints, delimiter: bytes, fields: int
) -> None:
    ragged = layout.ragged
    if ragged:
        last = lines.size - 1
        start = int(layout.starts[next(iter(ragged))])
        raise RaggedLines(
            lines={int(lines[record]): marks + 1 for record, marks in ragged.items()},
            fields=fields,
            delimiter=DELIMITER_NAMES[delimiter],
            truncated=set(ragged) == {last} and ragged[last] < fields - 1,
            other=_other_separator(data[start : data.find(b"\n", start)], fields - 1),
            comment=data.startswith(b"#", 0 if fields == 1 else start),
        )


def _other_separator(line: bytes, wanted: int) -> str | None:
    """Another mark that separates a line into the wanted number of fields, with its number."""
    for mark, name in DELIMITER_NAMES.items():
        if wanted > 0 and _outside_quotes(line, mark) == wanted:
            return f"{wanted} {name}" if wanted > 1 else f"1 {name.removesuffix('s')}"
    return None


# Structure ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where records begin.

    Attributes
    ----------
    starts : (records,) first byte of each record, the header's first.
    lines : (records,) line of that byte, counted from zero.
    ragged : records with another number of delimiters than wanted, each with the number it has.
    blank : bytes that make up blank lines.
    """

    starts: Ints
    lines: Ints
    ragged: dict[int, int]
    blank: Ints


def _count_regular(data: bytes, delimiter: bytes, fields: int) -> int:
    """How many records a text without quotes has; 0 unless all have so many fields.

    What is left of it without the cells must be the same few marks again and again.
    """
    record = np.frombuffer(delimiter * (fields - 1) + b"\n", np.uint8)
    records = 0
    for _, chunk, _ in _chunks(data, quoted=False):
        marks = chunk[(chunk == NEWLINE) | (chunk == delimiter[0])]
        if marks.size % fields or (marks.reshape(-1, fields) != record).any():
            return 0
        records += marks.size // fields
    return records


def _scan(data: bytes, delimiter: bytes, fields: int, *, quoted: bool) -> _Layout:
    """Find the records, and those that do not have the wanted number of fields."""
    ends, ragged, newlines = [], {}, []
    records, lines = 0, 0
    for offset, chunk, outside in _chunks(data, quoted=quoted):
        breaks, marks = chunk == NEWLINE, chunk == delimiter[0]
        if outside is not None:
            every = np.flatnonzero(breaks)
            breaks, marks = breaks & outside, marks & outside
            newlines.append(lines + np.searchsorted(every, np.flatnonzero(breaks)) + 1)
            lines += every.size
        closing = np.flatnonzero(breaks)
        odd = _odd_records(closing, np.flatnonzero(marks), fields - 1)
        ragged.update({records + k: number for k, number in odd.items()})
        records += closing.size
        ends.append(closing + offset)
    return _layout(data, np.concatenate(ends), newlines, ragged)


def _layout(data: bytes, ends: Ints, newlines: list[Ints], ragged: dict[int, int]) -> _Layout:
    starts = np.concatenate([[0], ends[:-1] + 1])
    if newlines:
        lines = np.concatenate([[0], np.concatenate(newlines)[:-1]])
    else:
        lines = np.arange(ends.size)
    empty = starts == ends
    for k, marks in ragged.items():
        empty[k] |= marks == 0 and not data[starts[k] : ends[k]].strip(b" \t")
    if not empty.any():
        return _Layout(starts, lines, ragged, np.empty(0, np.int64))
    kept = np.cumsum(~empty) - 1
    return _Layout(
        starts[~empty],
        lines[~empty],
        {int(kept[k]): n for k, n in ragged.items() if not empty[k]},
        _stretches(starts[empty], ends[empty]),
    )


def _stretches(starts: Ints, ends: Ints) -> Ints:
    """All bytes from each start to its end."""
    return np.concatenate([np.arange(a, b + 1) for a, b in zip(starts, ends, strict=True)])


def _odd_records(closing: Ints, marks: Ints, wanted: int) -> dict[int, int]:
    """Which records of a chunk have another number of delimiters than wanted."""
    if marks.size == wanted * closing.size:
        grid = marks.reshape(closing.size, wanted)
        first, last = grid[1:, :1], grid[:, -1:]
        if (last < closing[:, None]).all() and (first > closing[:-1, None]).all():
            return {}
    number = np.diff(np.searchsorted(marks, closing), prepend=0)
    return {int(k): int(number[k]) for k in np.flatnonzero(number != wanted)}


def _chunks(data: bytes, *, quoted: bool) -> Iterator[tuple[int, Bytes, Bools | None]]:
    """Stretches of whole records, where they begin, and which bytes are outside quotes if any."""
    everything = np.frombuffer(data, np.uint8)
    begin, size = 0, CHUNK
    while begin < everything.size:
        chunk = everything[begin : begin + size]
        outside = _outside(chunk) if quoted else None
        end = _last_end(data, begin, chunk, outside)
        if end == 0:
            size *= 2
            continue
        yield begin, chunk[:end], None if outside is None else outside[:end]
        begin, size = begin + end, CHUNK


def _outside(chunk: Bytes) -> Bools:
    """Which bytes are outside quotes; wrapping around at 256 does not change what is odd."""
    outside: Bools = (np.cumsum(chunk == QUOTE, dtype=np.uint8) & 1) == 0
    return outside


def _last_end(data: bytes, begin: int, chunk: Bytes, outside: Bools | None) -> int:
    """Where the last whole record of a chunk ends; 0 if none does. The text's end ends all."""
    if begin + chunk.size == len(data):
        return chunk.size
    if outside is None:
        return max(data.rfind(b"\n", begin, begin + chunk.size) + 1 - begin, 0)
    closing = np.flatnonzero((chunk == NEWLINE) & outside)
    return int(closing[-1]) + 1 if closing.size else 0


def _check_quotes(data: bytes, delimiter: bytes, first: int) -> None:
    """Every quote opens a field, closes one, or is one of a pair that stands for a quote.

    Counting from zero, quotes of even number open and those of odd number close. A pair inside a
    field closes and opens at once, so its halves touch.
    """
    everything = np.frombuffer(data, np.uint8)
    places = np.flatnonzero(everything == QUOTE)
    border = np.array([NEWLINE, delimiter[0], QUOTE], np.uint8)
    opening, closing = places[::2], places[1::2]
    before = everything[np.maximum(opening - 1, 0)]
    stray = opening[~(np.isin(before, border) | (opening == 0))]
    after = everything[np.minimum(closing + 1, everything.size - 1)]
    loose = closing[~np.isin(after, border)]
    wrong = min([*stray[:1].tolist(), *loose[:1].tolist()], default=-1)
    if wrong >= 0:
        raise StrayQuote(line=first + data.count(b"\n", 0, wrong), text=_line_at(data, wrong))
    if places.size % 2:
        opened = int(_opened_last(places))
        raise OpenQuote(line=first + data.count(b"\n", 0, opened), text=_line_at(data, opened))


def _opened_last(places: Ints) -> int:
    """The quote that opens the last field: not the second half of a pair."""
    opening = places[::2]
    paired = np.isin(opening - 1, places[1::2])
    return int(opening[~paired][-1])


def _line_at(data: bytes, place: int) -> str:
    begin, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
    return data[begin : end if end >= 0 else None].decode(errors="replace")
