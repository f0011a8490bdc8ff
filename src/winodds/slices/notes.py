"""Notes about slices."""

from winodds.language.notes import doubt, reading, scope
from winodds.language.nouns import HOUSE, Nouns
from winodds.language.words import (
    count,
    level_words,
    list_names,
    percent,
    quote,
    rounded,
)

FAINT = 0.9
"""A slice is too small if winning this share instead of half would be missed too often."""

TIES_APART = 0.2
"""Difference between shares of ties from which on it is said."""


@reading
def without_value(number: int, of: int, column: str, unit: str) -> str:
    verb = "has" if number == 1 else "have"
    return (
        f"{number:,} of {count(of, unit)} {verb} no value in {quote(column)}; they count for the "
        f"whole board, and for no slice."
    )


@scope
def each_against_rest(tests: int, level: float, unit: str, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"Each slice is compared with the {unit}s of the other slices, never with its own. Over "
        f"all {count(tests, 'comparison')} of slices and {nouns.players}, the chance of any false "
        f"claim is at most {level_words(round(1.0 - level, 10))} (Holm); each interval holds for "
        f"itself."
    )


@scope
def one_moves_others(*, nouns: Nouns = HOUSE) -> str:
    return (
        f"Ratings are around an average, and elsewhere are all other slices: one player's large "
        f"difference in one slice shows, smaller and with the other sign, at the other "
        f"{nouns.players} there and in the other slices."
    )


@scope
def clusters_in_both(clusters: int, of: int, unit: str, *, nouns: Nouns = HOUSE) -> str:
    verb = "reaches" if clusters == 1 else "reach"
    return (
        f"{clusters:,} of {of:,} {nouns.unit(unit).many} {verb} into more than one slice; the "
        f"errors of differences take that into account."
    )


@doubt
def too_small(name: str, clusters: int, unit: str, visible: float, *, nouns: Nouns = HOUSE) -> str:
    units = nouns.unit(unit).count(clusters)
    seen = f"nothing less than {rounded(100.0 * visible, '.0f')} wins of 100 instead of 50"
    if visible > 0.99:
        seen = "not even 99 wins of 100 instead of 50"
    return (
        f"{quote(name)} is too small to say how it differs: with {units}, {seen} of a typical "
        f"{nouns.player} would be seen."
    )


@doubt
def not_rated(name: str, reason: str) -> str:
    return f"{quote(name)} has no board: {reason}"


@doubt
def not_compared(name: str, reason: str) -> str:
    return f"{quote(name)} cannot be compared with the rest: {reason}"


@scope
def players_left_out(name: str, players: list[str]) -> str:
    verb = "is" if len(players) == 1 else "are"
    return (
        f"{list_names(players)} {verb} not compared in {quote(name)}: not rated on one scale with "
        f"the others both there and elsewhere."
    )


@scope
def ties_differ(name: str, inside: float, outside: float) -> str:
    nearer = "closer together" if inside > outside else "farther apart"
    return (
        f"In {quote(name)}, {percent(inside)} of the matches are ties, elsewhere "
        f"{percent(outside)}. A tie counts half for both, so all ratings are {nearer} there."
    )


def few_rounds(rounds: int, *, nouns: Nouns = HOUSE) -> str:
    """Why so few rounds have no board."""
    return (
        f"it has {nouns.round.count(rounds)} in which {nouns.players} met, and a board needs two."
    )


TOO_FEW = "fewer than two players are rated both there and elsewhere."
