"""Names of OpenML's flows, parsed: what stands inside what."""

import re
from dataclasses import dataclass

DEEPEST = 50
"""Names nested deeper than this are not read; no tool writes them."""

NUMBERED = re.compile(r"\d+_(?=[A-Za-z_])")
VERSION = re.compile(r"\s*\((\d+)\)\s*$")


@dataclass(frozen=True, slots=True)
class Part:
    """A component of a flow.

    Attributes
    ----------
    path : its name with its modules, such as "sklearn.svm.classes.SVC".
    role : what it is called by what holds it, such as "classifier"; None if it has no such name.
    parts : what stands in its parentheses.
    """

    path: str
    role: str | None = None
    parts: tuple["Part", ...] = ()

    @property
    def name(self) -> str:
        """The last word of the path."""
        return self.path.rpartition(".")[2]

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and those of all it holds, in their order."""
        return (self.name, *(name for part in self.parts for name in part.names))


def bare_name(name: str) -> str:
    """A flow's name without the number before it, and without its version.

    >>> bare_name("8455_sklearn.pipeline.Pipeline(a=x.Y)(3)")
    'sklearn.pipeline.Pipeline(a=x.Y)'
    """
    bare = VERSION.sub("", name.strip())
    return NUMBERED.sub("", bare, count=1) if NUMBERED.match(bare) else bare


def parse_flow(name: str) -> Part | None:
    """The components of a flow; None if its parentheses do not match.

    >>> parse_flow("sklearn.pipeline.Pipeline(a=x.Y,b=x.Z)(1)").names
    ('Pipeline', 'Y', 'Z')
    """
    found = _split(bare_name(name))
    if found is None or len(found) != 1:
        return None
    return _read_part(found[0], DEEPEST)


def _read_part(text: str, depth: int) -> Part | None:
    """One component: a name, perhaps its role before it and others in parentheses."""
    head, bracket, rest = text.partition("(")
    role, equals, path = head.rpartition("=")
    path = path.strip()
    if not path or not depth or (bracket and not rest.endswith(")")):
        return None
    inner = _split(rest[:-1]) if bracket else []
    if inner is None:
        return None
    parts = [_read_part(part, depth - 1) for part in inner]
    known = tuple(part for part in parts if part is not None)
    return Part(path, role.strip() if equals else None, known) if len(known) == len(parts) else None


def _split(text: str) -> list[str] | None:
    """The pieces between commas outside all parentheses; None if these do not match."""
    pieces, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return None
        if sign == "," and not depth:
            pieces.append(text[start:place].strip())
            start = place + 1
    return None if depth else [*pieces, text[start:].strip()]
