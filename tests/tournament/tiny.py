"""A run of 200 tiny fits, for processes that are killed; it imports little, to begin soon."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

import winodds
from tournament.estimators import Hostile, Random

RNG = np.random.default_rng(1)
X, Y = RNG.normal(size=(60, 3)), np.repeat([0, 1], 30)
FITS = 200

START = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from tournament.estimators import Hostile
from tournament.tiny import tiny
tiny(Path(sys.argv[1]), {more})
"""


def tiny(folder: Path, more: Mapping[str, Any] | None = None) -> None:
    """Run, and say on standard output how many fits are saved."""
    models = [Hostile("pauses"), *(KNeighborsClassifier(k) for k in (1, 3, 5)), Random()]
    winodds.run(
        {f"player {k}": it for k, it in enumerate(models)} | dict(more or {}),
        {"a": (X, Y), "b": (X[::-1], Y)},
        scoring="accuracy",
        cv=ShuffleSplit(20),
        n_jobs=2,
        output=folder,
        progress=lambda done, _: print(done, flush=True),
    )
