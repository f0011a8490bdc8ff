"""Tables that `winodds convert` wrote: they know their roles by their columns."""

from collections.abc import Sequence

import polars as pl

from winodds.adapters.adapted import Adapted
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.columns import (
    BATTLE_COLUMNS,
    CHOSEN_BY,
    CLUSTER,
    COLUMNS,
    CONDITIONS,
    DIRECTION,
    HYPERPARAMETERS,
    METRIC,
    PLAYER,
    ROUND,
    SCORE,
    SOURCE,
    STATUS,
    TEST_FRACTION,
    TOURNAMENT,
)
from winodds.adapters.errors import NotThisSource
from winodds.adapters.metrics import choose_metric
from winodds.adapters.notes import chosen_as_best, known_test_fraction
from winodds.adapters.place import Place
from winodds.adapters.ways import Way
from winodds.language.words import count, list_names, quote

NEEDED = (PLAYER, TOURNAMENT, ROUND, SCORE, METRIC, DIRECTION, STATUS, HYPERPARAMETERS, SOURCE)
TITLE = "a table of winodds convert"
LINE = "\0line"


def recognise(place: Place) -> bool:
    """Whether a table has the columns that `winodds convert` writes."""
    return place.kind == "table" and (
        place.columns.issuperset(NEEDED) or place.columns.issuperset(BATTLE_COLUMNS)
    )


def read(place: Place, wanted: Wanted) -> Adapted:
    """The table with its roles; of several metrics one is chosen, or all become tournaments."""
    sheet = place.sheet
    names = sheet.columns
    if set(BATTLE_COLUMNS) <= set(names):
        battles = sheet.written(names).with_columns(pl.col(CLUSTER).replace("", None))
        return _adapted(battles, place, range(sheet.rows))
    absent = [name for name in NEEDED if name not in names]
    if absent:
        reason = f"it has no column {list_names(absent)}"
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    texts = [name for name in names if COLUMNS.get(name) != pl.Float64]
    numbers = [
        sheet.numbers(name).fill_nan(None).alias(name) for name in names if name not in texts
    ]
    written = sheet.written(texts).with_columns(pl.col(pl.String).replace("", None))
    frame = written.with_columns(numbers).with_row_index(LINE)
    ways = _ways(frame, place.path)
    chosen = choose_metric(frame, wanted.metric)
    return _adapted(chosen.drop(LINE), place, chosen[LINE].to_list(), ways)


def _ways(frame: pl.DataFrame, path: str) -> list[Way]:
    """How the tasks were run, as far as the table tells; two ways of one task are refused."""
    if CONDITIONS not in frame.columns:
        return []
    task = pl.coalesce(TOURNAMENT, ROUND).alias(TOURNAMENT)
    told = frame.select(task, CONDITIONS).drop_nulls().unique(maintain_order=True).rows()
    ways: dict[str, str] = {}
    for name, conditions in told:
        if ways.setdefault(name, conditions) != conditions:
            reason = f"{quote(name)} was run in two ways, {ways[name]} and {conditions}"
            raise NotThisSource(path=path, title=TITLE, reason=reason)
    return [Way(name, {CONDITIONS: how}, {}, name=name) for name, how in ways.items()]


def _adapted(
    table: pl.DataFrame, place: Place, lines: Sequence[int], ways: Sequence[Way] = ()
) -> Adapted:
    tools = table[SOURCE].drop_nulls().unique(maintain_order=True).to_list()
    summary = f"{count(table.height, 'row')} from {', '.join(tools)}"
    where = place.sheet.place
    best = CHOSEN_BY in table.columns and "best" in table[CHOSEN_BY]
    notes = [chosen_as_best()] if best else []
    share = test_share(table)
    notes += [] if share is None else [known_test_fraction("The benchmark", share)]
    return Adapted(
        table,
        name=place.path,
        tool=TITLE,
        summary=summary,
        notes=notes,
        options={} if share is None else {TEST_FRACTION: share},
        places=lambda row: where(lines[row]),
        ways=ways,
    )


def test_share(table: pl.DataFrame) -> float | None:
    """The share of the data that every round tests, if the table says so of all alike."""
    told = table[TEST_FRACTION].unique() if TEST_FRACTION in table.columns else pl.Series()
    if told.len() != 1 or told[0] is None:
        return None
    try:
        share = float(told[0])
    except ValueError:
        return None
    return share if 0.0 < share < 1.0 else None


ADAPTER = Adapter("converted", TITLE, recognise, read, table=True)
