"""The state of the art in paragraphs."""

from collections.abc import Callable
from math import ceil, log10
from typing import TypeAlias

from winodds.language.spelling import option
from winodds.language.words import count, level_words, quote
from winodds.sota.answer import Sota, WhatIf

Digits: TypeAlias = Callable[[float], str]
"""Writes a score."""

PERFORMANCE = {"accuracy": "accuracy", "auc": "AUC", "other": "performance"}
SOURCES = {
    "given": "as stated",
    "assumed": "an assumption",
    "board": "an assumption that suits these scores",
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
    start = f"The best of {_entries(found.scored)}{_winner(found)} {_scored(found)}"
    sentences = [f"{start}{_verdict(found)}.", _reached(found), _finding(found), _second(found)]
    return " ".join(sentence for sentence in sentences if sentence)


def _scored(found: Sota) -> str:
    """What the best did."""
    once = " as a single submission" if found.submitted is not None else ""
    down = "" if found.higher_is_better else " (lower is better)"
    return f"{'is worth' if once else 'scored'} {_best(found)}{once}{down}"


def _best(found: Sota) -> str:
    return digits_of(found)(found.observed_max)


def _verdict(found: Sota) -> str:
    """What became of the best score, and the estimate."""
    answer = _answer(found)
    if found.verdict == "luck":
        return f", partly by luck: {answer}"
    if found.verdict == "even":
        return f", and no luck is found in it: {answer}"
    if found.verdict == "perfect":
        return f", the highest score there is. No performance is expected to reach that: {answer}"
    if found.posterior is not None or _surely_ahead(found):
        return f", ahead of what luck explains: {answer}"
    same = _best(found) == digits_of(found)(found.face_value.value)
    some = "about what" if same else "a little better than"
    return f", {some} luck leads one to expect: {answer}"


def _surely_ahead(found: Sota) -> bool:
    """Whether a best score that luck does not explain is almost surely the best entry's."""
    chance, sure = found.p_second, found.p_best is not None and found.p_best > found.level
    return found.verdict == "ahead" and sure and chance is not None and chance <= 1 - found.level


def _answer(found: Sota) -> str:
    kind, show = PERFORMANCE[found.metric], _within(found)
    answer = f"the best entry's {kind} is estimated at {show(found.sota)}"
    if found.conservative and found.estimated_by == found.method:
        answer = f"the best entry's {kind}, estimated with caution, is {show(found.sota)}"
    if found.low is not None and found.high is not None:
        low, high = digits_of(found)(found.low), digits_of(found)(found.high)
        level = level_words(found.level)
        answer = f"{answer}, and lies between {low} and {high} with probability {level}"
    return answer if found.p_best is None else f"{answer}; {_leader(found, found.p_best)}"


def _leader(found: Sota, chance: float) -> str:
    """How likely who has the best score is the best."""
    same = int((found.scores == found.observed_max).sum())
    if same > 1 and found.verdict == "perfect":
        return f"which of the {same:,} that scored it is truly the best, these scores cannot tell"
    who = "the entry that scored it is"
    if same > 1:
        who = f"each of the {same:,} that scored it is"
    elif found.winner is not None:
        who = f"{quote(found.winner)} is"
    return f"{who} truly the best with probability {odds(chance)}"


def _reached(found: Sota) -> str:
    """How many scored as well as the best is worth."""
    side = "more" if found.higher_is_better else "less"
    worth, out = _within(found)(found.sota), found.at_or_above
    if found.verdict == "perfect" or out == 0:
        return ""
    if out == 1:
        return f"No other entry scored {worth} or {side}."
    return f"{_entries(out)} ({_percent(out / found.scored)}) scored {worth} or {side}."


def _within(found: Sota) -> Digits:
    """As `digits_of`, where what is below a perfect score must not look like one."""
    show = digits_of(found)
    if found.metric == "other":
        return show

    def shown(value: float) -> str:
        text = show(value)
        if value >= 1.0 or float(text) < 1.0:
            return text
        decimals = len(text.partition(".")[2])
        return f"more than {1.0 - 10.0**-decimals:.{decimals}f}"

    return shown


def odds(chance: float) -> str:
    """A probability that is never said to be 0 or 1."""
    if chance < 0.005:
        return "less than 0.01"
    return "more than 0.99" if chance > 0.995 else f"{chance:.2f}"


def explain_face_value(found: Sota) -> str:
    """What scores at face value lead to expect, and so why luck is in the best or not."""
    if found.verdict in ("even", "perfect"):
        return ""
    show = digits_of(found)
    usual, best = show(found.face_value.value), _best(found)
    start = (
        f"At face value: of as many entries, drawn at random from ones as good as these scored, "
        f"the best would be expected to score {usual}"
    )
    if usual == best:
        return f"{start}, as the best did."
    better = "worse" if found.verdict == "ahead" else "better"
    return f"{start}, {better} than the best did; {_therefore(found)}."


def _therefore(found: Sota) -> str:
    if found.verdict == "ahead":
        return "so luck alone is not expected to bring so good a score"
    return "so part of its score is luck"


def describe_submissions(found: Sota) -> str:
    """What many submissions gave the first of the board, and that it is out of all that follows."""
    sent = found.submitted
    if sent is None:
        return ""
    show = digits_of(found)
    who = (
        "The first of the board"
        if sent.name is None
        else f"{quote(sent.name)}, first of the board,"
    )
    looks = "one submission" if sent.looks == 1 else f"the best of {sent.looks:,} submissions"
    worth = "" if sent.looks == 1 else f", worth {show(sent.worth)} as a single one"
    leads = ""
    if found.winner is not None and found.winner != sent.name:
        leads = f" There {quote(found.winner)} leads."
    return (
        f"{who} has {show(sent.best)} by {looks}{worth}. What follows is about single submissions, "
        f"without the luck of being the best of several.{leads}"
    )


def _percent(share: float) -> str:
    return "less than 1%" if 0.0 < share < 0.005 else f"{share:.0%}"


def _finding(found: Sota) -> str:
    """Why a posterior was not enough."""
    drawn = found.posterior
    if drawn is None or drawn.useful:
        return ""
    return (
        f"Of {drawn.proposals:,} simulated contests {drawn.accepted:,} resemble the observed one, "
        f"worth {drawn.ess:.0f} draws, too few to tell anything."
    )


def _second(found: Sota) -> str:
    """That a leader who is surely ahead may also know the answers."""
    chance = found.p_second
    if chance is None or not _surely_ahead(found):
        return ""
    words = "less than 0.0001" if chance < 1e-4 else f"{chance:.2g}"
    return (
        f"If nobody were better than the second, so good a score had probability {words}: it is "
        f"better by more than luck, or something else is at work, such as test cases that leaked."
    )


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
    return [*lines, UNTUNED if found.submitted is None else _looks(found)]


def _looks(found: Sota) -> str:
    """What is assumed of submissions."""
    sent = found.submitted
    assert sent is not None
    how = "as stated"
    if sent.alike_from == "assumed":
        how = (
            f"no more than any two entries, an assumption; if they are more alike, less is luck: "
            f"{option('alike')}"
        )
    return (
        f"{sent.total:,} submissions in all, at most {sent.most:,} of one entry. Those of one "
        f"entry are taken as equally good, and any two have correlation {sent.alike:.2g} ({how})."
    )


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
    if found.posterior is not None and found.posterior.useful:
        drawn = found.posterior
        return (
            f"Posterior by approximate Bayesian computation: {drawn.accepted:,} of "
            f"{drawn.proposals:,} simulated contests accepted, worth {drawn.ess:,.0f} draws, with "
            f"a maximum within {drawn.epsilon:.2g} of the observed one."
        )
    if found.estimated_by == "population":
        return _field(found)
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
    return f"Performances are the scores, {aim}."


def _field(found: Sota) -> str:
    """How the field's best was estimated, and why if another method was asked for."""
    way = (
        "How good entries truly are is estimated from all scores together: most are alike, some "
        "are behind, and a few may be far ahead of the rest."
    )
    if found.method == "population":
        return way
    return f"There is no estimate by {option('method', found.method)}, so this is another. {way}"


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
    if found.low is not None and found.high is not None:
        width = max(width, found.high - found.low)
    return _digits(max(4 if found.metric != "other" else 0, ceil(1.5 - log10(width or 1e-4))))


def digits_of_law(sd: float) -> Digits:
    """As many decimals as a law with this standard deviation deserves."""
    return _digits(max(4, ceil(1.0 - log10(sd or 1e-4))))


def _digits(decimals: int) -> Digits:
    form = f"z,.{min(max(decimals, 0), 8)}f"
    return lambda value: format(value, form)
