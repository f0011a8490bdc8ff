"""A refusal → the whole command that is not refused, with all that was missing."""

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

import click

from winodds.cli.options import DECLARED, Asked
from winodds.cli.progress import Progress
from winodds.language.errors import WinoddsError
from winodds.language.option import Role
from winodds.language.options import FileOptions
from winodds.language.spelling import flag_of, option, options

MOST = 12
"""Commands that are tried."""

STEPS = 6
"""Refusals in a row after which nothing more is tried."""

WAY = "higher_is_better"
FLAGS = ("--higher-is-better", "--lower-is-better")
OF_FILE = frozenset(field.name for field in fields(FileOptions))


@contextmanager
def with_command(file: str, asked: Asked) -> Iterator[None]:
    """Give an error that is raised within the command that would do, if one is found."""
    try:
        yield
    except WinoddsError as error:
        if told := find_command(error, file, asked):
            error.add_note(told)
        raise


def find_command(
    error: WinoddsError, file: str, asked: Asked, *, command: str | None = None
) -> str | None:
    """The command that was typed, with what it lacked; None where nobody knows that.

    ``command`` takes the place of the one that was typed.
    """
    left = [MOST]
    found = _search(error, file, asked, {}, left)
    if not found:
        return None
    typed = list(click.get_current_context().find_root().obj or [])
    if command is not None:
        typed[:1] = [command]
    told = f"Try: winodds {' '.join([shlex.join(_kept(typed, found)), *_written(found)])}"
    if found.get(WAY) is True:
        told += f"\n     ({FLAGS[1]} instead, if lower is better)"
    return told


def _search(
    error: WinoddsError, file: str, asked: Asked, added: Mapping[str, Any], left: list[int]
) -> Mapping[str, Any] | None:
    """The options that have to be added so that the file is rated."""
    for remedy in _remedies(error):
        more = _merge(added, remedy)
        if more == added or len(more) > STEPS or not left[0]:
            continue
        left[0] -= 1
        said = _with(asked, more)
        refusal = _try(file, said)
        if refusal is None:
            return more
        if (found := _search(refusal, file, asked, more, left)) is not None:
            return found
    return None


def _remedies(error: WinoddsError) -> Sequence[Mapping[str, Any]]:
    inner = error.__cause__
    return error.remedies() or (inner.remedies() if isinstance(inner, WinoddsError) else [])


def _try(file: str, asked: Asked) -> WinoddsError | None:
    """Why the file is not rated like this, or None."""
    from winodds.cli.boards import rate_table, read_file

    with Progress(sys.stderr, quiet=True) as progress:
        try:
            rate_table(read_file(file, asked, progress), asked.but(details=False), progress)
        except WinoddsError as error:
            return error
    return None


def _merge(added: Mapping[str, Any], remedy: Mapping[str, Any]) -> dict[str, Any]:
    """What was added, and what is added to it; columns join those of the same role."""
    merged = dict(added)
    for name, value in remedy.items():
        if isinstance(value, (list, tuple)):
            merged[name] = list(dict.fromkeys([*merged.get(name, ()), *value]))
        else:
            merged[name] = value
    return {name: value for name, value in merged.items() if value != []}


def _with(asked: Asked, added: Mapping[str, Any]) -> Asked:
    """What was typed, and what is added."""
    columns, rest = dict(asked.columns), dict(asked.options)
    of_file: dict[str, Any] = {}
    for name, value in added.items():
        if name in OF_FILE:
            there = getattr(asked.file, name)
            of_file[name] = (*there, *value) if isinstance(value, list) else value
        elif isinstance(DECLARED[name].option, Role):
            columns[name] = tuple(dict.fromkeys((*columns.get(name, ()), *value)))
        else:
            rest[name] = value
    return Asked(columns, replace(asked.file, **of_file), rest)


def _kept(typed: Sequence[str], added: Mapping[str, Any]) -> list[str]:
    """The words that were typed, without those of options that get another value, or none."""
    alone = {flag_of(name): value for name, value in added.items() if not isinstance(value, list)}
    kept: list[str] = []
    words = iter(typed)
    for word in words:
        flag, given, _ = word.partition("=")
        if WAY in added and word in FLAGS:
            continue
        if flag not in alone:
            kept.append(word)
        elif not given and not isinstance(alone[flag], bool):
            next(words, None)
    return kept


def _written(added: Mapping[str, Any]) -> Iterator[str]:
    """The words that are added, the direction last."""
    for name, value in sorted(added.items(), key=lambda item: item[0] == WAY):
        if isinstance(value, list):
            plain = len(value) > 1 and not any("," in it or it != it.strip() for it in value)
            yield option(name, ",".join(value)) if plain else options(name, value)
        elif value is not None:
            yield option(name, value)
