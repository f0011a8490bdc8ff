"""Ratings of the best with their luck taken out, in sentences."""

from winodds.board.leader import ENOUGH, BoardSota
from winodds.language.words import UNITS, level_words, plural, rounded
from winodds.show.words.verdicts import of_hundred


def describe_leader(found: BoardSota) -> str:
    """The leader's rating without luck, in a paragraph."""
    leader = found.leader
    second = f"{_instead(found.p_runner_up_sota, found.p_runner_up)} against {found.runner_up}"
    has = "shares" if found.shared else "has"
    start = f"{leader.player} {has} the highest of {leader.of:,} ratings, partly by luck"
    end = f"and is truly the best with probability {rounded(leader.p_best, '.2f')}."
    if found.reference == leader.player:
        return f"{start}. Of {_new(found)} it wins {second}, {end}"
    numbers = (leader.sota, leader.low, leader.high, leader.epp)
    sota, low, high, epp = (rounded(number, ".2f") for number in numbers)
    return (
        f"{start}. Without luck in any of them, its rating is {sota} ({level_words(found.level)} "
        f"interval {low} to {high}), not {epp}. Of {_new(found)} it wins "
        f"{_instead(leader.p_average_sota, leader.p_average)} against {_whom(found)}, "
        f"{second}, {end}"
    )


def _instead(without: float, shown: float) -> str:
    """A chance without luck, and what it seemed to be where that differs."""
    words, seemed = of_hundred(without), of_hundred(shown)
    return words if words == seemed else f"{words} (not {seemed})"


def short_luck(found: BoardSota) -> str | None:
    """One line below a leaderboard, if luck makes a difference that shows and can be told."""
    leader = found.leader
    without, shown = of_hundred(leader.p_average_sota), of_hundred(leader.p_average)
    if without == shown or leader.of < ENOUGH or not found.known or found.shared:
        return None
    return (
        f"Without the luck of coming out first, {leader.player} would win {without} "
        f"{_new(found)} against {_whom(found)}, not {shown.removesuffix(' of 100')}."
    )


def _new(found: BoardSota) -> str:
    nouns, unit = found.nouns, found.unit
    units = nouns.unit(unit).many if unit in UNITS else plural(unit)
    return f"new {units}{f' of new {nouns.tournaments}' if found.new_tournaments else ''}"


def _whom(found: BoardSota) -> str:
    return found.nouns.average(found.average_of) if found.reference is None else found.reference
