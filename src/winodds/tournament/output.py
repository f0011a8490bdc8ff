"""Finished fits → the table of scores that everything else reads, and what it is a table of."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from winodds._version import __version__
from winodds.adapters.columns import (
    CLUSTER,
    COLUMNS,
    DIRECTION,
    FAMILY,
    FIT_SECONDS,
    HYPERPARAMETERS,
    METRIC,
    OK,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    SCORE_SECONDS,
    SOURCE,
    STATUS,
    TEST_FRACTION,
    TOURNAMENT,
    write_settings,
)
from winodds.adapters.runs import SCORES
from winodds.language.words import count
from winodds.tournament.benchmark import Benchmark, DataSet
from winodds.tournament.outcome import Finished
from winodds.tournament.plan import Fit
from winodds.writing import write_bytes_whole, write_whole

TOOL = "winodds run"
CSV = "scores.csv"
DESCRIPTION = "benchmark.json"

SEED, TRAINED, TESTED = "seed", "train_rows", "test_rows"
WARNED, VERSIONS = "warned", "versions"

MORE: dict[str, type[pl.DataType]] = {
    SEED: pl.Int64,
    TRAINED: pl.Int64,
    TESTED: pl.Int64,
    TEST_FRACTION: pl.Float64,
    WARNED: pl.String,
    VERSIONS: pl.String,
}
"""Columns of a run's table behind those that every source has."""


def make_table(benchmark: Benchmark, finished: Sequence[tuple[Fit, Finished]]) -> pl.DataFrame:
    """A row for each metric of each finished fit, in the order of the plan."""
    parts = [_of_metric(benchmark, finished, metric) for metric in benchmark.metrics]
    return pl.concat(parts)


def _of_metric(
    benchmark: Benchmark, finished: Sequence[tuple[Fit, Finished]], metric: str
) -> pl.DataFrame:
    settings = {it.identity: write_settings(it.settings) for it in benchmark.players}
    fits = [fit for fit, _ in finished]
    outcomes = [done.outcome for _, done in finished]
    splits = [fit.data.rounds[fit.round] for fit in fits]
    scores = [outcome.scores[metric] for outcome in outcomes]
    cells: dict[str, Any] = {
        PLAYER: [fit.player.name for fit in fits],
        TOURNAMENT: [fit.data.name for fit in fits],
        ROUND: [it.name for it in splits],
        SCORE: scores,
        METRIC: metric,
        DIRECTION: benchmark.directions[metric],
        # Another metric of the same fit may have failed.
        STATUS: [
            OK if score is not None else outcome.status
            for score, outcome in zip(scores, outcomes, strict=True)
        ],
        REASON: [outcome.reasons.get(metric) for outcome in outcomes],
        FAMILY: [fit.player.family for fit in fits],
        HYPERPARAMETERS: [settings[fit.player.identity] for fit in fits],
        CLUSTER: None,
        FIT_SECONDS: [outcome.fit_seconds for outcome in outcomes],
        SCORE_SECONDS: [outcome.score_seconds for outcome in outcomes],
        SOURCE: TOOL,
        SEED: [done.seed for _, done in finished],
        TRAINED: [len(it.train) for it in splits],
        TESTED: [len(it.test) for it in splits],
        TEST_FRACTION: [fit.data.test_fraction for fit in fits],
        WARNED: [outcome.warned for outcome in outcomes],
        VERSIONS: [outcome.versions for outcome in outcomes],
    }
    return pl.DataFrame(cells, schema={**COLUMNS, **MORE})


def describe_benchmark(benchmark: Benchmark) -> dict[str, Any]:
    """The benchmark by the parts that the ontology of Gosiewska et al. (2022, Table 1) names."""
    families: dict[str, list[str]] = {}
    for player in benchmark.players:
        families.setdefault(player.family, []).append(player.name)
    return {
        "winodds": __version__,
        "scheme": "Model/CV",
        "player": {"is": "a model: one setting of an algorithm", "families": families},
        "score": {"is": "a metric on the rows that a split tests", "metrics": benchmark.directions},
        "round": {
            "is": "a split of a data set",
            "names": {data.name: [it.name for it in data.rounds] for data in benchmark.data},
        },
        "tournament": {
            "is": "a data set",
            "data": {data.name: _describe_data(data) for data in benchmark.data},
        },
        "meta_score": "EPP, the rating, by winodds rate",
        "leaderboard": "the players of one tournament by their ratings",
        "seed": benchmark.seed,
        "limits": {
            "seconds": benchmark.limits.seconds,
            "megabytes": benchmark.limits.megabytes,
        },
    }


def _describe_data(data: DataSet) -> dict[str, Any]:
    shape = getattr(data.x, "shape", (len(data.y), None))
    return {
        "rows": len(data.y),
        "features": shape[1] if len(shape) > 1 else None,
        "rounds": len(data.rounds),
        "test_fraction": data.test_fraction,
        "contents": data.identity,
    }


def write_output(benchmark: Benchmark, table: pl.DataFrame, folder: Path, *, csv: bool) -> None:
    """Write the table and what it is a table of, each whole or not at all."""
    content = io.BytesIO()
    table.write_parquet(content)
    write_bytes_whole(folder / SCORES, content.getvalue())
    described = json.dumps(describe_benchmark(benchmark), indent=2, ensure_ascii=False)
    write_whole(folder / DESCRIPTION, f"{described}\n")
    if csv:
        content = io.BytesIO()
        table.write_csv(content)
        write_bytes_whole(folder / CSV, content.getvalue())


def tell_failures(table: pl.DataFrame) -> list[str]:
    """How many scores are missing, by what happened, with the commonest reason of each."""
    missing = table.filter(pl.col(SCORE).is_null())
    found = []
    for (status,), own in missing.group_by([STATUS], maintain_order=True):
        reasons = own[REASON].value_counts(sort=True, name="times")
        reason, times = reasons.row(0)
        found.append(f"{count(own.height, 'score')} missing ({status}); {times:,} times: {reason}")
    return found
