"""Checks of single options, for every door; each gives the value to be kept, or raises `BadOption`.

So each may be the ``check`` of a declared option, whose value is then what the check returns.
"""

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeGuard, TypeVar

from winodds.language.errors import BadOption

Value = TypeVar("Value")
Function = TypeVar("Function", bound=Callable[..., object])


def check_choice(option: str, value: Value, choices: tuple[str, ...]) -> Value:
    """The value, if it is one of the choices."""
    if value not in choices:
        wanted = "it is one of " + ", ".join(f'"{choice}"' for choice in choices)
        raise BadOption(option=option, value=value, wanted=wanted)
    return value


def check_between(option: str, value: float, low: float, high: float) -> float:
    """The value, if it lies strictly between the ends."""
    check_number(option, value)
    if not low < value < high:
        wanted = f"it is a number between {low:g} and {high:g}, ends excluded"
        raise BadOption(option=option, value=value, wanted=wanted)
    return float(value)


def check_positive(option: str, value: float, *, scale: str) -> float:
    """The value, if it is 0 or a positive number."""
    check_number(option, value)
    if not 0.0 <= value < float("inf"):
        wanted = f"it is 0 or a positive number on {scale}"
        raise BadOption(option=option, value=value, wanted=wanted)
    return float(value)


def check_margin(option: str, value: float) -> float:
    """The value, if it is a part of half of the rounds."""
    check_number(option, value)
    if not 0.0 <= value < 0.5:
        wanted = "it is 0 or a number below 0.5, such as 0.05 for 45 wins of 100"
        raise BadOption(option=option, value=value, wanted=wanted)
    return float(value)


def check_flag(option: str, value: object, *, neither: str = "") -> bool:
    """The value, if it is True or False; ``neither`` says what None is for, if for anything."""
    if not isinstance(value, bool):
        wanted = f"it is True, False, or None {neither}" if neither else "it is True or False"
        raise BadOption(option=option, value=value, wanted=wanted)
    return value


def check_role(role: str, value: Value, *, several: bool) -> Value:
    """The value, if it is a column's name, or several if they may be."""
    if isinstance(value, str):
        return value
    names = value if several and isinstance(value, Sequence) else ()
    if names and all(isinstance(column, str) for column in names):
        return value
    wanted = "it is the name of a column" + (", or a list of names" if several else "")
    raise BadOption(option=role, value=value, wanted=wanted)


def check_number(option: str, value: Value) -> Value:
    """The value, if it is a number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadOption(option=option, value=value, wanted="it is a number")
    return value


def check_count(option: str, value: object, *, least: int | None = 1) -> int:
    """The value, if it is a whole number, and not below the least."""
    if _is_whole(value) and (least is None or value >= least):
        return int(value)
    wanted = "it is a whole number" + ("" if least is None else f", {least} or more")
    raise BadOption(option=option, value=value, wanted=wanted)


def check_jobs(option: str, value: object) -> int:
    """The value, if it is a number of workers, or −1."""
    if _is_whole(value) and (value >= 1 or value == -1):
        return int(value)
    wanted = "it is a whole number, 1 or more, or −1 for all cores"
    raise BadOption(option=option, value=value, wanted=wanted)


def check_seed(value: object) -> int:
    """The seed, if it is a whole number that is not negative."""
    return check_count("seed", value, least=0)


def check_listener(option: str, value: Function) -> Function:
    """The value, if it can be called to tell how far the work is."""
    if not callable(value):
        wanted = "it is a function that is told how many calls are done, and of how many"
        raise BadOption(option=option, value=value, wanted=wanted)
    return value


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, Integral) and not isinstance(value, bool)


SIDES = ("left", "right", "tie")


def check_outcomes(name: str, value: Any) -> Any:
    """What words mean, as texts such as "2=right"."""
    texts = (
        [f"{word}={side}" for word, side in value.items()] if isinstance(value, Mapping) else value
    )
    wanted = "it is written WORD=left, WORD=right or WORD=tie"
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise BadOption(option=name, value=value, wanted=wanted)
    for text in texts:
        word, mark, side = str(text).rpartition("=")
        if not (word and mark and side in SIDES):
            raise BadOption(option=name, value=text, wanted=wanted)
    return tuple(texts)
