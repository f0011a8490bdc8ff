"""What the fits of a race gave, as the columns that searches of scikit-learn have."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from winodds.arrays import Floats
from winodds.tune.fitting import Fitted
from winodds.tune.race import Race
from winodds.tune.steps import STATES

Pair = tuple[int, int]


def make_columns(
    settings: Sequence[Mapping[str, Any]],
    race: Race,
    fitted: Mapping[Pair, Fitted],
    error_score: float,
) -> dict[str, Any]:
    """The columns of ``cv_results_``: NaN where a split was not paid for.

    Besides what scikit-learn has: ``paid_splits``; ``state`` ("left", "parked" or "dropped");
    ``p_best``, the estimated chance to be truly the best; and ``expected_test_score``, the mean
    score that a setting is expected to have on the splits of those left. Ranks go by the choice of
    the race, because means over different splits do not compare.
    """
    last = race.steps[-1]
    columns: dict[str, Any] = {}
    for name in ("fit_time", "score_time"):
        times = _table(race, {pair: getattr(own, name) for pair, own in fitted.items()})
        columns |= _moments(name, times)
    columns |= _parameters(settings)
    columns["params"] = [dict(own) for own in settings]
    for metric in _metrics(fitted):
        scores = {pair: own.scores.get(metric, error_score) for pair, own in fitted.items()}
        table = _table(race, scores)
        columns |= {f"split{t}_test_{metric}": own for t, own in enumerate(table.T)}
        columns |= _moments(f"test_{metric}", table, race)
        columns[f"rank_test_{metric}"] = rank_settings(race)
    columns["paid_splits"] = race.paid
    columns["state"] = np.array([STATES[state] for state in last.state.tolist()], object)
    columns["expected_test_score"] = last.mean
    columns["p_best"] = last.p_best
    return columns


def rank_settings(race: Race) -> "np.ndarray[Any, np.dtype[np.int32]]":
    """(k,) ranks: the choice, then who is left, parked and dropped, each by expected means."""
    last = race.steps[-1]
    mean = np.where(np.isnan(last.mean), -np.inf, last.mean)
    order = np.lexsort((-mean, last.state, np.arange(race.settings) != race.choice))
    rank = np.empty(race.settings, np.int32)
    rank[order] = np.arange(1, race.settings + 1)
    return rank


def _metrics(fitted: Mapping[Pair, Fitted]) -> list[str]:
    return list(dict.fromkeys(name for own in fitted.values() for name in own.scores))


def _table(race: Race, values: Mapping[Pair, float]) -> Floats:
    """(k, T) values of the pairs that count, NaN elsewhere."""
    table = np.full((race.settings, race.splits), np.nan)
    for (setting, split), value in values.items():
        if split < race.paid[setting]:
            table[setting, split] = value
    return table


def _moments(name: str, table: Floats, race: Race | None = None) -> dict[str, Floats]:
    """Means and standard deviations over the splits that were paid for.

    Times of failed fits are left out; scores of settings with failed fits have no mean, as in
    scikit-learn.
    """
    seen = ~np.isnan(table)
    runs = np.maximum(seen.sum(axis=1), 1)
    held = np.where(seen, table, 0.0)
    mean = held.sum(axis=1) / runs
    spread = np.sqrt((np.where(seen, held - mean[:, None], 0.0) ** 2).sum(axis=1) / runs)
    lacking = seen.sum(axis=1) < (1 if race is None else race.paid)
    return {
        f"mean_{name}": np.where(lacking, np.nan, mean),
        f"std_{name}": np.where(lacking, np.nan, spread),
    }


def _parameters(settings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A column for each parameter, masked where a setting does not have it."""
    names = dict.fromkeys(name for own in settings for name in own)
    columns = {}
    for name in names:
        column = np.ma.MaskedArray(np.empty(len(settings), object), mask=True)
        for row, own in enumerate(settings):
            if name in own:
                column[row] = own[name]
        columns[f"param_{name}"] = column
    return columns
