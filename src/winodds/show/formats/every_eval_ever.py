"""A board as records of Every Eval Ever, in the words of its schema 0.3.0."""

from collections.abc import Mapping
from typing import Any

from winodds._version import __version__
from winodds.board.leaderboard import Leaderboard
from winodds.board.row import Row
from winodds.language.words import number

SCHEMA = "0.3.0"
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")

RATING: Mapping[str, Any] = {
    "evaluation_description": "Log-odds of beating the average player in a new round",
    "metric_id": "winodds.epp",
    "metric_name": "EPP",
    "metric_kind": "elo",
    "metric_unit": "log-odds",
    "lower_is_better": False,
    "score_type": "continuous",
    "min_score": "-Infinity",
    "max_score": "Infinity",
}


def to_records(
    board: Leaderboard, evaluation: str, *, organization: str, relationship: str, retrieved: float
) -> list[dict[str, Any]]:
    """One record for each player; arguments as in `Leaderboard.to_every_eval_ever`."""
    when = number(retrieved)
    return [
        {
            "schema_version": SCHEMA,
            "evaluation_id": f"{evaluation}/{row.player}/{when}",
            "retrieved_timestamp": when,
            "source_metadata": {
                "source_name": "Winodds leaderboard",
                "source_type": "documentation",
                "source_organization_name": organization,
                "evaluator_relationship": relationship,
            },
            "eval_library": {"name": "winodds", "version": __version__},
            "model_info": {
                "name": row.player,
                "id": row.player,
                "additional_details": {
                    "deployment_type": "unknown",
                    "model_availability": "unknown",
                },
            },
            "evaluation_results": _results(board, row, evaluation),
        }
        for row in board
    ]


def _results(board: Leaderboard, row: Row, evaluation: str) -> list[dict[str, Any]]:
    data = {"dataset_name": board.tournament or evaluation, "source_type": "other"}
    rating = {
        "evaluation_result_id": "epp",
        "evaluation_name": evaluation,
        "source_data": data,
        "metric_config": dict(RATING),
        "score_details": {
            "score": row.epp,
            "details": _details(row),
            "uncertainty": _uncertainty(board, row),
        },
    }
    better = board.how.scheme.better
    if row.mean_score is None or better not in ("higher", "lower"):
        return [rating]
    mean = {
        "evaluation_result_id": "mean_score",
        "evaluation_name": evaluation,
        "source_data": data,
        "metric_config": {
            "evaluation_description": "Mean score over the rounds that the player played",
            "metric_id": "winodds.mean_score",
            "metric_name": "mean score",
            "lower_is_better": better == "lower",
        },
        "score_details": {"score": row.mean_score},
    }
    return [rating, mean]


def _details(row: Row) -> dict[str, str]:
    """What else a board says, in texts, as the schema wants them."""
    said = {
        "rank": row.rank,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "matches": row.matches,
        "rounds": row.rounds,
    }
    notes = "; ".join(map(str, row.notes))
    return {name: f"{it}" for name, it in said.items() if it is not None} | (
        {"notes": notes} if notes else {}
    )


def _uncertainty(board: Leaderboard, row: Row) -> dict[str, Any]:
    """The error, and the interval if it has two ends; an open one is said in the details."""
    interval = board.how.interval
    found: dict[str, Any] = {"standard_error": {"value": row.se, "method": interval.kind}}
    if row.low is not None and row.high is not None:
        found["confidence_interval"] = {
            "lower": row.low,
            "upper": row.high,
            "confidence_level": interval.level,
            "method": interval.kind,
        }
    if row.rounds is not None:
        found["num_samples"] = row.rounds
    return found
