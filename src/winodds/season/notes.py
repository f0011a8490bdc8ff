"""Notes about what a season tells of a new tournament."""

import math

from winodds.language.notes import doubt, scope
from winodds.language.nouns import HOUSE, Nouns
from winodds.language.words import count, list_names, quote, rounded

FEW_SHARED = 5
"""Tournaments that two players share, below which what is said of a new one is rough."""


@doubt
def few_shared(shared: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The two can be compared in only {nouns.tournament.count(shared)}; below about "
        f"{FEW_SHARED}, what is said of a new one rests mostly on how other pairs vary."
    )


@doubt
def mostly_open(
    ahead: str, behind: str, tournaments: int, shared: int, *, nouns: Nouns = HOUSE
) -> str:
    return (
        f"In {tournaments:,} of {nouns.tournament.count(shared)} nobody can tell how far "
        f"{quote(ahead)} is ahead of {quote(behind)}, because all matches went one way: that end "
        f"of the true difference is open."
    )


@scope
def pairs_left_out(pairs: int, of: int, least: int, *, nouns: Nouns = HOUSE) -> str:
    verb = "is" if pairs == 1 else "are"
    return (
        f"{pairs:,} of {count(of, 'pair')} {verb} left out: the two can be compared in fewer than "
        f"{least} {nouns.tournaments}."
    )


@doubt
def pairs_of_few(pairs: int, of: int, *, nouns: Nouns = HOUSE) -> str:
    verb = "rests" if pairs == 1 else "rest"
    return (
        f"{pairs:,} of {count(of, 'pair')} {verb} on fewer than {FEW_SHARED} {nouns.tournaments}; "
        f"what is said of a new one rests there mostly on how other pairs vary."
    )


@scope
def not_told(about: str, reason: str) -> str:
    return f"Nothing is said of {about}: {reason}"


FEW_TOURNAMENTS = 5
"""Tournaments below which what they let expect is rough."""


@doubt
def few_known(tournaments: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"What is expected rests on only {nouns.data_set.count(tournaments, 'known')}; below about "
        f"{FEW_TOURNAMENTS} it is rough."
    )


@scope
def scaled_intervals(scale: float, tournaments: int, *, nouns: Nouns = HOUSE) -> str:
    """Why intervals are wider than the factors alone would have them."""
    return (
        f"The known {nouns.data_sets}, {tournaments} of which could be left out in turn, were "
        f"missed by {rounded(scale, '.1f')} times the variance that the factors expect; the "
        f"intervals are {rounded(math.sqrt(scale), '.1f')} times as wide for that."
    )


@doubt
def never_left_out(*, nouns: Nouns = HOUSE) -> str:
    return (
        f"No known {nouns.data_set} could be left out to see how far such expectations are off, so "
        f"the intervals are probably too narrow."
    )


@scope
def left_behind(tournaments: list[str]) -> str:
    """Players who share no scale with most of a tournament."""
    return (
        f"Of {list_names(tournaments)}, only the largest component takes part: the others have "
        f"scales of their own."
    )
