"""Winodds: leaderboards you can read as odds."""

from winodds._version import __version__
from winodds.errors import DataError, UseError, WinoddsError
from winodds.leaderboard import COLUMNS, Estimate, Leaderboard, Row
from winodds.rate import rate, rate_battles, rate_each
from winodds.schema import leaderboard_schema
from winodds.season import Season

__all__ = [
    "COLUMNS",
    "DataError",
    "Estimate",
    "Leaderboard",
    "Row",
    "Season",
    "UseError",
    "WinoddsError",
    "__version__",
    "leaderboard_schema",
    "rate",
    "rate_battles",
    "rate_each",
]
