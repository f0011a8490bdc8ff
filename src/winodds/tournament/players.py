"""Algorithms and their settings → players."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from winodds.adapters.settings import Plain, name_players, plain_setting
from winodds.language.words import did_you_mean, quote
from winodds.tournament.benchmark import Player
from winodds.tournament.code import Sources
from winodds.tournament.fitting import describe
from winodds.tournament.identity import identify
from winodds.tournament.imports import NotFound, import_object
from winodds.tournament.seeds import derive_seed
from winodds.tournament.spec import AlgorithmSpec

DEFAULT = "default"
"""What a player without hyperparameters of its own is called."""

ANSWERS = ("predict", "predict_proba", "decision_function")
"""What scorers ask an estimator for."""

PATIENCE = 100
"""Draws in vain, for each that is wanted, before there are too few different ones."""


def make_players(spec: AlgorithmSpec, folder: Path, seed: int) -> list[Player]:
    """The players of an algorithm, in the order in which the spec has them."""
    settings = _settings(spec, seed)
    estimators = [_build(spec, own, folder) for own in settings]
    return name_family(spec.name, estimators, settings)


def name_family(
    family: str, estimators: Sequence[Any], settings: Sequence[Mapping[str, Any]]
) -> list[Player]:
    """Players with names made of what varies; one alone is called as its family."""
    keys = list(dict.fromkeys(name for own in settings for name in own))
    found = [_resolve(estimator, keys) for estimator in estimators]
    named = [{name: plain_setting(value) for name, value in own.items()} for own in settings]
    labels = [DEFAULT if not own else str(k) for k, own in enumerate(settings, 1)]
    names = name_players(named, labels)
    alone, sources = len(estimators) == 1, Sources()
    return [
        Player(
            family if alone else f"{family}({name})",
            family,
            estimator,
            own,
            identify(estimator),
            sources.digest(estimator),
        )
        for name, estimator, own in zip(names, estimators, found, strict=True)
    ]


def drop_copies(players: Sequence[Player]) -> tuple[list[Player], list[tuple[str, str]]]:
    """The players without those that are the same as an earlier one, and pairs of these."""
    first: dict[str, Player] = {}
    left_out = []
    for player in players:
        same = first.setdefault(player.identity, player)
        if same is not player:
            left_out.append((player.name, same.name))
    return list(first.values()), left_out


def repeated_name(players: Sequence[Player]) -> str | None:
    """A name that several players have."""
    return next(
        (name for name, times in Counter(it.name for it in players).items() if times > 1), None
    )


# Settings -----------------------------------------------------------------------------------------


def _settings(spec: AlgorithmSpec, seed: int) -> list[dict[str, Any]]:
    """Every setting that plays: the default, the grid, those listed and those drawn."""
    found: list[dict[str, Any]] = [{}] if spec.default else []
    if spec.grid:
        found += [
            dict(zip(spec.grid, values, strict=True))
            for values in itertools.product(*spec.grid.values())
        ]
    found += [dict(own) for own in spec.settings]
    drawn: list[dict[str, Any]] = []
    for attempt in itertools.count():
        if len(drawn) == spec.draws:
            break
        if attempt >= PATIENCE * spec.draws:
            raise spec.section.refuse("draws", f"there are only {len(drawn)} different ones")
        # Each has a seed of its own, so that more draws only add to those that there are.
        one = _draw(spec, np.random.default_rng(derive_seed(seed, "settings", spec.name, attempt)))
        if one not in drawn:
            drawn.append(one)
    return found + drawn


def _draw(spec: AlgorithmSpec, rng: np.random.Generator) -> dict[str, Any]:
    return {name: _draw_one(spec, name, spec.random[name], rng) for name in sorted(spec.random)}


def _draw_one(spec: AlgorithmSpec, name: str, given: Any, rng: np.random.Generator) -> Any:
    """One of a list, or a number between two ends, perhaps whole, perhaps by its logarithm."""
    if isinstance(given, list) and given:
        return given[int(rng.integers(len(given)))]
    known = {"low", "high", "log", "whole"}
    if not isinstance(given, dict) or not {"low", "high"} <= set(given) <= known:
        raise _refuse(spec, "random", name, "it is a list, or a table with low and high")
    low, high = given["low"], given["high"]
    log, whole = given.get("log", False), given.get("whole", False)
    if not all(type(end) in (int, float) for end in (low, high)) or not low < high:
        raise _refuse(spec, "random", name, "low and high are numbers, low the smaller one")
    if log and low <= 0:
        raise _refuse(spec, "random", name, "a logarithm needs low above 0")
    share = rng.random()
    value = low * (high / low) ** share if log else low + (high - low) * share
    # Six digits are the same on every processor.
    return round(value) if whole else float(f"{value:.6g}")


# Estimators ---------------------------------------------------------------------------------------


def _build(spec: AlgorithmSpec, settings: Mapping[str, Any], folder: Path) -> Any:
    """An estimator, behind its steps if it has any."""
    final = _make(spec, "estimator", spec.estimator, {}, folder)
    if not hasattr(final, "fit") or not hasattr(final, "get_params"):
        reason = f"{quote(spec.estimator)} is no estimator as scikit-learn has them"
        raise spec.section.refuse("estimator", reason)
    if not any(hasattr(type(final), name) for name in ANSWERS):
        reason = f"{quote(spec.estimator)} predicts nothing that could be scored"
        raise spec.section.refuse("estimator", reason)
    steps = [
        _make(spec, "preprocessing", path, given, folder) for path, given in spec.preprocessing
    ]
    if steps:
        from sklearn.pipeline import make_pipeline

        final = make_pipeline(*steps, final)
    for part, values in (("fixed", spec.fixed), (_part_of(spec, settings), settings)):
        for name, value in values.items():
            _set(spec, final, part, name, value)
    return final


def _part_of(spec: AlgorithmSpec, settings: Mapping[str, Any]) -> str:
    """Under which key of the spec a setting stands, for errors."""
    if settings in spec.settings:
        return "settings"
    return "random" if spec.random and set(settings) == set(spec.random) else "grid"


def _make(spec: AlgorithmSpec, key: str, path: str, given: Mapping[str, Any], folder: Path) -> Any:
    try:
        make = import_object(path, folder)
        made = make(**given)
    except NotFound as error:
        raise spec.section.refuse(key, str(error)) from error
    except Exception as error:
        reason = f"{quote(path)} cannot be made ({describe(error)})"
        raise spec.section.refuse(key, reason) from error
    wrong = _why_wrong(made)
    if wrong is not None:
        raise spec.section.refuse(key, wrong)
    return made


def _set(spec: AlgorithmSpec, estimator: Any, part: str, name: str, value: Any) -> None:
    """Set a hyperparameter of the last step, or by "step__name" that of another one."""
    target, known = _place(estimator, name)
    if name not in known:
        close = get_close_matches(name, known, n=1)
        kind = type(target).__name__
        meant = f". {did_you_mean(close)}" if close else ""
        raise _refuse(spec, part, name, f"{kind} has no hyperparameter {quote(name)}{meant}")
    target.set_params(**{name: tuple(value) if isinstance(value, list) else value})
    wrong = _why_wrong(known.get(name.rpartition("__")[0], target))
    if wrong is not None:
        raise _refuse(spec, part, name, wrong)


def _why_wrong(estimator: Any) -> str | None:
    """What scikit-learn would say of hyperparameters of its own when it fits; None if nothing."""
    own = type(estimator).__module__.startswith("sklearn.")
    if not (own and hasattr(estimator, "_parameter_constraints")):
        return None
    try:
        estimator._validate_params()
    except ValueError as error:
        return str(error).rstrip(".")
    return None


def _place(estimator: Any, name: str) -> tuple[Any, dict[str, Any]]:
    """Whose hyperparameter a name is, with all that there are."""
    own = estimator.get_params()
    if hasattr(estimator, "steps") and name not in own:
        final = estimator.steps[-1][1]
        return final, final.get_params()
    return estimator, own


def _resolve(estimator: Any, names: Sequence[str]) -> dict[str, Plain]:
    """The values of hyperparameters, defaults included."""
    return {
        name: plain_setting(known[name])
        for name in names
        for known in [_place(estimator, name)[1]]
        if name in known
    }


def _refuse(spec: AlgorithmSpec, part: str, name: str, reason: str) -> Exception:
    return spec.section.source.refuse((*spec.section.keys, part, name), reason)
