"""Winodds: leaderboards you can read as odds."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from winodds._version import __version__

if TYPE_CHECKING:
    from winodds import errors as errors
    from winodds.adapters.adapted import Adapted
    from winodds.adapters.algorithms import Algorithm, extract_algorithm
    from winodds.adapters.openml.fetch import fetch_openml
    from winodds.adapters.optuna import read_study
    from winodds.adapters.scikit_learn import read_search
    from winodds.adapters.sources import read_source
    from winodds.api.battles import rate_battles
    from winodds.api.gate import gate
    from winodds.api.scores import rate, rate_each
    from winodds.api.slices import rate_battle_slices, rate_slices
    from winodds.api.sources import rate_logs, rate_search, rate_study
    from winodds.board.bootstrap import Bootstrap
    from winodds.board.comparisons import Comparison, Comparisons, Estimate
    from winodds.board.gate import Gate
    from winodds.board.leaderboard import Leaderboard
    from winodds.board.quality import Quality
    from winodds.board.row import COLUMNS, Row
    from winodds.board.schema import leaderboard_schema
    from winodds.language.errors import DataError, UseError, WinoddsError
    from winodds.read.files import read_results
    from winodds.read.sheet import Sheet
    from winodds.read.wide import to_long
    from winodds.schema import gate_schema, season_schema, slices_schema
    from winodds.season.season import Season
    from winodds.slices.slices import Slices
    from winodds.sota.answer import Sota
    from winodds.sota.contest import estimate_sota
    from winodds.sota.laws.law import MaximumLaw
    from winodds.sota.shakeup.answer import ShakeUp
    from winodds.sota.shakeup.asked import shake_up
    from winodds.sota.what_if import law_of_maximum
    from winodds.tournament.door import Played, run

_HOMES = {
    "Adapted": "adapters.adapted",
    "Algorithm": "adapters.algorithms",
    "Bootstrap": "board.bootstrap",
    "COLUMNS": "board.row",
    "Comparison": "board.comparisons",
    "Comparisons": "board.comparisons",
    "DataError": "errors",
    "Estimate": "board.comparisons",
    "Gate": "board.gate",
    "Leaderboard": "board.leaderboard",
    "MaximumLaw": "sota.laws.law",
    "Played": "tournament.door",
    "Quality": "board.quality",
    "Row": "board.row",
    "Season": "season.season",
    "ShakeUp": "sota.shakeup.answer",
    "Sheet": "read.sheet",
    "Slices": "slices.slices",
    "Sota": "sota.answer",
    "UseError": "errors",
    "WinoddsError": "errors",
    "estimate_sota": "sota.contest",
    "extract_algorithm": "adapters.algorithms",
    "fetch_openml": "adapters.openml.fetch",
    "gate": "api.gate",
    "gate_schema": "schema",
    "law_of_maximum": "sota.what_if",
    "leaderboard_schema": "board.schema",
    "rate": "api.scores",
    "rate_battle_slices": "api.slices",
    "rate_battles": "api.battles",
    "rate_each": "api.scores",
    "rate_logs": "api.sources",
    "rate_search": "api.sources",
    "rate_slices": "api.slices",
    "rate_study": "api.sources",
    "read_results": "read.files",
    "read_search": "adapters.scikit_learn",
    "read_source": "adapters.sources",
    "read_study": "adapters.optuna",
    "run": "tournament.door",
    "season_schema": "schema",
    "shake_up": "sota.shakeup.asked",
    "slices_schema": "schema",
    "to_long": "read.wide",
}
"""Modules of the public names; each is imported when it is first asked for."""

__all__ = [
    "Adapted",
    "Algorithm",
    "COLUMNS",
    "Bootstrap",
    "Comparison",
    "Comparisons",
    "DataError",
    "Estimate",
    "Gate",
    "Leaderboard",
    "MaximumLaw",
    "Played",
    "Quality",
    "Row",
    "Season",
    "ShakeUp",
    "Sheet",
    "Slices",
    "Sota",
    "UseError",
    "WinoddsError",
    "__version__",
    "estimate_sota",
    "extract_algorithm",
    "fetch_openml",
    "gate",
    "gate_schema",
    "law_of_maximum",
    "leaderboard_schema",
    "rate",
    "rate_battle_slices",
    "rate_battles",
    "rate_each",
    "rate_logs",
    "rate_search",
    "rate_slices",
    "rate_study",
    "read_results",
    "read_search",
    "read_source",
    "read_study",
    "run",
    "season_schema",
    "shake_up",
    "slices_schema",
    "to_long",
]


def __getattr__(name: str) -> Any:
    if name == "errors":
        return import_module("winodds.errors")
    if name not in _HOMES:
        raise AttributeError(f"module 'winodds' has no attribute '{name}'")
    found = getattr(import_module(f"winodds.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
