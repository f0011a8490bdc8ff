"""Runs of MLflow: its SQLite file, or a table of runs.

What is a round is in the params ("fold"), in runs below a parent, or in the steps of a metric.
Nothing of MLflow is imported.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from winodds.adapters import notes as note
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.columns import (
    FAILED,
    FAMILY,
    HYPERPARAMETERS,
    METRIC,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    STATUS,
    TOURNAMENT,
    fail_infinite,
    write_settings,
)
from winodds.adapters.errors import (
    NothingLeft,
    NotThisSource,
    OneScoreEach,
    UnknownMetric,
    WhichMetric,
)
from winodds.adapters.metrics import EVERY, choose_metric
from winodds.adapters.mlflow_runs import (
    BROKEN,
    FINISHED,
    TITLE,
    Run,
    Store,
    is_runs_table,
    is_store,
    load_store,
    load_table,
    plain_param,
)
from winodds.adapters.place import Place
from winodds.adapters.settings import Plain, name_players, tell_apart, varying
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.spelling import option
from winodds.language.words import count
from winodds.table.vocabulary import PLAYER_NAMES, named, propose_roles

PARAMS, RUNS, STEPS = "params", "runs", "steps"


def recognise(place: Place) -> bool:
    """Whether this is a store of MLflow, or a table of its runs."""
    return is_store(place) or is_runs_table(place)


def read(place: Place, wanted: Wanted) -> Adapted:
    """The results of the runs, one metric or all of them."""
    store = load_store(place) if place.kind == "database" else load_table(place)
    if not store.metrics:
        raise NothingLeft(path=place.path, title=TITLE, left_out="no run has a metric")
    metrics = _choose_metrics(store, wanted.metric)
    found = [_read_metric(store, metric, wanted.rounds, place.path) for metric in metrics]
    frame = choose_metric(pl.concat([part.rows for part in found]), wanted.metric)
    frame, infinite = fail_infinite(frame)
    notes = dict.fromkeys(it for part in found for it in part.notes)
    others = [name for name in store.metrics if name not in metrics]
    return adapt_scores(
        frame,
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=f"{count(frame[PLAYER].n_unique(), 'player')}, {found[0].what}",
        notes=[
            *notes,
            *infinite,
            *([note.other_metrics(others)] if others else []),
            *([note.left_out(store.deleted, "deleted run", GONE, ())] if store.deleted else []),
        ],
    )


GONE = "as MLflow does"


def _choose_metrics(store: Store, metric: str | None) -> list[str]:
    if metric is None and len(store.metrics) > 1:
        raise WhichMetric(metrics=store.metrics)
    if metric is not None and metric not in (*store.metrics, EVERY):
        raise UnknownMetric(metric=metric, metrics=store.metrics)
    return [name for name in store.metrics if metric in (None, EVERY, name)]


@dataclass(frozen=True, slots=True)
class Found:
    """Rows of a metric, what was left out of them, and what a round is."""

    rows: pl.DataFrame
    notes: Sequence[Note]
    what: str


def _read_metric(store: Store, metric: str, rounds: str | None, path: str) -> Found:
    """The rows of a metric, by what is a round."""
    ended = [run for run in store.runs if run.status in (FINISHED, *BROKEN)]
    notes = [
        note.left_out(number, "run", f"with status {status or 'unknown'}", ())
        for status, number in Counter(run.status for run in store.runs).items()
        if status not in (FINISHED, *BROKEN)
    ]
    if not any(metric in run.values for run in ended):
        left_out = f"no run that ended has a value of '{metric}'"
        raise NothingLeft(path=path, title=TITLE, left_out=left_out)
    if rounds is None:
        rounds = _find_rounds(store, ended, metric)
    if rounds == STEPS:
        return _by_steps(store, ended, metric, notes)
    return _by_runs(store, ended, metric, notes, nested=rounds == RUNS, path=path)


def _find_rounds(store: Store, ended: Sequence[Run], metric: str) -> str:
    """What must be the rounds if nothing is said: params that name them."""
    leaves = _leaves(store, [run for run in ended if metric in run.values])
    if _roles(leaves).rounds:
        return PARAMS
    advice = "Log a param such as 'fold' with each run, or say what a round is:"
    ways = []
    if any(run.parent for run in leaves):
        ways.append(f"{option('rounds', RUNS)} if runs below a parent are its folds")
    if any(len(run.values.get(metric, ())) > 1 for run in ended):
        ways.append(f"{option('rounds', STEPS)} if steps are folds")
    listed = f"{advice} {', or '.join(ways)}." if ways else f"{advice.partition(',')[0]}."
    raise OneScoreEach(players=len(leaves), what=f"The metric '{metric}'", advice=listed)


def _leaves(store: Store, runs: Sequence[Run]) -> list[Run]:
    """Runs with no run below them; values of others sum up what is below."""
    parents = {run.parent for run in store.runs}
    return [run for run in runs if run.id not in parents]


# Params and nested runs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Roles:
    """Params that name the round and the tournament of a run."""

    rounds: tuple[str, ...]
    tournament: tuple[str, ...]

    def complete(self, run: Run) -> bool:
        return all(name in run.params for name in (*self.rounds, *self.tournament))


def _roles(runs: Sequence[Run]) -> Roles:
    """What varies and is called like a round or a data set."""
    proposed = propose_roles(varying([run.params for run in runs]))
    return Roles(proposed["round"], proposed["tournament"])


def _by_runs(
    store: Store,
    ended: Sequence[Run],
    metric: str,
    notes: list[Note],
    *,
    nested: bool,
    path: str,
) -> Found:
    """A run is a score; its round is in its params, or its name below a parent."""
    leaves = _leaves(store, ended)
    inner = [run for run in leaves if run.parent] if nested else leaves
    roles = _roles([run for run in inner if metric in run.values])
    units = [run for run in inner if roles.complete(run) and _counts(run, metric)]
    if not units or not (roles.rounds or nested):
        raise _no_rounds(path, nested=nested)
    if nested and not roles.rounds:
        _check_names(units, path)
    notes = [*notes, *_without(ended, units, metric)]
    players = _parents(store, units) if nested else _settings_as_players(store, units, roles)
    several = len({run.experiment for run in units}) > 1
    rows = [
        {
            **_score(run, metric, run.values.get(metric)),
            **player,
            ROUND: _joined(run, roles.rounds) or run.name,
            TOURNAMENT: _tournament(run, roles.tournament, several=several),
        }
        for run, player in zip(units, players.rows, strict=True)
    ]
    what = " and ".join(f"'{name}'" for name in roles.rounds) or "runs below a parent"
    return Found(_frame(rows), [*notes, *players.notes], f"rounds by {what}")


def _counts(run: Run, metric: str) -> bool:
    return metric in run.values or run.status in BROKEN


def _without(ended: Sequence[Run], units: Sequence[Run], metric: str) -> list[Note]:
    """A word on runs that are no score of a round."""
    known = {run.id for run in units}
    rest = [run for run in ended if run.id not in known]
    lost = [run for run in rest if metric in run.values]
    empty = len(rest) - len(lost)
    return [
        *([note.left_out(len(lost), "run", OTHERS, [run.name for run in lost])] if lost else []),
        *([note.left_out(empty, "run", f"without a value of '{metric}'", ())] if empty else []),
    ]


OTHERS = "summing up others or without a round"


def _no_rounds(path: str, *, nested: bool) -> NotThisSource:
    reason = (
        "no run is below another one"
        if nested
        else "no param that varies is called like a round, such as 'fold', 'seed' or 'dataset'"
    )
    return NotThisSource(path=path, title=TITLE, reason=reason)


def _check_names(units: Sequence[Run], path: str) -> None:
    """Refuse runs below parents that have no names in common, for then no two have met."""
    parents = {(run.name, run.parent) for run in units}
    if max(Counter(name for name, _ in parents).values()) < 2:
        reason = (
            "runs below different parents have no names in common, and no param such as 'fold' "
            "that would tell which belong together"
        )
        raise NotThisSource(path=path, title=TITLE, reason=reason)


@dataclass(frozen=True, slots=True)
class Players:
    """Who played in each of several runs, with family and hyperparameters, and a word on it."""

    rows: Sequence[dict[str, Any]]
    notes: Sequence[Note] = ()


def _parents(store: Store, units: Sequence[Run]) -> Players:
    """The parents of runs as players."""
    known = {run.id: run for run in store.runs}
    parents = list(dict.fromkeys(run.parent for run in units))
    settings = [_plain(known[it].params) if it in known else {} for it in parents]
    names = [known[it].name if it in known else it for it in parents]
    labels = tell_apart(names, [it[:8] for it in parents])
    own = dict(zip(parents, _described(name_players(settings, labels), settings), strict=True))
    return Players([own[run.parent] for run in units])


def _settings_as_players(store: Store, units: Sequence[Run], roles: Roles) -> Players:
    """Those with the same params, apart from the round's, or else the same name."""
    known = {run.id: run for run in store.runs}
    out = (*roles.rounds, *roles.tournament)
    settings = []
    for run in units:
        inherited = known[run.parent].params if run.parent in known else {}
        params = {**inherited, **run.params}
        settings.append(_plain({key: it for key, it in params.items() if key not in out}))
    written = [write_settings(own) for own in settings]
    names = [run.name for run in units]
    alone = len(set(written)) == len(units) > len(set(names))
    if not varying(settings) or alone:
        above = [known[run.parent].name if run.parent in known else run.name for run in units]
        names = above if len(set(above)) > 1 and not alone else names
        why = "no other param varies" if not alone else "no two runs have the same other params"
        return Players([{PLAYER: name} for name in names], [note.players_by_run_name(why)])
    first = {own: k for k, own in reversed(list(enumerate(written)))}
    different = [settings[k] for k in first.values()]
    named_so = name_players(different, [names[k] for k in first.values()])
    own = dict(zip(first, _described(named_so, different), strict=True))
    return Players([own[it] for it in written])


def _described(
    names: Sequence[str], settings: Sequence[Mapping[str, Plain]]
) -> list[dict[str, Any]]:
    """Players with their hyperparameters; a param such as "model" is the family of the others."""
    keys = varying(settings)
    families = named(keys, PLAYER_NAMES)[:1] if len(keys) > 1 else ()
    return [
        {
            PLAYER: name,
            HYPERPARAMETERS: write_settings(own),
            FAMILY: None if not families or families[0] not in own else str(own[families[0]]),
        }
        for name, own in zip(names, settings, strict=True)
    ]


# Steps --------------------------------------------------------------------------------------------


def _by_steps(store: Store, ended: Sequence[Run], metric: str, notes: list[Note]) -> Found:
    """A run is a player and a step a round."""
    if not store.history:
        wanted = "a table of runs has the last value of each metric only; give the file mlflow.db"
        raise BadOption(option="rounds", value=STEPS, wanted=wanted)
    steps = sorted({step for run in ended for step in run.values.get(metric, ())})
    units = [run for run in ended if len(run.values.get(metric, ())) > 1]
    units += [run for run in _leaves(store, ended) if run.status in BROKEN and run not in units]
    if not units or len(steps) < 2:
        advice = "It was logged at one step only."
        raise OneScoreEach(players=len(ended), what=f"The metric '{metric}'", advice=advice)
    settings = [_plain(run.params) for run in units]
    labels = tell_apart([run.name for run in units], [run.id[:8] for run in units])
    players = _described(name_players(settings, labels), settings)
    several = len({run.experiment for run in units}) > 1
    rows = [
        {
            **_score(run, metric, {0: run.values.get(metric, {}).get(step)}),
            **player,
            ROUND: str(step),
            TOURNAMENT: _tournament(run, (), several=several),
        }
        for run, player in zip(units, players, strict=True)
        for step in (steps if run.status in BROKEN else sorted(run.values[metric]))
    ]
    notes = [note.steps_are_rounds(), *notes, *_without(ended, units, metric)]
    if store.again:
        notes.append(note.logged_again(store.again))
    return Found(_frame(rows), notes, count(len(steps), "step"))


# Rows ---------------------------------------------------------------------------------------------


def _score(run: Run, metric: str, values: Mapping[int, float | None] | None) -> dict[str, Any]:
    """The last of some values as a score."""
    broken = run.status in BROKEN
    return {
        SCORE: values[max(values)] if values else None,
        METRIC: metric,
        STATUS: FAILED if broken else None,
        REASON: f"the run was {run.status.lower()}" if broken else None,
    }


def _plain(params: Mapping[str, str]) -> dict[str, Plain]:
    return {name: plain_param(text) for name, text in params.items()}


def _joined(run: Run, names: Sequence[str]) -> str:
    return "/".join(run.params[name] for name in names)


def _tournament(run: Run, names: Sequence[str], *, several: bool) -> str | None:
    parts = [*([run.experiment] if several else []), *(run.params[name] for name in names)]
    return "/".join(parts) or None


def _frame(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    texts = (PLAYER, TOURNAMENT, ROUND, METRIC, STATUS, REASON, FAMILY, HYPERPARAMETERS)
    return pl.DataFrame(rows, schema={**dict.fromkeys(texts, pl.String), SCORE: pl.Float64})


ADAPTER = Adapter("mlflow", TITLE, recognise, read, rounds=(PARAMS, RUNS, STEPS), table=True)
