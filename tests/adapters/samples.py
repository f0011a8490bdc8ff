"""Samples of other tools' files, and what tests ask of boards that were rated from them."""

from pathlib import Path
from typing import Any

import polars as pl

import winodds
from winodds.adapters.adapted import Adapted

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


def adapted(path: Path, **options: Any) -> Adapted:
    """What an adapter makes of a file."""
    found = winodds.read_source(path, **options)
    assert isinstance(found, Adapted)
    return found


def ratings(board: winodds.Leaderboard) -> list[tuple[object, ...]]:
    """What a board says of its players, but for their mean scores."""
    return [(row.player, row.epp, row.low, row.high, row.wins, row.matches) for row in board]


def texts(source: Adapted) -> list[str]:
    """What the notes of a source say."""
    return [str(note) for note in source.notes]


def save(frame: pl.DataFrame, folder: Path, name: str = "table.csv") -> Path:
    """The frame as a CSV file."""
    path = folder / name
    frame.write_csv(path)
    return path
