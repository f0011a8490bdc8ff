"""What a season tells, in sentences that a benchmark's maintainer could publish."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.special import expit

from winodds.arrays import at_least, order_of
from winodds.board.importance import FamilyImportance, Importance, Share
from winodds.board.leaderboard import Leaderboard
from winodds.board.relation import Relation
from winodds.language.nouns import HOUSE, Nouns
from winodds.language.words import (
    NAMES_SHOWN,
    capital,
    count,
    level_words,
    list_some,
    percent,
    rounded,
)
from winodds.season.chances import MeanChance
from winodds.season.comparisons import SeasonComparison
from winodds.season.families import FamilyTable
from winodds.season.fits import Fits
from winodds.season.map import OddQuestion, OddTournaments, TournamentDistances
from winodds.season.presence import Presence
from winodds.season.standing import SeasonRow
from winodds.season.tunability import FamilyGain, Tunability
from winodds.show.words.verdicts import (
    end_of_hundred,
    interval_words,
    is_level,
    of_hundred,
)

MANY_FIRST = 3
"""Players who are named with the number of boards that they lead."""


def headline(boards: Mapping[str, Leaderboard], players: int) -> str:
    """What was rated: "35 data sets: 7 players, 10 rounds each"."""
    nouns = next(iter(boards.values())).how.nouns
    rounds = sorted({board.how.matches.rounds or 0 for board in boards.values()})
    each = f"{nouns.round.count(rounds[0])} each" if len(rounds) == 1 else ""
    span = each or f"{rounds[0]:,} to {rounds[-1]:,} {nouns.rounds}"
    return f"{nouns.data_set.count(len(boards))}: {nouns.player.count(players)}, {span}"


# Who leads ----------------------------------------------------------------------------------------


def describe_leaders(rows: Sequence[SeasonRow], tournaments: int, *, nouns: Nouns = HOUSE) -> str:
    """Who is rated first, and on how many data sets."""
    first = np.array([row.first for row in rows])
    winners = [rows[k] for k in np.argsort(-first, kind="stable").tolist() if first[k]]
    top, *others = winners
    data_sets = nouns.data_set.count(tournaments)
    if not others:
        return f"{top.player} is rated first on every one of {data_sets}."
    if all(row.first == tournaments for row in winners):
        return f"{_join([row.player for row in winners])} share the first place on {data_sets}."
    listed = [f"{top.player} is rated first on {top.first:,}"]
    listed += [f"{row.player} on {row.first:,}" for row in others[:MANY_FIRST]]
    rest = len(others) - MANY_FIRST
    listed += [f"{count(rest, 'other')} on no more than that"] if rest > 0 else []
    shared = " (shared places count for each)" if first.sum() > tournaments else ""
    return f"Of {data_sets}, {_join(listed)}{shared}."


def _join(words: Sequence[str]) -> str:
    """Words in a row: "a, b and c"; of many only the first."""
    shown = list(words[:NAMES_SHOWN])
    rest = len(words) - len(shown)
    shown += [f"{rest:,} more"] if rest else []
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def describe_together(board: Leaderboard) -> str:
    """What the board of all data sets together says, and what its interval is not for."""
    nouns = board.how.nouns
    first = _join([one.player for one in board.rows if one.rank == 1])
    return (
        f"All {nouns.data_sets} together put {first} first, with {_rated_words(board)}. That "
        f"interval is for the mean over {nouns.data_sets} of this kind, not for any one of them."
    )


def _rated_words(board: Leaderboard) -> str:
    """The first rating with its interval, on the board's scale (Elo has no more to say here)."""
    row, level = board.rows[0], level_words(board.how.interval.level)
    if board.how.scale != "win-rate":
        ends = interval_words(row.low, row.high)
        return f"an EPP of {rounded(row.epp, '.2f')} ({level} interval {ends})"
    low = "0" if row.low is None else end_of_hundred(float(expit(row.low)), inside=True)
    high = "100" if row.high is None else end_of_hundred(float(expit(row.high)), inside=True)
    zero = board.how.reference or board.how.nouns.average(board.how.averaged)
    share = of_hundred(float(expit(row.epp)))
    return f"{share} wins against {zero} ({level} interval {low} to {high})"


# On a new data set --------------------------------------------------------------------------------


def describe_pair(found: SeasonComparison) -> str:
    """How one player does against another on a new data set, in one paragraph."""
    nouns = found.nouns
    level = level_words(found.level)
    ends = f"{end_of_hundred(found.p_win_round.low or 0.0, inside=True)} to "
    ends += end_of_hundred(found.p_win_round.high or 0.0, inside=True)
    return " ".join(
        [
            f"On a new {nouns.data_set}, {_won_there(found)} ({level} interval {ends}), and the "
            f"chance that it is truly the better one there is {of_hundred(found.p_better)}.",
            _range_sentence(found),
            _basis(found),
            verdict_on(found),
        ]
    )


def _won_there(found: SeasonComparison) -> str:
    """What share of rounds one player wins against another, on average over new data sets."""
    share, rounds = of_hundred(found.p_win_round.value), found.nouns.rounds
    if is_level(found.p_win_round.value):
        return f"{found.a} is level with {found.b}: it wins {share} {rounds}"
    return f"{found.a} beats {found.b} in {share} {rounds}"


def range_of(found: SeasonComparison) -> str:
    """Between which shares of rounds the true one lies on most new data sets: "7 to 100"."""
    return " to ".join(_ends_of(found))


def _ends_of(found: SeasonComparison) -> tuple[str, str]:
    low, high = found.p_win_new.low, found.p_win_new.high
    return end_of_hundred(low or 0.0), end_of_hundred(1.0 if high is None else high)


def _range_sentence(found: SeasonComparison) -> str:
    nouns = found.nouns
    board = found.difference_new_board
    tau = rounded(found.tau, ".2f")
    start, why = (
        f"{capital(nouns.data_sets)} differ: on",
        f"true differences vary with a standard deviation τ of {tau}",
    )
    if tau == "0.00":
        start = f"{capital(nouns.data_sets)} differ no more than luck would make them: on"
        why = "so the standard deviation τ of true differences is taken as 0"
    return (
        f"{start} {level_words(found.level)} of new ones its true share of {nouns.rounds} won lies "
        f"between {' and '.join(_ends_of(found))} of 100 ({why}), and a new board of this size "
        f"would show a difference of {interval_words(board.low, board.high)} in EPP."
    )


def _basis(found: SeasonComparison) -> str:
    nouns = found.nouns
    start = f"This rests on {nouns.data_set.count(found.shared)} that have both"
    if not found.separated:
        return f"{start}."
    return (
        f"{start}; on {found.separated:,} of them all matches went one way, directly or through "
        f"others, so that nobody knows how wide the gap is there."
    )


def verdict_on(found: SeasonComparison) -> str:
    """What follows for someone who has a new data set, from the intervals that are printed."""
    nouns = found.nouns
    ahead = _ahead(found)
    likely = found.a if found.p_better >= SURE else found.b if found.p_better <= 1 - SURE else None
    if ahead is None and likely is None:
        return "So the data do not tell which of the two is better on average."
    if ahead is None:
        return (
            f"So {likely} is likely the better one, but the data do not settle which of the two is "
            f"better on average."
        )
    low, high = found.p_win_new.low, found.p_win_new.high
    if (low or 0.0) > 0.5 if ahead == found.a else high is not None and high < 0.5:
        return f"So {ahead} is the better one on nearly all {nouns.data_sets} of this kind."
    if ahead == likely:
        return f"So {ahead} is better on average, and likely on the next {nouns.data_set}, too."
    return (
        f"So {ahead} is better on average, but which of the two is better on the next "
        f"{nouns.data_set} stays open."
    )


def _ahead(found: SeasonComparison) -> str | None:
    """Who wins more than half of the rounds of new data sets, if the data tell that."""
    won, mean = found.p_win_round, found.mean_difference
    if (won.low or 0.0) > 0.5 and mean.low is not None:
        return found.a
    return found.b if won.high is not None and won.high < 0.5 and mean.high is not None else None


def describe_new(found: Sequence[SeasonComparison], *, left_out: int = 0) -> str:
    """What a table of the leader against the others says; so many of these are not in it."""
    nouns = found[0].nouns
    leader, sure = found[0].a, [one.b for one in found if one.p_better >= SURE]
    start = (
        f"is truly the better one on a new {nouns.data_set} with a chance of {percent(SURE)} or "
        f"more"
    )
    others = "the others that it can be compared with" if left_out else "the others"
    if len(sure) == len(found):
        return f"Against each of {others}, {leader} {start}."
    if not sure:
        return f"Against none of {others} {leader} {start}."
    rest = [one.b for one in found if one.p_better < SURE]
    unsure = rest[0] if len(rest) == 1 else "the others"
    return f"{leader} {start} against {list_some(sure)}; against {unsure} that is less sure."


SURE = 0.9
"""Chance of being the better one from which on it is told in words."""


# Who took part ------------------------------------------------------------------------------------


def describe_presence(found: Presence) -> str:
    """How full the table is, and who is in most of it."""
    nouns = found.nouns
    players, tournaments = len(found.players), len(found.tournaments)
    if found.there.all():
        where = (
            f"both {nouns.data_sets}"
            if tournaments == 2
            else f"all {nouns.data_set.count(tournaments)}"
        )
        return f"All {players:,} {nouns.players} have results on {where}."
    by_family = found.filled_by_family
    filled = percent(found.filled)
    start = (
        f"{filled[0].upper()}{filled[1:]} of the pairs of {nouns.player.a} and {nouns.data_set.a} "
        f"have results"
    )
    start += "" if by_family is None else f", by family {percent(by_family)}"
    if found.everywhere:
        verb = "is" if len(found.everywhere) == 1 else "are"
        everywhere = nouns.player.count(len(found.everywhere))
        return f"{start}; {everywhere} {verb} everywhere: {list_some(found.everywhere)}."
    name, number = found.most(1)[0]
    return f"{start}; nobody is everywhere, and {name} on the most {nouns.data_sets} ({number:,})."


# Families -----------------------------------------------------------------------------------------


def describe_families(found: FamilyTable) -> str:
    """Which family's best is best, judged on rounds that it was not picked on."""
    nouns = found.nouns
    first = found.families[0]
    start = (
        f"The best of {first} wins {_mean_words(found.mean(first))} {nouns.rounds} of a new data "
        f"set against another {nouns.player}"
    )
    if len(found.families) == 1:
        return f"{start}."
    second = found.families[1]
    pair = found.pair(first, second)
    if pair.p_win.value is None:
        return f"{start}."
    return (
        f"{start}; against the best of {second} it wins {_mean_words(pair.p_win)}. Who is the best "
        f"of a family is decided on other {nouns.rounds} than those that count, so that large "
        f"families gain nothing from their luck."
    )


def _mean_words(found: MeanChance) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "" if found.value is None else of_hundred(found.value)
    low, high = (end_of_hundred(end, inside=True) for end in (found.low, found.high))
    return f"{of_hundred(found.value)} ({low} to {high})"


def describe_tuning(found: Tunability) -> str:
    """What to tune first, and where to leave the default."""
    nouns = found.nouns
    base = "median setting" if found.by_median else "default"
    worth = [one for one in found.families if _gains(one)]
    others = [one.family for one in found.families if not _gains(one)]
    absent = _not_tuned(found)
    if not worth:
        return (
            f"Of no family it is sure that tuning gains anything: the interval of the chance that "
            f"its best setting beats its {base} holds one half, or there is none.{absent}"
        )
    first = worth[0]
    start = (
        f"Tune {first.family} first: its best setting beats its {base} in "
        f"{_mean_words(first.p_win)} {nouns.rounds} of a new {nouns.data_set}, judged on "
        f"{nouns.rounds} that it was not picked on (its ratings at face value say "
        f"{of_hundred(first.plug_in)})."
    )
    if worth[1:]:
        listed = _join([f"{one.family} with {_mean_words(one.p_win)}" for one in worth[1:]])
        start += f" Then {'comes' if len(worth) == 2 else 'come'} {listed}."
    if not others:
        return f"{start}{absent}"
    return (
        f"{start} Of {list_some(others)} it is not sure that the best setting is better than the "
        f"{base}: leave it there, or measure more.{absent}"
    )


def _not_tuned(found: Tunability) -> str:
    """Which families were not looked at, to go after another sentence."""
    nouns = found.nouns
    said = ""
    if found.without_default:
        said += f" Families without a default are left out: {list_some(found.without_default)}."
    if found.single:
        beside = "" if found.by_median else " beside their default"
        said += (
            f" So are those without another setting{beside} on any {nouns.data_set}:"
            if said
            else (
                f" Families without another setting{beside} on any {nouns.data_set} are left out:"
            )
        )
        said += f" {list_some(found.single)}."
    return said


def _gains(one: FamilyGain) -> bool:
    return one.p_win.low is not None and one.p_win.low > 0.5


# Scores -------------------------------------------------------------------------------------------


def describe_relations(found: Mapping[str, Relation], nouns: Nouns = HOUSE) -> str:
    """Along which shape mean scores go with ratings, and who is far from it."""
    told = {name: one for name, one in found.items() if one.curve is not None}
    if not told:
        return ""
    bent = sum(one.shape == "S-shaped" for one in told.values())
    where = f"{bent:,} of {nouns.data_set.count(len(told))}"
    start = f"Mean scores go with ratings along an S rather than a line on {where}"
    if not bent:
        start = f"On no {nouns.data_set} mean scores go with ratings along an S rather than a line"
    off = [
        f"{one.player} on {name}" for name, own in told.items() for one in own.off if one.unstable
    ]
    if not off:
        return f"{start}."
    return (
        f"{start}. Scores that are unstable over {nouns.rounds} put the mean of these far from "
        f"their rating: {list_some(off)}."
    )


# Data sets ----------------------------------------------------------------------------------------


def describe_odd(found: OddTournaments) -> str:
    """Which data sets reverse the order of the others, or that none does."""
    nouns = found.nouns
    everyone = found.questions[0]
    if found.reversed:
        told = [
            _reversed(one, nouns) for one in found.questions if any(a.reversed for a in one.answers)
        ]
        return (
            f"Odd among the {nouns.data_sets}, with the mean correlation of their {nouns.rounds} "
            f"with the others: {'; '.join(told)}."
        )
    start = f"No {nouns.data_set} reverses the order in which the others have the {nouns.players}"
    start += " or those of a family" if len(found.questions) > 1 else ""
    start += " of three or more" if len(found.questions) > 1 and found.not_asked else ""
    if any(question.not_asked for question in found.questions):
        start += ", as far as that can be asked"
    if not everyone.answers:
        return f"{start}."
    least = everyone.answers[0]
    return (
        f"{start}; {least.tournament} agrees least with them (mean correlation of its "
        f"{nouns.rounds} {rounded(least.correlation, '.2f')})."
    )


def _reversed(question: OddQuestion, nouns: Nouns) -> str:
    """Who reverses the order of whom."""
    odd = [answer for answer in question.answers if answer.reversed]
    whom = (
        f"the {nouns.players}"
        if question.family is None
        else f"the {nouns.players} of {question.family}"
    )
    listed = list_some([f"{one.tournament} ({rounded(one.correlation, '.2f')})" for one in odd])
    verb = "reverses" if len(odd) == 1 else "reverse"
    return f"{listed} {verb} the order in which the others have {whom}"


def describe_fits(found: Fits) -> str:
    """On how many data sets ratings explain who beats whom."""
    nouns = found.nouns
    if not found.boards:
        return ""
    judged = len(found.boards)
    start = (
        f"On {found.fitting:,} of {nouns.data_set.count(judged)} nothing speaks against ratings "
        f"that explain who beats whom (p above {found.limit:g})"
    )
    if judged < FEWEST_TO_COMPARE:
        return f"{start}."
    best, worst = found.boards[0].tournament, found.boards[-1].tournament
    return f"{start}; they do so best on {best} and worst on {worst}."


def describe_alike(found: TournamentDistances) -> str:
    """Which two data sets are most alike, and which is farthest from its nearest."""
    nearest = [near[0] for name in found.tournaments if (near := found.nearest(name, most=1))]
    if len(nearest) < FEWEST_TO_COMPARE:
        return ""
    squares = [gap.square for gap in nearest]
    if at_least(min(squares), max(squares)):
        return ""
    closest, loneliest = nearest[order_of(squares)[0]], nearest[order_of([-x for x in squares])[0]]
    return (
        f"By their ratings {closest.first} and {closest.second} are most alike, and "
        f"{loneliest.first} is farthest from its nearest neighbour, {loneliest.second}."
    )


FEWEST_TO_COMPARE = 3
"""Data sets from which on it means something that two are most alike."""


# Hyperparameters ----------------------------------------------------------------------------------


def describe_importance(found: Importance) -> str:
    """Which hyperparameter of each family matters most."""
    said = [sentence for one in found if (sentence := _matters(one))]
    said += [
        f"Of {family} nothing can be told: {reason[0].lower()}{reason[1:]}"
        for family, reason in found.refused.items()
    ]
    return " ".join(said)


def _matters(one: FamilyImportance) -> str:
    """What explains the ratings of a family's settings."""
    shares = one.overall.hyperparameters
    if not shares:
        return ""
    where = "" if one.family is None else f"In {one.family}, "
    level = [own for own in shares if own.rank == shares[0].rank]
    first, *others = shares
    said = [
        f"{where}{first.hyperparameters[0]} by itself explains {percent(first.share)} "
        f"({_ends(first)}) of the variance of true ratings"
    ]
    said += [f"{own.hyperparameters[0]} {percent(own.share)} ({_ends(own)})" for own in others[:2]]
    together = [own for own in one.overall.pairs if own.low > 0.0][:1]
    said += [
        f"{' with '.join(own.hyperparameters)} another {percent(own.share)}" for own in together
    ]
    if len(level) == 1:
        return f"{_join(said)}."
    names = _join([own.hyperparameters[0] for own in level])
    return f"{_join(said)}; which of {names} matters most is not told."


def _ends(own: Share) -> str:
    return f"{rounded(100 * own.low, '.0f')} to {rounded(100 * own.high, '.0f')}"
