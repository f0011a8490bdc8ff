"""A spec → the benchmark that it describes; everything is checked before anything runs."""

import itertools
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np

from winodds.adapters.scorers import direct_scorer
from winodds.language.errors import BadOption, MissingExtra
from winodds.language.words import did_you_mean, list_names, quote
from winodds.tournament.benchmark import Benchmark, DataSet, Player, Round
from winodds.tournament.data import Cases, load_cases
from winodds.tournament.fitting import describe
from winodds.tournament.imports import NotFound
from winodds.tournament.players import drop_copies, make_players, repeated_name
from winodds.tournament.seeds import digest
from winodds.tournament.spec import AlgorithmSpec, DataSpec, Spec, read_spec
from winodds.tournament.splits import split_cases

NEEDED = {"scikit-learn": "sklearn", "cloudpickle": "cloudpickle"}
"""Packages of the extra, by the modules that they bring."""

MANY = 20
"""Different values up to which they are probably classes."""

Named = TypeVar("Named", DataSpec, AlgorithmSpec)


def require_scikit_learn() -> None:
    """Raise `MissingExtra` if it is not installed, or what pickles estimators is not."""
    missing = [name for name, module in NEEDED.items() if find_spec(module) is None]
    if missing:
        raise MissingExtra(packages=missing, purpose="A run", extra="sklearn")


def read_benchmark(path: str, only: Collection[str] = ()) -> Benchmark:
    """Read a spec, and load and make all that it names.

    Parameters
    ----------
    path : of the spec.
    only : names of data sets and algorithms; of the others nothing is loaded. If these are only
        data sets, all algorithms play, and the other way round.
    """
    require_scikit_learn()
    spec = read_spec(path)
    data, algorithms = _choose(spec, only)
    scorers = make_scorers(spec)
    players, left_out = drop_copies(
        [it for own in algorithms for it in make_players(own, spec.folder, spec.seed)]
    )
    _refuse_same_names(spec, players)
    sets = [_load(own, spec) for own in data]
    hopeless = find_hopeless(players, sets, scorers)
    if hopeless is not None:
        raise spec.root.refuse("metrics", hopeless[1])
    return Benchmark(
        players=players,
        data=sets,
        scorers=scorers,
        directions={name: direct_scorer(name, True) for name in scorers},
        seed=spec.seed,
        limits=spec.limits,
        path=(str(spec.folder),),
        left_out=left_out,
    )


def _choose(
    spec: Spec, only: Collection[str]
) -> tuple[Sequence[DataSpec], Sequence[AlgorithmSpec]]:
    known = [own.name for own in spec.data] + [own.name for own in spec.algorithms]
    unknown = [name for name in only if name not in known]
    if unknown:
        wanted = f"there is no such data set or algorithm; there are {list_names(known, shown=20)}"
        raise BadOption(option="only", value=unknown[0], wanted=wanted)
    return _named(spec.data, only), _named(spec.algorithms, only)


def _named(every: Sequence[Named], only: Collection[str]) -> Sequence[Named]:
    return [own for own in every if own.name in only] or every


def make_scorers(spec: Spec) -> dict[str, Any]:
    """The scorers of scikit-learn that the metrics are names of."""
    from difflib import get_close_matches

    from sklearn.metrics import get_scorer, get_scorer_names

    known = get_scorer_names()
    for name in spec.metrics:
        if name not in known:
            close = get_close_matches(name, known, n=3)
            meant = f". {did_you_mean(close)}" if close else ""
            raise spec.root.refuse("metrics", f"scikit-learn has no scorer {quote(name)}{meant}")
    return {name: get_scorer(name) for name in spec.metrics}


def find_hopeless(
    players: Sequence[Player], sets: Sequence[DataSet], scorers: Mapping[str, Any]
) -> tuple[str, str] | None:
    """A metric that no player can have on some data set, and why, told by a model without skill."""
    from sklearn.base import is_classifier, is_regressor
    from sklearn.dummy import DummyClassifier, DummyRegressor

    for kind, dummy in ((is_classifier, DummyClassifier()), (is_regressor, DummyRegressor())):
        if all(_is(kind, player.estimator) for player in players):
            for data, (name, scorer) in itertools.product(sets, scorers.items()):
                why = _why_hopeless(scorer, dummy, data)
                if why is not None:
                    said = f"{quote(name)} cannot be computed on {quote(data.name)} ({why})"
                    return name, f"{said}{_others_for(name, data)}"
    return None


def _is(kind: Callable[[Any], bool], estimator: Any) -> bool:
    # An estimator that does not descend from scikit-learn's may not say what it is.
    with suppress(AttributeError):
        return kind(estimator)
    return False


def _why_hopeless(scorer: Any, dummy: Any, data: DataSet) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            scorer(dummy.fit(data.x, data.y), data.x, data.y)
        except Exception as error:
            return describe(error)
    return None


def _others_for(metric: str, data: DataSet) -> str:
    """Which metrics of this kind take several classes, if that may be what is wrong."""
    from sklearn.metrics import get_scorer_names

    others = [name for name in get_scorer_names() if name.startswith(f"{metric}_")]
    classes = len(np.unique(data.y)) if np.ndim(data.y) == 1 else 0
    if not others or not 2 < classes <= MANY:
        return ""
    return f"; for its {classes} classes there are {list_names(others, shown=3)}"


def _refuse_same_names(spec: Spec, players: Sequence[Player]) -> None:
    name = repeated_name(players)
    if name is not None:
        family = next(player.family for player in players if player.name == name)
        section = next(own.section for own in spec.algorithms if own.name == family)
        raise section.refuse_all(f"two of its settings would both be called {quote(name)}")


def _load(own: DataSpec, spec: Spec) -> DataSet:
    """A data set with its splits."""
    stratified = spec.splits.kind in ("stratified", "stratified-grouped")
    try:
        cases = load_cases(own, spec.folder, spec.seed, stratified=stratified)
    except NotFound as error:
        raise own.section.refuse("load", str(error)) from error
    if spec.splits.kind in ("grouped", "stratified-grouped") and cases.groups is None:
        kind = (
            f"splits of kind '{spec.splits.kind}' need 'group', the column of what stays together"
        )
        raise own.section.refuse_all(kind)
    try:
        rounds, share = split_cases(spec.splits, cases, own.name, spec.seed)
    except ValueError as error:
        reason = f"{quote(own.name)} cannot be split in this way ({error})"
        raise spec.splits.section.refuse_all(reason) from error
    return make_data_set(own.name, cases, rounds, share)


def make_data_set(name: str, cases: Cases, rounds: Sequence[Round], share: float | None) -> DataSet:
    """A tournament that knows what it consists of."""
    identity = digest(_contents(cases.x), _contents(cases.y))
    return DataSet(name, cases.x, cases.y, rounds, identity, share)


def _contents(values: Any) -> str:
    """A digest of an array, or of any object by how it is pickled."""
    import pickle
    from hashlib import blake2b

    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        described = f"{values.dtype.str}{values.shape}".encode()
        content: Any = np.ascontiguousarray(values).data
    else:
        described, content = b"", pickle.dumps(values, protocol=5)
    return blake2b(described + bytes(content), digest_size=16).hexdigest()
