"""Estimators that do to their workers what a benchmark may meet."""

import os
import random
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Hostile(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that misbehaves while it is fitted, and else tells the first class."""

    def __init__(self, kind: str = "fine", *, log: str | None = None) -> None:
        self.kind = kind
        self.log = log

    def fit(self, x: Any, y: Any) -> Self:
        if self.log is not None:
            with Path(self.log).open("a") as file:
                file.write(f"{self.kind}\n")
        self.classes_ = np.unique(y)
        self.n_features_in_ = x.shape[1]
        getattr(self, f"_{self.kind}")()
        return self

    def predict(self, x: Any) -> Any:
        return np.full(len(x), self.classes_[0])

    def _fine(self) -> None:
        pass

    def _raises(self) -> None:
        raise RuntimeError("singular\nand more")

    def _sleeps(self) -> None:
        time.sleep(3600)

    def _grows(self) -> None:
        np.ones(10_000_000_000 // 8)

    def _leaves(self) -> None:
        os._exit(3)

    def _exits(self) -> None:
        raise SystemExit("no more")

    def _holds(self) -> None:
        """Start a program, and never give Python's lock to another thread."""
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        re.match("(a+)+$", "a" * 60 + "b")

    def _dies(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def _takes_its_parent_along(self) -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)

    def _warns(self) -> None:
        warnings.warn("it did not converge", UserWarning, stacklevel=1)

    def _prints(self) -> None:
        print("x" * 100_000)
        os.write(1, b"y" * 100_000)
        sys.stderr.write("z" * 100_000)

    def _pauses(self) -> None:
        time.sleep(0.05)


class Random(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose every answer is drawn, from all sources that there are."""

    def __init__(self, *, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, x: Any, y: Any) -> Self:
        self.classes_, self.n_features_in_ = np.unique(y), x.shape[1]
        own = np.random.default_rng(self.random_state).random()
        self.share_ = (own + random.random() + np.random.random()) / 3.0
        return self

    def predict(self, x: Any) -> Any:
        first = np.arange(len(x)) < self.share_ * len(x)
        return np.where(first, self.classes_[0], self.classes_[1])


class Threads(Random):
    """A classifier that fails, naming how many threads its worker's libraries would use."""

    def fit(self, x: Any, y: Any) -> Self:  # noqa: ARG002
        from threadpoolctl import threadpool_info

        np.linalg.inv(np.eye(3))
        used = sorted({pool["num_threads"] for pool in threadpool_info()})
        raise RuntimeError(f"{len(threadpool_info()) > 0} {used} {os.environ['OMP_NUM_THREADS']}")


def half(estimator: Any, x: Any, y: Any) -> float:  # noqa: ARG001
    """A scorer that has no number for half of its cases."""
    return float("nan") if len(x) % 2 else 1.0
