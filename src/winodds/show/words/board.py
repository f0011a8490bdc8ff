"""What there is to say of a leaderboard, in sentences."""

from winodds.arrays import EQUAL, order_of
from winodds.board.bootstrap import Bootstrap
from winodds.board.comparisons import make_estimates
from winodds.board.errors import NoCompleteRounds
from winodds.board.leaderboard import Leaderboard
from winodds.inference.contrasts import told_apart
from winodds.inference.friedman import Friedman, nemenyi_critical_difference
from winodds.language.nouns import Nouns
from winodds.language.words import count, level_words, list_some, rounded
from winodds.show.words.best import short_luck
from winodds.show.words.fit import short_fit
from winodds.show.words.verdicts import (
    describe_chance,
    describe_copies,
    describe_record,
    of_hundred,
    p_words,
)

NOT_TOLD_APART = "the data cannot tell {} apart"
SAME_CHANCE = 0.03
"""Chances of being best that differ by less may be the same but for the draws."""


def elo_legend(nouns: Nouns) -> str:
    """What the Elo scale says."""
    return (
        f"Elo: the average {nouns.player}, or the reference, has 1500; 400 more are odds of 10 to "
        f"1."
    )


def headline(board: Leaderboard) -> str:
    """What was rated: "digits: 20 players, 20 rounds, 3,800 matches; higher auc is better"."""
    return f"{board.tournament}: {rated_words(board)}" if board.tournament else rated_words(board)


def rated_words(board: Leaderboard) -> str:
    """The same without the name of the tournament."""
    how, nouns = board.how, board.how.nouns
    parts = [nouns.player.count(len(board))]
    if how.interval.cluster == "tournament":
        parts.append(nouns.tournament.count(how.interval.clusters))
    elif how.interval.cluster not in ("round", "battle"):
        parts.append(count(how.interval.clusters, "cluster"))
    if how.matches.rounds is not None:
        parts.append(nouns.round.count(how.matches.rounds))
    parts.append(count(how.matches.count, "match", "matches"))
    score = how.scheme.column("score")
    better = {
        "higher": f"; higher {score} is better",
        "lower": f"; lower {score} is better",
        "differs by round": f"; what is better differs by {nouns.round}",
    }.get(str(how.scheme.better), "")
    return f"{', '.join(parts)}{better}"


def describe_board(board: Leaderboard) -> list[str]:
    """What there is to say below the table."""
    sentence = describe_top(board)
    lines = [] if sentence is None else [sentence]
    if board.detailed:
        lines += _describe_first(board) if board.whole else []
    if board.assessed:
        lines.append(short_fit(board.quality()))
    return lines


def _describe_first(board: Leaderboard) -> list[str]:
    """Who could be best, and how much of the first place is luck, if all are on one scale."""
    if not board.has_one_scale:
        return []
    return [describe_best(board), *filter(None, [short_luck(board.sota())])]


def describe_best(board: Leaderboard) -> str:
    """Who could truly be the best, and who most likely is."""
    details, error = board.details(), level_words(1.0 - board.how.interval.level)
    names, likeliest = details.could_be_best, _likeliest(board)
    first = float(details.p_best.max())
    if len(names) == 1 and first > 0.5:
        return f"Only {names[0]} could truly be the best ({of_hundred(first)})."
    if len(names) == 1:
        return f"Everyone but {names[0]} is excluded from being the best at {error}; {likeliest}."
    if len(names) == len(board):
        return f"Nobody can be excluded from being the best at {error}; {likeliest}."
    listed = list_some(names)
    return f"{len(names):,} of {len(board):,} could truly be the best: {listed}; {likeliest}."


def _likeliest(board: Leaderboard) -> str:
    """Who is the best most likely, unless draws alone may have put that player before another."""
    chances = board.details().p_best
    order = order_of(-chances)
    top = int(order[0])
    if len(board) > 1 and chances[top] - chances[int(order[1])] < SAME_CHANCE:
        return "nobody is clearly the likeliest"
    lower = ", though not the highest rated," if board.standings.rank[top] > 1 else ""
    return f"the likeliest{lower} is {board.players[top]} ({of_hundred(float(chances[top]))})"


def describe_top(board: Leaderboard) -> str | None:
    """How the first player does against the second, in words."""
    if len(board) < 2 or not board.comparable(*board.players[:2]):
        return None
    return describe_duel(board, *board.players[:2])


def describe_duel(board: Leaderboard, a: str, b: str) -> str:
    """How often one player beats another in new rounds, and whether the data can tell."""
    if board.identical(a, b):
        return describe_copies(a, b, board.how.nouns)
    found = board.differences([a], [b])
    difference, chance, _ = make_estimates(found)
    interval, matches = board.how.interval, board.how.matches
    new, record, both = board.how.new_tournaments, board.record(a, b), "them"
    leads = record is not None and record.leads
    if abs(difference.value) < EQUAL and not leads:
        return f"{a} and {b} are rated equal."
    if record is not None and leads:
        both = "their ratings"
        sentence = describe_record(
            a,
            b,
            board.duel(a, b),
            record,
            kind=matches.kind,
            new_tournaments=new,
            level=interval.level,
            nouns=board.how.nouns,
        )
    else:
        sentence = describe_chance(
            a,
            b,
            difference,
            chance,
            kind=matches.kind,
            new_tournaments=new,
            ties=matches.ties > 0,
            level=interval.level,
            nouns=board.how.nouns,
        )
    apart = told_apart(found.p_value, interval.level)[0]
    end = "" if apart else f"; {NOT_TOLD_APART.format(both)}"
    return f"{sentence}{end}."


def explain_letters(board: Leaderboard) -> str:
    """What letters and quasi-errors say."""
    players = board.how.nouns.players
    start = (
        f"{players[0].upper()}{players[1:]} who share a sign in the last column cannot be told "
        f"apart."
    )
    worst = board.details().quasi_worst
    if worst is None:
        return start
    off = max(map(abs, worst))
    return (
        f"{start} Quasi-errors are model-based, as papers print them: the root of the sum of two "
        f"squares is about the model's error of a difference (for the worst pair off by "
        f"{rounded(100 * off, '.0f')}%), and the error that intervals and tests use is no smaller."
    )


def friedman_of(board: Leaderboard) -> Friedman | None:
    """Friedman's test where there are rounds for it."""
    try:
        return board.friedman()
    except NoCompleteRounds:
        return None


def rank_tests(board: Leaderboard) -> list[str]:
    """What readers of mean ranks expect, in a sentence."""
    nouns = board.how.nouns
    test = friedman_of(board)
    if test is None:
        return []
    numerator, denominator = test.iman_davenport_df
    distance = nemenyi_critical_difference(test.players, test.rounds, board.how.interval.level)
    unit = board.how.interval.cluster
    skipped = (board.how.matches.rounds or 0) - test.rounds if unit == "round" else 0
    some = (
        f", without the {nouns.round.count(skipped)} in which somebody is missing"
        if skipped
        else ""
    )
    over = nouns.unit(unit).count(test.rounds)
    return [
        f"Mean ranks over {over}{some}: Friedman χ²({test.df}) = "
        f"{rounded(test.statistic, '.2f')}, {p_words(test.p_value)} (without the correction for "
        f"ties {rounded(test.uncorrected, '.2f')}); Iman and Davenport "
        f"F({numerator}, {denominator}) = {rounded(test.iman_davenport, '.2f')}, "
        f"{p_words(test.iman_davenport_p)}; Nemenyi's critical difference of mean ranks at "
        f"{level_words(board.how.interval.level)} is {rounded(distance, '.2f')}."
    ]


def describe_bootstrap(board: Leaderboard, found: Bootstrap) -> str:
    """What was done, and what it is good for."""
    nouns = board.how.nouns
    unit = nouns.unit(board.how.interval.cluster).many
    clusters = board.how.interval.clusters
    return (
        f"{count(len(found.ratings), 'replicate')}, each of {clusters:,} {unit} drawn with "
        f"replacement (seed {found.seed}). 'First in' is the share of them in which "
        f"{nouns.player.a} is rated highest, not its chance of being best. Percentile intervals "
        f"show how much these {unit} decide; they have no open ends. When {unit} are few, such "
        f"intervals are too narrow and lie too far out; those of 'winodds rate' were checked for "
        f"that."
    )
