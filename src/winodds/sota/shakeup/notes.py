"""Doubts about two boards of one contest, in sentences."""

from collections.abc import Iterator

from winodds.language.notes import Note, doubt, reading, scope
from winodds.language.words import count, list_some
from winodds.sota.shakeup.matched import Matched

SHOWN = 3


def on_matching(matched: Matched) -> Iterator[Note]:
    """Who could not be matched."""
    if matched.only_public:
        yield only_on_one(
            "public", len(matched.only_public), list_some(matched.only_public, shown=SHOWN)
        )
    if matched.only_private:
        names = list_some(matched.only_private, shown=SHOWN)
        yield only_on_one("private", len(matched.only_private), names)
    if matched.ambiguous:
        yield ambiguous(len(matched.ambiguous), list_some(matched.ambiguous, shown=SHOWN))


@reading
def only_on_one(board: str, entries: int, names: str) -> str:
    are = "is" if entries == 1 else "are"
    return (
        f"{count(entries, 'entry', 'entries')} {are} on the {board} board only, and not compared: "
        f"{names}."
    )


@reading
def ambiguous(names: int, shown: str) -> str:
    stand = "stands" if names == 1 else "stand"
    return f"{count(names, 'name')} {stand} for several entries, and cannot be matched: {shown}."


@scope
def same_share(positives: int) -> str:
    return (
        f"The private test set is taken to have the same share of positive cases as the public "
        f"one, {positives:,}."
    )


@scope
def same_error(se: float) -> str:
    return f"A private score is taken to have the same standard error as a public one, {se:g}."


@doubt
def apart(change: float, usual: float) -> str:
    return (
        f"On average scores changed by {change:+.2g}, and the choice of cases explains "
        f"±{usual:.2g}: the private cases are of another kind, or entries were made for the public "
        f"ones."
    )
