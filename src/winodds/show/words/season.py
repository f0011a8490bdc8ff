"""What a season tells, in sentences that a benchmark's maintainer could publish."""

from collections.abc import Sequence

from winodds.board.leaderboard import Leaderboard
from winodds.language.words import NAMES_SHOWN, count, level_words, percent, rounded
from winodds.season.comparisons import SeasonComparison
from winodds.season.findings import Findings
from winodds.season.presence import Presence
from winodds.season.standing import SeasonRow
from winodds.show.words.verdicts import end_of_hundred, interval_words, of_hundred

MANY_FIRST = 3
"""Players who are named with the number of boards that they lead."""


def headline(found: Findings) -> str:
    """What was rated: "35 data sets: 7 players, 10 rounds each"."""
    rounds = sorted({board.how.matches.rounds or 0 for board in found.boards.values()})
    each = f"{count(rounds[0], 'round')} each" if len(rounds) == 1 else ""
    span = each or f"{rounds[0]:,} to {rounds[-1]:,} rounds"
    players = count(len(found.matrix.players), "player")
    return f"{count(len(found.boards), 'data set')}: {players}, {span}"


# Who leads ----------------------------------------------------------------------------------------


def describe_leaders(rows: Sequence[SeasonRow], tournaments: int) -> str:
    """Who is rated first, and on how many data sets."""
    winners = sorted((row for row in rows if row.first), key=lambda row: -row.first)
    top, *others = winners
    data_sets = count(tournaments, "data set")
    if not others:
        return f"{top.player} is rated first on every one of {data_sets}."
    listed = ", ".join(f"{row.player} ({row.first:,})" for row in others[:MANY_FIRST])
    rest = len(others) - MANY_FIRST
    more = f" and {count(rest, 'other')} on fewer" if rest > 0 else ""
    return f"{top.player} is rated first on {top.first:,} of {data_sets}, then come {listed}{more}."


def describe_together(board: Leaderboard) -> str:
    """What the board of all data sets together says, and what its interval is not for."""
    row, level = board.rows[0], level_words(board.how.interval.level)
    ends = interval_words(row.low, row.high)
    return (
        f"All data sets together put {row.player} first, with an EPP of {rounded(row.epp, '.2f')} "
        f"({level} interval {ends}). That interval is for the mean over data sets of this kind, "
        f"not for any one of them."
    )


# On a new data set --------------------------------------------------------------------------------


def describe_pair(found: SeasonComparison) -> str:
    """How one player does against another on a new data set, in one paragraph."""
    level = level_words(found.level)
    ends = f"{end_of_hundred(found.p_win_round.low or 0.0, inside=True)} to "
    ends += end_of_hundred(found.p_win_round.high or 0.0, inside=True)
    return " ".join(
        [
            f"On a new data set, {found.a} beats {found.b} in {of_hundred(found.p_win_round.value)} "
            f"rounds ({level} interval {ends}), and the chance that it is truly the better one "
            f"there is {of_hundred(found.p_better)}.",
            _range_sentence(found),
            _basis(found),
            verdict_on(found),
        ]
    )


def range_of(found: SeasonComparison) -> str:
    """Between which shares of rounds the true one lies on most new data sets: "7 to 100"."""
    low, high = found.p_win_new.low or 0.0, found.p_win_new.high
    return f"{end_of_hundred(low)} to {end_of_hundred(1.0 if high is None else high)}"


def _range_sentence(found: SeasonComparison) -> str:
    board = found.difference_new_board
    return (
        f"Data sets differ: on {level_words(found.level)} of new ones its true share of rounds won "
        f"lies between {range_of(found)} of 100 (true differences vary with a standard deviation "
        f"τ of {rounded(found.tau, '.2f')}), and a new board of this size would show a difference "
        f"of {interval_words(board.low, board.high)} in EPP."
    )


def _basis(found: SeasonComparison) -> str:
    start = f"This rests on {count(found.shared, 'data set')} that have both"
    if not found.separated:
        return f"{start}."
    return (
        f"{start}; on {found.separated:,} of them all matches went one way, directly or through "
        f"others, so that nobody knows how wide the gap is there."
    )


def verdict_on(found: SeasonComparison) -> str:
    """What follows for someone who has a new data set."""
    mean, new = found.mean_difference, found.p_win_new
    low, high = mean.low, mean.high
    if (low is None or low <= 0.0) and (high is None or high >= 0.0):
        return "So the data do not tell which of the two is better on average."
    ahead = found.a if mean.value > 0.0 else found.b
    sure = (new.low or 0.0) > 0.5 if mean.value > 0.0 else new.high is not None and new.high < 0.5
    if sure:
        return f"So {ahead} is the better one on nearly all data sets of this kind."
    return (
        f"So {ahead} is better on average, but which of the two is better on the next data set "
        f"stays open."
    )


def describe_new(found: Sequence[SeasonComparison]) -> str:
    """What a table of the leader against the others says."""
    if not found:
        return ""
    leader = found[0].a
    sure = [one.b for one in found if one.p_better >= SURE]
    if len(sure) == len(found):
        return f"{leader} is truly the better one on a new data set against each of the others with a chance above {percent(SURE)}."
    if not sure:
        return f"Against none of the others is {leader} the better one on a new data set with a chance above {percent(SURE)}."
    listed = ", ".join(sure[:NAMES_SHOWN])
    rest = len(sure) - NAMES_SHOWN
    more = f" and {rest:,} more" if rest > 0 else ""
    return (
        f"With a chance above {percent(SURE)}, {leader} is truly the better one on a new data set "
        f"against {len(sure):,} of the {len(found):,} others: {listed}{more}."
    )


SURE = 0.95
"""Chance of being the better one from which on a table speaks of it in words."""


# Who took part ------------------------------------------------------------------------------------


def describe_presence(found: Presence) -> str:
    """How full the table is, and who is in most of it."""
    players, tournaments = len(found.players), len(found.tournaments)
    if found.there.all():
        return f"All {players:,} players have results on all {count(tournaments, 'data set')}."
    start = f"{percent(found.filled)} of the pairs of a player and a data set have results" + (
        "" if found.filled_by_family is None else f", by family {percent(found.filled_by_family)}"
    )
    everywhere = found.everywhere
    if everywhere:
        listed = ", ".join(everywhere[:NAMES_SHOWN])
        rest = len(everywhere) - NAMES_SHOWN
        more = f" and {rest:,} more" if rest > 0 else ""
        verb = "is" if len(everywhere) == 1 else "are"
        return f"{start}; {count(len(everywhere), 'player')} {verb} everywhere: {listed}{more}."
    name, number = found.most(1)[0]
    return f"{start}; nobody is everywhere, and {name} on the most data sets ({number:,})."
