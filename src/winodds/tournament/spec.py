"""A benchmark as a spec asks for it: data sets, algorithms, splits, metrics and limits.

What can be checked without importing anything is checked here; the rest where it is made
(`winodds.tournament.benchmark`), through the same sections, so that every error has its line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Literal, TypeAlias

from winodds.tournament.toml import Section, read_toml

Origin: TypeAlias = Literal["sklearn", "file", "openml", "load"]
SplitKind: TypeAlias = Literal["stratified", "plain", "grouped", "stratified-grouped", "time"]

ORIGINS: tuple[Origin, ...] = ("sklearn", "file", "openml", "load")
KINDS = ("stratified", "plain", "grouped", "stratified-grouped", "time")
WITHOUT_SHARES = ("stratified-grouped", "time")
"""Splits that come in folds only."""

USUAL_FOLDS = 5

MOST = 100_000
"""Splits of a data set, and settings of an algorithm, that anyone would wait for."""


@dataclass(frozen=True, slots=True)
class DataSpec:
    """A data set.

    Attributes
    ----------
    name : of the tournament.
    origin, what : where it comes from: a data set of scikit-learn, a file, an id at OpenML, or a
        function that loads it.
    target : the column to be told; None if the origin knows.
    positive : the class that counts as 1, against all others as 0.
    drop : columns that are left out.
    group, time : columns that say which rows stay together, and in which order they came.
    rows : how many are kept, drawn by seed; None for all.
    section : for errors.
    """

    name: str
    origin: Origin
    what: str | int
    target: str | None
    positive: str | None
    drop: tuple[str, ...]
    group: str | None
    time: str | None
    rows: int | None
    section: Section


@dataclass(frozen=True, slots=True)
class SplitSpec:
    """How every data set is split: folds, perhaps repeated, or a number of shuffled splits."""

    kind: SplitKind
    folds: int | None
    repeats: int
    number: int | None
    test: float | None
    train: float | None
    section: Section


@dataclass(frozen=True, slots=True)
class AlgorithmSpec:
    """An algorithm and the settings that play.

    Attributes
    ----------
    name : of the family.
    estimator : import path of the class.
    preprocessing : import paths of steps before it, with their arguments.
    fixed : hyperparameters that all settings share.
    default : whether it plays without further hyperparameters, too.
    grid : lists of values, of which every combination plays.
    settings : single settings.
    random, draws : lists or ranges of values, of which so many combinations are drawn.
    section : for errors.
    """

    name: str
    estimator: str
    preprocessing: tuple[tuple[str, Mapping[str, Any]], ...]
    fixed: Mapping[str, Any]
    default: bool
    grid: Mapping[str, Sequence[Any]]
    settings: tuple[Mapping[str, Any], ...]
    random: Mapping[str, Any]
    draws: int
    section: Section


@dataclass(frozen=True, slots=True)
class Limits:
    """What one fit may take; None for as much as it likes."""

    seconds: float | None = None
    megabytes: float | None = None


@dataclass(frozen=True, slots=True)
class Spec:
    """A benchmark as it was asked for."""

    seed: int
    metrics: tuple[str, ...]
    limits: Limits
    splits: SplitSpec
    data: tuple[DataSpec, ...]
    algorithms: tuple[AlgorithmSpec, ...]
    folder: Path
    root: Section


def read_spec(path: str) -> Spec:
    """Read and check a spec; raises `BadSpec` with the key and its line."""
    root = read_toml(path)
    seed = root.whole("seed", 0, least=0)
    metrics = root.texts("metrics")
    limits = _limits(root.section("limits"))
    splits = _splits(root.section("splits"))
    data = tuple(_data(section) for section in root.sections("data"))
    algorithms = tuple(_algorithm(section) for section in root.sections("algorithms"))
    root.close()
    folder = Path(path).resolve().parent
    return Spec(seed, metrics, limits, splits, data, algorithms, folder, root)


def _limits(section: Section) -> Limits:
    found = Limits(section.positive("seconds", None), section.positive("megabytes", None))
    section.close()
    return found


def _splits(section: Section) -> SplitSpec:
    kind: SplitKind = section.choice("kind", KINDS, "stratified")
    shuffled = "number" in section
    if shuffled and kind in WITHOUT_SHARES:
        raise section.refuse("number", f"splits of kind '{kind}' come in folds; give folds")
    folds = None if shuffled else section.whole("folds", USUAL_FOLDS, least=2)
    repeats = 1
    if not shuffled and kind != "time":
        repeats = section.whole("repeats", 1)
    number = section.whole("number") if shuffled else None
    if (many := (number or 0) + (folds or 0) * repeats) > MOST:
        key = "number" if shuffled else "repeats" if repeats > 1 else "folds"
        raise section.refuse(key, f"that is {many:,} splits; at most {MOST:,} are played")
    test = section.share("test") if shuffled else None
    train = section.share("train", None) if shuffled else None
    if test is not None and train is not None and test + train > 1.0:
        raise section.refuse("train", "test and train together are more than all rows")
    section.close()
    return SplitSpec(kind, folds, repeats, number, test, train, section)


def _data(section: Section) -> DataSpec:
    given = [origin for origin in ORIGINS if origin in section]
    if len(given) != 1:
        wanted = ", ".join(ORIGINS)
        raise section.refuse_all(f"it needs one of {wanted}, which say where the data come from")
    origin = given[0]
    what = section.whole(origin) if origin == "openml" else section.text(origin)
    target = section.text("target") if origin == "file" else section.text("target", None)
    positive = section.take("positive", None)
    found = DataSpec(
        section.name,
        origin,
        what,
        target,
        None if positive is None else _word(positive),
        section.texts("drop", ()),
        section.text("group", None),
        section.text("time", None),
        section.whole("rows", None, least=10),
        section,
    )
    section.close()
    return found


def _word(value: object) -> str:
    """A class as text, as columns of classes are."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _algorithm(section: Section) -> AlgorithmSpec:
    estimator = section.text("estimator")
    preprocessing = tuple(_step(section, it) for it in _listed(section, "preprocessing"))
    fixed = _table(section, "fixed")
    grid = _table(section, "grid")
    for name, values in grid.items():
        if not isinstance(values, list) or not values:
            raise section.source.refuse((*section.keys, "grid", name), "it is a list of values")
    settings = _listed(section, "settings")
    if not all(isinstance(own, dict) for own in settings):
        raise section.refuse("settings", "it is a list of tables, each with hyperparameters")
    random = _table(section, "random")
    draws = section.whole("draws") if random else 0
    many = prod(len(values) for values in grid.values()) + draws
    if many > MOST:
        raise section.refuse_all(f"that is {many:,} settings; at most {MOST:,} play")
    alone = not (grid or settings or random)
    default = section.flag("default", alone)
    if alone and not default:
        raise section.refuse("default", "without it and without settings nobody would play")
    section.close()
    return AlgorithmSpec(
        section.name,
        estimator,
        preprocessing,
        fixed,
        default,
        grid,
        tuple(settings),
        random,
        draws,
        section,
    )


def _listed(section: Section, key: str) -> list[Any]:
    found = section.take(key, [])
    if not isinstance(found, list):
        raise section.refuse(key, "it is a list")
    return found


def _table(section: Section, key: str) -> dict[str, Any]:
    found = section.take(key, {})
    if not isinstance(found, dict):
        raise section.refuse(key, "it is a table of hyperparameters")
    return found


def _step(section: Section, given: Any) -> tuple[str, Mapping[str, Any]]:
    """An import path, alone or with arguments beside it under the key ``use``."""
    if isinstance(given, str):
        return given, {}
    if isinstance(given, dict) and isinstance(given.get("use"), str):
        return given["use"], {name: value for name, value in given.items() if name != "use"}
    wanted = "a step is an import path, or a table with one under 'use' and its arguments"
    raise section.refuse("preprocessing", wanted)
