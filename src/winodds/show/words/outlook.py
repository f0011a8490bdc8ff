"""What to expect of a new data set, and of fewer rounds, in words."""

from winodds.board.subsets import Enough
from winodds.language.nouns import Nouns
from winodds.language.words import percent
from winodds.season.placement import ExpectedModel, Placement
from winodds.show.words.verdicts import of_hundred

NAMED = 3
"""Neighbours, and models to try, that are named."""


def describe_placement(found: Placement) -> str:
    """Which data sets the new one is like, who is expected to lead, and what to try first."""
    nouns = found.nouns
    top = found.models[0]
    nearest = ", ".join(one.tournament for one in found.neighbours[:NAMED])
    start = (
        f"{nouns.round.count(found.rounds)} of {nouns.player.count(len(found.tried))} on the new "
        f"{nouns.data_set} and {found.tournaments:,} known ones say: it is most like {nearest}."
    )
    state = "which has been tried" if top.tried else "which has not been tried"
    leads = (
        f"{top.player}, {state}, is expected to lead: it wins {of_hundred(top.p_average)} "
        f"{nouns.rounds} against the average {nouns.player} and is truly the best of all with a "
        f"chance of {percent(top.p_best)}."
    )
    return f"{start} {leads} {_try_first(found.try_first, nouns)}".rstrip()


def _try_first(others: tuple[ExpectedModel, ...], nouns: Nouns) -> str:
    if not others:
        return f"All {nouns.players} have been tried."
    named = ", ".join(f"{one.player} ({percent(one.p_best)})" for one in others[:NAMED])
    return f"Of those not tried yet, the likeliest to be the best of all: {named}."


def describe_enough(found: Enough) -> str:
    """From how many rounds on the order is nearly that which other rounds show."""
    nouns = found.nouns
    units, share = nouns.unit(found.unit).many, percent(found.share)
    if found.judged_up_to is None:
        return (
            f"{nouns.unit(found.unit).count(found.units)} are too few to say how many would "
            f"have been enough: none are left to judge, or no two {nouns.players} are told apart."
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
