"""Names as the labels of a picture: drawable, short, and each its own."""

import math
import re
from collections.abc import Sequence

from winodds.language.words import quote
from winodds.show.layout.fitting import shorten_apart

WIDTH = 36
"""Columns of a terminal that a label takes at most."""


def label_names(names: Sequence[str], width: int = WIDTH) -> list[str]:
    r"""A label for each name; different names never share one, however alike they look.

    >>> label_names(["svm", "a\x01b", "a\x02b"])
    ['svm', 'a�b', 'a�b (2)']
    >>> label_names([" "])
    ["' '"]
    """
    taken: set[str] = set()
    labels = []
    shown = [make_visible(name) if name.strip() else quote(name) for name in names]
    for short in shorten_apart(shown, width):
        label, number = short, 1
        while label in taken:
            number += 1
            label = f"{short} ({number})"
        taken.add(label)
        labels.append(label)
    return labels


def natural(name: str) -> tuple[float, list[str | int], str]:
    """What to sort names by so that numbers in them come as numbers.

    >>> sorted(["fold 10", "fold 2", "0.5", "0.25", "10", "9"], key=natural)
    ['0.25', '0.5', '9', '10', 'fold 2', 'fold 10']
    """
    number = float(name) if NUMBER.fullmatch(name) else math.inf
    parts = DIGITS.split(name)
    # Every other part is made of digits.
    return number, [int(part) if k % 2 else part for k, part in enumerate(parts)], name


NUMBER, DIGITS = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?"), re.compile(r"([0-9]{1,15})")
"""A name that is a number, and digits within a name; of long ones, so many at a time."""


def make_visible(text: str) -> str:
    r"""Text that can be drawn: without signs that XML forbids, which would break an SVG.

    Names that every JavaScript object has of its own get a blank at the end, which nobody sees:
    Vega groups by names, and would find these taken.

    >>> make_visible("a\x00b"), make_visible("constructor")
    ('a�b', 'constructor ')
    """
    shown = UNDRAWABLE.sub("�", text)
    return f"{shown} " if shown in INHERITED else shown


UNDRAWABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

INHERITED = frozenset(
    {
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
        *("__proto__", "constructor", "hasOwnProperty", "isPrototypeOf"),
        *("propertyIsEnumerable", "toLocaleString", "toString", "valueOf"),
    }
)
