"""A list of scores, or a table with one for each entry → what an estimate starts from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from winodds.arrays import Bools, Floats
from winodds.language.errors import BadOption
from winodds.language.words import quote
from winodds.read.numbers import NUMBER
from winodds.read.shape_errors import RolesUnclear
from winodds.sota.errors import (
    NotRightOrWrong,
    NotShares,
    RepeatedEntries,
    RepeatedResult,
    TooFewEntries,
)
from winodds.table.errors import MissingColumn
from winodds.table.frames import Source, as_source
from winodds.table.names import close_names
from winodds.table.vocabulary import PLAYER_NAMES, named, plain_name, propose_roles

ENTRY_NAMES = (*PLAYER_NAMES, "team", "teamname", "entry", "submission", "participant", "user")
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
    named_by : the column with the names, or None.
    repeated : names that several entries share, such as '[Deleted]', and how many do.
    """

    scores: Floats
    names: tuple[str, ...] | None = None
    missing: int = 0
    column: str | None = None
    named_by: str | None = None
    repeated: Mapping[str, int] = field(default_factory=dict)

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


def read_entries(scores: Any, *, score: str | None = None, player: str | None = None) -> Entries:
    """Scores and names, from a list of numbers, a mapping of names to numbers, or a table."""
    if isinstance(scores, Entries):
        return scores
    if isinstance(scores, Source) or hasattr(scores, "columns"):
        return _from_table(as_source(scores), score, player)
    for role, column in (("score", score), ("player", player)):
        if column is not None:
            wanted = "only a table has columns"
            raise BadOption(option=role, value=column, wanted=wanted)
    if isinstance(scores, Mapping):
        names = tuple(str(name) for name in scores)
        return _present(_numbers(list(scores.values())), names)
    name = getattr(scores, "name", None)
    found = _present(_numbers(scores), None)
    return replace(found, column=name) if isinstance(name, str) and name else found


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


def _present(values: Floats, names: Sequence[str] | None) -> Entries:
    there = ~np.isnan(values)
    if not there.any():
        raise TooFewEntries(entries=0)
    kept = None if names is None else tuple(np.array(names, object)[there].tolist())
    return Entries(values[there], kept, int((~there).sum()))


def _from_table(source: Source, score: str | None, player: str | None) -> Entries:
    for column in (score, player):
        if column is not None and column not in source.columns:
            raise MissingColumn(
                column=column, columns=source.columns, close=close_names(column, source.columns)
            )
    found = score if score is not None else _score_column(source.columns)
    free = [column for column in source.columns if column != found]
    proposed = named(free, ENTRY_NAMES)
    naming = player if player is not None else proposed[0] if proposed else None
    values = source.numbers(found).fill_null(float("nan")).to_numpy().astype(np.float64)
    texts = None if naming is None else source.text(naming).cast(str).fill_null("").to_list()
    entries = replace(_present(values, texts), column=found, named_by=naming)
    if entries.names is None:
        return entries
    return replace(entries, repeated=_repeated(entries.names, str(naming)))


def _score_column(columns: Sequence[str]) -> str:
    proposed = propose_roles(columns)["score"]
    exact = [column for column in proposed if plain_name(column) == "score"]
    if len(exact or proposed) == 1:
        return (exact or list(proposed))[0]
    headless = any(NUMBER.fullmatch(column) for column in columns)
    if len(columns) == 1 and not headless:
        return columns[0]
    raise _unclear(columns, exact or proposed, headless=headless)


def _unclear(
    columns: Sequence[str], found: Sequence[str], *, headless: bool = False
) -> RolesUnclear:
    """The error about no column of scores, or several."""
    return RolesUnclear(
        columns=columns,
        missing=() if found else ("score",),
        several={"score": found} if found else {},
        joinable=False,
        headless=headless,
    )


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
        raise _unclear(columns, right)
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
