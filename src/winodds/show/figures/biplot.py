"""A season → players and tournaments in one plane, by principal components.

Rows of the matrix of ratings are players, columns are tournaments, and columns are centred. Of its
singular value decomposition U S Vᵀ, arrows have the singular values: they are the rows of V S (or
of U S, where players are the arrows), so that the cosine of the angle between two is their
correlation, as far as the plane holds it. Points are the rows of U (or V), spread alike along both
axes. A point projected on an arrow gives the rating. Arrows are lengthened together, to reach as
far as the points.

Examples
--------
>>> import winodds.demo
>>> figure = winodds.demo.rate_results().figures.biplot()
>>> [row["name"] for row in figure.rows if row["part"] == "arrow"]
['breast_cancer', 'digits', 'heart', 'wine']
>>> figure.facts["shares"][0] > figure.facts["shares"][1]
True
"""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from winodds.arrays import Bools, Floats, Ints, order_of
from winodds.language.checks import check_choice, check_count
from winodds.language.nouns import Nouns
from winodds.language.words import capital, count, list_names, quote, rounded, settle
from winodds.season.embedding import Embedding, are_linked, embed, find_core
from winodds.season.errors import NothingToEmbed
from winodds.season.matrix import EppMatrix
from winodds.season.season import Season
from winodds.show.figures.extent import (
    join_words,
    labels_among,
    matrix_of,
    refuse_empty,
    scale_words,
)
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.scatter import HEIGHT, WIDTH, place_labels
from winodds.show.layout.cells import percent

ArrowsOf: TypeAlias = Literal["tournaments", "players"]

AXES = 2
"""Dimensions of a plane."""

LENGTH = 0.9
"""Length of the longest arrow, of the distance of the farthest point."""

MARGIN = 0.1
"""Share of the picture that stays free around points and arrows, for names."""

BIPLOT = {
    "part": Column(str, 'How the row is drawn: a "point" or an "arrow" from the origin.'),
    "name": Column(str, "Name of the player or tournament."),
    "family": Column(str, "The player's family; empty where there is none."),
    "x": Column(
        float, "Place along the first axis, in standard deviations, or where the arrow ends."
    ),
    "y": Column(
        float, "Place along the second axis, in standard deviations, or where the arrow ends."
    ),
    "results": Column(int, "Results of the player or tournament."),
    "label": Column(str, "The name as it is written; empty where it finds no room."),
    "over": Column(bool, "Whether the label stands above its point, and not below."),
    "align": Column(str, "Which part of the label is at its point: left, center or right."),
}


@dataclass(frozen=True, slots=True)
class Plane:
    """Ratings that can be laid out, with their places.

    Attributes
    ----------
    players, tournaments : (m,), (t,) which of the season's are there.
    present : (n, p) where those have a result.
    found : their principal components.
    """

    players: Bools
    tournaments: Bools
    present: Bools
    found: Embedding


def make_biplot(
    season: Season, *, arrows: ArrowsOf | None = None, labels: int = 25, top: int | None = 2000
) -> Figure:
    """Players and tournaments in one plane; see `SeasonFigures.biplot`."""
    nouns = season.nouns
    refuse_empty(season, "biplot")
    table = matrix_of(season)
    plane = _lay_out(table)
    n, p = plane.present.shape
    kind: ArrowsOf = arrows or ("tournaments" if p <= n else "players")
    check_choice("arrows", kind, get_args(ArrowsOf))
    check_count("labels", labels)
    if top is not None:
        check_count("top", top)
    points, ends, scale = _places(plane.found, kind)
    of_points: ArrowsOf = "players" if kind == "tournaments" else "tournaments"
    rows = [
        *_rows("point", points, of_points, table, plane, top),
        *_rows("arrow", ends, kind, table, plane, top),
    ]
    view = _view(np.array([[row["x"], row["y"]] for row in rows]))
    called = {"players": nouns.players, "tournaments": nouns.tournaments}
    everyone = {"players": table.players, "tournaments": table.tournaments}
    names = _label_rows(rows, {"point": everyone[of_points], "arrow": everyone[kind]})
    _write_labels(rows, names, view, labels)
    left_out = [
        *_filled(plane),
        *_left_out(table, plane),
        *_far_only(points, called[of_points], ends, called[kind], top),
        *_reversed(season),
        *scale_words(season),
    ]
    return Figure(
        name="biplot",
        title=f"{capital(nouns.players)} and {nouns.tournaments} in one plane",
        caption=join_words(
            [_how_to_read(called[kind], called[of_points], plane, nouns=nouns), *left_out]
        ),
        left_out=join_words(left_out),
        columns=BIPLOT,
        cells={name: [row[name] for row in rows] for name in BIPLOT},
        facts={
            "shares": _shares(plane.found),
            "arrows": kind,
            "scale": scale,
            "view": view,
            "size": (WIDTH, HEIGHT),
            "axes": _axes(plane.found),
        },
    )


def _lay_out(table: EppMatrix) -> Plane:
    """The principal components of the players and tournaments that share enough results."""
    nouns = table.nouns
    present = ~np.isnan(table.epp)
    players, tournaments = np.ones(present.shape[0], bool), np.ones(present.shape[1], bool)
    if present.shape[1] < 2 or present.shape[0] <= AXES:
        shape = (
            f"{nouns.player.count(present.shape[0])} and {nouns.tournament.count(present.shape[1])}"
        )
        reason = f"there are {shape}, and at least {AXES + 1} and 2 are needed"
        raise NothingToEmbed(reason=reason)
    if not present.all():
        least = min(AXES + 1, present.shape[1])
        players, tournaments = find_core(present, in_row=least, in_column=AXES + 2)
        _refuse_few(present[np.ix_(players, tournaments)], least, nouns=nouns)
    inside = np.ix_(players, tournaments)
    return Plane(players, tournaments, present[inside], embed(table.epp[inside], components=AXES))


def _refuse_few(present: Bools, least: int, nouns: Nouns) -> None:
    """Refuse what has fewer results than the plane has places to find."""
    n, p = present.shape
    unknown = p + AXES * (n + p - AXES)
    if p < 2 or (not present.all() and present.sum() < unknown) or not are_linked(present):
        reason = (
            f"the {nouns.tournaments} share too few {nouns.players}; where each {nouns.player} has "
            f"{least} {nouns.tournaments} and each {nouns.tournament} has {AXES + 2} "
            f"{nouns.players}, {nouns.player.count(n)}, {nouns.tournament.count(p)} and "
            f"{count(int(present.sum()), 'result')} remain"
        )
        raise NothingToEmbed(reason=reason)


def _places(found: Embedding, arrows: ArrowsOf) -> tuple[Floats, Floats, float]:
    """(n, 2) points, (p, 2) ends of arrows, and by how much arrows are lengthened.

    Points have a mean square of 1 along either axis.
    """
    size = np.linalg.norm(found.rows, axis=0)
    if arrows == "tournaments":
        points, ends = found.rows / size, found.columns * size
    else:
        points, ends = found.columns, found.rows
    spread = np.sqrt(len(points))
    points, ends = points * spread, ends / spread
    farthest = float(np.linalg.norm(points, axis=1).max())
    scale = LENGTH * farthest / float(np.linalg.norm(ends, axis=1).max())
    return _plane(points), _plane(scale * ends), scale


def _shares(found: Embedding) -> tuple[float, ...] | None:
    """Shares of the variance along both axes, where they are known."""
    return None if found.shares is None else (*found.shares.tolist(), 0.0, 0.0)[:AXES]


def _axes(found: Embedding) -> tuple[str, ...]:
    """Titles of both axes."""
    names, shares = ("First axis", "Second axis"), _shares(found)
    if shares is None:
        return names
    return tuple(
        f"{name} ({rounded(share, '.1%')} of the variance)"
        for name, share in zip(names, shares, strict=True)
    )


def _plane(places: Floats) -> Floats:
    """Places with two coordinates, also where there is only one direction."""
    return np.pad(places, ((0, 0), (0, AXES - places.shape[1])))


def _rows(
    part: str,
    places: Floats,
    kind: ArrowsOf,
    table: EppMatrix,
    plane: Plane,
    top: int | None,
) -> list[dict[str, Any]]:
    of_players = kind == "players"
    everyone = table.players if of_players else table.tournaments
    there = np.flatnonzero(plane.players if of_players else plane.tournaments).tolist()
    results = plane.present.sum(axis=1 if of_players else 0).tolist()
    return [
        {
            "part": part,
            "name": everyone[there[k]],
            "family": table.families[there[k]] if of_players and table.families else None,
            "x": float(places[k, 0]),
            "y": float(places[k, 1]),
            "results": results[k],
            "label": None,
            "over": None,
            "align": None,
        }
        for k in sorted(_by_distance(places)[:top].tolist())
    ]


def _by_distance(places: Floats) -> Ints:
    """Places in the order of their distance from the origin, the farthest first."""
    return order_of(-np.linalg.norm(places, axis=1))


def _view(places: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ends of both axes, with the same unit on either, so that angles and distances are true."""
    places = np.vstack([places, np.zeros(AXES)])
    low, high = places.min(axis=0), places.max(axis=0)
    unit = float(((high - low) / (WIDTH, HEIGHT)).max()) * (1.0 + 2.0 * MARGIN)
    middle, half = 0.5 * (low + high), 0.5 * unit * np.array([WIDTH, HEIGHT])
    (left, below), (right, above) = (middle - half).tolist(), (middle + half).tolist()
    return (left, right), (below, above)


def _label_rows(rows: list[dict[str, Any]], everyone: dict[str, tuple[str, ...]]) -> list[str]:
    """The label of each row; ``everyone`` are all who could be points, or arrows."""
    labels = {
        part: labels_among(names, [row["name"] for row in rows if row["part"] == part])
        for part, names in everyone.items()
    }
    return [labels[row["part"]][row["name"]] for row in rows]


def _write_labels(
    rows: list[dict[str, Any]],
    names: list[str],
    view: tuple[tuple[float, float], tuple[float, float]],
    most: int,
) -> None:
    """Give names to as many rows as find room: an arrow, a point, and so on, the farthest first."""
    places = np.array([[row["x"], row["y"]] for row in rows])
    far = _by_distance(places).tolist()
    parts = [[k for k in far if rows[k]["part"] == part] for part in ("arrow", "point")]
    order = [k for pair in zip_longest(*parts) for k in pair if k is not None]
    spots = place_labels(names, places[:, 0], places[:, 1], *view, order, most)
    for row, spot in zip(rows, spots, strict=True):
        if spot is not None:
            row |= {"label": spot.label, "over": spot.over, "align": spot.align}


# Words --------------------------------------------------------------------------------------------


def _how_to_read(arrows: str, points: str, plane: Plane, nouns: Nouns) -> str:
    words = (
        f"Points are {points}, arrows {arrows}. Arrows in the same direction agree, those at right "
        f"angles are unrelated; points far along an arrow go with high EPP there. Points are "
        f"spread alike along both axes, so their distances mean little."
    )
    if (shares := _shares(plane.found)) is None:
        return f"{words} The mean of each {nouns.tournament} is taken off."
    # The sum of what the axes say, so that readers who add it up come to the same.
    held = sum(round(settle(100.0 * share), 1) for share in shares)
    return (
        f"{words} The plane holds {held:.1f}% of the variance of EPP, with the mean of each "
        f"{nouns.tournament} taken off."
    )


def _filled(plane: Plane) -> list[str]:
    if plane.present.all():
        return []
    gaps = percent(1.0 - float(plane.present.mean()))
    return [
        f"Gaps ({gaps} of the cells) are filled by the plane itself; what share of the variance it "
        f"holds can then not be said."
    ]


def _left_out(table: EppMatrix, plane: Plane) -> list[str]:
    nouns = table.nouns
    words = []
    least = min(AXES + 1, len(table.tournaments))
    players = len(table.players) - int(plane.players.sum())
    if players:
        words.append(
            f"{nouns.player.count(players)} with results in fewer than {least} of the "
            f"{nouns.tournaments} shown {'is' if players == 1 else 'are'} left out."
        )
    gone = [table.tournaments[k] for k in np.flatnonzero(~plane.tournaments).tolist()]
    if gone:
        words.append(f"Left out, with too few of these {nouns.players}: {list_names(gone)}.")
    return words


def _far_only(
    points: Floats, of_points: str, ends: Floats, arrows: str, top: int | None
) -> list[str]:
    pairs = ((len(points), of_points), (len(ends), arrows))
    return [
        f"The {top:,} of {number:,} {what} farthest from the middle."
        for number, what in pairs
        if top is not None and number > top
    ]


def _reversed(season: Season) -> list[str]:
    """Sentences about tournaments that reverse the order of the others; none of boards cut short.

    All rounds are asked for that, and not only the players and tournaments in the plane.
    """
    nouns = season.nouns
    if not all(board.whole for board in season.values()):
        return []
    found: dict[str | None, list[str]] = {}
    for family, answer in season.odd().reversed:
        found.setdefault(family, []).append(answer.tournament)
    return [
        f"{'' if family is None else f'Among {quote(family)}, '}{list_names(names)} "
        f"{'reverses' if len(names) == 1 else 'reverse'} the order of the other "
        f"{nouns.tournaments}."
        for family, names in found.items()
    ]
