"""What a race costs beside its fits, at 50 and at 1,000 settings.

Every fit burns 50 ms of processor time, so that what the process burnt beyond that is overhead, on
a busy machine as on a quiet one.

    python benchmarks/tuning/overhead.py [--milliseconds 50] [--settings 50 1000]
"""

import argparse
import time
from typing import Any

import numpy as np
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RandomizedSearchCV, ShuffleSplit

from winodds.tune import EPPSearchCV
from winodds.tune.rules import Strategy

ROWS, COLUMNS, SPLITS = 240, 20, 20

STRATEGIES: tuple[Strategy | None, ...] = ("park", "prove", None)
"""None is the random search of scikit-learn."""


class Burning(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A model that takes a fixed time of the processor and is as good as its parameter."""

    def __init__(self, value: float = 0.0, seconds: float = 0.05) -> None:
        self.value = value
        self.seconds = seconds

    def fit(self, data: Any, y: Any) -> "Burning":
        end = time.process_time() + self.seconds
        self.classes_ = np.unique(y)
        self.luck_ = float(data[0, 0])
        while time.process_time() < end:
            pass
        return self

    def predict(self, data: Any) -> Any:
        return np.zeros(len(data), np.int64)


def score(model: Burning, *_: Any) -> float:
    """The same each time for a setting and a split, without a model that would take time."""
    seed = [int(1e6 * abs(model.luck_)), int(1e6 * abs(model.value))]
    return 0.8 + 0.03 * model.value + 0.02 * float(np.random.default_rng(seed).standard_normal())


def measure(settings: int, strategy: Strategy | None, seconds: float) -> tuple[int, float]:
    """Fits, and the time of the processor that a search took beyond them."""
    rng = np.random.default_rng(0)
    data, y = rng.standard_normal((ROWS, COLUMNS)), rng.integers(0, 2, ROWS)
    options: dict[str, Any] = {
        "n_iter": settings,
        "scoring": score,
        "cv": ShuffleSplit(SPLITS, test_size=0.25, random_state=1),
        "random_state": 0,
        "refit": False,
    }
    model, space = Burning(seconds=seconds), {"value": norm()}
    start = time.process_time()
    if strategy is None:
        RandomizedSearchCV(model, space, **options).fit(data, y)
        fits = settings * SPLITS
    else:
        search = EPPSearchCV(model, space, strategy=strategy, **options).fit(data, y)
        fits = search.race_.fits
    return fits, time.process_time() - start - fits * seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--milliseconds", type=float, default=50.0, help="of a fit")
    parser.add_argument("--settings", type=int, nargs="+", default=[50, 1_000])
    asked = parser.parse_args()
    seconds = asked.milliseconds / 1e3
    measure(10, "park", 0.0)
    print(f"overhead of a search, fits of {asked.milliseconds:g} ms")
    print(f"{'settings':>8}  {'search':20}{'fits':>7}  {'of training':>11}  {'per fit':>8}")
    for settings in asked.settings:
        for strategy in STRATEGIES:
            if strategy is None and settings > asked.settings[0]:
                continue
            fits, more = measure(settings, strategy, seconds)
            name = "RandomizedSearchCV" if strategy is None else f"EPPSearchCV, {strategy}"
            share, each = more / (fits * seconds), 1e3 * more / fits
            print(f"{settings:8,}  {name:20}{fits:7,}  {share:11.1%}  {each:5.2f} ms", flush=True)


if __name__ == "__main__":
    main()
