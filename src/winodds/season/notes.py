"""Notes about what is said of several boards at once."""

from winodds.language.notes import doubt, scope
from winodds.language.words import count, list_names, rounded

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
        f"that much wider."
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
