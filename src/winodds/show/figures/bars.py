"""Figures of players who belong together: who cannot be told apart, and families."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from winodds.arrays import at_least, order_of
from winodds.board.leaderboard import Bar, Leaderboard
from winodds.language.nouns import Nouns
from winodds.language.spelling import option
from winodds.language.words import capital
from winodds.show.errors import NoFigure
from winodds.show.figures.boxes import WHISKERS, make_box
from winodds.show.figures.extent import choose, join_words, shown_words
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.labels import label_names
from winodds.show.figures.pages import (
    LABEL,
    PLAYER,
    cells_of,
    describe_cut,
    labels_at,
    rating_axis,
    require_one_scale,
    robust_words,
    span,
    title_of,
)
from winodds.show.figures.standing import check_placed, pairs_words

FEW_BARS = 8
"""Bars up to which each is drawn."""

MOST_BARS, MOST_ALIKE = 20, 2
"""Of more bars, so many at most, and so many of those that begin and end at the same places."""

FEW_POINTS = 30
"""Players of a family up to which each is drawn as a point."""


# Critical differences -----------------------------------------------------------------------------


def make_critical_difference(board: Leaderboard, *, top: int | None = 30) -> Figure:
    """Players on the scale of the EPP, and bars over those who cannot be told apart."""
    nouns = board.how.nouns
    check_placed(board)
    page = choose(len(board), top=top, what=board.how.nouns.players)
    players = _label_ticks(board, page)
    bars, hidden = _find_bars(board, players)
    columns = {
        "part": Column(str, "player, bar, or member: a player on a bar."),
        "player": PLAYER,
        "label": LABEL,
        "epp": Column(float, f"{rating_axis(board)}; of a bar, that of its best player."),
        "low": Column(float, "EPP of the bar's lowest player."),
        "row": Column(int, "Line of a label or of a bar, 1 is next to the axis."),
        "side": Column(str, "Side on which the label stands."),
        "goes_on": Column(bool, "Whether the bar goes on to players who are not shown."),
    }
    facts = {
        "domain": span(board.standings.epp[: page.stop]),
        "x": rating_axis(board),
        "bar_rows": max((row["row"] for row in bars), default=0),
        "label_rows": max(row["row"] for row in players.values()),
    }
    paged = [*shown_words(page, len(board), nouns.players, "EPP"), describe_cut(board)]
    drawn = sum(row["part"] == "bar" for row in bars)
    rest = [_describe_hidden(drawn, hidden, nouns=nouns), robust_words(board)]
    caption = join_words(
        [
            *paged,
            f"A bar joins {nouns.players} who cannot be told apart: those with a dot on it "
            f"({pairs_words(board)})."
            if bars
            else f"All of the {nouns.players} can be told apart ({pairs_words(board)}).",
            f"A bar with an arrow goes on to {nouns.players} who are not shown."
            if any(row.get("goes_on") for row in bars)
            else "",
            *rest,
        ]
    )
    left_out = [*paged, *rest]
    title = title_of(board, f"{capital(nouns.players)} who cannot be told apart")
    cells = cells_of(columns, [*players.values(), *bars])
    words = join_words(left_out)
    return Figure("critical_difference", title, caption, columns, cells, facts, words)


def _describe_hidden(drawn: int, hidden: int, nouns: Nouns) -> str:
    """Said where bars are left out, because then a missing bar means nothing."""
    if not hidden:
        return ""
    return (
        f"Of {drawn + hidden:,} bars, {drawn:,} are drawn, because the others look nearly the "
        f"same; so {nouns.players} without a common bar may be just as hard to tell apart."
    )


def _label_ticks(board: Leaderboard, page: range) -> dict[str, dict[str, Any]]:
    """A row for each player: the better half is labelled on the right, the others on the left."""
    shown = page.stop
    names, epp = board.players[:shown], board.standings.epp[:shown].tolist()
    right = (shown + 1) // 2
    return {
        name: {
            "part": "player",
            "player": name,
            "label": label,
            "epp": epp[k],
            "row": k + 1 if k < right else shown - k,
            "side": "right" if k < right else "left",
        }
        for k, (name, label) in enumerate(zip(names, labels_at(board, page), strict=True))
    }


def _find_bars(
    board: Leaderboard, players: Mapping[str, Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], int]:
    """Rows for the bars of two players or more and for the players on each, and how many not.

    Of players who are shown, a bar within another one says nothing more.
    """
    whole = board.details().alike
    shown = [tuple(name for name in names if name in players) for names in whole]
    onward = {own for own, names in zip(shown, whole, strict=True) if len(names) > len(own)}
    found = drop_subsets(shown)
    every_bar = board.bars_of([shown[k] for k in found])
    chosen = choose_bars(every_bar)
    kept, bars = [found[k] for k in chosen], [every_bar[k] for k in chosen]
    rows: list[dict[str, Any]] = []
    for k, bar, row in zip(kept, bars, stack_bars(bars), strict=True):
        goes_on = shown[k] in onward
        ends = {"epp": bar.high, "low": bar.low, "row": row, "goes_on": goes_on}
        rows.append({"part": "bar", **ends})
        rows += [{**players[name], "part": "member", "row": row, "side": None} for name in shown[k]]
    return rows, len(found) - len(kept)


def drop_subsets(sets: Sequence[Sequence[str]]) -> list[int]:
    """Numbers of the sets of two or more that no other one holds; of equal ones, the first.

    >>> drop_subsets(["ab", "abc", "cd", "cd", "e"])
    [1, 2]
    """
    firsts: dict[frozenset[str], int] = {}
    for k, names in enumerate(sets):
        if len(names) > 1:
            firsts.setdefault(frozenset(names), k)
    return [k for own, k in firsts.items() if not any(own < other for other in firsts)]


def choose_bars(bars: Sequence[Bar]) -> list[int]:
    """Numbers of the bars that are drawn: all of a few, else those of the most players.

    >>> same = [Bar(("a", name, "z"), 0.0, 1.0) for name in "bcdefgh"]
    >>> choose_bars([*same, Bar(("b", "z"), 0.0, 0.5), Bar(("x", "z"), 0.0, 0.2)])
    [0, 1, 7, 8]
    """
    if len(bars) <= FEW_BARS:
        return list(range(len(bars)))
    alike: dict[tuple[float, float], int] = {}
    chosen = []
    for k in sorted(range(len(bars)), key=lambda k: -len(bars[k].players)):
        ends = (bars[k].low, bars[k].high)
        alike[ends] = alike.get(ends, 0) + 1
        if alike[ends] <= MOST_ALIKE:
            chosen.append(k)
    return sorted(chosen[:MOST_BARS])


def stack_bars(bars: Sequence[Bar]) -> list[int]:
    """The line of each bar, 1 is the first, so that bars of a line do not touch.

    >>> stack_bars([Bar(("a", "b"), 1.0, 2.0), Bar(("b", "c"), 0.5, 1.0), Bar(("d", "e"), -1, 0)])
    [1, 2, 1]
    """
    ends: list[float] = []
    rows = []
    for bar in bars:
        row = next((k for k, end in enumerate(ends) if bar.high < end), len(ends))
        ends[row : row + 1] = [bar.low]
        rows.append(row + 1)
    return rows


# Families -----------------------------------------------------------------------------------------


def check_families(board: Leaderboard) -> None:
    """Refuse a board without families."""
    nouns = board.how.nouns
    require_one_scale(board)
    if board.families is None:
        reason = f"its {nouns.players} have no families; name their column with {option('family')}"
        raise NoFigure(figure="families", reason=reason)


def make_families(board: Leaderboard, *, top: int | None = 30) -> Figure:
    """EPP of the players of each family as boxes with points, highest median first."""
    nouns = board.how.nouns
    check_families(board)
    members: dict[str, list[int]] = {}
    for place, family in enumerate(board.families or ()):
        members.setdefault(family, []).append(place)
    epp = board.standings.epp
    names = sorted(members)
    medians = [-float(np.median(epp[members[family]])) for family in names]
    order = [names[k] for k in order_of(medians).tolist()]
    page = choose(len(order), top=top, what="families")
    shown = order[: page.stop]
    rows = []
    for k, (family, label) in enumerate(zip(shown, label_names(shown), strict=True)):
        about = {"order": k + 1, "family": family, "label": label}
        rows += [{**about, **row} for row in _family_rows(board, members[family])]
    columns = {
        "part": Column(str, "box or player."),
        "order": Column(int, "1 is the family with the highest median."),
        "family": Column(str, "Name of the family."),
        "label": Column(str, "The family's name as it is drawn."),
        "player": PLAYER,
        "epp": Column(float, f"{rating_axis(board)}."),
        "outlier": Column(bool, "Whether the player lies beyond the whiskers."),
        "low": Column(float, "End of the lower whisker."),
        "q1": Column(float, "Lower quartile."),
        "median": Column(float, "Median of the family's players."),
        "q3": Column(float, "Upper quartile."),
        "high": Column(float, "End of the upper whisker."),
        "players": Column(int, "Players of the family."),
    }
    large = any(len(members[family]) > FEW_POINTS for family in shown)
    left_out = [*shown_words(page, len(order), "families", "median EPP"), describe_cut(board)]
    caption = join_words(
        [
            *left_out,
            f"Boxes reach from quartile to quartile, with the median as a line; {WHISKERS}. Points "
            f"are {nouns.players}"
            + (
                f"; of families with more than {FEW_POINTS}, those beyond the whiskers."
                if large
                else "."
            ),
        ]
    )
    drawn = np.concatenate([epp[members[family]] for family in shown])
    facts = {"domain": span(drawn), "x": rating_axis(board)}
    title = title_of(board, "Ratings by family")
    cells = cells_of(columns, rows)
    return Figure("families", title, caption, columns, cells, facts, join_words(left_out))


def _family_rows(board: Leaderboard, members: Sequence[int]) -> list[dict[str, Any]]:
    """The box of a family of two or more, and its players; of many, those beyond the whiskers."""
    epp = board.standings.epp[list(members)].tolist()
    box = make_box(epp)
    five = {name: getattr(box, name) for name in ("low", "q1", "median", "q3", "high")}
    rows = [{"part": "box", **five, "players": len(members)}] if len(members) > 1 else []
    for place, value in zip(members, epp, strict=True):
        outlier = not (at_least(value, box.low) and at_least(box.high, value))
        if outlier or len(members) <= FEW_POINTS:
            player = {"player": board.players[place], "epp": value, "outlier": outlier}
            rows.append({"part": "player", **player})
    return rows
