"""How the splits of a splitter hang together, which decides what may be claimed."""

from typing import Any

from winodds.tune.rules import Splits

INDEPENDENT = ("ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit")
FOLDS = (
    *("KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold"),
    *("RepeatedKFold", "RepeatedStratifiedKFold"),
    *("LeaveOneOut", "LeavePOut", "LeaveOneGroupOut", "LeavePGroupsOut"),
)


def kind_of(splitter: Any) -> Splits:
    """What is known of a splitter's splits; of those nobody knows, nothing may be claimed.

    >>> from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
    >>> kind_of(ShuffleSplit()), kind_of(KFold()), kind_of(TimeSeriesSplit())
    ('independent', 'folds', 'dependent')
    """
    kind = type(splitter)
    if not kind.__module__.startswith("sklearn."):
        return "dependent"
    if kind.__name__ in INDEPENDENT:
        return "independent"
    return "folds" if kind.__name__ in FOLDS else "dependent"
