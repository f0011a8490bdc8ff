"""Navigated tuning: stop paying for settings that cannot win."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from winodds.language.errors import MissingExtra

if TYPE_CHECKING:
    from winodds.tune.pruner import EPPPruner, EPPStop
    from winodds.tune.race import Race
    from winodds.tune.replays import Replay, replay
    from winodds.tune.rules import Rules
    from winodds.tune.search_cv import EPPSearchCV

_HOMES = {
    "EPPPruner": ("pruner", "optuna", "optuna"),
    "EPPSearchCV": ("search_cv", "scikit-learn", "sklearn"),
    "EPPStop": ("pruner", "optuna", "optuna"),
    "Race": ("race", "", ""),
    "Replay": ("replays", "", ""),
    "Rules": ("rules", "", ""),
    "replay": ("replays", "", ""),
}
"""Where public names live, the library that they need, and the extra that brings it."""

__all__ = ["EPPPruner", "EPPSearchCV", "EPPStop", "Race", "Replay", "Rules", "replay"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'winodds.tune' has no attribute '{name}'")
    module, library, extra = _HOMES[name]
    try:
        return getattr(import_module(f"winodds.tune.{module}"), name)
    except ModuleNotFoundError as error:
        if not library or error.name is None or error.name.startswith("winodds"):
            raise
        raise MissingExtra(packages=[library], purpose=name, extra=extra) from error


def __dir__() -> list[str]:
    return sorted(__all__)
