"""Where results may live: a path, looked at only as far as somebody asks."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from winodds.language.errors import WinoddsError
from winodds.language.options import Cells
from winodds.language.words import quote
from winodds.read.errors import BadJsonLine, Unreadable
from winodds.read.files import (
    PARQUET,
    find_files,
    parquet_schema,
    query_database,
    read_content,
)
from winodds.read.loading import (
    HEAD,
    STANDARD_INPUT,
    is_stream,
    load_content,
    read_head,
    read_lines,
)
from winodds.read.sheet import Sheet
from winodds.read.spreadsheet import is_spreadsheet
from winodds.table.names import tidy

Kind: TypeAlias = Literal["folder", "database", "archive", "json", "table"]

SQLITE = b"SQLite format 3\x00"
ZIP = b"PK\x03\x04"


class Place:
    """A file or a folder of which it is not known yet what it holds.

    Attributes
    ----------
    path : as it was given; "-" is standard input.
    cells : how the cells of tables are read.
    """

    def __init__(self, path: str, cells: Cells | None = None) -> None:
        self.path = path
        self.cells = cells or Cells()

    @property
    def name(self) -> str:
        """The last part of the path."""
        return Path(self.path).name or self.path

    @cached_property
    def kind(self) -> Kind:
        """What is there: "json" is one JSON document, "table" everything that may be a table."""
        if self.path == STANDARD_INPUT:
            return "table"
        if Path(self.path).is_dir():
            return "folder"
        if self.head.startswith(SQLITE):
            return "database"
        if self.head.startswith(ZIP):
            return "table" if is_spreadsheet(self._content) else "archive"
        return "json" if self._is_document else "table"

    @cached_property
    def head(self) -> bytes:
        """The first bytes of a file, unpacked; of what is read only once they are kept."""
        return self._content[:HEAD] if is_stream(self.path) else read_head(self.path)

    @cached_property
    def _is_document(self) -> bool:
        """Whether it begins like a JSON document, whose first line is no whole object."""
        text = self.head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if text.startswith(b"["):
            # An array of objects is a table.
            return not text[1:].lstrip().startswith(b"{")
        if not text.startswith(b"{"):
            return False
        first, ended, _ = text.partition(b"\n")
        if ended:
            try:
                json.loads(first)
            except ValueError:
                return True
            except RecursionError:
                # Whoever reads lines names the one that is nested too deeply.
                return False
            return False
        return b"\n" not in self._content.strip()

    @cached_property
    def _content(self) -> bytes:
        return load_content(self.path, limit=self.cells.limit)

    @cached_property
    def document(self) -> Any:
        """What the JSON document holds; NaN and Infinity are taken as Python writes them."""
        content = self._content
        try:
            return json.loads(content, object_pairs_hook=_once)
        except RecursionError as error:
            raise Unreadable(path=self.path, reason="its JSON is nested too deeply") from error
        except ValueError as error:
            raise Unreadable(path=self.path, reason=f"it is no whole JSON ({error})") from error

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of a JSON object; none of anything else."""
        whole = self.kind == "json" and self.head.lstrip().startswith(b"{")
        return frozenset(self.document) if whole else frozenset()

    @cached_property
    def tables(self) -> Mapping[str, frozenset[str]]:
        """The tables of a database, with their columns."""
        if self.kind != "database":
            return {}
        found = query_database(self.path, "SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: frozenset(
                row[1] for row in query_database(self.path, f'PRAGMA table_info("{name}")')
            )
            for (name,) in found
            if '"' not in name
        }

    def rows(
        self,
        table: str,
        columns: Sequence[str],
        *,
        whole: Sequence[str] = (),
        real: Sequence[str] = (),
    ) -> list[tuple[Any, ...]]:
        """Columns of a table of a database, in the order in which the rows were written.

        Those in ``whole`` must hold whole numbers, those in ``real`` numbers or nothing: SQLite
        itself takes anything anywhere.
        """
        listed = ", ".join(f'"{column}"' for column in columns)
        found = query_database(self.path, f'SELECT {listed} FROM "{table}" ORDER BY rowid')
        for k, column in enumerate(columns):
            kinds = {type(row[k]) for row in found} if column in (*whole, *real) else set()
            if kinds - ({int} if column in whole else {int, float, type(None)}):
                reason = f"column '{column}' of table '{table}' holds something else than numbers"
                raise Unreadable(path=self.path, reason=reason)
        return found

    def lines(self) -> list[tuple[int, str]]:
        """The lines of a text file that are not blank, with their numbers."""
        text = self._content.removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
        return [(k, line) for k, line in enumerate(text.split("\n"), start=1) if line.strip()]

    @cached_property
    def sheet(self) -> Sheet:
        """The table of a file; raises if it is none."""
        return read_content(self._content, self.path, self.cells)

    @cached_property
    def flat(self) -> Sheet:
        """The same, without columns of lists and objects if it is a Parquet file."""
        if not self.head.startswith(PARQUET):
            return self.sheet
        return read_content(self._content, self.path, self.cells, flat=True)

    @cached_property
    def names(self) -> list[str]:
        """The columns of a table in their order; none of anything else."""
        if self.kind != "table":
            return []
        if self.head.startswith(PARQUET):
            return [tidy(name) for name in parquet_schema(self._content, self.path)]
        return self.sheet.columns

    @cached_property
    def columns(self) -> frozenset[str]:
        """The same, in no order; none of a table that cannot be read."""
        try:
            return frozenset(self.names)
        except WinoddsError:
            # Whoever reads it finds out what is wrong; another source may still know it.
            return frozenset()

    def files(self, pattern: str) -> list[Path]:
        """Files below a folder, or the file itself if its name fits; sorted by their paths."""
        return find_files(self.path, pattern)


def part_of(document: object, key: str) -> Mapping[str, Any]:
    """The object under a key of a JSON object; an empty one where there is none.

    >>> part_of({"eval": {"model": "m"}, "results": None}, "eval"), part_of([1], "eval")
    ({'model': 'm'}, {})
    """
    found = document.get(key) if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, if it has no key twice: whoever takes one of the values takes a guess."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"an object has {quote(twice)} twice")
    return found


def read_json(path: Path) -> Any:
    """The JSON document of a file of a folder."""
    return Place(str(path)).document


def read_objects(path: Path) -> Iterator[Mapping[str, Any]]:
    """The objects of a file of JSON lines, one after the other; blank lines are skipped."""
    for number, line in enumerate(read_lines(str(path)), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line.decode("utf-8-sig"), object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            reason = f"line {number:,} is no whole JSON ({error})"
            raise Unreadable(path=str(path), reason=reason) from error
        if not isinstance(found, dict):
            raise Unreadable(path=str(path), reason=f"line {number:,} is no JSON object")
        yield found


def refuse_line(line: int, reason: str, text: str) -> BadJsonLine:
    """The error about a line of a log."""
    return BadJsonLine(line=line, reason=reason, text=text)
