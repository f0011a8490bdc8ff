"""The verdict on a candidate in plain words."""

from math import ceil, log10

from winodds.arrays import EQUAL
from winodds.board.comparisons import Estimate
from winodds.board.gate import Gate
from winodds.language.nouns import Noun
from winodds.language.words import level_words, rounded, settle

HEADS = {
    "better": "Better",
    "no worse": "No worse than the margin",
    "worse": "Worse",
    "cannot tell": "Cannot tell",
}
MOST_DIGITS = 6


def headline(found: Gate) -> str:
    """The verdict in a few words."""
    return HEADS[found.verdict]


def describe_gate(found: Gate) -> str:
    """The verdict, what it rests on, and what would be needed, in one paragraph."""
    said = [f"{headline(found)}: {_finding(found)}.", _about_margin(found)]
    if found.verdict == "cannot tell":
        said.append(_needed_sentence(found))
    return " ".join(filter(None, said))


def _finding(found: Gate) -> str:
    if found.margin_on == "score":
        return _score_words(found)
    half = "a tie counts half; " if found.rounds.tied else ""
    value, low, high = win_rate_words(found)
    if float(value) == 50.0:
        return (
            f"{found.candidate} is level with {found.baseline} in new {played(found)} ({value} of "
            f"100; {half}{level_words(found.level)} interval {low} to {high})"
        )
    return (
        f"{found.candidate} beats {found.baseline} in {value} of 100 new {played(found)} ({half}"
        f"{level_words(found.level)} interval {low} to {high})"
    )


def _score_words(found: Gate) -> str:
    difference, digits = found.difference, score_digits(found)
    assert difference is not None
    assert found.mean_candidate is not None
    assert found.mean_baseline is not None
    size = rounded(abs(difference.value), f".{digits}f")
    how = "as well as" if float(size) == 0.0 else f"{size} {_better(difference)} than"
    means = (found.mean_candidate, found.mean_baseline)
    own, other = (rounded(mean, f".{digits}f") for mean in means)
    return (
        f"{found.candidate} scores {how} {found.baseline} on average ({own} against {other}, "
        f"{found.better_is} is better; {level_words(found.level)} interval of the difference "
        f"{difference_ends(found)})"
    )


def _better(difference: Estimate) -> str:
    return "better" if difference.value > 0.0 else "worse"


def difference_ends(found: Gate) -> str:
    """The ends of the interval of the difference; positive is better."""
    assert found.difference is not None
    form = f".{score_digits(found)}f"
    low, high = found.difference.low, found.difference.high
    begin = "-∞" if low is None else rounded(low, form)
    return f"{begin} to {'∞' if high is None else rounded(high, form)}"


def played(found: Gate) -> str:
    """What the two met in."""
    return _played(found).many


def _played(found: Gate) -> Noun:
    battles = found.mean_candidate is None and found.unit == "battle"
    return found.nouns.won("battles") if battles else found.nouns.round


def win_rate_words(found: Gate) -> tuple[str, str, str]:
    """Win rate and ends of its interval as so many of 100, with a digit more where a limit is near.

    An end is never printed as the limit that it does not reach, or as one beyond it.
    """
    ends = [found.p_win.value, found.p_win.low or 0.0, found.p_win.high or 0.0]
    limits = [0.5]
    if found.margin_on == "win rate":
        limits.append(0.5 - found.margin)
    digits = _telling(ends, limits, 3)
    form = f".{digits - 2}f"
    value, low, high = (rounded(100.0 * end, form) for end in ends)
    return value, low, high


def score_digits(found: Gate) -> int:
    """Digits after the point with which a difference of scores is printed."""
    assert found.difference is not None
    ends = [found.difference.value, found.difference.low, found.difference.high]
    known = [end for end in ends if end is not None]
    size = max((abs(end - known[0]) for end in known[1:]), default=0.0) or abs(known[0]) or 1.0
    usual = min(max(1 - ceil(log10(settle(size))) + 1, 0), 12)
    limits = [0.0, *([-found.margin] if found.margin_on == "score" else [])]
    return _telling(known, limits, usual)


def _telling(values: list[float], limits: list[float], digits: int) -> int:
    """Digits with which no number is printed as a limit that it is not."""
    for more in range(MOST_DIGITS):
        form = f".{digits + more}f"
        printed = [(value, rounded(value, form)) for value in values]
        if all(
            abs(value - limit) < EQUAL or text != rounded(limit, form)
            for value, text in printed
            for limit in limits
        ):
            return digits + more
    return digits + MOST_DIGITS


# The margin ---------------------------------------------------------------------------------------


def margin_words(found: Gate) -> str:
    """Where the margin lies: "45 of 100", or "0.01 of the score".

    >>> from types import SimpleNamespace
    >>> margin_words(SimpleNamespace(margin_on="win rate", margin=0.05))
    '45 of 100'
    """
    if found.margin_on == "score":
        return f"{found.margin:g} of the score"
    return f"{settle(100.0 * (0.5 - found.margin)):g} of 100"


def _about_margin(found: Gate) -> str:
    where = margin_words(found)
    margin = f"the margin of {where}" if found.margin_given else f"the usual margin of {where}"
    if found.verdict == "no worse":
        start = f"The interval lies above {margin}."
        return f"{start} It is worse, but by less." if found.certainly_below else start
    if found.verdict == "cannot tell":
        return f"It may be better, and it may be below {margin}."
    if found.verdict == "better":
        return ""
    low, high = found.deciding.low, found.deciding.high
    limit = found.equality - found.margin
    if high is not None and high < limit:
        return f"The interval lies below {margin}."
    if low is not None and low > limit:
        return f"It lies above {margin}, but nobody chose that, and so any loss is too much."
    return f"Whether it is also below {margin}, the data cannot tell."


# What would be needed -----------------------------------------------------------------------------


def needed_words(found: Gate) -> str:
    """Further rounds that would decide, in a few words."""
    if found.verdict != "cannot tell":
        return "none"
    if found.rounds_needed is None:
        return "no number would do"
    return f"about {found.rounds_needed:,} for {100.0 * found.power:g}% power"


def _needed_sentence(found: Gate) -> str:
    nouns = found.nouns
    if found.rounds_needed is None:
        return _why_never(found)
    rounds = _played(found).count(found.rounds_needed, "more")
    like = ""
    if found.unit not in ("round", "battle"):
        like = f", as many to {nouns.unit(found.unit).a} as now,"
    return (
        f"If the truth is what it seems, about {rounds}{like} would decide with "
        f"{100.0 * found.power:g}% power."
    )


def _why_never(found: Gate) -> str:
    if abs(found.deciding.value - found.equality) < EQUAL and found.margin == 0.0:
        return f"They are equal so far and the margin is 0, so no number of {played(found)} would."
    if found.deciding.low is None:
        return f"How many {played(found)} would decide cannot be said from these."
    return f"No number of {played(found)} would, because splits that share training data agree."
