"""A spec as it is written: a TOML file whose keys know their lines."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

from winodds.language.words import did_you_mean, list_names, quote, visible
from winodds.read.loading import load_content
from winodds.table.names import hidden_character
from winodds.tournament.errors import BadSpec

Keys: TypeAlias = tuple[str, ...]

REQUIRED: Any = object()
"""The default of a key that must be given."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a spec comes from: its path, and the line of every key."""

    path: str
    lines: Mapping[Keys, int]

    def refuse(self, keys: Keys, reason: str) -> BadSpec:
        """The error about a key, with the line of the nearest one that has one."""
        known = next((keys[:k] for k in range(len(keys), 0, -1) if keys[:k] in self.lines), ())
        key = spell_keys(keys) or None
        return BadSpec(path=self.path, key=key, line=self.lines.get(known), reason=reason)


class Section:
    """A table of a spec, whose keys are taken one by one; `close` refuses what is left."""

    def __init__(self, source: Source, keys: Keys, values: Mapping[str, Any]) -> None:
        self.source = source
        self.keys = keys
        self._values = dict(values)
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    @property
    def name(self) -> str:
        """The last part of the section's own key."""
        return self.keys[-1]

    def refuse(self, key: str, reason: str) -> BadSpec:
        return self.source.refuse((*self.keys, key), reason)

    def refuse_all(self, reason: str) -> BadSpec:
        """The error about the section itself."""
        return self.source.refuse(self.keys, reason)

    def take(self, key: str, default: Any = REQUIRED) -> Any:
        """A value of any kind."""
        self._known.append(key)
        if key not in self._values:
            if default is REQUIRED:
                raise self.refuse_all(f"it needs {quote(key)}")
            return default
        return self._values.pop(key)

    def text(self, key: str, default: Any = REQUIRED) -> Any:
        value = self.take(key, default)
        if value is not default and not (isinstance(value, str) and value):
            raise self.refuse(key, "it is a text")
        return value

    def whole(self, key: str, default: Any = REQUIRED, *, least: int = 1) -> Any:
        value = self.take(key, default)
        if value is not default and (type(value) is not int or value < least):
            raise self.refuse(key, f"it is a whole number, {least} or more")
        return value

    def positive(self, key: str, default: Any = REQUIRED) -> Any:
        value = self.take(key, default)
        if value is not default and not (type(value) in (int, float) and 0 < value < float("inf")):
            raise self.refuse(key, "it is a number above 0")
        return value

    def share(self, key: str, default: Any = REQUIRED) -> Any:
        value = self.take(key, default)
        if value is not default and not (type(value) is float and 0.0 < value < 1.0):
            raise self.refuse(key, "it is a share of the rows, between 0 and 1")
        return value

    def flag(self, key: str, default: Any = REQUIRED) -> Any:
        value = self.take(key, default)
        if not isinstance(value, bool):
            raise self.refuse(key, "it is true or false")
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: Any = REQUIRED) -> Any:
        value = self.take(key, default)
        if value is not default and value not in choices:
            listed = list_names(choices, shown=len(choices))
            raise self.refuse(key, f"it is one of {listed}{_meant(value, choices)}")
        return value

    def texts(self, key: str, default: Any = REQUIRED) -> Any:
        """A list of texts; one alone may stand without brackets."""
        value = self.take(key, default)
        if value is default:
            return value
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not found or not all(isinstance(it, str) for it in found):
            raise self.refuse(key, "it is a list of texts")
        return tuple(found)

    def section(self, key: str) -> "Section":
        """The table under a key; an empty one if there is none."""
        value = self.take(key, {})
        if not isinstance(value, dict):
            raise self.refuse(key, "it is a table, with keys of its own")
        return Section(self.source, (*self.keys, key), value)

    def sections(self, key: str) -> list["Section"]:
        """The tables under a key, of which there must be some."""
        found = self.section(key)
        if not found._values:
            raise self.source.refuse(found.keys, f"there is none; begin one with [{key}.name]")
        for name in found:
            if not name.strip() or hidden_character(name) is not None:
                raise found.refuse(name, "it is no name: it is empty, or holds what nobody sees")
        return [found.section(name) for name in list(found)]

    def close(self) -> None:
        """Refuse the first key that nobody has asked for."""
        for key in self._values:
            known = list_names(self._known, shown=len(self._known))
            reason = f"there is no such key; there are {known}{_meant(key, self._known)}"
            raise self.refuse(key, reason)


def read_toml(path: str) -> Section:
    """The whole of a TOML file."""
    if Path(path).is_dir():
        raise BadSpec(path=path, key=None, line=None, reason="it is a folder; name a TOML file")
    content = load_content(path)
    try:
        text = content.decode()
        values = tomllib.loads(text)
        lines = find_lines(text)
    except RecursionError as error:
        reason = "its parts lie too deep within each other"
        raise BadSpec(path=path, key=None, line=None, reason=reason) from error
    except ValueError as error:
        # Numbers of thousands of digits are no error of TOML.
        reason = f"the file is no TOML ({error})"
        raise BadSpec(path=path, key=None, line=None, reason=reason) from error
    return Section(Source(str(Path(path)), lines), (), values)


PATIENCE = 20
"""How often each character of a spec is read at most, on average, to find the lines of its keys."""

CLOSING = ("]", "}", '"', "'")


def find_lines(text: str) -> dict[Keys, int]:
    r"""The line on which every key of a TOML text stands.

    >>> find_lines('seed = 1\n[data.wine]\nsklearn = "wine"\nuse = { a = 1 }')[
    ...     ("data", "wine", "use", "a")
    ... ]
    4
    """
    found: dict[Keys, int] = {}
    table: Keys = ()
    pending, start, left = "", 0, PATIENCE * len(text) + 10_000
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not pending and not line.strip().removeprefix("#"):
            continue
        pending, start = (f"{pending}\n{line}", start) if pending else (line, number)
        if pending != line and not line.partition("#")[0].rstrip().endswith(CLOSING):
            continue
        left -= len(pending)
        if left < 0:
            # A value goes on and on; what is behind it has no line.
            break
        try:
            part = tomllib.loads(pending)
        except tomllib.TOMLDecodeError:
            # A value goes on in the next line.
            continue
        if pending.lstrip().startswith("["):
            table = max(_keys(part), key=len, default=())
        for keys in _keys(part):
            found.setdefault(keys if pending.lstrip().startswith("[") else (*table, *keys), start)
        pending = ""
    return found


def _keys(part: Any) -> Iterator[Keys]:
    """All keys of nested tables; those in a list of tables count as keys of the list."""
    if isinstance(part, list):
        for own in part:
            yield from _keys(own)
    if isinstance(part, dict):
        for key, value in part.items():
            yield (key,)
            yield from ((key, *rest) for rest in _keys(value))


def spell_keys(keys: Keys) -> str:
    """Keys with dots between them, as a spec has them.

    >>> spell_keys(("data", "my set", "target"))
    'data."my set".target'
    """
    plain = [key if key.replace("-", "").replace("_", "").isalnum() else f'"{key}"' for key in keys]
    return visible(".".join(plain))


def _meant(wrong: object, known: Any) -> str:
    close = get_close_matches(str(wrong), list(known), n=1)
    return f". {did_you_mean(close)}" if close else ""
