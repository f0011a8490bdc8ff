"""What a run is made of, whichever door it came through: players, data sets and metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from winodds.adapters.settings import Plain
from winodds.arrays import Ints
from winodds.tournament.spec import Limits


@dataclass(frozen=True, slots=True)
class Player:
    """One setting of one algorithm.

    Attributes
    ----------
    name, family : on boards; the family is the algorithm.
    estimator : an object with ``fit``, which is cloned before it is used.
    settings : the hyperparameters that vary within the family.
    identity : what it is, whatever it is called.
    code : stands for what its own code does; None if all of it comes with installed packages.
    """

    name: str
    family: str
    estimator: Any
    settings: Mapping[str, Plain]
    identity: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A split: its name, and the rows to train and to test on."""

    name: str
    train: Ints
    test: Ints


@dataclass(frozen=True, slots=True)
class DataSet:
    """A tournament: what to tell from what, and its splits, the same for every player.

    Attributes
    ----------
    name : on boards.
    x, y : as estimators take them; rows are cases.
    rounds : the splits.
    identity : of the contents and the splits.
    test_fraction : the share of each split that is tested, if that is always the same.
    """

    name: str
    x: Any
    y: Any
    rounds: Sequence[Round]
    identity: str
    test_fraction: float | None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Everything that is to be played.

    Attributes
    ----------
    players, data : who plays where.
    scorers : by the metrics' names.
    directions : of the metrics, "up" or "down".
    seed : that all seeds follow from.
    limits : of one fit.
    path : folders in which modules are found beside the usual ones.
    left_out : settings that are the same as others, with these.
    """

    players: Sequence[Player]
    data: Sequence[DataSet]
    scorers: Mapping[str, Any]
    directions: Mapping[str, str]
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    path: tuple[str, ...] = ()
    left_out: Sequence[tuple[str, str]] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.scorers)
