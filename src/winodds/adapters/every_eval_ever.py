"""Records of Every Eval Ever (schema 0.3): a JSON file with one record or a list, or a folder.

A record holds the aggregate results of one model. Models play, and an evaluation is a round.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from winodds.adapters import notes as note
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.columns import (
    CLUSTER,
    DIRECTION,
    METRIC,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    TOURNAMENT,
    as_score,
)
from winodds.adapters.errors import NotThisSource, OneScoreEach
from winodds.adapters.metrics import EVERY, choose_metric, settle_metrics
from winodds.adapters.place import Place, part_of, read_json
from winodds.adapters.ways import Way, Ways
from winodds.language.notes import Note
from winodds.language.words import count
from winodds.table.vocabulary import AGGREGATES, plain_name

TITLE = "records of Every Eval Ever"
KEYS = frozenset({"schema_version", "evaluation_id", "model_info", "evaluation_results"})
UNKNOWN_LEVEL = -1.0


@dataclass(frozen=True, slots=True)
class Result:
    """One result of one model; ``settings`` must agree between two results of an evaluation."""

    model: str
    evaluation: str
    metric: str
    score: float | None
    reason: str | None
    direction: str | None
    settings: Mapping[str, str]
    data: str
    when: tuple[float, str]


def recognise(place: Place) -> bool:
    """Whether a file has the keys of a record, or the first files of a folder have them."""
    if place.kind == "json":
        return _begins_like_a_record(place)
    return place.kind == "folder" and any(
        _begins_like_a_record(Place(str(path))) for path in place.files("*.json")[:5]
    )


def _begins_like_a_record(place: Place) -> bool:
    head = place.head[:8192]
    return head.lstrip().startswith((b"{", b"[")) and all(
        f'"{key}"'.encode() in head for key in ("schema_version", "evaluation_id")
    )


def read(place: Place, wanted: Wanted) -> Adapted:
    """The newest result of each model in each evaluation."""
    results, said, files = _collect(place)
    offered: dict[str, dict[str, None]] = {}
    for result in results:
        offered.setdefault(result.evaluation, {})[result.metric] = None
    chosen = settle_metrics({name: list(own) for name, own in offered.items()}, wanted.metric)
    rated = list(dict.fromkeys(name for own in chosen.values() for name in own))
    others = dict.fromkeys(name for own in offered.values() for name in own if name not in rated)
    said.append(note.chosen_metric(rated, list(others)))
    kept = [result for result in results if result.metric in chosen[result.evaluation]]
    newest = _newest(kept, said)
    ways = Ways()
    placed = [
        (result, ways.place(result.model, result.evaluation, result.settings, {}))
        for result in newest
    ]
    done, differ = ways.settle()
    said += differ
    said.append(note.sums_unknown())
    rows = _rows(placed)
    players, rounds = rows[PLAYER].n_unique(), rows[ROUND].n_unique()
    if rounds == 1:
        advice = f"Give the records of more evaluations, or their items, to rate {TITLE}."
        raise OneScoreEach(
            players=players, what=f"The evaluation '{rows[ROUND][0]}'", advice=advice
        )
    return adapt_scores(
        choose_metric(rows, EVERY) if wanted.metric == EVERY else rows,
        name=place.path,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=f"{count(players, 'model')}, {count(rounds, 'evaluation')} as rounds",
        notes=said,
        files=files,
        ways=done,
    )


def _collect(place: Place) -> tuple[list[Result], list[Note], list[Path]]:
    results: list[Result] = []
    files: list[Path] = []
    others, sums = list[str](), dict[str, None]()
    for path in place.files("*.json") if place.kind == "folder" else [Path(place.path)]:
        found = read_json(path)
        records = found if isinstance(found, list) else [found]
        if not records or not all(isinstance(it, dict) and it.keys() >= KEYS for it in records):
            others.append(path.name)
            continue
        files.append(path)
        for record in records:
            results += _results(record, path, sums)
    if not results:
        wanted = ", ".join(f"'{key}'" for key in sorted(KEYS))
        reason = f"there is no record with {wanted} and a result"
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    said = []
    if others:
        said.append(note.left_out(len(others), "file", "because it holds no records", others))
    if sums:
        why = "because it sums up others"
        said.append(note.left_out(len(sums), "evaluation", why, list(sums)))
    return results, said, files


def _results(record: Mapping[str, Any], path: Path, sums: dict[str, None]) -> Iterator[Result]:
    """The results of a record; those that sum up others go to ``sums``."""
    name = part_of(record, "model_info").get("id") or part_of(record, "model_info").get("name")
    listed = record["evaluation_results"]
    if not isinstance(name, str) or not isinstance(listed, list):
        reason = f"a record in {path.name} has no model, or no list of results"
        raise NotThisSource(path=str(path), title=TITLE, reason=reason)
    seen: dict[tuple[str, str], int] = {}
    for result in listed:
        evaluation = result.get("evaluation_name") if isinstance(result, dict) else None
        if not isinstance(evaluation, str):
            reason = f"a result in {path.name} has no 'evaluation_name'"
            raise NotThisSource(path=str(path), title=TITLE, reason=reason)
        if plain_name(evaluation) in AGGREGATES:
            sums[evaluation] = None
            continue
        config = part_of(result, "metric_config")
        metric = _metric(config)
        again = seen[evaluation, metric] = seen.get((evaluation, metric), 0) + 1
        if again > 1:
            own = result.get("evaluation_result_id") or config.get("evaluation_description")
            metric = f"{metric} [{own or again}]"
        yield _result(record, result, name, evaluation, metric)


def _result(
    record: Mapping[str, Any], result: Mapping[str, Any], model: str, evaluation: str, metric: str
) -> Result:
    config = part_of(result, "metric_config")
    score, reason = _score(part_of(result, "score_details").get("score"), config)
    lower = config.get("lower_is_better")
    return Result(
        model=model,
        evaluation=evaluation,
        metric=metric,
        score=score,
        reason=reason,
        direction=("down" if lower else "up") if isinstance(lower, bool) else None,
        settings=_settings(record, result),
        data=str(part_of(result, "source_data").get("dataset_name") or evaluation),
        when=_time(result.get("evaluation_timestamp") or record.get("retrieved_timestamp")),
    )


def _settings(record: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, str]:
    """What must agree between two results of an evaluation, in words."""
    source = part_of(record, "source_metadata")
    details = part_of(part_of(result, "generation_config"), "additional_details")
    items = part_of(part_of(result, "score_details"), "uncertainty").get("num_samples")
    shots = details.get("num_fewshot")
    words = {
        "source": source.get("source_name") or source.get("source_organization_name"),
        "data": part_of(result, "source_data").get("dataset_name"),
        "library": part_of(record, "eval_library").get("name"),
        "shots": None if shots is None else f"{shots}-shot",
        "items": None if items is None else f"{items} items",
    }
    return {key: str(word) for key, word in words.items() if word}


def _metric(config: Mapping[str, Any]) -> str:
    named = (config.get(key) for key in ("metric_id", "metric_name", "metric_kind"))
    return next((name for name in named if isinstance(name, str) and name), SCORE)


def _score(value: object, config: Mapping[str, Any]) -> tuple[float | None, str | None]:
    score = as_score(value)
    if score is None:
        return None, "the score is no number"
    if config.get("has_unknown_level") is True and score == UNKNOWN_LEVEL:
        return None, "the level is unknown"
    return score, None


def _time(written: object) -> tuple[float, str]:
    """A time that can be compared: seconds, or else its text."""
    try:
        return float(str(written)), ""
    except ValueError:
        return math.inf, str(written)


def _newest(results: Sequence[Result], said: list[Note]) -> list[Result]:
    chosen: dict[tuple[Any, ...], Result] = {}
    for result in sorted(results, key=lambda result: result.when):
        settings = tuple(sorted(result.settings.items()))
        chosen[result.model, result.evaluation, result.metric, settings] = result
    older = len(results) - len(chosen)
    if older:
        why = "because a newer one of the same model and evaluation counts"
        said.append(note.left_out(older, "result", why, []))
    kept = set(map(id, chosen.values()))
    return [result for result in results if id(result) in kept]


def _rows(placed: Sequence[tuple[Result, Way]]) -> pl.DataFrame:
    # Several evaluations of one data set, such as two ways to read its answers, are one cluster.
    shared = len({way.name for _, way in placed}) > len({it.data for it, _ in placed})
    cells = [
        (
            *(it.model, None, way.name, it.score, it.metric, it.direction, it.reason),
            it.data if shared else None,
        )
        for it, way in placed
    ]
    names = (PLAYER, TOURNAMENT, ROUND, SCORE, METRIC, DIRECTION, REASON, CLUSTER)
    kinds = {name: pl.Float64 if name == SCORE else pl.String for name in names}
    return pl.DataFrame(cells, kinds, orient="row")


ADAPTER = Adapter("every-eval-ever", TITLE, recognise, read)
