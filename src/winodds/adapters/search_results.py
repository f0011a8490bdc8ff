"""The columns of ``cv_results_`` → what a search found, candidate by candidate."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from winodds.adapters.columns import FIT_SECONDS, SCORE_SECONDS, write_settings
from winodds.adapters.errors import NotThisSource
from winodds.adapters.settings import Plain, class_of, name_players, plain_setting
from winodds.adapters.written import read_settings
from winodds.arrays import Bools, Floats, Ints

TITLE = "a search of scikit-learn"
SPLIT = re.compile(r"split(\d+)_test_(.+)")
PARAMETER = "param_"
TIMES = {"mean_fit_time": FIT_SECONDS, "mean_score_time": SCORE_SECONDS}
HALVING = ("iter", "n_resources")
PAID = "paid_splits"
"""How many splits each candidate of a race ran; it has no results on the others."""


@dataclass(frozen=True, slots=True)
class Results:
    """What a search found, candidate by candidate.

    Attributes
    ----------
    settings : the parameters of each candidate.
    families : the class of the estimator that is among them, if there is one.
    scores : for every scorer, (splits, candidates).
    iteration : of a halving search, in which each row was tried.
    resources : of a halving search, what each row was given.
    seconds : mean times of fits and of scoring, (candidates,) each.
    paid : of a race, how many splits each candidate ran.
    """

    settings: Sequence[Mapping[str, Plain]]
    families: Sequence[str | None]
    scores: Mapping[str, Floats]
    iteration: Floats | None
    resources: Floats | None
    seconds: Mapping[str, Floats]
    paid: Floats | None = None

    @property
    def splits(self) -> int:
        return len(next(iter(self.scores.values())))

    def find_repeats(self) -> list[int]:
        """Candidates with the parameters and all scores of an earlier one of their iteration."""
        scores = np.concatenate([own.T for own in self.scores.values()], axis=1)
        times = np.zeros(len(self.settings)) if self.iteration is None else self.iteration
        met, again = set[tuple[float, str | None, bytes]](), []
        for row, own in enumerate(self.settings):
            seen = float(times[row]), write_settings(own), scores[row].tobytes()
            again += [row] if seen in met else []
            met.add(seen)
        return again

    def take(self, rows: Ints) -> "Results":
        """These rows only."""
        return Results(
            [self.settings[row] for row in rows],
            [self.families[row] for row in rows],
            {scorer: own[:, rows] for scorer, own in self.scores.items()},
            None if self.iteration is None else self.iteration[rows],
            None if self.resources is None else self.resources[rows],
            {name: own[rows] for name, own in self.seconds.items()},
            None if self.paid is None else self.paid[rows],
        )

    def ran(self, split: int, rows: Ints) -> Bools:
        """(k,) which of some candidates ran a split, well or not."""
        if self.paid is None:
            return np.ones(rows.size, np.bool_)
        return np.asarray(split < self.paid[rows], np.bool_)

    def name_candidates(self) -> list[str]:
        """The player of each row; a halving search tries one again under the same name."""
        number = self._identify()
        first = {player: row for row, player in reversed(list(enumerate(number)))}
        names = name_players(
            [self.settings[first[player]] for player in range(len(first))],
            [f"candidate {player}" for player in range(len(first))],
        )
        return [names[player] for player in number]

    def _identify(self) -> list[int]:
        """The number of each row's candidate; the second of two alike stays the second."""
        if self.iteration is None:
            return list(range(len(self.settings)))
        met: dict[tuple[float, str | None], int] = {}
        known: dict[tuple[str | None, int], int] = {}
        found = []
        for own, iteration in zip(self.settings, self.iteration.tolist(), strict=True):
            written = write_settings(own)
            time = met[iteration, written] = met.get((iteration, written), 0) + 1
            found.append(known.setdefault((written, time), len(known)))
        return found


def read_columns(columns: Mapping[str, Any], name: str) -> Results:
    """The columns of ``cv_results_``, checked."""
    found: dict[str, dict[int, str]] = {}
    for column in columns:
        if match := SPLIT.fullmatch(str(column)):
            found.setdefault(match[2], {})[int(match[1])] = column
    if not found:
        raise _refuse(name, "it has no scores of splits, such as 'split0_test_score'")
    splits = max(len(own) for own in found.values())
    for scorer, own in found.items():
        absent = [k for k in range(splits) if k not in own]
        if absent:
            raise _refuse(name, f"it has no 'split{absent[0]}_test_{scorer}'")
    settings, families = _settings(columns, name)
    known = {
        column: _numbers(columns, column, len(settings), name)
        for column in (*TIMES, *HALVING, PAID)
        if column in columns
    }
    if "iter" in known and not np.isfinite(known["iter"]).all():
        raise _refuse(name, "'iter' does not tell the iteration of every candidate")
    scores = {
        scorer: np.array([_numbers(columns, own[k], len(settings), name) for k in range(splits)])
        for scorer, own in found.items()
    }
    seconds = {key: known[column] for column, key in TIMES.items() if column in known}
    iteration, resources = (known.get(column) for column in HALVING)
    paid = known.get(PAID)
    return Results(settings, families, scores, iteration, resources, seconds, paid)


def _numbers(columns: Mapping[str, Any], column: str, rows: int, name: str) -> Floats:
    try:
        values = np.ma.filled(np.ma.asarray(columns[column], np.float64), np.nan)
    except (TypeError, ValueError):
        raise _refuse(name, f"'{column}' holds something else than numbers") from None
    if values.shape != (rows,):
        raise _refuse(name, f"'{column}' does not have one number for each of {rows} candidates")
    return np.asarray(values, np.float64)


def _settings(
    columns: Mapping[str, Any], name: str
) -> tuple[list[dict[str, Plain]], list[str | None]]:
    """The parameters of every candidate, and the class of the estimator among them."""
    params = columns.get("params")
    given: list[Any] = [] if params is None else [read_settings(own) for own in params]
    if not given or None in given:
        given = _by_columns(columns)
    if not given:
        raise _refuse(name, "it has no candidate, or nothing that tells their parameters")
    plain = [{str(key): plain_setting(it) for key, it in own.items()} for own in given]
    return plain, _families(given, plain)


def _by_columns(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parameters from columns of their own; an empty cell is one that is not there."""
    named = {key.removeprefix(PARAMETER): key for key in columns if key.startswith(PARAMETER)}
    cells = {
        key: it.tolist() if hasattr(it := columns[column], "tolist") else list(it)
        for key, column in named.items()
    }
    rows = zip(*cells.values(), strict=False)
    return [
        {key: it for key, it in zip(cells, row, strict=True) if it is not None and it == it}
        for row in rows
    ]


def _families(
    candidates: Sequence[Mapping[str, Any]], plain: Sequence[Mapping[str, Plain]]
) -> list[str | None]:
    """The class of the estimator that a parameter holds, where only one parameter holds any."""
    objects = any(
        not isinstance(it, (str, int, float)) and hasattr(it, "get_params")
        for own in candidates
        for it in own.values()
    )
    keys = dict.fromkeys(key for own in plain for key in own)
    holding = [
        key
        for key in keys
        if all(key in own and class_of(own[key]) for own in plain)
        and (not objects or all(hasattr(own[key], "predict") for own in candidates))
    ]
    if len(holding) != 1:
        return [None] * len(plain)
    return [class_of(own[holding[0]]) for own in plain]


def _refuse(name: str, reason: str) -> NotThisSource:
    return NotThisSource(path=name, title=TITLE, reason=reason)
