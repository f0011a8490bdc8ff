"""How much of the data a search tests on, as far as its splitter tells."""

from dataclasses import dataclass
from typing import Any

FOLDS = ("KFold", "StratifiedKFold")
REPEATED = ("RepeatedKFold", "RepeatedStratifiedKFold")
SHUFFLED = ("ShuffleSplit", "StratifiedShuffleSplit")
USUAL_FOLDS = 5
USUAL_SHARE = 0.1
"""What scikit-learn takes if nothing is said: folds of a search, test share of shuffled splits."""


@dataclass(frozen=True, slots=True)
class Splitter:
    """What split the data.

    Attributes
    ----------
    name : in words.
    share : of the test cases among the test and training cases of a split; None if that is not
        known, or if training sets are not all of one size, or groups are kept together.
    """

    name: str
    share: float | None


def describe_splitter(cv: Any, splits: int) -> Splitter:
    """What a search's ``cv`` says of its so many splits."""
    if cv is None or isinstance(cv, int):
        folds = USUAL_FOLDS if cv is None else cv
        return Splitter(f"{folds}-fold cross-validation", 1.0 / folds if folds == splits else None)
    kind = type(cv).__name__
    if not type(cv).__module__.startswith("sklearn."):
        return Splitter("a splitter of your own", None)
    if kind in FOLDS:
        return Splitter(kind, _one_of(cv.n_splits, splits))
    if kind in REPEATED:
        return Splitter(kind, _one_of(getattr(cv, "cvargs", {}).get("n_splits"), splits))
    return Splitter(kind, _test_share(cv.test_size, cv.train_size) if kind in SHUFFLED else None)


def _one_of(folds: Any, splits: int) -> float | None:
    """The share of one fold; the splits are those of some repeats."""
    known = isinstance(folds, int) and folds > 1 and splits % folds == 0
    return 1.0 / folds if known else None


def _test_share(test: float | None, train: float | None) -> float | None:
    """The share of tests in splits of which one or both parts have a size."""
    if test is None and train is None:
        return USUAL_SHARE
    if isinstance(test, float) and train is None:
        return test
    if test is None:
        return 1.0 - train if isinstance(train, float) else None
    same = type(test) is type(train)
    return test / (test + train) if same and train is not None else None
