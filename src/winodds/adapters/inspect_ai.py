"""Logs of inspect-ai: JSON logs are read directly, ``.eval`` files through inspect's own functions.

Models play, a task is a tournament, and a round is a sample, or an epoch of one; then the sample is
the cluster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl

from winodds.adapters import notes as note
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.columns import (
    CLUSTER,
    DIRECTION,
    FAILED,
    METRIC,
    OK,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    SCORE_SECONDS,
    STATUS,
    TOURNAMENT,
    as_score,
)
from winodds.adapters.errors import NothingLeft, NotThisSource
from winodds.adapters.fields import Fields
from winodds.adapters.metrics import EVERY, choose_metric, settle_metrics
from winodds.adapters.place import Place, part_of, read_json
from winodds.adapters.players import TECHNICAL, brief, same_text, tell_apart
from winodds.adapters.ways import Way, Ways
from winodds.language.errors import MissingExtra
from winodds.language.notes import Note
from winodds.language.spelling import option
from winodds.language.words import count, shorten
from winodds.read.errors import Unreadable
from winodds.table.vocabulary import known_metric

TITLE = "logs of inspect-ai"
KEYS = frozenset({"version", "status", "eval", "plan"})
"""Keys of a JSON log, at its beginning and in this order."""

LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Correct, incorrect, partly correct and no answer, as inspect counts them."""

WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}

UNREAD = {"events", "messages", "store", "attachments", "output"}
"""Fields of samples that are long, and not needed."""

SUCCESS = "success"
TASK, ITEM = "\0task", "\0item"


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer: of which item and epoch, its scores by metric, and why there are none."""

    item: str
    epoch: int
    values: Mapping[str, Any]
    reason: str | None
    digest: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Log:
    """One log: a model, a task, how it was run, and its samples.

    Attributes
    ----------
    settings : version and arguments of the task, in words, which must agree.
    fixed, tuned : what the model was made with, and how it generated.
    main : the scorer that the task calls its main one.
    accurate : scorers of which the log computes an accuracy.
    """

    path: Path
    key: str
    status: str
    model: str
    task: str
    created: str
    settings: Mapping[str, str]
    fixed: Mapping[str, Any]
    tuned: Mapping[str, Any]
    planned: int | None
    main: str | None
    accurate: frozenset[str]
    samples: Sequence[Sample]

    @property
    def scored(self) -> int:
        """How many samples have a score."""
        return sum(sample.reason is None for sample in self.samples)


def recognise(place: Place) -> bool:
    """Whether a file begins like a log, or one of a folder does."""
    if place.kind == "folder":
        packed = place.files("*.eval")
        return any(_is_packed(path) for path in packed[:3]) or any(
            _begins_like_a_log(path) for path in place.files("*.json")[:20]
        )
    path = Path(place.path)
    if place.kind == "archive":
        return _is_packed(path)
    return place.kind == "json" and _begins_like_a_log(path)


def _is_packed(path: Path) -> bool:
    return path.suffix == ".eval" and Place(str(path)).kind == "archive"


def _begins_like_a_log(path: Path) -> bool:
    head = Place(str(path)).head[:4096]
    places = [head.find(f'"{key}"'.encode()) for key in ("version", "status", "eval")]
    return head.lstrip().startswith(b"{") and 0 < places[0] < places[1] < places[2]


def read(place: Place, wanted: Wanted) -> Adapted:
    """All samples of the fullest log of each model and task."""
    fields = Fields("metadata")
    logs, said = _collect(place, fields)
    chosen, told = _choose(place, logs, wanted)
    said += told
    names = _players(logs, said)
    kept = _fullest([log for log in logs if log.task in chosen], names, said)
    ways = Ways()
    placed = []
    for log in kept:
        digests = {f"{it.item}/{it.epoch}": it.digest for it in log.samples}
        way = ways.place(names[log.path], log.task, log.settings, digests)
        placed.append((log, way))
    done, differ = ways.settle()
    said += differ
    rows = _rows(_met(place, placed, names, said), names, chosen)
    rows = fields.join(rows, TASK, ITEM).drop(TASK, ITEM)
    if rows[SCORE].drop_nulls().is_in([0.0, 1.0]).all():
        said.append(note.right_or_wrong(rows.select(TOURNAMENT, ROUND).n_unique()))
    rows = choose_metric(rows, EVERY) if wanted.metric == EVERY else rows
    return adapt_scores(
        rows,
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=_sum_up(rows, len(kept)),
        notes=said,
        files=[log.path for log in kept],
        ways=done,
    )


def _sum_up(rows: pl.DataFrame, logs: int) -> str:
    players = rows[PLAYER].n_unique()
    tasks = rows[TOURNAMENT].n_unique()
    rounds = rows.select(TOURNAMENT, ROUND).n_unique()
    return (
        f"{count(logs, 'log')} of {count(players, 'model')}, {count(tasks, 'task')}, "
        f"{count(rounds, 'sample')} as rounds"
    )


# Logs ---------------------------------------------------------------------------------------------


def _collect(place: Place, fields: Fields) -> tuple[list[Log], list[Note]]:
    """The logs of a place that have samples, each once."""
    logs: dict[str, Log] = {}
    others, twins, empty = list[str](), list[str](), list[str]()
    for path in _paths(place):
        document = _read_packed(path) if _is_packed(path) else _read_json(path)
        if document is None:
            others.append(path.name)
            continue
        log = _log(path, document, fields)
        if log.key in logs:
            twins.append(path.name)
        elif not log.samples:
            empty.append(f"{path.name} ({log.status})")
        else:
            logs[log.key] = log
    said = [
        note.left_out(len(names), noun, why, names)
        for noun, why, names in (
            ("file", "because it is no log", others),
            ("log", "because another file holds the same", twins),
            ("log", "because it has no samples", empty),
        )
        if names
    ]
    if not logs:
        reason = " ".join(map(str, said)) or "there are no logs"
        raise NotThisSource(path=place.path, title=TITLE, reason=reason.removesuffix("."))
    return list(logs.values()), said


def _paths(place: Place) -> list[Path]:
    """JSON logs, and packed ones that have no JSON twin of the same name."""
    if place.kind != "folder":
        return [Path(place.path)]
    plain = place.files("*.json")
    beside = {path.with_suffix("") for path in plain}
    return [*plain, *(path for path in place.files("*.eval") if path.with_suffix("") not in beside)]


def _read_json(path: Path) -> Mapping[str, Any] | None:
    found = read_json(path)
    return found if isinstance(found, dict) and found.keys() >= KEYS else None


def _read_packed(path: Path) -> Mapping[str, Any]:
    """The log of an ``.eval`` file, which only inspect can read."""
    if find_spec("inspect_ai") is None:
        purpose = "Reading .eval files"
        raise MissingExtra(packages=["inspect-ai"], purpose=purpose, extra="inspect")
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), exclude_fields=UNREAD)
        found: Mapping[str, Any] = log.model_dump(mode="json")
    except Exception as error:
        # Damaged archives make it raise errors of many kinds.
        raise Unreadable(path=str(path), reason=f"inspect cannot read it ({error})") from error
    return found


def _log(path: Path, document: Mapping[str, Any], fields: Fields) -> Log:
    spec = part_of(document, "eval")
    model, task = spec.get("model"), spec.get("task")
    if not isinstance(model, str) or not isinstance(task, str) or not model or not task:
        reason = "its 'eval' names no model, or no task"
        raise NotThisSource(path=str(path), title=TITLE, reason=reason)
    samples = document.get("samples")
    epochs = part_of(spec, "config").get("epochs") or 1
    items = part_of(spec, "dataset").get("samples")
    planned = items * epochs if isinstance(items, int) and isinstance(epochs, int) else None
    main = part_of(spec, "headline_metric")
    return Log(
        path=path,
        key=_identity(spec) or str(path),
        status=str(document.get("status")),
        model=model,
        task=task,
        created=str(spec.get("created") or ""),
        settings=_settings(spec),
        fixed={**_telling(part_of(spec, "model_args")), **_solver(spec)},
        tuned=_telling(part_of(spec, "model_generate_config")),
        planned=planned,
        main=str(main.get("score") or main.get("scorer") or "") or None,
        accurate=frozenset(_accurate(document)),
        samples=_samples(samples, task, path, fields),
    )


def _telling(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that tell what a model is."""
    return {key: it for key, it in settings.items() if key not in TECHNICAL and it is not None}


def _settings(spec: Mapping[str, Any]) -> dict[str, str]:
    """What must agree between two runs of a task, in words."""
    words = {"version": f"version {spec.get('task_version', 0)}"}
    arguments = part_of(spec, "task_args")
    return words | {
        f"argument {key}": f"{key}={brief(it)}" for key, it in sorted(arguments.items())
    }


def _solver(spec: Mapping[str, Any]) -> dict[str, Any]:
    solver = spec.get("solver")
    return {"solver": solver} if isinstance(solver, str) else {}


def _accurate(document: Mapping[str, Any]) -> Iterator[str]:
    """Scorers whose values the log itself turns into an accuracy."""
    scores = part_of(document, "results").get("scores")
    for score in scores if isinstance(scores, list) else []:
        if isinstance(score, dict) and "accuracy" in part_of(score, "metrics"):
            yield str(score.get("name"))


# Samples ------------------------------------------------------------------------------------------


def _samples(written: object, task: str, path: Path, fields: Fields) -> list[Sample]:
    found = []
    for part in written if isinstance(written, list) else []:
        if not isinstance(part, dict) or part.get("id") is None:
            reason = "it has samples without an 'id'"
            raise NotThisSource(path=str(path), title=TITLE, reason=reason)
        found.append(_sample(part))
        fields.add(task, found[-1].digest, part.get("metadata"))
    return found


def _sample(written: Mapping[str, Any]) -> Sample:
    epoch = written.get("epoch", 1)
    values = dict(_values(part_of(written, "scores")))
    return Sample(
        item=str(written["id"]),
        epoch=epoch if isinstance(epoch, int) else 1,
        values=values,
        reason=_reason(written) or (None if values else "there is no score"),
        digest=hash(
            (str(written["id"]), _text(written.get("input")), same_text(written.get("target")))
        ),
        seconds=as_score(written.get("total_time")),
    )


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of all scorers; an object is a metric for each of its keys."""
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else None
        if isinstance(value, dict):
            yield from ((f"{scorer}.{key}", part) for key, part in value.items())
        else:
            yield scorer, value


def _reason(written: Mapping[str, Any]) -> str | None:
    """Why an answer does not count, if it does not."""
    error = written.get("error")
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return shorten(" ".join(str(message or "error").split()), 200)
    return "it was invalidated" if written.get("invalidation") else None


def _text(given: object) -> str:
    """What a model was asked; messages by their roles and contents, for their ids are random."""
    if not isinstance(given, list):
        return str(given)
    return same_text(
        [(it.get("role"), it.get("content")) if isinstance(it, dict) else it for it in given]
    )


def _identity(spec: Mapping[str, Any]) -> str | None:
    """What two files of the same evaluation share, and no other; a run has many evaluations."""
    if spec.get("eval_id"):
        return str(spec["eval_id"])
    if not spec.get("run_id"):
        return None
    return repr([spec.get(key) for key in ("run_id", "task_id", "task", "model", "created")])


def to_number(value: object) -> float | None:
    """A score as inspect counts it; None for what is none, which inspect would count as 0.

    >>> [to_number(value) for value in ("C", "P", "N", True, "0.5", "yes", "B", [1])]
    [1.0, 0.5, 0.0, 1.0, 0.5, 1.0, None, None]
    """
    if isinstance(value, str):
        if value in LETTERS:
            return LETTERS[value]
        if value.lower() in WORDS:
            return WORDS[value.lower()]
        try:
            value = float(value)
        except ValueError:
            return None
    return as_score(value)


# Which metric, which logs -------------------------------------------------------------------------


def _choose(
    place: Place, logs: Sequence[Log], wanted: Wanted
) -> tuple[dict[str, tuple[str, ...]], list[Note]]:
    """The metrics of each task that are rated."""
    offered, said = _offered(logs)
    every = list(dict.fromkeys(name for own in offered.values() for name in own))
    if not every:
        raise NothingLeft(path=place.path, title=TITLE, left_out="no sample has a score")
    mains = {log.task: log.main for log in logs if log.main in offered.get(log.task, ())}
    listed = {
        task: [mains[task] or ""] if task in mains and wanted.metric is None else own
        for task, own in offered.items()
    }
    chosen = settle_metrics(listed, wanted.metric, what="scorers")
    rated = list(dict.fromkeys(name for own in chosen.values() for name in own))
    said.append(note.chosen_metric(rated, [name for name in every if name not in rated]))
    without = [task for task, own in chosen.items() if not own]
    if without:
        why = f"because {option('metric', wanted.metric)} is not among the scorers"
        said.append(note.left_out(len(without), "task", why, without))
    return {task: own for task, own in chosen.items() if own}, said


def _offered(logs: Sequence[Log]) -> tuple[dict[str, list[str]], list[Note]]:
    """The metrics of each task with numbers among their values, and a word about others."""
    offered: dict[str, dict[str, None]] = {}
    others: dict[str, None] = {}
    for log in logs:
        own = offered.setdefault(log.task, {})
        for sample in log.samples:
            usable = [name for name, it in sample.values.items() if to_number(it) is not None]
            own |= dict.fromkeys(usable)
            others |= {name: None for name in sample.values if name not in usable}
    useless = [name for name in others if not any(name in own for own in offered.values())]
    why = "because values are no numbers"
    said = [note.left_out(len(useless), "scorer", why, useless)] if useless else []
    return {task: list(own) for task, own in offered.items() if own}, said


def _players(logs: Sequence[Log], said: list[Note]) -> dict[Path, str]:
    """The player of each log.

    How a model generates may be up to the task; it makes another player only if the same task was
    done with several of these settings.
    """
    seen: dict[tuple[str, str, str], set[str]] = {}
    for log in logs:
        for key in {key for other in logs if other.model == log.model for key in other.tuned}:
            seen.setdefault((log.model, log.task, key), set()).add(same_text(log.tuned.get(key)))
    tuned = {(model, key) for (model, _, key), values in seen.items() if len(values) > 1}
    runs = [
        (
            log.model,
            {**log.fixed, **{k: it for k, it in log.tuned.items() if (log.model, k) in tuned}},
        )
        for log in logs
    ]
    names, told = tell_apart(runs)
    said += told
    return {log.path: name for log, name in zip(logs, names, strict=True)}


def _fullest(logs: Sequence[Log], names: Mapping[Path, str], said: list[Note]) -> list[Log]:
    """The log of each player and task with most scores, the newest of several."""
    chosen: dict[tuple[str, str], Log] = {}
    left = []
    for log in sorted(logs, key=lambda log: (log.scored, log.created, log.path.name)):
        before = chosen.pop((names[log.path], log.task), None)
        left += [before.path.name] if before is not None else []
        chosen[names[log.path], log.task] = log
    if left:
        why = "because a fuller or newer one of the same model and task counts"
        said.append(note.left_out(len(left), "log", why, sorted(left)))
    kept = [log for log in logs if chosen[names[log.path], log.task] is log]
    for log in kept:
        if log.status != SUCCESS:
            said.append(note.unfinished(log.path.name, log.status, len(log.samples), log.planned))
    return kept


def _met(
    place: Place,
    placed: Iterable[tuple[Log, Way]],
    names: Mapping[Path, str],
    said: list[Note],
) -> list[tuple[Log, Way]]:
    """The logs that meet another one; if there is one model only, all."""
    pairs = list(placed)
    if len({names[log.path] for log, _ in pairs}) == 1:
        return pairs
    alone = [f"{names[log.path]} on {way.name}" for log, way in pairs if len(way.players) == 1]
    if alone:
        why = "because no other model was run in the same way"
        said.append(note.left_out(len(alone), "log", why, alone))
    met = [(log, way) for log, way in pairs if len(way.players) > 1]
    if not met:
        left = " ".join(map(str, said))
        raise NothingLeft(path=place.path, title=TITLE, left_out=left.removesuffix("."))
    return met


# Rows ---------------------------------------------------------------------------------------------


def _rows(
    placed: Sequence[tuple[Log, Way]],
    names: Mapping[Path, str],
    chosen: Mapping[str, tuple[str, ...]],
) -> pl.DataFrame:
    """A row for each sample and metric."""
    repeated = {way.name for log, way in placed for sample in log.samples if sample.epoch > 1}
    directions = _directions([log for log, _ in placed], chosen)
    columns: dict[str, list[Any]] = {name: [] for name in KINDS}
    for log, way in placed:
        for sample in log.samples:
            for metric in chosen[log.task]:
                epoch = f"/{sample.epoch}" if way.name in repeated else ""
                score, reason = _score(sample, metric)
                cells = (
                    *(names[log.path], way.name, f"{sample.item}{epoch}", score, metric),
                    *(directions[metric], OK if reason is None else FAILED, reason),
                    *(sample.item if repeated else None, sample.seconds, log.task, sample.digest),
                )
                for name, cell in zip(KINDS, cells, strict=True):
                    columns[name].append(cell)
    return pl.DataFrame(columns, KINDS)


KINDS: dict[str, type[pl.DataType]] = {
    **dict.fromkeys((PLAYER, TOURNAMENT, ROUND), pl.String),
    SCORE: pl.Float64,
    **dict.fromkeys((METRIC, DIRECTION, STATUS, REASON, CLUSTER), pl.String),
    SCORE_SECONDS: pl.Float64,
    TASK: pl.String,
    ITEM: pl.Int64,
}


def _score(sample: Sample, metric: str) -> tuple[float | None, str | None]:
    """The score of a sample, or why there is none."""
    if sample.reason is not None:
        return None, sample.reason
    if metric not in sample.values:
        return None, "there is no score"
    score = to_number(sample.values[metric])
    if score is None:
        return None, f"the score is {shorten(str(sample.values[metric]), 60)}"
    return score, None


def _directions(
    logs: Sequence[Log], chosen: Mapping[str, tuple[str, ...]]
) -> dict[str, str | None]:
    """Up for what is right or wrong, or counted as such; else by the metric's name."""
    found: dict[str, str | None] = {}
    for metric in dict.fromkeys(name for own in chosen.values() for name in own):
        values = [
            sample.values[metric]
            for log in logs
            for sample in log.samples
            if metric in sample.values
        ]
        graded = any(value in LETTERS for value in values if isinstance(value, str))
        known = known_metric(metric.rpartition(".")[2])
        if graded or any(metric in log.accurate for log in logs):
            found[metric] = "up"
        else:
            found[metric] = None if known is None else "up" if known.higher_is_better else "down"
    return found


ADAPTER = Adapter("inspect", TITLE, recognise, read)
