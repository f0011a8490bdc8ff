"""Figures of the scores that ratings come from: runs of players by round, and gaps."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.board.leaderboard import Leaderboard
from winodds.language.checks import check_choice, check_count
from winodds.language.errors import BadOption
from winodds.language.nouns import Nouns
from winodds.language.spelling import option
from winodds.language.words import capital, count
from winodds.matches.games import score_table
from winodds.matches.results import Battles
from winodds.show.errors import NoFigure
from winodds.show.figures.boxes import make_box
from winodds.show.figures.extent import join_words, shown_words
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.labels import WIDTH, label_names, make_visible, natural
from winodds.show.figures.pages import (
    LABEL,
    PLAYER,
    cells_of,
    labels_at,
    require_one_scale,
    require_whole,
    title_of,
)
from winodds.show.layout.fitting import shorten

Values: TypeAlias = Literal["score", "rank"]

PLAYERS = 4
"""Players whose scores are shown if none are named."""

LINES = 100
"""Rounds that are drawn as lines; of more, some evenly spaced ones."""

SIDE = 60
"""Players, or rounds, with gaps that have a row, or column, of their own."""


def check_scores(board: Leaderboard, figure: str) -> None:
    """Refuse a board without scores, or whose rounds cannot be told by name."""
    nouns = board.how.nouns
    require_whole(board)
    if board.schedule is None or isinstance(board.components[0].games.played, Battles):
        battles = isinstance(board.components[0].games.played, Battles)
        reason = (
            "battles have no scores"
            if battles
            else f"it was written by an older version, without names of {nouns.rounds}"
        )
        raise NoFigure(figure=figure, reason=reason)
    require_one_scale(board)


def score_name(board: Leaderboard) -> str:
    """What the scores are called, with their direction where all have one.

    A name is somebody's column, and may be anything.
    """
    name = shorten(make_visible(str(board.how.scheme.column("score") or "score")), WIDTH)
    better = board.how.scheme.better
    return f"{name} ({better} is better)" if better in ("higher", "lower") else name


def count_failed(board: Leaderboard) -> int:
    """Runs that failed, and so lost; those that were left out of the matches do not count."""
    played = [part.games.played for part in board.components] if board.whole else []
    return sum(int(np.isneginf(one.value).sum()) for one in played if not isinstance(one, Battles))


# Scores of some players ---------------------------------------------------------------------------


def check_directions(board: Leaderboard) -> None:
    """Refuse to put scores on one axis of which some should be high and others low."""
    nouns = board.how.nouns
    check_scores(board, "scores")
    if board.how.scheme.better == "differs by round":
        reason = (
            f"what is better differs by {nouns.round}, so that the scores have no common axis; "
            f"{option('values', 'rank')} shows ranks within {nouns.rounds} instead"
        )
        raise NoFigure(figure="scores", reason=reason)


SCORES = {
    "part": Column(str, "run: a score; box: the quartiles of a player's scores."),
    "order": Column(int, "Number of the player in the drawing."),
    "player": PLAYER,
    "label": LABEL,
    "number": Column(int, "Number of the round, 1 is the first."),
    "round": Column(str, "Name of the round."),
    "value": Column(float, "The score, or the rank within the round."),
    "equal": Column(int, "Drawn scores of the player that equal this one, itself included."),
    "q1": Column(float, "Lower quartile over all rounds."),
    "median": Column(float, "Median over all rounds."),
    "q3": Column(float, "Upper quartile over all rounds."),
    "mean": Column(float, "Mean over all rounds."),
    "rounds": Column(int, "Rounds in which the player has a score."),
}


def make_scores(
    board: Leaderboard, *, players: Sequence[str] | None = None, values: Values = "score"
) -> Figure:
    """Scores of some players, joined by round, over boxes and with their means."""
    nouns = board.how.nouns
    check_choice("values", values, get_args(Values))
    if values == "score":
        check_directions(board)
    check_scores(board, "scores")
    names = _choose_names(board, players)
    places = np.array([board.players.index(board.row(name).player) for name in names])
    table, failed = _values_of(board, places, values)
    chosen = _spread_evenly(np.flatnonzero(~np.isnan(table).all(axis=1)), LINES)
    axis = (
        score_name(board) if values == "score" else f"Rank within the {nouns.round} (1 is the best)"
    )
    facts = {"y": axis, "values": values, "failed": failed, "rounds": int(chosen.size)}
    first = (
        shown_words(range(len(names)), len(board), nouns.players, "EPP") if players is None else []
    )
    rest = _describe_unseen(table, chosen, failed, nouns=nouns)
    rows = _score_rows(board, places, table, chosen)
    several = any((row.get("equal") or 1) > 1 for row in rows)
    larger = f", larger where several {values}s of {nouns.player.a} are equal" if several else ""
    how = (
        f"Points are {values}s{larger}, and thin lines join those of {nouns.round.a}; boxes reach "
        f"from quartile to quartile, with the median as a line. Diamonds are means."
    )
    title = title_of(
        board, f"Scores by {nouns.round}" if values == "score" else f"Ranks by {nouns.round}"
    )
    return Figure(
        name="scores",
        title=title,
        caption=join_words([*first, how, *rest]),
        columns=SCORES,
        cells=cells_of(SCORES, rows),
        facts=facts,
        left_out=join_words([*first, *rest]),
    )


def _describe_unseen(table: Floats, chosen: Ints, failed: int, nouns: Nouns) -> list[str]:
    """Sentences about rounds that are not drawn, and runs that failed."""
    words = []
    if chosen.size < (~np.isnan(table).all(axis=1)).sum():
        words.append(
            f"{chosen.size:,} of {nouns.round.count(len(table))} are drawn, evenly spaced; boxes "
            f"and means are those of all."
        )
    if failed:
        verb = "is" if failed == 1 else "are"
        words.append(f"{count(failed, 'failed run')} {verb} left out.")
    return words


def _score_rows(
    board: Leaderboard, places: Ints, table: Floats, chosen: Ints
) -> list[dict[str, Any]]:
    """The box of each player, and its scores in the rounds that are drawn."""
    called = round_names(board)
    rows: list[dict[str, Any]] = []
    for k, (place, label) in enumerate(
        zip(places.tolist(), labels_at(board, places.tolist()), strict=True)
    ):
        about = {"order": k + 1, "player": board.players[place], "label": label}
        drawn = table[chosen, k]
        rows += [{**about, **row} for row in _summary_rows(table[:, k])]
        rows += [
            {
                **about,
                "part": "run",
                "number": r + 1,
                "round": called[r],
                "value": table[r, k].item(),
                "equal": int((drawn == table[r, k]).sum()),
            }
            for r in chosen.tolist()
            if not np.isnan(table[r, k])
        ]
    return rows


def _choose_names(board: Leaderboard, players: Sequence[str] | None) -> list[str]:
    """The players that were named, each once, or the first ones; a text is one name."""
    nouns = board.how.nouns
    if players is None:
        return list(board.players[:PLAYERS])
    names = [players] if isinstance(players, str) else list(dict.fromkeys(players))
    if not names:
        raise BadOption(
            option="players", value=names, wanted=f"it names at least one {nouns.player}"
        )
    return names


def _values_of(board: Leaderboard, places: Ints, values: Values) -> tuple[Floats, int]:
    """(R, k) scores as they were given, or ranks within rounds; NaN without one. And failures."""
    table = places_table(board)
    own = table[:, places]
    failed = int(np.isneginf(own).sum())
    own = np.where(np.isneginf(own), np.nan, own)
    if values == "score":
        assert board.schedule is not None
        up = board.schedule.higher_is_better[round_order(board)]
        return np.where(up[:, None], own, -own), failed
    ranks = np.full(own.shape, np.nan)
    for k in range(own.shape[1]):
        mine = own[:, [k]]
        ranks[:, k] = 0.5 + (table > mine).sum(axis=1) + 0.5 * (table == mine).sum(axis=1)
    return np.where(np.isnan(own), np.nan, ranks), failed


def places_table(board: Leaderboard) -> Floats:
    """(R, m) scores by round and place, larger is better; NaN without one, −inf if it failed.

    Rounds come in the natural order of their names, as in `round_names`.
    """
    return score_table(board.components[0].games.results)[round_order(board)]


def round_order(board: Leaderboard) -> Ints:
    """(R,) the board's rounds in the natural order of their names: 2 before 10."""
    assert board.schedule is not None
    names = board.schedule.rounds
    return np.array(sorted(range(len(names)), key=lambda k: natural(names[k])), np.int64)


def round_names(board: Leaderboard) -> list[str]:
    """Names of the rounds in this order."""
    assert board.schedule is not None
    return [board.schedule.rounds[k] for k in round_order(board).tolist()]


def _summary_rows(values: Floats) -> list[dict[str, Any]]:
    known = values[~np.isnan(values)]
    if known.size == 0:
        return []
    box = make_box(known)
    five = {"q1": box.q1, "median": box.median, "q3": box.q3}
    return [{"part": "box", **five, "mean": float(known.mean()), "rounds": int(known.size)}]


def _spread_evenly(numbers: Ints, most: int) -> Ints:
    """At most so many of them, evenly spaced."""
    if numbers.size <= most:
        return numbers
    return numbers[np.linspace(0, numbers.size - 1, most).round().astype(np.int64)]


# Gaps ---------------------------------------------------------------------------------------------


def check_gaps(board: Leaderboard) -> None:
    """Refuse a board in which nothing is missing."""
    nouns = board.how.nouns
    check_scores(board, "gaps")
    if np.isfinite(places_table(board)).all():
        reason = f"every {nouns.player} has a score in every {nouns.round}"
        raise NoFigure(figure="gaps", reason=reason)


GAPS = {
    "row": Column(int, "Number of the row, 1 is the first."),
    "column": Column(int, "Number of the column."),
    "player": Column(str, "The row's player; empty where it stands for several."),
    "round": Column(str, "The column's round; empty where it stands for several."),
    "row_label": Column(str, "The row's player, or the first and last of several."),
    "column_label": Column(str, "The column's round, or the first and last of several."),
    "present": Column(int, "Scores that are there."),
    "failed": Column(int, "Runs that failed and lose to every score of their round."),
    "absent": Column(int, "Scores that are not there."),
    "missing": Column(float, "Share of the scores that are not there, failed ones included."),
    "state": Column(str, "What most of the cell is: present, failed or absent."),
}


def make_gaps(board: Leaderboard, *, side: int = SIDE) -> Figure:
    """Which players lack a score in which rounds; many are joined with their neighbours."""
    check_gaps(board)
    check_count("side", side)
    every_round = round_names(board)
    table = places_table(board).T
    missing = ~np.isfinite(table)
    players, rounds = np.flatnonzero(missing.any(axis=1)), np.flatnonzero(missing.any(axis=0))
    kept = table[np.ix_(players, rounds)]
    row_parts, column_parts = (
        np.array_split(np.arange(size), min(size, side)) for size in kept.shape
    )
    named = labels_at(board, players.tolist())
    called = label_names([every_round[r] for r in rounds.tolist()])
    row_labels, column_labels = (
        _label_parts(parts, labels)
        for parts, labels in ((row_parts, named), (column_parts, called))
    )
    rows = [
        {
            "row": i + 1,
            "column": j + 1,
            "player": board.players[players[own[0]]] if own.size == 1 else None,
            "round": every_round[rounds[other[0]]] if other.size == 1 else None,
            "row_label": row_labels[i],
            "column_label": column_labels[j],
            **_count_states(kept[np.ix_(own, other)]),
        }
        for i, own in enumerate(row_parts)
        for j, other in enumerate(column_parts)
    ]
    joined = len(row_parts) < players.size or len(column_parts) < rounds.size
    caption = _describe_gaps(board, missing, players, rounds, joined=joined)
    facts = {
        "joined": joined,
        "rows": len(row_parts),
        "columns": len(column_parts),
        "x": capital(board.how.nouns.rounds),
    }
    title = title_of(board, "Missing scores")
    return Figure("gaps", title, caption, GAPS, cells_of(GAPS, rows), facts, caption)


def _label_parts(parts: Sequence[Ints], labels: Sequence[str]) -> list[str]:
    """A label for each part: its only member, or the first and the last."""
    ends = [(labels[int(part[0])], labels[int(part[-1])]) for part in parts]
    return [first if first == last else f"{first} … {last}" for first, last in ends]


def _count_states(cells: Floats) -> dict[str, Any]:
    counts = {
        "present": int(np.isfinite(cells).sum()),
        "failed": int(np.isneginf(cells).sum()),
        "absent": int(np.isnan(cells).sum()),
    }
    state = max(counts, key=lambda name: counts[name])
    return {**counts, "missing": 1.0 - counts["present"] / cells.size, "state": state}


def _describe_gaps(
    board: Leaderboard, missing: Bools, players: Ints, rounds: Ints, *, joined: bool
) -> str:
    nouns = board.how.nouns
    gone = int(missing.sum())
    sizes = missing.shape
    only_these = players.size < sizes[0] or rounds.size < sizes[1]
    return join_words(
        [
            f"{count(gone, 'score')} of {missing.size:,} {'is' if gone == 1 else 'are'} missing: "
            f"{players.size:,} of {nouns.player.count(sizes[0])} "
            f"{'lacks' if players.size == 1 else 'lack'} some, in {rounds.size:,} of "
            f"{nouns.round.count(sizes[1])}.",
            "Only these are shown." if only_these else "",
            "Neighbours share a cell, whose colour is the share that is missing." if joined else "",
            "Failed runs were left out of the matches and count as absent."
            if board.how.missing == "skip" and board.how.dropped.missing_scores
            else "",
        ]
    )
