"""Ratings of the best with their luck taken out, in sentences."""

from winodds.board.leader import ENOUGH, BoardSota
from winodds.language.words import average_player, level_words, plural, rounded
from winodds.show.words.verdicts import of_hundred


def describe_leader(found: BoardSota) -> str:
    """The leader's rating without luck, in a paragraph."""
    leader = found.leader
    second = f"{found.runner_up} in {_instead(found.p_runner_up_sota, found.p_runner_up)}"
    has = "shares" if found.shared else "has"
    start = f"{leader.player} {has} the highest of {leader.of:,} ratings, partly by luck"
    end = f"and is truly the best with probability {rounded(leader.p_best, '.2f')}."
    if found.reference == leader.player:
        return f"{start}. In {_new(found)} it beats {second}, {end}"
    numbers = (leader.sota, leader.low, leader.high, leader.epp)
    sota, low, high, epp = (rounded(number, ".2f") for number in numbers)
    return (
        f"{start}. Without luck in any of them, its rating is {sota} ({level_words(found.level)} "
        f"interval {low} to {high}), not {epp}. In {_new(found)} it beats {_whom(found)} in "
        f"{_instead(leader.p_average_sota, leader.p_average)}, "
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
        f"Without the luck of coming out first, {leader.player} would beat {_whom(found)} in "
        f"{without} {_new(found)}, not in {shown}."
    )


def _new(found: BoardSota) -> str:
    where = " of new tournaments" if found.new_tournaments else ""
    return f"new {plural(found.unit)}{where}"


def _whom(found: BoardSota) -> str:
    return average_player(found.average_of) if found.reference is None else found.reference
