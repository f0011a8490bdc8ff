"""Battles of an arena: FastChat's votes, and the sets that have been published since 2025.

A row is a vote of a person on two answers. One person votes several times, so the judge or the
session is the cluster. Conversations are left out, and not even read where a file allows it.
"""

import polars as pl

from winodds.adapters.adapted import Adapted
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.cells import ROW, places_of, read_texts, require_columns
from winodds.adapters.columns import CLUSTER, LEFT, RIGHT, SOURCE, WINNER
from winodds.adapters.errors import NothingLeft
from winodds.adapters.notes import battles_left_out, left_out
from winodds.adapters.place import Place
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.words import count

TITLE = "battles of an arena"
SIDES = (LEFT, RIGHT, WINNER)
CLUSTERS = ("evaluation_session_id", "judge")
"""Who voted, or at least in which session; the first that is there."""

FASTCHAT = frozenset({*SIDES, "question_id", "judge"})
SINCE_2025 = frozenset({*SIDES, "id", "evaluation_session_id"})
IDS = ("id", "question_id")
TALK = frozenset({"conversation_a", "conversation_b", "full_conversation", "conv_metadata"})
OPEN = "anony"


def recognise(place: Place) -> bool:
    """Whether a table has the columns of either kind of set."""
    found = place.columns if place.kind == "table" else frozenset()
    return SOURCE not in found and (found >= FASTCHAT or found >= SINCE_2025)


def read(place: Place, wanted: Wanted) -> Adapted:
    """Every vote is a battle; the left seat is model_a's."""
    for name in ("metric", "higher_is_better"):
        if getattr(wanted, name) is not None:
            value = getattr(wanted, name)
            raise BadOption(option=name, value=value, wanted="battles have winners, and no scores")
    require_columns(place, TITLE, SIDES)
    sheet = place.flat
    unfit = {*sheet.nested, *sheet.ragged, *TALK} - {*SIDES}
    names = [name for name in sheet.columns if name not in unfit]
    frame = read_texts(sheet, names)
    unread = [name for name in place.names if name not in names]
    notes = (
        [
            left_out(
                len(unread), "column", "which do not hold one word or number in each row", unread
            )
        ]
        if unread
        else []
    )
    frame, dropped = _votes_that_count(frame)
    if not frame.height:
        raise NothingLeft(path=place.path, title=TITLE, left_out="no battle is left")
    frame, unit = _clusters(frame)
    table = frame.with_columns(pl.lit(TITLE).alias(SOURCE))
    first = (*SIDES, CLUSTER, SOURCE)
    rest = [name for name in table.columns if name not in (*first, ROW, unit)]
    return Adapted(
        table.select(*first, *rest),
        name=place.path,
        tool=TITLE,
        summary=_summary(frame, unit),
        notes=[*notes, *dropped],
        places=places_of(sheet, frame),
    )


def _votes_that_count(frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Note]]:
    """Without battles that say nothing, or are there twice, each kind with a note."""
    notes = []
    if OPEN in frame.columns:
        seen = frame[OPEN].str.to_lowercase() == "false"
        frame, found = _without(frame, seen, "in which the voter saw the models' names")
        notes += found
    frame, found = _without(frame, frame[LEFT] == frame[RIGHT], "in which a model met itself")
    notes += found
    if any(name in frame.columns for name in IDS):
        again = ~frame.select(pl.struct(pl.exclude(ROW)).is_first_distinct()).to_series()
        frame, found = _without(frame, again, "which repeat another one in every column")
        notes += found
    return frame, notes


def _without(frame: pl.DataFrame, unwanted: pl.Series, why: str) -> tuple[pl.DataFrame, list[Note]]:
    away = unwanted.fill_null(False)
    total = int(away.sum())
    return (frame.filter(~away), [battles_left_out(total, why)]) if total else (frame, [])


def _clusters(frame: pl.DataFrame) -> tuple[pl.DataFrame, str | None]:
    """The frame with its clusters, and their column; a vote of nobody is one of its own.

    One judge of all battles makes no clusters.
    """
    unit = next(
        (name for name in CLUSTERS if name in frame.columns and frame[name].n_unique() > 1), None
    )
    if unit is None:
        return frame.with_columns(pl.lit(None, dtype=pl.String).alias(CLUSTER)), None
    own = pl.concat_str(pl.lit("battle "), pl.col(ROW) + 1)
    return frame.with_columns(pl.coalesce(unit, own).alias(CLUSTER)), unit


def _summary(frame: pl.DataFrame, unit: str | None) -> str:
    models = pl.concat([frame[LEFT], frame[RIGHT]]).n_unique()
    words = [count(frame.height, "battle"), f"{count(models, 'model')}"]
    if unit is not None:
        words.append(f"cluster = {unit} ({frame[CLUSTER].n_unique():,} values)")
    return ", ".join(words)


ADAPTER = Adapter("arena", TITLE, recognise, read, table=True)
