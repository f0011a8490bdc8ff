"""A list of scores, or a table with one for each entry → what an estimate starts from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.language.errors import BadOption
from winodds.language.options import Columns, as_list
from winodds.language.words import quote
from winodds.sota.columns import (
    ENTRY_NAMES,
    Found,
    Ignored,
    find_columns,
    join_names,
    leave_out,
    roles_unclear,
)
from winodds.sota.errors import (
    NotRightOrWrong,
    NotShares,
    RepeatedEntries,
    RepeatedResult,
    TooFewEntries,
)
from winodds.sota.looks.counts import Submissions, count_looks, same_looks
from winodds.table.errors import MissingColumn
from winodds.table.frames import Source, as_source
from winodds.table.names import close_names
from winodds.table.vocabulary import named, propose_roles

ITEM_NAMES = ("item", "case", "question", "example", "instance", "sample", "round")
RIGHT_NAMES = ("right", "correct", "is_correct", "hit")


SHARED = 0.25
"""Share of the entries that may have a name which others have, too; beyond, these are rounds."""


@dataclass(frozen=True, slots=True)
class Entries:
    """Scores on one test set.

    Attributes
    ----------
    scores : (m,) finite, none of them missing.
    names : (m,) of the entries, or None.
    missing : entries without a score.
    column : where the scores come from, or None for a list.
    named_by : the column with the names, or None; several are joined by commas.
    repeated : names that several entries share, such as '[Deleted]', and how many do.
    ignored : entries that were left out as asked, which are not among the scores.
    looks : (m,) how many scores each is the best of, if that was said.
    gathered : whether each row is a submission, and those of one name are to be one entry.
    """

    scores: Floats
    names: tuple[str, ...] | None = None
    missing: int = 0
    column: str | None = None
    named_by: str | None = None
    repeated: Mapping[str, int] = field(default_factory=dict)
    ignored: Ignored = field(default_factory=Ignored)
    looks: Ints | None = None
    gathered: bool = False

    @property
    def winner(self) -> str | None:
        """The name of the entry with the highest score, if it is the only one."""
        best = np.flatnonzero(self.scores == self.scores.max())
        return None if self.names is None or best.size > 1 else self.names[best[0]] or None

    def turned(self) -> "Entries":
        """The same with the opposite direction, for scores of which less is better."""
        return replace(self, scores=-self.scores)

    def as_shares(self) -> "Entries":
        """The same with percent made shares."""
        return replace(self, scores=self.scores / 100.0)

    def kept(self, rows: Bools | Ints) -> "Entries":
        """Some of the entries."""
        names = None if self.names is None else np.array(self.names, object)[rows].tolist()
        return replace(
            self,
            scores=self.scores[rows],
            names=None if names is None else tuple(names),
            looks=None if self.looks is None else self.looks[rows],
        )

    def best_of_each(self) -> "Entries":
        """The best submission of each entry, where rows are submissions; more is better."""
        if not self.gathered or self.names is None:
            return self
        rows: dict[object, list[int]] = {}
        for row, name in enumerate(self.names):
            # Nobody knows who is behind an empty name.
            rows.setdefault(name or row, []).append(row)
        best = [max(own, key=lambda row: self.scores[row]) for own in rows.values()]
        looks = np.array([len(own) for own in rows.values()], np.int64)
        return replace(self.kept(np.array(best, np.int64)), looks=looks, gathered=False)


def read_entries(
    scores: Any,
    *,
    score: str | None = None,
    player: Columns | None = None,
    ignore: Columns = (),
    submissions: Submissions | None = None,
) -> Entries:
    """Scores and names, from a list of numbers, a mapping of names to numbers, or a table."""
    if isinstance(scores, Entries):
        return scores
    if isinstance(scores, Source) or hasattr(scores, "columns"):
        source = as_source(scores)
        found = find_columns(source.columns, score, player, ignore)
        return _from_table(source, found, submissions)
    for role, column in (("score", score), ("player", player)):
        if column is not None:
            wanted = "only a table has columns"
            raise BadOption(option=role, value=column, wanted=wanted)
    if isinstance(submissions, str):
        submissions = _as_number(submissions)
    if isinstance(scores, Mapping):
        names = tuple(str(name) for name in scores)
        return _present(_numbers(list(scores.values())), names, as_list(ignore), submissions)
    name = getattr(scores, "name", None)
    entries = _present(_numbers(scores), None, as_list(ignore), submissions)
    return replace(entries, column=name) if isinstance(name, str) and name else entries


def _numbers(values: Any) -> Floats:
    """A list of numbers, whatever holds them."""
    try:
        held = values if hasattr(values, "__array__") else list(values)
        array = np.asarray(held, np.float64)
    except (TypeError, ValueError):
        array = np.empty((0, 0))
    if array.ndim != 1 or isinstance(values, str):
        wanted = "it is a list of numbers, a mapping of names to numbers, or a data frame"
        raise BadOption(option="scores", value=type(values).__name__, wanted=wanted)
    return array


def _present(
    values: Floats,
    names: Sequence[str] | None,
    left: Sequence[str] = (),
    submissions: int | Sequence[int] | Ints | None = None,
) -> Entries:
    """Entries that have a score, without those that are to be left out."""
    looks = None if submissions is None else _looks_of(submissions, values.size)
    held = None if names is None else tuple(names)
    stays, ignored = leave_out(names, left)
    entries = Entries(values, held, ignored=ignored, looks=looks)
    if ignored.entries:
        entries = entries.kept(np.array(stays, np.bool_))
    there = ~np.isnan(entries.scores)
    if not there.any():
        raise TooFewEntries(entries=0)
    return replace(entries.kept(there), missing=int((~there).sum()))


def _looks_of(submissions: int | Sequence[int] | Ints, entries: int) -> Ints:
    """How many scores each entry's is the best of."""
    if isinstance(submissions, (int, np.integer)):
        return same_looks(int(submissions), entries)
    looks = count_looks(_numbers(submissions))
    if looks.size != entries:
        wanted = f"there is one number for each of the {entries:,} entries"
        raise BadOption(option="submissions", value=f"{looks.size:,} numbers", wanted=wanted)
    return looks


def _as_number(text: str) -> int:
    """A number that was given as text, where there is no such column."""
    if not text.isdecimal():
        wanted = "it is a whole number, one for each entry, or a column of a table"
        raise BadOption(option="submissions", value=text, wanted=wanted)
    return int(text)


def _from_table(source: Source, found: Found, submissions: Submissions | None) -> Entries:
    values = source.numbers(found.score).fill_null(float("nan")).to_numpy().astype(np.float64)
    gathered = isinstance(submissions, str) and found.players == (submissions,)
    if isinstance(submissions, str):
        submissions = None if gathered else _column_of(source, submissions, values)
    names = join_names(source, found.players) if found.players else None
    entries = replace(
        _present(values, names, found.left, submissions),
        column=found.score,
        named_by=", ".join(found.players) or None,
        gathered=gathered,
    )
    if entries.names is None or gathered:
        return entries
    return replace(entries, repeated=_repeated(entries.names, str(entries.named_by)))


def _column_of(source: Source, column: str, scores: Floats) -> int | Sequence[int]:
    """Numbers of submissions from a column, or one for all entries."""
    if column not in source.columns:
        if column.isdecimal():
            return int(column)
        close = close_names(column, source.columns)
        raise MissingColumn(column=column, columns=source.columns, close=close)
    looks = source.numbers(column).fill_null(float("nan")).to_numpy().astype(np.float64)
    # Who has no score need not have submitted anything.
    found: list[int] = count_looks(np.where(np.isnan(scores), 1.0, looks)).tolist()
    return found


def _repeated(names: Sequence[str], column: str) -> dict[str, int]:
    """Names that several entries share, and how many do; refused if they are the rule."""
    counted = Counter(name for name in names if name)
    shared = {name: often for name, often in counted.most_common() if often > 1}
    if sum(shared.values()) > SHARED * len(names):
        entry, scores = next(iter(shared.items()))
        raise RepeatedEntries(column=column, entry=entry, scores=scores)
    return shared


def check_finite(entries: Entries) -> None:
    """Refuse scores that are infinite, or too far apart to be told."""
    with np.errstate(over="ignore"):
        finite = np.isfinite(np.ptp(entries.scores)) and np.isfinite(entries.scores).all()
    if not finite:
        raise BadOption(option="scores", value="inf", wanted="they are finite numbers")


def check_shares(entries: Entries) -> None:
    """Refuse scores that are no shares of a test set, or infinite."""
    outside = np.flatnonzero((entries.scores < 0.0) | (entries.scores > 1.0))
    if outside.size:
        first = int(outside[0])
        name = f"entry {first + 1:,}" if entries.names is None else quote(entries.names[first])
        raise NotShares(scores=outside.size, value=float(entries.scores[first]), where=name)


# Results of single cases --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Items:
    """Who was right on which case.

    Attributes
    ----------
    right : (m, n) whether an entry was right.
    names : (m,) of the entries, or None.
    dropped : cases that some entry has no result for; these are left out.
    """

    right: Bools
    names: tuple[str, ...] | None
    dropped: int


def read_items(items: Any) -> Items:
    """Right and wrong, from an array of entries × cases or a table.

    A table has a row for each entry and a column for each case, or a column with the cases and one
    for each entry, or a row for each result with columns for the entry, the case and the result.
    """
    if isinstance(items, Source) or hasattr(items, "columns"):
        cells, names = _cells_of(as_source(items))
    else:
        names = None
        try:
            cells = np.asarray(items, np.float64)
        except (TypeError, ValueError):
            cells = np.empty(0)
        if cells.ndim != 2:
            wanted = "it is a table, or an array of entries × cases"
            raise BadOption(option="items", value="ARRAY", wanted=wanted)
    complete = ~np.isnan(cells).any(axis=0)
    kept = cells[:, complete]
    bad = (kept != 0.0) & (kept != 1.0)
    if bad.any():
        entry, case = np.argwhere(bad)[0].tolist()
        where = f"entry {entry + 1:,}, case {int(np.flatnonzero(complete)[case]) + 1:,}"
        raise NotRightOrWrong(value=float(kept[entry, case]), where=where)
    return Items(kept == 1.0, names, int((~complete).sum()))


def _cells_of(source: Source) -> tuple[Floats, tuple[str, ...] | None]:
    """(m, n) the numbers of a table, NaN where there is none, and the names of its entries."""
    columns = source.columns
    case = named(columns, ITEM_NAMES)
    entry = named([column for column in columns if column not in case], ENTRY_NAMES)
    if case and not entry:
        others = [column for column in columns if column != case[0]]
        by_case = [source.numbers(column).to_numpy() for column in others]
        return np.array(by_case, np.float64).reshape(len(others), -1), tuple(others)
    if not entry or not case:
        numbers = [source.numbers(column).to_numpy() for column in columns if column not in entry]
        cells = np.column_stack(numbers).astype(np.float64) if numbers else np.empty((0, 0))
        return cells, tuple(source.text(entry[0]).cast(str)) if entry else None
    free = [column for column in columns if column not in (*case, *entry)]
    right = named(free, RIGHT_NAMES) or propose_roles(free)["score"]
    if len(right) != 1:
        raise roles_unclear(columns, right)
    rows, row = np.unique(source.text(entry[0]).cast(str).to_numpy(), return_inverse=True)
    cases, place = np.unique(source.text(case[0]).cast(str).to_numpy(), return_inverse=True)
    pair, often = np.unique(row * cases.size + place, return_counts=True)
    if often.max(initial=0) > 1:
        first = int(pair[often.argmax()])
        names = rows[first // cases.size], cases[first % cases.size]
        raise RepeatedResult(entry=str(names[0]), case=str(names[1]))
    cells = np.full((rows.size, cases.size), np.nan)
    cells[row, place] = source.numbers(right[0]).to_numpy()
    return cells, tuple(rows.tolist())
