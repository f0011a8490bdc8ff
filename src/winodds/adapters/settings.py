"""Players' names from their hyperparameters: those that vary, as short as they still differ."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from winodds.adapters.columns import name_settings
from winodds.language.words import number, shorten
from winodds.table.vocabulary import PLAYER_NAMES, plain_name

Plain: TypeAlias = float | str | bool | None
Key: TypeAlias = tuple[bool, Plain]

DIGITS = (4, 6, 9, 17)
"""Significant digits of numbers in names; as few of these as still tell all values apart."""

LONGEST = 40
"""Characters of a value in a name, unless more are needed to tell values apart."""

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
CLASS = re.compile(r"([A-Z]\w*)\(.*\)", re.DOTALL)
"""An object of a class, as Python and scikit-learn write it."""


def plain_setting(value: Any) -> Plain:
    """A hyperparameter's value as JSON holds it; an object is the text that Python writes of it.

    >>> plain_setting(3), plain_setting((100, 50)), plain_setting(float("nan")), plain_setting(len)
    (3, '(100, 50)', 'nan', 'len')
    """
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    if isinstance(value, float) and value - value != 0.0:
        return repr(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    return " ".join(ADDRESS.sub("", repr(value)).split())


def class_of(text: object) -> str | None:
    """The class of an object that was written as text, or nothing.

    >>> class_of("SVC(C=10)"), class_of("rbf"), class_of(3)
    ('SVC', None, None)
    """
    found = CLASS.fullmatch(text) if isinstance(text, str) else None
    return None if found is None else found[1]


def name_players(settings: Sequence[Mapping[str, Plain]], labels: Sequence[str]) -> list[str]:
    """A name for each of several settings, from what varies among them.

    A parameter such as "model", or one that holds objects, is named by its value alone. Settings
    that are alike, or have nothing that varies, are told apart by their ``labels``. Steps of a
    pipeline ("svm__C") are named only where that is needed.

    >>> grid = [{"C": 0.1, "kernel": "rbf", "tol": 1}, {"C": 1 / 3, "kernel": "rbf", "tol": 1}]
    >>> name_players(grid, ["1", "2"])
    ['C=0.1', 'C=0.3333']
    >>> name_players([{"C": 1}, {"C": 1}, {"C": 2}], ["trial 0", "trial 1", "trial 2"])
    ['C=1 (trial 0)', 'C=1 (trial 1)', 'C=2']
    """
    texts = _texts_of(settings)
    # That some have a parameter with always the same value matters only if nothing else does.
    telling = {key: own for key, own in texts.items() if len(own) > 1}
    names, every = _join(settings, telling), _join(settings, texts)
    return tell_apart(names if len(set(names)) == len(set(every)) else every, labels)


def _join(
    settings: Sequence[Mapping[str, Plain]], texts: Mapping[str, Mapping[Key, str]]
) -> list[str]:
    """Names made of the texts of some parameters."""
    bare = {key for key, own in texts.items() if _is_bare(key, own)}
    last = Counter(_last(key) for key in texts)
    shown = {key: _last(key) if last[_last(key)] == 1 else key for key in texts}
    names = []
    for own in settings:
        parts = {key: texts[key][_key(own[key])] for key in own if key in texts}
        alone = [text for key, text in parts.items() if key in bare]
        rest = {shown[key]: text for key, text in parts.items() if key not in bare}
        names.append(", ".join([*alone, *([name_settings(rest)] if rest else [])]))
    return names


def tell_apart(names: Sequence[str], labels: Sequence[str]) -> list[str]:
    """The names; those that several have, with their labels behind them."""
    times = Counter(names)
    return [
        label if not name else f"{name} ({label})" if times[name] > 1 else name
        for name, label in zip(names, labels, strict=True)
    ]


def varying(settings: Sequence[Mapping[str, Plain]]) -> list[str]:
    """The parameters that not all have alike."""
    keys = dict.fromkeys(key for own in settings for key in own)
    return [
        key for key in keys if len({_key(own[key]) if key in own else None for own in settings}) > 1
    ]


def _is_bare(name: str, values: Iterable[Key]) -> bool:
    """Whether a parameter needs no name beside its value."""
    return plain_name(name) in PLAYER_NAMES or all(class_of(value) for _, value in values)


def _last(name: str) -> str:
    """The parameter's name within its step of a pipeline."""
    return name.rsplit("__", 1)[-1] or name


def _key(value: Plain) -> Key:
    """What two values have in common if they are the same; true is not 1."""
    return type(value) is bool, value


def _texts_of(settings: Sequence[Mapping[str, Plain]]) -> dict[str, dict[Key, str]]:
    """For every parameter that varies, the short text of each of its values."""
    values: dict[str, dict[Key, Plain]] = {key: {} for key in varying(settings)}
    for own in settings:
        for key, value in own.items():
            if key in values:
                values[key][_key(value)] = value
    return {key: _short_texts(different) for key, different in values.items()}


def _short_texts(values: Mapping[Key, Plain]) -> dict[Key, str]:
    """Texts of different values, as short as they still differ."""
    floats = {key: value for key, value in values.items() if type(value) is float}
    words = {key: value for key, value in values.items() if isinstance(value, str)}
    others = {
        key: "none" if value is None else str(value).lower()
        for key, value in values.items()
        if key not in floats and key not in words
    }
    return {**others, **_short_numbers(floats), **_short_words(words)}


def _short_numbers(values: Mapping[Key, float]) -> dict[Key, str]:
    for digits in DIGITS:
        texts = {key: number(float(f"{value:.{digits}g}")) for key, value in values.items()}
        if len(set(texts.values())) == len(values):
            return texts
    return {key: number(value) for key, value in values.items()}


def _short_words(values: Mapping[Key, str]) -> dict[Key, str]:
    """Objects by their class, texts by their beginning; by their number if that is not enough."""
    ways: tuple[Callable[[str], str], ...] = (lambda text: class_of(text) or _begin(text), _begin)
    for shorter in ways:
        texts = {key: shorter(value) for key, value in values.items()}
        if len(set(texts.values())) == len(values):
            return texts
    numbers = [str(k) for k in range(1, len(values) + 1)]
    return dict(
        zip(values, tell_apart([_begin(it) for it in values.values()], numbers), strict=True)
    )


def _begin(text: str) -> str:
    return shorten(" ".join(text.split()), LONGEST)
