"""Checks of single options, for every door."""

from collections.abc import Sequence
from numbers import Integral, Real

from winodds.language.errors import BadOption


def check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise `BadOption` unless the value is one of the choices."""
    if value not in choices:
        wanted = "it is one of " + ", ".join(f'"{choice}"' for choice in choices)
        raise BadOption(option=option, value=value, wanted=wanted)


def check_between(option: str, value: float, low: float, high: float) -> float:
    """The value, if it lies strictly between the ends; else raise `BadOption`."""
    check_number(option, value)
    if not low < value < high:
        wanted = f"it is a number between {low:g} and {high:g}, ends excluded"
        raise BadOption(option=option, value=value, wanted=wanted)
    return float(value)


def check_positive(option: str, value: float, *, scale: str) -> float:
    """The value, if it is 0 or a positive number; else raise `BadOption`."""
    check_number(option, value)
    if not 0.0 <= value < float("inf"):
        wanted = f"it is 0 or a positive number on {scale}"
        raise BadOption(option=option, value=value, wanted=wanted)
    return float(value)


def check_flag(option: str, value: object, *, neither: str) -> bool:
    """The value, if it is True or False; else raise `BadOption`, which says what None is for."""
    if not isinstance(value, bool):
        wanted = f"it is True, False, or None {neither}"
        raise BadOption(option=option, value=value, wanted=wanted)
    return value


def check_role(role: str, value: object, *, several: bool) -> None:
    """Raise `BadOption` unless the value is a column's name, or several if they may be."""
    if isinstance(value, str):
        return
    names = value if several and isinstance(value, Sequence) else ()
    if names and all(isinstance(column, str) for column in names):
        return
    wanted = "it is the name of a column" + (", or a list of names" if several else "")
    raise BadOption(option=role, value=value, wanted=wanted)


def check_number(option: str, value: object) -> None:
    """Raise `BadOption` unless the value is a number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadOption(option=option, value=value, wanted="it is a number")


def check_count(option: str, value: object) -> None:
    """Raise `BadOption` unless the value is a whole number from 1 on."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 1:
        raise BadOption(option=option, value=value, wanted="it is a whole number, 1 or more")


def check_jobs(option: str, value: object) -> None:
    """Raise `BadOption` unless the value is a number of workers, or −1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < -1 or value == 0:
        wanted = "it is a whole number, 1 or more, or −1 for all cores"
        raise BadOption(option=option, value=value, wanted=wanted)


def check_seed(value: object) -> int:
    """The seed, if it is a whole number that is not negative; else raise `BadOption`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 0:
        raise BadOption(option="seed", value=value, wanted="it is a whole number, 0 or more")
    return int(value)
