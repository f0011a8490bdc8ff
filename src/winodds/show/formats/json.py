"""Results as JSON: all figures with all digits, and what they mean in words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from winodds.board.bootstrap import Bootstrap
from winodds.board.comparisons import Comparison, Comparisons
from winodds.board.gate import SCHEMA, Gate
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.inference.friedman import nemenyi_critical_difference
from winodds.language.notes import scope
from winodds.language.words import count
from winodds.season.comparisons import SeasonComparison
from winodds.season.findings import Findings
from winodds.season.season import Season
from winodds.show.layout.document import Document, Said
from winodds.show.layout.grid import check_top
from winodds.show.layout.season_document import season_document
from winodds.show.words.board import friedman_of
from winodds.show.words.elo import ELO_COLUMNS, to_elo
from winodds.show.words.season import describe_pair
from winodds.show.words.seats import is_seated
from winodds.show.words.slices import describe_slices
from winodds.show.words.verdicts import describe_comparisons
from winodds.slices.slices import Slices
from winodds.sota.answer import Sota, WhatIf
from winodds.sota.shakeup.answer import ShakeUp
from winodds.tune.replays import Replay


def dump_json(data: Mapping[str, Any]) -> str:
    """JSON that people can read, with a line break at the end."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _dump_all(found: Sequence[Mapping[str, Any]], schema: str) -> str:
    """One object for one board, a list of them for a season; ``schema`` is that of the season."""
    season = {"schema": schema, "tournaments": list(found)}
    return dump_json(found[0] if len(found) == 1 else season)


def render_json(found: Leaderboard | Season, *, top: int | None = None, elo: bool = False) -> str:
    """The board, or the season, as JSON that `from_json` reads back.

    Parameters
    ----------
    found : a board, or a season.
    top : how many players of each board; a board that is cut keeps no evidence, so that it can be
        shown again but compares no players. None for all.
    elo : three more entries for each player, ``elo``, ``elo_low`` and ``elo_high``.
    """
    check_top(top)
    data = found.to_dict()
    together = [data["together"]] if "together" in data else []
    _trim([*together, *data.get("tournaments", [data])], top, elo=elo)
    if isinstance(found, Leaderboard) and is_seated(found):
        data["seat"] = found.seat().to_dict()
    return dump_json(data)


def slices_json(found: Slices, *, top: int | None = None, elo: bool = False) -> str:
    """Slices with all their boards, and what there is to say of them."""
    check_top(top)
    data = found.to_dict()
    boards = [data["whole"], *(own["board"] for own in data["slices"] if own["board"] is not None)]
    _trim(boards, top, elo=elo)
    return dump_json({**data, "text": describe_slices(found)})


def _trim(boards: Sequence[dict[str, Any]], top: int | None, *, elo: bool) -> None:
    """Cut boards to their first rows, and add the Elo scale."""
    for board in boards:
        if top is not None and top < len(board["players"]):
            board["notes"].append(not_listed(len(board["players"]) - top).to_dict())
            board["players"], board["evidence"] = board["players"][:top], []
            if board["settings"] is not None:
                board["settings"] = {name: own[:top] for name, own in board["settings"].items()}
        if elo:
            for row in board["players"]:
                row |= {
                    name: None if row[source] is None else to_elo(row[source])
                    for name, source in ELO_COLUMNS.items()
                }


@scope
def not_listed(players: int) -> str:
    return f"{count(players, 'more player')} not listed here."


def qualities_json(found: Sequence[tuple[Leaderboard, Quality]]) -> str:
    """The fit of every board."""
    return _dump_named(found, "quality", version=2)


def bootstraps_json(found: Sequence[tuple[Leaderboard, Bootstrap]]) -> str:
    """The replicates of every board."""
    return _dump_named(found, "bootstrap", version=2)


def _dump_named(
    found: Sequence[tuple[Leaderboard, Quality | Bootstrap]], schema: str, *, version: int
) -> str:
    data = [
        {"schema": f"winodds/{schema}/{version}", "tournament": board.tournament, **one.to_dict()}
        for board, one in found
    ]
    return _dump_all(data, f"winodds/{schema}-of-season/{version}")


def findings_json(found: Findings, pair: SeasonComparison | None = None) -> str:
    """What a season tells, and of two players if they were asked for."""
    data = found.to_dict()
    if pair is None:
        return dump_json({**data, "text": sentences_of(season_document(found))})
    own = pair.to_dict()
    notes = [*data.pop("notes"), *own.pop("notes")]
    return dump_json({**data, **own, "notes": notes, "text": describe_pair(pair)})


def sentences_of(document: Document) -> list[str]:
    """The paragraphs of a document."""
    return [
        line
        for section in document.sections
        for block in section.seen_by("markdown")
        if isinstance(block, Said)
        for line in block.lines
    ]


def sota_json(found: Sota | ShakeUp | WhatIf) -> str:
    """The best of many scores, two boards of them, or what is to be expected of it."""
    return dump_json(found.to_dict())


def replays_json(found: Sequence[Replay]) -> str:
    """Races on finished results."""
    return dump_json({"schema": "winodds/race/1", "races": [one.to_dict() for one in found]})


def gate_json(found: Gate) -> str:
    """The verdict on a candidate."""
    return dump_json({"schema": SCHEMA, **found.to_dict()})


# Comparisons --------------------------------------------------------------------------------------


def comparisons_json(found: Sequence[tuple[Leaderboard, Comparison | Comparisons]]) -> str:
    """Two players, or all pairs, on every board."""
    data = [_compared(board, one) for board, one in found]
    return _dump_all(data, "winodds/comparisons-of-season/2")


def _compared(board: Leaderboard, found: Comparison | Comparisons) -> dict[str, Any]:
    name = "comparison" if isinstance(found, Comparison) else "comparisons"
    start = {"schema": f"winodds/{name}/2", "tournament": board.tournament}
    end = {"notes": [note.to_dict() for note in board.notes]}
    if isinstance(found, Comparison):
        return {**start, **found.to_dict(), **end}
    placing = board.details()
    return {
        **start,
        **found.to_dict(),
        "bars": [asdict(bar) for bar in board.bars_of(found.alike)],
        "could_be_best": list(placing.could_be_best),
        "quasi_worst": placing.quasi_worst and list(placing.quasi_worst),
        "players": _players(board),
        "friedman": _friedman(board),
        "text": describe_comparisons(found),
        **end,
    }


PLAYER = ("player", "rank", "rank_low", "rank_high", "epp", "p_best", "quasi_se")
"""Columns of the board that stand beside all pairs."""


def _players(board: Leaderboard) -> list[dict[str, Any]]:
    columns = board.columns()
    cells = zip(*(columns[name] for name in PLAYER), strict=True)
    return [dict(zip(PLAYER, row, strict=True)) for row in cells]


def _friedman(board: Leaderboard) -> dict[str, Any] | None:
    test = friedman_of(board)
    if test is None:
        return None
    data = asdict(test)
    data["mean_ranks"] = dict(zip(board.players, test.mean_ranks.tolist(), strict=True))
    data["iman_davenport_df"] = list(test.iman_davenport_df)
    level = board.how.interval.level
    data["nemenyi_critical_difference"] = nemenyi_critical_difference(
        test.players, test.rounds, level
    )
    finite = test.iman_davenport < float("inf")
    data["iman_davenport"] = test.iman_davenport if finite else None
    return data
