"""The figure of ratings against mean scores."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.cells import cell_len

from winodds.arrays import Floats, order_of
from winodds.board.leaderboard import Leaderboard
from winodds.board.relation import (
    DIFFERENT_WAYS,
    NO_SCORES,
    Line,
    Relation,
    fit_line,
)
from winodds.language.checks import check_count
from winodds.language.nouns import Nouns
from winodds.language.words import capital, count, rounded
from winodds.show.errors import NoFigure
from winodds.show.figures.extent import join_words
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.pages import (
    LABEL,
    PLAYER,
    START,
    STOP,
    Bars,
    cells_of,
    describe_cut,
    describe_open,
    labels_at,
    make_bars,
    rating_axis,
    require_one_scale,
    title_of,
)
from winodds.show.figures.scores import count_failed, score_name
from winodds.show.layout.grid import level_of
from winodds.show.words.relation import describe_off, describe_shape

WIDTH, HEIGHT = 520.0, 360.0
"""Size of the plot, in which labels must not collide."""

SIGN, LINE, GAP = 6.2, 12.0, 7.0
"""Size of a sign, and distance of a label from its point."""

TOUCH = 1e-6
"""By how much labels may overlap: symmetric points leave just enough room, or not, by rounding."""

FIRST = 10
"""Players, from the first on, who are named before those far from the line."""

ROOM = 0.09
"""Share of the scores' range that stays free at either end."""

FEW = 4
"""Players from which a line has an equation."""

BENDS = 60
"""Points that a curve is drawn through."""

SINGLE = 300
"""Players up to which each is a point."""

GRID = (52, 36)
"""Cells that more players are counted in."""


def check_scatter(board: Leaderboard) -> None:
    """Refuse a board without mean scores."""
    require_one_scale(board)
    if board.standings.mean_score is not None:
        return
    differs = board.how.scheme.better == "differs by round"
    reason = DIFFERENT_WAYS if differs else NO_SCORES
    raise NoFigure(figure="score_against_rating", reason=reason)


def make_score_against_rating(board: Leaderboard, *, labels: int = 20) -> Figure:
    """EPP against the mean score, with a straight line and as many names as find room."""
    nouns = board.how.nouns
    check_scatter(board)
    check_count("labels", labels)
    assert board.standings.mean_score is not None
    kept = np.flatnonzero(np.isfinite(board.standings.mean_score))
    epp, mean = board.standings.epp[kept], board.standings.mean_score[kept]
    bars = make_bars(epp, board.standings.low[kept], board.standings.high[kept])
    domain, scores = bars.domain, score_span(mean)
    line = fit_line(epp, mean)
    names = [board.players[place] for place in kept.tolist()]
    spots = place_labels(
        labels_at(board, kept.tolist()),
        epp,
        mean,
        domain,
        scores,
        _by_interest(epp, mean, line),
        labels,
    )
    rows = _player_rows(names, epp, mean, bars, spots)
    joined = len(rows) > SINGLE
    if joined:
        rows = [row for row in rows if row["label"] is not None]
        rows += _bin_rows(epp, mean, domain, scores)
    relation = _relation(board, line)
    rows += _line_rows(line, epp, _bounds(mean, scores))
    rows += _curve_rows(relation, epp, _bounds(mean, scores))
    doubts = [
        _describe_scoreless(len(board) - len(names), nouns=nouns),
        _describe_failed(count_failed(board)),
        _describe_unequal(board),
    ]
    opened = describe_open(
        board,
        [row.get("low", 0.0) for row in rows if row["part"] == "player"],
        [row.get("high", 0.0) for row in rows if row["part"] == "player"],
    )
    columns = {
        "part": Column(
            str,
            "player, line (its two ends), curve (points along it), or bin: a cell with several "
            "players.",
        ),
        "player": PLAYER,
        "label": LABEL,
        "epp": Column(float, f"{rating_axis(board)}; of a bin, its left end."),
        "mean_score": Column(float, f"Mean {score_name(board)}; of a bin, its lower end."),
        "low": Column(float, "Lower end of the EPP's interval; empty when it is open."),
        "high": Column(float, "Upper end of the EPP's interval; empty when it is open."),
        "start": START,
        "stop": STOP,
        "over": Column(bool, "Whether the label stands above its point, and not below."),
        "align": Column(str, "Which part of the label is at its point: left, center or right."),
        "epp_end": Column(float, "Right end of a bin."),
        "score_end": Column(float, "Upper end of a bin."),
        "players": Column(int, "Players of a bin."),
    }
    caption = join_words(
        [
            describe_cut(board),
            f"The {nouns.player.count(len(names))} counted in cells; those with names also as "
            f"points, with the {level_of(board)} intervals of their EPP as bars."
            if joined
            else f"Points are {nouns.players}; bars are {level_of(board)} intervals of their EPP.",
            "" if joined or all(spots) else "Names where there is room.",
            opened,
            _describe_line(line, len(names)),
            describe_shape(relation),
            describe_off(relation),
            *doubts,
        ]
    )
    left_out = join_words([describe_cut(board), opened, *doubts])
    facts = {
        "domain": domain,
        "scores": scores,
        "x": rating_axis(board),
        "y": f"Mean {score_name(board)}",
        "slope": None if line is None else line.slope,
        "intercept": None if line is None else line.intercept,
        "correlation": None if line is None else line.correlation,
        "shape": None if relation is None else relation.shape,
        "counted": capital(nouns.players),
        "size": (WIDTH, HEIGHT),
    }
    title = title_of(board, "Ratings and mean scores")
    cells = cells_of(columns, rows)
    return Figure("score_against_rating", title, caption, columns, cells, facts, left_out)


def score_span(mean: Floats) -> tuple[float, float]:
    """Both ends of the axis of scores, with room for names above and below the players."""
    low, high = float(mean.min()), float(mean.max())
    reach = ROOM * (high - low) or ROOM * abs(low) or 1.0
    return low - reach, high + reach


def _describe_scoreless(players: int, nouns: Nouns) -> str:
    if players == 0:
        return ""
    verb = "is" if players == 1 else "are"
    return f"{nouns.player.count(players)} without any score {verb} left out."


def _describe_failed(runs: int) -> str:
    if runs == 0:
        return ""
    return (
        f"{count(runs, 'failed run')} {'is' if runs == 1 else 'are'} left out of the mean scores."
    )


def _describe_line(line: Line | None, players: int) -> str:
    """The line's equation, and its shape, where there are players enough to tell."""
    if line is None:
        return "All ratings are equal, so there is no line."
    if players < FEW:
        return "The line is by least squares."
    start = f"The line by least squares: mean score = {rounded(line.intercept, '.4g')} "
    start += f"{'+' if line.slope >= 0.0 else '−'} {rounded(abs(line.slope), '.4g')} · EPP"
    r = "" if line.correlation is None else f", r = {rounded(line.correlation, '.2f')}"
    return f"{start}{r}."


def _relation(board: Leaderboard, line: Line | None) -> Relation | None:
    """How scores go with ratings, where there are players enough, and all they played, to tell."""
    if line is None or line.correlation is None or not board.has_one_scale:
        return None
    found = board.relation()
    return None if found.curve is None else found


def _describe_unequal(board: Leaderboard) -> str:
    nouns = board.how.nouns
    rounds = board.standings.rounds
    if rounds is None or np.ptp(rounds) == 0:
        return ""
    return (
        f"{capital(nouns.players)} took part in different {nouns.rounds}, so that their mean "
        f"scores compare badly."
    )


def _player_rows(
    names: list[str], epp: Floats, mean: Floats, bars: Bars, spots: "list[Spot | None]"
) -> list[dict[str, Any]]:
    rows = []
    for k, spot in enumerate(spots):
        row = {"part": "player", "player": names[k], "epp": epp[k].item()}
        row |= {"mean_score": mean[k].item(), "low": bars.low[k], "high": bars.high[k]}
        row |= {"start": bars.start[k], "stop": bars.stop[k], "label": None}
        if spot is not None:
            row |= {"label": spot.label, "over": spot.over, "align": spot.align}
        rows.append(row)
    return rows


def _bounds(mean: Floats, scores: tuple[float, float]) -> tuple[float, float]:
    """Between which scores the line is drawn: where all are shares, none is beyond 0 or 1."""
    if mean.min() < 0.0 or mean.max() > 1.0:
        return scores
    return max(scores[0], 0.0), min(scores[1], 1.0)


def _line_rows(line: Line | None, epp: Floats, scores: tuple[float, float]) -> list[dict[str, Any]]:
    """Both ends of the line: at the outermost players, or where it leaves these scores."""
    if line is None:
        return []
    ends = [float(epp.min()), float(epp.max())]
    if line.slope != 0.0:
        leaves = sorted((score - line.intercept) / line.slope for score in scores)
        ends = [max(ends[0], leaves[0]), min(ends[1], leaves[1])]
    return [{"part": "line", "epp": x, "mean_score": line.intercept + line.slope * x} for x in ends]


def _curve_rows(
    relation: Relation | None, epp: Floats, scores: tuple[float, float]
) -> list[dict[str, Any]]:
    """Points along the curve, where it is drawn, as far as scores go."""
    if relation is None or relation.curve is None or relation.shape == "straight":
        return []
    x = np.linspace(epp.min(), epp.max(), BENDS)
    pairs = zip(x.tolist(), relation.curve.at(x).tolist(), strict=True)
    return [
        {"part": "curve", "epp": across, "mean_score": up}
        for across, up in pairs
        if scores[0] <= up <= scores[1]
    ]


def _bin_rows(
    epp: Floats, mean: Floats, domain: tuple[float, float], scores: tuple[float, float]
) -> list[dict[str, Any]]:
    """Cells with players in them."""
    counts, x, y = np.histogram2d(epp, mean, bins=GRID, range=[domain, scores])
    return [
        {
            "part": "bin",
            "epp": x[i].item(),
            "mean_score": y[j].item(),
            "epp_end": x[i + 1].item(),
            "score_end": y[j + 1].item(),
            "players": int(counts[i, j]),
        }
        for i, j in np.argwhere(counts > 0).tolist()
    ]


# Labels -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spot:
    """A label, and where it stands beside its point."""

    label: str
    over: bool
    align: str


def _by_interest(epp: Floats, mean: Floats, line: Line | None) -> list[int]:
    """The players in the order in which they are named: the first, then those off the line."""
    off = np.zeros(epp.size) if line is None else mean - line.intercept - line.slope * epp
    far = order_of(-np.abs(off) / (np.abs(mean).max() or 1.0)).tolist()
    return list(dict.fromkeys([*range(min(FIRST, epp.size)), *far]))


def place_labels(
    labels: list[str],
    x: Floats,
    y: Floats,
    domain: tuple[float, float],
    range_of_y: tuple[float, float],
    order: list[int],
    most: int,
) -> list[Spot | None]:
    """A spot for as many labels as find room, those first in ``order`` first."""
    right = (x - domain[0]) / (domain[1] - domain[0]) * WIDTH
    down = (range_of_y[1] - y) / (range_of_y[1] - range_of_y[0]) * HEIGHT
    half = 4.0
    taken = np.stack([right - half, right + half, down - half, down + half])
    spots: list[Spot | None] = [None] * len(labels)
    left = most
    for k in order:
        if left == 0:
            break
        for over, align in SPOTS:
            box = _label_box(labels[k], float(right[k]), float(down[k]), over=over, align=align)
            if _has_room(box, taken):
                taken = np.column_stack([taken, box])
                spots[k] = Spot(labels[k], over, align)
                left -= 1
                break
    return spots


SPOTS = tuple((over, align) for over in (True, False) for align in ("center", "left", "right"))


def _label_box(
    label: str, right: float, down: float, *, over: bool, align: str
) -> tuple[float, float, float, float]:
    """Left, right, upper and lower end of a label beside a point."""
    width = SIGN * cell_len(label)
    begin = right - {"left": 0.0, "center": 0.5, "right": 1.0}[align] * width
    middle = down - GAP - LINE / 2 if over else down + GAP + LINE / 2
    return begin, begin + width, middle - LINE / 2, middle + LINE / 2


def _has_room(box: tuple[float, float, float, float], taken: Floats) -> bool:
    left, right, upper, lower = box
    if min(left, upper) < -TOUCH or right > WIDTH + TOUCH or lower > HEIGHT + TOUCH:
        return False
    across = (taken[0] < right - TOUCH) & (taken[1] > left + TOUCH)
    hit = across & (taken[2] < lower - TOUCH) & (taken[3] > upper + TOUCH)
    return not bool(hit.any())
