"""A season → the table of its boxes: ratings by family, by tournament or by player.

Examples
--------
>>> import winodds.demo
>>> season = winodds.demo.rate_results(family="family")
>>> figure = season.figures.boxes(by="tournament")
>>> figure.title, len(figure)
('EPP by data set', 6)
>>> figure.rows[0]["box"], figure.rows[0]["players"]
('heart', 20)
>>> [row["players"] for row in season.figures.boxes(together=True).rows if row["part"] == "box"]
[20, 20, 20, 20]
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from winodds.arrays import Bools, Floats, order_of
from winodds.language.checks import check_choice, check_count, check_flag
from winodds.language.errors import BadOption
from winodds.language.nouns import Nouns
from winodds.language.words import list_names
from winodds.season.matrix import EppMatrix
from winodds.season.season import Season
from winodds.show.errors import NoFigure
from winodds.show.figures.boxes import FEW, REACH, WHISKERS, make_box
from winodds.show.figures.extent import (
    choose,
    epp_title,
    join_words,
    labels_among,
    matrix_of,
    no_families,
    refuse_empty,
    scale_words,
    shown_words,
)
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.labels import WIDTH, make_visible
from winodds.show.figures.pages import cells_of, span
from winodds.show.layout.fitting import shorten

BoxesBy: TypeAlias = Literal["family", "tournament", "player"]

BOXES = {
    "part": Column(str, 'What the row is: a "box", or a "point" beyond the whiskers.'),
    "panel": Column(str, "Tournament of the panel; empty where there is only one panel."),
    "panel_order": Column(int, "Place of the panel, 1 is the first."),
    "box": Column(str, "What the box stands for: a family, a tournament or a player."),
    "box_order": Column(int, "Place of the box among all, 1 is the first."),
    "family": Column(str, "The family of all that is in the box, if there is one."),
    "players": Column(int, "Ratings in the box."),
    "low": Column(float, f"End of the lower whisker: the last within {REACH:g} IQR of the box."),
    "q1": Column(float, "Lower quartile of EPP."),
    "median": Column(float, "Median EPP."),
    "q3": Column(float, "Upper quartile of EPP."),
    "high": Column(float, "End of the upper whisker."),
    "name": Column(
        str,
        "Of a point: the player, with its tournament where several make a box; where boxes are of "
        "players, the tournament.",
    ),
    "epp": Column(float, "Of a point: its EPP."),
}


@dataclass(frozen=True, slots=True)
class _Box:
    """Ratings that make a box, with a name for each."""

    panel: str
    name: str
    family: str | None
    members: Sequence[str]
    epp: Floats

    @property
    def median(self) -> float:
        return float(np.median(self.epp))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the boxes are of."""

    by: BoxesBy
    tournament: str | None
    together: bool
    best: bool
    at_least: int


def make_boxes(
    season: Season,
    *,
    by: BoxesBy | None = None,
    tournament: str | None = None,
    together: bool = False,
    best: bool = False,
    at_least: int = 1,
    top: int | None = 40,
    panels: int | None = 12,
    first: int = 1,
) -> Figure:
    """EPP by family and tournament, by tournament, or by player; see `SeasonFigures.boxes`."""
    nouns = season.nouns
    refuse_empty(season, "boxes")
    whole = matrix_of(season)
    kind: BoxesBy = by or ("tournament" if whole.families is None else "family")
    asked = _Asked(kind, tournament, together, best, at_least)
    _check(asked, whole)
    table = _select(whole, asked)
    if kind != "family":
        boxes, words = _by_one(table, kind, top, first)
    elif tournament is not None or together:
        boxes, words = _in_one_panel(table, tournament, top, first)
    else:
        boxes, words = _by_family(table, top, panels, first)
    words = [*_selection_words(asked, nouns=nouns), *words, *scale_words(season)]
    return Figure(
        name="boxes",
        title=_title(asked, nouns=nouns),
        caption=join_words([_how_to_read(asked, season), *words]),
        left_out=join_words(words),
        columns=BOXES,
        cells=cells_of(BOXES, list(_box_rows(boxes))),
        facts={
            "axis": epp_title(season),
            "by": kind,
            "labels": labels_among(
                _names_of(whole, kind), list(dict.fromkeys(box.name for box in boxes))
            ),
            "domain": span(np.concatenate([box.epp for box in boxes])),
        },
    )


# What is asked for --------------------------------------------------------------------------------


def _check(asked: _Asked, table: EppMatrix) -> None:
    nouns = table.nouns
    check_choice("by", asked.by, get_args(BoxesBy))
    check_count("at_least", asked.at_least)
    check_flag("together", asked.together)
    check_flag("best", asked.best)
    if table.families is None and (asked.by == "family" or asked.best):
        raise NoFigure(figure="boxes", reason=no_families(nouns))
    for name in ("tournament", "together"):
        value = getattr(asked, name)
        if value and asked.by != "family":
            raise BadOption(option=name, value=value, wanted="it is for boxes by family")
    if asked.tournament is None:
        return
    if asked.together:
        wanted = f"one {nouns.tournament} is no more than itself; leave one of the two out"
        raise BadOption(option="together", value=True, wanted=wanted)
    if asked.tournament not in table.tournaments:
        wanted = f"the {nouns.tournaments} are {list_names(table.tournaments)}"
        raise BadOption(option="tournament", value=asked.tournament, wanted=wanted)


def _select(table: EppMatrix, asked: _Asked) -> EppMatrix:
    """The ratings that are wanted; others are taken for absent."""
    nouns = table.nouns
    results = (~np.isnan(table.epp)).sum(axis=1)
    wanted = np.repeat(results[:, None] >= asked.at_least, table.epp.shape[1], axis=1)
    if not wanted.any():
        most = nouns.tournament.count(int(results.max()))
        reason = (
            f"no {nouns.player} has results in {asked.at_least:,} {nouns.tournaments}; the most is "
            f"{most}"
        )
        raise NoFigure(figure="boxes", reason=reason)
    epp = np.where(wanted, table.epp, np.nan)
    if asked.best:
        assert table.families is not None
        epp = np.where(_find_best(epp, table.families), epp, np.nan)
    return replace(table, epp=epp)


def _find_best(epp: Floats, families: Sequence[str]) -> Bools:
    """(m, t) whether the player is the best of its family in the tournament."""
    best = np.zeros(epp.shape, np.bool_)
    of = np.array(families, object)
    for family in sorted(set(families)):
        members = np.flatnonzero(of == family)
        for column in range(epp.shape[1]):
            own = epp[members, column]
            there = np.flatnonzero(~np.isnan(own))
            if there.size:
                best[members[there[order_of(-own[there])[0]]], column] = True
    return best


# Words --------------------------------------------------------------------------------------------


def _title(asked: _Asked, nouns: Nouns) -> str:
    if asked.tournament is not None:
        kind = f"family in {shorten(make_visible(asked.tournament), WIDTH)}"
    elif asked.by == "family" and not asked.together:
        kind = f"family and {nouns.tournament}"
    else:
        kinds = {"player": nouns.player.one, "tournament": nouns.tournament.one}
        kind = kinds.get(asked.by, asked.by)
    return f"EPP of each family's best by {kind}" if asked.best else f"EPP by {kind}"


def _names_of(table: EppMatrix, by: BoxesBy) -> Sequence[str]:
    """All that could have a box."""
    if by == "family":
        return sorted(set(table.families or ()))
    return table.players if by == "player" else table.tournaments


def _how_to_read(asked: _Asked, season: Season) -> str:
    nouns = season.nouns
    where = f"each {nouns.tournament}"
    if asked.together:
        where = f"all {nouns.tournaments} together"
    elif asked.tournament is not None:
        where = list_names([asked.tournament])
    many, tournament = nouns.players, nouns.tournament
    of = {
        "family": f"each family's {many} in {where}, families by median EPP",
        "tournament": f"all {many} of each {tournament}, those that spread most first",
        "player": f"each {nouns.player} over its {tournament.many}, {many} by median EPP",
    }[asked.by]
    return (
        f"{epp_title(season)} of {of}. A box holds the middle half, with a line at the median; "
        f"{WHISKERS}; points are beyond, or all values where there are fewer than {FEW}."
    )


def _selection_words(asked: _Asked, nouns: Nouns) -> list[str]:
    words = []
    if asked.at_least > 1:
        words.append(
            f"Only {nouns.players} with results in at least {asked.at_least:,} {nouns.tournaments}."
        )
    if asked.best:
        words.append(
            f"Of each family only the best in the {nouns.tournament}, which is best partly by luck."
        )
    return words


# Boxes --------------------------------------------------------------------------------------------


def _by_family(
    table: EppMatrix, top: int | None, panels: int | None, first: int
) -> tuple[list[_Box], list[str]]:
    spread = np.array([_spread(column) for column in table.epp.T])
    ranked = order_of(-spread)
    chosen = choose(len(table.tournaments), top=panels, first=first, what=table.nouns.tournaments)
    shown = sorted(ranked[chosen.start : chosen.stop].tolist())
    names = _families_by_median(table, range(len(table.tournaments)))
    kept = choose(len(names), top=top, what="families")
    boxes = [
        box
        for k in shown
        for name in names[: kept.stop]
        if (box := _family_in(table, name, table.tournaments[k], [k])) is not None
    ]
    by = "the spread of ratings, in the order of their names"
    words = shown_words(chosen, len(table.tournaments), table.nouns.tournaments, by)
    return boxes, [*words, *shown_words(kept, len(names), "families", "median EPP")]


def _in_one_panel(
    table: EppMatrix, tournament: str | None, top: int | None, first: int
) -> tuple[list[_Box], list[str]]:
    """A box for each family, in one tournament or over all of them."""
    columns = [
        k for k, name in enumerate(table.tournaments) if tournament is None or name == tournament
    ]
    names = _families_by_median(table, columns)
    kept = choose(len(names), top=top, first=first, what="families")
    found = [_family_in(table, names[k], "", columns) for k in kept]
    boxes = [box for box in found if box is not None]
    return boxes, shown_words(kept, len(names), "families", "median EPP")


def _spread(epp: Floats) -> float:
    there = epp[~np.isnan(epp)]
    return float(np.std(there)) if there.size else 0.0


def _families_by_median(table: EppMatrix, columns: Sequence[int]) -> list[str]:
    """The families with ratings in some tournaments, the highest median first."""
    assert table.families is not None
    families = np.array(table.families, object)
    medians = {}
    for name in sorted(set(table.families)):
        own = table.epp[families == name][:, list(columns)]
        own = own[~np.isnan(own)]
        if own.size:
            medians[name] = -float(np.median(own))
    names = list(medians)
    return [names[k] for k in order_of(list(medians.values())).tolist()]


def _family_in(table: EppMatrix, family: str, panel: str, columns: Sequence[int]) -> _Box | None:
    """The ratings of a family in some tournaments; their names tell what differs between them."""
    assert table.families is not None
    rows = [k for k, name in enumerate(table.families) if name == family]
    pairs = [(k, c) for k in rows for c in columns if not np.isnan(table.epp[k, c])]
    if not pairs:
        return None
    joined = len(columns) > 1
    names = [
        f"{table.players[k]}, {table.tournaments[c]}" if joined else table.players[k]
        for k, c in pairs
    ]
    return _Box(panel, family, family, names, np.array([table.epp[pair] for pair in pairs]))


def _by_one(
    table: EppMatrix, by: Literal["tournament", "player"], top: int | None, first: int
) -> tuple[list[_Box], list[str]]:
    """Boxes of tournaments by their spread, or of players by their median."""
    of_players = by == "player"
    names, members = table.players, table.tournaments
    families: Sequence[str | None] = table.families or [None] * len(names)
    epp = table.epp
    if not of_players:
        names, members, epp = members, names, epp.T
        families = [None] * len(names)
    boxes = []
    for name, family, row in zip(names, families, epp, strict=True):
        there = np.flatnonzero(~np.isnan(row))
        if there.size:
            boxes.append(_Box("", name, family, [members[k] for k in there.tolist()], row[there]))
    key = [-box.median if of_players else -float(np.std(box.epp)) for box in boxes]
    order = order_of(key).tolist()
    many = table.nouns.players if of_players else table.nouns.tournaments
    chosen = choose(len(boxes), top=top, first=first, what=many)
    how = "median EPP" if of_players else "the spread of ratings"
    words = shown_words(chosen, len(boxes), many, how)
    return [boxes[order[k]] for k in chosen], words


def _box_rows(boxes: Sequence[_Box]) -> Iterator[dict[str, Any]]:
    panels = _number(box.panel for box in boxes)
    orders = _number(box.name for box in boxes)
    for own in boxes:
        box = make_box(own.epp)
        where = {
            "panel": own.panel,
            "panel_order": panels[own.panel],
            "box": own.name,
            "box_order": orders[own.name],
            "family": own.family,
            "players": len(own.members),
        }
        ends = {end: getattr(box, end) for end in ("low", "q1", "median", "q3", "high")}
        yield {"part": "box", **where, **ends}
        for k in box.beyond:
            yield {"part": "point", **where, "name": own.members[k], "epp": float(own.epp[k])}


def _number(names: Iterable[str]) -> dict[str, int]:
    """The place of each name, in the order in which they come; 1 is the first."""
    return {name: k for k, name in enumerate(dict.fromkeys(names), start=1)}
