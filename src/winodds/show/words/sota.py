"""The state of the art in paragraphs."""

from collections.abc import Callable
from math import ceil, log10
from typing import TypeAlias

from winodds.language.words import count, level_words, quote
from winodds.sota.answer import Sota, WhatIf

Digits: TypeAlias = Callable[[float], str]
"""Writes a score."""

PERFORMANCE = {"accuracy": "accuracy", "auc": "AUC", "other": "performance"}
SOURCES = {
    "given": "as stated",
    "assumed": "an assumption",
    "similarity": "from the stated similarity",
    "items": "estimated from the results of single cases",
}
REASONS = {
    "missing": "without a score",
    "at_or_below_chance": "no better than guessing",
    "too_low_for_correlation": "too low to have this correlation with the best",
}
UNTUNED = (
    "Each entry was scored once. Entries that were chosen or tuned on the same test set have more "
    "luck than this takes out."
)


def describe_sota(found: Sota) -> str:
    """The answer in a paragraph."""
    if not found.explained:
        return _describe_refusal(found)
    kind, show = PERFORMANCE[found.metric], digits_of(found)
    assert found.sota is not None
    assert found.at_or_above is not None
    share = found.at_or_above / found.scored
    answer = f"the best entry's {kind} is estimated at {show(found.sota)}"
    if found.conservative:
        answer = f"the best entry's {kind}, estimated with caution, is {show(found.sota)}"
    ends = posterior_ends(found)
    if ends is not None:
        low, high = show(ends[0]), show(ends[1])
        level = level_words(found.level)
        answer = f"{answer}, and lies between {low} and {high} with probability {level}"
    side = "at least" if found.higher_is_better else "at most"
    return (
        f"The best of {_entries(found.scored)}{_winner(found)} scored "
        f"{show(found.observed_max)}, partly by luck: {answer}. "
        f"{_entries(found.at_or_above)} ({_percent(share)}) scored {side} that."
    )


def _percent(share: float) -> str:
    return "less than 1%" if 0.0 < share < 0.005 else f"{share:.0%}"


def _describe_refusal(found: Sota) -> str:
    show, usual = digits_of(found), found.face_value
    level = level_words(found.level)
    if found.posterior is not None:
        return (
            f"Multiplicity does not explain this maximum. Of {found.posterior.proposals:,} "
            f"simulated contests {found.posterior.accepted:,} resemble the observed one, worth "
            f"{found.posterior.ess:.0f} draws: too few to tell anything. The model cannot produce "
            f"a best score of {show(found.observed_max)} among such entries."
        )
    taking = found.scored - sum(found.excluded.values()) + found.excluded["missing"]
    return (
        f"Multiplicity does not explain this maximum. If {_entries(taking)} are drawn at random "
        f"from entries as good as these scored, the best is expected to score {show(usual.value)} "
        f"({level} interval {show(usual.low)} to {show(usual.high)}), and the best{_winner(found)} "
        f"scored {show(found.observed_max)}{_within(found)}. So luck does not lead one to expect "
        f"it, and there is no estimate. {_second(found)}"
    )


def _within(found: Sota) -> str:
    """A word on a best score that is more than to be expected, and still no surprise."""
    usual = found.face_value
    inside = usual.low <= found.observed_max <= usual.high
    side = "above" if found.higher_is_better else "below"
    return f", within that interval but {side} what is to be expected" if inside else ""


def _second(found: Sota) -> str:
    """Whether the best entry can be as good as the second, in words."""
    chance = found.p_second or 0.0
    words = "less than 0.0001" if chance < 1e-4 else f"{chance:.2g}"
    start = f"If it were only as good as the second, so high a score had probability {words}"
    if chance < 0.5 * (1.0 - found.level):
        return (
            f"{start}: it is better by more than luck, or something else is at work, such as test "
            f"cases that leaked."
        )
    return f"{start}, so it need not be better."


def posterior_ends(found: Sota) -> tuple[float, float] | None:
    drawn = found.posterior
    if drawn is None or drawn.low is None or drawn.high is None:
        return None
    return drawn.low, drawn.high


def _winner(found: Sota) -> str:
    return "" if found.winner is None else f", {quote(found.winner)},"


def _cases(number: int | None) -> str:
    return count(number or 0, "case")


def _entries(number: int) -> str:
    return count(number, "entry", "entries")


def assumptions(found: Sota) -> list[str]:
    """What the answer rests on, in sentences."""
    pair = found.correlation**2
    error = "" if found.correlation_se is None else f" ± {found.correlation_se:.2f}"
    common = "what makes a case easy" if found.metric == "accuracy" else "a common score"
    lines = [_test_set(found)]
    if found.correlation == 0.0:
        lines.append(f"Entries are independent ({SOURCES[found.correlation_from]}).")
    else:
        lines.append(
            f"Each entry has correlation {found.correlation:.3g}{error} with {common}, so any two "
            f"have {pair:.2g} ({SOURCES[found.correlation_from]})."
        )
    lines.append(_way(found))
    out = [f"{_entries(n)} {REASONS[reason]}" for reason, n in found.excluded.items() if n]
    if out:
        lines.append(f"Left out: {'; '.join(out)}.")
    return [*lines, UNTUNED]


def _test_set(found: Sota) -> str:
    if found.metric == "other":
        return f"A score has standard error {found.se:g} and a normal law."
    if found.metric == "auc":
        return (
            f"Test set of {_cases(found.n)}, {found.positives:,} of them positive; scores of cases "
            f"have a binormal law."
        )
    if found.classes is None:
        return f"Test set of {_cases(found.n)}."
    guess = 1.0 / found.classes
    return (
        f"Test set of {_cases(found.n)} and {found.classes:,} classes, so guessing is right in "
        f"{guess:.1%}."
    )


def _way(found: Sota) -> str:
    show = digits_of(found)
    if found.posterior is not None:
        drawn = found.posterior
        return (
            f"Posterior by approximate Bayesian computation: {drawn.accepted:,} of "
            f"{drawn.proposals:,} simulated contests accepted, worth {drawn.ess:,.0f} draws, with "
            f"a maximum within {drawn.epsilon:.2g} of the observed one."
        )
    level = level_words(found.level)
    aim = (
        f"so that the observed maximum is the upper end of the {level} interval of the best score"
        if found.conservative
        else "so that the observed maximum is to be expected"
    )
    if found.at_floor:
        aim = "which is as far as they can be"
    if found.weight is not None and found.floor is not None:
        return (
            f"Performances are the scores shrunken towards {show(found.floor)} by the weight "
            f"{found.weight:.4f}, {aim}."
        )
    if found.cut is not None:
        return f"Performances are the scores cropped at {show(found.cut)}, {aim}."
    return "Performances are drawn from the scores, with replacement, in each imagined contest."


def describe_what_if(found: WhatIf) -> str:
    """What the largest score would be, in a paragraph."""
    kind, digits = PERFORMANCE[found.metric], digits_of_law(found.sd)
    where = f" on {_cases(found.n)}" if found.n is not None else ""
    text = (
        f"If the best of {_entries(found.players)} has {kind} {found.theta:g}, the best score"
        f"{where} is expected to be {digits(found.expected_max)}: {digits(found.bias)} too much."
    )
    if found.better is None or found.p_better is None:
        return text
    return (
        f"{text} A new entry with {kind} {digits(found.better)}, the upper end of the interval of "
        f"a single score of {found.theta:g}, reaches that with probability {found.p_better:.2f}."
    )


def rests_on(found: WhatIf) -> str:
    spread = (
        f"Performances are uniform over a stretch of {found.spread:g}"
        if found.spread
        else "All entries are equally good"
    )
    related = (
        f"each has correlation {found.correlation:g} with a common variable, any two have "
        f"{found.correlation**2:.2g}"
        if found.correlation
        else "they are independent"
    )
    return f"{spread}; {related}."


def digits_of(found: Sota) -> Digits:
    """As many decimals as the spread of the best score deserves."""
    width = abs(found.face_value.high - found.face_value.low)
    return _digits(max(4 if found.metric != "other" else 0, ceil(1.5 - log10(width or 1e-4))))


def digits_of_law(sd: float) -> Digits:
    """As many decimals as a law with this standard deviation deserves."""
    return _digits(max(4, ceil(1.0 - log10(sd or 1e-4))))


def _digits(decimals: int) -> Digits:
    form = f"z,.{min(max(decimals, 0), 8)}f"
    return lambda value: format(value, form)
