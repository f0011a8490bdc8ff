"""What an estimator is, whatever it is called: its class and what was set."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import blake2b
from types import FunctionType
from typing import Any

import numpy as np

from winodds.adapters.settings import ADDRESS, plain_setting
from winodds.tournament.code import describe_code
from winodds.tournament.seeds import digest


def identify(estimator: Any) -> str:
    """A digest of an estimator's class and of the parameters that differ from their defaults.

    What the class does is no part of it (`winodds.tournament.code` has that), nor is its package's
    version.
    """
    return digest(_describe(estimator))


def pack(value: object) -> bytes:
    """Pickle, also what only this program knows, such as a class in a notebook."""
    import cloudpickle

    found: bytes = cloudpickle.dumps(value)
    return found


def _describe(value: Any) -> Any:
    if hasattr(value, "get_params") and not isinstance(value, type):
        return [f"{type(value).__module__}.{type(value).__qualname__}", _parameters(value)]
    if isinstance(value, (list, tuple)):
        return [_describe(own) for own in value]
    if isinstance(value, Mapping):
        return {str(name): _describe(own) for name, own in value.items()}
    if isinstance(value, partial):
        return ["partial", _describe(value.func), _describe(value.args), _describe(value.keywords)]
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return [str(value.dtype), value.shape, blake2b(value.tobytes()).hexdigest()]
    if callable(value) and hasattr(value, "__qualname__"):
        return _describe_callable(value)
    if ADDRESS.search(repr(value)):
        # Its text does not tell what is in it.
        return [type(value).__name__, blake2b(pack(value)).hexdigest()]
    return [type(value).__name__, plain_setting(value)]


def _parameters(estimator: Any) -> dict[str, Any]:
    """The parameters that are not the usual ones."""
    usual = inspect.signature(type(estimator).__init__).parameters
    return {
        name: _describe(own)
        for name, own in estimator.get_params(deep=False).items()
        if name not in usual or not _same(own, usual[name].default)
    }


def _same(one: Any, other: Any) -> bool:
    """Whether two values are of one kind and are written alike."""
    return type(one) is type(other) and repr(one) == repr(other)


def _describe_callable(value: Callable[..., Any]) -> Any:
    """A function by its path; one that no path leads to, such as a lambda, by what it does."""
    path = f"{value.__module__}.{value.__qualname__}"
    if not isinstance(value, FunctionType) or ("<" not in path and value.__module__ != "__main__"):
        return path
    cells = [cell.cell_contents for cell in value.__closure__ or ()]
    does = describe_code(value.__code__)
    return [path, does, _describe(value.__defaults__ or ()), _describe(cells)]
