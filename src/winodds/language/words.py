"""Words for sentences: names, numbers and lists as people write them."""

import unicodedata
from collections.abc import Iterable, Sequence

NAMES_SHOWN = 5
PLACES_SHOWN = 3


def quote(name: object) -> str:
    """A name as it appears in a sentence, with control characters made visible."""
    text = shorten(str(name), 200)
    if all(character.isprintable() for character in text):
        return f"'{text}'"
    return repr(text)


def visible(text: str) -> str:
    r"""A text of somebody else's, whose control characters command no terminal.

    >>> print(visible("a\x1b[31mb"), visible("naïve\nBayes"))
    a\x1b[31mb naïve
    Bayes
    """
    if text.isprintable():
        return text
    return "".join(ascii(it)[1:-1] if _commands(it) else it for it in text)


def _commands(character: str) -> bool:
    """Whether it is a control character, or one that nobody sees; joiners write emoji."""
    hidden = unicodedata.category(character).startswith("C")
    return hidden and character not in "\n\u200c\u200d"


def list_names(names: Iterable[object], *, shown: int = NAMES_SHOWN) -> str:
    """At most ``shown`` quoted names, then "and 995 more".

    >>> list_names(["rf", "svm"])
    "'rf', 'svm'"
    >>> list_names(range(1000), shown=2)
    "'0', '1' and 998 more"
    """
    everyone = list(names)
    listed = ", ".join(quote(name) for name in everyone[:shown])
    rest = len(everyone) - shown
    return f"{listed} and {rest:,} more" if rest > 0 else listed


def list_some(names: Sequence[str], *, shown: int = NAMES_SHOWN) -> str:
    """The same without quotation marks, for a running text.

    >>> list_some(["rf", "svm"]), list_some(["a", "b", "c"], shown=2)
    ('rf, svm', 'a, b and 1 more')
    """
    rest = len(names) - shown
    listed = ", ".join(map(visible, names[:shown]))
    return listed + (f" and {rest:,} more" if rest > 0 else "")


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 player", "2,000 players", "3 matches"."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def of_family(family: str | None) -> str:
    """Whose settings are meant: those of a family, or all.

    >>> of_family("knn"), of_family(None)
    (" of 'knn'", '')
    """
    return "" if family is None else f" of {quote(family)}"


def number(value: float) -> str:
    """A number with all its digits and no more.

    >>> number(0.9), number(2.0), number(1.0000000000000002), number(10**20)
    ('0.9', '2', '1.0000000000000002', '100000000000000000000')
    """
    if isinstance(value, int):
        return str(int(value))
    return repr(float(value)).removesuffix(".0")


def settle(value: float) -> float:
    """A computed number without the digits that are rounding.

    These would decide about a number halfway between two printed ones, or at a limit, on each
    processor in another way.

    >>> settle(0.1 + 0.2)
    0.3
    """
    return float(f"{value:.10g}")


def rounded(value: float, form: str) -> str:
    """A computed number in a form such as ".2f"; never "-0.00".

    >>> rounded(0.6249999999999999, ".0%"), rounded(0.6250000000000001, ".0%")
    ('62%', '62%')
    >>> rounded(-0.001, ".2f")
    '0.00'
    """
    return format(settle(value), f"z{form}")


def percent(share: float) -> str:
    """A share in percent; never 0% or 100% of something that is neither none nor all.

    >>> percent(0.58), percent(0.0004), percent(0.9996), percent(1.0)
    ('58%', 'less than 1%', 'more than 99%', '100%')
    """
    if 0.0 < share < 0.01:
        return "less than 1%"
    if 0.99 < share < 1.0:
        return "more than 99%"
    return rounded(share, ".0%")


def reason_of(error: Exception) -> str:
    """Why the operating system refused, in the middle of a sentence."""
    return str(getattr(error, "strerror", None) or error).lower()


def did_you_mean(names: Sequence[object]) -> str:
    """A question about a misspelt name.

    >>> did_you_mean(["rf", "svm"])
    "Did you mean 'rf' or 'svm'?"
    """
    return f"Did you mean {' or '.join(quote(name) for name in names[:NAMES_SHOWN])}?"


def list_numbers(places: Sequence[int]) -> str:
    """Numbers in words: "3, 5 and 7", or "3, 5 and 995 more"."""
    if len(places) > NAMES_SHOWN:
        shown = ", ".join(f"{place:,}" for place in places[:NAMES_SHOWN])
        return f"{shown} and {len(places) - NAMES_SHOWN:,} more"
    return f"{', '.join(f'{place:,}' for place in places[:-1])} and {places[-1]:,}"


def shorten(text: str, length: int = 60) -> str:
    """The beginning of a long text."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def numeral(number: int) -> str:
    words = ("no", "one", "two", "three", "four", "five")
    return words[number] if number < len(words) else f"{number:,}"


WON = {"within": "round", "across": "match", "battles": "battle"}
"""What one player wins against another, by the kind of matches."""


def plural(noun: str) -> str:
    """Several of a thing: "rounds", "matches", "families"."""
    return {"match": "matches", "family": "families"}.get(noun, f"{noun}s")


def level_words(level: float) -> str:
    """The level of an interval or a test.

    >>> level_words(0.95), level_words(0.999)
    ('95%', '99.9%')
    """
    return f"{100.0 * level:g}%"


UNITS = ("cluster", "round", "tournament", "battle")


def unit_name(unit: str) -> str:
    """What a cluster is: a kind of thing, or a column's value."""
    return unit if unit in UNITS else f"value of {quote(unit)}"


def unit_names(unit: str) -> str:
    """The same in the plural."""
    return f"{unit}s" if unit in UNITS else f"values of {quote(unit)}"


def capital(text: str) -> str:
    """The beginning of a sentence.

    >>> capital("data sets"), capital("LLMs")
    ('Data sets', 'LLMs')
    """
    return f"{text[:1].upper()}{text[1:]}"
