"""Notes about what a season tells of a new tournament."""

import math

from winodds.language.notes import doubt, scope
from winodds.language.words import count, list_names, quote, rounded

FEW_SHARED = 5
"""Tournaments that two players share, below which what is said of a new one is rough."""


@doubt
def few_shared(shared: int) -> str:
    return (
        f"The two can be compared in only {count(shared, 'tournament')}; below about {FEW_SHARED}, "
        f"what is said of a new one rests mostly on how other pairs vary."
    )


@doubt
def mostly_open(ahead: str, behind: str, tournaments: int, shared: int) -> str:
    return (
        f"In {tournaments:,} of {count(shared, 'tournament')} nobody can tell how far "
        f"{quote(ahead)} is ahead of {quote(behind)}, because all matches went one way: that end "
        f"of the true difference is open."
    )


@scope
def pairs_left_out(pairs: int, of: int, least: int) -> str:
    verb = "is" if pairs == 1 else "are"
    return (
        f"{pairs:,} of {count(of, 'pair')} {verb} left out: the two can be compared in fewer than "
        f"{least} tournaments."
    )


@doubt
def pairs_of_few(pairs: int, of: int) -> str:
    verb = "rests" if pairs == 1 else "rest"
    return (
        f"{pairs:,} of {count(of, 'pair')} {verb} on fewer than {FEW_SHARED} tournaments; what is "
        f"said of a new one rests there mostly on how other pairs vary."
    )


@scope
def not_told(about: str, reason: str) -> str:
    return f"Nothing is said of {about}: {reason}"


FEW_TOURNAMENTS = 5
"""Tournaments below which what they let expect is rough."""


@doubt
def few_known(tournaments: int) -> str:
    return (
        f"What is expected rests on only {count(tournaments, 'known data set')}; below about "
        f"{FEW_TOURNAMENTS} it is rough."
    )


@scope
def scaled_intervals(scale: float, tournaments: int) -> str:
    """Why intervals are wider than the factors alone would have them."""
    return (
        f"The known data sets, {tournaments} of which could be left out in turn, were missed by "
        f"{rounded(scale, '.1f')} times the variance that the factors expect; the intervals are "
        f"{rounded(math.sqrt(scale), '.1f')} times as wide for that."
    )


@doubt
def never_left_out() -> str:
    return (
        "No known data set could be left out to see how far such expectations are off, so the "
        "intervals are probably too narrow."
    )


@scope
def left_behind(tournaments: list[str]) -> str:
    """Players who share no scale with most of a tournament."""
    return (
        f"Of {list_names(tournaments)}, only the largest component takes part: the others have "
        f"scales of their own."
    )
