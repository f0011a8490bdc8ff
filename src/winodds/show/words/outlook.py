"""What to expect of a new data set, and of fewer rounds, in words."""

from winodds.board.subsets import Enough
from winodds.language.words import count, percent, unit_name, unit_names
from winodds.season.placement import ExpectedModel, Placement
from winodds.show.words.verdicts import of_hundred

NAMED = 3
"""Neighbours, and models to try, that are named."""


def describe_placement(found: Placement) -> str:
    """Which data sets the new one is like, who is expected to lead, and what to try first."""
    top = found.models[0]
    nearest = ", ".join(one.tournament for one in found.neighbours[:NAMED])
    start = (
        f"{count(found.rounds, 'round')} of {count(len(found.tried), 'model')} on the new data "
        f"set and {found.tournaments:,} known ones say: it is most like {nearest}."
    )
    state = "which has been tried" if top.tried else "which has not been tried"
    leads = (
        f"{top.player}, {state}, is expected to lead: it beats the average model in "
        f"{of_hundred(top.p_average)} rounds and is truly the best of all with a chance of "
        f"{percent(top.p_best)}."
    )
    return f"{start} {leads} {_try_first(found.try_first)}".rstrip()


def _try_first(others: tuple[ExpectedModel, ...]) -> str:
    if not others:
        return "All models have been tried."
    named = ", ".join(f"{one.player} ({percent(one.p_best)})" for one in others[:NAMED])
    return f"Of those not tried yet, the likeliest to be the best of all: {named}."


def describe_enough(found: Enough) -> str:
    """From how many rounds on the order is nearly that which other rounds show."""
    units, share = unit_names(found.unit), percent(found.share)
    if found.judged_up_to is None:
        return (
            f"{count(found.units, unit_name(found.unit), units)} are too few to say how many would "
            f"have been enough: none are left to judge, or no two players are told apart."
        )
    if found.enough is None:
        return (
            f"Not even {found.judged_up_to:,} of {found.units:,} {units} are enough, the most that "
            f"could be judged: they have fewer than {share} of the pairs in the right order that "
            f"other {units} tell apart."
        )
    return (
        f"{found.enough:,} of {found.units:,} {units} are enough: from there on, {share} or more "
        f"of the pairs that other {units} tell apart stand in the right order."
    )
