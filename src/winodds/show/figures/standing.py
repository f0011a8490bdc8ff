"""Figures of where players stand: ranking, rank sets and chances of being best."""

import numpy as np

from winodds.arrays import order_of
from winodds.board.leaderboard import Leaderboard
from winodds.board.placing import check_size
from winodds.language.nouns import Nouns
from winodds.language.words import capital, rounded
from winodds.show.figures.extent import choose, join_words, shown_words
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.pages import (
    LABEL,
    ORDER,
    PLAYER,
    START,
    STOP,
    describe_cut,
    describe_open,
    labels_at,
    make_bars,
    rating_axis,
    require_one_scale,
    require_whole,
    robust_words,
    title_of,
)
from winodds.show.layout.cells import LONGEST, rank_range
from winodds.show.layout.grid import level_of

NOTHING = 1e-9
"""A chance that is rounding."""

MOST_IDLE = 3
"""Players who could be the best, and are in no draw, that are shown."""


def make_ranking(board: Leaderboard, *, top: int | None = 50, first: int = 1) -> Figure:
    """Players by rating, with intervals, letters and the ranks they could truly have."""
    nouns = board.how.nouns
    require_one_scale(board)
    page = choose(len(board), first=first, top=top, what=board.how.nouns.players)
    shown = slice(page.start, page.stop)
    table, names = board.standings, board.players[shown]
    bars = make_bars(table.epp[shown], table.low[shown], table.high[shown])
    details = _find_details(board, shown)
    columns = {
        "order": ORDER,
        "rank": Column(int, "Place by EPP; players with equal ratings share one."),
        "player": PLAYER,
        "label": LABEL,
        "epp": Column(float, f"{rating_axis(board)}."),
        "low": Column(float, "Lower end of the interval; empty when it is open."),
        "high": Column(float, "Upper end of the interval; empty when it is open."),
        "start": START,
        "stop": STOP,
        "letters": Column(str, "Players who share a letter cannot be told apart."),
        "could_be": Column(str, "Ranks that the player could truly have."),
    }
    cells = {
        "order": [place + 1 for place in page],
        "rank": table.rank[shown].tolist(),
        "player": list(names),
        "label": labels_at(board, page),
        "epp": table.epp[shown].tolist(),
        "low": bars.low,
        "high": bars.high,
        "start": bars.start,
        "stop": bars.stop,
        **details,
    }
    placed = details["could_be"][0] is not None
    lettered = placed and max(len(letters or "") for letters in details["letters"]) <= LONGEST
    paged = [*shown_words(page, len(board), nouns.players, "EPP"), describe_cut(board)]
    opened = describe_open(board, bars.low, bars.high)
    robust = robust_words(board) if placed else ""
    caption = join_words(
        [
            *paged,
            f"Points are ratings, bars their {level_of(board)} intervals.",
            opened,
            f"{capital(nouns.players)} who share a letter cannot be told apart "
            f"({pairs_words(board)})."
            if lettered
            else "",
            f"On the right are the ranks that {nouns.player.a} could truly have; "
            f"{ranges_words(board)}."
            if placed
            else "",
            robust,
        ]
    )
    left_out = [*paged, opened, robust]
    title = title_of(board, f"Ratings with {level_of(board)} intervals")
    facts = {"domain": bars.domain, "x": rating_axis(board), "lettered": lettered, "placed": placed}
    return Figure("ranking", title, caption, columns, cells, facts, join_words(left_out))


def ranges_words(board: Leaderboard) -> str:
    """For what rank ranges hold."""
    nouns = board.how.nouns
    if board.details().ranks == "simultaneous":
        return f"they hold for all {nouns.players} at once ({level_of(board)})"
    return f"each end holds for itself ({level_of(board)})"


def pairs_words(board: Leaderboard) -> str:
    """What "cannot be told apart" rests on."""
    flips = board.details().adjust == "max-t"
    how = "sign flips of all clusters" if flips else "Holm's adjustment"
    return f"pairs, all compared at once by {how}, two-sided, {level_of(board)}"


def _find_details(board: Leaderboard, shown: slice) -> dict[str, list[str | None]]:
    """Letters and rank ranges, where the board shows such details."""
    if not board.detailed:
        nothing: list[str | None] = [None] * len(board.players[shown])
        return {"letters": nothing, "could_be": nothing}
    ranks = board.details()
    low, high = ranks.rank_low[shown].tolist(), ranks.rank_high[shown].tolist()
    return {
        "letters": list(ranks.letters[shown]),
        "could_be": [rank_range(*ends) for ends in zip(low, high, strict=True)],
    }


def check_placed(board: Leaderboard) -> None:
    """Refuse a board whose players cannot be placed."""
    require_one_scale(board)
    if not board.detailed:
        require_whole(board)
        check_size(len(board))


def make_rank_sets(board: Leaderboard, *, top: int | None = 50, first: int = 1) -> Figure:
    """The ranks that each player could truly have, with the rank by EPP."""
    nouns = board.how.nouns
    check_placed(board)
    page = choose(len(board), first=first, top=top, what=board.how.nouns.players)
    shown = slice(page.start, page.stop)
    names, ranks = board.players[shown], board.details()
    columns = {
        "order": ORDER,
        "player": PLAYER,
        "label": LABEL,
        "rank": Column(int, "Place by EPP."),
        "rank_low": Column(int, "Best rank that the player could truly have."),
        "rank_high": Column(int, "Worst rank that the player could truly have."),
    }
    cells = {
        "order": [place + 1 for place in page],
        "player": list(names),
        "label": labels_at(board, page),
        "rank": board.standings.rank[shown].tolist(),
        "rank_low": ranks.rank_low[shown].tolist(),
        "rank_high": ranks.rank_high[shown].tolist(),
    }
    left_out = [*shown_words(page, len(board), nouns.players, "EPP"), describe_cut(board)]
    caption = join_words(
        [
            *left_out,
            f"Bars are the ranks that {nouns.players} could truly have; "
            f"{ranges_words(board)}. Points are ranks by EPP.",
            robust_words(board),
        ]
    )
    facts = {"domain": (min(cells["rank_low"]), max(cells["rank_high"]))}
    title = title_of(board, f"Ranks that {nouns.players} could truly have")
    return Figure("rank_sets", title, caption, columns, cells, facts, join_words(left_out))


def make_best(board: Leaderboard, *, top: int | None = 20) -> Figure:
    """How likely each player is truly the best, the likeliest first."""
    nouns = board.how.nouns
    check_placed(board)
    ranks = board.details()
    kept = _contenders(board, top)
    columns = {
        "order": Column(int, "1 is most likely the best."),
        "player": PLAYER,
        "label": LABEL,
        "p_best": Column(float, "Probability that the player is truly the best."),
        "text": Column(
            str, "The probability as it is written beside the bar, never as a certainty."
        ),
        "could_be_best": Column(bool, "Whether the ranks that the player could have begin at 1."),
    }
    could, draws = (ranks.rank_low == 1).tolist(), board.how.details.draws
    cells = {
        "order": list(range(1, len(kept) + 1)),
        "player": [board.players[place] for place in kept],
        "label": labels_at(board, kept),
        "p_best": ranks.p_best[kept].tolist(),
        "text": [share_words(chance, draws) for chance in ranks.p_best[kept].tolist()],
        "could_be_best": [could[place] for place in kept],
    }
    rest = max(0.0, 1.0 - float(ranks.p_best[kept].sum()))
    left = len(board) - len(kept)
    marked = _describe_marked(sum(could), sum(cells["could_be_best"]), nouns=nouns)
    others = _describe_rest(left, rest, draws, nouns=nouns) if board.whole else ""
    caption = join_words(
        [describe_cut(board), LIKELY.format(player=nouns.player), marked, FIRM, others]
    )
    some = sum(could) != sum(cells["could_be_best"])
    left_out = join_words([describe_cut(board), marked if some else "", others])
    title = title_of(board, "Probability of being truly the best")
    facts = {"rest": rest, "left_out": left}
    return Figure("best", title, caption, columns, cells, facts, left_out)


LIKELY = (
    "How likely each {player} is truly the best, given these results, with the luck of coming out "
    "first taken into account."
)
FIRM = "Dots rest on tests of pairs, bars on all ratings together."


def _contenders(board: Leaderboard, top: int | None) -> list[int]:
    """Places of those who ever are the best, and of a few more who could be, by EPP."""
    ranks = board.details()
    order = order_of(-ranks.p_best)
    drawn = order[ranks.p_best[order] > NOTHING]
    idle = np.flatnonzero((ranks.rank_low == 1) & ~(ranks.p_best > NOTHING))[:MOST_IDLE]
    kept: list[int] = np.concatenate([drawn, idle])[
        : choose(len(board), top=top, what=board.how.nouns.players).stop
    ].tolist()
    return kept


def share_words(share: float, draws: int) -> str:
    """A share of draws in percent, never as none or all: so many draws cannot tell that.

    >>> share_words(0.123, 1000), share_words(0.0, 1000), share_words(1.0, 1000)
    ('12.3%', '<0.1%', '>99.9%')
    >>> share_words(0.0, 250), share_words(0.0002, 5000), share_words(0.9996, 5000)
    ('<0.4%', '<0.1%', '>99.9%')
    """
    least = max(0.001, 1.0 / draws)
    if share < least - NOTHING:
        return f"<{100.0 * least:.2g}%"
    if share > 1.0 - least + NOTHING:
        return f">{100.0 * (1.0 - least):.3g}%"
    return rounded(share, ".1%")


def _describe_marked(could: int, shown: int, nouns: Nouns) -> str:
    start = f"A dot at the name and a filled bar: the {nouns.player.count(could)}"
    if could == 1:
        start = f"A dot at the name and a filled bar: the only {nouns.player}"
    start = f"{start} who could truly be the best"
    return f"{start}." if could == shown else f"{start}, of whom {shown:,} are shown."


def _describe_rest(left: int, rest: float, draws: int, nouns: Nouns) -> str:
    """What the players who are not shown come to."""
    if left == 0:
        return ""
    others = f"The other {nouns.player}" if left == 1 else f"The other {left:,} {nouns.players}"
    if rest < NOTHING:
        return f"{others} {'comes' if left == 1 else 'come'} first in none of {draws:,} draws."
    verb = "comes" if left == 1 else "together come"
    return f"{others} {verb} first in {share_words(rest, draws)} of all draws."
