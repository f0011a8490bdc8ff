"""What estimators of the user's own do: a digest of their code, and of what that uses.

Installed packages have versions; modules of one's own change from one run to the next, and scores
with them. A digest covers the class, its methods, and every definition at the top of a module of
one's own that these name, in this module or in another one. Comments, docstrings and how lines are
broken do not count.
"""

import ast
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from winodds.tournament.seeds import digest

INSTALLED = {"site-packages", "dist-packages"}
"""Folders of what a package manager brings."""

Definition: TypeAlias = tuple[str, str | None]
"""A module and a name at its top; without the name, all of the module."""


class Sources:
    """Modules of the user's own, each read once."""

    def __init__(self) -> None:
        self._modules: dict[str, Module | None] = {}

    def digest(self, estimator: Any) -> str | None:
        """A digest of the own code of an estimator; None if all of it is installed."""
        found: set[str] = set()
        for own in parts_of(estimator):
            name = own.__qualname__.partition(".")[0]
            texts = self._texts((own.__module__, name))
            # A notebook has no file, but it knows what its functions do.
            found |= texts or ({_compiled(own)} if own.__module__ == "__main__" else set())
        return digest(sorted(found)) if found else None

    def _texts(self, start: Definition) -> set[str]:
        """The statements that a definition consists of, and those that it needs."""
        seen: set[Definition] = set()
        waiting, found = [start], set()
        while waiting:
            place = waiting.pop()
            module = None if place in seen else self._module(place[0])
            seen.add(place)
            if module is None:
                continue
            for statement in module.of(place[1]):
                found.add(ast.unparse(statement))
                waiting += module.needs(statement)
        return found

    def _module(self, name: str) -> "Module | None":
        if name not in self._modules:
            self._modules[name] = _read(name)
        return self._modules[name]


class Module:
    """The statements at the top of a module, by the names that they define."""

    def __init__(self, name: str, package: str, tree: ast.Module) -> None:
        self._name = name
        self._package = package
        self._every = [part for statement in tree.body for part in _one_by_one(statement)]
        self._by_name: dict[str, list[ast.stmt]] = {}
        for statement in self._every:
            for defined in _defined(statement):
                self._by_name.setdefault(defined, []).append(statement)

    def of(self, name: str | None) -> list[ast.stmt]:
        """The statements that define a name; all of them without one."""
        return self._every if name is None else self._by_name.get(name, [])

    def needs(self, statement: ast.stmt) -> Iterator[Definition]:
        """What a statement names, here or in another module."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id in self._by_name:
                yield self._name, node.id
            elif isinstance(node, ast.Import):
                yield from ((alias.name, None) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                with suppress(ImportError):
                    yield from self._imported(node)

    def _imported(self, node: ast.ImportFrom) -> Iterator[Definition]:
        source = resolve_name(f"{'.' * node.level}{node.module or ''}", self._package)
        for alias in node.names:
            yield source, None if alias.name == "*" else alias.name
            # It may be a module itself.
            yield f"{source}.{alias.name}", None


def _read(name: str) -> Module | None:
    """A module of the user's own; None if it is installed, built in or nowhere in a file."""
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if file is None or not file.endswith(".py") or _installed(Path(file)):
        return None
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    package = getattr(module, "__package__", None) or ""
    return Module(name, package, _without_docstrings(tree))


def _installed(file: Path) -> bool:
    if INSTALLED & set(file.parts):
        return True
    return any(file.is_relative_to(sysconfig.get_path(it)) for it in ("stdlib", "platstdlib"))


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [it for it in node.body if not _is_text(it)] or [ast.Pass()]
    return tree


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a text that nobody takes."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _one_by_one(statement: ast.stmt) -> list[ast.stmt]:
    """An import of several names as several imports, of which not all may be needed."""
    if isinstance(statement, ast.Import):
        return [ast.Import([alias]) for alias in statement.names]
    if isinstance(statement, ast.ImportFrom):
        return [
            ast.ImportFrom(statement.module, [alias], statement.level) for alias in statement.names
        ]
    return [statement]


def _defined(statement: ast.stmt) -> set[str]:
    """The names that a statement at the top of a module gives a meaning to."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return {statement.name}
    found = set()
    for node in ast.walk(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(node.name)
    return found


def parts_of(value: Any) -> Iterator[type | Callable[..., Any]]:
    """The classes and functions that an estimator consists of."""
    if isinstance(value, (type, FunctionType)):
        yield value
    elif hasattr(value, "get_params"):
        yield type(value)
        for own in value.get_params(deep=False).values():
            yield from parts_of(own)
    elif isinstance(value, partial):
        yield from parts_of([value.func, value.args, value.keywords])
    elif isinstance(value, Mapping):
        yield from parts_of(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for own in value:
            yield from parts_of(own)


def _compiled(own: type | Callable[..., Any]) -> str:
    """What the functions of a class do, as Python runs them."""
    classes = own.__mro__ if isinstance(own, type) else ()
    parts = [it for base in classes if base.__module__ == "__main__" for it in vars(base).items()]
    functions = [(name, it) for name, it in parts or [("", own)] if isinstance(it, FunctionType)]
    return digest([[name, describe_code(it.__code__)] for name, it in functions])


def describe_code(code: CodeType) -> list[Any]:
    """What compiled code does, without where it stands."""
    return [code.co_code.hex(), code.co_names, [_describe_constant(it) for it in code.co_consts]]


def _describe_constant(value: Any) -> Any:
    if isinstance(value, CodeType):
        return describe_code(value)
    # Sets are written in another order in each process.
    return sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)
