"""How an option is written in a sentence: as in Python, or as on the command line."""

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

_SPELLING: ContextVar[Literal["python", "command"]] = ContextVar("spelling", default="python")


@contextmanager
def command_line_spelling() -> Iterator[None]:
    """Within, options in sentences are written as on the command line."""
    token = _SPELLING.set("command")
    try:
        yield
    finally:
        _SPELLING.reset(token)


WORDS_OF_COMMANDS = {"source": "from"}
"""Options whose word on the command line is taken in Python."""


def flag_of(name: str) -> str:
    """An option's flag on the command line.

    >>> flag_of("tie_tolerance"), flag_of("source")
    ('--tie-tolerance', '--from')
    """
    return "--" + WORDS_OF_COMMANDS.get(name, name).replace("_", "-")


def on_command_line() -> bool:
    return _SPELLING.get() == "command"


_NO_VALUE = object()


def option(name: str, value: object = _NO_VALUE) -> str:
    """An option, with its value if it is given, as the reader would type it.

    >>> option("duplicates", "mean"), option("missing"), option("higher_is_better", True)
    ('duplicates="mean"', 'missing=', 'higher_is_better=True')
    >>> with command_line_spelling():
    ...     option("tie_tolerance", 0.1), option("reference", "my model")
    ('--tie-tolerance 0.1', "--reference 'my model'")
    >>> with command_line_spelling():
    ...     option("higher_is_better", False), option("percent", True)
    ('--lower-is-better', '--percent')
    """
    return _on_command_line(name, value) if on_command_line() else _in_python(name, value)


def options(name: str, values: list[str]) -> str:
    """An option with several values.

    >>> options("round", ["task", "fold"])
    'round=["task", "fold"]'
    >>> with command_line_spelling():
    ...     options("round", ["task", "fold"])
    '--round task --round fold'
    """
    if on_command_line():
        return " ".join(option(name, value) for value in values)
    return f"{name}=[{', '.join(_quoted(value) for value in values)}]"


def _in_python(name: str, value: object) -> str:
    if value is _NO_VALUE:
        return f"{name}="
    return f"{name}={_quoted(value)}" if isinstance(value, str) else f"{name}={value!r}"


def _quoted(value: str) -> str:
    return f'"{value}"' if re.fullmatch(r'[^"\\]*', value) and value.isprintable() else repr(value)


def _on_command_line(name: str, value: object) -> str:
    flag = flag_of(name)
    if value is False:
        return "--lower-is-better" if name == "higher_is_better" else f"--no-{flag[2:]}"
    if value is _NO_VALUE or value is None or value is True:
        return flag
    text = repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
    return f"{flag} {shlex.quote(text)}"
