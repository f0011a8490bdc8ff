"""Comparisons in plain words, for a terminal, a page or a paper."""

from winodds.arrays import EQUAL
from winodds.board.comparisons import Comparison, Comparisons, Estimate
from winodds.board.record import PairRecord
from winodds.inference.pairwise import Test
from winodds.language.nouns import HOUSE, Nouns
from winodds.language.words import (
    count,
    level_words,
    rounded,
    settle,
)
from winodds.matches.games import Duel

LOOSE = 1e-6
"""Difference of two shares below which matches weigh the same."""

MOST_ODDS = 1_000
"""Odds beyond which a number would say more than anybody knows."""

# Two players --------------------------------------------------------------------------------------


def describe_comparison(found: Comparison) -> str:
    """The outcome in one paragraph."""
    if found.identical:
        return describe_copies(found.a, found.b, found.nouns)
    said = _lead_sentences(found) if _leads(found) else [_odds_sentence(found), _record(found)]
    return " ".join([*said, _tests_sentence(found), _verdict(found)])


def _leads(found: Comparison) -> bool:
    return found.record is not None and found.record.leads


def describe_copies(a: str, b: str, nouns: Nouns = HOUSE) -> str:
    """Two players whom nothing tells apart."""
    return (
        f"{a} and {b} are identical: they have the same score in every {nouns.round} in which "
        f"either took part, and nothing in the data tells them apart."
    )


def describe_chance(
    a: str,
    b: str,
    difference: Estimate,
    chance: Estimate,
    *,
    kind: str,
    new_tournaments: bool,
    ties: bool,
    level: float,
    nouns: Nouns = HOUSE,
) -> str:
    """How often ratings let one player beat another, with an interval, to begin a sentence.

    ``kind`` are the matches: "within", "across" or "battles"; ``new_tournaments`` says whether the
    interval is for such.
    """
    half = "a tie counts half; " if ties else ""
    new = _new_matches(kind, nouns, new_tournaments=new_tournaments)
    ends = f"{level_words(level)} interval {_chance_range(difference, chance)}"
    if is_level(chance.value):
        return f"By their ratings, {a} is level with {b} in {new} ({LEVEL}; {half}{ends})"
    return f"By their ratings, {a} beats {b} in {of_hundred(chance.value)} {new} ({half}{ends})"


def describe_record(
    a: str,
    b: str,
    rounds: Duel,
    record: PairRecord,
    *,
    kind: str,
    new_tournaments: bool,
    level: float,
    nouns: Nouns = HOUSE,
) -> str:
    """What one player won against another, with an interval for the pair itself, and what their
    ratings say, to begin a sentence.
    """
    new = _new_matches(kind, nouns, new_tournaments=new_tournaments)
    rated = of_hundred(record.expected)
    if is_level(record.expected):
        rated = f"they are level, {LEVEL}"
    return (
        f"{a} {_won_words(rounds)} {nouns.won(kind).count(record.matches)} against "
        f"{b} ({_share_words(rounds, record)}{level_words(level)} interval "
        f"{_share_range(record)} of 100 {new}); by their ratings "
        f"{rated}"
    )


def _new_matches(kind: str, nouns: Nouns, *, new_tournaments: bool) -> str:
    """What is new, by the kind of matches: "new rounds of new tournaments"."""
    return f"new {nouns.won(kind).many}{f' of new {nouns.tournaments}' if new_tournaments else ''}"


def _chance_range(difference: Estimate, chance: Estimate) -> str:
    """Ends of a chance as so many of 100; none and all are ends that are open as a difference."""
    low = end_of_hundred(chance.low or 0.0, inside=difference.low is not None)
    high = end_of_hundred(chance.high or 0.0, inside=difference.high is not None)
    return f"{low} to {high}"


def _share_range(record: PairRecord) -> str:
    return f"{end_of_hundred(record.low)} to {end_of_hundred(record.high)}"


def _won_words(rounds: Duel) -> str:
    if not rounds.tied:
        return f"won {rounds.won:,} of"
    return f"won {rounds.won:,}, lost {rounds.lost:,} and tied {rounds.tied:,} of"


def _share_words(rounds: Duel, record: PairRecord) -> str:
    """What the bare numbers do not say: how ties count, and that matches weigh differently."""
    half = "a tie counts half; " if rounds.tied else ""
    plain = (rounds.won + 0.5 * rounds.tied) / record.matches
    weighed = abs(plain - record.won) > LOOSE
    return f"{half}{f'by weight {of_hundred(record.won)}; ' if weighed else ''}"


def end_of_hundred(chance: float, *, inside: bool = False) -> str:
    """An end of an interval in percent; 0 and 1 are ends that are open, unless it is ``inside``.

    >>> [end_of_hundred(chance) for chance in (0.0, 0.004, 0.451, 0.9999, 1.0)]
    ['0', '<1', '45', '>99', '100']
    >>> end_of_hundred(0.0, inside=True), end_of_hundred(1.0, inside=True)
    ('<1', '>99')
    """
    chance = settle(chance)
    if not inside and chance in (0.0, 1.0):
        return f"{100.0 * chance:.0f}"
    if chance < 0.01:
        return "<1"
    return ">99" if chance > 0.99 else rounded(100.0 * chance, ".0f")


def _odds_sentence(found: Comparison) -> str:
    start = describe_chance(
        found.a,
        found.b,
        found.difference,
        found.p_win,
        kind=found.kind,
        new_tournaments=_for_new_tournaments(found),
        ties=found.ties,
        level=found.level,
        nouns=found.nouns,
    )
    return f"{start}: {_difference_words(found)}."


def _lead_sentences(found: Comparison) -> list[str]:
    """Record before ratings, where the ratings do not explain it."""
    assert found.record is not None
    start = describe_record(
        found.a,
        found.b,
        found.rounds,
        found.record,
        kind=found.kind,
        new_tournaments=_for_new_tournaments(found),
        level=found.level,
        nouns=found.nouns,
    )
    both = f"{level_words(found.level)} interval {_chance_range(found.difference, found.p_win)}"
    why = "Ratings do not explain all of who beats whom here, so the record comes first."
    if found.record.differs:
        why = "Ratings do not explain the record of this pair, so it comes first."
    return [f"{start} ({both}): {_difference_words(found)}.", why]


def _for_new_tournaments(found: Comparison) -> bool:
    return found.test == "robust" and found.needed.unit == "tournament"


def _difference_words(found: Comparison) -> str:
    return (
        f"a difference of {rounded(found.difference.value, '.2f')} in EPP "
        f"({interval_words(found.difference.low, found.difference.high)}){_odds_part(found)}"
    )


def _odds_part(found: Comparison) -> str:
    """Odds, as far as they are known: across an open gap, only how large they are at least."""
    low, high = found.difference.low, found.difference.high
    if low is not None and high is not None:
        return f", odds of {odds_words(found.odds.value)}"
    if low is not None and low > 0.0:
        return f", odds of {_beyond('more', odds_words(found.odds.low or 0.0))}"
    if high is not None and high < 0.0:
        return f", odds of {_beyond('less', odds_words(found.odds.high or 0.0))}"
    return ""


def _beyond(more: str, odds: str) -> str:
    return odds if odds.startswith(more) else f"{more} than {odds}"


LEVEL = "50 of 100"


def is_level(chance: float) -> bool:
    """Whether a chance is printed as that of two who are level.

    >>> is_level(0.5), is_level(0.504), is_level(0.51)
    (True, True, False)
    """
    return of_hundred(chance) == LEVEL


def of_hundred(chance: float) -> str:
    """A chance as so many of 100, never all of them.

    >>> of_hundred(0.561), of_hundred(0.9999), of_hundred(0.0001)
    ('56 of 100', 'more than 99 of 100', 'fewer than 1 of 100')
    """
    chance = settle(chance)
    if 0.01 <= chance <= 0.99:
        return f"{rounded(100.0 * chance, '.0f')} of 100"
    return "more than 99 of 100" if chance > 0.5 else "fewer than 1 of 100"


def odds_words(odds: float) -> str:
    """Odds as people say them.

    >>> odds_words(1.3), odds_words(0.5), odds_words(250.0)
    ('1.3 to 1', '1 to 2.0', '250 to 1')
    >>> odds_words(1e9), odds_words(0.0)
    ('more than 1,000 to 1', 'less than 1 to 1,000')
    """
    odds = settle(odds)
    if 0.95 < odds < 1.05:
        return "1 to 1"
    if odds > MOST_ODDS:
        return f"more than {MOST_ODDS:,} to 1"
    if odds < 1.0 / MOST_ODDS:
        return f"less than 1 to {MOST_ODDS:,}"
    return f"{_short(odds)} to 1" if odds > 1.0 else f"1 to {_short(1.0 / odds)}"


def _short(value: float) -> str:
    value = settle(value)
    return rounded(value, ",.1f" if value < 99.95 else ",.0f")


def _record(found: Comparison) -> str:
    won, lost, tied = found.rounds.won, found.rounds.lost, found.rounds.tied
    total = won + lost + tied
    if total == 0:
        return "They never met; the comparison goes through others."
    assert found.record is not None
    ties = f" and tied {tied:,}" if tied else ""
    joint = ", " if tied else " and "
    itself = (
        f"for the pair itself, {_share_words(found.rounds, found.record)}"
        f"{level_words(found.level)} interval {_share_range(found.record)} of 100"
    )
    return (
        f"{found.a} won {won:,}{joint}lost {lost:,}{ties} of their "
        f"{found.nouns.won(found.kind).count(total)} ({itself})."
    )


def _tests_sentence(found: Comparison) -> str:
    tested = found.tested
    if tested.by == "signs":
        return f"{_signs_words(found)}."
    if found.test == "model":
        tests = f"{test_words(tested)}, the likelihood-ratio test "
        tests += test_words(found.likelihood_ratio)
        careful = "they take all matches as independent, which they are not"
        return f"The model-based Wald test gives {tests}; {careful}."
    if tested.law == "normal":
        why = "it takes matches as independent, which is the more careful test here"
        return f"The Wald test gives {test_words(tested)} ({why})."
    return f"The cluster-robust Wald test gives {test_words(tested)}."


def _signs_words(found: Comparison) -> str:
    """What the signs of clusters say, and where they have moved an end of the interval."""
    nouns = found.nouns
    units = nouns.unit(found.needed.unit).many
    moved = 0.0 in (found.difference.low, found.difference.high)
    why = ", which is why the interval ends at 0" if moved else ""
    if found.tested.statistic is None:
        return f"All {units} agree ({p_words(found.tested.p_value)} by their signs){why}"
    return f"The test by the signs of {units} gives {test_words(found.tested)}{why}"


def test_words(test: Test) -> str:
    """A test as papers print it.

    >>> test_words(Test(2.1, 18, 0.0501, "t")), test_words(Test(30.0, 1, 1e-9, "chi2"))
    ('t(18) = 2.10, p = 0.050', 'χ²(1) = 30.00, p < 0.001')
    >>> test_words(Test(2.1, 45.123, 0.0501, "t"))
    't(45.1) = 2.10, p = 0.050'
    """
    df = "" if test.df is None else rounded(test.df, ".1f").removesuffix(".0")
    law = {"t": f"t({df})", "normal": "z", "F": f"F(1, {df})", "chi2": f"χ²({df})"}[test.law]
    statistic = "∞" if test.statistic is None else rounded(test.statistic, ".2f")
    return f"{law} = {statistic}, {p_words(test.p_value)}"


def p_words(p: float) -> str:
    """A p-value, never rounded to 0.

    >>> p_words(0.0123), p_words(0.5289), p_words(2e-5)
    ('p = 0.012', 'p = 0.53', 'p < 0.001')
    """
    p = settle(p)
    if p < 0.001:
        return "p < 0.001"
    return f"p = {rounded(p, '.3f' if p < 0.0995 else '.2f')}"


def bare_p(p: float, *, tight: bool = True) -> str:
    """A p-value for a column of them.

    >>> bare_p(0.0123), bare_p(2e-5), bare_p(2e-5, tight=False)
    ('0.012', '<0.001', '< 0.001')
    """
    words = p_words(p).removeprefix("p ").removeprefix("= ")
    return words.replace("< ", "<") if tight else words


def _verdict(found: Comparison) -> str:
    better, worse = (found.a, found.b) if found.difference.value > 0.0 else (found.b, found.a)
    both = "their ratings" if _leads(found) else "them"
    if not found.told_apart:
        return f"The data cannot tell {both} apart; {_needed(found)}"
    if found.among is None or found.told_apart_among_all:
        return f"The data tell {both} apart: {better} is better than {worse}."
    start = f"Taken alone, the data tell {both} apart: {better} is better than {worse}."
    if found.among.withheld:
        chance = f"still the best with a chance of {of_hundred(found.among.p_best)}"
        return f"{start} Among all, {worse} is {chance}, so the board does not exclude it."
    adjusted = p_words(found.among.p_adjusted)
    return f"{start} Among all pairs of the board they do not ({adjusted})."


def _needed(found: Comparison) -> str:
    nouns = found.nouns
    needed, unit = found.needed, found.needed.unit
    if needed.total is None:
        return _why_never(found)
    total = nouns.unit(unit).count(needed.total)
    more = f", {needed.more:,} more than now," if needed.more else ""
    return (
        f"if the difference is what it seems, it takes about {total}{more} to show it with "
        f"{100.0 * needed.power:.0f}% power."
    )


def _why_never(found: Comparison) -> str:
    nouns = found.nouns
    units = nouns.unit(found.needed.unit).many
    if abs(found.difference.value) < EQUAL:
        return f"they are rated equal, so no number of {units} would."
    if None in (found.difference.low, found.difference.high):
        return f"how many {units} would cannot be said, because all matches went one way."
    return f"no number of {units} would, because splits that share training data agree anyway."


def interval_words(low: float | None, high: float | None) -> str:
    """Ends of an interval of ratings, None where they are open.

    >>> interval_words(-0.5, 1.0), interval_words(0.25, None)
    ('-0.50 to 1.00', '0.25 to ∞')
    """
    begin = "-∞" if low is None else rounded(low, ".2f")
    return f"{begin} to {'∞' if high is None else rounded(high, '.2f')}"


# All pairs ----------------------------------------------------------------------------------------

ADJUSTMENTS = {
    "holm": "Holm's adjustment: the chance of any false claim is at most {}",
    "bh": "Benjamini and Hochberg's adjustment: on average at most {} of the claims are false",
    "max-t": "the max-t adjustment by sign flips: the chance of any false claim is at most {}",
    "none": "no adjustment: each single claim is false with a chance of {} if nothing is there",
}


def describe_comparisons(found: Comparisons) -> str:
    """How many pairs are told apart, and by what."""
    apart = int(found.told_apart.sum())
    basis = "cluster-robust" if found.test == "robust" else "model-based"
    careful = "" if found.test == "robust" else " if matches were independent, which they are not"
    rule = ADJUSTMENTS[found.adjust].format(level_words(1.0 - found.level))
    verb = "is" if 1 in (apart, len(found)) else "are"
    return (
        f"{apart:,} of {count(len(found), 'pair')} {verb} told apart, by {basis} tests with "
        f"{rule}{careful}."
    )
