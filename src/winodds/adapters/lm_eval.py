"""Results of the lm-evaluation-harness: a folder of ``results_<time>.json``, or one such file.

Models play. A round is a task, with its mean score, or an item of a task, with the score that the
file of samples has for it; then the task is the tournament.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from winodds.adapters import notes as note
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.columns import (
    DIRECTION,
    METRIC,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    TOURNAMENT,
    as_score,
    name_settings,
)
from winodds.adapters.errors import NothingLeft, NotThisSource, OneScoreEach
from winodds.adapters.fields import Fields
from winodds.adapters.metrics import EVERY, choose_metric, settle_metrics
from winodds.adapters.place import Place, part_of, read_json, read_objects
from winodds.adapters.players import TECHNICAL, in_name, tell_apart
from winodds.adapters.ways import Way, Ways
from winodds.language.errors import WinoddsError
from winodds.language.notes import Note
from winodds.language.spelling import option
from winodds.language.words import count, list_names
from winodds.table.vocabulary import known_metric

TITLE = "results of the lm-evaluation-harness"
PATTERN = "results*.json"
NO_RESULTS = "because it holds no results"

KEYS = frozenset({"results", "configs", "versions", "n-shot"})
"""Keys of a file of results; all versions since 0.4 have them."""

NAMING = ("pretrained", "model", "path", "engine", "peft", "delta")
"""Arguments of models that name them."""

NOT_TELLING = TECHNICAL | {"base_url"}
"""Arguments that change how a model is run, and not what it is."""

TASK, ITEM = "\0task", "\0item"
NO_METRIC = "bypass"
"""What the harness writes where nothing was scored."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one model did in one task.

    Attributes
    ----------
    model, arguments : its name, and what it was made with.
    task : its name.
    scores : by metric and filter, such as "acc,none"; None for what is no number.
    up : whether higher is better, by metric, as far as the file says.
    settings : version and shots, in words, which must agree.
    effective : how many items were done, if that is known.
    digest : of all items with their prompts; None if it is not known, or a chat template, which
        belongs to the model, is part of it.
    templated : whether there was a chat template.
    path : the file of results.
    samples : the file of samples, if there is one.
    """

    model: str
    arguments: Mapping[str, Any]
    task: str
    scores: Mapping[str, float | None]
    up: Mapping[str, bool]
    settings: Mapping[str, str]
    effective: int | None
    digest: str | None
    templated: bool
    path: Path
    samples: Path | None


def recognise(place: Place) -> bool:
    """Whether a file has the keys of results, or the first such file of a folder."""
    if place.kind == "json":
        return place.keys >= KEYS
    if place.kind != "folder":
        return False
    return any(_is_results(path) for path in place.files(PATTERN)[:3])


def _is_results(path: Path) -> bool:
    try:
        return Place(str(path)).keys >= KEYS
    except WinoddsError:
        return False


def read(place: Place, wanted: Wanted) -> Adapted:
    """Tasks or items as rounds; items wherever there are samples of everything."""
    runs, said, files = _collect(place)
    rounds = wanted.rounds or ("items" if all(run.samples for run in runs) else "tasks")
    if rounds == "items":
        missing = [f"{run.model} on {run.task}" for run in runs if run.samples is None]
        if missing:
            why = "because there is no file of samples"
            said.append(note.left_out(len(missing), "result", why, missing))
            runs = [run for run in runs if run.samples is not None]
        rows, more, ways = _read_items(place, runs, wanted)
    else:
        rows, more, ways = _read_tasks(place, runs, wanted)
    players = rows[PLAYER].n_unique()
    words = _sum_up(rows, rounds)
    return adapt_scores(
        rows,
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=f"{count(players, 'model')}, {words}",
        notes=[*said, *more],
        files=[*files, *(run.samples for run in runs if rounds == "items" and run.samples)],
        ways=ways.settle()[0],
    )


def _sum_up(rows: pl.DataFrame, rounds: str) -> str:
    if rounds == "tasks":
        return f"{count(rows[ROUND].n_unique(), 'task')} as rounds"
    tasks = rows[TOURNAMENT].n_unique()
    items = rows.select(TOURNAMENT, ROUND).n_unique()
    return f"{count(tasks, 'task')}, {count(items, 'item')} as rounds"


# Files of results ---------------------------------------------------------------------------------


def _collect(place: Place) -> tuple[list[Run], list[Note], list[Path]]:
    """The newest run of each model in each task, with their players' names."""
    runs: list[Run] = []
    sound: list[Path] = []
    groups, renamed, bare = dict[str, None](), dict[str, None](), dict[str, None]()
    others: dict[str, dict[str, None]] = {}
    for path in [Path(place.path)] if place.kind == "json" else place.files(PATTERN):
        found = read_json(path)
        absent = _absent(found)
        if absent:
            others.setdefault(f"because it has no {list_names(absent)}", {})[path.name] = None
            continue
        sound.append(path)
        if not part_of(found, "results"):
            others.setdefault(NO_RESULTS, {})[path.name] = None
        tried = list(_runs_of(path, found, renamed))
        runs += [run for run in tried if run.scores]
        bare |= dict.fromkeys(f"{run.model} on {run.task}" for run in tried if not run.scores)
        groups |= dict.fromkeys(_groups(found))
    if not sound:
        reason = f"there is no file {PATTERN} with 'results', 'configs', 'versions' and 'n-shot'"
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    names, said = tell_apart([(run.model, run.arguments) for run in runs])
    named = [replace(run, model=name) for run, name in zip(runs, names, strict=True)]
    newest, older = _newest(named)
    reasons = {
        **{("file", why): names for why, names in others.items()},
        ("group", "because a group repeats its tasks"): groups,
        ("result", "without a metric"): bare,
        ("result", "because a newer one of the same model and task counts"): older,
    }
    said += [
        note.left_out(len(left), noun, why, list(left))
        for (noun, why), left in reasons.items()
        if left
    ]
    if renamed:
        said.append(note.renamed_models(list(renamed)))
    return newest, said, sound


def _absent(document: Any) -> list[str]:
    """Keys that results have, and a document has not."""
    return sorted(KEYS - (document.keys() if isinstance(document, dict) else set()))


def _groups(document: Mapping[str, Any]) -> list[str]:
    """Names among the results that stand for several tasks."""
    parts = part_of(document, "group_subtasks")
    named = {*part_of(document, "groups"), *(name for name, tasks in parts.items() if tasks)}
    return [name for name in part_of(document, "results") if name in named]


def _runs_of(path: Path, document: Mapping[str, Any], renamed: dict[str, None]) -> Iterator[Run]:
    arguments = _arguments(part_of(document, "config").get("model_args"))
    model = _model_name(document, arguments, path, renamed)
    kept = {name: value for name, value in arguments.items() if name not in NOT_TELLING}
    stamp = path.name.removeprefix("results").removesuffix(".json")
    groups = set(_groups(document))
    templated = bool(document.get("chat_template"))
    for task, written in part_of(document, "results").items():
        if task in groups:
            continue
        samples = path.with_name(f"samples_{task}{stamp}.jsonl")
        digest = part_of(document, "task_hashes").get(task)
        yield Run(
            model=model,
            arguments=kept,
            task=task,
            scores=_scores(written),
            up=_directions(part_of(document, "higher_is_better"), task),
            settings=_settings(document, task),
            effective=_number_of_items(document, task, written),
            digest=None if templated or digest is None else str(digest),
            templated=templated,
            path=path,
            samples=samples if stamp and "/" not in task and samples.is_file() else None,
        )


def _arguments(given: object) -> Mapping[str, Any]:
    """The model's arguments: an object, or in older files a text such as "pretrained=a,b=c"."""
    if isinstance(given, dict):
        return given
    if not isinstance(given, str):
        return {}
    parts = [part.partition("=") for part in given.split(",") if part]
    return {name.strip(): value.strip() for name, _, value in parts}


def _model_name(
    document: Mapping[str, Any],
    arguments: Mapping[str, Any],
    path: Path,
    renamed: dict[str, None],
) -> str:
    """The model's name; the harness draws one for a model whose arguments name none."""
    written = document.get("model_name")
    own = next((str(arguments[key]) for key in NAMING if arguments.get(key)), None)
    if isinstance(written, str) and written and (own or "config" not in document):
        return written
    if own is not None:
        return own
    source = document.get("model_source") or part_of(document, "config").get("model")
    shown = {key: in_name(value) for key, value in arguments.items()}
    said = f"{source or 'model'} ({name_settings(shown)})"
    name = said if arguments else path.resolve().parent.name
    renamed[name] = None
    return name


def _scores(written: object) -> dict[str, float | None]:
    """The metrics of a task; errors, names and counts are none."""
    if not isinstance(written, dict):
        return {}
    return {
        name: as_score(value)
        for name, value in written.items()
        if "," in name
        and not name.partition(",")[0].endswith("_stderr")
        and name.partition(",")[0] != NO_METRIC
    }


def _directions(written: Mapping[str, Any], task: str) -> dict[str, bool]:
    own = part_of(written, task)
    return {metric: up for metric, up in own.items() if isinstance(up, bool)}


def _settings(document: Mapping[str, Any], task: str) -> dict[str, str]:
    """What must agree between two runs of a task, in words."""
    version = part_of(document, "versions").get(task)
    shots = part_of(document, "n-shot").get(task)
    words = {
        "version": None if version is None else f"version {version}",
        "shots": None if shots is None else f"{shots}-shot",
    }
    system = document.get("system_instruction_sha")
    words["system"] = f"system {str(system)[:8]}" if system else None
    return {key: word for key, word in words.items() if word is not None}


def _number_of_items(document: Mapping[str, Any], task: str, written: object) -> int | None:
    number = part_of(part_of(document, "n-samples"), task).get("effective")
    if number is None and isinstance(written, dict):
        number = written.get("sample_len")
    return number if isinstance(number, int) else None


def _newest(runs: Sequence[Run]) -> tuple[list[Run], list[str]]:
    """The last run of each model in each task, by the names of files, and the others in words."""
    chosen: dict[tuple[str, str], Run] = {}
    older = []
    for run in sorted(runs, key=lambda run: (run.path.name, str(run.path))):
        before = chosen.pop((run.model, run.task), None)
        if before is not None:
            older.append(f"{before.model} on {before.task} in {before.path.name}")
        chosen[run.model, run.task] = run
    kept = set(map(id, chosen.values()))
    return [run for run in runs if id(run) in kept], older


# Metrics ------------------------------------------------------------------------------------------


def _short(metric: str) -> str:
    return metric.partition(",")[0]


def _choose(
    offered: Mapping[str, Sequence[str]], metric: str | None
) -> tuple[dict[str, tuple[str, ...]], list[Note]]:
    """The metrics of each task that are rated, and what is to be said of that."""
    chosen = settle_metrics(offered, metric, short=_short)
    rated = list(dict.fromkeys(name for own in chosen.values() for name in own))
    every = dict.fromkeys(name for own in offered.values() for name in own)
    said = [note.chosen_metric(rated, [name for name in every if name not in rated])]
    without = [task for task, own in chosen.items() if not own]
    if without:
        why = f"because {option('metric', metric)} is not among the metrics"
        said.append(note.left_out(len(without), "task", why, without))
    return {task: own for task, own in chosen.items() if own}, said


def _direction(run: Run, metric: str) -> str | None:
    """Up or down, by the file or else by the metric's name without its filter."""
    up = run.up.get(_short(metric))
    if up is None:
        known = known_metric(_short(metric))
        up = None if known is None else known.higher_is_better
    return None if up is None else "up" if up else "down"


# Tasks as rounds ----------------------------------------------------------------------------------


def _read_tasks(
    place: Place, runs: Sequence[Run], wanted: Wanted
) -> tuple[pl.DataFrame, list[Note], Ways]:
    offered: dict[str, dict[str, None]] = {}
    for run in runs:
        offered.setdefault(run.task, {}).update(dict.fromkeys(run.scores))
    if not offered:
        raise NothingLeft(path=place.path, title=TITLE, left_out="no task has a score")
    chosen, said = _choose({task: list(own) for task, own in offered.items()}, wanted.metric)
    ways = Ways()
    placed = []
    for run in runs:
        if run.task in chosen:
            number = {} if run.effective is None else {"items": f"{run.effective:,} items"}
            digests = {} if run.digest is None else {"digest": run.digest}
            way = ways.place(run.model, run.task, {**run.settings, **number}, digests)
            placed.append((run, way))
    played, more = _met(ways, placed)
    rows = [
        {
            PLAYER: run.model,
            ROUND: way.name,
            SCORE: run.scores.get(metric),
            METRIC: metric,
            DIRECTION: _direction(run, metric),
            REASON: None if run.scores.get(metric) is not None else "the result is no number",
        }
        for run, way in played
        for metric in chosen[run.task]
    ]
    if len(chosen) == 1 or not rows:
        _refuse_one_round(place, runs, more)
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        pl.lit(None, dtype=pl.String).alias(TOURNAMENT)
    )
    if wanted.metric != EVERY:
        return frame, [*said, *more], ways
    several = pl.col(ROUND).n_unique().over(METRIC) > 1
    single = frame.filter(~several)[METRIC].unique(maintain_order=True).to_list()
    if single:
        why = "because one task has it, and one round rates nothing"
        more.append(note.left_out(len(single), "metric", why, single))
    return choose_metric(frame.filter(several), EVERY), [*said, *more], ways


def _refuse_one_round(place: Place, runs: Sequence[Run], said: Sequence[Note]) -> None:
    """One task rates nothing; nor does nothing."""
    if said:
        raise NothingLeft(path=place.path, title=TITLE, left_out=" ".join(map(str, said)))
    advice = (
        f"Run more tasks, or keep the samples (lm_eval --log_samples) and rate items: "
        f"{option('rounds', 'items')}."
    )
    players = len({run.model for run in runs})
    raise OneScoreEach(players=players, what=f"The task '{runs[0].task}'", advice=advice)


class Placed(NamedTuple):
    """A run, and the way in which it was done."""

    run: Run
    way: Way


def _met(ways: Ways, placed: Sequence[tuple[Run, Way]]) -> tuple[list[Placed], list[Note]]:
    """The runs that met another one in the same way; if there is one model only, all."""
    _, said = ways.settle()
    pairs = [Placed(run, way) for run, way in placed]
    if len({run.model for run, _ in pairs}) == 1:
        return pairs, said
    alone = [f"{run.model} on {way.name}" for run, way in pairs if len(way.players) == 1]
    if alone:
        why = "because no other model was run in the same way"
        said.append(note.left_out(len(alone), "result", why, alone))
    return [pair for pair in pairs if len(pair.way.players) > 1], said


# Items as rounds ----------------------------------------------------------------------------------


def _read_items(
    place: Place, runs: Sequence[Run], wanted: Wanted
) -> tuple[pl.DataFrame, list[Note], Ways]:
    if not runs:
        left = "there are no files of samples; run lm_eval with --log_samples"
        raise NothingLeft(path=place.path, title=TITLE, left_out=left)
    offered = _offered_by_items(runs)
    without = [task for task, own in offered.items() if not own]
    said = []
    if without:
        why = "because samples hold no score of single items (a perplexity is of all)"
        said.append(note.left_out(len(without), "task", why, without))
    offered = {task: own for task, own in offered.items() if own}
    if not offered:
        left = "its samples hold no scores of single items"
        raise NothingLeft(path=place.path, title=TITLE, left_out=left)
    chosen, more = _choose(offered, wanted.metric)
    ways, fields = Ways(), Fields("doc")
    placed, scoreless = [], []
    frames = {}
    for run in runs:
        if run.task in chosen:
            frame, digests = _read_samples(run, chosen[run.task], fields)
            if frame.is_empty():
                scoreless.append(f"{run.model} on {run.task}")
                continue
            way = ways.place(run.model, run.task, run.settings, digests)
            placed.append((run, way))
            frames[id(run)] = frame
    if scoreless:
        why = "because its samples have no such score"
        more.append(note.left_out(len(scoreless), "result", why, scoreless))
    played, apart = _met(ways, placed)
    if not played:
        left_out = " ".join(map(str, apart))
        raise NothingLeft(path=place.path, title=TITLE, left_out=left_out)
    rows = pl.concat([_of_run(frames[id(run)], run, way) for run, way in played])
    rows = fields.join(rows, TASK, ITEM).drop(TASK, ITEM)
    told = [*said, *more, *apart, *_right_or_wrong(rows)]
    return choose_metric(rows, EVERY) if wanted.metric == EVERY else rows, told, ways


def _of_run(frame: pl.DataFrame, run: Run, way: Way) -> pl.DataFrame:
    ways = {metric: _direction(run, metric) for metric in frame[METRIC].unique()}
    lost = pl.when(pl.col(SCORE).is_null()).then(pl.lit("the score is no number"))
    return frame.with_columns(
        lost.alias(REASON),
        pl.lit(run.model).alias(PLAYER),
        pl.lit(way.name).alias(TOURNAMENT),
        pl.lit(run.task).alias(TASK),
        pl.col(METRIC).replace_strict(ways, return_dtype=pl.String).alias(DIRECTION),
    )


def _right_or_wrong(rows: pl.DataFrame) -> list[Note]:
    """A word about ties, if scores are 0 or 1."""
    if not rows[SCORE].drop_nulls().is_in([0.0, 1.0]).all():
        return []
    return [note.right_or_wrong(rows.select(TOURNAMENT, ROUND).n_unique())]


def _offered_by_items(runs: Sequence[Run]) -> dict[str, list[str]]:
    """The metrics of each task that are numbers of single items, by the first rows of each run."""
    found: dict[str, dict[str, None]] = {}
    for run in runs:
        if run.samples is not None:
            own = found.setdefault(run.task, {})
            filters = {name.partition(",")[2] for name in run.scores}
            for row in read_objects(run.samples):
                # There is a row for each document and filter; the first row of a filter will do.
                if _filter(row) in filters:
                    own |= dict.fromkeys(_numbers(row))
                    filters.discard(_filter(row))
                if not filters:
                    break
    return {task: list(own) for task, own in found.items()}


def _numbers(row: Mapping[str, Any]) -> list[str]:
    names = row.get("metrics")
    listed = names if isinstance(names, list) else []
    return [
        f"{name},{_filter(row)}"
        for name in listed
        if isinstance(name, str) and name != NO_METRIC and isinstance(row.get(name), (int, float))
    ]


def _filter(row: Mapping[str, Any]) -> str:
    return str(row.get("filter", "none"))


def _read_samples(
    run: Run, metrics: Sequence[str], fields: Fields
) -> tuple[pl.DataFrame, dict[str, object]]:
    """A row for each item and metric, and what tells whether items are those of others."""
    parts = {name: name.partition(",") for name in metrics}
    items: list[str] = []
    keys: list[int] = []
    scores: list[float | None] = []
    names: list[str] = []
    held: set[str] = set()
    digests: dict[str, object] = {}
    assert run.samples is not None
    for row in read_objects(run.samples):
        if "doc_id" not in row:
            reason = f"{run.samples.name} has rows without a 'doc_id'"
            raise NotThisSource(path=str(run.path), title=TITLE, reason=reason)
        item = str(row["doc_id"])
        digests[item] = key = _digest(row)
        if not run.templated and "prompt_hash" in row:
            digests[f"prompt {item}"] = hash(str(row["prompt_hash"]))
        fields.add(run.task, key, row.get("doc"))
        for metric, (name, _, filtered) in parts.items():
            if _filter(row) == filtered:
                items.append(item)
                keys.append(key)
                scores.append(as_score(row.get(name)))
                names.append(metric)
                if name in row:
                    held.add(metric)
    frame = pl.DataFrame(
        {ROUND: items, ITEM: keys, SCORE: scores, METRIC: names},
        {ROUND: pl.String, ITEM: pl.Int64, SCORE: pl.Float64, METRIC: pl.String},
    )
    # An item without a score that others have is a failure; a metric that none has was not asked.
    return frame.filter(pl.col(METRIC).is_in(held)), digests


def _digest(row: Mapping[str, Any]) -> int:
    """A number that tells items apart: of the document and its answer."""
    if isinstance(row.get("doc_hash"), str):
        return hash((str(row["doc_id"]), row["doc_hash"], str(row.get("target_hash"))))
    return hash((str(row["doc_id"]), repr(row.get("doc")), repr(row.get("target"))))


ADAPTER = Adapter("lm-eval", TITLE, recognise, read, rounds=("tasks", "items"))
