"""A cell that lists the members of a team → their names; what could be read in two ways is refused.

Names may hold commas in brackets, as ``svm(C=1, gamma=2)`` does, so separators count only outside
of brackets, and one cell has one kind of separator. A JSON list says any names whatever.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from winodds.table.errors import MembersUnclear
from winodds.table.names import tidy

SEPARATORS = "+;,|"
"""What may stand between members; a cell has one of them."""

CLOSING = {"(": ")", "[": "]", "{": "}"}

QUOTED_LIST = re.compile(r"\[\s*'[^'\\]*'(\s*,\s*'[^'\\]*')*\s*\]")
"""A list as Python prints it, of names that need no escapes."""


def split_members(cell: str) -> tuple[str, ...]:
    """The members that a cell names; none in an empty cell.

    Raises
    ------
    MembersUnclear
        When the cell has several kinds of separators, an empty name, brackets that do not match,
        or is a broken list.

    Examples
    --------
    >>> split_members("rf + svm"), split_members("rf;svm"), split_members('["rf", "a + b"]')
    (('rf', 'svm'), ('rf', 'svm'), ('rf', 'a + b'))
    >>> split_members("svm(C=1, gamma=2), rf"), split_members("rf"), split_members(" ")
    (('svm(C=1, gamma=2)', 'rf'), ('rf',), ())
    """
    text = tidy(cell)
    if text == "":
        return ()
    if text.startswith("["):
        return _read_list(cell, text)
    places = list(_separators(cell, text))
    kinds = sorted({text[place] for place in places}, key=SEPARATORS.index)
    if len(kinds) > 1:
        raise MembersUnclear(cell=cell, reason=f"{' and '.join(map(repr, kinds))} stand in it")
    spaced = [place for place in places if text[place - 1 : place + 2] == " + "]
    if spaced and len(spaced) < len(places):
        raise MembersUnclear(cell=cell, reason="a plus stands with blanks and without")
    ends = [-1, *places, len(text)]
    names = [tidy(text[a + 1 : b]) for a, b in pairwise(ends)]
    return _checked(cell, names)


def _read_list(cell: str, text: str) -> tuple[str, ...]:
    if QUOTED_LIST.fullmatch(text):
        return _checked(cell, [tidy(name) for name in re.findall(r"'([^']*)'", text)])
    try:
        names = json.loads(text)
    except (ValueError, RecursionError):
        raise MembersUnclear(cell=cell, reason="it begins like a list and is none") from None
    if not all(isinstance(name, str) for name in names):
        raise MembersUnclear(cell=cell, reason="a list of members holds names in quotes")
    return _checked(cell, [tidy(name) for name in names])


def _checked(cell: str, names: list[str]) -> tuple[str, ...]:
    if not all(names):
        raise MembersUnclear(cell=cell, reason="a name in it is empty")
    return tuple(names)


def _separators(cell: str, text: str) -> Iterator[int]:
    """Places of the separators that stand outside of brackets."""
    awaited: list[str] = []
    for place, character in enumerate(text):
        if character in CLOSING:
            awaited.append(CLOSING[character])
        elif awaited and character == awaited[-1]:
            awaited.pop()
        elif character in CLOSING.values():
            awaited = [""]
            break
        elif character in SEPARATORS and not awaited:
            yield place
    if awaited:
        raise MembersUnclear(cell=cell, reason="its brackets do not match")
