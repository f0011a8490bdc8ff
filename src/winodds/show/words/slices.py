"""What there is to say of slices, in sentences."""

from winodds.language.nouns import Nouns
from winodds.language.words import count, level_words, list_some, quote, rounded
from winodds.show.words.verdicts import interval_words, of_hundred, p_words
from winodds.slices.leaders import Leader
from winodds.slices.slices import Difference, Slices


def legend(nouns: Nouns) -> str:
    """What the columns say."""
    return (
        f"To elsewhere: the rating there minus that in the other slices; * told apart, among all "
        f"slices and {nouns.players}.\nWould be seen: what a typical {nouns.player} would have to "
        f"win against the average one."
    )


NAMED = 10
"""Slices with a clear leader that a sentence names."""


def headline(found: Slices) -> str:
    """What was sliced: "Slices by 'topic': 5 slices, 6 players, 439 rounds"."""
    nouns = found.whole.how.nouns
    how = found.whole.how.matches
    of = count(how.count, "battle") if how.rounds is None else nouns.round.count(how.rounds)
    players = nouns.player.count(len(found.whole))
    return f"Slices by {quote(found.by)}: {count(len(found), 'slice')}, {players}, {of}"


def describe_difference(found: Slices, one: Difference) -> str:
    """What one player does in one slice and elsewhere.

    "In 'law', gpt does better than elsewhere: it wins 71 of 100 rounds against the average player
    instead of 55 (0.69 higher in EPP, 0.31 to 1.07; adjusted p = 0.002)."
    """
    own = found[one.slice]
    everyone = own.averaged == len(found.whole)
    nouns = found.whole.how.nouns
    against = nouns.average(None if everyone else own.averaged)
    up = one.difference > 0.0
    inside, outside = of_hundred(one.p_inside), of_hundred(one.p_outside)
    unit = "matches" if found.whole.how.matches.kind != "within" else nouns.rounds
    instead = outside.removesuffix(" of 100")
    ends = (one.low, one.high) if up else _turned(one.low, one.high)
    return (
        f"In {quote(one.slice)}, {one.player} does {'better' if up else 'worse'} than elsewhere: "
        f"it wins {inside} {unit} against {against} instead of {instead} "
        f"({rounded(abs(one.difference), '.2f')} {'higher' if up else 'lower'} in EPP, "
        f"{interval_words(*ends)}; adjusted {p_words(one.p_adjusted)})."
    )


def _turned(low: float | None, high: float | None) -> tuple[float | None, float | None]:
    """The interval of a difference the other way round."""
    return None if high is None else -high, None if low is None else -low


def describe_slices(found: Slices) -> list[str]:
    """All sentences: what differs, and who leads where if that was asked for."""
    lines = [describe_differences(found)]
    lines += [describe_difference(found, one) for one in found.told()]
    return [*lines, *([describe_leaders(found)] if found.led else [])]


def describe_differences(found: Slices) -> str:
    """How many differences are told, before they are listed."""
    nouns = found.whole.how.nouns
    told, tests = len(found.told()), found.tests
    if not tests:
        return "No slice can be compared with the rest."
    if not told:
        return (
            f"Nobody is seen to do better or worse in a slice than elsewhere "
            f"({count(tests, 'comparison')} of slices and {nouns.players})."
        )
    half = "; a tie counts half" if found.whole.how.matches.ties else ""
    return f"What differs from the rest ({told:,} of {count(tests, 'comparison')}{half}):"


def describe_leaders(found: Slices) -> str:
    """Where the leader is told apart from everyone, all slices taken together."""
    leaders = found.leaders()
    clear = [own for own in leaders if own.told]
    error = level_words(round(1.0 - found.level, 10))
    end = f"(chance of any false claim over all slices: {error})"
    if not clear:
        return f"In no slice is the leader told apart from everyone else {end}."
    listed = list_some([f"{own.slice} ({own.player})" for own in clear], shown=NAMED)
    return (
        f"The leader is told apart from everyone else in {len(clear):,} of "
        f"{count(len(leaders), 'slice')}: {listed} {end}."
    )


def best_words(own: Leader) -> str:
    """Who could be the best of a slice, in a cell."""
    if own.told:
        return "only the first"
    return f"{len(own.could_be_best):,} of {own.of:,}"
